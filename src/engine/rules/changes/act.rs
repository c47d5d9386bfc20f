//! What the entries do: at each point of a season those that act, in the order of the file, each on the map that the
//! earlier ones left.
//!
//! ```text
//!  orders ──▶ movement ──▶ BEFORE RETREATS ──▶ retreats ──▶ owners (Fall) ──▶ END ──▶ adjustments ──▶ END of Winter
//!    marks                  what is foretold                                  marks end        (quakes have a phase of
//!    are made               is chosen                                         or are offered    their own after END)
//!
//!  an entry:   set ──▶ those that fit the verb ──▶ nature draws ──▶ drawn (log) ──▶ units ──▶ the map ──▶ events, owners
//! ```
//!
//! A season in which nothing acts costs one test ([`Changes::acting`]).

use arrayvec::ArrayVec;
use upheaval_map::ids::{MAX_PROVINCES, ProvinceId, ProvinceSet};
use upheaval_map::topology::{NamedMap, Surgery};

use super::consequences::{self, Movement};
use super::entry::{Count, Entry, FaceChange, MOST_ENTRIES, Which};
use super::list::Changes;
use super::set::{Scene, of_kinds};
use super::spared;
use super::words::{Point, Verb};
use crate::rules::event::Event;
use crate::rules::game_state::{EventContext, GameState};
use crate::rules::map_tables::MapTables;
use crate::rules::position::Season;

/// The places that each entry has changed at a point.
type Fresh = [ProvinceSet; MOST_ENTRIES];

/// The game at a point, where sets are evaluated.
struct AtPoint<'a> {
    changes: &'a Changes,
    world: &'a GameState,
    fresh: &'a Fresh,
}

impl Scene for AtPoint<'_> {
    fn terrain(&self) -> &MapTables {
        &self.world.terrain
    }

    fn held(&self, entry: usize) -> ProvinceSet {
        match self.changes.mark == Some(entry) {
            true => self.world.exempt_centres(),
            false => self.world.held.get(entry).copied().unwrap_or(ProvinceSet::EMPTY),
        }
    }

    fn fresh(&self, entry: usize) -> ProvinceSet {
        self.fresh[entry]
    }
}

impl Changes {
    /// Makes room in a state for what the entries remember.
    pub(crate) fn prepare(&self, world: &mut GameState) {
        if world.held.is_empty() && (0..self.entries().len()).any(|entry| self.is_held(entry)) {
            world.held = vec![ProvinceSet::EMPTY; self.entries().len()];
        }
    }

    /// The places on which a change may act in this state, before anything has changed at the same point.
    pub fn eligible(&self, change: &FaceChange, world: &GameState) -> ProvinceSet {
        self.eligible_at(change, world, &[ProvinceSet::EMPTY; MOST_ENTRIES])
    }

    /// The places that may have been announced before the retreats, after which the game waits in this state. The set of
    /// that moment is unknown if the map has changed since, or if it names what had changed at that point.
    pub(crate) fn may_be_foretold(&self, change: &FaceChange, world: &GameState) -> ProvinceSet {
        let names_new = change.set().is_some_and(|set| set.named_new().next().is_some());
        let is_unknown = self.act_before_retreats() || names_new;
        if is_unknown { fitting(change, &world.terrain) } else { self.eligible(change, world) }
    }

    fn eligible_at(&self, change: &FaceChange, world: &GameState, fresh: &Fresh) -> ProvinceSet {
        let places = match &change.which {
            Which::Drawn(set, _) | Which::All(set) => set.faces(&AtPoint { changes: self, world, fresh }),
            Which::Scheduled(_) => return ProvinceSet::EMPTY,
        };
        places & fitting(change, &world.terrain)
    }

