//! The form of a variant file, and the checks that turn it into a [`Variant`].

use std::collections::BTreeMap;
use std::num::NonZeroU8;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use super::model::{Files, RetreatsSent, UnorderedRetreats, Variant, VariantError, Waterways};
use super::parameter::{self, is_parameter};
use crate::diagnostic::value::{Entries, Open, Placed};
use crate::diagnostic::{Form, RootFolder, Source, suggest};
use crate::rules::adjustment::BuildSite;
use crate::rules::changes::{ChangesFile, EntryFile, OLD_SECTIONS, Old, Reading};
use crate::rules::map_tables::MapTables;
use crate::rules::notation::parse_unit;
use crate::rules::position::{Phase, PhaseKind, Position, Season, Unit};
use crate::rules::rulebook::{ArmyBecomesFleet, ArmyFleets, Rulebook};
use crate::rules::victory::{Deserted, VictoryRule};
use upheaval_map::ids::ProvinceSet;
use upheaval_map::letters;
use upheaval_map::topology::atlas::{self, AtlasError};
use upheaval_map::topology::{Face, NamedMap, Waterway, WaterwayRule};

/// The form of a variant file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct VariantFile {
    /// The name in experiment files and folders: lower case letters, digits and `-`.
    id: Placed<String>,
    /// The full name.
    title: Placed<String>,
    /// A one-line description.
    summary: Placed<String>,
    /// The source of its rules.
    source: Placed<String>,
    /// The board: `standard`, `deluge`, or the path of a map file.
    map: Placed<String>,
    rulebook: Rulebook,
    start: Start,
    victory: Placed<Victory>,
    retreats: RetreatRules,
    builds: Builds,
    board: Option<BoardFile>,
    units: Option<UnitsFile>,
    /// The changes of the map, in the order in which they act at the same point of a season (docs/changes.md).
    #[serde(default)]
    changes: Vec<Placed<EntryFile>>,
    /// Lists of places, and sets, with names that sets can use.
    #[cfg_attr(feature = "schema", schemars(with = "Option<BTreeMap<String, GroupSchema>>"))]
    groups: Option<Placed<Entries<Placed<Open>>>>,
    /// The provinces that lie in the country of each power.
    #[cfg_attr(feature = "schema", schemars(with = "Option<BTreeMap<String, Vec<String>>>"))]
    countries: Option<Placed<Entries<Vec<Placed<String>>>>>,
    waterways: Option<Placed<WaterwaysFile>>,
    /// The source of each parameter: `"victory.rule" = "the rulebook"`.
    #[serde(default)]
    sources: BTreeMap<Placed<String>, String>,
}

/// A list of places, or the text of a set.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[schemars(untagged)]
#[allow(dead_code)]
enum GroupSchema {
    Places(Vec<String>),
    Set(String),
}

/// The straits and canals of a board whose borders move.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct WaterwaysFile {
    /// The kind of straits and canals.
    rule: Placed<Waterways>,
    /// With `rule = "passages"`: the provinces that have a single coast on two seas.
    #[cfg_attr(feature = "schema", schemars(with = "Option<BTreeMap<String, [String; 2]>>"))]
    passages: Option<Placed<Entries<[Placed<String>; 2]>>>,
}

