//! `upheaval balance` from outside, on real runs.

use std::fs;
use std::path::Path;

use crate::program;
use crate::program::{Done, run_in};
use serde_json::Value;
use tempfile::TempDir;

const SMALL: &str = r#"
name = "small"
variants = ["black-hole"]
games = 56
seed = 1
last_year = 1907

[seats]
lineup = ["greedy", "greedy", "greedy", "greedy", "greedy", "greedy", "hold"]

[[sweep]]
parameter = "holes.per_season"
values = [1, 2]
"#;

/// Plays an experiment; returns the name of its run's folder.
fn played(text: &str) -> (TempDir, String) {
    let (dir, run) = program::played(text);
    let run = run.strip_prefix(dir.path()).unwrap().display().to_string();
    (dir, run)
}

fn balance(dir: &Path, run: &str, arguments: &[&str]) -> Done {
    run_in(dir, &[&["balance", run], arguments].concat(), b"")
}

fn json(dir: &Path, run: &str, arguments: &[&str]) -> Value {
    let done = balance(dir, run, &[arguments, &["--format", "json"]].concat());
    assert_eq!(done.code, 0, "{}", done.error);
    serde_json::from_str(&done.out).unwrap()
}

#[test]
fn a_run_of_two_arms_is_told_from_beginning_to_end() {
    let (dir, run) = played(SMALL);
    let done = balance(dir.path(), &run, &["--width", "0.1", "--width-centres", "1"]);
    assert_eq!((done.code, done.error.as_str()), (0, ""));
    for part in [
        "\nholes 1 (black-hole.per_season-1), line-up 0: 56 games in 8 blocks\nbots: 6 × greedy, hold\nends, %: ",
        "\nholes 2 (black-hole.per_season-2), line-up 0: 56 games in 8 blocks",
        "\nhow it plays ",
        "\ncourse: ",
        "\norders, % ",
        "\ntakes a game ",
        "fairness: every power is played equally often by each entry of the line-up",
        "by permutation",
        "event `collapsed` in a home centre of the power: centres from the count before to the count 2 years after",
        "games needed for intervals as wide as 0.1 in rates and scores, 1 in centres",
        "holes 2 minus holes 1, line-up 0: paired by 8 blocks",
        "\n1907 ",
        "median (95% CI)\n",
    ] {
        assert!(done.out.contains(part), "no `{part}`: {}", done.out);
    }
    let all = json(dir.path(), &run, &[]);
    assert_eq!((&all["format"], all["cells"].as_array().unwrap().len()), (&1.into(), 2));
    let cell = &all["cells"][1];
    assert_eq!(cell["arm"], "black-hole.per_season-2");
    assert_eq!(cell["seating"]["seats"], "rotated");
    assert_eq!(cell["parameters"]["holes.per_season"], 2);
    // At the start every power has its homes.
    let start = &cell["years"][0];
    assert_eq!(start["year"], 1900);
    let mean = |of: &Value, power: &str| of["powers"][power]["centres"]["mean"]["estimate"].as_f64().unwrap();
    assert_eq!((mean(start, "RUSSIA"), mean(start, "ITALY")), (4.0, 3.0));
    // Quantiles have bounds, and eight blocks do not bound the highest one.
    let quantiles = &cell["powers"]["ITALY"]["centres"]["quantiles"];
    let bound = |of: &str, which: &str| quantiles[of][which].as_u64();
    for of in ["p5", "p25", "p50", "p75", "p95"] {
        assert!(bound(of, "low") <= bound(of, "estimate") && bound(of, "low").is_some(), "{quantiles}");
        assert!(bound(of, "high").is_none_or(|high| Some(high) >= bound(of, "estimate")), "{quantiles}");
    }
    assert!(bound("p50", "high") > bound("p50", "low") && bound("p95", "high").is_none(), "{quantiles}");
    assert_eq!(start["powers"]["RUSSIA"]["centres"]["quantiles"]["p95"]["high"], 4);
    // Solos and draws of the powers add up to the ends of games.
    let sum = |what: &str| -> f64 {
        let powers = cell["powers"].as_object().unwrap().values();
        powers.map(|power| power[what]["estimate"].as_f64().unwrap()).sum()
    };
    assert!((sum("solos") - cell["ends"]["solo"]["estimate"].as_f64().unwrap()).abs() < 1e-9);
    assert!((sum("score") + cell["ends"]["deserted"]["estimate"].as_f64().unwrap() - 1.0).abs() < 1e-9);
    // Twice as many holes leave fewer centres, in every block.
    let centres = &all["arms"][0]["measures"][2];
    assert_eq!(
        (&centres["measure"], &all["arms"][0]["against"]),
        (&"centres".into(), &"black-hole.per_season-1".into())
    );
    assert!(centres["together"]["difference"]["high"].as_f64().unwrap() < 0.0, "{centres}");
    // A power that loses a home is worse off.
    let effect = &all["cells"][0]["effects"][0];
    assert_eq!(
        (&effect["event"], &effect["whose"], &effect["years"]),
        (&"collapsed".into(), &"home".into(), &2.into())
    );
    let numbers = |of: &str| effect["all"][of].as_u64().unwrap();
    assert!(numbers("compared") > 50, "{effect}");
    assert_eq!(
        numbers("struck"),
        numbers("cut_off") + numbers("without_centre") + numbers("unmatched") + numbers("compared")
    );
    assert!(effect["all"]["effect"]["high"].as_f64().unwrap() < 0.0, "{effect}");
}