    /// After the movement of a Spring or Fall is settled, before its retreats.
    pub(crate) fn before_retreats(
        &self,
        world: &mut GameState,
        scene: &mut EventContext<'_>,
        movement: Movement<'_>,
    ) {
        if self.first_holes() == Point::BeforeRetreats {
            world.fresh_holes = ProvinceSet::EMPTY;
        }
        self.act(world, scene, Point::BeforeRetreats, Some(movement));
    }

    /// After the retreats of a Spring or Fall are settled and, in Fall, the owners are recorded (rules.md 3.1).
    pub(crate) fn end_season(&self, world: &mut GameState, scene: &mut EventContext<'_>) {
        if self.first_holes() == Point::End {
            world.fresh_holes = ProvinceSet::EMPTY;
        }
        self.end(world, scene);
        self.note_occupants(world);
    }

    /// Records the occupants of provinces: after a Spring or Fall, and before the adjustments of a Winter, which the
    /// occupants may not survive (rules.md 6.5b).
    pub(crate) fn note_occupants(&self, world: &mut GameState) {
        if !self.needs_last_occupants() {
            return;
        }
        for at in *world.position.occupied() {
            world.last_occupant[at] = world.position.unit(at).map(|unit| unit.power);
        }
    }

    /// After the adjustments of a Winter, whether or not there were any.
    pub(crate) fn end_winter(&self, world: &mut GameState, scene: &mut EventContext<'_>) {
        if self.acting(Point::End, Season::Winter) != 0 {
            world.fresh_holes = ProvinceSet::EMPTY;
            self.end(world, scene);
        }
    }

    /// Ends the marks of eliminated powers, lets the entries of the end of a season act, and offers changes of marks.
    fn end(&self, world: &mut GameState, scene: &mut EventContext<'_>) {
        if let Some(mark) = self.mark() {
            spared::lapse(mark, world, scene);
        }
        self.act(world, scene, Point::End, None);
        if let Some(mark) = self.mark() {
            spared::offer(mark, world);
        }
    }

    /// Lets the entries that act at this point act.
    fn act(
        &self,
        world: &mut GameState,
        scene: &mut EventContext<'_>,
        point: Point,
        movement: Option<Movement<'_>>,
    ) {
        let mut acting = self.acting(point, scene.at.season);
        if acting == 0 {
            return;
        }
        let mut fresh: Fresh = [ProvinceSet::EMPTY; MOST_ENTRIES];
        while acting != 0 {
            let index = acting.trailing_zeros() as usize;
            acting &= acting - 1;
            let entry = &self.entries()[index];
            let Some(change) = entry.faces().filter(|change| change.acts(scene.at.into())) else { continue };
            let is_told = change.is_foretold() && point == Point::BeforeRetreats;
            let doing = Doing { changes: self, index, entry, change };
            let mut places = match is_told || !change.is_foretold() {
                true => doing.choose(world, scene, &fresh),
                false => std::mem::take(&mut world.doomed).iter().collect(),
            };
            if is_told {
                world.doomed = places.into_iter().collect();
            } else {
                doing.skip(world, scene, &mut places);
                fresh[index] = doing.carry_out(world, scene, &places, movement, &mut fresh);
                world.forget_idle_choices();
            }
        }
    }
}

/// The faces on which some verb of a change can act.
fn fitting(change: &FaceChange, terrain: &MapTables) -> ProvinceSet {
    let verbs = change.verbs.each();
    verbs.iter().map(|(verb, kinds)| verb.fits(terrain) & of_kinds(*kinds, terrain)).collect()
}

/// An entry while it acts.
struct Doing<'a> {
    changes: &'a Changes,
    index: usize,
    entry: &'a Entry,
    change: &'a FaceChange,
}

