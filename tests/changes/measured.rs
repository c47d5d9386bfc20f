//! Places that a measure chooses: what is compared, ties, and what is announced, logged and asked for.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use upheaval::adjudicate::AdjudicationService;
use upheaval::game_record::{game_record_of, replay};
use upheaval::ids::Power;
use upheaval::rules::event::Event;
use upheaval::session::Session;
use upheaval::topology::FaceState;

use super::{file_with, sound};
use crate::helpers::table::{Lists, Table};

/// An entry that marks places in the first Spring.
fn entry(of: &str, keys: &str) -> String {
    format!("[[changes]]\nid = \"look\"\nof = \"{of}\"\nchange = \"mark\"\nuntil = \"S1901\"\n{keys}\n")
}

/// What a game says of the places: those that came first, and those that nature drew.
fn told(table: &Table) -> [Vec<&str>; 2] {
    let of = |is: fn(&Event) -> Option<upheaval::ids::ProvinceId>| {
        table.told.events.iter().filter_map(|(_, event)| is(event)).map(|place| table.name(place)).collect()
    };
    [
        of(|event| if let Event::PlaceChosen(place, _) = event { Some(*place) } else { None }),
        of(|event| if let Event::PlaceDrawn(place, _) = event { Some(*place) } else { None }),
    ]
}

/// The places that come first in the first Spring, of which each is marked, and those among which nature draws.
fn first(of: &str, keys: &str) -> (String, String) {
    let mut table = Table::new_game(sound(&entry(of, keys)), 1950);
    table.season(&[]);
    let [mut chosen, drawn] = told(&table);
    assert_eq!(drawn, [""; 0], "nature was not told to draw any");
    chosen.sort_unstable();
    (chosen.join(" "), table.offered("look").concat().join(" "))
}

/// The same, as pairs of texts to compare with.
fn is(chosen: &str, tied: &str) -> (String, String) {
    (chosen.to_owned(), tied.to_owned())
}

const MOST: &str = "by = \"most\"\nmeasure = \"occupied\"";
const LEAST: &str = "by = \"least\"\nmeasure = \"occupied\"";

#[test]
fn a_place_counts_itself_and_the_faces_beside_it() {
    // Burgundy is beside Paris, Marseilles and Munich; Paris has an army and is beside Brest.
    assert_eq!(first("BUR | PIC | PAR", MOST), is("BUR", ""));
    assert_eq!(first("GAS | PIC | BEL", LEAST), is("BEL", ""));
    assert_eq!(
        first("land", "by = \"most\"\nmeasure = \"NTH | SWI\"").1,
        "BEL BUR DEN EDI HOL LON MAR MUN NWY PIE TYR YOR"
    );
    assert_eq!(
        first("POR | SPA | SWI", "by = \"least\"\nmeasure = \"all\""),
        is("POR", ""),
        "itself and two others"
    );
}

#[test]
fn ties_at_the_last_place_are_drawn_or_all_change_or_none() {
    let of = "BUR | PIC | PAR | BEL";
    // Burgundy has three; Picardy and Paris have two, and Belgium has none.
    assert_eq!(first(of, &format!("{MOST}\ncount = 2")), is("BUR", "PAR PIC"));
    assert_eq!(first(of, &format!("{MOST}\ncount = 2\nties = \"nature\"")), is("BUR", "PAR PIC"));
    assert_eq!(first(of, &format!("{MOST}\ncount = 2\nties = \"all\"")), is("BUR PAR PIC", ""));
    assert_eq!(first(of, &format!("{MOST}\ncount = 2\nties = \"none\"")), is("BUR", ""));
    for ties in ["nature", "all", "none"] {
        let keys = format!("{MOST}\nties = \"{ties}\"\ncount =");
        assert_eq!(first(of, &format!("{keys} 3")), is("BUR PAR PIC", ""), "nothing is left to decide");
        assert_eq!(first(of, &format!("{keys} 9")), is("BEL BUR PAR PIC", ""), "all that there are");
    }
    let none = "by = \"most\"\nmeasure = \"holed\"\nties =";
    assert_eq!(first("BUR | PIC", &format!("{none} \"nature\"")), is("", "BUR PIC"), "no place has any");
    assert_eq!(first("BUR | PIC", &format!("{none} \"none\"")), is("", ""));
}

