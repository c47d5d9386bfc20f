//! The content of the picture of a board, claim by claim: geography, splits, flips, islands, floods, voids, water,
//! owners, waterways, the names of coasts.

use crate::helpers::charts::{after, face};
use crate::picture::drawn_soundly::{SHIPPED, area_of, full_style, shipped, texts};
use crate::picture::measure::{things, value};
use serde_json::{Value, json};
use upheaval::ids::{Location, Powers};
use upheaval::picture::palette::{self, Colour};
use upheaval::picture::{Layout, Point, Style, geometry, svg};
use upheaval::topology::{Board, FaceKind, FaceState, HalfEdgeId, NamedMap, Waterway, atlas, derive};

fn drawn(chart: &NamedMap, style: &Style) -> String {
    svg::board(&Layout::of(chart), chart, style)
}

/// The element of a province's face.
fn path<'a>(svg: &'a str, name: &str) -> &'a str {
    svg.lines()
        .find(|line| line.contains(&format!("id=\"board-{name}\"")))
        .unwrap_or_else(|| panic!("no {name}"))
}

/// The value of an attribute of an element's line.
pub(super) fn attribute<'a>(element: &'a str, name: &str) -> &'a str {
    value(element, name).unwrap_or_else(|| panic!("{name}: {element}"))
}

/// The sides of a face at which it touches another.
fn sides_between(chart: &NamedMap, a: &str, b: &str) -> Vec<HalfEdgeId> {
    let (a, b) = (face(chart, a), face(chart, b));
    chart.map().sides_of(a).filter(|&side| chart.map().across(side) == b).collect()
}

