//! What a change of places means for units, coasts and centres beyond
//! [`GameState::change_map`]: units that vanish with a place and come back with it, the halves of a split province, and
//! the owners of new centres and of those that come back.
//!
//! ```text
//!  A PAR - BUR ─┐                  a hole opens in BUR           BUR is restored, years later
//!  A MUN - BUR ─┤  movement,       swallowed: A PAR, A MUN       one unit: it is back in BUR
//!  A BUR H ─────┘  as usual        (ordered into it), A BUR      several: all of them retreat
//!
//!      PAR ♠K                    PAR
//!  ╭────┬─────╮             ╭────┬────────╮      A card for each bordering territory; the two highest are the
//!  │  A BUR   │             │A    ╲   A   │      ends, here Paris and Munich. The unit stays in one half, drawn
//!  │          │ BEL ♣4  →   │BUR.1 ╲ BUR.2│      by lot; in the other a new one of its power appears.
//!  ╰──────┬───╯             ╰───────┴─────╯
//!       MUN ♥Q                     MUN
//! ```

use std::sync::Arc;

use upheaval_map::ids::{CoastId, Location, Power, ProvinceId, ProvinceSet, UnitKind};
use upheaval_map::topology::{CoastFate, HalfEdgeId};

use super::foretold::Coming;
use super::list::Changes;
use super::manner::{Homes, Manner};
use super::passing::Passing;
use super::words::{Entering, Fate, HomeRule, OwnerRule, Point, Stranded};
use crate::rules::event::{Event, Founding};
use crate::rules::game_state::{EventContext, Fates, GameState, Swallowed};
use crate::rules::movement::Resolution;
use crate::rules::order::{Order, Orders};
use crate::rules::position::{Cargo, Dislodged, Unit};

/// A settled movement, before any retreats.
#[derive(Clone, Copy)]
pub struct Movement<'a> {
    /// The orders, all legal.
    pub orders: &'a Orders,
    /// Their results.
    pub resolution: &'a Resolution,
}

// Units that vanish (Double Reversible rule 4).

/// Removes the units that are where a hole opens, and those that were ordered to move there, whether or not
/// they got in or were meanwhile dislodged elsewhere, as far as the change swallows them. Units that were dislodged
/// from there retreat as usual.
pub(super) fn swallow(
    manner: &Manner<'_>,
    world: &mut GameState,
    scene: &mut EventContext<'_>,
    opening: ProvinceSet,
    movement: Option<Movement<'_>>,
) {
    if opening.is_empty() {
        return;
    }
    for at in opening & *world.position.occupied() {
        let Some(unit) = world.position.unit(at) else { continue };
        let place = Location { province: at, coast: unit.coast };
        match manner.units {
            Fate::Swallow => {
                world.position.take(at);
                put_away(world, scene, place, None, unit);
            }
            Fate::Choose => world.leaving.push(vanishing(world, place, unit)),
            _ => {}
        }
    }
    if let Some(movement) = movement.filter(|_| manner.entering != Entering::AsUsual) {
        take_entering(manner.entering, world, scene, opening, movement);
    }
    world.sort_swallowed();
}

/// Removes the units that were ordered into the holes and did not get in: they are destroyed, or swallowed.
fn take_entering(
    fate: Entering,
    world: &mut GameState,
    scene: &mut EventContext<'_>,
    opening: ProvinceSet,
    movement: Movement<'_>,
) {
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
        match unit {
            Some(unit) if fate == Entering::Swallow => {
                put_away(world, scene, to, Some(from), Unit { coast: to.coast, ..unit });
            }
            Some(unit) => world.tell(scene, &Event::Destroyed(from, unit)),
            None => {}
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
        match fate {
            Entering::Swallow => put_away(world, scene, to.into(), None, Unit::army(power)),
            Entering::Destroy | Entering::AsUsual => world.tell(scene, &Event::LostAtSea(at, power)),
        }
    }
}

/// The unit as it vanishes with this place.
fn vanishing(world: &GameState, at: Location, unit: Unit) -> Swallowed {
    let coast = match unit.kind {
        UnitKind::Army => Vec::new(),
        UnitKind::Fleet => world.terrain.chart().coast_borders(world.terrain.board(), at),
    };
    Swallowed { hole: at.province, unit, coast }
}

fn put_away(
    world: &mut GameState,
    scene: &mut EventContext<'_>,
    at: Location,
    entering_from: Option<ProvinceId>,
    unit: Unit,
) {
    let gone = vanishing(world, at, unit);
    world.swallowed.push(gone);
    world.tell(scene, &Event::Swallowed { face: at.province, entering_from, unit });
}

