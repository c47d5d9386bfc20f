//! Polls: questions of a mechanism to the powers, such as a vote, that are answered with the orders of a movement.

use std::fmt;
use std::sync::Arc;

/// The most polls of a power in one phase; further ones are not asked.
pub const MOST_POLLS: usize = 5;

/// A question to a power, which may pick one of the options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Poll {
    /// The first word of an answer, in capitals: `VOTE`. It is not the first word of any other order.
    pub topic: Arc<str>,
    /// The rest of an answer, in capitals: one option or another. At least one.
    pub options: Vec<Arc<str>>,
}

/// The answer to a poll: `VOTE BUR`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ballot {
    /// The topic of the poll.
    pub topic: Arc<str>,
    /// One of its options.
    pub option: Arc<str>,
}

impl Poll {
    /// The answer that picks this option.
    pub fn ballot(&self, option: &Arc<str>) -> Ballot {
        Ballot { topic: Arc::clone(&self.topic), option: Arc::clone(option) }
    }

    /// The answer in an order that begins with the topic: `Some(None)` if it names none of the options, and `None` if the
    /// order is none to this poll. Capitals do not matter.
    pub(crate) fn answer(&self, order: &str) -> Option<Option<Ballot>> {
        let (word, rest) = order.trim().split_once(char::is_whitespace).unwrap_or((order.trim(), ""));
        let names = |option: &&Arc<str>| option.eq_ignore_ascii_case(rest.trim());
        let option = || self.options.iter().find(names);
        word.eq_ignore_ascii_case(&self.topic).then(|| option().map(|option| self.ballot(option)))
    }
}

impl fmt::Display for Ballot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.topic, self.option)
    }
}
