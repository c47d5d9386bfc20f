//! A conversation with a program: one request, one reply that matches it, each within its time.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use upheaval_engine::bot::{Conduct, Program};

use super::process::{Heard, LONGEST_LINE, Process};
use super::reply::{ExpectedReply, PROTOCOL, ProgramIdentity, read_identity, read_orders};
use super::transcript::Transcript;

/// The minimum time that a program may be silent before its first line: a busy machine may take long to start an
/// interpreter, and a program that does not start stops the whole command.
const START: Duration = Duration::from_secs(60);

/// The minimum time that a program may be silent before each game.
const PREPARATION: Duration = Duration::from_secs(10);

/// A fault, as a word and as a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ProgramError {
    /// The word.
    pub conduct: Conduct,
    /// The fault, and its correction.
    pub reason: String,
    /// The end of the program's output to standard error, if it never began to play; otherwise an empty text.
    pub last_words: String,
}

impl ProgramError {
    fn new(conduct: Conduct, reason: impl Into<String>) -> ProgramError {
        ProgramError { conduct, reason: reason.into(), last_words: String::new() }
    }

    /// Is the program unusable from now on?
    pub(crate) fn is_final(&self) -> bool {
        self.conduct != Conduct::Timeout
    }
}

/// A program that has been started and has identified itself.
pub(super) struct ProgramSession {
    process: Process,
    stall: Duration,
    clock: Option<Duration>,
    identity: ProgramIdentity,
    /// Late replies that are still to come.
    owed: VecDeque<ExpectedReply>,
    /// Since when it has been silent, while a reply was awaited.
    silent_since: Option<Instant>,
    transcript: Option<Transcript>,
}

impl ProgramSession {
    /// Starts a program and asks for its identity. All messages are written to a transcript, if there is one.
    ///
    /// # Errors
    /// It cannot be started, or does not answer.
    pub(crate) fn start(
        program: &Program,
        transcript: Option<Transcript>,
    ) -> Result<ProgramSession, ProgramError> {
        let process = Process::start(program).map_err(|error| {
            let reason = format!("cannot start `{}`: {error}", program.command.join(" "));
            ProgramError::new(Conduct::Crash, reason)
        })?;
        let mut session = ProgramSession {
            process,
            stall: Duration::from_millis(program.stall_ms),
            clock: program.move_ms.map(Duration::from_millis),
            identity: ProgramIdentity::default(),
            owed: VecDeque::new(),
            silent_since: None,
            transcript,
        };
        match session.introduce() {
            Ok(()) => Ok(session),
            Err(error) => Err(ProgramError { last_words: session.end(), ..error }),
        }
    }

    /// Asks the program for its identity.
    fn introduce(&mut self) -> Result<(), ProgramError> {
        let maker = concat!("upheaval ", env!("CARGO_PKG_VERSION"));
        let hello = json!({ "type": "hello", "game": null, "protocol": PROTOCOL, "program": maker });
        let id = self.ask(&hello, ExpectedReply::new("id", &hello, &["game"]), None)?;
        self.identity = read_identity(&id).map_err(|reason| ProgramError::new(Conduct::Protocol, reason))?;
        Ok(())
    }

    /// Its identity.
    pub(crate) fn identity(&self) -> &ProgramIdentity {
        &self.identity
    }

    /// The id of its process and process group.
    pub(crate) fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Sends a message that needs no reply.
    pub(crate) fn tell(&self, message: &Value) {
        let message = message.to_string();
        if let Some(transcript) = &self.transcript {
            transcript.sent(&message);
        }
        self.process.say(message.into_bytes());
    }

    /// Is it running, and has it processed the previous messages?
    ///
    /// # Errors
    /// It does not confirm it.
    pub(crate) fn is_ready(&mut self, game: &str) -> Result<(), ProgramError> {
        let isready = json!({ "type": "isready", "game": game });
        self.ask(&isready, ExpectedReply::new("readyok", &isready, &["game"]), None).map(|_| ())
    }

