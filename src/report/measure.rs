//! What is told of the map from year to year.

use upheaval_engine::rules::position::Season;
use upheaval_harness::record::reader::{ReadError, by_game, topology};
use upheaval_harness::record::regular::Readable;

/// One number of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// What it counts.
    pub name: &'static str,
    /// In what.
    pub unit: &'static str,
}

const fn measure(name: &'static str, unit: &'static str) -> Measure {
    Measure { name, unit }
}

/// The measures, in the order of the figures: those of faces, then those of the two graphs.
pub const MEASURES: [Measure; FACES + GRAPHS] = [
    measure("Extant centres", "supply centres"),
    measure("Neutral centres", "extant supply centres nobody owns"),
    measure("Land", "provinces"),
    measure("Sea", "provinces"),
    measure("Holes", "provinces that collapsed"),
    measure("Voids", "provinces"),
    measure("Islands", "parts no unit moves between by itself"),
    measure("Coasts", "coasts of land provinces"),
    measure("Several coasts", "provinces with more than one coast"),
    measure("Borders", "borders of the underlying map"),
    measure("Army graph", "edges: pairs an army walks between"),
    measure("Pieces of the army graph", "pieces"),
    measure("Army diameter", "steps of the longest way"),
    measure("Army cut vertices", "provinces whose loss parts the graph"),
    measure("Fleet graph", "edges: pairs a fleet sails between"),
    measure("Pieces of the fleet graph", "pieces"),
    measure("Fleet diameter", "steps of the longest way"),
    measure("Fleet cut vertices", "places whose loss parts the graph"),
];

/// Those that are read with the faces, and those of the graphs.
const FACES: usize = 10;
const GRAPHS: usize = 8;

/// Gives of each game in a file of the table `topology`, and of each year, measures after the year's Winter: the place of
/// the first, and their values.
pub fn map_rows(
    part: &impl Readable,
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
    by_game(part, faces, |game, rows| {
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
    by_game(part, graphs, |game, rows| {
        for r in winters(rows, |row| (row.0, row.1)) {
            let values: [u16; GRAPHS] = [r.2, r.3, r.4, r.5, r.6, r.7, r.8, r.9];
            take(game, r.0, FACES, &values);
        }
    })
}

/// How many distances are read at once.
const AT_ONCE: usize = 7;

/// Gives of each game in a file of the table `topology`, and of each year, distances between the homes of powers after the
/// year's Winter: the place of the first in [`HomeDistances::pairs`](upheaval_map::topology::HomeDistances::pairs), and their values.
pub fn home_rows(
    part: &impl Readable,
    mut take: impl FnMut(u32, u16, usize, &[Option<f32>; AT_ONCE]),
) -> Result<(), ReadError> {
    use topology::*;
    let fields = (
        YEAR,
        SEASON,
        DISTANCE_AUSTRIA_ENGLAND,
        DISTANCE_AUSTRIA_FRANCE,
        DISTANCE_AUSTRIA_GERMANY,
        DISTANCE_AUSTRIA_ITALY,
        DISTANCE_AUSTRIA_RUSSIA,
        DISTANCE_AUSTRIA_TURKEY,
        DISTANCE_ENGLAND_FRANCE,
    );
    by_game(part, fields, |game, rows| {
        for r in winters(rows, |row| (row.0, row.1)) {
            take(game, r.0, 0, &[r.2, r.3, r.4, r.5, r.6, r.7, r.8]);
        }
    })?;
    let fields = (
        YEAR,
        SEASON,
        DISTANCE_ENGLAND_GERMANY,
        DISTANCE_ENGLAND_ITALY,
        DISTANCE_ENGLAND_RUSSIA,
        DISTANCE_ENGLAND_TURKEY,
        DISTANCE_FRANCE_GERMANY,
        DISTANCE_FRANCE_ITALY,
        DISTANCE_FRANCE_RUSSIA,
    );
    by_game(part, fields, |game, rows| {
        for r in winters(rows, |row| (row.0, row.1)) {
            take(game, r.0, AT_ONCE, &[r.2, r.3, r.4, r.5, r.6, r.7, r.8]);
        }
    })?;
    let fields = (
        YEAR,
        SEASON,
        DISTANCE_FRANCE_TURKEY,
        DISTANCE_GERMANY_ITALY,
        DISTANCE_GERMANY_RUSSIA,
        DISTANCE_GERMANY_TURKEY,
        DISTANCE_ITALY_RUSSIA,
        DISTANCE_ITALY_TURKEY,
        DISTANCE_RUSSIA_TURKEY,
    );
    by_game(part, fields, |game, rows| {
        for r in winters(rows, |row| (row.0, row.1)) {
            take(game, r.0, 2 * AT_ONCE, &[r.2, r.3, r.4, r.5, r.6, r.7, r.8]);
        }
    })
}

/// The rows after the Winters of a game. It may start with one of the year before its first: of two in a year the later
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
