//! A run on disk whose games are played again. Each game follows from the experiment and its number, so rules, seats
//! and seeds suffice, as long as the bots that played it are available. The result is compared with the rows of the
//! run. Seats of bots that do not repeat their answers, or may not be started, decide as the record says.
//!
//! [`RunReplayer::experiment`] plays a whole run again into another folder, from the contents of its own folder only.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::Value;
use upheaval_engine::bot::{BotMaker, Handicap};
use upheaval_engine::diagnostic::suggest;
use upheaval_engine::rules::variant::Variant;
use upheaval_map::ids::{ByPower, Power};

use super::error::{AgainError, Differs, NeededProgram, Programs, command_line};
use super::form::GameRecord;
use super::recorded::recorded;
use super::writer::{Origin, game_record, game_record_steered};
use crate::record::column::TableRow;
use crate::record::compare::StoredPart;
use crate::record::reader::ReadError;
use crate::record::regular::{Readable, RunFile};
use crate::record::{
    BEHAVIOUR_VERSION, DistanceRow, EventRow, GameRow, GameRows, MapRow, OrderRow, SeatRow, TopologyRow,
    TurnRow, reader,
};
use crate::sim::output::location::{GIVEN, RESOLVED};
use crate::sim::output::manifest::MANIFEST;
use crate::sim::registry::handicap_of;
use crate::sim::resolved::{Arm, ResolvedBot};
use crate::sim::schedule::{Chunk, common_divisor};
use crate::sim::stored::{StoredError, StoredRun, Trust};
use crate::sim::{
    BotEntry, BotOrigin, Experiment, GameSpec, Play, Player, Playing, RecordedGame, Registry, Schedule,
    Shard, Steer,
};

/// A run whose games can be played again.
pub struct RunReplayer {
    run: StoredRun,
    schedule: Schedule,
    player: Player,
    /// The rules of each arm.
    rules: Vec<Arc<Variant>>,
    /// How each bot plays again.
    bots: Vec<Casting>,
}

/// How a bot plays again.
enum Casting {
    /// As it did, from the dice of the game.
    Plays(BotEntry),
    /// Its decisions are those of the record.
    Recorded {
        handicap: Handicap,
        /// The bot for what is not in the record, or why it is not available.
        live: Result<BotEntry, NeededProgram>,
    },
    /// Not at all: it is a program that may not be started, and nothing is recorded.
    Withheld(NeededProgram),
}

/// The bots that decide where the record of a game ends, for each seat that is played from it.
pub(crate) struct LiveSeats(Vec<(Power, BotEntry)>);

impl LiveSeats {
    /// Gives the seats, except that of this power, to their bots, from the stage on that the game waits for.
    pub(crate) fn take_over(&self, playing: &mut Playing<'_>, except: Option<Power>) {
        if playing.is_over() {
            return;
        }
        let seats = self.0.iter().filter(|(power, _)| Some(*power) != except);
        seats.for_each(|(power, bot)| Player::reseat(playing, *power, &bot.maker));
    }
}

