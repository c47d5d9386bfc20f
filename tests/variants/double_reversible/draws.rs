//! The draws of `double-reversible` (Double Reversible rule 3; rules.md 4.1, 4.2), and invariants that hold whatever is
//! ordered.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::helpers::chances::uniform;
use crate::helpers::seats::{bots, draw_answer, play_out};
use crate::helpers::shipped::variant;
use upheaval::ask::{Answer, Ask, Observation};
use upheaval::bot::{Bot, Decision};
use upheaval::game::{Ending, Game, Referee, Stage};
use upheaval::ids::{CoastId, Location, Power, Powers, ProvinceId, ProvinceSet, UnitKind};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::adjustment::{self, Owed};
use upheaval::rules::answers::Answers;
use upheaval::rules::event::{Event, Log};
use upheaval::rules::game_state::CoastChoice;
use upheaval::rules::legal::{self, ConvoyChains};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::mechanism::Mechanism;
use upheaval::rules::nature::{Draw, Nature, Seeded};
use upheaval::rules::order::RetreatOrder;
use upheaval::rules::position::{Phase, Season, Unit};
use upheaval::rules::rulebook::Rulebook;
use upheaval::rules::variant::Variant;
use upheaval::topology::{FaceKind, derive};

fn rule(variant: &Variant) -> upheaval::rules::mechanism::Toggles {
    let toggles = variant.mechanisms.iter().find_map(|mechanism| match mechanism {
        Mechanism::Toggles(toggles) => Some(*toggles),
        _ => None,
    });
    toggles.expect("the variant toggles")
}

// ---- rule 3 ----

#[test]
fn double_reversible_rule_3_the_75_provinces_and_switzerland_may_be_drawn_holed_or_not() {
    let variant = variant("double-reversible");
    let game = Game::new(Arc::clone(&variant), 1910);
    let eligible = rule(&variant).eligible(game.world());
    assert_eq!(eligible.len(), 76);
    let map = variant.terrain.chart().map();
    let faces = |kind| eligible.iter().filter(|&id| map.face(id).unwrap().kind() == kind).count();
    assert_eq!(faces(FaceKind::Impassable), 1, "Switzerland");
    assert_eq!(faces(FaceKind::Outside), 0, "the Outside is not a space");
    assert_eq!((faces(FaceKind::Land), faces(FaceKind::Sea)), (56, 19), "land and sea spaces alike");
    let mut world = game.world().clone();
    let mut chart = variant.terrain.chart().clone();
    for face in ["MAR", "SWI", "LYO"] {
        chart.collapse(map.find(face).unwrap()).unwrap();
    }
    world.terrain = Arc::new(MapTables::new(chart));
    assert_eq!(rule(&variant).eligible(&world), eligible);
}

#[test]
fn double_reversible_rule_3_two_different_faces_each_equally_likely() {
    let variant = variant("double-reversible");
    let game = Game::new(Arc::clone(&variant), 1910);
    let eligible = rule(&variant).eligible(game.world());
    let at: Phase = "F1903M".parse().unwrap();
    let mut counts: BTreeMap<ProvinceId, u64> = eligible.iter().map(|id| (id, 0)).collect();
    let mut firsts = counts.clone();
    for seed in 0..20_000 {
        let drawn = Seeded { seed, block: 3 }.faces(at, Draw::Holes, &variant.terrain, &eligible, 2);
        assert!(drawn.len() == 2 && drawn[0] != drawn[1]);
        *firsts.get_mut(&drawn[0]).expect("eligible") += 1;
        drawn.iter().for_each(|id| *counts.get_mut(id).expect("eligible") += 1);
    }
    for counts in [counts, firsts] {
        let p = uniform(counts.values());
        assert!(p > 1e-3, "{p} {counts:?}");
    }
}

