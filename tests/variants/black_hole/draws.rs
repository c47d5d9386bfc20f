//! The draws of `black-hole`: Tinamou rules 1, 3 and 4; rules.md 4.1, 4.2, 4.5.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::helpers::chances::uniform;
use crate::helpers::seats::{bots, draw_answer, play_out};
use crate::helpers::shipped::{BLACK_HOLE, check, variant};
use crate::helpers::table::{Table, Told, phase};
use upheaval::ask::{Answer, Ask, Observation};
use upheaval::bot::{Bot, Decision};
use upheaval::game::{Game, Referee, Stage};
use upheaval::ids::{ByPower, Power, Powers, ProvinceId, ProvinceSet};
use upheaval::rng::Stream;
use upheaval::rules::answers::Answers;
use upheaval::rules::event::Event;
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::nature::{HowMany, Nature, Seeded};
use upheaval::rules::position::Phase;
use upheaval::rules::variant::Variant;

/// The holes that were drawn.
fn holes(told: &Told) -> Vec<(Phase, ProvinceId)> {
    let hole = |(at, event): &(Phase, Event)| match event {
        Event::HoleDrawn(hole) => Some((*at, *hole)),
        _ => None,
    };
    told.events.iter().filter_map(hole).collect()
}

// ---- rules 3 and 4 ----

/// Games of 34 years in which nobody moves. Three powers name their exempt centres.
#[test]
fn black_hole_rules_3_and_4_all_but_switzerland_and_the_exempt_centres_is_drawn_once() {
    let variant = variant("black-hole");
    let named = [(Power::RUSSIA, "SEV"), (Power::FRANCE, "BRE"), (Power::TURKEY, "SMY")]
        .map(|(power, name)| (power, variant.terrain.names().find(name)));
    let mut answers = Answers::none(Powers::STANDARD);
    for (power, centre) in named {
        answers.declared.exempt[power] = centre;
    }
    for seed in 0..testkit::amount(10, 60) {
        let mut game = Game::new(Arc::clone(&variant), 1934);
        let (mut referee, mut nature, mut told) =
            (Referee::new(), Seeded { seed, block: 0 }, Told::default());
        while game.stage() != Stage::Over {
            game.settle(&mut referee, &answers, &mut nature, &mut told);
        }
        for (power, centre) in named {
            assert_eq!(game.world().exemptions[power].centre, centre, "seed {seed}");
        }
        let exempt = game.world().exempt_centres();
        assert_eq!(exempt.len(), 7);
        let mut drawn: Vec<ProvinceId> = holes(&told).into_iter().map(|(_, hole)| hole).collect();
        drawn.sort_unstable();
        let open: Vec<ProvinceId> = (variant.terrain.board().passable() - exempt).iter().collect();
        assert_eq!((drawn.len(), drawn), (68, open), "seed {seed}");
    }
}

#[test]
fn black_hole_rulings_4_5_a_power_that_names_no_own_home_has_one_drawn_and_none_else_has() {
    for wrong in ["BER", "BUR", "SPA", "SWI"] {
        let mut table = Table::new_game(variant("black-hole"), 1910);
        let mut exempt: ByPower<Option<ProvinceId>> = ByPower::new(Powers::STANDARD);
        exempt[Power::ENGLAND] = Some(table.id("EDI"));
        exempt[Power::FRANCE] = Some(table.id(wrong));
        table.nature.exempt[Power::FRANCE] = Some(table.id("MAR"));
        table.move_exempting(&[], &exempt);
        let asked: Vec<Power> = Powers::STANDARD.iter().filter(|&p| p != Power::ENGLAND).collect();
        assert_eq!(table.nature.asked_for_exempt, asked, "{wrong}");
        let centre = |power| table.game.world().exemptions[power].centre.map(|id| table.name(id));
        assert_eq!([Power::ENGLAND, Power::FRANCE].map(centre), [Some("EDI"), Some("MAR")], "{wrong}");
        let [edinburgh, marseilles] = ["EDI", "MAR"].map(|name| table.id(name));
        assert!(table.when(|e| *e == Event::ExemptNamed(Power::ENGLAND, edinburgh)).is_some());
        assert!(table.when(|e| *e == Event::ExemptDrawn(Power::FRANCE, marseilles)).is_some());
        assert_eq!(table.game.world().exempt_centres().len(), 7);
        assert!(table.game.exempt_choices(Power::ENGLAND).is_empty(), "once, with the first orders");
    }
}

