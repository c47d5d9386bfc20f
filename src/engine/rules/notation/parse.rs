//! Parses text into a [`WrittenOrder`]. Case and amount of white space do not matter; everything else must be
//! exact, and errors quote the offending word together with a correction.

use std::str::SplitWhitespace;

use crate::diagnostic::short;
use crate::rules::gazetteer::Gazetteer;
use crate::rules::notation::{WrittenList, WrittenOrder, WrittenPlace, WrittenUnit};
use crate::rules::order::Route;
use upheaval_map::ids::{CoastId, Designation, Location, ProvinceId, UnitKind};
use upheaval_map::topology::Board;

/// Why a text is not an order on any board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseOrderError {
    /// The text has no words.
    #[error("the line is empty; expected an order such as `A PAR H`")]
    Empty,
    /// The text ends too early: the expected continuation.
    #[error("the order ends early; expected {0}")]
    EndsEarly(&'static str),
    /// This word is not a unit where one is required.
    #[error(
        "`{0}` is not a unit; a unit is A for an army, F for a fleet or A/F for an army aboard a fleet, then its \
         province: `A PAR`"
    )]
    NotAUnit(String),
    /// There is no such order.
    #[error(
        "`{0}` is not an order; expected H, - (move), S (support), C (convoy), E (embark), D (disembark, followed by a \
         province), T (become a fleet), R (retreat), D (disband), B (build) or COAST"
    )]
    NotAnAction(String),
    /// Only one word fits, and a different one was found.
    #[error("expected {expected}, found `{word}`")]
    Unexpected {
        /// The word in its place.
        word: String,
        /// The expected word.
        expected: &'static str,
    },
    /// There is no such province on this board, or it no longer exists.
    #[error("`{0}` is not a province on the board")]
    UnknownProvince(String),
    /// The province has several coasts, but not this one.
    #[error("`{word}` is not a coast of {province}; it has {coasts}")]
    UnknownCoast {
        /// The coast as written.
        word: String,
        /// The province's code.
        province: String,
        /// The existing coasts: `SPA/NC and SPA/SC`.
        coasts: String,
    },
    /// The province does not have several coasts.
    #[error("{province} does not have several coasts; write `{province}` without `/{word}`")]
    NoCoasts {
        /// The coast as written.
        word: String,
        /// The province's code.
        province: String,
    },
    /// `#0`, `#x`: the text after the `#`.
    #[error("`#{0}` is not the number of a unit; the second of several equal units is `A MUN#2`")]
    BadOrdinal(String),
    /// This word follows the complete order.
    #[error("the order is complete, but is followed by `{0}`")]
    TooLong(String),
}

/// A word for an error message, shortened to fit on a line.
fn quote(word: &str) -> String {
    short(word, 24)
}

impl WrittenOrder {
    /// Reads an order in the notation of docs/adjudicate.md.
    pub fn parse(text: &str, names: &Gazetteer) -> Result<Self, ParseOrderError> {
        let text = text.to_ascii_uppercase();
        let mut words = Words { words: text.split_whitespace(), names };
        let order = words.order()?;
        words.end(order)
    }
}

impl WrittenList {
    /// Reads a list of places to retreat to: `A PAR R PIC BRE`.
    ///
    /// # Errors
    /// The text is not a list of retreats on any board.
    pub fn parse(text: &str, names: &Gazetteer) -> Result<Self, ParseOrderError> {
        let text = text.to_ascii_uppercase();
        let mut words = Words { words: text.split_whitespace(), names };
        let unit = words.next_unit("a unit, such as `A PAR`")?;
        let expected = "`R` and the places to retreat to";
        match words.next(expected)? {
            "R" => {}
            word => return Err(ParseOrderError::Unexpected { word: quote(word), expected }),
        }
        let mut places = vec![words.destination()?];
        while let Some(word) = words.words.next() {
            places.push(words.place(word)?);
        }
        Ok(WrittenList { unit, places })
    }
}

impl WrittenUnit {
    /// Reads a unit alone: `A PAR`, `F STP/SC`, `A MUN#2`.
    pub fn parse(text: &str, names: &Gazetteer) -> Result<Self, ParseOrderError> {
        let text = text.to_ascii_uppercase();
        let mut words = Words { words: text.split_whitespace(), names };
        let unit = words.next_unit("a unit, such as `A PAR`")?;
        words.end(unit)
    }
}

