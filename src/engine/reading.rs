//! Orders as texts, read for the stage that waits for them: the one way from text to what a [`crate::game::Game`]
//! settles.
//!
//! ```text
//!   "A PAR - BUR" ─ parse ─▶ WrittenOrder ─ resolve ─▶ in time? once? allowed? ─▶ Decision, or a Refusal
//! ```
//! Requests to adjudicate, game files, replies of programs, a [`crate::session::Session`] and the tests read their
//! orders here. One function for each stage takes all orders of that stage, for some depend on others: an army that is
//! ordered aboard a fleet may land from it. Each returns what is to be settled, and for each order what it was
//! understood as. Of two orders for one unit the first counts, wherever they come from.

use crate::rules::gazetteer::Gazetteer;
use crate::rules::legal::{ConvoyChains, is_legal};
use crate::rules::mechanism::Declarations;
use crate::rules::mechanism::exemption::Announced;
use crate::rules::notation::{
    IllegalOrder, Listed, ParseOrderError, ParseSeismicError, SeismicFault, Situation, WrittenList,
    WrittenOrder, WrittenSeismic,
};
use crate::rules::order::{AdjustmentOrder, Landing, Order, Orders, RetreatOrder};
use crate::rules::position::{Position, Retreats};
use crate::rules::retreat_lists::Listing;
use crate::rules::rulebook::Rulebook;
use crate::rules::seismic::{SeismicOrder, SeismicOrders};
use crate::rules::terrain::Terrain;
use crate::rules::world::CoastChoice;
use upheaval_map::ids::{ByPower, CoastId, Designation, Location, Power, ProvinceId, ProvinceSet};

/// An order as it was given: by whom, and its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line<'a> {
    /// The power that gives it.
    pub power: Power,
    /// The order in the notation of `docs/adjudicate.md`.
    pub text: &'a str,
}

/// An order that was understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The order of a unit in a movement phase.
    Order {
        /// Where the unit stands.
        unit: ProvinceId,
        /// What it is to do.
        order: Order,
    },
    /// An army goes ashore.
    Landing(Landing),
    /// The places to which a unit retreats if it is dislodged, where retreats are sent with the orders.
    List(Listed),
    /// A power names its exempt centre.
    Exempt(ProvinceId),
    /// A power has its exempt centre announced.
    Announce,
    /// The order of a dislodged unit.
    Retreat {
        /// The unit's index in [`Retreats::dislodged`].
        unit: usize,
        /// What it is to do.
        order: RetreatOrder,
    },
    /// A build, a removal, or a build that is waived.
    Adjustment(AdjustmentOrder),
    /// A seismic order.
    Seismic(SeismicOrder),
    /// The coast of a fleet whose own split or vanished.
    Coast {
        /// Where the fleet is.
        fleet: ProvinceId,
        /// The coast it takes.
        coast: CoastId,
    },
    /// A trapped fleet is disbanded.
    DisbandTrapped(ProvinceId),
    /// A trapped fleet stays.
    KeepTrapped(ProvinceId),
}

/// Why an order does not count. Its text is a sentence for the power that gave it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// It is not an order on any board.
    #[error(transparent)]
    Text(#[from] ParseOrderError),
    /// It is not a seismic order on any map.
    #[error(transparent)]
    SeismicText(#[from] ParseSeismicError),
    /// It cannot be followed in this position.
    #[error(transparent)]
    Illegal(#[from] IllegalOrder),
    /// It does not fit this map.
    #[error(transparent)]
    Seismic(#[from] SeismicFault),
    /// It is not among the legal orders of its unit.
    #[error("it is not legal")]
    NotListed,
    /// A second order for a unit.
    #[error("the unit has an order already; the first counts")]
    Twice,
    /// A second landing from one sea.
    #[error("the army in that sea has an order to land already; the first counts")]
    LandsTwice,
    /// A second list of retreats for a unit.
    #[error("the unit has a list of retreats already; the first counts")]
    ListedTwice,
    /// A second seismic order of a power.
    #[error("a power has one seismic order; the first counts")]
    QuakesTwice,
    /// An exempt centre that cannot be named, or not now.
    #[error(
        "only a home centre, once, with the first orders of a variant that has it; or the last home centre, where the \
         variant lets the choice be changed"
    )]
    NotExempt,
    /// An announcement where there is nothing to announce.
    #[error("there is nothing to announce, or the variant keeps it a secret")]
    NothingToAnnounce,
    /// A retreat to where the unit cannot go.
    #[error("the unit cannot retreat there")]
    NoRetreat,
    /// No fleet of the power's has to choose a coast there.
    #[error("no fleet there had to choose a coast")]
    NoChoice,
    /// A coast that the fleet cannot take.
    #[error("the fleet cannot take that coast")]
    NoCoast,
    /// A second coast for a fleet.
    #[error("the fleet has a coast already; the first counts")]
    CoastTwice,
    /// No fleet of the power's was trapped there.
    #[error("no fleet of the power's has just been trapped there")]
    NotTrapped,
    /// A power that is out of the game.
    #[error("a power without units and centres orders nothing")]
    IsOut,
    /// A seismic order that the map does not allow.
    #[error("the map does not allow it")]
    NotAllowed,
    /// The game is over.
    #[error("the game is over")]
    Over,
}

impl Refusal {
    /// Does the order fit several places of the map without saying which (Seismic, `docs/rules.md` 8.2)? It is void
    /// then, and not illegal.
    pub fn is_void(&self) -> bool {
        matches!(self, Refusal::Seismic(fault) if fault.is_ambiguous())
            || matches!(self, Refusal::NoChoice | Refusal::NotTrapped)
    }
}

/// What was made of one order: its index among the orders of the stage, and what it was understood as.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read {
    /// The index of the order.
    pub line: usize,
    /// What it means, or why it does not count.
    pub result: Result<Decision, Refusal>,
}

