//! The claims of the pages about paths, commands, tests, keys and switches are true, and the book has all pages
//! (`docs/build` checks its links); every file of tests is compiled, by the Rust that is promised, in few binaries.

use std::collections::BTreeSet;
use std::fs;
use std::iter;
use std::path::Path;
use std::process::Command;

use testkit::{path, read};
use upheaval::rules::changes::{By, OwnerRule, Point, Seasons, Stranded, Verb, Word};
use upheaval::rules::rulebook::Rulebook;
use upheaval::rules::variant::Variant;
use upheaval::rules::variant::parameter;
use upheaval::session::Session;

/// The folders whose pages are checked, each page in them.
const FOLDERS: [&str; 8] =
    ["", "bots/node", "bots/python", "docs", "notebooks", "python", "results", "tests/data/datc"];

/// The possible first parts of a path in the pages.
const ROOTS: [&str; 11] =
    [".ci", "bots", "cli", "docs", "experiments", "maps", "notebooks", "python", "src", "tests", "variants"];

/// The subcommands of cargo that the pages may name.
const CARGO: [&str; 8] = ["bench", "build", "clippy", "doc", "fmt", "install", "run", "test"];

/// The pages, by their paths from the root.
fn pages() -> Vec<String> {
    let pages = FOLDERS.iter().flat_map(|folder| {
        let entries = fs::read_dir(path(folder)).expect("the folder");
        entries.map(move |entry| Path::new(folder).join(entry.expect("an entry").file_name()))
    });
    let mut pages: Vec<String> = pages.map(|page| page.to_string_lossy().into_owned()).collect();
    pages.retain(|page| page.ends_with(".md"));
    pages.sort();
    pages
}

/// The runs of characters that a path can consist of.
fn path_like(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || "._-/".contains(c)))
        .map(|word| word.trim_end_matches(['.', '/']))
}

/// Paths below the root that a page names.
fn named_paths(text: &str) -> BTreeSet<&str> {
    let is_path = |word: &&str| word.split_once('/').is_some_and(|(first, _)| ROOTS.contains(&first));
    path_like(text).filter(is_path).collect()
}

/// The commands in a page's ```sh blocks, piece by piece where a pipe joins them.
fn commands(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut within = false;
    for line in text.lines() {
        if line.starts_with("```") {
            within = line == "```sh";
        } else if within {
            // A text in quotes is an argument, whatever it contains.
            let bare: String = line.split('\'').step_by(2).collect();
            commands.extend(bare.split('|').map(|command| command.trim().to_owned()));
        }
    }
    commands
}

/// The subcommands of `upheaval`, as `cli/src/lib.rs` lists them.
fn subcommands() -> Vec<String> {
    let main = read("cli/src/lib.rs");
    let (_, rest) = main.split_once("enum Command {").expect("the list of subcommands");
    let (list, _) = rest.split_once("\n}").expect("its end");
    list.lines()
        .map(str::trim)
        .filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()))
        .filter_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric()).next())
        .map(str::to_ascii_lowercase)
        .collect()
}

/// The fault of a command, if there is one.
fn fault(command: &str, subcommands: &[String]) -> Option<String> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let known = |word: Option<&&str>| word.is_some_and(|word| subcommands.iter().any(|known| known == word));
    match words.as_slice() {
        ["cargo", subcommand, rest @ ..] => {
            if !CARGO.contains(subcommand) {
                return Some(format!("cargo has no `{subcommand}`"));
            }
            let ours = *subcommand == "run" && !rest.contains(&"--example");
            let ours = rest.iter().position(|word| *word == "--").filter(|_| ours);
            ours.and_then(|at| (!known(rest.get(at + 1))).then(|| format!("no such subcommand: `{command}`")))
        }
        ["upheaval", rest @ ..] => (!known(rest.first()))
            .then(|| format!("no such subcommand: `{command}`; there are {subcommands:?}")),
        _ => None,
    }
}

