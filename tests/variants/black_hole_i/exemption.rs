//! Rules 6 to 8 of `black-hole-i` (rr01) and rules.md 4.5: the exempt centre, its one change, its announcement, and its
//! end.

use std::sync::Arc;

use crate::helpers::shipped::{BLACK_HOLE_I, variant};
use crate::helpers::table::{Lists, Table};
use upheaval::game::Game;
use upheaval::ids::{Power, Powers};
use upheaval::rules::event::Event;
use upheaval::rules::game_state::ExemptionChange;
use upheaval::rules::mechanism::Declarations;
use upheaval::rules::mechanism::exemption::Announced;

fn naming(table: &Table, power: Power, centre: &str) -> Declarations {
    let mut declared = Declarations::none(Powers::STANDARD);
    declared.exempt[power] = Some(table.id(centre));
    declared
}

fn exempt_of(table: &Table, power: Power) -> Option<&str> {
    table.game.world().exemptions[power].centre.map(|centre| table.name(centre))
}

fn choices(table: &Table, power: Power) -> Vec<&str> {
    table.names(table.game.exempt_choices(power))
}

/// Could this province have been drawn in the last season with draws?
fn was_liable(table: &Table, name: &str) -> bool {
    table.nature.offered.last().expect("something was drawn").2.contains(table.id(name))
}

// ---- rule 6, first and second sentence ----

#[test]
fn black_hole_i_rule_6_first_sentence_one_home_centre_with_the_spring_1901_orders() {
    let mut table = Table::new_game(variant("black-hole-i"), 1910);
    assert_eq!(choices(&table, Power::RUSSIA), ["MOS", "SEV", "STP", "WAR"]);
    let declared = naming(&table, Power::RUSSIA, "SEV");
    table.move_declaring(&[], &declared);
    assert_eq!(exempt_of(&table, Power::RUSSIA), Some("SEV"));
    let sevastopol = table.id("SEV");
    assert!(table.when(|e| *e == Event::ExemptNamed(Power::RUSSIA, sevastopol)).is_some());
    assert!(!was_liable(&table, "SEV"), "from the first hole on");
    assert!(["MOS", "STP", "WAR"].iter().all(|name| was_liable(&table, name)), "one, and no more");
}

#[test]
fn black_hole_i_rule_6_second_sentence_without_a_preference_one_is_selected() {
    let mut table = Table::new_game(variant("black-hole-i"), 1910);
    table.nature.exempt[Power::FRANCE] = Some(table.id("MAR"));
    for wrong in ["BER", "BUR", "SWI"] {
        let mut table = Table::new_game(variant("black-hole-i"), 1910);
        let declared = naming(&table, Power::FRANCE, wrong);
        table.move_declaring(&[], &declared);
        assert!(table.nature.asked_for_exempt.contains(&Power::FRANCE), "{wrong} is not a choice");
    }
    let declared = naming(&table, Power::ENGLAND, "EDI");
    table.move_declaring(&[], &declared);
    assert_eq!(
        table.nature.asked_for_exempt,
        [Power::AUSTRIA, Power::FRANCE, Power::GERMANY, Power::ITALY, Power::RUSSIA, Power::TURKEY]
    );
    assert_eq!(exempt_of(&table, Power::FRANCE), Some("MAR"));
    let marseilles = table.id("MAR");
    assert!(table.when(|e| *e == Event::ExemptDrawn(Power::FRANCE, marseilles)).is_some());
    assert_eq!(table.game.world().exempt_centres().len(), 7);
}

#[test]
fn black_hole_i_rule_6_third_sentence_the_decision_cannot_be_changed() {
    let mut table = Table::new_game(variant("black-hole-i"), 1910);
    let declared = naming(&table, Power::FRANCE, "PAR");
    table.move_declaring(&[], &declared);
    for _ in 0..6 {
        assert!(choices(&table, Power::FRANCE).is_empty());
        let declared = naming(&table, Power::FRANCE, "BRE");
        table.move_declaring(&[], &declared).rest_of_season();
        assert_eq!(exempt_of(&table, Power::FRANCE), Some("PAR"));
    }
    assert!(table.when(|e| matches!(e, Event::ExemptChanged(..))).is_none());
}

