//! The work of a game in every phase needs no memory once its tables exist: movement is settled, legal orders are
//! listed and drawn, and chains of fleets are followed without one allocation.

use std::path::Path;

use crate::rules::drawn::AMPHIBIOUS;
use allocation_counter::measure;
use upheaval::ids::{CoastId, Location, Powers, ProvinceId, UnitKind};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::legal::{self, ConvoyChains};
use upheaval::rules::movement::Adjudicator;
use upheaval::rules::order::{Order, Orders};
use upheaval::rules::position::{Cargo, Position, Retreats, Unit};
use upheaval::rules::retreat;
use upheaval::rules::rulebook::Rulebook;
use upheaval::rules::variant::Variant;
use upheaval::topology::{Board, derive};

const POSITIONS: usize = 1_000;

/// Every other position is one with army/fleets.
struct Case {
    board: usize,
    rulebook: Rulebook,
    position: Position,
    orders: Orders,
}

/// The standard board, and boards with more and more holes in them.
fn boards(stream: &mut Stream) -> Vec<Board> {
    let variant = Variant::find("standard", Path::new("")).unwrap().unwrap();
    let mut chart = variant.terrain.chart().clone();
    let mut boards = vec![derive(chart.map())];
    for _ in 0..30 {
        let open: Vec<ProvinceId> = boards[boards.len() - 1].passable().iter().collect();
        chart.collapse(*stream.choose(&open).unwrap()).unwrap();
        boards.push(derive(chart.map()));
    }
    boards
}

fn position(board: &Board, stream: &mut Stream) -> Position {
    let mut position = Position::new(Powers::STANDARD);
    let places: Vec<ProvinceId> = board.passable().iter().collect();
    for _ in 0..5 + stream.below(35) {
        let at = *stream.choose(&places).unwrap();
        let stations: Vec<Location> = board.stations_of(at).collect();
        let fleet = board.sea().contains(at) || (!stations.is_empty() && stream.below(3) == 0);
        let (kind, coast) = match stream.choose(&stations) {
            Some(station) if fleet => (UnitKind::Fleet, station.coast),
            _ => (UnitKind::Army, CoastId::FIRST),
        };
        position.place(
            at,
            Unit::new(kind, Powers::STANDARD.get(stream.below(7) as usize).expect("a power"), coast),
        );
    }
    position
}

fn cases() -> (Vec<Board>, Vec<Case>) {
    let mut stream = Stream::keyed(31, Purpose::Bot, &[]);
    let boards = boards(&mut stream);
    let cases = (0..POSITIONS)
        .map(|i| {
            let board = i % boards.len();
            let mut position = position(&boards[board], &mut stream);
            let rulebook = [Rulebook::R2023, AMPHIBIOUS][i / boards.len() % 2];
            for fleet in (*position.fleets() & *boards[board].sea()).iter().filter(|_| rulebook == AMPHIBIOUS)
            {
                if stream.below(2) == 0 {
                    position.set_cargo(fleet, Cargo::Army { seasons: 0 });
                }
            }
            let chains = ConvoyChains::new(&boards[board], &rulebook, &position);
            let mut orders = Orders::all_hold();
            for at in *position.occupied() {
                orders[at] = legal::draw(&boards[board], &position, &chains, at, &mut stream).unwrap();
            }
            for fleet in *position.fleets() {
                let landings: Vec<_> = legal::landings(&boards[board], &position, &chains, fleet).collect();
                stream.choose(&landings).into_iter().for_each(|&landing| orders.land(landing));
            }
            Case { board, rulebook, position, orders }
        })
        .collect();
    (boards, cases)
}

/// Does the work once so that the tables grow, and again under the counter.
fn allocations_of_the_second_time(mut work: impl FnMut()) -> u64 {
    work();
    measure(work).count_total
}

#[test]
fn the_counter_counts() {
    assert_eq!(measure(|| drop(std::hint::black_box(vec![1u8; 100]))).count_total, 1);
}

#[test]
fn movement_is_settled_without_an_allocation_from_the_first_call() {
    let (boards, cases) = cases();
    let mut adjudicator = Adjudicator::default();
    for rulebook in [Rulebook::R2023, Rulebook::R1971] {
        for Case { board, rulebook: units, position, orders } in &cases {
            let rulebook = rulebook.with_units_of(units);
            let count = measure(|| {
                adjudicator.resolve(&boards[*board], &rulebook, position, orders);
            });
            assert_eq!(count.count_total, 0);
        }
    }
}

#[test]
fn movement_is_carried_out_without_an_allocation() {
    let (boards, cases) = cases();
    let (mut adjudicator, mut retreats) = (Adjudicator::default(), Retreats::default());
    let (mut dislodged, mut landed) = (0, 0);
    let count = allocations_of_the_second_time(|| {
        for Case { board, rulebook, position, orders } in &cases {
            let mut position = position.clone();
            let resolution = adjudicator.resolve(&boards[*board], rulebook, &position, orders);
            landed += resolution.landed().count();
            resolution.apply_into(&mut position, orders, &mut retreats);
            dislodged += retreats.dislodged.len();
        }
    });
    assert_eq!(count, 0);
    assert!(dislodged > 20 && landed > 20, "{dislodged} units were dislodged, {landed} armies landed");
}

#[test]
fn chains_of_fleets_are_followed_without_an_allocation() {
    let (boards, cases) = cases();
    let mut chains = ConvoyChains::default();
    let count = allocations_of_the_second_time(|| {
        for Case { board, rulebook, position, .. } in &cases {
            chains.update(&boards[*board], rulebook, position);
        }
    });
    assert_eq!(count, 0);
}

#[test]
fn legal_orders_are_listed_counted_drawn_and_checked_without_an_allocation() {
    let (boards, cases) = cases();
    let (mut chains, mut list) = (ConvoyChains::default(), Vec::<Order>::new());
    let mut stream = Stream::keyed(1, Purpose::Bot, &[]);
    let (mut listed, mut landings) = (0, 0);
    let count = allocations_of_the_second_time(|| {
        for Case { board, rulebook, position, orders } in &cases {
            let board = &boards[*board];
            chains.update(board, rulebook, position);
            for at in *position.occupied() {
                list.clear();
                legal::legal_orders(board, position, &chains, at, &mut list);
                listed += list.len();
                assert_eq!(list.len(), legal::count(board, position, &chains, at));
                assert!(legal::draw(board, position, &chains, at, &mut stream).is_some());
                assert!(legal::is_legal(board, position, &chains, at, orders[at]));
                let power = position.unit(at).map(|unit| unit.power).unwrap();
                landings += legal::landings(board, position, &chains, at).count();
                let landing = orders.landing(power, at);
                assert!(landing.is_none_or(|l| legal::is_legal_landing(board, position, &chains, l)));
            }
        }
    });
    assert_eq!(count, 0);
    assert!(listed > 100_000 && landings > 1_000, "{listed}, {landings}");
}

#[test]
fn lists_of_retreats_are_written_and_read_without_an_allocation() {
    let (boards, cases) = cases();
    let mut orders = Orders::all_hold();
    let mut places = 0;
    let count = allocations_of_the_second_time(|| {
        for Case { board, position, .. } in &cases {
            let lists = orders.retreats_mut();
            lists.clear();
            for at in *position.occupied() {
                let unit = position.unit(at).unwrap();
                lists.set(at, retreat::ways(&boards[*board], at, unit.kind, unit.coast));
            }
            places += orders.retreats().iter().map(|(_, places)| places.len()).sum::<usize>();
        }
    });
    assert_eq!(count, 0);
    assert!(places > 10_000, "{places}");
}
