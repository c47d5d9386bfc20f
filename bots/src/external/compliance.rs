//! A battery of questions to a program, for its author: what is wrong with it, message by message.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use serde_json::json;
use upheaval_engine::bot::{Bot, Conduct, Incident, Program};
use upheaval_engine::diagnostic::one_line;
use upheaval_engine::game::{Game, Referee, Stage};
use upheaval_engine::ids::{ByPower, Power};
use upheaval_engine::play::{Seats, close, open, play_stage};
use upheaval_engine::rng::{Purpose, Stream};
use upheaval_engine::rules::nature::Seeded;
use upheaval_engine::rules::variant::Variant;

use super::process::FAREWELL;
use super::request::Asked;
use super::{External, Pool, Session, Trouble};
use crate::Random;

/// Game years that are played of each variant: enough for holes, splits, rising water and adjustments.
const YEARS: u16 = 10;

/// The most games that are played besides, until every kind of decision has been asked for: by variants in which fleets
/// lose coasts.
const BESIDES: u64 = 40;

/// After so many games in which the program came to a bad end the rest is not tried: it would be told the same again.
const MOST_LOST: u32 = 2;

/// One part of the battery.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What was tried.
    pub part: String,
    /// What was asked in it, by kind.
    pub asked: String,
    /// What is wrong, each with what would be right; nothing if the program did it well.
    pub wrong: Vec<String>,
}

impl Finding {
    fn new(part: impl Into<String>, wrong: Vec<String>) -> Finding {
        Finding { part: part.into(), asked: String::new(), wrong }
    }

    fn of(part: &str, outcome: Result<(), Trouble>) -> Finding {
        Finding::new(part, outcome.err().map(|trouble| in_words(&trouble)).into_iter().collect())
    }
}

fn in_words(trouble: &Trouble) -> String {
    format!("{}: {}", trouble.conduct.name(), trouble.reason)
}

/// Tries everything with a program, and tells each finding as soon as it is there. True if nothing was wrong. Of the
/// variants that ship only those in `only` are played, if any are.
pub fn examine(program: &Program, only: &[String], tell: &mut dyn FnMut(&Finding)) -> bool {
    let mut sound = true;
    let mut tell = |finding: Finding| {
        sound &= finding.wrong.is_empty();
        tell(&finding);
    };
    let mut session = match Session::start(program) {
        Ok(session) => session,
        Err(trouble) => {
            tell(Finding::of("hello", Err(trouble)));
            return sound;
        }
    };
    tell(Finding::of("hello", Ok(())));
    let first = probe(&mut session);
    let lives = first.wrong.is_empty();
    tell(first);
    if lives {
        tell(farewell(session));
        tell(another_game(program));
        let (mut asked, mut lost) = (Vec::new(), 0);
        let is_tried = |id: &str| only.is_empty() || only.iter().any(|tried| tried == id);
        for (i, id) in Variant::shipped().enumerate().filter(|(_, id)| is_tried(id)) {
            if lost == MOST_LOST {
                let wrong =
                    format!("not tried after {MOST_LOST} games in which the program came to a bad end");
                tell(Finding::new("the other variants", vec![wrong]));
                break;
            }
            let (finding, ended_badly) = whole_game(program, id, i as u64, &mut asked);
            lost += u32::from(ended_badly);
            tell(finding);
        }
        let wanted = [Asked::Retreats, Asked::Adjustments, Asked::Coasts];
        for seed in 0..BESIDES {
            if lost > 0 || !only.is_empty() || wanted.iter().all(|kind| asked.contains(kind)) {
                break;
            }
            let id = ["schizo-ii", "seismic-1971"][(seed % 2) as usize];
            tell(whole_game(program, id, 100 + seed, &mut asked).0);
        }
    } else {
        session.end();
    }
    sound
}

/// Is it ready, does it name the game that it is asked about, does it pass over what it does not know?
fn probe(session: &mut Session) -> Finding {
    let mut wrong = Vec::new();
    let mut ready = |session: &mut Session, game: &str, when: &str| match session.is_ready(game) {
        Ok(()) => true,
        Err(trouble) => {
            wrong.push(format!("{when}: {}", in_words(&trouble)));
            false
        }
    };
    let _ = ready(session, "probe/1", "at the start")
        && ready(session, "probe/2", "asked about another game")
        && {
            session.tell(&json!({ "type": "result", "game": "probe/0", "end": "abandoned", "winners": [],
                                  "outcome": "abandoned" }));
            ready(session, "probe/2", "after the result of a game that it has not played")
        }
        && {
            session.tell(&json!({ "type": "greeting", "game": "probe/2" }));
            ready(
                session,
                "probe/2",
                "after a message of a type that it does not know, which it must pass over",
            )
        };
    Finding::new("isready", wrong)
}

