//! Places where the earth can move: every separation and release that a map allows (RULINGS 8.1), which of them
//! contradict each other (8.4), and several of them done at once (8.5).
//!
//! ```text
//!   separation of A and B                release of A, in an island in B, to C
//!        C                                ──── C ────
//!     ╲ ╱                                  ~~~~│~~~~~      joins the cycle round the island and the one
//!  A   │   B      the five borders at      ~~╭─A─╮~~~      along C: two releases that join the same two
//!     ╱ ╲         its ends and itself      ~~╰───╯~~~      cycles would cut B into pieces
//!        D        are what it is done to
//! ```

use super::event::MapEvent;
use super::map::{BorderId, PlanarMap, SideId};
use super::surgery::{Surgery, SurgeryError};
use crate::ids::{ByProvince, ProvinceId};

/// A change of borders that a map allows. Valid for the map it was taken from, until that changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Quake {
    /// The border goes, and its flanks touch in its place.
    Separation(BorderId),
    /// Two stretches of one face, on different boundary cycles of it, are joined: by the sides across from it, the
    /// lower first.
    Release([SideId; 2]),
}

/// A step of a shake.
#[derive(Clone, Copy, Debug)]
pub(super) enum Doing {
    /// This border is about to go.
    Separates(BorderId),
    /// This border has come, and has cut these two.
    Released { new: BorderId, stretches: [BorderId; 2] },
}

/// The faces of a quake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touched {
    /// The two faces that lose each other; of a release, the face that is driven apart, twice.
    pub apart: [ProvinceId; 2],
    /// The two that touch afterwards.
    pub together: [ProvinceId; 2],
}

impl Quake {
    /// A release between these two sides, whichever is named first.
    pub fn release(x: SideId, y: SideId) -> Quake {
        Quake::Release(if x <= y { [x, y] } else { [y, x] })
    }

    /// The faces it is about.
    pub fn touched(self, map: &PlanarMap) -> Touched {
        match self {
            Quake::Separation(border) => {
                let [side, twin] = border.sides();
                let ends = map.flanks(side).unwrap_or([map.owner(side); 2]);
                Touched { apart: [map.owner(side), map.owner(twin)], together: ends }
            }
            Quake::Release([x, y]) => {
                Touched { apart: [map.across(x); 2], together: [map.owner(x), map.owner(y)] }
            }
        }
    }

    /// The quake as text writes it, faces in alphabetical order, with an index where it fits more than one place.
    pub fn event(self, map: &PlanarMap) -> MapEvent {
        let Touched { apart, together } = self.touched(map);
        let sorted = |mut pair: [ProvinceId; 2]| {
            pair.sort_by_key(|&id| map.name(id));
            pair
        };
        let names = |pair: [ProvinceId; 2]| pair.map(|id| map.name(id).to_owned());
        let (apart, together) = (sorted(apart), sorted(together));
        let index = self.index(map, apart, together);
        match self {
            Quake::Separation(_) => {
                MapEvent::Separate { apart: names(apart), together: names(together), index }
            }
            Quake::Release(_) => {
                MapEvent::Connect { together: names(together), through: map.name(apart[0]).to_owned(), index }
            }
        }
    }

    /// Which of the places it is that fit its faces in this order, from 1; `None` if it is the only one.
    fn index(self, map: &PlanarMap, apart: [ProvinceId; 2], together: [ProvinceId; 2]) -> Option<usize> {
        let (place, count) = match self {
            Quake::Separation(border) => {
                let fitting = map.separations_of(apart, together);
                (fitting.iter().position(|side| side.border() == border), fitting.len())
            }
            Quake::Release(_) => {
                let fitting = map.releases_of(together[0], together[1], apart[0]);
                (fitting.iter().position(|&[x, y]| Quake::release(x, y) == self), fitting.len())
            }
        };
        place.filter(|_| count > 1).map(|place| place + 1)
    }

    /// The quake that the text means on this map.
    ///
    /// # Errors
    /// No separation or release; one that does not fit the map; one that fits several places without an index.
    pub fn of_event(event: &MapEvent, map: &PlanarMap) -> Surgery<Quake> {
        let find = |name: &String| map.find(name).ok_or_else(|| SurgeryError::NoSuchFace(name.clone()));
        match event {
            MapEvent::Separate { apart: [a, b], together: [c, d], index } => {
                let (apart, together) = ([find(a)?, find(b)?], [find(c)?, find(d)?]);
                let side = map.find_separation(apart, together, *index)?;
                Ok(Quake::Separation(side.border()))
            }
            MapEvent::Connect { together: [a, c], through, index } => {
                let [x, y] = map.find_release(find(a)?, find(c)?, find(through)?, *index)?;
                Ok(Quake::release(x, y))
            }
            other => Err(SurgeryError::NoQuake(other.to_string())),
        }
    }

