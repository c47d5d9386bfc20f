//! Between the runner and the program: what either says is one event after the other.
//!
//! ```text
//!   standard input ─ thread ─┐                     ┌─▶ standard output
//!   connection     ─ thread ─┴─▶ events ─▶ Bridge ─┴─▶ connection
//! ```

use std::io::{self, BufRead};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use upheaval_daide::frame::{FrameError, MessageFrame, ProtocolFault, VERSION};
use upheaval_daide::server::{Server, TurnLimits};
use upheaval_daide::token::{Category, Token, TokenNumber};
use upheaval_daide::told::{DecisionRequest, GameResult, NewGame, Told};

use super::client::{self, Connection, Greeting, Trace};
use crate::failure::{Failure, print};

/// How often it is looked whether the program is still there while nothing happens.
const GLANCE: Duration = Duration::from_millis(200);

/// How long the first message of the program is waited for once it has connected.
const INITIAL: Duration = Duration::from_secs(30);

/// How long a connection is still waited for when the program that was started has ended: it may have started another.
const AFTER_END: Duration = Duration::from_secs(3);

/// Something that happens.
enum Event {
    Line(String),
    InputClosed,
    Connected(TcpStream),
    Frame(u64, MessageFrame),
    Lost(u64, FrameError),
}

/// The game that is played.
struct Play {
    game: String,
    server: Server,
    connection: Option<Connection>,
    /// Why there is no connection any more.
    lost: Option<String>,
    /// Since when the program that was started is known to have ended.
    ended: Option<Instant>,
    /// The game of the `isready` that is to be answered when the program is ready.
    ready_for: Option<Value>,
    /// The request that came before the program was ready.
    early: Option<Box<DecisionRequest>>,
    asked: Option<Asked>,
}

/// The request that is to be answered.
struct Asked {
    reply: Value,
    /// When the time is up that the program was told, and how many seconds were left when it was told last.
    deadline: Option<(Instant, TokenNumber)>,
}

/// The next step.
enum Next {
    GoOn,
    End,
}

/// The bridge.
pub struct Bridge {
    command: Vec<String>,
    address: SocketAddr,
    limits: TurnLimits,
    trace: Trace,
    events: Receiver<Event>,
    sender: Sender<Event>,
    connections: u64,
    play: Option<Play>,
}

impl Bridge {
    /// Listens for the program and for the runner.
    pub fn new(
        listen: SocketAddr,
        command: Vec<String>,
        limits: TurnLimits,
        trace: Trace,
    ) -> Result<Bridge, Failure> {
        let fault = |error: io::Error| Failure::machine(format!("cannot listen on {listen}: {error}"));
        let listener = TcpListener::bind(listen).map_err(fault)?;
        let address = listener.local_addr().map_err(fault)?;
        let (sender, events) = channel();
        let (input, connected) = (sender.clone(), sender.clone());
        spawn(move || read_input(&input))?;
        spawn(move || {
            for stream in listener.incoming().flatten() {
                if connected.send(Event::Connected(stream)).is_err() {
                    return;
                }
            }
        })?;
        Ok(Bridge { command, address, limits, trace, events, sender, connections: 0, play: None })
    }

    /// Plays game after game until the runner has no more.
    pub fn run(mut self) -> Result<(), Failure> {
        let result = loop {
            let next = match self.events.recv_timeout(self.patience()) {
                Ok(event) => self.happened(event),
                Err(RecvTimeoutError::Timeout) => Ok(Next::GoOn),
                Err(RecvTimeoutError::Disconnected) => Ok(Next::End),
            };
            match next {
                // However much is said, time passes.
                Ok(Next::GoOn) => match self.glance() {
                    Ok(()) => {}
                    Err(failure) => break Err(failure),
                },
                Ok(Next::End) => break Ok(()),
                Err(failure) => break Err(failure),
            }
        };
        self.leave();
        result
    }

    fn happened(&mut self, event: Event) -> Result<Next, Failure> {
        match event {
            Event::Line(line) => self.told(&line),
            Event::InputClosed => Ok(Next::End),
            Event::Connected(stream) => self.connected(stream).map(|()| Next::GoOn),
            Event::Frame(number, frame) => self.heard(number, frame).map(|()| Next::GoOn),
            Event::Lost(number, error) => self.lost(number, &error).map(|()| Next::GoOn),
        }
    }