fn report(faults: Vec<String>) {
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_path_exists() {
    for root in ROOTS {
        assert!(path(root).exists(), "there is no `{root}` for a path to begin with");
    }
    let (mut faults, mut seen) = (Vec::new(), 0);
    for page in &pages() {
        for path in named_paths(&read(page)) {
            seen += 1;
            let exists = testkit::path(path).exists();
            faults.extend((!exists).then(|| format!("{page} names `{path}`, which is not there")));
        }
    }
    assert!(seen > 80, "only {seen} paths were found: does the search still work?");
    report(faults);
}

#[test]
fn every_command_exists() {
    let subcommands = subcommands();
    assert!(subcommands.contains(&"run".to_owned()), "{subcommands:?}");
    let mut faults = Vec::new();
    for page in &pages() {
        for command in commands(&read(page)) {
            faults.extend(fault(&command, &subcommands).map(|fault| format!("{page}: {fault}")));
        }
    }
    let readme = commands(&read("README.md"));
    let listed = commands(&read("docs/command-line.md"));
    for promised in ["cargo run --release -- run experiments/quickstart.toml", "cargo test --workspace"] {
        if !readme.iter().any(|command| command == promised) {
            faults.push(format!("README.md does not have `{promised}`"));
        }
    }
    for subcommand in &subcommands {
        if !listed.iter().any(|command| command.starts_with(&format!("upheaval {subcommand}"))) {
            faults.push(format!("docs/command-line.md does not show `upheaval {subcommand}`"));
        }
    }
    report(faults);
}

#[test]
fn wrong_commands_and_paths_are_found() {
    let known = ["run".to_owned()];
    assert_eq!(fault("cargo run --release -- run e.toml", &known), None);
    assert_eq!(fault("upheaval run e.toml", &known), None);
    assert_eq!(fault("echo upheaval", &known), None);
    for wrong in ["cargo jump", "cargo run -- rum e.toml", "cargo run --", "upheaval rum", "upheaval"] {
        assert!(fault(wrong, &known).is_some(), "{wrong}");
    }
    assert_eq!(
        commands("```sh\necho 'a | b' | upheaval rum\n```\n```text\nno\n```"),
        ["echo", "upheaval rum"]
    );
    let paths = named_paths("In `src/nothing.rs`, see [there](y.md#z) and [that](http://a/b).");
    assert_eq!(paths.into_iter().collect::<Vec<_>>(), ["src/nothing.rs"]);
}

/// `file.rs::name` in the pages is a test of that file, and `file.rs` (`name`, `other`) has items of these names.
#[test]
fn every_test_and_item_named_exists() {
    let mut faults = Vec::new();
    let mut seen = 0;
    for page in pages() {
        let text = read(&page);
        let spans: Vec<&str> = text.split('`').collect();
        let mut exists = |file: &str, item: &str| {
            seen += 1;
            if !fs::read_to_string(path(file)).unwrap_or_default().contains(item) {
                faults.push(format!("{page}: `{file}` has no `{item}`"));
            }
        };
        // Every second span is between backticks.
        for (at, span) in spans.iter().enumerate().skip(1).step_by(2) {
            if let Some((file, name)) = span.split_once(".rs::") {
                exists(&format!("{file}.rs"), &format!("fn {name}("));
            }
            let items = spans[at + 1..].chunks_exact(2).zip([" ("].into_iter().chain(iter::repeat(", ")));
            if span.ends_with(".rs") {
                let items = items.take_while(|(next, before)| next[0] == *before);
                items.for_each(|(next, _)| exists(span, next[1].rsplit("::").next().unwrap_or_default()));
            }
        }
    }
    assert!(seen > 20, "only {seen} tests were found: does the search still work?");
    report(faults);
}

/// The Rust files below a folder, by their paths from the root.
fn rust_files(folder: &str) -> Vec<String> {
    let names =
        fs::read_dir(path(folder)).expect("the folder").map(|entry| entry.expect("an entry").file_name());
    let files = names.flat_map(|name| {
        let file = format!("{folder}/{}", name.to_string_lossy());
        match path(&file).is_dir() {
            true => rust_files(&file),
            false => vec![file],
        }
    });
    files.filter(|file| file.ends_with(".rs")).collect()
}

/// A file that no `mod` names is not compiled, and its tests are not run.
#[test]
fn every_file_of_tests_is_a_module() {
    let files = [rust_files("tests"), rust_files("cli/tests")].concat();
    assert!(files.len() > 80, "only {} files were found: does the search still work?", files.len());
    let mut faults = Vec::new();
    // The crate `testkit` is one of its own.
    for file in files.iter().filter(|file| !file.starts_with("tests/testkit/") && !file.ends_with("/main.rs"))
    {
        let module = file.trim_end_matches(".rs").trim_end_matches("/mod");
        let (parent, name) = module.rsplit_once('/').expect("a file in a folder");
        let named = ["main.rs", "mod.rs"].iter().any(|above| {
            let text = fs::read_to_string(path(parent).join(above)).unwrap_or_default();
            text.lines().any(|line| {
                line.trim_start_matches("pub(crate) ").trim_start_matches("pub ") == format!("mod {name};")
            })
        });
        faults.extend((!named).then(|| format!("{file} is in no binary: {parent} has no `mod {name};`")));
    }
    report(faults);
}

/// Tables of a variant file in which names and years are not keys.
const WITHOUT_KEYS: [&str; 5] = ["start.units", "rulebook", "sources", "countries", "waterways.passages"];

fn keys(prefix: &str, table: &toml::Table, found: &mut BTreeSet<String>) {
    for (key, value) in table {
        let key = format!("{prefix}{key}");
        match value {
            toml::Value::Table(inner)
                if !WITHOUT_KEYS.contains(&key.as_str()) && !key.ends_with(".schedule") =>
            {
                keys(&format!("{key}."), inner, found);
            }
            // The entries of `changes`, whose parameters are named by their ids; `id` names no parameter.
            toml::Value::Array(entries) if key == "changes" => {
                for entry in entries.iter().filter_map(toml::Value::as_table) {
                    let mut entry = entry.clone();
                    let id = entry.remove("id").expect("an id");
                    keys(&format!("{key}.{}.", id.as_str().expect("a text")), &entry, found);
                }
            }
            _ => {
                found.insert(key);
            }
        }
    }
}

#[test]
fn every_key_of_a_variant_file_is_explained() {
    let rules = read("docs/rules.md");
    let mut found = BTreeSet::new();
    let mut files = BTreeSet::new();
    for (file, bytes) in testkit::files_below(&path("variants")) {
        if let Some(id) = file.to_string_lossy().strip_suffix(".toml") {
            keys("", &String::from_utf8(bytes).expect("a text").parse().expect("TOML"), &mut found);
            files.insert(id.to_owned());
        }
    }
    let shipped: BTreeSet<String> = Variant::shipped().map(str::to_owned).collect();
    assert_eq!(files, shipped, "files and variants that ship");
    assert!(found.len() > 40, "{found:?}");
    let missing = found.iter().filter(|key| !rules.contains(&format!("`{key}`")));
    let mut faults: Vec<String> =
        missing.map(|key| format!("docs/rules.md does not explain `{key}`")).collect();
    for id in shipped {
        let path = format!("variants/{id}.toml");
        faults.extend((!rules.contains(&path)).then(|| format!("docs/rules.md does not name `{path}`")));
    }
    report(faults);
}

#[test]
fn the_table_of_switches_is_that_of_the_presets() {
    let rules = read("docs/rules.md");
    let preset = |rulebook: Rulebook| serde_json::to_value(rulebook).expect("a rulebook can be written");
    let (new, old) = (preset(Rulebook::R2023), preset(Rulebook::R1971));
    let switches = new.as_object().expect("switches");
    assert!(switches.len() >= 10, "{switches:?}");
    let text = |value: &serde_json::Value| value.as_str().expect("a word").to_owned();
    let mut faults = Vec::new();
    for (switch, value) in switches {
        let row = format!("| `{switch}` | `{}` | `{}` |", text(value), text(&old[switch]));
        faults.extend((!rules.contains(&row)).then(|| format!("docs/rules.md has no row `{row}`")));
    }
    report(faults);
}

/// The page of the language explains each of its words and keys.
#[test]
fn the_page_of_changes_explains_every_word_and_key() {
    let page = read("docs/changes.md");
    let words =
        [Verb::NAMES, By::NAMES, Point::NAMES, Seasons::NAMES, OwnerRule::NAMES, Stranded::NAMES].concat();
    let words = words.into_iter().chain(Word::NAMES.iter().copied()).chain(parameter::entry_keys());
    let missing = words.filter(|word| !page.contains(&format!("`{word}`")));
    report(missing.map(|word| format!("docs/changes.md does not explain `{word}`")).collect());
}

/// ARCHITECTURE.md shows the way, and leaves the rest to the heads of modules.
#[test]
fn every_module_has_a_head() {
    let folders = ["src", "bots/src", "bots/learned/src", "cli/src", "python/src"];
    let mut found = folders.map(rust_files).concat();
    found.retain(|file| !file.ends_with("tests.rs"));
    assert!(found.len() > 200, "only {} modules were found: does the search still work?", found.len());
    let headless = found.iter().filter(|file| !read(file).starts_with("//! "));
    report(headless.map(|file| format!("{file} does not say at its head (`//!`) what it is")).collect());
}

/// The program of the README is the first page of the library, where it is a doc-test.
#[test]
fn the_program_of_the_readme_is_the_first_page_of_the_library() {
    let (readme, lib) = (read("README.md"), read("src/lib.rs"));
    let program = readme.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next());
    let page: Vec<&str> = lib
        .lines()
        .filter_map(|line| line.strip_prefix("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    let program = program.expect("a program");
    assert!(page.join("\n").contains(program), "the program of README.md is not that of src/lib.rs");
    // Its comments, and those of the program in Python, describe the first phase under this seed.
    let mut game = Session::new("black-hole", 7).expect("it ships");
    let turn = game.advance();
    let (phase, change) = (turn.phase.to_string(), turn.map_changes[0].to_string());
    assert!(program.contains(&format!("// {phase}: {change}")), "{phase}: {change}");
    for page in ["README.md", "docs/learners.md", "docs/python.md", "docs/rust.md"] {
        assert!(read(page).contains(&change), "{page}: {change}");
    }
}

/// The values of a key at the beginning of a line of CITATION.cff, or of the list below it.
fn cited<'a>(file: &'a str, key: &str) -> Vec<&'a str> {
    let mut lines = file.lines().skip_while(|line| !line.starts_with(&format!("{key}:")));
    let value = lines.next().map_or("", |line| line[key.len() + 1..].trim());
    match value {
        "" => lines.map_while(|line| line.strip_prefix("  - ")).collect(),
        value => vec![value],
    }
}

