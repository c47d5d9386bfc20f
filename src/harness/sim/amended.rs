//! A nature of which one draw is amended: in one season other faces are drawn, or none. All that is drawn elsewhere stays
//! what it was, for the streams of nature are keyed by season and name.

use upheaval_engine::rules::nature::{Draw, Nature, Seeded};
use upheaval_engine::rules::position::{Phase, Season};
use upheaval_engine::rules::terrain::Terrain;
use upheaval_map::ids::{Power, ProvinceId, ProvinceSet};
use upheaval_map::topology::HalfEdgeId;

/// What becomes of what nature draws in a season.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It stays as it is: the draw is only watched.
    Nothing,
    /// The province of this name is drawn, the last of the faces that were drawn gives way to it.
    Instead(String),
    /// The province of this name is drawn, and no other.
    Only(String),
    /// No face is drawn.
    Without,
}

/// Which draw of a game is amended, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amendment {
    /// The year.
    pub year: u16,
    /// The season.
    pub season: Season,
    /// What faces are drawn for.
    pub draw: Draw,
    /// What becomes of it.
    pub change: Change,
}

/// Why a province cannot be drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ineligible {
    /// The map has none of this name at that moment.
    Unknown,
    /// It is a hole already.
    Hole,
    /// The rules of the variant do not draw it: it is exempt, say, or not of the sort that is drawn.
    Barred(ProvinceId),
}

/// What has come of an amendment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Nothing was drawn yet that it is about.
    Waiting,
    /// The draw was made: what would have been drawn, what was, and what could have been.
    Made {
        /// What would have been drawn, by name.
        was: Vec<String>,
        /// What was drawn in its place.
        is: Vec<String>,
        /// Everything that could have been drawn.
        eligible: Vec<String>,
        /// What of that is a hole, and so would have come back.
        gone: Vec<String>,
    },
    /// What should be drawn cannot be: the draw was left as it was.
    Refused(Ineligible),
}

/// A nature with at most one amendment.
#[derive(Clone, Debug)]
pub struct Amended {
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
    /// The same with an amendment, in place of the one that it had.
    pub fn with(self, amendment: Amendment) -> Amended {
        Amended { amendment: Some(amendment), fate: Fate::Waiting, ..self }
    }

    /// What has come of its amendment.
    pub fn fate(&self) -> &Fate {
        &self.fate
    }
}

impl Nature for Amended {
    fn faces(
        &mut self,
        at: Phase,
        draw: Draw,
        terrain: &Terrain,
        eligible: &ProvinceSet,
        count: usize,
    ) -> Vec<ProvinceId> {
        let drawn = self.inner.faces(at, draw, terrain, eligible, count);
        let Some(amendment) = &self.amendment else { return drawn };
        if (amendment.year, amendment.season, amendment.draw) != (at.year, at.season, draw) {
            return drawn;
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
                    return drawn;
                }
                let named = map.find(name);
                let others = drawn.iter().copied().filter(|&id| Some(id) != named);
                let most = if matches!(amendment.change, Change::Only(_)) { 1 } else { count };
                named.into_iter().chain(others).take(most).collect()
            }
        };
        let [eligible, gone] = [*eligible, *eligible & map.holes()].map(|set| set.iter().collect::<Vec<_>>());
        let (eligible, gone) = (names(&eligible), names(&gone));
        self.fate = Fate::Made { was: names(&drawn), is: names(&given), eligible, gone };
        given
    }

    fn exempt(&mut self, at: Phase, power: Power, homes: &ProvinceSet) -> Option<ProvinceId> {
        self.inner.exempt(at, power, homes)
    }

    fn ends(&mut self, at: Phase, terrain: &Terrain, province: ProvinceId) -> Option<[HalfEdgeId; 2]> {
        self.inner.ends(at, terrain, province)
    }

    fn half(&mut self, at: Phase, terrain: &Terrain, halves: &[ProvinceId]) -> Option<ProvinceId> {
        self.inner.half(at, terrain, halves)
    }
}
