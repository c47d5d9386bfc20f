//! Files of saved games made into a run folder. The files are read twice: first to find the games that can be played
//! again, since they determine the experiment's hash, and then to play these into tables, a chunk at a time.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use serde::Serialize;
use serde_json::json;

use super::playing::{ImportMismatch, OnMismatch, Played, Rules, Stopped, play};
use super::saved::{ArchiveError, Boards, GameAt, Games, SavedGame};
use super::sheet::Reason;
use crate::record::GameRows;
use crate::sim::experiment::is_plain;
use crate::sim::output::manifest::{Import, ImportedFile};
use crate::sim::{
    BotEntry, BotOrigin, Collect, Experiment, GameSpec, RunFolder, RunLog, RunReport, Seating, Sink,
    VariantEntry, pool,
};
use upheaval_engine::bot::{BotMaker, Pace, Repeats};
use upheaval_engine::game::Referee;
use upheaval_engine::rules::rulebook::RuleSwitch;
use upheaval_engine::rules::variant::Variant;
use upheaval_map::ids::{ByPower, PowerNames};
use upheaval_map::letters::is_acted_on;

/// The most games that are played at once.
const BATCH: usize = 256;

/// Are other rulebooks tried for a game that differs from the rules?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub enum TryRules {
    /// They are not: the game differs.
    #[default]
    #[serde(rename = "own")]
    No,
    /// Each that differs from the variant's in one switch, until the game agrees with one.
    #[serde(rename = "one-switch")]
    Yes,
}

/// What to import, and how.
#[derive(Clone, Debug)]
pub struct ImportRequest {
    /// The files, in the order in which their games are numbered.
    pub files: Vec<PathBuf>,
    /// The name of the run, and its players.
    pub name: String,
    /// The rules that the games are played by.
    pub variant: VariantEntry,
    /// Which boards the games may name.
    pub boards: Boards,
    /// Are other rules tried for games that differ from these?
    pub try_rules: TryRules,
    /// What to do with games that differ from the rules.
    pub mismatches: OnMismatch,
    /// The additional records.
    pub log: RunLog,
    /// Threads, 0 for one per core. Not part of the hash.
    pub threads: usize,
    /// The folder for the run folder. Not part of the hash.
    pub out: PathBuf,
}

/// A saved game, for messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// Its file, as given.
    pub file: PathBuf,
    /// The line on which it begins, from 1.
    pub line: u64,
    /// Its name in the file; empty if it has none.
    pub id: String,
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// The longest part of a game's name that is shown.
        const MOST: usize = 40;
        write!(f, "{}:{}", self.file.display(), self.line)?;
        if !self.id.is_empty() {
            // Names come from files: they must not contain control characters for a terminal.
            let shown = self.id.chars().take(MOST).map(|c| if c.is_control() { '\u{fffd}' } else { c });
            write!(f, ": game `{}`", shown.collect::<String>())?;
        }
        Ok(())
    }
}

/// A game that is left out, or differs from the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// The game.
    pub game: Named,
    /// The category.
    pub reason: Reason,
    /// The difference, with phase and province.
    pub what: String,
    /// The rule that differs, if a game that is left out goes further by another value of it.
    pub rule: Option<RuleFound>,
}

/// A switch of the rulebook by which a game goes further than by the variant's rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleFound {
    /// The switch, with the value that agrees with the file.
    pub switch: RuleSwitch,
    /// The phase before which it differs from the file with that switch; `None` if it agrees to its end.
    pub until: Option<String>,
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.game)?;
        let shown = self.what.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c });
        f.write_str(&shown.collect::<String>())?;
        match &self.rule {
            Some(RuleFound { switch, until: None }) => write!(f, "; with `{switch}` it agrees to its end"),
            Some(RuleFound { switch, until: Some(phase) }) => {
                write!(f, "; with `{switch}` it agrees until {phase}")
            }
            None => Ok(()),
        }
    }
}

/// A game that is played by another rulebook than the variant's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OtherRules {
    /// The game.
    pub game: Named,
    /// The switch in which the rulebook differs.
    pub switch: RuleSwitch,
}