// ---- rule 6, the exception ----

/// France has Paris exempt and owns its three home centres. Germany takes Paris in Fall 1901, Brest falls in Spring
/// 1902, and with the orders of Fall 1902 France may name Marseilles.
fn paris_taken_and_brest_fallen() -> Table {
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A GAS"]), (Power::GERMANY, &["A PIC", "A MUN"])];
    let centres: [(Power, &[&str]); 2] =
        [(Power::FRANCE, &["BRE", "MAR", "PAR"]), (Power::GERMANY, &["BER", "MUN"])];
    let mut table = BLACK_HOLE_I.set("S1901M", &[], &units, &centres).hole("S1902", "BRE");
    let declared = naming(&table, Power::FRANCE, "PAR");
    table.move_declaring(&[], &declared);
    assert!(choices(&table, Power::FRANCE).is_empty());
    table.season(&["A PIC - PAR"]);
    assert_eq!(
        (table.centres(Power::FRANCE), choices(&table, Power::FRANCE)),
        (vec!["BRE", "MAR"], vec![]),
        "two are left"
    );
    table.season(&[]);
    assert_eq!(table.game.phase().to_string(), "F1902M");
    table
}

#[test]
fn black_hole_i_rule_6_fourth_sentence_the_exception_step_by_step() {
    let mut table = paris_taken_and_brest_fallen();
    assert!(!was_liable(&table, "PAR"), "until then Paris is exempt, in foreign hands or not");
    assert_eq!(choices(&table, Power::FRANCE), ["MAR"]);
    assert!(Power::STANDARD.iter().all(|&power| power == Power::FRANCE || choices(&table, power).is_empty()));
    let declared = naming(&table, Power::FRANCE, "MAR");
    table.move_declaring(&[], &declared);
    let marseilles = table.id("MAR");
    assert!(table.when(|e| *e == Event::ExemptChanged(Power::FRANCE, marseilles)).is_some());
    assert_eq!(exempt_of(&table, Power::FRANCE), Some("MAR"));
    assert!(!was_liable(&table, "MAR"));
    assert!(was_liable(&table, "PAR"), "the old one is as liable as any from then on");
    table.rest_of_season();
    assert!(choices(&table, Power::FRANCE).is_empty());
}

#[test]
fn black_hole_i_rule_6_the_old_exempt_centre_can_fall_in_the_season_of_the_change() {
    let mut table = paris_taken_and_brest_fallen().hole("F1902", "PAR");
    let declared = naming(&table, Power::FRANCE, "MAR");
    table.move_declaring(&[], &declared);
    assert_eq!(table.units(Power::GERMANY), ["A MUN"], "the army in Paris falls with it");
}

#[test]
fn black_hole_i_rule_6_he_may_change_and_need_not_and_no_other_centre_will_do() {
    let mut table = paris_taken_and_brest_fallen();
    table.season(&[]);
    assert_eq!((exempt_of(&table, Power::FRANCE), was_liable(&table, "PAR")), (Some("PAR"), false));
    for wrong in ["BRE", "PAR", "MUN", "SPA"] {
        let declared = naming(&table, Power::FRANCE, wrong);
        table.move_declaring(&[], &declared).rest_of_season();
        assert_eq!(exempt_of(&table, Power::FRANCE), Some("PAR"), "{wrong}");
    }
    // The text has no time limit, so the last centre can still be named years later.
    assert_eq!(choices(&table, Power::FRANCE), ["MAR"]);
}

/// May France change its exempt centre, which is Paris, after a season in which this province falls?
fn may_change(phase: &str, centres: &Lists<'_>, orders: &[&str], hole: &str) -> bool {
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A GAS"]), (Power::GERMANY, &["A PIC", "A MUN"])];
    let mut table = BLACK_HOLE_I
        .set(phase, &[], &units, centres)
        .exempt(&[(Power::FRANCE, "PAR")])
        .hole(&phase[..5], hole);
    table.season(orders);
    !choices(&table, Power::FRANCE).is_empty()
}

