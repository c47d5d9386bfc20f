//! `schizo-ii`, sentence by sentence: rr07 and rules.md 3.1, 4.1 to 4.6, 4.10, 7 as far as they concern it. Victory and
//! the keys of the file are in `victory.rs`, the geometry of a split in `splits.rs`, draws in `draws.rs`.

use std::sync::Arc;

use crate::helpers::shipped::{SCHIZO_II, variant};
use crate::helpers::table::{Lists, Table};
use upheaval::game::Stage;
use upheaval::ids::{Power, Powers};
use upheaval::rules::adjustment::Owed;
use upheaval::rules::event::Event;
use upheaval::rules::mechanism::Declarations;
use upheaval::rules::nature::Draw;
use upheaval::rules::position::Season;
use upheaval::rules::rulebook::Rulebook;
use upheaval::rules::variant::Variant;

fn happened(table: &Table, fits: impl Fn(&Event) -> bool) -> usize {
    table.when(fits).expect("it happened")
}

// ---- rule 1 ----

#[test]
fn schizo_ii_rule_1_the_1971_rulebook_applies() {
    assert_eq!(variant("schizo-ii").rulebook, Rulebook::R1971);
}

#[test]
fn schizo_ii_rule_1_a_convoy_is_disrupted_as_soon_as_one_of_its_routes_is() {
    let units: &Lists<'_> = &[
        (Power::ENGLAND, &["A LON", "F ENG", "F NTH"]),
        (Power::FRANCE, &["F BRE", "F MAO"]),
        (Power::GERMANY, &["A MUN"]),
    ];
    let orders =
        ["A LON - BEL", "F ENG C A LON - BEL", "F NTH C A LON - BEL", "F BRE - ENG", "F MAO S F BRE - ENG"];
    let army = |id| {
        let mut table = Table::set_in(variant(id), "S1902M", &[], units, &[]);
        table.move_all(&orders);
        table.units(Power::ENGLAND)[0].clone()
    };
    assert_eq!((army("schizo-ii").as_str(), army("black-hole-i").as_str()), ("A LON", "A BEL"));
}

// ---- rule 2 ----

#[test]
fn schizo_ii_rule_2_after_the_retreats_in_the_order_hole_restored_split() {
    let units: &Lists<'_> =
        &[(Power::FRANCE, &["A GAS"]), (Power::GERMANY, &["A MAR", "A PAR"]), (Power::TURKEY, &["A SYR"])];
    let mut table = SCHIZO_II
        .set("S1905M", &["void BUR"], units, &[])
        .hole("S1905", "UKR")
        .drawn("S1905", Draw::Restores, "BUR")
        .split("S1905", "split VIE TYR BUD");
    table.move_all(&["A MAR - GAS", "A PAR S A MAR - GAS", "A GAS R SPA"]);
    let order = [
        happened(&table, |e| matches!(e, Event::Retreated(..))),
        happened(&table, |e| matches!(e, Event::HoleDrawn(_))),
        happened(&table, |e| matches!(e, Event::Voided(_))),
        happened(&table, |e| matches!(e, Event::Restored(_))),
        happened(&table, |e| matches!(e, Event::SplitDrawn(..))),
        happened(&table, |e| matches!(e, Event::Split(_))),
    ];
    assert!(order.is_sorted(), "{order:?}");
    assert_eq!(table.units(Power::FRANCE), ["A SPA"]);
}

#[test]
fn schizo_ii_rule_2_each_season() {
    let units: &Lists<'_> = &[(Power::FRANCE, &["A GAS"]), (Power::TURKEY, &["A SYR"])];
    let mut table =
        SCHIZO_II.set("S1902M", &[], units, &[(Power::FRANCE, &["PAR"]), (Power::TURKEY, &["CON"])]);
    let plan = [("S1902", "UKR", "split BOH TYR GAL"), ("F1902", "SIL", "split BUD TRI GAL")];
    for (season, hole, split) in plan {
        table = table.hole(season, hole).split(season, split);
        table.move_all(&[]);
    }
    let seasons = |fits: &dyn Fn(&Event) -> bool| -> Vec<Season> {
        table.told.events.iter().filter(|(_, event)| fits(event)).map(|(at, _)| at.season).collect()
    };
    assert_eq!(seasons(&|e| matches!(e, Event::Voided(_))), [Season::Spring, Season::Fall]);
    assert_eq!(seasons(&|e| matches!(e, Event::Split(_))), [Season::Spring, Season::Fall]);
}

