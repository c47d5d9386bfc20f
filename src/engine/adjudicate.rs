//! Adjudicating positions from outside (docs/adjudicate.md): one JSON text in, one JSON text out.
//!
//! An [`AdjudicationService`] answers requests one by one. A request is validated completely before anything
//! is settled; a fault is reported in one line. An illegal order is not a fault of the request: it counts as
//! a hold and is reported as such.
//!
//! ```text
//!   request ─▶ parameters ─▶ Variant ─▶ setup: ground, retreats, memory, nature ─▶ a Game before its phase
//!                                                                                        │ settle
//!   next request, without orders ◀───────────────────────── next ◀──────────────── the Game after it
//! ```
//!
//! A service keeps no state of a game: the `next` part of the answer contains all of it, and is itself a
//! request once it has orders.

mod answer;
mod fault;
mod ground;
mod json;
mod limits;
mod lookup;
mod memory;
mod nature;
mod next;
mod parameters;
mod request;
mod retreats;
mod settle;
mod setup;
mod waterways;

pub(crate) use ground::Happenings;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::IgnoredAny;

pub use answer::{Answer, DislodgedUnit, EndingReport, FleetChoice, StateAfter};
pub use fault::{EventFault, RequestError};
pub use json::Id;
pub use limits::{DEEPEST, LONGEST_REQUEST, MOST_ENTRIES, MOST_ORDERS};
pub use request::{
    Chance, Happened, PowerHoldings, Request, RetreatEntry, Seed, State, SwallowedEntry, SwallowedOnCoast,
};

use self::setup::Position;
use crate::diagnostic::{RootFolder, wording};
use crate::game::{Game, Referee};
use crate::rules::nature::Seeded;
use crate::rules::rulebook::Rulebook;
use crate::rules::variant::{Variant, VariantError};

/// The number of variants that a service keeps, each with its parameters and rulebook.
const KEPT: usize = 64;

/// Answers requests; caches the variants it has loaded and the tables that settling needs.
///
/// ```
/// use upheaval_engine::adjudicate::AdjudicationService;
/// let request = r#"{"id": 1, "phase": "S1901M", "powers": {"FRANCE": {"units": ["A PAR"]}},
///     "orders": {"FRANCE": ["A PAR - BUR"]}}"#;
/// let answer = AdjudicationService::new().answer(request)?;
/// assert_eq!(answer.units_after["FRANCE"], ["A BUR"]);
/// assert_eq!(answer.next.expect("the game goes on").phase, "F1901M");
/// # Ok::<(), upheaval_engine::adjudicate::RequestError>(())
/// ```
#[derive(Default)]
pub struct AdjudicationService {
    /// Keyed by the hash of name, parameters and rulebook: a request may write megabytes of them.
    variants: BTreeMap<[u8; 32], Arc<Variant>>,
    referee: Referee,
    /// Where requests may name files.
    root: RootFolder,
}

impl AdjudicationService {
    /// A service that has loaded nothing yet. Requests may name variant files in the working folder or below it.
    pub fn new() -> AdjudicationService {
        AdjudicationService::default()
    }

    /// The same, where requests may name variant files in this folder or below it, and no others.
    pub fn within(folder: impl Into<PathBuf>) -> AdjudicationService {
        AdjudicationService { root: RootFolder::new(folder), ..AdjudicationService::default() }
    }

    /// Answers one request given as JSON text.
    ///
    /// # Errors
    /// The request is invalid. Nothing is settled in that case.
    pub fn answer(&mut self, text: &str) -> Result<Answer, RequestError> {
        let (request, variant) = self.read(text)?;
        let Position { game, nature } = setup::set_up(&request, variant)?;
        let position = Position { game: game.asking_every_winter(), nature };
        settle::settle(&request, position, &mut self.referee)
    }

