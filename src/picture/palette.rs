//! Colours that the colour-blind can tell apart: those of Okabe and Ito for the powers.

use crate::ids::Power;

/// A colour as `#rrggbb` writes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Colour(pub u8, pub u8, pub u8);

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
pub const fn of_power(power: Power) -> Colour {
    match power {
        Power::Austria => Colour(0xd5, 0x5e, 0x00),
        Power::England => Colour(0x00, 0x72, 0xb2),
        Power::France => Colour(0x56, 0xb4, 0xe9),
        Power::Germany => Colour(0x33, 0x33, 0x33),
        Power::Italy => Colour(0x00, 0x9e, 0x73),
        Power::Russia => Colour(0xcc, 0x79, 0xa7),
        Power::Turkey => Colour(0xf0, 0xe4, 0x42),
    }
}
