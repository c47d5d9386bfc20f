//! Names of coasts: `NC`, `EC`, `SC`, `WC`, and `NC2` where two would have the same name.

use std::fmt;
use std::str::FromStr;

/// A quarter of the compass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Quarter {
    /// East: bearings from 45° up to 135°.
    East,
    /// North: from 315° over 0° up to 45°.
    North,
    /// South: from 135° up to 225°.
    South,
    /// West: from 225° up to 315°.
    West,
}

/// The name of a coast. The order is that of the text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct CoastName {
    /// The direction in which the coast lies.
    pub quarter: Quarter,
    /// 1 for the first coast in this direction of its province; its name has no number.
    pub ordinal: u8,
}

impl fmt::Display for CoastName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.quarter {
            Quarter::East => "EC",
            Quarter::North => "NC",
            Quarter::South => "SC",
            Quarter::West => "WC",
        })?;
        if self.ordinal > 1 { write!(f, "{}", self.ordinal) } else { Ok(()) }
    }
}

/// A text that is not a coast.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a coast; coasts are NC, EC, SC and WC, with a number behind where there are several")]
pub struct InvalidCoast(pub String);

impl FromStr for CoastName {
    type Err = InvalidCoast;
    fn from_str(s: &str) -> Result<Self, InvalidCoast> {
        let invalid = || InvalidCoast(s.to_owned());
        let (quarter, rest) = s.split_at_checked(2).ok_or_else(invalid)?;
        let quarter = match quarter {
            "EC" => Quarter::East,
            "NC" => Quarter::North,
            "SC" => Quarter::South,
            "WC" => Quarter::West,
            _ => return Err(invalid()),
        };
        let ordinal = match rest {
            "" => 1,
            digits => digits.parse().ok().filter(|&n| n > 1).ok_or_else(invalid)?,
        };
        Ok(CoastName { quarter, ordinal })
    }
}
