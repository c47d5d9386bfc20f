use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::frame::MOST_TOKENS;
use crate::order::tests::order;
use crate::testing::new_game;
use crate::token::words::NAMED;
use crate::token::{BRA, KET};

/// A game of a client as France on the standard board.
struct Table {
    server: Server,
    lexicon: crate::lexicon::Lexicon,
}

impl Table {
    fn new(limits: TurnLimits) -> Table {
        let server = Server::new(&new_game("standard", "FRANCE"), limits).unwrap();
        Table { lexicon: server.board().lexicon(), server }
    }

    /// A game that the client has joined.
    fn joined() -> Table {
        let mut table = Table::new(TurnLimits::default());
        table.says("NME ('Bot') ('2')");
        table.says("YES (MAP ('standard'))");
        table
    }

    fn texts(&self, said: &[Sentence]) -> Vec<String> {
        said.iter().map(|sentence| self.lexicon.display(sentence.tokens()).to_string()).collect()
    }

    /// Sends a message of the client and returns the answers.
    fn says(&mut self, text: &str) -> Vec<String> {
        let tokens = self.lexicon.read(text).unwrap();
        let said = self.server.receive(&tokens, None).unwrap();
        self.texts(&said)
    }

    fn asks(&mut self, request: &Value) -> Vec<String> {
        let said = self.server.ask(&serde_json::from_value(request.clone()).unwrap()).unwrap();
        self.texts(&said)
    }
}

fn powers() -> Value {
    json!({
        "FRANCE": { "units": ["F BRE", "A MAR", "F SPA/SC"], "centers": ["BRE", "MAR", "PAR"] },
        "ENGLAND": { "units": ["F ENG", "A WAL"], "centers": ["LON"] },
    })
}

fn request(phase: &str, asks: &str, powers: Value, more: Value) -> Value {
    let mut request = json!({ "game": "test/1", "phase": phase, "topology_hash": "0", "asks": asks,
                              "power": "FRANCE", "powers": powers });
    for (key, value) in more.as_object().unwrap() {
        request[key] = value.clone();
    }
    request
}

fn movement() -> Value {
    let legal = json!({
        "F BRE": ["F BRE H", "F BRE - MAO", "F BRE S F SPA/SC - MAO", "F BRE - ENG"],
        "A MAR": ["A MAR H", "A MAR - GAS", "A MAR S F SPA/SC"],
        "F SPA/SC": ["F SPA/SC H", "F SPA/SC - MAO", "F SPA/SC - POR"],
    });
    request("S1901M", "movement", powers(), json!({ "legal": legal }))
}

