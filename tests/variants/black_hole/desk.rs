//! Black Hole Diplomacy's Black Hole Diplomacy, rule by rule, and the rulings on it (docs/rules.md).

use crate::helpers::name_of;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::helpers::seats::{bots, play_out};
use crate::helpers::shipped::BLACK_HOLE;
use serde_json::{Value, json};
use upheaval::game::{Ending, Game};
use upheaval::ids::{Powers, ProvinceSet};
use upheaval::rules::event::{Event, Log};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::nature::{Draw, Nature, Seeded};
use upheaval::rules::position::{Phase, PhaseKind};
use upheaval::rules::variant::Variant;

/// A variant file like the shipped one with this change, and the folder that contains it.
fn changed(from: &str, to: &str) -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("changed.toml");
    fs::write(&path, BLACK_HOLE.text_with(from, to)).expect("written");
    let path = path.to_str().expect("a path in Unicode").to_owned();
    (dir, path)
}

/// Burgundy is taken from Munich with the help of the Ruhr.
fn burgundy_dislodged(phase: &str, hole: &str) -> Value {
    json!({
        "phase": phase, "nature": [format!("collapse {hole}")],
        "powers": {"FRANCE": {"units": ["A BUR"]}, "GERMANY": {"units": ["A MUN", "A RUH"]}},
        "orders": {"GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"]},
    })
}

/// The retreat phase that follows.
fn burgundy_retreats(hole: &str, order: &str) -> Value {
    json!({
        "phase": "S1901R", "nature": [format!("collapse {hole}")],
        "powers": {
            "FRANCE": {"retreats": [{"unit": "A BUR", "from": "MUN"}]},
            "GERMANY": {"units": ["A BUR", "A RUH"]},
        },
        "orders": {"FRANCE": [order]},
    })
}

#[test]
fn rule_1_who_stands_in_the_hole_is_destroyed_and_the_centre_is_gone() {
    for phase in ["S1901M", "F1901M"] {
        let seen = BLACK_HOLE.answer(json!({
            "phase": phase, "nature": ["collapse MAR"],
            "powers": {"FRANCE": {"units": ["A MAR", "A PAR"], "centers": ["MAR", "PAR"]}},
        }));
        assert_eq!(seen["units_after"]["FRANCE"], json!(["A PAR"]), "{phase}");
        assert_eq!(seen["centers_after"]["FRANCE"], json!(["PAR"]), "{phase}");
    }
}

#[test]
fn rule_1_all_round_the_hole_are_adjacent() {
    let seen = BLACK_HOLE.answer(json!({
        "phase": "S1902M", "map_events": ["collapse MAR"],
        "powers": {"FRANCE": {"units": ["A BUR", "F GAS/EC"]}},
        "orders": {"FRANCE": ["A BUR - PIE", "F GAS/EC - LYO"]},
    }));
    assert_eq!(seen["units_after"]["FRANCE"], json!(["A PIE", "F LYO"]));
}

#[test]
fn rule_2_the_doomed_space_is_no_retreat_and_the_hole_gives_none() {
    let options =
        |hole: &str| BLACK_HOLE.answer(burgundy_dislodged("S1901M", hole))["dislodged"][0]["options"].clone();
    assert_eq!(options("TUN"), json!(["BEL", "GAS", "MAR", "PAR", "PIC"]));
    assert_eq!(options("PAR"), json!(["BEL", "GAS", "MAR", "PIC"]), "neither Paris nor, through it, Brest");
    let seen = BLACK_HOLE.answer(burgundy_retreats("PAR", "A BUR R PAR"));
    assert_eq!(seen["results"]["FRANCE"]["A BUR R PAR"], json!(["illegal"]));
    assert_eq!(seen["units_after"].get("FRANCE").unwrap_or(&json!([])), &json!([]));
}

#[test]
fn rule_2_a_unit_retreats_from_the_doomed_space() {
    let before = BLACK_HOLE.answer(burgundy_dislodged("S1901M", "BUR"));
    assert_eq!(before["dislodged"][0]["options"], json!(["BEL", "GAS", "MAR", "PAR", "PIC"]));
    assert_eq!(before["units_after"]["GERMANY"], json!(["A BUR", "A RUH"]), "the hole is still to open");
    let after = BLACK_HOLE.answer(burgundy_retreats("BUR", "A BUR R PIC"));
    assert_eq!(after["units_after"]["FRANCE"], json!(["A PIC"]));
    assert_eq!(after["units_after"]["GERMANY"], json!(["A RUH"]), "the unit that drove it out is lost");
}

