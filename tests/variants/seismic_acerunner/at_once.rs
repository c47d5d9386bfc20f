//! `seismic-acerunner`, rule 9 (b) and ruling 8.7: all changes of a strait or canal in one phase, including releases,
//! are considered at once, and are one question to all powers that gave an order of the kind that asks.

use crate::helpers::table::Table;
use crate::variants::seismic_acerunner::straits::{
    STANDARD, Shock, at, coasts, isthmuses, new_waterways, next_quake, shaken, waterways,
};
use upheaval::ids::Power;

/// The Gulf of Bothnia becomes a lake in Sweden.
const GULF_IN_SWEDEN: [&str; 4] = [
    "separate BOT FIN connect STP SWE",
    "separate BOT STP connect LVN SWE",
    "separate BOT LVN connect BAL SWE",
    "separate BAL BOT connect SWE SWE",
];

/// Finland becomes an island in Sweden.
const FINLAND_IN_SWEDEN: [&str; 3] = [
    "separate BOT FIN connect STP SWE",
    "separate FIN STP connect NWY SWE",
    "separate FIN NWY connect SWE SWE",
];

const UNITS: [(Power, &[&str]); 5] = [
    (Power::GERMANY, &["A MUN"]),
    (Power::ENGLAND, &["A LON"]),
    (Power::FRANCE, &["A PAR"]),
    (Power::RUSSIA, &["A MOS"]),
    (Power::AUSTRIA, &["A VIE"]),
];

/// A phase after these events, with these orders, all of which succeed.
fn after(events: &[&str], orders: Shock<'_>) -> Table {
    let mut table = at("S1901M", events, &UNITS);
    next_quake(&mut table);
    table.shake(orders);
    for &(power, order) in orders {
        assert_eq!(table.shaken(power), Some("ok"), "{order}");
    }
    table
}

/// The waterways with this province in them.
fn at_province(table: &Table, name: &str) -> Vec<String> {
    waterways(table).into_iter().filter(|way| way.contains(name)).collect()
}

/// The fate of the Sound, which is not among them.
fn of_the_sound(table: &Table) -> Vec<String> {
    let kept = [STANDARD[0], STANDARD[1]];
    waterways(table).into_iter().filter(|way| !kept.contains(&way.as_str())).collect()
}

// ---- releases count ----

#[test]
fn ruling_8_7_a_strait_that_a_release_cuts_remains_on_both_pieces_by_rule_2() {
    for option in ["", " DELETE", " NONE", " CANAL DEN", " AT DEN SWE CANAL DEN"] {
        let order = format!("CONNECT BOT DEN THROUGH SWE{option}");
        let table = after(&GULF_IN_SWEDEN, &[(Power::GERMANY, &order)]);
        assert_eq!(of_the_sound(&table), ["strait DEN SWE: BAL BOT", "strait DEN SWE: BOT SKA"], "{option}");
        assert_eq!(coasts(&table, "DEN"), ["BAL BOT HEL NTH SKA"]);
        assert_eq!(coasts(&table, "SWE"), ["BAL BOT SKA"]);
    }
}

#[test]
fn ruling_8_7_a_strait_that_a_release_cuts_is_asked_about_by_rule_3_where_two_lands_are_joined() {
    for (option, left) in [
        ("", &[][..]),
        (" DELETE", &[]),
        (" STRAIT", &[]),
        (" CANAL SWE", &[]),
        (" CANAL DEN", &["canal DEN: BAL SKA"]),
        (" AT SWE DEN CANAL DEN", &["canal DEN: BAL SKA"]),
    ] {
        let order = format!("CONNECT DEN FIN THROUGH SWE{option}");
        let table = after(&FINLAND_IN_SWEDEN, &[(Power::GERMANY, &order)]);
        assert_eq!(of_the_sound(&table), left, "{option}");
        assert_eq!(table.face("DEN").army, ["FIN", "KIE", "SWE"]);
    }
}

#[test]
fn ruling_8_7_the_isthmus_of_a_release_is_by_default_nothing() {
    let island = ["separate POR SPA connect MAO MAO"];
    let released = |option: &str| {
        let order = format!("CONNECT BRE POR THROUGH MAO{option}");
        let table = after(&island, &[(Power::FRANCE, &order)]);
        assert!(isthmuses(&table).contains(&"BRE POR".to_owned()));
        (new_waterways(&table), coasts(&table, "BRE").len())
    };
    assert_eq!(released(""), (vec![], 2), "they shared no border before, and no two seas were pinched off");
    assert_eq!(released(" NONE"), (vec![], 2));
    assert_eq!(released(" STRAIT"), (vec!["strait BRE POR: MAO MAO".to_owned()], 1));
    assert_eq!(released(" CANAL BRE"), (vec!["canal BRE: MAO MAO".to_owned()], 1));
}

