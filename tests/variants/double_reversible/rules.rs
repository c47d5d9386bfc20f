//! `double-reversible`, sentence by sentence: Double Reversible's rules 1 to 5 and rules.md 4.8 and 7. Returns from
//! holes and the fate of fleets are in `returns.rs`, draws in `draws.rs`.

use crate::helpers::name_of;
use crate::helpers::shipped::{DOUBLE_REVERSIBLE, variant};
use crate::helpers::table::{Lists, Table, Told};
use upheaval::analysis::scoring::Score;
use upheaval::game::{Ending, Stage};
use upheaval::ids::{Power, Powers};
use upheaval::record::{GameEnd, SeatOutcome};
use upheaval::rules::adjustment::Owed;
use upheaval::rules::answers::Answers;
use upheaval::rules::event::Event;
use upheaval::rules::nature::{Draw, Seeded};
use upheaval::rules::rulebook::Rulebook;

/// The units that are lost with a hole, as text, sorted.
fn swallowed(table: &Table) -> Vec<String> {
    let gone = table.game.world().swallowed.iter();
    let text = |s: &upheaval::rules::game_state::Swallowed| {
        format!("{} {} {}", name_of(s.unit.power), s.unit.kind, table.name(s.hole))
    };
    let mut all: Vec<String> = gone.map(text).collect();
    all.sort();
    all
}

/// Could this order be given now? Illegal orders must not be requested.
fn legal(table: &Table, power: Power, text: &str) -> bool {
    use upheaval::rules::legal::ConvoyChains;
    use upheaval::rules::notation::{Situation, WrittenOrder};
    let (terrain, position) = (table.game.terrain(), table.position());
    let chains = ConvoyChains::new(terrain.board(), &Rulebook::R2023, position);
    let situation =
        Situation { board: terrain.board(), position, chains: &chains, power, names: terrain.names() };
    WrittenOrder::parse(text, terrain.names()).unwrap().resolve(&situation).is_ok()
}

// ---- rule 1 ----

#[test]
fn double_reversible_rule_1_the_start_and_the_rulebook_are_the_regular_ones() {
    let (ours, regular) = (variant("double-reversible"), variant("standard"));
    assert_eq!(ours.position, regular.position);
    assert_eq!(ours.rulebook, regular.rulebook);
    assert_eq!(ours.first_phase, regular.first_phase);
}

#[test]
fn double_reversible_rule_1_while_nothing_is_drawn_a_game_goes_as_a_regular_one() {
    let mut tables = ["double-reversible", "standard"].map(|id| Table::new_game(variant(id), 1902));
    for table in &mut tables {
        table.move_all(&["A MUN - BUR", "A PAR - BUR", "A MAR S A PAR - BUR", "F KIE - DEN", "A VEN - TRI"]);
        table.move_all(&["A BUR - MUN", "F DEN - SWE", "A BER - KIE", "F LON - NTH"]);
        table.adjust();
    }
    for power in Powers::STANDARD {
        assert_eq!(tables[0].units(power), tables[1].units(power));
        assert_eq!(tables[0].centres(power), tables[1].centres(power));
    }
}

// ---- rule 2 ----

const SEVENTEEN: [&str; 17] = [
    "BRE", "PAR", "SPA", "POR", "BEL", "HOL", "DEN", "SWE", "NWY", "LON", "EDI", "LVP", "KIE", "BER", "MUN",
    "ROM", "NAP",
];

/// The end of a Fall for France with these of the seventeen centres, after these events and with these draws.
fn fall_of_france(events: &[&str], centres: &[&str], drawn: &str) -> Option<Ending> {
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A GAS"]), (Power::ITALY, &["A VEN"])];
    let mut table =
        DOUBLE_REVERSIBLE.set("F1903M", events, &units, &[(Power::FRANCE, centres)]).hole("F1903", drawn);
    table.move_all(&[]);
    table.game.ending().cloned()
}

#[test]
fn double_reversible_rule_2_over_half_of_the_centres_outside_holes_wins() {
    assert_eq!(fall_of_france(&[], &SEVENTEEN, "UKR"), None, "17 of 34");
    assert_eq!(fall_of_france(&[], &SEVENTEEN, "RUM"), Some(Ending::Solo(Power::FRANCE)), "17 of 33");
    assert_eq!(fall_of_france(&[], &SEVENTEEN, "PAR"), None, "16 of 33");
    assert_eq!(fall_of_france(&["collapse RUM"], &SEVENTEEN, "UKR"), Some(Ending::Solo(Power::FRANCE)));
    assert_eq!(
        fall_of_france(&["collapse RUM"], &SEVENTEEN, "SMY"),
        Some(Ending::Solo(Power::FRANCE)),
        "17 of 32"
    );
    assert_eq!(fall_of_france(&["collapse RUM"], &SEVENTEEN[1..], "SMY"), None, "16 of 32");
}

