//! Changes of the map as text: `collapse MAR`, `split BUR PAR MAO#2`, `separate POR SPA connect MAO MAO #1`
//! (docs/map-command.md). Names are looked up when the event is applied, because an earlier event may have created
//! them.

use std::fmt;
use std::str::FromStr;

use super::half_edge::{FaceKind, HalfEdgeId};
use super::map::PlanarMap;
use super::named_map::NamedMap;
use super::quake::{Quake, Touched};
use super::surgery::{Surgery, SurgeryError, pick, refused};
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
    Raise(String),
    Freeze(String),
    Open(String),
    Reform { face: String, kind: FaceKind },
    Dig { province: String, seas: [String; 2] },
    Fill(String),
    Found { name: String, home: Option<String> },
    Ruin(String),
    Split { province: String, ends: [SplitEnd; 2] },
    Separate { apart: [String; 2], together: [String; 2], index: Option<usize> },
    Connect { together: [String; 2], through: String, index: Option<usize> },
}

/// The kinds that a face can be given.
const KINDS: [FaceKind; 4] = [FaceKind::Land, FaceKind::Sea, FaceKind::Ice, FaceKind::Impassable];

/// A text that is not an event.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not an event; events are `collapse MAR`, `void BUR`, `restore MAR`, `split BUR PAR MUN`, \
     `submerge LON`, `raise ION`, `freeze BOT`, `open SWI`, `reform SWI impassable`, `dig STP BAR BOT`, `fill STP`, \
     `found TYR`, `found TYR home AUSTRIA`, `ruin SMY`, `separate POR SPA connect MAO MAO`, \
     `connect POR BRE through MAO`, and `#2` at the end if several places fit"
)]
pub struct InvalidEvent(pub String);

impl FromStr for MapEvent {
    type Err = InvalidEvent;

    fn from_str(text: &str) -> Result<Self, InvalidEvent> {
        let invalid = || InvalidEvent(text.trim().to_owned());
        let words: Vec<String> = text.split_whitespace().map(str::to_ascii_lowercase).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let face = |word: &str| word.to_ascii_uppercase();
        let number = |digits: &str| digits.parse::<usize>().map_err(|_| invalid());
        let tail = |rest: &[&str]| match rest {
            [] => Ok(None),
            [word] => number(word.strip_prefix('#').ok_or_else(invalid)?).map(Some),
            _ => Err(invalid()),
        };
        let end = |word: &str| {
            let (name, index) =
                word.split_once('#').map_or((word, None), |(name, index)| (name, Some(index)));
            Ok(SplitEnd { neighbour: face(name), index: index.map(number).transpose()? })
        };
        Ok(match words[..] {
            ["collapse", name] => MapEvent::Collapse(face(name)),
            ["void", name] => MapEvent::Void(face(name)),
            ["restore", name] => MapEvent::Restore(face(name)),
            ["submerge", name] => MapEvent::Submerge(face(name)),
            ["raise", name] => MapEvent::Raise(face(name)),
            ["freeze", name] => MapEvent::Freeze(face(name)),
            ["open", name] => MapEvent::Open(face(name)),
            ["reform", name, kind] => {
                let kind = KINDS.into_iter().find(|known| known.word() == kind).ok_or_else(invalid)?;
                MapEvent::Reform { face: face(name), kind }
            }
            ["dig", name, one, other] => {
                MapEvent::Dig { province: face(name), seas: [face(one), face(other)] }
            }
            ["fill", name] => MapEvent::Fill(face(name)),
            ["found", name] => MapEvent::Found { name: face(name), home: None },
            ["found", name, "home", power] => MapEvent::Found { name: face(name), home: Some(face(power)) },
            ["ruin", name] => MapEvent::Ruin(face(name)),
            ["split", name, first, second] => {
                MapEvent::Split { province: face(name), ends: [end(first)?, end(second)?] }
            }
            ["separate", a, b, "connect", c, d, ref rest @ ..] => {
                let (apart, together) = ([face(a), face(b)], [face(c), face(d)]);
                MapEvent::Separate { apart, together, index: tail(rest)? }
            }
            ["connect", a, c, "through", b, ref rest @ ..] => {
                MapEvent::Connect { together: [face(a), face(c)], through: face(b), index: tail(rest)? }
            }
            _ => return Err(invalid()),
        })
    }
}

impl fmt::Display for MapEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let index = match self {
            MapEvent::Collapse(name) => return write!(f, "collapse {name}"),
            MapEvent::Void(name) => return write!(f, "void {name}"),
            MapEvent::Restore(name) => return write!(f, "restore {name}"),
            MapEvent::Submerge(name) => return write!(f, "submerge {name}"),
            MapEvent::Raise(name) => return write!(f, "raise {name}"),
            MapEvent::Freeze(name) => return write!(f, "freeze {name}"),
            MapEvent::Open(name) => return write!(f, "open {name}"),
            MapEvent::Reform { face, kind } => {
                return write!(f, "reform {face} {}", kind.word());
            }
            MapEvent::Dig { province, seas: [one, other] } => {
                return write!(f, "dig {province} {one} {other}");
            }
            MapEvent::Fill(name) => return write!(f, "fill {name}"),
            MapEvent::Found { name, home: None } => return write!(f, "found {name}"),
            MapEvent::Found { name, home: Some(power) } => return write!(f, "found {name} home {power}"),
            MapEvent::Ruin(name) => return write!(f, "ruin {name}"),
            MapEvent::Split { province, ends: [first, second] } => {
                return write!(f, "split {province} {first} {second}");
            }
            MapEvent::Separate { apart: [a, b], together: [c, d], index } => {
                write!(f, "separate {a} {b} connect {c} {d}")?;
                index
            }
            MapEvent::Connect { together: [a, c], through, index } => {
                write!(f, "connect {a} {c} through {through}")?;
                index
            }
        };
        index.map_or(Ok(()), |n| write!(f, " #{n}"))
    }
}

