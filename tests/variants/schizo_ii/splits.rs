//! The effect of a split in `schizo-ii` on borders, coasts, waterways, centres and units: rr07 rules 2 (iii) and 4;
//! rules.md 2, 4.6, 4.11.

use super::asked;
use crate::helpers::shipped::variant;
use crate::helpers::table::{Lists, Table};
use upheaval::game::Stage;
use upheaval::ids::{CoastId, Location, Power};
use upheaval::rules::event::Event;
use upheaval::rules::nature::Draw;
use upheaval::topology::derive;
use upheaval::topology::{MapEvent, Waterway};

const NOBODY: &Lists<'static> = &[(Power::TURKEY, &["A SYR"])];

/// After a Spring with this split, and a hole far away; a power with a unit owns no centre.
fn split(text: &str, units: &Lists<'_>) -> Table {
    split_on(&[], text, units)
}

fn split_on(map_events: &[&str], text: &str, units: &Lists<'_>) -> Table {
    let mut table = settled(map_events, text, units, &[]);
    table.move_all(&[]);
    table
}

fn settled(map_events: &[&str], text: &str, units: &Lists<'_>, centres: &Lists<'_>) -> Table {
    Table::set_in(variant("schizo-ii"), "S1902M", map_events, units, centres).split("S1902", text)
}

/// The neighbours of a face counter-clockwise, as printed.
fn round(table: &Table, name: &str) -> Vec<String> {
    let map = table.game.terrain().chart().map();
    let cycles = map.printed_cycles(table.id(name));
    assert_eq!(cycles.len(), 1);
    cycles[0].iter().map(|&side| map.name(map.across(side)).to_owned()).collect()
}

fn coasts(table: &Table, name: &str) -> u8 {
    table.game.terrain().board().coasts(table.id(name))
}

/// The provinces with waterways, sorted.
fn waterways(table: &Table) -> Vec<&str> {
    let name = |id| table.game.terrain().chart().map().name(id);
    let mut names: Vec<&str> = table
        .game
        .terrain()
        .chart()
        .map()
        .waterways()
        .flat_map(|waterway| match *waterway {
            Waterway::Canal { province, .. } | Waterway::Passage { province, .. } => vec![name(province)],
            Waterway::Strait { provinces, .. } => provinces.map(name).to_vec(),
        })
        .collect();
    names.sort_unstable();
    names
}

// ---- the new border ----

#[test]
fn schizo_ii_rulings_4_11_the_first_half_runs_counter_clockwise_from_the_first_end_to_the_second() {
    let cases: [(&str, &[&str], &[&str]); 4] = [
        (
            "split BUR PAR MUN",
            &["BUR.2", "PAR", "GAS", "MAR", "SWI", "MUN"],
            &["BEL", "PIC", "PAR", "BUR.1", "MUN", "RUH"],
        ),
        (
            "split BUR MUN PAR",
            &["BEL", "PIC", "PAR", "BUR.2", "MUN", "RUH"],
            &["BUR.1", "PAR", "GAS", "MAR", "SWI", "MUN"],
        ),
        (
            "split SPA MAO#1 GAS",
            &["GAS", "SPA.2", "MAO", "WES", "LYO", "MAR"],
            &["GAS", "MAO", "POR", "MAO", "SPA.1"],
        ),
        (
            "split MAO SPA#2 NAO",
            &["BRE", "ENG", "IRI", "NAO", "MAO.2", "SPA", "GAS"],
            &["MAO.1", "NAO", "OUT", "NAF", "WES", "SPA", "POR", "SPA"],
        ),
    ];
    for (text, first, second) in cases {
        let table = split(text, NOBODY);
        let parent = &text[6..9];
        assert_eq!(round(&table, &format!("{parent}.1")), first, "{text}");
        assert_eq!(round(&table, &format!("{parent}.2")), second, "{text}");
        assert!(table.game.terrain().chart().map().faults().is_empty());
    }
}

