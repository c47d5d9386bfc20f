//! The game as one power imagines it contains everything that the power knows, and nothing that it does not know.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use crate::helpers::seats::{bots, dice};
use crate::helpers::shipped::{BLACK_HOLE, BLACK_HOLE_I, SCHIZO_II, check};
use crate::helpers::table::Table;
use upheaval::ask::{Answer, Ask, Exempt, Imagined, Observation};
use upheaval::bot::{Bot, Decision};
use upheaval::game::{Game, Referee, Stage};
use upheaval::ids::{Power, Powers};
use upheaval::play::{Seats, play_stage};
use upheaval::rng::Stream;
use upheaval::rules::nature::Seeded;
use upheaval::rules::position::Phase;

/// The imagined games of France, movement phase by movement phase.
type Visions = Arc<Mutex<Vec<Imagined>>>;

/// Holds, names one of its home centres, and imagines the game if asked to.
struct Dreamer {
    names: usize,
    announces: bool,
    visions: Option<Visions>,
}

impl Bot for Dreamer {
    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        match ask {
            Ask::Movement(_) => {
                if let Some(visions) = &self.visions {
                    visions.lock().expect("no panic").push(seen.imagined(dice));
                }
            }
            Ask::Exempt(Exempt { choices }) => {
                if let Some(centre) = choices.iter().nth(self.names) {
                    answer.give(&Decision::Exempt(centre));
                }
            }
            Ask::Announce(_) if self.announces => {
                answer.give(&Decision::Announce);
            }
            _ => {}
        }
    }
}

/// Plays black-hole-i, in which the other powers name their `names`-th home centre, to the end of Fall 1901. Returns
/// what France imagined before its last orders, and the game.
fn play(names: usize, announces: bool, dreams: bool, seed: u64) -> (Option<Imagined>, Game) {
    let mut game = Game::new(BLACK_HOLE_I.variant(), 1910);
    let visions = Visions::default();
    let mut bots = bots(|power| {
        let france = power == Power::FRANCE;
        let visions = (france && dreams).then(|| Arc::clone(&visions));
        let names = if france { 0 } else { names };
        Dreamer { names, announces: announces && !france, visions }
    });
    let mut dice = dice(3);
    let mut referee = Referee::new();
    let mut nature = Seeded { seed, block: 0 };
    let end: Phase = "W1901A".parse().expect("a phase");
    while game.stage() != Stage::Over && game.phase() < end {
        let mut seats = Seats { bots: &mut bots, dice: &mut dice };
        play_stage(&mut game, &mut referee, &mut seats, &mut nature, &mut ());
    }
    let vision = visions.lock().expect("no panic").pop();
    (vision, game)
}

/// Seeds under which the holes of 1901 are the same whichever home centres are spared.
fn seeds() -> impl Iterator<Item = u64> {
    let holes = |names, seed| play(names, false, false, seed).1.terrain().hash();
    (0..24).filter(move |&seed| holes(0, seed) == holes(1, seed))
}

#[test]
fn what_others_keep_secret_leaves_no_trace_in_it() {
    let mut compared = 0;
    for seed in seeds() {
        let [(a, real_a), (b, real_b)] = [0, 1].map(|names| play(names, false, true, seed));
        let (a, b) = (a.expect("imagined"), b.expect("imagined"));
        assert_ne!(real_a.hash(), real_b.hash(), "the secrets differ");
        assert_eq!(a.game.hash(), b.game.hash(), "seed {seed}");
        assert_eq!(a.nature.seed, b.nature.seed);
        compared += 1;
    }
    assert!(compared >= 6, "{compared}");
}

#[test]
fn what_a_power_knows_is_in_it() {
    let mut differ = 0;
    for seed in seeds() {
        let (vision, real) = play(1, false, true, seed);
        let vision = vision.expect("imagined");
        let [imagined, real] = [&vision.game, &real].map(|game| &game.world().exemptions);
        assert_eq!(imagined[Power::FRANCE], real[Power::FRANCE]);
        for power in Powers::STANDARD {
            let guess = imagined[power].centre.expect("a guess");
            let homes = vision.game.terrain().homes()[power];
            assert!(homes.contains(guess) || power == Power::FRANCE, "{power:?}");
            differ += u32::from(imagined[power].centre != real[power].centre);
        }
        assert_eq!(vision.game.phase().to_string(), "F1901M");
    }
    assert!(differ > 0, "guesses are not always right");
}

#[test]
fn what_is_announced_is_known() {
    for seed in seeds() {
        let (vision, real) = play(1, true, true, seed);
        let vision = vision.expect("imagined");
        for power in Powers::STANDARD {
            let announced = real.world().exemptions[power].announced;
            assert_eq!(announced.is_some(), power != Power::FRANCE);
            assert_eq!(vision.game.world().exemptions[power].announced, announced);
            if announced.is_some() {
                assert_eq!(vision.game.world().exemptions[power].centre, announced);
            }
        }
    }
}

#[test]
fn to_imagine_a_game_changes_nothing_in_the_real_one() {
    for seed in 0..4 {
        let [(_, with), (_, without)] = [true, false].map(|dreams| play(0, false, dreams, seed));
        assert_eq!(with.hash(), without.hash());
        assert_eq!(with.phase(), without.phase());
    }
}

#[test]
fn nature_is_drawn_from_the_dice_and_is_not_the_real_one() {
    let natures: Vec<u64> =
        (0..4).map(|seed| play(0, false, true, seed).0.expect("imagined").nature.seed).collect();
    assert!(natures.iter().all(|nature| *nature == natures[0]), "the real one changes nothing: {natures:?}");
    assert!(!(0..4).contains(&natures[0]));
}

