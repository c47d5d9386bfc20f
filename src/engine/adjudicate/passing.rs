//! What the entries of a variant remember (`state.sets`, `state.last`, `state.occupied`, `state.coming`, `state.ends`):
//! read from a request, and written for the next one.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::adjudicate::ground;
use crate::adjudicate::request::{EndEntry, RequestError, State};
use crate::rules::changes::{Changes, Coming, Lasting, Moment, Passing, Point};
use crate::rules::game_state::GameState;
use crate::rules::position::Phase;
use crate::rules::variant::Variant;
use upheaval_map::ids::{PowerNames, ProvinceSet};
use upheaval_map::topology::{FaceKind, FaceState};

/// The places of entries by their ids.
type ByEntry = BTreeMap<String, Vec<String>>;

/// Reads what the entries remember.
pub(super) fn read(state: &State, variant: &Variant, world: &mut GameState) -> Result<(), RequestError> {
    let changes = &variant.changes;
    let terrain = Arc::clone(&world.terrain);
    let places =
        |field: &str, listed: &ByEntry, sets: &mut [ProvinceSet], is: fn(&Changes, usize) -> bool| {
            for (id, names) in listed {
                let index = index(field, id, changes, |index| is(changes, index))?;
                sets[index] = ground::provinces(field, names, &terrain)?;
            }
            Ok::<(), RequestError>(())
        };
    places("state.sets", &state.sets, &mut world.held, Changes::is_held)?;
    places("state.last", &state.last, &mut world.last_changed, Changes::is_remembered)?;
    if state.occupied.len() > changes.seasons() {
        let message = format_args!("the variant depends on the last {} seasons only", changes.seasons());
        return Err(RequestError::at("state.occupied", message));
    }
    let occupied = state.occupied.iter().map(|names| ground::provinces("state.occupied", names, &terrain));
    world.occupied_lately = occupied.collect::<Result<_, _>>()?;
    for (id, listed) in &state.coming {
        let entry = index("state.coming", id, changes, |index| changes.lists_coming(index))?;
        for (text, names) in listed {
            let at = moment(text).ok_or_else(|| no_moment(format_args!("state.coming.{id}"), text))?;
            for face in ground::provinces("state.coming", names, &terrain)? {
                world.coming.push(Coming { face, entry, at });
            }
        }
    }
    for (id, listed) in &state.ends {
        let entry = index("state.ends", id, changes, |index| changes.entries()[index].ends())?;
        for (name, EndEntry { at, then }) in listed {
            let key = format_args!("state.ends.{id}.{name}");
            let face = ground::province("state.ends", name, &terrain)?;
            let end = moment(at).ok_or_else(|| no_moment(key, at))?;
            let then = lasting(then, terrain.power_names()).ok_or_else(|| {
                RequestError::at(
                    key,
                    format_args!("`{then}` is not what a place can be, such as `land` or `open`"),
                )
            })?;
            world.passing.push(Passing { face, entry, then, end });
        }
    }
    Ok(())
}

/// The index of the entry with this id.
fn index(
    field: &str,
    id: &str,
    changes: &Changes,
    is_fit: impl Fn(usize) -> bool,
) -> Result<usize, RequestError> {
    let index = changes.entries().iter().position(|entry| entry.id == id).filter(|&index| is_fit(index));
    index.ok_or_else(|| {
        let message = match field {
            "state.ends" => "the variant has no entry of this id whose changes end",
            "state.coming" => {
                "the variant has no entry of this id whose changes are listed here before they happen"
            }
            _ => "the variant has no entry of this id whose places a set names",
        };
        RequestError::at(format_args!("{field}.{id}"), message)
    })
}

/// By id: the places that an entry has changed and that are still so, if a set names them.
pub(super) fn sets(world: &GameState, variant: &Variant) -> ByEntry {
    by_entry(&world.held, Changes::is_held, world, variant)
}

/// By id: the places that an entry changed when it last acted, if a set names them.
pub(super) fn last(world: &GameState, variant: &Variant) -> ByEntry {
    by_entry(&world.last_changed, Changes::is_remembered, world, variant)
}

