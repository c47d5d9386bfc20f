//! Bot faults as text.

use std::collections::BTreeMap;
use std::fmt::Write;

use upheaval::analysis::Faults;
use upheaval::bot::{Conduct, Incident};
use upheaval::diagnostic::one_line;

/// The table of faults, and for each bot the first fault of each kind in words.
pub fn text(faults: &Faults, incidents: BTreeMap<&str, Vec<Incident>>) -> String {
    let mut text = faults.render();
    for (bot, mut incidents) in incidents {
        // Within a game they are already in order.
        incidents.sort_by(|a, b| (&a.game, a.power).cmp(&(&b.game, b.power)));
        for word in Conduct::ALL {
            let Some(first) = incidents.iter().find(|incident| incident.conduct == word) else { continue };
            let phase = first.phase.as_deref().unwrap_or("the start");
            let (game, power, name) = (&first.game, first.power, word.name());
            // Writing into a string cannot fail.
            let _ = writeln!(text, "{bot}: {name} in {game}, {power}, {phase}: {}", one_line(&first.reason));
            if let Some(words) = first.last_words.lines().last() {
                let _ = writeln!(text, "{bot}: its last words: {words}");
            }
        }
    }
    text
}
