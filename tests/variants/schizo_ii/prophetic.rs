//! `schizo-ii`, prophetic retreats: rr07 rule 3, rules.md 4.12, sentence by sentence; and 4.3: hole, restored face and
//! split come after them, nothing is foretold.

use std::sync::Arc;

use super::asked;
use crate::helpers::quick::kind;
use crate::helpers::seats::{bots, play_out};
use crate::helpers::shipped::{BLACK_HOLE_I, DELUGE_II, SCHIZO_II, variant};
use crate::helpers::table::{Lists, Table};
use upheaval::ask::{Answer, Ask, Observation};
use upheaval::bot::Bot;
use upheaval::game::{Game, Stage};
use upheaval::ids::{Power, Powers, ProvinceId};
use upheaval::rng::Stream;
use upheaval::rules::answers::Answers;
use upheaval::rules::event::{Event, Log};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::nature::{Draw, Seeded};
use upheaval::rules::order::Listing;
use upheaval::rules::position::Phase;
use upheaval::rules::settlement::{Settled, Settlement};
use upheaval::rules::variant::{RetreatsSent, Variant};

/// Munich dislodges Burgundy with the support of the Ruhr.
const INTO_BURGUNDY: [&str; 2] = ["A MUN - BUR", "A RUH S A MUN - BUR"];

/// A French army in Burgundy that will be dislodged, together with these units.
fn burgundy<'a>(beside: &[(Power, &'a [&'a str])]) -> Table {
    let mut units: Vec<(Power, &[&str])> = vec![(Power::GERMANY, &["A MUN", "A RUH"])];
    units.extend_from_slice(beside);
    SCHIZO_II.set("S1902M", &[], &units, &[])
}

/// The places of the French units after Burgundy is dislodged, with these additional orders.
fn french_after(beside: &[(Power, &[&str])], orders: &[&str]) -> Vec<String> {
    let mut table = burgundy(beside);
    table.move_all(&[&INTO_BURGUNDY, orders].concat());
    assert_eq!(table.phase(), "F1902M", "nobody is asked anything");
    table.units(Power::FRANCE)
}

// ---- the parameter ----

#[test]
fn schizo_ii_rule_3_first_sentence_prophetic_retreats_must_be_made_in_no_other_variant() {
    for id in Variant::shipped() {
        let sent = variant(id).retreats_sent;
        assert_eq!(sent == RetreatsSent::WithOrders, id == "schizo-ii", "{id}");
    }
    assert_eq!(variant("schizo-ii").listing(), Listing::InReach);
    assert_eq!(asked().listing(), Listing::None);
}

#[test]
fn ruling_4_12_a_file_that_does_not_say_when_retreats_are_sent_asks_for_them() {
    let silent = SCHIZO_II.changed("sent = \"with-orders\"\n", "");
    assert_eq!(silent.retreats_sent, RetreatsSent::AfterMovement);
    assert_eq!(silent.content(), asked().content());
}

// ---- second sentence: a list among the movement orders ----

#[test]
fn ruling_4_12_a_dislodged_unit_goes_to_the_first_of_its_list() {
    for to in ["BEL", "GAS", "MAR", "PAR", "PIC"] {
        let others = if to == "GAS" { "PIC BEL MAR" } else { "GAS MAR" };
        let list = format!("A BUR R {to} {others}");
        assert_eq!(french_after(&[(Power::FRANCE, &["A BUR"])], &[&list]), [format!("A {to}")], "{list}");
    }
}

#[test]
fn ruling_4_12_a_list_stands_beside_the_order_of_the_unit() {
    // It attacks Marseilles in vain, and retreats by its list.
    let beside: &Lists<'_> = &[(Power::FRANCE, &["A BUR"]), (Power::ITALY, &["A MAR"])];
    assert_eq!(french_after(beside, &["A BUR - MAR", "A BUR R PIC GAS"]), ["A PIC"]);
}

