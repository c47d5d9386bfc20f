//! The worst patterns of prose are refused in every source file and page. The rules that they break are in
//! CONTRIBUTING.md, each with an example.

use std::fs;

use testkit::path;

/// The longest line of a comment or a page, in characters.
const LONGEST: usize = 120;

/// A phrase that is refused.
struct Phrase {
    text: &'static str,
    /// Words before it with which it is good English.
    unless_before: &'static [&'static str],
    /// Words after it with which it is good English.
    unless_after: &'static [&'static str],
    instead: &'static str,
}

const fn phrase(text: &'static str, instead: &'static str) -> Phrase {
    Phrase { text, unless_before: &[], unless_after: &[], instead }
}

/// Things are told apart, and one from another.
const fn telling(text: &'static str, instead: &'static str) -> Phrase {
    Phrase { text, unless_before: &[], unless_after: &["apart", "from"], instead }
}

const fn negation(text: &'static str, instead: &'static str) -> Phrase {
    Phrase {
        text,
        unless_before: &["there"],
        unless_after: &[
            "longer",
            "more",
            "less",
            "better",
            "worse",
            "different",
            "fewer",
            "larger",
            "smaller",
            "weaker",
        ],
        instead,
    }
}

const PHRASES: [Phrase; 29] = [
    phrase("gone on with", "resumed"),
    phrase("goes on with", "resumes"),
    phrase("went on with", "resumed"),
    phrase("go on with", "resume"),
    phrase("going on with", "resuming"),
    phrase("hangs on", "depends on"),
    phrase("hang on", "depend on"),
    phrase("hanging on", "depending on"),
    phrase("anew", "again"),
    telling("is told", "is reported, receives"),
    telling("are told", "are reported, receive"),
    telling("be told", "be reported, receive"),
    negation("is no", "is not a"),
    negation("are no", "are not"),
    negation("was no", "was not a"),
    Phrase {
        text: "so many",
        unless_before: &[],
        unless_after: &["that"],
        instead: "that many, the number of",
    },
    phrase("be had", "be obtained, is available"),
    phrase("is dear", "is expensive"),
    phrase("are dear", "are expensive"),
    phrase("as slow again", "times as slow"),
    phrase("as much again", "a figure: 1.5 times"),
    phrase("of no help", "unusable, does not help"),
    phrase("thereof", "of it"),
    phrase("goes otherwise", "differs"),
    phrase("goes on otherwise", "continues differently"),
    phrase("of one's own", "custom, the user's"),
    phrase("nought", "0, zero"),
    phrase("for ever", "forever"),
    Phrase { text: "on end", unless_before: &[], unless_after: &["of"], instead: "consecutive, in a row" },
];

/// The prose of a text: without its code in backticks and fences, in one line, and where its lines begin in it.
fn prose(text: &str) -> (String, Vec<usize>) {
    let (mut prose, mut lines, mut fenced) = (String::new(), Vec::new(), false);
    for line in text.lines() {
        lines.push(prose.len());
        let bare = line.trim().trim_start_matches(['/', '!', '#']).trim().trim_end_matches('\\').trim_end();
        let is_fence = bare.starts_with("```");
        fenced ^= is_fence;
        if !fenced && !is_fence {
            let parts = bare.split('`').enumerate();
            prose.extend(parts.map(|(at, part)| if at % 2 == 0 { part } else { "#" }));
            prose.push(' ');
        }
    }
    (prose, lines)
}

/// The places at which a text has a phrase, as words of its own and outside of good English.
fn places(text: &str, phrase: &Phrase) -> Vec<usize> {
    let is_bad = |at: &usize| {
        let (before, after) = (&text[..*at], &text[at + phrase.text.len()..]);
        let is_whole = !before.ends_with(|c: char| c.is_alphanumeric() || "-_".contains(c))
            && !after.starts_with(|c: char| c.is_alphanumeric() || "-_".contains(c));
        let is_mark = |c: char| !c.is_alphanumeric();
        let last = before.rsplit(is_mark).find(|word| !word.is_empty()).unwrap_or_default().to_lowercase();
        let next = after.split(is_mark).find(|word| !word.is_empty()).unwrap_or_default();
        // At the end of a sentence, `there is no` and the like stand for an answer: `no` is a word then.
        let is_answer = phrase.text.ends_with(" no")
            && (next.is_empty() || after.starts_with([',', '.', ';', ':', '"', ')']));
        is_whole
            && !is_answer
            && !phrase.unless_before.contains(&&*last)
            && !phrase.unless_after.contains(&next)
    };
    text.match_indices(phrase.text).map(|(at, _)| at).filter(is_bad).collect()
}

/// The places of sentences that begin with the question of a subordinate clause and are no question.
fn headless(text: &str) -> Vec<usize> {
    let starts = [". What ", ". Whether ", ". Who ", ". Whoever "];
    let found = starts.iter().flat_map(|start| text.match_indices(start)).map(|(at, _)| at + 2);
    let is_statement = |at: &usize| {
        text[*at..].find(['.', '?', ':', '!']).is_some_and(|end| text[at + end..].starts_with('.'))
    };
    found.filter(is_statement).collect()
}

