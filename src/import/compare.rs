//! Compares the moves on a map with those that its source lists.

use std::collections::BTreeSet;
use std::fmt;

use upheaval_map::topology::report::MapReport;
use upheaval_map::topology::{NamedMap, derive};

use crate::sketch::{Sketch, Station};

/// The kind of unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MovingUnit {
    /// An army.
    Army,
    /// A fleet.
    Fleet,
}

/// The way in which a move differs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DifferenceKind {
    /// The source has it, the map does not.
    Missing,
    /// The map has it, the source does not.
    Extra,
}

/// A move that exists in only one of the two.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct AdjacencyDifference {
    /// The kind of unit.
    pub mover: MovingUnit,
    /// The side that has the move.
    pub kind: DifferenceKind,
    /// The origin, such as `SPA/NC`.
    pub from: String,
    /// The destination.
    pub to: String,
}

impl fmt::Display for AdjacencyDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mover = match self.mover {
            MovingUnit::Army => "army",
            MovingUnit::Fleet => "fleet",
        };
        let kind = match self.kind {
            DifferenceKind::Missing => "the source has it, the map does not",
            DifferenceKind::Extra => "the map has it, the source does not",
        };
        write!(f, "{mover} {} - {}: {kind}", self.from, self.to)
    }
}

fn written((province, coast): &Station) -> String {
    coast.as_ref().map_or_else(|| province.clone(), |coast| format!("{province}/{coast}"))
}

/// Every move that only one of the two has, in order.
pub(crate) fn differences(chart: &NamedMap, sketch: &Sketch) -> Vec<AdjacencyDifference> {
    let report = MapReport::new(chart, &derive(chart.map()));
    let (mut army, mut fleet) = (BTreeSet::new(), BTreeSet::new());
    for (code, face) in &report.faces {
        army.extend(face.army.iter().map(|to| [code.clone(), to.clone()]));
        for (coast, reached) in &face.fleet {
            let from = if coast.is_empty() { code.clone() } else { format!("{code}/{coast}") };
            fleet.extend(reached.iter().map(|to| [from.clone(), to.clone()]));
        }
    }
    let listed: BTreeSet<[String; 2]> =
        sketch.fleet.iter().map(|pair| pair.each_ref().map(written)).collect();
    let mut differences = Vec::new();
    for (mover, ours, theirs) in
        [(MovingUnit::Army, &army, &sketch.army), (MovingUnit::Fleet, &fleet, &listed)]
    {
        let difference = |kind| {
            move |[from, to]: &[String; 2]| AdjacencyDifference {
                mover,
                kind,
                from: from.clone(),
                to: to.clone(),
            }
        };
        differences.extend(theirs.difference(ours).map(difference(DifferenceKind::Missing)));
        differences.extend(ours.difference(theirs).map(difference(DifferenceKind::Extra)));
    }
    differences.sort();
    differences
}
