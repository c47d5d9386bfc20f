//! Rule 7 of `black-hole-i` (rr01), and that nothing is foretold: the observations of bots.

use std::sync::{Arc, Mutex};

use crate::helpers::seats::{bots, draw_answer, play_out};
use crate::helpers::shipped::BLACK_HOLE_I;
use crate::helpers::table::{Fated, Told};
use upheaval::ask::{Answer, Ask, Observation};
use upheaval::bot::{Bot, Decision};
use upheaval::game::Game;
use upheaval::ids::{ByPower, Power, Powers, ProvinceId};
use upheaval::rng::Stream;
use upheaval::rules::event::Event;
use upheaval::rules::nature::Draw;
use upheaval::rules::position::{Phase, PhaseKind, Season};
use upheaval::rules::variant::Variant;

/// A bot that draws its orders, names its centre, announces it from a certain phase on, and records its observations:
/// the common part, the announcements of others, and its own part.
struct Spy {
    power: Power,
    names: Option<&'static str>,
    announces: Option<Phase>,
    notes: Notes,
}

type Notes = Arc<Mutex<Vec<Note>>>;

#[derive(Clone, Debug)]
struct Note {
    by: Power,
    at: Phase,
    board: String,
    announced: ByPower<Option<String>>,
    own: Option<String>,
    doomed: usize,
}

impl Spy {
    fn note(&self, seen: &Observation<'_>) {
        let names = seen.names();
        let name = |id: ProvinceId| names.province(id).to_owned();
        let provinces: Vec<String> = seen
            .board
            .passable()
            .iter()
            .map(|id| format!("{} {:?} {:?}", name(id), seen.position.unit(id), seen.position.owner(id)))
            .collect();
        self.notes.lock().unwrap().push(Note {
            by: self.power,
            at: seen.phase,
            board: format!("{:?} {:?} {:?} {provinces:?}", seen.centres, seen.homes, seen.swallowed),
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
                assert!(
                    !seen.position.is_out(seen.power),
                    "eliminated powers are not asked for orders (rules.md 7)"
                );
                if self.announces.is_some_and(|from| seen.phase >= from) {
                    answer.give(&Decision::Announce);
                }
            }
            _ => {
                self.note(seen);
                draw_answer(seen, ask, dice, answer, true);
            }
        }
    }
}

/// Plays a game of spies. The holes are placed so that no home centre falls.
fn spied(
    variant: Arc<Variant>,
    seed: u64,
    names: impl Fn(Power) -> Option<&'static str>,
    announces: impl Fn(Power) -> Option<&'static str>,
) -> (Game, Vec<Note>, Told) {
    let notes: Notes = Notes::default();
    let spies = bots(|power| {
        let announces = announces(power).map(|text| text.parse().unwrap());
        Spy { power, names: names(power), announces, notes: Arc::clone(&notes) }
    });
    let (mut nature, mut told) = (Fated::default(), Told::default());
    for (i, hole) in "BOH UKR ENG GAS TUN SYR LVN ALB YOR FIN".split(' ').enumerate() {
        let at = (1901 + i as u16 / 2, if i % 2 == 0 { Season::Spring } else { Season::Fall });
        nature.faces.insert(at, vec![(Draw::Holes, hole.to_owned())]);
    }
    let mut game = Game::new(variant, 1906);
    play_out(&mut game, spies, seed, &mut nature, &mut told);
    let notes = notes.lock().unwrap().clone();
    (game, notes, told)
}

