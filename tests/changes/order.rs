//! Named promises of the language: the order of entries, ids and dice, halves, and what is the same variant.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;
use upheaval::adjudicate::AdjudicationService;
use upheaval::game_record::{game_record_of, replay};
use upheaval::ids::{MAX_PROVINCES, Power};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::event::Event;
use upheaval::rules::variant::Variant;
use upheaval::session::Session;
use upheaval::topology::{FaceKind, FaceState};

use super::{file_with, sound};
use crate::helpers::table::{Lists, Table};

fn table(entries: &str) -> Table {
    Table::new_game(sound(entries), 1950)
}

fn is_hole(table: &Table, name: &str) -> bool {
    let state = table.game.terrain().chart().map().face(table.id(name)).expect("a face").state();
    state != FaceState::Open
}

/// A game in which every power orders at random.
fn played(variant: Arc<Variant>, seed: u64, last_year: u16) -> Session {
    let mut session = Session::of(variant, seed).ending_in(last_year);
    let mut dice = Stream::keyed(seed, Purpose::Bot, &[4]);
    while !session.is_over() {
        for power in session.awaited() {
            for choice in session.legal_orders(power) {
                let _ = session.order(power, dice.choose(&choice.orders).expect("a choice has orders"));
            }
        }
        session.advance();
    }
    session
}

#[test]
fn entries_of_one_point_act_in_the_order_of_the_file() {
    let hole = "[[changes]]\nid = \"gone\"\nof = \"BUR\"\nby = \"all\"\nchange = \"void\"\n";
    let back = "[[changes]]\nid = \"back\"\nof = \"BUR & holed\"\nby = \"all\"\nchange = \"restore\"\n";
    let [mut first, mut last] = [table(&(hole.to_owned() + back)), table(&(back.to_owned() + hole))];
    for season in 0..4 {
        first.season(&[]);
        last.season(&[]);
        assert!(!is_hole(&first, "BUR"), "season {season}: restored by the second entry");
        assert!(is_hole(&last, "BUR"), "season {season}: it opens after it was restored");
    }
}

#[test]
fn an_entry_with_another_id_and_its_old_name_as_dice_plays_the_same_games() {
    let old = "[[changes]]\nid = \"holes\"\nof = \"provinces\"\nchange = \"collapse\"\n";
    let new = old.replace("id = \"holes\"", "id = \"chasms\"\ndice = \"holes\"");
    let other = old.replace("id = \"holes\"", "id = \"chasms\"");
    for seed in 0..4 {
        let [old, new, other] = [old, &*new, &*other].map(|text| played(sound(text), seed, 1904));
        let map = |session: &Session| session.game().terrain().hash();
        assert_eq!((old.units(), map(&old)), (new.units(), map(&new)), "seed {seed}");
        assert_ne!(map(&old), map(&other), "seed {seed}: it has dice of its own");
    }
}

#[test]
fn only_what_decides_play_counts_as_content() {
    let short = "[[changes]]\nid = \"a\"\nof = \"land - b\"\nchange = \"void\"\n
        [[changes]]\nid = \"b\"\nof = \"sea\"\nchange = \"collapse\"\n";
    let long = "# Holes.\n[[changes]]\nid = \"lands\"\nof = \"(land) - b\"\nby = \"nature\"\ncount = 1\nat = \"end\"
        seasons = \"spring-and-fall\"\nevery = 1\nforetold = \"no\"\nunits = \"destroy\"\nentering = \"as-usual\"
        stranded = \"destroy\"\ndice = \"a\"\nchange = \"void\" # impassable\n
        [[changes]]\nid = \"b\"\nof = \"sea\"\nchange = \"collapse\"\ndice = \"b\"\n
        [sources]\n\"changes.lands.count\" = \"rule 1\"\n";
    assert_eq!(sound(short).content(), sound(long).content());
    for other in [
        short.replace("id = \"b\"", "id = \"c\"").replace("- b", "- c"),
        short.replace("\"void\"", "\"collapse\""),
        short.replace("change = \"void\"", "change = \"void\"\ndice = \"c\""),
        short.replace("of = \"sea\"", "of = \"sea\"\nuntil = 1999"),
    ] {
        assert_ne!(sound(short).content(), sound(&other).content(), "{other}");
    }
}

