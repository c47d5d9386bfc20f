//! Adjacency and coasts computed a second time, slowly, from only the printed neighbour lists, in the words of rules.md
//! 1.2 to 1.5 and 4.9. This code shares nothing with the program: it knows names and lists, but no borders or sides.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use upheaval::topology::report::{FaceReport, MapReport};

/// A place on a printed boundary: the face, the list, the position in it.
type Place<'a> = (&'a str, usize, usize);

/// The description of a place for fleets without names of coasts: the province, and the seas that it reaches.
pub(super) type Shore = (String, BTreeSet<String>);

/// A place for fleets: the seas reached, and every destination.
pub(super) type Berth = (BTreeSet<String>, Vec<Shore>);

/// All possible moves, with coasts distinguished only by the seas that they reach.
#[derive(Debug, PartialEq, Eq, Default)]
pub(super) struct Movement {
    /// The destinations of armies, by province.
    pub army: BTreeMap<String, BTreeSet<String>>,
    /// The places for fleets of each face, sorted.
    pub fleet: BTreeMap<String, Vec<Berth>>,
}

impl Movement {
    /// The contents of the report.
    pub(super) fn reported(report: &MapReport) -> Movement {
        let mut movement = Movement::default();
        for (name, face) in &report.faces {
            movement.army.insert(name.clone(), face.army.iter().cloned().collect());
            let mut of_face: Vec<_> = face
                .fleet
                .iter()
                .map(|(coast, to)| {
                    let mut shores: Vec<Shore> = to
                        .iter()
                        .map(|to| match to.split_once('/') {
                            Some((to, coast)) => (to.to_owned(), seas(&report.faces[to], coast)),
                            None => (to.clone(), seas(&report.faces[to], "")),
                        })
                        .collect();
                    shores.sort();
                    (seas(face, coast), shores)
                })
                .collect();
            of_face.sort();
            movement.fleet.insert(name.clone(), of_face);
        }
        movement
    }

    /// The neighbour lists interpreted by the words of the rulings, with these faces as archipelagos; one result for
    /// each way in which the printed waterways can be placed on them.
    pub(super) fn by_words(report: &MapReport, archipelagos: &[&str]) -> Vec<Movement> {
        let lists = Lists::new(report, archipelagos);
        lists.placements().iter().map(|joins| lists.movement(joins)).collect()
    }
}

/// The seas that a coast reaches, as printed; empty for a sea.
fn seas(face: &FaceReport, coast: &str) -> BTreeSet<String> {
    face.coasts
        .iter()
        .find(|c| c.name.as_deref().unwrap_or("") == coast)
        .map(|c| c.seas.iter().cloned().collect())
        .unwrap_or_default()
}

/// All ways in which these pairs of contacts can belong to a canal that ends at several of them. A canal that was dug
/// ends at all stretches on its seas, but borders may have moved since.
fn joined_at_some<'a>(pairs: &[[Place<'a>; 2]]) -> Vec<Vec<[Place<'a>; 2]>> {
    let some = |end: usize| -> Vec<BTreeSet<Place<'a>>> {
        let all: BTreeSet<Place<'a>> = pairs.iter().map(|pair| pair[end]).collect();
        let with = |found: Vec<BTreeSet<Place<'a>>>, place: Place<'a>| {
            let more: Vec<_> = found.iter().map(|set| set | &BTreeSet::from([place])).collect();
            [found, more].concat()
        };
        all.into_iter().fold(vec![BTreeSet::new()], with)
    };
    let (from, to) = (some(0), some(1));
    let ends = from.iter().flat_map(|x| to.iter().map(move |y| (x, y)));
    let at = |(x, y): (&BTreeSet<Place<'a>>, &BTreeSet<Place<'a>>)| -> Vec<[Place<'a>; 2]> {
        pairs.iter().filter(|[from, to]| x.contains(from) && y.contains(to)).copied().collect()
    };
    ends.map(at).filter(|joined| !joined.is_empty()).collect()
}

struct Lists<'a> {
    report: &'a MapReport,
    places: Vec<Place<'a>>,
    /// The indices of a face's places among all places.
    of_face: BTreeMap<&'a str, Range<usize>>,
    /// For each collapsed face the alphabetically first of its group.
    group: BTreeMap<&'a str, &'a str>,
    /// Only open land faces; a hole stays a hole.
    archipelagos: BTreeSet<&'a str>,
}

impl<'a> Lists<'a> {
    fn new(report: &'a MapReport, archipelagos: &[&str]) -> Self {
        let (mut places, mut of_face) = (Vec::new(), BTreeMap::new());
        for (name, face) in &report.faces {
            let first = places.len();
            for (c, cycle) in face.boundaries.iter().enumerate() {
                places.extend((0..cycle.len()).map(|i| (name.as_str(), c, i)));
            }
            of_face.insert(name.as_str(), first..places.len());
        }
        let marked = |name: &&'a String| archipelagos.contains(&name.as_str());
        let open = report.faces.iter().filter(|(_, face)| face.kind == "land").map(|(name, _)| name);
        let archipelagos = open.filter(marked).map(String::as_str).collect();
        let mut lists = Lists { report, places, of_face, group: BTreeMap::new(), archipelagos };
        // Neighbouring holes take the smaller name until nothing changes.
        for (name, face) in &report.faces {
            if face.kind == "hole" {
                lists.group.insert(name, name);
            }
        }
        loop {
            let mut changed = false;
            for &place in &lists.places {
                let (here, there) = (place.0, lists.met_at(place));
                if let (Some(&x), Some(&y)) = (lists.group.get(here), lists.group.get(there))
                    && y < x
                {
                    lists.group.insert(here, y);
                    changed = true;
                }
            }
            if !changed {
                return lists;
            }
        }
    }