#[test]
fn double_reversible_rule_2_a_centre_that_comes_back_counts_against_the_majority() {
    assert_eq!(fall_of_france(&["collapse RUM"], &SEVENTEEN, "RUM"), None, "17 of 34");
}

#[test]
fn double_reversible_rule_2_a_centre_taken_in_the_retreat_counts() {
    let win = |retreat| {
        let units: [(Power, &[&str]); 2] =
            [(Power::FRANCE, &["A BUR"]), (Power::GERMANY, &["A MUN", "A RUH"])];
        let centres: [&str; 16] =
            std::array::from_fn(|i| if i < 4 { SEVENTEEN[i] } else { SEVENTEEN[i + 1] });
        let mut table = DOUBLE_REVERSIBLE
            .set("F1903M", &[], &units, &[(Power::FRANCE, &centres), (Power::GERMANY, &["TUN"])])
            .hole("F1903", "RUM");
        table.move_all(&["A MUN - BUR", "A RUH S A MUN - BUR"]).retreat(&[retreat]);
        table.game.ending().cloned()
    };
    assert_eq!(win("A BUR R BEL"), Some(Ending::Solo(Power::FRANCE)), "17 of 33");
    assert_eq!(win("A BUR R GAS"), None);
}

#[test]
fn double_reversible_rule_2_nobody_wins_after_spring() {
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A GAS"]), (Power::ITALY, &["A VEN"])];
    let mut table =
        DOUBLE_REVERSIBLE.set("S1903M", &[], &units, &[(Power::FRANCE, &SEVENTEEN)]).hole("S1903", "RUM");
    table.move_all(&[]);
    assert_eq!((table.game.ending(), table.game.stage()), (None, Stage::Movement));
    table.move_all(&[]);
    assert_eq!(table.game.ending(), Some(&Ending::Solo(Power::FRANCE)));
}

/// France's army in Burgundy is the only unit, and no centre has an owner.
fn last_army(phase: &str) -> Table {
    let season = &phase[..5];
    DOUBLE_REVERSIBLE.set(phase, &[], &[(Power::FRANCE, &["A BUR"])], &[]).hole(season, "BUR")
}

#[test]
fn double_reversible_rule_2_nobody_left_after_fall_is_a_tie_of_seven() {
    let mut table = last_army("F1902M");
    table.move_all(&[]);
    assert_eq!(table.game.ending(), Some(&Ending::Draw(Powers::STANDARD.iter().collect())));
    assert_eq!(
        table.told.events.last().map(|(_, e)| e),
        Some(&Event::Drawn(Powers::STANDARD.iter().collect()))
    );
    assert_eq!(table.game.stage(), Stage::Over);
}

#[test]
fn double_reversible_rule_2_nobody_left_after_the_removals_is_a_tie_of_seven_too() {
    let mut table = DOUBLE_REVERSIBLE.set("F1902M", &[], &[(Power::FRANCE, &["A BUR"])], &[]);
    table.move_all(&[]);
    assert_eq!((table.game.stage(), table.game.owed(Power::FRANCE)), (Stage::Adjustments, Owed::Removals(1)));
    table.adjust();
    assert_eq!(table.game.ending(), Some(&Ending::Draw(Powers::STANDARD.iter().collect())));
}

#[test]
fn double_reversible_rule_2_the_tie_of_seven_is_recorded_as_a_draw_of_seven() {
    let mut table = last_army("F1902M");
    let row = table.recorded(|table| table.move_all(&[]));
    assert_eq!((row.end, row.draw_size, row.winner), (GameEnd::Draw, 7, None));
    // Each shares, and each is eliminated (rules.md 4.13).
    for (power, seat) in row.seats.iter() {
        assert_eq!((seat.outcome, seat.is_out()), (SeatOutcome::Drew, true), "{power:?}");
        assert_eq!((seat.units, seat.centres, seat.eliminated_year), (0, 0, Some(1902)), "{power:?}");
    }
    assert_eq!(Score::DrawSize.points(&row)[Power::FRANCE], 1.0 / 7.0);
}

#[test]
fn double_reversible_rule_2_nobody_left_after_spring_goes_on_for_units_may_come_back() {
    let mut table = last_army("S1902M").hole("F1902", "BUR");
    table.move_all(&[]);
    assert_eq!((table.game.ending(), table.game.stage()), (None, Stage::Movement));
    assert_eq!(swallowed(&table), ["FRANCE A BUR"]);
    table.move_all(&[]);
    assert_eq!((table.game.ending(), table.units(Power::FRANCE)), (None, vec!["A BUR".to_owned()]));
}

// ---- rule 3 ----

