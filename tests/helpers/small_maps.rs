//! Small maps with degenerate shapes, written as lines `NAME kind NEIGHBOURS / NEIGHBOURS OF AN ISLAND …`.

use serde_json::{Map, Value, json};
use upheaval::topology::{NamedMap, atlas};

/// Two faces and one border without a corner.
pub const POND: &str = "AA land BB
BB sea AA";

/// Three faces that meet in two corners: every boundary a digon.
pub const MELON: &str = "AA land BB OUT
BB sea OUT AA
OUT outside AA BB";

/// An island with a lake with an island in it, an island of two provinces, a land face round a sea.
pub const NESTED: &str = "OUT outside RIM
RIM land OUT / SEA
SEA sea RIM / ISLE / EAST WEST
ISLE land SEA / LAKE
LAKE sea ISLE / CORE
CORE land LAKE
EAST land SEA WEST
WEST land EAST SEA";

/// A ring of four provinces between an inner sea and the Outside; digons like Iceland on two of their borders.
pub const RING: &str = "OUT outside WW NN EE QQ EE SS
NN land IN EE OUT WW
EE land SS OUT QQ OUT NN IN
SS land OUT EE IN WW
WW land SS IN PP IN NN OUT
IN sea SS EE NN WW PP WW
PP impassable IN WW
QQ sea OUT EE";

/// Islands in one sea, some of two provinces, one with a lake.
pub const ISLES: &str = "OUT outside SEA
SEA sea OUT / AA / BB / CC DD / EE FF / GG HH
AA land SEA
BB land SEA / LAKE
LAKE sea BB
CC land DD SEA
DD land SEA CC
EE land FF SEA
FF land SEA EE
GG land HH SEA
HH land SEA GG";

/// An ocean of hexagons, such as `C0307` in row 3 and column 7: rows of coast between every two rows of sea, joined at
/// the western edge.
pub fn ocean(rows: usize, columns: usize) -> String {
    let name = |row: usize, column: usize| format!("C{row:02}{column:02}");
    let at = |row: isize, column: isize| {
        let (row, column) = (usize::try_from(row).ok()?, usize::try_from(column).ok()?);
        (row < rows && column < columns).then(|| name(row, column))
    };
    let mut lines = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let (r, c) = (row as isize, column as isize);
            // Rows with an odd number lie half a hexagon further east.
            let west = c - 1 + r % 2;
            // Counter-clockwise from the north-east.
            let round =
                [(r - 1, west + 1), (r - 1, west), (r, c - 1), (r + 1, west), (r + 1, west + 1), (r, c + 1)];
            let round = round.map(|(row, column)| at(row, column).unwrap_or_else(|| "OUT".to_owned()));
            // The boundary with the Outside is a single stretch.
            let mut cycle: Vec<&str> = Vec::new();
            for (i, face) in round.iter().enumerate() {
                if face != "OUT" || round[(i + 5) % 6] != "OUT" {
                    cycle.push(face);
                }
            }
            let kind = if row % 3 == 2 && column > 0 { "land" } else { "sea" };
            lines.push(format!("{} {kind} {}", name(row, column), cycle.join(" ")));
        }
    }
    let north = (0..columns).map(|column| name(0, column));
    let east = (1..rows).map(|row| name(row, columns - 1));
    let south = (0..columns - 1).rev().map(|column| name(rows - 1, column));
    let west = (1..rows - 1).rev().map(|row| name(row, 0));
    let edge: Vec<String> = north.chain(east).chain(south).chain(west).collect();
    lines.push(format!("OUT outside {}", edge.join(" ")));
    lines.join("\n")
}

/// The chart of such lines.
pub fn chart(lines: &str) -> NamedMap {
    atlas::parse("small", &json(lines).to_string()).unwrap_or_else(|e| panic!("{lines}\n{e}"))
}

/// The map file of such lines: every province a supply centre, the centres on a spiral.
pub fn json(lines: &str) -> Value {
    let mut faces = Map::new();
    for (i, line) in lines.lines().enumerate() {
        let mut cycles = line.split('/').map(|cycle| cycle.split_whitespace().collect::<Vec<&str>>());
        let first = cycles.next().expect("a name and a kind");
        let (angle, radius) = (i as f64 * 2.4, 10.0 + i as f64);
        let outside = first[1] == "outside";
        let entered = ["land", "sea"].contains(&first[1]);
        faces.insert(
            first[0].to_owned(),
            json!({
                "name": first[0], "kind": first[1], "supply_centre": entered, "home": null,
                "neighbours_ccw": first[2..], "islands_ccw": cycles.collect::<Vec<_>>(),
                "centre": if outside { Value::Null } else { json!([radius * angle.cos(), radius * angle.sin()]) },
            }),
        );
    }
    json!({ "faces": faces })
}
