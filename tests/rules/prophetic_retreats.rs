//! Retreats that are sent with the orders (rules.md 4.12), in every variant: a player who could foresee the movement
//! would lose nothing by it. Single lists are in `cli/tests/sessions/adjudicate_phases.md`.

use std::path::Path;
use std::sync::{Arc, Mutex};

use crate::helpers::table::{Lists, Table, Told};
use testkit::amount;
use upheaval::ask::{Answer, Ask, Observation};
use upheaval::bot::Bot;
use upheaval::game::{Game, Referee, Stage};
use upheaval::ids::{ByPower, Location, Power, Powers, ProvinceId, ProvinceSet, UnitKind};
use upheaval::play::{Seats, play_stage};
use upheaval::reading::Decision;
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::adjustment::{self, Owed};
use upheaval::rules::answers::Answers;
use upheaval::rules::legal::{self, ConvoyChains};
use upheaval::rules::map_tables::MapTables;
use upheaval::rules::nature::Seeded;
use upheaval::rules::notation::{Situation, WrittenList};
use upheaval::rules::order::Listing;
use upheaval::rules::order::{AdjustmentOrder, Order, Orders, RetreatOrder, Route};
use upheaval::rules::retreat;
use upheaval::rules::variant::{RetreatsSent, Variant};
use upheaval::session::Session;

/// A shipped variant in which retreats are sent in this way.
fn with(id: &str, sent: RetreatsSent) -> Arc<Variant> {
    let variant = Variant::find(id, Path::new("")).expect("sound").expect("shipped");
    Arc::new(Variant { retreats_sent: sent, ..variant })
}

// ---- the property ----

/// The first builds that each power may order, one for each province.
fn builds(game: &Game) -> ByPower<Vec<AdjustmentOrder>> {
    ByPower::from_fn(Powers::STANDARD, |power| {
        let Owed::Builds(count) = game.owed(power) else { return Vec::new() };
        let mut used = ProvinceSet::EMPTY;
        let mut orders = adjustment::builds(game.terrain().board(), &game.build_sites(power));
        orders.retain(|order| match order {
            AdjustmentOrder::Build { at, .. } if !used.contains(at.province) => {
                used.insert(at.province);
                true
            }
            _ => false,
        });
        orders.truncate(count);
        orders
    })
}

/// Settles everything except movements and retreats by default, with all possible builds.
fn go_on(game: &mut Game, referee: &mut Referee, nature: &mut Seeded) {
    while !matches!(game.stage(), Stage::Movement | Stage::Retreats | Stage::Over) {
        let answers = Answers { adjustments: builds(game), ..Answers::none(Powers::STANDARD) };
        game.settle(referee, &answers, nature, &mut ());
    }
}

/// For each unit a move, or the support of an attack on another power's unit, which usually takes place, so that
/// many units are dislodged.
fn drawn_orders(game: &Game, chains: &ConvoyChains, dice: &mut Stream) -> Orders {
    let (board, position) = (game.terrain().board(), &game.world().position);
    let power = |at| position.unit(at).map(|unit| unit.power);
    let (mut orders, mut legal) = (Orders::all_hold(), Vec::new());
    for unit in *position.occupied() {
        legal.clear();
        legal::legal_orders(board, position, chains, unit, &mut legal);
        legal.retain(|order| match *order {
            Order::SupportMove { unit, to, .. } => power(to).is_some_and(|there| power(unit) != Some(there)),
            order => matches!(order, Order::Move { .. }),
        });
        if let Some(&order) = dice.choose(&legal) {
            orders[unit] = order;
        }
    }
    for unit in *position.occupied() {
        let Order::SupportMove { unit: other, to, .. } = orders[unit] else { continue };
        let by_water = board.stations_of(to).next().filter(|_| position.fleets().contains(other));
        let attack = Order::Move { to: by_water.unwrap_or(to.into()), route: Route::Direct };
        if legal::is_legal(board, position, chains, other, attack) {
            orders[other] = attack;
        }
    }
    orders
}

/// The place that a unit of this kind should retreat to, as it must be written before the movement: coasts have the
/// names of that time. `None` where no name leads there.
fn beforehand(before: &MapTables, after: &Game, i: usize, to: Location) -> Option<Location> {
    let province = to.province;
    if before.hash() == after.terrain().hash() || after.dislodged().dislodged[i].unit.kind == UnitKind::Army {
        return Some(to);
    }
    match after.terrain().names().coast(to) {
        None => Some(province.into()),
        Some(name) => match before.names().find_coast(province, name) {
            Some(coast) => Some(Location { province, coast }),
            None => {
                let mut there =
                    after.retreat_options(i).into_iter().filter(|other| other.province == province);
                let is_only = there.next() == Some(to) && there.next().is_none();
                (is_only && before.names().coasts(province).is_empty()).then_some(province.into())
            }
        },
    }
}

