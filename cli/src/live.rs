//! Standings while a tournament is played: below the progress bar on a terminal; otherwise only the progress. All on
//! standard error, so that standard output does not depend on the terminal.

use std::io::{self, IsTerminal};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use upheaval::analysis::online::Online;
use upheaval::record::GameRow;
use upheaval::sim::{GameSpec, Observer};

use crate::progress::{Progress, is_silent, style};
use crate::terminal::readable;

/// How often the table is redrawn.
const PAUSE: Duration = Duration::from_millis(400);

/// Shows the progress of a tournament, and its leaders.
pub(crate) enum Live {
    /// On a terminal.
    Table {
        /// The bar, with the table as its message.
        bar: ProgressBar,
        /// The ratings so far, and when to draw them next.
        online: Box<Mutex<(Online, Instant)>>,
    },
    /// Not on a terminal.
    Plain(Progress),
}

impl Live {
    /// Begins the display of a tournament of this many games, of which some have been played: those that `online`
    /// knows.
    pub(crate) fn start(total: u64, online: Online) -> Live {
        let played = online.games();
        if is_silent() || !io::stderr().is_terminal() {
            return Live::Plain(Progress::start(total, played));
        }
        let bar = ProgressBar::new(total).with_position(played);
        bar.reset_eta();
        if let Some(style) = style("\n\n{msg}\n") {
            bar.set_style(style);
        }
        bar.set_message(readable(&online.render()).into_owned());
        Live::Table { bar, online: Box::new(Mutex::new((online, Instant::now() + PAUSE))) }
    }

    /// Ends the display.
    pub(crate) fn end(&self) {
        match self {
            Live::Table { bar, .. } => bar.finish_and_clear(),
            Live::Plain(progress) => progress.end(),
        }
    }
}

impl Observer for Live {
    fn played(&self, spec: &GameSpec, game: &GameRow) {
        match self {
            Live::Plain(progress) => progress.played(spec, game),
            Live::Table { bar, online } => {
                if let Ok(mut seen) = online.lock() {
                    let (online, next) = &mut *seen;
                    online.add(game);
                    if Instant::now() >= *next {
                        *next = Instant::now() + PAUSE;
                        bar.set_message(readable(&online.render()).into_owned());
                    }
                }
                bar.inc(1);
            }
        }
    }
}
