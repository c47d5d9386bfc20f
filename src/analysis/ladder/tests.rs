use super::*;
use upheaval_harness::record::{GameEnd, SeatOutcome};
use upheaval_harness::sim::{GameSpec, Schedule, mock};
use upheaval_map::ids::Powers;

fn plan(kind: &str) -> LadderPlan {
    LadderPlan {
        variant: mock::MockRegistry.variant("standard", Path::new("")).unwrap(),
        kind: kind.to_owned(),
        setting: "rollouts".to_owned(),
        from: 3,
        to: 5,
        blocks: 12,
        seed: 1,
        years: 8,
        threads: 1,
    }
}

fn ladder() -> Ladder {
    Ladder::new(plan("greedy"), &mock::MockRegistry).unwrap()
}

/// Climbs all rungs with the games that `game` makes of their schedules, by rung and number.
fn climbed(ladder: &Ladder, game: impl Fn(u8, &Schedule, u32) -> GameRow) -> LadderReport {
    let mut report = LadderReport::default();
    for (k, experiment) in (ladder.plan.from..).zip(&ladder.rungs) {
        let schedule = experiment.schedule();
        let games: Vec<GameRow> =
            (0..experiment.resolved.games).map(|number| game(k, &schedule, number)).collect();
        report.add(k, &games, experiment);
    }
    report
}

/// Plays all rungs; the single seat wins the games that `wins` selects.
fn played(ladder: &Ladder, wins: impl Fn(u8, &GameSpec) -> bool) -> LadderReport {
    climbed(ladder, |k, schedule, number| {
        let spec = schedule.game(0, number);
        let mut game = mock::play(&spec).game;
        let is_one = |power| (spec.seats[power] == 0) == wins(k, &spec);
        (game.end, game.winner) = (GameEnd::Solo, Powers::STANDARD.iter().find(|&power| is_one(power)));
        // All others are equal, so only the winner affects the finishing orders.
        for power in Powers::STANDARD {
            let won = game.winner == Some(power);
            let seat = &mut game.seats[power];
            seat.outcome = if won { SeatOutcome::Won } else { SeatOutcome::Survived };
            (seat.centres, seat.eliminated_year) = (if won { 18 } else { 2 }, None);
        }
        game
    })
}

/// The first line of the verdict.
fn verdict(ladder: &Ladder, report: &LadderReport) -> String {
    ladder.verdict(report).lines().next().unwrap_or_default().to_owned()
}

/// One alone against others of one kind: shuffled seats are the same seats, and are not advised.
const AGAIN: &str = "all 12 blocks are the same games again: they are one observation, and more of them show nothing; \
                     use a variant with chance, or bots that draw dice";

#[test]
fn each_rung_seats_one_of_twice_the_budget_in_every_seat_of_a_block() {
    let ladder = ladder();
    assert_eq!(ladder.games(), 3 * 12 * 7);
    for (k, rung) in (3..).zip(&ladder.rungs) {
        let [one, rest] = [&rung.resolved.bots[0], &rung.resolved.bots[1]].map(|bot| bot.name.clone());
        assert_eq!([one, rest], [format!("greedy-{}", 1 << k), format!("greedy-{}", 1 << (k - 1))]);
        let schedule = rung.schedule();
        for power in Powers::STANDARD {
            let alone = (0..7).filter(|&game| schedule.game(0, game).seats[power] == 0).count();
            assert_eq!(alone, 1, "{power:?}");
        }
        assert_eq!(rung.resolved.last_year, rung.resolved.variants[0].first_year + 7);
    }
}