/// The games in the files.
#[derive(Debug)]
pub struct ImportSurvey {
    request: ImportRequest,
    experiment: Experiment,
    /// The entry of the import in the manifest.
    pub import: Import,
    editions: Vec<Edition>,
    /// The games of the run, in order, each with its rulebook.
    games: Vec<(GameAt, usize)>,
    /// The games that are left out, in the order of the files.
    pub left_out: Vec<Notice>,
    /// Differences in games that are kept, in the order of the files.
    pub departed: Vec<Notice>,
    /// The games that are played by another rulebook, in the order of the files.
    pub other_rules: Vec<OtherRules>,
}

/// The variant by its own rulebook, which is the first, or by one that differs in a switch.
#[derive(Clone, Debug)]
struct Edition {
    switch: Option<RuleSwitch>,
    variant: Arc<Variant>,
}

impl Edition {
    /// All editions of a variant.
    fn all(variant: &Arc<Variant>) -> Vec<Edition> {
        let own = Edition { switch: None, variant: Arc::clone(variant) };
        let with = |(switch, rulebook)| {
            let variant = Arc::new(Variant { rulebook, ..Variant::clone(variant) });
            Edition { switch: Some(switch), variant }
        };
        [own].into_iter().chain(variant.rulebook.with_one_switch().into_iter().map(with)).collect()
    }
}

/// The result of the first reading of a game.
enum Found {
    Sound { last_year: u16, mismatches: Vec<ImportMismatch>, edition: usize },
    LeftOut(Stopped, Option<RuleFound>),
}

impl ImportSurvey {
    /// Reads the files, and plays every game in them.
    ///
    /// # Errors
    /// A file cannot be read or contains something else than saved games; none of the games can be played; or the
    /// request has a fault.
    pub fn of(request: ImportRequest) -> Result<ImportSurvey, ArchiveError> {
        if !is_plain(&request.name) {
            return Err(ArchiveError::Name(request.name));
        }
        if !request.variant.variant.changes.entries().is_empty() {
            return Err(ArchiveError::ChangingBoard(request.variant.id().to_owned()));
        }
        let pool = pool(request.threads)?;
        let mut reading = Reading::new(&request);
        for (place, path) in request.files.iter().enumerate() {
            pool.install(|| reading.file(place, path))?;
        }
        let Reading { editions, files, games, left_out, departed, other_rules, last_year, .. } = reading;
        let read: u64 = files.iter().map(|file| file.games).sum();
        if games.is_empty() {
            let first = left_out.first().map_or(String::new(), |why| format!("; {why}"));
            let by_switches = match left_out.iter().filter(|notice| notice.agrees_by_one_switch()).count() {
                0 => String::new(),
                games => format!("; --try-rules imports {games} of them, each with the switch that it needs"),
            };
            let what = format!("none of {read} games can be imported{first}{by_switches}");
            return Err(ArchiveError::Files(what));
        }
        let too_many = |_| ArchiveError::Files(format!("{} games are more than a run can have", games.len()));
        let number = u32::try_from(games.len()).map_err(too_many)?;
        let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
        for notice in &left_out {
            *reasons.entry(notice.reason.name().to_owned()).or_default() += 1;
        }
        let departed_games = departed.chunk_by(|one, next| one.game == next.game).count() as u64;
        let mismatches = request.mismatches.name().to_owned();
        let import = Import { files, mismatches, departed: departed_games, left_out: reasons };
        let experiment = experiment(&request, &import, number, last_year);
        Ok(ImportSurvey { experiment, import, editions, games, left_out, departed, other_rules, request })
    }

    /// The powers of the board.
    pub fn power_names(&self) -> &PowerNames {
        self.experiment.resolved.power_names()
    }

    /// How many games the run has.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Writes the run folder; all games go through a collector of tables. The output of an interrupted import is kept.
    ///
    /// # Errors
    /// A file was changed in the meantime, the folder is used by something else, or the disk fails.
    pub fn write(&self, tables: &mut impl Collect) -> Result<RunReport, ArchiveError> {
        let pool = pool(self.request.threads)?;
        let arm = &self.experiment.variants[0].id;
        let mut folder = RunFolder::create(&self.experiment)?;
        folder.record_import(self.import.clone());
        for chunk in folder.stored() {
            chunk?.iter().for_each(|(game, maps)| tables.kept(arm, game, maps));
        }
        let schedule = self.experiment.schedule();
        for chunk in schedule.chunks().skip(folder.finished()) {
            let specs: Vec<GameSpec> =
                chunk.games.clone().map(|game| schedule.game(chunk.variant, game)).collect();
            let records: Vec<Result<GameRows, ArchiveError>> = pool.install(|| {
                specs.par_iter().map_init(Referee::new, |referee, spec| self.play(spec, referee)).collect()
            });
            // If several games fail the first is reported, whichever thread was first.
            let records: Vec<GameRows> = records.into_iter().collect::<Result<_, _>>()?;
            records.iter().for_each(|record| tables.played(arm, record));
            folder.take(&chunk, &records)?;
        }
        Ok(folder.finish()?)
    }