#[test]
fn a_client_joins_looks_at_the_map_and_is_told_who_it_is() {
    let limits =
        TurnLimits { movement: TokenNumber::new(1200), retreats: None, builds: TokenNumber::new(60) };
    let mut table = Table::new(limits);
    assert_eq!(table.says("HLO"), ["REJ (HLO)"]);
    assert_eq!(table.says("NME ('Bot') ('2')"), ["YES (NME ('Bot') ('2'))", "MAP ('standard')"]);
    assert_eq!(table.says("NME ('Bot') ('2')"), ["REJ (NME ('Bot') ('2'))"]);
    assert!(!table.server.is_ready());
    assert!(table.says("MDF")[0].starts_with("MDF (AUS ENG FRA GER ITA RUS TUR) (((AUS BUD VIE TRI)"));
    assert!(table.says("NOW")[0].starts_with("NOW (SPR 1901) (AUS AMY BUD) (AUS AMY VIE) (AUS FLT TRI)"));
    assert!(table.says("NOW")[0].contains("(RUS FLT (STP SCS))"));
    assert_eq!(table.says("YES (MAP ('standard'))"), ["HLO (FRA) (1234) ((LVL 0) (MTL 1200) (BTL 60))"]);
    assert!(table.server.is_ready());
    for early in ["SUB ((FRA FLT BRE) HLD)", "ORD", "MIS", "GOF", "NOT (GOF)", "SMR", "TME", "HST (SPR 1901)"]
    {
        assert_eq!(table.says(early), [format!("REJ ({early})")]);
    }
    assert_eq!(table.says("TME (1200)"), ["YES (TME (1200))"]);
    assert_eq!(table.says("TME (1201)"), ["REJ (TME (1201))"]);
    assert_eq!(table.says("NOT (TME (1200))"), ["YES (NOT (TME (1200)))"]);
    assert_eq!(table.says("NOT (TME (1200))"), ["REJ (NOT (TME (1200)))"]);
    assert_eq!(table.says("DRW"), ["YES (DRW)"]);
    assert_eq!(table.says("ADM ('a') ('b')"), ["REJ (ADM ('a') ('b'))"]);
    assert_eq!(table.says("SND (ENG) (PRP (PCE (ENG FRA)))"), ["HUH (ERR SND (ENG) (PRP (PCE (ENG FRA))))"]);
    assert_eq!(table.says("SUB ((FRA FLT BRE) HLO)"), ["HUH (SUB ((FRA FLT BRE) ERR HLO))"]);
    assert_eq!(table.says("NOW ("), ["PRN (NOW ()"]);
    assert_eq!(table.says("HUH (ERR NOW)"), Vec::<String>::new());
}

#[test]
fn a_rejected_map_and_a_client_that_does_not_play_are_errors() {
    let mut table = Table::new(TurnLimits::default());
    let mut says = |text: &str| {
        let tokens = table.lexicon.read(text).unwrap();
        table.server.receive(&tokens, None)
    };
    assert_eq!(says("OBS"), Err(does_not_play("OBS")));
    assert_eq!(says("IAM (FRA) (1234)"), Err(does_not_play("IAM")));
    says("NME ('Bot') ('2')").unwrap();
    assert_eq!(
        says("REJ (MAP ('standard'))"),
        Err(DaideError("the client rejects the map `standard`".to_owned()))
    );
}

