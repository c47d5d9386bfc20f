//! The type [`Variant`].

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::diagnostic::{Faults, SourceError};
use crate::rules::adjustment::BuildSite;
use crate::rules::changes::Changes;
use crate::rules::custom::Custom;
use crate::rules::map_tables::MapTables;
use crate::rules::order::Listing;
use crate::rules::position::{Phase, PhaseKind, Position, Season};
use crate::rules::rulebook::Rulebook;
use crate::rules::victory::{Deserted, VictoryRule};
use crate::rules::words::words;
use upheaval_map::ids::{Power, PowerNames};
use upheaval_map::topology::atlas::AtlasError;

/// A rule set: a map, units on it, a rulebook, and the changes of the map that make it a variant.
///
/// ```
/// use upheaval_engine::prelude::*;
/// let variant = Variant::find("schizo-ii", "".as_ref())?.expect("it ships");
/// assert_eq!(variant.first_phase.to_string(), "S1901M");
/// assert_eq!(Variant::shipped().count(), 15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Variant {
    /// The name in experiment files and folders.
    pub id: String,
    /// The full name.
    pub title: String,
    /// A one-line description.
    pub summary: String,
    /// The source of its rules.
    pub source: String,
    /// The board's name in the file: `standard` or a path.
    pub map: String,
    /// The board at the start.
    pub terrain: Arc<MapTables>,
    /// Units and owners at the start.
    pub position: Position,
    /// The first phase.
    pub first_phase: Phase,
    /// The baseline rules.
    pub rulebook: Rulebook,
    /// The condition of victory.
    pub victory: VictoryRule,
    /// The year after whose Winter the game is over and the survivors win or share.
    pub last_winter: Option<u16>,
    /// The result if no power has a unit or centre left.
    pub deserted: Deserted,
    /// When powers send their retreats.
    pub retreats_sent: RetreatsSent,
    /// The treatment of a dislodged unit without a valid order.
    pub unordered_retreats: UnorderedRetreats,
    /// The places where units are built.
    pub builds: BuildSite,
    /// The changes of the map.
    pub changes: Changes,
    /// Rules in Rust, which act after the changes.
    pub custom: Vec<Custom>,
    /// The kind of straits and canals, if borders move.
    pub waterways: Option<Waterways>,
    /// The sources of its parameters, by key, as far as the file gives them.
    pub sources: BTreeMap<String, String>,
    /// The files that it was made from.
    pub files: Files,
}

/// The files of a variant as texts, which are enough to restore the variant.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Files {
    /// The variant file.
    pub variant: String,
    /// The map file, if the map is not a shipped one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub map: Option<String>,
}

impl Files {
    /// The variant file as JSON, for programs that write variants: the same keys with the same values.
    /// Written as TOML again, it is the same variant, except for comments. The result is `null` for a text
    /// that is not TOML, which cannot happen for a checked variant.
    ///
    /// ```
    /// use upheaval_engine::prelude::*;
    /// let variant = Variant::find("black-hole", "".as_ref())?.expect("it ships");
    /// assert_eq!(variant.files.to_json()["changes"][1]["count"], 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_json(&self) -> serde_json::Value {
        toml::from_str(&self.variant).unwrap_or_default()
    }
}

words! {
    /// The kinds of straits and canals (rules.md 8.7).
    Waterways {
        /// Certain provinces have a single coast on two certain seas; there are no other waterways.
        Passages = "passages",
        /// Those of the board, and those that appear and disappear with isthmuses.
        Isthmuses = "isthmuses",
    }

    /// When powers send their retreats (rules.md 4.12).
    #[derive(Default)]
    RetreatsSent {
        /// After the movement, when it is known which units are dislodged. This is the default.
        #[default]
        AfterMovement = "after-movement",
        /// With the orders, before this is known: a list of places for each unit, the best first.
        WithOrders = "with-orders",
    }

    /// The treatment of a dislodged unit without a valid order.
    UnorderedRetreats {
        /// It disbands.
        Disband = "disband",
        /// It goes to the neighbour nearest to due north, or else to the first vacant one counterclockwise from
        /// there (rules.md 4.6).
        NorthThenAnticlockwise = "north-then-anticlockwise",
    }
}

/// Why a variant cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum VariantError {
    /// The file cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The file has faults.
    #[error(transparent)]
    Faults(#[from] Faults),
    /// The map of the variant has a fault.
    #[error(transparent)]
    Map(#[from] AtlasError),
}

impl Variant {
    /// Everything that affects play, as JSON: part of an experiment's hash.
    pub fn content(&self) -> serde_json::Value {
        let names = self.terrain.power_names();
        let powers = || names.powers().iter();
        let mut content = serde_json::json!({
            "map": format!("{:016x}", self.terrain.hash()),
            "homes": names.by_name(powers().map(|power| (power, self.homes(power)))),
            "first_phase": self.first_phase.to_string(),
            "units": names.by_name(powers().map(|power| (power, self.units(power)))),
            "rulebook": self.rulebook,
            "victory": self.victory,
            "deserted": self.deserted,
            "last_winter": self.last_winter,
            "retreats_sent": self.retreats_sent,
            "unordered_retreats": self.unordered_retreats,
            "builds": self.builds,
        });
        // Without changes the key is the one that it has always been, so that the hashes of such experiments stay.
        match self.changes.entries().is_empty() {
            true => content["mechanisms"] = serde_json::json!([]),
            false => content["changes"] = self.changes.content(),
        }
        if let Some(waterways) = self.waterways {
            content["waterways"] = serde_json::json!(waterways);
        }
        if !self.custom.is_empty() {
            content["custom"] = self.custom.iter().map(|custom| custom.content.clone()).collect();
        }
        // This keeps the contents of variants on the standard board, and the hashes of their runs, as they
        // have always been.
        if *names != PowerNames::standard() {
            content["powers"] = serde_json::json!(names);
        }
        content
    }

    /// Which lists of retreats a power may send with its orders.
    pub fn listing(&self) -> Listing {
        match self.retreats_sent {
            RetreatsSent::AfterMovement => Listing::None,
            RetreatsSent::WithOrders if self.changes.act_before_retreats() => Listing::Anywhere,
            RetreatsSent::WithOrders => Listing::InReach,
        }
    }

    /// The phase before which a game begins: the first one or, if the map changes at the `start`, the Winter before it,
    /// in which nobody gives orders.
    pub fn opening(&self) -> Phase {
        match self.changes.act_at_start() {
            true => Phase {
                year: self.first_phase.year.saturating_sub(1),
                season: Season::Winter,
                kind: PhaseKind::Adjustments,
            },
            false => self.first_phase,
        }
    }

    /// The first movement phase of a game.
    pub fn first_movement(&self) -> Phase {
        match self.first_phase.kind {
            PhaseKind::Movement => self.first_phase,
            _ => Phase { year: self.first_phase.year + 1, season: Season::Spring, kind: PhaseKind::Movement },
        }
    }

    /// A power's home centres at the start, as text.
    fn homes(&self, power: Power) -> Vec<&str> {
        let chart = self.terrain.chart();
        chart.homes(power).iter().map(|home| chart.map().name(home)).collect()
    }

    /// A power's units at the start, as text.
    pub(super) fn units(&self, power: Power) -> Vec<String> {
        let names = self.terrain.names();
        self.position
            .units_of(power)
            .iter()
            .filter_map(|at| self.position.unit(at).zip(self.position.location(at)))
            .map(|(unit, at)| names.unit(at, unit.kind).to_string())
            .collect()
    }
}
