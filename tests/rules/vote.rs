//! A question of a rule in Rust, that of `examples/council.rs`: each Fall the powers vote for a province, which falls
//! into a hole if it has a majority of the votes and of the centres behind them. Sessions, bots, programs, batches and
//! game records know it without a line of their own.

use std::sync::{Arc, Mutex};

use crate::helpers::replier::{Replier, ReplyOutcome};
use serde_json::{Value, json};
use upheaval::ask::{Ask, Observation};
use upheaval::bot::{Bot, Decision};
use upheaval::env::{AskKind, Autoreset, Batch, BatchConfig, OrderKind, Seat};
use upheaval::game::{Game, Referee, Stage};
use upheaval::game_record::{GameRecord, game_record_of, replay};
use upheaval::ids::{ByPower, Power, Powers};
use upheaval::play::{Seats, play_stage};
use upheaval::rules::nature::Seeded;
use upheaval::rules::order::Ballot;
use upheaval::rules::variant::Variant;
use upheaval::session::Session;

use crate::env::Filled;
use crate::helpers::quick;
use crate::helpers::seats;

#[path = "../../examples/council.rs"]
#[allow(dead_code)]
mod council;

fn variant() -> Arc<Variant> {
    council::variant().expect("sound")
}

/// A session in the first Fall.
fn fall() -> Session {
    let mut session = Session::of(variant(), 1).ending_in(1903);
    session.advance();
    assert_eq!(session.phase().to_string(), "F1901M");
    session
}

fn is_hole(game: &Game, code: &str) -> bool {
    let map = game.terrain().chart().map();
    map.holes().contains(map.find(code).expect("a province"))
}

#[test]
fn a_session_lists_the_options_of_a_vote_and_reads_its_answers() {
    let mut session = fall();
    let choices = session.legal_orders(Power::ITALY);
    let vote = choices.iter().find(|choice| choice.subject == "VOTE").expect("asked");
    let texts: Vec<&str> = vote.orders.iter().map(AsRef::as_ref).collect();
    assert_eq!(texts, ["VOTE BUR", "VOTE GAL", "VOTE UKR"]);
    let refusal =
        |session: &mut Session, text| session.order(Power::ITALY, text).expect_err(text).to_string();
    assert_eq!(refusal(&mut session, "VOTE PAR"), "not one of the options");
    assert_eq!(session.order(Power::ITALY, " vote  gal "), Ok(vote.orders[1].decision.clone()));
    assert_eq!(refusal(&mut session, "VOTE BUR"), "duplicate answer; the first one is used");
    let spring = Session::of(variant(), 1);
    assert!(spring.legal_orders(Power::ITALY).iter().all(|choice| choice.subject != "VOTE"));
}

#[test]
fn a_province_falls_by_a_majority_of_votes_and_of_centres() {
    let vote = |votes: &[(Power, &str)]| {
        let mut session = fall();
        for (power, text) in votes {
            session.order(*power, text).expect(text);
        }
        let turn = session.advance();
        (session, turn)
    };
    let (session, turn) =
        vote(&[(Power::ITALY, "VOTE GAL"), (Power::FRANCE, "VOTE GAL"), (Power::RUSSIA, "VOTE BUR")]);
    assert!(is_hole(session.game(), "GAL") && !is_hole(session.game(), "BUR"));
    let results: Vec<String> = turn.results.iter().map(ToString::to_string).collect();
    assert!(results.contains(&"ITALY VOTE GAL: ok".to_owned()), "{results:?}");
    let (session, _) = vote(&[(Power::ITALY, "VOTE GAL"), (Power::FRANCE, "VOTE BUR")]);
    assert!(!is_hole(session.game(), "GAL") && !is_hole(session.game(), "BUR"));
    let (session, _) =
        vote(&[(Power::ITALY, "VOTE GAL"), (Power::RUSSIA, "VOTE BUR"), (Power::FRANCE, "VOTE BUR")]);
    assert!(is_hole(session.game(), "BUR"));
}