/// From where an order comes, and so how strictly it is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// A player's: the rulebook may read otherwise what is illegal by itself ([`WrittenOrder::resolve_by`]).
    Player,
    /// A record's: each order is one of the legal ones as it stands.
    Record,
}

/// The ground on which the orders are given.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// The map and its tables.
    pub terrain: &'a Terrain,
    /// Units and owners.
    pub position: &'a Position,
    /// The convoys of the position; no more than [`ConvoyChains::default`] is needed outside of movement phases.
    pub chains: &'a ConvoyChains,
    /// The rulebook in force.
    pub rulebook: &'a Rulebook,
}

impl<'a> Ground<'a> {
    fn names(&self) -> &'a Gazetteer {
        self.terrain.names()
    }

    fn situation(&self, power: Power) -> Situation<'a> {
        let Ground { terrain, position, chains, .. } = *self;
        Situation { board: terrain.board(), position, chains, power }
    }

    /// Every line parsed, and handed to `understand`.
    fn each(
        &self,
        lines: &[Line<'_>],
        mut understand: impl FnMut(Power, WrittenOrder) -> Result<Decision, Refusal>,
    ) -> Vec<Read> {
        let read = |(line, Line { power, text }): (usize, &Line<'_>)| {
            let written = WrittenOrder::parse(text, self.names());
            Read { line, result: written.map_err(Refusal::from).and_then(|order| understand(*power, order)) }
        };
        lines.iter().enumerate().map(read).collect()
    }
}

/// What powers may say with the orders of a movement phase beside what their units do.
#[derive(Clone, Copy)]
pub struct MayDeclare<'a> {
    /// Which lists of retreats a power may send.
    pub listing: Listing,
    /// The centres of which a power may name one as exempt.
    pub exempt: &'a dyn Fn(Power) -> ProvinceSet,
    /// May a power have its exempt centre announced?
    pub announce: &'a dyn Fn(Power) -> bool,
}

/// The orders of a movement phase.
#[derive(Clone, Debug)]
pub struct MovementRead {
    /// Those of the units, the landings, and the lists of retreats.
    pub orders: Orders,
    /// What is declared besides.
    pub declared: Declarations,
    /// What was made of each order: first of those that are not landings, then of the landings, each in their order.
    pub read: Vec<Read>,
}

