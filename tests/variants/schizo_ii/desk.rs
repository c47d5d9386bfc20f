//! `schizo-ii` as outside checkers see it: positions from outside (docs/adjudicate.md) with the draws of nature (rr07).

use crate::helpers::name_of;
use crate::helpers::shipped::SCHIZO_II;
use serde_json::{Value, json};
use upheaval::adjudicate::AdjudicationService;
use upheaval::ids::Power;

/// The request, with a Turkish army somewhere if no other power has one.
fn filled(mut request: Value) -> Value {
    let object = request.as_object_mut().expect("an object");
    object.entry("powers").or_insert(json!({"TURKEY": {"units": ["A SYR"], "centers": ["CON"]}}));
    request
}

fn ask(request: Value) -> Result<Value, String> {
    SCHIZO_II.ask(filled(request))
}

fn answered(request: Value) -> Value {
    SCHIZO_II.answer(filled(request))
}

fn units(answer: &Value, power: Power) -> Value {
    answer["units_after"][name_of(power)].clone()
}

fn centres(answer: &Value, power: Power) -> Value {
    answer["centers_after"][name_of(power)].clone()
}

fn refused(phase: &str, map_events: &[&str], nature: &[&str]) -> String {
    ask(json!({"phase": phase, "map_events": map_events, "nature": nature})).expect_err("refused")
}

// ---- rule 2 ----

#[test]
fn schizo_ii_rule_2_hole_restored_and_split_in_a_movement_phase() {
    let answer = answered(json!({
        "phase": "S1905M",
        "map_events": ["void PAR"],
        "nature": ["void UKR", "restore PAR", "split PAR BRE BUR"],
        "powers": {
            "FRANCE": {"units": ["A BUR"], "centers": ["PAR", "MAR"]},
            "RUSSIA": {"units": ["A UKR"], "centers": ["MOS"]}
        }
    }));
    // Paris comes back under its last owner and is doubled the same turn (the N.B.).
    assert_eq!(centres(&answer, Power::FRANCE), json!(["MAR", "PAR.1", "PAR.2"]));
    assert_eq!(units(&answer, Power::RUSSIA), Value::Null);
    assert_eq!(units(&answer, Power::FRANCE), json!(["A BUR"]));
}

/// Burgundy is dislodged from Munich in Fall 1905, with these orders of the French; in that season Picardy is voided,
/// Marseilles restored and Gascony split.
fn dislodged(orders: &[&str]) -> Value {
    answered(json!({
        "phase": "F1905M",
        "map_events": ["void MAR"],
        "nature": ["void PIC", "restore MAR", "split GAS BRE SPA"],
        "powers": {
            "FRANCE": {"units": ["A BUR"], "centers": ["MAR"]},
            "GERMANY": {"units": ["A MUN", "A RUH"], "centers": ["MUN"]}
        },
        "orders": {"GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"], "FRANCE": orders}
    }))
}

#[test]
fn schizo_ii_rule_2_retreats_hole_restored_and_split_are_all_in_the_answer_to_the_movement() {
    let answer = dislodged(&["A BUR H", "A BUR R MAR GAS PIC"]);
    // Marseilles is back only after the retreats; Gascony is split after them.
    assert_eq!(units(&answer, Power::FRANCE), json!(["A GAS.1", "A GAS.2"]));
    assert_eq!(centres(&answer, Power::FRANCE), json!(["MAR"]));
    assert_eq!(units(&answer, Power::GERMANY), json!(["A BUR", "A RUH"]));
    // Nothing is foretold: the list may lead into the province that becomes void.
    assert_eq!(units(&dislodged(&["A BUR R PIC PAR"]), Power::FRANCE), Value::Null);
}