#[test]
fn black_hole_i_rule_7_the_choice_is_not_revealed_until_its_player_has_it_announced() {
    let announced_at: Phase = "F1902M".parse().unwrap();
    for seed in 0..5 {
        // Two games that differ only in the centre that Germany names. All the others want announcements all the time.
        let [of_munich, of_berlin] = ["MUN", "BER"].map(|name| {
            let names = |power| (power == Power::GERMANY).then_some(name);
            let announces = |power| Some(if power == Power::GERMANY { "F1902M" } else { "S1901M" });
            spied(BLACK_HOLE_I.variant(), seed, names, announces).1
        });
        assert_eq!(of_munich.len(), of_berlin.len());
        let mut told = 0;
        for (a, b) in of_munich.iter().zip(&of_berlin).filter(|(a, _)| a.by != Power::GERMANY) {
            assert_eq!((a.by, a.at, &a.board, &a.own), (b.by, b.at, &b.board, &b.own), "seed {seed}");
            let germanys = (a.announced[Power::GERMANY].as_deref(), b.announced[Power::GERMANY].as_deref());
            if a.at <= announced_at {
                assert_eq!(
                    germanys,
                    (None, None),
                    "seed {seed}, {}: nobody else can have it announced",
                    a.at
                );
            } else {
                assert_eq!(germanys, (Some("MUN"), Some("BER")), "seed {seed}, {}", a.at);
                told += 1;
            }
            let rest = |note: &Note| {
                Power::STANDARD.map(|p| note.announced[p].clone().filter(|_| p != Power::GERMANY))
            };
            assert_eq!(rest(a), rest(b));
        }
        assert!(told > 20, "{told}");
    }
}

#[test]
fn black_hole_i_rule_7_the_owner_sees_its_own() {
    let (_, notes, told) =
        spied(BLACK_HOLE_I.variant(), 3, |p| (p == Power::GERMANY).then_some("MUN"), |_| None);
    let germanys: Vec<_> =
        notes.iter().filter(|note| note.by == Power::GERMANY).map(|note| note.own.as_deref()).collect();
    assert_eq!((germanys[0], germanys[1]), (None, Some("MUN")), "before and after the first orders");
    assert!(notes.iter().all(|note| note.announced.iter().all(|(_, name)| name.is_none())));
    assert!(told.events.iter().all(|(_, event)| !matches!(event, Event::ExemptAnnounced(..))));
}

#[test]
fn black_hole_i_rule_2_no_bot_sees_a_doomed_province_in_any_phase() {
    let (mut retreats, mut adjustments) = (0, 0);
    for seed in 0..40 {
        let (_, notes, _) = spied(BLACK_HOLE_I.variant(), seed, |_| None, |_| None);
        assert!(notes.iter().all(|note| note.doomed == 0), "seed {seed}");
        retreats += notes.iter().filter(|note| note.at.kind == PhaseKind::Retreats).count();
        adjustments += notes.iter().filter(|note| note.at.kind == PhaseKind::Adjustments).count();
    }
    assert!(retreats > 0 && adjustments > 0, "{retreats} {adjustments}");
}

#[test]
fn black_hole_i_rule_7_a_choice_is_announced_at_once_if_its_player_wants_that() {
    let (_, notes, told) =
        spied(BLACK_HOLE_I.variant(), 3, |_| Some("MUN"), |p| (p == Power::GERMANY).then_some("S1901M"));
    let after: Vec<&Note> = notes.iter().filter(|note| note.at.to_string() != "S1901M").collect();
    assert!(after.iter().all(|note| note.announced[Power::GERMANY].as_deref() == Some("MUN")));
    let count =
        told.events.iter().filter(|(_, e)| matches!(e, Event::ExemptAnnounced(Power::GERMANY, _))).count();
    assert_eq!(count, 1, "and once is enough");
}

#[test]
fn black_hole_i_parameter_announce_never_asks_nobody() {
    let never = BLACK_HOLE_I.changed("announce = \"on-request\"", "announce = \"never\"");
    let (_, notes, told) = spied(never, 3, |_| None, |_| Some("S1901M"));
    assert!(notes.iter().all(|note| note.announced.iter().all(|(_, name)| name.is_none())));
    assert!(told.events.iter().all(|(_, event)| !matches!(event, Event::ExemptAnnounced(..))));
}
