//! `seismic-acerunner`, rule 9: every example of the text and each choice that it offers, season by season as orders.

use crate::helpers::table;
use crate::variants::seismic_acerunner::straits;
use crate::variants::seismic_acerunner::straits::{
    STANDARD, at, coasts, isthmuses, new_waterways, reach, shaken, waterways,
};
use upheaval::ids::Power;

// ---- the definition ----

#[test]
fn rule_9_first_sentence_an_isthmus_is_a_land_border_flanked_by_two_seas() {
    let table = shaken(&[]);
    assert_eq!(isthmuses(&table), ["BUL CON", "DEN KIE", "DEN SWE", "POR SPA"], "the four of the text");
    assert_eq!(waterways(&table), STANDARD);
}

// ---- (a) creating ----

/// Marseilles and the Mid-Atlantic connect: Marseilles and Spain, which shared a border, form an isthmus.
fn mar_and_mao(option: &str) -> table::Table {
    shaken(&[&[(Power::FRANCE, &format!("SEPARATE GAS SPA CONNECT MAO MAR{option}"))]])
}

#[test]
fn rule_9a_option_1_a_strait_leaves_neither_province_a_coast_of_its_own() {
    let table = mar_and_mao(" STRAIT");
    assert_eq!(new_waterways(&table), ["strait MAR SPA: LYO MAO"]);
    assert_eq!(coasts(&table, "MAR"), ["LYO MAO"]);
    assert_eq!(coasts(&table, "SPA"), ["LYO MAO WES"]);
    assert_eq!(
        reach(&table, "MAR", ""),
        ["GAS", "LYO", "MAO", "PIE", "SPA"],
        "freely across the land bridge"
    );
    assert!(table.face("MAR").army.contains(&"SPA".to_owned()));
}

#[test]
fn rule_9a_options_2_and_3_a_canal_joins_the_coasts_of_its_own_province_and_of_no_other() {
    let table = mar_and_mao(" CANAL MAR");
    assert_eq!(new_waterways(&table), ["canal MAR: LYO MAO"]);
    assert_eq!(coasts(&table, "MAR"), ["LYO MAO"]);
    assert_eq!(coasts(&table, "SPA"), ["MAO", "LYO MAO WES"]);
    let table = mar_and_mao(" CANAL SPA");
    assert_eq!(new_waterways(&table), ["canal SPA: LYO MAO"]);
    assert_eq!(coasts(&table, "MAR").len(), 2);
    assert_eq!(coasts(&table, "SPA"), ["LYO MAO WES"]);
}

#[test]
fn rule_9a_option_4_no_fleet_passes() {
    let table = mar_and_mao(" NONE");
    assert_eq!(new_waterways(&table), [""; 0]);
    let mut seas = coasts(&table, "MAR");
    seas.sort();
    assert_eq!(seas, ["LYO", "MAO"]);
    assert_eq!(coasts(&table, "SPA"), ["MAO", "LYO MAO WES"]);
}

#[test]
fn rule_9a_fleets_sail_through_the_new_strait_and_not_before() {
    let mut table = at("S1901M", &[], &[(Power::FRANCE, &["F MAR"])]);
    assert!(!reach(&table, "MAR", "").contains(&"MAO".to_owned()));
    table.move_all(&[]).shake(&[(Power::FRANCE, "SEPARATE GAS SPA CONNECT MAO MAR CANAL MAR")]);
    assert_eq!(table.move_all(&["F MAR - MAO"]).units(Power::FRANCE), ["F MAO"]);
}

#[test]
fn rule_9a_default_a_none_where_the_two_shared_a_land_border_before() {
    let table = mar_and_mao("");
    assert_eq!(new_waterways(&table), [""; 0]);
    assert!(isthmuses(&table).contains(&"MAR SPA".to_owned()));
}

/// The three examples of default (b), with the faces at the isthmus.
const PINCHED: [(&str, &str, &str); 3] = [
    ("SEPARATE ADR ION CONNECT ALB APU", "ALB APU", "ADR ION"),
    ("SEPARATE BAL BOT CONNECT LVN SWE", "LVN SWE", "BAL BOT"),
    ("SEPARATE ENG NTH CONNECT BEL LON", "BEL LON", "ENG NTH"),
];

