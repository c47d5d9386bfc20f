//! A test battery for a program, for its author: it lists faults message by message.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use serde_json::json;
use upheaval_engine::bot::{Bot, Conduct, Incident, Program};
use upheaval_engine::diagnostic::one_line;
use upheaval_engine::game::{Game, Referee, Stage};
use upheaval_engine::ids::{ByPower, Power, Powers};
use upheaval_engine::play::{Seats, close, open, play_stage};
use upheaval_engine::rng::{Purpose, Stream};
use upheaval_engine::rules::nature::Seeded;
use upheaval_engine::rules::variant::Variant;

use super::process::FAREWELL;
use super::request::DecisionKind;
use super::session::{ProgramError, ProgramSession};
use super::{External, Pool, Transcript};
use crate::{Dumbbot, Random};

/// Game years that are played of each variant: enough for holes, splits, rising water and adjustments.
const YEARS: u16 = 10;

/// What a program is asked for in any variant: if not in games of its own, in the positions of a game of other bots.
const IN_ANY_VARIANT: [DecisionKind; 3] =
    [DecisionKind::Retreats, DecisionKind::Builds, DecisionKind::Removals];

/// The most additional games that are played until a coast has been asked for: games of variants in which fleets lose
/// theirs.
const BESIDES: u64 = 40;

/// After this many games that ended badly for the program the rest is skipped: the report would be the same.
const MOST_LOST: u32 = 2;

/// One part of the battery.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The name of the test.
    pub part: String,
    /// The decisions that it asked for, by kind.
    pub asked: String,
    /// How many orders were refused.
    pub refused: u64,
    /// The faults, each with its correction; empty if there are none.
    pub wrong: Vec<String>,
}

impl Finding {
    fn new(part: impl Into<String>, wrong: Vec<String>) -> Finding {
        Finding { part: part.into(), asked: String::new(), refused: 0, wrong }
    }

    /// What a pool has noted while decisions were asked for.
    fn of_pool(part: String, pool: &Pool) -> Finding {
        let incidents = pool.incidents();
        let refused = incidents.iter().filter(|incident| incident.conduct == Conduct::Illegal);
        Finding {
            part,
            asked: in_order(&pool.asked()),
            refused: refused.map(|incident| incident.times).sum(),
            wrong: words(&incidents),
        }
    }

    fn of(part: &str, outcome: Result<(), ProgramError>) -> Finding {
        let wrong = |error: ProgramError| [vec![in_words(&error)], tail(&error.last_words)].concat();
        Finding::new(part, outcome.err().map(wrong).unwrap_or_default())
    }
}

/// The end of what a program wrote to standard error, each line marked as its own.
fn tail(last_words: &str) -> Vec<String> {
    const SHOWN: usize = 8;
    let lines: Vec<&str> = last_words.lines().collect();
    let from = lines.len().saturating_sub(SHOWN);
    lines[from..].iter().map(|line| format!("    its last words: {line}")).collect()
}

/// The tests of a program.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// The variants of which a game is played, and positions of others' games until retreats, builds and removals have
    /// been asked for. If there are neither variants nor positions: all variants that ship, and additional games until
    /// every kind of decision has been asked for.
    pub variants: Vec<Arc<Variant>>,
    /// Positions of kept games, in each of which the program decides for all powers.
    pub positions: Vec<Positions>,
    /// The seed of the games: another seed gives other games, with the program in other seats.
    pub seed: u64,
    /// The transcript of all messages, if there is one.
    pub transcript: Option<Transcript>,
}

/// The positions of a game, one for each stage.
#[derive(Clone, Debug)]
pub struct Positions {
    /// The name of the game.
    pub name: String,
    /// The game before each stage.
    pub games: Vec<Game>,
}

impl Trial {
    /// Is it the whole battery, rather than a selection of variants and positions?
    fn is_whole(&self) -> bool {
        self.variants.is_empty() && self.positions.is_empty()
    }

    fn begin(&self, name: &str) {
        if let Some(transcript) = &self.transcript {
            transcript.part(name);
        }
    }

    /// Runs a part of the battery with a pool of its own.
    fn part(&self, program: &Program, name: String, play: impl FnOnce(&Arc<Pool>)) -> (Finding, Arc<Pool>) {
        self.begin(&name);
        let pool = Pool::with_transcript(program.clone(), self.transcript.clone());
        play(&pool);
        (Finding::of_pool(name, &pool), pool)
    }
}

fn in_words(error: &ProgramError) -> String {
    format!("{}: {}", error.conduct.name(), error.reason)
}

