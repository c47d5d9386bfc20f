//! `black-hole`, sentence by sentence: Black Hole Diplomacy, and rules.md 2 to 4 as far as they concern it. Draws are
//! in `draws.rs`.

use crate::helpers::shipped::{BLACK_HOLE, variant};
use crate::helpers::table::Table;
use upheaval::game::{Ending, Stage};
use upheaval::ids::{CoastId, Location, Power, Powers, ProvinceId, ProvinceSet, UnitKind};
use upheaval::rules::adjustment::Owed;
use upheaval::rules::answers::Answers;
use upheaval::rules::event::Event;
use upheaval::rules::game_state::EventContext;
use upheaval::rules::nature::Given;
use upheaval::rules::position::{PhaseKind, Season};
use upheaval::topology::report::MapReport;
use upheaval::topology::{MapEvent, derive};

// ---- the worked case before the rules: Marseilles ----

#[test]
fn black_hole_worked_case_the_unit_in_marseilles_is_destroyed() {
    let mut table =
        BLACK_HOLE.set("S1901M", &[], &[(Power::FRANCE, &["A MAR", "A PAR"])], &[]).hole("S1901", "MAR");
    table.move_all(&[]);
    assert_eq!(table.units(Power::FRANCE), ["A PAR"]);
    assert!(table.when(|e| matches!(e, Event::Destroyed(_, unit) if unit.power == Power::FRANCE)).is_some());
}

#[test]
fn black_hole_worked_case_burgundy_gets_a_coast_and_gascony_two() {
    let mut table = BLACK_HOLE.set("S1901M", &[], &[(Power::FRANCE, &["A PAR"])], &[]).hole("S1901", "MAR");
    let coasts = |table: &Table, name: &str| table.game.terrain().board().coasts(table.id(name));
    assert_eq!((coasts(&table, "BUR"), coasts(&table, "GAS")), (0, 1));
    table.move_all(&[]);
    assert_eq!((coasts(&table, "BUR"), coasts(&table, "GAS")), (1, 2));
}

#[test]
fn black_hole_worked_case_33_centres_are_left_and_17_win() {
    let mut of_france =
        vec!["BRE", "PAR", "SPA", "POR", "BEL", "HOL", "DEN", "SWE", "NWY", "LON", "EDI", "LVP"];
    of_france.extend(["KIE", "BER", "MUN", "ROM", "NAP"]);
    assert_eq!(of_france.len(), 17);
    let played = |hole| {
        let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A PAR"]), (Power::ITALY, &["A VEN"])];
        let mut table =
            BLACK_HOLE.set("F1903M", &[], &units, &[(Power::FRANCE, &of_france)]).hole("F1903", hole);
        table.move_all(&[]);
        (table.game.terrain().centres().len(), table.game.ending().cloned())
    };
    assert_eq!(played("UKR"), (34, None), "17 of 34 are not more than half");
    assert_eq!(played("MAR"), (33, Some(Ending::Solo(Power::FRANCE))));
    assert_eq!(played("PAR"), (33, None), "16 of 33");
}

// ---- rule 1 ----

#[test]
fn black_hole_rule_1_first_sentence_a_hole_comes_after_each_spring_and_fall() {
    let mut table =
        BLACK_HOLE.set("S1901M", &[], &[(Power::FRANCE, &["A PAR"])], &[(Power::FRANCE, &["PAR"])]);
    let holes = ["BOH", "TYR", "UKR", "GAL"];
    for (season, hole) in ["S1901", "F1901", "S1902", "F1902"].iter().zip(holes) {
        table = table.hole(season, hole);
        table.move_all(&[]);
        let kind = |name| table.game.terrain().chart().map().face(table.id(name)).unwrap().state();
        assert_eq!(format!("{:?}", kind(hole)), "Collapsed", "{season}");
    }
    let opened: Vec<Season> = table
        .told
        .events
        .iter()
        .filter(|(_, event)| matches!(event, Event::Collapsed(_)))
        .map(|(at, _)| at.season)
        .collect();
    assert_eq!(opened, [Season::Spring, Season::Fall, Season::Spring, Season::Fall]);
}

