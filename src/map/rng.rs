//! Keyed streams of one named, portable generator: PCG64 DXSM (`rand_pcg::Pcg64Dxsm`, PCG XSL/DXSM family,
//! 128 bits of state).
//!
//! The state and increment of a stream are the BLAKE3 hash of its key, so two keys that differ anywhere give
//! unrelated streams, and no stream depends on how much another was used. The derivation of a stream from its
//! key affects every result: [`DERIVATION_VERSION`] is incremented whenever it changes.
//!
//! # What is drawn
//!
//! Each key begins with the tag of its [`Purpose`] and the root seed:
//!
//! | drawn | tag | rest of the key |
//! |---|---|---|
//! | the faces that nature draws for an entry of a variant's changes | `nature/` and the entry's dice, such as `nature/holes` | block, season |
//! | the exempt centre of a power that named none | the same | block, season, power |
//! | the cards that decide where a province is split, the half in which its unit stays | `nature/cards`, `nature/halves` | block, season, province |
//! | a bot's dice in a stage | `bot/stage` | block, game, seat; for later attempts at a void game, and for futures of `replay --at`, their numbers. Each moment (year, season and stage) has one of the streams of this key |
//! | a bot's draws before the game, such as the `seed` that a program receives | `bot` | as above, without the moment |
//! | the dice of a bot that is asked for advice in a batch | `bot` | block, state of the game, power |
//! | the guesses of an imagined session | `bot` | |
//! | the order of the seats in which the line-ups of a block are rotated | `seats` | block |
//! | the matches that are simulated for the interval of a match that has stopped | `analysis/bootstrap` | the difference that is tried, number of the match |
//! | the blocks drawn again for the intervals of a balance | `analysis/balance/bootstrap` | number of the draw |
//! | the places that powers exchange in a permutation test | `analysis/balance/permutation` | measure, number of the permutation |
//! | the root seed of the games that measure the answer of a search | `analysis/tune/check` | |
//!
//! Nature's keys contain neither game nor variant nor bot, so all rotations of a block, and all variants of an
//! experiment, meet the same catastrophes. The key of the seats contains only the block, so all line-ups and all arms
//! are shuffled alike. A bot's key contains the seat and not the bot, so replacing a bot changes no holes and no other
//! bot's dice. It also contains the moment, so games under different rules draw the same numbers in every stage in
//! which their positions agree. A bot that thinks ahead guesses nature and the secrets of others with its own dice, and
//! nothing of this touches the real game.

use rand_core::Rng;
use rand_pcg::Pcg64Dxsm;

/// The generator's name as it is written into every result file.
pub const ALGORITHM: &str = "pcg64-dxsm";

/// Version of the derivation of streams from keys and of numbers from streams.
pub const DERIVATION_VERSION: u32 = 1;

/// The purpose of a stream. Its name is part of the key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose<'n> {
    /// The random events of nature with the dice of this name (rules.md 4.2).
    Nature(&'n str),
    /// What a bot draws before its game begins, for example the seed that is sent to an external program.
    Bot,
    /// A bot's dice in one stage of a game.
    BotStage,
    /// The order of the seats in which the line-ups of a block are rotated.
    Seats,
    /// The matches that are simulated for the interval of a match that has stopped (parametric bootstrap).
    Bootstrap,
    /// The resampling of blocks for the intervals of a balance.
    BalanceBootstrap,
    /// How the powers change places within blocks in a permutation test.
    Permutation,
    /// The root seed of the games by which the answer of a search for parameters is measured.
    TuneCheck,
}

impl<'n> Purpose<'n> {
    /// The first part of the hashed key: the purpose, and the name of nature's dice.
    const fn tag(self) -> [&'n [u8]; 2] {
        let own: &[u8] = match self {
            Purpose::Nature(dice) => return [b"nature/", dice.as_bytes()],
            Purpose::Bot => b"bot",
            Purpose::BotStage => b"bot/stage",
            Purpose::Seats => b"seats",
            Purpose::Bootstrap => b"analysis/bootstrap",
            Purpose::BalanceBootstrap => b"analysis/balance/bootstrap",
            Purpose::Permutation => b"analysis/balance/permutation",
            Purpose::TuneCheck => b"analysis/tune/check",
        };
        [own, b""]
    }
}