#[test]
fn formats_1_the_words_for_lists_of_retreats() {
    let word = |orders: &[&str], order: &str| dislodged(orders)["results"]["FRANCE"][order].clone();
    assert_eq!(word(&["A BUR R GAS"], "A BUR R GAS"), json!(["ok"]));
    assert_eq!(word(&["A BUR R MUN PAR"], "A BUR R MUN PAR"), json!(["ok"]), "the second is open");
    assert_eq!(word(&["a bur  r par"], "a bur  r par"), json!(["ok"]));
    assert_eq!(word(&["A BUR R MOS PAR"], "A BUR R MOS PAR"), json!(["ok"]), "Moscow is passed over");
    assert_eq!(word(&["A BUR R MUN RUH"], "A BUR R MUN RUH"), json!(["void"]), "none of them is open");
    for illegal in ["A BUR R MOS", "A BUR R XYZ PAR", "F BUR R PAR", "A MUN R PAR", "A BUR R", "A BUR D"] {
        let words = word(&["A BUR H", illegal], illegal);
        assert_eq!(words, json!(["illegal"]), "{illegal}");
    }
    let twice = ["A BUR R PAR", "A BUR R GAS"];
    assert_eq!(word(&twice, twice[0]), json!(["ok"]));
    assert_eq!(word(&twice, twice[1]), json!(["illegal"]), "of two lists the first counts");
    // A list of a unit that is not dislodged cannot have an effect.
    let answer = answered(json!({
        "phase": "S1902M",
        "powers": {"FRANCE": {"units": ["A BUR"]}, "TURKEY": {"units": ["A SYR"]}},
        "orders": {"FRANCE": ["A BUR H", "A BUR R PAR"]}
    }));
    assert_eq!(answer["results"]["FRANCE"], json!({"A BUR H": ["ok"], "A BUR R PAR": ["void"]}));
}

#[test]
fn formats_1_two_lists_that_lead_to_one_place_overlap() {
    let answer = answered(json!({
        "phase": "S1902M",
        "powers": {
            "FRANCE": {"units": ["A BUR"]},
            "ENGLAND": {"units": ["A GAS"]},
            "GERMANY": {"units": ["A MUN", "A RUH"]},
            "ITALY": {"units": ["A MAR", "A SPA"]}
        },
        "orders": {
            "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"],
            "ITALY": ["A MAR - GAS", "A SPA S A MAR - GAS"],
            "FRANCE": ["A BUR R PAR PIC"],
            "ENGLAND": ["A GAS R PAR"]
        }
    }));
    assert_eq!(answer["results"]["FRANCE"]["A BUR R PAR PIC"], json!(["overlap"]));
    assert_eq!(answer["results"]["ENGLAND"]["A GAS R PAR"], json!(["overlap"]));
    assert_eq!((units(&answer, Power::FRANCE), units(&answer, Power::ENGLAND)), (Value::Null, Value::Null));
}

#[test]
fn schizo_ii_rule_3_who_is_dislodged_is_listed_with_where_it_could_go_although_it_has_retreated() {
    let answer = dislodged(&["A BUR R GAS"]);
    let listed = json!([
        {"unit": "A BUR", "power": "FRANCE", "from": "MUN", "options": ["BEL", "GAS", "PAR", "PIC"]}
    ]);
    assert_eq!(answer["dislodged"], listed);
    assert_eq!(dislodged(&[])["dislodged"], listed, "with a list or without");
}

#[test]
fn schizo_ii_rule_2_without_nature_the_map_stays_as_it_is() {
    let powers = json!({"FRANCE": {"units": ["A BUR"]}, "TURKEY": {"units": ["A SYR"]}});
    let answer = answered(json!({"phase": "S1905M", "map_events": ["void PAR"], "powers": powers}));
    assert_eq!(units(&answer, Power::FRANCE), json!(["A BUR"]));
}

