//! Variant files: a rule set as data. TOML in, a checked [`Variant`] out; a fault is told with the file, the line and
//! what would be right.

mod file;
mod model;
pub mod parameter;
pub mod setting;
mod shipped;

#[cfg(feature = "schema")]
pub use file::schema;
pub use model::{Files, RetreatsSent, UnorderedRetreats, Variant, VariantError};
