//! Rising water (ru10 rules 3 to 6) by the tables of the variant's file and the reports, compared with the board.

use std::sync::Arc;

use upheaval::ids::{ByPower, ByProvince, Power, Powers, ProvinceId, ProvinceSet, UnitKind};
use upheaval::rules::changes::{Date, Schedule, Verb, Which};
use upheaval::rules::event::Event;
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::position::{Phase, Position, Season, Unit};
use upheaval::rules::variant::Variant;
use upheaval::topology::FaceKind;

use super::{check, fail};

/// The provinces that have sunk, opened and become centres so far.
pub struct Water {
    variant: Arc<Variant>,
    sunk: ProvinceSet,
    opened: ProvinceSet,
    founded: ProvinceSet,
    /// The power that was last to have a unit there after a Spring or Fall.
    last: ByProvince<Option<Power>>,
    /// The owners of units removed this Winter.
    removed: ProvinceSet,
    /// The powers that were eliminated when this Winter's centres were founded, all at once.
    out: Option<ByPower<bool>>,
    /// Centres lost this Winter after the adjustments, minus those that were founded.
    lost: ByPower<isize>,
}

/// The codes that the schedule lists for a Winter.
fn row(schedule: &Schedule, year: u16) -> impl Iterator<Item = &String> {
    schedule.lists(Date { year, season: Season::Winter }).flat_map(|places| &places.names)
}

/// Does the row of this year name the province?
fn listed(schedule: &Schedule, year: u16, terrain: &MapTables, id: ProvinceId) -> bool {
    let name = terrain.chart().map().name(id);
    row(schedule, year).any(|listed| listed == name)
}

/// The provinces in the rows to this year.
fn to_year(schedule: &Schedule, year: u16, terrain: &MapTables) -> ProvinceSet {
    let rows = (1900..=year).flat_map(|year| row(schedule, year));
    rows.map(|name| terrain.chart().map().find(name).expect("a province of the map")).collect()
}

/// The schedules of the variant: of what sinks, opens, and becomes a centre.
#[derive(Clone)]
struct Tables {
    submerges: Schedule,
    opens: Schedule,
    centres: Schedule,
}

impl Water {
    pub fn new(variant: &Arc<Variant>) -> Water {
        Water {
            variant: Arc::clone(variant),
            sunk: ProvinceSet::EMPTY,
            opened: ProvinceSet::EMPTY,
            founded: ProvinceSet::EMPTY,
            last: ByProvince::filled(None),
            removed: ProvinceSet::EMPTY,
            out: None,
            lost: ByPower::new(Powers::STANDARD),
        }
    }

    fn rules(&self) -> Option<Tables> {
        let schedule = |verb: Verb| {
            let mut changes = self.variant.changes.faces().map(|(_, change)| change);
            changes.find(|change| change.verbs.has(verb)).and_then(|change| match &change.which {
                Which::Scheduled(schedule) => Some(schedule.clone()),
                _ => None,
            })
        };
        let (submerges, opens) = (schedule(Verb::Submerge)?, schedule(Verb::Open)?);
        Some(Tables { submerges, opens, centres: schedule(Verb::Found)? })
    }

