//! Answers of webDiplomacy in both of their forms.

use serde_json::{Value, json};

use super::{COUNTRIES, TERRITORIES, province};
use crate::archive::tests::{START, imported, left_out};
use crate::record::GameRows;
use upheaval_map::ids::{Power, PowerNames};

/// A game as the site keeps it: the orders of each phase with their success.
struct Site {
    units: Vec<Value>,
    phases: Vec<Value>,
}

fn id(place: &str) -> usize {
    TERRITORIES.iter().position(|name| *name == place).expect(place) + 1
}

fn country(power: Power) -> usize {
    COUNTRIES.iter().position(|other| *other == power).expect("a country") + 1
}

fn kind(unit: &str) -> &'static str {
    if unit.starts_with('A') { "Army" } else { "Fleet" }
}

fn of_unit(power: Power, unit: &str) -> Value {
    json!({ "unitType": kind(unit), "terrID": id(&unit[2..]), "countryID": country(power), "retreating": "No" })
}

/// The centres as they were at the start, with other owners of some.
fn centres(taken: &[(&str, Power)]) -> Value {
    let at_start = START.iter().flat_map(|(power, _, centres)| {
        let power = PowerNames::standard().find(power).expect("a power");
        centres.iter().map(move |centre| (*centre, power))
    });
    let own = at_start.filter(|(centre, _)| taken.iter().all(|(other, _)| other != centre));
    let all = own.chain(taken.iter().copied());
    all.map(|(centre, power)| json!({ "terrID": id(centre), "countryID": country(power) })).collect()
}

impl Site {
    fn new() -> Site {
        let of_power = |power: Power| {
            let (_, units, _) =
                START.iter().find(|(name, ..)| *name == PowerNames::standard().name(power)).expect("a power");
            units.iter().map(move |unit| of_unit(power, unit))
        };
        Site { units: COUNTRIES.into_iter().flat_map(of_power).collect(), phases: Vec::new() }
    }

    /// A phase with these orders. In a movement, all other units hold.
    fn phase(
        mut self,
        turn: u32,
        phase: &str,
        centres: &Value,
        orders: &[(Power, &str, &str, &str)],
    ) -> Site {
        let mut entries = Vec::new();
        for (power, unit, what, to) in orders {
            let of_builds = phase == "Builds";
            let toward = if to.is_empty() || of_builds { 0 } else { id(to) };
            entries.push(json!({
                "turn": turn, "phase": phase, "countryID": country(*power), "terrID": id(&unit[2..]),
                "unitType": if of_builds { "" } else { kind(unit) }, "type": what, "toTerrID": toward,
                "fromTerrID": if *what == "Support move" { id("ARM") } else { 0 }, "viaConvoy": "No",
                "success": "Yes", "dislodged": "No",
            }));
        }
        if phase == "Diplomacy" {
            for unit in &self.units {
                if entries.iter().any(|entry| entry["terrID"] == unit["terrID"]) {
                    continue;
                }
                let is_hit = entries
                    .iter()
                    .any(|entry| entry["toTerrID"] == unit["terrID"] && entry["type"] == "Move");
                entries.push(json!({
                    "turn": turn, "phase": phase, "countryID": unit["countryID"], "terrID": unit["terrID"],
                    "unitType": unit["unitType"], "type": "Hold", "toTerrID": 0, "fromTerrID": 0, "viaConvoy": "No",
                    "success": "Yes", "dislodged": if is_hit { "Yes" } else { "No" },
                }));
            }
        }
        let mut units = self.units.clone();
        if phase == "Retreats" {
            for unit in &mut units {
                let retreats = entries.iter().any(|entry| is_of(entry, unit));
                unit["retreating"] = if retreats { "Yes" } else { "No" }.into();
            }
        }
        self.phases.push(json!({
            "turn": turn, "phase": phase, "units": units, "orders": entries.clone(), "centers": centres,
        }));
        for entry in &entries {
            match entry["type"].as_str().expect("a text") {
                "Move" | "Retreat" => {
                    let unit = self.units.iter_mut().find(|unit| is_of(entry, unit)).expect("a unit");
                    unit["terrID"] = entry["toTerrID"].clone();
                }
                "Disband" => self.units.retain(|unit| !is_of(entry, unit)),
                "Destroy" => {
                    let at = |unit: &Value| TERRITORIES[unit["terrID"].as_u64().expect("a number") as usize - 1];
                    let from = TERRITORIES[entry["terrID"].as_u64().expect("a number") as usize - 1];
                    self.units.retain(|unit| province(at(unit)) != province(from));
                }
                "Build Army" => self.units.push(json!({
                    "unitType": "Army", "terrID": entry["terrID"], "countryID": entry["countryID"], "retreating": "No",
                })),
                _ => {}
            }
        }
        self
    }

