//! Encoding of rows into a Parquet file: the project's own pages compared with arrow's writer with dictionary arrays.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow_array::cast::AsArray;
use arrow_array::types::UInt16Type;
use arrow_array::{ArrayRef, DictionaryArray, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use arrow_select::concat::concat_batches;
use criterion::Criterion;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterVersion};
use upheaval::ids::PowerNames;
use upheaval::record::column::TableRow;
use upheaval::record::parquet::{RunMeta, TableWriter, read};
use upheaval::record::{DistanceRow, EventRow, GameRows, SeatRow, TableFrame, TopologyRow, TurnRow};
use upheaval::sim::Play;

use super::findings::{Findings, paired};
use super::runs::experiment;

/// The number of games of a part file.
const GAMES: u32 = 512;

/// Encodes the games of a part file of `black-hole`, whose tables are the largest.
pub fn bench(c: &mut Criterion, findings: &mut Findings) {
    let experiment = experiment("black-hole", "random", GAMES);
    let player = experiment.player();
    let games: Vec<GameRows> = {
        let schedule = experiment.schedule();
        (0..GAMES).map(|game| player.play(&schedule.game(0, game))).collect()
    };
    let mut group = c.benchmark_group("encoding");
    group.sample_size(10);
    let mut bytes = Vec::new();
    let mut table = |name: &str, own: fn(&[GameRows]) -> Vec<u8>| {
        let ours = own(&games);
        let batch = with_dictionaries(&ours);
        bytes.push(format!("{name} {} and {}", ours.len(), by_arrow(&batch).len()));
        paired(
            &mut group,
            findings,
            "encoding",
            name,
            || timed(|| own(&games)),
            || timed(|| by_arrow(&batch)),
        );
    };
    table("turns", by_pages::<TurnRow>);
    table("seats", by_pages::<SeatRow>);
    table("topology", by_pages::<TopologyRow>);
    table("distances", by_pages::<DistanceRow>);
    table("events", by_pages::<EventRow>);
    group.finish();
    findings.note(format!(
        "Encoding: {GAMES} random games of `black-hole`; bytes by the project's pages and by arrow's writer: {}.",
        bytes.join(", ")
    ));
}

fn timed(encode: impl Fn() -> Vec<u8>) -> Duration {
    let begun = Instant::now();
    std::hint::black_box(encode());
    begun.elapsed()
}

/// The file as a run writes it: from the rows.
fn by_pages<R: TableRow>(games: &[GameRows]) -> Vec<u8> {
    let meta = RunMeta { name: String::new(), hash: String::new(), seed: 0 };
    let frame = TableFrame::new(PowerNames::standard());
    let mut writer = TableWriter::new::<R>(&meta, "black-hole", &frame).expect("a sound schema");
    writer.write(games).expect("memory suffices");
    writer.finish().expect("memory suffices").bytes
}

/// The file by arrow's writer: from prepared arrays, each text in its dictionary.
fn by_arrow(batch: &RecordBatch) -> Vec<u8> {
    let properties = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1).expect("a level")))
        .build();
    let mut writer =
        ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).expect("a sound schema");
    writer.write(batch).expect("memory suffices");
    writer.into_inner().expect("memory suffices")
}

/// The rows of a file, each column of texts as a dictionary array.
fn with_dictionaries(file: &[u8]) -> RecordBatch {
    let mut on_disk = tempfile::NamedTempFile::new().expect("a temporary file");
    std::io::Write::write_all(&mut on_disk, file).expect("the disk has room");
    let (batches, _) = read(on_disk.path()).expect("a sound file");
    let rows = concat_batches(&batches[0].schema(), &batches).expect("one schema");
    let columns = rows.columns().iter().map(|column| -> ArrayRef {
        match column.data_type() {
            DataType::Utf8 => {
                Arc::new(column.as_string::<i32>().iter().collect::<DictionaryArray<UInt16Type>>())
            }
            _ => column.clone(),
        }
    });
    let columns: Vec<_> = columns.collect();
    let plain = rows.schema();
    let fields = plain
        .fields()
        .iter()
        .zip(&columns)
        .map(|(field, column)| Field::new(field.name(), column.data_type().clone(), field.is_nullable()));
    let schema = Schema::new(fields.collect::<Vec<_>>());
    RecordBatch::try_new(schema.into(), columns).expect("as many rows in each")
}
