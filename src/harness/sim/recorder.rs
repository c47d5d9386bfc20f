//! Listens to a game and writes its rows ([`crate::record::rows`]): the map after each phase that has changed it, and
//! for each power and season the kinds of its orders and the number of orders that it could have given.

use std::sync::Arc;

use upheaval_engine::bot::Decision;
use upheaval_engine::game::{Ending, Game};
use upheaval_engine::rules::conduct::{Conduct, RefusedOrder};
use upheaval_engine::rules::event::{AccountEntry, Description, Detail, Event, Log, MapChange};
use upheaval_engine::rules::legal::{ConvoyChains, count, landings};
use upheaval_engine::rules::map_tables::MapTables;
use upheaval_engine::rules::notation::{WrittenOrder, WrittenUnit};
use upheaval_engine::rules::order::{Order, Orders};
use upheaval_engine::rules::position::{Phase, Position, Season, Unit};
use upheaval_engine::rules::retreat::RetreatOutcome;
use upheaval_engine::rules::rulebook::Rulebook;
use upheaval_engine::rules::settlement::{OrderOutcome, Settled, Settlement};
use upheaval_engine::rules::victory::{majority, places};
use upheaval_map::ids::{ByPower, Location, Power, ProvinceId, ProvinceSet};
use upheaval_map::topology::HomeDistances;

use crate::record::rows::REFUSED;
use crate::record::{
    DistanceRow, EventRow, GameEnd, GameRow, GameRows, LeadHistory, MapRow, OrderRow, SeatOutcome, SeatRow,
    SeatRows, Text, TopologyRow, TurnCounts, TurnRow,
};
use crate::sim::resolved::RunLog;
use crate::sim::schedule::GameSpec;

/// Writes the rows of one game.
pub struct Recorder {
    log: RunLog,
    record: GameRows,
    /// What has happened to each power in the season so far.
    season: ByPower<TurnCounts>,
    /// The distances between homes at the end of the last season.
    distances: Option<Arc<HomeDistances>>,
    /// The faults that have not been asked for yet.
    faults: Vec<(Power, Conduct)>,
    forfeited: ByPower<bool>,
    /// The lists of retreats of dislodged units, until they retreat.
    lists: Vec<WaitingList>,
    /// Counts choices, if that is asked for.
    counter: Option<Box<Counter>>,
    /// Watches the map, where it is asked for after each phase.
    maps: Option<MapWatch>,
}

/// The list of retreats of a dislodged unit, as its row has it.
struct WaitingList {
    at: ProvinceId,
    unit: Option<Text>,
    order: Text,
}

impl TurnCounts {
    /// The same with the units and centres of the power on the board.
    fn standing(self, power: Power, terrain: &MapTables, position: &Position) -> TurnCounts {
        let (units, centres) = (*position.units_of(power), *position.centres_of(power));
        let fleets = units & *position.fleets();
        TurnCounts {
            centres: byte(centres.len()),
            home_centres: byte((centres & terrain.homes()[power]).len()),
            armies: byte(position.unit_count(power) - fleets.len()),
            fleets: byte(fleets.len()),
            ..self
        }
    }

    /// Counts an order.
    #[inline]
    fn count_order(&mut self, order: &Order) {
        count_up(match order {
            Order::Hold => &mut self.holds,
            Order::Move { .. } => &mut self.moves,
            Order::SupportHold { .. } | Order::SupportMove { .. } | Order::SupportLanding { .. } => {
                &mut self.supports
            }
            Order::Convoy { .. } => &mut self.convoys,
            Order::Transform { .. } | Order::Embark { .. } => &mut self.special,
        });
    }
}

fn count_up(count: &mut u8) {
    *count = count.saturating_add(1);
}

fn narrow(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}

fn byte(n: usize) -> u8 {
    u8::try_from(n).unwrap_or(u8::MAX)
}

