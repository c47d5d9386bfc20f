//! Changes of the map: everything that is possible on the standard board, kind by kind, and seismic seasons.

use std::rc::Rc;

use upheaval::ids::{ByPower, Powers, ProvinceId};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::seismic::{self, SeismicOrders};
use upheaval::topology::{HalfEdgeId, NamedMap, Quake, Surgery};

use super::seats::{SEED, variant};

/// One change.
#[derive(Clone, Copy)]
pub enum Change {
    Collapse(ProvinceId),
    Restore(ProvinceId),
    Submerge(ProvinceId),
    Split([HalfEdgeId; 2]),
    Shake(Quake),
}

impl Change {
    fn of(self, chart: &mut NamedMap) -> Surgery {
        match self {
            Change::Collapse(id) => chart.collapse(id),
            Change::Restore(id) => chart.restore(id),
            Change::Submerge(id) => chart.submerge(id),
            Change::Split([first, second]) => chart.split(first, second).map(drop),
            Change::Shake(quake) => chart.shake(&[quake], &mut |_| None),
        }
    }

    /// Changes the map and derives the tables again.
    pub fn apply(self, terrain: &mut MapTables) {
        terrain.change(|chart| self.of(chart)).expect("it can be done");
    }
}

/// The kinds of changes.
pub const KINDS: [&str; 5] = ["collapse", "restore", "submerge", "split", "separate"];

/// Every change of a kind that is possible on the standard board, with the terrain before it. Of the many ways to split
/// a province only one that halves it approximately.
pub fn changes(kind: &str) -> Vec<(Rc<MapTables>, Change)> {
    let whole = Rc::new(variant("standard").terrain.as_ref().clone());
    let (chart, map) = (whole.chart(), whole.chart().map());
    let faces = || map.faces().map(|(id, _)| id);
    let possible = |change: &Change| change.of(&mut chart.clone()).is_ok();
    let found: Vec<Change> = match kind {
        "collapse" | "restore" => faces().map(Change::Collapse).filter(possible).collect(),
        "submerge" => faces().map(Change::Submerge).filter(possible).collect(),
        "split" => faces()
            .filter_map(|id| {
                let sides: Vec<HalfEdgeId> = map.sides_of(id).collect();
                let halved = |&first: &HalfEdgeId| {
                    let opposite = map.cycle(first).nth(map.cycle(first).count() / 2)?;
                    Some(Change::Split([first, opposite])).filter(possible)
                };
                sides.iter().find_map(halved)
            })
            .collect(),
        "separate" => map.quakes().into_iter().map(Change::Shake).filter(possible).collect(),
        _ => unreachable!("`{kind}` is not a kind of change"),
    };
    if kind != "restore" {
        return found.into_iter().map(|change| (Rc::clone(&whole), change)).collect();
    }
    let restored = |change: Change| {
        let Change::Collapse(id) = change else { unreachable!("only these were listed") };
        let mut terrain = whole.as_ref().clone();
        change.apply(&mut terrain);
        (Rc::new(terrain), Change::Restore(id))
    };
    found.into_iter().map(restored).collect()
}

/// Seismic seasons on the board of a variant: seven orders each, without contradictions.
pub struct Seasons {
    pub terrain: MapTables,
    pub orders: Vec<SeismicOrders>,
}

impl Seasons {
    /// A hundred of them.
    pub fn new(id: &str) -> Seasons {
        let terrain = variant(id).terrain.as_ref().clone();
        let map = terrain.chart().map();
        let all = map.quakes();
        let mut dice = Stream::keyed(SEED, Purpose::Bot, &[]);
        let mut season = || {
            let mut season: Vec<Quake> = Vec::new();
            while season.len() < Powers::STANDARD.len() {
                let &quake = dice.choose(&all).expect("there are some");
                if !season.iter().any(|&other| other == quake || other.contradicts(quake, map)) {
                    season.push(quake);
                }
            }
            ByPower::from_fn(Powers::STANDARD, |power| Some(season[power.index()].into()))
        };
        let orders = (0..100).map(|_| season()).collect();
        Seasons { terrain, orders }
    }
}

/// The effect of a seismic season on the terrain: the orders settled, the successful ones carried out, the tables
/// derived again.
pub fn shake(terrain: &mut MapTables, orders: &SeismicOrders) -> usize {
    let settled = seismic::settle(terrain.chart().map(), orders);
    terrain
        .change(|chart| seismic::apply(chart, orders, &settled.standing))
        .expect("what stands can be done");
    settled.standing.len()
}
