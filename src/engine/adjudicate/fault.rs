//! The possible faults of a request.

use super::limits::{DEEPEST, LONGEST_REQUEST};
use upheaval_map::topology::{InvalidEvent, SurgeryError};

use crate::diagnostic::wording;
use crate::rules::notation::{ParseSeismicError, PlacementError, SeismicFault};
use crate::rules::variant::VariantError;

/// Why a request cannot be answered.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum RequestError {
    #[error("not a request: {}", wording::of_json_at(.0))]
    Form(#[from] serde_json::Error),
    #[error("not a request: a line holds a JSON object")]
    NotAnObject,
    #[error("not a request: longer than {LONGEST_REQUEST} bytes")]
    TooLong,
    #[error("not a request: nested deeper than {DEEPEST}")]
    TooDeep,
    #[error("`{field}`: {found} entries; there are {most} at most")]
    TooMany { field: String, found: usize, most: usize },
    #[error("`phase`: {0}")]
    Phase(#[from] crate::rules::position::InvalidPhase),
    #[error("`phase`: {phase}: movements and retreats are in Spring and Fall, adjustments in Winter")]
    NoSuchPhase { phase: String },
    #[error("`phase`: {variant} has no seismic phase then")]
    NoSeismicPhase { variant: String },
    #[error("`last_year`: {0}")]
    LastYear(String),
    #[error("`variant`: there is no variant `{name}`; there are {known}")]
    UnknownVariant { name: String, known: String },
    #[error("`variant`: {0}")]
    Variant(#[from] Box<VariantError>),
    #[error("`rulebook`: {0}")]
    Rulebook(String),
    #[error("`parameters.{key}`: {message}")]
    Parameter { key: String, message: String },
    #[error("`{field}`: {message}")]
    Power { field: &'static str, message: String },
    #[error("`{field}`: {event}: {reason}")]
    Event { field: &'static str, event: String, reason: Box<EventFault> },
    #[error("`powers.{power}.units`: {reason}")]
    Unit { power: String, reason: Box<PlacementError> },
    #[error("`powers.{power}.units`: `{unit}`: another unit is there already")]
    Crowded { power: String, unit: String },
    #[error("`powers.{power}.retreats`: {message}")]
    Retreat { power: String, message: String },
    #[error("`{field}`: `{name}` is not a province of the board")]
    Province { field: String, name: String },
    #[error("`{field}`: {name} is not a supply centre")]
    Centre { field: String, name: String },
    #[error("`state.{key}`: {name} is not an existing home centre of {power}")]
    NotHome { key: &'static str, power: String, name: String },
    #[error("`{field}`: {name} is given to two powers")]
    TwoOwners { field: String, name: String },
    #[error("`powers.{power}`: {variant} has no army/fleets")]
    NoArmyFleets { power: String, variant: String },
    #[error("`state.seasons_aboard`: {message}")]
    SeasonsAboard { message: String },
    #[error("`state.waterways`: {message}")]
    Waterways { message: String },
    #[error("`state.swallowed.{power}`: {message}")]
    Swallowed { power: String, message: String },
    #[error("`state.{key}`: {variant} remembers no such thing")]
    State { key: &'static str, variant: String },
    #[error("`state.{key}`: {power} has no exempt centre in `state.exempt`")]
    NothingExempt { key: &'static str, power: String },
    #[error("`state.lapsed`: {power} has an exempt centre in `state.exempt`")]
    ExemptAndLapsed { power: String },
    #[error("`state.changed` and `state.may_change`: {power} may change its exempt centre once")]
    ChangedAndMayChange { power: String },
    #[error("`state.doomed`: {name}: {reason}")]
    Doomed { name: String, reason: Box<EventFault> },
    #[error(
        "`state.doomed`: holes are announced with a movement and open after the retreats of that season: none in {phase}"
    )]
    NothingDoomed { phase: String },
    #[error("a game that goes on {0}")]
    Resumed(&'static str),
}

/// Why an event of the request is impossible.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum EventFault {
    #[error(transparent)]
    Text(#[from] InvalidEvent),
    #[error(transparent)]
    Surgery(#[from] SurgeryError),
    #[error(transparent)]
    SeismicText(#[from] ParseSeismicError),
    #[error(transparent)]
    Seismic(#[from] SeismicFault),
    #[error("what happens at once is either all seismic or none of it")]
    Mixed,
    #[error("{0} powers can order an event each, and no more events happen at once")]
    TooManyAtOnce(usize),
    #[error("a list of what happened at once holds at least one event")]
    Empty,
    #[error("the variant draws no such event in this phase")]
    NotDrawn,
    #[error(
        "it cannot be drawn there: exempt, a hole already, named before, or not of the faces that are drawn"
    )]
    NotEligible,
    #[error("as many come back as holes open: give the season's holes before what comes back")]
    NoHoleBefore,
    #[error("only {0} can be drawn in a season")]
    TooMany(usize),
    #[error(
        "no unit was to stay there: no province with a unit was split so, or the unit cannot stand there"
    )]
    NothingStays,
    #[error("no centre is drawn for that power now: it has one, it names one, or the variant draws none")]
    NoneToExempt,
}
