//! The effect of an event on a board, frame by frame: a half-way drawing is as valid as the two boards, and a strip
//! shows the changed part and leaves out the rest.

use crate::helpers::charts::{after, apply, face};
use crate::helpers::drawn_events::draw_event;
use crate::picture::drawn_soundly::{area_of, shipped, sound, texts};
use testkit::{thinned, tries_all};
use upheaval::picture::{Layout, Style, View, strip};
use upheaval::rng::{Purpose, Stream};
use upheaval::topology::report::MapReport;
use upheaval::topology::{FaceState, MapEvent, NamedMap, atlas, derive};

/// The boards before and after the last of these events, each with its drawing.
fn last(events: &[&str]) -> ([(Layout, NamedMap); 2], MapEvent) {
    let before = after(&events[..events.len() - 1]);
    let chart = after(events);
    let layout = shipped("standard").next(&before);
    let next = layout.next(&chart);
    ([(layout, before), (next, chart)], events[events.len() - 1].parse().unwrap())
}

fn halfway(events: &[&str]) -> Option<(Layout, NamedMap)> {
    let ([before, after], event) = last(events);
    let halfway = Layout::halfway((&before.0, &before.1), (&after.0, &after.1), &event);
    halfway.map(|(layout, chart)| (layout, chart.clone()))
}

fn strip_of(events: &[&str]) -> String {
    let ([before, after], event) = last(events);
    strip::of_event((&before.0, &before.1), (&after.0, &after.1), &event, &Style::default())
}

// ---- half-way ----

#[test]
fn half_way_a_hole_is_half_as_wide_as_the_province() {
    let (old, open) = (atlas::standard(), shipped("standard"));
    for (id, it) in thinned(old.map().faces().filter(|&(id, _)| id != open.beyond()), 18) {
        let event = format!("collapse {}", it.name());
        let (layout, chart) = halfway(&[&event]).unwrap();
        sound(&layout, &chart, &event);
        let part = area_of(&layout, id) / area_of(open, id);
        assert!((0.2..0.45).contains(&part), "{event}: {part} of the area");
    }
}

#[test]
fn half_way_a_province_that_comes_back_is_half_as_wide() {
    let (layout, chart) = halfway(&["collapse MAR", "restore MAR"]).unwrap();
    sound(&layout, &chart, &"restore");
    let id = face(&chart, "MAR");
    assert_eq!(chart.map().face(id).unwrap().state(), FaceState::Open);
    let part = area_of(&layout, id) / area_of(&Layout::of(&chart), id);
    assert!((0.2..0.45).contains(&part), "{part}");
}

#[test]
fn half_way_four_faces_meet_at_a_point() {
    for (event, faces) in [
        ("separate VIE TRI connect TYR BUD", ["VIE", "TRI", "TYR", "BUD"]),
        ("separate BUR MUN connect RUH SWI", ["BUR", "MUN", "RUH", "SWI"]),
    ] {
        let (layout, chart) = halfway(&[event]).unwrap();
        sound(&layout, &chart, &event);
        let [a, b] = [faces[0], faces[1]].map(|name| face(&chart, name));
        let border = chart.map().sides_of(a).find(|&side| chart.map().across(side) == b).unwrap();
        let point = layout.line(border)[2];
        for name in faces {
            let shape = layout.shape(face(&chart, name));
            let near = shape.iter().flatten().map(|p| p.distance(point)).fold(f64::INFINITY, f64::min);
            assert!(near < 4.0, "{event}: {name} is {near} away");
        }
    }
}

#[test]
fn half_way_to_an_island_and_back_it_touches_in_a_point() {
    let away = ["separate POR SPA connect MAO MAO"];
    let back = [away[0], "connect POR BRE through MAO"];
    for (events, names) in [(&away[..], ["POR", "SPA"]), (&back, ["POR", "BRE"])] {
        let (layout, chart) = halfway(events).unwrap();
        sound(&layout, &chart, &events);
        let [a, b] = names.map(|name| face(&chart, name));
        let border = chart.map().sides_of(a).find(|&side| chart.map().across(side) == b).unwrap();
        let line = layout.line(border);
        let long: f64 = line.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        assert!(long < 6.0, "{names:?}: {long}");
    }
}

#[test]
fn what_has_no_way_has_no_half_of_it() {
    for events in [
        &["void BUR"][..],
        &["void BUR", "restore BUR"],
        &["submerge LON"],
        &["open SWI"],
        &["split BUR PAR MUN"],
    ] {
        assert!(halfway(events).is_none(), "{events:?}");
        assert_eq!(strip_of(events).matches("class=\"upheaval-board\"").count(), 2, "{events:?}");
    }
}

