//! Orders that cannot matter, and the reasons.

use std::fmt;

/// Why an order could not matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Void {
    /// The place is out of the unit's reach.
    OutOfReach,
    /// There is no unit to support or convoy.
    NoUnit,
    /// The supported unit moves, but the support is for holding.
    UnitMoves,
    /// The supported or convoyed unit has a different order.
    OtherOrder,
    /// The supported fleet goes to another coast.
    OtherCoast,
    /// Only a fleet at sea can convoy.
    NotAtSea,
    /// No complete route was ordered.
    NoRoute,
    /// An army/fleet cannot enter a coastal province.
    StaysAtSea,
    /// An army/fleet cannot convoy another army.
    Laden,
    /// The army has no such coast on which to become a fleet.
    NoCoast,
    /// The fleet is not there, belongs to another power, is at a coast, has an army aboard or is to take two.
    CannotBoard,
    /// There is no army aboard that could land.
    NobodyAboard,
    /// The fleet is not ordered to the sea that the army is to land from.
    OtherSea,
    /// The fleet did not get to the sea that the army is to land from.
    DidNotSail,
    /// The landing would have kept its own fleet from that sea.
    UndoesItself,
}

impl fmt::Display for Void {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Void::OutOfReach => "out of reach",
            Void::NoUnit => "no such unit",
            Void::UnitMoves => "the supported unit moves",
            Void::OtherOrder => "the other unit's order is another",
            Void::OtherCoast => "the supported fleet goes to another coast",
            Void::NotAtSea => "only a fleet at sea can convoy",
            Void::NoRoute => "no whole route was ordered",
            Void::StaysAtSea => "an army/fleet stays at sea",
            Void::Laden => "an army/fleet convoys no other army",
            Void::NoCoast => "it has no such coast",
            Void::CannotBoard => "it cannot board that fleet",
            Void::NobodyAboard => "no army is aboard",
            Void::OtherSea => "the fleet is not ordered to the sea that the landing names",
            Void::DidNotSail => "the fleet did not get to the sea that the landing names",
            Void::UndoesItself => "the landing would keep its own fleet from the sea that it names",
        })
    }
}
