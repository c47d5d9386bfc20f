//! The fast adjudicator against the slow one, on many small positions crowded with supports and convoys.

use crate::rules::reference;
use crate::rules::reference::How;
use crate::rules::standard::Standard;
use upheaval::ids::{CoastId, Location, Powers, ProvinceId, ProvinceSet, UnitKind};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::movement::Adjudicator;
use upheaval::rules::order::{Order, Orders, Route};
use upheaval::rules::position::{Position, Unit};
use upheaval::rules::rulebook::Rulebook;

/// Regions where convoys and supports obstruct each other.
const REGIONS: [&[&str]; 4] = [
    &["NTH", "ENG", "LON", "BEL", "WAL", "YOR", "BRE", "PIC", "HOL", "NWY", "DEN", "IRI"],
    &["TYS", "ION", "NAP", "ROM", "TUN", "APU", "ADR", "GRE", "ALB", "TRI", "VEN", "AEG"],
    &["SKA", "SWE", "NWY", "DEN", "BAL", "BOT", "NTH", "FIN", "KIE", "BER", "LVN", "STP"],
    &["NTH", "ENG", "LON", "BEL", "YOR", "PIC", "HOL", "EDI", "NWG", "CLY", "LVP", "NAO"],
];

struct Generator<'a> {
    standard: &'a Standard,
    stream: Stream,
}

impl Generator<'_> {
    fn pick(&mut self, set: ProvinceSet) -> Option<ProvinceId> {
        let list: Vec<ProvinceId> = set.iter().collect();
        self.stream.choose(&list).copied()
    }

    fn position(&mut self) -> Position {
        let board = &self.standard.board;
        let region = REGIONS[self.stream.below(REGIONS.len() as u32) as usize];
        let mut position = Position::new(Powers::STANDARD);
        let units = 4 + self.stream.below(6) as usize;
        let powers = 1 + self.stream.below(4);
        while position.occupied().len() < units {
            let at = self.standard.id(region[self.stream.below(region.len() as u32) as usize]);
            let kind = if board.sea().contains(at) || self.stream.below(3) == 0 {
                UnitKind::Fleet
            } else {
                UnitKind::Army
            };
            let power = Powers::STANDARD.get(self.stream.below(powers + 1) as usize).expect("a power");
            position.place(at, Unit::new(kind, power, CoastId::FIRST));
        }
        position
    }

    fn reach(&self, position: &Position, at: ProvinceId) -> ProvinceSet {
        let board = &self.standard.board;
        match position.unit(at) {
            Some(unit) if unit.kind == UnitKind::Army => *board.army_reach(at),
            Some(unit) => *board.fleet_reach(Location { province: at, coast: unit.coast }),
            None => ProvinceSet::EMPTY,
        }
    }

    /// Orders that obstruct each other: armies go overseas, preferably to occupied provinces; the fleets at sea convoy
    /// them; a unit under such an attack tends to support something that concerns the convoying fleets, or one of them;
    /// and others attack the convoying fleets.
    fn orders(&mut self, position: &Position) -> Orders {
        let board = &self.standard.board;
        let mut orders = Orders::all_hold();
        let mut free = *position.occupied();
        let at_sea = *position.fleets() & *board.sea();
        let mut convoying = ProvinceSet::EMPTY;
        for army in *position.occupied() - *position.fleets() {
            // The shores up to two fleets away.
            let mut shores = ProvinceSet::EMPTY;
            for sea in at_sea & *board.seas_next_to(army) {
                let seas = ProvinceSet::single(sea) | *board.seas_next_to(sea) & at_sea;
                shores |= board.land().iter().filter(|&l| board.seas_next_to(l).intersects(&seas)).collect();
            }
            shores.remove(army);
            if shores.intersects(position.occupied()) && self.stream.below(5) > 0 {
                shores &= *position.occupied();
            }
            if self.stream.below(4) == 0 {
                continue;
            }
            let Some(to) = self.pick(shores) else { continue };
            let route = if self.stream.below(3) > 0 { Route::Convoy } else { Route::Direct };
            orders[army] = Order::Move { to: to.into(), route };
            free.remove(army);
            for sea in at_sea & free {
                let near = *board.seas_next_to(army) | *board.seas_next_to(to);
                if self.stream.below(4) > u32::from(!near.contains(sea)) * 2 {
                    orders[sea] = Order::Convoy { army, to };
                    free.remove(sea);
                    convoying.insert(sea);
                }
            }
        }
        let mut later = vec![];
        for at in free {
            let unit = position.unit(at).unwrap();
            let mut goals = self.reach(position, at);
            if goals.intersects(&convoying) && self.stream.below(3) > 0 {
                goals &= convoying;
            } else if goals.intersects(position.occupied()) && self.stream.below(2) == 0 {
                goals &= *position.occupied();
            }
            let attacked = position.occupied().iter().any(|p| match orders[p] {
                Order::Move { to, .. } => to.province == at,
                _ => false,
            });
            if self.stream.below(5) < if attacked { 4 } else { 2 } {
                later.push(at);
                continue;
            }
            let Some(to) = self.pick(goals) else { continue };
            let to = match unit.kind {
                UnitKind::Army => Location::from(to),
                UnitKind::Fleet => {
                    let from = Location { province: at, coast: unit.coast };
                    board.fleet_moves(from).iter().find(|l| l.province == to).unwrap()
                }
            };
            orders[at] = Order::Move { to, route: Route::Direct };
        }
        for at in later {
            let reach = self.reach(position, at);
            let mut choices = vec![];
            for other in *position.occupied() {
                let (order, weight) = match orders[other] {
                    Order::Move { to, .. }
                        if other != at && to.province != at && reach.contains(to.province) =>
                    {
                        let weight = if convoying.contains(to.province) { 6 } else { 2 };
                        (Order::SupportMove { unit: other, to: to.province, coast: None }, weight)
                    }
                    Order::Move { .. } => continue,
                    _ if other != at && reach.contains(other) => {
                        let weight = if convoying.contains(other) { 3 } else { 1 };
                        (Order::SupportHold { unit: other }, weight)
                    }
                    _ => continue,
                };
                choices.extend(vec![order; weight]);
            }
            if let Some(&order) = self.stream.choose(&choices) {
                orders[at] = order;
            }
        }
        orders
    }
}