// Places that come back.

/// Gives a restored centre its owner, and restores the units that vanished with the face: a single one is back in it,
/// several must all retreat (Double Reversible rule 4). At the end of a season, which has no more retreats, several are
/// all lost.
pub(super) fn bring_back(
    changes: &Changes,
    manner: &Manner<'_>,
    world: &mut GameState,
    scene: &mut EventContext<'_>,
    face: ProvinceId,
    point: Point,
) {
    let last_owner = world.last_owner[face].take();
    if world.terrain.centres().contains(face)
        && let Some(owner) = owner(changes, manner.owner, world, face, last_owner)
    {
        world.position.set_owner(face, Some(owner));
        world.tell(scene, &Event::CentreReturned(face, owner));
    }
    if world.swallowed.is_empty() {
        return;
    }
    let all = std::mem::take(&mut world.swallowed);
    let (back, still_gone): (Vec<_>, Vec<_>) = all.into_iter().partition(|gone| gone.hole == face);
    world.swallowed = still_gone;
    let terrain = Arc::clone(&world.terrain);
    let fate = |gone: &Swallowed| match gone.unit.kind {
        UnitKind::Army => CoastFate::Stays(gone.unit.coast),
        UnitKind::Fleet => terrain.chart().coast_returned(terrain.board(), face, &gone.coast),
    };
    match &back[..] {
        [only] => {
            world.tell(scene, &Event::UnitReturned(face, only.unit));
            world.put_or_trap(scene, face, only.unit, fate(only), manner.stranded, false);
        }
        several if point == Point::End => {
            for gone in several {
                world.tell(scene, &Event::UnitReturned(face, gone.unit));
                world.tell(scene, &Event::Destroyed(face, gone.unit));
            }
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

// Provinces that split (rr07 rules 2 (iii) and 4).

/// Splits a province between these ends. The halves are full provinces: both are centres if the province was one, and
/// if it had a unit, both halves have one now. Returns the halves.
pub(super) fn split(
    world: &mut GameState,
    scene: &mut EventContext<'_>,
    stranded: Stranded,
    province: ProvinceId,
    ends: [HalfEdgeId; 2],
) -> Option<[ProvinceId; 2]> {
    let owner = world.position.owner(province);
    let unit = world.position.take(province);
    let coasts = unit.map_or(Vec::new(), |unit| world.take_choice(province, unit.coast));
    let fates = Fates { stranded, ..Fates::DESTROY };
    let Ok(halves) = world.change_map(scene, fates, |chart| chart.split(ends[0], ends[1])) else {
        // unreachable: only provinces that can be split are drawn.
        unit.into_iter().for_each(|unit| world.position.place(province, unit));
        return None;
    };
    world.tell(scene, &Event::Split(halves));
    let [_, second] = halves;
    // What was changed or announced of the whole is so of both halves.
    let GameState { held, last_changed, occupied_lately, doomed, .. } = world;
    let sets = held.iter_mut().chain(last_changed).chain(occupied_lately).chain([doomed]);
    sets.filter(|set| set.contains(province)).for_each(|set| set.insert(second));
    let of_whole = world.passing.iter().filter(|passing| passing.face == province);
    let of_second: Vec<Passing> = of_whole.map(|passing| Passing { face: second, ..*passing }).collect();
    world.passing.extend(of_second);
    let of_whole = world.coming.iter().filter(|coming| coming.face == province);
    let of_second: Vec<Coming> = of_whole.map(|coming| Coming { face: second, ..*coming }).collect();
    world.coming.extend(of_second);
    if let Some(owner) = owner {
        world.position.set_owner(second, Some(owner));
        world.tell(scene, &Event::CentreDoubled(second, owner));
    }
    if let Some(unit) = unit {
        double(world, scene, &Divided { province, halves, stranded }, unit, &coasts);
    }
    Some(halves)
}

/// A province that has been split.
struct Divided {
    /// The original province.
    province: ProvinceId,
    halves: [ProvinceId; 2],
    /// The fate of fleets without a coast.
    stranded: Stranded,
}

/// The unit stays in one half, and a new one of its power appears in the other.
fn double(
    world: &mut GameState,
    scene: &mut EventContext<'_>,
    divided: &Divided,
    unit: Unit,
    coasts: &[CoastId],
) {
    let terrain = Arc::clone(&world.terrain);
    let (board, chart) = (terrain.board(), terrain.chart());
    let [first, second] = divided.halves;
    let has_coast = |half| board.coasts(half) > 0;
    let was_trapped = unit.kind == UnitKind::Fleet && board.former().coasts(divided.province) == 0;
    let is_trapped = unit.kind == UnitKind::Fleet
        && (was_trapped || divided.stranded != Stranded::Destroy)
        && !divided.halves.into_iter().any(has_coast);
    let can_stand = |&half: &ProvinceId| unit.kind == UnitKind::Army || is_trapped || has_coast(half);
    let can_stand: Vec<ProvinceId> = divided.halves.into_iter().filter(can_stand).collect();
    let fate = |kind, half| match kind {
        UnitKind::Army => CoastFate::Stays(CoastId::FIRST),
        UnitKind::Fleet => chart.coast_fate_in(board.former(), board, divided.province, coasts, half),
    };
    let Some(&otherwise) = can_stand.first() else {
        return world.tell(scene, &Event::CoastLost(first, unit));
    };
    let drawn = scene.nature.half(scene.at, &terrain, &can_stand);
    let stays = drawn.filter(|half| can_stand.contains(half)).unwrap_or(otherwise);
    let new = if stays == first { second } else { first };
    for (at, _) in world.trapped.iter_mut().filter(|(at, _)| *at == divided.province) {
        *at = stays;
    }
    world.put_or_trap(scene, stays, unit, fate(unit.kind, stays), divided.stranded, was_trapped);
    // Of the same type if it can be there (rr07 rule 2 (iii)).
    let kind = if has_coast(new) { unit.kind } else { UnitKind::Army };
    let fate = match fate(kind, new) {
        CoastFate::Moves(coast) => CoastFate::Stays(coast),
        other => other,
    };
    world.put_unit(scene, new, Unit { kind, ..unit }, fate);
    if let Some(unit) = world.position.unit(new) {
        world.tell(scene, &Event::UnitDoubled { stays, new, unit });
    }
}

// Owners of centres.

/// Makes these provinces supply centres.
pub(super) fn found(
    changes: &Changes,
    manner: &Manner<'_>,
    world: &mut GameState,
    scene: &mut EventContext<'_>,
    centres: ProvinceSet,
) {
    for centre in centres {
        let last_owner = world.last_owner[centre].take();
        let home = match &manner.homes {
            Homes::Rule(HomeRule::None) => None,
            Homes::Rule(HomeRule::Country) => changes.country_at(world, centre),
            Homes::Rule(HomeRule::Owner) => owner(changes, manner.owner, world, centre, last_owner),
            Homes::Before(homes) => homes.iter().find(|(at, _)| *at == centre).and_then(|(_, home)| *home),
        };
        Arc::make_mut(&mut world.terrain).found_centre(centre, home);
        let owner = owner(changes, manner.owner, world, centre, last_owner);
        // In a hole it is nobody's until it comes back.
        let owner = owner.filter(|_| world.terrain.centres().contains(centre));
        world.position.set_owner(centre, owner);
        let follows = match changes.centres_follow_from_dates() {
            true => Founding::Dated,
            false => Founding::Home(home),
        };
        world.tell(scene, &Event::CentreFounded(centre, owner, follows));
    }
}

impl Changes {
    /// The power in whose country the place lies.
    fn country_at(&self, world: &GameState, place: ProvinceId) -> Option<Power> {
        let map = world.terrain.chart().map();
        let mut countries = self.countries.iter().filter(|(_, places)| places.on(map).contains(place));
        countries.next().and_then(|(name, _)| world.terrain.power_names().find(name))
    }
}

/// The owner of a centre by the first of the rules that gives one. `last_owner` had it when it vanished.
fn owner(
    changes: &Changes,
    rules: &[OwnerRule],
    world: &GameState,
    centre: ProvinceId,
    last_owner: Option<Power>,
) -> Option<Power> {
    let home = || world.terrain.chart().info(centre).and_then(|info| info.home);
    let by_rule = |rule: &OwnerRule| match rule {
        OwnerRule::Occupant => world.position.unit(centre).map(|unit| unit.power),
        OwnerRule::LastOccupant => world.last_occupant[centre],
        OwnerRule::LastOwner => last_owner,
        OwnerRule::HomeLastOwner => home().and(last_owner),
        OwnerRule::HomePower => home(),
        OwnerRule::Country => {
            changes.country_at(world, centre).filter(|&power| !world.position.is_out(power))
        }
        OwnerRule::Nobody => None,
    };
    rules.iter().take_while(|rule| **rule != OwnerRule::Nobody).find_map(by_rule)
}
