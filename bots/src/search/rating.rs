//! The value of a position to a power, between 0 and 1.

use upheaval_engine::game::{Ending, Game};
use upheaval_engine::ids::{ByPower, Location, Power, ProvinceSet, UnitKind};

/// Rates positions by the expected result of a power.
pub trait Rating: Send {
    /// The value of each of these games in its current state to the power: from 0 to 1, in the order given.
    fn rate(&mut self, games: &[Game], power: Power) -> Vec<f64>;
}

/// The power's share of the sum of squared strengths.
#[derive(Clone, Copy, Debug, Default)]
pub struct RuleOfThumb;

impl Rating for RuleOfThumb {
    fn rate(&mut self, games: &[Game], power: Power) -> Vec<f64> {
        games.iter().map(|game| rate(game, power)).collect()
    }
}

/// A centre, ...
const CENTRE: i64 = 10;
/// ... a unit, ...
const UNIT: i64 = 3;
/// ... and the deduction for a centre that others could enter in greater strength than could hold it.
const THREATENED: i64 = 4;

/// A win is 1, a loss 0; otherwise the value is the power's share of the sum of squared strengths: a large
/// power gains more by a centre than a small one, and any other large power reduces the shares of all.
fn rate(game: &Game, power: Power) -> f64 {
    if let Some(Ending::Solo(winner)) = game.ending() {
        return if *winner == power { 1.0 } else { 0.0 };
    }
    let strength = strengths(game);
    let all: i64 = strength.iter().map(|(_, strength)| strength * strength).sum();
    match all > 0 {
        true => (strength[power] * strength[power]) as f64 / all as f64,
        false => 0.0,
    }
}

/// The strength of each power: whole numbers, so that no sum depends on the order of the powers.
fn strengths(game: &Game) -> ByPower<i64> {
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
        let held = centres.len() as i64 * CENTRE + position.unit_count(power) as i64 * UNIT;
        held - (centres & threatened).len() as i64 * THREATENED
    })
}
