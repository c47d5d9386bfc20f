//! Which bots play which game with which random streams: a pure function of the experiment and a number.

use std::ops::Range;
use std::sync::Arc;

use super::dice::Dice;
use super::experiment::Experiment;
use super::resolved::{ResolvedExperiment, RunLog};
use super::seating::{LineUp, LineUpSchedule, LineUps, SeatOrder, Seating};
use super::shard::Shard;
use upheaval_engine::bot::Pace;
use upheaval_engine::game::StopRule;
use upheaval_engine::rules::nature::Seeded;
use upheaval_map::ids::{ByPower, Powers};

/// Games in one chunk, which is one row group of each table. Fixed by the experiment, because the bytes of a run depend
/// on it.
const CHUNK: u32 = 1024;

/// The same if orders are logged, which are about twenty times the other rows.
const CHUNK_WITH_ORDERS: u32 = 256;

/// The same for a slow bot: a run that is interrupted loses its current chunks.
const CHUNK_OF_SLOW_GAMES: u32 = 56;

/// The longest games for which a chunk has this many, in years. With longer games it has fewer: a chunk is kept in
/// memory while it is played and encoded, about 10 kB for each year of a game with orders.
const YEARS: u32 = 128;

/// The number of games in a chunk, from the logging, the speed of the bots, and the number of years that a game can
/// have.
fn games_a_chunk(log: RunLog, slow: bool, years: u32) -> u32 {
    let bounded = if log.orders { CHUNK_WITH_ORDERS } else { CHUNK };
    let most = if slow { CHUNK_OF_SLOW_GAMES } else { bounded };
    (bounded * YEARS / years.max(1)).clamp(1, most)
}

/// One game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSpec {
    /// The variant, as an index into [`Experiment::variants`].
    pub variant: usize,
    /// The game's number within its variant.
    pub game: u32,
    /// Its block: the games under one nature, of one line-up or of several, in all rotations or in fixed seats.
    pub block: u32,
    /// Which of the line-ups it is, as an index into [`LineUps::list`].
    pub line_up: u16,
    /// The number of seats by which the line-up is rotated.
    pub rotation: u8,
    /// The bot of each power, as an index into [`Experiment::bots`].
    pub seats: ByPower<usize>,
    /// The names of those bots, shared by all games of the line-up.
    pub names: Arc<ByPower<Arc<str>>>,
    /// The root seed.
    pub seed: u64,
    /// The last year to be played.
    pub last_year: u16,
    /// Its additional records.
    pub log: RunLog,
    /// When it is stopped if it is decided.
    pub stop: StopRule,
}

impl GameSpec {
    /// The game's nature. It does not depend on game, variant or bots, so every rotation of a block and every variant
    /// has the same nature.
    pub fn nature(&self) -> Seeded {
        Seeded { seed: self.seed, block: u64::from(self.block) }
    }

    /// The dice of its bots.
    pub fn dice(&self) -> Dice {
        Dice::new(self.seed, self.block.into(), self.game.into(), self.seats.powers())
    }
}

/// Games of one variant that are played, encoded and written together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The variant.
    pub variant: usize,
    /// Its number within the variant, which is in the names of the part files.
    pub part: u32,
    /// The games within it.
    pub games: Range<u32>,
}

/// Which bot plays which power, as an index and by name.
#[derive(Clone, Debug)]
struct Table {
    seats: ByPower<usize>,
    names: Arc<ByPower<Arc<str>>>,
}

/// The tables of a schedule.
#[derive(Clone, Debug)]
enum Tables {
    /// The seating in each rotation of each line-up, the same in every block; the rotations of one line-up are
    /// consecutive.
    Kept(Vec<Table>),
    /// Line-ups whose order is drawn for each block.
    Shuffled(Vec<LineUp>),
}

/// The games of an experiment, or of a shard of it.
#[derive(Clone, Debug)]
pub struct Schedule {
    variants: usize,
    games: u32,
    tables: Tables,
    /// The names of the bots.
    bots: Vec<Arc<str>>,
    powers: Powers,
    rotations: u32,
    deal: LineUpSchedule,
    chunk: u32,
    shard: Shard,
    seed: u64,
    last_year: u16,
    log: RunLog,
    stop: StopRule,
}

