//! A referee in a process of its own, so that one request cannot take more time or memory than allowed.
//!
//! ```text
//!  command ── a request, a line ──▶ worker: this program with `--worker`
//!          ◀─ `+` an answer, or `-` a message ──  │ its watchdog ends it after the time, the system at the memory
//! ```
//! If the worker ends in place of an answer, the request is refused and the next one gets a new worker. The worker
//! limits itself, so that it also ends by itself if the command is killed.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use upheaval::adjudicate::AdjudicationService;
use upheaval::diagnostic::one_line;

use super::{Bounds, reply};
use crate::failure::Failure;
use crate::terminal::print;

/// The exit code of a worker whose request took too long: that of `timeout`.
const LATE: u8 = 124;

/// How much of what a worker says last is read, in bytes.
const LAST_WORDS: u64 = 1 << 12;

/// A worker that is started when it is needed.
pub(super) struct Apart {
    bounds: Bounds,
    variants: Option<PathBuf>,
    reasons: bool,
    worker: Option<Worker>,
}

struct Worker {
    child: Child,
    requests: ChildStdin,
    replies: BufReader<ChildStdout>,
}

impl Apart {
    /// A referee with these bounds.
    pub(super) fn new(bounds: Bounds, variants: Option<PathBuf>, reasons: bool) -> Apart {
        Apart { bounds, variants, reasons, worker: None }
    }

    /// The answer to a request, or why there is none.
    ///
    /// # Errors
    /// A worker cannot be started.
    pub(super) fn answer(&mut self, request: &str) -> Result<Result<String, String>, Failure> {
        let mut worker = match self.worker.take() {
            Some(worker) => worker,
            None => self.start().map_err(Failure::machine)?,
        };
        let mut reply = String::new();
        // A worker that has ended closes both pipes; its status says why.
        let exchanged = worker.requests.write_all(format!("{request}\n").as_bytes());
        let read = exchanged.and_then(|()| worker.replies.read_line(&mut reply));
        if read.is_err() || !reply.ends_with('\n') {
            return Ok(Err(self.bounds.why_ended(worker.child)));
        }
        self.worker = Some(worker);
        let text = reply.trim_end().get(1..).unwrap_or_default().to_owned();
        Ok(if reply.starts_with('+') { Ok(text) } else { Err(text) })
    }

    fn start(&self) -> io::Result<Worker> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["adjudicate", "--worker"]);
        if self.reasons {
            command.arg("--reasons");
        }
        if let Some(folder) = &self.variants {
            command.arg("--variants").arg(folder);
        }
        for (flag, bound) in
            [("--request-ms", self.bounds.request_ms), ("--request-mb", self.bounds.request_mb)]
        {
            if let Some(bound) = bound {
                command.arg(flag).arg(bound.to_string());
            }
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let gone = || io::Error::other("a pipe of the worker is missing");
        let requests = child.stdin.take().ok_or_else(gone)?;
        let replies = BufReader::new(child.stdout.take().ok_or_else(gone)?);
        Ok(Worker { child, requests, replies })
    }
}

impl Bounds {
    /// Why a worker has ended in place of an answer.
    fn why_ended(self, mut child: Child) -> String {
        // It may have closed a pipe without having ended.
        let _ = child.kill();
        let mut words = Vec::new();
        if let Some(errors) = child.stderr.take() {
            let _ = errors.take(LAST_WORDS).read_to_end(&mut words);
        }
        let words = String::from_utf8_lossy(&words);
        let late = child.wait().is_ok_and(|status| status.code() == Some(LATE.into()));
        match (self.request_ms, self.request_mb) {
            (Some(ms), _) if late => format!("the request took more than {ms} ms (`--request-ms`)"),
            (_, Some(mb)) if words.contains("memory allocation of ") => {
                format!("the request needs more than {mb} MB of memory (`--request-mb`)")
            }
            _ => format!("the request ended the referee: {}", one_line(words.trim())),
        }
    }
}

/// The worker: answers each line of standard input with a line of one character and the answer or message.
///
/// # Errors
/// The bounds cannot be set, or a pipe fails.
pub(super) fn work(
    bounds: Bounds,
    mut service: AdjudicationService,
    reasons: bool,
) -> Result<ExitCode, Failure> {
    if let Some(mb) = bounds.request_mb {
        limit_memory(mb).map_err(Failure::machine)?;
    }
    let (begin, begun) = channel::<()>();
    let (end, ended) = channel::<()>();
    if let Some(ms) = bounds.request_ms {
        let watch = move || {
            while begun.recv().is_ok() {
                if ended.recv_timeout(Duration::from_millis(ms)) == Err(RecvTimeoutError::Timeout) {
                    std::process::exit(LATE.into());
                }
            }
        };
        thread::Builder::new().name("watchdog".to_owned()).spawn(watch).map_err(Failure::machine)?;
    }
    let (mut input, mut out) = (io::stdin().lock(), io::stdout().lock());
    let mut request = String::new();
    loop {
        request.clear();
        if input.read_line(&mut request).map_err(Failure::machine)? == 0 {
            return Ok(ExitCode::SUCCESS);
        }
        // Without a bound on the time, nobody receives these.
        let _ = begin.send(());
        let reply = match reply(&mut service, request.trim_end_matches('\n'), reasons) {
            Ok(answer) => format!("+{answer}\n"),
            Err(message) => format!("-{}\n", one_line(&message)),
        };
        let _ = end.send(());
        print(&reply, &mut out)?;
        out.flush().map_err(Failure::machine)?;
    }
}

/// Limits the memory that this process can allocate, in mebibytes.
#[cfg(unix)]
fn limit_memory(mb: u64) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let most = Some(mb << 20);
    Ok(setrlimit(Resource::Data, Rlimit { current: most, maximum: most })?)
}

/// Limits the memory that this process can allocate, in mebibytes.
#[cfg(not(unix))]
fn limit_memory(_: u64) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "`--request-mb` needs a system with limits of memory"))
}
