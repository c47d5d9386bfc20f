//! The changes of the map in a variant: the entries of its `[[changes]]` (docs/changes.md).
//!
//! ```text
//!   [[changes]] ──▶ file ──▶ Entry: when · who decides · which places (Set) · what changes · what happens to units
//!                     │                        │
//!                  checks                     act ──▶ consequences: units, coasts, owners
//!          (all faults of a file)                ├──▶ spared: marks by choice
//!                                                └──▶ votes ─▶ coming: what is announced
//! ```
//! The seismic orders that `quake` entries ask for are in `src/engine/rules/seismic.rs`.

mod act;
mod canals;
mod checks;
mod coming;
mod consequences;
mod ends;
mod entry;
mod file;
mod foretold;
mod formerly;
mod groups;
mod list;
mod manner;
mod passing;
mod sentence;
mod set;
mod spared;
mod together;
mod verb;
mod votes;
mod warnings;
mod when;
mod words;

pub use canals::CanalSeas;
pub use coming::ComingChange;
pub use consequences::Movement;
pub use entry::{Count, Deed, Entry, Extreme, FaceChange, Mark, Measure, Odds, Quakes, Ranking, Vote, Which};
pub(in crate::rules) use file::{ChangesFile, ENTRY_KEYS, EntryFile, Reading};
pub use foretold::{Coming, Foretold};
pub(in crate::rules) use formerly::{OLD_SECTIONS, Old, now};
pub use list::Changes;
pub use passing::{Lasting, Passing};
pub use set::{
    Borders, EntryId, Group, Groups, Holding, Kinds, Names, Operator, Places, Scene, Set, SetFault, Who,
    Whose, Word, parse as parse_set,
};
pub use verb::{State, Verbs};
pub use when::{Bound, Date, Moment, Period, Schedule, Span};
pub use words::{
    Again, By, CentreFate, Entering, Fate, HomeRule, Lasts, OwnerRule, Point, Seasons, Stranded, Ties, Told,
    Unnamed, Verb, Votes, Wins,
};
