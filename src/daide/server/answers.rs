//! The answers to the messages of the client.

use super::{Server, ServerError, Stage};
use crate::message::{ClientQuestion, DrawVote, Said};
use crate::order::DaideOrder;
use crate::order_book::{OrderNote, Readiness};
use crate::sentence::Sentence;
use crate::token::words::{REJ, THX, YES};
use crate::token::{Token, TokenNumber};
use crate::turn::DaideTurn;

/// The number of letters of a client's name that are kept.
const LONGEST_NAME: usize = 64;

/// `YES` to a message.
pub(super) fn yes(tokens: &[Token]) -> Sentence {
    Sentence::new(YES).repeat(tokens)
}

/// `REJ` to a message.
pub(super) fn no(tokens: &[Token]) -> Sentence {
    Sentence::new(REJ).repeat(tokens)
}

/// `THX` with the note on an order.
pub(super) fn noted(order: &DaideOrder, note: OrderNote) -> Sentence {
    order.write(Sentence::new(THX)).group(|s| s.word(note.token()))
}

impl Server {
    pub(super) fn answer(
        &mut self,
        said: Said,
        tokens: &[Token],
        left: Option<TokenNumber>,
    ) -> Result<Vec<Sentence>, ServerError> {
        let accepted = |is_fine: bool| if is_fine { yes(tokens) } else { no(tokens) };
        Ok(match said {
            Said::Name(name, version) if self.stage == Stage::Joining => {
                let kept = |text: String| text.chars().take(LONGEST_NAME).collect();
                self.name = (kept(name), kept(version));
                self.stage = Stage::Looking;
                vec![yes(tokens), self.map()]
            }
            Said::Name(..) => vec![no(tokens)],
            Said::Observe => return Err(ServerError::DoesNotPlay("OBS")),
            Said::Rejoin => return Err(ServerError::DoesNotPlay("IAM")),
            Said::Yes(what) if self.stage == Stage::Looking && what == self.map().tokens() => {
                self.stage = Stage::Playing;
                vec![self.hello()]
            }
            Said::No(what) if what == self.map().tokens() => {
                return Err(ServerError::MapRejected(self.board.name().to_owned()));
            }
            // Other acceptances and rejections, and complaints, have no effect.
            Said::Yes(_) | Said::No(_) | Said::Complaint => Vec::new(),
            Said::Ask(question) => self.inform(question, tokens, left),
            Said::AskHistory(turn) => self.history(turn, tokens),
            Said::Orders(turn, orders) => self.submit(turn, &orders, tokens),
            Said::TakeBack(order) => {
                let taken =
                    self.order_book.as_mut().is_some_and(|order_book| order_book.take_back(order.as_ref()));
                vec![accepted(taken)]
            }
            Said::Go => match &mut self.order_book {
                None => vec![no(tokens)],
                Some(order_book) => {
                    order_book.set_readiness(Readiness::Go);
                    let missing = (!order_book.is_complete()).then(|| order_book.missing(&self.position));
                    [yes(tokens)].into_iter().chain(missing).collect()
                }
            },
            Said::Wait => {
                if let Some(order_book) = &mut self.order_book {
                    order_book.set_readiness(Readiness::Wait);
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
                vec![yes(tokens)]
            }
            // There is no other player to ask, so the draw has no effect.
            Said::Draw(DrawVote::Accepts | DrawVote::Declines) => {
                vec![accepted(self.stage == Stage::Playing)]
            }
            Said::Admin => vec![no(tokens)],
        })
    }

    fn inform(&self, question: ClientQuestion, tokens: &[Token], left: Option<TokenNumber>) -> Vec<Sentence> {
        let told = match question {
            ClientQuestion::Hello if self.is_ready() => vec![self.hello()],
            ClientQuestion::Map if self.stage > Stage::Joining => vec![self.map()],
            ClientQuestion::Definition => vec![self.board.definition()],
            ClientQuestion::Owners => vec![self.position.owners(&self.board)],
            ClientQuestion::Now => vec![self.position.now()],
            ClientQuestion::Results => self.last_results(),
            ClientQuestion::Missing => {
                self.order_book.iter().map(|order_book| order_book.missing(&self.position)).collect()
            }
            ClientQuestion::Time => left.map(Server::time_left).into_iter().collect(),
            ClientQuestion::Summary => self.closing.clone().unwrap_or_default(),
            ClientQuestion::Hello | ClientQuestion::Map => Vec::new(),
        };
        if told.is_empty() { vec![no(tokens)] } else { told }
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
            None => vec![no(tokens)],
        }
    }
}
