//! Where a game that is played again departs from its transcript.

use super::transcript::Entry;
use upheaval_engine::rules::notation::WrittenSeismic;
use upheaval_engine::rules::order::{Landing, Order};
use upheaval_engine::rules::position::{Phase, Position};
use upheaval_engine::rules::seismic::SeismicOrders;
use upheaval_engine::rules::terrain::Terrain;
use upheaval_map::ids::{Location, ProvinceId};

/// The first thing that is not in the game as the transcript has it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Departure {
    /// Something else happened.
    #[error("{at}: the transcript has {kept}, the game {told}")]
    Told {
        /// When, in the game.
        at: Phase,
        /// What the transcript has, and when if that is not the same phase.
        kept: String,
        /// What the game told.
        told: String,
    },
    /// The map is another one at the end of a season.
    #[error("{at}: the hash of the map is {kept:016x} in the transcript and {told:016x} in the game")]
    Map {
        /// When.
        at: Phase,
        /// The hash in the transcript.
        kept: u64,
        /// The hash in the game.
        told: u64,
    },
    /// Units or owners are others at the end of a season.
    #[error("{at}: the transcript has {differs}")]
    Position {
        /// When.
        at: Phase,
        /// What differs.
        differs: String,
    },
    /// An order is not legal.
    #[error("{at}: the order {order} is not legal")]
    Illegal {
        /// When.
        at: Phase,
        /// The order.
        order: String,
    },
    /// The game waits for orders, and something else comes.
    #[error("{at}: the transcript has no {kind} orders")]
    NoOrders {
        /// When.
        at: Phase,
        /// The orders that are waited for.
        kind: &'static str,
    },
    /// The transcript is at its end, and the game is not.
    #[error("{at}: the transcript ends and the game goes on")]
    Ends {
        /// When.
        at: Phase,
    },
    /// The game is over, and the transcript goes on.
    #[error("{at}: the game is over and the transcript goes on with {kept}")]
    GoesOn {
        /// When the game ended.
        at: Phase,
        /// What comes next in the transcript.
        kept: String,
    },
    /// The game ended in another state.
    #[error("{at}: the hash of the end is {kept:016x} in the transcript and {told:016x} in the game")]
    End {
        /// When.
        at: Phase,
        /// The hash in the transcript.
        kept: u64,
        /// The hash of the game.
        told: u64,
    },
}

impl Departure {
    /// The phase of the game in which it was found.
    pub fn at(&self) -> Phase {
        match self {
            Departure::Told { at, .. }
            | Departure::Map { at, .. }
            | Departure::Position { at, .. }
            | Departure::Illegal { at, .. }
            | Departure::NoOrders { at, .. }
            | Departure::Ends { at }
            | Departure::GoesOn { at, .. }
            | Departure::End { at, .. } => *at,
        }
    }

    /// Between the next entry of the transcript and what the game tells.
    pub(super) fn between(kept: Option<&Entry>, told: &Entry, terrain: &Terrain) -> Departure {
        let at = told.at();
        let Some(kept) = kept else { return Departure::Ends { at } };
        match (kept, told) {
            (Entry::Season { at: then, map, position }, Entry::Season { map: now, position: stands, .. })
                if *then == at =>
            {
                match map == now {
                    false => Departure::Map { at, kept: *map, told: *now },
                    true => Departure::Position { at, differs: differs(position, stands, terrain) },
                }
            }
            (
                Entry::Movement { at: then, orders: kept, landings: kept_ashore },
                Entry::Movement { orders: told, landings: told_ashore, .. },
            ) if *then == at => Departure::Told {
                at,
                kept: not_among(kept, told, kept_ashore, told_ashore, terrain),
                told: not_among(told, kept, told_ashore, kept_ashore, terrain),
            },
            _ => Departure::Told { at, kept: written(kept, at, terrain), told: written(told, at, terrain) },
        }
    }

    pub(super) fn goes_on(at: Phase, terrain: &Terrain, kept: &Entry) -> Departure {
        Departure::GoesOn { at, kept: written(kept, at, terrain) }
    }

