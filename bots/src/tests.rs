//! Games for the unit tests: the results of fast computations are compared with those of naive ones, on whatever
//! positions and maps occur.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex};

use upheaval_engine::ask::{Answer, Ask, Observation};
use upheaval_engine::bot::Bot;
use upheaval_engine::game::{Game, Referee};
use upheaval_engine::ids::{ByPower, Power, Powers};
use upheaval_engine::play::{Seats, play};
use upheaval_engine::rng::{Purpose, Stream};
use upheaval_engine::rules::nature::Seeded;
use upheaval_engine::rules::variant::Variant;

use crate::Random;

/// Called with everything that a bot is shown.
type Check = dyn Fn(&Observation<'_>) + Send + Sync;

/// Plays at random, and calls the check.
struct Watcher {
    random: Random,
    check: Arc<Check>,
}

impl Bot for Watcher {
    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        if !matches!(ask, Ask::Exempt(_) | Ask::Announce(_) | Ask::Trapped(_)) {
            (self.check)(seen);
        }
        self.random.decide(seen, ask, dice, answer);
    }
}

/// Calls the check with everything that bots see in some random games of each shipped variant, and makes sure
/// that hundreds of maps occur.
pub(crate) fn watch(check: impl Fn(&Observation<'_>) + Send + Sync + 'static) {
    let maps = Arc::new(Mutex::new(BTreeSet::new()));
    let seen_maps = Arc::clone(&maps);
    let check: Arc<Check> = Arc::new(move |seen| {
        seen_maps.lock().expect("nobody panics before").insert(seen.terrain().hash());
        check(seen);
    });
    for id in Variant::shipped() {
        let variant = Arc::new(Variant::find(id, Path::new("")).expect("sound").expect("shipped"));
        for block in 0..2 {
            let mut bots = ByPower::from_fn(Powers::STANDARD, |_| {
                Box::new(Watcher { random: Random::default(), check: Arc::clone(&check) }) as Box<dyn Bot>
            });
            let mut dice = ByPower::from_fn(Powers::STANDARD, |power: Power| {
                Stream::keyed(11, Purpose::Bot, &[block, power.index() as u64])
            });
            let mut game = Game::new(Arc::clone(&variant), 1912);
            let seats = Seats { bots: &mut bots, dice: &mut dice };
            play(&mut game, &mut Referee::new(), seats, &mut Seeded { seed: 11, block }, &mut ());
        }
    }
    let maps = maps.lock().expect("nobody panicked").len();
    assert!(maps > 200, "{maps} maps");
}
