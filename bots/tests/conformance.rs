//! What must hold in every game of every variant with every bot, after every phase. `UPHEAVAL_GAMES=300` plays
//! hundreds of each instead of a few.

mod engine;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use engine::{kind, variant};
use upheaval::bot::{Bot, Observation, RetreatChoice};
use upheaval::game::{Ending, Game, Referee, Seats, play};
use upheaval::ids::{ByPower, CoastId, Power, ProvinceId, ProvinceSet, UnitKind};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::adjustment::Owed;
use upheaval::rules::event::{Event, Log};
use upheaval::rules::mechanism::Mechanism;
use upheaval::rules::movement::Resolution;
use upheaval::rules::nature::Seeded;
use upheaval::rules::order::{AdjustmentOrder, Orders, RetreatOrder};
use upheaval::rules::position::{Phase, Position, Season};
use upheaval::rules::terrain::Terrain;
use upheaval::rules::variant::Variant;
use upheaval::rules::world::CoastChoice;
use upheaval::topology::report::MapReport;
use upheaval::topology::{Board, derive};

/// The centres of the standard board, which no shipped variant adds to.
const CENTRES: usize = 34;

fn games() -> u64 {
    std::env::var("UPHEAVAL_GAMES").ok().map_or(6, |n| n.parse().expect("a number of games"))
}

thread_local! {
    /// Which game is played, for messages.
    static GAME: RefCell<String> = const { RefCell::new(String::new()) };
}

fn check(holds: bool, what: &str, at: Phase) {
    assert!(holds, "{what}, {at} of {}", GAME.with_borrow(Clone::clone));
}

fn check_position(at: Phase, board: &Board, centres: &ProvinceSet, position: &Position) {
    let passable = board.passable();
    let mut seen = ProvinceSet::EMPTY;
    for power in Power::ALL {
        for place in *position.units_of(power) {
            check(!seen.contains(place), "two powers have a unit in one province", at);
            check(
                position.unit(place).is_some_and(|unit| unit.power == power),
                "sets and table disagree",
                at,
            );
            seen.insert(place);
        }
        check(position.centres_of(power).is_subset(centres), "a centre that is gone is owned", at);
        for other in Power::ALL.into_iter().filter(|&other| other != power) {
            check(
                !position.centres_of(power).intersects(position.centres_of(other)),
                "a centre has two owners",
                at,
            );
        }
    }
    check(seen == *position.occupied(), "the units of the powers are not all units", at);
    check(position.fleets().is_subset(position.occupied()), "a fleet is nowhere", at);
    for place in (0..=u8::MAX).map(ProvinceId) {
        let unit = position.unit(place);
        check(unit.is_some() == seen.contains(place), "table and sets disagree", at);
        let Some(unit) = unit else { continue };
        check(passable.contains(place), "a unit stands on a face that is gone", at);
        let stands = match unit.kind {
            UnitKind::Army => board.land().contains(place) && unit.coast == CoastId::FIRST,
            UnitKind::Fleet => unit.coast.0 < board.coasts(place),
        };
        check(stands, "a unit stands where its kind cannot", at);
        check(
            (unit.kind == UnitKind::Fleet) == position.fleets().contains(place),
            "the fleets are others",
            at,
        );
    }
    check(centres.is_subset(&passable) && centres.len() <= CENTRES, "too many centres", at);
    check(position.occupied().len() <= CENTRES + 1, "too many units", at);
}

fn check_ground(at: Phase, terrain: &Terrain) {
    let map = terrain.chart().map();
    check(map.faults().is_empty(), "the map has faults", at);
    let fresh = derive(map);
    let same = MapReport::new(terrain.chart(), terrain.board()) == MapReport::new(terrain.chart(), &fresh);
    check(same, "the tables are not those of the map", at);
    check(*terrain.centres() == terrain.chart().centres(), "the centres are not those of the map", at);
    for power in Power::ALL {
        check(
            terrain.homes()[power] == terrain.chart().homes(power),
            "the homes are not those of the map",
            at,
        );
    }
}