/// Runs all tests of a program, and reports each finding as soon as it is available. Returns true if there are no
/// faults.
pub fn examine(program: &Program, trial: &Trial, tell: &mut dyn FnMut(&Finding)) -> bool {
    let mut sound = true;
    let mut tell = |finding: Finding| {
        sound &= finding.wrong.is_empty();
        tell(&finding);
    };
    trial.begin("hello");
    let mut session = match ProgramSession::start(program, trial.transcript.clone()) {
        Ok(session) => session,
        Err(error) => {
            tell(Finding::of("hello", Err(error)));
            return sound;
        }
    };
    tell(Finding::of("hello", Ok(())));
    trial.begin("isready");
    let mut first = probe(&mut session);
    if first.wrong.is_empty() {
        tell(first);
        trial.begin("quit");
        tell(farewell(session));
        tell(another_game(program, trial));
        let (mut asked, mut lost) = (Vec::new(), 0);
        let all = || Variant::shipped().map(shipped).collect();
        let variants = if trial.is_whole() { all() } else { trial.variants.clone() };
        let place = |variant: &Variant| Variant::shipped().position(|id| id == variant.id);
        for (i, variant) in variants.iter().enumerate() {
            if lost == MOST_LOST {
                let wrong = format!("skipped, because the program failed in {MOST_LOST} games");
                tell(Finding::new("the other variants", vec![wrong]));
                break;
            }
            let seed = trial.seed.wrapping_add(place(variant).unwrap_or(i) as u64);
            let (finding, ended_badly) = whole_game(program, trial, variant, seed, &mut asked);
            lost += u32::from(ended_badly);
            tell(finding);
        }
        for positions in &trial.positions {
            tell(in_positions(program, trial, positions, &mut asked));
        }
        // A program that takes no centre builds nothing in games of its own.
        let missing = |asked: &[DecisionKind]| IN_ANY_VARIANT.iter().any(|kind| !asked.contains(kind));
        for variant in &variants {
            if lost == 0 && missing(&asked) {
                tell(in_positions(program, trial, &of_dumbbot(variant, trial.seed), &mut asked));
            }
        }
        for seed in 0..BESIDES {
            if lost > 0 || !trial.is_whole() || asked.contains(&DecisionKind::Coasts) {
                break;
            }
            let variant = shipped(["schizo-ii", "seismic-1971"][(seed % 2) as usize]);
            let seed = trial.seed.wrapping_add(100 + seed);
            tell(whole_game(program, trial, &variant, seed, &mut asked).0);
        }
    } else {
        first.wrong.extend(tail(&session.end()));
        tell(first);
    }
    sound
}

/// Is the program ready, does it name the game that it is asked about, and does it skip unknown messages?
fn probe(session: &mut ProgramSession) -> Finding {
    let mut wrong = Vec::new();
    let mut ready = |session: &mut ProgramSession, game: &str, when: &str| match session.is_ready(game) {
        Ok(()) => true,
        Err(error) => {
            wrong.push(format!("{when}: {}", in_words(&error)));
            false
        }
    };
    let _ = ready(session, "probe/1", "at the start")
        && ready(session, "probe/2", "asked about another game")
        && {
            session.tell(&json!({ "type": "result", "game": "probe/0", "end": "abandoned", "winners": [],
                                  "outcome": "abandoned" }));
            ready(session, "probe/2", "after the result of a game that it did not play")
        }
        && {
            session.tell(&json!({ "type": "greeting", "game": "probe/2" }));
            ready(session, "probe/2", "after a message of an unknown type, which it must ignore")
        };
    Finding::new("isready", wrong)
}

/// Does it exit when it receives `quit`?
fn farewell(session: ProgramSession) -> Finding {
    session.bid_farewell();
    let ended = session.quit(Instant::now() + FAREWELL);
    let seconds = FAREWELL.as_secs();
    let wrong = format!(
        "it is still running {seconds} s after `quit`; it must exit when it reads `quit`, or when its input closes"
    );
    Finding::new("quit", (!ended).then_some(wrong).into_iter().collect())
}

fn shipped(id: &str) -> Arc<Variant> {
    match Variant::find(id, Path::new("")) {
        Ok(Some(variant)) => Arc::new(variant),
        _ => unreachable!("the variants that ship are sound: a test reads each"),
    }
}

/// A game that is broken off, and another one with the same process: replies must name the second.
fn another_game(program: &Program, trial: &Trial) -> Finding {
    let variant = shipped("standard");
    let play = |pool: &Arc<Pool>| {
        for name in ["standard/1", "standard/2"] {
            play(pool, &variant, name, Power::FRANCE, 1, 2);
        }
    };
    trial.part(program, "another game with the same process".to_owned(), play).0
}

/// Some years of a variant, against bots that play at random. Returns whether the program failed in it.
fn whole_game(
    program: &Program,
    trial: &Trial,
    variant: &Arc<Variant>,
    seed: u64,
    asked: &mut Vec<DecisionKind>,
) -> (Finding, bool) {
    let id = &variant.id;
    let powers = variant.terrain.powers();
    let power = powers.iter().cycle().nth((seed % powers.len() as u64) as usize).expect("there are powers");
    let name = format!("{id} as {}", variant.terrain.power_names().name(power));
    let (finding, pool) = trial.part(program, name, |pool| play(pool, variant, id, power, seed, usize::MAX));
    asked.extend(pool.asked().keys());
    (finding, pool.has_lost_one())
}