#[test]
fn black_hole_i_rule_6_each_condition_of_the_exception_is_needed() {
    let spring = |centres: &Lists<'_>, hole| may_change("S1903M", centres, &[], hole);
    assert!(spring(&[(Power::FRANCE, &["BRE", "MAR"]), (Power::GERMANY, &["PAR"])], "BRE"));
    assert!(spring(&[(Power::FRANCE, &["BRE", "MAR"]), (Power::GERMANY, &["PAR"])], "MAR"));
    assert!(
        !spring(&[(Power::FRANCE, &["BRE", "MAR"]), (Power::GERMANY, &["PAR"])], "BOH"),
        "neither of the two is holed"
    );
    assert!(!spring(&[(Power::FRANCE, &["BRE", "MAR", "PAR"])], "BRE"), "he controls the exempt one");
    assert!(
        !spring(&[(Power::FRANCE, &["BRE", "PAR"]), (Power::GERMANY, &["MAR"])], "BRE"),
        "the last one is the exempt one"
    );
    assert!(!spring(&[(Power::FRANCE, &["BRE", "MAR"])], "BRE"), "nobody else controls the exempt one");
    assert!(
        !spring(&[(Power::FRANCE, &["BRE"]), (Power::GERMANY, &["PAR", "MAR"])], "MAR"),
        "the holed one was not his"
    );
    assert!(
        !spring(&[(Power::FRANCE, &["BRE"]), (Power::GERMANY, &["PAR", "MAR"])], "BRE"),
        "no last one remains"
    );
    assert!(
        !spring(&[(Power::FRANCE, &["BRE", "MAR", "SPA"]), (Power::GERMANY, &["PAR"])], "SPA"),
        "not a home centre"
    );
}

#[test]
fn black_hole_i_rule_6_the_second_to_last_captured_and_not_holed_is_no_case() {
    let centres: [(Power, &[&str]); 2] = [(Power::FRANCE, &["BRE", "MAR"]), (Power::GERMANY, &["PAR"])];
    assert!(!may_change("F1903M", &centres, &["A PIC - BRE"], "BOH"));
}

#[test]
fn black_hole_i_rule_6_a_centre_lost_in_the_same_fall_is_lost_before_the_hole() {
    let centres: [(Power, &[&str]); 2] =
        [(Power::FRANCE, &["BRE", "MAR", "PAR"]), (Power::GERMANY, &["MUN"])];
    assert!(may_change("F1903M", &centres, &["A PIC - PAR"], "BRE"));
    assert!(!may_change("S1903M", &centres, &["A PIC - PAR"], "BRE"), "in Spring nothing changes hands");
}

#[test]
fn black_hole_i_rule_6_in_another_order_of_events_there_is_no_exception() {
    // Brest falls while Paris is still French; then Paris is taken.
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A GAS"]), (Power::GERMANY, &["A PIC", "A MUN"])];
    let centres: [(Power, &[&str]); 2] =
        [(Power::FRANCE, &["BRE", "MAR", "PAR"]), (Power::GERMANY, &["BER", "MUN"])];
    let mut table = BLACK_HOLE_I
        .set("S1902M", &[], &units, &centres)
        .exempt(&[(Power::FRANCE, "PAR")])
        .hole("S1902", "BRE")
        .hole("S1903", "BOH");
    table.season(&[]).season(&["A PIC - PAR"]);
    assert_eq!(
        (table.centres(Power::FRANCE), table.centres(Power::GERMANY)),
        (vec!["MAR"], vec!["BER", "MUN", "PAR"])
    );
    for _ in 0..3 {
        assert!(choices(&table, Power::FRANCE).is_empty());
        table.season(&[]);
    }
}

/// Russia's exempt centre is StP, which England has.
fn russia(phase: &str, of_russia: &[&str], of_england: &[&str], units: &[&str]) -> Table {
    let units: [(Power, &[&str]); 2] = [(Power::RUSSIA, units), (Power::ENGLAND, &["A FIN"])];
    let centres: [(Power, &[&str]); 2] = [(Power::RUSSIA, of_russia), (Power::ENGLAND, of_england)];
    BLACK_HOLE_I.set(phase, &[], &units, &centres).exempt(&[(Power::RUSSIA, "STP")])
}

