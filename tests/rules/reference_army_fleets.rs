//! The fast adjudicator against the slow one where armies board fleets, sail and land, are ferried, and become fleets:
//! small positions in which all these obstruct each other. `UPHEAVAL_SLOW_TESTS=1` tries all of them, a larger number
//! this many times as many.

use crate::helpers::small_maps;
use crate::rules::applied;
use crate::rules::reference;
use crate::rules::reference::{How, Settled};
use testkit::amount;
use upheaval::ids::{CoastId, Designation, Location, Power, Powers, ProvinceId, ProvinceSet, UnitKind};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::gazetteer::Gazetteer;
use upheaval::rules::legal::{ConvoyChains, landings, legal_orders};
use upheaval::rules::movement::{Adjudicator, Outcome, Resolution};
use upheaval::rules::notation::WrittenOrder;
use upheaval::rules::order::{Landing, Order, Orders};
use upheaval::rules::position::{Cargo, Position, Unit};
use upheaval::rules::rulebook::{
    AdjacentConvoy, ArmyBecomesFleet, ArmyFleets, BeatenUnit, OwnFleetImpliesVia, ParadoxRule, Rulebook,
    SeveralRoutes,
};
use upheaval::topology::{Board, NamedMap, atlas, derive};

/// The rules of Deluge II.
pub(super) const DELUGE: Rulebook = Rulebook {
    army_fleets: ArmyFleets::Yes { max_seasons_aboard: None },
    army_becomes_fleet: ArmyBecomesFleet::Yes,
    ..Rulebook::R2023
};

struct Place {
    board: Board,
    names: Gazetteer,
}

impl Place {
    fn of(chart: &NamedMap) -> Place {
        let board = derive(chart.map());
        let names = Gazetteer::of(chart, &board);
        Place { board, names }
    }

    /// The board of Deluge with this many provinces under water.
    fn submerged(count: usize, seed: u64) -> Place {
        let mut chart = atlas::find("deluge").expect("it ships").clone();
        let mut land: Vec<ProvinceId> = derive(chart.map()).land().iter().collect();
        Stream::keyed(seed, Purpose::Bot, &[1]).shuffle(&mut land);
        for &province in &land[..count] {
            chart.submerge(province).expect("land can sink");
        }
        Place::of(&chart)
    }
}

/// The unchanged board, boards with a few or many sunk provinces, and small ones.
fn places() -> Vec<Place> {
    let sunk = (0..12u64).map(|n| Place::submerged([0, 0, 6, 12, 20, 35][n as usize % 6], n));
    let small = [small_maps::NESTED, small_maps::RING].map(|lines| Place::of(&small_maps::chart(lines)));
    sunk.chain(small).collect()
}

/// Small positions in which units obstruct each other, with orders.
pub(super) struct Generator<'a> {
    board: &'a Board,
    stream: Stream,
    position: Position,
    orders: Orders,
    landings: Vec<Landing>,
    /// The common target of several powers that want to land, if there is one: the sea and the province.
    focus: Option<(ProvinceId, ProvinceId)>,
}

