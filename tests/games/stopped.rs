//! Games that are stopped because they are decided: their tables and records, and how often the rule is wrong, compared
//! with the same games played to their ends.

use std::path::Path;
use std::sync::Arc;

use crate::helpers::engine::{experiment, play};
use crate::helpers::shipped::STANDARD;
use upheaval::analysis::Estimate;
use upheaval::analysis::balance::{Balance, BalanceOptions};
use upheaval::game::{Ending, Game, Referee, Stage, StopLead, StopRule};
use upheaval::game_record::{GameRecord, Origin, game_record, replay};
use upheaval::ids::Power;
use upheaval::record::{GameEnd, GameRows, SeatOutcome};
use upheaval::rules::answers::Answers;
use upheaval::rules::nature::Seeded;
use upheaval::rules::position::Season;
use upheaval::sim::{Experiment, GameSpec, Play};

/// The last year of a game in which all units hold, and whether it was stopped.
fn held(rule: StopRule) -> (u16, bool, Option<Ending>) {
    let mut game = Game::new(STANDARD.variant(), 1910).stopped_by(rule);
    let (mut referee, mut nature) = (Referee::new(), Seeded { seed: 1, block: 0 });
    let silence = Answers::none(game.powers());
    while game.stage() != Stage::Over {
        game.settle(&mut referee, &silence, &mut nature, &mut ());
    }
    (game.phase().year, game.was_stopped(), game.ending().cloned())
}

#[test]
fn a_game_is_stopped_when_nothing_has_changed_for_long_enough() {
    let rule = |still| StopRule { still: Some(still), lead: None };
    let (year, stopped, ending) = held(rule(3));
    assert_eq!((year, stopped), (1904, true));
    assert!(matches!(ending, Some(Ending::Draw(left)) if left.len() == 7));
    assert_eq!(held(StopRule::default()).0, 1910);
    // The game's own last year comes first.
    assert_eq!((held(rule(9)).0, held(rule(9)).1), (1910, false));
}

#[test]
fn a_game_is_stopped_when_one_power_is_far_enough_ahead_for_long_enough() {
    // Russia begins with one centre more than the others.
    let rule = |centres| StopRule { lead: Some(StopLead { centres, years: 2 }), still: None };
    assert_eq!(held(rule(1)), (1902, true, Some(Ending::Solo(Power::RUSSIA))));
    assert!(!held(rule(2)).1);
}

/// An experiment with this rule, or without one.
fn stopping(variant: &str, bots: &str, rule: &str, games: u32, last_year: u16, out: &Path) -> Experiment {
    let text = format!(
        "name = \"stopped\"\nvariants = [\"{variant}\"]\ngames = {games}\nseed = 41\nlast_year = {last_year}\n{rule}\n\
         [seats]\n{bots}\n"
    );
    experiment(&text, out)
}

/// Its games.
fn games(variant: &str, bots: &str, rule: &str, games: u32, last_year: u16) -> Vec<GameRows> {
    let experiment = stopping(variant, bots, rule, games, last_year, Path::new("."));
    let (schedule, player) = (experiment.schedule(), experiment.player());
    let specs: Vec<GameSpec> = (0..games).map(|game| schedule.game(0, game)).collect();
    player.play_all(&specs, &()).expect("nobody stops it")
}

const GREEDY: &str = "all = \"greedy\"";
const RULE: &str = "stop = { lead = 6, years = 3, still = 5 }";

/// The powers' centres at the end.
fn centres(game: &GameRows) -> Vec<u16> {
    game.game.seats.rows().iter().map(|seat| seat.centres).collect()
}

/// The power with the most centres.
fn first(game: &GameRows) -> Power {
    let (power, _) = game.game.seats.iter().max_by_key(|(_, seat)| seat.centres).expect("a power");
    power
}