/// Reads the orders of a movement phase.
pub fn movement(
    ground: Ground<'_>,
    lines: &[Line<'_>],
    manner: Manner,
    may_declare: MayDeclare<'_>,
) -> MovementRead {
    let mut movement = MovementRead {
        orders: Orders::all_hold(),
        declared: Declarations::none(ground.terrain.powers()),
        read: Vec::new(),
    };
    let mut ordered = ProvinceSet::EMPTY;
    let mut landings = Vec::new();
    for (line, &Line { power, text }) in lines.iter().enumerate() {
        if may_declare.listing.is_allowed() && WrittenList::is_one(text) {
            let result = list(ground, Line { power, text }, may_declare.listing);
            let result = result.and_then(|listed| movement.list(listed));
            movement.read.push(Read { line, result });
            continue;
        }
        let result = match WrittenOrder::parse(text, ground.names()) {
            Err(error) => Err(error.into()),
            Ok(WrittenOrder::Exempt { centre }) => {
                movement.exempt(power, centre, (may_declare.exempt)(power))
            }
            Ok(WrittenOrder::Announce) => movement.announce(power, (may_declare.announce)(power)),
            Ok(written @ WrittenOrder::Disembark { .. }) => {
                landings.push((line, power, written));
                continue;
            }
            Ok(written) => unit_order(ground, power, written, manner).and_then(|(unit, order)| {
                if ordered.contains(unit) {
                    return Err(Refusal::Twice);
                }
                ordered.insert(unit);
                movement.orders[unit] = order;
                Ok(Decision::Order { unit, order })
            }),
        };
        movement.read.push(Read { line, result });
    }
    for (line, power, written) in landings {
        let situation = ground.situation(power);
        let landing = match manner {
            Manner::Player => written.resolve_landing_beside(&situation, &movement.orders),
            Manner::Record => written.resolve_landing(&situation),
        };
        let result = landing.map_err(Refusal::from).and_then(|landing| {
            if movement.orders.landing(landing.power, landing.from).is_some() {
                return Err(Refusal::LandsTwice);
            }
            movement.orders.land(landing);
            Ok(Decision::Landing(landing))
        });
        movement.read.push(Read { line, result });
    }
    movement
}

impl MovementRead {
    fn exempt(
        &mut self,
        power: Power,
        centre: ProvinceId,
        choices: ProvinceSet,
    ) -> Result<Decision, Refusal> {
        let named = &mut self.declared.exempt[power];
        if named.is_some() || !choices.contains(centre) {
            return Err(Refusal::NotExempt);
        }
        *named = Some(centre);
        Ok(Decision::Exempt(centre))
    }

    fn list(&mut self, listed: Listed) -> Result<Decision, Refusal> {
        let lists = self.orders.retreats_mut();
        if !lists.of(listed.unit).is_empty() {
            return Err(Refusal::ListedTwice);
        }
        lists.set(listed.unit, listed.places.iter().copied());
        Ok(Decision::List(listed))
    }

    fn announce(&mut self, power: Power, may: bool) -> Result<Decision, Refusal> {
        if !may {
            return Err(Refusal::NothingToAnnounce);
        }
        self.declared.announce[power] = Announced::Yes;
        Ok(Decision::Announce)
    }
}

fn list(ground: Ground<'_>, line: Line<'_>, listing: Listing) -> Result<Listed, Refusal> {
    let written = WrittenList::parse(line.text, ground.names())?;
    Ok(written.resolve(&ground.situation(line.power), listing)?)
}

fn unit_order(
    ground: Ground<'_>,
    power: Power,
    written: WrittenOrder,
    manner: Manner,
) -> Result<(ProvinceId, Order), Refusal> {
    let situation = ground.situation(power);
    match manner {
        Manner::Player => Ok(written.resolve_by(&situation, ground.rulebook)?),
        Manner::Record => {
            let (unit, order) = written.resolve(&situation)?;
            let Situation { board, position, chains, .. } = situation;
            is_legal(board, position, chains, unit, order).then_some((unit, order)).ok_or(Refusal::NotListed)
        }
    }
}

/// The dislodged units that wait for retreats.
#[derive(Clone, Copy)]
pub struct Waiting<'a> {
    /// The units.
    pub units: &'a Retreats,
    /// Where each of them can go, by its index. A record is believed.
    pub can_go: &'a dyn Fn(usize, Location) -> bool,
}

/// Reads the orders of a retreat phase: one decision for each dislodged unit, `None` where there is no valid order.
pub fn retreats(
    ground: Ground<'_>,
    lines: &[Line<'_>],
    manner: Manner,
    waiting: Waiting<'_>,
) -> (Vec<Option<RetreatOrder>>, Vec<Read>) {
    let mut decided = vec![None; waiting.units.dislodged.len()];
    let read = ground.each(lines, |power, written| {
        let (unit, order) = written.resolve_retreat(&ground.situation(power), waiting.units)?;
        if decided[unit].is_some() {
            return Err(Refusal::Twice);
        }
        match order {
            RetreatOrder::Retreat { to } if manner == Manner::Player && !(waiting.can_go)(unit, to) => {
                return Err(Refusal::NoRetreat);
            }
            RetreatOrder::Retreat { .. } | RetreatOrder::Disband => {}
        }
        decided[unit] = Some(order);
        Ok(Decision::Retreat { unit, order })
    });
    (decided, read)
}

/// Reads the orders of an adjustment phase. Whether there are too many is for the phase to say.
pub fn adjustments(ground: Ground<'_>, lines: &[Line<'_>]) -> (ByPower<Vec<AdjustmentOrder>>, Vec<Read>) {
    let mut decided: ByPower<Vec<AdjustmentOrder>> = ByPower::new(ground.terrain.powers());
    let read = ground.each(lines, |power, written| {
        let order = written.resolve_adjustment(&ground.situation(power))?;
        decided[power].push(order);
        Ok(Decision::Adjustment(order))
    });
    (decided, read)
}