#[test]
fn double_reversible_rule_3_two_spaces_are_offered_in_each_spring_and_fall_move() {
    let mut table =
        DOUBLE_REVERSIBLE.set("S1902M", &[], &[(Power::FRANCE, &["A PAR"])], &[(Power::FRANCE, &["PAR"])]);
    table.move_all(&[]).move_all(&[]);
    let offered: Vec<(String, Draw, usize)> =
        table.nature.offered.iter().map(|(at, draw, set)| (at.to_string(), *draw, set.len())).collect();
    assert_eq!(offered, [("S1902M".into(), Draw::Holes, 76), ("F1902M".into(), Draw::Holes, 76)]);
}

#[test]
fn double_reversible_rule_3_a_seeded_season_toggles_two_and_they_may_come_back() {
    let mut table =
        DOUBLE_REVERSIBLE.set("S1902M", &[], &[(Power::FRANCE, &["A PAR"])], &[(Power::FRANCE, &["PAR"])]);
    let mut nature = Seeded { seed: 3, block: 0 };
    let mut told = Told::default();
    table.game.settle(&mut table.referee, &Answers::none(Powers::STANDARD), &mut nature, &mut told);
    assert_eq!(table.game.terrain().chart().map().holes().len(), 2);
    assert!(told.events.iter().all(|(at, _)| at.to_string() == "S1902M"));
}

#[test]
fn double_reversible_rule_3_land_sea_and_switzerland_become_holes_and_come_back() {
    for face in ["PAR", "LYO", "SWI", "SPA", "DEN"] {
        let mut table = DOUBLE_REVERSIBLE
            .set("S1902M", &[], &[(Power::RUSSIA, &["A MOS"])], &[(Power::RUSSIA, &["MOS"])])
            .hole("S1902", face)
            .hole("F1902", face);
        let before = table.game.terrain().hash();
        table.move_all(&[]);
        assert_eq!(table.names(table.game.terrain().chart().map().holes()), [face]);
        table.move_all(&[]);
        assert!(table.game.terrain().chart().map().holes().is_empty());
        assert_eq!(table.game.terrain().hash(), before, "as if it had never been");
    }
}

#[test]
fn double_reversible_rule_3_one_comes_back_while_another_becomes_a_hole() {
    let mut table = DOUBLE_REVERSIBLE
        .set("S1902M", &["collapse MAR"], &[(Power::RUSSIA, &["A MOS"])], &[])
        .hole("S1902", "MAR")
        .hole("S1902", "BUR");
    table.move_all(&[]);
    assert_eq!(table.names(table.game.terrain().chart().map().holes()), ["BUR"]);
    let told = |e: Event| table.when(|event| *event == e).is_some();
    assert!(told(Event::Restored(table.id("MAR"))) && told(Event::Collapsed(table.id("BUR"))));
}

#[test]
fn double_reversible_rule_3_the_spaces_are_drawn_in_the_movement_before_the_retreats() {
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A BUR"]), (Power::GERMANY, &["A MUN", "A RUH"])];
    let mut table = DOUBLE_REVERSIBLE.set("S1902M", &[], &units, &[]).hole("S1902", "PAR");
    table.move_all(&["A MUN - BUR", "A RUH S A MUN - BUR"]);
    assert_eq!(table.game.stage(), Stage::Retreats);
    let hole = table.when(|e| *e == Event::Collapsed(table.id("PAR")));
    assert!(hole.is_some_and(|i| table.told.events[i].0.to_string() == "S1902M"));
    table.retreat(&["A BUR R BRE"]);
    assert!(hole < table.when(|e| matches!(e, Event::Retreated(..))));
    assert_eq!(table.units(Power::FRANCE), ["A BRE"], "past the hole");
}

// ---- rule 4, first sentence: the units that disappear ----

#[test]
fn double_reversible_rule_4_a_unit_that_stands_in_the_space_at_the_end_disappears() {
    for (unit, hole) in [("A MUN", "MUN"), ("F NTH", "NTH"), ("F STP/SC", "STP")] {
        let mut table = DOUBLE_REVERSIBLE
            .set("S1902M", &[], &[(Power::GERMANY, &[unit, "A BER"])], &[])
            .hole("S1902", hole);
        table.move_all(&[]);
        assert_eq!(table.units(Power::GERMANY), ["A BER"], "{unit}");
        assert_eq!(swallowed(&table), [format!("GERMANY {} {hole}", &unit[..1])]);
        let told = table.when(|e| matches!(e, Event::Swallowed { entering_from: None, .. }));
        assert!(told.is_some(), "{unit}");
    }
}

#[test]
fn double_reversible_rule_4_a_unit_that_would_have_got_in_disappears() {
    let mut table =
        DOUBLE_REVERSIBLE.set("S1902M", &[], &[(Power::FRANCE, &["A PAR"])], &[]).hole("S1902", "BUR");
    table.move_all(&["A PAR - BUR"]);
    assert_eq!((table.units(Power::FRANCE), swallowed(&table)), (vec![], vec!["FRANCE A BUR".to_owned()]));
}