impl SplitEnd {
    /// The stretch of a province's boundary with this half-edge.
    pub fn of(map: &PlanarMap, side: HalfEdgeId) -> SplitEnd {
        let stretches = map.stretches(map.owner(side), map.across(side));
        let place = stretches.iter().position(|&stretch| stretch == side);
        SplitEnd {
            neighbour: map.name(map.across(side)).to_owned(),
            index: place.filter(|_| stretches.len() > 1).map(|i| i + 1),
        }
    }
}

impl fmt::Display for SplitEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.neighbour)?;
        self.index.map_or(Ok(()), |n| write!(f, "#{n}"))
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
        let face = |name: &str| find(chart.map(), name);
        match self {
            MapEvent::Collapse(name) => face(name).and_then(|id| chart.collapse(id)),
            MapEvent::Void(name) => face(name).and_then(|id| chart.void(id)),
            MapEvent::Restore(name) => face(name).and_then(|id| chart.restore(id)),
            MapEvent::Submerge(name) => face(name).and_then(|id| chart.submerge(id)),
            MapEvent::Raise(name) => face(name).and_then(|id| chart.raise(id)),
            MapEvent::Freeze(name) => face(name).and_then(|id| chart.freeze(id)),
            MapEvent::Open(name) => face(name).and_then(|id| chart.open(id)),
            MapEvent::Reform { face: name, kind } => face(name).and_then(|id| chart.reform(id, *kind)),
            MapEvent::Dig { province, seas: [one, other] } => {
                let seas = [face(one)?, face(other)?];
                chart.dig(face(province)?, seas)
            }
            MapEvent::Fill(name) => face(name).and_then(|id| chart.fill(id)),
            MapEvent::Found { name, home } => {
                let id = face(name)?;
                if chart.info(id).is_some_and(|info| info.supply_centre) {
                    return refused(format!("{name} is already a supply centre"));
                }
                // A centre at sea, which a board may have, can come back.
                if !(chart.map().of_kind(FaceKind::Land) | chart.map().of_kind(FaceKind::Sea)).contains(id) {
                    return refused(format!("{name} is neither land nor sea and cannot be a supply centre"));
                }
                let home = match home {
                    Some(power) => match chart.power_names().named(power) {
                        Ok(power) => Some(power),
                        Err(error) => return refused(error.to_string()),
                    },
                    None => None,
                };
                chart.found_centre(id, home);
                Ok(())
            }
            MapEvent::Ruin(name) => {
                let id = face(name)?;
                if !chart.info(id).is_some_and(|info| info.supply_centre) {
                    return refused(format!("{name} is not a supply centre"));
                }
                chart.ruin_centre(id);
                Ok(())
            }
            MapEvent::Split { .. } => {
                let [first, second] = self.split_sides(chart)?;
                chart.split(first, second).map(drop)
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
        let MapEvent::Split { province, ends: [first, second] } = self else {
            return refused(format!("{self} is not a split"));
        };
        let map = chart.map();
        let id = find(map, province)?;
        let side = |end: &SplitEnd| {
            let neighbour = find(map, &end.neighbour)?;
            let stretches = map.stretches(id, neighbour);
            pick(&stretches, end.index)?.copied().map_or_else(|| map.no_border(id, neighbour), Ok)
        };
        Ok([side(first)?, side(second)?])
    }

    /// The split of a province between these two half-edges, as an event; the inverse of applying it.
    pub fn split_between(map: &PlanarMap, [first, second]: [HalfEdgeId; 2]) -> MapEvent {
        let province = map.name(map.owner(first)).to_owned();
        MapEvent::Split { province, ends: [first, second].map(|side| SplitEnd::of(map, side)) }
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
        let pair = |[x, y]: &[String; 2]| Ok([find(map, x)?, find(map, y)?]);
        match event {
            MapEvent::Separate { apart, together, index } => {
                let side = map.find_separation(pair(apart)?, pair(together)?, *index)?;
                Ok(Quake::Separation(side.border()))
            }
            MapEvent::Connect { together, through, index } => {
                let [a, c] = pair(together)?;
                let [x, y] = map.find_release(a, c, find(map, through)?, *index)?;
                Ok(Quake::release(x, y))
            }
            other => refused(format!("`{other}` neither separates nor connects")),
        }
    }
}

fn find(map: &PlanarMap, name: &str) -> Surgery<ProvinceId> {
    map.find(name).ok_or_else(|| SurgeryError::NoSuchFace(name.to_owned()))
}
