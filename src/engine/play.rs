//! Lets bots play a game: shows each bot what it may see, checks its answers, and settles the stage.

use crate::ask::{Answer, Observation};
use crate::bot::{Bot, BotFault, Brief, Conduct, RefusedOrder, SettledStage, Verdict};
use crate::game::{Ending, Game, Referee, Stage};
use crate::rules::answers::Answers;
use crate::rules::decision::Decision;
use crate::rules::event::{Both, Event, Log, MapChanges};
use crate::rules::map_tables::MapTables;
use crate::rules::nature::Nature;
use crate::rules::position::Phase;
use crate::rules::settlement::{Settled, Settlement};
use upheaval_map::ids::{ByPower, Power};
use upheaval_map::rng::Stream;
use upheaval_map::topology::MapEvent;

/// The players: a bot and its dice for each power.
pub struct Seats<'a> {
    /// The bots.
    pub bots: &'a mut ByPower<Box<dyn Bot>>,
    /// Their dice.
    pub dice: &'a mut ByPower<Stream>,
}

/// Plays a game to its end.
pub fn play(
    game: &mut Game,
    referee: &mut Referee,
    mut seats: Seats<'_>,
    nature: &mut dyn Nature,
    log: &mut dyn Log,
) {
    let name = game.variant().id.clone();
    open(game, referee, &mut seats, &name);
    while game.stage() != Stage::Over {
        play_stage(game, referee, &mut seats, nature, log);
    }
    close(game, referee, &mut seats);
}

/// Notifies the bots that a game begins, and of its id.
pub fn open(game: &Game, referee: &Referee, seats: &mut Seats<'_>, name: &str) {
    for power in game.powers() {
        open_seat(game, referee, seats, name, power);
    }
}

/// Notifies the bot of one power of the game in its current state, and of its id.
pub fn open_seat(game: &Game, referee: &Referee, seats: &mut Seats<'_>, name: &str, power: Power) {
    let brief = Brief { game: name, variant: game.variant(), last_year: game.last_year() };
    let bot = &mut seats.bots[power];
    bot.new_game(power);
    let seen = Observation::new(game, referee.chains(), power, bot.handicap());
    bot.briefed(&brief, &seen, &mut seats.dice[power]);
}

/// Notifies the bots how the game ended, if it did.
pub fn close(game: &Game, referee: &Referee, seats: &mut Seats<'_>) {
    let verdict = match game.ending() {
        Some(Ending::Solo(winner)) => Verdict::Solo(*winner),
        Some(Ending::Draw(powers)) => Verdict::Draw(powers),
        None => return,
    };
    for (power, bot) in seats.bots.iter_mut() {
        let handicap = bot.handicap();
        bot.game_over(&Observation::new(game, referee.chains(), power, handicap), verdict);
    }
}

/// Plays the stage that the game waits for. The bots must know the game ([`Bot::new_game`]).
pub fn play_stage(
    game: &mut Game,
    referee: &mut Referee,
    seats: &mut Seats<'_>,
    nature: &mut dyn Nature,
    log: &mut dyn Log,
) {
    if game.stage() == Stage::Over {
        return;
    }
    let answers = ask(game, referee, seats, log);
    let mut notifier = Notifier::new(seats.bots, game);
    game.settle(referee, &answers, nature, &mut Both { first: &mut notifier, second: log });
    notifier.close();
    referee.give_back(answers);
}

/// Asks the bots for their answers to the stage that the game waits for, which is not settled. The tables are to be
/// [given back](Referee::give_back).
pub fn ask(game: &Game, referee: &mut Referee, seats: &mut Seats<'_>, log: &mut dyn Log) -> Box<Answers> {
    let mut answers = referee.answers(game);
    if game.stage() == Stage::Movement {
        referee.prepare(game);
    }
    game.each_asked(|power, asks| {
        let (bot, dice) = (&mut *seats.bots[power], &mut seats.dice[power]);
        let handicap = bot.handicap();
        if !handicap.is_none() {
            asks.retain(|ask| ask.is_allowed(handicap));
        }
        let seen = Observation::new(game, referee.chains(), power, handicap);
        let mut answer = Answer::new(&seen, asks, &mut answers);
        asks.iter().for_each(|ask| bot.decide(&seen, ask, dice, &mut answer));
        let refused = answer.into_refused();
        report_fault(game, seats, log, power, refused);
    });
    answers
}

