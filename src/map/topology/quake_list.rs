//! Every quake that a map allows, in canonical order, updated while the map changes.
//!
//! Separations are sorted by the faces that lose contact, the face with the earlier code first. They
//! therefore fall into groups, one for each face: its separations from later faces. A group depends only on
//! the boundary of its face. When borders have moved, the groups of the faces whose boundary the change has
//! touched ([`super::map::Touch`]) are rebuilt, and everything in between is copied:
//!
//! ```text
//!             ADR          AEG       ALB               YOR
//!    before   ALB APU ION  BUL CON   GRE ION SER   …
//!               copied      rebuilt    copied
//!    after    ALB APU ION  BUL GRE   GRE ION SER   …   followed by the releases
//! ```
//!
//! Releases are always rebuilt: even where there are islands, there are few of them. Everything is rebuilt
//! when faces were created, collapsed or restored, because that may change the order of the faces by code, or
//! which faces have borders at all.

#[cfg(test)]
mod tests;

use std::mem;

use super::face::FaceState;
use super::half_edge::{BorderId, HalfEdgeId};
use super::map::PlanarMap;
use super::quake::Quake;
use crate::ids::ProvinceId;

/// Every quake that a map allows, as [`PlanarMap::quakes`] lists them, with the ability to follow the map.
#[derive(Clone, Debug, Default)]
pub struct QuakeList {
    quakes: Vec<Quake>,
    /// The number of separations in the group of each face, in the order of the codes.
    counts: Vec<u16>,
    /// Is any face collapsed? A collapsed face has no borders that could be separated.
    with_collapsed: bool,
    /// The previous list; kept to reuse its memory.
    before: Vec<Quake>,
    /// The group being built; kept to reuse its memory.
    group: Vec<Key>,
}

/// A quake after its sort key within the separations of one face or within the releases. Both are packed into
/// one number, with faces given by their rank by code.
///
/// ```text
///    separation          0 │ across │ one end │ other end │    0 │ border     8 bits for each face,
///    release       through │    one │   other │         0 │ side │   side     16 for a border or half-edge
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key(u64);

impl Key {
    #[inline]
    fn of_separation(border: BorderId, across: u8, [x, y]: [u8; 2]) -> Key {
        let faces = u32::from_be_bytes([0, across, x.min(y), x.max(y)]);
        Key(u64::from(faces) << 32 | u64::from(border.0))
    }

    fn of_release([x, y]: [HalfEdgeId; 2], through: ProvinceId, map: &PlanarMap) -> Key {
        let [a, c] = map.ranks([map.owner(x), map.owner(y)]);
        let faces = u32::from_be_bytes([map.rank(through), a, c, 0]);
        Key(u64::from(faces) << 32 | u64::from(x.min(y).0) << 16 | u64::from(x.max(y).0))
    }

    #[inline]
    fn separation(self) -> Quake {
        Quake::Separation(BorderId(self.0 as u16))
    }

    fn release(self) -> Quake {
        Quake::Release([HalfEdgeId((self.0 >> 16) as u16), HalfEdgeId(self.0 as u16)])
    }

    /// Do the two quakes have the same faces?
    #[inline]
    fn is_alike(self, other: Key) -> bool {
        (self.0 ^ other.0) >> 32 == 0
    }
}

impl QuakeList {
    /// The quakes of a map.
    pub fn new(map: &PlanarMap) -> QuakeList {
        let with_collapsed = map.faces.iter().any(|face| face.state == FaceState::Collapsed);
        let mut list = QuakeList { with_collapsed, ..QuakeList::default() };
        list.list(map, |_| true);
        list
    }

    /// The quakes, in canonical order.
    #[inline]
    pub fn as_slice(&self) -> &[Quake] {
        &self.quakes
    }

    /// The quakes, in canonical order.
    pub(crate) fn into_vec(self) -> Vec<Quake> {
        self.quakes
    }