#[test]
fn double_reversible_rule_3_spring_and_fall_draw_on_their_own() {
    // Two of 76 faces; both seasons draw the same pair in one of 2850 blocks.
    let variant = variant("double-reversible");
    let game = Game::new(Arc::clone(&variant), 1910);
    let eligible = rule(&variant).eligible(game.world());
    let drawn = |block, at: &str| -> ProvinceSet {
        let at = at.parse().unwrap();
        let mut nature = Seeded { seed: 7, block };
        nature.faces(at, Draw::Holes, &variant.terrain, &eligible, 2).into_iter().collect()
    };
    let same = |a: &str, b: &str| (0..400).filter(|&block| drawn(block, a) == drawn(block, b)).count();
    assert!(same("S1901M", "F1901M") < 4);
    assert!(same("S1901M", "S1902M") < 4);
    assert_eq!(same("S1901M", "S1901R"), 400, "the phase within the season does not matter");
}

#[test]
fn double_reversible_rulings_4_2_what_is_drawn_does_not_hang_on_what_is_ordered() {
    let drawn = |moves: bool| {
        let told = watched(5, moves, 1903).told;
        let mut faces: BTreeMap<(u16, Season), Vec<String>> = BTreeMap::new();
        for (at, event, name) in &told {
            if matches!(event, Event::Collapsed(_) | Event::Restored(_)) {
                faces.entry((at.year, at.season)).or_default().push(name.clone());
            }
        }
        faces.values_mut().for_each(|names| names.sort());
        faces
    };
    let (still, moving) = (drawn(false), drawn(true));
    let both = still.iter().zip(&moving).filter(|(a, b)| a == b).count();
    assert!(still.len() >= 4 && both == still.len().min(moving.len()), "{still:?} {moving:?}");
    assert!(still.values().all(|names| names.len() == 2));
}

// ---- random play ----

/// Gives any legal orders.
struct Dicer {
    moves: bool,
}

impl Bot for Dicer {
    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        match ask {
            Ask::Coast(choice) => {
                if let Some(&coast) = dice.choose(&choice.coasts) {
                    answer.give(&Decision::Coast { fleet: choice.fleet, coast });
                }
            }
            _ => draw_answer(seen, ask, dice, answer, self.moves),
        }
    }
}

/// The reports, each with the name of its face.
#[derive(Default)]
struct Named {
    told: Vec<(Phase, Event, String)>,
    ending: Option<Ending>,
}

impl Log for Named {
    fn event(&mut self, at: Phase, terrain: &MapTables, event: &Event) {
        let face = match event {
            Event::Collapsed(face) | Event::Restored(face) | Event::HoleDrawn(face) => Some(*face),
            _ => None,
        };
        let name = face.map_or(String::new(), |face| terrain.names().province(face).to_owned());
        self.told.push((at, event.clone(), name));
    }
}

/// A game played by bots.
fn watched(seed: u64, moves: bool, last_year: u16) -> Named {
    let mut game = Game::new(variant("double-reversible"), last_year);
    let mut named = Named::default();
    play_out(&mut game, bots(|_| Dicer { moves }), seed, &mut Seeded { seed, block: 0 }, &mut named);
    named.ending = game.ending().cloned();
    named
}

/// Follows every unit by the reports alone.
#[derive(Default)]
struct Ledger {
    /// Units on the board or waiting for their retreat, by power and kind.
    about: BTreeMap<(Power, UnitKind), i64>,
    /// Units that are lost with a hole.
    swallowed: BTreeMap<(ProvinceId, Power, UnitKind), i64>,
    returned: u32,
    waiting_several: u32,
    choices: u32,
}

impl Ledger {
    fn about(&mut self, unit: Unit, n: i64) {
        *self.about.entry((unit.power, unit.kind)).or_default() += n;
    }
}

impl Log for Ledger {
    fn event(&mut self, _: Phase, terrain: &MapTables, event: &Event) {
        match *event {
            Event::Built(_, _, unit) => self.about(unit, 1),
            Event::Removed(_, _, unit) | Event::CoastLost(_, unit) => self.about(unit, -1),
            Event::Disbanded(dislodged) => self.about(dislodged.unit, -1),
            Event::Destroyed(at, unit) => panic!("{unit:?} in {}", terrain.names().province(at)),
            Event::Swallowed { face, unit, .. } => {
                self.about(unit, -1);
                *self.swallowed.entry((face, unit.power, unit.kind)).or_default() += 1;
            }
            Event::UnitReturned(face, unit) => {
                self.about(unit, 1);
                let gone = self.swallowed.get_mut(&(face, unit.power, unit.kind));
                *gone.expect("only what was swallowed there comes back") -= 1;
                self.returned += 1;
            }
            Event::Dislodged(unit) => self.waiting_several += u32::from(unit.attacker.is_none()),
            _ => {}
        }
    }
}

