//! The only way to open the files of a run folder, or those beside it with a hidden name: only regular files are
//! opened, and no symbolic link is followed between the folder and the file. The folder itself is named by the user and
//! may be a link.
//!
//! A run folder may come from anybody. A link in it could lead to any file of the reader's, a named pipe would block
//! whoever opens it, and reading some devices acts on them. Where the system allows it, every step starts from an open
//! folder, so nothing can be exchanged between the check of a name and its use.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};
use upheaval_engine::diagnostic::{kind_of, open_file};

/// The kind of file in a place where only a regular file is accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` {}", self.what())]
pub struct NotRegular {
    /// Its path below the folder.
    pub name: String,
    /// Its kind, with its article.
    pub found: &'static str,
}

impl NotRegular {
    /// The fault and the correction: a sentence without its subject.
    pub(crate) fn what(&self) -> String {
        format!("is {}; a run folder holds regular files only", self.found)
    }

    /// The fault that an I/O error wraps, if there is one.
    pub fn of(error: &io::Error) -> Option<&NotRegular> {
        error.get_ref()?.downcast_ref()
    }
}

impl From<NotRegular> for io::Error {
    fn from(error: NotRegular) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidInput, error)
    }
}

/// The bytes of an open file, in one type wherever they lie: the reading of Parquet is generic over it and is thus
/// compiled once.
pub enum Chunks {
    /// They are read from the file.
    File(File),
    /// They are in memory.
    Bytes(Bytes),
}

impl Length for Chunks {
    fn len(&self) -> u64 {
        match self {
            Chunks::File(file) => Length::len(file),
            Chunks::Bytes(bytes) => Length::len(bytes),
        }
    }
}

impl ChunkReader for Chunks {
    type T = Box<dyn Read>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        Ok(match self {
            Chunks::File(file) => Box::new(file.get_read(start)?),
            Chunks::Bytes(bytes) => Box::new(bytes.get_read(start)?),
        })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        match self {
            Chunks::File(file) => file.get_bytes(start, length),
            Chunks::Bytes(bytes) => bytes.get_bytes(start, length),
        }
    }
}

/// A file that can be read.
pub trait Readable {
    /// Opens it.
    ///
    /// # Errors
    /// It does not exist, cannot be read, or is not a regular file.
    fn chunks(&self) -> io::Result<Chunks>;

    /// Its path, for messages.
    fn place(&self) -> PathBuf;
}

/// A file that the user names: links to it are followed.
impl Readable for Path {
    fn chunks(&self) -> io::Result<Chunks> {
        open_file(self).map(Chunks::File)
    }
    fn place(&self) -> PathBuf {
        self.to_owned()
    }
}

/// A file of a folder: no link below the folder is followed, and nothing outside of it is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFile {
    folder: PathBuf,
    name: String,
}

impl RunFile {
    /// The file of this path below a folder, with `/` between its parts.
    pub fn new(folder: &Path, name: impl Into<String>) -> RunFile {
        RunFile { folder: folder.to_owned(), name: name.into() }
    }

    /// Its path below the folder.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Opens it.
    ///
    /// # Errors
    /// It does not exist, cannot be read, or is not a regular file.
    pub fn open(&self) -> io::Result<File> {
        open_below(&self.folder, &self.name, Access::Read)
    }

    /// All its bytes.
    ///
    /// # Errors
    /// As [`RunFile::open`].
    pub fn read(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open()?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Its text.
    ///
    /// # Errors
    /// As [`RunFile::open`], and where it is not UTF-8.
    pub(crate) fn read_text(&self) -> io::Result<String> {
        let mut text = String::new();
        self.open()?.read_to_string(&mut text)?;
        Ok(text)
    }
}

impl Readable for RunFile {
    fn chunks(&self) -> io::Result<Chunks> {
        self.open().map(Chunks::File)
    }
    fn place(&self) -> PathBuf {
        self.folder.join(&self.name)
    }
}

/// The purpose of opening a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Reading.
    Read,
    /// Reading, and writing at its end.
    Append,
    /// The same; the file is created if it does not exist.
    AppendOrCreate,
}

