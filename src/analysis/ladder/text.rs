//! A ladder as text: its heading, a line for each rung, and its verdict on skill; and as JSON.

use serde_json::{Value, json};

use crate::estimate::Estimate;
use crate::ladder::{Ladder, LadderPlan, LadderReport, Rung, RungOutcome, named};
use crate::table::Table;

/// The widths of the columns.
const WIDTHS: [usize; 6] = [10, 10, 9, 24, 8, 26];

fn line(cells: [String; 6]) -> String {
    let mut text = String::new();
    Table::without_headings(&mut text, 0, WIDTHS).row("", cells);
    text
}

fn counted(count: impl Into<u64>, what: &str) -> String {
    let count = count.into();
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A lead as a whole number with its bounds; zero has no sign.
fn in_elo(lead: Estimate) -> String {
    lead.map(|value| if value.round() == 0.0 { 0.0 } else { value }).signed(0)
}

impl Ladder {
    /// The games played, and the headings of the columns.
    pub fn heading(&self) -> String {
        let LadderPlan { variant, kind, setting, blocks, seed, years, .. } = self.plan();
        let powers = variant.power_names().powers().len();
        let last = variant.first_year() + (years - 1);
        let others = if powers == 2 { "the other".to_owned() } else { format!("the {} others", powers - 1) };
        let text = format!(
            "{kind} on {}: one seat with twice the `{setting}` of {others}, {} of {powers} games a rung, to {last}, seed {seed}\n",
            variant.id(),
            counted(*blocks, "block"),
        );
        let headings = [setting.as_str(), "against", "games", "squares (95% CI)", "even", "Elo (95% CI)"]
            .map(str::to_owned);
        text + &line(headings)
    }

    /// The line of a rung, and what must be said of its blocks.
    pub fn line(&self, rung: &Rung) -> String {
        let Rung { budget, against, games, share, even, elo, .. } = rung;
        let warning = rung.warning().map(|warning| format!("  warning: {warning}\n")).unwrap_or_default();
        let cells = line([
            budget.to_string(),
            against.to_string(),
            games.to_string(),
            share.with_bounds(3),
            format!("{even:.3}"),
            in_elo(*elo),
        ]);
        cells + &warning
    }

    /// Everything as an object: the plan, the `rungs` with their `outcome`, and the result of all together.
    pub fn to_json(&self, report: &LadderReport) -> Value {
        let LadderPlan { variant, kind, setting, blocks, seed, years, .. } = self.plan();
        let rung = |rung: &Rung| {
            // A struct of numbers always serialises.
            let mut value = serde_json::to_value(rung).unwrap_or_default();
            value["outcome"] = json!(rung.outcome());
            value["warning"] = json!(rung.warning());
            value
        };
        let rungs: Vec<Value> = report.rungs.iter().map(rung).collect();
        json!({
            "variant": variant.id(),
            "bot": kind,
            "budget": setting,
            "blocks": blocks,
            "seed": seed,
            "years": years,
            "rungs": rungs,
            "gain": report.gain,
            "elo": report.elo,
            "outcome": report.outcome(),
            "warning": report.warning(),
            "faults": report.faults.to_json(),
        })
    }

    /// The verdict of the ladder on skill, with an explanation.
    pub fn verdict(&self, report: &LadderReport) -> String {
        let variant = self.plan().variant.id();
        let of = |outcome| (named(report.rungs_that(outcome)), report.rungs_that(outcome).count());
        let ((wins, won), (loses, lost)) = (of(RungOutcome::Wins), of(RungOutcome::Loses));
        let all = counted(report.rungs.len() as u64, "rung");
        let rungs = match (won, lost) {
            (0, 0) => "no single rung is decided".to_owned(),
            (0, _) => format!("no rung is won by twice the budget, and it loses {loses}"),
            (_, 0) => format!("twice the budget wins {won} of {all}: {wins}"),
            _ => format!("twice the budget wins {won} of {all}: {wins}; it loses {loses}"),
        };
        let said = match (report.outcome(), won + lost == 0) {
            (RungOutcome::Open, undecided) if report.warning().is_some() => {
                let rungs = if undecided { String::new() } else { format!("{rungs}; but ") };
                format!(
                    "whether skill matters in {variant} is open over the whole ladder: {rungs}{}",
                    report.warning().unwrap_or_default()
                )
            }
            (RungOutcome::Wins, _) => format!("skill matters in {variant}: {rungs}"),
            (RungOutcome::Loses, _) => {
                format!("more budget is a loss in {variant}: {rungs}")
            }
            (RungOutcome::Open, true) => {
                format!(
                    "no rung is decided: whether skill matters in {variant} is open; more blocks may tell"
                )
            }
            (RungOutcome::Open, false) => {
                format!("whether skill matters in {variant} is open over the whole ladder: {rungs}")
            }
        };
        format!(
            "{said}\nover the whole ladder: {} of the squares above the even share, {} Elo\n\
             share: of the squares of all centres; a solo has all of them; its interval: over blocks, at 95 % for each rung alone\n\
             Elo: Plackett–Luce over the finishing orders; its interval: jackknife over blocks; games of one block share their \
             catastrophes, and all rungs play the same blocks\n",
            report.gain.signed(3),
            in_elo(report.elo),
        )
    }
}