#[test]
fn black_hole_rulings_4_1_even_if_nature_offers_it_what_is_not_eligible_is_not_drawn() {
    let mut table = BLACK_HOLE.set("S1901M", &[], &[(Power::FRANCE, &["A PAR"])], &[]).hole("S1901", "SWI");
    table.move_all(&[]);
    assert_eq!(holes(&table.told), []);
}

// ---- rules.md 4.1, 4.2, 4.5: the draws ----

/// What nature draws among these faces for holes, with this seed and block.
fn draw(
    terrain: &MapTables,
    [seed, block]: [u64; 2],
    at: &str,
    eligible: &ProvinceSet,
    count: usize,
) -> Vec<ProvinceId> {
    let black_hole = variant("black-hole");
    let holes = black_hole.changes.entry("holes").expect("it has holes");
    Seeded { seed, block }.faces(phase(at), holes, terrain, eligible, HowMany::Count(count))
}

#[track_caller]
fn expect_uniform(among: &ProvinceSet, draws: impl Iterator<Item = ProvinceId>) {
    let mut counts: BTreeMap<ProvinceId, u64> = among.iter().map(|p| (p, 0)).collect();
    draws.for_each(|drawn| *counts.get_mut(&drawn).expect("only these are drawn") += 1);
    let p = uniform(counts.values());
    assert!(p > 0.001, "p = {p}");
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
        let blocks = 0..200 * eligible.len() as u64;
        expect_uniform(
            &eligible,
            blocks.map(|block| draw(&variant.terrain, [17, block], at, &eligible, 1)[0]),
        );
    }
}

#[test]
fn black_hole_rulings_4_5_the_drawn_exemption_is_uniform_over_the_home_centres() {
    let variant = variant("black-hole");
    for power in Powers::STANDARD {
        let homes = variant.terrain.homes()[power];
        let drawn =
            |block| Seeded { seed: 23, block }.exempt(phase("S1901M"), "exemption", power, &homes).unwrap();
        expect_uniform(&homes, (0..4_000).map(drawn));
    }
}

#[test]
fn black_hole_rulings_4_2_without_the_first_that_is_drawn_the_others_follow_in_the_same_order() {
    let variant = variant("black-hole");
    let all = variant.terrain.board().passable();
    assert_eq!(all.len(), 75, "Switzerland and the Outside are none");
    for block in 0..1_000 {
        let draw = |eligible: &ProvinceSet, n| draw(&variant.terrain, [7, block], "F1903M", eligible, n);
        let order = draw(&all, 5);
        assert_eq!(order.iter().copied().collect::<ProvinceSet>().len(), 5, "all are different");
        assert_eq!(draw(&(all - ProvinceSet::single(order[0])), 4), order[1..]);
    }
}

#[test]
fn black_hole_rulings_4_1_two_seasons_are_drawn_independently() {
    let variant = variant("black-hole");
    let eligible = variant.terrain.board().passable();
    let same = (0..7_500).filter(|&block| {
        let [spring, fall] =
            ["S1901M", "F1901M"].map(|at| draw(&variant.terrain, [5, block], at, &eligible, 1));
        spring == fall
    });
    let same = same.count();
    assert!((60..=145).contains(&same), "{same} of 7500 are the same; 100 are expected");
}

// ---- rules.md 4.2: games of one block ----

/// A bot that draws its orders, or holds, and names this exempt centre.
struct Drawer {
    moves: bool,
    names: Option<&'static str>,
}

impl Bot for Drawer {
    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        draw_answer(seen, ask, dice, answer, self.moves);
        if let (Ask::Exempt(_), Some(name)) = (ask, self.names) {
            answer.give(&Decision::Exempt(seen.names().find(name).expect("a centre")));
        }
    }
}

