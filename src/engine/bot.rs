//! What a bot is: something that is shown an [`Observation`] and gives orders. It sees nothing else, and what it
//! answers is checked before it counts.

mod delegate;
mod ensemble;
mod handicap;
mod imagined;
mod incident;
mod kind;
mod past;
mod program;
mod sheet;

pub use crate::delegate_bot;
pub use crate::rules::conduct::Conduct;
pub use ensemble::{Ensemble, WaitingSeat};
pub use handicap::{Faculty, Handicap, handicapped};
pub use imagined::Imagined;
pub use incident::Incident;
pub use kind::{BotKind, BotMaker, Pace, ProgramKind, Setting, Tuning};
pub use past::{Past, PastOrder, Retreating};
pub use program::{Guest, Program};
pub use sheet::OrderSheet;

use std::any::Any;

use crate::game::Game;
use crate::rules::adjustment::Owed;
use crate::rules::gazetteer::Gazetteer;
use crate::rules::legal::{self, ConvoyChains};
use crate::rules::mechanism::exemption::Announced;
use crate::rules::order::{AdjustmentOrder, Order, RetreatOrder};
use crate::rules::position::{Dislodged, Phase, Position};
use crate::rules::retreat;
use crate::rules::retreat_lists::Listing;
use crate::rules::rulebook::Rulebook;
use crate::rules::seismic::SeismicOrder;
use crate::rules::terrain::Terrain;
use crate::rules::variant::Variant;
use crate::rules::world::{CoastChoice, Swallowed};
use upheaval_map::ids::{ByPower, CoastId, Location, Power, Powers, ProvinceId, ProvinceSet};
use upheaval_map::rng::Stream;
use upheaval_map::topology::{Board, MapEvent, Quake, Touched};

/// All that a power may see: what lies open to everybody, and its own secrets, never another's.
#[derive(Clone, Copy)]
pub struct Observation<'a> {
    /// When it is.
    pub phase: Phase,
    /// Who is looking.
    pub power: Power,
    /// Who may move where, today.
    pub board: &'a Board,
    /// Units and owners.
    pub position: &'a Position,
    /// The extant supply centres.
    pub centres: &'a ProvinceSet,
    /// The extant home centres of every power.
    pub homes: &'a ByPower<ProvinceSet>,
    /// Chains of fleets at sea, as the legal orders need them.
    pub chains: &'a ConvoyChains,
    /// The rulebook in force.
    pub rulebook: &'a Rulebook,
    /// Provinces that are announced to vanish at the end of the season.
    pub doomed: ProvinceSet,
    /// Provinces that sink at the end of the year (ru10 rule 3).
    pub sinking: ProvinceSet,
    /// The power's own exempt centre.
    pub exempt: Option<ProvinceId>,
    /// What it is denied. The sheet takes no such orders; what is asked besides is not asked where it is denied.
    pub handicap: Handicap,
    /// The centres of which it may name one as exempt with the orders that are waited for.
    pub exempt_choices: ProvinceSet,
    /// May it have its exempt centre announced with the orders that are waited for?
    pub may_announce: bool,
    /// Which lists of retreats go with the movement orders ([`OrderSheet::list_retreats`]). Unless it is
    /// [`Listing::None`] nobody is asked for retreats after the movement (rules.md 4.12).
    pub listing: Listing,
    /// The units that are gone with a hole and will come back with it (rules.md 4.8).
    pub swallowed: &'a [Swallowed],
    /// The game itself, secrets and all: for [`Observation::imagined`], which keeps them.
    pub(crate) game: &'a Game,
}