#[test]
fn schizo_ii_rule_2_iii_a_stretch_is_picked_by_its_number() {
    let fleet = |end: &str| {
        answered(json!({
            "phase": "S1902M",
            "nature": ["void UKR", format!("split SPA {end} MAR")],
            "powers": {"FRANCE": {"units": ["F SPA/SC"]}, "TURKEY": {"units": ["A SYR"]}}
        }))
    };
    // From the sea south of Portugal: the first half has only the south coast; the second also has the north coast.
    assert_eq!(units(&fleet("MAO#1"), Power::FRANCE), json!(["F SPA.1", "F SPA.2/WC2"]));
    assert_eq!(units(&fleet("MAO#2"), Power::FRANCE), json!(["F SPA.1/EC", "F SPA.2"]));
    assert_eq!(
        refused("S1902M", &[], &["void UKR", "split SPA MAO MAR"]),
        "`nature`: split SPA MAO MAR: this fits 2 places: pick one with #1 to #2"
    );
}

#[test]
fn schizo_ii_rule_2_iii_the_owner_of_a_fleet_in_a_half_chooses_its_coast() {
    let settled = |order: &str| {
        answered(json!({
            "phase": "S1902M",
            "nature": ["void WES", "split SPA LYO POR"],
            "powers": {"FRANCE": {"units": ["F SPA/SC"]}, "TURKEY": {"units": ["A SYR"]}},
            "orders": {"FRANCE": [order]}
        }))
    };
    let answer = settled("F SPA.2 COAST EC");
    assert_eq!(answer["results"]["FRANCE"]["F SPA.2 COAST EC"], json!(["ok"]));
    assert_eq!(units(&answer, Power::FRANCE)[1], json!("F SPA.2/EC"));
    let answer = settled("F SPA/SC H");
    assert_eq!(units(&answer, Power::FRANCE)[1], json!("F SPA.2/WC"), "counter-clockwise from north");
    let answer = settled("F SPA.1 COAST EC");
    assert_eq!(answer["results"]["FRANCE"]["F SPA.1 COAST EC"], json!(["void"]));
}

#[test]
fn schizo_ii_rule_2_iii_a_unit_that_had_nowhere_to_go_is_named_by_the_province_it_was_driven_out_of() {
    let answer = answered(json!({
        "phase": "S1902M",
        "nature": ["void UKR", "split POR MAO SPA"],
        "powers": {"FRANCE": {"units": ["A POR"]}, "GERMANY": {"units": ["A SPA", "F MAO"]}},
        "orders": {"GERMANY": ["A SPA - POR", "F MAO S A SPA - POR"]}
    }));
    assert_eq!(
        answer["dislodged"],
        json!([{"unit": "A POR", "power": "FRANCE", "from": "SPA", "options": []}])
    );
    assert_eq!(units(&answer, Power::GERMANY), json!(["A POR.1", "A POR.2", "F MAO"]));
    // And the start of the attacker.
    let answer = answered(json!({
        "phase": "S1902M",
        "nature": ["void UKR", "split SPA POR GAS"],
        "powers": {"FRANCE": {"units": ["A POR"]}, "GERMANY": {"units": ["A SPA", "F MAO"]}},
        "orders": {"GERMANY": ["A SPA - POR", "F MAO S A SPA - POR"]}
    }));
    assert_eq!(answer["dislodged"][0]["from"], json!("SPA"));
}

// ---- rules.md 4.10 ----

#[test]
fn schizo_ii_rulings_4_10_a_void_among_a_powers_centres_is_its_last_owners() {
    let back = |centre: &str, powers: Value| {
        let (void, restore) = (format!("void {centre}"), format!("restore {centre}"));
        answered(json!({
            "phase": "S1906M", "map_events": [void], "nature": ["void UKR", restore], "powers": powers
        }))
    };
    let of_france =
        json!({"FRANCE": {"units": ["A GAS"], "centers": ["MUN", "PAR"]}, "TURKEY": {"units": ["A SYR"]}});
    assert_eq!(centres(&back("MUN", of_france), Power::FRANCE), json!(["MUN", "PAR"]));
    let of_france =
        json!({"FRANCE": {"units": ["A GAS"], "centers": ["BEL", "PAR"]}, "TURKEY": {"units": ["A SYR"]}});
    assert_eq!(
        centres(&back("BEL", of_france), Power::FRANCE),
        json!(["PAR"]),
        "one of the twelve is neutral"
    );
    // If it is not listed, a home centre belonged to its power; this gives an eliminated power a centre again.
    let of_nobody =
        json!({"FRANCE": {"units": ["A GAS"], "centers": ["PAR"]}, "TURKEY": {"units": ["A SYR"]}});
    assert_eq!(centres(&back("VIE", of_nobody), Power::AUSTRIA), json!(["VIE"]));
}

