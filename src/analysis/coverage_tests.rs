//! How often printed intervals cover the truth: the table of docs/coverage.md, from simulations on synthetic tables.
//!
//! ```sh
//! UPHEAVAL_SLOW_TESTS=8 UPDATE_EXPECT=1 cargo test -p upheaval-analysis coverage
//! ```
//! writes the page again. With a smaller number fewer runs are compared with the same bounds, as far as so few can
//! tell, and without slow tests only those of the fewest blocks.

use rayon::prelude::*;

use crate::balance::distribution::{Distribution, Quantile, Quantiles};
use crate::balance::effect;
use crate::balance::fairness::tests::measured;
use crate::balance::ranking::{RankedCells, tests::compared};
use crate::balance::sample::Sample;
use crate::balance::tally::{BlockSums, FairnessMeasure};
use crate::blocks::{Blocks, mean_of, mean_of_blocks};
use crate::duel::{Comparison, LEAD, MatchProgress};
use crate::estimate::{Estimate, Interval, Spread};
use crate::futures::power_futures;
use crate::ladder;
use crate::scoring::{Score, tests::draw};
use crate::sprt::{self, SprtQuestion, Test};
use crate::standings::{Counted, Standings};
use crate::tune::statistic::{BlockVectors, squared_interval};
use upheaval_harness::record::{GameEnd, GameRow};
use upheaval_map::ids::Power;
use upheaval_map::rng::{Purpose, Stream};

/// The numbers of blocks.
const SIZES: [u32; 3] = [8, 30, 150];

/// Runs of the page. One standard error of a coverage of 95 % is 0.49 percentage points.
const RUNS: u64 = 2000;

/// The bounds of a coverage.
const LEAST: f64 = 0.93;
const MOST: f64 = 0.97;

/// What is promised of an interval.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Promise {
    /// It covers between [`LEAST`] and [`MOST`].
    Right,
    /// It covers at least [`LEAST`]: outcomes are too coarse or too rare for more to be promised.
    Cautious,
}

/// A printed interval in one kind of table.
struct Case {
    /// What is estimated.
    what: &'static str,
    /// The kind of table.
    world: &'static str,
    promise: Promise,
    /// The numbers of blocks in which it is simulated, or none where the number is not given.
    sizes: &'static [u32],
    covers: Box<Covers>,
}

/// The cases of the page.
#[derive(Default)]
struct Cases(Vec<Case>);

impl Cases {
    fn add(
        &mut self,
        what: &'static str,
        world: &'static str,
        promise: Promise,
        sizes: &'static [u32],
        covers: impl Fn(&mut Stream, u32) -> Option<bool> + Sync + 'static,
    ) {
        self.0.push(Case { what, world, promise, sizes, covers: Box::new(covers) });
    }

    fn right(
        &mut self,
        what: &'static str,
        world: &'static str,
        covers: impl Fn(&mut Stream, u32) -> Option<bool> + Sync + 'static,
    ) {
        self.add(what, world, Promise::Right, &SIZES, covers);
    }

    fn cautious(
        &mut self,
        what: &'static str,
        world: &'static str,
        covers: impl Fn(&mut Stream, u32) -> Option<bool> + Sync + 'static,
    ) {
        self.add(what, world, Promise::Cautious, &SIZES, covers);
    }
}

/// Draws a table of this many blocks and says whether the interval covers; `None` where none is printed.
type Covers = dyn Fn(&mut Stream, u32) -> Option<bool> + Sync;

/// The result of a case at one size.
struct Found {
    /// Runs in which an interval was printed.
    printed: u64,
    covered: u64,
}

fn within(interval: Option<Interval>, truth: f64) -> Option<bool> {
    interval.map(|Interval { low, high }| low <= truth && truth <= high)
}

fn covers(estimate: Option<Estimate>, truth: f64) -> Option<bool> {
    within(estimate?.interval, truth)
}

