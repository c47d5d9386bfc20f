//! The fates of units by name: of those that may not stay, that were ordered into a hole, and of fleets without a coast.

use upheaval::ids::Power;
use upheaval::rules::event::{Event, Founding};

use super::{sound, with};
use crate::helpers::table::{Lists, Table};

/// A position of Italy and Austria with an entry that changes one place in Spring 1901.
fn table(change: &str, keys: &str, place: &str, italy: &[&str], austria: &[&str]) -> Table {
    let text = format!(
        "[[changes]]\nid = \"it\"\nchange = \"{change}\"\n{keys}\n[changes.schedule]\nS1901 = [\"{place}\"]\n"
    );
    let units: &Lists<'_> = &[(Power::ITALY, italy), (Power::AUSTRIA, austria)];
    let centres: &Lists<'_> = &[(Power::ITALY, &["ROM"]), (Power::AUSTRIA, &["VIE"])];
    Table::set_in(sound(&text), "S1901M", &[], units, centres)
}

const EARLY: &str = "at = \"before-retreats\"\n";

#[test]
fn a_unit_in_a_hole_retreats_as_if_dislodged_by_nobody() {
    let mut table = table("void", &format!("{EARLY}units = \"retreat\""), "TYR", &["A TYR"], &["A BOH"]);
    table.move_all(&[]);
    assert_eq!(table.phase(), "S1901R");
    let options: Vec<&str> =
        table.game.retreat_options(0).iter().map(|to| table.name(to.province)).collect::<Vec<_>>();
    assert_eq!(options.len(), 5, "to all sides but the occupied one: {options:?}");
    table.retreat(&["A TYR R VEN"]);
    assert_eq!(table.units(Power::ITALY), ["A VEN"]);
}

