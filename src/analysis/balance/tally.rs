//! The tally of the games of a cell: whole numbers, so that the order of additions cannot affect it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::Blocks;
use crate::balance::distribution::Distribution;
use crate::balance::effect::{EffectTally, FirstEvents, Query};
use crate::balance::play::{BlockPlay, PlayTally, Plays, SeasonPlay as PowerSeason};
use crate::balance::years::{Yearly, YearlyGame, course};
use crate::reading::{DetailTable, GameEvent, GameOfPart, PartTally, PowerTurn, RunPart, RunTally};
use upheaval_harness::record::{EventKind, GameEnd, GameRow, SeatOutcome, SeatRow};
use upheaval_harness::sim::stored::StoredError;
use upheaval_map::ids::Power;

/// The measures of fairness: a number that each power has in each game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FairnessMeasure {
    /// Games won alone.
    Solos,
    /// A. B. Calhamer's point count: a win is 1, a draw of n is 1/n each.
    Score,
    /// Centres at the end.
    Centres,
    /// A unit on the board at the end.
    Survival,
}

/// One win in the unit of [`Measure::Score`]: a share in a draw of up to sixteen is a whole number of these, and in a
/// larger one it is rounded down by less than one part in 20,000.
const WHOLE: u64 = 720_720;

impl FairnessMeasure {
    /// All of them, in the order of tables.
    pub const ALL: [FairnessMeasure; 4] =
        [FairnessMeasure::Solos, FairnessMeasure::Score, FairnessMeasure::Centres, FairnessMeasure::Survival];

    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            FairnessMeasure::Solos => "solos",
            FairnessMeasure::Score => "draw-size score",
            FairnessMeasure::Centres => "centres at the end",
            FairnessMeasure::Survival => "survival",
        }
    }

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
    sums: [Vec<u64>; FairnessMeasure::ALL.len()],
}

impl BlockSums {
    /// The mean of a measure over the block's games, for each power.
    pub(crate) fn means(&self, measure: FairnessMeasure) -> Vec<f64> {
        let all = f64::from(self.games) * measure.unit();
        self.sums[measure as usize].iter().map(|&sum| sum as f64 / all).collect()
    }

    /// The same for all powers together.
    pub(crate) fn together(&self, measure: FairnessMeasure) -> f64 {
        let sum: u64 = self.sums[measure as usize].iter().sum();
        sum as f64 / (f64::from(self.games) * measure.unit())
    }

    #[cfg(test)]
    pub(crate) fn of(block: u32, games: u32, sums: [Vec<u64>; FairnessMeasure::ALL.len()]) -> BlockSums {
        BlockSums { block, games, sums }
    }
}

/// Further counts of a game: `T` is a number while a block is counted, and [`Blocks`] over them. The lists are empty
/// until the first game sets the number of powers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct GameCounts<T> {
    /// By power: solos, draws, survivals, eliminations, score (in units), centres at the end.
    pub powers: Vec<PowerCounts<T>>,
    /// How games ended, in the order of [`GameEnd::ALL`].
    pub ends: [T; GameEnd::ALL.len()],
    /// Draws of one, two … of all powers.
    pub draws: Vec<T>,
    /// Game years begun.
    pub years: T,
    /// Extant centres at the end.
    pub extant: T,
}

/// The counts of one power.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub(crate) struct PowerCounts<T> {
    pub solos: T,
    pub draws: T,
    pub survivals: T,
    pub eliminations: T,
    pub score: T,
    pub centres: T,
}

impl<T: Clone + Default> GameCounts<T> {
    /// Makes room for this number of powers.
    fn make_room(&mut self, powers: usize) {
        grow(&mut self.powers, powers);
        grow(&mut self.draws, powers);
    }