#[test]
fn the_owners_of_centres_are_compared_and_neutral_centres_are_not() {
    let by = |by: &str, count: u8| format!("by = \"{by}\"\nmeasure = \"owner-centres\"\ncount = {count}");
    assert_eq!(first("centres", &by("most", 4)), is("MOS SEV STP WAR", ""));
    assert_eq!(first("centres", &by("most", 2)), is("", "MOS SEV STP WAR"));
    assert_eq!(first("BEL | PAR | WAR | BUR", &by("least", 1)), is("PAR", ""), "Belgium is nobody's");
    assert_eq!(first("BEL | BUR", &by("least", 1)), is("", ""));
    let units: &Lists<'_> = &[(Power::FRANCE, &["A PAR"])];
    let centres: &Lists<'_> = &[(Power::FRANCE, &["PAR", "BEL"]), (Power::ITALY, &["ROM"])];
    let text = entry("centres", &by("least", 1));
    let mut table = Table::set_in(sound(&text), "S1901M", &[], units, centres);
    table.season(&[]);
    assert_eq!(told(&table), [vec!["ROM"], vec![]], "Italy has one centre");
}

/// The most crowded province is destroyed each Fall.
const CRUSH: &str = "[[changes]]\nid = \"crush\"\nseasons = \"fall\"\nby = \"most\"\nmeasure = \"occupied\"
    of = \"provinces\"\nchange = \"collapse\"\n";

#[test]
fn places_of_a_measure_are_announced_and_retreats_cannot_go_there() {
    let text = format!("{CRUSH}foretold = \"before-retreats\"\n");
    let units: &Lists<'_> =
        &[(Power::FRANCE, &["A BUR", "A TYR", "A BEL", "A HOL"]), (Power::GERMANY, &["A MUN", "A KIE"])];
    let mut table = Table::set_in(sound(&text), "F1901M", &[], units, &[]);
    table.move_all(&["A TYR S A BUR - MUN", "A BUR - MUN"]);
    assert_eq!(told(&table), [vec!["RUH"], vec![]], "beside Munich, Kiel, Belgium and Holland");
    let to: Vec<String> =
        table.game.retreat_options(0).iter().map(|to| table.name(to.province).to_owned()).collect();
    assert!(to.contains(&"SIL".to_owned()) && !to.contains(&"RUH".to_owned()), "{to:?}");
    table.retreat(&["A MUN R SIL"]);
    let state = table.game.terrain().chart().map().face(table.id("RUH")).map(|face| face.state());
    assert_eq!(state, Some(FaceState::Collapsed));
}

