//! The sections of the page, in their order.

use maud::{Markup, html};

use crate::chart::{Figure, FigureTable};
use crate::figures::fairness::{equal, shown};
use crate::figures::maps::Scales;
use crate::figures::{centres, fairness, maps, play, ratings};
use crate::page::{Page, PageSection, table};
use crate::run::{ReportedRun, plain};
use crate::tally::{ReportTallies, ReportTally};
use crate::words::{count, difference, list, maybe, numeral, thousands};
use upheaval_analysis::balance::Balance;
use upheaval_analysis::balance::agreement::Agreement;
use upheaval_analysis::balance::cell::CellBalance;
use upheaval_analysis::balance::compare::{Comparison, Difference, MeasureDifference};
use upheaval_analysis::balance::fairness::{LEVEL, Method, Untested, most_distance};
use upheaval_analysis::balance::ranking::Ranking;
use upheaval_analysis::balance::source::{LineUpFacts, LineUpSeating};
use upheaval_analysis::balance::tally::FairnessMeasure;
use upheaval_analysis::repeats::FEWEST_BLOCKS;
use upheaval_analysis::standings;
use upheaval_analysis::table::p;
use upheaval_harness::sim::labels::Labels;
use upheaval_map::ids::PowerNames;

/// The most cells that are drawn over each other in one panel: more lines could not be distinguished.
const BESIDE: usize = 6;

/// What the question of a run is about.
pub(crate) enum ReportKind<'a> {
    /// Its powers: how fair it is to them.
    Powers(Powers<'a>),
    /// Its bots: the tables of a tournament, of each variant and of all.
    Bots(&'a [standings::StandingsSection]),
}

/// What a run says of its powers.
pub(crate) struct Powers<'a> {
    pub run: &'a ReportedRun,
    pub balance: &'a Balance,
    pub tallies: &'a ReportTallies,
}

