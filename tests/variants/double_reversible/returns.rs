//! `double-reversible`: units and centres that come back from a hole (Double Reversible rule 4, fourth to sixth
//! sentence), and the fate of fleets (its three clarifications; rules.md 2, 4.8, 4.9).

use crate::helpers::shipped::variant;
use crate::helpers::table::{Lists, Table};
use upheaval::game::Stage;
use upheaval::ids::Powers;
use upheaval::ids::{CoastId, Location, Power};
use upheaval::rules::answers::Answers;
use upheaval::rules::event::Event;
use upheaval::rules::game_state::CoastChoice;

/// A game from a given position, in which these faces toggle in the given seasons.
fn set(phase: &str, map_events: &[&str], units: &Lists<'_>, drawn: &[(&str, &str)]) -> Table {
    let table = Table::set_in(variant("double-reversible"), phase, map_events, units, &[]);
    drawn.iter().fold(table, |table, (season, face)| table.hole(season, face))
}

fn swallowed(table: &Table) -> usize {
    table.game.world().swallowed.len()
}

// ---- rule 4, fourth sentence: units and centre come back ----

#[test]
fn double_reversible_rule_4_fourth_sentence_the_one_unit_stands_there_again() {
    for (unit, hole) in [("A MUN", "MUN"), ("F LYO", "LYO"), ("F STP/SC", "STP"), ("F STP/NC", "STP")] {
        let mut table = set("S1902M", &[], &[(Power::RUSSIA, &[unit])], &[("S1902", hole), ("F1902", hole)]);
        table.move_all(&[]);
        assert_eq!((table.units(Power::RUSSIA).len(), swallowed(&table)), (0, 1), "{unit}");
        table.move_all(&[]);
        assert_eq!((table.units(Power::RUSSIA), swallowed(&table)), (vec![unit.to_owned()], 0));
        let (back, told) = (table.id(hole), |e: &Event| matches!(e, Event::UnitReturned(..)));
        assert!(table.when(|e| *e == Event::Restored(back)) < table.when(told));
    }
}

#[test]
fn double_reversible_rulings_4_8_a_unit_that_was_ordered_there_stands_there_now() {
    let units: [(Power, &[&str]); 1] = [(Power::RUSSIA, &["F BOT", "A MOS"])];
    let drawn = [("S1902", "STP"), ("F1902", "STP")];
    let mut table = set("S1902M", &[], &units, &drawn);
    table.move_all(&["F BOT - STP/SC"]).move_all(&[]);
    assert_eq!(table.units(Power::RUSSIA), ["A MOS", "F STP/SC"], "on the coast it was ordered to");
    // The same although it bounced: the fleet at sea vanished, and is back in the province.
    let units: [(Power, &[&str]); 2] = [(Power::RUSSIA, &["F BOT"]), (Power::ENGLAND, &["F NWY", "F BAR"])];
    let mut table = set("S1902M", &[], &units, &drawn);
    table.move_all(&["F BOT - STP/SC", "F BAR - STP/NC", "F NWY S F BAR - STP"]);
    assert_eq!(swallowed(&table), 2);
    table.move_all(&[]);
    let places: Vec<_> = table.game.dislodged().dislodged.iter().map(|d| (d.unit.power, d.at)).collect();
    assert_eq!(places, [(Power::ENGLAND, table.id("STP")), (Power::RUSSIA, table.id("STP"))]);
}

#[test]
fn double_reversible_rule_4_fourth_sentence_it_may_take_years_and_other_holes() {
    let drawn = [("S1902", "MUN"), ("F1902", "BUR"), ("S1903", "TYR"), ("F1903", "BUR"), ("S1904", "MUN")];
    let units: [(Power, &[&str]); 2] = [(Power::GERMANY, &["A MUN"]), (Power::ITALY, &["A ROM"])];
    let table =
        Table::set_in(variant("double-reversible"), "S1902M", &[], &units, &[(Power::ITALY, &["ROM"])]);
    let mut table = drawn.iter().fold(table, |table, (season, face)| table.hole(season, face));
    for _ in 0..5 {
        assert_eq!(table.game.stage(), Stage::Movement);
        table.move_all(&[]);
    }
    assert_eq!(table.units(Power::GERMANY), ["A MUN"]);
}

