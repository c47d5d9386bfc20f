//! The kinds of questions: when each is asked, what may be chosen, and how an answer is checked.

use crate::ask::{Answer, Observation, Question, Subject};
use crate::game::{Game, Stage};
use crate::reading::Refusal;
use crate::rules::adjustment::{Adjusting, Owed};
use crate::rules::answers::Announced;
use crate::rules::conduct::RefusedOrder;
use crate::rules::decision::Decision;
use crate::rules::game_state::CoastChoice;
use crate::rules::notation::{Listed, Situation, WrittenOrder};
use crate::rules::order::{AdjustmentOrder, Landing, Order, Poll, RetreatOrder};
use crate::rules::position::Dislodged;
use crate::rules::{adjustment, legal, retreat};
use upheaval_map::ids::{Location, Power, ProvinceId, ProvinceSet};
use upheaval_map::rng::Stream;
use upheaval_map::topology::Board;

// The orders of a movement phase.

/// The orders of all units of a power.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Movement;

impl Movement {
    /// Calls `found` with each possible decision besides the orders of units, and its subject: the landings from each
    /// fleet; and, where retreats are sent with the orders, the places that the list of a unit may name, each as a list
    /// of one place.
    pub fn besides(&self, seen: &Observation<'_>, mut found: impl FnMut(Subject, Decision)) {
        let Observation { board, position, chains, power, .. } = *seen;
        let own = *position.units_of(power);
        if seen.rulebook.army_fleets.allowed() {
            for fleet in own & *position.fleets() {
                for landing in legal::landings(board, position, chains, fleet) {
                    found(Subject::Aboard(fleet), Decision::Landing(landing));
                }
            }
        }
        if seen.listing.is_allowed() {
            for unit in own {
                for to in seen.ways_from(unit) {
                    let list = Listed { unit, places: vec![to], passed_over: Vec::new() };
                    found(Subject::Retreats(unit), Decision::List(list));
                }
            }
        }
    }
}

impl Question for Movement {
    fn asked(game: &Game, power: Power, mut found: impl FnMut(Movement)) {
        if game.stage() == Stage::Movement && !game.world().position.units_of(power).is_empty() {
            found(Movement);
        }
    }

    /// The orders of each unit, and what else may be decided ([`Movement::besides`]).
    fn choices(&self, seen: &Observation<'_>, found: &mut dyn FnMut(Subject, Decision)) {
        let mut orders = Vec::new();
        for unit in *seen.position.units_of(seen.power) {
            seen.legal_orders(unit, &mut orders);
            orders.iter().for_each(|&order| found(Subject::Unit(unit), Decision::Order { unit, order }));
        }
        self.besides(seen, found);
    }

    fn takes(&self, decision: &Decision) -> bool {
        matches!(decision, Decision::Order { .. } | Decision::Landing(_) | Decision::List(_))
    }

    fn decided(&self, answer: &Answer<'_>) -> Vec<Decision> {
        let (power, orders) = (answer.seen.power, &answer.answers.orders);
        let own = *answer.seen.position.units_of(power);
        let units = own.iter().map(|unit| Decision::Order { unit, order: orders[unit] });
        let landings = orders.landings().iter().filter(|landing| landing.power == power);
        let lists = orders.retreats().iter().filter(|(unit, _)| own.contains(*unit));
        let lists = lists.map(|(unit, places)| {
            Decision::List(Listed { unit, places: places.to_vec(), passed_over: Vec::new() })
        });
        units.chain(landings.map(|&landing| Decision::Landing(landing))).chain(lists).collect()
    }
}