    /// Can only one of the two be done (RULINGS 8.4)? A quake does not contradict itself.
    pub fn contradicts(self, other: Quake, map: &PlanarMap) -> bool {
        match (self, other) {
            _ if self == other => false,
            (Quake::Separation(x), Quake::Separation(y)) => corners_of(map, x).contains(&y),
            (Quake::Separation(border), Quake::Release(sides))
            | (Quake::Release(sides), Quake::Separation(border)) => {
                sides.iter().any(|side| side.border() == border)
            }
            (Quake::Release(x), Quake::Release(y)) => {
                let mut taken = Cycles::new(map);
                taken.join(x) && !taken.join(y)
            }
        }
    }
}

/// The borders that share a corner with this one: none for a loop.
pub(super) fn corners_of(map: &PlanarMap, border: BorderId) -> [BorderId; 4] {
    let [h, t] = border.sides();
    [map.next(h), map.prev(h), map.next(t), map.prev(t)].map(SideId::border)
}

/// Boundary cycles that releases have joined. A cycle is known by its lowest side.
struct Cycles<'a> {
    map: &'a PlanarMap,
    /// Each cycle that has been asked about, with the group it is in.
    groups: Vec<(SideId, usize)>,
}

impl<'a> Cycles<'a> {
    fn new(map: &'a PlanarMap) -> Self {
        Cycles { map, groups: Vec::new() }
    }

    fn group(&mut self, side: SideId) -> usize {
        let lowest = self.map.cycle(side).min().unwrap_or(side);
        if let Some(&(_, group)) = self.groups.iter().find(|(cycle, _)| *cycle == lowest) {
            return group;
        }
        let group = self.groups.len();
        self.groups.push((lowest, group));
        group
    }

    /// Joins the two cycles of a release; false if they hang together already, so that it would cut their face.
    fn join(&mut self, [x, y]: [SideId; 2]) -> bool {
        let (a, b) = (self.group(x.twin()), self.group(y.twin()));
        for (_, group) in &mut self.groups {
            if *group == b {
                *group = a;
            }
        }
        a != b
    }
}

/// Would these releases, done together, cut a face?
fn cuts(map: &PlanarMap, releases: &[[SideId; 2]]) -> bool {
    let mut cycles = Cycles::new(map);
    !releases.iter().all(|&release| cycles.join(release))
}

impl PlanarMap {
    /// Every quake that could be done on this map by itself, in canonical order: separations before releases, each
    /// by the names of its faces (those that lose each other first) and then by index. The order does not tell how
    /// the map came about.
    pub fn quakes(&self) -> Vec<Quake> {
        let mut names: Vec<(&str, ProvinceId)> = self.faces().map(|(id, face)| (face.name(), id)).collect();
        names.sort_unstable();
        let mut rank = ByProvince::filled(0u8);
        for (i, &(_, id)) in names.iter().enumerate() {
            rank[id] = i as u8;
        }
        let ranks = |pair: [ProvinceId; 2]| {
            let [x, y] = pair.map(|id| rank[id]);
            [x.min(y), x.max(y)]
        };
        let mut keyed: Vec<([u8; 5], Quake)> = Vec::with_capacity(self.sides.len() / 2);
        let mut push = |kind: u8, quake: Quake| {
            let Touched { apart, together } = quake.touched(self);
            let ([a, b], [c, d]) = (ranks(apart), ranks(together));
            keyed.push(([kind, a, b, c, d], quake));
        };
        for border in self.borders().filter(|border| self.can_separate(*border)) {
            push(0, Quake::Separation(border));
        }
        for (id, face) in self.faces().filter(|(_, face)| face.cycles.len() > 1) {
            let cycles: Vec<Vec<SideId>> =
                face.cycles.iter().map(|&head| self.cycle(head).map(SideId::twin).collect()).collect();
            for (i, of_one) in cycles.iter().enumerate() {
                for (&x, &y) in
                    cycles[i + 1..].iter().flatten().flat_map(|y| of_one.iter().map(move |x| (x, y)))
                {
                    if self.can_release(x, y, id) {
                        push(1, Quake::release(x, y));
                    }
                }
            }
        }
        keyed.sort_unstable();
        // Quakes alike in their faces go by their index, which is dear and seldom asked for.
        for alike in keyed.chunk_by_mut(|(x, _), (y, _)| x == y).filter(|alike| alike.len() > 1) {
            alike.sort_by_cached_key(|(_, quake)| match quake.event(self) {
                MapEvent::Separate { index, .. } | MapEvent::Connect { index, .. } => index,
                _ => None,
            });
        }
        keyed.into_iter().map(|(_, quake)| quake).collect()
    }

