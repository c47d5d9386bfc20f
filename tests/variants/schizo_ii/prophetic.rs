//! `schizo-ii`, prophetic retreats (rr07 rule 3, rules.md 4.12): nobody is asked after the movement, and nothing is
//! foretold.

use std::sync::Arc;

use crate::helpers::quick::kind;
use crate::helpers::seats::{bots, play_out};
use crate::helpers::shipped::{SCHIZO_II, variant};
use crate::helpers::table::{Lists, Table};
use upheaval::ask::{Answer, Ask, Observation};
use upheaval::bot::Bot;
use upheaval::game::Game;
use upheaval::ids::{Power, Powers, ProvinceId};
use upheaval::rng::Stream;
use upheaval::rules::answers::Answers;
use upheaval::rules::event::{Event, Log};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::nature::Seeded;
use upheaval::rules::order::Listing;
use upheaval::rules::position::Phase;
use upheaval::rules::settlement::{Settled, Settlement};
use upheaval::rules::variant::{RetreatsSent, Variant};

#[test]
fn schizo_ii_rule_3_first_sentence_prophetic_retreats_must_be_made_in_no_other_variant() {
    for id in Variant::shipped() {
        let sent = variant(id).retreats_sent;
        assert_eq!(sent == RetreatsSent::WithOrders, id == "schizo-ii", "{id}");
    }
    assert_eq!(variant("schizo-ii").listing(), Listing::InReach);
    // A file that does not say when retreats are sent asks for them.
    let silent = SCHIZO_II.changed("sent = \"with-orders\"\n", "");
    let asked = SCHIZO_II.changed("sent = \"with-orders\"", "sent = \"after-movement\"");
    assert_eq!((silent.retreats_sent, silent.listing()), (RetreatsSent::AfterMovement, Listing::None));
    assert_eq!(silent.content(), asked.content());
}

/// A bot that moves like another and must not be asked for retreats.
struct Unasked(Box<dyn Bot>);

impl Bot for Unasked {
    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        match ask {
            Ask::Movement(_) => {
                assert_eq!(seen.listing, Listing::InReach);
                self.0.decide(seen, ask, dice, answer);
            }
            Ask::Retreats(_) => panic!("{}: no power is asked anything after the movement", seen.phase),
            _ => {}
        }
    }
}

/// The phases in which retreats were logged, and the units that were reported as retreated or disbanded.
#[derive(Default)]
struct Logged {
    settled: Vec<(Phase, usize)>,
    told: Vec<Phase>,
}

impl Log for Logged {
    fn event(&mut self, at: Phase, _: &MapTables, event: &Event) {
        if matches!(event, Event::Retreated(..) | Event::Disbanded(_)) {
            self.told.push(at);
        }
    }

    fn settled(&mut self, settlement: &Settlement<'_>) {
        let Settled::Retreats { waiting, orders, outcomes, .. } = settlement.settled else { return };
        assert_eq!((waiting.dislodged.len(), orders.len()), (outcomes.len(), outcomes.len()));
        self.settled.push((settlement.at, outcomes.len()));
    }
}

#[test]
fn ruling_4_12_no_power_is_asked_anything_after_the_movement_and_retreats_are_logged_as_such() {
    let mut retreated = 0;
    for seed in 0..12 {
        let (mut game, mut log) = (Game::new(variant("schizo-ii"), 1908), Logged::default());
        let players = bots(|_| Unasked((kind("greedy").make)()));
        play_out(&mut game, players, seed, &mut Seeded { seed, block: 0 }, &mut log);
        assert!(log.settled.iter().all(|(at, _)| at.to_string().ends_with('R')), "{:?}", log.settled);
        let told = log.settled.iter().flat_map(|&(at, count)| std::iter::repeat_n(at, count));
        assert!(told.eq(log.told.iter().copied()), "each is reported in the phase in which it is settled");
        retreated += log.told.len();
    }
    assert!(retreated > 20, "{retreated} units retreated");
}

/// Draws are keyed by season and purpose, so it does not matter whether a hole is drawn before or after the retreats
/// (rules.md 4.2).
#[test]
fn schizo_ii_rulings_4_2_a_hole_drawn_after_the_retreats_is_the_one_that_would_have_been_foretold() {
    let foretold = SCHIZO_II.changed("foretold = \"no\"", "foretold = \"before-retreats\"");
    let units: &Lists<'_> =
        &[(Power::FRANCE, &["A BUR"]), (Power::GERMANY, &["A MUN", "A RUH"]), (Power::TURKEY, &["A SYR"])];
    let drawn = |variant: Arc<Variant>, seed: u64| -> Vec<(u8, ProvinceId)> {
        let mut table = Table::set_in(variant, "S1905M", &["void BOH", "void TYR"], units, &[]);
        let orders = table.read(&["A MUN - BUR", "A RUH S A MUN - BUR", "A BUR R MAR PIC"]);
        let Table { game, referee, told, .. } = &mut table;
        let mut nature = Seeded { seed, block: 3 };
        let answers = Answers { orders, ..Answers::none(Powers::STANDARD) };
        game.settle(referee, &answers, &mut nature, told);
        let draws = told.events.iter().filter_map(|(_, event)| match event {
            Event::HoleDrawn(face) => Some((0, *face)),
            Event::Restored(face) => Some((1, *face)),
            Event::SplitDrawn(face, _) => Some((2, *face)),
            _ => None,
        });
        draws.collect()
    };
    for seed in 0..40 {
        let after = drawn(variant("schizo-ii"), seed);
        assert_eq!(after.len(), 3, "seed {seed}");
        assert_eq!(after, drawn(Arc::clone(&foretold), seed), "seed {seed}");
    }
}
