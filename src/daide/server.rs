//! The server's side of one game with one client, without the connection.
//!
//! ```text
//!   client: NME ─▶      ◀─ YES, MAP      MDF ─▶ ◀─ MDF      YES(MAP) ─▶ ◀─ HLO         the client is ready
//!   upheaval asks:      ◀─ ORD … SCO NOW TME
//!   client: SUB ─▶      ◀─ THX … MIS                        none missing: upheaval has its answer
//!   the game is over:   ◀─ ORD … SCO SLO|DRW SMR NOW OFF
//! ```

use std::collections::BTreeSet;

use crate::board::{DaideBoard, DaideError};
use crate::message::{Said, Unsaid};
use crate::order::{DaideOrder, DaideTurn, PowerToken, TurnPart};
use crate::order_book::{OrderBook, OrderContext};
use crate::position::{DaidePosition, PastTurn, results};
use crate::request::{DecisionRequest, GameResult, NewGame, PowerState, PowerStates, SettledStage};
use crate::token::words::{
    BTL, DRW, HLO, HUH, LVL, MAP, MDF, MIS, MTL, NOW, OFF, ORD, PRN, REJ, RTL, SCO, SLO, SMR, SUB, THX, TME,
    UNO, YES,
};
use crate::token::{Sentence, Token, TokenNumber};

/// The longest message of a client that is processed, in tokens: orders to all units of a board take some
/// hundreds. Messages up to this length can be repeated in an answer.
const LONGEST: usize = 30_000;

/// The number of seconds that a client has for a turn of each kind; without a number, as many as `upheaval`
/// grants it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TurnLimits {
    /// For movements (`MTL`).
    pub movement: Option<TokenNumber>,
    /// For retreats (`RTL`).
    pub retreats: Option<TokenNumber>,
    /// For adjustments (`BTL`).
    pub builds: Option<TokenNumber>,
}

impl TurnLimits {
    /// The limit of a turn.
    pub(crate) fn of(self, turn: DaideTurn) -> Option<TokenNumber> {
        match turn.season {
            TurnPart::Spring | TurnPart::Fall => self.movement,
            TurnPart::Summer | TurnPart::Autumn => self.retreats,
            TurnPart::Winter => self.builds,
        }
    }

    /// The longest limit.
    fn longest(self) -> Option<TokenNumber> {
        [self.movement, self.retreats, self.builds].into_iter().flatten().max()
    }
}

/// The progress of the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stage {
    /// The client has not given its name.
    Joining,
    /// It examines the map.
    Looking,
    /// It is playing.
    Playing,
    /// The game is over.
    Over,
}

/// A game with a client.
#[derive(Clone, Debug)]
pub struct Server {
    board: DaideBoard,
    power: PowerToken,
    passcode: TokenNumber,
    limits: TurnLimits,
    stage: Stage,
    /// The client's name and version.
    name: (String, String),
    /// The position that was last sent to the client.
    position: DaidePosition,
    /// The position at the start.
    start: DaidePosition,
    /// Has a position been sent to it?
    has_seen: bool,
    past: Vec<PastTurn>,
    /// The orders that are awaited.
    order_book: Option<OrderBook>,
    /// The client's orders of the current turn.
    own: (Option<DaideTurn>, Vec<DaideOrder>),
    reminders: BTreeSet<TokenNumber>,
    /// The ending of the game, once it is over.
    closing: Option<Vec<Sentence>>,
    /// The powers that have lost their last centre, and the year.
    eliminated: Vec<(PowerToken, TokenNumber)>,
}

