//! Orders as text, read for the stage that waits for them. This is the only path from text to what a
//! [`crate::game::Game`] settles.
//!
//! ```text
//!   "A PAR - BUR" ─ parse ─▶ WrittenOrder ─ resolve ─▶ in time? once? allowed? ─▶ Decision, or a Refusal
//! ```
//! Requests to adjudicate, game files, replies of programs, a [`crate::session::Session`] and the tests all
//! read their orders here. One function for each stage takes all orders of that stage, because some depend on
//! others: an army that is ordered aboard a fleet may land from it. Each function returns the decisions to be
//! settled and, for each order, its meaning. If there are several orders for one unit, the first counts,
//! regardless of their sources.

use crate::game::{Game, Stage};
use crate::rules::adjustment::{Adjusting, AdjustmentRefusal};
pub use crate::rules::decision::Decision;
use crate::rules::gazetteer::Gazetteer;
use crate::rules::legal::{ConvoyChains, is_legal};
use crate::rules::mechanism::Declarations;
use crate::rules::mechanism::exemption::Announced;
use crate::rules::notation::{
    IllegalOrder, Listed, ParseOrderError, ParseSeismicError, SeismicFault, Situation, WrittenList,
    WrittenOrder, WrittenSeismic,
};
use crate::rules::order::{AdjustmentOrder, Order, Orders, RetreatOrder};
use crate::rules::position::{Position, Retreats};
use crate::rules::retreat_lists::Listing;
use crate::rules::rulebook::Rulebook;
use crate::rules::seismic::{SeismicOrder, SeismicOrders};
use crate::rules::terrain::Terrain;
use crate::rules::world::{CoastChoice, World};
use upheaval_map::ids::{ByPower, CoastId, Designation, Location, Power, ProvinceId, ProvinceSet};

/// An order as it was given: its power and its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OrderText<'a> {
    /// The power that gives it.
    pub power: Power,
    /// The order in the notation of `docs/adjudicate.md`.
    pub text: &'a str,
}

/// Why an order does not count. The text is a sentence for the power that gave the order.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The text is not an order on any board.
    #[error(transparent)]
    Text(#[from] ParseOrderError),
    /// The text is not a seismic order on any map.
    #[error(transparent)]
    SeismicText(#[from] ParseSeismicError),
    /// The order cannot be followed in this position.
    #[error(transparent)]
    Illegal(#[from] IllegalOrder),
    /// The order is a build or removal that the power cannot make, or one too many.
    #[error(transparent)]
    Adjustment(#[from] AdjustmentRefusal),
    /// The order does not fit this map.
    #[error(transparent)]
    Seismic(#[from] SeismicFault),
    /// The order is not among the legal orders of its unit.
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
    /// An exempt centre that cannot be named, or not at this time.
    #[error(
        "only a home centre, once, with the first orders of a variant that has it; or the last home centre, where the \
         variant lets the choice be changed"
    )]
    NotExempt,
    /// There is nothing to announce.
    #[error("there is nothing to announce, or the variant keeps it a secret")]
    NothingToAnnounce,
    /// The unit cannot retreat to that place.
    #[error("the unit cannot retreat there")]
    NoRetreat,
    /// The power has no fleet there that must choose a coast.
    #[error("no fleet there had to choose a coast")]
    NoChoice,
    /// A coast that the fleet cannot take.
    #[error("the fleet cannot take that coast")]
    NoCoast,
    /// A second coast for a fleet.
    #[error("the fleet has a coast already; the first counts")]
    CoastTwice,
    /// The power has no fleet there that was trapped.
    #[error("no fleet of the power's has just been trapped there")]
    NotTrapped,
    /// The power has been eliminated.
    #[error("a power without units and centres orders nothing")]
    IsOut,
    /// A seismic order that the map does not allow.
    #[error("the map does not allow it")]
    NotAllowed,
    /// The power is not asked for such a decision.
    #[error("nobody asks for it now")]
    NotAsked,
    /// The game is over.
    #[error("the game is over")]
    Over,
}

impl Refusal {
    /// Does the order fit several places of the map without naming one (Seismic, `docs/rules.md` 8.2)? Such
    /// an order is void, but not illegal.
    pub fn is_void(&self) -> bool {
        matches!(self, Refusal::Seismic(fault) if fault.is_ambiguous())
            || matches!(self, Refusal::NoChoice | Refusal::NotTrapped)
    }
}

/// The interpretation of one order: its index among the orders of the stage, and its meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read {
    /// The index of the order.
    pub line: usize,
    /// Its meaning, or why it does not count.
    pub result: Result<Decision, Refusal>,
}

/// The source of an order, which determines how strictly it is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// A player: the rulebook may reinterpret an order that is illegal as written
    /// ([`WrittenOrder::resolve_by`]).
    Player,
    /// A record: each order is legal exactly as written.
    Record,
}

