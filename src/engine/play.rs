//! Lets bots play a game: shows each bot what it may see, checks its answers, and settles the phase.

mod advice;
mod notify;

pub use advice::{Advice, advice};

use crate::bot::{
    Bot, BotFault, Brief, Conduct, Faculty, Handicap, Observation, OrderSheet, RefusedOrder, RetreatChoice,
    Trapped, Verdict,
};
use crate::game::{Ending, Game, Referee, Stage};
use crate::play::notify::Notifier;
use crate::reading::Refusal;
use crate::rules::adjustment::Adjusting;
use crate::rules::event::{Both, Event, Log};
use crate::rules::mechanism::Declarations;
use crate::rules::nature::Nature;
use crate::rules::notation::{WrittenOrder, WrittenUnit};
use crate::rules::order::{AdjustmentOrder, Orders, RetreatOrder};
use crate::rules::seismic::{SeismicOrder, SeismicOrders};
use upheaval_map::ids::{ByPower, CoastId, Designation, Location, Power, ProvinceSet};
use upheaval_map::rng::Stream;

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
    let seen = observe(game, referee, power, bot.handicap());
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
        bot.game_over(&observe(game, referee, power, bot.handicap()), verdict);
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
    match game.stage() {
        Stage::Movement => play_movement(game, referee, seats, nature, log),
        Stage::Retreats => play_retreats(game, referee, seats, nature, log),
        Stage::Coasts => play_coasts(game, referee, seats, nature, log),
        Stage::Adjustments => play_adjustments(game, referee, seats, nature, log),
        Stage::Seismic => play_seismic(game, referee, seats, nature, log),
        Stage::Over => {}
    }
}

/// What a power may see of a game, for a bot with this handicap. If orders are awaited, the referee must be
/// [prepared](Referee::prepare) for the game.
pub(crate) fn observe<'a>(
    game: &'a Game,
    referee: &'a Referee,
    power: Power,
    handicap: Handicap,
) -> Observation<'a> {
    let world = game.world();
    let terrain = &world.terrain;
    let may_name = !handicap.denies(Faculty::Exemptions);
    Observation {
        phase: game.phase(),
        power,
        board: terrain.board(),
        position: &world.position,
        centres: terrain.centres(),
        homes: terrain.homes(),
        chains: referee.chains(),
        rulebook: &game.variant().rulebook,
        doomed: world.doomed,
        sinking: game.sinking(),
        exempt: world.exemptions[power].centre,
        handicap,
        exempt_choices: if may_name { game.exempt_choices(power) } else { ProvinceSet::EMPTY },
        may_announce: may_name && game.can_announce(power),
        listing: game.variant().listing(),
        swallowed: &world.swallowed,
        game,
    }
}

