//! Boards as designers begin them: an island in a sea, islands, lakes, two continents, a ring of 3 to 30 faces. Their
//! centres decide where everything is, every province has room, and a board in a mirror gives the picture in a mirror.
//!
//! `designed_boards.txt` has the boards, as lines of [`small_maps`] with the centre of each face behind an `@`, in
//! units of half the width and a third of a row of hexagonal cells: they were drawn once at random from groups of such
//! cells.
//! `designed.svg` keeps the pictures on one sheet. If they are meant to differ now, look at them, and write them again
//! with `UPDATE_EXPECT=1 cargo test --test all picture::designed`.

use std::fmt::Write as _;

use crate::helpers::{charts::face, small_maps};
use crate::picture::drawn_soundly::{area_of, sound};
use crate::picture::measure::{Kind, Legibility};
use expect_test::expect_file;
use serde_json::{Value, json};
use testkit::{thinned, tries_all};
use upheaval::ids::ProvinceId;
use upheaval::picture::{Layout, Point, Style, geometry, svg};
use upheaval::topology::{FaceKind, NamedMap, atlas};

/// The least area of a province, relative to an even share of the board.
const LEAST_SHARE: f64 = 0.06;
/// The least letters of a name.
const LEAST_LETTERS: f64 = 8.0;
/// The number of centres outside of their faces, of 751 on all boards: provinces between several others whose
/// borders would cross.
const MISPLACED: usize = 4;
/// How far a province is from its place in the mirror: the mean of a board, for a board 1000 long.
const MIRRORED: f64 = 8.0;
/// The number of boards on which the two pictures differ by more.
const TURNED: usize = 8;

/// The boards: what each is, and its map file.
fn boards() -> impl Iterator<Item = (&'static str, Value)> {
    include_str!("designed_boards.txt").split("\n\n").map(|board| {
        let (what, lines) = board.split_once('\n').expect("a heading");
        let lines: Vec<&str> = lines.lines().collect();
        let faces: Vec<&str> = lines.iter().map(|line| line.split(" @ ").next().unwrap()).collect();
        let mut file = small_maps::json(&faces.join("\n"));
        for line in lines {
            let words: Vec<&str> = line.split(' ').collect();
            let face = &mut file["faces"][words[0]];
            face["supply_centre"] = json!(words[1] == "land");
            if let [.., "@", x, y] = words[..] {
                face["centre"] = json!([x.parse::<f64>().unwrap() * 1.732_050_8, y.parse::<f64>().unwrap()]);
            }
        }
        (what, file)
    })
}

/// The same board in a mirror: west is east.
fn mirrored(board: &Value) -> Value {
    let mut board = board.clone();
    for face in board["faces"].as_object_mut().unwrap().values_mut() {
        face["neighbours_ccw"].as_array_mut().unwrap().reverse();
        for island in face["islands_ccw"].as_array_mut().unwrap() {
            island.as_array_mut().unwrap().reverse();
        }
        if let Some(x) = face["centre"].get_mut(0) {
            *x = json!(-x.as_f64().unwrap());
        }
    }
    board
}

fn chart(file: &Value) -> NamedMap {
    atlas::parse("designed", &file.to_string()).unwrap_or_else(|e| panic!("{file}\n{e}"))
}

fn provinces(chart: &NamedMap, layout: &Layout) -> Vec<ProvinceId> {
    chart.map().faces().map(|(id, _)| id).filter(|&id| id != layout.beyond()).collect()
}

/// The centres that are outside of their faces.
fn misplaced(chart: &NamedMap, layout: &Layout) -> Vec<String> {
    let is_outside = |&id: &ProvinceId| {
        layout.home(chart, id).is_some_and(|home| !geometry::contains(&layout.shape(id), home))
    };
    let ids = provinces(chart, layout).into_iter().filter(is_outside);
    ids.map(|id| chart.map().name(id).to_owned()).collect()
}

/// Borders do not cross, the board fills its canvas, and every province has its share of it and a name.
fn assert_fair(chart: &NamedMap, layout: &Layout, what: &str) {
    sound(layout, chart, &what);
    let ids = provinces(chart, layout);
    let whole: f64 = ids.iter().map(|&id| area_of(layout, id)).sum();
    assert!(whole > 0.98 * layout.width() * layout.height(), "{what}: {whole}");
    for &id in &ids {
        let share = area_of(layout, id) * ids.len() as f64 / whole;
        assert!(share >= LEAST_SHARE, "{what}: {} has {share} of an even share", chart.map().name(id));
    }
    let svg = svg::board(layout, chart, &Style::default());
    let mut seen = Legibility::default();
    seen.add(what, &svg.lines().collect::<Vec<_>>());
    assert!(seen.letters[&Kind::Name] >= LEAST_LETTERS, "{what}: {:?}", seen.smallest);
    assert!(
        seen.covered.is_empty() && seen.nameless.is_empty(),
        "{what}: {:?} {:?}",
        seen.covered,
        seen.nameless
    );
}

#[test]
fn fifty_boards_have_room_for_every_province_and_centres_in_their_faces() {
    let (mut outside, mut all) = (Vec::new(), 0);
    for (what, file) in thinned(boards(), 8) {
        let chart = chart(&file);
        let layout = Layout::of(&chart);
        assert_fair(&chart, &layout, what);
        all += provinces(&chart, &layout).len();
        outside.extend(misplaced(&chart, &layout).into_iter().map(|name| format!("{what}: {name}")));
    }
    let (least, most) = if tries_all() { (700, MISPLACED) } else { (80, 1) };
    assert!(all > least && outside.len() <= most, "{} of {all}: {outside:#?}", outside.len());
}