    /// The answer in today's form.
    fn today(&self, game_over: &str) -> Value {
        let mut phases = self.phases.clone();
        let last = phases.last().expect("a phase").clone();
        phases.push(json!({
            "turn": last["turn"], "phase": "Finished", "units": self.units, "orders": [], "centers": last["centers"],
        }));
        answer(game_over, phases)
    }

    /// The answer as it was before July 2022. If the game was drawn before a movement, the site has a turn too many.
    fn earlier(&self, game_over: &str, is_repeated: bool) -> Value {
        let mut phases = self.phases.clone();
        if is_repeated {
            let turn = phases.last().expect("a phase")["turn"].clone();
            for mut phase in self.phases.iter().filter(|phase| phase["turn"] == turn).cloned() {
                let next = turn.as_u64().expect("a number") + 1;
                phase["turn"] = next.into();
                phase["orders"]
                    .as_array_mut()
                    .expect("a list")
                    .iter_mut()
                    .for_each(|order| order["turn"] = next.into());
                phases.push(phase);
            }
        }
        let last = phases.last_mut().expect("a phase");
        let ordered = |order: &Value| {
            let retreating = if last["phase"] == "Retreats" { "Yes" } else { "No" };
            json!({ "unitType": order["unitType"], "terrID": order["terrID"], "countryID": order["countryID"],
                    "retreating": retreating })
        };
        let orders = last["orders"].as_array().expect("a list").iter();
        let units: Value = orders.filter(|order| order["type"] != "Build Army").map(ordered).collect();
        last["units"] = units;
        answer(game_over, phases)
    }
}

fn is_of(entry: &Value, unit: &Value) -> bool {
    ["countryID", "terrID", "unitType"].into_iter().all(|key| entry[key] == unit[key])
}

fn answer(game_over: &str, phases: Vec<Value>) -> Value {
    json!({ "gameID": 3, "variantID": 1, "gameOver": game_over, "phases": phases })
}

/// The rows of a game, without its place in a file.
fn rows(answer: &Value) -> GameRows {
    let (mut games, ..) = imported(&answer.to_string());
    assert_eq!(games.len(), 1);
    games.remove(0)
}

/// Turkey takes Sevastopol, from where the fleet retreats to this place or is disbanded, and Germany takes Warsaw.
fn sevastopol(retreat: &str) -> Site {
    let (turkey, russia, germany) = (Power::TURKEY, Power::RUSSIA, Power::GERMANY);
    let start = centres(&[]);
    let went = if retreat.is_empty() { "Disband" } else { "Retreat" };
    let spring = [
        (turkey, "F ANK", "Move", "BLA"),
        (turkey, "A SMY", "Move", "ARM"),
        (russia, "A WAR", "Move", "UKR"),
        (germany, "A BER", "Move", "PRU"),
    ];
    let fall = [
        (turkey, "A ARM", "Move", "SEV"),
        (turkey, "F BLA", "Support move", "SEV"),
        (germany, "A PRU", "Move", "WAR"),
    ];
    let site = Site::new().phase(0, "Diplomacy", &start, &spring).phase(1, "Diplomacy", &start, &fall);
    site.phase(1, "Retreats", &start, &[(russia, "F SEV", went, retreat)])
}

