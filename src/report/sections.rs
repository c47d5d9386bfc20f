//! The sections of the page, in their order.

use maud::{Markup, html};

use crate::chart::{Figure, FigureTable};
use crate::figures::fairness::equal;
use crate::figures::fairness::shown;
use crate::figures::maps::Scales;
use crate::figures::{centres, fairness, maps, play, ratings};
use crate::page::{Fold, Page, PageSection, table};
use crate::run::{ReportedRun, plain};
use crate::tally::{ReportTallies, ReportTally};
use crate::words::{count, difference, list, maybe, numeral, p, thousands};
use upheaval_analysis::balance::Balance;
use upheaval_analysis::balance::agreement::Agreement;
use upheaval_analysis::balance::cell::CellBalance;
use upheaval_analysis::balance::compare::{Comparison, Difference, MeasureDifference};
use upheaval_analysis::balance::fairness::{LEVEL, Method, Untested, most_distance};
use upheaval_analysis::balance::source::LineUpSeating;
use upheaval_analysis::balance::tally::FairnessMeasure;
use upheaval_analysis::repeats::FEWEST_BLOCKS;
use upheaval_analysis::standings;
use upheaval_harness::sim::labels::Labels;
use upheaval_map::ids::PowerNames;

/// The most cells that are drawn over each other in one panel: more lines could not be distinguished.
const BESIDE: usize = 6;

/// A run with all its results.
pub(crate) struct ReportData<'a> {
    pub run: &'a ReportedRun,
    pub about: ReportKind<'a>,
}

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