impl ReportKind<'_> {
    /// The page of a run.
    pub(crate) fn page(&self, run: &ReportedRun) -> Page {
        let source = &run.source;
        let (mut sections, title, first) = match self {
            ReportKind::Powers(of) => (of.sections(), "Balance", of.balance.headline.lines().collect()),
            ReportKind::Bots(standings) => (rated(standings), "Standings", Vec::new()),
        };
        sections.push(self.played(run));
        sections.push(methods());
        let arms = count(source.run.arms().len() as u64, "arm");
        let line_ups = count(source.line_ups.len() as u64, "line-up");
        let games = count(run.games(), "game");
        Page {
            title: format!("{title} of {}", source.run.manifest.experiment),
            lede: match source.run.manifest.import {
                None => format!("{arms}, {line_ups}, {games}, seed {}", source.run.experiment.seed),
                Some(_) => format!("{games} of people, imported"),
            },
            first,
            powers: source.run.experiment.power_names().clone(),
            sections,
            closing: html! {
                p { "Experiment " code { (source.run.manifest.experiment_hash) }
                    @for run in &source.extensions { ", extended by " code { (run.manifest.experiment_hash) } }
                    ", upheaval " (source.run.manifest.code.version) ". "
                    @if source.extensions.is_empty() { "The same run folder gives" } @else { "The same run folders give" }
                    " the same report, byte for byte." }
            },
        }
    }

    /// The number of games of an arm that the page is about: all games of a tournament.
    fn games_of(&self, run: &ReportedRun, arm: &str) -> u64 {
        match self {
            ReportKind::Bots(_) => run.source.runs().map(|(run, _)| u64::from(run.experiment.games)).sum(),
            ReportKind::Powers(Powers { balance, .. }) => {
                balance.cells.iter().filter(|cell| cell.arm == arm).map(|cell| cell.games).sum()
            }
        }
    }

    fn played(&self, run: &ReportedRun) -> PageSection {
        let source = &run.source;
        let (manifest, experiment) = (&source.run.manifest, &source.run.experiment);
        let labels = Labels::of(source.run.arms());
        let mut arms = FigureTable::new(["Arm", "Id", "Variant", "Parameters", "Games", "Blocks"]);
        for (arm, known) in source.run.arms().iter().zip(&run.known) {
            let set = arm.parameters.iter().flatten();
            let set: Vec<String> = set.map(|(key, value)| format!("{key} = {}", plain(value))).collect();
            let [games, blocks] = [self.games_of(run, &arm.id), source.blocks.into()].map(thousands);
            arms.rows.push(vec![
                labels.label(&arm.id).to_owned(),
                arm.id.clone(),
                known.title.as_deref().unwrap_or("defined in the experiment").to_owned(),
                if set.is_empty() { "–".to_owned() } else { set.join(", ") },
                games,
                blocks,
            ]);
        }
        let mut line_ups = FigureTable::new(["Line-up", "Bots", "Meaning of differences between powers"]);
        let row = |(i, of): (usize, &LineUpFacts)| {
            vec![i.to_string(), together(&of.bots), of.seats.meaning().to_owned()]
        };
        line_ups.rows = source.line_ups.iter().enumerate().map(row).collect();
        let bots: Vec<_> = run.bots.iter().map(|(name, content)| format!("{name} ({content})")).collect();
        let text = html! {
            dl {
                dt { "Experiment" } dd { (manifest.experiment) }
                dt { "Hash" } dd { code { (manifest.experiment_hash) } }
                @if let Some(import) = &manifest.import {
                    dt { "Imported from" } dd {
                        @for file in &import.files { p { (file.name) " " code { (file.blake3) } } }
                    }
                } @else {
                    dt { "Seed" } dd { (experiment.seed) }
                }
                @for run in &source.extensions {
                    dt { "Extended by" } dd {
                        (run.manifest.experiment) " " code { (run.manifest.experiment_hash) } ", "
                        (count(run.manifest.games, "game"))
                    }
                }
                dt { "Games" } dd { (thousands(run.games())) }
                dt { "Last year" } dd { (experiment.last_year) }
                dt { "Bots" } dd { (bots.join("; ")) }
                dt { "Program" } dd {
                    "upheaval " (manifest.code.version) ", schema " (manifest.code.schema_version) ", behaviour "
                    (manifest.code.behaviour_version) ", " (manifest.code.rng)
                }
                dt { "Repeatable" } dd {
                    @if manifest.import.is_some() { "no: people played the games; their files can be imported again" }
                    @else if source.runs().all(|(run, _)| run.manifest.repeatable) { "yes: the same experiment gives the same games" }
                    @else if source.runs().any(|(run, _)| !run.manifest.recorded.is_empty()) {
                        "no: a bot is not declared to repeat its answers; its orders are recorded, and games are shown from them"
                    }
                    @else { "no: a program was late or was stopped by the watchdog" }
                }
            }
            h3 { "Arms" }
            p { "The others are compared with the first one. All arms meet the same catastrophes, block by block." }
            (table(&arms, "The arms of the run"))
            h3 { "Line-ups" }
            (table(&line_ups, "The line-ups of the run"))
        };
        PageSection::open("played", "Experiment", text, Vec::new())
    }
}

