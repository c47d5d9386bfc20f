//! `black-hole-i`, sentence by sentence: rules 1 to 4 of rr01, and rules.md 1.5, 2, 3.1, 4.1, 4.3,
//! 4.4 and 4.6 as far as they concern it. Rule 5 is in `victory.rs`, 6 to 8 in `exemption.rs`.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::helpers::chances::uniform;
use crate::helpers::shipped::{BLACK_HOLE_I, check, variant};
use crate::helpers::table::Table;
use serde_json::json;
use upheaval::game::{Game, Referee, Stage};
use upheaval::ids::{Location, Power, Powers, ProvinceSet};
use upheaval::rules::adjustment::Owed;
use upheaval::rules::answers::Answers;
use upheaval::rules::event::Event;
use upheaval::rules::mechanism::Declarations;
use upheaval::rules::nature::Seeded;
use upheaval::rules::order::RetreatOrder;
use upheaval::rules::rulebook::Rulebook;

fn is_open(table: &Table, name: &str) -> bool {
    table.game.terrain().board().passable().contains(table.id(name))
}

// ---- rule 1 ----

#[test]
fn black_hole_i_rule_1_the_standard_rules_apply_except_where_noted() {
    let (own, standard) = (variant("black-hole-i"), variant("standard"));
    assert_eq!(own.rulebook, Rulebook::R2023);
    assert_eq!((own.position.clone(), own.first_phase), (standard.position.clone(), standard.first_phase));
    assert_eq!((own.builds, own.deserted), (standard.builds, standard.deserted));
    // Noted: default retreats, victory, holes and exemptions.
    assert_ne!(own.unordered_retreats, standard.unordered_retreats);
    assert_ne!(own.victory, standard.victory);
    assert_eq!((own.mechanisms.len(), standard.mechanisms.len()), (2, 0));
}

#[test]
fn black_hole_i_rule_1_a_season_without_a_hole_is_settled_as_in_standard() {
    let request = |variant: &str| {
        let mut answer = BLACK_HOLE_I.answer(json!({
            "id": 1, "variant": variant, "phase": "F1901M",
            "powers": {"FRANCE": {"units": ["A BUR", "A MAR"]}, "GERMANY": {"units": ["A MUN", "A RUH"]}},
            "orders": {"FRANCE": ["A BUR - MUN", "A MAR S A BUR - MUN"], "GERMANY": ["A RUH - BUR", "A MUN H"]},
        }));
        // The next request contains the rules by which the game continues.
        answer.as_object_mut().expect("an object").remove("next");
        answer
    };
    assert_eq!(request("black-hole-i"), request("standard"));
}

// ---- rule 2 ----

#[test]
fn black_hole_i_rule_2_first_sentence_after_each_spring_and_autumn_turn() {
    let mut table =
        BLACK_HOLE_I.set("S1901M", &[], &[(Power::FRANCE, &["A PAR"])], &[(Power::FRANCE, &["PAR"])]);
    for (season, hole) in [("S1901", "BOH"), ("F1901", "TYR"), ("S1902", "UKR"), ("F1902", "GAL")] {
        table = table.hole(season, hole);
        assert!(is_open(&table, hole));
        table.season(&[]);
        assert!(!is_open(&table, hole), "{season}");
    }
    let opened: Vec<String> = table
        .told
        .events
        .iter()
        .filter(|(_, event)| matches!(event, Event::Voided(_)))
        .map(|(at, _)| at.to_string())
        .collect();
    assert_eq!(opened, ["S1901M", "F1901M", "S1902M", "F1902M"]);
}

/// Burgundy is taken from Munich; France must retreat.
fn burgundy(hole: &str) -> Table {
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A BUR"]), (Power::GERMANY, &["A MUN", "A RUH"])];
    let centres: [(Power, &[&str]); 2] = [(Power::FRANCE, &["BRE"]), (Power::GERMANY, &["KIE", "MUN"])];
    let mut table = BLACK_HOLE_I.set("F1902M", &[], &units, &centres).hole("F1902", hole);
    table.move_all(&["A MUN - BUR", "A RUH S A MUN - BUR"]);
    assert_eq!(table.game.stage(), Stage::Retreats);
    table
}

