//! One slot of a batch: a game, its asks, and the choices that a bot would make for them, as a teacher for programs
//! that learn by imitation.

use std::cell::RefCell;
use std::sync::Arc;

use upheaval_engine::ask::Public;
use upheaval_engine::bot::{Bot, BotMaker, Decision, Handicap};
use upheaval_engine::game::{Ending, Game, Referee, Stage};
use upheaval_engine::play::{Seats, advice, close, open, play_stage};
use upheaval_engine::rules::nature::Seeded;
use upheaval_engine::rules::notation::Listed;
use upheaval_engine::rules::order::AdjustmentOrder;
use upheaval_harness::record::GameRow;
use upheaval_harness::sim::{Dice, GameSpec, Recorder, RunLog};
use upheaval_map::ids::{ByPower, ProvinceId};
use upheaval_map::rng::{Purpose, Stream};

use crate::ask::{AskKind, Asks, UnitAsk};
use crate::caller::{Caller, GameView, Questions};
use crate::config::{BatchConfig, Seat};

thread_local! {
    /// Each thread's tables, reused from game to game.
    pub(crate) static REFEREE: RefCell<Referee> = RefCell::new(Referee::new());
}

/// A game, and the caller's asks in the stage that it waits for.
pub(crate) struct Waiting {
    /// The identity of the game under the root seed.
    pub spec: GameSpec,
    pub game: Game,
    pub questions: Questions,
}

/// A game of a batch with its players.
pub(crate) struct Slot {
    pub waiting: Waiting,
    bots: ByPower<Box<dyn Bot>>,
    dice: ByPower<Stream>,
    /// The source of their dice.
    thrown: Dice,
    nature: Seeded,
}

impl Slot {
    /// A slot with a new game, played up to the first asks for the caller.
    pub(crate) fn new(config: &BatchConfig, names: &Arc<ByPower<Arc<str>>>, number: u32) -> Slot {
        let powers = config.seats.powers();
        let spec = GameSpec {
            game: number,
            block: number,
            seats: ByPower::from_fn(powers, |power| power.index()),
            names: Arc::clone(names),
            seed: config.seed,
            last_year: config.last_year,
            ..GameSpec::without_run(powers, "", RunLog::default())
        };
        let bots = ByPower::from_fn(powers, |power| -> Box<dyn Bot> {
            match &config.seats[power] {
                Seat::Caller => Box::new(Caller::default()),
                Seat::Bot { maker, .. } => maker.make(),
            }
        });
        let game = Game::new(Arc::clone(&config.variant), config.last_year);
        let thrown = spec.dice();
        let mut slot = Slot {
            bots,
            dice: thrown.openings(),
            thrown,
            nature: spec.nature(),
            waiting: Waiting { game, questions: Questions::default(), spec },
        };
        REFEREE.with_borrow_mut(|referee| {
            let name = format!("{}/{number}", config.variant.id);
            let mut seats = Seats { bots: &mut slot.bots, dice: &mut slot.dice };
            open(&slot.waiting.game, referee, &mut seats, &name);
            slot.play_on(config, referee);
        });
        slot
    }

    /// Settles the stage with these choices, one for each ask, and continues to the next stage with asks for
    /// the caller.
    pub(crate) fn step(&mut self, config: &BatchConfig, choices: &[i32]) {
        if self.waiting.is_over() {
            return;
        }
        let questions = &self.waiting.questions;
        for (asked, asks) in questions.of_seats() {
            if let Some(caller) = Caller::of(self.bots[asked.power].as_mut()) {
                caller.answer(&questions.asks, asks, &choices[asked.first as usize..][..asks.len()]);
            }
        }
        REFEREE.with_borrow_mut(|referee| {
            self.play_stage(referee);
            for asked in &self.waiting.questions.seats {
                if let Some(caller) = Caller::of(self.bots[asked.power].as_mut()) {
                    caller.forget();
                }
            }
            self.play_on(config, referee);
        });
    }

    fn play_stage(&mut self, referee: &mut Referee) {
        self.thrown.hand_out(&self.waiting.game, &mut self.dice);
        let mut seats = Seats { bots: &mut self.bots, dice: &mut self.dice };
        play_stage(&mut self.waiting.game, referee, &mut seats, &mut self.nature, &mut ());
    }

