//! Variant files: rule sets as data. Turns TOML into a checked [`Variant`]; faults are reported with the
//! file, the line and a correction.

mod file;
mod model;
pub mod parameter;
pub mod setting;
mod shipped;

#[cfg(feature = "schema")]
pub use file::schema;
pub use model::{Files, RetreatsSent, UnorderedRetreats, Variant, VariantError, Waterways};