/// That game with its Winter, in which Russia removes its fleet in St Petersburg.
fn winter(retreat: &str, orders: &[(Power, &str, &str, &str)]) -> Site {
    let mut taken = vec![("SEV", Power::TURKEY), ("WAR", Power::GERMANY)];
    if retreat == "RUM" {
        taken.push(("RUM", Power::RUSSIA));
    }
    let removal = (Power::RUSSIA, "F STP", "Destroy", "");
    sevastopol(retreat).phase(1, "Builds", &centres(&taken), &[orders, &[removal]].concat())
}

#[test]
fn an_answer_from_before_july_2022_is_imported_as_todays() {
    let build = (Power::TURKEY, "A SMY", "Build Army", "");
    let without_retreats = || {
        let mut site = sevastopol("RUM");
        site.phases.pop();
        // The game was drawn before the fleet retreated, and the site has its unit no more.
        site.units.retain(|unit| unit["terrID"] != id("RUM"));
        site
    };
    for (what, site, removed, is_repeated) in [
        ("after a movement", without_retreats(), 0, false),
        ("after a retreat", sevastopol("RUM"), 0, false),
        ("after a disbandment", sevastopol(""), 0, false),
        ("after a winter", winter("RUM", &[build]), 1, false),
        ("after a winter that only removes", winter("", &[]), 1, false),
        ("after a winter, before a movement", winter("RUM", &[build]), 1, true),
        ("after a winter that only removes, before a movement", winter("", &[]), 1, true),
    ] {
        let (today, earlier) = (rows(&site.today("Drawn")), rows(&site.earlier("Drawn", is_repeated)));
        assert_eq!(format!("{today:?}"), format!("{earlier:?}"), "{what}");
        assert_eq!(today.game.last_phase.year, 1901, "{what}");
        assert!(today.game.seats.iter().all(|(_, seat)| seat.faults == 0), "{what}");
        let orders = |kind: &str| today.orders.iter().filter(|order| order.order.contains(kind)).count();
        assert_eq!(orders(" S A ARM - SEV"), 1, "{what}: the last movement is played");
        assert_eq!(orders("F STP/SC D"), removed, "{what}");
    }
}

#[test]
fn what_an_earlier_answer_says_of_success_is_compared() {
    let mut wrong = sevastopol("RUM").earlier("Drawn", false);
    wrong["phases"][2]["orders"][0]["success"] = "No".into();
    let said = "game `3`: the end, RUM: the file has nothing; by the rules: RUSSIA F RUM";
    assert_eq!(left_out(&wrong), said);
    let mut wrong = sevastopol("RUM").earlier("Drawn", false);
    wrong["phases"][2]["units"][0]["terrID"] = id("UKR").into();
    let said = "game `3`: F1901R, SEV: the file has nothing; by the rules: RUSSIA F SEV, dislodged";
    assert_eq!(left_out(&wrong), said);
}

#[test]
fn orders_of_a_last_phase_without_the_end_are_played() {
    // A game that is not over, of which the phase that it waits for is missing.
    let site = sevastopol("RUM");
    let mut answer = answer("No", site.phases[..2].to_vec());
    let going_on = rows(&answer);
    assert_eq!(going_on.orders.iter().filter(|order| &*order.order == "A ARM - SEV").count(), 1);
    assert_eq!(going_on.game.last_phase.to_string(), "F1901M");
    // With that phase, whose orders are awaited, the rows are the same.
    let mut waiting = site.phases[2].clone();
    waiting["orders"] = json!([]);
    answer["phases"].as_array_mut().expect("a list").push(waiting);
    assert_eq!(format!("{going_on:?}"), format!("{:?}", rows(&answer)));
}
