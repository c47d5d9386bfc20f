//! A child process that exchanges lines, controlled so that nothing it does can block the caller.
//!
//! ```text
//!   say ──▶ channel ──▶ writer thread ──▶ stdin ┐
//!                                               │ child, leader of a process group of its own
//!  hear ◀── channel ◀── reader thread ◀─ stdout ┤
//!           the last words ◀─ log thread ◀─ stderr ┘
//! ```
//! A [`guard`](super::guard) may stand between the two. Each thread ends with its pipe, and no thread waits for it. The
//! reader stops at a line that is too long, and while the channel is full: then the child waits rather than the runner.
//!
//! All running children are in a list of this process, which a thread compares with their limits, and from which
//! [`end_all`] ends them with all processes that they have started.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, Once};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use upheaval_engine::bot::{Guest, Program};

use super::guard::has_guard;
use super::launch::LaunchSpec;
use super::lock;
use super::transcript::printable;
use super::tree::{self, ControlGroup, ProcessTree, Usage, signals};

/// The longest line that is read, in bytes. A reply with an order to every unit is a hundredth of it.
pub(super) const LONGEST_LINE: usize = 1 << 20;

/// Lines that are read ahead.
const AHEAD: usize = 8;

/// The interval between checks that a silent child is still running.
const CHECK_INTERVAL: Duration = Duration::from_millis(200);

/// How long a child that has closed its output has to exit by itself.
const CLOSING: Duration = Duration::from_millis(100);

/// How long a program has to exit by itself when the run is over.
pub(super) const FAREWELL: Duration = Duration::from_secs(2);

/// How often the usage of programs is checked.
const LIMITS_INTERVAL: Duration = Duration::from_millis(250);

/// How long a guard has to end its processes: a little longer than it tries.
const ENDING_TIME: Duration = Duration::from_secs(6);

/// How much of standard error is kept: its last part, in bytes.
const LAST_WORDS: usize = 1 << 14;

/// The output of the child.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Heard {
    /// A line without its end.
    Line(Vec<u8>),
    /// A line beyond [`LONGEST_LINE`]; nothing is read after it.
    TooLong,
    /// Standard output is closed, after this many bytes of an unfinished line.
    Closed(usize),
    /// Nothing until the deadline.
    Nothing,
}

/// The child.
pub(super) struct Process {
    child: Child,
    input: Sender<Vec<u8>>,
    output: Receiver<Heard>,
    /// Bytes of a line whose end has not arrived yet.
    begun: Arc<AtomicUsize>,
    last_words: Arc<Mutex<Vec<u8>>>,
    /// Closed when all of standard error has been read.
    log: Option<Receiver<()>>,
    handle: ProcessHandle,
    /// Its own folder.
    folder: Option<TempDir>,
    /// Its control group, if it has one.
    group: Option<ControlGroup>,
    /// Has its output been closed?
    closed: Cell<bool>,
    over: Option<Option<ExitStatus>>,
}

