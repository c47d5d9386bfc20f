//! Map files of DPjudge and of the Python package `diplomacy`, which list adjacencies.
//!
//! A location is a province (`GAS`), a coast (`SPA/NC`), or the inland of a province with several coasts
//! (`spa`, in lower case). In a list of neighbours, upper case is for armies and fleets, lower case for
//! armies alone (`mar`), and a capital first letter for fleets alone (`Bal`).

mod foreign;
mod place_index;
mod reader;
mod roster;
mod sketching;

pub(crate) use reader::{Includes, PowerListing, read};
