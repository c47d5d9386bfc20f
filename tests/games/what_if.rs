//! Games of a run with a change: nothing differs except what is asked for.

use std::path::PathBuf;

use tempfile::TempDir;

use crate::helpers::engine::{experiment, play, registry};
use crate::helpers::quick::kind;
use upheaval::branch::{
    BranchError, DrawWord, EventWord, Fork, Moment, Otherwise, Outcomes, Replacement, Side, SurveyQuery,
};
use upheaval::game_record::{GameRecord, Programs, RunReplayer};
use upheaval::ids::{Power, PowerNames, Powers};
use upheaval::record::EventKind;
use upheaval::rules::variant::Variant;
use upheaval::sim::amended::Change;

/// A run of this variant, and its path.
fn run(id: &str, games: u64, last_year: u16) -> (TempDir, PathBuf) {
    let bots = ["greedy", "dumbbot", "random", "greedy", "hold", "random", "greedy"];
    run_with(&format!("variants = [\"{id}\"]"), bots, games, last_year)
}

/// A run of these variants and parameters among these bots, and its path.
fn run_with(variants: &str, bots: [&str; 7], games: u64, last_year: u16) -> (TempDir, PathBuf) {
    let text = format!(
        "name = \"fork\"\n{variants}\ngames = {games}\nseed = 8\nlast_year = {last_year}\nseats.lineup = {bots:?}"
    );
    let dir = tempfile::tempdir().unwrap();
    let path = play(&experiment(&text, dir.path()), 2).path;
    (dir, path)
}

fn open(path: &std::path::Path) -> RunReplayer {
    RunReplayer::open(path, &Programs::default(), &registry()).unwrap()
}

