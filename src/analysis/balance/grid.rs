//! Two swept parameters as rows and columns: where the arms of a variant lie beside each other.

use serde::Serialize;

use upheaval_harness::sim::labels::{SweptParameter, SweptVariant};

/// The arms of a variant that differ in two parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Grid {
    /// The variant that is swept.
    pub variant: String,
    /// The first parameter.
    pub rows: Axis,
    /// The second.
    pub columns: Axis,
    /// Row by row the arm with these values; `None` where there is no such arm.
    pub cells: Vec<Vec<Option<String>>>,
}

/// A parameter with its values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Axis {
    /// Its key.
    pub parameter: String,
    /// Its display name.
    pub name: String,
    /// Its values, in order.
    pub values: Vec<String>,
}

impl Axis {
    fn of(parameter: &SweptParameter) -> Axis {
        let SweptParameter { key, name, values, .. } = parameter;
        Axis { parameter: key.clone(), name: name.clone(), values: values.clone() }
    }
}

impl Grid {
    /// The grid of a variant whose arms differ in two parameters, restricted to the arms that are shown.
    pub(crate) fn of(variant: &SweptVariant, shown: impl Fn(&str) -> bool) -> Option<Grid> {
        let [rows, columns] = variant.parameters.as_slice() else { return None };
        let mut cells = vec![vec![None; columns.values.len()]; rows.values.len()];
        for (arm, places) in variant.arms.iter().filter(|(arm, _)| shown(arm)) {
            if let [row, column] = places[..] {
                cells[row][column] = Some(arm.clone());
            }
        }
        let several = cells.iter().flatten().flatten().count() > 1;
        several.then(|| Grid {
            variant: variant.base.clone(),
            rows: Axis::of(rows),
            columns: Axis::of(columns),
            cells,
        })
    }
}
