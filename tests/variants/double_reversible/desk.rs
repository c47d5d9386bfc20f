//! `double-reversible` as outside programs see it: through [`AdjudicationService`], phase by phase (docs/adjudicate.md;
//! Double Reversible, rules.md 4.8).

use crate::helpers::shipped::{DOUBLE_REVERSIBLE, variant};
use crate::helpers::table::Table;
use serde_json::{Value, json};
use upheaval::game::{Game, Stage};
use upheaval::ids::Power;

// ---- movement ----

#[test]
fn double_reversible_desk_rule_3_two_faces_toggle_in_a_movement_phase() {
    let seen = DOUBLE_REVERSIBLE.answer(json!({
        "phase": "S1902M", "map_events": ["collapse BUR"], "nature": ["collapse MAR", "restore BUR"],
        "state": {"swallowed": {"FRANCE": ["A BUR"]}},
        "powers": {
            "FRANCE": {"units": ["A MAR", "A PAR", "A GAS"], "centers": ["MAR", "PAR"]},
            "ITALY": {"units": ["A PIE", "F LYO"]},
        },
        "orders": {"ITALY": ["A PIE - MAR", "F LYO S A PIE - MAR"]},
    }));
    assert_eq!(
        seen["units_after"],
        json!({"FRANCE": ["A BUR", "A GAS", "A PAR"], "ITALY": ["F LYO"]}),
        "Italy's army is gone too"
    );
    assert_eq!(seen["centers_after"]["FRANCE"], json!(["PAR"]));
    assert_eq!(
        seen["dislodged"],
        json!([{
            "unit": "A MAR", "power": "FRANCE", "from": "PIE", "options": ["SPA"],
        }])
    );
    assert_eq!(seen["results"]["ITALY"]["A PIE - MAR"], json!(["ok"]));
}

#[test]
fn double_reversible_desk_rule_3_without_nature_the_map_stays() {
    let seen =
        DOUBLE_REVERSIBLE.answer(json!({"phase": "S1902M", "powers": {"FRANCE": {"units": ["A MAR"]}}}));
    assert_eq!(seen["units_after"]["FRANCE"], json!(["A MAR"]));
}

#[test]
fn double_reversible_desk_rule_4_an_illegal_order_does_not_disappear_with_the_space() {
    let order = |text: &str| {
        DOUBLE_REVERSIBLE.answer(json!({
            "phase": "S1902M", "nature": ["collapse MUN"],
            "powers": {"FRANCE": {"units": ["A PAR", "A BUR"]}}, "orders": {"FRANCE": [text]},
        }))
    };
    let seen = order("A PAR - MUN");
    assert_eq!(seen["results"]["FRANCE"]["A PAR - MUN"], json!(["illegal"]));
    assert_eq!(seen["units_after"]["FRANCE"], json!(["A BUR", "A PAR"]));
    assert_eq!(order("A PAR - MUN VIA")["units_after"]["FRANCE"], json!(["A BUR", "A PAR"]));
    assert_eq!(order("A BUR - MUN")["units_after"]["FRANCE"], json!(["A PAR"]), "a legal one does");
}

#[test]
fn double_reversible_desk_rule_4_who_is_swallowed_from_elsewhere_is_not_listed_as_dislodged() {
    let seen = DOUBLE_REVERSIBLE.answer(json!({
        "phase": "S1902M", "nature": ["collapse PAR"],
        "powers": {"FRANCE": {"units": ["A BUR", "A PAR"]}, "GERMANY": {"units": ["A MUN", "A RUH"]}},
        "orders": {"FRANCE": ["A BUR - PAR"], "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"]},
    }));
    assert_eq!(seen["dislodged"], json!([]));
    assert_eq!(seen["units_after"], json!({"GERMANY": ["A BUR", "A RUH"]}));
    assert_eq!(
        seen["results"]["FRANCE"]["A BUR - PAR"],
        json!(["bounce", "dislodged"]),
        "the movement as usual"
    );
}