/// A family of numbered streams with one key, which is hashed once for all of them. Each stream begins at its
/// own place in the generator's one sequence of 2^128 numbers; a Weyl sequence spreads the places far apart.
///
/// ```
/// use upheaval_map::rng::{Purpose, Streams};
/// // The streams of two numbers are unrelated, however much one of them is used.
/// let streams = Streams::keyed(7, Purpose::BotStage, &[1, 2]);
/// assert_eq!(streams.stream(60832).next_u64(), streams.stream(60832).next_u64());
/// assert_ne!(streams.stream(60832).next_u64(), streams.stream(60833).next_u64());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Streams {
    state: u128,
    increment: u128,
}

/// The step of the Weyl sequence: 2^128 divided by the golden ratio, rounded to an odd number.
const STEP: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

impl Streams {
    /// The streams of this key. The same key gives the same streams on every machine and in every version with the same
    /// [`DERIVATION_VERSION`].
    pub fn keyed(root_seed: u64, purpose: Purpose<'_>, key: &[u64]) -> Streams {
        // Hashed as one piece: seven seats are keyed for every game, and each update of a hasher has a price.
        let [tag, of] = purpose.tag();
        let mut bytes = Vec::with_capacity(tag.len() + of.len() + 9 + 8 * key.len());
        bytes.extend_from_slice(tag);
        bytes.extend_from_slice(of);
        bytes.push(0);
        bytes.extend_from_slice(&root_seed.to_le_bytes());
        key.iter().for_each(|part| bytes.extend_from_slice(&part.to_le_bytes()));
        let hash = *blake3::hash(&bytes).as_bytes();
        let half = |from: usize| {
            let mut bytes = [0; 16];
            bytes.copy_from_slice(&hash[from..from + 16]);
            u128::from_le_bytes(bytes)
        };
        Streams { state: half(0), increment: half(16) }
    }

    /// The stream with this number.
    #[inline]
    pub fn stream(&self, number: u64) -> Stream {
        let state = self.state.wrapping_add(STEP.wrapping_mul(u128::from(number)));
        Stream(Pcg64Dxsm::new(state, self.increment))
    }
}

/// A stream of random numbers.
///
/// ```
/// use upheaval_map::rng::{Purpose, Stream};
/// // The same key gives the same numbers, whatever else has been drawn.
/// let mut dice = Stream::keyed(7, Purpose::Bot, &[1, 2]);
/// let mut again = Stream::keyed(7, Purpose::Bot, &[1, 2]);
/// assert_eq!(dice.below(6), again.below(6));
/// ```
#[derive(Clone, Debug)]
pub struct Stream(Pcg64Dxsm);

impl Stream {
    /// The stream of this key. The same key gives the same numbers on every machine and in every version with
    /// the same [`DERIVATION_VERSION`].
    pub fn keyed(root_seed: u64, purpose: Purpose<'_>, key: &[u64]) -> Stream {
        let Streams { state, increment } = Streams::keyed(root_seed, purpose, key);
        Stream(Pcg64Dxsm::new(state, increment))
    }

    /// The stream of one item in a random order: its first number is the item's rank. `order` is a draw from
    /// a keyed stream, `item` is a fixed key of the item.
    #[inline]
    pub fn ranked(order: u64, item: u64) -> Stream {
        Stream(Pcg64Dxsm::new(u128::from(order) << 64 | u128::from(item), 0))
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A whole number from 0 to `bound - 1`, each equally likely (Lemire's multiplication with rejection, on
    /// the upper 32 bits). Implemented here because a library may change its method between versions, which
    /// would change every game.
    ///
    /// `bound` should not be 0; a bound of 0 gives 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        let mut product = (self.next_u64() >> 32) * u64::from(bound);
        if (product as u32) < bound {
            let threshold = bound.wrapping_neg() % bound.max(1);
            while (product as u32) < threshold {
                product = (self.next_u64() >> 32) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }

    /// One of the items, each equally likely; `None` if there are no items.
    #[inline]
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len() as u32) as usize) }
    }

    /// Shuffles the items; each order is equally likely (Fisher–Yates, from the end).
    ///
    /// ```
    /// use upheaval_map::rng::{Purpose, Stream};
    /// let mut items = ["a", "b", "c"];
    /// Stream::keyed(1, Purpose::Bot, &[]).shuffle(&mut items);
    /// items.sort();
    /// assert_eq!(items, ["a", "b", "c"]);
    /// ```
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }
}
