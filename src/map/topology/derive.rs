//! Turns the planar map into the tables of play: who may move where, and what coasts there are (rules.md 1.2
//! to 1.5). None of this is tabulated by hand. [`derive()`] makes the tables of a map; [`Board::follow`]
//! rebuilds only the parts that a change of the map has affected.
//!
//! Round a land face, every half-edge is *water* or *dry*. A coast is a maximal run of water half-edges:
//!
//! ```text
//!              MAO ~~                  Spain's boundary, counter-clockwise:
//!        ╭───────────╮ GAS
//!     ~~ │           ├──── MAR         GAS  MAO   POR  MAO WES LYO  MAR
//!  POR ══╡    SPA    │                  ·   ~~~    ·   ~~~~~~~~~~~   ·
//!     ~~ │           │ ~~ LYO               NC              SC
//!        ╰───────────╯
//!          MAO ~~ WES
//! ```
//!
//! A half-edge is water if the face across is a sea, or a collapsed face whose point some sea touches. A
//! connected group of collapsed faces is one point, at which all faces around it meet.
//!
//! An archipelago (rules.md 4.9) is land for armies and convoys, and a sea wherever a rule about fleets asks
//! for one: across a half-edge, at the end of a border, at a point. All of its own half-edges are water:
//!
//! ```text
//!                       SKA NTH HEL  KIE  BAL  SWE
//! Denmark               ~~~~~~~~~~~   ·   ~~~   ·        two runs, one coast while the strait joins them
//! as an archipelago     ~~~~~~~~~~~~~~~~~~~~~~~~~        one coast, whatever lies across
//! ```

//!
//! The tables' entry for a face depends on its own boundary, on the faces across it, and on the points it
//! touches. A change is therefore propagated from the faces it has touched:
//!
//! ```text
//!        ·   ·   ·   ·             H: kind or state has changed. Land and seas are sorted again
//!      ·   r   r   r   ·           n: next to H, or next to a hole whose point has become wet, or at a point
//!    ·   n   n   n   r   ·            that H is part of or touches: coasts and links are rebuilt
//!      r   n   H   n   ·           r: a fleet here can reach an n with several coasts: the coasts that it
//!    ·   n   n   n   ·                reaches are looked up again
//!      ·   r   ·   ·               ·: unchanged
//! ```
//!
//! The tables are append-only, so that the state of a province before the change remains available
//! ([`Board::former`]). Unreferenced entries are dropped once they outnumber the others.

mod coasts;
mod links;
#[cfg(test)]
mod tests;

use super::board::{Board, Ground, Point, Row};
use super::face::FaceKind;
use super::map::PlanarMap;
use crate::ids::ProvinceSet;

/// The tables of a map. This is a pure function of the map: the same map gives the same tables, however it
/// was reached.
///
/// ```
/// use upheaval_map::topology::{atlas, derive};
/// let mut chart = atlas::standard();
/// let map = chart.map();
/// let [spain, piedmont, marseilles] = ["SPA", "PIE", "MAR"].map(|name| map.find(name).unwrap());
/// assert!(!derive(map).army_reach(spain).contains(piedmont));
/// // A collapsed province is one point, at which all its neighbours meet.
/// chart.collapse(marseilles)?;
/// assert!(derive(chart.map()).army_reach(spain).contains(piedmont));
/// # Ok::<(), upheaval_map::topology::SurgeryError>(())
/// ```
pub fn derive(map: &PlanarMap) -> Board {
    let mut board = Board::empty(map.faces.len());
    let all = map.faces().map(|(id, _)| id).collect();
    Derivation::new(map, &mut board).follow(all, all);
    board.seal();
    board
}

