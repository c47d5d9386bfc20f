//! The winner of `schizo-ii`, and the keys of its file: rr07 rule 6; rules.md 3.1, 3.2.

use std::sync::Arc;

use crate::helpers::shipped::{SCHIZO_II, check, variant};
use crate::helpers::table::{Lists, Table};
use upheaval::game::{Ending, Stage};
use upheaval::ids::{Power, Powers};
use upheaval::rules::adjustment::Owed;
use upheaval::rules::answers::Answers;
use upheaval::rules::event::Event;
use upheaval::rules::mechanism::Mechanism;
use upheaval::rules::nature::{Draw, Seeded};
use upheaval::rules::variant::Variant;

// ---- rule 6 ----

const HOMES: [&str; 17] = [
    "BRE", "PAR", "MAR", "LON", "EDI", "LVP", "KIE", "BER", "MUN", "ROM", "NAP", "VEN", "VIE", "BUD", "TRI",
    "SMY", "ANK",
];

/// A season without moves: the winner, and the number of centres.
fn season_of(
    phase: &str,
    units: &Lists<'_>,
    centres: &[&str],
    hole: &str,
    split: Option<&str>,
) -> (Option<Ending>, usize) {
    let mut table = SCHIZO_II.set(phase, &[], units, &[(Power::FRANCE, centres)]).hole(&phase[..5], hole);
    if let Some(split) = split {
        table = table.split(&phase[..5], split);
    }
    table.move_all(&[]);
    (table.game.ending().cloned(), table.game.terrain().centres().len())
}

const MOST: &Lists<'static> = &[(Power::FRANCE, &["A GAS", "A PAR"]), (Power::TURKEY, &["A SYR"])];

#[test]
fn schizo_ii_rule_6_first_sentence_both_majorities_are_needed() {
    let mut eighteen = HOMES.to_vec();
    eighteen.push("SPA");
    let half: &Lists<'_> = &[(Power::FRANCE, &["A GAS", "A PAR"]), (Power::TURKEY, &["A SYR", "A ARM"])];
    assert_eq!(season_of("F1902M", MOST, &eighteen, "UKR", None), (Some(Ending::Solo(Power::FRANCE)), 34));
    assert_eq!(season_of("F1902M", half, &eighteen, "UKR", None), (None, 34), "2 units of 4");
    assert_eq!(season_of("F1902M", MOST, &HOMES, "UKR", None), (None, 34), "17 centres of 34");
}

#[test]
fn schizo_ii_rule_6_second_sentence_more_or_less_than_34_centres() {
    // 33 are left: 17 suffice.
    assert_eq!(season_of("F1902M", MOST, &HOMES, "MOS", None), (Some(Ending::Solo(Power::FRANCE)), 33));
    assert_eq!(season_of("F1902M", MOST, &HOMES, "MAR", None), (None, 33), "16 of 33");
    // There are 35: its own doubled centre makes 18, another power's doubled centre leaves it at 17.
    let doubled = "split BUD TRI GAL";
    assert_eq!(
        season_of("F1902M", MOST, &HOMES, "UKR", Some(doubled)),
        (Some(Ending::Solo(Power::FRANCE)), 35)
    );
    assert_eq!(season_of("F1902M", MOST, &HOMES, "UKR", Some("split MOS LVN UKR")), (None, 35));
    let mut eighteen = HOMES.to_vec();
    eighteen.push("SPA");
    let of_35 = season_of("F1902M", MOST, &eighteen, "UKR", Some("split MOS LVN UKR"));
    assert_eq!(of_35, (Some(Ending::Solo(Power::FRANCE)), 35));
}

#[test]
fn schizo_ii_rule_6_a_doubled_unit_counts() {
    let mut eighteen = HOMES.to_vec();
    eighteen.push("SPA");
    let units: &Lists<'_> = &[(Power::FRANCE, &["A GAS"]), (Power::TURKEY, &["A SYR"])];
    assert_eq!(season_of("S1902M", units, &eighteen, "UKR", None).0, None, "1 unit of 2");
    let split = Some("split GAS BRE MAR");
    assert_eq!(
        season_of("S1902M", units, &eighteen, "UKR", split).0,
        Some(Ending::Solo(Power::FRANCE)),
        "2 of 3"
    );
    // One that is annihilated does not.
    assert_eq!(season_of("S1902M", MOST, &eighteen, "GAS", None).0, None, "1 of 2");
}

#[test]
fn schizo_ii_rule_6_third_sentence_on_a_spring_move_as_well_with_centres_as_last_recorded() {
    let mut eighteen = HOMES.to_vec();
    eighteen.push("SPA");
    assert_eq!(season_of("S1902M", MOST, &eighteen, "UKR", None).0, Some(Ending::Solo(Power::FRANCE)));
    // A power whose unit is in a centre after Spring does not have it yet (rules.md 3.1).
    let units: &Lists<'_> = &[(Power::FRANCE, &["A SPA", "A PAR"]), (Power::TURKEY, &["A SYR"])];
    assert_eq!(season_of("S1902M", units, &HOMES, "UKR", None).0, None);
    assert_eq!(season_of("F1902M", units, &HOMES, "UKR", None).0, Some(Ending::Solo(Power::FRANCE)));
}

#[test]
fn schizo_ii_rulings_3_1_adjustments_count_what_there_is_after_the_splits() {
    let units: &Lists<'_> = &[(Power::FRANCE, &["A GAS"]), (Power::TURKEY, &["A CON"])];
    let owed = |split| {
        let mut table = SCHIZO_II
            .set("F1902M", &[], units, &[(Power::FRANCE, &["BEL"]), (Power::TURKEY, &["CON"])])
            .hole("F1902", "UKR")
            .split("F1902", split);
        table.move_all(&[]);
        (table.game.owed(Power::FRANCE), table.game.stage())
    };
    assert_eq!(owed("split BEL PIC HOL").0, Owed::Builds(1), "two centres, one unit");
    assert_eq!(owed("split GAS BRE MAR"), (Owed::Removals(1), Stage::Adjustments), "one centre, two units");
}