/// How long a line is for a reader of its source: targets of links do not count.
fn length(line: &str) -> usize {
    let shown = line.split_whitespace().filter(|word| !word.contains("http"));
    let words = shown.map(|word| word.split("](").next().unwrap_or_default().chars().count() + 1);
    words.sum::<usize>().saturating_sub(1)
}

/// The faults of a file, each with its line.
fn faults(file: &str, text: &str) -> Vec<(usize, String)> {
    let (prose, lines) = prose(text);
    let line_of = |at: usize| lines.partition_point(|start| *start <= at);
    let mut faults = Vec::new();
    for phrase in &PHRASES {
        let fault = || format!("`{}`: write `{}`", phrase.text, phrase.instead);
        faults.extend(places(&prose, phrase).into_iter().map(|at| (line_of(at), fault())));
    }
    let without_subject = |at| (line_of(at), "a sentence needs a subject that is a thing".to_owned());
    faults.extend(headless(&prose).into_iter().map(without_subject));
    let mark = match file.rsplit('.').next() {
        Some("md") => "",
        Some("rs" | "js") => "//",
        _ => "#",
    };
    let mut fenced = false;
    for (at, line) in text.lines().enumerate() {
        let Some(line) = line.trim_start().strip_prefix(mark) else { continue };
        let line = line.trim_start_matches(['/', '!']).trim();
        fenced ^= line.starts_with("```");
        if !fenced && !line.starts_with(['|', '<']) && length(line) > LONGEST {
            faults.push((at + 1, format!("{} characters: wrap it at {LONGEST}", length(line))));
        }
    }
    faults.sort();
    faults
}

/// What has no prose of ours, or has the refused phrases as examples.
const NOT_OURS: [&str; 9] = [
    "CONTRIBUTING.md",
    "docs/glossary.md",
    "tests/prose.rs",
    "tests/data",
    "results",
    "target",
    "venv",
    "node_modules",
    "__pycache__",
];

/// The files of a folder that have prose, by their paths from the root.
fn files(folder: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(path(folder)).expect("the folder").map(|entry| entry.expect("an entry")) {
        let name = entry.file_name().to_string_lossy().into_owned();
        let file = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        let kind = entry.file_type().expect("a kind");
        if NOT_OURS.contains(&&*file) || NOT_OURS.contains(&&*name) || name.starts_with('.') {
            continue;
        }
        if kind.is_dir() {
            files(&file, found);
        } else if kind.is_file()
            && ["md", "rs", "py", "js", "toml"].contains(&name.rsplit('.').next().unwrap_or(""))
        {
            found.push(file);
        }
    }
}

#[test]
fn no_file_has_a_pattern_that_is_refused() {
    let mut found = Vec::new();
    files("", &mut found);
    found.sort();
    assert!(found.len() > 300, "only {} files were found: does the search still work?", found.len());
    let of = |file: &String| -> Vec<String> {
        let faults = faults(file, &testkit::read(file)).into_iter();
        faults.map(|(line, fault)| format!("{file}:{line}: {fault}")).collect()
    };
    let lines: Vec<String> = found.iter().flat_map(of).collect();
    assert!(lines.is_empty(), "{} faults; CONTRIBUTING.md, Style:\n{}", lines.len(), lines.join("\n"));
}

#[test]
fn patterns_are_found_where_they_are_and_nowhere_else() {
    let wrong = |file: &str, text: &str| faults(file, text).iter().map(|(line, _)| *line).collect::<Vec<_>>();
    assert_eq!(wrong("a.rs", "/// It hangs\n/// on this.\nfn f() {}\n// Fine.\n"), [1]);
    assert_eq!(wrong("a.rs", "let a = '\"'; // It is made anew.\nlet b = \"x\";"), [1]);
    assert_eq!(wrong("a.rs", "let a = \"a key is \\\n    told\";"), [1]);
    assert_eq!(wrong("a.rs", "/// ```text\n/// it is told\n/// ```\n// `is told`\n"), [0_usize; 0]);
    assert_eq!(wrong("a.py", "# There is no key.\n'''It is no key.'''\nx = 1 # is told\n"), [2, 3]);
    let page = "# What it is\n\nWhat it is, is good.\n\n```sh\nanew\n```\n- so many that it ends\n";
    assert_eq!(wrong("a.md", page), [0_usize; 0]);
    assert_eq!(wrong("a.md", "# A\n\nIt is. What it is, is good. What is it?\n\n```sh\nanew\n```\n"), [3]);
    let long = "word ".repeat(30);
    let page = format!("{long}\n| {long}\n```\n{long}\n```\n[a](http://{})", "x".repeat(200));
    assert_eq!(wrong("a.md", &page), [1]);
    assert_eq!(wrong("a.rs", &format!("// {long}\nf(); {long}\n")), [1]);
}
