//! The tally of the games of a cell: whole numbers, so that the order of additions cannot affect it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::Blocks;
use crate::balance::distribution::Distribution;
use crate::balance::effect::{EffectTally, FirstEvents, Query};
use crate::balance::play::{PlayTally, Plays};
use crate::balance::years::{Yearly, YearlyGame, course};
use crate::reading::{DetailTable, GameEvent, GameOfPart, PartTally, PowerTurn, RunPart, RunTally};
use upheaval_harness::record::{EventKind, GameEnd, GameRow, SeatOutcome, SeatRow};
use upheaval_harness::sim::stored::StoredError;
use upheaval_map::ids::Power;

upheaval_map::named! {
    /// The measures of fairness: a number that each power has in each game.
    #[derive(PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum FairnessMeasure {
        /// Games won alone.
        Solos = "solos",
        /// A. B. Calhamer's point count: a win is 1, a draw of n is 1/n each.
        Score = "draw-size score",
        /// Centres at the end.
        Centres = "centres at the end",
        /// A unit on the board at the end.
        Survival = "survival",
    }
}

/// One win in the unit of [`Measure::Score`]: a share in a draw of up to sixteen is a whole number of these, and in a
/// larger one it is rounded down by less than one part in 20,000.
const WHOLE: u64 = 720_720;

impl FairnessMeasure {
    /// How many of its units make 1.
    pub(crate) const fn unit(self) -> f64 {
        match self {
            FairnessMeasure::Score => WHOLE as f64,
            FairnessMeasure::Solos | FairnessMeasure::Centres | FairnessMeasure::Survival => 1.0,
        }
    }

    /// The value of each power in a game, in units.
    pub(crate) fn of(self, game: &GameRow) -> Vec<u64> {
        let seats = game.seats.rows();
        let drew = || seats.iter().filter(|seat| seat.outcome == SeatOutcome::Drew).count().max(1) as u64;
        let of = |seat: &SeatRow| match (self, seat.outcome) {
            (FairnessMeasure::Solos, outcome) => u64::from(outcome == SeatOutcome::Won),
            (FairnessMeasure::Score, SeatOutcome::Won) => WHOLE,
            (FairnessMeasure::Score, SeatOutcome::Drew) => WHOLE / drew(),
            (FairnessMeasure::Score, _) => 0,
            (FairnessMeasure::Centres, _) => u64::from(seat.centres),
            (FairnessMeasure::Survival, _) => u64::from(seat.units > 0),
        };
        seats.iter().map(of).collect()
    }
}

/// The sums of a block from which fairness and differences are computed. They are kept for every block, 32 bytes for
/// each power.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BlockSums {
    /// The block.
    pub block: u32,
    /// Its games in the cell.
    pub games: u32,
    /// By measure, and by power in their order; empty in a block without games.
    pub sums: [Vec<u64>; FairnessMeasure::ALL.len()],
}

impl BlockSums {
    /// The mean of a measure over the block's games, for each power.
    pub(crate) fn means(&self, measure: FairnessMeasure) -> Vec<f64> {
        let all = f64::from(self.games) * measure.unit();
        self.sums[measure as usize].iter().map(|&sum| sum as f64 / all).collect()
    }

    /// The sum of each power, as its mean times the games.
    pub(crate) fn totals(&self, measure: FairnessMeasure) -> Vec<f64> {
        self.means(measure).into_iter().map(|mean| mean * f64::from(self.games)).collect()
    }

    /// The same for all powers together.
    pub(crate) fn together(&self, measure: FairnessMeasure) -> f64 {
        let sum: u64 = self.sums[measure as usize].iter().sum();
        sum as f64 / (f64::from(self.games) * measure.unit())
    }

    /// Of these games of a block.
    fn of_games<'g>(block: u32, games: impl Iterator<Item = &'g GameRow>) -> BlockSums {
        let mut all = BlockSums { block, ..BlockSums::default() };
        for game in games {
            all.games += 1;
            for measure in FairnessMeasure::ALL {
                let (sums, values) = (&mut all.sums[measure as usize], measure.of(game));
                grow(sums, values.len());
                sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
            }
        }
        all
    }
}

/// A game, as far as a cell counts it.
#[derive(Clone, Debug)]
pub(crate) struct CountedGame {
    row: GameRow,
    course: YearlyGame,
    plays: Plays,
}

impl CountedGame {
    /// Did it end like this? A game that was adjudged early counts as the solo or the draw that was declared, too.
    fn ended(&self, end: GameEnd) -> bool {
        let named = if self.row.winner.is_some() { GameEnd::Solo } else { GameEnd::Draw };
        end == self.row.end || (end == named && self.row.end == GameEnd::Stopped)
    }

    /// How many powers shared the draw in which it ended, if it did.
    fn draw_size(&self) -> Option<usize> {
        let drawn = matches!(self.row.end, GameEnd::Draw | GameEnd::Stopped) && self.row.draw_size > 0;
        drawn.then(|| usize::from(self.row.draw_size))
    }
}