#[test]
fn double_reversible_rule_4_units_that_bounce_disappear_all_of_them() {
    let units: [(Power, &[&str]); 3] =
        [(Power::FRANCE, &["A PAR"]), (Power::GERMANY, &["A MUN"]), (Power::ITALY, &["A MAR"])];
    let mut table = DOUBLE_REVERSIBLE.set("S1902M", &[], &units, &[]).hole("S1902", "BUR");
    table.move_all(&["A PAR - BUR", "A MUN - BUR"]);
    assert_eq!(swallowed(&table), ["FRANCE A BUR", "GERMANY A BUR"]);
    let entering =
        |id| table.when(|e| matches!(e, Event::Swallowed { entering_from: Some(from), .. } if *from == id));
    assert!(entering(table.id("PAR")).is_some() && entering(table.id("MUN")).is_some());
    assert_eq!(table.units(Power::ITALY), ["A MAR"]);
}

#[test]
fn double_reversible_rule_4_who_bounces_off_the_unit_there_disappears_with_it() {
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A PAR"]), (Power::GERMANY, &["A BUR"])];
    let mut table = DOUBLE_REVERSIBLE.set("S1902M", &[], &units, &[]).hole("S1902", "BUR");
    table.move_all(&["A PAR - BUR"]);
    assert_eq!(swallowed(&table), ["FRANCE A BUR", "GERMANY A BUR"]);
}

#[test]
fn double_reversible_rule_4_an_army_whose_convoy_fails_disappears_with_the_space_it_was_ordered_to() {
    let units: [(Power, &[&str]); 2] =
        [(Power::ENGLAND, &["A LON", "F NTH"]), (Power::GERMANY, &["F HEL", "F HOL"])];
    let mut table = DOUBLE_REVERSIBLE.set("S1902M", &[], &units, &[]).hole("S1902", "BEL");
    table.move_all(&["A LON - BEL VIA", "F NTH C A LON - BEL", "F HEL - NTH", "F HOL S F HEL - NTH"]);
    assert_eq!(swallowed(&table), ["ENGLAND A BEL"], "disrupted");
    assert_eq!(table.waiting()[0].1, "NTH", "the fleet retreats as usual");

    let mut table = DOUBLE_REVERSIBLE
        .set("S1902M", &[], &[(Power::ENGLAND, &["A LON", "F NTH"])], &[])
        .hole("S1902", "BEL");
    table.move_all(&["A LON - BEL VIA"]);
    assert_eq!(swallowed(&table), ["ENGLAND A BEL"], "no convoy was ordered");
    assert_eq!(table.units(Power::ENGLAND), ["F NTH"]);
}

#[test]
fn double_reversible_rule_4_who_is_dislodged_elsewhere_meanwhile_disappears_too() {
    let units: [(Power, &[&str]); 3] =
        [(Power::FRANCE, &["A BUR"]), (Power::ITALY, &["A PAR"]), (Power::GERMANY, &["A MUN", "A RUH"])];
    let mut table = DOUBLE_REVERSIBLE.set("S1902M", &[], &units, &[]).hole("S1902", "PAR");
    table.move_all(&["A BUR - PAR", "A MUN - BUR", "A RUH S A MUN - BUR"]);
    assert_eq!(swallowed(&table), ["FRANCE A PAR", "ITALY A PAR"]);
    assert_eq!(table.game.phase().to_string(), "F1902M", "no unit is left to retreat");
    assert_eq!(table.units(Power::GERMANY), ["A BUR", "A RUH"]);
}

#[test]
fn double_reversible_rule_4_the_fleet_that_convoys_and_the_unit_that_supports_into_it_stay() {
    let units: [(Power, &[&str]); 2] =
        [(Power::ENGLAND, &["A LON", "F ENG"]), (Power::FRANCE, &["A PAR", "A GAS"])];
    let mut table = DOUBLE_REVERSIBLE.set("S1902M", &[], &units, &[]).hole("S1902", "BRE");
    table.move_all(&["A LON - BRE VIA", "F ENG C A LON - BRE", "A GAS - BRE", "A PAR S A GAS - BRE"]);
    assert_eq!(swallowed(&table), ["ENGLAND A BRE", "FRANCE A BRE"]);
    assert_eq!(
        (table.units(Power::ENGLAND), table.units(Power::FRANCE)),
        (vec!["F ENG".into()], vec!["A PAR".into()])
    );
}

#[test]
fn double_reversible_rule_4_an_army_convoyed_over_a_sea_that_disappears_arrives() {
    let mut table = DOUBLE_REVERSIBLE
        .set("S1902M", &[], &[(Power::ENGLAND, &["A LON", "F NTH"])], &[])
        .hole("S1902", "NTH");
    table.move_all(&["A LON - DEN VIA", "F NTH C A LON - DEN"]);
    assert_eq!(
        (table.units(Power::ENGLAND), swallowed(&table)),
        (vec!["A DEN".into()], vec!["ENGLAND F NTH".into()])
    );
}

