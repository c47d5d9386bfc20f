//! `seismic-1971`: the fate of fleets when coasts are divided, closed and opened (Seismic rules 8 and 9; rules.md 2,
//! 8.7 and 8.8).

use crate::helpers::shipped::{SEISMIC_1971, variant};
use crate::helpers::table::Table;
use upheaval::game::Stage;
use upheaval::ids::{Location, Power, Powers, UnitKind};
use upheaval::rules::adjustment;
use upheaval::rules::answers::Answers;
use upheaval::rules::event::Event;
use upheaval::rules::legal::{self, ConvoyChains};
use upheaval::rules::order::AdjustmentOrder;

const CLOSE_TRIESTE: &str = "SEPARATE TRI ADR CONNECT VEN ALB";
const OPEN_TRIESTE: &str = "SEPARATE VEN ALB CONNECT TRI ADR";

/// The legal orders of a unit, counted by the second word of their text.
fn legal_orders(table: &Table, at: &str) -> usize {
    let (board, position) = (table.game.terrain().board(), table.position());
    let chains = ConvoyChains::new(board, &table.game.variant().rulebook, position);
    let mut orders = Vec::new();
    legal::legal_orders(board, position, &chains, table.id(at), &mut orders);
    orders.len()
}

/// Austria's fleet in Trieste, and the coast gone from under it in Spring 1901.
fn trapped_in_trieste() -> Table {
    let mut table = Table::new_game(variant("seismic-1971"), 1950);
    table.move_all(&[]).shake(&[(Power::ITALY, CLOSE_TRIESTE)]);
    assert_eq!(table.shaken(Power::ITALY), Some("ok"));
    table
}

// ---- rule 8, first paragraph ----

/// A French fleet in Gascony, as Portugal is released to it.
fn gascony_divided() -> Table {
    let mut table = SEISMIC_1971.set(
        "S1905E",
        &["separate POR SPA connect MAO MAO"],
        &[(Power::FRANCE, &["F GAS", "A PAR"]), (Power::ENGLAND, &["A LVP"])],
        &[],
    );
    table.shake(&[(Power::ENGLAND, "CONNECT POR GAS THROUGH MAO")]);
    assert_eq!(table.shaken(Power::ENGLAND), Some("ok"));
    table
}

#[test]
fn seismic_1971_rule_8_a_coast_is_divided_and_the_owner_of_the_fleet_chooses() {
    let mut table = gascony_divided();
    assert_eq!(table.game.stage(), Stage::Coasts);
    let choice = table.game.coast_choices()[0].clone();
    assert_eq!((choice.fleet, choice.power, choice.coasts.len()), (table.id("GAS"), Power::FRANCE, 2));
    let other = *choice.coasts.iter().find(|&&coast| coast != choice.default).expect("another");
    table.coasts(|_| Some(other));
    assert_eq!(table.position().unit(table.id("GAS")).expect("a fleet").coast, other);
    assert_eq!(table.game.phase().to_string(), "F1905M");
}

#[test]
fn seismic_1971_rule_8_without_a_choice_the_convention_decides() {
    let mut table = gascony_divided();
    let default = table.game.coast_choices()[0].default;
    table.coasts(|_| None);
    assert_eq!(table.position().unit(table.id("GAS")).expect("a fleet").coast, default);
    // A coast that is not offered counts as no choice.
    assert!(
        table.units(Power::FRANCE).iter().any(|unit| unit.starts_with("F GAS/")),
        "{:?}",
        table.units(Power::FRANCE)
    );
}

#[test]
fn seismic_1971_rule_8_a_province_with_no_coast_gets_one_and_a_fleet_may_enter() {
    let mut table = SEISMIC_1971.set(
        "S1905E",
        &[],
        &[(Power::AUSTRIA, &["F ALB", "A VIE"]), (Power::ITALY, &["F AEG", "A ROM"])],
        &[],
    );
    assert_eq!(table.game.terrain().board().coasts(table.id("SER")), 0);
    table.shake(&[(Power::AUSTRIA, "SEPARATE BUL GRE CONNECT SER AEG")]);
    table.move_all(&["F AEG - SER"]);
    assert_eq!(table.units(Power::ITALY), ["A ROM", "F SER"]);
}

// ---- rule 8, second paragraph ----

#[test]
fn seismic_1971_rule_8_the_coast_disappears_and_the_fleet_is_relocated() {
    let mut table =
        SEISMIC_1971.set("S1905E", &[], &[(Power::RUSSIA, &["F STP/SC"]), (Power::ITALY, &["A ROM"])], &[]);
    table.shake(&[(Power::ITALY, "SEPARATE STP BOT CONNECT FIN LVN")]);
    assert_eq!(table.game.stage(), Stage::Movement, "there is nothing to choose");
    assert_eq!(table.units(Power::RUSSIA), ["F STP"]);
    table.move_all(&["F STP - BAR"]);
    assert_eq!(table.units(Power::RUSSIA), ["F BAR"]);
}

