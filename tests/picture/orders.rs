//! Orders and events over a picture: each begins and ends in the right place, and failures are marked.

use crate::helpers::charts::after;
use crate::picture::drawn_soundly::{of_class, shipped};
use crate::picture::seen::attribute;
use upheaval::ids::{CoastId, Designation, Location, Power, ProvinceId, UnitKind};
use upheaval::picture::{
    DrawnAct, DrawnOrder, DrawnOutcome, DrawnPlace, DrawnUnit, Footing, Highlight, Layout, Point, Stand,
    Style, Timing, svg,
};
use upheaval::topology::{Board, NamedMap, derive};

struct Table {
    chart: NamedMap,
    layout: Layout,
    board: Board,
}

impl Table {
    fn after(events: &[&str]) -> Table {
        let chart = after(events);
        let layout = if events.is_empty() { shipped("standard").clone() } else { Layout::of(&chart) };
        Table { layout, board: derive(chart.map()), chart }
    }

    fn face(&self, name: &str) -> ProvinceId {
        self.chart.map().find(name).unwrap()
    }

    fn army(&self, name: &str) -> Stand {
        Stand::firm(UnitKind::Army, self.face(name).into())
    }

    fn fleet(&self, name: &str, coast: u8) -> Stand {
        Stand::firm(UnitKind::Fleet, Location { province: self.face(name), coast: CoastId(coast) })
    }

    fn at(&self, stand: Stand) -> Point {
        self.layout.unit(&self.board, stand).unwrap()
    }

    /// The line of one order in the picture.
    fn drawn(&self, act: DrawnAct, outcome: DrawnOutcome) -> String {
        let title = "France: <it>".to_owned();
        let order = DrawnOrder { act, power: Power::FRANCE, outcome, title, number: 7 };
        let style = Style { orders: vec![order], ..Style::default() };
        let svg = svg::board(&self.layout, &self.chart, &style);
        let [line] = of_class(&svg, "order")[..] else { panic!("{act:?}: an order is a line of its own") };
        let word = match outcome {
            DrawnOutcome::Success => "success",
            DrawnOutcome::Failure => "failure",
        };
        assert_eq!(
            head(line),
            format!(
                r#"<g class="order {word}" data-order="7" data-power="FRANCE" fill="none"><title>France: &lt;it&gt;"#
            )
        );
        line.to_owned()
    }

    fn outlined(&self, place: DrawnPlace, timing: Timing) -> Option<String> {
        let highlight = Highlight { place, timing, title: "it sinks".to_owned() };
        let style = Style { highlights: vec![highlight], ..Style::default() };
        let svg = svg::board(&self.layout, &self.chart, &style);
        of_class(&svg, "event").first().map(|&line| line.to_owned())
    }

    /// A point of the file in the coordinates of the layout.
    fn point(&self, pair: &str) -> Point {
        let numbers: Vec<f64> = pair.split_whitespace().map(|n| n.parse().unwrap()).collect();
        Point::new(numbers[0], self.layout.height() - numbers[1])
    }

    /// The ends of the bent line in an order.
    fn bow(&self, line: &str) -> [Point; 2] {
        let data = line.split(" d=\"M").nth(1).unwrap().split('"').next().unwrap();
        let (from, rest) = data.split_once('Q').unwrap();
        let to: Vec<&str> = rest.split_whitespace().skip(2).collect();
        [self.point(from), self.point(&to.join(" "))]
    }
}

/// An element's line up to the end of its title.
fn head(line: &str) -> &str {
    line.split("</title>").next().unwrap().trim_start()
}

