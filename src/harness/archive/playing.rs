//! Plays a saved game again by its orders, and compares it with its positions phase by phase: the first difference, and
//! a game that continues from the file's position.

use std::collections::BTreeMap;
use std::sync::Arc;

use upheaval_engine::game::{Ending, Game, Referee, Stage};
use upheaval_engine::reading::OrderText;
use upheaval_engine::rules::event::{Event, Log};
use upheaval_engine::rules::game_state::GameState;
use upheaval_engine::rules::gazetteer::Gazetteer;
use upheaval_engine::rules::nature::Seeded;
use upheaval_engine::rules::notation::{WrittenOrder, WrittenUnit};
use upheaval_engine::rules::position::{Dislodged, Phase, PhaseKind, Season, Unit};
use upheaval_engine::rules::variant::Variant;
use upheaval_engine::rules::victory;
use upheaval_engine::settle;
use upheaval_map::ids::{Location, Power, PowerNames};
use upheaval_map::named;

use super::saved::{ArchiveError, Boards, SavedGame};
use super::sheet::{Claim, Closing, Moment, Page, ReadFault, Reason, unit_place};
use crate::record::GameRows;
use crate::sim::{GameSpec, Recorder};

/// A year that no game reaches: games end where their files end.
const LAST_YEAR: u16 = 9999;

named! {
    /// What to do with a game that differs from its file when it is played by the rules.
    #[derive(Default)]
    pub enum OnMismatch {
        /// It is left out.
        #[default]
        LeftOut = "left-out",
        /// It is kept, and continues from the position of its file; unreadable orders are holds.
        Kept = "kept",
    }
}

/// A difference between a game by the rules and its file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{phase}, {}the file has {in_file}; by the rules: {by_rules}",
    province.as_ref().map_or(String::new(), |province| format!("{province}: "))
)]
pub struct ImportMismatch {
    /// The phase before which it was noticed, or in which an unreadable order was given.
    pub phase: String,
    /// The province, if the difference is in one.
    pub province: Option<String>,
    /// The content of the file.
    pub in_file: String,
    /// The result of the rules.
    pub by_rules: String,
}

/// Why a game was not played to the end of its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Stopped {
    pub reason: Reason,
    pub what: String,
    /// The phase in which it was noticed, if it was while the game was played.
    pub phase: Option<String>,
    /// How many pages agreed with the rules.
    pub pages: usize,
}

impl Stopped {
    fn new(reason: Reason, what: String) -> Stopped {
        Stopped { reason, what, phase: None, pages: 0 }
    }
}

impl From<ImportMismatch> for Stopped {
    fn from(mismatch: ImportMismatch) -> Stopped {
        let what = mismatch.to_string();
        Stopped { phase: Some(mismatch.phase), ..Stopped::new(Reason::Mismatch, what) }
    }
}

/// A game that was played again.
pub(super) struct Played {
    pub record: GameRows,
    /// Its differences from the rules; empty unless such games are kept.
    pub mismatches: Vec<ImportMismatch>,
    /// The last year in which a phase was played.
    pub last_year: u16,
}

/// The rules by which a game is played again, and what becomes of it if it differs from them.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    pub variant: &'a Arc<Variant>,
    pub boards: Boards,
    pub mismatches: OnMismatch,
}

/// Plays a game again, page by page as its file is read.
///
/// # Errors
/// The file is refused: it cannot be read, has changed, or has another form. A game that is left out is not an error.
pub(super) fn play(
    saved: &SavedGame<'_>,
    spec: &GameSpec,
    rules: Rules<'_>,
    referee: &mut Referee,
) -> Result<Result<Played, Stopped>, ArchiveError> {
    let refused = |what| saved.refused(what);
    let mut pages = match saved.pages(rules.variant, rules.boards) {
        Ok(pages) => pages,
        Err(fault) => return left_out(fault, refused).map(Err),
    };
    let game = Game::new(Arc::clone(rules.variant), LAST_YEAR);
    let recorder = Recorder::new(spec, &game);
    let policy = rules.mismatches;
    let mut table = Table { game, recorder, referee, policy, mismatches: Vec::new(), last: None, pages: 0 };
    let mut played = Ok(());
    // After a difference, the rest is still read, because a fault of form refuses the file.
    let read = saved.each_phase(|phase| {
        let complete = pages.next(phase)?;
        if played.is_ok() {
            played = complete.iter().try_for_each(|page| table.play(page));
        }
        Ok(())
    })?;
    let closing = match read.and_then(|()| pages.close()) {
        Ok(closing) => closing,
        Err(fault) => {
            let fault = left_out(fault, refused)?;
            return Ok(Err(played.err().unwrap_or(fault)));
        }
    };
    Ok(played.and_then(|()| table.close(closing)))
}