/// Opens a file of this path below a folder, if it is a regular file and no link leads to it.
///
/// # Errors
/// It does not exist, is not a regular file ([`NotRegular`]), the path leads out of the folder, or the system reports
/// an error.
pub fn open_below(folder: &Path, name: &str, access: Access) -> io::Result<File> {
    let parts: Option<Vec<&Path>> = Path::new(name)
        .components()
        .map(|part| match part {
            Component::Normal(part) => Some(Path::new(part)),
            _ => None,
        })
        .collect();
    let Some((last, above)) = parts.as_deref().and_then(<[_]>::split_last) else {
        let what = format!("`{name}` is not the path of a file below the folder");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let file = system::open(folder, above, last, access)?;
    // Whatever was there when it was checked, this is the file that was opened.
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(refusal(folder, &above.iter().collect::<PathBuf>().join(last))),
    }
}

/// Why a file at this path below a folder is refused.
fn refusal(folder: &Path, below: &Path) -> io::Error {
    let name = below.display().to_string();
    match fs::symlink_metadata(folder.join(below)) {
        Ok(found) => NotRegular { name, found: kind_of(found.file_type()) }.into(),
        Err(error) => error,
    }
}

/// Removes every file below a folder whose relative path is not to be kept. Links are removed and not followed; the
/// folder itself must not be one.
///
/// # Errors
/// A folder cannot be listed, or a file cannot be removed.
pub(crate) use system::remove_all_but;

#[cfg(any(target_os = "linux", target_os = "macos"))]
mod system {
    use std::ffi::{CStr, CString};
    use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

    use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, openat, statat, unlinkat};

    use super::*;

    const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

    /// Walks from the folder to the file, each step from the open folder before it.
    pub(super) fn open(folder: &Path, above: &[&Path], last: &Path, access: Access) -> io::Result<File> {
        let mut at = openat(CWD, folder, FOLDER, Mode::empty())?;
        let mut walked = PathBuf::new();
        for part in above {
            walked.push(part);
            if !matches!(kind(at.as_fd(), part)?, FileType::Directory | FileType::RegularFile) {
                return Err(refusal(folder, &walked));
            }
            at = openat(&at, *part, FOLDER | OFlags::NOFOLLOW, Mode::empty())?;
        }
        match kind(at.as_fd(), last) {
            Ok(FileType::RegularFile) => {}
            Ok(_) => return Err(refusal(folder, &walked.join(last))),
            Err(error) if error.kind() == io::ErrorKind::NotFound && access == Access::AppendOrCreate => {}
            Err(error) => return Err(error),
        }
        let flags = match access {
            Access::Read => OFlags::RDONLY,
            Access::Append => OFlags::RDWR | OFlags::APPEND,
            Access::AppendOrCreate => OFlags::RDWR | OFlags::APPEND | OFlags::CREATE,
        };
        // A pipe that has just been put there must not block the program.
        let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        Ok(openat(&at, last, flags, Mode::from_raw_mode(0o666))?.into())
    }

    fn kind(at: BorrowedFd<'_>, name: &Path) -> io::Result<FileType> {
        Ok(FileType::from_raw_mode(statat(at, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode))
    }

    pub(crate) fn remove_all_but(folder: &Path, keep: &dyn Fn(&str) -> bool) -> io::Result<()> {
        sweep(&openat(CWD, folder, FOLDER | OFlags::NOFOLLOW, Mode::empty())?, "", keep)
    }

    fn sweep(folder: &OwnedFd, prefix: &str, keep: &dyn Fn(&str) -> bool) -> io::Result<()> {
        // All names first: the result of listing a folder while names are removed is undefined.
        let mut names: Vec<CString> = Vec::new();
        for entry in Dir::read_from(folder)? {
            let name = entry?.file_name().to_owned();
            if ![c".", c".."].contains(&name.as_c_str()) {
                names.push(name);
            }
        }
        names.sort();
        for name in names {
            let below = format!("{prefix}{}", CStr::to_string_lossy(&name));
            let found = statat(folder, &name, AtFlags::SYMLINK_NOFOLLOW)?;
            if FileType::from_raw_mode(found.st_mode) == FileType::Directory {
                let inner = openat(folder, &name, FOLDER | OFlags::NOFOLLOW, Mode::empty())?;
                sweep(&inner, &format!("{below}/"), keep)?;
            } else if !keep(&below) {
                unlinkat(folder, &name, AtFlags::empty())?;
            }
        }
        Ok(())
    }
}

/// On other systems names are checked before they are used.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
mod system {
    use super::*;

