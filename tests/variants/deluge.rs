//! `deluge`: the rules in which Deluge (ru02) differs from Deluge II, as docs/rules.md lists them.

use std::collections::BTreeSet;

use crate::helpers::shipped::{DELUGE, DELUGE_II, variant};
use crate::helpers::table::{Lists, Table};
use upheaval::game::Stage;
use upheaval::ids::{Power, ProvinceId};
use upheaval::reading::{OrderSource, OrderText};
use upheaval::record::GameEnd;
use upheaval::rules::adjustment::Owed;
use upheaval::rules::event::Event;

const ENGLAND: Power = Power::ENGLAND;
const FRANCE: Power = Power::FRANCE;

/// The provinces that sink at the end of each Winter.
const SINK: [(u16, &str); 7] = [
    (1901, "LON HOL BEL GAS VEN LVN"),
    (1902, "YOR PIC APU RUM SEV FIN SYR DEN LVP"),
    (1903, "ARM BRE STP PAR TUS NAP BUD KIE"),
    (1904, "BER MOS MAR POR ROM VIE BUL GRE PRU RUH GAL UKR"),
    (1905, "WAL CLY SWE TRI ALB WAR CON"),
    (1906, "EDI SPA TUN SER SMY SIL BOH"),
    (1907, "NWY MUN PIE TYR NAF BUR ANK"),
];

/// The provinces that become centres.
const BEGIN: [(u16, &str); 6] =
    [(1902, "WAL RUH TYR"), (1903, "UKR"), (1904, "PIE"), (1905, "BOH SIL"), (1906, "SWI"), (1907, "NAF")];

/// The places of the events of a Winter.
fn places(table: &Table, year: u16, of: impl Fn(&Event) -> Option<ProvinceId>) -> BTreeSet<String> {
    let events = table.told.events.iter().filter(|(at, _)| at.to_string() == format!("W{year}A"));
    events.filter_map(|(_, event)| of(event)).map(|id| table.name(id).to_owned()).collect()
}

#[test]
fn ru02_the_tables_of_what_sinks_begins_and_opens() {
    let units: &Lists<'_> = &[(ENGLAND, &["F NTH"])];
    let mut table = DELUGE.set("S1901M", &[], units, &[(ENGLAND, &["MUN"])]);
    while table.game.stage() != Stage::Over {
        table.season(&[]);
    }
    let set = |names: &str| names.split(' ').map(str::to_owned).collect::<BTreeSet<_>>();
    let of = |list: &[(u16, &str)], year| {
        list.iter().find(|(at, _)| *at == year).map_or(BTreeSet::new(), |(_, names)| set(names))
    };
    for year in 1901..=1908 {
        let sunk = |event: &Event| match event {
            Event::Submerged(id) => Some(*id),
            _ => None,
        };
        let begun = |event: &Event| match event {
            Event::CentreFounded(id, ..) => Some(*id),
            _ => None,
        };
        let opened = |event: &Event| match event {
            Event::Opened(id) => Some(*id),
            _ => None,
        };
        assert_eq!(places(&table, year, sunk), of(&SINK, year), "{year} sinks");
        assert_eq!(places(&table, year, begun), of(&BEGIN, year), "{year} begins");
        assert_eq!(places(&table, year, opened), of(&[(1904, "SWI")], year), "{year} opens");
    }
    assert!(!table.game.terrain().board().passable().contains(table.id("ICE")), "Iceland stays impassable");
}

#[test]
fn ru02_armies_in_a_province_that_sinks_become_fleets() {
    for (variant, left) in [(DELUGE, &["F LON"][..]), (DELUGE_II, &[])] {
        let mut table = variant.set("W1901A", &[], &[(ENGLAND, &["A LON"])], &[(ENGLAND, &["EDI"])]);
        table.adjust();
        assert_eq!(table.units(ENGLAND), left);
    }
}