/// Every space can be the first hole, and then all its neighbours meet: armies can move between any two land spaces,
/// fleets between any two if a sea is among the neighbours.
#[test]
fn black_hole_rule_1_third_sentence_all_that_was_next_to_it_is_adjacent_now() {
    let first = variant("black-hole");
    let before = first.terrain.board();
    for hole in before.passable() {
        let name = first.terrain.names().province(hole);
        let mut table = BLACK_HOLE.set("S1902M", &[], &[], &[]).hole("S1902", name);
        table.move_all(&[]);
        let (map, board) = (first.terrain.chart().map(), table.game.terrain().board());
        let round: ProvinceSet = map
            .sides_of(hole)
            .map(|side| map.across(side))
            .filter(|&id| before.passable().contains(id))
            .collect();
        let sea = round.intersects(before.sea());
        for a in round {
            for b in round - ProvinceSet::single(a) {
                let (a_name, b_name, hole) = (map.name(a), map.name(b), map.name(hole));
                if board.land().contains(a) && board.land().contains(b) {
                    assert!(board.army_reach(a).contains(b), "{hole} gone: A {a_name} - {b_name}");
                }
                if sea {
                    assert!(board.fleet_reach_any(a).contains(b), "{hole} gone: F {a_name} - {b_name}");
                }
            }
        }
        // Adjacent spaces stay adjacent, and the hole itself is not a place any more.
        for from in before.passable() - ProvinceSet::single(hole) {
            assert!((*before.army_reach(from) - ProvinceSet::single(hole)).is_subset(board.army_reach(from)));
            assert!(!board.army_reach(from).contains(hole) && !board.fleet_reach_any(from).contains(hole));
        }
    }
}

#[test]
fn black_hole_rule_1_second_sentence_units_cross_the_thick_border_in_one_move() {
    let units: [(Power, &[&str]); 1] = [(Power::FRANCE, &["A BUR", "F GAS/EC"])];
    let mut table = BLACK_HOLE.set("S1901M", &["collapse MAR"], &units, &[]);
    table.move_all(&["A BUR - PIE", "F GAS/EC - LYO"]);
    assert_eq!(table.units(Power::FRANCE), ["A PIE", "F LYO"]);
}

#[test]
fn black_hole_rule_1_fourth_sentence_any_space_may_be_holed_but_for_the_exceptions() {
    let mut table = Table::new_game(variant("black-hole"), 1910);
    table.move_all(&[]);
    let (_, _, offered) = table.nature.offered[0];
    let exempt = table.game.world().exempt_centres();
    assert_eq!(exempt.len(), 7);
    assert_eq!(offered.len(), 75 - 7);
    assert!(!offered.intersects(&exempt));
}

// ---- rule 2 ----

#[test]
fn black_hole_rule_2_first_sentence_retreats_are_ordered_separately() {
    let mut table = BLACK_HOLE.dislodged_in_burgundy("UKR");
    assert_eq!((table.game.stage(), table.game.phase().kind), (Stage::Retreats, PhaseKind::Retreats));
    table.retreat(&["A BUR R GAS"]);
    assert_eq!(table.units(Power::FRANCE), ["A GAS"]);
}

#[test]
fn black_hole_rule_2_second_sentence_retreats_come_before_the_hole() {
    let mut table = BLACK_HOLE.dislodged_in_burgundy("MAR");
    let open = |table: &Table| table.game.terrain().board().passable().contains(table.id("MAR"));
    assert!(open(&table), "the map is the old one");
    table.retreat(&["A BUR R GAS"]);
    assert!(!open(&table));
    let retreated = table.when(|e| matches!(e, Event::Retreated(..)));
    assert!(retreated.is_some() && retreated < table.when(|e| matches!(e, Event::Collapsed(_))));
}

#[test]
fn black_hole_rule_2_third_sentence_retreats_are_made_knowing_the_hole() {
    let table = BLACK_HOLE.dislodged_in_burgundy("MAR");
    assert_eq!(table.names(table.game.world().doomed), ["MAR"]);
    assert!(table.when(|e| matches!(e, Event::HoleDrawn(_))).is_some(), "it is announced");
    assert_eq!(table.options(0), ["BEL", "GAS", "PAR", "PIC"], "and is not a retreat");
}

#[test]
fn black_hole_rule_2_fourth_sentence_who_is_dislodged_from_the_hole_may_retreat() {
    let mut table = BLACK_HOLE.dislodged_in_burgundy("BUR");
    assert_eq!(table.game.stage(), Stage::Retreats);
    table.retreat(&["A BUR R GAS"]);
    assert_eq!(table.units(Power::FRANCE), ["A GAS"], "the unit that was forced out lives");
    assert_eq!(table.units(Power::GERMANY), ["A RUH"], "and the one that came is gone with the province");
}

