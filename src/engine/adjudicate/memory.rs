//! What a variant remembers besides units and owners (`state`): read from a request, and written for the next
//! one.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::adjudicate::ground::{by_power, province, sorted};
use crate::adjudicate::request::{
    Request, RequestError, RetreatEntry, State, SwallowedEntry, SwallowedOnCoast,
};
use crate::adjudicate::{ground, nature, passing};
use crate::game::{Game, Stage};
use crate::rules::changes::Again;
use crate::rules::game_state::{Exempted, ExemptionChange, GameState, Swallowed, reopened};
use crate::rules::map_tables::MapTables;
use crate::rules::notation::{PlacementError, WrittenUnit};
use crate::rules::position::{Cargo, Dislodged, Phase, PhaseKind, Unit};
use crate::rules::retreat;
use crate::rules::rulebook::{ArmyFleets, Rulebook};
use crate::rules::variant::Variant;
use serde_json::Value;
use upheaval_map::ids::{
    ByPower, CoastId, Designation, Location, Power, PowerNames, ProvinceId, ProvinceSet, UnitKind,
};
use upheaval_map::topology::{BorderId, CoastFate, NamedMap, SplitEnd, whole_of};

/// Applies the state's information about centres, holes and provinces to the world, which already has units
/// and owners.
pub(super) fn read(state: &State, variant: &Variant, world: &mut GameState) -> Result<(), RequestError> {
    let terrain = Arc::clone(&world.terrain);
    is_remembered(state, variant)?;
    last_owners(state, variant, world)?;
    exemptions(state, variant, world)?;
    world.fresh_holes = ground::provinces("state.opened", &state.opened, &terrain)?;
    world.swallowed = swallowed("state.swallowed", &state.swallowed, &terrain)?;
    world.leaving = swallowed("state.leaving", &state.leaving, &terrain)?;
    variant.changes.prepare(world);
    passing::read(state, variant, world)?;
    // The last power to have a unit in each province (rules.md 6.4).
    for (name, power) in state.last_occupant.iter().flatten() {
        let at = province("state.last_occupant", name, &terrain)?;
        let power = ground::power("state.last_occupant", power, terrain.power_names())?;
        world.last_occupant[at] = Some(power);
    }
    Ok(())
}

/// Rejects state that the variant does not remember. Empty entries are allowed.
fn is_remembered(state: &State, variant: &Variant) -> Result<(), RequestError> {
    let exempts = variant.changes.mark().is_some();
    let changes = has_changes(variant);
    let entries = || 0..variant.changes.entries().len();
    let holds = entries().any(|entry| variant.changes.is_held(entry));
    let announces = entries().any(|entry| variant.changes.lists_coming(entry));
    let remembers = entries().any(|entry| variant.changes.is_remembered(entry));
    let listed = |list: &Option<BTreeMap<String, String>>| list.as_ref().is_some_and(|list| !list.is_empty());
    let waterways = state.waterways.as_ref().is_some_and(|value| match value {
        Value::Object(map) => !map.is_empty(),
        Value::Array(list) => !list.is_empty(),
        other => !other.is_null(),
    });
    let said = [
        ("exempt", !state.exempt.is_empty(), exempts),
        ("announced", !state.announced.is_empty(), exempts),
        ("lapsed", !state.lapsed.is_empty(), exempts),
        ("may_change", listed(&state.may_change), changes),
        ("changed", !state.changed.is_empty(), changes),
        ("opened", !state.opened.is_empty(), changes),
        ("doomed", !state.doomed.is_empty(), variant.changes.foretold().is_some()),
        ("swallowed", state.swallowed.values().any(|units| !units.is_empty()), variant.changes.swallow()),
        ("last_owner", listed(&state.last_owner), variant.changes.needs_last_owners()),
        ("last_occupant", listed(&state.last_occupant), variant.changes.needs_last_occupants()),
        ("waterways", waterways, variant.waterways.is_some()),
        ("sets", state.sets.values().any(|names| !names.is_empty()), holds),
        ("last", state.last.values().any(|names| !names.is_empty()), remembers),
        ("occupied", !state.occupied.is_empty(), variant.changes.seasons() > 0),
        ("coming", state.coming.values().any(|places| !places.is_empty()), announces),
        ("ends", state.ends.values().any(|places| !places.is_empty()), variant.changes.have_ends()),
        ("leaving", state.leaving.values().any(|units| !units.is_empty()), variant.changes.swallow()),
        ("seasons_aboard", !state.seasons_aboard.is_empty(), limits_time_aboard(variant)),
    ];
    match said.into_iter().find(|(_, is_said, is_remembered)| *is_said && !is_remembered) {
        Some((key, ..)) => {
            let fault = format_args!("{} does not use this key", variant.id);
            Err(RequestError::at(format_args!("state.{key}"), fault))
        }
        None => Ok(()),
    }
}

