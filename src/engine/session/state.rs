//! The state of a game as text: out of a session, and into a new one.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Session, SessionError};
use crate::adjudicate::{self, AdjudicationService, Chance, Happenings, Id, Request, Seed};
use crate::game::{Referee, Stage};
use crate::rules::variant::Variant;
use upheaval_map::ids::ByPower;

impl Session {
    /// The current state of the game in the form of a request to [`crate::adjudicate`], without orders
    /// (docs/adjudicate.md): with the rules, which it names, all that the rest of the game depends on. The secrets of
    /// all powers are in it, and the seed, which foretells the random events. `None` while the game waits for choices
    /// of coasts, and when it is over.
    ///
    /// ```
    /// # use upheaval_engine::prelude::*;
    /// let mut game = Session::new("black-hole", 7)?;
    /// game.advance();
    /// let state = serde_json::to_string(&game.state().expect("it waits for orders"))?;
    /// let mut branch = Session::resume(&state)?;
    /// branch.order(Power::FRANCE, "A PAR - BUR")?;
    /// assert_eq!(branch.advance().map_changes, game.advance().map_changes);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn state(&self) -> Option<Request> {
        if matches!(self.stage(), Stage::Coasts | Stage::Over) {
            return None;
        }
        let nature = Chance::Seeded(Seed { seed: self.seed(), block: self.block() });
        let mut state = Request::of(&self.game, self.happenings.all.clone(), nature);
        if let Some(start) = &self.start {
            (state.variant, state.parameters) = (start.variant.clone(), start.parameters.clone());
        }
        Some(state)
    }

    /// A game that goes on from a state: a request to [`crate::adjudicate`] whose `nature` is a seed, such as the `next`
    /// part of an answer or the [state](Session::state) of another session. Its orders are ignored. Its variant is found
    /// as there, so that a variant file must be in the working folder or below it.
    ///
    /// # Errors
    /// The text is not such a request, has a rulebook of its own, or there is no such variant.
    pub fn resume(state: &str) -> Result<Session, SessionError> {
        let (state, variant) = AdjudicationService::new().read(state)?;
        Session::from_state(state, variant)
    }

    /// The same by the rules of a given variant, in place of the `variant` and `parameters` of the state: for rules that
    /// these do not give, because they were made in code or from a text.
    ///
    /// # Errors
    /// As for [`Session::resume`].
    pub fn resume_with(state: &str, variant: Arc<Variant>) -> Result<Session, SessionError> {
        let state = adjudicate::parse(state)?;
        let (id, parameters) = (variant.id.clone(), BTreeMap::new());
        Session::from_state(Request { variant: id, parameters, ..state }, variant)
    }

    /// The state from which the game was [resumed](Session::resume), if it was.
    pub fn start(&self) -> Option<&Request> {
        self.start.as_deref()
    }

    /// A game that starts in this state.
    pub(super) fn from_state(state: Request, variant: Arc<Variant>) -> Result<Session, SessionError> {
        let (game, nature) = state.resume(variant)?;
        let start = Request { id: Id::default(), orders: None, ..state };
        Ok(Session {
            orders: ByPower::new(game.powers()),
            game,
            referee: Referee::new(),
            nature,
            happenings: Happenings::after(&start.map_events),
            start: Some(Box::new(start)),
            past: Some(Vec::new()),
        })
    }
}
