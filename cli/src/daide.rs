//! `upheaval daide PROGRAM...`: a bot that plays by means of a DAIDE program (docs/daide.md). Messages of the runner
//! and of the program are handled as a sequence of events:
//!
//! ```text
//!   standard input ─ thread ─┐                     ┌─▶ standard output
//!   connection     ─ thread ─┴─▶ events ─▶ Bridge ─┴─▶ connection
//! ```

mod client;

use std::ffi::OsStr;
use std::io::{self, BufRead};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::{Value, json};
use upheaval::diagnostic::wording;
use upheaval_bots::external::find_program;
use upheaval_daide::frame::{FrameError, MessageFrame, ProtocolFault, VERSION};
use upheaval_daide::request::{DecisionRequest, GameResult, NewGame, RequestMessage};
use upheaval_daide::server::{Server, TurnLimits};
use upheaval_daide::token::{Sentence, Token, TokenNumber};

use self::client::{Connection, Greeting};
use crate::failure::Failure;
use crate::output::print;

pub(crate) use client::end_child;

/// Let a DAIDE program play as a bot
///
/// The command speaks the bot protocol on standard input and output, and is a DAIDE server for the program. `{host}`
/// and `{port}` in the arguments of the program stand for the address to connect to; if no argument has `{port}`,
/// `-sHOST -pPORT` are added.
#[derive(Args)]
pub(crate) struct DaideArguments {
    /// Address to listen on; port 0 means any free port
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// Time limit for movement that is announced to the program [default: none]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(i64).range(1..=8191))]
    mtl: Option<i64>,
    /// Time limit for retreats [default: none]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(i64).range(1..=8191))]
    rtl: Option<i64>,
    /// Time limit for builds and removals [default: none]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(i64).range(1..=8191))]
    btl: Option<i64>,
    /// Write every message to standard error
    #[arg(long)]
    trace: bool,
    /// Program and its arguments, in which {host} and {port} are filled in
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
}

/// Runs the command.
pub(crate) fn command(arguments: &DaideArguments) -> Result<(), Failure> {
    Bridge::new(arguments)?.run()
}

/// The time between two checks of the program while nothing happens.
const GLANCE: Duration = Duration::from_millis(200);

/// The time limit for the first message of a program that has connected.
const INITIAL: Duration = Duration::from_secs(30);

/// The time limit for a connection after the started program has exited, because it may have started
/// another program.
const AFTER_END: Duration = Duration::from_secs(3);

/// The pause before the answer to the initial message of a program: some start a second thread only then, and
/// lose an answer that comes before it listens.
const BEFORE_REPRESENTATION: Duration = Duration::from_millis(150);

/// Something that happens.
enum Event {
    Line(String),
    InputClosed,
    Connected(TcpStream),
    Frame(u64, MessageFrame),
    Lost(u64, FrameError),
}

/// The game being played.
struct Play {
    game: String,
    server: Server,
    connection: Option<Connection>,
    /// Why the connection has ended.
    lost: Option<String>,
    /// When the started program was found to have exited.
    ended: Option<Instant>,
    /// The game of the `isready` that will be answered when the program is ready.
    ready_for: Option<Value>,
    /// The request that arrived before the program was ready.
    early: Option<Box<DecisionRequest>>,
    asked: Option<Asked>,
}

/// The pending request.
struct Asked {
    reply: Value,
    /// The end of the time announced to the program, and the number of seconds left at the last reminder.
    deadline: Option<(Instant, TokenNumber)>,
}

/// The bridge.
struct Bridge<'a> {
    arguments: &'a DaideArguments,
    address: SocketAddr,
    events: Receiver<Event>,
    sender: Sender<Event>,
    connections: u64,
    play: Option<Play>,
}

