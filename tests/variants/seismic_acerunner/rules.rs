//! `seismic-acerunner`, rules 1 to 8 in whole seasons: the time of quakes, successful orders, the fate of fleets. Rule
//! 9 is in `waterways.rs`.

use crate::helpers::shipped::variant;
use crate::helpers::table::Table;
use crate::variants::seismic_acerunner::straits::{at, coasts, next_quake, reach, shaken, waterways};
use upheaval::game::Stage;
use upheaval::ids::Power;
use upheaval::rules::adjustment::Owed;
use upheaval::rules::event::Event;
use upheaval::rules::notation::WrittenSeismic;
use upheaval::topology::atlas;

fn new_game() -> Table {
    Table::new_game(variant("seismic-acerunner"), 1950)
}

// ---- rule 2: when ----

#[test]
fn rule_2_after_spring_and_after_fall_before_the_adjustments() {
    let mut table = new_game();
    table.move_all(&[]);
    assert_eq!(table.phase(), "S1901E");
    table.shake(&[]);
    assert_eq!(table.phase(), "F1901M");
    table.move_all(&["A MUN - BUR"]);
    assert_eq!(table.phase(), "F1901E");
    table.shake(&[]);
    // No power can build or must remove; and no seismic phase comes after Winter.
    assert_eq!(table.phase(), "S1902M");
}

#[test]
fn rule_2_after_the_retreats_of_either_season() {
    let mut table = at("S1901M", &[], &[(Power::FRANCE, &["A BUR", "A PAR"]), (Power::GERMANY, &["A MUN"])]);
    table.move_all(&["A BUR - MUN", "A MUN H"]);
    assert_eq!(table.phase(), "S1901E", "nobody has to retreat");
    table.shake(&[]);
    table = at("F1901M", &[], &[(Power::FRANCE, &["A BUR", "A TYR"]), (Power::GERMANY, &["A MUN"])]);
    table.move_all(&["A BUR - MUN", "A TYR S A BUR - MUN"]);
    assert_eq!(table.phase(), "F1901R");
    table.retreat(&["A MUN R KIE"]);
    assert_eq!(table.phase(), "F1901E");
    assert_eq!(table.centres(Power::GERMANY), ["KIE"], "owners are recorded by then");
    assert_eq!(table.centres(Power::FRANCE), ["MUN"]);
    table.shake(&[]);
    assert_eq!(table.phase(), "W1901A");
}

// ---- rules 3 and 4: what can be ordered ----

#[test]
fn rule_3_each_player_one_event_each_phase() {
    let mut table = new_game();
    table.move_all(&[]).shake(&[
        (Power::AUSTRIA, "SEPARATE ADR ION CONNECT ALB APU"),
        (Power::TURKEY, "SEPARATE ARM SMY CONNECT ANK SYR"),
    ]);
    assert!(Power::STANDARD.iter().all(|&power| table.shaken(power)
        == match power {
            Power::AUSTRIA | Power::TURKEY => Some("ok"),
            _ => None,
        }));
    assert!(table.face("ALB").army.contains(&"APU".to_owned()));
    assert!(table.face("ANK").army.contains(&"SYR".to_owned()));
}

#[test]
fn rule_4a_prussia_and_livonia_separate_warsaw_and_the_baltic_connect() {
    let mut table = at("S1901M", &[], &[(Power::RUSSIA, &["A WAR", "A LVN"]), (Power::GERMANY, &["F BAL"])]);
    assert!(!table.face("BAL").fleet[""].contains(&"WAR".to_owned()));
    table.move_all(&[]).shake(&[(Power::RUSSIA, "SEPARATE LVN PRU CONNECT BAL WAR")]);
    assert!(!table.face("LVN").army.contains(&"PRU".to_owned()));
    table.move_all(&["A WAR - UKR", "F BAL - WAR"]);
    assert_eq!(table.units(Power::GERMANY), ["F WAR"], "Warsaw has a coast now");
}

