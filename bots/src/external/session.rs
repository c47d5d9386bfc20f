//! A conversation with a program: one request, one reply that matches it, each within its time.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use upheaval_engine::bot::Conduct;
use upheaval_engine::bot::Program;
use upheaval_engine::diagnostic::{one_line, wording};

use super::process::{Heard, LONGEST_LINE, Process};
use super::transcript::Transcript;

/// The minimum time that a program may be silent before its first line: a busy machine may take long to start an
/// interpreter, and a program that does not start stops the whole command.
const START: Duration = Duration::from_secs(60);

/// The minimum time that a program may be silent before each game.
const PREPARATION: Duration = Duration::from_secs(10);

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;

/// A fault, as a word and as a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trouble {
    /// The word.
    pub conduct: Conduct,
    /// The fault, and its correction.
    pub reason: String,
    /// The end of the program's output to standard error, if it never began to play; otherwise an empty text.
    pub last_words: String,
}

impl Trouble {
    fn new(conduct: Conduct, reason: impl Into<String>) -> Trouble {
        Trouble { conduct, reason: reason.into(), last_words: String::new() }
    }

    /// Is the program unusable from now on?
    pub(crate) fn is_final(&self) -> bool {
        self.conduct != Conduct::Timeout
    }
}

/// The requirements on a reply: its `type`, and the fields that it must repeat.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Echo {
    kind: &'static str,
    fields: Vec<(&'static str, Value)>,
}

impl Echo {
    /// The reply of this type to a message, with these of its fields.
    pub(super) fn of(kind: &'static str, message: &Value, fields: &[&'static str]) -> Echo {
        Echo { kind, fields: fields.iter().map(|&field| (field, message[field].clone())).collect() }
    }

    /// # Errors
    /// The fault of the line.
    fn check(&self, line: &[u8]) -> Result<Value, String> {
        let text = std::str::from_utf8(line).map_err(|_| "a line is not UTF-8 text".to_owned())?;
        if text.trim().is_empty() {
            return Err(format!("an empty line in place of a line with `{}`", self.kind));
        }
        let value: Value = serde_json::from_str(text).map_err(|error| {
            let fault = wording::of_json(&error);
            format!(
                "`{}` is not JSON: {fault}, at column {}; each line is one JSON object",
                short(text),
                error.column()
            )
        })?;
        let Some(object) = value.as_object() else {
            return Err(format!("`{}` is not a JSON object", short(text)));
        };
        match object.get("type").and_then(Value::as_str) {
            Some(kind) if kind == self.kind => {}
            Some(kind) => return Err(format!("`type` is `{}`, but must be `{}`", short(kind), self.kind)),
            None => return Err(format!("`type` is missing; it must be `{}`", self.kind)),
        }
        for (field, expected) in &self.fields {
            match object.get(*field) {
                Some(found) if found == expected => {}
                // Before the first game there is none to name.
                None if expected.is_null() => {}
                Some(found) => {
                    return Err(format!(
                        "`{field}` is {}, but must be {expected}, as in the request",
                        short(&found.to_string())
                    ));
                }
                None => {
                    return Err(format!("`{field}` is missing; it must be {expected}, as in the request"));
                }
            }
        }
        Ok(value)
    }
}

/// The text without characters that a terminal would act on.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// A text on one line, short enough to be part of one.
pub(super) fn short(text: &str) -> String {
    cut(text, 60)
}

/// A text on one line with at most this many letters: the output of a program may be megabytes.
pub(super) fn cut(text: &str, letters: usize) -> String {
    let text = printable(&one_line(text));
    match text.char_indices().nth(letters) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// A program's description of itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProgramIdentity {
    /// Its name.
    pub name: String,
    /// Does it want the legal orders with each request?
    pub legal: bool,
    /// Does it want to receive the orders and their results?
    pub history: bool,
    /// Is it to be asked again whether it is ready, after `newgame`?
    pub ready_again: bool,
}

