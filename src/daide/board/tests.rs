use super::*;
use crate::testing::new_game;

/// The parts of a message in brackets at the outermost level.
fn parts(text: &str) -> Vec<String> {
    let (mut parts, mut depth, mut part) = (Vec::new(), 0, String::new());
    for c in text.chars() {
        depth -= i32::from(c == ')');
        if depth > 0 {
            part.push(c);
        } else if c == ')' {
            parts.push(std::mem::take(&mut part));
        }
        depth += i32::from(c == '(');
    }
    parts
}

fn defined(board: &DaideBoard) -> [String; 3] {
    let definition = board.definition();
    let text = board.lexicon().display(definition.tokens()).to_string();
    let (word, rest) = text.split_once(' ').unwrap();
    assert_eq!(word, "MDF");
    parts(rest).try_into().unwrap()
}

/// A unit of a definition with its destinations sorted by name.
fn sorted(ways: &str) -> String {
    let mut found: Vec<String> = Vec::new();
    let (mut depth, mut word) = (0, String::new());
    for c in ways.chars().chain([' ']) {
        match c {
            ' ' if depth == 0 => found.push(std::mem::take(&mut word)),
            c => {
                depth += i32::from(c == '(') - i32::from(c == ')');
                word.push(c);
            }
        }
    }
    found[1..].sort();
    found.join(" ")
}

#[test]
fn the_standard_board_has_the_tokens_of_the_protocol() {
    let board = DaideBoard::new(&new_game("standard", "FRANCE")).unwrap();
    assert_eq!(board.hash(), STANDARD_HASH, "{:#018x}", board.hash());
    assert_eq!((board.name(), board.entries()), ("standard", &[][..]));
    let token = |code| board.province(code).unwrap().token();
    use crate::token::words::{ECH, GOB, GOL, PAR};
    assert_eq!([token("ENG"), token("BOT"), token("LYO"), token("PAR")], [ECH, GOB, GOL, PAR]);
    assert_eq!(board.text(board.place("STP/SC").unwrap()).as_deref(), Some("STP/SC"));
    let [powers, centres, ways] = defined(&board);
    assert_eq!(powers, "AUS ENG FRA GER ITA RUS TUR");
    let [owned, others] = parts(&centres).try_into().unwrap();
    let owned = parts(&owned);
    assert_eq!((owned[0].as_str(), owned[5].as_str()), ("AUS BUD VIE TRI", "RUS MOS WAR SEV STP"));
    assert_eq!(owned[7], "UNO SER BEL DEN GRE HOL NWY POR RUM SWE TUN BUL SPA");
    assert_eq!(others.split(' ').count(), 75 - 34);
    // The examples of the published syntax, and the provinces with two coasts.
    let ways: BTreeMap<String, Vec<String>> = parts(&ways)
        .into_iter()
        .map(|of| (of[..3].to_owned(), parts(&of).iter().map(|ways| sorted(ways)).collect()))
        .collect();
    assert_eq!(ways.len(), 75);
    let expected: [(&str, &[&str]); 9] = [
        ("ANK", &["AMY ARM CON SMY", "FLT ARM BLA CON"]),
        ("ADR", &["FLT ALB APU ION TRI VEN"]),
        ("CON", &["AMY ANK BUL SMY", "FLT (BUL ECS) (BUL SCS) AEG ANK BLA SMY"]),
        ("BUL", &["AMY CON GRE RUM SER", "(FLT ECS) BLA CON RUM", "(FLT SCS) AEG CON GRE"]),
        ("BOH", &["AMY GAL MUN SIL TYR VIE"]),
        ("SPA", &["AMY GAS MAR POR", "(FLT NCS) GAS MAO POR", "(FLT SCS) GOL MAO MAR POR WES"]),
        ("STP", &["AMY FIN LVN MOS NWY", "(FLT NCS) BAR NWY", "(FLT SCS) FIN GOB LVN"]),
        ("KIE", &["AMY BER DEN HOL MUN RUH", "FLT BAL BER DEN HEL HOL"]),
        ("MAO", &["FLT (SPA NCS) (SPA SCS) BRE ECH GAS IRI NAF NAO POR WES"]),
    ];
    for (province, expected) in expected {
        assert_eq!(ways[province], expected, "{province}");
    }
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
        let [_, _, ways] = defined(&board);
        assert_eq!(parts(&ways).len(), faces);
    }
}

#[test]
fn games_that_the_language_cannot_express_are_refused_with_the_reason() {
    let told = |variant: &str| DaideBoard::new(&new_game(variant, "FRANCE")).unwrap_err().to_string();
    for variant in ["black-hole", "double-reversible", "schizo-ii", "deluge-ii", "seismic-1971"] {
        let told = told(variant);
        let expected =
            format!("`{variant}` cannot be played in DAIDE: it has mechanisms that change the map");
        assert!(told.starts_with(&expected), "{told}");
    }
    let mut game = new_game("standard", "FRANCE");
    game.rules.retreats_sent = Some("with-orders".to_owned());
    assert!(DaideBoard::new(&game).unwrap_err().to_string().contains("retreats are sent with the orders"));
    let mut game = new_game("standard", "FRANCE");
    let spain = game.map.faces.get_mut("SPA").unwrap();
    let north = spain.fleet.remove("NC").unwrap();
    spain.fleet.insert("NC2".to_owned(), north);
    assert!(DaideBoard::new(&game).unwrap_err().to_string().contains("a coast `NC2`"));
    let mut game = new_game("standard", "FRANCE");
    game.map.faces.get_mut("PAR").unwrap().army.push("XYZ".to_owned());
    assert!(DaideBoard::new(&game).unwrap_err().to_string().contains("`PAR` leads to `XYZ`"));
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
