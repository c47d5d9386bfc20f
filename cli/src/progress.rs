//! The progress of a run: a bar on a terminal, otherwise plain lines every few seconds. A tournament on a terminal has
//! its standings below the bar. All of it goes to standard error, so that standard output does not depend on the
//! terminal.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use upheaval::analysis::online::Online;
use upheaval::record::GameRow;
use upheaval::sim::pace::rate;
use upheaval::sim::{GameSpec, Observer, RunPace};

use crate::readable::readable;

/// Seconds between plain lines.
const PAUSE: Duration = Duration::from_secs(5);

/// Is progress suppressed? A flag of the whole process, like standard error.
static SILENT: AtomicBool = AtomicBool::new(false);

/// Suppresses all progress, as `--quiet` asks for.
pub(crate) fn silence() {
    SILENT.store(true, Ordering::Relaxed);
}

/// Is progress suppressed?
pub(crate) fn is_silent() -> bool {
    SILENT.load(Ordering::Relaxed)
}

/// Shows the progress of a run.
pub(crate) enum Progress {
    /// Nowhere.
    Silent,
    /// On a terminal, for a tournament with its leaders.
    Bar(ProgressBar, Option<Mutex<Leaders>>),
    /// Not on a terminal.
    Lines(Lines),
}

/// The leaders of a tournament, and when they are drawn next.
pub(crate) struct Leaders(Box<Online>, Instant);

/// The time between two drawings of the leaders.
const REDRAW: Duration = Duration::from_millis(400);

impl Progress {
    /// Begins the display of a run of this many games on standard error, of which some have been played.
    pub(crate) fn start(total: u64, played: u64) -> Progress {
        Progress::begin(total, played, None)
    }

    /// Begins the display of a tournament of this many games, of which `online` knows the games played.
    pub(crate) fn of_tournament(total: u64, online: Online) -> Progress {
        Progress::begin(total, online.games(), Some(online))
    }

    fn begin(total: u64, played: u64, online: Option<Online>) -> Progress {
        if is_silent() {
            return Progress::Silent;
        }
        if !io::stderr().is_terminal() {
            return Progress::Lines(Lines::start(RunPace { total, before: played }, Instant::now()));
        }
        let bar = ProgressBar::new(total).with_position(played);
        bar.reset_eta();
        if let Some(style) = style(if online.is_some() { "\n\n{msg}\n" } else { "" }) {
            bar.set_style(style);
        }
        let leaders = online.map(|online| {
            bar.set_message(readable(&online.render()).into_owned());
            Mutex::new(Leaders(Box::new(online), Instant::now() + REDRAW))
        });
        Progress::Bar(bar, leaders)
    }

    /// Runs a function that prints on standard output, with the bar hidden.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        match self {
            Progress::Bar(bar, _) => bar.suspend(print),
            Progress::Lines(_) | Progress::Silent => print(),
        }
    }

    /// Ends the display.
    pub(crate) fn end(&self) {
        match self {
            Progress::Silent => {}
            Progress::Bar(bar, _) => bar.finish_and_clear(),
            Progress::Lines(lines) => lines.end(Instant::now()),
        }
    }
}

impl Observer for Progress {
    fn played(&self, _: &GameSpec, game: &GameRow) {
        match self {
            Progress::Silent => {}
            Progress::Bar(bar, leaders) => {
                if let Some(Ok(mut leaders)) = leaders.as_ref().map(Mutex::lock) {
                    let Leaders(online, next) = &mut *leaders;
                    online.add(game);
                    if Instant::now() >= *next {
                        *next = Instant::now() + REDRAW;
                        bar.set_message(readable(&online.render()).into_owned());
                    }
                }
                bar.inc(1);
            }
            Progress::Lines(lines) => lines.played(Instant::now()),
        }
    }
}

/// The bar with its numbers, and more lines below it. `None` if the template is malformed.
fn style(below: &str) -> Option<ProgressStyle> {
    let template =
        format!("{{bar:30}} {{human_pos}} of {{human_len}} games  {{rate}} games/s  {{eta}} left{below}");
    let style = ProgressStyle::with_template(&template).ok()?;
    Some(style.with_key("rate", |state: &ProgressState, text: &mut dyn fmt::Write| {
        // Writing into the bar's line cannot fail.
        let _ = text.write_str(&rate(state.per_sec()));
    }))
}

/// Plain lines every few seconds.
pub(crate) struct Lines {
    pace: RunPace,
    started: Instant,
    done: AtomicU64,
    next: Mutex<Instant>,
}

impl Lines {
    fn start(pace: RunPace, now: Instant) -> Lines {
        Lines { pace, started: now, done: AtomicU64::new(pace.before), next: Mutex::new(now + PAUSE) }
    }

    fn played(&self, now: Instant) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        // A thread that finds the lock taken leaves the line to its owner.
        if let Ok(mut next) = self.next.try_lock()
            && now >= *next
        {
            *next = now + PAUSE;
            self.print(done, now);
        }
    }

    fn end(&self, now: Instant) {
        self.print(self.done.load(Ordering::Relaxed), now);
    }

    fn print(&self, done: u64, now: Instant) {
        // If the progress cannot be printed, the run continues.
        let _ = writeln!(io::stderr(), "{}", self.pace.line(done, now.duration_since(self.started)));
    }
}
