//! What the entries do: at each point of a season those that act, in the order of the file, each on the map that the
//! earlier ones left.
//!
//! ```text
//!  START of a game (once, in the Winter before its first Spring)
//!
//!  orders ──▶ movement ──▶ BEFORE RETREATS ──▶ retreats ──▶ owners (Fall) ──▶ END ──▶ adjustments ──▶ END of Winter
//!    marks                  what is foretold                                  marks end        (quakes have a phase of
//!    are made               is chosen                                         or are offered    their own after END)
//!
//!  an entry:   set ──▶ those that fit the verb ──▶ nature draws ──▶ drawn (log) ──▶ units ──▶ the map ──▶ events, owners
//! ```
//!
//! A season in which nothing acts costs one test ([`Changes::acting`]).

use upheaval_map::ids::{MAX_PROVINCES, Power, ProvinceId, ProvinceSet};
use upheaval_map::topology::{NamedMap, Quake, Surgery};

use super::consequences::{self, Movement};
use super::entry::{Count, Entry, Extreme, FaceChange, MOST_ENTRIES, Measure, Ranking, Which};
use super::foretold::Coming;
use super::list::Changes;
use super::manner::Manner;
use super::passing::{Lasting, Passing, Property};
use super::set::{self, Borders, Kinds, Scene};
use super::spared;
use super::verb::{canals, kind_of};
use super::when::{Moment, Span};
use super::words::{CentreFate, Fate, Point, Ties, Verb};
use crate::rules::event::Event;
use crate::rules::game_state::{EventContext, GameState};
use crate::rules::map_tables::MapTables;
use crate::rules::nature::HowMany;
use crate::rules::position::{Position, Season};

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

    fn position(&self) -> &Position {
        &self.world.position
    }

    fn last(&self, entry: usize) -> ProvinceSet {
        self.world.last_changed.get(entry).copied().unwrap_or(ProvinceSet::EMPTY)
    }

    fn occupied_lately(&self, seasons: u8) -> Option<ProvinceSet> {
        let lately = self.world.occupied_lately.get(..seasons.into())?;
        Some(lately.iter().copied().collect())
    }

    fn country(&self, power: Power) -> ProvinceSet {
        self.changes.country(self.terrain(), power)
    }
}

impl Changes {
    /// Makes room in a state for what the entries remember.
    pub(crate) fn prepare(&self, world: &mut GameState) {
        let room = |is: &dyn Fn(usize) -> bool| {
            let is_used = (0..self.entries().len()).any(is);
            if is_used { vec![ProvinceSet::EMPTY; self.entries().len()] } else { Vec::new() }
        };
        if world.held.is_empty() {
            world.held = room(&|entry| self.is_held(entry));
        }
        if world.last_changed.is_empty() {
            world.last_changed = room(&|entry| self.is_remembered(entry));
        }
    }

    /// The places on which a change may act in this state, before anything has changed at the same point.
    pub fn eligible(&self, change: &FaceChange, world: &GameState) -> ProvinceSet {
        self.eligible_at(change, world, &[ProvinceSet::EMPTY; MOST_ENTRIES])
    }

    /// The places that may have been announced before the retreats, after which the game waits in this state. The set of
    /// that moment is unknown if the map has changed since, or if it names what had changed at that point.
    pub(crate) fn may_be_foretold(&self, change: &FaceChange, world: &GameState) -> ProvinceSet {
        let names_new = change.sets().any(|set| set.named_new().next().is_some());
        let is_unknown = self.act_before_retreats() || names_new;
        if is_unknown { fitting(change, &world.terrain) } else { self.eligible(change, world) }
    }

    /// The seismic orders that the map and the entry allow in this state, in canonical order; `None` if the entry allows
    /// all.
    pub(crate) fn quakes_in(&self, world: &GameState) -> Option<Vec<Quake>> {
        let Borders(sides) = self.quakes()?.of.as_ref()?;
        let scene = AtPoint { changes: self, world, fresh: &[ProvinceSet::EMPTY; MOST_ENTRIES] };
        let [one, other] = sides.each_ref().map(|set| set.faces(&scene));
        let is_between = |quake: &&Quake| {
            let [a, b] = quake.moved(world.terrain.chart().map());
            one.contains(a) && other.contains(b) || one.contains(b) && other.contains(a)
        };
        Some(world.terrain.quakes().iter().filter(is_between).copied().collect())
    }

