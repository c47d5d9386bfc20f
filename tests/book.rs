//! The pages form a book: `docs/SUMMARY.md` lists every page once, and every link and anchor resolves. `docs/build`
//! makes the book and checks its own output in the same way.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path};

use testkit::{path, read};

/// The pages in the root folder, which are in the book together with the pages of `docs/` and the files that they link
/// to.
const TOP: [&str; 5] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"];

/// The folder that `docs/build` fills with the reference of the Rust crates.
const REFERENCE: &str = "docs/api/";

/// A page without its blocks of code.
fn without_blocks(text: &str) -> String {
    let mut fenced = false;
    let lines = text.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fence && !fenced
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The targets of a page's links, outside of code.
fn links(text: &str) -> Vec<String> {
    let text = without_blocks(text);
    let prose: Vec<&str> = text.split('`').step_by(2).collect();
    let joined = prose.join("#");
    joined.split("](").skip(1).filter_map(|rest| rest.split(')').next()).map(str::to_owned).collect()
}

/// The path from the root of the target of a page's link.
fn target(page: &str, link: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    let folder = Path::new(page).parent().unwrap_or(Path::new(""));
    for part in folder.join(link).components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            Component::Normal(part) => parts.push(part.to_string_lossy().into_owned()),
            _ => {}
        }
    }
    parts.join("/")
}

/// The anchors of a page: its headings, as GitHub and mdBook name them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut anchors = BTreeSet::new();
    for line in without_blocks(text).lines().filter(|line| line.starts_with('#')) {
        let words = line.trim_start_matches('#').trim().to_lowercase();
        let named = words.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
        let name: String = named.map(|c| if c == ' ' { '-' } else { c }).collect();
        let times = seen.entry(name.clone()).or_default();
        anchors.insert(if *times == 0 { name } else { format!("{name}-{times}") });
        *times += 1;
    }
    anchors
}

/// The pages of the book, by their paths from the root, in its order.
fn listed() -> Vec<String> {
    links(&read("docs/SUMMARY.md")).iter().map(|link| target("docs/SUMMARY.md", link)).collect()
}

#[test]
fn the_summary_lists_every_page_once() {
    let listed = listed();
    let mut wanted: BTreeSet<String> = TOP.into_iter().map(str::to_owned).collect();
    for entry in fs::read_dir(path("docs")).expect("the folder") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        if name.ends_with(".md") && name != "SUMMARY.md" {
            wanted.insert(format!("docs/{name}"));
        }
    }
    assert!(wanted.len() > 30, "{wanted:?}");
    for page in &wanted {
        let times = listed.iter().filter(|listed| *listed == page).count();
        assert_eq!(times, 1, "docs/SUMMARY.md lists {page} {times} times");
    }
    for page in &listed {
        assert!(path(page).is_file(), "docs/SUMMARY.md lists `{page}`, which is not there");
    }
}

#[test]
fn every_link_of_the_book_resolves() {
    let listed = listed();
    let mut faults = Vec::new();
    let mut seen = 0;
    for page in &listed {
        let text = read(page);
        for link in links(&text) {
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let to = if file.is_empty() { page.clone() } else { target(page, file) };
            if file.starts_with("http") || to.starts_with(REFERENCE) {
                continue;
            }
            seen += 1;
            if !path(&to).is_file() {
                faults.push(format!("{page}: `{link}`: there is no file `{to}`"));
            } else if to.ends_with(".md") {
                if !listed.contains(&to) {
                    faults.push(format!("{page}: `{link}`: docs/SUMMARY.md does not list `{to}`"));
                }
                if !anchor.is_empty() && !anchors(&read(&to)).contains(anchor) {
                    faults.push(format!("{page}: `{link}`: `{to}` has no such heading"));
                }
            }
        }
    }
    assert!(seen > 150, "only {seen} links were found: does the search still work?");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn links_and_anchors_are_read_as_the_book_reads_them() {
    assert_eq!(links("[a](b.md#c) `[no](x)` ![d](e.svg)\n```\n[no](y)\n```\n"), ["b.md#c", "e.svg"]);
    assert_eq!(target("docs/a.md", "../b/c.md"), "b/c.md");
    assert_eq!(target("README.md", "docs/a.md"), "docs/a.md");
    let anchors = anchors("# One `two`, three\n\n## x\n\n## x\n\n```\n# no\n```\n");
    assert_eq!(anchors.into_iter().collect::<Vec<_>>(), ["one-two-three", "x", "x-1"]);
}

/// The first pages stay short enough to be read to their ends.
#[test]
fn the_first_pages_are_short() {
    let lines = read("README.md").lines().count();
    assert!(lines <= 200, "README.md has {lines} lines of at most 200: details are for docs/");
    for (page, most, elsewhere) in [
        ("ARCHITECTURE.md", 16_000, "details are for the heads of modules"),
        ("CHANGELOG.md", 6_000, "details are for docs/"),
    ] {
        let bytes = read(page).len();
        assert!(bytes <= most, "{page} has {bytes} bytes of at most {most}: {elsewhere}");
    }
}
