//! The choice of a bot in place of the caller: a caller who follows it plays the bot's game.

use upheaval::bot::BotMaker;
use upheaval::env::{AskKind, Batch, BatchConfig};
use upheaval::rules::variant::Variant;

use super::chooser::Chooser;
use super::{Filled, all_of, choices};

#[test]
fn who_follows_the_advice_of_a_bot_plays_as_the_bot_in_every_variant() {
    let bot = BotMaker::new(|| Box::new(Chooser::default()));
    let mut kinds = [0; AskKind::ALL.len()];
    for id in Variant::shipped() {
        // The bot does not receive the number of its game, and assumes 0.
        let config = BatchConfig { games: 1, ..all_of(id) };
        let (mut advised, mut chosen) = (Batch::new(config.clone()).unwrap(), Batch::new(config).unwrap());
        while chosen.sizes().asks > 0 {
            let filled = Filled::of(&chosen);
            let mut own = choices(&filled);
            for (ask, choice) in filled.asks.iter().zip(&mut own) {
                kinds[ask[1] as usize] += 1;
                // The bot declares nothing.
                if [AskKind::Exempt as i32, AskKind::Announce as i32].contains(&ask[1]) {
                    *choice = 0;
                }
            }
            advised.step(&advised.advise(&bot)).unwrap();
            chosen.step(&own).unwrap();
            assert_eq!(advised.hashes(), chosen.hashes(), "{id}");
        }
        assert_eq!(advised.sizes().asks, 0);
    }
    let never: Vec<&str> = AskKind::ALL
        .into_iter()
        .zip(kinds)
        .filter(|(_, count)| *count == 0)
        .map(|(kind, _)| kind.name())
        .collect();
    assert!(never.len() <= 2, "asked too little: {never:?}");
}
