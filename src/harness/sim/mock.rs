//! A catalogue and a player for tests: no rules, just rows that depend on the game's key.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};

use super::bots::{BotRecipe, BotSection};
use super::experiment::{BotEntry, BotOrigin, Catalogue, Experiment, LookupError, Overrides, VariantEntry};
use super::resolved::ResolvedExperiment;
use super::schedule::{GameSpec, Schedule};
use crate::record::{
    DistanceRow, EventKind, EventRow, GameEnd, GameRow, GameRows, LeadHistory, MapRow, OrderRow, SeatOutcome,
    SeatRow, SeatRows, TopologyRow, TurnCounts, TurnRow,
};
use upheaval_engine::bot::{BotMaker, BotSetting, Pace};
use upheaval_engine::diagnostic::Source;
use upheaval_engine::rules::position::{Phase, PhaseKind, Season};
use upheaval_engine::rules::variant::Variant;
use upheaval_engine::rules::variant::setting::Setting;
use upheaval_map::ids::{Designation, Power, Powers};
use upheaval_map::rng::{Purpose, Stream};
use upheaval_map::topology::{GraphMetrics, HomeDistances, Metrics};

/// Two variants and two bots.
pub struct MockRegistry;

impl Catalogue for MockRegistry {
    fn variants(&self) -> Vec<String> {
        vec!["black-hole".into(), "standard".into()]
    }
    fn variant(&self, name: &str, _: &Path) -> Result<VariantEntry, LookupError> {
        match name {
            "standard" | "black-hole" => Ok(entry(name, STANDARD.content())),
            _ => Err(LookupError::Unknown),
        }
    }
    /// Only Black Hole has parameters, the holes.
    fn has_parameter(&self, name: &str, _: &Path, parameter: &str) -> bool {
        name == "black-hole" && parameter.starts_with("changes.holes")
    }
    fn variant_with(
        &self,
        name: &str,
        base: &Path,
        id: &str,
        settings: &[Setting],
    ) -> Result<VariantEntry, LookupError> {
        self.variant(name, base)?;
        let set: Vec<String> = settings.iter().map(Setting::to_string).collect();
        Ok(entry(id, json!({ "variant": name, "set": set })))
    }
    fn bots(&self) -> Vec<String> {
        vec!["greedy".into(), "random".into()]
    }
    fn bot(&self, name: &str, _: &Path) -> Result<BotEntry, LookupError> {
        match name {
            "greedy" | "random" => {
                let (origin, pace) = (BotOrigin::Shipped, Pace::Quick);
                Ok(BotEntry { name: name.into(), origin, content: json!({}), pace, maker: idle() })
            }
            _ => Err(LookupError::Unknown),
        }
    }
    fn settings(&self, kind: &str) -> Result<&'static [BotSetting], String> {
        const ROLLOUTS: BotSetting =
            BotSetting { name: "rollouts", meaning: "none", least: 1, most: 1000, default: 1 };
        match kind {
            "greedy" => Ok(&[ROLLOUTS]),
            _ => Err(format!("there is no kind `{kind}`")),
        }
    }
    fn described(&self, section: &BotSection, _: &Path) -> Result<BotEntry, LookupError> {
        let origin = match &section.recipe {
            BotRecipe::Program(program) => BotOrigin::Guest(program.repeats),
            BotRecipe::Kind { .. } => BotOrigin::Shipped,
        };
        let content = json!(format!("{:?}", section.recipe));
        Ok(BotEntry { name: section.name.clone(), origin, content, pace: Pace::Slow, maker: idle() })
    }
}

static STANDARD: LazyLock<Variant> =
    LazyLock::new(|| Variant::find("standard", Path::new("")).ok().flatten().expect("it ships"));

/// The standard game under another name.
fn entry(id: &str, content: Value) -> VariantEntry {
    VariantEntry {
        variant: Arc::new(Variant { id: id.to_owned(), ..STANDARD.clone() }),
        content,
        swept: None,
    }
}

/// Makes bots that order nothing.
fn idle() -> BotMaker {
    BotMaker::new(|| Box::new(()))
}