/// The games of one power.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub(crate) struct PowerTally {
    pub solos: Blocks,
    pub draws: Blocks,
    pub survivals: Blocks,
    pub eliminations: Blocks,
    /// In units.
    pub score: Blocks,
    /// At the end.
    pub centres: Distribution,
}

/// All games of a cell at the end of a year.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct YearTally {
    /// The powers.
    pub powers: Vec<PowerYearTally>,
    /// Games still running.
    pub running: u64,
}

/// One power at the end of a year.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PowerYearTally {
    /// Centres, over all games.
    pub centres: Distribution,
    /// Centres, over the games in which the power is in play.
    pub centres_in_play: Blocks,
    /// Games in which the power is in play.
    pub in_play: Blocks,
}

/// All games of a cell. Lists by power are empty until the first game sets the number of powers.
#[derive(Clone, Debug, Default)]
pub(crate) struct CellTally {
    /// The sums of each block.
    pub blocks: Vec<BlockSums>,
    /// The powers.
    pub powers: Vec<PowerTally>,
    /// How games ended, in the order of [`GameEnd::ALL`].
    pub ends: [Blocks; GameEnd::ALL.len()],
    /// Draws of one, two … of all powers.
    pub draws: Vec<Blocks>,
    /// Powers in a draw, over the games that ended in one.
    pub draw_sizes: Blocks,
    /// Game years begun.
    pub length: Distribution,
    /// Extant centres at the end.
    pub extant: Blocks,
    /// The powers from year to year.
    pub years: Yearly<YearTally>,
    /// How they were played.
    pub play: PlayTally,
    /// How many games each bot won alone.
    pub won: BTreeMap<Arc<str>, u64>,
    /// The games of the block that may go on.
    open: Vec<CountedGame>,
}

impl CellTally {
    /// Adds the next game. The games of a block must be consecutive.
    fn add(&mut self, game: CountedGame) {
        if self.open.first().is_some_and(|first| first.row.block != game.row.block) {
            self.close();
        }
        self.open.push(game);
    }

    /// Closes the last block: no more games come.
    pub(crate) fn close(&mut self) {
        let games = std::mem::take(&mut self.open);
        let Some(first) = games.first() else { return };
        let (all, powers) = (games.len() as u64, first.row.seats.powers().len());
        let sum = |of: &dyn Fn(&CountedGame) -> u64| games.iter().map(of).sum::<u64>();
        let mut numbers = Vec::with_capacity(games.len());
        let mut distribute = |into: &mut Distribution, of: &dyn Fn(&CountedGame) -> u16| {
            numbers.clear();
            numbers.extend(games.iter().map(of));
            into.add_block(&mut numbers);
        };
        let sums = BlockSums::of_games(first.row.block, games.iter().map(|game| &game.row));
        grow(&mut self.powers, powers);
        for (at, power) in self.powers.iter_mut().enumerate() {
            let seat =
                |game: &CountedGame, is: fn(&SeatRow) -> bool| u64::from(is(&game.row.seats.rows()[at]));
            let of = |measure: FairnessMeasure| sums.sums[measure as usize][at];
            power.solos.add_block(all, of(FairnessMeasure::Solos));
            power.draws.add_block(all, sum(&|game| seat(game, |seat| seat.outcome == SeatOutcome::Drew)));
            power.survivals.add_block(all, of(FairnessMeasure::Survival));
            power.eliminations.add_block(all, sum(&|game| seat(game, SeatRow::is_out)));
            power.score.add_block(all, of(FairnessMeasure::Score));
            distribute(&mut power.centres, &|game| game.row.seats.rows()[at].centres);
        }
        for (end, ended) in GameEnd::ALL.into_iter().zip(&mut self.ends) {
            ended.add_block(all, sum(&|game| u64::from(game.ended(end))));
        }
        grow(&mut self.draws, powers);
        for (size, draws) in (1..).zip(&mut self.draws) {
            draws.add_block(all, sum(&|game| u64::from(game.draw_size() == Some(size))));
        }
        let drawn = sum(&|game| u64::from(game.draw_size().is_some()));
        self.draw_sizes.add_block(drawn, sum(&|game| game.draw_size().unwrap_or(0) as u64));
        distribute(&mut self.length, &|game| game.row.years);
        self.extant.add_block(all, sum(&|game| u64::from(game.row.extant_centres)));
        let longest = games.iter().map(|game| game.course.years.len()).max().unwrap_or(0);
        let years = Yearly { years: (0..longest).collect(), after: usize::MAX };
        self.years.add(&years, |tally, &year| {
            tally.running += sum(&|game| u64::from(game.course.at(year).running));
            grow(&mut tally.powers, powers);
            for (at, power) in tally.powers.iter_mut().enumerate() {
                let standing = |game: &CountedGame| game.course.at(year).powers[at];
                let in_play = sum(&|game| u64::from(standing(game).in_play));
                // An eliminated power has no centres, so the sum is that of all games.
                power.centres_in_play.add_block(in_play, sum(&|game| u64::from(standing(game).centres)));
                power.in_play.add_block(all, in_play);
                distribute(&mut power.centres, &|game| standing(game).centres);
            }
        });
        self.play.add_block(games.iter().map(|game| game.plays.pairs(&game.row)));
        for game in &games {
            if let Some(winner) = game.row.winner {
                *self.won.entry(Arc::clone(&game.row.seats[winner].bot)).or_default() += 1;
            }
        }
        self.blocks.push(sums);
    }
}

