//! A search as text: a heading, a line for each round, and its answer.

use std::fmt::Write;

use crate::estimate::Estimate;
use crate::table::{Column, Table, counted, width_of};
use crate::tune::answer::{Checked, TuneAnswer};
use crate::tune::file::{CheckedSearch, SeedStage};
use crate::tune::goal::{Metric, Objective};
use crate::tune::race::{ArmStanding, Round};
use crate::tune::search::TuneSearch;

/// With commas between groups of digits.
fn grouped(number: u64) -> String {
    crate::table::grouped(number, ',')
}

/// The factor by which the objective is multiplied in text: shares are printed in squared percentage points.
fn scale(objective: Objective) -> f64 {
    if objective.is_share() { 1e4 } else { 1.0 }
}

fn among(bots: &[String]) -> String {
    match bots {
        [one] => format!("among {one}"),
        several => format!("among {}, of which the worst counts", several.join(" and ")),
    }
}

impl CheckedSearch {
    /// The quantity that is minimised, the search space, and the budget.
    pub fn heading(&self) -> String {
        let bots: Vec<String> = self.players.iter().map(|bot| bot.name.clone()).collect();
        let within =
            self.bounds.iter().map(|bound| format!("{} {} to {}", bound.of.name(), bound.low, bound.high));
        let within: Vec<String> = within.collect();
        let bounds =
            if within.is_empty() { String::new() } else { format!(", within {}", within.join(", ")) };
        format!(
            "{}: the least {} of {} {}{bounds}\n{} games at most, in rounds from {} to {} blocks; the answer is measured on {} \
             blocks of another seed\n",
            self.experiment.resolved.name,
            self.objective.name(),
            counted(self.arms().len() as u64, "setting"),
            among(&bots),
            grouped(self.budget),
            self.first,
            grouped(u64::from(self.most)),
            grouped(u64::from(self.check_blocks)),
        )
    }
}

/// The line of a round.
pub fn line(search: &TuneSearch, number: usize, round: &Round) -> String {
    let left = round.looks.iter().filter(|look| look.standing == ArmStanding::Left).count();
    let outside =
        round.looks.iter().filter(|look| matches!(look.standing, ArmStanding::Outside { .. })).count();
    let worse = round.looks.len() - left - outside;
    let none = match search.tuning().bounds.is_empty() {
        true => "no setting has enough data to lead",
        false => "none is certainly within the bounds",
    };
    let leader = round.leader.map_or(none.to_owned(), |arm| format!("{} leads", search.arms[arm].label));
    format!(
        "round {number}: {:>6} blocks, {:>9} games: {left} left, {worse} worse, {outside} out of bounds; {leader}\n",
        grouped(u64::from(round.blocks)),
        grouped(round.games),
    )
}

/// The estimate as it is printed: a bound that is rounded to 0 has no sign.
fn scaled(estimate: Estimate, scale: f64) -> Estimate {
    estimate.map(|value| if (value * scale).abs() < 0.005 { 0.0 } else { value * scale })
}

/// A measure of a setting that was measured.
fn measure(checked: &Checked, aspect: Metric) -> String {
    let value = checked.measures.get(aspect.name()).and_then(|of| of["estimate"].as_f64());
    let decimals = if matches!(aspect, Metric::Closeness | Metric::Drama) { 3 } else { 2 };
    value.map_or("-".to_owned(), |value| format!("{value:.decimals$}"))
}

/// The measures that are printed for the answer: those that are always printed, and those that the file names.
fn told(tuning: &CheckedSearch) -> Vec<Metric> {
    let is_named = |aspect: Metric| {
        let is_objective = matches!(tuning.objective, Objective::Near { of, .. } if of == aspect);
        let is_bound = tuning.bounds.iter().any(|bound| bound.of == aspect);
        is_objective || is_bound || tuning.fronts.iter().any(|(of, _)| *of == aspect)
    };
    Metric::ALL.into_iter().filter(|aspect| Metric::ALWAYS.contains(aspect) || is_named(*aspect)).collect()
}