/// A game that is left out for what its reader found, or the refusal of its file.
fn left_out(fault: ReadFault, refused: impl Fn(String) -> ArchiveError) -> Result<Stopped, ArchiveError> {
    match fault {
        ReadFault::Form(what) => Err(refused(what)),
        ReadFault::Game(reason, what) => Ok(Stopped::new(reason, what)),
    }
}

/// A game while it is being played again.
struct Table<'a> {
    game: Game,
    recorder: Recorder,
    referee: &'a mut Referee,
    policy: OnMismatch,
    mismatches: Vec<ImportMismatch>,
    /// The phase that was settled last.
    last: Option<Phase>,
    /// How many pages agreed with the rules.
    pages: usize,
}

impl Table<'_> {
    /// Compares the game with a page of the file, and plays the phase.
    fn play(&mut self, page: &Page) -> Result<(), Stopped> {
        let played = match self.stand_at(page) {
            Ok(true) => self.settle(page),
            other => other.map(|_| ()),
        };
        played.map_err(|stopped| Stopped { pages: self.pages, ..stopped })?;
        self.pages += 1;
        Ok(())
    }

    /// Plays the game to the end of its file.
    fn close(mut self, closing: Closing) -> Result<Played, Stopped> {
        for page in &closing.pages {
            self.play(page)?;
        }
        let ended = self.finish(closing.position.as_ref(), &closing.claim);
        let last = ended.map_err(|stopped| Stopped { pages: self.pages, ..stopped })?;
        let Table { game, recorder, mismatches, .. } = self;
        Ok(Played { record: recorder.finish(&game), mismatches, last_year: last.year })
    }

    /// Compares the game with its final position, and ends it as the file says. Returns the last phase.
    fn finish(&mut self, position: Option<&Page>, claim: &Claim) -> Result<Phase, Stopped> {
        if let Some(position) = position {
            self.stand_at(position)?;
        }
        let last = self.last_phase();
        let last =
            last.ok_or_else(|| Stopped::new(Reason::NotPlayed, "none of its phases was played".to_owned()))?;
        self.end(position.map(|page| page.at), claim, last)?;
        Ok(last)
    }

    /// Brings the game to a page of the file, and compares the two. Returns whether the page must be settled: neither
    /// the end, nor a phase of the file that the rules skip because no decision is possible in it.
    fn stand_at(&mut self, page: &Page) -> Result<bool, Stopped> {
        while !self.is_at(page.at) {
            match page.at {
                Moment::Before(phase) if self.passes(phase) => {
                    self.settle(&Page::new(page.at, self.game.powers()))?
                }
                Moment::Before(phase) if self.is_past(phase) => return Ok(false),
                Moment::Before(phase) => {
                    let by_rules = match self.game.ending() {
                        Some(ending) => {
                            format!("the game is over, {}", ending_as_text(ending, self.game.power_names()))
                        }
                        None => self.game.phase().to_string(),
                    };
                    let phase = phase.to_string();
                    let in_file = format!("the phase {phase}");
                    return Err(ImportMismatch { phase, province: None, in_file, by_rules }.into());
                }
                Moment::End => break,
            }
        }
        if let Some(found) = difference(page, &self.game) {
            self.depart(page, found)?;
        }
        Ok(page.at != Moment::End)
    }

    fn is_at(&self, at: Moment) -> bool {
        match at {
            Moment::Before(phase) => self.game.stage() != Stage::Over && self.game.phase() == phase,
            Moment::End => self.game.stage() == Stage::Over,
        }
    }

    /// Does the game wait in a phase before this one that the file skips? In that case no power gave orders in it.
    fn passes(&self, phase: Phase) -> bool {
        matches!(self.game.stage(), Stage::Retreats | Stage::Adjustments) && self.game.phase() < phase
    }

    /// Has the game skipped this phase? By the rules there was no retreat, build or removal in it; if the file differs,
    /// the next comparison shows it.
    fn is_past(&self, phase: Phase) -> bool {
        matches!(phase.kind, PhaseKind::Retreats | PhaseKind::Adjustments)
            && self.game.stage() != Stage::Over
            && self.last.is_some_and(|last| last < phase)
            && self.game.phase() > phase
    }

    /// The file has another position. Either the game continues from it, or the game is left out.
    fn depart(&mut self, page: &Page, mismatch: ImportMismatch) -> Result<(), Stopped> {
        if self.policy == OnMismatch::LeftOut {
            return Err(mismatch.into());
        }
        let phase = match page.at {
            Moment::Before(phase) => phase,
            Moment::End => self.game.phase(),
        };
        let game = taken_up(page, &self.game, phase)
            .map_err(|what| Stopped::new(Reason::Unreadable, format!("{}: {what}", mismatch.phase)))?;
        self.mismatches.push(mismatch);
        self.game = game;
        Ok(())
    }

    /// Settles the phase that the game waits for with the orders of a page.
    fn settle(&mut self, page: &Page) -> Result<(), Stopped> {
        let at = self.game.phase();
        let terrain = Arc::clone(&self.game.world().terrain);
        let mut lines: Vec<OrderText<'_>> = Vec::new();
        for (power, orders) in page.orders.iter() {
            for text in orders {
                // It is refused with the others below; here the file is at fault.
                if let Err(error) = WrittenOrder::parse(text, terrain.names()) {
                    let mismatch = ImportMismatch {
                        phase: at.to_string(),
                        province: text.split_whitespace().nth(1).map(str::to_owned),
                        in_file: format!("the order `{} {text}`", terrain.power_names().name(power)),
                        by_rules: error.to_string(),
                    };
                    match self.policy {
                        OnMismatch::LeftOut => return Err(mismatch.into()),
                        OnMismatch::Kept => self.mismatches.push(mismatch),
                    }
                }
                lines.push(OrderText { power, text });
            }
        }
        // The board does not change, so nothing is drawn.
        let mut nature = Seeded { seed: 0, block: 0 };
        let settled = settle::settle(&mut self.game, self.referee, &lines, &mut nature, &mut self.recorder);
        for power in self.game.powers() {
            let name = terrain.power_names().name(power);
            let own = settled.orders.iter().filter(|order| order.power == name);
            let refused = own.filter(|order| order.words.first() == Some(&"illegal")).count();
            if refused > 0 {
                let refused = u32::try_from(refused).unwrap_or(u32::MAX);
                self.recorder.event(at, &terrain, &Event::Refused(power, refused));
            }
        }
        self.last = Some(at);
        Ok(())
    }

    /// The phase that was played last: for a completed year its Winter, even if there were no adjustments.
    fn last_phase(&self) -> Option<Phase> {
        let last = self.last?;
        let now = self.game.phase();
        if self.game.stage() == Stage::Over {
            return Some(now);
        }
        let winter = Phase { year: last.year, season: Season::Winter, kind: PhaseKind::Adjustments };
        Some(if now.year > last.year { winter } else { last })
    }

    /// Ends the game as the file says.
    fn end(&mut self, at: Option<Moment>, claim: &Claim, last: Phase) -> Result<(), Stopped> {
        let departs = |in_file: &str, by_rules: String| {
            let in_file = in_file.to_owned();
            Stopped::from(ImportMismatch { phase: last.to_string(), province: None, in_file, by_rules })
        };
        let powers = self.game.power_names();
        if let Some(ending) = self.game.ending() {
            return match claim {
                Claim::Over => Ok(()),
                Claim::Won if matches!(ending, Ending::Solo(_)) => Ok(()),
                Claim::Ended(claimed) if claimed == ending => Ok(()),
                Claim::Ended(claimed) => {
                    Err(departs(ending_as_text(claimed, powers).as_str(), ending_as_text(ending, powers)))
                }
                Claim::Won => Err(departs("a victory", ending_as_text(ending, powers))),
                Claim::Unfinished => Err(departs("a game that continues", ending_as_text(ending, powers))),
            };
        }
        let position = &self.game.world().position;
        // A game that differs from the rules may be over by the position of the file alone.
        let won = || {
            let (rule, centres) = (self.game.variant().victory, self.game.terrain().centres());
            victory::winner(rule, position, centres, Season::Fall).filter(|_| at == Some(Moment::End))
        };
        let left =
            || self.game.powers().iter().filter(|&power| !position.is_out(power)).collect::<Vec<Power>>();
        let ending = match claim {
            Claim::Unfinished => None,
            Claim::Over => Some(won().map_or_else(|| Ending::Draw(left()), Ending::Solo)),
            Claim::Ended(ending) => Some(ending.clone()),
            Claim::Won => Some(won().map(Ending::Solo).ok_or_else(|| {
                let what = "it was won, but neither the board nor the file shows by whom";
                Stopped::new(Reason::UnknownWinner, what.to_owned())
            })?),
        };
        self.game.stop(last, ending, &mut self.recorder);
        Ok(())
    }
}

