//! The draws of `black-hole`, and its secrets: Tinamou rules 1, 3 and 4; rules.md 4.1, 4.2, 4.5, 2.1.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::helpers::chances::uniform;
use crate::helpers::seats::{bots, draw_answer, play_out};
use crate::helpers::shipped::{BLACK_HOLE, check, variant};
use crate::helpers::table::{Fated, Table, Told, phase};
use upheaval::ask::{Answer, Ask, Observation, Retreats};
use upheaval::bot::{Bot, Decision};
use upheaval::game::Stage;
use upheaval::game::{Game, Referee};
use upheaval::ids::{ByPower, CoastId, Power, Powers, ProvinceId, ProvinceSet};
use upheaval::rng::Stream;
use upheaval::rules::answers::Answers;
use upheaval::rules::event::{Event, Log};
use upheaval::rules::game_state::CoastChoice;
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::nature::{Draw, Nature, Seeded};
use upheaval::rules::position::{Phase, Season};
use upheaval::rules::variant::Variant;
use upheaval::topology::HalfEdgeId;

const SEEDS: u64 = 4_000;

/// A bot that gives random legal orders, names a given exempt centre, and records its observations.
struct Spy {
    power: Power,
    moves: bool,
    names: Option<&'static str>,
    coast: Option<CoastId>,
    notes: Arc<Mutex<Vec<(Power, String)>>>,
}

impl Spy {
    /// The whole content of an observation, with the power's own part separate.
    fn note(&self, seen: &Observation<'_>) {
        let names = seen.names();
        let provinces: Vec<String> = (0..=255)
            .map(ProvinceId)
            .filter(|&id| seen.board.passable().contains(id) || seen.position.unit(id).is_some())
            .map(|id| {
                format!(
                    "{} {:?} {:?} {:?} {:?} {:?}",
                    names.province(id),
                    seen.position.unit(id),
                    seen.position.owner(id),
                    seen.board.army_reach(id),
                    seen.board.fleet_reach_any(id),
                    names.coasts(id),
                )
            })
            .collect();
        let own = seen.exempt.map(|id| names.province(id).to_owned());
        let text = format!(
            "{} {:?} {:?} {:?} {:?} own {own:?} {provinces:?}",
            seen.phase, seen.centres, seen.homes, seen.doomed, seen.rulebook
        );
        assert_eq!(seen.power, self.power);
        self.notes.lock().unwrap().push((self.power, text));
    }
}

impl Bot for Spy {
    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        self.note(seen);
        match ask {
            Ask::Exempt(_) => {
                if let Some(centre) = self.names.and_then(|name| seen.names().find(name)) {
                    answer.give(&Decision::Exempt(centre));
                }
            }
            Ask::Coast(CoastChoice { power, fleet, .. }) => {
                assert_eq!(*power, self.power, "the owner is asked, and nobody else");
                if let Some(coast) = self.coast {
                    answer.give(&Decision::Coast { fleet: *fleet, coast });
                }
            }
            _ => draw_answer(seen, ask, dice, answer, self.moves),
        }
        if let Ask::Retreats(Retreats { choices }) = ask {
            let options = choices.iter().flat_map(|choice| &choice.options);
            assert!(options.into_iter().all(|to| !seen.doomed.contains(to.province)));
        }
    }
}

type Notes = Vec<(Power, String)>;

/// Plays a game of spies that draw their orders (or hold) and name these centres.
fn spied(
    mut game: Game,
    seed: u64,
    moves: bool,
    names: impl Fn(Power) -> Option<&'static str>,
    nature: &mut dyn Nature,
    log: &mut dyn Log,
    coast: Option<CoastId>,
) -> (Game, Notes) {
    let notes = Arc::new(Mutex::new(Vec::new()));
    let spies = bots(|power| Spy { power, moves, names: names(power), coast, notes: Arc::clone(&notes) });
    play_out(&mut game, spies, seed, nature, log);
    let notes = notes.lock().unwrap().clone();
    (game, notes)
}

// ---- rule 4, rules.md 4.1 ----

