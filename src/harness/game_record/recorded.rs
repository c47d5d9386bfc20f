//! What a game record gives back to the game: the orders of seats whose bots do not play again, the decisions of a
//! stage from the texts of its orders, and the draws of nature, declarations and choices from its events.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use upheaval_engine::ask::{Answer, Ask, Handicap, Observation, Trapped};
use upheaval_engine::bot::{Bot, BotFault, Decision, handicapped};
use upheaval_engine::game::{Game, Stage};
use upheaval_engine::reading;
use upheaval_engine::reading::{OrderSource, OrderText, Refusal};
use upheaval_engine::rules::changes::{Entry, Verb};
use upheaval_engine::rules::event::{Event, Log};
use upheaval_engine::rules::game_state::CoastChoice;
use upheaval_engine::rules::legal::ConvoyChains;
use upheaval_engine::rules::map_tables::MapTables;
use upheaval_engine::rules::nature::{HowMany, Nature};
use upheaval_engine::rules::order::Listing;
use upheaval_engine::rules::position::{Phase, PhaseKind};
use upheaval_map::ids::{ByPower, CoastId, Location, Power, ProvinceId, ProvinceSet, UnitKind};
use upheaval_map::rng::Stream;
use upheaval_map::topology::{HalfEdgeId, MapEvent};

use super::form::OrderLine;
use super::writer::event_line;
use crate::record::EventKind;
use crate::sim::{RecordedGame, RecordedSeats};
use upheaval_engine::rules::told::EventLine;

/// The seats of a game that decide as its record says, with the handicap of each. Orders that cannot be read are left
/// out: then the game differs from its rows.
pub(super) fn recorded(game: RecordedGame, handicaps: ByPower<Handicap>) -> RecordedSeats {
    RecordedSeats::new(game, move |game, power| {
        let seat = Box::new(Recorded { game, seat: None });
        match handicaps[power] {
            handicap if handicap.is_none() => seat,
            handicap => handicapped(seat, handicap),
        }
    })
}

struct Recorded {
    game: Arc<RecordedGame>,
    /// The power, and the phase that it was last asked in.
    seat: Option<(Power, Phase)>,
}

impl Recorded {
    /// The orders of the power in the stage.
    fn lines(&self, seen: &Observation<'_>, ask: &Ask) -> Vec<OrderLine> {
        let lists = Phase { kind: PhaseKind::Retreats, ..seen.phase };
        let phases = match seen.listing.is_allowed() {
            // The lists of dislodged units are rows of the retreats.
            true => &[seen.phase, lists][..],
            false => &[seen.phase],
        };
        let mut lines: Vec<OrderLine> = self
            .game
            .orders(phases, seen.power)
            .map(|row| OrderLine::of(row, seen.names().powers()))
            .collect();
        if let Ask::Adjustments(_) = ask {
            // Orders that were refused at once are faults; others were given, and refused when they were settled.
            let mut at_once = self.game.fault(seen.phase, seen.power).refused.len();
            for line in lines.iter_mut().filter(|line| line.was_refused()) {
                match at_once {
                    0 => line.result.clear(),
                    _ => at_once -= 1,
                }
            }
        }
        lines
    }
}

impl Bot for Recorded {
    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, _: &mut Stream, answer: &mut Answer<'_>) {
        self.seat = Some((seen.power, seen.phase));
        if let Ask::Movement(_) | Ask::Poll(_) | Ask::Retreats(_) | Ask::Adjustments(_) | Ask::Seismic(_) =
            ask
        {
            let lines = self.lines(seen, ask);
            let given = lines.iter().filter(|line| was_given(seen.stage(), seen.listing, line));
            let texts: Vec<&str> = given.map(|line| line.order.as_str()).collect();
            let read: Result<Vec<Decision>, Refusal> =
                seen.read(&texts, OrderSource::Record).into_iter().collect();
            answer.give_all(ask, &read.unwrap_or_default());
            return;
        }
        let named = |row| event_line(row, seen.names().powers());
        let events: Vec<EventLine> = self.game.events(seen.phase).map(named).collect();
        answer.give_all(ask, &decided(&events, seen.terrain(), seen.power, ask));
    }

    fn fault(&mut self) -> BotFault {
        self.seat.map(|(power, phase)| self.game.take_fault(phase, power)).unwrap_or_default()
    }
}

