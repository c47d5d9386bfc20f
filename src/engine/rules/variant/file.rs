//! The form of a variant file, and the checks that make a [`Variant`] of it.

use std::collections::BTreeMap;
use std::num::NonZeroU8;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use toml::Spanned;

use super::{Files, UnorderedRetreats, Variant, VariantError, parameter};
use crate::diagnostic::{Diagnostic, Source, suggest};
use crate::rules::adjustment::BuildSite;
use crate::rules::mechanism::deluge::{ByYear, Listed, Schedule};
use crate::rules::mechanism::holes::{Closure, Foresight};
use crate::rules::mechanism::restores::HomeReturnsTo;
use crate::rules::mechanism::seismic::{After, Coastless, Waterways};
use crate::rules::mechanism::{
    Deluge, Exemption, Faces, Holes, Mechanism, Restores, Seasons, Seismic, Splits, Toggles,
};
use crate::rules::notation::parse_unit;
use crate::rules::position::{Phase, PhaseKind, Position, Season, Unit};
use crate::rules::rulebook::{ArmyBecomesFleet, ArmyFleets, Rulebook};
use crate::rules::terrain::Terrain;
use crate::rules::victory::{Deserted, VictoryRule};
use upheaval_map::ids::{Power, ProvinceSet};
use upheaval_map::topology::atlas;
use upheaval_map::topology::{Chart, Face, Waterway, WaterwayRule};