#[test]
fn rule_9a_default_b_a_strait_where_two_seas_were_pinched_off() {
    for (order, pair, seas) in PINCHED {
        let table = shaken(&[&[(Power::FRANCE, order)]]);
        assert_eq!(new_waterways(&table), [format!("strait {pair}: {seas}")]);
        let [x, y] = [&pair[..3], &pair[4..]];
        assert!(reach(&table, x, "").contains(&y.to_owned()), "{order}");
        assert!(table.face(x).army.contains(&y.to_owned()), "{order}");
    }
}

#[test]
fn rule_9a_default_b_gives_way_to_any_option() {
    for (order, pair, seas) in PINCHED {
        let [x, y] = [&pair[..3], &pair[4..]];
        let table = shaken(&[&[(Power::FRANCE, &format!("{order} NONE"))]]);
        assert_eq!(new_waterways(&table), [""; 0]);
        assert_eq!([coasts(&table, x).len(), coasts(&table, y).len()], [2, 2], "{order}");
        let table = shaken(&[&[(Power::FRANCE, &format!("{order} CANAL {y}"))]]);
        assert_eq!(new_waterways(&table), [format!("canal {y}: {seas}")]);
        assert_eq!([coasts(&table, x).len(), coasts(&table, y).len()], [2, 1], "{order}");
    }
}

#[test]
fn rule_9a_first_note_different_options_do_not_invalidate_the_order_and_the_default_applies() {
    let order = |option| format!("SEPARATE GAS SPA CONNECT MAO MAR {option}");
    let table = shaken(&[&[(Power::FRANCE, &order("STRAIT")), (Power::ENGLAND, &order("CANAL MAR"))]]);
    assert_eq!((table.shaken(Power::FRANCE), table.shaken(Power::ENGLAND)), (Some("ok"), Some("ok")));
    assert!(table.face("MAR").army.contains(&"SPA".to_owned()), "and Marseilles lies on the Mid-Atlantic:");
    assert!(reach(&table, "MAO", "").iter().any(|to| to.starts_with("MAR/")));
    assert_eq!(new_waterways(&table), [""; 0]);
}

#[test]
fn rule_9a_of_several_options_a_plurality_decides() {
    let order = |option| format!("SEPARATE GAS SPA CONNECT MAO MAR {option}");
    let (strait, canal) = (order("STRAIT"), order("CANAL MAR"));
    let table = shaken(&[&[(Power::FRANCE, &strait), (Power::ENGLAND, &canal), (Power::GERMANY, &canal)]]);
    assert_eq!(new_waterways(&table), ["canal MAR: LYO MAO"]);
    // Two canals through different provinces are different options; a power that says nothing has no vote.
    let table = shaken(&[&[
        (Power::FRANCE, &strait),
        (Power::ENGLAND, &canal),
        (Power::GERMANY, &order("CANAL SPA")),
        (Power::AUSTRIA, &strait),
        (Power::RUSSIA, &order("")),
        (Power::TURKEY, &order("")),
    ]]);
    assert_eq!(new_waterways(&table), ["strait MAR SPA: LYO MAO"]);
}

#[test]
fn rule_9a_options_of_a_failed_order_do_not_count() {
    // Turkey's order shares a corner with the other and is weaker; it too would make a strait there.
    let order = "SEPARATE GAS SPA CONNECT MAO MAR";
    let turkey = "SEPARATE GAS MAR CONNECT BUR SPA STRAIT";
    let table = shaken(&[&[(Power::FRANCE, order), (Power::ENGLAND, order), (Power::TURKEY, turkey)]]);
    assert_eq!(table.shaken(Power::TURKEY), Some("bounce"));
    assert_eq!(new_waterways(&table), [""; 0]);
}

#[test]
fn rule_9a_last_note_an_isthmus_of_two_orders_together() {
    let (with_albania, with_bulgaria) =
        ("SEPARATE ALB GRE CONNECT ION SER", "SEPARATE BUL GRE CONNECT AEG SER");
    for one in [with_albania, with_bulgaria] {
        assert!(!isthmuses(&shaken(&[&[(Power::AUSTRIA, one)]])).contains(&"GRE SER".to_owned()), "{one}");
    }
    let both = |austria: &str, turkey: &str| {
        shaken(&[&[
            (Power::AUSTRIA, &format!("{with_albania}{austria}")),
            (Power::TURKEY, &format!("{with_bulgaria}{turkey}")),
        ]])
    };
    let table = both("", "");
    assert!(isthmuses(&table).contains(&"GRE SER".to_owned()));
    assert_eq!(new_waterways(&table), [""; 0], "they shared a border before");
    assert_eq!(coasts(&table, "SER").len(), 2);
    // Both have a vote.
    assert_eq!(new_waterways(&both(" STRAIT", "")), ["strait GRE SER: AEG ION"]);
    assert_eq!(new_waterways(&both("", " CANAL SER")), ["canal SER: AEG ION"]);
    assert_eq!(new_waterways(&both(" CANAL SER", " CANAL SER")), ["canal SER: AEG ION"]);
    assert_eq!(new_waterways(&both(" STRAIT", " CANAL SER")), [""; 0], "a tie");
}

