//! The table `maps`: the map after each phase that has changed it, beside `topology`, which has it after each season.

use std::path::Path;

use upheaval::record::GameRows;
use upheaval::rules::position::PhaseKind;
use upheaval::sim::Play as _;

use crate::helpers::engine::{experiment, files, play};

fn text(id: &str, log: &str) -> String {
    format!(
        "name = \"maps\"\nvariants = [\"{id}\"]\ngames = 4\nseed = 12\nlast_year = 1906\n{log}\nseats.all = \"random\"\n"
    )
}

fn games(id: &str, log: &str) -> Vec<GameRows> {
    let experiment = experiment(&text(id, log), Path::new("."));
    let (schedule, player) = (experiment.schedule(), experiment.player());
    (0..4).map(|game| player.play(&schedule.game(0, game))).collect()
}

#[test]
fn the_last_map_of_a_turn_is_that_of_topology_and_no_row_says_what_was_known() {
    let mut phases = Vec::new();
    for id in ["standard", "black-hole", "deluge-ii", "seismic-1971"] {
        for game in games(id, "log.maps = true") {
            let mut before = game.topology[0].topology_hash;
            for turn in &game.topology[1..] {
                let rows: Vec<_> = game.maps.iter().filter(|row| row.turn == turn.turn).collect();
                for row in &rows {
                    assert_ne!(row.topology_hash, before, "{id}: a row of a map that has not changed");
                    assert_eq!((row.phase.year, row.phase.season), (turn.year, turn.season), "{id}");
                    before = row.topology_hash;
                }
                assert_eq!(before, turn.topology_hash, "{id}: the map at the end of turn {}", turn.turn);
                if let Some(last) = rows.last() {
                    assert_eq!((&last.map, last.extant_centres), (&turn.map, turn.extant_centres), "{id}");
                }
            }
            for row in &game.maps {
                let own = game.events.iter().filter(|event| event.phase == row.phase);
                let after = own.map(|event| event.sequence + 1).max();
                assert_eq!(after, Some(row.events), "{id}: the events up to the end of {}", row.phase);
                phases.push((id, row.phase.kind));
            }
            assert!(game.maps.windows(2).all(|pair| pair[0].phase != pair[1].phase), "{id}: one row a phase");
        }
    }
    assert!(phases.iter().all(|(id, _)| *id != "standard"), "{phases:?}");
    assert!(phases.contains(&("seismic-1971", PhaseKind::Seismic)), "{phases:?}");
    assert!(phases.iter().any(|(id, _)| *id == "deluge-ii"), "{phases:?}");
}

#[test]
fn the_table_is_there_where_it_is_asked_for_and_changes_no_other() {
    let (with, without) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let run = |log: &str, out: &Path| play(&experiment(&text("seismic-1971", log), out), 1).path;
    let (with, without) = (run("log.maps = true", with.path()), run("", without.path()));
    let tables = |run: &Path| -> Vec<String> {
        let names =
            files(run).into_keys().filter(|path| path.extension().is_some_and(|end| end == "parquet"));
        names.map(|path| path.display().to_string()).collect()
    };
    let mut asked = tables(&with);
    asked.retain(|name| name != "maps/variant=seismic-1971/part-00000.parquet");
    assert_eq!((asked.len(), &asked), (tables(&with).len() - 1, &tables(&without)));
    assert!(games("seismic-1971", "").iter().all(|game| game.maps.is_empty()));
    let report = upheaval::sim::verify::verify(&with).expect("a run folder");
    assert!(report.is_sound(), "{report:?}");
}