#[test]
fn black_hole_i_rule_2_first_sentence_after_retreats_and_before_adjustments() {
    let mut table = burgundy("MUN");
    assert!(table.nature.offered.is_empty(), "nothing is drawn before the retreats");
    table.retreat(&["A BUR R PAR"]);
    let order = [
        table.when(|e| matches!(e, Event::Dislodged(_))),
        table.when(|e| matches!(e, Event::Retreated(..))),
        table.when(|e| matches!(e, Event::Captured { by: Power::FRANCE, .. })),
        table.when(|e| matches!(e, Event::HoleDrawn(_))),
        table.when(|e| matches!(e, Event::CentreLost(_, Power::GERMANY))),
        table.when(|e| matches!(e, Event::Voided(_))),
    ];
    assert!(order.iter().all(Option::is_some) && order.is_sorted(), "{order:?}");
    // Germany has two units and, without Munich, one centre: the adjustments count the remaining ones.
    assert_eq!(
        (table.game.stage(), table.game.phase().to_string()),
        (Stage::Adjustments, "W1902A".to_owned())
    );
    assert_eq!(
        (table.game.owed(Power::FRANCE), table.game.owed(Power::GERMANY)),
        (Owed::Builds(1), Owed::Removals(1))
    );
}

#[test]
fn black_hole_i_rule_2_nothing_is_foretold_and_a_unit_may_retreat_into_the_province_that_falls() {
    let mut table = burgundy("PAR");
    assert!(table.game.world().doomed.is_empty());
    assert_eq!(table.options(0), ["BEL", "GAS", "MAR", "PAR", "PIC"]);
    table.retreat(&["A BUR R PAR"]);
    assert!(table.units(Power::FRANCE).is_empty(), "it went to Paris and fell with it");
    assert!(table.when(|e| matches!(e, Event::Destroyed(_, unit) if unit.power == Power::FRANCE)).is_some());
}

#[test]
fn black_hole_i_rule_2_a_unit_retreats_from_the_province_that_falls_afterwards() {
    let mut table = burgundy("BUR");
    table.retreat(&["A BUR R GAS"]);
    assert_eq!(table.units(Power::FRANCE), ["A GAS"]);
    assert_eq!(table.units(Power::GERMANY), ["A RUH"], "the unit that drove it out is lost");
}

#[test]
fn black_hole_i_rule_2_second_sentence_land_or_sea() {
    for (unit, hole) in [("A MUN", "MUN"), ("F NTH", "NTH"), ("F STP/SC", "STP"), ("F MAO", "MAO")] {
        let mut table =
            BLACK_HOLE_I.set("S1902M", &[], &[(Power::RUSSIA, &[unit, "A BER"])], &[]).hole("S1902", hole);
        table.season(&[]);
        assert!(!is_open(&table, hole));
        assert_eq!(table.units(Power::RUSSIA), ["A BER"], "{hole}");
    }
}

#[test]
fn black_hole_i_rule_2_one_of_the_75_less_the_exempt_and_the_holes() {
    let mut table = Table::new_game(variant("black-hole-i"), 1910).hole("S1901", "NTH");
    table.season(&[]).season(&[]);
    let exempt = table.game.world().exempt_centres();
    let [(_, _, spring), (_, _, fall)] = table.nature.offered[..] else { panic!() };
    assert_eq!((exempt.len(), spring.len(), fall.len()), (7, 75 - 7, 74 - 7));
    assert!(!spring.contains(table.id("SWI")) && !spring.intersects(&exempt));
    assert_eq!(table.names(spring - fall), ["NTH"]);
}

