//! Whatever is read from outside may be anything: it is answered or refused, and never a panic. The mutations are
//! seeded, so that a failure comes again. `UPHEAVAL_SLOW_TESTS=10` tries ten times as many.

use std::path::Path;
use std::sync::LazyLock;

use serde_json::{Map, Value, json};
use testkit::amount;
use upheaval::adjudicate::Desk;
use upheaval::bot::BotMaker;
use upheaval::diagnostic::Source;
use upheaval::ids::{Location, Powers, ProvinceId, ProvinceSet, UnitKind};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::legal::{self, ConvoyChains};
use upheaval::rules::notation::WrittenOrder;
use upheaval::rules::order::{Order, Orders};
use upheaval::rules::position::{Cargo, Position, Unit};
use upheaval::rules::variant::Variant;
use upheaval::sim::{BotEntry, BotOrigin, Catalogue, Experiment, LookupError, Overrides, VariantEntry};
use upheaval::topology::MapEvent;

const DATC: &str = include_str!("data/datc/datc_3_2.jsonl");

/// Words that mean something in one place or another, and some that never do.
const WORDS: [&str; 44] = [
    "A PAR",
    "F STP/NC",
    "F SPA/SC",
    "A BUR.1",
    "A MUN#2",
    "A MUN#0",
    "A SWI",
    "F SWI",
    "A OUT",
    "F MAR",
    "A MAO",
    "PAR",
    "SPA/XC",
    "A PAR - BUR",
    "A LON - BEL VIA",
    "F MAO - SPA/SC",
    "A MAR S A PAR - BUR",
    "F ENG C A LON - BRE",
    "A PAR R PIC",
    "A PAR D",
    "A PAR B",
    "F STP/NC B",
    "WAIVE",
    "EXEMPT PAR",
    "ANNOUNCE",
    "F GAS COAST WC",
    "A LON E F ENG",
    "A/F ENG - MAO",
    "MAO D POR",
    "A LON T F",
    "SEPARATE POR SPA CONNECT MAO MAO",
    "collapse MAR",
    "void BUR",
    "split BUR PAR MUN",
    "S1901M",
    "F1901R",
    "W9999A",
    "S0000M",
    "F1901E",
    "black-hole",
    "1971",
    "",
    "A",
    "\u{1F30A} É",
];

/// Changes something somewhere in a value.
fn mutate(value: &mut Value, stream: &mut Stream) {
    if stream.below(4) > 0 {
        match value {
            Value::Object(map) if !map.is_empty() => {
                let i = stream.below(map.len() as u32) as usize;
                let key = map.keys().nth(i).cloned().unwrap();
                match stream.below(12) {
                    0 => drop(map.remove(&key)),
                    1 => {
                        let moved = map.remove(&key).unwrap();
                        map.insert(WORDS[stream.below(WORDS.len() as u32) as usize].to_owned(), moved);
                    }
                    _ => mutate(&mut map[&key], stream),
                }
                return;
            }
            Value::Array(list) if !list.is_empty() => {
                let i = stream.below(list.len() as u32) as usize;
                match stream.below(8) {
                    0 => drop(list.remove(i)),
                    1 => list.push(list[i].clone()),
                    _ => mutate(&mut list[i], stream),
                }
                return;
            }
            Value::String(text) => {
                let mut letters: Vec<char> = text.chars().collect();
                let i = stream.below(letters.len() as u32 + 1) as usize;
                match stream.below(4) {
                    0 if i < letters.len() => drop(letters.remove(i)),
                    1 => letters.insert(i, ['#', '/', ' ', '0', 'É', '-', '.'][stream.below(7) as usize]),
                    2 => letters.truncate(i),
                    _ => letters = WORDS[stream.below(WORDS.len() as u32) as usize].chars().collect(),
                }
                *text = letters.into_iter().collect();
                return;
            }
            _ => {}
        }
    }
    *value = match stream.below(8) {
        0 => Value::Null,
        1 => json!([]),
        2 => json!({}),
        3 => json!(-1),
        4 => json!(1e300),
        5 => json!({"FRANCE": ["A PAR - BUR"]}),
        _ => WORDS[stream.below(WORDS.len() as u32) as usize].into(),
    };
}

