//! The terms of sets by name: neighbours, units, owners, countries, groups, what was changed last, chances.

use upheaval::ids::Power;
use upheaval::rules::nature::{HowMany, Nature, Seeded};

use super::{sound, with};
use crate::helpers::table::{Lists, Table, phase};

/// What an entry of this set may draw in the first seasons of a game in which nobody moves.
fn offered(set: &str, rest: &str, seasons: usize) -> Vec<Vec<String>> {
    let text = format!("[[changes]]\nid = \"look\"\nof = \"{set}\"\nchange = \"mark\"\ncount = 1\n{rest}");
    let mut table = Table::new_game(sound(&text), 1950);
    for _ in 0..seasons {
        table.season(&[]);
    }
    let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
    table.offered("look").into_iter().map(owned).collect()
}

/// The same at the end of the first Spring.
fn of(set: &str) -> String {
    offered(set, "", 1).concat().join(" ")
}

#[test]
fn near_is_what_shares_a_border_or_meets_at_a_point() {
    assert_eq!(of("near(POR)"), "MAO SPA");
    assert_eq!(of("near(SWI) & land"), "BUR MAR MUN PIE TYR");
    let hole = "[[changes]]\nid = \"gone\"\nchange = \"collapse\"\n[changes.schedule]\nS1901 = [\"SPA\"]\n";
    let later = offered("near(POR)", hole, 2).remove(1).join(" ");
    assert_eq!(
        later, "GAS LYO MAO MAR SPA WES",
        "all faces round a point, and the hole, are beside each other"
    );
    assert_eq!(offered("near(SPA)", hole, 2).remove(1).join(" "), "GAS LYO MAO MAR POR WES");
}

#[test]
fn within_has_the_set_and_what_is_reached_in_so_many_steps() {
    assert_eq!(of("within(1, POR)"), "MAO POR SPA");
    let two = of("within(2, POR)");
    assert_eq!(two, of("POR | near(POR) | near(POR | near(POR))"));
    assert!(two.contains("GAS") && !two.contains("BUR"), "{two}");
    assert_eq!(of("within(100, POR)"), of("all"));
}

#[test]
fn coastal_and_inland_divide_the_land() {
    let inland = of("inland");
    assert_eq!(inland, "BOH BUD BUR GAL MOS MUN PAR RUH SER SIL TYR UKR VIE WAR");
    assert_eq!(of("coastal"), of("land - inland"));
    assert_eq!(of("occupied & inland"), "BUD MOS MUN PAR VIE WAR");
}

#[test]
fn what_powers_have_is_their_homes_centres_units_and_countries() {
    assert_eq!(of("home(FRANCE)"), "BRE MAR PAR");
    assert_eq!(of("units(france) | owned(ITALY)"), "BRE MAR NAP PAR ROM VEN");
    assert_eq!(of("home(any)"), of("owned(any)"));
    assert_eq!(of("owned(nobody)"), "BEL BUL DEN GRE HOL NWY POR RUM SER SPA SWE TUN");
    assert_eq!(of("home(nobody)"), of("owned(nobody)"));
    assert_eq!(of("owned(leader)"), "MOS SEV STP WAR");
    assert_eq!(of("units(nobody) & inland"), "BOH BUR GAL RUH SER SIL TYR UKR");
    assert_eq!(of("owned(out)"), "");
    let countries = "[countries]\nFRANCE = [\"BUR\", \"PIC\"]\n";
    let of_france = offered("country(FRANCE) | (country(nobody) & (SWI | BUR))", countries, 1);
    assert_eq!(of_france, [["BUR", "PIC", "SWI"]]);
}

#[test]
fn powers_without_unit_and_centre_are_out() {
    let units: &Lists<'_> = &[(Power::FRANCE, &["A PAR"])];
    let centres: &Lists<'_> = &[(Power::FRANCE, &["PAR"]), (Power::ITALY, &["ROM"])];
    let text = "[[changes]]\nid = \"look\"\nof = \"home(out)\"\nchange = \"mark\"\n";
    let mut table = Table::set_in(sound(text), "S1901M", &[], units, centres);
    table.season(&[]);
    let out = table.offered("look").concat().join(" ");
    assert!(out.contains("BER") && !out.contains("BRE") && !out.contains("NAP"), "{out}");
}

