//! The parameters in which variants can differ: every key of a variant file that affects play, with its
//! value, its permitted values, its meaning, and its source.

use serde_json::Value;

use super::model::Variant;
pub use crate::rules::mechanism::PermittedValues;
use crate::rules::mechanism::{self, Key, Mechanism};
use crate::rules::rulebook::{ArmyFleets, Rulebook};

/// A parameter of a variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter<'a> {
    /// Section and key in the file: `holes.per_season`.
    pub key: &'static str,
    /// The value.
    pub value: String,
    /// The permitted values.
    pub values: PermittedValues,
    /// The meaning.
    pub meaning: &'static str,
    /// The source of the value: a rule of the seed, or a ruling. `None` if the file does not give one.
    pub source: Option<&'a str>,
}

/// The parameters that do not belong to a mechanism, in the order of the file.
const GENERAL: &[Key] = &[
    Key::other("map", "standard, deluge, or the path of a map file", "the board"),
    Key::other("rulebook", "2023, 1971, or a table of switches", "the rules of movement and retreat"),
    Key::other("start.phase", "a movement phase, or a Winter's adjustments", "the first phase"),
    Key::other("start.units", "a list for each power", "the units at the start"),
    Key::words(
        "victory.rule",
        &["centre-majority", "unit-and-centre-majority", "last-survivor"],
        "the condition of victory",
    ),
    Key::other("victory.last_winter", "a year", "the year of the last Winter"),
    Key::words(
        "victory.deserted",
        &["nobody", "shared-by-all"],
        "the powers that share the draw if no power has a unit or centre left",
    ),
    Key::words(
        "retreats.sent",
        &["after-movement", "with-orders"],
        "when powers send their retreats: after the movement, or as lists with the orders",
    ),
    Key::words(
        "retreats.unordered",
        &["disband", "north-then-anticlockwise"],
        "the treatment of a dislodged unit without a valid order",
    ),
    Key::words("builds.sites", &["home", "any-owned", "home-else-owned"], "where units are built"),
    Key::other("board.archipelagos", "land provinces", "land provinces that fleets can sail through"),
    Key::words("units.army_fleets", &["no", "yes"], "whether armies board fleets and are carried by them"),
    Key::other(
        "units.max_seasons_aboard",
        "unlimited, or 1 to 255",
        "how many seasons an army may end aboard",
    ),
    Key::words("units.army_becomes_fleet", &["no", "yes"], "whether an army on a coast may become a fleet"),
];

/// All parameters of this library, in the order of the file.
fn all() -> impl Iterator<Item = &'static Key> {
    GENERAL.iter().chain(mechanism::KEYS.iter().copied().flatten())
}

/// The keys of all parameters.
pub fn keys() -> impl Iterator<Item = &'static str> {
    all().map(|key| key.name)
}

impl Variant {
    /// Its parameters, in the order of the file, limited to the sections that it has.
    pub fn parameters(&self) -> Vec<Parameter<'_>> {
        let file = self.sections();
        let custom = self.mechanisms.iter().filter(|mechanism| matches!(mechanism, Mechanism::Custom(_)));
        all()
            .chain(custom.flat_map(Mechanism::keys))
            .filter_map(|&Key { name: key, values, meaning }| {
                let mut at = Some(&file);
                for part in key.split('.') {
                    at = at.and_then(|value| value.get(part));
                }
                let source = self.sources.get(key).map(String::as_str);
                at.map(|value| Parameter { key, value: plain(value), values, meaning, source })
            })
            .collect()
    }

    /// Everything that affects play, in the form of a variant file.
    fn sections(&self) -> Value {
        let names = self.terrain.names();
        let rulebook = match self.rulebook.with_units_of(&Rulebook::R2023) {
            Rulebook::R2023 => "2023".into(),
            Rulebook::R1971 => "1971".into(),
            other => serde_json::json!(other),
        };
        let placed = self.terrain.powers().iter().map(|power| (power, self.units(power)));
        let placed = placed.filter(|(_, units)| !units.is_empty());
        let powers = self.terrain.power_names();
        let units: Vec<String> =
            placed.map(|(power, units)| format!("{}: {}", powers.name(power), units.join(", "))).collect();
        let units = if units.is_empty() { "none".to_owned() } else { units.join("; ") };
        let mut sections = serde_json::json!({
            "map": self.map,
            "rulebook": rulebook,
            "start": { "phase": self.first_phase.to_string(), "units": units },
            "victory": { "rule": self.victory, "deserted": self.deserted },
            "retreats": { "sent": self.retreats_sent, "unordered": self.unordered_retreats },
            "builds": { "sites": self.builds },
        });
        if self.rulebook.has_amphibious_armies() {
            sections["units"] = self.units_section();
        }
        if let Some(year) = self.last_winter {
            sections["victory"]["last_winter"] = year.into();
        }
        let archipelagos = self.terrain.chart().map().archipelagos();
        if !archipelagos.is_empty() {
            let list: Vec<&str> = archipelagos.iter().map(|id| names.province(id)).collect();
            sections["board"] = serde_json::json!({ "archipelagos": list.join(", ") });
        }
        for mechanism in &self.mechanisms {
            let of_mechanism = serde_json::json!(mechanism);
            if let Some(kind) = of_mechanism["kind"].as_str() {
                sections[kind] = of_mechanism.clone();
            }
        }
        sections
    }

    fn units_section(&self) -> Value {
        let Rulebook { army_fleets, army_becomes_fleet, .. } = self.rulebook;
        let mut units = serde_json::json!({ "army_becomes_fleet": army_becomes_fleet });
        units["army_fleets"] = if army_fleets.allowed() { "yes".into() } else { "no".into() };
        if let ArmyFleets::Yes { max_seasons_aboard: most } = army_fleets {
            units["max_seasons_aboard"] = most.map_or_else(|| "unlimited".into(), |most| most.get().into());
        }
        units
    }
}

/// A value without quotes and brackets: `1901: LON HOL; 1902: YOR`, and for tables within a table `ru10
/// (1902: WAL; 1903: UKR), …`.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(" "),
        Value::Object(entries) if entries.values().any(Value::is_object) => {
            let tables: Vec<String> =
                entries.iter().map(|(key, table)| format!("{key} ({})", plain(table))).collect();
            tables.join(", ")
        }
        Value::Object(entries) => {
            let rows: Vec<String> =
                entries.iter().map(|(key, value)| format!("{key}: {}", plain(value))).collect();
            rows.join("; ")
        }
        other => other.to_string(),
    }
}
