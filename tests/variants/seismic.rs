//! `seismic-1971` and `seismic-acerunner`: the phases of games, events that are reported, and orders as text. Their rules,
//! in positions, are in `cli/tests/sessions/adjudicate_seismic_1971.md` and `adjudicate_seismic_acerunner.md`.

use crate::helpers::shipped::{SEISMIC_1971, variant};
use crate::helpers::table::Table;
use upheaval::game::Stage;
use upheaval::ids::{CoastId, Power};
use upheaval::rules::event::Event;
use upheaval::rules::legal;
use upheaval::rules::notation::WrittenSeismic;
use upheaval::topology::atlas;

#[test]
fn seismic_rule_2_the_phases_of_a_year() {
    for (id, fall, expected) in [
        ("seismic-1971", "F KIE - DEN", "S1901M S1901E F1901M W1901A W1901E"),
        // The phase after Winter takes place even if nobody has anything to adjust.
        ("seismic-1971", "F KIE - BAL", "S1901M S1901E F1901M W1901E"),
        ("seismic-acerunner", "F KIE - DEN", "S1901M S1901E F1901M F1901E W1901A"),
        ("seismic-acerunner", "F KIE - BAL", "S1901M S1901E F1901M F1901E"),
    ] {
        let mut table = Table::new_game(variant(id), 1950);
        let mut phases = Vec::new();
        while table.phase() != "S1902M" {
            phases.push(table.phase());
            assert_eq!(table.game.quakes().is_empty(), table.game.stage() != Stage::Seismic, "{phases:?}");
            match table.game.stage() {
                Stage::Movement if table.phase() == "F1901M" => table.move_all(&[fall]),
                Stage::Movement => table.move_all(&[]),
                Stage::Adjustments => table.adjust(),
                _ => table.shake(&[]),
            };
        }
        assert_eq!(phases.join(" "), expected, "{id}: {fall}");
    }
}

/// A conceptual note of rule 7 (a).
#[test]
fn seismic_rule_7_four_orders_contradict_that_against_bulgaria_and_greece_and_no_others() {
    for id in ["seismic-1971", "seismic-acerunner"] {
        let units: [(Power, &[&str]); 2] = [(Power::AUSTRIA, &["A VIE"]), (Power::TURKEY, &["A ANK"])];
        let variant = variant(id);
        let phase = Table::set_in(variant.clone(), "S1901E", &[], &units, &[]);
        let contradicts = |other: &String| {
            let mut table = Table { game: phase.game.clone(), ..Table::new_game(variant.clone(), 1950) };
            let order = (Power::AUSTRIA, "SEPARATE BUL GRE CONNECT AEG SER");
            table.shake(&[order, (Power::TURKEY, other)]).shaken(Power::AUSTRIA) != Some("ok")
        };
        let map = phase.game.terrain().chart().map();
        let all = phase.game.quakes().iter().map(|quake| quake.event(map).to_string());
        assert_eq!(
            all.filter(contradicts).collect::<Vec<_>>(),
            [
                "separate AEG BUL connect CON GRE",
                "separate AEG GRE connect BUL ION",
                "separate BUL SER connect GRE RUM",
                "separate GRE SER connect ALB BUL",
            ],
            "{id}"
        );
    }
}

#[test]
fn seismic_rule_8_a_trapped_fleet_is_told_of_once_and_has_one_legal_order() {
    let close = (Power::ITALY, "SEPARATE TRI ADR CONNECT VEN ALB");
    let told = |table: &Table, fits: fn(&Event) -> bool| {
        table.told.events.iter().filter(|(_, event)| fits(event)).count()
    };
    let trapped = |event: &Event| matches!(event, Event::Trapped(..));
    let mut table = Table::new_game(variant("seismic-1971"), 1950);
    table.move_all(&[]).shake(&[close]);
    let mut orders = Vec::new();
    let board = table.game.terrain().board();
    legal::legal_orders(board, table.position(), &table.chains(), table.id("TRI"), &mut orders);
    assert_eq!(orders.len(), 1, "to hold");
    table.move_all(&[]).shake(&[(Power::ITALY, "SEPARATE TRI TYR CONNECT VEN VIE")]);
    assert_eq!(told(&table, trapped), 1);
    // The revision asks its owner.
    for (disbanded, expected) in [(&[][..], (1, 0)), (&["TRI"], (1, 1))] {
        let mut table = Table::new_game(variant("seismic-acerunner"), 1950);
        table.move_all(&[]).shake(&[close]);
        assert_eq!(table.game.trapped(), [(table.id("TRI"), Power::AUSTRIA)]);
        table.disband_trapped(disbanded);
        let removed = |event: &Event| matches!(event, Event::Removed(Power::AUSTRIA, ..));
        assert_eq!((told(&table, trapped), told(&table, removed)), expected);
    }
}

