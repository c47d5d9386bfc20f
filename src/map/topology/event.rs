//! Changes of the map as text: `collapse MAR`, `split BUR PAR MAO#2`, `separate POR SPA connect MAO MAO #1`
//! (docs/map-command.md). Names are looked up when the event is applied, because an earlier event may have created
//! them.

use std::fmt;
use std::str::FromStr;

use super::half_edge::HalfEdgeId;
use super::map::PlanarMap;
use super::named_map::NamedMap;
use super::quake::{Quake, Touched};
use super::surgery::{Surgery, SurgeryError, pick};
use crate::ids::ProvinceId;

/// A neighbour of a split province at which the new border ends, with an index if the two share several
/// stretches.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct SplitEnd {
    pub neighbour: String,
    pub index: Option<usize>,
}

/// A change of the map, by the names of the faces.
///
/// ```
/// use upheaval_map::topology::{MapEvent, atlas};
/// let mut chart = atlas::standard();
/// for text in ["collapse MAR", "separate POR SPA connect MAO MAO"] {
///     let event: MapEvent = text.parse()?;
///     event.apply(&mut chart)?;
///     assert_eq!(event.to_string(), text);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum MapEvent {
    Collapse(String),
    Void(String),
    Restore(String),
    Submerge(String),
    Open(String),
    Split { province: String, ends: [SplitEnd; 2] },
    Separate { apart: [String; 2], together: [String; 2], index: Option<usize> },
    Connect { together: [String; 2], through: String, index: Option<usize> },
}

/// A text that is not an event.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not an event; events are `collapse MAR`, `void BUR`, `restore MAR`, `split BUR PAR MUN`, \
     `submerge LON`, `open SWI`, `separate POR SPA connect MAO MAO`, `connect POR BRE through MAO`, with `#2` where \
     a place must be picked"
)]
pub struct InvalidEvent(pub String);

impl FromStr for MapEvent {
    type Err = InvalidEvent;

    fn from_str(text: &str) -> Result<Self, InvalidEvent> {
        let invalid = || InvalidEvent(text.trim().to_owned());
        let words: Vec<&str> = text.split_whitespace().collect();
        let face = |word: &str| word.to_ascii_uppercase();
        let index = |word: &str| word.strip_prefix('#').and_then(|n| n.parse().ok()).ok_or_else(invalid);
        let tail = |rest: &[&str]| match rest {
            [] => Ok(None),
            [word] => index(word).map(Some),
            _ => Err(invalid()),
        };
        let end = |word: &str| {
            Ok(match word.split_once('#') {
                Some((name, n)) => {
                    SplitEnd { neighbour: face(name), index: Some(n.parse().map_err(|_| invalid())?) }
                }
                None => SplitEnd { neighbour: face(word), index: None },
            })
        };
        let is = |word: &str, key: &str| word.eq_ignore_ascii_case(key);
        match words[..] {
            [key, name] if is(key, "collapse") => Ok(MapEvent::Collapse(face(name))),
            [key, name] if is(key, "void") => Ok(MapEvent::Void(face(name))),
            [key, name] if is(key, "restore") => Ok(MapEvent::Restore(face(name))),
            [key, name] if is(key, "submerge") => Ok(MapEvent::Submerge(face(name))),
            [key, name] if is(key, "open") => Ok(MapEvent::Open(face(name))),
            [key, name, first, second] if is(key, "split") => {
                Ok(MapEvent::Split { province: face(name), ends: [end(first)?, end(second)?] })
            }
            [key, a, b, join, c, d, ref rest @ ..] if is(key, "separate") && is(join, "connect") => {
                let (apart, together) = ([face(a), face(b)], [face(c), face(d)]);
                Ok(MapEvent::Separate { apart, together, index: tail(rest)? })
            }
            [key, a, c, join, b, ref rest @ ..] if is(key, "connect") && is(join, "through") => {
                let together = [face(a), face(c)];
                Ok(MapEvent::Connect { together, through: face(b), index: tail(rest)? })
            }
            _ => Err(invalid()),
        }
    }
}

impl fmt::Display for MapEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let with_index = |f: &mut fmt::Formatter<'_>, index: &Option<usize>| match index {
            Some(n) => write!(f, " #{n}"),
            None => Ok(()),
        };
        match self {
            MapEvent::Collapse(name) => write!(f, "collapse {name}"),
            MapEvent::Void(name) => write!(f, "void {name}"),
            MapEvent::Restore(name) => write!(f, "restore {name}"),
            MapEvent::Submerge(name) => write!(f, "submerge {name}"),
            MapEvent::Open(name) => write!(f, "open {name}"),
            MapEvent::Split { province, ends } => {
                write!(f, "split {province}")?;
                for SplitEnd { neighbour, index } in ends {
                    match index {
                        Some(n) => write!(f, " {neighbour}#{n}")?,
                        None => write!(f, " {neighbour}")?,
                    }
                }
                Ok(())
            }
            MapEvent::Separate { apart: [a, b], together: [c, d], index } => {
                write!(f, "separate {a} {b} connect {c} {d}")?;
                with_index(f, index)
            }
            MapEvent::Connect { together: [a, c], through, index } => {
                write!(f, "connect {a} {c} through {through}")?;
                with_index(f, index)
            }
        }
    }
}

