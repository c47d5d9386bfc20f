//! Shards: pieces of a run that can be played on different machines.
//!
//! Shard *i* of *n* plays every *n*-th chunk of the schedule, from the *i*-th on. Each shard therefore has its share of
//! every arm, however long the games of one take, and a part file has the same name and bytes as in the whole run.
//! Chunks that are missing in the end can be played by their numbers.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Which piece of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged, expecting = "a shard is { number, of } or { chunks }")]
pub enum Shard {
    /// One of several of the same size.
    Nth {
        /// Its number, from 1.
        number: u32,
        /// The number of shards.
        of: u32,
    },
    /// These chunks.
    Chunks {
        /// Their numbers.
        chunks: ChunkList,
    },
}

/// A text that does not name a shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a shard: write I/N, the first of three as `1/3`, the last as `3/3`")]
pub struct NoShard(String);

impl Shard {
    /// The whole run, as a single shard.
    pub(crate) const WHOLE: Shard = Shard::Nth { number: 1, of: 1 };

    /// All shards of a run that is divided into this many.
    pub(crate) fn all(of: u32) -> impl Iterator<Item = Shard> {
        (1..=of).map(move |number| Shard::Nth { number, of })
    }

    /// The number in the run, from 0, of its chunk at this index; the run may not have this chunk.
    pub(crate) fn chunk(&self, at: usize) -> Option<usize> {
        match self {
            Shard::Nth { number, of } => at.checked_mul(*of as usize)?.checked_add(*number as usize - 1),
            Shard::Chunks { chunks } => chunks.get(at),
        }
    }

    /// How many of its chunks have a number below this one: the index of the first that does not.
    pub(crate) fn below(&self, number: usize) -> usize {
        match self {
            Shard::Nth { number: own, of } => {
                let first = (*own as usize).saturating_sub(1);
                number.saturating_sub(first).div_ceil((*of as usize).max(1))
            }
            Shard::Chunks { chunks } => chunks.below(number),
        }
    }

    /// Is it valid? Values from a file may be anything.
    pub(crate) const fn is_sound(&self) -> bool {
        match self {
            Shard::Nth { number, of } => *number >= 1 && *number <= *of,
            Shard::Chunks { .. } => true,
        }
    }

    /// The suffix of the shard's folder after the name of the run's folder.
    pub(crate) fn suffix(&self) -> String {
        match self {
            Shard::Nth { number, of } => format!("{SHARD}{number}-of-{of}"),
            Shard::Chunks { chunks } => {
                let list = chunks.to_string();
                match list.len() {
                    0..=LONGEST_LIST => format!("{CHUNKS}{}", list.replace(',', "_")),
                    // The length of a folder's name is limited.
                    _ => {
                        let hash = blake3::hash(list.as_bytes()).to_hex();
                        format!("{CHUNKS}{}_{}", chunks.count(), &hash[..12])
                    }
                }
            }
        }
    }

    /// The name of the run's folder, from that of a shard.
    pub(crate) fn without_suffix(folder: &str) -> &str {
        let is_run = |name: &str| {
            let digits = name.rsplit_once('-').map_or("", |(_, digits)| digits);
            digits.len() == 12 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        // An experiment's name may contain the separators too.
        let marked = [SHARD, CHUNKS].iter().filter_map(|mark| Some(&folder[..folder.rfind(mark)?]));
        marked.filter(|name| is_run(name)).min_by_key(|name| name.len()).unwrap_or(folder)
    }
}

const SHARD: &str = ".shard-";
const CHUNKS: &str = ".chunks-";

/// The longest list of chunks in a folder's name.
const LONGEST_LIST: usize = 60;

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(text: &str) -> Result<Shard, NoShard> {
        let read = || {
            let (number, of) = text.split_once('/')?;
            Some(Shard::Nth { number: number.parse().ok()?, of: of.parse().ok()? })
        };
        read().filter(Shard::is_sound).ok_or_else(|| NoShard(text.to_owned()))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shard::Nth { number, of } => write!(f, "{number}/{of}"),
            Shard::Chunks { chunks } => write!(f, "of the chunks {chunks}"),
        }
    }
}

/// Numbers of chunks, ascending and without repetition: `17,18,40-60`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ChunkList {
    /// There is a gap between two of them.
    stretches: Vec<Stretch>,
}

/// Consecutive chunks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stretch {
    first: usize,
    last: usize,
    /// The number of chunks before it in the list.
    before: usize,
}

/// A number of chunks that no run has.
const MOST_CHUNKS: usize = 1 << 40;

