//! The orders of one turn as they arrive: each is checked and annotated, until none is missing.
//!
//! In a movement turn, the legal orders that `upheaval` lists for each unit decide what is legal; the rest of this
//! module determines the fault of an illegal order.

use std::collections::{BTreeMap, BTreeSet};

use crate::board::{DaideBoard, order_text, unit_text};
use crate::order::{DaideOrder, DaidePlace, DaideTurn, DaideUnit, PowerToken, ProvinceToken, UnitClass};
use crate::position::DaidePosition;
use crate::request::DecisionRequest;
use crate::token::words::{
    CST, ESC, FAR, HSC, MBV, MIS, NAS, NMB, NMR, NRN, NRS, NSA, NSC, NSF, NSP, NSU, NVR, NYU, YSC,
};
use crate::token::{Centre, Sentence, Token, TokenNumber, UnitAccess};

/// The notes on orders.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum OrderNote {
    /// The order counts.
    Fine,
    /// The place cannot be reached from there.
    NotAdjacent,
    /// The board has no such province.
    NoProvince,
    /// There is no such unit.
    NoUnit,
    /// The convoying fleet is not at sea, or the route leads over land.
    NotAtSea,
    /// There is no such fleet.
    NoFleet,
    /// There is no such army.
    NoArmy,
    /// The unit belongs to another power.
    NotYours,
    /// The unit need not retreat.
    NoRetreatNeeded,
    /// It cannot retreat there.
    NoRetreatThere,
    /// The centre belongs to another power.
    NotYourCentre,
    /// The centre is occupied.
    Occupied,
    /// The centre is not a home of the power.
    NotHome,
    /// The province is not a centre.
    NoCentre,
    /// A coast is missing, or such a unit cannot be there.
    Coast,
    /// No build is left.
    NoBuildLeft,
    /// No removal is left.
    NoRemovalLeft,
    /// The order belongs to another season.
    WrongSeason,
}

impl OrderNote {
    /// Its token.
    pub(crate) const fn token(self) -> Token {
        match self {
            OrderNote::Fine => MBV,
            OrderNote::NotAdjacent => FAR,
            OrderNote::NoProvince => NSP,
            OrderNote::NoUnit => NSU,
            OrderNote::NotAtSea => NAS,
            OrderNote::NoFleet => NSF,
            OrderNote::NoArmy => NSA,
            OrderNote::NotYours => NYU,
            OrderNote::NoRetreatNeeded => NRN,
            OrderNote::NoRetreatThere => NVR,
            OrderNote::NotYourCentre => YSC,
            OrderNote::Occupied => ESC,
            OrderNote::NotHome => HSC,
            OrderNote::NoCentre => NSC,
            OrderNote::Coast => CST,
            OrderNote::NoBuildLeft => NMB,
            OrderNote::NoRemovalLeft => NMR,
            OrderNote::WrongSeason => NRS,
        }
    }
}

/// May the orders be carried out as soon as they are complete?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Readiness {
    /// They may.
    Go,
    /// They must wait for the deadline, or until the client says otherwise.
    Wait,
}

/// The orders of a power for one turn.
#[derive(Clone, Debug)]
pub(crate) struct OrderBook {
    turn: DaideTurn,
    readiness: Readiness,
    task: Task,
}

#[derive(Clone, Debug)]
enum Task {
    Moves(Moves),
    Retreats(Retreats),
    Builds(Builds),
    Removals(Removals),
}

/// The position and the power that orders are checked against.
#[derive(Clone, Copy)]
pub(crate) struct OrderContext<'a> {
    pub board: &'a DaideBoard,
    pub position: &'a DaidePosition,
    pub power: PowerToken,
}

impl OrderContext<'_> {
    /// One of the power's own units, as in the position.
    fn own(&self, wanted: DaideUnit) -> Result<DaideUnit, OrderNote> {
        let unit = self.position.found(wanted).ok_or(OrderNote::NoUnit)?;
        match unit.power == wanted.power {
            true if unit.power == self.power => Ok(unit),
            true => Err(OrderNote::NotYours),
            false => Err(OrderNote::NoUnit),
        }
    }

    /// A unit of any power, as in the position.
    fn any(&self, wanted: DaideUnit) -> Option<DaideUnit> {
        self.position.units.get(&wanted.place.province).copied().filter(|unit| {
            unit.power == wanted.power
                && unit.kind == wanted.kind
                && (wanted.place.coast.is_none() || unit.place.coast == wanted.place.coast)
        })
    }
}