/// Does it end when it is told to?
fn farewell(session: Session) -> Finding {
    session.bid_farewell();
    let ended = session.quit(Instant::now() + FAREWELL);
    let seconds = FAREWELL.as_secs();
    let wrong = format!(
        "it is still there {seconds} s after `quit`; it must end when it reads it, or its input closes"
    );
    Finding::new("quit", (!ended).then_some(wrong).into_iter().collect())
}

fn shipped(id: &str) -> Arc<Variant> {
    match Variant::find(id, Path::new("")) {
        Ok(Some(variant)) => Arc::new(variant),
        _ => unreachable!("the variants that ship are sound: a test reads each"),
    }
}

/// A game that is broken off, and another after it with the same process: replies must name the second.
fn another_game(program: &Program) -> Finding {
    let (pool, variant) = (Pool::new(program.clone()), shipped("standard"));
    for name in ["standard/1", "standard/2"] {
        play(&pool, &variant, name, Power::FRANCE, 1, 2);
    }
    Finding {
        asked: in_order(&pool.asked()),
        ..Finding::new("another game with the same process", words(&pool))
    }
}

/// Some years of a variant, against bots that throw dice; and whether the program came to a bad end in it.
fn whole_game(program: &Program, id: &str, seed: u64, asked: &mut Vec<Asked>) -> (Finding, bool) {
    let pool = Pool::new(program.clone());
    let variant = shipped(id);
    let powers = variant.terrain.powers();
    let power = powers.iter().cycle().nth((seed % powers.len() as u64) as usize).expect("there are powers");
    play(&pool, &variant, id, power, seed, usize::MAX);
    let of_game = pool.asked();
    asked.extend(of_game.keys());
    let part = Finding::new(format!("{id} as {power}"), words(&pool));
    (Finding { asked: in_order(&of_game), ..part }, pool.has_lost_one())
}

fn in_order(asked: &BTreeMap<Asked, u64>) -> String {
    let words: Vec<String> = asked.iter().map(|(kind, count)| format!("{count} {}", kind.name())).collect();
    words.join(", ")
}

/// Plays so many stages of a game with the program in one seat.
fn play(pool: &Arc<Pool>, variant: &Arc<Variant>, name: &str, power: Power, seed: u64, stages: usize) {
    let powers = variant.terrain.powers();
    let mut bots: ByPower<Box<dyn Bot>> =
        ByPower::from_fn(powers, |_| Box::new(Random::default()) as Box<dyn Bot>);
    bots[power] = Box::new(External::new(Arc::clone(pool)));
    let mut dice =
        ByPower::from_fn(powers, |p: Power| Stream::keyed(seed, Purpose::Bot, &[p.index() as u64]));
    let (mut referee, mut nature) = (Referee::new(), Seeded { seed, block: 0 });
    let mut game = Game::new(Arc::clone(variant), variant.first_phase.year + YEARS);
    let mut seats = Seats { bots: &mut bots, dice: &mut dice };
    open(&game, &referee, &mut seats, name);
    let mut left = stages;
    // Nothing is learnt of a program that is no more.
    while game.stage() != Stage::Over && left > 0 && !pool.has_lost_one() {
        play_stage(&mut game, &mut referee, &mut seats, &mut nature, &mut ());
        left -= 1;
    }
    close(&game, &referee, &mut seats);
}

/// The faults of a pool, the first few of each kind.
fn words(pool: &Pool) -> Vec<String> {
    const SHOWN: usize = 5;
    let incidents = pool.incidents();
    let mut words = Vec::new();
    for conduct in Conduct::ALL {
        let of_kind: Vec<&Incident> = incidents.iter().filter(|i| i.conduct == conduct).collect();
        for incident in of_kind.iter().take(SHOWN) {
            let phase = incident.phase.as_deref().unwrap_or("before the first phase");
            words.push(format!("{} in {phase}: {}", conduct.name(), one_line(&incident.reason)));
            if let Some(last) = incident.last_words.lines().last() {
                words.push(format!("    its last words: {last}"));
            }
        }
        if of_kind.len() > SHOWN {
            words.push(format!("{}: {} more", conduct.name(), of_kind.len() - SHOWN));
        }
    }
    words
}
