//! How cells play: their course, the orders that are used, and which power takes centres from which.

use std::sync::Arc;

use crate::chart::scale::rounded;
use crate::chart::{
    AxisLimits, BoardMap, Cell, Figure, FigureTable, HeatCell, HeatPanel, IntervalPanel, IntervalRow, Panel,
};
use crate::palette::Ink;
use crate::tally::Mark;
use crate::words::{axis, difference, maybe, thousands};
use upheaval_analysis::Estimate;
use upheaval_analysis::balance::cell::CellBalance;
use upheaval_analysis::balance::effect::{AttributionRule, Effect, PowerEffect};
use upheaval_analysis::balance::play::{OrderShares, PlayMeasures, PowerPlay};
use upheaval_analysis::futures::PlaceEffect;
use upheaval_engine::rules::variant::Variant;
use upheaval_harness::record::EventKind;
use upheaval_map::ids::{Power, PowerNames};

/// One measure of the course of games: its title, its unit, its value and the digits of it.
type Measure = (&'static str, &'static str, fn(&PlayMeasures) -> Option<Estimate>, usize);

const COURSE: [Measure; 4] = [
    ("Lead changes", "a game", |play| play.lead_changes, 2),
    ("Decided", "game years after the start", |play| play.decided, 2),
    ("Closeness", "second’s centres by first’s", |play| play.closeness, 3),
    ("Drama", "root of the share behind", |play| play.drama, 3),
];

/// The courses of cells side by side.
pub(crate) fn course(id: String, cells: &[(String, &CellBalance)]) -> Figure {
    let mut table = FigureTable::new(["Arm"])
        .and(COURSE.iter().map(|(title, ..)| format!("{title} (95 % interval)")))
        .and(["Decided, % of the game", "Nobody on top, %", "From behind, %"]);
    for (name, cell) in cells {
        let play = &cell.play;
        let mut row = vec![name.clone()];
        row.extend(COURSE.iter().map(|(_, _, value, digits)| maybe(value(play), 1.0, *digits)));
        row.extend([play.decided_share, play.undecided, play.comebacks].map(|of| maybe(of, 100.0, 1)));
        table.rows.push(row);
    }
    let panel = |&(title, unit, value, digits): &Measure| {
        let row = |(place, (name, cell)): (usize, &(String, &CellBalance))| {
            Some(IntervalRow::of(name, Ink::Series(place), value(&cell.play)?, 1.0))
        };
        let rows: Vec<IntervalRow> = cells.iter().enumerate().filter_map(row).collect();
        intervals(title, unit, digits, &rows)
    };
    Figure {
        id,
        title: "The course of games".to_owned(),
        caption: "A power leads if it has more centres than any other at a year’s count. A game is decided when the power \
                  that is on top at its end leads from then on. Closeness: the centres of the second divided by those \
        of the first. Drama: how far behind the power on top was while it was behind. Bars: 95 % intervals by block."
            .to_owned(),
        panels: COURSE.iter().filter_map(panel).collect(),
        table,
    }
}

fn intervals(title: &str, unit: &str, digits: usize, rows: &[IntervalRow]) -> Option<Panel> {
    IntervalPanel { title, unit, limits: AxisLimits::FromZero, reference: None, digits, rows }.draw()
}

/// The orders of the powers of a cell, and how many choices they have.
pub(crate) fn orders(id: String, cell: &CellBalance, powers: &PowerNames) -> Figure {
    let mut table = FigureTable::new(["Power", "Holds, %", "Moves, %", "Supports, %", "Convoys, %"])
        .and(["Of the variant, %", "Choices, log10"]);
    let mut row = |name: &str, of: &OrderShares, choices: Option<Estimate>| {
        let kinds = [of.holds, of.moves, of.supports, of.convoys, of.special];
        let mut row = vec![name.to_owned()];
        row.extend(kinds.map(|of| maybe(of, 100.0, 1)));
        row.push(maybe(choices, 1.0, 2));
        table.rows.push(row);
    };
    let play = &cell.play;
    for (power, of) in &play.powers {
        row(power, &of.orders, of.choices);
    }
    row("all", &play.orders, None);
    let of_powers = |of: &dyn Fn(&PowerPlay) -> Option<Estimate>, factor| {
        let row = |(power, play): (&String, _)| {
            Some(IntervalRow::of(power, Ink::of_power(power, powers), of(play)?, factor))
        };
        play.powers.iter().filter_map(row).collect::<Vec<IntervalRow>>()
    };
    let panels = [
        intervals("Supports", "% of orders", 1, &of_powers(&|play| play.orders.supports, 100.0)),
        intervals("Choices", "log10 of joint legal orders", 2, &of_powers(&|play| play.choices, 1.0)),
    ];
    Figure {
        id,
        title: "Orders of the powers".to_owned(),
        caption: "Shares of the orders in movement phases, and the number of sets of legal orders that a power could have given, \
                  as a logarithm, if the experiment counts them (log.choices). Bars: 95 % intervals by block."
            .to_owned(),
        panels: panels.into_iter().flatten().collect(),
        table,
    }
}

