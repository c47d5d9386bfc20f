//! All that a game is between two decisions, but for the phase: the ground, the units, and what the variants'
//! mechanisms remember. The mechanisms act on this.

use std::sync::Arc;

use super::event::{Event, Log};
use super::nature::Nature;
use super::position::{Phase, Position, Unit};
use super::terrain::Terrain;
use crate::ids::{ByPower, CoastId, Location, Power, ProvinceId, ProvinceSet};
use crate::topology::{Chart, CoastFate, Surgery};

/// The state that rules and mechanisms act on.
#[derive(Clone, Debug)]
pub struct World {
    /// The ground. Shared with every game that stands on the same.
    pub terrain: Arc<Terrain>,
    /// Units and owners.
    pub position: Position,
    /// Holes that are announced and open after the retreats: no retreat goes there (RULINGS 4.3).
    pub doomed: ProvinceSet,
    /// Each power's exempt centre (RULINGS 4.5). Secret: an observation shows a power its own alone.
    pub exempt: ByPower<Option<ProvinceId>>,
    /// Fleets whose owner must choose a coast (RULINGS 2.1, 2.3); they stand on the default meanwhile.
    pub coast_choices: Vec<CoastChoice>,
}

/// A fleet whose owner must choose the coast it stands on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoastChoice {
    /// Where the fleet is.
    pub fleet: ProvinceId,
    /// Whose it is.
    pub power: Power,
    /// The coasts to choose from, ascending.
    pub coasts: Vec<CoastId>,
    /// The one it has if no choice is made.
    pub default: CoastId,
}

/// What surrounds a mechanism while it acts: when it is, who draws, who listens.
pub struct Scene<'a> {
    /// The phase.
    pub at: Phase,
    /// The source of random events.
    pub nature: &'a mut dyn Nature,
    /// Whoever keeps the log.
    pub log: &'a mut dyn Log,
}

impl World {
    /// A world on this ground with nothing on it.
    pub fn new(terrain: Arc<Terrain>) -> World {
        World {
            terrain,
            position: Position::new(),
            doomed: ProvinceSet::EMPTY,
            exempt: ByPower::default(),
            coast_choices: Vec::new(),
        }
    }

    /// Tells the log.
    pub fn tell(&self, scene: &mut Scene<'_>, event: &Event) {
        scene.log.event(scene.at, &self.terrain, event);
    }

    /// The centres that holes spare.
    pub fn exempt_centres(&self) -> ProvinceSet {
        self.exempt.iter().filter_map(|(_, &centre)| centre).collect()
    }

    /// Changes the map and settles what follows for units and owners: who stands on a face that is gone or cannot
    /// stand there any more is destroyed, fleets find their coasts (RULINGS 2), centres that ceased to be are
    /// nobody's. An error leaves everything as it was.
    pub fn change_map(
        &mut self,
        scene: &mut Scene<'_>,
        change: impl FnOnce(&mut Chart) -> Surgery,
    ) -> Surgery {
        let before = Arc::make_mut(&mut self.terrain).change(change)?;
        let terrain = Arc::clone(&self.terrain);
        let (board, chart) = (terrain.board(), terrain.chart());
        for at in *self.position.occupied() {
            let Some(unit) = self.position.unit(at) else { continue };
            if !board.passable().contains(at) {
                self.position.take(at);
                self.tell(scene, &Event::Destroyed(at, unit));
            } else if self.position.fleets().contains(at) {
                match chart.coast_fate(&before, board, Location { province: at, coast: unit.coast }) {
                    CoastFate::Stays(coast) => self.position.set_coast(at, coast),
                    CoastFate::Moves(coast) => {
                        self.position.set_coast(at, coast);
                        self.tell(scene, &Event::CoastMoved(at, Unit { coast, ..unit }));
                    }
                    CoastFate::Choice { coasts, default } => {
                        self.position.set_coast(at, default);
                        self.coast_choices.retain(|choice| choice.fleet != at);
                        self.coast_choices.push(CoastChoice {
                            fleet: at,
                            power: unit.power,
                            coasts,
                            default,
                        });
                    }
                    CoastFate::Lost => {
                        self.position.take(at);
                        self.tell(scene, &Event::CoastLost(at, unit));
                    }
                }
            }
        }
        for power in Power::ALL {
            for centre in *self.position.centres_of(power) - *terrain.centres() {
                self.position.set_owner(centre, None);
                self.tell(scene, &Event::CentreLost(centre, power));
            }
        }
        Ok(())
    }

    /// Makes the owners' choices of coasts; a missing or impossible one leaves the fleet on the default. `choose`
    /// is asked once for each.
    pub fn settle_coasts(
        &mut self,
        scene: &mut Scene<'_>,
        mut choose: impl FnMut(&World, &CoastChoice) -> Option<CoastId>,
    ) {
        for choice in std::mem::take(&mut self.coast_choices) {
            let chosen = choose(self, &choice).filter(|coast| choice.coasts.contains(coast));
            self.position.set_coast(choice.fleet, chosen.unwrap_or(choice.default));
            if let Some(unit) = self.position.unit(choice.fleet) {
                self.tell(scene, &Event::CoastMoved(choice.fleet, unit));
            }
        }
    }
}
