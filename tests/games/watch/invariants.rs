//! The invariants of a game whenever it waits for a decision.

use upheaval::game::{Game, Stage};
use upheaval::ids::{CoastId, ProvinceId, ProvinceSet, UnitKind};
use upheaval::rules::changes::{Changes, Fate, Operator, Set, Stranded, Verb, Word};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::position::{Phase, Position};
use upheaval::topology::report::MapReport;
use upheaval::topology::{Board, FaceKind, FaceState, derive};

use super::check;

/// Checks a game repeatedly. The map is checked whenever it has changed.
#[derive(Default)]
pub struct Invariants {
    checked: Option<u64>,
}

impl Invariants {
    pub fn check(&mut self, game: &Game) {
        let (at, world, terrain) = (game.phase(), game.world(), game.terrain());
        if self.checked != Some(terrain.hash()) {
            self.checked = Some(terrain.hash());
            check_ground(at, terrain);
        }
        check_position(
            at,
            terrain.board(),
            terrain.centres(),
            &world.position,
            may_trap(&game.variant().changes),
        );
        check_waiting(at, game);
        let holes = terrain.chart().map().holes();
        let passable = terrain.board().passable();
        check(!holes.intersects(&passable), "a hole is passable", at);
        let in_holes = world.swallowed.iter().all(|gone| holes.contains(gone.hole));
        check(in_holes, "a unit is swallowed by a face that is not a hole", at);
        let come_back = game.variant().changes.faces().any(|(_, change)| change.verbs.has(Verb::Restore));
        check(come_back || world.swallowed.is_empty(), "a unit is swallowed for good", at);
        let doomed = &world.doomed;
        check(doomed.is_subset(&passable), "what is gone is doomed", at);
        check(doomed.is_empty() || game.stage() != Stage::Movement, "a hole is late", at);
        check(!doomed.intersects(&world.exempt_centres()), "an exempt centre is doomed", at);
        check(!holes.intersects(&world.exempt_centres()), "an exempt centre is a hole", at);
    }
}

/// The units that wait for a retreat or a coast.
pub fn check_waiting(at: Phase, game: &Game) {
    let world = game.world();
    let (position, board) = (&world.position, game.terrain().board());
    let count = game.dislodged().dislodged.len();
    match game.stage() {
        Stage::Retreats => {
            let options: Vec<_> = (0..count).map(|i| game.retreat_options(i)).collect();
            check(options.iter().any(|options| !options.is_empty()), "a retreat phase in which none can", at);
            for (dislodged, options) in game.dislodged().dislodged.iter().zip(options) {
                for to in options {
                    let closed = *position.occupied() | world.doomed | game.dislodged().contested;
                    check(!closed.contains(to.province), "a retreat goes where none can", at);
                    let stands = can_stand(board, to.province, dislodged.unit.kind, to.coast);
                    let names = game.terrain().names();
                    let from = names.province(dislodged.at);
                    let to = names.province(to.province);
                    check(stands, &format!("a retreat from {from} goes to {to}, where its kind cannot"), at);
                }
            }
        }
        Stage::Coasts => {}
        _ => check(count == 0, "a unit waits for a retreat that does not come", at),
    }
    check(
        (world.coast_choices.is_empty() && world.trapped.is_empty()) == (game.stage() != Stage::Coasts),
        "choices of coasts are open",
        at,
    );
    for &(at_fleet, power) in &world.trapped {
        let unit = position.unit(at_fleet).filter(|unit| unit.power == power);
        let is_trapped = unit.is_some_and(|unit| unit.kind == UnitKind::Fleet && board.coasts(at_fleet) == 0);
        let is_fit = is_trapped || unit.is_some() && may_convert(&game.variant().changes);
        check(is_fit, "a unit may be disbanded that is neither trapped nor converted", at);
    }
    for choice in &world.coast_choices {
        let fleet = position.unit(choice.fleet);
        let stands = fleet.is_some_and(|unit| {
            unit.kind == UnitKind::Fleet && unit.power == choice.power && unit.coast == choice.default
        });
        check(stands, "a fleet that has a choice is not there", at);
        check(choice.coasts.len() > 1 && choice.coasts.contains(&choice.default), "no choice", at);
        let there = choice.coasts.iter().all(|coast| coast.0 < board.coasts(choice.fleet));
        check(there, "a coast to choose is not there", at);
    }
}

fn can_stand(board: &Board, at: ProvinceId, kind: UnitKind, coast: CoastId) -> bool {
    match kind {
        UnitKind::Army => board.land().contains(at) && coast == CoastId::FIRST,
        UnitKind::Fleet => coast.0 < board.coasts(at),
    }
}

