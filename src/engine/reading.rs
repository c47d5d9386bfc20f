//! Orders as text, read for the stage that waits for them. This is the only path from text to what a
//! [`crate::game::Game`] settles.
//!
//! ```text
//!   "Army Paris to Burgundy" ─ typed ─▶ "A PAR - BUR"
//!   "A PAR - BUR" ─ parse ─▶ WrittenOrder ─ resolve ─▶ once? allowed? ─▶ Decision, or a Refusal
//! ```
//! People's orders are translated into the notation first ([`typed()`]); programs and records must keep to it.
//!
//! Requests to adjudicate, game files, replies of programs, a [`crate::session::Session`] and the tests all
//! read their orders here. All orders of a stage are read together, because some depend on others: an army that
//! is ordered aboard a fleet may land from it. If there are several orders for one unit, the first counts,
//! regardless of their sources.

mod typed;

use std::cell::OnceCell;

use crate::game::{Game, Stage};
use crate::rules::adjustment::{Adjusting, AdjustmentRefusal};
use crate::rules::answers::Answers;
pub use crate::rules::decision::Decision;
use crate::rules::decision::Written;
use crate::rules::game_state::GameState;
use crate::rules::gazetteer::Gazetteer;
use crate::rules::legal::{ConvoyChains, is_legal};
use crate::rules::notation::{
    IllegalOrder, ParseOrderError, ParseSeismicError, SeismicFault, Situation, WrittenList, WrittenOrder,
    WrittenSeismic, WrittenUnit,
};
use crate::rules::order::{Landing, RetreatOrder};
use crate::rules::rulebook::RepeatedOrders;
use upheaval_map::ids::{ByPower, CoastId, Designation, Power, ProvinceId, ProvinceSet};

pub use crate::reading::typed::{Misread, Remark, Typed};
use crate::reading::typed::{PlaceNames, Typist};

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
    /// What a person typed is not an order, or may be several.
    #[error(transparent)]
    Typed(#[from] Misread),
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
    #[error("duplicate order for this unit; the first one is used")]
    Twice,
    /// A second landing from one sea.
    #[error("duplicate landing order for the army in that sea; the first one is used")]
    LandsTwice,
    /// A second list of retreats for a unit.
    #[error("duplicate list of retreats for this unit; the first one is used")]
    ListedTwice,
    /// A second seismic order of a power.
    #[error("a power may give one seismic order; the first one is used")]
    QuakesTwice,
    /// An exempt centre that cannot be named, or not at this time.
    #[error(
        "a power may exempt one home centre, with its first orders, in a variant that has exemptions; some variants \
         also allow switching to the last home centre"
    )]
    NotExempt,
    /// A poll has no such option.
    #[error("not one of the options")]
    NoOption,
    /// A second answer to a poll.
    #[error("duplicate answer; the first one is used")]
    VotedTwice,
    /// There is nothing to announce.
    #[error("there is nothing to announce, or the variant keeps exempt centres secret")]
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
    /// By the rule [`RepeatedOrders::Last`], an order that is followed by another one.
    #[error("a later order is used")]
    Overruled,
    /// A second coast for a fleet.
    #[error("duplicate choice of a coast for this fleet; the first one is used")]
    CoastTwice,
    /// The power has no fleet there that was trapped.
    #[error("no fleet of the power was trapped there in this phase")]
    NotTrapped,
    /// The power has been eliminated.
    #[error("an eliminated power cannot give orders")]
    IsOut,
    /// A seismic order that the map or the variant does not allow.
    #[error("the map or the variant does not allow it")]
    NotAllowed,
    /// The power is not asked for such a decision.
    #[error("this decision is not expected now")]
    NotAsked,
    /// The game is over.
    #[error("the game is over")]
    Over,
}

impl Refusal {
    /// Is another order used in its place?
    pub fn is_second(&self) -> bool {
        use Refusal::{CoastTwice, LandsTwice, ListedTwice, Overruled, QuakesTwice, Twice, VotedTwice};
        matches!(self, Twice | LandsTwice | ListedTwice | QuakesTwice | VotedTwice | CoastTwice | Overruled)
    }

