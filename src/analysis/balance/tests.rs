//! A balance of whole runs, compared with the same numbers counted in another way.

use std::path::{Path, PathBuf};

use super::*;
use crate::Estimate;
use upheaval_engine::rules::position::Season;
use upheaval_harness::record::{EventKind, GameEnd, GameRows, SeatOutcome};
use upheaval_harness::sim::runner::run;
use upheaval_harness::sim::{Experiment, GameSpec, RunFolder, mock};
use upheaval_map::ids::Power;

/// A run of the mock experiment on disk, in part files of a hundred games, as of an experiment whose games may take
/// 1,310 years: blocks of seven games lie across their ends.
fn folder(seats: &str, games: u32, out: &Path) -> PathBuf {
    let long = mock::with(&mock::experiment(seats, games), |resolved| resolved.last_year = 3210);
    let experiment = Experiment { out: out.to_owned(), ..long };
    let most = experiment.schedule().chunks().map(|chunk| chunk.games.len()).max();
    assert_eq!(most, Some(100.min(games as usize)));
    let mut folder = RunFolder::create(&experiment).unwrap();
    run(&experiment.schedule(), 2, &mock::play, &mut folder, &()).unwrap();
    folder.finish().unwrap().path
}

fn records(seats: &str, games: u32, variant: usize) -> Vec<GameRows> {
    let schedule = mock::experiment(seats, games).schedule();
    (0..games).map(|game| mock::play(&schedule.game(variant, game))).collect()
}

/// An estimate is this number, and lies in its interval.
fn near(found: Option<Estimate>, known: f64) {
    let found = found.unwrap();
    assert!((found.estimate - known).abs() < 1e-9, "{found:?} for {known}");
    let within = found.interval.is_none_or(|of| of.low <= known + 1e-9 && known <= of.high + 1e-9);
    assert!(within, "{found:?}");
}

#[test]
fn every_number_is_that_of_the_games() {
    let dir = tempfile::tempdir().unwrap();
    let games = testkit::amount(210, 2100) as u32;
    let balance = Balance::of(&folder("rotated", games, dir.path()), &BalanceOptions::default()).unwrap();
    assert_eq!(balance.cells.len(), 2);
    let (cell, records) = (&balance.cells[1], records("rotated", games, 1));
    assert_eq!(
        (cell.arm.as_str(), cell.games, cell.blocks),
        ("black-hole", games.into(), (games / 7).into())
    );
    let near = |found: Option<Estimate>, known: f64| {
        assert!(found.unwrap().interval.is_some(), "{found:?}");
        near(found, known);
    };
    let share = |fits: &dyn Fn(&GameRows) -> bool| {
        records.iter().filter(|record| fits(record)).count() as f64 / f64::from(games)
    };
    near(cell.ends.solo, share(&|record| record.game.winner.is_some()));
    near(cell.draws.of[5], share(&|record| record.game.draw_size == 6));
    let drawn: Vec<u8> = records.iter().map(|r| r.game.draw_size).filter(|&size| size > 0).collect();
    near(cell.draws.size, drawn.iter().map(|&size| f64::from(size)).sum::<f64>() / drawn.len() as f64);
    near(cell.length.mean, records.iter().map(|r| f64::from(r.game.years)).sum::<f64>() / f64::from(games));
    for (power, of) in Power::STANDARD.into_iter().zip(cell.powers.values()) {
        let outcome = |is| share(&|record: &GameRows| record.game.seats[power].outcome == is);
        near(of.solos, outcome(SeatOutcome::Won));
        near(of.draws, outcome(SeatOutcome::Drew));
        near(of.eliminations, outcome(SeatOutcome::Eliminated));
        near(of.survivals, share(&|record| record.game.seats[power].units > 0));
        let score = |record: &GameRows| crate::Score::DrawSize.points(&record.game)[power];
        near(of.score, records.iter().map(score).sum::<f64>() / f64::from(games));
    }
    // Year by year; games that have ended keep their final state.
    for (year, at) in (1901..).zip(&cell.years[1..]) {
        assert_eq!(at.year, year);
        let running = |record: &&GameRows| 1900 + record.game.years >= year;
        assert_eq!(at.running, records.iter().filter(running).count() as u64);
        for (power, name) in Power::STANDARD.into_iter().zip(cell.powers.keys()) {
            let centres = |record: &GameRows| {
                let row = record
                    .turns
                    .iter()
                    .find(|r| r.year == year && r.season == Season::Fall && r.power == power);
                row.map_or(record.game.seats[power].centres, |row| u16::from(row.counts.centres))
            };
            let sum: u32 = records.iter().map(|record| u32::from(centres(record))).sum();
            near(at.powers[name].centres.mean, f64::from(sum) / f64::from(games));
            let threes = records.iter().filter(|record| centres(record) == 3).count() as u64;
            assert_eq!(at.powers[name].centres.histogram[3], threes);
        }
    }
    assert_eq!(cell.years.len(), 21, "the start and the longest game's years");
}