impl Powers<'_> {
    fn sections(&self) -> Vec<PageSection> {
        let mut sections: Vec<PageSection> = self.ranked().into_iter().collect();
        sections.push(self.answers());
        if self.balance.cells.len() > 1 {
            sections.push(self.beside());
        }
        let scales = Scales::of(self.balance.cells.iter().map(|cell| self.tally(cell)));
        sections.extend(self.balance.cells.iter().map(|cell| self.cell(cell, &scales)));
        sections
    }

    /// The display name of a cell.
    fn name(&self, arm: &str, line_up: usize) -> String {
        match (self.run.source.line_ups.len(), self.balance.label(arm)) {
            (1, label) => label.to_owned(),
            (_, label) => format!("{label}, {}", self.balance.line_up_label(line_up)),
        }
    }

    /// The names of the powers.
    fn names(&self) -> &PowerNames {
        self.run.source.run.experiment.power_names()
    }

    /// The name of a cell in links and files.
    fn key(&self, arm: &str, line_up: usize) -> String {
        match self.run.source.line_ups.len() {
            1 => arm.to_owned(),
            _ => format!("{arm}-lineup-{line_up}"),
        }
    }

    /// The arms from the fairest to the least fair, where there are several.
    fn ranked(&self) -> Option<PageSection> {
        let by = self.balance.ranked_by;
        let rankings = self.balance.rankings.iter().filter(|ranking| ranking.measure == by);
        let figure = |of: &Ranking| {
            let (id, name) = match self.run.source.line_ups.len() {
                1 => ("ranking".to_owned(), String::new()),
                _ => {
                    let label = self.balance.line_up_label(of.line_up);
                    (format!("ranking-lineup-{}", of.line_up), format!(", {label}"))
                }
            };
            fairness::ranking_figure(id, &name, self.balance, of)
        };
        let figures: Vec<Figure> = rankings.map(figure).collect();
        let text = html! { @for figure in &figures { (table(&figure.table, &figure.title)) } };
        (!figures.is_empty()).then(|| PageSection::open("ranked", "Which arm is fairest?", text, figures))
    }

    /// The verdicts, with the scores of the powers of a single cell, or the distances of several from equal shares.
    fn answers(&self) -> PageSection {
        let verdicts = verdicts(self.balance, |arm, line_up| self.name(arm, line_up));
        let text = html! {
            @for warning in &self.balance.run.warnings { p { strong { (warning) "." } } }
            ul.verdict { @for (subject, verdict) in &verdicts { li { strong { (subject) "." } " " (verdict) } } }
        };
        let figure = match self.balance.cells.as_slice() {
            [cell] => {
                let id = format!("rates-{}", self.key(&cell.arm, cell.line_up));
                fairness::rates_figure(id, cell, self.names())
            }
            _ => fairness::distances("distances".to_owned(), &self.named()),
        };
        PageSection::open("answers", "Is it fair?", text, vec![figure])
    }

    /// The cells with their names.
    fn named(&self) -> Vec<(String, &CellBalance)> {
        self.balance.cells.iter().map(|cell| (self.name(&cell.arm, cell.line_up), cell)).collect()
    }

    fn beside(&self) -> PageSection {
        let cells = self.named();
        let parts = || cells.chunks(BESIDE).enumerate();
        let centres = parts().map(|(i, part)| centres::beside(numbered("beside", i), part));
        let courses = parts().map(|(i, part)| play::course(numbered("course", i), part));
        let differences =
            self.balance.arms.iter().chain(&self.balance.line_ups).map(|of| self.difference(of));
        let figures = centres.chain(courses).chain(differences).collect();
        PageSection::open("beside", "Side by side", html! {}, figures)
    }

    fn difference(&self, of: &Comparison) -> Figure {
        let names = [self.name(&of.arm, of.line_up), self.name(&of.against, of.against_line_up)];
        let keys = [self.key(&of.arm, of.line_up), self.key(&of.against, of.against_line_up)];
        let id = format!("difference-{}", keys.join("-"));
        fairness::differences_figure(id, of, names.each_ref(), self.names())
    }

    /// The index of a cell's arm in the run.
    fn place(&self, cell: &CellBalance) -> usize {
        self.run.source.run.arms().iter().position(|arm| arm.id == cell.arm).unwrap_or(0)
    }

    fn tally(&self, cell: &CellBalance) -> &ReportTally {
        self.tallies.of(self.place(cell), cell.line_up)
    }

    fn cell(&self, cell: &CellBalance, scales: &Scales) -> PageSection {
        let key = self.key(&cell.arm, cell.line_up);
        let tally = self.tally(cell);
        let board = self.run.known[self.place(cell)].board.as_deref();
        let mut figures = vec![
            centres::figure(format!("centres-{key}"), cell, self.names()),
            match self.balance.cells.len() {
                1 => fairness::distances("distances".to_owned(), &self.named()),
                _ => fairness::rates_figure(format!("rates-{key}"), cell, self.names()),
            },
            fairness::pairs(format!("pairs-{key}"), cell, self.names()),
            play::orders(format!("orders-{key}"), cell, self.names()),
            play::captures(format!("captures-{key}"), cell),
        ];
        figures.extend(play::effects_figure(format!("effects-{key}"), cell, self.names()));
        figures.extend(maps::map_figure(format!("map-{key}"), tally));
        figures.extend(maps::homes_figure(format!("homes-{key}"), self.names(), tally));
        figures.extend(maps::board_figures(&key, tally, board, scales));
        PageSection {
            id: format!("cell-{key}"),
            title: self.name(&cell.arm, cell.line_up),
            text: facts(cell),
            figures,
            folded: true,
        }
    }
}