impl RunReplayer {
    /// Opens a run folder, whose bots are those of a registry. A bot that is a program is only made where `programs`
    /// allows its command; otherwise the games in which it has no seat can be played.
    ///
    /// # Errors
    /// It is not a run, or its games would differ here.
    pub fn open(path: &Path, programs: &Programs, registry: &Registry) -> Result<RunReplayer, AgainError> {
        // Every row is compared with a game played again, which is a stronger check than a hash.
        let run = StoredRun::open_with(path, Trust::Bytes)?;
        let unplayable = |what: String| Err(AgainError::unplayable(path, what));
        if run.manifest.import.is_some() {
            return unplayable(format!(
                "was imported: people have played its games, so they cannot be played again from a seed; `upheaval \
                 verify` checks the folder against its hashes, and the files that {MANIFEST} names can be imported \
                 again"
            ));
        }
        let experiment = &run.experiment;
        if experiment.behaviour_version != BEHAVIOUR_VERSION {
            return unplayable(format!(
                "was played by behaviour version {}, but this program plays {BEHAVIOUR_VERSION}: its games would \
                 differ here; use the version that played it",
                experiment.behaviour_version
            ));
        }
        let rules: Vec<_> = run.arms().iter().map(|arm| rules(&run, arm)).collect::<Result<_, _>>()?;
        let has_orders = experiment.log.orders;
        let mut bots = Vec::new();
        for ResolvedBot { name, content } in &experiment.bots {
            let not_here = |why: String| unavailable(path, name, &why);
            let entry = || registry.entry(name, content);
            let varies = has_orders && run.manifest.recorded.contains(name);
            let handicap = handicap_of(content);
            let needed = |line: String| NeededProgram { bot: name.clone(), line };
            // Bots that ship with this program have no command.
            let unsound = || not_here("it is a program without a sound command".to_owned());
            let command =
                content.get("command").map(|words| command_of(words).ok_or_else(unsound)).transpose()?;
            bots.push(match command {
                Some(command) if !programs.allows(&command) => {
                    let needed = needed(command_line(&command));
                    match has_orders {
                        true => Casting::Recorded { handicap, live: Err(needed) },
                        false => Casting::Withheld(needed),
                    }
                }
                Some(_) if varies => Casting::Recorded { handicap, live: Ok(entry().map_err(not_here)?) },
                None if varies => {
                    Casting::Recorded { handicap, live: entry().map_err(|_| needed(String::new())) }
                }
                _ => Casting::Plays(entry().map_err(not_here)?),
            });
        }
        let maker = |casting: &Casting| match casting {
            Casting::Plays(entry) => entry.maker.clone(),
            // No game in which such a bot has a seat of its own is played.
            Casting::Recorded { .. } | Casting::Withheld(_) => BotMaker::new(|| Box::new(())),
        };
        let makers: Vec<BotMaker> = bots.iter().map(maker).collect();
        let player = Player::new(rules.clone(), makers).with_faults(experiment.faults.clone());
        Ok(RunReplayer { schedule: run.schedule(), run, player, rules, bots })
    }

    /// The variant of an arm.
    pub fn variant(&self, arm: usize) -> &Arc<Variant> {
        &self.rules[arm]
    }

    /// The game of this name: `black-hole/12`, or `12` where there is one arm.
    ///
    /// # Errors
    /// There is no such game.
    pub fn find(&self, name: &str) -> Result<GameSpec, AgainError> {
        let none = |why: String| self.no_game(name, &why);
        let arms = self.run.arms();
        let (arm, number) = match name.rsplit_once('/') {
            Some((arm, number)) => {
                let known = || none(suggest(arm, arms.iter().map(|arm| arm.id.as_str())));
                (arms.iter().position(|known| known.id == arm).ok_or_else(known)?, number)
            }
            None if arms.len() > 1 => {
                return Err(none(format!("name the arm, as in `{}/{name}`", arms[0].id)));
            }
            None => (0, name),
        };
        let last = self.run.experiment.games.saturating_sub(1);
        let number: Option<u32> = number.parse().ok().filter(|number| *number <= last);
        let number = number.ok_or_else(|| none(format!("games are numbered from 0 to {last}")))?;
        if self.schedule.chunk_of(arm, number).is_none() {
            return Err(none(self.of_shard(arm)));
        }
        Ok(self.schedule.game(arm, number))
    }

    fn no_game(&self, game: &str, why: &str) -> AgainError {
        self.unplayable(format!("has no game `{game}`: {why}"))
    }

    fn unplayable(&self, what: String) -> AgainError {
        AgainError::unplayable(&self.run.path, what)
    }

    /// Which games of an arm the folder has, if it is a shard.
    fn of_shard(&self, arm: usize) -> String {
        /// The longest list that an error shows.
        const MOST: usize = 8;
        let shard = self.run.manifest.shard.clone().unwrap_or(Shard::WHOLE);
        let name = &self.run.arms()[arm].id;
        let chunks: Vec<Chunk> = self.schedule.chunks().filter(|chunk| chunk.variant == arm).collect();
        let ranges = chunks.iter().take(MOST).map(|Chunk { games, .. }| match games.len() {
            1 => games.start.to_string(),
            _ => format!("{} to {}", games.start, games.end - 1),
        });
        let mut list = ranges.collect::<Vec<_>>().join(", ");
        match chunks.len() {
            0 => return format!("it is shard {shard} of the run, which has no game of `{name}`"),
            1..=MOST => {}
            n => list += &format!(" and {} more such pieces", n - MOST),
        }
        format!("it is shard {shard} of the run, and has {list} of `{name}`")
    }

