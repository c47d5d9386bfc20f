//! What can differ between variants: every key of a variant file that decides how it plays, with its value, what it
//! may be, what it means, and where the value comes from.

use std::fmt;

use serde_json::Value;

use super::Variant;
use crate::rules::rulebook::{ArmyFleets, Rulebook};
use upheaval_map::ids::Power;

/// What a parameter may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// One of these words.
    Words(&'static [&'static str]),
    /// A number from the first to the last.
    Numbers(u8, u8),
    /// What this says.
    Other(&'static str),
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Values::Words(words) => f.write_str(&words.join(" | ")),
            Values::Numbers(first, last) => write!(f, "{first} to {last}"),
            Values::Other(text) => f.write_str(text),
        }
    }
}

/// A parameter of a variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter<'a> {
    /// Section and key in the file: `holes.per_season`.
    pub key: &'static str,
    /// Its value.
    pub value: String,
    /// What it may be.
    pub values: Values,
    /// What it means.
    pub meaning: &'static str,
    /// Where the value comes from: a rule of the seed, a ruling. `None` where the file does not say.
    pub source: Option<&'a str>,
}

const SEASONS: Values = Values::Words(&["spring-and-fall", "spring", "fall"]);
const CLOSURE: Values = Values::Words(&["collapse", "void"]);
const COUNT: Values = Values::Numbers(1, super::file::MOST_FACES);
const FACES: Values =
    Values::Words(&["provinces", "provinces-and-impassable", "land", "sea", "centres", "no-centres"]);

const BY_YEAR: Values = Values::Other("provinces by year");

/// Every parameter there is, in the order of the file.
const ALL: [(&str, Values, &str); 41] = [
    ("map", Values::Other("standard, deluge, or the path of a map file"), "the board"),
    ("rulebook", Values::Other("2023, 1971, or a table of switches"), "the rules of movement and retreat"),
    ("start.phase", Values::Other("a movement phase, or a Winter's adjustments"), "the first phase"),
    ("start.units", Values::Other("a list for each power"), "the units at the start"),
    (
        "victory.rule",
        Values::Words(&["centre-majority", "unit-and-centre-majority", "last-survivor"]),
        "what makes a power the winner",
    ),
    ("victory.last_winter", Values::Other("a year"), "after whose Winter the game is over"),
    (
        "victory.deserted",
        Values::Words(&["nobody", "shared-by-all"]),
        "whose draw it is if nobody has anything left",
    ),
    (
        "retreats.unordered",
        Values::Words(&["disband", "north-then-anticlockwise"]),
        "what becomes of a dislodged unit without a valid order",
    ),
    ("builds.sites", Values::Words(&["home", "any-owned", "home-else-owned"]), "where units are built"),
    ("board.archipelagos", Values::Other("land provinces"), "land that is water to fleets as well"),
    (
        "units.army_fleets",
        Values::Words(&["no", "yes"]),
        "whether armies board fleets and are carried by them",
    ),
    (
        "units.max_seasons_aboard",
        Values::Other("unlimited, or 1 to 255"),
        "how many seasons an army may end aboard",
    ),
    (
        "units.army_becomes_fleet",
        Values::Words(&["no", "yes"]),
        "whether an army on a coast may become a fleet",
    ),
    ("exemption.unnamed", Values::Words(&["drawn", "none"]), "what is exempt if a power names no centre"),
    ("exemption.change", Values::Words(&["never", "last-home"]), "whether the choice can be changed"),
    ("exemption.lapse", Values::Words(&["never", "eliminated"]), "whether it ends with its power"),
    ("exemption.announce", Values::Words(&["never", "on-request"]), "whether it can be made known"),
    ("holes.per_season", COUNT, "how many open each season"),
    ("holes.closure", CLOSURE, "whether what is round a hole meets across it"),
    ("holes.retreats", Values::Words(&["foretold", "unforetold"]), "whether the retreats know the hole"),
    ("holes.seasons", SEASONS, "when they open"),
    ("holes.faces", FACES, "what may become one"),
    ("restores.per_hole", COUNT, "how many come back for each hole of the season"),
    ("restores.from", Values::Other("a movement phase"), "the first season in which any comes back"),
    (
        "restores.home_returns_to",
        Values::Words(&["last-owner", "home-power"]),
        "whose a home centre is that comes back",
    ),
    ("splits.per_season", COUNT, "how many provinces are split each season"),
    ("splits.seasons", SEASONS, "when they are"),
    (
        "splits.faces",
        Values::Words(&["provinces", "land", "sea", "centres", "no-centres"]),
        "what may be split",
    ),
    ("toggles.per_season", COUNT, "how many faces toggle each season"),
    ("toggles.closure", CLOSURE, "whether what is round a hole meets across it"),
    ("toggles.seasons", SEASONS, "when they toggle"),
    ("toggles.faces", FACES, "what may toggle"),
    (
        "deluge.schedule",
        Values::Words(&["ru10", "early-centres"]),
        "which of the schedules of new centres is in force",
    ),
    ("deluge.submerges", BY_YEAR, "what becomes a sea, at the end of which Winter"),
    (
        "deluge.centres",
        Values::Other("provinces by schedule and year"),
        "what becomes a supply centre, and when",
    ),
    ("deluge.opens", BY_YEAR, "what is impassable until the end of which Winter"),
    (
        "deluge.boundaries",
        Values::Other("provinces by power"),
        "what lies within the boundary of which power",
    ),
    (
        "seismic.after",
        Values::Words(&["spring-and-winter", "spring-and-fall"]),
        "after which seasons seismic events are ordered",
    ),
    ("seismic.waterways", Values::Words(&["passages", "isthmuses"]), "which straits and canals there are"),
    (
        "seismic.coastless",
        Values::Words(&["trapped", "trapped-or-disbanded"]),
        "what becomes of a fleet without a coast",
    ),
    (
        "seismic.passages",
        Values::Other("two seas for each province"),
        "coasts that are one if a province has both",
    ),
];