/// The ratings, scores and pairs of a tournament.
fn rated(standings: &[standings::StandingsSection]) -> Vec<PageSection> {
    // If there are several variants, the table of all of them comes first.
    let all = standings.iter().rev().enumerate().map(|(i, of)| {
        let id = if i == 0 { String::from("all") } else { format!("variant-{}", standings.len() - i) };
        let mut figures = vec![ratings::figure(format!("ratings-{id}"), of)];
        figures.extend(ratings::pairs(&id, of));
        let first = &figures[0];
        let text = html! {
            p.verdict { (ratings::sentence(of)) }
            (table(&first.table, &first.title))
            @if let Some(warning) = ratings::warning(of) { p { (warning) } }
            @for disagreement in &of.disagreements { p { (disagreement) "." } }
        };
        let title = match i {
            0 => "Which bot is stronger?".to_owned(),
            _ => format!("On {}", of.title),
        };
        PageSection { id: format!("rated-{id}"), title, text, figures, folded: i > 0 }
    });
    all.collect()
}

/// Numbers all but the first of equal ids.
fn numbered(id: &str, i: usize) -> String {
    if i == 0 { id.to_owned() } else { format!("{id}-{}", i + 1) }
}

/// Seven bots in a short form: `greedy × 4, random × 3`.
fn together(bots: &[String]) -> String {
    let runs = bots.chunk_by(|a, b| a == b);
    let words =
        runs.map(|run| if run.len() > 1 { format!("{} × {}", run[0], run.len()) } else { run[0].clone() });
    words.collect::<Vec<_>>().join(", ")
}

fn facts(cell: &CellBalance) -> Markup {
    let share = |of| maybe(of, 100.0, 1);
    let play = &cell.play;
    html! {
        dl {
            dt { "Games" } dd { (thousands(cell.games)) " in " (count(cell.blocks, "block")) }
            dt { "Bots" } dd { (together(&cell.seating.bots)) }
            dt { "Solos" } dd { (share(cell.ends.solo)) " % of games" }
            dt { "Draws" } dd { (share(cell.ends.draw)) " % of games" @if cell.draws.size.is_some() { ", of " (maybe(cell.draws.size, 1.0, 2)) " powers on average" } }
            dt { "Length" } dd { (maybe(cell.length.mean, 1.0, 2)) " game years" }
            dt { "Lead" } dd { "changes " (maybe(play.lead_changes, 1.0, 2)) " times per game; decided after "
                (maybe(play.decided, 1.0, 2)) " years, " (share(play.decided_share)) " % of the game" }
            dt { "Closeness" } dd { (maybe(play.closeness, 1.0, 3)) }
            dt { "Drama" } dd { (maybe(play.drama, 1.0, 3)) "; " (share(play.comebacks)) " % of the powers that ended on top came from behind" }
            dt { "Centres left" } dd { (maybe(cell.extant_centres, 1.0, 2)) " on the map at the end" }
        }
        p { "In brackets: 95 % intervals by block. Here, " (cell.seating.seats.meaning()) "." }
    }
}