fn length(line: &[Point]) -> f64 {
    line.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

// ---- geography ----

/// A board whose centres are all moved.
fn moved(by: impl Fn(f64, f64) -> [f64; 2]) -> NamedMap {
    let mut file: Value = serde_json::from_str(include_str!("../../maps/standard.json")).unwrap();
    for (_, face) in file["faces"].as_object_mut().unwrap() {
        if let Some([x, y]) = face["centre"].as_array().map(|c| [0, 1].map(|i| c[i].as_f64().unwrap())) {
            face["centre"] = json!(by(x, y));
        }
    }
    atlas::parse("moved", &file.to_string()).unwrap()
}

#[test]
fn the_centres_of_the_map_file_decide_where_a_province_is() {
    // The same net of borders, rotated half a turn: west becomes east.
    let (chart, turned) = (atlas::standard(), moved(|x, y| [-x, -y]));
    let [layout, other] = [&chart, &turned].map(Layout::of);
    assert_eq!(other.flaws(), 0);
    let (mut as_turned, mut as_it_was, mut faces) = (0.0, 0.0, 0.0);
    for (id, _) in chart.map().faces().filter(|&(id, _)| id != layout.beyond()) {
        let [here, there] = [&layout, &other].map(|layout| layout.spot(id).unwrap().middle);
        as_turned += here.distance(Point::new(layout.width() - there.x, layout.height() - there.y));
        as_it_was += here.distance(there);
        faces += 1.0;
    }
    assert!(as_turned / faces < 25.0, "{} from where it would be, on average", as_turned / faces);
    assert!(as_it_was / faces > 250.0, "{} from where it was, on average", as_it_was / faces);
}

#[test]
fn a_corner_is_amid_the_centres_of_its_faces_where_it_can() {
    // Most corners of the drawing are nearer to the mean of the three names round them than to any name.
    let chart = atlas::standard();
    let layout = shipped("standard");
    let map = chart.map();
    let (mut amid, mut corners) = (0, 0);
    for side in map.borders().flat_map(|border| border.sides()) {
        let around = [map.owner(side), map.across(side), map.owner(map.prev(side).twin())];
        if around.contains(&layout.beyond()) {
            continue;
        }
        let names = around.map(|id| layout.spot(id).unwrap().middle);
        let mean = (names[0] + names[1] + names[2]) * (1.0 / 3.0);
        let corner = layout.line(side)[0];
        corners += 1;
        amid += usize::from(names.iter().all(|&name| corner.distance(mean) < corner.distance(name)));
    }
    assert!(corners > 350 && amid * 100 > corners * 85, "{amid} of {corners}");
}

// ---- the appearance of changes of the map ----

#[test]
fn a_split_is_two_halves_of_what_was_there() {
    let (old, new) = (atlas::standard(), after(&["split BUR PAR MUN"]));
    let before = shipped("standard");
    let layout = before.next(&new);
    let whole = area_of(before, face(&old, "BUR"));
    let halves = ["BUR.1", "BUR.2"].map(|name| area_of(&layout, face(&new, name)));
    assert!((halves[0] + halves[1] - whole).abs() < whole * 0.2, "{halves:?} of {whole}");
    assert!(halves.iter().all(|&half| half > whole * 0.2), "{halves:?} of {whole}");
    let [cut] = sides_between(&new, "BUR.1", "BUR.2")[..] else { panic!("one border between the halves") };
    assert!(length(&layout.curve(cut)) > 30.0);
    let svg = svg::board(&layout, &new, &Style::default());
    let mut names: Vec<String> = things(svg.lines()).into_iter().map(|thing| thing.what).collect();
    names.retain(|name| name.split('.').next() == Some("BUR"));
    assert_eq!(names, ["BUR.1", "BUR.2"]);
}

#[test]
fn after_a_flip_the_border_is_between_the_others() {
    let (old, new) = (atlas::standard(), after(&["separate VIE TRI connect TYR BUD"]));
    assert_eq!(sides_between(&old, "VIE", "TRI").len(), 1);
    assert_eq!(sides_between(&new, "VIE", "TRI").len(), 0);
    let layout = shipped("standard").next(&new);
    let [border] = sides_between(&new, "TYR", "BUD")[..] else { panic!("one border") };
    let line = layout.curve(border);
    assert!(length(&line) > 10.0, "{}", length(&line));
    // It runs between the two faces that have been separated.
    let [vie, tri] = ["VIE", "TRI"].map(|name| layout.spot(face(&new, name)).unwrap().middle);
    let middle = line[line.len() / 2];
    assert!(middle.distance(vie.towards(tri, 0.5)) < vie.distance(tri) * 0.5);
}

#[test]
fn an_island_is_in_the_sea_with_water_all_round() {
    let new = after(&["separate POR SPA connect MAO MAO"]);
    let layout = shipped("standard").next(&new);
    let [island, sea] = ["POR", "MAO"].map(|name| face(&new, name));
    let cycles = layout.shape(sea);
    assert_eq!(cycles.len(), 2, "round it all, and round the island");
    let outer: Vec<Vec<Point>> = cycles.iter().filter(|cycle| geometry::area(cycle) > 0.0).cloned().collect();
    assert!(layout.shape(island).iter().flatten().all(|&p| geometry::contains(&outer, p)));
    assert!(!geometry::contains(&cycles, layout.spot(island).unwrap().middle), "the sea has a hole there");
    assert!(area_of(&layout, island) > 300.0);
    let svg = svg::board(&layout, &new, &Style::default());
    assert_eq!(attribute(path(&svg, "MAO"), "d").matches('M').count(), 2);
}

#[test]
fn a_flooded_coast_is_water_with_the_shore_behind_it() {
    let new = after(&["submerge LON"]);
    let svg = drawn(&new, &Style::default());
    let london = path(&svg, "LON");
    assert_eq!(attribute(london, "class"), "province sea");
    assert_eq!(attribute(london, "fill"), palette::WATER.to_string());
    let layout = Layout::of(&new);
    let line = |class: &str| {
        let start = format!("<g class=\"border {class}\"");
        let (_, rest) = svg.split_once(&start).unwrap_or_else(|| panic!("no {class}"));
        rest.split("</g>").next().unwrap().to_owned()
    };
    let is = |class: &str, other: &str| {
        let sides = [sides_between(&new, "LON", other), sides_between(&new, other, "LON")].concat();
        sides.iter().any(|&side| line(class).contains(&layout.border_data(side)))
    };
    for land in ["WAL", "YOR"] {
        assert!(is("coast", land) && !is("land", land), "{land}");
    }
    assert!(is("sea", "NTH") && !is("coast", "NTH"));
}

// ---- kinds of faces ----

#[test]
fn a_void_is_hatched_where_it_was() {
    let (old, new) = (atlas::standard(), after(&["void SER"]));
    let svg = drawn(&new, &Style::default());
    assert_eq!(attribute(path(&svg, "SER"), "fill"), "url(#board-void)");
    let hatch = svg.lines().find(|line| value(line, "id") == Some("board-void")).unwrap();
    let pattern = format!(
        "<pattern id=\"board-void\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\" \
         patternTransform=\"rotate(45)\"><rect width=\"8\" height=\"8\" fill=\"{}\"/>\
         <path d=\"M0 0V8\" stroke=\"#89868c\" stroke-width=\"2.5\"/></pattern>",
        palette::VOID
    );
    assert_eq!(hatch, pattern);
    assert_eq!(
        attribute(path(&svg, "SER"), "d"),
        attribute(path(&drawn(&old, &Style::default()), "SER"), "d")
    );
}

#[test]
fn kinds_of_faces_are_told_apart_and_water_is_blue() {
    let Colour(red, green, blue) = palette::WATER;
    assert!(blue > green && green > red && blue - red > 30, "{red} {green} {blue}");
    for (_, chart, layout) in SHIPPED.iter() {
        let svg = svg::board(layout, chart, &Style::default());
        for (_, it) in chart.map().faces().filter(|(_, it)| it.kind() != FaceKind::Outside) {
            let path = path(&svg, it.name());
            let is_blue = attribute(path, "fill") == palette::WATER.to_string();
            assert_eq!(is_blue, it.kind() == FaceKind::Sea, "{}", it.name());
            let class = match it.kind() {
                FaceKind::Sea => "province sea",
                FaceKind::Land => "province land",
                FaceKind::Impassable => "province impassable",
                FaceKind::Point => "province point",
                kind => panic!("a {kind:?} within a board"),
            };
            assert_eq!(attribute(path, "class"), class, "{}", it.name());
        }
    }
}

#[test]
fn ice_has_a_hatching_of_its_own_that_the_legend_explains() {
    let frozen = after(&["freeze BOT"]);
    let svg = drawn(&frozen, &full_style(&frozen));
    texts(&svg, "ice");
    let bothnia = path(&svg, "BOT");
    assert_eq!(attribute(bothnia, "class"), "province ice");
    assert_eq!(attribute(bothnia, "fill"), "url(#board-ice)");
    assert!(bothnia.contains("Gulf of Bothnia (BOT), frozen"), "{bothnia}");
    assert!(svg.contains(r#"<pattern id="board-ice""#) && svg.contains(">Ice</text>"));
    // The other boards have neither.
    let thawed = after(&["freeze BOT", "restore BOT"]);
    let svg = drawn(&thawed, &full_style(&thawed));
    assert!(!svg.contains("board-ice") && !svg.contains(">Ice</text>"));
}

#[test]
fn a_canal_that_was_dug_is_drawn_as_those_of_the_board() {
    let chart = after(&["dig STP BAR BOT"]);
    let canals = |name: &str| {
        let title = format!("<title>Canal through {name}</title>");
        let svg = drawn(&chart, &Style::default());
        svg.lines().filter(|line| line.starts_with(r#"<path class="canal""#) && line.contains(&title)).count()
    };
    assert_eq!((canals("STP"), canals("KIE")), (2, 2), "the banks and the water");
}

#[test]
fn owners_and_units_have_the_colours_of_their_powers() {
    let chart = atlas::standard();
    let svg = drawn(&chart, &full_style(&chart));
    texts(&svg, "owners and units");
    for power in Powers::STANDARD {
        let colour = palette::of_power(chart.power_names().info(power));
        let tinted = palette::LAND.towards(colour, palette::TINT).to_string();
        for home in chart.homes(power).iter() {
            let name = chart.map().name(home);
            assert_eq!(attribute(path(&svg, name), "fill"), tinted, "{name}");
            assert_eq!(attribute(path(&svg, name), "data-power"), chart.power_names().name(power));
            let is_there = |line: &&str| {
                line.starts_with("<g class=\"unit") && line.contains(&format!("data-province=\"{name}\""))
            };
            let unit = svg.lines().find(is_there).unwrap_or_else(|| panic!("nobody in {name}"));
            assert_eq!(attribute(unit, "data-power"), chart.power_names().name(power), "{name}");
            assert!(unit.contains(&format!("fill=\"{colour}\"")), "{name}");
        }
    }
    assert_eq!(attribute(path(&svg, "BUR"), "fill"), palette::LAND.to_string(), "nobody's");
}

// ---- waterways and coasts ----

#[test]
fn every_strait_and_canal_is_marked_from_water_to_water() {
    let passages = after(&["collapse MAR", "submerge LON"]);
    let passages = ("passages", passages.clone(), Layout::of(&passages));
    for (_, chart, layout) in SHIPPED.iter().chain([&passages]) {
        let svg = svg::board(layout, chart, &Style::default());
        let map = chart.map();
        let titles: Vec<String> = map
            .waterways()
            .map(|waterway| match *waterway {
                Waterway::Strait { provinces: [a, b], .. } => {
                    format!("<title>Strait between {} and {}</title>", map.name(a), map.name(b))
                }
                Waterway::Canal { province, .. } | Waterway::Passage { province, .. } => {
                    format!("<title>Canal through {}</title>", map.name(province))
                }
            })
            .collect();
        assert!(titles.len() >= 3, "{titles:?}");
        for title in &titles {
            let mark = svg.lines().find(|line| line.contains(title)).unwrap_or_else(|| panic!("no {title}"));
            assert!(mark.starts_with("<path class=\"strait\"") || mark.starts_with("<path class=\"canal\""));
        }
    }
}

/// The boards whose coasts are checked.
fn coastal() -> Vec<(NamedMap, Layout)> {
    let shipped = SHIPPED.iter().map(|(_, chart, layout)| (chart.clone(), layout.clone()));
    let changed = ["collapse MAR", "collapse BUL", "void POR"].map(|event| after(&[event]));
    shipped.chain(changed.map(|chart| (chart.clone(), Layout::of(&chart)))).collect()
}

/// Every coast of a province with several, with its name.
fn coasts(chart: &NamedMap, board: &Board) -> Vec<(Location, String)> {
    let names = |id| chart.coast_names(board, id).into_iter().map(|name| name.to_string());
    let several = board.land().iter().filter(|&id| board.coasts(id) > 1);
    several.flat_map(|id| board.stations_of(id).zip(names(id)).collect::<Vec<_>>()).collect()
}

#[test]
fn the_coasts_of_a_fleet_are_named_on_their_own_shore() {
    let mut seen = 0;
    for (chart, layout) in coastal() {
        let board = derive(chart.map());
        let svg = svg::board(&layout, &chart, &Style::default());
        let all = coasts(&chart, &board);
        seen += all.len();
        for (at, name) in all {
            let whose = chart.map().name(at.province);
            assert!(
                svg.contains(&format!("data-province=\"{whose}\" data-coast=\"{name}\"")),
                "{whose}/{name}"
            );
            let label = layout.coast(&board, at).unwrap().label;
            let far = |side: HalfEdgeId| {
                let line = layout.curve(side);
                let pieces = line.windows(2);
                pieces.map(|p| geometry::distance_to_segment(label, p[0], p[1])).fold(f64::INFINITY, f64::min)
            };
            let nearest =
                |at: Location| board.contacts(at).iter().map(|&s| far(s)).fold(f64::INFINITY, f64::min);
            for other in board.stations_of(at.province).filter(|&other| other != at) {
                assert!(nearest(at) < nearest(other), "{whose}/{name} is nearer to another coast");
            }
            assert!(nearest(at) < 35.0, "{whose}/{name} is {} from its shore", nearest(at));
        }
    }
    assert!(seen >= 20, "{seen} coasts");
}

#[test]
fn the_names_of_coasts_run_over_nothing() {
    for (_, chart, layout) in SHIPPED.iter() {
        let board = derive(chart.map());
        for (at, name) in coasts(chart, &board) {
            let spot = layout.spot(at.province).unwrap();
            let label = layout.coast(&board, at).unwrap().label;
            let shape = layout.shape(at.province);
            let whose = chart.map().name(at.province);
            let high = spot.coast_letters() * 0.4;
            for (right, up) in [(-1.7, -1.0), (1.7, -1.0), (1.7, 1.0), (-1.7, 1.0)] {
                let corner = label + Point::new(right * high, up * high);
                assert!(geometry::contains(&shape, corner), "{whose}/{name} runs over its border");
            }
            let apart = label - spot.label;
            let clear = apart.x.abs() > spot.letters || apart.y.abs() > spot.letters * 0.5 + high;
            assert!(clear, "{whose}/{name} runs into the name of the province");
        }
    }
}

#[test]
fn what_is_neither_open_nor_there_has_no_name() {
    let chart = after(&["collapse MAR", "void SER"]);
    let svg = drawn(&chart, &Style::default());
    for (_, it) in chart.map().faces().filter(|(_, it)| it.kind() != FaceKind::Outside) {
        let named = svg.contains(&format!(">{}</text>", it.name()));
        assert_eq!(named, it.state() != FaceState::Collapsed, "{}", it.name());
    }
}