/// A table of the settings with these ids, in their order.
fn table(answer: &TuneAnswer, ids: &[String], objective: Objective, aspects: &[Metric], text: &mut String) {
    let rows: Vec<&Checked> = ids.iter().filter_map(|id| answer.figures_of(id)).collect();
    let width = width_of(rows.iter().map(|row| &row.label), 7);
    let several = answer.bots.len() > 1;
    let bounded = rows.iter().any(|row| row.within.is_some());
    let (scale, is_share) = (scale(objective), objective.is_share());
    let unit = if is_share { "objective ×10⁻⁴ (95% CI)" } else { "objective (95% CI)" };
    let mut columns = vec![(unit, Column::Right(28))];
    columns.extend(is_share.then_some(("distance", Column::Right(11))));
    columns.push(("beyond the best", Column::Right(26)));
    let of_aspect = |aspect: &Metric| (aspect.name(), Column::Right(aspect.name().len().max(8) + 2));
    columns.extend(aspects.iter().map(of_aspect));
    columns.extend(several.then_some(("worst among", Column::Left(11))));
    columns.extend(bounded.then_some(("within", Column::Left(6))));
    let mut table = Table::new(text, ("setting", width), columns);
    for row in rows {
        let distance = match row.distance {
            Some(distance) => format!("{:.2} %", 100.0 * distance),
            None if row.objective.is_some() => "none seen".to_owned(),
            None => "-".to_owned(),
        };
        let is_best = answer.best.as_ref() == Some(&row.id);
        let none = if is_best { "the best" } else { "unknown" };
        let beyond = row.beyond_best.map_or(none.to_owned(), |beyond| scaled(beyond, scale).signed(2));
        let mut cells =
            vec![row.objective.map_or("unknown".to_owned(), |of| scaled(of, scale).with_bounds(2))];
        cells.extend(is_share.then_some(distance));
        cells.push(beyond);
        cells.extend(aspects.iter().map(|aspect| measure(row, *aspect)));
        cells.extend(several.then(|| row.bot.clone()));
        cells.extend(bounded.then(|| row.within.unwrap_or_default().to_owned()));
        table.row(&row.label, cells);
    }
}

/// The answer, without the lines that were printed round by round.
pub fn render(search: &TuneSearch, answer: &TuneAnswer) -> String {
    let tuning = search.tuning();
    let mut text = tuning.heading();
    for (number, round) in search.race().rounds.iter().enumerate() {
        text += &line(search, number + 1, round);
    }
    text.push('\n');
    text + &found(search, answer)
}

/// How far each setting was outside of the bound for which it was dropped, with the bot that is named: in the games of
/// the search, as none was measured.
fn outside(search: &TuneSearch, text: &mut String) {
    let tuning = search.tuning();
    let limits = tuning.limits();
    let width = width_of(search.arms.iter().map(|arm| &arm.label), 0);
    let mut table = Table::without_headings(text, width, [Column::Left(0)]);
    for (at, arm) in search.arms.iter().enumerate() {
        let (ArmStanding::Outside { bound, .. }, Some(look)) =
            (search.race().standings[at], search.last_look(at))
        else {
            continue;
        };
        let among =
            look.bounded.iter().enumerate().filter_map(|(bot, means)| Some((bot, *means.get(bound)?)));
        let farthest = among
            .max_by(|(_, a), (_, b)| limits[bound].beyond(a.mean).total_cmp(&limits[bound].beyond(b.mean)));
        let Some((bot, mean)) = farthest else { continue };
        let (of, name) = (tuning.bounds[bound].of, tuning.name_of(bot));
        let blocks = grouped(u64::from(mean.blocks));
        let found = format!(
            "{} {:.3} (standard error {:.3}) among {name}, after {blocks} blocks",
            of.name(),
            mean.mean,
            mean.sem
        );
        table.row(&arm.label, [found]);
    }
}