impl Schedule {
    /// The games of an experiment in parts of this size, or those of a shard.
    pub(crate) fn new(experiment: &ResolvedExperiment, games_a_part: u32, shard: Option<Shard>) -> Self {
        let (powers, seating) = (experiment.power_names().powers(), experiment.seating());
        let bots: Vec<Arc<str>> = experiment.bots.iter().map(|bot| Arc::from(&*bot.name)).collect();
        let table = |seats: ByPower<usize>| Table {
            names: Arc::new(ByPower::from_fn(powers, |p| bots[seats[p]].clone())),
            seats,
        };
        let rotations = seating.rotations();
        let (tables, deal) = match seating {
            Seating::Fixed(seats) => (Tables::Kept(vec![table(seats.clone())]), LineUpSchedule::EveryBlock),
            Seating::FixedLineUps(list) => {
                (Tables::Kept(list.iter().cloned().map(table).collect()), LineUpSchedule::EveryBlock)
            }
            Seating::Rotated(LineUps { list, deal, order: SeatOrder::ShuffledByBlock }) => {
                (Tables::Shuffled(list.clone()), *deal)
            }
            Seating::Rotated(LineUps { list, deal, order: SeatOrder::Listed }) => {
                let rotated = list.iter().flat_map(|line_up| {
                    (0..usize::from(rotations)).map(|by| table(rotated(powers, by, |place| line_up[place])))
                });
                (Tables::Kept(rotated.collect()), *deal)
            }
        };
        Schedule {
            variants: experiment.variants.len(),
            games: experiment.games,
            tables,
            bots,
            powers,
            rotations: u32::from(rotations),
            deal,
            chunk: games_a_part.max(1),
            shard: shard.unwrap_or(Shard::WHOLE),
            seed: experiment.seed,
            last_year: experiment.last_year,
            log: experiment.log,
            stop: experiment.stop,
        }
    }

    /// The number of games of a chunk that is not a variant's last.
    pub(crate) fn chunk_size(&self) -> u32 {
        self.chunk
    }

    /// The number of chunks.
    pub fn count(&self) -> usize {
        self.shard.below(self.parts().saturating_mul(self.variants))
    }

    /// The number of games over all variants.
    pub fn total(&self) -> u64 {
        self.games_between(0, self.count())
    }

    /// The number of games of the first chunks.
    pub fn games_of(&self, chunks: usize) -> u64 {
        self.games_between(0, chunks)
    }

    /// The number of chunks of a variant from an index of the order on, and the number of their games.
    pub(crate) fn left_of(&self, variant: usize, from: usize) -> (usize, u64) {
        let places = self.places_of(variant);
        let from = from.clamp(places.start, places.end);
        (places.end - from, self.games_between(from, places.end))
    }

    /// The number of chunks that a variant has in the whole run.
    fn parts(&self) -> usize {
        self.games.div_ceil(self.chunk) as usize
    }

    /// The indices of a variant's chunks in the order.
    fn places_of(&self, variant: usize) -> Range<usize> {
        let first = self.parts().saturating_mul(variant);
        self.shard.below(first)..self.shard.below(first.saturating_add(self.parts()))
    }

    /// The number of games of the chunks from one index of the order to before another: each has the same number,
    /// except for the last of a variant.
    fn games_between(&self, from: usize, to: usize) -> u64 {
        let (from, to) = (from.min(self.count()), to.min(self.count()));
        let short = u64::from(self.chunk)
            - u64::from(self.games - (self.parts().saturating_sub(1) as u32) * self.chunk);
        let is_there = |variant: &usize| {
            let places = self.places_of(*variant);
            let last = self.parts().saturating_mul(*variant + 1).saturating_sub(1);
            // Is the last chunk of the variant in the shard, and between the two?
            self.shard.below(last) < places.end && (from..to).contains(&(places.end - 1))
        };
        let lasts = (0..self.variants).filter(is_there).count() as u64;
        (to.saturating_sub(from) as u64 * u64::from(self.chunk)).saturating_sub(lasts * short)
    }

