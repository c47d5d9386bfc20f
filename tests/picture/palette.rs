//! Colours that everybody can distinguish.

use upheaval::ids::{Power, Powers};
use upheaval::picture::palette::{Colour, LAND, PAPER, TINT, WATER, letter, of_power, on};

/// Colour vision without one kind of cone (Viénot, Brettel and Mollon 1999, the matrices for linear light; tritanopia
/// by the single matrix of Machado, Oliveira and Fernandes 2009).
const BLINDNESSES: [(&str, [[f64; 3]; 3]); 4] = [
    ("none", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    ("protanopia", [[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]]),
    ("deuteranopia", [[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]]),
    (
        "tritanopia",
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ),
];

fn linear(part: u8) -> f64 {
    let part = f64::from(part) / 255.0;
    if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
}

/// CIE L*a*b* of a colour in this vision.
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
    let powers = Power::STANDARD.map(of_power);
    let tinted = Power::STANDARD.map(|power| LAND.towards(of_power(power), TINT));
    for (name, by) in BLINDNESSES {
        let with = |colours: [Colour; 7], more: &[Colour]| [&colours[..], more].concat();
        // A difference of 2.3 is just noticeable; 8 is clear at a glance.
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
    let mut letters = Power::STANDARD.map(letter);
    letters.sort_unstable();
    assert!(letters.windows(2).all(|pair| pair[0] != pair[1]));
    for power in Powers::STANDARD {
        let colour = of_power(power);
        assert!(difference(colour, on(colour), BLINDNESSES[0].1) > 35.0, "{power}");
    }
}

#[test]
fn a_colour_is_written_as_pages_write_it() {
    assert_eq!(Colour(0, 10, 255).to_string(), "#000aff");
    assert_eq!(Colour(0, 0, 0).towards(Colour(200, 100, 50), 0.5), Colour(100, 50, 25));
    assert_eq!(Power::AUSTRIA.proper_name(), "Austria");
}
