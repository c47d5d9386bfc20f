//! The operations on canals, and what becomes of waterways when a province is split.

use crate::ids::{ProvinceId, ProvinceSet};
use crate::topology::half_edge::{BorderId, FaceKind, FaceState, HalfEdgeId};
use crate::topology::map::PlanarMap;
use crate::topology::surgery::{CutBorder, Surgery, refused};
use crate::topology::waterway::{CanalEnd, CanalOrigin, Waterway};

impl PlanarMap {
    /// Digs a canal through a land province between two seas that border it. It joins the coasts of the
    /// province at its ends (rules.md 1.3), as the canals of the board do, and [`PlanarMap::fill`] removes it.
    ///
    /// ```text
    ///  ~~~~~ BAR ~~~~~          ~~~~~ BAR ~~~~~
    ///  ──┬─────────┬──          ──┬────~────┬──
    ///    │   STP   │      →       │   ~~~   │         STP has one coast in place of two
    ///  ──┴─────────┴──          ──┴────~────┴──
    ///  ~~~~~ BOT ~~~~~          ~~~~~ BOT ~~~~~
    /// ```
    ///
    /// If the province meets a sea in several stretches, the canal ends at all of them, as it does at all
    /// pieces of a border that is cut later. The choice of one stretch would depend on names. The two seas may
    /// lie on one coast; then the canal matters only once something divides that coast.
    ///
    /// # Errors
    /// The face is not open land; one of the others is not an open sea, or does not border it; the seas are the
    /// same, or a waterway through the province already joins them.
    pub fn dig(&mut self, id: ProvinceId, seas: [ProvinceId; 2]) -> Surgery {
        let ends = self.ends_of_canal(id, seas)?;
        self.structure.outdate();
        self.touch.bounded.insert(id);
        self.waterways.push(Waterway::Canal { province: id, ends, origin: CanalOrigin::Dug });
        Ok(())
    }

    /// Can a canal be dug through a face between these seas now?
    pub fn may_dig(&self, id: ProvinceId, seas: [ProvinceId; 2]) -> bool {
        self.ends_of_canal(id, seas).is_ok()
    }

    /// The faces through which a canal was dug that has not been filled, whatever they are by now.
    pub fn dug(&self) -> ProvinceSet {
        let dug = |waterway: &Waterway| match waterway {
            Waterway::Canal { province, origin: CanalOrigin::Dug, .. } => Some(*province),
            Waterway::Canal { .. } | Waterway::Strait { .. } | Waterway::Passage { .. } => None,
        };
        self.waterways.iter().filter_map(dug).collect()
    }

    /// The ends of a canal that is dug through a face between these seas.
    fn ends_of_canal(&self, id: ProvinceId, seas: [ProvinceId; 2]) -> Surgery<[CanalEnd; 2]> {
        let (face, name) = (self.expect_face(id)?, self.name(id));
        match (face.kind, face.state) {
            (FaceKind::Outside, _) => return self.outside(id, "have a canal"),
            (FaceKind::Land, FaceState::Open) => {}
            (FaceKind::Land, _) => return refused(format!("{name} is not open: it is a hole")),
            _ => return refused(format!("{name} is not a land province and cannot have a canal")),
        }
        for sea in seas {
            if !self.expect_face(sea)?.is_open_sea() {
                return refused(format!("{} is not an open sea: a canal joins two seas", self.name(sea)));
            }
        }
        let [x, y] = seas;
        if x == y {
            return refused(format!("{} is named twice", self.name(x)));
        }
        let end = |sea| {
            let sides = self.sides_of(id).filter(|&side| self.across(side) == sea);
            CanalEnd::at(sides.map(HalfEdgeId::border)).map_or_else(|| self.no_border(id, sea), Ok)
        };
        let ends = [end(x)?, end(y)?];
        if self.waterways_of(id).any(|waterway| self.joins(waterway, id, seas)) {
            let [x, y] = seas.map(|sea| self.name(sea));
            return refused(format!("{x} and {y} are already joined through {name}"));
        }
        Ok(ends)
    }

