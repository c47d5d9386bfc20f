//! What everybody may see of a game.

use super::Retreating;
use crate::game::{Game, Stage};
use crate::rules::gazetteer::Gazetteer;
use crate::rules::map_tables::MapTables;
use crate::rules::position::{Phase, Position, Retreats};
use upheaval_map::ids::{Power, Powers, ProvinceId, ProvinceSet};
use upheaval_map::topology::{Quake, Touched};

/// The public information about a game.
#[derive(Clone, Copy)]
pub struct Public<'a> {
    pub(super) game: &'a Game,
}

impl<'a> Public<'a> {
    /// Of this game.
    pub fn of(game: &'a Game) -> Public<'a> {
        Public { game }
    }

    /// The current phase.
    pub fn phase(&self) -> Phase {
        self.game.phase()
    }

    /// The kind of decision that the game waits for.
    pub fn stage(&self) -> Stage {
        self.game.stage()
    }

    /// The last year to be played.
    pub fn last_year(&self) -> u16 {
        self.game.last_year()
    }

    /// The powers of the board.
    pub fn powers(&self) -> Powers {
        self.game.powers()
    }

    /// The current ground: the map and everything derived from it.
    pub fn terrain(&self) -> &'a MapTables {
        self.game.terrain()
    }

    /// The names of provinces, coasts and powers, for bots that use text. Built on first use for each map.
    pub fn names(&self) -> &'a Gazetteer {
        self.terrain().names()
    }

    /// Units and owners.
    pub fn position(&self) -> &'a Position {
        &self.game.world().position
    }

    /// The units that wait for their retreats.
    pub fn dislodged(&self) -> &'a Retreats {
        self.game.dislodged()
    }

    /// The units of all powers that must retreat, and their options, as text.
    pub fn retreating(&self) -> Vec<Retreating> {
        Retreating::all(self.game)
    }

    /// Provinces that have been announced to vanish at the end of the season.
    pub fn doomed(&self) -> ProvinceSet {
        self.game.world().doomed
    }

    /// Provinces that sink at the end of the year (ru10 rule 3).
    pub fn sinking(&self) -> ProvinceSet {
        self.game.sinking()
    }

    /// The exempt centre that a power has announced (rr01, rule 7); a later change is not public.
    pub fn announced(&self, power: Power) -> Option<ProvinceId> {
        self.game.world().exemptions[power].announced
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