#[test]
fn ruling_4_12_a_unit_that_is_not_dislodged_does_not_retreat() {
    let units: &Lists<'_> = &[(Power::FRANCE, &["A BUR"]), (Power::GERMANY, &["A MUN"])];
    let mut table = SCHIZO_II.set("S1902M", &[], units, &[]);
    table.move_all(&["A MUN - BUR", "A BUR R PIC"]);
    assert_eq!(table.units(Power::FRANCE), ["A BUR"]);
}

// ---- third sentence: the first that is a legal retreat on the board after the movement ----

#[test]
fn ruling_4_12_an_occupied_place_is_passed_over_as_it_is_after_the_movement() {
    let beside: &Lists<'_> = &[(Power::FRANCE, &["A BUR", "A PAR"])];
    assert_eq!(french_after(beside, &["A BUR R PAR GAS"]), ["A GAS", "A PAR"]);
    // Paris moves away, and is free; Gascony is free before the movement, and taken after it.
    assert_eq!(french_after(beside, &["A PAR - PIC", "A BUR R PAR GAS"]), ["A PAR", "A PIC"]);
    assert_eq!(french_after(beside, &["A PAR - GAS", "A BUR R GAS MAR"]), ["A GAS", "A MAR"]);
}

#[test]
fn ruling_4_12_the_start_of_the_attacker_is_passed_over() {
    assert_eq!(french_after(&[(Power::FRANCE, &["A BUR"])], &["A BUR R MUN MAR"]), ["A MAR"]);
}

#[test]
fn ruling_4_12_a_contested_place_is_passed_over() {
    let beside: &Lists<'_> =
        &[(Power::FRANCE, &["A BUR"]), (Power::ENGLAND, &["A PIC"]), (Power::ITALY, &["A BRE"])];
    let bounce = ["A PIC - PAR", "A BRE - PAR"];
    let list = |order| french_after(beside, &[&bounce[..], &[order]].concat());
    assert_eq!(list("A BUR R PAR GAS"), ["A GAS"]);
    assert_eq!(
        french_after(beside, &["A PIC - PAR", "A BUR R PIC GAS"]),
        ["A PIC"],
        "it was left without a fight"
    );
}

#[test]
fn ruling_4_12_the_start_of_an_attacker_that_came_by_convoy() {
    let by = |rulebook: &str, attack: &str| {
        let variant = SCHIZO_II.changed("rulebook = \"1971\"", &format!("rulebook = {rulebook}"));
        let units: &Lists<'_> =
            &[(Power::RUSSIA, &["A STP"]), (Power::ENGLAND, &["A NWY", "F BAR", "A LVN"])];
        let mut table = Table::set_in(variant, "S1902M", &[], units, &[]);
        table.move_all(&[attack, "F BAR C A NWY - STP", "A LVN S A NWY - STP", "A STP R NWY FIN"]);
        table.units(Power::RUSSIA)
    };
    assert_eq!(by("\"2023\"", "A NWY - STP VIA"), ["A NWY"], "it came by sea");
    let closed = "{ base = \"2023\", convoyed_start = \"forbidden\" }";
    assert_eq!(by(closed, "A NWY - STP VIA"), ["A FIN"], "which the 1971 rulebook does not except");
    assert_eq!(by("\"1971\"", "A NWY - STP"), ["A FIN"], "it came by land");
}

#[test]
fn ruling_4_12_an_army_goes_by_land_and_a_fleet_by_water() {
    let army: &Lists<'_> = &[(Power::FRANCE, &["A SPA"]), (Power::ITALY, &["A MAR", "F WES"])];
    let mut table = SCHIZO_II.set("S1902M", &[], army, &[]);
    table.move_all(&["A MAR - SPA", "F WES S A MAR - SPA", "A SPA R MAO LYO POR"]);
    assert_eq!(table.units(Power::FRANCE), ["A POR"]);
    let fleet: &Lists<'_> = &[(Power::FRANCE, &["F BRE"]), (Power::ITALY, &["A PAR", "A GAS"])];
    let mut table = SCHIZO_II.set("S1902M", &[], fleet, &[]);
    table.move_all(&["A PAR - BRE", "A GAS S A PAR - BRE", "F BRE R BUR GAS PAR ENG"]);
    assert_eq!(table.units(Power::FRANCE), ["F ENG"]);
}

