//! The folder below which a stranger's request may name files.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::{Source, SourceError, bytes_of};

/// A folder whose files, and those below it, a request may name. Nothing else is opened, however the path is written
/// and wherever a link leads.
#[derive(Clone, Debug, Default)]
pub struct RootFolder {
    folder: PathBuf,
}

impl RootFolder {
    /// This folder; the empty path is the working folder.
    pub(crate) fn new(folder: impl Into<PathBuf>) -> RootFolder {
        RootFolder { folder: folder.into() }
    }

    /// Reads a file, and returns the folder that it is in. A relative path starts at this folder, or at the working
    /// folder.
    ///
    /// # Errors
    /// The path leads out of the folder, by itself or by a link; or the file cannot be read, is not regular, is larger
    /// than 16 MiB, or is not UTF-8.
    pub fn read(&self, path: &Path) -> Result<(Source, PathBuf), SourceError> {
        let unread = |source| SourceError::Read { path: path.to_owned(), source };
        let outside = || SourceError::Outside { path: path.to_owned(), folder: self.shown().to_owned() };
        let root = fs::canonicalize(self.shown())
            .map_err(|source| SourceError::Read { path: self.shown().to_owned(), source })?;
        let here = fs::canonicalize(".").map_err(unread)?;
        // An absolute path may begin with the folder as it was named, whatever links that has.
        let named = here.join(&self.folder);
        let below = path.strip_prefix(&named).unwrap_or(path);
        let places = [root.join(below), here.join(path)].map(|place| without_dots(&place));
        // Nothing outside is touched, so that an answer does not tell what there is.
        let mut inside = places.iter().filter(|place| place.starts_with(&root));
        let first = inside.next().ok_or_else(outside)?;
        let real = match (fs::canonicalize(first), inside.next()) {
            (Err(error), Some(second)) if error.kind() == io::ErrorKind::NotFound => fs::canonicalize(second),
            (found, _) => found,
        };
        let real = real.map_err(unread)?;
        if !real.starts_with(&root) {
            return Err(outside());
        }
        let bytes = bytes_of(&real).map_err(unread)?;
        let folder = real.parent().unwrap_or(&root).to_owned();
        Ok((Source::of_bytes(path.display().to_string(), bytes)?, folder))
    }

    fn shown(&self) -> &Path {
        if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder }
    }
}

/// An absolute path without `.` and `..`.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    plain
}
