//! The items that most programs need: `use upheaval_engine::prelude::*;`.

pub use crate::ask::{Answer, Ask, Observation};
pub use crate::bot::Bot;
pub use crate::diagnostic::Source;
pub use crate::game::{Ending, Game, Stage};
pub use crate::reading::{Decision, Refusal};
pub use crate::rules::event::Event;
pub use crate::rules::position::{Phase, Season};
pub use crate::rules::variant::Variant;
pub use crate::session::{Choice, LegalOrder, Session, SessionError, SettledOrder, Turn};
pub use upheaval_map::ids::{Power, Powers};
pub use upheaval_map::rng::{Purpose, Stream};
pub use upheaval_map::topology::{MapEvent, NamedMap};
