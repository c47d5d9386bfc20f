//! Columns by names and types, and groups of columns as rows.
//!
//! ```no_run
//! # fn main() -> Result<(), upheaval_harness::record::reader::ReadError> {
//! use upheaval_harness::record::reader::{by_game, turns};
//! use upheaval_map::ids::PowerNames;
//!
//! let path = std::path::Path::new("results/x-0123/turns/variant=standard/part-00000.parquet");
//! by_game(path, &PowerNames::standard(), (turns::YEAR, turns::POWER, turns::CENTRES), |game, rows| {
//!     let most = rows.iter().map(|&(_, _, centres)| centres).max();
//!     println!("{game}: {most:?}");
//! })
//! # }
//! ```

use std::marker::PhantomData;
use std::sync::Arc;

use super::columns::{Columns, Value};

/// A column of the table whose rows are `R`, with values `V`.
pub struct Field<R, V> {
    /// Its name.
    pub name: &'static str,
    of: PhantomData<fn(R) -> V>,
}

impl<R, V> Clone for Field<R, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R, V> Copy for Field<R, V> {}

impl<R, V> Field<R, V> {
    const fn new(name: &'static str) -> Self {
        Field { name, of: PhantomData }
    }
}

/// Several columns of one table: a tuple of [`Field`]s, whose rows are tuples of values.
pub trait Fields {
    /// The rows of the table.
    type Table;
    /// What is read of one row.
    type Row;
    /// The names of the columns.
    fn names(&self) -> Vec<&'static str>;
    /// The rows; an error says what is wrong with the columns.
    fn rows(&self, columns: &Columns<'_>) -> Result<Vec<Self::Row>, String>;
}

macro_rules! tuples {
    ($(($($value:ident)+))*) => {
        $(#[allow(non_snake_case)] // a variable for each type
        impl<R, $($value: Value),+> Fields for ($(Field<R, $value>,)+) {
            type Table = R;
            type Row = ($($value,)+);
            fn names(&self) -> Vec<&'static str> {
                let ($($value,)+) = self;
                vec![$($value.name),+]
            }
            fn rows(&self, columns: &Columns<'_>) -> Result<Vec<Self::Row>, String> {
                let ($($value,)+) = self;
                $(let $value = columns.get::<$value>($value.name)?;)+
                Ok((0..columns.rows()).map(|i| ($($value[i].clone(),)+)).collect())
            }
        })*
    };
}

tuples! {
    (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H) (A B C D E F G H I)
    (A B C D E F G H I J) (A B C D E F G H I J K) (A B C D E F G H I J K L)
}

