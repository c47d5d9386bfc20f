//! What all powers say at a stage, in the tables from which the game settles it.

use super::decision::Decision;
use super::order::{AdjustmentOrder, Ballot, Order, Orders, RetreatOrder};
use super::seismic::SeismicOrders;
use upheaval_map::ids::{ByPower, CoastId, Power, Powers, ProvinceId, ProvinceSet};

/// What the powers answer at a stage. The rules decide whatever is missing.
#[derive(Clone, Debug)]
pub struct Answers {
    /// In a movement phase: the orders of the units, the landings, and the lists of retreats.
    pub orders: Orders,
    /// In a movement phase: exempt centres, their announcements, and answers to polls.
    pub declared: Declarations,
    /// In a retreat phase: the order of each dislodged unit; those at the end may be missing.
    pub retreats: Vec<Option<RetreatOrder>>,
    /// The coasts of fleets that must choose one.
    pub coasts: Vec<(ProvinceId, CoastId)>,
    /// The trapped fleets that their owners disband.
    pub disbanded: ProvinceSet,
    /// In a Winter: builds and removals, in the order in which they are given.
    pub adjustments: ByPower<Vec<AdjustmentOrder>>,
    /// In a seismic phase: the order of each power.
    pub seismic: SeismicOrders,
}

impl Answers {
    /// No power says anything.
    pub fn none(powers: Powers) -> Answers {
        Answers {
            orders: Orders::all_hold(),
            declared: Declarations::none(powers),
            retreats: Vec::new(),
            coasts: Vec::new(),
            disbanded: ProvinceSet::EMPTY,
            adjustments: ByPower::new(powers),
            seismic: SeismicOrders::new(powers),
        }
    }

    /// Forgets everything, and keeps the memory.
    pub fn clear(&mut self) {
        self.clear_movement();
        self.clear_others();
    }

    /// Forgets what is said in a movement phase.
    pub(crate) fn clear_movement(&mut self) {
        self.orders.clear();
        self.declared = Declarations::none(self.powers());
    }

    /// Forgets what is said in other stages.
    pub(crate) fn clear_others(&mut self) {
        self.retreats.clear();
        self.coasts.clear();
        self.disbanded = ProvinceSet::EMPTY;
        self.adjustments.iter_mut().for_each(|(_, orders)| orders.clear());
        self.seismic.iter_mut().for_each(|(_, order)| *order = None);
    }

    /// The powers of the board.
    pub(crate) fn powers(&self) -> Powers {
        self.adjustments.powers()
    }

    /// Adds what a power says, which replaces what it has said about the same before; builds and removals add up. Nothing
    /// is checked.
    pub fn put(&mut self, power: Power, decision: &Decision) {
        match decision {
            Decision::Order { unit, order } => self.orders[*unit] = *order,
            Decision::Landing(landing) => self.orders.land(*landing),
            Decision::List(list) => self.orders.retreats_mut().set(list.unit, list.places.iter().copied()),
            Decision::Exempt(centre) => self.declared.exempt[power] = Some(*centre),
            Decision::Announce => self.declared.announce[power] = Announced::Yes,
            Decision::Ballot(ballot) => {
                self.declared.withdraw_ballot(power, &ballot.topic);
                self.declared.ballots.push((power, ballot.clone()));
            }
            Decision::Retreat { unit, order } => {
                if self.retreats.len() <= *unit {
                    self.retreats.resize(unit + 1, None);
                }
                self.retreats[*unit] = Some(*order);
            }
            Decision::Adjustment(order) => self.adjustments[power].push(*order),
            Decision::Seismic(order) => self.seismic[power] = Some(order.clone()),
            Decision::Coast { fleet, coast } => {
                self.coasts.retain(|(other, _)| other != fleet);
                self.coasts.push((*fleet, *coast));
            }
            Decision::DisbandTrapped(fleet) => self.disbanded.insert(*fleet),
            Decision::KeepTrapped(fleet) => self.disbanded.remove(*fleet),
        }
    }

    /// Takes back the orders, landings and lists of a power with these units.
    pub fn withdraw_orders(&mut self, power: Power, units: &ProvinceSet) {
        for unit in *units {
            self.orders[unit] = Order::Hold;
            self.orders.retreats_mut().set(unit, []);
        }
        let others = self.orders.take_landings().into_iter().filter(|landing| landing.power != power);
        others.for_each(|landing| self.orders.land(landing));
    }

    /// The coast that is chosen for a fleet.
    pub(crate) fn coast(&self, fleet: ProvinceId) -> Option<CoastId> {
        self.coasts.iter().find(|(other, _)| *other == fleet).map(|(_, coast)| *coast)
    }
}

/// The declarations of the powers with their orders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declarations {
    /// The centre that each power names as exempt (`EXEMPT PAR`); it counts if it is one of
    /// the power's choices.
    pub exempt: ByPower<Option<ProvinceId>>,
    /// The powers that want their choice announced (`ANNOUNCE`).
    pub announce: ByPower<Announced>,
    /// The answers to polls.
    pub ballots: Vec<(Power, Ballot)>,
}

impl Declarations {
    /// No power declares anything.
    pub fn none(powers: Powers) -> Declarations {
        Declarations { exempt: ByPower::new(powers), announce: ByPower::new(powers), ballots: Vec::new() }
    }

    /// A power's answer to the poll with this topic.
    pub fn ballot(&self, power: Power, topic: &str) -> Option<&Ballot> {
        let mut own = self.ballots.iter().filter(|(of, _)| *of == power).map(|(_, ballot)| ballot);
        own.find(|ballot| *ballot.topic == *topic)
    }

    /// Takes it back.
    pub(crate) fn withdraw_ballot(&mut self, power: Power, topic: &str) {
        self.ballots.retain(|(of, ballot)| *of != power || *ballot.topic != *topic);
    }
}

/// Does a power want its choice announced?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Announced {
    /// It keeps its choice secret.
    #[default]
    No,
    /// It wants its choice to be public.
    Yes,
}

/// Whether the current orders are the first of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstOrders {
    /// They are: for powers that named no centre, the variant's default now applies.
    Yes,
    /// They are not.
    No,
}
