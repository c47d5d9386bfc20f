//! An event as text: the columns of the table `events` by name, and a sentence for people.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::event::{Description, EventColumn, EventKind};
use super::map_tables::MapTables;
use upheaval_map::ids::PowerNames;

/// An event: the columns of the table `events`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct EventLine {
    pub kind: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub province: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub power: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub other: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub detail: Option<String>,
}

impl EventLine {
    /// An event on the terrain of its moment.
    pub fn new(told: Description<'_>, terrain: &MapTables) -> EventLine {
        let Description { kind, province, power, other, unit, detail } = told;
        let name = |power| terrain.power_names().name(power).to_owned();
        EventLine {
            kind: kind.name().to_owned(),
            province: province.map(|id| terrain.chart().map().name(id).to_owned()),
            power: power.map(name),
            other: other.map(name),
            unit: unit.map(|unit| unit.name().to_owned()),
            detail: Some(detail.display(terrain).to_string()).filter(|detail| !detail.is_empty()),
        }
    }

    /// The event as a sentence, in a game of these powers.
    pub fn display(&self, powers: &PowerNames) -> impl fmt::Display {
        fmt::from_fn(move |f| self.write(f, powers))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, powers: &PowerNames) -> fmt::Result {
        let Some(kind) = self.kind() else {
            return write!(f, "{} {}", self.kind, self.province.as_deref().unwrap_or("?"));
        };
        let info = kind.info();
        let mut left = match info.without {
            Some((column, sentence)) if self.is_without(column) => sentence,
            _ => info.sentence,
        };
        // A word in braces stands for a field of the line.
        while let Some((before, (word, after))) =
            left.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
        {
            f.write_str(before)?;
            self.write_word(word, f, powers)?;
            left = after;
        }
        f.write_str(left)
    }

    /// The kind of the event; `None` where this program does not know it.
    pub fn kind(&self) -> Option<EventKind> {
        EventKind::ALL.into_iter().find(|kind| kind.name() == self.kind)
    }

    fn is_without(&self, column: EventColumn) -> bool {
        match column {
            EventColumn::Power => self.power.is_none(),
            EventColumn::Other => self.other.is_none(),
            EventColumn::Detail => self.detail.as_deref().is_none_or(str::is_empty),
        }
    }

    /// Writes the value of a word of a [sentence](super::event::EventInfo::sentence).
    fn write_word(&self, word: &str, f: &mut fmt::Formatter<'_>, powers: &PowerNames) -> fmt::Result {
        let name = |power| or_nobody(power, powers);
        let province = self.province.as_deref().unwrap_or("?");
        let detail = self.detail.as_deref().unwrap_or_default();
        match word {
            "province" => f.write_str(province),
            "power" => f.write_str(name(&self.power)),
            "other" => f.write_str(name(&self.other)),
            "detail" => f.write_str(detail),
            "letters" => f.write_str(self.unit.as_deref().unwrap_or("?")),
            "unit" => {
                let unit = self.unit.as_deref().unwrap_or("unit");
                write!(f, "{}'s {unit} {province}", name(&self.power))
            }
            "powers" => f.write_str(&and(&all_proper(detail, powers))),
            other => write!(f, "{{{other}}}"),
        }
    }
}

/// The proper name of a power, if there is one.
fn or_nobody<'a>(power: &'a Option<String>, powers: &'a PowerNames) -> &'a str {
    power.as_deref().map_or("nobody", |name| powers.proper(name))
}

/// The proper names of powers whose names are in a list.
pub fn all_proper<'a>(list: &'a str, powers: &'a PowerNames) -> Vec<&'a str> {
    list.split(' ').map(|word| powers.proper(word)).collect()
}

/// `Austria, Italy and Turkey`
pub fn and(names: &[&str]) -> String {
    match names {
        [names @ .., last] if !names.is_empty() => format!("{} and {last}", names.join(", ")),
        names => names.concat(),
    }
}
