//! The page: a single file that makes no requests to the network, with the chart of the centres over the years. On a
//! dark screen the board itself is unchanged: rules of the page override its colours.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};
use upheaval_engine::rules::position::{Phase, Season};
use upheaval_map::ids::{ByPower, Power, PowerInfo, PowerNames};
use upheaval_picture::palette::{self, Colour};

use super::frame::Frame;
use super::sheet::Sheet;
use crate::chart::scale::{Scale, counted};
use crate::chart::{FigureTable, LinePanel, LinePoint, LineSeries, Panel};
use crate::page::{document, style_sheet, table};
use crate::palette::Ink;
use crate::words::capitalised;
use upheaval_harness::game_record::GameRecord;

/// The script of the page.
const SCRIPT: &str = concat!(include_str!("stepper.js"), include_str!("script.js"));

/// The speeds of playing: seconds per step, and their names.
const SPEEDS: [(&str, &str); 4] = [("2.5", "slow"), ("1.2", "steady"), ("0.6", "fast"), ("0.2", "very fast")];

/// The whole page.
pub(super) fn html(game_record: &GameRecord, frames: &[Frame], sheet: &Sheet) -> String {
    let game = &game_record.game;
    let centres = Centres::of(game_record);
    let (panel, scale) = centres.chart();
    let title = headline(game_record);
    let style = style_of(&game_record.power_names, "");
    // A game by hand is the only one of its name.
    let which = match game.missing {
        Some(_) => format!("{}, {}", game.experiment, game.variant),
        None => format!("{}, game {} of {}", game.variant, game.game, game.experiment),
    };
    let dice = match (game.seed, game.missing) {
        (None, _) => String::new(),
        (Some(seed), Some(_)) => format!(", seed {seed}"),
        (Some(seed), None) => format!(", seed {seed}, block {}, rotation {}", game.block, game.rotation),
    };
    let body = html! {
        body.viewer {
            header {
                h1 { (title) }
                p.lede { (which) (dice) }
            }
            noscript { p { "Boards need scripts. Orders and events are listed below, phase by phase." } }
            div.columns {
                main { (board(frames, &scale, &game_record.power_names)) (chart(&panel, &centres)) }
                div.phases {
                    @for frame in frames {
                        section.phase id=(frame.id) data-year=(frame.year) aria-labelledby=(format!("{}-title", frame.id)) {
                            h2 id=(format!("{}-title", frame.id)) { a href=(format!("#{}", frame.id)) { (frame.heading) } }
                            p.said { (frame.said) }
                            (frame.tables)
                        }
                    }
                }
                (key())
            }
            (scripts(&boards(frames, sheet), SCRIPT))
        }
    };
    document(&format!("{title}: {which}"), &style, Some(SCRIPT), &body)
}

/// The style sheet of a page with boards of these powers, and with these further rules.
pub(super) fn style_of(powers: &PowerNames, more: &str) -> String {
    let (pages, own) = (style_sheet(powers), include_str!("style.css"));
    [&pages, own, more, &colours(powers), &dark_colours(powers)].concat()
}

/// The elements with the boards, and with the script that shows them.
pub(super) fn scripts(boards: &Value, script: &str) -> Markup {
    // Within a script element, only `<` could end the text.
    let boards = boards.to_string().replace('<', "\\u003c");
    html! {
        script type="application/json" id="boards" { (PreEscaped(boards)) }
        script { (PreEscaped(script)) }
    }
}

/// The result and its year: `Russia wins, 1908`.
pub(super) fn headline(game_record: &GameRecord) -> String {
    let year = game_record.end.phase.parse::<Phase>();
    if let (false, Ok(phase)) = (game_record.is_over(), &year) {
        return format!("{} {}", phase.season.name(), phase.year);
    }
    let outcome = game_record.outcome();
    // Further remarks are at the end of the page's steps.
    let short = outcome.split([':', ';']).next().unwrap_or_default();
    let short = short.strip_suffix(" alone").unwrap_or(short);
    let year = year.map(|phase| format!(", {}", phase.year));
    capitalised(short) + &year.unwrap_or_default()
}

/// The colours of the powers, as on the board.
fn colours(powers: &PowerNames) -> String {
    let rule = |power: &PowerInfo| {
        let colour = palette::of_power(power);
        format!(".power.{}{{background:{colour};color:{}}}", power.name, palette::on(colour))
    };
    powers.infos().iter().map(rule).collect()
}

