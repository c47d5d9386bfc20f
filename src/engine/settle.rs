//! Settles a stage from orders as text: they are read, passed to the [`Game`], and reported one by one, with
//! the reason where one failed.

use std::sync::Arc;

use crate::game::{Game, Referee, SentRetreat, SentRetreats};
use crate::reading::{self, Decision, Ground, Manner, MayDeclare, OrderText, Read, Refusal, Waiting};
use crate::rules::event::Log;
use crate::rules::gazetteer::Gazetteer;
use crate::rules::legal::ConvoyChains;
use crate::rules::movement::{MAX_PIECES, Outcome, Resolution};
use crate::rules::nature::Nature;
use crate::rules::notation::{WrittenList, WrittenOrder, WrittenUnit};
use crate::rules::order::RetreatOrder;
use crate::rules::position::{Dislodged, Position};
use crate::rules::refused::RefusedOrder;
use crate::rules::retreat::{RetreatFault, RetreatOutcome};
use crate::rules::seismic::SeismicOutcome;
use crate::rules::terrain::Terrain;
use crate::rules::world::{CoastChoice, World};
use upheaval_map::ids::{Location, Power, ProvinceId, ProvinceSet};

/// The result of an order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineOutcome {
    /// Its index among the orders of the stage.
    pub line: usize,
    /// The result words of `docs/adjudicate.md`: `ok`, `bounce`, `illegal` …
    pub words: Vec<&'static str>,
    /// Why it failed, if it did.
    pub reason: Option<String>,
}

/// A unit that left the board without an order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unordered {
    /// The owner of the unit.
    pub power: Power,
    /// The order that the rules substituted: `A PAR D`.
    pub order: String,
    /// The reason.
    pub reason: &'static str,
}

/// The results of the orders of a stage.
#[derive(Clone, Debug, Default)]
pub struct Settled {
    /// The result of each order: first the refused orders, then those that counted, each in the order of the
    /// lines, except that landings come last.
    pub outcomes: Vec<LineOutcome>,
    /// The units that left the board without an order.
    pub unordered: Vec<Unordered>,
    /// The dislodged units of a movement in which retreats were sent with the orders.
    pub sent: SentRetreats,
}

impl Settled {
    pub(crate) fn of(read: &[Read], mut told: impl FnMut(&Read) -> LineOutcome) -> Settled {
        let (counted, refused): (Vec<&Read>, Vec<&Read>) = read.iter().partition(|read| read.result.is_ok());
        let outcomes = refused.into_iter().chain(counted).map(&mut told).collect();
        Settled { outcomes, ..Settled::default() }
    }
}

impl LineOutcome {
    fn ok(line: usize) -> LineOutcome {
        LineOutcome { line, words: vec!["ok"], reason: None }
    }

    fn refused(line: usize, refusal: &Refusal) -> LineOutcome {
        let word = if refusal.is_void() { "void" } else { "illegal" };
        LineOutcome { line, words: vec![word], reason: Some(refusal.to_string()) }
    }
}

/// The random events of a game and its log.
pub struct Surroundings<'a> {
    /// The source of random events.
    pub nature: &'a mut dyn Nature,
    /// The log of events.
    pub log: &'a mut dyn Log,
}