impl<'a> Observation<'a> {
    /// The names of provinces and coasts, for bots that speak text. Built when first asked for on a map.
    pub fn names(&self) -> &'a Gazetteer {
        self.terrain().names()
    }

    /// The ground as it is: the map and all that is derived from it. It lies open to everybody.
    pub fn terrain(&self) -> &'a Terrain {
        self.game.terrain()
    }

    /// The places to which the unit in this province could move by itself, coasts and all, in ascending order: those that
    /// its list of retreats may name. None where no unit stands.
    pub fn ways_from(&self, unit: ProvinceId) -> impl Iterator<Item = Location> + use<'a> {
        let (board, standing) = (self.board, self.position.unit(unit));
        standing
            .into_iter()
            .flat_map(move |standing| retreat::ways(board, unit, standing.kind, standing.coast))
    }

    /// Is this one of the [legal orders](legal::legal_orders) of the unit in this province, and allowed by the
    /// [handicap](Observation::handicap)?
    #[inline]
    pub fn is_legal(&self, unit: ProvinceId, order: Order) -> bool {
        self.handicap.allows(order) && legal::is_legal(self.board, self.position, self.chains, unit, order)
    }

    /// Lists the [legal orders](legal::legal_orders) of the unit in this province that the
    /// [handicap](Observation::handicap) allows, ascending, in place of what is in `out`; none where no unit stands.
    pub fn legal_orders(&self, unit: ProvinceId, out: &mut Vec<Order>) {
        out.clear();
        legal::legal_orders(self.board, self.position, self.chains, unit, out);
        if !self.handicap.is_none() {
            out.retain(|&order| self.handicap.allows(order));
        }
    }

    /// The game itself, secrets and all, for code that shows of it what the power may see, as the tables of `upheaval-env` do.
    #[doc(hidden)]
    pub fn whole_game(&self) -> &'a Game {
        self.game
    }

    /// What a power had announced as its exempt centre (rr01, rule 7); a change made afterwards is not told.
    pub fn announced(&self, power: Power) -> Option<ProvinceId> {
        self.game.world().exemptions[power].announced
    }

    /// The powers of the board.
    pub fn powers(&self) -> Powers {
        self.game.powers()
    }

    /// The units of all powers that must retreat, and where they can go. It lies open to everybody.
    pub fn retreating(&self) -> Vec<Retreating> {
        past::retreating(self.game)
    }

    /// The faces that a seismic order is about.
    pub fn touched(&self, quake: Quake) -> Touched {
        quake.touched(self.terrain().chart().map())
    }
}

/// What becomes of a fleet without a coast (rules.md 8.8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trapped {
    /// It stays, and may only hold until a coast opens.
    Stays,
    /// It is disbanded.
    Disbands,
}

/// A dislodged unit and where it can go.
#[derive(Clone, Copy)]
pub struct RetreatChoice<'a> {
    /// The unit.
    pub dislodged: Dislodged,
    /// Where it can go, ascending; never empty.
    pub options: &'a [Location],
}

/// What a bot is told of a game that begins, for those that cannot look it up.
#[derive(Clone, Copy)]
pub struct Brief<'a> {
    /// What the game is called: no two games of a run are called the same.
    pub game: &'a str,
    /// The rules.
    pub variant: &'a Variant,
    /// The last year to be played.
    pub last_year: u16,
}

/// What was wrong with a bot's last answer, that the game cannot see by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BotFault {
    /// The fault of the program: never [`Conduct::Illegal`], which is counted below.
    pub conduct: Conduct,
    /// Orders that were no orders: that could not be read, or not be followed.
    pub refused: u32,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict<'a> {
    /// One power won.
    Solo(Power),
    /// These share a draw; nobody, if nobody is left.
    Draw(&'a [Power]),
}

/// A player of one power. One is made for each seat and thread and plays many games, one after the other.
///
/// `dice` is the seat's own stream, in an experiment another one in each stage: a bot that uses no other randomness plays
/// the same game again from the same seed.
///
/// ```
/// use upheaval_engine::prelude::*;
///
/// /// Orders at random, and leaves everything else to the rules.
/// struct Restless;
///
/// impl Bot for Restless {
///     fn movement(&mut self, _: &Observation<'_>, dice: &mut Stream, sheet: &mut OrderSheet<'_>) {
///         sheet.draw(dice);
///     }
/// }
/// ```
pub trait Bot: Send {
    /// A new game begins, as this power.
    fn new_game(&mut self, _power: Power) {}

