//! The form of a file of weights: the file that ships, in which only the numbers of the network may differ.
//!
//! A file may come from a stranger, and the reader of ONNX trusts what it reads: a varint without an end makes it read
//! forever, a length moves it back to a place that it has read, messages within messages use up its stack, and a few
//! nodes compute tensors of any size while it reads. Therefore it only sees bytes that have been compared with those of
//! the file that ships. All varints, lengths, names and nodes are the same, and the numbers have the same places:
//!
//! ```text
//!  ModelProto ─7▶ GraphProto ─5▶ TensorProto (initialiser) ─┬ 2: its type
//!                                                           └ 9: its numbers, which may differ if they are floats
//! ```

use std::iter::once;
use std::ops::Range;
use std::sync::LazyLock;

use crate::WEIGHTS;

/// Fields of the messages on the way to the numbers.
const GRAPH: u64 = 7;
const INITIALISER: u64 = 5;
const DATA_TYPE: u64 = 2;
const RAW_DATA: u64 = 9;

/// The type of floats of 32 bits.
const FLOAT: u64 = 1;

/// The places of the numbers in the file that ships, in order.
static NUMBERS: LazyLock<Vec<Range<usize>>> = LazyLock::new(|| {
    let graphs = Message(0..WEIGHTS.len()).messages(GRAPH);
    let tensors = graphs.flat_map(|graph| graph.messages(INITIALISER));
    let floats = tensors.filter(|tensor| tensor.whole(DATA_TYPE) == Some(FLOAT));
    floats.flat_map(|tensor| tensor.messages(RAW_DATA)).map(|Message(numbers)| numbers).collect()
});

/// Does a file have the form of the file that ships, with finite numbers?
///
/// # Errors
/// It does not; the error says in what it differs.
pub fn check(bytes: &[u8]) -> Result<(), String> {
    const WRITER: &str = "`bots/learned/export.py` writes the files that this program reads";
    if bytes.len() != WEIGHTS.len() {
        let (found, right) = (bytes.len(), WEIGHTS.len());
        return Err(format!("expected {right} bytes, as in the shipped network, found {found}; {WRITER}"));
    }
    let mut from = 0;
    for numbers in NUMBERS.iter().cloned().chain(once(bytes.len()..bytes.len())) {
        let between = from..numbers.start;
        if let Some(at) = between.clone().find(|&at| bytes[at] != WEIGHTS[at]) {
            return Err(format!(
                "byte {at} differs from the shipped network, and only its numbers may differ; {WRITER}"
            ));
        }
        let floats = bytes[numbers.clone()].as_chunks::<4>().0;
        if let Some(at) = floats.iter().position(|float| !f32::from_le_bytes(*float).is_finite()) {
            return Err(format!("the number at byte {} is not finite", numbers.start + 4 * at));
        }
        from = numbers.end;
    }
    Ok(())
}

/// A message of Protocol Buffers in the file that ships, by its place.
struct Message(Range<usize>);

/// The value of a field.
enum Field {
    Whole(u64),
    /// A message, a text or packed numbers.
    Bytes(Range<usize>),
    /// A number of 4 or 8 bytes.
    Fixed,
}

impl Message {
    /// The fields of a message with their numbers. A test compares them with the whole file.
    fn fields(&self) -> impl Iterator<Item = (u64, Field)> + use<> {
        let Message(Range { start: mut at, end }) = *self;
        std::iter::from_fn(move || {
            let tag = (at < end).then(|| varint(&mut at)).flatten()?;
            let field = match tag & 7 {
                0 => Field::Whole(varint(&mut at)?),
                2 => {
                    let length = usize::try_from(varint(&mut at)?).ok()?;
                    let place = at..at.checked_add(length).filter(|to| *to <= end)?;
                    at = place.end;
                    Field::Bytes(place)
                }
                fixed @ (1 | 5) => {
                    at += if fixed == 1 { 8 } else { 4 };
                    Field::Fixed
                }
                _ => return None,
            };
            Some((tag >> 3, field))
        })
    }

    /// Its fields of a number that have bytes.
    fn messages(&self, number: u64) -> impl Iterator<Item = Message> + use<> {
        self.fields().filter_map(move |field| match field {
            (found, Field::Bytes(place)) if found == number => Some(Message(place)),
            _ => None,
        })
    }

    /// Its first field of a number that is a whole number.
    fn whole(&self, number: u64) -> Option<u64> {
        self.fields().find_map(|field| match field {
            (found, Field::Whole(value)) if found == number => Some(value),
            _ => None,
        })
    }
}

/// The varint at a place in the file that ships, which then lies behind it.
fn varint(at: &mut usize) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = *WEIGHTS.get(*at)?;
        *at += 1;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}
