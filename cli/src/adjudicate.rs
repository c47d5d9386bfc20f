//! `upheaval adjudicate`: JSON lines in, one JSON line out for each (docs/adjudicate.md).

mod apart;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;
use upheaval::adjudicate::{AdjudicationService, Id, LONGEST_REQUEST, RequestError, id_of};
use upheaval::diagnostic::one_line;

use self::apart::Apart;
use crate::failure::Failure;
use crate::terminal::{print, screenful};

/// Adjudicate positions given as JSON lines, on standard input or in files; one JSON line answers each.
#[derive(Args)]
pub(crate) struct AdjudicateArguments {
    /// Files of JSON lines; standard input if there is none.
    files: Vec<PathBuf>,
    /// Add to each answer the reasons why orders failed: `"reasons"`, by power and order.
    #[arg(long)]
    reasons: bool,
    /// The folder in which, or below which, requests may name variant files and these their maps; the working folder if
    /// left out.
    #[arg(long, value_name = "DIR")]
    variants: Option<PathBuf>,
    #[command(flatten)]
    bounds: Bounds,
    /// Answer the requests of this program, with one character before each reply.
    #[arg(long, hide = true)]
    worker: bool,
}

/// What a request may take. With either bound, requests are answered by a second process.
#[derive(Args, Clone, Copy)]
struct Bounds {
    /// The most milliseconds that a request may take; without it, there is no bound.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    request_ms: Option<u64>,
    /// The most memory that the process which settles a request may allocate, in MB; without it, there is no bound.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(64..=1_048_576))]
    request_mb: Option<u64>,
}

/// Where requests are answered.
enum Referee {
    Here(Box<AdjudicationService>),
    Apart(Apart),
}

impl Referee {
    fn of(arguments: &AdjudicateArguments) -> Referee {
        let AdjudicateArguments { bounds, variants, reasons, .. } = arguments;
        match bounds.request_ms.or(bounds.request_mb) {
            None => Referee::Here(Box::new(service(arguments))),
            Some(_) => Referee::Apart(Apart::new(*bounds, variants.clone(), *reasons)),
        }
    }

    /// The answer to a request, or why there is none.
    fn answer(&mut self, request: &str, reasons: bool) -> Result<Result<String, String>, Failure> {
        match self {
            Referee::Here(service) => Ok(reply(service, request, reasons)),
            Referee::Apart(apart) => apart.answer(request),
        }
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
        return apart::work(arguments.bounds, service(arguments), arguments.reasons);
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
            print(&(answer + "\n"), &mut out)?;
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
    referee: &mut Referee,
    line: &[u8],
    place: (&str, u64),
    reasons: bool,
) -> Result<Result<String, String>, Failure> {
    /// The output in place of an answer.
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
        return Ok(Err(error(None, RequestError::TooLong.to_string())));
    }
    let Ok(text) = std::str::from_utf8(line) else {
        return Ok(Err(error(None, "not UTF-8 text".to_owned())));
    };
    Ok(referee.answer(text, reasons)?.map_err(|message| error(id_of(text), message)))
}
