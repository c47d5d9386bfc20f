//! Decodes rows from Parquet, for uses within the program: interrupted runs that are resumed, standings, and analyses
//! of stored runs.
//!
//! [`games()`] and [`topology()`] return a whole file. [`by_game`] goes through a file of `turns`, `events` or
//! `topology` game by game: no more than one game and one batch of rows is in memory, and only the columns asked for
//! are decoded.
//!
//! A file with another schema version is refused with its version: its columns may have another meaning.

use std::sync::Arc;

use upheaval_engine::rules::position::Phase;
use upheaval_map::ids::PowerNames;
use upheaval_map::topology::{GraphMetrics, Metrics};

use super::regular::Readable;
use super::rows::{EventRow, GameRow, LeadHistory, OrderRow, SeatRow, SeatRows, TopologyRow};

use self::columns::read;
pub use self::columns::{Columns, Field, Fields, ReadError, Value};
pub use super::schema::{distances, events, games, orders, seats, turns};

pub(crate) use super::reader::columns::refuse_other_version;

pub(super) mod columns;

/// The columns of the table `topology`.
pub mod topology {
    pub use crate::record::schema::metrics::*;
    pub use crate::record::schema::topology::*;
}

/// Rows of a type: the columns of these names fill its fields of the same names, and the others are made of their
/// place in the columns.
macro_rules! rows {
    ($columns:ident, |$i:ident| $row:ident { $($field:ident),* $(; $($other:ident: $value:expr),*)? }) => {{
        $(let $field = $columns.get(stringify!($field))?;)*
        let mut rows = Vec::with_capacity($columns.rows());
        for $i in 0..$columns.rows() {
            rows.push($row { $($field: Clone::clone(&$field[$i]),)* $($($other: $value),*)? });
        }
        rows
    }};
}

/// The rows of a part of the tables `games` and `seats`, on a board with these powers.
pub fn games(
    games: &(impl Readable + ?Sized),
    seats: &(impl Readable + ?Sized),
    powers: &PowerNames,
) -> Result<Vec<GameRow>, ReadError> {
    let mut of_games = self::seats(seats, powers)?.into_iter();
    let mut all = Vec::new();
    read(games, None, powers, |columns| {
        let (numbers, end_year) = (columns.get::<u32>("game")?, columns.get("end_year")?);
        let (end_season, end_phase) = (columns.get("end_season")?, columns.get("end_phase")?);
        let (lead_changes, decided) = (columns.get("lead_changes")?, columns.get("decided")?);
        let (closeness, drama) = (columns.get("closeness")?, columns.get("drama")?);
        let mut next = |game: u32| {
            let seats = of_games.next().filter(|seats| seats.rows().iter().all(|seat| seat.game == game));
            seats.ok_or_else(|| format!("has game {game}, which the table `seats` lacks"))
        };
        all.extend(rows!(columns, |i| GameRow {
            game, block, line_up, rotation, end, winner, draw_size, years, board_centres, extant_centres,
            centres_to_win, holes, voided, state_hash;
            last_phase: Phase { year: end_year[i], season: end_season[i], kind: end_phase[i] },
            course: LeadHistory {
                lead_changes: lead_changes[i],
                decided: decided[i],
                closeness: thousandths(closeness[i]),
                drama: thousandths(drama[i]),
            },
            seats: next(numbers[i])?
        }));
        Ok(())
    })?;
    match of_games.next().and_then(|seats| seats.rows().first().map(|seat| seat.game)) {
        None => Ok(all),
        Some(game) => {
            let what = format!("has seats of game {game}, which the table `games` lacks");
            Err(ReadError::Shape { path: seats.place(), what })
        }
    }
}

/// A share in the unit of rows.
fn thousandths(share: Option<f32>) -> Option<u16> {
    share.map(|share| (f64::from(share) * 1000.0).round() as u16)
}