    fn kind(&self, face: &str) -> &'a str {
        self.report.faces[face].kind
    }

    fn list(&self, (face, cycle, _): Place<'a>) -> &'a [String] {
        &self.report.faces[face].boundaries[cycle]
    }

    fn places_of(&self, face: &'a str) -> impl Iterator<Item = Place<'a>> {
        self.places[self.of_face[face].clone()].iter().copied()
    }

    fn after(&self, place: Place<'a>) -> Place<'a> {
        (place.0, place.1, (place.2 + 1) % self.list(place).len())
    }

    fn before(&self, place: Place<'a>) -> Place<'a> {
        let n = self.list(place).len();
        (place.0, place.1, (place.2 + n - 1) % n)
    }

    fn met_at(&self, place: Place<'a>) -> &'a str {
        &self.list(place)[place.2]
    }

    /// The same stretch of border in the neighbour's list: the neighbour before it here comes after it there.
    fn opposite(&self, place: Place<'a>) -> Place<'a> {
        let (before, after) = (self.met_at(self.before(place)), self.met_at(self.after(place)));
        let is_loop = self.list(place).len() == 1;
        let fits = |&other: &Place<'a>| {
            self.met_at(other) == place.0
                && (self.list(other).len() == 1) == is_loop
                && (is_loop
                    || (self.met_at(self.before(other)) == after && self.met_at(self.after(other)) == before))
        };
        let found: Vec<_> = self.places_of(self.met_at(place)).filter(fits).collect();
        assert_eq!(found.len(), 1, "{place:?} has one opposite");
        found[0]
    }

    /// All faces of this kind that meet the group of holes.
    fn round(&self, group: &str, kind: &str) -> BTreeSet<&'a str> {
        self.places
            .iter()
            .filter(|place| self.group.get(place.0) == Some(&group))
            .map(|&place| self.met_at(place))
            .filter(|face| self.kind(face) == kind)
            .collect()
    }

    /// 4.9: where the other rulings name seas and mean that fleets can pass there, an archipelago counts as well.
    fn is_sea(&self, face: &str) -> bool {
        self.kind(face) == "sea" || self.archipelagos.contains(face)
    }

    fn sea_touches(&self, group: &str) -> bool {
        self.round(group, "sea").union(&self.round(group, "land")).any(|face| self.is_sea(face))
    }

    /// 1.3, 1.4: a sea, or a point that some sea touches. 4.9: a province always touches water in an archipelago, and
    /// an archipelago everywhere.
    fn is_water(&self, place: Place<'a>) -> bool {
        let met = self.met_at(place);
        self.is_sea(met)
            || self.archipelagos.contains(place.0)
            || self.group.get(met).is_some_and(|group| self.sea_touches(group))
    }

    /// Every way to place the printed waterways: each a list of pairs of contacts that are joined.
    fn placements(&self) -> Vec<Vec<[Place<'a>; 2]>> {
        let mut all: Vec<Vec<[Place<'a>; 2]>> = vec![Vec::new()];
        for way in &self.report.waterways {
            let mut fitting: Vec<Vec<[Place<'a>; 2]>> = Vec::new();
            if way.kind == "canal" {
                for x in self.places_of(&way.within[0]).filter(|&x| self.met_at(x) == way.ends[0]) {
                    for y in self.places_of(&way.within[0]).filter(|&y| self.met_at(y) == way.ends[1]) {
                        fitting.push(vec![[x, y]]);
                    }
                }
                if !way.origin.is_natural() {
                    fitting = joined_at_some(&fitting.concat());
                }
            } else {
                for x in self.places_of(&way.within[0]).filter(|&x| self.met_at(x) == way.within[1]) {
                    let mut ends = [self.before(x), self.after(x)].map(|end| self.met_at(end));
                    ends.sort_unstable();
                    if way.ends == ends {
                        let other = self.opposite(x);
                        let round = |at| [self.before(at), self.after(at)];
                        fitting.push(vec![round(x), round(other)]);
                    }
                }
            }
            all = all
                .iter()
                .flat_map(|so_far| fitting.iter().map(move |more| [&so_far[..], &more[..]].concat()))
                .collect();
        }
        all
    }

    /// 4.9: an archipelago is never broken into two coasts.
    fn round_archipelagos(&self) -> impl Iterator<Item = [Place<'a>; 2]> {
        self.archipelagos
            .iter()
            .flat_map(|face| self.places_of(face).map(move |place| [(*face, 0, 0), place]))
    }

    fn movement(&self, joins: &[[Place<'a>; 2]]) -> Movement {
        // 1.3: a coast is a maximal run of consecutive sea contacts. Every contact starts as a coast of its own;
        // neighbours in the list, and what a waterway joins, take one number.
        let mut coast: BTreeMap<Place<'a>, usize> = BTreeMap::new();
        for (number, &place) in self.places.iter().enumerate() {
            if self.kind(place.0) == "land" && self.is_water(place) {
                coast.insert(place, number);
            }
        }
        let runs: Vec<[Place<'a>; 2]> = self
            .places
            .iter()
            .map(|&place| [place, self.after(place)])
            .chain(joins.iter().copied())
            .chain(self.round_archipelagos())
            .collect();
        for [x, y] in runs {
            if let (Some(&x), Some(&y)) = (coast.get(&x), coast.get(&y)) {
                coast.values_mut().filter(|number| **number == y).for_each(|number| *number = x);
            }
        }
        // A place for a fleet: a sea by name, or a coast by province and number.
        let station = |place: Place<'a>| -> Option<(&'a str, usize)> {
            match self.kind(place.0) {
                "sea" => Some((place.0, 0)),
                _ => coast.get(&place).map(|&number| (place.0, number)),
            }
        };
        let mut army: BTreeSet<[&str; 2]> = BTreeSet::new();
        let mut sails: BTreeSet<[(&str, usize); 2]> = BTreeSet::new();
        for &place in &self.places {
            let opposite = self.opposite(place);
            let (here, there) = (place.0, opposite.0);
            match (self.kind(here), self.kind(there)) {
                ("land" | "ice", "ice") | ("ice", "land") => {
                    army.insert([here, there]);
                }
                ("land", "land") => {
                    army.insert([here, there]);
                    // 4.9: and in and out of an archipelago.
                    if self.is_sea(here) || self.is_sea(there) {
                        sails.extend(station(place).zip(station(opposite)).map(|(x, y)| [x, y]));
                    }
                    // 1.2: past a sea at an end, between the coasts that contain that contact.
                    for (mine, theirs) in [
                        (self.after(place), self.before(opposite)),
                        (self.before(place), self.after(opposite)),
                    ] {
                        if self.is_sea(self.met_at(mine))
                            && let (Some(x), Some(y)) = (station(mine), station(theirs))
                        {
                            sails.insert([x, y]);
                        }
                    }
                }
                ("land" | "sea", "land" | "sea") => {
                    if let (Some(x), Some(y)) = (station(place), station(opposite)) {
                        sails.insert([x, y]);
                    }
                }
                _ => {}
            }
        }
        // 1.4: at a point everything meets; fleets only if a sea touches it.
        for &group in self.group.values() {
            let (land, sea) = (self.round(group, "land"), self.round(group, "sea"));
            let ground = &land | &self.round(group, "ice");
            for &x in &ground {
                army.extend(ground.iter().filter(|&&y| y != x).map(|&y| [x, y]));
            }
            let mut there: BTreeSet<(&str, usize)> = sea.iter().map(|&sea| (sea, 0)).collect();
            let at_point = |place: &&Place<'a>| self.group.get(self.met_at(**place)) == Some(&group);
            there.extend(self.places.iter().filter(at_point).filter_map(|&place| station(place)));
            if self.sea_touches(group) {
                for &x in &there {
                    sails.extend(there.iter().map(|&y| [x, y]));
                }
            }
        }
        sails.retain(|[x, y]| x.0 != y.0);
        self.written(&army, &sails, &coast)
    }

    fn written(
        &self,
        army: &BTreeSet<[&str; 2]>,
        sails: &BTreeSet<[(&'a str, usize); 2]>,
        coast: &BTreeMap<Place<'a>, usize>,
    ) -> Movement {
        let seas_from = |from: (&str, usize)| -> BTreeSet<String> {
            sails
                .iter()
                .filter(|[x, y]| *x == from && self.kind(y.0) == "sea" && self.kind(from.0) == "land")
                .map(|[_, y]| y.0.to_owned())
                .collect()
        };
        let mut movement = Movement::default();
        for name in self.report.faces.keys() {
            let to = army.iter().filter(|[x, _]| x == name).map(|[_, y]| (*y).to_owned());
            movement.army.insert(name.clone(), to.collect());
            let mut stations: BTreeSet<(&str, usize)> =
                coast.iter().filter(|(place, _)| place.0 == name).map(|(place, &n)| (place.0, n)).collect();
            if self.kind(name) == "sea" {
                stations.insert((name, 0));
            }
            let mut of_face: Vec<_> = stations
                .into_iter()
                .map(|from| {
                    let mut to: Vec<Shore> = sails
                        .iter()
                        .filter(|[x, _]| *x == from)
                        .map(|[_, y]| (y.0.to_owned(), seas_from(*y)))
                        .collect();
                    to.sort();
                    (seas_from(from), to)
                })
                .collect();
            of_face.sort();
            movement.fleet.insert(name.clone(), of_face);
        }
        movement
    }
}
