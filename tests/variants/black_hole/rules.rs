//! `black-hole` and `black-hole-i` with every hole, the order of their seasons, and the board and the units after many
//! holes. Rule by rule they are in `cli/tests/sessions/adjudicate_black_hole*.md`.

use crate::helpers::seats::{bots, play_out};
use crate::helpers::shipped::{BLACK_HOLE, BLACK_HOLE_I, Shipped, variant};
use crate::helpers::table::Table;
use upheaval::ask::{Answer, Ask, Observation};
use upheaval::bot::{Bot, Decision};
use upheaval::game::Stage;
use upheaval::ids::{CoastId, Location, Power, Powers, ProvinceId, ProvinceSet, UnitKind};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::answers::Announced;
use upheaval::rules::answers::Answers;
use upheaval::rules::answers::Declarations;
use upheaval::rules::event::Event;
use upheaval::rules::game_state::CoastChoice;
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::order::RetreatOrder;
use upheaval::topology::derive;
use upheaval::topology::report::MapReport;

/// Plays a season for each province that can be the first hole, and passes on the hole, and the map before and after it.
fn with_each_hole(variant: Shipped, check: impl Fn(ProvinceId, &MapTables, &MapTables)) {
    let first = variant.variant();
    for hole in first.terrain.board().passable() {
        let name = first.terrain.names().province(hole);
        let mut table = variant.set("S1902M", &[], &[], &[]).hole("S1902", name);
        table.move_all(&[]);
        check(hole, &first.terrain, table.game.terrain());
    }
}

/// All neighbours of the hole meet: armies can move between any two land spaces, fleets between any two if a sea is
/// among the neighbours.
#[test]
fn black_hole_rule_1_third_sentence_all_that_was_next_to_it_is_adjacent_now() {
    with_each_hole(BLACK_HOLE, |hole, before, after| {
        let (map, before, board) = (before.chart().map(), before.board(), after.board());
        let gone = ProvinceSet::single(hole);
        let round: ProvinceSet = map
            .sides_of(hole)
            .map(|side| map.across(side))
            .filter(|&id| before.passable().contains(id))
            .collect();
        let sea = round.intersects(before.sea());
        for a in round {
            for b in round - ProvinceSet::single(a) {
                let (a_name, b_name, hole) = (map.name(a), map.name(b), map.name(hole));
                if board.land().contains(a) && board.land().contains(b) {
                    assert!(board.army_reach(a).contains(b), "{hole} gone: A {a_name} - {b_name}");
                }
                if sea {
                    assert!(board.fleet_reach_any(a).contains(b), "{hole} gone: F {a_name} - {b_name}");
                }
            }
        }
        // Adjacent spaces stay adjacent, and the hole itself is not a place any more.
        for from in before.passable() - gone {
            assert!((*before.army_reach(from) - gone).is_subset(board.army_reach(from)));
            assert!(!board.army_reach(from).contains(hole) && !board.fleet_reach_any(from).contains(hole));
        }
    });
}

/// The former neighbours keep their connections, and get no others.
#[test]
fn black_hole_i_rule_3_first_sentence_the_province_is_gone_and_its_neighbours_do_not_meet() {
    with_each_hole(BLACK_HOLE_I, |hole, before, after| {
        let (names, before, board) = (before.names(), before.board(), after.board());
        let (name, gone) = (names.province(hole), ProvinceSet::single(hole));
        assert_eq!(board.passable(), before.passable() - gone, "{name}");
        for from in board.passable() {
            let place = names.province(from);
            assert_eq!(*board.army_reach(from), *before.army_reach(from) - gone, "{name} gone: A {place}");
            let (ways, were) = (*board.fleet_reach_any(from), *before.fleet_reach_any(from) - gone);
            assert!(ways.is_subset(&were), "{name} gone: F {place} has new ways");
            if before.land().contains(hole) {
                assert_eq!(ways, were, "{name} gone: F {place}");
            }
        }
    });
}

/// The reports of these kinds, in their order; several of a kind at once are there once.
fn told(table: &Table, kinds: &[&str]) -> Vec<&'static str> {
    let told = table.told.events.iter().map(|(_, event)| event.description().kind.name());
    let mut told: Vec<&str> = told.filter(|kind| kinds.contains(kind)).collect();
    told.dedup();
    told
}