impl OrderBook {
    /// An order book for the requested decision.
    ///
    /// # Errors
    /// The request is not a decision that the language has.
    pub(crate) fn new(
        board: &DaideBoard,
        position: &DaidePosition,
        power: PowerToken,
        request: &DecisionRequest,
    ) -> Result<OrderBook, String> {
        let context = OrderContext { board, position, power };
        let task = match request.asks.as_str() {
            "movement" => Task::Moves(Moves::new(context, &request.legal)),
            "retreats" => Task::Retreats(Retreats::new(context)),
            "adjustments" => match (request.builds, request.removals) {
                (Some(count), _) => Task::Builds(Builds::new(count, &request.sites)),
                (None, Some(count)) => Task::Removals(Removals::new(count)),
                (None, None) => return Err("`adjustments` needs `builds` or `removals`".to_owned()),
            },
            other => return Err(format!("DAIDE has no orders for `{other}`")),
        };
        Ok(OrderBook { turn: position.turn, readiness: Readiness::Go, task })
    }

    /// The turn.
    pub(crate) fn turn(&self) -> DaideTurn {
        self.turn
    }

    /// Accepts an order, replacing an earlier one to the same unit, unless the note reports a fault.
    pub(crate) fn take(
        &mut self,
        board: &DaideBoard,
        position: &DaidePosition,
        power: PowerToken,
        order: &DaideOrder,
    ) -> OrderNote {
        let context = OrderContext { board, position, power };
        if provinces(order).into_iter().any(|province| board.code(province).is_none()) {
            return OrderNote::NoProvince;
        }
        let taken = match &mut self.task {
            Task::Moves(moves) => moves.take(context, order),
            Task::Retreats(retreats) => retreats.take(context, order),
            Task::Builds(builds) => builds.take(context, order),
            Task::Removals(removals) => removals.take(context, order),
        };
        taken.err().unwrap_or(OrderNote::Fine)
    }

    /// Withdraws an order, or all. Returns false if it was not there.
    pub(crate) fn withdraw(&mut self, order: Option<&DaideOrder>) -> bool {
        match &mut self.task {
            Task::Moves(moves) => moves.withdraw(order),
            Task::Retreats(retreats) => retreats.withdraw(order),
            Task::Builds(builds) => builds.withdraw(order),
            Task::Removals(removals) => removals.withdraw(order),
        }
    }

    /// Sets whether complete orders may be carried out.
    pub(crate) fn set_readiness(&mut self, readiness: Readiness) {
        self.readiness = readiness;
    }

    /// Is any order missing?
    pub(crate) fn is_complete(&self) -> bool {
        match &self.task {
            Task::Moves(moves) => moves.is_complete(),
            Task::Retreats(retreats) => retreats.is_complete(),
            Task::Builds(builds) => builds.missing() == 0,
            Task::Removals(removals) => removals.missing() == 0,
        }
    }

    /// Are the orders complete, and may they be carried out?
    pub(crate) fn is_ready(&self) -> bool {
        self.is_complete() && self.readiness == Readiness::Go
    }

    /// The message that lists the missing orders; it is empty if none is missing.
    pub(crate) fn missing(&self, position: &DaidePosition) -> Sentence {
        match &self.task {
            Task::Moves(moves) => moves.write_missing(),
            Task::Retreats(retreats) => retreats.write_missing(position),
            Task::Builds(builds) => builds.write_missing(),
            Task::Removals(removals) => removals.write_missing(),
        }
    }

    /// The orders in the form that is sent to `upheaval`.
    pub(crate) fn texts(&self, board: &DaideBoard) -> Vec<String> {
        match &self.task {
            Task::Moves(moves) => moves.texts(),
            Task::Retreats(retreats) => retreats.texts(board),
            Task::Builds(builds) => builds.texts(board),
            Task::Removals(removals) => removals.texts(board),
        }
    }

    /// The orders as the client gave them.
    pub(crate) fn orders(&self) -> Vec<DaideOrder> {
        match &self.task {
            Task::Moves(moves) => moves.orders(),
            Task::Retreats(_) | Task::Builds(_) | Task::Removals(_) => Vec::new(),
        }
    }
}