impl MapEvent {
    /// Applies the event; an error says why it cannot be done and leaves the chart as it was.
    ///
    /// ```
    /// use upheaval_map::topology::{MapEvent, atlas};
    /// let mut chart = atlas::standard();
    /// let again: MapEvent = "restore MAR".parse()?;
    /// // Marseilles is not a hole: the event is refused, and the map is unchanged.
    /// assert!(again.apply(&mut chart).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply(&self, chart: &mut NamedMap) -> Surgery {
        match self {
            MapEvent::Collapse(name) => find(chart, name).and_then(|id| chart.collapse(id)),
            MapEvent::Void(name) => find(chart, name).and_then(|id| chart.void(id)),
            MapEvent::Restore(name) => find(chart, name).and_then(|id| chart.restore(id)),
            MapEvent::Submerge(name) => find(chart, name).and_then(|id| chart.submerge(id)),
            MapEvent::Open(name) => find(chart, name).and_then(|id| chart.open(id)),
            MapEvent::Split { .. } => {
                let [first, second] = self.split_sides(chart)?;
                chart.split(first, second).map(|_| ())
            }
            MapEvent::Separate { .. } | MapEvent::Connect { .. } => {
                chart.quake(Quake::of_event(self, chart.map())?)
            }
        }
    }

    /// The two half-edges of the province at which the border of a split ends.
    ///
    /// # Errors
    /// The event is not a split; a name is not on the map, there is no border with a neighbour, or an index
    /// is missing or out of range.
    pub fn split_sides(&self, chart: &NamedMap) -> Surgery<[HalfEdgeId; 2]> {
        let MapEvent::Split { province, ends } = self else {
            return Err(SurgeryError::NotASplit(self.to_string()));
        };
        let id = find(chart, province)?;
        let side = |end: &SplitEnd| split_side(chart, id, find(chart, &end.neighbour)?, end.index);
        Ok([side(&ends[0])?, side(&ends[1])?])
    }

    /// The split of a province between these two half-edges, as an event; the inverse of applying it.
    pub fn split_between(map: &PlanarMap, [first, second]: [HalfEdgeId; 2]) -> MapEvent {
        let province = map.owner(first);
        let end = |side: HalfEdgeId| {
            let stretches = map.stretches(province, map.across(side));
            let place = stretches.iter().position(|&stretch| stretch == side);
            SplitEnd {
                neighbour: map.name(map.across(side)).to_owned(),
                index: place.filter(|_| stretches.len() > 1).map(|i| i + 1),
            }
        };
        MapEvent::Split { province: map.name(province).to_owned(), ends: [end(first), end(second)] }
    }
}

impl Quake {
    /// The quake as an event, with faces in alphabetical order, and with an index if it fits several places.
    pub fn event(self, map: &PlanarMap) -> MapEvent {
        let Touched { apart, together } = self.touched(map);
        let names = |pair: [ProvinceId; 2]| pair.map(|id| map.name(id).to_owned());
        let (apart, together) = (map.by_name(apart), map.by_name(together));
        let index = self.index(map);
        match self {
            Quake::Separation(_) => {
                MapEvent::Separate { apart: names(apart), together: names(together), index }
            }
            Quake::Release(_) => {
                MapEvent::Connect { together: names(together), through: map.name(apart[0]).to_owned(), index }
            }
        }
    }

    /// The quake that the event describes on this map.
    ///
    /// # Errors
    /// The event is neither a separation nor a release, does not fit the map, or fits several places without
    /// an index.
    pub fn of_event(event: &MapEvent, map: &PlanarMap) -> Surgery<Quake> {
        let find = |name: &String| map.find(name).ok_or_else(|| SurgeryError::NoSuchFace(name.clone()));
        match event {
            MapEvent::Separate { apart: [a, b], together: [c, d], index } => {
                let (apart, together) = ([find(a)?, find(b)?], [find(c)?, find(d)?]);
                let side = map.find_separation(apart, together, *index)?;
                Ok(Quake::Separation(side.border()))
            }
            MapEvent::Connect { together: [a, c], through, index } => {
                let [x, y] = map.find_release(find(a)?, find(c)?, find(through)?, *index)?;
                Ok(Quake::release(x, y))
            }
            other => Err(SurgeryError::NoQuake(other.to_string())),
        }
    }
}

fn find(chart: &NamedMap, name: &str) -> Surgery<ProvinceId> {
    chart.map().find(name).ok_or_else(|| SurgeryError::NoSuchFace(name.to_owned()))
}

/// The half-edge of a province at which a new border ends.
fn split_side(
    chart: &NamedMap,
    id: ProvinceId,
    neighbour: ProvinceId,
    index: Option<usize>,
) -> Surgery<HalfEdgeId> {
    let stretches = chart.map().stretches(id, neighbour);
    let name = |id| chart.map().name(id).to_owned();
    pick(&stretches, index)?.copied().ok_or_else(|| SurgeryError::NoBorder(name(id), name(neighbour)))
}
