//! Games written down and played again from the text alone.

mod engine;
mod quick;

use std::path::Path;

use engine::{experiment, player};
use upheaval::chronicle::{Chronicle, chronicle, replay};
use upheaval::game::Game;
use upheaval::record::GameRecord;
use upheaval::rules::variant::Variant;
use upheaval::sim::Schedule;

/// How many games of each variant and line-up; more with `UPHEAVAL_GAMES`.
fn games() -> u32 {
    std::env::var("UPHEAVAL_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(7)
}

/// Games of a variant with bots that give every sort of order.
fn played(variant: &str, games: u32) -> Vec<(Chronicle, GameRecord)> {
    let text = format!(
        "name = \"kept\"\nvariants = [\"{variant}\"]\ngames = {games}\nseed = 9\nlast_year = 1912\n[seats]\n\
         lineup = [\"greedy\", \"random\", \"dumbbot\", \"hold\", \"random\", \"greedy\", \"random\"]"
    );
    let experiment = experiment(&text, Path::new("."));
    let (schedule, player) = (Schedule::new(&experiment), player(&experiment));
    (0..games).map(|game| chronicle(&experiment, &player, &schedule.game(0, game))).collect()
}

fn again(chronicle: &Chronicle) -> Result<Game, String> {
    let variant = chronicle.variant("game.json").map_err(|error| error.to_string())?;
    replay(chronicle, variant, &mut |_| {}).map_err(|departure| departure.to_string())
}

#[test]
fn every_game_is_played_again_from_its_text() {
    for id in Variant::shipped() {
        for (kept, record) in played(id, games()) {
            let text = kept.to_json();
            let read = Chronicle::parse("game.json", &text).unwrap();
            assert_eq!(read, kept);
            let game = again(&read).unwrap_or_else(|error| panic!("{id}/{}: {error}", kept.game.game));
            assert_eq!(game.hash(), record.game.state_hash, "{id}");
            assert_eq!(kept.end.state, format!("{:016x}", record.game.state_hash));
        }
    }
}
