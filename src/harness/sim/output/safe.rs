//! Durability after a power failure. A file's bytes are durable once the file is synced; its name, including a name
//! that it gets by renaming, is durable once its folder is synced.

use std::fs::{self, File};
use std::io;
use std::path::Path;

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