impl Recorder {
    /// Begins the record of a game at its start.
    pub fn new(spec: &GameSpec, game: &Game) -> Recorder {
        let powers = game.powers();
        let seats = SeatRows::from_fn(powers, |power| SeatRow {
            game: spec.game,
            power,
            bot: Arc::clone(&spec.names[power]),
            outcome: SeatOutcome::Survived,
            place: 1,
            centres: 0,
            units: 0,
            eliminated_year: None,
            fault: Conduct::Ok,
            faults: 0,
        });
        let row = GameRow {
            game: spec.game,
            block: spec.block,
            line_up: spec.line_up,
            rotation: spec.rotation,
            end: GameEnd::Draw,
            winner: None,
            draw_size: 0,
            last_phase: game.phase(),
            years: 0,
            board_centres: narrow(game.variant().terrain.centres().len()),
            extant_centres: 0,
            centres_to_win: 0,
            holes: 0,
            voided: 0,
            state_hash: 0,
            course: LeadHistory::default(),
            seats,
        };
        let mut recorder = Recorder {
            log: spec.log,
            record: GameRows {
                game: row,
                turns: Vec::with_capacity(256),
                topology: Vec::with_capacity(40),
                maps: Vec::new(),
                distances: Vec::with_capacity(HomeDistances::pairs(powers).count()),
                events: Vec::with_capacity(128),
                orders: Vec::new(),
            },
            season: ByPower::new(powers),
            distances: None,
            faults: Vec::new(),
            forfeited: ByPower::new(powers),
            lists: Vec::new(),
            counter: spec.log.choices.then(|| Counter::of(game)),
            maps: spec.log.maps.then(|| MapWatch::of(game)),
        };
        // The state before the first season is that after the Winter before it.
        let phase = game.phase();
        let start = Phase { year: phase.year.saturating_sub(1), season: Season::Winter, ..phase };
        recorder.season(start, game.terrain(), &game.world().position);
        recorder
    }

    /// Begins the record of the next attempt at a void game. The faults of its bots are kept.
    pub(crate) fn begin_again(&self, spec: &GameSpec, game: &Game) -> Recorder {
        let void = &self.record.game;
        let faults =
            ByPower::from_fn(game.powers(), |power| (void.seats[power].fault, void.seats[power].faults));
        Recorder::new(spec, game).after_attempts(void.voided.saturating_add(1), &faults)
    }

    /// The record of a later attempt at a game at its start, after this many void ones, in which the bots had these
    /// faults.
    pub(crate) fn after_attempts(mut self, voided: u8, faults: &ByPower<(Conduct, u32)>) -> Recorder {
        self.record.game.voided = voided;
        for (power, seat) in self.record.game.seats.iter_mut() {
            (seat.fault, seat.faults) = faults[power];
        }
        self
    }

    /// The record so far. Values that are only known at the end are missing.
    pub(crate) fn record(&self) -> &GameRows {
        &self.record
    }

    /// The faults of bots since the last call, in their order.
    pub(crate) fn take_faults(&mut self) -> Vec<(Power, Conduct)> {
        std::mem::take(&mut self.faults)
    }

    /// Whatever the result of the game, the power neither wins nor shares.
    pub(crate) fn forfeit(&mut self, power: Power) {
        self.forfeited[power] = true;
    }

    fn fault(&mut self, power: Power, fault: Conduct, count: u32) {
        let seat = &mut self.record.game.seats[power];
        seat.fault = seat.fault.or_graver(fault);
        seat.faults += count;
        self.faults.push((power, fault));
    }

    /// Ends the record of a game that is over, or is not continued.
    pub fn finish(mut self, game: &Game) -> GameRows {
        let (position, terrain) = (&game.world().position, game.terrain());
        let row = &mut self.record.game;
        let ending = game.ending();
        let (winner, draw): (Option<Power>, &[Power]) = match ending {
            Some(Ending::Solo(winner)) => (Some(*winner), &[]),
            Some(Ending::Draw(powers)) => (None, powers),
            None => (None, &[]),
        };
        // A power that has forfeited has no part in it, whatever the board shows.
        let winner = winner.filter(|&power| !self.forfeited[power]);
        let draw: Vec<Power> = draw.iter().copied().filter(|&power| !self.forfeited[power]).collect();
        row.end = match ending {
            Some(_) if game.was_stopped() => GameEnd::Stopped,
            Some(_) => GameEnd::of(winner, &draw),
            None => GameEnd::Unfinished,
        };
        row.winner = winner;
        row.draw_size = byte(draw.len());
        row.last_phase = game.phase();
        row.years = game.phase().year.saturating_sub(game.variant().first_phase.year).saturating_add(1);
        row.extant_centres = narrow(terrain.centres().len());
        row.centres_to_win = narrow(majority(terrain.centres().len()));
        row.state_hash = game.hash();
        row.course = LeadHistory::of(&self.record.turns, winner);
        for (power, seat) in row.seats.iter_mut() {
            seat.centres = narrow(position.centres_of(power).len());
            seat.units = narrow(position.unit_count(power));
            seat.eliminated_year = game.eliminated_in(power);
            seat.outcome = if self.forfeited[power] {
                SeatOutcome::Forfeited
            } else if winner == Some(power) {
                SeatOutcome::Won
            } else if draw.contains(&power) {
                SeatOutcome::Drew
            } else if game.is_deserted() || position.is_out(power) {
                SeatOutcome::Eliminated
            } else {
                SeatOutcome::Survived
            };
        }
        let places = places(&ByPower::from_fn(game.powers(), |power| row.seats[power].finish()));
        row.seats.iter_mut().for_each(|(power, seat)| seat.place = places[power]);
        // Records stay in memory until their whole chunk is played, and allocating memory costs more than filling it.
        self.record.turns.shrink_to_fit();
        self.record.topology.shrink_to_fit();
        self.record.distances.shrink_to_fit();
        self.record.maps.shrink_to_fit();
        self.record.events.shrink_to_fit();
        self.record.orders.shrink_to_fit();
        self.record
    }

