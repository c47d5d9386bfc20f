//! The tutorials, docs/maps.md and docs/gamemasters.md from beginning to end: their commands are run, and their output
//! must be that of the pages, and their pictures those that the pages show. Pages with long runs are followed with the
//! slow tests.
#![cfg(unix)]

use std::fs;

use expect_test::expect_file;
use upheaval::topology::atlas;

use crate::page::{CommandFolder, When, blocks, misfit};

/// Runs the commands of a page in a folder with these files, and compares their output with the page. Its blocks of
/// TOML are parts of the files. Returns the folder in which they were run.
fn follow(page: &'static str, files: &[&str]) -> CommandFolder {
    let desk = CommandFolder::new(page);
    for file in files {
        let name = file.rsplit('/').next().unwrap();
        fs::copy(testkit::path(file), desk.folder.path().join(name)).unwrap();
    }
    let files: Vec<String> = files.iter().map(|file| testkit::read(file)).collect();
    let (mut ran, mut skipped, mut compared) = (0, 0, 0);
    let mut printed = None;
    for block in blocks(&testkit::read(page)) {
        let place = format!("{page}:{}", block.line);
        match block.language.as_str() {
            "sh" | "python" if desk.runs(block.when) => {
                printed = Some(desk.run(&block));
                ran += 1;
            }
            "sh" | "python" => {
                printed = None;
                skipped += usize::from(block.when == When::WithPython);
            }
            "text" => {
                let Some(printed) = &printed else { continue };
                if let Some(line) = misfit(&block.text, printed) {
                    panic!("{place}: not printed: {line}\nbut\n{printed}");
                }
                compared += 1;
            }
            "toml" => assert!(files.iter().any(|file| file.contains(&block.text)), "{place}: in no file"),
            "json" => assert!(atlas::parse("x.json", &block.text).is_ok(), "{place}: not sound"),
            other => panic!("{place}: what is `{other}`?"),
        }
    }
    assert!(ran >= 8 && compared >= 5, "{ran} blocks were run, {compared} compared: is the page still read?");
    if skipped > 0 {
        testkit::skipped(&format!("{skipped} blocks of {page} need a Python: `notebooks/run` runs them"));
    }
    desk
}

#[test]
fn the_page_of_the_paper_shows_what_its_commands_print() {
    if !testkit::runs_slow("the runs of docs/tutorial.md") {
        return;
    }
    follow("docs/tutorial.md", &["experiments/tutorial.toml"]);
}

#[test]
fn the_page_of_the_fair_variant_shows_what_its_commands_print() {
    if !testkit::runs_slow("the search of docs/design.md") {
        return;
    }
    let desk = follow("docs/design.md", &["experiments/design.toml"]);
    let drawn = fs::read_to_string(desk.folder.path().join("germany.svg")).unwrap();
    expect_file![testkit::path("docs/design.svg")].assert_eq(&drawn);
}

#[test]
fn the_page_of_gamemasters_shows_what_its_commands_print() {
    follow("docs/gamemasters.md", &[]);
}

#[test]
fn the_page_of_maps_shows_what_its_commands_print_and_draw() {
    let page = "docs/maps.md";
    let desk = follow(page, &["docs/three/three.toml", "docs/three/three-faces.toml"]);
    let mut pictures = 0;
    for entry in fs::read_dir(desk.folder.path()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".svg") {
            let drawn = fs::read_to_string(desk.folder.path().join(&name)).unwrap();
            expect_file![testkit::path(&format!("docs/three/{name}"))].assert_eq(&drawn);
            assert!(testkit::read(page).contains(&format!("](three/{name})")), "{name} is not shown");
            pictures += 1;
        }
    }
    assert!(pictures >= 3, "{pictures}");
}
