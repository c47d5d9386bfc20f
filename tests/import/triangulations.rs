//! Any planar board comes back from its adjacencies.

use proptest::prelude::*;
use upheaval::ids::PowerEntry;
use upheaval::topology::{FaceEntry, FaceKind, MapFile, atlas};

use super::export::listing;
use super::{differences, imported};

/// A triangulation of the sphere: neighbours of each node, counter-clockwise. Each number puts a node into a triangle
/// or turns an edge round.
fn triangulation(choices: &[(u16, bool)]) -> Vec<Vec<usize>> {
    let mut around: Vec<Vec<usize>> = vec![vec![1, 2, 3], vec![0, 3, 2], vec![0, 1, 3], vec![0, 2, 1]];
    for &(choice, grows) in choices {
        let edges: Vec<(usize, usize)> = (0..around.len())
            .flat_map(|a| around[a].iter().map(move |&b| (a, b)).collect::<Vec<_>>())
            .collect();
        let (a, b) = edges[usize::from(choice) % edges.len()];
        let at = |around: &Vec<Vec<usize>>, x: usize, y: usize| {
            around[x].iter().position(|&n| n == y).expect("adjacent")
        };
        let after = |around: &Vec<Vec<usize>>, x: usize, y: usize| {
            around[x][(at(around, x, y) + 1) % around[x].len()]
        };
        let c = after(&around, a, b);
        if grows {
            let new = around.len();
            for (x, y) in [(a, b), (b, c), (c, a)] {
                let place = at(&around, x, y);
                around[x].insert(place + 1, new);
            }
            around.push(vec![a, b, c]);
        } else {
            let d = after(&around, b, a);
            if c == d || around[c].contains(&d) || around[a].len() < 4 || around[b].len() < 4 {
                continue;
            }
            let (x, y) = (at(&around, a, b), at(&around, b, a));
            around[a].remove(x);
            around[b].remove(y);
            let (x, y) = (at(&around, c, a), at(&around, d, b));
            around[c].insert(x + 1, d);
            around[d].insert(y + 1, c);
        }
    }
    around
}

fn board(around: &[Vec<usize>], seas: &[bool]) -> MapFile {
    let code = |i: usize| format!("N{i}");
    let mut file = MapFile::default();
    for (i, neighbours) in around.iter().enumerate() {
        // The first two are homes, which are on land.
        let kind = if i >= 2 && seas[i % seas.len()] { FaceKind::Sea } else { FaceKind::Land };
        let entry = FaceEntry {
            supply_centre: i < 2,
            home: ["RED", "BLUE"].get(i).map(|name| (*name).to_owned()),
            neighbours_ccw: Some(neighbours.iter().map(|&n| code(n)).collect()),
            // Coasts are named by where they look.
            centre: Some([(i * 37 % 101) as f64, (i * 61 % 97) as f64]),
            ..FaceEntry::new(code(i), kind)
        };
        file.faces.insert(code(i), entry);
    }
    let power = |name: &str| PowerEntry {
        name: name.to_owned(),
        proper_name: None,
        adjective: None,
        mark: None,
        colour: None,
    };
    file.powers = Some(vec![power("RED"), power("BLUE")]);
    file
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if testkit::tries_all() { 48 } else { 8 }, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn a_triangulation_comes_back_with_every_move(
        choices in prop::collection::vec((any::<u16>(), prop::bool::weighted(0.6)), 2..40),
        seas in prop::collection::vec(any::<bool>(), 7),
    ) {
        let file = board(&triangulation(&choices), &seas);
        let chart = atlas::chart_of("drawn", file).expect("a sound board");
        let text = listing(&chart);
        let back = imported("drawn.map", &text, "outside = []");
        let back = match back {
            Ok(back) => back,
            Err(error) => return Err(TestCaseError::fail(format!("{error}\n{text}"))),
        };
        prop_assert_eq!(differences(&back), [""; 0], "{}", text);
    }
}
