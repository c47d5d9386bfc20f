//! The army/fleet page, rules 6 to 8, in requests from outside programs: retreats, time aboard, Winter.

use crate::helpers::shipped::DOUBLE_REVERSIBLE;
use crate::rules::army_fleets::at_sea::{Answered, answered, ask, deluge_with_limit, moves};
use serde_json::{Value, json};
use upheaval::ids::Power;

/// A retreat phase in which England's pair was driven out of the Channel from the Mid-Atlantic, with more powers.
fn retreat(orders: &[&str], more: Value) -> Answered {
    let mut powers = json!({
        "ENGLAND": {"retreats": [{"unit": "A/F ENG", "from": "MAO"}]},
        "FRANCE": {"units": ["F BRE", "F ENG"]},
    });
    for (power, entry) in more.as_object().expect("powers") {
        powers[power.as_str()] = entry.clone();
    }
    answered(json!({"phase": "S1901R", "powers": powers, "orders": {"ENGLAND": orders}}))
}

/// A Winter in which England has these units and centres.
fn winter(units: &[&str], centres: &[&str], orders: &[&str]) -> Answered {
    let powers = json!({"ENGLAND": {"units": units, "centers": centres}});
    answered(json!({"phase": "W1901A", "powers": powers, "orders": {"ENGLAND": orders}}))
}

// ---- rule 6: dislodged ----

#[test]
fn army_fleet_rule_6_the_pair_retreats_together() {
    retreat(&["A/F ENG R IRI"], json!({}))
        .says(&[("A/F ENG R IRI", "ok")])
        .leaves(Power::ENGLAND, &["A/F IRI"]);
    retreat(&["F ENG R NTH"], json!({})).says(&[("F ENG R NTH", "ok")]).leaves(Power::ENGLAND, &["A/F NTH"]);
}

#[test]
fn army_fleet_rule_6_neither_goes_without_the_other() {
    retreat(&["A ENG R WAL"], json!({}))
        .says(&[("A ENG R WAL", "illegal"), ("A/F ENG D", "disband")])
        .leaves(Power::ENGLAND, &[]);
}

#[test]
fn army_fleet_rule_6_to_a_sea_space_only() {
    for coast in ["WAL", "LON", "PIC", "BEL"] {
        let order = format!("A/F ENG R {coast}");
        retreat(&[&order], json!({}))
            .says(&[(&order, "illegal"), ("A/F ENG D", "disband")])
            .leaves(Power::ENGLAND, &[]);
    }
    // A request that lists a coast among the options is wrong.
    let entry = json!({"unit": "A/F ENG", "options": ["IRI", "WAL"]});
    let powers = json!({"ENGLAND": {"retreats": [entry]}});
    let error = ask(json!({"phase": "S1901R", "powers": powers, "orders": {}})).expect_err("no such option");
    assert!(error.contains("can only be at sea"), "{error}");
}

#[test]
fn army_fleet_rule_6_not_where_the_attacker_came_from_nor_to_an_occupied_or_contested_sea() {
    let closed = |sea: &str, more: Value, contested: &[&str]| {
        let mut powers = json!({"ENGLAND": {"retreats": [{"unit": "A/F ENG", "from": "MAO"}]}});
        for (power, entry) in more.as_object().expect("powers") {
            powers[power.as_str()] = entry.clone();
        }
        let order = format!("A/F ENG R {sea}");
        let orders = json!({"ENGLAND": [order]});
        let request = json!({"phase": "S1901R", "powers": powers, "contested": contested, "orders": orders});
        answered(request).word(&order) == "illegal"
    };
    assert!(!closed("IRI", json!({}), &[]));
    assert!(closed("MAO", json!({}), &[]));
    assert!(closed("IRI", json!({"FRANCE": {"units": ["F IRI"]}}), &[]));
    assert!(closed("IRI", json!({}), &["IRI"]));
}

#[test]
fn army_fleet_rule_6_a_pair_that_cannot_is_destroyed() {
    let france: (&[&str], &[&str]) =
        (&["F MAR", "F SPA/SC", "F TYS", "F WES"], &["F MAR - LYO", "F SPA/SC S F MAR - LYO"]);
    moves(&[(Power::ENGLAND, &["A/F LYO"], &[]), (Power::FRANCE, france.0, france.1)])
        .drives_out(&["A/F LYO from MAR: "])
        .leaves(Power::ENGLAND, &[]);
    // The fleet alone retreats to a coast.
    moves(&[(Power::ENGLAND, &["F LYO"], &[]), (Power::FRANCE, france.0, france.1)])
        .drives_out(&["F LYO from MAR: PIE TUS"]);
}

