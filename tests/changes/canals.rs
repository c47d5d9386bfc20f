//! Canals that are dug and filled: what they join, where they do not fit, and how they end.

use std::collections::BTreeMap;

use serde_json::json;
use upheaval::adjudicate::AdjudicationService;
use upheaval::game::Stage;
use upheaval::game_record::{game_record_of, replay};
use upheaval::ids::Power;
use upheaval::rules::event::EventKind;
use upheaval::session::Session;

use super::{file_with, sound};
use crate::helpers::table::{Lists, Table};

/// The canal from the White Sea to the Baltic is dug in a Winter.
const WHITE_SEA: &str =
    "[[changes]]\nid = \"white-sea\"\nchange = \"dig\"\nends = { STP = [\"BAR\", \"BOT\"] }\n";

/// The entry with these keys and dates.
fn dug(keys: &str, dates: &str) -> String {
    format!("{WHITE_SEA}{keys}\n[changes.schedule]\n{dates}\n")
}

/// A table in Fall 1901 with a fleet at the south coast.
fn table(text: &str) -> Table {
    let units: &Lists<'_> = &[(Power::RUSSIA, &["F STP/SC", "A MOS"])];
    let centres: &Lists<'_> = &[(Power::RUSSIA, &["STP", "MOS"])];
    Table::set_in(sound(text), "S1901M", &[], units, centres)
}

fn has_canal(table: &Table, name: &str) -> bool {
    table.game.terrain().chart().map().dug().contains(table.id(name))
}

fn told(table: &Table) -> Vec<EventKind> {
    let of = [EventKind::Dug, EventKind::Filled, EventKind::Skipped, EventKind::PlaceDrawn];
    let kinds = table.told.events.iter().map(|(_, event)| event.description().kind);
    kinds.filter(|kind| of.contains(kind)).collect()
}

#[test]
fn fleets_pass_through_a_canal_from_the_next_season_on() {
    let mut table = table(&dug("", "S1901 = [\"STP\"]"));
    table.season(&[]);
    assert!(has_canal(&table, "STP"));
    assert_eq!(table.game.terrain().board().coasts(table.id("STP")), 1, "both coasts are one");
    table.season(&["F STP - BAR"]);
    assert!(table.units(Power::RUSSIA).contains(&"F BAR".to_owned()), "{:?}", table.units(Power::RUSSIA));
    assert_eq!(told(&table), [EventKind::Dug]);
}

#[test]
fn restore_fills_a_canal_and_the_owner_of_the_fleet_chooses_a_coast() {
    let text = dug("", "S1901 = [\"STP\"]")
        + "[[changes]]\nid = \"fill\"\nof = \"white-sea\"\nby = \"all\"\nchange = \"restore\"\nfrom = \"F1901\"\n
        [[changes]]\nid = \"look\"\nof = \"white-sea | (fill & MOS)\"\nchange = \"mark\"\ncount = 1\n";
    let mut table = table(&text);
    table.season(&[]);
    assert_eq!(table.offered("look"), [["STP"]]);
    table.move_all(&[]);
    assert_eq!(table.game.stage(), Stage::Coasts);
    let choice = &table.game.world().coast_choices[0];
    assert_eq!((table.name(choice.fleet), choice.coasts.len()), ("STP", 2));
    assert_eq!(table.offered("look")[1], [""; 0], "it is so no longer");
    assert!(!has_canal(&table, "STP"));
    assert_eq!(told(&table), [EventKind::Dug, EventKind::Filled]);
}

#[test]
fn a_canal_lasts_as_long_as_its_entry_says() {
    let mut table = table(&dug("lasts = \"2 seasons\"", "S1901 = [\"STP\"]"));
    let mut seen = Vec::new();
    for _ in 0..4 {
        table.season(&[]);
        seen.push(has_canal(&table, "STP"));
    }
    assert_eq!(seen, [true, true, false, false]);
    assert_eq!(told(&table), [EventKind::Dug, EventKind::Filled]);
}

#[test]
fn a_canal_that_ends_below_a_hole_or_a_sea_is_gone_when_the_place_comes_back() {
    for (change, back, of) in [("void", "restore", "STP"), ("submerge", "raise", "STP & sea")] {
        let text = dug("lasts = \"2 seasons\"", "S1901 = [\"STP\"]")
            + &format!(
                "[[changes]]\nid = \"gone\"\nchange = \"{change}\"\n[changes.schedule]\nF1901 = [\"STP\"]\n"
            )
            + &format!(
                "[[changes]]\nid = \"back\"\nof = \"{of}\"\nby = \"all\"\nchange = \"{back}\"\nfrom = \"F1902\"\n"
            );
        let mut table = table(&text);
        table.season(&[]).season(&[]);
        assert!(has_canal(&table, "STP"), "{change}: it stays where it is");
        table.season(&[]);
        assert!(!has_canal(&table, "STP"), "{change}: its time is over");
        table.season(&[]);
        assert_eq!(table.game.terrain().board().coasts(table.id("STP")), 2, "{change}");
    }
}

