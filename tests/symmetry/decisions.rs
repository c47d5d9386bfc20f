//! Decisions of a careless but sociable player: most units interact with each other.

use upheaval::game::Game;
use upheaval::ids::{ByPower, CoastId, Location, Power, Powers, ProvinceId, ProvinceSet, UnitKind};
use upheaval::rng::Stream;
use upheaval::rules::adjustment::{self, Owed};
use upheaval::rules::answers::Announced;
use upheaval::rules::answers::Declarations;
use upheaval::rules::legal::{ConvoyChains, landings, legal_orders};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::order::{AdjustmentOrder, Order, Orders, RetreatOrder, Route};
use upheaval::rules::position::{Cargo, Position, Unit};
use upheaval::rules::retreat::ways;
use upheaval::rules::seismic::{self, SeismicOrder, SeismicOrders, WaterwayChoice};
use upheaval::topology::isthmus::{Matter, WaterwayOption, WaterwayQuestion};
use upheaval::topology::{PlanarMap, Quake};

/// About forty units of all powers, with an owner for every centre.
pub(super) fn crowd(terrain: &MapTables, dice: &mut Stream, army_fleets: bool) -> Position {
    let board = terrain.board();
    let mut places: Vec<ProvinceId> = board.passable().iter().collect();
    dice.shuffle(&mut places);
    let mut position = Position::new(Powers::STANDARD);
    for &at in places.iter().take(32 + dice.below(16) as usize) {
        let power = *dice.choose(&Power::STANDARD).expect("a power");
        let stations: Vec<Location> = board.stations_of(at).collect();
        let afloat = board.sea().contains(at) || dice.below(3) == 0;
        let unit = match dice.choose(&stations) {
            Some(station) if afloat => Unit::new(UnitKind::Fleet, power, station.coast),
            _ => Unit::army(power),
        };
        position.place(at, unit);
        if army_fleets && board.sea().contains(at) && dice.below(4) == 0 {
            position.set_cargo(at, Cargo::Army { seasons: 0 });
        }
    }
    for centre in *terrain.centres() {
        position.set_owner(centre, Some(*dice.choose(&Power::STANDARD).expect("a power")));
    }
    position
}

/// Orders for a movement: some units gang up on others, including by convoy, and most of the rest help or obstruct
/// other units.
pub(super) fn movement(game: &Game, dice: &mut Stream) -> (Orders, Declarations) {
    let (terrain, position) = (game.terrain(), &game.world().position);
    let board = terrain.board();
    let chains = ConvoyChains::new(board, &game.variant().rulebook, position);
    let mut orders = Orders::all_hold();
    let mut free: Vec<(ProvinceId, Vec<Order>)> = Vec::new();
    for at in *position.occupied() {
        let mut legal = Vec::new();
        legal_orders(board, position, &chains, at, &mut legal);
        free.push((at, legal));
    }
    dice.shuffle(&mut free);
    let mut targets: Vec<ProvinceId> = position.occupied().iter().collect();
    dice.shuffle(&mut targets);
    targets.truncate(2 + free.len() / 4);
    for target in targets {
        gang_up(target, &mut free, &mut orders, dice);
    }
    for (at, legal) in free {
        let about_others = |order: &&Order| match **order {
            Order::SupportMove { unit, to, .. } => goes(&orders, unit, to),
            Order::SupportHold { unit } => !matches!(orders[unit], Order::Move { .. }),
            Order::Convoy { army, to } => goes(&orders, army, to),
            Order::Move { to, .. } => position.occupied().contains(to.province),
            Order::SupportLanding { .. } | Order::Embark { .. } => true,
            Order::Hold | Order::Transform { .. } => false,
        };
        let wanted: Vec<Order> = match dice.below(3) {
            0 => legal,
            _ => legal.iter().filter(about_others).copied().collect(),
        };
        orders[at] = dice.choose(&wanted).copied().unwrap_or(Order::Hold);
    }
    if game.variant().rulebook.army_fleets.allowed() {
        for fleet in *position.fleets() & *board.sea() {
            land(game, &chains, fleet, &mut orders, dice);
        }
    }
    if game.variant().listing().is_allowed() {
        list_retreats(game, &mut orders, dice);
    }
    let mut declared = Declarations::none(Powers::STANDARD);
    for power in Powers::STANDARD {
        let choices: Vec<ProvinceId> = game.exempt_choices(power).iter().collect();
        declared.exempt[power] = dice.choose(&choices).copied().filter(|_| dice.below(3) > 0);
        if game.can_announce(power) && dice.below(4) == 0 {
            declared.announce[power] = Announced::Yes;
        }
    }
    (orders, declared)
}

fn goes(orders: &Orders, unit: ProvinceId, goal: ProvinceId) -> bool {
    matches!(orders[unit], Order::Move { to, .. } if to.province == goal)
}

