//! A run on disk whose games are played again: each is what its experiment makes of its number, so rules, seats and seeds
//! are enough, as long as the bots that played it are to be had. What is played is compared with the rows of the run.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::Value;

use super::form::Chronicle;
use super::programs::{self, Command, Programs, command_line};
use super::scribe::{Origin, chronicle};
use super::stored::Stored;
use crate::record::regular::{NotRegular, RunFile};
use crate::record::{BEHAVIOUR_VERSION, SCHEMA_VERSION};
use crate::sim::output::RESOLVED;
use crate::sim::output::manifest::{MANIFEST, Manifest};
use crate::sim::output::resolved::Resolved;
use crate::sim::schedule::{Chunk, common_divisor};
use crate::sim::{FaultRule, GameSpec, Play, Player, Schedule, Shard};
use upheaval_engine::bot::BotMaker;
use upheaval_engine::diagnostic::{one_line, suggest};
use upheaval_engine::rules::variant::Variant;
use upheaval_map::ids::Power;

/// Why the games of a folder cannot be played again, or not this one.
#[derive(Debug, thiserror::Error)]
pub enum AgainError {
    /// It is no run folder, or is damaged.
    #[error("`{}` {what}; name the folder that `upheaval run` printed", path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// Another version has played it.
    #[error(
        "`{}` was played by behaviour version {found}, and this program plays {BEHAVIOUR_VERSION}: its games go otherwise here; \
         use the version that played it", path.display()
    )]
    Behaviour {
        /// The folder.
        path: PathBuf,
        /// Its version.
        found: u64,
    },
    /// The rules that it keeps are not those that it was played by.
    #[error("`{}`: the rules of `{arm}` in {MANIFEST} are not those that {RESOLVED} was made of{why}", path.display())]
    Rules {
        /// The folder.
        path: PathBuf,
        /// The arm.
        arm: String,
        /// Why not, if there is more to say.
        why: String,
    },
    /// A bot is not to be had as it was.
    #[error("`{}` was played by `{bot}`, which is not to be had here: {why}", path.display())]
    Bot {
        /// The folder.
        path: PathBuf,
        /// The bot.
        bot: String,
        /// Why not.
        why: String,
    },
    /// To play it again is to start programs that nobody has permitted.
    #[error(
        "`{}` was played by {}; what a run names is not started without permission", path.display(), all(programs)
    )]
    Programs {
        /// The folder.
        path: PathBuf,
        /// The programs.
        programs: Vec<NeededProgram>,
    },
    /// There is no such game.
    #[error("there is no game `{game}` in `{}`: {why}", path.display())]
    NoGame {
        /// The folder.
        path: PathBuf,
        /// The game as it was asked for.
        game: String,
        /// Which there are.
        why: String,
    },
    /// It was played again, and goes otherwise.
    #[error("`{}`: {departed}{}", path.display(), if *repeatable { "" } else {
        " (the run is marked as not repeatable: a program played under a clock, or was stopped by the watchdog)"
    })]
    Departed {
        /// The folder.
        path: PathBuf,
        /// The game, and in what it differs.
        departed: Departed,
        /// Are the run's games decided by the experiment alone?
        repeatable: bool,
    },
}

/// A program that a game of a run was played by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeededProgram {
    /// The bot's name in the experiment.
    pub bot: String,
    /// Its command line, as [`command_line`] writes it.
    pub line: String,
}

fn all(programs: &[NeededProgram]) -> String {
    let each =
        programs.iter().map(|program| format!("the program `{}` of bot `{}`", program.line, program.bot));
    each.collect::<Vec<_>>().join(" and ")
}

/// A run whose games can be played again.
pub struct Again {
    path: PathBuf,
    manifest: Manifest,
    resolved: Resolved,
    schedule: Schedule,
    player: Player,
    /// Of each bot, the program that it is, where that may not be started.
    withheld: Vec<Option<NeededProgram>>,
}

/// A game that went otherwise than the run says.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{game}: {what}")]
pub struct Departed {
    /// The game: `black-hole/12`.
    pub game: String,
    /// In what it differs: table, season and column, with both values.
    pub what: String,
}

