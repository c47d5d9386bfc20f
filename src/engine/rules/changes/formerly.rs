//! The sections of a variant file that were entries' predecessors: what to write instead of them.

use crate::diagnostic::value::Open;

/// The sections.
pub(in crate::rules) const OLD_SECTIONS: [&str; 7] =
    ["exemption", "holes", "restores", "splits", "toggles", "deluge", "seismic"];

/// An old key with the new key of the section's entry, and the values that have other names now.
type Renamed = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const EXEMPTION: &[Renamed] = &[
    ("unnamed", "unnamed", &[("drawn", "nature")]),
    ("change", "again", &[]),
    ("lapse", "lasts", &[("never", "ever"), ("eliminated", "until-eliminated")]),
    ("announce", "told", &[("never", "owner")]),
];
const HOLES: &[Renamed] = &[
    ("faces", "of", SETS),
    ("per_season", "count", &[]),
    ("closure", "change", &[]),
    ("retreats", "foretold", &[("foretold", "before-retreats"), ("unforetold", "no")]),
    ("seasons", "seasons", &[]),
];
const RESTORES: &[Renamed] = &[
    ("per_hole", "count", &[]),
    ("from", "from", &[]),
    ("home_returns_to", "owner", &[("last-owner", "home-last-owner")]),
];
const SPLITS: &[Renamed] =
    &[("faces", "of", SETS), ("per_season", "count", &[]), ("seasons", "seasons", &[])];
const TOGGLES: &[Renamed] = &[
    ("faces", "of", SETS),
    ("per_season", "count", &[]),
    ("seasons", "seasons", &[]),
    ("closure", "change.open", &[]),
];
const DELUGE: &[Renamed] = &[
    ("schedule", "shift", &[]),
    ("submerges", "schedule", &[]),
    ("centres", "schedule", &[]),
    ("opens", "schedule", &[]),
    ("boundaries", "countries", &[]),
];
const SEISMIC: &[Renamed] = &[
    ("after", "seasons", &[]),
    ("coastless", "stranded", &[("trapped", "trap"), ("trapped-or-disbanded", "trap-or-disband")]),
    ("waterways", "rule", &[]),
    ("passages", "passages", &[]),
];
/// Words for faces, as sets.
const SETS: &[(&str, &str)] =
    &[("no-centres", "(provinces - centres)"), ("provinces-and-impassable", "(provinces | impassable)")];

/// The keys of a section, and the id of its entry.
fn keys_of(section: &str) -> (&'static str, &'static [Renamed]) {
    match section {
        "exemption" => ("spared", EXEMPTION),
        "holes" => ("holes", HOLES),
        "restores" => ("restores", RESTORES),
        "splits" => ("splits", SPLITS),
        "toggles" => ("toggles", TOGGLES),
        "deluge" => ("new-centres", DELUGE),
        _ => ("quakes", SEISMIC),
    }
}

/// The parameter that an old one is now, or an example of those that a section has become.
pub(in crate::rules) fn now(parameter: &str) -> Option<String> {
    let (section, key) = parameter.split_once('.').unwrap_or((parameter, ""));
    if !OLD_SECTIONS.contains(&section) {
        return None;
    }
    let (id, keys) = keys_of(section);
    let (_, new, _) = keys.iter().find(|(old, ..)| *old == key).or(keys.first())?;
    Some(match (section, key) {
        ("deluge", "submerges") => "changes.sinking.schedule".to_owned(),
        ("deluge", "opens") => "changes.opening.schedule".to_owned(),
        ("deluge", "boundaries") => "countries".to_owned(),
        ("seismic", "waterways" | "passages") => format!("waterways.{new}"),
        _ => format!("changes.{id}.{new}"),
    })
}

