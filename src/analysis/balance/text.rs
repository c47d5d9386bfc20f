//! A balance as tables for a terminal.

use std::fmt::Write;

use crate::Estimate;
use crate::balance::Balance;
use crate::balance::agreement::{Agreement, LineUpPair};
use crate::balance::cell::{CellBalance, CellNeeded, Needed};
use crate::balance::compare::{Comparison, Difference};
use crate::balance::distribution::Quantiles;
use crate::balance::effect::{AttributionRule, Effect, PowerEffect};
use crate::balance::fairness::{Fairness, LEVEL, Method, Untested};
use crate::balance::play::OrderShares;
use crate::balance::ranking::{Grid, Ranked, Ranking};
use crate::balance::tally::FairnessMeasure;
use crate::repeats::FEWEST_BLOCKS;
use crate::table::{Table, counted, p, power_width, width_of};

const LEGEND: &str = "
95% CI: Wilson's of rates, t or Hall's of means, Woodruff's of medians, over blocks: the games of a block share their catastrophes
survives: has a unit at the end; out: has neither unit nor centre then, even if it shares in a draw of all
score: 1 for a solo, 1/n for a draw of n
centres by year: the count after the fall, 0 for an eliminated power; games that have ended keep their final counts
distance: the root mean square distance of the shares from equal ones, minus what chance adds; to move: the part of the
  total that would have to change hands to make the powers equal; all equal: one test by block; pairs: with Holm's correction
p is for one measure: of four measures, one shows a difference by chance more often; docs/balance.md says more
";

const COMPARED: &str = "\
difference: one minus the other, by block; *: p below 0.05 after Holm's correction for all powers,
of line-ups for those of all; distance: its interval excludes 0 if the ranking distinguishes the two
narrowed: the width of intervals divided by their width without pairing
";

const EFFECTS: &str = "\
struck: games in which the event struck the power, of which the first counts; change: of centres, from the last
  count before to the count this many years after
without: the same in matching games in which no such event had struck the power by then
";

/// Writes a line. Writing into a string cannot fail.
macro_rules! line {
    ($out:expr) => { $out.push('\n') };
    ($out:expr, $($format:tt)*) => {{ let _ = writeln!($out, $($format)*); }};
}

impl Balance {
    /// All relevant results as plain text.
    pub fn render(&self) -> String {
        let mut out: String = self.run.warnings.iter().map(|warning| format!("{warning}\n")).collect();
        if self.cells.is_empty() {
            out.push_str("no games\n");
            return out;
        }
        self.headline.lines().for_each(|text| line!(out, "{text}"));
        line!(out);
        render_rankings(self, &mut out);
        render_agreement(self, &mut out);
        compare_play(self, &mut out);
        for cell in &self.cells {
            render_cell(&self.label_with_id(&cell.arm), cell, &mut out);
            out.push('\n');
        }
        for (title, comparisons) in [("arms", &self.arms), ("line-ups", &self.line_ups)] {
            for comparison in comparisons {
                let names = [&comparison.arm, &comparison.against].map(|arm| self.label(arm));
                let line_ups =
                    [comparison.line_up, comparison.against_line_up].map(|of| self.line_up_label(of));
                render_comparison(title, names, line_ups, comparison, &mut out);
                out.push('\n');
            }
        }
        if !self.rankings.is_empty() {
            out.push_str(RANKED);
        }
        out.push_str(LEGEND.trim_start());
        out.push_str(PLAY);
        if !self.arms.is_empty() || !self.line_ups.is_empty() {
            out.push_str(COMPARED);
        }
        if self.cells.iter().any(|cell| !cell.effects.is_empty()) {
            out.push_str(EFFECTS);
        }
        out
    }
}

