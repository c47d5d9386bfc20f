//! Files of saved games made into a run folder. The files are read twice: first to find the games that can be played
//! again, since they determine the experiment's hash, and then to play these into tables, a chunk at a time.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::{Map, Value, json};

use super::error::ArchiveError;
use super::files::{self, GameAt, Games};
use super::playing::{ImportMismatch, OnMismatch, Played, Stopped, play};
use super::sheet::{ReadFault, Reason, Sheet};
use super::{package, web};
use crate::record::GameRows;
use crate::sim::experiment::plain::is_plain;
use crate::sim::output::manifest::{Import, ImportedFile};
use crate::sim::{
    BotEntry, BotOrigin, Collect, Experiment, FaultRule, GameSpec, Logging, RunFolder, RunReport, Schedule,
    Seating, Sink, VariantEntry,
};
use upheaval_engine::bot::{Answers, Bot, BotMaker, Observation, OrderSheet, Pace};
use upheaval_engine::game::Referee;
use upheaval_engine::rules::variant::Variant;
use upheaval_map::ids::{ByPower, Powers};
use upheaval_map::rng::Stream;

/// The board of the games if no variant is named.
const STANDARD: &str = "standard";

/// The most games that are played at once.
const BATCH: usize = 256;
/// About how many bytes of text are kept for that.
const BATCH_BYTES: usize = 64 << 20;

/// Which boards saved games may name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Boards {
    /// The standard board alone.
    Standard,
    /// Any: all games are taken to be on the variant's own board, and a game on another board differs at its start.
    Any,
}

impl Boards {
    const fn name(self) -> &'static str {
        match self {
            Boards::Standard => STANDARD,
            Boards::Any => "any",
        }
    }
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
    /// What to do with games that differ from the rules.
    pub mismatches: OnMismatch,
    /// Are orders logged?
    pub logging: Logging,
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

/// A game that is left out, or differs from the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// The game.
    pub game: Named,
    /// The category.
    pub reason: Reason,
    /// The difference, with phase and province.
    pub what: String,
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// The longest part of a game's name that is shown.
        const MOST: usize = 40;
        let Notice { game: Named { file, line, id }, what, .. } = self;
        write!(f, "{}:{line}: ", file.display())?;
        if !id.is_empty() {
            // Names come from files: they must not contain control characters for a terminal.
            let shown = id.chars().take(MOST).map(|c| if c.is_control() { '\u{fffd}' } else { c });
            write!(f, "game `{}`: ", shown.collect::<String>())?;
        }
        f.write_str(&what.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect::<String>())
    }
}

/// The games in the files.
#[derive(Debug)]
pub struct ImportSurvey {
    request: ImportRequest,
    experiment: Experiment,
    import: Import,
    /// The games of the run, in order.
    games: Vec<GameAt>,
    left_out: Vec<Notice>,
    departed: Vec<Notice>,
}

/// The result of the first reading of a game.
enum Found {
    Sound { last_year: u16, mismatches: Vec<ImportMismatch> },
    LeftOut(Stopped),
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
        if !request.variant.variant.mechanisms.is_empty() {
            return Err(ArchiveError::ChangingBoard(request.variant.id().to_owned()));
        }
        let pool = pool(request.threads)?;
        let mut reading = Reading::new(&request);
        for (place, path) in request.files.iter().enumerate() {
            pool.install(|| reading.file(place, path))?;
        }
        let Reading { files, games, left_out, departed, last_year, .. } = reading;
        let read: u64 = files.iter().map(|file| file.games).sum();
        if games.is_empty() {
            return Err(ArchiveError::Nothing {
                games: read,
                first: left_out.first().map(Notice::to_string),
            });
        }
        let number = u32::try_from(games.len()).map_err(|_| ArchiveError::TooMany(games.len() as u64))?;
        let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
        for notice in &left_out {
            *reasons.entry(notice.reason.name().to_owned()).or_default() += 1;
        }
        let mut games_departed: Vec<&Named> = departed.iter().map(|notice| &notice.game).collect();
        games_departed.dedup();
        let departed_games = games_departed.len() as u64;
        let import = Import {
            files,
            mismatches: request.mismatches.name().to_owned(),
            departed: departed_games,
            left_out: reasons,
        };
        let experiment = experiment(&request, &import, number, last_year);
        Ok(ImportSurvey { experiment, import, games, left_out, departed, request })
    }

    /// The games that are left out, in the order of the files.
    pub fn left_out(&self) -> &[Notice] {
        &self.left_out
    }

    /// Differences in games that are kept, in the order of the files.
    pub fn departed(&self) -> &[Notice] {
        &self.departed
    }

    /// The entry of the import in the manifest.
    pub fn import(&self) -> &Import {
        &self.import
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
        let arm = self.experiment.variants[0].id();
        let mut folder = RunFolder::create(&self.experiment)?;
        folder.note_import(self.import.clone());
        for chunk in folder.stored() {
            chunk?.iter().for_each(|(game, maps)| tables.kept(arm, game, maps));
        }
        let schedule = Schedule::new(&self.experiment);
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
        let at = &self.games[spec.game as usize];
        let path = &self.request.files[at.file];
        let text = files::again(path, at)?;
        let changed = || ArchiveError::Changed(path.clone());
        let (_, sheet) = sheet(path, at, &text, &self.request)?;
        let sheet = sheet.map_err(|_| changed())?;
        let variant = &self.request.variant.variant;
        let played = play(&sheet, spec, variant, referee, self.request.mismatches).map_err(|_| changed())?;
        Ok(played.record)
    }
}

