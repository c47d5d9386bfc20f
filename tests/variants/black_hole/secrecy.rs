//! The secrets of `black-hole` and `black-hole-i`, and what they foretell: Tinamou rules 2 and 3, and rr01 rules 2 and 7,
//! in the observations of bots.

use std::sync::{Arc, Mutex};

use crate::helpers::seats::{bots, draw_answer, play_out};
use crate::helpers::shipped::{BLACK_HOLE, BLACK_HOLE_I, Shipped};
use crate::helpers::table::{Fated, Told, phase};
use upheaval::ask::{Answer, Ask, Observation, Retreats};
use upheaval::bot::{Bot, Decision};
use upheaval::game::Game;
use upheaval::ids::{ByPower, Power, Powers, ProvinceId};
use upheaval::rng::Stream;
use upheaval::rules::event::Event;
use upheaval::rules::position::{Phase, PhaseKind, Season};

/// A bot that draws its orders, names its centre, wants it announced from a certain phase on, and records its
/// observations.
struct Spy {
    power: Power,
    names: Option<&'static str>,
    announces: Option<Phase>,
    notes: Arc<Mutex<Vec<Note>>>,
}

#[derive(Clone, PartialEq)]
struct Note {
    by: Power,
    at: Phase,
    retreats: bool,
    /// All that is on the board.
    board: String,
    announced: ByPower<Option<String>>,
    own: Option<String>,
    doomed: usize,
}

impl Spy {
    fn note(&self, seen: &Observation<'_>, ask: &Ask) {
        assert_eq!(seen.power, self.power);
        let names = seen.names();
        let name = |id: ProvinceId| names.province(id).to_owned();
        let place = |id: ProvinceId| {
            let (unit, owner) = (seen.position.unit(id), seen.position.owner(id));
            let (army, fleet) = (seen.board.army_reach(id), seen.board.fleet_reach_any(id));
            format!("{} {unit:?} {owner:?} {army:?} {fleet:?} {:?}", name(id), names.coasts(id))
        };
        let places: Vec<String> = seen.board.passable().iter().map(place).collect();
        let (centres, homes, doomed, rulebook) = (seen.centres, seen.homes, seen.doomed, seen.rulebook);
        self.notes.lock().unwrap().push(Note {
            by: self.power,
            at: seen.phase,
            retreats: matches!(ask, Ask::Retreats(_)),
            board: format!("{centres:?} {homes:?} {doomed:?} {rulebook:?} {:?} {places:?}", seen.swallowed),
            announced: ByPower::from_fn(Powers::STANDARD, |power| seen.announced(power).map(name)),
            own: seen.exempt.map(name),
            doomed: seen.doomed.len(),
        });
    }
}

impl Bot for Spy {
    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        match ask {
            Ask::Exempt(_) => {
                if let Some(centre) = self.names.and_then(|name| seen.names().find(name)) {
                    answer.give(&Decision::Exempt(centre));
                }
            }
            Ask::Announce(_) => {
                assert!(!seen.position.is_out(seen.power), "who is out is not asked for orders (rules.md 7)");
                if self.announces.is_some_and(|from| seen.phase >= from) {
                    answer.give(&Decision::Announce);
                }
            }
            _ => {
                self.note(seen, ask);
                draw_answer(seen, ask, dice, answer, true);
            }
        }
        if let Ask::Retreats(Retreats { choices }) = ask {
            let mut options = choices.iter().flat_map(|choice| &choice.options);
            assert!(options.all(|to| !seen.doomed.contains(to.province)));
        }
    }
}

/// The notes of five years with ten holes, none of which is a home centre. Germany names this centre, and wants it
/// announced from Fall 1902 on; all others want announcements all the time.
fn spied(variant: Shipped, seed: u64, german: &'static str) -> (Vec<Note>, Told) {
    let notes = Arc::new(Mutex::new(Vec::new()));
    let spies = bots(|power| {
        let (names, from) = if power == Power::GERMANY { (Some(german), "F1902M") } else { (None, "S1901M") };
        Spy { power, names, announces: Some(phase(from)), notes: Arc::clone(&notes) }
    });
    let (mut nature, mut told) = (Fated::default(), Told::default());
    for (i, hole) in "BOH UKR ENG GAS TUN SYR LVN ALB YOR FIN".split(' ').enumerate() {
        let at = (1901 + i as u16 / 2, if i % 2 == 0 { Season::Spring } else { Season::Fall });
        nature.faces.insert(at, vec![(None, hole.to_owned())]);
    }
    let mut game = Game::new(variant.variant(), 1905);
    play_out(&mut game, spies, seed, &mut nature, &mut told);
    let notes = notes.lock().unwrap().clone();
    (notes, told)
}

/// What the others see if Germany names Munich, and if it names Berlin.
fn of_others(variant: Shipped, seed: u64) -> [Vec<Note>; 2] {
    ["MUN", "BER"].map(|german| {
        let mut notes = spied(variant, seed, german).0;
        notes.retain(|note| note.by != Power::GERMANY);
        assert!(notes.len() > 40, "{} observations", notes.len());
        notes
    })
}

#[test]
fn black_hole_rule_3_second_sentence_the_exemption_is_secret() {
    for seed in 0..4 {
        let [munich, berlin] = of_others(BLACK_HOLE, seed);
        assert!(munich == berlin, "seed {seed}: somebody saw the difference");
        assert!(munich.iter().all(|note| note.announced.iter().all(|(_, centre)| centre.is_none())));
    }
}

#[test]
fn black_hole_i_rule_7_the_choice_is_not_revealed_until_its_player_has_it_announced() {
    for seed in 0..4 {
        let [munich, berlin] = of_others(BLACK_HOLE_I, seed);
        // Takes away what Germany had announced.
        let rest = |mut notes: Vec<Note>, centre: &str| {
            for note in &mut notes {
                let told = note.announced[Power::GERMANY].take();
                let is_told = note.at > phase("F1902M");
                assert_eq!(told.as_deref(), is_told.then_some(centre), "seed {seed}, {}", note.at);
            }
            notes
        };
        assert!(rest(munich, "MUN") == rest(berlin, "BER"), "seed {seed}: somebody saw another difference");
    }
    let (_, told) = spied(BLACK_HOLE_I, 0, "MUN");
    let announced =
        told.events.iter().filter(|(_, event)| matches!(event, Event::ExemptAnnounced(Power::GERMANY, _)));
    assert_eq!(announced.count(), 1, "once is enough");
}

#[test]
fn black_hole_rule_3_second_sentence_the_owner_knows_its_own() {
    for variant in [BLACK_HOLE, BLACK_HOLE_I] {
        for note in spied(variant, 3, "MUN").0.iter().filter(|note| note.by == Power::GERMANY) {
            let is_settled = note.at > phase("S1901M");
            assert_eq!(note.own.as_deref(), is_settled.then_some("MUN"), "{}", note.at);
        }
    }
}

/// The hole is foretold to the retreats of `black-hole`, and never in `black-hole-i`.
#[test]
fn black_hole_rule_2_retreats_know_the_hole_and_those_of_black_hole_i_do_not() {
    for (variant, foretells) in [(BLACK_HOLE, true), (BLACK_HOLE_I, false)] {
        let notes: Vec<Note> = (0..20).flat_map(|seed| spied(variant, seed, "MUN").0).collect();
        for note in &notes {
            assert_eq!(note.doomed, usize::from(foretells && note.retreats), "{}", note.at);
        }
        let met = |kind| notes.iter().any(|note| note.at.kind == kind);
        assert!(met(PhaseKind::Retreats) && met(PhaseKind::Adjustments));
    }
}