#[test]
fn ruling_4_12_a_fleet_goes_by_its_coast_and_names_the_coast_it_goes_to() {
    let attack = ["A MAR - SPA", "A GAS S A MAR - SPA"];
    let sent = |fleet: &str, beside: &Lists<'_>, list: &str| {
        let mut units = vec![(Power::ITALY, &["A MAR", "A GAS"][..])];
        let fleet = [fleet];
        units.push((Power::FRANCE, &fleet));
        units.extend_from_slice(beside);
        let mut table = SCHIZO_II.set("S1902M", &[], &units, &[]);
        table.move_all(&[&attack[..], &[list]].concat());
        table.units(Power::FRANCE)
    };
    assert_eq!(sent("F SPA/SC", &[], "F SPA/SC R LYO WES"), ["F LYO"]);
    assert_eq!(sent("F SPA/SC", &[(Power::TURKEY, &["F LYO"])], "F SPA/SC R LYO WES"), ["F WES"]);
    // From the north coast neither of the two is in reach; the written coast does not matter.
    assert_eq!(sent("F SPA/NC", &[], "F SPA/SC R LYO WES MAO"), ["F MAO"]);
    // To a province with two coasts.
    let into = |list: &str| {
        let units: &Lists<'_> = &[(Power::FRANCE, &["F MAO"]), (Power::ENGLAND, &["F ENG", "F IRI"])];
        let mut table = SCHIZO_II.set("S1902M", &[], units, &[]);
        table.move_all(&["F ENG - MAO", "F IRI S F ENG - MAO", list]);
        table.units(Power::FRANCE)
    };
    assert_eq!(into("F MAO R SPA/SC"), ["F SPA/SC"]);
    assert_eq!(into("F MAO R SPA/NC SPA/SC"), ["F SPA/NC"]);
    assert_eq!(into("F MAO R SPA POR"), ["F POR"], "either coast is in reach, and none is named");
}

#[test]
fn ruling_4_12_an_army_aboard_a_fleet_retreats_with_it_to_a_sea() {
    let variant = DELUGE_II.changed("sent = \"after-movement\"", "sent = \"with-orders\"");
    let units: &Lists<'_> = &[(Power::ENGLAND, &["A/F ENG"]), (Power::FRANCE, &["F BRE", "F MAO"])];
    let mut table = Table::set_in(variant, "S1902M", &[], units, &[]);
    table.move_all(&["F BRE - ENG", "F MAO S F BRE - ENG", "A/F ENG R PIC NTH IRI"]);
    assert_eq!(table.units(Power::ENGLAND), ["A/F NTH"]);
}

// ---- read all at once ----

#[test]
fn ruling_4_12_two_units_that_choose_the_same_place_are_both_destroyed() {
    let beside: &Lists<'_> =
        &[(Power::FRANCE, &["A BUR"]), (Power::ENGLAND, &["A GAS"]), (Power::ITALY, &["A MAR", "A SPA"])];
    let into_gascony = ["A MAR - GAS", "A SPA S A MAR - GAS"];
    let after = |lists: [&str; 2]| {
        let mut table = burgundy(beside);
        table.move_all(&[&INTO_BURGUNDY[..], &into_gascony, &lists].concat());
        (table.units(Power::FRANCE), table.units(Power::ENGLAND))
    };
    let nobody = || (Vec::new(), Vec::new());
    // The other places of either list do not help: the lists are read simultaneously.
    assert_eq!(after(["A BUR R PAR PIC", "A GAS R PAR BRE"]), nobody());
    // Paris is the first legal place of both, because Burgundy is occupied and Munich is where its attacker came from.
    assert_eq!(after(["A BUR R MUN PAR", "A GAS R BUR PAR"]), nobody());
    assert_eq!(
        after(["A BUR R PIC PAR", "A GAS R PAR"]),
        (vec!["A PIC".to_owned()], vec!["A PAR".to_owned()])
    );
}