impl Server {
    /// A game that begins.
    ///
    /// # Errors
    /// The game cannot be played in the language.
    pub fn new(game: &NewGame, limits: TurnLimits) -> Result<Server, DaideError> {
        let board = DaideBoard::new(game)?;
        let fault = |why: String| DaideError::of_board(game, &why);
        let power = board
            .power(&game.power)
            .ok_or_else(|| fault(format!("`{}` is not one of its powers", game.power)))?;
        // If a game begins in Winter, nothing is sent before the first Spring; the turn matters only for the
        // position.
        let turn = DaideTurn::of_phase(&game.phase)
            .ok_or_else(|| fault(format!("`{}` is not a turn", game.phase)))?;
        let standing = |power: &String| PowerState {
            units: game.rules.units.get(power).cloned().unwrap_or_default(),
            centers: game.rules.homes.get(power).cloned().unwrap_or_default(),
            retreats: Vec::new(),
        };
        let powers = game.rules.units.keys().chain(game.rules.homes.keys());
        let start = powers.map(|power| (power.clone(), standing(power))).collect();
        let start = DaidePosition::new(&board, turn, &start)
            .map_err(|text| fault(format!("`{text}` is not on it")))?;
        let passcode = TokenNumber::of_count(usize::try_from(game.seed & 0x1fff).unwrap_or_default());
        Ok(Server {
            board,
            power,
            passcode,
            limits,
            stage: Stage::Joining,
            name: (String::new(), String::new()),
            position: start.clone(),
            start,
            has_seen: false,
            past: Vec::new(),
            order_book: None,
            own: (None, Vec::new()),
            reminders: BTreeSet::new(),
            closing: None,
            eliminated: Vec::new(),
        })
    }

    /// The board.
    pub fn board(&self) -> &DaideBoard {
        &self.board
    }

    /// Has the client accepted the map?
    pub fn is_ready(&self) -> bool {
        self.stage >= Stage::Playing
    }

    /// The time limit of the client for the awaited turn.
    pub fn limit(&self) -> Option<TokenNumber> {
        self.order_book.as_ref().and_then(|order_book| self.limits.of(order_book.turn()))
    }

    /// The numbers of seconds before the end of a turn at which the client wants reminders, ascending.
    pub fn reminders(&self) -> impl Iterator<Item = TokenNumber> {
        self.reminders.iter().copied()
    }

    /// The message with the number of seconds left.
    pub fn time_left(left: TokenNumber) -> Sentence {
        Sentence::new(TME).group(|s| s.number(left))
    }

    /// The answer to a message of the client. `left` is the number of seconds left in the turn, if it has a
    /// limit.
    ///
    /// # Errors
    /// The client does not want to play.
    pub fn receive(
        &mut self,
        tokens: &[Token],
        left: Option<TokenNumber>,
    ) -> Result<Vec<Sentence>, DaideError> {
        // A message that is too long to be repeated in an answer is not a message of level 0.
        if tokens.len() > LONGEST {
            return Ok(vec![Sentence::new(HUH).repeat_with_error(&[], 0)]);
        }
        match Said::read(tokens) {
            Ok(said) => self.answer(said, tokens, left),
            Err(Unsaid::Brackets) => Ok(vec![Sentence::new(PRN).repeat(tokens)]),
            Err(Unsaid::Syntax(at)) => Ok(vec![Sentence::new(HUH).repeat_with_error(tokens, at.0)]),
        }
    }

    /// The messages to the client when `upheaval` requests a decision.
    ///
    /// # Errors
    /// The language cannot express the decision or the position.
    pub fn ask(&mut self, request: &DecisionRequest) -> Result<Vec<Sentence>, DaideError> {
        let fault = |why: String| untellable(&request.phase, &why);
        if request.changes.is_some() {
            return Err(fault("the map has changed, but boards in DAIDE do not change".to_owned()));
        }
        let now = self.position_of(&request.phase, &request.powers)?;
        let mut said = self.tell_past(&request.history, &now)?;
        let context = OrderContext { board: &self.board, position: &now, power: self.power };
        self.order_book = Some(OrderBook::new(context, request).map_err(fault)?);
        self.see(now, &mut said);
        said.extend(self.limit().map(Server::time_left));
        Ok(said)
    }

    /// The orders of the turn, once they are complete; this ends the turn for the client.
    pub fn take_orders(&mut self) -> Option<Vec<String>> {
        if self.order_book.as_ref().is_some_and(OrderBook::is_ready) { self.close() } else { None }
    }