#[test]
fn black_hole_rule_4_switzerland_is_never_drawn_over_thousands_of_seeds() {
    let variant = variant("black-hole");
    let switzerland = variant.terrain.names().find("SWI").unwrap();
    for seed in 0..2_000 {
        let mut game = Table::new_game(Arc::clone(&variant), 1904).game;
        let mut told = Told::default();
        let mut referee = Referee::new();
        let (mut nature, silence) = (Seeded { seed, block: 0 }, Answers::none(Powers::STANDARD));
        for _ in 0..12 {
            let season = (game.phase().year, game.phase().season);
            while game.stage() != Stage::Over && (game.phase().year, game.phase().season) == season {
                game.settle(&mut referee, &silence, &mut nature, &mut told);
            }
        }
        let exempt = game.world().exempt_centres();
        let drawn: Vec<ProvinceId> = told
            .events
            .iter()
            .filter_map(|(_, e)| if let Event::HoleDrawn(p) = e { Some(*p) } else { None })
            .collect();
        assert!(drawn.len() >= 6, "seed {seed}: a hole a season");
        assert!(!drawn.contains(&switzerland), "seed {seed}");
        assert!(drawn.iter().all(|&p| !exempt.contains(p)), "seed {seed}: an exempt centre was drawn");
        let different: ProvinceSet = drawn.iter().copied().collect();
        assert_eq!(different.len(), drawn.len(), "seed {seed}: no province twice");
    }
}

#[test]
fn black_hole_rulings_4_1_even_if_it_were_offered_switzerland_is_not_eligible() {
    let mut table = BLACK_HOLE.set("S1901M", &[], &[(Power::FRANCE, &["A PAR"])], &[]).hole("S1901", "SWI");
    table.move_all(&[]);
    assert!(table.when(|e| matches!(e, Event::HoleDrawn(_))).is_none());
    assert!(!table.nature.offered[0].2.contains(table.id("SWI")));
}

#[test]
fn black_hole_rulings_4_1_the_draw_is_uniform_over_the_eligible() {
    let variant = variant("black-hole");
    let passable = variant.terrain.board().passable();
    let exempt: ProvinceSet = ["VIE", "LON", "PAR", "MUN", "ROM", "MOS", "CON"]
        .iter()
        .map(|name| variant.terrain.names().find(name).unwrap())
        .collect();
    for (eligible, at) in [(passable, "S1901M"), (passable - exempt, "F1901M"), (exempt, "S1907M")] {
        let mut counts: BTreeMap<ProvinceId, u64> = eligible.iter().map(|p| (p, 0)).collect();
        for block in 0..200 * eligible.len() as u64 {
            let drawn =
                Seeded { seed: 17, block }.faces(phase(at), Draw::Holes, &variant.terrain, &eligible, 1);
            *counts.get_mut(&drawn[0]).expect("only the eligible are drawn") += 1;
        }
        let p = uniform(counts.values());
        assert!(p > 0.001, "{at}: p = {p}");
    }
}

#[test]
fn black_hole_rulings_4_1_a_draw_of_several_gives_different_faces() {
    let variant = variant("black-hole");
    let eligible = variant.terrain.board().passable();
    for block in 0..500 {
        let drawn =
            Seeded { seed: 3, block }.faces(phase("S1901M"), Draw::Holes, &variant.terrain, &eligible, 5);
        assert_eq!(drawn.iter().copied().collect::<ProvinceSet>().len(), 5);
    }
}

#[test]
fn black_hole_rulings_4_2_without_the_first_that_is_drawn_the_others_follow_in_the_same_order() {
    let variant = variant("black-hole");
    let all = variant.terrain.board().passable();
    assert_eq!(all.len(), 75, "Switzerland and the Outside are none");
    for block in 0..1_000 {
        let draw = |eligible: &ProvinceSet, n| {
            Seeded { seed: 7, block }.faces(phase("F1903M"), Draw::Holes, &variant.terrain, eligible, n)
        };
        let order = draw(&all, 3);
        assert_eq!(draw(&(all - ProvinceSet::single(order[0])), 2), order[1..]);
    }
}

