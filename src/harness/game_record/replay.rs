//! Replay of a game record: without bots, and without random draws.

use std::sync::Arc;

use super::form::{GameRecord, OrderLine, StageRecord};
use super::recorded::{RecordedNature, Reported, Unusable};
use super::writer::{RecordWriter, head, hex};
use crate::game_record::recorded;
use crate::record::{BEHAVIOUR_VERSION, EventKind, GameEnd};
use crate::sim::{GameSpec, Recorder, RunLog};
use upheaval_engine::ask::Retreating;
use upheaval_engine::game::{Ending, Game, Referee, Stage};
use upheaval_engine::rules::event::{Both, Log};
use upheaval_engine::rules::told::EventLine;
use upheaval_engine::rules::variant::Variant;
use upheaval_map::ids::{Power, PowerNames};

/// A difference between a game record and the game that its own orders produce.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{phase}: {what}{}", if *.behaviour == BEHAVIOUR_VERSION { String::new() } else {
    format!(" (it was played by behaviour version {behaviour}, but this program has {BEHAVIOUR_VERSION})")
})]
pub struct Mismatch {
    /// The phase in which it was found.
    pub phase: String,
    /// What differs.
    pub what: String,
    /// The behaviour version of the game record.
    pub behaviour: u32,
}

/// Plays a game record again from start to end, and compares the hash of the game before every stage, each order's
/// result, all events, and the end.
///
/// `observe` receives the game before each stage and at its end.
///
/// # Errors
/// The first mismatch.
pub fn replay(
    game_record: &GameRecord,
    variant: Arc<Variant>,
    observe: &mut dyn FnMut(&Game),
) -> Result<Game, Mismatch> {
    let mut replay = Replay::new(game_record, variant)?;
    while let Some(stage) = replay.next()? {
        observe(replay.game());
        replay.settle(stage, &mut ())?;
    }
    let game = replay.finish()?;
    observe(&game);
    Ok(game)
}

/// A game record that is played again stage by stage.
pub struct Replay<'a> {
    game_record: &'a GameRecord,
    game: Game,
    referee: Referee,
    /// The stages that are still to come.
    ahead: &'a [StageRecord],
}

impl<'a> Replay<'a> {
    /// Begins the replay of a game record.
    ///
    /// # Errors
    /// It starts from a state that is none of the variant.
    pub fn new(game_record: &'a GameRecord, variant: Arc<Variant>) -> Result<Replay<'a>, Mismatch> {
        let mut game = match &game_record.start {
            Some(start) => start.resume(variant).map(|(game, _)| game).map_err(|fault| Mismatch {
                phase: start.phase.clone(),
                what: format!("its start: {fault}"),
                behaviour: game_record.behaviour_version,
            })?,
            None => Game::new(variant, game_record.last_year),
        };
        game.set_last_year(game_record.last_year);
        let game = game.stopped_by(game_record.stop.unwrap_or_default());
        Ok(Replay { game_record, game, referee: Referee::new(), ahead: &game_record.stages })
    }

    /// The current game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    fn differs(&self, phase: &str, what: String) -> Mismatch {
        Mismatch { phase: phase.to_owned(), what, behaviour: self.game_record.behaviour_version }
    }

    fn differs_here(&self, what: String) -> Mismatch {
        self.differs(&self.game.phase().to_string(), what)
    }

    /// Plays the next stage; `log` receives the reports of the game. Faults of bots are not part of a game and are not
    /// reported. Returns whether there was a stage to play.
    ///
    /// # Errors
    /// The first mismatch. From then on the game differs from the record and must not be used.
    pub fn step(&mut self, log: &mut dyn Log) -> Result<bool, Mismatch> {
        match self.next()? {
            Some(stage) => self.settle(stage, log).map(|()| true),
            None => Ok(false),
        }
    }

