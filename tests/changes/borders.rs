//! Sets of borders: `borders(land, sea)` of quakes, by name and on the standard board.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use upheaval::adjudicate::AdjudicationService;
use upheaval::game::Stage;
use upheaval::ids::Power;

use super::{file_with, sound, with};
use crate::helpers::table::{Lists, Table};

/// Quakes of these borders, and other entries before them.
fn quakes(of: &str, others: &str) -> String {
    format!(
        "{others}[[changes]]\nid = \"quakes\"\nchange = \"quake\"\nof = \"{of}\"\nseasons = \"spring-and-fall\"\n\
         [waterways]\nrule = \"isthmuses\"\n"
    )
}

/// A table in the first phase of quakes.
fn table(of: &str, others: &str) -> Table {
    let units: &Lists<'_> = &[(Power::FRANCE, &["A PAR"]), (Power::ITALY, &["A ROM"])];
    let mut table = Table::set_in(sound(&quakes(of, others)), "S1901M", &[], units, &[]);
    table.move_all(&[]);
    assert_eq!(table.game.stage(), Stage::Seismic);
    table
}

/// The orders of a table: those it offers, and those that the map would allow.
fn offered(table: &Table) -> [BTreeSet<String>; 2] {
    let map = table.game.terrain().chart().map();
    let text = |quakes: &[upheaval::topology::Quake]| {
        quakes.iter().map(|quake| quake.event(map).to_string()).collect()
    };
    [text(table.game.quakes()), text(table.game.terrain().quakes())]
}

/// The two faces whose border an order removes or makes, by its words.
fn moved(text: &str) -> [&str; 2] {
    let words: Vec<&str> = text.split(' ').collect();
    [words[1], words[2]]
}

/// In this phase France could divide Portugal from Spain or, in another file, Gascony from Marseilles.
const COASTAL: &str = "separate MAR SPA connect GAS LYO";
const INLAND: &str = "separate BUR GAS connect MAR PAR";

#[test]
fn an_order_is_allowed_if_its_border_is_between_a_face_of_each_set() {
    let table = table("borders(MAR | BUR, SPA | GAS)", "");
    let [offered, all] = offered(&table);
    let is_one = |text: &&String| {
        let [a, b] = moved(text);
        let has = |side: &[&str], face| side.contains(&face);
        let (one, other) = (["MAR", "BUR"], ["SPA", "GAS"]);
        has(&one, a) && has(&other, b) || has(&one, b) && has(&other, a)
    };
    let expected: BTreeSet<String> = all.iter().filter(is_one).cloned().collect();
    assert_eq!(offered, expected);
    assert!(offered.contains(COASTAL) && offered.contains(INLAND), "{offered:?}");
    assert!(offered.len() < all.len());
}

#[test]
fn an_order_at_another_border_is_void_however_many_give_it() {
    let mut table = table("borders(land & near(sea), land & near(sea))", "");
    let inland = "SEPARATE BUR PAR CONNECT GAS PIC";
    let before = table.game.terrain().hash();
    table.shake(&[(Power::FRANCE, inland), (Power::ITALY, inland)]);
    assert_eq!((table.shaken(Power::FRANCE), table.shaken(Power::ITALY)), (None, None));
    assert_eq!(table.game.terrain().hash(), before);
}

#[test]
fn the_sets_are_those_of_the_phase_after_all_other_entries() {
    let gone = "[[changes]]\nid = \"gone\"\nchange = \"void\"\n[changes.schedule]\n\
                S1901 = [\"BOH\"]\nF1901 = [\"PIC\"]\n";
    let (bohemia, picardy) = ("GAL MUN SIL TYR VIE", "BEL BRE BUR ENG PAR");
    let both = format!("{bohemia} {picardy}");
    for (of, spring, fall) in [
        ("borders(near(gone), near(gone))", bohemia, both.as_str()),
        ("borders(near(last(gone)), near(last(gone)))", bohemia, picardy),
    ] {
        let mut table = table(of, gone);
        for (season, near) in [("S1901E", spring), ("F1901E", fall)] {
            assert_eq!(table.phase(), season);
            let near: BTreeSet<&str> = near.split(' ').collect();
            let [offered, all] = offered(&table);
            let is_within = |text: &&String| moved(text).iter().all(|face| near.contains(face));
            let expected: BTreeSet<String> = all.iter().filter(is_within).cloned().collect();
            assert!(!offered.is_empty());
            assert_eq!(offered, expected, "{of} in {season}");
            table.shake(&[]);
            if table.game.stage() == Stage::Movement {
                table.move_all(&[]);
            }
        }
    }
}