#[test]
fn rule_2_with_nowhere_else_to_go_the_unit_is_destroyed() {
    let request = |hole: &str| {
        json!({
            "phase": "S1901M", "nature": [format!("collapse {hole}")],
            "powers": {"ITALY": {"units": ["A NAF"]}, "FRANCE": {"units": ["F MAO", "F WES"]}},
            "orders": {"FRANCE": ["F MAO - NAF", "F WES S F MAO - NAF"]},
        })
    };
    assert_eq!(BLACK_HOLE.answer(request("BUR"))["dislodged"][0]["options"], json!(["TUN"]));
    assert_eq!(BLACK_HOLE.answer(request("TUN"))["dislodged"][0]["options"], json!([]));
}

#[test]
fn rule_3_the_immune_centre_cannot_be_drawn() {
    let request = |exempt: &str| {
        json!({
            "phase": "S1902M", "nature": ["collapse MAR"], "state": {"exempt": {"FRANCE": exempt}},
            "powers": {"FRANCE": {"units": ["A MAR"]}},
        })
    };
    assert!(BLACK_HOLE.ask(request("PAR")).is_ok());
    assert!(BLACK_HOLE.ask(request("MAR")).unwrap_err().contains("collapse MAR"));
}

#[test]
fn rule_3_it_is_named_with_the_first_orders_and_a_home_centre() {
    let word = |phase: &str, order: &str| {
        let powers = json!({"FRANCE": {"units": ["A MAR"]}});
        let seen =
            BLACK_HOLE.answer(json!({"phase": phase, "powers": powers, "orders": {"FRANCE": [order]}}));
        seen["results"]["FRANCE"][order][0].clone()
    };
    assert_eq!(word("S1901M", "EXEMPT MAR"), "ok");
    assert_eq!(word("S1901M", "EXEMPT MUN"), "illegal", "a home of another's");
    assert_eq!(word("S1901M", "EXEMPT SPA"), "illegal", "nobody's home");
    assert_eq!(word("F1901M", "EXEMPT MAR"), "illegal", "too late");
    let drawn = BLACK_HOLE.ask(json!({
        "phase": "S1901M", "nature": ["collapse MAR"],
        "powers": {"FRANCE": {"units": ["A MAR"]}}, "orders": {"FRANCE": ["EXEMPT MAR"]},
    }));
    assert!(drawn.unwrap_err().contains("MAR: the face cannot be drawn"), "spared in the very season");
}

#[test]
fn rule_4_switzerland_cannot_be_drawn() {
    assert!(
        BLACK_HOLE
            .ask(json!({"phase": "S1901M", "nature": ["collapse SWI"]}))
            .unwrap_err()
            .contains("collapse SWI")
    );
    assert!(BLACK_HOLE.ask(json!({"phase": "S1901M", "nature": ["collapse OUT"]})).is_err());
}

#[test]
fn ruling_3_1_owners_are_recorded_in_fall_and_before_the_hole() {
    let centres = |phase: &str, hole: &str| {
        let seen = BLACK_HOLE.answer(json!({
            "phase": phase, "nature": [format!("collapse {hole}")],
            "powers": {"FRANCE": {"units": ["A GAS", "F MAO"], "centers": ["PAR"]}},
            "orders": {"FRANCE": ["A GAS - SPA", "F MAO - POR"]},
        }));
        seen["centers_after"]["FRANCE"].clone()
    };
    assert_eq!(centres("S1901M", "BUR"), json!(["PAR"]));
    assert_eq!(centres("F1901M", "BUR"), json!(["PAR", "POR", "SPA"]));
    assert_eq!(centres("F1901M", "SPA"), json!(["PAR", "POR"]));
}

#[test]
fn ruling_2_fleets_when_coasts_change() {
    let (_dir, voids) = changed("closure = \"collapse\"", "closure = \"void\"");
    let fleet = |variant: &str, event: &str, fleet: &str, orders: Value| {
        BLACK_HOLE.answer(json!({
            "variant": variant, "phase": "S1902M", "nature": [event],
            "powers": {"ITALY": {"units": [fleet, "A ROM"]}}, "orders": {"ITALY": orders},
        }))
    };
    let stands = |variant: &str, event: &str, unit: &str, orders: Value| {
        let units = fleet(variant, event, unit, orders)["units_after"]["ITALY"].clone();
        units.as_array().expect("a list").iter().find(|unit| *unit != "A ROM").cloned().unwrap_or(Value::Null)
    };
    // 2.1: the south of Spain, MAO WES LYO, falls into two; MAO is the first counter-clockwise from north.
    assert_eq!(stands(&voids, "void WES", "F SPA/SC", json!([])), "F SPA/NC2");
    assert_eq!(stands(&voids, "void WES", "F SPA/SC", json!(["F SPA COAST SC"])), "F SPA/SC");
    assert_eq!(stands(&voids, "void WES", "F SPA/SC", json!(["F SPA COAST NC"])), "F SPA/NC2", "not a part");
    // 2.2: Gascony gets a second coast.
    assert_eq!(stands("black-hole", "collapse MAR", "F GAS", json!([])), "F GAS/WC");
    // 2.3: the coast is gone, but another is left.
    assert_eq!(stands(&voids, "void BAR", "F STP/NC", json!([])), "F STP");
    // 2.4: Finland has no other.
    assert_eq!(stands(&voids, "void BOT", "F FIN", json!([])), Value::Null);
}