#[test]
fn black_hole_i_rule_6_russia_with_four_homes_is_first_left_with_two() {
    let mut table = russia("S1903M", &["MOS", "SEV", "WAR"], &["STP"], &["A UKR"]).hole("S1903", "SEV");
    table = table.hole("F1903", "MOS");
    table.season(&[]);
    assert_eq!(
        (table.centres(Power::RUSSIA), choices(&table, Power::RUSSIA)),
        (vec!["MOS", "WAR"], vec![]),
        "left with two"
    );
    table.season(&[]);
    assert_eq!(choices(&table, Power::RUSSIA), ["WAR"], "one of those holed");
}

#[test]
fn black_hole_i_rule_6_the_exempt_centre_regained_meanwhile_ends_the_cause_while_it_is_held() {
    let mut table = russia("S1903M", &["MOS", "WAR"], &["STP", "SEV"], &["A LVN"]).hole("S1903", "MOS");
    table.season(&[]);
    assert_eq!(choices(&table, Power::RUSSIA), ["WAR"]);
    table.season(&["A LVN - STP"]);
    assert_eq!((table.centres(Power::RUSSIA), choices(&table, Power::RUSSIA)), (vec!["STP", "WAR"], vec![]));
    let declared = naming(&table, Power::RUSSIA, "WAR");
    table.move_declaring(&["A STP - LVN"], &declared);
    assert_eq!(exempt_of(&table, Power::RUSSIA), Some("STP"));
    table.season(&["A FIN - STP"]);
    assert_eq!(choices(&table, Power::RUSSIA), ["WAR"], "lost again");
}

#[test]
fn black_hole_i_rule_6_who_let_one_occasion_go_by_has_another() {
    // Sevastopol falls, and Moscow could be named; Russia waits, retakes Warsaw, and then Moscow falls.
    let mut table = russia("S1903M", &["MOS", "SEV"], &["STP", "WAR"], &["A GAL"]).hole("S1903", "SEV");
    table = table.hole("S1904", "MOS");
    table.season(&[]);
    assert_eq!(choices(&table, Power::RUSSIA), ["MOS"]);
    table.season(&["A GAL - WAR"]);
    assert_eq!((table.centres(Power::RUSSIA), choices(&table, Power::RUSSIA)), (vec!["MOS", "WAR"], vec![]));
    table.season(&[]);
    assert_eq!(choices(&table, Power::RUSSIA), ["WAR"]);
    let declared = naming(&table, Power::RUSSIA, "WAR");
    table.move_declaring(&[], &declared);
    assert_eq!((exempt_of(&table, Power::RUSSIA), was_liable(&table, "STP")), (Some("WAR"), true));
}

#[test]
fn black_hole_i_rule_6_fifth_sentence_only_once_in_a_game() {
    // The same course of events, except that Russia names Moscow when Sevastopol has fallen; Moscow is lost, Warsaw and
    // StP are regained, and StP falls.
    let units = ["A GAL", "A LVN"];
    let mut table = russia("S1903M", &["MOS", "SEV"], &["STP", "WAR"], &units).hole("S1903", "SEV");
    table = table.hole("S1905", "STP");
    table.season(&[]);
    let declared = naming(&table, Power::RUSSIA, "MOS");
    table.move_declaring(&["A GAL - WAR", "A LVN - STP"], &declared).rest_of_season();
    assert_eq!(table.game.world().exemptions[Power::RUSSIA].change, ExemptionChange::Made);
    let mut world = table.game.world().clone();
    world.position.set_owner(table.id("MOS"), Some(Power::TURKEY));
    table.game = Game::resumed(Arc::clone(table.game.variant()), 1950, world, "S1905M".parse().unwrap());
    assert_eq!(table.centres(Power::RUSSIA), ["STP", "WAR"]);
    table.season(&["A STP - LVN"]);
    assert_eq!((table.centres(Power::RUSSIA), exempt_of(&table, Power::RUSSIA)), (vec!["WAR"], Some("MOS")));
    assert!(choices(&table, Power::RUSSIA).is_empty());
}

