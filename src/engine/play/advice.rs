//! A bot's answer in the stage that a game waits for, without playing it.

use super::observe;
use crate::bot::{Bot, Faculty, OrderSheet, RetreatChoice, Trapped};
use crate::game::{Game, Referee, Stage};
use crate::rules::mechanism::exemption::Announced;
use crate::rules::order::{AdjustmentOrder, Orders, RetreatOrder};
use upheaval_map::ids::{CoastId, Location, Power, ProvinceId, ProvinceSet};
use upheaval_map::rng::Stream;
use upheaval_map::topology::Quake;

/// A bot's answer. Parts that it is not asked for are empty.
#[derive(Clone, Debug)]
pub struct Advice {
    /// The orders of its units, with landings and lists of retreats; units of other powers hold.
    pub orders: Orders,
    /// The centre that holes should spare.
    pub exempt: Option<ProvinceId>,
    /// Is the exempt centre announced?
    pub announced: Announced,
    /// The orders of its dislodged units, each with its index among all dislodged units.
    pub retreats: Vec<(usize, Option<RetreatOrder>)>,
    /// The coasts of its fleets whose own coasts have split or vanished.
    pub coasts: Vec<(ProvinceId, Option<CoastId>)>,
    /// Its trapped fleets that it disbands.
    pub disbanded: ProvinceSet,
    /// Its builds or removals.
    pub adjustments: Vec<AdjustmentOrder>,
    /// Its seismic order.
    pub quake: Option<Quake>,
}

impl Advice {
    fn nothing() -> Advice {
        Advice {
            orders: Orders::all_hold(),
            exempt: None,
            announced: Announced::No,
            retreats: Vec::new(),
            coasts: Vec::new(),
            disbanded: ProvinceSet::EMPTY,
            adjustments: Vec::new(),
            quake: None,
        }
    }
}

/// Asks a bot for its answer for a power in the stage that a game waits for. The game is unchanged; the bot
/// must know its power ([`Bot::new_game`]), and the referee must be [prepared](Referee::prepare) for the
/// game.
pub fn advice(
    game: &Game,
    referee: &mut Referee,
    power: Power,
    bot: &mut dyn Bot,
    dice: &mut Stream,
) -> Advice {
    let mut given = Advice::nothing();
    match game.stage() {
        Stage::Movement => movement(game, referee, power, bot, dice, &mut given),
        Stage::Retreats => retreats(game, referee, power, bot, dice, &mut given),
        Stage::Coasts => coasts(game, referee, power, bot, dice, &mut given),
        Stage::Adjustments => {
            let adjusting = game.adjusting(power);
            if !adjusting.is_settled() {
                bot.adjustments(
                    &observe(game, referee, power, bot.handicap()),
                    adjusting.owed(),
                    &adjusting.builds(game.terrain().board()),
                    dice,
                    &mut given.adjustments,
                );
            }
        }
        Stage::Seismic
            if !game.world().position.is_out(power) && !bot.handicap().denies(Faculty::Seismic) =>
        {
            let order = bot.seismic(&observe(game, referee, power, bot.handicap()), game.quakes(), dice);
            given.quake = order.map(|order| order.quake);
        }
        Stage::Seismic | Stage::Over => {}
    }
    given
}

fn movement(
    game: &Game,
    referee: &mut Referee,
    power: Power,
    bot: &mut dyn Bot,
    dice: &mut Stream,
    given: &mut Advice,
) {
    referee.prepare(game);
    if game.variant().listing().is_allowed() {
        *given.orders.retreats_mut() = referee.empty_lists();
    }
    let seen = observe(game, referee, power, bot.handicap());
    if !seen.exempt_choices.is_empty() {
        given.exempt = bot.exempt(&seen, dice);
    }
    if seen.may_announce {
        given.announced = bot.announce(&seen, dice);
    }
    if !seen.position.units_of(power).is_empty() {
        bot.movement(&seen, dice, &mut OrderSheet::new(&seen, &mut given.orders));
    }
}

fn retreats(
    game: &Game,
    referee: &Referee,
    power: Power,
    bot: &mut dyn Bot,
    dice: &mut Stream,
    given: &mut Advice,
) {
    let all = &game.dislodged().dislodged;
    let options: Vec<(usize, Vec<Location>)> = (0..all.len())
        .filter(|&i| all[i].unit.power == power)
        .map(|i| (i, game.retreat_options(i)))
        .filter(|(_, options)| !options.is_empty())
        .collect();
    if options.is_empty() {
        return;
    }
    let choices: Vec<RetreatChoice<'_>> =
        options.iter().map(|(i, options)| RetreatChoice { dislodged: all[*i], options }).collect();
    let mut orders = Vec::new();
    bot.retreats(&observe(game, referee, power, bot.handicap()), &choices, dice, &mut orders);
    given.retreats = options.iter().map(|(i, _)| *i).zip(orders).collect();
}

fn coasts(
    game: &Game,
    referee: &Referee,
    power: Power,
    bot: &mut dyn Bot,
    dice: &mut Stream,
    given: &mut Advice,
) {
    for choice in game.coast_choices().iter().filter(|choice| choice.power == power) {
        let coast = bot.coast(&observe(game, referee, power, bot.handicap()), choice, dice);
        given.coasts.push((choice.fleet, coast));
    }
    for fleet in game.trapped_of(power) {
        if bot.trapped(&observe(game, referee, power, bot.handicap()), fleet, dice) == Trapped::Disbands {
            given.disbanded.insert(fleet);
        }
    }
}
