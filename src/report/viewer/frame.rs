//! One step of the page: a board, its tables, and a line of text.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::arrows::arrows;
use super::centres::moment;
use super::outlines::outlines;
use super::sheet::Sheet;
use super::stands::Stands;
use upheaval_engine::ask::Retreating;
use upheaval_engine::game::Game;
use upheaval_engine::rules::position::Phase;
use upheaval_harness::game_record::{GameRecord, OrderLine, StageRecord};
use upheaval_map::ids::{PowerInfo, PowerNames};
use upheaval_picture::{Highlight, Layout, Style, Timing, svg};

/// A step of the page.
pub(super) struct Frame {
    /// Its name in links.
    pub id: String,
    /// `Spring 1902, movement`
    pub heading: String,
    /// Its line of text.
    pub said: String,
    /// The lines of its board.
    pub board: String,
    /// Its tables.
    pub tables: Markup,
    /// Its time, in years.
    pub moment: f64,
    /// The year as text.
    pub year: String,
}

/// The subject of a frame: the game before a stage, or at the end.
pub(super) struct Scene<'a> {
    /// The game record.
    pub game_record: &'a GameRecord,
    /// The number of stages before it.
    pub behind: usize,
    /// The state of the game.
    pub game: &'a Game,
    /// Its board.
    pub layout: &'a Layout,
}

impl Frame {
    /// The frame of this name; the ids of its board begin with the prefix.
    pub(super) fn of(scene: &Scene<'_>, id: String, prefix: &str, sheet: &mut Sheet) -> Frame {
        let stage = scene.stage();
        let heading = scene.heading();
        Frame {
            board: sheet.add(&scene.board(prefix)),
            said: scene.said(&scene.highlights()),
            tables: scene.tables(),
            moment: stage.map_or(f64::MAX, |stage| moment(&stage.phase)),
            year: scene.phase().get(1..5).unwrap_or_default().to_owned(),
            heading,
            id,
        }
    }
}

/// A power's name with its colour and letter.
pub(super) fn named(power: &PowerInfo) -> Markup {
    html! { span class=(format!("power {}", power.name)) aria-hidden="true" { (power.mark) } " " (power.proper_name) }
}

/// The same for the power of this name; any other word is unchanged.
fn named_by(name: &str, powers: &PowerNames) -> Markup {
    powers.described(name).map_or_else(|| html! { (name) }, named)
}

impl Scene<'_> {
    /// The stage that the game waits for; `None` at the end.
    pub(super) fn stage(&self) -> Option<&StageRecord> {
        self.game_record.stages.get(self.behind)
    }

    /// The board as SVG, with this prefix of ids.
    pub(super) fn board(&self, prefix: &str) -> String {
        let (chart, stage) = (self.game.terrain().chart(), self.stage());
        let game = &self.game_record.game;
        let stands = Stands::of(self.game, self.layout);
        let style = Style {
            title: format!("Board of {}/{}: {}", game.variant, game.game, self.heading()),
            prefix: prefix.to_owned(),
            owners: Some(self.game.world().position.owners()),
            units: stands.pieces(),
            orders: stage.map(|stage| arrows(stage, &stands, self.game.terrain())).unwrap_or_default(),
            highlights: self.highlights(),
            ..Style::default()
        };
        svg::board(self.layout, chart, &style)
    }

    fn phase(&self) -> &str {
        self.stage().map_or(&self.game_record.end.phase, |stage| &stage.phase)
    }

    /// `Spring 1902, movement`
    pub(super) fn heading(&self) -> String {
        match (self.stage(), self.phase().parse::<Phase>()) {
            (Some(stage), _) => stage.heading(),
            (None, Ok(phase)) => format!("The end, {} {}", phase.season.name(), phase.year),
            (None, Err(_)) => "The end".to_owned(),
        }
    }

    /// Past and coming changes of the map.
    fn highlights(&self) -> Vec<Highlight> {
        let map = self.game.terrain().chart().map();
        let before = self.behind.checked_sub(1).and_then(|before| self.game_record.stages.get(before));
        let past = before.map(|stage| outlines(stage, &self.game_record.power_names, map, Timing::Past));
        let coming =
            self.stage().map(|stage| outlines(stage, &self.game_record.power_names, map, Timing::Coming));
        [past, coming].into_iter().flatten().flatten().collect()
    }

    /// The line of text.
    fn said(&self, highlights: &[Highlight]) -> String {
        let Some(stage) = self.stage() else {
            // A sentence of its own.
            let outcome = self.game_record.outcome();
            let (first, rest) = outcome.split_at(outcome.chars().next().map_or(0, char::len_utf8));
            return format!("{}{rest}.", first.to_uppercase());
        };
        let count = |is: fn(&OrderLine) -> bool| stage.orders.iter().filter(|line| is(line)).count();
        let (lists, refused) = (count(OrderLine::is_spare), count(OrderLine::was_refused));
        let failed = count(|line| !line.succeeded()) - lists - refused;
        let mut said = match (stage.orders.len() - lists - refused, failed) {
            (0, _) if stage.stage == "coasts" => "Coasts are chosen.".to_owned(),
            (0, _) => "Nothing is ordered.".to_owned(),
            (1, 0) => "One order, which succeeds.".to_owned(),
            (1, _) => "One order, which fails.".to_owned(),
            (orders, 0) => format!("{orders} orders, all of which succeed."),
            (orders, failed) => format!("{orders} orders, {failed} of which fail."),
        };
        match refused {
            0 => {}
            1 => said += " One order is refused.",
            refused => said += &format!(" {refused} orders are refused."),
        }
        match lists {
            0 => {}
            1 => said += " One list of retreats is not needed.",
            lists => said += &format!(" {lists} lists of retreats are not needed."),
        }
        for (timing, begin) in [(Timing::Past, " Just now: "), (Timing::Coming, " Then: ")] {
            let told = highlights.iter().filter(|highlight| highlight.timing == timing);
            let mut titles: Vec<&str> = told.map(|highlight| &*highlight.title).collect();
            titles.dedup();
            if !titles.is_empty() {
                said += &format!("{begin}{}.", titles.join("; "));
            }
        }
        said
    }

    /// Why a power takes no part in the game at this point, if it does not.
    fn standing(&self, power: &str) -> Option<Gone> {
        let end = &self.game_record.end;
        if self.stage().is_none() && end.forfeited.iter().any(|name| name == power) {
            return Some(Gone::Forfeited);
        }
        let has_any = |stage: &StageRecord| {
            let has = |of: &BTreeMap<String, Vec<String>>| of.get(power).is_some_and(|all| !all.is_empty());
            let waits = stage.dislodged.iter().any(|unit| unit.power == power);
            has(&stage.units) || has(&stage.centres) || waits
        };
        let at_the_end = || StageRecord {
            units: end.units.clone(),
            centres: end.centres.clone(),
            ..StageRecord::default()
        };
        match self.stage() {
            Some(stage) if has_any(stage) => None,
            None if has_any(&at_the_end()) => None,
            _ if self.game_record.stages.iter().take(self.behind).any(has_any) => Some(Gone::Eliminated),
            _ => Some(Gone::Absent),
        }
    }

    fn tables(&self) -> Markup {
        let (units, centres) = match self.stage() {
            Some(stage) => (&stage.units, &stage.centres),
            None => (&self.game_record.end.units, &self.game_record.end.centres),
        };
        let waiting = |power: &str| {
            let dislodged = self.stage().into_iter().flat_map(|stage| &stage.dislodged);
            dislodged.filter(|unit| unit.power == power).count()
        };
        html! {
            table.powers {
                caption { "Powers" }
                thead { tr { th scope="col" { "Power" } th.words scope="col" { "Bot" } th scope="col" { "Centres" } th scope="col" { "Units" } } }
                tbody {
                    @for power in self.game_record.power_names.infos() { tr {
                        th scope="row" { (named(power)) @if let Some(standing) = self.standing(&power.name) { " " span.standing { (standing.word()) } } }
                        td.words { (self.game_record.game.bots.get(&power.name).map_or("", String::as_str)) }
                        td { (centres.get(&power.name).map_or(0, Vec::len)) }
                        td { (units.get(&power.name).map_or(0, Vec::len) + waiting(&power.name)) }
                    } }
                }
            }
            @if let Some(stage) = self.stage() { (retreats(&stage.dislodged, &self.game_record.power_names)) (orders(stage, &self.game_record.power_names)) (events(stage, &self.game_record.power_names)) }
        }
    }
}