#[test]
fn a_stopped_game_is_the_game_itself_up_to_there_and_says_so() {
    let played = testkit::amount(20, 40).min(40) as u32;
    let whole = games("standard", GREEDY, "", played, 1925);
    let cut = games("standard", GREEDY, RULE, played, 1925);
    let mut stopped = 0;
    for (whole, cut) in whole.iter().zip(&cut) {
        if cut.game.end != GameEnd::Stopped {
            assert!(cut.game == whole.game && cut.turns == whole.turns && cut.events == whole.events);
            continue;
        }
        stopped += 1;
        assert_eq!(cut.turns[..], whole.turns[..cut.turns.len()]);
        assert_eq!(cut.topology[..], whole.topology[..cut.topology.len()]);
        assert!(cut.game.years < whole.game.years && cut.game.last_phase.season == Season::Winter);
        let (mut most, leader) = (centres(cut), first(cut));
        most.sort_unstable();
        match cut.game.winner {
            // Declared for a lead of six centres.
            Some(winner) => {
                assert_eq!((winner, cut.game.draw_size), (leader, 0));
                assert!(most[6] >= most[5] + 6, "{most:?}");
                assert_eq!(cut.game.seats[winner].outcome, SeatOutcome::Won);
            }
            // Shared, after five years without a change.
            None => {
                let left =
                    cut.game.seats.iter().filter(|(_, seat)| seat.outcome == SeatOutcome::Drew).count();
                assert_eq!(left, usize::from(cut.game.draw_size));
                let years: Vec<_> = cut.turns.iter().filter(|row| row.season == Season::Fall).collect();
                let counts: Vec<Vec<u8>> = years
                    .chunk_by(|a, b| a.year == b.year)
                    .map(|rows| rows.iter().map(|row| row.counts.centres).collect())
                    .collect();
                assert!(counts.ends_with(&vec![counts.last().expect("a count").clone(); 6]), "{counts:?}");
            }
        }
    }
    assert!(stopped > played / 4, "{stopped}");
}

/// A stopped game counts as the solo or the draw that is declared, for the powers and in all.
#[test]
fn a_balance_counts_stopped_games_as_what_was_named() {
    let dir = tempfile::tempdir().expect("a folder");
    let run = play(
        &stopping("standard", GREEDY, RULE, testkit::amount(20, 40).min(40) as u32, 1925, dir.path()),
        1,
    )
    .path;
    let balance = Balance::of(&run, &BalanceOptions::default()).expect("a balance");
    let cell = &balance.cells[0];
    let share = |of: Option<Estimate>| of.expect("a share").estimate;
    let solos: f64 = cell.powers.values().map(|power| share(power.solos)).sum();
    assert!((share(cell.ends.solo) - solos).abs() < 1e-9, "{solos} and {:?}", cell.ends);
    assert!(solos > 0.1 && share(cell.ends.stopped) > 0.25, "{:?}", cell.ends);
    assert!((share(cell.ends.solo) + share(cell.ends.draw) - 1.0).abs() < 1e-9, "{:?}", cell.ends);
}

#[test]
fn a_stopped_game_is_played_again_from_what_is_kept_of_it() {
    let rule = "stop = { lead = 4, years = 2 }";
    let experiment = stopping("black-hole", GREEDY, rule, 30, 1925, Path::new("."));
    let (schedule, player) = (experiment.schedule(), experiment.player());
    let kept =
        (0..30).map(|game| game_record(&Origin::from(&experiment), &player, &schedule.game(0, game)).0);
    let kept: Vec<GameRecord> = kept.filter(|kept| kept.end.end == "stopped").take(3).collect();
    assert_eq!(kept.len(), 3);
    for kept in kept {
        let read = GameRecord::parse("game.json", &kept.to_json()).expect("sound");
        let variant = read.variant("game.json").expect("its rules");
        let game = replay(&read, Arc::clone(&variant), &mut |_| {}).expect("the same game");
        assert!(game.was_stopped() && read == kept);
        assert!(kept.outcome().ends_with(" is declared the winner: the experiment stops decided games"));
        // Without its rule the game would continue.
        assert!(replay(&GameRecord { stop: None, ..kept }, variant, &mut |_| {}).is_err());
    }
}

