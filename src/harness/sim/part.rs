//! Parts of a run: the encoded files of a chunk of games, in a form that can be sent to another process.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::output::location::{part_name, tables};
use super::output::manifest::FileEntry;
use super::resolved::{ResolvedExperiment, RunLog};
use super::schedule::Chunk;
use crate::record::column::TableRow;
use crate::record::listed::{SentFile, TableOrigin};
use crate::record::parquet::{EncodedTable, RunMeta, TableWriter, reason};
use crate::record::reader::{self, ReadError};
use crate::record::{
    DistanceRow, EventRow, GameRow, GameRows, MapRow, OrderRow, SeatRow, TableFrame, TopologyRow, TurnRow,
};
use upheaval_engine::diagnostic::wording;
use upheaval_map::ids::PowerNames;

/// The files of a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its identity.
    pub head: PartHead,
    /// The bytes of each file, in the order of the head.
    pub bytes: Vec<Bytes>,
}

/// The identity of a part, and its files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartHead {
    /// The hash of the experiment.
    pub experiment_hash: String,
    /// The chunk, by its index in the schedule.
    pub chunk: usize,
    /// The arm, by its index in the experiment.
    pub variant: usize,
    /// Would the same experiment give the same bytes?
    pub repeatable: bool,
    /// Its files.
    pub files: Vec<FileEntry>,
}

/// Why bytes are not a part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoPart(String);

impl Part {
    /// Its bytes, for another process: a line with the head as JSON, followed by the files.
    pub fn to_bytes(&self) -> Vec<u8> {
        // A struct of numbers and texts always serialises; an empty head would be refused when read.
        let mut bytes = serde_json::to_vec(&self.head).unwrap_or_default();
        bytes.push(b'\n');
        self.bytes.iter().for_each(|file| bytes.extend_from_slice(file));
        bytes
    }

    /// The part of these bytes.
    ///
    /// # Errors
    /// They are not the bytes of a part, or a file differs from the head.
    pub fn from_bytes(bytes: &[u8]) -> Result<Part, NoPart> {
        let no_head = |why: &str| NoPart(format!("the bytes do not begin with the head of a part: {why}"));
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let end = end.ok_or_else(|| no_head("they have no line"))?;
        let head: PartHead =
            serde_json::from_slice(&bytes[..end]).map_err(|error| no_head(&wording::of_json_at(&error)))?;
        let mut rest = &bytes[end + 1..];
        let expected = head.files.iter().fold(0_u64, |sum, file| sum.saturating_add(file.bytes));
        if rest.len() as u64 != expected {
            let found = rest.len();
            return Err(NoPart(format!("the part has {found} bytes of files, but its head says {expected}")));
        }
        let mut files = Vec::with_capacity(head.files.len());
        for file in &head.files {
            let (own, others) = rest.split_at(file.bytes as usize);
            rest = others;
            if blake3::hash(own).to_hex().as_str() != file.blake3 {
                return Err(NoPart(format!("`{}` was changed in transit: its hash differs", file.path)));
            }
            files.push(Bytes::copy_from_slice(own));
        }
        Ok(Part { head, bytes: files })
    }

    /// The rows of its games, on a board with these powers.
    ///
    /// # Errors
    /// It does not contain such rows.
    pub fn games(&self, powers: &PowerNames) -> Result<Vec<GameRow>, ReadError> {
        let of_table = |table: &str| {
            let mut files = self.head.files.iter().zip(&self.bytes);
            let found = files.find(|(file, _)| file.path.split('/').next() == Some(table));
            let (path, bytes) =
                found.map(|(file, bytes)| (file.path.clone(), bytes.clone())).unwrap_or_default();
            SentFile { path, bytes, origin: TableOrigin::of(&self.head.experiment_hash) }
        };
        reader::games(&of_table(GameRow::TABLE), &of_table(SeatRow::TABLE), powers)
    }
}

/// Encodes the files of a run's chunks.
pub(crate) struct Encoder {
    meta: RunMeta,
    variants: Vec<String>,
    /// For each variant.
    frames: Vec<TableFrame>,
    log: RunLog,
}

/// Why a table cannot be encoded.
#[derive(Debug, thiserror::Error)]
#[error("cannot encode `{path}`: {source}")]
pub struct EncodeError {
    /// Its path below the run folder.
    pub path: String,
    /// The cause.
    pub source: std::io::Error,
}