fn methods() -> PageSection {
    let text = html! {
        p { "A " em { "block" } " is a set of games with the same catastrophes: the seat rotations of each line-up. \
             Blocks are independent of each other, but the games of a block are not, so the block is the unit of every interval \
             and test. Rates have Wilson intervals with the effective number of games, means have the wider of Student\u{2019}s and Hall\u{2019}s \
             intervals, and distances a bootstrap over blocks (docs/coverage.md)." }
        p { "One test for each measure asks whether all powers are equal (Hotelling’s T² of the block means, or \
             powers permuted within blocks where they vary too little for it). The named powers come from a test of each power against an equal \
             share of its block’s points, corrected by Holm’s method for all of them. Pairs and differences are corrected in the same way. Arms \
             are compared block by block: the effect of common catastrophes cancels." }
        p { "A result that is not significant does not prove equality: the tables show how large a difference would have been detected. \
             The report says that bots agree only if two one-sided tests show that the shares of every power differ by less than a margin." }
    };
    PageSection::open("methods", "Methods", text, Vec::new())
}

// The answers in words: is a cell fair, which powers does it favour, and which arms differ?

/// About the fairness of a cell.
fn fairness(cell: &CellBalance) -> String {
    let fairness = cell.fairness(FairnessMeasure::Score);
    if fairness.untested == Some(Untested::NobodyHasAny) {
        return format!(
            "No power scored in any game, so there is nothing to test ({}, {}).",
            count(cell.games, "game"),
            count(cell.blocks, "block")
        );
    }
    let omnibus = match fairness.omnibus {
        Some(omnibus) if cell.blocks >= FEWEST_BLOCKS as u64 => omnibus,
        _ => {
            return format!(
                "Too few blocks ({}) for a verdict on fairness; at least {FEWEST_BLOCKS} are needed.",
                cell.blocks
            );
        }
    };
    let whose = if cell.seating.seats == LineUpSeating::Fixed {
        "powers, with the bots they have,"
    } else {
        "powers"
    };
    if omnibus.p >= LEVEL {
        let corrected = fairness.distance.and_then(|distance| distance.corrected);
        // A bound at the end of what is possible says nothing.
        let is_informative = |bound: &f64| *bound > 0.0 && *bound < most_distance(cell.powers.len());
        let bound =
            corrected.and_then(|corrected| corrected.interval).map(|of| of.high).filter(is_informative);
        // If games end alike, the powers can hardly differ, and a small distance says nothing about them.
        let remark = match (cell.ended_alike(), bound) {
            (Some((end, share)), _) => format!(
                " This is not evidence of fairness: {:.1}\u{a0}% of the games ended alike ({}).",
                100.0 * share,
                end.name()
            ),
            (None, Some(bound)) => {
                format!(" The distance from equal shares is unlikely to exceed {:.3}.", bound.max(0.001))
            }
            (None, None) => String::new(),
        };
        return format!(
            "No difference between the {} {whose} is shown ({}, {}).{remark}",
            numeral(cell.powers.len()),
            match omnibus.method {
                Method::AllEqual => "alike in every block".to_owned(),
                Method::Hotelling | Method::Permutation => p(omnibus.p),
            },
            count(cell.blocks, "block")
        );
    }
    let apart = |above: bool| -> Vec<String> {
        let score = |power| Some((power, cell.powers[power].score?.estimate));
        let mut powers: Vec<(&String, f64)> = fairness.apart(above).filter_map(score).collect();
        powers.sort_by(|a, b| if above { b.1.total_cmp(&a.1) } else { a.1.total_cmp(&b.1) });
        powers.iter().map(|(power, score)| format!("{power} ({:.1}\u{a0}%)", 100.0 * score)).collect()
    };
    let (ahead, behind) = (apart(true), apart(false));
    let mut text = format!(
        "Not fair. The {} {whose} do not score equally ({}).",
        numeral(cell.powers.len()),
        p(omnibus.p)
    );
    let level = format!("an equal share of {:.1}\u{a0}%", 100.0 * equal(cell, |power| power.score));
    text += &match (ahead.is_empty(), behind.is_empty()) {
        (true, true) => " No single power is shown to differ from the rest.".to_owned(),
        (false, true) => format!(" More than {level}: {}.", list(&ahead)),
        (true, false) => format!(" Less than {level}: {}.", list(&behind)),
        (false, false) => format!(" More than {level}: {}. Less: {}.", list(&ahead), list(&behind)),
    };
    if let Some(distance) = fairness.distance {
        text += &format!(
            " {:.0}\u{a0}% of all points would have to change hands to make all powers equal.",
            100.0 * distance.to_move
        );
    }
    text
}