/// The exempt centre of a power that France guesses before the orders that this game waits for, for many dice.
fn guesses(table: &Table, of: Power) -> BTreeSet<Option<String>> {
    let guess = |seed| {
        let visions = Visions::default();
        let mut bots = bots(|power| {
            let visions = (power == Power::FRANCE).then(|| Arc::clone(&visions));
            Dreamer { names: 0, announces: false, visions }
        });
        let (mut game, mut dice) = (table.game.clone(), dice(seed));
        let mut seats = Seats { bots: &mut bots, dice: &mut dice };
        play_stage(&mut game, &mut Referee::new(), &mut seats, &mut Seeded { seed: 1, block: 0 }, &mut ());
        let vision = visions.lock().expect("no panic").pop().expect("France has imagined it");
        vision.game.world().exemptions[of].centre.map(|centre| table.name(centre).to_owned())
    };
    (0..64).map(guess).collect()
}

/// These names, or none.
fn those(names: &[&str], or_none: bool) -> BTreeSet<Option<String>> {
    let none = or_none.then_some(None);
    names.iter().map(|name| Some((*name).to_owned())).chain(none).collect()
}

#[test]
fn where_a_power_may_have_no_exempt_centre_that_is_one_of_the_guesses() {
    // In `schizo-ii` a power that names none has none; elsewhere one is drawn for it.
    let units: &[(Power, &[&str])] = &[(Power::FRANCE, &["A PAR"]), (Power::TURKEY, &["A CON"])];
    let homes = ["ANK", "CON", "SMY"];
    let schizo = SCHIZO_II.set("S1902M", &[], units, &[(Power::TURKEY, &homes)]);
    assert_eq!(guesses(&schizo, Power::TURKEY), those(&homes, true));
    let drawn = BLACK_HOLE_I.set("S1902M", &[], units, &[(Power::TURKEY, &homes)]);
    assert_eq!(guesses(&drawn, Power::TURKEY), those(&homes, false));
    let first = BLACK_HOLE_I.set("S1901M", &[], units, &[(Power::TURKEY, &homes)]);
    assert_eq!(guesses(&first, Power::TURKEY), those(&[], true), "nobody has named one yet");
}

#[test]
fn what_has_been_a_hole_was_not_exempt_and_a_second_half_has_no_part_in_an_exemption() {
    let units: &[(Power, &[&str])] = &[(Power::FRANCE, &["A PAR"]), (Power::TURKEY, &["A ARM"])];
    let mut table = SCHIZO_II
        .set("S1905M", &[], units, &[(Power::TURKEY, &["ANK", "CON", "SMY"])])
        .hole("S1905", "SMY")
        .split("S1905", "split CON BUL SMY")
        .hole("F1905", "UKR")
        .drawn("F1905", "restores", "SMY");
    table.season(&[]);
    assert_eq!(guesses(&table, Power::TURKEY), those(&["ANK", "CON.1"], true), "Smyrna is a hole");
    table.season(&[]);
    assert!(table.position().centres_of(Power::TURKEY).contains(table.id("SMY")), "it is back");
    assert_eq!(guesses(&table, Power::TURKEY), those(&["ANK", "CON.1"], true), "it cannot have been exempt");
}

#[test]
fn of_a_power_that_is_out_the_exemption_is_guessed_unless_it_lapses() {
    let units: &[(Power, &[&str])] = &[(Power::FRANCE, &["A PAR"]), (Power::ITALY, &["A SMY"])];
    let set = |table: Table| {
        assert!(table.position().is_out(Power::TURKEY));
        guesses(&table, Power::TURKEY)
    };
    assert_eq!(set(BLACK_HOLE.set("S1902M", &[], units, &[])), those(&["ANK", "CON", "SMY"], false));
    assert_eq!(set(BLACK_HOLE_I.set("S1902M", &[], units, &[])), those(&[], true));
}

#[test]
fn a_power_that_was_out_and_is_back_has_no_exemption_where_that_lapses() {
    // Like `black-hole-i`, except that holes come back, and home centres with their last owner.
    let restores = "[[changes]]\nid = \"restores\"\nof = \"holed - new(holes)\"\ncount = 1\nper = \"holes\"\n\
                    change = \"restore\"\nfrom = \"S1901\"\nowner = \"home-last-owner\"\n";
    let text = BLACK_HOLE_I.text_with("[sources]", &format!("{restores}\n[sources]"));
    let variant = check(text).unwrap_or_else(|error| panic!("{error}"));
    let back = |named: bool| {
        let units: &[(Power, &[&str])] = &[(Power::FRANCE, &["A PAR"])];
        let owners: &[(Power, &[&str])] = &[(Power::TURKEY, &["ANK"]), (Power::FRANCE, &["PAR"])];
        let mut table = Table::set_in(Arc::clone(&variant), "S1903M", &[], units, owners)
            .hole("S1903", "ANK")
            .hole("F1903", "UKR")
            .hole("S1904", "BOH")
            .drawn("S1904", "restores", "ANK");
        if named {
            table = table.exempt(&[(Power::TURKEY, "CON")]);
        }
        table.season(&[]);
        assert!(table.position().is_out(Power::TURKEY));
        table.season(&[]).season(&[]);
        assert_eq!(table.centres(Power::TURKEY), ["ANK"], "it plays on");
        table
    };
    for named in [true, false] {
        let table = back(named);
        assert_eq!(table.game.world().exemptions[Power::TURKEY].centre, None);
        assert_eq!(guesses(&table, Power::TURKEY), those(&[], true), "everybody saw it go");
        assert_eq!(guesses(&table, Power::ITALY), those(&[], true), "out from the start");
    }
}
