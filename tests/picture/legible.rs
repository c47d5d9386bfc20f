//! Boards are legible: names are large enough to be read, every open province has its name in sight, and neither names
//! nor units cover one another. All is measured on SVG text by [`super::measure`], which shares nothing with the code
//! that draws. The bounds are those that docs/picture.md states.
//!
//! `UPHEAVAL_SLOW_TESTS=1` measures all kept games, a larger number this many times as many crowded boards.

use std::fs;

use crate::helpers::charts::{apply, face};
use crate::helpers::small_maps;
use crate::picture::drawn_soundly::shipped;
use crate::picture::measure::{Kind, Legibility};
use testkit::{amount, path, thinned, tries_all};
use upheaval::game_record::{GameRecord, replay};
use upheaval::ids::{ByProvince, CoastId, Location, Power, ProvinceId, UnitKind};
use upheaval::picture::{DrawnUnit, Layout, Stand, Style, geometry, svg};
use upheaval::report::viewer::Viewer;
use upheaval::rng::{Purpose, Stream};
use upheaval::topology::{Board, FaceKind, FaceState, NamedMap, atlas, derive};

/// The smallest letters of a province's name, on a board that is 1000 wide.
const LEAST_LETTERS: f64 = 8.0;
/// The smallest letters of a coast's name.
const LEAST_COAST_LETTERS: f64 = 5.5;
/// The smallest unit: the radius of an army. Numbers have one digit behind the point.
const LEAST_UNIT: f64 = 4.9;
/// The number of pairs of names, units and plates of which one covers the other, of any two kinds.
const COVERED: usize = 0;
/// The number of open provinces without a name in sight.
const NAMELESS: usize = 0;
/// A province in which a disc of this radius has room keeps its contents.
const ROOMY: f64 = 22.0;

#[track_caller]
fn assert_legible(seen: &Legibility) {
    assert!(seen.letters[&Kind::Name] >= LEAST_LETTERS, "letters {:?}: {:?}", seen.letters, seen.smallest);
    let coasts = seen.letters.get(&Kind::CoastName);
    assert!(
        coasts.is_none_or(|&letters| letters >= LEAST_COAST_LETTERS),
        "letters {:?}: {:?}",
        seen.letters,
        seen.smallest
    );
    assert!(seen.unit >= LEAST_UNIT, "a unit of {}", seen.unit);
    let covered = seen.covered.values().flatten().collect::<Vec<_>>();
    assert_eq!(covered.len(), COVERED, "{covered:#?}");
    assert_eq!(seen.nameless.len(), NAMELESS, "{:#?}", seen.nameless);
}

/// The boards of a game as its page has them, line by line, each with its phase.
fn boards(game: &GameRecord) -> Vec<(String, Vec<String>)> {
    let mut viewer = Viewer::of(game);
    replay(game, game.variant("kept").unwrap(), &mut |at| viewer.record_state(at)).unwrap();
    let page = viewer.html();
    let (_, json) = page.split_once("id=\"boards\">").unwrap();
    let boards: serde_json::Value = serde_json::from_str(json.split("</script>").next().unwrap()).unwrap();
    let lines: Vec<&str> =
        boards["lines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    let of_frame = |frame: &serde_json::Value| -> Vec<String> {
        let runs = frame.as_str().unwrap().split(',').flat_map(|run| {
            let (from, to) = run.split_once('-').unwrap_or((run, run));
            from.parse::<usize>().unwrap()..=to.parse().unwrap()
        });
        runs.map(|line| lines[line].to_owned()).collect()
    };
    let phases = game.stages.iter().map(|stage| stage.heading()).chain(["the end".to_owned()]);
    let frames = boards["frames"].as_array().unwrap();
    assert_eq!(frames.len(), game.stages.len() + 1);
    phases.zip(frames.iter().map(of_frame)).collect()
}

#[test]
fn every_phase_of_the_kept_games_is_legible() {
    let mut games: Vec<_> =
        fs::read_dir(path("tests/replays")).unwrap().map(|entry| entry.unwrap().path()).collect();
    games.sort();
    let mut seen = Legibility::default();
    for file in thinned(&games, 8) {
        let game = GameRecord::parse("kept", &fs::read_to_string(file).unwrap()).unwrap();
        let name = file.file_stem().unwrap().display();
        for (phase, board) in thinned(boards(&game), 3) {
            seen.add(&format!("{name}, {phase}"), &board.iter().map(String::as_str).collect::<Vec<_>>());
        }
    }
    println!("{} boards, {} plates", seen.boards, seen.plates);
    let [boards, plates] = if tries_all() { [50, 1] } else { [10, 0] };
    assert!(seen.boards > boards && seen.plates >= plates, "{} boards, {} plates", seen.boards, seen.plates);
    assert_legible(&seen);
}