    fn eligible_at(&self, change: &FaceChange, world: &GameState, fresh: &Fresh) -> ProvinceSet {
        let Some(set) = change.set() else { return ProvinceSet::EMPTY };
        set.faces(&AtPoint { changes: self, world, fresh }) & fitting(change, &world.terrain)
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
        if !world.coming.is_empty() {
            self.doom(world, scene.at.into());
        }
    }

    /// After the retreats of a Spring or Fall are settled and, in Fall, the owners are recorded (rules.md 3.1).
    pub(crate) fn end_season(&self, world: &mut GameState, scene: &mut EventContext<'_>) {
        if self.first_holes() == Point::End {
            world.fresh_holes = ProvinceSet::EMPTY;
        }
        if self.seasons() > 0 {
            world.occupied_lately.insert(0, *world.position.occupied());
            world.occupied_lately.truncate(self.seasons());
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

    /// Before the first phase of a game.
    pub(crate) fn start(&self, world: &mut GameState, scene: &mut EventContext<'_>) {
        self.act(world, scene, Point::Start, None);
        world.fresh_holes = ProvinceSet::EMPTY;
    }

    /// After the adjustments of a Winter, whether or not there were any.
    pub(crate) fn end_winter(&self, world: &mut GameState, scene: &mut EventContext<'_>) {
        if self.acting(Point::End, Season::Winter) != 0 || self.may_end(Point::End, Season::Winter) {
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

    /// Ends what is over at this point, and lets the entries that act at it act.
    fn act(
        &self,
        world: &mut GameState,
        scene: &mut EventContext<'_>,
        point: Point,
        movement: Option<Movement<'_>>,
    ) {
        let mut acting = self.acting(point, scene.at.season);
        let now = (scene.at.into(), point);
        if self.may_end(point, scene.at.season) && !world.passing.is_empty() {
            self.end_passing(world, scene, now, movement);
        }
        if acting == 0 {
            return;
        }
        let mut fresh: Fresh = [ProvinceSet::EMPTY; MOST_ENTRIES];
        let mut acted = 0_u64;
        while acting != 0 {
            let index = acting.trailing_zeros() as usize;
            acting &= acting - 1;
            let entry = &self.entries()[index];
            let Some(change) = entry.faces() else { continue };
            let doing = Doing { changes: self, index, entry, change, now, movement };
            if change.at == point && change.acts(now.0) {
                let mut places = match change.is_announced() {
                    true => world.take_coming(index, now).iter().collect(),
                    false => doing.choose(world, scene, &fresh),
                };
                doing.skip(world, scene, &mut places);
                fresh[index] = doing.carry_out(world, scene, &places, &mut fresh);
                world.forget_idle_choices();
                acted |= 1 << index;
            }
            if !change.is_announced() {
                continue;
            }
            for date in change.announces(now) {
                for face in doing.choose(world, scene, &fresh) {
                    world.coming.push(Coming { face, entry: index, at: (date, change.at) });
                }
            }
        }
        for (index, last) in world.last_changed.iter_mut().enumerate() {
            if acted & 1 << index != 0 && self.is_remembered(index) {
                *last = fresh[index];
            }
        }
    }

    /// Ends the changes that are over: those of each entry at once, in the order of the file.
    fn end_passing(
        &self,
        world: &mut GameState,
        scene: &mut EventContext<'_>,
        now: Moment,
        movement: Option<Movement<'_>>,
    ) {
        for (index, entry) in self.entries().iter().enumerate() {
            let Some(change) = entry.faces().filter(|change| change.lasts != Span::Ever) else { continue };
            let over = world.take_over(index, now);
            if over.is_empty() {
                continue;
            }
            let doing = Doing { changes: self, index, entry, change, now, movement };
            doing.take_back(world, scene, &over);
            world.forget_idle_choices();
        }
    }
}

/// The faces on which some verb of a change can act.
fn fitting(change: &FaceChange, terrain: &MapTables) -> ProvinceSet {
    if change.verbs.has(Verb::Dig) {
        return change.ends.fitting(terrain.chart().map());
    }
    let verbs = change.verbs.each();
    verbs.iter().map(|(verb, kinds)| verb.fits_within(*kinds, terrain)).collect()
}

/// An entry while it acts.
struct Doing<'a> {
    changes: &'a Changes,
    index: usize,
    entry: &'a Entry,
    change: &'a FaceChange,
    now: Moment,
    movement: Option<Movement<'a>>,
}

impl Doing<'_> {
    /// Chooses the places, and announces those that nature has drawn to become holes.
    fn choose(&self, world: &GameState, scene: &mut EventContext<'_>, fresh: &Fresh) -> Vec<ProvinceId> {
        let terrain = &world.terrain;
        let draw = match &self.change.which {
            Which::Scheduled(schedule) => {
                return schedule.of(scene.at.into(), terrain.chart().map()).iter().collect();
            }
            Which::All(_) => return self.changes.eligible_at(self.change, world, fresh).iter().collect(),
            Which::Voted(..) => return Vec::new(), // its places are announced when the votes are counted
            Which::Ranked(_, ranking) => return self.rank(ranking, world, scene, fresh),
            Which::Drawn(_, Count::Number(number)) => HowMany::Count(usize::from(*number)),
            Which::Drawn(_, Count::Per(number, entry)) => {
                HowMany::Count(usize::from(*number) * fresh[entry.index].len())
            }
            Which::Drawn(_, Count::Chance(odds)) => HowMany::Each(*odds),
        };
        let draw = match draw {
            HowMany::Count(count) => HowMany::Count(count.min(self.room(terrain))),
            HowMany::Each(odds) => HowMany::Each(odds),
        };
        if draw == HowMany::Count(0) {
            return Vec::new();
        }
        let drawn = self.draw(scene, terrain, &self.eligible(world, fresh), draw);
        if self.entry.logs_places() {
            for &face in &drawn {
                world.tell(scene, &Event::PlaceDrawn(face, self.entry.id.as_str().into()));
            }
            return drawn;
        }
        for (verb, kinds) in self.change.verbs.each().into_iter().filter(|(verb, _)| verb.makes_hole()) {
            let fits = verb.fits_within(kinds, terrain);
            for face in drawn.iter().filter(|&&face| fits.contains(face)) {
                world.tell(scene, &Event::HoleDrawn(*face));
            }
        }
        drawn
    }

    /// The places that come first by a measure, with those that tie at the last of them if they change or are drawn.
    fn rank(
        &self,
        ranking: &Ranking,
        world: &GameState,
        scene: &mut EventContext<'_>,
        fresh: &Fresh,
    ) -> Vec<ProvinceId> {
        let terrain = &world.terrain;
        let count = usize::from(ranking.count).min(self.room(terrain));
        let eligible = self.eligible(world, fresh);
        let mut ranked = ranking.measure.values(eligible, &AtPoint { changes: self.changes, world, fresh });
        match ranking.first {
            Extreme::Most => ranked.sort_by_key(|&(_, value)| std::cmp::Reverse(value)),
            Extreme::Least => ranked.sort_by_key(|&(_, value)| value),
        }
        if count.min(ranked.len()) == 0 {
            return Vec::new();
        }
        let last = ranked[count.min(ranked.len()) - 1].1;
        let before = ranked.iter().take_while(|&&(_, value)| value != last).map(|&(face, _)| face);
        let mut chosen: Vec<ProvinceId> = before.collect();
        let tied = ranked[chosen.len()..].iter().take_while(|&&(_, value)| value == last);
        let tied: ProvinceSet = tied.map(|&(face, _)| face).collect();
        let left = count - chosen.len();
        let mut drawn = Vec::new();
        if tied.len() <= left || ranking.ties == Ties::All {
            chosen.extend(tied);
        } else if ranking.ties == Ties::Nature {
            drawn = self.draw(scene, terrain, &tied, HowMany::Count(left));
        }
        let id = || self.entry.id.as_str().into();
        chosen.iter().for_each(|&face| world.tell(scene, &Event::PlaceChosen(face, id())));
        drawn.iter().for_each(|&face| world.tell(scene, &Event::PlaceDrawn(face, id())));
        chosen.extend(drawn);
        chosen
    }

    /// The number of places that may change: each cut needs room for another face.
    fn room(&self, terrain: &MapTables) -> usize {
        match self.change.verbs.has(Verb::Split) {
            true => MAX_PROVINCES - terrain.chart().map().faces().count(),
            false => usize::MAX,
        }
    }

    /// Lets nature draw among these places. Provinces that split keep the order in which they are drawn.
    fn draw(
        &self,
        scene: &mut EventContext<'_>,
        terrain: &MapTables,
        among: &ProvinceSet,
        draw: HowMany,
    ) -> Vec<ProvinceId> {
        let mut drawn = scene.nature.faces(scene.at, self.entry, terrain, among, draw);
        drawn.retain(|&face| among.contains(face));
        if !self.change.verbs.has(Verb::Split) {
            drawn.sort_unstable();
            drawn.dedup();
        }
        drawn
    }

    /// The places of the set on which a verb can act, and that are not announced already.
    fn eligible(&self, world: &GameState, fresh: &Fresh) -> ProvinceSet {
        let eligible = self.changes.eligible_at(self.change, world, fresh);
        match self.change.is_announced() {
            true => eligible - world.coming_of(self.index),
            false => eligible,
        }
    }

    /// Leaves out the places on which no verb can act: those of a schedule, and those that were foretold and have changed
    /// since.
    fn skip(&self, world: &GameState, scene: &mut EventContext<'_>, places: &mut Vec<ProvinceId>) {
        if !self.change.is_announced() && !self.is_scheduled() {
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
        fresh: &mut Fresh,
    ) -> ProvinceSet {
        if places.is_empty() {
            return ProvinceSet::EMPTY;
        }
        if self.change.verbs.has(Verb::Split) {
            let changed = self.split(world, scene, places, fresh);
            self.hold(world, changed, None);
            return changed;
        }
        let places: ProvinceSet = places.iter().copied().collect();
        let mut parts = Parts::new();
        let mut before: Vec<(ProvinceId, Lasting)> = Vec::new();
        let terrain = &world.terrain;
        let (map, mut filled) = (terrain.chart().map(), ProvinceSet::EMPTY);
        for (verb, kinds) in self.change.verbs.each() {
            let mut faces = places & verb.fits_within(kinds, terrain);
            if verb == Verb::Restore && !(faces - map.holes()).is_empty() {
                filled = faces & canals(terrain);
                faces -= filled;
            }
            if self.changes.have_ends() {
                let of = |face| Some((face, Lasting::before(verb, terrain.chart(), face)?));
                before.extend(faces.iter().filter_map(of));
            }
            parts.push((verb, faces));
        }
        let changed = self.reshape(world, scene, parts, filled, &Manner::of(self.change));
        // A canal that is filled stays so.
        for face in filled & changed {
            world.note_end(face, self.index, Lasting::NoCanal, None);
        }
        let end = self.change.lasts.end(self.now, self.change.ends_early());
        for (face, before) in before.into_iter().filter(|(face, _)| changed.contains(*face)) {
            world.note_end(face, self.index, before, end);
        }
        changed
    }

    /// Gives places back what they were before changes that are over.
    fn take_back(&self, world: &mut GameState, scene: &mut EventContext<'_>, over: &[Passing]) {
        let chart = world.terrain.chart();
        let mut parts = Parts::new();
        for passing in over {
            for (at, verb) in passing.then.verbs(chart, passing.face).into_iter().enumerate() {
                // The second verb of a place acts after the first ones of all.
                match parts.iter_mut().skip(at).find(|(known, _)| *known == verb) {
                    Some((_, faces)) => faces.insert(passing.face),
                    None => parts.push((verb, ProvinceSet::single(passing.face))),
                }
            }
        }
        parts.retain(|(verb, _)| *verb != Verb::Mark);
        let filled: ProvinceSet = over
            .iter()
            .filter(|passing| passing.then == Lasting::NoCanal)
            .map(|passing| passing.face)
            .collect();
        let filled = filled & chart.map().dug();
        let homes = over.iter().filter_map(|passing| match passing.then {
            Lasting::Centre(Some(home)) => Some((passing.face, home)),
            _ => None,
        });
        self.reshape(world, scene, parts, filled, &Manner::back(self.change, homes.collect()));
        if let Some(held) = world.held.get_mut(self.index) {
            *held -= over.iter().map(|passing| passing.face).collect();
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
                    self.changes.lose_canals(world);
                    fresh.iter_mut().filter(|set| set.contains(province)).for_each(|set| set.insert(second));
                }
                None if self.is_scheduled() => self.tell_skipped(world, scene, province),
                None => {}
            }
            changed |= halves.into_iter().flatten().collect();
        }
        changed
    }

    /// All other changes: all places at once, in one change of the map. Canals are filled in any place.
    fn reshape(
        &self,
        world: &mut GameState,
        scene: &mut EventContext<'_>,
        mut parts: Parts,
        filled: ProvinceSet,
        manner: &Manner<'_>,
    ) -> ProvinceSet {
        let of = |parts: &Parts, is: fn(Verb) -> bool| -> ProvinceSet {
            parts.iter().filter(|(verb, _)| is(*verb)).map(|(_, faces)| *faces).collect()
        };
        let (all, opening) = (of(&parts, |_| true) | filled, of(&parts, Verb::makes_hole));
        let returning = of(&parts, |verb| verb == Verb::Restore);
        if all.is_empty() {
            return all;
        }
        let hidden = returning & world.terrain.chart().map().holes();
        for face in hidden {
            let Some(passing) = world.take_hidden(face, self.now) else { continue };
            for verb in passing.then.verbs(world.terrain.chart(), passing.face) {
                parts.push((verb, ProvinceSet::single(passing.face)));
            }
            if let Some(held) = world.held.get_mut(passing.entry) {
                held.remove(passing.face);
            }
        }
        consequences::swallow(manner, world, scene, opening, self.movement);
        let lost = match manner.centre {
            CentreFate::Lost => {
                let asleep = opening | of(&parts, |verb| verb == Verb::Freeze);
                asleep & set::centres(world.terrain.chart())
            }
            CentreFate::Asleep => ProvinceSet::EMPTY,
        };
        let reshaping = |(verb, _): &&(Verb, ProvinceSet)| !matches!(verb, Verb::Found | Verb::Mark);
        let dug: Vec<(ProvinceId, [ProvinceId; 2])> = {
            let map = world.terrain.chart().map();
            let digging = of(&parts, |verb| verb == Verb::Dig);
            digging.iter().filter_map(|face| Some((face, self.change.ends.of(map, face)?))).collect()
        };
        if parts.iter().any(|part| reshaping(&part)) || !filled.is_empty() {
            // Only faces that fit are changed, so that none of these operations can fail half-way.
            let done = world.change_map(scene, manner.fates(), |chart| {
                lost.iter().for_each(|face| chart.ruin_centre(face));
                filled.iter().try_for_each(|face| chart.fill(face))?;
                dug.iter().try_for_each(|&(face, seas)| chart.dig(face, seas))?;
                let parts = parts.iter().filter(reshaping);
                let mut all = parts.flat_map(|(verb, faces)| faces.iter().map(|face| (*verb, face)));
                all.try_for_each(|(verb, face)| apply(self.change, verb, chart, face))
            });
            if done.is_err() {
                return ProvinceSet::EMPTY;
            }
        }
        if manner.units != Fate::Stay {
            world.strike(scene, of(&parts, |verb| verb == Verb::Mark), manner.units);
        }
        world.fresh_holes |= opening;
        self.lose(world, of(&parts, |verb| verb == Verb::Submerge), lost);
        self.hold(world, filled, Some(Property::Canal));
        for face in filled {
            world.tell(scene, &Event::Filled(face));
        }
        for &(face, seas) in &dug {
            world.tell(scene, &Event::Dug(face, seas));
        }
        let mut back = ProvinceSet::EMPTY;
        for &(verb, faces) in &parts {
            let of_holes = faces & hidden;
            self.hold(world, of_holes, Property::of(verb, true));
            self.hold(world, faces - of_holes, Property::of(verb, false));
            if verb == Verb::Found {
                consequences::found(self.changes, manner, world, scene, faces);
            }
            for face in faces {
                let thaws = verb == Verb::Restore && (!hidden.contains(face) || back.contains(face));
                if let Some(event) = if thaws { Some(Event::Thawed(face)) } else { verb.event(face) } {
                    world.tell(scene, &event);
                }
                if lost.contains(face) {
                    world.tell(scene, &Event::CentreRuined(face));
                }
                // Once, if both the hole and the ice below it are over.
                if verb == Verb::Restore && !back.contains(face) {
                    back.insert(face);
                    consequences::bring_back(self.changes, manner, world, scene, face, self.now.1);
                }
            }
        }
        if self.movement.is_some() && !world.retreats.dislodged.is_empty() {
            world.retreats.sort_by_province();
        }
        all
    }

    /// Centres below the sea and those that the change costs never come back, and those that were founded are gone.
    fn lose(&self, world: &mut GameState, submerged: ProvinceSet, lost: ProvinceSet) {
        let gone = submerged | lost;
        if gone.is_empty() {
            return;
        }
        world
            .passing
            .retain(|passing| !(gone.contains(passing.face) && matches!(passing.then, Lasting::Centre(_))));
        let founds = |entry: &Entry| entry.faces().is_some_and(|change| change.verbs.has(Verb::Found));
        let held = world.held.iter_mut().zip(self.changes.entries());
        held.filter(|(_, entry)| founds(entry)).for_each(|(held, _)| *held -= gone);
    }

    /// Notes that this entry has changed a property of these places, and that the earlier changes of it are replaced.
    fn hold(&self, world: &mut GameState, changed: ProvinceSet, property: Option<Property>) {
        if world.held.is_empty() || changed.is_empty() {
            return;
        }
        for (other, of_other) in self.changes.entries().iter().enumerate().filter(|_| property.is_some()) {
            let Some(of_other) = of_other.faces().filter(|_| other != self.index) else { continue };
            if of_other.properties().any(|of_other| Some(of_other) == property) {
                world.held[other] -= changed;
            }
        }
        if self.changes.is_held(self.index) {
            world.held[self.index] |= changed;
        }
    }
}

impl Changes {
    /// Only one half of a province that splits has its canal, or none.
    fn lose_canals(&self, world: &mut GameState) {
        if world.held.is_empty() && world.passing.is_empty() {
            return;
        }
        let dug = world.terrain.chart().map().dug();
        let digs = |entry: &Entry| entry.faces().is_some_and(|change| change.verbs.has(Verb::Dig));
        let held = world.held.iter_mut().zip(self.entries()).filter(|(_, entry)| digs(entry));
        held.for_each(|(held, _)| *held &= dug);
        world.passing.retain(|passing| passing.then != Lasting::NoCanal || dug.contains(passing.face));
    }
}

impl Measure {
    /// These places with their values, without those that are not compared.
    fn values(&self, places: ProvinceSet, scene: &dyn Scene) -> Vec<(ProvinceId, usize)> {
        let (terrain, position) = (scene.terrain(), scene.position());
        match self {
            Measure::Near(set) => {
                let counted = set.faces(scene);
                let value = |face: ProvinceId| {
                    let place = ProvinceSet::single(face);
                    (face, ((terrain.board().beside(place) | place) & counted).len())
                };
                places.iter().map(value).collect()
            }
            Measure::OwnerCentres => {
                let value = |face: ProvinceId| {
                    let owner = position.owner(face)?;
                    Some((face, (*position.centres_of(owner) & *terrain.centres()).len()))
                };
                (places & *terrain.centres()).iter().filter_map(value).collect()
            }
        }
    }
}

/// The verbs of a change of the map with the faces on which each acts, in their order.
type Parts = Vec<(Verb, ProvinceSet)>;

/// Changes a face of the map; a canal between the seas of this entry.
pub(super) fn apply(change: &FaceChange, verb: Verb, chart: &mut NamedMap, face: ProvinceId) -> Surgery {
    match verb {
        Verb::Dig => match change.ends.of(chart.map(), face) {
            Some(seas) => chart.dig(face, seas),
            None => Ok(()), // it is dug already
        },
        Verb::Restore if kind_of(chart, face) == Kinds::LAND => chart.fill(face),
        Verb::Collapse => chart.collapse(face),
        Verb::Void => chart.void(face),
        Verb::Restore => chart.restore(face),
        Verb::Submerge => chart.submerge(face),
        Verb::Raise => chart.raise(face),
        Verb::Freeze => chart.freeze(face),
        Verb::Open => chart.open(face),
        Verb::Ruin => {
            chart.ruin_centre(face);
            Ok(())
        }
        Verb::Found => {
            chart.found_centre(face, None);
            Ok(())
        }
        Verb::Split | Verb::Mark | Verb::Quake => Ok(()),
    }
}
