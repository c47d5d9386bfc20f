//! Games that people have played, from files into the tables of a run.
//!
//! ```text
//!  file ─ files, saved ─▶ phases ─ package, web ─▶ Pages ─ play ─▶ GameRows ═▶ run folder
//!                                                    └─ compare ─┘ phase by phase
//! ```
//! An [`ImportSurvey`] reads files of the package `diplomacy` or of webDiplomacy, plays every game again by its orders,
//! and compares it with the positions of its file. A game that differs is reported with phase and province, and left
//! out or kept.

mod hosted;
mod import;
mod package;
mod playing;
mod saved;
mod sheet;
#[cfg(test)]
mod tests;
mod web;

pub use hosted::HostedImport;
pub use import::{ImportRequest, ImportSurvey, Named, Notice, OtherRules, RuleFound, TryRules};
pub use playing::{ImportMismatch, OnMismatch};
pub use saved::{ArchiveError, Boards};
pub use sheet::Reason;
