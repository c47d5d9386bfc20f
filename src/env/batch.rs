//! Many games at once.

use std::ops::Range;
use std::sync::Arc;

use upheaval_engine::bot::BotMaker;
use upheaval_harness::record::GameRow;
use upheaval_map::ids::{ByPower, Power};

use crate::caller::GameView;
use crate::config::{Autoreset, BatchConfig, ConfigError, Seat};
use crate::observe::{Workers, fill, sizes_of};
use crate::slot::{REFEREE, Slot, Waiting};
use crate::tables::{Sizes, Tables};

/// A game that ended in the last step.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// Its slot.
    pub slot: usize,
    /// Its result, as in the table of games of a run, without the data that only a log has, such as the
    /// holes.
    pub result: GameRow,
    /// Did it end because its last year is over?
    pub truncated: bool,
}

/// Many games at once, in which the caller plays some seats and bots play the others. The [crate
/// documentation](crate) explains how the parts fit together.
///
/// ```
/// use std::sync::Arc;
/// use upheaval_engine::ids::ByPower;
/// use upheaval_engine::rules::variant::Variant;
/// use upheaval_env::{Autoreset, Batch, BatchConfig, Seat};
///
/// let variant = Arc::new(Variant::find("black-hole", "".as_ref())?.expect("it ships"));
/// let seats = ByPower::from_fn(variant.terrain.powers(), |_| Seat::Caller);
/// let mut batch = Batch::new(BatchConfig {
///     variant, seats, games: 4, seed: 7, last_year: 1902, threads: 1,
///     autoreset: Autoreset::Disabled, reward: None,
/// })?;
/// while batch.sizes().asks > 0 {
///     // Each unit takes the first of its legal orders: it holds.
///     let choices = vec![0; batch.sizes().asks];
///     batch.step(&choices)?;
/// }
/// assert!(batch.truncated().iter().all(|&truncated| truncated));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Batch {
    config: BatchConfig,
    names: Arc<ByPower<Arc<str>>>,
    pub(crate) workers: Workers,
    slots: Vec<Slot>,
    /// The games that have just ended in slots where the next game began in the same step.
    finals: Vec<Waiting>,
    next_number: u32,
    rewards: Vec<f32>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    ended: Vec<Ended>,
}

impl Batch {
    /// A batch whose games wait for the caller's first decisions. Game *i* is in slot *i*; a slot that begins
    /// another game gets the next unused number.
    ///
    /// # Errors
    /// The configuration cannot be played.
    pub fn new(config: BatchConfig) -> Result<Batch, ConfigError> {
        config.check()?;
        let powers = config.seats.powers();
        let names = ByPower::from_fn(powers, |power: Power| match &config.seats[power] {
            Seat::Caller => Arc::from("caller"),
            Seat::Bot { name, .. } => Arc::clone(name),
        });
        let mut batch = Batch {
            names: Arc::new(names),
            workers: Workers::new(config.threads, config.games)?,
            slots: Vec::new(),
            finals: Vec::new(),
            next_number: 0,
            rewards: vec![0.0; config.games * powers.len()],
            terminated: vec![false; config.games],
            truncated: vec![false; config.games],
            ended: Vec::new(),
            config,
        };
        batch.reset(None);
        Ok(batch)
    }

    /// The configuration.
    pub fn config(&self) -> &BatchConfig {
        &self.config
    }

    /// Restarts the games from number 0, under another root seed if one is given.
    pub fn reset(&mut self, seed: Option<u64>) {
        self.config.seed = seed.unwrap_or(self.config.seed);
        let games = self.config.games as u32;
        self.slots = self.new_slots(0..games);
        self.next_number = games;
        self.forget();
    }

    /// Begins a new game in each of these slots, whatever the state of the previous one.
    ///
    /// # Errors
    /// There is no such slot, or no number left for another game; nothing is changed in that case.
    pub fn reset_slots(&mut self, slots: &[usize]) -> Result<(), ConfigError> {
        let games = self.slots.len();
        if let Some(&slot) = slots.iter().find(|&&slot| slot >= games) {
            return Err(ConfigError(format!("there is no slot {slot}; the batch has {games} games")));
        }
        let mut named = vec![false; games];
        if let Some(&slot) = slots.iter().find(|&&slot| std::mem::replace(&mut named[slot], true)) {
            return Err(ConfigError(format!("slot {slot} is listed twice")));
        }
        self.begin_next(slots)?;
        self.forget();
        Ok(())
    }

    /// Begins the next game in each of these slots, and returns the previous ones.
    fn begin_next(&mut self, slots: &[usize]) -> Result<Vec<Slot>, ConfigError> {
        let first = self.next_number;
        // Numbers are stored in signed 32-bit columns.
        let end = u32::try_from(slots.len()).ok().and_then(|count| first.checked_add(count));
        self.next_number = end.filter(|&end| i32::try_from(end).is_ok()).ok_or_else(|| {
            ConfigError(
                "all game numbers of this batch are used; create a batch with another seed".to_owned(),
            )
        })?;
        let new = self.new_slots(first..self.next_number);
        Ok(slots.iter().zip(new).map(|(&slot, new)| std::mem::replace(&mut self.slots[slot], new)).collect())
    }

    fn new_slots(&self, numbers: Range<u32>) -> Vec<Slot> {
        let (config, names) = (&self.config, &self.names);
        self.workers.each(numbers.collect(), |number| Slot::new(config, names, number))
    }

    /// Clears the results of the last step.
    fn forget(&mut self) {
        self.rewards.fill(0.0);
        self.terminated.fill(false);
        self.truncated.fill(false);
        self.ended.clear();
        self.finals.clear();
    }

