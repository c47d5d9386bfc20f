//! Sets of random grammar on random boards after random changes: the fast evaluation and the slow one agree.

use std::collections::BTreeMap;

use testkit::amount;
use upheaval::ids::{ByPower, CoastId, Power, ProvinceId, ProvinceSet, UnitKind};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::changes::{Names, Scene, parse_set};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::position::{Position, Unit};
use upheaval::topology::{FaceKind, NamedMap, atlas};

use super::draw::{self, Terms};
use super::reference::{Face, Known, faces, is_in};
use crate::helpers::{boards, charts, small_maps};
use crate::map::walks::Kind;

/// A map, and random places that entries have changed.
struct Scenery {
    terrain: MapTables,
    position: Position,
    held: Vec<ProvinceSet>,
    new: Vec<ProvinceSet>,
    last: Vec<ProvinceSet>,
    lately: Vec<ProvinceSet>,
    countries: ByPower<ProvinceSet>,
}

impl Scene for Scenery {
    fn terrain(&self) -> &MapTables {
        &self.terrain
    }

    fn held(&self, entry: usize) -> ProvinceSet {
        self.held[entry]
    }

    fn fresh(&self, entry: usize) -> ProvinceSet {
        self.new[entry]
    }

    fn position(&self) -> &Position {
        &self.position
    }

    fn last(&self, entry: usize) -> ProvinceSet {
        self.last[entry]
    }

    fn occupied_lately(&self, seasons: u8) -> Option<ProvinceSet> {
        self.lately.get(..usize::from(seasons)).map(|lately| lately.iter().copied().collect())
    }

    fn country(&self, power: Power) -> ProvinceSet {
        self.countries[power]
    }
}

impl Known for Scenery {
    fn is_held(&self, entry: usize, face: &Face) -> bool {
        self.held[entry].contains(face.id)
    }

    fn is_new(&self, entry: usize, face: &Face) -> bool {
        self.new[entry].contains(face.id)
    }

    fn is_last(&self, entry: usize, face: &Face) -> bool {
        self.last[entry].contains(face.id)
    }

    fn chart(&self) -> &NamedMap {
        self.terrain.chart()
    }

    fn position(&self) -> Option<&Position> {
        Some(&self.position)
    }

    fn is_idle(&self, seasons: u8, face: &Face) -> bool {
        let played = self.lately.iter().take(seasons.into());
        played.clone().count() == usize::from(seasons) && !played.into_iter().any(|set| set.contains(face.id))
    }

    fn is_of_country(&self, power: Power, face: &Face) -> bool {
        self.countries[power].contains(face.id)
    }
}

/// Random units and owners on this ground.
fn position(terrain: &MapTables, dice: &mut Stream) -> Position {
    let mut position = Position::new(terrain.powers());
    let powers: Vec<Power> = terrain.powers().iter().collect();
    for at in terrain.board().passable() {
        let power = *dice.choose(&powers).expect("a power");
        if dice.below(3) == 0 {
            let kind = if terrain.board().sea().contains(at) { UnitKind::Fleet } else { UnitKind::Army };
            position.place(at, Unit::new(kind, power, CoastId::FIRST));
        }
        if terrain.centres().contains(at) && dice.below(3) > 0 {
            position.set_owner(at, Some(*dice.choose(&powers).expect("a power")));
        }
    }
    position
}

/// The board with this number: those that ship, small ones, and random ones with points.
fn board(number: u64) -> NamedMap {
    match number % 6 {
        0 => atlas::standard(),
        1 => atlas::parse("deluge", &testkit::read("maps/deluge.json")).expect("it ships"),
        2 => small_maps::chart(small_maps::RING),
        3 => small_maps::chart(&small_maps::ocean(4, 6)),
        _ => {
            let (_, map) = boards::random(number, "map.json".as_ref());
            atlas::parse("map.json", &map.to_string()).unwrap_or_else(|error| panic!("{error}"))
        }
    }
}