#[test]
fn the_citation_is_of_this_version_and_its_licences() {
    let (file, cargo) = (read("CITATION.cff"), read("Cargo.toml"));
    let package = |key: &str| {
        let line = cargo.lines().find(|line| line.starts_with(&format!("{key} = ")));
        line.and_then(|line| line.split('"').nth(1)).expect("a key of the workspace").to_owned()
    };
    assert_eq!(cited(&file, "version"), [package("version")]);
    assert_eq!(cited(&file, "license").join(" OR "), package("license"));
    // The keys that version 1.2.0 of the format requires; the lists are not empty.
    assert_eq!(cited(&file, "cff-version"), ["1.2.0"]);
    for key in ["message", "title", "authors"] {
        assert!(!cited(&file, key).is_empty(), "`{key}` is missing in CITATION.cff");
    }
    assert_eq!(read("README.md").matches("(CITATION.cff)").count(), 1);
}

#[test]
fn the_summary_lists_every_page_once() {
    let summary = read("docs/SUMMARY.md");
    let top = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"];
    let top = top.map(|page| format!("](../{page})"));
    let pages =
        pages().into_iter().filter_map(|page| page.strip_prefix("docs/").map(|page| format!("]({page})")));
    let wanted: Vec<String> = top.into_iter().chain(pages).filter(|link| link != "](SUMMARY.md)").collect();
    assert!(wanted.len() > 30, "{wanted:?}");
    let faults = wanted.iter().filter(|link| summary.matches(*link).count() != 1);
    report(faults.map(|link| format!("docs/SUMMARY.md does not have {link} once")).collect());
}

