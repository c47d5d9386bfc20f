//! Bot faults: for each bot its seats, and the category of each seat.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::table::Table;
use upheaval_engine::bot::Conduct;
use upheaval_harness::record::GameRow;

/// The seats of each bot by the gravest fault in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    bots: BTreeMap<String, [u64; Conduct::ALL.len()]>,
    voided: u64,
}

impl Faults {
    /// Adds a game.
    pub fn add(&mut self, game: &GameRow) {
        self.voided += u64::from(game.voided);
        for seat in game.seats.rows() {
            let name = &*seat.bot;
            if !self.bots.contains_key(name) {
                self.bots.insert(name.to_owned(), Default::default());
            }
            let place = Conduct::ALL.iter().position(|&word| word == seat.fault);
            if let (Some(counts), Some(place)) = (self.bots.get_mut(name), place) {
                counts[place] += 1;
            }
        }
    }

    /// How many seats of a bot are in a category.
    pub fn count(&self, bot: &str, word: Conduct) -> u64 {
        let place = Conduct::ALL.iter().position(|&other| other == word);
        self.bots.get(bot).zip(place).map_or(0, |(counts, place)| counts[place])
    }

    /// Was there any fault?
    pub fn any(&self) -> bool {
        self.bots.values().any(|counts| counts[1..].iter().any(|&count| count > 0))
    }

    /// The table as plain text.
    pub fn render(&self) -> String {
        let mut text = String::new();
        let words = Conduct::ALL.map(|word| (word.name(), 9));
        let mut table = Table::new(&mut text, ("bot", 20), [("games", 8)].into_iter().chain(words));
        for (bot, counts) in &self.bots {
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
        let counts = [Conduct::Ok, Conduct::Crash, Conduct::Illegal].map(|word| faults.count(bot, word));
        assert_eq!(counts, [12, 1, 1]);
        let text = faults.render();
        let row: Vec<&str> = text.lines().nth(1).unwrap().split_whitespace().collect();
        assert_eq!(row, [bot, "14", "12", "0", "1", "0", "0", "1"]);
        assert!(text.contains("\n2 attempts at games were void"), "{text}");
    }
}
