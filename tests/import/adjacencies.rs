//! Boards from lists of adjacencies.

use super::export::{boundaries, listing, shipped};
use super::imported;
use upheaval::import::ImportNote;

const STANDARD_HINTS: &str = include_str!("../../docs/maps/hints/standard.toml");

fn differences(notes: &[ImportNote]) -> Vec<String> {
    notes.iter().filter(|note| matches!(note, ImportNote::Differs(_))).map(ToString::to_string).collect()
}

#[test]
fn the_standard_board_comes_back_from_its_adjacencies() {
    let (chart, file) = shipped("standard");
    let back = imported("standard.map", &listing(&chart), STANDARD_HINTS).expect("a board");
    assert_eq!(differences(&back.notes), [""; 0]);
    assert_eq!(boundaries(&back.map, false), boundaries(&file, false));
    assert_eq!((back.map.straits, back.map.coasts), (file.straits, file.coasts));
    for (code, face) in &file.faces {
        let ours = &back.map.faces[code];
        assert_eq!(
            (&ours.name, ours.kind, ours.supply_centre, &ours.home),
            (&face.name, face.kind, face.supply_centre, &face.home)
        );
    }
}

#[test]
fn without_hints_it_comes_back_up_to_reflection_and_that_is_said() {
    let (chart, file) = shipped("standard");
    let back = imported("standard.map", &listing(&chart), "").expect("a board");
    assert_eq!(differences(&back.notes), [""; 0]);
    let ours = boundaries(&back.map, false);
    assert!([false, true].into_iter().any(|reflected| ours == boundaries(&file, reflected)));
    assert!(back.notes.iter().any(|note| matches!(note, ImportNote::Reflection(_))));
    assert!(
        !back.notes.iter().any(|note| matches!(note, ImportNote::InDoubt(_))),
        "nothing else is in doubt"
    );
}

#[test]
fn a_hint_on_the_order_round_a_province_decides_which_side_is_up() {
    let (chart, file) = shipped("standard");
    for (order, reflected) in [(r#"["RUH", "BUR", "TYR"]"#, false), (r#"["TYR", "BUR", "RUH"]"#, true)] {
        let back =
            imported("standard.map", &listing(&chart), &format!("[around]\nMUN = {order}")).expect("a board");
        assert_eq!(boundaries(&back.map, false), boundaries(&file, reflected));
    }
}

#[test]
fn the_boards_that_ship_come_back_with_every_move() {
    for name in ["modern", "ancient-mediterranean"] {
        let (chart, _) = shipped(name);
        let back = imported(name, &listing(&chart), "").expect("a board");
        assert_eq!(differences(&back.notes), [""; 0], "{name}");
    }
}

#[test]
fn four_provinces_that_are_all_adjacent_across_each_other_meet_at_a_point() {
    let text = "RED AA\nBLUE BB\n\
        WATER SS ABUTS TT AA BB CC DD\nWATER TT ABUTS SS AA BB CC DD\n\
        COAST AA ABUTS BB SS TT DD\nCOAST BB ABUTS AA CC SS TT\nCOAST CC ABUTS BB DD SS TT\nCOAST DD ABUTS AA CC SS TT";
    // Two seas either side of a ring of four lands, and adjacent to each other: they meet across one of its borders.
    let back = imported("ring.map", text, "").expect("a board");
    assert_eq!(
        back.notes.iter().filter(|note| matches!(note, ImportNote::Point { .. })).count(),
        1,
        "{:?}",
        back.notes
    );
    assert_eq!(differences(&back.notes), [""; 0]);
}

#[test]
fn one_coast_on_two_stretches_of_water_is_joined_by_a_canal_or_a_strait() {
    let (chart, _) = shipped("standard");
    let back = imported("standard.map", &listing(&chart), "").expect("a board");
    let joined: Vec<&ImportNote> = back
        .notes
        .iter()
        .filter(|note| matches!(note, ImportNote::Canal { .. } | ImportNote::Strait(_)))
        .collect();
    assert_eq!(joined.len(), 3, "the three of Kiel, Constantinople and the Sound: {joined:?}");
}

#[test]
fn armies_pass_and_fleets_do_not_where_the_list_says_so() {
    let text = "RED AA\nBLUE BB\nWATER SS ABUTS AA BB CC\nCOAST AA ABUTS bb CC SS\nCOAST BB ABUTS aa CC SS\nCOAST CC ABUTS AA BB SS";
    let back = imported("shore.map", text, "").expect("a board");
    assert_eq!(differences(&back.notes), [""; 0]);
    assert!(back.notes.iter().any(|note| matches!(note, ImportNote::Filler { .. })), "{:?}", back.notes);
}

#[test]
fn an_island_alone_in_a_sea_is_a_boundary_of_its_own() {
    let text = "RED AA\nBLUE BB\nWATER SS ABUTS AA BB II\nCOAST AA ABUTS BB SS\nCOAST BB ABUTS AA SS\nCOAST II ABUTS SS";
    let back = imported("isle.map", text, "").expect("a board");
    assert_eq!(differences(&back.notes), [""; 0]);
    assert_eq!(back.map.faces["SS"].islands_ccw, [["II"]]);
}

#[test]
fn a_file_uses_another_and_takes_powers_away() {
    let base = "RED AA\nBLUE BB\nGREEN CC\nWATER SS ABUTS AA BB CC\nCOAST AA ABUTS BB CC SS\nCOAST BB ABUTS AA CC SS\nCOAST CC ABUTS AA BB SS";
    let includes = |name: &str| (name == "base.map").then(|| base.to_owned()).ok_or_else(|| "no".to_owned());
    let hints = upheaval::import::Hints::default();
    let text = "MAP base\nUNPLAYED GREEN\nUNOWNED CC";
    let source = upheaval::import::ImportSource {
        file: "x.map",
        text,
        format: None,
        includes: &includes,
        hints: &hints,
        hint_file: "",
    };
    let back = upheaval::import::import(&source).expect("a board");
    let powers: Vec<&str> = back.map.powers.iter().flatten().map(|power| power.name.as_str()).collect();
    assert_eq!(powers, ["RED", "BLUE"]);
    assert!(back.map.faces["CC"].supply_centre && back.map.faces["CC"].home.is_none());
}

/// Between UU and VV lie AA and BB on the one side, CC and DD on the other; either pair could be turned round.
const TURNABLE: &str = "RED AA\nBLUE BB\nLAND UU ABUTS AA BB CC DD\nLAND VV ABUTS AA BB CC DD\n\
    LAND AA ABUTS UU VV BB\nLAND BB ABUTS UU VV AA\nLAND CC ABUTS UU VV DD\nLAND DD ABUTS UU VV CC";

#[test]
fn provinces_that_fit_as_well_the_other_way_round_are_in_doubt_until_a_hint_decides() {
    let in_doubt = |hints: &str| {
        let back = imported("turnable.map", TURNABLE, hints).expect("a board");
        assert_eq!(differences(&back.notes), [""; 0]);
        let doubts = back.notes.into_iter().filter(|note| matches!(note, ImportNote::InDoubt(_)));
        doubts.map(|note| note.to_string()).collect::<Vec<_>>()
    };
    let doubts = in_doubt("");
    assert!(doubts.iter().any(|doubt| doubt.contains("AA BB") || doubt.contains("CC DD")), "{doubts:?}");
    assert_eq!(
        in_doubt("outside = [\"BB\", \"CC\"]\n[around]\nUU = [\"AA\", \"BB\", \"CC\", \"DD\"]"),
        [""; 0]
    );
}
