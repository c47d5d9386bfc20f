//! The secret exempt centre (Black Hole Diplomacy, rules.md 4.5): each power names one of its home centres
//! with its Spring 1901 orders, and no hole is drawn there.
//!
//! ```text
//!  first orders          any orders               after the retreats            after the holes
//!  NAME one, or          ANNOUNCE it              LAPSE for eliminated          OFFER a change to powers
//!  it is DRAWN           CHANGE it, if offered    powers                        with one home centre left
//! ```

use serde::{Deserialize, Serialize};

use crate::rules::event::{Event, EventInfo, EventKind};
use crate::rules::game_state::{EventContext, Exempted, ExemptionChange, GameState};
use crate::rules::map_tables::MapTables;
use crate::rules::mechanism::section::{Act, Context, Key, MechanismSection};
pub use crate::rules::mechanism::section::{Announced, Declarations, FirstOrders};
use upheaval_map::ids::{Power, ProvinceId, ProvinceSet};

/// The treatment of a power that names no centre.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Unnamed {
    /// One of its home centres is drawn.
    Drawn,
    /// The power has no exempt centre.
    None,
}

/// May a power change its exempt centre?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Changing {
    /// Never.
    Never,
    /// Once: the exempt centre is in foreign hands, the power has two home centres left, and one of those
    /// becomes a hole; it may name the last one (rr01, rule 6).
    LastHome,
}

/// Does an eliminated power's exemption lapse?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Lapse {
    /// The centre stays exempt.
    Never,
    /// It can be drawn like any other centre from then on (rr01, rule 8).
    Eliminated,
}

/// May a power have its choice announced?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Announcing {
    /// It remains a secret.
    Never,
    /// On its own request (rr01, rule 7).
    OnRequest,
}

/// The mechanism's parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Exemption {
    /// The treatment of a power that names no centre.
    pub unnamed: Unnamed,
    /// Whether it can be changed.
    pub change: Changing,
    /// Whether it lapses.
    pub lapse: Lapse,
    /// Whether it can be announced.
    pub announce: Announcing,
}

impl MechanismSection for Exemption {
    type Form = Exemption;

    const KEYS: &'static [Key] = &[
        Key::words("exemption.unnamed", &["drawn", "none"], "the exempt centre of a power that names none"),
        Key::words("exemption.change", &["never", "last-home"], "whether the exempt centre can be changed"),
        Key::words("exemption.lapse", &["never", "eliminated"], "whether it lapses with its power"),
        Key::words("exemption.announce", &["never", "on-request"], "whether it can be announced"),
    ];

    const EVENTS: &'static [EventInfo] = &[
        EventInfo::new(
            EventKind::ExemptNamed,
            "`power` named `province` as exempt from holes",
            "{power} names {province} as exempt, in secret",
        ),
        EventInfo::new(
            EventKind::ExemptDrawn,
            "`province` of `power` was drawn as exempt",
            "{province} is drawn as exempt for {power}, in secret",
        ),
        EventInfo::new(
            EventKind::ExemptChanged,
            "`power` changed its exempt centre to `province`",
            "{power} changes its exempt centre to {province}",
        ),
        EventInfo::new(
            EventKind::ExemptLapsed,
            "`province` of `power` is no longer exempt",
            "{province} of {power} is exempt no longer",
        ),
        EventInfo::new(
            EventKind::ExemptAnnounced,
            "`power` had `province` announced as exempt",
            "{power} has {province} announced as exempt",
        ),
    ];

    fn check(exemption: Exemption, context: &Context<'_>, _: &MapTables) -> Option<Exemption> {
        if !context.has("holes") && !context.has("toggles") {
            context
                .fault("[exemption] requires [holes] or [toggles]; add one of them, or remove [exemption]");
        }
        Some(exemption)
    }
}

impl Exemption {
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
        self.announce == Announcing::OnRequest && (untold || !self.choices(world, power, first).is_empty())
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
        if self.change == Changing::Never {
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

impl Act for Exemption {
    /// Applies the declarations of the powers. Invalid choices are ignored. An existing exemption (of a
    /// position given from outside) is kept.
    fn after_orders(
        &self,
        world: &mut GameState,
        scene: &mut EventContext<'_>,
        declared: &Declarations,
        first: FirstOrders,
    ) {
        for power in world.terrain.powers() {
            let choices = self.choices(world, power, first);
            let chosen = declared.exempt[power].filter(|&centre| choices.contains(centre));
            let change: Option<(ProvinceId, ExemptEvent)> = match (chosen, world.exemptions[power].centre) {
                (Some(chosen), None) => Some((chosen, Event::ExemptNamed)),
                (Some(chosen), Some(_)) => {
                    world.exemptions[power].change = ExemptionChange::Made;
                    Some((chosen, Event::ExemptChanged))
                }
                (None, None) if !choices.is_empty() && self.unnamed == Unnamed::Drawn => {
                    let drawn = scene.nature.exempt(scene.at, power, &choices);
                    drawn.map(|drawn| (drawn, Event::ExemptDrawn as _))
                }
                (None, _) => None,
            };
            if let Some((centre, event)) = change {
                world.exemptions[power].centre = Some(centre);
                world.tell(scene, &event(power, centre));
            }
            if declared.announce[power] == Announced::Yes && self.can_announce(world, power, first) {
                let exempted = &mut world.exemptions[power];
                if let Some(centre) = exempted.centre.filter(|_| exempted.announced != exempted.centre) {
                    exempted.announced = Some(centre);
                    world.tell(scene, &Event::ExemptAnnounced(power, centre));
                }
            }
        }
    }

    /// Ends the exemptions of eliminated powers (rr01, rule 8), before a hole is drawn.
    fn after_retreats(&self, world: &mut GameState, scene: &mut EventContext<'_>) {
        if self.lapse == Lapse::Never {
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

    /// Offers a change to powers whose second to last home centre was one of the holes that have just opened,
    /// while the exempt one is in foreign hands (rr01, rule 6).
    fn season_changed(&self, world: &mut GameState) {
        self.offer(world, |world, power| {
            world.fresh_holes.iter().any(|hole| was_own_home(world, power, hole))
        });
    }
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