/// Every province that an order names.
fn provinces(order: &DaideOrder) -> Vec<ProvinceToken> {
    let mut provinces: Vec<ProvinceToken> =
        order.unit().map(|unit| unit.place.province).into_iter().collect();
    match order {
        DaideOrder::Move(_, to) | DaideOrder::Retreat(_, to) => provinces.push(to.province),
        DaideOrder::SupportHold(_, other) => provinces.push(other.place.province),
        DaideOrder::SupportMove(_, other, to) | DaideOrder::Convoy(_, other, to) => {
            provinces.extend([other.place.province, *to]);
        }
        DaideOrder::MoveByConvoy(_, to, seas) => {
            provinces.push(to.province);
            provinces.extend(seas);
        }
        DaideOrder::Hold(_)
        | DaideOrder::Disband(_)
        | DaideOrder::Build(_)
        | DaideOrder::Remove(_)
        | DaideOrder::Waive(_) => {}
    }
    provinces
}

/// Each unit's order as given, and its meaning.
#[derive(Clone, Debug)]
struct ReceivedOrders<M>(BTreeMap<DaideUnit, (DaideOrder, M)>);

impl<M> ReceivedOrders<M> {
    /// No orders yet.
    fn new() -> ReceivedOrders<M> {
        ReceivedOrders(BTreeMap::new())
    }

    /// Records a unit's order, replacing an earlier one.
    fn record(&mut self, unit: DaideUnit, order: DaideOrder, means: M) {
        self.0.insert(unit, (order, means));
    }

    /// Withdraws the order that was given in these words, or all. Was there one?
    fn withdraw(&mut self, order: Option<&DaideOrder>) -> bool {
        let Some(order) = order else {
            self.0.clear();
            return true;
        };
        let unit = self.0.iter().find(|(_, (taken, _))| taken == order).map(|(unit, _)| *unit);
        unit.is_some_and(|unit| self.0.remove(&unit).is_some())
    }

    /// Those of these units that have no order.
    fn missing<'a>(&'a self, units: impl Iterator<Item = &'a DaideUnit>) -> impl Iterator<Item = DaideUnit> {
        units.copied().filter(|unit| !self.0.contains_key(unit))
    }

    /// The units with the meanings of their orders.
    fn meant(&self) -> impl Iterator<Item = (&DaideUnit, &M)> {
        self.0.iter().map(|(unit, (_, means))| (unit, means))
    }

    /// The orders as they were given.
    fn given(&self) -> Vec<DaideOrder> {
        self.0.values().map(|(order, _)| order.clone()).collect()
    }
}

/// The orders, by unit.
#[derive(Clone, Debug)]
struct Moves {
    /// The legal orders of each of the power's units.
    legal: BTreeMap<DaideUnit, BTreeSet<String>>,
    taken: ReceivedOrders<String>,
}

impl Moves {
    fn new(context: OrderContext<'_>, legal: &BTreeMap<String, Vec<String>>) -> Moves {
        let of = |unit: DaideUnit| {
            let listed = unit_text(context.board, unit).and_then(|text| legal.get(&text));
            (unit, listed.into_iter().flatten().cloned().collect())
        };
        Moves {
            legal: context.position.units_of(context.power).map(of).collect(),
            taken: ReceivedOrders::new(),
        }
    }

    fn take(&mut self, context: OrderContext<'_>, order: &DaideOrder) -> Result<(), OrderNote> {
        let (unit, meant) = meant(context, order)?;
        let text = order_text(context.board, &meant).ok_or(OrderNote::NoProvince)?;
        if !self.legal.get(&unit).is_some_and(|legal| legal.contains(&text)) {
            return Err(OrderNote::NotAdjacent);
        }
        self.taken.record(unit, order.clone(), text);
        Ok(())
    }

    fn withdraw(&mut self, order: Option<&DaideOrder>) -> bool {
        self.taken.withdraw(order)
    }

    fn missing(&self) -> impl Iterator<Item = DaideUnit> {
        self.taken.missing(self.legal.keys())
    }

    fn is_complete(&self) -> bool {
        self.missing().next().is_none()
    }

    fn write_missing(&self) -> Sentence {
        self.missing().fold(Sentence::new(MIS), |said, unit| unit.write(said))
    }