/// The JSON Schema of variant files, for editors. The schema describes their form; [`Variant::check`] checks them
/// against the board.
#[cfg(feature = "schema")]
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(VariantFile).to_value()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Start {
    /// The first phase: a movement phase, `S1901M`, or a Winter's adjustments, `W1900A`.
    phase: Placed<String>,
    /// The units by power: `A PAR`, `F STP/SC`.
    units: Placed<BTreeMap<Placed<String>, Vec<Placed<String>>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Victory {
    /// The condition of victory.
    rule: Placed<VictoryRule>,
    /// The powers that share a draw if no power has a unit or centre left.
    deserted: Deserted,
    /// Only with `last-survivor`: the game is over after the Winter of this year.
    last_winter: Option<Placed<u16>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct RetreatRules {
    /// When powers send their retreats.
    #[serde(default)]
    sent: RetreatsSent,
    /// The treatment of a dislodged unit without a valid order.
    unordered: UnorderedRetreats,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Builds {
    /// The places where units are built.
    sites: BuildSite,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct BoardFile {
    /// Land provinces that fleets can also sail through.
    archipelagos: Vec<Placed<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct UnitsFile {
    /// Whether armies board fleets and are carried by them.
    army_fleets: Placed<YesNo>,
    /// How many seasons an army may stay aboard: 1 to 255, or `unlimited`.
    max_seasons_aboard: Option<Placed<SeasonsAboard>>,
    /// Whether armies become fleets.
    army_becomes_fleet: ArmyBecomesFleet,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
enum YesNo {
    No,
    Yes,
}

/// How long an army may stay aboard a fleet.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected \"unlimited\" or a number of seasons from 1 to 255")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
enum SeasonsAboard {
    Seasons(NonZeroU8),
    Word(Unlimited),
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
enum Unlimited {
    Unlimited,
}

/// Reads the file of a map that is not a shipped one, at the path in the variant file; or says why it cannot be read.
type ReadMap<'a> = dyn Fn(&Path) -> Result<Source, String> + 'a;

/// Checks the text of a variant file.
fn read(source: &Source, read_map: &ReadMap<'_>) -> Result<Variant, VariantError> {
    let mut form = Form::new(source, as_in)?;
    let mut old = Old(Vec::new());
    let mut first: Option<Range<usize>> = None;
    for section in OLD_SECTIONS {
        if let Some((content, span)) = form.take::<Open>(section) {
            first = first.filter(|first| first.start < span.start).or(Some(span));
            old.0.push((section, content));
        }
    }
    if let Some(span) = first {
        form.fault(span, old.instead());
    }
    let file: Option<VariantFile> = form.read();
    let reader = Reader { source, form: &form, read_map, has_board: true };
    let (variant, map_fault) = file.map_or((None, None), |file| reader.variant(file));
    match map_fault {
        Some(fault) if form.faults() == 0 => return Err(VariantError::Map(fault)),
        Some(fault) => form.fault(form.key("map").unwrap_or_default(), format!("`map`: {fault}")),
        None => {}
    }
    Ok(form.finish(variant)?)
}

/// A text whose form has been read.
struct Reader<'a> {
    source: &'a Source,
    form: &'a Form<'a>,
    read_map: &'a ReadMap<'a>,
    /// Is the board that of the text, without faults?
    has_board: bool,
}

impl Variant {
    /// Checks the text of a variant file. A map that is not a shipped one is a path relative to `base`.
    ///
    /// # Errors
    /// All faults of form and content.
    ///
    /// ```
    /// use upheaval_engine::prelude::*;
    /// let text = Variant::shipped_text("standard").unwrap().replace("home", "hone");
    /// let fault = Variant::check(&Source::new("mine.toml", text), "".as_ref()).unwrap_err();
    /// assert!(fault.to_string().starts_with("mine.toml:"));
    /// ```
    pub fn check(source: &Source, base: &Path) -> Result<Variant, VariantError> {
        let read_map = |path: &Path| Source::read(&base.join(path)).map_err(|error| error.to_string());
        read(source, &read_map)
    }
}

/// Checks the text of a variant file that a request has named, whose map is below the root folder.
pub(super) fn read_within(
    source: &Source,
    folder: &Path,
    root: &RootFolder,
) -> Result<Variant, VariantError> {
    let read_map =
        |path: &Path| root.read(&folder.join(path)).map(|(map, _)| map).map_err(|error| error.to_string());
    read(source, &read_map)
}

impl Files {
    /// The variant of these files. `name` is used only in messages.
    ///
    /// # Errors
    /// A file has a fault.
    pub fn check(&self, name: &str) -> Result<Variant, VariantError> {
        let source = Source::new(format!("{name}.toml"), self.variant.as_str());
        let read_map = |path: &Path| match &self.map {
            Some(map) => {
                // A stored text has the form of its original file, whatever its name is now.
                let stored = PathBuf::from(format!("{name}.json"));
                let stored = stored.with_extension(path.extension().unwrap_or_default());
                Ok(Source::new(stored.display().to_string(), map.as_str()))
            }
            None => Err(format!("`{}` is not a shipped map, and its text is missing", path.display())),
        };
        read(&source, &read_map)
    }
}

/// What to add to the message of a missing key: a file that has it.
fn as_in(path: &str) -> Option<String> {
    let has_it = |id: &&str| {
        let text = Variant::shipped_text(id).unwrap_or_default();
        let file: serde_json::Value = toml::from_str(text).unwrap_or_default();
        path.split('.').try_fold(&file, |table, key| table.get(key)).is_some()
    };
    let like = ["black-hole"].into_iter().chain(Variant::shipped()).find(has_it)?;
    Some(format!("add it as in `variants/{like}.toml`"))
}

impl Reader<'_> {
    /// Checks the content of a file. Faults are noted in the form, except that of the map file, which is returned; what
    /// could follow from them is not checked.
    fn variant(&self, mut file: VariantFile) -> (Option<Variant>, Option<AtlasError>) {
        let id = self.identifier(&file.id);
        let title = self.shown("title", &file.title);
        let summary = self.shown("summary", &file.summary);
        let origin = self.shown("source", &file.source);
        let ids: Vec<&str> = file.changes.iter().map(|entry| entry.id.as_str()).collect();
        let sources = self.sources(std::mem::take(&mut file.sources), &ids);
        let rulebook = self.rulebook(file.rulebook, file.units.take());
        let first_phase = self.first_phase(&file.start.phase);
        let last_winter = self.last_winter(&file.victory, first_phase);
        let (mut chart, map_text) = match self.map(&file.map) {
            Ok(Some(found)) => found,
            none => {
                self.check_without_board(file, first_phase, last_winter.flatten());
                return (None, none.err());
            }
        };
        let faults_before = self.form.faults();
        chart.set_archipelagos(self.archipelagos(file.board.as_ref(), &chart));
        let waterways = self.waterways(&file, &mut chart);
        let is_prepared = self.form.faults() == faults_before
            && file.waterways.as_ref().is_none_or(|waterways| self.form.is_sound(&waterways.span()));
        let terrain = Arc::new(MapTables::new(chart));
        self.every_power_has_a_home(&file.map, &terrain);
        let reader = Reader { has_board: is_prepared, ..*self };
        let position = reader.starting_position(&terrain, &file.start);
        let changes_file = ChangesFile {
            entries: std::mem::take(&mut file.changes),
            groups: file.groups.take(),
            countries: file.countries.take(),
        };
        let changes = self.reading(&terrain, first_phase, last_winter.flatten()).changes(&changes_file);
        let checked = || {
            Some(Variant {
                last_winter: last_winter?,
                first_phase: first_phase?,
                changes: changes?,
                custom: Vec::new(),
                waterways: waterways?,
                sources,
                map: file.map.into_inner(),
                files: Files { variant: self.source.text().into(), map: map_text },
                id: id?,
                title: title?,
                summary: summary?,
                source: origin?,
                position: position?,
                terrain,
                rulebook: rulebook?,
                victory: *file.victory.rule,
                deserted: file.victory.deserted,
                retreats_sent: file.retreats.sent,
                unordered_retreats: file.retreats.unordered,
                builds: file.builds.sites,
            })
        };
        (checked(), None)
    }

    /// Checks the changes for faults that do not depend on the board.
    fn check_without_board(
        &self,
        mut file: VariantFile,
        first_phase: Option<Phase>,
        last_winter: Option<u16>,
    ) {
        let Some(mut chart) = atlas::find("standard") else { return };
        let reader = Reader { has_board: false, ..*self };
        reader.waterways(&file, &mut chart);
        let entries = std::mem::take(&mut file.changes);
        let changes = ChangesFile { entries, groups: file.groups, countries: file.countries };
        reader.reading(&MapTables::new(chart), first_phase, last_winter).changes(&changes);
    }

    fn reading<'r>(
        &'r self,
        terrain: &'r MapTables,
        first_phase: Option<Phase>,
        last_winter: Option<u16>,
    ) -> Reading<'r> {
        Reading { form: self.form, terrain, has_board: self.has_board, first_phase, last_winter }
    }

    /// Sets the waterways of a board whose borders will move: either the passages of the file replace those of the map,
    /// or those of the map follow the rules of isthmuses (rules.md 8.7).
    fn waterways(&self, file: &VariantFile, chart: &mut NamedMap) -> Option<Option<Waterways>> {
        let Some(waterways) = &file.waterways else {
            let is_quake = |entry: &&Placed<EntryFile>| entry.is_quake();
            return match file.changes.iter().find(is_quake) {
                Some(entry) if !self.form.has("waterways") => self.form.refuse(
                    entry.change.span(),
                    "a quake requires a section [waterways] that says which straits and canals there are: `rule = \
                     \"isthmuses\"`, or `rule = \"passages\"` with their list",
                ),
                _ => Some(None),
            };
        };
        let passages = match (*waterways.rule, &waterways.passages) {
            (Waterways::Isthmuses, None) => {
                chart.set_waterway_rule(WaterwayRule::Isthmuses);
                return Some(Some(Waterways::Isthmuses));
            }
            (Waterways::Isthmuses, Some(passages)) => {
                return self.form.refuse(passages.span(), "`passages` requires `rule = \"passages\"`");
            }
            (Waterways::Passages, None) if self.form.has_unknown_key(&waterways.span()) => return None,
            (Waterways::Passages, None) => {
                let message = "`rule = \"passages\"` requires a section [waterways.passages] with entries such as `CON = \
                               [\"AEG\", \"BLA\"]`";
                return self.form.refuse(waterways.rule.span(), message);
            }
            (Waterways::Passages, Some(passages)) => passages,
        };
        let find = |name: &Placed<String>, what: &str, fits: fn(Face<'_>) -> bool| {
            let found = chart.map().find(&name.to_ascii_uppercase());
            found.filter(|&id| chart.map().face(id).is_some_and(fits)).or_else(|| {
                if self.has_board {
                    self.form.fault(name.span(), format!("`{}` is not a {what} of the board", **name));
                }
                None
            })
        };
        let passage = |(province, [one, other]): &(Placed<String>, [Placed<String>; 2])| {
            let province = find(province, "land province", |face| face.is_open_land());
            let seas = [one, other].map(|sea| find(sea, "sea", |face| face.is_open_sea()));
            Some(Waterway::Passage { province: province?, seas: [seas[0]?, seas[1]?] })
        };
        let laid: Vec<Waterway> = passages.iter().filter_map(passage).collect();
        chart.set_waterways(laid);
        Some(Some(Waterways::Passages))
    }

    fn identifier(&self, id: &Placed<String>) -> Option<String> {
        let is_plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        if !id.is_empty() && id.bytes().all(is_plain) {
            return Some(id.to_string());
        }
        let message = "`id` must consist of lower-case letters, digits and `-`, such as `black-hole`";
        self.form.refuse(id.span(), message)
    }

    /// A text that commands and pages show.
    fn shown(&self, key: &str, text: &Placed<String>) -> Option<String> {
        match letters::fault(text) {
            None if text.trim().is_empty() => self.form.refuse(text.span(), format!("`{key}` is empty")),
            None => Some(text.to_string()),
            Some(fault) => self.form.refuse(text.span(), format!("`{key}`: {fault}")),
        }
    }

    /// The board with this name and, if it is not a shipped one, the text of its file.
    fn map(&self, name: &Placed<String>) -> Result<Option<(NamedMap, Option<String>)>, AtlasError> {
        let refuse = |message: String| Ok(self.form.refuse(name.span(), message));
        if let Some(board) = atlas::find(name) {
            return Ok(Some((board, None)));
        }
        if ![".json", ".toml"].iter().any(|ending| name.ends_with(ending)) {
            let known = suggest(name, atlas::shipped());
            return refuse(format!(
                "there is no map `{}`; {known}; a map file needs a path that ends in `.toml` or `.json`",
                **name
            ));
        }
        match (self.read_map)(Path::new(name.as_str())) {
            Ok(map) => Ok(Some((atlas::parse(map.name(), map.text())?, Some(map.text().into())))),
            Err(error) => refuse(format!("`map`: {error}")),
        }
    }

    /// The edition of the rules, with the unit rules of the variant.
    fn rulebook(&self, edition: Rulebook, units: Option<UnitsFile>) -> Option<Rulebook> {
        let Some(UnitsFile { army_fleets, max_seasons_aboard: most, army_becomes_fleet }) = units else {
            return Some(edition);
        };
        let army_fleets = match (*army_fleets, most) {
            (YesNo::Yes, most) => ArmyFleets::Yes {
                max_seasons_aboard: match most.map(Placed::into_inner) {
                    Some(SeasonsAboard::Seasons(most)) => Some(most),
                    Some(SeasonsAboard::Word(Unlimited::Unlimited)) | None => None,
                },
            },
            (YesNo::No, Some(most)) if self.form.is_sound(&army_fleets.span()) => {
                let message = "`max_seasons_aboard` requires `army_fleets = \"yes\"`";
                return self.form.refuse(most.span(), message);
            }
            (YesNo::No, _) => ArmyFleets::No,
        };
        Some(Rulebook { army_fleets, army_becomes_fleet, ..edition })
    }

    fn first_phase(&self, phase: &Placed<String>) -> Option<Phase> {
        let read: Phase = match phase.parse() {
            Ok(read) => read,
            Err(error) => return self.form.refuse(phase.span(), format!("{error}")),
        };
        let fits = match read.kind {
            PhaseKind::Movement => read.season != Season::Winter,
            PhaseKind::Adjustments => read.season == Season::Winter,
            PhaseKind::Retreats | PhaseKind::Seismic => false,
        };
        if read.year > 0 && fits {
            return Some(read);
        }
        let right =
            "expected a movement phase, such as `S1901M`, or the adjustments of a Winter, such as `W1900A`";
        self.form.refuse(phase.span(), right)
    }

    /// With `last-survivor` the file names the last Winter.
    fn last_winter(&self, victory: &Placed<Victory>, first: Option<Phase>) -> Option<Option<u16>> {
        match (*victory.rule, &victory.last_winter) {
            (VictoryRule::LastSurvivor, None) if !self.form.has_unknown_key(&victory.span()) => {
                let message = "`last-survivor` requires `last_winter`, the year of the last Winter";
                self.form.refuse(victory.rule.span(), message)
            }
            (VictoryRule::LastSurvivor, Some(year)) => match first.filter(|first| **year < first.year) {
                Some(first) => {
                    let message =
                        format!("`last_winter` must not be before {}, the year of `start.phase`", first.year);
                    self.form.refuse(year.span(), message)
                }
                None => Some(Some(**year)),
            },
            (_, Some(year)) if self.form.is_sound(&victory.rule.span()) => {
                let message = "`last_winter` requires `rule = \"last-survivor\"`";
                self.form.refuse(year.span(), message)
            }
            _ => Some(None),
        }
    }

    /// Checks that every power can play, with a home on the board.
    fn every_power_has_a_home(&self, map: &Placed<String>, terrain: &MapTables) {
        if let Some((power, _)) = terrain.homes().iter().find(|(_, homes)| homes.is_empty()) {
            let power = terrain.power_names().name(power);
            let message = format!(
                "`map`: {power} has no home on this board; set `home` to {power} for a supply centre of the map file, \
                 or remove {power} from its powers"
            );
            self.form.fault(map.span(), message);
        }
    }

    /// The units as placed by the file; every power owns its home centres. Without the archipelagos and passages of
    /// the text it is unknown where fleets can be.
    fn starting_position(&self, terrain: &MapTables, start: &Start) -> Option<Position> {
        let mut position = Position::new(terrain.powers());
        for (power, homes) in terrain.homes().iter() {
            for centre in *homes {
                position.set_owner(centre, Some(power));
            }
        }
        let mut all_are_placed = self.form.is_sound(&start.units.span());
        for (name, units) in &*start.units {
            let power = terrain.power_names().named(name);
            if let Err(error) = &power {
                self.form.fault(name.span(), error.to_string());
                all_are_placed = false;
            }
            for text in units {
                let fault = match parse_unit(text, terrain.names(), terrain.board()) {
                    Ok((_, at)) if position.occupied().contains(at.province) => {
                        format!("`{}`: the province already has a unit", **text)
                    }
                    Ok((kind, at)) => {
                        if let Ok(power) = power {
                            position.place(at.province, Unit::new(kind, power, at.coast));
                        }
                        continue;
                    }
                    Err(error) => error.to_string(),
                };
                if self.has_board {
                    self.form.fault(text.span(), fault);
                }
                all_are_placed = false;
            }
        }
        if !all_are_placed {
            return None;
        }
        // If no power has a unit, all powers build their first ones in Winter.
        let without = terrain.powers().iter().find(|&power| position.units_of(power).is_empty());
        if let Some(power) = without.filter(|_| !position.occupied().is_empty()) {
            let (homes, power) = (terrain.homes()[power], terrain.power_names().name(power));
            let home = homes.iter().next().map_or("PAR", |home| terrain.names().province(home));
            let message = format!(
                "{power} has no unit, but other powers do; add one, such as `{power} = [\"A {home}\"]`, or start with \
                 the builds of a Winter and without any units"
            );
            return self.form.refuse(start.units.span(), message);
        }
        Some(position)
    }

    /// The land provinces that fleets sail through.
    fn archipelagos(&self, board: Option<&BoardFile>, chart: &NamedMap) -> ProvinceSet {
        let province = |name: &Placed<String>| {
            let found = chart.map().find(&name.to_ascii_uppercase());
            let found = found.filter(|&id| chart.map().face(id).is_some_and(Face::is_open_land));
            let message = || format!("`{}` is not a land province of the board", **name);
            found.or_else(|| self.form.refuse(name.span(), message()))
        };
        board.into_iter().flat_map(|board| &board.archipelagos).filter_map(province).collect()
    }

    /// The sources of the parameters; the file may include sources for sections that it omits.
    fn sources(&self, given: BTreeMap<Placed<String>, String>, ids: &[&str]) -> BTreeMap<String, String> {
        let source = |(key, text): (Placed<String>, String)| {
            if let Some((id, _)) = key.strip_prefix("changes.").and_then(|key| key.split_once('.'))
                && !ids.contains(&id)
            {
                let message =
                    format!("`{}`: there is no entry `{id}`; {}", *key, suggest(id, ids.iter().copied()));
                return self.form.refuse(key.span(), message);
            }
            if is_parameter(&key) {
                return Some((key.into_inner(), text));
            }
            if !self.form.has_room() {
                return None;
            }
            let message = format!("there is no parameter `{}`; {}", *key, parameter::known(&key));
            self.form.refuse(key.span(), message)
        };
        given.into_iter().filter_map(source).collect()
    }
}