#[test]
fn schizo_ii_nb_a_province_that_comes_back_may_be_split_on_the_same_turn() {
    let mut table = SCHIZO_II
        .set("F1905M", &["void BUR"], &[(Power::FRANCE, &["A GAS"])], &[])
        .hole("F1905", "UKR")
        .drawn("F1905", Draw::Restores, "BUR")
        .split("F1905", "split BUR PAR MUN");
    table.move_all(&[]);
    // The candidates when Burgundy is already its first half.
    assert!(table.offered(Draw::Splits)[0].contains(&"BUR.1"));
    assert!(table.game.terrain().board().passable().contains(table.id("BUR.1")));
    assert!(table.game.terrain().board().passable().contains(table.id("BUR.2")));
}

#[test]
fn schizo_ii_nb_a_province_that_vanishes_is_not_split_on_the_same_turn() {
    let mut table = SCHIZO_II
        .set("S1902M", &[], &[(Power::FRANCE, &["A GAS"])], &[])
        .hole("S1902", "BUR")
        .split("S1902", "split BUR PAR MUN");
    table.move_all(&[]);
    assert!(!table.offered(Draw::Splits)[0].contains(&"BUR"));
    assert!(table.when(|e| matches!(e, Event::SplitDrawn(..))).is_none());
}

// ---- rule 2 (i) ----

#[test]
fn schizo_ii_rule_2_i_any_passable_province_halves_included_less_the_exempt() {
    let mut table =
        SCHIZO_II.set("S1901M", &["void TYR", "split BUR PAR MUN"], &[(Power::FRANCE, &["A GAS"])], &[]);
    let mut declared = Declarations::none(Powers::STANDARD);
    declared.exempt[Power::FRANCE] = Some(table.id("PAR"));
    table.move_declaring(&[], &declared);
    let eligible = &table.offered(Draw::Holes)[0];
    assert_eq!(eligible.len(), 75 - 1 + 1 - 1, "Tyrolia is gone, Burgundy is two, Paris is exempt");
    for name in ["BUR.1", "BUR.2", "MAO", "BRE"] {
        assert!(eligible.contains(&name), "{name}");
    }
    for name in ["TYR", "PAR", "SWI", "OUT"] {
        assert!(!eligible.contains(&name), "{name}");
    }
}

#[test]
fn schizo_ii_rule_2_i_second_sentence_it_becomes_impassable_and_nobody_meets_through_it() {
    let mut table = SCHIZO_II.set("S1902M", &[], &[(Power::FRANCE, &["A PAR"])], &[]).hole("S1902", "BUR");
    table.move_all(&[]);
    let board = table.game.terrain().board();
    let (par, bur, mar) = (table.id("PAR"), table.id("BUR"), table.id("MAR"));
    assert!(!board.passable().contains(bur) && !board.army_reach(par).contains(bur));
    assert!(!board.army_reach(par).contains(mar) && !board.army_reach(mar).contains(table.id("MUN")));
}

#[test]
fn schizo_ii_rule_2_i_third_sentence_the_unit_in_it_is_annihilated() {
    let mut table = SCHIZO_II
        .set("S1902M", &[], &[(Power::FRANCE, &["A BUR", "A PAR"]), (Power::GERMANY, &["A KIE"])], &[])
        .hole("S1902", "BUR");
    table.move_all(&[]);
    assert_eq!(table.units(Power::FRANCE), ["A PAR"]);
    let bur = table.id("BUR");
    assert!(table.when(|e| matches!(e, Event::Destroyed(at, _) if *at == bur)).is_some());
}

#[test]
fn schizo_ii_rule_2_i_who_moves_into_it_that_very_season_is_annihilated_too() {
    let mut table = SCHIZO_II
        .set("S1902M", &[], &[(Power::FRANCE, &["A PAR"]), (Power::GERMANY, &["A KIE"])], &[])
        .hole("S1902", "BUR");
    table.move_all(&["A PAR - BUR"]);
    assert_eq!(table.units(Power::FRANCE), Vec::<String>::new());
}

