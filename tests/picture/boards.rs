//! The picture of a board: no two borders cross and every name is inside its face, whatever the map; Europe is
//! recognised; a hole is a point; positions change little from board to board; the output is valid and the same every
//! time.
//!
//! `UPHEAVAL_SLOW_TESTS=1` tries all random sequences, a larger number this many times as many.

use crate::helpers::charts::{after, apply, face};
use crate::helpers::drawn_events::draw_event;
use crate::helpers::small_maps;
use crate::picture::drawn_soundly::{
    SHIPPED, area_of, crossings, full_style, of_class, shipped, sound, texts,
};
use crate::picture::measure::value;
use testkit::{amount, tries_all};
use upheaval::ids::{ByProvince, CoastId, Location, ProvinceId, UnitKind};
use upheaval::picture::palette::Colour;
use upheaval::picture::{Heat, Layout, Point, Stand, Style, geometry, svg};
use upheaval::rng::{Purpose, Stream};
use upheaval::topology::report::MapReport;
use upheaval::topology::{Face, FaceKind, NamedMap, atlas, derive};

// ---- soundness ----

#[test]
fn the_checker_finds_lines_that_cross() {
    let line = |points: &[(f64, f64)]| {
        ("line".to_owned(), points.iter().map(|&(x, y)| Point::new(x, y)).collect::<Vec<Point>>())
    };
    let long = line(&[(0.0, 0.0), (5.0, 0.0), (10.0, 0.0)]);
    assert_eq!(
        crossings(&[long.clone(), line(&[(0.0, 0.0), (1.0, 4.0), (10.0, 0.0)])]),
        Vec::<String>::new()
    );
    assert_eq!(crossings(&[long.clone(), line(&[(1.0, 4.0), (2.0, -4.0)])]).len(), 1);
    assert_eq!(crossings(&[long, line(&[(0.0, 0.0), (3.0, 1.0), (8.0, -1.0)])]).len(), 1);
    assert_eq!(crossings(&[line(&[(0.0, 0.0), (4.0, 4.0), (4.0, 0.0), (0.0, 4.0)])]).len(), 1);
}

#[test]
fn shipped_boards_are_drawn_soundly() {
    for (name, chart, layout) in SHIPPED.iter() {
        sound(layout, chart, name);
    }
}

/// Random surgery: each drawing follows the one before, and the last is also made by itself.
fn walks(start: &NamedMap, map: u64, sequences: u64, steps: usize) -> u64 {
    let first = Layout::of(start);
    sound(&first, start, &"the first");
    let mut drawn = 0;
    for sequence in 0..sequences {
        let mut random = Stream::keyed(2027, Purpose::Bot, &[map, sequence]);
        let (mut chart, mut layout, mut done) = (start.clone(), first.clone(), Vec::new());
        for _ in 0..steps {
            let event = draw_event(&MapReport::new(&chart, &derive(chart.map())), &mut random);
            let mut changed = chart.clone();
            if apply(&mut changed, &event).is_err() {
                continue;
            }
            chart = changed;
            done.push(event);
            layout = layout.next(&chart);
            sound(&layout, &chart, &done);
            drawn += 1;
        }
        sound(&Layout::of(&chart), &chart, &(&done, "by itself"));
    }
    drawn
}

/// The steps of random surgery on a large board.
fn long() -> usize {
    if tries_all() { 25 } else { 8 }
}

#[test]
fn random_surgery_on_the_standard_board_is_drawn_soundly() {
    let drawn = walks(&atlas::standard(), 0, amount(1, 5), long());
    assert!(drawn > amount(0, 30), "{drawn}");
}

#[test]
fn random_surgery_on_the_deluge_board_is_drawn_soundly() {
    let drawn = walks(&atlas::find("deluge").unwrap(), 1, amount(1, 2), long());
    assert!(drawn > amount(0, 10), "{drawn}");
}

#[test]
fn random_surgery_on_small_maps_is_drawn_soundly() {
    let maps = [small_maps::POND, small_maps::MELON, small_maps::NESTED, small_maps::RING];
    for (number, lines) in maps.into_iter().enumerate() {
        walks(&small_maps::chart(lines), 10 + number as u64, amount(1, 6), 12);
    }
}

