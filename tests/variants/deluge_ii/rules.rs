//! Deluge II (ru10; rules.md 6), without its army/fleets.

use std::sync::Arc;

use crate::helpers::shipped::DELUGE_II;
use crate::helpers::table::Table;
use upheaval::game::Referee;
use upheaval::game::{Ending, Game, Stage};
use upheaval::ids::{Location, ProvinceSet, UnitKind};
use upheaval::ids::{Power, Powers};
use upheaval::record::{GameEnd, SeatOutcome};
use upheaval::rules::answers::Answers;
use upheaval::rules::event::Event;
use upheaval::rules::mechanism::Mechanism;
use upheaval::rules::nature::Seeded;
use upheaval::rules::order::AdjustmentOrder;
use upheaval::rules::position::Phase;
use upheaval::rules::variant::Variant;
use upheaval::topology::{NamedMap, atlas};

fn early() -> Arc<Variant> {
    DELUGE_II.changed("schedule = \"ru10\"", "schedule = \"early-centres\"")
}

/// A game before the adjustments of a Winter, with these units and owners, on the map of that time.
fn winter(
    variant: Arc<Variant>,
    year: u16,
    units: &[(Power, &[&str])],
    centres: &[(Power, &[&str])],
) -> Table {
    let events = events_before(year);
    let events: Vec<&str> = events.iter().map(String::as_str).collect();
    with_founded(Table::set_in(variant, &format!("W{year}A"), &events, units, centres))
}

/// The table with the centres that have been founded by then.
fn with_founded(mut table: Table) -> Table {
    let mut world = table.game.world().clone();
    let variant = Arc::clone(table.game.variant());
    for mechanism in &variant.mechanisms {
        if let Mechanism::Deluge(deluge) = mechanism {
            let founded = deluge.founded_in(0..table.game.phase().year) & *world.terrain.board().land();
            let terrain = Arc::make_mut(&mut world.terrain);
            let change = |chart: &mut NamedMap| {
                founded.iter().for_each(|id| chart.found_centre(id));
                Ok::<(), ()>(())
            };
            terrain.change(change).expect("it cannot fail");
        }
    }
    table.game = Game::resumed(variant, 1950, world, table.game.phase());
    table
}

/// The provinces that sank and opened before the Winter of a year.
fn events_before(year: u16) -> Vec<String> {
    let file: toml::Table = DELUGE_II.text().parse().expect("TOML");
    let mut events = Vec::new();
    for (table, verb) in [("opens", "open"), ("submerges", "submerge")] {
        for (when, names) in file["deluge"][table].as_table().expect("a table") {
            if when.parse::<u16>().expect("a year") < year {
                let names = names.as_array().expect("names");
                events.extend(names.iter().map(|name| format!("{verb} {}", name.as_str().expect("a name"))));
            }
        }
    }
    events
}

#[test]
fn ruling_6_5_iceland_is_a_digon_between_the_northern_seas() {
    let chart = atlas::find("deluge").expect("it ships");
    let counts = chart.map().counts();
    assert_eq!((counts.faces, counts.borders, counts.corners, counts.components), (78, 228, 152, 1));
    let id = |name| chart.map().find(name).expect("a face");
    assert_eq!(chart.map().stretches(id("NAO"), id("NWG")).len(), 2);
    assert_eq!(chart.map().sides_of(id("ICE")).count(), 2);
    assert_eq!(chart.info(id("ICE")).and_then(|info| info.position), Some([241.0, 598.0]));
}

