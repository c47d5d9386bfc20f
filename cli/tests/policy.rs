//! The contents of finished pages: the policy of a page names each of its style sheets and scripts by its hash, and
//! nothing else, and every picture in it is XML, whatever names are in it.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use roxmltree::Document;
use sha2::{Digest as _, Sha256};

use crate::program::{run_in, the_run};

/// What markup gives a meaning to, in a name.
const HOSTILE: &str = "<script>alert(1)</script></style>&amp;'\"]]><!--\u{fffe}\u{1f30a}";

/// A start tag of a page: its name, its text between `<` and `>`, and for elements of raw text what is in them.
struct Tag<'a> {
    name: &'a str,
    text: &'a str,
    content: Option<&'a str>,
}

/// The start tags of a page, in order, as a browser finds them.
fn tags(page: &str) -> Vec<Tag<'_>> {
    let (mut tags, mut rest) = (Vec::new(), page);
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let name = rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        if name.is_empty() {
            assert!(!rest.starts_with("!--"), "a comment");
            continue;
        }
        let (mut quoted, mut end) = (false, rest.len());
        for (i, c) in rest.char_indices() {
            match c {
                '"' => quoted = !quoted,
                '>' if !quoted => {
                    end = i;
                    break;
                }
                _ => {}
            }
        }
        let text = &rest[..end];
        rest = &rest[end..];
        let content = ["script", "style"].contains(&name).then(|| {
            let close = rest.find(&format!("</{name}")).expect("its end");
            let content = &rest[1..close];
            rest = &rest[close..];
            content
        });
        tags.push(Tag { name, text, content });
    }
    tags
}

/// The value of an attribute of a tag.
fn attribute<'a>(tag: &'a Tag<'_>, name: &str) -> Option<&'a str> {
    tag.text.split(&format!(" {name}=\"")).nth(1)?.split('"').next()
}