#[test]
fn seismic_1971_rule_8_conditional_orders_if_there_were_three_coasts_or_more() {
    // North Africa at Spain divides its south coast: NC, one between Portugal and North Africa, one to the east.
    let events = ["separate MAO WES connect NAF SPA"];
    let mut table =
        SEISMIC_1971.set("S1905M", &events, &[(Power::FRANCE, &["F MAO"]), (Power::ITALY, &["A ROM"])], &[]);
    let spain = table.id("SPA");
    assert_eq!(table.game.terrain().board().coasts(spain), 3);
    let middle = {
        let board = table.game.terrain().board();
        let map = table.game.terrain().chart().map();
        let (mao, wes) = (table.id("MAO"), table.id("WES"));
        assert_eq!(map.stretches(spain, mao).len(), 2);
        // The coast that is on neither the bay nor the western Mediterranean.
        let names = table.game.terrain().names();
        let location = |to: &Location| to.province == spain;
        let from_mao = board.fleet_moves(mao.into());
        let from_wes = board.fleet_moves(wes.into());
        let gascony = table.id("GAS");
        let from_gas = board.fleet_moves(gascony.into());
        let only =
            from_mao.iter().filter(location).find(|&to| !from_wes.contains(to) && !from_gas.contains(to));
        names.location(only.expect("the middle coast"), UnitKind::Fleet).to_string()
    };
    table.move_all(&[&format!("F MAO - {middle}")]);
    assert_eq!(table.game.stage(), Stage::Seismic);
    let ends = {
        let map = table.game.terrain().chart().map();
        let found = table.game.quakes().iter().map(|quake| quake.event(map).to_string().to_uppercase());
        found.filter(|text| text.starts_with("SEPARATE MAO SPA CONNECT NAF POR")).collect::<Vec<_>>()
    };
    assert_eq!(ends.len(), 1, "{ends:?}");
    table.shake(&[(Power::ITALY, &ends[0])]);
    assert_eq!(table.game.stage(), Stage::Coasts);
    let choice = table.game.coast_choices()[0].clone();
    assert_eq!((choice.fleet, choice.coasts.len()), (spain, 2));
    let other = *choice.coasts.iter().find(|&&coast| coast != choice.default).expect("another");
    table.coasts(|_| Some(other));
    assert_eq!(table.position().unit(spain).expect("a fleet").coast, other);
}

// ---- rule 8, third paragraph: trapped fleets ----

#[test]
fn seismic_1971_rule_8_a_fleet_without_coasts_is_trapped_and_may_only_stand() {
    let table = trapped_in_trieste();
    assert!(table.when(|event| matches!(event, Event::Trapped(..))).is_some());
    assert_eq!(table.game.stage(), Stage::Movement, "nobody is asked whether to disband it");
    assert_eq!(table.units(Power::AUSTRIA), ["A BUD", "A VIE", "F TRI"]);
    assert_eq!(legal_orders(&table, "TRI"), 1, "to hold");
}

#[test]
fn seismic_1971_rule_8_a_trapped_fleet_is_told_of_once() {
    let mut table = trapped_in_trieste();
    table.move_all(&[]).shake(&[(Power::ITALY, "SEPARATE TRI TYR CONNECT VEN VIE")]);
    let told = table.told.events.iter().filter(|(_, event)| matches!(event, Event::Trapped(..))).count();
    assert_eq!(told, 1);
    assert_eq!(table.units(Power::AUSTRIA), ["A BUD", "A VIE", "F TRI"]);
}

#[test]
fn seismic_1971_rule_8_it_may_be_supported_in_standing() {
    let italy = ["A VEN - TRI", "A TYR S A VEN - TRI"];
    let units: [(Power, &[&str]); 2] =
        [(Power::AUSTRIA, &["F TRI", "A VIE"]), (Power::ITALY, &["A VEN", "A TYR"])];
    let mut table = SEISMIC_1971.set("S1905E", &[], &units, &[]);
    table.shake(&[(Power::ITALY, CLOSE_TRIESTE)]);
    let mut other = SEISMIC_1971.set("S1906M", &["separate TRI ADR connect VEN ALB"], &units, &[]);
    table.move_all(&[italy[0], italy[1], "A VIE S F TRI"]);
    assert_eq!(table.units(Power::AUSTRIA), ["A VIE", "F TRI"], "two against two");
    other.move_all(&italy);
    assert_eq!(other.units(Power::AUSTRIA), ["A VIE"], "without support it is dislodged");
    assert_eq!(other.game.stage(), Stage::Seismic, "with nowhere to go, it is gone; no retreats");
}

