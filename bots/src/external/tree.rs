//! The processes of a program and of everything that it has started: found, measured and killed.
//!
//! The descendants of a process are found in `/proc`, which only Linux has. A control group also holds the processes
//! that are no longer descendants: a process stays in the group of its parent, whatever session or process group it
//! makes and whichever process its parent becomes, and the system kills a whole group with one call. This requires
//! version 2 of the control groups of Linux, and a place among them in which this process may make one: a container of
//! its own, a service with delegation, root. Without them only the descendants and the process group are found.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long the removal of a group is tried whose processes have been killed.
const REMOVAL_TIME: Duration = Duration::from_secs(2);

/// A process at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    parent: u32,
    /// Has it exited, and waits to be reaped?
    ended: bool,
    /// Processor time of it and of those of its children that have exited, in ticks of the clock.
    ticks: u64,
}

/// All processes at a moment; none on systems other than Linux.
#[derive(Clone, Debug, Default)]
pub(super) struct ProcessTree(BTreeMap<u32, Entry>);

/// The common usage of some processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Usage {
    /// Their number.
    pub processes: u64,
    /// Memory that is private or shared among processes, but does not belong to a file, in bytes.
    pub memory: u64,
    /// Processor time, in seconds.
    pub cpu_s: u64,
}

impl ProcessTree {
    /// The current processes.
    #[cfg(target_os = "linux")]
    pub(super) fn now() -> ProcessTree {
        let Ok(processes) = procfs::process::all_processes() else { return ProcessTree::default() };
        let stats = processes.filter_map(|process| process.ok()?.stat().ok());
        let entry = |stat: procfs::process::Stat| {
            let of_children = [stat.cutime, stat.cstime].map(|ticks| u64::try_from(ticks).unwrap_or(0));
            let entry = Entry {
                parent: u32::try_from(stat.ppid).ok()?,
                ended: matches!(stat.state, 'Z' | 'X'),
                ticks: stat.utime + stat.stime + of_children.iter().sum::<u64>(),
            };
            Some((u32::try_from(stat.pid).ok()?, entry))
        };
        ProcessTree(stats.filter_map(entry).collect())
    }

    /// This system does not list its processes.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn now() -> ProcessTree {
        ProcessTree::default()
    }

    /// The processes that this one has started, and their descendants, as long as they live; without this one itself.
    pub(super) fn below(&self, root: u32) -> BTreeSet<u32> {
        let mut found = BTreeSet::from([root]);
        // A parent does not always have a lower number than its children.
        loop {
            let before = found.len();
            let children = self.0.iter().filter(|(_, entry)| found.contains(&entry.parent));
            let children: Vec<u32> = children.map(|(id, _)| *id).collect();
            found.extend(children);
            if found.len() == before {
                break;
            }
        }
        found.remove(&root);
        found.retain(|id| self.0.get(id).is_some_and(|entry| !entry.ended));
        found
    }

    /// The usage of a process and all its descendants.
    pub(super) fn usage(&self, root: u32) -> Usage {
        let below = self.below(root);
        let all = || below.iter().copied().chain([root]);
        let ticks: u64 = all().filter_map(|id| Some(self.0.get(&id)?.ticks)).sum();
        Usage {
            processes: below.len() as u64,
            memory: all().filter_map(memory).sum(),
            cpu_s: ticks / ticks_per_second(),
        }
    }
}

/// The memory of a process that does not belong to a file, in bytes; `None` if it is unknown.
#[cfg(target_os = "linux")]
fn memory(id: u32) -> Option<u64> {
    let status = procfs::process::Process::new(i32::try_from(id).ok()?).ok()?.status().ok()?;
    let kilobytes = [status.rssanon, status.rssshmem, status.vmswap];
    Some(kilobytes.into_iter().flatten().sum::<u64>() * 1024)
}

#[cfg(not(target_os = "linux"))]
fn memory(_: u32) -> Option<u64> {
    None
}

