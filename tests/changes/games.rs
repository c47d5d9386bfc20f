//! Games of random entries: what acts, on which places, and how the same game is kept and played again.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use testkit::amount;
use toml::Table;
use upheaval::diagnostic::Source;
use upheaval::game::{Game, Referee, Stage};
use upheaval::game_record::{GameRecord, game_record_of, replay};
use upheaval::ids::ByPower;
use upheaval::play::{Seats, play_stage};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::nature::Seeded;
use upheaval::rules::variant::Variant;
use upheaval::session::Session;
use upheaval::topology::atlas;

use super::draw::{self, Terms};
use super::follow::{Reference, Watch};
use super::{file_with, sound};
use crate::games::watch::invariants::{check_ground, check_position, check_waiting, may_trap};
use crate::helpers::boards;
use crate::helpers::quick::kind;
use crate::referee;
use crate::symmetry::image::{Image, map_file};
use crate::symmetry::lockstep::Lockstep;

/// The random entries with this number.
fn entries(number: u64, terms: Terms) -> String {
    draw::entries(&mut Stream::keyed(4802, Purpose::Bot, &[number]), &atlas::standard(), terms)
}

/// Plays a game of random bots beside the reference; returns how often each sort of change was compared.
pub(super) fn watch(variant: &Arc<Variant>, seed: u64, last_year: u16) -> BTreeMap<&'static str, usize> {
    let mut game = Game::new(variant.clone(), last_year);
    let powers = game.powers();
    let reference = Reference::new(&variant.changes, game.terrain().chart(), variant.first_movement().year);
    let reference = Rc::new(RefCell::new(reference));
    let mut nature = Watch(Rc::clone(&reference), Seeded { seed, block: 3 });
    let (mut log, mut referee) = (nature.clone(), Referee::new());
    let mut bots = ByPower::from_fn(powers, |_| (kind("random").make)());
    let mut dice =
        ByPower::from_fn(powers, |power| Stream::keyed(seed, Purpose::Bot, &[power.index() as u64]));
    let mut checked = 0;
    while game.stage() != Stage::Over {
        if game.stage() == Stage::Seismic {
            let allowed = reference.borrow_mut().quakes(game.phase(), game.terrain().quakes());
            assert_eq!(game.quakes(), allowed, "{}", game.phase());
        }
        let mut seats = Seats { bots: &mut bots, dice: &mut dice };
        play_stage(&mut game, &mut referee, &mut seats, &mut nature, &mut log);
        let (at, terrain) = (game.phase(), game.terrain());
        if checked != terrain.hash() {
            checked = terrain.hash();
            check_ground(at, terrain);
        }
        check_position(
            at,
            terrain.board(),
            terrain.centres(),
            &game.world().position,
            may_trap(&variant.changes),
        );
        check_waiting(at, &game);
    }
    reference.borrow().seen.clone()
}

#[test]
fn in_a_game_of_random_entries_each_acts_on_the_places_that_the_definitions_give_it() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for number in 0..amount(40, 400) {
        let text = entries(number, Terms::OfMap);
        println!("{number}:\n{text}");
        for (what, count) in watch(&sound(&text), number, 1906) {
            *seen.entry(what).or_default() += count;
        }
    }
    let verbs = [
        "collapse", "void", "restore", "submerge", "raise", "freeze", "open", "split", "found", "ruin",
        "mark", "dig",
    ];
    for what in verbs.into_iter().chain([
        "draws",
        "foretold",
        "far ahead",
        "votes",
        "measures",
        "ties",
        "ends",
        "borders",
    ]) {
        assert!(seen.get(what).is_some_and(|count| *count > 1), "{what}: {seen:?}");
    }
}