/// The seats of each game in a file of the table `seats`.
fn seats(file: &(impl Readable + ?Sized), powers: &PowerNames) -> Result<Vec<SeatRows>, ReadError> {
    let mut games = Vec::new();
    let seats_of_game = powers.powers();
    let mut begun: Vec<SeatRow> = Vec::with_capacity(seats_of_game.len());
    let unequal = |game: u32| format!("does not have one seat for each power in game {game}");
    read(file, None, powers, |columns| {
        for seat in rows!(columns, |i| SeatRow {
            game,
            power,
            bot,
            outcome,
            place,
            centres,
            units,
            eliminated_year,
            fault,
            faults
        }) {
            let game = seat.game;
            begun.push(seat);
            if begun.len() == seats_of_game.len() {
                let rows = std::mem::replace(&mut begun, Vec::with_capacity(seats_of_game.len()));
                games.push(SeatRows::of_rows(seats_of_game, rows).ok_or_else(|| unequal(game))?);
            }
        }
        Ok(())
    })?;
    match begun.first() {
        None => Ok(games),
        Some(seat) => Err(ReadError::Shape { path: file.place(), what: unequal(seat.game) }),
    }
}

/// The rows of a file of the table `topology`. Consecutive rows with the same map share it.
pub fn topology(file: &(impl Readable + ?Sized)) -> Result<Vec<TopologyRow>, ReadError> {
    let mut all: Vec<TopologyRow> = Vec::new();
    read(file, None, &PowerNames::standard(), |columns| {
        let (army, fleet) = (graphs(columns, "army")?, graphs(columns, "fleet")?);
        // Mean degrees follow from the other columns.
        let maps = rows!(columns, |i| Metrics {
            land, sea, impassable, outside, holes, voids, borders, corners, components, islands, coasts, multi_coast;
            army: army[i],
            fleet: fleet[i]
        });
        let mut last = all.last().map(|row| Arc::clone(&row.map));
        let shared = |map: Metrics| match &last {
            Some(last) if **last == map => Arc::clone(last),
            _ => Arc::clone(last.insert(Arc::new(map))),
        };
        let maps: Vec<Arc<Metrics>> = maps.into_iter().map(shared).collect();
        all.extend(rows!(columns, |i| TopologyRow {
            game, turn, year, season, extant_centres, owned_centres, topology_hash;
            map: Arc::clone(&maps[i])
        }));
        Ok(())
    })?;
    Ok(all)
}

/// The rows of a file of the table `orders`, on a board with these powers.
pub(crate) fn orders(
    file: &(impl Readable + ?Sized),
    powers: &PowerNames,
) -> Result<Vec<OrderRow>, ReadError> {
    let mut all = Vec::new();
    read(file, None, powers, |columns| {
        let phases = phases(columns)?;
        all.extend(
            rows!(columns, |i| OrderRow { game, power, unit, order, result, reason; phase: phases[i] }),
        );
        Ok(())
    })?;
    Ok(all)
}

/// The rows of a file of the table `events`, on a board with these powers.
pub(crate) fn events(
    file: &(impl Readable + ?Sized),
    powers: &PowerNames,
) -> Result<Vec<EventRow>, ReadError> {
    let mut all = Vec::new();
    read(file, None, powers, |columns| {
        let phases = phases(columns)?;
        all.extend(rows!(columns, |i| EventRow {
            game, sequence, kind, province, power, other, unit, detail;
            phase: phases[i]
        }));
        Ok(())
    })?;
    Ok(all)
}

/// The phases of orders or events.
fn phases(columns: &Columns<'_>) -> Result<Vec<Phase>, String> {
    let (year, season, kind) = (columns.get("year")?, columns.get("season")?, columns.get("phase")?);
    Ok((0..columns.rows()).map(|i| Phase { year: year[i], season: season[i], kind: kind[i] }).collect())
}

/// The measures of a kind of graph.
fn graphs(columns: &Columns<'_>, kind: &str) -> Result<Vec<GraphMetrics>, String> {
    let number = |suffix: &str| columns.get::<u16>(&format!("{kind}_{suffix}"));
    let [edges, components] = [number("edges")?, number("components")?];
    let [diameter, cut_vertices] = [number("diameter")?, number("cut_vertices")?];
    let graph = |i: usize| GraphMetrics {
        edges: edges[i],
        components: components[i],
        diameter: diameter[i],
        cut_vertices: cut_vertices[i],
    };
    Ok((0..columns.rows()).map(graph).collect())
}

