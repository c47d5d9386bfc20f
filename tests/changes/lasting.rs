//! Durations by name: when a change ends, what is then so, and what happens to units and owners.

use upheaval::ids::Power;
use upheaval::rules::event::Event;
use upheaval::topology::{FaceKind, FaceState};

use super::{sound, with};
use crate::helpers::table::{Lists, Table};

/// An entry with a schedule.
fn entry(id: &str, change: &str, keys: &str, schedule: &str) -> String {
    format!("[[changes]]\nid = \"{id}\"\nchange = \"{change}\"\n{keys}\n[changes.schedule]\n{schedule}\n")
}

fn state(table: &Table, name: &str) -> (FaceKind, FaceState) {
    let map = table.game.terrain().chart().map();
    map.face(table.id(name)).map(|face| (face.kind(), face.state())).expect("a face")
}

/// In which of the first seasons, from Spring 1901, a face is a hole when orders are written.
fn hole_in(text: &str, seasons: usize) -> String {
    let mut table = Table::new_game(sound(text), 1950);
    let mut written = String::new();
    for _ in 0..seasons {
        if state(&table, "BUR").1 != FaceState::Open {
            written += &table.phase()[..5];
            written += " ";
        }
        table.season(&[]);
    }
    written.trim_end().to_owned()
}

#[test]
fn a_change_of_so_many_seasons_ends_at_the_end_of_the_last_movement_under_it() {
    let gone = |lasts: &str, at: &str, date: &str| {
        entry("gone", "void", &format!("lasts = \"{lasts}\"\nat = \"{at}\""), &format!("{date} = [\"BUR\"]"))
    };
    assert_eq!(hole_in(&gone("1 season", "end", "S1901"), 6), "F1901");
    assert_eq!(hole_in(&gone("1 season", "end", "W1901"), 6), "S1902");
    assert_eq!(hole_in(&gone("3 seasons", "end", "F1901"), 8), "S1902 F1902 S1903");
    assert_eq!(hole_in(&gone("1 season", "before-retreats", "S1901"), 6), "F1901");
}

#[test]
fn a_change_of_so_many_years_ends_at_the_same_point() {
    let gone = |date: &str| entry("gone", "void", "lasts = \"1 year\"", &format!("{date} = [\"BUR\"]"));
    assert_eq!(hole_in(&gone("S1901"), 6), "F1901 S1902");
    assert_eq!(hole_in(&gone("W1901"), 8), "S1902 F1902");
    let until = entry("gone", "void", "lasts = \"until F1902\"", "S1901 = [\"BUR\"]");
    assert_eq!(hole_in(&until, 8), "F1901 S1902 F1902");
    let yearly = entry("gone", "void", "lasts = \"until F1902\"", "fall = [\"BUR\"]");
    assert_eq!(hole_in(&yearly, 8), "S1902 F1902", "it does not act from that season on");
}

#[test]
fn what_is_over_ends_before_entries_act() {
    // What changed at the end of a Spring ends, and changes again, at the end of the next.
    let text = entry("gone", "void", "lasts = \"1 year\"", "spring = [\"BUR\"]");
    assert_eq!(hole_in(&text, 6), "F1901 S1902 F1902 S1903 F1903");
}

#[test]
fn a_change_without_an_end_replaces_one_with_an_end() {
    let text = entry("wet", "submerge", "lasts = \"2 years\"", "S1901 = [\"BUR\"]")
        + &entry("dry", "raise", "", "F1901 = [\"BUR\"]");
    let mut table = Table::new_game(sound(&text), 1950);
    table.season(&[]);
    assert_eq!(state(&table, "BUR").0, FaceKind::Sea);
    for _ in 0..6 {
        table.season(&[]);
        assert_eq!(state(&table, "BUR").0, FaceKind::Land);
    }
}

#[test]
fn a_change_with_an_end_shows_the_lasting_value_again() {
    // The lasting value stays sea, whatever comes and goes above it.
    let text = entry("wet", "submerge", "", "S1901 = [\"BUR\"]")
        + &entry("dry", "raise", "lasts = \"1 year\"", "F1901 = [\"BUR\"]");
    let mut table = Table::new_game(sound(&text), 1950);
    let mut kinds = Vec::new();
    for _ in 0..5 {
        table.season(&[]);
        kinds.push(state(&table, "BUR").0);
    }
    assert_eq!(kinds, [FaceKind::Sea, FaceKind::Land, FaceKind::Land, FaceKind::Sea, FaceKind::Sea]);
}