#[test]
fn double_reversible_desk_rule_4_switzerland_may_go_and_come_back() {
    let seen = |events: Value, nature: Value, order: &str| {
        let request = json!({
            "phase": "S1902M", "map_events": events, "nature": nature,
            "powers": {"FRANCE": {"units": ["A MAR"]}}, "orders": {"FRANCE": [order]},
        });
        DOUBLE_REVERSIBLE.answer(request)["results"]["FRANCE"][order][0].clone()
    };
    assert_eq!(
        seen(json!([]), json!(["collapse SWI"]), "A MAR - MUN"),
        "illegal",
        "it opens after the moves"
    );
    assert_eq!(seen(json!(["collapse SWI"]), json!(["restore SWI"]), "A MAR - MUN"), "ok");
    assert_eq!(seen(json!(["collapse SWI", "restore SWI"]), json!([]), "A MAR - MUN"), "illegal");
}

// ---- returning units ----

/// Munich comes back with these units in a season.
fn munich_returns(phase: &str, swallowed: Value) -> Value {
    DOUBLE_REVERSIBLE.answer(json!({
        "phase": phase, "map_events": ["collapse MUN"], "nature": ["restore MUN"],
        "state": {"swallowed": swallowed},
        "powers": {"RUSSIA": {"units": ["A SIL"]}, "GERMANY": {"centers": ["MUN", "KIE"]}},
    }))
}

#[test]
fn double_reversible_desk_rule_4_one_unit_stands_there_and_in_fall_takes_the_centre() {
    let spring = munich_returns("S1902M", json!({"FRANCE": ["A MUN"]}));
    assert_eq!(spring["units_after"]["FRANCE"], json!(["A MUN"]));
    assert_eq!(spring["centers_after"], json!({"GERMANY": ["KIE"]}), "neutral");
    let fall = munich_returns("F1902M", json!({"FRANCE": ["A MUN"]}));
    assert_eq!(fall["centers_after"], json!({"FRANCE": ["MUN"], "GERMANY": ["KIE"]}));
}

#[test]
fn double_reversible_desk_rule_4_several_must_all_retreat() {
    let seen = munich_returns("S1902M", json!({"FRANCE": ["A MUN", "A MUN"], "AUSTRIA": ["A MUN"]}));
    let options = json!(["BER", "BOH", "BUR", "KIE", "RUH", "TYR"]);
    let entry =
        |unit: &str, power: &str| json!({"unit": unit, "power": power, "from": null, "options": options});
    let expected = [entry("A MUN", "AUSTRIA"), entry("A MUN", "FRANCE"), entry("A MUN#2", "FRANCE")];
    assert_eq!(seen["dislodged"], json!(expected));
    assert_eq!(seen["units_after"], json!({"RUSSIA": ["A SIL"]}));
}

#[test]
fn double_reversible_desk_rule_4_the_retreats_of_several() {
    let retreats = |orders: Value| {
        DOUBLE_REVERSIBLE.answer(json!({
            "phase": "F1902R",
            "powers": {
                "FRANCE": {"retreats": [{"unit": "A MUN", "from": null}, {"unit": "A MUN#2", "from": null}]},
                "AUSTRIA": {"retreats": [{"unit": "A MUN"}]},
            },
            "orders": orders,
        }))
    };
    let seen = retreats(json!({"FRANCE": ["A MUN R KIE", "A MUN#2 R BUR"], "AUSTRIA": ["A MUN R BOH"]}));
    assert_eq!(seen["units_after"], json!({"AUSTRIA": ["A BOH"], "FRANCE": ["A BUR", "A KIE"]}));
    assert_eq!(seen["centers_after"], json!({"FRANCE": ["KIE"]}), "nobody stood in Munich");
    let seen = retreats(json!({"FRANCE": ["A MUN R KIE", "A MUN#2 R KIE"], "AUSTRIA": ["A MUN D"]}));
    assert_eq!(seen["units_after"], json!({}));
    assert_eq!(seen["results"]["FRANCE"], json!({"A MUN R KIE": ["overlap"], "A MUN#2 R KIE": ["overlap"]}));
}

