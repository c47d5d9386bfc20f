//! A game that a gamemaster hosts: orders come in as text, and the record is all that there is of the game.
//!
//! ```text
//!   game.json ═▶ GameRecord ── played again ──▶ HostedGame ── orders ──▶ a stage more ──▶ GameRecord ═▶ game.json
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use super::form::{
    End, FORMAT, FORMAT_VERSION, FormError, GameIdentity, GameRecord, MissingOrders, RecordedRules,
    StageRecord,
};
use super::replay::{Mismatch, Replay};
use super::seen::Reader;
use super::writer::{RecordWriter, head};
use crate::record::BEHAVIOUR_VERSION;
use crate::sim::dice::Dice;
use crate::sim::{GameSpec, Recorder, RunLog};
use upheaval_engine::ask::{Ask, Choice, Handicap, Observation};
use upheaval_engine::bot::{Bot, Brief};
use upheaval_engine::game::{Game, Referee, Stage};
use upheaval_engine::play;
use upheaval_engine::reading::{Decision, OrderForm, OrderText, Refusal, Typed};
use upheaval_engine::rules::adjustment::Owed;
use upheaval_engine::rules::conduct::RefusedOrder;
use upheaval_engine::rules::event::Log as _;
use upheaval_engine::rules::legal::ConvoyChains;
use upheaval_engine::rules::nature::Seeded;
use upheaval_engine::rules::variant::Variant;
use upheaval_engine::settle;
use upheaval_map::ids::{Power, PowerNames};

/// The player of a power whose orders are handed in, in [`GameIdentity::bots`].
pub const PERSON: &str = "person";

/// The last year of a game that ends only by its rules.
pub const NO_LAST_YEAR: u16 = u16::MAX;

/// The lines that powers have handed in, by the names of the powers.
pub type Orders = BTreeMap<String, Vec<String>>;

/// A game that waits for orders, and its record so far.
pub struct HostedGame {
    record: GameRecord,
    game: Game,
}

/// What is to be hosted.
pub struct Hosting<'a> {
    /// The game's name.
    pub name: &'a str,
    /// Its rules.
    pub variant: Arc<Variant>,
    /// The seed of its draws.
    pub seed: u64,
    /// The last year to be played, or [`NO_LAST_YEAR`].
    pub last_year: u16,
    /// The bots of the powers that have one.
    pub bots: BTreeMap<Power, &'a str>,
    /// What becomes of a power without orders.
    pub missing: MissingOrders,
}

/// Why a record is not that of a game that can go on.
#[derive(Debug, thiserror::Error)]
pub enum HostedError {
    /// It cannot be read.
    #[error(transparent)]
    Form(#[from] FormError),
    /// It was changed, or is damaged.
    #[error("`{file}` does not replay as recorded: {mismatch}")]
    Mismatch {
        /// The file.
        file: String,
        /// The first difference.
        mismatch: Mismatch,
    },
    /// It is of another game, or of another program.
    #[error("`{file}` {what}")]
    Other {
        /// The file.
        file: String,
        /// Why it cannot go on: a sentence without its subject.
        what: String,
    },
}

/// A line of orders, as it is understood in the position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadLine {
    /// The power that gives it.
    pub power: Power,
    /// The line.
    pub given: String,
    /// It in the notation; the line itself if it cannot be read.
    pub text: String,
    /// What was left out of it.
    pub remark: Option<String>,
    /// Its meaning, or why it does not count.
    pub meaning: Result<Decision, LineFault>,
}

/// Why a line does not count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineFault {
    /// A sentence for the power.
    pub why: String,
    /// Is an earlier order used in its place?
    pub is_second: bool,
}

/// What a power is asked in the phase that a game waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Due {
    /// The power.
    pub power: Power,
    /// What is owed, in words: `orders for 3 units`.
    pub what: Vec<String>,
}

impl HostedGame {
    /// A game that begins.
    pub fn new(hosting: Hosting<'_>) -> HostedGame {
        let Hosting { name, variant, seed, last_year, bots, missing } = hosting;
        let power_names = variant.terrain.power_names().clone();
        let game = Game::new(Arc::clone(&variant), last_year);
        let seat = |power| (power, bots.get(&power).copied().unwrap_or(PERSON).to_owned());
        let identity = GameIdentity {
            experiment: name.to_owned(),
            experiment_hash: String::new(),
            seed: Some(seed),
            variant: variant.id.clone(),
            game: 0,
            block: 0,
            line_up: 0,
            rotation: 0,
            bots: power_names.by_name(power_names.powers().iter().map(seat)),
            missing: Some(missing),
        };
        let record = GameRecord {
            format: FORMAT.to_owned(),
            format_version: FORMAT_VERSION,
            behaviour_version: BEHAVIOUR_VERSION,
            game: identity,
            rules: RecordedRules { id: variant.id.clone(), files: variant.files.clone() },
            last_year,
            stop: None,
            start: None,
            stages: Vec::new(),
            end: End::at(head(&game), &Recorder::new(&spec(&game), &game).finish(&game), &power_names),
            digest: String::new(),
            power_names,
        };
        HostedGame { record, game }.sealed()
    }