impl Again {
    /// Looks at a run folder. `maker` gives the bot of a name and of what the experiment says of it, or says why it is not
    /// to be had. A bot that is a program is only asked of it where `programs` allows its command; without, the games that
    /// it has no seat in can be played.
    ///
    /// # Errors
    /// It is no run, or its games would go otherwise here.
    pub fn open(
        path: &Path,
        programs: &Programs,
        mut maker: impl FnMut(&str, &Value) -> Result<BotMaker, String>,
    ) -> Result<Again, AgainError> {
        let no_run = |what: String| AgainError::NoRun { path: path.to_owned(), what: one_line(&what) };
        let read = |name: &str| {
            let text = RunFile::new(path, name).read_text();
            text.map_err(|error| match NotRegular::of(&error) {
                Some(found) => no_run(format!("cannot be used: {found}")),
                None => no_run(format!("has no `{name}`: {error}")),
            })
        };
        let manifest: Manifest = serde_json::from_str(&read(MANIFEST)?)
            .map_err(|error| no_run(format!("has a damaged {MANIFEST}: {error}")))?;
        let text = read(RESOLVED)?;
        if blake3::hash(text.as_bytes()).to_hex().as_str() != manifest.experiment_hash {
            return Err(no_run(format!("has a {RESOLVED} that was changed: its hash is not the manifest's")));
        }
        let resolved =
            Resolved::read(&text).map_err(|what| no_run(format!("has a {RESOLVED} that {what}")))?;
        if resolved.behaviour_version != u64::from(BEHAVIOUR_VERSION) {
            let found = resolved.behaviour_version;
            return Err(AgainError::Behaviour { path: path.to_owned(), found });
        }
        let value: Value = serde_json::from_str(&text).unwrap_or_default();
        let variants = resolved.arms.iter().enumerate();
        let variants = variants
            .map(|(i, arm)| rules(path, &manifest, arm, &value["variants"][i]["content"]))
            .collect::<Result<_, _>>()?;
        let (mut bots, mut withheld): (Vec<BotMaker>, Vec<_>) = (Vec::new(), Vec::new());
        for (i, bot) in resolved.bots.iter().enumerate() {
            let content = &value["bots"][i]["content"];
            let not_here = |why: String| AgainError::Bot { path: path.to_owned(), bot: bot.clone(), why };
            match Command::of(content) {
                Command::Unsound => {
                    return Err(not_here("it is a program without a sound command".to_owned()));
                }
                Command::Program(command) if !programs.allows(&command) => {
                    bots.push(programs::withheld());
                    withheld.push(Some(NeededProgram { bot: bot.clone(), line: command_line(&command) }));
                }
                Command::Program(_) | Command::Shipped => {
                    bots.push(maker(bot, content).map_err(not_here)?);
                    withheld.push(None);
                }
            }
        }
        let faults = FaultRule::from_content(&value["faults"])
            .ok_or_else(|| no_run(format!("has a {RESOLVED} without sound `faults`")))?;
        if manifest.games_a_part == 0 || !manifest.shard.is_none_or(Shard::is_sound) {
            return Err(no_run(format!("has a {MANIFEST} that no run has")));
        }
        let schedule = resolved.schedule(manifest.games_a_part, manifest.shard);
        let player = Player::new(variants, bots).with_faults(faults);
        Ok(Again { path: path.to_owned(), manifest, resolved, schedule, player, withheld })
    }

    /// The game of this name: `black-hole/12`, or `12` where there is one arm.
    ///
    /// # Errors
    /// There is none.
    pub fn find(&self, name: &str) -> Result<GameSpec, AgainError> {
        let none = |why: String| AgainError::NoGame { path: self.path.clone(), game: name.to_owned(), why };
        let arms = &self.resolved.arms;
        let (arm, number) = match name.rsplit_once('/') {
            Some((arm, number)) => {
                let known = || none(suggest(arm, arms.iter().map(String::as_str)));
                (arms.iter().position(|known| known == arm).ok_or_else(known)?, number)
            }
            None if arms.len() > 1 => {
                return Err(none(format!("say of which arm, as in `{}/{name}`", arms[0])));
            }
            None => (0, name),
        };
        let last = self.resolved.games.saturating_sub(1);
        let number: Option<u32> = number.parse().ok().filter(|number| *number <= last);
        let number = number.ok_or_else(|| none(format!("games are numbered from 0 to {last}")))?;
        if self.schedule.chunk_of(arm, number).is_none() {
            return Err(none(self.of_shard(arm)));
        }
        Ok(self.schedule.game(arm, number))
    }

    /// Which games of an arm there are, where the folder is a shard.
    fn of_shard(&self, arm: usize) -> String {
        /// What anybody reads in an error.
        const MOST: usize = 8;
        let shard = self.manifest.shard.unwrap_or(Shard::WHOLE);
        let name = &self.resolved.arms[arm];
        let chunks: Vec<Chunk> = self.schedule.chunks().filter(|chunk| chunk.variant == arm).collect();
        let ranges = chunks.iter().take(MOST).map(|Chunk { games, .. }| match games.len() {
            1 => games.start.to_string(),
            _ => format!("{} to {}", games.start, games.end - 1),
        });
        let mut list = ranges.collect::<Vec<_>>().join(", ");
        match chunks.len() {
            0 => return format!("it is shard {shard} of the run, which has no game of `{name}`"),
            1..=MOST => {}
            n => list += &format!(" and {} such pieces more", n - MOST),
        }
        format!("it is shard {shard} of the run, and of `{name}` it has {list}")
    }