#[test]
fn half_way_is_sound_after_any_surgery() {
    let mut looked_at = 0;
    for sequence in thinned(0..3, 3) {
        let mut random = Stream::keyed(2031, Purpose::Bot, &[sequence]);
        let mut chart = atlas::standard();
        let (mut layout, mut done) = (shipped("standard").clone(), Vec::new());
        for _ in 0..if tries_all() { 25 } else { 12 } {
            let text = draw_event(&MapReport::new(&chart, &derive(chart.map())), &mut random);
            let mut changed = chart.clone();
            if apply(&mut changed, &text).is_err() {
                continue;
            }
            let next = layout.next(&changed);
            let event: MapEvent = text.parse().unwrap();
            done.push(text);
            if let Some((between, shown)) = Layout::halfway((&layout, &chart), (&next, &changed), &event) {
                sound(&between, shown, &done);
                looked_at += 1;
            }
            (chart, layout) = (changed, next);
        }
    }
    assert!(looked_at > if tries_all() { 15 } else { 0 }, "{looked_at}");
}

// ---- frames side by side ----

#[test]
fn three_frames_show_a_hole_that_opens() {
    let svg = strip_of(&["collapse MAR"]);
    texts(&svg, "a strip");
    assert!(svg.len() < 120_000, "{}", svg.len());
    let frames: Vec<&str> = svg.split("class=\"upheaval-board\"").skip(1).collect();
    let [before, halfway, after] = frames[..] else { panic!("{} frames", frames.len()) };
    for (frame, caption) in [(before, "before"), (halfway, "the hole opens"), (after, "after")] {
        assert!(frame.contains(&format!(">{caption}</text>")), "{caption}");
        for name in ["BUR", "GAS", "SPA", "LYO", "PIE", "SWI"] {
            assert!(frame.contains(&format!(">{name}</text>")), "{caption}: {name} has no name");
        }
        for name in ["SEV", "NWG", "LON", "CON", "OUT"] {
            assert!(!frame.contains(&format!("data-province=\"{name}\"")), "{caption}: {name} is far away");
        }
    }
    for (text, is_in) in [
        ("province hole", [false, true, true]),
        ("<title>Hole: MAR</title>", [false, false, true]),
        (">MAR</text>", [true, true, false]),
    ] {
        assert_eq!([before, halfway, after].map(|frame| frame.contains(text)), is_in, "{text}");
    }
}

#[test]
fn no_id_stands_twice_in_a_strip() {
    let svg = strip_of(&["collapse BUR", "collapse MAR", "restore BUR"]);
    let mut ids: Vec<&str> = svg.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let many = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert!(ids.len() == many && many > 30, "{many} ids, {} different", ids.len());
    for referred in svg.split("url(#").skip(1).filter_map(|rest| rest.split(')').next()) {
        assert!(ids.contains(&referred), "{referred}");
    }
    for id in ["board-1-PAR", "board-2-PAR", "board-3-PAR"] {
        assert!(ids.contains(&id), "{id}");
    }
}

#[test]
fn names_in_a_strip_are_within_their_frames_and_legible() {
    for events in [&["collapse MAR"][..], &["void BUR"], &["separate POR SPA connect MAO MAO"]] {
        let ([before, after], _) = last(events);
        let view = View::of_change((&before.0, &before.1), (&after.0, &after.1));
        // A frame is 280 wide where a strip of three is 880.
        let scale = 280.0 / view.size().x;
        let mut named = 0;
        for (layout, chart) in [&before, &after] {
            let seen = layout.within(view, chart);
            for (id, it) in chart.map().faces() {
                let Some(spot) = seen.spot(id).filter(|_| it.state() != FaceState::Collapsed) else {
                    continue;
                };
                assert!(view.holds(spot.label), "{}", it.name());
                assert!(spot.letters * scale >= 6.5, "{}: letters of {}", it.name(), spot.letters * scale);
                named += 1;
            }
        }
        assert!(named > 12, "{events:?}: {named}");
    }
}

#[test]
fn a_strip_is_the_same_bytes_every_time() {
    let events = ["collapse BUR", "collapse MAR"];
    let svg = strip_of(&events);
    assert_eq!(svg, strip_of(&events));
    assert!(["NaN", "inf"].iter().all(|wrong| !svg.contains(wrong)));
}

#[test]
fn a_view_has_what_changes_with_room_round_it() {
    let ([before, after], _) = last(&["collapse MAR"]);
    let view = View::of_change((&before.0, &before.1), (&after.0, &after.1));
    let was = before.0.outline(face(&before.1, "MAR"));
    assert!(was.iter().flatten().all(|&p| view.holds(p)));
    assert!(view.size().x < before.0.width() * 0.4, "{:?}", view.size());
    // Without a change everything is shown.
    let all = View::of_change((&before.0, &before.1), (&before.0, &before.1));
    assert_eq!((all.size().x, all.size().y), (before.0.width(), before.0.height()));
}