#[test]
fn the_answer_does_not_depend_on_threads_and_is_of_what_is_asked() {
    let (dir, run) = played(SMALL);
    let one = balance(dir.path(), &run, &["--threads", "1", "--format", "json"]);
    assert_eq!(one.out, balance(dir.path(), &run, &["--threads", "3", "--format", "json"]).out);
    let chosen = json(
        dir.path(),
        &run,
        &["--variant", "black-hole.per_season-1", "--event", "captured", "--years", "1", "--whose", "owner"],
    );
    assert_eq!(chosen["cells"].as_array().unwrap().len(), 1);
    let effects = chosen["cells"][0]["effects"].as_array().unwrap();
    assert_eq!((effects.len(), &effects[0]["event"]), (1, &"captured".into()));
    // A power that loses a centre has fewer a year later.
    assert!(effects[0]["all"]["effect"]["high"].as_f64().unwrap() < 0.0, "{}", effects[0]["all"]);
    let turned = json(dir.path(), &run, &["--against", "black-hole.per_season-2"]);
    assert_eq!(turned["arms"][0]["arm"], "black-hole.per_season-1");
}

#[test]
fn who_sits_where_decides_what_is_fair() {
    let fixed = SMALL.replace("\"hold\"]", "\"hold\"]\nrotate = false").replace("games = 56", "games = 10");
    let (dir, run) = played(&fixed);
    let done = balance(dir.path(), &run, &["--variant", "black-hole.per_season-1"]);
    assert!(
        done.out.contains("fairness: each power is always played by the same one of several bots"),
        "{}",
        done.out
    );
    assert!(done.out.contains("10 games in 10 blocks"), "{}", done.out);
}

#[test]
fn what_cannot_be_analysed_is_refused_in_a_line() {
    let (dir, run) = played(&SMALL.replace("games = 56", "games = 7"));
    let at = |arguments: &[&str]| balance(dir.path(), &run, arguments).refusal().to_owned();
    let no_run = balance(dir.path(), ".", &[]);
    assert!(
        no_run.refusal().contains("`.` is not a run folder: cannot read `manifest.json`"),
        "{}",
        no_run.error
    );
    assert!(at(&["--variant", "black-holes"]).contains("this run has no variant `black-holes`"));
    assert!(at(&["--line-up", "3"]).contains("this run has only line-up 0, not 3"));
    assert!(at(&["--event", "colapsed"]).contains("`collapsed`"), "{}", at(&["--event", "colapsed"]));
    assert!(at(&["--event", "won"]).contains("expected a kind of event that happens to a province"));
    assert!(at(&["--width", "0"]).contains("expected a number above 0"));
    // One block gives its results, without intervals.
    let one = balance(dir.path(), &run, &["--width", "0.1"]);
    assert_eq!(one.code, 0, "{}", one.error);
    assert!(one.out.contains("7 games in 1 block"), "{}", one.out);
    fs::remove_file(dir.path().join(&run).join("manifest.json")).unwrap();
    assert!(at(&[]).contains("cannot read `manifest.json`"));
}