    /// Is it that a word is not a unit, an action or a province?
    fn is_on_a_word(&self) -> bool {
        use ParseOrderError::{NotAUnit, NotAnAction, UnknownProvince};
        matches!(self, Refusal::Text(NotAUnit(_) | NotAnAction(_) | UnknownProvince(_)))
    }

    /// Does the order fit several places of the map without naming one (Seismic, `docs/rules.md` 8.2)? Such
    /// an order is void, but not illegal.
    pub(crate) fn is_void(&self) -> bool {
        matches!(self, Refusal::Seismic(fault) if fault.is_ambiguous())
            || matches!(self, Refusal::NoChoice | Refusal::NotTrapped)
    }
}

/// The source of an order, which determines how strictly it is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OrderSource {
    /// A player: the rulebook may reinterpret an order that is illegal as written
    /// ([`WrittenOrder::resolve_by`]).
    Player,
    /// A record: each order is legal exactly as written.
    Record,
}

/// Reads the orders of the stage that a game waits for: the meaning of each, or why it does not count. `chains` are
/// those of the game. For a record, what the rules decide about an order is taken on trust.
pub fn stage(
    game: &Game,
    chains: &ConvoyChains,
    lines: &[OrderText<'_>],
    manner: OrderSource,
) -> Vec<Result<Decision, Refusal>> {
    match (game.stage(), manner) {
        (Stage::Over, _) => vec![Err(Refusal::Over); lines.len()],
        // The coasts of a record are among its events.
        (Stage::Coasts, OrderSource::Record) => vec![Err(Refusal::NotAsked); lines.len()],
        (Stage::Coasts, OrderSource::Player) => fleets(game, &|power| game.trapped_of(power), lines),
        // Builds and removals are not about the same: the power may give as many as it is owed.
        (Stage::Adjustments, _) | (_, OrderSource::Record) => Reader::new(game, chains, manner).read(lines),
        _ => in_turn(game, lines, |lines| Reader::new(game, chains, manner).read(lines)),
    }
}

/// Reads lines of which the first one about a unit counts; by the rule [`RepeatedOrders::Last`], from the last one on.
fn in_turn<'a>(
    game: &Game,
    lines: &[OrderText<'a>],
    read: impl FnOnce(&[OrderText<'a>]) -> Vec<Result<Decision, Refusal>>,
) -> Vec<Result<Decision, Refusal>> {
    if game.variant().rulebook.repeated_orders == RepeatedOrders::First {
        return read(lines);
    }
    let latest: Vec<OrderText<'a>> = lines.iter().rev().copied().collect();
    let overruled = |refusal: Refusal| if refusal.is_second() { Refusal::Overruled } else { refusal };
    read(&latest).into_iter().rev().map(|read| read.map_err(overruled)).collect()
}

/// Translates an order that a person typed into the notation of docs/adjudicate.md, in which [`stage`] reads it. A text
/// in the notation stays as it is, and so does one whose words are known and make no order: [`stage`] says why.
///
/// ```
/// use std::sync::Arc;
/// use upheaval_engine::game::Game;
/// use upheaval_engine::ids::Power;
/// use upheaval_engine::reading::typed;
/// use upheaval_engine::rules::variant::Variant;
/// let standard = Variant::find("standard", "".as_ref())?.expect("it ships");
/// let game = Game::new(Arc::new(standard), 1910);
/// let order = typed(&game, Power::FRANCE, "Army Paris → Burgundy")?;
/// assert_eq!(order.text, "A PAR - BUR");
/// let error = typed(&game, Power::FRANCE, "A Par - Burgndy").unwrap_err();
/// assert!(error.to_string().ends_with("did you mean Burgundy?"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A word is unknown, or there is no unit that can be meant, or there are several readings between which the units on
/// the board do not decide.
pub fn typed(game: &Game, power: Power, text: &str) -> Result<Typed, Misread> {
    Typing::new(game).read(power, text)
}

/// The form in which people give orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OrderForm {
    /// As people type them.
    #[default]
    Typed,
    /// Only the notation of docs/adjudicate.md.
    Notation,
}

impl OrderForm {
    /// The order in the notation, if it is in this form.
    ///
    /// # Errors
    /// Those of [`typed()`].
    pub fn read(self, game: &Game, power: Power, text: &str) -> Result<Typed, Misread> {
        match self {
            OrderForm::Typed => typed(game, power, text),
            OrderForm::Notation => Ok(Typed { text: text.to_owned(), remark: None }),
        }
    }
}

/// Reads orders as people type them, in one position.
pub(crate) struct Typing<'a> {
    game: &'a Game,
    called: OnceCell<PlaceNames>,
}

impl<'a> Typing<'a> {
    pub(crate) fn new(game: &'a Game) -> Typing<'a> {
        Typing { game, called: OnceCell::new() }
    }

    /// See [`typed()`].
    pub(crate) fn read(&self, power: Power, text: &str) -> Result<Typed, Misread> {
        let Typing { game, called } = self;
        let names = game.terrain().names();
        let as_it_is = |remark| Ok(Typed { text: text.to_owned(), remark });
        // Neither the coast nor, after a split, its province may exist yet.
        let is_code = |word: &str| word.contains('.') || names.find(&word.to_uppercase()).is_some();
        if is_coast_choice(text) && text.split_whitespace().nth(1).is_some_and(is_code) {
            return as_it_is(None);
        }
        let read = written(game, power, text);
        let (is_notation, remark) = match &read {
            // A move in a retreat phase is a retreat.
            Ok(Written::Order(order)) => {
                let is_meant = !(game.stage() == Stage::Retreats && order.is_move());
                (is_meant, Remark::on(order, names))
            }
            Ok(Written::Seismic(_)) => (are_codes(names, text), None),
            read => (read.is_ok(), None),
        };
        if is_notation && !text.contains(char::is_lowercase) {
            return as_it_is(remark);
        }
        let called = called.get_or_init(|| PlaceNames::new(names, game.terrain().chart()));
        match Typist::new(game, called, power, text).read() {
            Ok(Some(typed)) => Ok(typed),
            Err(misread) if !is_notation => Err(misread),
            // The strict reader would find fault with a word that is known.
            Ok(None)
                if game.stage() == Stage::Movement && read.is_err_and(|refusal| refusal.is_on_a_word()) =>
            {
                Err(Misread::NoOrder)
            }
            Ok(None) | Err(_) => as_it_is(remark),
        }
    }
}

/// Are all places of a seismic order written as codes?
fn are_codes(names: &Gazetteer, text: &str) -> bool {
    let text = text.to_uppercase();
    let words = text.split_whitespace().take_while(|word| !WrittenSeismic::begins_option(word));
    let mut places =
        words.filter(|word| !["SEPARATE", "CONNECT", "THROUGH"].contains(word) && !word.starts_with('#'));
    places.all(|word| names.find(word).is_some())
}

/// An order in the notation, as far as it does not depend on the position.
fn written(game: &Game, power: Power, text: &str) -> Result<Written, Refusal> {
    let names = game.terrain().names();
    if let Some(answer) = game.polls(power).find_map(|poll| poll.answer(text)) {
        return Ok(Written::Ballot(answer.ok_or(Refusal::NoOption)?));
    }
    match game.stage() {
        Stage::Seismic => Ok(Written::Seismic(WrittenSeismic::parse(text)?)),
        Stage::Movement if game.variant().listing().is_allowed() && WrittenList::is_one(text) => {
            Ok(Written::List(WrittenList::parse(text, names)?))
        }
        _ => Ok(Written::Order(WrittenOrder::parse(text, names)?)),
    }
}

/// Reads choices about fleets: of coasts, `F GAS COAST WC`, and of trapped fleets, which `F MUN D` disbands and
/// `F MUN H` keeps. `trapped` gives the trapped fleets of a power.
pub(crate) fn fleets(
    game: &Game,
    trapped: &dyn Fn(Power) -> ProvinceSet,
    lines: &[OrderText<'_>],
) -> Vec<Result<Decision, Refusal>> {
    let mut decided: Vec<ProvinceId> = Vec::new();
    let mut read = |&OrderText { power, text }: &OrderText<'_>| {
        let (fleet, decision, again) = match is_coast_choice(text) {
            true => {
                let (fleet, coast) = chosen_coast(game, power, text)?;
                (fleet, Decision::Coast { fleet, coast }, Refusal::CoastTwice)
            }
            false => {
                let (fleet, decision) = fate(game, trapped(power), text)?;
                (fleet, decision, Refusal::Twice)
            }
        };
        if decided.contains(&fleet) {
            return Err(again);
        }
        decided.push(fleet);
        Ok(decision)
    };
    in_turn(game, lines, |lines| lines.iter().map(&mut read).collect())
}

/// Does an order choose a coast, as `F GAS COAST WC` does? It is read on the later map: the coast may not
/// exist before.
pub(crate) fn is_coast_choice(text: &str) -> bool {
    text.split_whitespace().nth(2).is_some_and(|word| word.eq_ignore_ascii_case("COAST"))
}

fn chosen_coast(game: &Game, power: Power, text: &str) -> Result<(ProvinceId, CoastId), Refusal> {
    let WrittenOrder::ChooseCoast { unit, coast } = WrittenOrder::parse(text, game.terrain().names())? else {
        return Err(Refusal::NoChoice);
    };
    let fleet = unit.place.province;
    let mut own = game.coast_choices().iter().filter(|choice| choice.power == power);
    let choice = own.find(|choice| choice.fleet == fleet && unit.kind == Designation::Fleet);
    match choice.ok_or(Refusal::NoChoice)?.coasts.contains(&coast) {
        true => Ok((fleet, coast)),
        false => Err(Refusal::NoCoast),
    }
}

fn fate(game: &Game, trapped: ProvinceSet, text: &str) -> Result<(ProvinceId, Decision), Refusal> {
    let of = |unit: WrittenUnit| Some(unit.place.province).filter(|&fleet| trapped.contains(fleet));
    match WrittenOrder::parse(text, game.terrain().names())? {
        WrittenOrder::Disband { unit } => {
            let fleet = of(unit).ok_or(Refusal::NotTrapped)?;
            Ok((fleet, Decision::DisbandTrapped(fleet)))
        }
        WrittenOrder::Hold { unit } => {
            let fleet = of(unit).ok_or(IllegalOrder::OtherPhase)?;
            Ok((fleet, Decision::KeepTrapped(fleet)))
        }
        _ => Err(IllegalOrder::OtherPhase.into()),
    }
}

/// Reads the orders of a stage, one after the other.
struct Reader<'a> {
    game: &'a Game,
    chains: &'a ConvoyChains,
    manner: OrderSource,
    /// The orders read so far.
    said: Answers,
    /// The units with an order.
    ordered: ProvinceSet,
    /// What each power may still build or must remove.
    adjusting: Option<ByPower<Adjusting>>,
}

impl<'a> Reader<'a> {
    fn new(game: &'a Game, chains: &'a ConvoyChains, manner: OrderSource) -> Reader<'a> {
        let powers = game.powers();
        let adjusting = (game.stage() == Stage::Adjustments)
            .then(|| ByPower::from_fn(powers, |power| game.adjusting(power)));
        let said = Answers::none(powers);
        Reader { game, chains, manner, said, ordered: ProvinceSet::EMPTY, adjusting }
    }

    /// Landings come last: they depend on the orders to the fleets.
    fn read(mut self, lines: &[OrderText<'_>]) -> Vec<Result<Decision, Refusal>> {
        let mut results = vec![Err(Refusal::NotListed); lines.len()];
        let mut landings = Vec::new();
        for (line, result) in lines.iter().zip(&mut results) {
            match written(self.game, line.power, line.text) {
                Ok(Written::Order(written @ WrittenOrder::Disembark { .. }))
                    if self.game.stage() == Stage::Movement =>
                {
                    landings.push((line.power, written, result));
                }
                Ok(written) => *result = self.take(line.power, written),
                Err(refusal) => *result = Err(refusal),
            }
        }
        for (power, written, result) in landings {
            *result = self.take(power, Written::Order(written));
        }
        results
    }

    fn take(&mut self, power: Power, written: Written) -> Result<Decision, Refusal> {
        let decision = self.understand(power, written)?;
        self.check(power, &decision)?;
        self.said.put(power, &decision);
        Ok(decision)
    }

    /// The meaning of an order.
    fn understand(&self, power: Power, written: Written) -> Result<Decision, Refusal> {
        let GameState { terrain, position, .. } = self.game.world();
        let situation = Situation {
            board: terrain.board(),
            position,
            chains: self.chains,
            power,
            names: terrain.names(),
        };
        let order = match written {
            Written::Seismic(written) => {
                return Ok(Decision::Seismic(written.resolve(terrain.chart().map())?));
            }
            Written::List(written) => {
                return Ok(Decision::List(written.resolve(&situation, self.game.variant().listing())?));
            }
            Written::Ballot(ballot) => return Ok(Decision::Ballot(ballot)),
            Written::Order(order) => order,
        };
        Ok(match (self.game.stage(), order) {
            (Stage::Retreats, order) => {
                let (unit, order) = order.resolve_retreat(&situation, self.game.dislodged())?;
                Decision::Retreat { unit, order }
            }
            (Stage::Adjustments, order) => Decision::Adjustment(order.resolve_adjustment(&situation)?),
            (_, WrittenOrder::Exempt { centre }) => Decision::Exempt(centre),
            (_, WrittenOrder::Announce) => Decision::Announce,
            (_, order @ WrittenOrder::Disembark { .. }) => Decision::Landing(match self.manner {
                OrderSource::Player => order.resolve_landing_beside(&situation, &self.said.orders)?,
                OrderSource::Record => order.resolve_landing(&situation)?,
            }),
            (_, order) => {
                let (unit, order) = match self.manner {
                    OrderSource::Player => order.resolve_by(&situation, &self.game.variant().rulebook)?,
                    OrderSource::Record => order.resolve(&situation)?,
                };
                Decision::Order { unit, order }
            }
        })
    }

    /// Does the order count, after those before it?
    fn check(&mut self, power: Power, decision: &Decision) -> Result<(), Refusal> {
        let (game, said, is_player) = (self.game, &self.said, self.manner == OrderSource::Player);
        let GameState { terrain, position, .. } = game.world();
        let counts = |counts: bool, otherwise: Refusal| if counts { Ok(()) } else { Err(otherwise) };
        match *decision {
            Decision::Order { unit, order } => {
                let is_legal = || is_legal(terrain.board(), position, self.chains, unit, order);
                counts(is_player || is_legal(), Refusal::NotListed)?;
                counts(!self.ordered.contains(unit), Refusal::Twice)?;
                self.ordered.insert(unit);
                Ok(())
            }
            Decision::Landing(Landing { power, from, .. }) => {
                counts(said.orders.landing(power, from).is_none(), Refusal::LandsTwice)
            }
            Decision::List(ref list) => {
                counts(said.orders.retreats().of(list.unit).is_empty(), Refusal::ListedTwice)
            }
            // The declarations of a record are among its events.
            Decision::Exempt(centre) => {
                let is_first = said.declared.exempt[power].is_none();
                let may = is_player && game.exempt_choices(power).contains(centre);
                counts(is_first && may, Refusal::NotExempt)
            }
            Decision::Announce => counts(is_player && game.can_announce(power), Refusal::NothingToAnnounce),
            Decision::Ballot(ref ballot) => {
                counts(said.declared.ballot(power, &ballot.topic).is_none(), Refusal::VotedTwice)
            }
            Decision::Retreat { unit, order } => {
                let is_first = said.retreats.get(unit).is_none_or(Option::is_none);
                counts(is_first, Refusal::Twice)?;
                match order {
                    RetreatOrder::Retreat { to } if is_player => {
                        counts(game.retreat_options(unit).contains(&to), Refusal::NoRetreat)
                    }
                    RetreatOrder::Retreat { .. } | RetreatOrder::Disband => Ok(()),
                }
            }
            Decision::Adjustment(order) => match &mut self.adjusting {
                Some(adjusting) => Ok(adjusting[power].take(terrain.board(), position, order)?),
                None => Err(Refusal::NotAsked),
            },
            Decision::Seismic(ref order) => {
                counts(said.seismic[power].is_none(), Refusal::QuakesTwice)?;
                counts(!is_player || !position.is_out(power), Refusal::IsOut)?;
                counts(!is_player || game.allows_quake(order.quake), Refusal::NotAllowed)
            }
            Decision::Coast { .. } | Decision::DisbandTrapped(_) | Decision::KeepTrapped(_) => {
                Err(Refusal::NotAsked)
            }
        }
    }
}
