//! `upheaval adjudicate`: JSON lines in, one JSON line out for each (docs/adjudicate.md).
//!
//! With a bound on time or memory, requests are answered in a process of its own:
//!
//! ```text
//!  command ── a request, a line ──▶ worker: this program with `--worker`
//!          ◀─ `+` an answer, or `-` a message ──  │ its watchdog ends it after the time, the system at the memory
//! ```
//! If the worker ends before it answers, the request is refused and the next one gets a new worker. The worker limits
//! itself, so that it also ends if the command is killed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use upheaval::adjudicate::{AdjudicationService, Id, LONGEST_REQUEST, RequestError, id_of};
use upheaval::diagnostic::one_line;

use crate::failure::Failure;
use crate::output::print_to;
use crate::readable::screenful;

/// Adjudicate positions given as JSON lines; prints one JSON response per request
///
/// Exit code 1 if a request was refused.
#[derive(Args)]
pub(crate) struct AdjudicateArguments {
    /// Files of JSON lines [default: standard input]
    files: Vec<PathBuf>,
    /// Add the reasons why orders failed to each response
    #[arg(long)]
    reasons: bool,
    /// Directory for variant files that requests name [default: the current one]
    #[arg(long, value_name = "DIR")]
    variants: Option<PathBuf>,
    #[command(flatten)]
    bounds: Bounds,
    /// Answer requests with one character before each response
    #[arg(long, hide = true)]
    worker: bool,
}

/// Limits of a request. With either, requests are answered by a second process.
#[derive(Args, Clone, Copy)]
struct Bounds {
    /// Time limit for each request in milliseconds [default: none]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    request_ms: Option<u64>,
    /// Memory limit for a request in MB [default: none]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(64..=1_048_576))]
    request_mb: Option<u64>,
}

/// Where requests are answered.
enum Referee<'a> {
    Here(Box<AdjudicationService>),
    /// In a worker that is started when it is needed.
    Apart(Option<Worker>, &'a AdjudicateArguments),
}

impl Referee<'_> {
    fn of(arguments: &AdjudicateArguments) -> Referee<'_> {
        match arguments.bounds.request_ms.or(arguments.bounds.request_mb) {
            None => Referee::Here(Box::new(service(arguments))),
            Some(_) => Referee::Apart(None, arguments),
        }
    }

    /// The answer to a request, or why there is none.
    ///
    /// # Errors
    /// A worker cannot be started.
    fn answer(&mut self, request: &str, reasons: bool) -> Result<Result<String, String>, Failure> {
        let (kept, arguments) = match self {
            Referee::Here(service) => return Ok(reply(service, request, reasons)),
            Referee::Apart(worker, arguments) => (worker, arguments),
        };
        let mut worker = match kept.take() {
            Some(worker) => worker,
            None => Worker::start(arguments).map_err(Failure::machine)?,
        };
        let mut reply = String::new();
        // A worker that has ended closes both pipes; its status says why.
        let exchanged = worker.requests.write_all(format!("{request}\n").as_bytes());
        let read = exchanged.and_then(|()| worker.replies.read_line(&mut reply));
        if read.is_err() || !reply.ends_with('\n') {
            return Ok(Err(arguments.bounds.why_ended(worker.child)));
        }
        *kept = Some(worker);
        let text = reply.trim_end().get(1..).unwrap_or_default().to_owned();
        Ok(if reply.starts_with('+') { Ok(text) } else { Err(text) })
    }
}

fn service(arguments: &AdjudicateArguments) -> AdjudicationService {
    arguments.variants.as_ref().map_or_else(AdjudicationService::new, AdjudicationService::within)
}

fn reply(service: &mut AdjudicationService, request: &str, reasons: bool) -> Result<String, String> {
    let mut answer = service.answer(request).map_err(|error| error.to_string())?;
    if !reasons {
        answer.reasons = None;
    }
    answer.to_json().map_err(|error| error.to_string())
}

