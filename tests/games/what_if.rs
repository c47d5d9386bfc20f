//! Games of a run with a change: nothing differs except what is asked for.

use std::collections::BTreeSet;

use tempfile::TempDir;

use crate::changes::{file_with, sound};
use crate::helpers::engine::{experiment, play, registry};
use crate::helpers::quick::kind;
use crate::helpers::shipped::variant;
use upheaval::branch::{
    BranchError, Fork, MapEventKind, Otherwise, Outcomes, Replacement, Side, SurveyQuery, Surveyed,
};
use upheaval::game_record::{GameRecord, Programs, RunReplayer};
use upheaval::ids::{Power, PowerNames, Powers};
use upheaval::reading::OrderForm;
use upheaval::record::EventKind;
use upheaval::rules::changes::Changes;
use upheaval::rules::position::Phase;
use upheaval::rules::variant::Variant;
use upheaval::sim::amended::Change;

/// A run of this variant, as it is played again.
fn run(id: &str, games: u64, last_year: u16) -> (TempDir, RunReplayer) {
    let bots = ["greedy", "dumbbot", "random", "greedy", "hold", "random", "greedy"];
    run_with(&format!("variants = [\"{id}\"]"), bots, games, last_year)
}

/// A run of these variants and parameters among these bots.
fn run_with(variants: &str, bots: [&str; 7], games: u64, last_year: u16) -> (TempDir, RunReplayer) {
    let text = format!(
        "name = \"fork\"\n{variants}\ngames = {games}\nseed = 8\nlast_year = {last_year}\nseats.lineup = {bots:?}"
    );
    let dir = tempfile::tempdir().unwrap();
    let path = play(&experiment(&text, dir.path()), 2).path;
    (dir, RunReplayer::open(&path, &Programs::default(), &registry()).unwrap())
}

/// A file of the standard rules with these entries, as the variants of an experiment.
fn written(folder: &TempDir, name: &str, entries: &str) -> String {
    let path = folder.path().join(format!("{name}.toml"));
    std::fs::write(&path, file_with(entries)).unwrap();
    format!("variants = [{path:?}]")
}

fn itself(again: &RunReplayer, game: &str) -> GameRecord {
    again.game_record(&again.find(game).unwrap()).unwrap()
}

fn fork<'a>(again: &'a RunReplayer, game: &str, at: &str, otherwise: Otherwise) -> Fork<'a> {
    Fork::new(again, game, at.parse().unwrap(), otherwise).unwrap()
}

/// The event of the first arm's variant with this name.
fn named(again: &RunReplayer, event: &str) -> MapEventKind {
    MapEventKind::named(Some(event), &again.variant(0).changes).unwrap().1
}

/// The games of a survey of the first arm.
fn surveyed(again: &RunReplayer, event: &str, at: &str, games: u64) -> Vec<Surveyed> {
    SurveyQuery { arm: 0, event: named(again, event), at: at.parse().unwrap(), years: 1, games }
        .forked(again)
        .unwrap()
}

/// The orders of a power in a stage.
fn orders_of(game: &GameRecord, stage: usize, power: &str) -> Vec<String> {
    let own = game.stages[stage].orders.iter().filter(|line| line.power == power);
    own.map(|line| line.order.clone()).collect()
}

fn drawn(again: &RunReplayer, event: &str, change: Change) -> Otherwise {
    let MapEventKind::Draw(draw) = named(again, event) else { panic!("{event} is drawn") };
    Otherwise::Draw { draw, change }
}

fn told(game: &GameRecord, kind: EventKind) -> Vec<(&str, &str)> {
    let stages = game.stages.iter();
    let of = stages.flat_map(|stage| stage.events.iter().map(move |event| (&*stage.phase, event)));
    of.filter(|(_, event)| event.kind == kind.name())
        .map(|(phase, event)| (&phase[..5], event.province.as_deref().unwrap_or_default()))
        .collect()
}

