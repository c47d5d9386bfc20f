//! Two games beside each other: both boards of each phase, steered by one set of controls, with the centres that
//! differ. The games are two of a run or of two files, or a game without and with a change.

use std::collections::BTreeMap;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::json;

use super::dark;
use super::frame::{Frame, Scene, named};
use super::page::{colours, full_screen, headline, speeds, step_buttons};
use super::sheet::Sheet;
use super::steps::{Shown, Step, steps};
use super::{boards_as_text, name_of};
use crate::page::{head, style_sheet};
use crate::words::written;
use upheaval_engine::game::Game;
use upheaval_harness::game_record::{FormError, GameRecord, Mismatch, replay};
use upheaval_picture::Layout;

/// The script of the page.
const SCRIPT: &str = concat!(include_str!("stepper.js"), include_str!("beside.js"));

/// What the ids of the boards begin with.
const PREFIXES: [&str; 2] = ["left", "right"];

/// Why two games cannot be shown beside each other.
#[derive(Debug, thiserror::Error)]
pub enum Beside {
    /// The rules of one game cannot be used.
    #[error(transparent)]
    Rules(#[from] FormError),
    /// One game differs from its record.
    #[error(transparent)]
    Differs(#[from] Mismatch),
    /// They have different powers.
    #[error(
        "`{0}` and `{1}` have different powers: two games beside each other are played by the same powers, on one board or on two"
    )]
    Powers(String, String),
}

/// What the page says of its two games.
struct Titles {
    title: String,
    lede: String,
    /// The heading of each board.
    sides: [String; 2],
}

/// The page of two games of the same powers.
///
/// # Errors
/// They have different powers, or one of them cannot be played as it is written.
pub fn pair(left: &GameRecord, right: &GameRecord) -> Result<String, Beside> {
    let short = |game: &GameRecord| format!("{}/{}", game.game.variant, game.game.game);
    let whole = |game: &GameRecord| {
        format!("{}, game {} of {}", game.game.variant, game.game.game, game.game.experiment)
    };
    let titles = Titles {
        title: format!("{} and {}", short(left), short(right)),
        lede: format!("Left {}; right {}.", whole(left), whole(right)),
        sides: [left, right].map(|game| format!("{}: {}", short(game), headline(game))),
    };
    page([left, right], 0, &titles)
}

/// The page of a game without and with a change, from the stage with this number on, up to which both are the same.
/// `again` are the bots whose decisions before the change are the record's, and which decided again after it.
///
/// # Errors
/// One of the games cannot be played from its record.
pub fn beside(
    was: &GameRecord,
    is: &GameRecord,
    from: usize,
    otherwise: &str,
    again: &[&str],
) -> Result<String, Beside> {
    let game = &was.game;
    let differs = first_difference(was, is, from);
    let differs = was.stages.get(differs).map_or("the end".to_owned(), |stage| stage.heading());
    let again = match again {
        [] => String::new(),
        bots => format!(
            " From the change on, {} decided again on the right and may decide otherwise the next time, so that not all \
             differences follow from the change.",
            bots.join(", ")
        ),
    };
    let titles = Titles {
        title: format!("{}, game {} of {}: what if", game.variant, game.game, game.experiment),
        lede: format!(
            "Left the game as it was, right the game in which {otherwise}, with the same dice. The first difference is \
             seen in {differs}.{again}"
        ),
        sides: [("As it was", was), ("Otherwise", is)]
            .map(|(side, game)| format!("{side}: {}", headline(game))),
    };
    page([was, is], from, &titles)
}

/// The first stage from this one on before which the games differ, or the last that both have.
fn first_difference(was: &GameRecord, is: &GameRecord, from: usize) -> usize {
    let last = was.stages.len().min(is.stages.len()).saturating_sub(1);
    let differs = |i: &usize| {
        (&was.stages[*i].state, &was.stages[*i].phase) != (&is.stages[*i].state, &is.stages[*i].phase)
    };
    (from..=last).find(differs).unwrap_or(last)
}

