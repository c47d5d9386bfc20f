//! The worst patterns of prose are refused: in the comments and messages of every source file, and in every page. The
//! rules that they break are in CONTRIBUTING.md, each with an example.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use testkit::path;

/// Files and folders that have not been cleaned yet. An entry without a fault has to be removed from this list.
const ALLOWED: [&str; 0] = [];

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

/// A text without a break: a paragraph, a comment, a message.
struct Passage {
    /// Its lines, each with its number.
    lines: Vec<(usize, String)>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Of a source file. Its first sentence can be a heading: `What a bot may see.`
    Comment,
    /// A text in quotes in a source file.
    Message,
    /// A paragraph of a page.
    Paragraph,
    /// A heading or a row of a table.
    Heading,
}

impl Passage {
    fn new(line: usize, text: &str, kind: Kind) -> Self {
        let lines = text.lines().enumerate().map(|(at, text)| (line + at, text.trim().to_owned())).collect();
        Self { lines, kind }
    }

    /// The text in one line: without code in backticks and marks of emphasis.
    fn text(&self) -> String {
        let joined: Vec<&str> = self.lines.iter().map(|(_, text)| text.as_str()).collect();
        let parts: Vec<String> = joined
            .join(" ")
            .split('`')
            .enumerate()
            .map(|(at, part)| if at % 2 == 0 { part.replace(['*', '_'], "") } else { "#".to_owned() })
            .collect();
        parts.concat()
    }

    /// The line in which a phrase begins, or else the first.
    fn line_of(&self, phrase: &str) -> usize {
        let found = self.lines.iter().find(|(_, text)| text.to_lowercase().contains(phrase));
        found.or(self.lines.first()).map_or(0, |(line, _)| *line)
    }

    /// What is wrong with it, each with its line.
    fn faults(&self) -> Vec<(usize, String)> {
        let text = self.text();
        let mut faults = Vec::new();
        for phrase in &PHRASES {
            if holds(&text.to_lowercase(), phrase) {
                let fault = format!("`{}`: write `{}`", phrase.text, phrase.instead);
                faults.push((self.line_of(phrase.text), fault));
            }
        }
        if matches!(self.kind, Kind::Comment | Kind::Paragraph) {
            for (at, sentence) in sentences(&text).into_iter().enumerate() {
                // A heading: of an item, or of a list that follows.
                let is_lead = sentence.ends_with(':') && sentence.split_whitespace().count() < 7;
                let is_heading = (at == 0 && self.kind == Kind::Comment) || is_lead;
                let headless = ["Who ", "Whoever "].iter().any(|word| sentence.starts_with(word))
                    || (["What ", "Whether "].iter().any(|word| sentence.starts_with(word)) && !is_heading);
                if headless && !sentence.ends_with('?') {
                    let start: String = sentence.chars().take(40).collect();
                    let fault = format!("`{start} …`: a sentence needs a subject that is a thing");
                    faults.push((self.line_of(&start.to_lowercase()), fault));
                }
            }
        }
        faults
    }
}

/// Does a text in lower case hold a phrase, as words of its own and outside of good English?
fn holds(text: &str, phrase: &Phrase) -> bool {
    text.match_indices(phrase.text).any(|(at, found)| {
        let (before, after) = (&text[..at], &text[at + found.len()..]);
        let whole = !before.ends_with(|c: char| c.is_alphanumeric() || c == '-')
            && !after.starts_with(|c: char| c.is_alphanumeric() || c == '-');
        let last = before.split_whitespace().next_back().unwrap_or_default();
        let next =
            after.split_whitespace().next().unwrap_or_default().trim_matches(|c: char| !c.is_alphanumeric());
        // At the end of a sentence, `there is no` and the like stand for an answer: `no` is a word then.
        let answer =
            phrase.text.ends_with(" no") && (next.is_empty() || after.starts_with([',', '.', ';', ':', '"']));
        whole && !answer && !phrase.unless_before.contains(&last) && !phrase.unless_after.contains(&next)
    })
}