#[test]
fn black_hole_i_parameter_change_never_offers_none() {
    let never = BLACK_HOLE_I.changed("change = \"last-home\"", "change = \"never\"");
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A GAS"]), (Power::GERMANY, &["A PIC"])];
    let centres: [(Power, &[&str]); 2] = [(Power::FRANCE, &["BRE", "MAR"]), (Power::GERMANY, &["PAR"])];
    let mut table = Table::set_in(never, "S1903M", &[], &units, &centres)
        .exempt(&[(Power::FRANCE, "PAR")])
        .hole("S1903", "BRE");
    table.season(&[]);
    assert!(choices(&table, Power::FRANCE).is_empty());
}

#[test]
fn black_hole_i_parameter_unnamed_none_draws_none() {
    let mut table = Table::new_game(BLACK_HOLE_I.changed("unnamed = \"drawn\"", "unnamed = \"none\""), 1910);
    let declared = naming(&table, Power::ITALY, "ROM");
    table.move_declaring(&[], &declared);
    assert!(table.nature.asked_for_exempt.is_empty());
    assert_eq!(table.names(table.game.world().exempt_centres()), ["ROM"]);
}

// ---- rule 7; more in `secrecy.rs` ----

#[test]
fn black_hole_i_rule_7_a_later_change_is_not_told_unless_it_is_announced_too() {
    let announcing = |power| {
        let mut declared = Declarations::none(Powers::STANDARD);
        declared.announce[power] = Announced::Yes;
        declared
    };
    let announced = |table: &Table| {
        table.game.world().exemptions[Power::FRANCE].announced.map(|id| table.name(id).to_owned())
    };
    let mut table = paris_taken_and_brest_fallen();
    assert!(table.game.can_announce(Power::FRANCE));
    table.move_declaring(&[], &announcing(Power::FRANCE)).rest_of_season();
    assert_eq!(announced(&table).as_deref(), Some("PAR"));
    let declared = naming(&table, Power::FRANCE, "MAR");
    table.move_declaring(&[], &declared).rest_of_season();
    assert_eq!((announced(&table).as_deref(), exempt_of(&table, Power::FRANCE)), (Some("PAR"), Some("MAR")));
    assert!(table.game.can_announce(Power::FRANCE));
    table.move_declaring(&[], &announcing(Power::FRANCE)).rest_of_season();
    assert_eq!(announced(&table).as_deref(), Some("MAR"));
    assert!(!table.game.can_announce(Power::FRANCE), "there is nothing more to tell");
}

// ---- rule 8 ----

/// Italy takes Vienna, Austria's exempt and only centre, from `from`.
fn vienna(phase: &str, austrian: &[&str]) -> Table {
    let units: [(Power, &[&str]); 2] = [(Power::AUSTRIA, austrian), (Power::ITALY, &["A TYR", "A TRI"])];
    let centres: [(Power, &[&str]); 2] = [(Power::AUSTRIA, &["VIE"]), (Power::ITALY, &["VEN", "ROM", "NAP"])];
    BLACK_HOLE_I.set(phase, &[], &units, &centres).exempt(&[(Power::AUSTRIA, "VIE")]).hole(&phase[..5], "VIE")
}

#[test]
fn black_hole_i_rule_8_an_eliminated_powers_centre_returns_to_the_pot_before_that_seasons_draw() {
    let mut table = vienna("F1903M", &[]);
    table.move_all(&["A TYR - VIE"]);
    let vienna = table.id("VIE");
    let order = [
        table.when(|e| matches!(e, Event::Captured { by: Power::ITALY, .. })),
        table.when(|e| *e == Event::ExemptLapsed(Power::AUSTRIA, vienna)),
        table.when(|e| *e == Event::HoleDrawn(vienna)),
        table.when(|e| *e == Event::Voided(vienna)),
    ];
    assert!(order.iter().all(Option::is_some) && order.is_sorted(), "{order:?}");
    assert_eq!(
        (exempt_of(&table, Power::AUSTRIA), table.units(Power::ITALY)),
        (None, vec!["A TRI".to_owned()])
    );
}