#[test]
fn ruling_4_13_in_a_tie_of_all_each_shares_in_the_draw_and_all_are_out() {
    let dir = tempfile::tempdir().unwrap();
    let experiment = Experiment { out: dir.path().to_owned(), ..mock::experiment("rotated", 70) };
    let mut folder = RunFolder::create(&experiment).unwrap();
    let tie = |spec: &GameSpec| {
        let mut record = mock::play(spec);
        let row = &mut record.game;
        (row.end, row.winner, row.draw_size) = (GameEnd::Draw, None, 7);
        for (_, seat) in row.seats.iter_mut() {
            (seat.outcome, seat.units, seat.centres) = (SeatOutcome::Drew, 0, 0);
        }
        record
    };
    run(&experiment.schedule(), 2, &tie, &mut folder, &()).unwrap();
    let balance = Balance::of(&folder.finish().unwrap().path, &BalanceOptions::default()).unwrap();
    for (power, of) in balance.cells[0].powers.iter() {
        let shares = [of.draws, of.eliminations, of.survivals].map(|share| share.unwrap().estimate);
        assert_eq!(shares, [1.0, 1.0, 0.0], "{power}");
        assert!((of.score.unwrap().estimate - 1.0 / 7.0).abs() < 1e-9, "{power}");
    }
}

#[test]
fn the_result_does_not_depend_on_threads() {
    let dir = tempfile::tempdir().unwrap();
    let path = folder("rotated", testkit::amount(210, 2100) as u32, dir.path());
    let options = BalanceOptions { width: Some(0.02), width_centres: Some(0.1), ..BalanceOptions::default() };
    let on = |threads| Balance::on_threads(threads, &path, &[] as &[&Path], &options).unwrap();
    let one = on(1);
    for threads in testkit::thinned([7, 2], 2) {
        let other = on(threads);
        assert_eq!(one, other, "{threads} threads");
        assert_eq!((one.to_json(), one.render()), (other.to_json(), other.render()), "{threads} threads");
    }
}