#[test]
fn a_bot_that_wins_more_with_twice_the_budget_says_that_skill_matters() {
    let ladder = ladder();
    // It wins two or three of the games of a block.
    let report = played(&ladder, |_, spec| spec.rotation < 2 + (spec.block % 2) as u8);
    assert_eq!(report.outcome(), RungOutcome::Wins);
    assert_eq!(report.rungs_that(RungOutcome::Wins).0, 3);
    for rung in &report.rungs {
        assert!((rung.share.estimate - 2.5 / 7.0).abs() < 1e-12, "{rung:?}");
        assert!(rung.elo.interval.unwrap().low > 0.0, "{rung:?}");
    }
    assert!((report.gain().estimate - 3.0 * 1.5 / 7.0).abs() < 1e-12, "{report:?}");
    let sum: f64 = report.rungs.iter().map(|rung| rung.elo.estimate).sum();
    assert!((report.elo().estimate - sum).abs() < 1e-9 && report.elo().interval.unwrap().low > 0.0);
    let said =
        "skill matters in standard: twice the budget wins 3 of 3 rungs: 8 over 4, 16 over 8, 32 over 16";
    assert_eq!(verdict(&ladder, &report), said);
}

#[test]
fn a_bot_that_wins_as_often_as_the_others_decides_no_rung() {
    let ladder = ladder();
    let report = played(&ladder, |_, spec| {
        spec.rotation == 0 && spec.block % 2 == 0 || spec.rotation < 2 && spec.block % 4 == 1
    });
    assert_eq!(report.outcome(), RungOutcome::Open);
    let said = "no rung is decided: whether skill matters in standard is open; more blocks may tell";
    assert_eq!(verdict(&ladder, &report), said);
}

#[test]
fn one_rung_that_is_won_does_not_speak_for_the_ladder() {
    let ladder = ladder();
    let wins = |k: u8, spec: &GameSpec| match k {
        3 => spec.rotation < 2 + (spec.block % 2) as u8,
        _ => spec.rotation == 0 && spec.block.is_multiple_of(2),
    };
    let report = played(&ladder, wins);
    let outcomes: Vec<RungOutcome> = report.rungs.iter().map(|rung| rung.outcome).collect();
    assert_eq!(outcomes, [RungOutcome::Wins, RungOutcome::Loses, RungOutcome::Loses]);
    let said = "twice the budget wins 1 of 3 rungs: 8 over 4; it loses 16 over 8, 32 over 16";
    assert_eq!(verdict(&ladder, &report).split_once(": ").map(|(_, rungs)| rungs), Some(said));
}

#[test]
fn a_ladder_of_blocks_that_are_the_same_games_again_decides_nothing() {
    let ladder = ladder();
    let report = climbed(&ladder, |_, schedule, number| {
        let spec = schedule.game(0, number);
        // The games of the first block again.
        let first = schedule.game(0, number % 7);
        GameRow { block: spec.block, game: spec.game, ..mock::play(&first).game }
    });
    assert_eq!(
        (report.outcome(), report.gain().interval, report.elo().interval),
        (RungOutcome::Open, None, None)
    );
    assert!(report.rungs.iter().all(|rung| rung.share.interval.is_none() && rung.elo.interval.is_none()));
    let open = "whether skill matters in standard is open over the whole ladder";
    assert_eq!(verdict(&ladder, &report), format!("{open}: {AGAIN}"));
    assert_eq!(ladder.to_json(&report)["warning"], AGAIN);
}

