//! Bot faults: for each bot its seats, and the category of each seat.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use crate::table::Table;
use upheaval_engine::bot::Conduct;
use upheaval_harness::record::GameRow;
use upheaval_harness::sim::USUAL_SHARE;
use upheaval_harness::sim::faults::{ByConduct, FaultCounts};

/// The seats of each bot by the gravest fault in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    bots: FaultCounts,
    voided: u64,
}

impl Faults {
    /// Adds a game.
    pub(crate) fn add(&mut self, game: &GameRow) {
        self.voided += u64::from(game.voided);
        self.bots.add(game);
    }

    /// Adds the games of others.
    pub(crate) fn merge(&mut self, other: Faults) {
        self.voided += other.voided;
        self.bots.merge(other.bots);
    }

    /// A sentence for each bot that failed in more games than a run permits by default, to stand before every result of
    /// these games; empty if there is none.
    pub fn warnings(&self) -> Vec<String> {
        let failing = self.bots.above(USUAL_SHARE, 0);
        failing
            .map(|count| {
                format!("{} failed in {count}: the results below do not show how it plays", count.bot)
            })
            .collect()
    }

    /// The same as the first lines of a text.
    pub fn heading(&self) -> String {
        self.warnings().iter().map(|warning| format!("{warning}\n")).collect()
    }

    /// Was there any fault?
    pub fn any(&self) -> bool {
        self.bots.iter().any(|(_, counts)| counts[1..].iter().any(|&count| count > 0))
    }

    /// The table as an object: of each bot in `bots` the seats by their gravest fault, and how many tries of games were
    /// `voided`.
    pub fn to_json(&self) -> Value {
        let of_bot = |(bot, counts): (&str, &ByConduct)| {
            let words = Conduct::ALL.iter().zip(counts);
            (
                bot.to_owned(),
                Value::Object(words.map(|(word, n)| (word.name().to_owned(), json!(n))).collect()),
            )
        };
        let bots: Map<String, Value> = self.bots.iter().map(of_bot).collect();
        json!({ "bots": bots, "voided": self.voided, "warnings": self.warnings() })
    }

    /// The table as plain text.
    pub fn render(&self) -> String {
        let mut text = String::new();
        let words = Conduct::ALL.map(|word| (word.name(), 9));
        let mut table = Table::new(&mut text, ("bot", 20), [("games", 8)].into_iter().chain(words));
        for (bot, counts) in self.bots.iter() {
            table.row(bot, [counts.iter().sum::<u64>()].iter().chain(counts));
        }
        if self.voided > 0 {
            // Writing into a string cannot fail.
            let _ = writeln!(text, "{} attempts at games were void and played again", self.voided);
        }
        text.push_str(
            "a game counts for each power that the bot plays in it, under its gravest fault (docs/bot-protocol.md)\n",
        );
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use upheaval_harness::sim::mock;
    use upheaval_map::ids::Power;

    #[test]
    fn each_seat_counts_once_under_its_gravest_fault() {
        let mut faults = Faults::default();
        let mut game = mock::game(0).game;
        faults.add(&game);
        assert!(!faults.any());
        game.seats[Power::FRANCE].fault = Conduct::Crash;
        game.seats[Power::ITALY].fault = Conduct::Illegal;
        game.voided = 2;
        faults.add(&game);
        assert!(faults.any());
        let bot = &*game.seats[Power::FRANCE].bot;
        let of_bot = &faults.to_json()["bots"][bot];
        assert_eq!(
            [&of_bot["ok"], &of_bot["crash"], &of_bot["illegal"], &of_bot["timeout"]],
            [&json!(12), &json!(1), &json!(1), &json!(0)]
        );
        assert_eq!(faults.to_json()["voided"], 2);
        let text = faults.render();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[1].split_whitespace().collect::<Vec<_>>(),
            [bot, "14", "12", "0", "1", "0", "0", "1"]
        );
        assert_eq!(lines[2], "2 attempts at games were void and played again");
    }

    #[test]
    fn a_bot_that_failed_in_many_games_is_named_before_the_results() {
        let mut faults = Faults::default();
        let mut game = mock::game(0).game;
        let bot = game.seats[Power::FRANCE].bot.to_string();
        let own = game.seats.rows().iter().filter(|seat| *seat.bot == *bot).count();
        faults.add(&game);
        assert_eq!(faults.heading(), "");
        for (_, seat) in game.seats.iter_mut().filter(|(_, seat)| *seat.bot == *bot) {
            seat.fault = Conduct::Crash;
        }
        faults.add(&game);
        let expected = format!(
            "{bot} failed in {own} of its {} games (crash {own}): the results below do not show how it plays\n",
            2 * own
        );
        assert_eq!(faults.heading(), expected);
    }
}