impl Encoder {
    /// The encoder of an experiment; its hash is given.
    pub(crate) fn new(experiment: &ResolvedExperiment, hash: &str) -> Encoder {
        Encoder {
            meta: RunMeta { name: experiment.name.clone(), hash: hash.to_owned(), seed: experiment.seed },
            variants: experiment.variants.iter().map(|arm| arm.id.clone()).collect(),
            frames: (0..experiment.variants.len()).map(|arm| experiment.frame(arm)).collect(),
            log: experiment.log,
        }
    }

    /// The origin of its tables.
    pub(crate) fn origin(&self) -> TableOrigin {
        TableOrigin::of(&self.meta.hash)
    }

    /// The context of the tables of a variant, in addition to the schema.
    pub(crate) fn frame(&self, variant: usize) -> &TableFrame {
        &self.frames[variant]
    }

    /// Checks that a part is the chunk of this run with this index in the schedule.
    ///
    /// # Errors
    /// It belongs to another chunk or another run; the error is a sentence.
    pub(crate) fn expects(&self, at: usize, chunk: &Chunk, head: &PartHead) -> Result<(), String> {
        let hash = &self.meta.hash;
        if head.experiment_hash != *hash {
            return Err(format!("it belongs to the experiment {}, but this is {hash}", head.experiment_hash));
        }
        if head.chunk != at {
            return Err(format!("it is chunk {}, but the next is {at}", head.chunk));
        }
        match head.variant == chunk.variant && self.are_files_of(chunk, &head.files) {
            true => Ok(()),
            false => Err("its files are not those of the chunk".to_owned()),
        }
    }

    /// Are these, with their rows, exactly the files of a chunk?
    pub(crate) fn are_files_of(&self, chunk: &Chunk, files: &[FileEntry]) -> bool {
        let id = &self.variants[chunk.variant];
        let expected = tables(self.log).map(|table| part_name(table, id, chunk.part));
        // The first table has a row for each game.
        expected.eq(files.iter().map(|file| file.path.clone()))
            && files[0].rows == Some(chunk.games.len() as u64)
            && files.iter().all(|file| file.rows.is_some())
    }

    /// The files of the chunk with this index in the schedule, from its games.
    ///
    /// # Errors
    /// A table cannot be encoded.
    pub(crate) fn encode(&self, at: usize, chunk: &Chunk, games: &[GameRows]) -> Result<Part, EncodeError> {
        let mut part = Part {
            head: PartHead {
                experiment_hash: self.meta.hash.clone(),
                chunk: at,
                variant: chunk.variant,
                repeatable: !games.iter().any(|game| game.game.hangs_on_time()),
                files: Vec::new(),
            },
            bytes: Vec::new(),
        };
        self.add::<GameRow>(&mut part, chunk, games)?;
        self.add::<SeatRow>(&mut part, chunk, games)?;
        self.add::<TurnRow>(&mut part, chunk, games)?;
        self.add::<TopologyRow>(&mut part, chunk, games)?;
        self.add::<DistanceRow>(&mut part, chunk, games)?;
        self.add::<EventRow>(&mut part, chunk, games)?;
        if self.log.orders {
            self.add::<OrderRow>(&mut part, chunk, games)?;
        }
        if self.log.maps {
            self.add::<MapRow>(&mut part, chunk, games)?;
        }
        Ok(part)
    }

    /// Adds a table's file.
    fn add<R: TableRow>(
        &self,
        part: &mut Part,
        chunk: &Chunk,
        games: &[GameRows],
    ) -> Result<(), EncodeError> {
        let id = &self.variants[chunk.variant];
        let path = part_name(R::TABLE, id, chunk.part);
        let failed = |error| EncodeError { path: path.clone(), source: reason(error) };
        let mut writer =
            TableWriter::new::<R>(&self.meta, id, &self.frames[chunk.variant]).map_err(failed)?;
        writer.write(games).map_err(failed)?;
        let EncodedTable { bytes, rows } = writer.finish().map_err(failed)?;
        let blake3 = blake3::hash(&bytes).to_hex().to_string();
        part.head.files.push(FileEntry { path, rows: Some(rows), bytes: bytes.len() as u64, blake3 });
        part.bytes.push(bytes.into());
        Ok(())
    }
}
