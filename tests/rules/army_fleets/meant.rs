//! The army/fleet page, rule 3: to which army an order to land applies, and for which landings a support counts. A void
//! landing obstructs no unit and takes no support.

use crate::helpers::shipped::DELUGE_II;
use crate::helpers::table::Table;
use crate::rules::army_fleets::at_sea::{HalfEdge, moves};
use upheaval::ids::Power;
use upheaval::reading::{Decision, OrderSource, OrderText, Refusal};
use upheaval::rules::order::Boarding;
use upheaval::session::Session;

// ---- stray and misspelt orders ----

/// The results of these orders to these English units, and the units afterwards.
fn english(units: &[&str], orders: &[(&str, &str)], after: &[&str]) {
    for reversed in [false, true] {
        let mut texts: Vec<&str> = orders.iter().map(|(order, _)| *order).collect();
        if reversed {
            texts.reverse();
        }
        moves(&[(Power::ENGLAND, units, &texts)]).says(orders).leaves(Power::ENGLAND, after);
    }
}

#[test]
fn army_fleet_rule_3_a_stray_landing_does_not_make_another_order_of_the_same_army_illegal() {
    // No fleet is ordered to the Mid-Atlantic, although one could be.
    english(&["A/F ENG"], &[("A MAO D POR", "void"), ("A ENG D BRE", "ok")], &["A BRE", "F ENG"]);
    english(
        &["A/F ENG"],
        &[("A IRI D WAL", "void"), ("A MAO D POR", "void"), ("A ENG D PIC", "ok")],
        &["A PIC", "F ENG"],
    );
    // Nor does the landing start from the sea that the fleet leaves.
    english(
        &["A/F ENG"],
        &[("A/F ENG - MAO", "ok"), ("A ENG D BRE", "void"), ("A MAO D POR", "ok")],
        &["A POR", "F MAO"],
    );
}

#[test]
fn army_fleet_rule_3_a_stray_landing_does_not_make_another_armys_order_illegal() {
    // The Norwegian Sea is in reach of the fleet in the North Sea, and the Irish Sea of that in the Channel.
    english(
        &["A/F ENG", "A/F NTH"],
        &[("A NWG D CLY", "void"), ("A IRI D WAL", "void"), ("A NTH D HOL", "ok"), ("A ENG D PIC", "ok")],
        &["A HOL", "A PIC", "F ENG", "F NTH"],
    );
    // An order with one wrong letter applies to another army, or to none.
    english(
        &["A/F ENG", "A/F NTH"],
        &[("A NWG D EDI", "void"), ("A ENG D BRE", "ok")],
        &["A BRE", "A/F NTH", "F ENG"],
    );
}

#[test]
fn army_fleet_rule_3_nor_does_a_misspelt_one() {
    for misspelt in
        ["A ENG D PAR", "A ENG D LVP", "A ENG D MAO", "A ENG D POX", "F ENG D BRE", "A BRE D BRE", "A ENG D"]
    {
        english(&["A/F ENG"], &[(misspelt, "illegal"), ("A ENG D BRE", "ok")], &["A BRE", "F ENG"]);
    }
}

#[test]
fn army_fleet_rule_3_an_order_of_a_power_without_such_an_army_is_nothing_to_another() {
    moves(&[
        (Power::FRANCE, &["A PAR", "F WES"], &["A ENG D BRE", "A NTH D EDI"]),
        (Power::ENGLAND, &["A/F ENG", "A/F NTH"], &["A ENG D PIC", "A NTH D HOL"]),
    ])
    .says(&[
        ("A ENG D BRE", "illegal"),
        ("A NTH D EDI", "illegal"),
        ("A ENG D PIC", "ok"),
        ("A NTH D HOL", "ok"),
    ]);
    // The same text by two powers is an order to an army of each.
    let answer = moves(&[
        (Power::FRANCE, &["A/F NTH", "F SKA"], &["A/F NTH - ENG", "A NTH D HOL"]),
        (Power::ENGLAND, &["A/F NWG"], &["A/F NWG - NTH", "A NTH D HOL"]),
    ]);
    answer.leaves(Power::FRANCE, &["A/F ENG", "F SKA"]).leaves(Power::ENGLAND, &["A HOL", "F NTH"]);
}