/// The list of a player who knows the options and the intended place: before that place come some impossible ones,
/// after it any.
fn clairvoyant(game: &Game, i: usize, to: Location, listing: Listing, dice: &mut Stream) -> Vec<Location> {
    let dislodged = game.dislodged().dislodged[i];
    let from = Location { province: dislodged.at, coast: dislodged.unit.coast };
    let (board, options) = (game.terrain().board(), game.retreat_options(i));
    let mut others: Vec<Location> = board.passable().iter().flat_map(|id| board.stations_of(id)).collect();
    others.extend(board.land().iter().map(Location::from));
    others.retain(|&place| {
        let may = retreat::may_be_listed(board, listing, from, dislodged.unit.kind, place);
        may && place.province != to.province
    });
    dice.shuffle(&mut others);
    let is_closed = |place: &Location| options.iter().all(|option| option.province != place.province);
    let before: Vec<Location> =
        others.iter().copied().filter(is_closed).take(dice.below(4) as usize).collect();
    let behind = others.into_iter().take(dice.below(3) as usize);
    before.into_iter().chain([to]).chain(behind).collect()
}

/// The cases that occurred in the games of the property.
#[derive(Default, Debug)]
struct Met {
    listed: usize,
    unlisted: usize,
    overlaps: usize,
}

/// One season of a game that asks for retreats, and the same with the lists of a player who has seen it: both continue
/// in the same way.
fn season(game: &mut Game, prophetic: &Arc<Variant>, nature: &mut Seeded, dice: &mut Stream, met: &mut Met) {
    let mut referee = Referee::new();
    referee.prepare(game);
    let mut orders = drawn_orders(game, referee.chains(), dice);
    let world = game.world().clone();
    let mut foreseen = Game::resumed(Arc::clone(prophetic), u16::MAX, world.clone(), game.phase());
    let ordered = |orders: &Orders| Answers { orders: orders.clone(), ..Answers::none(Powers::STANDARD) };
    game.settle(&mut referee, &ordered(&orders), nature, &mut ());
    go_on(game, &mut referee, nature);
    if game.stage() == Stage::Retreats {
        let waiting = game.dislodged().dislodged.clone();
        let mut retreats = Vec::new();
        for (i, unit) in waiting.iter().enumerate() {
            // Units that come back with a face had no orders (rules.md 4.8).
            let wish = dice.choose(&game.retreat_options(i)).copied();
            let wish = wish.filter(|_| unit.attacker.is_some() && dice.below(4) > 0);
            let written = wish.and_then(|to| beforehand(&world.terrain, game, i, to));
            retreats.push(wish.filter(|_| written.is_some()).map(|to| RetreatOrder::Retreat { to }));
            match written {
                Some(to) => {
                    let list = clairvoyant(game, i, to, prophetic.listing(), dice);
                    orders.retreats_mut().set(unit.at, list);
                    met.listed += 1;
                }
                None => met.unlisted += 1,
            }
        }
        let (answers, mut told) = (Answers { retreats, ..ordered(&orders) }, Told::default());
        game.settle(&mut referee, &answers, nature, &mut told);
        met.overlaps += told.retreats.iter().filter(|outcome| outcome.word() == "overlap").count();
        go_on(game, &mut referee, nature);
    }
    foreseen.settle(&mut referee, &ordered(&orders), nature, &mut ());
    assert_ne!(foreseen.stage(), Stage::Retreats, "nobody is asked");
    go_on(&mut foreseen, &mut referee, nature);
    let units = |game: &Game| game.world().written_units();
    let context = format!("{}, {}", game.variant().id, game.phase());
    assert_eq!(units(&foreseen), units(game), "{context}: other units than with foresight");
    let (phase, hash) = (foreseen.phase(), foreseen.hash());
    assert_eq!((phase, hash), (game.phase(), game.hash()), "{context}: other than with foresight");
    assert_eq!(foreseen.ending(), game.ending());
}

#[test]
fn lists_of_somebody_who_foresees_the_movement_give_the_retreats_that_would_be_ordered_after_it() {
    let mut met = Met::default();
    for id in Variant::shipped() {
        let [asks, prophetic] =
            [RetreatsSent::AfterMovement, RetreatsSent::WithOrders].map(|sent| with(id, sent));
        for seed in 0..amount(6, 20) {
            let mut game = Game::new(Arc::clone(&asks), u16::MAX);
            let mut dice = Stream::keyed(seed, Purpose::Bot, &[41]);
            let mut nature = Seeded { seed, block: 0 };
            go_on(&mut game, &mut Referee::new(), &mut nature);
            for _ in 0..12 {
                if game.stage() != Stage::Movement {
                    break;
                }
                season(&mut game, &prophetic, &mut nature, &mut dice, &mut met);
            }
        }
    }
    assert!(met.listed > 200 && met.unlisted > 60 && met.overlaps > 5, "{met:?}");
}

