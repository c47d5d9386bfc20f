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
const MARK: &str = "\u{1}guard";

/// The command that starts a guard, without the arguments that describe its task.
static GUARD_COMMAND: OnceLock<Vec<OsString>> = OnceLock::new();

/// Registers this executable as the command that starts guards. It must call [`GuardTask::from_arguments`] before it
/// uses its arguments otherwise. From now on, programs are started with a guard.
pub fn guard_programs() {
    guard_programs_by(vec!["/proc/self/exe".into()]);
}

/// Registers the command that starts guards. It must pass on the arguments that follow its own words to
/// [`GuardTask::from_arguments`], after one that is skipped. From now on, programs are started with a guard. Only the
/// first registration of a process has an effect.
pub fn guard_programs_by(words: Vec<OsString>) {
    if cfg!(target_os = "linux") {
        let _ = GUARD_COMMAND.set(words);
    }
}

/// The command that starts a guard, if there are guards.
pub(super) fn guard_command() -> Option<&'static [OsString]> {
    GUARD_COMMAND.get().map(Vec::as_slice).filter(|words| !words.is_empty())
}

/// Is a program started with a guard?
pub(super) fn has_guard() -> bool {
    guard_command().is_some()
}

/// The task of a guard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GuardTask {
    /// The process that has started the guard.
    pub(super) run: u32,
    /// The longest file that the program may write, in bytes.
    pub(super) longest_file: u64,
    /// The program and its arguments.
    pub(super) command: Vec<OsString>,
    /// The folder to be removed at the end; empty if there is none.
    pub(super) folder: OsString,
    /// The control group in which it starts the program; empty if there is none.
    pub(super) group: OsString,
}

impl GuardTask {
    /// The task of this process, if it was started as a guard. The first argument is skipped.
    pub fn from_arguments(arguments: impl Iterator<Item = OsString>) -> Option<GuardTask> {
        let mut arguments = arguments.skip(1);
        if arguments.next()? != MARK {
            return None;
        }
        let mut number = || arguments.next()?.to_str()?.parse::<u64>().ok();
        let (run, longest_file) = (u32::try_from(number()?).ok()?, number()?);
        let (folder, group) = (arguments.next()?, arguments.next()?);
        let command: Vec<OsString> = arguments.collect();
        (!command.is_empty()).then_some(GuardTask { run, longest_file, command, folder, group })
    }

    /// The arguments of the guard.
    pub(super) fn arguments(&self) -> impl Iterator<Item = OsString> {
        let numbers = [self.run.to_string(), self.longest_file.to_string()].map(OsString::from);
        [OsString::from(MARK)]
            .into_iter()
            .chain(numbers)
            .chain([self.folder.clone(), self.group.clone()])
            .chain(self.command.iter().cloned())
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::OsStr;
    use std::path::Path;
    use std::process::Command;
    use std::time::{Duration, Instant};

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::process::{
        PidfdFlags, Resource, Rlimit, Signal, WaitOptions, WaitStatus, getpid, getppid, kill_process,
        pidfd_open, set_child_subreaper, setrlimit, wait,
    };

    use super::super::tree::{ProcessTree, enter_group, remove_group, signals};
    use super::{GuardTask, io};

    /// The interval between checks for orphans that have exited and, on systems that do not report it, for the end of
    /// the run.
    const CHECK_INTERVAL: Timespec = Timespec { tv_sec: 1, tv_nsec: 0 };

    /// The time for which it tries to end processes that keep starting others.
    const ENDING_TIME: Duration = Duration::from_secs(5);

    impl GuardTask {
        /// Ends all remaining processes of the program, and removes its folder.
        pub fn clear(&self) {
            let own = std::process::id();
            let begun = Instant::now();
            loop {
                let left = ProcessTree::now().below(own);
                if left.is_empty() || begun.elapsed() > ENDING_TIME {
                    break;
                }
                left.into_iter().for_each(signals::kill);
                while reap().is_some() {}
                std::thread::sleep(Duration::from_millis(1));
            }
            if let Some(group) = self.group() {
                // This process must leave the group, or it would be killed with it.
                if let Some(parent) = group.parent() {
                    enter_group(parent, own);
                }
                remove_group(group);
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
        pub fn run_guard(&self) -> io::Result<i32> {
            set_child_subreaper(Some(getpid()))?;
            if let Some(group) = self.group() {
                // Without permission it stays in its current group, and only finds the descendants of the program.
                enter_group(group, std::process::id());
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
            let handle = |id: u32| pidfd_open(signals::pid(id)?, PidfdFlags::empty()).ok();
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
                if poll(&mut waiting, Some(&CHECK_INTERVAL)).is_err() {
                    std::thread::sleep(Duration::from_millis(100));
                }
            }
        }
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
impl GuardTask {
    /// On this system a guard starts nothing.
    pub(crate) fn clear(&self) {}

    /// There are no guards on this system.
    ///
    /// # Errors
    /// Always.
    pub(crate) fn run_guard(&self) -> io::Result<i32> {
        let _ = (&self.run, &self.longest_file, &self.command, &self.folder, &self.group);
        Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no guards"))
    }
}
