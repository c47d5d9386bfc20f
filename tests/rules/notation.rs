//! Orders as text: the round trip, and names of places. Error messages are in
//! `cli/tests/sessions/adjudicate_illegal.md`.

use proptest::prelude::*;
use upheaval::ids::{CoastId, Location, PowerNames, ProvinceId, UnitKind};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::gazetteer::Gazetteer;
use upheaval::rules::legal::{ConvoyChains, is_legal, landings, legal_orders};
use upheaval::rules::notation::{Situation, WrittenOrder};
use upheaval::rules::order::{Order, Orders};
use upheaval::rules::position::Position;
use upheaval::rules::rulebook::Rulebook;
use upheaval::topology::Board;

use super::drawn::{AMPHIBIOUS, laden_position, numbered, random_position, scrambled};
use super::standard::Standard;

#[test]
fn every_form_comes_out_as_it_went_in() {
    let Standard { names, .. } = Standard::load();
    for text in [
        "A PAR H",
        "A PAR - BUR",
        "A LON - BEL VIA",
        "F MAO - SPA/SC",
        "F MAO - SPA",
        "A MAR S A PAR - BUR",
        "A MAR S A PAR",
        "F MAR S F GAS - SPA/NC",
        "F ENG C A LON - BRE",
        "A PAR R PIC",
        "A MUN#2 R BOH",
        "A PAR D",
        "A PAR B",
        "F STP/NC B",
        "WAIVE",
        "EXEMPT PAR",
        "ANNOUNCE",
        "F SPA COAST SC",
        "A LON E F ENG",
        "A/F ENG - MAO",
        "F BRE S A/F ENG - MAO",
        "A MAO D POR",
        "F SPA/SC S A MAO D POR",
        "A/F ENG R IRI",
        "A/F ENG D",
        "A ENG D",
        "A LON T F",
        "A STP T F/NC",
    ] {
        let written = WrittenOrder::parse(text, &names).expect(text);
        assert_eq!(written.display(&names).to_string(), text);
    }
    let read = |text| WrittenOrder::parse(text, &names).expect(text);
    assert_eq!(read("  a  mar\ts a par h "), read("A MAR S A PAR"));
    assert_eq!(read("f mao - spa/sc"), read("F MAO - SPA/SC"));
}

#[test]
fn only_fleets_on_one_of_several_coasts_carry_a_coast() {
    let spain = ProvinceId(7);
    let gazetteer = Gazetteer::new(
        [(spain, "SPA", vec!["NC".to_owned(), "SC".to_owned()]), (ProvinceId(2), "BUR.2.1", vec![])],
        PowerNames::standard(),
    );
    let south = Location { province: spain, coast: CoastId(1) };
    assert_eq!(gazetteer.location(south, UnitKind::Fleet).to_string(), "SPA/SC");
    assert_eq!(gazetteer.unit(south, UnitKind::Army).to_string(), "A SPA");
    assert_eq!(gazetteer.unit(ProvinceId(2).into(), UnitKind::Fleet).to_string(), "F BUR.2.1");
    assert_eq!(gazetteer.find_coast(spain, "SC"), Some(CoastId(1)));
    assert_eq!(gazetteer.find_coast(spain, "EC"), None);
    assert_eq!(gazetteer.find("BUR.2.1"), Some(ProvinceId(2)));
    assert_eq!(gazetteer.province(ProvinceId(255)), "???");
    assert_eq!(gazetteer.province(ProvinceId(3)), "???");
}

fn round_trip(board: &Board, names: &Gazetteer, position: &Position, rulebook: &Rulebook) {
    let chains = ConvoyChains::new(board, rulebook, position);
    let mut orders = Vec::new();
    for at in *position.occupied() {
        let power = position.unit(at).expect("a unit").power;
        let situation = Situation { board, position, chains: &chains, power, names };
        orders.clear();
        legal_orders(board, position, &chains, at, &mut orders);
        for &order in &orders {
            let text = WrittenOrder::from_order(position, at, order)
                .expect("legal orders name units")
                .display(names)
                .to_string();
            let read = WrittenOrder::parse(&text, names).expect(&text);
            assert_eq!(read.resolve(&situation), Ok((at, order)), "{text}");
        }
    }
}

/// Every landing, printed and read together with orders that permit it.
fn landing_round_trip(board: &Board, names: &Gazetteer, position: &Position) -> usize {
    let chains = ConvoyChains::new(board, &AMPHIBIOUS, position);
    let mut count = 0;
    for fleet in *position.fleets() {
        let power = position.unit(fleet).expect("a unit").power;
        let situation = Situation { board, position, chains: &chains, power, names };
        for landing in landings(board, position, &chains, fleet) {
            let mut orders = Orders::all_hold();
            let boards = |&army: &ProvinceId| {
                is_legal(board, position, &chains, army, Order::Embark { fleet })
                    && position.units_of(power).contains(army)
            };
            if !position.laden().contains(fleet) {
                let army = position.occupied().iter().find(boards).expect("an army that could board");
                orders[army] = Order::Embark { fleet };
            }
            let text = WrittenOrder::from_landing(landing).display(names).to_string();
            let read = WrittenOrder::parse(&text, names).expect(&text);
            assert_eq!(read.resolve_landing_beside(&situation, &orders), Ok(landing), "{text}");
            count += 1;
        }
    }
    count
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reading_what_was_printed_gives_the_order_again(seed: u64) {
        let stream = &mut Stream::keyed(seed, Purpose::Bot, &[]);
        let [whole, holed] = [Standard::load(), Standard::holed(seed)];
        let scrambled = scrambled(50, seed);
        let boards = [
            (&whole.board, &whole.names, 34),
            (&holed.board, &holed.names, 34),
            (&scrambled, &numbered(&scrambled), 25),
        ];
        let mut landings = 0;
        for (board, names, units) in boards {
            round_trip(board, names, &random_position(board, units, stream), &Rulebook::R2023);
            let position = laden_position(board, units, stream);
            round_trip(board, names, &position, &AMPHIBIOUS);
            landings += landing_round_trip(board, names, &position);
        }
        prop_assert!(landings > 0);
    }

    #[test]
    fn any_text_is_an_order_or_an_error(text in "\\PC*|([AFHSCRDB#/-]| |PAR|SPA|SPA/SC|MAO|VIA|COAST|EXEMPT){0,12}") {
        let Standard { names, .. } = Standard::load();
        match WrittenOrder::parse(&text, &names) {
            Ok(order) => {
                let printed = order.display(&names).to_string();
                prop_assert_eq!(WrittenOrder::parse(&printed, &names), Ok(order));
            }
            Err(error) => prop_assert!(error.to_string().len() < 300),
        }
    }
}