impl Board {
    /// Updates the tables, which must be those of the map before its last change
    /// ([`super::NamedMap::begin_change`]), to those of the map as it is now. [`Board::former`] gives access to
    /// the state before.
    ///
    /// ```
    /// use upheaval_map::topology::{atlas, derive};
    /// let mut chart = atlas::standard();
    /// let mut board = derive(chart.map());
    /// let marseilles = chart.map().find("MAR").unwrap();
    /// chart.begin_change();
    /// chart.collapse(marseilles)?;
    /// board.follow(chart.map());
    /// assert_eq!(board, derive(chart.map()));
    /// assert_eq!((board.coasts(marseilles), board.former().coasts(marseilles)), (0, 1));
    /// # Ok::<(), upheaval_map::topology::SurgeryError>(())
    /// ```
    pub fn follow(&mut self, map: &PlanarMap) {
        self.forget();
        Derivation::new(map, self).follow(map.touch.made, map.touch.bounded);
    }
}

/// The faces for which something is rebuilt.
struct Affected {
    /// Faces whose coasts and neighbours are rebuilt.
    coasts: ProvinceSet,
    /// Faces whose destinations are rebuilt; includes those above.
    links: ProvinceSet,
}

struct Derivation<'a> {
    map: &'a PlanarMap,
    board: &'a mut Board,
    /// The faces that had or have several coasts, and whose coasts changed.
    recoasted: ProvinceSet,
    /// Faces from which fleets could or can reach one of these.
    reached: ProvinceSet,
}

impl<'a> Derivation<'a> {
    fn new(map: &'a PlanarMap, board: &'a mut Board) -> Self {
        Derivation { map, board, recoasted: ProvinceSet::EMPTY, reached: ProvinceSet::EMPTY }
    }

    /// Rebuilds the tables, given the faces that are new or changed their kind or state, and those whose
    /// boundary changed.
    fn follow(mut self, made: ProvinceSet, bounded: ProvinceSet) {
        self.sort_faces();
        for id in bounded {
            self.board.ground.neighbours[id.index()] = self.map.neighbours_of(id);
        }
        let Affected { coasts, links } = self.find_points(made, bounded);
        for id in coasts {
            self.place_coasts(id);
            self.link(id);
        }
        for id in links {
            self.meet(id);
        }
        for id in self.recoasted {
            self.reached |= self.board.row(id).fleet;
        }
        for id in links | self.reached {
            self.list_coasts(id);
        }
    }

    /// Sorts the faces into land, seas and holes, and makes room for new faces.
    fn sort_faces(&mut self) {
        let (map, Board { land, sea, rows, ground, .. }) = (self.map, &mut *self.board);
        rows.resize(map.faces.len(), Row::NOTHING);
        ground.neighbours.resize(map.faces.len(), ProvinceSet::EMPTY);
        let open = |kind| map.of_kind(kind) - map.sorted.collapsed - map.sorted.void;
        (*land, *sea) = (open(FaceKind::Land), open(FaceKind::Sea));
        ground.holes = map.sorted.collapsed;
        ground.archipelagos = *map.archipelagos() & *land;
        ground.water = *sea | ground.archipelagos;
    }

    /// Groups the collapsed faces into points, each with the open faces that touch it, and determines what
    /// must be rebuilt.
    fn find_points(&mut self, made: ProvinceSet, bounded: ProvinceSet) -> Affected {
        let Board { land, sea, ground, .. } = &mut *self.board;
        let Ground { neighbours, holes, points, water, wet, .. } = ground;
        let touched = made | bounded;
        let was_wet = std::mem::replace(wet, *water);
        let (mut coasts, mut rims) = (touched, ProvinceSet::EMPTY);
        points.clear();
        let mut left = *holes;
        while let Some(first) = left.first() {
            let mut point = Point::default();
            let mut front = ProvinceSet::single(first);
            while let Some(hole) = front.first() {
                front.remove(hole);
                left.remove(hole);
                point.holes.insert(hole);
                point.rim |= neighbours[hole.index()];
                front |= neighbours[hole.index()] & left;
            }
            point.rim -= point.holes;
            (point.land, point.sea) = (point.rim & *land, point.rim & *sea);
            point.wet = point.rim.intersects(water);
            if point.wet {
                *wet |= point.holes;
            }
            if (point.holes | point.rim).intersects(&touched) {
                rims |= point.rim;
            }
            points.push(point);
        }
        for id in made | (*wet - was_wet) | (was_wet - *wet) {
            coasts |= neighbours[id.index()];
        }
        Affected { coasts, links: coasts | rims }
    }
}
