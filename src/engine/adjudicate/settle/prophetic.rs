//! The units that are dislodged where retreats are sent with the orders (rules.md 4.12): an answer lists them as elsewhere,
//! with where they could go, although they have retreated.

use std::sync::Arc;

use super::{Entry, Settling, Witness, lines, list_dislodged};
use crate::adjudicate::answer::DislodgedUnit;
use crate::adjudicate::nature::Named;
use crate::game::{Game, Referee, Stage};
use crate::rules::variant::{RetreatsSent, Variant};
use crate::settle::{self, Surroundings};
use upheaval_map::ids::ProvinceSet;

impl Settling {
    /// The dislodged units as they stand before any retreats: those of the same movement in a game that would ask for
    /// retreats now. `None` where the game does.
    pub(super) fn dislodged_of_lists(
        &self,
        orders: &[Entry],
        referee: &mut Referee,
    ) -> Option<Vec<DislodgedUnit>> {
        let game = &self.position.game;
        let variant = game.variant();
        if variant.retreats_sent == RetreatsSent::AfterMovement {
            return None;
        }
        let asks = Variant { retreats_sent: RetreatsSent::AfterMovement, ..Variant::clone(variant) };
        let mut game = Game::resumed(Arc::new(asks), u16::MAX, game.world().clone(), game.phase());
        let terrain = Arc::clone(&game.world().terrain);
        // Nothing is drawn: the season's draws come after the retreats.
        let (mut nature, mut witness) = (Named::default(), Witness::default());
        let around = Surroundings { nature: &mut nature, log: &mut witness };
        settle::movement(&mut game, referee, &lines(orders), around);
        if game.stage() == Stage::Coasts {
            let around = Surroundings { nature: &mut nature, log: &mut () };
            settle::coasts(&mut game, &[], ProvinceSet::EMPTY, around);
        }
        Some(list_dislodged(&game, &witness, terrain.names()))
    }
}
