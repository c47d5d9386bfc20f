//! Imports go one way: between crates and rooms as ARCHITECTURE.md lists them, and between the files of every crate.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What a file may import from the modules above it, which import the file.
#[derive(Clone, Copy, PartialEq)]
enum FromAbove {
    /// Nothing: that would be a circle as any other.
    Nothing,
    /// What the module above defines itself: `balance/cell.rs` imports from `balance.rs`.
    ItsOwn,
}

/// The crates, each by its folder and the room of it that is checked, if it is not the whole crate.
const CHECKED: [(&str, &str, FromAbove); 15] = [
    ("src/map", "", FromAbove::Nothing),
    ("src/picture", "", FromAbove::Nothing),
    ("src/import", "", FromAbove::Nothing),
    ("src/engine", "", FromAbove::ItsOwn),
    ("src/engine", "rules", FromAbove::Nothing),
    ("src/pages", "", FromAbove::Nothing),
    ("src/harness", "", FromAbove::ItsOwn),
    ("src/analysis", "", FromAbove::ItsOwn),
    ("src/report", "", FromAbove::ItsOwn),
    ("src/daide", "", FromAbove::Nothing),
    ("src/env", "", FromAbove::Nothing),
    ("bots/src", "", FromAbove::ItsOwn),
    ("bots/learned/src", "", FromAbove::Nothing),
    ("cli/src", "", FromAbove::Nothing),
    ("python/src", "", FromAbove::Nothing),
];

fn root() -> PathBuf {
    testkit::path("")
}

/// A source file without comments and without the tests at its end.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = text.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    lines.collect::<Vec<_>>().join("\n")
}

fn is_test(path: &Path) -> bool {
    let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    name.starts_with("test") || name == "mock" || path.components().any(|part| part.as_os_str() == "examples")
}

/// The Rust files below a folder, sorted, without tests.
fn files(below: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut entries: Vec<PathBuf> =
        fs::read_dir(below).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() && !path.is_symlink() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test(&path) {
            found.push(path);
        }
    }
    found
}

/// Every path in the code that starts with one of these words, as its words; a `use` of several is several paths.
fn paths(code: &str, starts: &[&str]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for start in starts {
        for (at, _) in code.match_indices(&format!("{start}::")) {
            let before = code[..at].chars().next_back();
            if !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                let mut words = Vec::new();
                read_path(&code[at..], &mut words, &mut found);
            }
        }
    }
    found
}

/// Reads a path with its braces from the start of a text, and returns the length of that part.
fn read_path(text: &str, words: &mut Vec<String>, found: &mut Vec<Vec<String>>) -> usize {
    let depth = words.len();
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let word =
            rest.len() - rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '*').len();
        if word > 0 {
            words.push(rest[..word].to_owned());
            at += word;
            if text[at..].starts_with("::") {
                at += 2;
                continue;
            }
        } else if rest.starts_with('{') {
            at += 1;
            loop {
                at += text[at..].len() - text[at..].trim_start().len();
                match text[at..].chars().next() {
                    Some('}') | None => break,
                    Some(',') => at += 1,
                    Some(_) => {
                        let inner = words.len();
                        let read = read_path(&text[at..], words, found);
                        words.truncate(inner);
                        at += read.max(1);
                        // `as name`
                        let end = text[at..].find([',', '}']).unwrap_or(0);
                        at += end;
                    }
                }
            }
            at += 1;
            words.truncate(depth);
            return at;
        }
        if words.len() > depth {
            found.push(words.clone());
        }
        words.truncate(depth);
        return at;
    }
}

/// The list in ARCHITECTURE.md: crates with their rooms, each after those that it may import.
fn listed() -> Vec<(String, Vec<String>)> {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the page");
    let (_, list) = page.split_once("```text one-way\n").expect("the list of rooms in ARCHITECTURE.md");
    let (list, _) = list.split_once("```").expect("its end");
    list.lines()
        .map(|line| {
            let (name, rooms) = line.split_once(':').expect("a crate and its rooms");
            let rooms = rooms.split_whitespace().map(str::to_owned).collect();
            (name.trim().to_owned(), rooms)
        })
        .collect()
}