#[test]
fn black_hole_i_rule_2_the_draw_is_uniform_over_those() {
    let variant = variant("black-hole-i");
    let names = variant.terrain.names();
    let mut declared = Declarations::none(Powers::STANDARD);
    for (power, name) in [
        (Power::AUSTRIA, "BUD"),
        (Power::ENGLAND, "LON"),
        (Power::FRANCE, "BRE"),
        (Power::GERMANY, "MUN"),
        (Power::ITALY, "ROM"),
        (Power::RUSSIA, "STP"),
        (Power::TURKEY, "ANK"),
    ] {
        declared.exempt[power] = names.find(name);
    }
    let games = 68 * 40;
    let (mut counts, mut referee) = (BTreeMap::new(), Referee::new());
    let answers = Answers { declared: declared.clone(), ..Answers::none(Powers::STANDARD) };
    for block in 0..games {
        let mut game = Game::new(Arc::clone(&variant), 1910);
        let mut nature = Seeded { seed: 41, block };
        game.settle(&mut referee, &answers, &mut nature, &mut ());
        let holes = game.terrain().chart().map().holes();
        assert_eq!(holes.len(), 1);
        for hole in holes {
            *counts.entry(hole).or_insert(0) += 1;
        }
    }
    assert_eq!(counts.len(), 68);
    assert!(declared.exempt.iter().all(|(_, centre)| !counts.contains_key(&centre.unwrap())));
    let p = uniform(counts.values());
    assert!(p > 0.001, "p = {p}");
}

// ---- rule 3, rules.md 1.5 and 2.4 ----

/// Every province in turn: its former neighbours keep their connections, and get no others.
#[test]
fn black_hole_i_rule_3_first_sentence_the_province_is_gone_and_its_neighbours_do_not_meet() {
    let first = variant("black-hole-i");
    let before = first.terrain.board();
    for hole in before.passable() {
        let name = first.terrain.names().province(hole);
        let mut table = BLACK_HOLE_I.set("S1902M", &[], &[], &[]).hole("S1902", name);
        table.move_all(&[]);
        let board = table.game.terrain().board();
        assert_eq!(board.passable(), before.passable() - ProvinceSet::single(hole), "{name}");
        for from in board.passable() {
            let gone = ProvinceSet::single(hole);
            let place = first.terrain.names().province(from);
            assert_eq!(*board.army_reach(from), *before.army_reach(from) - gone, "{name} gone: A {place}");
            let (ways, were) = (*board.fleet_reach_any(from), *before.fleet_reach_any(from) - gone);
            assert!(ways.is_subset(&were), "{name} gone: F {place} has new ways");
            if before.land().contains(hole) {
                assert_eq!(ways, were, "{name} gone: F {place}");
            }
        }
    }
}

#[test]
fn black_hole_i_rule_3_no_order_leads_into_or_through_it() {
    // Were Marseilles collapsed, Spain and Gascony would reach Piedmont and the Gulf of Lyon; were the North Sea open,
    // it would carry the army to Norway.
    let orders = json!({
        "FRANCE": ["A BUR - MAR", "A SPA - PIE", "F GAS - LYO"],
        "ENGLAND": ["A EDI - NWY", "F NWG C A EDI - NWY", "A YOR - HOL", "F ENG - NTH"],
    });
    let seen = BLACK_HOLE_I.answer(json!({
        "id": 1, "variant": "black-hole-i", "phase": "S1902M", "map_events": ["void MAR", "void NTH"],
        "powers": {
            "FRANCE": {"units": ["A BUR", "A SPA", "F GAS"]},
            "ENGLAND": {"units": ["A EDI", "A YOR", "F ENG", "F NWG"]},
        },
        "orders": orders,
    }));
    for order in ["A BUR - MAR", "A SPA - PIE", "F GAS - LYO"] {
        assert_eq!(seen["results"]["FRANCE"][order], json!(["illegal"]), "{order}");
    }
    for order in ["A YOR - HOL", "F ENG - NTH"] {
        assert_eq!(seen["results"]["ENGLAND"][order], json!(["illegal"]), "{order}");
    }
    assert_eq!(seen["results"]["ENGLAND"]["A EDI - NWY"], json!(["ok"]), "by the other sea it goes");
}

#[test]
fn black_hole_i_rule_3_first_sentence_any_unit_there_is_annihilated_who_left_lives_and_who_came_does_not() {
    let units: [(Power, &[&str]); 1] = [(Power::GERMANY, &["A MUN", "A KIE", "A SIL"])];
    let mut table = BLACK_HOLE_I.set("S1902M", &[], &units, &[]).hole("S1902", "MUN");
    table.move_all(&["A MUN - BOH", "A SIL - MUN"]);
    assert_eq!(table.units(Power::GERMANY), ["A BOH", "A KIE"]);
    let fell = table.told.events.iter().filter(|(_, e)| matches!(e, Event::Destroyed(..))).count();
    assert_eq!(fell, 1);
}

