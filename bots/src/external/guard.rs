//! A guard stands between a run and a program: a process that has started the program, finds all processes that the
//! program has started, and ends them when the run ends, however that happens. It is this same executable, under
//! another first argument, or another that acts for it: a run in Python has a Python script.
//!
//! ```text
//!   run ──starts──▶ guard ──starts──▶ program ──▶ children, that may leave the group or lose their parent:
//!    ▲                │ ▲                                    then the guard is their parent
//!    └──── watches ───┘ └──── all that is left is killed when the program, the run or the guard ends
//! ```
//! The program speaks with the run directly. If the program kills its guard, the run notices that and kills all
//! processes that it still finds. Only Linux has the required system calls; on other systems no guard is started.

use std::ffi::OsString;
use std::io;
use std::sync::OnceLock;

/// The first argument of a guard.
const WORD: &str = "\u{1}guard";

/// The words that a guard's arguments follow, in the command that starts a guard.
static KEEPER: OnceLock<Vec<OsString>> = OnceLock::new();

/// Declares that this executable calls [`asked`] first of all: from now on programs are started with a guard.
pub fn keep_programs() {
    keep_programs_by(vec!["/proc/self/exe".into()]);
}

/// Declares that the command of these words passes the arguments that follow them to [`asked`], after one that is
/// skipped, and does what they ask: from now on programs are started with it as their guard. Only the first such
/// declaration of a process has an effect.
pub fn keep_programs_by(words: Vec<OsString>) {
    if cfg!(target_os = "linux") {
        let _ = KEEPER.set(words);
    }
}

/// The words that start a guard, if there are guards.
pub(super) fn keeper() -> Option<&'static [OsString]> {
    KEEPER.get().map(Vec::as_slice).filter(|words| !words.is_empty())
}

/// Is a program started with a guard?
pub(super) fn is_kept() -> bool {
    keeper().is_some()
}

/// The task of a guard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Post {
    /// The process that has started the guard.
    run: u32,
    /// The longest file that the program may write, in bytes.
    longest_file: u64,
    /// The program and its arguments.
    command: Vec<OsString>,
    /// The folder to be removed at the end; empty if there is none.
    folder: OsString,
    /// The control group in which it starts the program; empty if there is none.
    group: OsString,
}

impl Post {
    pub(super) fn new(longest_file: u64, folder: OsString, group: OsString, command: Vec<OsString>) -> Post {
        Post { run: std::process::id(), longest_file, command, folder, group }
    }

    /// The arguments of the guard.
    pub(super) fn arguments(&self) -> impl Iterator<Item = OsString> {
        let numbers = [self.run.to_string(), self.longest_file.to_string()].map(OsString::from);
        [OsString::from(WORD)]
            .into_iter()
            .chain(numbers)
            .chain([self.folder.clone(), self.group.clone()])
            .chain(self.command.iter().cloned())
    }
}

