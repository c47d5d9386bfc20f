//! Every quake that a map allows, in canonical order, kept while the map changes.
//!
//! A separation follows from its border and the four next to it. So when borders have moved, the separations of those
//! that the change has touched ([`super::map::Touch`]) are taken out of the list, those that are there now are put in,
//! and the others stand:
//!
//! ```text
//!      before   ADR ALB …   ADR APU …   ADR ION …   AEG BUL …   AEG CON …   …
//!                   │           ╳           │           │           ╳
//!      after    ADR ALB …               ADR ION …   AEG BUL …   AEG GRE …   …
//!                                                                   ↑ new
//! ```
//!
//! Releases are listed anew: where there are islands, they are few. So is everything when faces were made, collapsed or
//! restored, for then the places of the faces by their codes, or what has borders at all, may be another.

#[cfg(test)]
mod tests;

use super::half_edge::{BorderId, SideId};
use super::map::PlanarMap;
use super::quake::{Quake, Touched};
use crate::ids::ProvinceId;

/// Every quake that a map allows: [`PlanarMap::quakes`], and able to follow the map.
#[derive(Clone, Debug, Default)]
pub struct QuakeList {
    quakes: Vec<Quake>,
    /// Ascending.
    separations: Vec<Key>,
    /// Ascending; kept for its memory.
    releases: Vec<Key>,
}

/// A quake behind what the canonical order goes by, as a number: the places of its faces among all by their codes.
///
/// ```text
///    separation      apart │ apart │ together │ together │    0 │ border     8 bits for each face,
///    release       through │ together │ together │     0 │ side │   side     16 for a border or a side
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key(u64);

impl Key {
    #[inline]
    fn of_separation(border: BorderId, Touched { apart, together }: Touched, map: &PlanarMap) -> Key {
        let [[a, b], [c, d]] = [apart, together].map(|pair| map.ranks(pair).map(u64::from));
        Key(a << 56 | b << 48 | c << 40 | d << 32 | u64::from(border.0))
    }

    fn of_release([x, y]: [SideId; 2], through: ProvinceId, map: &PlanarMap) -> Key {
        let [a, c] = map.ranks([map.owner(x), map.owner(y)]).map(u64::from);
        let (b, x, y) = (u64::from(map.rank(through)), u64::from(x.min(y).0), u64::from(x.max(y).0));
        Key(b << 56 | a << 48 | c << 40 | x << 16 | y)
    }

    #[inline]
    fn border(self) -> BorderId {
        BorderId(self.0 as u16)
    }

    /// Are the two, of one kind, alike in their faces?
    #[inline]
    fn is_alike(self, other: Key) -> bool {
        (self.0 ^ other.0) >> 32 == 0
    }

    fn release(self) -> Quake {
        Quake::Release([SideId((self.0 >> 16) as u16), SideId(self.0 as u16)])
    }
}

impl QuakeList {
    /// The quakes of a map.
    pub fn new(map: &PlanarMap) -> QuakeList {
        let mut list = QuakeList::default();
        let key = |border| Some(Key::of_separation(border, map.separable(border)?, map));
        list.separations.extend(map.borders().filter_map(key));
        list.separations.sort_unstable();
        list.list(map);
        list
    }

    /// The quakes, in canonical order.
    #[inline]
    pub fn as_slice(&self) -> &[Quake] {
        &self.quakes
    }

    /// The quakes, in canonical order.
    pub fn into_vec(self) -> Vec<Quake> {
        self.quakes
    }

    /// The list is that of the map when its last change began ([`super::Chart::begin_change`]), and from now on that of
    /// the map as it is.
    pub fn follow(&mut self, map: &PlanarMap) {
        if !map.remade().is_empty() {
            *self = QuakeList::new(map);
            return;
        }
        let touched = &map.touch.borders;
        let mut kept = 0;
        for i in 0..self.separations.len() {
            let key = self.separations[i];
            self.separations[kept] = key;
            kept += usize::from(!touched.contains(key.border()));
        }
        self.separations.truncate(kept);
        touched.for_each(|border| {
            if let Some(faces) = map.separable(border) {
                let key = Key::of_separation(border, faces, map);
                let place = self.separations.partition_point(|&other| other < key);
                self.separations.insert(place, key);
            }
        });
        self.list(map);
    }

    /// Lists the quakes by their keys, when the separations have got theirs.
    fn list(&mut self, map: &PlanarMap) {
        self.releases.clear();
        for (i, &(face, _)) in map.further_cycles.iter().enumerate() {
            if map.further_cycles[..i].iter().all(|&(other, _)| other != face) {
                map.key_releases(face, &mut self.releases);
            }
        }
        self.releases.sort_unstable();
        self.quakes.clear();
        self.quakes.extend(self.separations.iter().map(|key| Quake::Separation(key.border())));
        self.quakes.extend(self.releases.iter().map(|key| key.release()));
        let (separations, releases) = self.quakes.split_at_mut(self.separations.len());
        sort_alike(separations, &self.separations, map);
        sort_alike(releases, &self.releases, map);
    }
}

/// Puts quakes of one kind that are alike in their faces into the order of their index, which is dear and seldom asked
/// for. They have these keys.
fn sort_alike(quakes: &mut [Quake], keys: &[Key], map: &PlanarMap) {
    // To look at all is faster than to stop at the first.
    if !keys.windows(2).fold(false, |any, pair| any | pair[0].is_alike(pair[1])) {
        return;
    }
    let mut rest = quakes;
    for alike in keys.chunk_by(|x, y| x.is_alike(*y)) {
        let (those, behind) = rest.split_at_mut(alike.len());
        if let [first, _, ..] = *those {
            those.iter_mut().zip(first.all_alike(map)).for_each(|(place, quake)| *place = quake);
        }
        rest = behind;
    }
}

impl PlanarMap {
    /// The releases through a face: of two stretches on different cycles of it.
    fn key_releases(&self, face: ProvinceId, found: &mut Vec<Key>) {
        let heads = || self.cycles_of(face).enumerate();
        for (i, one) in heads() {
            for (_, other) in heads().take(i) {
                for x in self.cycle(one).map(SideId::twin) {
                    let released =
                        self.cycle(other).map(SideId::twin).filter(|&y| self.can_release(x, y, face));
                    found.extend(released.map(|y| Key::of_release([x, y], face, self)));
                }
            }
        }
    }
}
