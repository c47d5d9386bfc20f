//! The configuration of a batch, and its faults.

use std::sync::Arc;

use upheaval_analysis::Score;
use upheaval_engine::bot::BotMaker;
use upheaval_engine::rules::variant::Variant;
use upheaval_map::ids::ByPower;
use upheaval_map::named;

/// The most games of a batch.
pub(crate) const MOST_GAMES: usize = 1 << 16;

/// The most threads of a batch.
pub(crate) const MOST_THREADS: usize = 1024;

/// The player of a power.
#[derive(Clone, Debug)]
pub enum Seat {
    /// The caller.
    Caller,
    /// A bot, by its name.
    Bot {
        /// The name in records.
        name: Arc<str>,
        /// Makes one for each game.
        maker: BotMaker,
    },
}

named! {
    /// What happens to a slot whose game is over.
    #[derive(Default)]
    pub enum Autoreset {
        /// The next game begins in the same step. The observation is its start; the final board of the game that
        /// ended is available separately ([`Batch::fill_final`](crate::Batch::fill_final)).
        #[default]
        SameStep = "same-step",
        /// The final board is observed; the next step begins the next game, and has no reward.
        NextStep = "next-step",
        /// The slot stays as it is until it is [reset](crate::Batch::reset_slots).
        Disabled = "disabled",
    }
}

/// The configuration of a batch.
#[derive(Clone, Debug)]
pub struct BatchConfig {
    /// The rule set.
    pub variant: Arc<Variant>,
    /// The number of games played at once.
    pub games: usize,
    /// The player of each power.
    pub seats: ByPower<Seat>,
    /// The root seed.
    pub seed: u64,
    /// The year after which a game ends as a draw.
    pub last_year: u16,
    /// The number of threads; 0 means one for each core. The result does not depend on it.
    pub threads: usize,
    /// What happens to a slot whose game is over.
    pub autoreset: Autoreset,
    /// The score that is the reward of a power when a game is over, if there is any; there is no reward before.
    pub reward: Option<Score>,
}

/// Why a batch cannot be made or stepped, or its tables not be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(pub(crate) String);

impl ConfigError {
    /// A table of the wrong size: the number of rows that it needs, and for which it has room.
    pub fn room(table: &str, needed: usize, room: usize) -> ConfigError {
        ConfigError(format!("the table `{table}` needs room for {needed} rows, but has room for {room}"))
    }

    /// The number of choices is not the number of asks.
    pub(crate) fn choices(asks: usize, choices: usize) -> ConfigError {
        ConfigError(format!("expected {asks} choices, one for each ask, found {choices}"))
    }
}

impl BatchConfig {
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        let terrain = &self.variant.terrain;
        let (variant, first) = (&self.variant.id, self.variant.first_phase.year);
        let is_ensemble = |seat: &Seat| matches!(seat, Seat::Bot { maker, .. } if maker.ensemble().is_some());
        let ensemble = self.seats.iter().find(|(_, seat)| is_ensemble(seat));
        let message = if !(1..=MOST_GAMES).contains(&self.games) {
            format!("expected from 1 to {MOST_GAMES} games, found {}", self.games)
        } else if self.threads > MOST_THREADS {
            format!("expected from 0 to {MOST_THREADS} threads, found {}", self.threads)
        } else if self.seats.powers() != terrain.powers() {
            let powers: Vec<&str> = terrain.power_names().iter().collect();
            let (powers, seats) = (powers.join(", "), self.seats.powers().len());
            format!("expected one seat for each power of `{variant}` ({powers}), found {seats}")
        } else if !self.seats.iter().any(|(_, seat)| matches!(seat, Seat::Caller)) {
            "no seat belongs to the caller, so there is nothing to step; use `run` to let bots play among themselves"
                .to_owned()
        } else if let Some((_, Seat::Bot { name, .. })) = ensemble {
            format!(
                "`{name}` decides for many games at once, so it can only play in runs; play its seats as the caller \
                 instead"
            )
        } else if self.last_year < first {
            format!("last_year {} is before `{variant}` starts: take {first} or later", self.last_year)
        } else {
            return Ok(());
        };
        Err(ConfigError(message))
    }
}
