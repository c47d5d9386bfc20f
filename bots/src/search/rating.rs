//! What a position is worth to a power, between 0 and 1.

use upheaval_engine::game::{Ending, Game};
use upheaval_engine::ids::{ByPower, Location, Power, ProvinceSet, UnitKind};

/// Rates positions: what the game will bring a power.
pub trait Rating: Send {
    /// What each of these games, as it stands, is worth to the power: from 0 to 1, in their order.
    fn rate(&mut self, games: &[Game], power: Power) -> Vec<f64>;
}

/// The power's part of the squares of everybody's strength.
#[derive(Clone, Copy, Debug, Default)]
pub struct RuleOfThumb;

impl Rating for RuleOfThumb {
    fn rate(&mut self, games: &[Game], power: Power) -> Vec<f64> {
        games.iter().map(|game| rate(game, power)).collect()
    }
}

/// A centre, ...
const CENTRE: f64 = 1.0;
/// ... a unit, ...
const UNIT: f64 = 0.3;
/// ... and what a centre loses that others could enter in more strength than is there to hold it.
const THREATENED: f64 = 0.4;

/// A win is 1, a loss 0; all else is the power's part of the squares of everybody's strength: a large power gains more
/// by a centre than a small one, and whoever else is large takes from all.
fn rate(game: &Game, power: Power) -> f64 {
    if let Some(Ending::Solo(winner)) = game.ending() {
        return if *winner == power { 1.0 } else { 0.0 };
    }
    let strength = strengths(game);
    let all: f64 = strength.iter().map(|(_, strength)| strength * strength).sum();
    match all > 0.0 {
        true => strength[power] * strength[power] / all,
        false => 0.0,
    }
}

fn strengths(game: &Game) -> ByPower<f64> {
    let (board, position) = (game.terrain().board(), &game.world().position);
    let reaches = ByPower::from_fn(game.powers(), |power| {
        let mut once = ProvinceSet::EMPTY;
        let mut twice = ProvinceSet::EMPTY;
        for at in *position.units_of(power) {
            let Some(unit) = position.unit(at) else { continue };
            let mut near = match unit.kind {
                UnitKind::Army => *board.army_reach(at),
                UnitKind::Fleet => *board.fleet_reach(Location { province: at, coast: unit.coast }),
            };
            near.insert(at);
            twice |= once & near;
            once |= near;
        }
        [once, twice]
    });
    ByPower::from_fn(game.powers(), |power| {
        let centres = *position.centres_of(power) & *game.terrain().centres();
        let [own_once, own_twice] = reaches[power];
        let mut threatened = ProvinceSet::EMPTY;
        for (other, [once, twice]) in reaches.iter() {
            if other != power {
                threatened |= (*once - own_once) | (*twice - own_twice);
            }
        }
        let held = centres.len() as f64 * CENTRE + position.unit_count(power) as f64 * UNIT;
        held - (centres & threatened).len() as f64 * THREATENED
    })
}
