//! The moves of fleets: over every half-edge with water, round the corners of the coasts, and through points.
//!
//! A fleet passes where water ends the border of two land provinces, between the two coasts that contain that
//! corner:
//!
//! ```text
//!           other      │        face
//!    ──────────────────●───────────────────
//!     on the far coast     contact →
//!    ~~~~~~~~~~~~~~ the water ~~~~~~~~~~~~~
//! ```

use super::Derivation;
use crate::ids::{ProvinceId, ProvinceSet};
use crate::topology::board::{Board, Station};
use crate::topology::half_edge::HalfEdgeId;
use crate::topology::map::PlanarMap;

impl Derivation<'_> {
    /// Enters the destinations of the stations of a face over its half-edges and round its corners, without
    /// coasts.
    pub(super) fn link(&mut self, id: ProvinceId) {
        let Board { land, sea, rows, stations, contacts, ground, .. } = &mut *self.board;
        let row = rows[id.index()];
        let next_to = ground.neighbours[id.index()];
        let mainland = *land - ground.archipelagos;
        for station in &mut stations[row.stations()] {
            if ground.water.contains(id) {
                station.beside = next_to & (*land | *sea);
                continue;
            }
            // A single coast has all the water round its land.
            let only = row.coasts == 1;
            let mut beside = if only { next_to & ground.water } else { ProvinceSet::EMPTY };
            for &contact in station.contacts(contacts) {
                let across = self.map.across(contact);
                if !ground.water.contains(across) {
                    continue;
                }
                if !only {
                    beside.insert(across);
                }
                for end in [self.map.prev(contact), self.map.next(contact)] {
                    let other = self.map.across(end);
                    if mainland.contains(other) {
                        beside.insert(other);
                    }
                }
            }
            station.beside = beside;
        }
    }

    /// Enters the destinations of armies from this face and of fleets from its stations: over half-edges and
    /// corners, and through points. Everything that touches a point meets everything else there (rules.md
    /// 1.4); a fleet cannot pass through a point between two coasts of one province.
    pub(super) fn meet(&mut self, id: ProvinceId) {
        let Board { land, sea, rows, stations, contacts, ground, .. } = &mut *self.board;
        let row = &mut rows[id.index()];
        let is_land = land.contains(id);
        row.army = if is_land { ground.neighbours[id.index()] & *land } else { ProvinceSet::EMPTY };
        let stations = &mut stations[row.stations()];
        for station in &mut *stations {
            (station.reach, station.points) = (station.beside, ProvinceSet::EMPTY);
        }
        for point in ground.points.iter().filter(|point| point.rim.contains(id)) {
            let others = (point.land | point.sea) - ProvinceSet::single(id);
            if is_land {
                row.army |= others & *land;
            }
            if !point.wet {
                continue;
            }
            if let [station] = &mut *stations {
                station.reach |= others;
                continue;
            }
            let name = point.holes.first().map_or(ProvinceSet::EMPTY, ProvinceSet::single);
            for station in &mut *stations {
                if station.contacts(contacts).iter().any(|&side| point.holes.contains(self.map.across(side)))
                {
                    station.reach |= others;
                    station.points |= name;
                }
            }
        }
        row.fleet = stations.iter().fold(ProvinceSet::EMPTY, |all, station| all | station.reach);
        row.seas_next_to = row.fleet & *sea;
    }

    #[inline]
    pub(super) fn contacts(&self, station: usize) -> &[HalfEdgeId] {
        self.board.stations[station].contacts(&self.board.contacts)
    }

    /// Lists the reachable coasts of provinces with several coasts, for the stations of a face.
    pub(super) fn list_coasts(&mut self, id: ProvinceId) {
        let Board { rows, stations, destinations, contacts, several, ground, .. } = &mut *self.board;
        let from_several = several.contains(id);
        for number in rows[id.index()].stations() {
            let begin = destinations.len() as u32;
            let station = stations[number];
            (station.reach & *several).iter().for_each(|to| {
                // Links are symmetric: the coast's own reach decides, unless both provinces have several
                // coasts.
                let linked = |coast: &&Station| match from_several {
                    false => coast.reach.contains(id),
                    true => are_linked(self.map, &ground.water, contacts, [&station, coast]),
                };
                let coasts = stations[rows[to.index()].stations()].iter();
                destinations.extend(coasts.filter(linked).map(|coast| coast.at));
            });
            stations[number].coasts = (begin, destinations.len() as u32);
        }
    }
}

/// Can fleets move between the two stations, each of which is one of several coasts of its province?
fn are_linked(
    map: &PlanarMap,
    water: &ProvinceSet,
    contacts: &[HalfEdgeId],
    [here, there]: [&Station; 2],
) -> bool {
    let to = there.at.province;
    let round_a_corner = |&contact: &HalfEdgeId| {
        let (prev, next) = (map.prev(contact), map.next(contact));
        water.contains(map.across(contact))
            && (map.across(prev) == to && there.contacts(contacts).contains(&map.prev(prev.twin()))
                || map.across(next) == to && there.contacts(contacts).contains(&map.next(next.twin())))
    };
    here.points.intersects(&there.points)
        || here.beside.contains(to) && here.contacts(contacts).iter().any(round_a_corner)
}