/// A bot that holds does not build, so no power is left when the water has risen.
#[test]
fn where_nobody_scored_nothing_is_tested() {
    let (dir, run) = played(
        "name = \"drowned\"\nvariants = [\"deluge-ii\"]\ngames = 14\nseed = 1\nlast_year = 1908\n\
         seats.lineup = [\"hold\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\"]\n",
    );
    let done = balance(dir.path(), &run, &[]);
    assert!(done.out.contains("ends, %: deserted 100.0"), "{}", done.out);
    let row = done.out.lines().find(|line| line.starts_with("draw-size score  ")).unwrap();
    assert!(row.ends_with("  no power has any: nothing to test"), "{row}");
    assert!(!done.out.contains("p = 1"), "{}", done.out);
    let fairness = &json(dir.path(), &run, &[])["cells"][0]["fairness"][1];
    assert_eq!((&fairness["measure"], &fairness["untested"]), (&"score".into(), &"nobody-has-any".into()));
    assert_eq!((&fairness["omnibus"], &fairness["powers"]["ITALY"]["p"]), (&Value::Null, &Value::Null));
    let page = run_in(dir.path(), &["report", &run, "--out", "r.html"], b"");
    assert_eq!(page.code, 0, "{}", page.error);
    let html = fs::read_to_string(dir.path().join("r.html")).unwrap();
    assert!(html.contains("No power scored in any game, so there is nothing to test (14 games, 2 blocks)."));
    assert!(
        done.out.starts_with("Nearly all games ended alike: 100.0% ended with no power left. "),
        "{}",
        done.out
    );
    assert!(!html.contains("p = 1"));
}

const TWO_BOTS: &str = r#"
name = "two-bots"
variants = ["standard"]
games = 560
seed = 3
last_year = 1906
[seats]
lineups = [
    ["greedy", "greedy", "greedy", "greedy", "greedy", "greedy", "greedy"],
    ["dumbbot", "dumbbot", "dumbbot", "dumbbot", "dumbbot", "dumbbot", "dumbbot"],
]
"#;

#[test]
fn whether_the_bots_disagree_is_said_first_and_follows_from_the_tests_of_each() {
    let (dir, run) = played(TWO_BOTS);
    let all = json(dir.path(), &run, &[]);
    let found = all["agreement"].as_array().unwrap();
    assert_eq!(found.len(), 4, "each measure of the one arm");
    for of in found {
        let measure = of["measure"].as_str().unwrap();
        let sides = |above: bool| {
            let of_cell = |cell: &Value| -> Vec<String> {
                let cells = cell["fairness"].as_array().unwrap();
                let powers = &cells.iter().find(|of| of["measure"] == measure).unwrap()["powers"];
                let sure = |of: &Value| {
                    let ahead = of["difference"]["estimate"].as_f64()? > 0.0;
                    Some(of["p_holm"].as_f64()? < 0.05 && ahead == above)
                };
                let powers = powers.as_object().unwrap().iter().filter(|(_, of)| sure(of) == Some(true));
                powers.map(|(power, _)| power.clone()).collect()
            };
            all["cells"].as_array().unwrap().iter().map(of_cell).collect::<Vec<_>>()
        };
        let (ahead, behind) = (sides(true), sides(false));
        let told = |side: &str| {
            serde_json::from_value(
                of["line_ups"].as_array().unwrap().iter().map(|of| of[side].clone()).collect(),
            )
            .unwrap()
        };
        assert_eq!((&ahead, &behind), (&told("ahead"), &told("behind")), "{measure}");
        let names = |of: &Value| -> Vec<String> { serde_json::from_value(of.clone()).unwrap() };
        let different = names(&of["different"]);
        let opposed: Vec<String> = different
            .iter()
            .filter(|power| [&ahead, &behind].iter().all(|side| side.iter().flatten().any(|of| of == *power)))
            .cloned()
            .collect();
        assert_eq!(names(&of["opposed"]), opposed, "{measure}");
        assert_eq!(of["verdict"] == "undecided", of["different"] == serde_json::json!([]), "{of}");
    }
    assert_eq!(found[0]["verdict"], "disagree", "greedy and dumbbot favour different powers");
    let text = balance(dir.path(), &run, &[]).out;
    let mut lines = text.lines().skip_while(|line| !line.ends_with("does the verdict depend on the bots?"));
    assert_eq!(lines.next(), Some("standard: does the verdict depend on the bots?"));
    assert!(lines.next().unwrap().starts_with("The bots disagree in "), "{text}");
    let out = dir.path().join("report.html");
    let done = run_in(dir.path(), &["report", &run, "--out", out.to_str().unwrap()], b"");
    assert_eq!(done.code, 0, "{}", done.error);
    let page = fs::read_to_string(out).unwrap();
    let answers = page.split("Is it fair?").nth(2).or(page.split("Is it fair?").nth(1)).unwrap();
    let at = |what: &str| answers.find(what).unwrap_or_else(|| panic!("no `{what}`"));
    assert!(at("The bots disagree in ") < at("Not fair."));
}