/// The lines of all boards, and the lines of each frame.
fn boards(frames: &[Frame], sheet: &Sheet) -> Value {
    let frames: Vec<&str> = frames.iter().map(|frame| &*frame.board).collect();
    json!({ "lines": sheet.lines(), "frames": frames })
}

/// The buttons that step through the phases.
pub(super) fn step_buttons() -> Markup {
    html! {
        button type="button" data-step="first" aria-label="First" aria-keyshortcuts="Home" { "«" }
        button type="button" data-step="back" aria-keyshortcuts="ArrowLeft" { "‹ Back" }
        button type="button" data-step="play" aria-keyshortcuts="Space" { "Play" }
        button type="button" data-step="next" aria-keyshortcuts="ArrowRight" { "Next ›" }
        button type="button" data-step="last" aria-label="Last" aria-keyshortcuts="End" { "»" }
    }
}

/// The list of speeds.
pub(super) fn speeds() -> Markup {
    html! {
        select #speed aria-label="Speed" {
            @for (seconds, name) in SPEEDS { option value=(seconds) selected[name == "steady"] { (name) } }
        }
    }
}

/// The button for the full screen.
pub(super) fn full_screen() -> Markup {
    html! {
        button type="button" data-step="full" aria-label="Full screen" aria-keyshortcuts="F" { "Full" }
    }
}

/// The board with its controls.
fn board(frames: &[Frame], scale: &Scale, powers: &PowerNames) -> Markup {
    let last = frames.len().saturating_sub(1);
    html! {
        p #told role="status" {}
        div #board tabindex="0" role="group" aria-label="Board" {}
        input #slider.scripted hidden type="range" min="0" max=(last) value="0" aria-label="Phase";
        div.steer.scripted hidden role="group" aria-label="Steps through the game" {
            (step_buttons())
            select #phase aria-label="Phase" {
                @for frame in frames { option value=(frame.id) data-moment=(scale.at(frame.moment)) { (frame.heading) } }
            }
            (speeds())
            select #power aria-label="Orders of" {
                option value="" { "All powers" }
                @for power in powers.infos() { option value=(power.name) { (power.proper_name) } }
            }
            span.pair {
                button type="button" data-zoom="-1" aria-label="Smaller board" aria-keyshortcuts="Minus" { "−" } " "
                button type="button" data-zoom="1" aria-label="Larger board" aria-keyshortcuts="Plus" { "+" }
            }
            (full_screen())
        }
    }
}

/// The legend of the board.
fn key() -> Markup {
    html! {
        p.key.scripted hidden {
            b { "Orders: " } "an arrow is a move, a line with a dot a support, a line with a ring a convoy, a ring a hold, a pale unit with a plus a \
            build, a dashed ring with a cross a disbandment. Solid lines succeed, dashed ones with a cross fail: point at one, or touch it, for the reason. "
            b { "Red outlines: " } "dashed, a coming change of the map; solid, a change that has just happened. "
            b { "Keys: " } kbd { "←" } " " kbd { "→" } " step, " kbd { "Page" } " a year, " kbd { "Home" } " " kbd { "End" } ", " kbd { "Space" } " plays, "
            kbd { "+" } " " kbd { "−" } " size, as do the wheel and two fingers on the board, " kbd { "F" } " full screen."
        }
    }
}

/// The centres over the years.
fn chart(panel: &Panel, centres: &Centres) -> Markup {
    html! {
        figure #centres aria-label="Supply centres by year and power" {
            div.panels.wide tabindex="0" role="group" aria-label="Chart of supply centres" { (panel.svg(["centres-table", "centres-summary"])) }
            details id="centres-table" { summary id="centres-summary" { "Supply centres as a table" } (table(&centres.table(), "Supply centres at the end of each year")) }
        }
    }
}

/// The width of the chart.
const WIDTH: f64 = 700.0;

/// The number of centres of each power.
type Counts = ByPower<usize>;

fn count(powers: &PowerNames, centres: &BTreeMap<String, Vec<String>>) -> Counts {
    ByPower::from_fn(powers.powers(), |power| centres.get(powers.name(power)).map_or(0, Vec::len))
}

/// The chart, and its numbers.
struct Centres {
    powers: PowerNames,
    years: Vec<(u16, Counts)>,
}