/// The values of the games of a block: with this probability in a hundred, a game has the value that all such games of
/// the block share.
fn block(dice: &mut Stream, games: u32, alike: u32, value: impl Fn(&mut Stream) -> u64) -> Vec<u64> {
    let common = value(dice);
    let game = |_| {
        let own = value(dice);
        if dice.below(100) < alike { common } else { own }
    };
    (0..games).map(game).collect()
}

/// Blocks of seven such games.
fn blocks(dice: &mut Stream, count: u32, alike: u32, value: impl Fn(&mut Stream) -> u64) -> Blocks {
    let mut all = Blocks::default();
    for _ in 0..count {
        block(dice, 7, alike, &value).into_iter().for_each(|value| all.add(value));
        all.close();
    }
    all
}

/// An outcome that this many of a thousand games have.
fn outcome(dice: &mut Stream, per_mille: u32) -> u64 {
    u64::from(dice.below(1000) < per_mille)
}

/// A draw-size score in twelfths: a solo in `solos` of a hundred games, a share of a draw of three in four of ten
/// others.
fn score(dice: &mut Stream, solos: u32) -> u64 {
    match (dice.below(100) < solos, dice.below(10) < 4) {
        (true, _) => 12,
        (false, true) => 4,
        (false, false) => 0,
    }
}

fn mean_score(solos: u32) -> f64 {
    let solos = f64::from(solos) / 100.0;
    12.0 * solos + (1.0 - solos) * 0.4 * 4.0
}

/// Centres at the end: none in four of ten games, most in one.
fn centres(dice: &mut Stream) -> u64 {
    match dice.below(10) {
        0..4 => 0,
        4..7 => 3,
        7..9 => 7,
        _ => 17,
    }
}

/// A length: five years, and one more for each coin in a row.
fn length(dice: &mut Stream) -> u64 {
    let mut years = 5;
    while dice.below(10) < 7 {
        years += 1;
    }
    years
}

/// One of nine numbers, of which the lower ones are more frequent.
fn number(dice: &mut Stream) -> u64 {
    u64::from(dice.below(9).min(dice.below(9)))
}