#[test]
fn schizo_ii_rulings_4_11_the_new_border_ends_in_the_middle_of_the_old_ones() {
    let table = split("split BUR PAR MUN", NOBODY);
    let beside = |name: &str, half: &str| {
        let around = round(&table, name);
        around.iter().filter(|neighbour| *neighbour == half).count()
    };
    for name in ["PAR", "MUN"] {
        assert_eq!((beside(name, "BUR.1"), beside(name, "BUR.2")), (1, 1), "both halves meet {name}");
    }
    for name in ["GAS", "MAR", "SWI"] {
        assert_eq!((beside(name, "BUR.1"), beside(name, "BUR.2")), (1, 0), "{name}");
    }
    let counts = table.game.terrain().chart().map().counts();
    assert_eq!([counts.faces, counts.borders, counts.corners], [78, 228, 152]);
}

#[test]
fn schizo_ii_rulings_4_11_armies_walk_between_the_halves_and_fleets_sail_between_halves_of_a_sea() {
    let table = split("split BUR PAR MUN", NOBODY);
    let board = table.game.terrain().board();
    assert!(board.army_reach(table.id("BUR.1")).contains(table.id("BUR.2")));
    let table = split("split MAO SPA#2 NAO", NOBODY);
    let board = table.game.terrain().board();
    assert!(board.fleet_reach_any(table.id("MAO.1")).contains(table.id("MAO.2")));
}

#[test]
fn schizo_ii_rulings_4_11_names_go_on_with_a_dot_and_the_old_one_is_gone() {
    let units: &Lists<'_> = &[(Power::FRANCE, &["A PAR"]), (Power::TURKEY, &["A SYR"])];
    let centres: &Lists<'_> = &[(Power::FRANCE, &["PAR"]), (Power::TURKEY, &["CON"])];
    let mut table = Table::set_in(variant("schizo-ii"), "S1902M", &[], units, centres)
        .split("S1902", "split BUR PAR MUN")
        .split("F1902", "split BUR.2 BEL MUN");
    table.move_all(&[]).move_all(&[]);
    let names = table.game.terrain().names();
    let burgundy: Vec<&str> =
        names.iter().map(|(code, _)| code).filter(|code| code.starts_with("BUR")).collect();
    assert_eq!(burgundy, ["BUR.1", "BUR.2.1", "BUR.2.2"]);
}

// ---- centres ----

#[test]
fn schizo_ii_rule_2_iii_fourth_sentence_the_owner_gains_a_centre() {
    let units: &Lists<'_> = &[(Power::FRANCE, &["A MUN"]), (Power::TURKEY, &["A SYR"])];
    let mut table = settled(&[], "split MUN BUR SIL", units, &[(Power::GERMANY, &["MUN"])]);
    table.move_all(&[]);
    assert_eq!(table.centres(Power::GERMANY), ["MUN.1", "MUN.2"], "the owner, and not who stands there");
    assert_eq!(table.game.terrain().centres().len(), 35);
    assert!(table.when(|e| matches!(e, Event::CentreDoubled(_, Power::GERMANY))).is_some());
    let homes = table.names(table.game.terrain().homes()[Power::GERMANY]);
    assert_eq!(homes, ["BER", "KIE", "MUN.1", "MUN.2"], "rules.md 4.11: both are homes");
}

#[test]
fn schizo_ii_rule_2_iii_fourth_sentence_an_unowned_centre_gives_a_new_neutral_one() {
    let units: &Lists<'_> = &[(Power::FRANCE, &["A BEL"]), (Power::TURKEY, &["A SYR"])];
    let mut table = settled(&[], "split BEL PIC HOL", units, &[(Power::TURKEY, &["CON"])]);
    table.move_all(&[]);
    for half in ["BEL.1", "BEL.2"] {
        assert_eq!(table.position().owner(table.id(half)), None);
        assert!(table.game.terrain().centres().contains(table.id(half)));
    }
    table.move_all(&[]);
    assert_eq!(table.centres(Power::FRANCE), ["BEL.1", "BEL.2"], "captured in Fall by both units");
}

