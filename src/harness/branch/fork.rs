//! A game of a run, forked: its futures with and without the change, and why a game cannot be forked.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use rayon::prelude::*;
use upheaval_engine::ask::{Answer, Ask, Faculty, Handicap, Observation};
use upheaval_engine::bot::{Bot, Decision};
use upheaval_engine::game::{Game, Stage};
use upheaval_engine::reading::OrderForm;
use upheaval_engine::rules::changes::Entry;
use upheaval_engine::rules::position::{InvalidPhase, Phase, PhaseKind, Season};
use upheaval_engine::rules::seismic::SeismicOrder;
use upheaval_map::ids::Power;
use upheaval_map::rng::Stream;

use super::otherwise::Otherwise;
use crate::game_record::{
    AgainError, GameRecord, LiveSeats, OrderLine, RunReplayer, StageRecord, Unusable, given,
};
use crate::record::{GameRow, GameRows};
use crate::sim::amended::{Amendment, Change, Fate, Ineligible};
use crate::sim::{GameSpec, Player, Playing};

/// A moment at which a game is forked: a season, or one of its phases. As text `F1902` or `F1902M`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The year.
    pub year: u16,
    /// The season.
    pub season: Season,
    /// The phase, if it is not the first of the season.
    pub kind: Option<PhaseKind>,
}

impl Moment {
    /// Is it this phase, or its season?
    fn is_at(self, phase: Phase) -> bool {
        (self.year, self.season) == (phase.year, phase.season)
            && self.kind.is_none_or(|kind| kind == phase.kind)
    }

    /// Does the season have a seismic phase?
    pub(super) fn has_quakes(self, game: &Game) -> bool {
        game.stage() == Stage::Seismic && Moment { kind: None, ..self }.is_at(game.phase())
    }

    /// Is the season over once the game waits for this phase?
    fn is_behind(self, phase: Phase) -> bool {
        (phase.year, phase.season) > (self.year, self.season)
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Moment { year, season, kind } = *self;
        let text = Phase { year, season, kind: kind.unwrap_or(PhaseKind::Movement) }.to_string();
        f.write_str(&text[..text.len() - usize::from(kind.is_none())])
    }
}

impl FromStr for Moment {
    type Err = InvalidPhase;

    fn from_str(text: &str) -> Result<Moment, InvalidPhase> {
        if let Ok(Phase { year, season, kind }) = text.parse() {
            return Ok(Moment { year, season, kind: Some(kind) });
        }
        match format!("{text}M").parse() {
            Ok(Phase { year, season, .. }) => Ok(Moment { year, season, kind: None }),
            Err(_) => Err(InvalidPhase(text.to_owned())),
        }
    }
}

/// The side of a fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The game as it was.
    AsItWas,
    /// The game with the change.
    Otherwise,
}

/// The number of a future: future 0 uses the dice of the game itself, each other future uses dice of its own after the
/// fork. Futures of the same number have the same dice on both sides.
pub type FutureNumber = u32;

/// A game of a run that is forked at a moment.
pub struct Fork<'a> {
    again: &'a RunReplayer,
    player: Player,
    /// The bots that decide after the fork, in seats that are played from the record before it.
    live: LiveSeats,
    spec: GameSpec,
    game: String,
    /// The game as it was.
    pub game_record: GameRecord,
    at: Moment,
    /// Which of the game's stages the fork is at.
    pub stage: usize,
    /// The change.
    pub otherwise: Otherwise,
}