#[test]
fn double_reversible_rule_4_a_space_may_go_and_come_back_again_and_again_with_its_unit() {
    let seasons = ["S1902", "F1902", "S1903", "F1903"];
    let drawn = seasons.map(|season| (season, "MUN"));
    let table = Table::set_in(
        variant("double-reversible"),
        "S1902M",
        &[],
        &[(Power::GERMANY, &["A MUN"]), (Power::ITALY, &["A ROM"])],
        &[(Power::ITALY, &["ROM"])],
    );
    let mut table = drawn.iter().fold(table, |table, (season, face)| table.hole(season, face));
    for season in seasons {
        table.move_all(&[]);
        let (gone, here) = (swallowed(&table), table.units(Power::GERMANY));
        match &season[..1] {
            "S" => assert_eq!((gone, here.len()), (1, 0), "{season}"),
            _ => assert_eq!((gone, here), (0, vec!["A MUN".to_owned()]), "{season}"),
        }
    }
    let count = |fits: fn(&Event) -> bool| table.told.events.iter().filter(|(_, e)| fits(e)).count();
    assert_eq!(count(|e| matches!(e, Event::Swallowed { .. })), 2);
    assert_eq!(count(|e| matches!(e, Event::UnitReturned(..))), 2);
}

#[test]
fn double_reversible_rule_4_only_the_units_of_that_space_come_back() {
    let units: [(Power, &[&str]); 2] = [(Power::GERMANY, &["A MUN", "A BER"]), (Power::ITALY, &["A ROM"])];
    let mut table = set("S1902M", &[], &units, &[("S1902", "MUN"), ("S1902", "BER"), ("F1902", "BER")]);
    table.move_all(&[]).move_all(&[]);
    assert_eq!((table.units(Power::GERMANY), swallowed(&table)), (vec!["A BER".into()], 1));
}

// ---- rule 4, fifth sentence: several must retreat ----

/// Armies of France and Austria, ordered into Munich, come back with it.
fn two_in_munich(also: &[&str]) -> Table {
    let units: [(Power, &[&str]); 3] =
        [(Power::FRANCE, &["A BUR"]), (Power::AUSTRIA, &["A BOH"]), (Power::ITALY, also)];
    let mut table = set("S1902M", &[], &units, &[("S1902", "MUN"), ("F1902", "MUN")]);
    table.move_all(&["A BUR - MUN", "A BOH - MUN"]).move_all(&[]);
    table
}

#[test]
fn double_reversible_rule_4_fifth_sentence_units_of_different_powers_must_all_retreat() {
    let mut table = two_in_munich(&["A TYR"]);
    assert_eq!(table.game.stage(), Stage::Retreats);
    assert!(table.position().unit(table.id("MUN")).is_none(), "nobody stands there");
    let options = ["BER", "BOH", "BUR", "KIE", "RUH", "SIL"].map(String::from).to_vec();
    let expected =
        [(Power::AUSTRIA, "MUN".to_owned(), options.clone()), (Power::FRANCE, "MUN".to_owned(), options)];
    let mut found = table.waiting();
    found.sort_by_key(|(power, ..)| *power);
    assert_eq!(found, expected);
    assert!(table.game.dislodged().dislodged.iter().all(|unit| unit.attacker.is_none()), "no attacker");
    let told = table.told.events.iter().filter(|(_, e)| matches!(e, Event::Dislodged(_))).count();
    assert_eq!(told, 2);
    let retreats = table
        .game
        .dislodged()
        .dislodged
        .iter()
        .map(|unit| {
            let to = table.id(if unit.unit.power == Power::FRANCE { "BUR" } else { "BOH" });
            Some(upheaval::rules::order::RetreatOrder::Retreat { to: Location::from(to) })
        })
        .collect();
    table.settle(Answers { retreats, ..Answers::none(Powers::STANDARD) });
    assert_eq!(
        (table.units(Power::FRANCE), table.units(Power::AUSTRIA)),
        (vec!["A BUR".into()], vec!["A BOH".into()])
    );
}

/// Two French armies come back with Munich.
fn two_of_france() -> Table {
    let units: [(Power, &[&str]); 1] = [(Power::FRANCE, &["A BUR", "A BOH"])];
    let mut table = set("S1902M", &[], &units, &[("S1902", "MUN"), ("F1902", "MUN")]);
    table.move_all(&["A BUR - MUN", "A BOH - MUN"]).move_all(&[]);
    table
}