#[test]
fn each_order_is_noted_and_what_is_missing_is_listed() {
    let mut table = Table::joined();
    let told = table.asks(&movement());
    assert_eq!(
        told,
        [
            "SCO (ENG LON) (FRA PAR BRE MAR) (UNO BUD MOS MUN SER VIE WAR ANK BEL BER CON DEN EDI GRE HOL KIE LVP \
             NAP NWY POR ROM RUM SEV SMY SWE TRI TUN VEN BUL SPA STP)",
            "NOW (SPR 1901) (ENG AMY WAL) (ENG FLT ECH) (FRA AMY MAR) (FRA FLT BRE) (FRA FLT (SPA SCS))",
        ]
    );
    let note = |table: &mut Table, order: &str| {
        let told = table.says(&format!("SUB ({order})"));
        let prefix = format!("THX ({order}) (");
        told[0]
            .strip_prefix(&prefix)
            .and_then(|rest| rest.get(..3))
            .map(str::to_owned)
            .unwrap_or(told[0].clone())
    };
    let cases = [
        ("(FRA FLT PAR) HLD", "NSU"),
        ("(ENG FLT ECH) HLD", "NYU"),
        ("(ENG FLT BRE) HLD", "NSU"),
        ("(FRA AMY BRE) HLD", "NSU"),
        ("(FRA FLT BRE) MTO PAR", "FAR"),
        ("(FRA FLT BRE) MTO (SPA NCS)", "FAR"),
        ("(FRA FLT BRE) RTO MAO", "NRS"),
        ("(FRA FLT BRE) BLD", "NRS"),
        ("FRA WVE", "NRS"),
        ("(FRA FLT BRE) SUP (GER AMY MUN)", "NSU"),
        ("(FRA FLT BRE) SUP (ENG FLT ECH) MTO GAS", "FAR"),
        ("(FRA AMY MAR) CVY (ENG AMY WAL) CTO GAS", "NSF"),
        ("(FRA FLT BRE) CVY (ENG AMY WAL) CTO GAS", "NAS"),
        ("(FRA AMY MAR) CTO TUN VIA (GOL)", "NSF"),
        ("(FRA AMY MAR) CTO TUN VIA (SPA)", "NAS"),
        ("(FRA AMY MAR) CTO TUN VIA (ECH)", "FAR"),
        ("(FRA FLT BRE) CTO LON VIA (ECH)", "NSA"),
        ("(FRA AMY MAR) MTO GAS", "MBV"),
        ("(FRA FLT (SPA SCS)) MTO MAO", "MBV"),
    ];
    for (order, expected) in cases {
        assert_eq!(note(&mut table, order), expected, "{order}");
    }
    assert_eq!(table.says("MIS"), ["MIS (FRA FLT BRE)"]);
    assert_eq!(table.server.clone().take_orders(), None);
    // An order is replaced by another one to the same unit, and withdrawn by its own text.
    assert_eq!(note(&mut table, "(FRA AMY MAR) SUP (FRA FLT (SPA SCS))"), "MBV");
    assert_eq!(table.says("NOT (SUB ((FRA AMY MAR) MTO GAS))"), ["REJ (NOT (SUB ((FRA AMY MAR) MTO GAS)))"]);
    let back = "NOT (SUB ((FRA FLT (SPA SCS)) MTO MAO))";
    assert_eq!(table.says(back), [format!("YES ({back})")]);
    assert_eq!(table.says("MIS"), ["MIS (FRA FLT BRE) (FRA FLT (SPA SCS))"]);
    // Orders of another turn are rejected as a whole.
    let other = "SUB (FAL 1901) ((FRA FLT BRE) HLD)";
    assert_eq!(table.says(other), [format!("REJ ({other})")]);
    assert_eq!(
        table.says("SUB (SPR 1901) ((FRA FLT BRE) SUP (FRA FLT (SPA SCS)) MTO MAO)"),
        ["THX ((FRA FLT BRE) SUP (FRA FLT (SPA SCS)) MTO MAO) (MBV)", "MIS (FRA FLT (SPA SCS))"]
    );
    // Complete orders wait if the client asks for it.
    assert_eq!(table.says("NOT (GOF)"), ["YES (NOT (GOF))"]);
    assert_eq!(table.says("SUB ((FRA FLT (SPA SCS)) MTO POR)").len(), 1);
    assert_eq!(table.says("MIS"), ["MIS"]);
    assert_eq!(table.server.take_orders(), None);
    assert_eq!(table.says("GOF"), ["YES (GOF)"]);
    let orders = table.server.take_orders().unwrap();
    assert_eq!(orders, ["A MAR S F SPA/SC", "F BRE S F SPA/SC - MAO", "F SPA/SC - POR"]);
    assert_eq!(table.says("SUB ((FRA FLT BRE) HLD)"), ["REJ (SUB ((FRA FLT BRE) HLD))"]);
}

#[test]
fn all_orders_can_be_taken_back_and_time_closes_the_turn() {
    let mut table = Table::new(TurnLimits { movement: TokenNumber::new(30), ..TurnLimits::default() });
    table.says("NME ('Bot') ('2')");
    table.says("YES (MAP ('standard'))");
    assert_eq!(table.asks(&movement()).last().unwrap(), "TME (30)");
    assert_eq!(table.server.limit(), TokenNumber::new(30));
    table.says("SUB ((FRA AMY MAR) MTO GAS) ((FRA FLT BRE) HLD)");
    assert_eq!(table.says("NOT (SUB)"), ["YES (NOT (SUB))"]);
    assert_eq!(table.says("MIS"), ["MIS (FRA AMY MAR) (FRA FLT BRE) (FRA FLT (SPA SCS))"]);
    table.says("SUB ((FRA AMY MAR) MTO GAS)");
    assert_eq!(table.server.close(), Some(vec!["A MAR - GAS".to_owned()]));
    assert_eq!(table.server.close(), None);
}

