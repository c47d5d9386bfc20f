//! The answer of `upheaval tune` as JSON, and its tables.

use serde_json::Value;

use crate::program::{desk, run_in, the_run};

#[test]
fn the_answer_as_json_is_of_the_form_that_the_docs_show() {
    let dir = desk(
        "name = \"holes\"\nvariants = [\"standard\", \"black-hole\"]\nseed = 7\nlast_year = 1903\n\
         [tune]\nobjective = \"fairness.centres\"\nbots = [\"random\"]\nbudget = 600\n\
         blocks = { first = 20, most = 100 }\ncheck = { blocks = 20 }\nfront = { land = \"high\", drama = \"high\" }\n\
         [[sweep]]\nparameter = \"changes.holes.change\"\nvalues = [\"collapse\", \"void\"]\n",
    );
    let done = run_in(dir.path(), &["tune", "e.toml", "--format", "json"], b"");
    let answer = done.json();
    let schema: Value = serde_json::from_str(&testkit::read("docs/tune.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let wrong: Vec<String> = validator.iter_errors(&answer).map(|error| error.to_string()).collect();
    assert!(wrong.is_empty(), "{wrong:?}\n{}", done.out);
    let mut strange = answer.clone();
    strange["beside"] = Value::from(1);
    assert!(!validator.is_valid(&strange), "the schema lists every key");
    assert!(answer["set"].as_array().unwrap().contains(&answer["best"]));
    assert_ne!(answer["seed"], answer["check_seed"]);
    // The table has every measure of play, though the file names one of them.
    let (batches, _) = upheaval::record::parquet::read(&the_run(dir.path()).join("blocks.parquet")).unwrap();
    for name in ["lead_changes", "decided", "closeness", "drama"] {
        assert!(batches[0].column_by_name(name).is_some(), "{name}");
    }
}