#[test]
fn a_branch_in_which_nothing_goes_otherwise_is_the_game_itself_in_every_variant() {
    // Whole blocks: seven games of each variant, of which one is forked, and all if slow tests are run.
    let last_year = if testkit::tries_all() { 1904 } else { 1903 };
    for id in Variant::shipped() {
        let (_dir, again) = run(id, 7, last_year);
        for game in testkit::thinned(0..7, 7) {
            let name = game.to_string();
            let spec = again.find(&name).unwrap();
            // These bots have no memory of a game: another one of its kind continues in the same way.
            let power = Power::FRANCE;
            let bot = &spec.names[power];
            let seat = Replacement { power, name: bot.to_string(), maker: kind(bot).into() };
            let mut same = vec![Otherwise::Seat(seat)];
            let kinds = MapEventKind::all(&again.variant(0).changes);
            same.extend(kinds.into_iter().filter_map(|(_, kind)| match kind {
                MapEventKind::Draw(draw) => Some(Otherwise::Draw { draw, change: Change::Nothing }),
                MapEventKind::Quake => None,
            }));
            for otherwise in same {
                let is_draw = matches!(otherwise, Otherwise::Draw { .. });
                let fork = fork(&again, &name, "F1902", otherwise);
                // It has been played again and compared with the run.
                let itself = &fork.game_record;
                // As it was it is the same game, whatever the other side is.
                let sides = if is_draw && !testkit::tries_all() {
                    &[Side::Otherwise][..]
                } else {
                    &[Side::AsItWas, Side::Otherwise]
                };
                for &side in sides {
                    match fork.written(side, 0) {
                        Ok(written) => assert!(written == *itself, "{id}/{game}, {side:?}"),
                        Err(BranchError::NothingDrawn { .. }) if is_draw => {}
                        Err(error) => panic!("{id}/{game}: {error}"),
                    }
                }
            }
        }
    }
}

#[test]
fn a_hole_in_place_of_another_is_announced_and_opens_and_later_holes_stay_what_they_were() {
    for (id, foretold) in [("black-hole", true), ("black-hole-i", false)] {
        let (_dir, again) = run(id, 7, 1906);
        let itself = itself(&again, "3");
        let holes = told(&itself, EventKind::HoleDrawn);
        let spared = ["BOH", "SYR", "UKR", "WAL", "CLY", "FIN"];
        let spared =
            spared.into_iter().find(|province| holes.iter().all(|(_, hole)| hole != province)).unwrap();
        let otherwise = drawn(&again, "holes", Change::Instead(spared.to_owned()));
        let fork = fork(&again, "3", "S1902", otherwise);
        let (was, is) = (&fork.game_record, fork.written(Side::Otherwise, 0).unwrap());
        assert!(was.stages[..=fork.stage].iter().zip(&is.stages).all(|(was, is)| was.state == is.state));
        let kind = EventKind::HoleDrawn;
        for ((phase, was), (also, is)) in told(was, kind).into_iter().zip(told(&is, kind)).take(5) {
            assert_eq!(phase, also, "{id}");
            match phase {
                "S1902" => assert!(was != spared && is == spared, "{id}: {was}, {is}"),
                _ => assert_eq!(was, is, "{id}, {phase}"),
            }
        }
        // It is known before the retreats if it is foretold.
        let stage = &is.stages[fork.stage];
        assert_eq!(stage.stage, "movement", "{id}");
        if foretold {
            assert!(stage.events.iter().any(|event| event.kind == kind.name()), "{id}");
        }
        let gone = [EventKind::Collapsed, EventKind::Voided].map(|kind| told(&is, kind)).concat();
        assert!(gone.contains(&("S1902", spared)), "{id}: {gone:?}");
    }
}

#[test]
fn without_a_hole_there_is_one_less_and_orders_and_seats_change_nothing_before_the_fork() {
    let (_dir, again) = run("black-hole", 7, 1905);
    let without = fork(&again, "0", "F1902", drawn(&again, "holes", Change::Without));
    let is = without.written(Side::Otherwise, 0).unwrap();
    let holes = |game: &GameRecord| {
        told(game, EventKind::HoleDrawn).iter().filter(|(phase, _)| *phase == "F1902").count()
    };
    assert_eq!((holes(&without.game_record), holes(&is)), (1, 0));
    let orders = Otherwise::Orders {
        power: Power::FRANCE,
        orders: vec!["A PAR - PIC".to_owned()],
        form: OrderForm::Typed,
    };
    let fork = fork(&again, "0", "S1901M", orders);
    let is = fork.written(Side::Otherwise, 0).unwrap();
    assert!(orders_of(&is, 0, "FRANCE").contains(&"A PAR - PIC".to_owned()));
    for power in fork.game_record.power_names.iter().filter(|power| *power != "FRANCE") {
        assert_eq!(orders_of(&is, 0, power), orders_of(&fork.game_record, 0, power), "{power}");
    }
}