impl Answer<'_> {
    /// The order of one of the power's units; a hold for any other province.
    #[inline]
    pub fn order(&self, unit: ProvinceId) -> Order {
        if self.is_own(unit) { self.answers.orders[unit] } else { Order::Hold }
    }

    /// Gives an order to a unit. Returns false and notes a refusal if the unit does not belong to the power
    /// or the order is not one of its [`Observation::legal_orders`].
    pub fn write(&mut self, unit: ProvinceId, order: Order) -> bool {
        let counts = self.is_own(unit) && self.seen.is_legal(unit, order);
        match counts {
            true => self.answers.orders[unit] = order,
            false => self.refuse(unit, order),
        }
        counts
    }

    fn refuse(&mut self, unit: ProvinceId, order: Order) {
        let Observation { board, position, chains, power, handicap, .. } = *self.seen;
        let names = self.seen.names();
        let written = WrittenOrder::from_order(position, unit, order);
        let situation = Situation { board, position, chains, power, names };
        let reason = match written.map(|written| written.resolve(&situation)) {
            _ if !self.is_own(unit) => format!("the power has no unit in {}", names.province(unit)),
            Some(Err(illegal)) => illegal.to_string(),
            _ if !handicap.allows(order) => "the handicap of the bot denies orders of this kind".to_owned(),
            _ => "it is not legal".to_owned(),
        };
        let text = match written {
            Some(written) => written.display(names).to_string(),
            None => format!("an order to {}", names.province(unit)),
        };
        self.refused.push(RefusedOrder::new(text, reason));
    }

    /// Gives every unit one of its legal orders, each equally likely; draws one number for each unit, in the
    /// order of the provinces.
    pub fn draw(&mut self, dice: &mut Stream) {
        let Observation { board, position, chains, power, handicap, .. } = *self.seen;
        if !handicap.is_none() {
            return self.draw_allowed(dice);
        }
        for unit in *position.units_of(power) {
            if let Some(order) = legal::draw(board, position, chains, unit, dice) {
                self.answers.orders[unit] = order;
            }
        }
    }

    /// The same among the orders that a handicap allows.
    fn draw_allowed(&mut self, dice: &mut Stream) {
        let mut orders = Vec::new();
        for unit in *self.seen.position.units_of(self.seen.power) {
            self.seen.legal_orders(unit, &mut orders);
            if let Some(&order) = dice.choose(&orders) {
                self.answers.orders[unit] = order;
            }
        }
    }

    /// Orders the power's army aboard the fleet ordered to be in a sea to land, replacing an earlier landing
    /// from that sea. Returns false and notes a refusal if it is not one of the [`legal::landings`].
    pub fn land(&mut self, landing: Landing) -> bool {
        let Observation { board, position, chains, power, .. } = *self.seen;
        let counts = landing.power == power && legal::is_legal_landing(board, position, chains, landing);
        match counts {
            true => self.answers.orders.land(landing),
            false => {
                let text = WrittenOrder::from_landing(landing).display(self.seen.names()).to_string();
                self.refused.push(RefusedOrder::new(text, "the army cannot land there"));
            }
        }
        counts
    }

    /// Lists the places to which a unit retreats if it is dislodged, the best first, replacing an earlier
    /// list (rules.md 4.12). A place to which it can never retreat is left out and noted as refused.
    /// Returns false if there was such a place, if the unit does not belong to the power, or if retreats are
    /// not sent with the orders ([`Observation::listing`]).
    pub fn list_retreats(&mut self, unit: ProvinceId, places: impl IntoIterator<Item = Location>) -> bool {
        let Observation { board, position, listing, .. } = *self.seen;
        // Only a refusal needs the names, which are built for each map.
        let seen = self.seen;
        let own = position.unit(unit).zip(position.location(unit)).filter(|_| self.is_own(unit));
        let Some((own, from)) = own.filter(|_| listing.is_allowed()) else {
            let reason = match listing.is_allowed() {
                true => "the power has no such unit",
                false => "retreats are not sent with the orders in this variant",
            };
            let text = format!("the retreats of {}", seen.names().province(unit));
            self.refused.push(RefusedOrder::new(text, reason));
            return false;
        };
        let before = self.refused.len();
        let refused = &mut self.refused;
        let may_be_listed = |&to: &Location| {
            let may = retreat::may_be_listed(board, listing, from, own.kind, to);
            if !may {
                let names = seen.names();
                let unit = names.unit(from, own.designation());
                let text = format!("{unit} R {}", names.location(to, own.kind));
                refused.push(RefusedOrder::new(text, "the unit can never retreat there"));
            }
            may
        };
        self.answers.orders.retreats_mut().set(unit, places.into_iter().filter(may_be_listed));
        self.refused.len() == before
    }

    /// The list of retreats of one of the power's units; empty if it has none.
    pub fn retreats(&self, unit: ProvinceId) -> &[Location] {
        if self.is_own(unit) { self.answers.orders.retreats().of(unit) } else { &[] }
    }

    #[inline]
    fn is_own(&self, unit: ProvinceId) -> bool {
        self.seen.position.units_of(self.seen.power).contains(unit)
    }
}

