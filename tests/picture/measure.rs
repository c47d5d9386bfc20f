//! Measures how legible an SVG of a board is, from its text alone: no code that draws boards is used.

use std::collections::{BTreeMap, BTreeSet};

/// A point of an SVG, y to the south.
type Point = (f64, f64);

/// A part of this size of the smaller of two things may be covered by the other: less than a player can see.
const SEEN: f64 = 0.05;

/// The kind of a thing on a board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    Name,
    CoastName,
    Unit,
    Dislodged,
    Plate,
}

/// A thing on a board that a player has to see whole.
#[derive(Clone, Debug)]
pub(super) struct Thing {
    pub kind: Kind,
    /// Its text, or the unit.
    pub what: String,
    pub province: String,
    /// Its shapes, each convex.
    shapes: Vec<Vec<Point>>,
    /// The height of letters; the radius of a unit.
    pub size: f64,
}

/// The value of an attribute of the element at the start of this text.
pub(super) fn value<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let tag = element.split('>').next()?;
    let begin = tag.find(&format!(" {name}=\""))? + name.len() + 3;
    tag[begin..].split('"').next()
}

fn number(element: &str, name: &str) -> f64 {
    value(element, name).and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("no {name}: {element}"))
}

fn rectangle(west: f64, north: f64, wide: f64, high: f64) -> Vec<Point> {
    vec![(west, north), (west + wide, north), (west + wide, north + high), (west, north + high)]
}

/// The text of an element and the box of its letters: capitals of this font are about 0.7 of its size high and wide.
fn letters(element: &str) -> (String, Vec<Point>, f64) {
    let text = element.split('>').nth(1).and_then(|rest| rest.split('<').next()).unwrap_or_default();
    let (x, y, size) = (number(element, "x"), number(element, "y"), number(element, "font-size"));
    let wide = 0.7 * size * text.chars().count() as f64;
    (text.to_owned(), rectangle(x - wide / 2.0, y - 0.7 * size, wide, 0.7 * size), size)
}

/// A polygon within a circle, at the hours of a clock.
fn round(x: f64, y: f64, r: f64) -> Vec<Point> {
    let (a, b) = (0.866_025_403_784, 0.5);
    let quarter = [(1.0, 0.0), (a, b), (b, a)];
    let turned = |(x, y): Point, times: usize| (0..times).fold((x, y), |(x, y), _| (-y, x));
    (0..12)
        .map(|hour| turned(quarter[hour % 3], hour / 3))
        .map(|(right, down)| (x + r * right, y + r * down))
        .collect()
}

/// The points of a path, cycle by cycle: of each curve, those at its quarters.
fn cycles(data: &str) -> Vec<Vec<Point>> {
    let mut cycles: Vec<Vec<Point>> = Vec::new();
    let mut rest = data;
    while let Some(command) = rest.chars().next() {
        let end = rest[1..].find(|c: char| c.is_ascii_alphabetic()).map_or(rest.len(), |at| at + 1);
        let numbers: Vec<f64> = rest[1..end].split_whitespace().map(|text| text.parse().unwrap()).collect();
        rest = &rest[end..];
        match (command, &numbers[..]) {
            ('M', &[x, y]) => cycles.push(vec![(x, y)]),
            ('L', &[x, y]) => cycles.last_mut().unwrap().push((x, y)),
            ('Q', &[over_x, over_y, x, y]) => {
                let cycle = cycles.last_mut().unwrap();
                let from = *cycle.last().unwrap();
                let at = |part: f64, from: f64, over: f64, to: f64| {
                    let rest = 1.0 - part;
                    rest * rest * from + 2.0 * rest * part * over + part * part * to
                };
                let points = [0.25, 0.5, 0.75, 1.0]
                    .map(|part| (at(part, from.0, over_x, x), at(part, from.1, over_y, y)));
                cycle.extend(points);
            }
            ('Z', []) => {}
            _ => panic!("{command} {numbers:?}: {data}"),
        }
    }
    cycles
}

fn contains(cycles: &[Vec<Point>], (x, y): Point) -> bool {
    let edges = cycles.iter().flat_map(|cycle| cycle.iter().zip(cycle.iter().cycle().skip(1)));
    let crossed =
        edges.filter(|&(a, b)| (a.1 > y) != (b.1 > y) && x < (b.0 - a.0) * (y - a.1) / (b.1 - a.1) + a.0);
    crossed.count() % 2 == 1
}

/// The names and units of a board, and the plates beside provinces.
pub(super) fn things<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<Thing> {
    let mut found = Vec::new();
    for line in lines {
        let province = value(line, "data-province").unwrap_or_default().to_owned();
        let mut add = |kind: Kind, what: String, shapes: Vec<Vec<Point>>, size: f64| {
            found.push(Thing { kind, what, province: province.clone(), shapes, size });
        };
        let class = value(line, "class").unwrap_or_default();
        if line.starts_with("<text data-province") || line.starts_with("<text class=\"coast\"") {
            let (text, shape, size) = letters(line);
            add(if class == "coast" { Kind::CoastName } else { Kind::Name }, text, vec![shape], size);
        } else if class.starts_with("plate ") {
            let [x, y, wide, high] = ["x", "y", "width", "height"].map(|name| number(line, name));
            add(Kind::Plate, String::new(), vec![rectangle(x, y, wide, high)], high / 2.0);
        } else if class.starts_with("unit ") {
            let (mut shapes, mut size) = (Vec::new(), 0.0_f64);
            for part in line.split('<') {
                if part.starts_with("circle") {
                    size = number(part, "r");
                    shapes.push(round(number(part, "cx"), number(part, "cy"), size));
                } else if part.starts_with("path") {
                    let hull = cycles(value(part, "d").unwrap()).remove(0);
                    size = size.max((hull[1].0 - hull[0].0).abs() / 3.0);
                    shapes.push(hull);
                }
            }
            let kind = if class.contains("dislodged") { Kind::Dislodged } else { Kind::Unit };
            add(
                kind,
                format!("{} of {}", value(line, "data-unit").unwrap(), value(line, "data-power").unwrap()),
                shapes,
                size,
            );
        }
    }
    found
}