#[test]
fn double_reversible_rule_4_fifth_sentence_two_of_one_power_must_retreat_and_have_numbers() {
    let mut table = two_of_france();
    table.retreat(&["A MUN R TYR", "A MUN#2 R KIE"]);
    assert_eq!(table.units(Power::FRANCE), ["A KIE", "A TYR"]);
    let mut table = two_of_france();
    table.retreat(&["A MUN#2 R KIE"]);
    assert_eq!(table.units(Power::FRANCE), ["A KIE"], "the other has no order");
}

#[test]
fn double_reversible_rule_4_fifth_sentence_two_that_retreat_to_one_place_are_lost() {
    let mut table = two_of_france();
    table.retreat(&["A MUN R TYR", "A MUN#2 R TYR"]);
    assert!(table.units(Power::FRANCE).is_empty());
    let lost = table.told.events.iter().filter(|(_, e)| matches!(e, Event::Disbanded(_))).count();
    assert_eq!(lost, 2);
}

#[test]
fn double_reversible_rule_4_fifth_sentence_who_stood_there_and_who_came_in_alike() {
    let units: [(Power, &[&str]); 2] = [(Power::GERMANY, &["A MUN"]), (Power::FRANCE, &["A BUR"])];
    let mut table = set("S1902M", &[], &units, &[("S1902", "MUN"), ("F1902", "MUN")]);
    table.move_all(&["A BUR - MUN"]).move_all(&[]);
    let powers: Vec<Power> = table.waiting().into_iter().map(|(power, ..)| power).collect();
    assert_eq!(powers, [Power::FRANCE, Power::GERMANY]);
}

#[test]
fn double_reversible_rule_4_fifth_sentence_three_are_three() {
    let units: [(Power, &[&str]); 3] =
        [(Power::GERMANY, &["A MUN"]), (Power::FRANCE, &["A BUR"]), (Power::RUSSIA, &["A SIL"])];
    let mut table = set("S1902M", &[], &units, &[("S1902", "MUN"), ("F1902", "MUN")]);
    table.move_all(&["A BUR - MUN", "A SIL - MUN"]).move_all(&[]);
    assert_eq!(table.waiting().len(), 3);
}

#[test]
fn double_reversible_rule_4_fifth_sentence_with_nowhere_to_go_they_are_lost() {
    // From Portugal armies can only go to Spain.
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A POR", "A SPA"]), (Power::ITALY, &["A MAR"])];
    let mut table = set("S1902M", &[], &units, &[("S1902", "POR"), ("F1902", "POR")]);
    table.move_all(&["A SPA - POR"]).move_all(&["A MAR - SPA"]);
    assert!(table.units(Power::FRANCE).is_empty());
    assert_eq!(
        (table.units(Power::ITALY), table.game.phase().to_string()),
        (vec!["A SPA".into()], "S1903M".into())
    );
    let lost = table.told.events.iter().filter(|(_, e)| matches!(e, Event::Disbanded(_))).count();
    assert_eq!((lost, swallowed(&table)), (2, 0));
}

#[test]
fn double_reversible_rule_4_fifth_sentence_armies_and_fleets_each_go_their_ways() {
    let units: [(Power, &[&str]); 2] = [(Power::TURKEY, &["F AEG"]), (Power::AUSTRIA, &["A SER", "A GRE"])];
    let mut table = set("S1902M", &[], &units, &[("S1902", "BUL"), ("F1902", "BUL")]);
    table.move_all(&["F AEG - BUL/SC", "A SER - BUL"]).move_all(&[]);
    let expected = [(Power::AUSTRIA, vec!["CON", "RUM", "SER"]), (Power::TURKEY, vec!["AEG", "CON"])];
    for ((power, at, options), expected) in table.waiting().iter().zip(expected) {
        assert_eq!(
            (*power, at.as_str(), options.clone()),
            (expected.0, "BUL", expected.1.iter().map(|s| s.to_string()).collect())
        );
    }
}

