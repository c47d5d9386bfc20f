//! The orders of a stage as they are drawn.

use crate::chronicle::{OrderLine, StageRecord};
use crate::game::Game;
use crate::ids::{CoastId, Designation, Location};
use crate::picture::{Act, Drawn, Footing, Outcome, Stand};
use crate::rules::notation::{WrittenOrder, WrittenPlace, WrittenSeismic, WrittenUnit};

/// All orders of a stage that are seen on the board before it.
pub(super) fn arrows(stage: &StageRecord, game: &Game) -> Vec<Drawn> {
    let drawn = |(number, line): (usize, &OrderLine)| {
        // What was refused was never an order to the unit: it got another.
        let act = act(line, game).filter(|_| !line.was_refused())?;
        let outcome = if line.result == "ok" { Outcome::Success } else { Outcome::Failure };
        let title = format!("{}: {line}", line.power.proper_name());
        Some(Drawn { act, power: line.power, outcome, title, number })
    };
    stage.orders.iter().enumerate().filter_map(drawn).collect()
}

fn act(line: &OrderLine, game: &Game) -> Option<Act> {
    let terrain = game.terrain();
    if WrittenSeismic::is_one(&line.order) {
        let map = terrain.chart().map();
        let touched = WrittenSeismic::parse(&line.order).ok()?.resolve(map).ok()?.quake.touched(map);
        return Some(Act::Quake { apart: touched.apart, together: touched.together });
    }
    let unit = |unit: WrittenUnit| stand(unit, game);
    Some(match WrittenOrder::parse(&line.order, terrain.names()).ok()? {
        WrittenOrder::Hold { unit: of } => Act::Hold { unit: unit(of) },
        WrittenOrder::Move { unit: of, to, .. }
        | WrittenOrder::Disembark { unit: of, to }
        | WrittenOrder::Retreat { unit: of, to } => Act::Move { unit: unit(of), to: going(of.kind, to) },
        WrittenOrder::Embark { unit: of, fleet } => Act::Move { unit: unit(of), to: unit(fleet) },
        WrittenOrder::SupportHold { unit: of, supported } => {
            Act::SupportHold { unit: unit(of), supported: unit(supported) }
        }
        WrittenOrder::SupportMove { unit: of, supported, to }
        | WrittenOrder::SupportLanding { unit: of, supported, to } => {
            Act::SupportMove { unit: unit(of), supported: unit(supported), to: going(supported.kind, to) }
        }
        WrittenOrder::Convoy { unit: of, army, to } => {
            Act::Convoy { unit: unit(of), army: unit(army), to: going(army.kind, to) }
        }
        WrittenOrder::Transform { unit: of, .. } | WrittenOrder::ChooseCoast { unit: of, .. } => {
            Act::Change { unit: unit(of) }
        }
        WrittenOrder::Disband { unit: of } => Act::Disband { unit: unit(of) },
        WrittenOrder::Build { unit: of } => Act::Build { unit: going(of.kind, of.place) },
        WrittenOrder::Waive | WrittenOrder::Exempt { .. } | WrittenOrder::Announce => return None,
    })
}

/// Where a unit would stand.
fn going(kind: Designation, to: WrittenPlace) -> Stand {
    Stand::firm(kind, Location { province: to.province, coast: to.coast.unwrap_or(CoastId::FIRST) })
}

/// Where a unit stands: who must retreat stands aside.
fn stand(unit: WrittenUnit, game: &Game) -> Stand {
    let (waiting, at) = (game.dislodged(), unit.place.province);
    let is_it = |i: &usize| {
        let dislodged = &waiting.dislodged[*i];
        dislodged.at == at && dislodged.unit.designation() == unit.kind && waiting.ordinal(*i) == unit.ordinal
    };
    if let Some(i) = (0..waiting.dislodged.len()).find(is_it) {
        let at = Location { province: at, coast: waiting.dislodged[i].unit.coast };
        return Stand { kind: unit.kind, at, footing: Footing::Dislodged(unit.ordinal) };
    }
    match game.world().position.location(at) {
        Some(at) => Stand::firm(unit.kind, at),
        None => going(unit.kind, unit.place),
    }
}