macro_rules! fields {
    ($($(#[$about:meta])* $table:ident: $row:ty { $($constant:ident $name:literal $value:ty;)* })*) => {
        $($(#[$about])*
        #[allow(missing_docs)] // said once, in the schema
        pub mod $table {
            use super::*;
            $(pub const $constant: Field<$row, $value> = Field::new($name);)*
            #[cfg(test)]
            pub(super) const NAMES: &[&str] = &[$($name),*];
        })*
    };
}

use crate::record::Text;
use crate::record::rows::{
    DistanceRow, EventKind, EventRow, OrderRow, SeatOutcome, SeatRow, TopologyRow, TurnRow,
};
use upheaval_engine::rules::conduct::Conduct;
use upheaval_engine::rules::position::{PhaseKind, Season};
use upheaval_map::ids::{Designation, Power};

fields! {
    /// The columns of the table `seats`.
    seats: SeatRow {
        POWER "power" Power;
        BOT "bot" Arc<str>;
        OUTCOME "outcome" SeatOutcome;
        PLACE "place" u8;
        CENTRES "centres" u16;
        UNITS "units" u16;
        ELIMINATED_YEAR "eliminated_year" Option<u16>;
        FAULT "fault" Conduct;
        FAULTS "faults" u32;
    }
    /// The columns of the table `distances`.
    distances: DistanceRow {
        TURN "turn" u16;
        POWER "power" Power;
        OTHER "other" Power;
        DISTANCE "distance" Option<f32>;
    }
    /// The columns of the table `turns`.
    turns: TurnRow {
        TURN "turn" u16;
        YEAR "year" u16;
        SEASON "season" Season;
        POWER "power" Power;
        CENTRES "centres" u8;
        HOME_CENTRES "home_centres" u8;
        UNITS "units" u8;
        ARMIES "armies" u8;
        FLEETS "fleets" u8;
        BUILT "built" u8;
        REMOVED "removed" u8;
        DISLODGED "dislodged" u8;
        LOST "lost" u8;
        GAINED "gained" u8;
        HOLDS "holds" u8;
        MOVES "moves" u8;
        SUPPORTS "supports" u8;
        CONVOYS "convoys" u8;
        SPECIAL "special" u8;
        CHOICES "choices" Option<f32>;
    }
    /// The columns of the table `events`.
    events: EventRow {
        SEQUENCE "sequence" u32;
        YEAR "year" u16;
        SEASON "season" Season;
        PHASE "phase" PhaseKind;
        KIND "kind" EventKind;
        PROVINCE "province" Option<Text>;
        POWER "power" Option<Power>;
        OTHER "other" Option<Power>;
        UNIT "unit" Option<Designation>;
        DETAIL "detail" Option<Text>;
    }
    /// The columns of the table `orders`.
    orders: OrderRow {
        YEAR "year" u16;
        SEASON "season" Season;
        PHASE "phase" PhaseKind;
        POWER "power" Power;
        UNIT "unit" Option<Text>;
        ORDER "order" Text;
        RESULT "result" Text;
        REASON "reason" Option<Text>;
    }
    /// The columns of the table `topology`.
    topology: TopologyRow {
        TURN "turn" u16;
        YEAR "year" u16;
        SEASON "season" Season;
        EXTANT_CENTRES "extant_centres" u16;
        OWNED_CENTRES "owned_centres" u16;
        NEUTRAL_CENTRES "neutral_centres" u16;
        TOPOLOGY_HASH "topology_hash" u64;
        LAND "land" u16;
        SEA "sea" u16;
        IMPASSABLE "impassable" u16;
        OUTSIDE "outside" u16;
        HOLES "holes" u16;
        VOIDS "voids" u16;
        BORDERS "borders" u16;
        CORNERS "corners" u16;
        COMPONENTS "components" u16;
        ISLANDS "islands" u16;
        COASTS "coasts" u16;
        MULTI_COAST "multi_coast" u16;
        ARMY_EDGES "army_edges" u16;
        ARMY_COMPONENTS "army_components" u16;
        ARMY_MEAN_DEGREE "army_mean_degree" Option<f32>;
        ARMY_DIAMETER "army_diameter" u16;
        ARMY_CUT_VERTICES "army_cut_vertices" u16;
        FLEET_EDGES "fleet_edges" u16;
        FLEET_COMPONENTS "fleet_components" u16;
        FLEET_MEAN_DEGREE "fleet_mean_degree" Option<f32>;
        FLEET_DIAMETER "fleet_diameter" u16;
        FLEET_CUT_VERTICES "fleet_cut_vertices" u16;
    }
}

#[cfg(test)]
mod tests {
    use crate::record::doc::tables;

    #[test]
    fn every_column_of_the_tables_can_be_read_by_name() {
        for (table, names) in [
            ("seats", super::seats::NAMES),
            ("distances", super::distances::NAMES),
            ("turns", super::turns::NAMES),
            ("events", super::events::NAMES),
            ("orders", super::orders::NAMES),
            ("topology", super::topology::NAMES),
        ] {
            let tables = tables();
            let columns = &tables.iter().find(|t| t.name == table).expect("a table").columns;
            let expected: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
            assert_eq!([&["game"], names].concat(), expected, "{table}");
        }
    }
}