#[test]
fn both_halves_of_a_province_are_in_every_list_and_set_that_has_the_whole() {
    let text = "[[changes]]\nid = \"cuts\"\nof = \"BUR | PAR\"\nchange = \"split\"\nuntil = \"S1901\"\n
        [[changes]]\nid = \"gone\"\nchange = \"void\"\n[changes.schedule]\nF1901 = [\"PAR\"]\n
        [[changes]]\nid = \"named\"\nof = \"BUR\"\nchange = \"void\"\nseasons = \"fall\"\n
        [[changes]]\nid = \"back\"\nof = \"gone\"\nby = \"all\"\nchange = \"restore\"\nowner = \"country\"
        from = \"F1902\"\n
        [[changes]]\nid = \"other\"\nof = \"provinces - cuts\"\nchange = \"void\"\nseasons = \"fall\"\n
        [countries]\nRUSSIA = [\"PAR\"]\n";
    let mut table = table(text).split("S1901", "split PAR PIC GAS").split("S1901", "split BUR PIC MAR");
    table.season(&[]).season(&[]);
    assert!(is_hole(&table, "PAR.1") && is_hole(&table, "PAR.2"), "a schedule has both");
    assert_eq!(table.offered("named"), [["BUR.1", "BUR.2"]]);
    let others = &table.offered("other")[0];
    assert!(
        others.contains(&"PIC") && others.iter().all(|name| !name.contains('.')),
        "an id has both: {others:?}"
    );
    table.season(&[]).season(&[]);
    assert!(!is_hole(&table, "PAR.1") && !is_hole(&table, "PAR.2"));
    let russian = table.centres(Power::RUSSIA);
    assert!(russian.contains(&"PAR.1") && russian.contains(&"PAR.2"), "a country has both: {russian:?}");
}

#[test]
fn both_halves_are_what_an_earlier_entry_has_changed_at_this_point() {
    let text = "[[changes]]\nid = \"sunk\"\nof = \"GAL\"\nby = \"all\"\nchange = \"submerge\"\n
        [[changes]]\nid = \"cuts\"\nof = \"new(sunk)\"\nchange = \"split\"\n
        [[changes]]\nid = \"gone\"\nof = \"new(sunk)\"\nchange = \"void\"\n";
    let mut table = table(text).split("S1901", "split GAL BOH RUM");
    table.season(&[]).season(&[]);
    assert_eq!(table.offered("gone"), [vec!["GAL.1", "GAL.2"], Vec::new()], "nothing sinks in Fall");
}

#[test]
fn a_place_that_another_entry_changes_back_leaves_the_set_of_the_id() {
    let text = "[[changes]]\nid = \"gone\"\nof = \"BUR | GAS | PIC\"\nby = \"all\"\nchange = \"void\"
        until = \"S1901\"\n
        [[changes]]\nid = \"back\"\nof = \"BUR & holed\"\nby = \"all\"\nchange = \"restore\"\n
        [[changes]]\nid = \"again\"\nof = \"BUR\"\nby = \"all\"\nchange = \"void\"\nfrom = \"F1901\"\n
        [[changes]]\nid = \"look\"\nof = \"gone\"\nchange = \"restore\"\n";
    let mut table = table(text);
    table.season(&[]).season(&[]);
    assert_eq!(
        table.offered("look"),
        [["GAS", "PIC"], ["GAS", "PIC"]],
        "Burgundy is a hole of another entry"
    );
    assert!(is_hole(&table, "BUR"));
}

#[test]
fn a_trapped_fleet_stays_trapped_whoever_changes_the_map() {
    let text = "[[changes]]\nid = \"first\"\nchange = \"collapse\"\nstranded = \"trap\"\n[changes.schedule]
        S1901 = [\"BLA\"]\n
        [[changes]]\nid = \"then\"\nchange = \"void\"\n[changes.schedule]\nF1901 = [\"ROM\"]
        S1902 = [\"MOS\", \"UKR\"]\n";
    let seas = text.replace("collapse", "void");
    let mut table = table(&seas);
    for _ in 0..3 {
        table.season(&[]);
    }
    assert!(is_hole(&table, "MOS") && is_hole(&table, "ROM"), "units there are destroyed");
    assert!(table.units(Power::RUSSIA).contains(&"F SEV".to_owned()), "{:?}", table.units(Power::RUSSIA));
    assert_eq!(table.game.terrain().board().coasts(table.id("SEV")), 0, "it has no coast");
}

/// Both armies that were ordered into Burgundy vanish with it in Spring.
const SWALLOWED: &str =
    "[[changes]]\nid = \"gone\"\nchange = \"void\"\nat = \"before-retreats\"\nunits = \"swallow\"
    entering = \"swallow\"\n[changes.schedule]\nS1901 = [\"BUR\"]\n";

#[test]
fn one_swallowed_unit_comes_back_at_the_end_and_several_are_lost() {
    let back = "[[changes]]\nid = \"back\"\nchange = \"restore\"\n[changes.schedule]\nF1901 = [\"BUR\"]\n";
    for (orders, is_back) in [(&["A PAR - BUR"][..], true), (&["A PAR - BUR", "A MUN - BUR"], false)] {
        let mut table = table(&(SWALLOWED.to_owned() + back));
        table.season(orders).season(&[]);
        assert_eq!(table.units(Power::FRANCE).contains(&"A BUR".to_owned()), is_back, "{orders:?}");
        assert!(!table.units(Power::GERMANY).contains(&"A BUR".to_owned()));
        assert!(!is_hole(&table, "BUR") && table.game.world().swallowed.is_empty());
    }
}

#[test]
fn a_retreat_into_a_foretold_hole_is_illegal() {
    let text = "[[changes]]\nid = \"holes\"\nof = \"provinces\"\nchange = \"void\"\nforetold = \"before-retreats\"\n";
    let units: &Lists<'_> = &[(Power::FRANCE, &["A BUR", "A TYR"]), (Power::GERMANY, &["A MUN"])];
    let mut table = Table::set_in(sound(text), "S1901M", &[], units, &[]).drawn("S1901", "holes", "RUH");
    table.move_all(&["A TYR S A BUR - MUN", "A BUR - MUN"]);
    let to: Vec<String> =
        table.game.retreat_options(0).iter().map(|to| table.name(to.province).to_owned()).collect();
    assert!(to.contains(&"KIE".to_owned()) && !to.contains(&"RUH".to_owned()), "{to:?}");
    assert!(!is_hole(&table, "RUH"), "it opens at the end");
    table.retreat(&["A MUN R KIE"]);
    assert!(is_hole(&table, "RUH"));
}

#[test]
fn a_place_that_an_entry_can_no_longer_change_is_left_out_and_reported() {
    let text = "[[changes]]\nid = \"gone\"\nof = \"RUH | HOL\"\nby = \"all\"\nchange = \"collapse\"\nseasons = \"fall\"\n
        [[changes]]\nid = \"holes\"\nof = \"provinces\"\nchange = \"void\"\nforetold = \"before-retreats\"\n
        [[changes]]\nid = \"flood\"\nchange = \"submerge\"\n[changes.schedule]\nF1901 = [\"HOL\", \"BEL\"]\n";
    let mut table = table(text).drawn("F1901", "holes", "RUH");
    table.season(&[]).season(&[]);
    let skipped = table.told.events.iter().filter_map(|(_, event)| match event {
        Event::Skipped(place, entry) => Some((table.name(*place), &**entry)),
        _ => None,
    });
    assert_eq!(skipped.collect::<Vec<_>>(), [("RUH", "holes"), ("HOL", "flood")]);
    let map = table.game.terrain().chart().map();
    let state = |name| map.face(table.id(name)).map(|face| (face.kind(), face.state()));
    assert_eq!(state("RUH"), Some((FaceKind::Land, FaceState::Collapsed)));
    assert_eq!(state("HOL"), Some((FaceKind::Land, FaceState::Collapsed)));
    assert_eq!(state("BEL"), Some((FaceKind::Sea, FaceState::Open)));
}

#[test]
fn scheduled_splits_for_which_the_board_has_no_room_are_reported() {
    let variant = sound("");
    let map = variant.terrain.chart().map();
    let lands: Vec<&str> = map.of_kind(FaceKind::Land).iter().map(|land| map.name(land)).collect();
    let text = format!(
        "[[changes]]\nid = \"cuts\"\nchange = \"split\"\n
        [changes.schedule]\nS1901 = {lands:?}\nF1901 = {lands:?}\nS1902 = {lands:?}\n"
    );
    let session = played(sound(&text), 0, 1902);
    assert_eq!(session.game().terrain().chart().map().faces().count(), MAX_PROVINCES);
    let record = game_record_of(&session).expect("played");
    let count = |kind| {
        record.stages.iter().flat_map(|stage| &stage.events).filter(|event| event.kind == kind).count()
    };
    let (skipped, split) = (count("skipped"), count("split_drawn"));
    assert_eq!((skipped > 0, split + skipped), (true, lands.len() * (1 + 2 + 4)));
}

#[test]
fn two_entries_with_holes_in_one_season_are_replayed_and_requests_name_the_entry() {
    let text = "[[changes]]\nid = \"lands\"\nof = \"land\"\nchange = \"collapse\"\ncount = 2\n
        [[changes]]\nid = \"more\"\nof = \"provinces - PAR\"\nchange = \"collapse\"\n";
    for seed in 0..4 {
        let session = played(sound(text), seed, 1903);
        let record = game_record_of(&session).expect("played");
        let again = replay(&record, Arc::clone(session.variant()), &mut |_| {}).expect("the same game");
        assert_eq!(again.hash(), session.game().hash());
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, file_with(text)).expect("a file");
    let mut service = AdjudicationService::within(std::env::temp_dir());
    let mut answer = |nature: &[&str]| {
        let powers: BTreeMap<&str, serde_json::Value> =
            [("FRANCE", json!({"units": ["A BRE"], "centers": ["PAR"]}))].into();
        let request = json!({
            "id": 1, "variant": path, "phase": "S1901M", "nature": nature, "powers": powers, "orders": {},
        });
        let answer = service.answer(&request.to_string()).map_err(|error| error.to_string())?;
        let answer = serde_json::to_value(answer).expect("it can be written");
        Ok::<_, String>(answer["next"]["map_events"].to_string())
    };
    let error = answer(&["collapse BUR"]).expect_err("either may draw it");
    assert!(error.contains("lands") && error.contains("more"), "{error}");
    let holes = answer(&["more: collapse BUR", "lands: collapse GAS", "lands: collapse MUN"]).expect("named");
    assert_eq!(holes, r#"["collapse GAS","collapse MUN","collapse BUR"]"#);
}