    /// All counts, always in the same order.
    fn all(&mut self) -> impl Iterator<Item = &mut T> {
        let GameCounts { powers, ends, draws, years, extant } = self;
        let powers = powers.iter_mut().flat_map(|p| {
            let PowerCounts { solos, draws, survivals, eliminations, score, centres } = p;
            [solos, draws, survivals, eliminations, score, centres]
        });
        powers.chain(ends).chain(draws).chain([years, extant])
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct BlockYear {
    centres: Vec<u32>,
    in_play: Vec<u32>,
    running: u32,
}

/// All games of a cell at the end of a year.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct YearTally {
    /// Centres, over all games.
    pub centres: Vec<Blocks>,
    /// Centres, over the games in which the power is in play.
    pub centres_in_play: Vec<Blocks>,
    /// Games in which the power is in play.
    pub in_play: Vec<Blocks>,
    /// Games still running.
    pub running: u64,
}

/// Extends a list to this length if it is shorter.
fn grow<T: Clone + Default>(list: &mut Vec<T>, len: usize) {
    if list.len() < len {
        list.resize(len, T::default());
    }
}

/// Adds a list to sums that are as long, or still empty.
fn add_each<A: Clone + Default, B>(sums: &mut Vec<A>, values: &[B], mut add: impl FnMut(&mut A, &B)) {
    grow(sums, values.len());
    sums.iter_mut().zip(values).for_each(|(sum, value)| add(sum, value));
}

/// The games of one block in a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BlockTally {
    sums: BlockSums,
    counts: GameCounts<u64>,
    years: Yearly<BlockYear>,
    /// How they were played.
    play: BlockPlay,
    /// Its games one by one, for statistics that sums do not give.
    games: Vec<Played>,
}

/// A game of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Played {
    /// Game years begun.
    years: u16,
    course: YearlyGame,
}

impl BlockTally {
    fn add(&mut self, game: &GameRow, course: &YearlyGame, (start, plays): (u16, &Plays)) {
        self.play.add(game, start, plays);
        self.sums.games += 1;
        for measure in FairnessMeasure::ALL {
            let of = measure.of(game);
            add_each(&mut self.sums.sums[measure as usize], &of, |sum, value| *sum += value);
        }
        self.counts.make_room(game.seats.powers().len());
        self.counts.ends[game.end as usize] += 1;
        // A game that was adjudged early counts as the solo or the draw that was declared.
        if game.end == GameEnd::Stopped {
            let named = if game.winner.is_some() { GameEnd::Solo } else { GameEnd::Draw };
            self.counts.ends[named as usize] += 1;
        }
        if matches!(game.end, GameEnd::Draw | GameEnd::Stopped)
            && let Some(count) =
                usize::from(game.draw_size).checked_sub(1).and_then(|i| self.counts.draws.get_mut(i))
        {
            *count += 1;
        }
        self.counts.years += u64::from(game.years);
        self.counts.extant += u64::from(game.extant_centres);
        for (seat, counts) in game.seats.rows().iter().zip(&mut self.counts.powers) {
            let is = |outcome| u64::from(seat.outcome == outcome);
            counts.draws += is(SeatOutcome::Drew);
            counts.eliminations += u64::from(seat.is_out());
        }
        self.years.add(course, |sum, year| {
            add_each(&mut sum.centres, &year.powers, |sum, power| *sum += u32::from(power.centres));
            add_each(&mut sum.in_play, &year.powers, |sum, power| *sum += u32::from(power.in_play));
            sum.running += u32::from(year.running);
        });
        self.games.push(Played { years: game.years, course: course.clone() });
    }

    fn merge(&mut self, mut other: BlockTally) {
        self.sums.games += other.sums.games;
        self.play.merge(&other.play);
        for (sums, others) in self.sums.sums.iter_mut().zip(&other.sums.sums) {
            add_each(sums, others, |a, b| *a += b);
        }
        self.counts.make_room(other.counts.powers.len());
        self.counts.all().zip(other.counts.all()).for_each(|(a, b)| *a += *b);
        self.years.add(&other.years, |a, b| {
            add_each(&mut a.centres, &b.centres, |a, b| *a += b);
            add_each(&mut a.in_play, &b.in_play, |a, b| *a += b);
            a.running += b.running;
        });
        self.games.append(&mut other.games);
    }
}

/// How many games each bot won alone.
pub(crate) type Won = BTreeMap<Arc<str>, u64>;