#[test]
fn rule_9a_last_note_apulia_and_venice_rome_and_tuscany() {
    let table = shaken(&[&[
        (Power::AUSTRIA, "SEPARATE APU VEN CONNECT ADR ROM"),
        (Power::FRANCE, "SEPARATE ROM TUS CONNECT TYS VEN STRAIT"),
    ]]);
    assert!(isthmuses(&table).contains(&"ROM VEN".to_owned()));
    assert_eq!(new_waterways(&table), ["strait ROM VEN: ADR TYS"]);
    assert_eq!(coasts(&table, "ROM").len(), 1);
    assert_eq!(coasts(&table, "VEN").len(), 1);
}

#[test]
fn rule_9a_last_note_an_irrelevant_option_is_discarded() {
    for option in ["STRAIT", "CANAL PAR", "DELETE", "KEEP", "TERMINUS NTH", "AT MAR SPA STRAIT"] {
        let table = shaken(&[&[(Power::AUSTRIA, &format!("SEPARATE ALB GRE CONNECT ION SER {option}"))]]);
        assert_eq!(table.shaken(Power::AUSTRIA), Some("ok"), "{option}");
        assert_eq!(waterways(&table), STANDARD, "{option}");
    }
    // An irrelevant one does not hide the intended one.
    let table = mar_and_mao(" DELETE CANAL PAR AT POR SPA STRAIT AT SPA MAR CANAL SPA");
    assert_eq!(new_waterways(&table), ["canal SPA: LYO MAO"]);
}

#[test]
fn ruling_8_7_where_one_order_makes_several_isthmuses_an_option_says_at_which() {
    // Clyde is between two isthmuses once Edinburgh and Liverpool separate.
    let order = |option: &str| {
        shaken(&[
            &[(Power::ENGLAND, "SEPARATE EDI YOR CONNECT LVP NTH")],
            &[(Power::ENGLAND, &format!("SEPARATE EDI LVP CONNECT CLY NTH{option}"))],
        ])
    };
    let table = order("");
    let made: Vec<String> = isthmuses(&table).into_iter().filter(|pair| pair.contains("CLY")).collect();
    assert_eq!(made, ["CLY EDI", "CLY LVP"]);
    assert_eq!(new_waterways(&order(" STRAIT")), [""; 0], "which?");
    assert_eq!(new_waterways(&order(" AT CLY LVP STRAIT")), ["strait CLY LVP: NAO NTH"]);
    assert_eq!(
        new_waterways(&order(" AT EDI CLY CANAL EDI AT CLY LVP STRAIT")),
        ["canal EDI: NTH NWG", "strait CLY LVP: NAO NTH"]
    );
}

// ---- (b) deleting and modifying: straits ----

#[test]
fn rule_9b_1_a_strait_goes_when_its_provinces_are_separated() {
    let table = shaken(&[&[(Power::GERMANY, "SEPARATE DEN SWE CONNECT BAL SKA STRAIT")]]);
    assert_eq!(waterways(&table), ["canal CON: AEG BLA", "canal KIE: BAL HEL"]);
    assert!(!table.face("DEN").army.contains(&"SWE".to_owned()));
    assert!(reach(&table, "BAL", "").contains(&"SKA".to_owned()), "the seas meet instead");
}

#[test]
fn rule_9b_2_a_strait_remains_and_moves_its_end_when_land_and_water_connect() {
    for option in ["", " DELETE", " NONE", " CANAL SWE"] {
        let table = shaken(&[&[(Power::GERMANY, &format!("SEPARATE BAL SWE CONNECT BOT DEN{option}"))]]);
        assert_eq!(new_waterways(&table), ["strait DEN SWE: BOT SKA"], "{option}");
        assert_eq!(coasts(&table, "SWE"), ["BOT SKA"]);
        assert!(!isthmuses(&table).is_empty());
    }
}

/// Kiel and Sweden connect.
fn kie_and_swe(option: &str) -> table::Table {
    shaken(&[&[(Power::GERMANY, &format!("SEPARATE BAL DEN CONNECT KIE SWE{option}"))]])
}

