//! `upheaval run --dry-run`: what a run would play, where it would be written, and its cost.

use std::fmt::Write;

use upheaval::sim::estimate::Estimate;
use upheaval::sim::pace::{bytes, time};
use upheaval::sim::{Deal, Experiment, Forecast, LineUps, Seating, Standing};

/// The plan of an experiment, with an estimate from a sample of its games that were played in memory.
pub fn text(experiment: &Experiment, forecast: &Forecast) -> String {
    let mut text = opening(experiment, forecast);
    text.push_str(&arms(experiment));
    text.push_str(&seats(experiment));
    text.push_str(&games(experiment, forecast));
    if let Some(estimate) = &forecast.estimate {
        let what = if forecast.kept > 0 { "estimate for the rest" } else { "estimate" };
        text.push_str(&costs(what, experiment, estimate));
    }
    text
}

fn opening(experiment: &Experiment, forecast: &Forecast) -> String {
    let Forecast { site, standing, schedule, .. } = forecast;
    let there = match standing {
        Standing::Nothing => "not started".to_owned(),
        Standing::Whole => "it is complete, and would be played again".to_owned(),
        Standing::Chunks(chunks) => {
            let games = schedule.games_of(*chunks);
            format!("{games} of its {} games are finished, and would be kept", schedule.total())
        }
    };
    let shard = experiment.shard.as_ref().map_or(String::new(), |shard| format!(", shard {shard}"));
    format!(
        "experiment: {}{shard} ({})\nrun folder: {} ({there})\n",
        experiment.name,
        site.canonical.hash,
        site.path.display()
    )
}

fn arms(experiment: &Experiment) -> String {
    let mut text = format!("arms: {}\n", experiment.variants.len());
    let width = experiment.variants.iter().map(|arm| arm.id().len()).max().unwrap_or(0);
    for arm in &experiment.variants {
        let set = arm.swept.iter().flat_map(|swept| swept.parameters.iter().map(ToString::to_string));
        let set = set.collect::<Vec<_>>().join(", ");
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{}", format!("  {:width$}  {set}", arm.id()).trim_end());
    }
    text
}

fn seats(experiment: &Experiment) -> String {
    let name = |bot: &usize| experiment.bots[*bot].name.as_str();
    match &experiment.seating {
        Seating::Fixed(seats) => {
            let seats: Vec<String> =
                seats.iter().map(|(power, bot)| format!("{power} {}", name(bot))).collect();
            format!("seats: {}\n", seats.join(", "))
        }
        Seating::Rotated(LineUps { list, deal }) => {
            let each = match deal {
                _ if list.len() == 1 => "",
                Deal::EveryBlock => ", every block plays all",
                Deal::InTurn => ", every block plays the next",
            };
            let mut text =
                format!("line-ups: {} in {} rotations{each}\n", list.len(), experiment.powers.len());
            for line_up in list {
                let names: Vec<&str> = line_up.iter().map(name).collect();
                let _ = writeln!(text, "  {}", names.join(" "));
            }
            text
        }
    }
}

fn games(experiment: &Experiment, forecast: &Forecast) -> String {
    let schedule = &forecast.schedule;
    let block = experiment.seating.block();
    let (games, blocks) = (experiment.games, experiment.games / block.max(1));
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

fn costs(what: &str, experiment: &Experiment, estimate: &Estimate) -> String {
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
        let arms: Vec<&str> = sample.without.iter().map(|&arm| experiment.variants[arm].id()).collect();
        let _ = writeln!(
            text,
            "there was no time for a game of {}: the mean of the others is used",
            arms.join(", ")
        );
    }
    text
}