#[test]
fn rule_4b_portugal_is_made_an_island_and_released_to_brest() {
    let mut table = at("S1901M", &[], &[(Power::FRANCE, &["A POR", "A PAR"])]);
    table.move_all(&[]).shake(&[(Power::ENGLAND, "SEPARATE POR SPA CONNECT MAO MAO")]);
    assert_eq!(table.shaken(Power::ENGLAND), None, "England has neither unit nor centre here");
    table = at("S1901M", &[], &[(Power::FRANCE, &["A POR", "A PAR"]), (Power::ENGLAND, &["F NTH"])]);
    table.move_all(&[]).shake(&[(Power::ENGLAND, "SEPARATE POR SPA CONNECT MAO MAO")]);
    assert_eq!(table.face("POR").army, [""; 0]);
    assert_eq!(table.face("POR").boundaries, [["MAO"]]);
    table.move_all(&[]).shake(&[(Power::FRANCE, "CONNECT BRE POR THROUGH MAO")]);
    assert_eq!(table.shaken(Power::FRANCE), Some("ok"));
    assert_eq!(table.face("POR").army, ["BRE"]);
}

// ---- rule 5: what cannot be entered ----

#[test]
fn rule_5_switzerland_and_the_outside_can_be_included() {
    let mut table = new_game();
    table.move_all(&[]).shake(&[
        (Power::GERMANY, "SEPARATE BUR MUN CONNECT RUH SWI"),
        (Power::ITALY, "SEPARATE OUT TUN CONNECT ION NAF"),
    ]);
    assert_eq!((table.shaken(Power::GERMANY), table.shaken(Power::ITALY)), (Some("ok"), Some("ok")));
    assert!(!table.face("MUN").army.contains(&"BUR".to_owned()));
    assert!(!table.face("RUH").army.contains(&"SWI".to_owned()), "impassable all the same");
    let naf: Vec<String> = table.face("NAF").fleet.into_values().flatten().collect();
    assert!(naf.contains(&"ION".to_owned()));
    // North Africa and Tunis shared a border, which has become an isthmus without a waterway.
    assert_eq!(coasts(&table, "NAF").len(), 2);
    assert_eq!(coasts(&table, "TUN"), ["ION TYS WES"]);
}

#[test]
fn rule_5_note_no_way_to_or_from_a_province_within_the_outside_until_it_is_released() {
    let mut table = at("S1901M", &[], &[(Power::TURKEY, &["A SYR", "A SMY", "A ARM"])]);
    for order in ["SEPARATE ARM SYR CONNECT OUT SMY", "SEPARATE EAS SYR CONNECT OUT SMY"] {
        next_quake(&mut table);
        table.shake(&[(Power::TURKEY, order)]);
        assert_eq!(table.shaken(Power::TURKEY), Some("ok"), "{order}");
    }
    assert_eq!(table.face("SYR").army, ["SMY"]);
    table = at(
        "S1902M",
        &["separate ARM SYR connect OUT SMY", "separate EAS SYR connect OUT SMY"],
        &[(Power::TURKEY, &["A SYR", "A SMY", "A ARM"])],
    );
    table.move_all(&[]).shake(&[(Power::TURKEY, "SEPARATE SMY SYR CONNECT OUT OUT")]);
    assert_eq!(table.face("SYR").boundaries, [["OUT"]]);
    assert_eq!(table.face("SYR").army, [""; 0]);
    for near in ["SMY", "ARM", "EAS"] {
        assert!(!table.face(near).army.contains(&"SYR".to_owned()));
    }
    table.move_all(&[]).shake(&[(Power::TURKEY, "CONNECT ARM SYR THROUGH OUT")]);
    assert_eq!(table.face("SYR").army, ["ARM"]);
}

// ---- rules 6 and 7: strength and contradiction ----

const BUL_GRE: &str = "SEPARATE BUL GRE CONNECT AEG SER";

#[test]
fn rule_7a_example_two_that_contradict_fail_both() {
    let turkey = "SEPARATE AEG BUL CONNECT CON GRE";
    let table = shaken(&[&[(Power::AUSTRIA, BUL_GRE), (Power::TURKEY, turkey)]]);
    assert_eq!((table.shaken(Power::AUSTRIA), table.shaken(Power::TURKEY)), (Some("bounce"), Some("bounce")));
    assert_eq!(table.report(), new_game().report());
    // Rule 6: a second giver supports.
    let table = shaken(&[&[(Power::AUSTRIA, BUL_GRE), (Power::TURKEY, turkey), (Power::RUSSIA, BUL_GRE)]]);
    assert_eq!((table.shaken(Power::AUSTRIA), table.shaken(Power::TURKEY)), (Some("ok"), Some("bounce")));
    assert_eq!(table.shaken(Power::RUSSIA), Some("ok"));
}