#[test]
fn a_set_has_the_faces_that_the_definitions_give_it() {
    let (mut empty, mut full) = (0, 0);
    for number in 0..amount(20, 60) {
        let mut dice = Stream::keyed(4801, Purpose::Bot, &[number]);
        let start = board(number);
        let mut chart = start.clone();
        for _ in 0..dice.below(14) {
            chart.begin_change();
            Kind::of_faces_and_borders(&mut dice).happens(&mut chart, &mut dice);
        }
        let now = faces(&chart);
        let ids: Vec<String> = ["tide", "west", "sea-holes"].map(str::to_owned).to_vec();
        let mut some =
            || now.iter().map(|face| face.id).filter(|_| dice.below(3) == 0).collect::<ProvinceSet>();
        let (held, new) = ([some(), some(), some()].to_vec(), [some(), some(), some()].to_vec());
        let (last, lately) = ([some(), some(), some()].to_vec(), [some(), some()].to_vec());
        let countries = ByPower::from_fn(chart.powers(), |_| some());
        let terrain = MapTables::new(chart);
        let position = position(&terrain, &mut dice);
        let scene = Scenery { terrain, position, held, new, last, lately, countries };
        let mut codes = draw::codes(&start, &[FaceKind::Land, FaceKind::Sea, FaceKind::Impassable]);
        codes.extend(codes.clone().iter().map(|code| code.to_lowercase()));
        let known: Vec<&str> = ids.iter().map(String::as_str).collect();
        let powers: Vec<String> =
            start.powers().iter().map(|power| start.power_names().name(power).to_lowercase()).collect();
        let (codes, ids, powers) = (&codes[..], &ids[..], &powers[..]);
        let drawn = draw::Names { codes, ids, earlier: 2, groups: &[], powers, terms: Terms::All };
        for _ in 0..40 {
            let (text, _) = draw::set(&mut dice, &drawn, 4);
            let (powers, groups) = (start.power_names(), &BTreeMap::new());
            let names = Names { map: start.map(), powers, ids: &known, groups, entry: Some(2) };
            let set = parse_set(&text, &names).unwrap_or_else(|faults| panic!("{text}: {faults:?}"));
            let written = set.to_string();
            assert_eq!(parse_set(&written, &names).as_ref(), Ok(&set), "{text} is written as {written}");
            let slow: ProvinceSet =
                now.iter().filter(|face| is_in(&set, face, &scene)).map(|face| face.id).collect();
            let name = |set: ProvinceSet| {
                set.iter().map(|id| scene.terrain.chart().map().name(id)).collect::<Vec<_>>()
            };
            assert_eq!(name(set.faces(&scene)), name(slow), "board {number}, {text}");
            if slow.is_empty() { empty += 1 } else { full += 1 }
        }
    }
    assert!(empty > 30 && full > 300, "{empty} empty sets, {full} others");
}

#[test]
fn a_name_with_a_dot_is_a_face_of_its_own_and_has_halves() {
    let lines = small_maps::RING.replace("NN", "ISLE.N").replace("SS", "ISLE");
    let start = small_maps::chart(&lines);
    let (powers, groups) = (start.power_names(), &BTreeMap::new());
    let names = Names { map: start.map(), powers, ids: &[], groups, entry: Some(0) };
    let mut chart = start.clone();
    charts::apply(&mut chart, "split ISLE.N WW EE").expect("a split");
    charts::apply(&mut chart, "split ISLE WW EE").expect("a split");
    let countries = ByPower::new(chart.powers());
    let terrain = MapTables::new(chart);
    let position = Position::new(terrain.powers());
    let [held, new, last, lately] = [const { Vec::new() }; 4];
    let scene = Scenery { terrain, position, held, new, last, lately, countries };
    for whole in ["ISLE.N", "ISLE"] {
        let set = parse_set(whole, &names).expect("a set");
        let halves = [format!("{whole}.1"), format!("{whole}.2")];
        let name = |id: ProvinceId| scene.terrain.chart().map().name(id).to_owned();
        assert_eq!(set.faces(&scene).iter().map(name).collect::<Vec<_>>(), halves);
    }
}
