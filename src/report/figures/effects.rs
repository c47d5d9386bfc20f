//! The effects of events on the powers that they strike.

use crate::chart::scale::rounded;
use crate::chart::{Figure, FigureTable, IntervalPanel, IntervalRow, Panel};
use crate::palette::Ink;
use crate::words::{axis, difference, thousands};
use upheaval_analysis::balance::cell::CellBalance;
use upheaval_analysis::balance::effect::{Effect, PowerEffect, Whose};
use upheaval_engine::rules::event::MapChange;
use upheaval_harness::record::EventKind;
use upheaval_map::ids::PowerNames;

/// The effects of a cell; `None` where no power was struck.
pub(crate) fn figure(id: String, cell: &CellBalance, powers: &PowerNames) -> Option<Figure> {
    let first = cell.effects.first()?;
    let head = [
        "Event",
        "Power",
        "Games struck",
        "Games compared",
        "Change",
        "Change in matching games",
        "Effect (95 % interval)",
    ];
    let mut table = FigureTable { head: head.map(str::to_owned).to_vec(), rows: Vec::new() };
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
        Whose::Home => "a home centre of the power",
        Whose::Owner => "a centre that the power owns",
    };
    Some(Figure {
        id,
        title: "What an event costs".to_owned(),
        caption: format!(
            "Centres of a power from the last count before the first event that strikes {whose} to the count {} years \
             after it, minus the change in matching games without such an event. Bars: 95 % intervals by block.",
            first.years
        ),
        panels: cell.effects.iter().filter_map(|effect| panel(effect, powers)).collect(),
        table,
    })
}

fn panel(effect: &Effect, powers: &PowerNames) -> Option<Panel> {
    let mut rows: Vec<IntervalRow> =
        effect.all.effect.map(|of| IntervalRow::of("all powers", Ink::Text, of, 1.0)).into_iter().collect();
    rows.extend(effect.powers.iter().filter_map(|(power, of)| {
        Some(IntervalRow::of(power, Ink::of_power(power, powers), of.effect?, 1.0))
    }));
    if rows.is_empty() {
        return None;
    }
    let values = rounded(rows.iter().flat_map(IntervalRow::ends).chain([0.0]), 4);
    let title = format!("Province {}", verb(effect.event));
    let reference = Some((0.0, "no effect"));
    Some(IntervalPanel { title: &title, unit: "centres", values, reference, digits: 2, rows: &rows }.draw())
}

/// The verb for an event that happens to a province.
fn verb(kind: EventKind) -> &'static str {
    match kind.info().change {
        Some(MapChange::Collapse) => "collapsed",
        Some(MapChange::Void) => "became a void",
        Some(MapChange::Submerge) => "sank",
        Some(MapChange::Restore) => "came back",
        Some(MapChange::Split) => "was split",
        Some(MapChange::Separate) => "lost a border",
        Some(MapChange::Connect) => "got a border",
        Some(MapChange::Open | MapChange::Found) | None => kind.name(),
    }
}