#[test]
fn double_reversible_rule_4_fifth_sentence_two_fleets_of_one_power_are_told_apart_by_their_coasts() {
    let units: [(Power, &[&str]); 2] = [(Power::TURKEY, &["F AEG", "F BLA"]), (Power::RUSSIA, &["A MOS"])];
    for orders in [["F BUL/SC R GRE", "F BUL/EC R RUM"], ["F BUL/EC R RUM", "F BUL/SC R GRE"]] {
        let mut table = set("S1902M", &[], &units, &[("S1902", "BUL"), ("F1902", "BUL")]);
        table.move_all(&["F AEG - BUL/SC", "F BLA - BUL/EC"]).move_all(&[]);
        assert_eq!(table.waiting().len(), 2);
        table.retreat(&orders);
        assert_eq!(table.units(Power::TURKEY), ["F GRE", "F RUM"], "{orders:?}");
    }
}

// ---- rule 4, sixth sentence: the centre ----

/// A German centre is swallowed and comes back in this season, with this unit if there is one.
fn munich_returns(season: &str, unit: &[&str]) -> Table {
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, unit), (Power::GERMANY, &["A KIE"])];
    let centres: [(Power, &[&str]); 1] = [(Power::GERMANY, &["KIE", "MUN"])];
    let before = if season == "F1902" { "S1902" } else { "F1901" };
    let table = Table::set_in(variant("double-reversible"), &format!("{before}M"), &[], &units, &centres);
    let mut table = table.hole(before, "MUN").hole(season, "MUN");
    table.move_all(&[]);
    assert_eq!(table.centres(Power::GERMANY), ["KIE"]);
    assert_eq!(table.game.terrain().centres().len(), 33);
    table.move_all(&[]);
    table
}

#[test]
fn double_reversible_rule_4_sixth_sentence_the_centre_returns_neutral_and_is_one_more() {
    for season in ["F1902", "S1902"] {
        let table = munich_returns(season, &[]);
        assert_eq!(table.game.terrain().centres().len(), 34);
        assert_eq!(table.position().owner(table.id("MUN")), None, "{season}");
    }
}

#[test]
fn double_reversible_rulings_4_8_in_fall_the_unit_that_stands_there_takes_it_in_spring_not() {
    let table = munich_returns("F1902", &["A MUN"]);
    assert_eq!(
        (table.units(Power::FRANCE), table.centres(Power::FRANCE)),
        (vec!["A MUN".into()], vec!["MUN"])
    );
    let mut table = munich_returns("S1902", &["A MUN"]);
    assert_eq!((table.units(Power::FRANCE), table.centres(Power::FRANCE)), (vec!["A MUN".into()], vec![]));
    table.move_all(&["A MUN - BUR"]);
    assert_eq!(table.position().owner(table.id("MUN")), None);
}

#[test]
fn double_reversible_rulings_4_8_units_that_must_retreat_do_not_take_it() {
    let mut table = two_of_france();
    assert_eq!(table.game.phase().to_string(), "F1902R");
    table.retreat(&["A MUN R TYR", "A MUN#2 R KIE"]);
    assert_eq!(table.centres(Power::FRANCE), ["KIE"]);
}

#[test]
fn double_reversible_rule_4_nobody_moves_into_a_space_in_the_season_of_its_return() {
    let table = set("S1902M", &["collapse MUN"], &[(Power::GERMANY, &["A KIE"])], &[("S1902", "MUN")]);
    let names = table.game.terrain().names();
    assert!(!table.game.terrain().board().army_reach(table.id("KIE")).contains(names.find("MUN").unwrap()));
}

#[test]
fn double_reversible_rulings_4_3_a_dislodged_unit_may_retreat_to_a_space_that_has_come_back_empty() {
    let units: [(Power, &[&str]); 2] = [(Power::GERMANY, &["A KIE"]), (Power::FRANCE, &["A RUH", "A HOL"])];
    let mut table = set("S1902M", &["collapse MUN"], &units, &[("S1902", "MUN")]);
    table.move_all(&["A RUH - KIE", "A HOL S A RUH - KIE"]);
    assert_eq!(table.waiting()[0].2, ["BER", "DEN", "MUN"]);
}

// ---- first clarification: coasts ----

