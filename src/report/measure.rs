//! The measures of the map that are shown year by year.

use std::collections::BTreeMap;

use upheaval_engine::rules::position::Season;
use upheaval_harness::record::reader::{ReadError, by_game, distances, topology};
use upheaval_harness::record::regular::Readable;
use upheaval_map::ids::{Power, PowerNames};
use upheaval_map::topology::HomeDistances;

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
pub(crate) const MEASURES: [MapMeasure; FACES + GRAPHS] = [
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

/// The measures that are read together with the faces, and those of the graphs.
const FACES: usize = 10;
const GRAPHS: usize = 8;

/// For each game in a file of the table `topology`, and for each year, passes on measures after the year's Winter: the
/// index of the first, and their values.
pub(crate) fn map_rows(
    part: &impl Readable,
    powers: &PowerNames,
    mut take: impl FnMut(u32, u16, usize, &[u16]),
) -> Result<(), ReadError> {
    use topology::*;
    let faces = (
        YEAR,
        SEASON,
        EXTANT_CENTRES,
        NEUTRAL_CENTRES,
        LAND,
        SEA,
        HOLES,
        VOIDS,
        ISLANDS,
        COASTS,
        MULTI_COAST,
        BORDERS,
    );
    by_game(part, powers, faces, |game, rows| {
        for r in winters(rows, |row| (row.0, row.1)) {
            let values: [u16; FACES] = [r.2, r.3, r.4, r.5, r.6, r.7, r.8, r.9, r.10, r.11];
            take(game, r.0, 0, &values);
        }
    })?;
    let graphs = (
        YEAR,
        SEASON,
        ARMY_EDGES,
        ARMY_COMPONENTS,
        ARMY_DIAMETER,
        ARMY_CUT_VERTICES,
        FLEET_EDGES,
        FLEET_COMPONENTS,
        FLEET_DIAMETER,
        FLEET_CUT_VERTICES,
    );
    by_game(part, powers, graphs, |game, rows| {
        for r in winters(rows, |row| (row.0, row.1)) {
            let values: [u16; GRAPHS] = [r.2, r.3, r.4, r.5, r.6, r.7, r.8, r.9];
            take(game, r.0, FACES, &values);
        }
    })
}

/// For each game in files of the tables `topology` and `distances`, and for each year, passes on the distances between
/// the homes of powers after the year's Winter, in the order of [`HomeDistances::pairs`].
pub(crate) fn home_rows(
    in_topology: &impl Readable,
    in_distances: &impl Readable,
    powers: &PowerNames,
    mut take: impl FnMut(u32, u16, &[Option<f32>]),
) -> Result<(), ReadError> {
    // The turns of each game's Winters, with their years.
    let mut games: BTreeMap<u32, Vec<(u16, u16)>> = BTreeMap::new();
    by_game(in_topology, powers, (topology::YEAR, topology::SEASON, topology::TURN), |game, rows| {
        games.insert(game, winters(rows, |row| (row.0, row.1)).map(|row| (row.2, row.0)).collect());
    })?;
    let place: BTreeMap<[Power; 2], usize> = HomeDistances::pairs(powers.powers()).zip(0..).collect();
    let fields = (distances::TURN, distances::POWER, distances::OTHER, distances::DISTANCE);
    by_game(in_distances, powers, fields, |game, rows| {
        let mut now = vec![None; place.len()];
        let mut changes = rows.iter().peekable();
        for &(turn, year) in games.get(&game).into_iter().flatten() {
            // A distance is valid until the next row of its pair.
            while let Some(&(_, power, other, distance)) = changes.next_if(|change| change.0 <= turn) {
                if let Some(&pair) = place.get(&[power, other]) {
                    now[pair] = distance;
                }
            }
            take(game, year, &now);
        }
    })
}

/// The rows after the Winters of a game. The first may be of the year before its first: if a year has two, the later
/// counts.
fn winters<R>(rows: &[R], when: impl Fn(&R) -> (u16, Season)) -> impl Iterator<Item = &R> {
    let mut winters: Vec<(u16, &R)> = Vec::new();
    for row in rows {
        let (year, season) = when(row);
        match winters.last_mut() {
            _ if season != Season::Winter => {}
            Some(last) if last.0 == year => *last = (year, row),
            _ => winters.push((year, row)),
        }
    }
    winters.into_iter().map(|(_, row)| row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_winters_in_a_year_the_later_counts() {
        let rows = [
            (1900, Season::Winter, 'a'),
            (1900, Season::Winter, 'b'),
            (1901, Season::Spring, 'c'),
            (1901, Season::Winter, 'd'),
            (1902, Season::Fall, 'e'),
        ];
        let found: String = winters(&rows, |row| (row.0, row.1)).map(|row| row.2).collect();
        assert_eq!(found, "bd");
    }
}
