//! `black-hole-ii`, sentence by sentence: rr09, and rules.md 1.4, 4.6, 4.7 and 5.1 as far as they concern it. Rules
//! that it shares with `black-hole-i` are tested there and, if a closed hole makes a difference, here.

use std::sync::Arc;

use crate::helpers::shipped::{BLACK_HOLE_II, variant};
use crate::helpers::table::{Lists, Table};
use serde_json::{Value, json};
use upheaval::game::{Ending, Stage};
use upheaval::ids::Power;
use upheaval::rules::event::Event;
use upheaval::rules::mechanism::Closure;
use upheaval::rules::mechanism::Mechanism;
use upheaval::rules::rulebook::Rulebook;

/// The answers to one request under this variant and under another.
fn both(other: &str, mut request: Value) -> [Value; 2] {
    ["black-hole-ii", other].map(|variant| {
        request["variant"] = json!(variant);
        BLACK_HOLE_II.answer(request.clone())
    })
}

/// The units by power, after these orders on the map after these events.
fn moved(events: &[&str], units: &Lists<'_>, orders: &[&str]) -> Vec<String> {
    let mut table = BLACK_HOLE_II.set("S1902M", events, units, &[]);
    table.move_all(orders);
    units.iter().flat_map(|(power, _)| table.units(*power)).collect()
}

// ---- rule 1, rules.md 5.1: the 1971 rulebook ----

#[test]
fn black_hole_ii_rule_1_the_1971_rules_are_in_force() {
    assert_eq!(variant("black-hole-ii").rulebook, Rulebook::R1971);
    assert_eq!(variant("black-hole-i").rulebook, Rulebook::R2023);
}

#[test]
fn black_hole_ii_rule_1_a_convoy_by_two_routes_is_stopped_with_one_of_them() {
    let [seen, standard] = both(
        "standard",
        json!({
            "phase": "S1902M",
            "powers": {
                "ENGLAND": {"units": ["A LON", "F ENG", "F NTH"]}, "FRANCE": {"units": ["F BRE", "F MAO"]},
            },
            "orders": {
                "ENGLAND": ["A LON - BEL", "F ENG C A LON - BEL", "F NTH C A LON - BEL"],
                "FRANCE": ["F MAO - ENG", "F BRE S F MAO - ENG"],
            },
        }),
    );
    assert_eq!(standard["results"]["ENGLAND"]["A LON - BEL"], json!(["ok"]));
    assert_eq!(seen["results"]["ENGLAND"]["A LON - BEL"], json!(["disrupted"]));
}

#[test]
fn black_hole_ii_rule_1_no_retreat_to_where_a_convoyed_attacker_came_from() {
    let [seen, standard] = both(
        "standard",
        json!({
            "phase": "S1902R",
            "powers": {
                "GERMANY": {"retreats": [{"unit": "A SWE", "from": "NWY", "via_convoy": true}]},
                "ENGLAND": {"units": ["A SWE", "F SKA"]},
            },
            "orders": {"GERMANY": ["A SWE R NWY"]},
        }),
    );
    assert_eq!(standard["units_after"]["GERMANY"], json!(["A NWY"]));
    assert_eq!(seen["results"]["GERMANY"]["A SWE R NWY"], json!(["illegal"]));
    assert_eq!(seen["units_after"]["GERMANY"], json!(["A DEN"]), "149 degrees; the default finds it");
}

#[test]
fn black_hole_ii_rule_1_neighbours_change_places_by_convoy_without_via() {
    let [seen, standard] = both(
        "standard",
        json!({
            "phase": "S1902M",
            "powers": {"ENGLAND": {"units": ["A NWY", "F SKA"]}, "RUSSIA": {"units": ["A SWE"]}},
            "orders": {
                "ENGLAND": ["A NWY - SWE", "F SKA C A NWY - SWE"], "RUSSIA": ["A SWE - NWY"],
            },
        }),
    );
    assert_eq!(seen["units_after"]["RUSSIA"], json!(["A NWY"]));
    // Under 2023 the own fleet shows the intention to convoy; another power's fleet would not.
    assert_eq!(standard["units_after"]["RUSSIA"], json!(["A NWY"]));
    let [seen, standard] = both(
        "standard",
        json!({
            "phase": "S1902M",
            "powers": {"ENGLAND": {"units": ["A NWY"]}, "FRANCE": {"units": ["F SKA"]}, "RUSSIA": {"units": ["A SWE"]}},
            "orders": {
                "ENGLAND": ["A NWY - SWE"], "FRANCE": ["F SKA C A NWY - SWE"], "RUSSIA": ["A SWE - NWY"],
            },
        }),
    );
    assert_eq!(seen["units_after"]["RUSSIA"], json!(["A NWY"]));
    assert_eq!(standard["units_after"]["RUSSIA"], json!(["A SWE"]));
}

