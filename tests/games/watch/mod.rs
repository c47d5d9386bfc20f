//! Watches whole games: plays each once with its bots, records it, and plays the record again, stage by stage, with all
//! invariants checked.
pub mod account;
pub mod exempted;
pub mod invariants;
pub mod water;

use crate::helpers::quick::kind;
use crate::helpers::seats::spec;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use upheaval::ask::{Answer, Ask, Observation};
use upheaval::bot::{Bot, BotMaker, Conduct};
use upheaval::game::Stage;
use upheaval::game_record::{GameRecord, Origin, Replay, game_record};
use upheaval::record::GameRows;
use upheaval::rng::Stream;
use upheaval::rules::position::Phase;
use upheaval::rules::variant::Variant;
use upheaval::sim::Player;

use account::Account;
use invariants::Invariants;

/// The bot of these tests that moves like `random` and answers nothing else: defaults and civil disorder decide the
/// rest.
pub(super) const MUTE: &str = "mute";

struct Mute(Box<dyn Bot>);

impl Bot for Mute {
    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        if let Ask::Movement(_) = ask {
            self.0.decide(seen, ask, dice, answer);
        }
    }
}

/// Makes a bot of this name: one that ships, with a minimal search, or [`MUTE`].
pub(super) fn bot(name: &str) -> Box<dyn Bot> {
    match name {
        MUTE => Box::new(Mute((kind("random").make)())),
        name => (kind(name).make)(),
    }
}

/// One game to be played.
#[derive(Clone)]
pub(super) struct Fixture {
    pub variant: Arc<Variant>,
    pub line_up: [&'static str; 7],
    pub seed: u64,
    pub last_year: u16,
}

impl Fixture {
    /// Plays it with its bots and records it.
    pub(super) fn play(&self) -> (GameRecord, GameRows) {
        let spec = spec(self.line_up, self.seed, self.last_year);
        let makers = self.line_up.map(|name| BotMaker::new(move || bot(name)));
        let player = Player::new(vec![Arc::clone(&self.variant)], makers.to_vec());
        game_record(&Origin { experiment: "watched".to_owned(), hash: String::new() }, &player, &spec)
    }

    /// Plays it, and plays its record again under watch. Returns the kinds of events.
    pub(super) fn watch(&self) -> BTreeSet<&'static str> {
        let name = format!("{} with {:?}, seed {}", self.variant.id, self.line_up, self.seed);
        GAME.set(name);
        let (kept, record) = self.play();
        let mut replay = Replay::new(&kept, Arc::clone(&self.variant)).unwrap();
        let start = replay.game();
        for (power, seat) in record.game.seats.iter() {
            let faultless = (seat.fault, seat.faults) == (Conduct::Ok, 0);
            check(faultless, &format!("the bot of {power:?} is at fault"), start.phase());
        }
        let mut account = Account::new(start, self.last_year);
        let mut invariants = Invariants::default();
        invariants.check(start);
        loop {
            let (stage, at) = (replay.game().stage(), replay.game().phase());
            let moved = account.coasts_moved;
            if !replay.step(&mut account).unwrap_or_else(|error| fail(&error.to_string(), at)) {
                break;
            }
            if stage == Stage::Coasts && account.coasts_moved > moved {
                account.kinds.insert("coast_chosen");
            }
            invariants.check(replay.game());
            account.compare(replay.game());
        }
        account.check_end(replay.game());
        let at = replay.game().phase();
        let again = replay.finish().unwrap_or_else(|error| fail(&error.to_string(), at));
        check(record.game.state_hash == again.hash(), "the replay ends differently", at);
        account.kinds
    }
}

thread_local! {
    /// The current game, for messages.
    static GAME: RefCell<String> = const { RefCell::new(String::new()) };
}

pub(super) fn fail(what: &str, at: Phase) -> ! {
    panic!("{what}, {at} of {}", GAME.with_borrow(Clone::clone))
}

pub(super) fn check(holds: bool, what: &str, at: Phase) {
    if !holds {
        fail(what, at);
    }
}

/// Watches these games on all cores; returns all kinds of events in them.
pub(super) fn watch_all(fixtures: &[Fixture]) -> BTreeSet<&'static str> {
    let next = AtomicUsize::new(0);
    let kinds = Mutex::new(BTreeSet::new());
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(fixture) = fixtures.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut happened = fixture.watch();
                    kinds.lock().expect("no panic while locked").append(&mut happened);
                }
            });
        }
    });
    kinds.into_inner().expect("no panic while locked")
}
