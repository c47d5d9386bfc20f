//! A game without and with a change, with both boards side by side up to the first difference.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::dark;
use super::frame::Scene;
use crate::page::{head, style_sheet};
use upheaval_engine::game::Game;
use upheaval_harness::game_record::{FormError, GameRecord, Mismatch, replay};
use upheaval_map::ids::{ByPower, Power};
use upheaval_picture::Layout;

/// Why two games cannot be shown side by side.
#[derive(Debug, thiserror::Error)]
pub enum Beside {
    /// The rules of one game cannot be used.
    #[error(transparent)]
    Rules(#[from] FormError),
    /// One game differs from its record.
    #[error(transparent)]
    Differs(#[from] Mismatch),
}

/// A step of one of the games.
struct Step {
    heading: String,
    said: String,
    board: String,
    centres: ByPower<usize>,
}

/// The page of two games that are the same up to the stage with this number, with a description of the change. Boards
/// are side by side from that stage on until they first differ; below them are the centres at the end.
///
/// # Errors
/// One of the games cannot be played from its record.
pub fn beside(was: &GameRecord, is: &GameRecord, from: usize, otherwise: &str) -> Result<String, Beside> {
    let until = first_difference(was, is, from);
    let (left, right) = (steps(was, from..=until, "was")?, steps(is, from..=until, "is")?);
    let game = &was.game;
    let title = format!("{}, game {} of {}: what if", game.variant, game.game, game.experiment);
    let style = [style_sheet(was.powers()), STYLE.to_owned(), dark::rules(was.powers())].concat();
    let ends = [&left, &right].map(|steps| steps.last().map(|step| &step.centres));
    let page = html! {
        (DOCTYPE)
        html lang="en-GB" {
            (head(&title, &style, None))
            body.beside {
                header {
                    h1 { (title) }
                    p.lede { "On the left the game as it was, on the right the game in which " (otherwise) ", with the same dice, to the first difference." }
                }
                @for (i, step) in left.iter().enumerate().take(left.len().saturating_sub(1)) {
                    section.pair {
                        (side(step, "As it was"))
                        @if let Some(step) = right.get(i).filter(|_| i + 1 < right.len()) { (side(step, "Otherwise")) }
                    }
                }
                table {
                    caption { "Centres at the end" }
                    thead { tr { th scope="col" { "Power" } th scope="col" { "As it was" } th scope="col" { "Otherwise" } } }
                    tbody { @for power in was.powers() { tr {
                        th scope="row" { (power.proper_name()) }
                        @for end in ends { td { @if let Some(centres) = end { (centres[power]) } } }
                    } } }
                }
                p { "As it was: " (was.outcome()) ". Otherwise: " (is.outcome()) "." }
            }
        }
    };
    Ok(page.into_string() + "\n")
}

const STYLE: &str = "body.beside{max-width:none}.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));\
    gap:1rem;margin-block:1rem}.pair svg{width:100%;height:auto}";

/// The first stage from this one on before which the games differ, or the last that both have.
fn first_difference(was: &GameRecord, is: &GameRecord, from: usize) -> usize {
    let last = was.stages.len().min(is.stages.len()).saturating_sub(1);
    let differs = |i: &usize| {
        (&was.stages[*i].state, &was.stages[*i].phase) != (&is.stages[*i].state, &is.stages[*i].phase)
    };
    (from..=last).find(differs).unwrap_or(last)
}

/// The steps of a game in this range, and its end without a board.
fn steps(
    game: &GameRecord,
    range: std::ops::RangeInclusive<usize>,
    prefix: &str,
) -> Result<Vec<Step>, Beside> {
    let mut steps = Vec::new();
    let (mut behind, mut layout): (usize, Option<Layout>) = (0, None);
    let centres = |game: &Game| {
        ByPower::from_fn(game.powers(), |power: Power| game.world().position.centres_of(power).len())
    };
    let end = replay(game, game.variant("the game")?, &mut |at: &Game| {
        if range.contains(&behind) {
            let chart = at.terrain().chart();
            let drawn = layout.take().map_or_else(|| Layout::of(chart), |before| before.next(chart));
            let scene = Scene { game_record: game, behind, game: at, layout: &drawn };
            steps.push(Step {
                heading: scene.heading(),
                said: scene.in_a_line(),
                board: scene.board(&format!("{prefix}{behind}")),
                centres: centres(at),
            });
            layout = Some(drawn);
        }
        behind += 1;
    })?;
    steps.push(Step {
        heading: String::new(),
        said: String::new(),
        board: String::new(),
        centres: centres(&end),
    });
    Ok(steps)
}

fn side(step: &Step, name: &str) -> Markup {
    html! {
        div {
            h2 { (name) ": " (step.heading) }
            p.said { (step.said) }
            (PreEscaped(&step.board))
        }
    }
}
