//! Nothing depends on the order of names (army/fleet rule 3): the same position on a board with other names, played by
//! other powers, has the same result with these names. Orders are read as text.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use crate::helpers::shipped::DELUGE_II;
use crate::rules::reference_army_fleets::{DELUGE, Generator};
use crate::rules::{applied, unit_words};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use upheaval::game::Game;
use upheaval::ids::{Power, Powers, ProvinceId};
use upheaval::reading::{self, Decision, OrderSource, OrderText, Refusal};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::answers::Answers;
use upheaval::rules::game_state::GameState;
use upheaval::rules::legal::ConvoyChains;
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::movement::Adjudicator;
use upheaval::rules::notation::{WrittenOrder, WrittenUnit};
use upheaval::rules::order::{Order, Orders};
use upheaval::rules::position::{Position, Unit};
use upheaval::rules::variant::Variant;
use upheaval::topology::atlas;

/// The board of Deluge.
const BOARD: &str = include_str!("../../../maps/deluge.json");

/// New names for provinces.
type Names = BTreeMap<String, String>;

/// A text with its provinces renamed: `SPA/SC`, `MAO#2` and `A MAO D POR` too. Other words stay the same.
fn renamed(text: &str, names: &Names) -> String {
    let word = |word: &str| {
        let end = word.find(['/', '#']).unwrap_or(word.len());
        let (code, rest) = word.split_at(end);
        format!("{}{rest}", names.get(code).map_or(code, String::as_str))
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// A map file with its provinces renamed.
fn renamed_file(value: &Value, names: &Names) -> Value {
    match value {
        Value::String(text) => json!(renamed(text, names)),
        Value::Array(list) => list.iter().map(|value| renamed_file(value, names)).collect(),
        Value::Object(map) => {
            let entry = |(key, value): (&String, &Value)| (renamed(key, names), renamed_file(value, names));
            Value::Object(map.iter().map(entry).collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}

/// The board of Deluge with its provinces renamed and some of them under water.
fn board(names: &Names, sunken: &[String]) -> MapTables {
    let file = renamed_file(&serde_json::from_str(BOARD).expect("JSON"), names);
    let mut chart = atlas::parse("renamed", &file.to_string()).expect("the same map");
    for name in sunken {
        let id = chart.map().find(&renamed(name, names)).expect("a province");
        chart.submerge(id).expect("land can sink");
    }
    MapTables::new(chart)
}

/// A position and its orders as texts.
#[derive(Clone, Debug)]
struct Texts {
    units: Vec<(Power, String)>,
    orders: Vec<(Power, String)>,
}

impl Texts {
    fn of(terrain: &MapTables, position: &Position, orders: &Orders) -> Texts {
        let names = terrain.names();
        let power = |at| position.unit(at).expect("a unit").power;
        let units = position.occupied().iter();
        let units = units.map(|at| (power(at), position.unit_named(names, at).to_string())).collect();
        let of_units = position.occupied().iter().map(|at| {
            let order = WrittenOrder::from_orders(position, orders, at).expect("a legal order");
            (power(at), order.display(names).to_string())
        });
        let landings = orders
            .landings()
            .iter()
            .map(|&landing| (landing.power, WrittenOrder::from_landing(landing).display(names).to_string()));
        Texts { units, orders: of_units.chain(landings).collect() }
    }

    fn renamed(&self, names: &Names, powers: &BTreeMap<Power, Power>) -> Texts {
        let all = |list: &[(Power, String)]| {
            list.iter().map(|(power, text)| (powers[power], renamed(text, names))).collect()
        };
        Texts { units: all(&self.units), orders: all(&self.orders) }
    }
}

/// The meaning of the orders in a movement phase with the rulebook of Deluge.
fn read(
    terrain: &MapTables,
    position: &Position,
    texts: &Texts,
    manner: OrderSource,
) -> Vec<Result<Decision, Refusal>> {
    static VARIANT: LazyLock<Arc<Variant>> =
        LazyLock::new(|| Arc::new(Variant { rulebook: DELUGE, ..DELUGE_II.variant().as_ref().clone() }));
    let phase = "S1901M".parse().expect("a phase");
    let world = GameState { position: position.clone(), ..GameState::new(Arc::new(terrain.clone())) };
    let game = Game::resumed(Arc::clone(&VARIANT), 1901, world, phase);
    let chains = ConvoyChains::new(terrain.board(), &DELUGE, position);
    let lines: Vec<OrderText<'_>> =
        texts.orders.iter().map(|(power, text)| OrderText { power: *power, text }).collect();
    reading::stage(&game, &chains, &lines, manner)
}

fn all_orders(texts: &Texts, read: &[Result<Decision, Refusal>]) -> Orders {
    let mut answers = Answers::none(Powers::STANDARD);
    for ((power, _), read) in texts.orders.iter().zip(read) {
        read.iter().for_each(|decision| answers.put(*power, decision));
    }
    answers.orders
}

/// All results, as texts, sorted.
fn settled(terrain: &MapTables, texts: &Texts) -> Vec<(Power, String)> {
    let (names, board) = (terrain.names(), terrain.board());
    let mut position = Position::new(Powers::STANDARD);
    for (power, text) in &texts.units {
        let unit = WrittenUnit::parse(text, names).expect("a unit");
        let at = unit.placed(text, names, board).expect("it can stand there");
        position.place(at.province, Unit::new(unit.kind, *power, at.coast));
    }
    let read = read(terrain, &position, texts, OrderSource::Player);
    let orders = all_orders(texts, &read);
    let mut adjudicator = Adjudicator::default();
    let resolution = adjudicator.resolve(board, &DELUGE, &position, &orders);
    let mut told: Vec<(Power, String)> = read
        .iter()
        .zip(&texts.orders)
        .map(|(read, (power, text))| {
            let words = match read {
                Ok(Decision::Order { unit, .. }) => unit_words(resolution, *unit).join(" "),
                Ok(Decision::Landing(landing)) => resolution
                    .landing_outcome(landing.power, landing.from)
                    .expect("ordered")
                    .word()
                    .to_owned(),
                other => format!("{other:?}"),
            };
            (*power, format!("{text} : {words}"))
        })
        .collect();
    let before = position.clone();
    let retreats = applied(resolution, &mut position, &orders);
    let power = |at| position.unit(at).expect("a unit").power;
    told.extend(
        position
            .occupied()
            .iter()
            .map(|at| (power(at), format!("stands {}", position.unit_named(names, at)))),
    );
    told.extend(retreats.dislodged.iter().map(|unit| {
        let from = unit.attacker.map_or("nowhere", |from| names.province(from));
        (unit.unit.power, format!("leaves {} for {from}", before.unit_named(names, unit.at)))
    }));
    told.extend(
        retreats.contested.iter().map(|at| (Power::AUSTRIA, format!("contested {}", names.province(at)))),
    );
    told.sort();
    told
}

/// The same without the ownerless parts of a contested province, for other powers.
fn by_anybody(told: Vec<(Power, String)>, powers: &BTreeMap<Power, Power>) -> Vec<(Power, String)> {
    let whose = |(power, text): (Power, String)| match text.starts_with("contested") {
        true => (power, text),
        false => (powers[&power], text),
    };
    told.into_iter().map(whose).collect()
}

/// Is there a province with two coasts in the same direction?
fn has_numbered_coasts(terrain: &MapTables) -> bool {
    let names = terrain.names();
    let mut coasts = names.iter().flat_map(|(_, id)| names.coasts(id));
    coasts.any(|name| name.ends_with(|c: char| c.is_ascii_digit()))
}

/// The names of the board in another order.
fn shuffled(terrain: &MapTables, stream: &mut Stream) -> Names {
    let all: Vec<String> = terrain.names().iter().map(|(name, _)| name.to_owned()).collect();
    let mut others = all.clone();
    stream.shuffle(&mut others);
    all.into_iter().zip(others).collect()
}

fn inverse<T: Ord + Clone>(map: &BTreeMap<T, T>) -> BTreeMap<T, T> {
    map.iter().map(|(from, to)| (to.clone(), from.clone())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if testkit::tries_all() { 24 } else { 8 }, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn army_fleet_rule_3_nothing_depends_on_the_order_of_names(seed: u64) {
        let stream = &mut Stream::keyed(seed, Purpose::Bot, &[]);
        let plain = board(&Names::new(), &[]);
        let mut land: Vec<ProvinceId> = plain.board().land().iter().collect();
        stream.shuffle(&mut land);
        let sunken = [0, 0, 8, 20][stream.below(4) as usize];
        let mut sunken: Vec<String> =
            land[..sunken].iter().map(|&id| plain.names().province(id).to_owned()).collect();
        // If two coasts have the same direction, the alphabet determines which is the first (docs/adjudicate.md): such
        // boards are skipped.
        let mut here = board(&Names::new(), &sunken);
        while has_numbered_coasts(&here) {
            sunken.pop();
            here = board(&Names::new(), &sunken);
        }
        let names = shuffled(&here, stream);
        let there = board(&names, &sunken);
        let back = inverse(&names);
        for round in 0..60 {
            let mut generator =
                Generator::new(here.board(), Stream::keyed(seed, Purpose::Bot, &[1, round]));
            generator.place_units();
            generator.give_orders();
            let (position, mut orders) = generator.into_position();
            leave_one_ferry(&position, &mut orders);
            let texts = Texts::of(&here, &position, &orders);
            let mut others = Power::STANDARD;
            stream.shuffle(&mut others);
            let powers: BTreeMap<Power, Power> = Powers::STANDARD.iter().zip(others).collect();
            let expected = settled(&here, &texts);
            let found = settled(&there, &texts.renamed(&names, &powers));
            let found = found.into_iter().map(|(power, text)| (power, renamed(&text, &back))).collect();
            let mut found = by_anybody(found, &inverse(&powers));
            found.sort();
            prop_assert_eq!(expected, found, "{:?}\n{:?}", names, texts);
        }
    }

    /// The second half of the promise, for game files: the texts contain which landings were ordered, in whatever way a
    /// bot wrote them onto its sheet.
    #[test]
    fn army_fleet_rule_3_a_record_says_which_landings_were_ordered(seed: u64) {
        let here = board(&Names::new(), &[]);
        for round in 0..60 {
            let mut generator =
                Generator::new(here.board(), Stream::keyed(seed, Purpose::Bot, &[2, round]));
            generator.place_units();
            generator.give_orders();
            let (position, orders) = generator.into_position();
            let texts = Texts::of(&here, &position, &orders);
            let read = read(&here, &position, &texts, OrderSource::Record);
            for (text, read) in texts.orders.iter().zip(&read) {
                prop_assert!(read.is_ok(), "{text:?}: {read:?}");
            }
            prop_assert_eq!(&all_orders(&texts, &read), &orders);
        }
    }
}

/// Which of several own fleets takes aboard an army that it ferries and that cannot land depends on names: the page
/// does not decide it (docs/rules.md, rule 5).
fn leave_one_ferry(position: &Position, orders: &mut Orders) {
    let mut ferried = Vec::new();
    for fleet in *position.fleets() {
        if let Order::Convoy { army, .. } = orders[fleet] {
            match ferried.contains(&army) {
                true => orders[fleet] = Order::Hold,
                false => ferried.push(army),
            }
        }
    }
}
