//! Straits and canals that come and go as borders move: AceRunner rule 9. An *isthmus* is a border
//! between two land provinces with a sea at both ends.
//!
//! ```text
//!      ~ SKA ~                   ~ SKA ~                        ~ SKA ~
//!  DEN ───┼─── SWE           DEN ───┼─── SWE                DEN ───┬─── SWE
//!      ~ BAL ~               ~ BAL ~│~ BOT ~                     KIE      ~ BAL ~
//!  a strait, water along     (2) a land and a sea connect:  (3) two lands connect: the strait goes,
//!  the border                it stays and ends at BOT       or becomes a canal through SWE
//! ```
//!
//! A canal goes through one province, between two of its water borders, and changes when one of those is separated:
//! (5) two lands connect there, it goes; (6) a land and a sea, it is kept and moves to the sea, or goes; (7) two seas, it
//! moves to one of them; and (4) it goes when its two ends come to lie side by side.
//!
//! What may be chosen is asked ([`Question`]); the answer `None` is the rule's default. What becomes of all of it in a
//! shake is `aftermath`.

use super::half_edge::BorderId;
use super::map::PlanarMap;
use super::quake::Quake;
use crate::ids::{ProvinceId, ProvinceSet};

/// What a power may say about a waterway with its seismic order (docs/adjudicate.md).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum WaterwayOption {
    /// `STRAIT`: water along the new isthmus.
    Strait,
    /// `CANAL MAR`: water through this province.
    Canal(ProvinceId),
    /// `NONE`: no water passes the new isthmus.
    Nothing,
    /// `DELETE`: the strait or canal goes.
    Delete,
    /// `KEEP`: the canal stays and moves its end.
    Keep,
    /// `TERMINUS NTH`: the canal ends at this sea from now on.
    Terminus(ProvinceId),
}

/// Something that the givers of seismic orders may choose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// What it is about.
    pub matter: Matter,
    /// The orders that brought it about, as they were on the map before any was done: of a strait or canal all that
    /// touch it, for they are one question to all who gave them (rules.md 8.7).
    pub by: Vec<Quake>,
}

/// What a question is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Matter {
    /// Rule 9 (a): these two form an isthmus now. By default a strait where two seas were pinched off, else nothing.
    NewIsthmus {
        /// The provinces, in the order of the border's sides.
        between: [ProvinceId; 2],
    },
    /// Rule 9 (b) (3): the strait between these ends at land now. By default it goes.
    StraitCut {
        /// The provinces.
        between: [ProvinceId; 2],
        /// Those through which there may be a canal instead: one, or where several lands come between, both.
        through: ProvinceSet,
    },
    /// Rule 9 (b) (6): the canal has lost an end, or both. By default it moves to the sea that has come in its place.
    CanalMoved {
        /// The province that it goes through.
        through: ProvinceId,
        /// The sea, or the two of both ends.
        to: ProvinceSet,
    },
    /// Rule 9 (b) (7): the canal has lost an end to two seas. By default it moves to the first by name.
    CanalForked {
        /// The province that it goes through.
        through: ProvinceId,
        /// The seas, by name.
        to: [ProvinceId; 2],
    },
}

impl Matter {
    /// Is the option an answer to it?
    pub fn takes(&self, option: WaterwayOption) -> bool {
        use WaterwayOption::{Canal, Delete, Keep, Nothing, Strait, Terminus};
        match (*self, option) {
            (Matter::NewIsthmus { between }, Canal(province)) => between.contains(&province),
            (Matter::NewIsthmus { .. }, Strait | Nothing) => true,
            (Matter::StraitCut { through, .. }, Canal(province)) => through.contains(province),
            (Matter::StraitCut { .. }, Delete) => true,
            (Matter::CanalMoved { .. }, Keep | Delete) => true,
            (Matter::CanalForked { to, .. }, Terminus(sea)) => to.contains(&sea),
            _ => false,
        }
    }

    /// The two provinces by which an order names the isthmus it means (`AT MAR SPA`); `None` for a canal.
    pub fn isthmus(&self) -> Option<[ProvinceId; 2]> {
        match *self {
            Matter::NewIsthmus { between } | Matter::StraitCut { between, .. } => Some(between),
            Matter::CanalMoved { .. } | Matter::CanalForked { .. } => None,
        }
    }
}

/// Answers questions; `None` is the default.
pub type Advice<'a> = &'a mut dyn FnMut(&Question) -> Option<WaterwayOption>;

impl PlanarMap {
    /// The provinces on both sides of the border, if it is an isthmus.
    pub(super) fn isthmus(&self, border: BorderId) -> Option<[ProvinceId; 2]> {
        let [side, twin] = border.sides();
        let between = [self.owner(side), self.owner(twin)];
        let lands = between.into_iter().all(|id| self.at(id).is_open_land());
        let seas = || Some(self.flanks(side)?.into_iter().all(|id| self.at(id).is_open_sea()));
        (lands && seas()?).then_some(between)
    }

    /// Every isthmus, by its two provinces in the order of the names, sorted.
    pub fn isthmuses(&self) -> Vec<[ProvinceId; 2]> {
        let mut found: Vec<[ProvinceId; 2]> =
            self.borders().filter_map(|border| self.isthmus(border)).map(|pair| self.by_name(pair)).collect();
        found.sort_by_key(|&pair| self.ranks(pair));
        found
    }
}