impl ReportData<'_> {
    /// The page.
    pub(crate) fn page(&self) -> Page {
        let source = &self.run.source;
        let (mut sections, title) = match &self.about {
            ReportKind::Powers(powers) => (powers.sections(), "Balance"),
            ReportKind::Bots(standings) => (rated(standings), "Standings"),
        };
        sections.push(self.played());
        sections.push(methods());
        let arms = count(source.run.arms().len() as u64, "arm");
        let line_ups = count(source.line_ups.len() as u64, "line-up");
        let games = count(self.games(), "game");
        Page {
            title: format!("{title} of {}", source.run.manifest.experiment),
            lede: match source.run.manifest.import {
                None => format!("{arms}, {line_ups}, {games}, seed {}", source.run.experiment.seed),
                Some(_) => format!("{games} of people, imported"),
            },
            first: match &self.about {
                ReportKind::Powers(powers) => powers.balance.headline.lines().collect(),
                ReportKind::Bots(_) => Vec::new(),
            },
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

    /// How many games the runs have.
    fn games(&self) -> u64 {
        self.run.source.runs().map(|(run, _)| run.manifest.games).sum()
    }

    /// How many games of an arm the page is about: those of a tournament are all.
    fn games_of(&self, arm: &str) -> u64 {
        match &self.about {
            ReportKind::Bots(_) => {
                self.run.source.runs().map(|(run, _)| u64::from(run.experiment.games)).sum()
            }
            ReportKind::Powers(Powers { balance, .. }) => {
                balance.cells.iter().filter(|cell| cell.arm == arm).map(|cell| cell.games).sum()
            }
        }
    }

    fn played(&self) -> PageSection {
        let source = &self.run.source;
        let (manifest, experiment) = (&source.run.manifest, &source.run.experiment);
        let labels = Labels::of(source.run.arms());
        let mut arms = FigureTable::default();
        arms.head.extend(["Arm", "Id", "Variant", "Set in it", "Games", "Blocks"].map(str::to_owned));
        for (arm, known) in source.run.arms().iter().zip(&self.run.known) {
            let set = arm.parameters.iter().flatten();
            let set: Vec<String> = set.map(|(key, value)| format!("{key} = {}", plain(value))).collect();
            let variant = known
                .title
                .clone()
                .or_else(|| known.base.clone())
                .unwrap_or("defined in the experiment".to_owned());
            let set = if set.is_empty() { "–".to_owned() } else { set.join(", ") };
            arms.rows.push(vec![
                labels.label(&arm.id).to_owned(),
                arm.id.clone(),
                variant,
                set,
                thousands(self.games_of(&arm.id)),
                thousands(source.blocks.into()),
            ]);
        }
        let mut line_ups = FigureTable::default();
        line_ups.head.extend(["Line-up", "Bots", "What differences between powers mean"].map(str::to_owned));
        for (i, line_up) in source.line_ups.iter().enumerate() {
            line_ups.rows.push(vec![
                i.to_string(),
                together(&line_up.bots),
                line_up.seats.meaning().to_owned(),
            ]);
        }
        let bots =
            self.run.bots.iter().map(|(name, content)| format!("{name} ({content})")).collect::<Vec<_>>();
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
                dt { "Games" } dd { (thousands(self.games())) }
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
        let (id, title) = ("played".to_owned(), "What was played".to_owned());
        PageSection { id, title, text, figures: Vec::new(), fold: Fold::Open }
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
        let figures: Vec<Figure> = rankings
            .map(|of| match self.run.source.line_ups.len() {
                1 => fairness::ranking_figure("ranking".to_owned(), "", self.balance, of),
                _ => {
                    let name = format!(", {}", self.balance.line_up_label(of.line_up));
                    fairness::ranking_figure(
                        format!("ranking-lineup-{}", of.line_up),
                        &name,
                        self.balance,
                        of,
                    )
                }
            })
            .collect();
        let title = "Which arm is fairest?".to_owned();
        let text = html! { @for figure in &figures { (table(&figure.table, &figure.title)) } };
        (!figures.is_empty()).then(|| PageSection {
            id: "ranked".to_owned(),
            title,
            text,
            figures,
            fold: Fold::Open,
        })
    }

    /// What a page of one cell begins with: the scores of its powers. Of several it is how far each is from equal shares.
    fn answers(&self) -> PageSection {
        let verdicts = verdicts(self.balance, |arm, line_up| self.name(arm, line_up));
        let text = html! {
            @for warning in &self.balance.run.warnings { p { strong { (warning) "." } } }
            ul.verdict { @for of in &verdicts { li { strong { (of.about) "." } " " (of.text) } } }
        };
        let cells: Vec<(String, &CellBalance)> = self.named();
        let figure = match self.balance.cells.as_slice() {
            [cell] => fairness::rates_figure(
                format!("rates-{}", self.key(&cell.arm, cell.line_up)),
                cell,
                self.names(),
            ),
            _ => fairness::distances("distances".to_owned(), &cells),
        };
        let (id, title) = ("answers".to_owned(), "Is it fair?".to_owned());
        PageSection { id, title, text, figures: vec![figure], fold: Fold::Open }
    }

    /// The cells with their names.
    fn named(&self) -> Vec<(String, &CellBalance)> {
        self.balance.cells.iter().map(|cell| (self.name(&cell.arm, cell.line_up), cell)).collect()
    }

    fn beside(&self) -> PageSection {
        let cells = self.named();
        let mut figures = Vec::new();
        for part in
            cells.chunks(BESIDE).enumerate().map(|(i, part)| centres::beside(numbered("beside", i), part))
        {
            figures.push(part);
        }
        figures.extend(
            cells.chunks(BESIDE).enumerate().map(|(i, part)| play::course(numbered("course", i), part)),
        );
        figures.extend(self.balance.arms.iter().chain(&self.balance.line_ups).map(|of| self.difference(of)));
        let text = html! {};
        PageSection {
            id: "beside".to_owned(),
            title: "Side by side".to_owned(),
            text,
            figures,
            fold: Fold::Open,
        }
    }

    fn difference(&self, of: &Comparison) -> Figure {
        let names = [self.name(&of.arm, of.line_up), self.name(&of.against, of.against_line_up)];
        let keys = [self.key(&of.arm, of.line_up), self.key(&of.against, of.against_line_up)];
        fairness::differences_figure(
            format!("difference-{}-{}", keys[0], keys[1]),
            of,
            [&names[0], &names[1]],
            self.names(),
        )
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
        let mut figures = vec![centres::figure(format!("centres-{key}"), cell, self.names())];
        figures.push(match self.balance.cells.len() {
            1 => fairness::distances("distances".to_owned(), &self.named()),
            _ => fairness::rates_figure(format!("rates-{key}"), cell, self.names()),
        });
        figures.push(fairness::pairs(format!("pairs-{key}"), cell, self.names()));
        figures.extend([
            play::orders(format!("orders-{key}"), cell, self.names()),
            play::captures(format!("captures-{key}"), cell),
        ]);
        figures.extend(play::effects_figure(format!("effects-{key}"), cell, self.names()));
        figures.extend(maps::map_figure(format!("map-{key}"), tally));
        figures.extend(maps::homes_figure(format!("homes-{key}"), self.names(), tally));
        figures.extend(maps::board_figures(&key, tally, board, scales));
        PageSection {
            id: format!("cell-{key}"),
            title: self.name(&cell.arm, cell.line_up),
            text: facts(cell),
            figures,
            fold: Fold::Folded,
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
            0 => "Who is stronger?".to_owned(),
            _ => format!("On {}", of.title),
        };
        let fold = if i == 0 { Fold::Open } else { Fold::Folded };
        PageSection { id: format!("rated-{id}"), title, text, figures, fold }
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
             The report says that bots agree only where two one-sided tests show that the shares of every power differ by less than a margin." }
    };
    let (id, title) = ("methods".to_owned(), "How it is reckoned".to_owned());
    PageSection { id, title, text, figures: Vec::new(), fold: Fold::Open }
}

// The answers in words: is a cell fair, which powers does it favour, and which arms differ?

/// A statement about a cell, or about two cells compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CellVerdict {
    /// Its subject.
    pub about: String,
    /// A sentence or two.
    pub text: String,
}

