//! How orders are drawn from scores: unit by unit, the surest first, so that those who follow know what is settled.

use std::sync::{Arc, Mutex, PoisonError};

use upheaval_env::{Chooser, Failure, Seen};

use crate::encode::{Encoded, Rows};
use crate::network::{Network, NetworkError, Scores, UNIT};

/// How the bot draws its orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Drawing {
    /// In how many goes the orders of a stage are settled; after each the network looks again.
    pub passes: u32,
    /// How far it strays from the best order, in percent: at 100 as it has learned, at 0 never.
    pub temperature: u32,
}

/// A network that plays.
pub struct Player {
    network: Arc<Network>,
    drawing: Drawing,
    /// What the network found last when nothing was settled yet: who draws again and again in one position, as a search
    /// does, has it look once.
    first: Mutex<Looked>,
}

/// What the network read, and what it found in it, seat by seat.
#[derive(Default)]
struct Looked {
    at: Encoded,
    found: Vec<Option<Scores>>,
}

impl Player {
    /// A network that draws in this way.
    pub fn new(network: Arc<Network>, drawing: Drawing) -> Player {
        Player { network, drawing, first: Mutex::default() }
    }
}

impl Chooser for Player {
    fn choose(&self, seen: Seen) -> Result<Vec<i32>, Failure> {
        self.drawn(&seen).map_err(|error| Failure { reason: error.to_string(), trace: String::new() })
    }
}

/// An ask of a seat, with the orders that answer it.
struct Open {
    ask: usize,
    orders: std::ops::Range<usize>,
}

impl Player {
    fn drawn(&self, seen: &Seen) -> Result<Vec<i32>, NetworkError> {
        let rows = Rows::of(seen);
        let mut settled = vec![-1; rows.asks.len()];
        let mut encoded = Encoded::default();
        for pass in 0..self.drawing.passes.max(1) {
            encoded.fill(rows, &settled);
            let left = self.drawing.passes.max(1) - pass;
            for seat in 0..encoded.seats() {
                let open = open(&encoded, seat, &settled);
                if open.is_empty() {
                    continue;
                }
                let scores = match pass {
                    0 => self.first_look(&encoded, seat)?,
                    _ => self.network.score(&encoded, seat)?,
                };
                self.settle(&open, &scores.orders, left, &seen.uniform, &mut settled);
            }
        }
        Ok(settled)
    }

    /// What the network finds where nothing is settled.
    fn first_look(&self, encoded: &Encoded, seat: usize) -> Result<Scores, NetworkError> {
        // Scores are whole however the thread that held the lock ended.
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        if first.at != *encoded {
            *first = Looked { at: encoded.clone(), found: vec![None; encoded.seats()] };
        }
        if let Some(found) = &first.found[seat] {
            return Ok(found.clone());
        }
        let scores = self.network.score(encoded, seat)?;
        first.found[seat] = Some(scores.clone());
        Ok(scores)
    }

    /// Settles a share of what is open of a seat: all of it where this is the last pass.
    fn settle(&self, open: &[Open], scores: &[i32], left: u32, uniform: &[f64], settled: &mut [i32]) {
        // How sure it is of each: what the best order is likelier than the others together.
        let mut sure: Vec<(u64, usize)> = open
            .iter()
            .enumerate()
            .map(|(at, open)| {
                let own = &scores[open.orders.clone()];
                let best = own.iter().copied().max().unwrap_or(0);
                let all: u64 = own.iter().map(|&score| likelihood(best - score, 100)).sum();
                (all, at)
            })
            .collect();
        sure.sort_unstable();
        let count = open.len().div_ceil(left as usize);
        for &(_, at) in &sure[..count] {
            let Open { ask, orders } = &open[at];
            settled[*ask] = draw(&scores[orders.clone()], self.drawing.temperature, uniform[*ask]);
        }
    }
}

/// The asks of a seat that are not settled.
fn open(encoded: &Encoded, seat: usize, settled: &[i32]) -> Vec<Open> {
    let [begin, end] = [encoded.begins[seat][2] as usize, encoded.begins[seat + 1][2] as usize];
    let mut open: Vec<Open> = Vec::new();
    for (at, order) in encoded.orders[begin..end].iter().enumerate() {
        let ask = order[0] as usize;
        match open.last_mut() {
            Some(last) if last.ask == ask => last.orders.end = at + 1,
            _ => open.push(Open { ask, orders: at..at + 1 }),
        }
    }
    open.retain(|open| settled[open.ask] < 0);
    open
}

/// How likely an order is whose score is this much below the best, in parts of 2³²: whole numbers throughout, for the
/// exponential of a float differs between machines.
fn likelihood(below: i32, temperature: u32) -> u64 {
    if temperature == 0 {
        return u64::from(below == 0);
    }
    // In 256ths of a halving: log2(e) * 256 / UNIT is 0.36067.
    const { assert!(UNIT == 1024) };
    let below = below.max(0) as u64 * 100 / u64::from(temperature);
    let halvings = (below * 23_637) >> 16;
    match u32::try_from(halvings >> 8) {
        Ok(whole @ 0..=31) => HALVING[(halvings & 255) as usize] >> whole,
        _ => 0,
    }
}

/// 2³² over the powers of the 256th root of two.
const HALVING: [u64; 256] = {
    let mut table = [0; 256];
    // The root's inverse, over 2⁶³.
    let root: u128 = 9_198_432_556_164_277_330;
    let (mut power, mut at) = (1_u128 << 63, 0);
    while at < 256 {
        table[at] = (power >> 31) as u64;
        power = (power * root) >> 63;
        at += 1;
    }
    table
};

/// The order that a number from 0 up to 1 draws.
fn draw(scores: &[i32], temperature: u32, uniform: f64) -> i32 {
    let best = scores.iter().copied().max().unwrap_or(0);
    let likely: Vec<u64> = scores.iter().map(|&score| likelihood(best - score, temperature)).collect();
    let all: u64 = likely.iter().sum();
    // 2³² parts of the number are enough, and whole.
    let mut rest = (u128::from((uniform * 4_294_967_296.0) as u64) * u128::from(all)) >> 32;
    for (at, &part) in likely.iter().enumerate() {
        if rest < u128::from(part) {
            return at as i32;
        }
        rest -= u128::from(part);
    }
    0
}