/// Differences that the choice of bots makes are reported before everything else.
fn render_agreement(balance: &Balance, out: &mut String) {
    let agreements: &[Agreement] = &balance.agreement;
    for of_arm in agreements.chunk_by(|a, b| a.arm == b.arm) {
        line!(out, "{}: does the verdict depend on the bots?", balance.label(&of_arm[0].arm));
        for of in of_arm {
            line!(out, "{}", of.sentence());
            for view in &of.line_ups {
                line!(out, "  line-up {}, {}: {}", view.line_up, bots(&view.bots), view.words());
            }
            let rank =
                |of: &LineUpPair| Some(format!("{} and {}: {:.2}", of.line_up, of.other, of.correlation?));
            let ranks: Vec<String> = of.pairs.iter().filter_map(rank).collect();
            if !ranks.is_empty() {
                line!(out, "  rank correlation of the powers, line-ups {}", ranks.join("; "));
            }
        }
        line!(out);
    }
}

fn render_cell(name: &str, cell: &CellBalance, out: &mut String) {
    let (games, blocks) = (cell.games, cell.blocks);
    line!(out, "{name}, {}: {games} games in {}", cell.seating.label, counted(blocks, "block"));
    if blocks < FEWEST_BLOCKS as u64 {
        line!(
            out,
            "warning: fewer than {FEWEST_BLOCKS} blocks: intervals and tests are not reliable (docs/coverage.md)"
        );
    }
    line!(out, "bots: {}", bots(&cell.seating.bots));
    let ends = cell.ends.all().into_iter().filter(|(_, share)| share.is_some_and(|of| of.estimate > 0.0));
    let ends: Vec<String> = ends.map(|(end, share)| format!("{} {}", end.name(), percent(share))).collect();
    line!(out, "ends, %: {}", ends.join(", "));
    if cell.draws.size.is_some() {
        let sizes = (1..).zip(cell.draws.of.iter().map(|share| share.map_or(0.0, |of| of.estimate)));
        let sizes = sizes.filter(|(_, share)| *share > 0.0);
        let sizes: Vec<String> = sizes.map(|(size, share)| format!("{size}: {:.1}", 100.0 * share)).collect();
        line!(
            out,
            "draws: {} powers on average; games drawn by this many, %: {}",
            mean(cell.draws.size, 2),
            sizes.join(", ")
        );
    }
    line!(
        out,
        "length: {} game years; 5 to 95 % of games: {}",
        mean(cell.length.mean, 2),
        range(cell.length.quantiles)
    );
    line!(out, "centres on the map at the end: {}", mean(cell.extant_centres, 2));
    let columns = [
        ("solos % (95% CI)", 22),
        ("draws % (95% CI)", 22),
        ("survives % (95% CI)", 22),
        ("out % (95% CI)", 22),
        ("score (95% CI)", 24),
        ("centres (95% CI)", 23),
        ("5 25 50 75 95", 16),
        ("median (95% CI)", 18),
    ];
    let mut table = Table::new(out, ("power", power_width(cell.powers.keys())), columns);
    for (power, of) in &cell.powers {
        let cells = [
            percent(of.solos),
            percent(of.draws),
            percent(of.survivals),
            percent(of.eliminations),
            mean(of.score, 3),
            mean(of.centres.mean, 2),
            quantiles(of.centres.quantiles),
            of.centres.quantiles.map_or("-".to_owned(), |of| of.p50.to_string()),
        ];
        table.row(power, cells);
    }
    render_play(cell, out);
    render_years(cell, out);
    line!(out, "\nfairness: {}", cell.fairness_means);
    let columns =
        [("found", 8), ("by chance", 11), ("distance (95% CI)", 26), ("to move", 10), ("  all equal?", 0)];
    let mut table = Table::new(out, ("share of", 20), columns);
    cell.fairness.iter().for_each(|of| table.row(of.measure.name(), fairness_cells(of)));
    cell.fairness.iter().for_each(|fairness| render_pairs(fairness, out));
    cell.effects.iter().for_each(|effect| render_effect(effect, out));
    if let Some(needed) = &cell.needed {
        render_needed(needed, out);
    }
}

fn render_years(cell: &CellBalance, out: &mut String) {
    line!(out);
    let powers = cell.powers.keys().map(|power| (power.as_str(), power.len().max(22) + 2));
    let mut table = Table::new(out, ("centres", 8), [("running", 9)].into_iter().chain(powers));
    for (at, year) in cell.years.iter().enumerate() {
        let label = if at == 0 { "start".to_owned() } else { year.year.to_string() };
        let centres = year.powers.values().map(|of| mean(of.centres.mean, 2));
        table.row(label, [year.running.to_string()].into_iter().chain(centres));
    }
}