#[test]
fn black_hole_i_rule_8_eliminated_means_neither_unit_nor_centre() {
    // Occupied in Spring, the centre is not lost yet; with a unit left Austria is not eliminated before Winter.
    let mut spring = vienna("S1903M", &[]);
    spring.move_all(&["A TYR - VIE"]);
    assert!(!was_liable(&spring, "VIE"));
    let mut fall = vienna("F1903M", &["A GAL"]);
    fall.move_all(&["A TYR - VIE"]);
    assert_eq!((was_liable(&fall, "VIE"), exempt_of(&fall, Power::AUSTRIA)), (false, Some("VIE")));
    fall.rest_of_season();
    assert!(fall.position().is_out(Power::AUSTRIA), "its last unit is removed");
    assert!(!fall.game.can_announce(Power::AUSTRIA), "and it is not asked again");
    fall.season(&[]);
    assert_eq!((was_liable(&fall, "VIE"), exempt_of(&fall, Power::AUSTRIA)), (true, None));
}

#[test]
fn black_hole_i_rule_8_in_spring_the_last_unit_without_a_centre_counts() {
    let units: [(Power, &[&str]); 2] =
        [(Power::AUSTRIA, &["A NAF"]), (Power::ITALY, &["F WES", "F MAO", "F TUN"])];
    let centres: [(Power, &[&str]); 1] = [(Power::ITALY, &["VIE", "VEN"])];
    let mut table = BLACK_HOLE_I
        .set("S1903M", &[], &units, &centres)
        .exempt(&[(Power::AUSTRIA, "VIE")])
        .hole("S1903", "VIE");
    table.move_all(&["F MAO - NAF", "F WES S F MAO - NAF"]);
    assert!(was_liable(&table, "VIE"), "it could go nowhere");
    assert_eq!(table.centres(Power::ITALY), ["VEN"]);
}

#[test]
fn black_hole_i_rule_8_the_exemptions_of_others_stand() {
    let mut table = vienna("F1903M", &[]).exempt(&[(Power::ITALY, "ROM"), (Power::FRANCE, "PAR")]);
    table.move_all(&["A TYR - VIE"]);
    // France has nothing here and is eliminated as well.
    assert_eq!(
        [Power::AUSTRIA, Power::ITALY, Power::FRANCE].map(|power| exempt_of(&table, power)),
        [None, Some("ROM"), None]
    );
}

#[test]
fn black_hole_i_rule_8_an_announced_exemption_is_no_longer_shown_once_it_has_lapsed() {
    let mut table = vienna("F1903M", &[]);
    let mut declared = Declarations::none(Powers::STANDARD);
    declared.announce[Power::AUSTRIA] = Announced::Yes;
    table.move_declaring(&["A TYR - VIE"], &declared);
    assert!(table.when(|e| matches!(e, Event::ExemptAnnounced(Power::AUSTRIA, _))).is_some());
    assert_eq!(table.game.world().exemptions[Power::AUSTRIA].announced, None);
}

#[test]
fn black_hole_i_parameter_lapse_never_keeps_it_exempt() {
    let never = BLACK_HOLE_I.changed("lapse = \"eliminated\"", "lapse = \"never\"");
    let units: [(Power, &[&str]); 1] = [(Power::ITALY, &["A TYR"])];
    let centres: [(Power, &[&str]); 2] = [(Power::AUSTRIA, &["VIE"]), (Power::ITALY, &["VEN"])];
    let mut table = Table::set_in(never, "F1903M", &[], &units, &centres).exempt(&[(Power::AUSTRIA, "VIE")]);
    table.move_all(&["A TYR - VIE"]).rest_of_season();
    assert_eq!((was_liable(&table, "VIE"), exempt_of(&table, Power::AUSTRIA)), (false, Some("VIE")));
    assert!(
        !table.game.can_announce(Power::AUSTRIA),
        "eliminated powers are not asked for orders (rules.md 7)"
    );
}