#[test]
fn army_fleet_rule_3_two_armies_that_may_not_both_board_do_not_keep_a_third_from_landing() {
    english(
        &["A LON", "A WAL", "F ENG", "A/F NTH"],
        &[
            ("A LON E F ENG", "void"),
            ("A WAL E F ENG", "void"),
            ("A ENG D PIC", "void"),
            ("A NTH D HOL", "ok"),
        ],
        &["A HOL", "A LON", "A WAL", "F ENG", "F NTH"],
    );
}

// ---- two orders for one army: one rule for all readers of orders ----

#[test]
fn army_fleet_rule_3_of_two_orders_for_one_army_the_first_counts_at_the_desk() {
    for (first, second, lands) in
        [("A ENG D PIC", "A ENG D BRE", "A PIC"), ("A ENG D BRE", "A ENG D PIC", "A BRE")]
    {
        let answer = moves(&[(Power::ENGLAND, &["A/F ENG"], &[first, second])]);
        answer.says(&[(first, "ok"), (second, "illegal")]).leaves(Power::ENGLAND, &[lands, "F ENG"]);
        assert!(answer.reason(second).contains("the first one is used"), "{}", answer.reason(second));
    }
}

#[test]
fn army_fleet_rule_3_of_two_orders_for_one_army_the_first_counts_in_a_session() {
    let mut game = Session::new("deluge-ii", 1).expect("it ships");
    for order in ["A EDI B", "A LVP B", "F LON B"] {
        game.order(Power::ENGLAND, order).expect(order);
    }
    game.advance();
    game.order(Power::ENGLAND, "F LON - NTH").expect("legal");
    game.advance();
    assert_eq!(game.order(Power::ENGLAND, "A EDI E F NTH").map(|_| ()), Ok(()));
    game.order(Power::ENGLAND, "A NTH D NWY").expect("legal");
    assert_eq!(game.order(Power::ENGLAND, "A NTH D HOL"), Err(Refusal::LandsTwice));
    // For another sea it is another order, although a stray one.
    game.order(Power::ENGLAND, "A SKA D DEN").expect("legal");
    let turn = game.advance();
    let word = |text: &str| {
        let result = turn.results.iter().find(|result| result.to_string().contains(text));
        result.unwrap_or_else(|| panic!("no result of {text}")).to_string()
    };
    assert!(word("A NTH D NWY").starts_with("ENGLAND A NTH D NWY: ok"), "{}", word("A NTH D NWY"));
    assert!(word("A SKA D DEN").starts_with("ENGLAND A SKA D DEN: void"), "{}", word("A SKA D DEN"));
}

/// Answers of programs are read like a player's orders, and game files are read as records.
#[test]
fn army_fleet_rule_3_of_two_orders_for_one_army_the_first_counts_for_programs_and_game_files() {
    let table = at(&[(Power::ENGLAND, &["A/F ENG", "A LON"])]);
    let texts = ["A ENG D PIC", "A LON - WAL", "A ENG D BRE", "A LON - YOR"];
    let lines = texts.map(|text| OrderText { power: Power::ENGLAND, text });
    for manner in [OrderSource::Player, OrderSource::Record] {
        let read = table.understand(&lines, manner);
        let Ok(Decision::Landing(landing)) = read[0] else { panic!("{manner:?}: {:?}", read[0]) };
        assert_eq!(table.name(landing.to), "PIC", "{manner:?}");
        assert!(matches!(read[1], Ok(Decision::Order { .. })), "{manner:?}");
        assert_eq!(read[2], Err(Refusal::LandsTwice), "{manner:?}");
        assert_eq!(read[3], Err(Refusal::Twice), "{manner:?}");
    }
}

// ---- several fleets for one sea ----

fn at(units: &[(Power, &[&str])]) -> Table {
    DELUGE_II.set("S1901M", &[], units, &[])
}