/// A program that has been started and has identified itself.
pub struct ProgramSession {
    process: Process,
    stall: Duration,
    clock: Option<Duration>,
    identity: ProgramIdentity,
    /// Late replies that are still to come.
    owed: VecDeque<Echo>,
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
    ) -> Result<ProgramSession, Trouble> {
        let process = Process::start(program).map_err(|error| {
            let reason = format!("cannot start `{}`: {error}", program.command.join(" "));
            Trouble::new(Conduct::Crash, reason)
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
            Err(trouble) => Err(Trouble { last_words: session.end(), ..trouble }),
        }
    }

    /// Asks the program for its identity.
    fn introduce(&mut self) -> Result<(), Trouble> {
        let maker = concat!("upheaval ", env!("CARGO_PKG_VERSION"));
        let hello = json!({ "type": "hello", "game": null, "protocol": PROTOCOL, "program": maker });
        let id = self.ask(&hello, Echo::of("id", &hello, &["game"]), None)?;
        self.identity = identity(&id).map_err(|reason| Trouble::new(Conduct::Protocol, reason))?;
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

    /// The end of its output to standard error.
    pub fn last_words(&self) -> String {
        self.process.last_words()
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
    pub(crate) fn is_ready(&mut self, game: &str) -> Result<(), Trouble> {
        let isready = json!({ "type": "isready", "game": game });
        self.ask(&isready, Echo::of("readyok", &isready, &["game"]), None).map(|_| ())
    }

    /// Asks for orders.
    ///
    /// # Errors
    /// They do not arrive, or too late, or something else arrives. After a [`Conduct::Timeout`] it may be asked again.
    pub(crate) fn orders(&mut self, request: &Value) -> Result<Vec<String>, Trouble> {
        let reply = self.ask(request, orders_to(request), self.clock)?;
        orders_of(&reply).map_err(|reason| Trouble::new(Conduct::Protocol, reason))
    }

    fn ask(&mut self, message: &Value, echo: Echo, clock: Option<Duration>) -> Result<Value, Trouble> {
        let asked = Instant::now();
        self.tell(message);
        if self.owed.is_empty() {
            self.silent_since = None;
        }
        let mut silent_since = *self.silent_since.get_or_insert(asked);
        let patience = match echo.kind {
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
                    return echo.check(&line).map_err(|reason| Trouble::new(Conduct::Protocol, reason));
                }
                Heard::TooLong => {
                    let reason = format!("a line of more than {LONGEST_LINE} bytes");
                    return Err(Trouble::new(Conduct::Protocol, reason));
                }
                Heard::Closed(rest) => return Err(self.crashed(message, rest)),
                Heard::Nothing if Instant::now() < stalled => {
                    self.owed.push_back(echo);
                    let clock = clock.unwrap_or_default().as_millis();
                    let reason = format!("no `orders` within the {clock} ms of its clock");
                    return Err(Trouble::new(Conduct::Timeout, reason));
                }
                Heard::Nothing => return Err(self.stalled(&echo, patience)),
            }
        }
    }

    fn crashed(&mut self, message: &Value, rest: usize) -> Trouble {
        let status = self.process.end();
        if let Some(excess) = self.process.excess() {
            return Trouble::new(Conduct::Crash, format!("it was ended: {excess}"));
        }
        let mut reason =
            format!("it exited when it received `{}`", message["type"].as_str().unwrap_or("a message"));
        if let Some(status) = status.filter(|status| status.code().is_some()) {
            reason += &format!(", with {status}");
        }
        if rest > 0 {
            reason += &format!(", in the middle of a line ({rest} bytes)");
        }
        Trouble::new(Conduct::Crash, reason)
    }

    fn stalled(&self, echo: &Echo, patience: Duration) -> Trouble {
        let seconds = patience.as_secs_f64();
        match self.process.begun() {
            0 => {
                let reason = format!(
                    "no `{}` for {seconds} s; answer every request with one line, and flush the output after it",
                    echo.kind
                );
                Trouble::new(Conduct::Stall, reason)
            }
            begun => {
                let reason = format!(
                    "{begun} bytes without an end of the line for {seconds} s; write a newline after each message"
                );
                Trouble::new(Conduct::Protocol, reason)
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

/// The requirements on a reply to a request for orders.
fn orders_to(request: &Value) -> Echo {
    Echo::of("orders", request, &["game", "phase", "topology_hash"])
}

/// The orders of a line that answers this request.
#[cfg(feature = "checks")]
pub(super) fn reply_of(request: &Value, line: &[u8]) -> Result<Vec<String>, Trouble> {
    let orders = orders_to(request).check(line).and_then(|reply| orders_of(&reply));
    orders.map_err(|reason| Trouble::new(Conduct::Protocol, reason))
}

fn identity(id: &Value) -> Result<ProgramIdentity, String> {
    let name = match &id["name"] {
        Value::String(name) if !name.trim().is_empty() => one_line(name),
        Value::Null => return Err("`name` is missing in `id`; it is a text".to_owned()),
        other => return Err(format!("`name` in `id` is {other}, but must be a text")),
    };
    let flag = |key: &str| match &id[key] {
        Value::Bool(flag) => Ok(*flag),
        Value::Null => Ok(false),
        other => Err(format!("`{key}` in `id` is {other}, but must be true or false")),
    };
    let (legal, history, ready_again) = (flag("legal")?, flag("history")?, flag("ready_again")?);
    match &id["protocol"] {
        Value::Null => {}
        protocol if *protocol == json!(PROTOCOL) => {}
        other => return Err(format!("`protocol` in `id` is {other}, but must be {PROTOCOL}")),
    }
    Ok(ProgramIdentity { name, legal, history, ready_again })
}

/// The most orders in a reply: no board needs more.
const MOST_ORDERS: usize = 1000;

fn orders_of(reply: &Value) -> Result<Vec<String>, String> {
    let Some(list) = reply.get("orders") else {
        return Err(
            "`orders` is missing in `orders`; it is a list of texts, empty if everything holds".to_owned()
        );
    };
    let wrong = || format!("`orders` is {}, but must be a list of texts", short(&list.to_string()));
    let list = list.as_array().ok_or_else(wrong)?;
    if list.len() > MOST_ORDERS {
        return Err(format!("{} `orders` in a reply; no power needs more than {MOST_ORDERS}", list.len()));
    }
    list.iter().map(|order| order.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
}