#[test]
fn rule_7a_conceptual_note_the_four_orders_that_contradict() {
    for other in [
        "SEPARATE AEG BUL CONNECT CON GRE",
        "SEPARATE AEG GRE CONNECT BUL ION",
        "SEPARATE GRE SER CONNECT ALB BUL",
        "SEPARATE BUL SER CONNECT GRE RUM",
    ] {
        let table = shaken(&[&[(Power::AUSTRIA, BUL_GRE), (Power::TURKEY, other)]]);
        assert_eq!(
            (table.shaken(Power::AUSTRIA), table.shaken(Power::TURKEY)),
            (Some("bounce"), Some("bounce")),
            "{other}"
        );
    }
}

#[test]
fn rule_7a_conceptual_note_and_no_others() {
    let map = atlas::standard();
    let all: Vec<String> = map.map().quakes().iter().map(|q| q.event(map.map()).to_string()).collect();
    let mut against = 0;
    for other in all.iter().filter(|other| !other.eq_ignore_ascii_case(BUL_GRE)) {
        against += usize::from(
            shaken(&[&[(Power::AUSTRIA, BUL_GRE), (Power::TURKEY, other)]]).shaken(Power::AUSTRIA)
                != Some("ok"),
        );
    }
    assert_eq!(against, 4);
}

#[test]
fn ruling_8_3_options_are_no_part_of_an_order() {
    let turkey = "SEPARATE AEG BUL CONNECT CON GRE";
    let strait = &format!("{BUL_GRE} STRAIT");
    // Also when written the other way round.
    let table = shaken(&[&[
        (Power::AUSTRIA, strait),
        (Power::TURKEY, turkey),
        (Power::RUSSIA, "SEPARATE GRE BUL CONNECT SER AEG CANAL SER"),
    ]]);
    assert_eq!((table.shaken(Power::AUSTRIA), table.shaken(Power::RUSSIA)), (Some("ok"), Some("ok")));
    assert_eq!(table.shaken(Power::TURKEY), Some("bounce"));
}

#[test]
fn rule_7b_example_1_two_releases_that_would_cut_the_mid_atlantic() {
    let mut table = shaken(&[&[(Power::ENGLAND, "SEPARATE POR SPA CONNECT MAO MAO")]]);
    next_quake(&mut table);
    table.shake(&[
        (Power::ENGLAND, "CONNECT NAO POR THROUGH MAO"),
        (Power::FRANCE, "CONNECT BRE POR THROUGH MAO"),
    ]);
    assert_eq!((table.shaken(Power::ENGLAND), table.shaken(Power::FRANCE)), (Some("bounce"), Some("bounce")));
    assert_eq!(table.face("POR").boundaries, [["MAO"]]);
    next_quake(&mut table);
    table.shake(&[
        (Power::ENGLAND, "CONNECT NAO POR THROUGH MAO"),
        (Power::FRANCE, "CONNECT BRE POR THROUGH MAO"),
        (Power::ITALY, "CONNECT POR BRE THROUGH MAO"),
    ]);
    assert_eq!((table.shaken(Power::ENGLAND), table.shaken(Power::FRANCE)), (Some("bounce"), Some("ok")));
}

#[test]
fn rule_7b_example_2_the_same_of_an_island_of_two() {
    let events = [
        "separate POR SPA connect MAO MAO",
        "connect NAF POR through MAO",
        "separate NAF OUT connect MAO TUN",
        "separate NAF TUN connect MAO WES",
        "separate NAF WES connect MAO MAO",
    ];
    let mut table = at("S1903M", &events, &[(Power::ENGLAND, &["F NTH"]), (Power::FRANCE, &["A PAR"])]);
    assert_eq!(table.face("POR").army, ["NAF"]);
    assert_eq!(table.face("NAF").army, ["POR"]);
    table.move_all(&[]);
    table.shake(&[
        (Power::ENGLAND, "CONNECT NAO POR THROUGH MAO"),
        (Power::FRANCE, "CONNECT BRE NAF THROUGH MAO"),
    ]);
    assert_eq!((table.shaken(Power::ENGLAND), table.shaken(Power::FRANCE)), (Some("bounce"), Some("bounce")));
    // Each one alone would be possible.
    next_quake(&mut table);
    table.shake(&[(Power::FRANCE, "CONNECT BRE NAF THROUGH MAO")]);
    assert_eq!(table.shaken(Power::FRANCE), Some("ok"));
}

