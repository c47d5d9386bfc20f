//! From a position to the answer: the phase is settled by the same [`Game`] that bots play, and the outcome
//! is read from it.
//!
//! A phase ends where the game waits for another: the events at the end of a season (owners in Fall, holes,
//! coasts) belong to its last phase, which is the retreats, or the movement if no dislodged unit has anywhere
//! to go. Fleets that must choose a coast do not have a phase of their own; they choose with the orders of
//! the phase.

mod seismic;

use super::answer::{Answer, DislodgedUnit, FleetChoice, Results, StateAfter};
use super::ground::Happenings;
use super::lookup::{by_power, names, sorted};
use super::request::Request;
use super::setup::Position;
use super::{RequestError, memory, next};
use crate::game::{Game, Referee, Stage};
use crate::reading::{OrderText, is_coast_choice};
use crate::rules::event::{Event, Log};
use crate::rules::gazetteer::Gazetteer;
use crate::rules::notation::{WrittenOrder, WrittenPlace, WrittenUnit};
use crate::rules::position::{Dislodged, Phase, PhaseKind};
use crate::rules::seismic::{SeismicOrders, SeismicOutcome};
use crate::rules::terrain::Terrain;
use crate::settle::{self, LineOutcome, Settled, Surroundings, Unordered};
use upheaval_map::ids::{ByPower, Designation, Location, Power};
use upheaval_map::topology::report::MapReport;

/// An order: its power, the key of its result, and its text.
#[derive(Clone)]
struct Entry {
    power: Power,
    key: String,
    text: String,
}

/// The orders of a request as texts, by power.
type Texts = Vec<(Power, Vec<String>)>;