#[test]
fn black_hole_rule_2_fifth_sentence_no_retreat_makes_use_of_the_new_hole() {
    // With Burgundy gone, Munich and Gascony will meet; the retreat does not see this yet.
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A GAS"]), (Power::GERMANY, &["A BRE", "F MAO"])];
    let mut table = BLACK_HOLE.set("S1902M", &[], &units, &[]).hole("S1902", "BUR");
    table.move_all(&["F MAO - GAS", "A BRE S F MAO - GAS"]);
    assert_eq!(table.options(0), ["MAR", "PAR", "SPA"]);
    table.retreat(&["A GAS R PAR"]);
    assert!(table.game.terrain().board().army_reach(table.id("GAS")).contains(table.id("MUN")));
}

#[test]
fn black_hole_rule_2_sixth_sentence_with_the_only_retreat_holed_the_unit_is_destroyed() {
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A NAF"]), (Power::ITALY, &["F MAO", "F WES"])];
    let orders = ["F MAO - NAF", "F WES S F MAO - NAF"];
    let mut spared = BLACK_HOLE.set("S1902M", &[], &units, &[]).hole("S1902", "UKR");
    spared.move_all(&orders);
    assert_eq!(spared.options(0), ["TUN"]);
    let mut table = BLACK_HOLE.set("S1902M", &[], &units, &[]).hole("S1902", "TUN");
    table.move_all(&orders);
    assert_eq!(table.game.phase().to_string(), "F1902M", "nobody can retreat, so nobody is asked");
    assert!(table.units(Power::FRANCE).is_empty());
    let lost = table.when(|e| matches!(e, Event::Disbanded(unit) if unit.unit.power == Power::FRANCE));
    assert!(lost.is_some() && lost < table.when(|e| matches!(e, Event::Collapsed(_))));
}

#[test]
fn black_hole_rule_2_a_retreat_ordered_into_the_hole_does_not_count() {
    let mut table = BLACK_HOLE.dislodged_in_burgundy("GAS");
    let gascony = table.id("GAS");
    let to = upheaval::rules::order::RetreatOrder::Retreat { to: Location::from(gascony) };
    table.settle(Answers { retreats: vec![Some(to)], ..Answers::none(Powers::STANDARD) });
    assert!(table.units(Power::FRANCE).is_empty());
}

// ---- rules.md 2: fleets when coasts change ----

/// Changes the map under the units and leaves the coasts to be chosen.
fn change(table: &mut Table, event: &str) -> Vec<upheaval::rules::game_state::CoastChoice> {
    let mut world = table.game.world().clone();
    let at = table.game.phase();
    let event: MapEvent = event.parse().unwrap();
    let mut scene = EventContext { at, nature: &mut Given::default(), log: &mut table.told };
    world.change_map(&mut scene, |chart| event.apply(chart)).unwrap();
    let choices = world.coast_choices.clone();
    let variant = std::sync::Arc::clone(table.game.variant());
    table.game = upheaval::game::Game::resumed(variant, 1950, world, at);
    choices
}

#[test]
fn black_hole_rulings_2_1_a_split_coast_is_the_owners_choice_with_the_larger_part_as_default() {
    // London's coast is ENG, NTH. A border with Belgium between the two seas cuts it in two.
    let mut table = BLACK_HOLE.set("S1902M", &[], &[(Power::ENGLAND, &["F LON", "F NWY"])], &[]);
    let choices = change(&mut table, "separate ENG NTH connect LON BEL");
    let [choice] = &choices[..] else { panic!("{choices:?}") };
    assert_eq!((choice.fleet, choice.power), (table.id("LON"), Power::ENGLAND));
    assert_eq!(choice.coasts.len(), 2);
    // One contact each: the first counter-clockwise from north. From London the Channel bears 237 degrees, 123
    // counter-clockwise; the North Sea 32, which is 328 counter-clockwise.
    let names = table.game.terrain().names();
    let coast = |id| names.coast(Location { province: choice.fleet, coast: id }).unwrap();
    let (default, other) =
        (coast(choice.default), choice.coasts.iter().find(|&&c| c != choice.default).unwrap());
    assert_eq!((default, coast(*other)), ("WC", "NC"));
    assert_eq!(table.position().unit(choice.fleet).unwrap().coast, choice.default, "it waits on the default");
}

