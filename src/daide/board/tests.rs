use serde_json::json;
use upheaval_engine::rules::variant::Variant;
use upheaval_engine::topology::report::MapReport;

use super::*;

/// A new game of a variant, by its id or its file from the root of the repository.
pub(crate) fn new_game(variant: &str, power: &str) -> NewGame {
    let variant = Variant::find(variant, &testkit::path("")).unwrap().expect("a variant");
    let map = MapReport::new(variant.terrain.chart(), variant.terrain.board());
    let told = json!({
        "game": "test/1",
        "power": power,
        "variant": variant.id,
        "rules": variant.content(),
        "seed": 1234,
        "phase": variant.first_phase.to_string(),
        "map": map,
    });
    serde_json::from_value(told).unwrap()
}

/// Its definition is in `server/dialogues.txt`.
#[test]
fn the_standard_board_has_the_tokens_of_the_protocol() {
    let board = DaideBoard::new(&new_game("standard", "FRANCE")).unwrap();
    assert_eq!(board.hash(), STANDARD_HASH, "{:#018x}", board.hash());
    assert_eq!((board.name(), board.entries()), ("standard", &[][..]));
    let token = |code| board.province(code).unwrap().token();
    use crate::token::words::{ECH, GOB, GOL, PAR};
    assert_eq!([token("ENG"), token("BOT"), token("LYO"), token("PAR")], [ECH, GOB, GOL, PAR]);
    assert_eq!(board.text(board.place("STP/SC").unwrap()).as_deref(), Some("STP/SC"));
}

#[test]
fn another_board_is_numbered_through_and_named() {
    for (file, provinces, powers) in [("ancient-mediterranean", 83, 5), ("modern", 141, 10)] {
        let game = new_game(&format!("experiments/boards/{file}.toml"), "EGYPT");
        let board = DaideBoard::new(&game).unwrap();
        let faces = game.map.faces.values().filter(|face| face.kind == "land" || face.kind == "sea").count();
        assert!(faces <= provinces, "{faces}");
        let entries = board.entries();
        assert_eq!(entries.len(), faces + powers, "{file}");
        assert!(board.name().starts_with("upheaval_"), "{}", board.name());
        let names: BTreeSet<Name> = entries.iter().map(|entry| entry.name).collect();
        assert_eq!(names.len(), entries.len(), "no name twice");
        let numbers = |is_power: bool| -> Vec<u16> {
            let of_kind = entries.iter().filter(|entry| PowerToken::of(entry.token).is_some() == is_power);
            of_kind.map(|entry| entry.token.code() & 0xff).collect()
        };
        assert!(numbers(true).into_iter().eq(0..powers as u16), "powers are numbered from 0");
        assert!(numbers(false).into_iter().eq(0..faces as u16), "provinces are numbered from 0");
        // No name has another meaning in the language.
        let lexicon = board.lexicon();
        for entry in entries {
            assert_eq!(lexicon.read(entry.name.as_str()), Ok(vec![entry.token]), "{}", entry.name);
        }
        for province in board.provinces.keys() {
            let code = board.code(*province).unwrap();
            assert_eq!(board.province(code), Some(*province));
            assert_eq!(province.ground(), ground(&game.map.faces[code]), "{code}");
        }
    }
}

#[test]
fn games_that_the_language_cannot_express_are_refused_with_the_reason() {
    let told = |game: &NewGame| DaideBoard::new(game).unwrap_err().to_string();
    let refused = |variant: &str, why: &str| format!("`{variant}` cannot be played in DAIDE: {why}");
    for variant in ["black-hole", "double-reversible", "schizo-ii", "deluge-ii", "seismic-1971"] {
        let why = "it has changes of the map, but boards in DAIDE do not change";
        assert_eq!(told(&new_game(variant, "FRANCE")), refused(variant, why));
    }
    let mut games = [(); 3].map(|()| new_game("standard", "FRANCE"));
    games[0].rules.retreats_sent = Some("with-orders".to_owned());
    let fleet = &mut games[1].map.faces.get_mut("SPA").unwrap().fleet;
    let north = fleet.remove("NC").unwrap();
    fleet.insert("NC2".to_owned(), north);
    games[2].map.faces.get_mut("PAR").unwrap().army.push("XYZ".to_owned());
    let board = |why: &str| format!("the board of `standard` cannot be expressed in DAIDE: {why}");
    let reasons = [
        refused("standard", "retreats are sent with the orders, but DAIDE has no words for that"),
        board("`SPA` has a coast `NC2`, but DAIDE names coasts only by the eight bearings"),
        board("`PAR` leads to `XYZ`, which is not a place of the board"),
    ];
    assert_eq!(games.each_ref().map(told), reasons);
}

#[test]
fn codes_that_cannot_be_names_get_names_of_their_own() {
    let mut game = new_game("standard", "FRANCE");
    let text = |value: &BTreeMap<String, BoardFace>| value.keys().cloned().collect::<Vec<_>>();
    for (from, to) in [("PAR", "SUB"), ("BUR", "BURGUNDY"), ("BOH", "123"), ("GAS", "BUR.1")] {
        let renamed = |list: &mut Vec<String>| {
            list.iter_mut().filter(|code| *code == from).for_each(|code| to.clone_into(code))
        };
        let face = game.map.faces.remove(from).unwrap();
        game.map.faces.insert(to.to_owned(), face);
        for face in game.map.faces.values_mut() {
            renamed(&mut face.army);
            face.fleet.values_mut().for_each(renamed);
        }
        game.rules.homes.values_mut().for_each(renamed);
    }
    let board = DaideBoard::new(&game).unwrap();
    let codes = text(&game.map.faces);
    assert!(codes.contains(&"SUB".to_owned()));
    let name = |code: &str| {
        let token = board.province(code).unwrap().token();
        board.entries().iter().find(|entry| entry.token == token).unwrap().name.to_string()
    };
    assert_eq!([name("SUB"), name("BURGUNDY"), name("123"), name("BUR.1")], ["SU0", "BUR", "12A", "BU0"]);
}