    /// Refuses games that a program has a seat in which may not be started.
    fn permit<'a>(&self, games: impl IntoIterator<Item = &'a GameSpec>) -> Result<(), AgainError> {
        if self.withheld.iter().all(Option::is_none) {
            return Ok(());
        }
        let mut needed = vec![false; self.withheld.len()];
        for game in games {
            Power::ALL.into_iter().for_each(|power| needed[game.seats[power]] = true);
        }
        let programs = self.withheld.iter().zip(needed).filter(|(_, needed)| *needed);
        let programs: Vec<_> = programs.filter_map(|(program, _)| program.clone()).collect();
        match programs.is_empty() {
            true => Ok(()),
            false => Err(AgainError::Programs { path: self.path.clone(), programs }),
        }
    }

    /// The name of the first game in the folder, as [`Again::find`] takes it.
    pub fn first(&self) -> Option<String> {
        let chunk = self.schedule.chunks().find(|chunk| !chunk.games.is_empty())?;
        Some(match self.resolved.arms.len() {
            1 => chunk.games.start.to_string(),
            _ => self.name(chunk.variant, chunk.games.start),
        })
    }

    /// `black-hole/12`
    fn name(&self, arm: usize, game: u32) -> String {
        format!("{}/{game}", self.resolved.arms[arm])
    }

    /// Plays a game again, compares every row of it with those of the run, and writes it down. Of a run that is not
    /// [repeatable](Again::is_repeatable) it is the game of the run where the comparison holds, and a departure elsewhere.
    ///
    /// # Errors
    /// A program may not be started that has a seat in it; or a table cannot be read, is of another version, or tells
    /// another game.
    pub fn chronicle(&self, spec: &GameSpec) -> Result<Chronicle, AgainError> {
        let chunk = self.schedule.chunk_of(spec.variant, spec.game).ok_or_else(|| AgainError::NoGame {
            path: self.path.clone(),
            game: self.name(spec.variant, spec.game),
            why: self.of_shard(spec.variant),
        })?;
        self.permit([spec])?;
        let stored = self.stored(&chunk)?;
        let origin =
            Origin { experiment: self.resolved.name.clone(), hash: self.manifest.experiment_hash.clone() };
        let (chronicle, record) = chronicle(&origin, &self.player, spec);
        match stored.differs(&record) {
            None => Ok(chronicle),
            Some(what) => Err(AgainError::Departed {
                path: self.path.clone(),
                departed: Departed { game: self.name(spec.variant, spec.game), what },
                repeatable: self.is_repeatable(),
            }),
        }
    }

    /// Are its games decided by the experiment alone?
    pub fn is_repeatable(&self) -> bool {
        self.manifest.repeatable
    }

    /// How many games there are in the folder.
    pub fn games(&self) -> u64 {
        self.schedule.total()
    }

    /// Plays about so many games again, evenly over the run, and compares every row of every table. Returns how many were
    /// played, and those that went otherwise, in order.
    ///
    /// # Errors
    /// A program may not be started that has a seat in one of them; or a table cannot be read.
    pub fn verify(&self, sample: u64) -> Result<(u64, Vec<Departed>), AgainError> {
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
            // Of several that cannot be read the first is told, whichever thread was first.
            let stored: Vec<Stored> = stored.into_iter().collect::<Result<_, _>>()?;
            let games = chosen.iter().zip(&stored).flat_map(|((chunk, games), stored)| {
                games.iter().map(move |&game| (self.schedule.game(chunk.variant, game), stored))
            });
            let games: Vec<(GameSpec, &Stored)> = games.collect();
            played += games.len() as u64;
            let faults = games.into_par_iter().map(|(spec, stored)| {
                let what = stored.differs(&self.player.play(&spec))?;
                Some(Departed { game: self.name(spec.variant, spec.game), what })
            });
            departed.extend(faults.collect::<Vec<_>>().into_iter().flatten());
        }
        Ok((played, departed))
    }

    /// Every so many games of the folder, chunk by chunk; no chunk without any.
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
        let found = self.resolved.schema_version;
        if found != u64::from(SCHEMA_VERSION) {
            let what = format!(
                "has tables of schema version {found}, and this program has {SCHEMA_VERSION}: the two cannot be compared"
            );
            return Err(AgainError::NoRun { path: self.path.clone(), what });
        }
        let arm = &self.resolved.arms[chunk.variant];
        Stored::read(&self.path, arm, chunk, self.resolved.logging)
            .map_err(|(name, what)| AgainError::NoRun { path: self.path.join(name), what })
    }
}

/// The largest stride not above this one that meets every seat of every line-up, which come round in a cycle: the two have
/// no common divisor.
fn stride(most: u64, cycle: u64) -> u64 {
    (1..=most).rev().find(|&stride| common_divisor(stride, cycle) == 1).unwrap_or(1)
}

/// Neighbours together until they have enough games to keep all threads busy: no more tables than that lie in memory.
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

/// The variant of an arm, if it is the one that the experiment was made of.
fn rules(path: &Path, manifest: &Manifest, arm: &str, content: &Value) -> Result<Arc<Variant>, AgainError> {
    let other = |why: String| AgainError::Rules { path: path.to_owned(), arm: arm.to_owned(), why };
    let files = manifest.rules.get(arm).ok_or_else(|| other(": there are none".to_owned()))?;
    let variant = files.check(arm).map_err(|error| other(format!(": {error}")))?;
    match variant.content() == *content {
        true => Ok(Arc::new(Variant { id: arm.to_owned(), ..variant })),
        false => Err(other(String::new())),
    }
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