fn pool(threads: usize) -> Result<rayon::ThreadPool, ArchiveError> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
    builder.build().map_err(|source| ArchiveError::Threads { threads, source })
}

/// The files during the first reading.
struct Reading<'a> {
    request: &'a ImportRequest,
    spec: GameSpec,
    files: Vec<ImportedFile>,
    games: Vec<GameAt>,
    left_out: Vec<Notice>,
    departed: Vec<Notice>,
    last_year: u16,
}

impl<'a> Reading<'a> {
    fn new(request: &'a ImportRequest) -> Reading<'a> {
        let variant = &request.variant.variant;
        let powers = variant.terrain.powers();
        // The log of the first reading is discarded.
        let spec = GameSpec {
            variant: 0,
            game: 0,
            block: 0,
            line_up: 0,
            rotation: 0,
            seats: ByPower::new(powers),
            names: Arc::new(ByPower::from_fn(powers, |_| Arc::from(""))),
            seed: 0,
            last_year: 0,
            logging: Logging::WithoutOrders,
            terms: Default::default(),
        };
        let last_year = variant.first_phase.year;
        let (files, games, left_out, departed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Reading { request, spec, files, games, left_out, departed, last_year }
    }

    fn file(&mut self, place: usize, path: &Path) -> Result<(), ArchiveError> {
        let mut games = Games::open(path, place)?;
        let mut own = ImportedFile {
            name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            bytes: 0,
            blake3: String::new(),
            games: 0,
            left_out: Vec::new(),
        };
        loop {
            let (mut batch, mut bytes) = (Vec::new(), 0);
            while batch.len() < BATCH
                && bytes < BATCH_BYTES
                && let Some((at, text)) = games.next()?
            {
                bytes += text.len();
                batch.push((at, text));
            }
            if batch.is_empty() {
                break;
            }
            let found: Vec<Result<(String, Found), ArchiveError>> = batch
                .par_iter()
                .map_init(Referee::new, |referee, (at, text)| self.look(path, at, text, referee))
                .collect();
            for ((at, _), found) in batch.into_iter().zip(found) {
                let (id, found) = found?;
                own.games += 1;
                self.note(path, at, id, found, &mut own);
            }
        }
        (own.bytes, own.blake3) = games.read();
        if let Some(first) = self.files.iter().position(|file| file.blake3 == own.blake3) {
            let (first, second) = (self.request.files[first].clone(), path.to_owned());
            return Err(ArchiveError::Twice { first, second });
        }
        self.files.push(own);
        Ok(())
    }

    fn note(&mut self, path: &Path, at: GameAt, id: String, found: Found, own: &mut ImportedFile) {
        let game = Named { file: path.to_owned(), line: at.line, id };
        match found {
            Found::LeftOut(Stopped { reason, what }) => {
                own.left_out.push(at.line);
                self.left_out.push(Notice { game, reason, what });
            }
            Found::Sound { last_year, mismatches } => {
                self.last_year = self.last_year.max(last_year);
                let notice = |mismatch: ImportMismatch| Notice {
                    game: game.clone(),
                    reason: Reason::Mismatch,
                    what: mismatch.to_string(),
                };
                self.departed.extend(mismatches.into_iter().map(notice));
                self.games.push(at);
            }
        }
    }

    fn look(
        &self,
        path: &Path,
        at: &GameAt,
        text: &[u8],
        referee: &mut Referee,
    ) -> Result<(String, Found), ArchiveError> {
        let (id, sheet) = sheet(path, at, text, self.request)?;
        let (variant, policy) = (&self.request.variant.variant, self.request.mismatches);
        let played = sheet.and_then(|sheet| play(&sheet, &self.spec, variant, referee, policy));
        Ok((
            id,
            match played {
                Ok(Played { last_year, mismatches, .. }) => Found::Sound { last_year, mismatches },
                Err(stopped) => Found::LeftOut(stopped),
            },
        ))
    }
}

/// The name of a game in its file, and the game; or why it is left out.
fn sheet(
    path: &Path,
    at: &GameAt,
    text: &[u8],
    request: &ImportRequest,
) -> Result<(String, Result<Sheet, Stopped>), ArchiveError> {
    let game = files::object(path, at, text)?;
    let id = game.get("id").or(game.get("gameID")).map_or(String::new(), |id| match id {
        Value::String(id) => id.clone(),
        other => other.to_string(),
    });
    match read(&game, &request.variant.variant, request.boards) {
        Ok(sheet) => Ok((id, Ok(sheet))),
        Err(ReadFault::Form(what)) => Err(files::form(path, at, what)),
        Err(ReadFault::Game(reason, what)) => Ok((id, Err(Stopped { reason, what }))),
    }
}

/// Reads a game in either form.
fn read(game: &Map<String, Value>, variant: &Variant, boards: Boards) -> Result<Sheet, ReadFault> {
    let other = |what: String| Err(ReadFault::Game(Reason::OtherMap, what));
    let powers = variant.terrain.powers();
    if game.contains_key("variantID") {
        let id = web::variant(game)?;
        return match id == web::CLASSIC && powers == Powers::STANDARD {
            true => web::read(game),
            false => other(format!(
                "it has webDiplomacy's variant {id}; only {} is known, the standard board",
                web::CLASSIC
            )),
        };
    }
    if !game.contains_key("phases") {
        return Err(ReadFault::Form(
            "a saved game has `phases`, like the games of the package `diplomacy` and the answers `game/status` of \
             webDiplomacy"
                .to_owned(),
        ));
    }
    let map = package::map(game)?;
    match boards == Boards::Any || map == STANDARD {
        true => package::read(game, powers, variant.terrain.names()),
        false => other(format!("its board is `{map}`, not `{STANDARD}`; name a variant on that board")),
    }
}

/// The experiment of an import. Its hash depends on the files.
fn experiment(request: &ImportRequest, import: &Import, games: u32, last_year: u16) -> Experiment {
    let powers = request.variant.powers();
    let hashes: Vec<&str> = import.files.iter().map(|file| file.blake3.as_str()).collect();
    let people = BotEntry {
        name: request.name.clone(),
        origin: BotOrigin::Guest(Answers::Repeat),
        content: json!({ "import": {
            "files": hashes,
            "mismatches": import.mismatches,
            "boards": request.boards.name(),
        } }),
        pace: Pace::Quick,
        maker: BotMaker::new(|| Box::new(People)),
    };
    Experiment {
        name: request.name.clone(),
        variants: vec![request.variant.clone()],
        powers,
        bots: vec![people],
        seating: Seating::Fixed(ByPower::new(powers)),
        games,
        seed: 0,
        last_year,
        logging: request.logging,
        terms: Default::default(),
        faults: FaultRule::default(),
        sequential: None,
        threads: request.threads,
        out: request.out.clone(),
        shard: None,
        given: given(import),
        set: Vec::new(),
    }
}

/// The text in place of an experiment file.
fn given(import: &Import) -> String {
    let names: Vec<&str> = import.files.iter().map(|file| file.name.as_str()).collect();
    let names = names.into_iter().map(|name| toml::Value::from(name).to_string()).collect::<Vec<_>>();
    format!(
        "# Games of people, which `upheaval import` has read from files: this experiment cannot be run.\n\
         [import]\nfiles = [{}]\ndepartures = \"{}\"\n",
        names.join(", "),
        import.mismatches
    )
}

/// A player for people, who do not play again.
struct People;

impl Bot for People {
    fn movement(&mut self, _: &Observation<'_>, _: &mut Stream, _: &mut OrderSheet<'_>) {}
}