/// Runs the command. The exit code is 1 if a line could not be answered.
pub(crate) fn command(arguments: &AdjudicateArguments) -> Result<ExitCode, Failure> {
    if arguments.worker {
        return work(arguments.bounds, service(arguments), arguments.reasons);
    }
    // Every file is opened before the first line is answered, so that a fault in the second is reported first.
    let mut inputs: Vec<(String, Box<dyn BufRead>)> = Vec::new();
    for path in &arguments.files {
        let file = File::open(path)
            .map_err(|error| Failure::input(format!("cannot read `{}`: {error}", path.display())))?;
        inputs.push((format!("{}: ", path.display()), Box::new(BufReader::new(file))));
    }
    if arguments.files.is_empty() {
        inputs.push((String::new(), Box::new(io::stdin().lock())));
    }
    let mut referee = Referee::of(arguments);
    let mut out = io::stdout().lock();
    let mut code = ExitCode::SUCCESS;
    for (file, mut input) in inputs {
        let (mut number, mut line) = (0u64, Vec::new());
        while read_line(&mut *input, &mut line)
            .map_err(|error| Failure::machine(format!("cannot read the input: {error}")))?
        {
            number += 1;
            if line.len() <= LONGEST_REQUEST && line.trim_ascii().is_empty() {
                continue;
            }
            let answer = answer(&mut referee, &line, (&file, number), arguments.reasons)?;
            let answer = answer.unwrap_or_else(|error| {
                code = ExitCode::from(1);
                error
            });
            print_to(&(answer + "\n"), &mut out)?;
        }
    }
    out.flush().or(Ok(())).map(|()| code)
}

/// Reads the next line with its end, if there is one. If it is too long for a request, its beginning is kept, longer
/// than a request may be, and the rest is skipped.
fn read_line(input: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let most = LONGEST_REQUEST as u64 + 2;
    if (&mut *input).take(most).read_until(b'\n', line)? == 0 {
        return Ok(false);
    }
    if line.len() as u64 == most && !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
    }
    Ok(true)
}

/// The answer to a line, or the error in its place. `place` is the file, if there is one, and the line's number.
fn answer(
    referee: &mut Referee<'_>,
    line: &[u8],
    place: (&str, u64),
    reasons: bool,
) -> Result<Result<String, String>, Failure> {
    /// The output if there is no answer.
    #[derive(Serialize)]
    struct Refused {
        line: u64,
        error: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<Id>,
    }
    let (file, number) = place;
    let error = |id: Option<Id>, message: String| {
        let error = format!("{file}line {number}: {}", screenful(&one_line(&message)));
        serde_json::to_string(&Refused { line: number, error, id }).unwrap_or_default()
    };
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.len() > LONGEST_REQUEST {
        return Ok(Err(error(None, RequestError::too_long().to_string())));
    }
    let Ok(text) = std::str::from_utf8(line) else {
        return Ok(Err(error(None, "expected UTF-8 text".to_owned())));
    };
    Ok(referee.answer(text, reasons)?.map_err(|message| error(id_of(text), message)))
}

/// The exit code of a worker whose request took too long: that of `timeout`.
const LATE: u8 = 124;

/// The most bytes of a worker's standard error that are read.
const LAST_WORDS: u64 = 1 << 12;

struct Worker {
    child: Child,
    requests: ChildStdin,
    replies: BufReader<ChildStdout>,
}

impl Worker {
    fn start(arguments: &AdjudicateArguments) -> io::Result<Worker> {
        let AdjudicateArguments { bounds, variants, reasons, .. } = arguments;
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["adjudicate", "--worker"]);
        if *reasons {
            command.arg("--reasons");
        }
        if let Some(folder) = variants {
            command.arg("--variants").arg(folder);
        }
        for (flag, bound) in [("--request-ms", bounds.request_ms), ("--request-mb", bounds.request_mb)] {
            if let Some(bound) = bound {
                command.arg(flag).arg(bound.to_string());
            }
        }
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let gone = || io::Error::other("a pipe of the worker is missing");
        let requests = child.stdin.take().ok_or_else(gone)?;
        let replies = BufReader::new(child.stdout.take().ok_or_else(gone)?);
        Ok(Worker { child, requests, replies })
    }
}

impl Bounds {
    /// Why a worker has ended before it answered.
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
            _ => format!("the worker process failed: {}", one_line(words.trim())),
        }
    }
}

/// The worker: answers each line of standard input with a line of one character and the answer or message.
///
/// # Errors
/// The bounds cannot be set, or a pipe fails.
fn work(bounds: Bounds, mut service: AdjudicationService, reasons: bool) -> Result<ExitCode, Failure> {
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
        print_to(&reply, &mut out)?;
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
    Err(io::Error::new(io::ErrorKind::Unsupported, "`--request-mb` needs a system with memory limits"))
}
