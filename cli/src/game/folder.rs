//! The folder of a game by hand.
//!
//! ```text
//!   my-game/
//!     game.json            the gamemaster's record: all that there is of the game
//!     orders/              orders that were handed in: S1901M-movement.txt
//!     undone.json          the record before the last `undo`
//!     phases/001-S1901M-movement/
//!       orders.txt  report.txt  report.md  report.bbcode  orders.svg  position.svg  page.html
//! ```
//! A phase is settled once `game.json` has it: that file is replaced as a whole. Everything below `phases` follows from
//! it, and is for the players: it holds no secret.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use upheaval::diagnostic::open_file;
use upheaval::game::Stage;
use upheaval::game_record::{GameRecord, HostedGame, Orders, Reader, StageRecord, heading_of, replay};
use upheaval::report::post::{Post, PostFormat};
use upheaval::rules::position::Phase;
use upheaval::viewer::Viewer;

use super::sheet::{MOST_BYTES, OrderSheet};
use crate::failure::Failure;
use crate::output::{RECORD, unwritten, write_whole};
use crate::registry::find_record;

const ORDERS: &str = "orders";
const UNDONE: &str = "undone.json";
const PHASES: &str = "phases";
const LOCK: &str = ".lock";
/// What the names of unfinished files begin with.
const TEMPORARY: &str = upheaval::sim::output::whole::TEMPORARY;

/// The folder of a game, which no other process changes in the meantime.
pub(crate) struct GameFolder {
    path: PathBuf,
    /// Held open for its lock.
    _lock: File,
}

impl GameFolder {
    /// Makes the folder of a new game.
    ///
    /// # Errors
    /// Something is there already.
    pub(crate) fn create(path: &Path, game: &HostedGame) -> Result<GameFolder, Failure> {
        let unwritten = |error: io::Error| unwritten(path, &error);
        if !path.is_dir() && path.symlink_metadata().is_ok() {
            return Err(Failure::input(format!("`{}` is not a folder; choose another name", path.display())));
        }
        make_private(path).map_err(unwritten)?;
        // An attempt that was killed may have left the lock.
        let is_stranger =
            |name: &std::ffi::OsStr| name != LOCK && !name.to_string_lossy().starts_with(TEMPORARY);
        let entries: Vec<_> =
            fs::read_dir(path).map_err(unwritten)?.collect::<Result<_, _>>().map_err(unwritten)?;
        if entries.iter().any(|entry| is_stranger(&entry.file_name())) {
            let what = if path.join(RECORD).exists() { "has a game already" } else { "is not empty" };
            return Err(Failure::input(format!("`{}` {what}; choose another folder", path.display())));
        }
        let folder = GameFolder { path: path.to_owned(), _lock: lock(path)? };
        folder.keep(game)?;
        Ok(folder)
    }

    /// Opens the folder, and plays its game again.
    ///
    /// # Errors
    /// It is not the folder of a game, another process has it, or its record was changed.
    pub(crate) fn open(path: &Path) -> Result<(GameFolder, HostedGame), Failure> {
        let record = path.join(RECORD);
        if !record.exists() {
            return Err(Failure::input(format!(
                "`{}` is not the folder of a game: it has no `{RECORD}`; `upheaval game new VARIANT {}` begins one",
                path.display(),
                path.display()
            )));
        }
        let folder = GameFolder { path: path.to_owned(), _lock: lock(path)? };
        let game = folder.read(RECORD)?;
        Ok((folder, game))
    }

    /// Restores what a killed process has left.
    pub(crate) fn restore(&self, game: &HostedGame) -> Result<(), Failure> {
        self.remove_leftovers(game)?;
        self.write_phases(game)
    }

    /// The game of one of its records.
    fn read(&self, name: &str) -> Result<HostedGame, Failure> {
        let record = find_record(&self.path.join(name))?;
        Ok(HostedGame::resume(&self.path.join(name).display().to_string(), record)?)
    }

    /// Writes the record of the game, and all that follows from it.
    pub(crate) fn keep(&self, game: &HostedGame) -> Result<(), Failure> {
        write_whole(&self.path.join(RECORD), game.record().to_json())?;
        self.write_phases(game)
    }

    /// The orders that were handed in for the current phase.
    ///
    /// # Errors
    /// The file, which may be edited by hand, has a fault.
    pub(crate) fn handed_in(&self, game: &HostedGame) -> Result<OrderSheet, Failure> {
        let path = self.orders_of(&game.now());
        match path.exists() {
            true => OrderSheet::parse(&path.display().to_string(), &read_orders(&path)?, game),
            false => Ok(OrderSheet::default()),
        }
    }

    /// Keeps orders for the current phase, in place of all that were handed in.
    pub(crate) fn hand_in(&self, orders: &Orders, game: &HostedGame) -> Result<(), Failure> {
        let folder = self.path.join(ORDERS);
        fs::create_dir_all(&folder).map_err(|error| unwritten(&folder, &error))?;
        let stage = game.now();
        write_whole(&self.orders_of(&stage), OrderSheet::to_text(orders, &stage.phase))
    }

