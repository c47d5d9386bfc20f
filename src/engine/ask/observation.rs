//! What a power may see of a game.

use super::{Faculty, Handicap, Retreating};
use crate::game::{Game, Referee};
use crate::rules::gazetteer::Gazetteer;
use crate::rules::legal::{self, ConvoyChains};
use crate::rules::order::Order;
use crate::rules::position::{Phase, Position};
use crate::rules::retreat;
use crate::rules::retreat_lists::Listing;
use crate::rules::rulebook::Rulebook;
use crate::rules::terrain::Terrain;
use crate::rules::world::{Swallowed, World};
use upheaval_map::ids::{ByPower, Location, Power, Powers, ProvinceId, ProvinceSet};
use upheaval_map::topology::{Board, Quake, Touched};

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
    /// What the bot is denied. Its answer refuses such orders, and it is not asked other questions that its handicap
    /// denies.
    pub handicap: Handicap,
    /// The centres of which the power may name one as exempt with the orders for this phase.
    pub exempt_choices: ProvinceSet,
    /// May the power have its exempt centre announced with the orders for this phase?
    pub may_announce: bool,
    /// Which lists of retreats are sent with the movement orders ([`Answer::list_retreats`](super::Answer::list_retreats)). Unless it
    /// is [`Listing::None`], bots are not asked for retreats after the movement (rules.md 4.12).
    pub listing: Listing,
    /// The units that vanished with a hole and will return with it (rules.md 4.8).
    pub swallowed: &'a [Swallowed],
    /// The game itself, including secrets: for [`Observation::imagined`], which does not reveal them.
    pub(crate) game: &'a Game,
}

impl<'a> Observation<'a> {
    /// What a power may see of a game, for a bot with this handicap. If orders are awaited, the referee must be
    /// [prepared](Referee::prepare) for the game.
    pub(crate) fn new(
        game: &'a Game,
        referee: &'a Referee,
        power: Power,
        handicap: Handicap,
    ) -> Observation<'a> {
        let world = game.world();
        let terrain = &world.terrain;
        let may_name = !handicap.denies(Faculty::Exemptions);
        Observation {
            phase: game.phase(),
            power,
            board: terrain.board(),
            position: &world.position,
            centres: terrain.centres(),
            homes: terrain.homes(),
            chains: referee.chains(),
            rulebook: &game.variant().rulebook,
            doomed: world.doomed,
            sinking: game.sinking(),
            exempt: world.exemptions[power].centre,
            handicap,
            exempt_choices: if may_name { game.exempt_choices(power) } else { ProvinceSet::EMPTY },
            may_announce: may_name && game.can_announce(power),
            listing: game.variant().listing(),
            swallowed: &world.swallowed,
            game,
        }
    }

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

    /// The whole world, of which only what is public may be shown.
    pub(super) fn world(&self) -> &'a World {
        self.game.world()
    }

    /// The units of all powers that must retreat, and their options. This is public.
    pub fn retreating(&self) -> Vec<Retreating> {
        Retreating::all(self.game)
    }

    /// All seismic orders that the map allows, in canonical order, the same for every power.
    pub fn quakes(&self) -> &'a [Quake] {
        self.game.quakes()
    }

    /// The faces that a seismic order affects.
    pub fn touched(&self, quake: Quake) -> Touched {
        quake.touched(self.terrain().chart().map())
    }
}