#[test]
fn black_hole_ii_rule_1_civil_disorder_measures_from_home() {
    // One centre, two units, no order. Greece is next to the centre that France owns, Kiel is nearer to its home.
    let [seen, standard] = both(
        "standard",
        json!({
            "phase": "W1902A",
            "powers": {"FRANCE": {"units": ["A GRE", "A KIE"], "centers": ["SER"]}},
        "orders": {}}),
    );
    assert_eq!(seen["units_after"]["FRANCE"], json!(["A KIE"]), "from home");
    assert_eq!(standard["units_after"]["FRANCE"], json!(["A GRE"]), "from what it owns");
}

// ---- rule 2 ----

#[test]
fn black_hole_ii_rule_2_the_rules_of_i_with_nothing_else_changed() {
    let (one, two) = (variant("black-hole-i"), variant("black-hole-ii"));
    assert_eq!((two.victory, two.unordered_retreats), (one.victory, one.unordered_retreats));
    assert_eq!((two.builds, two.deserted, two.first_phase), (one.builds, one.deserted, one.first_phase));
    assert_eq!(two.position, one.position);
    let closed: Vec<Mechanism> = one
        .mechanisms
        .iter()
        .map(|mechanism| match mechanism.clone() {
            Mechanism::Holes(mut holes) => {
                assert_eq!(holes.closure, Closure::Void);
                holes.closure = Closure::Collapse;
                Mechanism::Holes(holes)
            }
            other => other,
        })
        .collect();
    assert_eq!(two.mechanisms, closed);
}

/// Gascony is taken from the Mid-Atlantic, and Burgundy is about to fall.
#[test]
fn black_hole_ii_rule_2_retreats_come_before_the_hole_and_make_no_use_of_it() {
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A GAS"]), (Power::GERMANY, &["A BRE", "F MAO"])];
    let mut table = BLACK_HOLE_II.set("S1902M", &[], &units, &[]).hole("S1902", "BUR");
    table.move_all(&["F MAO - GAS", "A BRE S F MAO - GAS"]);
    assert!(table.game.world().doomed.is_empty() && table.nature.offered.is_empty(), "nothing is foretold");
    assert_eq!(table.options(0), ["BUR", "MAR", "PAR", "SPA"], "Munich is not next to it yet");
    table.retreat(&["A GAS R BUR"]);
    assert!(table.units(Power::FRANCE).is_empty(), "it falls with Burgundy");
    assert!(table.when(|e| matches!(e, Event::Collapsed(_))).is_some());
    assert!(table.game.terrain().board().army_reach(table.id("GAS")).contains(table.id("MUN")));
}

#[test]
fn black_hole_ii_rule_2_a_majority_of_units_and_centres_wins_after_spring_and_a_hole_can_bring_it() {
    let centres: [&str; 17] = [
        "BRE", "PAR", "MAR", "SPA", "POR", "BEL", "HOL", "DEN", "SWE", "NWY", "LON", "EDI", "LVP", "KIE",
        "BER", "MUN", "ROM",
    ];
    let ending = |units: [&[&str]; 2], hole: &str| {
        let mut table = BLACK_HOLE_II
            .set(
                "S1903M",
                &[],
                &[(Power::FRANCE, units[0]), (Power::ITALY, units[1])],
                &[(Power::FRANCE, &centres)],
            )
            .hole("S1903", hole);
        table.move_all(&[]);
        table.game.ending().cloned()
    };
    assert_eq!(ending([&["A PIC", "A GAS"], &["A APU"]], "BOH"), None, "17 of 34");
    assert_eq!(
        ending([&["A PIC", "A GAS"], &["A APU"]], "VIE"),
        Some(Ending::Solo(Power::FRANCE)),
        "17 of 33"
    );
    assert_eq!(ending([&["A PIC", "A GAS"], &["A APU", "A ALB"]], "VIE"), None, "two of four units");
}

