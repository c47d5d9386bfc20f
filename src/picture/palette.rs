//! Colours that the colour-blind can distinguish. Colour is never the only sign: units and legend also have the power's
//! letter.

use upheaval_map::ids::PowerInfo;

/// A colour with three components, red, green and blue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Colour(pub u8, pub u8, pub u8);

/// The colour of text and lines.
pub const INK: Colour = Colour(0x26, 0x2a, 0x33);
/// The background.
pub const PAPER: Colour = Colour(0xff, 0xfd, 0xf7);
/// Beyond the edge of the board.
pub(crate) const BEYOND: Colour = Colour(0xf1, 0xec, 0xe1);
/// A sea.
pub const WATER: Colour = Colour(0xc6, 0xdc, 0xf0);
/// Water near a coast.
pub(crate) const SHALLOWS: Colour = Colour(0xf2, 0xf8, 0xfc);
/// Borders between seas.
pub(crate) const DEEP: Colour = Colour(0x5f, 0x8e, 0xae);
/// Land without an owner.
pub const LAND: Colour = Colour(0xf6, 0xec, 0xd2);
/// Borders between lands.
pub(crate) const EARTH: Colour = Colour(0x7d, 0x6b, 0x52);
/// Impassable land.
pub(crate) const ROCK: Colour = Colour(0xc9, 0xc4, 0xbb);
/// A frozen sea.
pub(crate) const ICE: Colour = Colour(0xee, 0xf6, 0xfb);
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
pub fn of_power(power: &PowerInfo) -> Colour {
    let [red, green, blue] = power.colour;
    Colour(red, green, blue)
}

/// The least contrast of text that can be read (WCAG 2.2, success criterion 1.4.3).
pub const LEAST_CONTRAST: f64 = 4.5;

/// The contrast of two colours as WCAG 2 defines it: from 1 to 21.
pub fn contrast(a: Colour, b: Colour) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// The brightness of a colour as WCAG 2 defines it, from 0 to 1.
fn luminance(Colour(red, green, blue): Colour) -> f64 {
    let linear = |part: u8| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 {
            return part / 12.92;
        }
        // To the power of 2.4: the square times the fifth root of the square, by Newton's method from above.
        let base = (part + 0.055) / 1.055;
        let square = base * base;
        let root = (0..16).fold(1.0_f64, |root, _| {
            let fourth = root * root * root * root;
            root - (fourth * root - square) / (5.0 * fourth)
        });
        square * root
    };
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/// The readable colour of text on a colour: ink or paper, or black or white where neither contrasts enough.
pub fn on(colour: Colour) -> Colour {
    let all = [INK, PAPER, Colour(0, 0, 0), Colour(255, 255, 255)];
    let best = all.into_iter().max_by(|&a, &b| contrast(colour, a).total_cmp(&contrast(colour, b)));
    let readable = all.into_iter().find(|&text| contrast(colour, text) >= LEAST_CONTRAST);
    readable.or(best).unwrap_or(INK)
}

/// This colour for text on a colour if it can be read there; otherwise one that can.
pub(crate) fn readable(text: Colour, colour: Colour) -> Colour {
    if contrast(text, colour) >= LEAST_CONTRAST { text } else { on(colour) }
}
