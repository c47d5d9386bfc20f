//! Orders, and what happens to the map, drawn over a board.
//!
//! ```text
//!   A ─────────▶ B        a move            A ──────────● B     a support: to the unit, or to the arrow it supports
//!   A ─ ─ ─ ─ ✕  B        one that fails    A ──────────○ ─▶    a convoy: to the army's arrow
//!  (A)                    hold              (A)+  build         A✕  disband
//! ```
//! Arrows bend a little to the left, so that two that go both ways lie side by side.

use std::fmt::Write as _;

use super::geometry::Point;
use super::palette::{self, Colour};
use super::pieces::unit_size;
use super::style::{Act, Drawn, Highlight, Outcome, Place, Stand, Timing};
use super::svg::{Drawing, escaped, place};
use crate::ids::ProvinceId;

/// How far an arrow bends, as a part of its length.
const BEND: f64 = 0.12;
/// Where on an arrow supports and convoys end.
const JOINT: f64 = 0.55;
/// How long the head of an arrow is, and half of how wide.
const HEAD: [f64; 2] = [9.5, 4.6];
/// From the middle of a unit to where its arrow begins, as a part of its size.
const CLEAR: f64 = 1.2;
/// The radius of rings round units, as a part of their size.
const RING: f64 = 1.4;
/// The radius of the ring round a hole.
const HOLE: f64 = 14.0;

/// A bent line: from a point over another to a third.
#[derive(Clone, Copy)]
struct Bow([Point; 3]);

impl Bow {
    /// From point to point, with room left at both ends.
    fn between(from: Point, to: Point, [before, behind]: [f64; 2]) -> Bow {
        let way = to - from;
        let over = from.towards(to, 0.5) + Point::new(-way.y, way.x) * BEND;
        let shortened = |end: Point, by: f64| {
            let length = end.distance(over);
            if length > by { end.towards(over, by / length) } else { end }
        };
        Bow([shortened(from, before), over, shortened(to, behind)])
    }

    fn at(&self, part: f64) -> Point {
        let [from, over, to] = self.0;
        from.towards(over, part).towards(over.towards(to, part), part)
    }

    fn end(&self) -> Point {
        self.0[2]
    }
}

/// How an order's line ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tip {
    Head,
    Dot,
    Ring,
}

/// The orders, those that are given to other units' orders below the rest.
pub(super) fn orders(drawing: &mut Drawing<'_>) {
    let is_help = |act: &Act| {
        matches!(
            act,
            Act::SupportHold { .. } | Act::SupportMove { .. } | Act::Convoy { .. } | Act::Hold { .. }
        )
    };
    drawing.group("orders", |drawing| {
        let orders = &drawing.style.orders;
        for order in orders.iter().filter(|order| is_help(&order.act)) {
            draw(drawing, order);
        }
        for order in orders.iter().filter(|order| !is_help(&order.act)) {
            draw(drawing, order);
        }
    });
}

/// What is drawn of one order, on a line of its own.
struct Sketch<'a> {
    layout: &'a super::layout::Layout,
    colour: Colour,
    outcome: Outcome,
    text: String,
}

fn draw(drawing: &mut Drawing<'_>, order: &Drawn) {
    let mut sketch = Sketch {
        layout: drawing.layout,
        colour: palette::of_power(order.power),
        outcome: order.outcome,
        text: String::new(),
    };
    if sketch.act(drawing, &order.act).is_none() {
        return;
    }
    let class = match order.outcome {
        Outcome::Success => "success",
        Outcome::Failure => "failure",
    };
    let _ = writeln!(
        drawing.text,
        r#"<g class="order {class}" data-order="{}" data-power="{}" fill="none"><title>{}</title>{}</g>"#,
        order.number,
        order.power,
        escaped(&order.title),
        sketch.text,
    );
}

