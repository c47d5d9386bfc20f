//! The page: a single file that makes no requests to the network.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::json;

use super::boards_as_text;
use super::centres::Centres;
use super::dark;
use super::frame::Frame;
use super::sheet::Sheet;
use crate::chart::Panel;
use crate::chart::scale::Scale;
use crate::page::{head, style_sheet, table};
use crate::words::written;
use upheaval_engine::rules::position::Phase;
use upheaval_harness::game_record::GameRecord;
use upheaval_map::ids::{PowerInfo, PowerNames};
use upheaval_picture::palette;

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
    let which = format!("{}, game {} of {}", game.variant, game.game, game.experiment);
    let style = [
        style_sheet(&game_record.power_names),
        include_str!("style.css").to_owned(),
        colours(&game_record.power_names),
        dark::rules(&game_record.power_names),
    ]
    .concat();
    let page = html! {
        (DOCTYPE)
        html lang="en-GB" {
            (head(&format!("{title}: {which}"), &style, Some(SCRIPT)))
            body.viewer {
                header {
                    h1 { (title) }
                    p.lede { (which) ", seed " (game.seed) ", block " (game.block) ", rotation " (game.rotation) }
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
                script type="application/json" id="boards" { (PreEscaped(boards(frames, sheet))) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    written(page) + "\n"
}

/// The result and its year: `Russia wins, 1908`.
pub(super) fn headline(game_record: &GameRecord) -> String {
    let outcome = game_record.outcome();
    // Further remarks are at the end of the page's steps.
    let short = outcome.split([':', ';']).next().unwrap_or_default();
    let short = short.strip_suffix(" alone").unwrap_or(short);
    let (first, rest) = short.split_at(short.chars().next().map_or(0, char::len_utf8));
    let year = game_record.end.phase.parse::<Phase>().map(|phase| format!(", {}", phase.year));
    format!("{}{rest}{}", first.to_uppercase(), year.unwrap_or_default())
}

/// The colours of the powers, as on the board.
pub(super) fn colours(powers: &PowerNames) -> String {
    let rule = |power: &PowerInfo| {
        let colour = palette::of_power(power);
        format!(".power.{}{{background:{colour};color:{}}}", power.name, palette::on(colour))
    };
    powers.infos().iter().map(rule).collect()
}

/// The lines of all boards, and the lines of each frame, as text that is safe within a script element.
fn boards(frames: &[Frame], sheet: &Sheet) -> String {
    let frames: Vec<&str> = frames.iter().map(|frame| &*frame.board).collect();
    boards_as_text(&json!({ "lines": sheet.lines(), "frames": frames }))
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