impl Centres {
    /// The centres after each year; those before the first Spring are shown at the end of the year before.
    pub(super) fn of(game_record: &GameRecord) -> Centres {
        let powers = &game_record.power_names;
        let mut years: Vec<(u16, Counts)> = Vec::new();
        let ends =
            game_record.stages.iter().skip(1).map(|stage| &stage.centres).chain([&game_record.end.centres]);
        for (stage, after) in game_record.stages.iter().zip(ends) {
            let Ok(Phase { year, season, .. }) = stage.phase.parse() else { continue };
            if years.is_empty() && season == Season::Spring {
                years.push((year.saturating_sub(1), count(powers, &stage.centres)));
            }
            match years.last_mut().filter(|(last, _)| *last == year) {
                Some((_, counts)) => *counts = count(powers, after),
                None => years.push((year, count(powers, after))),
            }
        }
        Centres { powers: powers.clone(), years }
    }

    fn series(&self) -> Vec<LineSeries> {
        let line = |power: Power| {
            let info = self.powers.info(power);
            let point = |(year, counts): &(u16, Counts)| LinePoint {
                year: *year,
                value: counts[power] as f64,
                ..LinePoint::default()
            };
            let points = self.years.iter().map(point).collect();
            LineSeries { name: info.proper_name.clone(), ink: Ink::Power(info.clone()), points }
        };
        self.powers.powers().iter().map(line).collect()
    }

    /// The chart, and the positions of the years on it.
    pub(super) fn chart(&self) -> (Panel, Scale) {
        let series = self.series();
        let values = series.iter().flat_map(|line| &line.points).map(|point| point.value);
        let [_, high] = counted(values, 4);
        let years = [self.years.first(), self.years.last()].map(|year| year.map_or(0, |(year, _)| *year));
        let panel = LinePanel {
            title: "Supply centres",
            unit: "at the end of each year",
            width: WIDTH,
            years,
            values: [0.0, high],
            series: &series,
        };
        (panel.draw(), panel.scale())
    }

    /// The same as a table.
    pub(super) fn table(&self) -> FigureTable {
        let names = self.powers.infos().iter().map(|info| info.proper_name.as_str());
        let row = |(year, counts): &(u16, Counts)| {
            [year.to_string()].into_iter().chain(counts.iter().map(|(_, n)| n.to_string())).collect()
        };
        FigureTable { rows: self.years.iter().map(row).collect(), ..FigureTable::new(["Year"]).and(names) }
    }
}

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
/// A frozen sea.
const ICE: [Colour; 2] = [Colour(0x3a, 0x4c, 0x5a), Colour(0x5b, 0x74, 0x86)];
/// A hole.
const HOLE: Colour = Colour(0x00, 0x00, 0x00);
/// Failures, and events of the map.
const ALARM: Colour = Colour(0xff, 0x6b, 0x97);

/// The rules for boards of these powers.
fn dark_colours(powers: &PowerNames) -> String {
    let (ink, paper, alarm, water) = (palette::INK, palette::PAPER, palette::ALARM, palette::WATER);
    let rules = [
        (".paper".to_owned(), format!("fill:{BEYOND}")),
        (".sea".to_owned(), format!("fill:{SEA}")),
        (".land".to_owned(), format!("fill:{LAND}")),
        ("path.hole".to_owned(), format!("fill:{HOLE}")),
        (format!("circle[fill=\"{ink}\"]"), format!("fill:{HOLE};stroke:{INK}")),
        ("pattern[id$=impassable] rect".to_owned(), format!("fill:{}", ROCK[0])),
        ("pattern[id$=impassable] path".to_owned(), format!("stroke:{}", ROCK[1])),
        ("pattern[id$=-ice] rect".to_owned(), format!("fill:{}", ICE[0])),
        ("pattern[id$=-ice] path".to_owned(), format!("stroke:{}", ICE[1])),
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
mod dark_tests {
    use super::*;

    use upheaval_picture::palette::contrast;

    const BLACK: Colour = Colour(0, 0, 0);

    #[test]
    fn every_ground_is_dark_and_its_names_are_legible() {
        assert!(contrast(SEA, SEA_NAME) > 4.5 && contrast(LAND, INK) > 4.5 && contrast(PAPER, INK) > 10.0);
        for ground in [SEA, LAND, GROUND, BEYOND, HOLE] {
            assert!(contrast(ground, BLACK) < 3.0, "{ground}");
        }
        let names = PowerNames::standard();
        for power in names.infos() {
            let fill = owned_ground(palette::of_power(power));
            let bright = palette::LAND.towards(palette::of_power(power), palette::TINT);
            let name = &power.name;
            assert!(
                contrast(fill, BLACK) < contrast(bright, BLACK),
                "{name}: {fill} is as bright as {bright}"
            );
            assert!(dark_colours(&names).contains(&format!(".land[data-power={name}]")), "{name}");
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
    }
}