    /// The same game once more, with its rules, and the board as it stands.
    fn briefed(&mut self, _brief: &Brief<'_>, _seen: &Observation<'_>, _dice: &mut Stream) {}

    /// Does it want to be told of changes of the map?
    fn keeps_a_map(&self) -> bool {
        false
    }

    /// The map has changed; told to those that keep a map of their own, in the order in which it happened. Seismic
    /// events that happen together are all written as on the map before.
    fn map_changed(&mut self, _change: &MapEvent) {}

    /// Does it want to be told what was ordered, and what came of it?
    fn keeps_a_record(&self) -> bool {
        false
    }

    /// A stage was settled; told to those that keep a record, with the orders of all powers, which nobody keeps secret
    /// afterwards. Choices of coasts are no orders.
    fn settled(&mut self, _past: &Past) {}

    /// The game is over.
    fn game_over(&mut self, _seen: &Observation<'_>, _verdict: Verdict<'_>) {}

    /// Itself, if it is a seat of an [`Ensemble`], which knows its own seats again by it.
    fn as_any(&mut self) -> Option<&mut dyn Any> {
        None
    }

    /// What it is denied ([`handicapped`]). Nobody asks it for what it is denied, and no such order of it counts.
    fn handicap(&self) -> Handicap {
        Handicap::NONE
    }

    /// What was wrong with its answers since it was last asked this, apart from orders that the sheet or the game
    /// refused. A bot that is a part of this program has nothing to tell.
    fn fault(&mut self) -> BotFault {
        BotFault::default()
    }

    /// Orders for the movement phase, to be written onto the sheet, and lists of retreats where these are sent with the
    /// orders ([`Observation::listing`]). Units that it says nothing of hold, and retreat as the variant says.
    fn movement(&mut self, seen: &Observation<'_>, dice: &mut Stream, sheet: &mut OrderSheet<'_>);

    /// Retreats: one order for each choice, in order. `None`, or a missing one, is for the variant's default. Not asked
    /// where retreats are sent with the orders ([`Observation::listing`]).
    fn retreats(
        &mut self,
        _seen: &Observation<'_>,
        _choices: &[RetreatChoice<'_>],
        _dice: &mut Stream,
        _orders: &mut Vec<Option<RetreatOrder>>,
    ) {
    }

    /// Adjustments: `owed` says how many, `builds` are the legal builds in canonical order (empty when units must
    /// go). Too few removals are made up for by civil disorder.
    fn adjustments(
        &mut self,
        _seen: &Observation<'_>,
        _owed: Owed,
        _builds: &[AdjustmentOrder],
        _dice: &mut Stream,
        _orders: &mut Vec<AdjustmentOrder>,
    ) {
    }

    /// The home centre that holes are to spare, one of [`Observation::exempt_choices`]; asked when there are any: with
    /// the first orders, and when the choice may be changed (rr01, rule 6). `None` leaves the first to the variant,
    /// and changes nothing later.
    fn exempt(&mut self, _seen: &Observation<'_>, _dice: &mut Stream) -> Option<ProvinceId> {
        None
    }

    /// Is everybody to be told the exempt centre? Asked where the variant allows it and there is something to tell.
    fn announce(&mut self, _seen: &Observation<'_>, _dice: &mut Stream) -> Announced {
        Announced::No
    }

    /// A seismic order, one of `quakes` (all that the map allows, in canonical order, the same for every power), or none.
    fn seismic(
        &mut self,
        _seen: &Observation<'_>,
        _quakes: &[Quake],
        _dice: &mut Stream,
    ) -> Option<SeismicOrder> {
        None
    }

    /// What becomes of a fleet of the power's that has just lost its last coast, where the variant lets it choose.
    fn trapped(&mut self, _seen: &Observation<'_>, _fleet: ProvinceId, _dice: &mut Stream) -> Trapped {
        Trapped::Stays
    }

    /// The coast for a fleet whose own split or vanished; `None` takes the default.
    fn coast(
        &mut self,
        _seen: &Observation<'_>,
        _choice: &CoastChoice,
        _dice: &mut Stream,
    ) -> Option<CoastId> {
        None
    }
}