struct Words<'a> {
    words: SplitWhitespace<'a>,
    names: &'a Gazetteer,
}

impl<'a> Words<'a> {
    fn next(&mut self, expected: &'static str) -> Result<&'a str, ParseOrderError> {
        self.words.next().ok_or(ParseOrderError::EndsEarly(expected))
    }

    /// What was read, if no word follows.
    fn end<T>(mut self, read: T) -> Result<T, ParseOrderError> {
        self.words.next().map_or(Ok(read), |word| Err(ParseOrderError::TooLong(quote(word))))
    }

    fn order(&mut self) -> Result<WrittenOrder, ParseOrderError> {
        let first = self.words.next().ok_or(ParseOrderError::Empty)?;
        match first {
            "WAIVE" => return Ok(WrittenOrder::Waive),
            "ANNOUNCE" => return Ok(WrittenOrder::Announce),
            "EXEMPT" => {
                let word = self.next("the supply centre that is to be exempt")?;
                return Ok(WrittenOrder::Exempt { centre: self.province(word)? });
            }
            _ => {}
        }
        let unit = self.unit(first)?;
        let action = self.next("what the unit is to do")?;
        Ok(match action {
            "H" => WrittenOrder::Hold { unit },
            "-" => {
                let to = self.destination()?;
                let route = match self.words.clone().next() {
                    Some("VIA") => {
                        self.words.next();
                        Route::Convoy
                    }
                    _ => Route::Direct,
                };
                WrittenOrder::Move { unit, to, route }
            }
            "S" => self.support(unit)?,
            "C" => {
                let army = self.next_unit("the army to convoy")?;
                let expected = "`-` and the army's destination";
                match self.next(expected)? {
                    "-" => WrittenOrder::Convoy { unit, army, to: self.destination()? },
                    word => return Err(ParseOrderError::Unexpected { word: quote(word), expected }),
                }
            }
            "R" => WrittenOrder::Retreat { unit, to: self.destination()? },
            "E" => WrittenOrder::Embark { unit, fleet: self.next_unit("the fleet to board")? },
            "T" => {
                let expected = "`F`, the new type of the army";
                let word = self.next(expected)?;
                let coast = match word.split_once('/') {
                    Some(("F", coast)) => Some(self.coast(unit.place.province, coast)?),
                    None if word == "F" => None,
                    _ => return Err(ParseOrderError::Unexpected { word: quote(word), expected }),
                };
                WrittenOrder::Transform { unit, coast }
            }
            "D" if self.words.clone().next().is_some() => {
                WrittenOrder::Disembark { unit, to: self.destination()? }
            }
            "D" => WrittenOrder::Disband { unit },
            "B" => WrittenOrder::Build { unit },
            "COAST" => {
                let word = self.next("a coast")?;
                WrittenOrder::ChooseCoast { unit, coast: self.coast(unit.place.province, word)? }
            }
            word => return Err(ParseOrderError::NotAnAction(quote(word))),
        })
    }

    fn support(&mut self, unit: WrittenUnit) -> Result<WrittenOrder, ParseOrderError> {
        let supported = self.next_unit("the unit to support")?;
        match self.words.next() {
            None | Some("H") => Ok(WrittenOrder::SupportHold { unit, supported }),
            Some("-") => Ok(WrittenOrder::SupportMove { unit, supported, to: self.destination()? }),
            Some("D") => Ok(WrittenOrder::SupportLanding { unit, supported, to: self.destination()? }),
            Some(word) => {
                let expected = "`-` and a destination, or nothing for a unit that holds";
                Err(ParseOrderError::Unexpected { word: quote(word), expected })
            }
        }
    }

    fn next_unit(&mut self, expected: &'static str) -> Result<WrittenUnit, ParseOrderError> {
        let kind = self.next(expected)?;
        self.unit(kind)
    }

    /// A unit whose first word has been read.
    fn unit(&mut self, kind: &str) -> Result<WrittenUnit, ParseOrderError> {
        let known = Designation::ALL.into_iter().find(|known| known.name() == kind);
        let kind = known.ok_or_else(|| ParseOrderError::NotAUnit(quote(kind)))?;
        let word = self.next("the unit's province")?;
        let (word, ordinal) = match word.split_once('#') {
            None => (word, 1),
            Some((word, ordinal)) => {
                let bad = || ParseOrderError::BadOrdinal(quote(ordinal));
                (word, ordinal.parse().ok().filter(|&n| n > 0).ok_or_else(bad)?)
            }
        };
        Ok(WrittenUnit { kind, place: self.place(word)?, ordinal })
    }

    fn destination(&mut self) -> Result<WrittenPlace, ParseOrderError> {
        let word = self.next("a destination")?;
        self.place(word)
    }

    fn place(&self, word: &str) -> Result<WrittenPlace, ParseOrderError> {
        let Some((code, coast)) = word.split_once('/') else {
            return Ok(WrittenPlace { province: self.province(word)?, coast: None });
        };
        let province = self.province(code)?;
        Ok(WrittenPlace { province, coast: Some(self.coast(province, coast)?) })
    }

    fn province(&self, word: &str) -> Result<ProvinceId, ParseOrderError> {
        self.names.find(word).ok_or_else(|| ParseOrderError::UnknownProvince(quote(word)))
    }

    fn coast(&self, province: ProvinceId, name: &str) -> Result<CoastId, ParseOrderError> {
        self.names.find_coast(province, name).ok_or_else(|| {
            let (word, code) = (quote(name), self.names.province(province).to_owned());
            let coasts: Vec<String> =
                self.names.coasts(province).iter().map(|coast| format!("{code}/{coast}")).collect();
            if coasts.is_empty() {
                ParseOrderError::NoCoasts { word, province: code }
            } else {
                ParseOrderError::UnknownCoast { word, province: code, coasts: coasts.join(" and ") }
            }
        })
    }
}

// Units as positions name them: `A PAR`, `F STP/SC`, with their place checked against the board.

/// Why a unit cannot be in the place that a text names.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlacementError {
    /// The text is not a unit.
    #[error(transparent)]
    Parse(#[from] ParseOrderError),
    /// No unit can be in that province.
    #[error("`{0}`: no unit can be there")]
    Impassable(String),
    /// The province is a hole: the text, and the province.
    #[error("`{0}`: {1} is a hole, and no unit can be there")]
    Hole(String, String),
    /// An army at sea.
    #[error("`{0}`: an army cannot be at sea")]
    ArmyAtSea(String),
    /// A fleet in a province without a coast.
    #[error("`{0}`: the province has no coast for a fleet")]
    NoCoast(String),
    /// An army/fleet in a coastal province.
    #[error("`{0}`: an army/fleet can only be at sea")]
    LadenAshore(String),
    /// The coast is missing.
    #[error("`{unit}`: the coast is missing; write {coasts}")]
    WhichCoast {
        /// The text.
        unit: String,
        /// The existing coasts.
        coasts: String,
    },
}

/// Reads a unit and checks that it can be in the named place.
pub fn parse_unit(
    text: &str,
    names: &Gazetteer,
    board: &Board,
) -> Result<(Designation, Location), PlacementError> {
    let unit = WrittenUnit::parse(text, names)?;
    let at = unit.placed(text, names, board)?;
    if unit.kind.kind() == UnitKind::Fleet && board.coasts(at.province) == 0 {
        return Err(PlacementError::NoCoast(text.to_owned()));
    }
    Ok((unit.kind, at))
}

impl WrittenUnit {
    /// The exact place of the unit, including the coast. A fleet in a land province without a coast is
    /// trapped there (docs/adjudicate.md), which is allowed here.
    pub fn placed(&self, text: &str, names: &Gazetteer, board: &Board) -> Result<Location, PlacementError> {
        let WrittenPlace { province, coast } = self.place;
        if !board.passable().contains(province) {
            return Err(PlacementError::Impassable(text.to_owned()));
        }
        if self.kind == Designation::ArmyFleet && !board.sea().contains(province) {
            return Err(PlacementError::LadenAshore(text.to_owned()));
        }
        if self.kind == Designation::Army {
            if !board.land().contains(province) {
                return Err(PlacementError::ArmyAtSea(text.to_owned()));
            }
            return Ok(province.into());
        }
        match (coast, board.coasts(province)) {
            (Some(coast), _) => Ok(Location { province, coast }),
            (None, 0 | 1) => Ok(Location { province, coast: CoastId::FIRST }),
            (None, _) => {
                let coasts =
                    names.coasts(province).iter().map(|c| format!("{}/{c}", names.province(province)));
                let coasts = coasts.collect::<Vec<_>>().join(" or ");
                Err(PlacementError::WhichCoast { unit: text.to_owned(), coasts })
            }
        }
    }
}