#[test]
fn a_set_that_only_a_measure_names_is_remembered() {
    let text = "[[changes]]\nid = \"gone\"\nchange = \"void\"\n[changes.schedule]\nS1901 = [\"BUR\"]\n
        [[changes]]\nid = \"next\"\nof = \"BOH | PIC | group\"\nby = \"most\"\nmeasure = \"gone | last(gone) | none\"
        change = \"void\"\nfrom = \"F1901\"\nuntil = \"F1901\"\n
        [[changes]]\nid = \"idlest\"\nof = \"BUD | RUH\"\nby = \"most\"\nmeasure = \"idle(2) & country(TURKEY)\"
        change = \"mark\"\nunits = \"destroy\"\nfrom = \"F1901\"\nuntil = \"F1901\"\n
        [groups]\ngroup = [\"SER\"]\nnone = \"holed - all\"\n[countries]\nTURKEY = [\"RUH\", \"BUR\"]\n";
    let mut table = Table::new_game(sound(text), 1950);
    table.season(&[]).season(&[]);
    assert_eq!(told(&table), [vec!["PIC", "RUH"], vec![]]);
    let content = sound(text).content().to_string();
    assert!(["gone", "none", "TURKEY"].iter().all(|name| content.contains(name)), "{content}");
}

#[test]
fn provinces_that_a_measure_chooses_split() {
    let text = "[[changes]]\nid = \"cuts\"\nof = \"BUR | PAR\"\nby = \"most\"\nmeasure = \"land\"\nchange = \"split\"
        until = \"S1901\"\n";
    let mut session = Session::of(sound(text), 7).ending_in(1901);
    session.advance();
    while session.phase().to_string().starts_with("S1901") {
        session.advance();
    }
    let map = session.game().terrain().chart().map();
    assert!(map.find("BUR.1").is_some() && map.find("PAR").is_some(), "Burgundy has more lands around it");
}

#[test]
fn an_entry_with_a_measure_is_a_sentence() {
    let sentence = |text: &str| sound(text).changes.entries()[0].sentence().to_string();
    assert_eq!(
        sentence(CRUSH),
        "each Fall, the one of `provinces` with the most of `occupied` in it or beside it collapses; nature draws among \
         places that tie"
    );
    let keys = "by = \"least\"\nmeasure = \"owner-centres\"\ncount = 2\nties = \"none\"\nforetold = \"before-retreats\"";
    assert_eq!(
        sentence(&format!("[[changes]]\nid = \"a\"\nof = \"centres\"\nchange = \"void\"\n{keys}\n")),
        "each Spring and Fall, the 2 of `centres` whose owner has the fewest centres become void; no place that ties does \
         so; they are announced before the retreats, which cannot go there"
    );
}

/// A game in which nobody moves.
fn played(text: &str, seed: u64) -> Session {
    let mut session = Session::of(sound(text), seed).ending_in(1905);
    while !session.is_over() {
        session.advance();
    }
    session
}

#[test]
fn a_game_with_a_measure_is_replayed_from_its_log() {
    let two = format!("{CRUSH}count = 2\n");
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..6 {
        for text in [CRUSH.to_owned(), two.clone(), format!("{two}foretold = \"before-retreats\"\n")] {
            let session = played(&text, seed);
            let record = game_record_of(&session).expect("played");
            let events = record.stages.iter().flat_map(|stage| &stage.events);
            for event in events.filter(|event| event.detail.as_deref() == Some("crush")) {
                *kinds.entry(event.kind.clone()).or_default() += 1;
            }
            let again = replay(&record, session.variant().clone(), &mut |_| {}).expect("the same game");
            assert_eq!(again.hash(), session.game().hash(), "{text}");
        }
    }
    assert!(kinds["place_chosen"] > 10 && kinds["place_drawn"] > 3, "{kinds:?}");
}

#[test]
fn requests_name_the_places_that_nature_draws_among_those_that_tie() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, file_with(CRUSH)).expect("a file");
    let mut service = AdjudicationService::within(std::env::temp_dir());
    let mut answer = |parameters: Value, nature: &[&str]| {
        let powers: BTreeMap<&str, Value> =
            [("FRANCE", json!({"units": ["A BUR", "A PIC"], "centers": ["PAR"]}))].into();
        let request = json!({
            "id": 1, "variant": path, "phase": "F1901M", "nature": nature, "powers": powers, "orders": {},
            "parameters": parameters,
        });
        let answer = service.answer(&request.to_string()).map_err(|error| error.to_string())?;
        let answer = serde_json::to_value(answer).expect("it can be written");
        Ok::<_, String>(answer["next"]["map_events"].to_string())
    };
    // Both armies are in or beside Belgium, Burgundy, Paris and Picardy.
    assert_eq!(answer(json!({}), &["crush: collapse BEL"]), Ok(r#"["collapse BEL"]"#.to_owned()));
    assert_eq!(answer(json!({}), &["collapse PAR"]), Ok(r#"["collapse PAR"]"#.to_owned()));
    let error = answer(json!({}), &["collapse GAS"]).expect_err("one army");
    assert!(error.contains("among places that tie"), "{error}");
    let error = answer(json!({}), &["collapse BEL", "collapse PAR"]).expect_err("two places");
    assert!(error.contains("at most 1"), "{error}");
    let four = json!({"changes.crush.count": 4});
    let error = answer(four.clone(), &["collapse BEL"]).expect_err("all four come first");
    assert!(error.contains("among places that tie"), "{error}");
    let all = Ok(r#"["collapse BEL","collapse BUR","collapse PAR","collapse PIC"]"#.to_owned());
    assert_eq!(answer(four, &[]), all);
    assert_eq!(answer(json!({"changes.crush.ties": "all"}), &[]), all);
    assert_eq!(answer(json!({"changes.crush.ties": "none"}), &[]), Ok("[]".to_owned()));
    let error = answer(json!({"changes.crush.ties": "all"}), &["collapse BEL"]).expect_err("no draw");
    assert!(error.contains("draws no such event"), "{error}");
}
