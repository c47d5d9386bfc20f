//! An account of units, centres and holes kept from the reports alone, and compared with the board.

use std::collections::BTreeSet;
use std::sync::Arc;

use upheaval::game::{Ending, Game};
use upheaval::ids::{ByPower, Power, Powers, ProvinceId, ProvinceSet, UnitKind};
use upheaval::rules::changes::{Count, FaceChange, Verb};
use upheaval::rules::event::{Event, Log};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::order::Order;
use upheaval::rules::position::{Dislodged, Phase, Position, Season, Unit};
use upheaval::rules::settlement::{Settled, Settlement};
use upheaval::rules::variant::Variant;
use upheaval::rules::victory::{Deserted, VictoryRule};
use upheaval::topology::FaceState;

use super::exempted::Exempted;
use super::invariants::can_be_hole;
use super::water::Water;
use super::{check, fail};

/// The state of the board according to the reports.
pub struct Account {
    variant: Arc<Variant>,
    /// The board at the start.
    start: Arc<MapTables>,
    /// The last year that may be played.
    last_year: u16,
    /// The number of units of each power, including those that wait for a retreat.
    units: ByPower<usize>,
    /// The number of armies aboard fleets among them.
    aboard: ByPower<usize>,
    centres: ByPower<ProvinceSet>,
    waiting: Vec<(ProvinceId, Power)>,
    swallowed: Vec<(ProvinceId, Unit)>,
    holes: ProvinceSet,
    exempted: Exempted,
    water: Water,
    out: ByPower<bool>,
    /// Units and owners at the end of the last season.
    before: Position,
    season: Drawn,
    /// The centres that each power has lost after the adjustments of this Winter.
    late: ByPower<isize>,
    last: Option<Phase>,
    winner: Option<Power>,
    over: bool,
    /// The number of fleets that were put on another coast.
    pub coasts_moved: usize,
    /// The kinds of events.
    pub kinds: BTreeSet<&'static str>,
}

/// The number of faces drawn in a season.
#[derive(Default)]
struct Drawn {
    holes: usize,
    restored: usize,
    splits: usize,
}

fn remove<T: PartialEq>(from: &mut Vec<T>, one: &T) -> bool {
    let found = from.iter().position(|other| other == one);
    found.map(|i| from.remove(i)).is_some()
}

impl Account {
    pub fn new(start: &Game, last_year: u16) -> Account {
        let position = &start.world().position;
        Account {
            variant: Arc::clone(start.variant()),
            start: Arc::new(start.terrain().clone()),
            last_year: start.variant().last_winter.map_or(last_year, |last| last.min(last_year)),
            units: ByPower::from_fn(Powers::STANDARD, |power| position.unit_count(power)),
            aboard: ByPower::from_fn(Powers::STANDARD, |power| {
                (*position.units_of(power) & *position.laden()).len()
            }),
            centres: ByPower::from_fn(Powers::STANDARD, |power| *position.centres_of(power)),
            waiting: Vec::new(),
            swallowed: Vec::new(),
            holes: ProvinceSet::EMPTY,
            exempted: Exempted::new(start),
            water: Water::new(start.variant()),
            out: ByPower::new(Powers::STANDARD),
            before: position.clone(),
            season: Drawn::default(),
            late: ByPower::new(Powers::STANDARD),
            last: None,
            winner: None,
            over: false,
            coasts_moved: 0,
            kinds: BTreeSet::new(),
        }
    }

    /// A unit is lost, and with it an army aboard.
    fn lose(&mut self, at: Phase, unit: Unit) {
        match self.units[unit.power].checked_sub(unit.count()) {
            Some(left) => self.units[unit.power] = left,
            None => fail("a power loses a unit that it does not have", at),
        }
        if unit.is_laden() {
            self.leave_fleet(at, unit.power);
        }
    }

    fn leave_fleet(&mut self, at: Phase, power: Power) {
        match self.aboard[power].checked_sub(1) {
            Some(left) => self.aboard[power] = left,
            None => fail("an army leaves a fleet that was not aboard", at),
        }
    }

    /// The verb that makes the variant's holes.
    fn closure(&self) -> Option<Verb> {
        let has = |verb: &Verb| self.variant.changes.faces().any(|(_, change)| change.verbs.has(*verb));
        [Verb::Collapse, Verb::Void].into_iter().find(has)
    }

    /// Does nature draw the variant's holes?
    fn draws_holes(&self) -> bool {
        let makes_holes =
            |change: &FaceChange| change.verbs.has(Verb::Collapse) || change.verbs.has(Verb::Void);
        self.variant.changes.faces().any(|(_, change)| makes_holes(change) && change.count().is_some())
    }