#[test]
fn double_reversible_rule_4_who_moves_out_in_time_lives() {
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A BUR"]), (Power::GERMANY, &["A MUN"])];
    let mut table = DOUBLE_REVERSIBLE.set("S1902M", &[], &units, &[]).hole("S1902", "BUR");
    table.move_all(&["A BUR - MAR", "A MUN - BUR"]);
    assert_eq!(
        (table.units(Power::FRANCE), swallowed(&table)),
        (vec!["A MAR".into()], vec!["GERMANY A BUR".into()])
    );
}

#[test]
fn double_reversible_rule_4_two_that_change_places_round_the_space_live_if_neither_ends_there() {
    let units: [(Power, &[&str]); 1] = [(Power::FRANCE, &["A BUR", "A PAR", "A GAS"])];
    let mut table = DOUBLE_REVERSIBLE.set("S1902M", &[], &units, &[]).hole("S1902", "BUR");
    table.move_all(&["A BUR - PAR", "A PAR - GAS", "A GAS - BUR"]);
    assert_eq!(table.units(Power::FRANCE), ["A GAS", "A PAR"]);
    assert_eq!(swallowed(&table), ["FRANCE A BUR"], "the one that moved in");
}

#[test]
fn double_reversible_rulings_4_8_a_unit_dislodged_from_the_space_retreats_as_if_it_were_open() {
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A BUR"]), (Power::GERMANY, &["A MUN", "A RUH"])];
    let mut table = DOUBLE_REVERSIBLE.set("S1902M", &[], &units, &[]).hole("S1902", "BUR");
    table.move_all(&["A MUN - BUR", "A RUH S A MUN - BUR"]);
    let options = ["BEL", "GAS", "MAR", "PAR", "PIC"].map(String::from);
    assert_eq!(
        table.waiting(),
        [(Power::FRANCE, "BUR".to_owned(), options.to_vec())],
        "and not to where the attacker was"
    );
    assert_eq!(swallowed(&table), ["GERMANY A BUR"]);
    table.retreat(&["A BUR R GAS"]);
    assert_eq!(table.units(Power::FRANCE), ["A GAS"]);
}

#[test]
fn double_reversible_rulings_4_8_it_retreats_on_the_otherwise_new_map_past_the_other_hole() {
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A BUR"]), (Power::GERMANY, &["A MUN", "A RUH"])];
    let mut table = DOUBLE_REVERSIBLE
        .set("S1902M", &["collapse MAR"], &units, &[])
        .hole("S1902", "BUR")
        .hole("S1902", "PAR");
    table.move_all(&["A MUN - BUR", "A RUH S A MUN - BUR"]);
    // Across Paris, Brest is next to Burgundy now; across Marseilles, Spain and Piedmont have been.
    assert_eq!(table.waiting()[0].2, ["BEL", "BRE", "GAS", "PIC", "PIE", "SPA"]);
    let mut table = DOUBLE_REVERSIBLE
        .set("S1902M", &["collapse MAR"], &units, &[])
        .hole("S1902", "BUR")
        .hole("S1902", "MAR");
    table.move_all(&["A MUN - BUR", "A RUH S A MUN - BUR"]);
    assert_eq!(table.waiting()[0].2, ["BEL", "GAS", "MAR", "PAR", "PIC"], "Marseilles is back");
}

#[test]
fn double_reversible_rulings_4_8_no_retreat_from_the_space_to_a_contested_or_occupied_one() {
    let units: [(Power, &[&str]); 3] = [
        (Power::FRANCE, &["A BUR"]),
        (Power::GERMANY, &["A MUN", "A RUH"]),
        (Power::ITALY, &["A BRE", "F ENG", "A SPA"]),
    ];
    let mut table = DOUBLE_REVERSIBLE.set("S1902M", &[], &units, &[]).hole("S1902", "BUR");
    let orders = ["A MUN - BUR", "A RUH S A MUN - BUR", "A BRE - PIC", "F ENG - PIC", "A SPA - GAS"];
    table.move_all(&orders);
    assert_eq!(table.waiting()[0].2, ["BEL", "MAR", "PAR"]);
}

#[test]
fn double_reversible_rulings_4_3_other_retreats_use_the_new_map() {
    // With Switzerland gone there are connections from Munich to Marseilles and Piedmont.
    let units: [(Power, &[&str]); 2] = [(Power::GERMANY, &["A MUN"]), (Power::FRANCE, &["A BUR", "A RUH"])];
    let mut table =
        DOUBLE_REVERSIBLE.set("S1902M", &[], &units, &[]).hole("S1902", "SWI").hole("S1902", "TYR");
    table.move_all(&["A BUR - MUN", "A RUH S A BUR - MUN"]);
    let options = &table.waiting()[0].2;
    assert_eq!(*options, ["BER", "BOH", "KIE", "MAR", "PIE", "SIL", "TRI", "VEN", "VIE"]);
}