    /// Counts the orders of a movement, and the choices that there were.
    fn count(&mut self, terrain: &MapTables, position: &Position, orders: &Orders) {
        if let Some(counter) = &mut self.counter {
            counter.count_choices(terrain, position);
        }
        position.occupied().iter().for_each(|at| {
            if let Some(Unit { power, .. }) = position.unit(at) {
                self.season[power].count_order(&orders[at]);
            }
        });
        for landing in orders.landings() {
            count_up(&mut self.season[landing.power].special);
        }
        if let Some(counter) = &self.counter {
            for (power, season) in self.season.iter_mut() {
                season.choices = Some(counter.choices(terrain, position, power));
            }
        }
    }

    /// A row for each order; the lists of dislodged units wait for the retreats, whose rows they are.
    fn push_orders(&mut self, settlement: &Settlement<'_>) {
        let (game, phase, terrain) = (self.record.game.game, settlement.at, settlement.terrain);
        settlement.each(|power, decision, outcome| {
            let Some(written) = settlement.written(&decision) else { return };
            let mut unit = written.unit().map(|unit| unit_text(terrain, unit));
            let mut order = Text::of(written.display(terrain.names()));
            let mut outcome = outcome;
            match (outcome, &decision) {
                (OrderOutcome::ListAwaited, Decision::List(list)) => {
                    self.lists.push(WaitingList { at: list.unit, unit, order });
                    return;
                }
                (OrderOutcome::Retreat(retreat), Decision::Retreat { unit: number, .. }) => {
                    let attacked = settlement.waiting().get(*number).filter(|unit| unit.attacker.is_some());
                    if let Some(list) = attacked.and_then(|unit| self.take_list(unit.at)) {
                        (unit, order, outcome) = (list.unit, list.order, OrderOutcome::List(retreat));
                    }
                }
                _ => {}
            }
            let result = Text::from(&*outcome.words().join(","));
            let reason = remark(settlement, outcome);
            self.record.orders.push(OrderRow { game, phase, power, unit, order, result, reason });
        });
    }

    /// Takes out the list of the dislodged unit that was in this province.
    fn take_list(&mut self, unit: ProvinceId) -> Option<WaitingList> {
        let list = self.lists.iter().position(|list| list.at == unit)?;
        Some(self.lists.swap_remove(list))
    }

    /// A row for each pair of powers whose homes are farther from each other, or nearer, than after the last season.
    fn push_distances(&mut self, turn: u16, terrain: &MapTables) {
        let (game, now) = (self.record.game.game, terrain.home_distances());
        let before = self.distances.replace(Arc::clone(now));
        // Seasons between which the map does not change share them.
        if before.as_ref().is_some_and(|before| Arc::ptr_eq(before, now)) {
            return;
        }
        for (pair, [power, other]) in HomeDistances::pairs(terrain.powers()).enumerate() {
            let distance = now.get(pair);
            if before.as_ref().is_none_or(|before| before.get(pair) != distance) {
                self.record.distances.push(DistanceRow { game, turn, power, other, distance });
            }
        }
    }

    /// Writes the map down if the phase has changed it.
    fn record_map(&mut self, at: Phase, terrain: &MapTables) {
        if let Some(watch) = &mut self.maps {
            watch.record_change(at, terrain, &mut self.record);
        }
    }
}

/// All that there is to say of an order: why it failed, where its unit was attacked from that was dislodged, and what
/// became of a unit without a retreat, even if it succeeded.
fn remark(settlement: &Settlement<'_>, outcome: OrderOutcome) -> Option<Text> {
    match outcome {
        OrderOutcome::Unit { dislodged_from: Some(from), .. } => {
            let dislodged = format!("dislodged by {}", settlement.unit(from));
            let failed = settlement.reason(outcome).map(|reason| format!("{reason}; "));
            Some(Text::of(format_args!("{}{dislodged}", failed.unwrap_or_default())))
        }
        OrderOutcome::Retreat(retreat) | OrderOutcome::List(retreat) => {
            let as_ordered = matches!(retreat, RetreatOutcome::Retreated { .. } | RetreatOutcome::Disbanded);
            (!as_ordered).then(|| Text::of(settlement.describe(outcome)))
        }
        _ => settlement.reason(outcome).map(Text::of),
    }
}