/// Marks the holes that are announced and open after the retreats; these were drawn with the movement.
pub(super) fn read_doomed(
    state: &State,
    variant: &Variant,
    phase: Phase,
    world: &mut GameState,
) -> Result<(), RequestError> {
    if phase.kind == PhaseKind::Retreats {
        variant.changes.doom(world, phase.into());
    }
    let Some((_, rule)) = variant.changes.foretold().filter(|_| !state.doomed.is_empty()) else {
        return Ok(());
    };
    if phase.kind != PhaseKind::Retreats || !rule.acts(phase.into()) {
        let fault =
            format_args!("no hole is announced in {phase}; only retreats follow such an announcement");
        return Err(RequestError::at("state.doomed", fault));
    }
    for name in &state.doomed {
        let announced = ProvinceSet::EMPTY;
        nature::doom(&name.to_ascii_uppercase(), variant, world, phase, &announced)
            .map_err(|fault| RequestError::at("state.doomed", format_args!("{name}: {fault}")))?;
    }
    Ok(())
}

/// The years in which powers were eliminated.
pub(super) fn eliminated(state: &State, names: &PowerNames) -> Result<ByPower<Option<u16>>, RequestError> {
    let mut eliminated = ByPower::new(names.powers());
    for (power, &year) in by_power("state.eliminated", &state.eliminated, names)? {
        eliminated[power] = Some(year);
    }
    Ok(eliminated)
}

/// What the variant remembers about an unfinished game.
pub(super) fn write(game: &Game) -> State {
    let (world, variant) = (game.world(), game.variant());
    let terrain = &world.terrain;
    let name = |id: ProvinceId| terrain.names().province(id).to_owned();
    let of_power = |power: Power| game.power_names().name(power).to_owned();
    let centres = |of: &dyn Fn(Exempted) -> Option<ProvinceId>| -> BTreeMap<String, String> {
        let entry = |(power, exempted): (Power, &Exempted)| Some((of_power(power), name(of(*exempted)?)));
        world.exemptions.iter().filter_map(entry).collect()
    };
    let by_province = |of: &dyn Fn(ProvinceId) -> Option<Power>| -> BTreeMap<String, String> {
        let entry = |(text, id): (&str, ProvinceId)| Some((text.to_owned(), of_power(of(id)?)));
        terrain.names().iter().filter_map(entry).collect()
    };
    let offered = |exempted: Exempted| {
        let ExemptionChange::Offered(last) = exempted.change else { return None };
        Some(last)
    };
    let with = |change: ExemptionChange| -> Vec<String> {
        let powers = world.exemptions.iter().filter(|(_, exempted)| exempted.change == change);
        powers.map(|(power, _)| of_power(power)).collect()
    };
    let changes = has_changes(variant);
    let eliminated = game.eliminated().iter().filter_map(|(power, year)| Some((of_power(power), (*year)?)));
    State {
        exempt: centres(&|exempted| exempted.centre),
        announced: centres(&|exempted| exempted.announced),
        may_change: changes.then(|| centres(&offered)),
        changed: with(ExemptionChange::Made),
        lapsed: with(ExemptionChange::Lapsed),
        doomed: ground::names(passing::announced_first(world, variant), terrain),
        coming: passing::coming(world, variant),
        opened: match changes && game.stage() == Stage::Retreats {
            true => ground::names(world.fresh_holes, terrain),
            false => Vec::new(),
        },
        swallowed: swallowed_units(&world.swallowed, world, variant),
        leaving: swallowed_units(&world.leaving, world, variant),
        last: passing::last(world, variant),
        occupied: world.occupied_lately.iter().map(|occupied| ground::names(*occupied, terrain)).collect(),
        ends: passing::ends(world, variant),
        last_owner: variant.changes.needs_last_owners().then(|| by_province(&|id| world.last_owner[id])),
        last_occupant: (variant.changes.needs_last_occupants())
            .then(|| by_province(&|id| world.last_occupant[id])),
        sets: passing::sets(world, variant),
        waterways: ground::has_isthmuses(variant).then(|| ground::write(terrain.chart().map())),
        seasons_aboard: standing_aboard(game),
        eliminated: eliminated.collect(),
    }
}