/// The rungs of one ladder speak for themselves, and the whole speaks only if all of them do.
#[test]
fn a_rung_that_shows_nothing_takes_the_verdict_of_the_whole_but_of_no_other_rung() {
    let ladder = ladder();
    let report = climbed(&ladder, |k, schedule, number| {
        let spec = schedule.game(0, number);
        let shown = if k == 4 { schedule.game(0, number % 7) } else { schedule.game(0, number) };
        let mut game = mock::play(&shown).game;
        let wins = spec.rotation < 3 + if k == 4 { 0 } else { (spec.block % 2) as u8 };
        let is_one = |power| (spec.seats[power] == 0) == wins;
        (game.end, game.winner) = (GameEnd::Solo, Powers::STANDARD.iter().find(|&power| is_one(power)));
        GameRow { block: spec.block, game: spec.game, ..game }
    });
    let warned: Vec<bool> = report.rungs.iter().map(|rung| rung.warning.is_some()).collect();
    assert_eq!(warned, [false, true, false]);
    let outcomes: Vec<RungOutcome> = report.rungs.iter().map(|rung| rung.outcome).collect();
    assert_eq!(outcomes, [RungOutcome::Wins, RungOutcome::Open, RungOutcome::Wins]);
    assert_eq!(
        (report.outcome(), report.gain().interval, report.elo().interval),
        (RungOutcome::Open, None, None)
    );
    let said = "whether skill matters in standard is open over the whole ladder: twice the budget wins 2 of 3 rungs: \
                8 over 4, 32 over 16; but 16 over 8";
    assert_eq!(verdict(&ladder, &report), format!("{said}: {AGAIN}"));
    let lines = report.rungs.iter().map(|rung| ladder.line(rung)).collect::<Vec<_>>();
    let below = lines.iter().map(|line| line.lines().nth(1));
    assert!(below.eq([None, Some(&*format!("  warning: {AGAIN}")), None]), "{lines:?}");
    let json = ladder.to_json(&report);
    assert_eq!([0, 1].map(|rung| json["rungs"][rung]["warning"].as_str()), [None, Some(AGAIN)]);
}

/// Games that differ, but not in the share.
#[test]
fn a_rung_whose_share_is_the_same_in_all_blocks_says_why_it_has_no_interval() {
    let ladder = ladder();
    let report = played(&ladder, |_, _| true);
    let same =
        "the share is the same in all blocks, so they do not show how far off it may be; more blocks may";
    for rung in &report.rungs {
        assert_eq!((rung.share, rung.warning.as_deref()), (Estimate::alone(1.0), Some(same)));
    }
    let open = "whether skill matters in standard is open over the whole ladder";
    assert_eq!(verdict(&ladder, &report), format!("{open}: {same}"));
}

/// Nine blocks, of which one has by far the most: no bound is outside of what is possible, and the whole ladder is not
/// less certain than its rungs together.
#[test]
fn no_bound_is_impossible_and_none_of_the_whole_is_farther_than_those_of_the_rungs() {
    let ladder = Ladder::new(LadderPlan { blocks: 9, ..plan("greedy") }, &mock::MockRegistry).unwrap();
    for most in 1..=7 {
        let report = played(&ladder, |k, spec| match spec.block {
            0 => spec.rotation < most,
            block => block % 4 == u32::from(k % 4) && spec.rotation == 0,
        });
        let mut far = [0.0; 2];
        for rung in &report.rungs {
            let Interval { low, high } = rung.share.interval.unwrap();
            assert!(low >= 0.0 && high <= 1.0, "{rung:?}");
            far = [far[0] + rung.share.estimate - low, far[1] + high - rung.share.estimate];
        }
        let Interval { low, high } = report.gain().interval.unwrap();
        let gain = report.gain().estimate;
        assert!(low >= gain - far[0] - 1e-9 && high <= gain + far[1] + 1e-9, "{:?} {far:?}", report.gain());
    }
}

#[test]
fn one_block_has_shares_without_intervals_and_decides_nothing() {
    let ladder = Ladder::new(LadderPlan { blocks: 1, ..plan("greedy") }, &mock::MockRegistry).unwrap();
    let report = played(&ladder, |_, _| true);
    assert!(
        report.rungs.iter().all(|rung| rung.share == Estimate::alone(1.0) && rung.elo.interval.is_none())
    );
    assert_eq!((report.outcome(), report.gain().interval), (RungOutcome::Open, None));
}

#[test]
fn what_cannot_be_climbed_is_refused_with_what_would_be_right() {
    let refused = |plan: LadderPlan| Ladder::new(plan, &mock::MockRegistry).unwrap_err();
    let good = || plan("greedy");
    let rungs = "expected rungs from 1 to 30 in ascending order, found";
    assert_eq!(refused(LadderPlan { from: 0, ..good() }), format!("{rungs} 0 to 5"));
    assert_eq!(refused(LadderPlan { to: 31, ..good() }), format!("{rungs} 3 to 31"));
}