    /// Takes one choice for each ask, in the order of the table of asks: an index into its span, or −1 for no
    /// answer, which leaves the decision to the rules (a unit holds). Settles the stage in every game that
    /// waits, and continues to the next stage with asks for the caller.
    ///
    /// # Errors
    /// The number of choices differs from the number of asks, or a choice is out of range; nothing is changed
    /// in that case.
    pub fn step(&mut self, choices: &[i32]) -> Result<(), ConfigError> {
        self.check_choices(choices)?;
        let over: Vec<usize> = match self.config.autoreset {
            Autoreset::Disabled => Vec::new(),
            Autoreset::SameStep | Autoreset::NextStep => {
                (0..self.slots.len()).filter(|&slot| self.slots[slot].waiting.is_over()).collect()
            }
        };
        let was_over: Vec<bool> = self.waiting().map(Waiting::is_over).collect();
        let mut rest = choices;
        let parts = self.slots.iter_mut().map(|slot| {
            let own = rest.split_off(..slot.waiting.questions.asks.list.len());
            (slot, own.unwrap_or_default())
        });
        let parts: Vec<(&mut Slot, &[i32])> = parts.collect();
        let config = &self.config;
        self.workers.each(parts, |(slot, choices)| slot.step(config, choices));
        self.begin_next(&over)?;
        self.forget();
        let has_ended = |slot: &usize| !was_over[*slot] && self.slots[*slot].waiting.is_over();
        let finished: Vec<usize> = (0..self.slots.len()).filter(has_ended).collect();
        for &slot in &finished {
            self.note_end(slot);
        }
        if self.config.autoreset == Autoreset::SameStep && !finished.is_empty() {
            let before = self.begin_next(&finished)?;
            self.finals = before.into_iter().map(|slot| slot.waiting).collect();
        }
        Ok(())
    }

    fn check_choices(&self, choices: &[i32]) -> Result<(), ConfigError> {
        let count = self.waiting().map(|waiting| waiting.questions.asks.list.len()).sum();
        if choices.len() != count {
            return Err(ConfigError::choices(count, choices.len()));
        }
        for (row, (ask, &choice)) in
            self.waiting().flat_map(|waiting| &waiting.questions.asks.list).zip(choices).enumerate()
        {
            let most = ask.end - ask.begin - 1;
            if choice < -1 || choice > most as i32 {
                return Err(ConfigError(format!(
                    "expected a choice from 0 to {most}, or -1 for none, for ask {row}, found {choice}"
                )));
            }
        }
        Ok(())
    }

    /// Records how the game of a slot ended.
    fn note_end(&mut self, slot: usize) {
        let waiting = &self.slots[slot].waiting;
        let Some(truncated) = waiting.was_truncated() else { return };
        let result = waiting.result();
        if let Some(score) = self.config.reward {
            let powers = self.config.seats.powers().len();
            let rewards = &mut self.rewards[slot * powers..][..powers];
            for (reward, (_, &points)) in rewards.iter_mut().zip(score.points(&result).iter()) {
                *reward = points as f32;
            }
        }
        self.terminated[slot] = !truncated;
        self.truncated[slot] = truncated;
        self.ended.push(Ended { slot, result, truncated });
    }

    /// The choice that a bot would make for each ask, in the form that [`Batch::step`] takes, for imitation
    /// or comparison; −1 if it would not answer, or its answer is not among the possible ones. The games are
    /// unchanged. A new bot is made for each seat, and its dice follow from the game and its state.
    pub fn advise(&self, bot: &BotMaker) -> Vec<i32> {
        let advise = |waiting: &Waiting| REFEREE.with_borrow_mut(|referee| waiting.advised(referee, bot));
        self.workers.each(self.waiting().collect(), advise).concat()
    }

    /// The current number of rows of each table.
    pub fn sizes(&self) -> Sizes {
        self.views().map(sizes_of).sum()
    }

    /// Writes the tables.
    ///
    /// # Errors
    /// A table is too small; it is then not written.
    pub fn fill(&self, tables: Tables<'_>) -> Result<(), ConfigError> {
        fill(&self.workers, &self.views().collect::<Vec<_>>(), tables)
    }

    /// The number of rows of the tables of [`Batch::fill_final`].
    pub fn final_sizes(&self) -> Sizes {
        self.final_views().map(sizes_of).sum()
    }

    /// Writes the tables of the games that ended in the last step and whose slots have begun the next game,
    /// in the order of [`Batch::ended`]: the final boards. They contain no asks.
    ///
    /// # Errors
    /// A table is too small; it is then not written.
    pub fn fill_final(&self, tables: Tables<'_>) -> Result<(), ConfigError> {
        fill(&self.workers, &self.final_views().collect::<Vec<_>>(), tables)
    }

    /// The reward of each power for the last step, slot by slot.
    pub fn rewards(&self) -> &[f32] {
        &self.rewards
    }

    /// For each slot: did its game end by its rules in the last step?
    pub fn terminated(&self) -> &[bool] {
        &self.terminated
    }

    /// For each slot: did its game end in the last step because its last year was over?
    pub fn truncated(&self) -> &[bool] {
        &self.truncated
    }

    /// The games that ended in the last step.
    pub fn ended(&self) -> &[Ended] {
        &self.ended
    }

    /// The hash of the state of each slot's game.
    pub fn hashes(&self) -> Vec<u64> {
        self.waiting().map(|waiting| waiting.game.hash()).collect()
    }

    pub(crate) fn waiting(&self) -> impl Iterator<Item = &Waiting> {
        self.slots.iter().map(|slot| &slot.waiting)
    }

    pub(crate) fn views(&self) -> impl Iterator<Item = GameView<'_>> {
        self.waiting().map(Waiting::view)
    }

    pub(crate) fn final_views(&self) -> impl Iterator<Item = GameView<'_>> {
        self.finals.iter().map(Waiting::view)
    }
}
