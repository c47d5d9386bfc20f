//! The draws of a phase (`nature`): named in the request, or made from a seed as in a run.
//!
//! Named draws are handed out when the game asks for them, so that each is checked against what can be drawn
//! at that moment. Draws that the phase does not ask for belong to the season's retreats, if there are any,
//! and are passed on to the next request; otherwise they are an error.

use super::request::{Chance, EventFault, RequestError, Seed};
use crate::game::{Game, Stage};
use crate::rules::game_state::GameState;
use crate::rules::map_tables::MapTables;
use crate::rules::mechanism::exemption::Unnamed;
use crate::rules::mechanism::holes::Foresight;
use crate::rules::mechanism::{Closure, Holes};
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
        let per_hole = variant.restores().map_or(0, |rule| usize::from(rule.per_hole));
        let (mut holes, mut back) = (announced.len(), 0);
        for text in texts {
            let fault = |reason: EventFault| fault(text, reason);
            let rules = Rules { variant, phase, terrain: &world.terrain };
            let drawn = rules.read(text).map_err(fault)?;
            match &drawn {
                Drawn::Hole(name) if foretold(variant).is_some() && phase.kind == PhaseKind::Retreats => {
                    doom(name, variant, world, &announced).map_err(fault)?;
                    holes = world.doomed.len();
                    continue;
                }
                Drawn::Hole(_) => holes += 1,
                Drawn::Back(_, Draw::Restores) if holes == 0 => return Err(fault(EventFault::NoHoleBefore)),
                Drawn::Back(_, Draw::Restores) if back == holes * per_hole => {
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
    /// The draw that the text describes.
    fn read(self, text: &str) -> Result<Drawn, EventFault> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let is = |word: &str, key: &str| word.eq_ignore_ascii_case(key);
        match words[..] {
            [key, half] if is(key, "stays") => match self.variant.splits() {
                Some(_) => Ok(Drawn::Stays(half.to_ascii_uppercase())),
                None => Err(EventFault::NotDrawn),
            },
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
                Ok(Drawn::Exempt(power, found.ok_or(SurgeryError::NoSuchFace(centre))?))
            }
            _ => self.drawn(text.parse()?).ok_or(EventFault::NotDrawn),
        }
    }

    /// The draw that the event describes, if a mechanism can make it in this phase.
    fn drawn(self, event: MapEvent) -> Option<Drawn> {
        let Self { variant, phase: Phase { kind, season, .. }, .. } = self;
        let in_season = matches!(kind, PhaseKind::Movement | PhaseKind::Retreats);
        let holes = variant.holes().filter(|rule| in_season && rule.seasons.includes(season));
        let toggles =
            variant.toggles().filter(|rule| kind == PhaseKind::Movement && rule.seasons.includes(season));
        let closure = holes.map(|rule| rule.closure).or(toggles.map(|rule| rule.closure));
        let restores = || variant.restores().is_some_and(|rule| in_season && self.phase >= rule.from);
        let splits = || variant.splits().is_some_and(|rule| in_season && rule.seasons.includes(season));
        match event {
            MapEvent::Collapse(name) if closure == Some(Closure::Collapse) => Some(Drawn::Hole(name)),
            MapEvent::Void(name) if closure == Some(Closure::Void) => Some(Drawn::Hole(name)),
            MapEvent::Restore(name) if toggles.is_some() => Some(Drawn::Back(name, Draw::Holes)),
            MapEvent::Restore(name) if restores() => Some(Drawn::Back(name, Draw::Restores)),
            MapEvent::Split { ref province, .. } if splits() => Some(Drawn::Split(province.clone(), event)),
            _ => None,
        }
    }
}

fn fault(text: &str, reason: EventFault) -> RequestError {
    RequestError::at("nature", format_args!("{text}: {reason}"))
}

/// The mechanism whose holes are announced before the retreats and open after them.
pub(super) fn foretold(variant: &Variant) -> Option<&Holes> {
    variant.holes().filter(|rule| rule.retreats == Foresight::Foretold)
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
