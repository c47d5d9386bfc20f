//! Variant files: a rule set as data. TOML in, a checked [`Variant`] out; a fault is told with the file, the line and
//! what would be right.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

mod file;
pub mod parameter;
pub mod setting;

use serde::{Deserialize, Serialize};

use super::adjustment::BuildSite;
use super::mechanism::{Deluge, Exemption, Mechanism, Seismic};
use super::position::{Phase, PhaseKind, Position, Season};
use super::rulebook::Rulebook;
use super::terrain::Terrain;
use super::victory::{Deserted, VictoryRule};
use crate::diagnostic::{Diagnostic, Source, SourceError};
use file::MapAt;
use upheaval_map::ids::Power;
use upheaval_map::topology::atlas::AtlasError;

/// The variants that ship with the program: id and file.
const SHIPPED: [(&str, &str); 9] = [
    ("standard", include_str!("../variants/standard.toml")),
    ("black-hole", include_str!("../variants/black-hole.toml")),
    ("black-hole-i", include_str!("../variants/black-hole-i.toml")),
    ("black-hole-ii", include_str!("../variants/black-hole-ii.toml")),
    ("double-reversible", include_str!("../variants/double-reversible.toml")),
    ("schizo-ii", include_str!("../variants/schizo-ii.toml")),
    ("deluge-ii", include_str!("../variants/deluge-ii.toml")),
    ("seismic-1971", include_str!("../variants/seismic-1971.toml")),
    ("seismic-acerunner", include_str!("../variants/seismic-acerunner.toml")),
];

/// A rule set: a map, units on it, a rulebook, and the mechanisms that make it a variant.
///
/// ```
/// use upheaval_engine::prelude::*;
/// let variant = Variant::find("schizo-ii", "".as_ref())?.expect("it ships");
/// assert_eq!(variant.first_phase.to_string(), "S1901M");
/// assert_eq!(Variant::shipped().count(), 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Variant {
    /// The name in experiment files and folders.
    pub id: String,
    /// The full name.
    pub title: String,
    /// What it is, in a line.
    pub summary: String,
    /// Where its rules come from.
    pub source: String,
    /// The board's name in the file: `standard` or a path.
    pub map: String,
    /// The board at the start.
    pub terrain: Arc<Terrain>,
    /// Units and owners at the start.
    pub position: Position,
    /// The first phase.
    pub first_phase: Phase,
    /// The baseline rules.
    pub rulebook: Rulebook,
    /// What makes a power the winner.
    pub victory: VictoryRule,
    /// The year after whose Winter the game is over, the survivors winning or sharing.
    pub last_winter: Option<u16>,
    /// What it means if nobody has anything left.
    pub deserted: Deserted,
    /// What happens to a dislodged unit without a valid order.
    pub unordered_retreats: UnorderedRetreats,
    /// Where units are built.
    pub builds: BuildSite,
    /// What makes it a variant, in the order in which they act at the same point.
    pub mechanisms: Vec<Mechanism>,
    /// Where its parameters come from, by key, as far as the file says.
    pub sources: BTreeMap<String, String>,
    /// The texts that it was made of.
    pub files: Files,
}

/// The files of a variant, as texts: whoever has them has the variant.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Files {
    /// The variant file.
    pub variant: String,
    /// The map file, where the map is none that ships.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub map: Option<String>,
}

impl Files {
    /// The variant of these files. `name` is only used in messages.
    ///
    /// # Errors
    /// A file has a fault.
    pub fn check(&self, name: &str) -> Result<Variant, VariantError> {
        let source = Source::new(format!("{name}.toml"), self.variant.as_str());
        match &self.map {
            Some(map) => Variant::check_on(&source, &Source::new(format!("{name}.json"), map.as_str())),
            None => Ok(file::read(&source, &MapAt::Shipped)?),
        }
    }
}

/// What happens to a dislodged unit without a valid order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnorderedRetreats {
    /// It disbands.
    Disband,
    /// It goes to the first vacant province from due north anticlockwise (RULINGS 4.6).
    NorthThenAnticlockwise,
}