/// Asks a bot for its decisions for a power in the stage that a game waits for, which is not settled. Illegal ones are
/// left out. The bot must know its power ([`Bot::new_game`]).
pub fn advice(
    game: &Game,
    referee: &mut Referee,
    power: Power,
    bot: &mut dyn Bot,
    dice: &mut Stream,
) -> Vec<Decision> {
    let mut answers = referee.answers(game);
    if game.stage() == Stage::Movement {
        referee.prepare(game);
    }
    let handicap = bot.handicap();
    let mut asks = game.asks(power);
    asks.retain(|ask| ask.is_allowed(handicap));
    let seen = Observation::new(game, referee.chains(), power, handicap);
    let mut answer = Answer::new(&seen, &asks, &mut answers);
    asks.iter().for_each(|ask| bot.decide(&seen, ask, dice, &mut answer));
    let decided = asks.iter().flat_map(|ask| answer.decided(ask)).collect();
    referee.give_back(answers);
    decided
}

/// Tells the log and the bot of the faults in a power's answer: the orders that did not count, whoever refused them,
/// and the faults that the bot reports. Every refusal of a bot's order passes through here.
fn report_fault(
    game: &Game,
    seats: &mut Seats<'_>,
    log: &mut dyn Log,
    power: Power,
    refused: Vec<RefusedOrder>,
) {
    let BotFault { conduct, refused: mut all } = seats.bots[power].fault();
    if all.is_empty() && refused.is_empty() && conduct == Conduct::Ok {
        return;
    }
    all.extend(refused);
    if !all.is_empty() {
        let count = u32::try_from(all.len()).unwrap_or(u32::MAX);
        log.refused(game.phase(), game.terrain(), power, &all);
        log.event(game.phase(), game.terrain(), &Event::Refused(power, count));
        seats.bots[power].refused(game.phase(), &all);
    }
    if conduct != Conduct::Ok {
        log.event(game.phase(), game.terrain(), &Event::Faulted(power, conduct));
    }
}

// Notifies the bots that keep a map of its changes, and those that keep a record of orders and results.

/// A log that notifies the bots of changes of the map and of the orders of a stage.
struct Notifier<'a> {
    bots: &'a mut ByPower<Box<dyn Bot>>,
    /// Does any bot keep a map?
    wanted: bool,
    changes: MapChanges,
    /// The stage being settled, if any bot keeps a record.
    past: Option<SettledStage>,
}

impl<'a> Notifier<'a> {
    /// Notifies of changes of the map, and of the orders of the stage that the game waits for. Choices of coasts are not
    /// orders.
    fn new(bots: &'a mut ByPower<Box<dyn Bot>>, game: &Game) -> Notifier<'a> {
        let wanted = bots.iter_mut().any(|(_, bot)| bot.keeps_a_map());
        let records = game.stage() != Stage::Coasts && bots.iter_mut().any(|(_, bot)| bot.keeps_a_record());
        let past = records.then(|| SettledStage::before(game));
        Notifier { bots, wanted, changes: MapChanges::default(), past }
    }

    /// Call when the stage is settled: notifies the bots that keep a record.
    fn close(self) {
        if let Some(past) = self.past {
            let keepers = self.bots.iter_mut().filter_map(|(_, bot)| bot.keeps_a_record().then_some(bot));
            keepers.for_each(|bot| bot.settled(&past));
        }
    }

    fn tell(&mut self, change: &MapEvent) {
        self.bots
            .iter_mut()
            .filter_map(|(_, bot)| bot.keeps_a_map().then_some(bot))
            .for_each(|bot| bot.map_changed(change));
    }
}

impl Log for Notifier<'_> {
    fn event(&mut self, _: Phase, terrain: &MapTables, event: &Event) {
        if self.wanted
            && let Some(change) = self.changes.of_event(terrain, event)
        {
            self.tell(&change);
        }
    }

    fn settled(&mut self, settlement: &Settlement<'_>) {
        if let (true, Settled::Seismic { orders, outcomes }) = (self.wanted, settlement.settled) {
            MapChanges::of_quakes(settlement.terrain, orders, outcomes)
                .iter()
                .for_each(|change| self.tell(change));
        }
        if let Some(past) = &mut self.past {
            past.orders.extend(settlement.texts());
        }
    }
}