/// A unit without an order moves there, if one can, and others help it.
fn gang_up(
    target: ProvinceId,
    free: &mut Vec<(ProvinceId, Vec<Order>)>,
    orders: &mut Orders,
    dice: &mut Stream,
) {
    let is_attack = |order: &&Order| matches!(order, Order::Move { to, .. } if to.province == target);
    let attacks: Vec<(ProvinceId, Order)> = free
        .iter()
        .flat_map(|(at, legal)| legal.iter().filter(is_attack).map(|&order| (*at, order)))
        .collect();
    // Every other time by sea, if possible.
    let by_sea = |attack: &&(ProvinceId, Order)| matches!(attack.1, Order::Move { route: Route::Convoy, .. });
    let overseas: Vec<_> = attacks.iter().filter(by_sea).copied().collect();
    let drawn = dice.choose(&overseas).copied().filter(|_| dice.below(2) == 0);
    let Some((attacker, order)) = drawn.or_else(|| dice.choose(&attacks).copied()) else { return };
    orders[attacker] = order;
    free.retain(|(at, _)| *at != attacker);
    let helps = |order: &&Order| match **order {
        Order::SupportMove { unit, to, .. } => (unit, to) == (attacker, target),
        Order::Convoy { army, to } => (army, to) == (attacker, target),
        _ => false,
    };
    free.retain(|(at, legal)| {
        let help = legal.iter().find(helps).filter(|_| dice.below(4) > 0);
        if let Some(&order) = help {
            orders[*at] = order;
        }
        help.is_none()
    });
}

/// A list of all places for each unit, in any order: none is left to the default, which depends on directions and
/// codes.
fn list_retreats(game: &Game, orders: &mut Orders, dice: &mut Stream) {
    let (board, position) = (game.terrain().board(), &game.world().position);
    for at in *position.occupied() {
        let unit = position.unit(at).expect("occupied");
        let mut places: Vec<Location> = ways(board, at, unit.kind, unit.coast).collect();
        dice.shuffle(&mut places);
        orders.retreats_mut().set(at, places);
    }
}

/// The army aboard may land where its fleet is or goes.
fn land(game: &Game, chains: &ConvoyChains, fleet: ProvinceId, orders: &mut Orders, dice: &mut Stream) {
    let position = &game.world().position;
    let boards = |army: ProvinceId| orders[army] == Order::Embark { fleet };
    if !position.laden().contains(fleet) && !position.occupied().iter().any(boards) {
        return;
    }
    let sea = match orders[fleet] {
        Order::Move { to, .. } => to.province,
        _ => fleet,
    };
    let shores: Vec<_> = landings(game.terrain().board(), position, chains, fleet)
        .filter(|landing| landing.from == sea)
        .collect();
    if let Some(&landing) = dice.choose(&shores)
        && dice.below(3) > 0
    {
        orders.land(landing);
    }
}

/// Is an army ferried by several fleets of its own power? The fleet that keeps it aboard is chosen by code.
pub(super) fn has_two_own_ferries(position: &Position, orders: &Orders) -> bool {
    let ferries = |army: ProvinceId, to: ProvinceId| {
        let own = position.unit(army).map(|unit| unit.power);
        let of_it = |fleet: &ProvinceId| {
            orders[*fleet] == Order::Convoy { army, to } && position.unit(*fleet).map(|u| u.power) == own
        };
        position.fleets().iter().filter(of_it).count()
    };
    position.occupied().iter().any(|army| match orders[army] {
        Order::Move { to, .. } => ferries(army, to.province) > 1,
        _ => false,
    })
}

/// Orders for the dislodged units, several of which may want to go to one place; at most this many get none.
pub(super) fn retreats(game: &Game, mut without: usize, dice: &mut Stream) -> Vec<Option<RetreatOrder>> {
    let mut wanted = ProvinceSet::EMPTY;
    let mut orders = Vec::new();
    for i in 0..game.dislodged().dislodged.len() {
        let options = game.retreat_options(i);
        if without > 0 && dice.below(3) == 0 {
            without -= 1;
            orders.push(None);
            continue;
        }
        let crowded = options.iter().copied().find(|to| wanted.contains(to.province));
        let to = crowded.filter(|_| dice.below(3) > 0).or_else(|| dice.choose(&options).copied());
        let to = to.filter(|_| dice.below(8) > 0);
        wanted |= to.iter().map(|to| to.province).collect();
        orders.push(Some(to.map_or(RetreatOrder::Disband, |to| RetreatOrder::Retreat { to })));
    }
    orders
}

/// Optional builds, and every required removal.
pub(super) fn adjustments(game: &Game, dice: &mut Stream) -> ByPower<Vec<AdjustmentOrder>> {
    let mut all: ByPower<Vec<AdjustmentOrder>> = ByPower::new(Powers::STANDARD);
    for power in Powers::STANDARD {
        let position = &game.world().position;
        match game.owed(power) {
            Owed::Builds(n) => {
                let mut builds = adjustment::builds(game.terrain().board(), &game.build_sites(power));
                dice.shuffle(&mut builds);
                let mut used = ProvinceSet::EMPTY;
                for order in builds {
                    let AdjustmentOrder::Build { at, .. } = order else { continue };
                    if used.len() < n && !used.contains(at.province) {
                        used.insert(at.province);
                        all[power].push(order);
                    }
                }
            }
            Owed::Removals(n) => {
                let mut units: Vec<ProvinceId> = position.units_of(power).iter().collect();
                dice.shuffle(&mut units);
                let mut left = n;
                for at in units.into_iter().take(n) {
                    let laden = position.laden().contains(at);
                    let (order, count) = match laden && (left == 1 || dice.below(2) == 0) {
                        true => (AdjustmentOrder::RemoveArmy { fleet: at }, 1),
                        false => (AdjustmentOrder::Remove { at }, 1 + usize::from(laden)),
                    };
                    if count <= left {
                        all[power].push(order);
                        left -= count;
                    }
                }
            }
        }
    }
    all
}