#[test]
fn black_hole_rulings_2_1_the_part_with_more_of_the_old_contacts_is_the_default() {
    // Norway's coast is BAR, NWG, NTH, SKA. A border with Denmark between the last two leaves three and one.
    let mut table = BLACK_HOLE.set("S1902M", &[], &[(Power::ENGLAND, &["F NWY"])], &[]);
    let choices = change(&mut table, "separate NTH SKA connect NWY DEN");
    let [choice] = &choices[..] else { panic!("{choices:?}") };
    let at = Location { province: choice.fleet, coast: choice.default };
    let seas = *table.game.terrain().board().fleet_reach(at) & *table.game.terrain().board().sea();
    assert_eq!(table.names(seas), ["BAR", "NTH", "NWG"]);
}

#[test]
fn black_hole_rulings_2_2_a_new_coast_elsewhere_leaves_the_fleet_on_its_own() {
    let units: [(Power, &[&str]); 1] = [(Power::FRANCE, &["F GAS"])];
    let mut table = BLACK_HOLE.set("S1902M", &[], &units, &[]).hole("S1902", "MAR");
    table.move_all(&[]);
    let at = table.position().location(table.id("GAS")).unwrap();
    let seas = *table.game.terrain().board().fleet_reach(at) & *table.game.terrain().board().sea();
    assert_eq!(table.names(seas), ["MAO"]);
    assert_eq!(table.game.stage(), Stage::Movement, "nothing is asked");
    assert_eq!(table.when(|e| matches!(e, Event::CoastMoved(..))), None, "and nothing moved");
}

#[test]
fn black_hole_rulings_2_3_a_fleet_whose_coast_vanishes_moves_to_the_only_other() {
    let mut table =
        BLACK_HOLE.set("S1902M", &[], &[(Power::TURKEY, &["F BUL/EC", "F AEG"])], &[]).hole("S1902", "BLA");
    table.move_all(&[]);
    assert_eq!(table.units(Power::TURKEY), ["F AEG", "F BUL"]);
    let at = table.position().location(table.id("BUL")).unwrap();
    let board = table.game.terrain().board();
    assert_eq!(table.names(*board.fleet_reach(at) & *board.sea()), ["AEG"]);
    assert!(table.when(|e| matches!(e, Event::CoastMoved(..))).is_some(), "the log says so");
}

/// Bulgaria with three coasts, of which the Black Sea's is about to vanish.
fn bulgaria() -> Table {
    let events = ["collapse SER", "collapse ALB"];
    let mut table = BLACK_HOLE
        .set("S1902M", &events, &[(Power::TURKEY, &["F BUL/EC"]), (Power::AUSTRIA, &["A VIE"])], &[])
        .hole("S1902", "BLA");
    table.move_all(&[]);
    assert_eq!(table.game.stage(), Stage::Coasts);
    table
}

#[test]
fn black_hole_rulings_2_3_with_several_others_the_owner_chooses() {
    for wanted in ["SC", "WC"] {
        let mut table = bulgaria();
        let names = table.game.terrain().names().clone();
        table.coasts(|choice| {
            assert_eq!(choice.power, Power::TURKEY);
            names.find_coast(choice.fleet, wanted)
        });
        assert_eq!(table.units(Power::TURKEY), [format!("F BUL/{wanted}")]);
    }
}

#[test]
fn black_hole_rulings_2_3_unchosen_it_takes_the_first_counter_clockwise_from_north() {
    for answer in [None, Some(CoastId(9))] {
        let mut table = bulgaria();
        table.coasts(|_| answer);
        assert_eq!(table.units(Power::TURKEY), ["F BUL/WC"]);
        assert_eq!(table.game.phase().to_string(), "F1902M", "and the game goes on");
    }
}

#[test]
fn black_hole_rulings_2_4_a_fleet_without_any_coast_left_is_destroyed() {
    let units: [(Power, &[&str]); 1] = [(Power::TURKEY, &["F RUM", "F SEV", "A ARM", "F CON"])];
    let mut table = BLACK_HOLE.set("S1902M", &[], &units, &[]).hole("S1902", "BLA");
    table.move_all(&[]);
    assert_eq!(table.units(Power::TURKEY), ["A ARM", "F CON"], "Constantinople still has the Aegean");
    let lost = table.told.events.iter().filter(|(_, e)| matches!(e, Event::CoastLost(..))).count();
    assert_eq!(lost, 2);
}

// ---- rules.md 3: seasons, owners, victory ----

