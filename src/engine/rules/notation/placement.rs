//! Units as positions name them: `A PAR`, `F STP/SC`, with their place checked against the board.

use super::parse::ParseOrderError;
use super::{WrittenPlace, WrittenUnit};
use crate::rules::gazetteer::Gazetteer;
use upheaval_map::ids::{CoastId, Designation, Location, UnitKind};
use upheaval_map::topology::Board;

/// Why a unit cannot be in the place that a text names.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlacementError {
    /// The text is not a unit.
    #[error(transparent)]
    Parse(#[from] ParseOrderError),
    /// No unit can be in that province.
    #[error("`{0}`: no unit can be there")]
    Impassable(String),
    /// An army at sea.
    #[error("`{0}`: an army cannot be at sea")]
    ArmyAtSea(String),
    /// A fleet in a province without a coast.
    #[error("`{0}`: the province has no coast for a fleet")]
    NoCoast(String),
    /// An army/fleet in a coastal province.
    #[error("`{0}`: an army/fleet can be at sea only")]
    LadenAshore(String),
    /// The coast is missing.
    #[error("`{unit}`: say on which coast, {coasts}")]
    WhichCoast {
        /// The text.
        unit: String,
        /// The existing coasts.
        coasts: String,
    },
}

/// Reads a unit and checks that it can be in the named place.
pub fn parse_unit(
    text: &str,
    names: &Gazetteer,
    board: &Board,
) -> Result<(Designation, Location), PlacementError> {
    let unit = WrittenUnit::parse(text, names)?;
    let at = unit.placed(text, names, board)?;
    if unit.kind.kind() == UnitKind::Fleet && board.coasts(at.province) == 0 {
        return Err(PlacementError::NoCoast(text.to_owned()));
    }
    Ok((unit.kind, at))
}

impl WrittenUnit {
    /// The exact place of the unit, including the coast. A fleet in a land province without a coast is
    /// trapped there (docs/adjudicate.md), which is allowed here.
    pub fn placed(&self, text: &str, names: &Gazetteer, board: &Board) -> Result<Location, PlacementError> {
        let WrittenPlace { province, coast } = self.place;
        if !board.passable().contains(province) {
            return Err(PlacementError::Impassable(text.to_owned()));
        }
        if self.kind == Designation::ArmyFleet && !board.sea().contains(province) {
            return Err(PlacementError::LadenAshore(text.to_owned()));
        }
        if self.kind == Designation::Army {
            if !board.land().contains(province) {
                return Err(PlacementError::ArmyAtSea(text.to_owned()));
            }
            return Ok(province.into());
        }
        match (coast, board.coasts(province)) {
            (Some(coast), _) => Ok(Location { province, coast }),
            (None, 0 | 1) => Ok(Location { province, coast: CoastId::FIRST }),
            (None, _) => {
                let coasts =
                    names.coasts(province).iter().map(|c| format!("{}/{c}", names.province(province)));
                let coasts = coasts.collect::<Vec<_>>().join(" or ");
                Err(PlacementError::WhichCoast { unit: text.to_owned(), coasts })
            }
        }
    }
}
