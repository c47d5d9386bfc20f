//! Reversible black holes (Double Reversible, rules.md 4.8): faces drawn at random become holes or, if they
//! are holes, are restored.
//!
//! ```text
//!  A PAR - BUR ─┐                  a hole opens in BUR           BUR is restored, years later
//!  A MUN - BUR ─┤  movement,       swallowed: A PAR, A MUN       one unit: it is back in BUR
//!  A BUR H ─────┘  as usual        (ordered into it), A BUR      several: all of them retreat
//! ```
//!
//! Faces toggle before the retreats, which use the new map.

use serde::{Deserialize, Serialize};

use super::draw::{self, Closure, Faces, Seasons};
use crate::rules::event::{AccountEntry, Event, EventColumn, EventInfo, EventKind};
use crate::rules::game_state::{EventContext, GameState, Swallowed};
use crate::rules::map_tables::MapTables;
use crate::rules::mechanism::section::{Act, Context, Key, MechanismSection, Movement};
use crate::rules::nature::Draw;
use crate::rules::order::Order;
use crate::rules::position::{Cargo, Dislodged, Unit};
use upheaval_map::ids::{Location, ProvinceId, ProvinceSet, UnitKind};
use upheaval_map::topology::CoastFate;

/// The mechanism's parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Toggles {
    /// The number of faces per season, 1 to 10.
    pub per_season: u8,
    /// Whether neighbours meet across the holes.
    pub closure: Closure,
    /// The seasons in which faces toggle.
    pub seasons: Seasons,
    /// The faces that may toggle.
    pub faces: Faces,
}

impl MechanismSection for Toggles {
    type Form = Toggles;

    const KEYS: &'static [Key] = &[
        Key::new("toggles.per_season", draw::COUNT, "the number of faces that toggle each season"),
        Key::new("toggles.closure", draw::CLOSURE, "whether the neighbours of a hole meet across it"),
        Key::new("toggles.seasons", draw::SEASONS, "the seasons in which they toggle"),
        Key::new("toggles.faces", draw::FACES, "the faces that may toggle"),
    ];

    const EVENTS: &'static [EventInfo] = &[
        EventInfo::new(
            EventKind::Swallowed,
            "the `unit` vanished with `province`; `detail`: the place from which it was entering, null if it was there",
            "{unit}, entering from {detail}, is gone with the hole",
        )
        .without(EventColumn::Detail, "{unit} is gone with the hole")
        .counts(AccountEntry::Lost),
        EventInfo::new(
            EventKind::UnitReturned,
            "the `unit` of `power` came back with `province`",
            "{unit} comes back",
        )
        .counts(AccountEntry::Gained),
    ];

    fn check(toggles: Toggles, context: &Context<'_>, _: &MapTables) -> Option<Toggles> {
        if context.has("holes") || context.has("splits") {
            context.fault("[toggles] cannot be combined with [holes] or [splits]; remove one of them");
        }
        draw::check_count(context, "per_season", toggles.per_season);
        draw::check_faces(context, toggles.faces, Some(toggles.closure));
        Some(toggles)
    }
}

impl Toggles {
    /// The faces that may be drawn, whether open or holes (rules.md 4.1).
    pub fn eligible(&self, world: &GameState) -> ProvinceSet {
        self.faces.all(&world.terrain) - world.exempt_centres()
    }
}

impl Act for Toggles {
    /// Draws the faces and toggles them (Double Reversible rules 3 and 4).
    fn before_retreats(&self, world: &mut GameState, scene: &mut EventContext<'_>, movement: Movement<'_>) {
        world.fresh_holes = ProvinceSet::EMPTY;
        if !self.seasons.includes(scene.at.season) {
            return;
        }
        let eligible = self.eligible(world);
        let drawn =
            scene.nature.faces(scene.at, Draw::Holes, &world.terrain, &eligible, self.per_season.into());
        let drawn = drawn.into_iter().collect::<ProvinceSet>() & eligible;
        let closing = drawn & world.terrain.chart().map().holes();
        let opening = drawn - closing;
        if drawn.is_empty() {
            return;
        }
        for hole in opening {
            world.tell(scene, &Event::HoleDrawn(hole));
        }
        swallow(world, scene, opening, movement);
        let changed = world.change_map(scene, |chart| {
            opening.iter().try_for_each(|face| self.closure.open(chart, face))?;
            closing.iter().try_for_each(|face| chart.restore(face))
        });
        if changed.is_err() {
            return; // an impassable face that cannot be void: the variant file is rejected
        }
        world.fresh_holes = opening;
        for hole in opening {
            world.tell(scene, &self.closure.event(hole));
        }
        for face in closing {
            world.tell(scene, &Event::Restored(face));
            world.last_owner[face] = None; // it is restored without an owner, whoever had it before
            bring_back(world, scene, face);
        }
        world.retreats.sort_by_province();
    }
}