#[test]
fn ruling_4_6_without_an_order_it_is_north_then_anticlockwise() {
    let (_dir, north) = changed("\"disband\"\n", "\"north-then-anticlockwise\"\n");
    let sent = |variant: &str, hole: &str| {
        let mut request = burgundy_retreats(hole, "A PAR R PIC");
        request["orders"] = json!({});
        request["variant"] = json!(variant);
        BLACK_HOLE.answer(request)["units_after"].get("FRANCE").cloned()
    };
    // From Burgundy, Belgium is nearest to north, 8° to the east of it. Anticlockwise from due north: Picardy 24°,
    // Paris 64°.
    assert_eq!(sent(&north, "TUN"), Some(json!(["A BEL"])));
    assert_eq!(sent(&north, "BEL"), Some(json!(["A PIC"])), "not into the doomed");
    assert!(sent("black-hole", "TUN").is_none_or(|units| units == json!([])), "there it disbands");
}

/// A request that lists the options of a retreat does not describe all other moves of the unit: these are determined by
/// the current board.
#[test]
fn ruling_4_6_listed_options_do_not_change_which_neighbour_is_northernmost() {
    let (_dir, north) = changed("\"disband\"\n", "\"north-then-anticlockwise\"\n");
    let sent = |options: Value| {
        let seen = BLACK_HOLE.answer(json!({
            "variant": north, "phase": "S1901R", "orders": {},
            "powers": {"FRANCE": {"retreats": [{"unit": "A BUR", "options": options}]}, "GERMANY": {"units": ["A BUR"]}},
        }));
        seen["units_after"]["FRANCE"].clone()
    };
    assert_eq!(sent(json!(["BEL", "PAR", "RUH"])), json!(["A BEL"]));
    // The Ruhr, 41° to the east, is nearer to north than Paris, 64° to the west; but Belgium is nearest, and closed.
    assert_eq!(sent(json!(["PAR", "RUH"])), json!(["A PAR"]));
    assert_eq!(sent(json!(["RUH"])), json!(["A RUH"]));
}

#[test]
fn ruling_4_6_coasts_on_equal_bearings_go_by_name() {
    let (_dir, north) = changed("\"disband\"\n", "\"north-then-anticlockwise\"\n");
    // Both coasts of a province have the same direction. The order of their names differs from that of the seas that
    // they touch.
    for (fleet, seas, stands) in [
        (
            "F MAO",
            ["F NAO", "F IRI", "F ENG", "F WES", "F GAS", "F POR", "A NAF", "A BRE"].as_slice(),
            "F SPA/NC",
        ),
        ("F CON", &["F BLA", "F AEG", "A SMY", "A ANK"], "F BUL/EC"),
    ] {
        let seen = BLACK_HOLE.answer(json!({
            "variant": north, "phase": "S1901R", "orders": {},
            "powers": {"FRANCE": {"retreats": [{"unit": fleet, "from": null}]}, "ENGLAND": {"units": seas}},
        }));
        assert_eq!(seen["units_after"]["FRANCE"], json!([stands]));
    }
}

#[test]
fn ruling_4_1_and_4_2_draws_are_even_and_know_nothing_but_names() {
    let variant = Variant::find("black-hole", Path::new("")).expect("sound").expect("shipped");
    let terrain = &variant.terrain;
    let all: ProvinceSet = terrain.board().passable();
    assert_eq!(all.len(), 75, "Switzerland and the Outside are none");
    let at: Phase = "F1903M".parse().expect("a phase");
    let mut counts = std::collections::BTreeMap::new();
    for block in 0..15_000 {
        let draw = |eligible: &ProvinceSet, n| {
            Seeded { seed: 7, block }.faces(at, Draw::Holes, terrain, eligible, n)
        };
        let order = draw(&all, 3);
        *counts.entry(order[0]).or_insert(0u32) += 1;
        // Without the first, the second is first: the order of the others is the same.
        let mut fewer = all;
        fewer.remove(order[0]);
        assert_eq!(draw(&fewer, 2), order[1..]);
    }
    assert_eq!(counts.len(), 75);
    // 200 expected of each, with a standard deviation of 14.
    assert!(counts.values().all(|&n| (140..=260).contains(&n)), "{counts:?}");
}

