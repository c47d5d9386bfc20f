//! The actions of a mechanism and their times: the points of the season at which it may act.
//!
//! ```text
//!  orders ──▶ movement ──▶ before_retreats ──▶ retreats ──▶ owners (Fall) ──▶ after_retreats ──▶ season_changed
//!    │                      holes: foretell                                    exemption: lapse    exemption: offer
//!  after_orders             toggles: toggle                                    holes: open
//!    exemption: declared                                                       restores: restore
//!                                                                              splits: split
//!                                                                               deluge: note_occupants
//!  before_adjustments ──▶ adjustments ──▶ after_adjustments
//!   deluge: note_occupants                 deluge: rise
//! ```
//!
//! `seismic` does not act at any of these points but has a phase of its own at the end of a season or year
//! (`src/engine/game/seismic.rs`).

use crate::rules::game_state::{EventContext, GameState};
use crate::rules::movement::Resolution;
use crate::rules::order::Orders;
use crate::rules::poll::{Ballot, Poll};
use crate::rules::position::Phase;
use upheaval_map::ids::{ByPower, Power, Powers, ProvinceId};

/// The points of the season. A mechanism implements those at which it acts.
#[allow(unused_variables)]
pub trait Act {
    /// The question of the mechanism to a power that is not eliminated, in the movement phase that the game waits for.
    /// The answers are among the [declarations](Declarations::ballots) of that phase, and are listed with its orders. A
    /// power has at most [`MOST_POLLS`](crate::rules::poll::MOST_POLLS).
    fn poll(&self, world: &GameState, at: Phase, power: Power) -> Option<Poll> {
        None
    }

    /// After the orders of a movement phase have been given.
    fn after_orders(
        &self,
        world: &mut GameState,
        scene: &mut EventContext<'_>,
        declared: &Declarations,
        first: FirstOrders,
    ) {
    }

    /// After the movement of a season is settled, before the retreats.
    fn before_retreats(&self, world: &mut GameState, scene: &mut EventContext<'_>, movement: Movement<'_>) {}

    /// After the retreats of a season are settled and, in Fall, the owners are recorded (rules.md 3.1).
    fn after_retreats(&self, world: &mut GameState, scene: &mut EventContext<'_>) {}

    /// Before the adjustments of a Winter are settled.
    fn before_adjustments(&self, world: &mut GameState) {}

    /// After the adjustments of a Winter are settled.
    fn after_adjustments(&self, world: &mut GameState, scene: &mut EventContext<'_>) {}

    /// After all changes of the map in the season.
    fn season_changed(&self, world: &mut GameState) {}
}

/// A settled movement, before any retreats.
#[derive(Clone, Copy)]
pub struct Movement<'a> {
    /// The orders, all legal.
    pub orders: &'a Orders,
    /// Their results.
    pub resolution: &'a Resolution,
}

/// The declarations of the powers with their orders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declarations {
    /// The centre that each power names as exempt (`EXEMPT PAR`); it counts if `Exemption::choices` contains
    /// it.
    pub exempt: ByPower<Option<ProvinceId>>,
    /// The powers that want their choice announced (`ANNOUNCE`).
    pub announce: ByPower<Announced>,
    /// The answers to polls.
    pub ballots: Vec<(Power, Ballot)>,
}

impl Declarations {
    /// No power declares anything.
    pub fn none(powers: Powers) -> Declarations {
        Declarations { exempt: ByPower::new(powers), announce: ByPower::new(powers), ballots: Vec::new() }
    }

    /// A power's answer to the poll with this topic.
    pub fn ballot(&self, power: Power, topic: &str) -> Option<&Ballot> {
        let mut own = self.ballots.iter().filter(|(of, _)| *of == power).map(|(_, ballot)| ballot);
        own.find(|ballot| *ballot.topic == *topic)
    }

    /// Takes it back.
    pub(crate) fn withdraw_ballot(&mut self, power: Power, topic: &str) {
        self.ballots.retain(|(of, ballot)| *of != power || *ballot.topic != *topic);
    }
}

/// Does a power want its choice announced?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Announced {
    /// It keeps its choice secret.
    #[default]
    No,
    /// It wants its choice to be public.
    Yes,
}

/// Whether the current orders are the first of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstOrders {
    /// They are: for powers that named no centre, the variant's default now applies.
    Yes,
    /// They are not.
    No,
}
