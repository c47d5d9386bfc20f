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
use crate::tune::race::{ArmStanding, Within};
use crate::tune::search::{Task, TuneSearch};
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
    #[error("`{}` exists and is not an answer of this search; move it away, or choose another folder", .0.display())]
    Foreign(PathBuf),
    /// A table could not be encoded.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl FolderError {
    /// Can the user correct it, rather than being faced with a fault of the machine?
    pub fn is_refusal(&self) -> bool {
        match self {
            FolderError::Busy(_) | FolderError::Foreign(_) => true,
            FolderError::Io { source, .. } => NotRegular::of(source).is_some(),
            FolderError::Table(_) => false,
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
    pub fn finish(
        &self,
        search: &TuneSearch,
        journal: TuneJournal,
        text: &str,
    ) -> Result<TuneAnswer, FolderError> {
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
        for table in tables(search, &self.hash)? {
            write(table.name, &table.bytes)?;
        }
        write(GIVEN, search.tuning().experiment.given.as_bytes())?;
        write(TEXT, text.as_bytes())?;
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
pub(crate) const TABLES: [&str; 2] = ["rounds.parquet", "blocks.parquet"];

/// A table as a file.
pub(crate) struct TableFile {
    /// Its name in the folder.
    pub name: &'static str,
    /// Its bytes, as Parquet.
    pub bytes: Vec<u8>,
}

/// Why a table could not be encoded: a limit of the format.
#[derive(Debug, thiserror::Error)]
#[error("the table `{name}` cannot be encoded: {why}")]
pub struct TableError {
    /// The table.
    pub name: &'static str,
    /// The cause.
    pub why: String,
}

/// The tables of a finished search, under this hash.
///
/// # Errors
/// A table cannot be encoded.
pub(crate) fn tables(search: &TuneSearch, hash: &str) -> Result<Vec<TableFile>, TableError> {
    let file = |name: &'static str, columns: Columns| {
        let about = [
            ("upheaval.search", search.tuning().experiment.resolved.name.clone()),
            ("upheaval.hash", hash.to_owned()),
        ];
        match encode(columns, &about) {
            Ok(bytes) => Ok(TableFile { name, bytes }),
            Err(error) => Err(TableError { name, why: error.to_string() }),
        }
    };
    let [of_rounds, of_blocks] = TABLES;
    Ok(vec![file(of_rounds, rounds(search))?, file(of_blocks, blocks(search))?])
}

type Columns = Vec<(String, Cells)>;

/// A row for each round, setting that took part in it, and bot.
fn rounds(search: &TuneSearch) -> Columns {
    let tuning = search.tuning();
    let (mut round, mut arm, mut bot, mut blocks) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut objective, mut sem, mut p) = (Vec::new(), Vec::new(), Vec::new());
    let (mut leads, mut within, mut standing) = (Vec::new(), Vec::new(), Vec::new());
    let mut bounded: Vec<Vec<Option<f64>>> = vec![Vec::new(); tuning.bounds.len()];
    for (number, of) in search.race().rounds().iter().enumerate() {
        for look in &of.looks {
            for (at, figure) in look.figures.iter().enumerate() {
                round.push(number as u32 + 1);
                arm.push(Some(search.arms()[look.arm].id.clone()));
                bot.push(Some(tuning.name_of(at).to_owned()));
                blocks.push(of.blocks);
                objective.push(Some(figure.mean));
                sem.push(Some(figure.sem));
                p.push(look.p);
                leads.push(u32::from(of.leader == Some(look.arm)));
                within.push(Some(word_of_within(look.within).to_owned()));
                standing.push(Some(word_of(look.standing).to_owned()));
                for (values, mean) in bounded.iter_mut().zip(&look.bounded[at]) {
                    values.push(Some(mean.mean).filter(|mean| mean.is_finite()));
                }
            }
        }
    }
    let mut columns: Columns = [
        ("round", Cells::U32(round)),
        ("arm", Cells::Text(arm)),
        ("bot", Cells::Text(bot)),
        ("blocks", Cells::U32(blocks)),
        ("objective", Cells::F64(objective)),
        ("sem", Cells::F64(sem)),
        ("p_worse", Cells::F64(p)),
        ("leads", Cells::U32(leads)),
        ("within", Cells::Text(within)),
        ("standing", Cells::Text(standing)),
    ]
    .into_iter()
    .map(|(name, cells)| (name.to_owned(), cells))
    .collect();
    let names = tuning.bounds.iter().map(|bound| bound.of.name().to_owned());
    columns.extend(names.zip(bounded.into_iter().map(Cells::F64)));
    columns
}

/// The status of a setting, in a word.
pub(crate) fn word_of(standing: ArmStanding) -> &'static str {
    match standing {
        ArmStanding::Left => "left",
        ArmStanding::Worse { .. } => "worse",
        ArmStanding::Outside { .. } => "outside",
    }
}

fn word_of_within(within: Within) -> &'static str {
    match within {
        Within::Sure => "sure",
        Within::Open => "open",
        Within::Out(_) => "out",
    }
}

/// A row for each stage, setting, bot and block: the data behind all figures.
fn blocks(search: &TuneSearch) -> Columns {
    let (tuning, powers) = (search.tuning(), search.tuning().powers());
    let own = tuning
        .experiment
        .resolved
        .power_names()
        .iter()
        .filter(|_| crate::tune::answer::is_share(tuning.objective));
    let names: Vec<String> = own.map(str::to_lowercase).collect();
    let (mut stage, mut arm, mut bot) = (Vec::new(), Vec::new(), Vec::new());
    let (mut block, mut games) = (Vec::new(), Vec::new());
    let mut aspects: Vec<Vec<Option<f64>>> = vec![Vec::new(); Metric::ALL.len()];
    let mut shares: Vec<Vec<Option<f64>>> = vec![Vec::new(); names.len()];
    for of in SeedStage::ALL {
        for (at, own) in search.arms().iter().enumerate() {
            for (player, entry) in tuning.players.iter().enumerate() {
                for (number, sums) in search.blocks(of, at, player).iter().enumerate() {
                    stage.push(Some(of.name().to_owned()));
                    arm.push(Some(own.id.clone()));
                    bot.push(Some(entry.name.clone()));
                    block.push(number as u32);
                    games.push(sums.games);
                    for (values, aspect) in aspects.iter_mut().zip(Metric::ALL) {
                        values.push(sums.mean(aspect, powers));
                    }
                    for (values, share) in shares.iter_mut().zip(sums.of_powers(tuning.objective)) {
                        values.push(Some(share));
                    }
                }
            }
        }
    }
    let mut columns: Columns = vec![
        ("stage".to_owned(), Cells::Text(stage)),
        ("arm".to_owned(), Cells::Text(arm)),
        ("bot".to_owned(), Cells::Text(bot)),
        ("block".to_owned(), Cells::U32(block)),
        ("games".to_owned(), Cells::U32(games)),
    ];
    let aspect_names = Metric::ALL.into_iter().map(|aspect| aspect.name().to_owned());
    columns.extend(aspect_names.zip(aspects.into_iter().map(Cells::F64)));
    columns.extend(names.into_iter().zip(shares.into_iter().map(Cells::F64)));
    columns
}