    /// Does a waterway of this province lead through it from one of these seas to the other?
    fn joins(&self, waterway: &Waterway, id: ProvinceId, [x, y]: [ProvinceId; 2]) -> bool {
        match waterway {
            Waterway::Canal { ends: [one, other], .. } => {
                let meets = |end: &CanalEnd, sea| {
                    let sides = end.borders().filter_map(|border| self.side_of(border, id));
                    sides.into_iter().any(|side| self.across(side) == sea)
                };
                meets(one, x) && meets(other, y) || meets(one, y) && meets(other, x)
            }
            Waterway::Passage { seas, .. } => seas.contains(&x) && seas.contains(&y),
            Waterway::Strait { .. } => false,
        }
    }

    /// Fills the canals that were dug through a face, whatever it is by now: the inverse of
    /// [`PlanarMap::dig`]. The canals of the board, and those that an isthmus has become, stay.
    ///
    /// ```text
    ///  ──┬────~────┬──          ──┬─────────┬──
    ///    │   ~~~   │      →       │   STP   │
    ///  ──┴────~────┴──          ──┴─────────┴──
    /// ```
    ///
    /// # Errors
    /// No canal was dug through the face.
    pub fn fill(&mut self, id: ProvinceId) -> Surgery {
        self.expect_face(id)?;
        let is_dug = |waterway: &Waterway| match waterway {
            Waterway::Canal { province, origin, .. } => *province == id && *origin == CanalOrigin::Dug,
            Waterway::Strait { .. } | Waterway::Passage { .. } => false,
        };
        if !self.waterways.iter().any(is_dug) {
            return refused(format!("no canal was dug through {}: there is nothing to fill", self.name(id)));
        }
        self.structure.outdate();
        self.touch.bounded.insert(id);
        self.waterways.retain(|waterway| !is_dug(waterway));
        Ok(())
    }

    /// The ends of the canals in force through a province.
    pub(super) fn canals_of(&self, province: ProvinceId) -> Vec<(CanalOrigin, [CanalEnd; 2])> {
        let ends = |waterway: &Waterway| match waterway {
            Waterway::Canal { province: through, ends, origin } if *through == province => {
                Some((*origin, ends.clone()))
            }
            _ => None,
        };
        self.waterways().filter_map(ends).collect()
    }

    /// Assigns waterways after a split: canals of the parent go to the half that has both terminals, straits
    /// to the half that has their border, unless it was cut.
    pub(super) fn settle_waterways_of_halves(
        &mut self,
        halves: [ProvinceId; 2],
        cut_borders: &[BorderId; 2],
        canals: &[(CanalOrigin, [CanalEnd; 2])],
        cuts: [&CutBorder; 2],
    ) {
        let parent = halves[0];
        let mut kept = Vec::with_capacity(self.waterways.len());
        for waterway in std::mem::take(&mut self.waterways) {
            match waterway {
                Waterway::Strait { border, .. } if cut_borders.contains(&border) => {}
                Waterway::Strait { border, provinces } if provinces.contains(&parent) => {
                    let moved = provinces.map(|p| {
                        let of_half = halves.into_iter().find(|&h| self.side_of(border, h).is_some());
                        if p == parent { of_half.unwrap_or(p) } else { p }
                    });
                    kept.push(Waterway::Strait { border, provinces: moved });
                }
                // Each half that is still on both seas has the passage.
                Waterway::Passage { province, seas } if province == parent => {
                    kept.extend(halves.map(|province| Waterway::Passage { province, seas }));
                }
                // A canal that is not in force is dormant: its borders are not the parent's.
                Waterway::Canal { province, .. } if province == parent => {}
                other => kept.push(other),
            }
        }
        for (origin, ends) in canals {
            let in_half = |half: ProvinceId| {
                let of_half = |end: &CanalEnd| {
                    CanalEnd::at(end.borders().flat_map(|border| self.pieces_in(half, border, cuts)))
                };
                let [x, y] = ends.each_ref().map(of_half);
                Some(Waterway::Canal { province: half, ends: [x?, y?], origin: *origin })
            };
            kept.extend(halves.into_iter().find_map(in_half));
        }
        self.waterways = kept;
    }

    /// The pieces of a border, or the whole border, that belong to this half.
    fn pieces_in(&self, half: ProvinceId, border: BorderId, cuts: [&CutBorder; 2]) -> Vec<BorderId> {
        let mut pieces = vec![border];
        for cut in cuts.iter().map(|cut| [cut.first, cut.second].map(HalfEdgeId::border)) {
            if pieces.contains(&cut[0]) {
                pieces.push(cut[1]);
            }
        }
        pieces.retain(|&piece| self.side_of(piece, half).is_some());
        pieces
    }
}