/// The exempt centres and the holes of a game with this root seed and block. If the dice are odd, Italy names Rome.
fn played(
    variant: &Arc<Variant>,
    [seed, block]: [u64; 2],
    dice: u64,
    moves: bool,
) -> (ProvinceSet, Vec<(Phase, ProvinceId)>) {
    let (mut game, mut told) = (Game::new(Arc::clone(variant), 1912), Told::default());
    let names = |power| (dice % 2 == 1 && power == Power::ITALY).then_some("ROM");
    let seats = bots(|power| Drawer { moves, names: names(power) });
    play_out(&mut game, seats, dice, &mut Seeded { seed, block }, &mut told);
    (game.world().exempt_centres(), holes(&told))
}

#[test]
fn black_hole_rulings_4_2_one_block_meets_the_same_catastrophes_as_far_as_they_are_eligible() {
    let plain = variant("black-hole");
    // Another variant: nothing is exempt, and the units differ.
    let text = BLACK_HOLE
        .text()
        .replace("id = \"black-hole\"", "id = \"other\"")
        .replace("unnamed = \"nature\"", "unnamed = \"none\"")
        .replace("\"F EDI\", \"A LVP\"", "\"A EDI\", \"F LVP\"");
    let other = check(text).unwrap();
    let (mut same, mut forced) = (0, 0);
    let blocks = testkit::amount(3, 12);
    for block in 0..blocks {
        let games = [(&plain, 0, false), (&plain, 1, true), (&plain, 2, true), (&other, 3, true)]
            .map(|(variant, dice, moves)| played(variant, [9, block], dice, moves));
        let (exempt, holes) = &games[0];
        for (other_exempt, other_holes) in &games[1..] {
            // What each game can draw: all but the exempt and the holes.
            let all = plain.terrain.board().passable();
            let (mut open, mut other_open) = (all - *exempt, all - *other_exempt);
            for ((at, hole), (other_at, other_hole)) in holes.iter().zip(other_holes) {
                assert_eq!(at, other_at);
                if open.contains(*other_hole) && other_open.contains(*hole) {
                    assert_eq!(hole, other_hole, "block {block}, {at}");
                    same += 1;
                } else {
                    assert_ne!(hole, other_hole);
                    forced += 1;
                }
                open -= ProvinceSet::single(*hole);
                other_open -= ProvinceSet::single(*other_hole);
            }
        }
        // Bots that differ but do not change the exemptions do not change any hole.
        let n = holes.len().min(games[2].1.len());
        assert_eq!(holes[..n], games[2].1[..n], "block {block}");
        assert!(n > 10);
    }
    assert!(
        same > 20 * blocks && (same > 500 && forced > 0 || blocks < 12),
        "{same} the same, {forced} could not be"
    );
}

#[test]
fn black_hole_rulings_4_2_another_block_or_root_seed_meets_others() {
    let variant = variant("black-hole");
    let holes = |seed, block| played(&variant, [seed, block], 0, false).1;
    assert_eq!(holes(1, 1), holes(1, 1));
    assert_ne!(holes(1, 1), holes(1, 2));
    assert_ne!(holes(1, 1), holes(2, 1));
}

// ---- rules.md 7 ----

#[test]
fn black_hole_rulings_7_without_unit_and_centre_a_power_is_out() {
    let none = BLACK_HOLE.changed("unnamed = \"nature\"", "unnamed = \"none\"");
    let (mut told, mut game) = (Told::default(), Game::new(none, 1950));
    play_out(&mut game, bots(|_| ()), 1, &mut Seeded { seed: 3, block: 1 }, &mut told);
    let out = |power| told.events.iter().filter(|(_, event)| *event == Event::Eliminated(power)).count();
    for power in Powers::STANDARD {
        let is_out = game.world().position.is_out(power);
        assert_eq!(out(power), usize::from(is_out), "{power:?}: reported once, or never");
        assert_eq!(game.eliminated()[power].is_some(), is_out, "{power:?}");
    }
    let all: usize = Powers::STANDARD.iter().map(out).sum();
    assert!(all > 3, "{all} are out");
}
