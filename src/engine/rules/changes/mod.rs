//! The changes of the map in a variant: the entries of its `[[changes]]` (docs/changes.md).
//!
//! ```text
//!   [[changes]] ──▶ file ──▶ Entry: when · who decides · which places (Set) · what changes · what happens to units
//!                     │                        │
//!                  checks                     act ──▶ consequences: units, coasts, owners
//!          (all faults of a file)                └──▶ spared: marks by choice
//! ```
//! The seismic orders that `quake` entries ask for are in `src/engine/rules/seismic.rs`.

mod act;
mod checks;
mod consequences;
mod entry;
mod file;
mod formerly;
mod list;
mod sentence;
mod set;
mod spared;
mod verb;
mod when;
mod words;

pub use consequences::Movement;
pub use entry::{Count, Deed, Entry, FaceChange, Mark, Quakes, Which};
pub(in crate::rules) use file::{ChangesFile, ENTRY_KEYS, EntryFile, Reading};
pub(in crate::rules) use formerly::{OLD_SECTIONS, Old, now};
pub use list::Changes;
pub use set::{EntryId, Kinds, Names, Operator, Places, Scene, Set, SetFault, Word, parse as parse_set};
pub use verb::{State, Verbs};
pub use when::{Bound, Date, Period, Schedule};
pub use words::{
    Again, By, Entering, Fate, Foretold, Lasts, OwnerRule, Point, Seasons, Stranded, Told, Unnamed, Verb,
};
