//! The operations that change the kind or the state of a face. Its borders stay as they are.
//!
//! ```text
//!                submerge                 freeze
//!               ─────────▶               ─────────▶
//!         land  ◀─────────      sea      ◀─────────   ice
//!          ▲      raise                  restore, thaw
//!     open │
//!      impassable            reform: from any of the four to any other, below a hole too
//! ```

use crate::ids::ProvinceId;
use crate::topology::half_edge::{FaceKind, FaceState};
use crate::topology::map::PlanarMap;
use crate::topology::surgery::{Surgery, refused};

impl PlanarMap {
    /// The kind of a face that can become a hole: it is not one already, and is not the Outside.
    fn expect_whole(&self, id: ProvinceId, purpose: &str) -> Surgery<FaceKind> {
        let (face, name) = (self.expect_face(id)?, self.name(id));
        match (face.kind, face.state) {
            (FaceKind::Outside, _) => self.outside(id, purpose),
            (_, FaceState::Collapsed) => refused(format!("{name} has already collapsed")),
            (_, FaceState::Void) => refused(format!("{name} is already void")),
            (kind, FaceState::Open) => Ok(kind),
        }
    }

    /// A black hole with closure: the face becomes one point at which its neighbours meet (rules.md 1.4). The
    /// borders underneath stay, so [`PlanarMap::restore`] undoes it exactly.
    ///
    /// ```text
    ///    BUR │ SWI                BUR │ SWI
    ///   ╭────┴────╮                  ╲│╱
    /// GAS   MAR   PIE     →     GAS ──●── PIE      armies: BUR–SPA, BUR–PIE, GAS–PIE, SPA–PIE …
    ///   ╰────┬────╯                  ╱│╲           fleets: through LYO, along the coasts at the point
    ///    SPA │ LYO                SPA │ LYO
    /// ```
    pub fn collapse(&mut self, id: ProvinceId) -> Surgery {
        self.expect_whole(id, "collapse")?;
        self.remake(id, |face| face.state = FaceState::Collapsed);
        Ok(())
    }

    /// A black hole without closure: the face becomes impassable and its neighbours do not meet through it
    /// (rules.md 1.5). [`PlanarMap::restore`] undoes it exactly.
    ///
    /// ```text
    ///    BUR │ SWI              BUR │ SWI
    ///   ╭────┴────╮            ╭────┴────╮
    /// GAS   MAR   PIE     →  GAS  ╳╳╳╳╳  PIE
    ///   ╰────┬────╯            ╰────┬────╯
    ///    SPA │ LYO              SPA │ LYO
    /// ```
    pub fn void(&mut self, id: ProvinceId) -> Surgery {
        if let FaceKind::Impassable | FaceKind::Point = self.expect_whole(id, "be voided")? {
            return refused(format!("{} is already impassable", self.name(id)));
        }
        self.remake(id, |face| face.state = FaceState::Void);
        Ok(())
    }

    /// Restores a collapsed or void face: the inverse of [`PlanarMap::collapse`] and [`PlanarMap::void`]. Ice
    /// that is not a hole thaws, which is the inverse of [`PlanarMap::freeze`].
    ///
    /// ```text
    ///      ╲│╱            ╭───┴───╮          ╭───┴───╮            ╭───┴───╮
    ///     ──●──     →     │  MAR  │          │* BOT *│     →      │~ BOT ~│
    ///      ╱│╲            ╰───┬───╯          ╰───┬───╯            ╰───┬───╯
    /// ```
    pub fn restore(&mut self, id: ProvinceId) -> Surgery {
        let face = self.expect_face(id)?;
        if face.is_open_ice() {
            return self.thaw(id);
        }
        if face.state == FaceState::Open || face.kind == FaceKind::Point {
            return refused(format!("{} is not a hole: there is nothing to restore", self.name(id)));
        }
        self.remake(id, |face| face.state = FaceState::Open);
        Ok(())
    }

    /// Gives a face another kind, whatever its state: a hole stays a hole and comes back as the new kind. The
    /// other operations on kinds are cases of this one, and so is the end of an effect that lasted for some
    /// time, which may come while the face is a hole.
    ///
    /// ```text
    ///  land · sea · ice · impassable     →     land · sea · ice · impassable
    /// ```
    ///
    /// # Errors
    /// The face is the Outside or a point, or is to become one, or it already has this kind.
    pub fn reform(&mut self, id: ProvinceId, kind: FaceKind) -> Surgery {
        let (was, name) = (self.expect_face(id)?.kind, self.name(id));
        if was == FaceKind::Outside {
            return self.outside(id, "change its kind");
        }
        if was == FaceKind::Point {
            return refused(format!("{name} is a point of the board and cannot change its kind"));
        }
        self.expect_another(id, kind)?;
        if let FaceKind::Outside | FaceKind::Point = kind {
            return refused(format!("{name} cannot become {}", described(kind)));
        }
        self.remake(id, |face| face.kind = kind);
        Ok(())
    }

    /// Checks that a face has another kind than this one.
    fn expect_another(&self, id: ProvinceId, kind: FaceKind) -> Surgery {
        match self.expect_face(id)?.kind == kind {
            true => refused(format!("{} is already {}", self.name(id), described(kind))),
            false => Ok(()),
        }
    }