    /// One game.
    pub fn game(&self, variant: usize, game: u32) -> GameSpec {
        let line_ups = self.line_ups();
        let each_block = match self.deal {
            LineUpSchedule::EveryBlock => line_ups,
            LineUpSchedule::InTurn => 1,
        };
        let (block, within) = (game / (each_block * self.rotations), game % (each_block * self.rotations));
        let rotation = within % self.rotations;
        let line_up = match self.deal {
            LineUpSchedule::EveryBlock => within / self.rotations,
            LineUpSchedule::InTurn => block % line_ups,
        };
        let Table { seats, names } = self.table(block, line_up, rotation);
        GameSpec {
            variant,
            game,
            block,
            line_up: line_up as u16,
            rotation: rotation as u8,
            seats,
            names,
            seed: self.seed,
            last_year: self.last_year,
            log: self.log,
            stop: self.stop,
        }
    }

    /// The games of a chunk.
    pub(crate) fn games_in(&self, chunk: &Chunk) -> Vec<GameSpec> {
        chunk.games.clone().map(|game| self.game(chunk.variant, game)).collect()
    }

    /// The bot of each power in a rotation of a line-up in a block.
    fn table(&self, block: u32, line_up: u32, rotation: u32) -> Table {
        match &self.tables {
            Tables::Kept(tables) => tables[(line_up * self.rotations + rotation) as usize].clone(),
            Tables::Shuffled(list) => {
                let line_up = &list[line_up as usize];
                let places = SeatOrder::ShuffledByBlock.places(self.seed, block, line_up.len());
                let seats = rotated(self.powers, rotation as usize, |place| line_up[places[place]]);
                let names = ByPower::from_fn(self.powers, |power| Arc::clone(&self.bots[seats[power]]));
                Table { seats, names: Arc::new(names) }
            }
        }
    }

    /// How many line-ups there are.
    fn line_ups(&self) -> u32 {
        match &self.tables {
            Tables::Kept(tables) => tables.len() as u32 / self.rotations,
            Tables::Shuffled(list) => list.len() as u32,
        }
    }

    /// The chunk of a game; `None` if it is in another shard, or does not exist.
    pub(crate) fn chunk_of(&self, variant: usize, game: u32) -> Option<Chunk> {
        let number = self.parts().checked_mul(variant)?.checked_add((game / self.chunk) as usize)?;
        let at = self.shard.below(number);
        self.chunk(at).filter(|chunk| chunk.variant == variant && chunk.games.contains(&game))
    }

    /// After this many games of a variant, and no fewer, the same line-up is in the same rotation again.
    pub(crate) fn cycle(&self) -> u32 {
        self.line_ups() * self.rotations
    }

    /// The chunks in the order in which they are written.
    pub fn chunks(&self) -> impl Iterator<Item = Chunk> + '_ {
        (0..).map_while(|at| self.chunk(at))
    }

    /// The chunk at this index of the order in which they are written.
    pub fn chunk(&self, at: usize) -> Option<Chunk> {
        let parts = self.parts();
        let of_run = self.shard.chunk(at)?;
        let (variant, part) = (of_run.checked_div(parts)?, of_run.checked_rem(parts)? as u32);
        let from = part * self.chunk;
        let games = from..from + self.chunk.min(self.games - from);
        (variant < self.variants).then_some(Chunk { variant, part, games })
    }
}

/// The bots in a rotation: the first power has the bot at the place `by`, the next one that at the next place.
fn rotated(powers: Powers, by: usize, bot: impl Fn(usize) -> usize) -> ByPower<usize> {
    ByPower::from_fn(powers, |power| bot((power.index() + by) % powers.len()))
}

/// The number of years that a game of the experiment can have.
fn years(experiment: &ResolvedExperiment) -> u32 {
    let first = experiment.variants.iter().map(|arm| arm.first_year).min().unwrap_or(experiment.last_year);
    u32::from(experiment.last_year.saturating_sub(first)) + 1
}

impl Experiment {
    /// Its games, or those of its shard.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(&self.resolved, self.games_a_part(), self.shard.clone())
    }

    /// The number of games of each part that is not the last of an arm.
    pub(crate) fn games_a_part(&self) -> u32 {
        match &self.resolved.sequential {
            // A match is tested after each part.
            Some(sequential) => sequential.games_a_look,
            None => games_a_chunk(
                self.resolved.log,
                self.bots.iter().any(|bot| bot.pace == Pace::Slow),
                years(&self.resolved),
            ),
        }
    }

    /// The number of games, or of a multiple of them, that are kept in memory where it would be this many for games of
    /// usual length: fewer if games can be long.
    pub fn fewer_if_long(&self, usual: u32) -> u32 {
        usual.saturating_mul(YEARS).checked_div(years(&self.resolved)).unwrap_or(usual).clamp(1, usual.max(1))
    }
}