#[test]
fn a_game_of_random_entries_is_the_same_when_it_is_restored_replayed_and_read() {
    for number in 1000..1000 + amount(12, 100) {
        let variant = sound(&entries(number, Terms::All));
        let mut session = Session::of(variant, number).ending_in(1904);
        let mut dice = Stream::keyed(number, Purpose::Bot, &[1]);
        while !session.is_over() {
            for power in session.awaited() {
                for choice in session.legal_orders(power) {
                    let order = dice.choose(&choice.orders).expect("a choice has orders");
                    // Fewer builds may be left than there are sites.
                    let _ = session.order(power, order);
                }
            }
            session.advance();
            if dice.below(8) == 0 {
                let again = Session::restore(&session.save().expect("played")).expect("the same game");
                assert_eq!(again.game().hash(), session.game().hash(), "{number}, {}", session.phase());
                session = again;
            }
        }
        let text = game_record_of(&session).expect("played").to_json();
        let record = GameRecord::parse("game.json", &text).expect("it was written here");
        let again = replay(&record, record.variant("game.json").expect("sound"), &mut |_| {});
        let again =
            again.unwrap_or_else(|error| panic!("{number}: {error}\n{}", entries(number, Terms::All)));
        assert_eq!(again.hash(), session.game().hash(), "{number}");
    }
}

#[test]
fn a_game_of_random_entries_through_requests_is_the_same_game() {
    let folder = tempfile::tempdir().expect("a folder");
    for number in 2000..2000 + amount(8, 60) {
        let path = folder.path().join(format!("{number}.toml"));
        let text = entries(number, Terms::All);
        println!("{number}:\n{text}");
        std::fs::write(&path, file_with(&text)).expect("a file");
        referee::boards::play(path.to_str().expect("a path"), number, 2);
    }
}

/// The standard rules on boards of three, five and ten powers, from Spring 1901 on. A map that does not ship is copied
/// into the folder.
pub(super) fn of_other_powers(folder: &Path) -> Vec<Table> {
    let of_three = {
        let mut rules: Table = Variant::shipped_text("standard").expect("it ships").parse().expect("TOML");
        rules.remove("sources");
        std::fs::copy(testkit::path("docs/three/three.toml"), folder.join("three.toml")).expect("a map");
        rules.insert("map".to_owned(), "./three.toml".into());
        let units = "[units]\nRED = [\"A CAPE\", \"A HAVEN\"]\nGREEN = [\"A GATE\"]\nBLUE = [\"A DALE\", \"A MOOR\"]\n";
        rules.insert("start".to_owned(), toml::Value::Table(units.parse().expect("TOML")));
        rules
    };
    let others = boards::of_other_powers().map(|board| board.rules("standard", &[]).parse().expect("TOML"));
    let mut all: Vec<Table> = [of_three].into_iter().chain(others).collect();
    for rules in &mut all {
        rules["start"].as_table_mut().expect("a table").insert("phase".to_owned(), "S1901M".into());
    }
    all
}

#[test]
fn games_of_random_entries_on_boards_of_three_five_and_ten_powers_through_requests_are_the_same_games() {
    let folder = tempfile::tempdir().expect("a folder");
    for (board, rules) in of_other_powers(folder.path()).into_iter().enumerate() {
        let rules = rules.to_string();
        let source = Source::new("rules.toml", rules.as_str());
        let variant = Variant::check(&source, folder.path()).unwrap_or_else(|error| panic!("{error}"));
        for number in 3000..3000 + amount(2, 12) {
            let path = folder.path().join(format!("{board}-{number}.toml"));
            let mut dice = Stream::keyed(4802, Purpose::Bot, &[number, board as u64]);
            let text = draw::entries(&mut dice, variant.terrain.chart(), Terms::All);
            println!("{board}, {number}:\n{text}");
            std::fs::write(&path, format!("{rules}\n{text}")).expect("a file");
            referee::boards::play(path.to_str().expect("a path"), number, 2);
        }
    }
}

#[test]
fn a_game_of_random_entries_is_played_alike_on_mirrored_and_renamed_boards() {
    let board = map_file("standard");
    for number in 3000..3000 + amount(6, 60) {
        let text = entries(number, Terms::All);
        println!("{number}:\n{text}");
        let mut dice = Stream::keyed(number, Purpose::Bot, &[2]);
        let image = match number % 3 {
            0 => Image::mirrored(),
            1 => Image::renamed(&board, &mut dice),
            _ => Image::renamed_and_mirrored(&board, &mut dice),
        };
        let variants = [&sound(&text), &image.rules(&file_with(&text))];
        Lockstep::new(&image, variants, dice).play(if testkit::tries_all() { 40 } else { 14 });
    }
}