// ---- exempt centres ----

/// Can an exempt centre be changed in this variant?
fn has_changes(variant: &Variant) -> bool {
    variant.changes.mark().is_some_and(|mark| mark.again != Again::Never)
}

fn exemptions(state: &State, variant: &Variant, world: &mut GameState) -> Result<(), RequestError> {
    let terrain = Arc::clone(&world.terrain);
    let named = |power: Power| terrain.power_names().name(power).to_owned();
    let home = |key: &'static str, power: Power, name: &String, excluded: &ProvinceSet| {
        let centre = province(key, name, &terrain)?;
        let is_home_on = |chart: &NamedMap, at| chart.info(at).is_some_and(|info| info.home == Some(power));
        // A centre that has ended is nobody's home now, but it was one.
        let start = variant.terrain.chart();
        let whole = start.map().find(whole_of(&name.to_ascii_uppercase()));
        let is_home = is_home_on(terrain.chart(), centre) || whole.is_some_and(|at| is_home_on(start, at));
        match is_home && !excluded.contains(centre) {
            true => Ok(centre),
            false => {
                let fault = format_args!("{name} is not an existing home centre of {}", named(power));
                Err(RequestError::at(key, fault))
            }
        }
    };
    let gone = match variant.changes.may_end_marked() {
        true => ProvinceSet::EMPTY,
        false => terrain.chart().map().holes(),
    };
    for (power, name) in by_power("state.exempt", &state.exempt, terrain.power_names())? {
        let centre = home("state.exempt", power, name, &gone)?;
        world.exemptions[power].centre = Some(centre);
    }
    let has_one = |world: &GameState, key: &str, power: Power| match world.exemptions[power].centre {
        Some(_) => Ok(()),
        None => {
            let fault = format_args!("{} has no exempt centre in `state.exempt`", named(power));
            Err(RequestError::at(key, fault))
        }
    };
    for (power, name) in by_power("state.announced", &state.announced, terrain.power_names())? {
        has_one(world, "state.announced", power)?;
        world.exemptions[power].announced = Some(home("state.announced", power, name, &ProvinceSet::EMPTY)?);
    }
    for name in &state.changed {
        let power = ground::power("state.changed", name, terrain.power_names())?;
        has_one(world, "state.changed", power)?;
        world.exemptions[power].change = ExemptionChange::Made;
    }
    for name in &state.lapsed {
        let power = ground::power("state.lapsed", name, terrain.power_names())?;
        if world.exemptions[power].centre.is_some() {
            let fault = format_args!("{} has an exempt centre in `state.exempt`", named(power));
            return Err(RequestError::at("state.lapsed", fault));
        }
        world.exemptions[power].change = ExemptionChange::Lapsed;
    }
    match (&state.may_change, variant.changes.mark()) {
        (Some(offered), _) => {
            for (power, name) in by_power("state.may_change", offered, terrain.power_names())? {
                has_one(world, "state.may_change", power)?;
                if world.exemptions[power].change == ExemptionChange::Made {
                    let fault =
                        format_args!("{} has made its only change, as `state.changed` says", named(power));
                    return Err(RequestError::at("state.may_change", fault));
                }
                let last = home("state.may_change", power, name, &ProvinceSet::EMPTY)?;
                world.exemptions[power].change = ExemptionChange::Offered(last);
            }
        }
        (None, Some(mark)) => mark.offer_by_position(world),
        (None, None) => {}
    }
    Ok(())
}