/// An experiment on two variants; `seats` is `fixed`, `rotated`, `shuffled` or `orders`.
pub fn experiment(seats: &str, games: u32) -> Experiment {
    let seats = match seats {
        "rotated" => {
            "seats.lineup = [\"greedy\", \"random\", \"greedy\", \"greedy\", \"greedy\", \"greedy\", \"greedy\"]"
        }
        "shuffled" => {
            "seats.lineup = [\"greedy\", \"random\", \"random\", \"greedy\", \"greedy\", \"greedy\", \"greedy\"]\n\
             seats.shuffle = true"
        }
        "orders" => "seats.all = \"greedy\"\nlog.orders = true",
        _ => "seats.all = \"greedy\"",
    };
    let text = format!(
        "name = \"mock\"\nvariants = [\"standard\", \"black-hole\"]\ngames = {games}\nseed = 5\n\
         last_year = 1930\n{seats}\n"
    );
    Experiment::check(&Source::new("mock.toml", text), Path::new(""), &Overrides::default(), &MockRegistry)
        .unwrap()
}

/// The experiment with this change.
pub fn with(experiment: &Experiment, change: impl FnOnce(&mut ResolvedExperiment)) -> Experiment {
    let mut changed = experiment.clone();
    change(&mut changed.resolved);
    changed
}

/// A game of the `orders` experiment.
pub fn game(game: u32) -> GameRows {
    static SCHEDULE: LazyLock<Schedule> = LazyLock::new(|| experiment("orders", 1000).schedule());
    play(&SCHEDULE.game(0, game))
}