#[test]
fn black_hole_rulings_3_1_centres_change_hands_in_fall_only() {
    let units: [(Power, &[&str]); 1] = [(Power::FRANCE, &["A GAS", "A PIC"])];
    let mut table = BLACK_HOLE.set("S1902M", &[], &units, &[(Power::GERMANY, &["BEL"])]);
    table.move_all(&["A PIC - BEL"]);
    assert_eq!(table.centres(Power::GERMANY), ["BEL"]);
    table.move_all(&["A GAS - SPA"]);
    assert_eq!((table.centres(Power::FRANCE), table.centres(Power::GERMANY)), (vec!["BEL", "SPA"], vec![]));
}

#[test]
fn black_hole_rulings_3_1_owners_are_recorded_before_the_centre_is_destroyed_and_adjustments_count_what_is_left()
 {
    let units: [(Power, &[&str]); 2] =
        [(Power::FRANCE, &["A PIC", "A BRE", "A PAR", "A MAR"]), (Power::GERMANY, &["A KIE", "A SIL"])];
    let centres: [(Power, &[&str]); 2] =
        [(Power::FRANCE, &["BRE", "PAR", "MAR"]), (Power::GERMANY, &["BEL", "KIE"])];
    let mut table = BLACK_HOLE.set("F1902M", &[], &units, &centres).hole("F1902", "BEL");
    table.move_all(&["A PIC - BEL"]);
    let belgium = table.id("BEL");
    let captured =
        table.when(|e| matches!(e, Event::Captured { centre, by: Power::FRANCE, .. } if *centre == belgium));
    let lost = table.when(|e| matches!(e, Event::CentreLost(centre, Power::FRANCE) if *centre == belgium));
    assert!(captured.is_some() && captured < lost, "{captured:?} {lost:?}");
    // France: three centres and three units, because the fourth was lost in a hole. Germany: one centre, two units.
    assert_eq!(
        (table.game.owed(Power::FRANCE), table.game.owed(Power::GERMANY)),
        (Owed::Builds(0), Owed::Removals(1))
    );
    assert_eq!(table.game.stage(), Stage::Adjustments);
    table.adjust();
    assert_eq!(table.units(Power::GERMANY).len(), 1);
}

#[test]
fn black_hole_rulings_3_1_a_vanished_home_centre_is_no_place_to_build() {
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A SPA"]), (Power::ITALY, &["A VEN"])];
    let mut table = BLACK_HOLE
        .set("F1902M", &[], &units, &[(Power::FRANCE, &["BRE", "PAR", "SPA"])])
        .hole("F1902", "PAR");
    table.move_all(&[]);
    assert_eq!(table.game.owed(Power::FRANCE), Owed::Builds(1));
    assert_eq!(table.names(table.game.build_sites(Power::FRANCE)), ["BRE"]);
}

#[test]
fn black_hole_rulings_3_2_more_than_half_of_an_even_count_is_half_and_one() {
    let all: Vec<&str> =
        "BRE PAR MAR SPA POR BEL HOL DEN SWE NWY LON EDI LVP KIE BER MUN ROM".split(' ').collect();
    assert_eq!(all.len(), 17);
    // Vienna and Budapest are gone: 32 are left, of which 17 win and 16 do not.
    let events = ["collapse VIE", "collapse BUD"];
    for (n, wins) in [(16, false), (17, true)] {
        let mut table = BLACK_HOLE
            .set("F1903M", &events, &[(Power::ITALY, &["A VEN"])], &[(Power::FRANCE, &all[..n])])
            .hole("F1903", "UKR");
        table.move_all(&[]);
        assert_eq!(table.game.terrain().centres().len(), 32);
        assert_eq!(table.game.ending() == Some(&Ending::Solo(Power::FRANCE)), wins, "{n} of 32");
    }
}

#[test]
fn black_hole_rulings_3_2_nobody_wins_after_spring() {
    let all: Vec<&str> =
        "BRE PAR MAR SPA POR BEL HOL DEN SWE NWY LON EDI LVP KIE BER MUN ROM NAP".split(' ').collect();
    let mut table = BLACK_HOLE.set("S1903M", &[], &[(Power::ITALY, &["A VEN"])], &[(Power::FRANCE, &all)]);
    table.move_all(&[]);
    assert_eq!(table.game.ending(), None);
    table.move_all(&[]);
    assert_eq!(table.game.ending(), Some(&Ending::Solo(Power::FRANCE)));
}