/// One of the functions of [`settle`] that settle a phase.
type SettlePhase = fn(&mut Game, &[OrderText<'_>], Surroundings<'_>) -> Settled;

/// Settles the phase of a request whose position has been set up.
pub(super) fn settle(
    request: &Request,
    position: Position,
    referee: &mut Referee,
) -> Result<Answer, RequestError> {
    let orders: Texts = by_power("orders", &request.orders, position.game.powers())?
        .into_iter()
        .map(|(power, texts)| (power, texts.iter().map(|text| text.trim().to_owned()).collect()))
        .collect();
    let phase = position.game.phase();
    let mut settling =
        Settling { position, witness: Witness::default(), results: Results::default(), choices: Vec::new() };
    let Outcome { dislodged, contested, map } = match phase.kind {
        PhaseKind::Movement => settling.movement(&orders, referee),
        PhaseKind::Retreats => settling.settle_by(settle::retreats, &orders),
        PhaseKind::Adjustments => settling.settle_by(settle::adjustments, &orders),
        PhaseKind::Seismic => settling.seismic(&orders),
    };
    let Settling { position: Position { game, nature }, witness, results, choices } = settling;
    let nature = nature.rest(phase, &game)?;
    let ending = next::ending(&game);
    let next = match ending {
        Some(_) => None,
        None => Some(Box::new(next::request(request, &game, witness.happenings.all, nature))),
    };
    Ok(Answer {
        id: request.id.clone(),
        phase: request.phase.clone(),
        results: results.words,
        units_after: game.world().written_units(),
        dislodged,
        contested,
        centers_after: game.world().written_centres(),
        choices,
        map,
        state: state(&game),
        reasons: Some(results.reasons),
        next,
        ending,
    })
}

/// A phase that is being settled.
struct Settling {
    position: Position,
    witness: Witness,
    results: Results,
    choices: Vec<FleetChoice>,
}

/// The parts of an answer that only some phases have.
#[derive(Default)]
struct Outcome {
    dislodged: Vec<DislodgedUnit>,
    contested: Vec<String>,
    map: Option<MapReport>,
}

impl Settling {
    /// The game and its surroundings.
    fn parts(&mut self) -> (&mut Game, Surroundings<'_>) {
        let Position { game, nature } = &mut self.position;
        (game, Surroundings { nature: nature.nature(), log: &mut self.witness })
    }

    fn movement(&mut self, texts: &Texts, referee: &mut Referee) -> Outcome {
        let terrain = std::sync::Arc::clone(&self.position.game.world().terrain);
        let (coasts, others) = sort_out(texts, &mut self.results);
        let (game, around) = self.parts();
        let mut settled = settle::movement(game, referee, &lines(&others), around);
        let sent = std::mem::take(&mut settled.sent);
        let failed = failed(&others, &settled);
        write(&mut self.results, &others, settled);
        let contested = names(referee.resolution().contested(), &terrain);
        self.choose_coasts(coasts, failed);
        let dislodged = match sent.terrain {
            // They have retreated, and are listed with their former places.
            Some(then) => {
                let units = sent.units.into_iter().map(|sent| (sent.dislodged, sent.options));
                self.witness.list_dislodged(units, &then, terrain.names())
            }
            None => {
                let game = &self.position.game;
                self.witness.list_dislodged(waiting(game), game.terrain(), terrain.names())
            }
        };
        Outcome { dislodged, contested, map: None }
    }

    /// Settles retreats or adjustments, whose answers have no special parts.
    fn settle_by(&mut self, phase: SettlePhase, texts: &Texts) -> Outcome {
        let (coasts, others) = sort_out(texts, &mut self.results);
        let (game, around) = self.parts();
        let settled = phase(game, &lines(&others), around);
        let failed = failed(&others, &settled);
        write(&mut self.results, &others, settled);
        self.choose_coasts(coasts, failed);
        Outcome::default()
    }

    /// Settles the coasts that must be chosen, repeatedly if necessary, and writes the results of the orders
    /// that choose one. `others` are orders that have failed so far; any of them that disbands a fleet which
    /// has been trapped takes effect now.
    fn choose_coasts(&mut self, mut orders: Vec<Entry>, others: Vec<Entry>) {
        loop {
            self.choices.extend(choices(&self.position.game));
            let disbanded = self.disband_trapped(&others);
            let (game, around) = self.parts();
            let settled = settle::coasts(game, &lines(&orders), disbanded, around);
            let chosen: Vec<usize> = settled
                .outcomes
                .iter()
                .filter(|outcome| outcome.reason.is_none())
                .map(|outcome| outcome.line)
                .collect();
            write(&mut self.results, &orders, settled);
            if self.position.game.stage() != Stage::Coasts {
                return;
            }
            // An order that fitted no fleet may fit one of those that choose now.
            let mut line = 0..;
            orders.retain(|_| line.next().is_some_and(|line| !chosen.contains(&line)));
        }
    }
}

/// The orders that have failed.
fn failed(entries: &[Entry], settled: &Settled) -> Vec<Entry> {
    let outcomes = settled.outcomes.iter().filter(|outcome| outcome.reason.is_some());
    outcomes.map(|outcome| entries[outcome.line].clone()).collect()
}

/// The fleets for which the game waits, with what each can be ordered.
fn choices(game: &Game) -> Vec<FleetChoice> {
    if game.stage() != Stage::Coasts {
        return Vec::new();
    }
    let names = game.terrain().names();
    let fleet = |province| WrittenUnit {
        kind: Designation::Fleet,
        place: WrittenPlace { province, coast: None },
        ordinal: 1,
    };
    let text = |province| format!("F {}", names.province(province));
    let coasts = game.coast_choices().iter().map(|choice| FleetChoice {
        unit: text(choice.fleet),
        power: choice.power,
        orders: choice
            .coasts
            .iter()
            .map(|&coast| WrittenOrder::ChooseCoast { unit: fleet(choice.fleet), coast })
            .map(|order| order.display(names).to_string())
            .collect(),
    });
    let trapped = game.trapped().iter().map(|&(at, power)| FleetChoice {
        unit: text(at),
        power,
        orders: vec![WrittenOrder::Disband { unit: fleet(at) }.display(names).to_string()],
    });
    coasts.chain(trapped).collect()
}

/// The units that vanished with holes, as a request names them, and how long armies have been aboard.
fn state(game: &Game) -> Option<StateAfter> {
    let world = game.world();
    let mut state = StateAfter { seasons_aboard: memory::all_aboard(game), ..StateAfter::default() };
    for gone in &world.swallowed {
        let text = memory::swallowed_text(&world.terrain, gone);
        state.swallowed.entry(gone.unit.power).or_default().push(text);
    }
    (state != StateAfter::default()).then_some(state)
}

/// The orders as lines to be read.
fn lines(entries: &[Entry]) -> Vec<OrderText<'_>> {
    entries.iter().map(|entry| OrderText { power: entry.power, text: &entry.text }).collect()
}

