//! A conversation with a program: one request, one reply that matches it, each within its time.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use upheaval_engine::bot::Conduct;
use upheaval_engine::bot::Program;
use upheaval_engine::diagnostic::{one_line, wording};

use super::process::{Heard, LONGEST_LINE, Process};
use super::transcript::Transcript;

/// How long a program may at least be silent before it plays: to start an interpreter takes its time on a busy machine.
const PREPARATION: Duration = Duration::from_secs(10);

/// The version of the protocol that is spoken.
pub const PROTOCOL: u32 = 1;

/// What went wrong, in a word and in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trouble {
    /// The word.
    pub conduct: Conduct,
    /// What was wrong, and what would be right.
    pub reason: String,
    /// The end of what the program wrote to standard error, where it never began to play; an empty text elsewhere.
    pub last_words: String,
}

impl Trouble {
    fn new(conduct: Conduct, reason: impl Into<String>) -> Trouble {
        Trouble { conduct, reason: reason.into(), last_words: String::new() }
    }

    /// Is the program of no more use?
    pub fn is_final(&self) -> bool {
        self.conduct != Conduct::Timeout
    }
}

/// What a reply must be: its `type`, and the fields that it must repeat.
#[derive(Clone, PartialEq, Debug)]
pub struct Echo {
    kind: &'static str,
    fields: Vec<(&'static str, Value)>,
}

impl Echo {
    /// The reply of this type to a message, with these of its fields.
    pub fn of(kind: &'static str, message: &Value, fields: &[&'static str]) -> Echo {
        Echo { kind, fields: fields.iter().map(|&field| (field, message[field].clone())).collect() }
    }

