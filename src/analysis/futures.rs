//! Paired futures of a game: as it was, and with the change.

use crate::Estimate;
use crate::blocks::mean_of_blocks;
use crate::table::Table;
use std::fmt::Write as _;
use upheaval_harness::record::GameRow;
use upheaval_map::ids::{Power, PowerNames};

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
pub struct Futures<'a> {
    pairs: &'a [[GameRow; 2]],
}

impl<'a> Futures<'a> {
    /// For these pairs.
    pub fn of(pairs: &'a [[GameRow; 2]]) -> Futures<'a> {
        Futures { pairs }
    }

    /// The effect on a power; `None` where there are fewer futures than [`LEAST`].
    pub(crate) fn power(&self, power: Power) -> Option<PowerFutures> {
        if self.pairs.len() < LEAST {
            return None;
        }
        let centres = |row: &GameRow| f64::from(row.seats[power].centres);
        let solo = |row: &GameRow| f64::from(u8::from(row.winner == Some(power)));
        let (centres, effect) = self.paired(centres);
        let (solos, effect_on_solos) = self.paired(solo);
        Some(PowerFutures { centres, solos, effect, effect_on_solos })
    }

    /// The means of both sides, and the difference with its interval: over the pairs.
    fn paired(&self, of: impl Fn(&GameRow) -> f64) -> ([f64; 2], Estimate) {
        let count = self.pairs.len() as f64;
        let mean = |side: usize| self.pairs.iter().map(|pair| of(&pair[side])).sum::<f64>() / count;
        let means = [mean(0), mean(1)];
        let difference = means[1] - means[0];
        let pairs: Vec<(f64, u64)> = self.pairs.iter().map(|[was, is]| (of(is) - of(was), 1)).collect();
        (means, mean_of_blocks(&pairs).unwrap_or(Estimate::alone(difference)))
    }

    /// A table for a terminal, or a line in its place where there are too few futures.
    pub fn render(&self, powers: &PowerNames) -> String {
        if self.pairs.is_empty() {
            return String::new();
        }
        let mut text = String::new();
        if self.pairs.len() < LEAST {
            let futures = self.pairs.len();
            // Writing into a string cannot fail.
            let _ = writeln!(
                text,
                "{futures} {} no effect: one game more or less is an anecdote; ask for at least {LEAST} futures, or better for 200",
                if futures == 1 { "future shows" } else { "futures show" }
            );
            return text;
        }
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
            let Some(of) = self.power(power) else { continue };
            let percent = |share: f64| 100.0 * share;
            let [centres, otherwise] = of.centres.map(|mean| format!("{mean:.2}"));
            let [solos, solos_otherwise] = of.solos.map(|share| format!("{:.1}", percent(share)));
            let (by, of_solos) = (of.effect.signed(2), of.effect_on_solos.map(percent).signed(1));
            table.row(powers.name(power), [centres, otherwise, by, solos, solos_otherwise, of_solos]);
        }
        text
    }
}