/// A unit as a row has it, with its number if it is not the first of several equal ones.
fn unit_text(terrain: &MapTables, unit: WrittenUnit) -> Text {
    let at = Location { province: unit.place.province, coast: unit.place.coast.unwrap_or_default() };
    let name = terrain.names().unit(at, unit.kind);
    match unit.ordinal {
        1 => Text::of(name),
        n => Text::of(format_args!("{name}#{n}")),
    }
}

/// A detail as a row has it. Most details consist of names and words, which need no formatting.
fn text(detail: Detail<'_>, terrain: &MapTables) -> Option<Text> {
    match detail {
        Detail::None => None,
        Detail::Place(at, kind) => Some(Text::from(&*terrain.place(at, kind))),
        other => Some(match other.parts(terrain) {
            Some(parts) => Text::from(&*parts),
            None => Text::of(other.display(terrain)),
        }),
    }
}

impl EventRow {
    /// The row of an event in a phase, on the terrain of that moment.
    pub fn new(
        game: u32,
        sequence: u32,
        (at, terrain, told): (Phase, &MapTables, Description<'_>),
    ) -> EventRow {
        let Description { kind, province, power, other, unit, detail } = told;
        EventRow {
            game,
            sequence,
            phase: at,
            kind,
            province: province.map(|id| Text::from(terrain.chart().map().name(id))),
            power,
            other,
            unit,
            detail: text(detail, terrain),
        }
    }
}

impl Log for Recorder {
    fn event(&mut self, at: Phase, terrain: &MapTables, event: &Event) {
        self.record_map(at, terrain);
        match event {
            Event::Refused(power, count) => self.fault(*power, Conduct::Illegal, *count),
            Event::Faulted(power, fault) => self.fault(*power, *fault, 1),
            // The unit was dislodged and is lost with a hole: its list is not needed after all.
            Event::Swallowed { entering_from: Some(from), unit, .. } => {
                if let Some(WaitingList { unit: text, order, .. }) = self.take_list(*from) {
                    let (game, phase, power) = (self.record.game.game, at, unit.power);
                    let result = "void".into();
                    let row = OrderRow { game, phase, power, unit: text, order, result, reason: None };
                    self.record.orders.push(row);
                }
            }
            _ => {}
        }
        let told = event.description();
        let Description { kind, power, .. } = told;
        let info = kind.info();
        if let (Some(entry), Some(power)) = (info.entry, power) {
            let season = &mut self.season[power];
            let of_entry = match entry {
                AccountEntry::Built => &mut season.built,
                AccountEntry::Removed => &mut season.removed,
                AccountEntry::Dislodged => &mut season.dislodged,
                AccountEntry::Lost => &mut season.lost,
                AccountEntry::Gained => &mut season.gained,
            };
            *of_entry += byte(told.units());
        }
        if let Some(MapChange::Collapse | MapChange::Void) = info.change {
            self.record.game.holes += 1;
        }
        let row = EventRow::new(self.record.game.game, self.record.events.len() as u32, (at, terrain, told));
        self.record.events.push(row);
        MapWatch::event(at, &mut self.record);
    }

    fn settled(&mut self, settlement: &Settlement<'_>) {
        match settlement.settled {
            Settled::Movement { position, orders, .. } => self.count(settlement.terrain, position, orders),
            Settled::Seismic { orders, .. } => {
                for (power, _) in orders.iter().filter(|(_, order)| order.is_some()) {
                    count_up(&mut self.season[power].special);
                }
            }
            Settled::Retreats { .. } | Settled::Adjustments { .. } => {}
        }
        if self.log.orders {
            self.push_orders(settlement);
        }
    }

    fn refused(&mut self, at: Phase, terrain: &MapTables, power: Power, refused: &[RefusedOrder]) {
        if !self.log.orders {
            return;
        }
        let rows = refused.iter().map(|RefusedOrder { order, reason }| {
            let written = WrittenOrder::parse(order, terrain.names()).ok();
            OrderRow {
                game: self.record.game.game,
                phase: at,
                power,
                unit: written.and_then(|written| written.unit()).map(|unit| unit_text(terrain, unit)),
                order: Text::from(&**order),
                result: REFUSED.into(),
                reason: Some(Text::from(&**reason)),
            }
        });
        self.record.orders.extend(rows);
    }