impl<'a> Fork<'a> {
    /// Forks a game of a run. It is played again and compared with the run, row by row.
    ///
    /// # Errors
    /// The game cannot be played again, never reached that moment, or cannot continue in this way from there.
    pub fn new(
        again: &'a RunReplayer,
        game: &str,
        at: Moment,
        otherwise: Otherwise,
    ) -> Result<Fork<'a>, BranchError> {
        let spec = again.find(game)?;
        if let Otherwise::Seat(seat) = &otherwise
            && seat.maker.ensemble().is_some()
        {
            return Err(BranchError::Impossible(format!(
                "the bot `{}` decides for many games at once and cannot take a seat in the middle of one; name another",
                seat.name
            )));
        }
        let (game_record, player) = again.game_record_played(&spec)?;
        let live = again.live(&spec)?;
        let phases = || game_record.stages.iter().map(|stage| stage.phase.parse::<Phase>().ok());
        let Some(stage) = phases().position(|phase| phase.is_some_and(|phase| at.is_at(phase))) else {
            let phase_of = |stage: Option<&StageRecord>| {
                stage.map_or("its end", |stage| stage.phase.as_str()).to_owned()
            };
            let (first, last) = (phase_of(game_record.stages.first()), phase_of(game_record.stages.last()));
            let what = format!("{game} never waits for {at}: it goes from {first} to {last}");
            return Err(BranchError::Impossible(what));
        };
        if matches!(otherwise, Otherwise::Orders { .. })
            && game_record.stages[stage].stage == Stage::Coasts.name()
        {
            return Err(BranchError::Impossible(format!(
                "{} waits only for coasts of fleets, and no orders are given in it; name another phase, such as S1903M",
                game_record.stages[stage].phase
            )));
        }
        Ok(Fork { again, player, live, spec, game: game.to_owned(), game_record, at, stage, otherwise })
    }

    /// Plays a future of a side to its end.
    ///
    /// # Errors
    /// The game cannot continue in this way.
    pub fn future(&self, side: Side, number: FutureNumber) -> Result<GameRows, BranchError> {
        let mut steering = Steering::new(self, side, number);
        let record = self.player.play_steered(&self.spec, &mut |game| steering.before_stage(game));
        record.ok_or_else(|| steering.fault())
    }

    /// Plays this number of futures of both sides, from number 0 on, on all threads: without and with the change, in
    /// pairs of the same number.
    ///
    /// # Errors
    /// The game cannot continue in this way.
    pub fn futures(&self, count: FutureNumber) -> Result<Vec<[GameRow; 2]>, BranchError> {
        let pair = |number| {
            let row = |side| self.future(side, number).map(|record| record.game);
            Ok([row(Side::AsItWas)?, row(Side::Otherwise)?])
        };
        // If several futures have faults the first one's is reported, whichever thread was first.
        let pairs: Vec<Result<_, BranchError>> = (0..count).into_par_iter().map(pair).collect();
        pairs.into_iter().collect()
    }

    /// Plays a future of a side to its end and writes it down.
    ///
    /// # Errors
    /// The game cannot continue in this way.
    pub fn written(&self, side: Side, number: FutureNumber) -> Result<GameRecord, BranchError> {
        let mut steering = Steering::new(self, side, number);
        let written = self.again.written(&self.player, &self.spec, &mut |game| steering.before_stage(game));
        written.ok_or_else(|| steering.fault())
    }

    /// What these orders of a power for the stage that a game waits for say.
    fn script(
        &self,
        game: &Game,
        power: Power,
        orders: &[String],
        form: OrderForm,
    ) -> Result<Vec<Decision>, BranchError> {
        let impossible = |order: &str, why: &dyn fmt::Display| {
            BranchError::Impossible(format!("{}, {}: the order `{order}`: {why}", self.game, game.phase()))
        };
        let line = |order: &String| {
            let typed = form.read(game, power, order).map_err(|misread| impossible(order, &misread))?;
            Ok(OrderLine {
                power: game.power_names().name(power).to_owned(),
                order: typed.text,
                result: "ok".to_owned(),
                reason: None,
            })
        };
        let lines = orders.iter().map(line).collect::<Result<Vec<OrderLine>, BranchError>>()?;
        let given = given(game, &lines).map_err(|Unusable { order, why }| impossible(&order, &why))?;
        Ok(given.into_iter().map(|(_, decision)| decision).collect())
    }

    /// The quake of a text, on the map of a game.
    fn quake(&self, game: &Game, text: &str) -> Result<Option<SeismicOrder>, BranchError> {
        let Some(power) = game.powers().iter().next() else { return Ok(None) };
        Ok(self.script(game, power, &[text.to_owned()], OrderForm::Typed)?.into_iter().find_map(|decision| {
            match decision {
                Decision::Seismic(order) => Some(order),
                _ => None,
            }
        }))
    }
}

/// Turns a game that is played into a future.
struct Steering<'a> {
    fork: &'a Fork<'a>,
    side: Side,
    number: FutureNumber,
    /// How many stages have been played.
    behind: usize,
    /// Have the changes before and at the fork been made?
    forked: bool,
    /// Has the game reached the seismic phase of the season?
    shaken: bool,
    fault: Option<BranchError>,
}

