//! Regret matching: how often to choose each row, given what each would have gained in every column.

use upheaval_engine::rng::Stream;

/// The number of passes over the columns.
const PASSES: usize = 100;

/// The resolution of the draw.
const PARTS: u32 = 1 << 24;

/// The payoff of each candidate against each sample, column by column.
#[derive(Debug, Default)]
pub struct Matrix {
    rows: usize,
    payoffs: Vec<f64>,
}

impl Matrix {
    /// Resets to a matrix with this number of rows and no columns.
    pub fn clear(&mut self, rows: usize) {
        self.rows = rows;
        self.payoffs.clear();
    }

    /// Adds a column: the payoff of each row.
    pub fn column(&mut self, payoffs: impl IntoIterator<Item = f64>) {
        self.payoffs.extend(payoffs);
    }

    /// Drops all but the rows with the largest sums of payoffs; the dice decide between equal sums. Returns the rows
    /// that are kept, in their order.
    pub fn keep_best(&mut self, most: usize, dice: &mut Stream) -> Vec<usize> {
        let mut sums = vec![0.0_f64; self.rows];
        for column in self.payoffs.chunks_exact(self.rows) {
            sums.iter_mut().zip(column).for_each(|(sum, payoff)| *sum += payoff);
        }
        let mut best: Vec<usize> = (0..self.rows).collect();
        dice.shuffle(&mut best);
        best.sort_by(|&a, &b| sums[b].total_cmp(&sums[a]));
        best.truncate(most);
        best.sort_unstable();
        let kept =
            self.payoffs.chunks_exact(self.rows).flat_map(|column| best.iter().map(|&row| column[row]));
        self.payoffs = kept.collect();
        self.rows = best.len();
        best
    }

    /// The average frequency of each row over all passes, where each pass chooses rows in proportion to the
    /// regret of not having chosen them more. The frequencies sum to one.
    pub fn strategy(&self) -> Vec<f64> {
        let mut regrets = vec![0.0f64; self.rows];
        let mut sums = vec![0.0f64; self.rows];
        let mut now = vec![0.0f64; self.rows];
        for _ in 0..PASSES {
            for column in self.payoffs.chunks_exact(self.rows) {
                let regretted: f64 = regrets.iter().map(|regret| regret.max(0.0)).sum();
                for (row, part) in now.iter_mut().enumerate() {
                    *part = match regretted > 0.0 {
                        true => regrets[row].max(0.0) / regretted,
                        false => 1.0 / self.rows as f64,
                    };
                }
                let brought: f64 = now.iter().zip(column).map(|(part, payoff)| part * payoff).sum();
                for row in 0..self.rows {
                    regrets[row] += column[row] - brought;
                    sums[row] += now[row];
                }
            }
        }
        let all: f64 = sums.iter().sum();
        sums.iter().map(|sum| sum / all).collect()
    }

    /// A row, drawn from the average strategy.
    pub fn draw(&self, dice: &mut Stream) -> usize {
        let drawn = f64::from(dice.below(PARTS)) / f64::from(PARTS);
        let mut passed = 0.0;
        let strategy = self.strategy();
        let found = strategy.iter().position(|part| {
            passed += part;
            drawn < passed
        });
        found.unwrap_or(self.rows - 1)
    }
}
