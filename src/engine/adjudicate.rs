//! Adjudicating positions from outside (docs/adjudicate.md): one JSON text in, one JSON text out.
//!
//! A [`Desk`] answers requests one by one. A request is checked whole before anything is settled; what is wrong with it
//! is told in one line. An order that is not legal is no fault of the request: it counts as a hold and says so.

mod answer;
mod request;
mod settle;
mod setup;
mod waterways;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

pub use answer::{Answer, DislodgedUnit};
pub use request::Request;

use crate::game::Referee;
use crate::rules::notation::PlacementError;
use crate::rules::variant::{Variant, VariantError};
use upheaval_map::topology::{InvalidEvent, SurgeryError};

/// Why a request cannot be answered.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum RequestError {
    #[error("not a request: {0}")]
    Form(#[from] serde_json::Error),
    #[error("`phase`: {0}")]
    Phase(#[from] crate::rules::position::InvalidPhase),
    #[error("`variant`: there is no variant `{name}`; there are {known}")]
    UnknownVariant { name: String, known: String },
    #[error("`variant`: {0}")]
    Variant(#[from] Box<VariantError>),
    #[error("`{field}`: {message}")]
    Power { field: &'static str, message: String },
    #[error("`{field}`: {event}: {reason}")]
    Event { field: &'static str, event: String, reason: Box<EventFault> },
    #[error("`powers.{power}.units`: {reason}")]
    Unit { power: String, reason: Box<PlacementError> },
    #[error("`powers.{power}.units`: `{unit}`: another unit stands there already")]
    Crowded { power: String, unit: String },
    #[error("not a request: a line holds a JSON object")]
    NotAnObject,
    #[error("`powers.{power}.retreats`: {message}")]
    Retreat { power: String, message: String },
    #[error("`{field}`: `{name}` is no province of the board")]
    Province { field: String, name: String },
    #[error("`{field}`: {name} is no supply centre")]
    Centre { field: String, name: String },
    #[error("`state.exempt`: {name} is no home centre of {power} that is still there")]
    NotHome { power: String, name: String },
    #[error("`{field}`: {name} is given to two powers")]
    TwoOwners { field: String, name: String },
    #[error("`phase`: {variant} has no seismic phase then")]
    NoSeismicPhase { variant: String },
    #[error("`powers.{power}`: {variant} has no army/fleets")]
    NoArmyFleets { power: upheaval_map::ids::Power, variant: String },
    #[error("`state.seasons_aboard`: {message}")]
    SeasonsAboard { message: String },
    #[error("`state.waterways`: {message}")]
    Waterways { message: String },
    #[error("`state.swallowed.{power}`: {message}")]
    Swallowed { power: String, message: String },
    #[error("`state.{key}`: {variant} remembers no such thing")]
    State { key: &'static str, variant: String },
}

/// Why an event of the request cannot be.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum EventFault {
    #[error(transparent)]
    Text(#[from] InvalidEvent),
    #[error(transparent)]
    Surgery(#[from] SurgeryError),
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
}

/// Answers requests; keeps the variants it has loaded and the tables that settling needs.
///
/// ```
/// use upheaval_engine::adjudicate::Desk;
/// let request = r#"{"id": 1, "phase": "S1901M", "powers": {"FRANCE": {"units": ["A PAR"]}},
///     "orders": {"FRANCE": ["A PAR - BUR"]}}"#;
/// let answer = Desk::new().answer(request)?;
/// assert_eq!(answer.units_after[&upheaval_engine::ids::Power::France], ["A BUR"]);
/// # Ok::<(), upheaval_engine::adjudicate::RequestError>(())
/// ```
#[derive(Default)]
pub struct Desk {
    variants: BTreeMap<String, Arc<Variant>>,
    referee: Referee,
}

impl Desk {
    /// A desk that has loaded nothing yet.
    pub fn new() -> Desk {
        Desk::default()
    }

    /// Answers one request given as JSON text.
    ///
    /// # Errors
    /// What is wrong with the request. Nothing is settled then.
    pub fn answer(&mut self, text: &str) -> Result<Answer, RequestError> {
        let request: Request =
            serde_json::from_str(text).map_err(|error| match serde_json::from_str::<Value>(text) {
                Ok(value) if !value.is_object() => RequestError::NotAnObject,
                _ => RequestError::Form(error),
            })?;
        let variant = self.variant(&request)?;
        settle::settle(&request, variant, &mut self.referee)
    }

    /// The variant with the request's rulebook.
    fn variant(&mut self, request: &Request) -> Result<Arc<Variant>, RequestError> {
        let name = request.variant.as_str();
        let variant = match self.variants.get(name) {
            Some(variant) => Arc::clone(variant),
            None => {
                let found = Variant::find(name, Path::new("")).map_err(Box::new)?.ok_or_else(|| {
                    RequestError::UnknownVariant {
                        name: name.to_owned(),
                        known: Variant::shipped().collect::<Vec<_>>().join(", "),
                    }
                })?;
                let found = Arc::new(found);
                self.variants.insert(name.to_owned(), Arc::clone(&found));
                found
            }
        };
        Ok(match request.rulebook {
            Some(rulebook) => {
                let rulebook = rulebook.with_units_of(&variant.rulebook);
                if rulebook == variant.rulebook {
                    return Ok(variant);
                }
                Arc::new(Variant { rulebook, ..Variant::clone(&variant) })
            }
            None => variant,
        })
    }
}

/// The `id` of a text that may be no request, so that an error can name it.
pub fn id_of(text: &str) -> Option<Value> {
    serde_json::from_str::<Value>(text).ok()?.get("id").cloned()
}