#[test]
fn rule_9b_3_a_strait_goes_when_two_lands_connect_at_its_end() {
    for option in ["", " DELETE", " STRAIT", " KEEP", " CANAL KIE", " CANAL DEN", " AT DEN SWE DELETE"] {
        let table = kie_and_swe(option);
        assert_eq!(waterways(&table), ["canal CON: AEG BLA", "canal KIE: BAL HEL"], "{option}");
        assert_eq!(coasts(&table, "SWE").len(), 2, "{option}");
        assert_eq!(coasts(&table, "DEN"), ["HEL NTH SKA"], "{option}");
    }
}

#[test]
fn rule_9b_3_or_becomes_a_canal_through_the_one_that_connects() {
    for option in [" CANAL SWE", " AT DEN SWE CANAL SWE"] {
        let table = kie_and_swe(option);
        assert_eq!(new_waterways(&table), ["canal SWE: BAL SKA"], "{option}");
        assert_eq!(coasts(&table, "SWE"), ["BAL BOT SKA"], "{option}");
        assert_eq!(coasts(&table, "DEN"), ["HEL NTH SKA"], "{option}");
    }
}

#[test]
fn rule_9b_3_fleets_before_and_after() {
    let sweden: (_, &[&str]) = (Power::RUSSIA, &["F SWE"]);
    let shake = |option: &str| {
        let mut table = at("S1901M", &[], &[sweden]);
        table.move_all(&[]).shake(&[(Power::RUSSIA, &format!("SEPARATE BAL DEN CONNECT KIE SWE{option}"))]);
        table
    };
    let mut table = shake(" CANAL SWE");
    assert_eq!(table.units(Power::RUSSIA), ["F SWE"]);
    assert_eq!(table.move_all(&["F SWE - SKA"]).units(Power::RUSSIA), ["F SKA"]);
    let mut table = shake("");
    assert_eq!(table.game.coast_choices().len(), 1, "its coast falls apart");
    table.rest_of_season();
    // By default it takes the coast with the most of the old contacts: the one on the Baltic and the Gulf.
    assert_eq!(table.units(Power::RUSSIA), ["F SWE/SC"]);
    assert!(!reach(&table, "SWE", "SC").contains(&"SKA".to_owned()));
}

#[test]
fn rule_9b_third_note_a_canal_never_becomes_a_strait() {
    // Any wish, if the canal of Kiel changes.
    for (order, left) in [
        ("SEPARATE DEN KIE CONNECT BAL HEL STRAIT", None),
        ("SEPARATE HEL KIE CONNECT DEN HOL STRAIT", None),
        ("SEPARATE BAL DEN CONNECT KIE SWE STRAIT", Some("canal KIE: BAL HEL")),
    ] {
        let table = shaken(&[&[(Power::GERMANY, order)]]);
        let kiel: Vec<String> = waterways(&table).into_iter().filter(|way| way.contains("KIE")).collect();
        assert_eq!(kiel, left.into_iter().collect::<Vec<_>>(), "{order}");
    }
}

// ---- canals ----

#[test]
fn rule_9b_4_a_canal_goes_when_its_ends_come_to_lie_side_by_side() {
    for option in ["", " KEEP"] {
        let table = shaken(&[&[(Power::GERMANY, &format!("SEPARATE DEN KIE CONNECT BAL HEL{option}"))]]);
        assert_eq!(waterways(&table), ["canal CON: AEG BLA", "strait DEN SWE: BAL SKA"]);
        assert_eq!(coasts(&table, "KIE"), ["BAL HEL"], "one shore, without a canal");
    }
}

#[test]
fn rule_9b_5_a_canal_goes_when_two_lands_connect_at_its_end() {
    for option in ["", " KEEP", " TERMINUS NTH"] {
        let table = shaken(&[&[(Power::GERMANY, &format!("SEPARATE HEL KIE CONNECT DEN HOL{option}"))]]);
        assert_eq!(waterways(&table), ["canal CON: AEG BLA", "strait DEN SWE: BAL SKA"]);
        assert_eq!(coasts(&table, "KIE"), ["BAL"]);
        assert_eq!(table.units(Power::GERMANY), ["A BER", "A MUN", "F KIE"]);
    }
}

/// Kiel reaches the North Sea in Spring and loses the Bight to it and Denmark in Fall.
fn den_and_nth(option: &str) -> table::Table {
    shaken(&[
        &[(Power::GERMANY, "SEPARATE HEL HOL CONNECT KIE NTH")],
        &[(Power::GERMANY, &format!("SEPARATE HEL KIE CONNECT DEN NTH{option}"))],
    ])
}

