//! The planar map and what is derived from it.
//!
//! [`PlanarMap`] is the source of truth: faces, borders, corners. [`surgery`] changes it. [`derive()`]
//! compiles it into the [`Board`] on which the rules are played. [`NamedMap`] is a map with positions, centres
//! and names; [`atlas`] reads one from a file. The rules see only the board and need not know that the map
//! can change.
//!
//! ```text
//!  map file ─ atlas ─▶ planar map, with centres and names ─ derive ─▶ Board ─▶ the rules
//!                         ▲                                           │
//!                         ├─ surgery: one change                      └─ survey ─▶ the measures of the map
//!                         └─ shake: several quakes at once
//! ```

mod aftermath;
pub mod atlas;
mod bearing;
mod board;
mod derive;
mod event;
mod faults;
mod graph;
mod half_edge;
pub mod isthmus;
mod map;
mod map_file;
mod metrics;
mod named_map;
mod quake;
pub mod report;
mod shake;
mod structure;
pub mod surgery;
mod survey;
mod waterway;

pub use crate::topology::bearing::{Bearing, CoastName, InvalidCoast, Quarter};
pub use crate::topology::board::{Board, ByHand, FleetMoves, Former};
pub use crate::topology::half_edge::{BorderId, Face, FaceKind, FaceState, HalfEdgeId, Names};
pub use crate::topology::map_file::{CanalEntry, FaceEntry, MapFile, is_coordinate, whole_of};
pub use crate::topology::quake::{Quake, QuakeList, Touched};
pub use derive::derive;
pub use event::{InvalidEvent, MapEvent, SplitEnd};
pub use graph::GraphMetrics;
pub use map::PlanarMap;
pub use metrics::{HomeDistances, Metrics};
pub use named_map::{CoastFate, NamedMap, ProvinceInfo};
pub use structure::Counts;
pub use surgery::{Surgery, SurgeryError};
pub use survey::{Survey, Surveys};
pub use waterway::{CanalEnd, CanalOrigin, Waterway, WaterwayRule};
