//! The draws of a phase (`nature`): named in the request, or made from a seed as in a run.
//!
//! Named draws are handed out when the game asks for them, so that each is checked against what can be drawn
//! at that moment. Draws that the phase does not ask for belong to the season's retreats, if there are any,
//! and are passed on to the next request; otherwise they are an error.

use std::collections::BTreeMap;

use super::passing;
use super::request::{Chance, EventFault, RequestError};
use crate::game::{Game, Stage};
use crate::rules::changes::{
    Coming, Count, Entry as ChangeEntry, FaceChange, Point, Ties, Unnamed, Verb, Which,
};
use crate::rules::game_state::GameState;
use crate::rules::map_tables::MapTables;
use crate::rules::nature::{HowMany, Nature, Seeded};
use crate::rules::position::{Phase, PhaseKind, Season};
use crate::rules::variant::Variant;
use upheaval_map::ids::{Power, ProvinceId, ProvinceSet};
use upheaval_map::topology::{FaceKind, HalfEdgeId, InvalidEvent, MapEvent, PlanarMap, SurgeryError};

/// The source of a request's random events.
pub(super) enum Source {
    /// From the request, one by one.
    Named(Named),
    /// From a seed.
    Seeded(Seeded),
}

impl Source {
    /// Reads the draws of a request. If the movement is over, holes that were announced in it are marked as
    /// doomed in `world`.
    pub(super) fn read(
        chance: &Chance,
        variant: &Variant,
        world: &mut GameState,
        phase: Phase,
    ) -> Result<Source, RequestError> {
        match chance {
            Chance::Seeded(seeded) => Ok(Source::Seeded(seeded.clone())),
            Chance::Named(texts) => Ok(Source::Named(Named::read(texts, variant, world, phase)?)),
        }
    }

    /// The `nature` of the next request, after the phase has been settled.
    ///
    /// # Errors
    /// A named draw was impossible, or the game did not ask for it.
    pub(super) fn rest(self, began: Phase, game: &Game) -> Result<Chance, RequestError> {
        match self {
            Source::Seeded(seeded) => Ok(Chance::Seeded(seeded)),
            Source::Named(named) => named.rest(began, game).map(Chance::Named),
        }
    }

    /// What it should have named: a sentence for each entry that drew nothing.
    pub(super) fn warnings(&self) -> Vec<String> {
        match self {
            Source::Named(named) => {
                let said = named.undrawn.iter().map(|id| format!("`nature` draws nothing for `{id}`"));
                said.collect()
            }
            Source::Seeded(_) => Vec::new(),
        }
    }

    /// The source as a [`Nature`].
    pub(super) fn nature(&mut self) -> &mut dyn Nature {
        match self {
            Source::Named(named) => named,
            Source::Seeded(seeded) => seeded,
        }
    }
}

/// Named draws.
#[derive(Default)]
pub(super) struct Named {
    entries: Vec<Entry>,
    /// The ids of the entries for which the phase asked for a draw and none was named.
    undrawn: Vec<String>,
}

/// A draw that a request names.
struct Entry {
    text: String,
    drawn: Drawn,
    fate: Fate,
}

/// The kind of draw.
enum Drawn {
    /// `collapse MAR`, `holes: void BUR`, `restore GAS`, `split PAR PIC BRE`: a face changes in this way, drawn for an
    /// entry.
    Face {
        /// The id of the entry.
        id: String,
        /// What happens to the face.
        verb: Verb,
        /// Its name.
        name: String,
        /// The split, if it is one.
        split: Option<MapEvent>,
    },
    /// `stays BUR.2`: the half in which the unit of a split province stays.
    Stays(String),
    /// `exempt FRANCE PAR`: the exempt centre of a power that does not name one.
    Exempt(Power, ProvinceId),
}

/// The state of a draw.
enum Fate {
    /// The game has not asked for it yet.
    Waiting,
    /// It was made.
    Made,
    /// The game asked for it, and it was impossible.
    Refused(EventFault),
}

impl Drawn {
    /// Why the game did not ask for it.
    fn unasked(&self, variant: &Variant) -> EventFault {
        match self {
            Drawn::Face { id, .. } => match count_of(variant, id) {
                Some(Count::Per(..)) => EventFault::NoHoleBefore,
                _ if variant.changes.entry(id).is_some_and(ChangeEntry::is_ranked) => EventFault::Ranked,
                _ => EventFault::NotDrawn,
            },
            Drawn::Stays(_) => EventFault::NothingStays,
            Drawn::Exempt(..) => EventFault::NoneToExempt,
        }
    }
}