/// An ending in words.
fn ending_as_text(ending: &Ending, powers: &PowerNames) -> String {
    match ending {
        Ending::Solo(winner) => format!("a victory of {}", powers.name(*winner)),
        Ending::Draw(drawn) => {
            let names: Vec<&str> = drawn.iter().map(|&power| powers.name(power)).collect();
            format!("a draw of {}", if names.is_empty() { "nobody".to_owned() } else { names.join(", ") })
        }
    }
}

/// The content of each province.
type Places = BTreeMap<String, String>;

/// The first province, by its name, in which file and game differ.
fn difference(page: &Page, game: &Game) -> Option<ImportMismatch> {
    let mut units = Places::new();
    for (power, written) in page.units.iter() {
        let power = game.power_names().name(power);
        written.iter().for_each(|unit| add_entry(&mut units, unit_place(unit), format!("{power} {unit}")));
    }
    let mut ours = Places::new();
    for (power, written) in game.world().written_units() {
        written.iter().for_each(|unit| add_entry(&mut ours, unit_place(unit), format!("{power} {unit}")));
    }
    let waiting = || match page.at {
        Moment::Before(_) => dislodged(page, game),
        // Not every program records which units still have to retreat when a game is ended.
        Moment::End => None,
    };
    first(page.at, &units, &ours).or_else(waiting).or_else(|| centres(page, game))
}

