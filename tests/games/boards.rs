//! Every mechanism of every variant on the boards with other numbers of powers that ship: random legal orders, and the
//! invariants of any board after every stage. `UPHEAVAL_SLOW_TESTS=1` plays more games.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use toml::{Table, Value};
use upheaval::diagnostic::Source;
use upheaval::ids::UnitKind;
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::mechanism::Mechanism;
use upheaval::rules::variant::Variant;
use upheaval::session::Session;

/// A board, and the provinces of it that mechanisms name.
struct Board {
    name: &'static str,
    first_year: u16,
    archipelago: &'static str,
    /// Provinces and two seas that each lies on: its canals and straits.
    passages: &'static [(&'static str, [&'static str; 2])],
    /// Provinces that sink, a list for each year.
    submerges: [&'static [&'static str]; 3],
    /// Impassable faces that open.
    opens: &'static [&'static str],
    /// Lands that become centres.
    founds: &'static [&'static str],
}

const BOARDS: [Board; 2] = [
    Board {
        name: "ancient-mediterranean",
        first_year: 1,
        archipelago: "CRE",
        passages: &[
            ("ATH", ["AEG", "ION"]),
            ("BYZ", ["AEG", "BLA"]),
            ("SIN", ["GOP", "REE"]),
            ("THB", ["GOP", "REE"]),
        ],
        submerges: [&["SIC", "CYR", "ATH"], &["ROM", "SIN", "NEA", "BYZ"], &["ALE", "SPA", "CAR", "SID"]],
        opens: &["EBR"],
        founds: &["GAU", "PHA"],
    },
    Board {
        name: "modern",
        first_year: 1994,
        archipelago: "DEN",
        passages: &[
            ("CAI", ["EME", "RED"]),
            ("DEN", ["BHM", "SKA"]),
            ("HAM", ["BHM", "HEL"]),
            ("IST", ["AEG", "WBS"]),
            ("SWE", ["BHM", "SKA"]),
        ],
        submerges: [&["HOL", "LON", "CAI"], &["VEN", "GIB", "IST", "ROS"], &["DEN", "STP", "NAP", "IRN"]],
        opens: &[],
        founds: &["SIB", "ALG"],
    },
];

fn texts(list: &[&str]) -> Value {
    Value::Array(list.iter().map(|text| Value::String((*text).to_owned())).collect())
}

/// The rules of a variant on a board: keys that name provinces of the standard board name some of this one instead.
fn on_board(id: &str, board: &Board) -> Arc<Variant> {
    let rules = Variant::shipped_text(id).expect("it ships");
    let mut rules: Table = rules.parse().expect("TOML");
    let own: Table = testkit::read(&format!("experiments/boards/{}.toml", board.name)).parse().expect("TOML");
    for key in ["map", "start"] {
        rules.insert(key.to_owned(), own[key].clone());
    }
    rules.remove("sources");
    rules.insert("id".to_owned(), Value::String(format!("{id}-on-{}", board.name)));
    if let Some(Value::Table(on)) = rules.get_mut("board") {
        on.insert("archipelagos".to_owned(), texts(&[board.archipelago]));
    }
    if let Some(Value::Table(restores)) = rules.get_mut("restores") {
        restores.insert("from".to_owned(), Value::String(format!("S{:04}M", board.first_year + 1)));
    }
    if let Some(Value::Table(seismic)) = rules.get_mut("seismic")
        && seismic.contains_key("passages")
    {
        let passages = board.passages.iter().map(|(province, seas)| ((*province).to_owned(), texts(seas)));
        let passages: Table = passages.collect();
        seismic.insert("passages".to_owned(), Value::Table(passages));
    }
    if let Some(Value::Table(victory)) = rules.get_mut("victory")
        && victory.contains_key("last_winter")
    {
        victory.insert("last_winter".to_owned(), Value::Integer(i64::from(board.first_year) + 6));
    }
    if let Some(Value::Table(deluge)) = rules.get_mut("deluge") {
        drown(deluge, board, &own);
    }
    let text = toml::to_string(&rules).expect("TOML");
    let source = Source::new(format!("{id} on {}", board.name), text.clone());
    Arc::new(Variant::check(&source, Path::new("")).unwrap_or_else(|error| panic!("{error}\n{text}")))
}