impl Doing<'_> {
    /// Chooses the places, and announces those that nature has drawn to become holes.
    fn choose(&self, world: &GameState, scene: &mut EventContext<'_>, fresh: &Fresh) -> Vec<ProvinceId> {
        let terrain = &world.terrain;
        let count = match &self.change.which {
            Which::Scheduled(schedule) => {
                return schedule.of(scene.at.into(), terrain.chart().map()).iter().collect();
            }
            Which::All(_) => return self.changes.eligible_at(self.change, world, fresh).iter().collect(),
            Which::Drawn(_, Count::Number(number)) => usize::from(*number),
            Which::Drawn(_, Count::Per(number, entry)) => usize::from(*number) * fresh[entry.index].len(),
        };
        let count = match self.change.verbs.has(Verb::Split) {
            true => count.min(MAX_PROVINCES - terrain.chart().map().faces().count()),
            false => count,
        };
        if count == 0 {
            return Vec::new();
        }
        let eligible = self.changes.eligible_at(self.change, world, fresh);
        let mut drawn = scene.nature.faces(scene.at, self.entry, terrain, &eligible, count);
        drawn.retain(|&face| eligible.contains(face));
        if !self.change.verbs.has(Verb::Split) {
            drawn.sort_unstable();
            drawn.dedup();
        }
        for (verb, kinds) in self.change.verbs.each() {
            let of_verb = of_kinds(kinds, terrain);
            for face in drawn.iter().filter(|&&face| verb.makes_hole() && of_verb.contains(face)) {
                world.tell(scene, &Event::HoleDrawn(*face));
            }
        }
        drawn
    }

    /// Leaves out the places on which no verb can act: those of a schedule, and those that were foretold and have changed
    /// since.
    fn skip(&self, world: &GameState, scene: &mut EventContext<'_>, places: &mut Vec<ProvinceId>) {
        if !self.change.is_foretold() && !self.is_scheduled() {
            return; // chosen among those that fit
        }
        let fitting = fitting(self.change, &world.terrain);
        places.retain(|&place| {
            if !fitting.contains(place) {
                self.tell_skipped(world, scene, place);
            }
            fitting.contains(place)
        });
    }

    fn is_scheduled(&self) -> bool {
        matches!(self.change.which, Which::Scheduled(_))
    }

    fn tell_skipped(&self, world: &GameState, scene: &mut EventContext<'_>, place: ProvinceId) {
        world.tell(scene, &Event::Skipped(place, self.entry.id.as_str().into()));
    }

    /// Changes these places. Returns what has changed.
    fn carry_out(
        &self,
        world: &mut GameState,
        scene: &mut EventContext<'_>,
        places: &[ProvinceId],
        movement: Option<Movement<'_>>,
        fresh: &mut Fresh,
    ) -> ProvinceSet {
        if places.is_empty() {
            return ProvinceSet::EMPTY;
        }
        let set: ProvinceSet = places.iter().copied().collect();
        match () {
            () if self.change.verbs.has(Verb::Split) => {
                let changed = self.split(world, scene, places, fresh);
                self.hold(world, Verb::Split, changed);
                changed
            }
            () if self.change.verbs.has(Verb::Found) => {
                let places = set & Verb::Found.fits(&world.terrain);
                consequences::found(self.changes, self.change, world, scene, places);
                self.hold(world, Verb::Found, places);
                places
            }
            () => self.reshape(world, scene, set, movement),
        }
    }

    /// Splits the provinces one by one, each on the map after the cut before.
    fn split(
        &self,
        world: &mut GameState,
        scene: &mut EventContext<'_>,
        places: &[ProvinceId],
        fresh: &mut Fresh,
    ) -> ProvinceSet {
        let mut changed = ProvinceSet::EMPTY;
        for &province in places {
            let is_full = world.terrain.chart().map().faces().count() == MAX_PROVINCES;
            let ends = if is_full { None } else { scene.nature.ends(scene.at, &world.terrain, province) };
            let halves = ends.and_then(|ends| {
                world.tell(scene, &Event::SplitDrawn(province, ends));
                consequences::split(world, scene, self.change.stranded, province, ends)
            });
            match halves {
                // Earlier entries have changed both halves at this point.
                Some([_, second]) => {
                    fresh.iter_mut().filter(|set| set.contains(province)).for_each(|set| set.insert(second));
                }
                None if self.is_scheduled() => self.tell_skipped(world, scene, province),
                None => {}
            }
            changed |= halves.into_iter().flatten().collect();
        }
        changed
    }

    /// All other changes: all places at once, in one change of the map.
    fn reshape(
        &self,
        world: &mut GameState,
        scene: &mut EventContext<'_>,
        places: ProvinceSet,
        movement: Option<Movement<'_>>,
    ) -> ProvinceSet {
        let terrain = &world.terrain;
        let part = |(verb, kinds): (Verb, _)| (verb, places & verb.fits(terrain) & of_kinds(kinds, terrain));
        let parts: ArrayVec<(Verb, ProvinceSet), 5> =
            self.change.verbs.each().into_iter().map(part).collect();
        let of = |is: fn(Verb) -> bool| -> ProvinceSet {
            parts.iter().filter(|(verb, _)| is(*verb)).map(|(_, faces)| *faces).collect()
        };
        let (all, opening, closing) = (of(|_| true), of(Verb::makes_hole), of(|verb| verb == Verb::Restore));
        if all.is_empty() {
            return all;
        }
        if let Some(movement) = movement {
            consequences::swallow(self.change, world, scene, opening, movement);
        }
        // Only faces that fit are changed, so that none of these operations can fail half-way.
        let done = world.change_map(scene, self.change.stranded, |chart| {
            parts
                .iter()
                .try_for_each(|&(verb, faces)| faces.iter().try_for_each(|face| apply(verb, chart, face)))
        });
        if done.is_err() {
            return ProvinceSet::EMPTY;
        }
        world.fresh_holes |= opening;
        for &(verb, faces) in &parts {
            self.hold(world, verb, faces);
            for face in faces {
                if let Some(event) = verb.event(face) {
                    world.tell(scene, &event);
                }
                if verb == Verb::Restore {
                    consequences::bring_back(self.changes, self.change, world, scene, face);
                }
            }
        }
        if movement.is_some() && !closing.is_empty() {
            world.retreats.sort_by_province();
        }
        all
    }

    /// Notes what this entry has changed by a verb, and that the earlier changes there are replaced.
    fn hold(&self, world: &mut GameState, by: Verb, changed: ProvinceSet) {
        if world.held.is_empty() || changed.is_empty() {
            return;
        }
        for (other, of_other) in self.changes.entries().iter().enumerate() {
            let Some(of_other) = of_other.faces().filter(|_| other != self.index) else { continue };
            if of_other.verbs.each().iter().any(|(verb, _)| by.replaces(*verb)) {
                world.held[other] -= changed;
            }
        }
        if self.changes.is_held(self.index) {
            world.held[self.index] |= changed;
        }
    }
}

impl Verb {
    /// Does it change the same property of a place, so that what the other has done there is no longer so?
    const fn replaces(self, other: Verb) -> bool {
        match self {
            Verb::Collapse | Verb::Void | Verb::Restore => {
                matches!(other, Verb::Collapse | Verb::Void | Verb::Restore)
            }
            Verb::Submerge | Verb::Open => matches!(other, Verb::Submerge | Verb::Open | Verb::Found),
            Verb::Split | Verb::Found | Verb::Mark | Verb::Quake => false,
        }
    }
}

/// Changes a face of the map.
pub(super) fn apply(verb: Verb, chart: &mut NamedMap, face: ProvinceId) -> Surgery {
    match verb {
        Verb::Collapse => chart.collapse(face),
        Verb::Void => chart.void(face),
        Verb::Restore => chart.restore(face),
        Verb::Submerge => chart.submerge(face),
        Verb::Open => chart.open(face),
        Verb::Found => {
            chart.found_centre(face);
            Ok(())
        }
        Verb::Split | Verb::Mark | Verb::Quake => Ok(()),
    }
}