// ---- owners and occupants ----

/// The last owners as listed. If none are listed, the last owner of a hole is the power that lists it among
/// its centres, and that of a home centre that no power lists is the home's own power.
fn last_owners(state: &State, variant: &Variant, world: &mut GameState) -> Result<(), RequestError> {
    let terrain = Arc::clone(&world.terrain);
    if let Some(listed) = &state.last_owner {
        for (name, power) in listed {
            let centre = province("state.last_owner", name, &terrain)?;
            let is_centre = terrain.chart().info(centre).is_some_and(|info| info.supply_centre);
            // What is not a centre now may be founded again.
            if !is_centre && variant.changes.centres_follow_from_dates() {
                let fault = format_args!("{name} is not a supply centre");
                return Err(RequestError::at("state.last_owner", fault));
            }
            world.last_owner[centre] = Some(ground::power("state.last_owner", power, terrain.power_names())?);
        }
        return Ok(());
    }
    for hole in terrain.chart().map().holes() {
        let home = terrain.chart().info(hole).filter(|info| info.supply_centre).and_then(|info| info.home);
        world.last_owner[hole] = world.last_owner[hole].or(home);
    }
    Ok(())
}

// ---- armies aboard ----

/// Does the variant limit how long an army may be aboard?
fn limits_time_aboard(variant: &Variant) -> bool {
    matches!(variant.rulebook.army_fleets, ArmyFleets::Yes { max_seasons_aboard: Some(_) })
}

/// Reads how long armies have been aboard, and checks that the variant has armies aboard and limits their
/// time.
pub(super) fn read_seasons_aboard(
    state: &State,
    variant: &Variant,
    world: &mut GameState,
) -> Result<(), RequestError> {
    if !variant.rulebook.army_fleets.allowed() {
        let Some((_, Unit { power, .. })) = world.army_fleets().next() else { return Ok(()) };
        let key = format_args!("powers.{}", world.terrain.power_names().name(power));
        return Err(RequestError::at(key, format_args!("{} has no army/fleets", variant.id)));
    }
    for (name, &seasons) in &state.seasons_aboard {
        let at = province("state.seasons_aboard", name, &world.terrain)?;
        let cargo = Cargo::Army { seasons };
        if world.position.laden().contains(at) {
            world.position.set_cargo(at, cargo);
            continue;
        }
        let waiting = world.retreats.dislodged.iter_mut().find(|unit| unit.at == at && unit.unit.is_laden());
        match waiting {
            Some(waiting) => waiting.unit.cargo = cargo,
            None => {
                let fault = format_args!("no army/fleet is in {name}");
                return Err(RequestError::at("state.seasons_aboard", fault));
            }
        }
    }
    Ok(())
}

/// How long the armies aboard undislodged fleets have been aboard. Armies on dislodged fleets carry this
/// number themselves.
fn standing_aboard(game: &Game) -> BTreeMap<String, u8> {
    let (position, names) = (&game.world().position, game.terrain().names());
    if !limits_time_aboard(game.variant()) {
        return BTreeMap::new();
    }
    let seasons = |at: ProvinceId| match position.unit(at)?.cargo {
        Cargo::Army { seasons } => Some((names.province(at).to_owned(), seasons)),
        Cargo::Nothing => None,
    };
    position.laden().iter().filter_map(seasons).collect()
}