/// The ground on which the orders are given.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// The map and its tables.
    pub terrain: &'a Terrain,
    /// Units and owners.
    pub position: &'a Position,
    /// The convoys of the position; [`ConvoyChains::default`] is enough outside of movement phases.
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

    /// Parses every line and passes it to `understand`.
    fn each(
        &self,
        lines: &[OrderText<'_>],
        mut understand: impl FnMut(Power, WrittenOrder) -> Result<Decision, Refusal>,
    ) -> Vec<Read> {
        let read = |(line, OrderText { power, text }): (usize, &OrderText<'_>)| {
            let written = WrittenOrder::parse(text, self.names());
            Read { line, result: written.map_err(Refusal::from).and_then(|order| understand(*power, order)) }
        };
        lines.iter().enumerate().map(read).collect()
    }
}

/// What powers may declare with the orders of a movement phase, besides the actions of their units.
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
    /// The orders of units, the landings, and the lists of retreats.
    pub orders: Orders,
    /// The declarations.
    pub declared: Declarations,
    /// The interpretation of each order: first of all that are not landings, then of the landings, each in
    /// the order given.
    pub read: Vec<Read>,
}

/// Reads the orders of a movement phase.
pub fn movement(
    ground: Ground<'_>,
    lines: &[OrderText<'_>],
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
    for (line, &OrderText { power, text }) in lines.iter().enumerate() {
        if may_declare.listing.is_allowed() && WrittenList::is_one(text) {
            let result = list(ground, OrderText { power, text }, may_declare.listing);
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

fn list(ground: Ground<'_>, line: OrderText<'_>, listing: Listing) -> Result<Listed, Refusal> {
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
    /// Whether a unit, given by its index, can retreat to a place. For a record this is taken on trust.
    pub can_go: &'a dyn Fn(usize, Location) -> bool,
}

/// Reads the orders of a retreat phase: one decision for each dislodged unit, `None` where there is no valid order.
pub fn retreats(
    ground: Ground<'_>,
    lines: &[OrderText<'_>],
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

/// Reads the orders of an adjustment phase: of each power those that can be carried out, in the order given.
/// `adjusting` says what a power may build or must remove.
pub fn adjustments(
    ground: Ground<'_>,
    lines: &[OrderText<'_>],
    adjusting: &dyn Fn(Power) -> Adjusting,
) -> (ByPower<Vec<AdjustmentOrder>>, Vec<Read>) {
    let powers = ground.terrain.powers();
    let mut decided: ByPower<Vec<AdjustmentOrder>> = ByPower::new(powers);
    let mut begun = ByPower::from_fn(powers, adjusting);
    let read = ground.each(lines, |power, written| {
        let order = written.resolve_adjustment(&ground.situation(power))?;
        begun[power].take(ground.terrain.board(), ground.position, order)?;
        decided[power].push(order);
        Ok(Decision::Adjustment(order))
    });
    (decided, read)
}

/// Reads the orders of a seismic phase. `check` says whether a power may give an order that fits the map.
pub fn seismic(
    terrain: &Terrain,
    lines: &[OrderText<'_>],
    check: &dyn Fn(Power, &SeismicOrder) -> Result<(), Refusal>,
) -> (SeismicOrders, Vec<Read>) {
    let mut decided = SeismicOrders::new(terrain.powers());
    let mut understand = |&OrderText { power, text }: &OrderText<'_>| {
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

/// Reads the orders of the stage that a game waits for: the meaning of each, or why it does not count. `chains` are
/// those of the game. For a record, what the rules decide about an order is taken on trust.
pub fn stage(
    game: &Game,
    chains: &ConvoyChains,
    lines: &[OrderText<'_>],
    manner: Manner,
) -> Vec<Result<Decision, Refusal>> {
    let World { terrain, position, .. } = game.world();
    let ground = Ground { terrain, position, chains, rulebook: &game.variant().rulebook };
    let read = match (game.stage(), manner) {
        (Stage::Movement, _) => {
            let listing = game.variant().listing();
            // The declarations of a record are among its events.
            let may_declare = match manner {
                Manner::Player => MayDeclare {
                    listing,
                    exempt: &|power| game.exempt_choices(power),
                    announce: &|power| game.can_announce(power),
                },
                Manner::Record => {
                    MayDeclare { listing, exempt: &|_| ProvinceSet::EMPTY, announce: &|_| false }
                }
            };
            movement(ground, lines, manner, may_declare).read
        }
        (Stage::Retreats, _) => {
            let can_go = |unit, to| manner == Manner::Record || game.retreat_options(unit).contains(&to);
            retreats(ground, lines, manner, Waiting { units: game.dislodged(), can_go: &can_go }).1
        }
        (Stage::Adjustments, _) => adjustments(ground, lines, &|power| game.adjusting(power)).1,
        (Stage::Coasts, Manner::Player) => choices(game, lines),
        (Stage::Seismic, _) => {
            let check = |power, _: &_| match manner == Manner::Player && position.is_out(power) {
                true => Err(Refusal::IsOut),
                false => Ok(()),
            };
            seismic(terrain, lines, &check).1
        }
        (Stage::Coasts, Manner::Record) | (Stage::Over, _) => {
            (0..lines.len()).map(|line| Read { line, result: Err(Refusal::Over) }).collect()
        }
    };
    let mut results = vec![Err(Refusal::NotListed); lines.len()];
    read.into_iter().for_each(|Read { line, result }| results[line] = result);
    results
}

/// Reads choices about fleets: those of coasts, and the others.
fn choices(game: &Game, lines: &[OrderText<'_>]) -> Vec<Read> {
    let names = game.terrain().names();
    let of = |coasts: bool| {
        let wanted = move |(_, line): &(usize, &OrderText<'_>)| is_coast_choice(line.text) == coasts;
        lines.iter().enumerate().filter(wanted).map(|(i, line)| (i, *line)).unzip()
    };
    let (at, lines_of_coasts): (Vec<usize>, Vec<OrderText<'_>>) = of(true);
    let (at_trapped, lines_of_trapped): (Vec<usize>, Vec<OrderText<'_>>) = of(false);
    let number = |at: Vec<usize>, read: Vec<Read>| {
        read.into_iter().map(move |read| Read { line: at[read.line], ..read })
    };
    let coasts = coasts(names, game.coast_choices(), &lines_of_coasts).1;
    let trapped = trapped(names, &|power| game.trapped_of(power), &lines_of_trapped).1;
    number(at, coasts).chain(number(at_trapped, trapped)).collect()
}

/// Does an order choose a coast, as `F GAS COAST WC` does? It is read on the later map: the coast may not
/// exist before.
pub fn is_coast_choice(text: &str) -> bool {
    text.split_whitespace().nth(2).is_some_and(|word| word.eq_ignore_ascii_case("COAST"))
}

/// Reads the coasts that fleets take: one decision for each choice, `None` if none is given.
pub fn coasts(
    names: &Gazetteer,
    choices: &[CoastChoice],
    lines: &[OrderText<'_>],
) -> (Vec<Option<CoastId>>, Vec<Read>) {
    let mut decided = vec![None; choices.len()];
    let mut understand = |&OrderText { power, text }: &OrderText<'_>| {
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

/// Reads the orders for trapped fleets: `F MUN D` disbands one, `F MUN H` keeps it; the first for a fleet counts.
/// Returns those that are disbanded. `trapped` gives the trapped fleets of a power.
pub fn trapped(
    names: &Gazetteer,
    trapped: &dyn Fn(Power) -> ProvinceSet,
    lines: &[OrderText<'_>],
) -> (ProvinceSet, Vec<Read>) {
    let (mut disbanded, mut ordered) = (ProvinceSet::EMPTY, ProvinceSet::EMPTY);
    let mut understand = |&OrderText { power, text }: &OrderText<'_>| -> Result<Decision, Refusal> {
        let written = WrittenOrder::parse(text, names)?;
        let is_trapped = |fleet| trapped(power).contains(fleet);
        let (fleet, decision) = match written {
            WrittenOrder::Disband { unit } if is_trapped(unit.place.province) => {
                (unit.place.province, Decision::DisbandTrapped(unit.place.province))
            }
            WrittenOrder::Disband { .. } => return Err(Refusal::NotTrapped),
            WrittenOrder::Hold { unit } if is_trapped(unit.place.province) => {
                (unit.place.province, Decision::KeepTrapped(unit.place.province))
            }
            _ => return Err(IllegalOrder::OtherPhase.into()),
        };
        if ordered.contains(fleet) {
            return Err(Refusal::Twice);
        }
        ordered.insert(fleet);
        if decision == Decision::DisbandTrapped(fleet) {
            disbanded.insert(fleet);
        }
        Ok(decision)
    };
    let read =
        lines.iter().enumerate().map(|(line, given)| Read { line, result: understand(given) }).collect();
    (disbanded, read)
}