    fn play(&self, spec: &GameSpec, referee: &mut Referee) -> Result<GameRows, ArchiveError> {
        let (at, edition) = &self.games[spec.game as usize];
        let path = &self.request.files[at.file];
        let saved = SavedGame::open(path, at)?;
        let rules = self.request.rules(&self.editions[*edition]);
        let played = play(&saved, spec, rules, referee)?;
        Ok(played.map_err(|_| ArchiveError::changed(path))?.record)
    }
}

impl ImportRequest {
    /// The rules of an edition, with the treatment of games that differ.
    fn rules<'a>(&self, edition: &'a Edition) -> Rules<'a> {
        Rules { variant: &edition.variant, boards: self.boards, mismatches: self.mismatches }
    }
}

impl Notice {
    /// Does the game agree with the rules to its end by another value of one switch?
    pub fn agrees_by_one_switch(&self) -> bool {
        self.rule.as_ref().is_some_and(|rule| rule.until.is_none())
    }
}

/// The files during the first reading.
struct Reading<'a> {
    request: &'a ImportRequest,
    spec: GameSpec,
    editions: Vec<Edition>,
    files: Vec<ImportedFile>,
    games: Vec<(GameAt, usize)>,
    left_out: Vec<Notice>,
    departed: Vec<Notice>,
    other_rules: Vec<OtherRules>,
    last_year: u16,
}

