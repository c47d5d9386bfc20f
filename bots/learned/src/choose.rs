//! Draws orders from scores: unit by unit, the most certain first, so that later ones take the settled ones
//! into account. A search rates the final positions of its rollouts by the same network ([`Mixture`]).

use std::sync::{Arc, Mutex, PoisonError};

use upheaval_bots::{Rating, RuleOfThumb};
use upheaval_engine::game::{Game, Stage};
use upheaval_engine::ids::Power;
use upheaval_engine::rng::Stream;
use upheaval_env::{AskKind, Chooser, ChooserFailure, Seen, positions};

use crate::encode::{Encoded, KNOWN_ASKS, ORDER_COLUMNS, Rows};
use crate::network::{Network, NetworkError, Scores, UNIT, WORTH};

/// How the bot draws its orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawSettings {
    /// The number of passes in which the orders of a stage are settled; after each pass the network is
    /// evaluated again.
    pub passes: u32,
    /// How far it departs from the best order, in percent: 100 follows the learned probabilities, 0 always
    /// takes the best order.
    pub temperature: u32,
}

/// A network that plays.
pub struct NetworkPlayer {
    network: Arc<Network>,
    drawing: DrawSettings,
    /// The last scores with nothing settled: a caller that draws repeatedly in one position, as a search
    /// does, evaluates the network only once.
    first: Mutex<Looked>,
}

/// The input of the network and its scores, seat by seat.
#[derive(Default)]
struct Looked {
    at: Encoded,
    found: Vec<Option<Scores>>,
}

impl NetworkPlayer {
    /// A player that draws in this way.
    pub(crate) fn new(network: Arc<Network>, drawing: DrawSettings) -> NetworkPlayer {
        NetworkPlayer { network, drawing, first: Mutex::default() }
    }
}

impl Chooser for NetworkPlayer {
    fn choose(&self, seen: Seen) -> Result<Vec<i32>, ChooserFailure> {
        self.drawn(&seen).map_err(|error| ChooserFailure { reason: error.to_string(), trace: String::new() })
    }
}

/// An ask of a seat, with the orders that can answer it.
struct Open {
    ask: usize,
    orders: std::ops::Range<usize>,
}

