//! Turns the planar map into the tables of play: who may move where, and what coasts there are (rules.md 1.2 to
//! 1.5). Nothing of it is tabulated anywhere. [`derive()`] makes the tables of a map; [`Board::follow`] makes again
//! what a change of the map has touched, and leaves the rest.
//!
//! Round a land face, every side is *water* or *dry*. A coast is a maximal run of water sides:
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
//! A side is water if a sea lies across it, or a collapsed face whose point some sea touches. A group of
//! collapsed faces that hang together is one point, where everything round it meets.
//!
//! An archipelago (rules.md 4.9) is land for armies and convoys, and a sea wherever a rule of fleets asks whether
//! one is there: across a side, at the end of a border, at a point. Round itself every side is water:
//!
//! ```text
//!                       SKA NTH HEL  KIE  BAL  SWE
//! Denmark               ~~~~~~~~~~~   ·   ~~~   ·        two runs, one coast while the strait joins them
//! as an archipelago     ~~~~~~~~~~~~~~~~~~~~~~~~~        one coast, whatever lies across
//! ```

//!
//! What a face has in the tables depends on its own boundary, on what lies across it, and on the points it touches.
//! So a change is followed from the faces it has touched:
//!
//! ```text
//!        ·   ·   ·   ·             H: another kind or state now. The land and the seas are sorted again
//!      ·   r   r   r   ·           n: next to H, or next to a hole whose point is wet now and was not, or at a
//!    ·   n   n   n   r   ·            point that H is part of or touches: coasts and links are made again
//!      r   n   H   n   ·           r: where fleets get to an n with several coasts: which of the coasts they
//!    ·   n   n   n   ·                reach is looked up again
//!      ·   r   ·   ·               ·: stands as it is
//! ```
//!
//! The tables are only appended to, so that what a province had before the change is there still
//! ([`Board::former`]); what nobody refers to any more is dropped when it outweighs the rest.

mod coasts;
mod links;
#[cfg(test)]
mod tests;

use super::board::{Board, Ground, Point, Row};
use super::face::FaceKind;
use super::map::PlanarMap;
use crate::ids::ProvinceSet;

/// The tables of a map. A pure function of the map: the same map gives the same tables, however it came about.
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
    /// Makes the tables those of the map, of which they were before the change that began last
    /// ([`super::Chart::begin_change`]). What was there before can be seen in [`Board::former`].
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

/// The faces for which something is made again.
struct Again {
    /// Their coasts, and where their neighbours are.
    coasts: ProvinceSet,
    /// What can be reached from them; those above are among them.
    links: ProvinceSet,
}

struct Derivation<'a> {
    map: &'a PlanarMap,
    board: &'a mut Board,
    /// The faces that had or have several coasts, and not the same.
    recoasted: ProvinceSet,
    /// Where fleets got or get to one of these.
    reached: ProvinceSet,
}

impl<'a> Derivation<'a> {
    fn new(map: &'a PlanarMap, board: &'a mut Board) -> Self {
        Derivation { map, board, recoasted: ProvinceSet::EMPTY, reached: ProvinceSet::EMPTY }
    }

    /// Makes the tables again, given the faces that are of another kind or state or new, and those with another boundary.
    fn follow(mut self, made: ProvinceSet, bounded: ProvinceSet) {
        self.sort_faces();
        for id in bounded {
            self.board.ground.neighbours[id.index()] = self.map.neighbours_of(id);
        }
        let Again { coasts, links } = self.find_points(made, bounded);
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

    /// What is land, what is sea, what a hole; and room for faces that are new.
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

    /// Gathers the collapsed faces into points, each with what open faces touch it, and sees what is to be made again.
    fn find_points(&mut self, made: ProvinceSet, bounded: ProvinceSet) -> Again {
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
        Again { coasts, links: coasts | rims }
    }
}
