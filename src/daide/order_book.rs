//! The orders of one turn as they arrive: each is checked and annotated, until none is missing.
//!
//! In a movement turn, the legal orders that `upheaval` lists for each unit decide what is legal; the rest of this
//! module determines the fault of an illegal order.

use std::collections::{BTreeMap, BTreeSet};

use crate::board::{DaideBoard, order_text, unit_text};
use crate::order::{Act, DaideOrder, DaidePlace, DaideTurn, DaideUnit, PowerToken, ProvinceToken, UnitClass};
use crate::position::DaidePosition;
use crate::request::DecisionRequest;
use crate::token::words::{
    CST, ESC, FAR, HSC, MBV, MIS, NAS, NMB, NMR, NRN, NRS, NSA, NSC, NSF, NSP, NSU, NVR, NYU, YSC,
};
use crate::token::{Sentence, Token, TokenNumber, UnitAccess};

/// The orders of a power for one turn.
#[derive(Clone, Debug)]
pub(crate) struct OrderBook {
    turn: DaideTurn,
    /// Must the orders wait for the deadline even if they are complete, until the client says otherwise?
    pub waits: bool,
    task: Task,
    /// The accepted orders, except for waived builds: as they were given, and as they are sent to `upheaval`.
    taken: BTreeMap<Slot, (DaideOrder, String)>,
}

/// The orders that a turn asks for.
#[derive(Clone, Debug)]
enum Task {
    /// The legal orders of each of the power's units.
    Moves(BTreeMap<DaideUnit, BTreeSet<String>>),
    /// The units that must retreat, and their options.
    Retreats(BTreeMap<DaideUnit, Vec<DaidePlace>>),
    /// The number of builds, every possible build as text, and the number of waived builds.
    Builds { count: usize, sites: BTreeSet<String>, waived: usize },
    /// The number of removals.
    Removals(usize),
}

/// The recipient of an order. A later order to the same recipient replaces an earlier one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Slot {
    Unit(DaideUnit),
    /// The province of a build.
    Site(ProvinceToken),
}

/// The recipient of an order that counts, and its text; `None` for a waived build. The error is the note on its fault.
type CheckedOrder = Result<Option<(Slot, String)>, Token>;

/// The position and the power that orders are checked against.
#[derive(Clone, Copy)]
pub(crate) struct OrderContext<'a> {
    pub board: &'a DaideBoard,
    pub position: &'a DaidePosition,
    pub power: PowerToken,
}

impl OrderContext<'_> {
    /// One of the power's own units, as in the position.
    fn own(&self, wanted: DaideUnit) -> Result<DaideUnit, Token> {
        let unit = self.position.found(wanted).filter(|unit| unit.power == wanted.power).ok_or(NSU)?;
        if unit.power == self.power { Ok(unit) } else { Err(NYU) }
    }

    /// A unit of any power, as in the position.
    fn any(&self, wanted: DaideUnit) -> Option<DaideUnit> {
        let unit = self.position.units.get(&wanted.place.province).copied();
        unit.filter(|unit| unit.power == wanted.power && unit.fits(wanted))
    }
}

impl OrderBook {
    /// An order book for the requested decision.
    ///
    /// # Errors
    /// The request is not a decision that the language has.
    pub(crate) fn new(context: OrderContext<'_>, request: &DecisionRequest) -> Result<OrderBook, String> {
        let OrderContext { board, position, power } = context;
        let task = match (request.asks.as_str(), request.builds, request.removals) {
            ("movement", ..) => {
                let legal = |unit: DaideUnit| {
                    let listed = unit_text(board, unit).and_then(|text| request.legal.get(&text));
                    (unit, listed.into_iter().flatten().cloned().collect())
                };
                Task::Moves(position.units_of(power).map(legal).collect())
            }
            ("retreats", ..) => {
                let own = position.retreats.iter().filter(|(unit, _)| unit.power == power);
                Task::Retreats(own.map(|(unit, options)| (*unit, options.clone())).collect())
            }
            ("adjustments", Some(count), _) => {
                Task::Builds { count, sites: request.sites.iter().cloned().collect(), waived: 0 }
            }
            ("adjustments", None, Some(count)) => Task::Removals(count),
            ("adjustments", None, None) => {
                return Err("`adjustments` needs `builds` or `removals`".to_owned());
            }
            (other, ..) => return Err(format!("DAIDE has no orders for `{other}`")),
        };
        Ok(OrderBook { turn: position.turn, waits: false, task, taken: BTreeMap::new() })
    }