/// Which power takes centres from which.
pub(crate) fn captures(id: String, cell: &CellBalance) -> Figure {
    let names: Vec<String> = cell.powers.keys().cloned().collect();
    let losers: Vec<String> = names.iter().cloned().chain(["nobody".to_owned()]).collect();
    let mut table = FigureTable::new(["Taken by"]).and(losers.iter().map(|name| format!("from {name}")));
    let mut cells = Vec::new();
    for (power, of) in &cell.play.captures {
        let of: Vec<Option<Estimate>> = of.from.values().copied().chain([of.from_nobody]).collect();
        let mut row = vec![power.clone()];
        row.extend(of.iter().map(|of| maybe(*of, 1.0, 2)));
        table.rows.push(row);
        let heat = |(of, loser): (&Option<Estimate>, &String)| {
            let value = (*of)?.estimate;
            let name = format!("{power} from {loser}");
            Some(HeatCell { name, value, words: format!("{value:.2}"), mark: String::new() })
        };
        cells.push(of.iter().zip(&losers).map(heat).collect::<Vec<_>>());
    }
    let panel = HeatPanel {
        title: "Captures",
        unit: "centres a game",
        rows: ("taken by", &names),
        columns: ("from", &losers),
        cells: &cells,
    };
    Figure {
        id,
        title: "Captures by power".to_owned(),
        caption: "Centres per game that the power of the row takes from the power of the column, or that had no owner; a centre \
                  taken twice counts twice. The table has 95 % intervals by block."
            .to_owned(),
        panels: vec![panel.draw()],
        table,
    }
}

// The board coloured by the effect on a power of an event in each province.

/// The board of a variant at its start as SVG, coloured by how many centres a power loses if the event strikes the
/// province; gains are given only in the text of a province.
pub fn effect_board(variant: Arc<Variant>, effects: &[PlaceEffect], power: Power) -> String {
    let info = variant.terrain.power_names().info(power).clone();
    let of = |province: &str| {
        effects.iter().find(|effect| effect.province == province).map(|effect| effect.powers[&info.name])
    };
    let [_, most] = rounded(effects.iter().map(|effect| -effect.powers[&info.name].estimate).chain([0.0]), 4);
    let title = format!("Cost for {}", info.proper_name);
    let panel =
        BoardMap::of(variant).draw(&title, "centres, if the event strikes the province", most, |province| {
            let Some(effect) = of(province) else {
                return Cell { value: 0.0, words: "the event never happens here".to_owned() };
            };
            let bounds =
                effect.interval.map_or(String::new(), |i| format!(" ({:+.2} to {:+.2})", i.low, i.high));
            Cell {
                value: (-effect.estimate).max(0.0),
                words: format!("{:+.2}{bounds} centres", effect.estimate),
            }
        });
    let (id, caption, table) = ("effect".to_owned(), String::new(), FigureTable::default());
    Figure { id, title, caption, panels: vec![panel], table }.file(1)
}

// The effects of events on the powers that they strike.

/// The effects of a cell; `None` where no power was struck.
pub(crate) fn effects_figure(id: String, cell: &CellBalance, powers: &PowerNames) -> Option<Figure> {
    let first = cell.effects.first()?;
    let mut table = FigureTable::new(["Event", "Power", "Games struck", "Games compared", "Change"])
        .and(["Change in matching games", "Effect (95 % interval)"]);
    for effect in &cell.effects {
        let mut row = |name: &str, of: &PowerEffect| {
            let change = |value: Option<f64>| value.map_or("–".to_owned(), |value| axis(value, 2));
            table.rows.push(vec![
                verb(effect.event).to_owned(),
                name.to_owned(),
                thousands(of.struck),
                thousands(of.compared),
                change(of.change),
                change(of.change_without),
                of.effect.map_or("–".to_owned(), |of| difference(of, 1.0, 2)),
            ]);
        };
        row("all", &effect.all);
        effect.powers.iter().for_each(|(power, of)| row(power, of));
    }
    let whose = match first.whose {
        AttributionRule::Home => "a home centre of the power",
        AttributionRule::Owner => "a centre that the power owns",
    };
    Some(Figure {
        id,
        title: "Cost of an event".to_owned(),
        caption: format!(
            "Centres of a power from the last count before the first event that strikes {whose} to the count {} years \
             after it, minus the change in matching games without such an event. Bars: 95 % intervals by block.",
            first.years
        ),
        panels: cell.effects.iter().filter_map(|effect| effect_panel(effect, powers)).collect(),
        table,
    })
}

fn effect_panel(effect: &Effect, powers: &PowerNames) -> Option<Panel> {
    let mut rows: Vec<IntervalRow> =
        effect.all.effect.map(|of| IntervalRow::of("all powers", Ink::Text, of, 1.0)).into_iter().collect();
    rows.extend(effect.powers.iter().filter_map(|(power, of)| {
        Some(IntervalRow::of(power, Ink::of_power(power, powers), of.effect?, 1.0))
    }));
    let (title, unit) = (&format!("Province {}", verb(effect.event)), "centres");
    let (limits, reference) = (AxisLimits::WithZero, Some((0.0, "no effect")));
    IntervalPanel { title, unit, limits, reference, digits: 2, rows: &rows }.draw()
}

/// The verb for an event that happens to a province.
fn verb(kind: EventKind) -> &'static str {
    Mark::of(kind).map_or(kind.name(), |mark| mark.info().verb)
}
