//! The questions to the caller's seats in the stage that a game waits for, and their possible answers.

use upheaval_engine::ask::{Ask, Movement, Observation, Public, Subject};
use upheaval_engine::bot::Decision;
use upheaval_engine::game::Stage;
use upheaval_engine::rules::adjustment::Owed;
use upheaval_engine::rules::order::{AdjustmentOrder, Order};
use upheaval_engine::rules::position::Unit;
use upheaval_map::ids::{Power, ProvinceId, UnitKind};
use upheaval_map::named;

named! {
    /// The kind of an ask; the codes are indices into [`AskKind::ALL`].
    pub enum AskKind {
        /// The order of a unit.
        Order = "order",
        /// The landing of the army aboard a fleet, or none. It succeeds only if the fleet gets to the sea that
        /// the army lands from; of two landings from one sea the first counts.
        Landing = "landing",
        /// The next place in a unit's list of retreats, or none. A place that is already in the list is ignored.
        List = "list",
        /// The centre that holes should spare, or none.
        Exempt = "exempt",
        /// Is the exempt centre announced?
        Announce = "announce",
        /// The order of a dislodged unit.
        Retreat = "retreat",
        /// The coast of a fleet whose own coast split or vanished.
        Coast = "coast",
        /// The fate of a fleet that has lost its last coast.
        Trapped = "trapped",
        /// One of the builds that are owed, or none. Of two builds in one province the first counts.
        Build = "build",
        /// One of the required removals. Of two removals of one unit the first counts; civil disorder makes up
        /// for the other. Removing a fleet also removes the army aboard, which counts as two: removals beyond the
        /// required number do not count.
        Removal = "removal",
        /// A seismic order, or none.
        Seismic = "seismic",
        /// One of the options of a poll, or none.
        Poll = "poll",
    }
}

impl AskKind {
    /// The kind of a decision about this subject.
    fn of(ask: &Ask, subject: Subject) -> AskKind {
        match (ask, subject) {
            (Ask::Movement(_), Subject::Aboard(_)) => AskKind::Landing,
            (Ask::Movement(_), Subject::Retreats(_)) => AskKind::List,
            (Ask::Movement(_), _) => AskKind::Order,
            (Ask::Exempt(_), _) => AskKind::Exempt,
            (Ask::Announce(_), _) => AskKind::Announce,
            (Ask::Poll(_), _) => AskKind::Poll,
            (Ask::Retreats(_), _) => AskKind::Retreat,
            (Ask::Coast(_), _) => AskKind::Coast,
            (Ask::Trapped(_), _) => AskKind::Trapped,
            (Ask::Adjustments(_), Subject::Site(_)) => AskKind::Build,
            (Ask::Adjustments(_), _) => AskKind::Removal,
            (Ask::Seismic(_), _) => AskKind::Seismic,
        }
    }

    /// Is "none" among the answers?
    fn has_none(self) -> bool {
        !matches!(
            self,
            AskKind::Order | AskKind::Retreat | AskKind::Coast | AskKind::Trapped | AskKind::Removal
        )
    }
}

/// A choice that a seat has to make.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnitAsk {
    pub kind: AskKind,
    /// The province of the unit concerned.
    pub about: Option<ProvinceId>,
    /// That unit.
    pub unit: Option<Unit>,
    pub rank: u16,
    /// The answers, as a range of [`Asks::answers`].
    pub begin: u32,
    pub end: u32,
}

/// A possible answer to an ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Possible {
    /// Nothing is ordered or named.
    None,
    /// The order of the unit. Most answers are of this kind, so that they are small.
    Order(Order),
    /// One of [`Asks::others`]. A place in a list of retreats is a list of one place.
    Other(u32),
}

/// The asks of a stage: those of one power are consecutive, in the order of the powers.
#[derive(Default)]
pub(crate) struct Asks {
    pub list: Vec<UnitAsk>,
    /// The answers, each with the province of the unit concerned.
    pub answers: Vec<(Option<ProvinceId>, Possible)>,
    /// The decisions that are not the orders of units in a movement phase.
    pub others: Vec<Decision>,
    /// Room for the orders of one unit.
    orders: Vec<Order>,
}