    /// The turn.
    pub(crate) fn turn(&self) -> DaideTurn {
        self.turn
    }

    /// Accepts an order, replacing an earlier one to the same unit, unless the note that it returns reports a fault.
    pub(crate) fn take(&mut self, context: OrderContext<'_>, order: &DaideOrder) -> Token {
        if provinces(order).into_iter().any(|province| context.board.code(province).is_none()) {
            return NSP;
        }
        let checked = match &self.task {
            Task::Moves(legal) => check_move(context, legal, order),
            Task::Retreats(waiting) => check_retreat(context, waiting, order),
            Task::Builds { sites, .. } => self.check_build(context, sites, order),
            Task::Removals(_) => self.check_removal(context, order),
        };
        match checked {
            Err(note) => return note,
            Ok(Some((slot, text))) => {
                self.taken.insert(slot, (order.clone(), text));
            }
            Ok(None) => {
                if let Task::Builds { waived, .. } = &mut self.task {
                    *waived += 1;
                }
            }
        }
        MBV
    }

    /// Withdraws an order, or all. Returns false if it was not there.
    pub(crate) fn withdraw(&mut self, order: Option<&DaideOrder>) -> bool {
        let before = self.taken.len();
        match (order, &mut self.task) {
            (None, task) => {
                self.taken.clear();
                if let Task::Builds { waived, .. } = task {
                    *waived = 0;
                }
                return true;
            }
            (Some(DaideOrder::Waive(_)), Task::Builds { waived, .. }) => {
                let is_there = *waived > 0;
                *waived -= usize::from(is_there);
                return is_there;
            }
            // A build is identified by its province and the kind of unit, a removal by its province.
            (Some(DaideOrder::To(unit, Act::Build)), _) => self.taken.retain(|slot, (given, _)| {
                *slot != Slot::Site(unit.place.province)
                    || !matches!(given, DaideOrder::To(given, _) if given.kind == unit.kind)
            }),
            (Some(DaideOrder::To(unit, Act::Remove)), _) => self.taken.retain(
                |slot, _| !matches!(slot, Slot::Unit(taken) if taken.place.province == unit.place.province),
            ),
            (Some(order), _) => self.taken.retain(|_, (given, _)| given != order),
        }
        self.taken.len() < before
    }

    /// The number of missing orders.
    fn left(&self) -> usize {
        let wanted = match &self.task {
            Task::Moves(legal) => legal.len(),
            Task::Retreats(waiting) => waiting.len(),
            Task::Builds { count, waived, .. } => count.saturating_sub(*waived),
            Task::Removals(count) => *count,
        };
        wanted.saturating_sub(self.taken.len())
    }

    /// Is any order missing?
    pub(crate) fn is_complete(&self) -> bool {
        self.left() == 0
    }

    /// Are the orders complete, and may they be carried out?
    pub(crate) fn is_ready(&self) -> bool {
        self.is_complete() && !self.waits
    }

    /// The message that lists the missing orders; it is empty if none is missing.
    pub(crate) fn missing(&self, position: &DaidePosition) -> Sentence {
        let said = Sentence::new(MIS);
        let is_free = |unit: &&DaideUnit| !self.taken.contains_key(&Slot::Unit(**unit));
        let left = TokenNumber::of_count(self.left());
        match &self.task {
            Task::Moves(legal) => legal.keys().filter(is_free).fold(said, |said, unit| unit.write(said)),
            Task::Retreats(waiting) => {
                let free = waiting.keys().filter(is_free);
                free.fold(said, |said, unit| said.group(|s| position.write_retreat(*unit, s)))
            }
            _ if self.is_complete() => said,
            // Negative: this number of builds.
            Task::Builds { .. } => said.group(|s| s.number(left.negative())),
            Task::Removals(_) => said.group(|s| s.number(left)),
        }
    }

