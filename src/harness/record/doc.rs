//! `docs/schema.md`, generated from the schema by its test.

use std::fmt::Write;

use super::column::TableFrame;
use super::column::{TableRow, TableSchema};
use super::parquet::METADATA;
use super::rows::{
    DistanceRow, EventKind, EventRow, GameRow, MapRow, OrderRow, SeatRow, TopologyRow, TurnRow,
};
use super::{BEHAVIOUR_VERSION, SCHEMA_VERSION};
use upheaval_map::ids::PowerNames;

/// A table as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TableDoc {
    /// The name, which is also the folder's.
    pub name: &'static str,
    /// The meaning of one row.
    pub about: &'static str,
    /// The columns in their order.
    pub columns: Vec<ColumnDoc>,
}

/// A column as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ColumnDoc {
    /// The name.
    pub name: String,
    /// The Arrow type, with a `?` where a value may be missing.
    pub data_type: String,
    /// The unit.
    pub unit: &'static str,
    /// The meaning.
    pub meaning: String,
}

fn describe<R: TableRow>(frame: &TableFrame) -> TableDoc {
    let TableSchema { name, about, columns } = R::table(frame);
    let columns = columns
        .iter()
        .map(|column| ColumnDoc {
            name: column.name.to_string(),
            data_type: format!("{}{}", column.data_type(), if column.is_optional() { "?" } else { "" }),
            unit: column.unit,
            meaning: column.meaning.to_string(),
        })
        .collect();
    TableDoc { name, about, columns }
}

/// All tables in their order; their columns depend on the powers only in the words that they can contain.
pub(crate) fn tables() -> Vec<TableDoc> {
    let frame = &TableFrame::new(PowerNames::standard());
    vec![
        describe::<GameRow>(frame),
        describe::<SeatRow>(frame),
        describe::<TurnRow>(frame),
        describe::<TopologyRow>(frame),
        describe::<DistanceRow>(frame),
        describe::<EventRow>(frame),
        describe::<OrderRow>(frame),
        describe::<MapRow>(frame),
    ]
}

/// The text of `docs/schema.md`.
pub(crate) fn document() -> String {
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
    for table in tables() {
        let _ = write!(
            text,
            "\n## {}\n\n{}\n\n| column | type | unit | meaning |\n|---|---|---|---|\n",
            table.name,
            wrapped(table.about)
        );
        for c in table.columns {
            let _ = writeln!(text, "| `{}` | {} | {} | {} |", c.name, c.data_type, c.unit, c.meaning);
        }
        if table.name == EventRow::TABLE {
            text.push_str("\n| kind | what happened |\n|---|---|\n");
            for kind in EventKind::ALL {
                let _ = writeln!(text, "| `{}` | {} |", kind.name(), kind.meaning());
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
        for table in tables() {
            let mut names: Vec<_> = table.columns.iter().map(|c| &c.name).collect();
            names.sort();
            names.dedup();
            assert_eq!(names.len(), table.columns.len(), "{}", table.name);
            for column in &table.columns {
                assert!(!column.unit.is_empty() && !column.meaning.is_empty(), "{}", column.name);
                assert!(!column.meaning.contains(['|', '\n']), "{}", column.name);
            }
        }
        let mut kinds: Vec<_> = EventKind::ALL.map(EventKind::name).to_vec();
        kinds.sort();
        kinds.dedup();
        assert_eq!(kinds.len(), EventKind::ALL.len());
    }
}