/// The ways to fill a board with units: armies on all land, or fleets on one of up to three coasts.
const FILLINGS: u8 = 4;

/// A board with a unit in every province in which one can be.
fn full(layout: &Layout, chart: &NamedMap, board: &Board, filling: u8) -> String {
    let (mut owners, mut units) = (ByProvince::filled(None), Vec::new());
    for (id, it) in chart.map().faces().filter(|(_, it)| it.state() == FaceState::Open) {
        let at = |coast: u8| Location { province: id, coast: CoastId(coast) };
        let stand = match (it.kind(), filling.checked_sub(1)) {
            (FaceKind::Sea, _) => Stand::firm(UnitKind::Fleet, at(0)),
            (FaceKind::Land, None) => Stand::firm(UnitKind::Army, at(0)),
            (FaceKind::Land, Some(coast)) if board.coasts(id) > coast => {
                Stand::firm(UnitKind::Fleet, at(coast))
            }
            _ => continue,
        };
        owners[id] = Some(Power::FRANCE);
        units.push(DrawnUnit { power: Power::FRANCE, stand });
    }
    let style = Style { owners: Some(owners), units, ..Style::default() };
    svg::board(layout, chart, &style)
}

/// The open provinces beside the edge of the board, or beside a hole.
fn at_the_rim(chart: &NamedMap, layout: &Layout) -> Vec<ProvinceId> {
    let map = chart.map();
    let is_gone = |id: ProvinceId| {
        id == layout.beyond() || map.face(id).is_some_and(|face| face.state() == FaceState::Collapsed)
    };
    let open = map.faces().filter(|&(id, face)| id != layout.beyond() && face.state() == FaceState::Open);
    open.map(|(id, _)| id).filter(|&id| map.sides_of(id).any(|side| is_gone(map.across(side)))).collect()
}

/// Boards on which one province after the other at the rim collapses, each filled with units.
fn crowded(number: u64, holes: usize, seen: &mut Legibility) {
    let mut random = Stream::keyed(1903, Purpose::Bot, &[number]);
    let board = if number % 4 == 3 { "deluge" } else { "standard" };
    let (mut chart, mut layout) = (atlas::find(board).unwrap(), shipped(board).clone());
    for _ in 0..holes {
        let rim = at_the_rim(&chart, &layout);
        let name = chart.map().name(rim[random.below(rim.len() as u32) as usize]).to_owned();
        if apply(&mut chart, &format!("collapse {name}")).is_err() {
            continue;
        }
        layout = layout.next(&chart);
        let board = derive(chart.map());
        for (id, it) in chart.map().faces() {
            if let Some(spot) = layout.spot(id).filter(|spot| spot.plate.is_some()) {
                let (_, room) = geometry::pole(&layout.shape(id));
                assert!(room < ROOMY, "{} has room of {room}, but a plate: {spot:?}", it.name());
            }
        }
        for filling in 0..FILLINGS {
            let svg = full(&layout, &chart, &board, filling);
            seen.add(&format!("crowded {number}, {name}, {filling}"), &svg.lines().collect::<Vec<_>>());
        }
    }
}

#[test]
fn boards_are_legible_where_holes_crowd_at_the_rim() {
    let mut seen = Legibility::default();
    let holes = if tries_all() { 16 } else { 4 };
    for number in 0..amount(1, 3) {
        crowded(number, holes, &mut seen);
    }
    println!("{} boards, {} plates", seen.boards, seen.plates);
    assert!(seen.plates > seen.boards || !tries_all(), "{} plates on {} boards", seen.plates, seen.boards);
    assert_legible(&seen);
}