#[test]
fn rule_9b_6_a_canal_is_kept_when_land_and_water_connect_at_its_end() {
    for option in ["", " KEEP", " STRAIT", " TERMINUS NTH"] {
        let table = den_and_nth(option);
        assert_eq!(new_waterways(&table), ["canal KIE: BAL NTH"], "{option}");
        assert_eq!(coasts(&table, "KIE"), ["BAL NTH"], "{option}");
    }
    let mut table = den_and_nth("");
    table.rest_of_season();
    assert_eq!(table.units(Power::GERMANY), ["A BER", "A MUN", "F KIE"]);
    table.move_all(&["F KIE - NTH"]);
    assert_eq!(table.units(Power::GERMANY), ["A BER", "A MUN", "F NTH"]);
}

#[test]
fn rule_9b_6_or_deleted() {
    let mut table = den_and_nth(" DELETE");
    assert_eq!(waterways(&table), ["canal CON: AEG BLA", "strait DEN SWE: BAL SKA"]);
    assert_eq!(coasts(&table, "KIE"), ["BAL", "NTH"]);
    assert_eq!(table.game.coast_choices().len(), 1);
    table.rest_of_season();
    assert_eq!(table.units(Power::GERMANY).len(), 3);
}

/// The four seasons of the example.
fn ska_and_nth(option: &str) -> table::Table {
    shaken(&[
        &[
            (Power::ENGLAND, "SEPARATE DEN NTH CONNECT HEL SKA"),
            (Power::GERMANY, "SEPARATE HEL HOL CONNECT KIE NTH"),
        ],
        &[(Power::GERMANY, "SEPARATE DEN HEL CONNECT KIE SKA")],
        &[(Power::GERMANY, &format!("SEPARATE HEL KIE CONNECT NTH SKA{option}"))],
    ])
}

#[test]
fn rule_9b_7_a_canal_whose_end_two_seas_take_goes_on_to_one_of_them() {
    let table = ska_and_nth(" TERMINUS SKA");
    assert_eq!(new_waterways(&table), ["canal KIE: BAL SKA"]);
    let table = ska_and_nth(" TERMINUS NTH");
    assert_eq!(new_waterways(&table), ["canal KIE: BAL NTH"]);
}

#[test]
fn rule_9b_7_it_may_not_be_deleted_and_by_default_the_first_by_code_is_its_end() {
    for option in ["", " DELETE", " TERMINUS BAL", " KEEP"] {
        assert_eq!(new_waterways(&ska_and_nth(option)), ["canal KIE: BAL NTH"], "{option}");
    }
}

#[test]
fn rule_9b_7_note_the_choice_does_not_affect_immediate_movements() {
    let [x, y] = ["SKA", "NTH"].map(|end| ska_and_nth(&format!(" TERMINUS {end}")));
    assert_eq!(coasts(&x, "KIE"), ["BAL NTH SKA"]);
    assert_eq!(x.face("KIE").fleet, y.face("KIE").fleet);
}

#[test]
fn rule_9b_7_note_but_it_may_affect_future_events() {
    // Kiel and the North Sea are separated between the Skagerrak and Holland: only a canal that ended there must
    // continue.
    let after = |end: &str| {
        let mut table = ska_and_nth(&format!(" TERMINUS {end}"));
        straits::next_quake(&mut table);
        table.shake(&[(Power::GERMANY, "SEPARATE KIE NTH CONNECT HOL SKA DELETE")]);
        new_waterways(&table)
    };
    assert_eq!(after("SKA"), ["canal KIE: BAL SKA"]);
    assert_eq!(after("NTH"), [""; 0], "rule (6)");
}

#[test]
fn rule_9b_6_votes_of_several_givers() {
    let order = "SEPARATE HEL KIE CONNECT DEN NTH";
    let vote = |germany: &str, england: &str, france: &str| {
        let [germany, england, france] = [germany, england, france].map(|option| format!("{order} {option}"));
        new_waterways(&shaken(&[
            &[(Power::GERMANY, "SEPARATE HEL HOL CONNECT KIE NTH")],
            &[(Power::GERMANY, &germany), (Power::ENGLAND, &england), (Power::FRANCE, &france)],
        ]))
    };
    assert_eq!(vote("KEEP", "DELETE", "DELETE"), [""; 0]);
    assert_eq!(vote("KEEP", "DELETE", ""), ["canal KIE: BAL NTH"], "a tie");
}
