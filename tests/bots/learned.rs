//! The learned bot: its orders are always legal, and its scores are the same on every machine.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use upheaval::bot::{BotKind, BotMaker, BotSetting, Handicap};
use upheaval::env::{self, Batch, BatchConfig, Seat};
use upheaval::game::{Game, Referee, Stage};
use upheaval::ids::ByPower;
use upheaval::play::{Seats, play_stage};
use upheaval::rules::nature::Seeded;
use upheaval::rules::variant::Variant;
use upheaval::sim::{BotEntry, BotRecipe, BotSection, Catalogue, LookupError, Registry};
use upheaval_bots::{Dumbbot, Rating, RuleOfThumb};
use upheaval_learned::encode::{Encoded, Rows};
use upheaval_learned::form;
use upheaval_learned::{GUIDED, KIND, Mixture, Network, WEIGHTS};

use crate::env::Filled;
use crate::helpers::seats::{bots, dice};
use crate::helpers::shipped;

/// A batch in which a bot of this kind has all seats but one, which follows its advice.
fn played(kind: BotKind, id: &str, games: usize, threads: usize) -> Batch {
    with_maker(kind.name, &BotMaker::from(kind), config(id, 1), games, threads)
}

/// A batch of games of three years, or of these few if slow tests are not run, in which the caller has every seat.
fn config(id: &str, few: u16) -> BatchConfig {
    let variant = shipped::variant(id);
    BatchConfig {
        last_year: variant.first_phase.year + if testkit::tries_all() { 3 } else { few } - 1,
        seats: ByPower::from_fn(variant.terrain.powers(), |_| Seat::Caller),
        variant,
        games: 1,
        seed: 3,
        threads: 1,
        autoreset: env::Autoreset::Disabled,
        reward: None,
    }
}

/// The same with the bots of a maker.
fn with_maker(name: &str, maker: &BotMaker, config: BatchConfig, games: usize, threads: usize) -> Batch {
    let id = config.variant.id.clone();
    let seats = ByPower::from_fn(config.seats.powers(), |power| match power.index() {
        0 => Seat::Caller,
        _ => Seat::Bot { name: Arc::from(name), maker: maker.clone() },
    });
    let mut batch = Batch::new(BatchConfig { games, seats, threads, ..config }).unwrap();
    while batch.sizes().asks > 0 {
        let choices = batch.advise(maker);
        // It has an answer to everything that it is asked.
        assert!(choices.iter().all(|&choice| choice >= 0), "{id}: {choices:?}");
        batch.step(&choices).unwrap();
    }
    batch
}

#[test]
fn it_answers_all_that_it_is_asked_in_every_variant() {
    for id in testkit::thinned(Variant::shipped(), 3) {
        let batch = played(KIND, id, 1, 1);
        assert_eq!(batch.hashes(), played(KIND, id, 1, 1).hashes(), "{id}: the same dice give the same game");
    }
}

/// A thread of a pool that waits for the network does not start another game in the meantime.
#[test]
fn it_plays_the_same_games_on_several_threads() {
    let games = testkit::amount(3, 12) as usize;
    let threads = if testkit::tries_all() { 3 } else { 2 };
    let alone = played(KIND, "standard", games, 1);
    assert_eq!(alone.hashes(), played(KIND, "standard", games, threads).hashes());
}

