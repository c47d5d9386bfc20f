//! Marks by choice: the secret exempt centre (Black Hole Diplomacy, rules.md 4.5). Each power names one of its home
//! centres with its first orders; the entries whose sets leave it out spare it.
//!
//! ```text
//!  first orders          any orders               after the retreats            after the holes
//!  NAME one, or          ANNOUNCE it              LAPSE for eliminated          OFFER a change to powers
//!  it is DRAWN           CHANGE it, if offered    powers                        with one home centre left
//! ```

use upheaval_map::ids::{Power, ProvinceId, ProvinceSet};

use super::entry::Mark;
use super::list::Changes;
use super::words::{Again, Lasts, Told, Unnamed};
use crate::rules::answers::{Announced, Declarations, FirstOrders};
use crate::rules::event::Event;
use crate::rules::game_state::{EventContext, Exempted, ExemptionChange, GameState};

impl Mark {
    /// The centres of which a power may name one with the current orders.
    pub(crate) fn choices(&self, world: &GameState, power: Power, first: FirstOrders) -> ProvinceSet {
        let Exempted { centre, change, .. } = world.exemptions[power];
        match (first, centre, change) {
            // For a position from outside: an eliminated power cannot choose, and a lapsed exemption has
            // lapsed for good.
            (_, None, ExemptionChange::Lapsed) => ProvinceSet::EMPTY,
            (FirstOrders::Yes, None, _) if !world.position.is_out(power) => world.terrain.homes()[power],
            (_, Some(centre), ExemptionChange::Offered(last))
                if is_foreign(world, power, centre) && only_home_left(world, power) == Some(last) =>
            {
                ProvinceSet::single(last)
            }
            _ => ProvinceSet::EMPTY,
        }
    }

    /// Does the power have a choice that it may have announced, or does it make one with these orders?
    pub(crate) fn can_announce(&self, world: &GameState, power: Power, first: FirstOrders) -> bool {
        let Exempted { centre, announced, .. } = world.exemptions[power];
        // An eliminated power cannot announce, though its exemption lapses only before the next draw
        // (rules.md 7).
        let untold = centre.is_some() && centre != announced && !world.position.is_out(power);
        self.told == Told::OnRequest && (untold || !self.choices(world, power, first).is_empty())
    }

    /// Derives an open offer from the state, for a position given from outside: the exempt centre is in
    /// foreign hands, a home centre that the power owned is a hole, and one is left.
    pub(crate) fn offer_by_position(&self, world: &mut GameState) {
        self.offer(world, |world, power| {
            let is_hole = |id: ProvinceId| {
                let is_centre = world.terrain.chart().info(id).is_some_and(|info| info.supply_centre);
                is_centre && !world.terrain.centres().contains(id)
            };
            let mut faces = world.terrain.chart().map().faces().map(|(id, _)| id);
            faces.any(|id| is_hole(id) && was_own_home(world, power, id))
        });
    }

    /// Offers a change to the powers that have lost a home in this sense and own a single one, while the exempt centre
    /// is in foreign hands.
    fn offer(&self, world: &mut GameState, has_lost_a_home: impl Fn(&GameState, Power) -> bool) {
        if self.again == Again::Never {
            return;
        }
        for power in world.terrain.powers() {
            let Exempted { centre: Some(centre), change, .. } = world.exemptions[power] else { continue };
            if change != ExemptionChange::Made
                && has_lost_a_home(world, power)
                && let Some(last) = only_home_left(world, power)
                && is_foreign(world, power, centre)
            {
                world.exemptions[power].change = ExemptionChange::Offered(last);
            }
        }
    }
}

/// The event of a change of an exempt centre.
type ExemptEvent = fn(Power, ProvinceId) -> Event;

impl Changes {
    /// Applies the declarations of the powers. Invalid choices are ignored. An existing exemption (of a position given
    /// from outside) is kept.
    pub(crate) fn mark_centres(
        &self,
        world: &mut GameState,
        scene: &mut EventContext<'_>,
        declared: &Declarations,
        first: FirstOrders,
    ) {
        let Some((entry, mark)) = self.marking() else { return };
        for power in world.terrain.powers() {
            let choices = mark.choices(world, power, first);
            let chosen = declared.exempt[power].filter(|&centre| choices.contains(centre));
            let change: Option<(ProvinceId, ExemptEvent)> = match (chosen, world.exemptions[power].centre) {
                (Some(chosen), None) => Some((chosen, Event::ExemptNamed)),
                (Some(chosen), Some(_)) => {
                    world.exemptions[power].change = ExemptionChange::Made;
                    Some((chosen, Event::ExemptChanged))
                }
                (None, None) if !choices.is_empty() && mark.unnamed == Unnamed::Nature => {
                    let drawn = scene.nature.exempt(scene.at, &entry.dice, power, &choices);
                    drawn.map(|drawn| (drawn, Event::ExemptDrawn as _))
                }
                (None, _) => None,
            };
            if let Some((centre, event)) = change {
                world.exemptions[power].centre = Some(centre);
                world.tell(scene, &event(power, centre));
            }
            if declared.announce[power] == Announced::Yes && mark.can_announce(world, power, first) {
                let exempted = &mut world.exemptions[power];
                if let Some(centre) = exempted.centre.filter(|_| exempted.announced != exempted.centre) {
                    exempted.announced = Some(centre);
                    world.tell(scene, &Event::ExemptAnnounced(power, centre));
                }
            }
        }
    }
}

/// Ends the exemptions of eliminated powers (rr01, rule 8), before a hole is drawn.
pub(super) fn lapse(mark: &Mark, world: &mut GameState, scene: &mut EventContext<'_>) {
    if mark.lasts == Lasts::Ever {
        return;
    }
    for power in world.terrain.powers() {
        if !world.position.is_out(power) {
            continue;
        }
        let lapsed = Exempted { change: ExemptionChange::Lapsed, ..Exempted::default() };
        let before = std::mem::replace(&mut world.exemptions[power], lapsed);
        if let Some(centre) = before.centre {
            world.tell(scene, &Event::ExemptLapsed(power, centre));
        }
    }
}

/// Offers a change to powers whose second to last home centre was one of the holes that have just opened, while the
/// exempt one is in foreign hands (rr01, rule 6).
pub(super) fn offer(mark: &Mark, world: &mut GameState) {
    mark.offer(world, |world, power| world.fresh_holes.iter().any(|hole| was_own_home(world, power, hole)));
}

/// Was the hole a home centre of the power, and its own when it vanished?
fn was_own_home(world: &GameState, power: Power, hole: ProvinceId) -> bool {
    world.last_owner[hole] == Some(power)
        && world.terrain.chart().info(hole).is_some_and(|info| info.home == Some(power))
}

fn is_foreign(world: &GameState, power: Power, centre: ProvinceId) -> bool {
    world.position.owner(centre).is_some_and(|owner| owner != power)
}

/// The only home centre that a power still owns.
fn only_home_left(world: &GameState, power: Power) -> Option<ProvinceId> {
    let own = world.terrain.homes()[power] & *world.position.centres_of(power);
    own.first().filter(|_| own.len() == 1)
}
