//! Rising water (ru10 rules 3 to 6; rules.md 6): provinces sink in listed winters, others become supply
//! centres, and impassable faces open.
//!
//! ```text
//!  Winter:  adjustments ──▶ new centres (table 2) ──▶ submergence (table 1) ──▶ openings (rule 6)
//!                            whose? (1) the unit's there    armies drown, fleets float,
//!                                   (2) the last unit's     the inland neighbours get coasts
//!                                       before adjustments, or after an earlier season
//!                                   (3) the boundary's
//!                                   (4) nobody's
//! ```

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::draw::Faces;
use crate::rules::event::{Event, EventColumn, EventInfo, EventKind, MapChange};
use crate::rules::game_state::{EventContext, GameState};
use crate::rules::map_tables::MapTables;
use crate::rules::mechanism::section::{Act, Context, Key, MechanismSection};
use crate::rules::position::Season;
use upheaval_map::ids::{Power, ProvinceId, ProvinceSet};
use upheaval_map::topology::{NamedMap, Surgery};

/// The published schedules of new centres.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum CentreSchedule {
    /// The schedule of the seed, ru10.
    Ru10,
    /// The schedule of two other published copies: every centre a year earlier (rules.md 6.2).
    EarlyCentres,
}

/// Provinces by the year at whose end an event affects them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ByYear(pub BTreeMap<u16, ListedProvinces>);

/// Provinces as a file lists them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ListedProvinces {
    /// Their names, in the order of the file.
    pub names: Vec<String>,
    /// The corresponding faces of the map.
    pub provinces: ProvinceSet,
}

impl Serialize for ListedProvinces {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.names.serialize(serializer)
    }
}

impl ByYear {
    /// The provinces of a year.
    pub(crate) fn of(&self, year: u16) -> ProvinceSet {
        self.0.get(&year).map_or(ProvinceSet::EMPTY, |listed| listed.provinces)
    }
}

/// The mechanism's parameters.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Deluge {
    /// The schedule of new centres in force.
    pub schedule: CentreSchedule,
    /// Table 1: the provinces that sink, by year.
    pub submerges: ByYear,
    /// Table 2, by schedule: the provinces that become supply centres, by year.
    pub centres: BTreeMap<CentreSchedule, ByYear>,
    /// Rule 6: the faces that open, by year.
    pub opens: ByYear,
    /// The provinces within each power's boundary (rule 5 (3)).
    pub boundaries: BTreeMap<String, ListedProvinces>,
}

/// The section in its written form: provinces by name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DelugeFile {
    /// The schedule of new centres in force.
    schedule: CentreSchedule,
    /// The provinces that sink, by the year.
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, Vec<String>>"))]
    submerges: Table,
    /// The new centres of each schedule, by the year.
    #[cfg_attr(
        feature = "schema",
        schemars(with = "BTreeMap<CentreSchedule, BTreeMap<String, Vec<String>>>")
    )]
    centres: Spanned<BTreeMap<CentreSchedule, Table>>,
    /// The impassable faces that become land, by the year.
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, Vec<String>>"))]
    opens: Table,
    /// The provinces within the boundary of each power.
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, Vec<String>>"))]
    boundaries: BTreeMap<Spanned<String>, Names>,
}

/// Names of provinces, each with its position in the file.
type Names = Vec<Spanned<String>>;

/// Names of provinces by year.
type Table = BTreeMap<Spanned<String>, Names>;

impl MechanismSection for Deluge {
    type Form = DelugeFile;

    const KEYS: &'static [Key] = &[
        Key::words("deluge.schedule", &["ru10", "early-centres"], "the schedule of new centres in force"),
        Key::other("deluge.submerges", "provinces by year", "the provinces that sink at the end of a Winter"),
        Key::other(
            "deluge.centres",
            "provinces by schedule and year",
            "the provinces that become supply centres",
        ),
        Key::other(
            "deluge.opens",
            "provinces by year",
            "the impassable faces that open at the end of a Winter",
        ),
        Key::other(
            "deluge.boundaries",
            "provinces by power",
            "the provinces within the boundary of each power",
        ),
    ];

    const EVENTS: &'static [EventInfo] = &[
        EventInfo::new(
            EventKind::CentreFounded,
            "`province` became a supply centre, owned by `power` if by anybody",
            "{province} becomes a supply centre of {power}",
        )
        .without(EventColumn::Power, "{province} becomes a supply centre")
        .changes(MapChange::Found),
        EventInfo::new(
            EventKind::Submerged,
            "`province` sank and is now sea",
            "{province} sinks into the sea",
        )
        .changes(MapChange::Submerge),
        EventInfo::new(
            EventKind::Opened,
            "`province`, impassable before, can be entered",
            "{province} can be entered from now on",
        )
        .changes(MapChange::Open),
    ];

    fn check(form: DelugeFile, context: &Context<'_>, terrain: &MapTables) -> Option<Deluge> {
        let schedule = form.schedule;
        let (centres_at, centres) = (form.centres.span(), form.centres.into_inner());
        if context.form.is_sound(&centres_at) && !centres.contains_key(&schedule) {
            context.fault_at("schedule", "[deluge.centres] has no table for this schedule");
        }
        let boundary = |(name, names): (&Spanned<String>, &Names)| {
            let listed = listed(names, context, terrain);
            match terrain.power_names().named(name.get_ref()) {
                Ok(_) => Some((name.get_ref().clone(), listed)),
                Err(error) => context.refuse_name(name.span(), error.to_string()),
            }
        };
        let by_year = |table: &Table| by_year(table, context, terrain);
        Some(Deluge {
            schedule,
            submerges: by_year(&form.submerges),
            centres: centres.iter().map(|(&schedule, table)| (schedule, by_year(table))).collect(),
            opens: by_year(&form.opens),
            boundaries: form.boundaries.iter().filter_map(boundary).collect(),
        })
    }
}