#[test]
fn a_unit_that_chooses_goes_with_the_hole_unless_it_retreats() {
    let keys = format!("{EARLY}units = \"choose\"");
    let back = "[[changes]]\nid = \"back\"\nchange = \"restore\"\nat = \"before-retreats\"\n
        [changes.schedule]\nF1901 = [\"TYR\"]\n";
    for (retreat, units) in [(&["A TYR R VEN"][..], ["A VEN"]), (&[], ["A TYR"])] {
        let text = format!(
            "[[changes]]\nid = \"it\"\nchange = \"void\"\n{keys}\n[changes.schedule]\nS1901 = [\"TYR\"]\n{back}"
        );
        let set: &Lists<'_> = &[(Power::ITALY, &["A TYR"])];
        let mut table = Table::set_in(sound(&text), "S1901M", &[], set, &[(Power::ITALY, &["ROM"])]);
        table.move_all(&[]).retreat(retreat);
        assert_eq!(table.game.world().swallowed.len(), usize::from(retreat.is_empty()));
        assert!(table.game.world().leaving.is_empty());
        table.season(&[]);
        assert_eq!(table.units(Power::ITALY), units);
    }
}

#[test]
fn a_unit_that_chooses_and_has_nowhere_to_go_goes_with_the_hole() {
    let keys = format!("{EARLY}units = \"choose\"");
    let mut table = table("void", &keys, "POR", &["A POR"], &["F SPA/SC"]);
    table.move_all(&[]);
    assert_eq!(table.phase(), "F1901M", "it has no retreat to order");
    assert_eq!(table.game.world().swallowed.len(), 1);
}

#[test]
fn units_that_were_moving_in_are_not_swallowed_by_a_hole_from_which_units_choose() {
    let keys = format!("{EARLY}units = \"choose\"");
    let mut table = table("void", &keys, "TYR", &["A VEN"], &["A VIE"]);
    table.move_all(&["A VEN - TYR", "A VIE - TYR"]);
    assert_eq!(
        (table.units(Power::ITALY), table.units(Power::AUSTRIA)),
        (vec!["A VEN".into()], vec!["A VIE".into()])
    );
}

#[test]
fn units_that_were_ordered_into_a_hole_are_destroyed_if_the_entry_says_so() {
    let keys = format!("{EARLY}entering = \"destroy\"");
    let mut table = table("void", &keys, "TYR", &["A VEN"], &["A VIE", "A BOH"]);
    table.move_all(&["A VEN - TYR", "A VIE - TYR"]);
    assert!(table.units(Power::ITALY).is_empty());
    assert_eq!(table.units(Power::AUSTRIA), ["A BOH"]);
}

#[test]
fn an_army_in_land_that_sinks_becomes_a_fleet() {
    let mut table = table("submerge", "units = \"convert\"", "TUS", &["A TUS"], &[]);
    table.season(&[]);
    assert_eq!(table.units(Power::ITALY), ["F TUS"]);
    assert!(table.when(|event| matches!(event, Event::Converted(..))).is_some());
    table.season(&["F TUS - TYS"]);
    assert_eq!(table.units(Power::ITALY), ["F TYS"]);
}

#[test]
fn an_army_that_becomes_a_fleet_may_be_disbanded_by_its_owner() {
    for disbands in [true, false] {
        let mut table = table("submerge", "units = \"convert-or-disband\"", "TUS", &["A TUS", "A ROM"], &[]);
        table.move_all(&[]);
        assert_eq!(table.game.trapped().len(), 1);
        table.disband_trapped(if disbands { &["TUS"] } else { &[] });
        assert_eq!(table.units(Power::ITALY).len(), if disbands { 1 } else { 2 });
    }
}

#[test]
fn an_army_retreats_from_land_that_sinks() {
    let mut table = table("submerge", &format!("{EARLY}units = \"retreat\""), "TUS", &["A TUS"], &[]);
    table.move_all(&[]);
    table.retreat(&["A TUS R VEN"]);
    assert_eq!(table.units(Power::ITALY), ["A VEN"]);
}

#[test]
fn a_fleet_in_a_sea_that_freezes_is_destroyed_trapped_or_becomes_an_army() {
    for (fate, left) in [("destroy", None), ("trap", Some("F ADR")), ("convert", Some("A ADR"))] {
        let mut table = table("freeze", &format!("units = \"{fate}\""), "ADR", &["F ADR"], &[]);
        table.season(&[]);
        assert_eq!(table.units(Power::ITALY).first().map(String::as_str), left, "{fate}");
    }
}

#[test]
fn a_fleet_in_the_ice_may_only_hold_and_sails_again_after_the_thaw() {
    let keys = "units = \"trap\"\nlasts = \"1 year\"";
    let mut table = table("freeze", keys, "ADR", &["F ADR"], &[]);
    table.season(&[]);
    let adr = table.id("ADR");
    assert!(table.game.terrain().board().fleet_reach_any(adr).is_empty());
    table.season(&[]).season(&[]);
    assert_eq!(table.units(Power::ITALY), ["F ADR"]);
    table.season(&["F ADR - ION"]);
    assert_eq!(table.units(Power::ITALY), ["F ION"]);
}

#[test]
fn a_fleet_whose_sea_rises_keeps_a_coast_or_has_the_fate_of_the_stranded() {
    // The Adriatic as land has a coast on the Ionian Sea.
    let mut kept = table("raise", "", "ADR", &["F ADR"], &[]);
    kept.season(&[]);
    assert_eq!(kept.units(Power::ITALY), ["F ADR"]);
    for (fate, left) in [
        ("destroy", None),
        ("trap", Some("F BLA")),
        ("convert", Some("A BLA")),
        ("convert-or-disband", Some("A BLA")),
    ] {
        let mut table = table("raise", &format!("stranded = \"{fate}\""), "BLA", &["F BLA"], &[]);
        table.season(&[]);
        assert_eq!(table.units(Power::ITALY).first().map(String::as_str), left, "{fate}");
    }
}

#[test]
fn fleets_on_the_coasts_of_a_sea_that_rises_are_stranded_too() {
    let mut table = table("raise", "stranded = \"convert\"", "BLA", &["F SEV", "F RUM"], &["F CON"]);
    table.season(&[]);
    let mut units = table.units(Power::ITALY);
    units.sort();
    assert_eq!(units, ["A RUM", "A SEV"]);
    assert_eq!(table.units(Power::AUSTRIA), ["F CON"], "Constantinople has the Aegean Sea");
}

#[test]
fn a_mark_strikes_all_units_in_the_place_if_the_entry_says_so() {
    let mut spared = table("mark", "", "TYR", &["A TYR"], &["A BOH"]);
    spared.season(&[]);
    assert_eq!(spared.units(Power::ITALY), ["A TYR"], "the default is to stay");
    let mut struck = table("mark", "units = \"destroy\"", "TYR", &["A TYR"], &["A BOH"]);
    struck.season(&[]);
    assert!(struck.units(Power::ITALY).is_empty());
    assert_eq!(struck.units(Power::AUSTRIA), ["A BOH"]);
}

#[test]
fn a_lost_centre_of_a_hole_does_not_come_back_and_a_sleeping_one_does() {
    for (centre, is_back) in [("asleep", true), ("lost", false)] {
        let text = format!(
            "[[changes]]\nid = \"gone\"\nchange = \"void\"\ncentre = \"{centre}\"\nlasts = \"1 year\"
            back_owner = \"last-owner\"\n[changes.schedule]\nS1901 = [\"PAR\"]\n"
        );
        let mut table = Table::new_game(sound(&text), 1950);
        table.season(&[]).season(&[]).season(&[]);
        assert_eq!(table.centres(Power::FRANCE).contains(&"PAR"), is_back, "{centre}");
    }
}

#[test]
fn a_founded_centre_is_the_home_that_the_entry_says() {
    for (home, is_home) in [("none", false), ("country", true), ("owner", true)] {
        let text = format!(
            "[[changes]]\nid = \"young\"\nchange = \"found\"\nowner = \"country\"\nhome = \"{home}\"\n
            [changes.schedule]\nS1901 = [\"TYR\"]\n[countries]\nITALY = [\"TYR\"]\n"
        );
        let mut table = Table::new_game(sound(&text), 1950);
        table.season(&[]);
        let tyr = table.id("TYR");
        assert!(table.centres(Power::ITALY).contains(&"TYR"));
        assert_eq!(table.game.terrain().homes()[Power::ITALY].contains(tyr), is_home, "{home}");
        // Whose home it is does not follow from its date, so a request says it among the changes of the map.
        let told = if is_home { Founding::Home(Some(Power::ITALY)) } else { Founding::Dated };
        assert!(
            table.when(|event| matches!(event, Event::CentreFounded(_, _, how) if *how == told)).is_some()
        );
    }
}

#[test]
fn fates_that_units_cannot_have_are_refused_with_the_reason() {
    for (change, keys, why) in [
        ("void", "units = \"retreat\"", "one retreat phase"),
        ("void", "at = \"before-retreats\"\nunits = \"convert\"", "land becomes sea, or sea ice"),
        ("void", "units = \"stay\"", "for marks"),
        ("submerge", "at = \"before-retreats\"\nunits = \"choose\"", "only holes swallow"),
        ("submerge", "units = \"trap\"", "only ice traps"),
        ("submerge", "centre = \"lost\"", "is lost in any case"),
        ("found", "units = \"destroy\"", "no unit has to leave"),
        ("void", "home = \"owner\"", "only `found`"),
        ("void", "entering = \"destroy\"", "before-retreats"),
    ] {
        let text = format!("[[changes]]\nid = \"a\"\nof = \"land\"\nchange = \"{change}\"\n{keys}\n");
        let error = with(&text).expect_err(&text);
        assert!(error.contains(why), "{text}: {error}");
    }
}
