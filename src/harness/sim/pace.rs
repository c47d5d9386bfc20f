//! The speed of a run in words, and times and sizes with few digits.

use std::time::Duration;

/// A run of games, some of which existed at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunPace {
    /// All games of the run.
    pub total: u64,
    /// Those that existed at the start.
    pub before: u64,
}

impl RunPace {
    /// One line: the games done and their total, the rate, and the time left. `done` includes those that existed at the
    /// start; `elapsed` is the time since the start.
    pub fn line(self, done: u64, elapsed: Duration) -> String {
        let seconds = elapsed.as_secs_f64();
        let rate = done.saturating_sub(self.before) as f64 / seconds.max(1e-9);
        let rest = match self.total.saturating_sub(done) {
            0 => format!("in {seconds:.1} s"),
            left => format!("{:.0} s left", left as f64 / rate.max(1e-9)),
        };
        format!("{done} of {} games, {} games/s, {rest}", self.total, self::rate(rate))
    }
}

/// A rate with two digits or more: `0.042`, `3.7`, `48`, `1,240`.
pub fn rate(per_second: f64) -> String {
    match per_second {
        r if r >= 999.5 => {
            let whole = format!("{r:.0}");
            let parts: Vec<&str> =
                whole.as_bytes().rchunks(3).rev().filter_map(|part| str::from_utf8(part).ok()).collect();
            parts.join(",")
        }
        r if r >= 9.95 => format!("{r:.0}"),
        r if r >= 0.95 => format!("{r:.1}"),
        r if r >= 0.095 => format!("{r:.2}"),
        r => format!("{r:.3}"),
    }
}

/// A time with about two digits: `9.0 s`, `10 min`.
pub fn time(time: Duration) -> String {
    match time.as_secs_f64() {
        s if s < 10.0 => format!("{s:.1} s"),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3600.0),
        s => format!("{:.1} days", s / 86_400.0),
    }
}

/// A size with about two digits: `2 kB`, `12.35 GB`.
pub fn bytes(bytes: u64) -> String {
    match bytes as f64 {
        b if b < 1e6 => format!("{:.0} kB", b / 1e3),
        b if b < 1e9 => format!("{:.1} MB", b / 1e6),
        b => format!("{:.2} GB", b / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_done_rate_and_time_left() {
        let after = Duration::from_secs;
        let pace = RunPace { total: 100, before: 0 };
        assert_eq!(pace.line(20, after(5)), "20 of 100 games, 4.0 games/s, 20 s left");
        assert_eq!(pace.line(100, after(10)), "100 of 100 games, 10 games/s, in 10.0 s");
        let pace = RunPace { total: 100, before: 60 };
        assert_eq!(pace.line(80, after(5)), "80 of 100 games, 4.0 games/s, 5 s left", "it was resumed");
    }

    #[test]
    fn rates_have_as_many_digits_as_say_something() {
        let of = [0.0421, 0.42, 1.0, 3.72, 9.97, 48.3, 999.6, 1_240_000.4].map(rate);
        assert_eq!(of, ["0.042", "0.42", "1.0", "3.7", "10", "48", "1,000", "1,240,000"]);
    }

    #[test]
    fn times_and_sizes_have_a_few_digits() {
        let of = |seconds: f64| time(Duration::from_secs_f64(seconds));
        assert_eq!([of(0.04), of(9.0), of(63.0), of(600.0)], ["0.0 s", "9.0 s", "63 s", "10 min"]);
        assert_eq!([of(9_000.0), of(259_200.0)], ["2.5 h", "3.0 days"]);
        assert_eq!([bytes(1_500), bytes(2_340_000), bytes(12_345_000_000)], ["2 kB", "2.3 MB", "12.35 GB"]);
    }
}