#[test]
fn army_fleet_rule_6_an_army_that_fails_to_land_retreats_with_its_fleet() {
    moves(&[
        (Power::ENGLAND, &["A/F ENG"], &["A ENG D PIC"]),
        (Power::FRANCE, &["A PIC", "F BRE", "F MAO"], &["F MAO - ENG", "F BRE S F MAO - ENG"]),
    ])
    .says(&[("A ENG D PIC", "bounce")])
    .leaves(Power::ENGLAND, &[])
    .drives_out(&["A/F ENG from MAO: IRI NTH"]);
}

#[test]
fn army_fleet_rule_6_two_that_retreat_to_one_sea_are_lost() {
    let germany = json!({"GERMANY": {"retreats": [{"unit": "F NTH", "from": "NWG"}]}});
    let mut powers = json!({"ENGLAND": {"retreats": [{"unit": "A/F IRI", "from": "MAO"}]}});
    powers["GERMANY"] = germany["GERMANY"].clone();
    let orders = json!({"ENGLAND": ["A/F IRI R ENG"], "GERMANY": ["F NTH R ENG"]});
    answered(json!({"phase": "S1901R", "powers": powers, "orders": orders}))
        .says(&[("A/F IRI R ENG", "overlap"), ("F NTH R ENG", "overlap")])
        .leaves(Power::ENGLAND, &[]);
}

#[test]
fn army_fleet_rule_6_it_disbands_as_a_whole() {
    retreat(&["A/F ENG D"], json!({})).says(&[("A/F ENG D", "ok")]).leaves(Power::ENGLAND, &[]);
    retreat(&[], json!({})).says(&[("A/F ENG D", "disband")]).leaves(Power::ENGLAND, &[]);
}

// ---- rule 7: time aboard ----

/// A request to a variant with a limit of two seasons aboard.
fn limited(seasons: u8, orders: &[&str]) -> Result<Answered, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("two-seasons-aboard.toml");
    std::fs::write(&file, deluge_with_limit(2)).expect("writable");
    ask(json!({
        "phase": "S1902M",
        "variant": file.to_str().expect("a path"),
        "state": {"seasons_aboard": {"ENG": seasons}},
        "powers": {"ENGLAND": {"units": ["A/F ENG"]}},
        "orders": {"ENGLAND": orders},
    }))
}

#[test]
fn army_fleet_rule_7_with_a_limit_a_position_says_how_long_the_army_has_been_aboard() {
    let answer = limited(1, &["A/F ENG - MAO"]).expect("an answer");
    answer.leaves(Power::ENGLAND, &["A/F MAO"]);
    assert_eq!(answer.0["state"]["seasons_aboard"], json!({"MAO": 2}));
    let answer = limited(2, &["A/F ENG - MAO"]).expect("an answer");
    answer.leaves(Power::ENGLAND, &["F MAO"]);
    assert_eq!(answer.0["state"], Value::Null);
    // An army that lands in the season beyond the limit is saved.
    limited(2, &["A/F ENG - MAO", "A MAO D POR"])
        .expect("an answer")
        .leaves(Power::ENGLAND, &["A POR", "F MAO"]);
}

#[test]
fn army_fleet_rule_7_without_a_limit_there_is_nothing_to_say() {
    let answer = moves(&[(Power::ENGLAND, &["A/F ENG"], &[])]);
    assert_eq!(answer.0["state"], Value::Null);
    let error = ask(json!({
        "phase": "S1902M",
        "state": {"seasons_aboard": {"ENG": 1}},
        "powers": {"ENGLAND": {"units": ["A/F ENG"]}},
        "orders": {},
    }));
    assert!(error.expect_err("nothing is remembered").contains("seasons_aboard"));
}

// ---- rule 8: water and Winter ----

#[test]
fn army_fleet_rule_8_first_sentence_an_army_on_board_does_not_drown() {
    // London sinks after this Winter's adjustments, in which nothing is required.
    winter(&["A LON", "A/F ENG"], &["EDI", "LON", "LVP"], &[]).leaves(Power::ENGLAND, &["A/F ENG"]);
}