/// Plays a game by dice, stage by stage, and checks everything after each.
fn play_by_dice(seed: u64) -> Ledger {
    let mut dice = Stream::keyed(seed, Purpose::Bot, &[]);
    let mut game = Game::new(variant("double-reversible"), 1912);
    let (mut referee, mut nature) = (Referee::new(), Seeded { seed, block: 1 });
    let mut ledger = Ledger::default();
    for at in *game.world().position.occupied() {
        ledger.about(game.world().position.unit(at).unwrap(), 1);
    }
    while game.stage() != Stage::Over {
        let mut answers = Answers::none(Powers::STANDARD);
        let (board, position) = (game.terrain().board(), &game.world().position);
        match game.stage() {
            Stage::Movement => {
                let chains = ConvoyChains::new(board, &Rulebook::R2023, position);
                for at in *position.occupied() {
                    answers.orders[at] =
                        legal::draw(board, position, &chains, at, &mut dice).expect("a unit");
                }
            }
            Stage::Coasts => {
                ledger.choices += 1;
                let choose = |choice: &CoastChoice| Some((choice.fleet, *dice.choose(&choice.coasts)?));
                answers.coasts = game.coast_choices().iter().filter_map(choose).collect();
            }
            Stage::Retreats => {
                let count = game.dislodged().dislodged.len();
                for i in 0..count {
                    let options = game.retreat_options(i);
                    answers.retreats.push(dice.choose(&options).map(|&to| RetreatOrder::Retreat { to }));
                }
            }
            Stage::Adjustments => {
                for power in Powers::STANDARD {
                    if let Owed::Builds(n) = game.owed(power) {
                        let builds = adjustment::builds(board, &game.build_sites(power));
                        answers.adjustments[power].extend((0..n).filter_map(|_| dice.choose(&builds)));
                    }
                }
            }
            Stage::Seismic | Stage::Over => {}
        }
        game.settle(&mut referee, &answers, &mut nature, &mut ledger);
        check(&game, &ledger);
    }
    ledger
}

fn can_stand(game: &Game, at: Location, kind: UnitKind) -> bool {
    let board = game.terrain().board();
    match kind {
        UnitKind::Army => board.land().contains(at.province) && at.coast == CoastId::FIRST,
        UnitKind::Fleet => board.passable().contains(at.province) && at.coast.0 < board.coasts(at.province),
    }
}

fn check(game: &Game, ledger: &Ledger) {
    let (world, names, at) = (game.world(), game.terrain().names(), game.phase());
    let holes = game.terrain().chart().map().holes();
    let mut about: BTreeMap<(Power, UnitKind), i64> = BTreeMap::new();
    for province in *world.position.occupied() {
        let unit = world.position.unit(province).unwrap();
        *about.entry((unit.power, unit.kind)).or_default() += 1;
        let place = Location { province, coast: unit.coast };
        assert!(can_stand(game, place, unit.kind), "{at}: {unit:?} in {}", names.province(province));
    }
    for (i, waiting) in world.retreats.dislodged.iter().enumerate() {
        *about.entry((waiting.unit.power, waiting.unit.kind)).or_default() += 1;
        for to in game.retreat_options(i) {
            let free = !world.position.occupied().contains(to.province);
            let stands = can_stand(game, to, waiting.unit.kind);
            let open = waiting.attacker_convoyed || Some(to.province) != waiting.attacker; // DATC 4.A.5
            assert!(
                stands && free && open && to.province != waiting.at,
                "{at}: {:?} in {} to {} {:?}",
                waiting.unit,
                names.province(waiting.at),
                names.province(to.province),
                to.coast,
            );
        }
    }
    let mut told = ledger.about.clone();
    told.retain(|_, n| *n != 0);
    assert_eq!(about, told, "{at}: on the board, or waiting, or lost by an event that says so");
    let mut swallowed: BTreeMap<(ProvinceId, Power, UnitKind), i64> = BTreeMap::new();
    for gone in &world.swallowed {
        assert!(holes.contains(gone.hole), "{at}: {gone:?}");
        *swallowed.entry((gone.hole, gone.unit.power, gone.unit.kind)).or_default() += 1;
    }
    let mut told = ledger.swallowed.clone();
    told.retain(|_, n| *n != 0);
    assert_eq!(swallowed, told, "{at}: gone with a hole");
    for power in Powers::STANDARD {
        assert!(world.position.centres_of(power).is_subset(game.terrain().centres()), "{at}: {power:?}");
    }
    assert!((*game.terrain().centres() & holes).is_empty());
    for choice in game.coast_choices() {
        let unit = world.position.unit(choice.fleet).expect("a fleet");
        assert!(unit.power == choice.power && unit.coast == choice.default && choice.coasts.len() > 1);
    }
}