// ---- the front door ----

#[test]
fn a_session_lists_the_places_takes_lists_and_tells_what_came_of_them() {
    let mut game = Session::new("schizo-ii", 4).unwrap();
    let choices = game.legal_orders(Power::FRANCE);
    let subjects: Vec<&str> = choices.iter().map(|choice| &*choice.subject).collect();
    assert_eq!(subjects, ["F BRE", "A MAR", "A PAR", "F BRE R", "A MAR R", "A PAR R", "EXEMPT"]);
    let places: Vec<&str> = choices[5].orders.iter().map(|order| &*order.text).collect();
    assert_eq!(places, ["A PAR R BRE", "A PAR R BUR", "A PAR R GAS", "A PAR R PIC"]);
    let decision = game.order(Power::FRANCE, "a par r pic mos bur").unwrap();
    let Decision::List(listed) = &decision else { panic!("{decision:?}") };
    assert_eq!((listed.places.len(), listed.passed_over.len()), (2, 1), "Moscow is out of reach");
    let refused = game.order(Power::FRANCE, "A PAR R GAS").unwrap_err();
    assert_eq!(refused.to_string(), "duplicate list of retreats for this unit; the first one is used");
    game.order(Power::FRANCE, "A PAR - BUR").expect("a list is not an order to do anything");
    let results: Vec<String> = game.advance().results.iter().map(ToString::to_string).collect();
    assert_eq!(results, ["FRANCE A PAR R PIC MOS BUR: void", "FRANCE A PAR - BUR: ok"]);
    let game = Session::new("standard", 4).unwrap();
    assert!(game.legal_orders(Power::FRANCE).iter().all(|choice| !choice.subject.ends_with(" R")));
}

#[test]
fn a_session_tells_where_a_list_led_and_why_it_did_not() {
    let led = |list: &str| {
        let mut game = Session::new("schizo-ii", 4).unwrap();
        for (power, order) in
            [(Power::FRANCE, "A PAR - BUR"), (Power::GERMANY, "A MUN - RUH"), (Power::GERMANY, "A BER - MUN")]
        {
            game.order(power, order).unwrap();
        }
        game.advance();
        for (power, order) in
            [(Power::GERMANY, "A MUN - BUR"), (Power::GERMANY, "A RUH S A MUN - BUR"), (Power::FRANCE, list)]
        {
            game.order(power, order).unwrap_or_else(|refusal| panic!("{order}: {refusal}"));
        }
        let results = game.advance().results;
        results.iter().find(|result| result.order == list).expect("it is reported").to_string()
    };
    assert_eq!(led("A BUR R PIC PAR"), "FRANCE A BUR R PIC PAR: ok");
    assert_eq!(led("A BUR R MUN"), "FRANCE A BUR R MUN: void (no legal retreat, sent to BEL)");
}

/// A unit that a hole forces out has the list that was given where it stood before it moved, not the list of the unit
/// that it dislodged there.
#[test]
fn ruling_4_12_a_list_goes_with_its_unit() {
    let units: &Lists<'_> = &[(Power::FRANCE, &["A BUR"]), (Power::GERMANY, &["A MUN", "A RUH"])];
    let after = |lists: &[&str]| {
        let variant = with("double-reversible-2014", RetreatsSent::WithOrders);
        let mut table = Table::set_in(variant, "S1902M", &[], units, &[]).hole("S1902", "BUR");
        table.move_all(&[&["A MUN - BUR", "A RUH S A MUN - BUR"], lists].concat());
        [Power::FRANCE, Power::GERMANY].map(|power| table.units(power).join(" "))
    };
    assert_eq!(after(&["A BUR R PAR"]), ["A PAR", "A RUH"], "the German unit has no list");
    assert_eq!(after(&["A BUR R PAR", "A MUN R GAS BEL"]), ["A PAR", "A GAS A RUH"]);
    assert_eq!(after(&["A MUN R GAS"]), ["", "A GAS A RUH"]);
    assert_eq!(after(&["A BUR R PAR", "A MUN R PAR"]), ["", "A RUH"]);
}

// ---- answers ----

/// The reaction to a list: does all of it count, how much is refused, and how many places are listed then?
type Said = (bool, usize, usize);

/// Gives one list, and records the reaction.
struct Prophet {
    unit: &'static str,
    places: &'static [&'static str],
    said: Arc<Mutex<Option<Said>>>,
}