// ---- one question ----

/// Kiel lies on the Skagerrak and on the Baltic, on either hand of Denmark.
const KIEL_ROUND_DENMARK: [&str; 2] =
    ["separate DEN NTH connect HEL SKA", "separate DEN HEL connect KIE SKA"];

#[test]
fn ruling_8_7_two_orders_that_cut_a_strait_at_its_two_ends_are_one_question_to_all_who_gave_them() {
    let (baltic, skagerrak) = ("SEPARATE BAL DEN CONNECT KIE SWE", "SEPARATE DEN SKA CONNECT KIE SWE");
    let cut = |germany: &str, england: &str, france: Option<&str>| {
        let germany = format!("{baltic}{germany}");
        let england = format!("{skagerrak}{england}");
        let france = france.map(|option| format!("{skagerrak}{option}"));
        let mut orders = vec![(Power::GERMANY, germany.as_str()), (Power::ENGLAND, england.as_str())];
        orders.extend(france.as_deref().map(|order| (Power::FRANCE, order)));
        at_province(&after(&KIEL_ROUND_DENMARK, &orders), "SWE")
    };
    let canal = ["canal SWE: BAL SKA"];
    assert_eq!(cut("", "", None), [""; 0]);
    assert_eq!(cut(" CANAL SWE", "", None), canal, "a power that says nothing does not vote");
    assert_eq!(cut("", " CANAL SWE", None), canal);
    assert_eq!(cut(" CANAL SWE", " CANAL SWE", None), canal);
    assert_eq!(cut(" CANAL SWE", " DELETE", None), [""; 0], "no plurality: the default");
    assert_eq!(cut(" DELETE", " CANAL SWE", Some(" CANAL SWE")), canal, "two to one");
    assert_eq!(cut(" CANAL SWE", " DELETE", Some(" DELETE")), [""; 0]);
}

#[test]
fn ruling_8_7_no_canal_where_each_province_has_lost_a_sea() {
    // Sweden loses the Skagerrak, and Denmark the Baltic: through neither would a canal get from sea to sea.
    let orders = ["SEPARATE BAL DEN CONNECT KIE SWE CANAL SWE", "SEPARATE SKA SWE CONNECT DEN NWY CANAL DEN"];
    let table = after(&[], &[(Power::GERMANY, orders[0]), (Power::ENGLAND, orders[1])]);
    assert_eq!(of_the_sound(&table), [""; 0]);
}

/// Denmark and the Gulf of Bothnia connect (2), Denmark and Norway connect (3).
fn two_and_three(russia: &str, england: &str) -> Vec<String> {
    let orders = [
        format!("SEPARATE BAL SWE CONNECT BOT DEN{russia}"),
        format!("SEPARATE SKA SWE CONNECT DEN NWY{england}"),
    ];
    of_the_sound(&after(&[], &[(Power::RUSSIA, &orders[0]), (Power::ENGLAND, &orders[1])]))
}

#[test]
fn ruling_8_7_rule_2_is_done_before_rule_3() {
    assert_eq!(two_and_three("", " CANAL DEN"), ["canal DEN: BOT SKA"], "it ends where the strait would");
    assert_eq!(two_and_three("", ""), [""; 0]);
    assert_eq!(two_and_three("", " CANAL SWE"), [""; 0], "Sweden is not the one that connects");
}

#[test]
fn ruling_8_7_who_moves_an_end_of_a_strait_by_rule_2_has_no_vote() {
    assert_eq!(two_and_three(" CANAL DEN", ""), [""; 0], "England says nothing, so that the default applies");
    assert_eq!(two_and_three(" DELETE", " CANAL DEN"), ["canal DEN: BOT SKA"]);
    assert_eq!(two_and_three(" CANAL DEN", " DELETE"), [""; 0]);
}

#[test]
fn ruling_8_7_a_waterway_made_in_this_phase_is_not_changed_by_rule_6() {
    // Denmark and Livonia connect: a canal through Denmark, which England cuts off from the Skagerrak at the same time.
    let orders = |germany: &str, england: &str| {
        let (germany, england) = (
            format!("SEPARATE BAL SWE CONNECT DEN LVN{germany}"),
            format!("SEPARATE DEN SKA CONNECT NTH SWE{england}"),
        );
        let table = shaken(&[
            &[(Power::RUSSIA, "SEPARATE BAL BOT CONNECT LVN SWE NONE")],
            &[(Power::GERMANY, &germany), (Power::ENGLAND, &england)],
        ]);
        at_province(&table, "DEN")
    };
    assert_eq!(orders(" CANAL DEN", ""), ["canal DEN: BAL NTH"], "the strait ends at the North Sea by then");
    assert_eq!(orders(" CANAL DEN KEEP", " KEEP"), ["canal DEN: BAL NTH"]);
    assert_eq!(orders("", ""), [""; 0]);
}

