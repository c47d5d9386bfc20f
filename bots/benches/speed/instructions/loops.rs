//! Loops that repeat one task on prepared data.

use std::hint::black_box;
use std::sync::Arc;

use upheaval::game::{Game, Referee, Stage};
use upheaval::ids::{Powers, ProvinceId};
use upheaval::play::play_stage;
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::legal::{self, ConvoyChains};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::movement::Adjudicator;
use upheaval::rules::position::{Position, Retreats};
use upheaval::rules::variant::Variant;

use super::super::batch::Learner;
use super::super::corpus::{self, Case};
use super::super::ground::{Seasons, changes, shake};
use super::super::phases::snapshots;
use super::super::runs;
use super::super::seats::{LAST_YEAR, SEED, Table, bot, nature, play_game, variant};

/// Games behind all counts.
const GAMES: u64 = 5;

/// Games of a logged run: a chunk of the runner.
const LOGGED: u32 = 70;

/// A loop.
pub(super) struct Loop {
    /// Goes once over all prepared data.
    pub pass: Box<dyn FnMut()>,
    /// The number of units of work in this.
    pub units: f64,
}

impl Loop {
    /// The loop of this name, with all its data.
    pub(super) fn named(name: &str) -> Loop {
        if let Some(games) = name.strip_prefix("games of ") {
            let (bot, id) = games.split_once(" on ").expect("a variant");
            return Loop { units: GAMES as f64, ..self::games(bot, id) };
        }
        if let Some(bot) = name.strip_prefix("logged games of ") {
            let bot = bot.to_owned();
            let pass = move || drop(black_box(runs::logged("standard", &bot, LOGGED)));
            return Loop { pass: Box::new(pass), units: f64::from(LOGGED) };
        }
        match name {
            "chains" => with_chains(|_, _, _, _| {}),
            "chains, drawn" => {
                let mut dice = Stream::keyed(SEED, Purpose::Bot, &[]);
                with_chains(move |variant, case, chains, at| {
                    black_box(legal::draw(variant.terrain.board(), &case.position, chains, at, &mut dice));
                })
            }
            "chains, listed" => {
                let mut listed = Vec::new();
                with_chains(move |variant, case, chains, at| {
                    listed.clear();
                    legal::legal_orders(variant.terrain.board(), &case.position, chains, at, &mut listed);
                    black_box(&listed);
                })
            }
            "resolved" => resolved(None),
            "resolved, copied" => resolved(Some(false)),
            "resolved, copied, carried out" => resolved(Some(true)),
            "games" => games("random", "standard"),
            "steps of a batch" => {
                let mut learner = Learner::new("standard");
                let pass = move || {
                    black_box(learner.step());
                };
                Loop { pass: Box::new(pass), units: 1.0 }
            }
            "beginnings" => beginnings(),
            "retreats" => stage(Stage::Retreats, true),
            "retreats copied" => stage(Stage::Retreats, false),
            "adjustments" => stage(Stage::Adjustments, true),
            "adjustments copied" => stage(Stage::Adjustments, false),
            "split" => splits(true),
            "split copied" => splits(false),
            "season" => seasons(true),
            "season copied" => seasons(false),
            _ => unreachable!("`{name}` is not a loop"),
        }
    }
}

/// Movement phases of the games.
fn phase_count() -> f64 {
    corpus::random(GAMES).len() as f64
}

/// Follows the chains of every position and does something for each of its units.
fn with_chains(mut each: impl FnMut(&Variant, &Case, &ConvoyChains, ProvinceId) + 'static) -> Loop {
    let (variant, corpus) = (variant("standard"), corpus::random(GAMES));
    let (units, mut chains) = (corpus.len() as f64, ConvoyChains::default());
    let pass = move || {
        for case in &corpus {
            chains.update(variant.terrain.board(), &variant.rulebook, &case.position);
            black_box(&chains);
            case.position.occupied().iter().for_each(|at| each(&variant, case, &chains, at));
        }
    };
    Loop { pass: Box::new(pass), units }
}

/// Adjudicates every case; optionally with a fresh position, to which it is carried out or not.
fn resolved(carried_out: Option<bool>) -> Loop {
    let (variant, corpus) = (variant("standard"), corpus::random(GAMES));
    let units = corpus.len() as f64;
    let (mut adjudicator, mut retreats, mut copy) =
        (Adjudicator::default(), Retreats::default(), Position::new(Powers::STANDARD));
    let pass = move || {
        for Case { position, orders } in &corpus {
            let resolution =
                adjudicator.resolve(variant.terrain.board(), &variant.rulebook, position, orders);
            if let Some(carried_out) = carried_out {
                copy.clone_from(position);
                if carried_out {
                    resolution.apply_into(&mut copy, orders, &mut retreats);
                }
                black_box(&copy);
            }
            black_box(resolution);
        }
    };
    Loop { pass: Box::new(pass), units }
}

fn games(name: &str, id: &str) -> Loop {
    let (variant, bot, mut referee) = (variant(id), bot(name), Referee::new());
    let pass = move || {
        for block in 0..GAMES {
            black_box(play_game(&variant, &bot, block, &mut referee, &mut ()));
        }
    };
    Loop { pass: Box::new(pass), units: phase_count() }
}

/// The work of a game before its first phase.
fn beginnings() -> Loop {
    let (variant, bot) = (variant("standard"), bot("random"));
    let pass = move || {
        for block in 0..GAMES {
            black_box(Game::new(Arc::clone(&variant), LAST_YEAR));
            black_box(Table::of(&bot, block).seats());
        }
    };
    Loop { pass: Box::new(pass), units: phase_count() }
}

/// Copies games that stand before a stage, and plays the stage or not.
fn stage(stage: Stage, played: bool) -> Loop {
    let snapshots = snapshots(&variant("standard"), LAST_YEAR, GAMES, stage);
    let (mut referee, mut table) = (Referee::new(), Table::of(&bot("random"), u64::MAX));
    let pass = move || {
        for snapshot in &snapshots {
            let mut game = snapshot.clone();
            if played {
                play_stage(&mut game, &mut referee, &mut table.seats(), &mut nature(0), &mut ());
            }
            black_box(game);
        }
    };
    Loop { pass: Box::new(pass), units: phase_count() }
}

/// Copies the terrain for each split, and splits it or not.
fn splits(done: bool) -> Loop {
    let changes = changes("split");
    let units = changes.len() as f64;
    let pass = move || {
        for (terrain, change) in &changes {
            let mut terrain = MapTables::clone(terrain);
            if done {
                change.apply(&mut terrain);
            }
            black_box(terrain);
        }
    };
    Loop { pass: Box::new(pass), units }
}

/// Copies the terrain for each season, and carries the season out or not.
fn seasons(done: bool) -> Loop {
    let Seasons { terrain, orders } = Seasons::new("seismic-1971");
    let units = orders.len() as f64;
    let pass = move || {
        for orders in &orders {
            let mut terrain = terrain.clone();
            if done {
                shake(&mut terrain, orders);
            }
            black_box(terrain);
        }
    };
    Loop { pass: Box::new(pass), units }
}