    /// Refuses games in which a program has a seat that may not be started, and starts the others.
    fn permit<'a>(&self, games: impl IntoIterator<Item = &'a GameSpec>) -> Result<(), AgainError> {
        let mut needed = vec![false; self.bots.len()];
        for game in games {
            game.seats.values().iter().for_each(|&bot| needed[bot] = true);
        }
        let bots = || self.bots.iter().zip(&needed).filter(|(_, needed)| **needed).map(|(bot, _)| bot);
        self.refuse_withheld(bots())?;
        bots().try_for_each(|bot| match bot {
            Casting::Plays(entry) => self.try_out(entry),
            Casting::Recorded { .. } | Casting::Withheld(_) => Ok(()),
        })
    }

    fn refuse_withheld<'a>(&self, bots: impl Iterator<Item = &'a Casting>) -> Result<(), AgainError> {
        let withheld =
            |bot: &Casting| if let Casting::Withheld(program) = bot { Some(program.clone()) } else { None };
        let programs: Vec<NeededProgram> = bots.filter_map(withheld).collect();
        match programs.is_empty() {
            true => Ok(()),
            false => Err(AgainError::Programs { path: self.run.path.clone(), programs }),
        }
    }

    /// Starts the program of a bot, if it is one.
    fn try_out(&self, bot: &BotEntry) -> Result<(), AgainError> {
        let fault =
            |why| self.unplayable(format!("was played by `{}`, which cannot be started: {why}", bot.name));
        bot.maker.try_out().map_err(fault)
    }

    /// Refuses a run with a bot that does not play again.
    pub(super) fn permit_all(&self) -> Result<(), AgainError> {
        self.refuse_withheld(self.bots.iter())?;
        let recorded = self.recorded();
        match recorded.is_empty() {
            true => Ok(()),
            false => Err(self.unplayable(format!(
                "has the recorded decisions of `{}`, and cannot be played into another folder: without --out its rows \
                 are compared with the record",
                recorded.join("`, `")
            ))),
        }
    }

    /// The bots whose decisions are taken from the record.
    pub fn recorded(&self) -> Vec<&str> {
        let bots = self.run.experiment.bots.iter().zip(&self.bots);
        let recorded = bots.filter(|(_, casting)| matches!(casting, Casting::Recorded { .. }));
        recorded.map(|(bot, _)| bot.name.as_str()).collect()
    }

    /// The player of a game whose rows these are.
    fn player_of(&self, stored: &Stored, spec: &GameSpec) -> Result<Player, AgainError> {
        let is_recorded = |bot: usize| matches!(self.bots[bot], Casting::Recorded { .. });
        let seats = ByPower::from_fn(spec.seats.powers(), |power| is_recorded(spec.seats[power]));
        if seats.values().iter().all(|recorded| !recorded) {
            return Ok(self.player.clone());
        }
        let none = || self.unplayable(format!("has no record of {}", self.name(spec.variant, spec.game)));
        let game = stored.recorded(spec.game, seats).ok_or_else(none)?;
        let handicaps = ByPower::from_fn(spec.seats.powers(), |power| match &self.bots[spec.seats[power]] {
            Casting::Recorded { handicap, .. } => *handicap,
            Casting::Plays(_) | Casting::Withheld(_) => Handicap::NONE,
        });
        Ok(self.player.clone().with_record(recorded(game, handicaps)))
    }

    /// The bots that decide in a game where its record ends, for the seats that are played from it.
    ///
    /// # Errors
    /// One of them may not be started, cannot be started, or is not here.
    pub(crate) fn live(&self, spec: &GameSpec) -> Result<LiveSeats, AgainError> {
        let (mut live, mut needed) = (Vec::new(), Vec::new());
        for (power, &bot) in spec.seats.iter() {
            match &self.bots[bot] {
                Casting::Recorded { live: Ok(entry), .. } => live.push((power, entry.clone())),
                Casting::Recorded { live: Err(program), .. } if !needed.contains(program) => {
                    needed.push(program.clone());
                }
                Casting::Recorded { .. } | Casting::Plays(_) | Casting::Withheld(_) => {}
            }
        }
        if !needed.is_empty() {
            return Err(AgainError::Future { path: self.run.path.clone(), programs: needed });
        }
        live.iter().try_for_each(|(_, entry)| self.try_out(entry))?;
        Ok(LiveSeats(live))
    }

    /// What to do if a game differs: a hint about bots that may not play as they did.
    pub fn hint(&self) -> String {
        let guests = self.bots.iter().filter_map(|bot| match bot {
            Casting::Plays(entry) if entry.origin != BotOrigin::Shipped => Some(entry.name.as_str()),
            _ => None,
        });
        match guests.collect::<Vec<_>>()[..] {
            [] => String::new(),
            ref bots => {
                let (names, first) = (bots.join("`, `"), bots[0]);
                format!(
                    "`{names}` played again and may have answered differently: if so, remove `repeats = true` from \
                     `[bots.{first}]` and play the run again; it then records the orders, and games are shown from them"
                )
            }
        }
    }

    /// The name of the first game in the folder, as [`RunReplayer::find`] takes it.
    pub fn first(&self) -> Option<String> {
        let chunk = self.schedule.chunks().find(|chunk| !chunk.games.is_empty())?;
        Some(match self.run.arms().len() {
            1 => chunk.games.start.to_string(),
            _ => self.name(chunk.variant, chunk.games.start),
        })
    }

    /// `black-hole/12`
    fn name(&self, arm: usize, game: u32) -> String {
        format!("{}/{game}", self.run.arms()[arm].id)
    }

    /// Plays a game again, compares every row with those of the run, and writes the game down. If the run is not
    /// [repeatable](RunReplayer::is_repeatable), a successful comparison shows that it is the game of the run, and a
    /// failed one is a mismatch.
    ///
    /// # Errors
    /// A program with a seat in it may not be started; or a table cannot be read, has another version, or contains
    /// another game.
    pub fn game_record(&self, spec: &GameSpec) -> Result<GameRecord, AgainError> {
        self.game_record_played(spec).map(|(game_record, _)| game_record)
    }

    /// The same, with the player that plays the game as it went.
    ///
    /// # Errors
    /// Those of [`RunReplayer::game_record`].
    pub(crate) fn game_record_played(&self, spec: &GameSpec) -> Result<(GameRecord, Player), AgainError> {
        let name = self.name(spec.variant, spec.game);
        let none = || self.no_game(&name, &self.of_shard(spec.variant));
        let chunk = self.schedule.chunk_of(spec.variant, spec.game).ok_or_else(none)?;
        self.permit([spec])?;
        let stored = self.stored(&chunk)?;
        let player = self.player_of(&stored, spec)?;
        let (game_record, record) = game_record(&self.origin(), &player, spec);
        match stored.differs(&record) {
            None => Ok((game_record, player)),
            Some(what) => Err(self.differs(spec, what)),
        }
    }

    fn differs(&self, spec: &GameSpec, what: String) -> AgainError {
        let departed = Differs { game: self.name(spec.variant, spec.game), what };
        AgainError::Differs { path: self.run.path.clone(), departed, hint: self.hint() }
    }

    fn origin(&self) -> Origin {
        Origin {
            experiment: self.run.experiment.name.clone(),
            hash: self.run.manifest.experiment_hash.clone(),
        }
    }

    /// Plays a steered game and writes it down; `None` if it is stopped. The permission for its programs was checked
    /// before ([`RunReplayer::game_record`]).
    pub(crate) fn written(
        &self,
        player: &Player,
        spec: &GameSpec,
        steer: &mut Steer<'_>,
    ) -> Option<GameRecord> {
        game_record_steered(&self.origin(), player, spec, steer).map(|(game_record, _)| game_record)
    }

    /// The run.
    pub fn run(&self) -> &StoredRun {
        &self.run
    }

    /// About this many games of an arm, evenly over the games in the folder, chunk by chunk, if their programs may be
    /// started. Each is played again and compared with the rows of the run, and its number and the result of `then` are
    /// passed on, with the player that plays it as it went.
    ///
    /// # Errors
    /// A program with a seat in one of them may not be started; a table cannot be read; a game differs; or an error of
    /// `then`.
    pub(crate) fn each_compared<T: Send, E: Send + From<AgainError>>(
        &self,
        arm: usize,
        sample: u64,
        then: &(dyn Fn(&Player, &GameSpec) -> Result<T, E> + Sync),
    ) -> Result<Vec<T>, E> {
        let total = self.schedule.chunks().filter(|chunk| chunk.variant == arm);
        let total = total.map(|chunk| chunk.games.len() as u64).sum::<u64>().max(1);
        let stride = stride((total / sample.clamp(1, total)).max(1), self.schedule.cycle().into());
        let mut made = Vec::new();
        for (chunk, games) in self.chosen(stride).into_iter().filter(|(chunk, _)| chunk.variant == arm) {
            let specs: Vec<GameSpec> = games.iter().map(|&game| self.schedule.game(arm, game)).collect();
            self.permit(&specs)?;
            let stored = self.stored(&chunk)?;
            let one = |spec: &GameSpec| {
                let player = self.player_of(&stored, spec)?;
                if let Some(what) = stored.differs(&player.play(spec)) {
                    return Err(self.differs(spec, what).into());
                }
                then(&player, spec)
            };
            // If several games have faults the first one's is reported, whichever thread was first.
            let all: Vec<Result<T, E>> = specs.par_iter().map(one).collect();
            for one in all {
                made.push(one?);
            }
        }
        Ok(made)
    }

    /// Are its games determined by the experiment, or by what it has recorded?
    pub fn is_repeatable(&self) -> bool {
        let plays = |bot: &Casting| match bot {
            Casting::Plays(entry) => entry.origin != BotOrigin::Shipped,
            Casting::Withheld(_) => true,
            Casting::Recorded { .. } => false,
        };
        self.run.manifest.repeatable || !self.bots.iter().any(plays)
    }

    /// How many games there are in the folder.
    pub fn games(&self) -> u64 {
        self.schedule.total()
    }

    /// Plays about this many games again, evenly over the run, and compares every row of every table. Returns the
    /// number of games played, and those that differ, in order.
    ///
    /// # Errors
    /// A program with a seat in one of them may not be started; or a table cannot be read.
    pub fn verify(&self, sample: u64) -> Result<(u64, Vec<Differs>), AgainError> {
        let total = self.games().max(1);
        let stride = stride(total.div_ceil(sample.clamp(1, total)), self.schedule.cycle().into());
        let chosen = self.chosen(stride);
        for (chunk, games) in &chosen {
            let specs: Vec<GameSpec> =
                games.iter().map(|&game| self.schedule.game(chunk.variant, game)).collect();
            self.permit(&specs)?;
        }
        let sizes: Vec<usize> = chosen.iter().map(|(_, games)| games.len()).collect();
        let (mut played, mut departed) = (0, Vec::new());
        for batch in batches(&sizes, 2 * rayon::current_num_threads()) {
            let chosen = &chosen[batch];
            let stored: Vec<_> = chosen.par_iter().map(|(chunk, _)| self.stored(chunk)).collect();
            // If several tables cannot be read the first is reported, whichever thread was first.
            let stored: Vec<Stored> = stored.into_iter().collect::<Result<_, _>>()?;
            let games = chosen.iter().zip(&stored).flat_map(|((chunk, games), stored)| {
                games.iter().map(move |&game| (self.schedule.game(chunk.variant, game), stored))
            });
            let games: Vec<(GameSpec, &Stored)> = games.collect();
            played += games.len() as u64;
            let faults = games.into_par_iter().map(|(spec, stored)| {
                let what = stored.differs(&self.player_of(stored, &spec)?.play(&spec));
                Ok(what.map(|what| Differs { game: self.name(spec.variant, spec.game), what }))
            });
            for fault in faults.collect::<Vec<Result<_, AgainError>>>() {
                departed.extend(fault?);
            }
        }
        Ok((played, departed))
    }

    /// Every n-th game of the folder, chunk by chunk; at least one of each chunk.
    fn chosen(&self, stride: u64) -> Vec<(Chunk, Vec<u32>)> {
        let mut before = 0;
        let chosen = self.schedule.chunks().map(|chunk| {
            let first = before;
            before += chunk.games.len() as u64;
            let games = chunk.games.clone().zip(first..).filter(|(_, n)| n % stride == 0);
            let games = games.map(|(game, _)| game).collect();
            (chunk, games)
        });
        chosen.filter(|(_, games): &(_, Vec<u32>)| !games.is_empty()).collect()
    }

    /// The rows of a chunk.
    fn stored(&self, chunk: &Chunk) -> Result<Stored, AgainError> {
        let decisions = match self.recorded().is_empty() {
            true => BTreeMap::new(),
            false => decisions(&self.run, chunk).map_err(StoredError::Read)?,
        };
        Stored::read(&self.run, chunk, decisions)
    }

    /// The experiment of the run, to be played with this many threads into a run folder below `out`. Its rules are
    /// those in the folder, and its bots those of a registry.
    ///
    /// # Errors
    /// A program with a seat in it may not be started, a bot plays differently here, the file of the experiment cannot
    /// be read.
    pub fn experiment(
        &self,
        out: PathBuf,
        threads: usize,
        registry: &Registry,
    ) -> Result<Experiment, AgainError> {
        self.permit_all()?;
        let run = self.run();
        let resolved = &run.experiment;
        if resolved.sequential.is_some() {
            return Err(AgainError::Match(run.path.clone()));
        }
        let source = |bot: &ResolvedBot| {
            let why = |why: String| unavailable(&run.path, &bot.name, &why);
            Ok(registry.entry(&bot.name, &bot.content).map_err(why)?.split().1)
        };
        let given = RunFile::new(&run.path, GIVEN);
        let unreadable = |error| AgainError::unplayable(given.place(), format!("cannot be read: {error}"));
        let mut resolved = resolved.clone();
        // It is played to its end, as it was.
        resolved.share = 1.0;
        Ok(Experiment {
            bots: resolved.bots.iter().map(source).collect::<Result<_, AgainError>>()?,
            resolved,
            variants: self.rules.clone(),
            threads,
            out,
            shard: run.manifest.shard.clone(),
            given: given.read_text().map_err(unreadable)?,
            set: run.manifest.set.clone(),
        })
    }
}

