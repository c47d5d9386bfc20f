//! Writes a game record while a game is played, by bots or in a replay.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::form::{
    End, FORMAT, FORMAT_VERSION, GameIdentity, GameRecord, OrderLine, RecordedRules, StageRecord,
};
use crate::record::{BEHAVIOUR_VERSION, EventRow, GameRows, OrderRow, SeatOutcome};
use crate::sim::{Experiment, GameSpec, Player, Recorder, RunLog, Steer};
use upheaval_engine::adjudicate::Request;
use upheaval_engine::ask::Public;
use upheaval_engine::game::Game;
use upheaval_engine::rules::told::EventLine;
use upheaval_engine::rules::variant::Variant;
use upheaval_engine::session::{Session, SessionError};
use upheaval_map::ids::{ByPower, Power, PowerNames, Powers};

/// The run that a game belongs to.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The experiment's name.
    pub experiment: String,
    /// The experiment's hash.
    pub hash: String,
}

impl From<&Experiment> for Origin {
    fn from(experiment: &Experiment) -> Origin {
        Origin { experiment: experiment.resolved.name.clone(), hash: experiment.resolved.canonical().hash }
    }
}

/// Plays a game of a run and writes it down.
pub fn game_record(origin: &Origin, player: &Player, spec: &GameSpec) -> (GameRecord, GameRows) {
    let written = game_record_steered(origin, player, spec, &mut |_| ControlFlow::Continue(()));
    written.unwrap_or_else(|| unreachable!("it has not been stopped"))
}

/// Plays a steered game and writes it down; `None` if it is stopped.
pub(super) fn game_record_steered(
    origin: &Origin,
    player: &Player,
    spec: &GameSpec,
    steer: &mut Steer<'_>,
) -> Option<(GameRecord, GameRows)> {
    let spec = GameSpec { log: RunLog::ORDERS, ..spec.clone() };
    let mut writer = RecordWriter::default();
    let mut tries = 1;
    let record = player.play_steered(&spec, &mut |playing| {
        let (number, game, record) = playing.state();
        if number > tries {
            // The previous attempt was void.
            (tries, writer) = (number, RecordWriter::default());
        }
        writer.record_stage(game, record);
        steer(playing)
    })?;
    Some((writer.finish(origin, player.variant(&spec), &spec, &record, None), record))
}

impl GameSpec {
    /// A game that is not part of a run. Each power is played by a player of this name.
    pub fn without_run(powers: Powers, name: &str, log: RunLog) -> GameSpec {
        let name: Arc<str> = name.into();
        GameSpec {
            variant: 0,
            game: 0,
            block: 0,
            line_up: 0,
            rotation: 0,
            seats: ByPower::new(powers),
            names: Arc::new(ByPower::from_fn(powers, |_| Arc::clone(&name))),
            seed: 0,
            last_year: 0,
            log,
            stop: Default::default(),
        }
    }
}

/// Writes a session's game as far as it has been played, by playing it again. It has the variant's name and no
/// experiment, and its powers are played by orders.
///
/// # Errors
/// The session was imagined, or its game differs when it is played again.
pub fn game_record_of(session: &Session) -> Result<GameRecord, SessionError> {
    let variant = session.variant();
    let powers = session.game().powers();
    let block = u32::try_from(session.block()).unwrap_or(u32::MAX);
    let spec = GameSpec {
        game: block,
        block,
        seed: session.seed(),
        last_year: session.game().last_year(),
        ..GameSpec::without_run(powers, "orders", RunLog::ORDERS)
    };
    let mut writer = RecordWriter::default();
    let begin = |session: &Session| Recorder::new(&spec, session.game());
    let look =
        |session: &Session, recorder: &Recorder| writer.record_stage(session.game(), recorder.record());
    let (again, recorder) = session.play_again(begin, look)?;
    let record = recorder.finish(again.game());
    let origin = Origin { experiment: variant.id.clone(), hash: String::new() };
    Ok(writer.finish(&origin, variant, &spec, &record, session.start()))
}

/// The record of a game so far.
#[derive(Default)]
pub(super) struct RecordWriter {
    pub stages: Vec<StageRecord>,
    orders: usize,
    events: usize,
    last: Option<StageRecord>,
}

