//! Map files of DPjudge and of the Python package `diplomacy`, which list adjacencies.
//!
//! A location is a province (`GAS`), a coast (`SPA/NC`), or the inland of a province with several coasts (`spa`, in small
//! letters). In a list of neighbours capital letters are for armies and fleets, small ones for armies alone (`mar`), and
//! a capital first letter for fleets alone (`Bal`).

mod reader;
mod sketching;

pub use reader::{Includes, Listing, Place, PowerListing, Terrain, read};