/// The coasts that are chosen, by province.
pub(super) fn coasts(game: &Game, dice: &mut Stream) -> Vec<(ProvinceId, CoastId)> {
    let choice = |choice: &upheaval::rules::game_state::CoastChoice| {
        (choice.fleet, *dice.choose(&choice.coasts).expect("a choice"))
    };
    game.coast_choices().iter().map(choice).collect()
}

// ---- seismic orders ----

fn is_pinch(quake: Quake, map: &PlanarMap) -> bool {
    let [c, d] = quake.touched(map).together;
    matches!(quake, Quake::Separation(_)) && c == d
}

/// Orders of all powers for quakes: often near waterways and shores, and often quakes that make islands and join them;
/// sometimes the order of another power.
pub(super) fn quakes(map: &PlanarMap, dice: &mut Stream) -> SeismicOrders {
    let all = map.quakes();
    let is_sea = |id: ProvinceId| map.face(id).is_some_and(|face| face.is_open_sea());
    let rare = |quake: &Quake| matches!(quake, Quake::Release(_)) || is_pinch(*quake, map);
    let at_a_shore = |quake: &Quake| {
        let touched = quake.touched(map);
        let faces = touched.apart.into_iter().chain(touched.together);
        let seas = faces.filter(|&id| is_sea(id)).count();
        (1..=3).contains(&seas)
    };
    let near_water_that_joins = |quake: &Quake| {
        let Quake::Separation(border) = *quake else { return false };
        let ends = border.sides().map(|side| [map.next(side).border(), map.prev(side).border()]).concat();
        map.waterways().any(|way| match way {
            upheaval::topology::Waterway::Strait { border, .. } => ends.contains(border),
            upheaval::topology::Waterway::Canal { ends: of_it, .. } => {
                of_it.iter().any(|end| end.contains(border) || ends.iter().any(|&near| end.contains(near)))
            }
            upheaval::topology::Waterway::Passage { .. } => false,
        })
    };
    let rare: Vec<Quake> = all.iter().copied().filter(rare).collect();
    let shores: Vec<Quake> = all.iter().copied().filter(at_a_shore).collect();
    let waterways: Vec<Quake> = all.iter().copied().filter(near_water_that_joins).collect();
    let mut orders = SeismicOrders::new(Powers::STANDARD);
    let mut given: Vec<Quake> = Vec::new();
    for power in Powers::STANDARD {
        let from = match dice.below(8) {
            0 => &all,
            1 if !given.is_empty() => &given,
            2 | 3 => &rare,
            4 | 5 if !waterways.is_empty() => &waterways,
            _ => &shores,
        };
        if let Some(&quake) = dice.choose(from) {
            given.push(quake);
            orders[power] = Some(quake.into());
        }
    }
    orders
}

/// Lets the powers with successful orders state their wishes for the waterways concerned; if a canal may end at either
/// of two seas, all state the same, because the default is chosen by code.
pub(super) fn wish(terrain: &MapTables, orders: &mut SeismicOrders, dice: &mut Stream) {
    use WaterwayOption::{Canal, Delete, Keep, Nothing, Strait, Terminus};
    let standing = seismic::settle(terrain.chart().map(), orders).standing;
    let mut questions: Vec<WaterwayQuestion> = Vec::new();
    let mut chart = terrain.chart().clone();
    chart.begin_change();
    let asked = chart.shake(&standing, &mut |question| {
        questions.push(question.clone());
        None
    });
    asked.expect("it stands");
    for question in questions {
        let options: Vec<WaterwayOption> = match question.matter {
            Matter::NewIsthmus { between: [x, y] } => vec![Strait, Canal(x), Canal(y), Nothing],
            Matter::StraitCut { through, .. } => through.iter().map(Canal).chain([Delete]).collect(),
            Matter::CanalMoved { .. } => vec![Keep, Delete],
            Matter::CanalForked { to, .. } => vec![*dice.choose(&to.map(Terminus)).expect("two")],
        };
        let is_forked = matches!(question.matter, Matter::CanalForked { .. });
        for power in Powers::STANDARD {
            let Some(SeismicOrder { quake, wishes }) = &mut orders[power] else { continue };
            if question.by.contains(quake) && (is_forked || dice.below(3) > 0) {
                let option = *dice.choose(&options).expect("an option");
                let at = question.matter.isthmus().filter(|_| dice.below(3) > 0);
                wishes.push(WaterwayChoice { at, option });
            }
        }
    }
}
