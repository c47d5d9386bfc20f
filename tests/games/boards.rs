//! Every mechanism of every variant on the boards with other numbers of powers that ship: random legal orders, and the
//! invariants of any board after every stage. `UPHEAVAL_SLOW_TESTS=1` plays more games.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use crate::games::watch::invariants::may_trap;
use crate::helpers::boards::{self, Board};
use upheaval::diagnostic::Source;
use upheaval::ids::UnitKind;
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::variant::Variant;
use upheaval::session::Session;

/// The rules of a variant on a board.
fn on_board(id: &str, board: &Board) -> Arc<Variant> {
    let text = board.rules(id, &[]);
    let source = Source::new(format!("{id} on {}", board.name), text.clone());
    Arc::new(Variant::check(&source, Path::new("")).unwrap_or_else(|error| panic!("{error}\n{text}")))
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
            let may_be_trapped = may_trap(&game.variant().changes);
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
    let games = testkit::amount(1, 20);
    for board in boards::of_other_powers() {
        for id in Variant::shipped() {
            let variant = on_board(id, &board);
            let happened = play(&variant, games, board.first_year + 5);
            let expected: &[&str] = match id {
                "black-hole" | "black-hole-ii" => &["collapse"],
                "black-hole-i" => &["void"],
                "double-reversible" => &["collapse"],
                "schizo-ii" => &["void", "restore", "split"],
                "deluge-ii" | "deluge" => &["submerge"],
                "black-hole-2012" | "double-reversible-2014" => &["collapse"],
                "schizo" => &["void", "split"],
                "impassable" => &["void"],
                "sahara" => &["raise", "found", "ruin", "void"],
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
    for (board, powers) in boards::of_other_powers().iter().zip([5, 10]) {
        let path = testkit::path(&format!("experiments/boards/{}.toml", board.name));
        let variant = Variant::find(&path.to_string_lossy(), Path::new("")).expect("sound").expect("a file");
        assert_eq!(variant.terrain.chart().powers().len(), powers);
        let changes = play(&Arc::new(variant), testkit::amount(2, 20), board.first_year + 8);
        assert!(changes.is_empty(), "nothing happens to the map");
    }
}
