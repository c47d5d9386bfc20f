//! Settles a stage from orders as text: they are read, passed to the [`Game`], and reported one by one, with the reason
//! where one failed.

use std::sync::Arc;

use crate::game::{Game, Referee, Stage};
use crate::reading::{self, Decision, OrderSource, OrderText, Refusal};
use crate::rules::conduct::RefusedOrder;
use crate::rules::event::{Both, Log};
use crate::rules::map_tables::MapTables;
use crate::rules::nature::Nature;
use crate::rules::notation::{WrittenList, WrittenOrder, WrittenUnit};
use crate::rules::position::Position;
use crate::rules::settlement::{Settled, SettledOrder, Settlement};
use upheaval_map::ids::{PowerNames, ProvinceId};

/// The results of the orders of a stage.
#[derive(Clone, Debug, Default)]
pub struct TextResults {
    /// The result of each order, in the order of the lines.
    pub orders: Vec<SettledOrder>,
    /// The meaning of each order, or why it was refused.
    pub read: Vec<Result<Decision, Refusal>>,
    /// The units that left the board without an order.
    pub unordered: Vec<SettledOrder>,
}

/// Settles the stage that a game waits for with these orders.
pub fn settle(
    game: &mut Game,
    referee: &mut Referee,
    lines: &[OrderText<'_>],
    nature: &mut dyn Nature,
    log: &mut dyn Log,
) -> TextResults {
    let terrain = Arc::clone(&game.world().terrain);
    let stage = game.stage();
    if stage == Stage::Movement {
        referee.prepare(game);
    }
    let texts: Vec<String> = match stage {
        Stage::Retreats => lines.iter().map(|line| without_lost_coast(line.text, &terrain)).collect(),
        _ => Vec::new(),
    };
    let mut asked = lines.to_vec();
    asked.iter_mut().zip(&texts).for_each(|(line, text)| line.text = text);
    let read = reading::stage(game, referee.chains(), &asked, OrderSource::Player);
    tell_refused(log, game, lines, &read);
    let mut answers = referee.answers(game);
    for (line, decision) in lines.iter().zip(&read) {
        if let Ok(decision) = decision {
            answers.put(line.power, decision);
        }
    }
    let orders =
        lines.iter().zip(&read).map(|(line, read)| before(*line, read, terrain.power_names())).collect();
    let results = TextResults { orders, ..TextResults::default() };
    let mut reporter = Reporter { lines, read: &read, results };
    game.settle(referee, &answers, nature, &mut Both { first: &mut reporter, second: log });
    let results = reporter.results;
    referee.give_back(answers);
    TextResults { read, ..results }
}

/// Tells a log of the orders of a stage that were refused, power by power.
pub(crate) fn tell_refused(
    log: &mut dyn Log,
    game: &Game,
    lines: &[OrderText<'_>],
    read: &[Result<Decision, Refusal>],
) {
    for power in game.powers() {
        let own = lines.iter().zip(read).filter(|(line, _)| line.power == power);
        let refused = own.filter_map(|(line, result)| {
            Some(RefusedOrder::new(line.text, result.as_ref().err()?.to_string()))
        });
        let refused: Vec<RefusedOrder> = refused.collect();
        if !refused.is_empty() {
            log.refused(game.phase(), game.terrain(), power, &refused);
        }
    }
}

/// The report on an order as far as it follows from its meaning: most other decisions count as soon as they are
/// understood.
pub(crate) fn before(
    line: OrderText<'_>,
    read: &Result<Decision, Refusal>,
    names: &PowerNames,
) -> SettledOrder {
    let (words, reason) = match read {
        // It is not needed, unless its unit is dislodged.
        Ok(Decision::List(_)) => (vec!["void"], None),
        // It is settled with those of the others.
        Ok(Decision::Seismic(_)) => (Vec::new(), None),
        Ok(_) => (vec!["ok"], None),
        Err(refusal) => {
            let word = if refusal.is_void() { "void" } else { "illegal" };
            (vec![word], Some(refusal.to_string()))
        }
    };
    SettledOrder { power: names.name(line.power).to_owned(), order: line.text.to_owned(), words, reason }
}

/// Reports on orders as text while they are settled.
struct Reporter<'a> {
    lines: &'a [OrderText<'a>],
    read: &'a [Result<Decision, Refusal>],
    results: TextResults,
}

impl Log for Reporter<'_> {
    fn settled(&mut self, settlement: &Settlement<'_>) {
        for (i, line) in self.lines.iter().enumerate() {
            let result = &mut self.results.orders[i];
            match &self.read[i] {
                Ok(decision) => {
                    if let Some(outcome) = settlement.outcome(line.power, decision) {
                        result.words = outcome.words().to_vec();
                        result.reason = settlement.reason(outcome).map(|reason| reason.to_string());
                    }
                }
                Err(refusal) if refusal.is_second() => {}
                Err(_) => {
                    if was_dislodged(line, self.read, settlement) {
                        result.words.push("dislodged");
                    }
                }
            }
        }
        self.results.unordered.extend(settlement.unordered());
    }
}

/// Was the unit of a refused order dislodged, with no accepted order to report that?
fn was_dislodged(
    line: &OrderText<'_>,
    all: &[Result<Decision, Refusal>],
    settlement: &Settlement<'_>,
) -> bool {
    let Settled::Movement { position, resolution, .. } = settlement.settled else { return false };
    let names = settlement.terrain.names();
    let is_ordered =
        |at| all.iter().any(|read| matches!(read, Ok(Decision::Order { unit, .. }) if *unit == at));
    if WrittenList::is_one(line.text)
        || matches!(WrittenOrder::parse(line.text, names), Ok(WrittenOrder::Disembark { .. }))
    {
        return false;
    }
    let meant = unit_of(line, position, settlement.terrain);
    meant.is_some_and(|at| resolution.dislodged_by(at).is_some() && !is_ordered(at))
}

/// The power's own unit that an order refers to, as far as its first two words tell.
fn unit_of(line: &OrderText<'_>, position: &Position, terrain: &MapTables) -> Option<ProvinceId> {
    let words: Vec<&str> = line.text.split_whitespace().take(2).collect();
    let at = WrittenUnit::parse(&words.join(" "), terrain.names()).ok()?.place.province;
    position.units_of(line.power).contains(at).then_some(at)
}

/// Rewrites an order to a unit dislodged from a province that is now a hole, because its coast no longer
/// exists.
fn without_lost_coast(text: &str, terrain: &MapTables) -> String {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    if let Some((code, _)) = words.get(1).and_then(|word| word.split_once('/')) {
        let map = terrain.chart().map();
        if map.find(&code.to_ascii_uppercase()).is_some_and(|id| map.holes().contains(id)) {
            words[1] = code;
        }
    }
    words.join(" ")
}