    /// Takes leave of the program, if there is one.
    fn leave(&mut self) {
        if let Some(connection) = self.play.take().and_then(|play| play.connection) {
            connection.close();
        }
        client::end_child();
    }

    /// How long to wait for an event.
    fn patience(&self) -> Duration {
        let due = self.play.as_ref().and_then(Play::due);
        due.map_or(GLANCE, |due| due.saturating_duration_since(Instant::now()).min(GLANCE))
    }

    /// Looks after reminders, deadlines and a program that may have ended.
    fn glance(&mut self) -> Result<(), Failure> {
        let Some(play) = &mut self.play else { return Ok(()) };
        play.remind()?;
        if play.asked.as_ref().is_some_and(|asked| asked.left() == Some(Duration::ZERO))
            && let Some(orders) = play.server.close()
        {
            play.reply(&orders)?;
        }
        match &mut play.connection {
            Some(connection) => match connection.greeting {
                Greeting::Waits(since) if since.elapsed() >= INITIAL => {
                    connection.complain(ProtocolFault::InitialLate);
                    Err(fault(format!("the program has connected, but {}", ProtocolFault::InitialLate)))
                }
                _ => Ok(()),
            },
            None if play.lost.is_none() => play.look_after_the_program(),
            None => Ok(()),
        }
    }

    /// The runner has said something.
    fn told(&mut self, line: &str) -> Result<Next, Failure> {
        let told = serde_json::from_str(line)
            .map_err(|error| Failure::input(format!("what came on standard input is no message: {error}")))?;
        match told {
            Told::Hello => {
                let name = format!("DAIDE: {}", self.command.join(" "));
                tell(&json!({ "type": "id", "game": null, "protocol": 1, "name": name, "legal": true,
                              "history": true, "ready_again": true }))?;
            }
            Told::IsReady { game } => match &mut self.play {
                Some(play) if !play.server.is_ready() && game == play.game.as_str() => {
                    play.ready_for = Some(game);
                    play.check_there()?;
                }
                _ => ready(&game)?,
            },
            Told::NewGame(game) => self.begin(&game)?,
            Told::Orders(request) => match &mut self.play {
                Some(play) if play.server.is_ready() => play.ask(&request)?,
                Some(play) => {
                    play.early = Some(request);
                    play.check_there()?;
                }
                None => return Err(Failure::input("orders are asked for before a game began")),
            },
            Told::Result(result) => self.finish(&result)?,
            Told::Quit => return Ok(Next::End),
            Told::Other => {}
        }
        Ok(Next::GoOn)
    }

    fn begin(&mut self, game: &NewGame) -> Result<(), Failure> {
        self.leave();
        let server = Server::new(game, self.limits).map_err(Failure::input)?;
        client::start(&self.command, self.address)
            .map_err(|error| fault(format!("cannot start `{}`: {error}", self.command.join(" "))))?;
        self.play = Some(Play {
            game: game.game.clone(),
            server,
            connection: None,
            lost: None,
            ended: None,
            ready_for: None,
            early: None,
            asked: None,
        });
        Ok(())
    }

    fn finish(&mut self, result: &GameResult) -> Result<(), Failure> {
        // The result of a game that was not played here is passed over.
        let Some(mut play) = self.play.take_if(|play| play.game == result.game) else { return Ok(()) };
        let said = play.server.finish(result).map_err(Failure::input)?;
        // A program that has left before the end is no worse for it.
        let _ = play.say(said);
        self.play = Some(play);
        self.leave();
        Ok(())
    }