/// The largest stride not above this one that meets every seat of every line-up; since these repeat in a cycle, the
/// stride and the cycle must not have a common divisor.
fn stride(most: u64, cycle: u64) -> u64 {
    (1..=most).rev().find(|&stride| common_divisor(stride, cycle) == 1).unwrap_or(1)
}

/// Neighbouring chunks together until they have enough games to keep all threads busy: no more tables than that are in
/// memory.
fn batches(sizes: &[usize], enough: usize) -> Vec<Range<usize>> {
    let (mut batches, mut from, mut games) = (Vec::new(), 0, 0);
    for (i, size) in sizes.iter().enumerate() {
        games += size;
        if games >= enough || i + 1 == sizes.len() {
            batches.push(from..i + 1);
            (from, games) = (i + 1, 0);
        }
    }
    batches
}

/// The variant of an arm, if it is the one of the experiment.
fn rules(run: &StoredRun, arm: &Arm) -> Result<Arc<Variant>, AgainError> {
    arm.variant(run.manifest.rules.get(&arm.id)).map_err(|why| {
        let what = format!("has rules of `{}` in {MANIFEST} that are not those of {RESOLVED}{why}", arm.id);
        AgainError::unplayable(&run.path, what)
    })
}

/// A bot is not available as it was.
fn unavailable(path: &Path, bot: &str, why: &str) -> AgainError {
    AgainError::unplayable(path, format!("was played by `{bot}`, which is not available here: {why}"))
}