    /// # Errors
    /// What in the line is not as it must be.
    fn check(&self, line: &[u8]) -> Result<Value, String> {
        let text = std::str::from_utf8(line).map_err(|_| "a line is not UTF-8 text".to_owned())?;
        if text.trim().is_empty() {
            return Err(format!("an empty line, where a line with `{}` is waited for", self.kind));
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
            Some(kind) => return Err(format!("`type` is `{}` and must be `{}`", short(kind), self.kind)),
            None => return Err(format!("`type` is missing; it must be `{}`", self.kind)),
        }
        for (field, expected) in &self.fields {
            match object.get(*field) {
                Some(found) if found == expected => {}
                // Before the first game there is none to be named.
                None if expected.is_null() => {}
                Some(found) => {
                    return Err(format!(
                        "`{field}` is {} and must be {expected}, as in the request",
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

/// The text with nothing in it that a terminal would obey.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// A text on one line, short enough to stand in one.
pub(super) fn short(text: &str) -> String {
    cut(text, 60)
}

/// A text on one line and no longer than so many letters: what a program sends may be megabytes.
pub(super) fn cut(text: &str, letters: usize) -> String {
    let text = printable(&one_line(text));
    match text.char_indices().nth(letters) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// What a program says of itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Identity {
    /// Its name.
    pub name: String,
    /// Does it want the legal orders with each request?
    pub legal: bool,
    /// Does it want to be told what was ordered, and what came of it?
    pub history: bool,
    /// Is it to be asked whether it is ready once more, after `newgame`?
    pub ready_again: bool,
}

/// A program that has been started and has said who it is.
pub struct Session {
    process: Process,
    stall: Duration,
    clock: Option<Duration>,
    identity: Identity,
    /// Replies that came too late and are still to come.
    owed: VecDeque<Echo>,
    /// Since when it has been silent, while something was waited for.
    silent_since: Option<Instant>,
    transcript: Option<Transcript>,
}

impl Session {
    /// Starts a program and asks who it is. Everything that is said goes into a transcript, if there is one.
    ///
    /// # Errors
    /// It cannot be started, or does not say.
    pub fn start(program: &Program, transcript: Option<Transcript>) -> Result<Session, Trouble> {
        let process = Process::start(program).map_err(|error| {
            let reason = format!("cannot start `{}`: {error}", program.command.join(" "));
            Trouble::new(Conduct::Crash, reason)
        })?;
        let mut session = Session {
            process,
            stall: Duration::from_millis(program.stall_ms),
            clock: program.move_ms.map(Duration::from_millis),
            identity: Identity::default(),
            owed: VecDeque::new(),
            silent_since: None,
            transcript,
        };
        match session.introduce() {
            Ok(()) => Ok(session),
            Err(trouble) => Err(Trouble { last_words: session.end(), ..trouble }),
        }
    }

    /// Asks the program who it is.
    fn introduce(&mut self) -> Result<(), Trouble> {
        let maker = concat!("upheaval ", env!("CARGO_PKG_VERSION"));
        let hello = json!({ "type": "hello", "game": null, "protocol": PROTOCOL, "program": maker });
        let id = self.ask(&hello, Echo::of("id", &hello, &["game"]), None)?;
        self.identity = identity(&id).map_err(|reason| Trouble::new(Conduct::Protocol, reason))?;
        Ok(())
    }

    /// Who it is.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The id of its process and process group.
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// The end of what it wrote to standard error.
    pub fn last_words(&self) -> String {
        self.process.last_words()
    }

    /// Tells it something that needs no reply.
    pub fn tell(&self, message: &Value) {
        let message = message.to_string();
        if let Some(transcript) = &self.transcript {
            transcript.sent(&message);
        }
        self.process.say(message.into_bytes());
    }

    /// Is it there, and has it done what it was told before?
    ///
    /// # Errors
    /// It does not say so.
    pub fn is_ready(&mut self, game: &str) -> Result<(), Trouble> {
        let isready = json!({ "type": "isready", "game": game });
        self.ask(&isready, Echo::of("readyok", &isready, &["game"]), None).map(|_| ())
    }

    /// Asks for orders.
    ///
    /// # Errors
    /// They do not come, or late, or something else comes. After a [`Conduct::Timeout`] it may be asked again.
    pub fn orders(&mut self, request: &Value) -> Result<Vec<String>, Trouble> {
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
            format!("it ended when it was sent `{}`", message["type"].as_str().unwrap_or("a message"));
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
                    "{begun} bytes without an end of the line for {seconds} s; write a newline behind each message"
                );
                Trouble::new(Conduct::Protocol, reason)
            }
        }
    }

    /// Lets the program end by itself until then; nothing of it stays. Did it?
    pub fn quit(self, until: Instant) -> bool {
        self.process.retire(until)
    }

    /// Ends it at once, with all that it started. Returns the end of what it wrote to standard error.
    pub fn end(mut self) -> String {
        self.process.end();
        let words = self.process.last_words();
        if let Some(transcript) = &self.transcript {
            transcript.last_words(&words);
        }
        words
    }

    /// Tells it that it may go.
    pub fn bid_farewell(&self) {
        self.tell(&json!({ "type": "quit", "game": null }));
    }
}

/// What a reply to a request for orders must be.
fn orders_to(request: &Value) -> Echo {
    Echo::of("orders", request, &["game", "phase", "topology_hash"])
}

/// The orders of a line that answers this request.
#[cfg(feature = "checks")]
pub(super) fn reply_of(request: &Value, line: &[u8]) -> Result<Vec<String>, Trouble> {
    let orders = orders_to(request).check(line).and_then(|reply| orders_of(&reply));
    orders.map_err(|reason| Trouble::new(Conduct::Protocol, reason))
}

fn identity(id: &Value) -> Result<Identity, String> {
    let name = match &id["name"] {
        Value::String(name) if !name.trim().is_empty() => one_line(name),
        Value::Null => return Err("`name` is missing in `id`; it is a text".to_owned()),
        other => return Err(format!("`name` in `id` is {other} and must be a text")),
    };
    let flag = |key: &str| match &id[key] {
        Value::Bool(flag) => Ok(*flag),
        Value::Null => Ok(false),
        other => Err(format!("`{key}` in `id` is {other} and must be true or false")),
    };
    let (legal, history, ready_again) = (flag("legal")?, flag("history")?, flag("ready_again")?);
    match &id["protocol"] {
        Value::Null => {}
        protocol if *protocol == json!(PROTOCOL) => {}
        other => return Err(format!("`protocol` in `id` is {other}; what is spoken here is {PROTOCOL}")),
    }
    Ok(Identity { name, legal, history, ready_again })
}

/// The most orders that a reply may have: on no board is there a use for as many.
const MOST_ORDERS: usize = 1000;

fn orders_of(reply: &Value) -> Result<Vec<String>, String> {
    let Some(list) = reply.get("orders") else {
        return Err(
            "`orders` is missing in `orders`; it is a list of texts, empty if everything holds".to_owned()
        );
    };
    let wrong = || format!("`orders` is {} and must be a list of texts", short(&list.to_string()));
    let list = list.as_array().ok_or_else(wrong)?;
    if list.len() > MOST_ORDERS {
        return Err(format!(
            "{} `orders` in a reply; no power has use for more than {MOST_ORDERS}",
            list.len()
        ));
    }
    list.iter().map(|order| order.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
}