/// A text that is not a list of chunks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a list of chunks: write numbers from 0 on and ranges of them, such as `17,18,40-60`")]
pub struct NoChunks(String);

impl ChunkList {
    /// The list of these numbers, in any order; `None` if there are none.
    pub(crate) fn of(numbers: impl IntoIterator<Item = usize>) -> Option<ChunkList> {
        ChunkList::joined(numbers.into_iter().map(|number| (number, number)).collect())
    }

    /// The numbers below `all` that are not among these; `None` if there are none.
    pub(crate) fn without(all: usize, numbers: &BTreeSet<usize>) -> Option<ChunkList> {
        let ends = numbers.range(..all).copied().chain([all]);
        let mut from = 0;
        let gaps = ends.filter_map(|end| {
            let gap = (from < end).then(|| (from, end - 1));
            from = end + 1;
            gap
        });
        ChunkList::joined(gaps.collect())
    }

    /// How many of them are below this number.
    pub(crate) fn below(&self, number: usize) -> usize {
        let behind = self.stretches.partition_point(|stretch| stretch.first < number);
        let last = behind.checked_sub(1).and_then(|at| self.stretches.get(at));
        last.map_or(0, |stretch| {
            stretch.before + (number - stretch.first).min(stretch.last - stretch.first + 1)
        })
    }

    /// Those from one index to before another; `None` if there are none.
    fn slice(&self, from: usize, to: usize) -> Option<ChunkList> {
        let of = |stretch: &Stretch| {
            let end = stretch.before + (stretch.last - stretch.first) + 1;
            let (from, to) = (from.max(stretch.before), to.min(end));
            (from < to)
                .then(|| (stretch.first + (from - stretch.before), stretch.first + (to - 1 - stretch.before)))
        };
        ChunkList::joined(self.stretches.iter().filter_map(of).collect())
    }

    fn joined(mut found: Vec<(usize, usize)>) -> Option<ChunkList> {
        found.sort_unstable();
        let mut list = ChunkList { stretches: Vec::new() };
        for (first, last) in found {
            let before = list.count();
            match list.stretches.last_mut() {
                Some(open) if first <= open.last + 1 => open.last = open.last.max(last),
                _ => list.stretches.push(Stretch { first, last, before }),
            }
        }
        (!list.stretches.is_empty()).then_some(list)
    }

    /// The number at this index.
    pub(crate) fn get(&self, at: usize) -> Option<usize> {
        let behind = self.stretches.partition_point(|stretch| stretch.before <= at);
        let stretch = self.stretches.get(behind.checked_sub(1)?)?;
        let number = stretch.first + (at - stretch.before);
        (number <= stretch.last).then_some(number)
    }

    /// Their number.
    pub(crate) fn count(&self) -> usize {
        self.stretches.last().map_or(0, |stretch| stretch.before + (stretch.last - stretch.first) + 1)
    }

    /// The largest of them.
    pub(crate) fn last(&self) -> usize {
        self.stretches.last().map_or(0, |stretch| stretch.last)
    }

    /// The same numbers in at most this many lists of nearly the same length, for the tasks of a job array.
    pub fn pieces(&self, count: usize) -> Vec<ChunkList> {
        let (all, count) = (self.count(), count.clamp(1, self.count().max(1)));
        let place = |piece: usize| (piece as u128 * all as u128 / count as u128) as usize;
        (0..count).filter_map(|piece| self.slice(place(piece), place(piece + 1))).collect()
    }
}

impl FromStr for ChunkList {
    type Err = NoChunks;

    fn from_str(text: &str) -> Result<ChunkList, NoChunks> {
        let number =
            |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?;
        let stretch = |text: &str| match text.split_once('-') {
            Some((first, last)) => {
                Some((number(first)?, number(last)?)).filter(|(first, last)| first <= last)
            }
            None => number(text).map(|number| (number, number)),
        };
        let stretches: Option<Vec<(usize, usize)>> =
            text.split(',').map(|text| stretch(text.trim())).collect();
        stretches
            .filter(|stretches| stretches.iter().all(|stretch| stretch.1 < MOST_CHUNKS))
            .and_then(ChunkList::joined)
            .ok_or_else(|| NoChunks(text.to_owned()))
    }
}