/// The same, including dislodged fleets in seas that have no other army/fleet.
pub(super) fn all_aboard(game: &Game) -> BTreeMap<String, u8> {
    let names = game.terrain().names();
    let mut all = standing_aboard(game);
    for waiting in &game.dislodged().dislodged {
        if let Some(seasons) = time_aboard(game.variant(), waiting.unit) {
            all.entry(names.province(waiting.at).to_owned()).or_insert(seasons);
        }
    }
    all
}

/// How long the army of a dislodged fleet has been aboard, if the variant limits it.
pub(super) fn time_aboard(variant: &Variant, unit: Unit) -> Option<u8> {
    match unit.cargo {
        Cargo::Army { seasons } if limits_time_aboard(variant) => Some(seasons),
        Cargo::Army { .. } | Cargo::Nothing => None,
    }
}

// ---- units that vanished with holes (rules.md 4.8) ----

/// The ground for the unit in this text: the actual ground or, if it cannot be there any more, the ground on which it
/// could.
pub(super) fn ground_of(text: &str, terrain: &Arc<MapTables>) -> Arc<MapTables> {
    let mut words = text.split_whitespace();
    let kind = match words.next() {
        Some(letters) if letters.to_ascii_uppercase().ends_with('F') => UnitKind::Fleet,
        _ => UnitKind::Army,
    };
    let word = words.next().unwrap_or("");
    let code = word.split(['/', '#']).next().unwrap_or("").to_ascii_uppercase();
    match terrain.chart().map().find(&code).and_then(|id| opened(terrain, id, kind)) {
        Some(ground) => Arc::new(ground),
        None => Arc::clone(terrain),
    }
}

/// The ground on which a unit of this kind could be in the place; `None` if it can be there as it is.
pub(super) fn opened(terrain: &MapTables, at: ProvinceId, kind: UnitKind) -> Option<MapTables> {
    reopened(terrain.chart(), at, kind).map(MapTables::new)
}

fn swallowed(
    field: &'static str,
    listed: &BTreeMap<String, Vec<SwallowedEntry>>,
    terrain: &Arc<MapTables>,
) -> Result<Vec<Swallowed>, RequestError> {
    let mut all = Vec::new();
    for (power, units) in by_power(field, listed, terrain.power_names())? {
        for entry in units {
            let key = format_args!("{field}.{}", terrain.power_names().name(power));
            let gone = match entry {
                SwallowedEntry::Unit(text) => swallowed_by_text(power, text, terrain),
                SwallowedEntry::OnCoast(entry) => swallowed_on_coast(power, entry, terrain),
            };
            all.push(gone.map_err(|fault| RequestError::at(key, fault))?);
        }
    }
    // Sorted by face, power and kind, and otherwise in the listed order. Fleets that agree in all of these
    // keep the order of their old coasts, because the coasts may be numbered differently today.
    all.sort_by_key(|gone: &Swallowed| (gone.hole, gone.unit.power, gone.unit.kind));
    let alike = |x: &Swallowed, y: &Swallowed| (x.hole, x.unit.power) == (y.hole, y.unit.power);
    for group in all.chunk_by_mut(alike) {
        let fleets = group.iter_mut().filter(|gone| gone.unit.kind == UnitKind::Fleet);
        fleets.zip(0..=u8::MAX).for_each(|(gone, number)| gone.unit.coast = CoastId(number));
    }
    Ok(all)
}

/// A vanished unit, on the coast that the opened face would have by that name.
fn swallowed_by_text(power: Power, text: &str, terrain: &Arc<MapTables>) -> Result<Swallowed, String> {
    let ground = ground_of(text, terrain);
    let (kind, at) = placed(text, &ground).map_err(|error| error.to_string())?;
    if !terrain.chart().map().holes().contains(at.province) {
        return Err(format!("`{text}`: the province is not a hole"));
    }
    let coast = match kind.kind() {
        UnitKind::Army => Vec::new(),
        UnitKind::Fleet => ground.chart().coast_borders(ground.board(), at),
    };
    Ok(Swallowed { hole: at.province, unit: Unit::new(kind, power, at.coast), coast })
}

