//! Two boards, one of which is the image of the other, and the correspondence between them.

use std::collections::BTreeSet;

use crate::symmetry::image::Image;
use upheaval::ids::{CoastId, Location, Powers, ProvinceId, ProvinceSet, UnitKind};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::order::{AdjustmentOrder, Landing, Order, Orders, RetreatOrder};
use upheaval::rules::position::{Position, Unit};
use upheaval::rules::seismic::{SeismicOrder, SeismicOrders, WaterwayChoice};
use upheaval::topology::isthmus::WaterwayOption;
use upheaval::topology::{BorderId, CanalEnd, HalfEdgeId, PlanarMap, Quake, Waterway};

/// The sides of one map's borders on the other map, by their indices in tables. The codes determine them: a face meets
/// another on only one of its boundary cycles, and no cycle reads the same from two of its sides.
#[track_caller]
pub(super) fn sides(image: &Image, one: &PlanarMap, other: &PlanarMap) -> Vec<Option<HalfEdgeId>> {
    let mut found: Vec<Option<HalfEdgeId>> = Vec::new();
    let mut set = |side: HalfEdgeId, to: HalfEdgeId| {
        if found.len() <= side.index() {
            found.resize(side.index() + 1, None);
        }
        found[side.index()] = Some(to);
    };
    for (id, face) in one.faces() {
        let code = image.code(face.name());
        let there = other.find(&code).unwrap_or_else(|| panic!("no {code} there"));
        let image_of = other.face(there).expect("a face");
        assert_eq!((face.kind(), face.state()), (image_of.kind(), image_of.state()), "{code}");
        let cycles: Vec<Vec<HalfEdgeId>> = other
            .cycles_of(there)
            .map(|head| {
                let mut cycle: Vec<HalfEdgeId> = other.cycle(head).collect();
                if image.mirrored {
                    cycle.reverse();
                }
                cycle
            })
            .collect();
        assert_eq!(one.cycles_of(id).count(), cycles.len(), "{code}: cycles");
        for head in one.cycles_of(id) {
            let cycle: Vec<HalfEdgeId> = one.cycle(head).collect();
            let codes: Vec<String> =
                cycle.iter().map(|&side| image.code(one.name(one.across(side)))).collect();
            let turned = |candidate: &Vec<HalfEdgeId>, turn: usize| {
                let mut candidate = candidate.clone();
                candidate.rotate_left(turn);
                candidate
            };
            let reads_alike = |candidate: &Vec<HalfEdgeId>| {
                candidate.len() == codes.len()
                    && candidate
                        .iter()
                        .zip(&codes)
                        .all(|(&side, code)| other.name(other.across(side)) == code)
            };
            let all: Vec<Vec<HalfEdgeId>> = cycles
                .iter()
                .flat_map(|candidate| (0..candidate.len()).map(move |turn| turned(candidate, turn)))
                .filter(reads_alike)
                .collect();
            assert_eq!(all.len(), 1, "{code} is met by {codes:?} here");
            cycle.iter().zip(&all[0]).for_each(|(&side, &to)| set(side, to));
        }
    }
    for border in one.borders() {
        let [side, twin] = border.sides().map(|side| found[side.index()].expect("every side is on a cycle"));
        assert_eq!(side.twin(), twin);
    }
    found
}

/// The objects here, and their counterparts there.
pub(super) struct Likeness<'a> {
    pub image: &'a Image,
    pub one: &'a MapTables,
    pub other: &'a MapTables,
    sides: Vec<Option<HalfEdgeId>>,
}

