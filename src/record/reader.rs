//! Rows back from Parquet: those tables that are read again by the program itself, when a run goes on that was cut
//! short, or when standings are made of what is stored.
//!
//! A file of another schema version is refused by name: its columns may mean something else.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{ArrowPrimitiveType, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::errors::ParquetError;

use super::rows::{GameRow, SeatRow, TopologyRow};
use super::word::Word;
use super::{SCHEMA_VERSION, parquet::reason};
use crate::ids::{ByPower, Power};
use crate::rules::position::Phase;

/// Why a table cannot be read back.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be read, or is no Parquet file.
    #[error("cannot read `{}`: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The file is of another version.
    #[error(
        "`{}` has schema version {found}, and this program reads {SCHEMA_VERSION}: read it with the version \
         that wrote it, or play the experiment again",
        path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// The version it has, or a `?`.
        found: String,
    },
    /// The file lacks something.
    #[error("`{}` {what}: it is no table of this program, or is damaged", path.display())]
    Shape {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
}

/// The rows of a file of the table `games`.
pub fn games(path: &Path) -> Result<Vec<GameRow>, ReadError> {
    let mut rows = Vec::new();
    // The games of a run have a few line-ups: each is kept once.
    let mut line_ups: Vec<Arc<ByPower<Arc<str>>>> = Vec::new();
    read(path, |batch| {
        let columns = Columns { batch };
        let [game, block] = [columns.numbers::<UInt32Type>("game")?, columns.numbers::<UInt32Type>("block")?];
        let line_up = columns.numbers::<UInt16Type>("line_up")?;
        let rotation = columns.numbers::<UInt8Type>("rotation")?;
        let end = columns.words("end")?;
        let winner = columns.optional_words("winner")?;
        let draw_size = columns.numbers::<UInt8Type>("draw_size")?;
        let end_year = columns.numbers::<UInt16Type>("end_year")?;
        let end_season = columns.words("end_season")?;
        let end_phase = columns.words("end_phase")?;
        let years = columns.numbers::<UInt16Type>("years")?;
        let extant_centres = columns.numbers::<UInt16Type>("extant_centres")?;
        let centres_to_win = columns.numbers::<UInt16Type>("centres_to_win")?;
        let holes = columns.numbers::<UInt16Type>("holes")?;
        let voided = columns.numbers::<UInt8Type>("voided")?;
        let state_hash = columns.numbers::<UInt64Type>("state_hash")?;
        let mut seats: Vec<Vec<SeatRow>> = Vec::new();
        let mut bots: Vec<Vec<&str>> = Vec::new();
        for power in Power::ALL {
            let name = |suffix: &str| format!("{}_{suffix}", power.name().to_lowercase());
            bots.push(columns.texts(&name("bot"))?);
            let outcome = columns.words(&name("outcome"))?;
            let centres = columns.numbers::<UInt16Type>(&name("centres"))?;
            let units = columns.numbers::<UInt16Type>(&name("units"))?;
            let eliminated = columns.optional_numbers::<UInt16Type>(&name("eliminated_year"))?;
            let fault = columns.words(&name("fault"))?;
            let faults = columns.numbers::<UInt32Type>(&name("faults"))?;
            let seat = |i: usize| SeatRow {
                outcome: outcome[i],
                centres: centres[i],
                units: units[i],
                eliminated_year: eliminated[i],
                fault: fault[i],
                faults: faults[i],
            };
            seats.push((0..batch.num_rows()).map(seat).collect());
        }
        for i in 0..batch.num_rows() {
            let known = line_ups.iter().find(|names| names.iter().all(|(p, n)| **n == *bots[p.index()][i]));
            let names = known.cloned().unwrap_or_else(|| {
                let names = Arc::new(ByPower::from_fn(|p: Power| Arc::from(bots[p.index()][i])));
                line_ups.push(Arc::clone(&names));
                names
            });
            rows.push(GameRow {
                game: game[i],
                block: block[i],
                line_up: line_up[i],
                rotation: rotation[i],
                end: end[i],
                winner: winner[i],
                draw_size: draw_size[i],
                last_phase: Phase { year: end_year[i], season: end_season[i], kind: end_phase[i] },
                years: years[i],
                extant_centres: extant_centres[i],
                centres_to_win: centres_to_win[i],
                holes: holes[i],
                voided: voided[i],
                state_hash: state_hash[i],
                bots: names,
                seats: ByPower::from_fn(|p: Power| seats[p.index()][i].clone()),
            });
        }
        Ok(())
    })?;
    Ok(rows)
}

/// The rows of a file of the table `topology`.
pub fn topology(path: &Path) -> Result<Vec<TopologyRow>, ReadError> {
    let mut rows = Vec::new();
    read(path, |batch| {
        let columns = Columns { batch };
        let game = columns.numbers::<UInt32Type>("game")?;
        let season = columns.words("season")?;
        let number = |name: &str| columns.numbers::<UInt16Type>(name);
        let [turn, year, land, sea] = [number("turn")?, number("year")?, number("land")?, number("sea")?];
        let [holes, voids, borders] = [number("holes")?, number("voids")?, number("borders")?];
        let [corners, components, islands] = [number("corners")?, number("components")?, number("islands")?];
        let [extant_centres, army_edges] = [number("extant_centres")?, number("army_edges")?];
        let [fleet_edges, multi_coast] = [number("fleet_edges")?, number("multi_coast")?];
        let topology_hash = columns.numbers::<UInt64Type>("topology_hash")?;
        rows.extend((0..batch.num_rows()).map(|i| TopologyRow {
            game: game[i],
            turn: turn[i],
            year: year[i],
            season: season[i],
            land: land[i],
            sea: sea[i],
            holes: holes[i],
            voids: voids[i],
            borders: borders[i],
            corners: corners[i],
            components: components[i],
            islands: islands[i],
            extant_centres: extant_centres[i],
            army_edges: army_edges[i],
            fleet_edges: fleet_edges[i],
            multi_coast: multi_coast[i],
            topology_hash: topology_hash[i],
        }));
        Ok(())
    })?;
    Ok(rows)
}