impl fmt::Display for ChunkList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, &Stretch { first, last, .. }) in self.stretches.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            match last == first {
                true => write!(f, "{comma}{first}")?,
                false => write!(f, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

impl TryFrom<String> for ChunkList {
    type Error = NoChunks;

    fn try_from(text: String) -> Result<ChunkList, NoChunks> {
        text.parse()
    }
}

impl From<ChunkList> for String {
    fn from(list: ChunkList) -> String {
        list.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_read_as_they_are_written() {
        for text in ["1/1", "2/3", "3/3", "1/1000"] {
            assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn each_chunk_is_in_one_shard() {
        for of in 1..6 {
            let mut chunks: Vec<usize> =
                Shard::all(of).flat_map(|shard| (0..20).filter_map(move |at| shard.chunk(at))).collect();
            chunks.sort_unstable();
            assert!(chunks.into_iter().take(20).eq(0..20), "{of}");
        }
    }

    #[test]
    fn lists_of_chunks_are_read_in_any_order_and_written_in_one() {
        for (text, written) in [
            ("17,18,40-60", "17-18,40-60"),
            ("5", "5"),
            ("3,1,2,9", "1-3,9"),
            ("0-4,2-7, 8", "0-8"),
            ("7,7", "7"),
        ] {
            let list: ChunkList = text.parse().unwrap();
            assert_eq!(list.to_string(), written, "{text}");
            assert_eq!(written.parse(), Ok(list.clone()));
            let numbers: Vec<usize> = (0..).map_while(|at| list.get(at)).collect();
            assert_eq!((numbers.len(), numbers.last()), (list.count(), Some(&list.last())), "{text}");
            assert!(numbers.is_sorted_by(|a, b| a < b));
            assert_eq!(ChunkList::of(numbers.iter().rev().copied()), Some(list));
        }
    }

    #[test]
    fn a_list_is_cut_into_pieces_of_nearly_the_same_length() {
        let list: ChunkList = "0-6,10,12-13".parse().unwrap();
        let written = |count| list.pieces(count).iter().map(ChunkList::to_string).collect::<Vec<_>>();
        assert_eq!(written(1), ["0-6,10,12-13"]);
        assert_eq!(written(3), ["0-2", "3-5", "6,10,12-13"]);
        assert_eq!(list.pieces(99).len(), 10);
    }

    #[test]
    fn a_folders_name_says_which_chunks_and_is_never_too_long() {
        let shard = |chunks: &str| Shard::Chunks { chunks: chunks.parse().unwrap() };
        assert_eq!(shard("17,18,40-60").suffix(), ".chunks-17-18_40-60");
        let long: Vec<String> = (0..200).map(|n| (2 * n).to_string()).collect();
        let suffix = shard(&long.join(",")).suffix();
        assert!(suffix.starts_with(".chunks-200_") && suffix.len() < 40, "{suffix}");
        for shard in [shard("3"), "2/3".parse().unwrap()] {
            let whole = "a.chunks-b-0123456789ab";
            assert_eq!(Shard::without_suffix(&format!("{whole}{}", shard.suffix())), whole);
            assert_eq!(Shard::without_suffix(whole), whole);
        }
    }

    #[test]
    fn manifests_keep_either_form() {
        for (shard, json) in [
            ("2/3".parse().unwrap(), r#"{"number":2,"of":3}"#),
            (Shard::Chunks { chunks: "4,6-9".parse().unwrap() }, r#"{"chunks":"4,6-9"}"#),
        ] {
            assert_eq!(serde_json::to_string(&shard).unwrap(), json);
            assert_eq!(serde_json::from_str::<Shard>(json).unwrap(), shard);
        }
        assert!(serde_json::from_str::<Shard>(r#"{"chunks":"9-1"}"#).is_err());
    }

    #[test]
    fn numbers_are_counted_and_cut_without_a_list_of_them() {
        let list: ChunkList = "2,5-9,20".parse().unwrap();
        let below: Vec<usize> = [0, 2, 3, 6, 10, 20, 21, 99].map(|number| list.below(number)).into();
        assert_eq!(below, [0, 0, 1, 2, 6, 6, 7, 7]);
        let there = BTreeSet::from([0, 1, 5, 3_999_999_999]);
        let missing = ChunkList::without(4_000_000_000, &there).unwrap();
        assert_eq!(missing.to_string(), "2-4,6-3999999998");
        let pieces: Vec<String> = missing.pieces(2).iter().map(ChunkList::to_string).collect();
        assert_eq!(pieces, ["2-4,6-2000000000", "2000000001-3999999998"]);
        assert_eq!(ChunkList::without(2, &there), None);
        assert_eq!(ChunkList::without(1, &BTreeSet::new()).unwrap().to_string(), "0");
    }
}