#[test]
fn double_reversible_desk_rule_4_fleets_come_back_on_their_coast() {
    for unit in ["F STP/NC", "F STP/SC"] {
        let seen = DOUBLE_REVERSIBLE.answer(json!({
            "phase": "S1902M", "map_events": ["collapse STP"], "nature": ["restore STP"],
            "state": {"swallowed": {"RUSSIA": [unit]}}, "powers": {},
        }));
        assert_eq!(seen["units_after"]["RUSSIA"], json!([unit]));
    }
}

#[test]
fn double_reversible_desk_rule_4_what_does_not_come_back_stays_away() {
    let seen = DOUBLE_REVERSIBLE.answer(json!({
        "phase": "S1902M", "map_events": ["collapse MUN", "collapse TYR"], "nature": ["restore MUN"],
        "state": {"swallowed": {"FRANCE": ["A TYR"]}}, "powers": {"FRANCE": {"units": ["A PAR"]}},
    }));
    assert_eq!((&seen["units_after"], &seen["dislodged"]), (&json!({"FRANCE": ["A PAR"]}), &json!([])));
}

// ---- retreats ----

#[test]
fn double_reversible_desk_rulings_4_8_a_retreat_from_a_province_that_is_a_hole_now() {
    let request = |retreat: Value, order: &str| {
        DOUBLE_REVERSIBLE.answer(json!({
            "phase": "S1902R", "map_events": ["collapse MAR", "collapse PAR"],
            "powers": {
                "FRANCE": {"retreats": [retreat]},
                "GERMANY": {"units": ["A PIE", "A GAS"]},
            },
            "orders": {"FRANCE": [order]},
        }))
    };
    let word = |retreat: Value, order: &str| request(retreat, order)["results"]["FRANCE"][order][0].clone();
    let from = || json!({"unit": "A MAR", "from": "PIE"});
    assert_eq!(word(from(), "A MAR R SPA"), "ok");
    assert_eq!(word(from(), "A MAR R BUR"), "ok");
    assert_eq!(word(from(), "A MAR R PIE"), "illegal", "the attacker's start");
    assert_eq!(word(from(), "A MAR R GAS"), "illegal", "occupied");
    assert_eq!(word(from(), "A MAR R PAR"), "illegal", "a hole, and no neighbour");
    let options = || json!({"unit": "A MAR", "options": ["SPA"]});
    assert_eq!(word(options(), "A MAR R SPA"), "ok");
    assert_eq!(word(options(), "A MAR R BUR"), "illegal", "not among the options");
    assert_eq!(request(from(), "A MAR R SPA")["units_after"]["FRANCE"], json!(["A SPA"]));
}

#[test]
fn double_reversible_desk_rulings_4_8_a_fleet_from_a_hole_goes_to_coasts_as_they_are_now() {
    // With Constantinople gone the two coasts of Bulgaria are one.
    let movement = DOUBLE_REVERSIBLE.answer(json!({
        "phase": "S1902M", "nature": ["collapse CON"],
        "powers": {"TURKEY": {"units": ["F CON"]}, "AUSTRIA": {"units": ["A SMY", "A ANK"]}},
        "orders": {"AUSTRIA": ["A SMY - CON", "A ANK S A SMY - CON"]},
    }));
    assert_eq!(movement["dislodged"][0]["options"], json!(["AEG", "BLA", "BUL"]));
    for retreat in
        [json!({"unit": "F CON", "from": "SMY"}), json!({"unit": "F CON", "options": ["AEG", "BLA", "BUL"]})]
    {
        let seen = DOUBLE_REVERSIBLE.answer(json!({
            "phase": "S1902R", "map_events": ["collapse CON"],
            "powers": {"TURKEY": {"retreats": [retreat]}}, "orders": {"TURKEY": ["F CON R BUL"]},
        }));
        assert_eq!(seen["results"]["TURKEY"]["F CON R BUL"], json!(["ok"]));
        assert_eq!(seen["units_after"]["TURKEY"], json!(["F BUL"]));
    }
}