#[test]
fn black_hole_i_rule_3_second_sentence_a_centre_is_removed_and_so_is_a_place_to_build() {
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A SPA"]), (Power::ITALY, &["A VEN"])];
    let mut table = BLACK_HOLE_I
        .set("F1902M", &[], &units, &[(Power::FRANCE, &["BRE", "PAR", "SPA"])])
        .hole("F1902", "PAR");
    table.move_all(&[]);
    assert_eq!(table.game.terrain().centres().len(), 33);
    assert_eq!(table.centres(Power::FRANCE), ["BRE", "SPA"]);
    assert_eq!(table.game.owed(Power::FRANCE), Owed::Builds(1));
    assert_eq!(table.names(table.game.build_sites(Power::FRANCE)), ["BRE"]);
}

#[test]
fn black_hole_i_rule_3_third_sentence_it_lasts_for_the_rest_of_the_game() {
    let mut table = BLACK_HOLE_I
        .set("S1902M", &[], &[(Power::FRANCE, &["A PAR"])], &[(Power::FRANCE, &["PAR"])])
        .hole("S1902", "MUN");
    for _ in 0..40 {
        table.season(&[]);
        assert!(!is_open(&table, "MUN"));
    }
    let munich = table.id("MUN");
    let could_fall: Vec<bool> =
        table.nature.offered.iter().map(|(.., faces)| faces.contains(munich)).collect();
    assert_eq!((could_fall.len(), could_fall[0], could_fall[1..].contains(&true)), (40, true, false));
    assert_eq!(table.game.terrain().centres().len(), 33);
}

#[test]
fn black_hole_i_rulings_1_5_a_province_whose_only_water_is_gone_has_no_coast_and_its_fleet_is_lost() {
    let units: [(Power, &[&str]); 2] =
        [(Power::TURKEY, &["F RUM", "F SEV", "A ARM", "F CON"]), (Power::ITALY, &["A ROM"])];
    let mut table = BLACK_HOLE_I.set("S1902M", &[], &units, &[]).hole("S1902", "BLA");
    table.move_all(&[]);
    let board = table.game.terrain().board();
    for (name, coasts) in [("RUM", 0), ("SEV", 0), ("ARM", 0), ("CON", 1), ("BUL", 1), ("ANK", 0)] {
        assert_eq!(board.coasts(table.id(name)), coasts, "{name}");
    }
    assert_eq!(table.units(Power::TURKEY), ["A ARM", "F CON"]);
    assert_eq!(table.told.events.iter().filter(|(_, e)| matches!(e, Event::CoastLost(..))).count(), 2);
    // An inland province builds armies only.
    let sites = ProvinceSet::single(table.id("SEV"));
    assert_eq!(upheaval::rules::adjustment::builds(board, &sites).len(), 1);
}

#[test]
fn black_hole_i_rulings_1_5_a_voided_sea_is_no_water_along_the_shore_either() {
    // Rome, Naples and Tuscany follow one another along the Tyrrhenian Sea.
    let units: [(Power, &[&str]); 1] = [(Power::ITALY, &["F NAP", "F TUS", "F ROM"])];
    let mut table = BLACK_HOLE_I.set("S1902M", &[], &units, &[]).hole("S1902", "TYS");
    table.move_all(&[]);
    assert_eq!(table.units(Power::ITALY), ["F NAP", "F TUS"], "Rome has no other water");
    let reach = |name: &str| table.names(*table.game.terrain().board().fleet_reach_any(table.id(name)));
    assert_eq!((reach("NAP"), reach("TUS")), (vec!["APU", "ION"], vec!["LYO", "PIE"]));
}

#[test]
fn black_hole_i_rulings_2_3_the_bulgarian_fleet_goes_to_the_only_other_coast() {
    let mut table =
        BLACK_HOLE_I.set("S1902M", &[], &[(Power::TURKEY, &["F BUL/EC"])], &[]).hole("S1902", "BLA");
    table.move_all(&[]);
    assert_eq!(table.units(Power::TURKEY), ["F BUL"]);
    let at = table.position().location(table.id("BUL")).unwrap();
    let reach = *table.game.terrain().board().fleet_reach(at);
    assert_eq!(table.names(reach), ["AEG", "CON", "GRE"]);
}

