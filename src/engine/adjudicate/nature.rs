//! The draws of a phase (`nature`): named in the request, or made from a seed as in a run.
//!
//! Named draws are handed out when the game asks for them, so that each is checked against what can be drawn
//! at that moment. Draws that the phase does not ask for belong to the season's retreats, if there are any,
//! and are passed on to the next request; otherwise they are an error.

use super::request::{Chance, Seed};
use super::{EventFault, RequestError};
use crate::game::{Game, Stage};
use crate::rules::game_state::GameState;
use crate::rules::map_tables::MapTables;
use crate::rules::mechanism::exemption::Unnamed;
use crate::rules::mechanism::holes::Foresight;
use crate::rules::mechanism::{Closure, Mechanism};
use crate::rules::nature::{Draw, Nature, Seeded};
use crate::rules::position::{Phase, PhaseKind};
use crate::rules::variant::Variant;
use upheaval_map::ids::{Power, ProvinceId, ProvinceSet};
use upheaval_map::topology::{HalfEdgeId, InvalidEvent, MapEvent, SurgeryError};

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
            Chance::Seeded(Seed { seed, block }) => Ok(Source::Seeded(Seeded { seed: *seed, block: *block })),
            Chance::Named(texts) => Ok(Source::Named(Named::read(texts, variant, world, phase)?)),
        }
    }

    /// The `nature` of the next request, after the phase has been settled.
    ///
    /// # Errors
    /// A named draw was impossible, or the game did not ask for it.
    pub(super) fn rest(self, began: Phase, game: &Game) -> Result<Chance, RequestError> {
        match self {
            Source::Seeded(Seeded { seed, block }) => Ok(Chance::Seeded(Seed { seed, block })),
            Source::Named(named) => named.rest(began, game).map(Chance::Named),
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
pub(super) struct Named(Vec<Entry>);

/// A draw that a request names.
struct Entry {
    text: String,
    drawn: Drawn,
    fate: Fate,
}

/// The kind of draw.
enum Drawn {
    /// `collapse MAR`, `void BUR`: a face becomes a hole.
    Hole(String),
    /// `restore GAS`: a hole is restored, drawn for this purpose.
    Back(String, Draw),
    /// `split PAR PIC BRE`: a province is split.
    Split(String, MapEvent),
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
    /// The purpose for which a mechanism draws faces in this case.
    fn draw(&self) -> Option<Draw> {
        match self {
            Drawn::Hole(_) => Some(Draw::Holes),
            Drawn::Back(_, draw) => Some(*draw),
            Drawn::Split(..) => Some(Draw::Splits),
            Drawn::Stays(_) | Drawn::Exempt(..) => None,
        }
    }

    /// The face that is drawn for that purpose.
    fn face(&self) -> Option<&str> {
        match self {
            Drawn::Hole(name) | Drawn::Back(name, _) | Drawn::Split(name, _) => Some(name),
            Drawn::Stays(_) | Drawn::Exempt(..) => None,
        }
    }

    /// Why the game did not ask for it.
    fn unasked(&self) -> EventFault {
        match self {
            Drawn::Back(_, Draw::Restores) => EventFault::NoHoleBefore,
            Drawn::Hole(_) | Drawn::Back(..) | Drawn::Split(..) => EventFault::NotDrawn,
            Drawn::Stays(_) => EventFault::NothingStays,
            Drawn::Exempt(..) => EventFault::NoneToExempt,
        }
    }
}

impl Named {
    fn read(
        texts: &[String],
        variant: &Variant,
        world: &mut GameState,
        phase: Phase,
    ) -> Result<Named, RequestError> {
        let mut named = Named::default();
        // As many holes are restored as open, including those announced earlier.
        let announced = world.doomed;
        let mut holes = announced.len();
        let mut back = 0;
        for text in texts {
            let fault = |reason: EventFault| fault(text, reason);
            let rules = Rules { variant, phase, terrain: &world.terrain };
            let (drawn, most_back) = rules.read(text).map_err(fault)?;
            match &drawn {
                Drawn::Hole(name) if foretold(variant).is_some() && phase.kind == PhaseKind::Retreats => {
                    doom(name, variant, world, &announced).map_err(fault)?;
                    holes = world.doomed.len();
                    continue;
                }
                Drawn::Hole(_) => holes += 1,
                Drawn::Back(_, Draw::Restores) if holes == 0 => return Err(fault(EventFault::NoHoleBefore)),
                Drawn::Back(_, Draw::Restores) if back == holes * most_back => {
                    return Err(fault(EventFault::TooMany(back)));
                }
                Drawn::Back(..) => back += 1,
                Drawn::Split(..) | Drawn::Stays(_) | Drawn::Exempt(..) => {}
            }
            named.0.push(Entry { text: text.clone(), drawn, fate: Fate::Waiting });
        }
        Ok(named)
    }

    fn rest(self, began: Phase, game: &Game) -> Result<Vec<String>, RequestError> {
        let now = game.phase();
        let goes_on = began.kind == PhaseKind::Movement && game.stage() == Stage::Retreats;
        debug_assert!(!goes_on || (now.year, now.season) == (began.year, began.season));
        let mut rest = Vec::new();
        for Entry { text, drawn, fate } in self.0 {
            match fate {
                Fate::Made => {}
                Fate::Refused(reason) => return Err(fault(&text, reason)),
                Fate::Waiting if goes_on && !matches!(drawn, Drawn::Exempt(..)) => rest.push(text),
                Fate::Waiting => return Err(fault(&text, drawn.unasked())),
            }
        }
        Ok(rest)
    }

    fn waiting(&mut self) -> impl Iterator<Item = &mut Entry> {
        self.0.iter_mut().filter(|entry| matches!(entry.fate, Fate::Waiting))
    }
}

impl Nature for Named {
    fn faces(
        &mut self,
        _: Phase,
        draw: Draw,
        terrain: &MapTables,
        eligible: &ProvinceSet,
        count: usize,
    ) -> Vec<ProvinceId> {
        let map = terrain.chart().map();
        let holes = map.holes();
        let mut faces = Vec::new();
        for entry in self.waiting().filter(|entry| entry.drawn.draw() == Some(draw)) {
            let Some(name) = entry.drawn.face() else { continue };
            let opens_or_closes = |face| match entry.drawn {
                Drawn::Hole(_) => !holes.contains(face),
                Drawn::Back(..) => holes.contains(face),
                _ => true,
            };
            entry.fate = match map.find(name) {
                None => Fate::Refused(SurgeryError::NoSuchFace(name.to_owned()).into()),
                Some(face) if !eligible.contains(face) || !opens_or_closes(face) || faces.contains(&face) => {
                    Fate::Refused(EventFault::NotEligible)
                }
                Some(_) if faces.len() == count => Fate::Refused(EventFault::TooMany(count)),
                Some(face) => {
                    faces.push(face);
                    Fate::Made
                }
            };
        }
        faces
    }

    fn exempt(&mut self, _: Phase, power: Power, homes: &ProvinceSet) -> Option<ProvinceId> {
        let of_power = |entry: &&mut Entry| matches!(entry.drawn, Drawn::Exempt(of, _) if of == power);
        let entry = self.waiting().find(of_power)?;
        match entry.drawn {
            Drawn::Exempt(_, centre) if homes.contains(centre) => {
                entry.fate = Fate::Made;
                Some(centre)
            }
            _ => {
                entry.fate = Fate::Refused(EventFault::NotEligible);
                None
            }
        }
    }

    fn ends(&mut self, _: Phase, terrain: &MapTables, province: ProvinceId) -> Option<[HalfEdgeId; 2]> {
        let chart = terrain.chart();
        let name = chart.map().name(province);
        let (entry, event) = self.0.iter_mut().find_map(|entry| match &entry.drawn {
            Drawn::Split(split, event) if split == name && matches!(entry.fate, Fate::Made) => {
                let event = event.clone();
                Some((entry, event))
            }
            _ => None,
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
    /// The draw that the text describes and, where a rule limits it, how many restorations accompany a hole.
    fn read(self, text: &str) -> Result<(Drawn, usize), EventFault> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let is = |word: &str, key: &str| word.eq_ignore_ascii_case(key);
        match words[..] {
            [key, half] if is(key, "stays") => {
                let splits = |mechanism: &Mechanism| matches!(mechanism, Mechanism::Splits(_));
                match self.variant.mechanisms.iter().any(splits) {
                    true => Ok((Drawn::Stays(half.to_ascii_uppercase()), 0)),
                    false => Err(EventFault::NotDrawn),
                }
            }
            [key, power, centre] if is(key, "exempt") => {
                let power = self
                    .terrain
                    .power_names()
                    .named(&power.to_ascii_uppercase())
                    .map_err(|_| InvalidEvent(text.trim().to_owned()))?;
                if !self.variant.exemption().is_some_and(|rule| rule.unnamed == Unnamed::Drawn) {
                    return Err(EventFault::NoneToExempt);
                }
                let centre = centre.to_ascii_uppercase();
                let found = self.terrain.chart().map().find(&centre);
                Ok((Drawn::Exempt(power, found.ok_or(SurgeryError::NoSuchFace(centre))?), 0))
            }
            _ => {
                let event: MapEvent = text.parse()?;
                let rule = |mechanism| self.drawn_by(mechanism, &event);
                self.variant.mechanisms.iter().find_map(rule).ok_or(EventFault::NotDrawn)
            }
        }
    }

    /// The draw that the event describes, if the mechanism can make it in this phase.
    fn drawn_by(self, mechanism: &Mechanism, event: &MapEvent) -> Option<(Drawn, usize)> {
        let Phase { kind, season, .. } = self.phase;
        let in_season = matches!(kind, PhaseKind::Movement | PhaseKind::Retreats);
        let hole = |closure| match event {
            MapEvent::Collapse(name) if closure == Closure::Collapse => Some(Drawn::Hole(name.clone())),
            MapEvent::Void(name) if closure == Closure::Void => Some(Drawn::Hole(name.clone())),
            _ => None,
        };
        match (mechanism, event) {
            (Mechanism::Holes(rule), _) if in_season && rule.seasons.includes(season) => {
                hole(rule.closure).map(|drawn| (drawn, 0))
            }
            (Mechanism::Toggles(rule), _) if kind == PhaseKind::Movement && rule.seasons.includes(season) => {
                match event {
                    MapEvent::Restore(name) => Some((Drawn::Back(name.clone(), Draw::Holes), 0)),
                    _ => hole(rule.closure).map(|drawn| (drawn, 0)),
                }
            }
            (Mechanism::Restores(rule), MapEvent::Restore(name)) if in_season && self.phase >= rule.from => {
                Some((Drawn::Back(name.clone(), Draw::Restores), rule.per_hole.into()))
            }
            (Mechanism::Splits(rule), MapEvent::Split { province, .. })
                if in_season && rule.seasons.includes(season) =>
            {
                Some((Drawn::Split(province.clone(), event.clone()), 0))
            }
            _ => None,
        }
    }
}

fn fault(text: &str, reason: EventFault) -> RequestError {
    RequestError::Event { field: "nature", event: text.to_owned(), reason: Box::new(reason) }
}

/// The mechanism whose holes are announced before the retreats and open after them.
pub(super) fn foretold(variant: &Variant) -> Option<&crate::rules::mechanism::Holes> {
    variant.mechanisms.iter().find_map(|mechanism| match mechanism {
        Mechanism::Holes(rule) if rule.retreats == Foresight::Foretold => Some(rule),
        _ => None,
    })
}

/// Announces a hole that was drawn in the preceding movement. A hole in `state.doomed` has been announced
/// already and may be named again.
pub(super) fn doom(
    name: &str,
    variant: &Variant,
    world: &mut GameState,
    announced: &ProvinceSet,
) -> Result<(), EventFault> {
    let face = world.terrain.chart().map().find(name);
    let face = face.ok_or_else(|| SurgeryError::NoSuchFace(name.to_owned()))?;
    let Some(rule) = foretold(variant) else { return Err(EventFault::NotDrawn) };
    if announced.contains(face) {
        return Ok(());
    }
    if world.doomed.contains(face) || !rule.eligible(world).contains(face) {
        return Err(EventFault::NotEligible);
    }
    if world.doomed.len() == usize::from(rule.per_season) {
        return Err(EventFault::TooMany(rule.per_season.into()));
    }
    world.doomed.insert(face);
    Ok(())
}