#[test]
fn double_reversible_clarification_1_coasts_come_and_go() {
    let mut table = set("S1902M", &[], &[(Power::FRANCE, &["A PAR"])], &[("S1902", "MAR"), ("F1902", "MAR")]);
    let coasts = |table: &Table, name: &str| table.game.terrain().board().coasts(table.id(name));
    assert_eq!((coasts(&table, "BUR"), coasts(&table, "GAS")), (0, 1));
    table.move_all(&[]);
    assert_eq!((coasts(&table, "BUR"), coasts(&table, "GAS")), (1, 2));
    table.move_all(&[]);
    assert_eq!((coasts(&table, "BUR"), coasts(&table, "GAS")), (0, 1));
}

/// A Turkish fleet in Bulgaria, which has one coast while Constantinople is a hole; the hole comes back.
fn divided(more: &[&str]) -> Table {
    let units: [(Power, &[&str]); 2] = [(Power::TURKEY, &["F BUL"]), (Power::AUSTRIA, more)];
    set("S1902M", &["collapse CON"], &units, &[("S1902", "CON")])
}

#[test]
fn double_reversible_clarification_1_on_a_coast_that_is_divided_the_owner_chooses() {
    for wanted in ["EC", "SC"] {
        let mut table = divided(&[]);
        table.move_all(&[]);
        assert_eq!((table.game.stage(), table.game.phase().to_string()), (Stage::Coasts, "S1902M".into()));
        let names = table.game.terrain().names().clone();
        let mut asked = 0;
        table.coasts(|choice: &CoastChoice| {
            asked += 1;
            assert_eq!((choice.power, choice.coasts.len()), (Power::TURKEY, 2));
            names.find_coast(choice.fleet, wanted)
        });
        assert_eq!((asked, table.units(Power::TURKEY)), (1, vec![format!("F BUL/{wanted}")]));
        assert_eq!(table.game.phase().to_string(), "F1902M");
    }
}

#[test]
fn double_reversible_rulings_2_1_unchosen_it_takes_the_first_part_anticlockwise_from_north() {
    // A sea on each side. The Aegean bears 176 degrees from Bulgaria, 184 anticlockwise; the Black Sea 75, 285.
    for answer in [None, Some(CoastId(9))] {
        let mut table = divided(&[]);
        table.move_all(&[]).coasts(|_| answer);
        assert_eq!(table.units(Power::TURKEY), ["F BUL/SC"]);
    }
}

#[test]
fn double_reversible_clarification_1_the_choice_comes_before_the_retreats() {
    let units: [(Power, &[&str]); 3] =
        [(Power::TURKEY, &["F BUL"]), (Power::AUSTRIA, &["A GAL", "A WAR"]), (Power::RUSSIA, &["A UKR"])];
    let mut table = set("S1902M", &["collapse CON"], &units, &[("S1902", "CON")]);
    table.move_all(&["A GAL - UKR", "A WAR S A GAL - UKR"]);
    assert_eq!(table.game.stage(), Stage::Coasts);
    table.coasts(|_| None);
    assert_eq!((table.game.stage(), table.game.phase().to_string()), (Stage::Retreats, "S1902R".into()));
}

#[test]
fn double_reversible_clarification_1_a_dislodged_fleet_retreats_from_either_part() {
    let mut table = divided(&["A SER", "A RUM"]);
    table.move_all(&["A SER - BUL", "A RUM S A SER - BUL"]);
    assert_eq!(table.game.stage(), Stage::Retreats, "it chooses by where it goes");
    assert_eq!(
        table.waiting(),
        [(Power::TURKEY, "BUL".into(), ["AEG", "BLA", "CON", "GRE"].map(String::from).to_vec())]
    );
    table.retreat(&["F BUL R AEG"]);
    assert_eq!(table.units(Power::TURKEY), ["F AEG"]);
}

#[test]
fn double_reversible_clarification_1_a_new_coast_elsewhere_leaves_the_fleet_on_its_own() {
    let mut table = set("S1902M", &[], &[(Power::FRANCE, &["F GAS"])], &[("S1902", "MAR")]);
    let before = table.reach("GAS");
    table.move_all(&[]);
    assert_eq!(table.game.stage(), Stage::Movement, "nothing is asked");
    assert_eq!(before, ["BRE", "MAO", "SPA/NC"]);
    assert_eq!(table.reach("GAS"), before);
    assert_eq!(table.when(|e| matches!(e, Event::CoastMoved(..))), None);
}

