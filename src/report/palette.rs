//! The colours of figures: distinguishable powers and arms for the colour-blind (Okabe and Ito's set, and a ramp of one
//! hue for counts), for light pages, dark pages and paper.
//!
//! Marks carry their light colour as an attribute, so a figure taken out of its page looks right; the page's style
//! sheet overrides the colour by class on dark pages.

use std::fmt::Write;

use upheaval_map::ids::{PowerInfo, PowerNames};
use upheaval_picture::palette::{self, Colour, contrast};

/// The colour of a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// A power's colour.
    Power(PowerInfo),
    /// The colour of a series that does not belong to a power, by its index.
    Series(usize),
    /// The colour of text.
    Text,
}

/// A colour on white, and its counterpart on black.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shade {
    light: Colour,
    dark: Colour,
}

const fn shade(light: u32, dark: u32) -> Shade {
    Shade { light: colour(light), dark: colour(dark) }
}

const fn colour(hex: u32) -> Colour {
    Colour((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

const WHITE: Colour = colour(0xffffff);
const BLACK: Colour = colour(0x000000);
/// The background of a dark page.
const NIGHT: Colour = colour(0x16181c);

/// The contrast that lines and points need against the page, in the terms of WCAG 2; thin lines on dark pages need
/// more.
const CONTRAST: f64 = 3.0;
const CONTRAST_AT_NIGHT: f64 = 4.5;

/// The colour of a power on boards, made darker or lighter as far as a thin line needs it.
fn of_power(power: &PowerInfo) -> Shade {
    let seen = |on: Colour, towards: Colour, least: f64| {
        let at = |percent: u8| palette::of_power(power).towards(towards, f64::from(percent) / 100.0);
        (0..=100).map(at).find(|colour| contrast(*colour, on) >= least).unwrap_or(towards)
    };
    Shade { light: seen(WHITE, BLACK, CONTRAST), dark: seen(NIGHT, WHITE, CONTRAST_AT_NIGHT) }
}

const SERIES: [Shade; 6] = [
    shade(0x222222, 0xeeeeee),
    shade(0xd55e00, 0xff9a52),
    shade(0x0072b2, 0x6cc0f5),
    shade(0x009e73, 0x4fd6ae),
    shade(0xb0578d, 0xee9fcb),
    shade(0x8a7a00, 0xe0d05a),
];

/// The background of a light page.
pub(crate) const PAPER: &str = "#ffffff";

/// The colour of seas where there is nothing to show.
pub(crate) const SEA: &str = "#e6edf3";

const TEXT: Shade = shade(0x222222, 0xe8e8e8);

/// The steps of the ramp for counts, from low to high.
const RAMP: [&str; 9] =
    ["#f7f5ee", "#f3e3c4", "#f0cf9b", "#ecb877", "#e59c58", "#d97c43", "#bd5332", "#a23a2d", "#7a1f25"];

impl Ink {
    /// The ink of a power by its name on its board; the colour of text for any other word.
    pub(crate) fn of_power(name: &str, powers: &PowerNames) -> Ink {
        powers.described(name).cloned().map_or(Ink::Text, Ink::Power)
    }

    fn shade(&self) -> Shade {
        match self {
            Ink::Power(power) => of_power(power),
            Ink::Series(place) => SERIES[place % SERIES.len()],
            Ink::Text => TEXT,
        }
    }

    /// The colour on a light page.
    pub(crate) fn colour(&self) -> Colour {
        self.shade().light
    }

    fn name(&self) -> String {
        match self {
            // A power may have the name TEXT.
            Ink::Power(power) => format!("power-{}", power.name.to_lowercase()),
            Ink::Series(place) => format!("series{}", place % SERIES.len()),
            Ink::Text => "text".to_owned(),
        }
    }

    /// The class of a filled mark.
    pub(crate) fn fill(&self) -> String {
        format!("fill-{}", self.name())
    }

    /// The class of a stroked mark.
    pub(crate) fn stroke(&self) -> String {
        format!("stroke-{}", self.name())
    }

    /// Every ink of pages about a board with these powers.
    fn all(powers: &PowerNames) -> impl Iterator<Item = Ink> {
        let of_powers = powers.infos().iter().cloned().map(Ink::Power);
        of_powers.chain((0..SERIES.len()).map(Ink::Series)).chain([Ink::Text])
    }
}

/// How many steps the ramp has.
pub(crate) const STEPS: usize = RAMP.len();

/// The step of the ramp for a share of the largest value; a value above 0 never gets the first step.
pub(crate) fn step(share: f64) -> usize {
    if share > 0.0 { ((share * (STEPS - 1) as f64).ceil() as usize).clamp(1, STEPS - 1) } else { 0 }
}

/// The colour of a step.
pub(crate) fn ramp(step: usize) -> &'static str {
    RAMP[step.min(STEPS - 1)]
}

/// The colour of text on a step.
pub(crate) fn on_ramp(step: usize) -> &'static str {
    if step > 5 { "#ffffff" } else { "#222222" }
}

/// The rules that turn every ink, and the muted parts of a figure, to their dark shades.
pub(crate) fn dark_rules(powers: &PowerNames) -> String {
    let mut rules = String::new();
    for ink in Ink::all(powers) {
        // Writing into a string cannot fail.
        let _ =
            write!(rules, ".{}{{fill:{1}}}.{2}{{stroke:{1}}}", ink.fill(), ink.shade().dark, ink.stroke());
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_seen() {
        assert_eq!((step(0.0), step(1e-9), step(1.0), step(f64::NAN)), (0, 1, STEPS - 1, 0));
    }

    fn parse(hex: &str) -> Colour {
        colour(u32::from_str_radix(&hex[1..], 16).unwrap())
    }

    #[test]
    fn marks_and_words_stand_out() {
        let many = PowerNames::of_names((0..34).map(|i| format!("P{i}"))).expect("powers");
        for ink in Ink::all(&PowerNames::standard()).chain(Ink::all(&many)) {
            assert!(contrast(ink.shade().light, WHITE) >= CONTRAST, "{ink:?} on white");
            assert!(contrast(ink.shade().dark, NIGHT) >= CONTRAST_AT_NIGHT, "{ink:?} on black");
        }
        for step in 0..STEPS {
            assert!(contrast(parse(ramp(step)), parse(on_ramp(step))) >= 4.5, "step {step}");
        }
    }
}