#[test]
fn double_reversible_desk_clarification_1_the_options_of_a_fleet_on_a_divided_coast_all_count() {
    let movement = DOUBLE_REVERSIBLE.answer(json!({
        "phase": "S1902M", "map_events": ["collapse CON"], "nature": ["restore CON"],
        "powers": {"TURKEY": {"units": ["F BUL"]}, "AUSTRIA": {"units": ["A SER", "A RUM"]}},
        "orders": {"AUSTRIA": ["A SER - BUL", "A RUM S A SER - BUL"]},
    }));
    let options = &movement["dislodged"][0]["options"];
    assert_eq!(*options, json!(["AEG", "BLA", "CON", "GRE"]));
    let unit = movement["dislodged"][0]["unit"].as_str().expect("a text");
    assert_eq!(unit, "F BUL/SC", "the default part");
    for to in ["AEG", "BLA", "CON", "GRE"] {
        let seen = DOUBLE_REVERSIBLE.answer(json!({
            "phase": "S1902R", "orders": {"TURKEY": [format!("{unit} R {to}")]},
            "powers": {
                "TURKEY": {"retreats": [{"unit": unit, "options": options}]},
                "AUSTRIA": {"units": ["A BUL", "A RUM"]},
            },
        }));
        assert_eq!(seen["units_after"]["TURKEY"], json!([format!("F {to}")]));
    }
}

#[test]
fn double_reversible_desk_clarification_1_a_marooned_fleet_is_listed_without_options_and_disbands() {
    let movement = DOUBLE_REVERSIBLE.answer(json!({
        "phase": "S1902M", "map_events": ["collapse MAR"], "nature": ["restore MAR"],
        "powers": {
            "FRANCE": {"units": ["F BUR", "A UKR"]}, "GERMANY": {"units": ["A MUN", "A RUH"]},
            "RUSSIA": {"units": ["A MOS", "A WAR"]},
        },
        "orders": {
            "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"],
            "RUSSIA": ["A MOS - UKR", "A WAR S A MOS - UKR"],
        },
    }));
    let expected = json!({"unit": "F BUR", "power": "FRANCE", "from": "MUN", "options": []});
    assert_eq!(movement["dislodged"][0], expected);
    let seen = DOUBLE_REVERSIBLE.answer(json!({
        "phase": "S1902R", "powers": {"FRANCE": {"retreats": [{"unit": "F BUR", "options": []}]}},
        "orders": {"FRANCE": ["F BUR R PIC"]},
    }));
    assert_eq!(
        (&seen["units_after"], &seen["results"]["FRANCE"]["F BUR R PIC"]),
        (&json!({}), &json!(["illegal"]))
    );
}

// ---- coasts ----

#[test]
fn double_reversible_desk_clarification_1_the_coast_is_chosen_by_an_order_of_the_movement_phase() {
    let word = |order: &str| {
        let seen = DOUBLE_REVERSIBLE.answer(json!({
            "phase": "S1902M", "map_events": ["collapse CON"], "nature": ["restore CON"],
            "powers": {"TURKEY": {"units": ["F BUL"]}}, "orders": {"TURKEY": [order]},
        }));
        (seen["units_after"]["TURKEY"][0].clone(), seen["results"]["TURKEY"][order][0].clone())
    };
    assert_eq!(word("F BUL COAST EC"), (json!("F BUL/EC"), json!("ok")));
    assert_eq!(word("F BUL COAST SC"), (json!("F BUL/SC"), json!("ok")));
    assert_eq!(word("F BUL COAST WC"), (json!("F BUL/SC"), json!("illegal")));
    assert_eq!(word("F BUL H"), (json!("F BUL/SC"), json!("ok")));
}