// ---- rule 4, second and third sentence ----

#[test]
fn double_reversible_rule_4_second_sentence_the_number_of_centres_falls_and_its_owner_loses_it() {
    let units: [(Power, &[&str]); 1] = [(Power::FRANCE, &["A GAS", "A PIC"])];
    let mut table = DOUBLE_REVERSIBLE
        .set("F1902M", &[], &units, &[(Power::FRANCE, &["PAR", "BRE"])])
        .hole("F1902", "PAR");
    table.move_all(&[]);
    assert_eq!(table.game.terrain().centres().len(), 33);
    assert_eq!(table.centres(Power::FRANCE), ["BRE"]);
    assert!(table.when(|e| *e == Event::CentreLost(table.id("PAR"), Power::FRANCE)).is_some());
    assert_eq!(table.game.owed(Power::FRANCE), Owed::Removals(1));
}

#[test]
fn double_reversible_rulings_3_1_a_centre_that_disappears_in_fall_is_captured_by_nobody() {
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A PIC"]), (Power::GERMANY, &["A KIE"])];
    let mut table = DOUBLE_REVERSIBLE
        .set("F1902M", &[], &units, &[(Power::GERMANY, &["BEL", "KIE"])])
        .hole("F1902", "BEL");
    table.move_all(&["A PIC - BEL"]);
    assert_eq!(table.when(|e| matches!(e, Event::Captured { .. })), None);
    assert_eq!((table.centres(Power::FRANCE), table.centres(Power::GERMANY)), (vec![], vec!["KIE"]));
}

#[test]
fn double_reversible_rule_4_third_sentence_movement_passes_the_hole() {
    let units: [(Power, &[&str]); 1] = [(Power::FRANCE, &["A SPA", "F BUR"])];
    let mut table = DOUBLE_REVERSIBLE.set("S1902M", &["collapse MAR"], &units, &[]);
    table.move_all(&["A SPA - PIE", "F BUR - LYO"]);
    assert_eq!(table.units(Power::FRANCE), ["A PIE", "F LYO"]);
}

#[test]
fn double_reversible_rule_4_third_sentence_support_passes_the_hole() {
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A SPA", "A BUR"]), (Power::ITALY, &["A PIE"])];
    let mut table = DOUBLE_REVERSIBLE.set("S1902M", &["collapse MAR"], &units, &[]);
    table.move_all(&["A SPA - PIE", "A BUR S A SPA - PIE"]);
    assert_eq!(
        (table.units(Power::FRANCE), table.waiting()[0].1.as_str()),
        (vec!["A BUR".into(), "A PIE".into()], "PIE")
    );
}

#[test]
fn double_reversible_rule_4_third_sentence_retreats_pass_the_hole() {
    let units: [(Power, &[&str]); 2] = [(Power::ITALY, &["A PIE"]), (Power::AUSTRIA, &["A TYR", "A VEN"])];
    let mut table = DOUBLE_REVERSIBLE.set("S1902M", &["collapse MAR"], &units, &[]);
    table.move_all(&["A TYR - PIE", "A VEN S A TYR - PIE"]);
    assert_eq!(table.waiting()[0].2, ["BUR", "GAS", "SPA", "TUS"]);
}

#[test]
fn double_reversible_rule_4_third_sentence_convoys_pass_the_hole() {
    let units: [(Power, &[&str]); 1] = [(Power::FRANCE, &["A MAR", "F LYO", "F ION"])];
    let orders = ["A MAR - GRE VIA", "F LYO C A MAR - GRE", "F ION C A MAR - GRE"];
    assert!(
        !legal(&DOUBLE_REVERSIBLE.set("S1902M", &[], &units, &[]), Power::FRANCE, orders[0]),
        "the Tyrrhenian lies between"
    );
    let mut table = DOUBLE_REVERSIBLE.set("S1902M", &["collapse TYS"], &units, &[]);
    table.move_all(&orders);
    assert_eq!(table.units(Power::FRANCE), ["A GRE", "F ION", "F LYO"]);
}

#[test]
fn double_reversible_rule_4_nobody_enters_a_hole() {
    let table = DOUBLE_REVERSIBLE.set(
        "S1902M",
        &["collapse MAR"],
        &[(Power::FRANCE, &["A BUR"]), (Power::ITALY, &["F LYO"])],
        &[],
    );
    assert!(!legal(&table, Power::FRANCE, "A BUR - MAR") && !legal(&table, Power::ITALY, "F LYO - MAR"));
    assert!(legal(&table, Power::FRANCE, "A BUR - SPA"));
}

