//! A second adjudicator: slow, and as plain as possible. It knows no lists, no bounds and no order of evaluation. An
//! outcome is an answer for each move (does it succeed?) and each convoyed move (does its convoy hold?); the rules are
//! equations that such an outcome must satisfy; all outcomes are tried.
//!
//! If exactly one satisfies them, it is the result. Otherwise the variables that depend on themselves are searched for:
//! a variable depends on another if there is any assignment in which changing only the other changes the value of the
//! first one's equation. For a set of variables that depend on each other and on nothing else, again all assignments
//! are tried. If exactly one satisfies its equations, it holds. Otherwise, if there is a convoy among them, their
//! convoys fail (Szykman); if not, the assignment with the most successful moves is taken. If there are no convoys but
//! landings from seas that their fleets are moving to, these are removed, unless there is an outcome in which all
//! succeed that succeed in any.

mod aboard;

use upheaval::ids::{ProvinceId, ProvinceSet, UnitKind};
use upheaval::rules::order::{Order, Orders, Route};
use upheaval::rules::position::{Position, Unit};
use upheaval::rules::rulebook::{
    AdjacentConvoy, BeatenUnit, OwnFleetImpliesVia, ParadoxRule, Rulebook, SeveralRoutes,
};
use upheaval::topology::Board;

struct Given<'a> {
    board: &'a Board,
    rules: &'a Rulebook,
    /// The units in their provinces, then the armies that land.
    units: Vec<(ProvinceId, Unit, Order)>,
    carriers: Vec<aboard::Carrier>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Variable {
    Succeeds(usize),
    ConvoyHolds(usize),
    /// For an army that lands: does its fleet get there?
    FleetArrives(usize),
}

/// An outcome: which units' moves succeed, and whose convoys hold. One bit for each unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Assignment {
    succeeds: u32,
    convoys: u32,
    fleets: u32,
}

impl Assignment {
    fn get(self, v: Variable) -> bool {
        match v {
            Variable::Succeeds(i) => self.succeeds >> i & 1 != 0,
            Variable::ConvoyHolds(i) => self.convoys >> i & 1 != 0,
            Variable::FleetArrives(i) => self.fleets >> i & 1 != 0,
        }
    }

    fn set(&mut self, v: Variable, value: bool) {
        let (bits, i) = match v {
            Variable::Succeeds(i) => (&mut self.succeeds, i),
            Variable::ConvoyHolds(i) => (&mut self.convoys, i),
            Variable::FleetArrives(i) => (&mut self.fleets, i),
        };
        *bits = *bits & !(1 << i) | u32::from(value) << i;
    }
}

/// The results of the orders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Settled {
    /// The provinces whose unit moves away, and those dislodged.
    pub moved: ProvinceSet,
    pub dislodged: ProvinceSet,
    /// The fleets whose army landed.
    pub landed: ProvinceSet,
    /// The units whose support is given.
    pub supporting: ProvinceSet,
    pub contested: ProvinceSet,
    /// The position afterwards, and who must retreat.
    pub after: Position,
    pub retreating: Vec<(ProvinceId, Unit)>,
    /// How it was found: by one consistent outcome, by a circular movement, by a paradox.
    pub how: How,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum How {
    OneOutcome,
    Circle,
    Paradox,
}

