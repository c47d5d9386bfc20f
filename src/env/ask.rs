//! The questions to the caller's seats in the stage that a game waits for, and their possible answers.

use upheaval_engine::ask::{Faculty, Handicap};
use upheaval_engine::game::{Game, Referee, Stage};
use upheaval_engine::rules::adjustment::{self, Owed};
use upheaval_engine::rules::legal;
use upheaval_engine::rules::order::{AdjustmentOrder, Order, RetreatOrder};
use upheaval_engine::rules::position::Unit;
use upheaval_engine::rules::retreat;
use upheaval_engine::rules::world::World;
use upheaval_map::ids::{Power, ProvinceId};

use crate::act::Act;

/// The kind of an ask; the codes are indices into [`AskKind::ALL`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub enum AskKind {
    /// The order of a unit.
    Order,
    /// The landing of the army aboard a fleet, or none. It succeeds only if the fleet gets to the sea that
    /// the army lands from; of two landings from one sea the first counts.
    Landing,
    /// The next place in a unit's list of retreats, or none. A place that is already in the list is ignored.
    List,
    /// The centre that holes should spare, or none.
    Exempt,
    /// Is the exempt centre announced?
    Announce,
    /// The order of a dislodged unit.
    Retreat,
    /// The coast of a fleet whose own coast split or vanished.
    Coast,
    /// The fate of a fleet that has lost its last coast.
    Trapped,
    /// One of the builds that are owed, or none. Of two builds in one province the first counts.
    Build,
    /// One of the required removals. Of two removals of one unit the first counts; civil disorder makes up
    /// for the other. Removing a fleet also removes the army aboard, which counts as two: removals beyond the
    /// required number do not count.
    Removal,
    /// A seismic order, or none.
    Seismic,
}

impl AskKind {
    /// All kinds, in the order of their codes.
    pub const ALL: [AskKind; 11] = [
        AskKind::Order,
        AskKind::Landing,
        AskKind::List,
        AskKind::Exempt,
        AskKind::Announce,
        AskKind::Retreat,
        AskKind::Coast,
        AskKind::Trapped,
        AskKind::Build,
        AskKind::Removal,
        AskKind::Seismic,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            AskKind::Order => "order",
            AskKind::Landing => "landing",
            AskKind::List => "list",
            AskKind::Exempt => "exempt",
            AskKind::Announce => "announce",
            AskKind::Retreat => "retreat",
            AskKind::Coast => "coast",
            AskKind::Trapped => "trapped",
            AskKind::Build => "build",
            AskKind::Removal => "removal",
            AskKind::Seismic => "seismic",
        }
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
    /// The answers, as a range of [`Asks::acts`].
    pub begin: u32,
    pub end: u32,
}

/// The asks of a stage: those of one power are consecutive, in the order of the powers.
#[derive(Default)]
pub(crate) struct Asks {
    pub list: Vec<UnitAsk>,
    /// The answers, each with the unit that it orders.
    pub acts: Vec<(Option<ProvinceId>, Act)>,
    /// Room for the orders of one unit.
    orders: Vec<Order>,
}

impl Asks {
    pub fn clear(&mut self) {
        self.list.clear();
        self.acts.clear();
    }

    /// The answer with this number to an ask.
    pub fn act(&self, ask: &UnitAsk, choice: u32) -> Act {
        self.acts[(ask.begin + choice) as usize].1
    }

    /// All answers to an ask.
    pub fn acts_of(&self, ask: &UnitAsk) -> impl Iterator<Item = Act> {
        self.acts[ask.begin as usize..ask.end as usize].iter().map(|(_, act)| *act)
    }

    /// Lists the asks for a power with this handicap in the stage that the game waits for. The referee must
    /// be prepared for the game.
    pub fn list_for(&mut self, game: &Game, referee: &Referee, power: Power, handicap: Handicap) {
        match game.stage() {
            Stage::Movement => self.movement(game, referee, power, handicap),
            Stage::Retreats => self.retreats(game, power),
            Stage::Coasts => self.coasts(game, power),
            Stage::Adjustments => self.adjustments(game, power),
            Stage::Seismic if handicap.denies(Faculty::Seismic) => {}
            Stage::Seismic => self.seismic(game, power),
            Stage::Over => {}
        }
    }

    /// Lists the units of a power as if each waited for its order, without their legal orders.
    pub fn list_units_of(&mut self, game: &Game, power: Power) {
        let end = self.acts.len() as u32;
        for at in *game.world().position.units_of(power) {
            let (about, unit) = standing(game, at).unzip();
            self.list.push(UnitAsk { kind: AskKind::Order, about, unit, rank: 0, begin: end, end });
        }
    }

    /// Adds an ask with these answers, unless there are none.
    fn ask(&mut self, kind: AskKind, about: Option<(ProvinceId, Unit)>, acts: impl IntoIterator<Item = Act>) {
        let begin = self.acts.len() as u32;
        let (about, unit) = about.unzip();
        self.acts.extend(acts.into_iter().map(|act| (about, act)));
        let end = self.acts.len() as u32;
        if end > begin {
            self.list.push(UnitAsk { kind, about, unit, rank: 0, begin, end });
        }
    }