    /// Units, centres and holes agree with the reports.
    fn check_board(&self, at: Phase, terrain: &MapTables, position: &Position) {
        for power in Powers::STANDARD {
            let units = position.unit_count(power);
            let aboard = (*position.units_of(power) & *position.laden()).len();
            check(aboard == self.aboard[power], "other armies are aboard than were reported", at);
            let told = self.units[power];
            check(units == told, &format!("{power:?} has {units} units, but {told} were reported"), at);
            let own = *position.centres_of(power) == self.centres[power];
            check(own, &format!("the centres of {power:?} differ from the reports"), at);
        }
        check(self.waiting.is_empty(), "the fate of a dislodged unit was not reported", at);
        let map = terrain.chart().map();
        check(map.holes() == self.holes, "the holes differ from those that were drawn and not restored", at);
        for hole in map.holes() {
            let closed = match self.closure() {
                Some(Verb::Collapse) => FaceState::Collapsed,
                Some(_) => FaceState::Void,
                None => fail("a hole", at),
            };
            let state = map.face(hole).map(|face| face.state());
            check(state == Some(closed), "a hole is closed in another way", at);
        }
    }

    /// Each mechanism has drawn its number of faces.
    fn check_draws(&self, at: Phase, terrain: &MapTables) {
        let Drawn { holes, restored, splits } = self.season;
        let (mut wanted_holes, mut wanted_back, mut wanted_splits, mut toggled) = (0, 0, 0, 0);
        let open = terrain.board().passable().len();
        for (_, change) in self.variant.changes.faces().filter(|(_, change)| change.acts(at.into())) {
            let makes_holes = change.verbs.has(Verb::Collapse) || change.verbs.has(Verb::Void);
            match change.count() {
                Some(Count::Number(number)) if makes_holes && change.verbs.has(Verb::Restore) => {
                    toggled = usize::from(*number);
                }
                Some(Count::Number(number)) if makes_holes => wanted_holes = usize::from(*number),
                // A die for each place.
                Some(Count::Chance(_)) if makes_holes => wanted_holes = holes,
                Some(Count::Number(number)) if change.verbs.has(Verb::Split) => {
                    wanted_splits = usize::from(*number)
                }
                Some(Count::Per(number, _)) => {
                    let before = self.holes.len() + restored - holes;
                    wanted_back = before.min(holes * usize::from(*number));
                }
                Some(Count::Number(number)) if change.verbs.has(Verb::Restore) => {
                    wanted_back = (self.holes.len() + restored - holes).min(usize::from(*number));
                }
                _ => {}
            }
        }
        if toggled > 0 {
            check(holes + restored == toggled, "another number of faces has toggled", at);
        } else {
            // If hardly anything is left except exempt centres, there may be none to draw.
            let exhausted = open <= 8;
            check(holes == wanted_holes || exhausted, "another number of holes was drawn", at);
            check(restored == wanted_back, "another number of holes has come back", at);
        }
        check(splits == wanted_splits || open == 0, "another number of provinces was split", at);
    }

    fn winner(&self, at: Phase, terrain: &MapTables, position: &Position) -> Option<Power> {
        let extant = terrain.centres().len();
        let all = Powers::STANDARD.iter().map(|power| position.unit_count(power)).sum();
        let more_than_half = |n: usize, of: usize| 2 * n > of;
        let centres = |power: &Power| more_than_half(position.centres_of(*power).len(), extant);
        let units = |power: &Power| more_than_half(position.unit_count(*power), all);
        let mut powers = Powers::STANDARD.iter();
        let season = at.season;
        match self.variant.victory {
            VictoryRule::CentreMajority => powers.find(centres).filter(|_| season == Season::Fall),
            VictoryRule::UnitAndCentreMajority => {
                powers.find(|power| centres(power) && units(power)).filter(|_| season != Season::Winter)
            }
            VictoryRule::LastSurvivor => {
                let last = self.variant.last_winter == Some(at.year) && season == Season::Winter;
                let mut left = powers.filter(|power| !position.units_of(*power).is_empty());
                left.next().filter(|_| last && left.next().is_none())
            }
        }
    }

    /// Unreported facts, at a moment when the game waits for decisions.
    pub fn compare(&self, game: &Game) {
        self.exempted.compare(game);
        let mut gone: Vec<_> = game.world().swallowed.iter().map(|gone| (gone.hole, gone.unit)).collect();
        let all = self.swallowed.iter().all(|one| remove(&mut gone, one));
        check(all && gone.is_empty(), "other units are swallowed than were reported", game.phase());
        let waiting = game.dislodged().dislodged.iter().map(|unit| (unit.at, unit.unit.power));
        let mut told = self.waiting.clone();
        let all = waiting.into_iter().all(|one| remove(&mut told, &one));
        check(all && told.is_empty(), "other units wait for a retreat than were reported", game.phase());
    }