/// A request as good as any, from a record of the test cases.
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

/// A request from a random position on a torn map, every order a legal one.
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
    let mut terrain = upheaval::rules::terrain::Terrain::clone(&variant.terrain);
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
            position.place(
                at,
                Unit::new(kind, Powers::STANDARD.get(stream.below(7) as usize).expect("a power"), coast),
            );
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
            // Two orders to land from one sea are two for one army.
            if let Some(&landing) = stream.choose(&landings).filter(|_| !landing_from.contains(there)) {
                landing_from.insert(there);
                of_power.push(WrittenOrder::from_landing(landing).display(names).to_string());
            }
        }
        powers.insert(power.name().to_owned(), json!({"units": units, "centers": []}));
        orders.insert(power.name().to_owned(), of_power.into());
    }
    let places: Vec<&str> = places.iter().map(|&place| names.province(place)).collect();
    json!({"id": 1, "variant": id, "phase": (if stream.below(2) == 0 { "S1902M" } else { "F1902M" }),
        "map_events": events, "places": places, "powers": powers, "orders": orders})
}

#[test]
fn requests_of_random_positions_are_answered_and_every_legal_order_is_read() {
    let (mut desk, mut stream) = (Desk::new(), Stream::keyed(1, Purpose::Bot, &[]));
    for i in 0..amount(500, 1_500) {
        let request = match i % 3 {
            0 => from_deluge(&mut stream).to_string(),
            _ => from_position(&mut stream).to_string(),
        };
        let answer = desk.answer(&request).unwrap_or_else(|error| panic!("{i}: {error}\n{request}"));
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
    let (mut desk, mut stream) = (Desk::new(), Stream::keyed(2, Purpose::Bot, &[]));
    let (mut answered, mut refused) = (0, 0);
    for i in 0..amount(4_000, 12_000) {
        let mut request = match i % 4 {
            0 if i % 8 == 0 => from_deluge(&mut stream),
            0 => from_position(&mut stream),
            _ => from_record(stream.choose(&records).unwrap(), &mut stream),
        };
        for _ in 0..1 + stream.below(6) {
            mutate(&mut request, &mut stream);
        }
        match desk.answer(&request.to_string()) {
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
    assert!(answered > refused / 20 && refused > answered / 20, "{answered} answered, {refused} refused");
}

#[test]
fn bytes_that_are_hardly_json_are_refused() {
    let (mut desk, mut stream) = (Desk::new(), Stream::keyed(3, Purpose::Bot, &[]));
    let lines: Vec<&str> = DATC.lines().collect();
    for _ in 0..amount(8_000, 8_000) {
        let mut bytes = stream.choose(&lines).unwrap().as_bytes().to_vec();
        scramble(&mut bytes, &mut stream);
        let _ = desk.answer(&String::from_utf8_lossy(&bytes));
    }
}

/// Changes, drops, doubles and swaps bytes.
fn scramble(bytes: &mut Vec<u8>, stream: &mut Stream) {
    for _ in 0..1 + stream.below(8) {
        let i = stream.below(bytes.len().max(1) as u32) as usize;
        match stream.below(6) {
            0 => bytes.truncate(i),
            1 if i < bytes.len() => drop(bytes.remove(i)),
            2 => bytes.insert(i, stream.next_u64() as u8),
            3 => {
                let copy: Vec<u8> = bytes[i..].iter().take(stream.below(40) as usize).copied().collect();
                bytes.splice(i..i, copy);
            }
            4 => bytes.insert(i, b"[]{}\"'=#.,\n0-"[stream.below(13) as usize]),
            _ if i < bytes.len() => bytes[i] = stream.next_u64() as u8,
            _ => {}
        }
    }
}

struct Anything;

impl Catalogue for Anything {
    fn variants(&self) -> Vec<String> {
        Variant::shipped().map(str::to_owned).collect()
    }

    fn variant(&self, name: &str, _: &Path) -> Result<VariantEntry, LookupError> {
        static STANDARD: LazyLock<Variant> =
            LazyLock::new(|| Variant::find("standard", Path::new("")).unwrap().unwrap());
        match name.len() % 3 {
            0 => Err(LookupError::Unknown),
            1 => Err(LookupError::Unusable("it is odd".to_owned())),
            _ => Ok(VariantEntry::new(Variant { id: name.to_owned(), ..STANDARD.clone() })),
        }
    }

    fn bots(&self) -> Vec<String> {
        vec!["greedy".to_owned()]
    }

    fn bot(&self, name: &str, _: &Path) -> Result<BotEntry, LookupError> {
        let (origin, pace) = (BotOrigin::Shipped, upheaval::bot::Pace::Quick);
        let maker = BotMaker::new(|| panic!("nothing is played"));
        Ok(BotEntry { name: name.to_owned(), origin, content: Value::Null, pace, maker })
    }
}

const EXPERIMENT: &str = "name = \"x\"\nvariants = [\"standard\"]\ngames = 7\nseed = 1\nlast_year = 1903\nthreads = 1\n\
    out = \"results\"\nlog.orders = true\n[seats]\nlineup = [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\"]\nrotate = true\n";

#[test]
fn experiment_and_variant_files_of_any_bytes_are_read_or_refused_with_a_place() {
    let mut stream = Stream::keyed(4, Purpose::Bot, &[]);
    let seeds = [
        EXPERIMENT,
        include_str!("../variants/black-hole.toml"),
        include_str!("../variants/standard.toml"),
        "",
        "\u{feff}",
    ];
    let (mut sound, mut faulty) = (0, 0);
    for _ in 0..amount(4_000, 4_000) {
        let mut bytes = stream.choose(&seeds).unwrap().as_bytes().to_vec();
        scramble(&mut bytes, &mut stream);
        let source = Source::new("f.toml", String::from_utf8_lossy(&bytes).into_owned());
        let experiment = Experiment::check(&source, Path::new("nowhere"), &Overrides::default(), &Anything);
        let variant = Variant::check(&source, Path::new("nowhere"));
        for message in [
            experiment.as_ref().err().map(ToString::to_string),
            variant.as_ref().err().map(ToString::to_string),
        ] {
            let Some(message) = message else {
                sound += 1;
                continue;
            };
            faulty += 1;
            assert!(message.starts_with("f.toml:") && !message.contains('\n'), "{message:?}");
        }
        if let Ok(experiment) = experiment {
            assert_eq!(experiment.canonical().hash.len(), 64);
        }
        if let Ok(variant) = variant {
            assert!(variant.content().is_object());
        }
    }
    assert!(sound > 50 && faulty > 1_000, "{sound} sound, {faulty} faulty");
}

#[test]
fn events_and_orders_of_any_text_are_read_or_refused() {
    let variant = Variant::find("standard", Path::new("")).unwrap().unwrap();
    let mut stream = Stream::keyed(5, Purpose::Bot, &[]);
    for _ in 0..amount(30_000, 30_000) {
        let mut bytes = stream.choose(&WORDS).unwrap().as_bytes().to_vec();
        scramble(&mut bytes, &mut stream);
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(order) = WrittenOrder::parse(&text, variant.terrain.names()) {
            let printed = order.display(variant.terrain.names()).to_string();
            assert!(!printed.is_empty());
        }
        if let Ok(event) = text.parse::<MapEvent>() {
            assert_eq!(event.to_string().parse::<MapEvent>().as_ref(), Ok(&event), "{text}");
            let mut chart = variant.terrain.chart().clone();
            match event.apply(&mut chart) {
                Ok(()) => assert_eq!(chart.map().faults(), Vec::<String>::new(), "{text}"),
                Err(_) => assert_eq!(chart.map().hash(), variant.terrain.hash(), "{text}"),
            }
        }
    }
}
