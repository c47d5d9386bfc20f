//! Regret matching: how often to take which row, after what each would have brought in every column.

use upheaval_engine::rng::Stream;

/// How many times the columns are gone through.
const PASSES: usize = 100;

/// The fineness of the draw.
const PARTS: u32 = 1 << 24;

/// What each candidate brings against each sample, column by column.
#[derive(Debug, Default)]
pub struct Matrix {
    rows: usize,
    payoffs: Vec<f64>,
}

impl Matrix {
    /// A matrix of so many rows without a column.
    pub fn clear(&mut self, rows: usize) {
        self.rows = rows;
        self.payoffs.clear();
    }

    /// Adds a column: what each row brings.
    pub fn column(&mut self, payoffs: impl IntoIterator<Item = f64>) {
        self.payoffs.extend(payoffs);
    }

    /// How often each row is taken on average, while each pass takes every row as often as it is regretted that it was
    /// not taken more. What sums to one.
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