    /// Plays the stages without asks for the caller, and lists the asks of the next.
    fn play_on(&mut self, config: &BatchConfig, referee: &mut Referee) {
        loop {
            let callers = config.seats.iter().filter(|(_, seat)| matches!(seat, Seat::Caller));
            let Waiting { game, questions, .. } = &mut self.waiting;
            questions.list(game, referee, callers.map(|(power, _)| (power, Handicap::NONE)));
            if self.waiting.is_over() {
                let mut seats = Seats { bots: &mut self.bots, dice: &mut self.dice };
                return close(&self.waiting.game, referee, &mut seats);
            }
            if !self.waiting.questions.seats.is_empty() {
                return;
            }
            self.play_stage(referee);
        }
    }
}

impl Waiting {
    /// The observable part of it.
    pub(crate) fn view(&self) -> GameView<'_> {
        GameView { number: self.spec.game, game: Public::of(&self.game), questions: &self.questions }
    }

    /// Is the game over?
    pub(crate) fn is_over(&self) -> bool {
        self.game.stage() == Stage::Over
    }

    /// Did the game end because its last year is over, and not by its rules? `None` before its end.
    pub(crate) fn was_truncated(&self) -> Option<bool> {
        let game = &self.game;
        let (ending, year) = (game.ending()?, game.phase().year);
        let by_rule = game.variant().last_winter.is_some_and(|last| year >= last);
        let anybody = game.powers().iter().any(|power| !game.world().position.is_out(power));
        Some(matches!(ending, Ending::Draw(_)) && year >= game.last_year() && !by_rule && anybody)
    }

    /// The row in the table of games for a finished game, without the data that only a log has.
    pub(crate) fn result(&self) -> GameRow {
        Recorder::new(&self.spec, &self.game).finish(&self.game).game
    }

    /// The choice that a bot would make for each ask. The bot is newly made, and its dice follow from the
    /// game and its state.
    pub(crate) fn advised(&self, referee: &mut Referee, bot: &BotMaker) -> Vec<i32> {
        let (game, spec) = (&self.game, &self.spec);
        let mut choices = Vec::with_capacity(self.questions.asks.list.len());
        for (asked, asks) in self.questions.of_seats() {
            let key = [u64::from(spec.block), game.hash(), asked.power.index() as u64];
            let mut dice = Stream::keyed(spec.seed, Purpose::Bot, &key);
            let mut bot = bot.make();
            bot.new_game(asked.power);
            let advice = advice(game, referee, asked.power, bot.as_mut(), &mut dice);
            choices.extend(asks.iter().map(|ask| choice(&self.questions.asks, ask, &advice)));
        }
        choices
    }
}

/// Represents no choice: the bot's answer is not among the answers, or the bot would not answer.
const NONE: i32 = -1;

/// The number of the bot's answer to an ask.
fn choice(asks: &Asks, ask: &UnitAsk, decided: &[Decision]) -> i32 {
    let rank = usize::from(ask.rank);
    let wanted = match ask.kind {
        AskKind::List => place(decided, ask.about, rank),
        AskKind::Build | AskKind::Removal => {
            let mut adjustments =
                decided.iter().filter(|decision| matches!(decision, Decision::Adjustment(_)));
            let waived = Decision::Adjustment(AdjustmentOrder::Waive);
            adjustments.nth(rank).filter(|order| **order != waived).cloned()
        }
        _ => asks.answers_to(ask).flatten().find(|decision| decided.contains(decision)),
    };
    asks.answers_to(ask).position(|answer| answer == wanted).map_or(NONE, |place| place as i32)
}

/// The place with this number in the list of a unit, as a list of its own.
fn place(decided: &[Decision], unit: Option<ProvinceId>, rank: usize) -> Option<Decision> {
    let list = decided.iter().find_map(|decision| match decision {
        Decision::List(list) if Some(list.unit) == unit => Some(list),
        _ => None,
    })?;
    let places = vec![*list.places.get(rank)?];
    Some(Decision::List(Listed { unit: list.unit, places, passed_over: Vec::new() }))
}
