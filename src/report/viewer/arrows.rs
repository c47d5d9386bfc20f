//! The orders of a stage in the form in which they are drawn.

use super::stands::{Stands, going};
use upheaval_engine::rules::event::EventKind;
use upheaval_engine::rules::notation::{WrittenList, WrittenOrder, WrittenSeismic, WrittenUnit};
use upheaval_engine::rules::terrain::Terrain;
use upheaval_harness::game_record::{OrderLine, StageRecord};
use upheaval_picture::{DrawnAct, DrawnOrder, DrawnOutcome};

/// All orders of a stage that are visible on the board before it.
pub(super) fn arrows(stage: &StageRecord, stands: &Stands<'_>, terrain: &Terrain) -> Vec<DrawnOrder> {
    let drawn = |(number, line): (usize, &OrderLine)| {
        // A refused order had no effect on the unit, which got another one. A list that is not needed does not move
        // anything.
        let is_seen = !line.was_refused() && !line.is_spare();
        let act = act(stage, line, stands, terrain).filter(|_| is_seen)?;
        let outcome = if line.succeeded() { DrawnOutcome::Success } else { DrawnOutcome::Failure };
        let power = terrain.power_names().find(&line.power)?;
        let title = format!("{}: {line}", terrain.power_names().info(power).proper_name);
        Some(DrawnOrder { act, power, outcome, title, number })
    };
    let mut orders: Vec<DrawnOrder> = stage.orders.iter().enumerate().filter_map(drawn).collect();
    let given = orders.clone();
    for order in &mut orders {
        meet(&mut order.act, &given);
        // Two powers may give the same seismic order: pointing at it shows both.
        let others = given.iter().filter(|other| other.act == order.act && other.number != order.number);
        let same: Vec<&str> = others.map(|other| &*other.title).collect();
        if !same.is_empty() {
            order.title += &format!("; {}", same.join("; "));
        }
    }
    orders
}

/// A support does not name a coast: its line goes to the arrow of the supported order, if there is one.
fn meet(support: &mut DrawnAct, given: &[DrawnOrder]) {
    let DrawnAct::SupportMove { supported, to, .. } = support else { return };
    for order in given {
        if let DrawnAct::Move { unit, to: there } = order.act
            && unit == *supported
            && there.at.province == to.at.province
        {
            *to = there;
        }
    }
}

/// Where a unit that is dislodged in this movement retreats to at once, by its list or without one (rules.md 4.12);
/// `None` if it leaves the board.
fn prophetic_retreat(
    stage: &StageRecord,
    line: &OrderLine,
    stands: &Stands<'_>,
    terrain: &Terrain,
) -> Option<DrawnAct> {
    let words: Vec<&str> = line.order.split(' ').take(2).collect();
    let text = words.join(" ");
    let unit = WrittenUnit::parse(&text, terrain.names()).ok()?;
    let province = terrain.names().province(unit.place.province);
    let went = stage.events.iter().find(|event| {
        let is_of_unit =
            event.power.as_ref() == Some(&line.power) && event.province.as_deref() == Some(province);
        is_of_unit && event.kind() == Some(EventKind::Retreated)
    });
    let to = went.and_then(|event| event.detail.as_deref());
    let order = to.and_then(|to| WrittenOrder::parse(&format!("{text} R {to}"), terrain.names()).ok());
    let unit = stands.unit(unit);
    Some(match order {
        Some(WrittenOrder::Retreat { unit: written, to }) => {
            DrawnAct::Move { unit, to: going(written.kind, to) }
        }
        _ => DrawnAct::Disband { unit },
    })
}

fn act(stage: &StageRecord, line: &OrderLine, stands: &Stands<'_>, terrain: &Terrain) -> Option<DrawnAct> {
    if stage.stage == "movement" && (WrittenList::is_one(&line.order) || line.disbands()) {
        return prophetic_retreat(stage, line, stands, terrain);
    }
    if WrittenSeismic::is_one(&line.order) {
        let map = terrain.chart().map();
        let touched = WrittenSeismic::parse(&line.order).ok()?.resolve(map).ok()?.quake.touched(map);
        return Some(DrawnAct::Quake { apart: touched.apart, together: touched.together });
    }
    let stand = |unit| stands.unit(unit);
    Some(match WrittenOrder::parse(&line.order, terrain.names()).ok()? {
        WrittenOrder::Hold { unit } => DrawnAct::Hold { unit: stand(unit) },
        WrittenOrder::Move { unit, to, .. }
        | WrittenOrder::Disembark { unit, to }
        | WrittenOrder::Retreat { unit, to } => {
            DrawnAct::Move { unit: stand(unit), to: going(unit.kind, to) }
        }
        WrittenOrder::Embark { unit, fleet } => DrawnAct::Move { unit: stand(unit), to: stand(fleet) },
        WrittenOrder::SupportHold { unit, supported } => {
            DrawnAct::SupportHold { unit: stand(unit), supported: stand(supported) }
        }
        WrittenOrder::SupportMove { unit, supported, to }
        | WrittenOrder::SupportLanding { unit, supported, to } => {
            let to = going(supported.kind, to);
            DrawnAct::SupportMove { unit: stand(unit), supported: stand(supported), to }
        }
        WrittenOrder::Convoy { unit, army, to } => {
            DrawnAct::Convoy { unit: stand(unit), army: stand(army), to: going(army.kind, to) }
        }
        WrittenOrder::Transform { unit, .. } | WrittenOrder::ChooseCoast { unit, .. } => {
            DrawnAct::Change { unit: stand(unit) }
        }
        WrittenOrder::Disband { unit } => DrawnAct::Disband { unit: stand(unit) },
        WrittenOrder::Build { unit } => DrawnAct::Build { unit: going(unit.kind, unit.place) },
        WrittenOrder::Waive | WrittenOrder::Exempt { .. } | WrittenOrder::Announce => return None,
    })
}