/// A trapped fleet has the coast of a province with a single one, whichever coast it was on.
#[test]
fn seismic_rule_8_a_trapped_fleet_is_on_no_named_coast() {
    for fleet in ["F BUL/EC", "F BUL/SC"] {
        let units: [(Power, &[&str]); 2] = [(Power::AUSTRIA, &["A VIE"]), (Power::TURKEY, &[fleet])];
        let mut table = Table::set_in(variant("seismic-1971"), "S1901E", &[], &units, &[]);
        table.shake(&[
            (Power::AUSTRIA, "SEPARATE AEG BUL CONNECT CON GRE"),
            (Power::TURKEY, "SEPARATE BLA BUL CONNECT CON RUM"),
        ]);
        let trapped = table.position().unit(table.id("BUL")).map(|unit| unit.coast);
        assert_eq!(
            (table.units(Power::TURKEY), trapped),
            (vec!["F BUL".to_owned()], Some(CoastId::FIRST)),
            "{fleet}"
        );
    }
}

#[test]
fn seismic_the_legal_orders_are_listed_once_each_in_canonical_order() {
    let events = [
        "separate POR SPA connect MAO MAO",
        "separate BRE GAS connect MAO PAR",
        "separate BRE PAR connect MAO PIC",
        "separate BRE PIC connect MAO ENG",
        "separate BRE ENG connect MAO MAO",
    ];
    let table = SEISMIC_1971.set("S1905E", &events, &[(Power::FRANCE, &["A PAR"])], &[]);
    let map = table.game.terrain().chart().map();
    let texts: Vec<String> = table.game.quakes().iter().map(|quake| quake.event(map).to_string()).collect();
    let mut sorted = texts.clone();
    // Separations first.
    sorted.sort_by_key(|text| (text.starts_with("connect"), text.clone()));
    sorted.dedup();
    assert_eq!(texts, sorted);
    for (text, &quake) in texts.iter().zip(table.game.quakes()) {
        let order = WrittenSeismic::parse(text).expect("an order").resolve(map).expect("it fits");
        assert_eq!(order.quake, quake, "{text}");
        assert_eq!(WrittenSeismic::from_order(map, &order).to_string(), text.to_uppercase());
    }
    assert_eq!(texts.iter().filter(|text| *text == "connect BRE POR through MAO").count(), 1);
}

#[test]
fn seismic_every_option_reads_and_prints_alike() {
    let chart = atlas::standard();
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
        let text = format!("SEPARATE GAS SPA CONNECT MAO MAR{option}");
        let written = WrittenSeismic::parse(&text.to_lowercase()).expect("an order");
        let resolved = written.resolve(chart.map()).expect("it fits");
        assert_eq!((resolved.wishes.len(), written.to_string()), (wishes, text.clone()));
        assert_eq!(WrittenSeismic::from_order(chart.map(), &resolved).to_string(), text);
    }
    for text in [
        "SEPARATE MAO POR CONNECT MAO SPA #2 AT MAR SPA NONE",
        "CONNECT BRE POR THROUGH MAO STRAIT",
        "CONNECT BRE POR THROUGH MAO #1 CANAL BRE",
    ] {
        assert_eq!(WrittenSeismic::parse(text).expect("an order").to_string(), text);
    }
}
