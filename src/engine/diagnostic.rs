//! Faults in input files, reported with the file, the line and a correction.
//!
//! A [`Source`] is a file's name and text; it turns a span of bytes, as the `toml` crate reports them, into a
//! [`Diagnostic`], which prints as `file:line:column: message` on one line. [`form`] reads TOML into types by serde
//! and finds all faults of a file ([`Faults`]); [`value`] has types of values in such files. [`settings`] applies
//! values of the caller to a file and makes faults in them refer to the setting. [`wording`] takes the messages of
//! parsers without their positions.

pub mod form;
mod root_folder;
pub(crate) mod settings;
pub mod value;

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

pub use form::Form;
pub use root_folder::RootFolder;
pub use upheaval_map::wording::{self, suggest};

/// The largest input file, in bytes: 16 MiB. The largest board that ships has a hundredth of it.
const MOST_BYTES: u64 = 16 << 20;

/// The most characters of a value that a message quotes.
const MOST_QUOTED: usize = 80;

/// What some editors write at the beginning of a file; it takes no column.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The text of an input file with the name under which the user knows it.
#[derive(Debug, Clone)]
pub struct Source {
    name: String,
    text: String,
    /// The original text, if `text` was edited.
    given: Option<String>,
    /// The edits, in order.
    edits: Vec<settings::Edit>,
}

/// A fault in an input file, with its position. Prints as one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct Diagnostic {
    /// The position.
    pub place: Place,
    /// What is wrong and what would be right.
    pub message: String,
}

/// All faults of an input file, in the order of the file. Prints as a line for each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Faults(Vec<Diagnostic>);

impl Faults {
    /// The faults; at least one.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.0.iter()
    }
}

impl From<Diagnostic> for Faults {
    fn from(fault: Diagnostic) -> Faults {
        Faults(vec![fault])
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for Faults {}

/// The position of a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In a file.
    File {
        /// The name of the file as given.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
    },
    /// In a value that the caller has set in the file: the setting, `KEY=VALUE`.
    Setting(String),
    /// In a value that the caller gives as an argument in place of the file's: the argument's name.
    Argument(&'static str),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File { file, line, column } => write!(f, "{file}:{line}:{column}"),
            Place::Setting(setting) => f.write_str(setting),
            Place::Argument(name) => f.write_str(name),
        }
    }
}

/// An input file that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The operating system reports an error.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The bytes are not text.
    #[error(transparent)]
    NotText(#[from] Diagnostic),
    /// It is not in the folder where it may be.
    #[error(
        "`{}` is outside of the folder `{}`; a request may only name files in it",
        path.display(),
        folder.display()
    )]
    Outside {
        /// The file.
        path: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
}

impl Source {
    /// Reads a file of at most 16 MiB, which must be UTF-8.
    pub fn read(path: &Path) -> Result<Source, SourceError> {
        let bytes = bytes_of(path).map_err(|source| SourceError::Read { path: path.to_owned(), source })?;
        Ok(Source::of_bytes(path.display().to_string(), bytes)?)
    }

    /// The text of a file with this name, which must be UTF-8.
    fn of_bytes(name: String, bytes: Vec<u8>) -> Result<Source, Diagnostic> {
        String::from_utf8(bytes).map(|text| Source::new(name.as_str(), text)).map_err(|error| {
            let good = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            Source::new(name.as_str(), text).fault(good..good, "not UTF-8 text; save the file as UTF-8")
        })
    }

    /// A text that is already in memory.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source { name: name.into(), text: text.into(), given: None, edits: Vec::new() }
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The original text of the file, without values set on the command line.
    pub fn given(&self) -> &str {
        self.given.as_deref().unwrap_or(&self.text)
    }

    /// The fault at a span of bytes. A span outside of the text is moved to the nearest position.
    pub(crate) fn fault(&self, span: Range<usize>, message: impl Into<String>) -> Diagnostic {
        let message = one_line(&message.into());
        let place = match settings::trace(&self.edits, &span) {
            Ok(at) => self.place(at),
            Err(given) => given.clone(),
        };
        Diagnostic { place, message }
    }

    /// The position of a byte of the file.
    fn place(&self, at: usize) -> Place {
        let text = self.given();
        let start = (0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or_default();
        let before = text[..start].trim_start_matches(BYTE_ORDER_MARK);
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        Place::File {
            file: self.name.clone(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

/// Reads an input file.
fn bytes_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_file(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        let large = format!("it has more than {MOST_BYTES} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, large));
    }
    Ok(bytes)
}

/// Opens a file that the user names. Links are followed if they end at a regular file: opening a pipe would
/// block, and a device may never end.
///
/// # Errors
/// The file does not exist, cannot be read, or is not a regular file.
pub fn open_file(path: &Path) -> io::Result<File> {
    let refuse = |found: fs::FileType| {
        let what = format!("it is {}; a regular file is needed", kind_of(found));
        io::Error::new(io::ErrorKind::InvalidInput, what)
    };
    // Checked before opening, because opening a pipe waits for a writer.
    let before = fs::metadata(path)?.file_type();
    if !before.is_file() {
        return Err(refuse(before));
    }
    let file = File::open(path)?;
    let opened = file.metadata()?.file_type();
    if opened.is_file() { Ok(file) } else { Err(refuse(opened)) }
}

/// The kind of a file, with its article.
pub fn kind_of(found: fs::FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if found.is_fifo() {
            return "a named pipe";
        }
        if found.is_socket() {
            return "a socket";
        }
        if found.is_block_device() || found.is_char_device() {
            return "a device";
        }
    }
    match (found.is_symlink(), found.is_dir(), found.is_file()) {
        (true, ..) => "a symbolic link",
        (_, true, _) => "a folder",
        (.., true) => "a regular file",
        _ => "not a regular file",
    }
}

/// The text on one line: an error must be a single line, whatever a library wrote into it.
pub fn one_line(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ")
}

/// The beginning of a text that a message quotes: at most `most` characters.
pub(crate) fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