/// Kiel lies on the North Sea next to the Bight, and on the Gulf next to the Baltic.
const KIEL_ON_FOUR_SEAS: [&str; 4] = [
    "separate HEL HOL connect KIE NTH",
    "separate BAL BER connect KIE PRU",
    "separate BAL PRU connect KIE LVN",
    "separate BAL LVN connect BOT KIE",
];

#[test]
fn ruling_8_7_a_canal_that_loses_both_its_ends_is_one_question_to_all_who_took_one() {
    let moved = |germany: &str, russia: &str| {
        let orders = [
            format!("SEPARATE HEL KIE CONNECT DEN NTH{germany}"),
            format!("SEPARATE BAL KIE CONNECT BOT DEN{russia}"),
        ];
        at_province(
            &after(&KIEL_ON_FOUR_SEAS, &[(Power::GERMANY, &orders[0]), (Power::RUSSIA, &orders[1])]),
            "KIE",
        )
    };
    let kept = ["canal KIE: BOT NTH"];
    assert_eq!(moved("", ""), kept);
    assert_eq!(moved(" KEEP", " KEEP"), kept);
    assert_eq!(moved(" KEEP", " DELETE"), kept, "no plurality: the default");
    assert_eq!(moved(" DELETE", ""), [""; 0]);
    assert_eq!(moved("", " DELETE"), [""; 0]);
}

#[test]
fn ruling_8_7_who_joins_two_lands_at_an_end_of_a_canal_has_no_vote_about_the_other_end() {
    // Berlin becomes a lake in the Baltic, so to speak, and can be released into its shore with Kiel.
    let events = [
        "separate BER MUN connect KIE SIL",
        "separate BER SIL connect KIE PRU",
        "separate BER PRU connect BAL KIE",
        "separate BER KIE connect BAL BAL",
        "separate HEL HOL connect KIE NTH",
    ];
    let canal = |france: &str, germany: &str| {
        let orders = [
            format!("SEPARATE HEL KIE CONNECT DEN NTH{france}"),
            format!("CONNECT BER KIE THROUGH BAL{germany}"),
            format!("CONNECT BER KIE THROUGH BAL{germany}"),
        ];
        let orders =
            [(Power::FRANCE, &*orders[0]), (Power::GERMANY, &*orders[1]), (Power::RUSSIA, &*orders[2])];
        at_province(&after(&events, &orders), "KIE")
    };
    assert_eq!(canal(" KEEP", ""), ["canal KIE: BAL NTH"]);
    assert_eq!(canal(" KEEP", " DELETE"), ["canal KIE: BAL NTH"], "Berlin and Kiel are two lands");
    assert_eq!(canal(" DELETE", " KEEP"), [""; 0]);
    assert_eq!(canal("", " DELETE"), ["canal KIE: BAL NTH"], "no vote: the default");
}

#[test]
fn rule_9b_5_two_lands_at_one_end_count_more_than_what_is_kept_at_the_other() {
    let orders = ["SEPARATE HEL KIE CONNECT DEN NTH KEEP", "SEPARATE BAL KIE CONNECT BER DEN KEEP"];
    let table = after(&KIEL_ON_FOUR_SEAS[..1], &[(Power::GERMANY, orders[0]), (Power::RUSSIA, orders[1])]);
    assert_eq!(at_province(&table, "KIE"), [""; 0]);
}

/// Kiel lies on the North Sea and the Skagerrak on either hand of the Bight, and on the Gulf next to the Baltic.
fn kiel_on_five_seas() -> Vec<&'static str> {
    let (north, baltic) = KIEL_ON_FOUR_SEAS.split_at(1);
    [&KIEL_ROUND_DENMARK[..1], north, &KIEL_ROUND_DENMARK[1..], baltic].concat()
}

