//! `upheaval balance --format json`: what must hold between the numbers of an answer.

use crate::program::{played, run_in};
use serde_json::{Value, json};

/// The answer about the run of an experiment.
fn balance(text: &str) -> Value {
    let (dir, run) = played(text);
    let done = run_in(dir.path(), &["balance", run.to_str().unwrap(), "--format", "json"], b"");
    assert_eq!(done.code, 0, "{}", done.error);
    done.json()
}

fn list(of: &Value) -> &Vec<Value> {
    of.as_array().unwrap()
}

fn number(of: &Value) -> f64 {
    of["estimate"].as_f64().unwrap_or_else(|| panic!("no estimate: {of}"))
}

#[test]
fn the_numbers_of_a_cell_add_up() {
    let all = balance(
        "name = \"small\"\nvariants = [\"black-hole\"]\ngames = 56\nseed = 1\nlast_year = 1907\nlog.choices = true\n\
         seats.lineup = [\"greedy\", \"greedy\", \"greedy\", \"greedy\", \"greedy\", \"greedy\", \"hold\"]\n\
         [[sweep]]\nparameter = \"changes.holes.count\"\nvalues = [1, 2]\n",
    );
    assert_eq!((&all["format"], list(&all["cells"]).len()), (&1.into(), 2));
    let cell = &all["cells"][1];
    let is = ["arm", "parameters"].map(|key| &cell[key]);
    assert_eq!(is, [&json!("black-hole.count-2"), &json!({ "changes.holes.count": 2 })]);
    assert_eq!(cell["seating"]["seats"], "rotated");
    // Quantiles have bounds, and eight blocks do not bound the highest one.
    let quantiles = &cell["powers"]["ITALY"]["centres"]["quantiles"];
    let bound = |of: &str, which: &str| quantiles[of][which].as_u64();
    for of in ["p5", "p25", "p50", "p75", "p95"] {
        assert!(bound(of, "low") <= bound(of, "estimate") && bound(of, "low").is_some(), "{quantiles}");
        assert!(bound(of, "high").is_none_or(|high| Some(high) >= bound(of, "estimate")), "{quantiles}");
    }
    assert!(bound("p50", "high") > bound("p50", "low") && bound("p95", "high").is_none(), "{quantiles}");
    assert_eq!(cell["years"][0]["powers"]["RUSSIA"]["centres"]["quantiles"]["p95"]["high"], 4);
    // Solos and draws of the powers add up to the ends of games.
    let sum = |what: &str| -> f64 {
        cell["powers"].as_object().unwrap().values().map(|power| number(&power[what])).sum()
    };
    assert!((sum("solos") - number(&cell["ends"]["solo"])).abs() < 1e-9);
    assert!((sum("score") + number(&cell["ends"]["deserted"]) - 1.0).abs() < 1e-9);
    let effect = &all["cells"][0]["effects"][0]["all"];
    let parts = ["cut_off", "without_centre", "unmatched", "compared"].map(|of| effect[of].as_u64().unwrap());
    assert_eq!(effect["struck"].as_u64(), Some(parts.iter().sum()));
    // Orders are of one kind each; a centre that is taken from a power is lost by it, and no power takes from itself.
    let play = &cell["play"];
    let kinds = ["holds", "moves", "supports", "convoys", "special"];
    let sum: f64 = kinds.iter().map(|kind| number(&play["orders"][kind])).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{play}");
    assert!((0.0..=1.0).contains(&number(&play["closeness"])) && number(&play["drama"]) >= 0.0, "{play}");
    assert!(play["captures"]["ITALY"]["from"]["ITALY"].is_null());
    // Arms are ranked by their distances without what chance adds, for each measure.
    assert_eq!((list(&all["rankings"]).len(), &all["ranked_by"]), (4, &"score".into()));
    for ranking in list(&all["rankings"]) {
        let arms = list(&ranking["arms"]);
        let square = |arm: &Value| {
            let of = |key: &str| arm["distance"][key].as_f64().map(|root| root * root);
            of("found").zip(of("by_chance")).map(|(found, chance)| found - chance)
        };
        assert!(arms.iter().filter_map(square).is_sorted(), "{ranking}");
        assert!(arms[0]["place"].is_null() || arms[0]["may_be_fairest"] == true, "{ranking}");
    }
    assert_eq!(all["agreement"], json!([]), "a single line-up");
}

#[test]
fn whether_the_bots_disagree_follows_from_the_tests_of_each() {
    let all = balance(
        "name = \"two-bots\"\nvariants = [\"standard\"]\ngames = 560\nseed = 3\nlast_year = 1906\nseats.lineups = [\n\
         [\"greedy\", \"greedy\", \"greedy\", \"greedy\", \"greedy\", \"greedy\", \"greedy\"],\n\
         [\"dumbbot\", \"dumbbot\", \"dumbbot\", \"dumbbot\", \"dumbbot\", \"dumbbot\", \"dumbbot\"]]\n",
    );
    assert_eq!(list(&all["agreement"]).len(), 4, "each measure of the one arm");
    for of in list(&all["agreement"]) {
        let measure = of["measure"].as_str().unwrap();
        // The powers that a line-up's tests put ahead or behind.
        let sides = |above: bool| {
            let of_cell = |cell: &Value| -> Vec<String> {
                let powers =
                    &list(&cell["fairness"]).iter().find(|of| of["measure"] == measure).unwrap()["powers"];
                let sure = |of: &Value| {
                    let ahead = of["difference"]["estimate"].as_f64()? > 0.0;
                    Some(of["p_holm"].as_f64()? < 0.05 && ahead == above)
                };
                let powers = powers.as_object().unwrap().iter().filter(|(_, of)| sure(of) == Some(true));
                powers.map(|(power, _)| power.clone()).collect()
            };
            list(&all["cells"]).iter().map(of_cell).collect::<Vec<_>>()
        };
        let (ahead, behind) = (sides(true), sides(false));
        for (side, expected) in [("ahead", &ahead), ("behind", &behind)] {
            let told: Vec<&Value> = list(&of["line_ups"]).iter().map(|of| &of[side]).collect();
            assert_eq!(json!(told), json!(expected), "{measure}");
        }
        let is_opposed = |power: &&Value| {
            [&ahead, &behind].iter().all(|side| side.iter().flatten().any(|of| **power == of.as_str()))
        };
        let opposed: Vec<&Value> = list(&of["different"]).iter().filter(is_opposed).collect();
        assert_eq!(of["opposed"], json!(opposed), "{measure}");
        assert_eq!(of["verdict"] == "undecided", of["different"] == json!([]), "{of}");
        assert!((of["margin"].as_f64().unwrap() - 0.25 / 7.0).abs() < 1e-12, "{of}");
    }
}
