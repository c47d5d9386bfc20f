//! What a record may show to whom while its game goes on.

use super::form::{GameRecord, OrderLine, StageRecord};
use crate::record::EventKind;
use upheaval_engine::rules::told::EventLine;
use upheaval_map::ids::Power;

/// A reader of a game that is being played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reader {
    /// Everybody.
    Public,
    /// The players of a power.
    Power(Power),
    /// The gamemaster, who may know everything.
    Gamemaster,
}

impl Reader {
    /// May the reader know the secrets of this power?
    pub fn may_know(self, power: Power) -> bool {
        self == Reader::Power(power) || self == Reader::Gamemaster
    }
}

impl GameRecord {
    /// The record without what this reader may not know: the seed, which foretells the draws; the events that are a
    /// power's secret; and orders as they were handed in, or that were refused, because they may tell of a secret.
    pub fn seen_by(&self, reader: Reader) -> GameRecord {
        if reader == Reader::Gamemaster {
            return self.clone();
        }
        let own = |power: &str| self.power_names.find(power).is_some_and(|power| reader.may_know(power));
        let mut seen = self.clone();
        (seen.game.seed, seen.start) = (None, None);
        for StageRecord { given, orders, events, .. } in &mut seen.stages {
            // That nothing came is known.
            given.retain(|power, lines| own(power) || lines.is_empty());
            orders.retain(|line: &OrderLine| !line.was_refused() || own(&line.power));
            events.retain(|event| !is_secret(event) || event.power.as_deref().is_some_and(own));
        }
        seen.digest = seen.digest_of_rest();
        seen
    }

    /// Does it tell of a power's secrets? Without them it cannot be played again.
    pub fn has_secrets(&self) -> bool {
        self.stages.iter().flat_map(|stage| &stage.events).any(is_secret)
    }
}

fn is_secret(event: &EventLine) -> bool {
    event.kind().is_none_or(EventKind::is_secret)
}
