//! Files that commands write beside run folders.

use std::io;
use std::path::{Path, PathBuf};

use upheaval::sim::output::manifest::MANIFEST;
use upheaval::sim::output::whole::{self, folder_of};

use crate::failure::Failure;

/// Writes a file that is either complete or absent, even after a power failure.
pub(crate) fn write_whole(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), Failure> {
    whole::write_whole(path, contents).map_err(|error| unwritten(path, &error))
}

/// Writes a file that is either complete or absent, where none exists yet.
pub(crate) fn create_whole(path: &Path, text: &str) -> Result<(), Failure> {
    whole::create_whole(path, text).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::input(format!(
            "`{}` exists already and is not overwritten; choose another name, or move it away",
            path.display()
        )),
        _ => unwritten(path, &error),
    })
}

/// The real path of an existing or future file.
pub(crate) fn real_place(path: &Path) -> PathBuf {
    match (path.canonicalize(), folder_of(path).canonicalize(), path.file_name()) {
        (Ok(place), _, _) => place,
        (_, Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// A run folder contains only its own files; otherwise it is damaged.
pub(crate) fn refuse_within(place: &Path, folder: &Path) -> Result<(), Failure> {
    let (Ok(folder), Ok(place)) = (folder.canonicalize(), std::path::absolute(place)) else { return Ok(()) };
    if !folder.join(MANIFEST).is_file() {
        return Ok(()); // not a run folder: that is reported later
    }
    let above = place.ancestors().find_map(|above| above.canonicalize().ok()).unwrap_or(place);
    match above.starts_with(&folder) {
        true => Err(Failure::input(format!(
            "`{}` is in the run folder, which `upheaval verify` would then report as damaged; choose a place outside it",
            above.display()
        ))),
        false => Ok(()),
    }
}

/// The error that a file or folder cannot be written.
pub(crate) fn unwritten(path: &Path, error: &io::Error) -> Failure {
    // The path that `tempfile` adds is that of its temporary file, which the user does not know.
    let error = error.to_string();
    let cause = error.split_once(" at path ").map_or(&*error, |(cause, _)| cause);
    Failure::machine(format!("cannot write `{}`: {cause}", path.display()))
}