/// The words of a command in the canonical form of an experiment; `None` if it is not a command.
fn command_of(value: &Value) -> Option<Vec<String>> {
    let words = value.as_array().filter(|words| !words.is_empty())?;
    words.iter().map(|word| word.as_str().map(str::to_owned)).collect()
}

/// The tables of a part.
pub(super) struct Stored {
    /// The tables that are compared, the most informative first.
    tables: Vec<(StoredPart, Comparison)>,
    /// The rows that give decisions, by game, if they are wanted.
    decisions: BTreeMap<u32, Decisions>,
}

/// Compares the rows of a game in a table with those of its record.
type Comparison = fn(&StoredPart, u32, &GameRows) -> Option<String>;

/// The rows of a game that give the decisions in it.
#[derive(Default)]
struct Decisions {
    orders: Vec<OrderRow>,
    events: Vec<EventRow>,
    game: Option<GameRow>,
}

impl Stored {
    /// Reads the part of a chunk, whose decisions are these.
    ///
    /// # Errors
    /// A file is damaged.
    fn read(
        run: &StoredRun,
        chunk: &Chunk,
        decisions: BTreeMap<u32, Decisions>,
    ) -> Result<Stored, AgainError> {
        fn table<R: TableRow>(
            run: &StoredRun,
            chunk: &Chunk,
        ) -> Result<(StoredPart, Comparison), AgainError> {
            let file = run.chunk_file(chunk, R::TABLE);
            let damaged = |what| AgainError::unplayable(file.place(), what);
            let part = StoredPart::read::<R>(&file, &run.experiment.frame(chunk.variant)).map_err(damaged)?;
            match part.foreign(&chunk.games) {
                Some(game) => Err(damaged(format!("has rows of game {game}, which is not one of its games"))),
                None => Ok((part, StoredPart::differs::<R>)),
            }
        }
        let mut tables = Vec::new();
        if run.experiment.log.orders {
            tables.push(table::<OrderRow>(run, chunk)?);
        }
        tables.push(table::<EventRow>(run, chunk)?);
        if run.experiment.log.maps {
            tables.push(table::<MapRow>(run, chunk)?);
        }
        tables.push(table::<TopologyRow>(run, chunk)?);
        tables.push(table::<DistanceRow>(run, chunk)?);
        tables.push(table::<TurnRow>(run, chunk)?);
        tables.push(table::<SeatRow>(run, chunk)?);
        tables.push(table::<GameRow>(run, chunk)?);
        Ok(Stored { tables, decisions })
    }