    fn texts(&self) -> Vec<String> {
        self.taken.meant().map(|(_, text)| text.clone()).collect()
    }

    fn orders(&self) -> Vec<DaideOrder> {
        self.taken.given()
    }
}

/// The unit that an order is given to, and the order with every unit and coast as in the position; or its
/// fault.
fn meant(context: OrderContext<'_>, order: &DaideOrder) -> Result<(DaideUnit, DaideOrder), OrderNote> {
    let Some(unit) = order.unit() else { return Err(OrderNote::WrongSeason) };
    if matches!(
        order,
        DaideOrder::Retreat(..) | DaideOrder::Disband(_) | DaideOrder::Build(_) | DaideOrder::Remove(_)
    ) {
        return Err(OrderNote::WrongSeason);
    }
    let unit = context.own(unit)?;
    let other = |wanted: &DaideUnit| context.any(*wanted).ok_or(OrderNote::NoUnit);
    let meant = match order {
        DaideOrder::Move(_, to) => DaideOrder::Move(unit, destination(context, unit, *to)?),
        DaideOrder::SupportHold(_, supported) => DaideOrder::SupportHold(unit, other(supported)?),
        DaideOrder::SupportMove(_, supported, to) => DaideOrder::SupportMove(unit, other(supported)?, *to),
        DaideOrder::Convoy(_, army, to) => {
            if unit.kind != UnitClass::Fleet {
                return Err(OrderNote::NoFleet);
            }
            if unit.place.province.ground().shape != UnitAccess::Sea {
                return Err(OrderNote::NotAtSea);
            }
            let army =
                context.any(*army).filter(|army| army.kind == UnitClass::Army).ok_or(OrderNote::NoArmy)?;
            DaideOrder::Convoy(unit, army, *to)
        }
        DaideOrder::MoveByConvoy(_, to, seas) => {
            if unit.kind != UnitClass::Army {
                return Err(OrderNote::NoArmy);
            }
            check_way(context, unit.place.province, to.province, seas)?;
            DaideOrder::MoveByConvoy(unit, *to, seas.clone())
        }
        _ => DaideOrder::Hold(unit),
    };
    Ok((unit, meant))
}

/// The destination of a move: for a fleet, the coast that it can reach if the order names none.
fn destination(context: OrderContext<'_>, unit: DaideUnit, to: DaidePlace) -> Result<DaidePlace, OrderNote> {
    if unit.kind == UnitClass::Army {
        return Ok(to.province.into());
    }
    match (to.coast, &context.board.coasts_reached(unit.place, to.province)[..]) {
        (_, []) => Err(OrderNote::NotAdjacent),
        (None, [one]) => Ok(DaidePlace { coast: *one, ..to }),
        (None, _) => Err(OrderNote::Coast),
        (Some(_), [None]) => Ok(to.province.into()),
        (Some(_), _) => Ok(to),
    }
}

/// Do these seas connect the two provinces, with a fleet in each?
fn check_way(
    context: OrderContext<'_>,
    from: ProvinceToken,
    to: ProvinceToken,
    seas: &[ProvinceToken],
) -> Result<(), OrderNote> {
    let has_fleet =
        |sea| context.position.units.get(sea).is_some_and(|unit: &DaideUnit| unit.kind == UnitClass::Fleet);
    if seas.iter().any(|sea| sea.ground().shape != UnitAccess::Sea) {
        return Err(OrderNote::NotAtSea);
    }
    if !seas.iter().all(has_fleet) {
        return Err(OrderNote::NoFleet);
    }
    let mut at = from;
    for &next in seas.iter().chain([&to]) {
        if !context.board.by_water(at).contains(&next) {
            return Err(OrderNote::NotAdjacent);
        }
        at = next;
    }
    Ok(())
}

/// The orders, by unit.
#[derive(Clone, Debug)]
struct Retreats {
    /// The units that must retreat, and their options.
    waiting: BTreeMap<DaideUnit, Vec<DaidePlace>>,
    /// The order as given, and as interpreted.
    taken: ReceivedOrders<DaideOrder>,
}

impl Retreats {
    fn new(context: OrderContext<'_>) -> Retreats {
        let own = context.position.retreats.iter().filter(|(unit, _)| unit.power == context.power);
        let waiting = own.map(|(unit, options)| (*unit, options.clone())).collect();
        Retreats { waiting, taken: ReceivedOrders::new() }
    }