    pub(crate) fn open(folder: &Path, above: &[&Path], last: &Path, access: Access) -> io::Result<File> {
        let mut walked = PathBuf::new();
        for part in above {
            walked.push(part);
            let found = fs::symlink_metadata(folder.join(&walked))?.file_type();
            if !found.is_dir() && !found.is_file() {
                return Err(refusal(folder, &walked));
            }
        }
        walked.push(last);
        match fs::symlink_metadata(folder.join(&walked)) {
            Ok(found) if found.is_file() => {}
            Ok(_) => return Err(refusal(folder, &walked)),
            Err(error) if error.kind() == io::ErrorKind::NotFound && access == Access::AppendOrCreate => {}
            Err(error) => return Err(error),
        }
        let writes = access != Access::Read;
        fs::OpenOptions::new()
            .read(true)
            .append(writes)
            .create(access == Access::AppendOrCreate)
            .open(folder.join(walked))
    }

    pub(crate) fn remove_all_but(folder: &Path, keep: &dyn Fn(&str) -> bool) -> io::Result<()> {
        match fs::symlink_metadata(folder)?.is_dir() {
            true => sweep(folder, "", keep),
            false => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    fn sweep(folder: &Path, prefix: &str, keep: &dyn Fn(&str) -> bool) -> io::Result<()> {
        for entry in fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()? {
            let below = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                sweep(&entry.path(), &format!("{below}/"), keep)?;
            } else if !keep(&below) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn only_regular_files_below_the_folder_are_opened() {
        let dir = tempfile::tempdir().unwrap();
        let (run, outside) = (dir.path().join("run"), dir.path().join("outside"));
        fs::create_dir_all(run.join("games")).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("part"), "secret").unwrap();
        fs::write(run.join("games/part"), "ours").unwrap();
        symlink(outside.join("part"), run.join("link")).unwrap();
        symlink(&outside, run.join("turns")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(run.join("socket")).unwrap();
        let told = |name: &str| RunFile::new(&run, name).read().unwrap_err().to_string();
        assert_eq!(RunFile::new(&run, "games/part").read().unwrap(), b"ours");
        assert_eq!(told("link"), "`link` is a symbolic link; a run folder holds regular files only");
        assert_eq!(told("turns/part"), "`turns` is a symbolic link; a run folder holds regular files only");
        assert_eq!(told("games"), "`games` is a folder; a run folder holds regular files only");
        assert_eq!(told("socket"), "`socket` is a socket; a run folder holds regular files only");
        let absolute = outside.join("part").display().to_string();
        for out in ["../outside/part", "games/../../outside/part", "", ".", &absolute] {
            assert!(told(out).contains("is not the path of a file below the folder"), "{out}: {}", told(out));
        }
        assert!(open_below(&run, "none", Access::Append).is_err() && !run.join("none").exists());
        assert!(open_below(&run, "link", Access::AppendOrCreate).is_err());
        // The folder itself may be a link, since the user names it.
        symlink(&run, dir.path().join("alias")).unwrap();
        assert_eq!(RunFile::new(&dir.path().join("alias"), "games/part").read_text().unwrap(), "ours");
    }

    #[test]
    fn links_are_removed_and_what_they_lead_to_stays() {
        let dir = tempfile::tempdir().unwrap();
        let (hidden, outside) = (dir.path().join("hidden"), dir.path().join("outside"));
        fs::create_dir_all(hidden.join("games")).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("thesis"), "x").unwrap();
        for name in ["games/a", "games/b"] {
            fs::write(hidden.join(name), "x").unwrap();
        }
        symlink(&outside, hidden.join("turns")).unwrap();
        symlink(outside.join("thesis"), hidden.join("games/c")).unwrap();
        remove_all_but(&hidden, &|name| name == "games/b").unwrap();
        let left: Vec<_> = fs::read_dir(hidden.join("games")).unwrap().map(|e| e.unwrap().path()).collect();
        assert_eq!(left, [hidden.join("games/b")]);
        assert!(fs::symlink_metadata(hidden.join("turns")).is_err() && outside.join("thesis").exists());
        symlink(&outside, dir.path().join("alias")).unwrap();
        assert!(remove_all_but(&dir.path().join("alias"), &|_| false).is_err());
        assert!(outside.join("thesis").exists());
    }
}