    /// The file of orders that are handed in for a stage. No two stages of a game share it.
    fn orders_of(&self, stage: &StageRecord) -> PathBuf {
        self.path.join(ORDERS).join(format!("{}-{}.txt", stage.phase, stage.stage))
    }

    /// Writes the record of the game after its next phase, which makes earlier phases that were undone impossible.
    pub(crate) fn advance(&self, game: &HostedGame) -> Result<(), Failure> {
        self.remove(UNDONE)?;
        self.keep(game)?;
        self.remove_leftovers(game)
    }

    /// Takes back the last phase, whose orders are handed in again, and keeps it for `redo`.
    pub(crate) fn undo(&self, game: &HostedGame) -> Result<Option<HostedGame>, Failure> {
        let Some(last) = game.record().stages.last() else { return Ok(None) };
        let before = game.as_of(game.record().stages.len() - 1).map_err(Failure::machine)?;
        // A phase that was undone before is kept: the longer record has both. A damaged one is of no use.
        if !self.ahead(game).is_ok_and(|ahead| ahead.is_some()) {
            write_whole(&self.path.join(UNDONE), game.record().to_json())?;
        }
        let powers = game.power_names();
        let is_of_people = |power: &str| powers.find(power).is_some_and(|power| game.bot(power).is_none());
        let orders = last.given.iter().filter(|(power, lines)| is_of_people(power) && !lines.is_empty());
        let orders = orders.map(|(power, lines)| (power.clone(), lines.clone())).collect();
        self.hand_in(&orders, &before)?;
        self.keep(&before)?;
        Ok(Some(before))
    }

    /// Settles again the phase that was taken back.
    pub(crate) fn redo(&self, game: &HostedGame) -> Result<Option<HostedGame>, Failure> {
        let Some(stage) = self.ahead(game)? else { return Ok(None) };
        let after = game.redone(stage).map_err(Failure::machine)?;
        self.keep(&after)?;
        self.remove_leftovers(&after)?;
        if self.ahead(&after)?.is_none() {
            self.remove(UNDONE)?;
        }
        Ok(Some(after))
    }

    /// The stage that was undone after the current state of the game.
    fn ahead(&self, game: &HostedGame) -> Result<Option<StageRecord>, Failure> {
        if !self.path.join(UNDONE).exists() {
            return Ok(None);
        }
        let undone = self.read(UNDONE)?;
        let (past, all) = (&game.record().stages, &undone.record().stages);
        Ok(all.get(past.len()).filter(|_| all.starts_with(past)).cloned())
    }

    /// Removes what a killed process has left: files that it had not finished, and orders for a phase that it settled.
    fn remove_leftovers(&self, game: &HostedGame) -> Result<(), Failure> {
        for entry in fs::read_dir(&self.path).map_err(|error| unwritten(&self.path, &error))? {
            let name = entry.map_err(|error| unwritten(&self.path, &error))?.file_name();
            if name.to_string_lossy().starts_with(TEMPORARY) {
                self.remove(&name.to_string_lossy())?;
            }
        }
        for stage in &game.record().stages {
            let orders = self.orders_of(stage);
            if orders.exists() {
                fs::remove_file(&orders).map_err(|error| unwritten(&orders, &error))?;
            }
        }
        Ok(())
    }

    fn remove(&self, name: &str) -> Result<(), Failure> {
        let path = self.path.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(unwritten(&path, &error)),
            _ => Ok(()),
        }
    }

    /// Writes the folders of phases that are missing, and removes those that the record does not have.
    fn write_phases(&self, game: &HostedGame) -> Result<(), Failure> {
        let phases = self.path.join(PHASES);
        fs::create_dir_all(&phases).map_err(|error| unwritten(&phases, &error))?;
        let names = phase_names(game);
        for entry in fs::read_dir(&phases).map_err(|error| unwritten(&phases, &error))? {
            let entry = entry.map_err(|error| unwritten(&phases, &error))?;
            if is_of_phase(&entry.file_name().to_string_lossy())
                && !names.iter().any(|name| entry.file_name() == **name)
            {
                fs::remove_dir_all(entry.path()).map_err(|error| unwritten(&entry.path(), &error))?;
            }
        }
        for (i, name) in names.iter().enumerate().filter(|(_, name)| !phases.join(name).exists()) {
            let hidden = phases.join(format!(".{name}"));
            fs::create_dir_all(&hidden).map_err(|error| unwritten(&hidden, &error))?;
            for (file, text) in phase_files(&game.as_of(i + 1).map_err(Failure::machine)?)? {
                write_whole(&hidden.join(file), text)?;
            }
            fs::rename(&hidden, phases.join(name)).map_err(|error| unwritten(&hidden, &error))?;
        }
        Ok(())
    }

    /// The folder of the last phase.
    pub(crate) fn last_phase(&self, game: &HostedGame) -> Option<PathBuf> {
        Some(self.path.join(PHASES).join(phase_names(game).last()?))
    }

    /// The differences between the files of the folder and those that follow from the record.
    pub(crate) fn faults(&self, game: &HostedGame) -> Result<Vec<String>, Failure> {
        let mut faults = Vec::new();
        for (i, name) in phase_names(game).iter().enumerate() {
            let folder = self.path.join(PHASES).join(name);
            let files = phase_files(&game.as_of(i + 1).map_err(Failure::machine)?)?;
            for (file, text) in &files {
                match fs::read(folder.join(file)) {
                    Ok(bytes) if bytes == text.as_bytes() => {}
                    Ok(_) => faults.push(format!("{}: it was changed", folder.join(file).display())),
                    Err(error) => faults.push(format!("{}: {error}", folder.join(file).display())),
                }
            }
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                if !files.iter().any(|(file, _)| entry.file_name() == **file) {
                    faults.push(format!("{}: it is not a file of the game", entry.path().display()));
                }
            }
        }
        faults.extend(self.handed_in(game).err().iter().flat_map(Failure::messages).cloned());
        faults.extend(self.ahead(game).err().iter().flat_map(Failure::messages).cloned());
        Ok(faults)
    }
}

