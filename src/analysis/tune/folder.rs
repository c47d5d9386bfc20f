//! Where a search is on disk: its journal while it is running, and its folder when it has finished.
//!
//! ```text
//!  results/.upheaval-tune-fair-holes-0123456789ab.journal     a line for each task that is played; locked by its process
//!  results/fair-holes-0123456789ab/                           whole or not there: written under a hidden name and renamed
//!    tune.json  tune.txt  tune.toml  rounds.parquet  blocks.parquet
//! ```
//! Tasks come in an order that the file alone determines, so the journal of an interrupted search is a prefix of the
//! journal of an uninterrupted one. The first line that is incomplete, or that belongs to another task than the
//! expected one, ends the part that is kept.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::tune::answer::{FORMAT, TuneAnswer};
use crate::tune::file::{CheckedSearch, SeedStage};
use crate::tune::goal::{GoalSums, Metric};
use crate::tune::race::{ArmStanding, Look, Round, Within};
use crate::tune::search::{Task, TuneSearch};
use crate::tune::text;
use upheaval_harness::record::parquet::{Cells, encode};
use upheaval_harness::record::regular::{Access, NotRegular, open_below};
use upheaval_harness::sim::output::location::folder_name;

const HIDDEN: &str = ".upheaval-tune-";

/// The file of a folder that contains the answer.
pub const ANSWER: &str = "tune.json";
/// The same in words.
pub const TEXT: &str = "tune.txt";
/// The search file as it was given.
pub const GIVEN: &str = "tune.toml";

/// The beginning of the first line of every journal.
const BEGINNING: &[u8] = b"{\"task\":";

/// Why the folder of a search cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The operating system reported an error.
    #[error("cannot use `{}`: {source}", path.display())]
    Io {
        /// The path in question.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// Another process runs the same search.
    #[error("another process runs this search: `{}` is locked", .0.display())]
    Busy(PathBuf),
    /// Something else is at this path.
    #[error("`{}` is not an answer of this search; move it, or choose another folder", .0.display())]
    Foreign(PathBuf),
    /// A table could not be encoded: a limit of the format.
    #[error("cannot encode the table `{table}`: {why}")]
    Table {
        /// The table.
        table: &'static str,
        /// The cause.
        why: String,
    },
}

impl FolderError {
    /// Can the user correct it? Otherwise it is a fault of the machine.
    pub fn is_refusal(&self) -> bool {
        match self {
            FolderError::Busy(_) | FolderError::Foreign(_) => true,
            FolderError::Io { source, .. } => NotRegular::of(source).is_some(),
            FolderError::Table { .. } => false,
        }
    }
}

fn io_at(path: &Path) -> impl Fn(io::Error) -> FolderError + '_ {
    |source| FolderError::Io { path: path.to_owned(), source }
}

/// Which search it is, and where it is on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TuneSite {
    /// The folder of its answer.
    pub path: PathBuf,
    /// The hash of everything that determines it.
    pub hash: String,
    journal: PathBuf,
    hidden: PathBuf,
}

impl TuneSite {
    /// The site of a search. The disk is not read yet.
    pub fn of(tuning: &CheckedSearch) -> TuneSite {
        let hash_of = |bot: usize| tuning.games(SeedStage::Search, bot).resolved.canonical().hash;
        let games: Vec<String> = (0..tuning.bots()).map(hash_of).collect();
        let bounds: Vec<_> =
            tuning.bounds.iter().map(|bound| json!([bound.of.name(), bound.low, bound.high])).collect();
        let fronts: Vec<_> =
            tuning.fronts.iter().map(|(of, wanted)| json!([of.name(), wanted.name()])).collect();
        let own = json!({
            "format": FORMAT,
            "games": games,
            "objective": tuning.objective.name(),
            "bounds": bounds,
            "fronts": fronts,
            "blocks": [tuning.first, tuning.most],
            "budget": tuning.budget,
            "confidence": tuning.confidence,
            "check": [tuning.check_blocks, tuning.check_seed],
        });
        let hash = blake3::hash(own.to_string().as_bytes()).to_hex().to_string();
        let (out, name) =
            (&tuning.experiment.out, folder_name(&tuning.experiment.resolved.name, &hash, None));
        TuneSite {
            path: out.join(&name),
            hash,
            journal: out.join(format!("{HIDDEN}{name}.journal")),
            hidden: out.join(format!("{HIDDEN}{name}")),
        }
    }