/// The keys of all parameters.
pub fn keys() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|&(key, ..)| key)
}

impl Variant {
    /// Its parameters, in the order of the file: those of the sections that it has.
    pub fn parameters(&self) -> Vec<Parameter<'_>> {
        let file = self.sections();
        ALL.iter()
            .filter_map(|&(key, values, meaning)| {
                let mut at = Some(&file);
                for part in key.split('.') {
                    at = at.and_then(|value| value.get(part));
                }
                let source = self.sources.get(key).map(String::as_str);
                at.map(|value| Parameter { key, value: plain(value), values, meaning, source })
            })
            .collect()
    }

    /// What decides how it plays, in the form of a variant file.
    fn sections(&self) -> Value {
        let names = self.terrain.names();
        let rulebook = match self.rulebook.with_units_of(&Rulebook::R2023) {
            Rulebook::R2023 => "2023".into(),
            Rulebook::R1971 => "1971".into(),
            other => serde_json::json!(other),
        };
        let placed = Power::ALL.iter().map(|&power| (power, self.units(power)));
        let placed = placed.filter(|(_, units)| !units.is_empty());
        let units: Vec<String> =
            placed.map(|(power, units)| format!("{power}: {}", units.join(", "))).collect();
        let units = if units.is_empty() { "none".to_owned() } else { units.join("; ") };
        let mut sections = serde_json::json!({
            "map": self.map,
            "rulebook": rulebook,
            "start": { "phase": self.first_phase.to_string(), "units": units },
            "victory": { "rule": self.victory, "deserted": self.deserted },
            "retreats": { "unordered": self.unordered_retreats },
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

/// A value without quotes and brackets: `1901: LON HOL; 1902: YOR`, and of tables within a table
/// `ru10 (1902: WAL; 1903: UKR), …`.
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