#[test]
fn double_reversible_clarification_1_a_fleet_marooned_by_a_hole_or_a_return_is_destroyed() {
    let mut table = set("S1902M", &[], &[(Power::TURKEY, &["F RUM", "F ANK", "F CON"])], &[("S1902", "BLA")]);
    table.move_all(&[]);
    assert_eq!(table.units(Power::TURKEY), ["F CON"], "Constantinople has the Aegean");
    let mut table =
        set("S1902M", &["collapse MAR"], &[(Power::FRANCE, &["F BUR", "F GAS/EC"])], &[("S1902", "MAR")]);
    table.move_all(&[]);
    assert_eq!(table.units(Power::FRANCE), ["F GAS"], "and Gascony its other coast");
    assert!(table.when(|e| matches!(e, Event::CoastLost(at, _) if *at == table.id("BUR"))).is_some());
}

#[test]
fn double_reversible_clarification_1_a_dislodged_fleet_that_is_marooned_has_no_retreat() {
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["F BUR"]), (Power::GERMANY, &["A MUN", "A RUH"])];
    let mut table = set("S1902M", &["collapse MAR"], &units, &[("S1902", "MAR")]);
    table.move_all(&["A MUN - BUR", "A RUH S A MUN - BUR"]);
    assert!(table.units(Power::FRANCE).is_empty() && table.game.stage() == Stage::Movement);
    assert!(
        table.when(|e| matches!(e, Event::Disbanded(unit) if unit.unit.power == Power::FRANCE)).is_some()
    );
    // It does retreat while its coast exists.
    let mut table = set("S1902M", &["collapse MAR"], &units, &[]);
    table.move_all(&["A MUN - BUR", "A RUH S A MUN - BUR"]);
    assert_eq!(table.waiting()[0].2, ["GAS/EC", "LYO", "PIE", "SPA/SC"]);
}

#[test]
fn double_reversible_rulings_4_8_a_fleet_dislodged_from_the_space_goes_to_coasts_as_they_are_now() {
    // With Constantinople gone the two coasts of Bulgaria are one.
    let units: [(Power, &[&str]); 2] = [(Power::TURKEY, &["F CON"]), (Power::AUSTRIA, &["A SMY", "A ANK"])];
    let mut table = set("S1902M", &[], &units, &[("S1902", "CON")]);
    table.move_all(&["A SMY - CON", "A ANK S A SMY - CON"]);
    assert_eq!(table.game.terrain().board().coasts(table.id("BUL")), 1);
    assert_eq!(table.waiting()[0].2, ["AEG", "BLA", "BUL"]);
    table.retreat(&["F CON R BUL"]);
    assert_eq!(table.reach("BUL"), ["AEG", "ANK", "BLA", "GRE", "RUM", "SMY"]);
}

#[test]
fn double_reversible_rulings_4_8_a_fleet_dislodged_from_a_sea_that_goes_retreats_to_no_landlocked_province() {
    // With the Black Sea gone Rumania, Sevastopol, Armenia and Ankara have no coast left.
    let units: [(Power, &[&str]); 2] = [(Power::RUSSIA, &["F BLA"]), (Power::TURKEY, &["F CON", "F BUL/EC"])];
    let mut table = set("S1902M", &[], &units, &[("S1902", "BLA")]);
    table.move_all(&["F CON - BLA", "F BUL/EC S F CON - BLA"]);
    assert!(table.units(Power::RUSSIA).is_empty());
    assert_eq!(table.game.phase().to_string(), "F1902M", "it can go nowhere");
    let units: [(Power, &[&str]); 2] = [(Power::RUSSIA, &["F BLA"]), (Power::TURKEY, &["F ANK", "F CON"])];
    let mut table = set("S1902M", &["collapse BUL"], &units, &[("S1902", "BLA")]);
    table.move_all(&["F ANK - BLA", "F CON S F ANK - BLA"]);
    assert_eq!(table.names(table.game.terrain().chart().map().holes()), ["BLA", "BUL"]);
    // The point of both holes touches the Aegean, so that all round it are coasts.
    assert_eq!(table.waiting()[0].2, ["AEG", "ARM", "GRE", "RUM", "SER", "SEV"]);
}