#[test]
fn black_hole_i_rulings_2_1_a_void_in_the_middle_of_a_coast_splits_it_and_the_owner_chooses() {
    // Norway's coast runs BAR, NWG, NTH, SKA.
    for seas in [&["BAR"][..], &["NTH", "SKA"]] {
        let mut table =
            BLACK_HOLE_I.set("S1902M", &[], &[(Power::ENGLAND, &["F NWY"])], &[]).hole("S1902", "NWG");
        table.move_all(&[]);
        assert_eq!(table.game.stage(), Stage::Coasts);
        let (board, norway) = (table.game.terrain().board().clone(), table.id("NWY"));
        let of = |coast| board.fleet_reach(Location { province: norway, coast }).to_owned() & *board.sea();
        let wanted: ProvinceSet = seas.iter().map(|sea| table.id(sea)).collect();
        let default = table.game.coast_choices()[0].default;
        assert_eq!(table.names(of(default)), ["NTH", "SKA"], "the larger part");
        table.coasts(|choice| choice.coasts.iter().copied().find(|&coast| of(coast) == wanted));
        let stands = table.position().location(norway).unwrap();
        assert_eq!(table.names(of(stands.coast)), seas);
    }
}

// ---- rule 4, rules.md 4.6 ----

/// Burgundy is taken from Munich with these other units present, and France gives no order.
fn burgundy_goes(others: &[&str]) -> Vec<String> {
    let italian: Vec<&str> = others.to_vec();
    let units: [(Power, &[&str]); 3] =
        [(Power::FRANCE, &["A BUR"]), (Power::GERMANY, &["A MUN", "A RUH"]), (Power::ITALY, &italian)];
    let mut table = BLACK_HOLE_I.set("S1902M", &[], &units, &[]);
    table.move_all(&["A MUN - BUR", "A RUH S A MUN - BUR"]).rest_of_season();
    table.units(Power::FRANCE)
}

/// From Burgundy, anticlockwise from north: Picardy 24°, Paris 64°, Gascony 118°, Marseilles 167°, Belgium 352°, which
/// is nearest to north.
#[test]
fn black_hole_i_rule_4_without_an_order_north_then_anticlockwise() {
    assert_eq!(burgundy_goes(&[]), ["A BEL"], "8° east of north");
    assert_eq!(burgundy_goes(&["A PIC"]), ["A BEL"], "24° west of it");
    assert_eq!(burgundy_goes(&["A BEL"]), ["A PIC"], "not vacant: the first from due north");
    assert_eq!(burgundy_goes(&["A BEL", "A PIC"]), ["A PAR"]);
    assert_eq!(burgundy_goes(&["A BEL", "A PIC", "A PAR"]), ["A GAS"]);
    assert_eq!(burgundy_goes(&["A BEL", "A PIC", "A PAR", "A GAS"]), ["A MAR"]);
    assert!(burgundy_goes(&["A BEL", "A PIC", "A PAR", "A GAS", "A MAR"]).is_empty(), "no place: disbanded");
}

/// The default retreat of a unit that is dislodged from this province by a unit from that one, with these others on the
/// board. The attack has the support of a unit in the third province.
fn sent(unit: &str, by: [&str; 2], others: &[&str]) -> Vec<String> {
    let place = unit.split(' ').nth(1).expect("a place").split('/').next().expect("a province");
    let attack = format!("{} - {place}", by[0]);
    let support = format!("{} S {attack}", by[1]);
    let units: [(Power, &[&str]); 3] =
        [(Power::AUSTRIA, &[unit]), (Power::TURKEY, &by), (Power::ITALY, others)];
    let mut table = BLACK_HOLE_I.set("S1902M", &[], &units, &[]);
    table.move_all(&[&attack, &support]);
    assert!(table.when(|event| matches!(event, Event::Dislodged(_))).is_some(), "{attack}");
    table.rest_of_season();
    table.units(Power::AUSTRIA)
}