    /// Repeats the last ask with the same answers until there are `count` of it.
    fn repeat_last(&mut self, count: usize) {
        let Some(&last) = self.list.last() else { return };
        self.list.extend((1..count).map(|rank| UnitAsk { rank: rank as u16, ..last }));
    }

    fn movement(&mut self, game: &Game, referee: &Referee, power: Power, handicap: Handicap) {
        let World { terrain, position, .. } = game.world();
        let (board, chains) = (terrain.board(), referee.chains());
        let mut orders = std::mem::take(&mut self.orders);
        for unit in *position.units_of(power) {
            orders.clear();
            legal::legal_orders(board, position, chains, unit, &mut orders);
            let allowed = orders.iter().filter(|order| handicap.allows(**order));
            self.ask(AskKind::Order, standing(game, unit), allowed.map(|&order| Act::Order(order)));
        }
        self.orders = orders;
        if game.variant().rulebook.army_fleets.allowed() {
            for fleet in *position.units_of(power) & *position.fleets() {
                let mut landings = legal::landings(board, position, chains, fleet).map(Act::Land).peekable();
                if landings.peek().is_some() {
                    self.ask(
                        AskKind::Landing,
                        standing(game, fleet),
                        [Act::None].into_iter().chain(landings),
                    );
                }
            }
        }
        if game.variant().listing().is_allowed() {
            for at in *position.units_of(power) {
                let Some(unit) = position.unit(at) else { continue };
                let mut ways = retreat::ways(board, at, unit.kind, unit.coast).map(Act::Place).peekable();
                if ways.peek().is_some() {
                    self.ask(AskKind::List, Some((at, unit)), [Act::None].into_iter().chain(ways));
                    let count = self.list.last().map_or(0, |ask| ask.end - ask.begin - 1);
                    self.repeat_last(count as usize);
                }
            }
        }
        if handicap.denies(Faculty::Exemptions) {
            return;
        }
        let mut exempt = game.exempt_choices(power).iter().map(Act::Exempt).peekable();
        if exempt.peek().is_some() {
            self.ask(AskKind::Exempt, None, [Act::None].into_iter().chain(exempt));
        }
        if game.can_announce(power) {
            self.ask(AskKind::Announce, None, [Act::None, Act::Announce]);
        }
    }

    fn retreats(&mut self, game: &Game, power: Power) {
        for (i, dislodged) in game.dislodged().dislodged.iter().enumerate() {
            if dislodged.unit.power != power {
                continue;
            }
            let ways = game.retreat_options(i);
            if !ways.is_empty() {
                let retreats = ways.iter().map(|&to| RetreatOrder::Retreat { to });
                let orders = retreats.chain([RetreatOrder::Disband]);
                let orders = orders.map(|order| Act::Retreat { unit: i as u16, order });
                self.ask(AskKind::Retreat, Some((dislodged.at, dislodged.unit)), orders);
            }
        }
    }

    fn coasts(&mut self, game: &Game, power: Power) {
        for choice in game.coast_choices().iter().filter(|choice| choice.power == power) {
            let coasts = choice.coasts.iter().map(|&coast| Act::Coast(coast));
            self.ask(AskKind::Coast, standing(game, choice.fleet), coasts);
        }
        for fleet in game.trapped_of(power) {
            self.ask(AskKind::Trapped, standing(game, fleet), [Act::Stay, Act::Disband]);
        }
    }

    fn adjustments(&mut self, game: &Game, power: Power) {
        if !game.has_adjustments(power) {
            return;
        }
        match game.owed(power) {
            Owed::Builds(count) => {
                let sites = game.build_sites(power);
                let builds = adjustment::builds(game.terrain().board(), &sites).into_iter().map(Act::Adjust);
                self.ask(AskKind::Build, None, [Act::None].into_iter().chain(builds));
                self.repeat_last(count.min(sites.len()));
            }
            Owed::Removals(count) => {
                let position = &game.world().position;
                let removals = position.units_of(power).iter().flat_map(|at| {
                    let army = position.laden().contains(at);
                    let army = army.then_some(AdjustmentOrder::RemoveArmy { fleet: at });
                    [AdjustmentOrder::Remove { at }].into_iter().chain(army)
                });
                self.ask(AskKind::Removal, None, removals.map(Act::Adjust));
                self.repeat_last(count);
            }
        }
    }

    fn seismic(&mut self, game: &Game, power: Power) {
        if game.world().position.is_out(power) || game.quakes().is_empty() {
            return;
        }
        // All powers have the same orders: their rows are shared.
        let first = self.list.first().filter(|ask| ask.kind == AskKind::Seismic).copied();
        match first {
            Some(ask) => self.list.push(ask),
            None => {
                let quakes = game.quakes().iter().map(|&quake| Act::Quake(quake));
                self.ask(AskKind::Seismic, None, [Act::None].into_iter().chain(quakes));
            }
        }
    }
}

/// The unit in a province, with its place.
fn standing(game: &Game, at: ProvinceId) -> Option<(ProvinceId, Unit)> {
    game.world().position.unit(at).map(|unit| (at, unit))
}