impl<'a> Steering<'a> {
    fn new(fork: &'a Fork<'a>, side: Side, number: FutureNumber) -> Steering<'a> {
        Steering { fork, side, number, behind: 0, forked: false, shaken: false, fault: None }
    }

    /// Why the game was stopped.
    fn fault(self) -> BranchError {
        self.fault.unwrap_or_else(|| BranchError::void(&self.fork.game))
    }

    /// Sees the game before a stage, or at its end.
    fn before_stage(&mut self, game: &mut Playing<'_>) -> ControlFlow<()> {
        if self.forked {
            return match game.state().0 {
                1 => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            };
        }
        match self.steer(game) {
            Ok(()) => {
                self.behind += 1;
                ControlFlow::Continue(())
            }
            Err(fault) => {
                self.fault = Some(fault);
                ControlFlow::Break(())
            }
        }
    }

    fn steer(&mut self, playing: &mut Playing<'_>) -> Result<(), BranchError> {
        let fork = self.fork;
        let (number, game, _) = playing.state();
        if number > 1 {
            return Err(BranchError::void(&fork.game));
        }
        if self.behind > fork.stage && self.is_done(playing)? {
            self.diverge(playing);
            return Ok(());
        }
        let stage = fork.game_record.stages.get(self.behind);
        if stage.is_none_or(|stage| stage.state != format!("{:016x}", game.hash())) {
            let (game, phase) = (fork.game.clone(), game.phase().to_string());
            return Err(BranchError::NotRepeatable { game, phase });
        }
        if self.behind == fork.stage {
            self.begin(playing)?;
        }
        if let Otherwise::Quake(quake) = &fork.otherwise {
            self.shake(playing, quake.as_deref())?;
        }
        Ok(())
    }

    /// From here on the future has its own dice, and nothing is taken from the record.
    fn diverge(&mut self, playing: &mut Playing<'_>) {
        self.forked = true;
        playing.throw(self.number);
        let replaced = match (&self.fork.otherwise, self.side) {
            (Otherwise::Seat(seat), Side::Otherwise) => Some(seat.power),
            _ => None,
        };
        self.fork.live.take_over(playing, replaced);
    }

    /// Makes the change at the fork.
    fn begin(&mut self, playing: &mut Playing<'_>) -> Result<(), BranchError> {
        let fork = self.fork;
        match (&fork.otherwise, self.side) {
            (Otherwise::Draw { draw, change }, side) => {
                let change = match side {
                    // The draw is watched.
                    Side::AsItWas => Change::Nothing,
                    Side::Otherwise => change.clone(),
                };
                let Moment { year, season, .. } = fork.at;
                playing.amend(Amendment { year, season, draw: draw.clone(), change });
            }
            (Otherwise::Orders { power, orders, form }, Side::Otherwise) => {
                let game = playing.state().1;
                let (phase, script) = (game.phase(), fork.script(game, *power, orders, *form)?);
                playing.exchange(*power, |bot| Box::new(Scripted { bot, phase, script }));
            }
            (Otherwise::Seat(seat), side) => {
                if side == Side::Otherwise {
                    Player::reseat(playing, seat.power, &seat.maker);
                }
                self.diverge(playing);
            }
            (Otherwise::Orders { .. }, Side::AsItWas) | (Otherwise::Quake(_), _) => {}
        }
        Ok(())
    }

    /// Makes the change in the seismic phase of the season.
    fn shake(&mut self, playing: &mut Playing<'_>, quake: Option<&str>) -> Result<(), BranchError> {
        let (fork, game) = (self.fork, playing.state().1);
        if self.behind < fork.stage || !fork.at.has_quakes(game) {
            return Ok(());
        }
        self.shaken = true;
        if self.side == Side::Otherwise {
            let quake = quake.map(|text| fork.quake(game, text)).transpose()?.flatten();
            shake(playing, quake);
        }
        Ok(())
    }

    /// Has the change been made, so that futures diverge from here on?
    fn is_done(&self, playing: &Playing<'_>) -> Result<bool, BranchError> {
        let fork = self.fork;
        let (_, game, _) = playing.state();
        let season = Moment { kind: None, ..fork.at }.to_string();
        let impossible = |what: String| BranchError::Impossible(format!("{}: {what}", fork.game));
        let is_past = fork.at.is_behind(game.phase()) || game.stage() == Stage::Over;
        let (draw, change) = match &fork.otherwise {
            Otherwise::Draw { draw, change } => (draw, change),
            Otherwise::Quake(_) if self.shaken => return Ok(true),
            Otherwise::Quake(_) if is_past => {
                return Err(impossible(format!(
                    "{season} has no seismic phase, so there is no quake to change"
                )));
            }
            Otherwise::Quake(_) => return Ok(false),
            Otherwise::Orders { .. } | Otherwise::Seat(_) => return Ok(true),
        };
        match playing.fate() {
            Fate::Made { was, is, .. } => match change {
                Change::Instead(province) if self.side == Side::Otherwise && was == is => {
                    let what =
                        format!("`{province}` was drawn in {season} anyway; name another province, or none");
                    Err(impossible(what))
                }
                _ => Ok(true),
            },
            Fate::Refused(why) => {
                let (Change::Instead(province) | Change::Only(province)) = change else { return Ok(true) };
                let changes = &game.variant().changes;
                let change = changes.entry(&draw.entry).and_then(Entry::faces);
                let may_spare = change.is_some_and(|change| changes.spares_marked(change));
                let why = match *why {
                    Ineligible::Unknown => "the map has no province of this name then",
                    Ineligible::Hole => "it is a hole already",
                    Ineligible::Barred(id) if may_spare && game.world().exempt_centres().contains(id) => {
                        "it is the exempt centre of a power"
                    }
                    Ineligible::Barred(_) => "it is not in the set of the entry, or does not fit the verb",
                };
                Err(impossible(format!("`{province}` cannot be drawn in {season}: {why}")))
            }
            Fate::Waiting if is_past => {
                Err(BranchError::NothingDrawn { game: fork.game.clone(), entry: draw.entry.clone(), season })
            }
            Fate::Waiting => Ok(false),
        }
    }
}

