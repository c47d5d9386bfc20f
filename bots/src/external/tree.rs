//! The processes of this machine, and who has started whom: as Linux lists them below `/proc`.

use std::collections::{BTreeMap, BTreeSet};

/// A process at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    parent: u32,
    /// Has it ended, and waits for its parent to look?
    ended: bool,
    /// Processor time of it and of those of its children that have ended, in ticks of the clock.
    ticks: u64,
}

/// All processes at a moment. On other systems than Linux there are none.
#[derive(Clone, Debug, Default)]
pub struct Tree(BTreeMap<u32, Entry>);

/// What some processes use together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// How many they are.
    pub processes: u64,
    /// Memory that is theirs alone or shared among processes, and not that of a file, in bytes.
    pub memory: u64,
    /// Processor time, in seconds.
    pub cpu_s: u64,
}

impl Tree {
    /// The processes that are there now.
    pub fn now() -> Tree {
        let Ok(folders) = std::fs::read_dir("/proc") else { return Tree::default() };
        let ids = folders.flatten().filter_map(|folder| folder.file_name().to_str()?.parse().ok());
        Tree(ids.filter_map(|id| Some((id, entry(&std::fs::read_to_string(stat(id)).ok()?)?))).collect())
    }

    /// The processes that this one has started, and those that they have, as long as they live; not this one itself.
    pub fn below(&self, root: u32) -> BTreeSet<u32> {
        let mut found = BTreeSet::from([root]);
        // Who starts another has not always the lower number.
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

    /// What a process and all below it use.
    pub fn usage(&self, root: u32, ticks_a_second: u64) -> Usage {
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

/// What a line of `/proc/ID/stat` says.
fn entry(line: &str) -> Option<Entry> {
    // The name of the program stands in parentheses, and may have some itself.
    let mut fields = line.rsplit_once(')')?.1.split_ascii_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    // Of itself in its own name and in the system's, and the same of its children that it has waited for.
    let ticks = fields.skip(9).take(4).map(|field| field.parse::<u64>().unwrap_or(0)).sum();
    Some(Entry { parent, ended: matches!(state, "Z" | "X"), ticks })
}

/// The memory of a process that is not a file's, in bytes; none where it cannot be told.
fn memory(id: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let of = |line: &str| {
        let (key, value) = line.split_once(':')?;
        let wanted = ["RssAnon", "RssShmem", "VmSwap"].contains(&key);
        wanted.then(|| value.split_ascii_whitespace().next()?.parse::<u64>().ok()).flatten()
    };
    text.lines().filter_map(of).sum::<u64>() * 1024
}

/// Kills processes. Those that are not there any more are passed over.
#[cfg(unix)]
pub fn kill_each(ids: impl IntoIterator<Item = u32>) {
    use rustix::process::{Pid, Signal, kill_process};
    for id in ids {
        if let Some(pid) = i32::try_from(id).ok().and_then(Pid::from_raw) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}
