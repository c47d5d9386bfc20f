//! A nature with one changed draw: in one season other faces are drawn, or none. All other draws stay the same, because
//! the streams of nature are keyed by season and name.

use std::iter;

use upheaval_engine::rules::changes::{Entry, Verb};
use upheaval_engine::rules::map_tables::MapTables;
use upheaval_engine::rules::nature::{HowMany, Nature, Seeded};
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

/// A draw of nature for an entry of the variant's changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    /// The id of the entry.
    pub entry: String,
    /// What happens to the drawn places.
    pub verb: Verb,
}

/// Which draw of a game is changed, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Amendment {
    /// The year.
    pub year: u16,
    /// The season.
    pub season: Season,
    /// The draw. Other verbs of its entry are changed only if nothing shall be drawn.
    pub draw: Draw,
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
        /// All candidates on which the verb of the amendment acts.
        eligible: Vec<String>,
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
        draw: HowMany,
    ) -> Vec<ProvinceId> {
        let drawn = self.inner.faces(at, entry, terrain, eligible, draw);
        let Some(amendment) = &self.amendment else { return drawn };
        let is_season = (amendment.year, amendment.season) == (at.year, at.season);
        if !is_season || amendment.draw.entry != entry.id {
            return drawn;
        }
        let map = terrain.chart().map();
        let fits = |id: ProvinceId| {
            let verb = entry.faces().and_then(|change| change.verb_on(terrain.chart(), id));
            eligible.contains(id) && verb == Some(amendment.draw.verb)
        };
        let made = match &amendment.change {
            Change::Nothing => Ok(drawn.clone()),
            Change::Without => Ok(Vec::new()),
            Change::Instead(name) | Change::Only(name) => match map.find(name) {
                None => Err(Ineligible::Unknown),
                Some(id)
                    if fits(id) && drawn.contains(&id) && matches!(amendment.change, Change::Instead(_)) =>
                {
                    Ok(drawn.clone())
                }
                Some(id) if fits(id) => {
                    let others = drawn.iter().copied().filter(|&other| other != id);
                    let most = match (&amendment.change, draw) {
                        (Change::Only(_), _) => 1,
                        (_, HowMany::Count(count)) => count,
                        (_, HowMany::Each(_)) => drawn.len().max(1),
                    };
                    Ok(iter::once(id).chain(others).take(most).collect())
                }
                Some(id) if map.holes().contains(id) && amendment.draw.verb != Verb::Restore => {
                    Err(Ineligible::Hole)
                }
                Some(id) => Err(Ineligible::Barred(id)),
            },
        };
        match made {
            Ok(given) => {
                let names = |ids: &[ProvinceId]| ids.iter().map(|&id| map.name(id).to_owned()).collect();
                let eligible: Vec<ProvinceId> = eligible.iter().filter(|&id| fits(id)).collect();
                self.fate = Fate::Made { was: names(&drawn), is: names(&given), eligible: names(&eligible) };
                given
            }
            Err(why) => {
                self.fate = Fate::Refused(why);
                drawn
            }
        }
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