/// Removes the units that are where a hole opens, and those that were ordered to move there, whether or not
/// they got in or were meanwhile dislodged elsewhere (Double Reversible rule 4). Units that were dislodged
/// from there retreat as usual.
fn swallow(
    world: &mut GameState,
    scene: &mut EventContext<'_>,
    opening: ProvinceSet,
    movement: Movement<'_>,
) {
    for at in opening & *world.position.occupied() {
        if let Some(unit) = world.position.take(at) {
            put_away(world, scene, Location { province: at, coast: unit.coast }, None, unit);
        }
    }
    // A unit that stayed is where it was, or waits there for its retreat.
    let waiting = world.retreats.dislodged.iter().map(|dislodged| dislodged.at).collect::<ProvinceSet>();
    for from in *world.position.occupied() | waiting {
        let Order::Move { to, .. } = movement.orders[from] else { continue };
        let stayed = movement.resolution.outcome(from).is_some() && !movement.resolution.moved(from);
        if !opening.contains(to.province) || !stayed {
            continue;
        }
        let dislodged = &mut world.retreats.dislodged;
        let unit = match dislodged.iter().position(|unit| unit.at == from) {
            Some(i) => Some(dislodged.remove(i).unit),
            None => world.position.take(from),
        };
        if let Some(unit) = unit {
            put_away(world, scene, to, Some(from), Unit { coast: to.coast, ..unit });
        }
    }
    for (fleet, to) in movement.resolution.stayed_aboard().filter(|(_, to)| opening.contains(*to)) {
        // Its fleet did not move: only the army tried to enter.
        let at = match movement.orders[fleet] {
            Order::Move { to, .. } if movement.resolution.moved(fleet) => to.province,
            _ => fleet,
        };
        let dislodged = world.retreats.dislodged.iter_mut().find(|unit| unit.at == at);
        let power = match dislodged {
            Some(unit) => {
                unit.unit.cargo = Cargo::Nothing;
                unit.unit.power
            }
            None => {
                let Some(unit) = world.position.unit(at) else { continue };
                world.position.set_cargo(at, Cargo::Nothing);
                unit.power
            }
        };
        put_away(world, scene, to.into(), None, Unit::army(power));
    }
    // The same set of vanished units is the same state, in whatever order they vanished.
    world.swallowed.sort_by_key(|gone| (gone.hole, gone.unit.power, gone.unit.kind, gone.unit.coast));
}

fn put_away(
    world: &mut GameState,
    scene: &mut EventContext<'_>,
    at: Location,
    entering_from: Option<ProvinceId>,
    unit: Unit,
) {
    let coast = match unit.kind {
        UnitKind::Army => Vec::new(),
        UnitKind::Fleet => world.terrain.chart().coast_borders(world.terrain.board(), at),
    };
    world.swallowed.push(Swallowed { hole: at.province, unit, coast });
    world.tell(scene, &Event::Swallowed { face: at.province, entering_from, unit });
}

/// Restores the units that vanished with a face: a single one is back in it, several must all retreat (Double
/// Reversible rule 4).
fn bring_back(world: &mut GameState, scene: &mut EventContext<'_>, face: ProvinceId) {
    let all = std::mem::take(&mut world.swallowed);
    let (back, still_gone): (Vec<_>, Vec<_>) = all.into_iter().partition(|gone| gone.hole == face);
    world.swallowed = still_gone;
    let terrain = std::sync::Arc::clone(&world.terrain);
    let fate = |gone: &Swallowed| match gone.unit.kind {
        UnitKind::Army => CoastFate::Stays(gone.unit.coast),
        UnitKind::Fleet => terrain.chart().coast_returned(terrain.board(), face, &gone.coast),
    };
    match &back[..] {
        [only] => {
            world.tell(scene, &Event::UnitReturned(face, only.unit));
            world.put_unit(scene, face, only.unit, fate(only));
        }
        several => {
            for gone in several {
                world.tell(scene, &Event::UnitReturned(face, gone.unit));
                let i = world.retreats.dislodged.len();
                world.retreats.dislodged.push(Dislodged {
                    unit: gone.unit,
                    at: face,
                    attacker: None,
                    attacker_convoyed: false,
                });
                world.wait_on(i, terrain.board(), fate(gone));
                world.tell(scene, &Event::Dislodged(world.retreats.dislodged[i]));
            }
        }
    }
}