#[test]
fn several_changes_at_once_are_drawn_soundly() {
    let chart = after(&[
        "collapse MAR",
        "collapse BUR",
        "split SPA MAO#1 MAR",
        "separate VIE TRI connect TYR BUD",
        "submerge LON",
        "void SER",
    ]);
    sound(&shipped("standard").next(&chart), &chart, &"at once");
}

// ---- Europe ----

#[test]
fn the_standard_board_is_europe() {
    let (chart, layout) = (atlas::standard(), shipped("standard"));
    let map = chart.map();
    let places: Vec<([f64; 2], Point, ProvinceId)> = map
        .faces()
        .filter_map(|(id, _)| Some((chart.info(id)?.position?, layout.spot(id)?.middle, id)))
        .collect();
    let (mut agree, mut pairs) = (0, 0);
    for (i, &(from, from_drawn, a)) in places.iter().enumerate() {
        for &(to, to_drawn, b) in &places[i + 1..] {
            if map.stretches(a, b).is_empty() {
                continue;
            }
            // The axis along which the two are farther apart.
            let east = (to[0] - from[0]).abs() > (to[1] - from[1]).abs();
            let (geographic, drawn) = if east {
                (to[0] - from[0], to_drawn.x - from_drawn.x)
            } else {
                (to[1] - from[1], to_drawn.y - from_drawn.y)
            };
            pairs += 1;
            agree += usize::from(geographic * drawn > 0.0);
        }
    }
    assert!(pairs > 190, "{pairs}");
    assert!(agree * 100 > pairs * 97, "{agree} of {pairs} neighbours are placed as in Europe");
    let correlation = |axis: usize| {
        let of = |p: &([f64; 2], Point, ProvinceId)| (p.0[axis], if axis == 0 { p.1.x } else { p.1.y });
        let n = places.len() as f64;
        let mean = |f: &dyn Fn((f64, f64)) -> f64| places.iter().map(|p| f(of(p))).sum::<f64>() / n;
        let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
        let product = mean(&|p| (p.0 - x) * (p.1 - y));
        product / (mean(&|p| (p.0 - x) * (p.0 - x)) * mean(&|p| (p.1 - y) * (p.1 - y))).sqrt()
    };
    assert!(correlation(0) > 0.98 && correlation(1) > 0.98, "{} {}", correlation(0), correlation(1));
}

#[test]
fn every_name_of_a_board_that_ships_has_room() {
    for (name, chart, layout) in SHIPPED.iter() {
        // Points have no names.
        let is_named = |face: &Face<'_>| face.kind() != FaceKind::Point;
        let faces = chart.map().faces().filter(|(_, face)| is_named(face));
        for (id, face) in faces.filter(|&(id, _)| id != layout.beyond()) {
            let spot = layout.spot(id).unwrap();
            // One province of the modern board is so small that its name is on a plate.
            let shape = match spot.plate {
                Some(plate) => {
                    assert_eq!(*name, "modern", "{} is on a plate", face.name());
                    let (low, high) = (plate.low(), plate.high());
                    vec![vec![low, Point::new(high.x, low.y), high, Point::new(low.x, high.y)]]
                }
                None => layout.shape(id),
            };
            assert!(spot.letters > 8.0, "{}: letters of {}", face.name(), spot.letters);
            let wide = spot.letters * 0.62 * face.name().len() as f64 / 2.0;
            for (right, up) in [(-1.0, -0.4), (1.0, -0.4), (-1.0, 0.4), (1.0, 0.4)] {
                let corner = spot.label + Point::new(right * wide, up * spot.letters);
                assert!(geometry::contains(&shape, corner), "{name}: {} runs over its border", face.name());
            }
            assert!(geometry::contains(&shape, spot.unit) && geometry::contains(&shape, spot.centre));
        }
    }
}

// ---- holes ----