#[test]
fn schizo_ii_rulings_1_5_a_province_whose_only_water_it_was_loses_its_coast_and_2_4_the_fleet() {
    let mut table = SCHIZO_II
        .set("S1902M", &[], &[(Power::RUSSIA, &["F RUM"]), (Power::TURKEY, &["A CON"])], &[])
        .hole("S1902", "BLA");
    table.move_all(&[]);
    assert_eq!(table.game.terrain().board().coasts(table.id("RUM")), 0);
    assert_eq!(table.units(Power::RUSSIA), Vec::<String>::new());
    assert!(table.when(|e| matches!(e, Event::CoastLost(..))).is_some());
}

// ---- rule 2 (ii), rules.md 4.10 ----

#[test]
fn schizo_ii_rule_2_ii_as_from_spring_1905_and_not_before() {
    for (phase, season, times) in [("F1904M", "F1904", 0), ("S1905M", "S1905", 1), ("F1905M", "F1905", 1)] {
        let mut table = SCHIZO_II
            .set(phase, &["void BUR"], &[(Power::FRANCE, &["A PAR"])], &[])
            .hole(season, "UKR")
            .drawn(season, Draw::Restores, "BUR");
        table.move_all(&[]);
        assert_eq!(table.offered(Draw::Restores).len(), times, "{phase}");
        assert_eq!(table.game.terrain().board().passable().contains(table.id("BUR")), times == 1, "{phase}");
    }
}

#[test]
fn schizo_ii_rule_2_ii_one_of_those_from_before_and_not_this_seasons() {
    let mut table = SCHIZO_II
        .set("S1905M", &["void BUR", "void BLA"], &[(Power::FRANCE, &["A PAR"])], &[])
        .hole("S1905", "UKR")
        .drawn("S1905", Draw::Restores, "UKR");
    table.move_all(&[]);
    assert_eq!(table.offered(Draw::Restores)[0], ["BLA", "BUR"]);
    assert!(
        table.when(|e| matches!(e, Event::Restored(_))).is_none(),
        "not the new one even if it were drawn"
    );
}

#[test]
fn schizo_ii_rule_2_ii_for_each_province_created_none_without_a_hole() {
    let mut table = SCHIZO_II.set("S1905M", &["void BUR"], &[(Power::FRANCE, &["A PAR"])], &[]).drawn(
        "S1905",
        Draw::Restores,
        "BUR",
    );
    table.move_all(&[]);
    assert_eq!(table.offered(Draw::Restores).len(), 0);
}

#[test]
fn schizo_ii_rule_2_ii_second_sentence_it_is_passable_again_with_its_centre() {
    let centres: &Lists<'_> = &[(Power::FRANCE, &["PAR"]), (Power::TURKEY, &["CON"])];
    let mut table =
        SCHIZO_II.set("F1904M", &[], &[(Power::FRANCE, &["A PIC"]), (Power::TURKEY, &["A SYR"])], centres);
    table = table.hole("F1904", "BEL").hole("S1905", "UKR").drawn("S1905", Draw::Restores, "BEL");
    table.move_all(&[]);
    assert_eq!(table.game.terrain().centres().len(), 33);
    table.move_all(&[]);
    assert_eq!(table.game.terrain().centres().len(), 34);
    let board = table.game.terrain().board();
    assert!(board.army_reach(table.id("PIC")).contains(table.id("BEL")));
}

/// A centre is voided in Fall 1904, with this owner, and comes back in Spring 1905.
fn gone_and_back(variant: Arc<Variant>, centre: &str, owner: Option<Power>) -> Table {
    let mut centres: Vec<(Power, &[&str])> = vec![(Power::TURKEY, &["CON"]), (Power::FRANCE, &["PAR"])];
    let name = [centre];
    centres.extend(owner.map(|owner| (owner, &name[..])));
    let units: &Lists<'_> = &[(Power::TURKEY, &["A CON"]), (Power::FRANCE, &["A PAR"])];
    let mut table = Table::set_in(variant, "F1904M", &[], units, &centres)
        .hole("F1904", centre)
        .hole("S1905", "UKR")
        .drawn("S1905", Draw::Restores, centre);
    table.move_all(&[]);
    assert_eq!(table.position().owner(table.id(centre)), None);
    if table.game.stage() == Stage::Adjustments {
        table.adjust();
    }
    table.move_all(&[]);
    table
}

fn owner_of(table: &Table, centre: &str) -> Option<Power> {
    table.position().owner(table.id(centre))
}

