//! Variant files: a rule set as data. TOML in, a checked [`Variant`] out; a fault is told with the file, the line and
//! what would be right.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::adjustment::BuildSite;
use super::mechanism::{Exemption, Holes, Mechanism};
use super::notation::parse_unit;
use super::position::{Phase, PhaseKind, Position, Unit};
use super::rulebook::Rulebook;
use super::terrain::Terrain;
use super::victory::VictoryRule;
use crate::diagnostic::{Diagnostic, Source, SourceError, suggest};
use crate::ids::{Power, ProvinceSet};
use crate::topology::atlas::{self, AtlasError};

/// The variants that ship with the program: id and file.
const SHIPPED: [(&str, &str); 2] = [
    ("standard", include_str!("../../variants/standard.toml")),
    ("black-hole", include_str!("../../variants/black-hole.toml")),
];

/// A rule set: a map, units on it, a rulebook, and the mechanisms that make it a variant.
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
    /// What happens to a dislodged unit without a valid order.
    pub unordered_retreats: UnorderedRetreats,
    /// Where units are built.
    pub builds: BuildSite,
    /// What makes it a variant, in the order in which they act at the same point.
    pub mechanisms: Vec<Mechanism>,
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

/// The form of a variant file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VariantFile {
    id: Spanned<String>,
    title: String,
    summary: String,
    source: String,
    map: Spanned<String>,
    rulebook: Rulebook,
    start: Start,
    victory: Victory,
    retreats: RetreatRules,
    builds: Builds,
    exemption: Option<Spanned<ExemptionFile>>,
    holes: Option<Spanned<HolesFile>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Start {
    phase: Spanned<String>,
    units: std::collections::BTreeMap<Power, Vec<Spanned<String>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Victory {
    rule: VictoryRule,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RetreatRules {
    unordered: UnorderedRetreats,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Builds {
    sites: BuildSite,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HolesFile {
    per_season: Spanned<u8>,
    closure: super::mechanism::holes::Closure,
    retreats: super::mechanism::holes::Foresight,
    seasons: super::mechanism::Seasons,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExemptionFile {
    unnamed: super::mechanism::exemption::Unnamed,
}

/// The most holes a season that a file may ask for: a board has 75 provinces.
const MOST_HOLES: u8 = 10;

impl Variant {
    /// The ids of the variants that ship.
    pub fn shipped() -> impl Iterator<Item = &'static str> {
        SHIPPED.iter().map(|&(id, _)| id)
    }

    /// The variant of this name, or in the file at this path, which starts at `base`. A name with a slash, a
    /// backslash or `.toml` in it is a path.
    ///
    /// # Errors
    /// The file cannot be read or has a fault. `Ok(None)`: no variant that ships has this name.
    pub fn find(name: &str, base: &Path) -> Result<Option<Variant>, VariantError> {
        if name.contains(['/', '\\']) || name.ends_with(".toml") {
            let path = base.join(name);
            let folder = path.parent().unwrap_or(Path::new(""));
            return Variant::check(&Source::read(&path)?, folder).map(Some);
        }
        SHIPPED
            .iter()
            .find(|&&(id, _)| id == name)
            .map(|(id, text)| {
                Variant::check(&Source::new(format!("variants/{id}.toml"), *text), Path::new(""))
            })
            .transpose()
    }

    /// Checks the text of a variant file. A map that is no shipped one is a path that starts at `base`.
    ///
    /// # Errors
    /// The first fault of form; or of what the file asks for.
    pub fn check(source: &Source, base: &Path) -> Result<Variant, VariantError> {
        let file: VariantFile = toml::from_str(source.text()).map_err(|error| form_fault(source, &error))?;
        let terrain = Arc::new(Terrain::new(read_map(source, &file.map, base)?));
        let position = starting_position(source, &terrain, &file.start)?;
        Ok(Variant {
            first_phase: first_phase(source, &file.start.phase)?,
            mechanisms: mechanisms(source, &file, &terrain)?,
            id: identifier(source, file.id)?,
            title: file.title,
            summary: file.summary,
            source: file.source,
            position,
            terrain,
            rulebook: file.rulebook,
            victory: file.victory.rule,
            unordered_retreats: file.retreats.unordered,
            builds: file.builds.sites,
        })
    }

    /// Everything that decides how the variant plays, as JSON: part of an experiment's hash.
    pub fn content(&self) -> serde_json::Value {
        let names = self.terrain.names();
        let units = |power: Power| -> Vec<String> {
            self.position
                .units_of(power)
                .iter()
                .filter_map(|at| self.position.unit(at).zip(self.position.location(at)))
                .map(|(unit, at)| names.unit(at, unit.kind).to_string())
                .collect()
        };
        let units: serde_json::Map<String, serde_json::Value> =
            Power::ALL.iter().map(|&power| (power.name().to_owned(), units(power).into())).collect();
        serde_json::json!({
            "map": format!("{:016x}", self.terrain.hash()),
            "first_phase": self.first_phase.to_string(),
            "units": units,
            "rulebook": self.rulebook,
            "victory": self.victory,
            "unordered_retreats": self.unordered_retreats,
            "builds": self.builds,
            "mechanisms": self.mechanisms,
        })
    }

    /// May powers name an exempt centre with the first orders?
    pub fn asks_for_exemption(&self) -> bool {
        self.mechanisms.iter().any(Mechanism::asks_for_exemption)
    }
}

/// A fault of form. The parser's words name what is wrong and, for a word that is none of several, those; for a key
/// that is missing it is said what to do.
fn form_fault(source: &Source, error: &toml::de::Error) -> Diagnostic {
    let message = match error
        .message()
        .strip_prefix("missing field `")
        .and_then(|rest| rest.strip_suffix('`'))
    {
        Some(key) => format!(
            "`{key}` is missing here; add it as in `variants/black-hole.toml`, where a comment lists its values"
        ),
        None => error.message().to_owned(),
    };
    source.fault(error.span().unwrap_or_default(), message)
}

fn identifier(source: &Source, id: Spanned<String>) -> Result<String, Diagnostic> {
    let plain = |text: &str| {
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    };
    if plain(id.get_ref()) {
        return Ok(id.into_inner());
    }
    Err(source.fault(id.span(), "`id` is small letters, digits and `-` only, such as `black-hole`"))
}

fn read_map(
    source: &Source,
    name: &Spanned<String>,
    base: &Path,
) -> Result<crate::topology::Chart, VariantError> {
    if name.get_ref() == "standard" {
        return Ok(atlas::standard());
    }
    if !name.get_ref().ends_with(".json") {
        let message = format!(
            "there is no map `{}`; {}, or a path that ends in `.json`",
            name.get_ref(),
            suggest(name.get_ref(), ["standard"])
        );
        return Err(source.fault(name.span(), message).into());
    }
    let map = Source::read(&base.join(name.get_ref()))
        .map_err(|error| source.fault(name.span(), format!("`map`: {error}")))?;
    Ok(atlas::parse(map.name(), map.text())?)
}

fn first_phase(source: &Source, phase: &Spanned<String>) -> Result<Phase, Diagnostic> {
    let read: Phase =
        phase.get_ref().parse().map_err(|error| source.fault(phase.span(), format!("{error}")))?;
    if read.kind == PhaseKind::Movement && read.year > 0 {
        return Ok(read);
    }
    Err(source.fault(phase.span(), "a game starts with a movement phase, such as `S1901M`"))
}

/// The units as the file places them; every power owns its home centres.
fn starting_position(source: &Source, terrain: &Terrain, start: &Start) -> Result<Position, Diagnostic> {
    let mut position = Position::new();
    for power in Power::ALL {
        for centre in terrain.homes()[power] {
            position.set_owner(centre, Some(power));
        }
    }
    for (&power, units) in &start.units {
        for text in units {
            let fault = |message: String| source.fault(text.span(), message);
            let (kind, at) = parse_unit(text.get_ref(), terrain.names(), terrain.board())
                .map_err(|e| fault(e.to_string()))?;
            if position.occupied().contains(at.province) {
                return Err(fault(format!("`{}`: a unit stands there already", text.get_ref())));
            }
            position.place(at.province, Unit { kind, power, coast: at.coast });
        }
    }
    Ok(position)
}

fn mechanisms(source: &Source, file: &VariantFile, terrain: &Terrain) -> Result<Vec<Mechanism>, Diagnostic> {
    let mut mechanisms = Vec::new();
    if let Some(exemption) = &file.exemption {
        if file.holes.is_none() {
            let message =
                "[exemption] spares centres from holes, but there is no [holes]; add it, or take this out";
            return Err(source.fault(exemption.span(), message));
        }
        mechanisms.push(Mechanism::Exemption(Exemption { unnamed: exemption.get_ref().unnamed }));
    }
    if let Some(holes) = &file.holes {
        let HolesFile { per_season, closure, retreats, seasons } = holes.get_ref();
        let passable: ProvinceSet = terrain.board().passable();
        if !(1..=MOST_HOLES).contains(per_season.get_ref())
            || usize::from(*per_season.get_ref()) > passable.len()
        {
            let message =
                format!("`per_season` must be from 1 to {MOST_HOLES}, not {}", per_season.get_ref());
            return Err(source.fault(per_season.span(), message));
        }
        mechanisms.push(Mechanism::Holes(Holes {
            per_season: *per_season.get_ref(),
            closure: *closure,
            retreats: *retreats,
            seasons: *seasons,
        }));
    }
    Ok(mechanisms)
}