// ---- rule 8: fleets and coasts ----

/// The coasts offered to the only fleet that must choose, as text, the default first.
fn choice(table: &Table) -> Vec<String> {
    let [choice] = table.game.coast_choices() else { panic!("{:?}", table.game.coast_choices()) };
    let names = table.game.terrain().names();
    let text = |coast| {
        let at = upheaval::ids::Location { province: choice.fleet, coast };
        names.location(at, upheaval::ids::UnitKind::Fleet).to_string()
    };
    let mut all: Vec<String> = choice.coasts.iter().map(|&coast| text(coast)).collect();
    all.sort_by_key(|name| (*name != text(choice.default), name.clone()));
    all
}

/// The coast chosen for the only fleet that must choose.
fn choose(table: &mut Table, coast: &str) {
    let all = choice(table);
    assert!(all.iter().any(|name| name == coast), "{all:?}");
    let names = table.game.terrain().names();
    let wanted = table.game.coast_choices()[0].coasts.iter().copied().find(|&wanted| {
        let at = upheaval::ids::Location { province: table.game.coast_choices()[0].fleet, coast: wanted };
        names.location(at, upheaval::ids::UnitKind::Fleet).to_string() == coast
    });
    table.coasts(|_| wanted);
}

#[test]
fn rule_8_a_release_divides_a_coast_and_the_owner_chooses() {
    // Ruling 8.7: by default nothing passes the isthmus of a release.
    let shake = || {
        let mut table = at("S1901M", &["separate POR SPA connect MAO MAO"], &[(Power::FRANCE, &["F BRE"])]);
        table.move_all(&[]).shake(&[(Power::FRANCE, "CONNECT BRE POR THROUGH MAO")]);
        table
    };
    let mut table = shake();
    assert_eq!(table.phase(), "S1901E");
    assert_eq!(table.game.stage(), Stage::Coasts);
    let all = choice(&table);
    assert_eq!(all.len(), 2);
    // Without a choice: the coast with the most of the old contacts, next to the Channel.
    table.rest_of_season();
    assert_eq!(table.units(Power::FRANCE), [format!("F {}", all[0])]);
    let coast = &all[0]["BRE/".len()..];
    assert!(reach(&table, "BRE", coast).contains(&"ENG".to_owned()));
    let mut table = shake();
    choose(&mut table, &all[1]);
    assert_eq!(table.units(Power::FRANCE), [format!("F {}", all[1])]);
    assert!(!reach(&table, "BRE", &all[1]["BRE/".len()..]).contains(&"ENG".to_owned()));
    assert_eq!(table.phase(), "F1901M");
}

#[test]
fn rule_8_a_release_to_a_strait_divides_nothing() {
    let mut table = at("S1901M", &["separate POR SPA connect MAO MAO"], &[(Power::FRANCE, &["F BRE"])]);
    table.move_all(&[]).shake(&[(Power::FRANCE, "CONNECT BRE POR THROUGH MAO STRAIT")]);
    assert!(waterways(&table).contains(&"strait BRE POR: MAO MAO".to_owned()));
    assert_eq!(table.units(Power::FRANCE), ["F BRE"]);
    assert_eq!(table.game.stage(), Stage::Movement);
}

#[test]
fn rule_8_the_deletion_of_a_canal_divides_a_coast() {
    let mut table = at("S1901M", &["separate HEL HOL connect KIE NTH"], &[(Power::GERMANY, &["F KIE"])]);
    table.move_all(&[]).shake(&[(Power::GERMANY, "SEPARATE HEL KIE CONNECT DEN NTH DELETE")]);
    let all = choice(&table);
    assert_eq!(all.len(), 2);
    choose(&mut table, &all[1]);
    assert_eq!(table.units(Power::GERMANY), [format!("F {}", all[1])]);
}

#[test]
fn rule_8_a_fleet_moves_to_the_coast_that_is_left() {
    let mut table = at("S1901M", &[], &[(Power::TURKEY, &["F BUL/EC"])]);
    table.move_all(&[]).shake(&[(Power::TURKEY, "SEPARATE BLA BUL CONNECT CON RUM")]);
    assert_eq!(table.phase(), "F1901M", "nothing to choose");
    assert_eq!(table.units(Power::TURKEY), ["F BUL"]);
    assert_eq!(reach(&table, "BUL", ""), ["AEG", "CON", "GRE"]);
}

