//! A game as one page to step through: the board of each stage with its orders, changes of the map, tables of orders,
//! and the centres over the years.
//!
//! ```text
//!   replay ──game──▶ Viewer ──▶ frames: heading, table (HTML), board (SVG, its lines kept once) ──▶ page
//!                              │
//!                        orders as arrows, events as outlines
//! ```
//! Each frame shows the board before a stage, the orders that are given on it with their results, and outlines of
//! changes of the map: dashed for coming ones, solid for past ones. The same game gives the same bytes.

mod beside;
mod frame;
mod page;
mod sheet;

use upheaval_engine::game::Game;
use upheaval_harness::game_record::{GameRecord, OrderLine, StageRecord};
use upheaval_picture::Layout;

pub use beside::{Beside, beside};
use frame::{Frame, FrameSubject};
use sheet::Sheet;

/// A page in the making. [`Viewer::record_state`] must be called before each stage and at the end, as
/// [`upheaval_harness::game_record::replay`] calls an observer.
pub struct Viewer<'a> {
    game_record: &'a GameRecord,
    /// The board that was drawn last, by the hash of its map.
    drawn: Option<(u64, Layout)>,
    /// The first stage that has a frame.
    from: usize,
    /// The number of stages so far.
    behind: usize,
    /// What the ids of the boards begin with.
    prefix: &'static str,
    sheet: Sheet,
    frames: Vec<Frame>,
}

impl<'a> Viewer<'a> {
    /// Begins the page of a game.
    pub fn of(game_record: &'a GameRecord) -> Viewer<'a> {
        Viewer::since(game_record, 0)
    }

    /// Begins the page of the part of a game that begins with the stage of this number. The states before it must be
    /// added, too.
    pub fn since(game_record: &'a GameRecord, from: usize) -> Viewer<'a> {
        Viewer {
            game_record,
            drawn: None,
            from,
            behind: 0,
            prefix: "map",
            sheet: Sheet::default(),
            frames: Vec::new(),
        }
    }

    /// Adds the current state of the game.
    pub fn record_state(&mut self, game: &Game) {
        let (terrain, hash) = (game.terrain(), game.terrain().hash());
        let layout = match self.drawn.take() {
            Some((of, layout)) if of == hash => layout,
            Some((_, before)) => before.next(terrain.chart()),
            None => Layout::of(terrain.chart()),
        };
        // A drawing depends on those before it, so boards are laid out before the first frame, too.
        if self.behind >= self.from {
            let scene =
                FrameSubject { game_record: self.game_record, behind: self.behind, game, layout: &layout };
            let id = name_of(scene.stage(), |name| self.frames.iter().all(|frame| frame.id != name));
            self.frames.push(Frame::of(&scene, id, self.prefix, &mut self.sheet));
        }
        self.drawn = Some((hash, layout));
        self.behind += 1;
    }

    /// The boards of the page, an SVG element each: those before stages have their orders.
    pub fn boards(&self) -> impl Iterator<Item = String> {
        self.frames.iter().map(|frame| self.sheet.board(&frame.board))
    }

    /// The page.
    pub fn html(&self) -> String {
        page::html(self.game_record, &self.frames, &self.sheet)
    }
}

/// A position as a picture, one SVG element, with orders as arrows: solid if they succeed.
pub fn picture(game: &Game, orders: Vec<OrderLine>) -> String {
    let layout = Layout::of(game.terrain().chart());
    let stage = StageRecord { stage: game.stage().name().to_owned(), orders, ..StageRecord::default() };
    frame::picture(game, &layout, &stage)
}

/// The name of a frame in links: its phase, and what is waited for if there is a frame of that phase before it.
fn name_of(stage: Option<&StageRecord>, is_free: impl Fn(&str) -> bool) -> String {
    let Some(stage) = stage else { return "end".to_owned() };
    let long = format!("{}-{}", stage.phase, stage.stage);
    let longer = (2..).map(|n| format!("{long}-{n}"));
    let mut names = [stage.phase.clone(), long.clone()].into_iter().chain(longer);
    names.find(|name| is_free(name)).unwrap_or_default()
}