#[test]
fn rule_1_the_game_begins_in_winter_1900_with_builds_on_an_empty_board() {
    let mut table = Table::new_game(DELUGE_II.variant(), 1910);
    assert_eq!((table.game.phase().to_string().as_str(), table.game.stage()), ("W1900A", Stage::Adjustments));
    assert!(table.position().occupied().is_empty());
    let build = |table: &Table, name: &str, kind, coast: u8| AdjustmentOrder::Build {
        kind,
        at: Location { province: table.id(name), coast: upheaval::ids::CoastId(coast) },
    };
    let mut answers = Answers::none(Powers::STANDARD);
    let orders = &mut answers.adjustments;
    // Each chooses its types; Russia may build F STP/NC.
    orders[Power::FRANCE] = [("BRE", UnitKind::Army), ("MAR", UnitKind::Fleet), ("PAR", UnitKind::Army)]
        .map(|(name, kind)| build(&table, name, kind, 0))
        .to_vec();
    let north = table.game.terrain().names().find_coast(table.id("STP"), "NC").expect("a coast");
    orders[Power::RUSSIA] = vec![build(&table, "STP", UnitKind::Fleet, north.0)];
    table.settle(answers);
    assert_eq!(table.units(Power::FRANCE), ["A BRE", "A PAR", "F MAR"]);
    assert_eq!(table.units(Power::RUSSIA), ["F STP/NC"]);
    assert_eq!((table.game.phase().to_string().as_str(), table.game.stage()), ("S1901M", Stage::Movement));
}

#[test]
fn rule_3_table_1_all_57_provinces_sink_in_their_winters() {
    let mut table = Table::new_game(DELUGE_II.variant(), 1910);
    let mut sunk = 0;
    // Some power is always left, so the game continues.
    let mut world = table.game.world().clone();
    let alive = table.id("NAO");
    world.position.place(
        alive,
        upheaval::rules::position::Unit::new(UnitKind::Fleet, Power::TURKEY, upheaval::ids::CoastId::FIRST),
    );
    table.game = Game::resumed(DELUGE_II.variant(), 1910, world, "W1900A".parse::<Phase>().expect("a phase"));
    for year in 1900..=1908 {
        let before = table.told.events.len();
        while table.game.phase().year <= year && table.game.stage() != Stage::Over {
            table = match table.game.stage() {
                Stage::Movement => {
                    table.move_all(&[]);
                    table
                }
                Stage::Adjustments => {
                    table.adjust();
                    table
                }
                other => panic!("{other:?}"),
            };
        }
        let names: Vec<String> = table.told.events[before..]
            .iter()
            .filter_map(|(at, event)| match event {
                Event::Submerged(id) => {
                    assert_eq!(at.to_string(), format!("W{year}A"));
                    Some(table.name(*id).to_owned())
                }
                _ => None,
            })
            .collect();
        let mut listed: Vec<String> =
            events_before(year + 1).into_iter().filter(|event| event.starts_with("submerge")).collect();
        let already: Vec<String> = events_before(year);
        listed.retain(|event| !already.contains(event));
        assert_eq!(names.len(), listed.len(), "{year}");
        assert!(names.iter().all(|name| listed.contains(&format!("submerge {name}"))), "{year}");
        sunk += names.len();
    }
    assert_eq!(sunk, 57);
    let land = *table.game.terrain().board().land();
    assert_eq!(table.names(land), ["SWI"], "the only land that is left");
    assert_eq!(table.names(*table.game.terrain().centres()), ["SWI"], "and the only centre");
}

#[test]
fn rule_3_last_sentence_a_sunken_centre_is_destroyed_after_the_adjustments_of_its_winter() {
    let centres: [(Power, &[&str]); 1] = [(Power::ENGLAND, &["LON", "EDI"])];
    let mut table = winter(DELUGE_II.variant(), 1901, &[(Power::ENGLAND, &["F NTH", "A EDI"])], &centres);
    table.adjust();
    assert_eq!(table.units(Power::ENGLAND), ["A EDI", "F NTH"], "London counted still");
    assert_eq!(table.centres(Power::ENGLAND), ["EDI"]);
    let mut table = winter(
        DELUGE_II.variant(),
        1902,
        &[(Power::ENGLAND, &["F NTH", "A EDI"])],
        &[(Power::ENGLAND, &["EDI"])],
    );
    table.adjust();
    assert_eq!(table.units(Power::ENGLAND).len(), 1, "and not the next Winter");
}

