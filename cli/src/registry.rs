//! The bots, variants and boards that ship, and the look-up of one by its name or file.

use std::io;
use std::path::Path;

use upheaval::bot::BotKind;
use upheaval::diagnostic::{Source, open_file, suggest};
use upheaval::game_record::GameRecord;
use upheaval::ids::{Power, PowerNames};
use upheaval::rules::variant::Variant;
use upheaval::sim::Registry;
use upheaval::topology::{NamedMap, atlas};

use crate::failure::Failure;

/// The variants that ship, and the bots, with external programs.
pub(crate) fn registry() -> Registry {
    Registry::new(kinds()).with_programs(upheaval_bots::external::PROGRAMS)
}

/// The bots that ship, by name.
pub(crate) fn kinds() -> impl Iterator<Item = BotKind> {
    let mut kinds: Vec<BotKind> = upheaval_bots::KINDS.into_iter().chain(upheaval_learned::KINDS).collect();
    kinds.sort_by_key(|kind| kind.name);
    kinds.into_iter()
}

/// The bot of this name.
pub(crate) fn find_bot(name: &str) -> Result<BotKind, Failure> {
    let unknown = || {
        let known = suggest(name, kinds().map(|kind| kind.name));
        Failure::input(format!("there is no bot `{name}`; {known}"))
    };
    kinds().find(|kind| kind.name == name).ok_or_else(unknown)
}

/// The variant of this id, or in this file.
pub(crate) fn find_variant(name: &str) -> Result<Variant, Failure> {
    let unknown = || {
        let known = suggest(name, Variant::shipped());
        Failure::input(format!("there is no variant `{name}`; {known}, or a path that ends in `.toml`"))
    };
    Variant::find(name, Path::new(""))?.ok_or_else(unknown)
}

/// The power of this name on a board, in letters of any case.
pub(crate) fn find_power(powers: &PowerNames, name: &str) -> Result<Power, Failure> {
    let name = name.trim();
    powers.find(&name.to_uppercase()).ok_or_else(|| {
        let known = suggest(name, powers.iter());
        Failure::input(format!("there is no power `{name}` on this board; {known}"))
    })
}

/// The game in this file.
pub(crate) fn find_record(file: &Path) -> Result<GameRecord, Failure> {
    let name = file.display();
    let text = open_file(file)
        .and_then(io::read_to_string)
        .map_err(|error| Failure::input(format!("cannot read `{name}`: {error}")))?;
    Ok(GameRecord::parse(&name.to_string(), &text)?)
}

/// The board of this name, or in this file.
pub(crate) fn find_map(name: &str) -> Result<NamedMap, Failure> {
    if let Some(board) = atlas::find(name) {
        return Ok(board);
    }
    if !is_file(name) {
        return Err(unknown_board("map", name, atlas::shipped()));
    }
    let source = Source::read(Path::new(name)).map_err(Failure::input)?;
    atlas::parse(source.name(), source.text()).map_err(Failure::input)
}

/// The board of a variant, or a board by itself, with its name for titles.
pub(crate) fn find_board(name: &str) -> Result<(String, NamedMap), Failure> {
    let is_map = match Variant::shipped().any(|known| known == name) {
        true => false,
        false if atlas::find(name).is_some() => true,
        false if is_file(name) => {
            // Every face of a map has this key, and no variant has it.
            Source::read(Path::new(name)).map_err(Failure::input)?.text().contains("neighbours_ccw")
        }
        false => {
            let boards = atlas::shipped().filter(|board| Variant::shipped().all(|variant| variant != *board));
            let known = Variant::shipped().chain(boards);
            return Err(unknown_board("variant or board", name, known));
        }
    };
    if is_map { named_map(name) } else { board_of_variant(name) }
}

/// The board of the variant of this id, or in this file, with its name for titles.
pub(crate) fn board_of_variant(name: &str) -> Result<(String, NamedMap), Failure> {
    find_variant(name).map(|variant| (variant.id.clone(), variant.terrain.chart().clone()))
}

/// The board of this name, or in this file, with its name for titles: of a file, without folder and extension.
pub(crate) fn named_map(name: &str) -> Result<(String, NamedMap), Failure> {
    let path = Path::new(name);
    let title = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    find_map(name).map(|board| (title, board))
}

fn unknown_board(what: &str, name: &str, known: impl Iterator<Item = &'static str>) -> Failure {
    let known = suggest(name, known);
    Failure::input(format!("there is no {what} `{name}`; {known}, or a path that ends in `.toml` or `.json`"))
}

fn is_file(name: &str) -> bool {
    [".toml", ".json"].iter().any(|ending| name.ends_with(ending))
}
