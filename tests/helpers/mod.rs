//! Helpers of several parts of the tests. Helpers of a single part are modules of that part.

pub mod boards;
pub mod chances;
pub mod charts;
pub mod drawn_events;
pub mod engine;
pub mod quick;
pub mod replier;
pub mod seats;
pub mod shipped;
pub mod small_maps;
pub mod table;

use upheaval::ids::{Power, PowerNames};

/// The name of a power of the standard board.
pub fn name_of(power: Power) -> String {
    PowerNames::standard().name(power).to_owned()
}