/// Why a power takes no part in the game at this point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Gone {
    /// It has had neither a unit nor a centre since the start.
    Absent,
    /// It has lost all of its units and centres.
    Eliminated,
    /// Its bot was at fault, and by the experiment's policy it has no share in the result.
    Forfeited,
}

impl Gone {
    const fn word(self) -> &'static str {
        match self {
            Gone::Absent => "absent",
            Gone::Eliminated => "eliminated",
            Gone::Forfeited => "forfeited",
        }
    }
}

fn retreats(dislodged: &[Retreating], powers: &PowerNames) -> Markup {
    html! {
        @if !dislodged.is_empty() {
            h3 { "Must retreat" }
            ul {
                @for unit in dislodged { li {
                    (named_by(&unit.power, powers)) ": " (unit.unit)
                    @if unit.options.is_empty() { ", which has nowhere to go" } @else { ", to " (unit.options.join(", ")) }
                } }
            }
        }
    }
}

/// What has become of an order, as the style sheet calls it.
fn class_of(line: &OrderLine) -> &'static str {
    match line {
        line if line.is_spare() => "spare",
        line if line.was_refused() => "refused",
        line if line.succeeded() => "success",
        _ => "failure",
    }
}

/// The orders, by power.
fn orders(stage: &StageRecord, powers: &PowerNames) -> Markup {
    let of = |power| stage.orders.iter().enumerate().filter(move |(_, line)| line.power == power);
    html! {
        @if !stage.orders.is_empty() {
            table.orders {
                caption { "Orders" }
                thead { tr { th scope="col" { "Power" } th.words scope="col" { "Order" } th.words scope="col" { "Result" } } }
                tbody {
                    @for (number, line) in powers.iter().flat_map(of) {
                        @let class = class_of(line);
                        tr class=(class) data-order=(number) data-power=(line.power) {
                            th scope="row" { (named_by(&line.power, powers)) }
                            td.words { (line.order) }
                            td.words { @match (&line.reason, class) {
                                (Some(reason), "refused") => { "refused: " (reason) }
                                (Some(reason), _) => (reason),
                                (None, "success") => "succeeds",
                                (None, "spare") => "not needed",
                                (None, _) => (line.result),
                            } }
                        }
                    }
                }
            }
        }
    }
}

/// The other events.
fn events(stage: &StageRecord, powers: &PowerNames) -> Markup {
    let mut told = stage.untold().peekable();
    html! {
        @if told.peek().is_some() {
            h3 { "What happened" }
            ul.happened { @for event in told { li { (event.display(powers).to_string()) } } }
        }
    }
}
