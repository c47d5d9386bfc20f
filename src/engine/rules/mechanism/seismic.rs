//! Seismic events (seed 004; RULINGS 8): when the powers may order them, what they do to waterways and to fleets that
//! are left without a coast. The orders themselves are `src/engine/rules/seismic.rs`.
//!
//! ```text
//!   seismic-1971        Spring ─▶ retreats ─▶ E     Fall ─▶ retreats ─▶ owners ─▶ adjustments ─▶ E
//!   seismic-acerunner   Spring ─▶ retreats ─▶ E     Fall ─▶ retreats ─▶ owners ─▶ E ─▶ adjustments
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::rules::position::Season;

/// The parameters.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Seismic {
    /// After what.
    pub after: After,
    /// Which waterways there are.
    pub waterways: Waterways,
    /// What becomes of a fleet without a coast.
    pub coastless: Coastless,
    /// With [`Waterways::Passages`]: the provinces whose coasts on these two seas are one.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub passages: BTreeMap<String, [String; 2]>,
}

/// When the earth moves (RULINGS 8.6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum After {
    /// After the Spring retreats and after the Winter adjustments.
    SpringAndWinter,
    /// After the Spring retreats and after the Fall retreats, before the adjustments.
    SpringAndFall,
}

impl After {
    /// Is there a seismic phase at the end of this season?
    pub fn includes(self, season: Season) -> bool {
        match season {
            Season::Spring => true,
            Season::Fall => self == After::SpringAndFall,
            Season::Winter => self == After::SpringAndWinter,
        }
    }
}

/// Which waterways there are (RULINGS 8.7).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Waterways {
    /// Certain provinces have one coast on two certain seas, and nothing else.
    Passages,
    /// Those of the board, and those that come and go with isthmuses.
    Isthmuses,
}

/// What becomes of a fleet whose province has no coast left (RULINGS 8.8).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Coastless {
    /// It is trapped: it may only hold until a coast opens.
    Trapped,
    /// The same, or its owner disbands it at once.
    TrappedOrDisbanded,
}