// ---- fleets that come back with their space ----

/// A Turkish fleet is on the only coast of Bulgaria while Constantinople is a hole, and vanishes with it.
fn bulgaria_returns(with: &[&str]) -> Table {
    let mut table = set(
        "S1902M",
        &["collapse CON"],
        &[(Power::TURKEY, &["F BUL"])],
        &[("S1902", "BUL"), ("F1902", "BUL")],
    );
    for face in with {
        table = table.hole("F1902", face);
    }
    table.move_all(&[]).move_all(&[]);
    table
}

#[test]
fn double_reversible_rulings_4_8_a_returning_fleet_stands_on_its_coast() {
    let table = bulgaria_returns(&[]);
    assert_eq!(table.units(Power::TURKEY), ["F BUL"]);
    assert_eq!(table.game.terrain().board().coasts(table.id("BUL")), 1);
}

#[test]
fn double_reversible_rulings_4_8_a_returning_fleet_whose_coast_was_divided_meanwhile_chooses() {
    for (answer, coast) in [(Some("EC"), "EC"), (Some("SC"), "SC"), (None, "SC")] {
        let mut table = bulgaria_returns(&["CON"]);
        assert_eq!(table.game.stage(), Stage::Coasts);
        let names = table.game.terrain().names().clone();
        table.coasts(|choice| answer.and_then(|name| names.find_coast(choice.fleet, name)));
        assert_eq!(table.units(Power::TURKEY), [format!("F BUL/{coast}")]);
    }
}

#[test]
fn double_reversible_rulings_2_3_a_returning_fleet_whose_coast_is_gone_takes_the_other() {
    let drawn = [("S1902", "GAS"), ("F1902", "GAS"), ("F1902", "MAR")];
    let mut table = set("S1902M", &["collapse MAR"], &[(Power::FRANCE, &["F GAS/EC"])], &drawn);
    table.move_all(&[]).move_all(&[]);
    assert_eq!(table.units(Power::FRANCE), ["F GAS"]);
    assert_eq!(table.reach("GAS"), ["BRE", "MAO", "SPA/NC"]);
    assert!(table.when(|e| matches!(e, Event::CoastMoved(..))).is_some());
}

#[test]
fn double_reversible_rulings_2_4_a_returning_fleet_in_a_landlocked_province_is_lost() {
    let drawn = [("S1902", "BUR"), ("F1902", "BUR"), ("F1902", "MAR")];
    let mut table = set("S1902M", &["collapse MAR"], &[(Power::FRANCE, &["F BUR"])], &drawn);
    table.move_all(&[]).move_all(&[]);
    assert!(table.units(Power::FRANCE).is_empty() && swallowed(&table) == 0);
    let back = table.when(|e| matches!(e, Event::UnitReturned(..)));
    assert!(back.is_some() && back < table.when(|e| matches!(e, Event::CoastLost(..))));
}

#[test]
fn double_reversible_rulings_2_4_of_several_a_fleet_without_a_coast_is_lost_and_the_army_retreats() {
    let drawn = [("S1902", "BUR"), ("F1902", "BUR"), ("F1902", "MAR")];
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["F BUR"]), (Power::GERMANY, &["A MUN"])];
    let mut table = set("S1902M", &["collapse MAR"], &units, &drawn);
    table.move_all(&["A MUN - BUR"]).move_all(&[]);
    let options: Vec<_> =
        table.waiting().into_iter().map(|(power, _, options)| (power, options.len())).collect();
    assert_eq!(options, [(Power::FRANCE, 0), (Power::GERMANY, 7)]);
    table.retreat(&["A BUR R MUN"]);
    assert_eq!((table.units(Power::FRANCE).len(), table.units(Power::GERMANY)), (0, vec!["A MUN".into()]));
}

// ---- second clarification: holes that touch ----

#[test]
fn double_reversible_clarification_2_holes_that_touch_are_one_point() {
    let mut table = set("S1902M", &[], &[(Power::FRANCE, &["A SPA"])], &[("S1902", "MAR"), ("F1902", "BUR")]);
    table.move_all(&[]);
    let spain =
        |table: &Table| table.names(*table.game.terrain().board().army_reach(table.id("SPA"))).join(" ");
    assert_eq!(spain(&table), "BUR GAS PIE POR");
    table.move_all(&[]);
    assert_eq!(spain(&table), "BEL GAS MUN PAR PIC PIE POR RUH", "all that touched Burgundy");
    assert_eq!(table.report().points.len(), 1);
}

