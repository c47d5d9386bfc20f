//! Answers of webDiplomacy in both of their forms.

use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::archive::tests::{imported, left_out};
use crate::record::GameRows;

/// The number of Silesia, to which Germany's army retreats from Munich.
const SILESIA: u64 = 40;

/// A game as the site keeps it: the orders of each phase with their success, and the units after the last.
struct Site {
    phases: Vec<Value>,
    units: Vec<Value>,
}

fn list<'a>(of: &'a mut Value, key: &str) -> &'a mut Vec<Value> {
    of[key].as_array_mut().expect("a list")
}

/// The phases of a game.
static PHASES: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let text = testkit::read("tests/data/people/status.json");
    let game: Value = serde_json::from_str(&text).expect("JSON");
    game["phases"].as_array().expect("a list").clone()
});

/// The first phases of a game of a year, of which there are two movements, a retreat and a winter.
fn first(count: usize) -> Site {
    let mut phases = PHASES.clone();
    // If the game was drawn before a unit retreated, the site does not have it any more.
    let mut units = list(&mut phases[count], "units").clone();
    units.retain(|unit| unit["retreating"] == "No");
    phases.truncate(count);
    Site { phases, units }
}

/// The same up to the retreat, but the army is disbanded.
fn disbanded() -> Site {
    let mut site = first(3);
    site.phases[2]["orders"][0]["type"] = "Disband".into();
    site.units.retain(|unit| unit["terrID"] != SILESIA);
    site
}

/// The same up to the winter, in which units are only removed.
fn only_removed() -> Site {
    let mut site = first(4);
    list(&mut site.phases[3], "orders").retain(|order| order["type"] == "Destroy");
    site.units = list(&mut site.phases[3], "units").clone();
    site.units.retain(|unit| unit["terrID"] != SILESIA);
    site
}

impl Site {
    /// The answer in today's form.
    fn today(&self) -> Value {
        let mut phases = self.phases.clone();
        let last = phases.last().expect("a phase").clone();
        phases.push(json!({
            "turn": last["turn"], "phase": "Finished", "units": self.units, "orders": [], "centers": last["centers"],
        }));
        answer("Drawn", phases)
    }

    /// The answer as it was before July 2022. If the game was drawn before a movement, the site has a turn too many.
    fn earlier(&self, is_repeated: bool) -> Value {
        let mut phases = self.phases.clone();
        if is_repeated {
            let turn = phases.last().expect("a phase")["turn"].clone();
            let next = turn.as_u64().expect("a number") + 1;
            for mut phase in self.phases.iter().filter(|phase| phase["turn"] == turn).cloned() {
                phase["turn"] = next.into();
                list(&mut phase, "orders").iter_mut().for_each(|order| order["turn"] = next.into());
                phases.push(phase);
            }
        }
        let last = phases.last_mut().expect("a phase");
        let retreating = if last["phase"] == "Retreats" { "Yes" } else { "No" };
        let mut units = list(last, "orders").clone();
        units.retain(|order| order["unitType"] != "");
        units.iter_mut().for_each(|unit| unit["retreating"] = retreating.into());
        last["units"] = units.into();
        answer("Drawn", phases)
    }
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

#[test]
fn an_answer_from_before_july_2022_is_imported_as_todays() {
    for (what, site, removed, is_repeated) in [
        ("after a movement", first(2), 0, false),
        ("after a retreat", first(3), 0, false),
        ("after a disbandment", disbanded(), 0, false),
        ("after a winter", first(4), 1, false),
        ("after a winter that only removes", only_removed(), 1, false),
        ("after a winter, before a movement", first(4), 1, true),
        ("after a winter that only removes, before a movement", only_removed(), 1, true),
    ] {
        let (today, earlier) = (rows(&site.today()), rows(&site.earlier(is_repeated)));
        assert_eq!(format!("{today:?}"), format!("{earlier:?}"), "{what}");
        assert_eq!(today.game.last_phase.year, 1901, "{what}");
        assert!(today.game.seats.iter().all(|(_, seat)| seat.faults == 0), "{what}");
        let orders = |text: &str| today.orders.iter().filter(|order| &*order.order == text).count();
        assert_eq!(orders("A BUR S A BOH - MUN"), 1, "{what}: the last movement is played");
        assert_eq!(orders("A SIL D"), removed, "{what}");
    }
}

#[test]
fn what_an_earlier_answer_says_of_success_is_compared() {
    let mut wrong = first(3).earlier(false);
    wrong["phases"][2]["orders"][0]["success"] = "No".into();
    let said = "game `3`: the end, SIL: the file has nothing; by the rules: GERMANY A SIL";
    assert_eq!(left_out(&wrong), said);
    let mut wrong = first(3).earlier(false);
    wrong["phases"][2]["units"][0]["terrID"] = SILESIA.into();
    let said = "game `3`: F1901R, MUN: the file has nothing; by the rules: GERMANY A MUN, dislodged";
    assert_eq!(left_out(&wrong), said);
}

#[test]
fn orders_of_a_last_phase_without_the_end_are_played() {
    // A game that is not over, of which the phase that it waits for is missing.
    let site = first(3);
    let mut answer = answer("No", site.phases[..2].to_vec());
    let going_on = rows(&answer);
    assert_eq!(going_on.orders.iter().filter(|order| &*order.order == "A BOH - MUN").count(), 1);
    assert_eq!(going_on.game.last_phase.to_string(), "F1901M");
    // With that phase, whose orders are awaited, the rows are the same.
    let mut waiting = site.phases[2].clone();
    waiting["orders"] = json!([]);
    list(&mut answer, "phases").push(waiting);
    assert_eq!(format!("{going_on:?}"), format!("{:?}", rows(&answer)));
}