/// The form of a variant file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VariantFile {
    id: Spanned<String>,
    title: String,
    summary: String,
    source: String,
    map: Spanned<String>,
    rulebook: Rulebook,
    start: Start,
    victory: Victory,
    retreats: RetreatRules,
    builds: Builds,
    board: Option<BoardFile>,
    units: Option<UnitsFile>,
    exemption: Option<Spanned<Exemption>>,
    holes: Option<HolesFile>,
    restores: Option<Spanned<RestoresFile>>,
    splits: Option<SplitsFile>,
    toggles: Option<Spanned<TogglesFile>>,
    deluge: Option<DelugeFile>,
    seismic: Option<SeismicFile>,
    #[serde(default)]
    sources: BTreeMap<Spanned<String>, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Start {
    phase: Spanned<String>,
    units: BTreeMap<Power, Vec<Spanned<String>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Victory {
    rule: Spanned<VictoryRule>,
    deserted: Deserted,
    last_winter: Option<Spanned<u16>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RetreatRules {
    unordered: UnorderedRetreats,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Builds {
    sites: BuildSite,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoardFile {
    archipelagos: Vec<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UnitsFile {
    army_fleets: YesNo,
    max_seasons_aboard: Option<Spanned<SeasonsAboard>>,
    army_becomes_fleet: ArmyBecomesFleet,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum YesNo {
    No,
    Yes,
}

/// How long an army may stay aboard a fleet.
#[derive(Deserialize)]
#[serde(untagged, expecting = "\"unlimited\", or a number of seasons from 1 to 255")]
enum SeasonsAboard {
    Seasons(NonZeroU8),
    Word(Unlimited),
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Unlimited {
    Unlimited,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HolesFile {
    per_season: Spanned<u8>,
    closure: Closure,
    retreats: Foresight,
    seasons: Seasons,
    faces: Spanned<Faces>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RestoresFile {
    per_hole: Spanned<u8>,
    from: Spanned<String>,
    home_returns_to: HomeReturnsTo,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SplitsFile {
    per_season: Spanned<u8>,
    seasons: Seasons,
    faces: Spanned<Faces>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TogglesFile {
    per_season: Spanned<u8>,
    closure: Closure,
    seasons: Seasons,
    faces: Spanned<Faces>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeismicFile {
    after: After,
    waterways: Spanned<Waterways>,
    coastless: Coastless,
    passages: Option<Spanned<Passages>>,
}

/// Two seas for each of some provinces.
type Passages = BTreeMap<Spanned<String>, [Spanned<String>; 2]>;

/// Names of provinces, each with its place in the file.
type Names = Vec<Spanned<String>>;

/// Names of provinces by year.
type Table = BTreeMap<Spanned<String>, Names>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DelugeFile {
    schedule: Spanned<Schedule>,
    submerges: Table,
    centres: BTreeMap<Schedule, Table>,
    opens: Table,
    boundaries: BTreeMap<Power, Names>,
}

/// The most faces a season that a file may ask for: a board has 75 provinces.
pub(super) const MOST_FACES: u8 = 10;

/// Where the map of a variant file is found that is none of those that ship.
pub(super) enum MapAt<'a> {
    /// At the path in the file, which starts here.
    Below(&'a Path),
    /// Nowhere: the file must name a map that ships. For files that were kept by a program and not named by a person.
    Shipped,
    /// In this text, whatever the path.
    Text(&'a Source),
}

/// Checks the text of a variant file.
pub(super) fn read(source: &Source, at: &MapAt<'_>) -> Result<Variant, VariantError> {
    let file: VariantFile = toml::from_str(source.text()).map_err(|error| form_fault(source, &error))?;
    let (mut chart, map_text) = read_map(source, &file.map, at)?;
    chart.set_archipelagos(archipelagos(source, file.board.as_ref(), &chart)?);
    if let Some(seismic) = &file.seismic {
        lay_waterways(source, seismic, &mut chart)?;
    }
    let terrain = Arc::new(Terrain::new(chart));
    let position = starting_position(source, &terrain, &file.start)?;
    let victory = *file.victory.rule.get_ref();
    Ok(Variant {
        last_winter: last_winter(source, &file.victory)?,
        first_phase: first_phase(source, &file.start.phase)?,
        mechanisms: mechanisms(source, &file, &terrain)?,
        sources: sources(source, &file.sources)?,
        map: file.map.get_ref().clone(),
        files: Files { variant: source.text().into(), map: map_text },
        id: identifier(source, file.id)?,
        title: file.title,
        summary: file.summary,
        source: file.source,
        position,
        terrain,
        rulebook: rulebook(source, file.rulebook, file.units.as_ref())?,
        victory,
        deserted: file.victory.deserted,
        unordered_retreats: file.retreats.unordered,
        builds: file.builds.sites,
    })
}

/// A fault of form. The parser's words name what is wrong and, for a word that is none of several, those; for a key
/// that is missing it is said what to do.
fn form_fault(source: &Source, error: &toml::de::Error) -> Diagnostic {
    let message = match error
        .message()
        .strip_prefix("missing field `")
        .and_then(|rest| rest.strip_suffix('`'))
    {
        Some(key) => format!(
            "`{key}` is missing here; add it as in `variants/black-hole.toml`, where a comment lists its values"
        ),
        // The parser's words for a value that is none of several, and for a number that is none.
        None => error
            .message()
            .replace("unknown variant", "not a value here:")
            .replace("expected u8", "expected a whole number"),
    };
    source.fault(error.span().unwrap_or_default(), message)
}

fn identifier(source: &Source, id: Spanned<String>) -> Result<String, Diagnostic> {
    let plain = |text: &str| {
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    };
    if plain(id.get_ref()) {
        return Ok(id.into_inner());
    }
    Err(source.fault(id.span(), "`id` is small letters, digits and `-` only, such as `black-hole`"))
}

/// The board of this name, and the text of its file where it is none that ships.
fn read_map(
    source: &Source,
    name: &Spanned<String>,
    at: &MapAt<'_>,
) -> Result<(Chart, Option<String>), VariantError> {
    if let Some(board) = atlas::find(name.get_ref()) {
        return Ok((board, None));
    }
    if !name.get_ref().ends_with(".json") {
        let message = format!(
            "there is no map `{}`; {}, or a path that ends in `.json`",
            name.get_ref(),
            suggest(name.get_ref(), atlas::shipped())
        );
        return Err(source.fault(name.span(), message).into());
    }
    let read = |base: &Path| Source::read(&base.join(name.get_ref()));
    let map = match at {
        MapAt::Below(base) => {
            read(base).map_err(|error| source.fault(name.span(), format!("`map`: {error}")))?
        }
        MapAt::Text(map) => (*map).clone(),
        MapAt::Shipped => {
            let message =
                format!("`map`: `{}` is not a map that ships, and its text is missing", name.get_ref());
            return Err(source.fault(name.span(), message).into());
        }
    };
    Ok((atlas::parse(map.name(), map.text())?, Some(map.text().into())))
}

/// The edition of the rules, with the units that the variant has besides.
fn rulebook(source: &Source, edition: Rulebook, units: Option<&UnitsFile>) -> Result<Rulebook, Diagnostic> {
    let Some(UnitsFile { army_fleets, max_seasons_aboard: most, army_becomes_fleet }) = units else {
        return Ok(edition);
    };
    let army_fleets = match (army_fleets, most) {
        (YesNo::No, None) => ArmyFleets::No,
        (YesNo::No, Some(most)) => {
            let message = "`max_seasons_aboard` goes with `army_fleets = \"yes\"` alone; take it out";
            return Err(source.fault(most.span(), message));
        }
        (YesNo::Yes, most) => ArmyFleets::Yes {
            max_seasons_aboard: match most.as_ref().map(Spanned::get_ref) {
                Some(SeasonsAboard::Seasons(most)) => Some(*most),
                Some(SeasonsAboard::Word(Unlimited::Unlimited)) | None => None,
            },
        },
    };
    Ok(Rulebook { army_fleets, army_becomes_fleet: *army_becomes_fleet, ..edition })
}

fn first_phase(source: &Source, phase: &Spanned<String>) -> Result<Phase, Diagnostic> {
    let right =
        "a game starts with a movement phase, such as `S1901M`, or a Winter's adjustments, such as `W1900A`";
    phase_of(source, phase, right, |phase| match phase.kind {
        PhaseKind::Movement => phase.season != Season::Winter,
        PhaseKind::Adjustments => phase.season == Season::Winter,
        PhaseKind::Retreats | PhaseKind::Seismic => false,
    })
}

/// With `last-survivor` the file says which Winter is the last.
fn last_winter(source: &Source, victory: &Victory) -> Result<Option<u16>, Diagnostic> {
    match (victory.rule.get_ref(), &victory.last_winter) {
        (VictoryRule::LastSurvivor, None) => {
            let message = "`last-survivor` needs `last_winter`, the year after whose Winter the game is over";
            Err(source.fault(victory.rule.span(), message))
        }
        (VictoryRule::LastSurvivor, Some(year)) => Ok(Some(*year.get_ref())),
        (_, Some(year)) => {
            Err(source
                .fault(year.span(), "`last_winter` goes with the rule `last-survivor` alone; take it out"))
        }
        (_, None) => Ok(None),
    }
}

fn movement_phase(source: &Source, phase: &Spanned<String>, right: &str) -> Result<Phase, Diagnostic> {
    phase_of(source, phase, right, |phase| phase.kind == PhaseKind::Movement)
}

fn phase_of(
    source: &Source,
    phase: &Spanned<String>,
    right: &str,
    fits: impl Fn(Phase) -> bool,
) -> Result<Phase, Diagnostic> {
    let read: Phase =
        phase.get_ref().parse().map_err(|error| source.fault(phase.span(), format!("{error}")))?;
    if read.year > 0 && fits(read) { Ok(read) } else { Err(source.fault(phase.span(), right)) }
}

/// The units as the file places them; every power owns its home centres.
fn starting_position(source: &Source, terrain: &Terrain, start: &Start) -> Result<Position, Diagnostic> {
    let mut position = Position::new();
    for power in Power::ALL {
        for centre in terrain.homes()[power] {
            position.set_owner(centre, Some(power));
        }
    }
    for (&power, units) in &start.units {
        for text in units {
            let fault = |message: String| source.fault(text.span(), message);
            let (kind, at) = parse_unit(text.get_ref(), terrain.names(), terrain.board())
                .map_err(|e| fault(e.to_string()))?;
            if position.occupied().contains(at.province) {
                return Err(fault(format!("`{}`: a unit stands there already", text.get_ref())));
            }
            position.place(at.province, Unit::new(kind, power, at.coast));
        }
    }
    Ok(position)
}

/// The land provinces that fleets sail through.
fn archipelagos(
    source: &Source,
    board: Option<&BoardFile>,
    chart: &Chart,
) -> Result<ProvinceSet, Diagnostic> {
    let names = board.into_iter().flat_map(|board| &board.archipelagos);
    names
        .map(|name| {
            let found = chart.map().find(&name.get_ref().to_ascii_uppercase());
            found.filter(|&id| chart.map().face(id).is_some_and(Face::is_open_land)).ok_or_else(|| {
                let message = format!("`{}` is no land province of the board", name.get_ref());
                source.fault(name.span(), message)
            })
        })
        .collect()
}

/// The mechanisms, in the order in which they act at the same point of a season (seed 002, rule 2).
fn mechanisms(source: &Source, file: &VariantFile, terrain: &Terrain) -> Result<Vec<Mechanism>, Diagnostic> {
    let mut mechanisms = Vec::new();
    if let Some(exemption) = &file.exemption {
        if file.holes.is_none() && file.toggles.is_none() {
            let message = "[exemption] spares centres from holes, but there is no [holes] and no [toggles]; add one, \
                           or take this out";
            return Err(source.fault(exemption.span(), message));
        }
        mechanisms.push(Mechanism::Exemption(*exemption.get_ref()));
    }
    if let Some(HolesFile { per_season, closure, retreats, seasons, faces }) = &file.holes {
        mechanisms.push(Mechanism::Holes(Holes {
            per_season: count(source, "per_season", per_season)?,
            closure: *closure,
            retreats: *retreats,
            seasons: *seasons,
            faces: faces_for(source, faces, Some(*closure))?,
        }));
    }
    if let Some(restores) = &file.restores {
        if file.holes.is_none() {
            let message = "[restores] brings holes back, but there is no [holes]; add it, or take this out";
            return Err(source.fault(restores.span(), message));
        }
        let RestoresFile { per_hole, from, home_returns_to } = restores.get_ref();
        mechanisms.push(Mechanism::Restores(Restores {
            per_hole: count(source, "per_hole", per_hole)?,
            from: movement_phase(source, from, "`from` is the movement phase of a season, such as `S1905M`")?,
            home_returns_to: *home_returns_to,
        }));
    }
    if let Some(SplitsFile { per_season, seasons, faces }) = &file.splits {
        mechanisms.push(Mechanism::Splits(Splits {
            per_season: count(source, "per_season", per_season)?,
            seasons: *seasons,
            faces: faces_for(source, faces, None)?,
        }));
    }
    if let Some(toggles) = &file.toggles {
        if file.holes.is_some() || file.splits.is_some() {
            let message = "[toggles] cannot stand beside [holes] or [splits]; take one out";
            return Err(source.fault(toggles.span(), message));
        }
        let TogglesFile { per_season, closure, seasons, faces } = toggles.get_ref();
        mechanisms.push(Mechanism::Toggles(Toggles {
            per_season: count(source, "per_season", per_season)?,
            closure: *closure,
            seasons: *seasons,
            faces: faces_for(source, faces, Some(*closure))?,
        }));
    }
    if let Some(deluge) = &file.deluge {
        mechanisms.push(Mechanism::Deluge(read_deluge(source, deluge, terrain)?));
    }
    if let Some(SeismicFile { after, waterways, coastless, passages }) = &file.seismic {
        let named = |(province, seas): (&Spanned<String>, &[Spanned<String>; 2])| {
            let code = |name: &Spanned<String>| name.get_ref().to_ascii_uppercase();
            (code(province), [code(&seas[0]), code(&seas[1])])
        };
        mechanisms.push(Mechanism::Seismic(Seismic {
            after: *after,
            waterways: *waterways.get_ref(),
            coastless: *coastless,
            passages: passages.iter().flat_map(Spanned::get_ref).map(named).collect(),
        }));
    }
    Ok(mechanisms)
}

/// Sets the waterways of a board whose borders will move: the passages of the file in place of those of the map, or those
/// of the map under the rules of isthmuses (RULINGS 8.7).
fn lay_waterways(source: &Source, file: &SeismicFile, chart: &mut Chart) -> Result<(), Diagnostic> {
    let waterways = &file.waterways;
    let passages = match (waterways.get_ref(), &file.passages) {
        (Waterways::Isthmuses, None) => {
            chart.set_waterway_rule(WaterwayRule::Isthmuses);
            return Ok(());
        }
        (Waterways::Isthmuses, Some(passages)) => {
            let message = "`passages` go with `waterways = \"passages\"` alone; take them out";
            return Err(source.fault(passages.span(), message));
        }
        (Waterways::Passages, None) => {
            let message =
                "with `passages` the section [seismic.passages] says which: `CON = [\"AEG\", \"BLA\"]`";
            return Err(source.fault(waterways.span(), message));
        }
        (Waterways::Passages, Some(passages)) => passages.get_ref(),
    };
    let find = |name: &Spanned<String>, what: &str, fits: fn(Face<'_>) -> bool| {
        let found = chart.map().find(&name.get_ref().to_ascii_uppercase());
        found.filter(|&id| chart.map().face(id).is_some_and(fits)).ok_or_else(|| {
            source.fault(name.span(), format!("`{}` is no {what} of the board", name.get_ref()))
        })
    };
    let passage = |(province, seas): (&Spanned<String>, &[Spanned<String>; 2])| {
        let province = find(province, "land province", |face| face.is_open_land())?;
        let sea = |name| find(name, "sea", |face| face.is_open_sea());
        Ok(Waterway::Passage { province, seas: [sea(&seas[0])?, sea(&seas[1])?] })
    };
    let laid = passages.iter().map(passage).collect::<Result<Vec<_>, Diagnostic>>()?;
    chart.set_waterways(laid);
    Ok(())
}

fn read_deluge(source: &Source, file: &DelugeFile, terrain: &Terrain) -> Result<Deluge, Diagnostic> {
    let schedule = *file.schedule.get_ref();
    if !file.centres.contains_key(&schedule) {
        return Err(source.fault(file.schedule.span(), "[deluge.centres] has no table for this schedule"));
    }
    let centres = |(&schedule, table)| Ok((schedule, by_year(source, table, terrain)?));
    let boundary = |(&power, names)| Ok((power, listed(source, names, terrain)?));
    Ok(Deluge {
        schedule,
        submerges: by_year(source, &file.submerges, terrain)?,
        centres: file.centres.iter().map(centres).collect::<Result<_, Diagnostic>>()?,
        opens: by_year(source, &file.opens, terrain)?,
        boundaries: file.boundaries.iter().map(boundary).collect::<Result<_, Diagnostic>>()?,
    })
}

fn by_year(source: &Source, table: &Table, terrain: &Terrain) -> Result<ByYear, Diagnostic> {
    let row = |(year, names): (&Spanned<String>, &Names)| {
        let number = year.get_ref().parse::<u16>().ok().filter(|number| (1..=9999).contains(number));
        let number = number.ok_or_else(|| {
            source.fault(year.span(), format!("`{}` is no year; a year is such as 1901", year.get_ref()))
        })?;
        Ok((number, listed(source, names, terrain)?))
    };
    table.iter().map(row).collect::<Result<_, Diagnostic>>().map(ByYear)
}

fn listed(source: &Source, names: &Names, terrain: &Terrain) -> Result<Listed, Diagnostic> {
    let mut listed = Listed::default();
    for name in names {
        let code = name.get_ref().to_ascii_uppercase();
        let found = terrain.names().find(&code).ok_or_else(|| {
            source.fault(name.span(), format!("`{}` is no province of the board", name.get_ref()))
        })?;
        listed.provinces.insert(found);
        listed.names.push(code);
    }
    Ok(listed)
}

/// Where the parameters come from; of a section that the file leaves out it may say it all the same.
fn sources(
    source: &Source,
    given: &BTreeMap<Spanned<String>, String>,
) -> Result<BTreeMap<String, String>, Diagnostic> {
    given
        .iter()
        .map(|(key, text)| {
            if parameter::keys().any(|known| known == key.get_ref()) {
                return Ok((key.get_ref().clone(), text.clone()));
            }
            let message = format!(
                "there is no parameter `{}`; {}",
                key.get_ref(),
                suggest(key.get_ref(), parameter::keys())
            );
            Err(source.fault(key.span(), message))
        })
        .collect()
}

fn count(source: &Source, key: &str, value: &Spanned<u8>) -> Result<u8, Diagnostic> {
    if (1..=MOST_FACES).contains(value.get_ref()) {
        return Ok(*value.get_ref());
    }
    let message = format!("`{key}` must be from 1 to {MOST_FACES}, not {}", value.get_ref());
    Err(source.fault(value.span(), message))
}

/// What is impassable can collapse; to make a void of it would change nothing, and it cannot be split.
fn faces_for(source: &Source, faces: &Spanned<Faces>, closure: Option<Closure>) -> Result<Faces, Diagnostic> {
    match (faces.get_ref(), closure) {
        (Faces::ProvincesAndImpassable, None) => {
            Err(source.fault(faces.span(), "what is impassable cannot be split; take `provinces`"))
        }
        (Faces::ProvincesAndImpassable, Some(Closure::Void)) => {
            let message =
                "what is impassable cannot be made a void; take `provinces`, or the closure `collapse`";
            Err(source.fault(faces.span(), message))
        }
        (faces, _) => Ok(*faces),
    }
}
