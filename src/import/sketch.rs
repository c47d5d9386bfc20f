//! A board as given by a list of adjacencies: provinces, and the moves of armies and fleets, without a
//! geometry.

use std::collections::{BTreeMap, BTreeSet};

use upheaval_map::topology::PowerEntry;

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
    /// Can a fleet move, in one direction or the other, between any places of the two provinces for which
    /// `fits` holds?
    pub fn fleets_pass(&self, a: &str, b: &str, fits: impl Fn(&Station) -> bool) -> bool {
        let between = |[from, to]: &&[Station; 2]| {
            ((from.0 == a && to.0 == b) || (from.0 == b && to.0 == a)) && fits(from) && fits(to)
        };
        self.fleet.iter().any(|pair| between(&pair))
    }

    /// The seas that a fleet in this place can reach.
    pub fn seas_of(&self, station: &Station) -> BTreeSet<&str> {
        let is_sea = |code: &str| {
            self.provinces.get(code).is_some_and(|province| province.ground == SketchGround::Sea)
        };
        let from_it = self.fleet.iter().filter(|[from, _]| from == station);
        from_it.map(|[_, (code, _)]| code.as_str()).filter(|code| is_sea(code)).collect()
    }

    /// The places for fleets in a province.
    pub fn stations_of(&self, code: &str) -> Vec<Station> {
        match self.provinces.get(code) {
            Some(province) if province.coasts.is_empty() => vec![(code.to_owned(), None)],
            Some(province) => {
                province.coasts.iter().map(|coast| (code.to_owned(), Some(coast.clone()))).collect()
            }
            None => Vec::new(),
        }
    }

    /// The terrain of a province.
    pub fn ground(&self, code: &str) -> Option<SketchGround> {
        self.provinces.get(code).map(|province| province.ground)
    }
}