/// Compares the two on this many positions; returns how often each way of settling occurred.
fn compare(rulebook: &Rulebook, positions: u64) -> [u64; 3] {
    let standard = Standard::load();
    let mut adjudicator = Adjudicator::default();
    let mut counts = [0; 3];
    for n in 0..positions {
        let stream = Stream::keyed(1, Purpose::Bot, &[n]);
        let mut generator = Generator { standard: &standard, stream };
        let position = generator.position();
        let orders = generator.orders(&position);
        let slow = reference::settle(&standard.board, rulebook, &position, &orders);
        let fast = adjudicator.resolve(&standard.board, rulebook, &position, &orders);
        counts[slow.how as usize] += 1;
        let moved: ProvinceSet = position.occupied().iter().filter(|&p| fast.moved(p)).collect();
        let dislodged: ProvinceSet =
            position.occupied().iter().filter(|&p| fast.dislodged_by(p).is_some()).collect();
        assert!(
            (moved, dislodged) == (slow.moved, slow.dislodged),
            "position {n}:\n{}fast: moved {:?} dislodged {:?}\nslow: moved {:?} dislodged {:?} {:?}",
            standard.describe(&position, &orders),
            standard.names(moved),
            standard.names(dislodged),
            standard.names(slow.moved),
            standard.names(slow.dislodged),
            slow.how,
        );
    }
    counts
}

#[test]
fn they_agree_under_2023() {
    let positions = testkit::amount(2_000, 25_000);
    let counts = compare(&Rulebook::R2023, positions);
    println!("one outcome, circles, paradoxes: {counts:?}");
    let seen = |how: How, one_in: u64| counts[how as usize] > positions / one_in;
    assert!(seen(How::Circle, 400) && seen(How::Paradox, 2_000), "{counts:?}");
}

#[test]
fn they_agree_under_1971() {
    let positions = testkit::amount(1_000, 6_250);
    let counts = compare(&Rulebook::R1971, positions);
    println!("one outcome, circles, paradoxes: {counts:?}");
    assert!(counts[How::Circle as usize] > positions / 1_000, "{counts:?}");
}
