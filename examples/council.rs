//! A rule that the language of changes cannot say, in Rust: each Fall the powers vote for a province, which becomes a void
//! if it has a double majority: of the votes, and of the supply centres of the powers that vote.
//!
//! ```text
//! cargo run --example council
//! ```
//! The rule asks each power a question ([`Act::poll`]). Bots, programs, sessions, records and requests know it like any
//! other: `VOTE BUR` is given with the orders of the movement.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use upheaval::prelude::*;
use upheaval::rules::answers::Declarations;
use upheaval::rules::custom::{Act, Custom};
use upheaval::rules::event::Event;
use upheaval::rules::game_state::{EventContext, Fates, GameState};
use upheaval::rules::order::{Ballot, Poll};
use upheaval::rules::position::{Phase, Season};

/// The rule with its parameter, which is part of an experiment's hash.
#[derive(Serialize)]
struct Council {
    /// The provinces that the powers vote on, by their codes.
    candidates: Vec<String>,
}

impl Council {
    /// The candidates that are not voids yet, by their codes.
    fn standing<'a>(&'a self, world: &'a GameState) -> impl Iterator<Item = &'a String> {
        let map = world.terrain.chart().map();
        let open = world.terrain.board().passable();
        self.candidates.iter().filter(move |code| map.find(code).is_some_and(|id| open.contains(id)))
    }
}

impl Act for Council {
    fn poll(&self, world: &GameState, at: Phase, _: Power) -> Option<Poll> {
        let options: Vec<Arc<str>> = self.standing(world).map(|code| code.as_str().into()).collect();
        (at.season == Season::Fall && !options.is_empty()).then(|| Poll {
            topic: "VOTE".into(),
            options,
            entry: None,
        })
    }

    /// The province that wins is doomed: no unit can retreat there.
    fn after_orders(&self, world: &mut GameState, _: &mut EventContext<'_>, declared: &Declarations) {
        // The votes that these ballots are, and the centres behind them.
        let weigh = |is: &dyn Fn(&Ballot) -> bool| {
            let powers = declared.ballots.iter().filter(|(_, ballot)| is(ballot)).map(|(power, _)| *power);
            powers.fold((0, 0), |(votes, centres), power| {
                (votes + 1, centres + world.position.centres_of(power).len())
            })
        };
        let (all, owned) = weigh(&|_| true);
        let has_both = |code: &&String| {
            let (votes, centres) = weigh(&|ballot| *ballot.option == ***code);
            2 * votes > all && 2 * centres > owned
        };
        let winner = self.standing(world).find(has_both);
        let winner = winner.and_then(|code| world.terrain.chart().map().find(code));
        world.doomed.extend(winner);
    }

    fn end_season(&self, world: &mut GameState, scene: &mut EventContext<'_>) {
        for province in std::mem::take(&mut world.doomed) {
            if world.change_map(scene, Fates::DESTROY, |chart| chart.void(province)).is_ok() {
                world.tell(scene, &Event::Voided(province));
            }
        }
    }
}

/// Regular Diplomacy with the rule.
pub fn variant() -> Result<Arc<Variant>, Box<dyn Error>> {
    let standard = Variant::find("standard", Path::new(""))?.ok_or("it ships")?;
    let council = Council { candidates: ["BUR", "GAL", "UKR"].map(str::to_owned).to_vec() };
    Ok(Arc::new(Variant { custom: vec![Custom::new("council", council)?], ..standard }))
}

fn main() -> Result<(), Box<dyn Error>> {
    let variant = variant()?;
    let mut game = Session::of(Arc::clone(&variant), 7).ending_in(1902);
    while !game.is_over() {
        for power in game.awaited() {
            // All powers agree, as long as there is a question.
            if let Some(vote) = game.legal_orders(power).iter().find(|choice| choice.subject == "VOTE") {
                let first = vote.orders[0].to_string();
                game.order(power, &first)?;
            }
        }
        let turn = game.advance();
        turn.map_changes.iter().for_each(|change| println!("{}: {change}", turn.phase));
    }
    // A variant with a rule in Rust must be supplied again when its game is restored.
    let again = Session::restore_with(&game.save()?, variant)?;
    println!("restored in the same state: {}", again.game().hash() == game.game().hash());
    Ok(())
}
