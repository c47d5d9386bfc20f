//! Orders and changes of the map, drawn over a board.
//!
//! ```text
//!   A ─────────▶ B        a move            A ──────────● B     a support: to the unit, or to the arrow it supports
//!   A ─ ─ ─ ─ ✕  B        one that fails    A ──────────○ ─▶    a convoy: to the army's arrow
//!  (A)                    hold              (A)+  build         A✕  disband
//! ```
//! Arrows bend slightly to the left, so that two in opposite directions are side by side.

use super::geometry::Point;
use super::layout::Layout;
use super::palette::{self, ALARM, Colour, INK, PAPER};
use super::spot::Spot;
use super::style::{DrawnAct, DrawnOrder, DrawnOutcome, DrawnPlace, Highlight, Stand, Timing};
use crate::pieces::{self, Drawing, escaped, place};
use upheaval_map::ids::ProvinceId;

/// The bend of an arrow, relative to its length.
const BEND: f64 = 0.12;
/// The point of an arrow at which supports and convoys end.
const JOINT: f64 = 0.55;
/// The position of the cross on the line of a support that fails: near the supporting unit.
const CROSSED: f64 = 0.35;
/// The length of an arrowhead, and half its width.
const HEAD: [f64; 2] = [9.5, 4.6];
/// The distance from the middle of a unit to the start of its arrow, relative to its size.
const CLEAR: f64 = 1.2;
/// The distance from a place without a unit to the end of an arrow.
const HERE: f64 = 0.35;
/// The radius of rings round units, relative to their size.
const RING: f64 = 1.4;
/// The distance of the mark for a unit's fate from the unit, along each axis, relative to its size.
const ASIDE: f64 = 1.25;
/// The maximum length of the arrows of a seismic order.
const QUAKE: f64 = 46.0;
/// The width of the invisible line that responds to the pointer.
const REACH: f64 = 14.0;
/// The radius of the ring round a hole.
const HOLE: f64 = 14.0;

/// A bent line: from a point over another to a third.
#[derive(Clone, Copy)]
struct Bow([Point; 3]);

impl Bow {
    /// From point to point, with a gap at both ends.
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
}

/// The end of an order's line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tip {
    Head,
    Dot,
    Ring,
}

/// The style of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dash {
    Solid,
    Broken,
    Dotted,
}

impl Dash {
    const fn attribute(self) -> &'static str {
        match self {
            Dash::Solid => "",
            Dash::Broken => r#" stroke-dasharray="5 5""#,
            Dash::Dotted => r#" stroke-dasharray="0.1 5""#,
        }
    }
}

/// The orders: orders that refer to other units' orders lie below the rest, and all of them lie above the invisible
/// areas for the pointer, so that each can be reached.
pub(super) fn orders(drawing: &mut Drawing<'_>) {
    let is_help = |act: &DrawnAct| {
        matches!(
            act,
            DrawnAct::SupportHold { .. }
                | DrawnAct::SupportMove { .. }
                | DrawnAct::Convoy { .. }
                | DrawnAct::Hold { .. }
        )
    };
    let (help, rest): (Vec<&DrawnOrder>, Vec<&DrawnOrder>) =
        drawing.style.orders.iter().partition(|order| is_help(&order.act));
    let sketches: Vec<(&DrawnOrder, Sketch<'_>)> =
        help.into_iter().chain(rest).filter_map(|order| Some((order, Sketch::of(drawing, order)?))).collect();
    drawing.group("reaches", |drawing| {
        for (order, sketch) in &sketches {
            write(drawing, order, "reach", &sketch.reach);
        }
    });
    drawing.group("orders", |drawing| {
        for (order, sketch) in &sketches {
            let class = match order.outcome {
                DrawnOutcome::Success => "order success",
                DrawnOutcome::Failure => "order failure",
            };
            write(drawing, order, class, &sketch.text);
        }
    });
}

/// The drawing of one order, on a line of its own.
fn write(drawing: &mut Drawing<'_>, order: &DrawnOrder, class: &str, text: &str) {
    if !text.is_empty() {
        drawing.put(format_args!(
            r#"<g class="{class}" data-order="{}" data-power="{}" fill="none"><title>{}</title>{text}</g>"#,
            order.number,
            drawing.power(order.power).name,
            escaped(&order.title),
        ));
    }
}

/// The drawing of one order.
struct Sketch<'a> {
    layout: &'a Layout,
    colour: Colour,
    outcome: DrawnOutcome,
    /// The visible part.
    text: String,
    /// The invisible part that responds to the pointer.
    reach: String,
}