/// "Plays" a game.
pub fn play(spec: &GameSpec) -> GameRows {
    let start = Phase { year: 0, season: Season::Spring, kind: PhaseKind::Movement };
    let mut nature = spec.nature().stream(Purpose::Nature("holes"), start, 0);
    let mut dice = spec.dice().opening(Power::AUSTRIA);
    let years = 1 + nature.below(20) as u16;
    let phase = |year: u16, season, kind| Phase { year: 1900 + year, season, kind };
    let mut record = GameRows {
        game: GameRow {
            game: spec.game,
            block: spec.block,
            line_up: spec.line_up,
            rotation: spec.rotation,
            end: GameEnd::Draw,
            winner: None,
            draw_size: 7,
            last_phase: phase(years, Season::Winter, PhaseKind::Adjustments),
            years,
            board_centres: 34,
            extant_centres: 34,
            centres_to_win: 18,
            holes: nature.below(5) as u16,
            voided: 0,
            state_hash: dice.next_u64(),
            course: LeadHistory {
                lead_changes: (spec.game % 5) as u8,
                decided: (!spec.game.is_multiple_of(7)).then_some(1900 + years),
                closeness: Some((spec.game * 37 % 1001) as u16),
                drama: (!spec.game.is_multiple_of(7)).then_some((spec.game * 11 % 400) as u16),
            },
            seats: SeatRows::from_fn(Powers::STANDARD, |power| SeatRow {
                game: spec.game,
                power,
                bot: spec.names[power].clone(),
                outcome: SeatOutcome::Drew,
                place: 1,
                centres: dice.below(9) as u16,
                units: 3,
                eliminated_year: None,
                fault: Default::default(),
                faults: 0,
            }),
        },
        turns: Vec::new(),
        topology: Vec::new(),
        maps: Vec::new(),
        distances: Vec::new(),
        events: Vec::new(),
        orders: Vec::new(),
    };
    let winner = Powers::STANDARD.get(dice.below(7) as usize).expect("a power");
    match dice.below(5) {
        0 => {
            record.game.end = GameEnd::Solo;
            record.game.winner = Some(winner);
            record.game.draw_size = 0;
            for (power, seat) in record.game.seats.iter_mut() {
                seat.outcome = if power == winner { SeatOutcome::Won } else { SeatOutcome::Survived };
            }
        }
        1 => {
            let seat = &mut record.game.seats[winner];
            (seat.outcome, seat.eliminated_year) = (SeatOutcome::Eliminated, Some(1900 + years));
            (seat.centres, seat.units, record.game.draw_size) = (0, 0, 6);
        }
        _ => {}
    }
    let mut map = (Arc::new(measures(&mut nature)), nature.next_u64());
    for turn in 0..years * 2 {
        let (year, season) = (1901 + turn / 2, if turn % 2 == 0 { Season::Spring } else { Season::Fall });
        if dice.below(2) == 0 {
            map = (Arc::new(measures(&mut dice)), dice.next_u64());
        }
        for [power, other] in HomeDistances::pairs(Powers::STANDARD) {
            if turn == 0 || dice.below(9) == 0 {
                let steps = dice.below(40);
                let distance = (steps > 3).then_some(steps as f32 / 9.0);
                record.distances.push(DistanceRow { game: spec.game, turn, power, other, distance });
            }
        }
        for power in Powers::STANDARD {
            record.turns.push(TurnRow {
                game: spec.game,
                turn,
                year,
                season,
                power,
                counts: TurnCounts {
                    centres: 2 + dice.below(5) as u8,
                    home_centres: dice.below(4) as u8,
                    armies: 1 + dice.below(3) as u8,
                    fleets: dice.below(3) as u8,
                    built: dice.below(2) as u8,
                    removed: dice.below(2) as u8,
                    dislodged: dice.below(2) as u8,
                    lost: dice.below(2) as u8,
                    gained: dice.below(2) as u8,
                    holds: dice.below(4) as u8,
                    moves: dice.below(6) as u8,
                    supports: dice.below(4) as u8,
                    convoys: dice.below(2) as u8,
                    special: 0,
                    choices: (turn % 2 == 0).then(|| dice.below(900) as u16),
                },
            });
            record.events.push(EventRow {
                game: spec.game,
                sequence: record.events.len() as u32,
                phase: phase(year - 1900, season, PhaseKind::Movement),
                kind: EventKind::ALL[dice.below(EventKind::ALL.len() as u32) as usize],
                province: Some(["PAR", "BUR", "MUN", "BUR.1"][dice.below(4) as usize].into()),
                power: Some(power),
                other: None,
                unit: Some(Designation::Army),
                detail: None,
            });
            for _ in 0..4 * u8::from(spec.log.orders) {
                record.orders.push(OrderRow {
                    game: spec.game,
                    phase: phase(year - 1900, season, PhaseKind::Movement),
                    power,
                    unit: Some("A PAR".into()),
                    order: ["A PAR - BUR", "A PAR H"][dice.below(2) as usize].into(),
                    result: "bounce".into(),
                    reason: Some("bounce with A MUN".into()),
                });
            }
        }
        record.maps.push(MapRow {
            game: spec.game,
            turn,
            phase: phase(year - 1900, season, PhaseKind::Movement),
            events: record.events.len() as u32,
            extant_centres: 34,
            topology_hash: map.1,
            map: Arc::clone(&map.0),
        });
        record.topology.push(TopologyRow {
            game: spec.game,
            turn,
            year,
            season,
            extant_centres: 34 - dice.below(5) as u16,
            owned_centres: 20 + dice.below(5) as u16,
            topology_hash: map.1,
            map: Arc::clone(&map.0),
        });
    }
    record
}

/// Invented measures of a map that cannot exist.
fn measures(dice: &mut Stream) -> Metrics {
    let mut some = |least: u16, below: u32| least + dice.below(below) as u16;
    let [army, fleet] = [(); 2].map(|()| GraphMetrics {
        edges: some(130, 20),
        components: some(1, 3),
        diameter: some(8, 3),
        cut_vertices: some(0, 5),
    });
    Metrics {
        land: some(50, 6),
        sea: some(17, 3),
        impassable: some(0, 2),
        outside: 1,
        holes: some(0, 5),
        voids: some(0, 3),
        borders: some(205, 20),
        corners: some(130, 20),
        components: some(1, 2),
        islands: some(1, 2),
        army,
        fleet,
        coasts: some(40, 5),
        multi_coast: some(2, 3),
    }
}