fn sentences(text: &str) -> Vec<String> {
    let mut sentences = vec![String::new()];
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let sentence = sentences.last_mut().expect("never empty");
        if !sentence.is_empty() {
            sentence.push(' ');
        }
        sentence.push_str(word);
        let ends = word.trim_end_matches([')', '"', '”']).ends_with(['.', '!', '?', ':']);
        if ends
            && words
                .peek()
                .is_some_and(|next| next.starts_with(|c: char| c.is_uppercase() || "(\"#[".contains(c)))
        {
            sentences.push(String::new());
        }
    }
    sentences
}

/// How a language writes comments and texts.
struct Syntax {
    comment: &'static str,
    block: Option<(&'static str, &'static str)>,
    quotes: &'static [&'static str],
    is_rust: bool,
}

const RUST: Syntax = Syntax { comment: "//", block: Some(("/*", "*/")), quotes: &["\""], is_rust: true };
const SCRIPT: Syntax =
    Syntax { comment: "//", block: Some(("/*", "*/")), quotes: &["\"", "'", "`"], is_rust: false };
const HASH: Syntax =
    Syntax { comment: "#", block: None, quotes: &["\"\"\"", "'''", "\"", "'"], is_rust: false };

/// The lines of comments, without their marks, and the texts in quotes of a source file.
fn tokens(text: &str, syntax: &Syntax) -> (Vec<(usize, String)>, Vec<Passage>) {
    let (mut comments, mut messages) = (Vec::new(), Vec::new());
    let (mut rest, mut line) = (text, 1);
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        let mut taken = first.len_utf8();
        if rest.starts_with(syntax.comment) {
            taken = rest.find('\n').unwrap_or(rest.len());
            let marks: &[char] = if syntax.comment == "#" { &['#'] } else { &['/', '!'] };
            comments.push((line, rest[..taken].trim_start_matches(marks).to_owned()));
        } else if let Some((open, close)) = syntax.block.filter(|(open, _)| rest.starts_with(open)) {
            taken = rest[open.len()..].find(close).map_or(rest.len(), |at| at + open.len() + close.len());
            for (at, text) in rest[..taken].lines().enumerate() {
                comments.push((line + at, text.trim().trim_matches(['/', '*', '!']).to_owned()));
            }
        } else if let Some(open) = raw(rest).filter(|_| syntax.is_rust && !before.is_alphanumeric()) {
            let close = format!("\"{}", "#".repeat(open - 2));
            let end = rest[open..].find(&close).map_or(rest.len(), |at| open + at);
            messages.push(Passage::new(line, &rest[open..end], Kind::Message));
            taken = (end + close.len()).min(rest.len());
        } else if syntax.is_rust && first == '\'' {
            taken = quoted_character(rest);
        } else if let Some(quote) = syntax.quotes.iter().find(|quote| rest.starts_with(**quote)) {
            let end = end_of_quote(rest, quote);
            messages.push(Passage::new(line, &rest[quote.len()..end], Kind::Message));
            taken = (end + quote.len()).min(rest.len());
        }
        line += rest[..taken].matches('\n').count();
        before = rest[..taken].chars().next_back().unwrap_or(' ');
        rest = &rest[taken..];
    }
    (comments, messages)
}

/// The length of the opening of a raw string: `r#"` is 3.
fn raw(text: &str) -> Option<usize> {
    let hashes = text.strip_prefix('r')?;
    let quote = hashes.trim_start_matches('#');
    quote.starts_with('"').then(|| 2 + hashes.len() - quote.len())
}

/// The length of a character in quotes, or of the mark of a lifetime.
fn quoted_character(text: &str) -> usize {
    let mut characters = text[1..].char_indices();
    match characters.next() {
        Some((_, '\\')) => {
            text[2..].char_indices().skip(1).find(|(_, c)| *c == '\'').map_or(1, |(at, _)| at + 3)
        }
        Some(_) => characters.next().filter(|(_, c)| *c == '\'').map_or(1, |(at, _)| at + 2),
        None => 1,
    }
}

/// The place of the quote that ends a text.
fn end_of_quote(text: &str, quote: &str) -> usize {
    let mut at = quote.len();
    while at < text.len() && !text[at..].starts_with(quote) {
        let mut characters = text[at..].chars();
        let first = characters.next().map_or(1, char::len_utf8);
        at += first;
        if text[at - first..].starts_with('\\') {
            at += characters.next().map_or(0, char::len_utf8);
        }
    }
    at.min(text.len())
}