#[test]
fn a_canal_that_does_not_fit_is_skipped() {
    let text = "[[changes]]\nid = \"frozen\"\nof = \"BOT\"\nby = \"all\"\nchange = \"freeze\"\nuntil = \"S1901\"\n"
        .to_owned()
        + &dug("", "S1901 = [\"STP\"]")
        + "[[changes]]\nid = \"thaw\"\nof = \"frozen\"\nby = \"all\"\nchange = \"restore\"\nfrom = \"F1901\"\n
        [[changes]]\nid = \"again\"\nchange = \"dig\"\nends = { STP = [\"BOT\", \"BAR\"] }\n[changes.schedule]
        F1901 = [\"STP\"]\nS1902 = [\"STP\"]\n";
    let mut table = table(&text);
    table.season(&[]);
    assert_eq!((told(&table), has_canal(&table, "STP")), (vec![EventKind::Skipped], false), "a sea is ice");
    table.season(&[]).season(&[]);
    assert_eq!(told(&table), [EventKind::Skipped, EventKind::Dug, EventKind::Skipped], "it is dug already");
}

#[test]
fn the_half_with_both_ends_has_the_canal() {
    let text = dug("", "S1901 = [\"STP\"]")
        + "[[changes]]\nid = \"cuts\"\nof = \"STP\"\nchange = \"split\"\nfrom = \"F1901\"\nuntil = \"F1901\"\n
        [[changes]]\nid = \"look\"\nof = \"white-sea\"\nchange = \"mark\"\n";
    for (ends, halves) in [("FIN NWY", 1), ("FIN MOS", 0)] {
        let mut table = table(&text).split("F1901", &format!("split STP {ends}"));
        table.season(&[]).season(&[]);
        let dug = table.game.terrain().chart().map().dug();
        assert_eq!(dug.len(), halves, "{ends}");
        let named = table.names(dug).into_iter().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(table.offered("look")[1], named, "{ends}");
    }
}

#[test]
fn a_game_with_canals_is_replayed_from_its_log() {
    let text = "[[changes]]\nid = \"canals\"\nof = \"STP | SPA | BUL\"\nchange = \"dig\"\nlasts = \"2 years\"
        ends = { STP = [\"BAR\", \"BOT\"], SPA = [\"MAO\", \"LYO\"], BUL = [\"BLA\", \"AEG\"] }\n
        [[changes]]\nid = \"fill\"\nof = \"canals\"\nchange = \"restore\"\nseasons = \"fall\"\n";
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..4 {
        let mut session = Session::of(sound(text), seed).ending_in(1906);
        while !session.is_over() {
            session.advance();
        }
        let record = game_record_of(&session).expect("played");
        for event in record.stages.iter().flat_map(|stage| &stage.events) {
            *kinds.entry(event.kind.clone()).or_default() += 1;
        }
        let again = replay(&record, session.variant().clone(), &mut |_| {}).expect("the same game");
        assert_eq!(again.hash(), session.game().hash());
    }
    assert!(kinds["dug"] > 10 && kinds["filled"] > 10 && kinds["place_drawn"] > 10, "{kinds:?}");
}

#[test]
fn requests_name_canals_and_tell_of_them() {
    let text = "[[changes]]\nid = \"canals\"\nof = \"STP | SPA\"\nchange = \"dig\"
        ends = { STP = [\"BAR\", \"BOT\"], SPA = [\"MAO\", \"LYO\"] }\n
        [[changes]]\nid = \"fill\"\nof = \"canals\"\nchange = \"restore\"\nfrom = 1902\n";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, file_with(text)).expect("a file");
    let mut service = AdjudicationService::within(std::env::temp_dir());
    let mut answer = |phase: &str, nature: &[&str], events: &[&str], sets: serde_json::Value| {
        let powers: BTreeMap<&str, serde_json::Value> =
            [("FRANCE", json!({"units": ["A BUR"], "centers": ["PAR"]}))].into();
        let request = json!({
            "id": 1, "variant": path, "phase": phase, "nature": nature, "map_events": events, "powers": powers,
            "orders": {}, "state": {"sets": sets},
        });
        let answer = service.answer(&request.to_string()).map_err(|error| error.to_string())?;
        let answer = serde_json::to_value(answer).expect("it can be written");
        Ok::<_, String>(answer["next"]["map_events"].to_string())
    };
    let dug = answer("S1901M", &["dig STP BAR BOT"], &[], json!({}));
    assert_eq!(dug, Ok(r#"["dig STP BAR BOT"]"#.to_owned()));
    for other in ["canals: dig POR MAO SPA", "dig STP BAR NTH", "dig SPA BAR BOT"] {
        let error = answer("S1901M", &[other], &[], json!({})).expect_err("no such canal");
        assert!(error.contains("draws no such event"), "{error}");
    }
    let filled = answer("S1902M", &["fill STP"], &["dig STP BAR BOT"], json!({"canals": ["STP"]}));
    assert_eq!(filled, Ok(r#"["dig STP BAR BOT","fill STP"]"#.to_owned()));
}