/// A game in which these bots finish in an order drawn by Plackett and Luce's model, with these strengths.
fn game(dice: &mut Stream, base: &GameRow, block: u32, seats: &[usize], bots: &[(&str, f64)]) -> GameRow {
    let mut row = base.clone();
    (row.block, row.state_hash, row.end, row.winner) = (block, dice.next_u64(), GameEnd::Draw, None);
    let mut unit = || ((dice.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
    let mut order: Vec<(f64, usize)> =
        seats.iter().enumerate().map(|(seat, &bot)| (-unit().ln() / bots[bot].1, seat)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (&(_, seat), centres) in order.iter().zip([11, 8, 6, 4, 3, 2, 0]) {
        let power = Power::STANDARD[seat];
        row.seats[power].centres = centres;
        row.seats[power].bot = bots[seats[seat]].0.into();
    }
    row
}

/// A base for games.
fn base() -> GameRow {
    draw(34, [5; 7], [0; 7])
}

/// In each block, bots are better or worse than usual.
fn moods(dice: &mut Stream, bots: &[(&'static str, f64)], spread: f64) -> Vec<(&'static str, f64)> {
    bots.iter().map(|(name, strength)| (*name, strength * (spread * sprt::normal_draw(dice)).exp())).collect()
}

/// Standings of three bots over blocks of seven rotations.
fn standings(
    dice: &mut Stream,
    base: &GameRow,
    blocks: u32,
    bots: [(&'static str, f64); 3],
    mood: f64,
) -> Standings {
    let names = bots.iter().map(|(name, _)| (*name).to_owned()).collect();
    let mut standings = Standings::new(names, vec!["v".to_owned()], Counted::EverySeat, Score::SumOfSquares);
    for block in 0..blocks {
        let moods = moods(dice, &bots, mood);
        for rotation in 0..7 {
            let seats: Vec<usize> = (0..7).map(|seat| (seat + rotation) % 7 % 3).collect();
            standings.add(0, &game(dice, base, block, &seats, &moods));
        }
    }
    standings
}

/// The ends of a table of seven powers in which the first wins more often than an even share by this many of a hundred.
fn unfair(dice: &mut Stream, block: u32, favoured: u32, alike: u32, solos: u32) -> BlockSums {
    let mut sums = [const { Vec::new() }; FairnessMeasure::ALL.len()].map(|_: Vec<u64>| vec![0; 7]);
    let draw = |dice: &mut Stream| {
        let first = dice.below(100) < favoured;
        let power = if first { 0 } else { dice.below(7) as usize };
        (dice.below(100) < solos, power)
    };
    let common = draw(dice);
    for _ in 0..7 {
        let own = draw(dice);
        let (solo, power) = if dice.below(100) < alike { common } else { own };
        sums[FairnessMeasure::Solos as usize][power] += u64::from(solo);
        sums[FairnessMeasure::Centres as usize].iter_mut().for_each(|sum| *sum += 3);
        sums[FairnessMeasure::Centres as usize][power] += 13;
        sums[FairnessMeasure::Survival as usize].iter_mut().for_each(|sum| *sum += 1);
    }
    BlockSums { block, games: 7, sums }
}

/// The true distance of shares in such a table, if what is shared out is this part of all there is.
fn true_distance(favoured: u32, part: f64) -> f64 {
    let favoured = f64::from(favoured) / 100.0;
    let (first, other) = (favoured * 6.0 / 7.0, -favoured / 7.0);
    part * ((first * first + 6.0 * other * other) / 7.0).sqrt()
}

fn distance(
    dice: &mut Stream,
    count: u32,
    table: (u32, u32, u32),
    measure: FairnessMeasure,
) -> Option<Estimate> {
    let (favoured, alike, solos) = table;
    let blocks: Vec<BlockSums> =
        (0..count).map(|block| unfair(dice, block, favoured, alike, solos)).collect();
    measured(&blocks, dice.next_u64()).0[measure as usize]?.corrected
}

const QUESTION: SprtQuestion = SprtQuestion { baseline: 0.0, effect: 0.05, alpha: 0.05, beta: 0.05 };

/// How the blocks of a match vary about their mean.
#[derive(Clone, Copy, PartialEq)]
enum Chance {
    /// Normally.
    Normal,
    /// One of four is far above the others.
    Coarse,
    /// One of four is far below the others.
    CoarseBelow,
    /// Fourteen games, each won once in five, with a large gain for the win.
    RareWins,
}

impl Chance {
    fn draw(self, dice: &mut Stream) -> f64 {
        let coarse = |dice: &mut Stream| [-0.06, -0.06, -0.06, 0.18][dice.below(4) as usize];
        match self {
            Chance::Normal => 0.12 * sprt::normal_draw(dice),
            Chance::Coarse => coarse(dice),
            Chance::CoarseBelow => -coarse(dice),
            Chance::RareWins => {
                let wins = (0..14).filter(|_| dice.below(5) == 0).count() as f64;
                1.8 * (wins / 14.0 - 0.2)
            }
        }
    }
}

/// A match whose blocks have this true difference, until it stops.
fn stopped_test(dice: &mut Stream, truth: f64, chance: Chance) -> Option<bool> {
    let mut test = Test::new(QUESTION);
    let mut blocks = Vec::new();
    while test.verdict().is_none() && test.blocks() < 200 {
        blocks.push(truth + chance.draw(dice));
        test.add(blocks[blocks.len() - 1], 2.0);
    }
    covers(Some(sprt::stopped_estimate(&test, &blocks, dice.next_u64())), truth)
}

/// The gain of a ladder of three rungs, in which a block has the same luck on all of them.
fn gain(dice: &mut Stream, count: u32) -> Option<bool> {
    let mut rungs = [const { Vec::new() }; 3];
    let mut sums = vec![0.0; count as usize];
    for sum in &mut sums {
        let common = score(dice, 15);
        for rung in &mut rungs {
            let game = |_| if dice.below(10) < 3 { common } else { score(dice, 15) };
            let share = (0..7).map(game).sum::<u64>() as f64;
            rung.push((share, 7));
            *sum += share / 7.0;
        }
    }
    let shares = rungs.iter().filter_map(|rung| mean_of_blocks(rung));
    let gains: Vec<(f64, u64)> = sums.into_iter().map(|sum| (sum, 1)).collect();
    covers(Some(ladder::within_all(mean_of_blocks(&gains)?, shares)), 3.0 * mean_score(15))
}

/// The lead in Elo after a match of two bots, the first `strength` times as strong.
fn stopped_match(dice: &mut Stream, base: &GameRow, strength: f64) -> Option<bool> {
    let question = SprtQuestion { effect: 2.0, ..QUESTION };
    let bots = ["a".to_owned(), "b".to_owned()];
    let mut course = MatchProgress::new(question, Score::CentreCount, bots, false, dice.next_u64());
    for block in 0..60 {
        let games: Vec<GameRow> = (0..14)
            .map(|number: usize| {
                let seats: Vec<usize> = (0..7).map(|seat| ((seat + number) % 7 % 2) ^ (number / 7)).collect();
                game(dice, base, block, &seats, &[("a", strength), ("b", 1.0)])
            })
            .collect();
        if course.take(&games) {
            break;
        }
    }
    covers(Some(course.report().elo), crate::plackett_luce::elo(strength.ln()))
}

/// The blocks of a search for parameters, and the true objective.
fn tuned(dice: &mut Stream, count: u32, favoured: u32) -> BlockVectors {
    let mut series = BlockVectors::new(7);
    for _ in 0..count {
        let first = dice.below(100) < favoured;
        let winner = if first { 0 } else { dice.below(7) };
        series.push((0..7).map(|power| f64::from(u8::from(power == winner)) - 1.0 / 7.0), 1.0);
    }
    series
}

fn cases() -> Vec<Case> {
    use Promise::{Cautious, Right};
    let mut cases = Cases::default();
    for (world, per_mille, alike, promise) in [
        ("in 40 % of games, independent", 400, 0, Right),
        ("in 40 % of games, alike within blocks", 400, 70, Cautious),
        ("in 3 % of games, independent", 30, 0, Cautious),
        ("in 3 % of games, alike within blocks", 30, 70, Cautious),
    ] {
        let what = "rate (solos, draws, survival, ends, `undecided`, `comebacks`)";
        cases.add(what, world, promise, &SIZES, move |dice, count| {
            let all = blocks(dice, count, alike, |dice| outcome(dice, per_mille));
            covers(all.rate(), f64::from(per_mille) / 1000.0)
        });
    }
    for (world, per_mille) in [("in 40 % of games", 400), ("in 3 % of games", 30)] {
        cases.cautious("rate from blocks of one game", world, move |dice, count| {
            let mut all = Blocks::default();
            (0..count).for_each(|_| all.add_block(1, outcome(dice, per_mille)));
            covers(all.rate(), f64::from(per_mille) / 1000.0)
        });
    }
    for (world, solos, alike, promise) in [
        ("solos in 15 % of games, independent", 15, 0, Right),
        ("solos in 15 % of games, alike within blocks", 15, 70, Right),
        ("solos in 2 % of games, alike within blocks", 2, 50, Cautious),
    ] {
        cases.add("mean score (also in `standings`)", world, promise, &SIZES, move |dice, count| {
            covers(blocks(dice, count, alike, |dice| score(dice, solos)).mean(), mean_score(solos))
        });
    }
    for (world, alike) in [("independent", 0), ("alike within blocks", 50)] {
        cases.right("mean centres, land, captures", world, move |dice, count| {
            covers(blocks(dice, count, alike, centres).mean(), 4.0)
        });
        cases.right("mean length, lead changes, choices", world, move |dice, count| {
            covers(blocks(dice, count, alike, length).mean(), 5.0 + 7.0 / 3.0)
        });
    }
    let what = "mean over the games that have it (`decided`, drama, draw size; `effect`)";
    cases.right(what, "one to seven games of a block", |dice, count| {
        let mut all = Blocks::default();
        for _ in 0..count {
            let games = 1 + dice.below(7);
            block(dice, games, 40, length).into_iter().for_each(|years| all.add(years));
            all.close();
        }
        covers(all.mean(), 5.0 + 7.0 / 3.0)
    });
    type Pick = fn(Quantiles) -> Quantile;
    let quantiles: [(_, _, Pick); 5] = [
        ("5 %", 0.05, |of| of.p5),
        ("25 %", 0.25, |of| of.p25),
        ("median", 0.5, |of| of.p50),
        ("75 %", 0.75, |of| of.p75),
        ("95 %", 0.95, |of| of.p95),
    ];
    for (world, share, quantile) in quantiles {
        cases.cautious("quantile over games", world, move |dice, count| {
            let mut seen = Distribution::default();
            for _ in 0..count {
                let numbers = block(dice, 7, 60, number);
                seen.add_block(&mut numbers.into_iter().map(|of| of as u16).collect::<Vec<_>>());
            }
            let of = quantile(seen.quantiles()?);
            let truth =
                (0..9_u32).find(|&k| 1.0 - (f64::from(8 - k) / 9.0).powi(2) >= share).map(u64::from)?;
            let low = of.low?;
            Some(low <= truth && of.high.is_none_or(|high| truth <= high))
        });
    }
    cases.right("power above an equal share; two powers", "solos in 15 % of games", |dice, count| {
        let values: Vec<f64> = (0..count)
            .map(|_| {
                let mut sum = || block(dice, 7, 30, |dice| score(dice, 15)).iter().sum::<u64>() as f64;
                sum() - sum()
            })
            .collect();
        covers(Sample::of(values.into_iter()).map(Sample::estimate), 0.0)
    });
    let world = "solos in 15 and 5 % of games, natures in common";
    cases.right("difference of arms, paired", world, |dice, count| {
        let values: Vec<f64> = (0..count)
            .map(|_| {
                let common = score(dice, 5);
                let mut sum = |solos| {
                    let game = |_| if dice.below(10) < 3 { common } else { score(dice, solos) };
                    (0..7).map(game).sum::<u64>() as f64 / 7.0
                };
                sum(15) - sum(5)
            })
            .collect();
        covers(Sample::of(values.into_iter()).map(Sample::estimate), 0.7 * (mean_score(15) - mean_score(5)))
    });
    cases.right("difference of arms, not paired", "solos in 15 and 5 % of games", |dice, count| {
        let mut side = |solos, count| {
            let mut sum = || block(dice, 7, 50, |dice| score(dice, solos)).iter().sum::<u64>() as f64 / 7.0;
            Sample::of((0..count).map(|_| sum()).collect::<Vec<f64>>().into_iter())
        };
        let (one, other) = (side(15, count)?, side(5, 2 * count)?);
        let spread = Spread::of_difference(&[one.moments, other.moments.times(-1.0)])?;
        covers(Some(spread.around(one.mean - other.mean)), mean_score(15) - mean_score(5))
    });
    for (world, favoured, alike) in [
        ("fair", 0, 0),
        ("slightly unfair", 10, 0),
        ("unfair", 30, 0),
        ("unfair, alike within blocks", 30, 50),
    ] {
        cases.cautious("distance from equal shares, centres", world, move |dice, count| {
            let found = distance(dice, count, (favoured, alike, 30), FairnessMeasure::Centres);
            covers(found, true_distance(favoured, 13.0 / 34.0))
        });
    }
    cases.cautious("distance from equal shares, solos", "unfair, solos in 30 % of games", |dice, count| {
        covers(distance(dice, count, (30, 0, 30), FairnessMeasure::Solos), true_distance(30, 1.0))
    });
    cases.cautious("difference of distances", "an unfair and a slightly unfair arm", |dice, count| {
        let measure = FairnessMeasure::Centres;
        let seed = dice.next_u64();
        let mut side = |favoured| {
            let blocks: Vec<BlockSums> =
                (0..count).map(|block| unfair(dice, block, favoured, 0, 30)).collect();
            let measured = measured(&blocks, seed);
            (blocks, measured)
        };
        let (one, other) = (side(30), side(10));
        let truth = true_distance(30, 13.0 / 34.0) - true_distance(10, 13.0 / 34.0);
        let sides = [compared("one", &one), compared("other", &other)];
        let ranked = RankedCells::of(&[&sides[0], &sides[1]], measure);
        covers(ranked.difference(&sides[0], &sides[1]), truth)
    });
    cases.right("what an event does (`balance`)", "three games a block, centres matched", |dice, count| {
        covers(effect::tests::simulated(dice, count), -1.0)
    });
    let row = base();
    let (what, world) = ("what-if: centres of one power", "futures in place of blocks");
    cases.add(what, world, Right, &SIZES[1..], move |dice, count| {
        let pairs: Vec<[GameRow; 2]> = (0..count)
            .map(|_| {
                let mut side = |more: u64| {
                    let mut game = row.clone();
                    game.seats[Power::FRANCE].centres = (centres(dice) + more) as u16;
                    game
                };
                [side(0), side(1)]
            })
            .collect();
        covers(power_futures(&pairs, Power::FRANCE).map(|of| of.effect), 1.0)
    });
    let three = |strength: f64| [("a", strength), ("b", 1.0), ("c", 1.0)];
    for (world, strength, mood) in [
        ("three equal bots", 1.0, 0.0),
        ("three equal bots, moods by block", 1.0, 0.5),
        ("one bot twice as strong", 2.0, 0.0),
    ] {
        let row = base();
        let promise = if mood > 0.0 { Cautious } else { Right };
        cases.add("rating (`standings`)", world, promise, &SIZES, move |dice, count| {
            let standings = standings(dice, &row, count, three(strength), mood);
            let section = standings.sections().swap_remove(0);
            let line = section.lines.into_iter().find(|line| line.bot == "a")?;
            // The mean of the logarithms is 0.
            covers(Some(line.rating), crate::plackett_luce::elo(strength.ln() * 2.0 / 3.0))
        });
    }
    let row = base();
    let what = "likelihood of superiority between 2.5 and 97.5 %";
    cases.right(what, "three equal bots, moods by block", move |dice, count| {
        let section = standings(dice, &row, count, three(1.0), 0.5).sections().swap_remove(0);
        let [a, b] = ["a", "b"].map(|bot| section.lines.iter().position(|line| line.bot == bot));
        let likely = *section.superior.get(a?)?.get(b?)?;
        Some((0.025..=0.975).contains(&likely))
    });
    for (world, strength) in
        [("as strong as the others", 1.0), ("twice as strong", 2.0), ("ten times as strong", 10.0)]
    {
        let row = base();
        cases.right("lead of a rung in Elo (`ladder`)", world, move |dice, count| {
            let bots = ["one", "rest"].map(str::to_owned);
            let mut comparison = Comparison::new(bots, false);
            for block in 0..count {
                let game = |rotation| {
                    let seats: Vec<usize> = (0..7).map(|seat| usize::from(seat != rotation)).collect();
                    game(dice, &row, block, &seats, &[("one", strength), ("rest", 1.0)])
                };
                let games: Vec<GameRow> = (0..7).map(game).collect();
                comparison.add(&games.iter().collect::<Vec<_>>());
            }
            let found = comparison.strengths()?.estimate(&LEAD);
            covers(Some(found), crate::plackett_luce::elo(strength.ln()))
        });
    }
    cases.right("gain of a ladder", "three rungs, a solo in 15 % of games", gain);
    cases.right("share of a rung", "a solo in 15 % of games", |dice, count| {
        let shares: Vec<(f64, u64)> = (0..count)
            .map(|_| (block(dice, 7, 30, |dice| score(dice, 15)).iter().sum::<u64>() as f64, 7))
            .collect();
        covers(mean_of_blocks(&shares), mean_score(15))
    });
    const STOPPED: &[u32] = &[0];
    let normal = [
        ("far below H0", -0.3),
        ("below H0", -0.05),
        ("H0 holds", 0.0),
        ("between H0 and H1", 0.025),
        ("H1 holds", 0.05),
        ("twice H1", 0.1),
        ("four times H1", 0.2),
        ("far above H1", 0.6),
    ];
    let skewed = [
        ("far below H0, rare wins", -0.3, Chance::RareWins),
        ("H0 holds, rare wins", 0.0, Chance::RareWins),
        ("H1 holds, rare wins", 0.05, Chance::RareWins),
        ("four times H1, rare wins", 0.2, Chance::RareWins),
        ("far above H1, rare wins", 0.6, Chance::RareWins),
        ("far below H0, two outcomes", -0.3, Chance::Coarse),
        ("H1 holds, two outcomes", 0.05, Chance::Coarse),
        ("four times H1, two outcomes", 0.2, Chance::CoarseBelow),
        ("far above H1, two outcomes", 0.6, Chance::Coarse),
    ];
    let normal = normal.map(|(world, truth)| (world, truth, Chance::Normal));
    for (world, truth, chance) in normal.into_iter().chain(skewed) {
        let coarse = matches!(chance, Chance::Coarse | Chance::CoarseBelow);
        let promise = if coarse { Cautious } else { Right };
        cases.add("difference after `sprt`", world, promise, STOPPED, move |dice, _| {
            stopped_test(dice, truth, chance)
        });
    }
    for (world, strength) in
        [("equal bots", 1.0), ("a bot 1.1 times as strong", 1.1), ("a bot three times as strong", 3.0)]
    {
        let row = base();
        cases.add("lead in Elo after `sprt`", world, Right, STOPPED, move |dice, _| {
            stopped_match(dice, &row, strength)
        });
    }
    for (world, favoured) in [("fair", 0), ("unfair", 25)] {
        let truth = (f64::from(favoured) / 100.0).powi(2) * 6.0 / 49.0;
        let promise = if favoured == 0 { Cautious } else { Right };
        cases.add("objective of `tune`", world, promise, &SIZES[1..], move |dice, count| {
            covers(squared_interval(&tuned(dice, count, favoured).pseudo_values()?), truth)
        });
    }
    cases.add("step of `tune`", "from unfair to slightly unfair", Right, &SIZES[1..], |dice, count| {
        let [one, other] = [40, 20].map(|favoured| tuned(dice, count, favoured).pseudo_values());
        let values: Vec<f64> = one?.into_iter().zip(other?).map(|(a, b)| a - b).collect();
        covers(mean_of(values), (0.4_f64.powi(2) - 0.2_f64.powi(2)) * 6.0 / 49.0)
    });
    cases.0
}

fn simulate(number: usize, case: &Case, size: u32, runs: u64) -> Found {
    let run = |run: u64| {
        let mut dice = Stream::keyed(run, Purpose::Bot, &[number as u64, u64::from(size)]);
        (case.covers)(&mut dice, size)
    };
    let seen: Vec<bool> = (0..runs).into_par_iter().filter_map(run).collect();
    Found { printed: seen.len() as u64, covered: seen.iter().filter(|covered| **covered).count() as u64 }
}

/// Runs of a case: those that draw two thousand resamples or many games themselves are fewer, and, except for the page,
/// those that simulate fifteen hundred matches.
fn runs_of(case: &Case, all: u64) -> u64 {
    match case.what {
        "distance from equal shares, centres" | "distance from equal shares, solos" => all / 4,
        "difference of distances" => all / 4,
        "difference after `sprt`" | "lead in Elo after `sprt`" if all < RUNS => all / 4,
        _ => all,
    }
}

/// Three and a half standard errors of a coverage of 95 % from this many runs.
fn slack_of(runs: u64) -> f64 {
    3.5 * (0.05 * 0.95 / runs.max(1) as f64).sqrt()
}

#[test]
fn printed_intervals_cover_the_truth() {
    let all_sizes = testkit::runs_slow("tables of more blocks, and more runs of each case");
    let runs = testkit::amount(40, 250).min(RUNS);
    let for_the_page = runs == RUNS;
    let row = |what: &str, world: &str, cells: [String; SIZES.len()], promised: &str| {
        format!("| {what} | {world} | {} | {promised} |\n", cells.join(" | "))
    };
    let mut rows = row("interval", "table", SIZES.map(|size| format!("{size} blocks")), "promised");
    rows += &format!("{}|\n", "|---".repeat(SIZES.len() + 3));
    let mut faults = Vec::new();
    // Over all cases of a promise: printed and covered.
    let mut sums = [(0, 0); 2];
    for (number, case) in cases().iter().enumerate() {
        let mut cells = SIZES.map(|_| String::new());
        let sizes = if all_sizes { case.sizes } else { &case.sizes[..1] };
        for &size in sizes {
            let runs = runs_of(case, runs);
            let found = simulate(number, case, size, runs);
            let share = found.covered as f64 / found.printed.max(1) as f64;
            let sum = &mut sums[case.promise as usize];
            *sum = (sum.0 + found.printed, sum.1 + found.covered);
            // So few runs cannot tell more.
            let slack = slack_of(found.printed);
            // On the page a case of fewer runs has the slack of one standard error.
            let slack = match for_the_page {
                true if runs == RUNS => 0.0,
                true => slack / 3.5,
                false => slack,
            };
            let too_few = found.printed > 0 && share < LEAST - slack;
            let too_many = case.promise == Promise::Right && share > MOST + slack;
            if too_few || too_many {
                faults.push(format!("{}, {}, {size} blocks: {share:.4}", case.what, case.world));
            }
            let unprinted = 100.0 * (1.0 - found.printed as f64 / runs as f64);
            let none =
                if unprinted >= 0.05 { format!(" ({unprinted:.1} % not printed)") } else { String::new() };
            let at = SIZES.iter().position(|of| *of == size).unwrap_or(0);
            cells[at] = match found.printed {
                0 => "not printed".to_owned(),
                _ => format!("{:.1}{none}", 100.0 * share),
            };
        }
        let promised = if case.promise == Promise::Right { "93 to 97" } else { "93 or more" };
        rows += &row(case.what, case.world, cells, promised);
    }
    println!("{rows}");
    // Many cases of few runs tell together what each of them cannot.
    for (promise, (printed, covered)) in [Promise::Right, Promise::Cautious].into_iter().zip(sums) {
        let (share, slack) = (covered as f64 / printed as f64, slack_of(printed));
        let most = if promise == Promise::Right { MOST } else { 1.0 };
        if !(LEAST - slack..=most + slack).contains(&share) {
            faults.push(format!("all cases together: {covered} of {printed}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    if for_the_page {
        let page = format!("{}{rows}{}", HEAD, FOOT);
        expect_test::expect_file![testkit::path("docs/coverage.md")].assert_eq(&page);
    }
}

const HEAD: &str = include_str!("coverage/head.md");
const FOOT: &str = include_str!("coverage/foot.md");