#[test]
fn results_of_all_powers_come_before_how_things_stand() {
    let mut table = Table::joined();
    let mut first = movement();
    first["phase"] = "F1901M".into();
    table.asks(&first);
    table.says("SUB ((FRA AMY MAR) MTO GAS) ((FRA FLT BRE) MTO MAO) ((FRA FLT (SPA SCS)) MTO MAO)");
    assert_eq!(table.server.take_orders().map(|orders| orders.len()), Some(3));
    let history = json!([{ "phase": "F1901M", "powers": powers(), "orders": {
        "FRANCE": [
            { "order": "A MAR - GAS", "result": ["ok"] },
            { "order": "F BRE - MAO", "result": ["bounce", "dislodged"] },
            { "order": "F SPA/SC - MAO", "result": ["bounce"] },
        ],
        "ENGLAND": [
            { "order": "A WAL - BRE VIA", "result": ["ok"] },
            { "order": "F ENG C A WAL - BRE", "result": ["ok"] },
        ],
    } }]);
    let after = json!({
        "FRANCE": { "units": ["A GAS", "F SPA/SC"], "centers": ["BRE", "MAR", "PAR"],
                    "retreats": [{ "unit": "F BRE", "options": ["PIC"] }] },
        "ENGLAND": { "units": ["F ENG", "A BRE"], "centers": ["LON"] },
    });
    let told = table.asks(&request("F1901R", "retreats", after.clone(), json!({ "history": history })));
    assert_eq!(
        told,
        [
            "ORD (FAL 1901) ((ENG AMY WAL) CTO BRE VIA (ECH)) (SUC)",
            "ORD (FAL 1901) ((ENG FLT ECH) CVY (ENG AMY WAL) CTO BRE) (SUC)",
            "ORD (FAL 1901) ((FRA AMY MAR) MTO GAS) (SUC)",
            "ORD (FAL 1901) ((FRA FLT BRE) MTO MAO) (BNC RET)",
            "ORD (FAL 1901) ((FRA FLT (SPA SCS)) MTO MAO) (BNC)",
            "NOW (AUT 1901) (ENG AMY BRE) (ENG FLT ECH) (FRA AMY GAS) (FRA FLT BRE MRT (PIC)) (FRA FLT (SPA SCS))",
        ]
    );
    for (order, note) in [
        ("(FRA FLT (SPA SCS)) RTO MAO", "NRN"),
        ("(ENG FLT ECH) RTO MAO", "NYU"),
        ("(FRA FLT BRE) RTO MAO", "NVR"),
        ("(FRA FLT BRE) MTO PIC", "NRS"),
        ("(FRA FLT MUN) DSB", "NSU"),
    ] {
        let told = table.says(&format!("SUB ({order})"));
        assert_eq!(told, [format!("THX ({order}) ({note})"), "MIS (FRA FLT BRE MRT (PIC))".to_owned()]);
    }
    table.says("SUB ((FRA FLT BRE) DSB)");
    table.says("NOT (SUB ((FRA FLT BRE) DSB))");
    assert_eq!(table.server.clone().take_orders(), None);
    table.says("SUB ((FRA FLT BRE) RTO PIC)");
    assert_eq!(table.server.take_orders(), Some(vec!["F BRE R PIC".to_owned()]));
    // Results can be asked for again.
    assert_eq!(table.says("ORD").len(), 5);
    let history = table.says("HST (FAL 1901)");
    assert_eq!(history.len(), 7);
    assert!(history[5].starts_with("SCO ") && history[6].starts_with("NOW (AUT 1901)"), "{history:?}");
    assert_eq!(table.says("HST").len(), 2);

    // Retreats, after which owners change; then builds.
    let history = json!([{ "phase": "F1901R", "powers": after, "orders":
        { "FRANCE": [{ "order": "F BRE R PIC", "result": ["ok"] }] } }]);
    let winter = json!({
        "FRANCE": { "units": ["A GAS", "F SPA/SC"], "centers": ["MAR", "PAR", "SPA", "BRE"] },
        "ENGLAND": { "units": ["F ENG"], "centers": ["LON"] },
    });
    let builds = json!({ "history": history, "builds": 2,
        "sites": ["A MAR B", "A PAR B", "A BRE B", "F MAR B", "F BRE B"] });
    let told = table.asks(&request("W1901A", "adjustments", winter, builds));
    assert_eq!(told[0], "ORD (AUT 1901) ((FRA FLT BRE) RTO PIC) (SUC)");
    assert!(
        told[1].starts_with("SCO (ENG LON) (FRA PAR BRE MAR SPA)") && told[2].starts_with("NOW (WIN 1901)")
    );
    for (order, note) in [
        ("(FRA FLT PAR) BLD", "CST"),
        ("(FRA AMY SPA) BLD", "HSC"),
        ("(FRA AMY BUR) BLD", "NSC"),
        ("(FRA AMY LON) BLD", "YSC"),
        ("(ENG AMY LON) BLD", "NYU"),
        ("(FRA AMY GAS) REM", "NMR"),
        ("(FRA AMY GAS) HLD", "NRS"),
        ("ENG WVE", "NYU"),
    ] {
        let told = table.says(&format!("SUB ({order})"));
        assert_eq!(told, [format!("THX ({order}) ({note})"), "MIS (-2)".to_owned()]);
    }
    table.says("SUB ((FRA AMY BRE) BLD)");
    // Another unit in the same place, then one too many.
    assert_eq!(table.says("SUB ((FRA FLT BRE) BLD)")[1], "MIS (-1)");
    assert_eq!(table.says("NOT (GOF)").len(), 1);
    table.says("SUB (FRA WVE)");
    assert_eq!(table.says("SUB ((FRA AMY PAR) BLD)"), ["THX ((FRA AMY PAR) BLD) (NMB)"]);
    assert_eq!(table.server.close(), Some(vec!["F BRE B".to_owned(), "WAIVE".to_owned()]));
}