#[test]
fn how_a_cell_plays_is_counted_game_by_game() {
    let dir = tempfile::tempdir().unwrap();
    let balance = Balance::of(&folder("rotated", 105, dir.path()), &BalanceOptions::default()).unwrap();
    let (play, records) = (&balance.cells[0].play, records("rotated", 105, 0));
    let mean = |of: &dyn Fn(&GameRows) -> Option<f64>| {
        let values: Vec<f64> = records.iter().filter_map(of).collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    let course = |record: &GameRows| record.game.course;
    near(play.lead_changes, mean(&|record| Some(f64::from(course(record).lead_changes))));
    near(play.decided, mean(&|record| course(record).decided.map(|year| f64::from(year) - 1900.0)));
    near(play.closeness, mean(&|record| course(record).closeness.map(|of| f64::from(of) / 1000.0)));
    near(play.drama, mean(&|record| course(record).drama.map(|of| f64::from(of) / 1000.0)));
    near(play.undecided, mean(&|record| Some(f64::from(u8::from(course(record).decided.is_none())))));
    for (power, name) in Power::STANDARD.into_iter().zip(play.powers.keys()) {
        let turns = || records.iter().flat_map(|record| &record.turns).filter(|row| row.power == power);
        let rows = || turns().map(|row| row.counts);
        let all: u32 =
            rows().map(|r| u32::from(r.holds + r.moves + r.supports + r.convoys + r.special)).sum();
        let supports: u32 = rows().map(|row| u32::from(row.supports)).sum();
        near(play.powers[name].orders.supports, f64::from(supports) / f64::from(all));
        let has_units = |row: &upheaval_harness::record::TurnCounts| {
            row.holds + row.moves + row.supports + row.convoys + row.special > 0
        };
        let choices: Vec<f64> =
            rows().filter(has_units).filter_map(|row| row.choices).map(|of| f64::from(of) / 100.0).collect();
        near(play.powers[name].choices, choices.iter().sum::<f64>() / choices.len() as f64);
        let taken = |record: &GameRows| {
            let events = record.events.iter();
            events
                .filter(|e| e.kind == EventKind::Captured && e.power == Some(power) && e.other.is_none())
                .count()
        };
        near(play.captures[name].from_nobody, mean(&|record| Some(taken(record) as f64)));
        assert_eq!(play.captures[name].from[name], None);
    }
}

/// A balance of 70 games that end so: the bot that wins game n alone, or a draw of all powers.
fn ended(winner: impl Fn(u32) -> Option<&'static str> + Sync) -> Balance {
    let dir = tempfile::tempdir().unwrap();
    let experiment = Experiment { out: dir.path().to_owned(), ..mock::experiment("rotated", 70) };
    let mut folder = RunFolder::create(&experiment).unwrap();
    let play = |spec: &GameSpec| {
        let mut record = mock::play(spec);
        let row = &mut record.game;
        let won = winner(row.game);
        let seat = row.seats.iter().find(|(_, seat)| won == Some(&*seat.bot)).map(|(power, _)| power);
        row.winner = seat;
        (row.end, row.draw_size) = if seat.is_some() { (GameEnd::Solo, 0) } else { (GameEnd::Draw, 7) };
        for (power, of) in row.seats.iter_mut() {
            of.outcome = match seat {
                Some(winner) if winner == power => SeatOutcome::Won,
                Some(_) => SeatOutcome::Survived,
                None => SeatOutcome::Drew,
            };
        }
        record
    };
    run(&experiment.schedule(), 2, &play, &mut folder, &()).unwrap();
    Balance::of(&folder.finish().unwrap().path, &BalanceOptions::default()).unwrap()
}

#[test]
fn games_that_all_are_drawn_are_said_first_and_show_no_equality() {
    let balance = ended(|_| None);
    let text = balance.render();
    assert!(text.starts_with("Nearly all games ended alike: 100.0% were drawn. "), "{text}");
    let score = balance.cells[0].fairness(FairnessMeasure::Score);
    assert_eq!(score.distance.and_then(|distance| distance.corrected), None, "nothing bounds the distance");
    let row = text.lines().find(|line| line.starts_with("draw-size score ")).unwrap();
    assert!(row.ends_with("  alike in every block: no test"), "{row}");
    assert!(
        balance.rankings.iter().all(|of| of.measure != FairnessMeasure::Score || of.fairest().count() == 0)
    );
    // One game of ten that a power wins: 90 of a hundred ended alike, and nothing need be said.
    let some = ended(|game| (game % 10 == 0).then_some("greedy"));
    assert!(some.headline.notices.is_empty() && some.render().starts_with("The bots of line-up 0: "));
}
