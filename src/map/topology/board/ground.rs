//! Intermediate results of the derivation, from which the tables are updated when the map changes.

use crate::ids::ProvinceSet;

/// The state from which an incremental derivation starts.
#[derive(Clone, Debug, Default)]
pub(in crate::topology) struct Ground {
    /// The faces next to each face, of any kind.
    pub neighbours: Vec<ProvinceSet>,
    /// The collapsed faces.
    pub holes: ProvinceSet,
    pub points: Vec<Point>,
    pub archipelagos: ProvinceSet,
    /// Where fleets can pass: seas and archipelagos.
    pub water: ProvinceSet,
    /// What counts as water for an adjacent land face: water itself, and the holes of points that touch
    /// water.
    pub wet: ProvinceSet,
}

/// A group of collapsed faces that share borders: one point (rules.md 1.4).
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::topology) struct Point {
    pub holes: ProvinceSet,
    /// All faces around the point, of any kind.
    pub rim: ProvinceSet,
    pub land: ProvinceSet,
    pub sea: ProvinceSet,
    /// Does any water touch it?
    pub wet: bool,
}