impl Process {
    /// Starts a program with its arguments, in a folder of its own unless it names one.
    ///
    /// # Errors
    /// The system cannot start it.
    pub(super) fn start(program: &Program) -> io::Result<Process> {
        let LaunchSpec { mut command, folder, group } = LaunchSpec::new(program)?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let (input, lines_in) = channel::<Vec<u8>>();
        let (lines_out, output) = sync_channel(AHEAD);
        let handle = ProcessHandle {
            guarded: has_guard(),
            folder: folder.as_ref().map(|folder| folder.path().to_owned()),
            group: group.as_ref().map(|group| group.path().to_owned()),
            guest: program.guest.clone(),
            excess: Excess::default(),
        };
        let mut running = running();
        let child = command.spawn()?;
        if let Some(group) = handle.group.as_ref().filter(|_| !handle.guarded) {
            // A guard goes there by itself, before it starts the program.
            tree::enter_group(group, child.id());
        }
        running.insert(child.id(), handle.clone());
        drop(running);
        // From here on it is ended, even if something else fails.
        let mut process = Process {
            child,
            input,
            output,
            begun: Arc::default(),
            last_words: Arc::default(),
            log: None,
            handle,
            folder,
            group,
            closed: Cell::new(false),
            over: None,
        };
        process.limit_files();
        watch_limits();
        if let Some(mut stdin) = process.child.stdin.take() {
            spawn("writer", move || {
                for line in lines_in {
                    if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
                        break;
                    }
                }
            })?;
        }
        if let Some(stdout) = process.child.stdout.take() {
            let begun = Arc::clone(&process.begun);
            spawn("reader", move || read_lines(stdout, &lines_out, &begun))?;
        }
        if let Some(stderr) = process.child.stderr.take() {
            let last_words = Arc::clone(&process.last_words);
            let (open, log) = sync_channel::<()>(0);
            process.log = Some(log);
            spawn("log", move || {
                keep_last_words(stderr, &last_words);
                drop(open);
            })?;
        }
        Ok(process)
    }

    /// The id of the process, which is also that of its group.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a line; never waits. If the line is not read, later calls show it.
    pub(super) fn say(&self, mut line: Vec<u8>) {
        line.push(b'\n');
        // The writer is gone if the child has closed its input; later calls show that soon enough.
        let _ = self.input.send(line);
    }

    /// The next output of the child until this time.
    pub(super) fn hear(&self, until: Instant) -> Heard {
        let heard = self.listen(until);
        self.closed.set(self.closed.get() || matches!(heard, Heard::Closed(_)));
        heard
    }

    fn listen(&self, until: Instant) -> Heard {
        let mut ended = false;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left.min(CHECK_INTERVAL)) {
                Ok(heard) => return heard,
                Err(RecvTimeoutError::Disconnected) => return Heard::Closed(0),
                // It has exited, and a process that it started keeps its output open. Its last output has arrived by
                // now.
                Err(RecvTimeoutError::Timeout) if ended => return Heard::Closed(self.begun()),
                Err(RecvTimeoutError::Timeout) if left <= CHECK_INTERVAL => return Heard::Nothing,
                Err(RecvTimeoutError::Timeout) => ended = self.has_ended() || self.excess().is_some(),
            }
        }
    }

    fn has_ended(&self) -> bool {
        cfg!(unix) && signals::has_exited(self.id())
    }

    /// Limits the files that it writes if there is no guard to do so: a moment after its start.
    #[cfg(target_os = "linux")]
    fn limit_files(&self) {
        use rustix::process::{Resource, Rlimit, prlimit};
        let longest = Some(super::launch::longest_file(&self.handle.guest));
        if let Some(id) = signals::pid(self.id()).filter(|_| !self.handle.guarded) {
            let _ = prlimit(Some(id), Resource::Fsize, Rlimit { current: longest, maximum: longest });
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn limit_files(&self) {}

    /// The limit that it was ended for exceeding, in words, if it was.
    pub(super) fn excess(&self) -> Option<String> {
        lock(&self.handle.excess).clone()
    }

    /// The number of bytes of a line whose end has not arrived.
    pub(super) fn begun(&self) -> usize {
        self.begun.load(Ordering::Relaxed)
    }

    /// The end of its output to standard error.
    pub(super) fn last_words(&self) -> String {
        printable(String::from_utf8_lossy(&lock(&self.last_words)).trim())
    }

    /// Ends the child and every process that it has started, and waits for it: no process remains. Returns its exit
    /// status, if it had already exited.
    pub(super) fn end(&mut self) -> Option<ExitStatus> {
        if let Some(status) = self.over {
            return status;
        }
        let id = self.id();
        if self.closed.get() {
            // It has closed its output; most programs do that by exiting.
            wait_for(id, Instant::now() + CLOSING);
        }
        self.handle.end(id);
        // Once the child has been reaped, its id may be reused.
        running().remove(&id);
        let _ = self.child.kill();
        let status = self.child.wait().ok();
        (self.group, self.folder) = (None, None);
        self.over = Some(status);
        if let Some(log) = self.log.take() {
            // Its last words are on their way; a process that keeps standard error open is not waited for.
            let _ = log.recv_timeout(CHECK_INTERVAL);
        }
        status
    }

    /// Lets it exit by itself until this time, with its input closed, and ends the rest. Did it exit?
    pub(super) fn retire(mut self, until: Instant) -> bool {
        self.input = channel().0;
        let ended = loop {
            match self.hear(until) {
                // A process that still writes has until then as well.
                Heard::Line(_) if Instant::now() < until => {}
                Heard::Closed(_) => break true,
                Heard::Line(_) | Heard::Nothing | Heard::TooLong => break false,
            }
        };
        self.end();
        ended
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name(format!("bot-{name}")).stack_size(1 << 17).spawn(work).map(|_| ())
}

/// Passes on line by line until the pipe, the receiver or the patience ends.
fn read_lines(stdout: impl Read, lines: &SyncSender<Heard>, begun: &AtomicUsize) {
    let mut stdout = BufReader::new(stdout);
    let mut line = Vec::new();
    loop {
        let (taken, whole) = match stdout.fill_buf() {
            Ok([]) | Err(_) => {
                let _ = lines.send(Heard::Closed(line.len()));
                return;
            }
            Ok(bytes) => {
                let end = bytes.iter().position(|&byte| byte == b'\n');
                line.extend_from_slice(&bytes[..end.unwrap_or(bytes.len())]);
                (end.map_or(bytes.len(), |end| end + 1), end.is_some())
            }
        };
        stdout.consume(taken);
        if line.len() > LONGEST_LINE {
            let _ = lines.send(Heard::TooLong);
            return;
        }
        if whole {
            begun.store(0, Ordering::Relaxed);
            if lines.send(Heard::Line(std::mem::take(&mut line))).is_err() {
                return;
            }
        } else {
            begun.store(line.len(), Ordering::Relaxed);
        }
    }
}

/// Keeps the end of the output, and reads everything, so that the child never blocks.
fn keep_last_words(mut stderr: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(n @ 1..) = stderr.read(&mut buffer) {
        let mut kept = lock(kept);
        kept.extend_from_slice(&buffer[..n]);
        if kept.len() > 2 * LAST_WORDS {
            let surplus = kept.len() - LAST_WORDS;
            kept.drain(..surplus);
        }
    }
}

/// The exceeded limit of a program, in words, once there is one.
type Excess = Arc<Mutex<Option<String>>>;

/// A running program, by the id of its process, or of its guard's process.
#[derive(Clone, Debug)]
struct ProcessHandle {
    /// Does it have a guard?
    guarded: bool,
    /// The folder that is removed with it.
    folder: Option<PathBuf>,
    /// Its control group, if it has one.
    group: Option<PathBuf>,
    /// Its limits.
    guest: Guest,
    /// The exceeded limit.
    excess: Excess,
}

/// The running programs. While this lock is held, none of their ids can be reused.
fn running() -> MutexGuard<'static, BTreeMap<u32, ProcessHandle>> {
    static RUNNING: Mutex<BTreeMap<u32, ProcessHandle>> = Mutex::new(BTreeMap::new());
    lock(&RUNNING)
}

/// Ends every program that this process has started, and all their processes: for a process that is asked to exit and
/// runs no destructors. No other program is started after this call.
pub fn end_all() {
    let running = running();
    running.iter().for_each(|(&id, handle)| handle.dismiss(id));
    let until = Instant::now() + ENDING_TIME;
    running.keys().for_each(|&id| wait_for(id, until));
    for (&id, handle) in running.iter() {
        signals::kill_group_of(id);
        if let Some(group) = &handle.group {
            tree::remove_group(group);
        }
        if let Some(folder) = &handle.folder {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
    std::mem::forget(running);
}

impl ProcessHandle {
    /// Notifies its guard of the end, or kills all its processes that can be found.
    fn dismiss(&self, id: u32) {
        match self.guarded {
            true => signals::terminate(id),
            false => {
                tree::kill_below(id);
                signals::kill_group_of(id);
            }
        }
    }

    /// Ends it and all processes that it has started. The caller must wait for it afterwards.
    fn end(&self, id: u32) {
        if !signals::has_exited(id) {
            self.dismiss(id);
            wait_for(id, Instant::now() + ENDING_TIME);
        }
        // Remaining processes if the guard was killed or stopped, or if there is none.
        tree::kill_below(id);
        signals::kill_group_of(id);
        if let Some(group) = &self.group {
            tree::kill_group(group);
        }
    }
}

/// Returns when this process has exited, or at this time.
fn wait_for(id: u32, until: Instant) {
    let mut pause = Duration::from_micros(200);
    while !signals::has_exited(id) && Instant::now() < until {
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Begins, once, to check the usage of programs. If the system does not report it, nothing is found.
fn watch_limits() {
    static BEGUN: Once = Once::new();
    BEGUN.call_once(|| {
        // Without the thread programs play without these limits.
        let _ = spawn("watch", || {
            loop {
                std::thread::sleep(LIMITS_INTERVAL);
                check_limits();
            }
        });
    });
}

/// Ends the programs that exceed their limits.
fn check_limits() {
    if running().is_empty() {
        return;
    }
    let processes = ProcessTree::now();
    let running = running();
    for (&id, handle) in running.iter() {
        let mut usage = processes.usage(id);
        usage.processes += u64::from(!handle.guarded);
        if let Some(reason) = too_much(&handle.guest, usage) {
            let mut excess = lock(&handle.excess);
            if excess.is_none() {
                *excess = Some(reason);
                handle.dismiss(id);
            }
        }
    }
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