    /// Somebody has connected: the program, if it is waited for.
    fn connected(&mut self, stream: TcpStream) -> Result<(), Failure> {
        let Some(play) = self.play.as_mut().filter(|play| play.connection.is_none() && play.lost.is_none())
        else {
            return Ok(());
        };
        self.connections += 1;
        let (number, events) = (self.connections, self.sender.clone());
        let mut incoming = stream.try_clone().map_err(Failure::machine)?;
        let lexicon = play.server.board().lexicon();
        play.connection =
            Some(Connection::new(stream, number, lexicon, self.trace).map_err(Failure::machine)?);
        spawn(move || {
            loop {
                let event = match MessageFrame::read(&mut incoming) {
                    Ok(frame) => Event::Frame(number, frame),
                    Err(error) => {
                        let _ = events.send(Event::Lost(number, error));
                        return;
                    }
                };
                if events.send(event).is_err() {
                    return;
                }
            }
        })
    }

    /// The play in which this connection is the one.
    fn play_of(&mut self, number: u64) -> Option<&mut Play> {
        let is_its = |play: &&mut Play| play.connection.as_ref().is_some_and(|own| own.number == number);
        self.play.as_mut().filter(is_its)
    }

    /// The program has sent a frame.
    fn heard(&mut self, number: u64, frame: MessageFrame) -> Result<(), Failure> {
        let Some(play) = self.play_of(number) else { return Ok(()) };
        let Some(connection) = &mut play.connection else { return Ok(()) };
        let has_greeted = connection.greeting == Greeting::Done;
        let wrong = match frame {
            MessageFrame::Final => return play.leaves("it has left".to_owned()),
            MessageFrame::Error(fault) => return play.leaves(format!("it found an error: {fault}")),
            MessageFrame::Initial(VERSION) if !has_greeted => {
                connection.greeting = Greeting::Done;
                let entries = play.server.board().entries().to_vec();
                let sent = connection.send(&MessageFrame::Representation(entries));
                return sent.or_else(|error| play.leaves(error.to_string()));
            }
            MessageFrame::Diplomacy(tokens)
                if has_greeted && tokens.iter().all(|token| may_be_sent(*token)) =>
            {
                connection.show("->", &tokens);
                return play.receive(&tokens);
            }
            MessageFrame::Initial(_) if has_greeted => ProtocolFault::InitialTwice,
            MessageFrame::Initial(_) => ProtocolFault::WrongVersion,
            MessageFrame::Representation(_) => ProtocolFault::RepresentationFromClient,
            MessageFrame::Diplomacy(_) if has_greeted => ProtocolFault::InvalidToken,
            MessageFrame::Diplomacy(_) => ProtocolFault::InitialNotFirst,
        };
        connection.complain(wrong);
        Err(fault(format!("the program has sent what DAIDE does not have: {wrong}")))
    }

    /// The connection has ended.
    fn lost(&mut self, number: u64, error: &FrameError) -> Result<(), Failure> {
        let Some(play) = self.play_of(number) else { return Ok(()) };
        if let (FrameError::Fault(wrong), Some(connection)) = (error, &mut play.connection) {
            connection.complain(*wrong);
            return Err(fault(format!("the program has sent what DAIDE does not have: {wrong}")));
        }
        play.leaves(error.to_string())
    }
}

impl Play {
    /// Sends messages to the program.
    fn say(&mut self, sentences: Vec<upheaval_daide::sentence::Sentence>) -> Result<(), Failure> {
        let sent = self.connection.as_mut().map_or(Ok(()), |connection| connection.say(sentences));
        sent.or_else(|error| self.leaves(format!("what it is sent does not reach it: {error}")))
    }

    /// The program has said something.
    fn receive(&mut self, tokens: &[Token]) -> Result<(), Failure> {
        let left = self.asked.as_ref().and_then(Asked::seconds_left);
        let said = self.server.receive(tokens, left).map_err(fault)?;
        self.say(said)?;
        if self.server.is_ready() {
            if let Some(game) = self.ready_for.take() {
                ready(&game)?;
            }
            if let Some(request) = self.early.take() {
                self.ask(&request)?;
            }
        }
        match self.server.take_orders() {
            Some(orders) => self.reply(&orders),
            None => Ok(()),
        }
    }