impl<'a> Generator<'a> {
    pub(super) fn new(board: &'a Board, stream: Stream) -> Generator<'a> {
        let (position, orders) = (Position::new(Powers::STANDARD), Orders::all_hold());
        Generator { board, stream, position, orders, landings: vec![], focus: None }
    }

    /// The generated position.
    pub(super) fn into_position(self) -> (Position, Orders) {
        (self.position, self.orders)
    }

    fn neighbours(&self, at: ProvinceId) -> ProvinceSet {
        *self.board.army_reach(at) | *self.board.fleet_reach_any(at) | *self.board.seas_next_to(at)
    }

    /// A few units of a few powers round one sea, many of them fleets at sea, many of these with an army aboard.
    pub(super) fn place_units(&mut self) {
        let seas: Vec<ProvinceId> = self.board.sea().iter().collect();
        let centre = *self.stream.choose(&seas).expect("a sea");
        let shore: Vec<ProvinceId> =
            (*self.board.fleet_reach_any(centre) & *self.board.land()).iter().collect();
        match self.stream.choose(&shore).copied().filter(|_| self.stream.below(3) == 0) {
            Some(province) => self.place_rivals(centre, province),
            None => self.place_round(centre),
        }
    }

    /// Pairs of several powers in a sea and round it, all of which want to land in one province, with units that may
    /// help them.
    fn place_rivals(&mut self, sea: ProvinceId, province: ProvinceId) {
        self.focus = Some((sea, province));
        let pair = |power| Unit::new(Designation::ArmyFleet, power, CoastId::FIRST);
        let mut powers = [Power::AUSTRIA, Power::ENGLAND, Power::FRANCE];
        self.stream.shuffle(&mut powers);
        let mut round: Vec<ProvinceId> = self.board.seas_next_to(sea).iter().collect();
        self.stream.shuffle(&mut round);
        self.position.place(sea, pair(powers[0]));
        for &at in round.iter().take(1 + self.stream.below(2) as usize) {
            let power = powers[1 + (self.stream.below(4) == 0) as usize];
            self.position.place(at, pair(power));
        }
        // Units that help into the sea, units that help ashore, and possibly an occupant.
        let near = [self.neighbours(sea), self.neighbours(province), ProvinceSet::single(province)];
        for (near, count) in near.into_iter().zip([2, 3, 1]) {
            let near: Vec<ProvinceId> =
                (near & (self.board.passable() - *self.position.occupied())).iter().collect();
            for _ in 0..count {
                let Some(&at) = self.stream.choose(&near) else { continue };
                let power = powers[self.stream.below(3) as usize];
                let stations: Vec<Location> = self.board.stations_of(at).collect();
                let unit = match self.stream.choose(&stations) {
                    Some(station) if self.board.sea().contains(at) || self.stream.below(4) == 0 => {
                        Unit::new(UnitKind::Fleet, power, station.coast)
                    }
                    _ => Unit::army(power),
                };
                if !self.position.occupied().contains(at) {
                    self.position.place(at, unit);
                }
            }
        }
    }

    fn place_round(&mut self, centre: ProvinceId) {
        let mut region = ProvinceSet::single(centre) | self.neighbours(centre);
        if self.stream.below(2) == 0 {
            region |= region.iter().fold(ProvinceSet::EMPTY, |all, p| all | self.neighbours(p));
        }
        let places: Vec<ProvinceId> = (region & self.board.passable()).iter().collect();
        let at_sea: Vec<ProvinceId> =
            places.iter().copied().filter(|&p| self.board.sea().contains(p)).collect();
        let powers = 1 + self.stream.below(3);
        for _ in 0..3 + self.stream.below(6) {
            let among = if self.stream.below(5) < 2 { &at_sea } else { &places };
            let at = *self.stream.choose(among).expect("a place");
            let stations: Vec<Location> = self.board.stations_of(at).collect();
            let afloat = self.board.sea().contains(at) || self.stream.below(4) == 0;
            let power = Powers::STANDARD.get(self.stream.below(powers + 1) as usize).expect("a power");
            let unit = match self.stream.choose(&stations) {
                Some(station) if afloat => Unit::new(UnitKind::Fleet, power, station.coast),
                _ => Unit::army(power),
            };
            let own = self.board.seas_next_to(at).iter().find_map(|sea| self.position.unit(sea));
            let power = own.filter(|_| self.stream.below(2) == 0).map_or(unit.power, |fleet| fleet.power);
            self.position.place(at, Unit { power, ..unit });
            if self.board.sea().contains(at) && self.stream.below(5) < 2 {
                self.position.set_cargo(at, Cargo::Army { seasons: self.stream.below(5) as u8 });
            }
        }
    }

    /// One of the orders, with a probability in proportion to its weight.
    fn draw(&mut self, list: &[(Order, u32)]) -> Option<Order> {
        let total: u32 = list.iter().map(|entry| entry.1).sum();
        let mut n = self.stream.below(total.max(1));
        for &(order, weight) in list {
            if n < weight {
                return Some(order);
            }
            n -= weight;
        }
        None
    }

    fn legal(&self, chains: &ConvoyChains, at: ProvinceId) -> Vec<Order> {
        let mut list = Vec::new();
        legal_orders(self.board, &self.position, chains, at, &mut list);
        list
    }

    /// Is a unit on the way there, by an earlier order?
    fn wanted(&self, p: ProvinceId) -> bool {
        let goes = |at: ProvinceId| matches!(self.orders[at], Order::Move { to, .. } if to.province == p);
        self.position.occupied().iter().any(goes) || self.landings.iter().any(|landing| landing.to == p)
    }

    /// Armies first, then fleets at sea, then landings, and all others support or attack existing units.
    pub(super) fn give_orders(&mut self) {
        let chains = ConvoyChains::new(self.board, &DELUGE, &self.position);
        let occupied = *self.position.occupied();
        let mut later = vec![];
        for at in occupied - *self.position.fleets() {
            if self.stream.below(5) < if self.focus.is_some() { 4 } else { 2 } {
                later.push(at);
                continue;
            }
            let weight = |order: Order| match order {
                Order::Embark { .. } => 20,
                Order::Move { to, .. } if !self.board.army_reach(at).contains(to.province) => 6,
                Order::Move { .. } => 2,
                Order::Transform { .. } => 1,
                _ => 0,
            };
            let list: Vec<_> =
                self.legal(&chains, at).into_iter().map(|order| (order, weight(order))).collect();
            self.orders[at] = self.draw(&list).unwrap_or(Order::Hold);
        }
        for at in *self.position.fleets() {
            let boarded = self.boarded(at);
            let laden = boarded || self.position.laden().contains(at);
            if self.stream.below(3) == 0 && !boarded {
                later.push(at);
                continue;
            }
            let weight = |order: Order| match order {
                Order::Convoy { army, to } => match self.orders[army] {
                    Order::Move { to: goal, .. } if goal.province == to => 30,
                    _ => u32::from(self.position.laden().contains(at)),
                },
                Order::Move { to, .. } if laden && self.is_focus(to.province) => 60,
                Order::Hold if laden && self.is_focus(at) => 60,
                Order::Move { to, .. } => match (laden, self.board.sea().contains(to.province)) {
                    (true, true) if occupied.contains(to.province) || self.wanted(to.province) => 9,
                    (true, true) => 3,
                    (true, false) => 0,
                    _ => {
                        if occupied.contains(to.province) {
                            3
                        } else {
                            1
                        }
                    }
                },
                Order::Hold => 2,
                _ => 0,
            };
            let list: Vec<_> =
                self.legal(&chains, at).into_iter().map(|order| (order, weight(order))).collect();
            self.orders[at] = self.draw(&list).unwrap_or(Order::Hold);
        }
        for fleet in *self.position.fleets() {
            let laden = self.boarded(fleet) || self.position.laden().contains(fleet);
            if self.stream.below(10) < if laden { 7 } else { 1 } {
                self.order_landing(&chains, fleet);
            }
        }
        for at in later {
            let weight = |order: Order| self.weight_of_later(at, order);
            let list: Vec<_> =
                self.legal(&chains, at).into_iter().map(|order| (order, weight(order))).collect();
            self.orders[at] = self.draw(&list).unwrap_or(Order::Hold);
        }
        for &landing in &self.landings {
            self.orders.land(landing);
        }
    }

    fn is_focus(&self, sea: ProvinceId) -> bool {
        self.focus.is_some_and(|(focus, _)| focus == sea)
    }

    fn boarded(&self, fleet: ProvinceId) -> bool {
        self.position.occupied().iter().any(|army| self.orders[army] == Order::Embark { fleet })
    }

    /// Usually from the sea where the fleet will be, usually to a province where others are or want to be.
    fn order_landing(&mut self, chains: &ConvoyChains, fleet: ProvinceId) {
        let there = match self.orders[fleet] {
            Order::Move { to, .. } => to.province,
            _ => fleet,
        };
        let mut all: Vec<Landing> = landings(self.board, &self.position, chains, fleet).collect();
        if self.stream.below(12) > 0 {
            all.retain(|landing| landing.from == there);
        }
        // Sometimes where another army is to land from the same sea.
        let beside = |landing: &Landing| {
            self.landings.iter().any(|other| (other.from, other.to) == (landing.from, landing.to))
        };
        let joins = all.iter().any(beside);
        if self.stream.below(2) == 0 && joins {
            all.retain(beside);
        }
        if let Some((sea, province)) = self.focus {
            all.retain(|landing| landing.from != sea || landing.to == province);
        }
        let narrowly = self.stream.below(4) > 0;
        let crowded = |p: ProvinceId| self.position.occupied().contains(p) || self.wanted(p);
        if narrowly && all.iter().any(|landing| crowded(landing.to)) {
            all.retain(|landing| crowded(landing.to));
        }
        self.landings.extend(self.stream.choose(&all));
    }

    /// Supports of existing orders, especially landings; attacks on loaded fleets and their helpers.
    fn weight_of_later(&self, at: ProvinceId, order: Order) -> u32 {
        let laden = |p: ProvinceId| self.position.laden().contains(p) || self.boarded(p);
        match order {
            Order::SupportLanding { from, to } => {
                let meant = |l: &Landing| l.from == from && l.to == to;
                if self.landings.iter().any(meant) { 24 } else { u32::from(self.wanted(to)) }
            }
            Order::SupportMove { unit, to, .. } => match self.orders[unit] {
                Order::Move { to: goal, .. } if goal.province == to => {
                    if laden(unit) && self.is_focus(to) {
                        40
                    } else if laden(unit) {
                        12
                    } else {
                        6
                    }
                }
                _ => 0,
            },
            Order::SupportHold { unit } => match self.orders[unit] {
                Order::Move { .. } | Order::Embark { .. } => 0,
                _ if self.wanted(unit) => 6,
                _ => 1,
            },
            Order::Move { to, .. } if laden(to.province) => 4,
            Order::Move { to, .. } if self.wanted(to.province) => 3,
            Order::Move { to, .. } if self.position.occupied().contains(to.province) => 2,
            Order::Move { .. } => 1,
            Order::Transform { .. } => 1,
            Order::Hold => 1 + u32::from(self.wanted(at)),
            Order::Convoy { .. } | Order::Embark { .. } => 0,
        }
    }
}

fn any_switches(stream: &mut Stream) -> Rulebook {
    let paradox = [ParadoxRule::Szykman, ParadoxRule::Xii5][stream.below(2) as usize];
    Rulebook {
        several_routes: [SeveralRoutes::AnyRoute, SeveralRoutes::AllRoutes][stream.below(2) as usize],
        paradox,
        adjacent_convoy: [AdjacentConvoy::Via, AdjacentConvoy::Opposite][stream.below(2) as usize],
        own_fleet_implies_via: [OwnFleetImpliesVia::Yes, OwnFleetImpliesVia::No][stream.below(2) as usize],
        beaten_unit: [BeatenUnit::HeadToHead, BeatenUnit::Never][stream.below(2) as usize],
        ..DELUGE
    }
}

fn is_support(order: Order) -> bool {
    matches!(order, Order::SupportHold { .. } | Order::SupportMove { .. } | Order::SupportLanding { .. })
}

/// The result of the fast adjudicator, in the terms of the slow one.
fn in_those_words(fast: &Resolution, before: &Position, orders: &Orders, how: How) -> Settled {
    let mut after = before.clone();
    let retreats = applied(fast, &mut after, orders);
    let supporting = |&p: &ProvinceId| is_support(orders[p]) && fast.outcome(p) == Some(Outcome::Succeeded);
    let dislodged = |&p: &ProvinceId| fast.dislodged_by(p).is_some();
    Settled {
        moved: before.occupied().iter().filter(|&p| fast.moved(p)).collect(),
        dislodged: before.occupied().iter().filter(dislodged).collect(),
        landed: fast.landed().map(|(fleet, _)| fleet).collect(),
        supporting: before.occupied().iter().filter(supporting).collect(),
        contested: retreats.contested,
        after,
        retreating: retreats.dislodged.iter().map(|d| (d.at, d.unit)).collect(),
        how,
    }
}

fn describe(place: &Place, position: &Position, orders: &Orders, settled: [&Settled; 2]) -> String {
    let names = |set: ProvinceSet| set.iter().map(|p| place.names.province(p)).collect::<Vec<_>>().join(" ");
    let mut text = String::new();
    for at in *position.occupied() {
        let order = WrittenOrder::from_order(position, at, orders[at]).expect("an order");
        let power = place.names.power(position.unit(at).expect("a unit").power);
        text += &format!("    {power} {}\n", order.display(&place.names));
    }
    for landing in orders.landings() {
        let order = WrittenOrder::from_landing(*landing);
        text += &format!("    {} {}\n", place.names.power(landing.power), order.display(&place.names));
    }
    for (who, settled) in ["fast", "slow"].iter().zip(settled) {
        let units: Vec<String> = settled
            .after
            .occupied()
            .iter()
            .filter_map(|at| {
                Some(
                    WrittenOrder::from_order(&settled.after, at, Order::Hold)?
                        .display(&place.names)
                        .to_string(),
                )
            })
            .collect();
        text += &format!(
            "{who}: moved {}, dislodged {}, landed {}, supporting {}, contested {}, retreating {:?}, then {units:?} ({:?})\n",
            names(settled.moved),
            names(settled.dislodged),
            names(settled.landed),
            names(settled.supporting),
            names(settled.contested),
            settled.retreating,
            settled.how
        );
    }
    text
}

/// How often each compared case occurred.
#[derive(Default, Debug)]
struct Seen {
    ways: [u32; 3],
    embarked: u32,
    landings: u32,
    landed: u32,
    sailed_and_landed: u32,
    stranded: u32,
    dislodged_pairs: u32,
    became_fleets: u32,
    landings_supported: u32,
    /// Supports for landings of several powers, and of several that are not void.
    supports_of_several: [u32; 2],
}

impl Seen {
    /// Was it settled in this way more often than that?
    fn came_up(&self, how: How, than: u64) -> bool {
        u64::from(self.ways[how as usize]) > than
    }
}

fn compare(round: u64, positions: u64, rulebook: impl Fn(&mut Stream) -> Rulebook) -> Seen {
    let places = places();
    let mut adjudicator = Adjudicator::default();
    let mut seen = Seen::default();
    for n in 0..positions {
        let place = &places[n as usize % places.len()];
        let mut stream = Stream::keyed(round, Purpose::Bot, &[n]);
        let rulebook = rulebook(&mut stream);
        let mut generator = Generator::new(&place.board, stream);
        generator.place_units();
        generator.give_orders();
        let (position, orders) = generator.into_position();
        let slow = reference::settle(&place.board, &rulebook, &position, &orders);
        let resolution = adjudicator.resolve(&place.board, &rulebook, &position, &orders);
        let fast = in_those_words(resolution, &position, &orders, slow.how);
        assert!(
            fast == slow,
            "position {n}, {rulebook:?}:\n{}",
            describe(place, &position, &orders, [&fast, &slow])
        );
        let (sea, after, retreating) = (place.board.sea(), &slow.after, &slow.retreating);
        assert!(after.laden().is_subset(sea), "position {n}: a pair is at sea");
        assert!((*after.occupied() - *after.fleets()).is_subset(place.board.land()), "position {n}");
        for power in Powers::STANDARD {
            let waiting = retreating.iter().filter(|(_, unit)| unit.power == power);
            let waiting: usize = waiting.map(|(_, unit)| unit.count()).sum();
            let left = after.unit_count(power) + waiting;
            assert_eq!(left, position.unit_count(power), "position {n}: no unit is lost or made");
        }
        seen.ways[slow.how as usize] += 1;
        seen.embarked += resolution.embarked().len() as u32;
        seen.landings += orders.landings().len() as u32;
        seen.landed += slow.landed.len() as u32;
        seen.sailed_and_landed += (slow.landed & slow.moved).len() as u32;
        seen.stranded += resolution.stranded().count() as u32;
        seen.dislodged_pairs += slow.retreating.iter().filter(|(_, unit)| unit.is_laden()).count() as u32;
        seen.became_fleets += resolution.transformed(&orders).len() as u32;
        let backs_landing = |at: &ProvinceId| {
            matches!(orders[*at], Order::SupportLanding { .. })
                && resolution.outcome(*at) == Some(Outcome::Succeeded)
        };
        seen.landings_supported += position.occupied().iter().filter(backs_landing).count() as u32;
        for at in position.occupied().iter().filter(backs_landing) {
            let Order::SupportLanding { from, to } = orders[at] else { continue };
            let named = orders.landings().iter().filter(|landing| (landing.from, landing.to) == (from, to));
            let void =
                |l: &&Landing| matches!(resolution.landing_outcome(l.power, l.from), Some(Outcome::Void(_)));
            let several = [named.clone().count(), named.filter(|landing| !void(landing)).count()];
            for (seen, named) in seen.supports_of_several.iter_mut().zip(several) {
                *seen += u32::from(named > 1);
            }
        }
    }
    println!("{seen:?}");
    seen
}

#[test]
fn they_agree_under_the_rules_of_deluge() {
    let positions = amount(2_000, 15_000);
    let seen = compare(1, positions, |_| DELUGE);
    assert!(
        seen.came_up(How::Circle, positions / 1_200) && seen.came_up(How::Paradox, positions / 6_000),
        "{seen:?}"
    );
    let counts = [seen.embarked, seen.landed, seen.sailed_and_landed, seen.stranded];
    assert!(counts.iter().all(|&n| u64::from(n) > positions / 600), "{seen:?}");
    assert!(seen.supports_of_several.iter().all(|&n| u64::from(n) > positions / 6_000), "{seen:?}");
    let counts = [seen.dislodged_pairs, seen.became_fleets, seen.landings_supported];
    assert!(counts.iter().all(|&n| u64::from(n) > positions / 600), "{seen:?}");
}

#[test]
fn they_agree_under_any_switches() {
    let positions = amount(1_250, 7_500);
    let seen = compare(2, positions, any_switches);
    let came_up =
        seen.came_up(How::Circle, positions / 1_200) && seen.came_up(How::Paradox, positions / 6_000);
    assert!(came_up, "{seen:?}");
}
