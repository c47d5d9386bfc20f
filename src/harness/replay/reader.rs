//! Where a replay stands in its transcript. Nature and the log of the game both look at it: nature at what comes next,
//! the log at whether that comes indeed.

use std::cell::{Cell, RefCell};

use super::departure::Departure;
use super::transcript::{Entry, Transcript};
use upheaval_engine::rules::adjustment::AdjustmentOutcome;
use upheaval_engine::rules::event::{Event, Log};
use upheaval_engine::rules::mechanism::Declarations;
use upheaval_engine::rules::mechanism::exemption::Announced;
use upheaval_engine::rules::movement::Resolution;
use upheaval_engine::rules::nature::{Draw, Nature};
use upheaval_engine::rules::order::{AdjustmentOrder, Orders, RetreatOrder};
use upheaval_engine::rules::position::{Phase, Position, Retreats};
use upheaval_engine::rules::retreat::RetreatOutcome;
use upheaval_engine::rules::seismic::{SeismicOrders, SeismicOutcome};
use upheaval_engine::rules::terrain::Terrain;
use upheaval_map::ids::{ByPower, CoastId, Power, ProvinceId, ProvinceSet};
use upheaval_map::topology::SideId;

/// A transcript and how far the game has come in it.
pub(super) struct Reader<'a> {
    entries: &'a [Entry],
    next: Cell<usize>,
    departure: RefCell<Option<Departure>>,
}

impl<'a> Reader<'a> {
    pub fn new(entries: &'a [Entry]) -> Reader<'a> {
        Reader { entries, next: Cell::new(0), departure: RefCell::new(None) }
    }

    /// What is still to come.
    pub fn ahead(&self) -> &'a [Entry] {
        &self.entries[self.next.get()..]
    }

    /// The events that come before the next orders or the end of the season.
    fn events(&self) -> impl Iterator<Item = &'a Event> {
        self.ahead().iter().map_while(Entry::event)
    }

    /// The next orders, or the end of the season.
    pub fn decision(&self) -> Option<&'a Entry> {
        self.ahead().iter().find(|entry| entry.event().is_none())
    }

    /// What the powers declare with the next orders, as far as anything came of it.
    pub fn declared(&self) -> Declarations {
        let mut declared = Declarations::default();
        for event in self.events() {
            match *event {
                Event::ExemptNamed(power, centre) | Event::ExemptChanged(power, centre) => {
                    declared.exempt[power] = Some(centre);
                }
                Event::ExemptAnnounced(power, _) => declared.announce[power] = Announced::Yes,
                _ => {}
            }
        }
        declared
    }

    /// The coast that was chosen for the fleet that is next.
    pub fn coast(&self, fleet: ProvinceId) -> Option<CoastId> {
        match self.events().find(|event| !event.is_of_bot()) {
            Some(&Event::CoastMoved(at, unit)) if at == fleet => Some(unit.coast),
            _ => None,
        }
    }

    /// The fleets that were disbanded when they had been trapped.
    pub fn disbanded(&self) -> ProvinceSet {
        let gone = |event: &Event| match *event {
            Event::Removed(_, at, _) => Some(at),
            _ => None,
        };
        self.events().filter_map(gone).collect()
    }

    /// The adjustments of a power this year.
    pub fn adjustments(&self, power: Power) -> Vec<AdjustmentOrder> {
        let mut of_the_year = self.ahead().iter().take_while(|entry| !matches!(entry, Entry::Season { .. }));
        let orders = of_the_year.find_map(|entry| match entry {
            Entry::Adjustments { power: whose, orders, .. } if *whose == power => Some(orders.clone()),
            _ => None,
        });
        orders.unwrap_or_default()
    }

    /// Compares what is told now with the next entry.
    fn compare(&self, told: &Entry, terrain: &Terrain, log: &mut dyn Log) {
        self.pass_faults(terrain, log);
        if self.departure.borrow().is_some() {
            return;
        }
        match self.ahead().first() {
            Some(kept) if kept == told => self.next.set(self.next.get() + 1),
            kept => *self.departure.borrow_mut() = Some(Departure::between(kept, told, terrain)),
        }
    }

    /// Passes on what bots did wrong, which the game does not tell.
    pub fn pass_faults(&self, terrain: &Terrain, log: &mut dyn Log) {
        while let Some(entry @ Entry::Event { at, event }) = self.ahead().first()
            && entry.is_fault()
        {
            self.next.set(self.next.get() + 1);
            log.event(*at, terrain, event);
        }
    }

    /// An error, if there has been a departure.
    pub fn departure(&self) -> Result<(), Departure> {
        self.departure.borrow().clone().map_or(Ok(()), Err)
    }

    /// The error that there are no orders of this kind where the game wants some.
    pub fn no_orders(&self, at: Phase, kind: &'static str) -> Departure {
        match self.ahead().is_empty() {
            true => Departure::Ends { at },
            false => Departure::NoOrders { at, kind },
        }
    }
}