/// Adds an entry to the content of a province.
fn add_entry(places: &mut Places, province: &str, what: String) {
    let there = places.entry(province.to_owned()).or_default();
    if !there.is_empty() {
        there.push_str(", ");
    }
    there.push_str(&what);
}

fn first(at: Moment, in_file: &Places, by_rules: &Places) -> Option<ImportMismatch> {
    let mut provinces: Vec<&String> = in_file.keys().chain(by_rules.keys()).collect();
    provinces.sort_unstable();
    let province = provinces.into_iter().find(|place| in_file.get(*place) != by_rules.get(*place))?;
    let or_nothing = |places: &Places| places.get(province).map_or("nothing", String::as_str).to_owned();
    let phase = match at {
        Moment::Before(phase) => phase.to_string(),
        Moment::End => "the end".to_owned(),
    };
    let (in_file, by_rules) = (or_nothing(in_file), or_nothing(by_rules));
    Some(ImportMismatch { phase, province: Some(province.clone()), in_file, by_rules })
}

/// The units that must retreat. Some programs name units that have no retreat, others remove them from the board at
/// once.
fn dislodged(page: &Page, game: &Game) -> Option<ImportMismatch> {
    let name = |power: Power, unit: &str| format!("{} {unit}, dislodged", game.power_names().name(power));
    let mut in_file = Places::new();
    for (power, waiting) in page.dislodged.iter() {
        waiting.iter().for_each(|of| add_entry(&mut in_file, unit_place(&of.unit), name(power, &of.unit)));
    }
    let mut by_rules = Places::new();
    if game.stage() == Stage::Retreats {
        let names = game.terrain().names();
        for (i, Dislodged { unit, at, .. }) in game.dislodged().dislodged.iter().enumerate() {
            let text =
                names.unit(Location { province: *at, coast: unit.coast }, unit.designation()).to_string();
            let listed = in_file.contains_key(names.province(*at));
            if listed || !game.retreat_options(i).is_empty() {
                add_entry(&mut by_rules, unit_place(&text), name(unit.power, &text));
            }
        }
    }
    first(page.at, &in_file, &by_rules)
}