/// `search` with its proposals: the same games on any number of threads, and different games without them. Its rounds,
/// of which it has three by itself, and the network's part in the rating of positions are settings, and have an effect.
#[test]
fn guided_compares_what_it_proposes_and_repeats_itself() {
    let rounds = |setting: &BotSetting| setting.name == "rounds" && setting.default == 3;
    assert!(GUIDED.tuning.unwrap().settings.iter().any(rounds));
    fn of(kind: BotKind, settings: &'static [u64], id: &str, threads: usize) -> Vec<u64> {
        let maker = BotMaker::new(move || (kind.tuning.unwrap().make)(settings));
        // The part in the rating, which is tried on the other board, has an effect only in later years.
        let (years, games) = if id == "standard" { (1, 2) } else { (3, testkit::amount(1, 2).min(2)) };
        with_maker(kind.name, &maker, config(id, years), games as usize, threads).hashes()
    }
    let search = of(upheaval_bots::Search::KIND, &[12, 6, 1, 8], "standard", 1);
    for (settings, id, other) in [
        (&[12, 6, 1, 8, 0, 1], "standard", search),
        (&[36, 6, 1, 8, 0, 3], "standard", of(GUIDED, &[36, 6, 1, 8, 0, 1], "standard", 1)),
        (&[12, 6, 1, 8, 100, 3], "black-hole-ii", of(GUIDED, &[12, 6, 1, 8, 0], "black-hole-ii", 1)),
    ] {
        let alone = of(GUIDED, settings, id, 1);
        // Without slow tests there is only one game of the last.
        if id == "standard" || testkit::tries_all() {
            assert_eq!(alone, of(GUIDED, settings, id, 2), "{settings:?}");
        }
        assert_ne!(alone, other, "{settings:?}");
    }
}

/// A game of `dumbbot` that waits for orders of movement after some years.
fn after(id: &str, years: u16) -> Game {
    let variant = shipped::variant(id);
    let first = variant.first_phase.year;
    let mut game = Game::new(variant, first + 9);
    let (mut bots, mut dice) = (bots(|_| Dumbbot::default()), dice(5));
    let (mut referee, mut nature) = (Referee::new(), Seeded { seed: 5, block: 0 });
    while game.phase().year < first + years || game.stage() != Stage::Movement {
        let mut seats = Seats { bots: &mut bots, dice: &mut dice };
        play_stage(&mut game, &mut referee, &mut seats, &mut nature, &mut ());
    }
    game
}

/// Boards of different sizes are computed at once: padding nodes have no effect.
#[test]
fn it_rates_positions_together_as_each_by_itself() {
    let network = Arc::new(Network::read(WEIGHTS.to_vec()).unwrap());
    let games = [after("standard", 0), after("black-hole", 3), after("schizo-ii", 2), after("deluge-ii", 3)];
    for power in games[0].powers() {
        let rated = |games: &[Game]| Mixture::new(Arc::clone(&network), 100).rate(games, power);
        let together = rated(&games);
        let alone: Vec<f64> = games.iter().flat_map(|game| rated(std::slice::from_ref(game))).collect();
        assert_eq!(together, alone, "{power:?}");
        assert!(together.iter().all(|worth| (0.0..=1.0).contains(worth)));
        assert_ne!(together, RuleOfThumb.rate(&games, power), "{power:?}");
    }
}

/// Whole numbers that floats represent exactly have the same sums everywhere: these were computed by the training
/// program.
#[test]
fn its_scores_are_those_of_the_program_that_trained_it() {
    let network = Network::read(WEIGHTS.to_vec()).unwrap();
    let batch = Batch::new(BatchConfig { last_year: 1911, seed: 0, ..config("standard", 1) }).unwrap();
    let Filled { games, nodes, edges, seats, asks, orders } = &Filled::of(&batch);
    let mut encoded = Encoded::default();
    encoded.fill(Rows { games, nodes, edges, seats, asks, orders }, &vec![-1; asks.len()]);
    let mut text = String::new();
    for seat in 0..encoded.seats() {
        let scores = network.score(&encoded, seat).unwrap();
        text += &format!("{} {:?}\n", scores.values[0], scores.orders);
    }
    let found = blake3::hash(text.as_bytes()).to_hex().to_string();
    let expected = include_str!("../../bots/learned/scores.blake3").trim();
    assert_eq!(found, expected, "{text}");
}

/// The number of weights that the test changes.
const ROW: usize = 64;

/// The entry of `[bots.taught]` with these weights.
fn taught(registry: &Registry, kind: &str, weights: &Path) -> Result<BotEntry, LookupError> {
    let section = BotSection {
        name: "taught".to_owned(),
        recipe: BotRecipe::Kind {
            kind: kind.to_owned(),
            settings: [("temperature".to_owned(), 0)].into_iter().filter(|_| kind == "learned").collect(),
            weights: Some(weights.display().to_string()),
        },
        handicap: Handicap::NONE,
    };
    registry.described(&section, Path::new(""))
}