    /// The next stage; the position before it agrees with the game record.
    fn next(&mut self) -> Result<Option<&'a StageRecord>, Mismatch> {
        let Some((stage, ahead)) = self.ahead.split_first() else { return Ok(None) };
        same_state(&self.game, stage).map_err(|what| self.differs_here(what))?;
        self.ahead = ahead;
        Ok(Some(stage))
    }

    fn settle(&mut self, stage: &StageRecord, log: &mut dyn Log) -> Result<(), Mismatch> {
        let told =
            settle(&mut self.game, &mut self.referee, stage, log).map_err(|Unusable { order, why }| {
                self.differs(&stage.phase, format!("the order `{order}`: {why}"))
            })?;
        same_story(stage, &told, self.game.power_names()).map_err(|what| self.differs(&stage.phase, what))
    }

    /// Ends the replay after the last stage.
    ///
    /// # Errors
    /// The game is not over, although its record does not say that it is unfinished, or ends differently.
    pub fn finish(self) -> Result<Game, Mismatch> {
        if self.game.stage() != Stage::Over && self.game_record.is_over() {
            return Err(self.differs_here("the file ends here, but the game continues".to_owned()));
        }
        same_end(&self.game, self.game_record).map_err(|what| self.differs_here(what))?;
        if self.game_record.digest != self.game_record.digest_of_rest() {
            let what = "the orders and events are those of the game, but the rest of the file was changed: its \
                        digest is different";
            return Err(self.differs_here(what.to_owned()));
        }
        Ok(self.game)
    }
}

/// The difference between the position of the game and that of the file, if there is one.
fn same_state(game: &Game, stage: &StageRecord) -> Result<(), String> {
    if game.stage() == Stage::Over {
        return Err(format!("the game is over, but the file continues with {} {}", stage.phase, stage.stage));
    }
    let now = head(game);
    let both = [
        ("the phase", &stage.phase, &now.phase),
        ("the stage", &stage.stage, &now.stage),
        ("the hash of the map", &stage.map, &now.map),
    ];
    for (what, kept, told) in both {
        if kept != told {
            return Err(format!("{what} is {kept} in the file, but {told} in the game"));
        }
    }
    for power in game.power_names().iter() {
        for (what, kept, told) in [
            ("units", stage.units.get(power), now.units.get(power)),
            ("centres", stage.centres.get(power), now.centres.get(power)),
        ] {
            let list = |list: Option<&Vec<String>>| match list {
                Some(list) if !list.is_empty() => list.join(", "),
                _ => "none".to_owned(),
            };
            let (kept, told) = (list(kept), list(told));
            if kept != told {
                return Err(format!("the {what} of {power} are {kept} in the file, but {told} in the game"));
            }
        }
    }
    // Records did not number equal units once.
    let unnumbered = |unit: &Retreating| {
        let text = unit.unit.split('#').next().unwrap_or_default();
        (unit.power.clone(), text.to_owned(), unit.options.clone())
    };
    if !stage.dislodged.iter().map(unnumbered).eq(now.dislodged.iter().map(unnumbered)) {
        return Err("the file has other units that must retreat".to_owned());
    }
    if stage.state != now.state {
        return Err(format!(
            "the hash of the game is {} in the file, but {} in the game",
            stage.state, now.state
        ));
    }
    Ok(())
}

/// Settles a stage with the decisions of the file, and returns what the engine reported.
fn settle(
    game: &mut Game,
    referee: &mut Referee,
    stage: &StageRecord,
    log: &mut dyn Log,
) -> Result<StageRecord, Unusable> {
    let mut reported = Reported::default();
    let mut told = RecordedNature::new(&stage.events, &game.world().terrain, &reported);
    let spec = GameSpec::without_run(game.powers(), "", RunLog::ORDERS);
    let mut recorder = Recorder::new(&spec, game);
    let mut writer = RecordWriter::default();
    writer.record_stage(game, recorder.record());
    let mut others = Both { first: &mut reported, second: log };
    let mut heard = Both { first: &mut recorder, second: &mut others };
    let mut answers = referee.answers(game);
    for (power, decision) in recorded::given(game, &stage.orders)? {
        answers.put(power, &decision);
    }
    for power in game.powers() {
        let declared = game.asks(power).into_iter();
        declared
            .filter_map(|ask| recorded::decided(&stage.events, game.terrain(), power, &ask))
            .for_each(|decision| answers.put(power, &decision));
    }
    game.settle(referee, &answers, &mut told, &mut heard);
    referee.give_back(answers);
    writer.record_stage(game, recorder.record());
    Ok(writer.stages.pop().unwrap_or_else(|| head(game)))
}

