//! `sahara`: the rules of Sahara, as docs/rules.md lists them.

use std::collections::BTreeMap;

use crate::helpers::shipped::{SAHARA, variant};
use crate::helpers::table::{Lists, Table};
use upheaval::game::Stage;
use upheaval::ids::{Power, ProvinceId};
use upheaval::record::GameEnd;
use upheaval::rules::adjustment::Owed;
use upheaval::rules::event::Event;
use upheaval::rules::rulebook::Rulebook;

/// The seas that dry up at the end of each season, with the places that open then.
const DRY: &str =
    "F1902 EAS ION | S1903 AEG TYS WES | F1903 ADR BLA LYO | S1904 CAS MAO | F1904 ENG IRI | S1905 BAL HEL |
    F1905 BOT IRE NAO NTH SKA | S1906 BAR ICE NWG";

/// The centres that begin.
const BEGIN: &str = "F1903 AEG TYS | S1904 ALB APU | F1904 BLA CAS LYO | S1905 MAO TUS | F1905 ADR GAL GAS |
    S1906 BOH TYR UKR | F1907 LVN SIL | S1908 BUR PIC PIE | F1908 ENG | S1909 FIN ICE";

/// The centres that end; that of the Aegean Sea ends with the desert, before its date.
const END: &str = "F1903 SMY TUN | S1904 GRE NAP | F1904 ANK CON TYS | S1905 MAR POR ROM | F1905 AEG APU BUL SPA | S1906 ALB SER |
    F1907 BLA CAS | S1908 LYO RUM VEN | F1908 ADR SEV TRI | S1909 BUD GAL TUS UKR VIE | F1909 GAS MOS PIE WAR |
    S1910 BOH MAO MUN SIL STP TYR | F1910 BER BRE BUR FIN LVN PAR PIC | S1911 BEL DEN ENG HOL KIE NWY SWE |
    F1911 EDI LON LVP";

/// The desert; from 1908 on it follows the rule of docs/rules.md.
const DESERT: &str = "F1904 EAS ION NAF SYR TUN | F1905 AEG ARM GRE NAP SMY TYS WES | F1906 ANK APU CON ROM |
    F1907 ALB BUL CAS SPA | F1908 ADR BLA LYO MAR POR RUM SER SEV TRI VEN | F1909 BUD GAL GAS MOS PIE TUS UKR VIE";

/// The rows of a table as it is written above.
fn rows(table: &str) -> BTreeMap<String, Vec<String>> {
    let words = |row: &str| row.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
    table.split('|').map(words).map(|row| (row[0].clone(), row[1..].to_vec())).collect()
}

/// A game in which England stays at home, to its end.
fn played() -> Table {
    let units: &Lists<'_> = &[(Power::ENGLAND, &["A LON"])];
    let mut table = SAHARA.set("S1901M", &[], units, &[(Power::ENGLAND, &["LON"])]);
    while table.game.stage() != Stage::Over {
        table.season(&[]);
    }
    table
}

/// The places of these events, by the season at whose end they happened.
fn told(table: &Table, of: impl Fn(&Event) -> Option<ProvinceId>) -> BTreeMap<String, Vec<String>> {
    let mut rows: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (at, event) in &table.told.events {
        if let Some(id) = of(event) {
            rows.entry(at.to_string()[..5].to_owned()).or_default().push(table.name(id).to_owned());
        }
    }
    rows.values_mut().for_each(|row| row.sort_unstable());
    rows
}

#[test]
fn sahara_the_seas_dry_up_and_the_caspian_ireland_and_iceland_open_on_their_dates() {
    let table = played();
    let found = told(&table, |event| match event {
        Event::Raised(id) | Event::Opened(id) => Some(*id),
        _ => None,
    });
    assert_eq!(found, rows(DRY));
    let seas = table.game.terrain().board().sea();
    assert!(seas.is_empty(), "{:?} are left", table.names(*seas));
}

#[test]
fn sahara_centres_begin_and_end_on_their_dates_and_only_iceland_is_left() {
    let table = played();
    let begun = told(&table, |event| match event {
        Event::CentreFounded(id, ..) => Some(*id),
        _ => None,
    });
    assert_eq!(begun, rows(BEGIN));
    let ended = told(&table, |event| match event {
        Event::CentreRuined(id) => Some(*id),
        _ => None,
    });
    assert_eq!(ended, rows(END));
    assert_eq!(table.names(*table.game.terrain().centres()), ["ICE"]);
}

#[test]
fn sahara_the_desert_follows_its_table_to_1907_and_then_the_centres() {
    let mut found = told(&played(), |event| match event {
        Event::Voided(id) => Some(*id),
        _ => None,
    });
    let rest: Vec<String> = found.split_off("F1910").into_values().flatten().collect();
    assert_eq!(found, rows(DESERT));
    assert!(rest.contains(&"MAO".to_owned()) && rest.contains(&"STP".to_owned()), "{rest:?}");
    assert!(!rest.contains(&"ICE".to_owned()), "a centre");
}

#[test]
fn sahara_the_changes_come_after_the_owners_of_fall_and_before_the_adjustments() {
    let units: &Lists<'_> = &[(Power::TURKEY, &["A SYR", "A CON"])];
    let mut table = SAHARA.set("F1903M", &[], units, &[(Power::TURKEY, &["CON"])]);
    table.move_all(&["A SYR - SMY"]);
    assert_eq!(table.phase(), "W1903A");
    let [captured, ruined] = [
        table.when(|event| matches!(event, Event::Captured { .. })),
        table.when(|event| matches!(event, Event::CentreRuined(_))),
    ];
    assert!(captured.is_some() && captured < ruined);
    assert_eq!(table.game.owed(Power::TURKEY), Owed::Removals(1), "Smyrna does not count any more");
}