impl<'a> Sketch<'a> {
    /// Draws it; `None` if its places are not on the board.
    fn of(drawing: &Drawing<'a>, order: &DrawnOrder) -> Option<Sketch<'a>> {
        let mut sketch = Sketch {
            layout: drawing.layout,
            colour: palette::of_power(drawing.power(order.power)),
            outcome: order.outcome,
            text: String::new(),
            reach: String::new(),
        };
        sketch.act(drawing, &order.act)?;
        Some(sketch)
    }

    fn act(&mut self, drawing: &Drawing<'_>, act: &DrawnAct) -> Option<()> {
        let (layout, board) = (drawing.layout, drawing.board);
        let middle = |stand: Stand| layout.unit(board, stand);
        let size = |stand: Stand| layout.spot(stand.at.province).map_or(0.0, Spot::unit_size);
        let clear = |stand: Stand| size(stand) * CLEAR;
        let arrow = |from: Stand, to: Stand| -> Option<Bow> {
            let units = &drawing.style.units;
            let is_taken = units.iter().any(|piece| piece.stand.at.province == to.at.province);
            let room = if is_taken { clear(to) } else { size(to) * HERE };
            Some(Bow::between(middle(from)?, middle(to)?, [clear(from), room]))
        };
        let to_joint = |unit: Stand, of: Bow| -> Option<Bow> {
            Some(Bow::between(middle(unit)?, of.at(JOINT), [clear(unit), 0.0]))
        };
        let aside = |unit: Stand| Some(middle(unit)? + Point::new(ASIDE, ASIDE) * size(unit));
        match *act {
            DrawnAct::Hold { unit } => self.ring(middle(unit)?, size(unit) * RING, Dash::Solid),
            DrawnAct::Change { unit } => self.ring(middle(unit)?, size(unit) * RING, Dash::Dotted),
            DrawnAct::Move { unit, to } => self.line(arrow(unit, to)?, Tip::Head),
            DrawnAct::SupportHold { unit, supported } => {
                let ends = [clear(unit), size(supported) * RING];
                self.line(Bow::between(middle(unit)?, middle(supported)?, ends), Tip::Dot);
            }
            DrawnAct::SupportMove { unit, supported, to } => {
                self.line(to_joint(unit, arrow(supported, to)?)?, Tip::Dot);
            }
            DrawnAct::Convoy { unit, army, to } => self.line(to_joint(unit, arrow(army, to)?)?, Tip::Ring),
            DrawnAct::Build { unit } => {
                let body = pieces::body(layout, unit.kind, middle(unit)?, size(unit), self.colour, "");
                self.text += &format!(r#"<g opacity="0.6">{body}</g>"#);
                self.plus(aside(unit)?);
                if self.outcome == DrawnOutcome::Failure {
                    self.cross(middle(unit)?);
                }
            }
            DrawnAct::Disband { unit } => {
                self.ring(middle(unit)?, size(unit) * RING, Dash::Broken);
                self.cross(aside(unit)?);
            }
            DrawnAct::Quake { apart: [a, b], together } if a == b => {
                // A face is pushed apart by two others.
                let end = |of: ProvinceId| Some(seam(drawing, [of, a])?.middle);
                let [from, to] = [end(together[0])?, end(together[1])?];
                let meet = from.towards(to, 0.5);
                for end in [from, to] {
                    self.line(Bow::between(end, meet, [0.0, 1.0]), Tip::Head);
                }
            }
            DrawnAct::Quake { apart, together } => {
                let Seam { data, middle: at, .. } = seam(drawing, apart)?;
                self.stroke(&data, Dash::Solid, 1.3);
                let is_on_board = |to: &ProvinceId| *to != layout.beyond();
                let seen =
                    together.map(|to| layout.spot(to).filter(|_| is_on_board(&to)).map(|spot| spot.middle));
                for (i, to) in seen.into_iter().enumerate() {
                    // A side beyond the edge of the board is opposite to the other.
                    let Some(to) = to.or_else(|| Some(at + (at - seen[1 - i]?))) else { continue };
                    let far = at.distance(to).max(1e-9);
                    self.line(Bow::between(at, at.towards(to, far.min(QUAKE) / far), [4.0, 0.0]), Tip::Head);
                }
            }
        }
        Some(())
    }

    /// A stroke in the power's colour with a dark edge, and the invisible line for the pointer.
    fn stroke(&mut self, data: &str, dash: Dash, times: f64) {
        self.reach +=
            &format!(r#"<path d="{data}" stroke="{PAPER}" stroke-opacity="0.001" stroke-width="{REACH}"/>"#);
        for (colour, width) in [(INK, 4.0), (self.colour, 2.7)] {
            let (width, dash) = (width * times, dash.attribute());
            self.text += &format!(r#"<path d="{data}" stroke="{colour}" stroke-width="{width:.1}"{dash}/>"#);
        }
    }

    fn line(&mut self, bow: Bow, tip: Tip) {
        let times = if tip == Tip::Head { 1.0 } else { 0.7 };
        let pair = |point: Point| self.layout.pair(point);
        let [from, over, to] = bow.0;
        // The head covers the end of the line.
        let before = bow.at(0.9);
        let along = (to - before) * (1.0 / before.distance(to).max(1e-9));
        let stop = match (tip, self.outcome) {
            (Tip::Head, DrawnOutcome::Success) => to - along * HEAD[0].min(from.distance(to)),
            _ => to,
        };
        let data = format!("M{}Q{} {}", pair(from), pair(over), pair(stop));
        if self.outcome == DrawnOutcome::Failure {
            self.stroke(&data, Dash::Broken, times);
            return self.cross(if tip == Tip::Head { to } else { bow.at(CROSSED) });
        }
        self.stroke(&data, Dash::Solid, times);
        match tip {
            Tip::Head => {
                let across = Point::new(-along.y, along.x) * HEAD[1];
                let [left, right] = [stop + across, stop - across].map(|p| self.layout.pair(p));
                self.text += &format!(
                    r#"<path d="M{left}L{}L{right}Z" fill="{}" stroke="{INK}" stroke-width="1"/>"#,
                    self.layout.pair(to),
                    self.colour,
                );
            }
            Tip::Dot => self.round(to, 3.2, self.colour),
            Tip::Ring => self.round(to, 4.0, PAPER),
        }
    }

    fn round(&mut self, at: Point, radius: f64, fill: Colour) {
        let at = place(self.layout, at, ["cx", "cy"]);
        self.text +=
            &format!(r#"<circle {at} r="{radius:.1}" fill="{fill}" stroke="{INK}" stroke-width="1.1"/>"#);
    }

    fn ring(&mut self, at: Point, radius: f64, dash: Dash) {
        let (circle, dash) = (place(self.layout, at, ["cx", "cy"]), dash.attribute());
        for (colour, width) in [(INK, 2.8), (self.colour, 1.7)] {
            self.text += &format!(
                r#"<circle {circle} r="{radius:.1}" stroke="{colour}" stroke-width="{width}"{dash}/>"#
            );
        }
        if self.outcome == DrawnOutcome::Failure {
            self.cross(at + Point::new(radius, radius) * 0.75);
        }
    }

    /// The mark of a failure, or of a unit that is removed.
    fn cross(&mut self, at: Point) {
        self.strokes(at, [(-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (1.0, -1.0)], 4.2, ALARM);
    }

    /// The mark of a new unit.
    fn plus(&mut self, at: Point) {
        self.strokes(at, [(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)], 5.0, INK);
    }

    fn strokes(&mut self, at: Point, ends: [(f64, f64); 4], size: f64, colour: Colour) {
        let [a, b, c, d] = ends.map(|(x, y)| self.layout.pair(at + Point::new(x, y) * size));
        for (colour, width) in [(PAPER, 5.6), (colour, 2.8)] {
            self.text += &format!(r#"<path d="M{a}L{b}M{c}L{d}" stroke="{colour}" stroke-width="{width}"/>"#);
        }
    }
}

/// The common borders of two provinces.
struct Seam {
    /// All of them as path data.
    data: String,
    /// The middle of the first.
    middle: Point,
    /// Their total length.
    length: f64,
}

/// The common borders of two provinces; `None` if there are none.
fn seam(drawing: &Drawing<'_>, [a, b]: [ProvinceId; 2]) -> Option<Seam> {
    let (map, layout) = (drawing.chart.map(), drawing.layout);
    let sides: Vec<_> = map.sides_of(a).filter(|&side| map.across(side) == b).collect();
    let length = |line: Vec<Point>| line.windows(2).map(|pair| pair[0].distance(pair[1])).sum::<f64>();
    Some(Seam {
        data: sides.iter().map(|&side| layout.border_data(side)).collect(),
        middle: layout.middle_of(*sides.first()?),
        length: sides.iter().map(|&side| length(layout.curve(side))).sum(),
    })
}

/// The changes of the map.
pub(super) fn highlights(drawing: &mut Drawing<'_>) {
    drawing.group("events", |drawing| {
        for number in 0..drawing.style.highlights.len() {
            event(drawing, number);
        }
    });
}

/// The outline of one of the changes that are pointed out: its shape, and the widths of its strokes, first of the edge,
/// then of the line itself.
fn outline(drawing: &Drawing<'_>, number: usize) -> Option<(String, [f64; 2])> {
    let layout = drawing.layout;
    let (before, rest) = drawing.style.highlights.split_at(number);
    let (&Highlight { place: at, timing, .. }, after) = rest.split_first()?;
    let path = |data: &str| format!(r#"<path d="{data}""#);
    // A ring round a point that already has this many.
    let ring = |at: Point, within: usize| {
        format!(r#"<circle {} r="{}""#, place(layout, at, ["cx", "cy"]), HOLE + 5.0 * within as f64)
    };
    let (shape, widths) = match at {
        DrawnPlace::Province(id) => match layout.scars.iter().find(|scar| scar.faces.contains(&id)) {
            Some(scar) => {
                let is_here = |other: &&Highlight| matches!(other.place, DrawnPlace::Province(id) if scar.faces.contains(&id));
                return Some((ring(scar.at, before.iter().filter(is_here).count()), [7.5, 3.6]));
            }
            None => (path(&layout.face_data(id)), [7.5, 3.6]),
        },
        DrawnPlace::Between(pair) => {
            let seam = seam(drawing, pair)?;
            // A border that is about to go is drawn so that it is visible beside the orders that move it; a very short
            // one gets a ring.
            match timing {
                _ if seam.length <= 2.0 * HOLE => (ring(seam.middle, 0), [7.5, 3.6]),
                Timing::Coming => (path(&seam.data), [16.0, 12.0]),
                Timing::Past => (path(&seam.data), [10.0, 5.5]),
            }
        }
    };
    // It is wider than what is drawn over it.
    let over = after.iter().position(|other| other.place == at);
    let [covered, _] =
        over.and_then(|next| outline(drawing, number + 1 + next)).map_or([0.0; 2], |(_, widths)| widths);
    Some((shape, widths.map(|width| width + covered)))
}

fn event(drawing: &mut Drawing<'_>, number: usize) {
    let (map, highlights) = (drawing.chart.map(), &drawing.style.highlights);
    let Highlight { place: at, timing, title } = &highlights[number];
    let (class, dash) = match timing {
        Timing::Coming => ("coming", r#" stroke-dasharray="9 7""#),
        Timing::Past => ("past", ""),
    };
    let Some((shape, widths)) = outline(drawing, number) else { return };
    let provinces: Vec<&str> = match at {
        DrawnPlace::Province(id) => vec![map.name(*id)],
        DrawnPlace::Between(pair) => pair.iter().map(|&id| map.name(id)).collect(),
    };
    drawing.put(format_args!(
        r#"<g class="event {class}" data-province="{}" fill="none"><title>{}</title>{shape} stroke="{PAPER}" stroke-width="{}" stroke-opacity="0.85"/>{shape} stroke="{ALARM}" stroke-width="{}"{dash}/></g>"#,
        escaped(&provinces.join(" ")),
        escaped(title),
        widths[0],
        widths[1],
    ));
}