fn drawn(draw: DrawWord, change: Change) -> Otherwise {
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
    // Whole blocks: seven games of each variant, and 84 if slow tests are run.
    let games = 7 * testkit::amount(1, 12);
    for id in Variant::shipped() {
        let (_dir, path) = run(id, games, 1906);
        let again = open(&path);
        for game in 0..games {
            let name = game.to_string();
            let spec = again.find(&name).unwrap();
            // These bots have no memory of a game: another one of its kind continues in the same way.
            let power = Power::FRANCE;
            let bot = &spec.names[power];
            let seat = Replacement { power, name: bot.to_string(), maker: kind(bot).into() };
            let mut same = vec![Otherwise::Seat(seat)];
            let draws = if game < 7 { &DrawWord::ALL[..] } else { &DrawWord::ALL[..1] };
            same.extend(draws.iter().map(|&draw| drawn(draw, Change::Nothing)));
            for otherwise in same {
                let is_draw = matches!(otherwise, Otherwise::Draw { .. });
                let fork = Fork::new(&again, &name, "F1902".parse().unwrap(), otherwise).unwrap();
                // It has been played again and compared with the run.
                let itself = &fork.game_record;
                for side in [Side::AsItWas, Side::Otherwise] {
                    // Every order and event of the first block is compared, and the ends of the others.
                    let same = match game {
                        0..7 => fork.written(side, 0).map(|written| written == *itself),
                        _ => fork
                            .future(side, 0)
                            .map(|future| format!("{:016x}", future.game.state_hash) == itself.end.state),
                    };
                    match same {
                        Ok(same) => assert!(same, "{id}/{game}, {side:?}"),
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
        let (_dir, path) = run(id, 7, 1906);
        let again = open(&path);
        let itself = again.game_record(&again.find("3").unwrap()).unwrap();
        let holes = told(&itself, EventKind::HoleDrawn);
        let spared = ["BOH", "SYR", "UKR", "WAL", "CLY", "FIN"];
        let spared =
            spared.into_iter().find(|province| holes.iter().all(|(_, hole)| hole != province)).unwrap();
        let otherwise = drawn(DrawWord::Hole, Change::Instead(spared.to_owned()));
        let fork = Fork::new(&again, "3", "S1902".parse().unwrap(), otherwise).unwrap();
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
    let (_dir, path) = run("black-hole", 7, 1905);
    let again = open(&path);
    let fork =
        Fork::new(&again, "0", "F1902".parse().unwrap(), drawn(DrawWord::Hole, Change::Without)).unwrap();
    let is = fork.written(Side::Otherwise, 0).unwrap();
    assert!(told(&fork.game_record, EventKind::HoleDrawn).iter().any(|(phase, _)| *phase == "F1902"));
    assert!(told(&is, EventKind::HoleDrawn).iter().all(|(phase, _)| *phase != "F1902"));
    let orders = Otherwise::Orders { power: Power::FRANCE, orders: vec!["A PAR - PIC".to_owned()] };
    let fork = Fork::new(&again, "0", "S1901M".parse().unwrap(), orders).unwrap();
    let is = fork.written(Side::Otherwise, 0).unwrap();
    let of = |game: &GameRecord, power: &str| -> Vec<String> {
        let orders = game.stages[0].orders.iter().filter(|line| line.power == power);
        orders.map(|line| line.order.clone()).collect()
    };
    assert!(of(&is, "FRANCE").contains(&"A PAR - PIC".to_owned()));
    for power in fork.game_record.power_names.iter().filter(|power| *power != "FRANCE") {
        assert_eq!(of(&is, power), of(&fork.game_record, power), "{power}");
    }
}

#[test]
fn futures_of_a_number_are_the_same_game_again_and_others_are_others() {
    let (_dir, path) = run("black-hole", 7, 1906);
    let again = open(&path);
    let otherwise = drawn(DrawWord::Hole, Change::Instead("BOH".to_owned()));
    let fork = Fork::new(&again, "2", "F1901".parse().unwrap(), otherwise).unwrap();
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
fn what_cannot_go_otherwise_is_told_with_its_reason() {
    let (_dir, path) = run("black-hole", 7, 1904);
    let again = open(&path);
    let at = |text: &str| text.parse().unwrap();
    let instead = |province: &str| drawn(DrawWord::Hole, Change::Instead(province.to_owned()));
    let itself = again.game_record(&again.find("1").unwrap()).unwrap();
    let holes = told(&itself, EventKind::HoleDrawn);
    let hole_in = |season: &str| holes.iter().find(|(phase, _)| *phase == season).unwrap().1.to_owned();
    let exempt = told(&itself, EventKind::ExemptNamed).first().map(|(_, province)| (*province).to_owned());
    let mut cases = vec![
        ("F1902", instead("XYZ"), "no province of this name"),
        ("F1902", instead(&hole_in("S1902")), "a hole already"),
        ("F1902", instead(&hole_in("F1902")), "was drawn in F1902 anyway"),
        ("F1902", instead("SWI"), "does not draw provinces of its kind"),
        ("F1902", drawn(DrawWord::Split, Change::Without), "nothing is drawn to be split in F1902"),
        ("F1930", instead("BOH"), "never waits for F1930: it goes from S1901M to"),
        (
            "S1902M",
            Otherwise::Orders { power: Power::FRANCE, orders: vec!["A MOS - UKR".to_owned()] },
            "A MOS - UKR",
        ),
        (
            "W1901A",
            Otherwise::Orders { power: Power::FRANCE, orders: vec!["A BUR B".to_owned()] },
            "the order `FRANCE A BUR B`: the power cannot build there",
        ),
        (
            "W1901A",
            Otherwise::Orders { power: Power::FRANCE, orders: vec!["WAIVE".to_owned(); 9] },
            "the order `FRANCE WAIVE`: no build is left",
        ),
    ];
    if let Some(exempt) = exempt {
        cases.push(("F1902", instead(&exempt), "exempt centre"));
    }
    for (moment, otherwise, why) in cases {
        let words = otherwise.words(&PowerNames::standard());
        let fork = Fork::new(&again, "1", at(moment), otherwise);
        let told = match fork.and_then(|fork| fork.future(Side::Otherwise, 0).map(|_| ())) {
            Ok(()) => panic!("{words}"),
            Err(error) => error.to_string(),
        };
        assert!(told.contains(why), "{words}: {told}");
    }
}

#[test]
fn a_survey_draws_every_province_alone_and_sees_what_it_costs_to_lose_a_home() {
    let (_dir, path) = run("black-hole", 14, 1904);
    let again = open(&path);
    let query = SurveyQuery {
        arm: 0,
        event: EventWord::Draw(DrawWord::Hole),
        at: "F1901".parse().unwrap(),
        years: 1,
        games: 14,
    };
    let forked = query.forked(&again).unwrap();
    assert!(forked.len() >= 7, "{}", forked.len());
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

/// The centres of each power after the last season of a year that a game has, up to this one.
fn centres_by(fork: &Fork<'_>, year: u16) -> Outcomes {
    let turns = fork.future(Side::AsItWas, 0).unwrap().turns;
    let of = |power: Power| {
        turns.iter().rfind(|row| row.power == power && row.year <= year).map(|row| row.centres)
    };
    Outcomes::from_fn(Powers::STANDARD, |power| of(power).unwrap())
}

/// The games that `upheaval effect` compares are real ones: the branch with the event that actually happened is the
/// game itself.
#[test]
fn the_branch_of_a_survey_in_which_all_goes_as_it_went_is_the_game_itself() {
    let hole = EventWord::Draw(DrawWord::Hole);
    let split = EventWord::Draw(DrawWord::Split);
    let restore = EventWord::Draw(DrawWord::Restore);
    // With one toggle a season what toggles is one province, which goes or comes back.
    let toggle = "variants = [\"double-reversible\"]\nparameters = { toggles.per_season = 1 }";
    let named = |id: &str| format!("variants = [\"{id}\"]");
    for (variants, event, at, kinds) in [
        (named("black-hole"), hole, "F1902", &[EventKind::Collapsed][..]),
        (named("black-hole-i"), hole, "F1902", &[EventKind::Voided]),
        (named("black-hole-ii"), hole, "F1902", &[EventKind::Collapsed]),
        (named("schizo-ii"), hole, "S1902", &[EventKind::Voided]),
        (named("schizo-ii"), split, "S1902", &[EventKind::SplitDrawn]),
        (named("schizo-ii"), restore, "S1905", &[EventKind::Restored]),
        (toggle.to_owned(), hole, "S1902", &[EventKind::Collapsed]),
    ] {
        let bots = ["greedy", "dumbbot", "random", "greedy", "hold", "random", "greedy"];
        let (_dir, path) = run_with(&variants, bots, 7, 1906);
        let again = open(&path);
        let at: Moment = at.parse().unwrap();
        let query = SurveyQuery { arm: 0, event, at, years: 1, games: 7 };
        let mut compared = 0;
        for surveyed in query.forked(&again).unwrap() {
            let EventWord::Draw(draw) = event else { panic!("a draw") };
            let name = surveyed.game.to_string();
            let fork = Fork::new(&again, &name, at, drawn(draw, Change::Nothing)).unwrap();
            let season = at.to_string();
            let happened: Vec<&str> = kinds
                .iter()
                .flat_map(|kind| told(&fork.game_record, *kind))
                .filter_map(|(phase, province)| (phase == season).then_some(province))
                .collect();
            let [province] = happened[..] else { continue };
            let branch = surveyed.happened.iter().find(|branch| branch.what == province);
            let branch = branch.unwrap_or_else(|| panic!("{variants}, {at}: {province} could be drawn"));
            assert_eq!(
                branch.outcomes,
                centres_by(&fork, at.year + 1),
                "{variants}/{name}, {at}: {province}"
            );
            compared += 1;
        }
        assert!(compared >= 4, "{variants}, {at}: {compared}");
    }
}

/// Where holes toggle, becoming a hole and coming back are effects of two kinds.
#[test]
fn a_survey_of_toggles_has_provinces_that_go_and_holes_that_come_back_apart() {
    let (_dir, path) = run("double-reversible", 7, 1904);
    let again = open(&path);
    let at: Moment = "S1903".parse().unwrap();
    let forked = |draw: DrawWord| {
        let query = SurveyQuery { arm: 0, event: EventWord::Draw(draw), at, years: 1, games: 7 };
        query.forked(&again).unwrap()
    };
    let [go, back] = [DrawWord::Hole, DrawWord::Restore].map(forked);
    assert_eq!((go.len(), back.len()), (7, 7));
    for (go, back) in go.iter().zip(&back) {
        let game = again.game_record(&again.find(&go.game.to_string()).unwrap()).unwrap();
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
    for (id, at) in [("seismic-1971", "S1902"), ("seismic-acerunner", "S1902")] {
        let mut seen = [false; 2];
        for bots in [["hold"; 7], ["random", "hold", "hold", "hold", "hold", "hold", "hold"]] {
            let (_dir, path) = run_with(&format!("variants = [\"{id}\"]"), bots, 7, 1903);
            let again = open(&path);
            let at: Moment = at.parse().unwrap();
            let query = SurveyQuery { arm: 0, event: EventWord::Quake, at, years: 1, games: 2 };
            for surveyed in query.forked(&again).unwrap() {
                let name = surveyed.game.to_string();
                let fork = Fork::new(&again, &name, at, Otherwise::without(EventWord::Quake)).unwrap();
                let phase = format!("{at}E");
                let stage = fork.game_record.stages.iter().find(|stage| stage.phase == phase).unwrap();
                let orders: Vec<&str> = stage.orders.iter().map(|line| &*line.order).collect();
                let branch = match orders[..] {
                    [] => Some(&surveyed.without),
                    [quake] => surveyed
                        .happened
                        .iter()
                        .find(|branch| branch.what == quake)
                        .map(|branch| &branch.outcomes),
                    _ => panic!("{orders:?}"),
                };
                let Some(branch) = branch else { continue };
                assert_eq!(*branch, centres_by(&fork, at.year + 1), "{id}/{name}: {orders:?}");
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
        let (_dir, path) = run(id, 7, 1904);
        let again = open(&path);
        let itself = again.game_record(&again.find("2").unwrap()).unwrap();
        let phase = phases_of(&itself, "seismic")[0].to_owned();
        let season = phase.trim_end_matches('E');
        let quake = "SEPARATE POR SPA CONNECT MAO MAO";
        for (otherwise, expected) in [
            (Otherwise::instead(quake).unwrap(), vec![quake]),
            (Otherwise::without(EventWord::Quake), vec![]),
        ] {
            for at in [&*phase, season] {
                let fork = Fork::new(&again, "2", at.parse().unwrap(), otherwise.clone()).unwrap();
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
    let (_dir, path) = run("standard", 7, 1902);
    let again = open(&path);
    let none = Otherwise::without(EventWord::Quake);
    let fork = Fork::new(&again, "2", "F1901".parse().unwrap(), none).unwrap();
    let error = fork.future(Side::Otherwise, 0).unwrap_err().to_string();
    assert_eq!(error, "2: F1901 has no seismic phase, so there is no quake to change");
}

#[test]
fn orders_go_otherwise_in_retreats_winters_and_seismic_phases() {
    let (_dir, path) = run("seismic-1971", 7, 1905);
    let again = open(&path);
    let mut tried = Vec::new();
    for game in ["0", "1", "2", "3"] {
        let itself = again.game_record(&again.find(game).unwrap()).unwrap();
        for (stage, instead) in
            [("retreats", "D"), ("adjustments", "WAIVE"), ("seismic", "SEPARATE POR SPA CONNECT MAO MAO")]
        {
            // The first order of the kind that was followed, and a possible order in its place.
            let lines = itself.stages.iter().filter(|of| of.stage == stage).flat_map(|of| {
                of.orders.iter().filter(|line| line.succeeded()).map(move |line| (&*of.phase, line))
            });
            let mut other =
                lines.filter(|(_, line)| !line.order.ends_with(" D") && !line.order.ends_with(instead));
            let Some((phase, line)) = other.next() else { continue };
            let order = match stage {
                "retreats" => {
                    let unit: Vec<&str> = line.order.split(' ').take(2).collect();
                    format!("{} {instead}", unit.join(" "))
                }
                _ => instead.to_owned(),
            };
            let power = itself.power_names.named(&line.power).unwrap();
            let otherwise = Otherwise::Orders { power, orders: vec![order.clone()] };
            let fork = Fork::new(&again, game, phase.parse().unwrap(), otherwise).unwrap();
            let is = fork.written(Side::Otherwise, 0).unwrap();
            let of = |game: &GameRecord| -> Vec<String> {
                let own = game.stages[fork.stage].orders.iter().filter(|other| other.power == line.power);
                own.map(|line| line.order.clone()).collect()
            };
            assert!(of(&is).contains(&order), "{game}, {phase}: {order} in {:?}", of(&is));
            assert!(!of(&is).contains(&line.order), "{game}, {phase}: {} in {:?}", line.order, of(&is));
            tried.push(stage);
        }
    }
    for stage in ["retreats", "adjustments", "seismic"] {
        assert!(tried.contains(&stage), "{stage}: {tried:?}");
    }
}

#[test]
fn a_survey_of_quakes_has_each_that_the_map_allows_alone() {
    let (_dir, path) = run("seismic-1971", 7, 1903);
    let again = open(&path);
    let itself = again.game_record(&again.find("0").unwrap()).unwrap();
    let at = phases_of(&itself, "seismic")[0].trim_end_matches('E').parse().unwrap();
    let query = SurveyQuery { arm: 0, event: EventWord::Quake, at, years: 1, games: 1 };
    let forked = query.forked(&again).unwrap();
    let happened = &forked[0].happened;
    assert!(happened.len() > 150, "{}", happened.len());
    let portugal = happened.iter().find(|branch| branch.what == "SEPARATE POR SPA CONNECT MAO MAO").unwrap();
    assert_eq!(portugal.provinces, ["POR", "SPA"]);
    assert!(happened.iter().any(|branch| branch.outcomes != forked[0].without));
    let query = SurveyQuery { event: EventWord::Draw(DrawWord::Hole), ..query };
    assert!(query.forked(&again).unwrap().is_empty());
}