#[test]
fn seismic_1971_rule_8_a_trapped_fleet_counts_as_a_unit_and_can_be_removed() {
    let units: [(Power, &[&str]); 2] = [(Power::AUSTRIA, &["F TRI", "A VIE"]), (Power::ITALY, &["A ROM"])];
    let closed = ["separate TRI ADR connect VEN ALB"];
    let mut table = SEISMIC_1971.set(
        "F1905M",
        &closed,
        &units,
        &[(Power::AUSTRIA, &["TRI", "VIE"]), (Power::ITALY, &["ROM"])],
    );
    table.move_all(&[]);
    assert_eq!(table.game.phase().to_string(), "W1905E", "two centres and two units: nothing is owed");
    let mut table =
        SEISMIC_1971.set("F1905M", &closed, &units, &[(Power::AUSTRIA, &["TRI"]), (Power::ITALY, &["ROM"])]);
    table.move_all(&["A VIE - BUD"]);
    assert_eq!(table.game.phase().to_string(), "W1905E", "Budapest makes two");
    let mut table =
        SEISMIC_1971.set("F1905M", &closed, &units, &[(Power::AUSTRIA, &["TRI"]), (Power::ITALY, &["ROM"])]);
    table.move_all(&["A VIE - BOH"]);
    assert_eq!(table.game.phase().to_string(), "W1905A");
    let mut answers = Answers::none(Powers::STANDARD);
    answers.adjustments[Power::AUSTRIA].push(AdjustmentOrder::Remove { at: table.id("TRI") });
    table.settle(answers);
    assert_eq!(table.units(Power::AUSTRIA), ["A BOH"]);
}

#[test]
fn seismic_1971_rule_8_no_fleet_is_built_where_there_is_no_coast() {
    let mut table = SEISMIC_1971.set(
        "F1905M",
        &["separate TRI ADR connect VEN ALB"],
        &[(Power::AUSTRIA, &["A BUD"]), (Power::ITALY, &["A ROM"])],
        &[(Power::AUSTRIA, &["TRI", "BUD"]), (Power::ITALY, &["ROM"])],
    );
    table.move_all(&[]);
    let builds = adjustment::builds(table.game.terrain().board(), &table.game.build_sites(Power::AUSTRIA));
    assert_eq!(builds, [AdjustmentOrder::Build { kind: UnitKind::Army, at: table.id("TRI").into() }]);
}

#[test]
fn seismic_1971_rule_8_a_trapped_fleet_holds_its_centre() {
    let mut table = trapped_in_trieste();
    table.move_all(&[]);
    assert!(table.centres(Power::AUSTRIA).contains(&"TRI"));
}

#[test]
fn seismic_1971_rule_8_it_is_free_when_a_coast_is_opened() {
    let mut table = trapped_in_trieste();
    table.move_all(&[]).shake(&[(Power::AUSTRIA, OPEN_TRIESTE)]);
    assert_eq!(table.game.phase().to_string(), "S1902M");
    assert!(legal_orders(&table, "TRI") > 1);
    table.move_all(&["F TRI - ADR"]);
    assert!(table.units(Power::AUSTRIA).contains(&"F ADR".to_owned()));
}

#[test]
fn seismic_1971_rule_8_of_several_coasts_that_open_its_owner_chooses_one() {
    let closed = ["separate BAR STP connect NWY OUT", "separate BOT STP connect FIN LVN"];
    let units: [(Power, &[&str]); 3] =
        [(Power::RUSSIA, &["F STP", "A MOS"]), (Power::ITALY, &["A ROM"]), (Power::FRANCE, &["A PAR"])];
    for chooses in [true, false] {
        let mut table = SEISMIC_1971.set("S1905E", &closed, &units, &[]);
        table.shake(&[
            (Power::RUSSIA, "SEPARATE NWY OUT CONNECT BAR STP"),
            (Power::FRANCE, "SEPARATE FIN LVN CONNECT BOT STP"),
        ]);
        assert_eq!(table.game.stage(), Stage::Coasts);
        let choice = table.game.coast_choices()[0].clone();
        assert_eq!((choice.power, choice.coasts.len()), (Power::RUSSIA, 2));
        let other = *choice.coasts.iter().find(|&&coast| coast != choice.default).expect("another");
        table.coasts(|_| chooses.then_some(other));
        let at = table.position().unit(table.id("STP")).expect("a fleet").coast;
        assert_eq!(at, if chooses { other } else { choice.default });
        // None has an old contact: without a choice it is the first counter-clockwise from north.
        assert_eq!(table.units(Power::RUSSIA), ["A MOS", if chooses { "F STP/SC" } else { "F STP/NC" }]);
    }
}