#[test]
fn army_fleet_rule_3_of_two_fleets_that_sail_to_the_sea_the_army_of_the_one_that_gets_there_lands() {
    // In either order of the provinces.
    for (helped, other) in [("ENG", "NAO"), ("NAO", "ENG")] {
        let (pair, rival) = (format!("A/F {helped}"), format!("A/F {other}"));
        let (sail, follow) = (format!("{pair} - MAO"), format!("{rival} - MAO"));
        let support = format!("F IRI S {sail}");
        let orders = [&*sail, &*follow, &*support, "A MAO D POR"];
        let mut after = ["A POR".to_owned(), rival.clone(), "F IRI".to_owned(), "F MAO".to_owned()];
        after.sort();
        let after: Vec<&str> = after.iter().map(String::as_str).collect();
        moves(&[(Power::ENGLAND, &[&pair, &rival, "F IRI"], &orders)])
            .says(&[(&sail, "ok"), (&follow, "bounce"), ("A MAO D POR", "ok")])
            .leaves(Power::ENGLAND, &after);
    }
}

#[test]
fn army_fleet_rule_3_if_neither_of_them_gets_there_the_landing_is_void() {
    let orders = ["A/F ENG - MAO", "A/F NAO - MAO", "A MAO D POR"];
    let answer = moves(&[
        (Power::ENGLAND, &["A/F ENG", "A/F NAO"], &orders),
        (Power::FRANCE, &["A SPA"], &["A SPA - POR"]),
    ]);
    answer
        .says(&[
            ("A/F ENG - MAO", "bounce"),
            ("A/F NAO - MAO", "bounce"),
            ("A MAO D POR", "void"),
            ("A SPA - POR", "ok"),
        ])
        .leaves(Power::ENGLAND, &["A/F ENG", "A/F NAO"]);
    assert!(answer.reason("A MAO D POR").contains("did not get to the sea"));
}

#[test]
fn army_fleet_rule_3_the_army_of_the_fleet_that_sails_there_and_not_of_the_one_that_leaves() {
    for (leaves, comes, to) in [("MAO", "ENG", "WES"), ("ENG", "MAO", "NTH"), ("IRI", "MAO", "NAO")] {
        let (pair, other) = (format!("A/F {leaves}"), format!("A/F {comes}"));
        let (away, follow) = (format!("{pair} - {to}"), format!("{other} - {leaves}"));
        let province = match leaves {
            "MAO" => "POR",
            "ENG" => "PIC",
            _ => "LVP",
        };
        let land = format!("A {leaves} D {province}");
        let mut after = [format!("A {province}"), format!("A/F {to}"), format!("F {leaves}")];
        after.sort();
        let after: Vec<&str> = after.iter().map(String::as_str).collect();
        moves(&[(Power::ENGLAND, &[&pair, &other], &[&away, &follow, &land])])
            .says(&[(&away, "ok"), (&follow, "ok"), (&land, "ok")])
            .leaves(Power::ENGLAND, &after);
    }
}

/// A direct test of the function that reader and adjudicator share.
#[test]
fn army_fleet_rule_3_the_fleets_that_an_order_to_land_is_for() {
    let for_whom = |units: &[&str], orders: &[&str], sea: &str| -> Vec<String> {
        let table = at(&[(Power::ENGLAND, units), (Power::FRANCE, &["A/F WES"])]);
        let (terrain, orders) = (table.game.terrain(), table.read(orders));
        let boarding = Boarding::of(terrain.board(), table.position(), &orders);
        let fleets =
            boarding.landers(terrain.board(), table.position(), &orders, Power::ENGLAND, table.id(sea));
        table.names(fleets).into_iter().map(str::to_owned).collect()
    };
    assert_eq!(for_whom(&["A/F ENG", "A/F MAO"], &[], "ENG"), ["ENG"]);
    assert_eq!(
        for_whom(&["A/F ENG", "A/F MAO"], &["A/F MAO - ENG"], "ENG"),
        ["ENG"],
        "it stays, nobody gets in"
    );
    assert_eq!(for_whom(&["A/F ENG", "A/F MAO"], &["A/F MAO - ENG", "A/F ENG - NTH"], "ENG"), ["MAO"]);
    assert_eq!(for_whom(&["A/F ENG", "A/F NAO"], &["A/F ENG - MAO", "A/F NAO - MAO"], "MAO"), ["ENG", "NAO"]);
    assert_eq!(for_whom(&["A/F ENG", "A/F MAO"], &["A/F ENG - NTH"], "ENG"), Vec::<String>::new());
    assert_eq!(
        for_whom(&["A/F ENG", "F MAO"], &["F MAO - ENG", "A/F ENG - NTH"], "ENG"),
        Vec::<String>::new(),
        "empty"
    );
    assert_eq!(for_whom(&["A LON", "F ENG"], &["A LON E F ENG"], "ENG"), ["ENG"]);
    assert_eq!(
        for_whom(&["A LON", "A WAL", "F ENG"], &["A LON E F ENG", "A WAL E F ENG"], "ENG"),
        Vec::<String>::new()
    );
    // An army/fleet does not go ashore: it stays.
    assert_eq!(for_whom(&["A LON", "F ENG"], &["A LON E F ENG", "F ENG - BRE"], "ENG"), ["ENG"]);
    assert_eq!(for_whom(&["A/F ENG"], &[], "WES"), Vec::<String>::new(), "another power's");
}