/// In `black-hole` the hole is drawn and announced before the retreats, and opens after them; in `black-hole-i` it is
/// drawn after them. Owners are recorded before it opens, and the adjustments come last.
#[test]
fn black_hole_rulings_4_3_the_order_of_a_fall() {
    for (variant, doomed, order) in [
        (
            BLACK_HOLE,
            &["MUN"][..],
            ["dislodged", "hole_drawn", "retreated", "captured", "destroyed", "centre_lost", "collapsed"],
        ),
        (
            BLACK_HOLE_I,
            &[],
            ["dislodged", "retreated", "captured", "hole_drawn", "destroyed", "centre_lost", "voided"],
        ),
    ] {
        let units: [(Power, &[&str]); 2] =
            [(Power::FRANCE, &["A BUR", "A GAS"]), (Power::GERMANY, &["A MUN", "A RUH"])];
        let centres: [(Power, &[&str]); 2] =
            [(Power::FRANCE, &["PAR", "BRE"]), (Power::GERMANY, &["MUN", "KIE"])];
        let mut table = variant.set("F1902M", &[], &units, &centres).hole("F1902", "MUN");
        table.move_all(&["A RUH - BUR", "A MUN S A RUH - BUR", "A GAS - SPA"]);
        assert_eq!(
            (table.phase().as_str(), table.names(table.game.world().doomed)),
            ("F1902R", doomed.to_vec())
        );
        table.retreat(&["A BUR R MAR"]);
        assert_eq!(told(&table, &order), order);
        assert_eq!(table.phase(), "W1902A");
    }
}

#[test]
fn black_hole_what_befalls_units_and_exempt_centres_is_reported() {
    let kinds = [
        &["hole_drawn", "collapsed", "voided", "coast_moved", "coast_lost", "disbanded", "captured"][..],
        &["exempt_changed", "exempt_announced", "exempt_lapsed"],
    ]
    .concat();
    let turkey = |fleet| vec![(Power::TURKEY, vec![fleet, "A ARM"])];
    let north_africa = vec![(Power::FRANCE, vec!["A NAF"]), (Power::ITALY, vec!["F MAO", "F WES"])];
    let attack = ["F MAO - NAF", "F WES S F MAO - NAF"];
    for (units, orders, hole, fate) in [
        (north_africa, &attack[..], "TUN", Some("disbanded")),
        (turkey("F BUL/EC"), &[], "BLA", Some("coast_moved")),
        (turkey("F RUM"), &[], "BLA", Some("coast_lost")),
        (turkey("F GAS"), &[], "MAR", None),
    ] {
        let units: Vec<(Power, &[&str])> = units.iter().map(|(power, units)| (*power, &units[..])).collect();
        let mut table = BLACK_HOLE.set("S1902M", &[], &units, &[]).hole("S1902", hole);
        let expected: Vec<&str> = ["hole_drawn"].into_iter().chain(fate).chain(["collapsed"]).collect();
        assert_eq!(told(table.season(orders), &kinds), expected, "{hole}");
    }

    let mut table = BLACK_HOLE_I
        .set("F1903M", &[], &[(Power::ITALY, &["A TYR"])], &[(Power::AUSTRIA, &["VIE"])])
        .exempt(&[(Power::AUSTRIA, "VIE")])
        .hole("F1903", "VIE");
    table.move_all(&["A TYR - VIE"]);
    assert_eq!(told(&table, &kinds), ["captured", "exempt_lapsed", "hole_drawn", "voided"]);

    let centres: [(Power, &[&str]); 2] = [(Power::FRANCE, &["BRE", "MAR"]), (Power::GERMANY, &["PAR"])];
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A GAS"]), (Power::GERMANY, &["A PIC"])];
    let mut table = BLACK_HOLE_I
        .set("S1903M", &[], &units, &centres)
        .exempt(&[(Power::FRANCE, "PAR")])
        .hole("S1903", "BRE");
    let mut declared = Declarations::none(Powers::STANDARD);
    declared.exempt[Power::FRANCE] = Some(table.id("MAR"));
    declared.announce[Power::FRANCE] = Announced::Yes;
    table.season(&[]).move_declaring(&[], &declared);
    assert_eq!(told(&table, &kinds), ["hole_drawn", "voided", "exempt_changed", "exempt_announced"]);
}

