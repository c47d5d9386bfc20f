//! `schizo-ii`: the candidates of its draws, the halves in which units stay, the centres of halves and the parameters of
//! splits: rr07 rules 2, 4 and 5; rules.md 4.1, 4.6, 4.11.

use crate::helpers::shipped::SCHIZO_II;
use crate::helpers::table::{Lists, Table};
use upheaval::ids::Power;
use upheaval::rules::event::Event;

const NOBODY: &Lists<'static> = &[(Power::TURKEY, &["A SYR"])];

// ---- candidates ----

#[test]
fn schizo_ii_rule_2_the_candidates_of_each_draw() {
    let events = ["void TYR", "void MAO", "split BUR PAR MUN"];
    let mut table = SCHIZO_II
        .set("S1905M", &events, NOBODY, &[])
        .exempt(&[(Power::FRANCE, "PAR")])
        .hole("S1905", "UKR")
        .drawn("S1905", "restores", "MAO");
    let passable = table.names(table.game.terrain().board().passable()).into_iter().map(str::to_owned);
    let open: Vec<String> = passable.collect();
    assert_eq!(open.len(), 75 - 2 + 1, "two are gone, Burgundy is two");
    table.move_all(&[]);
    let without = |name: &str| -> Vec<&str> {
        open.iter().map(String::as_str).filter(|other| *other != name).collect()
    };
    assert_eq!(table.offered("holes"), [without("PAR")], "the exempt one is spared");
    assert_eq!(table.offered("restores"), [["MAO", "TYR"]], "not the hole of this season");
    let mut splits = without("UKR");
    splits.push("MAO");
    splits.sort_unstable();
    assert_eq!(table.offered("splits"), [splits], "also the exempt one, and the one that is back");
}

#[test]
fn schizo_ii_rule_2_a_face_that_is_no_candidate_is_neither_holed_nor_restored_nor_split() {
    for (hole, restored, split, holes) in [
        // The centre is exempt; and without a hole nothing comes back.
        ("PAR", "BUR", "split BUR PAR MUN", &["BUR"][..]),
        ("UKR", "UKR", "split UKR MOS WAR", &["BUR", "UKR"]),
    ] {
        let mut table = SCHIZO_II
            .set("S1905M", &["void BUR"], NOBODY, &[])
            .exempt(&[(Power::FRANCE, "PAR")])
            .hole("S1905", hole)
            .drawn("S1905", "restores", restored)
            .split("S1905", split);
        table.move_all(&[]);
        assert_eq!(table.names(table.game.terrain().chart().map().holes()), holes, "{hole}");
        assert_eq!(table.when(|e| matches!(e, Event::SplitDrawn(..) | Event::Split(_))), None, "{hole}");
    }
}

#[test]
fn schizo_ii_splits_faces() {
    let sets = [("provinces", 75), ("land", 56), ("sea", 19), ("centres", 34), ("provinces - centres", 41)];
    for (set, count) in sets {
        let variant = SCHIZO_II
            .changed("id = \"splits\"\nof = \"provinces\"", &format!("id = \"splits\"\nof = \"{set}\""));
        let mut table = Table::set_in(variant, "S1902M", &[], NOBODY, &[]);
        table.move_all(&[]);
        assert_eq!(table.offered("splits")[0].len(), count, "{set}");
    }
}

// ---- halves ----

#[test]
fn schizo_ii_rulings_4_11_the_half_in_which_the_unit_stays_is_drawn_if_it_can_stand_there() {
    for (unit, split, drawn, [stays, new]) in [
        ("A BUR", "split BUR PAR MUN", "BUR.1", ["BUR.1", "BUR.2"]),
        ("A BUR", "split BUR PAR MUN", "BUR.2", ["BUR.2", "BUR.1"]),
        // Picardy's first half is inland.
        ("F PIC", "split PIC PAR BEL", "PIC.1", ["PIC.2", "PIC.1"]),
    ] {
        let start = SCHIZO_II.set("S1902M", &[], &[(Power::FRANCE, &[unit])], &[]);
        let mut table = start.split("S1902", split).stays(drawn);
        table.move_all(&[]);
        let doubled = table.told.events.iter().filter_map(|(_, event)| match event {
            Event::UnitDoubled { stays, new, .. } => Some([*stays, *new].map(|half| table.name(half))),
            _ => None,
        });
        assert_eq!(doubled.collect::<Vec<_>>(), [[stays, new]], "{split} {drawn}");
    }
}

#[test]
fn schizo_ii_rulings_4_6_the_centre_of_a_half_is_the_mean_of_its_parents_and_its_neighbours() {
    let centre = |events: &[&str], name: &str| {
        let table = SCHIZO_II.set("S1902M", events, NOBODY, &[]);
        table.game.terrain().chart().info(table.id(name)).unwrap().position.unwrap()
    };
    for (split, half, of) in [
        ("split BUR BEL GAS", "BUR.1", &["BUR", "BEL", "PIC", "PAR", "GAS"][..]),
        ("split BUR BEL GAS", "BUR.2", &["BUR", "GAS", "MAR", "SWI", "MUN", "RUH", "BEL"]),
        // It meets the sea twice, which counts once; and the Outside does not count.
        ("split SPA MAO#1 GAS", "SPA.2", &["SPA", "GAS", "MAO", "POR"]),
        ("split TUN NAF ION", "TUN.1", &["TUN", "NAF", "ION"]),
    ] {
        let found = centre(&[split], half);
        for axis in 0..2 {
            let mean = of.iter().map(|name| centre(&[], name)[axis]).sum::<f64>() / of.len() as f64;
            assert!((found[axis] - mean).abs() < 1e-9, "{half}: {found:?}, not {mean}");
        }
    }
    let split = "split TUN NAF ION";
    let later = [split, "split ION TUN.1 GRE", "split NAF TUN.1 MAO"];
    assert_eq!(centre(&later, "TUN.1"), centre(&[split], "TUN.1"), "later splits change nothing");
}