    /// Does the answer exist?
    ///
    /// # Errors
    /// Something else is at its path.
    pub fn is_over(&self) -> Result<bool, FolderError> {
        match fs::symlink_metadata(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(io_at(&self.path)(error)),
            Ok(_) if self.path.join(ANSWER).is_file() => Ok(true),
            Ok(_) => Err(FolderError::Foreign(self.path.clone())),
        }
    }

    /// A file of the answer, as text.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read(&self, name: &str) -> Result<String, FolderError> {
        let path = self.path.join(name);
        fs::read_to_string(&path).map_err(io_at(&path))
    }

    /// Refuses to replace a folder that contains more than an answer.
    fn refuse_strangers(&self) -> Result<(), FolderError> {
        let own = [ANSWER, TEXT, GIVEN].into_iter().chain(TABLES);
        for entry in fs::read_dir(&self.path).map_err(io_at(&self.path))? {
            let name = entry.map_err(io_at(&self.path))?.file_name();
            if !own.clone().any(|own| name == own) {
                return Err(FolderError::Foreign(self.path.join(name)));
            }
        }
        Ok(())
    }

    /// Opens the journal of the search, and passes the blocks played so far to the search. With `afresh` the search
    /// starts again.
    ///
    /// # Errors
    /// Another process runs it, something else is at its path, or the disk fails.
    pub fn open(&self, search: &mut TuneSearch, afresh: bool) -> Result<TuneJournal, FolderError> {
        let fail = io_at(&self.journal);
        if let Some(out) = self.journal.parent().filter(|out| !out.as_os_str().is_empty()) {
            fs::create_dir_all(out).map_err(io_at(out))?;
        }
        if afresh && self.is_over()? {
            self.refuse_strangers()?;
        }
        let name = self.journal.file_name().unwrap_or_default().to_string_lossy();
        let folder = self.journal.parent().unwrap_or(Path::new(""));
        let mut file = open_below(folder, &name, Access::AppendOrCreate).map_err(&fail)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(FolderError::Busy(self.journal.clone())),
            Err(TryLockError::Error(error)) => return Err(fail(error)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(&fail)?;
        // A file that does not begin as a journal belongs to somebody else and is not changed.
        if !(bytes.starts_with(BEGINNING) || BEGINNING.starts_with(&bytes)) {
            return Err(FolderError::Foreign(self.journal.clone()));
        }
        if afresh {
            bytes.clear();
        }
        let mut kept = 0;
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            let whole = line.strip_suffix(b"\n").and_then(|line| serde_json::from_slice::<Line>(line).ok());
            let Some((task, blocks)) = whole.and_then(|line| line.read(search.tuning())) else { break };
            if search.take(task, blocks).is_err() {
                break;
            }
            kept += line.len();
        }
        file.set_len(kept as u64).map_err(&fail)?;
        file.seek(SeekFrom::Start(kept as u64)).map_err(&fail)?;
        Ok(TuneJournal { file, path: self.journal.clone() })
    }

    /// Writes the answer of a finished search, and removes its journal.
    ///
    /// # Errors
    /// The disk fails. Then the journal stays.
    pub fn finish(&self, search: &TuneSearch, journal: TuneJournal) -> Result<TuneAnswer, FolderError> {
        let answer = TuneAnswer::of(search, &self.hash);
        let (hidden, fail) = (&self.hidden, io_at(&self.hidden));
        if hidden.is_dir() {
            fs::remove_dir_all(hidden).map_err(&fail)?;
        }
        fs::create_dir(hidden).map_err(&fail)?;
        let write = |name: &str, bytes: &[u8]| {
            let path = hidden.join(name);
            let written = File::create(&path).and_then(|mut file| {
                file.write_all(bytes)?;
                file.sync_all()
            });
            written.map_err(io_at(&path))
        };
        for (name, bytes) in tables(search, &self.hash)? {
            write(name, &bytes)?;
        }
        write(GIVEN, search.tuning().experiment.given.as_bytes())?;
        write(TEXT, text::render(search, &answer).as_bytes())?;
        write(ANSWER, answer.to_json().as_bytes())?;
        if self.is_over()? {
            self.refuse_strangers()?;
            fs::remove_dir_all(&self.path).map_err(io_at(&self.path))?;
        }
        fs::rename(hidden, &self.path).map_err(io_at(&self.path))?;
        drop(journal);
        fs::remove_file(&self.journal).map_err(io_at(&self.journal))?;
        Ok(answer)
    }
}