#[test]
fn schizo_ii_rule_2_iii_a_province_without_a_centre_gives_none() {
    let table = split("split BUR PAR MUN", NOBODY);
    assert_eq!(table.game.terrain().centres().len(), 34);
}

#[test]
fn schizo_ii_rulings_4_11_a_power_builds_in_both_halves_of_its_home() {
    let units: &Lists<'_> = &[(Power::GERMANY, &["A KIE"]), (Power::TURKEY, &["A SMY"])];
    let centres: &Lists<'_> = &[(Power::GERMANY, &["MUN", "KIE"]), (Power::TURKEY, &["SMY"])];
    let mut table = Table::set_in(variant("schizo-ii"), "F1902M", &[], units, centres)
        .split("F1902", "split MUN BUR SIL");
    table.move_all(&[]);
    assert_eq!(table.names(table.game.build_sites(Power::GERMANY)), ["MUN.1", "MUN.2"]);
}

// ---- units ----

#[test]
fn schizo_ii_rule_2_iii_fifth_sentence_an_army_is_doubled_as_an_army() {
    let table = split("split BUR PAR MUN", &[(Power::FRANCE, &["A BUR"]), (Power::TURKEY, &["A SYR"])]);
    assert_eq!(table.units(Power::FRANCE), ["A BUR.1", "A BUR.2"]);
}

#[test]
fn schizo_ii_rule_2_iii_fifth_sentence_no_unit_appears_where_none_stood() {
    let table = split("split BUR PAR MUN", NOBODY);
    assert_eq!(table.position().occupied().len(), 1);
}

#[test]
fn schizo_ii_rule_2_iii_fifth_sentence_a_fleet_at_sea_is_doubled_as_a_fleet() {
    let table = split("split MAO SPA#2 NAO", &[(Power::FRANCE, &["F MAO"]), (Power::TURKEY, &["A SYR"])]);
    assert_eq!(table.units(Power::FRANCE), ["F MAO.1", "F MAO.2"]);
}

#[test]
fn schizo_ii_rule_2_iii_fifth_sentence_a_fleet_is_doubled_as_a_fleet_where_both_halves_have_a_coast() {
    let table = split("split GAS MAO MAR", &[(Power::FRANCE, &["F GAS"]), (Power::TURKEY, &["A SYR"])]);
    assert_eq!(table.units(Power::FRANCE), ["F GAS.1", "F GAS.2"]);
}

#[test]
fn schizo_ii_rule_2_iii_fifth_sentence_where_it_cannot_be_of_the_same_type_it_is_an_army() {
    // Picardy's first half is inland; the fleet cannot stay there, even if that were drawn.
    let units: &Lists<'_> = &[(Power::FRANCE, &["F PIC"]), (Power::TURKEY, &["A SYR"])];
    let mut table = settled(&[], "split PIC PAR BEL", units, &[]).stays("PIC.1");
    table.move_all(&[]);
    assert_eq!(coasts(&table, "PIC.1"), 0);
    assert_eq!(table.units(Power::FRANCE), ["A PIC.1", "F PIC.2"]);
    let (stays, new) = (table.id("PIC.2"), table.id("PIC.1"));
    assert!(
        table
            .when(|e| matches!(e, Event::UnitDoubled { stays: s, new: n, .. } if (*s, *n) == (stays, new)))
            .is_some()
    );
}

#[test]
fn schizo_ii_rulings_4_11_the_half_in_which_the_unit_stays_is_drawn() {
    for (half, other) in [("BUR.1", "BUR.2"), ("BUR.2", "BUR.1")] {
        let units: &Lists<'_> = &[(Power::FRANCE, &["A BUR"]), (Power::TURKEY, &["A SYR"])];
        let mut table = settled(&[], "split BUR PAR MUN", units, &[]).stays(half);
        table.move_all(&[]);
        let (half, other) = (table.id(half), table.id(other));
        let told =
            |e: &Event| matches!(e, Event::UnitDoubled { stays, new, .. } if (*stays, *new) == (half, other));
        assert!(table.when(told).is_some());
    }
}

