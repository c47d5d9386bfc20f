//! The program and the connection with it.
//!
//! The program stays in the process group of this one, so that whoever ends the group ends both.

use std::io::{self, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use upheaval_daide::frame::{MessageFrame, ProtocolFault};
use upheaval_daide::lexicon::Lexicon;
use upheaval_daide::sentence::Sentence;
use upheaval_daide::token::Token;

/// How long a program may leave unread what it is sent.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a program has to end by itself when its game is over.
const FAREWELL: Duration = Duration::from_secs(1);

/// Are messages written to standard error?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trace {
    Shown,
    Hidden,
}

/// The program that is running, for a process that is told to end.
fn child() -> MutexGuard<'static, Option<Child>> {
    static CHILD: Mutex<Option<Child>> = Mutex::new(None);
    // A thread that panicked with it left it whole.
    CHILD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the program, if one is running.
pub fn end_child() {
    if let Some(mut child) = child().take() {
        // It may have ended by itself.
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Starts the program, which is to connect to this address.
pub fn start(command: &[String], address: SocketAddr) -> io::Result<()> {
    end_child();
    let (host, port) = (address.ip().to_string(), address.port().to_string());
    let fill = |argument: &String| argument.replace("{host}", &host).replace("{port}", &port);
    let mut words: Vec<String> = command.iter().map(fill).collect();
    if !command.iter().any(|word| word.contains("{port}")) {
        words.extend([format!("-s{host}"), format!("-p{port}")]);
    }
    let Some((program, arguments)) = words.split_first() else { return Ok(()) };
    let started = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        // Standard output is for the runner alone.
        .stdout(io::stderr())
        .spawn()?;
    *child() = Some(started);
    Ok(())
}

/// How the program ended, if it has.
pub fn has_ended() -> Option<ExitStatus> {
    child().as_mut().and_then(|child| child.try_wait().ok().flatten())
}

/// Waits a while for the program to end by itself.
fn wait_for_end() {
    let until = Instant::now() + FAREWELL;
    while Instant::now() < until && has_ended().is_none() && child().is_some() {
        thread::sleep(Duration::from_millis(10));
    }
}

/// How far the two have come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Greeting {
    /// The initial message is waited for, since then.
    Waits(Instant),
    /// It has come and was answered.
    Done,
}

/// A connection with the program.
pub struct Connection {
    stream: TcpStream,
    /// Which of all connections it is.
    pub number: u64,
    pub greeting: Greeting,
    lexicon: Lexicon,
    trace: Trace,
}

impl Connection {
    pub fn new(stream: TcpStream, number: u64, lexicon: Lexicon, trace: Trace) -> io::Result<Connection> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Connection { stream, number, greeting: Greeting::Waits(Instant::now()), lexicon, trace })
    }

    pub fn send(&mut self, frame: &MessageFrame) -> io::Result<()> {
        frame.write(&mut self.stream)
    }

    pub fn say(&mut self, sentences: Vec<Sentence>) -> io::Result<()> {
        for sentence in sentences {
            self.show("<-", sentence.tokens());
            self.send(&MessageFrame::Diplomacy(sentence.into_tokens()))?;
        }
        Ok(())
    }

    /// Writes a message to standard error, if that is wanted.
    pub fn show(&self, direction: &str, tokens: &[Token]) {
        if self.trace == Trace::Shown {
            // In one piece, since the bridges of other games may write to the same file. A trace that cannot be written
            // is not a fault of the game.
            let line = format!("{direction} {}\n", self.lexicon.display(tokens));
            let _ = io::stderr().write_all(line.as_bytes());
        }
    }

    /// Tells the program what is wrong with what it sent.
    pub fn complain(&mut self, fault: ProtocolFault) {
        // It is left anyway.
        let _ = self.send(&MessageFrame::Error(fault));
    }

    /// Takes leave of the program and ends it.
    pub fn close(mut self) {
        // It may have gone before.
        let _ = self.send(&MessageFrame::Final);
        let _ = self.stream.shutdown(Shutdown::Write);
        wait_for_end();
        let _ = self.stream.shutdown(Shutdown::Both);
        end_child();
    }
}