#[test]
fn schizo_ii_rulings_4_10_a_listed_void_counts_for_nothing_while_it_is_gone() {
    let answer = answered(json!({
        "phase": "W1906A",
        "map_events": ["void MUN"],
        "powers": {"GERMANY": {"units": ["A BER", "A KIE"], "centers": ["MUN", "BER"]}},
        "orders": {"GERMANY": ["A KIE D"]}
    }));
    assert_eq!(units(&answer, Power::GERMANY), json!(["A BER"]));
    assert_eq!(centres(&answer, Power::GERMANY), json!(["BER"]));
}

#[test]
fn schizo_ii_rulings_4_10_a_half_that_is_void_is_listed_by_its_name() {
    let answer = answered(json!({
        "phase": "S1906M",
        "map_events": ["split MUN BUR SIL", "void MUN.2"],
        "nature": ["void UKR", "restore MUN.2"],
        "powers": {"FRANCE": {"units": ["A GAS"], "centers": ["MUN.1", "MUN.2"]}, "TURKEY": {"units": ["A SYR"]}}
    }));
    assert_eq!(centres(&answer, Power::FRANCE), json!(["MUN.1", "MUN.2"]));
}

// ---- refused requests ----

#[test]
fn schizo_ii_what_cannot_be_drawn_is_refused_in_one_line() {
    let cases: [(&str, &[&str], &[&str], &str); 17] = [
        (
            "S1902M",
            &["void BUR"],
            &["void BUR"],
            "void BUR: the face cannot be drawn: it is exempt, already a hole, named twice, or excluded by the variant",
        ),
        (
            "S1902M",
            &[],
            &["void SWI"],
            "void SWI: the face cannot be drawn: it is exempt, already a hole, named twice, or excluded by the variant",
        ),
        ("S1902M", &[], &["void XYZ"], "void XYZ: there is no province `XYZ` on the map"),
        ("S1902M", &[], &["collapse BUR"], "collapse BUR: the variant draws no such event in this phase"),
        ("S1902M", &[], &["void BUR", "void PAR"], "void PAR: at most 1 can be drawn in a season"),
        ("W1902A", &[], &["void BUR"], "void BUR: the variant draws no such event in this phase"),
        (
            "F1904M",
            &["void BUR"],
            &["void UKR", "restore BUR"],
            "restore BUR: the variant draws no such event in this phase",
        ),
        (
            "S1905M",
            &[],
            &["void UKR", "restore UKR"],
            "restore UKR: the face cannot be drawn: it is exempt, already a hole, named twice, or excluded by the variant",
        ),
        (
            "S1905M",
            &[],
            &["void UKR", "restore BUR"],
            "restore BUR: the face cannot be drawn: it is exempt, already a hole, named twice, or excluded by the variant",
        ),
        (
            "S1905M",
            &["void BUR"],
            &["restore BUR"],
            "restore BUR: a face is restored only for a hole of the season; name the holes first",
        ),
        (
            "S1905M",
            &["void BUR", "void PAR"],
            &["void UKR", "restore BUR", "restore PAR"],
            "restore PAR: at most 1 can be drawn in a season",
        ),
        (
            "S1902M",
            &["void BUR"],
            &["split BUR PAR MUN"],
            "split BUR PAR MUN: the face cannot be drawn: it is exempt, already a hole, named twice, or excluded by the variant",
        ),
        (
            "S1902M",
            &[],
            &["void BUR", "split BUR PAR MUN"],
            "split BUR PAR MUN: the face cannot be drawn: it is exempt, already a hole, named twice, or excluded by the variant",
        ),
        (
            "S1902M",
            &[],
            &["split SWI BUR MUN"],
            "split SWI BUR MUN: the face cannot be drawn: it is exempt, already a hole, named twice, or excluded by the variant",
        ),
        ("S1902M", &[], &["split BUR PAR VIE"], "split BUR PAR VIE: BUR and VIE share no border"),
        (
            "S1902M",
            &[],
            &["split TUN OUT ION"],
            "split TUN OUT ION: OUT is the outside of the board and cannot hold the end of a new border",
        ),
        (
            "S1902M",
            &[],
            &["split BUR PAR MUN", "split GAL WAR BUD"],
            "split GAL WAR BUD: at most 1 can be drawn in a season",
        ),
    ];
    for (phase, map_events, nature, expected) in cases {
        assert_eq!(refused(phase, map_events, nature), format!("`nature`: {expected}"), "{phase} {nature:?}");
    }
    assert!(refused("S1902M", &[], &["explode BUR"]).contains("`explode BUR` is not an event"));
}

