//! The programs that this process has started and not ended yet: how each is ended, with all that it has started, and what it
//! may use meanwhile.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

use upheaval_engine::bot::Guest;

use super::cgroup;
use super::tree::{Tree, Usage};

/// How often it is looked what programs use.
const LOOK: Duration = Duration::from_millis(250);

/// How long a guard has to end what it guards: a little longer than it tries.
const PATIENCE: Duration = Duration::from_secs(6);

/// What a program has used too much of, in words, once it has.
pub type Excess = Arc<Mutex<Option<String>>>;

/// A program that is there, by the id of its process, or of that of its guard.
#[derive(Clone, Debug)]
pub struct Life {
    /// Does a guard stand before it?
    pub guarded: bool,
    /// The folder that goes with it.
    pub folder: Option<PathBuf>,
    /// The control group that it is in, where there is one.
    pub group: Option<PathBuf>,
    /// What it may use.
    pub guest: Guest,
    /// What it has used too much of.
    pub excess: Excess,
}

/// The programs that are there. Whoever has them can rely on it that none of their ids becomes another's.
pub fn living() -> MutexGuard<'static, BTreeMap<u32, Life>> {
    static LIVING: Mutex<BTreeMap<u32, Life>> = Mutex::new(BTreeMap::new());
    // A thread that panicked with it left it whole.
    LIVING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends every program that this process has started, and all that they have: for a process that is told to end and runs no
/// destructors. No other program is started any more.
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
    /// Tells its guard that it is over, or kills all that is found of it.
    fn dismiss(&self, id: u32) {
        match self.guarded {
            true => tell_to_end(id),
            false => {
                kill_below(id);
                end_group(id);
            }
        }
    }

    /// Ends it and all that it has started. It must be waited for then.
    pub fn end(&self, id: u32) {
        if !has_ended(id) {
            self.dismiss(id);
            wait_for(id, Instant::now() + PATIENCE);
        }
        // What a guard has left that was killed, or stopped, or that is none.
        kill_below(id);
        end_group(id);
        if let Some(group) = &self.group {
            cgroup::kill(group);
        }
    }
}

/// Returns when this process has ended, or at that time.
pub fn wait_for(id: u32, until: Instant) {
    let mut pause = Duration::from_micros(200);
    while !has_ended(id) && Instant::now() < until {
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Has this child ended? It is not waited for, so its id stays its own.
#[cfg(unix)]
pub fn has_ended(id: u32) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let Some(id) = pid(id) else { return false };
    let glance = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    matches!(waitid(WaitId::Pid(id), glance), Ok(Some(_)) | Err(_))
}

/// Has this child ended?
#[cfg(not(unix))]
pub fn has_ended(_: u32) -> bool {
    // There is neither guard nor group: nothing is waited for.
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
        // It fails if there is nobody left, which is what is wanted.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn end_group(_: u32) {}

/// Kills what this process has started, as far as it is found.
#[cfg(unix)]
fn kill_below(id: u32) {
    super::tree::kill_each(Tree::now().below(id));
}

#[cfg(not(unix))]
fn kill_below(_: u32) {}

/// Begins to look, once, what programs use. Where the system does not tell, nothing is found.
pub fn watch() {
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

/// Ends the programs that use more than they may.
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

/// What a program uses too much of, in words; nothing if it keeps within what it may.
fn too_much(guest: &Guest, usage: Usage) -> Option<String> {
    let memory_mb = guest.memory_mb.unwrap_or(Guest::MEMORY_MB);
    let processes = guest.processes.unwrap_or(Guest::PROCESSES);
    if usage.memory >> 20 > memory_mb {
        return Some(format!("it used {} MB, and `memory_mb` is {memory_mb}", usage.memory >> 20));
    }
    if usage.processes > processes {
        return Some(format!("it was {} processes, and `processes` is {processes}", usage.processes));
    }
    match guest.cpu_s {
        Some(cpu_s) if usage.cpu_s >= cpu_s => {
            Some(format!("it used {} s of processor time, and `cpu_s` is {cpu_s}", usage.cpu_s))
        }
        _ => None,
    }
}
