//! Colours that everybody can distinguish.

use crate::picture::drawn_soundly::SHIPPED;
use testkit::thinned;
use upheaval::ids::{ByProvince, Power, PowerNames};
use upheaval::picture::palette::{self, Colour, LAND, PAPER, TINT, WATER, of_power, on};
use upheaval::picture::{Style, svg};

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
    let names = PowerNames::standard();
    let powers = Power::STANDARD.map(|power| of_power(names.info(power)));
    let tinted = powers.map(|power| LAND.towards(power, TINT));
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
    let names = PowerNames::standard();
    let mut letters = Power::STANDARD.map(|power| names.info(power).mark);
    letters.sort_unstable();
    assert!(letters.windows(2).all(|pair| pair[0] != pair[1]));
    for power in names.infos() {
        let colour = of_power(power);
        assert!(difference(colour, on(colour), BLINDNESSES[0].1) > 35.0, "{power:?}");
    }
}

/// The contrast of two colours as WCAG 2 defines it.
fn contrast(a: Colour, b: Colour) -> f64 {
    let light = |Colour(red, green, blue): Colour| {
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) + 0.05
    };
    light(a).max(light(b)) / light(a).min(light(b))
}

#[test]
fn text_can_be_read_on_every_colour_that_a_variant_may_name() {
    let parts = || (0..=255u8).step_by(15);
    let swept = parts().flat_map(|r| parts().flat_map(move |g| parts().map(move |b| Colour(r, g, b))));
    for colour in swept {
        for ground in [colour, LAND.towards(colour, TINT), WATER.towards(colour, TINT)] {
            assert!(contrast(ground, on(ground)) >= 4.5, "{} on {ground}", on(ground));
            assert!((contrast(ground, on(ground)) - palette::contrast(ground, on(ground))).abs() < 1e-9);
        }
    }
}

#[test]
fn every_name_on_a_board_that_ships_can_be_read_whoever_owns_its_province() {
    let colour = |line: &str| {
        let (_, rest) = line.split_once(" fill=\"#")?;
        let part = |i: usize| u8::from_str_radix(rest.get(i..i + 2)?, 16).ok();
        Some(Colour(part(0)?, part(2)?, part(4)?))
    };
    for (board, chart, layout) in SHIPPED.iter() {
        // Every colour of the standard board, and some of the others.
        let each = if *board == "standard" { 1 } else { 4 };
        for power in thinned(chart.powers().iter(), each) {
            let mut owners = ByProvince::filled(None);
            for (id, _) in chart.map().faces() {
                owners[id] = Some(power);
            }
            let svg = svg::board(layout, chart, &Style { owners: Some(owners), ..Style::default() });
            let mut names = 0;
            for line in svg.lines().filter(|line| {
                line.starts_with("<text data-province=") || line.starts_with("<text class=\"coast\"")
            }) {
                let name = line.split_once("data-province=\"").unwrap().1.split('"').next().unwrap();
                let is_its = |face: &&str| face.starts_with(&format!("<path id=\"board-{name}\""));
                // A hatched face has no colour of its own.
                let Some(ground) = svg.lines().find(is_its).and_then(colour) else { continue };
                let text = colour(line).unwrap();
                assert!(contrast(ground, text) >= 4.5, "{board}, {power:?}, {name}: {text} on {ground}");
                names += 1;
            }
            assert!(names > 60, "{board}: {names} names");
        }
    }
}

#[test]
fn a_colour_is_written_as_pages_write_it() {
    assert_eq!(Colour(0, 10, 255).to_string(), "#000aff");
    assert_eq!(Colour(0, 0, 0).towards(Colour(200, 100, 50), 0.5), Colour(100, 50, 25));
    assert_eq!(PowerNames::standard().info(Power::AUSTRIA).proper_name, "Austria");
}
