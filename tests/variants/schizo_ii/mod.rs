//! `schizo-ii`: rr07.

mod draws;
mod prophetic;
mod rules;
mod splits;
mod victory;

use std::sync::Arc;

use crate::helpers::shipped::SCHIZO_II;
use upheaval::rules::variant::Variant;

/// The variant with retreats that are requested after the movement.
fn asked() -> Arc<Variant> {
    SCHIZO_II.changed("sent = \"with-orders\"", "sent = \"after-movement\"")
}