impl NetworkPlayer {
    fn drawn(&self, seen: &Seen) -> Result<Vec<i32>, NetworkError> {
        let rows = Rows::of(seen);
        let mut settled = vec![-1; rows.asks.len()];
        let mut encoded = Encoded::default();
        for pass in 0..self.drawing.passes.max(1) {
            encoded.fill(rows, &settled);
            turn_quakes(&mut encoded, &seen.uniform);
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

    /// The scores of the network with nothing settled.
    fn first_look(&self, encoded: &Encoded, seat: usize) -> Result<Scores, NetworkError> {
        // The scores are consistent however the thread that held the lock ended.
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

    /// Settles a part of a seat's open asks, or all of them in the last pass.
    fn settle(&self, open: &[Open], scores: &[i32], left: u32, uniform: &[f64], settled: &mut [i32]) {
        // The certainty of each ask: the odds of the best order against all others together.
        let mut sure: Vec<(u64, u64, usize)> = open
            .iter()
            .enumerate()
            .map(|(at, open)| {
                let own = &scores[open.orders.clone()];
                let best = own.iter().copied().max().unwrap_or(0);
                let all: u64 = own.iter().map(|&score| likelihood(best - score, 100)).sum();
                (all, lot(uniform[open.ask]), at)
            })
            .collect();
        sure.sort_unstable();
        let count = open.len().div_ceil(left as usize);
        for &(.., at) in &sure[..count] {
            let Open { ask, orders } = &open[at];
            settled[*ask] = draw(&scores[orders.clone()], self.drawing.temperature, uniform[*ask]);
        }
    }
}

/// Leaves or exchanges the two faces that a quake parts, and the two that it joins, by lot: the numbers of half-edges
/// decide which of them a row names first.
fn turn_quakes(encoded: &mut Encoded, uniform: &[f64]) {
    for seat in 0..encoded.seats() {
        let [begin, end] = [encoded.begins[seat][2] as usize, encoded.begins[seat + 1][2] as usize];
        for (number, order) in (0..).zip(&mut encoded.orders[begin..end]) {
            if i32::from(order[1]) % KNOWN_ASKS == AskKind::Seismic as i32 {
                let lot = Stream::ranked(uniform[order[0] as usize].to_bits(), number).next_u64();
                if lot & 1 == 1 {
                    order.swap(ORDER_COLUMNS - 4, ORDER_COLUMNS - 3);
                }
                if lot & 2 == 2 {
                    order.swap(ORDER_COLUMNS - 2, ORDER_COLUMNS - 1);
                }
            }
        }
    }
}

/// The asks of a seat that are not settled yet.
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

/// The likelihood of an order whose score is this much below the best, in units of 2⁻³². All arithmetic is on
/// whole numbers, because floating-point exponentials differ between machines.
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

/// 2³² divided by the powers of the 256th root of two.
const HALVING: [u64; 256] = {
    let mut table = [0; 256];
    // The inverse of the root, times 2⁶³.
    let root: u128 = 9_198_432_556_164_277_330;
    let (mut power, mut at) = (1_u128 << 63, 0);
    while at < 256 {
        table[at] = (power >> 31) as u64;
        power = (power * root) >> 63;
        at += 1;
    }
    table
};

/// The lot of an ask among equally certain ones: the 21 digits of its number that [`draw`] does not use.
fn lot(uniform: f64) -> u64 {
    (uniform * (1_u64 << 53) as f64) as u64 & ((1 << 21) - 1)
}

/// The order that a number from 0 up to 1 selects.
fn draw(scores: &[i32], temperature: u32, uniform: f64) -> i32 {
    let best = scores.iter().copied().max().unwrap_or(0);
    let likely: Vec<u64> = scores.iter().map(|&score| likelihood(best - score, temperature)).collect();
    let all: u64 = likely.iter().sum();
    // A resolution of 2³² is enough, and exact; the other digits are the ask's lot.
    let mut rest = (u128::from((uniform * 4_294_967_296.0) as u64) * u128::from(all)) >> 32;
    for (at, &part) in likely.iter().enumerate() {
        if rest < u128::from(part) {
            return at as i32;
        }
        rest -= u128::from(part);
    }
    0
}

/// Rates like the network, mixed with the rule of thumb.
pub struct Mixture {
    network: Arc<Network>,
    /// The weight of the network, in percent.
    part: u32,
    encoded: Encoded,
}

impl Mixture {
    /// A mixture in which the network has this weight, in percent.
    pub fn new(network: Arc<Network>, part: u32) -> Mixture {
        Mixture { network, part, encoded: Encoded::default() }
    }
}

impl Rating for Mixture {
    fn rate(&mut self, games: &[Game], power: Power) -> Vec<f64> {
        let mut rated = RuleOfThumb.rate(games, power);
        // The network has not learned about finished games, or games in which the power has nothing to order.
        let alive = |game: &&Game| {
            game.stage() == Stage::Movement && !game.world().position.units_of(power).is_empty()
        };
        let waiting: Vec<&Game> = games.iter().filter(alive).collect();
        if waiting.is_empty() {
            return rated;
        }
        let seen = positions(&waiting, power);
        let nothing = vec![-1; seen.sizes.asks];
        self.encoded.fill(Rows::of(&seen), &nothing);
        // If the network fails, the rule of thumb remains.
        let Ok(values) = self.network.values(&self.encoded) else { return rated };
        let part = f64::from(self.part) / 100.0;
        let places = games.iter().zip(&mut rated).filter(|(game, _)| alive(game)).map(|(_, at)| at);
        for (at, value) in places.zip(values) {
            let value = f64::from(value.clamp(0, WORTH)) / f64::from(WORTH);
            *at = part * value + (1.0 - part) * *at;
        }
        rated
    }
}