/// Consecutive games of a cell, such as those of a part file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stretch {
    blocks: Vec<BlockTally>,
    won: Won,
}

impl Stretch {
    /// Adds a game of a variant that starts in the year after `start`. The games of a block must be consecutive.
    pub(crate) fn add(&mut self, game: &GameRow, course: &YearlyGame, (start, plays): (u16, &Plays)) {
        if let Some(winner) = game.winner {
            *self.won.entry(Arc::clone(&game.seats[winner].bot)).or_default() += 1;
        }
        if self.blocks.last().is_none_or(|last| last.sums.block != game.block) {
            let sums = BlockSums { block: game.block, ..BlockSums::default() };
            self.blocks.push(BlockTally { sums, ..BlockTally::default() });
        }
        if let Some(block) = self.blocks.last_mut() {
            block.add(game, course, (start, plays));
        }
    }
}

/// All games of a cell. Lists by power are empty until the first game sets the number of powers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CellTally {
    /// The sums of each block.
    pub blocks: Vec<BlockSums>,
    /// The counts over the blocks.
    pub counts: GameCounts<Blocks>,
    /// Powers in a draw, over the games that ended in one.
    pub draw_sizes: Blocks,
    /// The powers from year to year.
    pub years: Yearly<YearTally>,
    /// How they were played.
    pub play: PlayTally,
    /// How long games were.
    pub lengths: Distribution,
    /// Centres at the end.
    pub centres: Vec<Distribution>,
    /// Centres by year.
    pub by_year: Yearly<Vec<Distribution>>,
    /// The winners.
    pub won: Won,
    /// The block that may continue in the next stretch.
    open: Option<BlockTally>,
}

impl CellTally {
    /// Adds the next games. A block may begin in one stretch and end in another.
    pub(crate) fn add(&mut self, stretch: Stretch) {
        for (bot, games) in stretch.won {
            *self.won.entry(bot).or_default() += games;
        }
        for block in stretch.blocks {
            match &mut self.open {
                Some(open) if open.sums.block == block.sums.block => open.merge(block),
                _ => {
                    self.close();
                    self.open = Some(block);
                }
            }
        }
    }

    /// Closes the last block: no more games come.
    pub(crate) fn close(&mut self) {
        let Some(mut block) = self.open.take() else { return };
        let games = u64::from(block.sums.games);
        for (power, counts) in block.counts.powers.iter_mut().enumerate() {
            let sum = |measure: FairnessMeasure| block.sums.sums[measure as usize][power];
            counts.solos = sum(FairnessMeasure::Solos);
            counts.survivals = sum(FairnessMeasure::Survival);
            counts.score = sum(FairnessMeasure::Score);
            counts.centres = sum(FairnessMeasure::Centres);
        }
        let (mut draws, mut sharers) = (0, 0);
        for (&count, size) in block.counts.draws.iter().zip(1_u64..) {
            draws += count;
            sharers += size * count;
        }
        self.draw_sizes.add_block(draws, sharers);
        self.counts.make_room(block.counts.powers.len());
        self.counts.all().zip(block.counts.all()).for_each(|(all, sum)| all.add_block(games, *sum));
        self.years.add(&block.years, |all, year| {
            for list in [&mut all.centres, &mut all.centres_in_play, &mut all.in_play] {
                grow(list, year.centres.len());
            }
            for (power, (&centres, &in_play)) in year.centres.iter().zip(&year.in_play).enumerate() {
                let (centres, in_play) = (u64::from(centres), u64::from(in_play));
                all.centres[power].add_block(games, centres);
                // An eliminated power has no centres, so the sum is the same.
                all.centres_in_play[power].add_block(in_play, centres);
                all.in_play[power].add_block(games, in_play);
            }
            all.running += u64::from(year.running);
        });
        self.play.add(&block.play);
        self.distribute(&block.games);
        self.blocks.push(block.sums);
    }