/// The neighbour nearest to due north, on either side: the examples of the ruling.
#[test]
fn ruling_4_6_the_neighbour_a_hair_east_of_north_comes_first() {
    // Moscow lies 2.7° east of north from Sevastopol, the Ukraine 78° west of it.
    assert_eq!(sent("A SEV", ["A ARM", "A RUM"], &[]), ["A MOS"]);
    assert_eq!(sent("A SEV", ["A ARM", "A RUM"], &["A MOS"]), ["A UKR"], "not vacant: anticlockwise");
    // The Skagerrak lies 1.3° east of north from Denmark, the North Sea 70° west of it.
    assert_eq!(sent("F DEN", ["A SWE", "F BAL"], &[]), ["F SKA"]);
    assert_eq!(sent("F DEN", ["A SWE", "F BAL"], &["F SKA"]), ["F NTH"]);
    // From the west side of north: the Clyde, 2.7°, before Edinburgh, 16° to the east.
    assert_eq!(sent("A LVP", ["A WAL", "A YOR"], &[]), ["A CLY"]);
}

/// The places considered are all that the unit could move to, whether it may retreat there or not: if the one nearest
/// to north is closed, the search begins at due north, and not at the second nearest.
#[test]
fn ruling_4_6_if_the_northernmost_is_closed_the_first_from_due_north_anticlockwise() {
    // From Munich: Kiel 4° to the west, Berlin 29° to the east, the Ruhr 55° to the west.
    assert_eq!(sent("A MUN", ["A BUR", "A TYR"], &[]), ["A KIE"]);
    assert_eq!(
        sent("A MUN", ["A BUR", "A TYR"], &["A KIE"]),
        ["A RUH"],
        "not Berlin, though it is nearer to north"
    );
    assert_eq!(sent("A MUN", ["A KIE", "A TYR"], &[]), ["A RUH"], "where the attacker came from");
    assert_eq!(
        sent("A MUN", ["A BUR", "A TYR"], &["A KIE", "A RUH", "A BOH", "A SIL"]),
        ["A BER"],
        "the last of all"
    );
}

/// The places considered are those that the unit could move to: an army has no sea among its neighbours, and a fleet no
/// land behind the coast.
#[test]
fn ruling_4_6_neighbours_are_those_that_the_unit_could_move_to() {
    // From Denmark an army could go to Sweden, 31° to the east, and Kiel alone.
    assert_eq!(sent("A DEN", ["F SKA", "F NTH"], &[]), ["A SWE"]);
    assert_eq!(sent("A DEN", ["F SKA", "F NTH"], &["A SWE"]), ["A KIE"]);
    // From Sevastopol a fleet goes along the coast, and the Black Sea is not a neighbour of an army.
    assert_eq!(sent("F SEV", ["A ARM", "A MOS"], &[]), ["F RUM"]);
    assert_eq!(sent("A SEV", ["A ARM", "A RUM"], &["A MOS", "A UKR"]), Vec::<String>::new());
}

#[test]
fn black_hole_i_rule_4_a_province_left_empty_by_a_stand_off_is_no_place() {
    let units: [(Power, &[&str]); 3] = [
        (Power::FRANCE, &["A BUR"]),
        (Power::GERMANY, &["A MUN", "A RUH"]),
        (Power::ITALY, &["A BRE", "A BEL"]),
    ];
    let mut table = BLACK_HOLE_I.set("S1902M", &[], &units, &[]);
    table.move_all(&["A MUN - BUR", "A RUH S A MUN - BUR", "A BRE - PIC", "A BEL - PIC"]).rest_of_season();
    assert_eq!(table.units(Power::FRANCE), ["A PAR"]);
}

/// From Munich, Kiel (4°) is nearest to north, but the attacker came from there; the Ruhr (55°) is next.
#[test]
fn black_hole_i_rule_4_nor_is_the_attackers_start() {
    let units: [(Power, &[&str]); 2] = [(Power::GERMANY, &["A MUN"]), (Power::FRANCE, &["A KIE", "A BUR"])];
    let mut table = BLACK_HOLE_I.set("S1902M", &[], &units, &[]);
    table.move_all(&["A KIE - MUN", "A BUR S A KIE - MUN"]).rest_of_season();
    assert_eq!(table.units(Power::GERMANY), ["A RUH"]);
}

