//! The network's rating of the final positions of rollouts, for a search.

use std::sync::Arc;

use upheaval_bots::{Rating, RuleOfThumb};
use upheaval_engine::game::{Game, Stage};
use upheaval_engine::ids::Power;
use upheaval_env::positions;

use crate::encode::{Encoded, Rows};
use crate::network::{Network, WORTH};

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