impl Bot for Prophet {
    fn decide(&mut self, seen: &Observation<'_>, ask: &Ask, _: &mut Stream, answer: &mut Answer<'_>) {
        let Ask::Movement(_) = ask else { return };
        let find = |name: &str| -> ProvinceId { seen.names().find(name).expect("a province") };
        let counts = answer.list_retreats(find(self.unit), self.places.iter().map(|name| find(name).into()));
        let listed = answer.retreats(find(self.unit)).len();
        *self.said.lock().unwrap() = Some((counts, answer.refused().len(), listed));
    }
}

#[test]
fn an_answer_takes_places_in_reach_of_own_units_and_counts_all_others_as_refused() {
    let said = |id: &str, unit: &'static str, places: &'static [&'static str]| {
        let variant = Variant::find(id, Path::new("")).expect("sound").expect("shipped");
        let (mut game, said) = (Game::new(Arc::new(variant), 1901), Arc::new(Mutex::new(None)));
        let mut bots: ByPower<Box<dyn Bot>> =
            ByPower::from_fn(Powers::STANDARD, |_| Box::new(()) as Box<dyn Bot>);
        bots[Power::AUSTRIA] = Box::new(Prophet { unit, places, said: Arc::clone(&said) });
        let mut dice = ByPower::from_fn(Powers::STANDARD, |_| Stream::keyed(1, Purpose::Bot, &[]));
        let seats = &mut Seats { bots: &mut bots, dice: &mut dice };
        play_stage(&mut game, &mut Referee::new(), seats, &mut Seeded { seed: 1, block: 0 }, &mut ());
        let said = said.lock().unwrap();
        said.expect("it was asked")
    };
    assert_eq!(said("schizo-ii", "VIE", &["TYR", "BOH", "GAL"]), (true, 0, 3));
    assert_eq!(said("schizo-ii", "VIE", &["TYR", "MOS", "ADR", "GAL"]), (false, 2, 2));
    assert_eq!(said("schizo-ii", "VIE", &["MOS"]), (false, 1, 0));
    assert_eq!(said("schizo-ii", "MUN", &["TYR"]), (false, 1, 0), "another power's unit");
    assert_eq!(said("schizo-ii", "TYR", &["VIE"]), (false, 1, 0), "nobody is there");
    assert_eq!(said("standard", "VIE", &["TYR"]), (false, 1, 0), "retreats are asked for");
}

// ---- text ----

#[test]
fn formats_1_a_list_reads_and_prints_alike_whatever_it_names() {
    let variant = with("schizo-ii", RetreatsSent::WithOrders);
    let units: &Lists<'_> = &[(Power::FRANCE, &["F SPA/SC", "F MAO", "A PAR"]), (Power::AUSTRIA, &["A VIE"])];
    let table = Table::set_in(variant, "S1902M", &[], units, &[]);
    let (terrain, position, chains) = (table.game.terrain(), table.position(), table.chains());
    let names = terrain.names();
    let situation =
        Situation { board: terrain.board(), position, chains: &chains, power: Power::FRANCE, names };
    for text in ["F SPA/SC R LYO WES", "F MAO R SPA/NC SPA/SC POR", "A PAR R PIC BRE GAS BUR"] {
        let list = WrittenList::parse(text, terrain.names()).unwrap();
        assert_eq!(list.display(terrain.names()).to_string(), text);
        let listed = list.resolve(&situation, Listing::InReach).unwrap();
        assert_eq!(table.game.world().text_of(&Decision::List(listed)).as_deref(), Some(text));
    }
    let list = WrittenList::parse("A PAR R PIC BRE PIC", terrain.names()).unwrap();
    assert_eq!(
        list.resolve(&situation, Listing::InReach).unwrap().places.len(),
        2,
        "named twice, listed once"
    );
}

/// A season's draws do not depend on whether the retreats come before or after (rules.md 4.2); here it is the whole
/// season.
#[test]
fn ruling_4_12_nature_is_asked_for_the_same_faces_whenever_retreats_are_sent() {
    let units: &Lists<'_> = &[(Power::FRANCE, &["A BUR"]), (Power::GERMANY, &["A MUN", "A RUH"])];
    let offered = |sent: RetreatsSent| {
        let mut table =
            Table::set_in(with("schizo-ii", sent), "S1902M", &[], units, &[]).hole("S1902", "GAS");
        table.season(&["A MUN - BUR", "A RUH S A MUN - BUR"]);
        ["holes", "splits"].map(|draw| table.offered(draw).concat().join(" "))
    };
    assert_eq!(offered(RetreatsSent::WithOrders), offered(RetreatsSent::AfterMovement));
}
