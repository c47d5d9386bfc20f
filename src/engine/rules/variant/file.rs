//! The form of a variant file, and the checks that turn it into a [`Variant`].

use std::collections::BTreeMap;
use std::num::NonZeroU8;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;
use toml::de::DeTable;

use super::model::{Files, RetreatsSent, UnorderedRetreats, Variant, VariantError};
use super::parameter;
use crate::diagnostic::{Diagnostic, RootFolder, Source, SourceError, suggest, wording};
use crate::rules::adjustment::BuildSite;
use crate::rules::map_tables::MapTables;
use crate::rules::mechanism::custom::{Read, Registered};
use crate::rules::mechanism::{
    self, Context, Custom, Mechanism, MechanismRegistry, MechanismSection, each_mechanism,
};
use crate::rules::notation::parse_unit;
use crate::rules::position::{Phase, PhaseKind, Position, Season, Unit};
use crate::rules::rulebook::{ArmyBecomesFleet, ArmyFleets, Rulebook};
use crate::rules::victory::{Deserted, VictoryRule};
use upheaval_map::ids::ProvinceSet;
use upheaval_map::letters;
use upheaval_map::topology::atlas;
use upheaval_map::topology::{Face, NamedMap};

/// The form of a variant file: what every variant has, and a section for each mechanism.
macro_rules! variant_file {
    ($($(#[$_meaning:meta])* $section:ident: $Mechanism:ident,)*) => {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        struct VariantFile {
            /// The name in experiment files and folders: lower case letters, digits and `-`.
            #[cfg_attr(feature = "schema", schemars(with = "String"))]
            id: Spanned<String>,
            /// The full name.
            #[cfg_attr(feature = "schema", schemars(with = "String"))]
            title: Spanned<String>,
            /// A one-line description.
            #[cfg_attr(feature = "schema", schemars(with = "String"))]
            summary: Spanned<String>,
            /// The source of its rules.
            #[cfg_attr(feature = "schema", schemars(with = "String"))]
            source: Spanned<String>,
            /// The board: `standard`, `deluge`, or the path of a map file.
            #[cfg_attr(feature = "schema", schemars(with = "String"))]
            map: Spanned<String>,
            rulebook: Rulebook,
            start: Start,
            victory: Victory,
            retreats: RetreatRules,
            builds: Builds,
            board: Option<BoardFile>,
            units: Option<UnitsFile>,
            // Their schemas are added one by one, because an attribute cannot name their types.
            $(#[cfg_attr(feature = "schema", schemars(skip))]
            $section: Option<Spanned<<mechanism::$Mechanism as MechanismSection>::Form>>,)*
            /// The source of each parameter: `"victory.rule" = "the rulebook"`.
            #[serde(default)]
            #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, String>"))]
            sources: BTreeMap<Spanned<String>, String>,
        }

        impl VariantFile {
            /// The names of the mechanisms' sections in the file.
            fn sections(&self) -> Vec<&'static str> {
                let mut sections = Vec::new();
                $(if self.$section.is_some() {
                    sections.push(stringify!($section));
                })*
                sections
            }

            /// Lets the sections change the board.
            fn prepare_map(
                &self,
                source: &Source,
                sections: &[&'static str],
                chart: &mut NamedMap,
            ) -> Result<(), Diagnostic> {
                $(if let Some(form) = &self.$section {
                    let context = Context::new(source, stringify!($section), form.span(), sections);
                    mechanism::$Mechanism::prepare_map(form.get_ref(), &context, chart)?;
                })*
                Ok(())
            }

            /// Checks the sections, in the order in which the mechanisms act.
            fn mechanisms(
                &mut self,
                source: &Source,
                sections: &[&'static str],
                terrain: &MapTables,
            ) -> Result<Vec<Mechanism>, Diagnostic> {
                let mut mechanisms = Vec::new();
                $(if let Some(form) = self.$section.take() {
                    let context = Context::new(source, stringify!($section), form.span(), sections);
                    let checked = mechanism::$Mechanism::check(form.into_inner(), &context, terrain)?;
                    mechanisms.push(Mechanism::$Mechanism(checked));
                })*
                Ok(mechanisms)
            }
        }

        /// The JSON Schema of variant files, for editors. The schema describes their form; [`Variant::check`]
        /// checks them against the board.
        #[cfg(feature = "schema")]
        pub fn schema() -> serde_json::Value {
            let mut generator = schemars::SchemaGenerator::default();
            let mut schema = VariantFile::json_schema(&mut generator).to_value();
            $(schema["properties"][stringify!($section)] =
                generator.subschema_for::<<mechanism::$Mechanism as MechanismSection>::Form>().to_value();)*
            let definitions = generator.take_definitions(true);
            schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
            schema["title"] = "VariantFile".into();
            schema["$defs"] = definitions.into();
            schema
        }
    };
}
each_mechanism!(variant_file);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Start {
    /// The first phase: a movement phase, `S1901M`, or a Winter's adjustments, `W1900A`.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    phase: Spanned<String>,
    /// The units by power: `A PAR`, `F STP/SC`.
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, Vec<String>>"))]
    units: Spanned<BTreeMap<Spanned<String>, Vec<Spanned<String>>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Victory {
    /// The condition of victory.
    #[cfg_attr(feature = "schema", schemars(with = "VictoryRule"))]
    rule: Spanned<VictoryRule>,
    /// The powers that share a draw if no power has a unit or centre left.
    deserted: Deserted,
    /// Only with `last-survivor`: the game is over after the Winter of this year.
    #[cfg_attr(feature = "schema", schemars(with = "Option<u16>"))]
    last_winter: Option<Spanned<u16>>,
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
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    archipelagos: Vec<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct UnitsFile {
    /// Whether armies board fleets and are carried by them.
    army_fleets: YesNo,
    /// How many seasons an army may stay aboard: 1 to 255, or `unlimited`.
    #[cfg_attr(feature = "schema", schemars(with = "Option<SeasonsAboard>"))]
    max_seasons_aboard: Option<Spanned<SeasonsAboard>>,
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
#[serde(untagged, expecting = "\"unlimited\", or a number of seasons from 1 to 255")]
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

/// The location of a variant file's map if it is not a shipped one.
enum MapAt<'a> {
    /// At the path in the file, relative to this folder.
    Below(&'a Path),
    /// The same, but below the root folder.
    Within(&'a RootFolder, &'a Path),
    /// Not available: the file must name a shipped map. For files stored by a program rather than named by a
    /// person.
    Shipped,
    /// In this text, whatever the path.
    Text(&'a Source),
}

/// Checks the text of a variant file.
fn read(source: &Source, at: &MapAt<'_>, registry: &MechanismRegistry) -> Result<Variant, VariantError> {
    let of_form = |error| form_fault(source, &error);
    let mut text = DeTable::parse(source.text()).map_err(of_form)?;
    let custom = CustomSection::take(&mut text, registry).map_err(of_form)?;
    let mut file = VariantFile::deserialize(toml::Deserializer::from(text)).map_err(of_form)?;
    let mut sections = file.sections();
    sections.extend(custom.iter().map(|custom| custom.of.name));
    let (mut chart, map_text) = read_map(source, &file.map, at)?;
    chart.set_archipelagos(archipelagos(source, file.board.as_ref(), &chart)?);
    file.prepare_map(source, &sections, &mut chart)?;
    for section in &custom {
        section.form.prepare_map(&section.context(source, &sections), &mut chart)?;
    }
    let terrain = Arc::new(MapTables::new(chart));
    every_power_has_a_home(source, &file.map, &terrain)?;
    let position = starting_position(source, &terrain, &file.start)?;
    let victory = *file.victory.rule.get_ref();
    Ok(Variant {
        last_winter: last_winter(source, &file.victory)?,
        first_phase: first_phase(source, &file.start.phase)?,
        mechanisms: {
            let mut mechanisms = file.mechanisms(source, &sections, &terrain)?;
            for section in custom {
                mechanisms.push(Mechanism::Custom(section.check(source, &sections, &terrain)?));
            }
            mechanisms
        },
        sources: sources(source, &file.sources, registry)?,
        map: file.map.get_ref().clone(),
        files: Files { variant: source.text().into(), map: map_text },
        id: identifier(source, file.id)?,
        title: shown(source, "title", file.title)?,
        summary: shown(source, "summary", file.summary)?,
        source: shown(source, "source", file.source)?,
        position,
        terrain,
        rulebook: rulebook(source, file.rulebook, file.units.as_ref())?,
        victory,
        deserted: file.victory.deserted,
        retreats_sent: file.retreats.sent,
        unordered_retreats: file.retreats.unordered,
        builds: file.builds.sites,
    })
}

/// The section of a mechanism from outside of this library.
struct CustomSection<'a> {
    of: &'a Registered,
    span: Range<usize>,
    form: Box<dyn Read>,
}

impl<'a> CustomSection<'a> {
    /// Removes the sections of registered mechanisms from the text and reads them.
    fn take(
        text: &mut Spanned<DeTable<'_>>,
        registry: &'a MechanismRegistry,
    ) -> Result<Vec<CustomSection<'a>>, toml::de::Error> {
        let mut sections = Vec::new();
        for of in registry.all() {
            let key = text.get_ref().keys().find(|key| key.get_ref() == of.name).cloned();
            if let Some(section) = key.and_then(|key| text.get_mut().remove(&key)) {
                let span = section.span();
                sections.push(CustomSection { of, span, form: (of.read)(section)? });
            }
        }
        Ok(sections)
    }

    fn context<'c>(&self, source: &'c Source, sections: &'c [&'static str]) -> Context<'c> {
        Context::new(source, self.of.name, self.span.clone(), sections)
    }

    fn check(
        self,
        source: &Source,
        sections: &[&'static str],
        terrain: &MapTables,
    ) -> Result<Custom, Diagnostic> {
        let context = self.context(source, sections);
        self.form.check(self.of.name, &context, terrain)
    }
}

impl Variant {
    /// Checks the text of a variant file. A map that is not a shipped one is a path relative to `base`.
    ///
    /// # Errors
    /// The first fault of form or content.
    ///
    /// ```
    /// use upheaval_engine::prelude::*;
    /// let text = Variant::shipped_text("standard").unwrap().replace("home", "hone");
    /// let fault = Variant::check(&Source::new("mine.toml", text), "".as_ref()).unwrap_err();
    /// assert!(fault.to_string().starts_with("mine.toml:"));
    /// ```
    pub fn check(source: &Source, base: &Path) -> Result<Variant, VariantError> {
        Variant::check_with(source, base, &MechanismRegistry::default())
    }

    /// Checks the text of a variant file that may have sections of mechanisms from outside of this library.
    ///
    /// # Errors
    /// As for [`Variant::check`].
    pub fn check_with(
        source: &Source,
        base: &Path,
        registry: &MechanismRegistry,
    ) -> Result<Variant, VariantError> {
        read(source, &MapAt::Below(base), registry)
    }

    /// Checks the text of a variant file; if its map is not a shipped one, `map` is its text.
    ///
    /// # Errors
    /// As for [`Variant::check`].
    pub(crate) fn check_on(source: &Source, map: &Source) -> Result<Variant, VariantError> {
        read(source, &MapAt::Text(map), &MechanismRegistry::default())
    }
}

/// Checks the text of a variant file that a request has named, whose map is below the root folder.
pub(super) fn read_within(
    source: &Source,
    folder: &Path,
    root: &RootFolder,
) -> Result<Variant, VariantError> {
    read(source, &MapAt::Within(root, folder), &MechanismRegistry::default())
}

impl Files {
    /// The variant of these files. `name` is used only in messages.
    ///
    /// # Errors
    /// A file has a fault.
    pub fn check(&self, name: &str) -> Result<Variant, VariantError> {
        let source = Source::new(format!("{name}.toml"), self.variant.as_str());
        match &self.map {
            Some(map) => Variant::check_on(&source, &Source::new(format!("{name}.json"), map.as_str())),
            None => read(&source, &MapAt::Shipped, &MechanismRegistry::default()),
        }
    }
}

/// A fault of form in the parser's words; for a missing key, the message says what to add.
fn form_fault(source: &Source, error: &toml::de::Error) -> Diagnostic {
    let message = match error
        .message()
        .strip_prefix("missing field `")
        .and_then(|rest| rest.strip_suffix('`'))
    {
        Some(key) => {
            let has_it = |id: &&str| {
                let text = Variant::shipped_text(id).unwrap_or_default();
                text.lines().any(|line| line.split_once(" =").is_some_and(|(before, _)| before == key))
            };
            let like =
                ["black-hole"].into_iter().chain(Variant::shipped()).find(has_it).unwrap_or("black-hole");
            format!(
                "`{key}` is missing here; add it as in `variants/{like}.toml`, where a comment lists its values"
            )
        }
        None => wording::of_toml(error),
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

/// A text that commands and pages show.
fn shown(source: &Source, key: &str, text: Spanned<String>) -> Result<String, Diagnostic> {
    match letters::fault(text.get_ref()) {
        None => Ok(text.into_inner()),
        Some(fault) => Err(source.fault(text.span(), format!("`{key}`: {fault}"))),
    }
}

/// The board with this name and, if it is not a shipped one, the text of its file.
fn read_map(
    source: &Source,
    name: &Spanned<String>,
    at: &MapAt<'_>,
) -> Result<(NamedMap, Option<String>), VariantError> {
    if let Some(board) = atlas::find(name.get_ref()) {
        return Ok((board, None));
    }
    if ![".json", ".toml"].iter().any(|ending| name.get_ref().ends_with(ending)) {
        let message = format!(
            "there is no map `{}`; {}, or a path that ends in `.toml` or `.json`",
            name.get_ref(),
            suggest(name.get_ref(), atlas::shipped())
        );
        return Err(source.fault(name.span(), message).into());
    }
    let unread = |error: SourceError| source.fault(name.span(), format!("`map`: {error}"));
    let map = match at {
        MapAt::Below(base) => Source::read(&base.join(name.get_ref())).map_err(unread)?,
        MapAt::Within(root, folder) => root.read(&folder.join(name.get_ref())).map_err(unread)?.0,
        MapAt::Text(map) => (*map).clone(),
        MapAt::Shipped => {
            let message =
                format!("`map`: `{}` is not a map that ships, and its text is missing", name.get_ref());
            return Err(source.fault(name.span(), message).into());
        }
    };
    let file = match at {
        // A stored text has the form of its original file, whatever its name is now.
        MapAt::Text(_) => {
            let ending = Path::new(name.get_ref()).extension().unwrap_or_default();
            Path::new(map.name()).with_extension(ending).display().to_string()
        }
        MapAt::Below(_) | MapAt::Within(..) | MapAt::Shipped => map.name().to_owned(),
    };
    Ok((atlas::parse(&file, map.text())?, Some(map.text().into())))
}

/// The edition of the rules, with the unit rules of the variant.
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
    let read: Phase =
        phase.get_ref().parse().map_err(|error| source.fault(phase.span(), format!("{error}")))?;
    let fits = match read.kind {
        PhaseKind::Movement => read.season != Season::Winter,
        PhaseKind::Adjustments => read.season == Season::Winter,
        PhaseKind::Retreats | PhaseKind::Seismic => false,
    };
    if read.year > 0 && fits {
        return Ok(read);
    }
    let right =
        "a game starts with a movement phase, such as `S1901M`, or a Winter's adjustments, such as `W1900A`";
    Err(source.fault(phase.span(), right))
}

/// With `last-survivor` the file names the last Winter.
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

/// Checks that every power can play, with a home on the board.
fn every_power_has_a_home(
    source: &Source,
    map: &Spanned<String>,
    terrain: &MapTables,
) -> Result<(), Diagnostic> {
    match terrain.homes().iter().find(|(_, homes)| homes.is_empty()) {
        None => Ok(()),
        Some((power, _)) => {
            let power = terrain.power_names().name(power);
            let message = format!(
                "`map`: {power} does not have a home on this board; write `home` {power} into a supply centre of the map file, \
                 or take {power} out of its powers"
            );
            Err(source.fault(map.span(), message))
        }
    }
}

/// The units as placed by the file; every power owns its home centres.
fn starting_position(source: &Source, terrain: &MapTables, start: &Start) -> Result<Position, Diagnostic> {
    let mut position = Position::new(terrain.powers());
    for (power, homes) in terrain.homes().iter() {
        for centre in *homes {
            position.set_owner(centre, Some(power));
        }
    }
    for (name, units) in start.units.get_ref() {
        let power = terrain.power_names().named(name.get_ref());
        let power = power.map_err(|error| source.fault(name.span(), error.to_string()))?;
        for text in units {
            let fault = |message: String| source.fault(text.span(), message);
            let (kind, at) = parse_unit(text.get_ref(), terrain.names(), terrain.board())
                .map_err(|e| fault(e.to_string()))?;
            if position.occupied().contains(at.province) {
                return Err(fault(format!("`{}`: a unit is there already", text.get_ref())));
            }
            position.place(at.province, Unit::new(kind, power, at.coast));
        }
    }
    // If no power has a unit, all powers build their first ones in Winter.
    let without = terrain.powers().iter().find(|&power| position.units_of(power).is_empty());
    if let Some(power) = without.filter(|_| !position.occupied().is_empty()) {
        let (homes, power) = (terrain.homes()[power], terrain.power_names().name(power));
        let home = homes.iter().next().map_or("PAR", |home| terrain.names().province(home));
        let message = format!(
            "{power} does not have a unit, and the others do; add it, such as `{power} = [\"A {home}\"]`, or start with the \
             builds of a Winter and no units at all"
        );
        return Err(source.fault(start.units.span(), message));
    }
    Ok(position)
}

/// The land provinces that fleets sail through.
fn archipelagos(
    source: &Source,
    board: Option<&BoardFile>,
    chart: &NamedMap,
) -> Result<ProvinceSet, Diagnostic> {
    let names = board.into_iter().flat_map(|board| &board.archipelagos);
    names
        .map(|name| {
            let found = chart.map().find(&name.get_ref().to_ascii_uppercase());
            found.filter(|&id| chart.map().face(id).is_some_and(Face::is_open_land)).ok_or_else(|| {
                let message = format!("`{}` is not a land province of the board", name.get_ref());
                source.fault(name.span(), message)
            })
        })
        .collect()
}

/// The sources of the parameters; the file may include sources for sections that it omits.
fn sources(
    source: &Source,
    given: &BTreeMap<Spanned<String>, String>,
    registry: &MechanismRegistry,
) -> Result<BTreeMap<String, String>, Diagnostic> {
    let keys = || parameter::keys().chain(registry.keys());
    given
        .iter()
        .map(|(key, text)| {
            if keys().any(|known| known == key.get_ref()) {
                return Ok((key.get_ref().clone(), text.clone()));
            }
            let message =
                format!("there is no parameter `{}`; {}", key.get_ref(), suggest(key.get_ref(), keys()));
            Err(source.fault(key.span(), message))
        })
        .collect()
}

#[cfg(test)]
mod tests;