#[test]
fn schizo_ii_rule_2_iii_who_has_retreated_into_the_province_is_doubled() {
    let units: &Lists<'_> = &[(Power::FRANCE, &["A BUR"]), (Power::GERMANY, &["A MUN", "A RUH"])];
    let mut table = settled(&[], "split PIC BRE BEL", units, &[]);
    table.move_all(&["A MUN - BUR", "A RUH S A MUN - BUR", "A BUR R PIC"]);
    assert_eq!(table.units(Power::FRANCE), ["A PIC.1", "A PIC.2"]);
}

// ---- fleets and coasts ----

#[test]
fn schizo_ii_rulings_2_2_a_fleet_stays_on_its_coast_in_either_half() {
    // From Gascony to the sea north of Portugal: the first half has the south coast, the second the north coast.
    for (fleet, halves) in [("F SPA/NC", ["F SPA.1", "F SPA.2/NC"]), ("F SPA/SC", ["F SPA.1", "F SPA.2/NC"])]
    {
        let table = split("split SPA MAO#1 GAS", &[(Power::FRANCE, &[fleet]), (Power::TURKEY, &["A SYR"])]);
        let units = table.units(Power::FRANCE);
        assert_eq!(units.len(), 2, "{units:?}");
        assert_eq!(units[0], halves[0], "{fleet}");
        // The sea south of Portugal borders both halves.
        assert_eq!(coasts(&table, "SPA.2"), 2);
        let expected: &[&str] =
            if fleet == "F SPA/NC" { &["GAS", "MAO", "POR"] } else { &["MAO", "POR", "SPA.1"] };
        assert_eq!(table.reach("SPA.2"), expected, "{fleet}");
    }
}

#[test]
fn schizo_ii_rulings_2_3_in_a_half_without_its_coast_the_fleet_takes_the_one_there_is() {
    // Bulgaria's first half has only the Black Sea; the fleet was on the Aegean.
    let units: &Lists<'_> = &[(Power::RUSSIA, &["F BUL/SC"]), (Power::TURKEY, &["A SYR"])];
    let table = split("split BUL CON SER", units);
    assert_eq!((coasts(&table, "BUL.1"), coasts(&table, "BUL.2")), (1, 1));
    assert_eq!(table.units(Power::RUSSIA), ["F BUL.1", "F BUL.2"]);
    assert_eq!(table.reach("BUL.1"), ["BLA", "CON", "RUM"]);
    assert_eq!(table.reach("BUL.2"), ["AEG", "CON", "GRE"]);
}

/// A fleet on Spain's south coast; the hole in the Western Mediterranean divides that coast, and the split cuts off one
/// part or the other.
fn spain_cut_up() -> Table {
    let units: &Lists<'_> = &[(Power::FRANCE, &["F SPA/SC"]), (Power::TURKEY, &["A SYR"])];
    let mut table = settled(&[], "split SPA LYO POR", units, &[]).hole("S1902", "WES");
    table.move_all(&[]);
    table
}

#[test]
fn schizo_ii_rulings_2_1_several_changes_in_one_season_leave_choices_sound() {
    let mut table = spain_cut_up();
    assert_eq!(table.game.stage(), Stage::Coasts);
    let [choice] = table.game.coast_choices() else { panic!("one choice: {:?}", table.game.coast_choices()) };
    assert_eq!((choice.fleet, choice.power), (table.id("SPA.2"), Power::FRANCE));
    assert_eq!(choice.coasts, [CoastId(0), CoastId(1)]);
    // In the first half one part of its coast remains, not the north coast that is there too.
    assert_eq!(coasts(&table, "SPA.1"), 2);
    assert_eq!(table.reach("SPA.1"), ["LYO", "MAR", "SPA.2/EC"]);
    // On a tie, counter-clockwise from north: the Atlantic first.
    assert_eq!(table.reach("SPA.2"), ["MAO", "POR"]);
    table.coasts(|choice| choice.coasts.iter().copied().find(|coast| *coast != choice.default));
    assert_eq!(table.reach("SPA.2"), ["LYO", "SPA.1/EC"]);
    assert_eq!(table.game.stage(), Stage::Movement);
}

