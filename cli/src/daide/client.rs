//! The program and its connection.
//!
//! The program stays in the process group of this one, so that a signal to the group ends both.

use std::io::{self, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use upheaval_daide::frame::{MessageFrame, ProtocolFault};
use upheaval_daide::lexicon::Lexicon;
use upheaval_daide::token::{Sentence, Token};

use crate::readable::readable;

/// The time for which a program may leave received data unread.
const PATIENCE: Duration = Duration::from_secs(10);

/// The time that a program has to exit after its game is over.
const FAREWELL: Duration = Duration::from_secs(1);

/// The running program, if any, for a process that is asked to exit.
fn child() -> MutexGuard<'static, Option<Child>> {
    static CHILD: Mutex<Option<Child>> = Mutex::new(None);
    // The data is valid even if a thread panicked with the lock.
    CHILD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the program, if one is running.
pub(crate) fn end_child() {
    if let Some(mut child) = child().take() {
        // It may have exited on its own.
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Starts the program, which should connect to this address.
pub(super) fn start(command: &[String], address: SocketAddr) -> io::Result<()> {
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
        // Standard output is reserved for the runner.
        .stdout(io::stderr())
        .spawn()?;
    *child() = Some(started);
    Ok(())
}

/// The exit status of the program, if it has exited.
pub(super) fn has_ended() -> Option<ExitStatus> {
    child().as_mut().and_then(|child| child.try_wait().ok().flatten())
}

/// Waits a while for the program to exit on its own.
fn wait_for_end() {
    let until = Instant::now() + FAREWELL;
    while Instant::now() < until && has_ended().is_none() && child().is_some() {
        thread::sleep(Duration::from_millis(10));
    }
}

/// The state of the connection.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Greeting {
    /// Waiting for the initial message since then.
    Waits(Instant),
    /// The initial message has arrived and was answered.
    Done,
}

/// A connection with the program.
pub(super) struct Connection {
    stream: TcpStream,
    /// The number of this connection.
    pub number: u64,
    pub greeting: Greeting,
    /// The words of messages, if messages are written to standard error.
    traced: Option<Lexicon>,
}

impl Connection {
    pub(super) fn new(stream: TcpStream, number: u64, traced: Option<Lexicon>) -> io::Result<Connection> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Connection { stream, number, greeting: Greeting::Waits(Instant::now()), traced })
    }

    pub(super) fn send(&mut self, frame: &MessageFrame) -> io::Result<()> {
        frame.write(&mut self.stream)
    }

    pub(super) fn say(&mut self, sentences: Vec<Sentence>) -> io::Result<()> {
        for sentence in sentences {
            self.show("<-", sentence.tokens());
            self.send(&MessageFrame::Diplomacy(sentence.into_tokens()))?;
        }
        Ok(())
    }

    /// Writes a message to standard error if tracing is on.
    pub(super) fn show(&self, direction: &str, tokens: &[Token]) {
        if let Some(lexicon) = &self.traced {
            // In one write, because the bridges of other games may write to the same file. A failure to write
            // the trace is not a fault of the game.
            let line = format!("{direction} {}\n", lexicon.display(tokens));
            let _ = io::stderr().write_all(readable(&line).as_bytes());
        }
    }

    /// Reports a fault in its message to the program.
    pub(super) fn complain(&mut self, fault: ProtocolFault) {
        // The connection is closed in any case.
        let _ = self.send(&MessageFrame::Error(fault));
    }

    /// Closes the connection and ends the program.
    pub(super) fn close(mut self) {
        // It may have closed the connection already.
        let _ = self.send(&MessageFrame::Final);
        let _ = self.stream.shutdown(Shutdown::Write);
        wait_for_end();
        let _ = self.stream.shutdown(Shutdown::Both);
        end_child();
    }
}