    /// The game that a request describes, waiting for the phase; the request needs no orders.
    ///
    /// ```
    /// use upheaval_engine::adjudicate::AdjudicationService;
    /// let request = r#"{"id": 1, "phase": "W1901A", "powers": {"FRANCE": {"centers": ["PAR"]}}}"#;
    /// let game = AdjudicationService::new().game(request)?;
    /// assert!(game.has_adjustments(upheaval_engine::ids::Power::FRANCE));
    /// # Ok::<(), upheaval_engine::adjudicate::RequestError>(())
    /// ```
    ///
    /// # Errors
    /// The request is invalid.
    pub fn game(&mut self, text: &str) -> Result<Game, RequestError> {
        let (request, variant) = self.read(text)?;
        Ok(setup::set_up(&request, variant)?.game.asking_every_winter())
    }

    /// A request, with its variant.
    pub(crate) fn read(&mut self, text: &str) -> Result<(Request, Arc<Variant>), RequestError> {
        let request = parse(text)?;
        let variant = self.variant(&request)?;
        Ok((request, variant))
    }

    /// The variant with the request's parameters and rulebook.
    fn variant(&mut self, request: &Request) -> Result<Arc<Variant>, RequestError> {
        let key = serde_json::to_vec(&(&request.variant, &request.parameters, &request.rulebook))?;
        let key = *blake3::hash(&key).as_bytes();
        if let Some(variant) = self.variants.get(&key) {
            return Ok(Arc::clone(variant));
        }
        let variant = Arc::new(load(request, &self.root)?);
        if self.variants.len() >= KEPT {
            self.variants.clear();
        }
        self.variants.insert(key, Arc::clone(&variant));
        Ok(variant)
    }
}

impl Request {
    /// The game that goes on from here by the rules of `variant`, and the source of its draws: `nature` must be a seed.
    /// Orders are ignored.
    ///
    /// # Errors
    /// The request is invalid, or its game cannot go on.
    pub fn resume(&self, variant: Arc<Variant>) -> Result<(Game, Seeded), RequestError> {
        limits::entries(self)?;
        if self.rulebook.is_some() {
            return Err(RequestError::Resumed("follows the rulebook of its variant: leave out `rulebook`"));
        }
        let Chance::Seeded(Seed { seed, block }) = self.nature else {
            return Err(RequestError::Resumed("draws from a seed, as in `\"nature\": {\"seed\": 7}`"));
        };
        Ok((setup::set_up(self, variant)?.game, Seeded { seed, block }))
    }
}

/// A request from its text.
pub(crate) fn parse(text: &str) -> Result<Request, RequestError> {
    limits::text(text)?;
    let request =
        serde_json::from_str(text).map_err(|error| match serde_json::from_str::<IgnoredAny>(text) {
            Ok(_) if !text.trim_start().starts_with('{') => RequestError::NotAnObject,
            _ => RequestError::Form(error),
        })?;
    limits::entries(&request)?;
    Ok(request)
}

fn load(request: &Request, root: &RootFolder) -> Result<Variant, RequestError> {
    let name = request.variant.as_str();
    let known = |found: Result<Option<Variant>, VariantError>| {
        found.map_err(Box::new)?.ok_or_else(|| RequestError::UnknownVariant {
            name: name.to_owned(),
            known: Variant::shipped().collect::<Vec<_>>().join(", "),
        })
    };
    let mut variant = known(Variant::find_within(name, root, &[]))?;
    if !request.parameters.is_empty() {
        let settings = parameters::settings(&request.parameters, &variant)?;
        variant = known(Variant::find_within(name, root, &settings))?;
    }
    if let Some(rulebook) = &request.rulebook {
        let rulebook: Rulebook = serde_json::from_value(rulebook.clone())
            .map_err(|error| RequestError::Rulebook(wording::of_json(&error)))?;
        variant.rulebook = rulebook.with_units_of(&variant.rulebook);
    }
    Ok(variant)
}

/// The `id` of a text that may not be a valid request, so that an error can mention it.
pub fn id_of(text: &str) -> Option<Id> {
    #[derive(Deserialize)]
    struct Named {
        id: Id,
    }
    limits::text(text).ok()?;
    Some(serde_json::from_str::<Named>(text).ok()?.id)
}