#[cfg(target_os = "linux")]
fn ticks_per_second() -> u64 {
    procfs::ticks_per_second().max(1)
}

#[cfg(not(target_os = "linux"))]
fn ticks_per_second() -> u64 {
    100
}

/// Kills the processes that this process has started, as far as they are found.
pub(super) fn kill_below(id: u32) {
    ProcessTree::now().below(id).into_iter().for_each(signals::kill);
}

/// A control group below that of this process. When it is dropped, it is removed with all its processes.
#[derive(Debug)]
pub(super) struct ControlGroup(PathBuf);

impl ControlGroup {
    /// A new, empty group; `None` if none can be made.
    pub(super) fn new() -> Option<ControlGroup> {
        static PARENT: OnceLock<Option<PathBuf>> = OnceLock::new();
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let parent = PARENT.get_or_init(own_group).as_ref()?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("upheaval-{}-{number}", std::process::id()));
        fs::create_dir(&path).ok()?;
        let group = ControlGroup(path);
        // Older systems have groups without this file.
        group.0.join("cgroup.kill").exists().then_some(group)
    }

    /// Its folder.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        remove_group(&self.0);
    }
}

/// The folder of this process's own group.
#[cfg(target_os = "linux")]
fn own_group() -> Option<PathBuf> {
    let this = procfs::process::Process::myself().ok()?;
    let (groups, mounts) = (this.cgroups().ok()?, this.mountinfo().ok()?);
    let group = groups.into_iter().find(|group| group.hierarchy == 0)?;
    let mut mounts = mounts.into_iter().filter(|mount| mount.fs_type == "cgroup2");
    mounts.find_map(|mount| {
        let below = Path::new(&group.pathname).strip_prefix(&mount.root).ok()?;
        Some(mount.mount_point.join(below))
    })
}

#[cfg(not(target_os = "linux"))]
fn own_group() -> Option<PathBuf> {
    None
}

/// Moves a process into a group, if this is permitted.
pub(super) fn enter_group(group: &Path, process: u32) {
    let _ = fs::write(group.join("cgroup.procs"), process.to_string());
}

/// Kills all processes of a group.
pub(super) fn kill_group(group: &Path) {
    let _ = fs::write(group.join("cgroup.kill"), "1");
}

/// Kills all processes of a group, and removes it once they have exited.
pub(super) fn remove_group(group: &Path) {
    kill_group(group);
    let until = Instant::now() + REMOVAL_TIME;
    while fs::remove_dir(group).is_err() && group.exists() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Signals to processes by their ids. Processes that no longer exist are skipped.
#[cfg(unix)]
pub(super) mod signals {
    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid};

    /// The id, if a process can have it.
    pub(crate) fn pid(id: u32) -> Option<Pid> {
        i32::try_from(id).ok().and_then(Pid::from_raw)
    }

    /// Kills a process.
    pub(crate) fn kill(id: u32) {
        let _ = pid(id).map(|id| kill_process(id, Signal::KILL));
    }

    /// Kills all processes of the process group with this leader.
    pub(crate) fn kill_group_of(id: u32) {
        let _ = pid(id).map(|id| kill_process_group(id, Signal::KILL));
    }

    /// Asks a process to exit.
    pub(crate) fn terminate(id: u32) {
        let _ = pid(id).map(|id| kill_process(id, Signal::TERM));
    }

    /// Has this child exited? It is not reaped, so its id cannot be reused.
    pub(crate) fn has_exited(id: u32) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        pid(id).is_some_and(|id| matches!(waitid(WaitId::Pid(id), options), Ok(Some(_)) | Err(_)))
    }
}

/// This system has neither guards nor process groups: only the child itself is ended, by its handle.
#[cfg(not(unix))]
pub(super) mod signals {
    pub(crate) fn kill(_: u32) {}

    pub(crate) fn kill_group_of(_: u32) {}

    pub(crate) fn terminate(_: u32) {}

    pub(crate) fn has_exited(_: u32) -> bool {
        true
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
