//! Checks that the fast spreading of worth agrees with the naive one.

use upheaval_engine::bot::Observation;
use upheaval_engine::ids::{ByProvince, Location, ProvinceId, ProvinceSet, UnitKind};
use upheaval_engine::rng::{Purpose, Stream};

use super::spread::fits;
use super::spread::{AdjacencyGraph, MOST, Numbered};
use super::spread::{Plain, walked};
use super::values::{LOST, WorthTables};
use super::weights::Kinds;
use super::weights::{
    ALONE_AGAINST_A_UNIT, BUILD, DISPUTED, DISPUTED_BY_WHO_STANDS_THERE, FALL, REMOVE, SIZE,
    SIZE_OF_A_CENTRE, SIZE_SQUARED, SPRING, STRONGER, UNDISPUTED, Weights,
};
use crate::common::{drowns, reach};
use crate::tests::watch;

/// The same as [`WorthTables`], computed place by place and unit by unit.
struct Reference<'a> {
    seen: &'a Observation<'a>,
    weights: &'a Weights,
    plain: Plain,
    base: ByProvince<i64>,
    strength: ByProvince<i64>,
    competition: ByProvince<i64>,
}

impl<'a> Reference<'a> {
    fn new(seen: &'a Observation<'a>, weights: &'a Weights) -> Self {
        let position = seen.position;
        let size = |power| {
            let centres = (*position.centres_of(power) & *seen.centres).len() as i64;
            SIZE + SIZE_OF_A_CENTRE * centres + SIZE_SQUARED * centres * centres
        };
        let nothing = ByProvince::filled(0);
        let (mut base, mut strength, mut competition, mut largest) = (nothing, nothing, nothing, nothing);
        for power in seen.powers() {
            let mut count = nothing;
            for unit in *position.units_of(power) {
                (reach(seen, unit) | ProvinceSet::single(unit)).iter().for_each(|to| count[to] += 1);
            }
            for to in seen.board.passable() {
                if power == seen.power {
                    strength[to] = count[to];
                } else if count[to] > 0 {
                    competition[to] = competition[to].max(count[to]);
                    largest[to] = largest[to].max(size(power));
                }
            }
        }
        for centre in *seen.centres - seen.doomed - seen.sinking() {
            base[centre] = match position.owner(centre) {
                Some(owner) if owner == seen.power => weights.defence * largest[centre],
                Some(owner) => weights.attack * size(owner),
                None => weights.attack * SIZE,
            };
        }
        let mut plain = Plain::default();
        plain.fill(seen, &weights.spread, &base);
        Reference { seen, weights, plain, base, strength, competition }
    }

    fn of(&self, kind: UnitKind, at: Location) -> i64 {
        let near = match kind {
            UnitKind::Army => Some(self.plain.of_army(at.province)),
            UnitKind::Fleet => self.plain.of_fleet(at),
        };
        let lost = self.seen.doomed.contains(at.province) || drowns(self.seen, kind, at.province);
        near.filter(|_| !lost).map_or(LOST, |near| {
            near + self.weights.strength * self.strength[at.province]
                - self.weights.competition * self.competition[at.province]
        })
    }

    fn prospect(&self, to: ProvinceId) -> i64 {
        let own = *self.seen.position.units_of(self.seen.power);
        let foreign = self.seen.position.occupied().contains(to) && !own.contains(to);
        let (strength, competition) = (self.strength[to], self.competition[to]);
        match (foreign, competition) {
            (_, 0) => UNDISPUTED,
            (true, _) if strength < 2 => ALONE_AGAINST_A_UNIT,
            (_, competition) if strength > competition => STRONGER,
            (true, _) => DISPUTED_BY_WHO_STANDS_THERE,
            (false, _) => DISPUTED,
        }
    }
}