/// A bot that chooses this coast, or none.
struct Chooser(Power, Option<CoastId>);

impl Bot for Chooser {
    fn decide(&mut self, _: &Observation<'_>, ask: &Ask, _: &mut Stream, answer: &mut Answer<'_>) {
        if let Ask::Coast(CoastChoice { power, fleet, .. }) = ask {
            assert_eq!(*power, self.0, "the owner is asked, and nobody else");
            if let Some(coast) = self.1 {
                answer.give(&Decision::Coast { fleet: *fleet, coast });
            }
        }
    }
}

#[test]
fn black_hole_rulings_2_a_bot_chooses_the_coast_and_a_bad_answer_is_the_default() {
    let units: [(Power, &[&str]); 2] = [(Power::TURKEY, &["F BUL/EC"]), (Power::ITALY, &["A ROM"])];
    for (coast, expected, refused) in [
        (Some(CoastId(0)), "F BUL/SC", false),
        (Some(CoastId(1)), "F BUL/WC", false),
        (None, "F BUL/WC", false),
        (Some(CoastId(7)), "F BUL/WC", true),
    ] {
        let events = ["collapse SER", "collapse ALB"];
        let mut table = BLACK_HOLE.set("S1950M", &events, &units, &[]).hole("S1950", "BLA");
        let seats = bots(|power| Chooser(power, coast));
        play_out(&mut table.game, seats, 1, &mut table.nature, &mut table.told);
        let is_refused = table.when(|event| matches!(event, Event::Refused(Power::TURKEY, 1))).is_some();
        assert_eq!((table.units(Power::TURKEY), is_refused), (vec![expected.to_owned()], refused));
    }
}

/// A retreat into the hole that is foretold, or to where the attacker came from, and a coast that a province has not.
#[test]
fn black_hole_an_answer_that_is_not_among_the_options_does_not_count() {
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A BUR"]), (Power::GERMANY, &["A MUN", "A RUH"])];
    for (variant, into, expected) in [(BLACK_HOLE, "GAS", &[][..]), (BLACK_HOLE_I, "MUN", &["A BEL"])] {
        let mut table = variant.set("S1902M", &[], &units, &[]).hole("S1902", "GAS");
        table.move_all(&["A MUN - BUR", "A RUH S A MUN - BUR"]);
        let to = Location::from(table.id(into));
        let retreats = vec![Some(RetreatOrder::Retreat { to })];
        table.settle(Answers { retreats, ..Answers::none(Powers::STANDARD) });
        assert_eq!(table.units(Power::FRANCE), expected, "{into}");
    }
    let units: [(Power, &[&str]); 2] = [(Power::TURKEY, &["F BUL/EC"]), (Power::ITALY, &["A ROM"])];
    let events = ["collapse SER", "collapse ALB"];
    let mut table = BLACK_HOLE.set("S1902M", &events, &units, &[]).hole("S1902", "BLA");
    table.move_all(&[]).coasts(|_| Some(CoastId(9)));
    assert_eq!(table.units(Power::TURKEY), ["F BUL/WC"]);
}

#[test]
fn black_hole_the_tables_of_play_are_those_of_a_fresh_derivation_after_every_hole() {
    let mut table = Table::new_game(variant("black-hole"), 1950);
    let mut dice = Stream::keyed(11, Purpose::Bot, &[]);
    for _ in 0..60 {
        let open: Vec<ProvinceId> = table.game.terrain().board().passable().iter().collect();
        if let Some(&hole) = dice.choose(&open) {
            let (season, name) = (table.phase(), table.name(hole).to_owned());
            table = table.hole(&season[..5], &name);
        }
        table.season(&[]);
        let (chart, board) = (table.game.terrain().chart(), table.game.terrain().board());
        assert_eq!(chart.map().faults(), Vec::<String>::new());
        assert_eq!(MapReport::new(chart, board), MapReport::new(chart, &derive(chart.map())));
        for at in *table.position().occupied() {
            let unit = table.position().unit(at).unwrap();
            let stands = match unit.kind {
                UnitKind::Army => board.land().contains(at),
                UnitKind::Fleet => unit.coast.0 < board.coasts(at),
            };
            assert!(stands, "{unit:?} in {}", table.name(at));
        }
        if table.game.stage() == Stage::Over {
            return;
        }
    }
}