/// The events of a game: time, kind, and the name of the province or power.
#[derive(Default)]
struct Diary(Vec<(Phase, &'static str, String)>);

impl Log for Diary {
    fn event(&mut self, at: Phase, terrain: &MapTables, event: &Event) {
        let name = |id| terrain.chart().map().name(id).to_owned();
        match event {
            Event::HoleDrawn(id) => self.0.push((at, "drawn", name(*id))),
            Event::Collapsed(id) => self.0.push((at, "collapsed", name(*id))),
            Event::ExemptDrawn(_, id) => self.0.push((at, "exempt", name(*id))),
            Event::Eliminated(power) => self.0.push((at, "out", name_of(*power))),
            _ => {}
        }
    }
}

/// A game of seven idle powers.
fn idle_game(file: &str, last_year: u16, block: u64) -> (Game, Diary) {
    let variant = Variant::find(file, Path::new("")).expect("sound").expect("known");
    let mut game = Game::new(Arc::new(variant), last_year);
    let mut diary = Diary::default();
    play_out(&mut game, bots(|_| ()), 1, &mut Seeded { seed: 3, block }, &mut diary);
    (game, diary)
}

fn of<'a>(diary: &'a Diary, kind: &str) -> Vec<(String, &'a str)> {
    let of_kind = diary.0.iter().filter(|(_, k, _)| *k == kind);
    of_kind.map(|(at, _, name)| (at.to_string()[..5].to_owned(), name.as_str())).collect()
}

#[test]
fn ruling_3_3_the_last_year_ends_in_a_draw_of_the_survivors() {
    let (game, diary) = idle_game("black-hole", 1903, 0);
    assert_eq!(game.ending(), Some(&Ending::Draw(Powers::STANDARD.iter().collect())));
    assert_eq!((game.phase().year, game.phase().kind), (1903, PhaseKind::Adjustments));
    let seasons: Vec<String> = of(&diary, "collapsed").into_iter().map(|(season, _)| season).collect();
    assert_eq!(seasons, ["S1901", "F1901", "S1902", "F1902", "S1903", "F1903"]);
    assert_eq!(of(&diary, "drawn"), of(&diary, "collapsed"));
}

#[test]
fn ruling_4_5_who_names_none_has_a_home_centre_drawn_that_stays() {
    for block in 0..20 {
        let (game, diary) = idle_game("black-hole", 1925, block);
        let exempt: Vec<&str> = of(&diary, "exempt").into_iter().map(|(_, name)| name).collect();
        assert_eq!(exempt.len(), 7);
        for (power, name) in Powers::STANDARD.iter().zip(&exempt) {
            let chart = game.variant().terrain.chart();
            assert!(chart.homes(power).contains(chart.map().find(name).expect("a face")), "{power:?} {name}");
            assert!(of(&diary, "collapsed").iter().all(|(_, hole)| hole != name), "{name}");
        }
    }
    let (_dir, none) = changed("\"drawn\"\n", "\"none\"\n");
    assert_eq!(of(&idle_game(&none, 1901, 0).1, "exempt"), []);
}

#[test]
fn ruling_4_3_unforetold_holes_in_fall_alone() {
    let (dir, _) = changed("\"foretold\"\n", "\"unforetold\"\n");
    let path = dir.path().join("changed.toml");
    let text = fs::read_to_string(&path).expect("the file");
    let text = text.replacen("\"spring-and-fall\"\n", "\"fall\"\n", 1).replacen(
        "per_season = 1",
        "per_season = 2",
        1,
    );
    fs::write(&path, text).expect("written");
    let (_, diary) = idle_game(path.to_str().expect("a path"), 1903, 0);
    let seasons: Vec<String> = of(&diary, "collapsed").into_iter().map(|(season, _)| season).collect();
    assert_eq!(seasons, ["F1901", "F1901", "F1902", "F1902", "F1903", "F1903"]);
}

#[test]
fn ruling_7_without_unit_and_centre_a_power_is_out() {
    let (_dir, none) = changed("\"drawn\"\n", "\"none\"\n");
    let (game, diary) = idle_game(&none, 1950, 1);
    let out: Vec<&str> = of(&diary, "out").into_iter().map(|(_, power)| power).collect();
    assert!(out.len() > 3, "{out:?}");
    for power in Powers::STANDARD {
        let told = out.iter().filter(|name| **name == name_of(power)).count();
        assert_eq!(
            told,
            usize::from(game.world().position.is_out(power)),
            "{power:?}: reported once, or never"
        );
        assert_eq!(told, usize::from(game.eliminated()[power].is_some()), "{power:?}");
    }
}
