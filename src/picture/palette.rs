//! Colours that the colour-blind can distinguish. Colour is never the only sign: units and legend also have the power's
//! letter.

use upheaval_map::ids::Power;

/// A colour with three components, red, green and blue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Colour(pub u8, pub u8, pub u8);

/// The colour of text and lines.
pub const INK: Colour = Colour(0x26, 0x2a, 0x33);
/// The background.
pub const PAPER: Colour = Colour(0xff, 0xfd, 0xf7);
/// Beyond the edge of the board.
pub const BEYOND: Colour = Colour(0xf1, 0xec, 0xe1);
/// A sea.
pub const WATER: Colour = Colour(0xc6, 0xdc, 0xf0);
/// Water near a coast.
pub const SHALLOWS: Colour = Colour(0xf2, 0xf8, 0xfc);
/// Borders between seas.
pub const DEEP: Colour = Colour(0x5f, 0x8e, 0xae);
/// Land without an owner.
pub const LAND: Colour = Colour(0xf6, 0xec, 0xd2);
/// Borders between lands.
pub const EARTH: Colour = Colour(0x7d, 0x6b, 0x52);
/// Impassable land.
pub const ROCK: Colour = Colour(0xc9, 0xc4, 0xbb);
/// A void.
pub const VOID: Colour = Colour(0x4a, 0x46, 0x52);
/// Failures, and changes of the map.
pub const ALARM: Colour = Colour(0xb0, 0x00, 0x3a);
/// The share of its owner's colour in a province.
pub const TINT: f64 = 0.65;

impl std::fmt::Display for Colour {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

impl Colour {
    /// A colour part of the way to another.
    pub fn towards(self, to: Colour, part: f64) -> Colour {
        let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * part + 0.5) as u8;
        Colour(mix(self.0, to.0), mix(self.1, to.1), mix(self.2, to.2))
    }
}

/// The colour of a power's units and centres.
pub fn of_power(power: Power) -> Colour {
    let [red, green, blue] = power.info().colour;
    Colour(red, green, blue)
}

/// The letter of a power, for places without room for more.
pub fn letter(power: Power) -> char {
    power.info().mark
}

/// The readable colour of text on a colour: ink or paper.
pub fn on(colour: Colour) -> Colour {
    let Colour(red, green, blue) = colour;
    let light = 0.299 * f64::from(red) + 0.587 * f64::from(green) + 0.114 * f64::from(blue);
    if light > 125.0 { INK } else { PAPER }
}
