//! Ratings while games are played: Weng and Lin's Bayesian approximation of the Plackett–Luce model ("A Bayesian
//! Approximation Method for Online Ranking", JMLR 12, 2011), from the crate `skillratings`.
//!
//! They change with every game and so depend on the order in which games end: they are suitable for progress displays,
//! not for results.

use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

use crate::scoring::{Score, places};
use crate::table::{Table, width_of};
use upheaval_harness::record::GameRow;
use upheaval_map::ids::Power;

/// What is known about a bot so far.
#[derive(Clone, Debug, Default)]
struct Entry {
    rating: WengLinRating,
    points: f64,
    seats: u64,
    solos: u64,
    faults: u64,
}

/// The bots of a run in progress.
#[derive(Clone, Debug)]
pub struct Online {
    names: Vec<String>,
    entries: Vec<Entry>,
    score: Score,
    games: u64,
}

impl Online {
    /// Bots that have not played yet.
    pub fn new(names: Vec<String>, score: Score) -> Online {
        Online { entries: vec![Entry::default(); names.len()], names, score, games: 0 }
    }

    /// Adds a game.
    ///
    /// Each seat is a team of one. The rating of a bot in several seats changes by the mean of their updates, since
    /// these are the same evidence seen from several seats.
    pub fn add(&mut self, game: &GameRow) {
        let index = |bot: &str| self.names.iter().position(|name| name == bot);
        let seats: Vec<(Power, usize)> =
            game.seats.iter().filter_map(|(power, seat)| Some((power, index(&seat.bot)?))).collect();
        let (places, points) = (places(game), self.score.points(game));
        let before: Vec<[WengLinRating; 1]> =
            seats.iter().map(|&(_, bot)| [self.entries[bot].rating]).collect();
        let outcome = |power: Power| MultiTeamOutcome::new(usize::from(places[power]));
        let teams = before.iter().zip(&seats).map(|(team, &(power, _))| (&team[..], outcome(power)));
        let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> = teams.collect();
        let after = weng_lin_multi_team(&teams, &WengLinConfig::new());
        for (bot, entry) in self.entries.iter_mut().enumerate() {
            let own = after.iter().zip(&seats).filter(|(_, seat)| seat.1 == bot);
            let own: Vec<WengLinRating> = own.filter_map(|(team, _)| team.first().copied()).collect();
            if own.is_empty() {
                continue;
            }
            let mean = |of: fn(&WengLinRating) -> f64| own.iter().map(of).sum::<f64>() / own.len() as f64;
            entry.rating = WengLinRating { rating: mean(|r| r.rating), uncertainty: mean(|r| r.uncertainty) };
        }
        for (power, bot) in seats {
            let entry = &mut self.entries[bot];
            entry.points += points[power];
            entry.seats += 1;
            entry.solos += u64::from(game.winner == Some(power));
            entry.faults += u64::from(game.seats[power].faults);
        }
        self.games += 1;
    }

    /// How many games it has seen.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The bots as a table, the strongest first.
    pub fn render(&self) -> String {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|&a, &b| self.entries[b].rating.rating.total_cmp(&self.entries[a].rating.rating));
        let width = width_of(&self.names, 3);
        let columns = [("rating so far", 18), (self.score.name(), 14), ("solos", 9), ("faults", 9)];
        let mut text = String::new();
        let mut table = Table::new(&mut text, ("bot", width), columns);
        for bot in order {
            let Entry { rating, points, seats, solos, faults } = &self.entries[bot];
            let skill = format!("{:.1}", rating.rating);
            let mean = format!("{:.*}", self.score.decimals(), points / (*seats).max(1) as f64);
            table.row(&self.names[bot], [skill, mean, solos.to_string(), faults.to_string()]);
        }
        // The table is printed below a progress bar, which ends its lines itself.
        text.truncate(text.trim_end_matches('\n').len());
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scoring::tests::solo;

    #[test]
    fn who_wins_rises_and_who_loses_falls() {
        let mut online = Online::new(vec!["lame".into(), "able".into()], Score::Solo);
        let mut game = solo(34, 2, [3, 3, 18, 3, 3, 2, 2], [0; 7]);
        for (power, seat) in game.seats.iter_mut() {
            seat.bot = if power.index() == 2 { "able" } else { "lame" }.into();
        }
        for _ in 0..20 {
            online.add(&game);
        }
        let text = online.render();
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!((lines.len(), online.games()), (3, 20), "{text}");
        assert_eq!((lines[1][0], &lines[1][2..]), ("able", &["1.000", "20", "0"][..]), "{text}");
        assert_eq!((lines[2][0], &lines[2][2..]), ("lame", &["0.000", "0", "0"][..]), "{text}");
        let rating = |i: usize| lines[i][1].parse::<f64>().unwrap();
        assert!(rating(1) > 25.0 && rating(2) < 25.0, "{text}");
    }
}