    /// Asks for orders.
    ///
    /// # Errors
    /// They do not arrive, or too late, or something else arrives. After a [`Conduct::Timeout`] it may be asked again.
    pub(crate) fn orders(&mut self, request: &Value) -> Result<Vec<String>, ProgramError> {
        let reply = self.ask(request, ExpectedReply::to_request(request), self.clock)?;
        read_orders(&reply).map_err(|reason| ProgramError::new(Conduct::Protocol, reason))
    }

    fn ask(
        &mut self,
        message: &Value,
        expected: ExpectedReply,
        clock: Option<Duration>,
    ) -> Result<Value, ProgramError> {
        let asked = Instant::now();
        self.tell(message);
        if self.owed.is_empty() {
            self.silent_since = None;
        }
        let mut silent_since = *self.silent_since.get_or_insert(asked);
        let patience = match expected.kind() {
            "orders" => self.stall,
            "id" => self.stall.max(START),
            _ => self.stall.max(PREPARATION),
        };
        loop {
            let (stalled, late) = (silent_since + patience, clock.map(|clock| asked + clock));
            let until = late.map_or(stalled, |late| late.min(stalled));
            match self.process.hear(until) {
                Heard::Line(line) => {
                    if let Some(transcript) = &self.transcript {
                        transcript.received(&line);
                    }
                    silent_since = Instant::now();
                    self.silent_since = Some(silent_since);
                    if self.owed.front().is_some_and(|late| late.check(&line).is_ok()) {
                        self.owed.pop_front();
                        continue;
                    }
                    self.owed.clear();
                    return expected
                        .check(&line)
                        .map_err(|reason| ProgramError::new(Conduct::Protocol, reason));
                }
                Heard::TooLong => {
                    let reason = format!("a line is longer than {LONGEST_LINE} bytes");
                    return Err(ProgramError::new(Conduct::Protocol, reason));
                }
                Heard::Closed(rest) => return Err(self.crashed(message, rest)),
                Heard::Nothing if Instant::now() < stalled => {
                    self.owed.push_back(expected);
                    let clock = clock.unwrap_or_default().as_millis();
                    let reason = format!("no `orders` within the move clock of {clock} ms");
                    return Err(ProgramError::new(Conduct::Timeout, reason));
                }
                Heard::Nothing => return Err(self.stalled(&expected, patience)),
            }
        }
    }

    fn crashed(&mut self, message: &Value, rest: usize) -> ProgramError {
        let status = self.process.end();
        if let Some(excess) = self.process.excess() {
            return ProgramError::new(Conduct::Crash, format!("it was ended: {excess}"));
        }
        let mut reason =
            format!("it exited when it received `{}`", message["type"].as_str().unwrap_or("a message"));
        if let Some(status) = status.filter(|status| status.code().is_some()) {
            reason += &format!(", with {status}");
        }
        if rest > 0 {
            reason += &format!(", in the middle of a line ({rest} bytes)");
        }
        ProgramError::new(Conduct::Crash, reason)
    }

    fn stalled(&self, expected: &ExpectedReply, patience: Duration) -> ProgramError {
        let seconds = patience.as_secs_f64();
        match self.process.begun() {
            0 => {
                let reason = format!(
                    "no `{}` for {seconds} s; answer every request with one line, and flush the output after it",
                    expected.kind()
                );
                ProgramError::new(Conduct::Stall, reason)
            }
            begun => {
                let reason = format!(
                    "{begun} bytes without an end of the line for {seconds} s; write a newline after each message"
                );
                ProgramError::new(Conduct::Protocol, reason)
            }
        }
    }

    /// Lets the program exit by itself until this time; no process remains. Did it exit?
    pub(crate) fn quit(self, until: Instant) -> bool {
        self.process.retire(until)
    }

    /// Ends it at once, with all processes that it started. Returns the end of its output to standard error.
    pub(crate) fn end(mut self) -> String {
        self.process.end();
        let words = self.process.last_words();
        if let Some(transcript) = &self.transcript {
            transcript.last_words(&words);
        }
        words
    }

    /// Allows it to exit.
    pub(crate) fn bid_farewell(&self) {
        self.tell(&json!({ "type": "quit", "game": null }));
    }
}