/// A bot that is watched: at each of its turns everything must hold.
struct Watched(Box<dyn Bot>);

fn look(seen: &Observation<'_>) {
    check_position(seen.phase, seen.board, seen.centres, seen.position);
    check(seen.doomed.is_subset(&seen.board.passable()), "what is gone is doomed", seen.phase);
    let own = seen.exempt.is_none_or(|centre| seen.homes[seen.power].contains(centre));
    check(own, "the exempt centre is no extant home centre", seen.phase);
    check(
        !seen.exempt.is_some_and(|centre| seen.doomed.contains(centre)),
        "an exempt centre is doomed",
        seen.phase,
    );
}

impl Bot for Watched {
    fn new_game(&mut self, power: Power) {
        self.0.new_game(power);
    }

    fn movement(&mut self, seen: &Observation<'_>, dice: &mut Stream, orders: &mut Orders) {
        look(seen);
        self.0.movement(seen, dice, orders);
    }

    fn retreats(
        &mut self,
        seen: &Observation<'_>,
        choices: &[RetreatChoice<'_>],
        dice: &mut Stream,
        orders: &mut Vec<RetreatOrder>,
    ) {
        look(seen);
        for to in choices.iter().flat_map(|choice| choice.options) {
            let free = !seen.position.occupied().contains(to.province) && !seen.doomed.contains(to.province);
            check(free && seen.board.passable().contains(to.province), "no retreat can go there", seen.phase);
        }
        self.0.retreats(seen, choices, dice, orders);
    }

    fn adjustments(
        &mut self,
        seen: &Observation<'_>,
        owed: Owed,
        builds: &[AdjustmentOrder],
        dice: &mut Stream,
        orders: &mut Vec<AdjustmentOrder>,
    ) {
        look(seen);
        self.0.adjustments(seen, owed, builds, dice, orders);
    }

    fn exempt(&mut self, seen: &Observation<'_>, dice: &mut Stream) -> Option<ProvinceId> {
        look(seen);
        self.0.exempt(seen, dice)
    }

    fn coast(&mut self, seen: &Observation<'_>, choice: &CoastChoice, dice: &mut Stream) -> Option<CoastId> {
        look(seen);
        check(choice.coasts.len() > 1 && choice.coasts.contains(&choice.default), "no choice", seen.phase);
        self.0.coast(seen, choice, dice)
    }
}

/// Watches the game itself.
#[derive(Default)]
struct Watch {
    seasons: Vec<Phase>,
    kinds: BTreeSet<&'static str>,
    holes: usize,
    over: bool,
}

impl Log for Watch {
    fn event(&mut self, at: Phase, terrain: &Terrain, event: &Event) {
        check(!self.over, "something happens after the end", at);
        match event {
            Event::Refused(power, count) => {
                check(false, &format!("{count} orders of {power} are refused"), at)
            }
            Event::HoleDrawn(hole) => {
                self.holes += 1;
                check(terrain.board().passable().contains(*hole), "a hole is drawn that is none to draw", at);
            }
            Event::Collapsed(hole) => {
                check(!terrain.board().passable().contains(*hole), "a hole is open", at)
            }
            Event::Won(_) | Event::Drawn(_) => self.over = true,
            Event::Captured { .. } => drop(self.kinds.insert("captured")),
            Event::Retreated(..) => drop(self.kinds.insert("retreated")),
            Event::Built(..) => drop(self.kinds.insert("built")),
            Event::Removed(..) => drop(self.kinds.insert("removed")),
            Event::CoastLost(..) => drop(self.kinds.insert("coast lost")),
            Event::Destroyed(..) => drop(self.kinds.insert("destroyed")),
            _ => {}
        }
    }

    fn movement(
        &mut self,
        at: Phase,
        terrain: &Terrain,
        position: &Position,
        orders: &Orders,
        _: &Resolution,
    ) {
        check_ground(at, terrain);
        check_position(at, terrain.board(), terrain.centres(), position);
        let strangers = (0..=u8::MAX).map(ProvinceId).filter(|&id| position.unit(id).is_none());
        let hold = upheaval::rules::order::Order::Hold;
        check(strangers.into_iter().all(|id| orders[id] == hold), "nobody is given an order", at);
    }