#[test]
fn rule_4_armies_drown_and_fleets_float() {
    let centres: [(Power, &[&str]); 2] = [(Power::ENGLAND, &["LON", "EDI"]), (Power::ITALY, &["VEN"])];
    let units: [(Power, &[&str]); 2] = [(Power::ENGLAND, &["F LON", "A YOR"]), (Power::ITALY, &["A VEN"])];
    let mut table = winter(DELUGE_II.variant(), 1901, &units, &centres);
    table.adjust();
    assert_eq!(table.units(Power::ENGLAND), ["A YOR", "F LON"]);
    assert!(table.units(Power::ITALY).is_empty(), "the army in Venice is drowned");
    let board = table.game.terrain().board();
    assert!(board.sea().contains(table.id("LON")) && board.sea().contains(table.id("VEN")));
    // A former inland neighbour now has a coast.
    assert!(board.coasts(table.id("TYR")) == 1 && board.coasts(table.id("ROM")) >= 1);
}

/// A centre that is founded, and its owner.
fn founded(mut table: Table, name: &str) -> Option<Power> {
    table.adjust();
    let centre = table.id(name);
    let told = table.told.events.iter().find_map(|(_, event)| match event {
        Event::CentreFounded(id, owner) if *id == centre => Some(*owner),
        _ => None,
    });
    let owner = told.expect("the centre came into being");
    if table.game.terrain().centres().contains(centre) {
        assert_eq!(table.position().owner(centre), owner);
    }
    owner
}

#[test]
fn rule_5_table_2_each_centre_comes_into_being_in_its_winter_in_both_schedules() {
    let table_2 = [
        (1902, &["RUH", "TYR", "WAL"][..]),
        (1903, &["ICE", "UKR"]),
        (1904, &["PIE"]),
        (1905, &["BOH", "SIL"]),
        (1906, &["SWI"]),
        (1907, &["NAF"]),
    ];
    for (variant, lead) in [(DELUGE_II.variant(), 0), (early(), 1)] {
        for year in 1901..=1907 {
            let mut table = winter(
                Arc::clone(&variant),
                year,
                &[(Power::TURKEY, &["F ION"])],
                &[(Power::TURKEY, &["ANK"])],
            );
            table.adjust();
            let founded = table.told.events.iter().filter_map(|(_, event)| match event {
                Event::CentreFounded(id, _) => Some(table.name(*id)),
                _ => None,
            });
            let mut founded: Vec<&str> = founded.collect();
            founded.sort_unstable();
            let listed = table_2.iter().find(|(when, _)| *when == year + lead);
            assert_eq!(founded, listed.map_or(&[][..], |(_, names)| names), "{year}, and no others");
        }
    }
}

#[test]
fn rule_5_whose_a_new_centre_is_in_the_four_steps() {
    let others: [(Power, &[&str]); 2] = [(Power::AUSTRIA, &["VIE"]), (Power::GERMANY, &["MUN"])];
    // (1) Any unit that is there.
    let others = [others[0], others[1], (Power::ITALY, &["ROM"][..])];
    let table = winter(
        DELUGE_II.variant(),
        1902,
        &[(Power::ITALY, &["A TYR"]), (Power::AUSTRIA, &["A VIE"])],
        &others,
    );
    assert_eq!(founded(table, "TYR"), Some(Power::ITALY));
    // (2) The last country to have a unit there, even after it has moved away.
    let mut table = winter_before(1902, &[(Power::ITALY, &["A TYR"]), (Power::AUSTRIA, &["A VIE"])], &others);
    table.move_all(&[]);
    table.move_all(&["A TYR - VEN"]);
    assert_eq!(founded(table, "TYR"), Some(Power::ITALY));
    // (3) The country within whose boundary it lies.
    let table = winter(DELUGE_II.variant(), 1902, &[(Power::AUSTRIA, &["A VIE"])], &others);
    assert_eq!(founded(table, "TYR"), Some(Power::AUSTRIA));
    // An eliminated power gets none by its boundary: (4) it is neutral.
    let table =
        winter(DELUGE_II.variant(), 1902, &[(Power::GERMANY, &["A MUN"])], &[(Power::GERMANY, &["MUN"])]);
    assert_eq!(founded(table, "TYR"), None);
}