#[test]
fn double_reversible_clarification_2_when_one_of_them_comes_back_the_other_is_as_it_was() {
    let drawn = [("S1902", "MAR"), ("F1902", "BUR"), ("S1903", "BUR"), ("F1903", "MAR")];
    let table = Table::set_in(
        variant("double-reversible"),
        "S1902M",
        &[],
        &[(Power::RUSSIA, &["A MOS"])],
        &[(Power::RUSSIA, &["MOS"])],
    );
    let mut table = drawn.iter().fold(table, |table, (season, face)| table.hole(season, face));
    let mut seen = vec![table.report()];
    for _ in 0..4 {
        table.move_all(&[]);
        seen.push(table.report());
    }
    assert_eq!(seen[3], seen[1]);
    assert_eq!(seen[4], seen[0]);
    assert_ne!(seen[2], seen[1]);
}

// ---- third clarification: Denmark ----

#[test]
fn double_reversible_clarification_3_next_to_denmark_is_coastal_without_a_sea() {
    let units: [(Power, &[&str]); 2] = [(Power::GERMANY, &["F BER"]), (Power::ENGLAND, &["F DEN"])];
    let drawn = [("S1902", "BAL"), ("S1902", "BOT")];
    let mut table = set("S1902M", &[], &units, &drawn);
    table.move_all(&[]);
    assert_eq!(table.units(Power::GERMANY), ["F BER"], "the point of the Baltic touches Denmark");
    table.move_all(&["F BER - PRU", "F DEN - LVN"]);
    assert_eq!(
        (table.units(Power::GERMANY), table.units(Power::ENGLAND)),
        (vec!["F PRU".into()], vec!["F LVN".into()])
    );
    // Without the archipelago the fleet is trapped.
    let mut plain = Table::set_in(variant("black-hole"), "S1902M", &[], &units, &[]);
    for (season, face) in drawn {
        plain = plain.hole(season, face);
    }
    plain.move_all(&[]);
    assert!(plain.units(Power::GERMANY).is_empty());
}

#[test]
fn double_reversible_clarification_3_denmark_lets_fleets_through_to_any_sea_next_to_it() {
    let events = ["collapse BAL", "collapse KIE"];
    for to in ["BOT", "HEL", "NTH", "SKA", "SWE", "BER", "MUN"] {
        let mut table = set("S1902M", &events, &[(Power::ENGLAND, &["F DEN"])], &[]);
        table.move_all(&[&format!("F DEN - {to}")]);
        assert_eq!(table.units(Power::ENGLAND), [format!("F {to}")]);
    }
}

#[test]
fn double_reversible_clarification_3_denmark_breaks_no_coast_in_two() {
    // Kiel's coast continues past Denmark, and so does Sweden's; both even without the canal and the strait.
    let table =
        set("S1902M", &[], &[(Power::GERMANY, &["F KIE", "F SWE"]), (Power::ENGLAND, &["F DEN"])], &[]);
    assert_eq!(table.reach("KIE"), ["BAL", "BER", "DEN", "HEL", "HOL"]);
    assert_eq!(table.reach("SWE"), ["BAL", "BOT", "DEN", "FIN", "NWY", "SKA"]);
    assert_eq!(table.reach("DEN"), ["BAL", "HEL", "KIE", "NTH", "SKA", "SWE"]);
}

#[test]
fn double_reversible_clarification_3_denmark_itself_may_go_and_come_back() {
    let units: [(Power, &[&str]); 2] = [(Power::ENGLAND, &["F DEN"]), (Power::GERMANY, &["F KIE"])];
    let mut table = set("S1902M", &[], &units, &[("S1902", "DEN"), ("F1902", "DEN")]);
    table.move_all(&[]);
    assert_eq!(table.reach("KIE"), ["BAL", "BER", "HEL", "HOL", "NTH", "SKA", "SWE"]);
    table.move_all(&[]);
    assert_eq!(table.units(Power::ENGLAND), ["F DEN"]);
}
