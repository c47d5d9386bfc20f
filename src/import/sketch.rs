//! A board as given by a list of adjacencies: provinces, and the moves of armies and fleets, without a
//! geometry.

use std::collections::{BTreeMap, BTreeSet};

use upheaval_map::ids::PowerEntry;
use upheaval_map::topology::report::MapReport;
use upheaval_map::topology::{NamedMap, derive};

/// The terrain of a province.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SketchGround {
    /// Armies can be there, and fleets if it has a coast.
    Land,
    /// Fleets can be there.
    Sea,
    /// No unit can be there.
    Shut,
}

/// A province.
#[derive(Clone, PartialEq, Debug)]
pub struct SketchProvince {
    /// Its full name.
    pub name: String,
    /// Its terrain.
    pub ground: SketchGround,
    /// Is it a supply centre?
    pub supply_centre: bool,
    /// The power whose home it is.
    pub home: Option<String>,
    /// The names of its coasts, if it has several.
    pub coasts: Vec<String>,
}

/// A place for a fleet: a province and, if it has several coasts, one of them.
pub type Station = (String, Option<String>);

/// A board without geometry.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sketch {
    /// The provinces by code.
    pub provinces: BTreeMap<String, SketchProvince>,
    /// The moves of armies, from and to.
    pub army: BTreeSet<[String; 2]>,
    /// The moves of fleets, from and to.
    pub fleet: BTreeSet<[Station; 2]>,
    /// Pairs that are adjacent although no unit can move between them: shut provinces and their neighbours.
    pub touching: BTreeSet<[String; 2]>,
    /// The powers.
    pub powers: Vec<PowerEntry>,
}

impl Sketch {
    /// The places that a fleet in this place can reach.
    pub(crate) fn fleet_from(&self, station: &Station) -> impl Iterator<Item = &Station> {
        let first = [station.clone(), (String::new(), None)];
        self.fleet.range(first..).take_while(move |[from, _]| from == station).map(|[_, to]| to)
    }

    /// The places for fleets in a province.
    pub(crate) fn stations_of(&self, code: &str) -> Vec<Station> {
        match self.provinces.get(code) {
            Some(province) if province.coasts.is_empty() => vec![(code.to_owned(), None)],
            Some(province) => {
                province.coasts.iter().map(|coast| (code.to_owned(), Some(coast.clone()))).collect()
            }
            None => Vec::new(),
        }
    }

    /// The terrain of a province.
    pub(crate) fn ground(&self, code: &str) -> Option<SketchGround> {
        self.provinces.get(code).map(|province| province.ground)
    }
}

// Compares the moves on a map with those that its source lists.

fn written((province, coast): &Station) -> String {
    coast.as_ref().map_or_else(|| province.clone(), |coast| format!("{province}/{coast}"))
}

/// Every move that only one of the two has, in order.
pub(crate) fn differences(chart: &NamedMap, sketch: &Sketch) -> Vec<String> {
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
    for (mover, ours, theirs) in [("army", &army, &sketch.army), ("fleet", &fleet, &listed)] {
        let difference = |why| move |[from, to]: &[String; 2]| format!("{mover} {from} - {to}: {why}");
        let [missing, extra] =
            ["the source has it, the map does not", "the map has it, the source does not"].map(difference);
        differences.extend(theirs.difference(ours).map(missing));
        differences.extend(ours.difference(theirs).map(extra));
    }
    differences
}