#[test]
fn a_board_in_a_mirror_gives_the_picture_in_a_mirror() {
    let mut turned = Vec::new();
    for (what, file) in thinned(boards(), 8) {
        let [here, there] = [chart(&file), chart(&mirrored(&file))];
        let [layout, twin] = [&here, &there].map(Layout::of);
        let outer = |layout: &Layout, id: ProvinceId| {
            let shape = layout.shape(id);
            let round = shape.iter().max_by(|a, b| geometry::area(a).total_cmp(&geometry::area(b))).unwrap();
            geometry::centroid(round)
        };
        let ids = provinces(&here, &layout);
        let far: f64 = ids
            .iter()
            .map(|&id| {
                let there = outer(&twin, face(&there, here.map().name(id)));
                outer(&layout, id).distance(Point::new(twin.width() - there.x, there.y))
            })
            .sum();
        let mean = far / ids.len() as f64;
        if mean > MIRRORED {
            turned.push(format!("{what}: {mean}"));
        }
    }
    assert!(turned.len() <= if tries_all() { TURNED } else { 1 }, "{turned:#?}");
}

/// The boards with these faces, each `NAME kind X Y NEIGHBOURS / ISLAND`.
fn with_centres(lines: &str, centres: &[(&str, [f64; 2])]) -> NamedMap {
    let mut file = small_maps::json(lines);
    for (name, centre) in centres {
        file["faces"][name]["centre"] = json!(centre);
    }
    chart(&file)
}

#[test]
fn an_island_in_a_sea_is_in_the_middle_of_it() {
    let isle = with_centres(
        "OUT outside SEA\nSEA sea OUT / ISLE\nISLE land SEA",
        &[("ISLE", [50.0, 50.0]), ("SEA", [50.0, 90.0])],
    );
    let layout = Layout::of(&isle);
    assert_fair(&isle, &layout, "an island");
    assert_eq!(misplaced(&isle, &layout), Vec::<String>::new());
}

#[test]
fn two_seas_divide_the_board_as_their_centres_say() {
    for (north, south, upright) in [([50.0, 90.0], [50.0, 10.0], true), ([10.0, 50.0], [90.0, 50.0], false)] {
        let (west, east) = if upright { ([40.0, 50.0], [60.0, 50.0]) } else { ([50.0, 40.0], [50.0, 60.0]) };
        let board = with_centres(
            "OUT outside NS SS\nWA land NS SS EA\nEA land SS NS WA\nNS sea OUT SS WA EA SS\nSS sea OUT NS EA WA NS",
            &[("NS", north), ("SS", south), ("WA", west), ("EA", east)],
        );
        let layout = Layout::of(&board);
        assert_fair(&board, &layout, "two seas");
        assert_eq!(misplaced(&board, &layout), Vec::<String>::new());
        let [a, b] = ["NS", "SS"].map(|name| layout.spot(face(&board, name)).unwrap().middle);
        let (across, along) = ((a.x - b.x).abs(), (a.y - b.y).abs());
        assert!((along > across) == upright, "{a:?} {b:?}");
    }
}

const SIZE: f64 = 200.0;

/// Outlines on one sheet, ten boards in a row.
fn sheet() -> String {
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" stroke=\"#262a33\" stroke-width=\"0.3\">\n",
        SIZE * 10.0,
        SIZE * 5.0
    );
    boards().enumerate().for_each(|(number, (_, file))| text += &on_sheet(number, &file));
    text + "</svg>\n"
}

/// The part of the sheet that is a board.
fn on_sheet(number: usize, file: &Value) -> String {
    let chart = chart(file);
    let layout = Layout::of(&chart);
    let (left, top) = ((number % 10) as f64 * SIZE + 2.0, (number / 10) as f64 * SIZE + 2.0);
    let mut text = format!("<g id=\"board-{number}\">\n");
    for id in provinces(&chart, &layout) {
        let fill = if chart.map().face(id).unwrap().kind() == FaceKind::Sea { "#c6dcf0" } else { "#f6ecd2" };
        let mut data = String::new();
        for cycle in layout.outline(id) {
            for (i, p) in cycle.iter().enumerate() {
                let (x, y) = (left + p.x * 0.195, top + (layout.height() - p.y) * 0.195);
                let _ = write!(data, "{}{x:.0} {y:.0}", if i == 0 { "M" } else { "L" });
            }
            data.push('Z');
        }
        let _ = writeln!(text, "<path fill=\"{fill}\" fill-rule=\"evenodd\" d=\"{data}\"/>");
    }
    text + "</g>\n"
}

#[test]
fn the_pictures_of_the_fifty_boards_are_as_they_were() {
    if !tries_all() && !testkit::updates() {
        let kept = testkit::read("tests/picture/designed.svg");
        for (number, (what, file)) in thinned(boards().enumerate(), 4) {
            assert!(kept.contains(&on_sheet(number, &file)), "{what}: another picture");
        }
        return;
    }
    expect_file![testkit::path("tests/picture/designed.svg")].assert_eq(&sheet());
}