impl Sketch<'_> {
    /// Draws it; `None` where there is no place for it on the board.
    fn act(&mut self, drawing: &Drawing<'_>, act: &Act) -> Option<()> {
        let (layout, board) = (drawing.layout, drawing.board);
        let middle = |stand: Stand| layout.unit(board, stand);
        let size = |stand: Stand| layout.spot(stand.at.province).map_or(0.0, unit_size);
        let clear = |stand: Stand| size(stand) * CLEAR;
        let arrow = |from: Stand, to: Stand| -> Option<Bow> {
            Some(Bow::between(middle(from)?, middle(to)?, [clear(from), clear(to)]))
        };
        let to_joint = |unit: Stand, of: Bow| -> Option<Bow> {
            Some(Bow::between(middle(unit)?, of.at(JOINT), [clear(unit), 0.0]))
        };
        match *act {
            Act::Hold { unit } => self.ring(middle(unit)?, size(unit) * RING, ""),
            Act::Change { unit } => {
                self.ring(middle(unit)?, size(unit) * RING, r#" stroke-dasharray="0.1 5""#)
            }
            Act::Move { unit, to } => self.line(arrow(unit, to)?, Tip::Head),
            Act::SupportHold { unit, supported } => {
                let ends = [clear(unit), size(supported) * RING];
                self.line(Bow::between(middle(unit)?, middle(supported)?, ends), Tip::Dot);
            }
            Act::SupportMove { unit, supported, to } => {
                self.line(to_joint(unit, arrow(supported, to)?)?, Tip::Dot);
            }
            Act::Convoy { unit, army, to } => self.line(to_joint(unit, arrow(army, to)?)?, Tip::Ring),
            Act::Build { unit } => {
                let (at, radius) = (middle(unit)?, size(unit));
                self.ring(at, radius * RING, "");
                self.plus(at + Point::new(radius, radius) * 1.25);
            }
            Act::Disband { unit } => {
                let (at, radius) = (middle(unit)?, size(unit));
                self.ring(at, radius * RING, r#" stroke-dasharray="4 4""#);
                self.cross(at + Point::new(radius, radius) * 1.25);
            }
            Act::Quake { apart, together } => {
                let (data, at) = seam(drawing, apart)?;
                self.stroke(&data, "", 1.5);
                let seen = together.map(|to| layout.spot(to).map(|spot| spot.middle));
                for (i, to) in seen.into_iter().enumerate() {
                    // What lies beyond the edge is away from the other.
                    let Some(to) = to.or_else(|| Some(at + (at - seen[1 - i]?))) else { continue };
                    // As long as it has to be to be seen where to.
                    let length = at.distance(to).min(46.0);
                    let end = at.towards(to, length / at.distance(to).max(1e-9));
                    self.line(Bow::between(at, end, [4.0, 0.0]), Tip::Head);
                }
            }
        }
        Some(())
    }

    /// A stroke in the power's colour with a dark edge, wide enough to be pointed at.
    fn stroke(&mut self, data: &str, dash: &str, times: f64) {
        let _ = write!(
            self.text,
            r#"<path d="{data}" stroke="{}" stroke-opacity="0.001" stroke-width="14"/><path d="{data}" stroke="{}" stroke-width="{:.1}"{dash}/><path d="{data}" stroke="{}" stroke-width="{:.1}"{dash}/>"#,
            palette::PAPER,
            palette::INK,
            4.0 * times,
            self.colour,
            2.7 * times,
        );
    }

    fn line(&mut self, bow: Bow, tip: Tip) {
        let thin = if tip == Tip::Head { 1.0 } else { 0.7 };
        let pair = |point: Point| self.layout.pair(point);
        let [from, over, to] = bow.0;
        // The head covers the end of the line.
        let length = bow.at(0.9).distance(to).max(1e-9);
        let along = (to - bow.at(0.9)) * (1.0 / length);
        let stop = match (tip, self.outcome) {
            (Tip::Head, Outcome::Success) => to - along * HEAD[0].min(from.distance(to)),
            _ => to,
        };
        let data = format!("M{}Q{} {}", pair(from), pair(over), pair(stop));
        if self.outcome == Outcome::Failure {
            self.stroke(&data, r#" stroke-dasharray="5 5""#, thin);
            return self.cross(if tip == Tip::Head { bow.end() } else { bow.at(0.6) });
        }
        self.stroke(&data, "", thin);
        match tip {
            Tip::Head => {
                let across = Point::new(-along.y, along.x) * HEAD[1];
                let [left, right] = [stop + across, stop - across].map(|p| self.layout.pair(p));
                let _ = write!(
                    self.text,
                    r#"<path d="M{left}L{}L{right}Z" fill="{}" stroke="{}" stroke-width="1"/>"#,
                    self.layout.pair(to),
                    self.colour,
                    palette::INK,
                );
            }
            Tip::Dot => self.round(to, 3.2, self.colour),
            Tip::Ring => self.round(to, 4.0, palette::PAPER),
        }
    }

    fn round(&mut self, at: Point, radius: f64, fill: Colour) {
        let at = place(self.layout, at, ["cx", "cy"]);
        let _ = write!(
            self.text,
            r#"<circle {at} r="{radius:.1}" fill="{fill}" stroke="{}" stroke-width="1.1"/>"#,
            palette::INK
        );
    }

    fn ring(&mut self, at: Point, radius: f64, dash: &str) {
        let circle = place(self.layout, at, ["cx", "cy"]);
        for (colour, width) in [(palette::INK, 2.8), (self.colour, 1.7)] {
            let _ = write!(
                self.text,
                r#"<circle {circle} r="{radius:.1}" stroke="{colour}" stroke-width="{width}"{dash}/>"#
            );
        }
        if self.outcome == Outcome::Failure {
            self.cross(at + Point::new(radius, radius) * 0.75);
        }
    }

    /// The mark of what fails, or is given up.
    fn cross(&mut self, at: Point) {
        self.strokes(at, [(-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (1.0, -1.0)], 4.2, palette::ALARM);
    }

    fn plus(&mut self, at: Point) {
        self.strokes(at, [(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)], 5.0, palette::INK);
    }

    fn strokes(&mut self, at: Point, ends: [(f64, f64); 4], size: f64, colour: Colour) {
        let [a, b, c, d] = ends.map(|(x, y)| self.layout.pair(at + Point::new(x, y) * size));
        for (colour, width) in [(palette::PAPER, 5.6), (colour, 2.8)] {
            let _ =
                write!(self.text, r#"<path d="M{a}L{b}M{c}L{d}" stroke="{colour}" stroke-width="{width}"/>"#);
        }
    }
}

/// The borders between two provinces as path data, and the middle of the first; `None` where there are none.
fn seam(drawing: &Drawing<'_>, [a, b]: [ProvinceId; 2]) -> Option<(String, Point)> {
    let map = drawing.chart.map();
    let sides: Vec<_> = map.sides_of(a).filter(|&side| map.across(side) == b).collect();
    let data = sides.iter().map(|&side| drawing.layout.border_data(side)).collect();
    Some((data, drawing.layout.middle_of(*sides.first()?)))
}

/// What happens to the map.
pub(super) fn highlights(drawing: &mut Drawing<'_>) {
    drawing.group("events", |drawing| {
        for highlight in &drawing.style.highlights {
            event(drawing, highlight);
        }
    });
}

fn event(drawing: &mut Drawing<'_>, Highlight { place: at, timing, title }: &Highlight) {
    let (map, layout) = (drawing.chart.map(), drawing.layout);
    let (class, dash) = match timing {
        Timing::Coming => ("coming", r#" stroke-dasharray="9 7""#),
        Timing::Past => ("past", ""),
    };
    let shape = match *at {
        Place::Province(id) => match layout.scars.iter().find(|scar| scar.faces.contains(&id)) {
            Some(scar) => format!(r#"<circle {} r="{HOLE}""#, place(layout, scar.at, ["cx", "cy"])),
            None => format!(r#"<path d="{}""#, layout.face_data(id)),
        },
        Place::Between(pair) => match seam(drawing, pair) {
            Some((data, _)) => format!(r#"<path d="{data}""#),
            None => return,
        },
    };
    let provinces: Vec<&str> = match at {
        Place::Province(id) => vec![map.name(*id)],
        Place::Between(pair) => pair.iter().map(|&id| map.name(id)).collect(),
    };
    let _ = writeln!(
        drawing.text,
        r#"<g class="event {class}" data-province="{}" fill="none"><title>{}</title>{shape} stroke="{}" stroke-width="7.5" stroke-opacity="0.85"/>{shape} stroke="{}" stroke-width="3.6"{dash}/></g>"#,
        escaped(&provinces.join(" ")),
        escaped(title),
        palette::PAPER,
        palette::ALARM,
    );
}
