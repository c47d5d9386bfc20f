//! The configuration of a batch, checked, and the sizes of its tables.

use std::sync::Arc;

use upheaval_analysis::Score;
use upheaval_engine::bot::BotMaker;
use upheaval_engine::rules::variant::Variant;
use upheaval_map::ids::ByPower;

use crate::tables;

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

/// What happens to a slot whose game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Autoreset {
    /// The next game begins in the same step. The observation is its start; the final board of the game that
    /// ended is available separately ([`Batch::fill_final`](crate::Batch::fill_final)).
    #[default]
    SameStep,
    /// The final board is observed; the next step begins the next game, and has no reward.
    NextStep,
    /// The slot stays as it is until it is [reset](crate::Batch::reset_slots).
    Disabled,
}

impl Autoreset {
    /// All modes.
    pub const ALL: [Autoreset; 3] = [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Autoreset::SameStep => "same-step",
            Autoreset::NextStep => "next-step",
            Autoreset::Disabled => "disabled",
        }
    }
}

/// The reward of a power when a game is over; there is no reward before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reward {
    /// Nothing.
    #[default]
    Nothing,
    /// The points of a scoring system.
    Score(Score),
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
    /// The reward.
    pub reward: Reward,
}

/// Why a batch cannot be made or stepped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The number of games is out of range.
    #[error("expected from 1 to {MOST_GAMES} games, found {0}")]
    Games(usize),
    /// There is not one seat for each power.
    #[error("expected one seat for each power of `{variant}` ({powers}), found {seats}")]
    Seats {
        /// The number of seats.
        seats: usize,
        /// The variant.
        variant: String,
        /// Its powers.
        powers: String,
    },
    /// No seat is the caller's.
    #[error(
        "no seat belongs to the caller, so there is nothing to step; use `run` to let bots play among themselves"
    )]
    NoCaller,
    /// A bot that decides for many seats at once.
    #[error(
        "`{0}` decides for many games at once, so it only sits in runs; here, play its seats as the caller"
    )]
    Ensemble(String),
    /// The last year is before the first.
    #[error("last_year {last} is before `{variant}` starts: take {first} or later")]
    LastYear {
        /// The last year.
        last: u16,
        /// The variant.
        variant: String,
        /// Its first year.
        first: u16,
    },
    /// Too many threads.
    #[error("expected from 0 to {MOST_THREADS} threads, found {0}")]
    ThreadCount(usize),
    /// The threads cannot be started.
    #[error("cannot start the threads: {0}")]
    Threads(String),
    /// The number of choices is not the number of asks.
    #[error("expected {asks} choices, one for each ask, found {choices}")]
    Choices {
        /// The number of asks.
        asks: usize,
        /// The number of choices.
        choices: usize,
    },
    /// A choice that is out of range for its ask.
    #[error("expected a choice from 0 to {most}, or -1 for none, for ask {ask}, found {choice}")]
    Choice {
        /// The row of the ask.
        ask: usize,
        /// The largest valid choice.
        most: u32,
        /// The choice that was given.
        choice: i32,
    },
    /// A slot that is named twice.
    #[error("slot {0} is listed twice")]
    Twice(usize),
    /// There is no such slot.
    #[error("there is no slot {slot}; the batch has {games} games")]
    Slot {
        /// The slot.
        slot: usize,
        /// The number of games.
        games: usize,
    },
    /// There is no such order.
    #[error("there is no row {row}; the table has {rows} orders")]
    Row {
        /// The row.
        row: usize,
        /// The number of orders.
        rows: usize,
    },
    /// The numbers for games are exhausted.
    #[error("all game numbers of this batch are used; create a batch with another seed")]
    Numbers,
    /// A table of the wrong size.
    #[error("the table `{table}` needs room for {needed} rows, but has room for {room}")]
    Room {
        /// The table.
        table: &'static str,
        /// The required number of rows.
        needed: usize,
        /// The available number of rows.
        room: usize,
    },
}

impl BatchConfig {
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        let variant = || self.variant.id.clone();
        let powers = self.variant.terrain.powers();
        if !(1..=MOST_GAMES).contains(&self.games) {
            return Err(ConfigError::Games(self.games));
        }
        if self.threads > MOST_THREADS {
            return Err(ConfigError::ThreadCount(self.threads));
        }
        if self.seats.powers() != powers {
            return Err(ConfigError::Seats {
                seats: self.seats.powers().len(),
                variant: variant(),
                powers: self.variant.terrain.power_names().iter().collect::<Vec<_>>().join(", "),
            });
        }
        if !self.seats.iter().any(|(_, seat)| matches!(seat, Seat::Caller)) {
            return Err(ConfigError::NoCaller);
        }
        for (_, seat) in self.seats.iter() {
            if let Seat::Bot { name, maker } = seat
                && maker.ensemble().is_some()
            {
                return Err(ConfigError::Ensemble(name.to_string()));
            }
        }
        let first = self.variant.first_phase.year;
        if self.last_year < first {
            return Err(ConfigError::LastYear { last: self.last_year, variant: variant(), first });
        }
        Ok(())
    }
}

/// The current number of rows of each table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sizes {
    /// [`crate::tables::GAMES`].
    pub games: usize,
    /// [`crate::tables::NODES`].
    pub nodes: usize,
    /// [`crate::tables::EDGES`].
    pub edges: usize,
    /// [`crate::tables::SEATS`].
    pub seats: usize,
    /// [`crate::tables::ASKS`].
    pub asks: usize,
    /// [`crate::tables::ORDERS`].
    pub orders: usize,
}

impl Sizes {
    /// The number of values of each table, in the order of [`tables::ALL`].
    pub(crate) fn cells(self) -> [usize; 6] {
        let rows = [self.games, self.nodes, self.edges, self.seats, self.asks, self.orders];
        std::array::from_fn(|i| rows[i] * tables::ALL[i].columns.len())
    }

    pub(crate) fn plus(self, other: Sizes) -> Sizes {
        Sizes {
            games: self.games + other.games,
            nodes: self.nodes + other.nodes,
            edges: self.edges + other.edges,
            seats: self.seats + other.seats,
            asks: self.asks + other.asks,
            orders: self.orders + other.orders,
        }
    }
}