#[test]
fn black_hole_rulings_3_3_the_last_year_ends_in_a_draw_of_the_survivors_with_their_centres() {
    let mut table = Table::new_game(variant("black-hole"), 1901);
    table.move_all(&[]).move_all(&[]);
    assert_eq!(table.game.ending(), Some(&Ending::Draw(Powers::STANDARD.iter().collect())));
    assert_eq!(table.centres(Power::FRANCE), ["BRE", "MAR", "PAR"]);
}

// ---- rules.md 4 ----

#[test]
fn black_hole_rulings_4_3_the_order_of_a_fall() {
    let units: [(Power, &[&str]); 2] =
        [(Power::FRANCE, &["A BUR", "A GAS"]), (Power::GERMANY, &["A MUN", "A RUH"])];
    let centres: [(Power, &[&str]); 2] =
        [(Power::FRANCE, &["PAR", "BRE"]), (Power::GERMANY, &["MUN", "KIE"])];
    let mut table = BLACK_HOLE.set("F1902M", &[], &units, &centres).hole("F1902", "RUH");
    table.move_all(&["A MUN - BUR", "A RUH S A MUN - BUR", "A GAS - SPA"]).retreat(&["A BUR R MAR"]);
    let order = [
        table.when(|e| matches!(e, Event::Dislodged(_))),
        table.when(|e| matches!(e, Event::HoleDrawn(_))),
        table.when(|e| matches!(e, Event::Retreated(..))),
        table.when(|e| matches!(e, Event::Captured { .. })),
        table.when(|e| matches!(e, Event::Destroyed(..))),
        table.when(|e| matches!(e, Event::Collapsed(_))),
    ];
    assert!(order.iter().all(Option::is_some), "{order:?}");
    assert!(order.is_sorted(), "{order:?}");
    assert_eq!(table.game.phase().to_string(), "W1902A");
}

#[test]
fn black_hole_rulings_4_4_army_and_fleet_by_land_and_sea_are_destroyed_in_the_hole() {
    for (unit, hole) in [("A MUN", "MUN"), ("F NTH", "NTH"), ("F STP/SC", "STP")] {
        let mut table =
            BLACK_HOLE.set("S1902M", &[], &[(Power::GERMANY, &[unit, "A BER"])], &[]).hole("S1902", hole);
        table.move_all(&[]);
        assert_eq!(table.units(Power::GERMANY), ["A BER"], "{unit}");
    }
}

#[test]
fn black_hole_rulings_4_4_who_leaves_in_time_lives_and_who_moves_in_is_lost() {
    let units: [(Power, &[&str]); 1] = [(Power::GERMANY, &["A MUN", "A KIE", "A SIL"])];
    let mut table = BLACK_HOLE.set("S1902M", &[], &units, &[]).hole("S1902", "MUN");
    table.move_all(&["A MUN - BOH", "A SIL - MUN"]);
    assert_eq!(table.units(Power::GERMANY), ["A BOH", "A KIE"]);
}

#[test]
fn black_hole_the_tables_of_play_are_those_of_a_fresh_derivation_after_every_hole() {
    let mut table = Table::new_game(variant("black-hole"), 1950);
    let mut dice = upheaval::rng::Stream::keyed(11, upheaval::rng::Purpose::Bot, &[]);
    for _ in 0..60 {
        let open: Vec<ProvinceId> = table.game.terrain().board().passable().iter().collect();
        if let Some(&hole) = dice.choose(&open) {
            let (season, name) = (table.game.phase().to_string(), table.name(hole).to_owned());
            table = table.hole(&season[..5], &name);
        }
        table.move_all(&[]);
        if table.game.stage() == Stage::Coasts {
            table.coasts(|_| None);
        }
        if table.game.stage() == Stage::Adjustments {
            table.adjust();
        }
        let (chart, board) = (table.game.terrain().chart(), table.game.terrain().board());
        assert_eq!(chart.map().faults(), Vec::<String>::new());
        assert_eq!(MapReport::new(chart, board), MapReport::new(chart, &derive(chart.map())));
        for at in *table.position().occupied() {
            let unit = table.position().unit(at).unwrap();
            let stands = match unit.kind {
                UnitKind::Army => board.land().contains(at),
                UnitKind::Fleet => unit.coast.0 < board.coasts(at),
            };
            assert!(stands, "{unit:?} in {}", table.name(at));
        }
        if table.game.stage() == Stage::Over {
            return;
        }
    }
}