/// The same line-ups over three blocks: "The bots agree in draw-size score" was said because nothing was shown.
#[test]
fn three_blocks_do_not_show_that_bots_agree() {
    let (dir, run) = played(&TWO_BOTS.replace("games = 560", "games = 42"));
    let all = json(dir.path(), &run, &[]);
    let mut shares =
        all["cells"].as_array().unwrap().iter().map(|cell| cell["ends"]["draw"]["estimate"].as_f64());
    let drawn = shares.any(|share| share >= Some(0.95));
    for of in all["agreement"].as_array().unwrap() {
        assert_ne!(of["verdict"], "agree", "{of}");
        // By 1906 nobody has won: equal scores are not evidence.
        assert!(!drawn || of["measure"] != "score" || of["p_equivalent"].is_null(), "{of}");
        assert!((of["margin"].as_f64().unwrap() - 0.25 / 7.0).abs() < 1e-12, "{of}");
        for view in of["line_ups"].as_array().unwrap() {
            let named = view["ahead"].as_array().unwrap().len() + view["behind"].as_array().unwrap().len();
            assert!(
                view["unequal"] == true || named == 0,
                "no power is ahead where none is shown to differ: {view}"
            );
        }
    }
    let text = balance(dir.path(), &run, &["--margin", "0.9"]).out;
    assert!(text.contains("Too few games to say whether the bots agree in "), "{text}");
    assert!(text.contains(" blocks of each line-up ("), "with how many would do: {text}");
    assert!(!text.contains("The bots agree in "), "{text}");
    assert!(text.contains("warning: fewer than 8 blocks: intervals and tests are not reliable"), "{text}");
    for margin in ["0", "1.01", "nan"] {
        let refused = balance(dir.path(), &run, &["--margin", margin]);
        assert!(refused.refusal().contains("expected a number above 0 and at most 1"), "{}", refused.error);
    }
}

/// One `greedy` takes the board from six that hold, whichever power it plays, so that all powers win as often.
#[test]
fn the_first_line_is_of_the_bot_that_won_most_games() {
    let (dir, run) = played(
        "name = \"alone\"\nvariants = [\"standard\"]\ngames = 42\nseed = 1\nlast_year = 1925\n\
         seats.lineup = [\"greedy\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\"]\n",
    );
    let text = balance(dir.path(), &run, &[]).out;
    let first = text.lines().next().unwrap();
    assert!(
        first.starts_with("greedy won ") && first.contains("% of the games with 1 of 7 seats. "),
        "{text}"
    );
    let lines: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
    let [.., bots, page] = &*lines else { panic!("{text}") };
    assert_eq!(*bots, "The bots of line-up 0: 1 × greedy, 6 × hold.");
    assert_eq!(*page, "The page docs/validity.md says which bot to trust for which question.");
    let all = json(dir.path(), &run, &[]);
    let notice = &all["headline"]["notices"][0];
    assert_eq!(notice["what"], serde_json::json!({ "won-most": { "bot": "greedy", "seats": 1 } }));
    assert_eq!(notice["most"], all["cells"][0]["bots"][0]["won"]);
    assert_eq!(all["headline"]["validity"], "docs/validity.md");
}

/// Bots that hold take nothing: all games are drawn by all powers, and the report said that the distance from equal
/// shares was unlikely to exceed 0.000.
#[test]
fn the_first_line_is_of_games_that_ended_alike() {
    let (dir, run) = played(
        "name = \"drawn\"\nvariants = [\"standard\"]\ngames = 20\nseed = 1\nlast_year = 1903\nseats.all = \"hold\"\n",
    );
    let text = balance(dir.path(), &run, &[]).out;
    assert!(text.starts_with("Nearly all games ended alike: 100.0% were drawn. "), "{text}");
    let all = json(dir.path(), &run, &[]);
    assert_eq!(
        all["headline"]["notices"][0]["what"],
        serde_json::json!({ "ended-alike": { "end": "draw" } })
    );
    assert_eq!(all["cells"][0]["fairness"][1]["distance"]["corrected"], Value::Null);
}

#[test]
fn a_single_line_up_has_nobody_to_agree_with() {
    let (dir, run) = played(SMALL);
    assert_eq!(json(dir.path(), &run, &[])["agreement"], serde_json::json!([]));
    assert!(!balance(dir.path(), &run, &[]).out.contains("the bots?"));
}

