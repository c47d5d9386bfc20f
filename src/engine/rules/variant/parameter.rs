//! The parameters in which variants can differ: every key of a variant file that affects play, with its
//! value, its permitted values, its meaning, and its source.

use serde_json::Value;

use super::model::{RetreatsSent, UnorderedRetreats, Variant, Waterways};
use crate::rules::adjustment::BuildSite;
use crate::rules::changes::{ENTRY_KEYS, now};
use crate::rules::rulebook::{ArmyBecomesFleet, ArmyFleets, Rulebook};
use crate::rules::victory::{Deserted, VictoryRule};
use crate::rules::words::Key;
use upheaval_map::topology::Waterway;
use upheaval_map::wording::suggest;

pub use crate::rules::words::PermittedValues;

/// A parameter of a variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter<'a> {
    /// Section and key in the file: `victory.rule`; for a key of an entry `changes.`, its id and the key:
    /// `changes.holes.count`.
    pub key: String,
    /// The value.
    pub value: String,
    /// The permitted values.
    pub values: PermittedValues,
    /// The meaning.
    pub meaning: &'static str,
    /// The source of the value: a rule of the seed, or a ruling. `None` if the file does not give one.
    pub source: Option<&'a str>,
}

/// The parameters that are not keys of entries, in the order of the file.
const GENERAL: &[Key] = &[
    Key::other("map", "standard, deluge, sahara, or the path of a map file", "the board"),
    Key::other("rulebook", "2023, 1971, or a table of switches", "the rules of movement and retreat"),
    Key::other("start.phase", "a movement phase, or a Winter's adjustments", "the first phase"),
    Key::other("start.units", "a list for each power", "the units at the start"),
    Key::words("victory.rule", VictoryRule::NAMES, "the condition of victory"),
    Key::other("victory.last_winter", "a year", "the year of the last Winter"),
    Key::words(
        "victory.deserted",
        Deserted::NAMES,
        "the powers that share the draw if no power has a unit or centre left",
    ),
    Key::words(
        "retreats.sent",
        RetreatsSent::NAMES,
        "when powers send their retreats: after the movement, or as lists with the orders",
    ),
    Key::words(
        "retreats.unordered",
        UnorderedRetreats::NAMES,
        "the treatment of a dislodged unit without a valid order",
    ),
    Key::words("builds.sites", BuildSite::NAMES, "where units are built"),
    Key::other("board.archipelagos", "land provinces", "land provinces that fleets can sail through"),
    Key::words("units.army_fleets", &["no", "yes"], "whether armies board fleets and are carried by them"),
    Key::other(
        "units.max_seasons_aboard",
        "unlimited, or 1 to 255",
        "how many seasons an army may end aboard",
    ),
    Key::words(
        "units.army_becomes_fleet",
        ArmyBecomesFleet::NAMES,
        "whether an army on a coast may become a fleet",
    ),
    Key::other(COUNTRIES, "provinces by power", "the provinces within the boundary of each power"),
    Key::words("waterways.rule", Waterways::NAMES, "the kind of straits and canals"),
    Key::other(
        "waterways.passages",
        "two seas for each province",
        "the provinces that have a single coast on two seas",
    ),
];

/// The section of the countries.
const COUNTRIES: &str = "countries";

/// The list of entries.
pub(super) const CHANGES: &str = "changes";

/// The keys of all parameters that are not keys of entries.
pub fn keys() -> impl Iterator<Item = &'static str> {
    GENERAL.iter().map(|key| key.name)
}

/// The keys that an entry may have, without those that name it.
pub fn entry_keys() -> impl Iterator<Item = &'static str> {
    ENTRY_KEYS.iter().map(|key| key.name)
}

/// Is this a key that affects play, a section of such keys, or an entry below one? Any id counts as that of an entry.
pub fn is_parameter(key: &str) -> bool {
    let above = |long: &str, short: &str| long.strip_prefix(short).is_some_and(|rest| rest.starts_with('.'));
    let parts: Vec<&str> = key.split('.').collect();
    match parts[..] {
        _ if parts.iter().any(|part| part.is_empty()) => false,
        [CHANGES] | [CHANGES, _] => true,
        [CHANGES, _, of_entry, ..] => entry_keys().any(|known| known == of_entry),
        _ => keys().any(|known| known == key || above(known, key) || above(key, known)),
    }
}

/// The hint for a key that is not a parameter: what it is called now, or the known ones.
pub fn known(key: &str) -> String {
    if let Some(now) = now(key) {
        return format!("it is `{now}` now");
    }
    match key.split('.').collect::<Vec<_>>()[..] {
        [CHANGES, id, of_entry, ..] => {
            let all: Vec<String> = entry_keys().map(|key| format!("{CHANGES}.{id}.{key}")).collect();
            suggest(&format!("{CHANGES}.{id}.{of_entry}"), all.iter().map(String::as_str))
        }
        _ => suggest(key, keys().chain([CHANGES])),
    }
}

impl Variant {
    /// Its parameters, in the order of the file, limited to the sections and entries that it has.
    pub fn parameters(&self) -> Vec<Parameter<'_>> {
        let file = self.sections();
        let source = |key: &str| self.sources.get(key).map(String::as_str);
        let general = GENERAL.iter().filter_map(|&Key { name, values, meaning }| {
            let value = name.split('.').try_fold(&file, |at, part| at.get(part))?;
            let (key, source) = (name.to_owned(), source(name));
            Some(Parameter { key, value: plain(value), values, meaning, source })
        });
        let of_entries = self.changes.entries().iter().flat_map(|entry| {
            let values = entry.values().into_iter();
            values.filter_map(|(name, value)| {
                let Key { values, meaning, .. } = *ENTRY_KEYS.iter().find(|key| key.name == name)?;
                let key = format!("{CHANGES}.{}.{name}", entry.id);
                let source = source(&key);
                Some(Parameter { key, value: plain(&value), values, meaning, source })
            })
        });
        general.chain(of_entries).collect()
    }

    /// Does its file state this key, so that the value is not a default?
    pub fn states(&self, key: &str) -> bool {
        let file = self.files.to_json();
        let part = |at: &Value, part: &str| match at {
            Value::Array(entries) => entries.iter().find(|entry| entry["id"] == part).cloned(),
            _ => at.get(part).cloned(),
        };
        key.split('.').try_fold(file, |at, name| part(&at, name)).is_some()
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
        if !self.changes.countries.is_empty() {
            sections[COUNTRIES] = serde_json::json!(self.changes.countries);
        }
        if let Some(rule) = self.waterways {
            sections["waterways"] = serde_json::json!({ "rule": rule });
            if rule == Waterways::Passages {
                sections["waterways"]["passages"] = self.passages();
            }
        }
        sections
    }

    /// The provinces with a single coast on two seas.
    fn passages(&self) -> Value {
        let names = self.terrain.names();
        let passages = self.terrain.chart().map().waterways().filter_map(|waterway| match waterway {
            Waterway::Passage { province, seas } => Some((
                names.province(*province).to_owned(),
                serde_json::json!(seas.map(|sea| names.province(sea))),
            )),
            Waterway::Strait { .. } | Waterway::Canal { .. } => None,
        });
        passages.collect()
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