/// The first pages stay short enough to be read to their ends.
#[test]
fn the_first_pages_are_short() {
    for (page, most, elsewhere) in [
        ("README.md", 10_000, "details are for docs/"),
        ("ARCHITECTURE.md", 16_000, "details are for the heads of modules"),
        ("CHANGELOG.md", 6_000, "details are for docs/"),
    ] {
        let bytes = read(page).len();
        assert!(bytes <= most, "{page} has {bytes} bytes of at most {most}: {elsewhere}");
    }
}

#[test]
fn the_oldest_rust_that_is_promised_is_the_one_of_the_tests() {
    let table = |file: &str| -> toml::Table { read(file).parse().expect("TOML") };
    let (cargo, pinned) = (table("Cargo.toml"), table("rust-toolchain.toml"));
    let promised = cargo["workspace"]["package"]["rust-version"].as_str().expect("a version");
    assert_eq!(pinned["toolchain"]["channel"].as_str(), Some(&*format!("{promised}.0")));
}

/// Each binary of tests is linked by itself, which takes longer than most changes take to compile.
#[test]
fn the_tests_of_the_workspace_are_linked_into_seven_binaries_at_most() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(path(""))
        .output()
        .expect("cargo runs");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("a list");
    let targets = packages.iter().flat_map(|package| package["targets"].as_array().expect("a list"));
    let linked: Vec<&str> = targets
        .filter(|target| target["test"] == true && target["kind"] != serde_json::json!(["example"]))
        .map(|target| target["src_path"].as_str().expect("a path"))
        .collect();
    assert!((2..=7).contains(&linked.len()), "{linked:#?}");
}
