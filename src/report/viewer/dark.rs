//! The colours of a board on a dark screen. The board itself is unchanged: rules of the page override its colours.

use std::fmt::Write as _;

use upheaval_map::ids::PowerNames;
use upheaval_picture::palette::{self, Colour};

/// A sea, and what is drawn on it: water near a coast, borders between seas, names.
const SEA: Colour = Colour(0x1c, 0x33, 0x46);
const SHALLOWS: [Colour; 2] = [Colour(0x22, 0x3c, 0x50), Colour(0x29, 0x46, 0x5c)];
const DEEP: Colour = Colour(0x6d, 0x95, 0xb2);
const SEA_NAME: Colour = Colour(0xd6, 0xe6, 0xf2);
/// Land without an owner, and borders between lands.
const LAND: Colour = Colour(0x57, 0x50, 0x41);
const EARTH: Colour = Colour(0xb8, 0xa7, 0x88);
/// The land of an owner is a mixture of this colour and the owner's.
const GROUND: Colour = Colour(0x26, 0x28, 0x2d);
/// The share of its owner's colour in a province, in percent: less where names could not be read.
const TINT: u8 = 55;
/// The colour of text and outlines, and the one behind letters.
const INK: Colour = Colour(0xf2, 0xf2, 0xf2);
const PAPER: Colour = Colour(0x14, 0x17, 0x1c);
/// Beyond the edge of the board.
const BEYOND: Colour = Colour(0x20, 0x24, 0x2b);
/// An impassable face.
const ROCK: [Colour; 2] = [Colour(0x4d, 0x4b, 0x48), Colour(0x6a, 0x67, 0x62)];
/// A hole.
const HOLE: Colour = Colour(0x00, 0x00, 0x00);
/// Failures, and events of the map.
const ALARM: Colour = Colour(0xff, 0x6b, 0x97);

/// The rules for boards of these powers.
pub(super) fn rules(powers: &PowerNames) -> String {
    let (ink, paper, alarm, water) = (palette::INK, palette::PAPER, palette::ALARM, palette::WATER);
    let rules = [
        (".paper".to_owned(), format!("fill:{BEYOND}")),
        (".sea".to_owned(), format!("fill:{SEA}")),
        (".land".to_owned(), format!("fill:{LAND}")),
        ("path.hole".to_owned(), format!("fill:{HOLE}")),
        (format!("circle[fill=\"{ink}\"]"), format!("fill:{HOLE};stroke:{INK}")),
        ("pattern[id$=impassable] rect".to_owned(), format!("fill:{}", ROCK[0])),
        ("pattern[id$=impassable] path".to_owned(), format!("stroke:{}", ROCK[1])),
        (".shallows".to_owned(), format!("stroke:{}", SHALLOWS[0])),
        (".shallows~.shallows".to_owned(), format!("stroke:{}", SHALLOWS[1])),
        (".border.sea".to_owned(), format!("fill:none;stroke:{DEEP}")),
        (".border.land".to_owned(), format!("fill:none;stroke:{EARTH}")),
        (format!("[stroke=\"{ink}\"]"), format!("stroke:{INK}")),
        (format!("[stroke=\"{water}\"]"), format!("stroke:{SEA}")),
        (format!(".event [stroke=\"{paper}\"],.leader[stroke=\"{paper}\"]"), format!("stroke:{PAPER}")),
        (format!("[stroke=\"{alarm}\"]"), format!("stroke:{ALARM}")),
        (format!(".names text,.legend text[fill=\"{ink}\"][text-anchor]"), format!("fill:{INK}")),
        (".names text[stroke]".to_owned(), format!("stroke:{PAPER}")),
        (".names text[font-style]".to_owned(), format!("fill:{SEA_NAME}")),
        (".coasts text".to_owned(), format!("fill:{INK}")),
    ];
    let mut text = String::from("@media screen and (prefers-color-scheme:dark){");
    for (selectors, declarations) in &rules {
        let scoped: Vec<String> =
            selectors.split(',').map(|selector| format!(".upheaval-board {selector}")).collect();
        // Writing into a string cannot fail.
        let _ = write!(text, "{}{{{declarations}}}", scoped.join(","));
    }
    for power in powers.infos() {
        let fill = owned_ground(palette::of_power(power));
        let owned = ["land", "sea"].map(|kind| format!(".upheaval-board .{kind}[data-power={}]", power.name));
        let _ = write!(text, "{}{{fill:{fill}}}", owned.join(","));
    }
    text + "}"
}

/// The colour of a province whose owner has this colour.
fn owned_ground(owner: Colour) -> Colour {
    let tinted = (0..=TINT).rev().map(|percent| GROUND.towards(owner, f64::from(percent) / 100.0));
    let is_legible = |&fill: &Colour| {
        [INK, SEA_NAME].iter().all(|&name| palette::contrast(name, fill) >= palette::LEAST_CONTRAST)
    };
    tinted.into_iter().find(is_legible).unwrap_or(GROUND)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The brightness of a colour as WCAG 2 defines it.
    fn luminance(Colour(red, green, blue): Colour) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    fn contrast(a: Colour, b: Colour) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn every_ground_is_dark_and_its_names_are_legible() {
        assert!(contrast(SEA, SEA_NAME) > 4.5 && contrast(LAND, INK) > 4.5 && contrast(PAPER, INK) > 10.0);
        for ground in [SEA, LAND, GROUND, BEYOND, HOLE] {
            assert!(luminance(ground) < 0.1, "{ground}");
        }
        let names = PowerNames::standard();
        for power in names.infos() {
            let fill = owned_ground(palette::of_power(power));
            let bright = palette::LAND.towards(palette::of_power(power), palette::TINT);
            assert!(luminance(fill) < luminance(bright), "{}: {fill} is as bright as {bright}", power.name);
            assert!(rules(&names).contains(&format!(".land[data-power={}]", power.name)), "{}", power.name);
        }
    }
    #[test]
    fn names_are_legible_on_every_colour_that_a_variant_may_name() {
        let parts = || (0..=255u8).step_by(15);
        for owner in parts().flat_map(|r| parts().flat_map(move |g| parts().map(move |b| Colour(r, g, b)))) {
            let fill = owned_ground(owner);
            for name in [INK, SEA_NAME] {
                assert!(contrast(name, fill) >= 4.5, "{owner}: {name} on {fill}");
            }
        }
        assert!(contrast(SEA, SEA_NAME) >= 4.5 && contrast(LAND, INK) >= 4.5);
    }
}
