//! Provinces that split in two (rr07 rules 2 (iii) and 4; rules.md 4.11). The halves are full provinces: both
//! are centres if the province was one, and if it had a unit, both halves have one now.
//!
//! ```text
//!      PAR ♠K                    PAR
//!  ╭────┬─────╮             ╭────┬────────╮      A card for each bordering territory; the two highest are the
//!  │  A BUR   │             │A    ╲   A   │      ends, here Paris and Munich. The unit stays in one half, drawn
//!  │          │ BEL ♣4  →   │BUR.1 ╲ BUR.2│      by lot; in the other a new one of its power appears.
//!  ╰──────┬───╯             ╰───────┴─────╯
//!       MUN ♥Q                     MUN
//! ```

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::draw::{self, Faces, Seasons};
use crate::rules::event::{AccountEntry, Event, EventInfo, EventKind, MapChange};
use crate::rules::game_state::{EventContext, GameState};
use crate::rules::map_tables::MapTables;
use crate::rules::mechanism::section::{Act, Context, Key, MechanismSection};
use crate::rules::nature::Draw;
use crate::rules::position::Unit;
use upheaval_map::ids::{CoastId, MAX_PROVINCES, ProvinceId, ProvinceSet, UnitKind};
use upheaval_map::topology::{CoastFate, HalfEdgeId};

/// The mechanism's parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Splits {
    /// The number of provinces per season, 1 to 10.
    pub per_season: u8,
    /// The seasons in which provinces are split.
    pub seasons: Seasons,
    /// The provinces that may be split.
    pub faces: Faces,
}

impl MechanismSection for Splits {
    type Form = Splits;

    const KEYS: &'static [Key] = &[
        Key::new("splits.per_season", draw::COUNT, "the number of provinces that split each season"),
        Key::new("splits.seasons", draw::SEASONS, "the seasons in which they split"),
        Key::words(
            "splits.faces",
            &["provinces", "land", "sea", "centres", "no-centres"],
            "the provinces that may split",
        ),
    ];

    const EVENTS: &'static [EventInfo] = &[
        EventInfo::new(
            EventKind::SplitDrawn,
            "nature drew `province` to split; `detail` says where",
            "the cards say {detail}",
        )
        .reveals(&[Draw::Splits]),
        EventInfo::new(
            EventKind::Split,
            "a province split into `province` and `detail`",
            "a province splits into {province} and {detail}",
        )
        .changes(MapChange::Split),
        EventInfo::new(
            EventKind::CentreDoubled,
            "`power` owns the new half `province` as a centre",
            "{power} owns the new half {province} too",
        ),
        EventInfo::new(
            EventKind::UnitDoubled,
            "a new `unit` of `power` is in `province`; the old one is in `detail`",
            "{unit} is new, its twin stays in {detail}",
        )
        .counts(AccountEntry::Gained),
    ];

    fn check(splits: Splits, context: &Context<'_>, _: &MapTables) -> Option<Splits> {
        draw::check_count(context, "per_season", splits.per_season);
        draw::check_faces(context, splits.faces, None);
        Some(splits)
    }
}

impl Splits {
    /// The provinces that may be drawn: all open ones (rr07 rule 2 (iii)), including exempt centres.
    pub fn eligible(&self, world: &GameState) -> ProvinceSet {
        self.faces.open(&world.terrain) & world.terrain.board().passable()
    }
}

impl Act for Splits {
    /// Draws the provinces and splits them. If the map has no room for another face, none is split.
    fn after_retreats(&self, world: &mut GameState, scene: &mut EventContext<'_>) {
        if !self.seasons.includes(scene.at.season) {
            return;
        }
        let room = MAX_PROVINCES - world.terrain.chart().map().faces().count();
        let count = room.min(self.per_season.into());
        let eligible = self.eligible(world);
        let drawn = scene.nature.faces(scene.at, Draw::Splits, &world.terrain, &eligible, count);
        for province in drawn.into_iter().filter(|&id| eligible.contains(id)).take(count) {
            if let Some(ends) = scene.nature.ends(scene.at, &world.terrain, province) {
                world.tell(scene, &Event::SplitDrawn(province, ends));
                split_between(world, scene, province, ends);
            }
        }
    }
}

fn split_between(
    world: &mut GameState,
    scene: &mut EventContext<'_>,
    province: ProvinceId,
    ends: [HalfEdgeId; 2],
) {
    let owner = world.position.owner(province);
    let unit = world.position.take(province);
    let coasts = unit.map_or(Vec::new(), |unit| world.take_choice(province, unit.coast));
    let Ok(halves) = world.change_map(scene, |chart| chart.split(ends[0], ends[1])) else {
        // unreachable: only provinces that can be split are drawn.
        unit.into_iter().for_each(|unit| world.position.place(province, unit));
        return;
    };
    world.tell(scene, &Event::Split(halves));
    let [_, second] = halves;
    if let Some(owner) = owner {
        world.position.set_owner(second, Some(owner));
        world.tell(scene, &Event::CentreDoubled(second, owner));
    }
    if let Some(unit) = unit {
        double(world, scene, &Divided { province, halves }, unit, &coasts);
    }
}

/// A province that has been split.
struct Divided {
    /// The original province.
    province: ProvinceId,
    halves: [ProvinceId; 2],
}

/// The unit stays in one half, and a new one of its power appears in the other.
fn double(
    world: &mut GameState,
    scene: &mut EventContext<'_>,
    divided: &Divided,
    unit: Unit,
    coasts: &[CoastId],
) {
    let terrain = Arc::clone(&world.terrain);
    let (board, chart) = (terrain.board(), terrain.chart());
    let [first, second] = divided.halves;
    let has_coast = |half| board.coasts(half) > 0;
    let can_stand: Vec<ProvinceId> =
        divided.halves.into_iter().filter(|&half| unit.kind == UnitKind::Army || has_coast(half)).collect();
    let fate = |kind, half| match kind {
        UnitKind::Army => CoastFate::Stays(CoastId::FIRST),
        UnitKind::Fleet => chart.coast_fate_in(board.former(), board, divided.province, coasts, half),
    };
    let Some(&otherwise) = can_stand.first() else {
        return world.tell(scene, &Event::CoastLost(first, unit));
    };
    let drawn = scene.nature.half(scene.at, &terrain, &can_stand);
    let stays = drawn.filter(|half| can_stand.contains(half)).unwrap_or(otherwise);
    let new = if stays == first { second } else { first };
    world.put_unit(scene, stays, unit, fate(unit.kind, stays));
    // Of the same type if it can be there (rr07 rule 2 (iii)).
    let kind = if has_coast(new) { unit.kind } else { UnitKind::Army };
    let fate = match fate(kind, new) {
        CoastFate::Moves(coast) => CoastFate::Stays(coast),
        other => other,
    };
    world.put_unit(scene, new, Unit { kind, ..unit }, fate);
    if let Some(unit) = world.position.unit(new) {
        world.tell(scene, &Event::UnitDoubled { stays, new, unit });
    }
}
