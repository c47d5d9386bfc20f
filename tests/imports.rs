//! Imports go one way: between crates and rooms as ARCHITECTURE.md lists them, and between the files of every crate.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

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

/// A module or an item in a crate or room: the names that lead to it.
type Name = Vec<String>;

/// The Rust files below a folder, without tests.
fn files(below: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(below).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with("test") || name == "mock" || name == "examples" || path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// An item of a file.
struct Item {
    /// Does it give others another path?
    is_passed_on: bool,
    paths: Vec<Name>,
}

/// The items of a file, without the tests at its end. Both tests and several rooms have the same files, and reading
/// them takes nearly all the time.
fn items(path: &Path) -> Arc<Vec<Item>> {
    static READ: Mutex<BTreeMap<PathBuf, Arc<Vec<Item>>>> = Mutex::new(BTreeMap::new());
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(read.entry(path.to_owned()).or_insert_with(|| Arc::new(items_read(path))))
}

fn items_read(path: &Path) -> Vec<Item> {
    let text = fs::read_to_string(path).expect("a source file");
    let text = text.split("mod tests {").next().unwrap_or_default();
    let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let is_end = |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ';');
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let item = |item: &[TokenTree]| Item { is_passed_on: is_passed_on(item), paths: paths_of(item) };
    tokens.split_inclusive(is_end).map(item).collect()
}

/// Does an item give others another path?
fn is_passed_on(item: &[TokenTree]) -> bool {
    let is = |token: &TokenTree, word: &str| matches!(token, TokenTree::Ident(ident) if *ident == word);
    let is_round = |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis);
    item.windows(2).any(|pair| is(&pair[0], "pub") && is(&pair[1], "use"))
        || item.windows(3).any(|three| is(&three[0], "pub") && is_round(&three[1]) && is(&three[2], "use"))
}

/// Every path in the tokens, after these names; a `use` of several is several paths.
fn paths(tokens: impl IntoIterator<Item = TokenTree>, start: &[String], found: &mut Vec<Name>) {
    let mut path = start.to_vec();
    // Do the names go on: after `::`, or at the start of a part of a `use`?
    let (mut goes_on, mut colons) = (!start.is_empty(), 0);
    for token in tokens.into_iter().map(Some).chain([None]) {
        let was = std::mem::take(&mut colons);
        match token {
            Some(TokenTree::Punct(mark)) if mark.as_char() == ':' => {
                colons = was + 1;
                goes_on = colons == 2;
                continue;
            }
            Some(TokenTree::Ident(word)) if goes_on => path.push(word.to_string()),
            Some(TokenTree::Punct(mark)) if goes_on && mark.as_char() == '*' => path.push("*".to_owned()),
            Some(TokenTree::Group(group)) if goes_on && group.delimiter() == Delimiter::Brace => {
                paths(group.stream(), &std::mem::take(&mut path), found);
            }
            token => {
                found.push(std::mem::take(&mut path));
                match token {
                    Some(TokenTree::Ident(word)) => path.push(word.to_string()),
                    Some(TokenTree::Group(group)) => paths(group.stream(), &[], found),
                    Some(TokenTree::Punct(mark)) if mark.as_char() == ',' => {
                        path = start.to_vec();
                        goes_on = !start.is_empty();
                        continue;
                    }
                    _ => {}
                }
            }
        }
        goes_on = false;
    }
    // One name does not lead from one module to another.
    found.retain(|path| path.len() > 1);
}

fn paths_of(item: &[TokenTree]) -> Vec<Name> {
    let mut found = Vec::new();
    paths(item.to_vec(), &[], &mut found);
    found
}

/// The modules of a crate or a room.
struct Modules {
    items: BTreeMap<Name, Arc<Vec<Item>>>,
    /// The re-exports of each module under their names.
    passed_on: BTreeMap<Name, BTreeMap<String, Name>>,
    /// The name of the room within its crate.
    within: Name,
}

impl Modules {
    fn of(folder: &str, room: &str) -> Modules {
        let root = testkit::path(folder).join(room);
        let mut found = Vec::new();
        files(&root, &mut found);
        let name = |path: &PathBuf| {
            let inside = path.strip_prefix(&root).expect("below").with_extension("");
            let mut name: Name = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            name.pop_if(|last| last == "mod" || last == "lib");
            name
        };
        let items: BTreeMap<Name, _> = found.iter().map(|path| (name(path), items(path))).collect();
        let passed_on = |items: &Arc<Vec<Item>>| {
            let paths = items.iter().filter(|item| item.is_passed_on).flat_map(|item| &item.paths);
            let paths = paths.map(|path| if path[0] == "use" { &path[1..] } else { path }.to_vec());
            paths.map(|path| (path.last().cloned().unwrap_or_default(), path)).collect()
        };
        let passed_on = items.iter().map(|(name, items)| (name.clone(), passed_on(items))).collect();
        let within = Some(room.to_owned()).filter(|room| !room.is_empty()).into_iter().collect();
        Modules { items, passed_on, within }
    }