/// A vanished fleet, with the stretches that made up its coast.
fn swallowed_on_coast(
    power: Power,
    entry: &SwallowedOnCoast,
    terrain: &MapTables,
) -> Result<Swallowed, String> {
    let SwallowedOnCoast { unit: text, coast, seasons_aboard } = entry;
    let map = terrain.chart().map();
    let (kind, hole) = match &text.split_whitespace().collect::<Vec<_>>()[..] {
        [letters, name] => {
            let kinds = [Designation::Fleet, Designation::ArmyFleet];
            let kind = kinds.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(letters));
            (kind, map.find(&name.to_ascii_uppercase()))
        }
        _ => (None, None),
    };
    let hole = hole.filter(|&hole| map.holes().contains(hole));
    let (Some(kind), Some(hole)) = (kind, hole) else {
        return Err(format!("`{text}`: expected a fleet and its hole, such as `F SPA`"));
    };
    let stretch = |text: &String| match ground::stretches(map, hole, text)?[..] {
        [side] => Ok(side.border()),
        [] => Err(format!("`{text}` does not meet {}", map.name(hole))),
        _ => Err(format!("`{text}` meets {} several times; add `#1`, `#2` … to pick one", map.name(hole))),
    };
    let coast: Vec<BorderId> = coast.iter().map(stretch).collect::<Result<_, String>>()?;
    let unit = carrying(*seasons_aboard, Unit::new(kind, power, CoastId::FIRST), text)?;
    Ok(Swallowed { hole, unit, coast })
}

/// The unit of this text with an army that has been aboard for this time, if one is given.
fn carrying(seasons_aboard: Option<u8>, unit: Unit, text: &str) -> Result<Unit, String> {
    match seasons_aboard {
        None => Ok(unit),
        Some(seasons) if unit.is_laden() => Ok(unit.with_cargo(Cargo::Army { seasons })),
        Some(_) => Err(format!("`{text}` has no army aboard")),
    }
}

fn swallowed_units(
    gone: &[Swallowed],
    world: &GameState,
    variant: &Variant,
) -> BTreeMap<String, Vec<SwallowedEntry>> {
    let mut all: BTreeMap<String, Vec<SwallowedEntry>> = BTreeMap::new();
    for gone in gone {
        let text = swallowed_text(&world.terrain, gone);
        let as_text = swallowed_by_text(gone.unit.power, &text, &world.terrain);
        let seasons_aboard = time_aboard(variant, gone.unit);
        let says_all = as_text.is_ok_and(|read| read.coast == gone.coast) && seasons_aboard.is_none();
        let map = world.terrain.chart().map();
        let side = |border: &BorderId| map.sides_of(gone.hole).find(|side| side.border() == *border);
        let stretch = |border| Some(SplitEnd::of(map, side(border)?).to_string());
        let entry = match says_all {
            true => SwallowedEntry::Unit(text),
            false => SwallowedEntry::OnCoast(SwallowedOnCoast {
                unit: format!("{} {}", gone.unit.designation(), world.terrain.names().province(gone.hole)),
                coast: gone.coast.iter().filter_map(stretch).collect(),
                seasons_aboard,
            }),
        };
        all.entry(world.terrain.power_names().name(gone.unit.power).to_owned()).or_default().push(entry);
    }
    all
}

/// A unit that vanished with a hole, with its coast named as on the opened face.
pub(super) fn swallowed_text(terrain: &MapTables, gone: &Swallowed) -> String {
    let Swallowed { hole, unit, coast } = gone;
    let mut at = Location { province: *hole, coast: CoastId::FIRST };
    let Some(ground) = opened(terrain, *hole, unit.kind) else {
        return terrain.names().unit(at, unit.designation()).to_string();
    };
    if unit.kind == UnitKind::Fleet {
        at.coast = match ground.chart().coast_returned(ground.board(), *hole, coast) {
            CoastFate::Stays(coast) | CoastFate::Moves(coast) => coast,
            CoastFate::Choice { default, .. } => default,
            CoastFate::Lost => CoastId::FIRST,
        };
    }
    ground.names().unit(at, unit.designation()).to_string()
}

