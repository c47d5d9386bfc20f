//! Pictures whose every text is hostile: a parser of XML reads them, and finds each text as text.

use crate::helpers::charts::with;
use crate::picture::drawn_soundly::{full_style, texts};
use serde_json::Value;
use upheaval::ids::{ByProvince, Power, UnitKind};
use upheaval::picture::palette::Colour;
use upheaval::picture::strip::Frame;
use upheaval::picture::{
    DrawnAct, DrawnOrder, DrawnOutcome, DrawnPlace, Heat, Highlight, Layout, Stand, Style, Timing, View,
    strip, svg,
};
use upheaval::topology::{MapEvent, NamedMap, atlas};

/// What markup gives a meaning to, and letters at the ends of what it may have.
const MARKUP: &str = "<b a=\"1\" c='2'>&amp;&#0;]]><!--x--><?x?><![CDATA[\u{fffe}\u{ffff}\u{1fffe}\u{10ffff}";

/// The same, and what a map file may not have in a name, but a title might.
const ANY: &str = "</title><script>alert(1)</script>&lt;\"'>]]>--\0\u{1}\u{8}\t\n\u{b}\r\u{1b}[2J\u{7f}\u{85}\u{9b}\u{202e}\u{2028}\u{feff}\u{fffe}\u{ffff}";

/// As a picture has it: markup cannot have these characters at all.
fn shown(text: &str) -> String {
    let cannot = |c| matches!(c, '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}');
    text.chars().map(|c| if cannot(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// The standard board with this name for every province.
fn board_named(name: &str) -> NamedMap {
    let mut map: Value = serde_json::from_str(&testkit::read("maps/standard.json")).unwrap();
    for face in map["faces"].as_object_mut().unwrap().values_mut() {
        face["name"] = name.into();
    }
    atlas::parse("hostile", &map.to_string()).unwrap()
}

/// A style with all that a picture can show, or with values in place of owners.
fn style(chart: &NamedMap, with_heat: bool) -> Style {
    let army = |name| Stand::firm(UnitKind::Army, chart.map().find(name).expect("a province").into());
    let (paris, burgundy, ruhr) = (army("PAR"), army("BUR"), army("RUH"));
    let acts = [
        DrawnAct::Hold { unit: paris },
        DrawnAct::Move { unit: paris, to: burgundy },
        DrawnAct::SupportHold { unit: burgundy, supported: paris },
        DrawnAct::SupportMove { unit: burgundy, supported: paris, to: ruhr },
        DrawnAct::Convoy { unit: burgundy, army: paris, to: ruhr },
        DrawnAct::Build { unit: paris },
        DrawnAct::Disband { unit: paris },
        DrawnAct::Change { unit: paris },
    ];
    let outcomes = [DrawnOutcome::Success, DrawnOutcome::Failure].into_iter().cycle();
    let orders = acts.into_iter().zip(outcomes).zip(1..).map(|((act, outcome), number)| DrawnOrder {
        act,
        power: Power::FRANCE,
        outcome,
        title: ANY.to_owned(),
        number,
    });
    let at = paris.at.province;
    let highlights = [
        (DrawnPlace::Province(at), Timing::Coming),
        (DrawnPlace::Between([at, burgundy.at.province]), Timing::Past),
    ];
    let mut values = ByProvince::filled(None);
    values[at] = Some(0.5);
    let colour = Colour(10, 20, 30);
    let heat = Heat { title: ANY.to_owned(), values, most: 1.0, digits: 1, unit: "<%>", colour };
    Style {
        title: ANY.to_owned(),
        prefix: "a<b\"c&d".to_owned(),
        orders: orders.collect(),
        highlights: highlights
            .map(|(place, timing)| Highlight { place, timing, title: ANY.to_owned() })
            .into(),
        heat: with_heat.then_some(heat),
        ..full_style(chart)
    }
}

fn assert_has(svg: &str, what: &str, expected: &[&str]) {
    let texts = texts(svg, what);
    for text in expected {
        assert!(texts.iter().any(|found| found.contains(&shown(text))), "{what}: {text:?} is not in it");
    }
}

#[test]
fn a_board_of_hostile_texts_is_xml_with_these_texts() {
    let chart = board_named(MARKUP);
    let layout = Layout::of(&chart);
    for with_heat in [false, true] {
        let style = style(&chart, with_heat);
        let svg = svg::board(&layout, &chart, &style);
        let what = format!("a board, values: {with_heat}");
        assert_has(&svg, &what, &[MARKUP, ANY, &style.prefix]);
        assert_eq!(svg.contains("&lt;%"), with_heat, "{what}");
    }
}

#[test]
fn what_events_leave_on_a_board_of_hostile_texts_is_xml() {
    let events = [
        "collapse MAR",
        "split SPA MAO#1 MAR",
        "separate VIE TRI connect TYR BUD",
        "submerge LON",
        "void SER",
    ];
    let chart = with(board_named(MARKUP), &events);
    let svg = svg::board(&Layout::of(&chart), &chart, &style(&chart, false));
    assert_has(&svg, "a board after events", &[MARKUP, ANY]);
}

#[test]
fn frames_of_hostile_texts_are_xml_with_these_texts() {
    let old = board_named(MARKUP);
    let before = Layout::of(&old);
    for text in ["collapse MUN", "separate VIE TRI connect TYR BUD", "submerge LON"] {
        let event: MapEvent = text.parse().expect("an event");
        let mut new = old.clone();
        event.apply(&mut new).expect("it can happen");
        let after = before.next(&new);
        let strip = strip::of_event((&before, &old), (&after, &new), &event, &style(&old, false));
        assert_has(&strip, text, &[ANY]);
        let frames =
            [(&before, &old), (&after, &new)].map(|(layout, chart)| Frame { layout, chart, caption: ANY });
        let view = View::of_change((&before, &old), (&after, &new));
        let strip = strip::of_frames(&frames, view, &style(&old, true));
        assert_has(&strip, text, &[ANY, "a<b\"c&d-1"]);
    }
}