/// Writes the results of these orders, and the units that left the board without an order.
fn write(results: &mut Results, entries: &[Entry], Settled { outcomes, unordered, .. }: Settled) {
    for LineOutcome { line, words, reason } in outcomes {
        let Entry { power, key, .. } = &entries[line];
        results.write(*power, key, &words, reason);
    }
    for Unordered { power, order, reason } in unordered {
        let key = results.reserve(power, &order);
        results.write(power, &key, &["disband"], Some(reason.to_owned()));
    }
}

/// Reserves a place among the results for every order, in order, and separates the orders that choose a coast
/// from the others.
fn sort_out(texts: &Texts, results: &mut Results) -> (Vec<Entry>, Vec<Entry>) {
    let all = texts.iter().flat_map(|(power, texts)| texts.iter().map(move |text| (*power, text)));
    all.map(|(power, text)| Entry { power, key: results.reserve(power, text), text: text.clone() })
        .partition(|entry| is_coast_choice(&entry.text))
}

/// Records the units that must retreat (dislodged units that a hole has not swallowed after all) and the map
/// events.
#[derive(Default)]
struct Witness {
    dislodged: Vec<Dislodged>,
    happenings: Happenings,
}

impl Witness {
    /// The dislodged units by province, with the possible retreats of those still there. `terrain` is the
    /// ground at that time; `before` has the names from before the movement changed the map, if it did.
    fn list_dislodged(
        &self,
        now: impl Iterator<Item = (Dislodged, Vec<Location>)>,
        terrain: &Terrain,
        before: &Gazetteer,
    ) -> Vec<DislodgedUnit> {
        let mut all = self.dislodged.clone();
        all.sort_by_key(|unit| unit.at);
        let now = now.map(Some).chain(std::iter::repeat(None));
        let names = terrain.names();
        let holes = terrain.chart().map().holes();
        let mut listed: Vec<DislodgedUnit> = Vec::with_capacity(all.len());
        for (was, now) in all.into_iter().zip(now) {
            let (Dislodged { unit, at, attacker, .. }, options) = now.unwrap_or((was, Vec::new()));
            let place = |coast| Location { province: at, coast };
            let renamed = names.province(at) != before.province(at); // split since (rules.md 4.11)
            let text = if holes.contains(at) || renamed {
                before.unit(place(was.unit.coast), unit.designation()).to_string()
            } else {
                names.unit(place(unit.coast), unit.designation()).to_string()
            };
            let of_power = listed.iter().filter(|other| other.power == unit.power);
            let alike = of_power.filter(|other| other.unit.split('#').next() == Some(&text)).count();
            listed.push(DislodgedUnit {
                unit: if alike == 0 { text } else { format!("{text}#{}", alike + 1) },
                power: unit.power,
                from: attacker.map(|from| before.province(from).to_owned()),
                options: sorted(options.iter().map(|&to| names.location(to, unit.kind).to_string())),
            });
        }
        listed
    }
}

/// The units that wait for their retreats, each with its options; empty if none has an option.
fn waiting(game: &Game) -> impl Iterator<Item = (Dislodged, Vec<Location>)> {
    let units = match game.stage() {
        Stage::Retreats => game.dislodged().dislodged.as_slice(),
        _ => &[],
    };
    units.iter().enumerate().map(|(i, &unit)| (unit, game.retreat_options(i)))
}

impl Log for Witness {
    fn event(&mut self, _: Phase, terrain: &Terrain, event: &Event) {
        match event {
            Event::Dislodged(unit) => self.dislodged.push(*unit),
            Event::Swallowed { entering_from: Some(from), .. } => {
                self.dislodged.retain(|unit| unit.at != *from);
            }
            _ => self.happenings.note(terrain, event),
        }
    }

    fn seismic(
        &mut self,
        _: Phase,
        terrain: &Terrain,
        orders: &SeismicOrders,
        outcomes: &ByPower<Option<SeismicOutcome>>,
    ) {
        self.happenings.note_quakes(terrain, orders, outcomes);
    }
}
