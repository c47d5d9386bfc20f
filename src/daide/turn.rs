//! Turns: the phases of a year in DAIDE.

use crate::sentence::{NotUnderstood, Reader, Sentence};
use crate::token::words::{AUT, FAL, SPR, SUM, WIN};
use crate::token::{Token, TokenNumber};

/// A turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct DaideTurn {
    /// The year.
    pub year: TokenNumber,
    /// The part of it.
    pub season: TurnPart,
}

/// The parts of a year.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum TurnPart {
    /// Spring's movement.
    Spring,
    /// Spring's retreats.
    Summer,
    /// Fall's movement.
    Fall,
    /// Fall's retreats.
    Autumn,
    /// Adjustments.
    Winter,
}

impl TurnPart {
    const ALL: [(TurnPart, Token); 5] = [
        (TurnPart::Spring, SPR),
        (TurnPart::Summer, SUM),
        (TurnPart::Fall, FAL),
        (TurnPart::Autumn, AUT),
        (TurnPart::Winter, WIN),
    ];

    fn token(self) -> Token {
        TurnPart::ALL.iter().find(|(season, _)| *season == self).map_or(SPR, |(_, token)| *token)
    }

    /// Do units move in it?
    pub(crate) fn is_movement(self) -> bool {
        matches!(self, TurnPart::Spring | TurnPart::Fall)
    }
}

impl DaideTurn {
    /// The turn of a phase in the notation of `upheaval`: `S1901M`. Phases other than movement, retreats and
    /// adjustments do not correspond to turns.
    pub(crate) fn of_phase(phase: &str) -> Option<DaideTurn> {
        let (season, rest) = phase.split_at_checked(1)?;
        let (year, kind) = rest.split_at_checked(rest.len().checked_sub(1)?)?;
        let season = match (season, kind) {
            ("S", "M") => TurnPart::Spring,
            ("S", "R") => TurnPart::Summer,
            ("F", "M") => TurnPart::Fall,
            ("F", "R") => TurnPart::Autumn,
            ("W", "A") => TurnPart::Winter,
            _ => return None,
        };
        Some(DaideTurn { year: TokenNumber::new(year.parse().ok()?)?, season })
    }

    /// Reads a turn without brackets: `SPR 1901`.
    ///
    /// # Errors
    /// There is no turn at this position.
    pub(crate) fn read(from: &mut Reader<'_>) -> Result<DaideTurn, NotUnderstood> {
        let is = |token| TurnPart::ALL.iter().find(|(_, word)| *word == token).map(|(season, _)| *season);
        let season = from.as_one(is)?;
        Ok(DaideTurn { season, year: from.as_one(Token::number)? })
    }

    /// Writes the turn in brackets.
    #[must_use]
    pub(crate) fn write(self, to: Sentence) -> Sentence {
        to.group(|within| within.word(self.season.token()).number(self.year))
    }

    /// The next turn in which every power may have something to order, which excludes retreats. `None` after
    /// the last year that has a number.
    pub(crate) fn next(self) -> Option<DaideTurn> {
        let season = match self.season {
            TurnPart::Spring | TurnPart::Summer => TurnPart::Fall,
            TurnPart::Fall | TurnPart::Autumn => TurnPart::Winter,
            TurnPart::Winter => {
                let year = TokenNumber::new(i64::from(self.year.get()) + 1)?;
                return Some(DaideTurn { year, season: TurnPart::Spring });
            }
        };
        Some(DaideTurn { season, ..self })
    }

    /// Do centres change owners between this turn and a later one? They do after Fall's retreats.
    pub(crate) fn owners_change_before(self, later: DaideTurn) -> bool {
        let winter = DaideTurn { year: self.year, season: TurnPart::Winter };
        self < winter && winter <= later
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_are_turns() {
        let turn = |phase| DaideTurn::of_phase(phase).map(|turn| (turn.season, turn.year.get()));
        assert_eq!(turn("S1901M"), Some((TurnPart::Spring, 1901)));
        assert_eq!(turn("F1902R"), Some((TurnPart::Autumn, 1902)));
        assert_eq!(turn("W1903A"), Some((TurnPart::Winter, 1903)));
        for none in ["S1901E", "", "S", "é", "SM", "S99999M", "W1901M", "S19x1M"] {
            assert_eq!(turn(none), None, "{none}");
        }
    }

    #[test]
    fn a_turn_is_read_as_it_was_written() {
        for phase in ["S1901M", "S1R", "F8191M", "F0R", "W1901A"] {
            let turn = DaideTurn::of_phase(phase).unwrap();
            let said = turn.write(Sentence::default());
            assert_eq!(Reader::new(said.tokens()).group(DaideTurn::read), Ok(turn));
        }
    }

    #[test]
    fn after_winter_comes_the_next_spring() {
        let next = |phase| DaideTurn::of_phase(phase).unwrap().next();
        for (phase, after) in
            [("S1901M", "F1901M"), ("F1901M", "W1901A"), ("F1901R", "W1901A"), ("W1901A", "S1902M")]
        {
            assert_eq!(next(phase), DaideTurn::of_phase(after), "{phase}");
        }
        assert_eq!(next("W8191A"), None);
    }

    #[test]
    fn owners_change_between_fall_and_winter() {
        let between =
            |a, b| DaideTurn::of_phase(a).unwrap().owners_change_before(DaideTurn::of_phase(b).unwrap());
        assert!(between("F1901M", "W1901A") && between("F1901R", "S1902M"));
        assert!(!between("F1901M", "F1901R") && !between("S1901M", "F1901M") && !between("W1901A", "S1902M"));
    }
}