/// Reads the orders of a seismic phase. `check` says whether a power may give an order that fits the map.
pub fn seismic(
    terrain: &Terrain,
    lines: &[Line<'_>],
    check: &dyn Fn(Power, &SeismicOrder) -> Result<(), Refusal>,
) -> (SeismicOrders, Vec<Read>) {
    let mut decided = SeismicOrders::new(terrain.powers());
    let mut understand = |&Line { power, text }: &Line<'_>| {
        let order = WrittenSeismic::parse(text)?.resolve(terrain.chart().map())?;
        if decided[power].is_some() {
            return Err(Refusal::QuakesTwice);
        }
        check(power, &order)?;
        decided[power] = Some(order.clone());
        Ok(Decision::Seismic(order))
    };
    let read =
        lines.iter().enumerate().map(|(line, given)| Read { line, result: understand(given) }).collect();
    (decided, read)
}

/// Does an order choose a coast, as `F GAS COAST WC` does? It is read on the map as it is by then: the coast may not be
/// there before.
pub fn is_coast_choice(text: &str) -> bool {
    text.split_whitespace().nth(2).is_some_and(|word| word.eq_ignore_ascii_case("COAST"))
}

/// Reads the coasts that fleets take: one decision for each choice, `None` where none is made.
pub fn coasts(
    names: &Gazetteer,
    choices: &[CoastChoice],
    lines: &[Line<'_>],
) -> (Vec<Option<CoastId>>, Vec<Read>) {
    let mut decided = vec![None; choices.len()];
    let mut understand = |&Line { power, text }: &Line<'_>| {
        let (fleet, coast) = match WrittenOrder::parse(text, names)? {
            WrittenOrder::ChooseCoast { unit, coast } if unit.kind == Designation::Fleet => {
                (unit.place.province, coast)
            }
            _ => return Err(Refusal::NoChoice),
        };
        let is_meant = |choice: &CoastChoice| choice.fleet == fleet && choice.power == power;
        let i = choices.iter().position(is_meant).ok_or(Refusal::NoChoice)?;
        if !choices[i].coasts.contains(&coast) {
            return Err(Refusal::NoCoast);
        }
        if decided[i].is_some() {
            return Err(Refusal::CoastTwice);
        }
        decided[i] = Some(coast);
        Ok(Decision::Coast { fleet, coast })
    };
    let read =
        lines.iter().enumerate().map(|(line, given)| Read { line, result: understand(given) }).collect();
    (decided, read)
}

/// Reads what becomes of trapped fleets: `F MUN D` disbands one, `F MUN H` keeps it. Returns those that are disbanded.
/// `trapped` says which of a power's fleets are.
pub fn trapped(
    names: &Gazetteer,
    trapped: &dyn Fn(Power) -> ProvinceSet,
    lines: &[Line<'_>],
) -> (ProvinceSet, Vec<Read>) {
    let mut disbanded = ProvinceSet::EMPTY;
    let mut understand = |&Line { power, text }: &Line<'_>| -> Result<Decision, Refusal> {
        let written = WrittenOrder::parse(text, names)?;
        let is_trapped = |fleet| trapped(power).contains(fleet);
        match written {
            WrittenOrder::Disband { unit } if is_trapped(unit.place.province) => {
                disbanded.insert(unit.place.province);
                Ok(Decision::DisbandTrapped(unit.place.province))
            }
            WrittenOrder::Disband { .. } => Err(Refusal::NotTrapped),
            WrittenOrder::Hold { unit } if is_trapped(unit.place.province) => {
                Ok(Decision::KeepTrapped(unit.place.province))
            }
            _ => Err(IllegalOrder::OtherPhase.into()),
        }
    };
    let read =
        lines.iter().enumerate().map(|(line, given)| Read { line, result: understand(given) }).collect();
    (disbanded, read)
}
