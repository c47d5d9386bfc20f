//! Plays a game in which every power gives random orders, on a map that loses a province each season.
//!
//! ```text
//! cargo run -p upheaval-engine --example random_game -- deluge-ii 7
//! ```
#![allow(clippy::print_stdout)]

use std::env;
use std::error::Error;

use upheaval_engine::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let variant = arguments.next().unwrap_or_else(|| "black-hole".to_owned());
    let seed: u64 = arguments.next().map_or(Ok(7), |seed| seed.parse())?;

    let mut game = Session::new(&variant, seed)?.ending_in(1905);
    let mut dice = Stream::keyed(seed, Purpose::Bot, &[]);
    while !game.is_over() {
        for power in game.awaited() {
            for choice in game.legal_orders(power) {
                if let Some(order) = dice.choose(&choice.orders) {
                    // Two orders that are legal on their own may exclude each other, such as two landings of
                    // one army.
                    let _ = game.order(power, order);
                }
            }
        }
        let turn = game.advance();
        let failed = turn.results.iter().filter(|result| !result.succeeded()).count();
        println!("{}: {} orders, {failed} failed", turn.phase, turn.results.len());
        for change in &turn.map_changes {
            println!("    {change}");
        }
    }
    match game.ending() {
        Some(Ending::Solo(winner)) => println!("{} has won", game.names().power(*winner)),
        Some(Ending::Draw(powers)) => println!("a draw of {} powers", powers.len()),
        None => {}
    }
    for (power, centres) in game.centres() {
        println!(
            "{power}: {} centres, units {}",
            centres.len(),
            game.units().get(&power).map_or(0, Vec::len)
        );
    }
    Ok(())
}
