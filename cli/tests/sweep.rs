//! Sweeps, parameters, line-ups and settings of `upheaval run` from outside, with the real variants.

use std::fs;
use std::path::Path;

use crate::program::{desk, play, run_in, the_run};
use serde_json::Value;

const SWEPT: &str = r#"
name = "swept"
variants = ["standard", "black-hole"]
games = 7
seed = 1
last_year = 1902

[seats]
all = "random"

[[sweep]]
parameter = "holes.per_season"
values = [1, 3]
"#;

fn resolved(text: &str, arguments: &[&str]) -> Value {
    let dir = desk(text);
    let done = play(dir.path(), &[&["--print-resolved"], arguments].concat());
    assert_eq!(done.code, 0, "{}", done.error);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is played");
    serde_json::from_str(&done.out).unwrap()
}

#[test]
fn each_arm_is_played_under_its_id_as_the_variant_with_that_value() {
    let dir = desk(SWEPT);
    let done = play(dir.path(), &[]);
    assert_eq!(done.code, 0, "{}", done.error);
    for arm in ["standard", "black-hole.per_season-1", "black-hole.per_season-3"] {
        assert!(done.out.contains(&format!("{arm}: 7 games")), "{}", done.out);
        assert!(the_run(dir.path()).join(format!("games/variant={arm}/part-00000.parquet")).exists());
    }
    // The arm with the variant's own value is the variant: game by game the same.
    let plain = desk(&SWEPT[..SWEPT.find("[[sweep]]").unwrap()]);
    assert_eq!(play(plain.path(), &[]).code, 0);
    let rows = |dir: &Path, arm: &str| {
        let part = |table| the_run(dir).join(format!("{table}/variant={arm}/part-00000.parquet"));
        upheaval::record::reader::games(
            &part("games"),
            &part("seats"),
            &upheaval::ids::PowerNames::standard(),
        )
        .unwrap()
    };
    let variant = rows(plain.path(), "black-hole");
    assert_eq!(rows(dir.path(), "black-hole.per_season-1"), variant);
    assert_ne!(rows(dir.path(), "black-hole.per_season-3"), variant);
    let holes = |rows: &[upheaval::record::GameRow]| rows.iter().map(|row| row.holes).max();
    assert_eq!(holes(&rows(dir.path(), "black-hole.per_season-3")), holes(&variant).map(|n| 3 * n));
}

#[test]
fn line_ups_in_fixed_seats_are_played_under_the_same_catastrophes_and_compared_by_what_differs() {
    let text = "name = \"fixed\"\nvariants = [\"black-hole\"]\ngames = 12\nseed = 1\nlast_year = 1903\n[seats]\nrotate = \
                false\nlineups = [[\"hold\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\"], [\"hold\", \
                \"greedy\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\"]]\n";
    let dir = desk(text);
    let plan = play(dir.path(), &["--dry-run"]);
    assert!(
        plan.out.contains("line-ups: 2 in fixed seats, every block plays all"),
        "{}{}",
        plan.out,
        plan.error
    );
    assert!(plan.out.contains("blocks: 6 of 2 games"), "{}", plan.out);
    let done = play(dir.path(), &[]);
    assert_eq!(done.code, 0, "{}", done.error);
    let run = the_run(dir.path());
    let part = |table| run.join(format!("{table}/variant=black-hole/part-00000.parquet"));
    let powers = upheaval::ids::PowerNames::standard();
    let games = upheaval::record::reader::games(&part("games"), &part("seats"), &powers).unwrap();
    let facts: Vec<_> = games.iter().map(|row| (row.block, row.line_up, row.rotation)).collect();
    assert_eq!(facts[..4], [(0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0)]);
    for pair in games.chunks(2) {
        for power in powers.powers() {
            let bots = pair.iter().map(|row| &*row.seats[power].bot).collect::<Vec<_>>();
            let other = if power == upheaval::ids::Power::ENGLAND { "greedy" } else { "hold" };
            assert_eq!(bots, ["hold", other], "{power:?}");
        }
        assert_eq!(pair[0].holes, pair[1].holes, "a hole opens each season in both");
    }
    let balance = run_in(dir.path(), &["balance", run.to_str().unwrap()], b"");
    assert_eq!(balance.code, 0, "{}", balance.error);
    let compared =
        "black-hole, line-up 1 (ENGLAND greedy) minus line-up 0 (ENGLAND hold): paired by 6 blocks";
    assert!(balance.out.contains(compared), "{}", balance.out);
}

#[test]
fn the_resolved_experiment_says_what_an_arm_is_made_of() {
    let swept = resolved(SWEPT, &[]);
    let arm = &swept["variants"][2];
    assert_eq!(arm["id"], "black-hole.per_season-3");
    assert_eq!(
        (&arm["base"], &arm["parameters"]["holes.per_season"]),
        (&Value::from("black-hole"), &Value::from(3))
    );
    let plain = resolved(&SWEPT[..SWEPT.find("[[sweep]]").unwrap()], &[]);
    assert_eq!(plain["variants"][1]["content"], swept["variants"][1]["content"]);
}