/// The answer's table.
fn found(search: &TuneSearch, answer: &TuneAnswer) -> String {
    let tuning = search.tuning();
    let (mut text, objective) = (String::new(), tuning.objective);
    let percent = 100.0 * answer.confidence;
    let count = answer.settings.len();
    // Writing into a string cannot fail.
    if answer.set.is_empty() {
        let _ = writeln!(
            text,
            "no setting is within the bounds: each of the {count} is outside of one, at {percent} % confidence; in the games of the \
             search, with standard errors:\n"
        );
        outside(search, &mut text);
        text.push('\n');
        return text + &cost(answer);
    }
    let _ = writeln!(
        text,
        "cannot be distinguished from the best, at {percent} % confidence: {} of {count} settings; on {} fresh blocks:",
        answer.set.len(),
        grouped(u64::from(tuning.check_blocks)),
    );
    text.push('\n');
    table(answer, &answer.set, objective, &told(tuning), &mut text);
    if !answer.steps.is_empty() {
        steps(answer, objective, &mut text);
    }
    for front in &answer.fronts {
        let _ = writeln!(
            text,
            "\nthe objective against {} ({} is better): no measured setting is better in both",
            front.measure, front.wanted
        );
        let own: Vec<Metric> =
            Metric::ALL.into_iter().filter(|aspect| aspect.name() == front.measure).collect();
        table(answer, &front.settings, objective, &own, &mut text);
    }
    text.push('\n');
    text + &cost(answer) + &legend(tuning)
}

fn steps(answer: &TuneAnswer, objective: Objective, text: &mut String) {
    let _ = writeln!(text, "\none step from the best: the change of the objective, paired by block");
    let word = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let step = |from: &serde_json::Value, to: &serde_json::Value| format!("{} → {}", word(from), word(to));
    let name = width_of(answer.steps.iter().map(|of| &of.parameter), 0);
    let width = width_of(answer.steps.iter().map(|of| step(&of.from, &of.to)), 0);
    let columns = [Column::Left(width), Column::Right(28), Column::Left(9), Column::Left(0)];
    let mut table = Table::without_headings(text, name, columns);
    for of in &answer.steps {
        let matters = if of.p_holm < 0.05 { "matters" } else { "cannot be decided" };
        let outside = answer.figures_of(&of.id).and_then(|checked| checked.within) == Some("no");
        let outside = if outside { ", out of bounds" } else { "" };
        let p = if of.p_holm < 0.0005 { "p < 0.001".to_owned() } else { format!("p {:.3}", of.p_holm) };
        let by = scaled(of.difference, scale(objective)).signed(2);
        table.row(&of.parameter, [step(&of.from, &of.to), by, p, format!("{matters}{outside}")]);
    }
}

fn cost(answer: &TuneAnswer) -> String {
    let games = answer.games;
    let share = 100.0 * (games.search + games.check) as f64 / games.exhaustive.max(1) as f64;
    format!(
        "{} games to search and {} to measure, {share:.1} % of the {} that all blocks of all settings would take\n",
        grouped(games.search),
        grouped(games.check),
        grouped(games.exhaustive),
    )
}

fn legend(tuning: &CheckedSearch) -> String {
    let what = match tuning.objective {
        Objective::Fairness(_) => {
            "objective: the mean squared distance of the powers' shares from equal ones, minus what chance adds: it is sometimes below 0 if \
             the powers are equal\n"
        }
        Objective::Near { .. } => {
            "objective: the squared distance of the mean from the value, minus what chance adds\n"
        }
    };
    let aspects: Vec<String> =
        told(tuning).into_iter().map(|aspect| format!("{}: {}", aspect.name(), aspect.meaning())).collect();
    let set = "set: the best setting is among these with that confidence, over all rounds and settings; a set of several is the \
               answer, not its first line\n";
    format!(
        "{what}{set}figures: only from games of the {} seed, which the search did not use; intervals: t over blocks, not corrected for their \
         number; p: with Holm's correction\n{}\n",
        SeedStage::Check.name(),
        aspects.join("; "),
    )
}