    /// The game of a record, played again. `file` is used only in errors.
    ///
    /// # Errors
    /// The record is damaged, or that of another program, or no game by hand.
    pub fn resume(file: &str, record: GameRecord) -> Result<HostedGame, HostedError> {
        let other = |what: String| Err(HostedError::Other { file: file.to_owned(), what });
        if record.behaviour_version != BEHAVIOUR_VERSION {
            return other(format!(
                "was played by behaviour version {}, but this program has {BEHAVIOUR_VERSION}: resume it with the \
                 program that began it",
                record.behaviour_version
            ));
        }
        if record.game.missing.is_none() || record.game.seed.is_none() {
            return other("is not the gamemaster's record of a game by hand".to_owned());
        }
        let mismatch = |mismatch| HostedError::Mismatch { file: file.to_owned(), mismatch };
        let mut replay = Replay::new(&record, record.variant(file)?).map_err(mismatch)?;
        while replay.step(&mut ()).map_err(mismatch)? {}
        let game = replay.finish().map_err(mismatch)?;
        Ok(HostedGame { record, game })
    }

    /// The record so far.
    pub fn record(&self) -> &GameRecord {
        &self.record
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The powers.
    pub fn power_names(&self) -> &PowerNames {
        &self.record.power_names
    }

    /// The state of the game, as a stage without orders.
    pub fn now(&self) -> StageRecord {
        head(&self.game)
    }

    /// The bot of a power; `None` if people play it.
    pub fn bot(&self, power: Power) -> Option<&str> {
        let bot = self.record.game.bots.get(self.power_names().name(power))?;
        (bot != PERSON).then_some(bot)
    }

    /// How each of the lines is read, and whether it would count, in the order of the powers.
    pub fn check(&self, orders: &Orders, form: OrderForm) -> Vec<ReadLine> {
        self.play(&mut self.game.clone(), orders, form).0
    }

    /// Settles the stage by these orders. Lines that do not count are recorded as refused.
    pub fn settle(&mut self, orders: &Orders, form: OrderForm) {
        let mut game = self.game.clone();
        let (_, stage, end) = self.play(&mut game, orders, form);
        self.game = game;
        self.record.stages.push(stage);
        self.record.end = end;
        self.seal();
    }

    /// The decisions of a bot for a power in the current stage, in the notation. The bot knows the position and nothing
    /// of the past, and has the dice that it would have in the first game of a run with the seed.
    pub fn advice(&self, power: Power, bot: &mut dyn Bot) -> Vec<String> {
        let seed = self.record.game.seed.unwrap_or_default();
        let dice = Dice::new(seed, 0, 0, self.game.powers());
        let mut referee = Referee::new();
        referee.prepare(&self.game);
        let seen = Observation::new(&self.game, referee.chains(), power, bot.handicap());
        let brief = Brief {
            game: &self.record.game.experiment,
            variant: self.game.variant(),
            last_year: self.game.last_year(),
        };
        bot.new_game(power);
        let mut thrown = dice.openings();
        bot.briefed(&brief, &seen, &mut thrown[power]);
        dice.hand_out(&self.game, &mut thrown);
        let decisions = play::advice(&self.game, &mut referee, power, bot, &mut thrown[power]);
        decisions.iter().filter_map(|decision| self.game.world().text_of(decision)).collect()
    }

    /// The game as it was after this number of stages.
    ///
    /// # Errors
    /// The record does not replay.
    pub fn as_of(&self, stages: usize) -> Result<HostedGame, Mismatch> {
        let mut record = self.record.clone();
        record.stages.truncate(stages);
        self.of_stages(record)
    }

    /// The game with a stage more, which was settled before.
    ///
    /// # Errors
    /// The stage does not follow on the game.
    pub fn redone(&self, stage: StageRecord) -> Result<HostedGame, Mismatch> {
        let mut record = self.record.clone();
        record.stages.push(stage);
        self.of_stages(record)
    }

    /// The game by the stages of a record, whatever its end says.
    fn of_stages(&self, record: GameRecord) -> Result<HostedGame, Mismatch> {
        let mut replay = Replay::new(&record, Arc::clone(self.game.variant()))?;
        while replay.step(&mut ())? {}
        let game = replay.game().clone();
        let end =
            End::at(head(&game), &Recorder::new(&spec(&game), &game).finish(&game), &record.power_names);
        Ok(HostedGame { record: GameRecord { end, ..record }, game }.sealed())
    }

    fn sealed(mut self) -> HostedGame {
        self.seal();
        self
    }

    fn seal(&mut self) {
        self.record.digest = self.record.digest_of_rest();
    }

    /// Settles the stage of a copy of the game: how the lines were read, the stage, and the end of the game so far.
    fn play(&self, game: &mut Game, orders: &Orders, form: OrderForm) -> (Vec<ReadLine>, StageRecord, End) {
        let names = self.power_names();
        let typed = self.typed(orders, form);
        let mut recorder = Recorder::new(&spec(game), game);
        let mut writer = RecordWriter::default();
        writer.record_stage(game, recorder.record());
        for (power, given, why) in
            typed.iter().filter_map(|(by, given, read)| Some((*by, given, read.as_ref().err()?)))
        {
            let refused = RefusedOrder::new(given, why.clone());
            recorder.refused(game.phase(), game.terrain(), power, &[refused]);
        }
        let texts = typed.iter().filter_map(|(power, _, read)| Some((*power, &*read.as_ref().ok()?.text)));
        let texts: Vec<OrderText<'_>> = texts.map(|(power, text)| OrderText { power, text }).collect();
        let mut nature = Seeded { seed: self.record.game.seed.unwrap_or_default(), block: 0 };
        let settled = settle::settle(game, &mut Referee::new(), &texts, &mut nature, &mut recorder);
        let mut meanings = settled.read.into_iter();
        let mut line = |(power, given, read): (Power, String, Result<Typed, String>)| match read {
            Ok(Typed { text, remark }) => {
                let meaning = meanings.next().unwrap_or(Err(Refusal::NotListed));
                let meaning = meaning.map_err(|refusal| LineFault::of(&refusal));
                ReadLine { power, given, text, remark: remark.map(|remark| remark.to_string()), meaning }
            }
            Err(why) => {
                let meaning = Err(LineFault { why, is_second: false });
                ReadLine { power, text: given.clone(), given, remark: None, meaning }
            }
        };
        let lines = typed.into_iter().map(&mut line).collect();
        writer.record_stage(game, recorder.record());
        let mut stage = writer.stages.pop().unwrap_or_default();
        // Whether a power may declare something depends on a secret: nobody is named as silent for that.
        let asked = self.due(Reader::Public).into_iter().map(|due| (due.power, Vec::new()));
        stage.given = names.by_name(asked);
        stage.given.extend(orders.clone());
        let end = End::at(head(game), &recorder.finish(game), names);
        (lines, stage, end)
    }

    /// Each line in the notation, or why it cannot be read. The rules have not been asked yet.
    fn typed(&self, orders: &Orders, form: OrderForm) -> Vec<(Power, String, Result<Typed, String>)> {
        let names = self.power_names();
        let of_power = |power: Power| {
            let lines = orders.get(names.name(power)).into_iter().flatten();
            lines.map(move |line| (power, line.trim()))
        };
        let read = |(power, line): (Power, &str)| {
            let read = match self.disorder(power) {
                Some(phase) => Err(format!(
                    "no orders came from {} in {phase}, so it is in civil disorder until the next movement",
                    names.info(power).proper_name
                )),
                None => form.read(&self.game, power, line).map_err(|misread| misread.to_string()),
            };
            (power, line.to_owned(), read)
        };
        names.powers().iter().flat_map(of_power).map(read).collect()
    }

    /// The movement since which a power is in civil disorder, if it is.
    pub fn disorder(&self, power: Power) -> Option<String> {
        if self.record.game.missing != Some(MissingOrders::CivilDisorder)
            || self.game.stage() == Stage::Movement
            || self.bot(power).is_some()
        {
            return None;
        }
        let movement = self.record.stages.iter().rfind(|stage| stage.stage == Stage::Movement.name())?;
        let name = self.power_names().name(power);
        let is_silent =
            movement.units.contains_key(name) && movement.given.get(name).is_some_and(Vec::is_empty);
        is_silent.then(|| movement.phase.clone())
    }

    /// The powers that are asked anything now, with all that this reader may know of it.
    pub fn due(&self, reader: Reader) -> Vec<Due> {
        let mut referee = Referee::new();
        if self.game.stage() == Stage::Movement {
            referee.prepare(&self.game);
        }
        let due = |power| {
            let may_know = reader.may_know(power);
            let what = owed(&self.game, referee.chains(), power, may_know);
            Due { power, what }
        };
        self.game.powers().iter().map(due).filter(|due| !due.what.is_empty()).collect()
    }

    /// What a power has not been ordered, if these lines were all: units, retreats, builds, and other questions.
    pub fn left_open(&self, lines: &[ReadLine]) -> Vec<(Power, Vec<String>)> {
        let decided: Vec<(Power, &Decision)> =
            lines.iter().filter_map(|line| Some((line.power, line.meaning.as_ref().ok()?))).collect();
        let chains = ConvoyChains::default();
        let of_power = |power: Power| {
            let mut open = Vec::new();
            let position = &self.game.world().position;
            let names = self.game.terrain().names();
            let own = || decided.iter().filter(|(by, _)| *by == power).map(|(_, decision)| *decision);
            match self.game.stage() {
                Stage::Movement => {
                    let is_free =
                        |at| !own().any(|d| matches!(d, Decision::Order { unit, .. } if *unit == at));
                    let units = position.units_of(power).iter().filter(|&at| is_free(at));
                    open.extend(units.map(|at| position.unit_named(names, at).to_string()));
                }
                Stage::Adjustments => match self.game.owed(power) {
                    Owed::Builds(0) | Owed::Removals(0) => {}
                    Owed::Builds(n) | Owed::Removals(n) => {
                        let left = n.saturating_sub(own().count());
                        let what =
                            if let Owed::Builds(_) = self.game.owed(power) { "build" } else { "removal" };
                        open.extend((left > 0).then(|| counted(left, what)));
                    }
                },
                _ => {
                    let seen = Observation::new(&self.game, &chains, power, Handicap::NONE);
                    let asks = self.game.asks(power);
                    let is_open = |choice: &Choice| {
                        !choice.orders.iter().any(|order| own().any(|decision| *decision == order.decision))
                    };
                    let choices = asks.iter().flat_map(|ask| seen.choices(ask));
                    open.extend(choices.filter(is_open).map(|choice| choice.subject));
                }
            }
            (power, open)
        };
        self.game.powers().iter().map(of_power).filter(|(_, open)| !open.is_empty()).collect()
    }
}

impl LineFault {
    fn of(refusal: &Refusal) -> LineFault {
        LineFault { why: refusal.to_string(), is_second: refusal.is_second() }
    }
}

fn spec(game: &Game) -> GameSpec {
    GameSpec::without_run(game.powers(), "", RunLog::ORDERS)
}

/// `1 build`, `2 builds`
fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// What a power is asked, in words, with all options if they may be known.
fn owed(game: &Game, chains: &ConvoyChains, power: Power, may_know: bool) -> Vec<String> {
    let seen = Observation::new(game, chains, power, Handicap::NONE);
    let mut what = Vec::new();
    for ask in game.asks(power) {
        // The choices for each subject, without the subject.
        let options = || {
            let choices = seen.choices(&ask).into_iter();
            choices.map(|Choice { subject, orders }| {
                let texts = orders.iter().map(|order| order.text.as_str());
                let texts: Vec<&str> =
                    texts.map(|text| text.strip_prefix(&subject).unwrap_or(text).trim()).collect();
                (subject, texts.join(", "))
            })
        };
        match &ask {
            Ask::Movement(_) => match game.world().position.unit_count(power) {
                0 => {}
                n => what.push(format!("orders for {}", counted(n, "unit"))),
            },
            Ask::Adjustments(_) => match game.owed(power) {
                Owed::Builds(n) => what.push(counted(n, "build")),
                Owed::Removals(n) => what.push(counted(n, "removal")),
            },
            Ask::Retreats(_) | Ask::Coast(_) => {
                what.extend(options().map(|(unit, places)| format!("{unit}: {places}")));
            }
            Ask::Trapped(_) => what.extend(options().map(|(unit, _)| format!("{unit}: may disband"))),
            Ask::Poll(_) if !may_know => what.push(format!("a vote: {}", ask.topic())),
            Ask::Poll(_) => what.extend(options().map(|(topic, answers)| format!("{topic}: {answers}"))),
            Ask::Seismic(_) if game.quakes().is_empty() => {}
            Ask::Seismic(_) => what.push("a seismic order".to_owned()),
            // Whether a power may choose again, or announce its choice, depends on a secret.
            Ask::Exempt(_) if !may_know && game.phase() != game.variant().first_movement() => {}
            Ask::Exempt(exempt) => {
                let names = game.terrain().names();
                let centres = exempt.choices.iter().map(|centre| names.province(centre).to_owned());
                what.push(format!("an exempt centre: {}", centres.collect::<Vec<_>>().join(", ")));
            }
            Ask::Announce(_) if may_know => what.push("may announce its exempt centre".to_owned()),
            Ask::Announce(_) => {}
        }
    }
    what
}