/// About the result of a comparison.
fn comparison(of: &Comparison) -> String {
    let found: Vec<String> = of.measures.iter().filter_map(sure).collect();
    let mut text = match found.is_empty() {
        true => "No power is shown to score differently.".to_owned(),
        false => format!("Significant differences in {}.", found.join("; in ")),
    };
    let distance = of.measures.iter().find(|m| m.measure == FairnessMeasure::Score).and_then(|m| m.distance);
    if let Some(distance) = distance {
        let words = match distance.interval {
            Some(of) if of.low > 0.0 => "It is less fair",
            Some(of) if of.high < 0.0 => "It is fairer",
            _ => "It is not shown to be fairer or less fair",
        };
        text += &format!(
            " {words}: distance of the scores from equal ones {}.",
            signed(&difference(distance, 1.0, 3))
        );
    }
    text
}

/// The significant differences in a measure.
fn sure(of: &MeasureDifference) -> Option<String> {
    if matches!(of.measure, FairnessMeasure::Solos | FairnessMeasure::Survival) {
        return None;
    }
    let (factor, unit) = shown(of.measure);
    let tested = of.powers.iter().filter_map(|(power, difference)| Some((power, difference.as_ref()?)));
    let mut found: Vec<(&String, &Difference)> =
        tested.filter(|(_, difference)| difference.p_holm.is_some_and(|p| p < LEVEL)).collect();
    found.sort_by(|a, b| b.1.difference.estimate.abs().total_cmp(&a.1.difference.estimate.abs()));
    let digits = if factor > 1.0 { 1 } else { 2 };
    let words = |(power, of): (&String, &Difference)| {
        format!("{power} {}", signed(&difference(of.difference, factor, digits)))
    };
    let words: Vec<String> = found.into_iter().map(words).collect();
    (!words.is_empty()).then(|| format!("{} ({unit}): {}", of.measure.name(), list(&words)))
}

/// About the agreement of an arm's line-ups.
fn agreement(of: &Agreement) -> String {
    let views = of.line_ups.iter().map(|view| format!("Line-up {}: {}.", view.line_up, view.words()));
    format!("{} {}", of.sentence(), views.collect::<Vec<_>>().join(" "))
}

/// With a sign in any case.
fn signed(text: &str) -> String {
    if text.starts_with('−') { text.to_owned() } else { format!("+{text}") }
}

/// All verdicts about a run, each with its subject: a cell, or two of them. `name` gives the name of a cell by arm and
/// line-up.
fn verdicts(balance: &Balance, name: impl Fn(&str, usize) -> String) -> Vec<(String, String)> {
    let bots = balance.agreement.iter().map(|of| (balance.label(&of.arm).to_owned(), agreement(of)));
    let cells = balance.cells.iter().map(|cell| (name(&cell.arm, cell.line_up), fairness(cell)));
    let pairs = balance.arms.iter().chain(&balance.line_ups).map(|of| {
        let (one, other) = (name(&of.arm, of.line_up), name(&of.against, of.against_line_up));
        (format!("{one} compared with {other}"), comparison(of))
    });
    // Effects of the choice of bots come first.
    bots.chain(cells).chain(pairs).collect()
}
