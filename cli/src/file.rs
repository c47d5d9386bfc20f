//! Files that commands write beside run folders.

use std::io::{self, Write as _};
use std::path::Path;

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

/// That a file or folder cannot be written.
pub fn unwritten(path: &Path, error: &io::Error) -> Failure {
    Failure::machine(format!("cannot write `{}`: {error}", path.display()))
}