#[test]
fn ground_that_is_over_below_a_hole_shows_when_the_hole_comes_back() {
    let text = entry("wet", "submerge", "lasts = \"1 year\"", "S1901 = [\"BUR\"]")
        + &entry("gone", "void", "", "F1901 = [\"BUR\"]")
        + &entry("back", "restore", "", "F1902 = [\"BUR\"]");
    let mut table = Table::new_game(sound(&text), 1950);
    table.season(&[]).season(&[]).season(&[]);
    assert_eq!(state(&table, "BUR"), (FaceKind::Sea, FaceState::Void), "hidden");
    table.season(&[]);
    assert_eq!(state(&table, "BUR"), (FaceKind::Land, FaceState::Open));
}

#[test]
fn the_set_of_an_entry_loses_what_has_ended() {
    let text = entry("gone", "void", "lasts = \"1 season\"", "S1901 = [\"BUR\", \"GAS\"]\nF1901 = [\"PIC\"]")
        + "[[changes]]\nid = \"look\"\nof = \"gone\"\nchange = \"mark\"\n";
    let mut table = Table::new_game(sound(&text), 1950);
    table.season(&[]).season(&[]).season(&[]);
    assert_eq!(table.offered("look"), [vec!["BUR", "GAS"], vec!["PIC"], vec![]]);
}

#[test]
fn a_mark_with_an_end_is_gone_after_it() {
    let text = "[[changes]]\nid = \"look\"\nof = \"storm\"\nchange = \"restore\"\n"
        .replace("restore", "mark")
        + "[[changes]]\nid = \"storm\"\nof = \"sea\"\nchange = \"mark\"\nlasts = \"1 season\"\nseasons = \"spring\"\n";
    let mut table = Table::new_game(sound(&text), 1950).drawn("S1901", "storm", "ION");
    table.season(&[]).season(&[]).season(&[]);
    assert_eq!(table.offered("look").iter().map(Vec::len).sum::<usize>(), 0, "it ends before entries act");
    let early = text.replacen("change = \"mark\"", "change = \"mark\"\nat = \"before-retreats\"", 1);
    let mut table = Table::new_game(sound(&early), 1950).drawn("S1901", "storm", "ION");
    table.season(&[]).season(&[]);
    assert_eq!(table.offered("look"), [vec![], vec!["ION"]]);
}

#[test]
fn a_founded_centre_ends_and_a_ruined_one_comes_back_with_its_home() {
    let text = entry("young", "found", "lasts = \"1 year\"", "S1901 = [\"BUR\"]")
        + &entry("old", "ruin", "lasts = \"1 year\"\nback_owner = \"home-power\"", "S1901 = [\"PAR\"]");
    let mut table = Table::new_game(sound(&text), 1950);
    let [bur, par] = ["BUR", "PAR"].map(|name| table.id(name));
    table.season(&[]);
    assert!(table.game.terrain().centres().contains(bur) && !table.game.terrain().centres().contains(par));
    assert_eq!(table.centres(Power::FRANCE), ["BRE", "MAR"]);
    table.season(&[]).season(&[]);
    assert!(!table.game.terrain().centres().contains(bur));
    assert_eq!(table.centres(Power::FRANCE), ["BRE", "MAR", "PAR"]);
    assert!(table.game.terrain().homes()[Power::FRANCE].contains(par));
}

#[test]
fn both_halves_of_a_province_end_with_the_whole() {
    let text = entry("wet", "submerge", "lasts = \"1 year\"", "S1901 = [\"GAL\"]")
        + "[[changes]]\nid = \"cuts\"\nof = \"GAL\"\nchange = \"split\"\nuntil = \"S1901\"\n";
    let mut table = Table::new_game(sound(&text), 1950).split("S1901", "split GAL BOH RUM");
    table.season(&[]);
    assert_eq!(state(&table, "GAL.1").0, FaceKind::Sea);
    table.season(&[]).season(&[]);
    assert_eq!([state(&table, "GAL.1").0, state(&table, "GAL.2").0], [FaceKind::Land; 2]);
}