#[test]
fn ruling_8_7_where_6_and_7_meet_those_of_6_decide_whether_a_canal_is_kept_and_those_of_7_where_it_ends() {
    let moved = |germany: &str, russia: &str| {
        let orders = [
            format!("SEPARATE HEL KIE CONNECT NTH SKA{germany}"),
            format!("SEPARATE BAL KIE CONNECT BOT DEN{russia}"),
        ];
        let orders = [(Power::GERMANY, orders[0].as_str()), (Power::RUSSIA, orders[1].as_str())];
        at_province(&after(&kiel_on_five_seas(), &orders), "KIE")
    };
    let (north, skagerrak) = (["canal KIE: BOT NTH"], ["canal KIE: BOT SKA"]);
    assert_eq!(moved("", ""), north, "the first by code");
    assert_eq!(moved(" TERMINUS SKA", ""), skagerrak);
    assert_eq!(moved("", " TERMINUS SKA"), north, "Russia has not joined two seas");
    assert_eq!(moved(" TERMINUS SKA", " TERMINUS NTH"), skagerrak);
    assert_eq!(moved("", " DELETE"), [""; 0]);
    assert_eq!(moved(" DELETE", ""), north, "no word of those who join two seas deletes a canal");
    assert_eq!(moved(" DELETE", " KEEP"), north, "not a tie");
    assert_eq!(moved(" TERMINUS SKA KEEP", " DELETE"), [""; 0], "nor does it keep one");
}

#[test]
fn ruling_8_7_a_canal_that_7_touches_is_not_deleted_by_the_giver_of_7() {
    let events = [
        "separate DEN NTH connect HEL SKA",
        "separate HEL HOL connect KIE NTH",
        "separate DEN HEL connect KIE SKA",
        "separate BAL DEN connect KIE SWE",
        "separate BAL SWE connect BOT KIE",
    ];
    let moved = |germany: &str, russia: &str| {
        let orders = [
            format!("SEPARATE HEL KIE CONNECT NTH SKA{germany}"),
            format!("SEPARATE BAL KIE CONNECT BER BOT{russia}"),
        ];
        let orders = [(Power::GERMANY, orders[0].as_str()), (Power::RUSSIA, orders[1].as_str())];
        at_province(&after(&events, &orders), "KIE")
    };
    assert_eq!(moved(" DELETE", ""), ["canal KIE: BOT NTH"]);
    assert_eq!(moved(" TERMINUS SKA", " TERMINUS NTH"), ["canal KIE: BOT SKA"]);
    assert_eq!(moved(" TERMINUS SKA", " DELETE"), [""; 0]);
}

#[test]
fn ruling_8_7_among_those_who_join_two_seas_the_plurality_decides_where_a_canal_ends() {
    let moved = |options: [&str; 3]| {
        let two = "SEPARATE HEL KIE CONNECT NTH SKA";
        let [germany, england, france] = options.map(|option| format!("{two}{option}"));
        let russia = "SEPARATE BAL KIE CONNECT BOT DEN TERMINUS SKA KEEP";
        let orders = [
            (Power::GERMANY, germany.as_str()),
            (Power::ENGLAND, england.as_str()),
            (Power::FRANCE, france.as_str()),
            (Power::RUSSIA, russia),
        ];
        at_province(&after(&kiel_on_five_seas(), &orders), "KIE")
    };
    assert_eq!(moved([" TERMINUS SKA", " TERMINUS SKA", " TERMINUS NTH"]), ["canal KIE: BOT SKA"]);
    assert_eq!(
        moved([" TERMINUS SKA", " TERMINUS NTH", ""]),
        ["canal KIE: BOT NTH"],
        "a tie: the first by code"
    );
    assert_eq!(moved([" DELETE", " DELETE", " DELETE"]), ["canal KIE: BOT NTH"]);
}

// ---- one canal, and two canals ----

#[test]
fn ruling_8_7_a_canal_that_is_cut_is_printed_once() {
    let table = shaken(&[
        &[
            (Power::FRANCE, "SEPARATE GAS SPA CONNECT MAO MAR CANAL MAR"),
            (Power::ENGLAND, "SEPARATE POR SPA CONNECT MAO MAO"),
        ],
        &[(Power::FRANCE, "CONNECT MAR POR THROUGH MAO")],
    ]);
    assert_eq!(at_province(&table, "MAR"), ["canal MAR: LYO MAO"]);
    assert_eq!(coasts(&table, "MAR"), ["LYO MAO"], "it ends on both sides of Portugal");
}

#[test]
fn rule_9b_4_of_two_canals_that_share_a_sea_the_one_goes_and_the_other_stays() {
    let both = "SEPARATE EDI LVP CONNECT CLY NTH AT CLY EDI CANAL CLY AT CLY LVP CANAL CLY";
    let seasons: [Shock<'_>; 3] = [
        &[(Power::ENGLAND, "SEPARATE EDI YOR CONNECT LVP NTH")],
        &[(Power::ENGLAND, both)],
        &[(Power::ENGLAND, "SEPARATE CLY EDI CONNECT NTH NWG")],
    ];
    let before = ["canal CLY: NAO NTH", "canal CLY: NTH NWG"];
    assert_eq!(new_waterways(&shaken(&seasons[..2])), before);
    assert_eq!(new_waterways(&shaken(&seasons)), before[..1]);
}
