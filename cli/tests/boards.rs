//! `docs/boards.md`: every board that ships with its picture, written by the program; and the README's picture.

use expect_test::expect_file;
use upheaval::topology::{FaceKind, NamedMap, atlas};

use crate::program::run;

const HEAD: &str = "# The boards that ship

A board is a map file in `maps/`, and a variant names it by its key `map`. [maps.md](maps.md) says how to make a board;
`upheaval map --map NAME --list` prints the provinces of a board, and `upheaval map --map NAME --format svg` draws it.
This page and its pictures are written by a test (`cli/tests/boards.rs`) with `UPDATE_EXPECT=1`.
";

/// The contents of a board, in a line.
fn sizes(chart: &NamedMap) -> String {
    let of = |kind: FaceKind| chart.map().faces().filter(|(_, face)| face.kind() == kind).count();
    let names: Vec<&str> = chart.power_names().infos().iter().map(|info| info.proper_name.as_str()).collect();
    format!(
        "{} land provinces and {} seas; {} supply centres; {} powers:\n{}.",
        of(FaceKind::Land),
        of(FaceKind::Sea),
        chart.centres().len(),
        chart.powers().len(),
        names.join(", ")
    )
}

#[test]
fn every_board_that_ships_is_on_the_page_with_its_picture() {
    let mut page = HEAD.to_owned();
    for name in atlas::shipped() {
        let chart = atlas::find(name).expect("it ships");
        let done = run(&["map", "--map", name, "--format", "svg"], b"");
        assert_eq!((done.code, done.error.as_str()), (0, ""), "{name}");
        expect_file![testkit::path(&format!("docs/boards/{name}.svg"))].assert_eq(&done.out);
        page += &format!("\n## `{name}`\n\n{}\n\n![The board {name}](boards/{name}.svg)\n", sizes(&chart));
    }
    expect_file![testkit::path("docs/boards.md")].assert_eq(&page);
}

#[test]
fn the_picture_of_the_readme_is_what_its_command_prints() {
    let done = run(&["map", "--apply", "collapse MAR", "--format", "svg", "--frames"], b"");
    assert_eq!((done.code, done.error.as_str()), (0, ""));
    // If it is drawn differently now, look at it before it is written again: docs/picture.md.
    expect_file![testkit::path("docs/hole.svg")].assert_eq(&done.out);
    assert!(done.out.len() < 120_000, "{}", done.out.len());
}