#[test]
fn ruling_4_12_two_units_of_one_power_that_choose_the_same_place_are_destroyed_too() {
    let beside: &Lists<'_> = &[(Power::FRANCE, &["A BUR", "A GAS"]), (Power::ITALY, &["A MAR", "A SPA"])];
    let orders = ["A MAR - GAS", "A SPA S A MAR - GAS", "A BUR R PAR PIC", "A GAS R PAR BRE"];
    assert_eq!(french_after(beside, &orders), Vec::<String>::new());
}

// ---- without a list, or with none that is legal: the default ----

/// The places of the French units after the default retreats of a game that asks for retreats, with these orders.
fn french_asked(beside: &[(Power, &[&str])], orders: &[&str], retreats: &[&str]) -> Vec<String> {
    let mut units: Vec<(Power, &[&str])> = vec![(Power::GERMANY, &["A MUN", "A RUH"])];
    units.extend_from_slice(beside);
    let mut table = Table::set_in(asked(), "S1902M", &[], &units, &[]);
    table.move_all(&[&INTO_BURGUNDY, orders].concat()).retreat(retreats);
    table.units(Power::FRANCE)
}

#[test]
fn ruling_4_12_a_unit_without_a_list_retreats_by_the_default() {
    let beside: &Lists<'_> = &[(Power::FRANCE, &["A BUR"])];
    let by_default = french_asked(beside, &[], &[]);
    assert_eq!(by_default.len(), 1);
    assert_eq!(french_after(beside, &[]), by_default);
}

#[test]
fn ruling_4_12_a_unit_none_of_whose_places_is_legal_retreats_by_the_default() {
    let beside: &Lists<'_> = &[(Power::FRANCE, &["A BUR", "A MAR"])];
    assert_eq!(french_after(beside, &["A BUR R MUN MAR RUH"]), french_asked(beside, &[], &[]));
}

#[test]
fn ruling_4_12_defaults_come_after_the_retreats_by_lists() {
    let beside: &Lists<'_> = &[(Power::FRANCE, &["A BUR", "A GAS"]), (Power::ITALY, &["A MAR", "A SPA"])];
    let orders = ["A MAR - GAS", "A SPA S A MAR - GAS"];
    // Gascony takes the default destination of Burgundy first if it can.
    let alone = french_asked(&[(Power::FRANCE, &["A BUR"])], &[], &[]);
    for to in ["PAR", "BRE"] {
        let list = format!("A GAS R {to}");
        let with_list = french_after(beside, &[&orders[..], &[&list]].concat());
        assert_eq!(with_list, french_asked(beside, &orders, &[&list]), "{list}");
        assert!(with_list.contains(&format!("A {to}")) && with_list.len() == 2, "{with_list:?}");
    }
    // And if the default would have sent both there, the one without a list goes elsewhere.
    let list = alone[0].replace("A ", "A BUR R ");
    let both = french_after(beside, &[&orders[..], &[&list]].concat());
    assert_eq!(both, french_asked(beside, &orders, &[&list]));
    assert!(both.contains(&alone[0]) && both.len() == 2, "{both:?}");
}

#[test]
fn ruling_4_12_with_nowhere_to_go_the_unit_is_lost_list_or_not() {
    let units: &Lists<'_> = &[(Power::FRANCE, &["A POR"]), (Power::GERMANY, &["A SPA", "F MAO"])];
    for list in [&["A POR R SPA"][..], &[]] {
        let mut table = SCHIZO_II.set("S1902M", &[], units, &[]);
        table.move_all(&[&["A SPA - POR", "F MAO S A SPA - POR"], list].concat());
        assert_eq!(table.units(Power::FRANCE), Vec::<String>::new());
        assert!(table.when(|e| matches!(e, Event::Disbanded(_))).is_some());
    }
}

#[test]
fn ruling_4_12_where_the_default_is_to_disband_a_unit_without_a_list_disbands() {
    let text =
        SCHIZO_II.text().replace("unordered = \"north-then-anticlockwise\"", "unordered = \"disband\"");
    let variant = crate::helpers::shipped::check(text).expect("sound");
    let sent = |list: &[&str]| {
        let units: &Lists<'_> = &[(Power::FRANCE, &["A BUR"]), (Power::GERMANY, &["A MUN", "A RUH"])];
        let mut table = Table::set_in(Arc::clone(&variant), "S1902M", &[], units, &[]);
        table.move_all(&[&INTO_BURGUNDY, list].concat());
        table.units(Power::FRANCE)
    };
    assert_eq!(sent(&[]), Vec::<String>::new());
    assert_eq!(sent(&["A BUR R MUN"]), Vec::<String>::new());
    assert_eq!(sent(&["A BUR R MUN PIC"]), ["A PIC"]);
}