/// Extends a list to this length if it is shorter.
pub(super) fn grow<T: Clone + Default>(list: &mut Vec<T>, len: usize) {
    if list.len() < len {
        list.resize(len, T::default());
    }
}

// One part of a run: its games, each year by year, and the powers that events struck.

/// The tallies of an arm, one for each line-up of all runs.
pub(crate) struct ArmTally<'a> {
    query: &'a Query,
    pub line_ups: Vec<(CellTally, Vec<EffectTally>)>,
}

impl ArmTally<'_> {
    /// No games yet.
    pub(crate) fn new(query: &Query, line_ups: usize) -> ArmTally<'_> {
        let empty = (CellTally::default(), vec![EffectTally::default(); query.kinds.len()]);
        ArmTally { query, line_ups: vec![empty; line_ups] }
    }
}

impl<'a> RunTally for ArmTally<'a> {
    type Part = ArmPart<'a>;

    fn new_part(&self, part: &RunPart<'_>) -> ArmPart<'a> {
        let (query, arm) = (self.query, part.arm());
        let empty = (Vec::new(), vec![EffectTally::default(); query.kinds.len()]);
        ArmPart {
            query,
            start: arm.start(),
            homes: query.homes_of(arm),
            games: Vec::new(),
            line_ups: vec![empty; part.line_ups.len()],
        }
    }

    fn add(&mut self, part: &RunPart<'_>, counted: ArmPart<'a>) -> Result<(), StoredError> {
        for ((tally, effects), new) in self.line_ups[part.line_ups.clone()].iter_mut().zip(counted.line_ups) {
            new.0.into_iter().for_each(|game| tally.add(game));
            effects.iter_mut().zip(new.1).for_each(|(effect, new)| effect.merge(new));
        }
        Ok(())
    }
}

/// The games of a part: each year by year, and the powers that events struck.
pub(crate) struct ArmPart<'a> {
    query: &'a Query,
    start: u16,
    /// The power of each home centre of the arm.
    homes: BTreeMap<String, Power>,
    /// The games, and the first events in them.
    games: Vec<(CountedGame, FirstEvents)>,
    /// By line-up its games, and the effect of events in them, one tally for each kind that is analysed.
    line_ups: Vec<(Vec<CountedGame>, Vec<EffectTally>)>,
}

impl PartTally for ArmPart<'_> {
    fn needs(&self) -> Vec<DetailTable> {
        vec![DetailTable::Turns, DetailTable::Events]
    }

    fn games(&mut self, games: &[GameRow]) {
        let new = |row: &GameRow| {
            let plays = Plays::new(self.start, row.seats.powers().len());
            let game = CountedGame { row: row.clone(), course: YearlyGame::default(), plays };
            (game, FirstEvents::default())
        };
        self.games = games.iter().map(new).collect();
    }

    fn turns(&mut self, game: GameOfPart<'_>, rows: &[PowerTurn]) {
        let (counted, _) = &mut self.games[game.index];
        rows.iter().for_each(|turn| counted.plays.season(turn));
        counted.course = course(self.start, game.row, rows);
    }

    fn events(&mut self, game: GameOfPart<'_>, rows: &[GameEvent]) {
        let (counted, struck) = &mut self.games[game.index];
        for event in rows {
            if let (EventKind::Captured, Some(by)) = (event.kind, event.power) {
                counted.plays.capture(by, event.other);
            }
        }
        if !self.query.kinds.is_empty() {
            *struck = self.query.first_events(self.start, &self.homes, rows);
        }
    }

    fn end(&mut self, part: &RunPart<'_>, _: &[GameRow]) -> Result<(), StoredError> {
        for (game, struck) in std::mem::take(&mut self.games) {
            let row = &game.row;
            let Some((games, effects)) = self.line_ups.get_mut(usize::from(row.line_up)) else {
                let what = format!("has line-up {}, which the experiment does not have", row.line_up);
                return Err(part.damaged("games", what));
            };
            if game.course.years.is_empty() {
                return Err(part.damaged("turns", format!("lacks the rows of game {}", row.game)));
            }
            self.query.tally(self.start, row.block, &game.course, &struck, effects);
            games.push(game);
        }
        Ok(())
    }
}
