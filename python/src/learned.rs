//! The input of the network of the bot `learned`, for the program that trains it.

use numpy::ndarray::Array2;
use numpy::{IntoPyArray as _, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use upheaval_learned::encode::{Encoded, NODE_FEATURES, ORDER_COLUMNS, Rows, SEAT_FEATURES};

use crate::errors::input;

type Table<'py> = PyReadonlyArray2<'py, i32>;

/// The rows of a table with this many columns.
fn rows<'a, const COLUMNS: usize>(table: &'a Table<'_>) -> PyResult<&'a [[i32; COLUMNS]]> {
    let cells = table.as_slice().map_err(|_| input("a table is not contiguous"))?;
    let (rows, rest) = cells.as_chunks();
    match rest.is_empty() && table.as_array().ncols() == COLUMNS {
        true => Ok(rows),
        false => {
            Err(input(format!("a table must have {COLUMNS} columns, but has {}", table.as_array().ncols())))
        }
    }
}

type Encodings<'py> = (
    Bound<'py, PyArray2<u32>>,
    Bound<'py, PyArray2<u8>>,
    Bound<'py, PyArray2<u16>>,
    Bound<'py, PyArray2<u8>>,
    Bound<'py, PyArray2<i16>>,
);

/// The input of the network for each seat: the beginnings of its rows, nodes, edges, seats and orders.
/// `committed` has the settled choice for each ask, or −1.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the six tables of a batch")]
pub(crate) fn encode<'py>(
    py: Python<'py>,
    games: Table<'py>,
    nodes: Table<'py>,
    edges: Table<'py>,
    seats: Table<'py>,
    asks: Table<'py>,
    orders: Table<'py>,
    committed: PyReadonlyArray1<'py, i32>,
) -> PyResult<Encodings<'py>> {
    let committed = committed.as_slice().map_err(|_| input("the choices are not contiguous"))?;
    let tables = Rows {
        games: rows(&games)?,
        nodes: rows(&nodes)?,
        edges: rows(&edges)?,
        seats: rows(&seats)?,
        asks: rows(&asks)?,
        orders: rows(&orders)?,
    };
    let mut encoded = Encoded::default();
    encoded.fill(tables, committed);
    fn shaped<T>(cells: Vec<T>, columns: usize) -> PyResult<Array2<T>> {
        Array2::from_shape_vec((cells.len() / columns, columns), cells).map_err(input)
    }
    Ok((
        shaped(encoded.begins.into_flattened(), 3)?.into_pyarray(py),
        shaped(encoded.nodes, NODE_FEATURES)?.into_pyarray(py),
        shaped(encoded.edges.into_flattened(), 3)?.into_pyarray(py),
        shaped(encoded.seats, SEAT_FEATURES)?.into_pyarray(py),
        shaped(encoded.orders.into_flattened(), ORDER_COLUMNS)?.into_pyarray(py),
    ))
}
