//! Provinces whose coasts on two seas count as one wherever the province lies: Seismic rule 9.

use crate::helpers::charts::{report, with};
use upheaval::topology::{NamedMap, Waterway, atlas};

const PASSAGES: [(&str, [&str; 2]); 5] = [
    ("CON", ["BLA", "AEG"]),
    ("KIE", ["HEL", "BAL"]),
    ("DEN", ["SKA", "BAL"]),
    ("SWE", ["SKA", "BAL"]),
    ("NAP", ["ION", "TYS"]),
];

fn after(events: &[&str]) -> NamedMap {
    let mut chart = atlas::standard();
    let find = |name: &str| chart.map().find(name).expect("a province");
    let passage = |&(province, seas): &(&str, [&str; 2])| Waterway::Passage {
        province: find(province),
        seas: seas.map(find),
    };
    let passages = PASSAGES.iter().map(passage).collect();
    chart.set_waterways(passages);
    with(chart, events)
}

fn coasts(chart: &NamedMap, province: &str) -> String {
    let mut coasts: Vec<String> =
        report(chart).faces[province].coasts.iter().map(|coast| coast.seas.join(" ")).collect();
    coasts.sort();
    coasts.join(" | ")
}

fn in_force(chart: &NamedMap) -> Vec<String> {
    report(chart)
        .waterways
        .iter()
        .map(|way| format!("{}: {}", way.within.join(" "), way.ends.join(" ")))
        .collect()
}

#[test]
fn on_the_standard_board_they_are_the_waterways_there_are() {
    let chart = after(&[]);
    assert_eq!(
        in_force(&chart),
        ["CON: AEG BLA", "DEN: BAL SKA", "KIE: BAL HEL", "NAP: ION TYS", "SWE: BAL SKA"]
    );
    let (passages, tied) = (report(&chart), report(&atlas::standard()));
    assert_eq!(passages.faces, tied.faces);
}

#[test]
fn coasts_stay_one_wherever_the_two_seas_lie() {
    // A strait would have been removed with its border; Sweden still has coasts on both seas.
    let chart = after(&["separate BAL DEN connect KIE SWE"]);
    assert_eq!(coasts(&chart, "SWE"), "BAL BOT SKA");
    assert_eq!(coasts(&chart, "DEN"), "HEL NTH SKA");
    let chart = after(&["separate DEN SWE connect BAL SKA", "separate BAL SKA connect DEN SWE"]);
    assert_eq!([coasts(&chart, "DEN"), coasts(&chart, "SWE")], ["BAL HEL NTH SKA", "BAL BOT SKA"]);
}

#[test]
fn naples_has_one_coast_even_where_apulia_and_rome_hold_it_apart() {
    // Apulia extends round Naples to the sea: its coasts on ION and TYS are apart, but count as one.
    let chart = after(&["separate ION TYS connect NAP TUN"]);
    assert_eq!(report(&chart).faces["NAP"].boundaries[0].join(" "), "APU ROM TYS TUN ION");
    assert_eq!(coasts(&chart, "NAP"), "ION TYS");
    assert_eq!(coasts(&chart, "TUN"), "ION | TYS WES", "Tunis is not a straits province");
}

#[test]
fn without_a_coast_on_one_of_the_seas_nothing_is_joined() {
    let chart = after(&["separate HEL KIE connect DEN HOL"]);
    assert_eq!(in_force(&chart), ["CON: AEG BLA", "DEN: BAL SKA", "NAP: ION TYS", "SWE: BAL SKA"]);
    assert_eq!(coasts(&chart, "KIE"), "BAL");
    // The North Sea in place of the Helgoland Bight: two coasts.
    let chart = after(&["separate HEL HOL connect KIE NTH", "separate HEL KIE connect DEN NTH"]);
    assert_eq!(coasts(&chart, "KIE"), "BAL | NTH");
}

#[test]
fn a_coast_on_both_seas_again_is_one_again() {
    let chart = after(&["separate HEL KIE connect DEN HOL", "separate DEN HOL connect HEL KIE"]);
    assert_eq!(coasts(&chart, "KIE"), "BAL HEL");
    assert_eq!(report(&chart).faces, report(&after(&[])).faces);
    assert_eq!(chart.map().hash(), after(&[]).map().hash());
}

#[test]
fn several_shores_on_one_of_the_seas_are_one_coast_then() {
    // Denmark becomes an island in the Baltic and then a peninsula of Sweden, between two shores.
    let chart = after(&[
        "separate DEN HEL connect KIE NTH",
        "separate DEN KIE connect BAL NTH",
        "separate DEN NTH connect BAL SKA",
        "separate DEN SWE connect BAL SKA",
    ]);
    assert_eq!(report(&chart).faces["DEN"].boundaries[0].join(" "), "BAL SKA");
    let chart = with(chart, &["separate DEN SKA connect BAL BAL", "connect DEN SWE through BAL"]);
    assert_eq!(report(&chart).faces["SWE"].boundaries[0].join(" "), "BAL BOT FIN NWY SKA BAL DEN");
    assert_eq!(coasts(&chart, "SWE"), "BAL BOT SKA");
    // If the Skagerrak is removed from Sweden, its two shores on the Baltic are two coasts.
    let chart = with(chart, &["separate SKA SWE connect BAL NWY"]);
    assert_eq!(coasts(&chart, "SWE"), "BAL | BAL BOT");
}