/// Why an order cannot be followed: the order, and its fault.
pub(crate) struct Unusable {
    pub order: String,
    pub why: String,
}

/// What the orders of a record, or orders that look like them, say in the stage that the game waits for.
///
/// # Errors
/// The first text that is not a legal order.
pub(crate) fn given(game: &Game, lines: &[OrderLine]) -> Result<Vec<(Power, Decision)>, Unusable> {
    let names = game.power_names();
    let unusable = |power: &str, text: &str, why: String| Unusable { order: format!("{power} {text}"), why };
    let lines = lines.iter().filter(|line| was_given(game.stage(), game.variant().listing(), line)).map(
        |OrderLine { power, order, .. }| {
            let named = names.named(power).map_err(|error| unusable(power, order, error.to_string()))?;
            Ok(OrderText { power: named, text: order })
        },
    );
    let lines: Vec<OrderText<'_>> = lines.collect::<Result<_, _>>()?;
    let chains = match game.stage() {
        Stage::Movement => {
            let (board, rulebook) = (game.terrain().board(), &game.variant().rulebook);
            ConvoyChains::new(board, rulebook, &game.world().position)
        }
        _ => ConvoyChains::default(),
    };
    let read = reading::stage(game, &chains, &lines, OrderSource::Record);
    let decision = |(line, result): (&OrderText<'_>, Result<Decision, Refusal>)| {
        let refused = |why: Refusal| unusable(names.name(line.power), line.text, why.to_string());
        result.map(|decision| (line.power, decision)).map_err(refused)
    };
    lines.iter().zip(read).map(decision).collect()
}

/// Did the power give this order in a stage of this kind? Some lines are of units that were lost without one, and of
/// retreats that the variant prescribed.
pub(super) fn was_given(stage: Stage, listing: Listing, line: &OrderLine) -> bool {
    let is_given = match stage {
        Stage::Movement => !(listing.is_allowed() && line.disbands()),
        // A retreat that succeeded without a reason was ordered.
        Stage::Retreats => line.result == "overlap" || line.reason.is_none(),
        _ => true,
    };
    is_given && !line.was_refused()
}

/// The draws in a stage's events. Any other content cannot be fed to the game; it is found when the
/// game reports different events.
pub(super) struct RecordedNature<'a> {
    events: &'a [EventLine],
    /// The terrain at the beginning of the stage.
    terrain: Arc<MapTables>,
    /// What has been reported of the stage.
    reported: Reported,
}

impl<'a> RecordedNature<'a> {
    pub(super) fn new(
        events: &'a [EventLine],
        terrain: &Arc<MapTables>,
        reported: &Reported,
    ) -> RecordedNature<'a> {
        RecordedNature { events, terrain: Arc::clone(terrain), reported: reported.clone() }
    }

    /// Has the event with this index not been reported yet? Another entry may have changed its face in the same way.
    fn is_to_come(&self, at: usize) -> bool {
        let is_same = |event: &&EventLine| {
            (&event.kind, &event.province) == (&self.events[at].kind, &self.events[at].province)
        };
        let reported = self.reported.0.borrow();
        let reported = reported.iter().filter(|(kind, province)| {
            self.events[at].kind == *kind && self.events[at].province.as_ref() == Some(province)
        });
        self.events[..at].iter().filter(is_same).count() >= reported.count()
    }
}

