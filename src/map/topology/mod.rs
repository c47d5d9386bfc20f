//! The planar map and what is derived from it.
//!
//! [`PlanarMap`] is the source of truth: faces, borders, corners. [`surgery`] changes it. [`derive()`]
//! compiles it into the [`Board`] on which the rules are played. [`NamedMap`] is a map with positions, centres
//! and names; [`atlas`] reads one from a file. The rules see only the board and need not know that the map
//! can change.

mod aftermath;
pub mod atlas;
mod bearing;
mod bits;
mod board;
mod by_hand;
mod coast_name;
mod code;
mod derive;
#[cfg(test)]
mod drawn;
mod event;
mod face;
mod faults;
mod graph;
mod half_edge;
pub mod isthmus;
mod map;
mod map_file;
mod metrics;
mod movement;
mod named_map;
pub mod provinces;
mod quake;
mod quake_list;
mod relink;
pub mod report;
mod shake;
mod structure;
pub mod surgery;
mod survey;
#[cfg(test)]
mod test_walk;
mod waterway;
mod ways;

pub use bearing::Bearing;
pub use board::{Board, FleetMoves, Former};
pub use by_hand::ByHand;
pub use coast_name::{CoastName, InvalidCoast, Quarter};
pub use code::whole_of;
pub use derive::derive;
pub use event::{InvalidEvent, MapEvent, SplitEnd};
pub use face::{Face, FaceKind, FaceState, Names};
pub use graph::GraphMetrics;
pub use half_edge::{BorderId, HalfEdgeId};
pub use map::PlanarMap;
pub use map_file::{CanalEntry, FaceEntry, KindEntry, MapFile, PowerEntry, is_coordinate};
pub use metrics::{HomeDistances, Metrics};
pub use named_map::{CoastFate, NamedMap, ProvinceInfo};
pub use quake::{Quake, Touched};
pub use quake_list::QuakeList;
pub use structure::Counts;
pub use surgery::{Surgery, SurgeryError};
pub use survey::{Survey, Surveys};
pub use waterway::{CanalEnd, Waterway, WaterwayRule};