fn by_entry(
    sets: &[ProvinceSet],
    is: fn(&Changes, usize) -> bool,
    world: &GameState,
    variant: &Variant,
) -> ByEntry {
    let all = variant.changes.entries().iter().zip(sets).enumerate();
    let all = all.filter(|(index, _)| is(&variant.changes, *index));
    all.map(|(_, (entry, set))| (entry.id.clone(), ground::names(*set, &world.terrain))).collect()
}

/// By id: the changes of an entry that have an end.
pub(super) fn ends(world: &GameState, variant: &Variant) -> BTreeMap<String, BTreeMap<String, EndEntry>> {
    let terrain = &world.terrain;
    let mut all: BTreeMap<String, BTreeMap<String, EndEntry>> = BTreeMap::new();
    for Passing { face, entry, then, end } in &world.passing {
        let end = EndEntry { at: text(*end), then: word(*then, terrain.power_names()) };
        let id = variant.changes.entries()[*entry].id.clone();
        all.entry(id).or_default().insert(terrain.names().province(*face).to_owned(), end);
    }
    all
}

/// By id: the announced changes of an entry.
pub(super) fn coming(
    world: &GameState,
    variant: &Variant,
) -> BTreeMap<String, BTreeMap<String, Vec<String>>> {
    let mut all: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
    for coming in world.coming.iter().filter(|coming| variant.changes.lists_coming(coming.entry)) {
        let id = variant.changes.entries()[coming.entry].id.clone();
        let name = world.terrain.names().province(coming.face).to_owned();
        all.entry(id).or_default().entry(text(coming.at)).or_default().push(name);
    }
    all.values_mut().flat_map(BTreeMap::values_mut).for_each(|names| names.sort_unstable());
    all
}

/// The places that have been announced before the retreats by the first entry that does so; without such an entry, all
/// that are closed to retreats and not announced by another.
pub(super) fn announced_first(world: &GameState, variant: &Variant) -> ProvinceSet {
    let first = variant.changes.first_foretold();
    let of = |is: &dyn Fn(usize) -> bool| -> ProvinceSet {
        world.coming.iter().filter(|coming| is(coming.entry)).map(|coming| coming.face).collect()
    };
    match first {
        Some(first) => of(&|entry| entry == first),
        None => world.doomed - of(&|_| true),
    }
}

fn no_moment(key: fmt::Arguments<'_>, text: &str) -> RequestError {
    RequestError::at(key, format_args!("`{text}` is not the end of a season, such as `F1905`"))
}

/// The end of a season, `F1905`, or the moment before its retreats.
fn text((date, point): Moment) -> String {
    match point {
        Point::Start | Point::End => date.to_string(),
        Point::BeforeRetreats => format!("{date} {}", point.name()),
    }
}

fn moment(text: &str) -> Option<Moment> {
    let (date, point) = match text.split_once(' ') {
        Some((date, point)) if point == Point::BeforeRetreats.name() => (date, Point::BeforeRetreats),
        Some(_) => return None,
        None => (text, Point::End),
    };
    let phase: Phase = format!("{date}M").parse().ok()?;
    Some((phase.into(), point))
}

/// The values of the properties but those of homes, with their words.
const LASTING: [(Lasting, &str); 10] = [
    (Lasting::Hole(FaceState::Open), "open"),
    (Lasting::Hole(FaceState::Collapsed), "collapsed"),
    (Lasting::Hole(FaceState::Void), "void"),
    (Lasting::Ground(FaceKind::Land), "land"),
    (Lasting::Ground(FaceKind::Sea), "sea"),
    (Lasting::Ground(FaceKind::Ice), "ice"),
    (Lasting::Centre(None), "no centre"),
    (Lasting::Centre(Some(None)), "centre"),
    (Lasting::NoCanal, "no canal"),
    (Lasting::Unmarked, "unmarked"),
];

fn word(value: Lasting, names: &PowerNames) -> String {
    if let Lasting::Centre(Some(Some(power))) = value {
        return format!("home of {}", names.name(power));
    }
    let known = LASTING.into_iter().find(|(known, _)| *known == value);
    known.map_or(String::new(), |(_, word)| word.to_owned())
}

fn lasting(text: &str, names: &PowerNames) -> Option<Lasting> {
    if let Some(power) = text.strip_prefix("home of ") {
        return names.find(power).map(|power| Lasting::Centre(Some(Some(power))));
    }
    LASTING.into_iter().find(|(_, word)| *word == text).map(|(value, _)| value)
}