    /// Is the quake one of those that [`PlanarMap::quakes`] lists? Any value may be asked about.
    pub fn allows(&self, quake: Quake) -> bool {
        let exists = |side: SideId| self.sides.get(side.index()).is_some_and(Option::is_some);
        match quake {
            Quake::Separation(border) => exists(border.sides()[0]) && self.can_separate(border),
            Quake::Release([x, y]) => {
                x < y
                    && exists(x)
                    && exists(y)
                    && self.across(x) == self.across(y)
                    && !self.same_cycle(x.twin(), y.twin())
                    && self.can_release(x, y, self.across(x))
            }
        }
    }

    fn can_separate(&self, border: BorderId) -> bool {
        let [side, twin] = border.sides();
        let Some(flanks) = self.flanks(side) else { return false };
        [self.owner(side), self.owner(twin), flanks[0], flanks[1]].into_iter().all(|id| self.has_borders(id))
    }

    fn can_release(&self, x: SideId, y: SideId, through: ProvinceId) -> bool {
        let (a, c) = (self.owner(x), self.owner(y));
        a != c && [a, c, through].into_iter().all(|id| self.has_borders(id))
    }

    /// Done at once: all of these, each of which the map allows and none of which contradicts another (RULINGS 8.5).
    /// First the separations, which make room, then the releases, each kind in the order given. `told` is called before
    /// each separation, and after each release with the new border.
    ///
    /// # Errors
    /// The quakes would cut a face together; then the map is as it was.
    pub(super) fn shake(&mut self, quakes: &[Quake], mut told: impl FnMut(&mut PlanarMap, Doing)) -> Surgery {
        let as_it_was = quakes.iter().any(|quake| matches!(quake, Quake::Release(_))).then(|| self.clone());
        let result = self.try_to_shake(quakes, &mut told);
        if let (Err(_), Some(before)) = (&result, as_it_was) {
            *self = before;
        }
        result
    }

    fn try_to_shake(&mut self, quakes: &[Quake], told: &mut dyn FnMut(&mut PlanarMap, Doing)) -> Surgery {
        // A separation may merge the stretches that a release is about; they are found again by their faces.
        let mut releases = Vec::new();
        for &quake in quakes {
            if let Quake::Release(sides) = quake {
                releases.push(sides.map(|side| (vec![side.border()], self.owner(side))));
            }
        }
        let begun = self.trail.len();
        for &quake in quakes {
            if let Quake::Separation(border) = quake {
                told(self, Doing::Separates(border));
                self.flip(border.sides()[0])?;
            }
        }
        for mut ends in releases {
            for (borders, _) in &mut ends {
                self.follow_from(begun, borders);
            }
            let side = |(borders, owner): &(Vec<BorderId>, ProvinceId)| {
                borders.iter().find_map(|&border| self.side_of(border, *owner))
            };
            let (Some(x), Some(y)) = (side(&ends[0]), side(&ends[1])) else {
                return Err(SurgeryError::Contradiction);
            };
            let new = self.release(x, y)?;
            told(self, Doing::Released { new, stretches: [x.border(), y.border()] });
        }
        Ok(())
    }

    /// Which of these quakes, none of which contradicts another, are in a smallest set that would cut a face even
    /// with all the separations done: each such set, by index (RULINGS 8.4).
    pub fn cutting_sets(&self, quakes: &[Quake]) -> Vec<Vec<usize>> {
        let releases: Vec<usize> =
            (0..quakes.len()).filter(|&i| matches!(quakes[i], Quake::Release(_))).collect();
        if releases.len() < 3 {
            return Vec::new(); // two that cut contradict each other
        }
        // As the map is with the separations done. A release among many that would fail is tried by its cycles.
        let mut shaken = self.clone();
        let separations: Vec<Quake> =
            quakes.iter().copied().filter(|quake| matches!(quake, Quake::Separation(_))).collect();
        shaken.trail.clear();
        if shaken.try_to_shake(&separations, &mut |_, _| {}).is_err() {
            return Vec::new();
        }
        let sides_of = |i: usize| -> Option<[SideId; 2]> {
            let Quake::Release(sides) = quakes[i] else { return None };
            let found = sides.map(|side| {
                let mut borders = vec![side.border()];
                shaken.follow(&mut borders);
                borders.iter().find_map(|&border| shaken.side_of(border, self.owner(side)))
            });
            Some([found[0]?, found[1]?])
        };
        let mut smallest: Vec<u32> = Vec::new();
        for set in 0u32..1 << releases.len() {
            let members = (0..releases.len()).filter(|bit| set >> bit & 1 != 0).map(|bit| releases[bit]);
            let sides: Vec<[SideId; 2]> = members.filter_map(sides_of).collect();
            if cuts(&shaken, &sides) {
                smallest.push(set);
            }
        }
        let all = smallest.clone();
        smallest.retain(|&set| !all.iter().any(|&other| other != set && other & set == other));
        let of_set = |set: &u32| -> Vec<usize> {
            (0..releases.len()).filter(|bit| set >> bit & 1 != 0).map(|bit| releases[bit]).collect()
        };
        smallest.iter().map(of_set).collect()
    }
}
