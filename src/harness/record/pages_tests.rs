//! Pages as a reader of Parquet sees them.

use std::sync::Arc;

use arrow_array::types::UInt32Type;
use arrow_array::{Array, cast::AsArray};
use bytes::Bytes;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use upheaval_pages::{MOST_ENTRIES, Number, Numbers, Width, numbers};

/// The values that a reader finds in a column that was written in pieces.
fn read_back<N: Number>(column: &str, words: Option<&[&'static str]>, values: &[N]) -> Arc<dyn Array> {
    let schema = Arc::new(parse_message_type(&format!("message x {{ {column}; }}")).unwrap());
    let mut file = SerializedFileWriter::new(Vec::new(), schema, Default::default()).unwrap();
    let pieces: Vec<Vec<N>> = values.chunks(11).map(<[N]>::to_vec).collect();
    let pieces: Vec<&dyn Numbers> = pieces.iter().map(|piece| piece as &dyn Numbers).collect();
    let column = file.schema_descr().column(0);
    let chunk = match words {
        Some(list) => upheaval_pages::words(column, list, &pieces),
        None => numbers(column, &pieces, Width::OfBits),
    };
    let chunk = chunk.unwrap();
    let mut group = file.next_row_group().unwrap();
    group.append_column(&chunk.bytes, chunk.close).unwrap();
    group.close().unwrap();
    let bytes = Bytes::from(file.into_inner().unwrap());
    let mut batches = ParquetRecordBatchReaderBuilder::try_new(bytes).unwrap().build().unwrap();
    batches.next().unwrap().unwrap().column(0).clone()
}

#[test]
fn numbers_come_back_whatever_their_width_and_count() {
    for widest in [0, 1, 2, 5, 100, MOST_ENTRIES - 1, MOST_ENTRIES, u32::MAX - 7] {
        for count in [1, 7, 8, 9, 63, 300] {
            let some: Vec<u32> =
                (0..count).map(|i| 7 + (i * 37 + i / 3) % count * (widest / count)).collect();
            let back = read_back("required int32 n (INTEGER(32, false))", None, &some);
            assert_eq!(back.as_primitive::<UInt32Type>().values(), some.as_slice(), "{widest} {count}");
        }
    }
}

#[test]
fn what_is_missing_stays_missing() {
    let words = ["spring", "fall", "winter"];
    for missing in 1..5 {
        let some: Vec<Option<u8>> = (0..100).map(|i: u8| (i % 4 >= missing).then_some(i % 3)).collect();
        let back = read_back("optional binary n (STRING)", Some(&words), &some);
        let expected: Vec<_> = some.iter().map(|place| place.map(|i| words[usize::from(i)])).collect();
        assert_eq!(back.as_string::<i32>().iter().collect::<Vec<_>>(), expected);
        let back = read_back("optional int32 n (INTEGER(32, false))", None, &some);
        let expected: Vec<_> = some.iter().map(|n| n.map(u32::from)).collect();
        assert_eq!(back.as_primitive::<UInt32Type>().iter().collect::<Vec<_>>(), expected);
    }
}