/// How many faces are drawn for the entry with this id.
fn count_of<'v>(variant: &'v Variant, id: &str) -> Option<&'v Count> {
    variant.changes.entry(id)?.faces()?.count()
}

impl Named {
    fn read(
        texts: &[String],
        variant: &Variant,
        world: &mut GameState,
        phase: Phase,
    ) -> Result<Named, RequestError> {
        let mut named = Named::default();
        // So many faces have been drawn for each entry, including those that were announced earlier.
        let announced = passing::announced_first(world, variant);
        let foretold = variant.changes.foretold().map(|(entry, _)| entry.id.as_str());
        let mut drawn_for: BTreeMap<String, usize> = BTreeMap::new();
        drawn_for.extend(foretold.map(|id| (id.to_owned(), announced.len())));
        for text in texts {
            let fault = |reason: EventFault| fault(text, reason);
            let rules = Rules { variant, phase, terrain: &world.terrain };
            let drawn = rules.read(text).map_err(fault)?;
            if let Drawn::Face { id, name, .. } = &drawn {
                if foretold == Some(id) && phase.kind == PhaseKind::Retreats {
                    doom(name, variant, world, phase, &announced).map_err(fault)?;
                    drawn_for.insert(id.clone(), passing::announced_first(world, variant).len());
                    continue;
                }
                let so_far = |id: &str| drawn_for.get(id).copied().unwrap_or_default();
                // The game itself counts what is drawn for each of all places of another entry.
                if let Some(Count::Per(number, of)) = count_of(variant, id)
                    && count_of(variant, &of.name).is_some()
                {
                    match so_far(&of.name) * usize::from(*number) {
                        0 => return Err(fault(EventFault::NoHoleBefore)),
                        most if most == so_far(id) => return Err(fault(EventFault::TooMany(most))),
                        _ => {}
                    }
                }
                let drawn = so_far(id) + 1;
                drawn_for.insert(id.clone(), drawn);
            }
            named.entries.push(Entry { text: text.clone(), drawn, fate: Fate::Waiting });
        }
        Ok(named)
    }

    fn rest(self, began: Phase, game: &Game) -> Result<Vec<String>, RequestError> {
        let now = game.phase();
        let goes_on = began.kind == PhaseKind::Movement && game.stage() == Stage::Retreats;
        debug_assert!(!goes_on || (now.year, now.season) == (began.year, began.season));
        let mut rest = Vec::new();
        for Entry { text, drawn, fate } in self.entries {
            match fate {
                Fate::Made => {}
                Fate::Refused(reason) => return Err(fault(&text, reason)),
                Fate::Waiting if goes_on && !matches!(drawn, Drawn::Exempt(..)) => rest.push(text),
                Fate::Waiting => return Err(fault(&text, drawn.unasked(game.variant()))),
            }
        }
        Ok(rest)
    }

    fn waiting(&mut self) -> impl Iterator<Item = &mut Entry> {
        self.entries.iter_mut().filter(|entry| matches!(entry.fate, Fate::Waiting))
    }
}

impl Nature for Named {
    fn faces(
        &mut self,
        _: Phase,
        of: &ChangeEntry,
        terrain: &MapTables,
        eligible: &ProvinceSet,
        draw: HowMany,
    ) -> Vec<ProvinceId> {
        let map = terrain.chart().map();
        let count = draw.most(eligible.len());
        let mut faces = Vec::new();
        for entry in self.waiting() {
            let Drawn::Face { id, verb, name, .. } = &entry.drawn else { continue };
            if *id != of.id {
                continue;
            }
            let verb_on = |face| of.faces().and_then(|change| change.verb_on(terrain.chart(), face));
            entry.fate = match map.find(name) {
                None => Fate::Refused(SurgeryError::NoSuchFace(name.to_owned()).into()),
                Some(face) if faces.contains(&face) => Fate::Refused(EventFault::DrawnTwice),
                Some(face) if !eligible.contains(face) => Fate::Refused(why_not(of, *verb, map, face)),
                Some(face) if verb_on(face) != Some(*verb) => {
                    let other = verb_on(face)
                        .map_or(EventFault::NotDrawn, |verb| EventFault::OtherChange(verb.infinitive()));
                    Fate::Refused(other)
                }
                Some(_) if faces.len() == count => Fate::Refused(EventFault::TooMany(count)),
                Some(face) => {
                    faces.push(face);
                    Fate::Made
                }
            };
        }
        if faces.is_empty() && count > 0 {
            self.undrawn.push(of.id.clone());
        }
        faces
    }