/// The Spring of a year whose Winter is of interest; Venice is still there.
fn winter_before(year: u16, units: &[(Power, &[&str])], centres: &[(Power, &[&str])]) -> Table {
    let events: Vec<String> =
        events_before(year).into_iter().filter(|event| event != "submerge VEN").collect();
    let events: Vec<&str> = events.iter().map(String::as_str).collect();
    Table::set_in(DELUGE_II.variant(), &format!("S{year}M"), &events, units, centres)
}

#[test]
fn ruling_6_2_a_centre_in_a_province_that_sinks_the_same_winter_is_gone_at_once() {
    let mut table = winter(
        DELUGE_II.variant(),
        1907,
        &[(Power::TURKEY, &["F NAF", "F ANK"])],
        &[(Power::TURKEY, &["ANK"])],
    );
    table.adjust();
    let naf = table.id("NAF");
    let when = |fits: &dyn Fn(&Event) -> bool| table.when(fits).expect("it is reported");
    assert!(
        when(&|event| matches!(event, Event::CentreFounded(id, _) if *id == naf))
            < when(&|event| matches!(event, Event::Submerged(id) if *id == naf))
    );
    assert!(!table.game.terrain().centres().contains(naf));
    assert!(!table.position().centres_of(Power::TURKEY).contains(naf));
}

#[test]
fn rule_6_iceland_opens_after_1901_and_switzerland_after_1904() {
    for (year, name) in [(1901, "ICE"), (1904, "SWI")] {
        let mut table =
            winter(DELUGE_II.variant(), year, &[(Power::TURKEY, &["F ION"])], &[(Power::TURKEY, &["ANK"])]);
        assert!(!table.game.terrain().board().passable().contains(table.id(name)));
        table.adjust();
        assert!(table.game.terrain().board().land().contains(table.id(name)), "{name}");
    }
    let table = winter(DELUGE_II.variant(), 1902, &[], &[]);
    assert_eq!(table.game.terrain().board().coasts(table.id("ICE")), 1);
}

#[test]
fn rule_7_units_are_built_in_any_vacant_centre_that_is_owned() {
    let table = winter(
        DELUGE_II.variant(),
        1901,
        &[(Power::FRANCE, &["A SPA"])],
        &[(Power::FRANCE, &["PAR", "SPA", "POR", "BEL"])],
    );
    let sites: ProvinceSet = table.game.build_sites(Power::FRANCE);
    assert_eq!(table.names(sites), ["BEL", "PAR", "POR"]);
}

#[test]
fn rule_9_the_survivor_after_winter_1908_wins_and_several_share() {
    let end = |units: &[(Power, &[&str])], centres: &[(Power, &[&str])]| {
        let mut table = winter(DELUGE_II.variant(), 1908, units, centres);
        if table.game.stage() == Stage::Adjustments {
            table.adjust();
        }
        assert_eq!(table.game.phase().year, 1908);
        table.game.ending().cloned()
    };
    let swi: [(Power, &[&str]); 1] = [(Power::TURKEY, &["SWI"])];
    assert_eq!(end(&[(Power::TURKEY, &["A SWI"])], &swi), Some(Ending::Solo(Power::TURKEY)));
    // The others have no centre left and must remove what they have.
    assert_eq!(
        end(&[(Power::TURKEY, &["A SWI"]), (Power::ITALY, &["F ION"])], &swi),
        Some(Ending::Solo(Power::TURKEY))
    );
    assert_eq!(end(&[(Power::ITALY, &["F ION"])], &[]), Some(Ending::Draw(vec![])), "nobody wins");
    // The owner of Switzerland without a unit there is not a survivor unless it builds.
    assert_eq!(end(&[(Power::ITALY, &["F ION"])], &swi), Some(Ending::Draw(vec![])));
    // Where more land is left than the tables leave, several may survive, and share it.
    let centres: [(Power, &[&str]); 2] = [(Power::TURKEY, &["ANK"]), (Power::ITALY, &["ROM"])];
    let units: [(Power, &[&str]); 2] = [(Power::TURKEY, &["A ANK"]), (Power::ITALY, &["F ION"])];
    let mut dry = Table::set_in(DELUGE_II.variant(), "W1908A", &[], &units, &centres);
    dry.rest_of_season();
    assert_eq!(dry.game.ending().cloned(), Some(Ending::Draw(vec![Power::ITALY, Power::TURKEY])));
    // After 1907 play continues, whichever powers are left.
    let mut table = winter(DELUGE_II.variant(), 1907, &[(Power::TURKEY, &["A SWI"])], &swi);
    table.adjust();
    assert_eq!(table.game.ending(), None);
    assert_eq!(table.game.phase().to_string(), "S1908M");
    // If no power is left, the game ends there: army and centre are lost together.
    let mut table =
        winter(DELUGE_II.variant(), 1907, &[(Power::ITALY, &["A TYR"])], &[(Power::ITALY, &["MUN"])]);
    table.rest_of_season();
    assert_eq!(table.game.ending().cloned(), Some(Ending::Draw(vec![])));
    assert_eq!(table.game.phase().year, 1907);
}

