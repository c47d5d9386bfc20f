//! Rules of a variant that the language of its entries cannot say, in Rust: a type that implements [`Act`], in a
//! [`Custom`] of the variant. `examples/council.rs` is one, in which a vote needs two majorities.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use upheaval_map::ids::Power;

use crate::rules::answers::Declarations;
use crate::rules::game_state::{EventContext, GameState};
use crate::rules::order::Poll;
use crate::rules::position::Phase;

/// What a rule does at the points of a season, after the entries of the variant.
#[allow(unused_variables)]
pub trait Act {
    /// The question to a power that is not eliminated, in the movement phase that the game waits for. The answers are
    /// among the [declarations](Declarations::ballots) of that phase, and are listed with its orders. A power has at
    /// most [`MOST_POLLS`](crate::rules::order::MOST_POLLS).
    fn poll(&self, world: &GameState, at: Phase, power: Power) -> Option<Poll> {
        None
    }

    /// After the orders of a movement phase have been given, before they are settled.
    fn after_orders(&self, world: &mut GameState, scene: &mut EventContext<'_>, declared: &Declarations) {}

    /// At the end of a Spring or Fall, after its retreats, or of a Winter, after its adjustments.
    fn end_season(&self, world: &mut GameState, scene: &mut EventContext<'_>) {}
}

/// A rule with its name and parameters, which are part of an experiment's hash.
#[derive(Clone)]
pub struct Custom {
    /// Its name, and its parameters in JSON.
    pub content: Value,
    act: Arc<dyn Act + Send + Sync>,
}

impl Custom {
    /// The rule with this name.
    ///
    /// # Errors
    /// Its parameters cannot be represented in JSON.
    pub fn new<A>(name: &str, rule: A) -> Result<Custom, serde_json::Error>
    where
        A: Act + Serialize + Send + Sync + 'static,
    {
        let content = serde_json::json!({ "name": name, "parameters": serde_json::to_value(&rule)? });
        Ok(Custom { content, act: Arc::new(rule) })
    }

    /// What it does.
    pub(crate) fn act(&self) -> &dyn Act {
        &*self.act
    }
}

impl fmt::Debug for Custom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Custom").field(&self.content).finish()
    }
}