#[test]
fn schizo_ii_a_province_that_comes_back_can_be_split_at_once_and_one_that_is_split_has_no_old_name() {
    let nature = ["void UKR", "restore BUR", "split BUR PAR MUN"];
    assert!(ask(json!({"phase": "S1905M", "map_events": ["void BUR"], "nature": nature})).is_ok());
    assert_eq!(
        refused("S1905M", &["split BUR PAR MUN"], &["void BUR"]),
        "`nature`: void BUR: there is no province `BUR` on the map"
    );
    let answer =
        ask(json!({"phase": "S1905M", "map_events": ["split BUR PAR MUN"], "nature": ["void BUR.1"]}));
    assert!(answer.is_ok());
}

// ---- rule 5 ----

#[test]
fn schizo_ii_rule_5_an_exempt_centre_is_free_from_holes_and_not_from_splits() {
    let first = |centre: &str, nature: &str| {
        ask(json!({
            "phase": "S1901M",
            "nature": [nature],
            "powers": {"FRANCE": {"units": ["A PAR"], "centers": ["PAR", "BRE", "MAR"]}, "TURKEY": {"units": ["A SYR"]}},
            "orders": {"FRANCE": [format!("EXEMPT {centre}")]}
        }))
    };
    assert_eq!(
        first("PAR", "void PAR").expect_err("exempt"),
        "`nature`: void PAR: the face cannot be drawn: it is exempt, already a hole, named twice, or excluded by the variant"
    );
    let answer = first("PAR", "split PAR BRE BUR").expect("it may be split");
    assert_eq!(answer["results"]["FRANCE"]["EXEMPT PAR"], json!(["ok"]));
    assert_eq!(centres(&answer, Power::FRANCE), json!(["BRE", "MAR", "PAR.1", "PAR.2"]));
    assert_eq!(
        first("MUN", "void UKR").expect("it is read")["results"]["FRANCE"]["EXEMPT MUN"],
        json!(["illegal"])
    );
}

#[test]
fn schizo_ii_rule_5_remembered_by_the_state_and_secret() {
    let later = |nature: &str, orders: Value| {
        ask(json!({
            "phase": "S1903M",
            "map_events": ["split PAR BRE BUR"],
            "state": {"exempt": {"FRANCE": "PAR.1"}},
            "nature": [nature],
            "powers": {"FRANCE": {"units": ["A GAS"], "centers": ["PAR.1", "PAR.2"]}, "TURKEY": {"units": ["A SYR"]}},
            "orders": {"FRANCE": orders}
        }))
    };
    assert_eq!(
        later("void PAR.1", json!([])).expect_err("exempt"),
        "`nature`: void PAR.1: the face cannot be drawn: it is exempt, already a hole, named twice, or excluded by the variant"
    );
    assert!(later("void PAR.2", json!([])).is_ok());
    let answer = later("void UKR", json!(["ANNOUNCE", "EXEMPT PAR.2"])).expect("it is read");
    assert_eq!(answer["results"]["FRANCE"]["ANNOUNCE"], json!(["illegal"]));
    assert_eq!(answer["results"]["FRANCE"]["EXEMPT PAR.2"], json!(["illegal"]));
}