/// Tells the log and the bot of the faults in a power's answer: the orders that did not count, whoever refused them,
/// and the faults that the bot reports. Every refusal of a bot's order passes through here.
fn note(game: &Game, seats: &mut Seats<'_>, log: &mut dyn Log, power: Power, refused: Vec<RefusedOrder>) {
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

fn play_movement(
    game: &mut Game,
    referee: &mut Referee,
    seats: &mut Seats<'_>,
    nature: &mut dyn Nature,
    log: &mut dyn Log,
) {
    referee.prepare(game);
    let mut orders = Orders::all_hold();
    let listing = game.variant().listing();
    if listing.is_allowed() {
        *orders.retreats_mut() = referee.empty_lists();
    }
    let mut declared = Declarations::none(game.powers());
    for power in game.powers() {
        let (bot, dice) = (&mut seats.bots[power], &mut seats.dice[power]);
        let seen = observe(game, referee, power, bot.handicap());
        let mut refused = Vec::new();
        if !seen.exempt_choices.is_empty() {
            let named = bot.exempt(&seen, dice);
            declared.exempt[power] = named.filter(|centre| seen.exempt_choices.contains(*centre));
            let denied = named.filter(|centre| !seen.exempt_choices.contains(*centre));
            refused.extend(denied.map(|centre| {
                let order = WrittenOrder::Exempt { centre }.display(seen.names()).to_string();
                RefusedOrder::new(order, Refusal::NotExempt.to_string())
            }));
        }
        if seen.may_announce {
            declared.announce[power] = bot.announce(&seen, dice);
        }
        if !seen.position.units_of(power).is_empty() {
            let mut sheet = OrderSheet::new(&seen, &mut orders);
            bot.movement(&seen, dice, &mut sheet);
            refused.extend(sheet.into_refused());
        }
        note(game, seats, log, power, refused);
    }
    let mut notifier = Notifier::recording(seats.bots, game);
    game.settle_movement(
        referee,
        &orders,
        &declared,
        nature,
        &mut Both { first: &mut notifier, second: log },
    );
    notifier.close();
    if listing.is_allowed() {
        referee.give_back(std::mem::take(orders.retreats_mut()));
    }
}

fn play_retreats(
    game: &mut Game,
    referee: &mut Referee,
    seats: &mut Seats<'_>,
    nature: &mut dyn Nature,
    log: &mut dyn Log,
) {
    let count = game.dislodged().dislodged.len();
    let mut orders: Vec<Option<RetreatOrder>> = vec![None; count];
    let options: Vec<_> = (0..count).map(|i| game.retreat_options(i)).collect();
    let mut answer = Vec::new();
    for power in game.powers() {
        let own: Vec<usize> = (0..count)
            .filter(|&i| game.dislodged().dislodged[i].unit.power == power && !options[i].is_empty())
            .collect();
        if own.is_empty() {
            continue;
        }
        let choices: Vec<RetreatChoice<'_>> = own
            .iter()
            .map(|&i| RetreatChoice { dislodged: game.dislodged().dislodged[i], options: &options[i] })
            .collect();
        answer.clear();
        let seen = observe(game, referee, power, seats.bots[power].handicap());
        seats.bots[power].retreats(&seen, &choices, &mut seats.dice[power], &mut answer);
        let mut refused = Vec::new();
        for (&i, &order) in own.iter().zip(&answer) {
            match order {
                Some(order @ RetreatOrder::Retreat { to }) if !options[i].contains(&to) => {
                    refused.push(refused_retreat(game, i, order));
                }
                order => orders[i] = order,
            }
        }
        note(game, seats, log, power, refused);
    }
    let mut notifier = Notifier::recording(seats.bots, game);
    game.settle_retreats(&orders, nature, &mut Both { first: &mut notifier, second: log });
    notifier.close();
}

/// A retreat to a place that is not open to the dislodged unit of this number.
fn refused_retreat(game: &Game, unit: usize, order: RetreatOrder) -> RefusedOrder {
    let (waiting, dislodged) = (game.dislodged(), game.dislodged().dislodged[unit]);
    let at = Location { province: dislodged.at, coast: dislodged.unit.coast };
    let of =
        WrittenUnit { ordinal: waiting.ordinal(unit), ..WrittenUnit::new(dislodged.unit.designation(), at) };
    let written = WrittenOrder::from_retreat(of, order);
    RefusedOrder::new(written.display(game.terrain().names()).to_string(), "the unit cannot retreat there")
}

fn play_coasts(
    game: &mut Game,
    referee: &Referee,
    seats: &mut Seats<'_>,
    nature: &mut dyn Nature,
    log: &mut dyn Log,
) {
    let choices = game.coast_choices().to_vec();
    let mut chosen: Vec<Option<CoastId>> = Vec::with_capacity(choices.len());
    for choice in &choices {
        let seen = observe(game, referee, choice.power, seats.bots[choice.power].handicap());
        let coast = seats.bots[choice.power].coast(&seen, choice, &mut seats.dice[choice.power]);
        let refused = coast.filter(|coast| !choice.coasts.contains(coast)).map(|coast| {
            let at = Location { province: choice.fleet, coast: CoastId::default() };
            let order = WrittenOrder::ChooseCoast { unit: WrittenUnit::new(Designation::Fleet, at), coast };
            RefusedOrder::new(
                order.display(game.terrain().names()).to_string(),
                "the fleet cannot take that coast",
            )
        });
        note(game, seats, log, choice.power, refused.into_iter().collect());
        chosen.push(coast);
    }
    let mut disbanded = ProvinceSet::EMPTY;
    for &(fleet, power) in game.trapped() {
        let seen = observe(game, referee, power, seats.bots[power].handicap());
        if seats.bots[power].trapped(&seen, fleet, &mut seats.dice[power]) == Trapped::Disbands {
            disbanded.insert(fleet);
        }
        note(game, seats, log, power, Vec::new());
    }
    let mut chosen = chosen.into_iter();
    game.settle_coasts(
        nature,
        &mut Both { first: &mut Notifier::new(seats.bots), second: log },
        disbanded,
        |_, _| chosen.next().flatten(),
    );
}

fn play_seismic(
    game: &mut Game,
    referee: &Referee,
    seats: &mut Seats<'_>,
    nature: &mut dyn Nature,
    log: &mut dyn Log,
) {
    let mut orders = SeismicOrders::new(game.powers());
    for power in game.powers() {
        let handicap = seats.bots[power].handicap();
        if game.world().position.is_out(power) || handicap.denies(Faculty::Seismic) {
            continue;
        }
        let seen = observe(game, referee, power, handicap);
        let order = seats.bots[power].seismic(&seen, game.quakes(), &mut seats.dice[power]);
        let is_allowed = |order: &SeismicOrder| seen.terrain().chart().map().allows(order.quake);
        let (allowed, denied): (Vec<_>, Vec<_>) = order.into_iter().partition(is_allowed);
        orders[power] = allowed.into_iter().next();
        // A quake that is not on the map has no name on it.
        let refused =
            denied.iter().map(|_| RefusedOrder::new("a seismic order", "the map does not allow it"));
        note(game, seats, log, power, refused.collect());
    }
    let mut notifier = Notifier::recording(seats.bots, game);
    game.settle_seismic(&orders, nature, &mut Both { first: &mut notifier, second: log });
    notifier.close();
}

fn play_adjustments(
    game: &mut Game,
    referee: &Referee,
    seats: &mut Seats<'_>,
    nature: &mut dyn Nature,
    log: &mut dyn Log,
) {
    let mut orders: ByPower<Vec<AdjustmentOrder>> = ByPower::new(game.powers());
    for power in game.powers() {
        let adjusting = game.adjusting(power);
        if adjusting.is_settled() {
            continue;
        }
        let (owed, builds) = (adjusting.owed(), adjusting.builds(game.terrain().board()));
        let seen = observe(game, referee, power, seats.bots[power].handicap());
        seats.bots[power].adjustments(&seen, owed, &builds, &mut seats.dice[power], &mut orders[power]);
        let refused = refuse_adjustments(game, adjusting, &mut orders[power]);
        note(game, seats, log, power, refused);
    }
    let mut notifier = Notifier::recording(seats.bots, game);
    game.settle_adjustments(&orders, nature, &mut Both { first: &mut notifier, second: log });
    notifier.close();
}

/// Takes the orders out of a power's adjustments that cannot be carried out.
fn refuse_adjustments(
    game: &Game,
    mut adjusting: Adjusting,
    orders: &mut Vec<AdjustmentOrder>,
) -> Vec<RefusedOrder> {
    let (mut refused, before, terrain) = (Vec::new(), &game.world().position, game.terrain());
    orders.retain(|&order| {
        let Err(refusal) = adjusting.take(terrain.board(), before, order) else { return true };
        let text = match WrittenOrder::from_adjustment(before, order) {
            Some(written) => written.display(terrain.names()).to_string(),
            None => "a removal where no unit is".to_owned(),
        };
        refused.push(RefusedOrder::new(text, refusal.to_string()));
        false
    });
    refused
}
