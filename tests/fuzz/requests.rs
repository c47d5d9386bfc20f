//! Requests to `adjudicate`.

use crate::helpers::name_of;
use std::path::Path;

use super::{inputs, mutate, scramble};
use serde_json::{Map, Value, json};
use upheaval::adjudicate::AdjudicationService;
use upheaval::ids::{Location, Power, Powers, ProvinceId, ProvinceSet, UnitKind};
use upheaval::rng::Stream;
use upheaval::rules::legal::{self, ConvoyChains};
use upheaval::rules::notation::WrittenOrder;
use upheaval::rules::order::{Order, Orders};
use upheaval::rules::position::{Cargo, Position, Unit};
use upheaval::rules::variant::Variant;
use upheaval::topology::MapEvent;

const DATC: &str = include_str!("../data/datc/datc_3_2.jsonl");

/// A valid request, from a record of the test cases.
fn from_record(record: &Value, stream: &mut Stream) -> Value {
    let mut powers = record["powers"].clone();
    for (_, power) in powers.as_object_mut().unwrap() {
        let retreats: Vec<Value> = power["retreats"]
            .as_object()
            .unwrap()
            .keys()
            .map(|unit| match stream.below(2) {
                0 => json!({"unit": unit, "from": "BUR", "via_convoy": true}),
                _ => json!({"unit": unit, "options": ["BUR", "SPA/SC"]}),
            })
            .collect();
        power["retreats"] = retreats.into();
    }
    let (variant, state) = match stream.below(2) {
        0 => ("standard", json!({})),
        _ => ("black-hole", json!({"exempt": {"FRANCE": "PAR"}})),
    };
    json!({"id": record["id"], "phase": record["phase"], "powers": powers, "orders": record["orders"],
        "variant": variant, "state": state,
        "rulebook": if stream.below(2) == 0 { "2023" } else { "1971" },
        "map_events": [], "nature": [], "contested": ["TYR"]})
}

/// A request from a random position on a changed map, with legal orders only.
fn from_position(stream: &mut Stream) -> Value {
    let mut request = from_position_of("black-hole", &["collapse", "void", "submerge"], stream);
    let places = request["places"].take();
    let hole = stream.choose(places.as_array().unwrap()).unwrap().as_str().unwrap().to_owned();
    request["nature"] = json!([format!("collapse {hole}")]);
    request.as_object_mut().unwrap().remove("places");
    request
}

/// The same with rising water and armies that go aboard, land and become fleets.
fn from_deluge(stream: &mut Stream) -> Value {
    let mut request = from_position_of("deluge-ii", &["submerge"], stream);
    request.as_object_mut().unwrap().remove("places");
    request
}

