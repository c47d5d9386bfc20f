//! A nature with one changed draw: in one season other faces are drawn, or none. All other draws stay the same, because
//! the streams of nature are keyed by season and name.

use upheaval_engine::rules::changes::{Entry, Verb};
use upheaval_engine::rules::map_tables::MapTables;
use upheaval_engine::rules::nature::{Nature, Seeded};
use upheaval_engine::rules::position::{Phase, Season};
use upheaval_map::ids::{Power, ProvinceId, ProvinceSet};
use upheaval_map::topology::HalfEdgeId;

/// The change of a draw of nature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// No change: the draw is only watched.
    Nothing,
    /// The province of this name is drawn, and replaces the last of the drawn faces.
    Instead(String),
    /// The province of this name is drawn, and no other.
    Only(String),
    /// No face is drawn.
    Without,
}

/// The purpose of a draw, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawWord {
    /// Provinces become holes.
    Hole,
    /// Holes come back.
    Restore,
    /// Provinces are split.
    Split,
}

impl DrawWord {
    /// Does nature draw faces for this purpose, when it draws for the entry?
    fn fits(self, entry: &Entry) -> bool {
        match self {
            DrawWord::Hole => entry.draws(Verb::Collapse) || entry.draws(Verb::Void),
            DrawWord::Restore => entry.draws(Verb::Restore),
            DrawWord::Split => entry.draws(Verb::Split),
        }
    }
}

/// Which draw of a game is changed, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Amendment {
    /// The year.
    pub year: u16,
    /// The season.
    pub season: Season,
    /// The purpose of the draw.
    pub draw: DrawWord,
    /// The change.
    pub change: Change,
}

/// Why a province cannot be drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ineligible {
    /// The map has no province of this name at that moment.
    Unknown,
    /// It is a hole already.
    Hole,
    /// The rules of the variant do not draw it, for example because it is exempt, or not of the drawn kind.
    Barred(ProvinceId),
}

/// The result of an amendment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The draw has not been made yet.
    Waiting,
    /// The draw was made: the original result, the changed one, and the candidates.
    Made {
        /// The original result, by name.
        was: Vec<String>,
        /// The result in its place.
        is: Vec<String>,
        /// All candidates.
        eligible: Vec<String>,
        /// The candidates that are holes, which would have come back.
        gone: Vec<String>,
    },
    /// The province cannot be drawn: the draw was left unchanged.
    Refused(Ineligible),
}

/// A nature with at most one amendment.
#[derive(Clone, Debug)]
pub(crate) struct Amended {
    inner: Seeded,
    amendment: Option<Amendment>,
    fate: Fate,
}

impl From<Seeded> for Amended {
    fn from(inner: Seeded) -> Amended {
        Amended { inner, amendment: None, fate: Fate::Waiting }
    }
}

impl Amended {
    /// The same nature with this amendment, in place of any other.
    pub(crate) fn with(self, amendment: Amendment) -> Amended {
        Amended { amendment: Some(amendment), fate: Fate::Waiting, ..self }
    }

    /// The result of its amendment.
    pub(crate) fn fate(&self) -> &Fate {
        &self.fate
    }
}

impl Nature for Amended {
    fn faces(
        &mut self,
        at: Phase,
        entry: &Entry,
        terrain: &MapTables,
        eligible: &ProvinceSet,
        count: usize,
    ) -> Vec<ProvinceId> {
        let drawn = self.inner.faces(at, entry, terrain, eligible, count);
        let Some(amendment) = &self.amendment else { return drawn };
        let is_it = (amendment.year, amendment.season) == (at.year, at.season) && amendment.draw.fits(entry);
        if !is_it {
            return drawn;
        }
        // Of several entries that draw so, the first one draws the province that can. If nothing else is to be drawn so, the
        // others draw nothing.
        let is_only = matches!(amendment.change, Change::Only(_) | Change::Without);
        if matches!(self.fate, Fate::Made { .. }) && !matches!(amendment.change, Change::Without) {
            return if is_only { Vec::new() } else { drawn };
        }
        let map = terrain.chart().map();
        let names = |ids: &[ProvinceId]| ids.iter().map(|&id| map.name(id).to_owned()).collect::<Vec<_>>();
        let given = match &amendment.change {
            Change::Nothing => drawn.clone(),
            Change::Without => Vec::new(),
            Change::Instead(name) | Change::Only(name) => {
                let refused = match map.find(name) {
                    None => Some(Ineligible::Unknown),
                    Some(id) if eligible.contains(id) => None,
                    Some(id) if map.holes().contains(id) => Some(Ineligible::Hole),
                    Some(id) => Some(Ineligible::Barred(id)),
                };
                if let Some(why) = refused {
                    self.fate = Fate::Refused(why);
                    return if is_only { Vec::new() } else { drawn };
                }
                let named = map.find(name);
                let others = drawn.iter().copied().filter(|&id| Some(id) != named);
                let most = if matches!(amendment.change, Change::Only(_)) { 1 } else { count };
                named.into_iter().chain(others).take(most).collect()
            }
        };
        let [eligible, gone] = [*eligible, *eligible & map.holes()].map(|set| set.iter().collect::<Vec<_>>());
        let (eligible, gone) = (names(&eligible), names(&gone));
        match &mut self.fate {
            Fate::Made { was, is, eligible: all, gone: all_gone } => {
                was.extend(names(&drawn));
                is.extend(names(&given));
                let more = eligible.into_iter().filter(|name| !all.contains(name)).collect::<Vec<_>>();
                all.extend(more);
                all_gone.extend(gone);
            }
            fate => *fate = Fate::Made { was: names(&drawn), is: names(&given), eligible, gone },
        }
        given
    }

    fn exempt(&mut self, at: Phase, dice: &str, power: Power, homes: &ProvinceSet) -> Option<ProvinceId> {
        self.inner.exempt(at, dice, power, homes)
    }

    fn ends(&mut self, at: Phase, terrain: &MapTables, province: ProvinceId) -> Option<[HalfEdgeId; 2]> {
        self.inner.ends(at, terrain, province)
    }

    fn half(&mut self, at: Phase, terrain: &MapTables, halves: &[ProvinceId]) -> Option<ProvinceId> {
        self.inner.half(at, terrain, halves)
    }
}
