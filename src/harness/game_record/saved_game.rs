//! A game of regular Diplomacy as the Python package `diplomacy` saves it, so that programs that read its files can
//! read ours.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::form::{GameRecord, OrderLine, StageRecord};
use upheaval_engine::game::{Ending, Game, Stage};
use upheaval_engine::rules::adjustment::Owed;
use upheaval_engine::rules::variant::Variant;
use upheaval_map::ids::{Power, PowerNames};

/// Only games of regular Diplomacy have such a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "a game of `{0}` cannot be saved for other programs: they only know the standard board, which never changes"
)]
pub struct NotStandard(pub String);

/// The results for which we have the package's own words.
const RESULTS: [&str; 6] = ["bounce", "cut", "dislodged", "disrupted", "no convoy", "disband"];

/// The package's words for results; `ok` is not one of them.
fn words(line: &OrderLine) -> Vec<&str> {
    let word = |word| match word {
        "ok" => vec![],
        "overlap" => vec!["bounce", "disband"],
        shared if RESULTS.contains(&shared) => vec![shared],
        _ => vec!["void"],
    };
    line.result.split(',').flat_map(word).collect()
}

/// A saved game in the making. [`SavedGame::record_state`] must be called before each stage and at the end, as
/// [`super::replay`] calls an observer.
pub struct SavedGame<'a> {
    game_record: &'a GameRecord,
    id: String,
    /// The power that was last in each province.
    influence: BTreeMap<String, Power>,
    phases: Vec<Value>,
}

/// No messages, chosen powers, and unchanged orders.
const RULES: [&str; 3] = ["NO_PRESS", "POWER_CHOICE", "NO_CHECK"];

impl<'a> SavedGame<'a> {
    /// Begins the saved game of a game record that was played with this variant ([`GameRecord::variant`]).
    ///
    /// # Errors
    /// It is not a game of regular Diplomacy.
    pub fn of(game_record: &'a GameRecord, variant: &Variant) -> Result<SavedGame<'a>, NotStandard> {
        let standard = Variant::find("standard", Path::new("")).ok().flatten();
        // The check does not use the name: any rules may have it.
        if !standard.is_some_and(|standard| variant.content() == standard.content()) {
            return Err(NotStandard(game_record.rules.id.clone()));
        }
        let game = &game_record.game;
        let id = format!("{}-{}-{}", game.experiment, game.variant, game.game);
        Ok(SavedGame { game_record, id, influence: BTreeMap::new(), phases: Vec::new() })
    }

    /// The game in the package's form: a line of JSON.
    pub fn to_json_line(&self) -> String {
        format!("{}\n", json!({ "id": self.id, "map": "standard", "rules": RULES, "phases": self.phases }))
    }

    /// Adds the current state of the game.
    pub fn record_state(&mut self, game: &Game) {
        let number = self.phases.len();
        let stage = self.game_record.stages.get(number);
        let name = match game.stage() {
            Stage::Over => "COMPLETED".to_owned(),
            _ => game.phase().to_string(),
        };
        let state = self.state(game, &name, number);
        let none = StageRecord::default();
        let stage = stage.unwrap_or(&none);
        let names = game.power_names();
        let orders = |_, power: &str| {
            let own = stage.orders.iter().filter(|line| line.power == power && !line.was_refused());
            Value::from_iter(own.map(|line| line.order.as_str()))
        };
        let unit = |line: &OrderLine| line.order.split(' ').take(2).collect::<Vec<_>>().join(" ");
        let results: Map<String, Value> = stage
            .orders
            .iter()
            .filter(|line| line.order != "WAIVE")
            .map(|line| (unit(line), words(line).into()))
            .collect();
        self.phases.push(json!({
            "name": name,
            "state": state,
            "orders": by_power(names, orders),
            "results": results,
            "messages": [],
        }));
    }

    fn state(&mut self, game: &Game, name: &str, number: usize) -> Value {
        let (terrain, position) = (game.terrain(), &game.world().position);
        let (names, powers) = (terrain.names(), terrain.power_names());
        let mut record = super::writer::head(game);
        // The package removes a unit without a retreat from the board at once.
        record.dislodged.retain(|unit| !unit.options.is_empty());
        for power in game.powers() {
            for at in position.units_of(power).iter().chain(position.centres_of(power).iter()) {
                let province = names.province(at);
                if position.units_of(power).contains(at) || !self.influence.contains_key(province) {
                    self.influence.insert(province.to_owned(), power);
                }
            }
        }
        let retreats = |_, power: &str| {
            let own = record.dislodged.iter().filter(|unit| unit.power == power);
            Value::Object(own.map(|unit| (unit.unit.clone(), unit.options.clone().into())).collect())
        };
        let units = |_, power: &str| {
            let standing = record.units.get(power).into_iter().flatten().cloned();
            let own = record.dislodged.iter().filter(|unit| unit.power == power);
            Value::from_iter(standing.chain(own.map(|unit| format!("*{}", unit.unit))))
        };
        let homes = |power: Power, _: &str| {
            let mut homes: Vec<&str> = terrain.homes()[power].iter().map(|id| names.province(id)).collect();
            homes.sort_unstable();
            Value::from(homes)
        };
        let builds = |power: Power, _: &str| {
            let owed = if game.stage() == Stage::Adjustments { game.owed(power) } else { Owed::Builds(0) };
            let sites = game.build_sites(power);
            let (count, homes) = match owed {
                Owed::Builds(0) => (0, Vec::new()),
                Owed::Builds(n) => {
                    (n.min(sites.len()) as i64, sites.iter().map(|id| names.province(id)).collect())
                }
                Owed::Removals(n) => (-(n as i64), Vec::new()),
            };
            json!({ "count": count, "homes": homes })
        };
        let influence = |power: Power, _: &str| {
            let own = self.influence.iter().filter(|(_, whose)| **whose == power);
            Value::from_iter(own.map(|(province, _)| province.as_str()))
        };
        json!({
            // This is not a time but the order of the phases, which readers sort by.
            "timestamp": number,
            // The package has its own hash of a position, and recomputes it when a file is read.
            "zobrist_hash": record.state,
            "note": note(game),
            "name": name,
            "units": by_power(powers, units),
            "retreats": by_power(powers, retreats),
            "centers": by_power(powers, |_, power| Value::from(record.centres.get(power).cloned().unwrap_or_default())),
            "homes": by_power(powers, homes),
            "influence": by_power(powers, influence),
            "civil_disorder": by_power(powers, |_, _| 0.into()),
            "builds": by_power(powers, builds),
            "game_id": self.id,
            "map": "standard",
            "rules": RULES,
        })
    }
}

/// How the game ended, in the package's form: the first three letters of each winner.
fn note(game: &Game) -> String {
    let victors: &[Power] = match game.ending() {
        None => return String::new(),
        Some(Ending::Solo(winner)) => std::slice::from_ref(winner),
        Some(Ending::Draw(powers)) => powers,
    };
    let name = |&power: &Power| game.power_names().name(power);
    let victors: Vec<&str> = victors.iter().map(name).map(|name| name.get(..3).unwrap_or(name)).collect();
    format!("Victory by: {}", victors.join(", "))
}

fn by_power(names: &PowerNames, value: impl Fn(Power, &str) -> Value) -> Map<String, Value> {
    let named = names.powers().iter().zip(names.iter());
    named.map(|(power, name)| (name.to_owned(), value(power, name))).collect()
}