#[test]
fn holes_are_points_at_which_their_neighbours_meet() {
    let start = shipped("standard");
    for (events, group, scars, share, reach) in [
        (&["collapse MAR"][..], &["MAR"][..], 1, 0.02, 5.0),
        // Side by side they are one point.
        (&["collapse MAR", "collapse BUR", "collapse WAR"], &["MAR", "BUR"], 2, 0.05, 12.0),
    ] {
        let chart = after(events);
        let layout = start.next(&chart);
        assert_eq!(layout.scars().len(), scars);
        assert!(layout.scars()[1..].iter().all(|scar| scar.distance(layout.scars()[0]) > 100.0));
        let group: Vec<ProvinceId> = group.iter().map(|name| face(&chart, name)).collect();
        for &hole in &group {
            let part = area_of(&layout, hole) / area_of(start, hole);
            assert!(part < share, "{events:?}: {part} of {}", chart.map().name(hole));
            for side in chart.map().sides_of(hole).filter(|&side| !group.contains(&chart.map().across(side)))
            {
                let near = layout.curve(side).into_iter().map(|p| p.distance(layout.scars()[0]));
                let near = near.fold(f64::INFINITY, f64::min);
                assert!(near < reach, "{} is {near} away", chart.map().name(chart.map().across(side)));
            }
        }
    }
}

#[test]
fn what_comes_back_is_where_it_was() {
    let first = shipped("standard");
    let holed = first.next(&after(&["collapse MAR"]));
    let back = holed.next(&after(&["collapse MAR", "restore MAR"]));
    let chart = atlas::standard();
    let style = Style::default();
    assert_eq!(svg::board(first, &chart, &style), svg::board(&back, &chart, &style));
    assert_ne!(svg::board(first, &chart, &style), svg::board(&holed, &after(&["collapse MAR"]), &style));
}

// ---- stability ----

/// How far the common corners of two drawings have moved: the mean, and how many moved more than one unit.
fn movement(before: &Layout, old: &NamedMap, after: &Layout, new: &NamedMap) -> (f64, usize) {
    let (mut moved, mut sum, mut n) = (0, 0.0, 0);
    for side in new.map().borders().flat_map(|border| border.sides()) {
        let kept = old.map().borders().any(|border| border == side.border());
        if !kept
            || old.map().owner(side) != new.map().owner(side)
            || old.map().across(side) != new.map().across(side)
        {
            continue;
        }
        let [a, b] = [before, after].map(|layout| layout.line(side)[0]);
        sum += a.distance(b);
        n += 1;
        moved += usize::from(a.distance(b) > 1.0);
    }
    (sum / n as f64, moved)
}

#[test]
fn from_board_to_board_little_moves() {
    let (old, before) = (atlas::standard(), shipped("standard"));
    // The board is 1000 wide. Six corners of Marseilles are contracted; everything else stays.
    for (event, mean, corners) in [
        ("collapse MAR", 2.0, 18),
        ("void BUR", 0.0, 0),
        ("submerge LON", 0.0, 0),
        ("split BUR PAR MUN", 1.0, 12),
        ("separate VIE TRI connect TYR BUD", 1.0, 18),
        ("separate POR SPA connect MAO MAO", 1.0, 18),
    ] {
        let new = after(&[event]);
        let (moved, many) = movement(before, &old, &before.next(&new), &new);
        assert!(moved <= mean, "{event}: {moved} in the mean");
        assert!(many <= corners, "{event}: {many} ends of borders");
    }
}

#[test]
fn what_is_not_touched_is_drawn_to_the_letter() {
    let (old, before) = (atlas::standard(), shipped("standard"));
    let new = after(&["separate VIE TRI connect TYR BUD"]);
    let next = before.next(&new);
    for name in ["STP", "NAO", "SPA", "EAS", "SYR", "LON", "SWE"] {
        assert_eq!(before.shape(face(&old, name)), next.shape(face(&new, name)), "{name}");
        assert_eq!(before.spot(face(&old, name)), next.spot(face(&new, name)), "{name}");
    }
}

// ---- what is written ----

#[test]
fn a_picture_is_sound_markup_and_stands_alone() {
    let chart = after(&["collapse MAR", "void SER", "separate POR SPA connect MAO MAO"]);
    let layout = Layout::of(&chart);
    let svg = svg::board(&layout, &chart, &full_style(&chart));
    texts(&svg, "a board");
    for (_, face) in chart.map().faces().filter(|&(id, _)| id != layout.beyond()) {
        assert!(svg.contains(&format!("id=\"board-{}\"", face.name())), "{}", face.name());
    }
    for said in [
        "<title id=\"board-title\">War &amp; &lt;peace&gt;</title>",
        "Paris (PAR), a supply centre, home of France, owned by France</title>",
        "Marseilles (MAR), a hole",
        "Serbia (SER), a void",
        "<title>Hole: MAR</title>",
        "<title>Canal through KIE</title>",
        "<title>Strait between DEN and SWE</title>",
        "<title>Army of Austria in VIE, dislodged</title>",
        "<title>Fleet of England in EDI</title>",
        "data-coast=\"NC\"",
        "url(#board-void)",
        "url(#board-impassable)",
        "class=\"legend\"",
    ] {
        assert!(svg.contains(said), "{said}");
    }
}