fn fairness_cells(fairness: &Fairness) -> [String; 5] {
    let none = || "-".to_owned();
    let Some(distance) = fairness.distance else {
        return [none(), none(), none(), none(), format!("  {}", untested(fairness))];
    };
    let equal = fairness.omnibus.map_or(untested(fairness).to_owned(), |test| match (test.method, test.f) {
        (Method::Hotelling, Some(f)) => {
            format!("{}, Hotelling's T²: F({}, {}) = {:.2}", p(test.p), f.numerator, f.denominator, f.value)
        }
        (Method::Permutation, _) => format!("{}, by permutation", p(test.p)),
        _ => "alike in every block: no test".to_owned(),
    });
    [
        format!("{:.4}", distance.found),
        distance.by_chance.map_or_else(none, |chance| format!("{chance:.4}")),
        distance.corrected.map_or_else(none, |distance| distance.with_bounds(4)),
        format!("{:.1}%", 100.0 * distance.to_move),
        format!("  {equal}"),
    ]
}

/// Why there is no test.
const fn untested(fairness: &Fairness) -> &'static str {
    match fairness.untested {
        Some(Untested::NobodyHasAny) => "no power has any: nothing to test",
        Some(Untested::TooFewBlocks) => "one block: no test",
        None => "-",
    }
}

/// The pairs that differ: which power is above which, and by how much.
fn render_pairs(fairness: &Fairness, out: &mut String) {
    let pairs = fairness.pairs.iter().filter(|pair| pair.p_holm.is_some_and(|p| p < LEVEL));
    let differ = pairs.map(|pair| match pair.difference.estimate {
        less if less < 0.0 => (&pair.other, &pair.power, -less),
        more => (&pair.power, &pair.other, more),
    });
    let differ: Vec<(&String, &String, f64)> = differ.collect();
    if differ.is_empty() {
        return;
    }
    line!(out, "pairs that differ in {}{}:", fairness.measure.name(), unit(fairness.measure));
    for power in fairness.powers.keys() {
        let over = differ.iter().filter(|(more, ..)| *more == power);
        let over = over.map(|(_, less, by)| format!("{less} {}", number(*by, fairness.measure)));
        let over: Vec<String> = over.collect();
        if !over.is_empty() {
            line!(out, "  {power} over {}", over.join(", "));
        }
    }
}

fn render_effect(effect: &Effect, out: &mut String) {
    let whose = match effect.whose {
        AttributionRule::Home => "a home centre of the power",
        AttributionRule::Owner => "a centre that the power owns",
    };
    line!(
        out,
        "\nevent `{}` in {whose}: centres from the count before to the count {} after",
        effect.event.name(),
        counted(effect.years.into(), "year")
    );
    let columns =
        [("struck", 9), ("compared", 10), ("change", 9), ("without", 9), ("difference (95% CI)", 26)];
    let mut table = Table::new(out, ("power", power_width(effect.powers.keys())), columns);
    for (power, of) in &effect.powers {
        table.row(power, effect_cells(of));
    }
    table.row("all", effect_cells(&effect.all));
}

fn effect_cells(of: &PowerEffect) -> [String; 5] {
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:+.2}"));
    [
        of.struck.to_string(),
        of.compared.to_string(),
        number(of.change),
        number(of.change_without),
        signed(of.effect, 2),
    ]
}