/// The hash of a game in which a bot has all seats but one.
fn hashes(maker: &BotMaker) -> Vec<u64> {
    with_maker("taught", maker, config("standard", 1), 1, 1).hashes()
}

#[test]
fn a_file_of_weights_takes_the_place_of_the_shipped_one() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("my.onnx");
    let registry = Registry::new(upheaval_bots::KINDS.into_iter().chain(upheaval_learned::KINDS));
    fs::write(&file, WEIGHTS).unwrap();
    let same = taught(&registry, "learned", &file).unwrap();
    let hash = blake3::hash(WEIGHTS).to_hex().to_string();
    assert_eq!(same.content["weights"], json!(hash));
    assert_eq!(same.content["weights_file"], json!(file.display().to_string()));
    let shipped = BotMaker::new(|| (KIND.tuning.unwrap().make)(&[2, 0]));
    let of_shipped = hashes(&shipped);
    assert_eq!(hashes(&same.maker), of_shipped, "the same weights play the same games");

    // Other weights: those of one row have the opposite sign.
    let mut other = WEIGHTS.to_vec();
    let row = other.windows(ROW * 4).position(|row| {
        let numbers = row.chunks(4).map(|four| f32::from_le_bytes(four.try_into().unwrap()));
        numbers.clone().all(|number| number.fract() == 0.0 && number.abs() <= 65_536.0)
            && numbers.filter(|&number| number != 0.0).count() >= ROW / 2
    });
    for sign in
        other[row.expect("weights are whole numbers in 32 bits")..].iter_mut().skip(3).step_by(4).take(ROW)
    {
        *sign ^= 0x80;
    }
    fs::write(&file, &other).unwrap();
    let own = taught(&registry, "learned", &file).unwrap();
    assert_ne!(own.content, same.content);
    let of_own = hashes(&own.maker);
    assert_ne!(of_own, of_shipped);
    assert_eq!(registry.recreate("taught", &own.content).map(|maker| hashes(&maker)), Ok(of_own));
    let changed = registry.recreate("taught", &same.content).map(|_| ()).unwrap_err();
    let (found, path) = (blake3::hash(&other).to_hex(), file.display());
    let played = format!("the experiment was played with weights of the hash {hash}");
    assert_eq!(changed, format!("`{path}` has the hash {found}, but {played}"));
    taught(&registry, "guided", &file).unwrap();
}

/// Nothing but the numbers of the network may differ from the file that ships: neither a varint nor a length, a name, a
/// node, a shape, or a constant that is not a float.
#[test]
fn only_the_numbers_of_the_network_may_differ() {
    let mut bytes = WEIGHTS.to_vec();
    let mut is_free = |at: usize| {
        bytes[at] ^= 1;
        let free = form::check(&bytes).is_ok();
        bytes[at] ^= 1;
        free
    };
    // The graph begins with its nodes, and ends with the descriptions of its inputs and outputs.
    let ends = (0..4000).chain(WEIGHTS.len() - 450..WEIGHTS.len());
    assert!(testkit::thinned(ends, 7).all(|at| !is_free(at)));
    let step = if testkit::tries_all() { 61 } else { 427 };
    let free = (0..WEIGHTS.len()).step_by(step).filter(|&at| is_free(at)).count();
    assert!(free > WEIGHTS.len() / step * 9 / 10, "{free} of {}", WEIGHTS.len() / step);
    // The name of each constant lies beside its numbers.
    let near = |name: &str| {
        let at = WEIGHTS.windows(name.len()).rposition(|window| window == name.as_bytes()).unwrap();
        at - 6..at + name.len() + 18
    };
    assert!(near("flat").all(|at| !is_free(at)), "the shape of a table is made of whole numbers");
    assert!(near("half").any(is_free), "a number that is added is a float");
    let half = near("half").find(|&at| WEIGHTS[at..].starts_with(&0.5_f32.to_le_bytes())).unwrap();
    bytes[half..half + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(form::check(&bytes), Err(format!("the number at byte {half} is not finite")));
}