// ---- rules 1 and 4 ----

#[test]
fn schizo_ii_rule_1_via_is_no_word_of_the_1971_rulebook_and_the_army_walks() {
    let answer = answered(json!({
        "phase": "S1902M",
        "powers": {"FRANCE": {"units": ["A PIC"]}, "ENGLAND": {"units": ["F NTH"]}},
        "orders": {"FRANCE": ["A PIC - BEL VIA"]}
    }));
    assert_eq!(units(&answer, Power::FRANCE), json!(["A BEL"]));
    assert_eq!(units(&answer, Power::ENGLAND), json!(["F NTH"]));
}

#[test]
fn schizo_ii_rule_1_nobody_retreats_to_the_start_of_an_attacker_that_came_by_convoy() {
    let settled = |variant: &str| {
        let request = json!({
            "id": "x", "variant": variant, "phase": "S1902R",
            "powers": {
                "RUSSIA": {"retreats": [{"unit": "A STP", "from": "NWY", "via_convoy": true}]},
                "ENGLAND": {"units": ["A STP", "F BAR"]}
            },
            "orders": {"RUSSIA": ["A STP R NWY"]}
        });
        let answer =
            AdjudicationService::new().answer(&request.to_string()).unwrap_or_else(|error| panic!("{error}"));
        answer.results["RUSSIA"]["A STP R NWY"].clone()
    };
    assert_eq!((settled("schizo-ii"), settled("black-hole-i")), (json!(["illegal"]), json!(["ok"])));
}

#[test]
fn schizo_ii_rule_4_orders_to_halves_of_halves() {
    let answer = answered(json!({
        "phase": "S1903M",
        "map_events": ["split BUR PAR MUN", "split BUR.2 BEL MUN", "void BUR.1"],
        "powers": {"FRANCE": {"units": ["A BUR.2.1", "A PAR"]}, "TURKEY": {"units": ["A SYR"]}},
        "orders": {"FRANCE": ["A BUR.2.1 - BUR.2.2", "A PAR - BUR.2.1", "A PAR - BUR.1"], "TURKEY": []}
    }));
    let results = &answer["results"]["FRANCE"];
    assert_eq!(results["A PAR - BUR.1"], json!(["illegal"]));
    assert_eq!(results["A BUR.2.1 - BUR.2.2"], json!(["ok"]));
    assert_eq!(units(&answer, Power::TURKEY), json!(["A SYR"]));
}

// ---- a changed variant ----

#[test]
fn schizo_ii_splits_per_season_a_later_split_may_end_at_a_half_of_an_earlier_one() {
    let text = SCHIZO_II.text();
    let (before, splits) = text.split_once("[splits]").expect("the section");
    let text = format!("{before}[splits]{}", splits.replacen("per_season = 1", "per_season = 2", 1));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("two-splits.toml");
    std::fs::write(&path, text).expect("written");
    let request = json!({
        "id": "x", "variant": path, "phase": "S1902M",
        "nature": ["split BUR PAR MUN", "split PAR BUR.1 BRE"],
        "powers": {"FRANCE": {"units": ["A BUR", "A PAR"]}, "TURKEY": {"units": ["A SYR"]}},
        "orders": {}
    });
    let answer = AdjudicationService::within(std::env::temp_dir())
        .answer(&request.to_string())
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(answer.units_after["FRANCE"], ["A BUR.1", "A BUR.2", "A PAR.1", "A PAR.2"]);
}