/// From Spain's south coast: the Mid-Atlantic 42°, Portugal 83°, (Western Mediterranean 228°, Gulf of Lyon 265°),
/// Marseilles 287°. Gascony, 307°, is out of a southern fleet's reach.
#[test]
fn black_hole_i_rule_4_a_fleet_goes_where_its_coast_leads() {
    let goes = |others: &[&str]| {
        let units: [(Power, &[&str]); 3] =
            [(Power::FRANCE, &["F SPA/SC"]), (Power::ITALY, &["F LYO", "F WES"]), (Power::ENGLAND, others)];
        let mut table = BLACK_HOLE_I.set("S1902M", &[], &units, &[]);
        table.move_all(&["F LYO - SPA/SC", "F WES S F LYO - SPA/SC"]).rest_of_season();
        table.units(Power::FRANCE)
    };
    assert_eq!(goes(&[]), ["F MAO"]);
    assert_eq!(goes(&["F MAO"]), ["F POR"]);
    assert_eq!(goes(&["F MAO", "A POR"]), ["F MAR"]);
    assert!(goes(&["F MAO", "A POR", "A MAR"]).is_empty());
}

/// From the Mid-Atlantic: Portugal 182°, North Africa 201°, then Spain 222° with both of its coasts.
#[test]
fn black_hole_i_rulings_4_6_coasts_of_one_province_go_by_name() {
    let units: [(Power, &[&str]); 3] = [
        (Power::FRANCE, &["F MAO"]),
        (Power::ENGLAND, &["F IRI", "F NAO"]),
        (Power::ITALY, &["A POR", "A NAF"]),
    ];
    let mut table = BLACK_HOLE_I.set("S1902M", &[], &units, &[]);
    table.move_all(&["F IRI - MAO", "F NAO S F IRI - MAO"]).rest_of_season();
    assert_eq!(table.units(Power::FRANCE), ["F SPA/NC"]);
}

/// Bohemia, taken from Silesia, and Tyrolia, taken from Venice.
fn two_dislodged() -> Table {
    let units: [(Power, &[&str]); 4] = [
        (Power::GERMANY, &["A SIL", "A GAL"]),
        (Power::ITALY, &["A VEN", "A TRI"]),
        (Power::AUSTRIA, &["A BOH"]),
        (Power::FRANCE, &["A TYR"]),
    ];
    let mut table = BLACK_HOLE_I.set("S1902M", &[], &units, &[]);
    table.move_all(&["A SIL - BOH", "A GAL S A SIL - BOH", "A VEN - TYR", "A TRI S A VEN - TYR"]);
    assert_eq!(table.game.dislodged().dislodged.len(), 2);
    table
}

/// Munich is the first from Bohemia (96°) and from Tyrolia (31°); from there Piedmont (119°) is the next.
#[test]
fn black_hole_i_rulings_4_6_several_go_in_alphabetical_order_each_seeing_those_before_it() {
    let mut table = two_dislodged();
    table.retreat(&[]);
    assert_eq!(
        (table.units(Power::AUSTRIA), table.units(Power::FRANCE)),
        (vec!["A MUN".to_owned()], vec!["A PIE".to_owned()])
    );
}

/// Bohemia's next, after Munich and Tyrolia, is Vienna (217°).
#[test]
fn black_hole_i_rulings_4_6_ordered_retreats_are_settled_before_any_default() {
    let mut table = two_dislodged();
    table.retreat(&["A TYR R MUN"]);
    assert_eq!(
        (table.units(Power::FRANCE), table.units(Power::AUSTRIA)),
        (vec!["A MUN".to_owned()], vec!["A VIE".to_owned()])
    );
}

#[test]
fn black_hole_i_rule_4_an_order_to_disband_is_honoured() {
    let mut table = two_dislodged();
    table.retreat(&["A BOH D"]);
    assert!(table.units(Power::AUSTRIA).is_empty());
    assert_eq!(table.units(Power::FRANCE), ["A MUN"]);
}

