//! What the tables were derived by way of, from which they follow a map that changes.

use crate::ids::ProvinceSet;

/// What the derivation goes on from when the map changes.
#[derive(Clone, Debug, Default)]
pub(in crate::topology) struct Ground {
    /// The faces next to each face, whatever they are.
    pub neighbours: Vec<ProvinceSet>,
    /// The collapsed faces.
    pub holes: ProvinceSet,
    pub points: Vec<Point>,
    pub archipelagos: ProvinceSet,
    /// What lets fleets past: seas and archipelagos.
    pub water: ProvinceSet,
    /// What counts as water for a land face that borders it: that, and the holes of points that it touches.
    pub wet: ProvinceSet,
}

/// A group of collapsed faces that share borders: one point (rules.md 1.4).
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::topology) struct Point {
    pub holes: ProvinceSet,
    /// All faces around, whatever they are.
    pub rim: ProvinceSet,
    pub land: ProvinceSet,
    pub sea: ProvinceSet,
    /// Does any water touch it?
    pub wet: bool,
}
