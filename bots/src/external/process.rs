//! A child process that speaks lines, held so that nothing it does can hold up whoever speaks with it.
//!
//! ```text
//!   say ──▶ channel ──▶ writer thread ──▶ stdin ┐
//!                                               │ child, leader of a process group of its own
//!  hear ◀── channel ◀── reader thread ◀─ stdout ┤
//!           the last words ◀─ log thread ◀─ stderr ┘
//! ```
//! Each thread ends with its pipe, and nobody waits for it. The reader stops at a line that is too long, and while the
//! channel is full: then the child waits, not the runner.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::session::printable;

/// The longest line that is read, in bytes. A reply with an order to every unit is a hundredth of it.
pub const LONGEST_LINE: usize = 1 << 20;

/// Lines that are read ahead.
const AHEAD: usize = 8;

/// How often it is looked whether a child is still there while nothing comes from it.
const GLANCE: Duration = Duration::from_millis(200);

/// How much of standard error is kept: the last of it, in bytes.
const LAST_WORDS: usize = 1 << 14;

/// What came from the child.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Heard {
    /// A line without its end.
    Line(Vec<u8>),
    /// A line beyond [`LONGEST_LINE`]; nothing is read after it.
    TooLong,
    /// Standard output is closed, after so many bytes of a line without an end.
    Closed(usize),
    /// Nothing, until the time was up.
    Nothing,
}

/// The child.
pub struct Process {
    child: Child,
    input: Sender<Vec<u8>>,
    output: Receiver<Heard>,
    /// Bytes of a line whose end has not come yet.
    begun: Arc<AtomicUsize>,
    last_words: Arc<Mutex<Vec<u8>>>,
    over: Option<Option<ExitStatus>>,
}

impl Process {
    /// Starts a program with its arguments, in the folder in which this one runs.
    ///
    /// # Errors
    /// The system cannot start it.
    pub fn start(command: &[String]) -> io::Result<Process> {
        let Some((program, arguments)) = command.split_first() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "no program is named"));
        };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let (input, lines_in) = channel::<Vec<u8>>();
        let (lines_out, output) = sync_channel(AHEAD);
        let (begun, last_words) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(Vec::new())));
        let mut living = living();
        let child = command.spawn()?;
        living.insert(child.id());
        drop(living);
        // From here on it is ended, whatever else goes wrong.
        let mut process = Process { child, input, output, begun, last_words, over: None };
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
            spawn("log", move || keep_last_words(stderr, &last_words))?;
        }
        Ok(process)
    }

    /// The id of the process, which is also that of its group.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a line; never waits. Whether it is read shows in what is heard.
    pub fn say(&self, mut line: Vec<u8>) {
        line.push(b'\n');
        // The writer is gone if the child has closed its input; that is heard soon enough.
        let _ = self.input.send(line);
    }

    /// The next thing that comes from the child until then.
    pub fn hear(&self, until: Instant) -> Heard {
        let mut ended = false;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left.min(GLANCE)) {
                Ok(heard) => return heard,
                Err(RecvTimeoutError::Disconnected) => return Heard::Closed(0),
                // It has ended and somebody that it started holds its output open. What it said last has come by now.
                Err(RecvTimeoutError::Timeout) if ended => return Heard::Closed(self.begun()),
                Err(RecvTimeoutError::Timeout) if left <= GLANCE => return Heard::Nothing,
                Err(RecvTimeoutError::Timeout) => ended = self.has_ended(),
            }
        }
    }

    /// Has the child ended? It is not waited for, so its id stays its own.
    #[cfg(unix)]
    fn has_ended(&self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let Some(id) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) else { return false };
        let glance = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        matches!(waitid(WaitId::Pid(id), glance), Ok(Some(_)))
    }

    #[cfg(not(unix))]
    fn has_ended(&self) -> bool {
        false
    }

    /// How many bytes have come of a line whose end has not.
    pub fn begun(&self) -> usize {
        self.begun.load(Ordering::Relaxed)
    }

    /// The end of what it wrote to standard error.
    pub fn last_words(&self) -> String {
        let words = self.last_words.lock().map(|words| words.clone()).unwrap_or_default();
        printable(String::from_utf8_lossy(&words).trim())
    }

    /// Ends the child and every process of its group, and waits for it: nothing of it stays. Returns how it ended, if
    /// it had ended before.
    pub fn end(&mut self) -> Option<ExitStatus> {
        if let Some(status) = self.over {
            return status;
        }
        // The group first: once the child is waited for, its id may be another's.
        end_group(self.id());
        living().remove(&self.id());
        let _ = self.child.kill();
        let status = self.child.wait().ok();
        self.over = Some(status);
        status
    }

    /// Lets it end by itself until then, once its input is closed, and ends what is left. Did it?
    pub fn retire(mut self, until: Instant) -> bool {
        self.input = channel().0;
        let ended = loop {
            match self.hear(until) {
                // Whoever still speaks has until then all the same.
                Heard::Line(_) if Instant::now() < until => {}
                Heard::Closed(_) => break true,
                Heard::Line(_) | Heard::Nothing | Heard::TooLong => break false,
            }
        };
        self.end();
        ended
    }
}

/// The groups of all programs that are there.
fn living() -> MutexGuard<'static, BTreeSet<u32>> {
    static LIVING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());
    // A thread that panicked with it left it whole.
    LIVING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends every program that this process has started, and all that they have: for a process that is told to end and runs no
/// destructors. No other program is started any more.
pub fn end_all() {
    let living = living();
    living.iter().for_each(|&group| end_group(group));
    std::mem::forget(living);
}

#[cfg(unix)]
fn end_group(group: u32) {
    if let Some(group) = i32::try_from(group).ok().and_then(rustix::process::Pid::from_raw) {
        // It fails if there is nobody left, which is what is wanted.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn end_group(_: u32) {}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name(format!("bot-{name}")).stack_size(1 << 17).spawn(work).map(|_| ())
}

/// Sends on line by line until the pipe, the receiver or the patience ends.
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

/// Keeps the end of what is written, and reads everything, so that the child never waits.
fn keep_last_words(mut stderr: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(n @ 1..) = stderr.read(&mut buffer) {
        let Ok(mut kept) = kept.lock() else { return };
        kept.extend_from_slice(&buffer[..n]);
        if kept.len() > 2 * LAST_WORDS {
            let surplus = kept.len() - LAST_WORDS;
            kept.drain(..surplus);
        }
    }
}

/// How long a program has to end by itself when the run is over.
pub const FAREWELL: Duration = Duration::from_secs(2);
