//! Colours, chosen so that the colour-blind can tell them apart: for the powers those of Okabe and Ito (*Color
//! Universal Design*, 2008), with dark grey for the black. Colour is never alone: units and legend have the power's
//! letter as well.

use upheaval_map::ids::Power;

/// A colour of three parts, red, green and blue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Colour(pub u8, pub u8, pub u8);

/// What is written and drawn with.
pub const INK: Colour = Colour(0x26, 0x2a, 0x33);
/// What is drawn on.
pub const PAPER: Colour = Colour(0xff, 0xfd, 0xf7);
/// Beyond the edge of the board.
pub const BEYOND: Colour = Colour(0xf1, 0xec, 0xe1);
/// A sea.
pub const WATER: Colour = Colour(0xc6, 0xdc, 0xf0);
/// Water near a coast.
pub const SHALLOWS: Colour = Colour(0xf2, 0xf8, 0xfc);
/// Borders between seas.
pub const DEEP: Colour = Colour(0x5f, 0x8e, 0xae);
/// Land of nobody.
pub const LAND: Colour = Colour(0xf6, 0xec, 0xd2);
/// Borders between lands.
pub const EARTH: Colour = Colour(0x7d, 0x6b, 0x52);
/// Where nobody may enter.
pub const ROCK: Colour = Colour(0xc9, 0xc4, 0xbb);
/// A void.
pub const VOID: Colour = Colour(0x4a, 0x46, 0x52);
/// What fails, and what happens to the map.
pub const ALARM: Colour = Colour(0xb0, 0x00, 0x3a);
/// How much of its owner's colour a province has.
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
pub const fn of_power(power: Power) -> Colour {
    match power {
        Power::Austria => Colour(0xd5, 0x5e, 0x00),
        Power::England => Colour(0x00, 0x72, 0xb2),
        Power::France => Colour(0x56, 0xb4, 0xe9),
        Power::Germany => Colour(0x3a, 0x3a, 0x3a),
        Power::Italy => Colour(0x00, 0x9e, 0x73),
        Power::Russia => Colour(0xcc, 0x79, 0xa7),
        Power::Turkey => Colour(0xf0, 0xe4, 0x42),
    }
}

/// The letter that stands for a power where there is no room for more.
pub fn letter(power: Power) -> char {
    power.name().chars().next().unwrap_or('?')
}

/// What can be read on a colour: ink or paper.
pub fn on(colour: Colour) -> Colour {
    let Colour(red, green, blue) = colour;
    let light = 0.299 * f64::from(red) + 0.587 * f64::from(green) + 0.114 * f64::from(blue);
    if light > 125.0 { INK } else { PAPER }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How people see who lack one kind of cone wholly (Viénot, Brettel and Mollon 1999, the matrices for linear
    /// light; tritanopia by the one matrix of Machado, Oliveira and Fernandes 2009).
    const BLINDNESSES: [(&str, [[f64; 3]; 3]); 4] = [
        ("none", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        ("protanopia", [[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]]),
        ("deuteranopia", [[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]]),
        (
            "tritanopia",
            [
                [1.255528, -0.076749, -0.178779],
                [-0.078411, 0.930809, 0.147602],
                [0.004733, 0.691367, 0.303900],
            ],
        ),
    ];

    fn linear(part: u8) -> f64 {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    }

    /// CIE L*a*b* of a colour as it is seen.
    fn seen(Colour(red, green, blue): Colour, by: [[f64; 3]; 3]) -> [f64; 3] {
        let light = [red, green, blue].map(linear);
        let dot = |row: [f64; 3], of: [f64; 3]| row[0] * of[0] + row[1] * of[1] + row[2] * of[2];
        let light = by.map(|row| dot(row, light).clamp(0.0, 1.0));
        let to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]];
        let white = [0.9505, 1.0, 1.089];
        let root = |t: f64| if t > 0.008856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
        let [x, y, z] = [0, 1, 2].map(|i| root(dot(to_xyz[i], light) / white[i]));
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    fn difference(a: Colour, b: Colour, by: [[f64; 3]; 3]) -> f64 {
        let (a, b) = (seen(a, by), seen(b, by));
        (0..3).map(|i| (a[i] - b[i]) * (a[i] - b[i])).sum::<f64>().sqrt()
    }

    fn nearest(colours: &[Colour], by: [[f64; 3]; 3]) -> f64 {
        let pairs = (0..colours.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        pairs.map(|(i, j)| difference(colours[i], colours[j], by)).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn powers_are_told_apart_by_everybody() {
        let powers = Power::ALL.map(of_power);
        let tinted = Power::ALL.map(|power| LAND.towards(of_power(power), TINT));
        for (name, by) in BLINDNESSES {
            let with = |colours: [Colour; 7], more: &[Colour]| [&colours[..], more].concat();
            // A difference of 2.3 can just be seen; 8 is plain without looking twice.
            assert!(
                nearest(&with(powers, &[PAPER]), by) > 16.0,
                "{name}: {}",
                nearest(&with(powers, &[PAPER]), by)
            );
            let ground = nearest(&with(tinted, &[LAND, WATER]), by);
            assert!(ground > 8.0, "{name}, of provinces: {ground}");
        }
    }

    #[test]
    fn letters_are_told_apart_and_can_be_read() {
        let mut letters = Power::ALL.map(letter);
        letters.sort_unstable();
        assert!(letters.windows(2).all(|pair| pair[0] != pair[1]));
        for power in Power::ALL {
            let colour = of_power(power);
            assert!(difference(colour, on(colour), BLINDNESSES[0].1) > 35.0, "{power}");
        }
    }

    #[test]
    fn a_colour_is_written_as_pages_write_it() {
        assert_eq!(Colour(0, 10, 255).to_string(), "#000aff");
        assert_eq!(Colour(0, 0, 0).towards(Colour(200, 100, 50), 0.5), Colour(100, 50, 25));
        assert_eq!(Power::Austria.proper_name(), "Austria");
    }
}
