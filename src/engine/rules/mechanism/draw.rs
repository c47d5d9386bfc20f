//! The parts that several mechanisms share: when they act, which faces they draw from, the effect of a hole
//! on its neighbours, and the checks and values of the corresponding keys.

use serde::{Deserialize, Serialize};

use super::section::{Context, PermittedValues};
use crate::rules::event::Event;
use crate::rules::map_tables::MapTables;
use crate::rules::position::Season;
use upheaval_map::ids::{ProvinceId, ProvinceSet};
use upheaval_map::topology::{FaceKind, NamedMap, Surgery};

/// The largest number of faces per season that a file may ask for; a board has 75 provinces.
const MOST_FACES: u8 = 10;

/// The values of a key for the number of faces to draw.
pub(crate) const COUNT: PermittedValues = PermittedValues::Numbers(1, MOST_FACES);
/// The values of [`Seasons`].
pub(crate) const SEASONS: PermittedValues = PermittedValues::Words(&["spring-and-fall", "spring", "fall"]);
/// The values of [`Closure`].
pub(crate) const CLOSURE: PermittedValues = PermittedValues::Words(&["collapse", "void"]);
/// The values of [`Faces`].
pub const FACES: PermittedValues = PermittedValues::Words(&[
    "provinces",
    "provinces-and-impassable",
    "land",
    "sea",
    "centres",
    "no-centres",
]);

/// Checks the number of faces per season that the key asks for.
pub(crate) fn check_count(context: &Context<'_>, key: &str, count: u8) {
    if !(1..=MOST_FACES).contains(&count) {
        context.fault_at(key, format!("`{key}` must be from 1 to {MOST_FACES}, not {count}"));
    }
}

/// Checks which faces the key `faces` lets a mechanism draw: an impassable face can collapse, but making it a
/// void would change nothing, and it cannot be split. `closure` is the effect on the drawn faces; without one
/// they are split.
pub(crate) fn check_faces(context: &Context<'_>, faces: Faces, closure: Option<Closure>) {
    let message = match (faces, closure) {
        (Faces::ProvincesAndImpassable, None) => "an impassable face cannot be split; use `provinces`",
        (Faces::ProvincesAndImpassable, Some(Closure::Void)) => {
            "an impassable face cannot become a void; use `provinces`, or the closure `collapse`"
        }
        _ => return,
    };
    context.fault_at("faces", message);
}

/// Whether the neighbours of a hole meet across it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Closure {
    /// All faces round it become adjacent (Tinamou rule 1; rules.md 1.4).
    Collapse,
    /// It remains as an impassable space (rules.md 1.5).
    Void,
}

impl Closure {
    /// Makes the open face a hole.
    pub fn open(self, chart: &mut NamedMap, face: ProvinceId) -> Surgery {
        match self {
            Closure::Collapse => chart.collapse(face),
            Closure::Void => chart.void(face),
        }
    }

    /// The event to log.
    pub fn event(self, hole: ProvinceId) -> Event {
        match self {
            Closure::Collapse => Event::Collapsed(hole),
            Closure::Void => Event::Voided(hole),
        }
    }
}

/// The seasons in which a mechanism acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Seasons {
    /// After Spring and after Fall.
    SpringAndFall,
    /// Only after Spring.
    Spring,
    /// Only after Fall.
    Fall,
}

impl Seasons {
    /// Does it act in this season?
    pub fn includes(self, season: Season) -> bool {
        match season {
            Season::Spring => self != Seasons::Fall,
            Season::Fall => self != Seasons::Spring,
            Season::Winter => false,
        }
    }
}

/// The faces that a mechanism draws from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Faces {
    /// Every province, land and sea.
    Provinces,
    /// Every province, and impassable faces (Switzerland).
    ProvincesAndImpassable,
    /// Land provinces.
    Land,
    /// Seas.
    Sea,
    /// Supply centres.
    Centres,
    /// Provinces without a supply centre.
    NoCentres,
}

impl Faces {
    /// The faces of this sort, including holes.
    pub fn all(self, terrain: &MapTables) -> ProvinceSet {
        let of_kind = |kind| terrain.chart().map().of_kind(kind);
        let (land, sea) = (of_kind(FaceKind::Land), of_kind(FaceKind::Sea));
        let centres = || {
            let centre = |&id: &ProvinceId| terrain.chart().info(id).is_some_and(|info| info.supply_centre);
            (land | sea).iter().filter(centre).collect::<ProvinceSet>()
        };
        match self {
            Faces::Provinces => land | sea,
            Faces::ProvincesAndImpassable => land | sea | of_kind(FaceKind::Impassable),
            Faces::Land => land,
            Faces::Sea => sea,
            Faces::Centres => centres(),
            Faces::NoCentres => (land | sea) - centres(),
        }
    }

    /// The faces of this sort that are not holes.
    pub fn open(self, terrain: &MapTables) -> ProvinceSet {
        let board = terrain.board();
        match self {
            Faces::Provinces => board.passable(),
            Faces::ProvincesAndImpassable => self.all(terrain) - terrain.chart().map().holes(),
            Faces::Land => *board.land(),
            Faces::Sea => *board.sea(),
            Faces::Centres => *terrain.centres(),
            Faces::NoCentres => board.passable() - *terrain.centres(),
        }
    }
}
