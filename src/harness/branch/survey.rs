//! Many games of a run, each forked at the same moment: the effect of a hole, a split, a return or a quake of each
//! province on each power.
//!
//! ```text
//!   game ─▶ its moment ─┬─ nothing happens ───────▶ centres of each power, some years on
//!                       ├─ only ANK is drawn ─────▶ …
//!                       ├─ only APU is drawn ─────▶ …
//!                       └─ every eligible province, or every quake that the map allows
//! ```
//! All branches of a game have the same dice and the same later nature.
//! [`outcomes_table`] has the outcomes as a Parquet file: a row for each game, province and power.

use std::ops::ControlFlow;
use std::sync::Arc;

use parquet::errors::ParquetError;
use upheaval_engine::game::Game;
use upheaval_map::ids::{ByPower, Power, PowerNames};
use upheaval_map::topology::{PlanarMap, Quake};

use super::fork::{BranchError, Moment, shake};
use super::otherwise::MapEventKind;
use crate::game_record::{LiveSeats, RunReplayer};
use crate::record::parquet::{Cells, encode};
use crate::sim::amended::{Amendment, Change, Draw, Fate};
use crate::sim::{GameSpec, Player, Playing};

/// What is asked of a run.
#[derive(Clone, Debug)]
pub struct SurveyQuery {
    /// The arm, by its index in the experiment.
    pub arm: usize,
    /// The event.
    pub event: MapEventKind,
    /// In which season.
    pub at: Moment,
    /// How many years after that season's year the centres are counted.
    pub years: u16,
    /// About how many games are forked.
    pub games: u64,
}

/// The centres of each power when they are counted.
pub type Outcomes = ByPower<u8>;

/// A game that was forked.
#[derive(Clone, Debug)]
pub struct Surveyed {
    /// Its number.
    pub game: u32,
    /// Its block.
    pub block: u32,
    /// The outcomes without any event.
    pub without: Outcomes,
    /// The outcomes with one event alone, for every possible event.
    pub happened: Vec<SurveyedBranch>,
}

/// A branch of a game with one event.
#[derive(Clone, Debug)]
pub struct SurveyedBranch {
    /// The province that was drawn, or the quake as the text of an order.
    pub what: String,
    /// The province that was drawn, or the provinces that the quake separates, by name.
    pub provinces: Vec<String>,
    /// The outcomes.
    pub outcomes: Outcomes,
}

impl SurveyQuery {
    /// Forks games of a run, in their order. Each is first played again unchanged and compared with the run. A game is
    /// left out if it is over before the moment, or if no event is possible then.
    ///
    /// # Errors
    /// A game differs from the run, was void, or cannot be played again.
    pub fn forked(&self, again: &RunReplayer) -> Result<Vec<Surveyed>, BranchError> {
        let fork = |player: &Player, spec: &GameSpec| {
            let live = again.live(spec)?;
            Trunk { player, live, spec, query: self }.fork()
        };
        let forked = again.each_compared(self.arm, self.games, &fork)?;
        Ok(forked.into_iter().flatten().collect())
    }
}

/// A game up to the moment at which it is forked.
struct Trunk<'a> {
    player: &'a Player,
    /// The bots that decide after the event, in seats that are played from the record before it.
    live: LiveSeats,
    spec: &'a GameSpec,
    query: &'a SurveyQuery,
}

/// Has the event of a branch happened?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Happened {
    Yes,
    NotYet,
}

