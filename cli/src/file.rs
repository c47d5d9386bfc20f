//! Files that commands write beside run folders.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use upheaval::sim::output::manifest::MANIFEST;

use crate::failure::Failure;

/// Writes a file that is there whole or not at all.
pub fn write_whole(path: &Path, text: &str) -> Result<(), Failure> {
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let write = || -> io::Result<()> {
        let mut temporary = tempfile::Builder::new();
        // Readable for whom any other new file is.
        #[cfg(unix)]
        temporary.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = temporary.prefix(".upheaval-").tempfile_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    };
    write().map_err(|error| unwritten(path, &error))
}

/// Where a file is or would be, however its path is written.
pub fn real_place(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (path.canonicalize(), folder.canonicalize(), path.file_name()) {
        (Ok(place), _, _) => place,
        (_, Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// A run folder holds its files and nothing else, or it is not whole any more.
pub fn refuse_within(place: &Path, folder: &Path) -> Result<(), Failure> {
    let (Ok(folder), Ok(place)) = (folder.canonicalize(), std::path::absolute(place)) else { return Ok(()) };
    if !folder.join(MANIFEST).is_file() {
        return Ok(()); // no run folder: that is told later
    }
    let above = place.ancestors().find_map(|above| above.canonicalize().ok()).unwrap_or(place);
    match above.starts_with(&folder) {
        true => Err(Failure::input(format!(
            "`{}` lies in the run folder, which `upheaval verify` would call harmed; choose a place outside it",
            above.display()
        ))),
        false => Ok(()),
    }
}

/// That a file or folder cannot be written.
pub fn unwritten(path: &Path, error: &io::Error) -> Failure {
    // The place that `tempfile` adds is that of a file of its own making, which nobody knows.
    let error = error.to_string();
    let cause = error.split_once(" at path ").map_or(&*error, |(cause, _)| cause);
    Failure::machine(format!("cannot write `{}`: {cause}", path.display()))
}