/// Nature as it was: gives back what the transcript says was drawn. What it says otherwise is nothing that the game
/// could be given, and found when the game tells it.
pub(super) struct Drawn<'r, 'a>(pub &'r Reader<'a>);

impl Nature for Drawn<'_, '_> {
    fn faces(
        &mut self,
        _: Phase,
        draw: Draw,
        _: &Terrain,
        eligible: &ProvinceSet,
        _: usize,
    ) -> Vec<ProvinceId> {
        let drawn = |event: &Event| match (draw, event) {
            (Draw::Holes, Event::HoleDrawn(face)) => Some(*face),
            // A face that toggles is told when it is back. One that was drawn to come back is not eligible for a hole.
            (Draw::Holes | Draw::Restores, Event::Restored(face)) => Some(*face),
            (Draw::Splits, Event::SplitDrawn(face, _)) => Some(*face),
            _ => None,
        };
        self.0.events().filter_map(drawn).filter(|&face| eligible.contains(face)).collect()
    }

    fn exempt(&mut self, _: Phase, power: Power, _: &ProvinceSet) -> Option<ProvinceId> {
        self.0.events().find_map(|event| match *event {
            Event::ExemptDrawn(whose, centre) if whose == power => Some(centre),
            _ => None,
        })
    }

    fn ends(&mut self, _: Phase, terrain: &Terrain, province: ProvinceId) -> Option<[SideId; 2]> {
        let map = terrain.chart().map();
        let ends = self.0.events().find_map(|event| match *event {
            Event::SplitDrawn(face, ends) if face == province => Some(ends),
            _ => None,
        })?;
        ends.iter().all(|end| map.sides_of(province).any(|side| side == *end)).then_some(ends)
    }

    fn half(&mut self, _: Phase, _: &Terrain, halves: &[ProvinceId]) -> Option<ProvinceId> {
        self.0.events().find_map(|event| match *event {
            Event::UnitDoubled { stays, .. } if halves.contains(&stays) => Some(stays),
            _ => None,
        })
    }
}

/// Compares what the game tells with the transcript, and passes on what is the same.
pub(super) struct Compared<'r, 'a, 'l> {
    pub reader: &'r Reader<'a>,
    pub log: &'l mut dyn Log,
}

impl Compared<'_, '_, '_> {
    fn told(&mut self, terrain: &Terrain, tell: impl Fn(&mut dyn Log)) {
        let mut now = Transcript::new();
        tell(&mut now);
        for entry in &now.entries {
            self.reader.compare(entry, terrain, self.log);
        }
        if self.reader.departure.borrow().is_none() {
            tell(self.log);
        }
    }
}

impl Log for Compared<'_, '_, '_> {
    fn event(&mut self, at: Phase, terrain: &Terrain, event: &Event) {
        self.told(terrain, |log| log.event(at, terrain, event));
    }

    fn movement(
        &mut self,
        at: Phase,
        terrain: &Terrain,
        position: &Position,
        orders: &Orders,
        resolution: &Resolution,
    ) {
        self.told(terrain, |log| log.movement(at, terrain, position, orders, resolution));
    }

    fn retreats(
        &mut self,
        at: Phase,
        terrain: &Terrain,
        retreats: &Retreats,
        orders: &[Option<RetreatOrder>],
        outcomes: &[RetreatOutcome],
    ) {
        self.told(terrain, |log| log.retreats(at, terrain, retreats, orders, outcomes));
    }

    fn adjustments(
        &mut self,
        at: Phase,
        terrain: &Terrain,
        position: &Position,
        power: Power,
        orders: &[AdjustmentOrder],
        outcomes: &[AdjustmentOutcome],
    ) {
        self.told(terrain, |log| log.adjustments(at, terrain, position, power, orders, outcomes));
    }

    fn seismic(
        &mut self,
        at: Phase,
        terrain: &Terrain,
        orders: &SeismicOrders,
        outcomes: &ByPower<Option<SeismicOutcome>>,
    ) {
        self.told(terrain, |log| log.seismic(at, terrain, orders, outcomes));
    }

    fn season(&mut self, at: Phase, terrain: &Terrain, position: &Position) {
        self.told(terrain, |log| log.season(at, terrain, position));
    }
}