#[test]
fn futures_of_a_number_are_the_same_game_again_and_others_are_others() {
    let (_dir, again) = run("black-hole", 7, 1906);
    let otherwise = drawn(&again, "holes", Change::Instead("BOH".to_owned()));
    let fork = fork(&again, "2", "F1901", otherwise);
    let pairs = fork.futures(4).unwrap();
    let end = format!("{:016x}", pairs[0][0].state_hash);
    assert_eq!(end, fork.game_record.end.state);
    assert!(pairs == fork.futures(4).unwrap(), "the same again, on any thread");
    for side in [0, 1] {
        let mut hashes: Vec<u64> = pairs.iter().map(|pair| pair[side].state_hash).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 4, "each future has dice of its own");
    }
}

#[test]
fn a_survey_draws_every_province_alone_and_sees_what_it_costs_to_lose_a_home() {
    let games = if testkit::tries_all() { 14 } else { 7 };
    let (_dir, again) = run("black-hole", games, 1904);
    let forked = surveyed(&again, "holes", "F1901", games);
    assert!(forked.len() as u64 >= games / 2, "{}", forked.len());
    let mut lost = 0;
    for game in &forked {
        let happened = &game.happened;
        assert!(happened.len() > 60 && happened.is_sorted_by(|a, b| a.what < b.what), "{}", happened.len());
        let paris = happened.iter().find(|branch| branch.what == "PAR");
        let of = |outcomes: &Outcomes| i32::from(outcomes[Power::FRANCE]);
        lost += paris.map_or(0, |branch| of(&branch.outcomes) - of(&game.without));
    }
    assert!(lost < 0, "{lost}");
}

/// The centres of each power after the last season that a game has up to the year after the fork, as surveys count.
fn centres_by(fork: &Fork<'_>) -> Outcomes {
    let year = fork.game_record.stages[fork.stage].phase.parse::<Phase>().unwrap().year + 1;
    let turns = fork.future(Side::AsItWas, 0).unwrap().turns;
    let of = |power: Power| {
        turns.iter().rfind(|row| row.power == power && row.year <= year).map(|row| row.counts.centres)
    };
    Outcomes::from_fn(Powers::STANDARD, |power| of(power).unwrap())
}