#[test]
fn a_vote_is_saved_recorded_and_replayed() {
    let mut session = fall();
    for power in [Power::ITALY, Power::FRANCE] {
        session.order(power, "VOTE UKR").expect("an option");
    }
    session.advance();
    assert!(is_hole(session.game(), "UKR"));
    let again = Session::restore_with(&session.save().expect("played"), variant()).expect("the same game");
    assert_eq!(again.game().hash(), session.game().hash());
    while !session.is_over() {
        session.advance();
    }
    let record: GameRecord = game_record_of(&session).expect("the same game");
    let orders = record.stages.iter().flat_map(|stage| &stage.orders);
    let orders = orders.map(|line| (line.order.as_str(), line.result.as_str()));
    let votes: Vec<(&str, &str)> = orders.filter(|(order, _)| order.starts_with("VOTE")).collect();
    assert_eq!(votes, [("VOTE UKR", "ok"), ("VOTE UKR", "ok")]);
    let replayed = replay(&record, variant(), &mut |_| {}).expect("the same game");
    assert_eq!(replayed.hash(), session.game().hash());
}

/// Plays until the first Fall has been settled.
fn play(mut bots: ByPower<Box<dyn Bot>>) -> Game {
    let mut game = Game::new(variant(), 1902);
    let (mut referee, mut nature, mut dice) = (Referee::new(), Seeded { seed: 1, block: 0 }, seats::dice(3));
    while game.phase().year == 1901 && game.stage() != Stage::Over {
        let mut seats = Seats { bots: &mut bots, dice: &mut dice };
        play_stage(&mut game, &mut referee, &mut seats, &mut nature, &mut ());
    }
    game
}

#[test]
fn bots_and_programs_answer_a_vote() {
    // Bots that ship leave it open or draw an option.
    for kind in ["random", "greedy", "dumbbot", "hold"] {
        play(ByPower::from_fn(Powers::STANDARD, |_| (quick::kind(kind).make)()));
    }
    let asked: Arc<Mutex<Vec<Value>>> = Arc::default();
    let outcome: Arc<Mutex<ReplyOutcome>> = Arc::default();
    let program = |_| {
        let asked = Arc::clone(&asked);
        let line = move |request: &Value, seen: &Observation<'_>| {
            let topics = seen.asks().into_iter().filter(|ask| matches!(ask, Ask::Poll(_)));
            asked.lock().expect("one thread").extend(topics.map(|ask| json!(ask.topic())));
            let mut reply = request.clone();
            reply["type"] = json!("orders");
            let orders = if seen.phase.to_string() == "F1901M" { json!(["VOTE BUR"]) } else { json!([]) };
            reply["orders"] = orders;
            reply.to_string().into_bytes()
        };
        Replier::new(line, Arc::clone(&outcome))
    };
    let game = play(seats::bots(program));
    assert!(is_hole(&game, "BUR"));
    assert_eq!(outcome.lock().expect("one thread").refused, 0);
    assert!(!asked.lock().expect("one thread").is_empty());
    // A bot may give it as any other decision.
    let vote = Decision::Ballot(Ballot { topic: "VOTE".into(), option: "GAL".into() });
    let game = play(seats::bots(|_| vec![vote.clone()]));
    assert!(is_hole(&game, "GAL"));
}

#[test]
fn a_batch_has_the_options_of_a_vote_as_rows() {
    let config = BatchConfig {
        last_year: 1902,
        variant: variant(),
        games: 1,
        seats: ByPower::from_fn(Powers::STANDARD, |_| Seat::Caller),
        seed: 1,
        threads: 1,
        autoreset: Autoreset::Disabled,
        reward: None,
    };
    let mut batch = Batch::new(config).expect("sound");
    batch.step(&vec![-1; batch.sizes().asks]).expect("Spring");
    let Filled { asks, orders, .. } = Filled::of(&batch);
    let votes: Vec<usize> = (0..asks.len()).filter(|&ask| asks[ask][1] == AskKind::Poll as i32).collect();
    assert_eq!(votes.len(), Powers::STANDARD.len());
    let [begin, end] = [asks[votes[0]][6], asks[votes[0]][7]].map(|row| row as usize);
    let kinds: Vec<i32> = orders[begin..end].iter().map(|row| row[0]).collect();
    let [none, option] = [OrderKind::None as i32, OrderKind::Ballot as i32];
    assert_eq!(kinds, [none, option, option, option]);
    assert_eq!(batch.order_text(begin + 2).expect("a row"), "VOTE GAL");
    let mut choices = vec![-1; batch.sizes().asks];
    votes.iter().for_each(|&ask| choices[ask] = 2);
    batch.step(&choices).expect("Fall");
    let mut session = Session::of(variant(), 1).ending_in(1902);
    session.advance();
    for power in Powers::STANDARD {
        session.order(power, "VOTE GAL").expect("an option");
    }
    session.advance();
    assert!(is_hole(session.game(), "GAL"));
    assert_eq!(batch.hashes(), [session.game().hash()]);
}