#[test]
fn each_build_of_every_power_is_told_and_those_that_were_left_are_waived() {
    let mut table = Table::joined();
    let winter = json!({
        "FRANCE": { "units": ["A MAR"], "centers": ["BRE", "MAR", "PAR", "SPA"] },
        "GERMANY": { "units": [], "centers": ["BER", "MUN"] },
        "ITALY": { "units": ["A ROM", "F TYS"], "centers": ["NAP"] },
        "TURKEY": { "units": ["A SMY"], "centers": ["SMY"] },
    });
    let history = json!([{ "phase": "W1901A", "powers": winter, "orders": {
        "FRANCE": [
            { "order": "F BRE B", "result": ["ok"] },
            { "order": "WAIVE", "result": ["ok"] },
            // It did not count, so its build is left.
            { "order": "A BUR B", "result": ["illegal"] },
        ],
        "ITALY": [{ "order": "F TYS D", "result": ["ok"] }],
    } }]);
    let mut spring = movement();
    spring["phase"] = "S1902M".into();
    spring["history"] = history;
    let told = table.asks(&spring);
    let results: Vec<&String> = told.iter().filter(|said| said.starts_with("ORD ")).collect();
    assert_eq!(
        results,
        [
            "ORD (WIN 1901) ((FRA FLT BRE) BLD) (SUC)",
            "ORD (WIN 1901) (FRA WVE) (SUC)",
            "ORD (WIN 1901) (FRA WVE) (SUC)",
            "ORD (WIN 1901) (GER WVE) (SUC)",
            "ORD (WIN 1901) (GER WVE) (SUC)",
            "ORD (WIN 1901) ((ITA FLT TYS) REM) (SUC)",
        ]
    );
}