/// Comments on lines that follow one another, without code and drawings in fences; a blank line or an item of a list
/// begins another.
fn comment_passages(comments: &[(usize, String)]) -> Vec<Passage> {
    let mut passages: Vec<Passage> = Vec::new();
    let (mut is_open, mut last, mut fenced) = (false, 0, false);
    for (line, text) in comments {
        let text = text.trim();
        if *line != last + 1 {
            (is_open, fenced) = (false, false);
        }
        last = *line;
        if text.starts_with("```") {
            (is_open, fenced) = (false, !fenced);
        } else if text.is_empty() || fenced {
            is_open = false;
        } else if text.starts_with('|') || text.starts_with('#') {
            passages.push(Passage::new(*line, text, Kind::Heading));
            is_open = false;
        } else if is_open && !text.starts_with("- ") {
            passages.last_mut().expect("an open one").lines.push((*line, text.to_owned()));
        } else {
            passages.push(Passage::new(*line, text, Kind::Comment));
            is_open = true;
        }
    }
    passages
}

/// The paragraphs, headings and rows of a page, without its blocks of code.
fn page_passages(text: &str) -> Vec<Passage> {
    let mut passages: Vec<Passage> = Vec::new();
    let (mut is_open, mut fenced) = (false, false);
    for (at, text) in text.lines().enumerate() {
        let (line, trimmed) = (at + 1, text.trim());
        let begins = trimmed.starts_with("- ")
            || trimmed.split_once(". ").is_some_and(|(n, _)| n.parse::<u8>().is_ok());
        if trimmed.starts_with("```") {
            (is_open, fenced) = (false, !fenced);
        } else if fenced || trimmed.is_empty() || trimmed.starts_with("<!--") {
            is_open = false;
        } else if trimmed.starts_with(['#', '|']) {
            passages.push(Passage::new(line, trimmed, Kind::Heading));
            is_open = false;
        } else if is_open && !begins {
            passages.last_mut().expect("an open one").lines.push((line, trimmed.to_owned()));
        } else {
            let bare =
                trimmed.trim_start_matches("- ").trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            passages.push(Passage::new(line, bare, Kind::Paragraph));
            is_open = true;
        }
    }
    passages
}

/// How long a line is for a reader of its source: targets of links and what cannot be broken do not count.
fn length(line: &str) -> usize {
    let mut parts = line.split("](");
    let first = parts.next().unwrap_or_default();
    let rest: Vec<&str> = parts.map(|part| part.split_once(')').map_or("", |(_, rest)| rest)).collect();
    let words = std::iter::once(first).chain(rest).flat_map(str::split_whitespace);
    words
        .filter(|word| !word.contains("http"))
        .map(|word| word.chars().count() + 1)
        .sum::<usize>()
        .saturating_sub(1)
}

/// The lines that are too long: of a page outside of code and tables, of a source those of comments alone.
fn long_lines(text: &str, mark: Option<&str>) -> Vec<(usize, String)> {
    let mut fenced = false;
    let mut faults = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let mut prose = line.trim();
        if let Some(mark) = mark {
            if !prose.starts_with(mark) {
                fenced = false;
                continue;
            }
            prose = prose.trim_start_matches(['/', '!', '#']).trim();
        }
        fenced ^= prose.starts_with("```");
        if !fenced && !prose.starts_with(['|', '<']) && length(line) > LONGEST {
            faults.push((at + 1, format!("{} characters: wrap it at {LONGEST}", length(line))));
        }
    }
    faults
}

/// The faults of a file, each with its line.
fn faults(file: &str, text: &str) -> Vec<(usize, String)> {
    let extension = Path::new(file).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if extension == "md" {
        let passages = page_passages(text);
        return passages.iter().flat_map(Passage::faults).chain(long_lines(text, None)).collect();
    }
    let syntax = match extension {
        "rs" => RUST,
        "js" => SCRIPT,
        _ => HASH,
    };
    let (comments, messages) = tokens(text, &syntax);
    let long = long_lines(text, Some(syntax.comment));
    comment_passages(&comments).iter().chain(&messages).flat_map(Passage::faults).chain(long).collect()
}

