//! Shards: a run cut into pieces that can be played on different machines.
//!
//! Shard *i* of *n* plays every *n*-th chunk of the schedule, from the *i*-th on. So each shard has its share of every arm,
//! however long the games of one take, and a part file has the name and the bytes that it has in the whole run.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Which piece of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// Its number, from 1.
    number: u32,
    /// How many there are.
    of: u32,
}

/// A text that names no shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no shard: write I/N, the first of three as `1/3`, the last as `3/3`")]
pub struct NoShard(String);

impl Shard {
    /// The whole run, as a single shard.
    pub const WHOLE: Shard = Shard { number: 1, of: 1 };

    /// Its number, from 1.
    pub const fn number(self) -> u32 {
        self.number
    }

    /// How many shards the run is cut into.
    pub const fn of(self) -> u32 {
        self.of
    }

    /// All shards of a run that is cut into so many.
    pub fn all(of: u32) -> impl Iterator<Item = Shard> {
        (1..=of).map(move |number| Shard { number, of })
    }

    /// Is the chunk of this index, from 0, in it?
    pub const fn has(self, chunk: usize) -> bool {
        chunk % self.of as usize == self.number as usize - 1
    }

    /// Could it be one? What is read from a file may be anything.
    pub const fn is_sound(self) -> bool {
        self.number >= 1 && self.number <= self.of
    }
}

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(text: &str) -> Result<Shard, NoShard> {
        let read = || {
            let (number, of) = text.split_once('/')?;
            Some(Shard { number: number.parse().ok()?, of: of.parse().ok()? })
        };
        read().filter(|shard| shard.is_sound()).ok_or_else(|| NoShard(text.to_owned()))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_read_as_they_are_written_and_nothing_else_is() {
        for text in ["1/1", "2/3", "3/3", "1/1000"] {
            assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
        }
        for text in ["0/3", "4/3", "1/0", "1", "/", "1/2/3", "-1/2", "x/y", "", "1/99999999999"] {
            let error = text.parse::<Shard>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{text}` is no shard")), "{error}");
        }
    }

    #[test]
    fn each_chunk_is_in_one_shard() {
        for of in 1..6 {
            for chunk in 0..20 {
                assert_eq!(Shard::all(of).filter(|shard| shard.has(chunk)).count(), 1);
            }
        }
    }
}
