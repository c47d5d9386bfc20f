//! Retreats: the order of the places that a unit without an order tries (rules.md 4.6), and the lists of those that are
//! sent with the orders (4.12).

use std::cmp::Ordering;
use std::collections::BTreeMap;

use upheaval::ids::{ByProvince, Location, Power, Powers, ProvinceId, ProvinceSet};
use upheaval::rules::order::{RetreatLists, RetreatOrder};
use upheaval::rules::position::{Dislodged, Position, Retreats, Unit};
use upheaval::rules::retreat::{RetreatDefault, RetreatOutcome, nearer_to_north, settle};
use upheaval::rules::rulebook::Rulebook;
use upheaval::topology::{Bearing, Board, ByHand};

use super::standard::Standard;

/// The places in the order in which a unit turns to them when the nearest to due north is not open. Each in turn is left
/// empty by a stand-off once it was taken; the first is one from the beginning.
fn swept(places: &[Option<Bearing>]) -> Vec<Option<Bearing>> {
    let home = ProvinceId(0);
    let place = |province: ProvinceId| places[province.index() - 1];
    let round: ProvinceSet = (1..=places.len() as u8).map(ProvinceId).collect();
    let mut reach = ByProvince::filled(ProvinceSet::EMPTY);
    reach[home] = round;
    let board = Board::by_hand(ByHand {
        land: round | ProvinceSet::single(home),
        sea: ProvinceSet::EMPTY,
        army: reach,
        seas_next_to: ByProvince::filled(ProvinceSet::EMPTY),
        coasts: ByProvince::filled(0),
        moves: BTreeMap::new(),
    });
    let default = RetreatDefault::NorthThenAnticlockwise {
        bearing: &|_, to| place(to),
        by_name: &|one, other| one.cmp(&other),
    };
    let mut retreats = Retreats {
        dislodged: vec![Dislodged {
            unit: Unit::army(Power::ITALY),
            at: home,
            attacker: None,
            attacker_convoyed: false,
        }],
        contested: ProvinceSet::single(ProvinceId(1)),
        ..Retreats::default()
    };
    let mut swept = Vec::new();
    loop {
        let mut position = Position::new(Powers::STANDARD);
        let none = ProvinceSet::EMPTY;
        let outcomes = settle(&board, &Rulebook::R2023, &mut position, &retreats, &[], &none, default);
        let Some(to) = outcomes[0].stands() else { return swept };
        swept.push(place(to.province));
        retreats.contested.insert(to.province);
    }
}

#[test]
fn nearest_to_north_is_on_either_side_and_the_sweep_begins_at_due_north() {
    let bearing = |east, north| Some(Bearing::of(east, north));
    let north = bearing(0.0, 2.0);
    let south = bearing(0.0, -2.0);
    let hair_east = bearing(0.01, 7.0);
    let (north_west, north_east) = (bearing(-3.0, 3.0), bearing(3.0, 3.0));
    let (south_west, south_east) = (bearing(-1.0, -5.0), bearing(1.0, -5.0));
    let all = [south, None, south_east, north_east, hair_east, south_west, north_west, north];
    let mut sorted = all;
    sorted.sort_by(|one, other| nearer_to_north(*one, *other));
    assert_eq!(sorted, [north, hair_east, north_west, north_east, south_west, south_east, south, None]);
    // Of the two due north, the first by name is the nearest.
    let nearest = bearing(0.0, 1.0);
    assert_eq!(
        swept(&[&[nearest], &all[..]].concat()),
        [north, north_west, south_west, south, south_east, north_east, hair_east, None]
    );
    // Mirrored positions have equal angles, whatever the numbers.
    for (east, north) in [(0.1, 0.3), (449.9, 156.8), (1e-9, 7.0), (3.0, -1.7)] {
        let [west, east] = [-east, east].map(|east| bearing(east, north));
        assert_eq!(nearer_to_north(west, east), Ordering::Less);
    }
}

#[test]
fn defaults_go_one_after_the_other_and_see_each_other() {
    let standard = Standard::load();
    let names = &standard.names;
    let dislodged = |at: &str, attacker: &str| Dislodged {
        unit: Unit::army(Power::ITALY),
        at: standard.id(at),
        attacker: Some(standard.id(attacker)),
        attacker_convoyed: false,
    };
    let retreats =
        Retreats { dislodged: vec![dislodged("BOH", "SIL"), dislodged("RUH", "KIE")], ..Retreats::default() };
    let by_name = |a: Location, b: Location| {
        (names.province(a.province), names.coast(a)).cmp(&(names.province(b.province), names.coast(b)))
    };
    // Munich is the first choice from everywhere, then Burgundy.
    let bearing = |_: ProvinceId, to: ProvinceId| match names.province(to) {
        "MUN" => Some(Bearing::NORTH),
        "BUR" => Some(Bearing::of(-1.0, 1.0)),
        _ => Some(Bearing::of(-1.0, 0.0)),
    };
    let default = RetreatDefault::NorthThenAnticlockwise { bearing: &bearing, by_name: &by_name };
    let stands = |orders: &[Option<RetreatOrder>]| -> Vec<Option<&str>> {
        let mut position = Position::new(Powers::STANDARD);
        position.place(standard.id("VIE"), Unit::army(Power::AUSTRIA));
        let doomed = ProvinceSet::single(standard.id("TYR"));
        let outcomes =
            settle(&standard.board, &Rulebook::R2023, &mut position, &retreats, orders, &doomed, default);
        let place = |outcome: &RetreatOutcome| outcome.stands().map(|to| standard.name(to.province));
        outcomes.iter().map(place).collect()
    };
    assert_eq!(stands(&[None]), [Some("MUN"), Some("BUR")]);
    // An ordered retreat is settled before any default.
    let to = Location::from(standard.id("MUN"));
    assert_eq!(stands(&[None, Some(RetreatOrder::Retreat { to })]), [Some("GAL"), Some("MUN")]);
}

fn places(provinces: &[u8]) -> Vec<Location> {
    provinces.iter().map(|&id| ProvinceId(id).into()).collect()
}

#[test]
fn the_last_list_of_a_unit_counts_and_one_without_places_is_none() {
    let mut lists = RetreatLists::default();
    lists.set(ProvinceId(7), places(&[1, 2]));
    lists.set(ProvinceId(3), places(&[4]));
    lists.set(ProvinceId(7), places(&[5, 1, 2]));
    assert_eq!(lists.of(ProvinceId(7)), places(&[5, 1, 2]));
    assert_eq!(lists.iter().map(|(unit, _)| unit.0).collect::<Vec<_>>(), [3, 7]);
    let mut same = RetreatLists::default();
    same.set(ProvinceId(3), places(&[4]));
    assert_ne!(lists, same);
    lists.set(ProvinceId(7), []);
    lists.set(ProvinceId(8), []);
    assert_eq!(lists, same);
    assert!(lists.of(ProvinceId(7)).is_empty() && !lists.is_empty());
    lists.clear();
    assert!(lists.is_empty());
}
