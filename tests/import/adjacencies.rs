//! Boards from lists of adjacencies.

use super::export::{boundaries, listing, shipped};
use super::{differences, imported};
use upheaval::import::{Hints, ImportNote, ImportSource, import};

const STANDARD_HINTS: &str = include_str!("../../docs/maps/hints/standard.toml");

#[test]
fn the_standard_board_comes_back_from_its_adjacencies() {
    let (chart, file) = shipped("standard");
    let back = imported("standard.map", &listing(&chart), STANDARD_HINTS).expect("a board");
    assert_eq!(differences(&back), [""; 0]);
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
    assert_eq!(differences(&back), [""; 0]);
    let ours = boundaries(&back.map, false);
    assert!([false, true].into_iter().any(|reflected| ours == boundaries(&file, reflected)));
    let count = |of: fn(&ImportNote) -> bool| back.notes.iter().filter(|note| of(note)).count();
    assert_eq!(count(|note| matches!(note, ImportNote::Reflection(_))), 1);
    assert_eq!(count(|note| matches!(note, ImportNote::InDoubt(_))), 0, "nothing else is in doubt");
    // One coast on two stretches of water: Kiel, Constantinople and the Sound.
    assert_eq!(count(|note| matches!(note, ImportNote::Canal { .. } | ImportNote::Strait(_))), 3);
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
        assert_eq!(differences(&back), [""; 0], "{name}");
    }
}

/// A library that reads files itself may leave the mark of the order of bytes in them.
#[test]
fn a_mark_of_the_order_of_bytes_is_passed_over_in_a_text_and_in_one_that_it_uses() {
    const PAIR: &str = "RED AA\nBLUE BB\nWATER SS ABUTS AA BB\nCOAST AA ABUTS BB SS\nCOAST BB ABUTS AA SS";
    let (marked, hints) = (format!("\u{feff}{PAIR}"), Hints::default());
    let includes = |_: &str| Ok(marked.clone());
    let map = |text: &str| {
        let source = ImportSource {
            file: "x.map",
            text,
            format: None,
            includes: &includes,
            hints: &hints,
            hint_file: "",
        };
        import(&source).expect("a board").map
    };
    assert_eq!([map(&marked), map("USE y")], [map(PAIR), map(PAIR)]);
}
