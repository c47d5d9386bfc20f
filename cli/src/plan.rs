//! `upheaval run --dry-run`: what a run would play, where it would be written, and its cost.

use std::fmt::Write;

use serde_json::{Value, json};
use upheaval::sim::estimate::RunEstimate;
use upheaval::sim::pace::{bytes, time};
use upheaval::sim::resolved::Arm;
use upheaval::sim::{Experiment, Forecast, FoundRun, LineUpSchedule, LineUps, SeatOrder, Seating};

/// The plan of an experiment, with an estimate from a sample of its games that were played in memory.
pub(crate) fn text(experiment: &Experiment, forecast: &Forecast) -> String {
    let mut text =
        [opening(experiment, forecast), arms(experiment), seats(experiment), games(experiment, forecast)]
            .concat();
    if let Some(estimate) = &forecast.estimate {
        let what = if forecast.kept > 0 { "estimate for the rest" } else { "estimate" };
        text.push_str(&costs(what, experiment, estimate));
    }
    text
}

/// The plan as an object.
pub(crate) fn object(experiment: &Experiment, forecast: &Forecast) -> Value {
    let Forecast { site, standing, schedule, estimate, .. } = forecast;
    let arm = |arm: &Arm| {
        let set = arm.settings().map(|set| set.to_string());
        json!({ "id": arm.id, "set": set.collect::<Vec<_>>() })
    };
    let estimate = estimate.as_ref().map(|estimate| {
        json!({
            "seconds": estimate.time.as_secs_f64(),
            "bytes": estimate.bytes,
            "memory": estimate.memory,
            "games_sampled": estimate.sample.games,
        })
    });
    json!({
        "folder": site.path.display().to_string(),
        "experiment": experiment.resolved.name,
        "experiment_hash": site.canonical.hash,
        "shard": experiment.shard.as_ref().map(ToString::to_string),
        "standing": match standing {
            FoundRun::Nothing => "nothing",
            FoundRun::Whole => "whole",
            FoundRun::Chunks(_) => "unfinished",
        },
        "arms": experiment.resolved.variants.iter().map(arm).collect::<Vec<_>>(),
        "line_ups": line_ups(experiment),
        "rotations": experiment.resolved.seating().rotations(),
        "shuffle": matches!(
            experiment.resolved.seating(),
            Seating::Rotated(LineUps { order: SeatOrder::ShuffledByBlock, .. })
        ),
        "games_a_block": experiment.resolved.seating().block(),
        "games_an_arm": experiment.resolved.games,
        "games": schedule.total(),
        "games_left": forecast.games_left(),
        "estimate": estimate,
    })
}

fn opening(experiment: &Experiment, forecast: &Forecast) -> String {
    let Forecast { site, standing, schedule, .. } = forecast;
    let there = match standing {
        FoundRun::Nothing => "not started".to_owned(),
        FoundRun::Whole => "it is complete, and would be played again".to_owned(),
        FoundRun::Chunks(chunks) => {
            let games = schedule.games_of(*chunks);
            format!("{games} of its {} games are finished, and would be kept", schedule.total())
        }
    };
    let shard = experiment.shard.as_ref().map_or(String::new(), |shard| format!(", shard {shard}"));
    format!(
        "experiment: {}{shard} ({})\nrun folder: {} ({there})\n",
        experiment.resolved.name,
        site.canonical.hash,
        site.path.display()
    )
}

fn arms(experiment: &Experiment) -> String {
    let mut text = format!("arms: {}\n", experiment.variants.len());
    let width = experiment.variants.iter().map(|arm| arm.id.len()).max().unwrap_or(0);
    for arm in &experiment.resolved.variants {
        let set = arm.settings().map(|set| set.to_string());
        let set = set.collect::<Vec<_>>().join(", ");
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{}", format!("  {:width$}  {set}", arm.id).trim_end());
    }
    text
}

/// The bots of each line-up.
fn line_ups(experiment: &Experiment) -> Vec<Vec<&str>> {
    let names =
        |bots: &[usize]| bots.iter().map(|bot| experiment.resolved.bots[*bot].name.as_str()).collect();
    match experiment.resolved.seating() {
        Seating::Fixed(seats) => vec![names(seats.values())],
        Seating::FixedLineUps(list) => list.iter().map(|seats| names(seats.values())).collect(),
        Seating::Rotated(LineUps { list, .. }) => list.iter().map(|line_up| names(line_up)).collect(),
    }
}

fn seats(experiment: &Experiment) -> String {
    let (line_ups, powers) = (line_ups(experiment), experiment.resolved.power_names());
    let count = line_ups.len();
    let heading = match experiment.resolved.seating() {
        Seating::Fixed(_) => {
            let seats = powers.iter().zip(&line_ups[0]).map(|(power, bot)| format!("{power} {bot}"));
            return format!("seats: {}\n", seats.collect::<Vec<_>>().join(", "));
        }
        Seating::FixedLineUps(_) => format!("{count} in fixed seats, every block plays all"),
        Seating::Rotated(LineUps { deal, order, .. }) => {
            let each = match deal {
                _ if count == 1 => "",
                LineUpSchedule::EveryBlock => ", every block plays all",
                LineUpSchedule::InTurn => ", every block plays the next",
            };
            let order = match order {
                SeatOrder::Listed => "",
                SeatOrder::ShuffledByBlock => ", shuffled by block",
            };
            format!("{count} in {} rotations{each}{order}", powers.powers().len())
        }
    };
    let lines = line_ups.iter().map(|names| format!("  {}\n", names.join(" ")));
    format!("line-ups: {heading}\n{}", lines.collect::<String>())
}

fn games(experiment: &Experiment, forecast: &Forecast) -> String {
    let schedule = &forecast.schedule;
    let block = experiment.resolved.seating().block();
    let (games, blocks) = (experiment.resolved.games, experiment.resolved.games / block.max(1));
    let all = u64::from(games) * experiment.variants.len() as u64;
    let mut text = format!("blocks: {blocks} of {block} {}\n", if block == 1 { "game" } else { "games" });
    let _ = write!(text, "games: {games} of each arm, {all} in all");
    if experiment.shard.is_some() {
        let _ = write!(text, ", {} in this shard", schedule.total());
    }
    let left = forecast.games_left();
    if left < schedule.total() {
        let _ = write!(text, ", {left} still to be played");
    }
    text.push('\n');
    text
}

fn costs(what: &str, experiment: &Experiment, estimate: &RunEstimate) -> String {
    let sample = &estimate.sample;
    let threads = |n: usize| if n == 1 { "1 thread".to_owned() } else { format!("{n} threads") };
    let mut text = format!(
        "{what}: {}, {} and {} of memory, by {} games played in {:.1} s on {}\n",
        time(estimate.time),
        bytes(estimate.bytes),
        bytes(estimate.memory),
        sample.games,
        sample.time.as_secs_f64(),
        threads(sample.threads),
    );
    if !sample.without.is_empty() {
        let arms: Vec<&str> = sample.without.iter().map(|&arm| &*experiment.variants[arm].id).collect();
        let _ = writeln!(
            text,
            "there was no time for a game of {}: the mean of the others is used",
            arms.join(", ")
        );
    }
    text
}