    /// The orders of the turn as far as they are complete, because its time is over.
    pub fn close(&mut self) -> Option<Vec<String>> {
        let order_book = self.order_book.take()?;
        self.own = (Some(order_book.turn()), order_book.orders());
        Some(order_book.texts())
    }

    /// The messages to the client at the end of the game.
    ///
    /// # Errors
    /// The language cannot express the position.
    pub fn finish(&mut self, result: &GameResult) -> Result<Vec<Sentence>, DaideError> {
        self.order_book = None;
        self.stage = Stage::Over;
        let Some(phase) = &result.phase else { return Ok(vec![Sentence::new(OFF)]) };
        let mut now = self.position_of(phase, &result.powers)?;
        // If a game ends within a turn, its final position is the one before the next turn.
        let last = result.history.last().and_then(|past| DaideTurn::of_phase(&past.phase));
        let last = last.or(self.past.last().map(|past| past.turn)).filter(|last| now.turn <= *last);
        now.turn = last.and_then(DaideTurn::next).unwrap_or(now.turn);
        let mut said = self.tell_past(&result.history, &now)?;
        // The ending comes before the last position.
        let closing = self.closing_words(result, &now);
        self.closing = Some(closing.clone());
        said.extend(closing);
        said.push(now.now());
        said.push(Sentence::new(OFF));
        self.position = now;
        Ok(said)
    }

    fn position_of(&self, phase: &str, powers: &PowerStates) -> Result<DaidePosition, DaideError> {
        let fault = |what: &str, is_not: &str| untellable(phase, &format!("`{what}` is not {is_not}"));
        let turn = DaideTurn::of_phase(phase).ok_or_else(|| fault(phase, "a turn of the language"))?;
        DaidePosition::new(&self.board, turn, powers).map_err(|text| fault(&text, "on the board"))
    }

    /// Reports the past turns, the last of which led to the current position. After each turn but the last
    /// its position is reported too, unless the client would answer with orders that are not awaited.
    fn tell_past(
        &mut self,
        history: &[SettledStage],
        now: &DaidePosition,
    ) -> Result<Vec<Sentence>, DaideError> {
        let mut said = Vec::new();
        let before = history.iter().map(|past| self.position_of(&past.phase, &past.powers));
        let before = before.collect::<Result<Vec<DaidePosition>, DaideError>>()?;
        for (i, past) in history.iter().enumerate() {
            let after = before.get(i + 1).unwrap_or(now);
            let turn = before[i].turn;
            if !self.has_seen {
                self.see(before[i].clone(), &mut said);
            }
            let own = if self.own.0 == Some(turn) { &self.own.1[..] } else { &[] };
            let results = results(&self.board, &before[i], past, (self.power, own));
            let owners = after.owners(&self.board);
            said.extend(results.iter().cloned());
            if turn.owners_change_before(after.turn) {
                self.note_eliminated(turn, &before[i], after);
                said.push(owners.clone());
            }
            self.past.push(PastTurn { turn, results, owners, now: after.now() });
            if i + 1 < history.len() && !after.awaits(self.power) {
                self.see(after.clone(), &mut said);
            }
        }
        Ok(said)
    }

    /// Reports the position; the first time, also the owners of the centres.
    fn see(&mut self, position: DaidePosition, said: &mut Vec<Sentence>) {
        if !self.has_seen {
            said.push(position.owners(&self.board));
        }
        said.push(position.now());
        self.has_seen = true;
        self.position = position;
    }

    fn note_eliminated(&mut self, turn: DaideTurn, before: &DaidePosition, after: &DaidePosition) {
        for power in self.board.powers() {
            if before.centres_of(power) > 0 && after.centres_of(power) == 0 {
                self.eliminated.retain(|(other, _)| *other != power);
                self.eliminated.push((power, turn.year));
            }
        }
    }

    fn map(&self) -> Sentence {
        Sentence::new(MAP).text(self.board.name())
    }