/// A line of a journal: a task, and the numbers of its blocks.
#[derive(Serialize, Deserialize)]
struct Line {
    task: Task,
    blocks: Vec<Vec<u64>>,
}

impl Line {
    fn read(self, tuning: &CheckedSearch) -> Option<(Task, Vec<GoalSums>)> {
        let block = |numbers: &Vec<u64>| GoalSums::of_numbers(numbers, tuning.objective, tuning.powers());
        let blocks: Option<Vec<GoalSums>> = self.blocks.iter().map(block).collect();
        Some((self.task, blocks?))
    }
}

/// The journal of a running search, which this process has locked.
#[derive(Debug)]
pub struct TuneJournal {
    file: File,
    path: PathBuf,
}

impl TuneJournal {
    /// Records the blocks of a task.
    ///
    /// # Errors
    /// The disk fails.
    pub fn enter(&mut self, task: Task, blocks: &[GoalSums]) -> Result<(), FolderError> {
        let line = line_of(task, blocks);
        self.file.write_all(line.as_bytes()).map_err(io_at(&self.path))
    }
}

/// The blocks of a task, as a line.
pub fn line_of(task: Task, blocks: &[GoalSums]) -> String {
    let line = Line { task, blocks: blocks.iter().map(GoalSums::to_numbers).collect() };
    // Whole numbers always serialise; an empty line would not be read again.
    serde_json::to_string(&line).map(|text| text + "\n").unwrap_or_default()
}

/// The content of such a line; `None` where it does not belong to this search.
pub fn read_line(line: &str, tuning: &CheckedSearch) -> Option<(Task, Vec<GoalSums>)> {
    serde_json::from_str::<Line>(line).ok()?.read(tuning)
}

// The tables of a search: each setting in each round, and each block.

/// The names of the tables of a search.
const TABLES: [&str; 2] = ["rounds.parquet", "blocks.parquet"];

/// The tables of a finished search as Parquet, each with its name, under this hash.
///
/// # Errors
/// A table cannot be encoded.
fn tables(search: &TuneSearch, hash: &str) -> Result<[(&'static str, Vec<u8>); 2], FolderError> {
    let name = &search.tuning().experiment.resolved.name;
    let about = [("upheaval.search", name.clone()), ("upheaval.hash", hash.to_owned())];
    let file = |table: &'static str, columns: Columns| match encode(columns, &about) {
        Ok(bytes) => Ok((table, bytes)),
        Err(error) => Err(FolderError::Table { table, why: error.to_string() }),
    };
    let [of_rounds, of_blocks] = TABLES;
    Ok([file(of_rounds, rounds(search))?, file(of_blocks, blocks(search))?])
}

type Columns = Vec<(String, Cells)>;

/// The rows of a table, from which its columns are computed.
struct Rows<R>(Vec<R>);

