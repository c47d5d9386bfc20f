//! Files in the old form: their sections are refused, and the text that the error gives in their place loads and says
//! the same.

use std::collections::BTreeMap;
use std::sync::Arc;

use upheaval::rules::variant::Variant;

use crate::helpers::shipped::{check, variant};

/// A variant that ships, with its old sections.
const OLD: [(&str, &str); 8] = [
    (
        "black-hole",
        r#"[exemption]
unnamed = "drawn"
change = "never"
lapse = "never"
announce = "never"
[holes]
per_season = 1
closure = "collapse"
retreats = "foretold"
seasons = "spring-and-fall"
faces = "provinces"
"#,
    ),
    (
        "black-hole-i",
        r#"[exemption]
unnamed = "drawn"
change = "last-home"
lapse = "eliminated"
announce = "on-request"
[holes]
per_season = 1
closure = "void"
retreats = "unforetold"
seasons = "spring-and-fall"
faces = "provinces"
"#,
    ),
    (
        "black-hole-ii",
        r#"[exemption]
unnamed = "drawn"
change = "last-home"
lapse = "eliminated"
announce = "on-request"
[holes]
per_season = 1
closure = "collapse"
retreats = "unforetold"
seasons = "spring-and-fall"
faces = "provinces"
"#,
    ),
    (
        "double-reversible",
        r#"[toggles]
per_season = 2
closure = "collapse"
seasons = "spring-and-fall"
faces = "provinces-and-impassable"
"#,
    ),
    (
        "schizo-ii",
        r#"[exemption]
unnamed = "none"
change = "never"
lapse = "never"
announce = "never"
[holes]
per_season = 1
closure = "void"
retreats = "unforetold"
seasons = "spring-and-fall"
faces = "provinces"
[restores]
per_hole = 1
from = "S1905M"
home_returns_to = "last-owner"
[splits]
per_season = 1
seasons = "spring-and-fall"
faces = "provinces"
"#,
    ),
    (
        "deluge-ii",
        r#"[deluge]
schedule = "ru10"
submerges = { 1901 = ["LON", "HOL"], 1902 = ["YOR"] }
opens = { 1901 = ["ICE"] }
boundaries = { ENGLAND = ["CLY", "EDI"] }
[deluge.centres.ru10]
1902 = ["WAL"]
[deluge.centres.early-centres]
1901 = ["WAL"]
"#,
    ),
    (
        "seismic-1971",
        r#"[seismic]
after = "spring-and-winter"
waterways = "passages"
coastless = "trapped"
[seismic.passages]
CON = ["AEG", "BLA"]
DEN = ["BAL", "SKA"]
KIE = ["BAL", "HEL"]
NAP = ["ION", "TYS"]
SWE = ["BAL", "SKA"]
"#,
    ),
    (
        "seismic-acerunner",
        r#"[seismic]
after = "spring-and-fall"
waterways = "isthmuses"
coastless = "trapped-or-disbanded"
"#,
    ),
];

/// The file of a variant without what has to do with changes of the map.
fn bare(id: &str) -> String {
    let text = Variant::shipped_text(id).expect("it ships");
    let sections = ["[[changes]]", "[countries]", "[waterways]", "[sources]"];
    let end =
        sections.iter().filter_map(|section| text.find(&format!("\n{section}"))).min().expect("sources");
    text[..end + 1].to_owned()
}

/// The file that follows the error: what it says to write stands before the first section.
fn corrected(bare: &str, error: &str) -> String {
    let (_, instead) = error.split_once("before the first section: ").unwrap_or_else(|| panic!("{error}"));
    let keys = instead.replace("; on a line of its own: ", "\n");
    bare.replacen("\n\n[", &format!("\n{keys}\n\n["), 1)
}

/// The parameters that are about changes of the map.
fn parameters(variant: &Variant) -> BTreeMap<String, String> {
    let all = variant
        .parameters()
        .into_iter()
        .map(|parameter| (parameter.key.to_string(), parameter.value.to_string()));
    all.filter(|(key, _)| ["changes.", "countries", "waterways"].iter().any(|part| key.starts_with(part)))
        .collect()
}

#[test]
fn the_text_that_replaces_an_old_section_loads_and_has_its_values() {
    for (id, sections) in OLD {
        let error = check(bare(id) + sections).map(drop).expect_err("sections of the old form");
        assert_eq!(error.lines().count(), 1, "{error}");
        let text = corrected(&bare(id), &error);
        let new: Arc<Variant> = check(text.clone()).unwrap_or_else(|error| panic!("{id}: {error}\n{text}"));
        let (found, shipped) = (parameters(&new), parameters(&variant(id)));
        for (key, value) in &shipped {
            // The lists of this test are shorter.
            let is_list = key.contains(".schedule") || key.contains("countries");
            // Both name the places that may toggle.
            let is_other = id == "double-reversible" && key == "changes.toggles.of";
            assert!(
                is_list || is_other || found.get(key) == Some(value),
                "{id} {key}: {:?}, not {value}",
                found.get(key)
            );
        }
        match id {
            "deluge-ii" => {
                let content = new.changes.content().to_string();
                for part in [
                    "{\"W1901\":[\"LON\",\"HOL\"],\"W1902\":[\"YOR\"]}",
                    "{\"W1902\":[\"WAL\"]}",
                    "{\"W1901\":[\"ICE\"]}",
                ] {
                    assert!(content.contains(&format!("\"schedule\":{part}")), "{content}");
                }
                assert!(content.contains("{\"countries\":{\"ENGLAND\":[\"CLY\",\"EDI\"]}}"), "{content}");
            }
            _ => assert_eq!(found.len(), shipped.len(), "{id}"),
        }
    }
}
