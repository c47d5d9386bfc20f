//! The logged measures of a map: computed on first use, and cached with the map.

use super::bits::Bits;
use super::graph::{Graph, GraphMetrics};
use crate::ids::{ByPower, MAX_PROVINCES, Power, Powers, ProvinceSet};

/// The measures of a map and of the movement on it. `src/harness/record/schema.rs` describes each in words.
///
/// ```
/// use upheaval_map::topology::{Metrics, atlas, derive};
/// let chart = atlas::standard();
/// let (metrics, distances) = Metrics::new(&chart, &derive(chart.map()));
/// assert!(metrics.army_mean_degree().is_some_and(|degree| degree > 3.0));
/// assert!(distances.get(0).is_some_and(|steps| steps > 1.0));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Metrics {
    /// Land provinces that a unit can be in.
    pub land: u16,
    /// Seas that a unit can be in.
    pub sea: u16,
    /// Impassable faces inside the board.
    pub impassable: u16,
    /// Faces beyond the edge of the board.
    pub outside: u16,
    /// Collapsed faces.
    pub holes: u16,
    /// Void faces.
    pub voids: u16,
    /// Borders of the underlying map, those of holes included.
    pub borders: u16,
    /// Corners of the underlying map.
    pub corners: u16,
    /// Connected components of the network of borders.
    pub components: u16,
    /// Groups of provinces between which no unit can move, by land or water.
    pub islands: u16,
    /// The graph of army moves: land provinces.
    pub army: GraphMetrics,
    /// The graph of fleet moves: seas and single coasts.
    pub fleet: GraphMetrics,
    /// Coasts of land provinces: places for a fleet that are not seas.
    pub coasts: u16,
    /// Land provinces with more than one coast.
    pub multi_coast: u16,
}

impl Metrics {
    /// How many provinces an army can move to, on average over the land; `None` without land.
    pub fn army_mean_degree(&self) -> Option<f32> {
        mean(2 * u32::from(self.army.edges), u32::from(self.land))
    }

    /// How many places a fleet can move to, on average over seas and coasts; `None` if there are none.
    pub fn fleet_mean_degree(&self) -> Option<f32> {
        mean(2 * u32::from(self.fleet.edges), u32::from(self.sea) + u32::from(self.coasts))
    }
}

pub(super) fn mean(sum: u32, count: u32) -> Option<f32> {
    (count > 0).then(|| (f64::from(sum) / f64::from(count)) as f32)
}

/// The distances between the home centres of each pair of powers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HomeDistances(Box<[Option<f32>]>);

impl HomeDistances {
    /// Each pair of powers once, in the order of the distances.
    pub fn pairs(powers: Powers) -> impl Iterator<Item = [Power; 2]> {
        powers.iter().flat_map(move |a| powers.iter().skip(a.index() + 1).map(move |b| [a, b]))
    }

    /// The distances in the order of [`HomeDistances::pairs`].
    pub fn from_list(list: Vec<Option<f32>>) -> HomeDistances {
        HomeDistances(list.into())
    }

    /// The distances in the order of [`HomeDistances::pairs`].
    pub fn values(&self) -> &[Option<f32>] {
        &self.0
    }

    /// The distance of the pair with this number in [`HomeDistances::pairs`]: the mean over all connected
    /// pairs of a home centre of the one power and one of the other; `None` if no pair is connected.
    #[inline]
    pub fn get(&self, pair: usize) -> Option<f32> {
        self.0.get(pair).copied().flatten()
    }