fn hashes<'a>(contents: impl Iterator<Item = &'a str>) -> String {
    contents.map(|text| format!(" 'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))).collect()
}

/// Compares the policy of a page with what is in it.
fn assert_allowed(page: &str, what: &str) {
    let tags = tags(page);
    let is_data = |tag: &Tag<'_>| attribute(tag, "type") == Some("application/json");
    let contents = |name: &'static str| {
        tags.iter().filter(move |tag| tag.name == name && !is_data(tag)).filter_map(|tag| tag.content)
    };
    let scripts = hashes(contents("script"));
    let scripts = if scripts.is_empty() { scripts } else { format!("; script-src{scripts}") };
    let styles = hashes(contents("style"));
    assert!(!styles.is_empty(), "{what}: no style sheet");
    let policies: Vec<usize> = (0..tags.len())
        .filter(|&i| attribute(&tags[i], "http-equiv") == Some("Content-Security-Policy"))
        .collect();
    let [policy] = policies[..] else { panic!("{what}: {} policies", policies.len()) };
    let expected = format!(
        "default-src 'none'; style-src{styles}{scripts}; img-src data:; base-uri 'none'; form-action 'none'"
    );
    assert_eq!(attribute(&tags[policy], "content"), Some(expected.as_str()), "{what}");
    for (i, tag) in tags.iter().enumerate() {
        // A policy holds for what follows it.
        assert!(tag.content.is_none() || i > policy, "{what}: a {} before the policy", tag.name);
        let loads = ["img", "iframe", "object", "embed", "base", "form", "image", "use"];
        assert!(!loads.contains(&tag.name), "{what}: <{}>", tag.text);
        // The policy would refuse these, and the page would be another than it is meant to be.
        let names = tag.text.split('"').step_by(2).collect::<Vec<_>>().join("\"");
        for refused in [" style=", " on", " src="] {
            assert!(!names.contains(refused), "{what}: <{}>", tag.text);
        }
    }
}

/// The boards that the script of a page draws: runs of lines that they share.
fn boards(page: &str) -> Vec<String> {
    let tags = tags(page);
    let Some(data) = tags.iter().find(|tag| attribute(tag, "id") == Some("boards")) else {
        return Vec::new();
    };
    let data: serde_json::Value = serde_json::from_str(data.content.expect("a script")).expect("JSON");
    let lines: Vec<&str> =
        data["lines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    let frames = data["frames"].as_array().unwrap().iter();
    let frames = frames.flat_map(|frame| frame.as_array().cloned().unwrap_or_else(|| vec![frame.clone()]));
    let board = |frame: serde_json::Value| {
        let runs = frame.as_str().expect("runs of lines").split(',').map(|run| {
            let (from, to) = run.split_once('-').unwrap_or((run, run));
            lines[from.parse::<usize>().unwrap()..=to.parse().unwrap()].join("\n")
        });
        runs.collect::<Vec<_>>().join("\n")
    };
    frames.map(board).collect()
}

/// Parses every picture of a page; returns how many there are.
fn assert_pictures_are_xml(page: &str, what: &str) -> usize {
    let boards = boards(page);
    for picture in &boards {
        Document::parse(picture).unwrap_or_else(|error| panic!("{what}: {error}: {picture:.200}"));
    }
    boards.len() + assert_markup_is_xml(page, what)
}

/// Parses every picture that is part of the markup of a page; returns how many there are.
fn assert_markup_is_xml(page: &str, what: &str) -> usize {
    let (mut count, mut rest) = (0, page);
    while let Some(from) = rest.find("<svg") {
        rest = &rest[from..];
        // One may be within another.
        let (mut depth, mut end) = (0, 0);
        while depth > 0 || end == 0 {
            let next = rest[end..].find("<svg").map_or(usize::MAX, |at| at + end);
            let close =
                rest[end..].find("</svg>").map(|at| at + end).unwrap_or_else(|| panic!("{what}: no end"));
            (depth, end) = if next < close { (depth + 1, next + 4) } else { (depth - 1, close + 6) };
        }
        let picture = &rest[..end];
        Document::parse(picture).unwrap_or_else(|error| panic!("{what}: {error}: {picture:.200}"));
        count += 1;
        rest = &rest[end..];
    }
    count
}

/// A folder with a run of a variant whose every name is hostile.
fn desk() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
    let mut map: serde_json::Value = serde_json::from_str(&testkit::read("maps/standard.json")).unwrap();
    for face in map["faces"].as_object_mut().unwrap().values_mut() {
        face["name"] = HOSTILE.into();
    }
    write("board.json", &map.to_string());
    let named = serde_json::Value::from(HOSTILE).to_string();
    let variant = testkit::read("variants/black-hole.toml");
    let lines = variant.lines().map(|line| match line.split(" = ").next() {
        Some("id") if line.contains("black-hole") => "id = \"own\"".to_owned(),
        Some("map") => "map = \"board.json\"".to_owned(),
        Some(key @ ("title" | "summary")) => format!("{key} = {named}"),
        _ => line.to_owned(),
    });
    write("own.toml", &lines.collect::<Vec<_>>().join("\n"));
    write(
        "e.toml",
        "name = \"own\"\nvariants = [\"own.toml\", \"black-hole\"]\ngames = 7\nseed = 5\nlast_year = 1902\nseats.all = \"greedy\"\n",
    );
    dir
}

fn page(here: &Path, words: &[&str]) -> String {
    let done = run_in(here, words, b"");
    assert_eq!(done.code, 0, "{words:?}: {}", done.error);
    fs::read_to_string(here.join("page.html")).unwrap()
}

#[test]
fn the_policy_of_each_page_names_its_style_sheets_and_scripts_and_its_pictures_are_xml() {
    let dir = desk();
    let here = dir.path();
    let played = run_in(here, &["run", "e.toml"], b"");
    assert_eq!(played.code, 0, "{}", played.error);
    let run = the_run(here);
    let run = run.to_str().unwrap();
    for (what, words, least) in [
        ("report", &["report", run, "--out", "page.html", "--svg", "figures"][..], 10),
        ("viewer", &["replay", run, "own/0", "--html", "page.html"], 1),
        (
            "what if",
            &["replay", run, "own/0", "--at", "F1902", "--without", "--futures", "20", "--html", "page.html"],
            2,
        ),
    ] {
        let page = page(here, words);
        assert_allowed(&page, what);
        let pictures = assert_pictures_are_xml(&page, what);
        assert!(pictures >= least, "{what}: {pictures} pictures");
        assert!(page.contains("&lt;script&gt;alert(1)"), "{what}: the names are in it");
    }
    let figures = testkit::files_below(&here.join("figures"));
    assert!(figures.len() > 5, "{} figures", figures.len());
    for (name, bytes) in figures {
        let text = String::from_utf8(bytes).expect("UTF-8");
        Document::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", name.display()));
    }
}

#[test]
fn a_changed_page_is_noticed() {
    let dir = desk();
    let here = dir.path();
    assert_eq!(run_in(here, &["run", "e.toml"], b"").code, 0);
    let run = the_run(here);
    let page = page(here, &["replay", run.to_str().unwrap(), "own/0", "--html", "page.html"]);
    for (from, to) in [
        ("</style>", " </style>"),
        ("</head>", "<style>p{}</style></head>"),
        ("</body>", "<script>f()</script></body>"),
        ("<svg", "<i style=\"color: red\"></i><svg"),
        ("default-src 'none'", "default-src *"),
    ] {
        let changed = page.replacen(from, to, 1);
        assert_ne!(changed, page, "{from}");
        let noticed = std::panic::catch_unwind(|| assert_allowed(&changed, "changed"));
        assert!(noticed.is_err(), "{from} → {to}");
    }
}

#[test]
fn each_picture_that_is_printed_is_xml() {
    let dir = desk();
    for words in [
        &["map", "--map", "board.json", "--format", "svg"][..],
        &["map", "--map", "board.json", "--apply", "collapse MAR", "--format", "svg"],
        &["map", "--map", "board.json", "--apply", "collapse MAR", "--format", "svg", "--frames"],
    ] {
        let done = run_in(dir.path(), words, b"");
        assert_eq!(done.code, 0, "{words:?}: {}", done.error);
        assert_eq!(assert_pictures_are_xml(&done.out, words[1]), 1, "{words:?}");
    }
}