impl Bridge<'_> {
    /// Listens for the program and for the runner.
    fn new(arguments: &DaideArguments) -> Result<Bridge<'_>, Failure> {
        let listen = arguments.listen;
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
        Ok(Bridge { arguments, address, events, sender, connections: 0, play: None })
    }

    /// Plays game after game until the runner has no more, and ends the program.
    fn run(mut self) -> Result<(), Failure> {
        let played = self.play_games();
        self.leave();
        played
    }

    fn play_games(&mut self) -> Result<(), Failure> {
        loop {
            match self.events.recv_timeout(self.patience()) {
                Ok(Event::Line(line)) => {
                    if self.told(&line)?.is_break() {
                        return Ok(());
                    }
                }
                Ok(Event::InputClosed) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Ok(Event::Connected(stream)) => self.connected(stream)?,
                Ok(Event::Frame(number, frame)) => self.heard(number, frame)?,
                Ok(Event::Lost(number, error)) => self.lost(number, &error)?,
                Err(RecvTimeoutError::Timeout) => {}
            }
            // Time passes even if messages keep arriving.
            self.glance()?;
        }
    }

    /// Closes the connection to the program, if there is one.
    fn leave(&mut self) {
        if let Some(connection) = self.play.take().and_then(|play| play.connection) {
            connection.close();
        }
        client::end_child();
    }

    /// The time to wait for an event.
    fn patience(&self) -> Duration {
        let due = self.play.as_ref().and_then(Play::due);
        due.map_or(GLANCE, |due| due.saturating_duration_since(Instant::now()).min(GLANCE))
    }

    /// Handles reminders, deadlines and a program that may have exited.
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
                    Err(Failure::machine(format!(
                        "the program has connected, but {}",
                        ProtocolFault::InitialLate
                    )))
                }
                _ => Ok(()),
            },
            None if play.lost.is_none() => play.look_after_the_program(),
            None => Ok(()),
        }
    }

    /// Handles a message of the runner, and breaks after the last one.
    fn told(&mut self, line: &str) -> Result<ControlFlow<()>, Failure> {
        let told = serde_json::from_str(line).map_err(|error| {
            let fault = wording::of_json_at(&error);
            Failure::input(format!("the line on standard input is not a message: {fault}"))
        })?;
        match told {
            RequestMessage::Hello => {
                self.find_program()?;
                let name = format!("DAIDE: {}", self.arguments.command.join(" "));
                tell(&json!({ "type": "id", "game": null, "protocol": 1, "name": name, "legal": true,
                              "history": true, "ready_again": true }))?;
            }
            RequestMessage::IsReady { game } => match &mut self.play {
                Some(play) if !play.server.is_ready() && game == play.game.as_str() => {
                    play.ready_for = Some(game);
                    play.check_there()?;
                }
                _ => ready(&game)?,
            },
            RequestMessage::NewGame(game) => self.begin(&game)?,
            RequestMessage::Orders(request) => match &mut self.play {
                Some(play) if play.server.is_ready() => play.ask(&request)?,
                Some(play) => {
                    play.early = Some(request);
                    play.check_there()?;
                }
                None => return Err(Failure::input("orders were requested before a game began")),
            },
            RequestMessage::Result(result) => self.finish(&result)?,
            RequestMessage::Quit => return Ok(ControlFlow::Break(())),
            RequestMessage::Other => {}
        }
        Ok(ControlFlow::Continue(()))
    }

    fn begin(&mut self, game: &NewGame) -> Result<(), Failure> {
        self.leave();
        let DaideArguments { mtl, rtl, btl, command, .. } = self.arguments;
        let [movement, retreats, builds] = [mtl, rtl, btl].map(|limit| limit.and_then(TokenNumber::new));
        let limits = TurnLimits { movement, retreats, builds };
        let server = Server::new(game, limits).map_err(Failure::input)?;
        client::start(command, self.address)
            .map_err(|error| Failure::machine(format!("cannot start `{}`: {error}", command.join(" "))))?;
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
        // The result of a game that was not played here is ignored.
        let Some(mut play) = self.play.take_if(|play| play.game == result.game) else { return Ok(()) };
        let said = play.server.finish(result).map_err(Failure::input)?;
        // It does not matter if the program has left before the end.
        let _ = play.say(said);
        self.play = Some(play);
        self.leave();
        Ok(())
    }

    /// Makes sure that there is a program, which is started for each game.
    fn find_program(&self) -> Result<(), Failure> {
        let Some(program) = self.arguments.command.first().filter(|_| cfg!(unix)) else { return Ok(()) };
        let fault =
            |error| Failure::input(format!("cannot start `{}`: {error}", self.arguments.command.join(" ")));
        find_program(OsStr::new(program)).map_err(fault)
    }

    /// Handles a new connection: the program, if it is awaited.
    fn connected(&mut self, stream: TcpStream) -> Result<(), Failure> {
        let Some(play) = self.play.as_mut().filter(|play| play.connection.is_none() && play.lost.is_none())
        else {
            return Ok(());
        };
        self.connections += 1;
        let (number, events) = (self.connections, self.sender.clone());
        let mut incoming = stream.try_clone().map_err(Failure::machine)?;
        let traced = self.arguments.trace.then(|| play.server.board().lexicon());
        play.connection = Some(Connection::new(stream, number, traced).map_err(Failure::machine)?);
        spawn(move || {
            loop {
                let read = MessageFrame::read(&mut incoming);
                if matches!(read, Ok(MessageFrame::Initial(_))) {
                    thread::sleep(BEFORE_REPRESENTATION);
                }
                let (event, is_last) = match read {
                    Ok(frame) => (Event::Frame(number, frame), false),
                    Err(error) => (Event::Lost(number, error), true),
                };
                if events.send(event).is_err() || is_last {
                    return;
                }
            }
        })
    }

    /// The game to which this connection belongs.
    fn play_of(&mut self, number: u64) -> Option<&mut Play> {
        let is_its = |play: &&mut Play| play.connection.as_ref().is_some_and(|own| own.number == number);
        self.play.as_mut().filter(is_its)
    }

    /// Handles a frame from the program.
    fn heard(&mut self, number: u64, frame: MessageFrame) -> Result<(), Failure> {
        let Some(play) = self.play_of(number) else { return Ok(()) };
        let Some(connection) = &mut play.connection else { return Ok(()) };
        let has_greeted = connection.greeting == Greeting::Done;
        let wrong = match frame {
            MessageFrame::Final => return play.leaves("it has left".to_owned()),
            MessageFrame::Error(fault) => return play.leaves(format!("it reports an error: {fault}")),
            MessageFrame::Initial(VERSION) if !has_greeted => {
                connection.greeting = Greeting::Done;
                let entries = play.server.board().entries().to_vec();
                let sent = connection.send(&MessageFrame::Representation(entries));
                return sent.or_else(|error| play.leaves(error.to_string()));
            }
            // Tokens for the private use of programs are never sent.
            MessageFrame::Diplomacy(tokens)
                if has_greeted && tokens.iter().all(|token| !token.is_reserved()) =>
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
        Err(Failure::machine(format!("the program has sent something that is not DAIDE: {wrong}")))
    }

    /// Handles the end of the connection.
    fn lost(&mut self, number: u64, error: &FrameError) -> Result<(), Failure> {
        let Some(play) = self.play_of(number) else { return Ok(()) };
        if let (FrameError::Fault(wrong), Some(connection)) = (error, &mut play.connection) {
            connection.complain(*wrong);
            return Err(Failure::machine(format!(
                "the program has sent something that is not DAIDE: {wrong}"
            )));
        }
        play.leaves(error.to_string())
    }
}

