//! Bot faults as text.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};
use upheaval::analysis::Faults;
use upheaval::bot::{Conduct, Incident};
use upheaval::diagnostic::one_line;

/// The table of faults, and for each bot the first fault of each kind in words.
pub fn text(faults: &Faults, incidents: BTreeMap<&str, Vec<Incident>>) -> String {
    let mut text = faults.render();
    for (bot, first) in firsts(incidents) {
        let phase = first.phase.as_deref().unwrap_or("the start");
        let (game, power, name) = (&first.game, first.power, first.conduct.name());
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{bot}: {name} in {game}, {power}, {phase}: {}", one_line(&first.reason));
        if let Some(words) = first.last_words.lines().last() {
            let _ = writeln!(text, "{bot}: its last words: {words}");
        }
    }
    text
}

/// The same as an object: the table, and in `incidents` of each bot the first fault of each kind.
pub fn object(faults: &Faults, incidents: BTreeMap<&str, Vec<Incident>>) -> Value {
    let mut object = faults.to_json();
    let incident = |(bot, first): (&str, Incident)| {
        json!({
            "bot": bot,
            "fault": first.conduct.name(),
            "game": first.game,
            "power": first.power.name(),
            "phase": first.phase,
            "reason": first.reason,
            "last_words": first.last_words,
        })
    };
    object["incidents"] = firsts(incidents).into_iter().map(incident).collect();
    object
}

/// Of each bot the first fault of each kind.
fn firsts(incidents: BTreeMap<&str, Vec<Incident>>) -> Vec<(&str, Incident)> {
    let mut firsts = Vec::new();
    for (bot, mut incidents) in incidents {
        // Within a game they are in order already.
        incidents.sort_by(|a, b| (&a.game, a.power).cmp(&(&b.game, b.power)));
        let first = |word: &Conduct| incidents.iter().find(|incident| incident.conduct == *word);
        firsts.extend(Conduct::ALL.iter().filter_map(first).map(|first| (bot, first.clone())));
    }
    firsts
}