/// Compares all results; `kinds` are the spread kinds of units. Returns whether the fast path was used.
fn compare(values: &mut WorthTables, seen: &Observation<'_>, weights: &Weights, kinds: Kinds) -> bool {
    let reference = Reference::new(seen, weights);
    let worth = values.rate(seen, weights, kinds);
    for province in seen.board.passable() {
        let at = province.into();
        if kinds.army && walked(seen).contains(province) {
            assert_eq!(worth.of(UnitKind::Army, at), reference.of(UnitKind::Army, at));
        }
        if kinds.fleet {
            for at in seen.board.stations_of(province) {
                assert_eq!(worth.of(UnitKind::Fleet, at), reference.of(UnitKind::Fleet, at));
            }
        }
        assert_eq!(i64::from(worth.competition(province)), reference.competition[province]);
        assert_eq!(worth.prospect(province), reference.prospect(province));
        assert_eq!(worth.base(province), reference.base[province]);
    }
    worth.is_fast()
}

#[test]
fn worth_is_what_the_plain_computation_gives_on_any_map() {
    let values = std::sync::Mutex::new((WorthTables::default(), 0));
    watch(move |seen| {
        let (values, turn) = &mut *values.lock().expect("nobody panicked");
        // The same tables for all variants and powers, as if one bot played all games.
        *turn += 1;
        let weights = [&SPRING, &FALL, &BUILD, &REMOVE][*turn % 4];
        let kinds = [Kinds::BOTH, Kinds::of_units(seen), Kinds::NONE][*turn % 3];
        assert!(compare(values, seen, weights, kinds), "boards that ship are small enough");
    });
}

#[test]
fn worth_is_the_same_where_numbers_get_too_large_for_32_bits() {
    let values = std::sync::Mutex::new((WorthTables::default(), 0));
    watch(move |seen| {
        let (values, turn) = &mut *values.lock().expect("nobody panicked");
        *turn += 1;
        // Only centres of others are worth that much.
        let own = *seen.position.centres_of(seen.power) | seen.doomed | seen.sinking();
        if *turn % 16 == 0 && !(*seen.centres - own).is_empty() {
            let much = Weights { attack: 1_000_000_000, ..FALL };
            assert!(!compare(values, seen, &much, Kinds::BOTH), "too large");
        }
    });
}

#[test]
fn what_a_place_and_its_neighbours_hold_fits_or_does_not() {
    let most = u32::MAX / 5;
    assert!(fits(most, 4) && !fits(most + 1, 4) && !fits(most, 5));
    assert!(fits(u32::MAX, 0) && !fits(u32::MAX, 1) && fits(0, MOST));
}

#[test]
fn the_sums_of_a_graph_are_those_of_its_neighbours() {
    let mut dice = Stream::keyed(4, Purpose::Bot, &[]);
    for _ in 0..300 {
        let places = 1 + dice.below(MOST as u32) as usize;
        let most = 1 + dice.below(20);
        let near: Vec<Vec<usize>> = (0..places)
            .map(|_| (0..dice.below(most)).map(|_| dice.below(places as u32) as usize).collect())
            .collect();
        let degrees: Vec<u8> = near.iter().map(|near| near.len() as u8).collect();
        let numbered = Numbered::by_degree(&degrees).expect("few enough");
        let numbers = numbered.numbers.clone();
        let graph = AdjacencyGraph::new(numbered, |place, list| {
            list.extend(near[place].iter().map(|&to| numbers[to]))
        });
        let (mut amounts, mut sums) = ([0; MOST], [0; MOST]);
        amounts[..places].fill_with(|| dice.below(1000));
        graph.sums(&amounts, &mut sums);
        for (place, near) in near.iter().enumerate() {
            let sum: u32 = near.iter().map(|&to| amounts[usize::from(numbers[to])]).sum();
            assert_eq!(sums[usize::from(numbers[place])], sum);
        }
        assert_eq!(
            (graph.places(), graph.most_neighbours()),
            (places, near.iter().map(Vec::len).max().unwrap())
        );
    }
    assert!(Numbered::by_degree(&[0; MOST]).is_some());
    assert!(Numbered::by_degree(&[0; MOST + 1]).is_none());
}