#[test]
fn black_hole_i_rulings_4_6_an_illegal_order_falls_to_the_default() {
    let mut table = two_dislodged();
    let to = RetreatOrder::Retreat { to: Location::from(table.id("SIL")) };
    table.settle(Answers { retreats: vec![Some(to), None], ..Answers::none(Powers::STANDARD) });
    assert_eq!(table.units(Power::AUSTRIA), ["A MUN"], "Silesia is where the attacker came from");
}

// ---- parameters ----

#[test]
fn black_hole_i_parameter_faces_decides_what_can_be_drawn() {
    let drawn_from = |faces: &str| {
        let other = BLACK_HOLE_I.changed("faces = \"provinces\"", &format!("faces = \"{faces}\""));
        let mut table = Table::new_game(other, 1910).hole("S1901", "GAL").hole("S1901", "NTH");
        table.move_all(&[]);
        let (_, _, offered) = table.nature.offered[0];
        let land = *variant("black-hole-i").terrain.board().land();
        (offered.len(), (offered & land).len(), [is_open(&table, "GAL"), is_open(&table, "NTH")])
    };
    // 56 land provinces, of which 34 are centres and 7 exempt; 19 seas.
    assert_eq!(drawn_from("provinces"), (68, 49, [false, false]));
    assert_eq!(drawn_from("land"), (49, 49, [false, true]));
    assert_eq!(drawn_from("sea"), (19, 0, [true, false]));
    assert_eq!(drawn_from("centres"), (27, 27, [true, true]));
    assert_eq!(drawn_from("no-centres"), (41, 22, [false, false]));
    let impassable = BLACK_HOLE_I.text_with("faces = \"provinces\"", "faces = \"provinces-and-impassable\"");
    let refused = check(impassable).unwrap_err();
    assert!(refused.contains("an impassable face cannot become a void"), "{refused}");
}

#[test]
fn black_hole_i_parameter_seasons_and_retreats_and_closure_have_their_effect() {
    let fall = BLACK_HOLE_I.changed("seasons = \"spring-and-fall\"", "seasons = \"fall\"");
    let mut table = Table::new_game(fall, 1910).hole("S1901", "GAL").hole("F1901", "BOH");
    table.season(&[]).season(&[]);
    assert_eq!((is_open(&table, "GAL"), is_open(&table, "BOH")), (true, false));

    let told = BLACK_HOLE_I.changed("retreats = \"unforetold\"", "retreats = \"foretold\"");
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A BUR"]), (Power::GERMANY, &["A MUN", "A RUH"])];
    let mut table = Table::set_in(told, "S1902M", &[], &units, &[]).hole("S1902", "PIC");
    table.move_all(&["A MUN - BUR", "A RUH S A MUN - BUR"]);
    assert_eq!(table.options(0), ["BEL", "GAS", "MAR", "PAR"]);

    let closing = BLACK_HOLE_I.changed("closure = \"void\"", "closure = \"collapse\"");
    let mut table = Table::new_game(closing, 1910).hole("S1901", "BOH");
    table.season(&[]);
    let reach = *table.game.terrain().board().army_reach(table.id("SIL"));
    assert!(reach.contains(table.id("VIE")));
}

#[test]
fn black_hole_i_parameter_unordered_retreats_may_disband() {
    let disband = BLACK_HOLE_I.changed("unordered = \"north-then-anticlockwise\"", "unordered = \"disband\"");
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A BUR"]), (Power::GERMANY, &["A MUN", "A RUH"])];
    let mut table = Table::set_in(disband, "S1902M", &[], &units, &[]);
    table.season(&["A MUN - BUR", "A RUH S A MUN - BUR"]);
    assert!(table.units(Power::FRANCE).is_empty());
}

#[test]
fn black_hole_i_parameter_per_season_opens_several() {
    let three = BLACK_HOLE_I.changed("per_season = 1", "per_season = 3");
    let mut game = Game::new(three, 1910);
    let silence = Answers::none(Powers::STANDARD);
    game.settle(&mut Referee::new(), &silence, &mut Seeded { seed: 1, block: 1 }, &mut ());
    assert_eq!(game.terrain().chart().map().holes().len(), 3);
}
