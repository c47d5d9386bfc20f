//! Retreats from a province that has just become a hole (rules.md 4.8): along its previous connections, to places on
//! the current map.

use crate::helpers::shipped::variant;
use crate::helpers::table::Table;
use upheaval::game::Stage;
use upheaval::ids::Power;

/// With Yorkshire a hole and London open, Wales has a coast on either side of London; if London is also a hole, they
/// are one.
#[test]
fn ruling_4_8_a_fleet_retreats_from_a_hole_to_a_coast_that_is_there_now() {
    let mut table = Table::set_in(
        variant("double-reversible"),
        "S1905M",
        &["collapse YOR"],
        &[(Power::ENGLAND, &["F LON"]), (Power::FRANCE, &["F ENG", "F NTH"])],
        &[],
    )
    .hole("S1905", "LON");
    assert_eq!(table.game.terrain().board().coasts(table.id("WAL")), 2);
    table.move_all(&["F ENG - LON", "F NTH S F ENG - LON"]);
    assert_eq!(table.game.terrain().board().coasts(table.id("WAL")), 1);
    assert_eq!(table.game.stage(), Stage::Retreats);
    // Edinburgh and Liverpool lie at the point of Yorkshire, where the North Sea reaches in.
    assert_eq!(table.options(0), ["EDI", "LVP/EC", "WAL"]);
    table.retreat(&["F LON R WAL"]);
    assert_eq!(table.units(Power::ENGLAND), ["F WAL"]);
    let wales = table.position().location(table.id("WAL")).unwrap();
    assert!(table.game.terrain().board().coasts(wales.province) > wales.coast.0);
}