    /// The orders in the form that is sent to `upheaval`, which asks for no orders to units without options.
    pub(crate) fn texts(&self) -> Vec<String> {
        let is_asked = |slot: &Slot| match (&self.task, slot) {
            (Task::Retreats(waiting), Slot::Unit(unit)) => {
                waiting.get(unit).is_some_and(|options| !options.is_empty())
            }
            _ => true,
        };
        let waived = if let Task::Builds { waived, .. } = self.task { waived } else { 0 };
        let given = self.taken.iter().filter(|(slot, _)| is_asked(slot)).map(|(_, (_, text))| text.clone());
        given.chain(std::iter::repeat_n("WAIVE".to_owned(), waived)).collect()
    }

    /// The orders as the client gave them.
    pub(crate) fn orders(&self) -> Vec<DaideOrder> {
        self.taken.values().map(|(given, _)| given.clone()).collect()
    }

    /// Checks a build. A waived build has no recipient.
    fn check_build(
        &self,
        context: OrderContext<'_>,
        sites: &BTreeSet<String>,
        order: &DaideOrder,
    ) -> CheckedOrder {
        let unit = match order {
            DaideOrder::Waive(power) if *power != context.power => return Err(NYU),
            DaideOrder::Waive(_) if self.is_complete() => return Err(NMB),
            DaideOrder::Waive(_) => return Ok(None),
            DaideOrder::To(unit, Act::Build) if unit.power != context.power => return Err(NYU),
            DaideOrder::To(unit, Act::Build) => *unit,
            DaideOrder::To(_, Act::Remove) => return Err(NMR),
            _ => return Err(NRS),
        };
        // A coast for a province with a single coast is superfluous and harmless.
        let at = unit.place.province;
        let unit = match at.ground().shape {
            UnitAccess::Bicoastal if unit.kind == UnitClass::Fleet => unit,
            _ => DaideUnit { place: at.into(), ..unit },
        };
        let text = order_text(context.board, &DaideOrder::To(unit, Act::Build)).ok_or(NSP)?;
        if !sites.contains(&text) {
            return Err(why_not_built(context, at));
        }
        // Another unit in the same place replaces the first.
        if self.is_complete() && !self.taken.contains_key(&Slot::Site(at)) {
            return Err(NMB);
        }
        Ok(Some((Slot::Site(at), text)))
    }

    fn check_removal(&self, context: OrderContext<'_>, order: &DaideOrder) -> CheckedOrder {
        let unit = match order {
            DaideOrder::To(unit, Act::Remove) => context.own(*unit)?,
            DaideOrder::To(_, Act::Build) | DaideOrder::Waive(_) => return Err(NMB),
            _ => return Err(NRS),
        };
        if self.is_complete() && !self.taken.contains_key(&Slot::Unit(unit)) {
            return Err(NMR);
        }
        let text = order_text(context.board, &DaideOrder::To(unit, Act::Remove)).ok_or(NSP)?;
        Ok(Some((Slot::Unit(unit), text)))
    }
}

fn check_move(
    context: OrderContext<'_>,
    legal: &BTreeMap<DaideUnit, BTreeSet<String>>,
    order: &DaideOrder,
) -> CheckedOrder {
    let (unit, meant) = meant(context, order)?;
    let text = order_text(context.board, &meant).ok_or(NSP)?;
    let is_legal = legal.get(&unit).is_some_and(|legal| legal.contains(&text));
    if is_legal { Ok(Some((Slot::Unit(unit), text))) } else { Err(FAR) }
}

fn check_retreat(
    context: OrderContext<'_>,
    waiting: &BTreeMap<DaideUnit, Vec<DaidePlace>>,
    order: &DaideOrder,
) -> CheckedOrder {
    let DaideOrder::To(wanted, act @ (Act::Retreat(_) | Act::Disband)) = order else { return Err(NRS) };
    let waits = |unit: &DaideUnit| unit.power == wanted.power && unit.fits(*wanted);
    let Some((&unit, options)) = waiting.iter().find(|(unit, _)| waits(unit)) else {
        return Err(context.own(*wanted).map_or_else(|note| note, |_| NRN));
    };
    let act = match act {
        Act::Retreat(to) => Act::Retreat(chosen(unit, *to, options)?),
        _ => Act::Disband,
    };
    Ok(Some((Slot::Unit(unit), order_text(context.board, &DaideOrder::To(unit, act)).ok_or(NSP)?)))
}