#[test]
fn schizo_ii_rule_2_ii_third_sentence_each_of_the_twelve_neutrals_comes_back_neutral() {
    let twelve = ["NWY", "SWE", "DEN", "HOL", "BEL", "SPA", "POR", "TUN", "GRE", "SER", "RUM", "BUL"];
    for centre in twelve {
        for owner in [Some(Power::FRANCE), None] {
            for rule in ["last-owner", "home-power"] {
                let variant = SCHIZO_II
                    .changed("home_returns_to = \"last-owner\"", &format!("home_returns_to = \"{rule}\""));
                let table = gone_and_back(variant, centre, owner);
                assert_eq!(owner_of(&table, centre), None, "{centre} {owner:?}");
                assert!(table.game.terrain().centres().contains(table.id(centre)));
            }
        }
    }
}

#[test]
fn schizo_ii_rulings_4_10_a_home_centre_comes_back_under_the_owner_it_had_when_it_vanished() {
    for owner in [Some(Power::FRANCE), Some(Power::GERMANY), None] {
        let table = gone_and_back(variant("schizo-ii"), "MUN", owner);
        assert_eq!(owner_of(&table, "MUN"), owner);
        let told = table.when(|e| matches!(e, Event::CentreReturned(..))).is_some();
        assert_eq!(told, owner.is_some());
    }
}

#[test]
fn schizo_ii_rulings_4_10_home_returns_to_home_power() {
    for owner in [Some(Power::FRANCE), Some(Power::GERMANY), None] {
        let variant =
            SCHIZO_II.changed("home_returns_to = \"last-owner\"", "home_returns_to = \"home-power\"");
        let table = gone_and_back(variant, "MUN", owner);
        assert_eq!(owner_of(&table, "MUN"), Some(Power::GERMANY), "{owner:?}");
    }
}

#[test]
fn schizo_ii_rulings_3_1_captured_in_the_fall_in_which_it_vanishes_it_is_the_captors_when_it_is_back() {
    let units: &Lists<'_> = &[(Power::FRANCE, &["A MUN", "A PAR"]), (Power::TURKEY, &["A CON"])];
    let mut table = SCHIZO_II
        .set(
            "F1904M",
            &[],
            units,
            &[(Power::GERMANY, &["MUN", "KIE"]), (Power::FRANCE, &["PAR"]), (Power::TURKEY, &["CON"])],
        )
        .hole("F1904", "MUN")
        .hole("S1905", "UKR")
        .drawn("S1905", Draw::Restores, "MUN");
    table.move_all(&[]);
    if table.game.stage() == Stage::Adjustments {
        table.adjust();
    }
    table.move_all(&[]);
    assert_eq!(owner_of(&table, "MUN"), Some(Power::FRANCE));
}

#[test]
fn schizo_ii_rulings_7_an_eliminated_power_whose_centre_comes_back_plays_on() {
    let table = gone_and_back(variant("schizo-ii"), "VIE", Some(Power::AUSTRIA));
    let out = happened(&table, |e| *e == Event::Eliminated(Power::AUSTRIA));
    let back = happened(&table, |e| *e == Event::Revived(Power::AUSTRIA));
    assert!(out < back);
    assert_eq!(table.centres(Power::AUSTRIA), ["VIE"]);
    assert_eq!(table.game.eliminated()[Power::AUSTRIA], None);
    assert_eq!(table.game.owed(Power::AUSTRIA), Owed::Builds(1));
    assert_eq!(table.names(table.game.build_sites(Power::AUSTRIA)), ["VIE"]);
}

#[test]
fn schizo_ii_rule_2_ii_a_half_is_restored_like_its_parent() {
    for (half, parent_owner, then) in
        [("BEL.2", Some(Power::FRANCE), None), ("MUN.2", Some(Power::FRANCE), Some(Power::FRANCE))]
    {
        let split = if half == "BEL.2" { "split BEL PIC HOL" } else { "split MUN BUR SIL" };
        let owner = parent_owner.unwrap();
        let names = [half, "PAR"];
        let units: &Lists<'_> = &[(Power::FRANCE, &["A PAR"]), (Power::TURKEY, &["A CON"])];
        let mut table = SCHIZO_II
            .set("F1904M", &[split], units, &[(owner, &names), (Power::TURKEY, &["CON"])])
            .hole("F1904", half)
            .hole("S1905", "UKR")
            .drawn("S1905", Draw::Restores, half);
        table.move_all(&[]);
        if table.game.stage() == Stage::Adjustments {
            table.adjust();
        }
        table.move_all(&[]);
        assert_eq!(owner_of(&table, half), then, "{half}");
        assert!(table.game.terrain().centres().contains(table.id(half)));
    }
}

