//! `docs/maps.md` from beginning to end: its board is `docs/three/three.toml`, its commands are run, their output is
//! compared with the page, and their pictures with the ones beside it.
#![cfg(unix)]

use std::fs;

use expect_test::expect_file;
use upheaval::topology::atlas;

use crate::page::{CommandFolder, When, blocks, misfit};

const PAGE: &str = "docs/maps.md";

/// The files that the commands of the page need.
const FILES: [&str; 2] = ["three.toml", "three-faces.toml"];

#[test]
fn the_page_shows_what_its_commands_print_and_draw() {
    let desk = CommandFolder::new(PAGE);
    let at = |name: &str| desk.folder.path().join(name);
    for file in FILES {
        fs::copy(testkit::path(&format!("docs/three/{file}")), at(file)).unwrap();
    }
    let boards: Vec<String> = FILES.map(|file| testkit::read(&format!("docs/three/{file}"))).into();
    let (mut ran, mut compared, mut quoted) = (0, 0, 0);
    let mut printed = None;
    for block in blocks(&testkit::read(PAGE)) {
        let place = format!("{PAGE}:{}", block.line);
        match block.language.as_str() {
            "sh" if block.when == When::Always => {
                printed = Some(desk.run(&block));
                ran += 1;
            }
            "sh" => printed = None,
            "text" => {
                let Some(printed) = printed.take() else { continue };
                if let Some(line) = misfit(&block.text, &printed) {
                    panic!("{place}: not printed: {line}\nbut\n{printed}");
                }
                compared += 1;
            }
            "toml" => {
                assert!(boards.iter().any(|board| board.contains(&block.text)), "{place}: in no file");
                quoted += 1;
            }
            "json" => assert!(atlas::parse("x.json", &block.text).is_ok(), "{place}: not sound"),
            other => panic!("{place}: what is `{other}`?"),
        }
    }
    assert!(ran >= 8 && compared >= 5 && quoted >= 5, "{ran}, {compared}, {quoted}: is the page still read?");
    let mut pictures = 0;
    for entry in fs::read_dir(desk.folder.path()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".svg") {
            let file = format!("docs/three/{name}");
            expect_file![testkit::path(&file)].assert_eq(&fs::read_to_string(at(&name)).unwrap());
            assert!(testkit::read(PAGE).contains(&format!("](three/{name})")), "{name} is not shown");
            pictures += 1;
        }
    }
    assert!(pictures >= 3, "{pictures}");
}