fn render_comparison(
    title: &str,
    [arm, against]: [&str; 2],
    [line_up, other]: [String; 2],
    c: &Comparison,
    out: &mut String,
) {
    let pairs = match c.paired_blocks {
        0 => "no blocks in common, so nothing is paired".to_owned(),
        blocks => format!("paired by {}", counted(blocks, "block")),
    };
    match title {
        "arms" => line!(out, "{arm} minus {against}, {line_up}: {pairs}"),
        _ => line!(out, "{arm}, {line_up} minus {other}: {pairs}"),
    }
    let heading = |measure: FairnessMeasure| format!("{}{}", measure.name(), unit(measure));
    let mut table = Table::new(out, ("power", 10), c.measures.iter().map(|m| (heading(m.measure), 31)));
    let mut row = |name: &str, of: &dyn Fn(usize) -> String| table.row(name, (0..c.measures.len()).map(of));
    for power in c.measures.first().into_iter().flat_map(|of| of.powers.keys()) {
        row(power, &|i| difference(c.measures[i].powers[power], c.measures[i].measure));
    }
    row("together", &|i| difference(c.measures[i].together, c.measures[i].measure));
    row("distance", &|i| signed(c.measures[i].distance, 4));
    row("narrowed", &|i| {
        let all: Vec<f64> =
            c.measures[i].powers.values().filter_map(|difference| difference.as_ref()?.narrowed).collect();
        match all.len() {
            0 => "-".to_owned(),
            n => format!("to {:.0}%", 100.0 * all.iter().sum::<f64>() / n as f64),
        }
    });
    let asked =
        |i: usize| c.measures[i].powers.values().filter_map(|d| d.as_ref()?.needed).max_by_key(|n| n.games);
    if (0..c.measures.len()).any(|i| asked(i).is_some()) {
        row("games", &|i| asked(i).map_or("-".to_owned(), games));
    }
}

fn render_needed(needed: &CellNeeded, out: &mut String) {
    let asked: Vec<String> = [("rates and scores", needed.width), ("centres", needed.width_centres)]
        .into_iter()
        .filter_map(|(of, width)| width.map(|width| format!("{width} in {of}")))
        .collect();
    line!(out, "\ngames needed for intervals as wide as {}: in all (in addition)", asked.join(", "));
    let columns = ["solos", "score", "survives", "centres"].map(|heading| (heading, 22));
    let mut table = Table::new(out, ("power", power_width(needed.powers.keys())), columns);
    for (power, of) in &needed.powers {
        let cell = |of: Option<Needed>| of.map_or("-".to_owned(), games);
        table.row(power, [of.solos, of.score, of.survivals, of.centres].map(cell));
    }
}

fn games(needed: Needed) -> String {
    format!("{} (+{})", needed.games, needed.more_games)
}

/// Bots, each with the number of consecutive seats that it has.
fn bots(bots: &[String]) -> String {
    let runs = bots.chunk_by(|a, b| a == b).map(|same| match same.len() {
        1 => same[0].clone(),
        n => format!("{n} × {}", same[0]),
    });
    runs.collect::<Vec<_>>().join(", ")
}

/// The unit in which the differences of a measure are printed.
const fn unit(measure: FairnessMeasure) -> &'static str {
    match measure {
        FairnessMeasure::Solos | FairnessMeasure::Survival => ", points of %",
        FairnessMeasure::Score | FairnessMeasure::Centres => "",
    }
}

const fn scale(measure: FairnessMeasure) -> (f64, usize) {
    match measure {
        FairnessMeasure::Solos | FairnessMeasure::Survival => (100.0, 1),
        FairnessMeasure::Score => (1.0, 3),
        FairnessMeasure::Centres => (1.0, 2),
    }
}

fn number(value: f64, measure: FairnessMeasure) -> String {
    let (scale, decimals) = scale(measure);
    format!("{:.decimals$}", scale * value)
}

fn difference(of: Option<Difference>, measure: FairnessMeasure) -> String {
    let Some(of) = of else { return "-".to_owned() };
    let (scale, decimals) = scale(measure);
    let star = if of.p_holm.is_some_and(|p| p < LEVEL) { "*" } else { " " };
    format!("{}{star}", signed(Some(of.difference.map(|value| value / (1.0 / scale))), decimals))
}

/// Divided rather than multiplied: the last digit of a share such as 882/1440 depends on it.
fn percent(of: Option<Estimate>) -> String {
    of.map_or("-".to_owned(), |of| of.map(|share| share / 0.01).with_bounds(1))
}

/// The estimate in this unit, without its interval.
fn point(of: Option<Estimate>, scale: f64, decimals: usize) -> String {
    of.map_or("-".to_owned(), |of| format!("{:.decimals$}", scale * of.estimate))
}

