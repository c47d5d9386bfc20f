//! How bots answer polls: they vote for the place whose change hurts the strongest rivals most, and never for one that
//! hurts themselves more.
//!
//! ```text
//!   stake of a power in a place:   its centre 3 · its unit 2
//!   a place that vanishes:         the stakes of rivals, times their size  −  its own stake, times the largest size
//! ```

use upheaval_engine::ask::{Answer, Observation};
use upheaval_engine::bot::Decision;
use upheaval_engine::ids::{Power, ProvinceId};
use upheaval_engine::rng::Stream;
use upheaval_engine::rules::changes::Verb;
use upheaval_engine::rules::order::Poll;

/// Gives the most useful answer, if any is useful. The dice decide between equals.
pub(crate) fn choose(seen: &Observation<'_>, poll: &Poll, dice: &mut Stream, answer: &mut Answer<'_>) {
    let largest = seen.powers().iter().map(|power| size(seen, power)).max().unwrap_or(1);
    let changes = seen.polled(poll).into_iter();
    let values: Vec<i64> = changes.map(|(face, verb)| worth(seen, largest, face, verb)).collect();
    let most = values.iter().copied().max().unwrap_or(0);
    let best: Vec<usize> = (0..values.len()).filter(|&i| values[i] == most && most > 0).collect();
    // The places are those of the options, in their order.
    if let Some(option) = dice.choose(&best).and_then(|&i| poll.options.get(i)) {
        answer.give(&Decision::Ballot(poll.ballot(option)));
    }
}

/// How much a power weighs.
fn size(seen: &Observation<'_>, power: Power) -> i64 {
    seen.position.centres_of(power).len() as i64 + 1
}

/// The worth to the power of a change of a place, where the largest power weighs this much.
fn worth(seen: &Observation<'_>, largest: i64, face: ProvinceId, verb: Verb) -> i64 {
    let value = |power: Power| match power == seen.power {
        true => -2 * largest,
        false => size(seen, power),
    };
    let owner = seen.position.owner(face).filter(|_| seen.centres.contains(face)).map_or(0, value);
    let unit = seen.position.unit(face).map_or(0, |unit| value(unit.power));
    match verb {
        Verb::Collapse | Verb::Void | Verb::Submerge => 3 * owner + 2 * unit,
        Verb::Freeze | Verb::Raise => 2 * unit,
        Verb::Ruin => 3 * owner,
        // What it doubles, or gives to the power that stands there.
        Verb::Split => -3 * owner - 2 * unit,
        Verb::Found => -3 * unit,
        Verb::Restore | Verb::Open | Verb::Dig | Verb::Mark | Verb::Quake => 0,
    }
}
