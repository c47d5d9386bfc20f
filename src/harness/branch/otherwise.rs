//! What goes otherwise in a branch, and how it is written: `collapse BUR`.

use std::str::FromStr;

use upheaval_engine::bot::BotMaker;
use upheaval_engine::rules::nature::Draw;
use upheaval_map::ids::Power;

use crate::sim::amended::Change;

/// What goes otherwise from the moment of the fork on.
#[derive(Clone, Debug)]
pub enum Otherwise {
    /// Nature draws something else, or nothing.
    Draw {
        /// What it draws for.
        draw: DrawWord,
        /// What it draws.
        change: Change,
    },
    /// A power gives some of its units other orders in a movement phase, as texts; the rest of what it orders stays.
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
    /// What makes it.
    pub maker: BotMaker,
}

/// What nature draws for, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawWord {
    /// Provinces become holes, or come back where the variant's holes toggle.
    Hole,
    /// Holes come back.
    Restore,
    /// Provinces are split.
    Split,
}

impl DrawWord {
    /// All of them.
    pub const ALL: [DrawWord; 3] = [DrawWord::Hole, DrawWord::Restore, DrawWord::Split];

    /// Its name: `hole`.
    pub const fn name(self) -> &'static str {
        match self {
            DrawWord::Hole => "hole",
            DrawWord::Restore => "restore",
            DrawWord::Split => "split",
        }
    }

    /// What the faces are drawn to do: `become holes`.
    pub const fn deed(self) -> &'static str {
        match self {
            DrawWord::Hole => "become holes",
            DrawWord::Restore => "come back",
            DrawWord::Split => "be split",
        }
    }

    /// The draw of nature.
    pub const fn draw(self) -> Draw {
        match self {
            DrawWord::Hole => Draw::Holes,
            DrawWord::Restore => Draw::Restores,
            DrawWord::Split => Draw::Splits,
        }
    }
}

/// A text that says of no draw what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` says not what is drawn: write a word of hole, collapse, void, toggle, restore, split, and a province, as in `collapse BUR`"
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
    /// A draw in place of another, from its text: `collapse BUR`.
    ///
    /// # Errors
    /// It is not of this form.
    pub fn instead(text: &str) -> Result<Otherwise, InvalidOtherwise> {
        let mut words = text.split_whitespace();
        let (Some(word), Some(province), None) = (words.next(), words.next(), words.next()) else {
            return Err(InvalidOtherwise(text.to_owned()));
        };
        let draw = word.parse().map_err(|_| InvalidOtherwise(text.to_owned()))?;
        Ok(Otherwise::Draw { draw, change: Change::Instead(province.to_uppercase()) })
    }

    /// What goes otherwise, in words.
    pub fn words(&self) -> String {
        match self {
            Otherwise::Draw { draw, change: Change::Instead(province) } => {
                format!("{province} is drawn to {}", draw.deed())
            }
            Otherwise::Draw { draw, change: Change::Only(province) } => {
                format!("{province} alone is drawn to {}", draw.deed())
            }
            Otherwise::Draw { draw, change: Change::Without } => {
                format!("nothing is drawn to {}", draw.deed())
            }
            Otherwise::Draw { change: Change::Nothing, .. } => "nothing goes otherwise".to_owned(),
            Otherwise::Orders { power, orders } => format!("{power} orders {}", orders.join(", ")),
            Otherwise::Seat(Replacement { power, name, .. }) => {
                format!("`{name}` plays {power} from then on")
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
            ("collapse BUR", "BUR is drawn to become holes"),
            ("void  nth", "NTH is drawn to become holes"),
            ("restore MUN", "MUN is drawn to come back"),
            ("split BUR.1", "BUR.1 is drawn to be split"),
        ] {
            assert_eq!(Otherwise::instead(text).unwrap().words(), words, "{text}");
        }
        for text in ["", "collapse", "burn BUR", "collapse BUR MUN"] {
            assert_eq!(Otherwise::instead(text).unwrap_err(), InvalidOtherwise(text.to_owned()));
        }
    }
}