    pub fn check_end(&self, game: &Game) {
        let at = game.phase();
        check(self.over, "the end is not reported", at);
        let position = &game.world().position;
        let deserted = Powers::STANDARD.iter().all(|power| position.is_out(power));
        // After the last Winter of `last-survivor` units count.
        let by_units = self.variant.last_winter == Some(at.year) && at.season == Season::Winter;
        let is_left = |power: &Power| match by_units {
            true => !position.units_of(*power).is_empty(),
            false => !position.is_out(*power),
        };
        let left: Vec<Power> = Powers::STANDARD.iter().filter(is_left).collect();
        match game.ending() {
            Some(Ending::Solo(winner)) => check(self.winner == Some(*winner), "another has won", at),
            Some(Ending::Draw(powers)) => {
                let shared = deserted && self.variant.deserted == Deserted::SharedByAll;
                let of = if shared { Powers::STANDARD.iter().collect() } else { left };
                check(*powers == of, "the draw is shared by others", at);
                let late = at.year == self.last_year && at.season == Season::Winter;
                check(deserted || late, "the draw comes before the last year is over", at);
                check(self.winner.is_none(), "a winner is kept from winning", at);
            }
            None => fail("no end", at),
        }
    }

    fn hole_drawn(&mut self, at: Phase, terrain: &MapTables, hole: ProvinceId) {
        let map = terrain.chart().map();
        let open = map.face(hole).is_some_and(|face| {
            face.state() == FaceState::Open && can_be_hole(&self.variant.changes, face.kind())
        });
        check(open, "an ineligible hole is drawn", at);
        check(!self.exempted.spared().contains(hole), "an exempt centre is drawn", at);
        self.holes.insert(hole);
        self.season.holes += 1;
    }

    fn swallow(&mut self, at: Phase, face: ProvinceId, from: Option<ProvinceId>, unit: Unit) {
        check(self.holes.contains(face), "a unit is swallowed by what is not a hole", at);
        self.lose(at, unit);
        self.swallowed.push((face, unit));
        // It may have been dislodged in the meantime, or have had the choice to retreat from the hole.
        remove(&mut self.waiting, &(from.unwrap_or(face), unit.power));
        if from.is_some() {
            self.kinds.insert("swallowed_on_its_way");
        }
    }

    fn leaves(&mut self, at: Phase, dislodged: &Dislodged) {
        let waited = remove(&mut self.waiting, &(dislodged.at, dislodged.unit.power));
        check(waited, "a unit retreats that was not dislodged", at);
    }

    fn captured(&mut self, at: Phase, centre: ProvinceId, by: Power, from: Option<Power>) {
        let owner = Powers::STANDARD.iter().find(|&power| self.centres[power].contains(centre));
        check(owner == from && from != Some(by), "a centre is captured from another", at);
        check(at.season == Season::Fall, "a centre changes hands in Spring", at);
        if let Some(from) = from {
            self.centres[from].remove(centre);
        }
        self.centres[by].insert(centre);
    }

    fn gains(&mut self, at: Phase, centre: ProvinceId, power: Power) {
        let owned = Powers::STANDARD.iter().any(|power| self.centres[power].contains(centre));
        check(!owned, "an owned centre is given to somebody", at);
        self.centres[power].insert(centre);
    }
}

/// A name for the kind of event.
fn kind(event: &Event) -> &'static str {
    match event {
        Event::Dislodged(unit) if unit.attacker.is_none() => "crowded_out",
        _ => event.description().kind.name(),
    }
}