/// Tells a log of the orders of a stage that were refused, power by power.
fn tell_refused(log: &mut dyn Log, game: &Game, lines: &[OrderText<'_>], read: &[Read]) {
    for power in game.powers() {
        let refused = read.iter().filter_map(|Read { line, result }| {
            let refusal = result.as_ref().err()?;
            let line = lines.get(*line).filter(|line| line.power == power)?;
            Some(RefusedOrder::new(line.text, refusal.to_string()))
        });
        let refused: Vec<RefusedOrder> = refused.collect();
        if !refused.is_empty() {
            log.refused(game.phase(), game.terrain(), power, &refused);
        }
    }
}

/// Settles a movement phase.
pub fn movement(
    game: &mut Game,
    referee: &mut Referee,
    lines: &[OrderText<'_>],
    around: Surroundings<'_>,
) -> Settled {
    let terrain = Arc::clone(&game.world().terrain);
    let before = game.world().position.clone();
    referee.prepare(game);
    let may_declare = MayDeclare {
        listing: game.variant().listing(),
        exempt: &|power| game.exempt_choices(power),
        announce: &|power| game.can_announce(power),
    };
    let ground = Ground {
        terrain: &terrain,
        position: &before,
        chains: referee.chains(),
        rulebook: &game.variant().rulebook,
    };
    let movement = reading::movement(ground, lines, Manner::Player, may_declare);
    tell_refused(around.log, game, lines, &movement.read);
    let sent = game.settle_movement(referee, &movement.orders, &movement.declared, around.nature, around.log);
    let told = Moved {
        names: terrain.names(),
        before: &before,
        resolution: referee.resolution(),
        retreated: &sent.units,
    };
    let settled = Settled::of(&movement.read, |read| told.outcome(read, lines, &movement.read));
    // A list without an open place is reported only as unsuccessful: the rules removed the unit.
    let lost =
        sent.units.iter().enumerate().filter(|(_, sent)| matches!(sent.outcome, RetreatOutcome::Lost(_)));
    let names = sent.terrain.as_ref().unwrap_or(&terrain).names();
    let unordered = lost.map(|(i, SentRetreat { dislodged: unit, .. })| {
        let before = sent.units[..i].iter().map(|sent| &sent.dislodged);
        let alike = before.filter(|other| (other.at, other.unit) == (unit.at, unit.unit));
        let ordinal = u8::try_from(alike.count() + 1).unwrap_or(u8::MAX);
        lost_unordered(unit, ordinal, names)
    });
    let unordered = unordered.collect();
    Settled { unordered, sent, ..settled }
}

/// A settled movement phase.
struct Moved<'a> {
    names: &'a Gazetteer,
    before: &'a Position,
    resolution: &'a Resolution,
    /// The units that retreated, with or without a list; empty where retreats are asked for afterwards.
    retreated: &'a [SentRetreat],
}

impl Moved<'_> {
    fn outcome(&self, Read { line, result }: &Read, lines: &[OrderText<'_>], all: &[Read]) -> LineOutcome {
        let told = |words, outcome: Option<Outcome>| {
            let failed = outcome.filter(|outcome| *outcome != Outcome::Succeeded);
            let name = |id| self.before.unit_named(self.names, id);
            LineOutcome {
                line: *line,
                words,
                reason: failed.map(|outcome| outcome.display(name).to_string()),
            }
        };
        match result {
            Ok(Decision::Order { unit, .. }) => {
                told(self.resolution.words(*unit).collect(), self.resolution.outcome(*unit))
            }
            Ok(Decision::Landing(landing)) => {
                match self.resolution.landing_outcome(landing.power, landing.from) {
                    Some(outcome) => told(vec![outcome.word()], Some(outcome)),
                    None => LineOutcome {
                        line: *line,
                        words: vec!["illegal"],
                        reason: Some(format!(
                            "no more than {MAX_PIECES} units and landings are settled at once"
                        )),
                    },
                }
            }
            Ok(Decision::List(listed)) => {
                let mut retreated = self.retreated.iter();
                let outcome =
                    retreated.find(|sent| sent.dislodged.at == listed.unit).map(|sent| sent.outcome);
                let word = outcome.map_or("void", |outcome| outcome.word_of_list());
                let failed = outcome.filter(|_| word != "ok");
                let reason = failed.map(|o| o.display(|id| self.names.province(id)).to_string());
                LineOutcome { line: *line, words: vec![word], reason }
            }
            Ok(_) => LineOutcome::ok(*line),
            Err(refusal) => {
                let mut outcome = LineOutcome::refused(*line, refusal);
                if *refusal != Refusal::Twice && self.was_dislodged(&lines[*line], all) {
                    outcome.words.push("dislodged");
                }
                outcome
            }
        }
    }

    /// Was the unit of a refused order dislodged, with no accepted order to report that?
    fn was_dislodged(&self, line: &OrderText<'_>, all: &[Read]) -> bool {
        let is_ordered =
            |at| all.iter().any(|read| matches!(read.result, Ok(Decision::Order { unit, .. }) if unit == at));
        let is_list = WrittenList::is_one(line.text);
        if is_list || matches!(WrittenOrder::parse(line.text, self.names), Ok(WrittenOrder::Disembark { .. }))
        {
            return false;
        }
        let meant = unit_of(line, self.before, self.names);
        meant.is_some_and(|at| self.resolution.dislodged_by(at).is_some() && !is_ordered(at))
    }
}

/// The power's own unit that an order refers to, as far as its first two words tell.
fn unit_of(line: &OrderText<'_>, position: &Position, names: &Gazetteer) -> Option<ProvinceId> {
    let words: Vec<&str> = line.text.split_whitespace().take(2).collect();
    let at = WrittenUnit::parse(&words.join(" "), names).ok()?.place.province;
    position.units_of(line.power).contains(at).then_some(at)
}

/// Settles a retreat phase.
pub fn retreats(game: &mut Game, lines: &[OrderText<'_>], around: Surroundings<'_>) -> Settled {
    let terrain = Arc::clone(&game.world().terrain);
    let waiting = game.dislodged().clone();
    let texts: Vec<String> = lines.iter().map(|line| without_lost_coast(line.text, &terrain)).collect();
    let read: Vec<OrderText<'_>> =
        lines.iter().zip(&texts).map(|(line, text)| OrderText { power: line.power, text }).collect();
    let can_go = |unit, to| game.retreat_options(unit).contains(&to);
    let chains = ConvoyChains::default();
    let waits = Waiting { units: &waiting, can_go: &can_go };
    let (orders, read) = reading::retreats(ground(game, &chains), &read, Manner::Player, waits);
    tell_refused(around.log, game, lines, &read);
    let outcomes = game.settle_retreats(&orders, around.nature, around.log);
    let told = |Read { line, result }: &Read| match result {
        Ok(Decision::Retreat { unit, .. }) => {
            let outcome = outcomes[*unit];
            let failed = (outcome.word() != "ok").then_some(outcome);
            let reason = failed.map(|o| o.display(|id| terrain.names().province(id)).to_string());
            LineOutcome { line: *line, words: vec![outcome.word()], reason }
        }
        Ok(_) => LineOutcome::ok(*line),
        Err(refusal) => LineOutcome::refused(*line, refusal),
    };
    let lost = waiting.dislodged.iter().zip(&outcomes).enumerate();
    let lost = lost.filter(|(_, (_, outcome))| **outcome == RetreatOutcome::Lost(RetreatFault::Missing));
    let unordered =
        lost.map(|(i, (dislodged, _))| lost_unordered(dislodged, waiting.ordinal(i), terrain.names()));
    Settled { unordered: unordered.collect(), ..Settled::of(&read, told) }
}

/// A dislodged unit that was lost without an order; several equal units are numbered from 1.
fn lost_unordered(dislodged: &Dislodged, ordinal: u8, names: &Gazetteer) -> Unordered {
    let at = Location { province: dislodged.at, coast: dislodged.unit.coast };
    let unit = WrittenUnit { ordinal, ..WrittenUnit::new(dislodged.unit.designation(), at) };
    Unordered {
        power: dislodged.unit.power,
        order: WrittenOrder::from_retreat(unit, RetreatOrder::Disband).display(names).to_string(),
        reason: "disbanded: it has no valid order",
    }
}

fn ground<'a>(game: &'a Game, chains: &'a ConvoyChains) -> Ground<'a> {
    let World { terrain, position, .. } = game.world();
    Ground { terrain, position, chains, rulebook: &game.variant().rulebook }
}

/// Rewrites an order to a unit dislodged from a province that is now a hole, because its coast no longer
/// exists.
fn without_lost_coast(text: &str, terrain: &Terrain) -> String {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    if let Some((code, _)) = words.get(1).and_then(|word| word.split_once('/')) {
        let map = terrain.chart().map();
        if map.find(&code.to_ascii_uppercase()).is_some_and(|id| map.holes().contains(id)) {
            words[1] = code;
        }
    }
    words.join(" ")
}

/// Settles an adjustment phase.
pub fn adjustments(game: &mut Game, lines: &[OrderText<'_>], around: Surroundings<'_>) -> Settled {
    let terrain = Arc::clone(&game.world().terrain);
    let chains = ConvoyChains::default();
    let (orders, read) = reading::adjustments(ground(game, &chains), lines, &|power| game.adjusting(power));
    tell_refused(around.log, game, lines, &read);
    let adjusted = game.settle_adjustments(&orders, around.nature, around.log);
    let settled = Settled::of(&read, as_read);
    let removed = adjusted.iter().flat_map(|(power, of)| of.removed.iter().map(move |unit| (power, unit)));
    let unordered = removed.map(|(power, &(at, unit))| {
        let unit = WrittenUnit::new(unit.designation(), Location { province: at, coast: unit.coast });
        Unordered {
            power,
            order: WrittenOrder::Disband { unit }.display(terrain.names()).to_string(),
            reason: "removed: too few removals were ordered",
        }
    });
    Settled { unordered: unordered.collect(), ..settled }
}

/// Settles a seismic phase.
pub fn seismic(game: &mut Game, lines: &[OrderText<'_>], around: Surroundings<'_>) -> Settled {
    let is_out = |power| game.world().position.is_out(power);
    let check = |power, _: &_| if is_out(power) { Err(Refusal::IsOut) } else { Ok(()) };
    let (orders, read) = reading::seismic(game.terrain(), lines, &check);
    tell_refused(around.log, game, lines, &read);
    let outcomes = game.settle_seismic(&orders, around.nature, around.log);
    let told = |Read { line, result }: &Read| match (result, outcomes[lines[*line].power]) {
        (Err(refusal), _) => LineOutcome::refused(*line, refusal),
        (Ok(_), Some(outcome)) => {
            let reason = (outcome != SeismicOutcome::Done).then(|| outcome.to_string());
            LineOutcome { line: *line, words: vec![outcome.word()], reason }
        }
        (Ok(_), None) => LineOutcome { line: *line, words: Vec::new(), reason: None },
    };
    Settled::of(&read, told)
}

/// Reads which trapped fleets are disbanded, and the reports on these orders. They are settled with the
/// coasts.
pub fn trapped(game: &Game, lines: &[OrderText<'_>], log: &mut dyn Log) -> (ProvinceSet, Settled) {
    let names = game.terrain().names();
    let (disbanded, read) = reading::trapped(names, &|power| game.trapped_of(power), lines);
    tell_refused(log, game, lines, &read);
    (disbanded, Settled::of(&read, as_read))
}

/// Settles the choice of coasts, if the game waits for it; the given trapped fleets are disbanded. `before`
/// has the names of fleets and coasts used by the orders.
pub fn coasts(
    game: &mut Game,
    lines: &[OrderText<'_>],
    disbanded: ProvinceSet,
    around: Surroundings<'_>,
) -> Settled {
    let terrain = Arc::clone(&game.world().terrain);
    let (chosen, read) = reading::coasts(terrain.names(), game.coast_choices(), lines);
    if game.stage() == crate::game::Stage::Coasts {
        tell_refused(around.log, game, lines, &read);
        let mut chosen = chosen.into_iter();
        let choose = |_: &World, _: &CoastChoice| chosen.next().flatten();
        game.settle_coasts(around.nature, around.log, disbanded, choose);
    }
    Settled::of(&read, |read| match read.result {
        Err(Refusal::CoastTwice) => LineOutcome::refused(read.line, &Refusal::NoCoast),
        _ => as_read(read),
    })
}

/// The report on an order that counts as soon as it is understood.
pub(crate) fn as_read(Read { line, result }: &Read) -> LineOutcome {
    match result {
        Ok(_) => LineOutcome::ok(*line),
        Err(refusal) => LineOutcome::refused(*line, refusal),
    }
}