#[test]
fn double_reversible_rule_4_switzerland_as_a_hole_joins_its_neighbours_and_back_parts_them() {
    let units: [(Power, &[&str]); 1] = [(Power::FRANCE, &["A MAR", "A MUN"])];
    let mut table =
        DOUBLE_REVERSIBLE.set("S1902M", &[], &units, &[]).hole("S1902", "SWI").hole("F1902", "SWI");
    assert!(!legal(&table, Power::FRANCE, "A MAR - MUN"));
    table.move_all(&[]);
    assert!(legal(&table, Power::FRANCE, "A MAR - TYR") && legal(&table, Power::FRANCE, "A MUN - PIE"));
    assert!(!legal(&table, Power::FRANCE, "A MAR - SWI"));
    table.move_all(&["A MAR - TYR", "A MUN S A MAR - TYR"]);
    assert_eq!(table.units(Power::FRANCE), ["A MUN", "A TYR"]);
    assert!(
        !legal(&table, Power::FRANCE, "A MUN - PIE") && !legal(&table, Power::FRANCE, "A MUN - SWI"),
        "impassable again"
    );
    assert_eq!(table.game.terrain().board().passable().len(), 75);
}

// ---- rule 5 ----

/// The provinces on which France may build with all these centres its own and vacant, after these events.
fn sites(events: &[&str], centres: &Lists<'_>) -> Vec<String> {
    let units: [(Power, &[&str]); 2] = [(Power::FRANCE, &["A GAS"]), (Power::GERMANY, &["A SIL"])];
    let mut table = DOUBLE_REVERSIBLE.set("F1902M", events, &units, centres);
    table.move_all(&[]);
    table.names(table.game.build_sites(Power::FRANCE)).into_iter().map(String::from).collect()
}

#[test]
fn double_reversible_rule_5_with_two_home_centres_outside_holes_home_only() {
    let own: [(Power, &[&str]); 1] = [(Power::FRANCE, &["PAR", "BRE", "MAR", "BEL", "SPA"])];
    assert_eq!(sites(&[], &own), ["BRE", "MAR", "PAR"]);
    assert_eq!(sites(&["collapse PAR"], &own), ["BRE", "MAR"]);
}

#[test]
fn double_reversible_rule_5_with_one_or_none_any_owned_centre() {
    let own: [(Power, &[&str]); 2] =
        [(Power::FRANCE, &["PAR", "BRE", "MAR", "BEL", "SPA"]), (Power::GERMANY, &["MUN"])];
    assert_eq!(sites(&["collapse PAR", "collapse MAR"], &own), ["BEL", "BRE", "SPA"]);
    assert_eq!(sites(&["collapse PAR", "collapse MAR", "collapse BRE"], &own), ["BEL", "SPA"]);
}

#[test]
fn double_reversible_rulings_4_8_what_counts_is_that_a_home_centre_is_no_hole_not_whose_it_is() {
    let lost: [(Power, &[&str]); 2] =
        [(Power::FRANCE, &["BEL", "SPA"]), (Power::GERMANY, &["PAR", "BRE", "MAR"])];
    assert_eq!(sites(&[], &lost), [""; 0], "three home centres outside holes, all in German hands");
    assert_eq!(sites(&["collapse PAR"], &lost), [""; 0]);
    assert_eq!(sites(&["collapse PAR", "collapse MAR"], &lost), ["BEL", "SPA"]);
}

#[test]
fn double_reversible_rule_5_the_centre_must_be_vacant_and_a_fleet_needs_a_coast() {
    use upheaval::rules::adjustment::builds;
    let events = ["collapse PAR", "collapse MAR"];
    let units: [(Power, &[&str]); 1] = [(Power::FRANCE, &["A BEL"])];
    let mut table =
        DOUBLE_REVERSIBLE.set("F1902M", &events, &units, &[(Power::FRANCE, &["BEL", "MUN", "SPA"])]);
    table.move_all(&[]);
    assert_eq!(table.names(table.game.build_sites(Power::FRANCE)), ["MUN", "SPA"]);
    let all = builds(table.game.terrain().board(), &table.game.build_sites(Power::FRANCE));
    assert_eq!(all.len(), 4, "an army in each, a fleet on each coast of Spain: {all:?}");
    assert_eq!(table.game.owed(Power::FRANCE), Owed::Builds(2));
}

#[test]
fn double_reversible_rule_5_a_home_centre_that_comes_back_counts_again() {
    let units: [(Power, &[&str]); 1] = [(Power::FRANCE, &["A GAS"])];
    let mut table = DOUBLE_REVERSIBLE
        .set("F1902M", &["collapse PAR", "collapse MAR"], &units, &[(Power::FRANCE, &["BRE", "BEL", "SPA"])])
        .hole("F1902", "PAR");
    table.move_all(&[]);
    assert_eq!(table.names(table.game.build_sites(Power::FRANCE)), ["BRE"], "Paris is neutral, but there");
}

