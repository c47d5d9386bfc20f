//! A custom bot in a tournament against two that ship.
//!
//! ```text
//! cargo run --example own_bot
//! ```
//! The tournament is played into the folder that is given as argument, or one for temporary files.
#![allow(clippy::print_stdout)]

use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};

use upheaval::analysis::{Score, Standings};
use upheaval::ask::{Adjustments, Answer, Ask, Observation};
use upheaval::bot::{Bot, BotKind, Pace};
use upheaval::diagnostic::Source;
use upheaval::rng::Stream;
use upheaval::rules::adjustment::Owed;
use upheaval::rules::order::{AdjustmentOrder, Order};
use upheaval::sim::tournament::{TournamentOverrides, check};
use upheaval::sim::{Overrides, Registry, StoredRun};
use upheaval_bots::KINDS;

/// Moves into supply centres that are not its own, where it can reach one; builds wherever it can.
struct Grabber;

impl Bot for Grabber {
    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        match ask {
            Ask::Movement(_) => grab(seen, dice, answer),
            Ask::Adjustments(adjustments) => build(seen, adjustments, answer),
            // The rules decide about everything else.
            _ => {}
        }
    }
}

fn grab(seen: &Observation<'_>, dice: &mut Stream, answer: &mut Answer<'_>) {
    let wanted = *seen.centres - *seen.position.centres_of(seen.power);
    for unit in seen.position.units_of(seen.power).iter() {
        let mut orders = Vec::new();
        seen.legal_orders(unit, &mut orders);
        orders.retain(|order| matches!(order, Order::Move { to, .. } if wanted.contains(to.province)));
        // A unit without an order holds.
        if let Some(&order) = dice.choose(&orders) {
            answer.write(unit, order);
        }
    }
}

/// Removals that it does not make follow the rules of civil disorder.
fn build(seen: &Observation<'_>, adjustments: &Adjustments, answer: &mut Answer<'_>) {
    let Owed::Builds(most) = adjustments.owed() else { return };
    let mut built = Vec::new();
    for order in adjustments.builds(seen.board) {
        let AdjustmentOrder::Build { at, .. } = order else { continue };
        if built.len() < most && !built.contains(&at.province) {
            built.push(at.province);
            answer.adjust(order);
        }
    }
}

/// Its entry in the registry. Raise the version whenever it plays differently.
const GRABBER: BotKind = BotKind {
    name: "grabber",
    description: "moves into centres that are not its own",
    version: 1,
    make: || Box::new(Grabber),
    tuning: None,
    pace: Pace::Quick,
    weights: None,
};

const TOURNAMENT: &str = r#"
name = "own-bot"
variants = ["black-hole"]
entrants = ["grabber", "random", "hold"]
format = "one-against-rest"
blocks = 2
seed = 1
last_year = 1906
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let out = env::args().nth(1).map_or_else(|| env::temp_dir().join("upheaval-example"), PathBuf::from);
    let registry = Registry::new(KINDS.into_iter().chain([GRABBER]));
    let run = Overrides { out: Some(out), ..Overrides::default() };
    let overrides = TournamentOverrides { run, ..TournamentOverrides::default() };
    let source = Source::new("tournament.toml", TOURNAMENT);
    let report = check(&source, Path::new(""), &overrides, &registry)?.run(&())?;

    let (standings, _) = Standings::of(&StoredRun::open_whole(&report.path)?, Score::DrawSize)?;
    println!("{}\nfiles: {}", standings.render(), report.path.display());
    Ok(())
}