// ---- rule 2 (iii), the candidates ----

#[test]
fn schizo_ii_rule_2_iii_impassable_provinces_are_not_in_the_draw_and_exempt_ones_and_halves_are() {
    let mut table = SCHIZO_II
        .set("S1901M", &["void TYR", "split BUR PAR MUN"], &[(Power::FRANCE, &["A GAS"])], &[])
        .hole("S1901", "UKR");
    let mut declared = Declarations::none(Powers::STANDARD);
    declared.exempt[Power::FRANCE] = Some(table.id("PAR"));
    table.move_declaring(&[], &declared);
    let eligible = &table.offered(Draw::Splits)[0];
    assert_eq!(eligible.len(), 75 - 2 + 1);
    for name in ["PAR", "BUR.1", "BUR.2", "MAO"] {
        assert!(eligible.contains(&name), "{name}");
    }
    for name in ["TYR", "UKR", "SWI", "OUT"] {
        assert!(!eligible.contains(&name), "{name}");
    }
}

// ---- rule 3 ----

// Its first sentence, the prophetic retreats, is in `prophetic.rs`.

#[test]
fn schizo_ii_rule_3_second_sentence_unordered_retreats_go_north_then_anticlockwise_whatever_vanishes() {
    let sent = |hole: &str| {
        let units: &Lists<'_> = &[
            (Power::FRANCE, &["A BUR"]),
            (Power::GERMANY, &["A MUN", "A RUH"]),
            (Power::ITALY, &["A PIC", "A BEL"]),
        ];
        let mut table = SCHIZO_II.set("S1902M", &[], units, &[]).hole("S1902", hole);
        table.move_all(&["A MUN - BUR", "A RUH S A MUN - BUR"]);
        table.units(Power::FRANCE)
    };
    // Picardy and Belgium are taken: the nearest to north is Paris.
    assert_eq!(sent("UKR"), ["A PAR"]);
    assert_eq!(sent("PAR"), Vec::<String>::new(), "nothing is foretold");
}

#[test]
fn schizo_ii_rulings_4_6_ordered_retreats_come_first_then_the_others_by_the_alphabet() {
    let units: &Lists<'_> = &[
        (Power::FRANCE, &["A BUR", "A GAS"]),
        (Power::GERMANY, &["A MUN", "A RUH"]),
        (Power::ITALY, &["A MAR", "A SPA", "A PIC", "A BEL", "A BRE"]),
    ];
    let dislodge = ["A MUN - BUR", "A RUH S A MUN - BUR", "A MAR - GAS", "A SPA S A MAR - GAS"];
    let sent = |orders: &[&str]| {
        let mut table = SCHIZO_II.set("S1902M", &[], units, &[]).hole("S1902", "UKR");
        table.move_all(&[&dislodge[..], orders].concat());
        table.units(Power::FRANCE)
    };
    // Both would go to Paris: Burgundy chooses before Gascony, unless Gascony has a list. Gascony has no other option.
    assert_eq!(sent(&[]), ["A PAR"]);
    assert_eq!(sent(&["A GAS R PAR"]), ["A MAR", "A PAR"]);
}

// ---- rule 4 ----

#[test]
fn schizo_ii_rule_4_a_half_is_holed_comes_back_and_is_split_again_and_the_other_knows_nothing_of_it() {
    let units: &Lists<'_> = &[(Power::FRANCE, &["A BUR.2"]), (Power::TURKEY, &["A SYR"])];
    let mut table = SCHIZO_II
        .set("S1905M", &["split BUR PAR MUN"], units, &[(Power::FRANCE, &["PAR"]), (Power::TURKEY, &["CON"])])
        .hole("S1905", "BUR.1")
        .hole("F1905", "UKR")
        .drawn("F1905", Draw::Restores, "BUR.1")
        .split("F1905", "split BUR.1 GAS SWI");
    let seen = |table: &Table| {
        let (board, half) = (table.game.terrain().board(), table.id("BUR.2"));
        let reach = table.names(*board.army_reach(half)).into_iter().filter(|name| !name.starts_with("BUR"));
        (reach.map(str::to_owned).collect::<Vec<_>>(), table.units(Power::FRANCE))
    };
    let before = seen(&table);
    table.move_all(&[]);
    assert!(!table.game.terrain().board().passable().contains(table.id("BUR.1")));
    assert_eq!(seen(&table), before);
    table.move_all(&[]);
    assert_eq!(seen(&table), before);
    for name in ["BUR.1.1", "BUR.1.2", "BUR.2"] {
        assert!(table.game.terrain().board().passable().contains(table.id(name)), "{name}");
    }
}