/// The games that `upheaval effect` compares are real ones: the branch with the event that actually happened is the
/// game itself.
#[test]
fn the_branch_of_a_survey_in_which_all_goes_as_it_went_is_the_game_itself() {
    // With one toggle a season what toggles is one province, which goes or comes back.
    let toggle = "variants = [\"double-reversible\"]\nparameters = { changes.toggles.count = 1 }";
    let named = |id: &str| format!("variants = [\"{id}\"]");
    let folder = tempfile::tempdir().unwrap();
    let ends = "ends = { STP = [\"BAR\", \"BOT\"], SPA = [\"MAO\", \"WES\"], BUL = [\"AEG\", \"BLA\"] }\nof = \"STP | SPA | BUL\"";
    let files = [("canals", "dig", ends), ("rising", "raise", "of = \"sea\"")].map(|(id, verb, keys)| {
        let entry = format!("[[changes]]\nid = \"{id}\"\nchange = \"{verb}\"\ncount = 1\n{keys}\n");
        written(&folder, id, &entry)
    });
    let file = |id: &str| files.iter().find(|file| file.contains(id)).unwrap().clone();
    for (variants, draw, at, kind) in [
        (named("black-hole"), "holes", "F1902", EventKind::Collapsed),
        (named("black-hole-i"), "holes", "F1902", EventKind::Voided),
        (named("black-hole-ii"), "holes", "F1902", EventKind::Collapsed),
        (named("schizo-ii"), "holes", "S1902", EventKind::Voided),
        (named("schizo-ii"), "splits", "S1902", EventKind::SplitDrawn),
        (named("schizo-ii"), "restores", "S1905", EventKind::Restored),
        (toggle.to_owned(), "toggles: collapse", "S1902", EventKind::Collapsed),
        (file("canals"), "canals", "F1901", EventKind::Dug),
        (file("rising"), "rising", "S1902", EventKind::Raised),
    ]
    .into_iter()
    .step_by(if testkit::tries_all() { 1 } else { 3 })
    {
        let bots = ["greedy", "dumbbot", "random", "greedy", "hold", "random", "greedy"];
        let last_year = if draw == "restores" { 1906 } else { 1904 };
        let (_dir, again) = run_with(&variants, bots, 7, last_year);
        let mut compared = 0;
        for surveyed in surveyed(&again, draw, at, testkit::amount(2, 7).min(7)) {
            let name = surveyed.game.to_string();
            let fork = fork(&again, &name, at, drawn(&again, draw, Change::Nothing));
            let mut happened = told(&fork.game_record, kind);
            happened.retain(|(phase, _)| *phase == at);
            let [(_, province)] = happened[..] else { continue };
            let branch = surveyed.happened.iter().find(|branch| branch.what == province);
            let branch = branch.unwrap_or_else(|| panic!("{variants}, {at}: {province} could be drawn"));
            assert_eq!(branch.outcomes, centres_by(&fork), "{variants}/{name}, {at}: {province}");
            compared += 1;
        }
        assert!(compared >= if testkit::tries_all() { 4 } else { 1 }, "{variants}, {at}: {compared}");
    }
}

/// Where holes toggle, becoming a hole and coming back are effects of two kinds.
#[test]
fn a_survey_of_toggles_has_provinces_that_go_and_holes_that_come_back_apart() {
    let (_dir, again) = run("double-reversible", 7, 1904);
    let games = if testkit::tries_all() { 7 } else { 1 };
    let forked = |event| surveyed(&again, event, "S1903", games as u64);
    let [go, back] = ["toggles: collapse", "toggles: restore"].map(forked);
    assert!(go.len() == back.len() && go.len() >= games, "{} and {}", go.len(), back.len());
    for (go, back) in go.iter().zip(&back) {
        let game = itself(&again, &go.game.to_string());
        let before =
            |kind: EventKind| told(&game, kind).into_iter().filter(|(phase, _)| &phase[1..] < "1903").count();
        let holes = before(EventKind::Collapsed) - before(EventKind::Restored);
        assert_eq!((back.happened.len(), go.happened.len()), (holes, 76 - holes), "{}", go.game);
        assert!(back.happened.iter().all(|one| go.happened.iter().all(|other| one.what != other.what)));
        assert_eq!(go.without, back.without, "in both nothing toggles");
    }
}

/// The unchanged branch of a survey is the game itself: for quakes, where one power alone orders one, or none does.
#[test]
fn the_branch_of_a_survey_with_the_quake_that_was_ordered_is_the_game_itself() {
    for id in ["seismic-1971", "seismic-acerunner"] {
        let mut seen = [false; 2];
        for bots in [["hold"; 7], ["random", "hold", "hold", "hold", "hold", "hold", "hold"]] {
            let (_dir, again) = run_with(&format!("variants = [\"{id}\"]"), bots, 7, 1903);
            for surveyed in surveyed(&again, "quakes", "S1902", testkit::amount(1, 2).min(2)) {
                let name = surveyed.game.to_string();
                let fork = fork(&again, &name, "S1902", Otherwise::Quake(None));
                let stage = fork.game_record.stages.iter().find(|stage| stage.phase == "S1902E").unwrap();
                let orders: Vec<&str> = stage.orders.iter().map(|line| &*line.order).collect();
                let happened = surveyed.happened.iter().find(|branch| [&*branch.what] == orders[..]);
                let outcomes = match happened.map(|branch| &branch.outcomes) {
                    None if orders.is_empty() => &surveyed.without,
                    Some(outcomes) => outcomes,
                    None => continue,
                };
                assert_eq!(*outcomes, centres_by(&fork), "{id}/{name}: {orders:?}");
                seen[orders.len()] = true;
            }
        }
        assert_eq!(seen, [true; 2], "{id}");
    }
}