#[test]
fn a_province_with_room_keeps_its_contents_and_a_plate_its_place() {
    let mut chart = atlas::standard();
    let mut layout = shipped("standard").clone();
    let on_plates = |layout: &Layout, chart: &NamedMap| -> Vec<String> {
        let faces = chart.map().faces();
        faces
            .filter(|&(id, _)| layout.spot(id).is_some_and(|spot| spot.plate.is_some()))
            .map(|(_, it)| it.name().to_owned())
            .collect()
    };
    assert_eq!(on_plates(&layout, &chart), Vec::<String>::new());
    // The Iberian provinces become small when the seas round them go.
    for name in ["MAO", "WES", "NAF", "LYO"] {
        apply(&mut chart, &format!("collapse {name}")).unwrap();
        layout = layout.next(&chart);
    }
    let plates = on_plates(&layout, &chart);
    assert!(!plates.is_empty());
    // A change far away moves none of them.
    apply(&mut chart, "collapse ARM").unwrap();
    let next = layout.next(&chart);
    for name in plates {
        let id = face(&chart, &name);
        assert_eq!(next.spot(id).unwrap().plate, layout.spot(id).unwrap().plate, "{name}");
    }
}

#[test]
fn units_beyond_the_edge_of_a_board_without_an_outside_are_on_a_plate() {
    let chart = small_maps::chart(small_maps::POND);
    let (layout, board) = (Layout::of(&chart), derive(chart.map()));
    let beyond = chart.map().name(layout.beyond()).to_owned();
    let svg = full(&layout, &chart, &board, 1);
    for class in ["<rect class=\"plate", "<path class=\"leader\"", "<text", "<g class=\"unit fleet\""] {
        let of = format!("data-province=\"{beyond}\"");
        assert!(svg.lines().any(|line| line.starts_with(class) && line.contains(&of)), "{class}: {svg}");
    }
    let mut seen = Legibility::default();
    seen.add("the pond", &svg.lines().collect::<Vec<_>>());
    assert_legible(&seen);
}

#[test]
fn the_measure_finds_small_letters_hidden_things_and_nameless_provinces() {
    let name = |province: &str, x: f64, size: f64| {
        format!(r#"<text data-province="{province}" x="{x}" y="50" font-size="{size}">{province}</text>"#)
    };
    let unit = |x: f64| {
        let of = r#"data-province="PAR" data-unit="A PAR" data-power="FRANCE""#;
        format!(r#"<g class="unit army" {of}><circle cx="{x}" cy="50" r="6"/></g>"#)
    };
    let square = |province: &str, x: f64| {
        let (of, east) = (format!(r#"class="province land" data-province="{province}""#), x + 99.0);
        format!(r#"<path id="x" {of} d="M{x} 0L{east} 0L{east} 99L{x} 99Z"/>"#)
    };
    let measured = |lines: &[String]| {
        let mut seen = Legibility::default();
        seen.add("a board", &lines.iter().map(String::as_str).collect::<Vec<_>>());
        seen
    };
    let fair = [
        square("PAR", 0.0),
        square("BUR", 100.0),
        name("PAR", 30.0, 9.0),
        name("BUR", 150.0, 9.0),
        unit(80.0),
    ];
    assert_legible(&measured(&fair));
    let with = |number: usize, line: String| {
        let mut lines = fair.to_vec();
        lines[number] = line;
        measured(&lines)
    };
    assert_eq!(with(2, name("PAR", 30.0, 3.0)).letters[&Kind::Name], 3.0);
    for (number, line, kinds) in [
        (2, name("PAR", 75.0, 9.0), [Kind::Name, Kind::Unit]),
        (3, name("BUR", 32.0, 9.0), [Kind::Name, Kind::Name]),
        (3, unit(84.0), [Kind::Unit, Kind::Unit]),
    ] {
        assert!(with(number, line).covered.keys().eq([&kinds]), "{kinds:?}");
    }
    for line in [name("BUR", 50.0, 9.0), unit(130.0)] {
        assert_eq!(with(3, line).nameless, ["a board: BUR"]);
    }
    // A plate with its name counts if a line leads to it.
    let plate =
        "<rect class=\"plate land\" data-province=\"BUR\" x=\"30\" y=\"30\" width=\"40\" height=\"30\"/>";
    let leader = "<path class=\"leader\" data-province=\"BUR\" d=\"M150 50L50 45\"/>";
    let beside = |more: &[&str]| {
        let mut lines =
            vec![square("PAR", 0.0), square("BUR", 100.0), name("PAR", 15.0, 9.0), name("BUR", 50.0, 9.0)];
        lines.extend(more.iter().map(|&line| line.to_owned()));
        measured(&lines)
    };
    assert_eq!(beside(&[plate]).nameless.len(), 1);
    assert_legible(&Legibility { unit: LEAST_UNIT, ..beside(&[plate, leader]) });
    assert!(beside(&[plate, leader, &unit(35.0)]).covered.keys().eq([&[Kind::Unit, Kind::Plate]]));
}
