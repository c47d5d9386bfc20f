//! The source of a game's random events. Every draw goes through this module and is recorded in the log, so
//! that a game can be replayed without drawing (ARCHITECTURE.md, Invariants).

use serde::{Deserialize, Serialize};

use super::changes::{Entry, Odds};
use super::map_tables::MapTables;
use super::position::Phase;
use upheaval_map::ids::{Power, ProvinceId, ProvinceSet};
use upheaval_map::rng::{Purpose, Stream};
use upheaval_map::topology::HalfEdgeId;

/// The dice for the cards that decide where a province is split (rules.md 4.11).
pub const CARDS: &str = "cards";

/// The dice for the half in which the unit of a split province stays (rules.md 4.11).
pub const HALVES: &str = "halves";

/// How many faces are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HowMany {
    /// This many different ones, or all if there are fewer.
    Count(usize),
    /// Each with this chance.
    Each(Odds),
}

impl HowMany {
    /// The largest number of faces that may be drawn among this many.
    pub const fn most(self, eligible: usize) -> usize {
        match self {
            HowMany::Count(count) => count,
            HowMany::Each(_) => eligible,
        }
    }
}

/// A source of random events.
pub trait Nature {
    /// Draws faces among the eligible ones for an entry.
    fn faces(
        &mut self,
        at: Phase,
        entry: &Entry,
        terrain: &MapTables,
        eligible: &ProvinceSet,
        draw: HowMany,
    ) -> Vec<ProvinceId>;

    /// Draws the exempt centre of a power that did not name one, with the dice of this name.
    fn exempt(&mut self, at: Phase, dice: &str, power: Power, homes: &ProvinceSet) -> Option<ProvinceId>;

    /// Deals the cards that decide where the border that splits the province ends: at the first half-edge and
    /// at the second (rules.md 4.11). `None` means that the province cannot be split.
    fn ends(&mut self, at: Phase, terrain: &MapTables, province: ProvinceId) -> Option<[HalfEdgeId; 2]>;

    /// Draws the half in which the unit of a split province stays, among those where it can. `halves` is
    /// never empty.
    fn half(&mut self, at: Phase, terrain: &MapTables, halves: &[ProvinceId]) -> Option<ProvinceId>;
}

/// Random events determined by a seed. The key of a draw is (root seed, block, season, purpose, index),
/// without game, variant or bots: every game of a block has the same catastrophes as far as its rules allow
/// (rules.md 4.2).
///
/// ```
/// use upheaval_engine::rules::nature::Seeded;
/// use upheaval_engine::rng::Purpose;
/// // Nature is the same for all games of a block, whoever plays them.
/// let nature = Seeded { seed: 7, block: 3 };
/// let at = "S1901M".parse()?;
/// let draw = |n: Seeded| n.stream(Purpose::Nature("holes"), at, 0).next_u64();
/// assert_eq!(draw(nature.clone()), draw(Seeded { seed: 7, block: 3 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Seeded {
    /// The root seed.
    pub seed: u64,
    /// The block.
    #[serde(default)]
    pub block: u64,
}

impl Seeded {
    /// The stream of a draw in the season of this phase.
    pub fn stream(&self, purpose: Purpose<'_>, at: Phase, index: u64) -> Stream {
        let season = u64::from(at.year) * 4 + at.season as u64;
        Stream::keyed(self.seed, purpose, &[self.block, season, index])
    }
}

impl Nature for Seeded {
    /// Takes the first eligible faces of a fresh random order. The relative order of two faces depends only
    /// on the season and their names, not on the other faces, so that maps that have diverged still get the
    /// same draw.
    fn faces(
        &mut self,
        at: Phase,
        entry: &Entry,
        terrain: &MapTables,
        eligible: &ProvinceSet,
        draw: HowMany,
    ) -> Vec<ProvinceId> {
        let season = self.stream(Purpose::Nature(&entry.dice), at, 0).next_u64();
        let map = terrain.chart().map();
        let number = |id: ProvinceId| Stream::ranked(season, map.names().key(id)).next_u64();
        let count = match draw {
            HowMany::Count(count) => count,
            HowMany::Each(odds) => return eligible.iter().filter(|&id| odds.win(number(id))).collect(),
        };
        // The first faces in order; a season needs only a few.
        let mut first: Vec<(u64, u8, ProvinceId)> = Vec::with_capacity(count.min(eligible.len()) + 1);
        let mut last = u64::MAX;
        eligible.iter().for_each(|id| {
            let drawn = number(id);
            if first.len() < count || drawn <= last {
                let next = (drawn, map.rank(id), id);
                let place = first.partition_point(|earlier| *earlier < next);
                first.insert(place, next);
                first.truncate(count);
                last = first.last().map_or(0, |&(drawn, ..)| drawn);
            }
        });
        first.into_iter().map(|(.., id)| id).collect()
    }

    fn exempt(&mut self, at: Phase, dice: &str, power: Power, homes: &ProvinceSet) -> Option<ProvinceId> {
        let homes: Vec<ProvinceId> = homes.iter().collect();
        self.stream(Purpose::Nature(dice), at, power.index() as u64).choose(&homes).copied()
    }

    /// Deals a card to each bordering territory except the Outside; the two highest are the ends. If a
    /// territory borders the province in several stretches, one of them is drawn.
    fn ends(&mut self, at: Phase, terrain: &MapTables, province: ProvinceId) -> Option<[HalfEdgeId; 2]> {
        let map = terrain.chart().map();
        let deal = self.stream(Purpose::Nature(CARDS), at, map.face(province)?.key()).next_u64();
        let territories: ProvinceSet = map.sides_of(province).map(|side| map.across(side)).collect();
        let mut cards: Vec<(u64, &str, Stream, ProvinceId)> = territories
            .iter()
            .filter_map(|id| map.face(id).filter(|face| face.can_hold_an_end()).map(|face| (id, face)))
            .map(|(id, face)| {
                let mut stream = Stream::ranked(deal, face.key());
                (stream.next_u64(), face.name(), stream, id)
            })
            .collect();
        cards.sort_unstable_by(|a, b| (b.0, b.1).cmp(&(a.0, a.1)));
        let mut cards = cards.into_iter();
        let (_, _, mut of_first, highest) = cards.next()?;
        let first = *of_first.choose(&map.stretches(province, highest))?;
        // A border can only end on the boundary cycle on which it begins.
        let second = cards
            .find_map(|(_, _, mut stream, territory)| {
                let mut stretches = map.stretches(province, territory);
                stretches.retain(|&side| map.same_cycle(first, side));
                stream.choose(&stretches).copied()
            })
            .unwrap_or(first);
        Some([first, second])
    }

    fn half(&mut self, at: Phase, terrain: &MapTables, halves: &[ProvinceId]) -> Option<ProvinceId> {
        let key = terrain.chart().map().face(*halves.first()?)?.key();
        self.stream(Purpose::Nature(HALVES), at, key).choose(halves).copied()
    }
}