/// The games that are stopped, each after the whole game.
fn stopped<'a>(whole: &'a [GameRows], cut: &'a [GameRows]) -> Vec<[&'a GameRows; 2]> {
    whole.iter().zip(cut).filter(|(_, cut)| cut.game.end == GameEnd::Stopped).map(|(a, b)| [a, b]).collect()
}

#[test]
fn the_leader_of_a_stopped_game_is_first_at_its_end_nine_times_in_ten() {
    let played = testkit::amount(60, 120).min(120) as u32;
    let whole = games("standard", GREEDY, "", played, 1930);
    let cut = games("standard", GREEDY, "stop = { lead = 6, years = 3 }", played, 1930);
    let stopped = stopped(&whole, &cut);
    let of = stopped.iter().filter(|[whole, cut]| first(cut) == first(whole)).count();
    assert!(
        stopped.len() as u32 >= played / 4 && of as f64 >= 0.85 * stopped.len() as f64,
        "{of} of {}",
        stopped.len()
    );
    assert!(stopped.iter().any(|[whole, cut]| cut.game.years < whole.game.years));
}

#[test]
#[ignore = "minutes: the table of docs/experiments.md"]
fn how_often_rules_are_wrong() {
    const MIXED: &str =
        "lineup = [\"greedy\", \"greedy\", \"greedy\", \"greedy\", \"dumbbot\", \"hold\", \"hold\"]";
    let rules = [
        "lead = 4, years = 3",
        "lead = 6, years = 3",
        "lead = 8, years = 2",
        "still = 4",
        "still = 6",
        "lead = 6, years = 3, still = 6",
    ];
    println!(
        "| games | rule | stopped | years saved | as named | another won | drawn | first is first | centres moved |"
    );
    for (name, variant, bots) in [
        ("standard, greedy", "standard", GREEDY),
        ("standard, mixture", "standard", MIXED),
        ("standard, dumbbot", "standard", "all = \"dumbbot\""),
        ("black-hole, greedy", "black-hole", GREEDY),
    ] {
        let whole = games(variant, bots, "", 1400, 1930);
        for rule in rules {
            let cut = games(variant, bots, &format!("stop = {{ {rule} }}"), 1400, 1930);
            let stopped = stopped(&whole, &cut);
            let mean = |of: &dyn Fn(&GameRows, &GameRows) -> f64| {
                stopped.iter().map(|[whole, cut]| of(whole, cut)).sum::<f64>() / stopped.len().max(1) as f64
            };
            let percent = |is: &dyn Fn(&GameRows, &GameRows) -> bool| {
                100.0 * mean(&|whole, cut| f64::from(u8::from(is(whole, cut))))
            };
            let moved = |whole: &GameRows, cut: &GameRows| {
                let centres = centres(cut).into_iter().zip(centres(whole));
                centres.map(|(a, b)| f64::from(a.abs_diff(b))).sum::<f64>() / 2.0
            };
            let years: f64 = whole.iter().map(|whole| f64::from(whole.game.years)).sum();
            let saved =
                mean(&|whole, cut| f64::from(whole.game.years - cut.game.years)) * stopped.len() as f64;
            println!(
                "| {name} | `{rule}` | {:.0} | {:.0} | {:.0} | {:.1} | {:.0} | {:.0} | {:.1} |",
                100.0 * stopped.len() as f64 / 1400.0,
                100.0 * saved / years,
                percent(&|whole, cut| cut.game.winner == whole.game.winner),
                percent(&|whole, cut| whole.game.winner.is_some() && cut.game.winner != whole.game.winner),
                percent(&|whole, cut| whole.game.winner.is_none() && cut.game.winner.is_some()),
                percent(&|whole, cut| first(cut) == first(whole)),
                mean(&moved)
            );
        }
    }
}
