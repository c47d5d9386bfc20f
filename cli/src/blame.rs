//! Bot faults as text.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};
use upheaval::analysis::Faults;
use upheaval::bot::{Conduct, Incident};
use upheaval::diagnostic::one_line;

/// The most reasons for refusing orders that are listed for a bot.
const REASONS: usize = 5;

/// The table of faults, and for each bot the first fault of each kind in words. The reasons for refusing orders are
/// kinds of their own, the most frequent first, each with the number of times.
pub(crate) fn text(faults: &Faults, incidents: BTreeMap<&str, Vec<Incident>>) -> String {
    let mut text = faults.render();
    for (bot, kinds) in kinds(incidents) {
        let (refused, others): (Vec<_>, Vec<_>) =
            kinds.iter().partition(|incident| incident.conduct == Conduct::Illegal);
        for first in others.into_iter().chain(refused.iter().copied().take(REASONS)) {
            let phase = first.phase.as_deref().unwrap_or("the start");
            let (game, power, name) = (&first.game, &first.power, first.conduct.name());
            // Of other faults, the first thousand are kept.
            let is_counted = first.conduct == Conduct::Illegal && first.times > 1;
            let often = if is_counted { format!(" {} times, first", first.times) } else { String::new() };
            let reason = one_line(&first.reason);
            // Writing into a string cannot fail.
            let _ = writeln!(text, "{bot}: {name}{often} in {game}, {power}, {phase}: {reason}");
            if let Some(words) = first.last_words.lines().last() {
                let _ = writeln!(text, "{bot}: its last words: {words}");
            }
        }
        if let Some(rest @ [_, ..]) = refused.get(REASONS..) {
            let times: u64 = rest.iter().map(|incident| incident.times).sum();
            let reasons = rest.len();
            let _ = writeln!(text, "{bot}: illegal {times} times for {reasons} other reason(s)");
        }
    }
    text
}

/// The same as an object: the table, and in `incidents` of each bot the first fault of each kind.
pub(crate) fn object(faults: &Faults, incidents: BTreeMap<&str, Vec<Incident>>) -> Value {
    let mut object = faults.to_json();
    let incident = |bot: &str, first: &Incident| {
        json!({
            "bot": bot,
            "fault": first.conduct.name(),
            "game": first.game,
            "power": first.power,
            "phase": first.phase,
            "reason": first.reason,
            "last_words": first.last_words,
            "times": first.times,
        })
    };
    let of_bots = kinds(incidents);
    let all = of_bots.iter().flat_map(|(bot, kinds)| kinds.iter().map(|first| incident(bot, first)));
    object["incidents"] = all.collect();
    object
}

/// Of each bot the first fault of each kind, counted, and each reason for refusing orders, the most frequent first.
fn kinds<'a>(incidents: BTreeMap<&'a str, Vec<Incident>>) -> Vec<(&'a str, Vec<Incident>)> {
    let of_bot = |(bot, mut incidents): (&'a str, Vec<Incident>)| {
        // Within a game they are in order already.
        incidents.sort_by(|a, b| (&a.game, &a.power).cmp(&(&b.game, &b.power)));
        let mut kinds: Vec<Incident> = Vec::new();
        for conduct in Conduct::ALL {
            let mut of_kind = incidents.iter().filter(|incident| incident.conduct == conduct).cloned();
            if conduct == Conduct::Illegal {
                let from = kinds.len();
                kinds.extend(of_kind);
                kinds[from..].sort_by_key(|incident| Reverse(incident.times));
            } else if let Some(first) = of_kind.next() {
                let times = first.times + of_kind.map(|incident| incident.times).sum::<u64>();
                kinds.push(Incident { times, ..first });
            }
        }
        (bot, kinds)
    };
    incidents.into_iter().map(of_bot).collect()
}