#[test]
fn black_hole_ii_rule_2_exemption_is_changed_announced_and_lapses_as_in_i() {
    let request = |orders: Value, nature: Value| {
        let seen = BLACK_HOLE_II.answer(json!({
            "id": 1, "variant": "black-hole-ii", "phase": "F1903M", "map_events": ["collapse BRE"], "nature": nature,
            "state": {"exempt": {"FRANCE": "PAR", "AUSTRIA": "VIE"}},
            "powers": {
                "FRANCE": {"units": ["A GAS"], "centers": ["MAR"]}, "GERMANY": {"units": [], "centers": ["PAR"]},
                "ITALY": {"units": ["A TYR"]}, "AUSTRIA": {"centers": ["VIE"]},
            },
            "orders": {"FRANCE": orders, "ITALY": ["A TYR - VIE"]},
        }));
        (seen["results"]["FRANCE"].clone(), seen["centers_after"].clone())
    };
    let (results, left) = request(json!(["EXEMPT MAR", "ANNOUNCE"]), json!(["collapse PAR"]));
    assert_eq!(results, json!({"EXEMPT MAR": ["ok"], "ANNOUNCE": ["ok"]}));
    assert_eq!(left, json!({"FRANCE": ["MAR"], "ITALY": ["VIE"]}));
    let (_, left) = request(json!([]), json!(["collapse VIE"]));
    assert_eq!(left, json!({"FRANCE": ["MAR"], "GERMANY": ["PAR"]}));
}

// ---- rule 3, first sentence; rules.md 1.4 ----

#[test]
fn black_hole_ii_rule_3_first_sentence_any_two_round_the_hole_are_adjacent_by_land() {
    let mut table = BLACK_HOLE_II.set("S1901M", &[], &[], &[]).hole("S1901", "MUN");
    table.move_all(&[]);
    let board = table.game.terrain().board();
    let round = ["BER", "BOH", "BUR", "KIE", "RUH", "SIL", "TYR"];
    for a in round {
        for b in round.into_iter().filter(|b| *b != a) {
            assert!(board.army_reach(table.id(a)).contains(table.id(b)), "{a} - {b}");
        }
        let others = table.names(*board.fleet_reach_any(table.id(a)));
        assert!(!others.contains(&"BUR") && !others.contains(&"BOH"), "no sea touches it: {a} {others:?}");
    }
    let switzerland = table.id("SWI");
    assert!(!board.passable().contains(switzerland), "which borders it too, but stays impassable");
}

#[test]
fn black_hole_ii_rule_3_first_sentence_fleets_meet_round_it_where_a_sea_is() {
    let units: [(Power, &[&str]); 2] =
        [(Power::FRANCE, &["A BUR", "F GAS/EC"]), (Power::ITALY, &["F LYO", "A TUS"])];
    assert_eq!(
        moved(&["collapse MAR"], &units, &["A BUR - SPA", "F GAS/EC - PIE", "F LYO - BUR"]),
        ["A SPA", "F PIE", "A TUS", "F BUR"],
    );
    // A fleet on Gascony's other coast is not affected.
    let request = json!({
        "id": 1, "variant": "black-hole-ii", "phase": "S1902M", "map_events": ["collapse MAR"],
        "powers": {"FRANCE": {"units": ["F GAS/WC"]}}, "orders": {"FRANCE": ["F GAS/WC - PIE"]},
    });
    assert_eq!(BLACK_HOLE_II.answer(request)["results"]["FRANCE"]["F GAS/WC - PIE"], json!(["illegal"]));
}

#[test]
fn black_hole_ii_rule_3_a_collapsed_sea_brings_its_shores_together() {
    let units: [(Power, &[&str]); 2] =
        [(Power::ENGLAND, &["A LON", "F IRI"]), (Power::FRANCE, &["A PIC", "F BRE"])];
    let orders = ["A LON - BRE", "A PIC - WAL", "F BRE - MAO", "F IRI - BEL"];
    assert_eq!(moved(&["collapse ENG"], &units, &orders), ["A BRE", "F BEL", "A WAL", "F MAO"]);
}

#[test]
fn black_hole_ii_rule_3_a_chain_of_two_holes_is_one_point() {
    // Burgundy and Marseilles are neighbours: all their neighbours meet.
    let mut table = BLACK_HOLE_II.set("S1902M", &["collapse MAR"], &[], &[]).hole("S1902", "BUR");
    table.move_all(&[]);
    let board = table.game.terrain().board();
    let round = ["BEL", "GAS", "MUN", "PAR", "PIC", "PIE", "RUH", "SPA"];
    for a in round {
        for b in round.into_iter().filter(|b| *b != a) {
            assert!(board.army_reach(table.id(a)).contains(table.id(b)), "{a} - {b}");
        }
    }
    assert!(
        board.fleet_reach_any(table.id("LYO")).contains(table.id("MUN")),
        "the Gulf of Lyon touches the point"
    );
    assert_eq!(
        moved(&["collapse MAR", "collapse BUR"], &[(Power::ITALY, &["F LYO"])], &["F LYO - RUH"]),
        ["F RUH"]
    );
    // Two holes with a province between them are two points.
    let apart = BLACK_HOLE_II.set("S1902M", &["collapse PAR", "collapse MUN"], &[], &[]);
    let reach = *apart.game.terrain().board().army_reach(apart.id("PIC"));
    assert_eq!(apart.names(reach), ["BEL", "BRE", "BUR", "GAS"]);
}

