//! The pages of a saved game, independent of the form of its file: the position before each phase, and the orders given
//! in it.

use serde_json::{Map, Value};

use upheaval_engine::game::Ending;
use upheaval_engine::rules::gazetteer::Gazetteer;
use upheaval_engine::rules::notation::WrittenUnit;
use upheaval_engine::rules::position::Phase;
use upheaval_map::ids::{ByPower, Designation, Power, PowerNames, Powers};

/// The end of a saved game.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Closing {
    /// The last phases that were played.
    pub pages: Vec<Page>,
    /// The final position; `None` where the file does not contain it.
    pub position: Option<Page>,
    /// How the game ended, according to the file.
    pub claim: Claim,
}

/// A phase of a saved game.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Page {
    /// Which phase it is.
    pub at: Moment,
    /// The units on the board before it, without the dislodged ones.
    pub units: ByPower<Vec<String>>,
    /// The units that must retreat.
    pub dislodged: ByPower<Vec<Waiting>>,
    /// The supply centres before it; `None` where the file does not contain them.
    pub centres: Option<ByPower<Vec<String>>>,
    /// The orders given in it.
    pub orders: ByPower<Vec<String>>,
}

/// The moment of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Moment {
    /// Before this phase.
    Before(Phase),
    /// When the game was over.
    End,
}

/// A unit that must retreat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Waiting {
    /// The unit.
    pub unit: String,
    /// The places that it can retreat to, if the file lists them.
    pub options: Option<Vec<String>>,
}

/// The claim of a file about the end of its game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Claim {
    /// It is not over.
    Unfinished,
    /// It is over: won by the power that the board shows, or else drawn by the remaining powers.
    Over,
    /// It was won by the power that the board shows.
    Won,
    /// This is how it ended.
    Ended(Ending),
}

/// Why a game cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ReadFault {
    /// It does not have the form of its file: the whole file is refused.
    Form(String),
    /// It has the form, but cannot be used: it is left out.
    Game(Reason, String),
}

upheaval_map::named! {
    /// Why a game is left out.
    pub enum Reason {
        /// It is on a board that is not the variant's.
        OtherMap = "other-map",
        /// None of its phases was played.
        NotPlayed = "not-played",
        /// It names a power, unit or phase that does not exist on the board.
        Unreadable = "unreadable",
        /// It was won, but the winner is unknown.
        UnknownWinner = "unknown-winner",
        /// It differs from the rules.
        Mismatch = "mismatch",
    }
}

impl ReadFault {
    pub(super) fn unreadable(what: impl Into<String>) -> ReadFault {
        ReadFault::Game(Reason::Unreadable, what.into())
    }

    pub(super) fn not_played() -> ReadFault {
        ReadFault::Game(Reason::NotPlayed, "none of its phases was played".to_owned())
    }
}

impl Page {
    /// A page without units or orders.
    pub(super) fn new(at: Moment, powers: Powers) -> Page {
        Page {
            at,
            units: ByPower::new(powers),
            dislodged: ByPower::new(powers),
            centres: None,
            orders: ByPower::new(powers),
        }
    }

    /// Were no orders given in it?
    pub(super) fn has_no_orders(&self) -> bool {
        self.orders.iter().all(|(_, orders)| orders.is_empty())
    }
}

/// The province of a place or of a unit's place: `STP` of `STP/SC`.
pub(super) fn province(place: &str) -> &str {
    place.split('/').next().unwrap_or(place)
}

/// A unit with the spaces and capitals of our notation, if the text is a unit on the board.
pub(super) fn unit(text: &str, names: &Gazetteer) -> Result<String, ReadFault> {
    match WrittenUnit::parse(text, names) {
        Ok(unit) if unit.kind == Designation::ArmyFleet || unit.ordinal > 1 => {
            Err(ReadFault::unreadable(format!("`{text}` is a unit that does not occur in saved games")))
        }
        Ok(_) => Ok(text.split_whitespace().collect::<Vec<_>>().join(" ").to_ascii_uppercase()),
        Err(error) => Err(ReadFault::unreadable(error.to_string())),
    }
}

/// The province of a unit.
pub(super) fn unit_place(unit: &str) -> &str {
    province(unit.split(' ').nth(1).unwrap_or(unit))
}

/// The power of a name on the board.
pub(super) fn power(name: &str, powers: &PowerNames) -> Result<Power, ReadFault> {
    powers.named(&name.to_ascii_uppercase()).map_err(|error| ReadFault::unreadable(error.to_string()))
}

/// A text of an object.
pub(super) fn text<'a>(object: &'a Map<String, Value>, key: &str, of: &str) -> Result<&'a str, ReadFault> {
    match object.get(key) {
        Some(Value::String(text)) => Ok(text),
        other => Err(should_be(&format!("`{key}` of {of}"), "a text", other.unwrap_or(&Value::Null))),
    }
}

/// The type of a JSON value, for messages.
const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// The fault of a value of the wrong type.
pub(super) fn should_be(what: &str, right: &str, found: &Value) -> ReadFault {
    ReadFault::Form(format!("{what} is {}; it must be {right}", kind(found)))
}