    /// Adds the games of a block to the distributions.
    fn distribute(&mut self, games: &[Played]) {
        let mut numbers = Vec::with_capacity(games.len());
        let mut enter = |into: &mut Distribution, of: &dyn Fn(&Played) -> u16| {
            numbers.clear();
            numbers.extend(games.iter().map(of));
            into.add_block(&mut numbers);
        };
        enter(&mut self.lengths, &|game| game.years);
        let powers = games.first().map_or(0, |game| game.course.after.powers.len());
        grow(&mut self.centres, powers);
        for (power, seen) in self.centres.iter_mut().enumerate() {
            enter(seen, &|game| game.course.after.powers[power].centres);
        }
        let longest = games.iter().map(|game| game.course.years.len()).max().unwrap_or(0);
        let years = Yearly { years: (0..longest).collect(), after: usize::MAX };
        self.by_year.add(&years, |all, &year| {
            grow(all, powers);
            for (power, seen) in all.iter_mut().enumerate() {
                enter(seen, &|game| game.course.at(year).powers[power].centres);
            }
        });
    }
}

// One part of a run: its games, each year by year, and the powers that events struck.

/// What a part contributes to one line-up.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineUpPart {
    /// Its games.
    pub stretch: Stretch,
    /// The effect of events in them, one tally for each kind analysed.
    pub effects: Vec<EffectTally>,
}

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
        ArmPart {
            query,
            start: arm.start(),
            homes: query.homes_of(arm),
            games: Vec::new(),
            line_ups: vec![
                LineUpPart {
                    effects: vec![EffectTally::default(); query.kinds.len()],
                    ..LineUpPart::default()
                };
                part.line_ups.len()
            ],
        }
    }

    fn add(&mut self, part: &RunPart<'_>, counted: ArmPart<'a>) -> Result<(), StoredError> {
        for ((tally, effects), new) in self.line_ups[part.line_ups.clone()].iter_mut().zip(counted.line_ups) {
            tally.add(new.stretch);
            effects.iter_mut().zip(new.effects).for_each(|(effect, new)| effect.merge(new));
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
    /// What is known of each game besides its row.
    games: Vec<CountedGame>,
    line_ups: Vec<LineUpPart>,
}

/// What is known of a game besides its row.
struct CountedGame {
    course: YearlyGame,
    plays: Plays,
    struck: FirstEvents,
}

impl PartTally for ArmPart<'_> {
    fn needs(&self) -> Vec<DetailTable> {
        vec![DetailTable::Turns, DetailTable::Events]
    }

    fn games(&mut self, games: &[GameRow]) {
        let new = |game: &GameRow| CountedGame {
            course: YearlyGame::default(),
            plays: Plays::new(game.seats.powers().len()),
            struck: FirstEvents::default(),
        };
        self.games = games.iter().map(new).collect();
    }

    fn turns(&mut self, game: GameOfPart<'_>, rows: &[PowerTurn]) {
        let counted = &mut self.games[game.index];
        for turn in rows {
            let (orders, choices) = (turn.orders, turn.choices);
            counted.plays.season(turn.power, PowerSeason { orders, choices });
        }
        counted.course = course(self.start, game.row, rows);
    }

    fn events(&mut self, game: GameOfPart<'_>, rows: &[GameEvent]) {
        let counted = &mut self.games[game.index];
        for event in rows {
            if let (EventKind::Captured, Some(by)) = (event.kind, event.power) {
                counted.plays.capture(by, event.other);
            }
        }
        if !self.query.kinds.is_empty() {
            counted.struck = self.query.first_events(self.start, &self.homes, rows);
        }
    }

    fn end(&mut self, part: &RunPart<'_>, games: &[GameRow]) -> Result<(), StoredError> {
        for (row, CountedGame { course, plays, struck }) in games.iter().zip(std::mem::take(&mut self.games))
        {
            let Some(line_up) = self.line_ups.get_mut(usize::from(row.line_up)) else {
                let what = format!("has line-up {}, which the experiment does not have", row.line_up);
                return Err(part.damaged("games", what));
            };
            if course.years.is_empty() {
                return Err(part.damaged("turns", format!("lacks the rows of game {}", row.game)));
            }
            line_up.stretch.add(row, &course, (self.start, &plays));
            self.query.tally(self.start, row.block, &course, &struck, &mut line_up.effects);
        }
        Ok(())
    }
}