#[test]
fn an_army_on_ice_that_thaws_has_the_fate_of_what_ends() {
    let freeze = |fate: &str| {
        entry("frost", "freeze", &format!("lasts = \"1 year\"\nback_units = \"{fate}\""), "S1901 = [\"ADR\"]")
    };
    for (fate, left) in [("destroy", None), ("convert", Some("F ADR"))] {
        let units: &Lists<'_> = &[(Power::ITALY, &["A VEN"])];
        let mut table =
            Table::set_in(sound(&freeze(fate)), "S1901M", &[], units, &[(Power::ITALY, &["VEN"])]);
        table.season(&[]).season(&["A VEN - ADR"]);
        assert_eq!(table.units(Power::ITALY), ["A ADR"], "an army walks on ice");
        table.season(&[]);
        let units = table.units(Power::ITALY);
        assert_eq!(units.first().map(String::as_str), left, "{fate}");
        assert_eq!(state(&table, "ADR").0, FaceKind::Sea);
    }
}

#[test]
fn units_retreat_from_what_ends_before_the_retreats() {
    let keys = "lasts = \"1 season\"\nback_units = \"retreat\"";
    let text = entry("frost", "freeze", keys, "S1901 = [\"ADR\"]");
    let units: &Lists<'_> = &[(Power::ITALY, &["A VEN"])];
    let mut table = Table::set_in(sound(&text), "S1901M", &[], units, &[(Power::ITALY, &["VEN"])]);
    table.season(&[]).move_all(&["A VEN - ADR"]);
    assert_eq!(state(&table, "ADR").0, FaceKind::Sea, "it thaws before the retreats");
    assert_eq!(table.phase(), "F1901R");
    table.retreat(&["A ADR R APU"]);
    assert_eq!(table.units(Power::ITALY), ["A APU"]);
}

#[test]
fn a_restored_hole_with_an_end_is_a_hole_again() {
    let text = entry("gone", "void", "", "S1901 = [\"BUR\"]")
        + &entry("back", "restore", "lasts = \"1 year\"", "F1901 = [\"BUR\"]");
    assert_eq!(hole_in(&text, 7), "F1901 S1903 F1903 S1904");
}

#[test]
fn what_cannot_end_and_what_is_over_before_it_begins_is_refused() {
    for (text, why) in [
        ("change = \"split\"\nlasts = \"1 year\"", "cannot be undone"),
        ("change = \"void\"\nlasts = \"until S1901\"", "before the entry acts first"),
        ("change = \"void\"\nlasts = \"1 seasons\"", "`ever`, or a time"),
        ("change = \"void\"\nback_units = \"destroy\"", "is for changes that end"),
        ("change = \"void\"\nlasts = \"until F1903\"\nback_units = \"retreat\"", "units retreat before"),
        ("change = \"void\"\nlasts = \"1 year\"\nback_units = \"retreat\"", "one retreat phase"),
        ("change = \"restore\"\nof = \"holed | ice\"\nlasts = \"1 year\"", "either holes or ice"),
        (
            "change = { land = \"submerge\", hole = \"restore\" }\nlasts = \"1 year\"",
            "either holes or ground",
        ),
    ] {
        let set = if text.contains("hole =") { "land | holed" } else { "land" };
        let set = if text.contains("of =") { String::new() } else { format!("of = \"{set}\"\n") };
        let entry = format!("[[changes]]\nid = \"a\"\n{set}{text}\n");
        let error = with(&entry).expect_err(text);
        assert!(error.contains(why), "{text}: {error}");
    }
}

#[test]
fn the_end_is_told_by_the_event_of_the_opposite_change() {
    let text = entry("wet", "submerge", "lasts = \"1 year\"", "S1901 = [\"BUR\"]");
    let mut table = Table::new_game(sound(&text), 1950);
    table.season(&[]).season(&[]).season(&[]);
    let bur = table.id("BUR");
    assert!(
        table.when(|event| *event == Event::Submerged(bur))
            < table.when(|event| *event == Event::Raised(bur))
    );
}
