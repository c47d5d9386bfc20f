//! The end of a game.

use super::Server;
use crate::position::DaidePosition;
use crate::sentence::Sentence;
use crate::token::TokenNumber;
use crate::token::words::{DRW, OFF, SLO, SMR};
use crate::told::GameResult;

/// The name and version of unknown players.
const UNKNOWN: &str = "unknown";

/// Tells the client to exit.
pub(super) fn off() -> Sentence {
    Sentence::new(OFF)
}

impl Server {
    /// The ending of the game, and the results of all powers.
    pub(super) fn closing_words(&self, result: &GameResult, now: &DaidePosition) -> Vec<Sentence> {
        let end = match (result.end.as_str(), &result.winners[..]) {
            ("solo", [winner, ..]) => Sentence::new(SLO).group(|s| s.word(self.winner(winner))),
            _ => Sentence::new(DRW),
        };
        vec![end, self.summary(now)]
    }

    fn summary(&self, now: &DaidePosition) -> Sentence {
        let mut said = now.turn.write(Sentence::new(SMR));
        for power in self.board.powers() {
            let (name, version) = match power == self.power {
                true => (self.name.0.as_str(), self.name.1.as_str()),
                false => (UNKNOWN, UNKNOWN),
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