/// Settles legal orders. Only for up to 16 units and landings.
pub(super) fn settle(board: &Board, rules: &Rulebook, position: &Position, orders: &Orders) -> Settled {
    let given = Given::new(board, rules, position, orders);
    assert!(given.units.len() <= 16);
    let mut open: Vec<Variable> = vec![];
    for i in 0..given.units.len() {
        if given.goal(i).is_some() {
            open.push(Variable::Succeeds(i));
            if given.wants_convoy(i) {
                open.push(Variable::ConvoyHolds(i));
            }
            if given.carriers[i].is_some() {
                open.push(Variable::FleetArrives(i));
            }
        }
    }
    let mut known = Assignment { succeeds: 0, convoys: 0, fleets: 0 };
    let mut how = How::OneOutcome;
    // The convoys hold or fail depending on the moves against their fleets, and fleets arrive depending on their own,
    // so it is enough to try the moves.
    let moves: Vec<Variable> = open.iter().copied().filter(|v| matches!(v, Variable::Succeeds(_))).collect();
    let mut fitting = vec![];
    for bits in 0..1u32 << moves.len() {
        let mut tried = assignment(known, &moves, bits);
        for &v in &open {
            if !moves.contains(&v) {
                let value = given.equation(v, tried);
                tried.set(v, value);
            }
        }
        if moves.iter().all(|&v| given.equation(v, tried) == tried.get(v)) {
            fitting.push(tried);
        }
    }
    if fitting.len() == 1 {
        known = fitting[0];
        open.clear();
    }
    while !open.is_empty() {
        let knot = given.knot(known, &open);
        let solutions: Vec<Assignment> = (0..1u32 << knot.len())
            .map(|bits| assignment(known, &knot, bits))
            .filter(|&a| knot.iter().all(|&v| given.equation(v, a) == a.get(v)))
            .collect();
        let has_convoy = knot.iter().any(|v| matches!(v, Variable::ConvoyHolds(_)));
        let landings = knot.iter().filter(|v| matches!(v, Variable::FleetArrives(_)));
        // If landings are involved, all moves that can succeed must be able to do so together.
        let together = |a: &&Assignment| solutions.iter().all(|b| b.succeeds & !a.succeeds == 0);
        let best = solutions.iter().find(together);
        if best.is_none() && !has_convoy && landings.clone().count() > 0 {
            how = How::Paradox;
            for &v in landings {
                known.set(v, false);
                open.retain(|w| *w != v);
            }
        } else if solutions.len() == 1 || !has_convoy {
            if solutions.len() != 1 {
                how = how.max(How::Circle);
            }
            known =
                *solutions.iter().max_by_key(|a| a.succeeds.count_ones()).expect("a circle has an outcome");
            open.retain(|v| !knot.contains(v));
        } else {
            how = How::Paradox;
            for &v in knot.iter().filter(|v| matches!(v, Variable::ConvoyHolds(_))) {
                known.set(v, false);
                open.retain(|w| *w != v);
            }
        }
    }
    let (after, retreating) = given.carried_out(known);
    let supporting = |&s: &usize| given.all().any(|i| given.names_in_support(s, i)) && given.given(s, known);
    let is_unit = |&i: &usize| given.carriers[i].is_none();
    let moves =
        |i: usize| given.carriers[i].map(|ship| given.at(ship)).filter(|_| known.get(Variable::Succeeds(i)));
    Settled {
        moved: given
            .all()
            .filter(is_unit)
            .filter(|&i| known.get(Variable::Succeeds(i)))
            .map(|i| given.at(i))
            .collect(),
        dislodged: retreating.iter().map(|unit| unit.0).collect(),
        landed: given.all().filter_map(moves).collect(),
        supporting: given.all().filter(supporting).map(|s| given.at(s)).collect(),
        contested: given.contested(known),
        after,
        retreating,
        how,
    }
}

/// The known values, with the bits for the variables.
fn assignment(known: Assignment, variables: &[Variable], bits: u32) -> Assignment {
    let mut a = known;
    for (n, &v) in variables.iter().enumerate() {
        a.set(v, bits >> n & 1 != 0);
    }
    a
}