impl Play {
    /// Sends messages to the program.
    fn say(&mut self, sentences: Vec<Sentence>) -> Result<(), Failure> {
        let sent = self.connection.as_mut().map_or(Ok(()), |connection| connection.say(sentences));
        sent.or_else(|error| self.leaves(format!("messages do not reach it: {error}")))
    }

    /// Handles a message of the program.
    fn receive(&mut self, tokens: &[Token]) -> Result<(), Failure> {
        let left = self.asked.as_ref().and_then(Asked::seconds_left);
        let said = self.server.receive(tokens, left).map_err(Failure::machine)?;
        self.say(said)?;
        if self.server.is_ready() {
            if let Some(game) = self.ready_for.take() {
                ready(&game)?;
            }
            if let Some(request) = self.early.take() {
                self.ask(&request)?;
            }
        }
        self.reply_if_done()
    }

    /// Handles a decision requested by the runner.
    fn ask(&mut self, request: &DecisionRequest) -> Result<(), Failure> {
        let said = self.server.ask(request).map_err(Failure::input)?;
        let deadline = self.server.limit().map(|limit| (Instant::now() + seconds(limit), limit));
        let reply = json!({ "type": "orders", "game": request.game, "phase": request.phase,
                            "topology_hash": request.topology_hash });
        self.asked = Some(Asked { reply, deadline });
        self.say(said)?;
        self.check_there()?;
        // If nothing is missing from the start, there is nothing to wait for.
        self.reply_if_done()
    }

    /// The largest number of seconds for which the program wants a reminder and has not had it.
    fn reminder(&self) -> Option<TokenNumber> {
        let (_, told) = self.asked.as_ref()?.deadline?;
        self.server.reminders().filter(|at| *at < told).max()
    }

    /// The time of the next reminder or of the end of the turn.
    fn due(&self) -> Option<Instant> {
        let (deadline, _) = self.asked.as_ref()?.deadline?;
        Some(self.reminder().map_or(deadline, |before| deadline - seconds(before)))
    }

    /// Reminds the program of the time left. If it asked too late, no reminder is sent.
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

    /// Answers the runner if the program has decided.
    fn reply_if_done(&mut self) -> Result<(), Failure> {
        self.server.take_orders().map_or(Ok(()), |orders| self.reply(&orders))
    }

    /// Answers the runner.
    fn reply(&mut self, orders: &[String]) -> Result<(), Failure> {
        let Some(Asked { mut reply, .. }) = self.asked.take() else { return Ok(()) };
        reply["orders"] = json!(orders);
        tell(&reply)
    }

    /// Records that the connection has ended. That is a fault as soon as the program is needed.
    fn leaves(&mut self, reason: String) -> Result<(), Failure> {
        self.connection = None;
        self.lost = Some(reason);
        self.check_there()
    }

    /// Checks that the program is connected, if it is needed.
    fn check_there(&self) -> Result<(), Failure> {
        let wanted = self.asked.is_some() || self.ready_for.is_some() || self.early.is_some();
        match &self.lost {
            Some(reason) if wanted => Err(Failure::machine(format!("the program is gone: {reason}"))),
            _ => Ok(()),
        }
    }

    /// Checks whether the program has exited before it connected.
    fn look_after_the_program(&mut self) -> Result<(), Failure> {
        let Some(status) = client::has_ended() else { return Ok(()) };
        let since = *self.ended.get_or_insert_with(Instant::now);
        if since.elapsed() < AFTER_END {
            return Ok(());
        }
        Err(Failure::machine(format!("the program exited before it connected, with {status}")))
    }
}

impl Asked {
    /// The time left, if there is a limit.
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

fn ready(game: &Value) -> Result<(), Failure> {
    tell(&json!({ "type": "readyok", "game": game }))
}

/// Sends a message to the runner.
fn tell(message: &Value) -> Result<(), Failure> {
    print(&format!("{message}\n"))
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
    // If this fails, there is no receiver left.
    let _ = events.send(Event::InputClosed);
}