fn from_position_of(variant: &str, verbs: &[&str], stream: &mut Stream) -> Value {
    let id = variant;
    let variant = Variant::find(id, Path::new("")).unwrap().unwrap();
    let mut terrain = upheaval::rules::map_tables::MapTables::clone(&variant.terrain);
    let mut events = Vec::new();
    for _ in 0..stream.below(12) {
        let open: Vec<ProvinceId> = terrain.board().passable().iter().collect();
        let name = terrain.chart().map().name(*stream.choose(&open).unwrap()).to_owned();
        let event = format!("{} {name}", stream.choose(verbs).unwrap());
        let parsed: MapEvent = event.parse().unwrap();
        if terrain.change(|chart| parsed.apply(chart)).is_ok() {
            events.push(event);
        }
    }
    let (board, names) = (terrain.board(), terrain.names());
    let mut position = Position::new(Powers::STANDARD);
    let places: Vec<ProvinceId> = board.passable().iter().collect();
    for _ in 0..stream.below(34) {
        let at = *stream.choose(&places).unwrap();
        let stations: Vec<Location> = board.stations_of(at).collect();
        let (kind, coast) = match stream.choose(&stations) {
            Some(station) if board.sea().contains(at) || stream.below(2) == 0 => {
                (UnitKind::Fleet, station.coast)
            }
            _ => (UnitKind::Army, Default::default()),
        };
        if kind == UnitKind::Fleet || board.land().contains(at) {
            position.place(at, Unit::new(kind, *stream.choose(&Power::STANDARD).expect("a power"), coast));
        }
        let afloat = kind == UnitKind::Fleet && board.sea().contains(at);
        if afloat && variant.rulebook.army_fleets.allowed() && stream.below(2) == 0 {
            position.set_cargo(at, Cargo::Army { seasons: 0 });
        }
    }
    let chains = ConvoyChains::new(board, &variant.rulebook, &position);
    let mut all = Orders::all_hold();
    for at in *position.occupied() {
        all[at] = legal::draw(board, &position, &chains, at, stream).unwrap();
    }
    let (mut powers, mut orders) = (Map::new(), Map::new());
    for power in Powers::STANDARD {
        let (mut units, mut of_power) = (Vec::new(), Vec::new());
        for at in *position.units_of(power) {
            let unit = position.unit(at).unwrap();
            units.push(names.unit(position.location(at).unwrap(), unit.designation()).to_string());
            of_power.push(WrittenOrder::from_orders(&position, &all, at).unwrap().display(names).to_string());
        }
        let mut landing_from = ProvinceSet::EMPTY;
        for fleet in *position.units_of(power) & *position.fleets() {
            let there = match all[fleet] {
                Order::Move { to, .. } => to.province,
                _ => fleet,
            };
            let boards = |army: ProvinceId| all[army] == Order::Embark { fleet };
            let laden = position.laden().contains(fleet) || position.units_of(power).iter().any(boards);
            let landings: Vec<_> = legal::landings(board, &position, &chains, fleet)
                .filter(|l| laden && l.from == there)
                .collect();
            // Two orders to land from one sea are two orders for one army.
            if let Some(&landing) = stream.choose(&landings).filter(|_| !landing_from.contains(there)) {
                landing_from.insert(there);
                of_power.push(WrittenOrder::from_landing(landing).display(names).to_string());
            }
        }
        powers.insert(name_of(power), json!({"units": units, "centers": []}));
        orders.insert(name_of(power), of_power.into());
    }
    let places: Vec<&str> = places.iter().map(|&place| names.province(place)).collect();
    json!({"id": 1, "variant": id, "phase": (if stream.below(2) == 0 { "S1902M" } else { "F1902M" }),
        "map_events": events, "places": places, "powers": powers, "orders": orders})
}

#[test]
fn requests_of_random_positions_are_answered_and_every_legal_order_is_read() {
    let mut service = AdjudicationService::new();
    for mut input in inputs("positions", 500) {
        let request = match input.number % 3 {
            0 => from_deluge(&mut input.dice).to_string(),
            _ => from_position(&mut input.dice).to_string(),
        };
        let answer = service.answer(&request).unwrap_or_else(|error| panic!("{error}\n{request}"));
        for (power, of_power) in &answer.results {
            for (order, words) in of_power {
                assert!(!words.as_array().unwrap().contains(&"illegal".into()), "{power} {order}\n{request}");
            }
        }
    }
}

#[test]
fn mutated_requests_are_answered_or_refused_in_a_line() {
    let records: Vec<Value> = DATC.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut service = AdjudicationService::new();
    let (mut answered, mut refused) = (0, 0);
    let inputs = inputs("requests", 4_000);
    let are_many = inputs.are_many();
    for mut input in inputs {
        let dice = &mut input.dice;
        let mut request = match input.number % 8 {
            0 => from_deluge(dice),
            4 => from_position(dice),
            _ => from_record(dice.choose(&records).unwrap(), dice),
        };
        for _ in 0..1 + dice.below(6) {
            mutate(&mut request, dice);
        }
        match service.answer(&request.to_string()) {
            Ok(answer) => {
                answered += 1;
                let units: usize = answer.units_after.values().map(Vec::len).sum();
                assert!(units < 256, "{request}");
                assert!(serde_json::to_string(&answer).is_ok());
            }
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty(), "{request}");
            }
        }
    }
    let balanced = answered > refused / 20 && refused > answered / 20;
    assert!(balanced || !are_many, "{answered} answered, {refused} refused");
}

#[test]
fn bytes_that_are_hardly_json_are_refused() {
    let mut service = AdjudicationService::new();
    let lines: Vec<&str> = DATC.lines().collect();
    for mut input in inputs("bytes", 8_000) {
        let mut bytes = input.dice.choose(&lines).unwrap().as_bytes().to_vec();
        scramble(&mut bytes, &mut input.dice);
        let _ = service.answer(&String::from_utf8_lossy(&bytes));
    }
}