/// The kinds and provinces of the events that the game has reported of a stage.
#[derive(Clone, Default)]
pub(super) struct Reported(Rc<RefCell<Vec<(&'static str, String)>>>);

impl Log for Reported {
    fn event(&mut self, _: Phase, terrain: &MapTables, event: &Event) {
        let described = event.description();
        if let Some(province) = described.province {
            let name = terrain.chart().map().name(province).to_owned();
            self.0.borrow_mut().push((described.kind.name(), name));
        }
    }
}

fn of(events: &[EventLine], kind: EventKind) -> impl Iterator<Item = &EventLine> {
    events.iter().filter(move |event| event.kind == kind.name())
}

/// What a power declared, or chose for a fleet: its answer to this question, as far as it had an effect. `terrain` is
/// the one at the beginning of the stage.
pub(super) fn decided(
    events: &[EventLine],
    terrain: &MapTables,
    power: Power,
    ask: &Ask,
) -> Option<Decision> {
    let of_power = |event: &&EventLine| is_of(event, power, terrain);
    match ask {
        Ask::Exempt(_) => {
            let named = [EventKind::ExemptNamed, EventKind::ExemptChanged].map(|kind| of(events, kind));
            let own = named.into_iter().flatten().filter(of_power);
            own.filter_map(|event| province(event, terrain)).last().map(Decision::Exempt)
        }
        Ask::Announce(_) => {
            let mut announced = of(events, EventKind::ExemptAnnounced);
            announced.any(|event| of_power(&event)).then_some(Decision::Announce)
        }
        Ask::Coast(CoastChoice { fleet, coasts, .. }) => {
            let of_fleet = |event: &&EventLine| province(event, terrain) == Some(*fleet);
            let moved = of(events, EventKind::CoastMoved).find(of_fleet)?;
            let is_chosen = |&&coast: &&CoastId| {
                let place = terrain.names().location(Location { province: *fleet, coast }, UnitKind::Fleet);
                moved.detail.as_deref() == Some(&*place.to_string())
            };
            let coast = *coasts.iter().find(is_chosen)?;
            Some(Decision::Coast { fleet: *fleet, coast })
        }
        Ask::Trapped(Trapped { fleet }) => {
            let mut removed = of(events, EventKind::Removed);
            let is_removed = removed.any(|event| province(event, terrain) == Some(*fleet));
            is_removed.then_some(Decision::DisbandTrapped(*fleet))
        }
        Ask::Movement(_) | Ask::Poll(_) | Ask::Retreats(_) | Ask::Adjustments(_) | Ask::Seismic(_) => None,
    }
}

fn is_of(event: &EventLine, power: Power, terrain: &MapTables) -> bool {
    event.power.as_deref() == Some(terrain.power_names().name(power))
}

fn province(event: &EventLine, terrain: &MapTables) -> Option<ProvinceId> {
    terrain.chart().map().find(event.province.as_deref()?)
}

impl Nature for RecordedNature<'_> {
    fn faces(
        &mut self,
        _: Phase,
        entry: &Entry,
        terrain: &MapTables,
        eligible: &ProvinceSet,
        draw: HowMany,
    ) -> Vec<ProvinceId> {
        let count = draw.most(eligible.len());
        // A later entry may change the same face in this stage: only an event that can happen to it now is a draw.
        let reveals = |event: &EventLine, face: ProvinceId| {
            if entry.logs_places() {
                return event.kind() == Some(EventKind::PlaceDrawn)
                    && event.detail.as_deref() == Some(&entry.id);
            }
            let may_be = |verb: &&Verb| entry.draws(**verb) && verb.fits(terrain).contains(face);
            let mut verbs = Verb::ALL.iter().filter(may_be);
            event.kind().is_some_and(|kind| verbs.any(|verb| verb.drawn_as().contains(&kind)))
        };
        // Entries draw in their order, each as many as it can, so that what one has drawn is not that of a later one.
        let mut drawn = Vec::new();
        for (i, event) in self.events.iter().enumerate() {
            if drawn.len() < count
                && let Some(face) = province(event, terrain).filter(|&face| eligible.contains(face))
                && reveals(event, face)
                && self.is_to_come(i)
            {
                drawn.push(face);
            }
        }
        drawn
    }

    fn exempt(&mut self, _: Phase, _: &str, power: Power, _: &ProvinceSet) -> Option<ProvinceId> {
        let drawn =
            of(self.events, EventKind::ExemptDrawn).find(|event| is_of(event, power, &self.terrain))?;
        province(drawn, &self.terrain)
    }

    fn ends(&mut self, _: Phase, terrain: &MapTables, face: ProvinceId) -> Option<[HalfEdgeId; 2]> {
        let drawn =
            of(self.events, EventKind::SplitDrawn).find(|event| province(event, terrain) == Some(face))?;
        let split: MapEvent = drawn.detail.as_deref()?.parse().ok()?;
        let ends = split.split_sides(terrain.chart()).ok()?;
        (terrain.chart().map().owner(ends[0]) == face).then_some(ends)
    }

    fn half(&mut self, _: Phase, terrain: &MapTables, halves: &[ProvinceId]) -> Option<ProvinceId> {
        let map = terrain.chart().map();
        of(self.events, EventKind::UnitDoubled).find_map(|event| {
            let stays = map.find(event.detail.as_deref()?)?;
            halves.contains(&stays).then_some(stays)
        })
    }
}