// The units that must retreat (`retreats`): read from a request, and written for the next one.

/// A unit and its place, checked against the board.
pub(super) fn placed(text: &str, terrain: &MapTables) -> Result<(Designation, Location), PlacementError> {
    let unit = WrittenUnit::parse(text, terrain.names())?;
    Ok((unit.kind, unit.placed(text, terrain.names(), terrain.board())?))
}

/// A unit that stands on the board, and its place.
pub(super) fn standing(text: &str, terrain: &MapTables) -> Result<(Designation, Location), PlacementError> {
    let unit = WrittenUnit::parse(text, terrain.names())?;
    match terrain.chart().map().holes().contains(unit.place.province) {
        true => Err(PlacementError::Hole(
            text.to_owned(),
            terrain.names().province(unit.place.province).to_owned(),
        )),
        false => placed(text, terrain),
    }
}

/// A unit that waits for its retreat.
struct Waiting {
    dislodged: Dislodged,
    /// Distinguishes several equal units.
    ordinal: u8,
    /// Where it could go if all places were free, for each possible reading of the position; `None` means as
    /// the board says.
    ways: Vec<Option<Vec<Location>>>,
    /// Where it can go, if the request says so.
    options: Option<Vec<Location>>,
}

/// Puts the dislodged units of a request into the world. All units are already in place, and contested and
/// doomed provinces are known.
pub(super) fn read_retreats(
    request: &Request,
    rulebook: &Rulebook,
    world: &mut GameState,
) -> Result<(), RequestError> {
    let terrain = Arc::clone(&world.terrain);
    let mut waiting = Vec::new();
    for (power, entry) in by_power("powers", &request.powers, terrain.power_names())? {
        for retreat in &entry.retreats {
            waiting.push(read_one(power, retreat, &terrain)?);
        }
    }
    sort(&mut waiting);
    for Waiting { dislodged, ways, options, .. } in waiting {
        let i = world.retreats.dislodged.len();
        world.retreats.dislodged.push(dislodged);
        let mut meant = ways.into_iter();
        let first = meant.next().flatten();
        let Some(options) = options else {
            world.retreats.ways.extend(first.map(|ways| (i, ways)));
            continue;
        };
        // The options decide. If the position alone gives the same options, the position is used: the unit
        // then also knows its ways to places that are closed now.
        let says_so = [first].into_iter().chain(meant).any(|ways| {
            world.retreats.ways.retain(|(unit, _)| *unit != i);
            world.retreats.ways.extend(ways.map(|ways| (i, ways)));
            let GameState { terrain, position, retreats, doomed, .. } = &*world;
            let mut open: Vec<Location> =
                retreat::options(terrain.board(), rulebook, position, retreats, i, doomed).collect();
            open.sort_unstable();
            open == options
        });
        if !says_so {
            let (at, kind) = (dislodged.at, dislodged.unit.kind);
            let ground = opened(&terrain, at, kind);
            let ground = ground.as_ref().unwrap_or(&terrain);
            let mut ways = retreat::ways_across(
                ground.board(),
                terrain.board(),
                at,
                kind,
                &coasts_to_leave(ground, dislodged),
            );
            ways.retain(|to| options.contains(to));
            world.retreats.dislodged[i].attacker = None;
            world.retreats.ways.retain(|(unit, _)| *unit != i);
            world.retreats.ways.push((i, ways));
        }
    }
    Ok(())
}

/// The coasts from which a unit with listed options can go: a fleet whose coast was divided may start from
/// any part of it.
fn coasts_to_leave(ground: &MapTables, Dislodged { unit, at, .. }: Dislodged) -> Vec<CoastId> {
    match unit.designation() {
        Designation::Army => vec![unit.coast],
        Designation::Fleet | Designation::ArmyFleet => {
            ground.board().stations_of(at).map(|part| part.coast).collect()
        }
    }
}

