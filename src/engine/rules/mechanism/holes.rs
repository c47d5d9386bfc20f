//! Black holes (Black Hole Diplomacy, rules.md 4): provinces that are drawn at random and vanish.
//!
//! ```text
//!  foretold:   orders · movement · DRAW · retreats (not there) · OPEN · adjustments     rule 2 of `black-hole`
//!  unforetold: orders · movement · retreats · DRAW and OPEN · adjustments               `black-hole-i`
//! ```

use serde::{Deserialize, Serialize};

use super::draw::{self, Closure, Faces, Seasons};
use crate::rules::event::{Event, EventInfo, EventKind, MapChange};
use crate::rules::game_state::{EventContext, GameState};
use crate::rules::map_tables::MapTables;
use crate::rules::mechanism::section::{Act, Context, Key, MechanismSection, Movement};
use crate::rules::nature::Draw;
use upheaval_map::ids::ProvinceSet;

/// Whether the holes are known before the retreats.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Foresight {
    /// Drawn and announced before the retreats, opened after them (Tinamou rule 2).
    Foretold,
    /// Drawn and opened after the retreats.
    Unforetold,
}

/// The mechanism's parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Holes {
    /// The number of holes each season, 1 to 10.
    pub per_season: u8,
    /// Whether neighbours meet across them.
    pub closure: Closure,
    /// Whether the holes are known before the retreats.
    pub retreats: Foresight,
    /// The seasons in which they open.
    pub seasons: Seasons,
    /// The faces that may become holes.
    pub faces: Faces,
}

impl MechanismSection for Holes {
    type Form = Holes;

    const KEYS: &'static [Key] = &[
        Key::new("holes.per_season", draw::COUNT, "the number of holes each season"),
        Key::new("holes.closure", draw::CLOSURE, "whether the neighbours of a hole meet across it"),
        Key::words(
            "holes.retreats",
            &["foretold", "unforetold"],
            "whether the holes are known before the retreats",
        ),
        Key::new("holes.seasons", draw::SEASONS, "the seasons in which they open"),
        Key::new("holes.faces", draw::FACES, "the faces that may become holes"),
    ];

    const EVENTS: &'static [EventInfo] = &[
        EventInfo::new(
            EventKind::HoleDrawn,
            "nature drew `province` as a hole",
            "the hole of the season is {province}",
        )
        .reveals(&[Draw::Holes]),
        EventInfo::new(
            EventKind::Collapsed,
            "`province` collapsed: its neighbours closed over it",
            "{province} collapses: its neighbours close over it",
        )
        .changes(MapChange::Collapse),
        EventInfo::new(
            EventKind::Voided,
            "`province` became a void that nothing enters",
            "{province} becomes a void that nothing enters",
        )
        .changes(MapChange::Void),
    ];

    fn check(holes: Holes, context: &Context<'_>, _: &MapTables) -> Option<Holes> {
        draw::check_count(context, "per_season", holes.per_season);
        draw::check_faces(context, holes.faces, Some(holes.closure));
        Some(holes)
    }
}

impl Holes {
    /// The faces that may be drawn (rules.md 4.1): the open provinces without the exempt centres, limited by
    /// `faces`.
    pub fn eligible(&self, world: &GameState) -> ProvinceSet {
        self.faces.open(&world.terrain) - world.exempt_centres()
    }

    fn draw(&self, world: &mut GameState, scene: &mut EventContext<'_>) {
        if !self.seasons.includes(scene.at.season) {
            return;
        }
        let eligible = self.eligible(world);
        let drawn =
            scene.nature.faces(scene.at, Draw::Holes, &world.terrain, &eligible, self.per_season.into());
        for hole in drawn.into_iter().filter(|&id| eligible.contains(id)) {
            world.doomed.insert(hole);
            world.tell(scene, &Event::HoleDrawn(hole));
        }
    }
}

impl Act for Holes {
    /// Draws the holes of the season and announces them, if they are foretold.
    fn before_retreats(&self, world: &mut GameState, scene: &mut EventContext<'_>, _: Movement<'_>) {
        if self.retreats == Foresight::Foretold {
            self.draw(world, scene);
        }
    }

    /// Opens the season's holes, drawing them first unless they were foretold. Units in them are destroyed
    /// (rules.md 4.4).
    fn after_retreats(&self, world: &mut GameState, scene: &mut EventContext<'_>) {
        if self.retreats == Foresight::Unforetold {
            self.draw(world, scene);
        }
        let doomed = std::mem::take(&mut world.doomed);
        world.fresh_holes = doomed;
        if doomed.is_empty() {
            return;
        }
        // Only open faces are drawn, so that none of these changes can fail half-way.
        let opened = world
            .change_map(scene, |chart| doomed.iter().try_for_each(|hole| self.closure.open(chart, hole)));
        if opened.is_ok() {
            for hole in doomed {
                world.tell(scene, &self.closure.event(hole));
            }
        }
    }
}