#[test]
fn schizo_ii_rulings_2_1_an_impossible_choice_leaves_the_default() {
    let mut table = spain_cut_up();
    table.coasts(|_| Some(CoastId(7)));
    assert_eq!(table.reach("SPA.2"), ["MAO", "POR"]);
}

#[test]
fn schizo_ii_rulings_2_1_a_split_that_settles_a_choice_leaves_none() {
    // The hole makes two coasts, and the split gives one to each half.
    let units: &Lists<'_> = &[(Power::FRANCE, &["F SPA/SC"]), (Power::TURKEY, &["A SYR"])];
    let mut table = settled(&[], "split SPA WES GAS", units, &[]).hole("S1902", "WES");
    table.move_all(&[]);
    assert_eq!(table.game.stage(), Stage::Movement, "nothing to choose: {:?}", table.game.coast_choices());
    assert_eq!(table.reach("SPA.1"), ["LYO", "MAR"]);
    // The second half also has the north coast, but the fleet is not on it.
    assert_eq!(coasts(&table, "SPA.2"), 2);
    assert_eq!(table.reach("SPA.2"), ["MAO", "POR"]);
}

#[test]
fn schizo_ii_rulings_2_1_one_half_or_both_may_have_to_choose() {
    // Only Kiel's canal joined its two shores to one coast, and it goes to the first half.
    let units: &Lists<'_> = &[(Power::GERMANY, &["F KIE"]), (Power::TURKEY, &["A SYR"])];
    let mut table = settled(&[], "split KIE HEL BAL", units, &[]);
    table.move_all(&[]);
    assert_eq!((coasts(&table, "KIE.1"), coasts(&table, "KIE.2")), (1, 2));
    let choices: Vec<_> = table.game.coast_choices().iter().map(|choice| choice.fleet).collect();
    assert_eq!(choices, [table.id("KIE.2")]);
    // A hole makes two coasts of Spain's south coast, and the new border ends at both.
    let units: &Lists<'_> = &[(Power::FRANCE, &["F SPA/SC"]), (Power::TURKEY, &["A SYR"])];
    let mut table = settled(&[], "split SPA MAO#1 LYO", units, &[]).hole("S1902", "WES");
    table.move_all(&[]);
    let choices: Vec<_> = table.game.coast_choices().iter().map(|choice| choice.fleet).collect();
    assert_eq!(choices, [table.id("SPA.1"), table.id("SPA.2")]);
    assert_eq!(
        (coasts(&table, "SPA.2"), table.game.coast_choices()[1].coasts.len()),
        (3, 2),
        "not the north coast"
    );
    table.coasts(|choice| choice.coasts.iter().copied().find(|coast| *coast != choice.default));
    assert_eq!(table.reach("SPA.1"), ["LYO", "SPA.2/EC"]);
    assert_eq!(table.reach("SPA.2"), ["LYO", "MAR", "SPA.1/EC"]);
}