#[test]
fn ru02_only_an_army_in_a_coastal_centre_that_is_not_attacked_becomes_a_fleet() {
    let units: &Lists<'_> = &[(ENGLAND, &["A LVP", "A WAL", "A MUN"]), (FRANCE, &["F IRI"])];
    let table = || DELUGE.set("S1901M", &[], units, &[(ENGLAND, &["LVP", "MUN"])]);
    let is_legal = |text| {
        let line = [OrderText { power: ENGLAND, text }];
        table().understand(&line, OrderSource::Player).remove(0).is_ok()
    };
    assert!(is_legal("A LVP T F"), "a coastal centre");
    assert!(!is_legal("A WAL T F"), "not a centre");
    assert!(!is_legal("A MUN T F"), "not coastal");
    let after = |orders: &[&str]| table().season(orders).units(ENGLAND)[..].to_vec();
    assert!(after(&["A LVP T F"]).contains(&"F LVP".to_owned()));
    assert!(
        after(&["A LVP T F", "F IRI - LVP"]).contains(&"A LVP".to_owned()),
        "an attack that fails prevents it"
    );
    // Without a centre's owner it is not a centre of anybody.
    let neutral = DELUGE.set("S1901M", &[], &[(ENGLAND, &["A DEN"])], &[(ENGLAND, &["LVP"])]);
    let line = [OrderText { power: ENGLAND, text: "A DEN T F" }];
    assert!(neutral.understand(&line, OrderSource::Player).remove(0).is_err());
}

#[test]
fn ru02_a_new_centre_in_an_original_country_is_a_home_of_that_country_whoever_owns_it() {
    let units: &Lists<'_> = &[(Power::ITALY, &["A TYR"]), (Power::AUSTRIA, &["A VIE"])];
    let mut table = DELUGE.set("W1902A", &[], units, &[(Power::ITALY, &["ROM"]), (Power::AUSTRIA, &["VIE"])]);
    table.adjust();
    let tyrolia = table.id("TYR");
    assert_eq!(table.position().owner(tyrolia), Some(Power::ITALY));
    assert!(table.game.terrain().homes()[Power::AUSTRIA].contains(tyrolia));
    assert!(!table.game.terrain().homes()[Power::ITALY].contains(tyrolia));
}

#[test]
fn ru02_with_no_home_centre_free_a_power_builds_on_up_to_three_others_that_it_controls() {
    let centres: &Lists<'_> = &[(FRANCE, &["BRE", "MAR", "PAR", "SPA", "POR", "TUN", "ROM", "NAP"])];
    let built = |units: &[&str]| {
        let table = DELUGE.set("W1901A", &[], &[(FRANCE, units)], centres);
        (table.game.owed(FRANCE), table.names(table.game.build_sites(FRANCE)).join(" "))
    };
    assert_eq!(built(&["A BRE", "A MAR"]), (Owed::Builds(6), "PAR".to_owned()), "a home is free");
    let elsewhere = "NAP POR ROM SPA TUN".to_owned();
    assert_eq!(built(&["A BRE", "A MAR", "A PAR"]), (Owed::Builds(3), elsewhere), "five are owed");
    let one = ["A BRE", "A MAR", "A PAR", "A SPA", "A POR", "A TUN", "A ROM"];
    assert_eq!(built(&one), (Owed::Builds(1), "NAP".to_owned()));
}

#[test]
fn ru02_the_survivor_after_winter_1908_wins_and_several_share() {
    for (others, end, share) in [(&[][..], GameEnd::Solo, 0), (&["F MAO"], GameEnd::Draw, 2)] {
        let units: &Lists<'_> = &[(ENGLAND, &["F NTH"]), (FRANCE, others)];
        let mut table = DELUGE.set("W1908A", &[], units, &[(ENGLAND, &["LON"]), (FRANCE, &["PAR"])]);
        let row = table.recorded(Table::adjust);
        assert_eq!((row.end, row.draw_size), (end, share));
    }
}

#[test]
fn ru02_all_else_is_as_in_deluge_ii() {
    let [ours, theirs] = [variant("deluge"), variant("deluge-ii")];
    assert_eq!((ours.victory, ours.first_phase), (theirs.victory, theirs.first_phase));
    assert_eq!(ours.rulebook.army_fleets, theirs.rulebook.army_fleets);
    assert!(ours.position.occupied().is_empty());
}