#[test]
fn schizo_ii_rule_4_second_sentence_halves_are_provinces_with_moves_between_them() {
    let mut table = SCHIZO_II.set(
        "S1902M",
        &["split BUR PAR MUN"],
        &[(Power::FRANCE, &["A BUR.1"]), (Power::TURKEY, &["A SYR"])],
        &[],
    );
    table.move_all(&["A BUR.1 - BUR.2"]);
    assert_eq!(table.units(Power::FRANCE), ["A BUR.2"]);
}

// ---- rule 5 ----

#[test]
fn schizo_ii_rule_5_who_does_not_ask_has_none_and_none_is_drawn() {
    let mut table = Table::new_game(variant("schizo-ii"), 1910);
    let mut declared = Declarations::none(Powers::STANDARD);
    declared.exempt[Power::FRANCE] = Some(table.id("BRE"));
    table.move_declaring(&[], &declared);
    assert!(table.nature.asked_for_exempt.is_empty());
    assert_eq!(table.names(table.game.world().exempt_centres()), ["BRE"]);
    assert_eq!(table.offered(Draw::Holes)[0].len(), 74);
    assert_eq!(table.offered(Draw::Splits)[0].len(), 75, "free from black-holing only");
}

#[test]
fn schizo_ii_rule_5_only_a_home_centre_and_only_with_the_first_orders() {
    let mut table = Table::new_game(variant("schizo-ii"), 1910);
    let mut declared = Declarations::none(Powers::STANDARD);
    declared.exempt[Power::FRANCE] = Some(table.id("BER"));
    assert_eq!(table.names(table.game.exempt_choices(Power::FRANCE)), ["BRE", "MAR", "PAR"]);
    table.move_declaring(&[], &declared);
    assert!(table.game.world().exempt_centres().is_empty());
    assert!(table.game.exempt_choices(Power::FRANCE).is_empty(), "too late now");
    declared.exempt[Power::FRANCE] = Some(table.id("BRE"));
    table.move_declaring(&[], &declared);
    assert!(table.game.world().exempt_centres().is_empty());
}

#[test]
fn schizo_ii_rule_5_a_hole_drawn_upon_it_does_not_open_and_it_is_never_announced() {
    let mut table = Table::new_game(variant("schizo-ii"), 1910).hole("S1901", "BRE").hole("F1901", "BRE");
    let mut declared = Declarations::none(Powers::STANDARD);
    declared.exempt[Power::FRANCE] = Some(table.id("BRE"));
    assert!(!table.game.can_announce(Power::FRANCE));
    table.move_declaring(&[], &declared).move_all(&[]);
    assert!(table.when(|e| matches!(e, Event::Voided(_))).is_none());
    assert!(!table.game.can_announce(Power::FRANCE));
    assert_eq!(table.game.world().exemptions[Power::FRANCE].announced, None);
}

#[test]
fn schizo_ii_rulings_4_11_the_exemption_goes_to_the_first_half() {
    let units: &Lists<'_> = &[(Power::FRANCE, &["A PAR"]), (Power::TURKEY, &["A SYR"])];
    let mut table = SCHIZO_II.set("S1901M", &[], units, &[]).split("S1901", "split PAR BRE BUR");
    let mut declared = Declarations::none(Powers::STANDARD);
    declared.exempt[Power::FRANCE] = Some(table.id("PAR"));
    table.move_declaring(&[], &declared);
    table.move_all(&[]);
    let eligible = &table.offered(Draw::Holes)[1];
    assert!(!eligible.contains(&"PAR.1") && eligible.contains(&"PAR.2"));
}