/// Returns the rows of each game in a file, with the game's number, in the order of games. Games without rows in the
/// table are left out. `powers` are those of the run's boards.
pub fn by_game<F: Fields>(
    file: &(impl Readable + ?Sized),
    powers: &PowerNames,
    fields: F,
    mut take: impl FnMut(u32, &[F::Row]),
) -> Result<(), ReadError> {
    let mut names = fields.names();
    names.push("game");
    // The rows of the current game from earlier batches.
    let mut begun: Option<u32> = None;
    let mut rows: Vec<F::Row> = Vec::new();
    read(file, Some(&names), powers, |columns| {
        let games = columns.get::<u32>("game")?;
        let mut new = fields.rows(columns)?.into_iter();
        for own in games.chunk_by(|a, b| a == b) {
            if let Some(before) = begun.filter(|&before| before != own[0]) {
                take(before, &rows);
                rows.clear();
            }
            begun = Some(own[0]);
            rows.extend(new.by_ref().take(own.len()));
        }
        Ok(())
    })?;
    if let Some(last) = begun {
        take(last, &rows);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::path::Path;

    use super::*;
    use crate::record::column::TableRow;
    use crate::record::parquet::tests::encoded;
    use crate::record::rows::{DistanceRow, GameRows, MapRow, TurnRow};
    use crate::record::schema;
    use crate::sim::mock;

    fn write<R: TableRow>(path: &Path, games: &[GameRows]) {
        std::fs::write(path, encoded::<R>(games, 150).bytes).unwrap();
    }

    /// What a file lacks.
    fn shape(error: ReadError) -> String {
        match error {
            ReadError::Shape { what, .. } => what,
            other => other.to_string(),
        }
    }

    #[test]
    fn what_was_written_is_read_back() {
        let (dir, written) = (tempfile::tempdir().unwrap(), (0..160).map(mock::game).collect::<Vec<_>>());
        let path = dir.path().join("part");
        let seats = dir.path().join("seats");
        write::<GameRow>(&path, &written);
        write::<SeatRow>(&seats, &written);
        let read = games(&*path, &*seats, &PowerNames::standard()).unwrap();
        assert!(read.iter().eq(written.iter().map(|record| &record.game)));
        let bot = |game: usize| &read[game].seats.rows()[0].bot;
        assert!(Arc::ptr_eq(bot(0), bot(159)), "the name of a bot is kept once");
        write::<SeatRow>(&seats, &written[1..]);
        let error = games(&*path, &*seats, &PowerNames::standard()).unwrap_err();
        assert_eq!(shape(error), "has game 0, which the table `seats` lacks");
        write::<SeatRow>(&seats, &written);
        write::<GameRow>(&path, &written[..159]);
        let error = games(&*path, &*seats, &PowerNames::standard()).unwrap_err();
        assert_eq!(shape(error), "has seats of game 159, which the table `games` lacks");
        write::<TopologyRow>(&path, &written);
        assert!(topology(&*path).unwrap().iter().eq(written.iter().flat_map(|record| &record.topology)));
    }

    #[test]
    fn every_column_can_be_read_as_the_type_of_its_field() {
        let (dir, written) = (tempfile::tempdir().unwrap(), (0..40).map(mock::game).collect::<Vec<_>>());
        fn check<R: TableRow>(path: &Path, games: &[GameRows], all: fn(&Columns<'_>) -> Result<(), String>) {
            write::<R>(path, games);
            let mut batches = 0;
            read(path, None, &PowerNames::standard(), |columns| {
                batches += 1;
                all(columns)
            })
            .unwrap();
            assert!(batches > 0, "{} has no rows", R::TABLE);
        }
        let path = dir.path().join("part");
        check::<GameRow>(&path, &written, schema::games::read_all);
        check::<SeatRow>(&path, &written, schema::seats::read_all);
        check::<TurnRow>(&path, &written, schema::turns::read_all);
        check::<TopologyRow>(&path, &written, schema::topology::read_all);
        check::<TopologyRow>(&path, &written, schema::metrics::read_all);
        check::<DistanceRow>(&path, &written, schema::distances::read_all);
        check::<EventRow>(&path, &written, schema::events::read_all);
        check::<OrderRow>(&path, &written, schema::orders::read_all);
        check::<MapRow>(&path, &written, schema::maps::read_all);
    }

    #[test]
    fn games_come_one_by_one_however_their_rows_lie_in_the_file() {
        let (dir, mut written) = (tempfile::tempdir().unwrap(), (0..160).map(mock::game).collect::<Vec<_>>());
        written[7].events.clear();
        let path = dir.path().join("part");
        write::<TurnRow>(&path, &written);
        let (mut read, powers) = (Vec::new(), PowerNames::standard());
        let fields = (turns::YEAR, turns::SEASON, turns::POWER, turns::CENTRES);
        by_game(&*path, &powers, fields, |game, rows| read.push((game, rows.to_vec()))).unwrap();
        let turn = |r: &TurnRow| (r.year, r.season, r.power, r.counts.centres);
        let own = |of: &GameRows| (of.game.game, of.turns.iter().map(turn).collect::<Vec<_>>());
        assert!(read.into_iter().eq(written.iter().map(own)));
        write::<EventRow>(&path, &written);
        let mut read = Vec::new();
        let fields =
            (events::YEAR, events::KIND, events::PROVINCE, events::POWER, events::UNIT, events::OTHER);
        by_game(&*path, &powers, fields, |game, rows| read.push((game, rows.to_vec()))).unwrap();
        let event = |r: &EventRow| (r.phase.year, r.kind, r.province.clone(), r.power, r.unit, r.other);
        let own = |of: &GameRows| (of.game.game, of.events.iter().map(event).collect::<Vec<_>>());
        assert!(read.into_iter().eq(written.iter().map(own).filter(|(_, rows)| !rows.is_empty())));
    }

    #[test]
    fn columns_that_nobody_wants_are_not_decoded() {
        let (dir, written) = (tempfile::tempdir().unwrap(), (0..40).map(mock::game).collect::<Vec<_>>());
        let path = dir.path().join("part");
        write::<TurnRow>(&path, &written);
        // The pages of one column are corrupted.
        let mut bytes = std::fs::read(&path).unwrap();
        let file = File::open(&path).unwrap();
        let metadata = parquet::file::metadata::ParquetMetaDataReader::new().parse_and_finish(&file).unwrap();
        let columns = metadata.row_group(0).columns();
        let lost = columns.iter().find(|c| c.column_path().string() == "lost").expect("a column");
        let (begin, length) = lost.byte_range();
        bytes[begin as usize..(begin + length) as usize].fill(0xff);
        std::fs::write(&path, bytes).unwrap();
        let mut centres = 0;
        by_game(&*path, &PowerNames::standard(), (turns::CENTRES,), |_, rows| centres += rows.len()).unwrap();
        assert_eq!(centres, written.iter().map(|record| record.turns.len()).sum::<usize>());
        by_game(&*path, &PowerNames::standard(), (turns::LOST,), |_, _| ())
            .expect_err("that column is spoilt");
    }

    #[test]
    fn what_is_no_such_table_is_refused_with_its_name() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("part");
        let seats = dir.path().join("seats");
        write::<SeatRow>(&seats, &[mock::game(0)]);
        let refusal = || games(&*path, &*seats, &PowerNames::standard()).unwrap_err();
        let is_io = || matches!(refusal(), ReadError::Io { path: of, .. } if of == path);
        assert!(is_io(), "{}", refusal());
        std::fs::write(&path, "no table").unwrap();
        assert!(is_io(), "{}", refusal());
        write::<TopologyRow>(&path, &[mock::game(0)]);
        assert_eq!(shape(refusal()), "has no column `end_year`");
        let other = by_game(&*path, &PowerNames::standard(), (turns::TURN, turns::CENTRES), |_, _| ());
        assert_eq!(shape(other.unwrap_err()), "has no column `centres`");
        write::<GameRow>(&path, &[mock::game(0)]);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        assert!(is_io(), "{}", refusal());
    }
}