/// Sweden with three coasts, the strait deleted and Livonia connected, and a fleet on that of the Gulf.
fn sweden() -> Table {
    let events = ["separate BAL DEN connect KIE SWE", "separate BAL BOT connect LVN SWE"];
    let mut table = at("S1903M", &events, &[(Power::RUSSIA, &["F BOT"])]);
    // The event's own default is a strait to Livonia.
    assert_eq!(coasts(&table, "SWE").len(), 2);
    table = at("S1903M", &events[..1], &[(Power::RUSSIA, &["F SWE/SC"])]);
    table.move_all(&[]).shake(&[(Power::RUSSIA, "SEPARATE BAL BOT CONNECT LVN SWE NONE")]);
    assert_eq!(coasts(&table, "SWE").len(), 3);
    assert_eq!(choice(&table).len(), 2);
    let all = choice(&table);
    let at_gulf =
        all.iter().find(|name| reach(&table, "SWE", &name["SWE/".len()..]).contains(&"BOT".to_owned()));
    let at_gulf = at_gulf.expect("a coast on the Gulf").clone();
    choose(&mut table, &at_gulf);
    table
}

#[test]
fn rule_8_of_several_coasts_that_are_left_the_owner_chooses() {
    let mut table = sweden();
    table.move_all(&[]).shake(&[(Power::RUSSIA, "SEPARATE BOT SWE CONNECT FIN LVN")]);
    let all = choice(&table);
    assert_eq!(all.len(), 2, "the Skagerrak's and the Baltic's");
    let other = all[1].clone();
    choose(&mut table, &other);
    assert_eq!(table.units(Power::RUSSIA), [format!("F {other}")]);
}

/// Rumania cut off from the Black Sea under its fleet.
fn rumania(season: &str, units: &[&str]) -> Table {
    let mut table =
        at(&format!("{season}M"), &[], &[(Power::RUSSIA, units), (Power::AUSTRIA, &["A BUD", "A SER"])]);
    table.move_all(&[]).shake(&[(Power::RUSSIA, "SEPARATE BLA RUM CONNECT BUL SEV")]);
    assert_eq!(table.game.stage(), Stage::Coasts, "its owner may disband it");
    table
}

#[test]
fn rule_8_a_fleet_without_a_coast_is_trapped_unless_its_owner_disbands_it() {
    let mut table = rumania("S1901", &["F RUM"]);
    let rum = table.id("RUM");
    assert_eq!(table.game.trapped(), [(rum, Power::RUSSIA)]);
    table.disband_trapped(&[]);
    assert_eq!(table.units(Power::RUSSIA), ["F RUM"]);
    assert!(table.when(|event| matches!(event, Event::Trapped(..))).is_some());
    let mut table = rumania("S1901", &["F RUM"]);
    table.disband_trapped(&["RUM"]);
    assert_eq!(table.units(Power::RUSSIA), [""; 0]);
    assert!(
        table.when(|event| matches!(event, Event::Removed(Power::RUSSIA, at, _) if *at == rum)).is_some()
    );
}

#[test]
fn rule_8_a_trapped_fleet_may_only_hold_until_a_coast_opens() {
    let mut table = rumania("S1901", &["F RUM", "A SEV"]);
    table.disband_trapped(&[]);
    assert_eq!(table.face("RUM").fleet.len(), 0);
    assert_eq!(table.game.terrain().board().coasts(table.id("RUM")), 0);
    table.move_all(&["A SEV S F RUM", "A BUD - RUM", "A SER S A BUD - RUM"]);
    assert_eq!(table.units(Power::RUSSIA), ["A SEV", "F RUM"], "supported in holding");
    // The question is asked once, not in every phase.
    table.shake(&[(Power::AUSTRIA, "SEPARATE ADR ION CONNECT ALB APU")]);
    assert!(table.game.trapped().is_empty());
    next_quake(&mut table);
    table.shake(&[(Power::RUSSIA, "SEPARATE BUL SEV CONNECT BLA RUM")]);
    next_movement(&mut table);
    assert_eq!(table.move_all(&["F RUM - BLA"]).units(Power::RUSSIA), ["A SEV", "F BLA"]);
}

fn next_movement(table: &mut Table) {
    if table.game.stage() != Stage::Movement {
        table.rest_of_season();
    }
}