#[test]
fn army_fleet_rule_8_second_sentence_a_pair_counts_as_two() {
    let orders = ["A EDI B", "A LVP B"];
    winter(&["A/F ENG"], &["EDI", "LVP"], &orders[..1]).says(&[("A EDI B", "illegal")]);
    winter(&["A/F ENG"], &["EDI", "LVP", "NWY"], &orders)
        .says(&[("A EDI B", "ok"), ("A LVP B", "illegal")])
        .leaves(Power::ENGLAND, &["A EDI", "A/F ENG"]);
    winter(&["A/F ENG"], &["EDI"], &["A ENG D"])
        .says(&[("A ENG D", "ok")])
        .leaves(Power::ENGLAND, &["F ENG"]);
}

#[test]
fn army_fleet_rule_8_second_sentence_disbanded_one_by_one() {
    winter(&["A/F ENG", "A EDI"], &["EDI"], &["A ENG D", "F ENG D"])
        .says(&[("A ENG D", "ok"), ("F ENG D", "ok")])
        .leaves(Power::ENGLAND, &["A EDI"]);
    winter(&["A/F ENG", "A EDI"], &["EDI", "LVP"], &["A ENG D"]).leaves(Power::ENGLAND, &["A EDI", "F ENG"]);
}

#[test]
fn army_fleet_rule_8_third_sentence_removing_the_fleet_removes_the_army_with_it() {
    for order in ["A/F ENG D", "F ENG D"] {
        winter(&["A/F ENG", "A EDI"], &["EDI"], &[order])
            .says(&[(order, "ok")])
            .leaves(Power::ENGLAND, &["A EDI"]);
        // Although only one were required.
        winter(&["A/F ENG", "A EDI"], &["EDI", "LVP"], &[order])
            .says(&[(order, "ok")])
            .leaves(Power::ENGLAND, &["A EDI"]);
    }
    // Then nothing remains to be removed.
    winter(&["A/F ENG", "A EDI"], &["EDI", "LVP"], &["A/F ENG D", "A EDI D"])
        .says(&[("A EDI D", "illegal")])
        .leaves(Power::ENGLAND, &["A EDI"]);
}

#[test]
fn army_fleet_rule_8_what_is_not_aboard_is_not_removed() {
    winter(&["F ENG", "A EDI"], &["EDI"], &["A ENG D", "A/F ENG D", "F ENG D"])
        .says(&[("A ENG D", "illegal"), ("A/F ENG D", "illegal"), ("F ENG D", "ok")])
        .leaves(Power::ENGLAND, &["A EDI"]);
    winter(&["A/F ENG", "A EDI"], &["EDI"], &["A ENG D", "A ENG D"])
        .says(&[("A ENG D", "ok"), ("A ENG D #2", "illegal")]);
    let answer = answered(json!({
        "phase": "W1901A",
        "powers": {
            "ENGLAND": {"units": ["A/F ENG"], "centers": ["EDI", "LVP"]},
            "FRANCE": {"units": ["A PAR"]},
        },
        "orders": {"FRANCE": ["A ENG D"]},
    }));
    answer.says(&[("A ENG D", "illegal")]).leaves(Power::ENGLAND, &["A/F ENG"]);
}

#[test]
fn army_fleet_rule_8_a_power_builds_where_its_army_has_boarded() {
    // The home is vacant and belongs to the power.
    winter(&["A/F NTH"], &["EDI", "LVP", "NWY"], &["F EDI B"]).leaves(Power::ENGLAND, &["A/F NTH", "F EDI"]);
}

#[test]
fn army_fleet_rule_8_civil_disorder_takes_the_army_first_and_no_more_than_is_owed() {
    winter(&["A/F ENG"], &["EDI"], &[]).says(&[("A ENG D", "disband")]).leaves(Power::ENGLAND, &["F ENG"]);
    winter(&["A/F ENG"], &[], &[])
        .says(&[("A ENG D", "disband"), ("F ENG D", "disband")])
        .leaves(Power::ENGLAND, &[]);
}