// ---- supports ----

/// A German landing in Edinburgh, which Russia holds, from the North Sea, where the German pair is.
const GERMANY: HalfEdge<'static> = (Power::GERMANY, &["A/F NTH"], &["A NTH D EDI"]);
const RUSSIA: HalfEdge<'static> = (Power::RUSSIA, &["A EDI"], &[]);
const LANDING: &str = "A NTH D EDI";

#[test]
fn army_fleet_rule_3_a_landing_that_is_void_takes_nobodys_support_with_it() {
    // England's own pair is kept out of the North Sea by the German one: its landing is void, and its army in the Clyde
    // helps the German army.
    let support = "A CLY S A NTH D EDI";
    let answer = moves(&[
        GERMANY,
        RUSSIA,
        (Power::ENGLAND, &["A/F NWG", "A CLY"], &["A/F NWG - NTH", LANDING, support]),
    ]);
    answer.says(&[("A/F NWG - NTH", "bounce"), (support, "ok")]);
    answer.leaves(Power::GERMANY, &["A EDI", "F NTH"]).leaves(Power::ENGLAND, &["A CLY", "A/F NWG"]);
    // The same holds if the English landing is a stray one, or none is ordered.
    for orders in [&[LANDING, support][..], &[support][..]] {
        moves(&[GERMANY, RUSSIA, (Power::ENGLAND, &["A/F NWG", "A CLY"], orders)])
            .leaves(Power::GERMANY, &["A EDI", "F NTH"]);
    }
}

#[test]
fn army_fleet_rule_3_a_power_supports_its_own_army_before_all_others() {
    // The English pair drives the German one out, so that both armies land out of the North Sea.
    let support = "A CLY S A NTH D EDI";
    let england = ["A/F NWG - NTH", "F SKA S A/F NWG - NTH", LANDING, support];
    let answer = moves(&[GERMANY, RUSSIA, (Power::ENGLAND, &["A/F NWG", "F SKA", "A CLY"], &england)]);
    answer.says(&[("A/F NWG - NTH", "ok"), (support, "ok")]);
    // Two against Edinburgh's one and Germany's one.
    answer.leaves(Power::ENGLAND, &["A CLY", "A EDI", "F NTH", "F SKA"]).leaves(Power::GERMANY, &[]);
}