#[test]
fn seismic_1971_rule_8_an_army_does_not_mind_coasts() {
    let mut table =
        SEISMIC_1971.set("S1905E", &[], &[(Power::AUSTRIA, &["A TRI"]), (Power::ITALY, &["A ROM"])], &[]);
    table.shake(&[(Power::ITALY, CLOSE_TRIESTE)]);
    table.move_all(&["A TRI - VEN"]);
    assert_eq!(table.units(Power::AUSTRIA), ["A VEN"]);
}

#[test]
fn seismic_1971_rule_8_in_other_variants_such_a_fleet_is_lost() {
    assert_eq!(Table::new_game(variant("schizo-ii"), 1905).game.world().coastless, None);
}

// ---- rule 9: passages ----

/// A fleet goes from one sea through the province to the other.
fn passes(events: &[&str], from: &str, through: &str, to: &str) -> bool {
    let mut table = SEISMIC_1971.set("S1905M", events, &[(Power::ITALY, &[&format!("F {from}")])], &[]);
    let (board, names) = (table.game.terrain().board(), table.game.terrain().names());
    let enters = board.fleet_moves(table.id(from).into());
    let province = table.id(through);
    let ways: Vec<String> = enters
        .iter()
        .filter(|way| way.province == province)
        .map(|way| names.location(way, UnitKind::Fleet).to_string())
        .collect();
    let [way] = &ways[..] else { panic!("{from} to {through}: {ways:?}") };
    table.move_all(&[&format!("F {from} - {way}")]).rest_of_season();
    let unit = table.position().unit(province).expect("the fleet");
    let target = table.id(to);
    let here = Location { province, coast: unit.coast };
    table.game.terrain().board().fleet_reach(here).contains(target)
}

#[test]
fn seismic_1971_rule_9_the_straits_provinces_have_one_coast_on_their_two_seas() {
    for (province, one, other) in [
        ("CON", "BLA", "AEG"),
        ("KIE", "HEL", "BAL"),
        ("DEN", "SKA", "BAL"),
        ("SWE", "SKA", "BAL"),
        ("NAP", "ION", "TYS"),
    ] {
        assert!(passes(&[], one, province, other) && passes(&[], other, province, one), "{province}");
    }
}

#[test]
fn seismic_1971_rule_9_others_have_none_and_naples_needs_it_once_something_lies_between() {
    // Tunis between the seas at Naples: the passage keeps its coast one, and that of Tunis is divided.
    let events = ["separate ION TYS connect NAP TUN"];
    assert!(passes(&events, "ION", "NAP", "TYS"));
    assert!(!passes(&events, "ION", "TUN", "TYS"));
    assert!(!passes(&[], "BLA", "BUL", "AEG"));
}

#[test]
fn seismic_1971_rule_9_only_while_the_province_is_on_both_seas() {
    // Kiel touches the North Sea and then no longer the Heligoland Bight: two coasts.
    let at_both = ["separate HEL HOL connect KIE NTH"];
    assert!(passes(&at_both, "NTH", "KIE", "BAL"), "the Bight is still there");
    let without = ["separate HEL HOL connect KIE NTH", "separate HEL KIE connect DEN NTH"];
    assert!(!passes(&without, "NTH", "KIE", "BAL"));
    // It exists again with the sea.
    let again = [without[0], without[1], "separate DEN NTH connect HEL KIE"];
    assert!(passes(&again, "NTH", "KIE", "BAL"));
}

#[test]
fn seismic_1971_rule_9_sweden_and_denmark_apart_keep_theirs() {
    // Sweden without Denmark: the seas meet, and nothing is lost.
    let events = ["separate DEN SWE connect BAL SKA"];
    assert!(passes(&events, "SKA", "SWE", "BAL") && passes(&events, "SKA", "DEN", "BAL"));
    // Sweden without the Baltic: Denmark's is its own.
    let events = ["separate BAL SWE connect BOT DEN"];
    assert!(passes(&events, "SKA", "DEN", "BAL"));
    assert!(!passes(&events, "SKA", "SWE", "BOT"), "the passage of Sweden is to the Baltic alone");
}

#[test]
fn seismic_1971_rule_9_an_earthquake_that_closes_a_passage_makes_the_owner_choose() {
    let mut table = SEISMIC_1971.set(
        "S1905E",
        &["separate HEL HOL connect KIE NTH"],
        &[(Power::GERMANY, &["F KIE"]), (Power::TURKEY, &["A ANK"])],
        &[],
    );
    table.shake(&[(Power::TURKEY, "SEPARATE HEL KIE CONNECT DEN NTH")]);
    assert_eq!(table.game.stage(), Stage::Coasts);
    assert_eq!(table.game.coast_choices()[0].coasts.len(), 2);
}