// Retreats, where they are not sent with the orders.

/// The orders of dislodged units.
#[derive(Clone, Debug)]
pub struct Retreats {
    /// The power's units that can retreat; never empty.
    pub choices: Vec<RetreatChoice>,
}

/// A dislodged unit and its options.
#[derive(Clone, Debug)]
pub struct RetreatChoice {
    /// Its index among all dislodged units.
    pub unit: usize,
    /// The unit.
    pub dislodged: Dislodged,
    /// Where it can retreat to, ascending; never empty.
    pub options: Vec<Location>,
}

impl Answer<'_> {
    /// Orders a dislodged unit. Returns false and notes a refusal if it cannot go there.
    pub fn retreat(&mut self, choice: &RetreatChoice, order: RetreatOrder) -> bool {
        self.give(&Decision::Retreat { unit: choice.unit, order })
    }
}

impl Question for Retreats {
    fn asked(game: &Game, power: Power, mut found: impl FnMut(Retreats)) {
        if game.stage() != Stage::Retreats {
            return;
        }
        let own = game.dislodged().dislodged.iter().enumerate().filter(|(_, of)| of.unit.power == power);
        let choices = own.map(|(unit, &dislodged)| RetreatChoice {
            unit,
            dislodged,
            options: game.retreat_options(unit),
        });
        let choices: Vec<RetreatChoice> = choices.filter(|choice| !choice.options.is_empty()).collect();
        if !choices.is_empty() {
            found(Retreats { choices });
        }
    }

    fn choices(&self, _: &Observation<'_>, found: &mut dyn FnMut(Subject, Decision)) {
        for &RetreatChoice { unit, ref options, .. } in &self.choices {
            let retreats = options.iter().map(|&to| RetreatOrder::Retreat { to });
            for order in retreats.chain([RetreatOrder::Disband]) {
                found(Subject::Dislodged(unit), Decision::Retreat { unit, order });
            }
        }
    }

    fn takes(&self, decision: &Decision) -> bool {
        matches!(decision, Decision::Retreat { .. })
    }

    fn check(&self, _: &mut Answer<'_>, decision: &Decision) -> Result<(), Refusal> {
        let Decision::Retreat { unit, order } = decision else { return Err(Refusal::NotAsked) };
        let choice = self.choices.iter().find(|choice| choice.unit == *unit).ok_or(Refusal::NotAsked)?;
        match order {
            RetreatOrder::Retreat { to } if !choice.options.contains(to) => Err(Refusal::NoRetreat),
            RetreatOrder::Retreat { .. } | RetreatOrder::Disband => Ok(()),
        }
    }

    fn decided(&self, answer: &Answer<'_>) -> Vec<Decision> {
        let orders = &answer.answers.retreats;
        let order = |choice: &RetreatChoice| {
            let (unit, order) = (choice.unit, orders.get(choice.unit).copied().flatten()?);
            Some(Decision::Retreat { unit, order })
        };
        self.choices.iter().filter_map(order).collect()
    }
}

// Fleets whose coast split or vanished (rules.md 2.1, 2.3, 8.8).

/// A fleet that has just lost its last coast, where the variant lets its owner choose (rules.md 8.8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trapped {
    /// The place of the fleet.
    pub fleet: ProvinceId,
}

impl Question for CoastChoice {
    fn asked(game: &Game, power: Power, found: impl FnMut(CoastChoice)) {
        if game.stage() != Stage::Coasts {
            return;
        }
        game.coast_choices().iter().filter(|choice| choice.power == power).cloned().for_each(found);
    }

    fn choices(&self, _: &Observation<'_>, found: &mut dyn FnMut(Subject, Decision)) {
        let fleet = self.fleet;
        self.coasts.iter().for_each(|&coast| found(Subject::Fleet(fleet), Decision::Coast { fleet, coast }));
    }

    fn takes(&self, decision: &Decision) -> bool {
        matches!(decision, Decision::Coast { fleet, .. } if *fleet == self.fleet)
    }

    fn refusal(&self) -> Refusal {
        Refusal::NoCoast
    }