#[test]
fn army_fleet_rule_3_a_support_counts_for_every_army_that_it_names() {
    // A neutral power helps both, which are then equally strong and bounce.
    let support = "A LVP S A NTH D EDI";
    let england = ["A/F NWG - NTH", "F SKA S A/F NWG - NTH", LANDING];
    let units: &[&str] = &["A/F NWG", "F SKA"];
    let answer =
        moves(&[GERMANY, RUSSIA, (Power::ENGLAND, units, &england), (Power::FRANCE, &["A LVP"], &[support])]);
    answer
        .says(&[(support, "ok")])
        .leaves(Power::RUSSIA, &["A EDI"])
        .leaves(Power::ENGLAND, &["A/F NTH", "F SKA"]);
    // England's own support is added for its army alone.
    let england = ["A/F NWG - NTH", "F SKA S A/F NWG - NTH", LANDING, "A CLY S A NTH D EDI"];
    let units: &[&str] = &["A/F NWG", "F SKA", "A CLY"];
    moves(&[GERMANY, RUSSIA, (Power::ENGLAND, units, &england), (Power::FRANCE, &["A LVP"], &[support])])
        .leaves(Power::ENGLAND, &["A CLY", "A EDI", "F NTH", "F SKA"]);
    // And so does Germany's for its own.
    let germany = ["A NTH D EDI", "A YOR S A NTH D EDI"];
    let answer = moves(&[
        (Power::GERMANY, &["A/F NTH", "A YOR"], &germany),
        RUSSIA,
        (Power::ENGLAND, &["A/F NWG", "F SKA"], &["A/F NWG - NTH", "F SKA S A/F NWG - NTH", LANDING]),
        (Power::FRANCE, &["A LVP"], &[support]),
    ]);
    answer.leaves(Power::GERMANY, &["A EDI", "A YOR"]).leaves(Power::ENGLAND, &["A/F NTH", "F SKA"]);
}

#[test]
fn army_fleet_rule_3_the_support_goes_by_whose_landing_can_stand_and_not_by_the_alphabet() {
    // The same with every assignment of the powers.
    for [a, b, c] in [
        [Power::ENGLAND, Power::GERMANY, Power::RUSSIA],
        [Power::GERMANY, Power::ENGLAND, Power::RUSSIA],
        [Power::RUSSIA, Power::ENGLAND, Power::GERMANY],
        [Power::ITALY, Power::RUSSIA, Power::ENGLAND],
        [Power::RUSSIA, Power::GERMANY, Power::ITALY],
    ] {
        let support = "A CLY S A NTH D EDI";
        let sides =
            |fleets: &[&'static str]| -> Vec<&'static str> { [&["A/F NWG", "A CLY"][..], fleets].concat() };
        let fails = moves(&[
            (a, &["A/F NTH"], &[LANDING]),
            (b, &sides(&[]), &["A/F NWG - NTH", LANDING, support]),
            (c, &["A EDI"], &[]),
        ]);
        fails.leaves(a, &["A EDI", "F NTH"]).leaves(b, &["A CLY", "A/F NWG"]);
        let orders = ["A/F NWG - NTH", "F SKA S A/F NWG - NTH", LANDING, support];
        let succeeds =
            moves(&[(a, &["A/F NTH"], &[LANDING]), (b, &sides(&["F SKA"]), &orders), (c, &["A EDI"], &[])]);
        succeeds.leaves(b, &["A CLY", "A EDI", "F NTH", "F SKA"]).leaves(a, &[]);
    }
}

#[test]
fn army_fleet_rule_3_a_support_for_landings_that_are_all_void_from_the_start_is_void() {
    let support = "A CLY S A NTH D EDI";
    moves(&[RUSSIA, (Power::ENGLAND, &["A/F NWG", "A CLY"], &[LANDING, support])])
        .says(&[(LANDING, "void"), (support, "void")]);
}

#[test]
fn army_fleet_rule_3_of_two_own_pairs_that_sail_there_the_support_is_for_the_one_that_gets_there() {
    for (helped, other) in [("NWG", "SKA"), ("SKA", "NWG")] {
        let (pair, rival) = (format!("A/F {helped}"), format!("A/F {other}"));
        let (sail, follow) = (format!("{pair} - NTH"), format!("{rival} - NTH"));
        let help = format!("F ENG S {sail}");
        let support = "A CLY S A NTH D EDI";
        let orders = [&*sail, &*follow, &*help, LANDING, support];
        let answer = moves(&[RUSSIA, (Power::ENGLAND, &[&pair, &rival, "F ENG", "A CLY"], &orders)]);
        answer.says(&[(&sail, "ok"), (&follow, "bounce"), (LANDING, "ok"), (support, "ok")]);
        let mut after = vec!["A CLY", "A EDI", rival.as_str(), "F ENG", "F NTH"];
        after.sort_unstable();
        answer.leaves(Power::ENGLAND, &after);
    }
}