#[test]
fn a_value_that_the_variant_refuses_is_told_where_it_stands() {
    for (values, place, why) in [
        (
            "[1, 11]",
            "e.toml:13:14: ",
            "`holes.per_season = 11` cannot be set in `black-hole`: `per_season` must be from 1 to 10, not 11",
        ),
        ("[\"two\"]", "e.toml:13:11: ", "must be a whole number from 0 to 255, not \"two\""),
    ] {
        let dir = desk(&SWEPT.replace("[1, 3]", values));
        let done = play(dir.path(), &[]);
        assert!(
            done.refusal().starts_with(&format!("error: {place}")) && done.error.contains(why),
            "{}",
            done.error
        );
    }
}

#[test]
fn a_key_that_the_variants_file_does_not_write_can_be_swept() {
    let units = "[[sweep]]\nparameter = \"units\"\nvariants = [\"standard\"]\nvalues = [\n\
                 { army_fleets = \"yes\", army_becomes_fleet = \"no\" },\n\
                 { army_fleets = \"no\", army_becomes_fleet = \"yes\" },\n]\n";
    let swept = resolved(&format!("{}{units}", &SWEPT[..SWEPT.find("[[sweep]]").unwrap()]), &[]);
    let ids: Vec<_> =
        swept["variants"].as_array().unwrap().iter().map(|v| v["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["standard.units-1", "standard.units-2", "black-hole"]);
    assert_ne!(swept["variants"][0]["content"], swept["variants"][1]["content"]);
}

#[test]
fn a_variant_by_path_can_be_swept() {
    let dir = desk(&SWEPT.replace("\"black-hole\"]", "\"two.toml\"]"));
    let two =
        include_str!("../../variants/black-hole.toml").replace("id = \"black-hole\"", "id = \"two-holes\"");
    fs::write(dir.path().join("two.toml"), two).unwrap();
    let done = play(dir.path(), &[]);
    assert_eq!(done.code, 0, "{}", done.error);
    assert!(done.out.contains("\ntwo-holes.per_season-3: 7 games"), "{}", done.out);
}

#[test]
fn several_line_ups_are_played_in_every_block() {
    let seven = |first: &str| format!("[\"{first}\"{}]", ", \"hold\"".repeat(6));
    let lineups = format!("lineups = [{}, {}]", seven("random"), seven("greedy"));
    let dir = desk(&SWEPT.replace("all = \"random\"", &lineups).replace("games = 7", "games = 28"));
    let done = play(dir.path(), &[]);
    assert_eq!(done.code, 0, "{}", done.error);
    let part = |table| the_run(dir.path()).join(format!("{table}/variant=standard/part-00000.parquet"));
    for row in upheaval::record::reader::games(
        &part("games"),
        &part("seats"),
        &upheaval::ids::PowerNames::standard(),
    )
    .unwrap()
    {
        assert_eq!((row.block, u32::from(row.line_up)), (row.game / 14, row.game / 7 % 2));
    }
}

#[test]
fn what_is_set_counts_in_place_of_the_file_and_stands_in_the_manifest() {
    let dir = desk(SWEPT);
    let set = [
        "--set",
        "games=3",
        "--set",
        "seats.all=hold",
        "--set",
        "sweep.0.values=[2]",
        "--set",
        "log.orders=true",
    ];
    let done = play(dir.path(), &set);
    assert_eq!(done.code, 0, "{}", done.error);
    assert!(done.out.contains("\nblack-hole.per_season-2: 3 games"), "{}", done.out);
    let run = the_run(dir.path());
    assert_eq!(fs::read_to_string(run.join("experiment.toml")).unwrap(), SWEPT, "as given");
    let manifest: Value = serde_json::from_slice(&fs::read(run.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(
        manifest["set"],
        serde_json::json!(["games=3", "seats.all=hold", "sweep.0.values=[2]", "log.orders=true"])
    );
    assert!(run.join("orders/variant=standard/part-00000.parquet").exists());
    let resolved: Value =
        serde_json::from_slice(&fs::read(run.join("experiment.resolved.json")).unwrap()).unwrap();
    assert_eq!((&resolved["games"], &resolved["bots"][0]["name"]), (&Value::from(3), &Value::from("hold")));
    let done = play(dir.path(), &["--set", "games=none"]);
    assert!(
        done.refusal().starts_with("error: --set games=none: `games` must be a whole number"),
        "{}",
        done.error
    );
}

#[test]
fn a_parameter_is_set_for_all_variants_that_have_it() {
    let plain = &SWEPT[..SWEPT.find("[[sweep]]").unwrap()];
    let (without, with) =
        (resolved(plain, &[]), resolved(plain, &["--set", "parameters.holes.per_season=2"]));
    assert_eq!(without["variants"][0], with["variants"][0]);
    assert_ne!(without["variants"][1]["content"], with["variants"][1]["content"]);
    assert_eq!(with["variants"][1]["id"], "black-hole");
    let in_file = resolved(&format!("{plain}[parameters]\nholes.per_season = 2\n"), &[]);
    assert_eq!(in_file, with);
}

#[test]
fn the_shipped_sweep_has_six_arms() {
    let shipped = include_str!("../../experiments/holes-per-season.toml");
    let resolved = resolved(shipped, &[]);
    let ids: Vec<_> =
        resolved["variants"].as_array().unwrap().iter().map(|v| v["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 6);
    assert_eq!(ids[0], "black-hole.per_season-1.closure-collapse", "the baseline is the variant as it ships");
    assert_eq!(ids[5], "black-hole.per_season-3.closure-void");
}
