//! Straits and canals that appear and disappear as borders move: AceRunner rule 9. An *isthmus* is a border
//! between two land provinces, frozen seas included, with a sea at both ends.
//!
//! ```text
//!      ~ SKA ~                   ~ SKA ~                        ~ SKA ~
//!  DEN ───┼─── SWE           DEN ───┼─── SWE                DEN ───┬─── SWE
//!      ~ BAL ~               ~ BAL ~│~ BOT ~                     KIE      ~ BAL ~
//!  a strait, water along     (2) a land and a sea connect:  (3) two lands connect: the strait goes,
//!  the border                it stays and ends at BOT       or becomes a canal through SWE
//! ```
//!
//! A canal goes through one province, between two of its water borders, and changes when one of those is
//! separated: (5) if two lands connect there, it is removed; (6) if a land and a sea connect, it is kept and
//! moves to the sea, or is removed; (7) if two seas connect, it moves to one of them; and (4) it is removed
//! when its two ends become adjacent.
//!
//! Each choice is asked as a [`WaterwayQuestion`]; the answer `None` selects the rule's default. The module
//! `aftermath` computes the effect of a shake on all waterways.

use super::half_edge::BorderId;
use super::map::PlanarMap;
use super::quake::Quake;
use crate::ids::{ProvinceId, ProvinceSet};

/// The choices about a waterway that a power may attach to its seismic order (docs/adjudicate.md). The provinces are of
/// the type `P`: a text has their names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum WaterwayOption<P = ProvinceId> {
    /// `STRAIT`: water along the new isthmus.
    Strait,
    /// `CANAL MAR`: water through this province.
    Canal(P),
    /// `NONE`: no water passes the new isthmus.
    Nothing,
    /// `DELETE`: the strait or canal is removed.
    Delete,
    /// `KEEP`: the canal is kept and moves its end.
    Keep,
    /// `TERMINUS NTH`: the canal ends at this sea from now on.
    Terminus(P),
}

/// A choice that is open to the powers that gave the seismic orders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WaterwayQuestion {
    /// The subject of the question.
    pub matter: Matter,
    /// The orders that caused it, as they were on the map before any quake was done. For a strait or canal
    /// these are all orders of the kind that asks (rules.md 8.7): those that joined two lands at the strait
    /// (3), a land and a sea at an end of the canal (6), or two seas there (7).
    pub by: Vec<Quake>,
}

/// The subject of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Matter {
    /// Rule 9 (a): these two provinces now form an isthmus. By default it has a strait if two seas were
    /// pinched off, otherwise no waterway.
    NewIsthmus {
        /// The provinces, in the order of the border's half-edges.
        between: [ProvinceId; 2],
    },
    /// Rule 9 (b) (3): the strait between these provinces now ends at land. By default it is removed.
    StraitCut {
        /// The provinces.
        between: [ProvinceId; 2],
        /// The provinces through which a canal may go instead: one, or both where several lands have come
        /// between.
        through: ProvinceSet,
    },
    /// Rule 9 (b) (6): the canal has lost one end or both. By default it moves to the sea in its place.
    CanalMoved {
        /// The province that it goes through.
        through: ProvinceId,
        /// The sea, or the two seas at both ends.
        to: ProvinceSet,
    },
    /// Rule 9 (b) (7): the end of the canal could move to two seas. By default it moves to the first by name.
    CanalForked {
        /// The province that the canal goes through.
        through: ProvinceId,
        /// The seas, sorted by name.
        to: [ProvinceId; 2],
    },
}

impl Matter {
    /// Is the option a valid answer to the question?
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

/// Answers questions; `None` selects the default.
pub(crate) type WaterwayAdvice<'a> = &'a mut dyn FnMut(&WaterwayQuestion) -> Option<WaterwayOption>;

impl PlanarMap {
    /// The provinces on both sides of the border, if it is an isthmus.
    pub(super) fn isthmus(&self, border: BorderId) -> Option<[ProvinceId; 2]> {
        let [side, twin] = border.sides();
        let between = [self.owner(side), self.owner(twin)];
        let lands = between.into_iter().all(|id| {
            let face = self.at(id);
            face.is_open_land() || face.is_open_ice()
        });
        let seas = || Some(self.flanks(side)?.into_iter().all(|id| self.at(id).is_open_sea()));
        (lands && seas()?).then_some(between)
    }

    /// Every isthmus as its two provinces in the order of names, sorted.
    pub fn isthmuses(&self) -> Vec<[ProvinceId; 2]> {
        let mut found: Vec<[ProvinceId; 2]> =
            self.borders().filter_map(|border| self.isthmus(border)).map(|pair| self.by_name(pair)).collect();
        found.sort_by_key(|&pair| self.ranks(pair));
        found
    }
}
