//! The outcomes of forked games as a Parquet file: a row for each game, province and power.

use parquet::errors::ParquetError;

use super::survey::{Outcomes, Surveyed, SurveyedBranch};
use crate::record::small::{Cells, encode};
use upheaval_map::ids::{Power, PowerNames};

/// The bytes of the table: `game`, `block`, `province` (or the quake, as the text of an order), `power`, the centres
/// `without` any event and with this event `drawn`.
///
/// # Errors
/// The table cannot be encoded.
pub fn outcomes_table(forked: &[Surveyed], powers: &PowerNames) -> Result<Vec<u8>, ParquetError> {
    let rows = || forked.iter().flat_map(rows_of);
    let numbers = |of: fn(&Row<'_>) -> u32| Cells::U32(rows().map(|row| of(&row)).collect());
    let texts = |of: &dyn Fn(&Row<'_>) -> String| Cells::Text(rows().map(|row| Some(of(&row))).collect());
    let columns = [
        ("game", numbers(|row| row.game.game)),
        ("block", numbers(|row| row.game.block)),
        ("province", texts(&|row| row.province.to_owned())),
        ("power", texts(&|row| powers.name(row.power).to_owned())),
        ("without", numbers(|row| row.game.without[row.power].into())),
        ("drawn", numbers(|row| row.outcomes[row.power].into())),
    ];
    encode(columns.map(|(name, cells)| (name.to_owned(), cells)).into(), &[])
}

/// One province and power of a game.
struct Row<'a> {
    game: &'a Surveyed,
    province: &'a str,
    outcomes: &'a Outcomes,
    power: Power,
}

fn rows_of(game: &Surveyed) -> impl Iterator<Item = Row<'_>> {
    game.happened.iter().flat_map(move |SurveyedBranch { what, outcomes, .. }| {
        outcomes.iter().map(move |(power, _)| Row { game, province: what, outcomes, power })
    })
}