#[test]
fn black_hole_rulings_4_1_two_seasons_are_drawn_independently() {
    let variant = variant("black-hole");
    let eligible = variant.terrain.board().passable();
    let mut same = 0;
    for block in 0..7_500 {
        let mut nature = Seeded { seed: 5, block };
        let [spring, fall] = ["S1901M", "F1901M"]
            .map(|at| nature.faces(phase(at), Draw::Holes, &variant.terrain, &eligible, 1)[0]);
        same += u32::from(spring == fall);
    }
    assert!((60..=145).contains(&same), "{same} of 7500 are the same; 100 are expected");
}

// ---- rule 3, rules.md 4.5 ----

#[test]
fn black_hole_rule_3_first_sentence_the_centre_that_a_power_names_is_never_drawn() {
    let variant = variant("black-hole");
    for (power, names) in [(Power::RUSSIA, "SEV"), (Power::FRANCE, "BRE"), (Power::TURKEY, "SMY")] {
        for seed in 0..20 {
            let game = Game::new(Arc::clone(&variant), 1925);
            let mut told = Told::default();
            let mut nature = Seeded { seed, block: 0 };
            let (game, _) =
                spied(game, seed, true, |p| (p == power).then_some(names), &mut nature, &mut told, None);
            let centre = variant.terrain.names().find(names).unwrap();
            assert_eq!(game.world().exemptions[power].centre, Some(centre), "the choice is honoured");
            assert!(
                told.events.iter().all(|(_, event)| *event != Event::HoleDrawn(centre)),
                "{names}, seed {seed}"
            );
            assert!(game.terrain().centres().contains(centre));
            // Rule 3, third sentence: the gamemaster, which is the log, knows it.
            assert!(told.events.iter().any(|(_, event)| *event == Event::ExemptNamed(power, centre)));
        }
    }
}

#[test]
fn black_hole_rule_3_first_sentence_only_an_own_home_centre_can_be_named() {
    for wrong in ["BER", "BUR", "SPA", "SWI"] {
        let mut table = Table::new_game(variant("black-hole"), 1910);
        let mut exempt: ByPower<Option<ProvinceId>> = ByPower::new(Powers::STANDARD);
        exempt[Power::FRANCE] = Some(table.id(wrong));
        table.nature.exempt[Power::FRANCE] = Some(table.id("MAR"));
        table.move_exempting(&[], &exempt);
        assert_eq!(table.game.world().exemptions[Power::FRANCE].centre, Some(table.id("MAR")), "{wrong}");
        assert!(table.nature.asked_for_exempt.contains(&Power::FRANCE), "counts as no choice: one is drawn");
    }
}

#[test]
fn black_hole_rulings_4_5_a_power_that_names_none_has_one_drawn_and_none_else_has() {
    let mut table = Table::new_game(variant("black-hole"), 1910);
    let mut exempt: ByPower<Option<ProvinceId>> = ByPower::new(Powers::STANDARD);
    exempt[Power::ENGLAND] = Some(table.id("EDI"));
    table.move_exempting(&[], &exempt);
    let asked: Vec<Power> = Powers::STANDARD.iter().filter(|&p| p != Power::ENGLAND).collect();
    assert_eq!(table.nature.asked_for_exempt, asked);
    assert_eq!(table.game.world().exemptions[Power::ENGLAND].centre, Some(table.id("EDI")));
    assert_eq!(table.game.world().exempt_centres().len(), 7);
    assert!(table.game.exempt_choices(Power::ENGLAND).is_empty(), "once, with the first orders");
}

#[test]
fn black_hole_rulings_4_5_the_drawn_exemption_is_uniform_over_the_home_centres() {
    let variant = variant("black-hole");
    for power in Powers::STANDARD {
        let homes = variant.terrain.homes()[power];
        let mut counts: BTreeMap<ProvinceId, u64> = homes.iter().map(|p| (p, 0)).collect();
        for block in 0..SEEDS {
            let drawn = Seeded { seed: 23, block }.exempt(phase("S1901M"), power, &homes).unwrap();
            *counts.get_mut(&drawn).expect("a home centre") += 1;
        }
        let p = uniform(counts.values());
        assert!(p > 0.001, "{power:?}: p = {p}");
    }
}

