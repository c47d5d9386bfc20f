//! The processes of this machine and their parents, as Linux lists them below `/proc`.

use std::collections::{BTreeMap, BTreeSet};

/// A process at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    parent: u32,
    /// Has it exited, and waits to be reaped?
    ended: bool,
    /// Processor time of it and of those of its children that have exited, in ticks of the clock.
    ticks: u64,
}

/// All processes at a moment. On systems other than Linux there are none.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree(BTreeMap<u32, Entry>);

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

impl Tree {
    /// The current processes.
    pub(super) fn now() -> Tree {
        let Ok(folders) = std::fs::read_dir("/proc") else { return Tree::default() };
        let ids = folders.flatten().filter_map(|folder| folder.file_name().to_str()?.parse().ok());
        Tree(ids.filter_map(|id| Some((id, entry(&std::fs::read_to_string(stat(id)).ok()?)?))).collect())
    }

    /// The processes that this one has started, and their descendants, as long as they live; without this one itself.
    pub(super) fn below(&self, root: u32) -> BTreeSet<u32> {
        let mut found = BTreeSet::from([root]);
        // A parent does not always have a lower number than its children.
        loop {
            let before = found.len();
            found.extend(
                self.0
                    .iter()
                    .filter(|(_, e)| found.contains(&e.parent))
                    .map(|(id, _)| *id)
                    .collect::<Vec<_>>(),
            );
            if found.len() == before {
                break;
            }
        }
        found.remove(&root);
        found.retain(|id| self.0.get(id).is_some_and(|entry| !entry.ended));
        found
    }

    /// The usage of a process and all its descendants.
    pub(super) fn usage(&self, root: u32, ticks_a_second: u64) -> Usage {
        let below = self.below(root);
        let all = || below.iter().copied().chain([root]);
        let ticks: u64 = all().filter_map(|id| Some(self.0.get(&id)?.ticks)).sum();
        Usage {
            processes: below.len() as u64,
            memory: all().map(memory).sum(),
            cpu_s: ticks / ticks_a_second.max(1),
        }
    }
}

fn stat(id: u32) -> String {
    format!("/proc/{id}/stat")
}

/// The contents of a line of `/proc/ID/stat`.
fn entry(line: &str) -> Option<Entry> {
    // The name of the program is in parentheses, and may contain some itself.
    let mut fields = line.rsplit_once(')')?.1.split_ascii_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    // Its own time as user and system, and that of its reaped children.
    let ticks = fields.skip(9).take(4).map(|field| field.parse::<u64>().unwrap_or(0)).sum();
    Some(Entry { parent, ended: matches!(state, "Z" | "X"), ticks })
}

/// The memory of a process that does not belong to a file, in bytes; `None` if it is unknown.
fn memory(id: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let of = |line: &str| {
        let (key, value) = line.split_once(':')?;
        let wanted = ["RssAnon", "RssShmem", "VmSwap"].contains(&key);
        wanted.then(|| value.split_ascii_whitespace().next()?.parse::<u64>().ok()).flatten()
    };
    text.lines().filter_map(of).sum::<u64>() * 1024
}

/// Kills processes. Those that no longer exist are skipped.
#[cfg(unix)]
pub(super) fn kill_each(ids: impl IntoIterator<Item = u32>) {
    use rustix::process::{Pid, Signal, kill_process};
    for id in ids {
        if let Some(pid) = i32::try_from(id).ok().and_then(Pid::from_raw) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}
