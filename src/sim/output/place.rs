//! The place of a run folder: what may lie there, the hidden folder beside it, and the change-over.
//!
//! The hidden folder `.upheaval-partial-<run>-<process>` has a file `….lock` beside it that its process keeps
//! locked. The lock is made first and removed last, and falls with its process; so a lock that can be taken
//! marks the leftovers of a killed run, and those of a living one are never touched.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::OutputError;
use super::manifest::{MANIFEST, Manifest};

const PREFIX: &str = ".upheaval-partial-";
const LOCK: &str = ".lock";
const OLD: &str = ".old";

/// What lies where a run folder is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nothing, or an empty folder.
    Free,
    /// A whole run of the same experiment, and nothing else.
    Replace,
}

/// Looks at the place of a run folder, and refuses what must not be lost.
pub fn look(path: &Path, hash: &str) -> Result<Place, OutputError> {
    // Of the folders on the way, the first that is there must be one.
    for ancestor in path.ancestors().skip(1).filter(|a| !a.as_os_str().is_empty()) {
        match fs::metadata(ancestor) {
            Ok(found) if found.is_dir() => break,
            Ok(_) => return Err(OutputError::NotAFolder(ancestor.to_owned())),
            Err(_) => continue,
        }
    }
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => {}
        Ok(_) => return Err(OutputError::NotAFolder(path.to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Place::Free),
        Err(error) => return Err(OutputError::io(path)(error)),
    }
    let mut found = Vec::new();
    list(path, "", &mut found).map_err(OutputError::io(path))?;
    if found.is_empty() {
        return Ok(Place::Free);
    }
    let manifest = fs::read(path.join(MANIFEST))
        .ok()
        .and_then(|bytes| serde_json::from_slice::<Manifest>(&bytes).ok())
        .filter(|manifest| manifest.complete);
    let Some(manifest) = manifest else {
        let foreign = found.swap_remove(0);
        return Err(OutputError::Foreign { path: path.to_owned(), foreign });
    };
    if manifest.experiment_hash != hash {
        return Err(OutputError::OtherExperiment {
            path: path.to_owned(),
            name: manifest.experiment,
            hash: manifest.experiment_hash,
        });
    }
    let listed = |name: &String| name == MANIFEST || manifest.files.iter().any(|f| f.path == *name);
    match found.into_iter().find(|name| !listed(name)) {
        None => Ok(Place::Replace),
        Some(foreign) => Err(OutputError::Foreign { path: path.to_owned(), foreign }),
    }
}

/// The files below a folder, by their paths below it, sorted. A link counts as a file.
fn list(folder: &Path, prefix: &str, found: &mut Vec<String>) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            list(&entry.path(), &format!("{name}/"), found)?;
        } else {
            found.push(name);
        }
    }
    Ok(())
}

/// A hidden folder beside a run folder. Dropped, it is removed with all that is in it, and with the folders
/// that were made for it.
#[derive(Debug)]
pub struct Temporary {
    path: PathBuf,
    run: PathBuf,
    lock_path: PathBuf,
    lock: Option<File>,
    made: Vec<PathBuf>,
}

impl Temporary {
    /// Makes the hidden folder for a run folder, and the folders above it; cleans what killed runs left.
    pub fn create(run: &Path) -> Result<Self, OutputError> {
        let out = match run.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        let name = run.file_name().unwrap_or_default().to_string_lossy();
        let path = out.join(format!("{PREFIX}{name}-{}", std::process::id()));
        let mut temporary = Temporary {
            lock_path: with_ending(&path, LOCK),
            run: run.to_owned(),
            path,
            lock: None,
            made: Vec::new(),
        };
        temporary.make_folders(&out)?;
        clean(&out);
        temporary.claim()?;
        fs::create_dir(&temporary.path).map_err(OutputError::io(run))?;
        Ok(temporary)
    }

    fn make_folders(&mut self, out: &Path) -> Result<(), OutputError> {
        let missing: Vec<_> = out
            .ancestors()
            .filter(|a| !a.as_os_str().is_empty())
            .take_while(|a| fs::symlink_metadata(a).is_err())
            .map(Path::to_owned)
            .collect();
        for folder in missing.into_iter().rev() {
            fs::create_dir(&folder).map_err(OutputError::io(&folder))?;
            self.made.push(folder);
        }
        Ok(())
    }

    fn claim(&mut self) -> Result<(), OutputError> {
        let lock = File::create_new(&self.lock_path).map_err(OutputError::io(&self.run))?;
        match lock.try_lock() {
            Ok(()) => {}
            // Where the file system knows no locks, nothing is ever taken for a leftover either.
            Err(TryLockError::Error(_)) => {}
            Err(TryLockError::WouldBlock) => {
                let error = io::Error::other("another process is cleaning up there; try again");
                return Err(OutputError::io(&self.run)(error));
            }
        }
        self.lock = Some(lock);
        Ok(())
    }

    /// Where to write.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the folder in its place, where there is nothing or an empty folder.
    pub fn rename(&mut self) -> Result<(), OutputError> {
        fs::rename(&self.path, &self.run).map_err(OutputError::io(&self.run))?;
        self.made.clear();
        Ok(())
    }

    /// Puts the folder in the place of an older run, which goes.
    pub fn exchange(&mut self) -> Result<(), OutputError> {
        if !swap(&self.path, &self.run) {
            let old = with_ending(&self.path, OLD);
            fs::rename(&self.run, &old).map_err(OutputError::io(&self.run))?;
            if let Err(error) = fs::rename(&self.path, &self.run) {
                // The older run goes back; if even that fails, it is still there under its hidden name.
                let _ = fs::rename(&old, &self.run);
                return Err(OutputError::io(&self.run)(error));
            }
        }
        self.made.clear();
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if self.lock.is_some() {
            remove(&self.path);
        }
        for folder in self.made.iter().rev() {
            // Only an empty folder goes, so nothing of anybody else's does.
            let _ = fs::remove_dir(folder);
        }
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Removes a hidden folder, then the older run beside it, then its lock.
fn remove(hidden: &Path) {
    let gone = |path: &Path| fs::remove_dir_all(path).is_ok() || fs::symlink_metadata(path).is_err();
    if gone(hidden) && gone(&with_ending(hidden, OLD)) {
        let _ = fs::remove_file(with_ending(hidden, LOCK));
    }
}

/// Removes what killed runs left in a folder. A leftover that resists stays: it harms nothing.
fn clean(out: &Path) {
    let Ok(entries) = fs::read_dir(out) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(hidden) = name.strip_suffix(LOCK).filter(|name| name.starts_with(PREFIX)) else {
            continue;
        };
        if let Ok(lock) = File::open(entry.path())
            && lock.try_lock().is_ok()
        {
            remove(&out.join(hidden));
        }
    }
}

/// Exchanges two folders in one step, where the system can.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn swap(a: &Path, b: &Path) -> bool {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE).is_ok()
}

/// Exchanges two folders in one step, where the system can.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn swap(_: &Path, _: &Path) -> bool {
    false
}