// ---- nobody is asked ----

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

#[test]
fn ruling_4_12_the_game_has_no_retreat_stage_and_goes_on_at_once() {
    let mut table = burgundy(&[(Power::FRANCE, &["A BUR"])]);
    table.move_all(&[&INTO_BURGUNDY[..], &["A BUR R PIC"]].concat());
    assert_eq!((table.game.stage(), table.phase()), (Stage::Movement, "F1902M".to_owned()));
    assert!(table.game.dislodged().dislodged.is_empty());
    let phases = table.told.events.iter().filter(|(_, e)| matches!(e, Event::Retreated(..)));
    assert_eq!(phases.map(|(at, _)| at.to_string()).collect::<Vec<_>>(), ["S1902R"]);
}

// ---- rules.md 4.3: the season's changes of the map come after the retreats, and nothing is foretold ----

#[test]
fn schizo_ii_rulings_4_3_nothing_is_foretold_and_a_unit_may_retreat_into_the_province_that_is_voided() {
    let mut table = burgundy(&[(Power::FRANCE, &["A BUR", "A MAR"])]).hole("S1902", "GAS");
    table.move_all(&[&INTO_BURGUNDY[..], &["A BUR R GAS PIC"]].concat());
    let order = [
        table.when(|e| matches!(e, Event::Retreated(..))).expect("it retreats"),
        table.when(|e| matches!(e, Event::HoleDrawn(_))).expect("a hole is drawn"),
        table.when(|e| matches!(e, Event::Voided(_))).expect("it opens"),
    ];
    assert!(order.is_sorted(), "{order:?}");
    assert_eq!(table.units(Power::FRANCE), ["A MAR"], "units that retreated into it are annihilated");
    let destroyed = table.when(|e| matches!(e, Event::Destroyed(..))).expect("it is reported");
    assert!(destroyed > order[0]);
}

#[test]
fn schizo_ii_rulings_4_3_nothing_is_foretold_to_the_default_either() {
    let beside: &Lists<'_> = &[(Power::FRANCE, &["A BUR", "A MAR"])];
    let by_default = french_asked(beside, &[], &[]);
    let to = by_default.iter().find(|unit| *unit != "A MAR").expect("it goes somewhere");
    let mut table = burgundy(beside).hole("S1902", &to[2..]);
    table.move_all(&INTO_BURGUNDY);
    assert_eq!(table.units(Power::FRANCE), ["A MAR"]);
}

#[test]
fn schizo_ii_rulings_4_3_who_drives_a_unit_out_of_the_province_that_is_voided_is_annihilated() {
    let mut table = burgundy(&[(Power::FRANCE, &["A BUR"])]).hole("S1902", "BUR");
    table.move_all(&[&INTO_BURGUNDY[..], &["A BUR R PAR"]].concat());
    assert_eq!(table.units(Power::FRANCE), ["A PAR"]);
    assert_eq!(table.units(Power::GERMANY), ["A RUH"]);
}

#[test]
fn schizo_ii_rulings_4_3_no_retreat_to_a_half_or_a_face_of_this_season() {
    let units: &Lists<'_> =
        &[(Power::FRANCE, &["A BUR"]), (Power::GERMANY, &["A MUN", "A RUH"]), (Power::ITALY, &["A GAS"])];
    let set = || {
        SCHIZO_II
            .set("S1905M", &["void PAR"], units, &[])
            .hole("S1905", "UKR")
            .drawn("S1905", Draw::Restores, "PAR")
            .split("S1905", "split PIC BRE BEL")
    };
    let mut table = set();
    table.move_all(&[&INTO_BURGUNDY[..], &["A BUR R PAR MAR"]].concat());
    assert_eq!(table.units(Power::FRANCE), ["A MAR"], "Paris is back after the retreats");
    let mut table = set();
    table.move_all(&[&INTO_BURGUNDY[..], &["A BUR R PIC"]].concat());
    assert_eq!(
        table.units(Power::FRANCE),
        ["A PIC.1", "A PIC.2"],
        "units that have retreated there are doubled"
    );
}

