//! The measures of the map that are shown year by year.

use upheaval_analysis::reading::MapState;
use upheaval_engine::rules::position::Season;

/// One measure of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MapMeasure {
    /// Its title.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
}

const fn measure(name: &'static str, unit: &'static str) -> MapMeasure {
    MapMeasure { name, unit }
}

/// The measures, in the order of the figures: those of faces, then those of the two graphs.
pub(crate) const MEASURES: [MapMeasure; 18] = [
    measure("Extant centres", "supply centres"),
    measure("Neutral centres", "extant supply centres without an owner"),
    measure("Land", "provinces"),
    measure("Sea", "provinces"),
    measure("Holes", "provinces that collapsed"),
    measure("Voids", "provinces"),
    measure("Islands", "parts that no unit can move between by itself"),
    measure("Coasts", "coasts of land provinces"),
    measure("Several coasts", "provinces with more than one coast"),
    measure("Borders", "borders of the underlying map"),
    measure("Army graph", "edges: pairs that an army can move between"),
    measure("Pieces of the army graph", "pieces"),
    measure("Army diameter", "steps of the longest path"),
    measure("Army cut vertices", "provinces whose loss disconnects the graph"),
    measure("Fleet graph", "edges: pairs that a fleet can move between"),
    measure("Pieces of the fleet graph", "pieces"),
    measure("Fleet diameter", "steps of the longest path"),
    measure("Fleet cut vertices", "places whose loss disconnects the graph"),
];

/// The values of the measures on a map, in their order.
pub(crate) fn measures(map: &MapState) -> impl Iterator<Item = u16> {
    let [neutral, holes, voids, islands, coasts, multi_coast, borders] = map.faces;
    let faces =
        [map.extant_centres, neutral, map.land, map.sea, holes, voids, islands, coasts, multi_coast, borders];
    faces.into_iter().chain(map.graphs.into_iter().flatten())
}

/// The maps after the Winters of a game. The first may be of the year before its first: if a year has two, the later
/// counts.
pub(crate) fn winters(maps: &[MapState]) -> impl Iterator<Item = &MapState> {
    let mut winters: Vec<&MapState> = Vec::new();
    for map in maps.iter().filter(|map| map.season == Season::Winter) {
        match winters.last_mut() {
            Some(last) if last.year == map.year => *last = map,
            _ => winters.push(map),
        }
    }
    winters.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(turn: u16, year: u16, season: Season) -> MapState {
        MapState {
            turn,
            year,
            season,
            extant_centres: 34,
            land: 56,
            sea: 19,
            faces: [12, 1, 2, 3, 4, 5, 6],
            graphs: [[7, 8, 9, 10], [11, 12, 13, 14]],
        }
    }

    #[test]
    fn of_two_winters_in_a_year_the_later_counts() {
        let maps = [
            map(0, 1900, Season::Winter),
            map(1, 1900, Season::Winter),
            map(2, 1901, Season::Spring),
            map(3, 1901, Season::Winter),
            map(4, 1902, Season::Fall),
        ];
        let found: Vec<u16> = winters(&maps).map(|map| map.turn).collect();
        assert_eq!(found, [1, 3]);
    }

    #[test]
    fn each_measure_has_a_value() {
        let values: Vec<u16> = measures(&map(0, 1900, Season::Winter)).collect();
        assert_eq!(values, [34, 12, 56, 19, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
        assert_eq!(values.len(), MEASURES.len());
    }
}