    fn exempt(&mut self, _: Phase, _: &str, power: Power, homes: &ProvinceSet) -> Option<ProvinceId> {
        let of_power = |entry: &&mut Entry| matches!(entry.drawn, Drawn::Exempt(of, _) if of == power);
        let entry = self.waiting().find(of_power)?;
        match entry.drawn {
            Drawn::Exempt(_, centre) if homes.contains(centre) => {
                entry.fate = Fate::Made;
                Some(centre)
            }
            _ => {
                entry.fate = Fate::Refused(EventFault::NotExempt);
                None
            }
        }
    }

    fn ends(&mut self, _: Phase, terrain: &MapTables, province: ProvinceId) -> Option<[HalfEdgeId; 2]> {
        let chart = terrain.chart();
        let name = chart.map().name(province);
        let (entry, event) = self.entries.iter_mut().find_map(|entry| match &entry.drawn {
            Drawn::Face { name: of, split: Some(split), .. }
                if of == name && matches!(entry.fate, Fate::Made) =>
            {
                let split = split.clone();
                Some((entry, split))
            }
            Drawn::Face { .. } | Drawn::Stays(_) | Drawn::Exempt(..) => None,
        })?;
        // Checked beforehand: the game assumes that a drawn split is possible.
        let tried = event.split_sides(chart).and_then(|[first, second]| {
            chart.clone().split(first, second)?;
            Ok([first, second])
        });
        match tried {
            Ok(sides) => Some(sides),
            Err(error) => {
                entry.fate = Fate::Refused(error.into());
                None
            }
        }
    }

    fn half(&mut self, _: Phase, terrain: &MapTables, halves: &[ProvinceId]) -> Option<ProvinceId> {
        let map = terrain.chart().map();
        let named = |entry: &Entry| match &entry.drawn {
            Drawn::Stays(name) => halves.iter().copied().find(|&half| map.name(half) == name),
            _ => None,
        };
        let (half, entry) = self.waiting().find_map(|entry| Some((named(entry)?, entry)))?;
        entry.fate = Fate::Made;
        Some(half)
    }
}

/// The rules by which a text is read as a draw of the variant in a phase.
#[derive(Clone, Copy)]
struct Rules<'a> {
    variant: &'a Variant,
    phase: Phase,
    terrain: &'a MapTables,
}

impl Rules<'_> {
    /// The draw that the text describes.
    fn read(self, text: &str) -> Result<Drawn, EventFault> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let is = |word: &str, key: &str| word.eq_ignore_ascii_case(key);
        match words[..] {
            [key, half] if is(key, "stays") => {
                match self.variant.changes.entries().iter().find(|entry| entry.draws(Verb::Split)) {
                    Some(_) => Ok(Drawn::Stays(half.to_ascii_uppercase())),
                    None => Err(EventFault::NotDrawn),
                }
            }
            [key, power, centre] if is(key, "exempt") => {
                let power = self
                    .terrain
                    .power_names()
                    .named(&power.to_ascii_uppercase())
                    .map_err(|_| InvalidEvent(text.trim().to_owned()))?;
                if self.variant.changes.mark().is_none_or(|mark| mark.unnamed != Unnamed::Nature) {
                    return Err(EventFault::NoneToExempt);
                }
                let centre = centre.to_ascii_uppercase();
                let found = self.terrain.chart().map().find(&centre);
                Ok(Drawn::Exempt(power, found.ok_or(SurgeryError::NoSuchFace(centre))?))
            }
            _ => match text.split_once(':') {
                Some((id, drawn)) => self.face(Some(id.trim()), drawn),
                None => self.face(None, text),
            },
        }
    }

    /// The draw that the text describes, if an entry can make it in this phase: the one with this id, or the only one.
    fn face(self, id: Option<&str>, text: &str) -> Result<Drawn, EventFault> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut canal = None;
        let (verb, name, split) = match words[..] {
            // A mark does not change the map.
            [word, name] if word.eq_ignore_ascii_case(Verb::Mark.name()) => {
                (Verb::Mark, name.to_ascii_uppercase(), None)
            }
            _ => {
                let event: MapEvent = text.parse()?;
                let (verb, name) = match &event {
                    MapEvent::Collapse(name) => (Verb::Collapse, name),
                    MapEvent::Void(name) => (Verb::Void, name),
                    MapEvent::Restore(name) | MapEvent::Fill(name) => (Verb::Restore, name),
                    MapEvent::Dig { province, seas } => {
                        canal = Some((province.clone(), seas.clone()));
                        (Verb::Dig, province)
                    }
                    MapEvent::Submerge(name) => (Verb::Submerge, name),
                    MapEvent::Raise(name) => (Verb::Raise, name),
                    MapEvent::Freeze(name) => (Verb::Freeze, name),
                    MapEvent::Open(name) => (Verb::Open, name),
                    MapEvent::Found { name, home: None } => (Verb::Found, name),
                    MapEvent::Ruin(name) => (Verb::Ruin, name),
                    MapEvent::Split { province, .. } => (Verb::Split, province),
                    _ => return Err(EventFault::NotDrawn),
                };
                (verb, name.clone(), Some(event).filter(|_| verb == Verb::Split))
            }
        };
        let map = self.terrain.chart().map();
        let is_so = |change: &FaceChange| {
            canal.as_ref().is_none_or(|(province, [one, other])| {
                let places = (map.find(province), map.find(one), map.find(other));
                let (Some(face), Some(one), Some(other)) = places else { return false };
                change.ends.has_canal(map, face, [one, other])
            })
        };
        let drawing = |change: &FaceChange| {
            change.draws_in(self.phase.into()) && self.may_draw(change) && is_so(change)
        };
        let fitting =
            self.variant.changes.faces().filter(|(entry, change)| entry.draws(verb) && drawing(change));
        let ids: Vec<&str> =
            fitting.map(|(entry, _)| entry.id.as_str()).filter(|of| id.is_none_or(|id| id == *of)).collect();
        match ids[..] {
            [] => Err(EventFault::NotDrawn),
            [id] => Ok(Drawn::Face { id: id.to_owned(), verb, name, split }),
            _ => Err(EventFault::Ambiguous(ids.join(" and "))),
        }
    }

    /// May the faces of a change be drawn in this phase, or after it?
    fn may_draw(self, change: &FaceChange) -> bool {
        match (self.phase.kind, self.phase.season) {
            (PhaseKind::Movement, _) => true,
            (PhaseKind::Retreats, _) => change.at == Point::End,
            (PhaseKind::Adjustments, Season::Winter) => change.at != Point::BeforeRetreats,
            (PhaseKind::Adjustments | PhaseKind::Seismic, _) => false,
        }
    }
}