impl<R> Rows<R> {
    fn whole(&self, name: &str, of: impl Fn(&R) -> u32) -> (String, Cells) {
        (name.to_owned(), Cells::U32(self.0.iter().map(of).collect()))
    }

    fn number(&self, name: &str, of: impl Fn(&R) -> Option<f64>) -> (String, Cells) {
        (name.to_owned(), Cells::F64(self.0.iter().map(of).collect()))
    }

    fn text(&self, name: &str, of: impl Fn(&R) -> &str) -> (String, Cells) {
        (name.to_owned(), Cells::Text(self.0.iter().map(|row| Some(of(row).to_owned())).collect()))
    }
}

/// A row for each round, setting that took part in it, and bot.
fn rounds(search: &TuneSearch) -> Columns {
    let tuning = search.tuning();
    let looks = (1..).zip(&search.race().rounds).flat_map(|(number, round)| {
        let bots = move |look| (0..tuning.bots()).map(move |bot| (number, round, look, bot));
        round.looks.iter().flat_map(bots)
    });
    let rows: Rows<(u32, &Round, &Look, usize)> = Rows(looks.collect());
    let mut columns = vec![
        rows.whole("round", |(number, ..)| *number),
        rows.text("arm", |(.., look, _)| &search.arms[look.arm].id),
        rows.text("bot", |(.., bot)| tuning.name_of(*bot)),
        rows.whole("blocks", |(_, round, ..)| round.blocks),
        rows.number("objective", |(.., look, bot)| Some(look.figures[*bot].mean)),
        rows.number("sem", |(.., look, bot)| Some(look.figures[*bot].sem)),
        rows.number("p_worse", |(.., look, _)| look.p),
        rows.whole("leads", |(_, round, look, _)| u32::from(round.leader == Some(look.arm))),
        rows.text("within", |(.., look, _)| match look.within {
            Within::Sure => "sure",
            Within::Open => "open",
            Within::Out(_) => "out",
        }),
        rows.text("standing", |(.., look, _)| match look.standing {
            ArmStanding::Left => "left",
            ArmStanding::Worse { .. } => "worse",
            ArmStanding::Outside { .. } => "outside",
        }),
    ];
    columns.extend(tuning.bounds.iter().enumerate().map(|(at, bound)| {
        let mean = |look: &Look, bot: usize| look.bounded[bot][at].mean;
        rows.number(bound.of.name(), |(.., look, bot)| Some(mean(look, *bot)).filter(|mean| mean.is_finite()))
    }));
    columns
}

/// A row for each stage, setting, bot and block: the data behind all figures.
fn blocks(search: &TuneSearch) -> Columns {
    let (tuning, powers) = (search.tuning(), search.tuning().powers());
    let mut rows: Rows<(SeedStage, usize, usize, u32, &GoalSums)> = Rows(Vec::new());
    for stage in SeedStage::ALL {
        for arm in 0..search.arms.len() {
            for bot in 0..tuning.bots() {
                let blocks = (0..).zip(search.blocks(stage, arm, bot));
                rows.0.extend(blocks.map(|(block, sums)| (stage, arm, bot, block, sums)));
            }
        }
    }
    let mut columns = vec![
        rows.text("stage", |(stage, ..)| stage.name()),
        rows.text("arm", |(_, arm, ..)| &search.arms[*arm].id),
        rows.text("bot", |(_, _, bot, ..)| tuning.name_of(*bot)),
        rows.whole("block", |(.., block, _)| *block),
        rows.whole("games", |(.., sums)| sums.counts[0] as u32),
    ];
    columns
        .extend(Metric::ALL.map(|aspect| rows.number(aspect.name(), |(.., sums)| sums.mean(aspect, powers))));
    if tuning.objective.is_share() {
        let names = tuning.experiment.resolved.power_names().iter();
        columns.extend(names.enumerate().map(|(at, name)| {
            rows.number(&name.to_lowercase(), |(.., sums)| sums.of_powers(tuning.objective).get(at).copied())
        }));
    }
    columns
}