/// Two games that differ only in the centre that Germany names: no other power can distinguish them by any observation,
/// in any phase.
#[test]
fn black_hole_rule_3_second_sentence_the_exemption_is_secret() {
    let variant = variant("black-hole");
    let holes = "BOH UKR ENG GAS TUN SYR LVN ALB YOR FIN".split(' ');
    for seed in 0..6 {
        let mut seen = ["MUN", "BER"].map(|name| {
            let mut nature = Fated::default();
            for (i, hole) in holes.clone().enumerate() {
                let at = (1901 + i as u16 / 2, if i % 2 == 0 { Season::Spring } else { Season::Fall });
                nature.faces.insert(at, vec![(Draw::Holes, hole.to_owned())]);
            }
            let game = Game::new(Arc::clone(&variant), 1906);
            let names = |power| (power == Power::GERMANY).then_some(name);
            spied(game, seed, true, names, &mut nature, &mut (), None).1
        });
        for notes in &mut seen {
            assert!(notes.iter().any(|(power, _)| *power == Power::GERMANY));
            notes.retain(|(power, _)| *power != Power::GERMANY);
            assert!(notes.len() > 50, "{} observations", notes.len());
        }
        assert!(seen[0] == seen[1], "seed {seed}: somebody saw the difference");
    }
}

#[test]
fn black_hole_rule_3_second_sentence_the_owner_knows_its_own() {
    let game = Game::new(variant("black-hole"), 1902);
    let (_, notes) = spied(game, 1, true, |_| None, &mut Fated::default(), &mut (), None);
    let of_germany: Vec<&String> =
        notes.iter().filter(|(p, _)| *p == Power::GERMANY).map(|(_, t)| t).collect();
    assert!(of_germany[0].contains("own None"), "before it is settled");
    assert!(of_germany.last().unwrap().contains("own Some(\"BER\")"));
}

// ---- rules.md 2: the owner's bot is asked ----

#[test]
fn black_hole_rulings_2_the_bot_that_owns_the_fleet_chooses_its_coast_and_a_bad_answer_takes_the_default() {
    let bulgaria = |coast| {
        let events = ["collapse SER", "collapse ALB"];
        let units: [(Power, &[&str]); 2] = [(Power::TURKEY, &["F BUL/EC"]), (Power::ITALY, &["A ROM"])];
        let Table { game, mut nature, mut told, .. } =
            BLACK_HOLE.set("S1950M", &events, &units, &[]).hole("S1950", "BLA");
        let (game, _) = spied(game, 1, false, |_| None, &mut nature, &mut told, coast);
        let at = game.terrain().names().find("BUL").unwrap();
        let refused = told.events.iter().any(|(_, e)| matches!(e, Event::Refused(Power::TURKEY, 1)));
        let place = game.world().position.location(at).unwrap();
        (game.terrain().names().coast(place).unwrap().to_owned(), refused)
    };
    assert_eq!(bulgaria(Some(CoastId(0))), ("SC".to_owned(), false));
    assert_eq!(bulgaria(Some(CoastId(1))), ("WC".to_owned(), false));
    assert_eq!(bulgaria(None), ("WC".to_owned(), false));
    assert_eq!(bulgaria(Some(CoastId(7))), ("WC".to_owned(), true), "an impossible answer is recorded");
}

// ---- rules.md 4.2 ----

/// Draws like a seed, and records the candidates and results.
struct Noted {
    seeded: Seeded,
    draws: Vec<(Phase, ProvinceSet, ProvinceId)>,
}

impl Nature for Noted {
    fn faces(
        &mut self,
        at: Phase,
        draw: Draw,
        terrain: &MapTables,
        eligible: &ProvinceSet,
        count: usize,
    ) -> Vec<ProvinceId> {
        let drawn = self.seeded.faces(at, draw, terrain, eligible, count);
        self.draws.extend(drawn.iter().map(|&hole| (at, *eligible, hole)));
        drawn
    }

    fn exempt(&mut self, at: Phase, power: Power, homes: &ProvinceSet) -> Option<ProvinceId> {
        self.seeded.exempt(at, power, homes)
    }

