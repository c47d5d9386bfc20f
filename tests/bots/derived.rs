//! Tables that bots derive from a map and keep with it.

use std::sync::atomic::{AtomicU32, Ordering};

use upheaval::rules::map_tables::MapTables;
use upheaval::topology::{Board, atlas};

/// The number of tables that were made.
static MADE: AtomicU32 = AtomicU32::new(0);

struct Number(usize);

impl From<&Board> for Number {
    fn from(board: &Board) -> Number {
        MADE.fetch_add(1, Ordering::Relaxed);
        Number(board.passable().len())
    }
}

struct Text(String);

impl From<&Board> for Text {
    fn from(board: &Board) -> Text {
        MADE.fetch_add(1, Ordering::Relaxed);
        Text(board.passable().len().to_string())
    }
}

#[test]
fn a_value_of_each_type_is_made_once() {
    let terrain = MapTables::new(atlas::standard());
    for _ in 0..3 {
        let (number, text) = (terrain.kept::<Number>(), terrain.kept::<Text>());
        assert_eq!((number.0, text.0.as_str()), (75, "75"));
    }
    assert_eq!(MADE.load(Ordering::Relaxed), 2);
}