impl RecordWriter {
    /// Sees a game before a stage, or at its end: reports since the last call belong to the stage before.
    pub(super) fn record_stage(&mut self, game: &Game, record: &GameRows) {
        if let Some(mut stage) = self.last.take() {
            let powers = game.power_names();
            stage.orders =
                record.orders[self.orders..].iter().map(|row| OrderLine::of(row, powers)).collect();
            stage.events = record.events[self.events..].iter().map(|row| event_line(row, powers)).collect();
            self.stages.push(stage);
        }
        (self.orders, self.events) = (record.orders.len(), record.events.len());
        self.last = Some(head(game));
    }

    fn finish(
        self,
        origin: &Origin,
        variant: &Variant,
        spec: &GameSpec,
        record: &GameRows,
        start: Option<&Request>,
    ) -> GameRecord {
        let power_names = variant.terrain.power_names().clone();
        let game = GameIdentity {
            experiment: origin.experiment.clone(),
            experiment_hash: origin.hash.clone(),
            seed: Some(spec.seed),
            variant: variant.id.clone(),
            game: spec.game,
            block: spec.block,
            line_up: spec.line_up,
            rotation: spec.rotation,
            bots: power_names.by_name(spec.names.iter().map(|(power, name)| (power, name.to_string()))),
            missing: None,
        };
        let seats = record.game.seats.iter();
        let forfeited = seats.filter(|(_, seat)| seat.outcome == SeatOutcome::Forfeited);
        let forfeited = forfeited.map(|(power, _)| power_names.name(power).to_owned()).collect();
        let last = self.last.unwrap_or_else(|| unreachable!("the observer sees a game at its end"));
        let end = End { forfeited, ..End::at(last, record, &power_names) };
        let mut game_record = GameRecord {
            format: FORMAT.to_owned(),
            format_version: FORMAT_VERSION,
            behaviour_version: BEHAVIOUR_VERSION,
            game,
            rules: RecordedRules { id: variant.id.clone(), files: variant.files.clone() },
            last_year: spec.last_year,
            stop: Some(spec.stop).filter(|rule| !rule.is_never()),
            start: start.cloned().map(Box::new),
            stages: self.stages,
            end,
            digest: String::new(),
            power_names,
        };
        game_record.digest = game_record.digest_of_rest();
        game_record
    }
}

impl End {
    /// The end of a game in this state, as its rows say.
    pub(super) fn at(last: StageRecord, rows: &GameRows, powers: &PowerNames) -> End {
        End {
            phase: last.phase,
            state: last.state,
            map: last.map,
            end: rows.game.end.name().to_owned(),
            winner: rows.game.winner.map(|winner| powers.name(winner).to_owned()),
            forfeited: Vec::new(),
            units: last.units,
            centres: last.centres,
        }
    }
}

/// The state of a game before a stage, which has no decisions yet.
pub(super) fn head(game: &Game) -> StageRecord {
    StageRecord {
        phase: game.phase().to_string(),
        stage: game.stage().name().to_owned(),
        state: hex(game.hash()),
        map: hex(game.terrain().hash()),
        units: game.world().written_units(),
        centres: game.world().written_centres(),
        dislodged: Public::of(game).retreating(),
        given: BTreeMap::new(),
        orders: Vec::new(),
        events: Vec::new(),
    }
}

pub(super) fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}

impl OrderLine {
    /// A row of the table, in a game of these powers.
    pub(super) fn of(row: &OrderRow, powers: &PowerNames) -> OrderLine {
        OrderLine {
            power: powers.name(row.power).to_owned(),
            order: row.order.to_string(),
            result: row.result.to_string(),
            reason: row.reason.as_deref().map(str::to_owned),
        }
    }
}

/// A row of the table `events`, in a game of these powers.
pub(super) fn event_line(row: &EventRow, powers: &PowerNames) -> EventLine {
    let name = |power: Option<Power>| power.map(|power| powers.name(power).to_owned());
    let text = |text: &Option<crate::record::Text>| text.as_deref().map(str::to_owned);
    EventLine {
        kind: row.kind.name().to_owned(),
        province: text(&row.province),
        power: name(row.power),
        other: name(row.other),
        unit: row.unit.map(|unit| unit.name().to_owned()),
        detail: text(&row.detail),
    }
}