fn by_year(table: &Table, context: &Context<'_>, terrain: &MapTables) -> ByYear {
    let row = |(year, names): (&Spanned<String>, &Names)| {
        let listed = listed(names, context, terrain);
        match year.get_ref().parse() {
            Ok(number @ 1..=9999) => Some((number, listed)),
            _ => {
                let message = format!("`{}` is not a year (expected e.g. 1901)", year.get_ref());
                context.refuse(year.span(), message)
            }
        }
    };
    ByYear(table.iter().filter_map(row).collect())
}

fn listed(names: &Names, context: &Context<'_>, terrain: &MapTables) -> ListedProvinces {
    let province = |name: &Spanned<String>| {
        let code = name.get_ref().to_ascii_uppercase();
        match terrain.names().find(&code) {
            Some(found) => Some((code, found)),
            None => {
                let message = format!("`{}` is not a province of the board", name.get_ref());
                context.refuse_name(name.span(), message)
            }
        }
    };
    let (names, provinces): (Vec<String>, Vec<ProvinceId>) = names.iter().filter_map(province).unzip();
    ListedProvinces { names, provinces: provinces.into_iter().collect() }
}

impl Act for Deluge {
    fn after_retreats(&self, world: &mut GameState, _: &mut EventContext<'_>) {
        note_occupants(world);
    }

    fn before_adjustments(&self, world: &mut GameState) {
        note_occupants(world);
    }

    /// The events of a Winter (rules.md 6.2).
    fn after_adjustments(&self, world: &mut GameState, scene: &mut EventContext<'_>) {
        if scene.at.season != Season::Winter {
            return;
        }
        let year = scene.at.year;
        let centres = self.centres.get(&self.schedule).map_or(ProvinceSet::EMPTY, |table| table.of(year));
        // A province that has already sunk does not become a centre, whatever the order of a file's tables.
        self.found(world, scene, centres - *world.terrain.centres() - *world.terrain.board().sea());
        // Only provinces that can sink and open are tried, so that none of these changes can fail half-way.
        let sinking = self.submerges.of(year) & *world.terrain.board().land();
        change(world, scene, sinking, NamedMap::submerge, Event::Submerged);
        let opening = self.opens.of(year);
        if !opening.is_empty() {
            let impassable =
                Faces::ProvincesAndImpassable.open(&world.terrain) - world.terrain.board().passable();
            change(world, scene, opening & impassable, NamedMap::open, Event::Opened);
        }
    }
}

/// Records the occupants of provinces: after a Spring or Fall, and before the adjustments of a Winter,
/// which the occupants may not survive (rules.md 6.5b).
fn note_occupants(world: &mut GameState) {
    for at in *world.position.occupied() {
        world.last_occupant[at] = world.position.unit(at).map(|unit| unit.power);
    }
}

impl Deluge {
    /// The centres that table 2 creates in these years.
    pub fn founded_in(&self, years: Range<u16>) -> ProvinceSet {
        let table = self.centres.get(&self.schedule).into_iter().flat_map(|table| &table.0);
        let within = table.filter(|&(when, _)| years.contains(when));
        within.fold(ProvinceSet::EMPTY, |all, (_, listed)| all | listed.provinces)
    }

    fn found(&self, world: &mut GameState, scene: &mut EventContext<'_>, centres: ProvinceSet) {
        if centres.is_empty() {
            return;
        }
        let owners: Vec<(ProvinceId, Option<Power>)> =
            centres.iter().map(|centre| (centre, self.owner(world, centre))).collect();
        Arc::make_mut(&mut world.terrain).found_centres(centres);
        for (centre, owner) in owners {
            world.position.set_owner(centre, owner);
            world.tell(scene, &Event::CentreFounded(centre, owner));
        }
    }

    /// The owner of a new centre (ru10 rule 5).
    fn owner(&self, world: &GameState, centre: ProvinceId) -> Option<Power> {
        let boundary = || {
            let mut within = self.boundaries.iter().filter(|(_, listed)| listed.provinces.contains(centre));
            let power = within.next().and_then(|(name, _)| world.terrain.power_names().find(name));
            power.filter(|&power| !world.position.is_out(power))
        };
        let there = world.position.unit(centre).map(|unit| unit.power);
        there.or(world.last_occupant[centre]).or_else(boundary)
    }
}

/// Changes the map in all these places at once, and logs each change.
fn change(
    world: &mut GameState,
    scene: &mut EventContext<'_>,
    places: ProvinceSet,
    change: fn(&mut NamedMap, ProvinceId) -> Surgery,
    event: fn(ProvinceId) -> Event,
) {
    if places.is_empty() {
        return;
    }
    let done = world.change_map(scene, |chart| places.iter().try_for_each(|id| change(chart, id)));
    if done.is_ok() {
        for id in places {
            world.tell(scene, &event(id));
        }
    }
}