    /// The module in which a path that starts in this one ends, if it belongs to the room.
    fn target(&self, from: &[String], path: &[String]) -> Option<Name> {
        let mut at = from.to_vec();
        for (i, word) in path.iter().enumerate() {
            match word.as_str() {
                "crate" => return self.target(&[], path[i + 1..].strip_prefix(&self.within[..])?),
                "super" => drop(at.pop()?),
                "self" => {}
                word => {
                    let child = [&at[..], &[word.to_owned()]].concat();
                    if self.items.contains_key(&child) {
                        at = child;
                    } else if let Some(passed) = self.passed_on.get(&at).and_then(|all| all.get(word)) {
                        // A module's own items take precedence over re-exports of the same path.
                        return if passed == path { Some(at) } else { self.target(&at, passed) };
                    } else {
                        return Some(at);
                    }
                }
            }
        }
        Some(at)
    }

    /// The modules that each module imports, or only passes on.
    fn imports(&self) -> BTreeMap<&Name, BTreeSet<Name>> {
        let mut imports = BTreeMap::new();
        for (name, items) in &self.items {
            let is_child =
                |word: &String| self.items.contains_key(&[&name[..], std::slice::from_ref(word)].concat());
            let mut targets = BTreeSet::new();
            for item in items.iter() {
                for path in &item.paths {
                    if !["crate", "super", "self"].contains(&path[0].as_str()) && !is_child(&path[0]) {
                        continue;
                    }
                    // A module that gives its files' items another path does not use them.
                    let is_given_on = |target: &Name| item.is_passed_on && target.starts_with(name);
                    targets.extend(self.target(name, path).filter(|target| !is_given_on(target)));
                }
            }
            targets.retain(|target| target != name && self.items.contains_key(target));
            imports.insert(name, targets);
        }
        imports
    }
}

/// The list in ARCHITECTURE.md: crates with their rooms, each after those that it may import.
fn listed() -> Vec<(String, Vec<String>)> {
    let page = testkit::read("ARCHITECTURE.md");
    let (_, list) = page.split_once("```text one-way\n").expect("the list of rooms in ARCHITECTURE.md");
    let (list, _) = list.split_once("```").expect("its end");
    let line = |line: &str| {
        let (name, rooms) = line.split_once(':').expect("a crate and its rooms");
        (name.trim().to_owned(), rooms.split_whitespace().map(str::to_owned).collect())
    };
    list.lines().map(line).collect()
}

fn report(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn crates_and_rooms_import_only_what_is_listed_before_them() {
    let mut faults = Vec::new();
    let listed = listed();
    for (at, (name, rooms)) in listed.iter().enumerate() {
        let modules = Modules::of(&format!("src/{name}"), "");
        for (module, imported) in modules.imports().into_iter().filter(|(module, _)| !module.is_empty()) {
            let shown = format!("src/{name}/{}", module.join("/"));
            // With a `*`, rooms are not in a line; the other test checks that there is no circle.
            let place =
                |of: &Name| of.first().and_then(|room| rooms.iter().position(|listed| listed == room));
            let own = place(module).or_else(|| rooms.contains(&"*".to_owned()).then_some(0));
            let Some(own) = own else {
                faults.push(format!("{shown}: ARCHITECTURE.md does not list its room"));
                continue;
            };
            let later = imported.iter().filter(|target| place(target).is_some_and(|of| of > own));
            faults.extend(
                later.map(|target| format!("{shown} imports {}, which comes after it", target.join("/"))),
            );
            let crates = modules.items[module].iter().flat_map(|item| &item.paths);
            let later =
                |path: &&Name| listed[at..].iter().any(|(other, _)| path[0] == format!("upheaval_{other}"));
            faults.extend(
                crates.filter(later).map(|path| format!("{shown} imports {}, which comes after it", path[0])),
            );
        }
    }
    for entry in fs::read_dir(testkit::path("src")).expect("src").map(|entry| entry.expect("an entry")) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() && listed.iter().all(|(listed, _)| *listed != name) {
            faults.push(format!("ARCHITECTURE.md does not list the crate `{name}`"));
        }
    }
    report(&faults);
}

#[test]
fn files_of_a_crate_import_one_another_in_one_direction() {
    let mut faults = Vec::new();
    for (folder, room, from_above) in CHECKED {
        let modules = Modules::of(folder, room);
        assert!(!modules.items.is_empty(), "{folder} has no files");
        let mut imports = modules.imports();
        if from_above == FromAbove::ItsOwn {
            imports.iter_mut().for_each(|(name, targets)| targets.retain(|target| !name.starts_with(target)));
        }
        // What imports nothing that is left, or is imported by nothing, is on no circle.
        loop {
            let imported: BTreeSet<Name> = imports.values().flatten().cloned().collect();
            let is_open =
                |(name, of): &(&&Name, &BTreeSet<Name>)| of.is_empty() || !imported.contains(**name);
            let done: BTreeSet<Name> =
                imports.iter().filter(is_open).map(|(name, _)| (*name).clone()).collect();
            if done.is_empty() {
                break;
            }
            imports.retain(|name, _| !done.contains(*name));
            imports.values_mut().for_each(|of| of.retain(|target| !done.contains(target)));
        }
        faults.extend(imports.iter().map(|(name, of)| {
            let of: Vec<String> = of.iter().map(|target| target.join("/")).collect();
            format!("{folder}/{room}: {} is on a circle: it imports {}", name.join("/"), of.join(", "))
        }));
    }
    report(&faults);
}