    fn hello(&self) -> Sentence {
        let options = |s: Sentence| {
            let s = s.group(|s| s.word(LVL).number(TokenNumber::of_count(0)));
            let limits =
                [(MTL, self.limits.movement), (RTL, self.limits.retreats), (BTL, self.limits.builds)];
            let limits = limits.into_iter().filter_map(|(word, limit)| Some((word, limit?)));
            limits.fold(s, |s, (word, limit)| s.group(|s| s.word(word).number(limit)))
        };
        let head = Sentence::new(HLO).group(|s| s.word(self.power.token()));
        head.group(|s| s.number(self.passcode)).group(options)
    }

    /// Accepts the orders of a message, and annotates each.
    fn submit(&mut self, turn: Option<DaideTurn>, orders: &[DaideOrder], tokens: &[Token]) -> Vec<Sentence> {
        let Some(order_book) = &mut self.order_book else { return vec![rejection(tokens)] };
        if turn.is_some_and(|turn| turn != order_book.turn()) {
            return vec![rejection(tokens)];
        }
        debug_assert_eq!(tokens.first(), Some(&SUB));
        let context = OrderContext { board: &self.board, position: &self.position, power: self.power };
        let mut annotated = |order: &DaideOrder| {
            let note = order_book.take(context, order);
            order.write(Sentence::new(THX)).group(|s| s.word(note))
        };
        let mut said: Vec<Sentence> = orders.iter().map(&mut annotated).collect();
        if !order_book.is_complete() {
            said.push(order_book.missing(&self.position));
        }
        said
    }
}

/// The language cannot express a request of `upheaval`.
fn untellable(phase: &str, why: &str) -> DaideError {
    DaideError(format!("the request in {phase} cannot be expressed in DAIDE: {why}"))
}

/// The client does not join as a player.
fn does_not_play(sent: &str) -> DaideError {
    DaideError(format!("the client sent {sent}, but NME, which joins the game, was expected"))
}

/// The number of letters of a client's name that are kept.
const LONGEST_NAME: usize = 64;

/// `YES` to a message.
fn acceptance(tokens: &[Token]) -> Sentence {
    Sentence::new(YES).repeat(tokens)
}

/// `REJ` to a message.
fn rejection(tokens: &[Token]) -> Sentence {
    Sentence::new(REJ).repeat(tokens)
}

impl Server {
    fn answer(
        &mut self,
        said: Said,
        tokens: &[Token],
        left: Option<TokenNumber>,
    ) -> Result<Vec<Sentence>, DaideError> {
        let accepted = |is_fine: bool| if is_fine { acceptance(tokens) } else { rejection(tokens) };
        Ok(match said {
            Said::Name(name, version) if self.stage == Stage::Joining => {
                let kept = |text: String| text.chars().take(LONGEST_NAME).collect();
                self.name = (kept(name), kept(version));
                self.stage = Stage::Looking;
                vec![acceptance(tokens), self.map()]
            }
            Said::Name(..) => vec![rejection(tokens)],
            Said::Observe => return Err(does_not_play("OBS")),
            Said::Rejoin => return Err(does_not_play("IAM")),
            Said::Yes(what) if self.stage == Stage::Looking && what == self.map().tokens() => {
                self.stage = Stage::Playing;
                vec![self.hello()]
            }
            Said::No(what) if what == self.map().tokens() => {
                return Err(DaideError(format!("the client rejects the map `{}`", self.board.name())));
            }
            // Other acceptances and rejections, and complaints, have no effect.
            Said::Yes(_) | Said::No(_) | Said::Complaint => Vec::new(),
            Said::Ask(question) => self.inform(question, tokens, left),
            Said::AskHistory(turn) => self.history(turn, tokens),
            Said::Orders(turn, orders) => self.submit(turn, &orders, tokens),
            Said::TakeBack(order) => {
                let taken =
                    self.order_book.as_mut().is_some_and(|order_book| order_book.withdraw(order.as_ref()));
                vec![accepted(taken)]
            }
            Said::Go => match &mut self.order_book {
                None => vec![rejection(tokens)],
                Some(order_book) => {
                    order_book.waits = false;
                    let missing = (!order_book.is_complete()).then(|| order_book.missing(&self.position));
                    [acceptance(tokens)].into_iter().chain(missing).collect()
                }
            },
            Said::Wait => {
                if let Some(order_book) = &mut self.order_book {
                    order_book.waits = true;
                }
                vec![accepted(self.order_book.is_some())]
            }
            Said::Remind(seconds) => {
                let fits = self.limits.longest().is_some_and(|longest| seconds <= longest);
                let fits = fits && seconds.get() >= 0;
                if fits {
                    self.reminders.insert(seconds);
                }
                vec![accepted(fits)]
            }
            Said::Forget(Some(seconds)) => vec![accepted(self.reminders.remove(&seconds))],
            Said::Forget(None) => {
                self.reminders.clear();
                vec![acceptance(tokens)]
            }
            // There is no other player to ask, so the draw has no effect.
            Said::Draw => vec![accepted(self.stage == Stage::Playing)],
            Said::Admin => vec![rejection(tokens)],
        })
    }

