//! The army/fleet page, rule by rule, at the table.

mod table;

use std::path::Path;
use std::sync::Arc;

use table::Table;
use upheaval::game::Stage;
use upheaval::ids::Power;
use upheaval::ids::Power::{England, France};
use upheaval::rules::variant::Variant;

fn deluge() -> Arc<Variant> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("variants");
    Arc::new(Variant::find("deluge-ii.toml", &file).expect("sound").expect("there"))
}

fn at(units: &[(Power, &[&str])]) -> Table {
    Table::set_in(deluge(), "S1901M", &[], units, &[])
}

#[test]
fn rule_1_an_army_boards_a_fleet_of_its_own_power() {
    let mut table = at(&[(England, &["A LON", "F ENG"])]);
    table.move_all(&["A LON E F ENG"]);
    assert_eq!(table.units(England), ["A/F ENG"]);
}

#[test]
fn rule_4_board_sail_and_land_in_one_season() {
    let mut table = at(&[(England, &["A LON", "F ENG"])]);
    table.move_all(&["A LON E F ENG", "A/F ENG - MAO", "A MAO D POR"]);
    assert_eq!(table.units(England), ["A POR", "F MAO"]);
}

#[test]
fn rule_4_the_landing_is_void_if_the_fleet_does_not_get_there() {
    let mut table = at(&[(England, &["A LON", "F ENG"]), (France, &["F BRE"])]);
    table.move_all(&["A LON E F ENG", "A/F ENG - MAO", "A MAO D POR", "F BRE - MAO"]);
    assert_eq!(table.units(England), ["A/F ENG"]);
}

#[test]
fn rule_5_the_fast_ferry_leaves_the_army_aboard() {
    let mut table = at(&[(England, &["A LON", "F ENG"]), (France, &["A BRE"])]);
    table.move_all(&["A LON - BRE", "F ENG C A LON - BRE"]);
    assert_eq!(table.units(England), ["A/F ENG"]);
}

#[test]
fn rule_6_the_pair_retreats_to_a_sea() {
    let mut table = at(&[(England, &["A/F ENG"]), (France, &["F BRE", "F MAO"])]);
    table.move_all(&["F MAO - ENG", "F BRE S F MAO - ENG"]);
    assert_eq!(table.game.stage(), Stage::Retreats);
    assert_eq!(table.options(0), ["IRI", "NTH"]);
    table.retreat(&["A/F ENG R IRI"]);
    assert_eq!(table.units(England), ["A/F IRI"]);
}

#[test]
fn rule_3_the_army_of_a_dislodged_fleet_still_lands() {
    let mut table = at(&[(England, &["A/F ENG"]), (France, &["F BRE", "F MAO"])]);
    table.move_all(&["F MAO - ENG", "F BRE S F MAO - ENG", "A ENG D PIC"]);
    assert_eq!(table.units(England), ["A PIC"]);
    table.retreat(&["F ENG R IRI"]);
    assert_eq!(table.units(England), ["A PIC", "F IRI"]);
}

#[test]
fn an_army_becomes_a_fleet() {
    let mut table = at(&[(England, &["A LON"])]);
    table.move_all(&["A LON T F"]);
    assert_eq!(table.units(England), ["F LON"]);
}