#[test]
fn schizo_ii_rulings_2_2_the_fleets_of_the_neighbours_keep_their_coasts() {
    let units: &Lists<'_> =
        &[(Power::FRANCE, &["F SPA/NC"]), (Power::ITALY, &["F BUL/EC"]), (Power::RUSSIA, &["F STP/SC"])];
    for (text, fleet, power, expected) in [
        ("split MAO SPA#2 NAO", "SPA", Power::FRANCE, "F SPA/NC"),
        ("split GAS SPA PAR", "SPA", Power::FRANCE, "F SPA/NC"),
        ("split POR SPA MAO", "SPA", Power::FRANCE, "F SPA/NC"),
        ("split BLA BUL SEV", "BUL", Power::ITALY, "F BUL/EC"),
        ("split CON BUL SMY", "BUL", Power::ITALY, "F BUL/EC"),
        ("split BOT STP SWE", "STP", Power::RUSSIA, "F STP/SC"),
    ] {
        let table = split(text, units);
        assert!(table.game.coast_choices().is_empty(), "{text}");
        assert_eq!(table.units(power), [expected], "{text}: {fleet}");
    }
    let table = split("split MAO SPA#2 NAO", units);
    assert_eq!(table.reach("SPA"), ["GAS", "MAO.1", "MAO.2", "POR"]);
}

// ---- waterways ----