impl Given<'_> {
    fn at(&self, i: usize) -> ProvinceId {
        self.units[i].0
    }

    fn all(&self) -> std::ops::Range<usize> {
        0..self.units.len()
    }

    fn goal(&self, i: usize) -> Option<ProvinceId> {
        match self.units[i].2 {
            Order::Move { to, .. } => Some(to.province),
            _ => None,
        }
    }

    fn unit_in(&self, p: ProvinceId) -> Option<usize> {
        self.all().find(|&i| self.carriers[i].is_none() && self.at(i) == p)
    }

    fn moves_into(&self, p: ProvinceId) -> impl Iterator<Item = usize> {
        self.all().filter(move |&i| self.goal(i) == Some(p))
    }

    fn opposite(&self, i: usize) -> Option<usize> {
        // An army that lands meets no unit on the way: its fleet is in the province it comes from.
        if self.carriers[i].is_some() {
            return None;
        }
        let other = self.unit_in(self.goal(i)?)?;
        (self.goal(other) == Some(self.at(i))).then_some(other)
    }

    /// The fleets that were ordered to convoy this army as it goes.
    fn fleets(&self, i: usize) -> Vec<ProvinceId> {
        let (at, _, order) = self.units[i];
        let Order::Move { to, .. } = order else { return vec![] };
        self.units
            .iter()
            .filter(|u| u.2 == Order::Convoy { army: at, to: to.province } && self.board.sea().contains(u.0))
            .map(|u| u.0)
            .collect()
    }

    /// All routes over these fleets without repetitions.
    fn routes(&self, i: usize, fleets: &[ProvinceId]) -> Vec<Vec<ProvinceId>> {
        let goal = self.goal(i).unwrap();
        let mut found = vec![];
        let mut stack: Vec<Vec<ProvinceId>> = fleets
            .iter()
            .filter(|&&f| self.board.seas_next_to(self.at(i)).contains(f))
            .map(|&f| vec![f])
            .collect();
        while let Some(route) = stack.pop() {
            let last = *route.last().unwrap();
            // Army/fleet rule 5: a convoy crosses one sea.
            for &f in fleets.iter().filter(|_| !self.rules.army_fleets.allowed()) {
                if !route.contains(&f) && self.board.seas_next_to(last).contains(f) {
                    stack.push(route.iter().copied().chain([f]).collect());
                }
            }
            if self.board.seas_next_to(goal).contains(last) {
                found.push(route);
            }
        }
        found
    }

    fn neighbour(&self, i: usize) -> bool {
        self.units[i].1.kind == UnitKind::Fleet
            || self.board.army_reach(self.at(i)).contains(self.goal(i).unwrap())
    }

    /// Is the move to go by convoy?
    fn wants_convoy(&self, i: usize) -> bool {
        let (_, unit, order) = self.units[i];
        let Order::Move { route, .. } = order else { return false };
        if unit.kind == UnitKind::Fleet || self.carriers[i].is_some() {
            return false;
        }
        if !self.neighbour(i) {
            return true;
        }
        let fleets = self.fleets(i);
        let whole = !self.routes(i, &fleets).is_empty();
        match self.rules.adjacent_convoy {
            AdjacentConvoy::Via => {
                let own = fleets.iter().any(|&f| self.units[self.unit_in(f).unwrap()].1.power == unit.power);
                route == Route::Convoy
                    || own && whole && self.rules.own_fleet_implies_via == OwnFleetImpliesVia::Yes
            }
            AdjacentConvoy::Opposite => whole && self.opposite(i).is_some(),
        }
    }

    /// May it still move by land when the convoy fails?
    fn may_walk(&self, i: usize) -> bool {
        self.neighbour(i) && self.rules.adjacent_convoy == AdjacentConvoy::Opposite
    }

    fn by_convoy(&self, i: usize, a: Assignment) -> bool {
        self.wants_convoy(i) && (!self.may_walk(i) || a.get(Variable::ConvoyHolds(i)))
    }

    fn arrives(&self, i: usize, a: Assignment) -> bool {
        if self.carriers[i].is_some() {
            return a.get(Variable::FleetArrives(i));
        }
        !self.wants_convoy(i) || self.may_walk(i) || a.get(Variable::ConvoyHolds(i))
    }

    fn entered(&self, p: ProvinceId, a: Assignment) -> bool {
        self.moves_into(p).any(|i| a.get(Variable::Succeeds(i)))
    }

    fn equation(&self, v: Variable, a: Assignment) -> bool {
        match v {
            Variable::Succeeds(i) => self.succeeds(i, a),
            Variable::ConvoyHolds(i) => self.convoy_holds(i, a),
            Variable::FleetArrives(i) => self.fleet_arrives(i, a),
        }
    }

    fn convoy_holds(&self, i: usize, a: Assignment) -> bool {
        let fleets = self.fleets(i);
        let routes = self.routes(i, &fleets);
        let stands = |route: &Vec<ProvinceId>| route.iter().all(|&f| !self.entered(f, a));
        match self.rules.several_routes {
            SeveralRoutes::AnyRoute => routes.iter().any(stands),
            SeveralRoutes::AllRoutes => !routes.is_empty() && routes.iter().all(stands),
        }
    }

    /// Does `s` support the action of `i`?
    fn supports(&self, s: usize, i: usize, a: Assignment) -> bool {
        match self.units[s].2 {
            Order::SupportLanding { .. } => self.backs(s, i, a),
            _ => self.names_in_support(s, i),
        }
    }

    /// Is the order of `s` a support for the action of `i`?
    fn names_in_support(&self, s: usize, i: usize) -> bool {
        match self.units[s].2 {
            Order::SupportLanding { from, to } => self.names(s, from, to, i),
            _ if self.carriers[i].is_some() => false,
            Order::SupportHold { unit } => unit == self.at(i) && self.goal(i).is_none(),
            Order::SupportMove { unit, to, .. } => unit == self.at(i) && self.goal(i) == Some(to),
            _ => false,
        }
    }

    /// The supports that this unit receives, without those of a power that may not help.
    fn support(&self, i: usize, a: Assignment, without: Option<usize>) -> usize {
        let helps = |s: usize| without.is_none_or(|w| self.units[s].1.power != self.units[w].1.power);
        self.all().filter(|&s| self.supports(s, i, a) && helps(s) && self.given(s, a)).count()
    }

    fn given(&self, s: usize, a: Assignment) -> bool {
        let (at, unit, order) = self.units[s];
        let (subject, directed) = match order {
            Order::SupportHold { unit } => (unit, unit),
            Order::SupportMove { unit, to, .. } => (unit, to),
            Order::SupportLanding { from, to } => (from, to),
            _ => unreachable!(),
        };
        !self.moves_into(at).any(|m| {
            let foreign = self.units[m].1.power != unit.power;
            let protected = self.by_convoy(m, a)
                && self.rules.paradox == ParadoxRule::Xii5
                && unit.kind == UnitKind::Fleet
                && matches!(order, Order::SupportMove { .. })
                && subject != directed
                && self.routes(m, &self.fleets(m)).concat().contains(&directed);
            let strikes = self.arrives(m, a) && self.at(m) != directed;
            foreign && !protected && (strikes || a.get(Variable::Succeeds(m)))
        })
    }

    fn head_to_head(&self, i: usize, a: Assignment) -> Option<usize> {
        self.opposite(i).filter(|&o| !self.by_convoy(i, a) && !self.by_convoy(o, a))
    }

    fn prevents(&self, i: usize, a: Assignment) -> usize {
        let beaten = match self.rules.beaten_unit {
            BeatenUnit::HeadToHead => self.head_to_head(i, a).is_some_and(|o| a.get(Variable::Succeeds(o))),
            BeatenUnit::Never => {
                !self.leaves(i, a) && self.opposite(i).is_some_and(|o| a.get(Variable::Succeeds(o)))
            }
        };
        if !self.arrives(i, a) || beaten { 0 } else { 1 + self.support(i, a, None) }
    }

    fn succeeds(&self, i: usize, a: Assignment) -> bool {
        let goal = self.goal(i).unwrap();
        let defender = self.unit_in(goal);
        let battle = self.head_to_head(i, a).is_some();
        let left = defender.is_some_and(|d| self.leaves(d, a)) && !battle;
        let attack = match defender {
            Some(d) if !left && self.units[d].1.power == self.units[i].1.power => 0,
            Some(d) if !left => 1 + self.support(i, a, Some(d)),
            _ => 1 + self.support(i, a, None),
        };
        let holds = match defender {
            None => 0,
            Some(_) if left => 0,
            Some(d) if battle => 1 + self.support(d, a, None),
            Some(d) if self.goal(d).is_some() => 1,
            Some(d) => 1 + self.support(d, a, None),
        };
        let rivals =
            self.moves_into(goal).filter(|&r| r != i).map(|r| self.prevents(r, a)).max().unwrap_or(0);
        self.arrives(i, a) && attack > holds && attack > rivals
    }

    /// Army/fleet rule 4: a landing is void if its fleet does not get to the sea that it lands from.
    fn fleet_arrives(&self, i: usize, a: Assignment) -> bool {
        self.carriers[i].is_some_and(|ship| self.goal(ship).is_none() || a.get(Variable::Succeeds(ship)))
    }

    /// Variables that depend on each other and on no other open variable.
    fn knot(&self, known: Assignment, open: &[Variable]) -> Vec<Variable> {
        let n = open.len();
        let mut hangs = vec![vec![false; n]; n];
        for bits in 0..1u32 << n {
            let a = assignment(known, open, bits);
            for (x, &v) in open.iter().enumerate() {
                let value = self.equation(v, a);
                for (y, &w) in open.iter().enumerate() {
                    // Each pair of assignments that differ in one variable need only be tested once.
                    if bits >> y & 1 == 0 && !hangs[x][y] {
                        let mut b = a;
                        b.set(w, true);
                        hangs[x][y] = self.equation(v, b) != value;
                    }
                }
            }
        }
        for k in 0..n {
            for x in 0..n {
                for y in 0..n {
                    hangs[x][y] |= hangs[x][k] && hangs[k][y];
                }
            }
        }
        let x = (0..n).find(|&x| (0..n).all(|y| !hangs[x][y] || hangs[y][x])).unwrap();
        (0..n).filter(|&y| y == x || hangs[x][y]).map(|y| open[y]).collect()
    }
}