    fn take(&mut self, context: OrderContext<'_>, order: &DaideOrder) -> Result<(), OrderNote> {
        let (DaideOrder::Retreat(wanted, _) | DaideOrder::Disband(wanted)) = order else {
            return Err(OrderNote::WrongSeason);
        };
        let waits = |unit: &&DaideUnit| {
            unit.kind == wanted.kind
                && unit.power == wanted.power
                && unit.place.province == wanted.place.province
                && (wanted.place.coast.is_none() || unit.place.coast == wanted.place.coast)
        };
        let Some((unit, options)) = self.waiting.iter().find(|(unit, _)| waits(unit)) else {
            return Err(context.own(*wanted).map_or_else(|note| note, |_| OrderNote::NoRetreatNeeded));
        };
        let meant = match order {
            DaideOrder::Retreat(_, to) => DaideOrder::Retreat(*unit, chosen(*unit, *to, options)?),
            _ => DaideOrder::Disband(*unit),
        };
        self.taken.record(*unit, order.clone(), meant);
        Ok(())
    }

    fn withdraw(&mut self, order: Option<&DaideOrder>) -> bool {
        self.taken.withdraw(order)
    }

    fn missing(&self) -> impl Iterator<Item = DaideUnit> {
        self.taken.missing(self.waiting.keys())
    }

    fn is_complete(&self) -> bool {
        self.missing().next().is_none()
    }

    fn write_missing(&self, position: &DaidePosition) -> Sentence {
        self.missing().fold(Sentence::new(MIS), |said, unit| said.group(|s| position.write_retreat(unit, s)))
    }

    /// The orders to units with options: `upheaval` asks for no others.
    fn texts(&self, board: &DaideBoard) -> Vec<String> {
        let asked = |unit: &DaideUnit| self.waiting.get(unit).is_some_and(|options| !options.is_empty());
        let taken = self.taken.meant().filter(|(unit, _)| asked(unit));
        taken.filter_map(|(_, meant)| order_text(board, meant)).collect()
    }
}

/// The option that is meant.
fn chosen(unit: DaideUnit, to: DaidePlace, options: &[DaidePlace]) -> Result<DaidePlace, OrderNote> {
    let mut fitting = options.iter().copied().filter(|option| {
        option.province == to.province
            && (unit.kind == UnitClass::Army || to.coast.is_none() || option.coast == to.coast)
    });
    match (fitting.next(), fitting.next()) {
        (Some(one), None) => Ok(one),
        (Some(_), Some(_)) => Err(OrderNote::Coast),
        (None, _) => Err(OrderNote::NoRetreatThere),
    }
}

/// Builds, including waived ones.
#[derive(Clone, Debug)]
struct Builds {
    count: usize,
    /// Every possible build, as text.
    sites: BTreeSet<String>,
    taken: BTreeMap<ProvinceToken, DaideUnit>,
    waived: usize,
}

impl Builds {
    fn new(count: usize, sites: &[String]) -> Builds {
        Builds { count, sites: sites.iter().cloned().collect(), taken: BTreeMap::new(), waived: 0 }
    }

    fn missing(&self) -> usize {
        self.count.saturating_sub(self.taken.len() + self.waived)
    }

    fn take(&mut self, context: OrderContext<'_>, order: &DaideOrder) -> Result<(), OrderNote> {
        match order {
            DaideOrder::Waive(power) if *power != context.power => Err(OrderNote::NotYours),
            DaideOrder::Waive(_) if self.missing() == 0 => Err(OrderNote::NoBuildLeft),
            DaideOrder::Waive(_) => {
                self.waived += 1;
                Ok(())
            }
            DaideOrder::Build(unit) => self.build(context, *unit),
            DaideOrder::Remove(_) => Err(OrderNote::NoRemovalLeft),
            _ => Err(OrderNote::WrongSeason),
        }
    }

