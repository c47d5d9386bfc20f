//! prof VARIANT BOT GAMES
use std::path::Path;
use std::sync::Arc;
use upheaval::bot::Bot;
use upheaval::game::{Game, Referee};
use upheaval::ids::{ByPower, Power, Powers};
use upheaval::play::{Seats, play};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::nature::Seeded;
use upheaval::rules::variant::Variant;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let variant = Arc::new(Variant::find(&a[1], Path::new("")).unwrap().unwrap());
    let kind = upheaval_bots::KINDS.into_iter().find(|k| k.name == a[2]).unwrap();
    let n: u64 = a[3].parse().unwrap();
    let mut referee = Referee::new();
    let t = std::time::Instant::now();
    let mut x = 0u64;
    for block in 0..n {
        let mut bots: ByPower<Box<dyn Bot>> = ByPower::from_fn(Powers::STANDARD, |_| (kind.make)());
        let mut dice = ByPower::from_fn(Powers::STANDARD, |p: Power| {
            Stream::keyed(1, Purpose::Bot, &[block, p.index() as u64])
        });
        let mut game = Game::new(Arc::clone(&variant), 1910);
        let mut nature = Seeded { seed: 1, block };
        play(&mut game, &mut referee, Seats { bots: &mut bots, dice: &mut dice }, &mut nature, &mut ());
        x = x.wrapping_add(game.world().terrain.hash());
    }
    println!("{} {} {:.2} us/game  {:x}", a[1], a[2], t.elapsed().as_secs_f64() * 1e6 / n as f64, x);
}
