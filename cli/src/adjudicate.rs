//! `upheaval adjudicate`: JSON lines in, one JSON line out for each (docs/adjudicate.md).

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;
use upheaval::adjudicate::{AdjudicationService, Id, LONGEST_REQUEST, RequestError, id_of};
use upheaval::diagnostic::one_line;

use crate::failure::Failure;
use crate::terminal::{print, screenful};

/// Adjudicate positions given as JSON lines, on standard input or in files; one JSON line answers each.
#[derive(Args)]
pub struct AdjudicateArguments {
    /// Files of JSON lines; standard input if there is none.
    files: Vec<PathBuf>,
    /// Add to each answer the reasons why orders failed: `"reasons"`, by power and order.
    #[arg(long)]
    reasons: bool,
}

/// Runs the command. The exit code is 1 if a line could not be answered.
pub fn command(arguments: &AdjudicateArguments) -> Result<ExitCode, Failure> {
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
    let mut service = AdjudicationService::new();
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
            let answer =
                answer(&mut service, &line, (&file, number), arguments.reasons).unwrap_or_else(|error| {
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
    service: &mut AdjudicationService,
    line: &[u8],
    place: (&str, u64),
    reasons: bool,
) -> Result<String, String> {
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
        return Err(error(None, RequestError::TooLong.to_string()));
    }
    let text = std::str::from_utf8(line).map_err(|_| error(None, "not UTF-8 text".to_owned()))?;
    let mut answer = service.answer(text).map_err(|e| error(id_of(text), e.to_string()))?;
    if !reasons {
        answer.reasons = None;
    }
    answer.to_json().map_err(|e| error(id_of(text), e.to_string()))
}