// ---- the parameters ----

#[test]
fn schizo_ii_restores_per_hole() {
    let events = ["void BUR", "void TYR", "void SIL"];
    let back = |per_hole: &str, holes: &str| {
        let variant = SCHIZO_II.changed("per_hole = 1", per_hole);
        let mut text = Table::set_in(variant, "S1905M", &events, &[(Power::FRANCE, &["A PAR"])], &[]);
        for hole in holes.split(' ') {
            text = text.hole("S1905", hole);
        }
        let mut nature = Seeded { seed: 1, block: 1 };
        text.game.settle(&mut text.referee, &Answers::none(Powers::STANDARD), &mut nature, &mut text.told);
        text.told.events.iter().filter(|(_, e)| matches!(e, Event::Restored(_))).count()
    };
    assert_eq!(
        (back("per_hole = 1", "UKR"), back("per_hole = 2", "UKR"), back("per_hole = 3", "UKR")),
        (1, 2, 3)
    );
    assert_eq!(back("per_hole = 10", "UKR"), 3, "no more than there are");
}

#[test]
fn schizo_ii_restores_from() {
    for (from, at, season, times) in
        [("S1902M", "S1902M", "S1902", 1), ("F1902M", "S1902M", "S1902", 0), ("F1902M", "F1902M", "F1902", 1)]
    {
        let variant = SCHIZO_II.changed("from = \"S1905M\"", &format!("from = \"{from}\""));
        let mut table = Table::set_in(variant, at, &["void BUR"], &[(Power::FRANCE, &["A PAR"])], &[])
            .hole(season, "UKR");
        table.move_all(&[]);
        assert_eq!(table.offered(Draw::Restores).len(), times, "{from} {at}");
    }
}

#[test]
fn schizo_ii_restores_from_counts_the_retreat_phase_to_its_season() {
    let units: &Lists<'_> = &[(Power::FRANCE, &["A BUR"]), (Power::GERMANY, &["A MUN", "A RUH"])];
    let mut table = SCHIZO_II.set("S1905M", &["void SIL"], units, &[]).hole("S1905", "UKR").drawn(
        "S1905",
        Draw::Restores,
        "SIL",
    );
    table.move_all(&["A MUN - BUR", "A RUH S A MUN - BUR"]);
    let at =
        table.told.events.iter().find(|(_, e)| matches!(e, Event::Restored(_))).expect("it comes back").0;
    assert_eq!(at.to_string(), "S1905R");
    assert!(table.game.terrain().board().passable().contains(table.id("SIL")));
}

fn splits_file(line: &str, to: &str) -> Arc<Variant> {
    let text = SCHIZO_II.text();
    let (before, splits) = text.split_once("[splits]").expect("the section");
    assert!(splits.contains(line));
    check(format!("{before}[splits]{}", splits.replacen(line, to, 1))).expect("sound")
}

#[test]
fn schizo_ii_splits_per_season() {
    let split = |per_season: &str| {
        let variant = splits_file("per_season = 1", per_season);
        let mut table = Table::set_in(variant, "S1902M", &[], &[(Power::FRANCE, &["A PAR"])], &[])
            .split("S1902", "split GAL WAR BUD")
            .split("S1902", "split TYR BOH SWI");
        table.move_all(&[]);
        table.told.events.iter().filter(|(_, e)| matches!(e, Event::Split(_))).count()
    };
    assert_eq!((split("per_season = 1"), split("per_season = 2")), (1, 2));
}

#[test]
fn schizo_ii_splits_seasons() {
    for (seasons, expected) in [("spring", [1, 0]), ("fall", [0, 1]), ("spring-and-fall", [1, 1])] {
        let variant = splits_file("seasons = \"spring-and-fall\"", &format!("seasons = \"{seasons}\""));
        let times = ["S1902M", "F1902M"].map(|at| {
            let mut table = Table::set_in(Arc::clone(&variant), at, &[], &[(Power::FRANCE, &["A PAR"])], &[]);
            table.move_all(&[]);
            table.offered(Draw::Splits).len()
        });
        assert_eq!(times, expected, "{seasons}");
    }
}

#[test]
fn schizo_ii_splits_faces() {
    for (faces, count) in [("provinces", 75), ("land", 56), ("sea", 19), ("centres", 34), ("no-centres", 41)]
    {
        let variant = splits_file("faces = \"provinces\"", &format!("faces = \"{faces}\""));
        let mut table = Table::set_in(variant, "S1902M", &[], &[(Power::FRANCE, &["A PAR"])], &[]);
        table.move_all(&[]);
        assert_eq!(table.offered(Draw::Splits)[0].len(), count, "{faces}");
    }
}

#[test]
fn schizo_ii_the_file_has_the_mechanisms_in_the_order_of_rule_2() {
    let kinds: Vec<String> = variant("schizo-ii")
        .mechanisms
        .iter()
        .map(|mechanism| match mechanism {
            Mechanism::Exemption(_) => "exemption",
            Mechanism::Holes(_) => "holes",
            Mechanism::Restores(_) => "restores",
            Mechanism::Splits(_) => "splits",
            Mechanism::Toggles(_) => "toggles",
            Mechanism::Deluge(_) => "deluge",
            Mechanism::Seismic(_) => "seismic",
            Mechanism::Custom(custom) => custom.name(),
        })
        .map(str::to_owned)
        .collect();
    assert_eq!(kinds, ["exemption", "holes", "restores", "splits"]);
}
