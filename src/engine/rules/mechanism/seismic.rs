//! Seismic events (Seismic; rules.md 8): when the powers may order them, and their effects on waterways and
//! on fleets that lose their coast. The orders themselves are in `src/engine/rules/seismic.rs`.
//!
//! ```text
//!   seismic-1971        Spring ─▶ retreats ─▶ E     Fall ─▶ retreats ─▶ owners ─▶ adjustments ─▶ E
//!   seismic-acerunner   Spring ─▶ retreats ─▶ E     Fall ─▶ retreats ─▶ owners ─▶ E ─▶ adjustments
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::rules::event::{EventInfo, EventKind, MapChange};
use crate::rules::game_state::Coastless;
use crate::rules::map_tables::MapTables;
use crate::rules::mechanism::section::{Act, Context, Key, MechanismSection};
use crate::rules::position::Season;
use upheaval_map::topology::{Face, NamedMap, Waterway, WaterwayRule};

/// The parameters.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Seismic {
    /// The seasons with a seismic phase.
    pub after: After,
    /// The kind of waterways.
    pub waterways: Waterways,
    /// The fate of a fleet without a coast.
    pub coastless: Coastless,
    /// With [`Waterways::Passages`]: the provinces that have a single coast on these two seas.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub passages: BTreeMap<String, [String; 2]>,
}

/// The section in its written form: provinces by name, each with its position in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeismicFile {
    after: After,
    waterways: Waterways,
    coastless: Coastless,
    /// With `waterways = "passages"`: the two seas of each such province.
    #[cfg_attr(feature = "schema", schemars(with = "Option<BTreeMap<String, [String; 2]>>"))]
    passages: Option<BTreeMap<Spanned<String>, [Spanned<String>; 2]>>,
}

impl MechanismSection for Seismic {
    type Form = SeismicFile;

    const KEYS: &'static [Key] = &[
        Key::words(
            "seismic.after",
            &["spring-and-winter", "spring-and-fall"],
            "the seasons after which seismic events are ordered",
        ),
        Key::words("seismic.waterways", &["passages", "isthmuses"], "the kind of straits and canals"),
        Key::words(
            "seismic.coastless",
            &["trapped", "trapped-or-disbanded"],
            "the fate of a fleet without a coast",
        ),
        Key::other(
            "seismic.passages",
            "two seas for each province",
            "the provinces that have a single coast on two seas",
        ),
    ];

    const EVENTS: &'static [EventInfo] = &[
        EventInfo::new(
            EventKind::Separated,
            "`province` lost a border; `detail` says with which province, and which provinces touch instead",
            "the earth moves: {detail}",
        )
        .changes(MapChange::Separate),
        EventInfo::new(
            EventKind::Connected,
            "`province` got a border; `detail` says with which province, and through which",
            "the earth moves: {detail}",
        )
        .changes(MapChange::Connect),
        EventInfo::new(
            EventKind::Trapped,
            "the fleet in `province` no longer has a coast and may only hold",
            "{unit} is trapped without a coast",
        ),
    ];

    fn check(form: SeismicFile, _: &Context<'_>, _: &MapTables) -> Option<Seismic> {
        let code = |name: &Spanned<String>| name.get_ref().to_ascii_uppercase();
        let passages = form.passages.iter().flatten();
        Some(Seismic {
            after: form.after,
            waterways: form.waterways,
            coastless: form.coastless,
            passages: passages
                .map(|(province, [one, other])| (code(province), [code(one), code(other)]))
                .collect(),
        })
    }

    /// Sets the waterways of a board whose borders will move: either the passages of the file replace those
    /// of the map, or those of the map follow the rules of isthmuses (rules.md 8.7).
    fn prepare_map(form: &SeismicFile, context: &Context<'_>, chart: &mut NamedMap) {
        let passages = match (form.waterways, &form.passages) {
            (Waterways::Isthmuses, None) => return chart.set_waterway_rule(WaterwayRule::Isthmuses),
            (Waterways::Isthmuses, Some(_)) => {
                return context.fault_at("passages", "`passages` requires `waterways = \"passages\"`");
            }
            (Waterways::Passages, None) if context.has_unknown_key() => return,
            (Waterways::Passages, None) => {
                let message = "`waterways = \"passages\"` requires a section [seismic.passages] with entries such as \
                               `CON = [\"AEG\", \"BLA\"]`";
                return context.fault_at("waterways", message);
            }
            (Waterways::Passages, Some(passages)) => passages,
        };
        let find = |name: &Spanned<String>, what: &str, fits: fn(Face<'_>) -> bool| {
            let found = chart.map().find(&name.get_ref().to_ascii_uppercase());
            found.filter(|&id| chart.map().face(id).is_some_and(fits)).or_else(|| {
                let message = format!("`{}` is not a {what} of the board", name.get_ref());
                context.refuse_name(name.span(), message)
            })
        };
        let passage = |(province, [one, other]): (&Spanned<String>, &[Spanned<String>; 2])| {
            let province = find(province, "land province", |face| face.is_open_land());
            let seas = [one, other].map(|sea| find(sea, "sea", |face| face.is_open_sea()));
            Some(Waterway::Passage { province: province?, seas: [seas[0]?, seas[1]?] })
        };
        let laid: Vec<Waterway> = passages.iter().filter_map(passage).collect();
        chart.set_waterways(laid);
    }
}

/// It has a phase of its own, and does not act at any point of a season.
impl Act for Seismic {}

/// The times of seismic phases (rules.md 8.6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum After {
    /// After the Spring retreats and after the Winter adjustments.
    SpringAndWinter,
    /// After the Spring retreats and after the Fall retreats, before the adjustments.
    SpringAndFall,
}

impl After {
    /// Is there a seismic phase at the end of this season?
    pub(crate) fn includes(self, season: Season) -> bool {
        match season {
            Season::Spring => true,
            Season::Fall => self == After::SpringAndFall,
            Season::Winter => self == After::SpringAndWinter,
        }
    }
}

/// The kinds of waterways (rules.md 8.7).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Waterways {
    /// Certain provinces have a single coast on two certain seas; there are no other waterways.
    Passages,
    /// Those of the board, and those that appear and disappear with isthmuses.
    Isthmuses,
}