#[test]
fn schizo_ii_rulings_4_11_a_canal_goes_with_both_its_terminals() {
    // Both in the second half, both in the first, one in each, both in both.
    let cases = [
        ("split KIE HOL BER", Some("KIE.2"), [0, 1]),
        ("split KIE BER HOL", Some("KIE.1"), [1, 0]),
        ("split KIE DEN MUN", None, [1, 1]),
        ("split KIE HEL BAL", Some("KIE.1"), [1, 2]),
        ("split KIE BAL HEL", Some("KIE.1"), [1, 2]),
        ("split KIE HEL BER", Some("KIE.2"), [1, 1]),
        ("split KIE HOL BAL", Some("KIE.2"), [1, 1]),
        ("split CON SMY ANK", Some("CON.2"), [0, 1]),
        ("split CON BUL ANK", None, [1, 1]),
    ];
    for (text, has_it, expected) in cases {
        let table = split(text, NOBODY);
        let parent = &text[6..9];
        let halves: Vec<&str> =
            waterways(&table).into_iter().filter(|name| name.starts_with(parent)).collect();
        assert_eq!(halves, has_it.into_iter().collect::<Vec<_>>(), "{text}");
        let found = ["1", "2"].map(|half| coasts(&table, &format!("{parent}.{half}")));
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn schizo_ii_rulings_1_3_a_sea_split_at_the_end_of_a_canal_leaves_it_both_pieces() {
    for text in ["split BAL KIE SWE", "split BAL SWE KIE"] {
        let table = split(text, NOBODY);
        assert_eq!(coasts(&table, "KIE"), 1, "{text}");
        for gone in ["BAL.1", "BAL.2"] {
            let mut chart = table.game.terrain().chart().clone();
            chart.void(table.id(gone)).expect("it is open");
            let board = derive(chart.map());
            assert_eq!(board.coasts(table.id("KIE")), 1, "{text}, {gone}: the other piece is water still");
        }
        let mut chart = table.game.terrain().chart().clone();
        for gone in ["BAL.1", "BAL.2", "HEL"] {
            chart.void(table.id(gone)).expect("it is open");
        }
        assert_eq!(derive(chart.map()).coasts(table.id("KIE")), 0, "{text}");
    }
}

#[test]
fn schizo_ii_rulings_4_11_a_canal_that_ends_at_two_pieces_goes_to_one_half() {
    for (sea, land, [first, second]) in [
        ("split HEL KIE NTH", "split KIE BAL HEL.1", ["KIE.1", "KIE.2"]),
        ("split HEL KIE NTH", "split KIE BAL HEL.2", ["KIE.1", "KIE.2"]),
        ("split AEG BUL CON", "split CON BLA AEG.2", ["CON.1", "CON.2"]),
    ] {
        let mut chart = variant("schizo-ii").terrain.chart().clone();
        for text in [sea, land] {
            text.parse::<MapEvent>().expect("an event").apply(&mut chart).expect("it can be");
        }
        let canals = chart.map().waterways().filter_map(|waterway| match waterway {
            Waterway::Canal { province, .. } => Some(chart.map().name(*province)),
            Waterway::Strait { .. } | Waterway::Passage { .. } => None,
        });
        let mut of_halves: Vec<&str> = canals.filter(|name| name.contains('.')).collect();
        of_halves.dedup();
        assert_eq!(of_halves, [first], "{land}");
        let board = derive(chart.map());
        let coasts = [first, second].map(|name| board.coasts(chart.map().find(name).expect("a half")));
        assert_eq!(coasts[0], 1, "{land}");
        assert_eq!(coasts[1], if land == "split KIE BAL HEL.2" { coasts[1] } else { 2 }, "{land}");
    }
}

#[test]
fn schizo_ii_rulings_4_11_a_strait_goes_with_its_border_and_is_gone_if_that_is_cut() {
    let table = split("split DEN NTH KIE", NOBODY);
    assert_eq!(waterways(&table), ["CON", "DEN.2", "KIE", "SWE"]);
    assert_eq!(["DEN.1", "DEN.2", "SWE"].map(|name| coasts(&table, name)), [1, 1, 1]);
    let table = split("split SWE NWY FIN", NOBODY);
    assert_eq!(waterways(&table), ["CON", "DEN", "KIE", "SWE.1"]);
    assert_eq!(["SWE.1", "SWE.2", "DEN"].map(|name| coasts(&table, name)), [1, 0, 1]);
    let table = split("split DEN SWE HEL", NOBODY);
    assert_eq!(waterways(&table), ["CON", "KIE"]);
    assert_eq!(["DEN.1", "DEN.2", "SWE"].map(|name| coasts(&table, name)), [1, 2, 2]);
}

#[test]
fn schizo_ii_rulings_4_11_a_strait_that_is_cut_lets_the_owner_of_the_fleet_across_choose() {
    let table = split("split DEN SWE HEL", &[(Power::RUSSIA, &["F SWE"]), (Power::TURKEY, &["A SYR"])]);
    let [choice] = table.game.coast_choices() else { panic!("a choice") };
    assert_eq!((choice.fleet, choice.power), (table.id("SWE"), Power::RUSSIA));
}

// ---- centres of halves, rules.md 4.6 ----

#[test]
fn schizo_ii_rulings_4_6_the_centre_of_a_half_is_the_mean_of_its_parents_and_its_neighbours() {
    let table = split("split BUR BEL GAS", NOBODY);
    let centre = |name: &str| table.game.terrain().chart().info(table.id(name)).unwrap().position.unwrap();
    let old = variant("schizo-ii");
    let before = |name: &str| {
        old.terrain.chart().info(old.terrain.names().find(name).unwrap()).unwrap().position.unwrap()
    };
    for (half, received) in [
        ("BUR.1", &["BEL", "PIC", "PAR", "GAS"][..]),
        ("BUR.2", &["GAS", "MAR", "SWI", "MUN", "RUH", "BEL"][..]),
    ] {
        let all: Vec<[f64; 2]> = received.iter().chain(&["BUR"]).map(|name| before(name)).collect();
        for axis in 0..2 {
            let mean = all.iter().map(|point| point[axis]).sum::<f64>() / all.len() as f64;
            assert!((centre(half)[axis] - mean).abs() < 1e-9, "{half}");
        }
    }
}

#[test]
fn schizo_ii_rulings_4_6_a_neighbour_that_meets_a_half_twice_counts_once() {
    let table = split("split SPA MAO#1 GAS", NOBODY);
    let old = variant("schizo-ii");
    let before = |name: &str| {
        old.terrain.chart().info(old.terrain.names().find(name).unwrap()).unwrap().position.unwrap()[0]
    };
    let mean = ["SPA", "GAS", "MAO", "POR"].map(before).iter().sum::<f64>() / 4.0;
    let found = table.game.terrain().chart().info(table.id("SPA.2")).unwrap().position.unwrap()[0];
    assert!((found - mean).abs() < 1e-9);
}

#[test]
fn schizo_ii_rulings_4_6_the_outside_does_not_count_and_later_splits_change_nothing() {
    let centres = |events: &[&str]| {
        let table = split_on(events, "split TYR BOH SWI", NOBODY);
        table.game.terrain().chart().info(table.id("TUN.1")).unwrap().position.unwrap()
    };
    let fixed = centres(&["split TUN NAF ION"]);
    assert_eq!(fixed, centres(&["split TUN NAF ION", "split ION TUN.1 GRE", "split NAF TUN.1 MAO"]));
    let x = [337.6, 169.3];
    let ion = variant("schizo-ii");
    let ion =
        ion.terrain.chart().info(ion.terrain.names().find("ION").unwrap()).unwrap().position.unwrap()[0];
    assert!((fixed[0] - (x[0] + x[1] + ion) / 3.0).abs() < 1e-9, "Tunis, North Africa and the Ionian Sea");
}

#[test]
fn schizo_ii_rulings_4_6_default_retreats_go_by_the_centre_of_the_half() {
    // Seen from Burgundy's own centre Belgium would come first, 8° east of north; from the half's Picardy does, 1° east.
    let units: &Lists<'_> = &[(Power::FRANCE, &["A BUR.1"]), (Power::GERMANY, &["A GAS", "A BUR.2"])];
    let mut table = Table::set_in(asked(), "S1902M", &["split BUR BEL GAS"], units, &[]).hole("S1902", "UKR");
    table.move_all(&["A BUR.2 - BUR.1", "A GAS S A BUR.2 - BUR.1"]);
    assert_eq!(table.options(0), ["BEL", "PAR", "PIC"]);
    table.retreat(&[]);
    assert_eq!(table.units(Power::FRANCE), ["A PIC"]);
}

// ---- voids in the deal and at the border ----

#[test]
fn schizo_ii_rule_2_iii_third_sentence_the_border_may_end_at_a_void_and_at_switzerland() {
    let mut table = settled(&[], "split BUR MAR SWI", NOBODY, &[]).hole("S1902", "MAR");
    table.move_all(&[]);
    assert_eq!(round(&table, "BUR.1"), ["BUR.2", "MAR", "SWI"]);
    // And a returning neighbour meets both halves.
    let table = split_on(&["split BUR MAR GAS", "void MAR", "restore MAR"], "split TYR BOH SWI", NOBODY);
    let reach = *table.game.terrain().board().army_reach(table.id("MAR"));
    assert_eq!(table.names(reach), ["BUR.1", "BUR.2", "GAS", "PIE", "SPA"]);
}

#[test]
fn schizo_ii_rule_2_iii_a_void_beside_the_split_comes_back_with_its_coast() {
    let units: &Lists<'_> = &[(Power::FRANCE, &["F BRE"]), (Power::TURKEY, &["A SYR"])];
    let mut table = Table::set_in(variant("schizo-ii"), "S1905M", &["void MAO"], units, &[])
        .hole("S1905", "UKR")
        .drawn("S1905", Draw::Restores, "MAO")
        .split("S1905", "split BRE MAO PAR");
    table.move_all(&[]);
    assert_eq!(
        table.units(Power::FRANCE),
        ["F BRE.1", "F BRE.2"],
        "the water that came back counts for the split"
    );
}

#[test]
fn schizo_ii_rulings_4_11_location_of_a_doubled_fleet_is_a_place_of_the_board() {
    for text in ["split STP NWY LVN", "split STP BAR MOS", "split STP BOT BAR", "split STP FIN MOS"] {
        for fleet in ["F STP/NC", "F STP/SC"] {
            let table = split(text, &[(Power::RUSSIA, &[fleet]), (Power::TURKEY, &["A SYR"])]);
            let board = table.game.terrain().board();
            assert_eq!(table.position().units_of(Power::RUSSIA).len(), 2, "{text} {fleet}");
            for at in *table.position().units_of(Power::RUSSIA) & *table.position().fleets() {
                let Location { coast, .. } = table.position().location(at).unwrap();
                assert!(coast.0 < board.coasts(at), "{text} {fleet}");
            }
        }
    }
}