/// The old sections of a file with their contents.
pub(in crate::rules) struct Old(pub Vec<(&'static str, Open)>);

impl Old {
    fn section(&self, name: &str) -> Option<&Open> {
        self.0.iter().find(|(section, _)| *section == name).map(|(_, content)| content)
    }

    /// What to write in place of the sections, on one line for each key of the file.
    pub(in crate::rules) fn instead(&self) -> String {
        let names: Vec<String> = self.0.iter().map(|(section, _)| format!("[{section}]")).collect();
        let entries: Vec<String> =
            self.0.iter().flat_map(|(section, content)| self.entries(section, content)).collect();
        let mut text = format!(
            "{} became entries of `changes` (docs/changes.md); remove them, and write before the first section: changes = [{}]",
            names.join(" and "),
            entries.join(", ")
        );
        if let Some(table) = self.section("deluge").and_then(|deluge| part(deluge, "boundaries")) {
            text += &format!("; on a line of its own: countries = {}", table.value());
        }
        if let Some(seismic) = self.section("seismic") {
            let rule = quoted(seismic, "waterways").unwrap_or_else(|| "\"isthmuses\"".to_owned());
            let passages = part(seismic, "passages")
                .map_or(String::new(), |table| format!(", passages = {}", table.value()));
            text += &format!("; on a line of its own: waterways = {{ rule = {rule}{passages} }}");
        }
        let known = |section: &str, key: &str| keys_of(section).1.iter().any(|(old, ..)| *old == key);
        for (section, content) in &self.0 {
            let Open::Table(table) = content else { continue };
            for (key, _) in table.iter().filter(|(key, _)| !known(section, key)) {
                text += &format!("; `{section}.{}` has never been a key", **key);
            }
        }
        text
    }

    /// The entries for a section.
    fn entries(&self, section: &str, content: &Open) -> Vec<String> {
        // The fate of fleets without a coast was that of the whole variant.
        let stranded = self.section("seismic").and_then(|seismic| quoted(seismic, "coastless"));
        let stranded = stranded
            .map_or(String::new(), |fate| format!(", stranded = {}", renamed_in(&fate, SEISMIC[1].2)));
        let spared = if self.section("exemption").is_some() { " - spared" } else { "" };
        let set = text(content, "faces").map_or("provinces".to_owned(), |set| renamed_in(&set, SETS));
        let rest = keys(content, keys_of(section).1, &["faces", "closure", "waterways", "passages"]);
        if section == "deluge" {
            let table = text(content, "schedule").unwrap_or_else(|| "ru10".to_owned());
            let centres = part(content, "centres").and_then(|tables| part(tables, &table));
            let entry = |head: &str, table: Option<&Open>| {
                winters(table).map(|rows| format!("{{ {head}, schedule = {{ {rows} }}{stranded} }}"))
            };
            let all = [
                entry(
                    r#"id = "new-centres", change = "found", owner = ["occupant", "last-occupant", "country"]"#,
                    centres,
                ),
                entry(r#"id = "sinking", change = "submerge""#, part(content, "submerges")),
                entry(r#"id = "opening", change = "open""#, part(content, "opens")),
            ];
            return all.into_iter().flatten().collect();
        }
        let entry = match section {
            "exemption" => {
                format!(r#"{{ id = "spared", change = "mark", by = "choice", dice = "exemption"{rest} }}"#)
            }
            "holes" => {
                let change = quoted(content, "closure").unwrap_or_else(|| "\"collapse\"".to_owned());
                format!(r#"{{ id = "holes", of = "{set}{spared}", change = {change}{rest}{stranded} }}"#)
            }
            "restores" => {
                let rest = rest.replace("M\"", "\"");
                format!(
                    r#"{{ id = "restores", of = "holed - new(holes)", per = "holes", change = "restore"{rest}{stranded} }}"#
                )
            }
            "splits" => {
                format!(r#"{{ id = "splits", of = "{set}", change = "split"{rest}{stranded} }}"#)
            }
            "toggles" => {
                let open = quoted(content, "closure").unwrap_or_else(|| "\"collapse\"".to_owned());
                let all = if spared.is_empty() {
                    format!("{set} | under({set})")
                } else {
                    format!("({set} | under({set}))")
                };
                format!(
                    r#"{{ id = "toggles", dice = "holes", at = "before-retreats", of = "{all}{spared}", change = {{ open = {open}, hole = "restore" }}, units = "swallow", entering = "swallow"{rest}{stranded} }}"#
                )
            }
            _ => format!(r#"{{ id = "quakes", change = "quake", by = "orders"{rest} }}"#),
        };
        vec![entry]
    }
}

fn part<'a>(content: &'a Open, key: &str) -> Option<&'a Open> {
    let Open::Table(table) = content else { return None };
    table.iter().find(|(name, _)| name.as_str() == key).map(|(_, value)| &**value)
}

/// The value of a key, if it is a text.
fn text(content: &Open, key: &str) -> Option<String> {
    match part(content, key)? {
        Open::Single(toml::Value::String(text)) => Some(text.clone()),
        _ => None,
    }
}

/// The value of a key as TOML.
fn quoted(content: &Open, key: &str) -> Option<String> {
    Some(part(content, key)?.value().to_string())
}

/// A value, or its new name, in which case it keeps its quotes.
fn renamed_in(value: &str, names: &[(&str, &str)]) -> String {
    let plain = value.trim_matches('"');
    match names.iter().find(|(old, _)| *old == plain) {
        Some((_, new)) => value.replace(plain, new),
        None => value.to_owned(),
    }
}

/// The keys of a section, without these, in the form of an entry: `, count = 1, foretold = "no"`.
fn keys(content: &Open, keys: &[Renamed], without: &[&str]) -> String {
    let key = |(old, new, values): &Renamed| {
        Some(format!(", {new} = {}", renamed_in(&quoted(content, old)?, values)))
    };
    keys.iter().filter(|(old, ..)| !without.contains(old)).filter_map(key).collect()
}

/// A table by year as the rows of a schedule of Winters.
fn winters(table: Option<&Open>) -> Option<String> {
    let Some(Open::Table(table)) = table else { return None };
    let rows = table.iter().map(|(year, names)| format!("W{} = {}", **year, names.value()));
    Some(rows.collect::<Vec<_>>().join(", ")).filter(|rows| !rows.is_empty())
}
