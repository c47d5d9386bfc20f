//! Kinds of bots, their settings, and how bots are made.

use std::sync::Arc;

use super::Bot;

/// A kind of bot: its name, what it does, and how to make one.
#[derive(Clone, Copy)]
pub struct BotKind {
    /// The name in experiment files.
    pub name: &'static str,
    /// One line on how it plays.
    pub description: &'static str,
    /// Goes up when it plays differently; part of an experiment's hash.
    pub version: u32,
    /// Makes one.
    pub make: fn() -> Box<dyn Bot>,
    /// What can be set of it, if anything.
    pub tuning: Option<Tuning>,
    /// How long its games take.
    pub pace: Pace,
}

/// How long a bot's games take, roughly: what is lost when a run is killed should be little.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// Milliseconds.
    Quick,
    /// Up to seconds.
    Slow,
}

/// What can be set of a kind of bot in a section `[bots.NAME]`.
#[derive(Clone, Copy)]
pub struct Tuning {
    /// The settings.
    pub settings: &'static [Setting],
    /// Makes one with these values, in the order of the settings.
    pub make: fn(&[u64]) -> Box<dyn Bot>,
}

/// A number that decides how a bot plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// Its key.
    pub name: &'static str,
    /// What it means, in a line.
    pub meaning: &'static str,
    /// The least it can be.
    pub least: u64,
    /// The most.
    pub most: u64,
    /// What it is if nothing is said.
    pub default: u64,
}

/// Makes bots, one for each seat of each game, on any thread.
#[derive(Clone)]
pub struct BotMaker(Arc<dyn Fn() -> Box<dyn Bot> + Send + Sync>);

impl BotMaker {
    /// A maker that calls this.
    pub fn new(make: impl Fn() -> Box<dyn Bot> + Send + Sync + 'static) -> BotMaker {
        BotMaker(Arc::new(make))
    }

    /// Makes a bot.
    pub fn make(&self) -> Box<dyn Bot> {
        (self.0)()
    }
}

impl From<BotKind> for BotMaker {
    fn from(kind: BotKind) -> BotMaker {
        BotMaker::new(kind.make)
    }
}