/// Sorted by province as in the movement phase; equal units by their numbers.
fn sort(waiting: &mut [Waiting]) {
    waiting.sort_by_key(|unit| unit.dislodged.at);
    let key = |unit: &Waiting| (unit.dislodged.at, unit.dislodged.unit);
    for i in 0..waiting.len() {
        let alike = (i + 1..waiting.len()).filter(|&j| key(&waiting[j]) == key(&waiting[i]));
        let least = alike.min_by_key(|&j| waiting[j].ordinal);
        if let Some(j) = least.filter(|&j| waiting[j].ordinal < waiting[i].ordinal) {
            waiting.swap(i, j);
        }
    }
}

/// Reads an entry of `retreats`. A unit dislodged from a province that is now a hole retreats as if the
/// province were open (rules.md 4.8).
fn read_one(power: Power, entry: &RetreatEntry, terrain: &Arc<MapTables>) -> Result<Waiting, RequestError> {
    let fault = |fault: String| {
        let power = terrain.power_names().name(power);
        RequestError::at(format_args!("powers.{power}.retreats"), fault)
    };
    let ground = ground_of(&entry.unit, terrain);
    let (kind, at) = placed(&entry.unit, &ground).map_err(|e| fault(e.to_string()))?;
    let ordinal = WrittenUnit::parse(&entry.unit, ground.names()).map_or(1, |unit| unit.ordinal);
    // The origin of the attacker may be written with its coast.
    let find = |name: &String| {
        let code = name.split('/').next().unwrap_or(name);
        province("retreats", code, terrain).map_err(|e| fault(e.to_string()))
    };
    let listed = |options: &Vec<String>| -> Result<Vec<Location>, RequestError> {
        let place = |place| placed(&format!("{kind} {place}"), terrain).map_err(|e| fault(e.to_string()));
        let mut options: Vec<Location> =
            options.iter().map(|option| Ok(place(option)?.1)).collect::<Result<_, RequestError>>()?;
        options.sort_unstable();
        options.dedup();
        Ok(options)
    };
    let unit = Unit::new(kind, power, at.coast);
    let dislodged = Dislodged {
        unit: carrying(entry.seasons_aboard, unit, &entry.unit).map_err(fault)?,
        at: at.province,
        attacker: entry.from.as_ref().map(find).transpose()?,
        attacker_convoyed: entry.via_convoy,
    };
    let across = |coasts: &[CoastId]| {
        retreat::ways_across(ground.board(), terrain.board(), at.province, kind.kind(), coasts)
    };
    let by_its_coast = (!Arc::ptr_eq(&ground, terrain)).then(|| across(&[at.coast]));
    let by_all_coasts = across(&coasts_to_leave(&ground, dislodged));
    Ok(Waiting {
        dislodged,
        ordinal,
        ways: vec![by_its_coast, Some(by_all_coasts)],
        options: entry.options.as_ref().map(listed).transpose()?,
    })
}

/// The units of a power that wait for their retreats, in the form of a request.
pub(super) fn write_retreats(game: &Game, power: Power) -> Vec<RetreatEntry> {
    let (terrain, waiting) = (game.terrain(), game.dislodged());
    let names = terrain.names();
    let own = waiting.dislodged.iter().enumerate().filter(|(_, dislodged)| dislodged.unit.power == power);
    let written = own.filter_map(|(i, &Dislodged { unit, at, attacker, attacker_convoyed })| {
        let ground = opened(terrain, at, unit.kind);
        let on_ground = ground.as_ref().unwrap_or(terrain).names();
        let options = game.retreat_options(i);
        Some(RetreatEntry {
            unit: WrittenUnit::dislodged(waiting, i)?.display(on_ground).to_string(),
            from: attacker.map(|from| names.province(from).to_owned()),
            via_convoy: attacker_convoyed,
            options: Some(sorted(options.iter().map(|&to| names.location(to, unit.kind).to_string()))),
            seasons_aboard: time_aboard(game.variant(), unit),
        })
    });
    written.collect()
}