    fn build(&mut self, context: OrderContext<'_>, unit: DaideUnit) -> Result<(), OrderNote> {
        if unit.power != context.power {
            return Err(OrderNote::NotYours);
        }
        // A coast for a province with a single coast is superfluous and harmless.
        let at = unit.place.province;
        let unit = match at.ground().shape {
            UnitAccess::Bicoastal if unit.kind == UnitClass::Fleet => unit,
            _ => DaideUnit { place: at.into(), ..unit },
        };
        let text = order_text(context.board, &DaideOrder::Build(unit)).ok_or(OrderNote::NoProvince)?;
        if !self.sites.contains(&text) {
            return Err(why_not(context, unit));
        }
        // Another unit in the same place replaces the first.
        if self.missing() == 0 && !self.taken.contains_key(&at) {
            return Err(OrderNote::NoBuildLeft);
        }
        self.taken.insert(at, unit);
        Ok(())
    }

    fn withdraw(&mut self, order: Option<&DaideOrder>) -> bool {
        match order {
            None => {
                self.taken.clear();
                self.waived = 0;
                true
            }
            Some(DaideOrder::Build(unit)) => {
                let at = unit.place.province;
                let taken = self.taken.get(&at).is_some_and(|taken| taken.kind == unit.kind);
                taken && self.taken.remove(&at).is_some()
            }
            Some(DaideOrder::Waive(_)) if self.waived > 0 => {
                self.waived -= 1;
                true
            }
            Some(_) => false,
        }
    }

    fn write_missing(&self) -> Sentence {
        match self.missing() {
            0 => Sentence::new(MIS),
            // Negative: this number of builds.
            count => {
                let count = -i64::from(TokenNumber::of_count(count).get());
                let number = TokenNumber::new(count).unwrap_or(TokenNumber::of_count(0));
                Sentence::new(MIS).group(|s| s.number(number))
            }
        }
    }

    fn texts(&self, board: &DaideBoard) -> Vec<String> {
        let builds = self.taken.values().filter_map(|unit| order_text(board, &DaideOrder::Build(*unit)));
        builds.chain(std::iter::repeat_n("WAIVE".to_owned(), self.waived)).collect()
    }
}

/// Why the unit cannot be built there.
fn why_not(context: OrderContext<'_>, unit: DaideUnit) -> OrderNote {
    let at = unit.place.province;
    let ground = at.ground();
    if ground.centre == Centre::No {
        return OrderNote::NoCentre;
    }
    if context.position.owners.get(&at) != Some(&context.power) {
        return OrderNote::NotYourCentre;
    }
    if !context.board.is_home(at, context.power) {
        return OrderNote::NotHome;
    }
    if context.position.units.contains_key(&at) { OrderNote::Occupied } else { OrderNote::Coast }
}

/// Removals.
#[derive(Clone, Debug)]
struct Removals {
    count: usize,
    taken: BTreeSet<DaideUnit>,
}

impl Removals {
    fn new(count: usize) -> Removals {
        Removals { count, taken: BTreeSet::new() }
    }

    fn missing(&self) -> usize {
        self.count.saturating_sub(self.taken.len())
    }

    fn take(&mut self, context: OrderContext<'_>, order: &DaideOrder) -> Result<(), OrderNote> {
        match order {
            DaideOrder::Remove(unit) => {
                let unit = context.own(*unit)?;
                if self.missing() == 0 && !self.taken.contains(&unit) {
                    return Err(OrderNote::NoRemovalLeft);
                }
                self.taken.insert(unit);
                Ok(())
            }
            DaideOrder::Build(_) | DaideOrder::Waive(_) => Err(OrderNote::NoBuildLeft),
            _ => Err(OrderNote::WrongSeason),
        }
    }

    fn withdraw(&mut self, order: Option<&DaideOrder>) -> bool {
        match order {
            None => {
                self.taken.clear();
                true
            }
            Some(DaideOrder::Remove(unit)) => {
                let at = |taken: &&DaideUnit| taken.place.province == unit.place.province;
                let taken = self.taken.iter().find(at).copied();
                taken.is_some_and(|taken| self.taken.remove(&taken))
            }
            Some(_) => false,
        }
    }

    fn write_missing(&self) -> Sentence {
        match self.missing() {
            0 => Sentence::new(MIS),
            count => Sentence::new(MIS).group(|s| s.number(TokenNumber::of_count(count))),
        }
    }

    fn texts(&self, board: &DaideBoard) -> Vec<String> {
        self.taken.iter().filter_map(|unit| order_text(board, &DaideOrder::Remove(*unit))).collect()
    }
}