/// Every province that an order names.
fn provinces(order: &DaideOrder) -> Vec<ProvinceToken> {
    let DaideOrder::To(unit, act) = order else { return Vec::new() };
    let mut provinces = vec![unit.place.province];
    match act {
        Act::Move(to) | Act::Retreat(to) => provinces.push(to.province),
        Act::SupportHold(other) => provinces.push(other.place.province),
        Act::SupportMove(other, to) | Act::Convoy(other, to) => {
            provinces.extend([other.place.province, *to]);
        }
        Act::MoveByConvoy(to, seas) => {
            provinces.push(to.province);
            provinces.extend(seas);
        }
        Act::Hold | Act::Disband | Act::Build | Act::Remove => {}
    }
    provinces
}

/// The unit that an order is given to, and the order with every unit and coast as in the position; or its
/// fault.
fn meant(context: OrderContext<'_>, order: &DaideOrder) -> Result<(DaideUnit, DaideOrder), Token> {
    let DaideOrder::To(unit, act) = order else { return Err(NRS) };
    if matches!(act, Act::Retreat(_) | Act::Disband | Act::Build | Act::Remove) {
        return Err(NRS);
    }
    let unit = context.own(*unit)?;
    let other = |wanted: &DaideUnit| context.any(*wanted).ok_or(NSU);
    let meant = match act {
        Act::Move(to) => Act::Move(destination(context, unit, *to)?),
        Act::SupportHold(supported) => Act::SupportHold(other(supported)?),
        Act::SupportMove(supported, to) => Act::SupportMove(other(supported)?, *to),
        Act::Convoy(army, to) => {
            if unit.kind != UnitClass::Fleet {
                return Err(NSF);
            }
            if unit.place.province.ground().shape != UnitAccess::Sea {
                return Err(NAS);
            }
            let army = context.any(*army).filter(|army| army.kind == UnitClass::Army).ok_or(NSA)?;
            Act::Convoy(army, *to)
        }
        Act::MoveByConvoy(to, seas) => {
            if unit.kind != UnitClass::Army {
                return Err(NSA);
            }
            check_way(context, unit.place.province, to.province, seas)?;
            Act::MoveByConvoy(*to, seas.clone())
        }
        _ => Act::Hold,
    };
    Ok((unit, DaideOrder::To(unit, meant)))
}

/// The destination of a move: for a fleet, the coast that it can reach if the order names none.
fn destination(context: OrderContext<'_>, unit: DaideUnit, to: DaidePlace) -> Result<DaidePlace, Token> {
    if unit.kind == UnitClass::Army {
        return Ok(to.province.into());
    }
    match (to.coast, &context.board.coasts_reached(unit.place, to.province)[..]) {
        (_, []) => Err(FAR),
        (None, [one]) => Ok(DaidePlace { coast: *one, ..to }),
        (None, _) => Err(CST),
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
) -> Result<(), Token> {
    let has_fleet =
        |sea| context.position.units.get(sea).is_some_and(|unit: &DaideUnit| unit.kind == UnitClass::Fleet);
    if seas.iter().any(|sea| sea.ground().shape != UnitAccess::Sea) {
        return Err(NAS);
    }
    if !seas.iter().all(has_fleet) {
        return Err(NSF);
    }
    let mut at = from;
    for &next in seas.iter().chain([&to]) {
        if !context.board.by_water(at).contains(&next) {
            return Err(FAR);
        }
        at = next;
    }
    Ok(())
}

/// The option that is meant.
fn chosen(unit: DaideUnit, to: DaidePlace, options: &[DaidePlace]) -> Result<DaidePlace, Token> {
    let to = if unit.kind == UnitClass::Army { to.province.into() } else { to };
    let mut fitting = options.iter().copied().filter(|option| option.fits(to));
    match (fitting.next(), fitting.next()) {
        (Some(one), None) => Ok(one),
        (Some(_), Some(_)) => Err(CST),
        (None, _) => Err(NVR),
    }
}

/// Why the unit cannot be built there.
fn why_not_built(context: OrderContext<'_>, at: ProvinceToken) -> Token {
    if !at.ground().is_centre {
        return NSC;
    }
    if context.position.owners.get(&at) != Some(&context.power) {
        return YSC;
    }
    if !context.board.is_home(at, context.power) {
        return HSC;
    }
    if context.position.units.contains_key(&at) { ESC } else { CST }
}