#[test]
fn a_bare_board_explains_the_marks_that_are_on_it() {
    let drawn = |chart: &NamedMap| svg::board(&Layout::of(chart), chart, &Style::default());
    let words =
        |svg: &str| ["Hole", "Void", "Impassable"].map(|word| svg.contains(&format!(">{word}</text>")));
    assert_eq!(words(&drawn(&atlas::standard())), [false, false, true], "Switzerland is there");
    let broken = drawn(&after(&["void SER", "collapse WAR"]));
    assert_eq!((words(&broken), of_class(&broken, "legend").len()), ([true; 3], 1));
}

#[test]
fn the_same_board_is_the_same_bytes() {
    let events = ["separate VIE TRI connect TYR BUD", "split BUR PAR MUN", "collapse WAR"];
    let draw = || {
        let mut layout = Layout::of(&atlas::standard());
        for n in 1..=events.len() {
            layout = layout.next(&after(&events[..n]));
        }
        let chart = after(&events);
        svg::board(&layout, &chart, &full_style(&chart))
    };
    let svg = draw();
    assert_eq!(svg, draw());
    assert!(["NaN", "inf", "-0.0"].iter().all(|wrong| !svg.contains(wrong)));
}

#[test]
fn a_heat_map_has_its_values_and_a_legend() {
    let chart = atlas::standard();
    let mut values = ByProvince::filled(None);
    values[face(&chart, "PAR")] = Some(12.0);
    values[face(&chart, "MUN")] = Some(0.0);
    let colour = Colour(0xd5, 0x5e, 0x00);
    let heat = Heat { title: "Holes".to_owned(), values, most: 12.0, digits: 1, unit: "%", colour };
    let style = Style { heat: Some(heat), prefix: "heat-1".to_owned(), ..Style::default() };
    let svg = svg::board(shipped("standard"), &chart, &style);
    let texts = texts(&svg, "a heat map");
    for (name, fill, title) in [
        ("PAR", "#d55e00", "Paris (PAR), a supply centre, home of France: 12.0%"),
        ("MUN", "#fffdf7", "Munich (MUN), a supply centre, home of Germany: 0.0%"),
        ("BUR", "#f6ecd2", "Burgundy (BUR)"),
    ] {
        let id = format!("heat-1-{name}");
        let path = svg.lines().find(|line| value(line, "id") == Some(&id)).unwrap();
        assert_eq!(value(path, "fill"), Some(fill), "{name}");
        assert!(texts.contains(&title.to_owned()), "{title}");
    }
    for legend in ["Holes", "0.0%", "12.0%"] {
        assert!(texts.contains(&legend.to_owned()), "{legend}");
    }
}

#[test]
fn a_fleet_stands_at_its_coast() {
    let chart = atlas::standard();
    let (layout, board) = (shipped("standard"), derive(chart.map()));
    for name in ["SPA", "STP", "BUL"] {
        let province = face(&chart, name);
        let shape = layout.shape(province);
        let at: Vec<Point> = board
            .stations_of(province)
            .map(|at| {
                let coast = layout.coast(&board, at).unwrap();
                assert!(geometry::contains(&shape, coast.label), "{name}");
                assert_eq!(layout.unit(&board, Stand::firm(UnitKind::Fleet, at)), Some(coast.unit));
                coast.unit
            })
            .collect();
        assert_eq!(at.len(), 2);
        assert!(at[0].distance(at[1]) > 25.0, "{name}: {}", at[0].distance(at[1]));
        let army = layout.unit(&board, Stand::firm(UnitKind::Army, province.into()));
        assert_eq!(army, layout.spot(province).map(|spot| spot.unit));
    }
    let one = Location { province: face(&chart, "BRE"), coast: CoastId::FIRST };
    assert_eq!(layout.coast(&board, one), None);
}
