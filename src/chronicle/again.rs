//! A run on disk whose games are played again: each is what its experiment makes of its number, so rules, seats and seeds
//! are enough, as long as the bots that played it are to be had.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::Value;

use super::form::Chronicle;
use super::scribe::{Origin, chronicle};
use crate::bot::BotMaker;
use crate::diagnostic::{one_line, suggest};
use crate::record::column::Row;
use crate::record::compare::StoredPart;
use crate::record::{
    BEHAVIOUR_VERSION, EventRow, GameRecord, GameRow, OrderRow, SCHEMA_VERSION, TopologyRow, TurnRow,
};
use crate::rules::variant::Variant;
use crate::sim::output::manifest::{MANIFEST, Manifest};
use crate::sim::output::resolved::Resolved;
use crate::sim::output::{RESOLVED, part_name};
use crate::sim::schedule::Chunk;
use crate::sim::{FaultRule, GameSpec, Logging, Play, Player, Schedule, Shard};

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
}

/// A run whose games can be played again.
pub struct Again {
    path: PathBuf,
    manifest: Manifest,
    resolved: Resolved,
    schedule: Schedule,
    player: Player,
}

/// A game that went otherwise than the run says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Departed {
    /// The game: `black-hole/12`.
    pub game: String,
    /// In what it differs.
    pub what: String,
}

impl Again {
    /// Looks at a run folder. `maker` gives the bot of a name and of what the experiment says of it, or says why it is not
    /// to be had.
    ///
    /// # Errors
    /// It is no run, or its games would go otherwise here.
    pub fn open(
        path: &Path,
        mut maker: impl FnMut(&str, &Value) -> Result<BotMaker, String>,
    ) -> Result<Again, AgainError> {
        let no_run = |what: String| AgainError::NoRun { path: path.to_owned(), what: one_line(&what) };
        let read = |name: &str| {
            fs::read_to_string(path.join(name)).map_err(|error| no_run(format!("has no `{name}`: {error}")))
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
        let bots = resolved.bots.iter().enumerate().map(|(i, bot)| {
            maker(bot, &value["bots"][i]["content"]).map_err(|why| AgainError::Bot {
                path: path.to_owned(),
                bot: bot.clone(),
                why,
            })
        });
        let bots: Vec<BotMaker> = bots.collect::<Result<_, _>>()?;
        let faults = FaultRule::from_content(&value["faults"])
            .ok_or_else(|| no_run(format!("has a {RESOLVED} without sound `faults`")))?;
        if manifest.games_a_part == 0 || !manifest.shard.is_none_or(Shard::is_sound) {
            return Err(no_run(format!("has a {MANIFEST} that no run has")));
        }
        let schedule = resolved.schedule(manifest.games_a_part, manifest.shard);
        let player = Player::new(variants, bots).with_faults(faults);
        Ok(Again { path: path.to_owned(), manifest, resolved, schedule, player })
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
        Ok(self.schedule.game(arm, number))
    }

    /// Plays a game again, and writes it down.
    pub fn chronicle(&self, spec: &GameSpec) -> Chronicle {
        let origin =
            Origin { experiment: self.resolved.name.clone(), hash: self.manifest.experiment_hash.clone() };
        chronicle(&origin, &self.player, spec).0
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
    /// A table cannot be read.
    pub fn verify(&self, sample: u64) -> Result<(u64, Vec<Departed>), AgainError> {
        if self.resolved.schema_version != u64::from(SCHEMA_VERSION) {
            let what = format!(
                "has tables of schema version {}, and this program has {SCHEMA_VERSION}: the two cannot be compared",
                self.resolved.schema_version
            );
            return Err(AgainError::NoRun { path: self.path.clone(), what });
        }
        let total = self.games().max(1);
        let every = total.div_ceil(sample.clamp(1, total));
        let (mut before, mut played, mut departed) = (0, 0, Vec::new());
        for chunk in self.schedule.chunks() {
            let first = before;
            before += chunk.games.len() as u64;
            let chosen: Vec<u32> = chunk
                .games
                .clone()
                .zip(first..)
                .filter(|(_, n)| n % every == 0)
                .map(|(game, _)| game)
                .collect();
            if chosen.is_empty() {
                continue;
            }
            played += chosen.len() as u64;
            let stored = self.stored(&chunk)?;
            let faults = chosen.into_par_iter().map(|game| {
                let spec = self.schedule.game(chunk.variant, game);
                let record = self.player.play(&spec);
                stored.differs(&record).map(|what| Departed {
                    game: format!("{}/{game}", self.resolved.arms[chunk.variant]),
                    what,
                })
            });
            departed.extend(faults.collect::<Vec<_>>().into_iter().flatten());
        }
        Ok((played, departed))
    }

    fn stored(&self, chunk: &Chunk) -> Result<Stored, AgainError> {
        fn part<R: Row>(again: &Again, chunk: &Chunk) -> Result<StoredPart, AgainError> {
            let name = part_name(R::table().name, &again.resolved.arms[chunk.variant], chunk.part);
            StoredPart::read::<R>(&again.path.join(&name))
                .map_err(|what| AgainError::NoRun { path: again.path.join(name), what })
        }
        Ok(Stored {
            games: part::<GameRow>(self, chunk)?,
            turns: part::<TurnRow>(self, chunk)?,
            topology: part::<TopologyRow>(self, chunk)?,
            events: part::<EventRow>(self, chunk)?,
            orders: match self.resolved.logging {
                Logging::WithOrders => Some(part::<OrderRow>(self, chunk)?),
                Logging::WithoutOrders => None,
            },
        })
    }
}

/// The tables of a chunk.
struct Stored {
    games: StoredPart,
    turns: StoredPart,
    topology: StoredPart,
    events: StoredPart,
    orders: Option<StoredPart>,
}

impl Stored {
    /// In what a game differs, by the table that tells it best.
    fn differs(&self, record: &GameRecord) -> Option<String> {
        let game = record.game.game;
        None.or_else(|| self.orders.as_ref()?.differs::<OrderRow>(game, record))
            .or_else(|| self.events.differs::<EventRow>(game, record))
            .or_else(|| self.topology.differs::<TopologyRow>(game, record))
            .or_else(|| self.turns.differs::<TurnRow>(game, record))
            .or_else(|| self.games.differs::<GameRow>(game, record))
    }
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