/// May fleets be trapped without a coast?
pub fn may_trap(changes: &Changes) -> bool {
    let is_trap = |fate: Fate| matches!(fate, Fate::Trap | Fate::TrapOrDisband);
    let in_ice = changes.faces().any(|(_, change)| is_trap(change.units) || is_trap(change.back_units));
    let stranded = changes.faces().map(|(_, change)| change.stranded);
    stranded.chain(changes.quakes().map(|quakes| quakes.stranded)).any(|fate| fate != Stranded::Destroy)
        || in_ice
}

/// May units become others that their owners may disband at once?
fn may_convert(changes: &Changes) -> bool {
    let stranded = changes.faces().map(|(_, change)| change.stranded);
    let mut stranded = stranded.chain(changes.quakes().map(|quakes| quakes.stranded));
    let mut fates = changes.faces().flat_map(|(_, change)| [change.units, change.back_units]);
    stranded.any(|fate| fate == Stranded::ConvertOrDisband)
        || fates.any(|fate| fate == Fate::ConvertOrDisband)
}

/// Units and owners, by themselves and on this board.
pub fn check_position(
    at: Phase,
    board: &Board,
    centres: &ProvinceSet,
    position: &Position,
    may_be_trapped: bool,
) {
    let passable = board.passable();
    let mut seen = ProvinceSet::EMPTY;
    let mut owned = ProvinceSet::EMPTY;
    for power in position.powers() {
        let (units, own) = (position.units_of(power), position.centres_of(power));
        check(!seen.intersects(units), "two powers have a unit in one province", at);
        let of_power = |place| position.unit(place).is_some_and(|unit| unit.power == power);
        check(units.iter().all(of_power), "sets and table disagree", at);
        check(own.is_subset(centres), "a centre that is gone is owned", at);
        check(!owned.intersects(own), "a centre has two owners", at);
        seen |= *units;
        owned |= *own;
    }
    check(seen == *position.occupied(), "the units of the powers are not all units", at);
    for place in (0..=u8::MAX).map(ProvinceId) {
        let unit = position.unit(place);
        check(unit.is_some() == seen.contains(place), "table and sets disagree", at);
        let fleet = unit.is_some_and(|unit| unit.kind == UnitKind::Fleet);
        check(fleet == position.fleets().contains(place), "the fleets differ", at);
        let laden = unit.is_some_and(|unit| unit.is_laden());
        check(laden == position.laden().contains(place), "the laden fleets differ", at);
        let Some(unit) = unit else { continue };
        let carries = unit.kind == UnitKind::Fleet && board.sea().contains(place);
        check(!laden || carries, "an army is aboard something that is not a fleet at sea", at);
        check(passable.contains(place), "a unit stands on a face that is gone", at);
        let is_trapped =
            unit.kind == UnitKind::Fleet && board.land().contains(place) && board.coasts(place) == 0;
        let stands = can_stand(board, place, unit.kind, unit.coast) || (may_be_trapped && is_trapped);
        check(stands, "a unit stands where its kind cannot", at);
    }
}

/// The map, and the tables derived from it.
pub fn check_ground(at: Phase, terrain: &MapTables) {
    let chart = terrain.chart();
    let map = chart.map();
    let faults = map.faults();
    check(faults.is_empty(), &format!("the map has faults: {faults:?}"), at);
    let fresh = derive(map);
    let same = MapReport::new(chart, terrain.board()) == MapReport::new(chart, &fresh);
    check(same, "the tables are not those of the map", at);
    let open_centres = map
        .faces()
        .filter(|(id, face)| {
            face.state() == FaceState::Open && chart.info(*id).is_some_and(|info| info.supply_centre)
        })
        .map(|(id, _)| id);
    check(*terrain.centres() == open_centres.collect(), "the centres are not those of the map", at);
    for power in terrain.powers() {
        let home = |id: &ProvinceId| chart.info(*id).is_some_and(|info| info.home == Some(power));
        let homes: ProvinceSet = terrain.centres().iter().filter(home).collect();
        check(terrain.homes()[power] == homes, "the homes are not those of the map", at);
    }
    let mut names: Vec<&str> = map.faces().map(|(_, face)| face.name()).collect();
    names.sort_unstable();
    check(names.windows(2).all(|pair| pair[0] != pair[1]), "two faces have one name", at);
}

/// Does the set join `impassable` to others?
fn names_impassable(set: &Set) -> bool {
    match set {
        Set::Word(word) => *word == Word::Impassable,
        Set::Joined(Operator::Or, terms) => terms.iter().any(names_impassable),
        Set::Joined(Operator::Without, terms) => names_impassable(&terms[0]),
        _ => false,
    }
}

/// Can the variant's holes be drawn from faces of this kind?
pub fn can_be_hole(changes: &Changes, kind: FaceKind) -> bool {
    let impassable_too = changes.faces().filter_map(|(_, change)| change.set()).any(names_impassable);
    match kind {
        FaceKind::Land | FaceKind::Sea | FaceKind::Ice => true,
        FaceKind::Impassable => impassable_too,
        FaceKind::Outside | FaceKind::Point => false,
    }
}