impl<'a> Likeness<'a> {
    /// Compares the maps.
    #[track_caller]
    pub(super) fn of(image: &'a Image, one: &'a MapTables, other: &'a MapTables) -> Likeness<'a> {
        let sides = sides(image, one.chart().map(), other.chart().map());
        let likeness = Likeness { image, one, other, sides };
        assert_eq!(likeness.set(*one.centres()), *other.centres(), "centres");
        let sorted = |mut ways: Vec<Waterway>| {
            ways.sort_by_key(|way| format!("{way:?}"));
            ways
        };
        let (here, there) = (awake(one.chart().map()), awake(other.chart().map()));
        let images = here.iter().map(|way| ordered(likeness.waterway(way))).collect();
        assert_eq!(sorted(images), sorted(there.into_iter().map(ordered).collect()), "waterways");
        likeness
    }

    pub(super) fn face(&self, id: ProvinceId) -> ProvinceId {
        let code = self.image.code(self.one.chart().map().name(id));
        self.other.chart().map().find(&code).unwrap_or_else(|| panic!("no {code} there"))
    }

    pub(super) fn set(&self, set: ProvinceSet) -> ProvinceSet {
        set.iter().map(|id| self.face(id)).collect()
    }

    pub(super) fn side(&self, side: HalfEdgeId) -> HalfEdgeId {
        self.sides[side.index()].expect("a side of the map")
    }

    pub(super) fn border(&self, border: BorderId) -> BorderId {
        self.side(border.sides()[0]).border()
    }

    fn waterway(&self, waterway: &Waterway) -> Waterway {
        match waterway {
            Waterway::Canal { province, ends, origin } => Waterway::Canal {
                province: self.face(*province),
                ends: ends.each_ref().map(|end| {
                    CanalEnd::at(end.borders().map(|border| self.border(border))).expect("an end")
                }),
                origin: *origin,
            },
            Waterway::Strait { border, provinces } => Waterway::Strait {
                border: self.border(*border),
                provinces: provinces.map(|id| self.face(id)),
            },
            Waterway::Passage { province, seas } => {
                Waterway::Passage { province: self.face(*province), seas: seas.map(|sea| self.face(sea)) }
            }
        }
    }

    /// A place for a fleet: coasts are identified by their borders.
    #[track_caller]
    pub(super) fn place(&self, at: Location) -> Location {
        let province = self.face(at.province);
        let contacts = |terrain: &MapTables, at: Location| terrain.board().contacts(at).to_vec();
        let here: BTreeSet<HalfEdgeId> =
            contacts(self.one, at).into_iter().map(|side| self.side(side)).collect();
        let mut there = self.other.board().stations_of(province);
        let alike =
            |there: &Location| contacts(self.other, *there).into_iter().collect::<BTreeSet<_>>() == here;
        match there.find(alike) {
            Some(at) => at,
            None if self.one.board().coasts(at.province) == 0 => province.into(), // trapped
            None => panic!("no coast there is {}", self.one.place(at, UnitKind::Fleet)),
        }
    }

    /// A place for a unit of this kind.
    #[track_caller]
    pub(super) fn place_for(&self, kind: UnitKind, at: Location) -> Location {
        match kind {
            UnitKind::Army => self.face(at.province).into(),
            UnitKind::Fleet => self.place(at),
        }
    }

    #[track_caller]
    pub(super) fn unit(&self, at: ProvinceId, unit: Unit) -> Unit {
        Unit { coast: self.place_for(unit.kind, Location { province: at, coast: unit.coast }).coast, ..unit }
    }

    /// All possible moves: they are derived from the maps, which correspond to each other.
    #[track_caller]
    pub(super) fn compare_boards(&self) {
        let (here, there) = (self.one.board(), self.other.board());
        for province in here.passable() {
            assert_eq!(self.set(*here.army_reach(province)), *there.army_reach(self.face(province)));
            assert_eq!(here.coasts(province), there.coasts(self.face(province)));
            for station in here.stations_of(province) {
                let reach: BTreeSet<Location> =
                    here.fleet_moves(station).iter().map(|to| self.place(to)).collect();
                let image: BTreeSet<Location> = there.fleet_moves(self.place(station)).iter().collect();
                assert_eq!(reach, image, "{}", self.one.place(station, UnitKind::Fleet));
            }
        }
    }

    // ---- orders ----

    pub(super) fn orders(&self, position: &Position, orders: &Orders) -> Orders {
        let mut image = Orders::all_hold();
        for at in *position.occupied() {
            let unit = position.unit(at).expect("occupied");
            image[self.face(at)] = self.order(at, unit, orders[at]);
        }
        for (at, places) in orders.retreats().iter() {
            let kind = position.unit(at).expect("it has a list").kind;
            let places: Vec<Location> = places.iter().map(|&to| self.place_for(kind, to)).collect();
            image.retreats_mut().set(self.face(at), places);
        }
        for &Landing { power, from, to } in orders.landings() {
            let [from, to] = [from, to].map(|id| self.face(id));
            image.land(Landing { power, from, to });
        }
        image
    }

    fn order(&self, at: ProvinceId, unit: Unit, order: Order) -> Order {
        match order {
            Order::Hold => Order::Hold,
            Order::Move { to, route } => Order::Move { to: self.place_for(unit.kind, to), route },
            Order::SupportHold { unit } => Order::SupportHold { unit: self.face(unit) },
            Order::SupportMove { unit, to, coast } => {
                let (unit, place) = (self.face(unit), Location { province: to, coast: CoastId::FIRST });
                let coast = coast.map(|coast| self.place(Location { coast, ..place }).coast);
                Order::SupportMove { unit, to: self.face(to), coast }
            }
            Order::Convoy { army, to } => Order::Convoy { army: self.face(army), to: self.face(to) },
            Order::SupportLanding { from, to } => {
                Order::SupportLanding { from: self.face(from), to: self.face(to) }
            }
            Order::Transform { coast } => {
                Order::Transform { coast: self.place(Location { province: at, coast }).coast }
            }
            Order::Embark { fleet } => Order::Embark { fleet: self.face(fleet) },
        }
    }

    pub(super) fn retreat(&self, kind: UnitKind, order: RetreatOrder) -> RetreatOrder {
        match order {
            RetreatOrder::Disband => RetreatOrder::Disband,
            RetreatOrder::Retreat { to } => RetreatOrder::Retreat { to: self.place_for(kind, to) },
        }
    }

    pub(super) fn adjustment(&self, order: AdjustmentOrder) -> AdjustmentOrder {
        match order {
            AdjustmentOrder::Build { kind, at } => {
                AdjustmentOrder::Build { kind, at: self.place_for(kind, at) }
            }
            AdjustmentOrder::Remove { at } => AdjustmentOrder::Remove { at: self.face(at) },
            AdjustmentOrder::RemoveArmy { fleet } => AdjustmentOrder::RemoveArmy { fleet: self.face(fleet) },
            AdjustmentOrder::Waive => AdjustmentOrder::Waive,
        }
    }

    pub(super) fn quake(&self, quake: Quake) -> Quake {
        match quake {
            Quake::Separation(border) => Quake::Separation(self.border(border)),
            Quake::Release([x, y]) => Quake::release(self.side(x), self.side(y)),
        }
    }

    pub(super) fn seismic(&self, orders: &SeismicOrders) -> SeismicOrders {
        let option = |option: WaterwayOption| match option {
            WaterwayOption::Canal(id) => WaterwayOption::Canal(self.face(id)),
            WaterwayOption::Terminus(id) => WaterwayOption::Terminus(self.face(id)),
            other => other,
        };
        let wish = |wish: &WaterwayChoice| WaterwayChoice {
            at: wish.at.map(|pair| pair.map(|id| self.face(id))),
            option: option(wish.option),
        };
        let mut image = SeismicOrders::new(Powers::STANDARD);
        for (power, order) in orders.iter() {
            image[power] = order.as_ref().map(|order| SeismicOrder {
                quake: self.quake(order.quake),
                wishes: order.wishes.iter().map(wish).collect(),
            });
        }
        image
    }
}

/// The waterways in force, without the inactive ends of canals.
fn awake(map: &PlanarMap) -> Vec<Waterway> {
    let awake = |waterway: &Waterway| match waterway {
        Waterway::Canal { province, ends, origin } => {
            let stands = |border: &BorderId| map.sides_of(*province).any(|side| side.border() == *border);
            let ends =
                ends.each_ref().map(|end| CanalEnd::at(end.borders().filter(stands)).expect("in force"));
            Waterway::Canal { province: *province, ends, origin: *origin }
        }
        other => other.clone(),
    };
    map.waterways().map(awake).collect()
}

/// Including units without an order of their own.
fn ordered(waterway: Waterway) -> Waterway {
    match waterway {
        Waterway::Canal { province, mut ends, origin } => {
            ends.sort_by_key(|end| end.borders().collect::<Vec<_>>());
            Waterway::Canal { province, ends, origin }
        }
        Waterway::Strait { border, mut provinces } => {
            provinces.sort();
            Waterway::Strait { border, provinces }
        }
        Waterway::Passage { province, mut seas } => {
            seas.sort();
            Waterway::Passage { province, seas }
        }
    }
}