#[test]
fn double_reversible_no_unit_is_ever_lost_but_by_an_event_that_says_so() {
    let (mut returned, mut several, mut choices) = (0, 0, 0);
    for seed in 0..400 {
        let ledger = play_by_dice(seed);
        returned += ledger.returned;
        several += ledger.waiting_several;
        choices += ledger.choices;
    }
    assert!(returned > 20 && several > 3 && choices > 3, "{returned} {several} {choices}");
}

#[test]
fn double_reversible_the_tables_of_play_are_those_of_a_fresh_derivation_after_every_season() {
    struct Fresh(u32);
    impl Log for Fresh {
        fn season(&mut self, _: Phase, terrain: &MapTables, _: &upheaval::rules::position::Position) {
            use upheaval::topology::report::MapReport;
            let chart = terrain.chart();
            assert_eq!(chart.map().faults(), Vec::<String>::new());
            let fresh = MapReport::new(chart, &derive(chart.map()));
            assert_eq!(MapReport::new(chart, terrain.board()), fresh);
            self.0 += 1;
        }
    }
    for seed in 0..4 {
        let mut game = Game::new(variant("double-reversible"), 1915);
        let mut fresh = Fresh(0);
        let mut nature = Seeded { seed, block: 2 };
        play_out(&mut game, bots(|_| Dicer { moves: true }), seed, &mut nature, &mut fresh);
        assert!(fresh.0 > 10);
    }
}

#[test]
fn double_reversible_every_season_of_play_toggles_two_faces_before_anybody_retreats() {
    for seed in 0..12 {
        let Named { told, ending, .. } = watched(seed, true, 1906);
        assert!(ending.is_some());
        let mut holes: Vec<String> = Vec::new();
        let seasons: std::collections::BTreeSet<_> =
            told.iter().map(|(at, ..)| (at.year, at.season)).collect();
        for (year, season) in seasons.into_iter().filter(|(_, season)| *season != Season::Winter) {
            let of_season = || told.iter().filter(|(at, ..)| (at.year, at.season) == (year, season));
            let toggled: Vec<_> = of_season()
                .filter(|(_, e, _)| matches!(e, Event::Collapsed(_) | Event::Restored(_)))
                .collect();
            assert_eq!(toggled.len(), 2, "{year} {season:?}");
            assert_ne!(toggled[0].2, toggled[1].2);
            for (at, event, name) in toggled {
                assert_eq!(at.to_string(), format!("{}{year}M", season.letter()));
                match event {
                    Event::Restored(_) => holes.retain(|hole| hole != name),
                    _ if holes.contains(name) => panic!("{name} is a hole already"),
                    _ => holes.push(name.clone()),
                }
            }
            let place = |fits: fn(&Event) -> bool| of_season().position(|(_, e, _)| fits(e));
            let first_retreat = place(|e| matches!(e, Event::Retreated(..) | Event::Disbanded(_)));
            let toggles = of_season().take(first_retreat.unwrap_or(usize::MAX));
            let before = toggles.filter(|(_, e, _)| matches!(e, Event::Collapsed(_) | Event::Restored(_)));
            assert_eq!(before.count(), 2, "before anybody retreats");
        }
    }
}