/// The value with its sign.
fn signed(of: Option<Estimate>, decimals: usize) -> String {
    of.map_or("-".to_owned(), |of| of.signed(decimals))
}

fn mean(of: Option<Estimate>, decimals: usize) -> String {
    of.map_or("-".to_owned(), |of| of.with_bounds(decimals))
}

fn quantiles(of: Option<Quantiles>) -> String {
    of.map_or("-".to_owned(), |of| {
        let of = [of.p5, of.p25, of.p50, of.p75, of.p95];
        of.map(|quantile| quantile.estimate.to_string()).join(" ")
    })
}

fn range(of: Option<Quantiles>) -> String {
    of.map_or("-".to_owned(), |of| format!("{} to {}", of.p5.estimate, of.p95.estimate))
}

// How cells play, in words and tables.

const PLAY: &str = "\
course: a power leads with more centres than any other at a year's count; decided: the power that ends on top leads from then on;
  closeness: centres of the second as a part of the first's; drama: how far behind the power on top was; docs/measures.md
orders: shares of those in movement phases; choices: log10 of the joint legal orders of a power, with `log.choices = true`
";

/// The cells side by side, where there are several.
fn compare_play(balance: &Balance, out: &mut String) {
    if balance.cells.len() < 2 {
        return;
    }
    let label = |cell: &CellBalance| {
        let label = balance.label(&cell.arm);
        match balance.cells.iter().any(|other| other.line_up != cell.line_up) {
            true => format!("{label}, {}", cell.seating.label),
            false => label.to_owned(),
        }
    };
    let labels: Vec<String> = balance.cells.iter().map(label).collect();
    let width = width_of(&labels, 12) + 2;
    let columns = [
        ("years", 23),
        ("solos %", 9),
        ("lead changes", 22),
        ("decided after", 22),
        ("closeness", 24),
        ("drama", 24),
    ];
    let mut table = Table::new(out, ("how it plays", width), columns);
    for (label, cell) in labels.iter().zip(&balance.cells) {
        let play = &cell.play;
        let solos = point(cell.ends.solo, 100.0, 1);
        let [years, lead_changes, decided] =
            [cell.length.mean, play.lead_changes, play.decided].map(|of| mean(of, 2));
        let [closeness, drama] = [play.closeness, play.drama].map(|of| mean(of, 3));
        table.row(label, [years, solos, lead_changes, decided, closeness, drama]);
    }
    out.push('\n');
}

/// The course, orders and captures of a cell.
fn render_play(cell: &CellBalance, out: &mut String) {
    let play = &cell.play;
    line!(
        out,
        "\ncourse: {} lead changes; decided after {} years, {} % of the game, undecided in {} % of games",
        mean(play.lead_changes, 2),
        mean(play.decided, 2),
        percent(play.decided_share),
        percent(play.undecided)
    );
    line!(
        out,
        "closeness {}; drama {}; {} % of the powers that ended on top came from behind",
        mean(play.closeness, 3),
        mean(play.drama, 3),
        percent(play.comebacks)
    );
    let kinds = ["holds", "moves", "supports", "convoys", "special"].map(|name| (name, 12));
    let columns = kinds.into_iter().chain([("choices (95% CI)", 26)]);
    let name = power_width(cell.powers.keys());
    let mut table = Table::new(out, ("orders, %", name.max(11)), columns);
    let row = |of: &OrderShares, choices: Option<Estimate>| {
        let kinds = [of.holds, of.moves, of.supports, of.convoys, of.special];
        let kinds = kinds.into_iter().map(|of| point(of, 100.0, 1));
        kinds.chain([mean(choices, 2)]).collect::<Vec<_>>()
    };
    for (power, of) in &play.powers {
        table.row(power, row(&of.orders, of.choices));
    }
    table.row("all", row(&play.orders, None));
    let powers = cell.powers.keys().map(|power| (power.as_str(), power.len() + 2));
    let columns = powers.chain([("nobody", 8)]);
    let mut table = Table::new(out, ("takes a game", name.max(14)), columns);
    for (power, of) in &play.captures {
        let from = of.from.values().copied().chain([of.from_nobody]).map(|of| point(of, 1.0, 2));
        table.row(format!("{power} from"), from);
    }
}

