//! The tables of a search: each setting in each round, and each block.

use crate::tune::file::SeedStage;
use crate::tune::goal::Aspect;
use crate::tune::race::{ArmStanding, Within};
use crate::tune::search::TuneSearch;
use upheaval_harness::record::small::{Cells, encode};

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
            ("upheaval.search", search.tuning().experiment.name.clone()),
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
    let own =
        tuning.experiment.power_names.iter().filter(|_| crate::tune::answer::is_share(tuning.objective));
    let names: Vec<String> = own.map(str::to_lowercase).collect();
    let (mut stage, mut arm, mut bot) = (Vec::new(), Vec::new(), Vec::new());
    let (mut block, mut games) = (Vec::new(), Vec::new());
    let mut aspects: Vec<Vec<Option<f64>>> = vec![Vec::new(); Aspect::ALL.len()];
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
                    for (values, aspect) in aspects.iter_mut().zip(Aspect::ALL) {
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
    let aspect_names = Aspect::ALL.into_iter().map(|aspect| aspect.name().to_owned());
    columns.extend(aspect_names.zip(aspects.into_iter().map(Cells::F64)));
    columns.extend(names.into_iter().zip(shares.into_iter().map(Cells::F64)));
    columns
}