    /// Turns an open face of the first kind into one of the second. `unfit` says why a face of another kind
    /// does not fit.
    fn turn(&mut self, id: ProvinceId, [from, to]: [FaceKind; 2], unfit: &str) -> Surgery {
        let (face, name) = (self.expect_face(id)?, self.name(id));
        match face.state {
            _ if face.kind != from => refused(format!("{name} {unfit}")),
            FaceState::Open => self.reform(id, to),
            FaceState::Collapsed | FaceState::Void => refused(format!("{name} is not open: it is a hole")),
        }
    }

    /// A land province sinks and becomes a sea (rules.md 6.3). [`PlanarMap::raise`] makes it land again.
    ///
    /// ```text
    ///  ▒ YOR ▒│~ NTH ~          ▒ YOR ▒│~ NTH ~
    ///  ▒▒▒┬───┴───┬~~~          ▒▒▒┬───┴───┬~~~
    ///  WAL│▒ LON ▒│~~~    →     WAL│~ LON ~│~~~
    ///  ▒▒▒┴───┬───┴~~~          ▒▒▒┴───┬───┴~~~
    /// ```
    pub fn submerge(&mut self, id: ProvinceId) -> Surgery {
        self.expect_another(id, FaceKind::Sea)?;
        self.turn(id, [FaceKind::Land, FaceKind::Sea], "is not a land province and cannot be submerged")
    }

    /// A sea rises and becomes a land province: the inverse of [`PlanarMap::submerge`]. It has a coast on every
    /// sea beside it, as any land province.
    ///
    /// ```text
    ///  ▒▒ NAP ▒▒│~ ADR ~        ▒▒ NAP ▒▒│~ ADR ~
    ///  ▒▒▒▒┬────┴───┬~~~        ▒▒▒▒┬────┴───┬~~~
    ///  TYS~│~ ION ~~│ALB   →    TYS~│▒ ION ▒▒│ALB      coasts of ION: on TYS and ADR …; of ALB: on ADR
    ///  ~~~~┴────┬───┴▒▒▒        ~~~~┴────┬───┴▒▒▒
    /// ```
    pub fn raise(&mut self, id: ProvinceId) -> Surgery {
        self.expect_another(id, FaceKind::Land)?;
        self.turn(id, [FaceKind::Sea, FaceKind::Land], "is not a sea and cannot be raised")
    }

    /// A sea freezes: it becomes ground for armies on which no fleet can be, and no water. All borders of ice
    /// are dry, so the coasts beside it shrink, are divided, or vanish. [`PlanarMap::thaw`] undoes it exactly,
    /// and so does [`PlanarMap::restore`] unless the ice is a hole.
    ///
    /// ```text
    ///  ▒ SWE ▒│▒ FIN ▒          ▒ SWE ▒│▒ FIN ▒
    ///  ▒▒▒┬───┴───┬▒▒▒          ▒▒▒┬───┴───┬▒▒▒        armies: SWE–BOT, BOT–FIN, BOT–LVN …
    ///  ▒▒▒│~ BOT ~│STP    →     ▒▒▒│* BOT *│STP        fleets: none to BOT; FIN and STP/SC have no coast here
    ///  ───┴───┬───┴───          ───┴───┬───┴───
    ///  ~ BAL ~│▒ LVN ▒          ~ BAL ~│▒ LVN ▒
    /// ```
    pub fn freeze(&mut self, id: ProvinceId) -> Surgery {
        self.expect_another(id, FaceKind::Ice)?;
        self.turn(id, [FaceKind::Sea, FaceKind::Ice], "is not a sea and cannot freeze")
    }

    /// Ice becomes the sea that it was, whatever its state: the inverse of [`PlanarMap::freeze`]. If it is a
    /// hole, it stays one, and the sea comes back with [`PlanarMap::restore`].
    ///
    /// ```text
    ///  ───┬───┴───┬───          ───┬───┴───┬───
    ///  ▒▒▒│* BOT *│▒▒▒    →     ▒▒▒│~ BOT ~│▒▒▒
    ///  ───┴───┬───┴───          ───┴───┬───┴───
    /// ```
    pub fn thaw(&mut self, id: ProvinceId) -> Surgery {
        match self.expect_face(id)?.kind {
            FaceKind::Ice => self.reform(id, FaceKind::Sea),
            _ => refused(format!("{} is not ice: there is nothing to thaw", self.name(id))),
        }
    }

    /// An impassable face becomes a land province (rules.md 6.5). Only [`PlanarMap::reform`] undoes it.
    ///
    /// ```text
    ///  BUR ├──────┤ TYR          BUR ├──────┤ TYR
    ///      │ ╳╳╳╳ │        →         │ SWI  │
    ///  MAR ├──────┤ PIE          MAR ├──────┤ PIE
    /// ```
    pub fn open(&mut self, id: ProvinceId) -> Surgery {
        let kinds = [FaceKind::Impassable, FaceKind::Land];
        self.turn(id, kinds, "is not impassable: there is nothing to open")
    }
}

/// A face of this kind in words.
fn described(kind: FaceKind) -> &'static str {
    match kind {
        FaceKind::Land => "a land province",
        FaceKind::Sea => "a sea",
        FaceKind::Ice => "ice",
        FaceKind::Impassable => "impassable",
        FaceKind::Outside => "the outside of the board",
        FaceKind::Point => "a point of the board",
    }
}
