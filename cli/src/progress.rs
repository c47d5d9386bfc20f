//! How far a run is: a bar on a terminal, plain lines every few seconds elsewhere. Both on standard error.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use upheaval::record::GameRow;
use upheaval::sim::{GameSpec, Observer};

/// Seconds between plain lines.
const PAUSE: Duration = Duration::from_secs(5);

/// Shows how far a run is.
pub enum Progress {
    /// On a terminal.
    Bar(ProgressBar),
    /// Elsewhere.
    Lines(Lines),
}

impl Progress {
    /// Starts to show a run of this many games on standard error, of which some are played already.
    pub fn start(total: u64, played: u64) -> Progress {
        if !io::stderr().is_terminal() {
            return Progress::Lines(Lines::start(total, played, Instant::now()));
        }
        let bar = ProgressBar::new(total).with_position(played);
        bar.reset_eta();
        let template = "{bar:30} {human_pos} of {human_len} games  {per_sec}  {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Progress::Bar(bar)
    }

    /// Ends the show.
    pub fn end(&self) {
        match self {
            Progress::Bar(bar) => bar.finish_and_clear(),
            Progress::Lines(lines) => lines.end(Instant::now()),
        }
    }
}

impl Observer for Progress {
    fn played(&self, _: &GameSpec, _: &GameRow) {
        match self {
            Progress::Bar(bar) => bar.inc(1),
            Progress::Lines(lines) => lines.played(Instant::now()),
        }
    }
}

/// Plain lines every few seconds.
pub struct Lines {
    total: u64,
    /// Those that were there at the start.
    before: u64,
    started: Instant,
    done: AtomicU64,
    next: Mutex<Instant>,
}

impl Lines {
    fn start(total: u64, before: u64, now: Instant) -> Lines {
        Lines { total, before, started: now, done: AtomicU64::new(before), next: Mutex::new(now + PAUSE) }
    }

    fn played(&self, now: Instant) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        // Whoever finds the lock taken leaves the line to the one who has it.
        if let Ok(mut next) = self.next.try_lock()
            && now >= *next
        {
            *next = now + PAUSE;
            print(&self.line(done, now));
        }
    }

    fn end(&self, now: Instant) {
        print(&self.line(self.done.load(Ordering::Relaxed), now));
    }

    fn line(&self, done: u64, now: Instant) -> String {
        let seconds = now.duration_since(self.started).as_secs_f64();
        let rate = done.saturating_sub(self.before) as f64 / seconds.max(1e-9);
        let rest = match self.total.saturating_sub(done) {
            0 => format!("in {seconds:.1} s"),
            left => format!("{:.0} s left", left as f64 / rate.max(1e-9)),
        };
        format!("{done} of {} games, {rate:.0} games/s, {rest}", self.total)
    }
}

fn print(line: &str) {
    // Progress that nobody can read is no reason to stop.
    let _ = writeln!(io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_done_rate_and_time_left() {
        let start = Instant::now();
        let lines = Lines::start(100, 0, start);
        assert_eq!(lines.line(20, start + PAUSE), "20 of 100 games, 4 games/s, 20 s left");
        assert_eq!(lines.line(100, start + 2 * PAUSE), "100 of 100 games, 10 games/s, in 10.0 s");
        let lines = Lines::start(100, 60, start);
        assert_eq!(lines.line(80, start + PAUSE), "80 of 100 games, 4 games/s, 5 s left", "it went on");
    }
}