/// If no power is left, every power is eliminated, even the owner of Switzerland, which has a centre but no unit.
#[test]
fn ruling_4_13_at_an_end_with_nobody_left_all_are_out() {
    let swi: [(Power, &[&str]); 1] = [(Power::TURKEY, &["SWI"])];
    let mut table = winter(DELUGE_II.variant(), 1908, &[(Power::ITALY, &["F ION"])], &swi);
    let row = table.recorded(Table::adjust);
    assert_eq!((row.end, row.draw_size, row.seats[Power::TURKEY].centres), (GameEnd::Deserted, 0, 1));
    for (power, seat) in row.seats.iter() {
        assert_eq!((seat.outcome, seat.is_out()), (SeatOutcome::Eliminated, true), "{power:?}");
        assert_eq!(seat.eliminated_year, Some(1908), "{power:?}");
    }
}

/// A power that had a unit there when the Winter began, even if it is removed in it, takes precedence over the
/// remembered one.
#[test]
fn ruling_6_5b_a_unit_that_is_removed_in_the_winter_was_the_last_occupant() {
    // Tyrolia is founded in 1902, within Austria's boundary. Italy has a unit too many.
    let units: [(Power, &[&str]); 2] = [(Power::ITALY, &["A ROM", "A TYR"]), (Power::AUSTRIA, &["A VIE"])];
    let centres: [(Power, &[&str]); 2] = [(Power::ITALY, &["ROM"]), (Power::AUSTRIA, &["VIE"])];
    let table = winter(DELUGE_II.variant(), 1902, &units, &centres);
    let owner = |remembered: Option<Power>, removed: &str| {
        let mut world = table.game.world().clone();
        world.last_occupant[table.id("TYR")] = remembered;
        let mut game = Game::resumed(DELUGE_II.variant(), 1950, world, table.game.phase());
        let mut answers = Answers::none(Powers::STANDARD);
        answers.adjustments[Power::ITALY] = vec![AdjustmentOrder::Remove { at: table.id(removed) }];
        game.settle(&mut Referee::new(), &answers, &mut Seeded { seed: 1, block: 0 }, &mut ());
        game.world().position.owner(table.id("TYR"))
    };
    for remembered in [None, Some(Power::AUSTRIA), Some(Power::TURKEY), Some(Power::ITALY)] {
        assert_eq!(owner(remembered, "TYR"), Some(Power::ITALY), "{remembered:?}: it was there");
        assert_eq!(owner(remembered, "ROM"), Some(Power::ITALY), "{remembered:?}: it is there");
    }
    // A game of some seasons remembers the same.
    let mut table =
        DELUGE_II.set("F1902M", &[], &[(Power::ITALY, &["A PIE"]), (Power::TURKEY, &["A VEN"])], &[]);
    table.season(&["A PIE - TYR"]);
    let owner = table.position().owner(table.id("TYR"));
    assert_eq!((owner, table.units(Power::ITALY)), (Some(Power::ITALY), vec![]));
}