    fn season(&mut self, at: Phase, terrain: &MapTables, position: &Position) {
        self.record_map(at, terrain);
        let (game, turn) = (self.record.game.game, narrow(self.record.topology.len()));
        for (power, season) in self.season.iter_mut() {
            let counts = std::mem::take(season).standing(power, terrain, position);
            self.record.turns.push(TurnRow { game, turn, year: at.year, season: at.season, power, counts });
        }
        let owned: ProvinceSet = terrain.powers().iter().map(|power| *position.centres_of(power)).collect();
        self.record.topology.push(TopologyRow {
            game: self.record.game.game,
            turn,
            year: at.year,
            season: at.season,
            extant_centres: narrow(terrain.centres().len()),
            owned_centres: narrow((owned & *terrain.centres()).len()),
            topology_hash: terrain.hash(),
            map: Arc::clone(terrain.metrics()),
        });
        self.push_distances(turn, terrain);
    }
}

/// Watches the map of a game.
pub(super) struct MapWatch {
    /// The hash of the map that was seen last.
    seen: u64,
    /// The hash of the map before the phase of the last row.
    before: u64,
}

impl MapWatch {
    /// The watch of a game that begins.
    fn of(game: &Game) -> MapWatch {
        let hash = game.terrain().hash();
        MapWatch { seen: hash, before: hash }
    }

    /// Writes the map down if it is another than when it was seen last. A phase has one row, of the map at its end, and
    /// none if the map is again what it was before the phase.
    pub(super) fn record_change(&mut self, at: Phase, terrain: &MapTables, record: &mut GameRows) {
        let hash = terrain.hash();
        if hash == self.seen {
            return;
        }
        match record.maps.last() {
            Some(row) if row.phase == at => {
                record.maps.pop();
            }
            _ => self.before = self.seen,
        }
        self.seen = hash;
        if hash == self.before {
            return;
        }
        record.maps.push(MapRow {
            game: record.game.game,
            turn: narrow(record.topology.len()),
            phase: at,
            events: record.events.len() as u32,
            extant_centres: narrow(terrain.centres().len()),
            topology_hash: hash,
            map: Arc::clone(terrain.metrics()),
        });
    }

    /// Counts an event of a phase that has been written down.
    pub(super) fn event(at: Phase, record: &mut GameRows) {
        let events = record.events.len() as u32;
        if let Some(row) = record.maps.last_mut().filter(|row| row.phase == at) {
            row.events = events;
        }
    }
}

/// Counts the possible orders of powers. Its tables are reused from phase to phase.
pub(super) struct Counter {
    rulebook: Rulebook,
    chains: ConvoyChains,
}

impl Counter {
    /// A counter for a game.
    fn of(game: &Game) -> Box<Counter> {
        Box::new(Counter { rulebook: game.variant().rulebook, chains: ConvoyChains::default() })
    }

    /// Brings the tables up to date.
    pub(super) fn count_choices(&mut self, terrain: &MapTables, position: &Position) {
        self.chains.update(terrain.board(), &self.rulebook, position);
    }

    /// The log10 of the number of sets of orders that the power could give, in hundredths: the product over its units,
    /// and over the armies that are or may be aboard.
    pub(super) fn choices(&self, terrain: &MapTables, position: &Position, power: Power) -> u16 {
        // At most 255 units with some thousand orders each: the product of this many factors overflows, so logarithms
        // are added from time to time.
        let (mut logarithm, mut product) = (0.0, 1.0);
        for unit in *position.units_of(power) {
            product *= count(terrain.board(), position, &self.chains, unit).max(1) as f64;
            product *= (1 + landings(terrain.board(), position, &self.chains, unit).count()) as f64;
            if product > 1e200 {
                logarithm += libm::log10(product);
                product = 1.0;
            }
        }
        (100.0 * (logarithm + libm::log10(product))).round() as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use upheaval_engine::rules::variant::Variant;
    use upheaval_map::ids::{CoastId, Designation, Powers};

    #[test]
    fn an_army_aboard_a_fleet_counts_as_an_army() {
        let variant = Variant::find("deluge-ii", "".as_ref()).expect("sound").expect("shipped");
        let mut position = Position::new(Powers::STANDARD);
        let mut seas = variant.terrain.board().sea().iter();
        for designation in [Designation::ArmyFleet, Designation::Fleet] {
            let unit = Unit::new(designation, Power::ENGLAND, CoastId::FIRST);
            position.place(seas.next().expect("a sea"), unit);
        }
        let counts = TurnCounts::default().standing(Power::ENGLAND, &variant.terrain, &position);
        assert_eq!((counts.armies, counts.fleets), (1, 2));
    }
}