#[test]
fn a_sweep_begins_with_its_arms_from_the_fairest_to_the_least_fair() {
    let (dir, run) = played(SMALL);
    let text = balance(dir.path(), &run, &[]).out;
    // The first lines are of the bots.
    let begins = |text: &str| text.split_once("\n\n").map_or(String::new(), |(_, rest)| rest.to_owned());
    let text = begins(&text);
    assert!(
        text.starts_with("fairest to least fair by draw-size score, line-up 0: 2 arms over 8 blocks\n"),
        "{text}"
    );
    let by = begins(&balance(dir.path(), &run, &["--rank-by", "centres"]).out);
    assert!(by.starts_with("fairest to least fair by centres at the end, line-up 0: "), "{by}");
    let all = json(dir.path(), &run, &[]);
    let rankings = all["rankings"].as_array().unwrap();
    assert_eq!((rankings.len(), &all["ranked_by"]), (4, &"score".into()), "one for each measure");
    for ranking in rankings {
        let arms = ranking["arms"].as_array().unwrap();
        let square = |arm: &Value| {
            let of = |key: &str| arm["distance"][key].as_f64().map(|root| root * root);
            of("found").zip(of("by_chance")).map(|(found, chance)| found - chance)
        };
        let squares: Vec<f64> = arms.iter().filter_map(square).collect();
        assert!(squares.is_sorted(), "{ranking}");
        assert!(arms[0]["place"].is_null() || arms[0]["may_be_fairest"] == true, "{ranking}");
        assert!(
            arms.iter().all(|arm| arm["label"].as_str().is_some_and(|label| label.starts_with("holes ")))
        );
    }
    // The second line of the table is the first arm of the ranking.
    let first = rankings[1]["arms"][0]["label"].as_str().unwrap();
    assert!(text.lines().nth(2).unwrap().starts_with(&format!(" 1  {first} ")), "{text}");
}

#[test]
fn two_swept_parameters_are_a_grid_and_a_single_arm_is_no_ranking() {
    let two = SMALL.replace("games = 56", "games = 14")
        + "\n[[sweep]]\nparameter = \"holes.closure\"\nvalues = [\"collapse\", \"void\"]\n";
    let (dir, run) = played(&two);
    let text = balance(dir.path(), &run, &[]).out;
    assert!(
        text.contains("\nblack-hole: distance and groups by holes (down) and closure (across)\nholes"),
        "{text}"
    );
    assert!(text.contains("holes 2 · void minus holes 1 · collapse, line-up 0"), "{text}");
    let grid = &json(dir.path(), &run, &[])["grids"][0];
    assert_eq!(
        (&grid["rows"]["values"], &grid["columns"]["values"][1]),
        (&serde_json::json!(["1", "2"]), &"void".into())
    );
    assert_eq!(grid["cells"][1][1], "black-hole.per_season-2.closure-void");
    let out = dir.path().join("r.html");
    let done = run_in(dir.path(), &["report", &run, "--out", out.to_str().unwrap()], b"");
    assert_eq!(done.code, 0, "{}", done.error);
    let page = fs::read_to_string(out).unwrap();
    let at = |what: &str| page.find(what).unwrap_or_else(|| panic!("no `{what}`"));
    assert!(at("<section id=\"ranked\"") < at("<section id=\"answers\""));
    assert!(
        page.contains("black-hole: holes by closure") && page.contains("id=\"captures-"),
        "the heat maps"
    );
    let one = json(dir.path(), &run, &["--variant", "black-hole.per_season-2.closure-void"]);
    assert_eq!((&one["rankings"], &one["grids"]), (&serde_json::json!([]), &serde_json::json!([])));
}

#[test]
fn how_a_cell_plays_is_counted_from_its_tables() {
    let (dir, run) = played(&format!("log.choices = true\n{}", SMALL.trim_start()));
    let cell = &json(dir.path(), &run, &["--variant", "black-hole.per_season-1"])["cells"][0];
    let play = &cell["play"];
    let number = |of: &Value| of["estimate"].as_f64().unwrap_or_else(|| panic!("no estimate: {of}"));
    assert!(number(&play["lead_changes"]) > 0.0 && number(&play["decided"]) >= 1.0, "{play}");
    assert!((0.0..=1.0).contains(&number(&play["closeness"])) && number(&play["drama"]) >= 0.0, "{play}");
    let kinds = ["holds", "moves", "supports", "convoys", "special"];
    let sum: f64 = kinds.iter().map(|kind| number(&play["orders"][kind])).sum();
    assert!((sum - 1.0).abs() < 1e-9 && number(&play["orders"]["special"]) == 0.0, "{play}");
    assert!(number(&play["powers"]["RUSSIA"]["choices"]) > 2.0, "{play}");
    // A centre that is taken from a power is lost by it; no power takes from itself.
    assert!(play["captures"]["ITALY"]["from"]["ITALY"].is_null());
    assert!(number(&play["captures"]["ITALY"]["from_nobody"]) > 0.0, "{play}");
}