    /// Handles a report. `before` is the position at the end of the last season, `out` are the powers that have neither
    /// unit nor centre by now.
    pub fn event(
        &mut self,
        at: Phase,
        terrain: &MapTables,
        event: &Event,
        before: &Position,
        out: &ByPower<bool>,
    ) {
        let Some(rules) = self.rules() else {
            let has = |verb| self.variant.changes.faces().any(|(_, change)| change.verbs.has(verb));
            let foreign = match event {
                Event::Submerged(_) => !has(Verb::Submerge),
                Event::Opened(_) => !has(Verb::Open),
                Event::CentreFounded(..) => !has(Verb::Found),
                _ => false,
            };
            return check(!foreign, "water rises where it should not", at);
        };
        let winter = at.season == Season::Winter;
        let first = |so_far: &ProvinceSet, id| winter && !so_far.contains(id);
        match *event {
            Event::Submerged(id) => {
                let due = listed(&rules.submerges, at.year, terrain, id) && first(&self.sunk, id);
                check(due, "a province sinks that table 1 does not name", at);
                self.sunk.insert(id);
            }
            Event::Opened(id) => {
                let due = listed(&rules.opens, at.year, terrain, id) && first(&self.opened, id);
                check(due, "a province opens that rule 6 does not name", at);
                self.opened.insert(id);
            }
            Event::CentreFounded(id, owner, _) => {
                let due = listed(&rules.centres, at.year, terrain, id) && first(&self.founded, id);
                check(due, "a centre comes into being that table 2 does not name", at);
                let out = self.out.as_ref().unwrap_or(out);
                let by_rule = self.owner(terrain, id, before, out);
                check(
                    owner == by_rule,
                    &format!("a new centre is {owner:?}'s, and by rule 5 {by_rule:?}'s"),
                    at,
                );
                self.out = Some(out.clone());
                self.founded.insert(id);
                if let Some(owner) = owner {
                    self.lost[owner] -= 1;
                }
            }
            Event::CentreLost(id, power) => {
                let due = winter && listed(&rules.submerges, at.year, terrain, id);
                check(due, "a centre is lost that does not sink", at);
                self.lost[power] += 1;
            }
            Event::Destroyed(id, unit) => drowned(&rules, at, terrain, id, unit),
            Event::Removed(_, id, _) => self.removed.insert(id),
            _ => {}
        }
    }

    /// The owner of a new centre by rule 5.
    fn owner(
        &self,
        terrain: &MapTables,
        centre: ProvinceId,
        before: &Position,
        out: &ByPower<bool>,
    ) -> Option<Power> {
        // Nothing can have been built in a province without a centre.
        let there = before.unit(centre).filter(|_| !self.removed.contains(centre)).map(|unit| unit.power);
        let name = terrain.chart().map().name(centre);
        let mut within = self
            .variant
            .changes
            .countries
            .iter()
            .filter(|(_, listed)| listed.names.iter().any(|other| other == name));
        let boundary =
            within.next().and_then(|(name, _)| terrain.power_names().find(name)).filter(|&power| !out[power]);
        there.or(self.last[centre]).or(boundary)
    }

    /// The number of units beyond its centres that a power may have after the adjustments of this Winter: centres that
    /// sank in it still counted, and those that were founded did not yet.
    pub fn grace(&self, power: Power) -> isize {
        self.lost[power]
    }

    /// A season is over: the map agrees with the tables so far.
    pub fn season(&mut self, at: Phase, terrain: &MapTables, start: &MapTables, position: &Position) {
        self.lost = ByPower::new(Powers::STANDARD);
        self.removed = ProvinceSet::EMPTY;
        self.out = None;
        let Some(rules) = self.rules() else { return };
        let done = if at.season == Season::Winter { at.year } else { at.year - 1 };
        let sunk = to_year(&rules.submerges, done, terrain);
        let opened = to_year(&rules.opens, done, terrain);
        let founded = to_year(&rules.centres, done, terrain);
        check(self.sunk == sunk, "the sunk provinces were not reported", at);
        check(self.opened == opened, "the opened provinces were not reported", at);
        check(self.founded == founded, "the founded centres were not reported", at);
        for (id, face) in terrain.chart().map().faces() {
            let kind = match start.chart().map().face(id).map(|face| face.kind()) {
                _ if sunk.contains(id) => FaceKind::Sea,
                _ if opened.contains(id) => FaceKind::Land,
                Some(kind) => kind,
                None => fail("a new face", at),
            };
            check(face.kind() == kind, &format!("{} is another kind of face", face.name()), at);
        }
        check(sunk.is_subset(terrain.board().sea()), "a sunk province is not a sea", at);
        let extant = (*start.centres() | founded) - sunk;
        check(*terrain.centres() == extant, "the centres are not those of the tables", at);
        if at.season != Season::Winter {
            for id in *position.occupied() {
                self.last[id] = position.unit(id).map(|unit| unit.power);
            }
        }
    }
}

/// Water destroys armies in a province that sinks (rule 4): a fleet is then at sea.
fn drowned(rules: &Tables, at: Phase, terrain: &MapTables, id: ProvinceId, unit: Unit) {
    let due = at.season == Season::Winter && listed(&rules.submerges, at.year, terrain, id);
    check(due && unit.kind == UnitKind::Army, "a unit drowns that should not", at);
}