/// The greatest common divisor.
pub(crate) const fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::super::mock;
    use super::*;
    use upheaval_map::ids::Power;
    use upheaval_map::rng::Purpose;

    #[test]
    fn a_block_is_one_nature_under_every_rotation() {
        let schedule = mock::experiment("rotated", 14).schedule();
        let games: Vec<_> = (0..14).map(|g| schedule.game(0, g)).collect();
        for (i, spec) in games.iter().enumerate() {
            assert_eq!(spec.block as usize, i / 7);
            assert_eq!(usize::from(spec.rotation), i % 7);
        }
        // Every entry of the line-up sits in every seat once in a block.
        for power in Powers::STANDARD {
            let mut seen: Vec<_> = games[..7].iter().map(|g| g.seats[power]).collect();
            seen.sort();
            assert_eq!(seen, [0, 0, 0, 0, 0, 0, 1]);
        }
        let at = "F1901M".parse().unwrap();
        let nature = |spec: &GameSpec| spec.nature().stream(Purpose::Nature("holes"), at, 0).next_u64();
        assert!(games[..7].iter().all(|g| nature(g) == nature(&games[0])));
        assert_eq!(nature(&schedule.game(1, 3)), nature(&games[0]), "the variant is not in the key");
        assert_ne!(nature(&games[0]), nature(&games[7]));
        let dice = |spec: &GameSpec| spec.dice().opening(Power::FRANCE).next_u64();
        assert_ne!(dice(&games[0]), dice(&games[1]));
        assert_ne!(dice(&games[0]), games[0].dice().opening(Power::ITALY).next_u64());
    }

    #[test]
    fn every_block_plays_all_line_ups_or_the_next_one() {
        let list = vec![vec![0, 1, 1, 1, 1, 1, 1], vec![1, 0, 0, 0, 0, 0, 0]];
        let with = |deal| {
            let seating = Seating::Rotated(LineUps { list: list.clone(), deal, order: SeatOrder::Listed });
            mock::with(&mock::experiment("rotated", 28), |resolved| resolved.seat(seating)).schedule()
        };
        let (all, next) = (with(LineUpSchedule::EveryBlock), with(LineUpSchedule::InTurn));
        for game in 0..28 {
            let (all, next) = (all.game(0, game), next.game(0, game));
            assert_eq!((all.block, all.line_up), (game / 14, (game / 7 % 2) as u16));
            assert_eq!((next.block, next.line_up), (game / 7, (game / 7 % 2) as u16));
            for spec in [all, next] {
                assert_eq!(u32::from(spec.rotation), game % 7);
                let line_up = &list[usize::from(spec.line_up)];
                for power in Powers::STANDARD {
                    assert_eq!(spec.seats[power], line_up[(power.index() + game as usize) % 7]);
                }
            }
        }
    }

    #[test]
    fn where_games_are_slow_little_is_lost() {
        let mut experiment = mock::experiment("fixed", 2500);
        let most = |experiment: &Experiment| experiment.schedule().chunks().map(|c| c.games.len()).max();
        assert_eq!(most(&experiment), Some(CHUNK as usize));
        experiment.bots[0].pace = Pace::Slow;
        assert_eq!(most(&experiment), Some(CHUNK_OF_SLOW_GAMES as usize));
    }

    #[test]
    fn of_games_that_can_be_long_a_chunk_has_few() {
        let size = |log, slow, years| games_a_chunk(log, slow, years);
        for years in [1, 30, 128] {
            assert_eq!(size(RunLog::default(), false, years), 1024);
            assert_eq!(size(RunLog::ORDERS, false, years), 256);
            assert_eq!(size(RunLog::ORDERS, true, years), 56);
        }
        for (years, without, with) in [(129, 1016, 254), (1000, 131, 32), (8099, 16, 4), (65_535, 2, 1)] {
            assert_eq!(size(RunLog::default(), false, years), without, "{years}");
            assert_eq!(size(RunLog::ORDERS, false, years), with, "{years}");
            assert_eq!(size(RunLog::ORDERS, true, years), with.min(56), "{years}");
        }
        let experiment = mock::with(&mock::experiment("fixed", 100), |resolved| resolved.last_year = 9999);
        assert_eq!(experiment.games_a_part(), 16);
    }

    #[test]
    fn chunks_are_counted_as_they_would_be_listed() {
        for games in [1, 1023, 1024, 1025, 2500, 5000] {
            for (variants, size) in [(1, 1024), (2, 1024), (3, 7), (2, 1)] {
                let mut schedule = mock::experiment("fixed", games).schedule();
                (schedule.chunk, schedule.variants) = (size, variants);
                let lists = ["0", "2,3,9-40", "1-3,5,7000", "4,5000-100000"]
                    .map(|list| Shard::Chunks { chunks: list.parse().unwrap() });
                for shard in Shard::all(1).chain(Shard::all(3)).chain(Shard::all(40)).chain(lists) {
                    schedule.shard = shard;
                    let all: Vec<Chunk> = schedule.chunks().collect();
                    let sum =
                        |chunks: &[Chunk]| chunks.iter().map(|chunk| chunk.games.len() as u64).sum::<u64>();
                    let what =
                        format!("{games} games, {variants} arms, {size} a chunk, shard {}", schedule.shard);
                    assert_eq!((schedule.count(), schedule.total()), (all.len(), sum(&all)), "{what}");
                    for from in [0, 1, all.len() / 2, all.len()] {
                        assert_eq!(schedule.games_of(from), sum(&all[..from.min(all.len())]), "{what}");
                        for variant in 0..variants {
                            let left = all.iter().skip(from).filter(|chunk| chunk.variant == variant);
                            let left: Vec<Chunk> = left.cloned().collect();
                            assert_eq!(schedule.left_of(variant, from), (left.len(), sum(&left)), "{what}");
                        }
                    }
                    let found =
                        |game| all.iter().find(|c| c.variant == variants - 1 && c.games.contains(&game));
                    for game in [0, games / 2, games - 1, games] {
                        assert_eq!(schedule.chunk_of(variants - 1, game).as_ref(), found(game), "{what}");
                    }
                }
            }
        }
        // Four billion games are counted without a list of them.
        let mut schedule = mock::experiment("fixed", 4_294_967_295).schedule();
        schedule.chunk = 1;
        assert_eq!((schedule.count(), schedule.total()), (8_589_934_590, 8_589_934_590));
        schedule.shard = Shard::Nth { number: 4, of: 5 };
        assert_eq!(schedule.total(), 1_717_986_918);
    }

    #[test]
    fn the_shards_chunks_are_those_of_the_whole() {
        let whole = mock::experiment("fixed", 2500);
        let all: Vec<Chunk> = whole.schedule().chunks().collect();
        assert_eq!(all.iter().map(|chunk| chunk.part).collect::<Vec<_>>(), [0, 1, 2, 0, 1, 2]);
        for of in [1, 2, 4, 9] {
            let shards =
                Shard::all(of).map(|shard| Schedule::new(&whole.resolved, whole.games_a_part(), Some(shard)));
            let shards: Vec<Schedule> = shards.collect();
            assert_eq!(shards.iter().map(Schedule::total).sum::<u64>(), 5000);
            let mut chunks: Vec<Chunk> = shards.iter().flat_map(Schedule::chunks).collect();
            chunks.sort_by_key(|chunk| (chunk.variant, chunk.part));
            assert_eq!(chunks, all);
        }
    }

    #[test]
    fn chunks_cover_every_game_once_and_never_cross_variants() {
        let schedule = mock::experiment("fixed", 2500).schedule();
        let mut games = Vec::new();
        for chunk in schedule.chunks() {
            games.extend(chunk.games.map(|g| (chunk.variant, g)));
        }
        let all: Vec<_> = (0..2).flat_map(|v| (0..2500).map(move |g| (v, g))).collect();
        assert_eq!(games, all);
        assert_eq!(schedule.total(), 5000);
        assert_eq!([0, 1, 3, 4, 6].map(|chunks| schedule.games_of(chunks)), [0, 1024, 2500, 3524, 5000]);
    }
}
