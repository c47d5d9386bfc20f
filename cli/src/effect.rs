//! `upheaval effect`: the effect of a hole, a split, a return or a quake on each power, from games of a run that are
//! forked.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use serde_json::json;
use upheaval::analysis::Estimate;
use upheaval::analysis::balance::{Balance, BalanceOptions};
use upheaval::analysis::futures::{homes, places, render, render_homes};
use upheaval::branch::{MapEventKind, Moment, SurveyQuery, outcomes_table};
use upheaval::diagnostic::suggest;
use upheaval::game_record::RunReplayer;
use upheaval::record::EventKind;
use upheaval::report::effect_board;
use upheaval::rules::changes::Verb;

use crate::common::ProgramsArgument;
use crate::failure::Failure;
use crate::output::{FormatArgument, pretty, print, real_place, refuse_within, write_whole};
use crate::registry::registry;
use crate::replay::live_note;

/// Estimate what a map change does to each power
///
/// Games of a run are forked at one moment: a branch for each possible event, and one branch without any.
#[derive(Args)]
pub(crate) struct EffectArguments {
    /// Run folder
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Arm [default: the first]
    #[arg(long, value_name = "ID")]
    variant: Option<String>,
    /// Entry of `changes`: `holes`, or `toggles: restore` [default: the only one]
    #[arg(long, value_name = "ID")]
    event: Option<String>,
    /// Season of the event
    #[arg(long, value_name = "SEASON", default_value = "F1901")]
    at: Moment,
    /// Years after that season at which centres are counted
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(0..=100))]
    years: u16,
    /// Approximate number of games to fork
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Write the board as SVG, coloured by the loss of --power
    #[arg(long, value_name = "FILE", requires = "power")]
    svg: Option<PathBuf>,
    /// Power of the board of --svg
    #[arg(long, value_name = "POWER", requires = "svg")]
    power: Option<String>,
    /// Write the outcome of each branch as Parquet
    #[arg(long, value_name = "FILE")]
    parquet: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArgument,
    #[command(flatten)]
    programs: ProgramsArgument,
}