/// The guard's task, if this process was started as a guard. This is called before any other use of the arguments.
pub fn asked(arguments: impl Iterator<Item = OsString>) -> Option<Post> {
    let mut arguments = arguments.skip(1);
    if arguments.next()? != WORD {
        return None;
    }
    let mut number = || arguments.next()?.to_str()?.parse::<u64>().ok();
    let (run, longest_file) = (u32::try_from(number()?).ok()?, number()?);
    let (folder, group) = (arguments.next()?, arguments.next()?);
    let command: Vec<OsString> = arguments.collect();
    (!command.is_empty()).then_some(Post { run, longest_file, command, folder, group })
}

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::OsStr;
    use std::path::Path;
    use std::process::Command;
    use std::time::{Duration, Instant};

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::process::{
        Pid, PidfdFlags, Resource, Rlimit, Signal, WaitOptions, WaitStatus, getpid, getppid, kill_process,
        pidfd_open, set_child_subreaper, setrlimit, wait,
    };

    use super::super::cgroup;
    use super::super::tree::{Tree, kill_each};
    use super::{Post, io};

    /// How often it looks for orphans that have exited, and, if the system does not report it, whether the run has
    /// ended.
    const GLANCE: Timespec = Timespec { tv_sec: 1, tv_nsec: 0 };

    /// How long it tries to end a group that keeps starting processes.
    const PATIENCE: Duration = Duration::from_secs(5);

    impl Post {
        /// Ends all remaining processes of the program, and removes its folder.
        pub fn clear(&self) {
            let own = std::process::id();
            let begun = Instant::now();
            loop {
                let left = Tree::now().below(own);
                if left.is_empty() || begun.elapsed() > PATIENCE {
                    break;
                }
                kill_each(left);
                while reap().is_some() {}
                std::thread::sleep(Duration::from_millis(1));
            }
            if let Some(group) = self.group() {
                cgroup::leave(group);
                cgroup::remove(group);
            }
            if self.folder != OsStr::new("") {
                let _ = std::fs::remove_dir_all(&self.folder);
            }
        }

        fn group(&self) -> Option<&Path> {
            (!self.group.is_empty()).then(|| Path::new(&self.group))
        }

        /// Starts the program, and returns once it or the run has ended and no process is left. Returns the exit code
        /// of the program.
        ///
        /// # Errors
        /// The program cannot be started.
        pub fn stand(&self) -> io::Result<i32> {
            set_child_subreaper(Some(getpid()))?;
            if let Some(group) = self.group() {
                // Where it may not, it stays where it is, and finds its children as everywhere.
                cgroup::enter(group, std::process::id());
            }
            let longest = Some(self.longest_file);
            setrlimit(Resource::Fsize, Rlimit { current: longest, maximum: longest })?;
            let Some((program, arguments)) = self.command.split_first() else { return Ok(0) };
            if !self.has_run() {
                return Ok(0);
            }
            let started = Command::new(program).args(arguments).spawn();
            let child = match started {
                Ok(child) => child.id(),
                Err(error) => {
                    self.clear();
                    return Err(error);
                }
            };
            hand_over()?;
            let status = self.watch(child);
            self.clear();
            match status.map(|status| (status.exit_status(), status.terminating_signal())) {
                Some((Some(code), _)) => Ok(code),
                Some((None, Some(signal))) => Ok(die_of(signal)),
                _ => Ok(1),
            }
        }

        /// Is the run still alive?
        fn has_run(&self) -> bool {
            getppid().is_some_and(|parent| parent.as_raw_pid().cast_unsigned() == self.run)
        }

        /// Returns when the program has exited, with its status, or when the run has ended.
        fn watch(&self, child: u32) -> Option<WaitStatus> {
            let handle = |id: u32| pidfd_open(pid(id)?, PidfdFlags::empty()).ok();
            let handles = [handle(self.run), handle(child)];
            loop {
                while let Some((ended, status)) = reap() {
                    if ended == child {
                        return Some(status);
                    }
                }
                if !self.has_run() {
                    return None;
                }
                let mut waiting: Vec<PollFd<'_>> =
                    handles.iter().flatten().map(|handle| PollFd::new(handle, PollFlags::IN)).collect();
                if poll(&mut waiting, Some(&GLANCE)).is_err() {
                    std::thread::sleep(Duration::from_millis(100));
                }
            }
        }
    }

    fn pid(id: u32) -> Option<Pid> {
        i32::try_from(id).ok().and_then(Pid::from_raw)
    }

    /// A process that has exited, among those that this one has started or has become the parent of.
    fn reap() -> Option<(u32, WaitStatus)> {
        let (id, status) = wait(WaitOptions::NOHANG).ok()??;
        Some((id.as_raw_pid().cast_unsigned(), status))
    }

    /// Closes this process's ends of the pipes to the program, so that the program's closing them has effect.
    fn hand_over() -> io::Result<()> {
        let nothing = std::fs::OpenOptions::new().read(true).write(true).open("/dev/null")?;
        rustix::stdio::dup2_stdin(&nothing)?;
        rustix::stdio::dup2_stdout(&nothing)?;
        rustix::stdio::dup2_stderr(&nothing)?;
        Ok(())
    }

    /// Exits with the program's status.
    fn die_of(signal: i32) -> i32 {
        let none = Rlimit { current: Some(0), maximum: Some(0) };
        let _ = setrlimit(Resource::Core, none);
        if let Some(signal) = Signal::from_named_raw(signal) {
            let _ = kill_process(getpid(), signal);
        }
        128 + signal
    }
}

#[cfg(not(target_os = "linux"))]
impl Post {
    /// On this system a guard starts nothing.
    pub(crate) fn clear(&self) {}

    /// There are no guards on this system.
    ///
    /// # Errors
    /// Always.
    pub(crate) fn stand(&self) -> io::Result<i32> {
        let _ = (&self.run, &self.longest_file, &self.command, &self.folder, &self.group);
        Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no guards"))
    }
}