/// Why a game cannot be branched, or not in this way.
#[derive(Debug, thiserror::Error)]
pub enum BranchError {
    /// It cannot be played again at all.
    #[error(transparent)]
    RunReplayer(#[from] AgainError),
    /// The change is impossible in this game.
    #[error("{0}")]
    Impossible(String),
    /// Nature makes no such draw in this season.
    #[error("{game}: nothing is drawn for `{entry}` in {season}, so there is nothing to change")]
    NothingDrawn {
        /// The game.
        game: String,
        /// The id of the entry.
        entry: String,
        /// The season: `F1902`.
        season: String,
    },
    /// A bot answered differently before the fork.
    #[error(
        "{game} is not repeatable: when it is played again, it differs before {phase}, although nothing was changed \
         yet; a bot answers differently from the first time"
    )]
    NotRepeatable {
        /// The game.
        game: String,
        /// The phase.
        phase: String,
    },
}

impl BranchError {
    /// A bot was at fault, and by the experiment's policy the game was started again.
    pub(super) fn void(game: &str) -> BranchError {
        BranchError::Impossible(format!(
            "{game} was void and was started again, so its moments are ambiguous"
        ))
    }
}

/// A bot with scripted decisions in one phase. It is asked nevertheless, with its own dice. Its decisions about other
/// units in a movement or a retreat phase stay; builds and removals, and a seismic order, are all scripted.
pub(super) struct Scripted {
    pub bot: Box<dyn Bot>,
    pub phase: Phase,
    pub script: Vec<Decision>,
}

impl Bot for Scripted {
    fn inner(&mut self) -> Option<&mut dyn Bot> {
        Some(&mut *self.bot)
    }

    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, dice: &mut Stream, answer: &mut Answer<'_>) {
        self.bot.decide(seen, ask, dice, answer);
        if seen.phase == self.phase {
            if let Ask::Adjustments(_) | Ask::Seismic(_) = ask {
                answer.withdraw();
            }
            answer.give_all(ask, &self.script);
        }
    }

    /// The bot's handicap; a bot that is scripted to give a seismic order may give it.
    fn handicap(&mut self) -> Handicap {
        let own = self.bot.handicap();
        match self.script.iter().any(|decision| matches!(decision, Decision::Seismic(_))) {
            true => own.iter().filter(|&denied| denied != Faculty::Seismic).collect(),
            false => own,
        }
    }
}

/// Makes this quake alone happen in the seismic phase that a game waits for, or none. The first power that is not
/// eliminated orders it, and no other power orders one.
pub(super) fn shake(playing: &mut Playing<'_>, quake: Option<SeismicOrder>) {
    let game = playing.state().1;
    let (phase, powers) = (game.phase(), game.powers());
    let giver = powers.iter().find(|&power| !game.world().position.is_out(power));
    for power in powers {
        let own = quake.clone().filter(|_| Some(power) == giver);
        let script = own.map(Decision::Seismic).into_iter().collect();
        playing.exchange(power, |bot| Box::new(Scripted { bot, phase, script }));
    }
}
