//! Many games of a run, each forked at the same moment: what a hole, a split or a return of each province brings each
//! power.
//!
//! ```text
//!   game ─▶ its moment ─┬─ nothing is drawn ──────▶ centres of each power, some years on
//!                       ├─ ANK alone is drawn ────▶ …
//!                       ├─ APU alone is drawn ────▶ …
//!                       └─ every eligible province
//! ```
//! All branches of a game have the same dice and the same nature later on.

use std::ops::ControlFlow;

use super::error::BranchError;
use super::fork::Moment;
use super::otherwise::DrawWord;
use crate::chronicle::Again;
use crate::sim::amended::{Amendment, Change, Fate};
use crate::sim::{GameSpec, Playing};
use upheaval_engine::game::Game;
use upheaval_engine::rules::position::Phase;
use upheaval_map::ids::ByPower;

/// What is asked of a run.
#[derive(Clone, Debug)]
pub struct SurveyQuery {
    /// The arm, by its place in the experiment.
    pub arm: usize,
    /// What nature draws for.
    pub draw: DrawWord,
    /// In which season.
    pub at: Moment,
    /// How many years after that season's year centres are counted.
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
    /// What came of it where nothing was drawn.
    pub without: Outcomes,
    /// For each province that could be drawn, by name and in the order of names, what came of it where it alone was.
    pub drawn: Vec<(String, Outcomes)>,
}

/// Forks games of runs.
#[derive(Clone, Copy)]
pub struct Survey<'a> {
    again: &'a Again,
}

impl<'a> Survey<'a> {
    /// Looks at a run.
    pub fn of(again: &'a Again) -> Survey<'a> {
        Survey { again }
    }

    /// Forks games of the run, in their order. Each is first played again as it was and compared with the run. A game that is
    /// over before the moment, or in which nothing is drawn then, is left out.
    ///
    /// # Errors
    /// A game goes otherwise than the run says, was void, or cannot be played again.
    pub fn forked(&self, query: &SurveyQuery) -> Result<Vec<Surveyed>, BranchError> {
        let forked = self.again.each_compared(query.arm, query.games, &|spec| self.fork(spec, query))?;
        Ok(forked.into_iter().flatten().collect())
    }

    fn fork(&self, spec: &GameSpec, query: &SurveyQuery) -> Result<Option<Surveyed>, BranchError> {
        let (without, fate) = self.branch(spec, query, Change::Without)?;
        let Fate::Made { mut eligible, .. } = fate else { return Ok(None) };
        eligible.sort_unstable();
        let mut drawn = Vec::with_capacity(eligible.len());
        for province in eligible {
            let (outcomes, fate) = self.branch(spec, query, Change::Only(province.clone()))?;
            // A bot that answers otherwise from game to game may have brought it to where the province cannot be drawn.
            if !matches!(fate, Fate::Made { .. }) {
                let game = spec.game.to_string();
                return Err(BranchError::NotRepeatable { game, phase: query.at.to_string() });
            }
            drawn.push((province, outcomes));
        }
        Ok(Some(Surveyed { game: spec.game, block: spec.block, without, drawn }))
    }

    /// Plays a game with this draw until centres are counted.
    fn branch(
        &self,
        spec: &GameSpec,
        query: &SurveyQuery,
        change: Change,
    ) -> Result<(Outcomes, Fate), BranchError> {
        let Moment { year, season, .. } = query.at;
        let mut amendment = Some(Amendment { year, season, draw: query.draw.draw(), change });
        let last = year.saturating_add(query.years);
        let mut counted = None;
        let mut void = false;
        self.again.player().play_steered(spec, &mut |playing: &mut Playing<'_>| {
            if let Some(amendment) = amendment.take() {
                playing.amend(amendment);
            }
            let (number, game, _) = playing.look();
            void |= number > 1;
            let Phase { year, .. } = game.phase();
            if void || year > last || playing.is_over() {
                counted = Some((centres(game), playing.fate().clone()));
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        match counted {
            Some(counted) if !void => Ok(counted),
            _ => Err(BranchError::Void { game: spec.game.to_string() }),
        }
    }
}

fn centres(game: &Game) -> Outcomes {
    let position = &game.world().position;
    // A board has at most 256 faces, and nobody owns them all.
    ByPower::from_fn(game.powers(), |power| position.centres_of(power).len().min(255) as u8)
}