#[test]
fn double_reversible_desk_clarification_1_a_choice_where_none_is_to_be_made_is_void() {
    let seen = DOUBLE_REVERSIBLE.answer(json!({
        "phase": "S1902M", "powers": {"TURKEY": {"units": ["F BUL/EC"]}}, "orders": {"TURKEY": ["F BUL COAST SC"]},
    }));
    assert_eq!(seen["results"]["TURKEY"]["F BUL COAST SC"], json!(["void"]));
    assert_eq!(seen["units_after"]["TURKEY"], json!(["F BUL/EC"]));
}

// ---- Denmark ----

#[test]
fn double_reversible_desk_clarification_3_orders_round_denmark() {
    let seen = |variant: &str, order: &str, events: Value| {
        let request = json!({
            "phase": "S1902M", "variant": variant, "map_events": events,
            "powers": {"GERMANY": {"units": ["F DEN"]}}, "orders": {"GERMANY": [order]},
        });
        DOUBLE_REVERSIBLE.answer(request)["results"]["GERMANY"][order][0].clone()
    };
    let dry = || json!(["collapse BAL", "collapse BOT"]);
    assert_eq!(seen("double-reversible", "F DEN - BER", dry()), "ok");
    assert_eq!(seen("standard", "F DEN - BER", dry()), "illegal");
    assert_eq!(seen("double-reversible", "F DEN - BOT", json!(["collapse BAL"])), "ok");
    assert_eq!(seen("double-reversible", "F DEN - BOT", json!([])), "illegal", "it is not next to it");
}

// ---- adjustments ----

#[test]
fn double_reversible_desk_rule_5_builds_outside_the_home_centres() {
    let build = |events: Value| {
        let seen = DOUBLE_REVERSIBLE.answer(json!({
            "phase": "W1902A", "map_events": events,
            "powers": {"FRANCE": {"units": ["A GAS"], "centers": ["BRE", "BEL"]}},
            "orders": {"FRANCE": ["A BEL B"]},
        }));
        seen["results"]["FRANCE"]["A BEL B"][0].clone()
    };
    assert_eq!(build(json!(["collapse PAR"])), "illegal");
    assert_eq!(build(json!(["collapse PAR", "collapse MAR"])), "ok");
}

// ---- refused requests ----

#[test]
fn double_reversible_desk_refuses_what_cannot_be_drawn_and_says_why() {
    let nature = |phase: &str, nature: Value| {
        DOUBLE_REVERSIBLE
            .refused(json!({"phase": phase, "map_events": ["collapse MUN"], "nature": nature, "powers": {}}))
    };
    let three = nature("S1902M", json!(["collapse MAR", "restore MUN", "collapse PAR"]));
    assert_eq!(three, "`nature`: collapse PAR: at most 2 can be drawn in a season");
    let not_there =
        "the face cannot be drawn: it is exempt, already a hole, named twice, or excluded by the variant";
    assert_eq!(nature("S1902M", json!(["collapse MUN"])), format!("`nature`: collapse MUN: {not_there}"));
    assert_eq!(nature("S1902M", json!(["restore MAR"])), format!("`nature`: restore MAR: {not_there}"));
    assert_eq!(nature("S1902M", json!(["collapse OUT"])), format!("`nature`: collapse OUT: {not_there}"));
    assert_eq!(
        nature("S1902M", json!(["collapse MAR", "collapse MAR"])),
        format!("`nature`: collapse MAR: {not_there}"),
        "two different faces"
    );
    let not_now = "the variant draws no such event in this phase";
    for phase in ["S1902R", "W1902A"] {
        assert_eq!(
            nature(phase, json!(["collapse MAR"])),
            format!("`nature`: collapse MAR: {not_now}"),
            "{phase}"
        );
    }
    assert_eq!(
        nature("S1902M", json!(["split BUR PAR MUN"])),
        format!("`nature`: split BUR PAR MUN: {not_now}")
    );
}

