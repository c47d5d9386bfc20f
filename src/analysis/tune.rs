//! Which setting of a rule would be fair: a search over the parameters of variants that gives a reliable answer.
//!
//! ```text
//!  file ─ Tuning ─▶ Search ─ wanted() ─▶ tasks ─ Table::play ─▶ BlockSums ─ take() ─▶ Race ─ look() ─▶ who is left
//!                     ▲                                                        │
//!                     └────────────────── the next round ──────────────────────┘
//!                     └─ over: fresh blocks of another seed ─▶ Answer ─▶ the folder, the words
//! ```
//! The best of many settings looks better than it is. Therefore settings are dropped by paired tests with a common
//! bound on all their errors ([`race`]), the objective is unbiased ([`statistic`]), the answer is the set of settings
//! that cannot be distinguished from the best, and all its figures come from blocks that were not used for any choice
//! ([`answer`]). [`race`] and [`statistic`] do not depend on games or files.
//!
//! Spaces that are too large to play every setting are searched from Python, which asks for single settings and
//! receives the results of their blocks (docs/fair-parameters.md).

pub mod answer;
pub mod arm;
pub mod file;
pub mod folder;
pub mod goal;
pub mod play;
pub mod race;
pub mod search;
pub mod statistic;
pub mod text;

pub use answer::TuneAnswer;
pub use file::CheckedSearch;
pub use folder::TuneSite;
pub use search::TuneSearch;
