//! A checker of drawings that shares no code with their generator, boards after events, and parsed markup.

use std::sync::LazyLock;

use roxmltree::{Document, Node};
use upheaval::ids::{ByProvince, CoastId, Location, Power, Powers, ProvinceId, UnitKind};
use upheaval::picture::{DrawnUnit, Footing, Layout, Point, Stand, Style, geometry};
use upheaval::topology::{FaceState, NamedMap, atlas, derive};

use super::measure::value;

/// The boards that ship, each with its drawing: to make one takes longer than most looks at it.
pub(super) static SHIPPED: LazyLock<Vec<(&str, NamedMap, Layout)>> = LazyLock::new(|| {
    let drawn = |name| {
        let chart = atlas::find(name).expect("it ships");
        let layout = Layout::of(&chart);
        (name, chart, layout)
    };
    atlas::shipped().map(drawn).collect()
});

/// The drawing of a board that ships.
pub(super) fn shipped(board: &str) -> &'static Layout {
    let (_, _, layout) = SHIPPED.iter().find(|(name, ..)| *name == board).expect("it ships");
    layout
}

pub(super) fn area_of(layout: &Layout, face: ProvinceId) -> f64 {
    layout.shape(face).iter().map(|cycle| geometry::area(cycle)).sum()
}

/// The lines that cross another, piece by piece, or themselves; lines with a common end meet there.
pub(super) fn crossings(lines: &[(String, Vec<Point>)]) -> Vec<String> {
    let mut pieces: Vec<(usize, Point, Point)> = Vec::new();
    for (number, (_, line)) in lines.iter().enumerate() {
        pieces.extend(line.windows(2).map(|pair| (number, pair[0], pair[1])));
    }
    let west = |piece: &(usize, Point, Point)| piece.1.x.min(piece.2.x);
    pieces.sort_by(|x, y| west(x).total_cmp(&west(y)));
    let mut found = Vec::new();
    for (k, &(i, a, b)) in pieces.iter().enumerate() {
        for &(j, c, d) in pieces[k + 1..].iter().take_while(|other| west(other) <= a.x.max(b.x)) {
            let joined = [a, b].iter().any(|end| *end == c || *end == d);
            if !joined && geometry::segments_meet(a, b, c, d) {
                found.push(format!("{} crosses {}", lines[i].0, lines[j].0));
            }
        }
    }
    found
}

/// The faults of a drawing, found without any code of its generator: every piece of every curve against every other,
/// every face by the area that its sides enclose.
pub(super) fn faults(layout: &Layout, chart: &NamedMap) -> Vec<String> {
    let (map, board) = (chart.map(), derive(chart.map()));
    let name = |side| format!("{}/{}", map.name(map.owner(side)), map.name(map.across(side)));
    let sides = map.borders().map(|border| border.sides()[0]);
    let lines: Vec<(String, Vec<Point>)> = sides.map(|side| (name(side), layout.curve(side))).collect();
    let mut faults = crossings(&lines);
    for (id, it) in map.faces() {
        let cycles = layout.shape(id);
        let round: Vec<&Vec<Point>> = cycles.iter().filter(|cycle| geometry::area(cycle) > 0.0).collect();
        if id == layout.beyond() {
            if !round.is_empty() {
                faults.push(format!("{} is not beyond all", it.name()));
            }
            continue;
        }
        if round.len() != 1 {
            faults.push(format!("{} has {} outer boundaries", it.name(), round.len()));
            continue;
        }
        for island in cycles.iter().filter(|cycle| geometry::area(cycle) <= 0.0) {
            if !geometry::contains(std::slice::from_ref(round[0]), island[0]) {
                faults.push(format!("an island of {} is not in it", it.name()));
            }
        }
        let spot = layout.spot(id).unwrap_or_else(|| panic!("{} has no place", it.name()));
        // A face that is smaller than a printed digit, five islands deep, is a point like a hole.
        let seen = it.state() != FaceState::Collapsed && area_of(layout, id) > 0.01;
        if seen && !geometry::contains(&cycles, spot.middle) {
            faults.push(format!("the name of {} is outside of it", it.name()));
        }
        // The names of coasts can be on a plate beside the province.
        for at in board.stations_of(id).filter(|_| seen && spot.plate.is_none()) {
            let label = layout.coast(&board, at).map(|coast| coast.label);
            if label.is_some_and(|label| !geometry::contains(&cycles, label)) {
                faults.push(format!("the name of a coast of {} is outside of it", it.name()));
            }
        }
    }
    faults
}

pub(super) fn sound(layout: &Layout, chart: &NamedMap, what: &dyn std::fmt::Debug) {
    assert_eq!(layout.flaws(), 0, "{what:?}");
    assert_eq!(faults(layout, chart), Vec::<String>::new(), "{what:?}");
}

/// Parses a picture and returns its texts, of elements and attributes. Nothing in it runs, links or loads.
pub(super) fn texts(svg: &str, what: &str) -> Vec<String> {
    let document = Document::parse(svg).unwrap_or_else(|error| panic!("{what}: {error}"));
    let known = ["circle", "clipPath", "g", "path", "pattern", "rect", "svg", "text", "title"];
    let mut texts = Vec::new();
    for node in document.descendants() {
        assert!(!node.is_comment() && !node.is_pi(), "{what}: {:?}", node.range());
        if node.is_element() {
            let name = node.tag_name().name();
            assert!(known.contains(&name), "{what}: an element `{name}`");
            for attribute in node.attributes() {
                let name = attribute.name();
                assert!(!name.starts_with("on") && name != "href", "{what}: an attribute `{name}`");
                texts.push(attribute.value().to_owned());
            }
        }
        texts.extend(Some(node).filter(Node::is_text).and_then(|node| node.text()).map(str::to_owned));
    }
    assert_eq!(svg.matches("http").count(), 1, "{what}: only its own namespace is from elsewhere");
    texts
}

/// The lines of elements with this as the first of their classes.
pub(super) fn of_class<'a>(svg: &'a str, class: &str) -> Vec<&'a str> {
    let is_of = |line: &&str| value(line, "class").and_then(|all| all.split(' ').next()) == Some(class);
    svg.lines().filter(is_of).collect()
}

pub(super) fn full_style(chart: &NamedMap) -> Style {
    let mut style = Style { title: "War & <peace>".to_owned(), ..Style::default() };
    let mut owners = ByProvince::filled(None);
    for power in Powers::STANDARD {
        for home in chart.homes(power).iter() {
            owners[home] = Some(power);
            let kind = if power == Power::ENGLAND { UnitKind::Fleet } else { UnitKind::Army };
            let at = Location { province: home, coast: CoastId::FIRST };
            let footing = if chart.map().name(home) == "VIE" { Footing::Dislodged(1) } else { Footing::Firm };
            style.units.push(DrawnUnit { power, stand: Stand { footing, ..Stand::firm(kind, at) } });
        }
    }
    style.owners = Some(owners);
    style
}
