//! Games before a stage, to be continued without random draws.

use std::sync::Arc;
use std::time::{Duration, Instant};

use upheaval::game::{Game, Referee, Stage};
use upheaval::ids::{Power, Powers, ProvinceId, ProvinceSet};
use upheaval::play::play_stage;
use upheaval::rules::answers::Answers;
use upheaval::rules::changes::{Changes, Entry, FaceChange, Which};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::nature::{HowMany, Nature};
use upheaval::rules::position::Phase;
use upheaval::rules::variant::Variant;
use upheaval::topology::HalfEdgeId;

use super::seats::{Table, bot, nature, variant};

/// How often a phase is played in a row. A pair of clock readings then takes some thousandths of the time.
const IN_A_ROW: usize = 8;

/// Random games of a variant before each stage of this kind.
pub fn snapshots(variant: &Arc<Variant>, last_year: u16, games: u64, stage: Stage) -> Vec<Game> {
    let mut referee = Referee::new();
    let mut snapshots = Vec::new();
    for block in 0..games {
        let mut game = Game::new(Arc::clone(variant), last_year);
        let mut table = Table::of(&bot("random"), block);
        while game.stage() != Stage::Over {
            if game.stage() == stage {
                snapshots.push(game.clone());
            }
            play_stage(&mut game, &mut referee, &mut table.seats(), &mut nature(block), &mut ());
        }
    }
    snapshots
}

/// Movement phases of random games of a variant in their order, each to be played again without draws: the cost of a
/// phase on the variant's maps, without their changes.
pub struct Phases {
    snapshots: Vec<Game>,
    referee: Referee,
    table: Table,
    row: Vec<Game>,
}

impl Phases {
    /// The phases of this many games.
    pub fn new(id: &str, last_year: u16, games: u64) -> Phases {
        let variant = variant(id);
        let still = still(&variant);
        let snapshots = snapshots(&variant, last_year, games, Stage::Movement)
            .into_iter()
            .map(|game| match &still {
                Some(still) => {
                    Game::resumed(Arc::clone(still), last_year, game.world().clone(), game.phase())
                }
                None => game,
            })
            .collect();
        let table = Table::of(&bot("random"), u64::MAX);
        let mut phases = Phases { snapshots, referee: Referee::new(), table, row: Vec::new() };
        // Lazily derived data of a map are computed here, as they are available in most phases of a game.
        phases.pass();
        phases
    }

    /// The number of phases.
    pub fn len(&self) -> usize {
        self.snapshots.len()
    }

    /// The average number of units in a phase.
    pub fn units(&self) -> f64 {
        let units: usize = self.snapshots.iter().map(|game| game.world().position.occupied().len()).sum();
        units as f64 / self.len() as f64
    }

    /// Plays every phase once.
    pub fn pass(&mut self) {
        for snapshot in &self.snapshots {
            play_phase(&mut snapshot.clone(), &mut self.referee, &mut self.table);
        }
    }

    /// The time of a pass over all phases. Each is played once unmeasured, since in a game the tables of its map have
    /// just been made or used, and then several times in a row with other dice.
    pub fn timed_pass(&mut self) -> Duration {
        let mut total = Duration::ZERO;
        for snapshot in &self.snapshots {
            play_phase(&mut snapshot.clone(), &mut self.referee, &mut self.table);
            self.row.clear();
            self.row.extend((0..IN_A_ROW).map(|_| snapshot.clone()));
            let begun = Instant::now();
            for game in &mut self.row {
                play_phase(game, &mut self.referee, &mut self.table);
            }
            total += begun.elapsed();
        }
        total / IN_A_ROW as u32
    }
}

/// Plays on to the next movement phase, without draws and without seismic orders.
fn play_phase(game: &mut Game, referee: &mut Referee, table: &mut Table) {
    let season = |game: &Game| (game.phase().year, game.phase().season);
    let begin = season(game);
    while game.stage() != Stage::Over && (game.stage() != Stage::Movement || season(game) == begin) {
        match game.stage() {
            // The bots are not asked: otherwise a list would be made for this map.
            Stage::Seismic => {
                game.settle(referee, &Answers::none(Powers::STANDARD), &mut Still, &mut ());
            }
            _ => play_stage(game, referee, &mut table.seats(), &mut Still, &mut ()),
        }
    }
}

/// The variant without changes of the map that need no draw: water that rises by a list.
fn still(variant: &Variant) -> Option<Arc<Variant>> {
    let schedules = |(_, change): &(_, &FaceChange)| matches!(change.which, Which::Scheduled(_));
    variant.changes.faces().find(schedules)?;
    Some(Arc::new(Variant { changes: Changes::default(), ..variant.clone() }))
}

/// A nature in which nothing happens.
struct Still;

impl Nature for Still {
    fn faces(&mut self, _: Phase, _: &Entry, _: &MapTables, _: &ProvinceSet, _: HowMany) -> Vec<ProvinceId> {
        Vec::new()
    }

    fn exempt(&mut self, _: Phase, _: &str, _: Power, _: &ProvinceSet) -> Option<ProvinceId> {
        None
    }

    fn ends(&mut self, _: Phase, _: &MapTables, _: ProvinceId) -> Option<[HalfEdgeId; 2]> {
        None
    }

    fn half(&mut self, _: Phase, _: &MapTables, halves: &[ProvinceId]) -> Option<ProvinceId> {
        halves.first().copied()
    }
}
