//! The interface of bots: a bot is shown an [`Observation`] and gives orders. It sees nothing else, and its
//! answers are checked before they count.

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
pub use crate::rules::refused::RefusedOrder;
pub use ensemble::{Ensemble, WaitingSeat};
pub use handicap::{Faculty, Handicap, handicapped};
pub use imagined::Imagined;
pub use incident::Incident;
pub use kind::{BotKind, BotMaker, BotSetting, LearnedWeights, Pace, ProgramKind, Tuning};
pub use past::{Past, PastOrder, Retreating};
pub use program::{Answers, Guest, Program};
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

/// Everything that a power may see: all public information and the power's own secrets, never those of
/// another power.
#[derive(Clone, Copy)]
pub struct Observation<'a> {
    /// The current phase.
    pub phase: Phase,
    /// The power that observes.
    pub power: Power,
    /// All possible moves at present.
    pub board: &'a Board,
    /// Units and owners.
    pub position: &'a Position,
    /// The extant supply centres.
    pub centres: &'a ProvinceSet,
    /// The extant home centres of every power.
    pub homes: &'a ByPower<ProvinceSet>,
    /// Chains of fleets at sea, as needed for legal orders.
    pub chains: &'a ConvoyChains,
    /// The rulebook in force.
    pub rulebook: &'a Rulebook,
    /// Provinces that have been announced to vanish at the end of the season.
    pub doomed: ProvinceSet,
    /// Provinces that sink at the end of the year (ru10 rule 3).
    pub sinking: ProvinceSet,
    /// The power's own exempt centre.
    pub exempt: Option<ProvinceId>,
    /// What the bot is denied. The sheet rejects such orders, and the bot is not asked other questions that
    /// its handicap denies.
    pub handicap: Handicap,
    /// The centres of which the power may name one as exempt with the orders for this phase.
    pub exempt_choices: ProvinceSet,
    /// May the power have its exempt centre announced with the orders for this phase?
    pub may_announce: bool,
    /// Which lists of retreats are sent with the movement orders ([`OrderSheet::list_retreats`]). Unless it
    /// is [`Listing::None`], bots are not asked for retreats after the movement (rules.md 4.12).
    pub listing: Listing,
    /// The units that vanished with a hole and will return with it (rules.md 4.8).
    pub swallowed: &'a [Swallowed],
    /// The game itself, including secrets: for [`Observation::imagined`], which does not reveal them.
    pub(crate) game: &'a Game,
}

impl<'a> Observation<'a> {
    /// The names of provinces and coasts, for bots that use text. Built on first use for each map.
    pub fn names(&self) -> &'a Gazetteer {
        self.terrain().names()
    }

    /// The current ground: the map and everything derived from it. It is public.
    pub fn terrain(&self) -> &'a Terrain {
        self.game.terrain()
    }

    /// The places to which the unit in this province could move without a convoy, including coasts, in
    /// ascending order; its list of retreats may name these. Empty if there is no unit.
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

    /// Replaces the content of `out` with the [legal orders](legal::legal_orders) of the unit in this
    /// province that the [handicap](Observation::handicap) allows, ascending; empty if there is no unit.
    pub fn legal_orders(&self, unit: ProvinceId, out: &mut Vec<Order>) {
        out.clear();
        legal::legal_orders(self.board, self.position, self.chains, unit, out);
        if !self.handicap.is_none() {
            out.retain(|&order| self.handicap.allows(order));
        }
    }

    /// The game itself, including secrets, for code that shows the power only what it may see, such as the
    /// tables of `upheaval-env`.
    #[doc(hidden)]
    pub fn whole_game(&self) -> &'a Game {
        self.game
    }

    /// The exempt centre that a power has announced (rr01, rule 7); a later change is not public.
    pub fn announced(&self, power: Power) -> Option<ProvinceId> {
        self.game.world().exemptions[power].announced
    }

    /// The powers of the board.
    pub fn powers(&self) -> Powers {
        self.game.powers()
    }

    /// The units of all powers that must retreat, and their options. This is public.
    pub fn retreating(&self) -> Vec<Retreating> {
        past::retreating(self.game)
    }

    /// The faces that a seismic order affects.
    pub fn touched(&self, quake: Quake) -> Touched {
        quake.touched(self.terrain().chart().map())
    }
}

/// The fate of a fleet without a coast (rules.md 8.8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trapped {
    /// It stays, and may only hold until a coast opens.
    Stays,
    /// It is disbanded.
    Disbands,
}

/// A dislodged unit and its options.
#[derive(Clone, Copy)]
pub struct RetreatChoice<'a> {
    /// The unit.
    pub dislodged: Dislodged,
    /// Its options, ascending; never empty.
    pub options: &'a [Location],
}

/// Information about a game that begins, for bots that cannot look it up.
#[derive(Clone, Copy)]
pub struct Brief<'a> {
    /// The id of the game, unique within a run.
    pub game: &'a str,
    /// The rules.
    pub variant: &'a Variant,
    /// The last year to be played.
    pub last_year: u16,
}