/// The difference between the orders and events of the file and those of the game, if there is one. Faults of bots are
/// not part of the game.
fn same_story(kept: &StageRecord, told: &StageRecord, powers: &PowerNames) -> Result<(), String> {
    let order = |line: &OrderLine| {
        let reason = line.reason.as_ref().map_or(String::new(), |reason| format!(" ({reason})"));
        format!("`{} {}`: {}{reason}", line.power, line.order, line.result)
    };
    let event = |line: &EventLine| format!("`{}`", line.display(powers));
    let orders = kept.orders.iter().filter(|line| !line.was_refused());
    let events = kept.events.iter().filter(|line| line.kind != EventKind::BotFault.name());
    same_lines(orders, &told.orders, "no more orders", order)?;
    same_lines(events, &told.events, "nothing more", event)
}

/// The first line in which a list of the file differs from that of the game, if there is one.
fn same_lines<'a, T: PartialEq>(
    mut kept: impl Iterator<Item = &'a T>,
    told: &'a [T],
    none: &str,
    text: impl Fn(&T) -> String,
) -> Result<(), String> {
    let text = |line: Option<&T>| line.map_or(none.to_owned(), &text);
    let mut told = told.iter();
    loop {
        match (kept.next(), told.next()) {
            (None, None) => return Ok(()),
            (kept, told) if kept == told => {}
            (kept, told) => {
                return Err(format!("the file has {}, but the game has {}", text(kept), text(told)));
            }
        }
    }
}

fn same_end(game: &Game, game_record: &GameRecord) -> Result<(), String> {
    let (now, end) = (head(game), &game_record.end);
    let kept = StageRecord {
        phase: end.phase.clone(),
        state: end.state.clone(),
        map: end.map.clone(),
        units: end.units.clone(),
        centres: end.centres.clone(),
        // The record of an unfinished game does not say for what it waits, nor for whom.
        stage: now.stage.clone(),
        dislodged: now.dislodged.clone(),
        ..StageRecord::default()
    };
    if kept != now {
        return Err(match end.state == hex(game.hash()) {
            true => "the file has other units or centres, or another map, at the end".to_owned(),
            false => {
                format!("the hash of the end is {} in the file, but {} in the game", end.state, now.state)
            }
        });
    }
    same_outcome(game, game_record)
}

/// The difference between the outcome of the game for the powers and that of the file. Forfeits follow from the
/// experiment's policy, so the file is trusted where the power's bot was at fault.
fn same_outcome(game: &Game, game_record: &GameRecord) -> Result<(), String> {
    let end = &game_record.end;
    let at_fault = |power: &str| {
        let mut events = game_record.stages.iter().flat_map(|stage| &stage.events);
        events.any(|event| event.kind == EventKind::BotFault.name() && event.power.as_deref() == Some(power))
    };
    if let Some(power) = end.forfeited.iter().find(|power| !at_fault(power)) {
        return Err(format!("{power} has forfeited in the file, although its bot was never at fault there"));
    }
    let names = game.power_names();
    let has_claim = |power: &Power| !end.forfeited.iter().any(|name| name == names.name(*power));
    let (winner, draw) = match game.ending() {
        Some(Ending::Solo(winner)) => (Some(*winner).filter(has_claim), Vec::new()),
        Some(Ending::Draw(powers)) => (None, powers.iter().copied().filter(has_claim).collect()),
        None => (None, Vec::new()),
    };
    let text = |end: &str, winner: Option<&str>| match winner {
        Some(winner) => format!("{end} of {winner}"),
        None => end.to_owned(),
    };
    let kept = text(&end.end, end.winner.as_deref());
    let ending = match game.ending() {
        None => GameEnd::Unfinished,
        Some(_) if game.was_stopped() => GameEnd::Stopped,
        Some(_) => GameEnd::of(winner, &draw),
    };
    let told = text(ending.name(), winner.map(|winner| names.name(winner)));
    match kept == told {
        true => Ok(()),
        false => Err(format!("the end is {kept} in the file, but {told} in the game")),
    }
}