impl<'a> Reading<'a> {
    fn new(request: &'a ImportRequest) -> Reading<'a> {
        let variant = &request.variant.variant;
        // The log of the first reading is discarded.
        let spec = GameSpec::without_run(variant.terrain.powers(), "", RunLog::default());
        let last_year = variant.first_phase.year;
        Reading {
            request,
            spec,
            editions: Edition::all(variant),
            files: Vec::new(),
            games: Vec::new(),
            left_out: Vec::new(),
            departed: Vec::new(),
            other_rules: Vec::new(),
            last_year,
        }
    }

    fn file(&mut self, place: usize, path: &Path) -> Result<(), ArchiveError> {
        let mut games = Games::open(path, place)?;
        let mut own = ImportedFile {
            name: path.file_name().unwrap_or_default().to_string_lossy().replace(is_acted_on, "\u{fffd}"),
            bytes: 0,
            blake3: String::new(),
            games: 0,
            left_out: Vec::new(),
            other_rules: BTreeMap::new(),
        };
        loop {
            let mut batch = Vec::new();
            while batch.len() < BATCH
                && let Some(at) = games.next()?
            {
                batch.push(at);
            }
            if batch.is_empty() {
                break;
            }
            let found: Vec<Result<(String, Found), ArchiveError>> = batch
                .par_iter()
                .map_init(Referee::new, |referee, at| self.read_game(path, at, referee))
                .collect();
            for (at, found) in batch.into_iter().zip(found) {
                let (id, found) = found?;
                own.games += 1;
                self.record(path, at, id, found, &mut own);
            }
        }
        (own.bytes, own.blake3) = games.read();
        if let Some(first) = self.files.iter().position(|file| file.blake3 == own.blake3) {
            return Err(ArchiveError::Files(format!(
                "`{}` and `{}` are the same file: each game is imported once",
                self.request.files[first].display(),
                path.display()
            )));
        }
        self.files.push(own);
        Ok(())
    }

    fn record(&mut self, path: &Path, at: GameAt, id: String, found: Found, own: &mut ImportedFile) {
        let game = Named { file: path.to_owned(), line: at.line, id };
        match found {
            Found::LeftOut(Stopped { reason, what, .. }, rule) => {
                own.left_out.push(at.line);
                self.left_out.push(Notice { game, reason, what, rule });
            }
            Found::Sound { last_year, mismatches, edition } => {
                self.last_year = self.last_year.max(last_year);
                let notice = |mismatch: ImportMismatch| Notice {
                    game: game.clone(),
                    reason: Reason::Mismatch,
                    what: mismatch.to_string(),
                    rule: None,
                };
                self.departed.extend(mismatches.into_iter().map(notice));
                if let Some(switch) = &self.editions[edition].switch {
                    own.other_rules.entry(switch.to_string()).or_default().push(at.line);
                    self.other_rules.push(OtherRules { game, switch: switch.clone() });
                }
                self.games.push((at, edition));
            }
        }
    }

    /// Plays a game by the variant's rules, and if it differs by others.
    fn read_game(
        &self,
        path: &Path,
        at: &GameAt,
        referee: &mut Referee,
    ) -> Result<(String, Found), ArchiveError> {
        let ImportRequest { try_rules, mismatches, .. } = *self.request;
        let saved = SavedGame::open(path, at)?;
        let mut by = |edition: usize, mismatches: OnMismatch| {
            let rules = Rules { mismatches, ..self.request.rules(&self.editions[edition]) };
            play(&saved, &self.spec, rules, referee)
        };
        let sound =
            |edition, Played { last_year, mismatches, .. }| Found::Sound { last_year, mismatches, edition };
        // Where games that differ are kept, and no other rules are tried, the first difference does not end a game.
        let strict = match try_rules {
            TryRules::Yes => OnMismatch::LeftOut,
            TryRules::No => mismatches,
        };
        let stopped = match by(0, strict)? {
            Ok(played) => return Ok((saved.id(), sound(0, played))),
            Err(stopped) => stopped,
        };
        let mut rule: Option<RuleFound> = None;
        if stopped.reason == Reason::Mismatch {
            let mut furthest = stopped.pages;
            for (edition, Edition { switch, .. }) in self.editions.iter().enumerate().skip(1) {
                let Some(switch) = switch.clone() else { continue };
                match by(edition, OnMismatch::LeftOut)? {
                    Ok(played) if try_rules == TryRules::Yes => {
                        return Ok((saved.id(), sound(edition, played)));
                    }
                    Ok(_) => {
                        rule = Some(RuleFound { switch, until: None });
                        break;
                    }
                    Err(other) if other.pages > furthest => {
                        furthest = other.pages;
                        let until = Some(other.phase.unwrap_or_else(|| "the end".to_owned()));
                        rule = Some(RuleFound { switch, until });
                    }
                    Err(_) => {}
                }
            }
        }
        let found = match if strict == mismatches { Err(stopped) } else { by(0, mismatches)? } {
            Ok(played) => sound(0, played),
            Err(stopped) => Found::LeftOut(stopped, rule),
        };
        Ok((saved.id(), found))
    }
}

/// The experiment of an import. Its hash depends on the files.
fn experiment(request: &ImportRequest, import: &Import, games: u32, last_year: u16) -> Experiment {
    let hashes: Vec<&str> = import.files.iter().map(|file| file.blake3.as_str()).collect();
    let people = BotEntry {
        name: request.name.clone(),
        origin: BotOrigin::Guest(Repeats::Yes),
        content: json!({ "import": {
            "files": hashes,
            "mismatches": import.mismatches,
            "boards": request.boards,
            "rules": request.try_rules,
        } }),
        pace: Pace::Quick,
        // People do not play again.
        maker: BotMaker::new(|| Box::new(())),
    };
    let (name, variants) = (request.name.clone(), vec![request.variant.clone()]);
    let seating = Seating::Fixed(ByPower::new(request.variant.power_names().powers()));
    let mut experiment = Experiment {
        threads: request.threads,
        out: request.out.clone(),
        given: given(import),
        ..Experiment::new(name, variants, vec![people], seating, games, 0, last_year)
    };
    experiment.resolved.log = request.log;
    experiment
}

/// The text in place of an experiment file.
fn given(import: &Import) -> String {
    let names = import.files.iter().map(|file| toml::Value::from(file.name.as_str()).to_string());
    format!(
        "# Games of people, which `upheaval import` has read from files: this experiment cannot be run.\n\
         [import]\nfiles = [{}]\nmismatches = \"{}\"\n",
        names.collect::<Vec<_>>().join(", "),
        import.mismatches
    )
}
