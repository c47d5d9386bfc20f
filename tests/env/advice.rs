//! The choice of a bot in place of the caller: a caller who follows it plays the bot's game.

use upheaval::bot::BotMaker;
use upheaval::env::{Batch, BatchConfig};
use upheaval::rules::variant::Variant;

use super::chooser::Chooser;
use super::{Filled, Kinds, all_of, never, undeclared};

#[test]
fn who_follows_the_advice_of_a_bot_plays_as_the_bot_in_every_variant() {
    let bot = BotMaker::new(|| Box::new(Chooser::default()));
    let mut kinds = Kinds::default();
    for id in Variant::shipped() {
        // The bot does not receive the number of its game, and assumes 0.
        let config = BatchConfig { games: 1, ..all_of(id) };
        let (mut advised, mut chosen) = (Batch::new(config.clone()).unwrap(), Batch::new(config).unwrap());
        while chosen.sizes().asks > 0 {
            let own = undeclared(&Filled::of(&chosen), 0, &mut kinds);
            advised.step(&advised.advise(&bot)).unwrap();
            chosen.step(&own).unwrap();
            assert_eq!(advised.hashes(), chosen.hashes(), "{id}");
        }
        assert_eq!(advised.sizes().asks, 0);
    }
    assert!(never(kinds).len() <= 2, "asked too little: {:?}", never(kinds));
}