#[test]
fn idle_is_where_no_unit_was_at_the_end_of_the_last_seasons() {
    let text = "[[changes]]\nid = \"look\"\nof = \"idle(2) & (BUR | PIC | PAR)\"\nchange = \"mark\"\n";
    let mut table = Table::new_game(sound(text), 1950);
    table.season(&[]).season(&["A PAR - BUR"]).season(&["A BUR - RUH"]).season(&[]);
    assert_eq!(
        table.offered("look"),
        [vec![], vec!["PIC"], vec!["PAR", "PIC"], vec!["BUR", "PAR", "PIC"]],
        "none in the first season; Paris was occupied in the first, and Burgundy in the second"
    );
}

#[test]
fn last_is_what_an_entry_changed_when_it_last_acted() {
    let text = "[[changes]]\nid = \"look\"\nof = \"last(gone)\"\nchange = \"mark\"\n
        [[changes]]\nid = \"gone\"\nof = \"provinces\"\nchange = \"void\"\nseasons = \"spring\"\n
        [[changes]]\nid = \"back\"\nof = \"holed\"\nby = \"all\"\nchange = \"restore\"\n";
    let mut table =
        Table::new_game(sound(text), 1950).drawn("S1901", "gone", "BUR").drawn("S1902", "gone", "GAS");
    table.season(&[]).season(&[]).season(&[]).season(&[]);
    assert_eq!(table.offered("look"), [vec![], vec!["BUR"], vec!["BUR"], vec!["GAS"]], "before this point");
}

#[test]
fn a_group_is_a_list_or_a_set_with_a_name() {
    let groups = "[groups]\ncap = [\"NAO\", \"nwg\", \"BAR\"]\nnorth = \"cap | (near(cap) & sea)\"\n";
    assert_eq!(offered("north - BAR", groups, 1), [["IRI", "MAO", "NAO", "NTH", "NWG"]]);
}

#[test]
fn a_group_that_contains_itself_is_refused_with_its_path() {
    let text = "[groups]\na = \"land - b\"\nb = \"c | sea\"\nc = \"near(a)\"\n";
    let error = with(text).expect_err("a cycle");
    assert!(error.contains("`a` names `b` names `c` names `a`"), "{error}");
}

#[test]
fn a_chance_is_a_die_for_each_place_and_as_likely_as_it_says() {
    let text = "[[changes]]\nid = \"dice\"\nof = \"provinces\"\nchance = \"1/6\"\nchange = \"mark\"\n";
    let variant = sound(text);
    let (entry, terrain) = (&variant.changes.entries()[0], &variant.terrain);
    let places = terrain.board().passable();
    let mut drawn = 0;
    for block in 0..400 {
        let odds = entry.faces().and_then(|change| match change.count() {
            Some(upheaval::rules::changes::Count::Chance(odds)) => Some(HowMany::Each(*odds)),
            _ => None,
        });
        let all = Seeded { seed: 5, block }.faces(
            phase("S1901M"),
            entry,
            terrain,
            &places,
            odds.expect("a chance"),
        );
        drawn += all.len();
        // The die of a place is its own: it does not depend on the others.
        let some = places.iter().filter(|place| place.0 % 2 == 0).collect();
        let of_some =
            Seeded { seed: 5, block }.faces(phase("S1901M"), entry, terrain, &some, odds.expect("a chance"));
        assert!(of_some.iter().all(|place| all.contains(place)));
    }
    let expected = 400.0 * places.len() as f64 / 6.0;
    let deviation = (expected * 5.0 / 6.0).sqrt();
    assert!((drawn as f64 - expected).abs() < 4.0 * deviation, "{drawn} of {expected}");
}