// ---- rule 3, second sentence; rules.md 4.7 ----

#[test]
fn black_hole_ii_rule_3_second_sentence_two_units_do_not_change_places_across_it() {
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A BUR"]), (Power::ITALY, &["A PIE"])];
    assert_eq!(moved(&["collapse MAR"], &units, &["A BUR - PIE", "A PIE - BUR"]), ["A BUR", "A PIE"]);
    let fleets: [(Power, &[&str]); 2] = [(Power::FRANCE, &["F GAS/EC"]), (Power::ITALY, &["F LYO"])];
    assert_eq!(
        moved(&["collapse MAR"], &fleets, &["F GAS/EC - LYO", "F LYO - GAS/EC"]),
        ["F GAS/EC", "F LYO"]
    );
    let mixed: [(Power, &[&str]); 2] = [(Power::FRANCE, &["F SPA/SC"]), (Power::ITALY, &["A PIE"])];
    assert_eq!(moved(&["collapse MAR"], &mixed, &["F SPA/SC - PIE", "A PIE - SPA"]), ["F SPA/SC", "A PIE"]);
    // A single unit moves across.
    assert_eq!(moved(&["collapse MAR"], &units, &["A BUR - PIE", "A PIE - TYR"]), ["A PIE", "A TYR"]);
}

#[test]
fn black_hole_ii_rule_3_second_sentence_nor_across_a_chain_of_two_holes() {
    let units: [(Power, &[&str]); 2] = [(Power::GERMANY, &["A MUN"]), (Power::ITALY, &["A PIE"])];
    let events = ["collapse MAR", "collapse BUR"];
    assert_eq!(moved(&events, &units, &["A MUN - PIE", "A PIE - MUN"]), ["A MUN", "A PIE"]);
}

#[test]
fn black_hole_ii_rulings_4_7_with_support_one_dislodges_the_other_and_a_dislodged_unit_does_nothing() {
    // Gascony lies at the same point and supports across it.
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A BUR", "A GAS"]), (Power::ITALY, &["A PIE"])];
    let mut table = BLACK_HOLE_II.set("S1902M", &["collapse MAR"], &units, &[]);
    table.move_all(&["A BUR - PIE", "A GAS S A BUR - PIE", "A PIE - BUR"]);
    assert_eq!(
        (table.units(Power::FRANCE), table.game.stage()),
        (vec!["A GAS".to_owned(), "A PIE".to_owned()], Stage::Retreats)
    );
    // The attacker's start, across the point, is not a valid retreat; Spain, across it, is.
    assert_eq!(table.options(0), ["SPA", "TUS", "TYR", "VEN"]);
}

#[test]
fn black_hole_ii_rulings_4_7_three_going_round_the_hole_do_as_in_the_regular_rules() {
    let units: [(Power, &[&str]); 1] = [(Power::FRANCE, &["A BUR", "A PIE", "F SPA/SC"])];
    let mut table = BLACK_HOLE_II.set("S1902M", &["collapse MAR"], &units, &[]);
    table.move_all(&["A BUR - PIE", "A PIE - SPA", "F SPA/SC - BUR"]);
    assert_eq!(table.units(Power::FRANCE), ["A PIE", "A SPA", "F BUR"]);
}

#[test]
fn black_hole_ii_rulings_4_7_by_convoy_they_change_places_as_the_rulebook_has_it() {
    // Burgundy has a coast at the point, which the Gulf of Lyon touches.
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A BUR", "F LYO"]), (Power::ITALY, &["A PIE"])];
    let orders = ["A BUR - PIE", "F LYO C A BUR - PIE", "A PIE - BUR"];
    assert_eq!(moved(&["collapse MAR"], &units, &orders), ["A PIE", "F LYO", "A BUR"]);
    // It must be an undisturbed convoy.
    let units: [(Power, &[&str]); 2] =
        [(Power::FRANCE, &["A BUR", "F LYO"]), (Power::ITALY, &["A PIE", "F TUS", "F TYS"])];
    let orders = ["A BUR - PIE", "F LYO C A BUR - PIE", "A PIE - BUR", "F TYS - LYO", "F TUS S F TYS - LYO"];
    assert_eq!(moved(&["collapse MAR"], &units, &orders), ["A BUR", "A PIE", "F LYO", "F TUS"]);
}