fn page(games: [&GameRecord; 2], from: usize, titles: &Titles) -> Result<String, Beside> {
    let powers = &games[0].power_names;
    if *powers != games[1].power_names {
        let name = |game: &GameRecord| format!("{}/{}", game.game.variant, game.game.game);
        return Err(Beside::Powers(name(games[0]), name(games[1])));
    }
    let mut sheet = Sheet::default();
    let [left, right] = [0, 1].map(|side| frames(games[side], from, PREFIXES[side], &mut sheet));
    let frames = [left?, right?];
    let ids =
        |side: usize| frames[side].iter().map(|frame| (frame.id.as_str(), frame.moment)).collect::<Vec<_>>();
    let steps = steps([&ids(0), &ids(1)]);
    let both: Vec<Both<'_>> = steps.iter().map(|step| Both { games, from, frames: &frames, step }).collect();
    let style = [
        style_sheet(powers),
        include_str!("style.css").to_owned(),
        include_str!("beside.css").to_owned(),
        colours(powers),
        dark::rules(powers),
    ]
    .concat();
    let page = html! {
        (DOCTYPE)
        html lang="en-GB" {
            (head(&titles.title, &style, Some(SCRIPT)))
            body.viewer.beside {
                header { h1 { (titles.title) } p.lede { (titles.lede) } }
                noscript { p { "Boards need scripts. What was ordered and what happened stands below, phase by phase." } }
                main {
                    div.boards.scripted hidden {
                        @for (prefix, heading) in PREFIXES.iter().zip(&titles.sides) {
                            section aria-labelledby=(format!("{prefix}-heading")) {
                                h2 id=(format!("{prefix}-heading")) { (heading) }
                                p.told id=(format!("{prefix}-told")) {}
                                div.board id=(format!("{prefix}-board")) role="group" aria-label=(format!("Board {prefix}")) {}
                            }
                        }
                    }
                    p #counts role="status" aria-live="polite" {}
                    (controls(&both))
                    p.key.scripted hidden {
                        b { "Rings: " } "a centre that another power owns in the other game. "
                        b { "Pale: " } "a game that does not wait for orders in the phase of the other. "
                        b { "Keys: " } kbd { "←" } " " kbd { "→" } " step, " kbd { "Home" } " " kbd { "End" } ", "
                        kbd { "Space" } " plays, " kbd { "F" } " full screen."
                    }
                }
                div.phases { @for step in &both { (step.section()) } }
                script type="application/json" id="boards" { (PreEscaped(boards(&frames, &steps, &sheet))) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    Ok(written(page) + "\n")
}

/// The steps of a game from the stage of this number on, and its end.
fn frames(game: &GameRecord, from: usize, prefix: &str, sheet: &mut Sheet) -> Result<Vec<Frame>, Beside> {
    let mut frames: Vec<Frame> = Vec::new();
    let mut behind = 0;
    let mut drawn: Option<(u64, Layout)> = None;
    replay(game, game.variant("the game")?, &mut |at: &Game| {
        // The drawing of a board depends on those before it, so that both games draw what they share alike.
        let (chart, hash) = (at.terrain().chart(), at.terrain().hash());
        let layout = match drawn.take() {
            Some((of, layout)) if of == hash => layout,
            Some((_, before)) => before.next(chart),
            None => Layout::of(chart),
        };
        if behind >= from {
            let scene = Scene { game_record: game, behind, game: at, layout: &layout };
            let id = name_of(scene.stage(), |name| frames.iter().all(|frame| frame.id != name));
            let frame = Frame::of(&scene, id, prefix, sheet);
            frames.push(frame);
        }
        drawn = Some((hash, layout));
        behind += 1;
    })?;
    Ok(frames)
}

/// The boards of both games and which of them each step shows, as text that a page may hold within a script.
fn boards(frames: &[Vec<Frame>; 2], steps: &[Step], sheet: &Sheet) -> String {
    let of = |side: usize| frames[side].iter().map(|frame| &*frame.board).collect::<Vec<_>>();
    let steps: Vec<[usize; 2]> = steps.iter().map(|step| step.sides.map(|side| side.frame)).collect();
    boards_as_text(&json!({ "lines": sheet.lines(), "frames": [of(0), of(1)], "steps": steps }))
}

/// A step with what it shows.
struct Both<'a> {
    games: [&'a GameRecord; 2],
    from: usize,
    frames: &'a [Vec<Frame>; 2],
    step: &'a Step,
}

impl<'a> Both<'a> {
    fn frame(&self, side: usize) -> &'a Frame {
        &self.frames[side][self.step.sides[side].frame]
    }

    /// The side whose phase it is.
    fn lead(&self) -> usize {
        usize::from(self.step.sides[0].shown != Shown::Now)
    }

    fn heading(&self) -> &'a str {
        &self.frame(self.lead()).heading
    }

    /// The centres of a side, by power.
    fn centres(&self, side: usize) -> &'a BTreeMap<String, Vec<String>> {
        let (game, frame) = (self.games[side], self.step.sides[side].frame);
        game.stages.get(self.from + frame).map_or(&game.end.centres, |stage| &stage.centres)
    }

    /// The number of a power's centres on both sides.
    fn counts(&self, power: &str) -> [usize; 2] {
        [0, 1].map(|side| self.centres(side).get(power).map_or(0, Vec::len))
    }

    /// The centres that two powers own, or that only one side has an owner of: with the owner on either side.
    fn differences(&self) -> Vec<(&'a str, [Option<&'a str>; 2])> {
        let mut owners: BTreeMap<&str, [Option<&str>; 2]> = BTreeMap::new();
        for side in [0, 1] {
            for (power, centres) in self.centres(side) {
                for centre in centres {
                    owners.entry(centre).or_default()[side] = Some(power);
                }
            }
        }
        owners.into_iter().filter(|(_, [left, right])| left != right).collect()
    }

    /// What is said of a side, where the other has a phase of its own.
    fn said(&self, side: usize) -> String {
        let frame = self.frame(side);
        match self.step.sides[side].shown {
            Shown::Now => frame.said.clone(),
            Shown::Over => format!("The game is over. {}", frame.said),
            Shown::Idle => "This game waits for nothing in the phase of the other.".to_owned(),
        }
    }

    fn section(&self) -> Markup {
        let (id, differences) = (&self.step.id, self.differences());
        let powers = &self.games[0].power_names;
        let owner = |owner: Option<&'a str>| owner.map_or("nobody", |name| powers.proper(name));
        html! {
            section.phase id=(id) aria-labelledby=(format!("{id}-title")) data-left=(word(self.step.sides[0].shown)) data-right=(word(self.step.sides[1].shown)) {
                h2 id=(format!("{id}-title")) { a href=(format!("#{id}")) { (self.heading()) } }
                table.counts {
                    caption { "Centres" }
                    thead { tr { th scope="col" { "Power" } th scope="col" { "Left" } th scope="col" { "Right" } th scope="col" { "Difference" } } }
                    tbody {
                        @for power in powers.infos() {
                            @let [left, right] = self.counts(&power.name);
                            tr.differs[left != right] {
                                th scope="row" { (named(power)) }
                                td { (left) } td { (right) }
                                td { (difference([left, right])) }
                            }
                        }
                    }
                }
                @if !differences.is_empty() {
                    p.owned {
                        b { "Owned otherwise: " }
                        @for (i, (centre, [left, right])) in differences.iter().enumerate() {
                            @if i > 0 { ", " }
                            (centre) " (" (owner(*left)) ", " (owner(*right)) ")"
                        }
                        "."
                    }
                }
                div.sides {
                    @for side in [0, 1] {
                        div.side {
                            h3 { (["Left", "Right"][side]) @if self.step.sides[side].shown == Shown::Now { ": " (self.frame(side).heading) } }
                            p.said { (self.said(side)) }
                            @if self.step.sides[side].shown == Shown::Now { (self.frame(side).tables) }
                        }
                    }
                }
            }
        }
    }
}

fn word(shown: Shown) -> &'static str {
    match shown {
        Shown::Now => "now",
        Shown::Over => "over",
        Shown::Idle => "idle",
    }
}

/// How many centres the right side has more: `+2`.
fn difference([left, right]: [usize; 2]) -> String {
    match (right.checked_sub(left), left.checked_sub(right)) {
        (Some(0), _) => "0".to_owned(),
        (Some(more), _) => format!("+{more}"),
        (None, less) => format!("−{}", less.unwrap_or_default()),
    }
}

fn controls(both: &[Both<'_>]) -> Markup {
    let last = both.len().saturating_sub(1);
    html! {
        input #slider.scripted hidden type="range" min="0" max=(last) value="0" aria-label="Phase";
        div.steer.scripted hidden role="group" aria-label="Steps through both games" {
            (step_buttons())
            select #phase aria-label="Phase" { @for step in both { option value=(step.step.id) { (step.heading()) } } }
            (speeds())
            (full_screen())
        }
    }
}