    fn ends(&mut self, at: Phase, terrain: &MapTables, province: ProvinceId) -> Option<[HalfEdgeId; 2]> {
        self.seeded.ends(at, terrain, province)
    }

    fn half(&mut self, at: Phase, terrain: &MapTables, halves: &[ProvinceId]) -> Option<ProvinceId> {
        self.seeded.half(at, terrain, halves)
    }
}

fn draws(variant: &Arc<Variant>, seed: u64, block: u64, dice: u64, moves: bool) -> Noted {
    let mut nature = Noted { seeded: Seeded { seed, block }, draws: Vec::new() };
    let names = |power| (dice % 2 == 1 && power == Power::ITALY).then_some("ROM");
    spied(Game::new(Arc::clone(variant), 1912), dice, moves, names, &mut nature, &mut (), None);
    nature
}

#[test]
fn black_hole_rulings_4_2_one_block_meets_the_same_catastrophes_as_far_as_they_are_eligible() {
    let plain = variant("black-hole");
    // Another variant: nothing is exempt, and the units differ.
    let text = BLACK_HOLE
        .text()
        .replace("id = \"black-hole\"", "id = \"other\"")
        .replace("unnamed = \"drawn\"", "unnamed = \"none\"")
        .replace("\"F EDI\", \"A LVP\"", "\"A EDI\", \"F LVP\"");
    let other = check(text).unwrap();
    let (mut same, mut forced) = (0, 0);
    for block in 0..12 {
        let games = [(&plain, 0, false), (&plain, 1, true), (&plain, 2, true), (&other, 3, true)]
            .map(|(variant, dice, moves)| draws(variant, 9, block, dice, moves));
        for game in &games[1..] {
            for ((at, eligible, hole), (other_at, other_eligible, other_hole)) in
                games[0].draws.iter().zip(&game.draws)
            {
                assert_eq!(at, other_at);
                if eligible.contains(*other_hole) && other_eligible.contains(*hole) {
                    assert_eq!(hole, other_hole, "block {block}, {at}");
                    same += 1;
                } else {
                    assert_ne!(hole, other_hole);
                    forced += 1;
                }
            }
        }
        // Bots that differ but do not change the exemptions do not change any hole.
        let holes = |noted: &Noted| noted.draws.iter().map(|d| d.2).collect::<Vec<_>>();
        let (a, b) = (holes(&games[0]), holes(&games[2]));
        let n = a.len().min(b.len());
        assert_eq!(a[..n], b[..n], "block {block}");
        assert!(n > 10);
    }
    assert!(same > 500 && forced > 0, "{same} the same, {forced} could not be");
}

#[test]
fn black_hole_rulings_4_2_another_block_or_root_seed_meets_others() {
    let variant = variant("black-hole");
    let holes =
        |seed, block| draws(&variant, seed, block, 0, false).draws.iter().map(|d| d.2).collect::<Vec<_>>();
    assert_eq!(holes(1, 1), holes(1, 1));
    assert_ne!(holes(1, 1), holes(1, 2));
    assert_ne!(holes(1, 1), holes(2, 1));
}

// ---- rules.md 7 ----

#[test]
fn black_hole_rulings_7_without_unit_and_centre_a_power_is_out() {
    let none = BLACK_HOLE.changed("unnamed = \"drawn\"", "unnamed = \"none\"");
    let mut told = Told::default();
    let mut nature = Seeded { seed: 3, block: 1 };
    let mut game = Game::new(none, 1950);
    play_out(&mut game, bots(|_| ()), 1, &mut nature, &mut told);
    let out = |power| told.events.iter().filter(|(_, event)| *event == Event::Eliminated(power)).count();
    for power in Powers::STANDARD {
        let is_out = game.world().position.is_out(power);
        assert_eq!(out(power), usize::from(is_out), "{power:?}: reported once, or never");
        assert_eq!(game.eliminated()[power].is_some(), is_out, "{power:?}");
    }
    let all: usize = Powers::STANDARD.iter().map(out).sum();
    assert!(all > 3, "{all} are out");
}