/// The fault in a bot's last answer, if it is of a kind that the game itself cannot detect.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BotFault {
    /// The fault of the program; never [`Conduct::Illegal`], which follows from the orders below.
    pub conduct: Conduct,
    /// Orders that could not be read or followed.
    pub refused: Vec<RefusedOrder>,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict<'a> {
    /// One power won.
    Solo(Power),
    /// These powers share a draw; empty if no power is left.
    Draw(&'a [Power]),
}

/// A player of one power. One is created for each seat and thread, and plays many games in sequence.
///
/// `dice` is the seat's own stream, and in an experiment a different one in each stage: a bot that uses no
/// other randomness plays the same game again from the same seed.
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
    /// A new game begins, in which the bot plays this power.
    fn new_game(&mut self, _power: Power) {}

    /// Describes the new game: its rules, and the board as it is.
    fn briefed(&mut self, _brief: &Brief<'_>, _seen: &Observation<'_>, _dice: &mut Stream) {}

    /// Does the bot want to be notified of changes of the map?
    fn keeps_a_map(&self) -> bool {
        false
    }

    /// The map has changed. Called for bots that keep a map of their own, in the order of events.
    /// Simultaneous seismic events all refer to the map before them.
    fn map_changed(&mut self, _change: &MapEvent) {}

    /// Does the bot want to be notified of orders and their results?
    fn keeps_a_record(&self) -> bool {
        false
    }

    /// A stage was settled. Called for bots that keep a record, with the orders of all powers, which are
    /// public afterwards. Choices of coasts are not orders.
    fn settled(&mut self, _past: &Past) {}

    /// The game is over.
    fn game_over(&mut self, _seen: &Observation<'_>, _verdict: Verdict<'_>) {}

    /// The bot itself, if it is a seat of an [`Ensemble`], which thereby recognises its own seats.
    fn as_any(&mut self) -> Option<&mut dyn Any> {
        None
    }

    /// What the bot is denied ([`handicapped`]). It is not asked for anything denied, and such orders do not
    /// count.
    fn handicap(&self) -> Handicap {
        Handicap::NONE
    }

    /// The fault in its answers since the last call, apart from orders that the sheet or the game rejected. A
    /// bot that is part of this program has no such faults.
    fn fault(&mut self) -> BotFault {
        BotFault::default()
    }

    /// These orders of its last answer did not count, in this phase: those that it reported itself
    /// ([`Bot::fault`]) and those that the sheet or the game refused. Called at most once for each answer, and
    /// before the phase is settled.
    fn refused(&mut self, _phase: Phase, _refused: &[RefusedOrder]) {}

    /// Writes the orders for the movement phase onto the sheet, and lists of retreats where these are sent
    /// with the orders ([`Observation::listing`]). Units that it does not mention hold, and retreat as the
    /// variant prescribes.
    fn movement(&mut self, seen: &Observation<'_>, dice: &mut Stream, sheet: &mut OrderSheet<'_>);

    /// Retreats: one order for each choice, in order. `None`, or a missing order, selects the variant's
    /// default. Not called where retreats are sent with the orders ([`Observation::listing`]).
    fn retreats(
        &mut self,
        _seen: &Observation<'_>,
        _choices: &[RetreatChoice<'_>],
        _dice: &mut Stream,
        _orders: &mut Vec<Option<RetreatOrder>>,
    ) {
    }

    /// Adjustments: `owed` says how many, `builds` are the legal builds in canonical order (empty if units
    /// must be removed). Civil disorder makes up for missing removals.
    fn adjustments(
        &mut self,
        _seen: &Observation<'_>,
        _owed: Owed,
        _builds: &[AdjustmentOrder],
        _dice: &mut Stream,
        _orders: &mut Vec<AdjustmentOrder>,
    ) {
    }

    /// The home centre that holes should spare, one of [`Observation::exempt_choices`]. Called if there are
    /// any: with the first orders, and when the choice may be changed (rr01, rule 6). `None` leaves the first
    /// choice to the variant, and changes nothing later.
    fn exempt(&mut self, _seen: &Observation<'_>, _dice: &mut Stream) -> Option<ProvinceId> {
        None
    }

    /// Should the exempt centre be announced? Called if the variant allows it and there is something to
    /// announce.
    fn announce(&mut self, _seen: &Observation<'_>, _dice: &mut Stream) -> Announced {
        Announced::No
    }

    /// A seismic order, which is one of `quakes` (all that the map allows, in canonical order, the same for
    /// every power), or none.
    fn seismic(
        &mut self,
        _seen: &Observation<'_>,
        _quakes: &[Quake],
        _dice: &mut Stream,
    ) -> Option<SeismicOrder> {
        None
    }

    /// The fate of a fleet of the power's that has just lost its last coast, where the variant lets the power
    /// choose.
    fn trapped(&mut self, _seen: &Observation<'_>, _fleet: ProvinceId, _dice: &mut Stream) -> Trapped {
        Trapped::Stays
    }

    /// The coast for a fleet whose own coast split or vanished; `None` takes the default.
    fn coast(
        &mut self,
        _seen: &Observation<'_>,
        _choice: &CoastChoice,
        _dice: &mut Stream,
    ) -> Option<CoastId> {
        None
    }
}
