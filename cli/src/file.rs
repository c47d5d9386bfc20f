//! Files that commands write beside run folders.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use upheaval::sim::output::manifest::MANIFEST;
use upheaval::sim::output::safe::sync_folder;

use crate::failure::Failure;

/// Writes a file that is there whole or not at all, even after a power cut.
pub fn write_whole(path: &Path, text: &str) -> Result<(), Failure> {
    write_settled(path, text, sync_folder)
}

/// Writes a file that is there whole or not at all, where there is none yet.
pub fn create_whole(path: &Path, text: &str) -> Result<(), Failure> {
    let write = || -> io::Result<()> {
        let folder = folder_of(path);
        let file = temporary(folder, text)?;
        file.persist_noclobber(path)?;
        sync_folder(folder)
    };
    write().map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::input(format!(
            "`{}` is there already and is not overwritten; choose another name, or move it away",
            path.display()
        )),
        _ => unwritten(path, &error),
    })
}

/// A file of this text under a name of its own, which is gone with it unless it is given another.
fn temporary(folder: &Path, text: &str) -> io::Result<NamedTempFile> {
    let mut temporary = tempfile::Builder::new();
    // Readable for whom any other new file is.
    #[cfg(unix)]
    temporary.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = temporary.prefix(".upheaval-").tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    Ok(file)
}

fn write_settled(path: &Path, text: &str, settle: impl Fn(&Path) -> io::Result<()>) -> Result<(), Failure> {
    // A link stays one, and leads to the new file.
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = folder_of(&real);
    let write = || -> io::Result<()> {
        // What is no file, such as a pipe or `/dev/stdout`, is written to and not replaced.
        if real.metadata().is_ok_and(|there| !there.is_file() && !there.is_dir()) {
            return std::fs::OpenOptions::new().write(true).open(&real)?.write_all(text.as_bytes());
        }
        temporary(folder, text)?.persist(&real)?;
        settle(folder)
    };
    write().map_err(|error| unwritten(path, &error))
}

/// The folder that a file is in, or would be.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Where a file is or would be, however its path is written.
pub fn real_place(path: &Path) -> PathBuf {
    match (path.canonicalize(), folder_of(path).canonicalize(), path.file_name()) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_made_safe_once_the_file_has_its_name() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("page.html");
        let settled = std::cell::Cell::new(0);
        let settle = |folder: &Path| {
            assert_eq!((folder, std::fs::read_to_string(&path).unwrap().as_str()), (dir.path(), "text"));
            settled.set(settled.get() + 1);
            Ok(())
        };
        write_settled(&path, "text", settle).unwrap();
        assert_eq!(settled.get(), 1);
        let full = |_: &Path| Err(io::ErrorKind::StorageFull.into());
        assert!(write_settled(&path, "text", full).is_err());
        write_whole(&path, "other").unwrap();
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_new_file_takes_the_place_of_none() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("mine.toml");
        create_whole(&path, "text").unwrap();
        let Err(Failure::Input(said)) = create_whole(&path, "other") else { panic!("it was written") };
        assert!(said.contains("is there already and is not overwritten"), "{said}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "text");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
        assert!(matches!(create_whole(&dir.path().join("no/mine.toml"), "text"), Err(Failure::Machine(_))));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_what_is_no_file_is_written_to() {
        let dir = tempfile::tempdir().unwrap();
        let (target, link) = (dir.path().join("target"), dir.path().join("link"));
        std::fs::write(&target, "old").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        write_whole(&link, "new").unwrap();
        assert!(link.is_symlink() && std::fs::read_to_string(&target).unwrap() == "new");
        let null = Path::new("/dev/null");
        let device = std::os::unix::fs::FileTypeExt::is_char_device;
        write_whole(null, "nothing").unwrap();
        assert!(device(&null.metadata().unwrap().file_type()), "the device is still one");
    }
}