fn drown(deluge: &mut Table, board: &Board, own: &Table) {
    let year = |after: u16| (board.first_year + after).to_string();
    let submerges = (0..).zip(board.submerges).map(|(after, list)| (year(after), texts(list)));
    deluge.insert("submerges".to_owned(), Value::Table(submerges.collect()));
    let founded = || Value::Table(Table::from_iter([(year(0), texts(board.founds))]));
    let schedules = deluge["centres"].as_table().expect("schedules").keys().cloned();
    let centres: Table = schedules.map(|schedule| (schedule, founded())).collect();
    deluge.insert("centres".to_owned(), Value::Table(centres));
    let opens: Table = board.opens.iter().map(|name| (year(1), texts(&[*name]))).collect();
    deluge.insert("opens".to_owned(), Value::Table(opens));
    // The boundaries of a power are its homes.
    let units = own["start"]["units"].as_table().expect("units");
    let province = |unit: &Value| unit.as_str().and_then(|text| text.get(2..5)).expect("a unit").to_owned();
    let boundaries = units.iter().map(|(power, units)| {
        let provinces: Vec<Value> =
            units.as_array().expect("a list").iter().map(|unit| Value::String(province(unit))).collect();
        (power.clone(), Value::Array(provinces))
    });
    deluge.insert("boundaries".to_owned(), Value::Table(boundaries.collect()));
}

/// The invariants of any board after every stage.
fn check(game: &Session, at: &str) {
    let world = game.game().world();
    let (chart, board) = (world.terrain.chart(), world.terrain.board());
    assert_eq!(chart.map().faults(), [""; 0], "{at}");
    for place in *world.position.occupied() {
        let Some(unit) = world.position.unit(place) else { continue };
        assert!(board.passable().contains(place), "{at}: a unit stands where nobody can");
        if unit.kind == UnitKind::Army {
            assert!(board.land().contains(place), "{at}: an army stands in {}", chart.map().name(place));
        } else {
            // Where the earth moves, a fleet without a coast is trapped.
            let is_seismic = |mechanism: &Mechanism| matches!(mechanism, Mechanism::Seismic(_));
            let may_be_trapped = game.variant().mechanisms.iter().any(is_seismic);
            let has_coast = board.coasts(place) > 0;
            assert!(
                has_coast || may_be_trapped,
                "{at}: no coast for the fleet in {}",
                chart.map().name(place)
            );
        }
    }
    assert_eq!(chart.powers(), game.variant().terrain.chart().powers(), "{at}");
}

/// Plays games of random legal orders to the end of a year; returns the words of the changes of the map.
fn play(variant: &Arc<Variant>, games: u64, last_year: u16) -> BTreeSet<&'static str> {
    let mut happened = BTreeSet::new();
    for seed in 0..games {
        let mut game = Session::of(Arc::clone(variant), seed).ending_in(last_year);
        let mut dice = Stream::keyed(seed, Purpose::Bot, &[]);
        while !game.is_over() {
            for power in game.awaited() {
                for choice in game.legal_orders(power) {
                    let order = dice.choose(&choice.orders).expect("at least one");
                    // Which army is aboard which fleet depends on earlier orders, and so does how much is left to adjust.
                    if let Err(refusal) = game.order(power, order) {
                        let (refusal, deluge) = (refusal.to_string(), variant.id.starts_with("deluge"));
                        let none_left = ["no build is left", "no removal is left"].contains(&&*refusal);
                        assert!(deluge || none_left, "{order}: {refusal}");
                    }
                }
            }
            let turn = game.advance();
            check(&game, &format!("{} seed {seed}, {}", variant.id, turn.phase));
            happened.extend(turn.map_changes.iter().map(|change| {
                let text = change.to_string();
                let word = text.split(' ').next().unwrap_or_default().to_owned();
                &*Box::leak(word.into_boxed_str())
            }));
        }
    }
    happened
}

#[test]
fn each_mechanism_of_each_variant_runs_on_the_boards_of_five_and_of_ten_powers() {
    let games = testkit::amount(2, 40);
    for board in &BOARDS {
        for id in Variant::shipped() {
            let variant = on_board(id, board);
            let happened = play(&variant, games, board.first_year + 5);
            let expected: &[&str] = match id {
                "black-hole" | "black-hole-ii" => &["collapse"],
                "black-hole-i" => &["void"],
                "double-reversible" => &["collapse"],
                "schizo-ii" => &["void", "restore", "split"],
                "deluge-ii" => &["submerge"],
                "seismic-1971" | "seismic-acerunner" => &["separate"],
                _ => &[],
            };
            for word in expected {
                assert!(happened.contains(word), "{}: no `{word}` among {happened:?}", variant.id);
            }
        }
    }
}

#[test]
fn the_boards_of_five_and_of_ten_powers_are_played_by_their_own_rules() {
    for (board, powers) in BOARDS.iter().zip([5, 10]) {
        let path = testkit::path(&format!("experiments/boards/{}.toml", board.name));
        let variant = Variant::find(&path.to_string_lossy(), Path::new("")).expect("sound").expect("a file");
        assert_eq!(variant.terrain.chart().powers().len(), powers);
        let changes = play(&Arc::new(variant), testkit::amount(2, 40), board.first_year + 8);
        assert!(changes.is_empty(), "nothing happens to the map");
    }
}