/// The positions of a game of `Dumbbot`s in which units retreat, or are built or removed.
fn of_dumbbot(variant: &Arc<Variant>, seed: u64) -> Positions {
    let powers = variant.terrain.powers();
    let mut bots: ByPower<Box<dyn Bot>> =
        ByPower::from_fn(powers, |_| Box::new(Dumbbot::default()) as Box<dyn Bot>);
    let mut games = Vec::new();
    play_with(variant, &mut bots, seed, "dumbbot", &mut |game| {
        if matches!(game.stage(), Stage::Retreats | Stage::Adjustments) {
            games.push(game.clone());
        }
        true
    });
    Positions { name: format!("{}, played by dumbbot", variant.id), games }
}

/// The program's decisions in the positions of a game, for all powers at once. They have no effect: the next position
/// is that of the game.
fn in_positions(
    program: &Program,
    trial: &Trial,
    positions: &Positions,
    asked: &mut Vec<DecisionKind>,
) -> Finding {
    let name = format!("positions of {}", positions.name);
    let (finding, pool) = trial.part(program, name, |pool| {
        for (at, game) in positions.games.iter().enumerate() {
            if pool.has_lost_one() {
                break;
            }
            let powers = game.powers();
            let mut bots: ByPower<Box<dyn Bot>> =
                ByPower::from_fn(powers, |_| Box::new(External::new(Arc::clone(pool))) as Box<dyn Bot>);
            let seed = trial.seed.wrapping_add(at as u64);
            let mut seats = Seats { bots: &mut bots, dice: &mut dice(powers, seed) };
            let (mut game, mut referee) = (game.clone(), Referee::new());
            open(&game, &referee, &mut seats, &format!("{}@{at}", positions.name));
            play_stage(&mut game, &mut referee, &mut seats, &mut Seeded { seed, block: 0 }, &mut ());
        }
    });
    asked.extend(pool.asked().keys());
    finding
}

/// The dice of all seats.
fn dice(powers: Powers, seed: u64) -> ByPower<Stream> {
    ByPower::from_fn(powers, |power| Stream::keyed(seed, Purpose::Bot, &[power.index() as u64]))
}

fn in_order(asked: &BTreeMap<DecisionKind, u64>) -> String {
    let words: Vec<String> = asked.iter().map(|(kind, count)| format!("{count} {}", kind.plural())).collect();
    words.join(", ")
}

/// Plays this many stages of a game with the program in one seat.
fn play(pool: &Arc<Pool>, variant: &Arc<Variant>, name: &str, power: Power, seed: u64, stages: usize) {
    let powers = variant.terrain.powers();
    let mut bots: ByPower<Box<dyn Bot>> =
        ByPower::from_fn(powers, |_| Box::new(Random::default()) as Box<dyn Bot>);
    bots[power] = Box::new(External::new(Arc::clone(pool)));
    let mut left = stages;
    // A program that has exited cannot show anything more.
    play_with(variant, &mut bots, seed, name, &mut |_| {
        let goes_on = left > 0 && !pool.has_lost_one();
        left = left.saturating_sub(1);
        goes_on
    });
}

/// Plays a game with these bots, as long as this agrees before each stage.
fn play_with(
    variant: &Arc<Variant>,
    bots: &mut ByPower<Box<dyn Bot>>,
    seed: u64,
    name: &str,
    goes_on: &mut dyn FnMut(&Game) -> bool,
) {
    let (mut referee, mut nature) = (Referee::new(), Seeded { seed, block: 0 });
    let mut game = Game::new(Arc::clone(variant), variant.first_phase.year + YEARS);
    let mut seats = Seats { bots, dice: &mut dice(variant.terrain.powers(), seed) };
    open(&game, &referee, &mut seats, name);
    while game.stage() != Stage::Over && goes_on(&game) {
        play_stage(&mut game, &mut referee, &mut seats, &mut nature, &mut ());
    }
    close(&game, &referee, &mut seats);
}

/// Faults in words, the first few of each kind.
fn words(incidents: &[Incident]) -> Vec<String> {
    const SHOWN: usize = 5;
    let mut words = Vec::new();
    for conduct in Conduct::ALL {
        let of_kind: Vec<&Incident> = incidents.iter().filter(|i| i.conduct == conduct).collect();
        for incident in of_kind.iter().take(SHOWN) {
            let phase = incident.phase.as_deref().unwrap_or("before the first phase");
            let more = match incident.times - 1 {
                0 => String::new(),
                more => format!(" (and {more} more for the same reason)"),
            };
            words.push(format!("{} in {phase}: {}{more}", conduct.name(), one_line(&incident.reason)));
            words.extend(tail(&incident.last_words));
        }
        if of_kind.len() > SHOWN {
            let rest: u64 = of_kind[SHOWN..].iter().map(|incident| incident.times).sum();
            words.push(format!("{}: {rest} more", conduct.name()));
        }
    }
    words
}
