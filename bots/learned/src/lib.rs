//! A bot that has learned to play: one network over the graph of the current board, for any board and
//! variant.
//!
//! ```text
//!  tables of a batch ─ encode ─▶ Encoded ─ network ─▶ Scores of the legal orders ─ choose ─▶ surest half, repeated
//! ```
//! `network.py` defines the network, `train.py` trains it, and `export.py` writes the file of weights.

pub(crate) mod choose;
pub mod encode;
pub mod form;
pub(crate) mod network;

use std::sync::{Arc, LazyLock};

use upheaval_bots::{Search, SearchSettings};
use upheaval_engine::bot::{Bot, BotKind, BotMaker, BotSetting, LearnedWeights, Pace, Tuning};
use upheaval_env::chooser_seat;

pub use choose::{DrawSettings, Mixture, NetworkPlayer};
pub use network::{Network, NetworkError};

/// The shipped weights: an ONNX file.
pub const WEIGHTS: &[u8] = include_bytes!("../learned.onnx");

/// The bot.
pub const KIND: BotKind = BotKind {
    name: "learned",
    description: "a network over the graph of the current board, which has learned from `search`",
    version: 2,
    make: || tuned(&SHIPPED, &[]),
    tuning: Some(Tuning { settings: &SETTINGS, make: |values| tuned(&SHIPPED, values) }),
    pace: Pace::Quick,
    weights: Some(LearnedWeights { shipped: WEIGHTS, make: |bytes, values| taught(bytes, values, tuned) }),
};

/// The settings for experiments.
const SETTINGS: [BotSetting; 2] = [
    BotSetting {
        name: "passes",
        meaning: "number of passes in which its orders are settled; after each, the network is evaluated again",
        least: 1,
        most: 8,
        default: 2,
    },
    BotSetting {
        name: "temperature",
        meaning: "how far it departs from the best order, in percent: at 100 as it has learned, at 0 never",
        least: 0,
        most: 1000,
        default: 30,
    },
];

/// A [`Search`] that also compares this bot's orders.
pub const GUIDED: BotKind = BotKind {
    name: "guided",
    description: "`search` that also compares orders proposed by `learned`",
    // It uses everything that `search` uses.
    version: 2 + KIND.version + Search::KIND.version,
    make: || guided(&SHIPPED, &[]),
    tuning: Some(Tuning { settings: &GUIDED_SETTINGS, make: |values| guided(&SHIPPED, values) }),
    pace: Pace::Slow,
    weights: Some(LearnedWeights { shipped: WEIGHTS, make: |bytes, values| taught(bytes, values, guided) }),
};

/// What it searches. It has more candidates than `search`, and drops the worse ones early; with this number of rollouts
/// it takes the processor time of `search`.
const GUIDED_SEARCH: SearchSettings =
    SearchSettings { rollouts: 84, candidates: 24, rounds: 3, ..SearchSettings::DEFAULT };

/// The settings for experiments: all those of `search`, and two more.
const GUIDED_SETTINGS: [BotSetting; 6] = {
    let [rollouts, candidates, years, other_stage_rollouts] = Search::settings(GUIDED_SEARCH);
    [rollouts, candidates, years, other_stage_rollouts, NETWORK, ROUNDS]
};

/// The number of rounds of the search.
const ROUNDS: BotSetting = BotSetting {
    name: "rounds",
    meaning: "rounds over which the rollouts are spread; after each but the last the worse half of the candidates is dropped",
    least: 1,
    most: 16,
    default: GUIDED_SEARCH.rounds as u64,
};

/// The weight of the network's rating.
const NETWORK: BotSetting = BotSetting {
    name: "network",
    meaning: "weight of the network in the rating of positions, in percent; the rule of thumb has the rest",
    least: 0,
    most: 100,
    default: 0,
};

/// The bots of this crate, by name.
pub const KINDS: [BotKind; 2] = [GUIDED, KIND];

/// A maker of bots with the weights of another file.
fn taught(
    bytes: Vec<u8>,
    values: &[u64],
    make: fn(&Arc<Network>, &[u64]) -> Box<dyn Bot>,
) -> Result<BotMaker, String> {
    let network = Arc::new(Network::read(bytes).map_err(|error| error.to_string())?);
    let values = values.to_vec();
    Ok(BotMaker::new(move || make(&network, &values)))
}

/// A bot with these values of [`GUIDED_SETTINGS`].
fn guided(network: &Arc<Network>, values: &[u64]) -> Box<dyn Bot> {
    // It follows the learned probabilities, so that its proposals differ. In a single pass the network is evaluated once
    // for all proposals of a phase.
    let drawing = DrawSettings { passes: 1, temperature: 100 };
    let adviser = chooser_seat(Arc::new(NetworkPlayer::new(Arc::clone(network), drawing)));
    let rounds = ROUNDS.value(values, 5) as u32;
    let search = Search::advised(SearchSettings { rounds, ..GUIDED_SEARCH.with(values) }, adviser);
    match NETWORK.value(values, 4) {
        0 => Box::new(search),
        part => Box::new(search.rated_by(Box::new(Mixture::new(Arc::clone(network), part as u32)))),
    }
}

/// A bot with these values of [`SETTINGS`].
fn tuned(network: &Arc<Network>, values: &[u64]) -> Box<dyn Bot> {
    let value = |at: usize| SETTINGS[at].value(values, at) as u32;
    let drawing = DrawSettings { passes: value(0), temperature: value(1) };
    chooser_seat(Arc::new(NetworkPlayer::new(Arc::clone(network), drawing)))
}

/// The network with the shipped weights, read once.
static SHIPPED: LazyLock<Arc<Network>> = LazyLock::new(|| {
    // A test reads it, so that a program with unreadable weights is never released.
    Arc::new(Network::read(WEIGHTS.to_vec()).expect("the weights that ship are a network"))
});
