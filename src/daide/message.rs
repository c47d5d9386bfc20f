//! The messages of a client.

use crate::order::{DaideOrder, DaideTurn};
use crate::token::words::{
    ADM, DRW, GOF, HLO, HST, HUH, IAM, MAP, MDF, MIS, NME, NOT, NOW, OBS, ORD, PRN, REJ, SCO, SMR, SUB, TME,
    YES,
};
use crate::token::{BRA, NotUnderstood, Reader, Token, TokenNumber, is_balanced};

/// A message of a client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Said {
    /// It joins the game with its name and version.
    Name(String, String),
    /// It joins as an observer.
    Observe,
    /// It resumes a seat.
    Rejoin,
    /// It accepts this.
    Yes(Vec<Token>),
    /// It rejects this.
    No(Vec<Token>),
    /// It asks for information: `HLO`, `MAP`, `MDF`, `SCO`, `NOW`, `ORD`, `MIS`, `SMR` or `TME`.
    Ask(Token),
    /// It asks for the history of a turn; without one, for the state at the start.
    AskHistory(Option<DaideTurn>),
    /// Orders, for this turn if it names one.
    Orders(Option<DaideTurn>, Vec<DaideOrder>),
    /// It withdraws this order; without one, all orders.
    TakeBack(Option<DaideOrder>),
    /// Its orders may be carried out when they are complete.
    Go,
    /// Its orders must not be carried out yet.
    Wait,
    /// It asks for a reminder when this number of seconds is left.
    Remind(TokenNumber),
    /// It cancels this reminder; without a number, all reminders.
    Forget(Option<TokenNumber>),
    /// It accepts a draw, or no longer does.
    Draw,
    /// A message to the operator of the game.
    Admin,
    /// It did not understand a message, or found its brackets unbalanced.
    Complaint,
}

/// Why a message cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unsaid {
    /// Its brackets do not match, or are nested too deeply.
    Brackets,
    /// It is not understood from this token on.
    Syntax(NotUnderstood),
}

impl From<NotUnderstood> for Unsaid {
    fn from(at: NotUnderstood) -> Unsaid {
        Unsaid::Syntax(at)
    }
}

impl Said {
    /// Reads a message of level 0.
    ///
    /// # Errors
    /// The message is not valid.
    pub(crate) fn read(tokens: &[Token]) -> Result<Said, Unsaid> {
        // Complaints need not have balanced brackets.
        if let [HUH | PRN, ..] = tokens {
            return Ok(Said::Complaint);
        }
        if !is_balanced(tokens) {
            return Err(Unsaid::Brackets);
        }
        let mut reader = Reader::new(tokens);
        let said = read(&mut reader)?;
        reader.end()?;
        Ok(said)
    }
}

fn read(from: &mut Reader<'_>) -> Result<Said, NotUnderstood> {
    let mistake = from.fault();
    Ok(match from.take()? {
        NME => Said::Name(from.text()?, from.text()?),
        OBS => {
            while !from.is_at_end() {
                from.text()?;
            }
            Said::Observe
        }
        IAM => {
            from.whole_group()?;
            from.whole_group()?;
            Said::Rejoin
        }
        YES => Said::Yes(from.whole_group()?.to_vec()),
        REJ => Said::No(from.whole_group()?.to_vec()),
        ADM => {
            from.text()?;
            from.text()?;
            Said::Admin
        }
        question @ (HLO | MAP | MDF | SCO | NOW | ORD | MIS | SMR) => Said::Ask(question),
        TME if from.is_at_end() => Said::Ask(TME),
        TME => Said::Remind(from.group(|within| within.as_one(Token::number))?),
        HST if from.is_at_end() => Said::AskHistory(None),
        HST => Said::AskHistory(Some(from.group(DaideTurn::read)?)),
        GOF => Said::Go,
        DRW => Said::Draw,
        SUB => orders(from)?,
        NOT => from.group(not)?,
        _ => return Err(mistake),
    })
}

fn orders(from: &mut Reader<'_>) -> Result<Said, NotUnderstood> {
    // A turn in brackets begins with its season; an order begins with a bracket or a power.
    let turn = Reader::group(&mut from.clone(), DaideTurn::read).ok();
    if turn.is_some() {
        from.group(DaideTurn::read)?;
    }
    let mut orders = vec![from.group(DaideOrder::read)?];
    while from.peek() == Some(BRA) {
        orders.push(from.group(DaideOrder::read)?);
    }
    Ok(Said::Orders(turn, orders))
}

fn not(from: &mut Reader<'_>) -> Result<Said, NotUnderstood> {
    let mistake = from.fault();
    let is_bare = |from: &Reader<'_>| from.peek() != Some(BRA);
    Ok(match from.take()? {
        GOF => Said::Wait,
        DRW => Said::Draw,
        SUB if is_bare(from) => Said::TakeBack(None),
        SUB => Said::TakeBack(Some(from.group(DaideOrder::read)?)),
        TME if is_bare(from) => Said::Forget(None),
        TME => Said::Forget(Some(from.group(|within| within.as_one(Token::number))?)),
        _ => return Err(mistake),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::tests::order;
    use crate::token::Sentence;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn orders_are_read_as_they_were_written(orders in prop::collection::vec(order(), 1..8)) {
            let said = orders.iter().fold(Sentence::new(SUB), |said, order| order.write(said));
            prop_assert_eq!(Said::read(said.tokens()), Ok(Said::Orders(None, orders)));
        }

        #[test]
        fn any_tokens_say_something_or_not(codes in prop::collection::vec(any::<u16>(), 0..40)) {
            let tokens: Vec<Token> = codes.into_iter().map(Token::from_code).collect();
            let _ = Said::read(&tokens);
        }

        #[test]
        fn any_words_say_something_or_not(
            words in prop::collection::vec(prop_oneof![
                3 => Just(BRA), 3 => Just(crate::token::KET), 1 => Just(SUB), 1 => Just(NOT),
                8 => prop::sample::select(crate::token::words::NAMED.to_vec()).prop_map(|(_, token)| token),
            ], 0..30)
        ) {
            if let Err(Unsaid::Syntax(NotUnderstood(at))) = Said::read(&words) {
                prop_assert!(at <= words.len());
            }
        }
    }
}
