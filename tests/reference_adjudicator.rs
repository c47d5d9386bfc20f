//! The fast adjudicator against the slow one, on many small positions crowded with supports and convoys.

mod reference;
mod standard;

use reference::How;
use standard::Standard;
use upheaval::ids::{CoastId, Location, Power, ProvinceId, ProvinceSet, UnitKind};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::movement::Adjudicator;
use upheaval::rules::order::{Order, Orders, Route};
use upheaval::rules::position::{Position, Unit};
use upheaval::rules::rulebook::Rulebook;

/// Regions where convoys and supports get into each other's way.
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
        let mut position = Position::new();
        let units = 4 + self.stream.below(6) as usize;
        let powers = 1 + self.stream.below(4);
        while position.occupied().len() < units {
            let at = self.standard.id(region[self.stream.below(region.len() as u32) as usize]);
            let kind = if board.sea().contains(at) || self.stream.below(3) == 0 {
                UnitKind::Fleet
            } else {
                UnitKind::Army
            };
            let power = Power::ALL[self.stream.below(powers + 1) as usize];
            position.place(at, Unit { kind, power, coast: CoastId::FIRST });
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

    /// First the moves, many of them into the region and overseas; then supports and convoys, most of which
    /// fit a move that was made.
    fn orders(&mut self, position: &Position) -> Orders {
        let board = &self.standard.board;
        let mut orders = Orders::all_hold();
        let mut rest = vec![];
        let fleets_at_sea = *position.fleets() & *board.sea();
        for at in *position.occupied() {
            let unit = position.unit(at).unwrap();
            if self.stream.below(5) >= 3 {
                rest.push(at);
                continue;
            }
            let mut goals = self.reach(position, at);
            if self.stream.below(3) > 0 && goals.intersects(position.occupied()) {
                goals &= *position.occupied();
            }
            let mut overseas = ProvinceSet::EMPTY;
            if unit.kind == UnitKind::Army {
                // Everything on the shores of up to two fleets away.
                for sea in fleets_at_sea & *board.seas_next_to(at) {
                    let mut seas = ProvinceSet::single(sea);
                    seas |= *board.seas_next_to(sea) & fleets_at_sea;
                    for land in *board.land() {
                        if board.seas_next_to(land).intersects(&seas) && land != at {
                            overseas.insert(land);
                        }
                    }
                }
                if overseas.intersects(position.occupied()) && self.stream.below(4) > 0 {
                    overseas &= *position.occupied();
                }
            }
            if !overseas.is_empty() && self.stream.below(4) > 0 {
                let to = self.pick(overseas).unwrap();
                let route = if self.stream.below(2) == 0 { Route::Convoy } else { Route::Direct };
                orders[at] = Order::Move { to: to.into(), route };
            } else if let Some(to) = self.pick(goals) {
                let to = match unit.kind {
                    UnitKind::Army => Location::from(to),
                    UnitKind::Fleet => {
                        let from = Location { province: at, coast: unit.coast };
                        *board.fleet_moves(from).iter().find(|l| l.province == to).unwrap()
                    }
                };
                orders[at] = Order::Move { to, route: Route::Direct };
            }
        }
        for at in rest {
            let unit = position.unit(at).unwrap();
            let reach = self.reach(position, at);
            let mut choices = vec![];
            for other in *position.occupied() {
                if other == at {
                    continue;
                }
                let other_unit = position.unit(other).unwrap();
                match orders[other] {
                    Order::Move { to, .. } => {
                        if reach.contains(to.province) && to.province != at {
                            choices.push(Order::SupportMove { unit: other, to: to.province, coast: None });
                        }
                        let overseas = other_unit.kind == UnitKind::Army
                            && unit.kind == UnitKind::Fleet
                            && board.sea().contains(at);
                        if overseas {
                            let convoy = Order::Convoy { army: other, to: to.province };
                            let near = board.seas_next_to(other).contains(at);
                            choices.extend(vec![convoy; if near { 4 } else { 2 }]);
                        }
                    }
                    _ if reach.contains(other) => choices.push(Order::SupportHold { unit: other }),
                    _ => {}
                }
            }
            if let Some(&order) = self.stream.choose(&choices) {
                orders[at] = order;
            }
        }
        orders
    }
}

fn describe(standard: &Standard, position: &Position, orders: &Orders) -> String {
    let name = |p: ProvinceId| standard.name(p);
    let mut text = String::new();
    for at in *position.occupied() {
        let unit = position.unit(at).unwrap();
        let order = match orders[at] {
            Order::Hold => "H".to_owned(),
            Order::Move { to, route } => {
                format!("- {}{}", name(to.province), if route == Route::Convoy { " VIA" } else { "" })
            }
            Order::SupportHold { unit } => format!("S {}", name(unit)),
            Order::SupportMove { unit, to, .. } => format!("S {} - {}", name(unit), name(to)),
            Order::Convoy { army, to } => format!("C {} - {}", name(army), name(to)),
        };
        text += &format!("  {} {} {order}\n", unit.power, standard.unit_text(at, unit));
    }
    text
}

/// Compares the two on so many positions; returns how often each way of settling came up.
fn compare(rulebook: &Rulebook, positions: u64) -> [u32; 3] {
    let standard = Standard::load();
    let mut adjudicator = Adjudicator::new();
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
        let names = |set: ProvinceSet| set.iter().map(|p| standard.name(p).to_owned()).collect::<Vec<_>>();
        assert!(
            (moved, dislodged) == (slow.moved, slow.dislodged),
            "position {n}:\n{}fast: moved {:?} dislodged {:?}\nslow: moved {:?} dislodged {:?} {:?}",
            describe(&standard, &position, &orders),
            names(moved),
            names(dislodged),
            names(slow.moved),
            names(slow.dislodged),
            slow.how,
        );
    }
    counts
}

#[test]
fn they_agree_under_2023() {
    let counts = compare(&Rulebook::R2023, 100_000);
    println!("one outcome, circles, paradoxes: {counts:?}");
    assert!(counts[How::Circle as usize] > 500 && counts[How::Paradox as usize] > 100, "{counts:?}");
}

#[test]
fn they_agree_under_1971() {
    let counts = compare(&Rulebook::R1971, 20_000);
    println!("one outcome, circles, paradoxes: {counts:?}");
    assert!(counts[How::Circle as usize] > 50, "{counts:?}");
}