#[test]
fn army_fleet_rule_8_civil_disorder_the_pair_goes_when_its_fleets_turn_comes() {
    // Far units before near ones, whatever their kind; at equal distance, fleets before armies.
    winter(&["A/F WES", "F NTH", "A EDI"], &["EDI", "LVP", "NWY"], &[])
        .says(&[("A WES D", "disband")])
        .leaves(Power::ENGLAND, &["A EDI", "F NTH", "F WES"]);
    winter(&["A/F NTH", "F WES", "A EDI"], &["EDI", "LVP", "NWY"], &[])
        .says(&[("F WES D", "disband")])
        .leaves(Power::ENGLAND, &["A EDI", "A/F NTH"]);
    winter(&["A/F NTH", "A YOR"], &["EDI"], &[])
        .says(&[("A NTH D", "disband"), ("F NTH D", "disband")])
        .leaves(Power::ENGLAND, &["A YOR"]);
}

#[test]
fn army_fleet_rule_8_civil_disorder_goes_on_where_the_orders_end() {
    winter(&["A/F WES", "A EDI"], &["EDI"], &["A WES D"])
        .says(&[("A WES D", "ok"), ("F WES D", "disband")])
        .leaves(Power::ENGLAND, &["A EDI"]);
}

#[test]
fn army_fleet_the_pair_in_a_request_is_one_entry() {
    let two = json!({"ENGLAND": {"units": ["A/F ENG", "F ENG"]}});
    let error = ask(json!({"phase": "S1901M", "powers": two, "orders": {}})).expect_err("crowded");
    assert!(error.contains("another unit is already there"), "{error}");
}

#[test]
fn army_fleet_a_pair_that_is_gone_with_a_hole_is_remembered_as_a_pair() {
    // A user's variant in which faces toggle and armies board.
    let units =
        "[units]\narmy_fleets = \"yes\"\nmax_seasons_aboard = \"unlimited\"\narmy_becomes_fleet = \"no\"\n";
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("toggles-and-pairs.toml");
    std::fs::write(&file, format!("{}\n{units}", DOUBLE_REVERSIBLE.text())).expect("writable");
    let request = |phase: &str, powers: Value, more: Value| {
        let mut request = json!({"phase": phase, "variant": file.to_str(), "powers": powers, "orders": {}});
        for (key, value) in more.as_object().expect("keys") {
            request[key.as_str()] = value.clone();
        }
        answered(request)
    };
    let units = json!({"ENGLAND": {"units": ["A/F ENG", "F NTH"]}});
    let gone = request("S1901M", units, json!({"nature": ["collapse ENG", "collapse TYR"]}));
    gone.leaves(Power::ENGLAND, &["F NTH"]);
    assert_eq!(gone.0["state"]["swallowed"], json!({"ENGLAND": ["A/F ENG"]}));
    let back = request(
        "F1901M",
        json!({"ENGLAND": {"units": ["F NTH"]}}),
        json!({
            "map_events": ["collapse ENG", "collapse TYR"],
            "nature": ["restore ENG", "collapse BUR"],
            "state": {"swallowed": {"ENGLAND": ["A/F ENG"]}},
        }),
    );
    back.leaves(Power::ENGLAND, &["A/F ENG", "F NTH"]);
}

#[test]
fn army_fleet_an_illegal_order_says_why() {
    // The fleet in the Mid-Atlantic does not touch Wales, but an army that lands from there could.
    let powers = json!({"ENGLAND": {"units": ["A/F IRI", "F MAO"]}});
    let answer = answered(
        json!({"phase": "S1901M", "powers": powers, "orders": {"ENGLAND": ["F MAO S A IRI D WAL"]}}),
    );
    assert_eq!(
        answer.0["reasons"]["ENGLAND"]["F MAO S A IRI D WAL"],
        "a unit can support only where it could go without a convoy"
    );
    // In regular Diplomacy no army boards, however near the fleet.
    let powers = json!({"ENGLAND": {"units": ["A LON", "F ENG"]}});
    let orders = json!({"ENGLAND": ["A LON E F ENG"]});
    let request = json!({"phase": "S1901M", "variant": "standard", "powers": powers, "orders": orders});
    let reason = &answered(request).0["reasons"]["ENGLAND"]["A LON E F ENG"];
    assert!(reason.as_str().is_some_and(|why| why.contains("in a variant with army/fleets")), "{reason}");
}
