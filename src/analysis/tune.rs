//! Which setting of a rule would be fair: a search over the parameters of variants, with an answer that can be trusted.
//!
//! ```text
//!  file ─ Tuning ─▶ Search ─ wanted() ─▶ tasks ─ Table::play ─▶ BlockSums ─ take() ─▶ Race ─ look() ─▶ who is left
//!                     ▲                                                        │
//!                     └────────────────── the next round ──────────────────────┘
//!                     └─ over: fresh blocks of another seed ─▶ Answer ─▶ the folder, the words
//! ```
//! Whoever tries many settings and reports the best one reports a lucky one. So settings are dropped by paired tests
//! whose errors are added up beforehand ([`race`]), the objective has no bias ([`statistic`]), the answer is the set of
//! those that cannot be told from the best, and all of its figures are of blocks that no choice was made by
//! ([`answer`]). [`race`] and [`statistic`] know neither games nor files.
//!
//! Spaces that are too large to play every setting are searched from Python, which asks for settings and tells what
//! blocks say of them (docs/fair-parameters.md).

pub mod answer;
pub mod arm;
pub mod explore;
pub mod file;
pub mod folder;
pub mod goal;
pub mod play;
pub mod race;
pub mod run;
pub mod search;
pub mod statistic;
pub mod tables;
pub mod text;

pub use answer::Answer;
pub use file::Tuning;
pub use folder::TuneSite;
pub use search::Search;