/// Runs the command.
pub(crate) fn command(arguments: &EffectArguments) -> Result<(), Failure> {
    let again = RunReplayer::open(&arguments.folder, &arguments.programs.programs(), &registry())?;
    let arms = again.run().arms();
    let arm = match &arguments.variant {
        None => 0,
        Some(id) => arms.iter().position(|arm| arm.id == *id).ok_or_else(|| {
            let known = suggest(id, arms.iter().map(|arm| arm.id.as_str()));
            Failure::input(format!("`{}` has no arm `{id}`; {known}", arguments.folder.display()))
        })?,
    };
    let last = again.run().experiment.last_year;
    let until = arguments.at.year.saturating_add(arguments.years);
    if until > last {
        return Err(Failure::input(format!(
            "the games of the run end after {last}, but centres would be counted after {until}; use fewer --years"
        )));
    }
    if let (Some(parquet), Some(svg)) = (&arguments.parquet, &arguments.svg)
        && real_place(parquet) == real_place(svg)
    {
        let path = svg.display();
        return Err(Failure::input(format!("--svg would overwrite --parquet: `{path}`; name another file")));
    }
    let run = again.run();
    let chosen = &run.arms()[arm];
    let variant = again.variant(arm);
    let (name, event) = MapEventKind::named(arguments.event.as_deref(), &variant.changes)
        .map_err(|error| Failure::input(format!("--event: {error}")))?;
    let query = SurveyQuery { arm, event, at: arguments.at, years: arguments.years, games: arguments.games };
    let forked = query.forked(&again)?;
    if forked.is_empty() {
        let when = match query.event {
            MapEventKind::Quake => {
                "quakes happen only in a seismic phase: use `--at S1902` or `--at W1901`, depending on the variant's rules"
            }
            MapEventKind::Draw(_) => "`upheaval variants show` prints the seasons in which they happen",
        };
        return Err(Failure::input(format!("no game has `{name}` in {}; {when}", query.at)));
    }
    let powers = run.experiment.power_names();
    let effects = places(&forked, powers);
    let home_of = run.arms()[arm].homes();
    let of_homes =
        homes(&forked, powers.powers(), |province, power| home_of[power].iter().any(|home| home == province));
    let observed = observed(arguments, &query.event, &chosen.id)?;
    let mut said = match arguments.format.is_json() {
        true => pretty(&json!({
            "format": 1,
            "arm": run.arms()[arm].id,
            "event": name,
            "at": query.at.to_string(),
            "years": query.years,
            "games": forked.len(),
            "provinces": effects,
            "homes": { "forked": powers.by_name(of_homes.iter()), "observed": observed },
            "recorded": again.recorded(),
        }))?,
        false => {
            let [one, none] = query.event.deeds();
            let mut text = format!(
                "{}: {} games forked in {}; a branch in which {one}, compared with one in which {none};\n\
                 difference in centres at the end of {until}, with 95% intervals by block\n",
                run.arms()[arm].id,
                forked.len(),
                query.at,
            );
            if query.event == MapEventKind::Quake {
                text += "for a province: the mean over the quakes that separate it from another\n";
            }
            text.push('\n');
            text += &render(&effects, powers);
            text += "\nhomes: the event happens to one of its home centres rather than to another province; observed: the estimate of `balance`\n";
            text += &render_homes(powers.iter().zip(of_homes.values()).map(|(power, of_home)| {
                let seen = observed.iter().find(|(event, of, _)| of == power && !event.is_empty());
                (power, [Some(*of_home), seen.map(|(_, _, estimate)| *estimate)])
            }));
            text + &live_note(&again)
        }
    };
    if let Some(path) = &arguments.parquet {
        refuse_within(path, &arguments.folder)?;
        write_whole(path, outcomes_table(&forked, powers).map_err(Failure::machine)?)?;
        if !arguments.format.is_json() {
            said += &format!("outcomes: {}\n", path.display());
        }
    }
    if let Some(path) = &arguments.svg {
        refuse_within(path, &arguments.folder)?;
        let name = arguments.power.as_deref().unwrap_or_default();
        let Some(power) = powers.find(&name.to_ascii_uppercase()) else {
            let known = suggest(name, powers.iter());
            return Err(Failure::input(format!("there is no power `{name}` on this board; {known}")));
        };
        write_whole(path, effect_board(Arc::clone(variant), &effects, power))?;
        if !arguments.format.is_json() {
            said += &format!("board: {}\n", path.display());
        }
    }
    print(&said)
}

/// The estimate of `balance` for the same run: event, power, effect.
fn observed(
    arguments: &EffectArguments,
    event: &MapEventKind,
    arm: &str,
) -> Result<Vec<(&'static str, String, Estimate)>, Failure> {
    let event = match event {
        MapEventKind::Draw(draw) => match draw.verb {
            Verb::Collapse => EventKind::Collapsed,
            Verb::Void => EventKind::Voided,
            Verb::Restore => EventKind::Restored,
            Verb::Submerge => EventKind::Submerged,
            Verb::Raise => EventKind::Raised,
            Verb::Freeze => EventKind::Frozen,
            Verb::Open => EventKind::Opened,
            Verb::Dig => EventKind::Dug,
            Verb::Split => EventKind::Split,
            Verb::Found => EventKind::CentreFounded,
            Verb::Ruin => EventKind::CentreRuined,
            Verb::Mark => EventKind::Marked,
            Verb::Quake => return Ok(Vec::new()), // nature does not draw for it
        },
        MapEventKind::Quake => EventKind::Separated,
    };
    let options = BalanceOptions {
        variants: vec![arm.to_owned()],
        events: vec![event],
        years: arguments.years,
        ..BalanceOptions::default()
    };
    let balance = Balance::of(&arguments.folder, &options)?;
    let effects = balance.cells.iter().take(1).flat_map(|cell| &cell.effects);
    let of = effects.flat_map(|effect| {
        let each = effect.powers.iter();
        each.filter_map(|(power, of)| Some((effect.event.name(), power.clone(), of.effect?)))
            .collect::<Vec<_>>()
    });
    Ok(of.collect())
}