fn area(shape: &[Point]) -> f64 {
    let edges = shape.iter().zip(shape.iter().cycle().skip(1));
    edges.map(|(a, b)| a.0 * b.1 - a.1 * b.0).sum::<f64>() / 2.0
}

/// The area that two convex shapes have in common.
fn common(a: &[Point], b: &[Point]) -> f64 {
    let sign = area(b).signum();
    let mut left = a.to_vec();
    for (from, to) in b.iter().zip(b.iter().cycle().skip(1)) {
        let side = |p: Point| ((to.0 - from.0) * (p.1 - from.1) - (to.1 - from.1) * (p.0 - from.0)) * sign;
        let mut cut = Vec::new();
        for (&p, &q) in left.iter().zip(left.iter().cycle().skip(1)) {
            let (s, t) = (side(p), side(q));
            if s >= 0.0 {
                cut.push(p);
            }
            if (s >= 0.0) != (t >= 0.0) {
                let part = s / (s - t);
                cut.push((p.0 + (q.0 - p.0) * part, p.1 + (q.1 - p.1) * part));
            }
        }
        if cut.len() < 3 {
            return 0.0;
        }
        left = cut;
    }
    area(&left).abs()
}

/// The part of the smaller of two things that the other covers, or is covered by.
fn covered(a: &Thing, b: &Thing) -> f64 {
    let most = |thing: &Thing| thing.shapes.iter().map(|shape| area(shape).abs()).fold(0.0, f64::max);
    let shared = a.shapes.iter().flat_map(|x| b.shapes.iter().map(|y| common(x, y))).fold(0.0, f64::max);
    shared / most(a).min(most(b)).max(1e-9)
}

/// What is wrong with boards, with examples.
#[derive(Debug, Default)]
pub(super) struct Legibility {
    /// The number of boards.
    pub boards: usize,
    /// The smallest letters of provinces' and of coasts' names.
    pub letters: BTreeMap<Kind, f64>,
    /// The name that has them, with its board.
    pub smallest: BTreeMap<Kind, String>,
    /// The smallest radius of a unit.
    pub unit: f64,
    /// By the kinds of the two: pairs of things of which one covers the other.
    pub covered: BTreeMap<[Kind; 2], Vec<String>>,
    /// Open provinces whose name is neither in them nor on a plate beside them.
    pub nameless: Vec<String>,
    /// The number of plates.
    pub plates: usize,
}

impl Legibility {
    /// Adds a board.
    pub(super) fn add(&mut self, board: &str, lines: &[&str]) {
        let things = things(lines.iter().copied());
        self.boards += 1;
        for thing in &things {
            match thing.kind {
                Kind::Name | Kind::CoastName => {
                    let least = self.letters.entry(thing.kind).or_insert(f64::INFINITY);
                    if thing.size < *least {
                        *least = thing.size;
                        self.smallest.insert(thing.kind, format!("{board}: {}", thing.province));
                    }
                }
                Kind::Unit | Kind::Dislodged => {
                    self.unit = if self.unit == 0.0 { thing.size } else { self.unit.min(thing.size) };
                }
                Kind::Plate => self.plates += 1,
            }
        }
        for (i, a) in things.iter().enumerate() {
            for b in &things[i + 1..] {
                let is_on_its_plate =
                    a.province == b.province && (a.kind == Kind::Plate || b.kind == Kind::Plate);
                if !is_on_its_plate && covered(a, b) > SEEN {
                    let mut kinds = [a.kind, b.kind];
                    kinds.sort();
                    let what = format!(
                        "{board}: {} of {} and {} of {}, {:.2}",
                        a.what,
                        a.province,
                        b.what,
                        b.province,
                        covered(a, b)
                    );
                    self.covered.entry(kinds).or_default().push(what);
                }
            }
        }
        self.look_for_names(board, lines, &things);
    }

    /// Every open province has its name in it, or on a plate to which a line leads.
    fn look_for_names(&mut self, board: &str, lines: &[&str], things: &[Thing]) {
        let with = |start: &str| -> Vec<&str> {
            lines.iter().copied().filter(|line| line.starts_with(start)).collect()
        };
        let led: BTreeSet<&str> = with("<path class=\"leader\"")
            .into_iter()
            .filter_map(|line| value(line, "data-province"))
            .collect();
        for line in lines
            .iter()
            .filter(|line| value(line, "class").is_some_and(|class| class.starts_with("province ")))
        {
            let (province, class) = (value(line, "data-province").unwrap(), value(line, "class").unwrap());
            if ["province hole", "province point"].contains(&class) {
                continue;
            }
            let shape = cycles(value(line, "d").unwrap());
            let is_in_sight = |name: &Thing| {
                let [a, _, c, _] = name.shapes[0][..] else { return false };
                let middle = ((a.0 + c.0) / 2.0, (a.1 + c.1) / 2.0);
                let on_plate = |plate: &Thing| {
                    plate.kind == Kind::Plate && plate.province == province && contains(&plate.shapes, middle)
                };
                contains(&shape, middle) || (led.contains(province) && things.iter().any(on_plate))
            };
            let is_named = |thing: &Thing| {
                thing.kind == Kind::Name
                    && thing.province == province
                    && thing.what == province
                    && is_in_sight(thing)
            };
            if !things.iter().any(is_named) {
                self.nameless.push(format!("{board}: {province}"));
            }
        }
    }
}
