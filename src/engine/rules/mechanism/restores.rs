//! Black holes that are restored (rr07 rule 2 (ii); rules.md 4.10): for each new hole, one of the earlier
//! ones.

use serde::{Deserialize, Serialize, Serializer};

use super::draw;
use crate::diagnostic::value::Placed;
use crate::rules::event::{Event, EventInfo, EventKind, MapChange};
use crate::rules::game_state::{EventContext, GameState};
use crate::rules::map_tables::MapTables;
use crate::rules::mechanism::section::{Act, Context, Key, MechanismSection};
use crate::rules::nature::Draw;
use crate::rules::position::{Phase, PhaseKind};
use upheaval_map::ids::ProvinceSet;

/// The owner of a restored home centre.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum HomeReturnsTo {
    /// Its owner when it vanished.
    LastOwner,
    /// The power whose home it is.
    HomePower,
}

/// The mechanism's parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Restores {
    /// How many holes are restored for each hole of the season, 1 to 10.
    pub per_hole: u8,
    /// The movement phase of the first season with restored holes.
    #[serde(serialize_with = "as_text")]
    pub from: Phase,
    /// The owner of a restored home centre. Any other centre is neutral.
    pub home_returns_to: HomeReturnsTo,
}

fn as_text<S: Serializer>(phase: &Phase, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(phase)
}

/// The mechanism's parameters.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Restores"))]
pub struct RestoresFile {
    /// How many holes are restored for each hole of the season, 1 to 10.
    per_hole: u8,
    /// The movement phase of the first season with restored holes.
    from: Placed<String>,
    /// The owner of a restored home centre. Any other centre is neutral.
    home_returns_to: HomeReturnsTo,
}

impl MechanismSection for Restores {
    type Form = RestoresFile;

    const KEYS: &'static [Key] = &[
        Key::new(
            "restores.per_hole",
            draw::COUNT,
            "the number of holes restored for each hole of the season",
        ),
        Key::other("restores.from", "a movement phase", "the first season with restored holes"),
        Key::words(
            "restores.home_returns_to",
            &["last-owner", "home-power"],
            "the owner of a restored home centre",
        ),
    ];

    const EVENTS: &'static [EventInfo] = &[
        // A face that toggles is reported as restored. A face drawn for restoration is not eligible for a
        // hole.
        EventInfo::new(EventKind::Restored, "`province` came back", "{province} comes back")
            .changes(MapChange::Restore)
            .reveals(&[Draw::Holes, Draw::Restores]),
        EventInfo::new(
            EventKind::CentreReturned,
            "`power` owns `province` again, which came back",
            "{power} owns {province} again",
        ),
    ];

    fn check(form: RestoresFile, context: &Context<'_>, _: &MapTables) -> Option<Restores> {
        let RestoresFile { per_hole, from, home_returns_to } = form;
        if !context.has("holes") {
            context.fault("[restores] requires [holes]; add [holes], or remove [restores]");
        }
        draw::check_count(context, "per_hole", per_hole);
        match from.parse::<Phase>() {
            Ok(first) if first.year > 0 && first.kind == PhaseKind::Movement => {
                Some(Restores { per_hole, from: first, home_returns_to })
            }
            Ok(_) => {
                let message = "`from` must be the movement phase of a season, such as `S1905M`";
                context.refuse(from.span(), message)
            }
            Err(error) => context.refuse(from.span(), format!("`from`: {error}")),
        }
    }
}

impl Restores {
    /// The faces that may be restored: all holes except those of the current season.
    pub fn eligible(world: &GameState) -> ProvinceSet {
        world.terrain.chart().map().holes() - world.fresh_holes
    }
}

impl Act for Restores {
    /// Restores as many holes as the season's new ones require.
    fn after_retreats(&self, world: &mut GameState, scene: &mut EventContext<'_>) {
        let count = world.fresh_holes.len() * usize::from(self.per_hole);
        if count == 0 || scene.at < self.from {
            return;
        }
        let eligible = Restores::eligible(world);
        let drawn = scene.nature.faces(scene.at, Draw::Restores, &world.terrain, &eligible, count);
        let drawn = drawn.into_iter().collect::<ProvinceSet>() & eligible;
        if drawn.is_empty() {
            return;
        }
        let restored = world.change_map(scene, |chart| drawn.iter().try_for_each(|face| chart.restore(face)));
        if restored.is_err() {
            return; // unreachable: only holes are drawn
        }
        for face in drawn {
            world.tell(scene, &Event::Restored(face));
            let home = world.terrain.chart().info(face).and_then(|info| info.home);
            let last_owner = world.last_owner[face].take();
            if let Some(home) = home.filter(|_| world.terrain.centres().contains(face)) {
                let owner = match self.home_returns_to {
                    HomeReturnsTo::LastOwner => last_owner,
                    HomeReturnsTo::HomePower => Some(home),
                };
                world.position.set_owner(face, owner);
                if let Some(owner) = owner {
                    world.tell(scene, &Event::CentreReturned(face, owner));
                }
            }
        }
    }
}