/// About the fairness of a cell.
pub(crate) fn fairness(cell: &CellBalance) -> String {
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
                "Too few blocks ({}) for a verdict on fairness; {FEWEST_BLOCKS} are the least.",
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
        // Where games end alike, the powers hardly can differ, and a small distance says nothing of them.
        let small = corrected
            .filter(|_| cell.ended_alike().is_none())
            .and_then(|corrected| corrected.interval)
            // A bound at the end of what is possible says nothing.
            .filter(|of| of.high > 0.0 && of.high < most_distance(cell.powers.len()))
            .map(|of| match of.high < 0.001 {
                true => " The distance from equal shares is unlikely to exceed 0.001.".to_owned(),
                false => format!(" The distance from equal shares is unlikely to exceed {:.3}.", of.high),
            });
        let small = match cell.ended_alike() {
            Some((end, share)) => Some(format!(
                " This is not evidence of fairness: {:.1}\u{a0}% of the games ended alike ({}).",
                100.0 * share,
                end.name()
            )),
            None => small,
        };
        return format!(
            "No difference between the {} {whose} is shown ({}, {}).{}",
            numeral(cell.powers.len()),
            match omnibus.method {
                Method::AllEqual => "alike in every block".to_owned(),
                Method::Hotelling | Method::Permutation => p(omnibus.p),
            },
            count(cell.blocks, "block"),
            small.unwrap_or_default()
        );
    }
    let apart = |above: bool| -> Vec<String> {
        let mut powers: Vec<(&String, f64)> = fairness
            .apart(above)
            .filter_map(|power| Some((power, cell.powers[power].score?.estimate)))
            .collect();
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
        (true, true) => " It is not shown which of them differs from the rest.".to_owned(),
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
pub(crate) fn comparison(of: &Comparison) -> String {
    let mut found = Vec::new();
    for measure in &of.measures {
        found.extend(sure(measure));
    }
    let mut text = match found.is_empty() {
        true => "No power is shown to score differently.".to_owned(),
        false => format!("Sure differences in {}.", found.join("; in ")),
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
    let mut found: Vec<(&String, &Difference)> = of
        .powers
        .iter()
        .filter_map(|(power, difference)| Some((power, difference.as_ref()?)))
        .filter(|(_, difference)| difference.p_holm.is_some_and(|p| p < LEVEL))
        .collect();
    found.sort_by(|a, b| b.1.difference.estimate.abs().total_cmp(&a.1.difference.estimate.abs()));
    let words = |(power, of): &(&String, &Difference)| {
        format!("{power} {}", signed(&difference(of.difference, factor, if factor > 1.0 { 1 } else { 2 })))
    };
    (!found.is_empty()).then(|| {
        format!("{} ({unit}): {}", of.measure.name(), list(&found.iter().map(words).collect::<Vec<_>>()))
    })
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

/// All statements about a run. `name` gives the name of a cell by arm and line-up.
fn verdicts(balance: &Balance, name: impl Fn(&str, usize) -> String) -> Vec<CellVerdict> {
    let bots = balance
        .agreement
        .iter()
        .map(|of| CellVerdict { about: balance.label(&of.arm).to_owned(), text: agreement(of) });
    let cells = balance
        .cells
        .iter()
        .map(|cell| CellVerdict { about: name(&cell.arm, cell.line_up), text: fairness(cell) });
    let pairs = balance.arms.iter().chain(&balance.line_ups).map(|of| {
        let (one, other) = (name(&of.arm, of.line_up), name(&of.against, of.against_line_up));
        CellVerdict { about: format!("{one} beside {other}"), text: comparison(of) }
    });
    // Effects of the choice of bots come first.
    bots.chain(cells).chain(pairs).collect()
}