#[test]
fn removals_are_counted_from_above() {
    let mut table = Table::joined();
    table.asks(&request("W1901A", "adjustments", powers(), json!({ "removals": 1 })));
    assert_eq!(table.says("MIS"), ["MIS (1)"]);
    assert_eq!(table.says("SUB (FRA WVE)"), ["THX (FRA WVE) (NMB)", "MIS (1)"]);
    assert_eq!(table.says("SUB ((ENG AMY WAL) REM)")[0], "THX ((ENG AMY WAL) REM) (NYU)");
    table.says("NOT (GOF)");
    table.says("SUB ((FRA FLT (SPA SCS)) REM)");
    assert_eq!(table.says("SUB ((FRA FLT BRE) REM)"), ["THX ((FRA FLT BRE) REM) (NMR)"]);
    assert_eq!(table.server.close(), Some(vec!["F SPA/SC D".to_owned()]));
}

#[test]
fn turns_in_which_nothing_is_wanted_are_told_with_the_next() {
    let mut table = Table::joined();
    table.asks(&movement());
    table.server.close();
    let retreating = json!({
        "FRANCE": { "units": ["F BRE", "A MAR", "F SPA/SC"], "centers": ["BRE", "MAR", "PAR"] },
        "ENGLAND": { "units": ["F ENG"], "centers": ["LON"], "retreats": [{ "unit": "A WAL", "options": ["YOR"] }] },
    });
    let history = json!([
        { "phase": "S1901M", "powers": powers(), "orders": { "FRANCE": [{ "order": "A MAR H", "result": ["ok"] }] } },
        { "phase": "S1901R", "powers": retreating, "orders":
            { "ENGLAND": [{ "order": "A WAL D", "result": ["disband"] }] } },
    ]);
    let mut fall = movement();
    fall["phase"] = "F1901M".into();
    fall["history"] = history;
    let told = table.asks(&fall);
    let heads: Vec<&str> = told.iter().map(|said| said.get(..14).unwrap()).collect();
    assert_eq!(heads, ["ORD (SPR 1901)", "NOW (SUM 1901)", "ORD (SUM 1901)", "NOW (FAL 1901)"]);
    assert_eq!(told[2], "ORD (SUM 1901) ((ENG AMY WAL) DSB) (SUC)");
    assert_eq!(table.says("ORD").len(), 2, "of the last movement and what followed");
}

#[test]
fn the_end_of_a_game_is_told_with_who_is_out_since_when() {
    let mut table = Table::joined();
    let mut fall = movement();
    fall["phase"] = "F1905M".into();
    table.asks(&fall);
    let result = json!({
        "game": "test/1", "phase": "F1905M", "end": "solo", "winners": ["FRANCE"],
        "powers": { "FRANCE": { "units": ["A MAR"], "centers": ["BRE", "MAR", "PAR", "LON"] } },
        "history": [{ "phase": "F1905M", "powers": powers(), "orders": {} }],
    });
    let told = table.server.finish(&serde_json::from_value(result).unwrap()).unwrap();
    let told = table.texts(&told);
    assert!(told[0].starts_with("SCO (FRA PAR BRE LON MAR) (UNO "), "{told:?}");
    assert_eq!(told[1], "SLO (FRA)");
    assert_eq!(
        told[2],
        "SMR (WIN 1905) (AUS ('unknown') ('unknown') 0) (ENG ('unknown') ('unknown') 0 1905) (FRA ('Bot') ('2') 4) \
         (GER ('unknown') ('unknown') 0) (ITA ('unknown') ('unknown') 0) (RUS ('unknown') ('unknown') 0) \
         (TUR ('unknown') ('unknown') 0)"
    );
    assert_eq!(told[3..], ["NOW (WIN 1905) (FRA AMY MAR)", "OFF"]);
    assert_eq!(table.says("SMR"), told[1..3]);
    assert_eq!(table.says("SUB ((FRA AMY MAR) HLD)"), ["REJ (SUB ((FRA AMY MAR) HLD))"]);
    let abandoned = json!({ "game": "test/1", "end": "abandoned", "winners": [] });
    let told = Table::joined().server.finish(&serde_json::from_value(abandoned).unwrap()).unwrap();
    assert_eq!(table.texts(&told), ["OFF"]);
}