/// The files of a folder that hold prose, by their paths from the root.
fn files(folder: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(path(folder)).expect("the folder") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().to_string_lossy().into_owned();
        let file = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        let kind = entry.file_type().expect("a kind");
        if kind.is_dir() {
            let made = ["target", "venv", "node_modules", "__pycache__"].contains(&&*name);
            if !made && !name.starts_with('.') {
                files(&file, found);
            }
        } else if kind.is_file()
            && [".md", ".rs", ".py", ".js", ".toml"].iter().any(|end| name.ends_with(end))
        {
            found.push(file);
        }
    }
}

/// Files whose words are not ours to choose, or which have the refused phrases as examples.
const NOT_OURS: [&str; 4] = ["CONTRIBUTING.md", "docs/glossary.md", "tests/prose.rs", "tests/data"];

fn is_below(file: &str, entry: &str) -> bool {
    file == entry || file.strip_prefix(entry).is_some_and(|rest| rest.starts_with('/'))
}

#[test]
fn no_file_has_a_pattern_that_is_refused() {
    let mut found = Vec::new();
    files("", &mut found);
    found.retain(|file| !is_below(file, "results") || file == "results/README.md");
    found.retain(|file| !NOT_OURS.iter().any(|entry| is_below(file, entry)));
    found.sort();
    assert!(found.len() > 300, "only {} files were found: does the search still work?", found.len());
    let mut all = BTreeMap::new();
    for file in &found {
        let faults = faults(file, &testkit::read(file));
        if !faults.is_empty() {
            all.insert(file.as_str(), faults);
        }
    }
    let is_clean = |entry: &&str| !all.keys().any(|file| is_below(file, entry));
    let clean: Vec<&str> = ALLOWED.into_iter().filter(is_clean).collect();
    assert!(clean.is_empty(), "{clean:?} are clean: take them off the list ALLOWED of tests/prose.rs");
    all.retain(|file, _| !ALLOWED.iter().any(|entry| is_below(file, entry)));
    let mut lines = Vec::new();
    for (file, faults) in all {
        lines.extend(faults.into_iter().map(|(line, fault)| format!("{file}:{line}: {fault}")));
    }
    assert!(lines.is_empty(), "{} faults; CONTRIBUTING.md, Style:\n{}", lines.len(), lines.join("\n"));
}

#[test]
fn patterns_are_found_where_they_are_and_nowhere_else() {
    let wrong = |file: &str, text: &str| faults(file, text).iter().map(|(line, _)| *line).collect::<Vec<_>>();
    assert_eq!(wrong("a.rs", "/// It hangs\n/// on this.\nfn f() {}\n// Fine.\n"), [1]);
    assert_eq!(wrong("a.rs", "let a = '\"'; // It is made anew.\nlet b = \"x\";"), [1]);
    assert_eq!(wrong("a.rs", "let a = \"a key\\\" is told\";"), [1]);
    assert_eq!(wrong("a.rs", "let a = r#\"one\nis \" told\n is told\"#;\nfn is<'a>() {}"), [3]);
    assert_eq!(wrong("a.rs", "/// ```text\n/// it is told\n/// ```\nlet anew = 1;"), [0_usize; 0]);
    assert_eq!(
        wrong("a.rs", "/// What it is. Who asks gets it.\n\n/// What now?\n/// Fine. What is, is.\n"),
        [1, 4]
    );
    assert_eq!(wrong("a.py", "# There is no key.\n'''It is no key.'''\nx = 1 # is told\n"), [3, 2]);
    assert_eq!(wrong("a.toml", "summary = \"is told\"\n# so many words\n"), [2, 1]);
    assert_eq!(wrong("a.js", "/* is\n told */ const a = 'anew';\n"), [1, 2]);
    assert_eq!(
        wrong("a.md", "# What it is\n\nWhat it is, is good.\n\n```sh\nanew\n```\n- so many that it ends\n"),
        [3]
    );
    let long = "word ".repeat(30);
    assert_eq!(
        wrong("a.md", &format!("{long}\n| {long}\n```\n{long}\n```\n[a](http://{})", "x".repeat(200))),
        [1]
    );
    assert_eq!(wrong("a.rs", &format!("// {long}\nf(); {long}\n")), [1]);
}