// Rankings and grids as text.

const RANKED: &str = "\
groups: arms that share a letter are not distinguished, arms that share none are; all statements hold together at 95%\n";

/// The arms of each line-up from the fairest to the least fair, and a grid for two swept parameters.
fn render_rankings(balance: &Balance, out: &mut String) {
    let by = balance.ranked_by;
    for ranking in balance.rankings.iter().filter(|ranking| ranking.measure == by) {
        render_ranking(balance, ranking, out);
        for grid in &balance.grids {
            render_grid(grid, ranking, out);
        }
        out.push('\n');
    }
}

fn render_ranking(balance: &Balance, ranking: &Ranking, out: &mut String) {
    let others = FairnessMeasure::ALL.into_iter().filter(|measure| *measure != ranking.measure);
    let others: Vec<(FairnessMeasure, &Ranking)> =
        others.filter_map(|measure| Some((measure, balance.ranking(ranking.line_up, measure)?))).collect();
    line!(
        out,
        "fairest to least fair by {}, {}: {} arms over {}",
        ranking.measure.name(),
        balance.line_up_label(ranking.line_up),
        ranking.arms.len(),
        counted(ranking.blocks, "block")
    );
    let width = width_of(ranking.arms.iter().map(|arm| &arm.label), 3) + 2;
    let columns = [("distance (95% CI)".to_owned(), 26), ("groups".to_owned(), 8)];
    let columns =
        columns.into_iter().chain(others.iter().map(|(measure, _)| (measure.name().to_owned(), 20)));
    let mut table = Table::new(out, ("    arm", width + 4), columns);
    for arm in &ranking.arms {
        let place = arm.place.map_or("-".to_owned(), |place| place.to_string());
        let label = format!("{place:>2}  {}", arm.label);
        let other = |(_, of): &(FairnessMeasure, &Ranking)| of.arm(&arm.arm).map_or("-".to_owned(), short);
        let cells = [mean(arm.corrected(), 4), arm.letters()].into_iter().chain(others.iter().map(other));
        table.row(label, cells);
    }
    line!(out, "{}", fairest(ranking));
}

/// Which arm may be the fairest, in a sentence.
fn fairest(ranking: &Ranking) -> String {
    let labels: Vec<&str> = ranking.fairest().map(|arm| arm.label.as_str()).collect();
    match (labels.as_slice(), ranking.apart) {
        (_, None) if ranking.blocks < 2 => "one block does not show which is fairer".to_owned(),
        ([], _) => {
            "no arm has a distance: no power has any of it, or nothing varies from block to block".to_owned()
        }
        ([one], _) => format!("{one} is shown to be the fairest of these"),
        (all, _) if all.len() == ranking.arms.len() => {
            "no arm is distinguished from the fairest, which does not show that they are equally fair"
                .to_owned()
        }
        ([first, rest @ ..], _) => format!("not distinguished from {first}: {}", rest.join("; ")),
    }
}

/// The corrected distance without bounds, with its groups; where the square is negative, chance explains all of it.
fn short(arm: &Ranked) -> String {
    arm.corrected().map_or("-".to_owned(), |of| format!("{:.4} {:<3}", of.estimate, arm.letters()))
}

fn render_grid(grid: &Grid, ranking: &Ranking, out: &mut String) {
    let Grid { variant, rows, columns, cells } = grid;
    line!(out, "\n{variant}: distance and groups by {} (down) and {} (across)", rows.name, columns.name);
    let width = |word: &String| word.chars().count().max(12) + 2;
    let label = width_of(rows.values.iter().chain([&rows.name]), 0) + 2;
    let headings = columns.values.iter().map(|value| (value.clone(), width(value)));
    let mut table = Table::new(out, (&rows.name, label), headings);
    for (value, row) in rows.values.iter().zip(cells) {
        let cell =
            |arm: &Option<String>| arm.as_ref().and_then(|arm| ranking.arm(arm)).map_or(String::new(), short);
        table.row(value, row.iter().map(cell));
    }
}