    /// The record of a game in which these seats do not play again; `None` if its decisions are not there.
    pub(super) fn recorded(&self, game: u32, recorded: ByPower<bool>) -> Option<RecordedGame> {
        let Decisions { orders, events, game } = self.decisions.get(&game)?;
        let GameRow { seats, voided, .. } = game.as_ref()?;
        Some(RecordedGame::new(orders.clone(), events.clone(), seats, *voided, recorded))
    }

    /// The difference of a game, by the most informative table.
    pub(super) fn differs(&self, record: &GameRows) -> Option<String> {
        self.tables.iter().find_map(|(part, differs)| differs(part, record.game.game, record))
    }
}

/// The rows of a chunk that give decisions.
fn decisions(run: &StoredRun, chunk: &Chunk) -> Result<BTreeMap<u32, Decisions>, ReadError> {
    let mut all: BTreeMap<u32, Decisions> = BTreeMap::new();
    let powers = run.experiment.power_names();
    let file = |table| run.chunk_file(chunk, table);
    for row in reader::games(&file(GameRow::TABLE), &file(SeatRow::TABLE), powers)? {
        let number = row.game;
        all.entry(number).or_default().game = Some(row);
    }
    for row in reader::orders(&file(OrderRow::TABLE), powers)? {
        all.entry(row.game).or_default().orders.push(row);
    }
    for row in reader::events(&file(EventRow::TABLE), powers)? {
        all.entry(row.game).or_default().events.push(row);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_meets_every_seat_of_every_line_up() {
        for (most, cycle, expected) in
            [(1, 7, 1), (7, 7, 6), (14, 7, 13), (8, 7, 8), (8, 14, 5), (21, 21, 20), (35, 1, 35)]
        {
            assert_eq!(stride(most, cycle), expected, "{most}, {cycle}");
            let mut met: Vec<u64> = (0..cycle).map(|n| n * expected % cycle).collect();
            met.sort_unstable();
            assert!(met.into_iter().eq(0..cycle), "{most}, {cycle}");
        }
    }

    #[test]
    fn small_chunks_are_played_together_and_large_ones_alone() {
        assert_eq!(batches(&[3, 2, 3, 2, 3], 8), [0..3, 3..5]);
        assert_eq!(batches(&[1024, 1024, 6], 8), [0..1, 1..2, 2..3]);
        assert_eq!(batches(&[1], 8).len(), 1);
        assert!(batches(&[], 8).is_empty());
    }
}