impl Trunk<'_> {
    fn fork(&self) -> Result<Option<Surveyed>, BranchError> {
        let Trunk { spec, query, .. } = self;
        let branches = match &query.event {
            MapEventKind::Draw(draw) => self.draws(draw)?,
            MapEventKind::Quake => self.quakes()?,
        };
        let of = |(without, happened)| Surveyed { game: spec.game, block: spec.block, without, happened };
        Ok(branches.map(of))
    }

    /// The branches of all places that could be drawn, in the order of their names.
    fn draws(&self, draw: &Draw) -> Result<Branches, BranchError> {
        let branch = |change: Change| {
            let Moment { year, season, .. } = self.query.at;
            let mut amendment = Some(Amendment { year, season, draw: draw.clone(), change });
            let mut fate = Fate::Waiting;
            let outcomes = self.branch(&mut |playing| {
                if let Some(amendment) = amendment.take() {
                    playing.amend(amendment);
                }
                fate.clone_from(playing.fate());
                if fate == Fate::Waiting { Happened::NotYet } else { Happened::Yes }
            });
            outcomes.map(|outcomes| (outcomes, fate))
        };
        let (without, fate) = branch(Change::Without)?;
        let Fate::Made { mut eligible, .. } = fate else { return Ok(None) };
        if eligible.is_empty() {
            return Ok(None);
        }
        eligible.sort_unstable();
        let mut happened = Vec::with_capacity(eligible.len());
        for province in eligible {
            let (outcomes, fate) = branch(Change::Only(province.clone()))?;
            if !matches!(fate, Fate::Made { .. }) {
                return Err(not_repeatable(self.spec, self.query));
            }
            happened.push(SurveyedBranch { what: province.clone(), provinces: vec![province], outcomes });
        }
        Ok(Some((without, happened)))
    }

    /// The branches of all quakes that the map allows, in the order in which it lists them.
    fn quakes(&self) -> Result<Branches, BranchError> {
        let query = self.query;
        // A branch with this quake alone, and all that were possible in it.
        let branch = |quake: Option<Quake>| {
            let mut possible = None;
            let outcomes = self.branch(&mut |playing| {
                let game = playing.state().1;
                if possible.is_some() {
                    return Happened::Yes;
                }
                if query.at.has_quakes(game) {
                    possible = Some((game.quakes().to_vec(), Arc::clone(&game.world().terrain)));
                    shake(playing, quake.map(Into::into));
                }
                Happened::NotYet
            });
            outcomes.map(|outcomes| (outcomes, possible))
        };
        let (without, possible) = branch(None)?;
        let Some((possible, terrain)) = possible else { return Ok(None) };
        let mut happened = Vec::with_capacity(possible.len());
        for &quake in &possible {
            let (outcomes, now) = branch(Some(quake))?;
            if now.is_none_or(|(now, _)| now != possible) {
                return Err(not_repeatable(self.spec, query));
            }
            let (what, provinces) = named_of(quake, terrain.chart().map());
            happened.push(SurveyedBranch { what, provinces, outcomes });
        }
        Ok(Some((without, happened)))
    }

    /// Plays a game until centres are counted; its change is made before its stages.
    fn branch(&self, amend: &mut dyn FnMut(&mut Playing<'_>) -> Happened) -> Result<Outcomes, BranchError> {
        let Trunk { player, live, spec, query } = self;
        let mut before = Happened::NotYet;
        let last = query.at.year.saturating_add(query.years);
        let mut counted = None;
        let mut void = false;
        player.play_steered(spec, &mut |playing: &mut Playing<'_>| {
            let happened = amend(playing);
            if before != happened {
                // Nothing that follows is in the record.
                live.take_over(playing, None);
                before = happened;
            }
            let (number, game, _) = playing.state();
            void |= number > 1;
            if void || game.phase().year > last || playing.is_over() {
                counted = Some(centres(game));
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        match counted {
            Some(counted) if !void => Ok(counted),
            _ => Err(BranchError::void(&spec.game.to_string())),
        }
    }
}

/// The outcomes of a game without an event, and its other branches; empty where no event is possible.
type Branches = Option<(Outcomes, Vec<SurveyedBranch>)>;

/// A bot that answers differently from game to game has led it to a position where the event is impossible.
fn not_repeatable(spec: &GameSpec, query: &SurveyQuery) -> BranchError {
    BranchError::NotRepeatable { game: spec.game.to_string(), phase: query.at.to_string() }
}

/// A quake as the text of an order, and the provinces that it separates.
fn named_of(quake: Quake, map: &PlanarMap) -> (String, Vec<String>) {
    let mut apart = quake.touched(map).apart.map(|face| map.name(face).to_owned()).to_vec();
    apart.sort_unstable();
    apart.dedup();
    (quake.event(map).to_string().to_uppercase(), apart)
}

fn centres(game: &Game) -> Outcomes {
    let position = &game.world().position;
    // A board has at most 256 faces, and no power owns them all.
    ByPower::from_fn(game.powers(), |power| position.centres_of(power).len().min(255) as u8)
}

/// The bytes of the table: `game`, `block`, `province` (or the quake, as the text of an order), `power`, the centres
/// `without` any event and with this event `drawn`.
///
/// # Errors
/// The table cannot be encoded.
pub fn outcomes_table(forked: &[Surveyed], powers: &PowerNames) -> Result<Vec<u8>, ParquetError> {
    let branches = forked.iter().flat_map(|game| game.happened.iter().map(move |branch| (game, branch)));
    let rows: Vec<Row<'_>> = branches
        .flat_map(|(game, branch)| branch.outcomes.iter().map(move |(power, _)| (game, branch, power)))
        .collect();
    let numbers = |of: fn(&Row<'_>) -> u32| Cells::U32(rows.iter().map(of).collect());
    let texts = |of: &dyn Fn(&Row<'_>) -> String| Cells::Text(rows.iter().map(|row| Some(of(row))).collect());
    let columns = [
        ("game", numbers(|(game, ..)| game.game)),
        ("block", numbers(|(game, ..)| game.block)),
        ("province", texts(&|(_, branch, _)| branch.what.clone())),
        ("power", texts(&|(.., power)| powers.name(*power).to_owned())),
        ("without", numbers(|(game, _, power)| game.without[*power].into())),
        ("drawn", numbers(|(_, branch, power)| branch.outcomes[*power].into())),
    ];
    encode(columns.map(|(name, cells)| (name.to_owned(), cells)).into(), &[])
}

/// A game, one of its branches, and a power.
type Row<'a> = (&'a Surveyed, &'a SurveyedBranch, Power);
