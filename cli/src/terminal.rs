//! The way of all text to a terminal. The output of a command may contain names and lines from files that somebody else
//! has written, so nothing in it may move the cursor, change colours or reorder letters: such characters are escaped,
//! and errors are cut to a screenful.

use std::io::{self, Write};

use crate::failure::Failure;
pub(crate) use crate::readable::{readable, screenful};

/// Writes text for people or programs. A reader that has stopped reading (`upheaval … | head`) is not a failure.
pub(crate) fn print(text: &str, mut to: impl Write) -> Result<(), Failure> {
    match to.write_all(readable(text).as_bytes()).and_then(|()| to.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::machine(format!("cannot print: {error}"))),
        Ok(()) => Ok(()),
    }
}