#[test]
fn schizo_ii_rulings_3_1_a_retreat_in_fall_takes_a_centre_before_the_season_changes_the_map() {
    let units: &Lists<'_> =
        &[(Power::FRANCE, &["A BUR"]), (Power::GERMANY, &["A MUN", "A RUH"]), (Power::ITALY, &["A ROM"])];
    let centres: &Lists<'_> =
        &[(Power::ITALY, &["MAR", "ROM"]), (Power::FRANCE, &["PAR"]), (Power::GERMANY, &["MUN"])];
    let mut table = SCHIZO_II.set("F1902M", &[], units, centres).hole("F1902", "UKR");
    table.move_all(&[&INTO_BURGUNDY[..], &["A BUR R MAR"]].concat());
    assert_eq!(table.centres(Power::FRANCE), ["MAR", "PAR"]);
    let mut table = SCHIZO_II.set("F1902M", &[], units, centres).hole("F1902", "MAR");
    table.move_all(&[&INTO_BURGUNDY[..], &["A BUR R MAR"]].concat());
    let captured = table.when(|e| matches!(e, Event::Captured { .. })).expect("it is recorded first");
    assert!(captured < table.when(|e| matches!(e, Event::CentreLost(..))).expect("then it is gone"));
    assert_eq!(table.centres(Power::FRANCE), ["PAR"]);
}

/// Draws are keyed by season and purpose, so it does not matter whether a hole is drawn before or after the retreats
/// (rules.md 4.2).
#[test]
fn schizo_ii_rulings_4_2_a_hole_drawn_after_the_retreats_is_the_one_that_would_have_been_foretold() {
    let foretold = SCHIZO_II.changed("retreats = \"unforetold\"", "retreats = \"foretold\"");
    let units: &Lists<'_> =
        &[(Power::FRANCE, &["A BUR"]), (Power::GERMANY, &["A MUN", "A RUH"]), (Power::TURKEY, &["A SYR"])];
    let drawn = |variant: Arc<Variant>, seed: u64| -> Vec<(u8, ProvinceId)> {
        let mut table = Table::set_in(variant, "S1905M", &["void BOH", "void TYR"], units, &[]);
        let orders = table.read(&[&INTO_BURGUNDY[..], &["A BUR R MAR PIC"]].concat());
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

// ---- where there are no lists ----

#[test]
fn ruling_4_12_where_retreats_are_asked_for_a_list_is_no_order_of_the_movement() {
    let mut table =
        BLACK_HOLE_I.set("S1902M", &[], &[(Power::FRANCE, &["A BUR"]), (Power::AUSTRIA, &["A VIE"])], &[]);
    assert_eq!(table.refusal(Power::FRANCE, "A BUR R PIC"), "the order belongs to another phase");
    assert_eq!(
        table.refusal(Power::FRANCE, "A BUR R PIC PAR"),
        "the order is complete, but is followed by `PAR`"
    );
    table.move_all(&[]);
    let table = burgundy(&[(Power::FRANCE, &["A BUR"])]);
    assert_eq!(
        table.refusal(Power::FRANCE, "A BUR D"),
        "the order belongs to another phase",
        "disbanding is not a place"
    );
    assert_eq!(table.refusal(Power::GERMANY, "A BUR R PIC"), "the unit is FRANCE's");
    assert_eq!(table.refusal(Power::FRANCE, "F BUR R PIC"), "the unit there is an army");
    assert_eq!(table.refusal(Power::FRANCE, "A PAR R PIC"), "there is no unit there");
    assert_eq!(
        table.refusal(Power::FRANCE, "A BUR R MOS ENG"),
        "it cannot be reached from there",
        "nowhere it can ever go"
    );
    assert_eq!(table.refusal(Power::FRANCE, "A BUR R"), "the order ends early; expected a destination");
}