    /// Updates the list, which must be that of the map before its last change
    /// ([`super::NamedMap::begin_change`]), to that of the map as it is now.
    pub fn follow(&mut self, map: &PlanarMap) {
        if !map.remade().is_empty() {
            *self = QuakeList::new(map);
        } else {
            self.list(map, |face| map.touch.bounded.contains(face));
        }
    }

    /// Rebuilds the separations of these faces and all releases; the other separations are kept.
    fn list(&mut self, map: &PlanarMap, is_stale: impl Fn(ProvinceId) -> bool) {
        let QuakeList { quakes, counts, with_collapsed, before, group } = self;
        mem::swap(quakes, before);
        quakes.clear();
        quakes.reserve(before.len());
        let faces = map.names().sorted();
        counts.resize(faces.len(), 0);
        // The part of the previous list that is copied next.
        let (mut begin, mut end) = (0, 0);
        for (&face, count) in faces.iter().zip(counts) {
            let next = end + usize::from(*count);
            if is_stale(face) {
                quakes.extend_from_slice(&before[begin..end]);
                begin = next;
                group.clear();
                map.key_separations(face, group);
                if *with_collapsed {
                    group.retain(|key| map.allows(key.separation()));
                }
                add(quakes, group, Key::separation, map);
                *count = group.len() as u16;
            }
            end = next;
        }
        quakes.extend_from_slice(&before[begin..end]);
        group.clear();
        for (i, &(face, _)) in map.further_cycles.iter().enumerate() {
            if map.further_cycles[..i].iter().all(|&(other, _)| other != face) {
                map.key_releases(face, group);
            }
        }
        add(quakes, group, Key::release, map);
    }
}

/// Appends the quakes with these keys to a list, in canonical order.
#[inline]
fn add(quakes: &mut Vec<Quake>, keys: &mut [Key], quake: impl Fn(Key) -> Quake, map: &PlanarMap) {
    keys.sort_unstable();
    let begin = quakes.len();
    quakes.extend(keys.iter().map(|&key| quake(key)));
    if keys.windows(2).any(|pair| pair[0].is_alike(pair[1])) {
        sort_alike(&mut quakes[begin..], keys, map);
    }
}

/// Sorts quakes with the same faces by their index, which is expensive and rarely needed.
#[cold]
fn sort_alike(quakes: &mut [Quake], keys: &[Key], map: &PlanarMap) {
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
    /// Every quake that could be done on its own on this map, in canonical order: separations before
    /// releases, each sorted by the names of its faces (those that lose contact first) and then by index. The
    /// order does not depend on how the map was reached.
    pub fn quakes(&self) -> Vec<Quake> {
        QuakeList::new(self).into_vec()
    }

    /// The separations of a face from later ones, assuming that no face is collapsed. The faces at the ends
    /// of a border are those across the previous and the next half-edge.
    #[inline]
    fn key_separations(&self, face: ProvinceId, found: &mut Vec<Key>) {
        let own = self.rank(face);
        let beyond = |side: HalfEdgeId| self.rank(self.across(side));
        for head in self.cycles_of(face) {
            let (mut before, mut side, mut at) = (beyond(self.prev(head)), head, beyond(head));
            loop {
                let next = self.next(side);
                let behind = beyond(next);
                // A loop has no ends.
                if at > own && next != side {
                    found.push(Key::of_separation(side.border(), at, [before, behind]));
                }
                (before, side, at) = (at, next, behind);
                if side == head {
                    break;
                }
            }
        }
    }

    /// The releases through a face, between two stretches on different cycles of it.
    fn key_releases(&self, face: ProvinceId, found: &mut Vec<Key>) {
        let heads = || self.cycles_of(face).enumerate();
        for (i, one) in heads() {
            for (_, other) in heads().take(i) {
                for x in self.cycle(one).map(HalfEdgeId::twin) {
                    let released =
                        self.cycle(other).map(HalfEdgeId::twin).filter(|&y| self.can_release(x, y, face));
                    found.extend(released.map(|y| Key::of_release([x, y], face, self)));
                }
            }
        }
    }
}
