//! What a power may see of a game.

use std::ops::Deref;

use super::{Ask, Handicap, Public};
use crate::game::{Game, Stage};
use crate::reading::{self, Decision, OrderSource, OrderText, Refusal};
use crate::rules::game_state::{GameState, Swallowed};
use crate::rules::legal::{self, ConvoyChains};
use crate::rules::order::Order;
use crate::rules::position::{Phase, Position};
use crate::rules::retreat;
use crate::rules::retreat_lists::Listing;
use crate::rules::rulebook::Rulebook;
use upheaval_map::ids::{ByPower, Location, Power, ProvinceId, ProvinceSet};
use upheaval_map::topology::Board;

/// Everything that a power may see: all that is [public](Public) and the power's own secrets, never those of
/// another power. No path leads from it to the game:
///
/// ```
/// # use upheaval_engine::{ids::ProvinceId, prelude::*};
/// fn public(seen: &Observation<'_>, other: Power) -> Option<ProvinceId> {
///     seen.announced(other)
/// }
/// ```
/// ```compile_fail
/// # use upheaval_engine::{ids::ProvinceId, prelude::*};
/// fn secret(seen: &Observation<'_>, other: Power) -> Option<ProvinceId> {
///     seen.public.game.world().exemptions[other].centre
/// }
/// ```
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
    /// Which lists of retreats are sent with the movement orders ([`Answer::list_retreats`](super::Answer::list_retreats)). Unless it
    /// is [`Listing::None`], bots are not asked for retreats after the movement (rules.md 4.12).
    pub listing: Listing,
    /// The units that vanished with a hole and will return with it (rules.md 4.8).
    pub swallowed: &'a [Swallowed],
    pub(super) public: Public<'a>,
}

impl<'a> Deref for Observation<'a> {
    type Target = Public<'a>;

    fn deref(&self) -> &Public<'a> {
        &self.public
    }
}

impl<'a> Observation<'a> {
    /// What a power may see of a game, for a bot with this handicap. `chains` are those of the position if the game
    /// waits for orders of movement, and otherwise any.
    pub fn new(
        game: &'a Game,
        chains: &'a ConvoyChains,
        power: Power,
        handicap: Handicap,
    ) -> Observation<'a> {
        let world = game.world();
        let terrain = &world.terrain;
        Observation {
            phase: game.phase(),
            power,
            board: terrain.board(),
            position: &world.position,
            centres: terrain.centres(),
            homes: terrain.homes(),
            chains,
            rulebook: &game.variant().rulebook,
            doomed: world.doomed,
            sinking: game.sinking(),
            exempt: world.exemptions[power].centre,
            handicap,
            listing: game.variant().listing(),
            swallowed: &world.swallowed,
            public: Public::of(game),
        }
    }

    /// The questions to the power in the stage that the game waits for, apart from those that its handicap denies.
    pub fn asks(&self) -> Vec<Ask> {
        let mut asks = Vec::new();
        self.each_ask(|ask| asks.push(ask));
        asks
    }

    /// Calls `found` with each of these questions.
    pub fn each_ask(&self, mut found: impl FnMut(Ask)) {
        Ask::each_of(self.public.game, self.power, |ask| {
            if ask.is_allowed(self.handicap) {
                found(ask);
            }
        });
    }

    /// The meaning of each of the power's orders in the stage that the game waits for, or why it does not count
    /// ([`reading::stage`]). Orders that the handicap denies are read too.
    pub fn read<T: AsRef<str>>(&self, texts: &[T], manner: OrderSource) -> Vec<Result<Decision, Refusal>> {
        let lines: Vec<OrderText<'_>> =
            texts.iter().map(|text| OrderText { power: self.power, text: text.as_ref() }).collect();
        let read = |lines: &[OrderText<'_>]| reading::stage(self.public.game, self.chains, lines, manner);
        if self.stage() != Stage::Seismic || manner == OrderSource::Record {
            return read(&lines);
        }
        // The first order that the map allows counts.
        let map = self.terrain().chart().map();
        let mut counts = false;
        let counted = |result| match result {
            Ok(_) if counts => Err(Refusal::QuakesTwice),
            Ok(Decision::Seismic(order)) if !map.allows(order.quake) => Err(Refusal::NotAllowed),
            result => {
                counts |= result.is_ok();
                result
            }
        };
        lines.chunks(1).flat_map(read).map(counted).collect()
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

    /// The whole world, of which only what is public may be shown.
    pub(super) fn world(&self) -> &'a GameState {
        self.public.game.world()
    }
}