/// The text of a file of orders; `-` is standard input.
pub(crate) fn read_orders(path: &Path) -> Result<String, Failure> {
    let name = path.display();
    let unreadable = |error: io::Error| Failure::input(format!("cannot read `{name}`: {error}"));
    let mut text = String::new();
    let mut source: Box<dyn io::Read> = match path == Path::new("-") {
        true => Box::new(io::stdin()),
        false => Box::new(open_file(path).map_err(unreadable)?),
    };
    source.by_ref().take(MOST_BYTES + 1).read_to_string(&mut text).map_err(unreadable)?;
    match text.len() as u64 > MOST_BYTES {
        true => Err(Failure::input(format!("`{name}` has more than {MOST_BYTES} bytes"))),
        false => Ok(text),
    }
}

/// The lock of the folder.
fn lock(path: &Path) -> Result<File, Failure> {
    let lock = path.join(LOCK);
    let file = File::options().create(true).truncate(false).write(true).open(&lock);
    let file = file.map_err(|error| unwritten(&lock, &error))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            let what = "is in use by another process; repeat the command when that has ended";
            Err(Failure::input(format!("`{}` {what}", path.display())))
        }
        // Some file systems have no locks.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// The names of the folders of all phases.
fn phase_names(game: &HostedGame) -> Vec<String> {
    let stages = game.record().stages.iter().enumerate();
    stages.map(|(i, stage)| format!("{:03}-{}-{}", i + 1, stage.phase, stage.stage)).collect()
}

/// Is it the name of the folder of a phase, complete or not: `001-S1901M-movement`?
fn is_of_phase(name: &str) -> bool {
    let name = name.strip_prefix('.').unwrap_or(name);
    let [number, phase, stage] = name.split('-').collect::<Vec<_>>()[..] else { return false };
    let is_number = number.len() >= 3 && number.bytes().all(|b| b.is_ascii_digit());
    is_number && phase.parse::<Phase>().is_ok() && Stage::NAMES.contains(&stage)
}

/// Makes a folder into which only its owner can look, where the system has such folders.
fn make_private(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

/// The files of the last phase, for the players.
fn phase_files(game: &HostedGame) -> Result<Vec<(String, String)>, Failure> {
    let mut files = Vec::new();
    let record = game.record().seen_by(Reader::Public);
    let Some(stage) = record.stages.last() else { return Ok(files) };
    files.push(("orders.txt".to_owned(), orders_of(stage)));
    for format in PostFormat::ALL {
        let post = Post::after(game, Reader::Public).map(|post| post.render(format));
        files.push((format!("report.{}", format.name()), post.unwrap_or_default()));
    }
    let page = page(game, &record, record.stages.len() - 1)?;
    let pictures = ["orders.svg", "position.svg"].into_iter().zip(page.boards());
    files.extend(pictures.map(|(name, board)| (name.to_owned(), board)));
    files.push(("page.html".to_owned(), page.html()));
    Ok(files)
}

/// The orders of a stage as they counted, in the form of a file of orders.
fn orders_of(stage: &StageRecord) -> String {
    let mut orders = Orders::new();
    for line in stage.orders.iter().filter(|line| !line.was_refused()) {
        orders.entry(line.power.clone()).or_default().push(line.order.clone());
    }
    OrderSheet::to_text(&orders, &stage.heading())
}

/// The page of a game from this stage on, as the record shows it.
pub(crate) fn page<'a>(
    game: &HostedGame,
    record: &'a GameRecord,
    from: usize,
) -> Result<Viewer<'a>, Failure> {
    let mut page = Viewer::since(record, from);
    // The record that is shown lacks what is needed to play it.
    replay(game.record(), game.game().variant().clone(), &mut |state| page.record_state(state))
        .map_err(Failure::machine)?;
    Ok(page)
}

/// The line that names the phase.
pub(crate) fn heading(game: &HostedGame) -> String {
    match game.record().is_over() {
        true => format!("the game is over: {}", game.record().outcome()),
        false => format!("{} ({})", heading_of(game.game()), game.game().phase()),
    }
}