/// The seas beside these dry up, one after the other.
const SOUTH: [&str; 5] = ["raise EAS", "raise ION", "raise AEG", "raise TYS", "raise WES"];

#[test]
fn sahara_a_fleet_that_still_has_a_coast_stays_a_fleet() {
    let units: &Lists<'_> = &[(Power::ITALY, &["F AEG", "F TYS"])];
    let mut table = SAHARA.set("S1903M", &SOUTH[..2], units, &[(Power::ITALY, &["ROM", "NAP"])]);
    table.season(&[]);
    let fleets = table.units(Power::ITALY);
    assert!(fleets[1].starts_with("F TYS"), "on the coast of the Gulf of Lyon: {fleets:?}");
    assert!(
        table.when(|event| matches!(event, Event::Converted(..))).is_some(),
        "the one in the Aegean has none"
    );
    assert_eq!(fleets[0], "A AEG");
}

#[test]
fn sahara_a_stranded_fleet_becomes_an_army_unless_its_owner_disbands_it() {
    for (disbanded, left) in [(&[][..], &["A LYO", "A MAR"][..]), (&["LYO"], &["A MAR"])] {
        let units: &Lists<'_> = &[(Power::ITALY, &["F LYO", "F MAR"])];
        let mut table = SAHARA.set("F1903M", &SOUTH, units, &[(Power::ITALY, &["ROM", "NAP"])]);
        table.move_all(&[]);
        assert_eq!(table.game.trapped().len(), 2, "in the sea that dried up, and on its shore");
        table.disband_trapped(disbanded);
        assert_eq!(table.units(Power::ITALY), left);
    }
}

#[test]
fn sahara_a_dried_sea_has_a_coast_on_each_sea_beside_it() {
    let units: &Lists<'_> = &[(Power::ITALY, &["F ADR"])];
    let mut table = SAHARA.set("F1902M", &[], units, &[(Power::ITALY, &["ROM"])]);
    table.season(&[]).season(&["F ADR - ION"]);
    assert!(table.units(Power::ITALY)[0].starts_with("F ION"), "{:?}", table.units(Power::ITALY));
}

#[test]
fn sahara_a_new_centre_belongs_to_the_unit_there_else_to_the_last_one_there_else_to_nobody() {
    let units: &Lists<'_> = &[(Power::ITALY, &["A APU"]), (Power::TURKEY, &["A ALB"])];
    let centres: &Lists<'_> = &[(Power::ITALY, &["ROM"]), (Power::TURKEY, &["SMY", "CON"])];
    let owners = |orders: &[&str]| {
        let mut table = SAHARA.set("F1903M", &[], units, centres);
        table.season(&[]).season(orders);
        ["APU", "ALB"].map(|name| table.position().owner(table.id(name)))
    };
    assert_eq!(owners(&[]), [Some(Power::ITALY), Some(Power::TURKEY)], "at once, in Spring");
    assert_eq!(owners(&["A APU - VEN", "A ALB - SER"]), [Some(Power::ITALY), Some(Power::TURKEY)]);
    let mut table = SAHARA.set("S1904M", &[], &[(Power::ITALY, &["A VEN"])], centres);
    table.season(&[]);
    assert_eq!(table.position().owner(table.id("APU")), None);
}

#[test]
fn sahara_units_in_the_desert_are_destroyed_and_it_is_impassable() {
    let units: &Lists<'_> = &[(Power::FRANCE, &["A NAF", "A SPA"])];
    let mut table = SAHARA.set("F1904M", &[], units, &[(Power::FRANCE, &["PAR", "BRE"])]);
    table.move_all(&[]);
    assert_eq!(table.units(Power::FRANCE), ["A SPA"]);
    assert!(!table.game.terrain().board().passable().contains(table.id("NAF")));
}

#[test]
fn sahara_builds_are_not_bound_to_home_centres() {
    let table =
        SAHARA.set("W1901A", &[], &[(Power::FRANCE, &["A PAR"])], &[(Power::FRANCE, &["PAR", "SPA"])]);
    assert_eq!(table.names(table.game.build_sites(Power::FRANCE)), ["SPA"]);
}

#[test]
fn sahara_the_power_in_iceland_at_the_end_of_1911_wins() {
    let units: &Lists<'_> = &[(Power::RUSSIA, &["A ICE"]), (Power::ENGLAND, &["A LON", "A EDI"])];
    let centres: &Lists<'_> = &[(Power::ENGLAND, &["LON", "EDI"])];
    let mut table = SAHARA.set("S1909M", &["open ICE"], units, centres);
    let row = table.recorded(|table| {
        for _ in 0..3 {
            table.season(&[]).season(&[]);
        }
        table
    });
    assert_eq!((row.end, row.winner), (GameEnd::Solo, Some(Power::RUSSIA)));
    assert_eq!(table.units(Power::ENGLAND), [""; 0], "its centres have ended");
}

#[test]
fn sahara_the_1971_rulebook_and_a_board_with_three_places_that_open() {
    let sahara = variant("sahara");
    assert_eq!(sahara.rulebook, Rulebook::R1971);
    let map = sahara.terrain.chart().map();
    let counts = map.counts();
    assert_eq!([counts.faces, counts.borders, counts.corners], [80, 234, 156]);
    let beside = |name: &str| {
        let cycles = map.printed_cycles(map.find(name).expect("a face"));
        let mut names: Vec<&str> = cycles[0].iter().map(|&side| map.name(map.across(side))).collect();
        names.sort_unstable();
        names.join(" ")
    };
    assert_eq!(beside("CAS"), "ARM MOS OUT SEV");
    assert_eq!(beside("IRE"), "IRI MAO NAO");
    assert_eq!(beside("ICE"), "NAO NWG");
}