    fn decided(&self, answer: &Answer<'_>) -> Vec<Decision> {
        let coast = answer.answers.coast(self.fleet);
        coast.map(|coast| Decision::Coast { fleet: self.fleet, coast }).into_iter().collect()
    }
}

impl Question for Trapped {
    fn asked(game: &Game, power: Power, mut found: impl FnMut(Trapped)) {
        if game.stage() != Stage::Coasts {
            return;
        }
        game.trapped_of(power).iter().for_each(|fleet| found(Trapped { fleet }));
    }

    fn choices(&self, _: &Observation<'_>, found: &mut dyn FnMut(Subject, Decision)) {
        found(Subject::Fleet(self.fleet), Decision::KeepTrapped(self.fleet));
        found(Subject::Fleet(self.fleet), Decision::DisbandTrapped(self.fleet));
    }

    fn takes(&self, decision: &Decision) -> bool {
        matches!(decision, Decision::DisbandTrapped(fleet) | Decision::KeepTrapped(fleet) if *fleet == self.fleet)
    }

    fn decided(&self, answer: &Answer<'_>) -> Vec<Decision> {
        vec![match answer.answers.disbanded.contains(self.fleet) {
            true => Decision::DisbandTrapped(self.fleet),
            false => Decision::KeepTrapped(self.fleet),
        }]
    }
}

// Builds and removals.

/// The builds that a power may order, or the removals that it must.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Adjustments {
    power: Power,
    owed: Owed,
    /// Where it may build.
    sites: ProvinceSet,
}

impl Adjustments {
    /// How many builds or removals.
    pub fn owed(&self) -> Owed {
        self.owed
    }

    /// The possible builds in canonical order; none if units must be removed.
    pub fn builds(&self, board: &Board) -> Vec<AdjustmentOrder> {
        self.adjusting().builds(board)
    }

    /// The power's adjustments before its first order.
    pub(crate) fn adjusting(&self) -> Adjusting {
        Adjusting::new(self.power, self.owed, self.sites)
    }
}

impl Answer<'_> {
    /// Builds, removes, or waives. Returns false and notes a refusal if that is not possible, or more than is owed.
    pub fn adjust(&mut self, order: AdjustmentOrder) -> bool {
        self.give(&Decision::Adjustment(order))
    }
}

impl Question for Adjustments {
    fn asked(game: &Game, power: Power, mut found: impl FnMut(Adjustments)) {
        if game.stage() != Stage::Adjustments {
            return;
        }
        let adjusting = game.adjusting(power);
        if !adjusting.is_settled() {
            found(Adjustments { power, owed: adjusting.owed(), sites: *adjusting.sites() });
        }
    }

    /// The possible builds, each site with the builds there and the waiver; or the possible removals.
    fn choices(&self, seen: &Observation<'_>, found: &mut dyn FnMut(Subject, Decision)) {
        let mut found = |subject, order| found(subject, Decision::Adjustment(order));
        match self.owed {
            Owed::Builds(_) => {
                for site in self.sites {
                    let builds = adjustment::builds(seen.board, &ProvinceSet::single(site));
                    builds.into_iter().for_each(|build| found(Subject::Site(site), build));
                    found(Subject::Site(site), AdjustmentOrder::Waive);
                }
            }
            Owed::Removals(_) => {
                for at in *seen.position.units_of(self.power) {
                    found(Subject::Unit(at), AdjustmentOrder::Remove { at });
                    if seen.position.laden().contains(at) {
                        found(Subject::Unit(at), AdjustmentOrder::RemoveArmy { fleet: at });
                    }
                }
            }
        }
    }

    fn takes(&self, decision: &Decision) -> bool {
        matches!(decision, Decision::Adjustment(_))
    }

    fn check(&self, answer: &mut Answer<'_>, decision: &Decision) -> Result<(), Refusal> {
        let Decision::Adjustment(order) = decision else { return Err(Refusal::NotAsked) };
        let left = answer.adjusting.get_or_insert_with(|| self.adjusting());
        Ok(left.take(answer.seen.board, answer.seen.position, *order)?)
    }

    fn decided(&self, answer: &Answer<'_>) -> Vec<Decision> {
        answer.answers.adjustments[answer.seen.power].iter().copied().map(Decision::Adjustment).collect()
    }
}

// Seismic orders (rules.md 8).

