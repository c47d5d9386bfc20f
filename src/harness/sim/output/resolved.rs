//! `experiment.resolved.json` read again: what of an experiment can be told from its run folder.

use serde_json::Value;

use crate::sim::experiment::{Deal, LineUp, LineUps, Logging, Seating};
use crate::sim::schedule::{Plan, Schedule};
use crate::sim::shard::Shard;
use upheaval_map::ids::{ByPower, Power};

/// An experiment, as far as its canonical form tells.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    /// Its name.
    pub name: String,
    /// The root seed.
    pub seed: u64,
    /// Games of each arm.
    pub games: u32,
    /// The last year that is played.
    pub last_year: u16,
    /// Whether orders are recorded.
    pub logging: Logging,
    /// The ids of its arms, in order.
    pub arms: Vec<String>,
    /// The names of its bots, in order.
    pub bots: Vec<String>,
    /// Who plays which power.
    pub seating: Seating,
    /// Which version of games it is of.
    pub behaviour_version: u64,
    /// Which version of tables it is of.
    pub schema_version: u64,
}

impl Resolved {
    /// Reads the file's text. An error says in words what it lacks.
    pub fn read(text: &str) -> Result<Resolved, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| format!("is no JSON: {error}"))?;
        let lacks = |what: &str| format!("has no sound `{what}`");
        let names = |list: &str, key: &str| -> Option<Vec<String>> {
            value[list].as_array()?.iter().map(|item| item[key].as_str().map(str::to_owned)).collect()
        };
        let number = |key: &str| value[key].as_u64().ok_or_else(|| lacks(key));
        let bots = names("bots", "name").ok_or_else(|| lacks("bots"))?;
        let orders = value["log"]["orders"].as_bool().ok_or_else(|| lacks("log"))?;
        Ok(Resolved {
            name: value["name"].as_str().ok_or_else(|| lacks("name"))?.to_owned(),
            seed: number("seed")?,
            games: number("games")?.try_into().map_err(|_| lacks("games"))?,
            last_year: number("last_year")?.try_into().map_err(|_| lacks("last_year"))?,
            logging: if orders { Logging::WithOrders } else { Logging::WithoutOrders },
            arms: names("variants", "id").ok_or_else(|| lacks("variants"))?,
            seating: seating(&value["seats"], &bots).ok_or_else(|| lacks("seats"))?,
            bots,
            behaviour_version: number("behaviour_version")?,
            schema_version: number("schema_version")?,
        })
    }

    /// Its games, in parts of this size.
    pub fn schedule(&self, games_a_part: u32, shard: Option<Shard>) -> Schedule {
        Schedule::of(&Plan {
            variants: self.arms.len(),
            games: self.games,
            bots: self.bots.iter().map(String::as_str).collect(),
            seating: &self.seating,
            chunk: games_a_part,
            shard: shard.unwrap_or(Shard::WHOLE),
            seed: self.seed,
            last_year: self.last_year,
            logging: self.logging,
        })
    }
}

fn seating(seats: &Value, bots: &[String]) -> Option<Seating> {
    let bot = |name: &Value| bots.iter().position(|bot| name.as_str() == Some(bot));
    let line_up = |list: &Value| -> Option<LineUp> {
        list.as_array()?.iter().map(bot).collect::<Option<Vec<_>>>()?.try_into().ok()
    };
    if let Some(one) = seats.get("lineup") {
        return Some(Seating::Rotated(line_up(one)?.into()));
    }
    if let Some(several) = seats.get("lineups") {
        let list: Vec<LineUp> = several.as_array()?.iter().map(line_up).collect::<Option<_>>()?;
        let deal = match seats["each_block"].as_str()? {
            "all" => Deal::EveryBlock,
            "next" => Deal::InTurn,
            _ => return None,
        };
        return (!list.is_empty()).then_some(Seating::Rotated(LineUps { list, deal }));
    }
    let mut fixed = ByPower([0; Power::COUNT]);
    for power in Power::ALL {
        fixed[power] = bot(&seats[power.name()])?;
    }
    Some(Seating::Fixed(fixed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::mock;

    #[test]
    fn an_experiment_comes_back_with_the_same_games() {
        for seats in ["fixed", "rotated", "orders"] {
            let experiment = mock::experiment(seats, 700);
            let resolved = Resolved::read(&experiment.resolved()).unwrap();
            let (schedule, size) = (Schedule::new(&experiment), Schedule::new(&experiment).chunk_size());
            let again = resolved.schedule(size, None);
            assert!(schedule.chunks().eq(again.chunks()), "{seats}");
            for game in [0, 1, 6, 7, 699] {
                assert_eq!(schedule.game(1, game), again.game(1, game), "{seats}");
            }
        }
    }

    #[test]
    fn what_is_lacking_is_named() {
        let text = mock::experiment("rotated", 7).resolved();
        assert!(Resolved::read("{").unwrap_err().starts_with("is no JSON"));
        for (piece, by, what) in [
            ("\"games\"", "\"gams\"", "games"),
            ("\"lineup\"", "\"x\"", "seats"),
            ("\"id\"", "\"i\"", "variants"),
        ] {
            assert!(text.contains(piece), "{piece}");
            assert_eq!(
                Resolved::read(&text.replace(piece, by)).unwrap_err(),
                format!("has no sound `{what}`")
            );
        }
    }
}