    fn season(&mut self, at: Phase, terrain: &Terrain, position: &Position) {
        check_ground(at, terrain);
        check_position(at, terrain.board(), terrain.centres(), position);
        check(self.seasons.last().is_none_or(|&last| last < at), "time runs backwards", at);
        self.seasons.push(at);
        if at.season == Season::Winter {
            for power in Power::ALL {
                let balanced = position.units_of(power).len() <= position.centres_of(power).len();
                check(balanced, "more units than centres after the adjustments", at);
            }
        }
    }
}

fn play_watched(variant: &Arc<Variant>, seed: u64, line_up: [&'static str; 7]) -> (Game, Watch) {
    GAME.set(format!("{} with {line_up:?}, seed {seed}", variant.id));
    let mut game = Game::new(Arc::clone(variant), 1914);
    let mut bots: ByPower<Box<dyn Bot>> =
        ByPower::from_fn(|p| Box::new(Watched((kind(line_up[p.index()]).make)())) as Box<dyn Bot>);
    let mut dice =
        ByPower::from_fn(|power: Power| Stream::keyed(seed, Purpose::Bot, &[power.index() as u64]));
    let mut watch = Watch::default();
    let seats = Seats { bots: &mut bots, dice: &mut dice };
    play(&mut game, &mut Referee::new(), seats, &mut Seeded { seed, block: 0 }, &mut watch);
    check_ground(game.phase(), game.terrain());
    check_position(game.phase(), game.terrain().board(), game.terrain().centres(), &game.world().position);
    check(watch.over, "the end is not told", game.phase());
    match game.ending() {
        Some(Ending::Draw(powers)) => {
            let left = |power: &Power| !game.world().position.is_out(*power);
            check(powers.iter().all(left), "the dead share a draw", game.phase());
            check(
                powers.len() == Power::ALL.iter().filter(|p| left(p)).count(),
                "a survivor is left out",
                game.phase(),
            );
        }
        Some(Ending::Solo(winner)) => {
            let extant = game.terrain().centres().len();
            check(game.world().position.centres_of(*winner).len() > extant / 2, "no majority", game.phase());
        }
        None => panic!("no end"),
    }
    (game, watch)
}

#[test]
fn every_bot_in_every_variant() {
    let names = upheaval_bots::KINDS.map(|kind| kind.name);
    for id in Variant::shipped() {
        let variant = Arc::new(variant(id));
        let mut kinds = BTreeSet::new();
        for name in names {
            for seed in 0..games() {
                kinds.append(&mut play_watched(&variant, seed, [name; 7]).1.kinds);
            }
        }
        let mut expected = BTreeSet::from(["captured", "retreated", "built", "removed"]);
        if id == "black-hole" {
            expected.extend(["coast lost", "destroyed"]);
        }
        assert!(kinds.is_superset(&expected), "{id}: only {kinds:?} happened");
    }
}

#[test]
fn every_mixture_in_every_variant() {
    let names = upheaval_bots::KINDS.map(|kind| kind.name);
    for id in Variant::shipped() {
        let variant = Arc::new(variant(id));
        for seed in 0..2 * games() {
            let mut dice = Stream::keyed(seed, Purpose::Bot, &[99]);
            let line_up = [(); 7].map(|()| names[dice.below(names.len() as u32) as usize]);
            let (game, watch) = play_watched(&variant, 1_000 + seed, line_up);
            let metrics = game.terrain().metrics();
            let draws = variant.mechanisms.iter().any(|mechanism| matches!(mechanism, Mechanism::Holes(_)));
            assert_eq!(metrics.holes + metrics.voids, watch.holes, "{id}, seed {seed}");
            assert_eq!(watch.holes > 0, draws, "{id}, seed {seed}");
        }
    }
}