/// A seismic order: one of all that the map allows, which are the same for every power
/// ([`Public::quakes`](crate::ask::Public::quakes)).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seismic;

impl Question for Seismic {
    fn asked(game: &Game, power: Power, mut found: impl FnMut(Seismic)) {
        if game.stage() == Stage::Seismic && !game.world().position.is_out(power) {
            found(Seismic);
        }
    }

    fn topic(&self) -> &str {
        "SEISMIC"
    }

    fn choices(&self, seen: &Observation<'_>, found: &mut dyn FnMut(Subject, Decision)) {
        seen.quakes().iter().for_each(|&quake| found(Subject::Power, Decision::Seismic(quake.into())));
    }

    fn takes(&self, decision: &Decision) -> bool {
        matches!(decision, Decision::Seismic(_))
    }

    fn check(&self, answer: &mut Answer<'_>, decision: &Decision) -> Result<(), Refusal> {
        match decision {
            Decision::Seismic(order) if answer.seen.game.allows_quake(order.quake) => Ok(()),
            _ => Err(Refusal::NotAllowed),
        }
    }

    fn decided(&self, answer: &Answer<'_>) -> Vec<Decision> {
        answer.answers.seismic[answer.seen.power].clone().map(Decision::Seismic).into_iter().collect()
    }
}

// What a power may declare with the orders of a movement phase: its exempt centre (rr01, rules 6 and 7).

/// The home centre that holes should spare: asked with the first orders, and when the choice may be changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exempt {
    /// The centres of which one may be named; never empty.
    pub choices: ProvinceSet,
}

/// The announcement of the exempt centre.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Announce;

impl Question for Exempt {
    fn asked(game: &Game, power: Power, mut found: impl FnMut(Exempt)) {
        let choices = game.exempt_choices(power);
        if !choices.is_empty() {
            found(Exempt { choices });
        }
    }

    fn topic(&self) -> &str {
        "EXEMPT"
    }

    fn choices(&self, _: &Observation<'_>, found: &mut dyn FnMut(Subject, Decision)) {
        self.choices.iter().for_each(|centre| found(Subject::Power, Decision::Exempt(centre)));
    }

    fn takes(&self, decision: &Decision) -> bool {
        matches!(decision, Decision::Exempt(_))
    }

    fn refusal(&self) -> Refusal {
        Refusal::NotExempt
    }

    fn decided(&self, answer: &Answer<'_>) -> Vec<Decision> {
        answer.answers.declared.exempt[answer.seen.power].map(Decision::Exempt).into_iter().collect()
    }
}

impl Question for Announce {
    fn asked(game: &Game, power: Power, mut found: impl FnMut(Announce)) {
        if game.can_announce(power) {
            found(Announce);
        }
    }

    fn topic(&self) -> &str {
        "ANNOUNCE"
    }

    fn choices(&self, _: &Observation<'_>, found: &mut dyn FnMut(Subject, Decision)) {
        found(Subject::Power, Decision::Announce);
    }

    fn takes(&self, decision: &Decision) -> bool {
        *decision == Decision::Announce
    }

    fn decided(&self, answer: &Answer<'_>) -> Vec<Decision> {
        match answer.answers.declared.announce[answer.seen.power] {
            Announced::Yes => vec![Decision::Announce],
            Announced::No => Vec::new(),
        }
    }
}

// The questions of a variant's mechanisms, such as votes.

impl Question for Poll {
    fn asked(game: &Game, power: Power, found: impl FnMut(Poll)) {
        if game.may_poll() {
            game.polls(power).for_each(found);
        }
    }

    fn topic(&self) -> &str {
        &self.topic
    }

    fn choices(&self, _: &Observation<'_>, found: &mut dyn FnMut(Subject, Decision)) {
        self.options.iter().for_each(|option| found(Subject::Power, Decision::Ballot(self.ballot(option))));
    }

    fn takes(&self, decision: &Decision) -> bool {
        matches!(decision, Decision::Ballot(ballot) if ballot.topic == self.topic)
    }

    fn refusal(&self) -> Refusal {
        Refusal::NoOption
    }

    fn decided(&self, answer: &Answer<'_>) -> Vec<Decision> {
        let ballot = answer.answers.declared.ballot(answer.seen.power, &self.topic);
        ballot.cloned().map(Decision::Ballot).into_iter().collect()
    }
}