#[test]
fn double_reversible_desk_refuses_a_void_as_its_holes_close() {
    let error = DOUBLE_REVERSIBLE.refused(json!({"phase": "S1902M", "nature": ["void MAR"], "powers": {}}));
    assert_eq!(error, "`nature`: void MAR: the variant draws no such event in this phase");
}

#[test]
fn double_reversible_desk_refuses_swallowed_units_without_a_hole_or_a_variant_that_has_them() {
    let swallowed = |variant: &str, unit: &str| {
        DOUBLE_REVERSIBLE.refused(json!({
            "phase": "S1902M", "variant": variant, "map_events": ["collapse MUN"],
            "state": {"swallowed": {"FRANCE": [unit]}}, "powers": {},
        }))
    };
    assert_eq!(
        swallowed("double-reversible", "A PAR"),
        "`state.swallowed.FRANCE`: `A PAR`: the province is not a hole"
    );
    assert_eq!(swallowed("black-hole", "A MUN"), "`state.swallowed`: black-hole does not use this key");
    let army = swallowed("double-reversible", "A LYO");
    assert_eq!(army, "`state.swallowed.FRANCE`: `A LYO`: an army cannot be at sea");
}

#[test]
fn double_reversible_desk_refuses_a_unit_in_a_hole() {
    let error = DOUBLE_REVERSIBLE.refused(json!({
        "phase": "S1902M", "map_events": ["collapse MUN"], "powers": {"FRANCE": {"units": ["A MUN"]}},
    }));
    assert_eq!(error, "`powers.FRANCE.units`: `A MUN`: no unit can be there");
}

// ---- one state, one hash ----

#[test]
fn double_reversible_the_hash_knows_what_is_still_to_be_chosen() {
    let units: [(Power, &[&str]); 2] = [(Power::TURKEY, &["F BUL"]), (Power::AUSTRIA, &["A SER", "A RUM"])];
    let start = || {
        Table::set_in(variant("double-reversible"), "S1902M", &["collapse CON"], &units, &[])
            .hole("S1902", "CON")
    };
    let mut choosing = start();
    choosing.move_all(&[]);
    assert_eq!(choosing.game.stage(), Stage::Coasts);
    let mut retreating = start();
    retreating.move_all(&["A SER - BUL", "A RUM S A SER - BUL"]);
    assert_eq!(retreating.game.stage(), Stage::Retreats);
    for game in [choosing.game, retreating.game] {
        let mut world = game.world().clone();
        let again = Game::resumed(game.variant().clone(), 1950, world.clone(), game.phase());
        assert_eq!(again.hash(), game.hash());
        world.coast_choices.clear();
        world.retreats.ways.clear();
        let forgetful = Game::resumed(game.variant().clone(), 1950, world, game.phase());
        assert_ne!(forgetful.hash(), game.hash());
    }
}

#[test]
fn double_reversible_the_hash_does_not_know_in_which_order_units_went() {
    let played = |first: &str, second: &str| {
        let units: [(Power, &[&str]); 2] = [(Power::GERMANY, &["A MUN"]), (Power::FRANCE, &["A PAR"])];
        let mut table =
            Table::set_in(variant("double-reversible"), "S1902M", &[], &units, &[(Power::ITALY, &["ROM"])])
                .hole("S1902", first)
                .hole("F1902", second);
        table.move_all(&[]).move_all(&[]);
        table.game.hash()
    };
    assert_eq!(played("MUN", "PAR"), played("PAR", "MUN"));
    assert_ne!(played("MUN", "PAR"), played("MUN", "BUR"));
}
