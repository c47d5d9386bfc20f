//! What is on the disk even after a power cut. A file's bytes are once the file is synced; its name, and the name that it gets
//! by being renamed, once the folder is that it stands in.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Returns once all names in a folder are safe: what was made, renamed or removed there.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    // Elsewhere a folder cannot be opened as a file, and there is no other way.
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(folder)?.sync_all() {
        // Some file systems on a net have no such thing; what can be had there is had.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            Ok(())
        }
        other => other,
    }
}

/// The same of a folder and all below it.
pub fn sync_folders(root: &Path) -> io::Result<()> {
    for entry in fs::read_dir(root)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_folders(&entry.path())?;
        }
    }
    sync_folder(root)
}
