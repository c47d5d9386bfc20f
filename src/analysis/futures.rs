//! Paired futures of a game: as it was, and with the change.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::Estimate;
use crate::blocks::{mean_of, mean_of_blocks};
use crate::table::Table;
use upheaval_harness::branch::{Surveyed, SurveyedBranch};
use upheaval_harness::record::GameRow;
use upheaval_map::ids::{ByPower, Power, PowerNames, Powers};

/// With fewer futures no effect is reported: one future is an anecdote.
pub(crate) const LEAST: usize = 20;

/// The effect of the change on one power.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PowerFutures {
    /// Its centres at the end, without and with the change: means over the futures.
    pub centres: [f64; 2],
    /// The share of futures that it wins alone, without and with the change.
    pub solos: [f64; 2],
    /// The difference in centres, with the change minus without.
    pub effect: Estimate,
    /// The difference in the share of solos.
    pub effect_on_solos: Estimate,
}

/// Pairs of futures with the same number: without the change, and with it.
type Pairs = [[GameRow; 2]];

/// The effect on a power; `None` where there are fewer futures than [`LEAST`].
pub(crate) fn power_futures(pairs: &Pairs, power: Power) -> Option<PowerFutures> {
    if pairs.len() < LEAST {
        return None;
    }
    let (centres, effect) = paired(pairs, |row| f64::from(row.seats[power].centres));
    let (solos, effect_on_solos) = paired(pairs, |row| f64::from(u8::from(row.winner == Some(power))));
    Some(PowerFutures { centres, solos, effect, effect_on_solos })
}

/// The means of both sides, and the difference with its interval: over the pairs.
fn paired(pairs: &Pairs, of: impl Fn(&GameRow) -> f64) -> ([f64; 2], Estimate) {
    let means = [0, 1].map(|side| pairs.iter().map(|pair| of(&pair[side])).sum::<f64>() / pairs.len() as f64);
    let difference = mean_of(pairs.iter().map(|[was, is]| of(is) - of(was)));
    (means, difference.unwrap_or(Estimate::alone(means[1] - means[0])))
}

/// A table for a terminal, or a line in its place where there are too few futures.
pub fn render_pairs(pairs: &Pairs, powers: &PowerNames) -> String {
    if pairs.is_empty() {
        return String::new();
    }
    if pairs.len() < LEAST {
        let few =
            if pairs.len() == 1 { "1 future is".to_owned() } else { format!("{} futures are", pairs.len()) };
        return format!("{few} too few to show an effect; ask for at least {LEAST}, or better for 200\n");
    }
    let mut text = String::new();
    let difference = "difference (95% CI)";
    let columns = [
        ("centres", 9),
        ("otherwise", 11),
        (difference, 27),
        ("solos %", 9),
        ("otherwise", 11),
        (difference, 29),
    ];
    let mut table = Table::new(&mut text, ("power", 10), columns);
    for power in powers.powers() {
        let Some(of) = power_futures(pairs, power) else { continue };
        let percent = |share: f64| 100.0 * share;
        let [centres, otherwise] = of.centres.map(|mean| format!("{mean:.2}"));
        let [solos, solos_otherwise] = of.solos.map(|share| format!("{:.1}", percent(share)));
        let (by, of_solos) = (of.effect.signed(2), of.effect_on_solos.map(percent).signed(1));
        table.row(powers.name(power), [centres, otherwise, by, solos, solos_otherwise, of_solos]);
    }
    text
}

// The effect of a hole, a split, a return or a quake of each province on each power: games forked at one moment, once
// without any such event and once with this one alone.

/// The effect on all powers if one province is drawn, or if one of the quakes that separate it from another happens,
/// each equally likely.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlaceEffect {
    /// The province.
    pub province: String,
    /// The games in which that could happen.
    pub games: u64,
    /// The blocks of these games.
    pub blocks: u64,
    /// By how many more centres each power has some years later than if nothing had happened.
    pub powers: BTreeMap<String, Estimate>,
}