#[test]
fn rule_8_a_trapped_fleet_that_is_dislodged_has_no_retreat() {
    let mut table = rumania("S1901", &["F RUM"]);
    table.disband_trapped(&[]);
    table.move_all(&["A BUD - RUM", "A SER S A BUD - RUM"]);
    assert_eq!(table.phase(), "F1901E", "no retreats");
    assert_eq!(table.units(Power::RUSSIA), [""; 0]);
}

#[test]
fn rule_8_in_fall_the_adjustments_count_what_the_seismic_phase_left() {
    // Russia's only unit takes Rumania, and Moscow is empty.
    let fall = |disbanded: &[&str]| {
        let mut table = Table::set_in(
            variant("seismic-acerunner"),
            "F1901M",
            &[],
            &[(Power::RUSSIA, &["F SEV"])],
            &[(Power::RUSSIA, &["MOS"])],
        );
        table.move_all(&["F SEV - RUM"]).shake(&[(Power::RUSSIA, "SEPARATE BLA RUM CONNECT BUL SEV")]);
        assert_eq!(table.centres(Power::RUSSIA), ["MOS", "RUM"], "recorded before the quake");
        table.disband_trapped(disbanded);
        assert_eq!(table.phase(), "W1901A");
        assert_eq!(table.centres(Power::RUSSIA), ["MOS", "RUM"], "and kept");
        table.game.owed(Power::RUSSIA)
    };
    assert_eq!(fall(&[]), Owed::Builds(1));
    assert_eq!(fall(&["RUM"]), Owed::Builds(2));
}

#[test]
fn rule_8_a_trapped_fleet_may_be_removed_in_winter() {
    // Two units and one centre.
    let mut table = rumania("F1901", &["F RUM", "A GAL"]);
    table.disband_trapped(&[]);
    assert_eq!(table.phase(), "W1901A");
    assert_eq!(table.game.owed(Power::RUSSIA), Owed::Removals(1));
    table.adjust();
    assert_eq!(table.units(Power::RUSSIA).len(), 1);
}

// ---- the orders as text ----

#[test]
fn formats_1_every_option_reads_and_prints_alike() {
    let map = atlas::standard();
    let order = "SEPARATE GAS SPA CONNECT MAO MAR";
    for (option, wishes) in [
        ("", 0),
        (" STRAIT", 1),
        (" CANAL MAR", 1),
        (" NONE", 1),
        (" DELETE", 1),
        (" KEEP", 1),
        (" TERMINUS NTH", 1),
        (" AT MAR SPA CANAL MAR", 1),
        (" AT MAR SPA STRAIT AT POR SPA NONE KEEP TERMINUS NTH", 4),
    ] {
        let text = format!("{order}{option}");
        let written = WrittenSeismic::parse(&text.to_lowercase()).expect("an order");
        let resolved = written.resolve(map.map()).expect("it fits");
        assert_eq!(resolved.wishes.len(), wishes, "{option}");
        assert_eq!(WrittenSeismic::from_order(map.map(), &resolved).to_string(), text);
        assert_eq!(written.to_string(), text);
    }
}

#[test]
fn formats_1_behind_an_index_and_a_release() {
    let text = "SEPARATE MAO POR CONNECT MAO SPA #2 AT MAR SPA NONE";
    assert_eq!(WrittenSeismic::parse(text).expect("an order").to_string(), text);
    let text = "CONNECT BRE POR THROUGH MAO STRAIT";
    assert_eq!(WrittenSeismic::parse(text).expect("an order").to_string(), text);
    let text = "CONNECT BRE POR THROUGH MAO #1 CANAL BRE";
    assert_eq!(WrittenSeismic::parse(text).expect("an order").to_string(), text);
}

#[test]
fn formats_1_what_is_no_option() {
    let fault = |tail: &str| {
        let text = format!("SEPARATE GAS SPA CONNECT MAO MAR {tail}");
        WrittenSeismic::parse(&text).expect_err("no order").to_string()
    };
    for tail in ["CANAL", "TERMINUS", "AT MAR STRAIT", "AT MAR SPA", "STRAIT STRAITS", "STRAIT #2"] {
        let message = fault(tail);
        assert!(message.contains("expected STRAIT, CANAL MAR"), "{tail}: {message}");
    }
    assert!(fault("BRIDGE").contains("is not a seismic order"));
}