/// The phases of a game's stages of this kind.
fn phases_of<'a>(game: &'a GameRecord, stage: &str) -> Vec<&'a str> {
    game.stages.iter().filter(|of| of.stage == stage).map(|of| &*of.phase).collect()
}

#[test]
fn a_quake_in_place_of_all_is_the_only_one_of_its_season_and_none_leaves_the_map() {
    for id in ["seismic-1971", "seismic-acerunner"] {
        let (_dir, again) = run(id, 7, if testkit::tries_all() { 1904 } else { 1903 });
        let itself = itself(&again, "2");
        let phase = phases_of(&itself, "seismic")[0].to_owned();
        let season = phase.trim_end_matches('E');
        let quake = "SEPARATE POR SPA CONNECT MAO MAO";
        for (otherwise, expected) in [
            (Otherwise::instead(quake, &again.variant(0).changes).unwrap(), vec![quake]),
            (Otherwise::Quake(None), vec![]),
        ] {
            for at in [&*phase, season] {
                let fork = fork(&again, "2", at, otherwise.clone());
                let is = fork.written(Side::Otherwise, 0).unwrap();
                let stage = is.stages.iter().find(|stage| stage.stage == "seismic").unwrap();
                assert_eq!(stage.phase, phase);
                let orders: Vec<&str> = stage.orders.iter().map(|line| &*line.order).collect();
                assert_eq!(orders, expected, "{id}, {at}");
                assert_eq!(
                    stage.events.iter().filter(|event| event.kind == "separated").count(),
                    expected.len()
                );
                assert_eq!(fork.written(Side::AsItWas, 0).unwrap(), fork.game_record, "{id}, {at}");
            }
        }
    }
}

#[test]
fn a_vote_that_a_power_gives_otherwise_changes_another_place() {
    let folder = tempfile::tempdir().unwrap();
    let outvoted = "[[changes]]\nid = \"outvoted\"\nof = \"provinces\"\nby = \"vote\"\nchange = \"collapse\"\nties = \"none\"\n";
    let (_dir, again) = run_with(&written(&folder, "outvoted", outvoted), ["hold"; 7], 7, 1902);
    let orders = vec!["VOTE BUR".to_owned()];
    let fork = fork(
        &again,
        "0",
        "F1901M",
        Otherwise::Orders { power: Power::FRANCE, orders, form: OrderForm::Typed },
    );
    let is = fork.written(Side::Otherwise, 0).unwrap();
    assert_eq!(told(&fork.game_record, EventKind::Collapsed), []);
    assert_eq!(told(&is, EventKind::Collapsed), [("F1901", "BUR")]);
}

#[test]
fn orders_go_otherwise_in_retreats_winters_and_seismic_phases() {
    let (_dir, again) = run("seismic-1971", 7, 1905);
    let mut tried = BTreeSet::new();
    for game in ["0", "1", "2", "3"] {
        let itself = itself(&again, game);
        for (stage, instead) in
            [("retreats", "D"), ("adjustments", "WAIVE"), ("seismic", "SEPARATE POR SPA CONNECT MAO MAO")]
        {
            // The first order of the kind that was followed, and a possible order in its place.
            let lines = itself.stages.iter().filter(|of| of.stage == stage).flat_map(|of| {
                of.orders.iter().filter(|line| line.succeeded()).map(move |line| (&*of.phase, line))
            });
            // If slow tests are not run, one order of each kind is enough.
            if tried.contains(stage) && !testkit::tries_all() {
                continue;
            }
            let mut other =
                lines.filter(|(_, line)| !line.order.ends_with(" D") && !line.order.ends_with(instead));
            let Some((phase, line)) = other.next() else { continue };
            let order = match stage {
                "retreats" => format!("{} {instead}", line.order.split(" R ").next().unwrap()),
                _ => instead.to_owned(),
            };
            let power = itself.power_names.named(&line.power).unwrap();
            let otherwise = Otherwise::Orders { power, orders: vec![order.clone()], form: OrderForm::Typed };
            let fork = fork(&again, game, phase, otherwise);
            let orders = orders_of(&fork.written(Side::Otherwise, 0).unwrap(), fork.stage, &line.power);
            let given = [&order, &line.order].map(|order| orders.contains(order));
            assert_eq!(given, [true, false], "{game}, {phase}: {order}, not {}, in {orders:?}", line.order);
            tried.insert(stage);
        }
    }
    assert!(tried.iter().eq(&["adjustments", "retreats", "seismic"]), "{tried:?}");
}