/// The mean of differences over all games with its interval by block, from their sum and the number of games of each
/// block; NaN without games.
fn mean_by_block(blocks: impl Iterator<Item = (f64, u64)>) -> Estimate {
    mean_of_blocks(&blocks.collect::<Vec<_>>()).unwrap_or(Estimate::alone(f64::NAN))
}

/// The effects of all provinces, in the order of their names.
pub fn places(forked: &[Surveyed], names: &PowerNames) -> Vec<PlaceEffect> {
    let powers = names.powers();
    let mut tally: BTreeMap<&str, BTreeMap<u32, (ByPower<f64>, u64)>> = BTreeMap::new();
    for game in forked {
        let mut by_province: BTreeMap<&str, Vec<&SurveyedBranch>> = BTreeMap::new();
        for branch in &game.happened {
            branch.provinces.iter().for_each(|name| by_province.entry(name).or_default().push(branch));
        }
        for (province, branches) in by_province {
            let blocks = tally.entry(province).or_default();
            let (sums, games) =
                blocks.entry(game.block).or_insert_with(|| (ByPower::from_fn(powers, |_| 0.0), 0));
            *games += 1;
            for power in powers {
                let happened = mean(branches.iter().map(|branch| f64::from(branch.outcomes[power])));
                sums[power] += happened - f64::from(game.without[power]);
            }
        }
    }
    let place = |(province, blocks): (&str, BTreeMap<u32, (ByPower<f64>, u64)>)| {
        let of =
            |power: Power| (power, mean_by_block(blocks.values().map(|(sums, games)| (sums[power], *games))));
        PlaceEffect {
            province: province.to_owned(),
            games: blocks.values().map(|(_, games)| *games).sum(),
            blocks: blocks.len() as u64,
            powers: names.by_name(powers.iter().map(of)),
        }
    };
    tally.into_iter().map(place).collect()
}

/// The mean of some numbers; NaN without numbers.
fn mean(of: impl Iterator<Item = f64> + Clone) -> f64 {
    of.clone().sum::<f64>() / of.count() as f64
}

/// The effect on each power if something happens to one of its homes rather than to another province, with all
/// provinces of either group equally likely: [`crate::balance`] estimates the same from games as they were (`--whose
/// home`), but for at least one event rather than exactly one.
pub fn homes(
    forked: &[Surveyed],
    powers: Powers,
    is_home: impl Fn(&str, Power) -> bool,
) -> ByPower<Estimate> {
    ByPower::from_fn(powers, |power| {
        let mut blocks: BTreeMap<u32, (f64, u64)> = BTreeMap::new();
        for game in forked {
            let of = |home: bool| {
                let strikes =
                    |branch: &&SurveyedBranch| branch.provinces.iter().any(|name| is_home(name, power));
                let branches = game.happened.iter().filter(move |branch| strikes(branch) == home);
                mean(branches.map(|branch| f64::from(branch.outcomes[power])))
            };
            let difference = of(true) - of(false);
            if !difference.is_nan() {
                let (sum, games) = blocks.entry(game.block).or_default();
                *games += 1;
                *sum += difference;
            }
        }
        mean_by_block(blocks.into_values())
    })
}

/// For each power the effect on it where the forked event happened at one of its homes, and the estimate of
/// [`balance`](crate::balance), as a table for a terminal.
pub fn render_homes<'a>(rows: impl IntoIterator<Item = (&'a str, [Option<Estimate>; 2])>) -> String {
    let mut text = String::new();
    let mut table = Table::without_headings(&mut text, 10, [25, 25]);
    for (power, effects) in rows {
        table.row(power, effects.map(|of| of.map_or("-".to_owned(), |of| of.signed(2))));
    }
    text
}

/// The effects as a table for a terminal: a row for each province, a column for each power.
pub fn render(places: &[PlaceEffect], powers: &PowerNames) -> String {
    let mut text = String::new();
    let columns = [("games", 7)].into_iter().chain(powers.iter().map(|power| (power, 25)));
    let mut table = Table::new(&mut text, ("province", 10), columns);
    for place in places {
        let effects = powers.iter().map(|power| place.powers[power].signed(2));
        table.row(&place.province, [place.games.to_string()].into_iter().chain(effects));
    }
    text
}
