//! The positions of the units of a game on its board. Units that must retreat are moved aside, so that they hide
//! neither another unit nor a name.

use upheaval_engine::game::Game;
use upheaval_engine::rules::notation::{WrittenPlace, WrittenUnit};
use upheaval_map::ids::{CoastId, Designation, Location};
use upheaval_picture::{Area, DrawnUnit, Footing, Layout, Point, Stand};

/// The distance, in sizes of a unit, at which two units can be distinguished.
const APART: f64 = 1.9;
/// The number of places beside a unit that are tried.
const PLACES: u8 = 24;

/// The positions of units.
pub(super) struct Stands<'a> {
    game: &'a Game,
    /// The units that must retreat, in the game's order.
    waiting: Vec<Stand>,
}

impl<'a> Stands<'a> {
    /// The units of a game on its board.
    pub(super) fn of(game: &'a Game, layout: &Layout) -> Stands<'a> {
        let board = game.terrain().board();
        let mut stands = Stands { game, waiting: Vec::new() };
        for dislodged in &game.dislodged().dislodged {
            let at = Location { province: dislodged.at, coast: dislodged.unit.coast };
            let kind = dislodged.unit.designation();
            let place = |place: u8| Stand { kind, at, footing: Footing::Dislodged(place) };
            let taken: Vec<Point> = stands
                .pieces()
                .iter()
                .filter(|piece| piece.stand.at.province == at.province)
                .filter_map(|piece| layout.unit(board, piece.stand))
                .collect();
            let room = layout.spot(at.province).map_or(0.0, |spot| spot.unit_size() * APART);
            let is_apart = |stand: &Stand| {
                layout
                    .unit(board, *stand)
                    .is_none_or(|point| taken.iter().all(|other| other.distance(point) >= room))
            };
            let others: Vec<Area> =
                stands.pieces().iter().filter_map(|piece| layout.unit_area(board, piece.stand)).collect();
            let is_free = |stand: &Stand| {
                let covers = |unit: Area| others.iter().any(|other| other.meets(&unit));
                !layout.is_in_the_way(board, *stand) && !layout.unit_area(board, *stand).is_some_and(covers)
            };
            // A unit may rather cover a name, or that of another province, than one in its own.
            let places = || (0..PLACES).map(place).filter(is_apart);
            stands.waiting.push(places().find(is_free).or_else(|| places().next()).unwrap_or(place(0)));
        }
        stands
    }

    /// All units: first those that are in their provinces, then those that must retreat.
    pub(super) fn pieces(&self) -> Vec<DrawnUnit> {
        let position = &self.game.world().position;
        let standing = position.occupied().iter().filter_map(|id| {
            let (unit, at) = (position.unit(id)?, position.location(id)?);
            Some(DrawnUnit { power: unit.power, stand: Stand::firm(unit.designation(), at) })
        });
        let powers = self.game.dislodged().dislodged.iter().map(|dislodged| dislodged.unit.power);
        let waiting = self.waiting.iter().zip(powers).map(|(&stand, power)| DrawnUnit { power, stand });
        standing.chain(waiting).collect()
    }

    /// The position of the unit that an order names.
    pub(super) fn unit(&self, unit: WrittenUnit) -> Stand {
        let (waiting, at) = (self.game.dislodged(), unit.place.province);
        let is_it = |i: &usize| {
            let dislodged = &waiting.dislodged[*i];
            let is_alike = dislodged.at == at && dislodged.unit.designation() == unit.kind;
            is_alike && waiting.ordinal(*i) == unit.ordinal
        };
        if let Some(i) = (0..self.waiting.len()).find(is_it) {
            return self.waiting[i];
        }
        match self.game.world().position.location(at) {
            Some(at) => Stand::firm(unit.kind, at),
            None => going(unit.kind, unit.place),
        }
    }
}

/// The future position of a unit.
pub(super) fn going(kind: Designation, to: WrittenPlace) -> Stand {
    Stand::firm(kind, Location { province: to.province, coast: to.coast.unwrap_or(CoastId::FIRST) })
}
