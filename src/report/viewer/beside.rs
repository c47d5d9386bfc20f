//! A game without and with a change: both boards of each phase, steered by one set of controls, with the centres that
//! differ. The phases of both games are one sequence of steps.

use std::collections::BTreeMap;

use maud::{Markup, html};
use serde_json::{Value, json};

use super::frame::{Frame, named};
use super::page::{full_screen, headline, scripts, speeds, step_buttons, style_of};
use super::sheet::Sheet;
use crate::page::document;
use crate::viewer::Viewer;
use upheaval_harness::game_record::{FormError, GameRecord, Mismatch, replay};

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
    let title = format!("{}, game {} of {}: what if", game.variant, game.game, game.experiment);
    let lede = format!(
        "Left: the game as it was. Right: the game in which {otherwise}, with the same dice. The first difference is in \
         {differs}.{again}"
    );
    page([was, is], from, &title, &lede)
}

/// The first stage from this one on before which the games differ, or the last that both have.
fn first_difference(was: &GameRecord, is: &GameRecord, from: usize) -> usize {
    let last = was.stages.len().min(is.stages.len()).saturating_sub(1);
    let differs = |i: &usize| {
        (&was.stages[*i].state, &was.stages[*i].phase) != (&is.stages[*i].state, &is.stages[*i].phase)
    };
    (from..=last).find(differs).unwrap_or(last)
}