impl Asks {
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.answers.clear();
        self.others.clear();
    }

    /// The decision of an answer; `None` if nothing is ordered or named.
    pub(crate) fn decision(&self, (about, answer): (Option<ProvinceId>, Possible)) -> Option<Decision> {
        match answer {
            Possible::None => None,
            Possible::Order(order) => about.map(|unit| Decision::Order { unit, order }),
            Possible::Other(i) => self.others.get(i as usize).cloned(),
        }
    }

    /// The answer with this number to an ask.
    pub(crate) fn chosen(&self, ask: &UnitAsk, number: u32) -> (Option<ProvinceId>, Possible) {
        self.answers[(ask.begin + number) as usize]
    }

    /// The decisions of all answers to an ask, by their numbers.
    pub(crate) fn answers_to(&self, ask: &UnitAsk) -> impl ExactSizeIterator<Item = Option<Decision>> {
        self.answers[ask.begin as usize..ask.end as usize].iter().map(|&answer| self.decision(answer))
    }

    /// Lists the asks for an observer in the stage that the game waits for, the units first.
    pub(crate) fn list_for(&mut self, seen: &Observation<'_>) {
        if seen.stage() == Stage::Movement {
            self.movement(seen);
            self.add(seen, &Ask::Movement(Movement), |found| Movement.besides(seen, found));
        }
        seen.each_ask(|ask| {
            if !matches!(ask, Ask::Movement(_)) {
                self.add(seen, &ask, |found| ask.choices(seen, found));
            }
        });
    }

    /// The orders of units.
    fn movement(&mut self, seen: &Observation<'_>) {
        let mut orders = std::mem::take(&mut self.orders);
        for unit in *seen.position.units_of(seen.power) {
            seen.legal_orders(unit, &mut orders);
            self.begin(AskKind::Order, seen.position.unit(unit).map(|standing| (unit, standing)));
            self.answers.extend(orders.iter().map(|&order| (Some(unit), Possible::Order(order))));
            if let Some(last) = self.list.last_mut() {
                last.end = self.answers.len() as u32;
            }
        }
        self.orders = orders;
    }

    /// Lists the units of a power as if each waited for its order, without their legal orders.
    pub(crate) fn list_units_of(&mut self, seen: Public<'_>, power: Power) {
        for at in *seen.position().units_of(power) {
            self.begin(AskKind::Order, seen.position().unit(at).map(|unit| (at, unit)));
        }
    }

    /// Adds an ask without answers.
    fn begin(&mut self, kind: AskKind, about: Option<(ProvinceId, Unit)>) {
        let end = self.answers.len() as u32;
        let (about, unit) = about.unzip();
        self.list.push(UnitAsk { kind, about, unit, rank: 0, begin: end, end });
    }

    /// Adds an answer to the last ask.
    fn answer(&mut self, decision: Option<Decision>) {
        let Some(last) = self.list.last_mut() else { return };
        last.end += 1;
        let answer = match decision {
            Some(decision) => {
                self.others.push(decision);
                Possible::Other(self.others.len() as u32 - 1)
            }
            None => Possible::None,
        };
        self.answers.push((last.about, answer));
    }

    /// Adds a question: one ask for each subject, or as many as there are builds, removals or places in a list.
    fn add<F>(&mut self, seen: &Observation<'_>, ask: &Ask, choices: F)
    where
        F: FnOnce(&mut dyn FnMut(Subject, Decision)),
    {
        // All powers have the same seismic orders: their rows are shared.
        if let (Ask::Seismic(_), Some(&first)) = (ask, self.list.first()) {
            return self.list.push(first);
        }
        let mut subjects = 0;
        let mut last = None;
        choices(&mut |subject, decision| {
            if decision == Decision::Adjustment(AdjustmentOrder::Waive) {
                return;
            }
            if last.replace(subject) != Some(subject) {
                subjects += 1;
                if subjects == 1 || !matches!(ask, Ask::Adjustments(_)) {
                    let kind = AskKind::of(ask, subject);
                    self.repeat_list();
                    self.begin(kind, standing(seen, ask, subject));
                    if kind.has_none() {
                        self.answer(None);
                    }
                }
            }
            self.answer(Some(decision));
        });
        self.repeat_list();
        if let (Ask::Adjustments(adjustments), Some(ask), 1..) = (ask, self.list.last(), subjects) {
            // Armies before fleets.
            let (answers, others) = (&mut self.answers[ask.begin as usize..], &self.others);
            answers.sort_by_key(|(_, answer)| {
                let other = match answer {
                    Possible::Other(i) => others.get(*i as usize),
                    Possible::None | Possible::Order(_) => None,
                };
                let is_fleet = |order: &Decision| {
                    matches!(
                        order,
                        Decision::Adjustment(AdjustmentOrder::Build { kind: UnitKind::Fleet, .. })
                    )
                };
                other.is_some_and(is_fleet)
            });
            match adjustments.owed() {
                Owed::Builds(count) => self.repeat_last(count.min(subjects)),
                Owed::Removals(count) => self.repeat_last(count),
            }
        }
    }

    /// If the last ask is of a list of retreats, repeats it for each place.
    fn repeat_list(&mut self) {
        if let Some(UnitAsk { kind: AskKind::List, rank: 0, begin, end, .. }) = self.list.last() {
            self.repeat_last((end - begin - 1) as usize);
        }
    }

    /// Repeats the last ask with the same answers until there are `count` of it.
    fn repeat_last(&mut self, count: usize) {
        let Some(&last) = self.list.last() else { return };
        self.list.extend((1..count).map(|rank| UnitAsk { rank: rank as u16, ..last }));
    }
}

/// The unit that an ask is about, with its place.
fn standing(seen: &Observation<'_>, ask: &Ask, subject: Subject) -> Option<(ProvinceId, Unit)> {
    match subject {
        // One ask is about all removals.
        _ if matches!(ask, Ask::Adjustments(_)) => None,
        Subject::Unit(at) | Subject::Aboard(at) | Subject::Retreats(at) | Subject::Fleet(at) => {
            seen.position.unit(at).map(|unit| (at, unit))
        }
        Subject::Dislodged(i) => seen.dislodged().dislodged.get(i).map(|waiting| (waiting.at, waiting.unit)),
        Subject::Site(_) | Subject::Power => None,
    }
}