    fn inform(&self, question: Token, tokens: &[Token], left: Option<TokenNumber>) -> Vec<Sentence> {
        let told = match question {
            HLO if self.is_ready() => vec![self.hello()],
            MAP if self.stage > Stage::Joining => vec![self.map()],
            MDF => vec![self.board.definition()],
            SCO => vec![self.position.owners(&self.board)],
            NOW => vec![self.position.now()],
            ORD => self.last_results(),
            MIS => self.order_book.iter().map(|order_book| order_book.missing(&self.position)).collect(),
            TME => left.map(Server::time_left).into_iter().collect(),
            SMR => self.closing.clone().unwrap_or_default(),
            _ => Vec::new(),
        };
        if told.is_empty() { vec![rejection(tokens)] } else { told }
    }

    /// The results of the last movement, and of the turns after it.
    fn last_results(&self) -> Vec<Sentence> {
        let last = self.past.iter().rposition(|past| past.turn.season.is_movement());
        let since = self.past.iter().skip(last.unwrap_or(0));
        since.flat_map(|past| past.results.iter().cloned()).collect()
    }

    fn history(&self, turn: Option<DaideTurn>, tokens: &[Token]) -> Vec<Sentence> {
        let Some(turn) = turn else {
            return vec![self.start.owners(&self.board), self.start.now()];
        };
        match self.past.iter().rfind(|past| past.turn == turn) {
            Some(past) => {
                let after = [past.owners.clone(), past.now.clone()];
                past.results.iter().cloned().chain(after).collect()
            }
            None => vec![rejection(tokens)],
        }
    }

    /// The ending of the game, and the results of all powers.
    fn closing_words(&self, result: &GameResult, now: &DaidePosition) -> Vec<Sentence> {
        let end = match (result.end.as_str(), &result.winners[..]) {
            ("solo", [winner, ..]) => {
                let winner = self.board.power(winner).map_or(UNO, PowerToken::token);
                Sentence::new(SLO).group(|s| s.word(winner))
            }
            _ => Sentence::new(DRW),
        };
        vec![end, self.summary(now)]
    }

    fn summary(&self, now: &DaidePosition) -> Sentence {
        let mut said = now.turn.write(Sentence::new(SMR));
        for power in self.board.powers() {
            let (name, version) = match power == self.power {
                true => (self.name.0.as_str(), self.name.1.as_str()),
                false => ("unknown", "unknown"),
            };
            let centres = now.centres_of(power);
            let year = self.eliminated.iter().find(|(out, _)| *out == power && centres == 0);
            said = said.group(|s| {
                let s = s.word(power.token()).text(name).text(version).number(TokenNumber::of_count(centres));
                year.map_or(s.clone(), |(_, year)| s.number(*year))
            });
        }
        said
    }
}

#[cfg(test)]
mod tests;
