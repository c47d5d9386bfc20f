//! Files beside run folders, such as pages and new experiment files: they are complete or absent, even after a power
//! failure.
//!
//! A file's bytes are durable once the file is synced; its name, including a name
//! that it gets by renaming, is durable once its folder is synced.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::{fs, io};

use tempfile::NamedTempFile;

/// Writes a file with these bytes, in place of an existing one.
///
/// A link stays a link, and leads to the new file. Anything that is not a file, such as a pipe or `/dev/stdout`, is
/// written to and not replaced.
///
/// # Errors
/// The error of the system; in this case the file is unchanged.
pub fn write_whole(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    write_settled(path, contents.as_ref(), sync_folder)
}

/// Writes a file with this text where none exists.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] if there is one; otherwise the error of the system. Nothing is left behind in this
/// case.
pub fn create_whole(path: &Path, text: &str) -> io::Result<()> {
    let folder = folder_of(path);
    temporary(folder, text.as_bytes())?.persist_noclobber(path).map_err(|error| error.error)?;
    sync_folder(folder)
}

/// The folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// What the names of unfinished files begin with.
pub const TEMPORARY: &str = ".upheaval-";

/// A file with these bytes under a temporary name; it is removed unless it is renamed.
fn temporary(folder: &Path, contents: &[u8]) -> io::Result<NamedTempFile> {
    let mut temporary = tempfile::Builder::new();
    // Readable for the same users as any other new file.
    #[cfg(unix)]
    temporary.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = temporary.prefix(TEMPORARY).tempfile_in(folder)?;
    file.write_all(contents)?;
    file.as_file().sync_all()?;
    Ok(file)
}

fn write_settled(path: &Path, contents: &[u8], settle: impl Fn(&Path) -> io::Result<()>) -> io::Result<()> {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if real.metadata().is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        return std::fs::OpenOptions::new().write(true).open(&real)?.write_all(contents);
    }
    let folder = folder_of(&real);
    temporary(folder, contents)?.persist(&real).map_err(|error| error.error)?;
    settle(folder)
}

/// Returns once all changes of names in a folder are durable: creations, renames and removals.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    // On other systems a folder cannot be opened as a file, and there is no other way.
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(folder)?.sync_all() {
        // Some network file systems do not support this; they give what they can.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            Ok(())
        }
        other => other,
    }
}

/// The same for a folder and everything below it.
pub(crate) fn sync_folders(root: &Path) -> io::Result<()> {
    for entry in fs::read_dir(root)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_folders(&entry.path())?;
        }
    }
    sync_folder(root)
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
        write_settled(&path, b"text", settle).unwrap();
        assert_eq!(settled.get(), 1);
        let full = |_: &Path| Err(io::ErrorKind::StorageFull.into());
        assert!(write_settled(&path, b"text", full).is_err());
        write_whole(&path, "other").unwrap();
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_new_file_takes_the_place_of_none() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("mine.toml");
        create_whole(&path, "text").unwrap();
        let refused = create_whole(&path, "other").unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "text");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
        assert!(create_whole(&dir.path().join("no/mine.toml"), "text").is_err());
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
