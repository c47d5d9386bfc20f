//! The programs that this process has started and not yet ended: how to end each, with all processes that it has
//! started, and its limits.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

use upheaval_engine::bot::Guest;

use super::cgroup;
use super::tree::{Tree, Usage};

/// How often the usage of programs is checked.
const LOOK: Duration = Duration::from_millis(250);

/// How long a guard has to end its processes: a little longer than it tries.
const PATIENCE: Duration = Duration::from_secs(6);

/// The exceeded limit of a program, in words, once there is one.
pub(super) type Excess = Arc<Mutex<Option<String>>>;

/// A running program, by the id of its process, or of its guard's process.
#[derive(Clone, Debug)]
pub(super) struct Life {
    /// Does it have a guard?
    pub guarded: bool,
    /// The folder that is removed with it.
    pub folder: Option<PathBuf>,
    /// Its control group, if it has one.
    pub group: Option<PathBuf>,
    /// Its limits.
    pub guest: Guest,
    /// The exceeded limit.
    pub excess: Excess,
}

/// The running programs. While this lock is held, none of their ids can be reused.
pub(super) fn living() -> MutexGuard<'static, BTreeMap<u32, Life>> {
    static LIVING: Mutex<BTreeMap<u32, Life>> = Mutex::new(BTreeMap::new());
    // The data is valid even if a thread panicked with the lock.
    LIVING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends every program that this process has started, and all their processes: for a process that is asked to exit and
/// runs no destructors. No other program is started after this call.
pub fn end_all() {
    let living = living();
    living.iter().for_each(|(&id, life)| life.dismiss(id));
    let until = Instant::now() + PATIENCE;
    living.keys().for_each(|&id| wait_for(id, until));
    for (&id, life) in living.iter() {
        end_group(id);
        if let Some(group) = &life.group {
            cgroup::remove(group);
        }
        if let Some(folder) = &life.folder {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
    std::mem::forget(living);
}

impl Life {
    /// Notifies its guard of the end, or kills all its processes that can be found.
    fn dismiss(&self, id: u32) {
        match self.guarded {
            true => tell_to_end(id),
            false => {
                kill_below(id);
                end_group(id);
            }
        }
    }

    /// Ends it and all processes that it has started. The caller must wait for it afterwards.
    pub(super) fn end(&self, id: u32) {
        if !has_ended(id) {
            self.dismiss(id);
            wait_for(id, Instant::now() + PATIENCE);
        }
        // Remaining processes if the guard was killed or stopped, or if there is none.
        kill_below(id);
        end_group(id);
        if let Some(group) = &self.group {
            cgroup::kill(group);
        }
    }
}

/// Returns when this process has exited, or at this time.
pub(super) fn wait_for(id: u32, until: Instant) {
    let mut pause = Duration::from_micros(200);
    while !has_ended(id) && Instant::now() < until {
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Has this child exited? It is not reaped, so its id cannot be reused.
#[cfg(unix)]
pub(super) fn has_ended(id: u32) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let Some(id) = pid(id) else { return false };
    let glance = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    matches!(waitid(WaitId::Pid(id), glance), Ok(Some(_)) | Err(_))
}

/// Has this child exited?
#[cfg(not(unix))]
pub(crate) fn has_ended(_: u32) -> bool {
    // There is neither guard nor group: there is nothing to wait for.
    true
}

#[cfg(unix)]
fn pid(id: u32) -> Option<rustix::process::Pid> {
    i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw)
}

#[cfg(unix)]
fn tell_to_end(id: u32) {
    if let Some(guard) = pid(id) {
        let _ = rustix::process::kill_process(guard, rustix::process::Signal::TERM);
    }
}

#[cfg(not(unix))]
fn tell_to_end(_: u32) {}

#[cfg(unix)]
fn end_group(group: u32) {
    if let Some(group) = pid(group) {
        // It fails if no process is left, which is the wanted result.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn end_group(_: u32) {}

/// Kills the processes that this process has started, as far as they are found.
#[cfg(unix)]
fn kill_below(id: u32) {
    super::tree::kill_each(Tree::now().below(id));
}

#[cfg(not(unix))]
fn kill_below(_: u32) {}

/// Begins, once, to check the usage of programs. If the system does not report it, nothing is found.
pub(super) fn watch() {
    static BEGUN: Once = Once::new();
    BEGUN.call_once(|| {
        // Without the thread programs play without these limits.
        let _ = std::thread::Builder::new().name("bot-watch".to_owned()).stack_size(1 << 17).spawn(|| {
            loop {
                std::thread::sleep(LOOK);
                look();
            }
        });
    });
}

/// Ends the programs that exceed their limits.
fn look() {
    if living().is_empty() {
        return;
    }
    let tree = Tree::now();
    let living = living();
    for (&id, life) in living.iter() {
        let mut usage = tree.usage(id, ticks_a_second());
        usage.processes += u64::from(!life.guarded);
        if let Some(reason) = too_much(&life.guest, usage) {
            let mut excess = life.excess.lock().unwrap_or_else(PoisonError::into_inner);
            if excess.is_none() {
                *excess = Some(reason);
                life.dismiss(id);
            }
        }
    }
}

#[cfg(target_os = "linux")]
fn ticks_a_second() -> u64 {
    rustix::param::clock_ticks_per_second()
}

#[cfg(not(target_os = "linux"))]
fn ticks_a_second() -> u64 {
    100
}

/// The limit that a program exceeds, in words; `None` if it exceeds none.
fn too_much(guest: &Guest, usage: Usage) -> Option<String> {
    let memory_mb = guest.memory_mb.unwrap_or(Guest::MEMORY_MB);
    let processes = guest.processes.unwrap_or(Guest::PROCESSES);
    if usage.memory >> 20 > memory_mb {
        return Some(format!("it used {} MB, but `memory_mb` is {memory_mb}", usage.memory >> 20));
    }
    if usage.processes > processes {
        return Some(format!("it had {} processes, but `processes` is {processes}", usage.processes));
    }
    match guest.cpu_s {
        Some(cpu_s) if usage.cpu_s >= cpu_s => {
            Some(format!("it used {} s of processor time, but `cpu_s` is {cpu_s}", usage.cpu_s))
        }
        _ => None,
    }
}