/// Gives a file's rows, some at a time.
fn read(path: &Path, mut take: impl FnMut(&RecordBatch) -> Result<(), String>) -> Result<(), ReadError> {
    let io = |source| ReadError::Io { path: path.to_owned(), source };
    let failed = |error: ParquetError| io(reason(error));
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path).map_err(io)?).map_err(failed)?;
    let metadata = builder.metadata().file_metadata().key_value_metadata();
    let version = metadata.and_then(|all| all.iter().find(|kv| kv.key == "upheaval.schema_version"));
    let found = version.and_then(|kv| kv.value.clone()).unwrap_or("?".to_owned());
    if found != SCHEMA_VERSION.to_string() {
        return Err(ReadError::Version { path: path.to_owned(), found });
    }
    for batch in builder.build().map_err(failed)? {
        let batch = batch.map_err(|error| failed(error.into()))?;
        take(&batch).map_err(|what| ReadError::Shape { path: path.to_owned(), what })?;
    }
    Ok(())
}

/// The columns of some rows, by name. Errors say what is wrong with the file.
struct Columns<'a> {
    batch: &'a RecordBatch,
}

impl<'a> Columns<'a> {
    fn column(&self, name: &str) -> Result<&'a dyn Array, String> {
        self.batch.column_by_name(name).map(AsRef::as_ref).ok_or_else(|| format!("has no column `{name}`"))
    }

    fn optional_numbers<T: ArrowPrimitiveType>(&self, name: &str) -> Result<Vec<Option<T::Native>>, String> {
        let array = self.column(name)?.as_primitive_opt::<T>();
        array.map(|array| array.iter().collect()).ok_or_else(|| format!("has other numbers in `{name}`"))
    }

    fn numbers<T: ArrowPrimitiveType>(&self, name: &str) -> Result<Vec<T::Native>, String> {
        all(name, self.optional_numbers::<T>(name)?)
    }

    fn optional_texts(&self, name: &str) -> Result<Vec<Option<&'a str>>, String> {
        let array = self.column(name)?.as_string_opt::<i32>();
        array.map(|array| array.iter().collect()).ok_or_else(|| format!("has no texts in `{name}`"))
    }

    fn texts(&self, name: &str) -> Result<Vec<&'a str>, String> {
        all(name, self.optional_texts(name)?)
    }

    fn optional_words<W: Word>(&self, name: &str) -> Result<Vec<Option<W>>, String> {
        let word = |text: &str| {
            let found = W::ALL.iter().copied().find(|word| word.text() == text);
            found.ok_or_else(|| format!("has an unknown word in `{name}`, {text}"))
        };
        self.optional_texts(name)?.into_iter().map(|text| text.map(word).transpose()).collect()
    }

    fn words<W: Word>(&self, name: &str) -> Result<Vec<W>, String> {
        all(name, self.optional_words(name)?)
    }
}

/// All values, of which none may be missing.
fn all<T>(name: &str, values: Vec<Option<T>>) -> Result<Vec<T>, String> {
    values.into_iter().collect::<Option<_>>().ok_or_else(|| format!("lacks a value in `{name}`"))
}

#[cfg(test)]
mod tests {
    use super::super::column::Row;
    use super::super::parquet::{RunMeta, TableWriter};
    use super::super::rows::GameRecord;
    use super::*;
    use crate::sim::mock;

    fn write<R: Row>(path: &Path, games: &[GameRecord]) {
        let meta = RunMeta { name: "x".into(), hash: "ab".into(), seed: 7 };
        let mut writer = TableWriter::<R, File>::new(File::create(path).unwrap(), &meta, "standard").unwrap();
        games.chunks(150).for_each(|games| writer.write(games).unwrap());
        writer.finish().unwrap();
    }

    #[test]
    fn what_was_written_is_read_back() {
        let (dir, written) = (tempfile::tempdir().unwrap(), (0..400).map(mock::game).collect::<Vec<_>>());
        let path = dir.path().join("part");
        write::<GameRow>(&path, &written);
        let read = games(&path).unwrap();
        assert!(read.iter().eq(written.iter().map(|record| &record.game)));
        assert!(Arc::ptr_eq(&read[0].bots, &read[399].bots), "one line-up is kept once");
        write::<TopologyRow>(&path, &written);
        assert!(topology(&path).unwrap().iter().eq(written.iter().flat_map(|record| &record.topology)));
    }

    #[test]
    fn what_is_no_such_table_is_refused_with_its_name() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("part");
        let refusal = || games(&path).unwrap_err().to_string();
        assert!(refusal().starts_with("cannot read `") && refusal().contains("part`: "), "{}", refusal());
        std::fs::write(&path, "no table").unwrap();
        assert!(refusal().starts_with("cannot read `"), "{}", refusal());
        write::<TopologyRow>(&path, &[mock::game(0)]);
        assert!(refusal().contains("has no column `block`"), "{}", refusal());
        write::<GameRow>(&path, &[mock::game(0)]);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        assert!(refusal().starts_with("cannot read `"), "{}", refusal());
    }
}
