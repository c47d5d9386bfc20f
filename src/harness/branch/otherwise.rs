//! The change of a branch, and its text: `collapse BUR`.

use std::str::FromStr;

use upheaval_engine::bot::BotMaker;
use upheaval_engine::rules::notation::WrittenSeismic;
use upheaval_map::ids::{Power, PowerNames};

use crate::sim::amended::Change;
pub use crate::sim::amended::DrawWord;

/// The change from the moment of the fork on.
#[derive(Clone, Debug)]
pub enum Otherwise {
    /// Nature draws something else, or nothing.
    Draw {
        /// The purpose of the draw.
        draw: DrawWord,
        /// The result of the draw.
        change: Change,
    },
    /// In the seismic phase of the season only this quake happens, given as the text of an order, or none.
    Quake(Option<String>),
    /// A power gives other orders in one phase, as texts. In a movement or a retreat phase its other orders stay the
    /// same; in a Winter these are all its builds and removals.
    Orders {
        /// The power.
        power: Power,
        /// The orders.
        orders: Vec<String>,
    },
    /// Another bot plays a power from then on.
    Seat(Replacement),
}

/// A bot that takes a seat.
#[derive(Clone, Debug)]
pub struct Replacement {
    /// The power.
    pub power: Power,
    /// The bot's name.
    pub name: String,
    /// Makes the bot.
    pub maker: BotMaker,
}

impl DrawWord {
    /// All draws.
    pub const ALL: [DrawWord; 3] = [DrawWord::Hole, DrawWord::Restore, DrawWord::Split];

    /// Its name: `hole`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            DrawWord::Hole => "hole",
            DrawWord::Restore => "restore",
            DrawWord::Split => "split",
        }
    }

    /// What happens to the drawn faces: `become holes`.
    pub(crate) const fn deed(self) -> &'static str {
        match self {
            DrawWord::Hole => "become holes",
            DrawWord::Restore => "come back",
            DrawWord::Split => "be split",
        }
    }

    /// What happens to one drawn face: `become a hole`.
    pub(crate) const fn deed_of_one(self) -> &'static str {
        match self {
            DrawWord::Hole => "become a hole",
            DrawWord::Restore => "come back",
            DrawWord::Split => "be split",
        }
    }
}

/// What happens to the map in a season, in a word: by a draw of nature, or by seismic orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventWord {
    /// Nature draws faces.
    Draw(DrawWord),
    /// Borders open or close by seismic orders.
    Quake,
}

impl EventWord {
    /// Its name: `hole`.
    pub const fn name(self) -> &'static str {
        match self {
            EventWord::Draw(draw) => draw.name(),
            EventWord::Quake => "quake",
        }
    }

    /// Words that follow *no* and *one*, for no such event or exactly one: `province is drawn to become holes`.
    pub const fn deed(self) -> &'static str {
        match self {
            EventWord::Draw(DrawWord::Hole) => "province is drawn to become a hole",
            EventWord::Draw(DrawWord::Restore) => "hole is drawn to come back",
            EventWord::Draw(DrawWord::Split) => "province is drawn to be split",
            EventWord::Quake => "quake happens",
        }
    }
}

impl FromStr for EventWord {
    type Err = InvalidEventWord;

    fn from_str(text: &str) -> Result<EventWord, InvalidEventWord> {
        match text {
            "quake" => Ok(EventWord::Quake),
            _ => text.parse().map(EventWord::Draw).map_err(|_| InvalidEventWord(text.to_owned())),
        }
    }
}

/// A word that is not an event of the map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` does not name an event: write hole, restore, split or quake")]
pub struct InvalidEventWord(pub String);

/// A text that does not describe a change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a change: write one of hole, collapse, void, toggle, restore, split, and a province, as in \
     `collapse BUR`; or a seismic order, as in `separate POR SPA connect MAO MAO`"
)]
pub struct InvalidOtherwise(pub String);

impl FromStr for DrawWord {
    type Err = InvalidOtherwise;

    fn from_str(text: &str) -> Result<DrawWord, InvalidOtherwise> {
        match text {
            "hole" | "collapse" | "void" | "toggle" => Ok(DrawWord::Hole),
            "restore" => Ok(DrawWord::Restore),
            "split" => Ok(DrawWord::Split),
            _ => Err(InvalidOtherwise(text.to_owned())),
        }
    }
}

impl Otherwise {
    /// No event of this kind.
    pub const fn without(event: EventWord) -> Otherwise {
        match event {
            EventWord::Draw(draw) => Otherwise::Draw { draw, change: Change::Without },
            EventWord::Quake => Otherwise::Quake(None),
        }
    }

    /// A draw in place of another, from its text: `collapse BUR`; or a quake in place of all quakes, from the text of
    /// its order.
    ///
    /// # Errors
    /// It does not have this form.
    pub fn instead(text: &str) -> Result<Otherwise, InvalidOtherwise> {
        if WrittenSeismic::parse(text).is_ok() {
            return Ok(Otherwise::Quake(Some(text.trim().to_uppercase())));
        }
        let mut words = text.split_whitespace();
        let (Some(word), Some(province), None) = (words.next(), words.next(), words.next()) else {
            return Err(InvalidOtherwise(text.to_owned()));
        };
        let draw = word.parse().map_err(|_| InvalidOtherwise(text.to_owned()))?;
        Ok(Otherwise::Draw { draw, change: Change::Instead(province.to_uppercase()) })
    }

    /// The change, in words, in a game of these powers.
    pub fn words(&self, powers: &PowerNames) -> String {
        match self {
            Otherwise::Draw { draw, change: Change::Instead(province) } => {
                format!("{province} is drawn to {}", draw.deed_of_one())
            }
            Otherwise::Draw { draw, change: Change::Only(province) } => {
                format!("only {province} is drawn to {}", draw.deed_of_one())
            }
            Otherwise::Draw { draw, change: Change::Without } => {
                format!("nothing is drawn to {}", draw.deed())
            }
            Otherwise::Draw { change: Change::Nothing, .. } => "nothing changes".to_owned(),
            Otherwise::Quake(Some(quake)) => format!("{quake} is the only quake"),
            Otherwise::Quake(None) => "no quake happens".to_owned(),
            Otherwise::Orders { power, orders } => {
                format!("{} orders {}", powers.name(*power), orders.join(", "))
            }
            Otherwise::Seat(Replacement { power, name, .. }) => {
                format!("`{name}` plays {} from then on", powers.name(*power))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_written_as_a_word_and_a_province() {
        for (text, words) in [
            ("collapse BUR", "BUR is drawn to become a hole"),
            ("void  nth", "NTH is drawn to become a hole"),
            ("restore MUN", "MUN is drawn to come back"),
            ("split BUR.1", "BUR.1 is drawn to be split"),
            ("separate POR SPA connect MAO MAO", "SEPARATE POR SPA CONNECT MAO MAO is the only quake"),
        ] {
            assert_eq!(Otherwise::instead(text).unwrap().words(&PowerNames::standard()), words, "{text}");
        }
        for text in ["", "collapse", "burn BUR", "collapse BUR MUN"] {
            assert_eq!(Otherwise::instead(text).unwrap_err(), InvalidOtherwise(text.to_owned()));
        }
    }
}
