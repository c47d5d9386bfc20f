//! What a program is started with: a folder, a small environment, and its command with paths that are
//! valid there.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use upheaval_engine::bot::{Guest, Program};

use super::guard::{self, GuardTask};
use super::tree::ControlGroup;

/// The variables that every program receives, if they are set.
const PASSED: [&str; 13] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    // Without these nothing starts on Windows.
    "SYSTEMROOT",
    "PATHEXT",
    "COMSPEC",
];

/// The variables that name the folder for temporary files: the program's own.
const TEMPORARY: [&str; 3] = ["TMPDIR", "TMP", "TEMP"];

/// The longest file that a program may write, in bytes.
pub(super) fn longest_file(guest: &Guest) -> u64 {
    guest.file_mb.unwrap_or(Guest::FILE_MB) << 20
}

/// The settings that a program is started with.
pub(super) struct LaunchSpec {
    /// The command that starts it.
    pub command: Command,
    /// The folder that is removed when the program has ended.
    pub folder: Option<TempDir>,
    /// The control group that it is started in, if there is one.
    pub group: Option<ControlGroup>,
}

impl LaunchSpec {
    /// For this program.
    ///
    /// # Errors
    /// It does not exist, or no folder can be created.
    pub(super) fn new(program: &Program) -> io::Result<LaunchSpec> {
        let here = env::current_dir()?;
        if let Some(named) = &program.guest.folder
            && !here.join(named).is_dir()
        {
            let what = format!("its folder `{named}` does not exist, or is not a folder");
            return Err(io::Error::new(io::ErrorKind::NotFound, what));
        }
        let absolute = |(at, word): (usize, &String)| match at {
            0 => executable(word, &here),
            _ => argument(word, &here),
        };
        let words: Vec<OsString> = program.command.iter().enumerate().map(absolute).collect();
        let folder = match &program.guest.folder {
            Some(_) => None,
            None => Some(tempfile::Builder::new().prefix("upheaval-bot-").tempdir()?),
        };
        let group = ControlGroup::new();
        let mut command = command_of(&program.guest, &words, folder.as_ref(), group.as_ref())?;
        command.env_clear();
        let given = PASSED.into_iter().chain(program.guest.env.iter().map(String::as_str));
        command.envs(given.filter_map(|name| Some((name, env::var_os(name)?))));
        match (&folder, &program.guest.folder) {
            (Some(own), _) => {
                command.current_dir(own.path());
                command.envs(TEMPORARY.map(|name| (name, own.path())));
            }
            (None, named) => {
                command.current_dir(here.join(named.as_deref().unwrap_or(".")));
                command.envs(TEMPORARY.iter().filter_map(|name| Some((name, env::var_os(name)?))));
            }
        }
        Ok(LaunchSpec { command, folder, group })
    }
}

/// The command that starts a program, with a guard if there are guards.
fn command_of(
    guest: &Guest,
    words: &[OsString],
    folder: Option<&TempDir>,
    group: Option<&ControlGroup>,
) -> io::Result<Command> {
    let Some((program, arguments)) = words.split_first() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "no program is named"));
    };
    let Some((guard, first)) = guard::guard_command().and_then(<[_]>::split_first) else {
        let mut command = Command::new(program);
        command.args(arguments);
        return Ok(command);
    };
    // A guard could report that the program does not exist only after it has been started itself.
    find(program)?;
    let path = |own: Option<&Path>| own.map_or_else(OsString::new, |own| own.as_os_str().to_owned());
    let task = GuardTask {
        run: std::process::id(),
        longest_file: longest_file(guest),
        command: words.to_vec(),
        folder: path(folder.map(TempDir::path)),
        group: path(group.map(ControlGroup::path)),
    };
    let mut command = Command::new(guard);
    command.args(first).args(task.arguments());
    Ok(command)
}

/// Finds a program by its path, or by its name in the folders of PATH.
///
/// # Errors
/// There is none, it is not executable, or its interpreter does not exist.
pub fn find(program: &OsStr) -> io::Result<()> {
    let fault = |what: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    if is_path(program) {
        let found = std::fs::metadata(program)?;
        return match (found.is_file(), is_executable(&found)) {
            (false, _) => fault("it is not a file"),
            (true, false) => fault("the file is not executable; `chmod +x` makes it so"),
            (true, true) => find_interpreter(Path::new(program)),
        };
    }
    match in_path(program) {
        Some(found) => find_interpreter(&found),
        None => fault("there is no such program in the folders of PATH"),
    }
}

/// Finds a program by its name in the folders of PATH.
fn in_path(name: &OsStr) -> Option<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Finds the interpreter that the first line of a script names; the system would only say that a file is missing.
///
/// # Errors
/// There is none.
fn find_interpreter(script: &Path) -> io::Result<()> {
    const LONGEST: u64 = 256;
    let mut start = Vec::new();
    // A program may be executable and not readable.
    let read = std::fs::File::open(script).and_then(|file| file.take(LONGEST).read_to_end(&mut start));
    let Some(line) = read.is_ok().then_some(&*start).and_then(|start| start.strip_prefix(b"#!")) else {
        return Ok(());
    };
    let line = String::from_utf8_lossy(line.split(|byte| *byte == b'\n').next().unwrap_or_default());
    let mut words = line.split_whitespace();
    let interpreter = words.next().unwrap_or_default();
    let missing = match words.next() {
        _ if !Path::new(interpreter).exists() => interpreter,
        Some(name) if interpreter.ends_with("/env") && !name.starts_with('-') => {
            match in_path(OsStr::new(name)) {
                Some(_) => return Ok(()),
                None => name,
            }
        }
        _ => return Ok(()),
    };
    let what = format!("its interpreter `{missing}`, which its first line names, does not exist");
    Err(io::Error::new(io::ErrorKind::NotFound, what))
}

/// May somebody execute this file?
#[cfg(unix)]
fn is_executable(file: &std::fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&file.permissions()) & 0o111 != 0
}

/// The name of a file decides here.
#[cfg(not(unix))]
fn is_executable(_: &std::fs::Metadata) -> bool {
    true
}

fn is_path(program: &OsStr) -> bool {
    Path::new(program).components().count() > 1 || Path::new(program).is_absolute()
}

/// The program: by its absolute path if a path is given, otherwise by the name to be found in PATH.
fn executable(word: &str, here: &Path) -> OsString {
    let by_path = is_path(OsStr::new(word)) || word.starts_with("./");
    if by_path { here.join(word).into() } else { word.into() }
}

/// An argument: if it is the path of an existing file, or ends in one after `=`, by its absolute path.
fn argument(word: &str, here: &Path) -> OsString {
    if let Some(path) = whole(word, here) {
        return path.into();
    }
    match word.split_once('=').and_then(|(key, path)| Some((key, whole(path, here)?))) {
        Some((key, path)) => {
            let mut argument = OsString::from(format!("{key}="));
            argument.push(path);
            argument
        }
        None => word.into(),
    }
}

fn whole(word: &str, here: &Path) -> Option<PathBuf> {
    let path = here.join(word);
    (!word.is_empty() && Path::new(word).is_relative() && path.exists()).then_some(path)
}