#[test]
fn a_survey_of_quakes_has_each_that_the_map_allows_alone() {
    let (_dir, again) = run("seismic-1971", 7, 1903);
    let itself = itself(&again, "0");
    let at = phases_of(&itself, "seismic")[0].trim_end_matches('E');
    let forked = surveyed(&again, "quakes", at, 1);
    let happened = &forked[0].happened;
    assert!(happened.len() > 150, "{}", happened.len());
    let portugal = happened.iter().find(|branch| branch.what == "SEPARATE POR SPA CONNECT MAO MAO").unwrap();
    assert_eq!(portugal.provinces, ["POR", "SPA"]);
    assert!(happened.iter().any(|branch| branch.outcomes != forked[0].without));
}

/// A draw is named by its verb, and by its entry if several draw so.
#[test]
fn changes_are_named_by_entries_and_verbs() {
    let changes = |id: &str| variant(id).changes.clone();
    let text = "[[changes]]\nid = \"floods\"\nof = \"land\"\nchange = \"submerge\"\n
        [[changes]]\nid = \"lands\"\nof = \"land\"\nchange = \"collapse\"\n
        [[changes]]\nid = \"seas\"\nof = \"sea\"\nchange = \"collapse\"\n";
    let own = sound(text).changes.clone();
    let powers = PowerNames::standard();
    for (changes, text, words) in [
        (&changes("black-hole"), "collapse BUR", "BUR is drawn to collapse"),
        (&changes("black-hole-i"), "void  nth", "NTH is drawn to become void"),
        (&changes("schizo-ii"), "restores: restore MUN", "MUN is drawn to come back"),
        (&changes("schizo-ii"), "split BUR.1", "BUR.1 is drawn to split in two"),
        (&changes("double-reversible"), "Restore mun", "MUN is drawn to come back"),
        (&own, "submerge BUR", "BUR is drawn to become sea"),
        (&own, "seas: collapse NTH", "NTH is drawn to collapse"),
        (
            &changes("seismic-1971"),
            "separate POR SPA connect MAO MAO",
            "SEPARATE POR SPA CONNECT MAO MAO is the only quake",
        ),
    ] {
        assert_eq!(Otherwise::instead(text, changes).unwrap().words(&powers), words, "{text}");
    }
    for text in ["", "collapse", "burn BUR", "submerge BUR MUN", "collapse BUR", "floods: collapse BUR"] {
        let fault = Otherwise::instead(text, &own).unwrap_err();
        assert_eq!(fault.draws, ["submerge", "lands: collapse", "seas: collapse"], "{text}");
        assert!(!fault.has_quakes);
    }
    let names = |changes: &Changes| {
        MapEventKind::named(None, changes).map(|(_, kind)| kind).map_err(|fault| fault.known)
    };
    assert_eq!(names(&own), Err(["floods", "lands", "seas"].map(str::to_owned).to_vec()));
    assert_eq!(names(&changes("seismic-1971")), Ok(MapEventKind::Quake));
    // Without its draws an entry does nothing by any verb.
    let toggling = changes("double-reversible");
    assert!(MapEventKind::named(Some("toggles"), &toggling).is_err());
    assert!(MapEventKind::named(Some("toggles :restore"), &toggling).is_ok());
    for id in [None, Some("toggles")] {
        let without = Otherwise::without(id, &toggling).unwrap();
        assert_eq!(without.words(&powers), "nothing is drawn for `toggles`");
    }
    assert_eq!(
        Otherwise::without(Some("seas: collapse"), &own).unwrap_err().known,
        ["floods", "lands", "seas"]
    );
}