    /// Distances in a graph of provinces: a search from every home, until it has reached those of all later
    /// powers.
    pub(super) fn new<const WORDS: usize>(
        graph: &Graph<WORDS>,
        homes: &ByPower<ProvinceSet>,
    ) -> HomeDistances {
        let mut whose = [0; MAX_PROVINCES];
        for (power, of_power) in homes.iter() {
            of_power.iter().for_each(|home| whose[home.index()] = power.index() as u8);
        }
        let homes = ByPower::from_fn(homes.powers(), |power| Bits::<WORDS>::of_provinces(&homes[power]));
        // Sums of steps and numbers of connected pairs, from the homes of the first power to those of the
        // second.
        let n = homes.values().len();
        let mut sums = vec![(0u32, 0u32); n * n];
        let mut later = homes.values().iter().fold(Bits::EMPTY, |all, &of_power| all | of_power);
        for (of_first, sums) in homes.values().iter().zip(sums.chunks_mut(n)) {
            later -= *of_first;
            of_first.for_each(|home| {
                let mut wanted = later;
                let mut fronts = (0..).zip(graph.fronts(home));
                while !wanted.is_empty()
                    && let Some((step, front)) = fronts.next()
                {
                    (front & wanted).for_each(|met| {
                        let (steps, ways) = &mut sums[usize::from(whose[met])];
                        *steps += step;
                        *ways += 1;
                    });
                    wanted -= front;
                }
            });
        }
        let distance = |[a, b]: [Power; 2]| {
            let (steps, ways) = sums[a.index() * n + b.index()];
            mean(steps, ways)
        };
        HomeDistances(Self::pairs(homes.powers()).map(distance).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{MapEvent, atlas, derive};

    /// The measures of the standard board after these events.
    fn standard(events: &[&str]) -> (Metrics, HomeDistances) {
        let mut chart = atlas::standard();
        for event in events {
            event.parse::<MapEvent>().expect("an event").apply(&mut chart).expect("it can be done");
        }
        Metrics::new(&chart, &derive(chart.map()))
    }

    /// Distances from sums of steps and numbers of connected pairs, for each pair of powers.
    fn distances(pairs: [(u32, u32); 21]) -> HomeDistances {
        HomeDistances(pairs.map(|(steps, ways)| mean(steps, ways)).into())
    }

    fn graph([edges, components, diameter, cut_vertices]: [u16; 4]) -> GraphMetrics {
        GraphMetrics { edges, components, diameter, cut_vertices }
    }

    // The expected values were computed with the Python package NetworkX from `upheaval map --format json`.

    #[test]
    fn the_standard_board() {
        let (found, ways) = standard(&[]);
        assert_eq!(
            (found.army_mean_degree(), found.fleet_mean_degree()),
            (Some(3.964_285_7), Some(4.406_25))
        );
        let expected = Metrics {
            land: 56,
            sea: 19,
            impassable: 1,
            outside: 1,
            holes: 0,
            voids: 0,
            borders: 225,
            corners: 150,
            components: 1,
            islands: 1,
            army: graph([111, 3, 10, 1]), // the continent, Great Britain, North Africa with Tunis; Spain
            fleet: graph([141, 1, 13, 1]), // Constantinople
            coasts: 45,
            multi_coast: 3,
        };
        let expected_ways = distances([
            (60, 9),
            (39, 9),
            (26, 9),
            (24, 9),
            (38, 12),
            (34, 9),
            (31, 9),
            (36, 9),
            (50, 9),
            (55, 12),
            (64, 9),
            (27, 9),
            (34, 9),
            (60, 12),
            (56, 9),
            (33, 9),
            (38, 12),
            (50, 9),
            (66, 12),
            (36, 9),
            (39, 12),
        ]);
        assert_eq!((found, ways), (expected, expected_ways));
    }

    #[test]
    fn voids_that_cut_the_sea_into_five_pieces() {
        let (found, ways) = standard(&["void NTH", "void BAL", "void ENG", "void IRI", "void NWG"]);
        assert_eq!((found.land, found.sea, found.voids, found.holes), (56, 14, 5, 0));
        assert_eq!((found.army, found.fleet), (graph([111, 3, 10, 1]), graph([96, 5, 9, 3])));
        assert_eq!((found.coasts, found.multi_coast, found.islands), (40, 6, 1));
        assert_eq!(found.fleet_mean_degree(), Some((2.0f64 * 96.0 / 54.0) as f32));
        let england: Vec<_> = (6..11).map(|pair| ways.get(pair)).collect();
        let expected = [(42, 9), (60, 9), (57, 9), (111, 12), (75, 9)].map(|(steps, ways)| mean(steps, ways));
        assert_eq!(england, expected);
    }

    #[test]
    fn homes_that_are_holes_count_no_more_and_no_homes_have_no_distance() {
        let (found, ways) = standard(&["collapse MAR", "collapse LON"]);
        assert_eq!((found.land, found.holes), (54, 2));
        assert_eq!((found.army, found.fleet), (graph([109, 3, 9, 1]), graph([145, 1, 13, 1])));
        assert_eq!((found.coasts, found.multi_coast), (45, 4));
        let [austria_france, england_france] = [1, 6].map(|pair| ways.get(pair));
        assert_eq!((austria_france, england_france), (mean(26, 6), mean(14, 4)));
        // Without the islands, and with Africa cut off from the rest.
        let gone =
            ["collapse EDI", "collapse LVP", "collapse LON", "void MAO", "void WES", "void TUN", "void NAF"];
        let (found, ways) = standard(&gone);
        assert_eq!((found.army, found.fleet), (graph([104, 2, 10, 1]), graph([122, 2, 7, 1])));
        let of_england = |[a, b]: [Power; 2]| a == Power::ENGLAND || b == Power::ENGLAND;
        for (pair, powers) in HomeDistances::pairs(Powers::STANDARD).enumerate() {
            assert_eq!(ways.get(pair).is_none(), of_england(powers), "{powers:?}");
        }
    }

    #[test]
    fn homes_with_no_way_between_them_have_no_distance() {
        // An island of two provinces, which are Austria's homes, and one of a single province, which is
        // Turkey's.
        let face = |kind: &str, home: &str, cycles: &str| {
            let is_centre = home != "null";
            let centre = if kind == "outside" { "null" } else { "[0, 1]" };
            format!(
                r#"{{"name": "x", "kind": "{kind}", "supply_centre": {is_centre}, "home": {home}, {cycles}, "centre": {centre}}}"#
            )
        };
        let faces = [
            ("OUT", face("outside", "null", r#""neighbours_ccw": ["SEA"]"#)),
            (
                "SEA",
                face("sea", "null", r#""neighbours_ccw": ["OUT"], "islands_ccw": [["AA", "BB"], ["CC"]]"#),
            ),
            ("AA", face("land", r#""AUSTRIA""#, r#""neighbours_ccw": ["SEA", "BB"]"#)),
            ("BB", face("land", r#""AUSTRIA""#, r#""neighbours_ccw": ["SEA", "AA"]"#)),
            ("CC", face("land", r#""TURKEY""#, r#""neighbours_ccw": ["SEA"]"#)),
        ];
        let list: Vec<String> = faces.iter().map(|(name, face)| format!("{name:?}: {face}")).collect();
        let text = format!(r#"{{"faces": {{{}}}}}"#, list.join(", "));
        let mut chart = atlas::parse("small", &text).unwrap_or_else(|e| panic!("{e}"));
        let pairs: Vec<_> = HomeDistances::pairs(chart.powers())
            .map(|pair| pair.map(|power| chart.power_names().name(power)))
            .collect();
        assert_eq!(pairs, [["AUSTRIA", "TURKEY"]], "nobody else has a home");
        let (found, ways) = Metrics::new(&chart, &derive(chart.map()));
        assert_eq!((found.army, found.fleet), (graph([1, 2, 1, 0]), graph([4, 1, 2, 1])));
        assert_eq!(ways.get(0), Some(2.0), "over the sea");
        assert_eq!((found.islands, found.components, found.coasts), (1, 3, 3));
        "void SEA".parse::<MapEvent>().expect("an event").apply(&mut chart).expect("it can be done");
        let (found, ways) = Metrics::new(&chart, &derive(chart.map()));
        assert_eq!((found.army, found.fleet), (graph([1, 2, 1, 0]), graph([0, 0, 0, 0])));
        assert_eq!(ways.get(0), None);
        assert_eq!((found.islands, found.coasts, found.fleet_mean_degree()), (2, 0, None));
    }
}