// ---- rules.md 4.8 and 7: swallowed units do not count; an eliminated power plays on when one comes back ----

#[test]
fn double_reversible_rulings_4_8_swallowed_units_do_not_count_in_the_adjustments() {
    let units: [(Power, &[&str]); 1] = [(Power::FRANCE, &["A BUR", "A GAS"])];
    let mut table = DOUBLE_REVERSIBLE
        .set("F1902M", &[], &units, &[(Power::FRANCE, &["BRE", "PAR"])])
        .hole("F1902", "BUR");
    table.move_all(&[]);
    assert_eq!(table.game.owed(Power::FRANCE), Owed::Builds(1));
}

/// Turkey is eliminated: its only army vanished with Bulgaria in Spring and comes back a year later.
fn revived() -> Table {
    let units: [(Power, &[&str]); 2] = [(Power::TURKEY, &["A BUL"]), (Power::FRANCE, &["A PAR"])];
    DOUBLE_REVERSIBLE
        .set("S1902M", &[], &units, &[(Power::FRANCE, &["PAR"])])
        .hole("S1902", "BUL")
        .hole("S1903", "BUL")
}

#[test]
fn double_reversible_rulings_7_a_power_whose_units_are_all_swallowed_is_out() {
    let mut table = revived();
    table.move_all(&[]);
    assert_eq!(table.game.eliminated()[Power::TURKEY], Some(1902));
    assert!(table.when(|e| *e == Event::Eliminated(Power::TURKEY)).is_some());
}

#[test]
fn double_reversible_rulings_7_a_returned_unit_lets_it_play_on() {
    let mut table = revived();
    table.move_all(&[]).move_all(&[]).move_all(&[]);
    assert_eq!(table.game.phase().to_string(), "F1903M");
    assert_eq!(table.game.eliminated()[Power::TURKEY], None);
    assert!(table.when(|e| *e == Event::Revived(Power::TURKEY)).is_some());
    table.move_all(&["A BUL - CON"]);
    assert_eq!(
        (table.units(Power::TURKEY), table.centres(Power::TURKEY)),
        (vec!["A CON".into()], vec!["CON"])
    );
}

#[test]
fn double_reversible_rulings_7_out_back_and_out_again_it_is_out_since_the_last_time() {
    let mut table = revived().hole("S1904", "BUL").hole("S1905", "BUL").hole("F1905", "BUL");
    let turkish = |table: &Table| {
        let events = table.told.events.iter().filter_map(|(at, event)| match event {
            Event::Eliminated(Power::TURKEY) => Some((at.year, "out")),
            Event::Revived(Power::TURKEY) => Some((at.year, "back")),
            _ => None,
        });
        events.collect::<Vec<_>>()
    };
    table.season(&[]).season(&[]);
    assert_eq!((table.phase().as_str(), table.game.eliminated()[Power::TURKEY]), ("S1903M", Some(1902)));
    table.season(&[]).season(&[]);
    assert_eq!((table.phase().as_str(), table.game.eliminated()[Power::TURKEY]), ("S1904M", None));
    table.season(&[]).season(&[]);
    assert_eq!((table.phase().as_str(), table.game.eliminated()[Power::TURKEY]), ("S1905M", Some(1904)));
    // Back in Spring and lost in Fall, within a year.
    table.season(&[]);
    assert_eq!(table.game.eliminated()[Power::TURKEY], None);
    table.season(&[]);
    assert_eq!(table.game.eliminated()[Power::TURKEY], Some(1905));
    let times = [(1902, "out"), (1903, "back"), (1904, "out"), (1905, "back"), (1905, "out")];
    assert_eq!(turkish(&table), times);
}

#[test]
fn double_reversible_rulings_7_and_is_asked_for_its_retreat_at_once() {
    let units: [(Power, &[&str]); 3] =
        [(Power::TURKEY, &["A BUL"]), (Power::RUSSIA, &["F RUM"]), (Power::FRANCE, &["A PAR"])];
    let mut table = DOUBLE_REVERSIBLE
        .set("S1902M", &[], &units, &[(Power::FRANCE, &["PAR"]), (Power::RUSSIA, &["RUM"])])
        .hole("S1902", "BUL")
        .hole("F1902", "BUL");
    table.move_all(&["F RUM - BUL/EC"]);
    assert!(table.game.eliminated()[Power::TURKEY].is_some());
    table.move_all(&[]);
    table.retreat(&["A BUL R CON"]);
    assert_eq!((table.units(Power::TURKEY), table.units(Power::RUSSIA)), (vec!["A CON".into()], vec![]));
    assert_eq!(table.game.eliminated()[Power::TURKEY], None);
}