fn report(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn crates_and_rooms_import_only_what_is_listed_before_them() {
    let mut faults = Vec::new();
    let listed = listed();
    for (place, (name, rooms)) in listed.iter().enumerate() {
        let folder = root().join("src").join(name);
        for path in files(&folder) {
            let inside = path.strip_prefix(&folder).expect("below");
            let room = inside.iter().next().and_then(|part| part.to_str()).unwrap_or_default();
            let room = room.trim_end_matches(".rs");
            if room == "lib" {
                continue;
            }
            let shown = path.strip_prefix(root()).expect("below").display();
            // With a `*`, rooms are not in a line; the other test checks that there is no cycle.
            let place_of_room = rooms.iter().position(|listed| listed == room);
            let Some(own) = place_of_room.or_else(|| rooms.contains(&"*".to_owned()).then_some(0)) else {
                faults.push(format!("{shown}: ARCHITECTURE.md does not list the room `{room}` of `{name}`"));
                continue;
            };
            let code = code(&path);
            // Repeating `super` as often as the file is deep leads to the root of the crate, like `crate`.
            let depth = inside.iter().count() - usize::from(inside.ends_with("mod.rs"));
            for imported in paths(&code, &["crate", "super"]) {
                let up = imported.iter().take_while(|word| *word == "super").count();
                let to = match (imported[0].as_str(), up) {
                    ("crate", _) => imported.get(1),
                    (_, up) if up == depth => imported.get(up),
                    _ => None,
                };
                let to = to.map_or("", String::as_str);
                if rooms.iter().position(|listed| listed == to).is_some_and(|to| to > own) {
                    faults.push(format!("{shown}: `{room}` imports `{to}`, which comes after it"));
                }
            }
            for (_, (other, _)) in listed.iter().enumerate().filter(|(other, _)| *other >= place) {
                if code.contains(&format!("upheaval_{other}::")) {
                    faults.push(format!(
                        "{shown}: `{name}` imports the crate `{other}`, which does not come before it"
                    ));
                }
            }
        }
    }
    let mut crates: Vec<String> = fs::read_dir(root().join("src"))
        .expect("src")
        .map(|entry| entry.expect("an entry"))
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    crates.retain(|name| listed.iter().all(|(listed, _)| listed != name));
    faults.extend(crates.iter().map(|name| format!("ARCHITECTURE.md does not list the crate `{name}`")));
    report(&faults);
}

/// The modules of a room: their files by paths, and the re-exports of each under their names.
#[derive(Default)]
struct Modules {
    files: BTreeMap<Vec<String>, PathBuf>,
    passed_on: BTreeMap<Vec<String>, BTreeMap<String, Vec<String>>>,
}

impl Modules {
    fn of(room: &Path) -> Modules {
        let mut modules = Modules::default();
        for path in files(room) {
            let inside = path.strip_prefix(room).expect("below").with_extension("");
            let mut name: Vec<String> =
                inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            if matches!(name.last().map(String::as_str), Some("mod" | "lib")) {
                name.pop();
            }
            modules.files.insert(name, path);
        }
        for (name, path) in &modules.files {
            let mut passed = BTreeMap::new();
            let code = code(path);
            for item in code.split("pub").skip(1) {
                let item = item.trim_start_matches("(crate)").trim_start_matches("(super)").trim_start();
                let Some(item) = item.strip_prefix("use ") else { continue };
                let mut found = Vec::new();
                read_path(item, &mut Vec::new(), &mut found);
                for path in found {
                    passed.insert(path.last().cloned().unwrap_or_default(), path);
                }
            }
            modules.passed_on.insert(name.clone(), passed);
        }
        modules
    }

    /// The module in which a path that starts in this one ends, if it belongs to the room.
    fn target(&self, from: &[String], path: &[String], within: &[String]) -> Option<Vec<String>> {
        let mut at = from.to_vec();
        for (i, word) in path.iter().enumerate() {
            match word.as_str() {
                "crate" => {
                    let rest = path[i + 1..].strip_prefix(within)?;
                    return self.target(&[], rest, within);
                }
                "super" => {
                    at.pop()?;
                }
                "self" => {}
                word => {
                    let child: Vec<String> = at.iter().cloned().chain([word.to_owned()]).collect();
                    if self.files.contains_key(&child) {
                        at = child;
                    } else if let Some(passed) = self.passed_on.get(&at).and_then(|all| all.get(word)) {
                        // A module's own items take precedence over re-exports of the same path.
                        return if passed == path { Some(at) } else { self.target(&at, passed, within) };
                    } else {
                        return Some(at);
                    }
                }
            }
        }
        Some(at)
    }
}

#[test]
fn files_of_a_crate_import_one_another_in_one_direction() {
    let mut faults = Vec::new();
    for (folder, room, from_above) in CHECKED {
        let modules = Modules::of(&root().join(folder).join(room));
        assert!(!modules.files.is_empty(), "{folder} has no files");
        // `crate::rules::x` names the room; if the crate is the room, there is nothing in between.
        let within: Vec<String> = Some(room.to_owned()).filter(|room| !room.is_empty()).into_iter().collect();
        let mut edges: BTreeMap<&Vec<String>, BTreeSet<Vec<String>>> = BTreeMap::new();
        for (name, path) in &modules.files {
            let children: Vec<String> = modules
                .files
                .keys()
                .filter(|of| of.len() == name.len() + 1 && of.starts_with(name))
                .filter_map(|of| of.last().cloned())
                .collect();
            let mut starts = vec!["crate", "super", "self"];
            starts.extend(children.iter().map(String::as_str));
            for item in code(path).split(';') {
                let is_passed_on =
                    ["pub use", "pub(crate) use", "pub(super) use"].iter().any(|it| item.contains(it));
                for path in paths(item, &starts) {
                    let Some(target) = modules.target(name, &path, &within) else { continue };
                    let is_above = from_above == FromAbove::ItsOwn && name.starts_with(&target);
                    // A module that gives its files' items another path does not use them.
                    let is_given_on = is_passed_on && target.starts_with(name);
                    if target != *name && !is_above && !is_given_on && modules.files.contains_key(&target) {
                        edges.entry(name).or_default().insert(target);
                    }
                }
            }
        }
        let reaches = |from: &Vec<String>| {
            let mut seen = BTreeSet::new();
            let mut next: Vec<&Vec<String>> = edges.get(from).into_iter().flatten().collect();
            while let Some(name) = next.pop() {
                if seen.insert(name.clone()) {
                    next.extend(edges.get(name).into_iter().flatten());
                }
            }
            seen
        };
        let reach: BTreeMap<&Vec<String>, BTreeSet<Vec<String>>> =
            modules.files.keys().map(|name| (name, reaches(name))).collect();
        for (name, of) in &edges {
            for to in of.iter().filter(|to| reach[to].contains(*name)) {
                faults.push(format!(
                    "{folder}/{room}: {} ─▶ {} is on a circle",
                    name.join("/"),
                    to.join("/")
                ));
            }
        }
    }
    report(&faults);
}
