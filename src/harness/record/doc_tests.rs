//! `docs/schema.md`, generated from the schema by its test.

use std::fmt::Write;

use arrow_schema::Field;

use super::column::{TableFrame, TableRow};
use super::parquet::METADATA;
use super::rows::{
    DistanceRow, EventKind, EventRow, GameRow, MapRow, OrderRow, SeatRow, TopologyRow, TurnRow,
};
use super::{BEHAVIOUR_VERSION, SCHEMA_VERSION};
use upheaval_map::ids::PowerNames;

/// A table: its name, the meaning of a row, and its columns.
struct Table {
    name: &'static str,
    about: &'static str,
    columns: Vec<Field>,
}

impl Table {
    /// The columns depend on the powers only in the words that they can contain.
    fn of<R: TableRow>() -> Table {
        let schema = R::table(&TableFrame::new(PowerNames::standard()));
        let columns = schema.arrow_schema().fields().iter().map(|field| field.as_ref().clone()).collect();
        Table { name: schema.name, about: schema.about, columns }
    }

    /// All tables in their order.
    fn all() -> [Table; 8] {
        [
            Table::of::<GameRow>(),
            Table::of::<SeatRow>(),
            Table::of::<TurnRow>(),
            Table::of::<TopologyRow>(),
            Table::of::<DistanceRow>(),
            Table::of::<EventRow>(),
            Table::of::<OrderRow>(),
            Table::of::<MapRow>(),
        ]
    }
}

/// The text of `docs/schema.md`.
fn document() -> String {
    let mut text = format!(
        "# The columns of a run\n\
         \n\
         <!-- Written by the code from src/harness/record/schema.rs: change the list there, then run\n     \
         UPDATE_EXPECT=1 cargo test -p upheaval-harness record::doc -->\n\
         \n\
         {}\n\n{}\n\n\
         ## Metadata of every file\n\
         \n\
         | key | meaning |\n\
         |---|---|\n",
        wrapped(&format!(
            "Schema version {SCHEMA_VERSION}, behaviour version {BEHAVIOUR_VERSION}. A run folder \
             `results/<name>-<hash>/` holds one folder for each table, each a Hive-partitioned Parquet data set: \
             `games/variant=<id>/part-00000.parquet`. Readers that support such data sets add the text column \
             `variant`."
        )),
        wrapped(&format!(
            "A `?` after a type says that a value may be missing (null). Provinces are written as in orders: \
             `PAR`, `STP`, `BUR.1`. Powers are named as the board names them: on the standard board `{}`.",
            PowerNames::standard()
        ))
    );
    for (key, meaning) in METADATA {
        let _ = writeln!(text, "| `{key}` | {meaning} |");
    }
    for Table { name, about, columns } in Table::all() {
        let about = wrapped(about);
        let _ =
            write!(text, "\n## {name}\n\n{about}\n\n| column | type | unit | meaning |\n|---|---|---|---|\n");
        for column in columns {
            let (unit, meaning) = (&column.metadata()["unit"], &column.metadata()["meaning"]);
            let optional = if column.is_nullable() { "?" } else { "" };
            let (name, data_type) = (column.name(), column.data_type());
            let _ = writeln!(text, "| `{name}` | {data_type}{optional} | {unit} | {meaning} |");
        }
        if name == EventRow::TABLE {
            text.push_str("\n| kind | what happened |\n|---|---|\n");
            for kind in EventKind::ALL {
                let _ = writeln!(text, "| `{}` | {} |", kind.name(), kind.info().meaning);
            }
        }
    }
    text
}

/// A paragraph in lines of at most 120 characters.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("never empty");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > 120 {
            lines.push(word.to_owned());
        } else {
            *line = format!("{line} {word}").trim_start().to_owned();
        }
    }
    lines.join("\n")
}

mod tests {
    use super::*;

    #[test]
    fn the_page_in_docs_is_what_the_code_writes() {
        expect_test::expect_file![testkit::path("docs/schema.md")].assert_eq(&document());
    }

    #[test]
    fn names_are_unique_and_everything_is_explained() {
        for Table { name, columns, .. } in Table::all() {
            let mut names: Vec<_> = columns.iter().map(Field::name).collect();
            names.sort();
            names.dedup();
            assert_eq!(names.len(), columns.len(), "{name}");
            for column in &columns {
                let (unit, meaning) = (&column.metadata()["unit"], &column.metadata()["meaning"]);
                assert!(!unit.is_empty() && !meaning.is_empty(), "{}", column.name());
                assert!(!meaning.contains(['|', '\n']), "{}", column.name());
            }
        }
        let mut kinds: Vec<_> = EventKind::ALL.map(EventKind::name).to_vec();
        kinds.sort();
        kinds.dedup();
        assert_eq!(kinds.len(), EventKind::ALL.len());
    }
}