/// The patterns of the broken lines of an element.
fn dashes(line: &str) -> Vec<&str> {
    line.split("stroke-dasharray=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

/// The maximum distance between a unit and its arrow's end.
const NEAR: f64 = 22.0;

#[test]
fn an_arrow_goes_from_the_unit_to_where_it_is_ordered() {
    let desk = Table::after(&[]);
    let (paris, burgundy) = (desk.army("PAR"), desk.army("BUR"));
    let line = desk.drawn(DrawnAct::Move { unit: paris, to: burgundy }, DrawnOutcome::Success);
    let [from, to] = desk.bow(&line);
    assert!(from.distance(desk.at(paris)) < NEAR && to.distance(desk.at(burgundy)) < NEAR, "{line}");
    assert!(from.distance(to) > 10.0);
    assert_eq!(dashes(&line), [""; 0]);
    // To a coast rather than to the middle of the province.
    let (gulf, north, south) = (desk.fleet("MAO", 0), desk.fleet("SPA", 0), desk.fleet("SPA", 1));
    let ends = [north, south].map(|coast| {
        let line = desk.drawn(DrawnAct::Move { unit: gulf, to: coast }, DrawnOutcome::Success);
        let [_, end] = desk.bow(&line);
        assert!(end.distance(desk.at(coast)) < NEAR, "{line}");
        end
    });
    assert!(ends[0].distance(ends[1]) > 20.0, "two coasts are two places");
}

#[test]
fn two_that_change_places_are_two_arrows() {
    let desk = Table::after(&[]);
    let (a, b) = (desk.army("UKR"), desk.army("MOS"));
    let middle = |unit: Stand, to: Stand| {
        let line = desk.drawn(DrawnAct::Move { unit, to }, DrawnOutcome::Success);
        let data = line.split(" d=\"M").nth(1).unwrap().split('"').next().unwrap();
        let over: Vec<&str> = data.split('Q').nth(1).unwrap().split_whitespace().take(2).collect();
        desk.point(&over.join(" "))
    };
    assert!(middle(a, b).distance(middle(b, a)) > 10.0);
}

#[test]
fn what_fails_is_broken_and_crossed() {
    let desk = Table::after(&[]);
    let [a, b, c] = ["PAR", "BUR", "MAR"].map(|name| desk.army(name));
    // The numbers of crosses and of broken lines, of what succeeds and of what fails.
    for (act, crosses, broken) in [
        (DrawnAct::Move { unit: a, to: b }, [0, 1], [0, 2]),
        (DrawnAct::SupportHold { unit: a, supported: b }, [0, 1], [0, 2]),
        (DrawnAct::SupportMove { unit: a, supported: c, to: b }, [0, 1], [0, 2]),
        (DrawnAct::Convoy { unit: desk.fleet("ENG", 0), army: a, to: b }, [0, 1], [0, 2]),
        (DrawnAct::Hold { unit: a }, [0, 1], [0, 0]),
        (DrawnAct::Build { unit: a }, [0, 1], [0, 0]),
        // It is given up.
        (DrawnAct::Disband { unit: a }, [1, 2], [2, 2]),
    ] {
        let lines = [DrawnOutcome::Success, DrawnOutcome::Failure].map(|outcome| desk.drawn(act, outcome));
        assert_eq!(
            lines.each_ref().map(|line| line.matches("stroke=\"#b0003a\"").count()),
            crosses,
            "{act:?}"
        );
        assert_eq!(lines.each_ref().map(|line| dashes(line).len()), broken, "{act:?}");
    }
}

#[test]
fn a_support_and_a_convoy_end_at_the_arrow_they_serve() {
    let desk = Table::after(&[]);
    let (fleet, army, to) = (desk.fleet("ENG", 0), desk.army("LON"), desk.army("BEL"));
    let [from, end] = desk.bow(&desk.drawn(DrawnAct::Move { unit: army, to }, DrawnOutcome::Success));
    for act in [
        DrawnAct::SupportMove { unit: fleet, supported: army, to },
        DrawnAct::Convoy { unit: fleet, army, to },
    ] {
        let line = desk.drawn(act, DrawnOutcome::Success);
        let [begins, ends] = desk.bow(&line);
        assert!(begins.distance(desk.at(fleet)) < NEAR);
        // On the arrow: the sum of the distances to its ends is about its length.
        let off = ends.distance(from) + ends.distance(end) - from.distance(end);
        assert!(off < 10.0, "{act:?}: {off}");
        assert_eq!(line.matches("<circle").count(), 1, "{line}");
    }
}

#[test]
fn who_must_retreat_stands_aside_and_goes_from_there() {
    let desk = Table::after(&[]);
    let firm = desk.army("MUN");
    let waits = |which: u8| Stand { footing: Footing::Dislodged(which), ..firm };
    let [first, second] = [0, 1].map(|which| desk.at(waits(which)));
    assert!(first.distance(desk.at(firm)) > 3.0 && second.distance(first) > 3.0);
    let line = desk.drawn(DrawnAct::Move { unit: waits(0), to: desk.army("TYR") }, DrawnOutcome::Success);
    assert!(desk.bow(&line)[0].distance(first) < NEAR);
}

#[test]
fn an_army_aboard_is_seen_on_its_fleet() {
    let desk = Table::after(&[]);
    let unit = |kind: Designation| {
        let stand = Stand { kind, ..desk.fleet("NTH", 0) };
        let style = Style { units: vec![DrawnUnit { power: Power::ENGLAND, stand }], ..Style::default() };
        let svg = svg::board(&desk.layout, &desk.chart, &style);
        of_class(&svg, "unit")[0].to_owned()
    };
    let [fleet, both] = [Designation::Fleet, Designation::ArmyFleet].map(unit);
    let title = |line: &str| head(line).split("<title>").nth(1).unwrap().to_owned();
    assert_eq!((attribute(&fleet, "data-unit"), attribute(&both, "data-unit")), ("F NTH", "A/F NTH"));
    assert_eq!(title(&fleet), "Fleet of England in NTH");
    assert_eq!(title(&both), "Army aboard a fleet of England in NTH");
    let shapes = |line: &str| ["<path", "<circle"].map(|shape| line.matches(shape).count());
    assert_eq!((shapes(&fleet), shapes(&both)), ([1, 0], [1, 1]));
}

#[test]
fn an_event_is_outlined_where_it_happens() {
    let desk = Table::after(&["collapse MAR"]);
    let province = DrawnPlace::Province(desk.face("BUR"));
    let [coming, past] =
        [Timing::Coming, Timing::Past].map(|timing| desk.outlined(province, timing).unwrap());
    assert_eq!(head(&coming), r#"<g class="event coming" data-province="BUR" fill="none"><title>it sinks"#);
    assert_eq!(head(&past), r#"<g class="event past" data-province="BUR" fill="none"><title>it sinks"#);
    assert_eq!((dashes(&coming), dashes(&past)), (vec!["9 7"], vec![]));
    // A hole is a point: it gets a ring.
    let hole = desk.outlined(DrawnPlace::Province(desk.face("MAR")), Timing::Past).unwrap();
    let scar = desk.layout.pair(desk.layout.scars()[0]);
    let (x, y) = scar.split_once(' ').unwrap();
    assert!(hole.contains(&format!("<circle cx=\"{x}\" cy=\"{y}\"")), "{hole}");
    let border = DrawnPlace::Between([desk.face("MUN"), desk.face("BER")]);
    let seam = desk.outlined(border, Timing::Coming).unwrap();
    assert_eq!(attribute(&seam, "data-province"), "MUN BER");
    assert_eq!(seam.matches("<path d=\"M").count(), 2, "a line and its casing: {seam}");
    let apart = DrawnPlace::Between([desk.face("LON"), desk.face("MOS")]);
    assert_eq!(desk.outlined(apart, Timing::Coming), None, "they have no border");
}

#[test]
fn a_quake_is_seen_at_its_border_even_at_the_edge_of_the_board() {
    let desk = Table::after(&[]);
    let face = |name: &str| desk.face(name);
    let heads = |together: [&str; 2]| {
        let act = DrawnAct::Quake { apart: [face("MOS"), face("STP")], together: together.map(face) };
        desk.drawn(act, DrawnOutcome::Success).matches("Z\"").count()
    };
    assert_eq!(heads(["LVN", "UKR"]), 2);
    assert_eq!(heads(["LVN", "OUT"]), 2, "what lies beyond has its arrow, too");
    // A release: the two faces that are to touch come from both sides.
    let [por, bre] = ["POR", "BRE"].map(face);
    let act = DrawnAct::Quake { apart: [face("MAO"); 2], together: [por, bre] };
    assert_eq!(desk.drawn(act, DrawnOutcome::Success).matches("Z\"").count(), 2);
}

#[test]
fn no_order_is_out_of_reach_of_the_pointer() {
    let desk = Table::after(&[]);
    let order = |number, unit: &str, to: &str| DrawnOrder {
        act: DrawnAct::Move { unit: desk.army(unit), to: desk.army(to) },
        power: Power::FRANCE,
        outcome: DrawnOutcome::Success,
        title: String::new(),
        number,
    };
    let orders = vec![order(0, "PAR", "BUR"), order(1, "BUR", "PAR")];
    let svg = svg::board(&desk.layout, &desk.chart, &Style { orders, ..Style::default() });
    let at =
        |what: &str| svg.lines().position(|line| line.contains(what)).unwrap_or_else(|| panic!("no {what}"));
    // The invisible areas for the pointer lie below everything visible.
    let reach = |n| at(&format!("class=\"reach\" data-order=\"{n}\""));
    let seen = |n| at(&format!("class=\"order success\" data-order=\"{n}\""));
    assert!(reach(0).max(reach(1)) < seen(0).min(seen(1)));
}