    pub(super) fn illegal_landing(at: Phase, terrain: &Terrain, landing: Landing) -> Departure {
        Departure::Illegal { at, order: named(&format!("{landing:?}"), terrain) }
    }

    pub(super) fn illegal(at: Phase, terrain: &Terrain, unit: ProvinceId, order: Order) -> Departure {
        Departure::Illegal { at, order: named(&format!("{unit:?} {order:?}"), terrain) }
    }
}

/// The orders and landings that are not among those others.
fn not_among(
    orders: &[(ProvinceId, Order)],
    others: &[(ProvinceId, Order)],
    landings: &[Landing],
    other_landings: &[Landing],
    terrain: &Terrain,
) -> String {
    let orders: Vec<_> = orders.iter().filter(|order| !others.contains(order)).collect();
    let landings: Vec<_> = landings.iter().filter(|landing| !other_landings.contains(landing)).collect();
    let ashore = if landings.is_empty() { String::new() } else { format!(" and landings {landings:?}") };
    named(&format!("orders {orders:?}{ashore}"), terrain)
}

/// An entry in words, and its phase where that is not `at`.
fn written(entry: &Entry, at: Phase, terrain: &Terrain) -> String {
    let text = match entry {
        Entry::Event { event, .. } => named(&format!("{event:?}"), terrain),
        Entry::Movement { orders, .. } => named(&format!("orders {orders:?}"), terrain),
        Entry::Retreats { orders, .. } => named(&format!("retreats {orders:?}"), terrain),
        Entry::Adjustments { power, orders, .. } => {
            named(&format!("adjustments of {power} {orders:?}"), terrain)
        }
        Entry::Seismic { orders, .. } => seismic_orders(orders, terrain),
        Entry::Season { .. } => "the end of the season".to_owned(),
    };
    if entry.at() == at { text } else { format!("{text} in {}", entry.at()) }
}

fn seismic_orders(orders: &SeismicOrders, terrain: &Terrain) -> String {
    let map = terrain.chart().map();
    let given = orders.iter().filter_map(|(power, order)| {
        let order = order.as_ref()?;
        let text = match map.allows(order.quake) {
            true => WrittenSeismic::from_order(map, order).to_string(),
            false => "an order that is not possible".to_owned(),
        };
        Some(format!("{power}: {text}"))
    });
    format!("seismic orders {}", given.collect::<Vec<_>>().join(", "))
}

/// A text in which provinces are called by their names and not by their indices.
fn named(text: &str, terrain: &Terrain) -> String {
    let mut parts = text.split("ProvinceId(");
    let mut named = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (index, rest) = part.split_once(')').unwrap_or((part, ""));
        match index.parse() {
            Ok(index) => named.push_str(terrain.names().province(ProvinceId(index))),
            Err(_) => named.push_str(index),
        }
        named.push_str(rest);
    }
    named
}

/// What two positions on this ground do not have in common.
fn differs(kept: &Position, told: &Position, terrain: &Terrain) -> String {
    let names = terrain.names();
    let unit = |position: &Position, at: ProvinceId| match position.unit(at) {
        Some(unit) => {
            format!(
                "{}'s {}",
                unit.power,
                names.unit(Location { province: at, coast: unit.coast }, unit.designation())
            )
        }
        None => format!("no unit in {}", names.province(at)),
    };
    let owner = |position: &Position, centre: ProvinceId| {
        let whose = position.owner(centre).map_or("nobody", |power| power.name());
        format!("{} as {whose}'s", names.province(centre))
    };
    let mut all = Vec::new();
    for id in (0..=u8::MAX).map(ProvinceId) {
        if kept.unit(id) != told.unit(id) {
            all.push(format!("{} where the game has {}", unit(kept, id), unit(told, id)));
        }
        if kept.owner(id) != told.owner(id) {
            all.push(format!("{} where the game has {}", owner(kept, id), owner(told, id)));
        }
    }
    all.join(", ")
}