// ---- rules.md 4.6 across a point ----

/// With Marseilles gone, from Burgundy: Belgium 8° to the east of north, and anticlockwise Picardy 24°, Paris 64°,
/// Gascony 118°, Spain 123°, Piedmont 223°.
#[test]
fn black_hole_ii_rulings_4_6_a_default_retreat_leads_across_the_point() {
    let goes = |others: &[&str]| {
        let units: [(Power, &[&str]); 3] =
            [(Power::FRANCE, &["A BUR"]), (Power::GERMANY, &["A MUN", "A RUH"]), (Power::ITALY, others)];
        let mut table = BLACK_HOLE_II.set("S1902M", &["collapse MAR"], &units, &[]);
        table.move_all(&["A MUN - BUR", "A RUH S A MUN - BUR"]).rest_of_season();
        table.units(Power::FRANCE)
    };
    assert_eq!(goes(&["A PIC", "A PAR"]), ["A BEL"]);
    assert_eq!(goes(&["A BEL", "A PIC", "A PAR"]), ["A GAS"]);
    assert_eq!(goes(&["A BEL", "A PIC", "A PAR", "A GAS"]), ["A SPA"]);
    assert_eq!(goes(&["A BEL", "A PIC", "A PAR", "A GAS", "A SPA"]), ["A PIE"]);
    assert!(goes(&["A BEL", "A PIC", "A PAR", "A GAS", "A SPA", "A PIE"]).is_empty());
}

/// With Marseilles gone, from the Gulf of Lyon: Spain 85°, and Burgundy across the point at 352°.
#[test]
fn black_hole_ii_rulings_4_6_a_fleet_too_and_only_if_the_water_leads_there() {
    let units: [(Power, &[&str]); 3] = [
        (Power::FRANCE, &["F LYO"]),
        (Power::ITALY, &["F TYS", "F WES"]),
        (Power::AUSTRIA, &["A SPA", "A TUS", "A PIE", "A GAS"]),
    ];
    let mut table = BLACK_HOLE_II.set("S1902M", &["collapse MAR"], &units, &[]);
    table.move_all(&["F TYS - LYO", "F WES S F TYS - LYO"]);
    assert_eq!(table.options(0), ["BUR"]);
    table.retreat(&[]);
    assert_eq!(table.units(Power::FRANCE), ["F BUR"]);
}

// ---- parameters ----

#[test]
fn black_hole_ii_parameter_faces_may_take_in_what_is_impassable() {
    let other = BLACK_HOLE_II.changed("faces = \"provinces\"", "faces = \"provinces-and-impassable\"");
    let units: [(Power, &[&str]); 1] = [(Power::GERMANY, &["A MUN"])];
    let mut table = Table::set_in(Arc::clone(&other), "S1902M", &[], &units, &[]).hole("S1902", "SWI");
    table.move_all(&[]);
    assert!(table.nature.offered[0].2.contains(table.id("SWI")));
    assert_eq!(table.nature.offered[0].2.len(), 76);
    table.move_all(&["A MUN - PIE"]);
    assert_eq!(table.units(Power::GERMANY), ["A PIE"], "across the closed Switzerland");
    let mut shipped = BLACK_HOLE_II.set("S1902M", &[], &units, &[]).hole("S1902", "SWI");
    shipped.move_all(&[]);
    assert_eq!(
        (shipped.nature.offered[0].2.len(), shipped.game.terrain().chart().map().holes().len()),
        (75, 0)
    );
}

#[test]
fn black_hole_ii_parameter_closure_void_makes_it_i_under_the_1971_rulebook() {
    let other = BLACK_HOLE_II.changed("closure = \"collapse\"", "closure = \"void\"");
    let mut table =
        Table::set_in(other, "S1902M", &[], &[(Power::RUSSIA, &["A UKR"])], &[]).hole("S1902", "GAL");
    table.move_all(&[]);
    let reach = *table.game.terrain().board().army_reach(table.id("UKR"));
    assert_eq!(table.names(reach), ["MOS", "RUM", "SEV", "WAR"]);
}