impl Log for Account {
    fn event(&mut self, at: Phase, terrain: &MapTables, event: &Event) {
        let is_of_bot = matches!(event, Event::Refused(..) | Event::Faulted(..));
        check(!self.over || is_of_bot, "something happens after the end", at);
        self.kinds.insert(kind(event));
        self.exempted.event(at, terrain, event, &self.before);
        let out = ByPower::from_fn(Powers::STANDARD, |power| {
            self.units[power] == 0 && self.centres[power].is_empty()
        });
        self.water.event(at, terrain, event, &self.before, &out);
        match *event {
            Event::Refused(power, count) => fail(&format!("{count} orders of {power:?} are refused"), at),
            Event::Faulted(power, fault) => fail(&format!("the bot of {power:?}: {}", fault.name()), at),
            Event::HoleDrawn(hole) => self.hole_drawn(at, terrain, hole),
            // The entries of variants that ship draw places only for holes.
            Event::PlaceDrawn(hole, _) => self.hole_drawn(at, terrain, hole),
            Event::Collapsed(hole) | Event::Voided(hole) => {
                // Holes on dates are not drawn.
                if !self.draws_holes() {
                    self.holes.insert(hole);
                }
                let told = self.holes.contains(hole) && !terrain.board().passable().contains(hole);
                check(told, "a hole opens that was not drawn, or is still open", at);
                let kind = match event {
                    Event::Voided(_) => Verb::Void,
                    _ => Verb::Collapse,
                };
                check(self.closure() == Some(kind), "a hole is closed in another way", at);
            }
            Event::CentreFounded(centre, Some(power), _) => self.gains(at, centre, power),
            Event::Restored(face) => {
                check(self.holes.contains(face), "a face comes back that was not a hole", at);
                self.holes.remove(face);
                self.season.restored += 1;
            }
            Event::SplitDrawn(..) => self.season.splits += 1,
            Event::Split([first, second]) => {
                let map = terrain.chart().map();
                let named = [first, second]
                    .map(|half| map.name(half).ends_with([".1", ".2"][(half == second) as usize]));
                check(named == [true, true], "the halves have other names", at);
            }
            Event::Swallowed { face, entering_from, unit } => self.swallow(at, face, entering_from, unit),
            Event::UnitReturned(face, unit) => {
                check(remove(&mut self.swallowed, &(face, unit)), "a unit returns that was not gone", at);
                self.units[unit.power] += 1;
            }
            Event::Dislodged(dislodged) => self.waiting.push((dislodged.at, dislodged.unit.power)),
            Event::Retreated(dislodged, _) => self.leaves(at, &dislodged),
            Event::Disbanded(dislodged) => {
                self.leaves(at, &dislodged);
                self.lose(at, dislodged.unit);
            }
            Event::Removed(power, place, unit) => {
                self.lose(at, unit);
                if unit.kind == UnitKind::Army && terrain.board().sea().contains(place) {
                    self.leave_fleet(at, power);
                }
            }
            Event::Destroyed(_, unit) | Event::CoastLost(_, unit) => self.lose(at, unit),
            Event::Embarked { power, .. } => self.aboard[power] += 1,
            Event::Landed { power, .. } => self.leave_fleet(at, power),
            Event::LostAtSea(_, power) => {
                self.lose(at, Unit::army(power));
                self.leave_fleet(at, power);
            }
            Event::Built(power, _, unit) => {
                check(unit.power == power, "a power builds for another", at);
                self.units[power] += 1;
            }
            Event::UnitDoubled { unit, .. } => self.units[unit.power] += 1,
            Event::Captured { centre, by, from } => self.captured(at, centre, by, from),
            Event::CentreLost(centre, power) => {
                check(self.centres[power].contains(centre), "a centre is lost that was not owned", at);
                self.centres[power].remove(centre);
                self.late[power] += isize::from(at.season == Season::Winter);
            }
            Event::CentreReturned(centre, power) | Event::CentreDoubled(centre, power) => {
                self.gains(at, centre, power);
            }
            Event::CoastMoved(..) => self.coasts_moved += 1,
            Event::Eliminated(power) => {
                check(!std::mem::replace(&mut self.out[power], true), "out twice", at)
            }
            Event::Revived(power) => {
                check(std::mem::replace(&mut self.out[power], false), "it was not eliminated", at)
            }
            Event::Won(power) => {
                check(self.winner == Some(power), "a power wins without reason", at);
                self.over = true;
            }
            Event::Drawn(_) => self.over = true,
            _ => {}
        }
    }

    fn settled(&mut self, settlement: &Settlement<'_>) {
        let Settled::Movement { position, orders, .. } = settlement.settled else { return };
        let (at, terrain) = (settlement.at, settlement.terrain);
        check(self.winner.is_none(), "a winner plays on", at);
        self.check_board(at, terrain, position);
        self.exempted.settled(at);
        self.season = Drawn::default();
        let strangers = (0..=u8::MAX).map(ProvinceId).filter(|&id| position.unit(id).is_none());
        check(strangers.into_iter().all(|id| orders[id] == Order::Hold), "nobody is given an order", at);
    }

    fn season(&mut self, at: Phase, terrain: &MapTables, position: &Position) {
        self.check_board(at, terrain, position);
        check(self.last.is_none_or(|last| last < at), "time runs backwards", at);
        self.last = Some(at);
        for power in Powers::STANDARD {
            check(position.is_out(power) == self.out[power], "the eliminated powers were not reported", at);
        }
        if at.season == Season::Winter {
            for power in Powers::STANDARD {
                // A centre that became a hole after the adjustments still counted in them.
                let late = if self.draws_holes() { self.late[power] } else { self.water.grace(power) };
                let centres = position.centres_of(power).len() as isize + late;
                let balanced = position.unit_count(power) as isize <= centres;
                check(balanced, "more units than centres after the adjustments", at);
            }
        } else {
            self.check_draws(at, terrain);
        }
        check(at.year <= self.last_year, "the game goes on beyond its last year", at);
        self.water.season(at, terrain, &self.start, position);
        self.winner = self.winner(at, terrain, position);
        self.before = position.clone();
        self.late = ByPower::new(Powers::STANDARD);
    }
}