fn page(games: [&GameRecord; 2], from: usize, title: &str, lede: &str) -> Result<String, Beside> {
    let powers = &games[0].power_names;
    let sides = ["As it was", "Otherwise"].into_iter().zip(games);
    let sides = sides.map(|(side, game)| format!("{side}: {}", headline(game)));
    let mut sheet = Sheet::default();
    let [left, right] = [0, 1].map(|side| frames(games[side], from, PREFIXES[side], &mut sheet));
    let frames = [left?, right?];
    let ids = frames
        .each_ref()
        .map(|side| Vec::from_iter(side.iter().map(|frame| (frame.id.as_str(), frame.moment))));
    let steps = steps([&ids[0], &ids[1]]);
    let both: Vec<Both<'_>> = steps.iter().map(|step| Both { games, from, frames: &frames, step }).collect();
    let style = style_of(powers, include_str!("beside.css"));
    let body = html! {
        body.viewer.beside {
            header { h1 { (title) } p.lede { (lede) } }
            noscript { p { "Boards need scripts. Orders and events are listed below, phase by phase." } }
            main {
                div.boards.scripted hidden {
                    @for (prefix, heading) in PREFIXES.iter().zip(sides) {
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
            (scripts(&boards(&frames, &steps, &sheet), SCRIPT))
        }
    };
    Ok(document(title, &style, Some(SCRIPT), &body))
}

/// The steps of a game from the stage of this number on, and its end.
fn frames(
    game: &GameRecord,
    from: usize,
    prefix: &'static str,
    sheet: &mut Sheet,
) -> Result<Vec<Frame>, Beside> {
    let mut viewer = Viewer { from, prefix, sheet: std::mem::take(sheet), ..Viewer::of(game) };
    replay(game, game.variant("the game")?, &mut |at| viewer.record_state(at))?;
    *sheet = viewer.sheet;
    Ok(viewer.frames)
}

/// The boards of both games, and which of them each step shows.
fn boards(frames: &[Vec<Frame>; 2], steps: &[Step], sheet: &Sheet) -> Value {
    let of = |side: usize| frames[side].iter().map(|frame| &*frame.board).collect::<Vec<_>>();
    let steps: Vec<[usize; 2]> = steps.iter().map(|step| step.sides.map(|side| side.frame)).collect();
    json!({ "lines": sheet.lines(), "frames": [of(0), of(1)], "steps": steps })
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
            Shown::Idle => "This game does not wait for orders in the phase of the other.".to_owned(),
        }
    }

    fn section(&self) -> Markup {
        let (id, differences) = (&self.step.id, self.differences());
        let powers = &self.games[0].power_names;
        let owner = |owner: Option<&'a str>| owner.map_or("nobody", |name| powers.proper(name));
        html! {
            section.phase id=(id) aria-labelledby=(format!("{id}-title")) data-left=(self.step.sides[0].shown.name()) data-right=(self.step.sides[1].shown.name()) {
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
                        b { "Different owners: " }
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

upheaval_map::named! {
    /// What a step shows of a game.
    pub(super) enum Shown {
        /// A phase of its own, or its end.
        Now = "now",
        /// Its end, while the other game goes on.
        Over = "over",
        /// What it showed last, for it waits for nothing in the phase of the other.
        Idle = "idle",
    }
}

/// A game in a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Side {
    /// The number of its frame.
    pub frame: usize,
    /// What the frame is to the step.
    pub shown: Shown,
}

/// A step of two games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Step {
    /// Its name in links.
    pub id: String,
    /// The games.
    pub sides: [Side; 2],
}

/// The steps of two games whose frames have these names and moments. Phases of one name are one step; each game keeps
/// its order, and ends with a frame of its end.
pub(super) fn steps(frames: [&[(&str, f64)]; 2]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut at = [0, 0];
    while let [Some(&left), Some(&right)] = [0, 1].map(|side| frames[side].get(at[side])) {
        let comes = |side: usize, name: &str| frames[side][at[side]..].iter().any(|(id, _)| *id == name);
        let go = match (left.0 == right.0, comes(1, left.0), comes(0, right.0)) {
            (true, ..) => [true, true],
            (false, true, false) => [false, true],
            (false, false, true) => [true, false],
            _ => [left.1 <= right.1, left.1 > right.1],
        };
        let side = |side: usize| match (go[side], at[side]) {
            (true, frame) => Side { frame, shown: Shown::Now },
            (false, frame) if frame + 1 == frames[side].len() => Side { frame, shown: Shown::Over },
            (false, frame) => Side { frame: frame.saturating_sub(1), shown: Shown::Idle },
        };
        let sides = [side(0), side(1)];
        let id = if go[0] { left.0 } else { right.0 };
        // A name that both games have, but in another order, comes twice.
        let is_free = |name: &String| steps.iter().all(|step| step.id != *name);
        let mut names = std::iter::once(id.to_owned()).chain((2..).map(|n| format!("{id}-{n}")));
        let id = names.find(is_free).unwrap_or_default();
        steps.push(Step { id, sides });
        at = [0, 1].map(|side| at[side] + usize::from(go[side]));
    }
    steps
}

#[cfg(test)]
mod steps_tests {
    use super::*;

    #[test]
    fn phases_of_one_name_are_one_step_and_a_game_that_is_over_waits_for_the_other() {
        let left = [("S1M", 0.0), ("S1R", 0.0), ("F1M", 0.5), ("end", 9.0)];
        let right = [("S1M", 0.0), ("F1M", 0.5), ("F1R", 0.5), ("W1A", 1.0), ("end", 9.0)];
        let all = steps([&left, &right]);
        let told: Vec<_> = all
            .iter()
            .map(|step| (step.id.as_str(), step.sides.map(|side| (side.frame, side.shown))))
            .collect();
        use Shown::{Idle, Now, Over};
        assert_eq!(
            told,
            [
                ("S1M", [(0, Now), (0, Now)]),
                ("S1R", [(1, Now), (0, Idle)]),
                ("F1M", [(2, Now), (1, Now)]),
                ("F1R", [(3, Over), (2, Now)]),
                ("W1A", [(3, Over), (3, Now)]),
                ("end", [(3, Now), (4, Now)]),
            ]
        );
    }

    #[test]
    fn games_without_a_phase_in_common_follow_their_moments() {
        let all = steps([&[("S1M", 0.0), ("F1M", 0.5), ("end", 9.0)], &[("S1E", 0.25), ("end", 9.0)]]);
        let ids: Vec<&str> = all.iter().map(|step| step.id.as_str()).collect();
        assert_eq!(ids, ["S1M", "S1E", "F1M", "end"]);
    }
}