/// Why a face cannot be drawn for an entry.
fn why_not(entry: &ChangeEntry, verb: Verb, map: &PlanarMap, face: ProvinceId) -> EventFault {
    let set = || entry.faces().and_then(FaceChange::set).map(ToString::to_string).unwrap_or_default();
    if entry.is_ranked() {
        EventFault::Ranked
    } else if map.holes().contains(face) && verb != Verb::Restore {
        EventFault::AlreadyHole
    } else if map.of_kind(FaceKind::Impassable).contains(face) {
        EventFault::Closed(set())
    } else {
        EventFault::NotAmong(set())
    }
}

fn fault(text: &str, reason: EventFault) -> RequestError {
    RequestError::at("nature", format_args!("{text}: {reason}"))
}

/// Announces a hole that was drawn in the preceding movement. A hole in `state.doomed` has been announced
/// already and may be named again.
pub(super) fn doom(
    name: &str,
    variant: &Variant,
    world: &mut GameState,
    phase: Phase,
    announced: &ProvinceSet,
) -> Result<(), EventFault> {
    let face = world.terrain.chart().map().find(name);
    let face = face.ok_or_else(|| SurgeryError::NoSuchFace(name.to_owned()))?;
    let Some((entry, rule)) = variant.changes.foretold() else { return Err(EventFault::NotDrawn) };
    if announced.contains(face) {
        return Ok(());
    }
    if world.doomed.contains(face) {
        return Err(EventFault::DrawnTwice);
    }
    if !variant.changes.may_be_foretold(rule, world).contains(face) {
        let map = world.terrain.chart().map();
        let verb = rule.verb_on(world.terrain.chart(), face).unwrap_or(Verb::Collapse);
        return Err(why_not(entry, verb, map, face));
    }
    let most = match &rule.which {
        Which::Drawn(_, Count::Number(number)) => usize::from(*number),
        Which::Ranked(_, ranking) if ranking.ties != Ties::All => usize::from(ranking.count),
        // Each place of the set may be announced.
        Which::Drawn(_, Count::Chance(_)) | Which::Ranked(..) => usize::MAX,
        Which::Drawn(_, Count::Per(..)) | Which::All(_) | Which::Voted(..) | Which::Scheduled(_) => 0,
    };
    if passing::announced_first(world, variant).len() >= most {
        return Err(EventFault::TooMany(most));
    }
    world.doomed.insert(face);
    let entry = variant.changes.first_foretold().ok_or(EventFault::NotDrawn)?;
    world.coming.push(Coming { face, entry, at: (phase.into(), Point::End) });
    Ok(())
}