/// Why a variant cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum VariantError {
    /// The file cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The file has a fault.
    #[error(transparent)]
    Fault(#[from] Diagnostic),
    /// Its map has one.
    #[error(transparent)]
    Map(#[from] AtlasError),
}

impl Variant {
    /// The ids of the variants that ship.
    pub fn shipped() -> impl Iterator<Item = &'static str> {
        SHIPPED.iter().map(|&(id, _)| id)
    }

    /// The file of a variant that ships, as text.
    ///
    /// ```
    /// # use upheaval_engine::prelude::*;
    /// assert!(Variant::shipped_text("black-hole").unwrap().contains("per_season = 1"));
    /// ```
    pub fn shipped_text(id: &str) -> Option<&'static str> {
        SHIPPED.iter().find(|&&(shipped, _)| shipped == id).map(|&(_, text)| text)
    }

    /// The variant of this name, or in the file at this path, which starts at `base`. A name with a slash, a
    /// backslash or `.toml` in it is a path.
    ///
    /// # Errors
    /// The file cannot be read or has a fault. `Ok(None)`: no variant that ships has this name.
    pub fn find(name: &str, base: &Path) -> Result<Option<Variant>, VariantError> {
        let Some((source, folder)) = setting::file(name, base)? else { return Ok(None) };
        Variant::check(&source, &folder).map(Some)
    }

    /// Checks the text of a variant file. A map that is no shipped one is a path that starts at `base`.
    ///
    /// # Errors
    /// The first fault of form; or of what the file asks for.
    ///
    /// ```
    /// use upheaval_engine::prelude::*;
    /// let text = Variant::shipped_text("standard").unwrap().replace("home", "hone");
    /// let fault = Variant::check(&Source::new("mine.toml", text), "".as_ref()).unwrap_err();
    /// assert!(fault.to_string().starts_with("mine.toml:"));
    /// ```
    pub fn check(source: &Source, base: &Path) -> Result<Variant, VariantError> {
        file::read(source, &MapAt::Below(base))
    }

    /// Checks the text of a variant file whose map, where it is no shipped one, is this text.
    ///
    /// # Errors
    /// As [`Variant::check`].
    pub fn check_on(source: &Source, map: &Source) -> Result<Variant, VariantError> {
        file::read(source, &MapAt::Text(map))
    }

    /// Everything that decides how the variant plays, as JSON: part of an experiment's hash.
    pub fn content(&self) -> serde_json::Value {
        let units: serde_json::Map<String, serde_json::Value> =
            Power::ALL.iter().map(|&power| (power.name().to_owned(), self.units(power).into())).collect();
        let homes: serde_json::Map<String, serde_json::Value> =
            Power::ALL.iter().map(|&power| (power.name().to_owned(), self.homes(power).into())).collect();
        serde_json::json!({
            "map": format!("{:016x}", self.terrain.hash()),
            "homes": homes,
            "first_phase": self.first_phase.to_string(),
            "units": units,
            "rulebook": self.rulebook,
            "victory": self.victory,
            "deserted": self.deserted,
            "last_winter": self.last_winter,
            "unordered_retreats": self.unordered_retreats,
            "builds": self.builds,
            "mechanisms": self.mechanisms,
        })
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
    fn units(&self, power: Power) -> Vec<String> {
        let names = self.terrain.names();
        self.position
            .units_of(power)
            .iter()
            .filter_map(|at| self.position.unit(at).zip(self.position.location(at)))
            .map(|(unit, at)| names.unit(at, unit.kind).to_string())
            .collect()
    }

    /// The rising water, where the variant has it.
    pub fn deluge(&self) -> Option<&Deluge> {
        self.mechanisms.iter().find_map(|mechanism| match mechanism {
            Mechanism::Deluge(deluge) => Some(deluge),
            _ => None,
        })
    }

    /// The seismic events, where the variant has them.
    pub fn seismic(&self) -> Option<&Seismic> {
        self.mechanisms.iter().find_map(|mechanism| match mechanism {
            Mechanism::Seismic(seismic) => Some(seismic),
            _ => None,
        })
    }

    /// The rules of exempt centres, where the variant has them.
    pub fn exemption(&self) -> Option<&Exemption> {
        self.mechanisms.iter().find_map(|mechanism| match mechanism {
            Mechanism::Exemption(exemption) => Some(exemption),
            _ => None,
        })
    }
}