#[test]
fn a_release_is_meant_by_the_border_that_it_makes() {
    let events = ["separate POR SPA connect MAO MAO"];
    let units: &Lists<'_> = &[(Power::FRANCE, &["A PAR"])];
    let release = "connect BRE POR through MAO".to_owned();
    for (of, has) in [("borders(BRE, POR)", true), ("borders(MAO, MAO)", false), ("borders(BRE, MAO)", false)]
    {
        let table = Table::set_in(sound(&quakes(of, "")), "F1901E", &events, units, &[]);
        let [offered, all] = offered(&table);
        assert!(all.contains(&release));
        assert_eq!(offered.contains(&release), has, "{of}: {offered:?}");
    }
}

#[test]
fn without_a_set_all_borders_move_and_the_entry_has_no_such_key() {
    let without = quakes("", "").replace("of = \"\"\n", "");
    let variant = sound(&without);
    let mut table = Table::set_in(variant.clone(), "S1901M", &[], &[(Power::FRANCE, &["A PAR"])], &[]);
    table.move_all(&[]);
    let [offered, all] = offered(&table);
    assert_eq!(offered, all);
    assert!(!variant.changes.content().to_string().contains("\"of\""));
    let with_all = sound(&quakes("borders(all, all)", ""));
    assert!(with_all.changes.content().to_string().contains("borders(all, all)"));
}

#[test]
fn a_request_in_the_phase_knows_the_sets_from_its_state() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.toml");
    let gone = "[[changes]]\nid = \"gone\"\nchange = \"void\"\n[changes.schedule]\nS1901 = [\"BUR\"]\n";
    std::fs::write(&path, file_with(&quakes("borders(near(gone), near(gone))", gone))).expect("a file");
    let mut service = AdjudicationService::within(folder.path().to_owned());
    let mut ask = |order: &str| -> Value {
        let request = json!({
            "id": 1, "variant": path, "phase": "S1901E", "nature": [], "map_events": ["void BUR"],
            "powers": { "FRANCE": { "units": ["A BRE"], "centers": ["BRE"] } },
            "orders": { "FRANCE": [order] }, "state": { "sets": { "gone": ["BUR"] } },
        });
        let answer = service.answer(&request.to_string()).unwrap_or_else(|error| panic!("{error}"));
        serde_json::to_value(answer).expect("it can be written")
    };
    let inside = ask("SEPARATE GAS PAR CONNECT BRE BUR");
    assert_eq!(inside["results"]["FRANCE"]["SEPARATE GAS PAR CONNECT BRE BUR"], json!(["ok"]));
    let outside = ask("SEPARATE BRE GAS CONNECT MAO PAR");
    assert_eq!(outside["results"]["FRANCE"]["SEPARATE BRE GAS CONNECT MAO PAR"], json!(["illegal"]));
}

#[test]
fn sets_of_borders_have_faults_of_their_own() {
    let mark = "[[changes]]\nid = \"spared\"\nchange = \"mark\"\n";
    let holes = "[[changes]]\nid = \"holes\"\nof = \"provinces\"\nchange = \"collapse\"\n";
    for (of, others, right) in [
        ("land", "", "a quake moves borders: write two sets, as in `borders(land, sea)`"),
        ("borders(land)", "", "write two sets"),
        ("borders(land, sea, sea)", "", "write two sets"),
        ("borders(land, see)", "", "`see` is neither a word"),
        ("borders(land, sea) | borders(sea, sea)", "", "`|` is not expected here"),
        (
            "borders(new(holes), land)",
            holes,
            "quakes have a phase of their own, in which `new(holes)` is empty",
        ),
        ("borders(land, spared)", mark, "`spared` is a secret of each power"),
    ] {
        let error = with(&quakes(of, others)).expect_err(of);
        assert!(error.contains(right), "{of}: {error}");
    }
    let places = "[[changes]]\nid = \"holes\"\nof = \"borders(land, sea)\"\nchange = \"collapse\"\n";
    let error = with(places).expect_err("places");
    assert!(error.contains("a set of borders is for quakes"), "{error}");
    let vote = "[[changes]]\nid = \"voted\"\nof = \"land - spared\"\nby = \"vote\"\nchange = \"void\"\n";
    let error = with(&(mark.to_owned() + vote)).expect_err("a vote");
    assert!(
        error.contains("`spared` is a secret of each power, and what powers can choose here is public"),
        "{error}"
    );
    let empty = sound(&quakes("borders(ice, land)", ""));
    let warnings = empty.changes.warnings(&empty.terrain, &empty.position);
    assert_eq!(warnings, ["`quakes`: `ice` is empty on the board at the start"]);
}