/// The supply centres of the board, by owner. Some files list the owners of all provinces.
fn centres(page: &Page, game: &Game) -> Option<ImportMismatch> {
    let owned = page.centres.as_ref()?;
    let names = game.terrain().names();
    let is_centre =
        |code: &str| game.terrain().centres().iter().any(|id| names.province(id).eq_ignore_ascii_case(code));
    let name = |power: &str| format!("a centre of {power}");
    let mut in_file = Places::new();
    for (power, codes) in owned.iter() {
        for code in codes.iter().filter(|code| is_centre(code)) {
            add_entry(&mut in_file, &code.to_ascii_uppercase(), name(game.power_names().name(power)));
        }
    }
    let mut by_rules = Places::new();
    for (power, codes) in game.world().written_centres() {
        codes.iter().for_each(|code| add_entry(&mut by_rules, code, name(&power)));
    }
    first(page.at, &in_file, &by_rules)
}

/// The game at this phase as the file has it.
///
/// # Errors
/// The units or centres of the file are impossible on the board; the error says why.
fn taken_up(page: &Page, game: &Game, phase: Phase) -> Result<Game, String> {
    let before = game.world();
    let mut world = GameState::new(Arc::clone(&before.terrain));
    let terrain = Arc::clone(&before.terrain);
    let names = terrain.names();
    let placed = |text: &str| -> Result<(WrittenUnit, Location), String> {
        let unit = WrittenUnit::parse(text, names).map_err(|error| error.to_string())?;
        let at = unit.placed(text, names, terrain.board()).map_err(|error| error.to_string())?;
        Ok((unit, at))
    };
    for (power, units) in page.units.iter() {
        for text in units {
            let (unit, at) = placed(text)?;
            if world.position.occupied().contains(at.province) {
                return Err(format!("another unit is in the place of `{text}` of {}", names.power(power)));
            }
            world.position.place(at.province, Unit::new(unit.kind, power, at.coast));
        }
    }
    for (power, waiting) in page.dislodged.iter() {
        for waiting in waiting {
            let (unit, at) = placed(&waiting.unit)?;
            if let Some(options) = &waiting.options {
                let letter = waiting.unit.split(' ').next().unwrap_or_default();
                let ways = options.iter().map(|to| Ok(placed(&format!("{letter} {to}"))?.1));
                let ways = ways.collect::<Result<Vec<Location>, String>>()?;
                world.retreats.ways.push((world.retreats.dislodged.len(), ways));
            }
            world.retreats.dislodged.push(Dislodged {
                unit: Unit::new(unit.kind, power, at.coast),
                at: at.province,
                attacker: None,
                attacker_convoyed: false,
            });
        }
    }
    world.retreats.sort_by_province();
    match &page.centres {
        Some(owned) => {
            for (power, codes) in owned.iter() {
                own(&mut world, power, codes, names);
            }
        }
        None => {
            for power in game.powers() {
                for centre in *before.position.centres_of(power) {
                    world.position.set_owner(centre, Some(power));
                }
            }
        }
    }
    let eliminated = game.eliminated().clone();
    Ok(Game::resumed(Arc::clone(game.variant()), game.last_year(), world, phase).with_eliminated(eliminated))
}

fn own(world: &mut GameState, power: Power, codes: &[String], names: &Gazetteer) {
    for centre in *Arc::clone(&world.terrain).centres() {
        if codes.iter().any(|code| names.province(centre).eq_ignore_ascii_case(code)) {
            world.position.set_owner(centre, Some(power));
        }
    }
}
