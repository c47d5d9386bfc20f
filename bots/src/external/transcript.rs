//! A transcript of all messages to and from a program, for its author, and the output of a program in a form that is
//! safe to print.
//!
//! ```text
//! # hello
//! > {"type":"hello","game":null,…}        sent to the program
//! < {"type":"id","game":null,…}           received from it
//! ! RuntimeError: boom                     what it wrote to standard error before it was ended
//! ```

use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use upheaval_engine::diagnostic::one_line;

use super::lock;

/// A transcript that is being written. Clones write into the same transcript.
#[derive(Clone)]
pub struct Transcript(Arc<Mutex<Writing>>);

struct Writing {
    out: Box<dyn Write + Send>,
    /// The first failure to write; nothing is written after it.
    failed: Option<io::Error>,
}

impl Transcript {
    /// A transcript that is written to this.
    pub fn new(out: impl Write + Send + 'static) -> Transcript {
        Transcript(Arc::new(Mutex::new(Writing { out: Box::new(out), failed: None })))
    }

    /// Writes a text, each line after a mark.
    fn lines(&self, mark: char, text: &str) {
        let mut writing = lock(&self.0);
        for line in text.lines() {
            if writing.failed.is_none() {
                writing.failed = writeln!(writing.out, "{mark} {line}").err();
            }
        }
    }

    /// Begins a new part of the battery.
    pub(super) fn part(&self, name: &str) {
        self.lines('#', name);
    }

    pub(super) fn sent(&self, message: &str) {
        self.lines('>', message);
    }

    pub(super) fn received(&self, line: &[u8]) {
        self.lines('<', &printable(&String::from_utf8_lossy(line)));
    }

    pub(super) fn last_words(&self, words: &str) {
        self.lines('!', words);
    }

    /// Ends the transcript.
    ///
    /// # Errors
    /// A line could not be written.
    pub fn finish(&self) -> io::Result<()> {
        let mut writing = lock(&self.0);
        match writing.failed.take() {
            Some(error) => Err(error),
            None => writing.out.flush(),
        }
    }
}

impl fmt::Debug for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Transcript")
    }
}

/// The text without characters that a terminal would act on.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// A text on one line, short enough to be part of one.
pub(super) fn short(text: &str) -> String {
    cut(text, 60)
}

/// A text on one line with at most this many letters: the output of a program may be megabytes.
pub(super) fn cut(text: &str, letters: usize) -> String {
    let text = printable(&one_line(text));
    match text.char_indices().nth(letters) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
