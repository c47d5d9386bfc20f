//! Nature that draws for the original, and repeats its draws for the image: each draw is recorded with its candidates,
//! and the image must ask for the same draws in the same order.

use std::collections::{BTreeSet, VecDeque};

use crate::symmetry::image::Image;
use crate::symmetry::likeness::sides;
use upheaval::ids::{Power, ProvinceId, ProvinceSet};
use upheaval::rng::Stream;
use upheaval::rules::changes::Entry;
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::nature::{HowMany, Nature};
use upheaval::rules::position::Phase;
use upheaval::topology::{HalfEdgeId, NamedMap};

/// A draw with its candidates, by codes.
pub(super) enum Dealt {
    Faces { id: String, eligible: BTreeSet<String>, how_many: HowMany, drawn: Vec<String> },
    Exempt { power: Power, homes: BTreeSet<String>, drawn: Option<String> },
    Ends { chart: Box<NamedMap>, province: String, drawn: Option<[HalfEdgeId; 2]> },
    Half { halves: BTreeSet<String>, drawn: Option<String> },
}

impl Dealt {
    /// The purpose of the draw.
    pub(super) fn what(&self) -> &'static str {
        match self {
            Dealt::Faces { id, .. } => match id.as_str() {
                "restores" => "restores",
                "splits" => "splits",
                _ => "holes",
            },
            Dealt::Exempt { .. } => "exempt",
            Dealt::Ends { .. } => "ends",
            Dealt::Half { .. } => "halves",
        }
    }
}

/// Draws, with all candidates equally likely.
pub(super) struct Here {
    pub dice: Stream,
    pub dealt: VecDeque<Dealt>,
    /// The board at the start, when exemptions are drawn.
    pub start: NamedMap,
}

/// Repeats the draws.
pub(super) struct There<'a> {
    pub image: &'a Image,
    pub dealt: VecDeque<Dealt>,
    pub start: NamedMap,
}

fn codes(chart: &NamedMap, set: impl IntoIterator<Item = ProvinceId>) -> BTreeSet<String> {
    set.into_iter().map(|id| code(chart, id)).collect()
}

fn code(chart: &NamedMap, id: ProvinceId) -> String {
    chart.map().name(id).to_owned()
}

impl Nature for Here {
    fn faces(
        &mut self,
        _: Phase,
        entry: &Entry,
        terrain: &MapTables,
        eligible: &ProvinceSet,
        how_many: HowMany,
    ) -> Vec<ProvinceId> {
        let mut drawn: Vec<ProvinceId> = eligible.iter().collect();
        self.dice.shuffle(&mut drawn);
        drawn.truncate(match how_many {
            HowMany::Count(count) => count,
            HowMany::Each(_) => eligible.len() / 2,
        });
        let chart = terrain.chart();
        self.dealt.push_back(Dealt::Faces {
            id: entry.id.clone(),
            eligible: codes(chart, *eligible),
            how_many,
            drawn: drawn.iter().map(|&id| code(chart, id)).collect(),
        });
        drawn
    }

    fn exempt(&mut self, _: Phase, _: &str, power: Power, homes: &ProvinceSet) -> Option<ProvinceId> {
        let all: Vec<ProvinceId> = homes.iter().collect();
        let drawn = self.dice.choose(&all).copied();
        self.dealt.push_back(Dealt::Exempt {
            power,
            homes: codes(&self.start, *homes),
            drawn: drawn.map(|id| code(&self.start, id)),
        });
        drawn
    }

    fn ends(&mut self, _: Phase, terrain: &MapTables, province: ProvinceId) -> Option<[HalfEdgeId; 2]> {
        let map = terrain.chart().map();
        let holds =
            |side: &HalfEdgeId| map.face(map.across(*side)).is_some_and(|face| face.can_hold_an_end());
        let sides: Vec<HalfEdgeId> = map.sides_of(province).filter(holds).collect();
        let drawn = self.dice.choose(&sides).copied().and_then(|first| {
            let same: Vec<HalfEdgeId> =
                sides.iter().copied().filter(|&side| map.same_cycle(first, side)).collect();
            self.dice.choose(&same).map(|&second| [first, second])
        });
        self.dealt.push_back(Dealt::Ends {
            chart: Box::new(terrain.chart().clone()),
            province: code(terrain.chart(), province),
            drawn,
        });
        drawn
    }

    fn half(&mut self, _: Phase, terrain: &MapTables, halves: &[ProvinceId]) -> Option<ProvinceId> {
        let drawn = self.dice.choose(halves).copied();
        self.dealt.push_back(Dealt::Half {
            halves: codes(terrain.chart(), halves.iter().copied()),
            drawn: drawn.map(|half| code(terrain.chart(), half)),
        });
        drawn
    }
}

impl There<'_> {
    fn next(&mut self) -> Dealt {
        self.dealt.pop_front().expect("drawn there and not here")
    }

    fn image_of(&self, codes: &BTreeSet<String>) -> BTreeSet<String> {
        codes.iter().map(|code| self.image.code(code)).collect()
    }

    fn find(&self, chart: &NamedMap, code: &str) -> ProvinceId {
        chart.map().find(&self.image.code(code)).expect("it is there as well")
    }
}

impl Nature for There<'_> {
    fn faces(
        &mut self,
        _: Phase,
        entry: &Entry,
        terrain: &MapTables,
        eligible: &ProvinceSet,
        how_many: HowMany,
    ) -> Vec<ProvinceId> {
        let Dealt::Faces { id, eligible: all, how_many: number, drawn } = self.next() else {
            panic!("faces are drawn there")
        };
        assert_eq!((&*entry.id, how_many), (&*id, number));
        assert_eq!(codes(terrain.chart(), *eligible), self.image_of(&all));
        drawn.iter().map(|code| self.find(terrain.chart(), code)).collect()
    }

    fn exempt(&mut self, _: Phase, _: &str, power: Power, homes: &ProvinceSet) -> Option<ProvinceId> {
        let Dealt::Exempt { power: of, homes: all, drawn } = self.next() else {
            panic!("an exempt centre is drawn there")
        };
        assert_eq!(power, of);
        assert_eq!(codes(&self.start, *homes), self.image_of(&all));
        drawn.map(|code| self.find(&self.start, &code))
    }

    fn ends(&mut self, _: Phase, terrain: &MapTables, province: ProvinceId) -> Option<[HalfEdgeId; 2]> {
        let Dealt::Ends { chart, province: split, drawn } = self.next() else {
            panic!("ends are drawn there")
        };
        assert_eq!(code(terrain.chart(), province), self.image.code(&split));
        let sides = sides(self.image, chart.map(), terrain.chart().map());
        let [first, second] = drawn?.map(|side| sides[side.index()].expect("a side"));
        // The first half runs counter-clockwise from the first end (rules.md 4.11).
        Some(if self.image.mirrored { [second, first] } else { [first, second] })
    }

    fn half(&mut self, _: Phase, terrain: &MapTables, halves: &[ProvinceId]) -> Option<ProvinceId> {
        let Dealt::Half { halves: all, drawn } = self.next() else { panic!("a half is drawn there") };
        assert_eq!(codes(terrain.chart(), halves.iter().copied()), self.image_of(&all));
        drawn.map(|code| self.find(terrain.chart(), &code))
    }
}