#[test]
fn a_request_that_cannot_be_told_is_an_error_with_its_phase() {
    let ask = |request: Value| {
        let mut table = Table::joined();
        table.server.ask(&serde_json::from_value(request).unwrap()).unwrap_err().to_string()
    };
    let mut changed = movement();
    changed["changes"] = json!({ "events": ["collapse MAR"], "faces": {}, "gone": [] });
    assert!(
        ask(changed).starts_with("the request in S1901M cannot be expressed in DAIDE: the map has changed")
    );
    let seismic = request("S1901E", "seismic", powers(), json!({}));
    assert!(ask(seismic).contains("`S1901E` is not a turn of the language"));
    let coasts = request("S1901M", "coasts", powers(), json!({}));
    assert!(ask(coasts).contains("DAIDE has no orders for `coasts`"));
    let aboard = json!({ "FRANCE": { "units": ["A/F ENG"], "centers": [] } });
    assert!(ask(request("S1901M", "movement", aboard, json!({}))).contains("`A/F ENG` is not on the board"));
}

/// A table at each point of a game.
fn tables() -> Vec<Table> {
    let mut tables = vec![Table::new(TurnLimits::default()), Table::joined()];
    let winter = |more| request("W1901A", "adjustments", powers(), more);
    let retreating = json!({ "FRANCE": { "units": ["A MAR"], "centers": ["MAR"],
        "retreats": [{ "unit": "F BRE", "options": ["PIC", "SPA/NC"] }] } });
    for request in [
        movement(),
        request("F1901R", "retreats", retreating, json!({})),
        winter(json!({ "builds": 1, "sites": ["A PAR B"] })),
        winter(json!({ "removals": 2 })),
    ] {
        let mut table = Table::joined();
        table.asks(&request);
        tables.push(table);
    }
    tables
}

#[test]
fn a_message_that_is_too_long_to_be_repeated_is_not_understood() {
    let table = Table::joined();
    let long = vec![crate::token::words::HUH; MOST_TOKENS];
    assert_eq!(table.texts(&table.server.clone().receive(&long, None).unwrap()), ["HUH (ERR)"]);
    let name = format!("NME ('{}') ('1')", "x".repeat(20_000));
    let mut table = Table::new(TurnLimits::default());
    let longest = table.says(&name).iter().map(String::len).max();
    assert!(longest > Some(20_000), "it is repeated as it was");
    assert_eq!(table.server.name.0.len(), 64, "but not kept");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_message_of_a_client_is_answered_or_passed_over(
        words in prop::collection::vec(prop_oneof![
            2 => Just(BRA), 2 => Just(KET),
            4 => prop::sample::select(NAMED.to_vec()).prop_map(|(_, token)| token),
            1 => any::<u16>().prop_map(Token::from_code),
        ], 0..20),
        orders in prop::collection::vec(order(), 1..4),
    ) {
        let submitted = orders.iter().fold(Sentence::new(SUB), |said, order| order.write(said));
        for mut table in tables() {
            for tokens in [&words[..], submitted.tokens()] {
                for sentence in table.server.receive(tokens, None).unwrap_or_default() {
                    prop_assert!(!sentence.tokens().is_empty() && sentence.tokens().len() <= MOST_TOKENS);
                }
            }
            prop_assert!(table.server.clone().close().is_none_or(|orders| orders.len() <= 3));
        }
    }
}