    /// The runner wants a decision.
    fn ask(&mut self, request: &DecisionRequest) -> Result<(), Failure> {
        let said = self.server.ask(request).map_err(Failure::input)?;
        let deadline = self.server.limit().map(|limit| (Instant::now() + seconds(limit), limit));
        let reply = json!({ "type": "orders", "game": request.game, "phase": request.phase,
                            "topology_hash": request.topology_hash });
        self.asked = Some(Asked { reply, deadline });
        self.say(said)?;
        self.check_there()?;
        // Where nothing is missing from the start there is nothing to wait for.
        match self.server.take_orders() {
            Some(orders) => self.reply(&orders),
            None => Ok(()),
        }
    }

    /// The largest number of seconds that the program wants to be reminded of and has not been told yet.
    fn reminder(&self) -> Option<TokenNumber> {
        let (_, told) = self.asked.as_ref()?.deadline?;
        self.server.reminders().filter(|at| *at < told).max()
    }

    /// When a reminder or the end of the turn is due.
    fn due(&self) -> Option<Instant> {
        let (deadline, _) = self.asked.as_ref()?.deadline?;
        Some(self.reminder().map_or(deadline, |before| deadline - seconds(before)))
    }

    /// Reminds the program of the time that is left. If it has asked too late for it, nothing is said.
    fn remind(&mut self) -> Result<(), Failure> {
        while let Some(next) = self.reminder()
            && let Some(asked) = &mut self.asked
            && let Some(left) = asked.left().filter(|left| *left <= seconds(next))
        {
            asked.deadline = asked.deadline.map(|(deadline, _)| (deadline, next));
            if left + Duration::from_secs(1) > seconds(next) {
                self.say(vec![Server::time_left(next)])?;
            }
        }
        Ok(())
    }

    /// Answers the runner.
    fn reply(&mut self, orders: &[String]) -> Result<(), Failure> {
        let Some(Asked { mut reply, .. }) = self.asked.take() else { return Ok(()) };
        reply["orders"] = json!(orders);
        tell(&reply)
    }

    /// The connection is no more. That is a fault as soon as something is wanted of the program.
    fn leaves(&mut self, reason: String) -> Result<(), Failure> {
        self.connection = None;
        self.lost = Some(reason);
        self.check_there()
    }

    /// Is the program there, if anything is wanted of it?
    fn check_there(&self) -> Result<(), Failure> {
        let wanted = self.asked.is_some() || self.ready_for.is_some() || self.early.is_some();
        match &self.lost {
            Some(reason) if wanted => Err(fault(format!("the program is gone: {reason}"))),
            _ => Ok(()),
        }
    }

    /// Has the program ended before it connected?
    fn look_after_the_program(&mut self) -> Result<(), Failure> {
        let Some(status) = client::has_ended() else { return Ok(()) };
        let since = *self.ended.get_or_insert_with(Instant::now);
        match since.elapsed() >= AFTER_END {
            true => Err(fault(format!("the program has ended before it connected, with {status}"))),
            false => Ok(()),
        }
    }
}

impl Asked {
    /// How much time is left, where there is a limit.
    fn left(&self) -> Option<Duration> {
        self.deadline.map(|(deadline, _)| deadline.saturating_duration_since(Instant::now()))
    }

    fn seconds_left(&self) -> Option<TokenNumber> {
        self.left().map(|left| TokenNumber::of_count(usize::try_from(left.as_secs()).unwrap_or(usize::MAX)))
    }
}

fn seconds(number: TokenNumber) -> Duration {
    Duration::from_secs(number.get().unsigned_abs().into())
}

/// A program that does not do what it must: the machine's failure, as everything is that comes from outside.
fn fault(reason: impl std::fmt::Display) -> Failure {
    Failure::machine(reason)
}

/// Tokens for the private use of programs are never sent.
fn may_be_sent(token: Token) -> bool {
    token.category() != Category::Reserved
}

fn ready(game: &Value) -> Result<(), Failure> {
    tell(&json!({ "type": "readyok", "game": game }))
}

/// Says something to the runner.
fn tell(message: &Value) -> Result<(), Failure> {
    print(&format!("{message}\n"), io::stdout().lock())
}

fn spawn(work: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    thread::Builder::new().spawn(work).map(|_| ()).map_err(Failure::machine)
}

fn read_input(events: &Sender<Event>) {
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    // Nobody is left to be told if this fails.
    let _ = events.send(Event::InputClosed);
}
