//! The objects on a board: marks of centres, units, the legend.

use std::fmt::{self, Display, Write as _};

use crate::geometry::Point;
use crate::layout::Layout;
use crate::palette::{self, Colour, INK, PAPER};
use crate::style::{DrawnUnit, Footing, Heat, Style};
use upheaval_map::ids::{Designation, Power, PowerInfo, ProvinceId, UnitKind};
use upheaval_map::letters::is_acted_on;
use upheaval_map::topology::{Board, Face, FaceKind, FaceState, NamedMap};

// An SVG in the making: its text, its sources, and how texts and positions are written in it.

/// The text of an SVG in the making.
pub(crate) struct Drawing<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) chart: &'a NamedMap,
    pub(crate) board: &'a Board,
    pub(crate) style: &'a Style,
    pub(crate) text: String,
}

/// Text in escaped form.
///
/// A character that a terminal would interpret is written as its number, and one that markup cannot contain at all as
/// `\u{fffd}`.
pub(crate) fn escaped(text: &str) -> String {
    let mut markup = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => markup.push_str("&amp;"),
            '<' => markup.push_str("&lt;"),
            '>' => markup.push_str("&gt;"),
            '"' => markup.push_str("&quot;"),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => markup.push(char::REPLACEMENT_CHARACTER),
            c if is_acted_on(c) => markup += &format!("&#x{:x};", u32::from(c)),
            c => markup.push(c),
        }
    }
    markup
}

/// `at` as two attributes, y to the south.
pub(crate) fn place(layout: &Layout, at: Point, names: [&str; 2]) -> String {
    let pair = layout.pair(at);
    let (x, y) = pair.split_once(' ').unwrap_or((&pair, ""));
    format!(r#"{}="{x}" {}="{y}""#, names[0], names[1])
}

impl<'a> Drawing<'a> {
    /// Appends a line.
    pub(crate) fn put(&mut self, line: fmt::Arguments<'_>) {
        // Writing into a string cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    pub(crate) fn group(&mut self, class: &str, draw: impl FnOnce(&mut Self)) {
        self.group_of(&format!(r#"class="{class}""#), draw);
    }

    /// A group with these attributes, unless there is nothing in it.
    pub(crate) fn group_of(&mut self, attributes: &str, draw: impl FnOnce(&mut Self)) {
        let begun = self.text.len();
        self.put(format_args!("<g {attributes}>"));
        let open = self.text.len();
        draw(self);
        if self.text.len() == open {
            self.text.truncate(begun);
        } else {
            self.text.push_str("</g>\n");
        }
    }

    /// The owner of a centre; if there are no owners, the power whose home it is.
    pub(crate) fn owner(&self, id: ProvinceId) -> Option<&'a PowerInfo> {
        let owner = match &self.style.owners {
            Some(owners) => owners[id],
            None => self.chart.info(id).filter(|info| info.supply_centre).and_then(|info| info.home),
        };
        owner.map(|power| self.power(power))
    }

    /// What the board says about a power.
    pub(crate) fn power(&self, power: Power) -> &'a PowerInfo {
        self.chart.power_names().info(power)
    }

    /// The attribute that names the owner, if there is one.
    pub(crate) fn data_power(owner: Option<&PowerInfo>) -> String {
        owner.map_or(String::new(), |power| format!(r#" data-power="{}""#, power.name))
    }
}

/// The marks of the supply centres: a ring in its owner's colour.
pub(super) fn centres(drawing: &mut Drawing<'_>) {
    let bare = drawing.style.units.is_empty();
    drawing.group("centres", |drawing| {
        for id in drawing.chart.centres().iter() {
            let Some(spot) = drawing.layout.spot(id) else { continue };
            let at = if bare { spot.lone_centre() } else { spot.centre };
            let radius = (spot.letters * 0.3).max(1.5);
            let owner = drawing.owner(id).filter(|_| drawing.style.heat.is_none());
            let fill = owner.map_or(PAPER, palette::of_power);
            let mut what = format!("Supply centre {}", drawing.chart.map().name(id));
            if let Some(owner) = owner {
                let _ = write!(what, " of {}", owner.proper_name);
            }
            let circle = place(drawing.layout, at, ["cx", "cy"]);
            let name = escaped(drawing.chart.map().name(id));
            let power = Drawing::data_power(owner);
            drawing.put(format_args!(
                r#"<g class="centre" data-province="{name}"{power}><title>{}</title><circle {circle} r="{:.1}" fill="{PAPER}" stroke="{INK}" stroke-width="1"/><circle {circle} r="{radius:.1}" fill="{fill}" stroke="{INK}" stroke-width="0.7"/></g>"#,
                escaped(&what), radius * 1.5,
            ));
        }
    });
}

/// The units: a disc for an army, a hull for a fleet, a disc on a hull for both, in the power's colour and with its
/// letter.
pub(super) fn units(drawing: &mut Drawing<'_>) {
    drawing.group("units", |drawing| {
        for piece in &drawing.style.units {
            unit(drawing, piece);
        }
    });
}

/// A unit without its letter.
pub(super) fn body(
    layout: &Layout,
    kind: Designation,
    at: Point,
    size: f64,
    colour: Colour,
    more: &str,
) -> String {
    let corner = |right: f64, up: f64| layout.pair(at + Point::new(right, up) * size);
    let round = format!(r#"<circle {} r="{size:.1}""#, place(layout, at, ["cx", "cy"]));
    // A hull with a bow and a stern.
    let [a, b, c, d] = [corner(-1.5, 0.75), corner(1.5, 0.75), corner(0.9, -0.8), corner(-0.9, -0.8)];
    let hull = format!(r#"<path d="M{a}L{b}L{c}L{d}Z""#);
    let shapes = match kind {
        Designation::Army => vec![round],
        Designation::Fleet => vec![hull],
        Designation::ArmyFleet => vec![hull, round],
    };
    let drawn =
        |shape: &String| format!(r#"{shape} fill="{colour}" stroke="{INK}" stroke-width="1.4"{more}/>"#);
    shapes.iter().map(drawn).collect()
}

fn unit(drawing: &mut Drawing<'_>, &DrawnUnit { power, stand }: &DrawnUnit) {
    let Some(spot) = drawing.layout.spot(stand.at.province) else { return };
    let size = spot.unit_size();
    let Some(at) = drawing.layout.unit(drawing.board, stand) else { return };
    let is_fleet = stand.kind.kind() == UnitKind::Fleet;
    let [kind, class] = match stand.kind {
        Designation::Army => ["Army", "army"],
        Designation::Fleet => ["Fleet", "fleet"],
        Designation::ArmyFleet => ["Army aboard a fleet", "fleet laden"],
    };
    let name = drawing.chart.map().name(stand.at.province);
    let coasts = drawing.chart.coast_names(drawing.board, stand.at.province);
    let coast = coasts.get(usize::from(stand.at.coast.0)).filter(|_| is_fleet);
    let place_name = coast.map_or(name.to_owned(), |coast| format!("{name}/{coast}"));
    let [fate, more, dash] = match stand.footing {
        Footing::Firm => ["", "", ""],
        Footing::Dislodged(_) => [", dislodged", " dislodged", r#" stroke-dasharray="2.5 2""#],
    };
    let power = drawing.power(power);
    let colour = palette::of_power(power);
    let bodies = body(drawing.layout, stand.kind, at, size, colour, dash);
    drawing.put(format_args!(
        r#"<g class="unit {class}{more}" data-province="{}" data-unit="{} {}" data-power="{}"><title>{kind} of {} in {}{fate}</title>{bodies}<text {} font-size="{:.1}" font-weight="bold" font-family="sans-serif" fill="{}">{}</text></g>"#,
        escaped(name),
        stand.kind.name(),
        escaped(&place_name),
        power.name,
        power.proper_name,
        escaped(&place_name),
        place(drawing.layout, at - Point::new(0.0, size * 0.42), ["x", "y"]),
        size * 1.2,
        palette::on(colour),
        power.mark,
    ));
}

/// Are there colours that need an explanation?
pub(super) fn has_legend(drawing: &Drawing<'_>) -> bool {
    let style = drawing.style;
    style.heat.is_some() || style.owners.is_some() || !style.units.is_empty() || !marks_on(drawing).is_empty()
}

/// The meaning of the colours, below the board.
pub(super) fn legend(drawing: &mut Drawing<'_>, top: f64, height: f64) {
    let style = drawing.style;
    drawing.group("legend", |drawing| match &style.heat {
        Some(heat) => scale(drawing, heat, top, height),
        None => {
            powers(drawing, top);
            marks(drawing, top + ROW * rows_of_powers(drawing) as f64);
        }
    });
}

fn swatch(text: &mut String, x: f64, y: f64, width: f64, fill: impl Display) {
    let _ = writeln!(
        text,
        r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="14" fill="{fill}" stroke="{INK}" stroke-width="0.7"/>"#
    );
}

fn label(text: &mut String, [x, y]: [f64; 2], font: &str, word: &str) {
    let _ = writeln!(text, r#"<text x="{x:.1}" y="{y:.1}" {font} fill="{INK}">{word}</text>"#);
}

/// The number of legend entries side by side.
const COLUMNS: usize = 7;

/// The height of a legend row.
const ROW: f64 = 21.0;

/// The height of the legend below a board.
pub(super) fn legend_height(drawing: &Drawing<'_>) -> f64 {
    let further = rows_of_powers(drawing) - 1;
    46.0 + if drawing.style.heat.is_some() { 0.0 } else { ROW * further as f64 }
}

fn rows_of_powers(drawing: &Drawing<'_>) -> usize {
    drawing.chart.powers().len().div_ceil(COLUMNS)
}

fn powers(drawing: &mut Drawing<'_>, top: f64) {
    let each = drawing.layout.width() / COLUMNS as f64;
    for (i, power) in drawing.chart.powers().iter().enumerate() {
        let power = drawing.power(power);
        let (x, top) = (each * (i % COLUMNS) as f64, top + ROW * (i / COLUMNS) as f64);
        swatch(&mut drawing.text, x, top, 20.0, palette::of_power(power));
        drawing.put(format_args!(
            r#"<text x="{:.1}" y="{:.1}" font-size="11" font-weight="bold" font-family="sans-serif" fill="{}">{}</text><text x="{:.1}" y="{:.1}" font-size="14" text-anchor="start" fill="{INK}">{}</text>"#,
            x + 10.0,
            top + 11.0,
            palette::on(palette::of_power(power)),
            power.mark,
            x + 26.0,
            top + 12.0,
            power.proper_name,
        ));
    }
}

/// The appearance of a face that is neither land nor open sea.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    Hole,
    Void,
    Impassable,
    Ice,
}

impl Mark {
    fn of(face: &Face<'_>) -> Option<Mark> {
        match (face.state(), face.kind()) {
            (_, FaceKind::Point) => None,
            (FaceState::Collapsed, _) => Some(Mark::Hole),
            (FaceState::Void, _) => Some(Mark::Void),
            (_, FaceKind::Impassable | FaceKind::Outside) => Some(Mark::Impassable),
            (_, FaceKind::Ice) => Some(Mark::Ice),
            (_, FaceKind::Land | FaceKind::Sea) => None,
        }
    }
}

/// The marks on the board that need an explanation.
fn marks_on(drawing: &Drawing<'_>) -> Vec<Mark> {
    let faces = drawing.chart.map().faces().filter(|(id, _)| *id != drawing.layout.beyond());
    let found: Vec<Option<Mark>> = faces.map(|(_, face)| Mark::of(&face)).collect();
    let all = [Mark::Hole, Mark::Void, Mark::Impassable, Mark::Ice];
    all.into_iter().filter(|m| found.contains(&Some(*m))).collect()
}

/// The kinds of faces on the board that are neither land nor open sea.
fn marks(drawing: &mut Drawing<'_>, top: f64) {
    let prefix = escaped(&drawing.style.prefix);
    let each = drawing.layout.width() / COLUMNS as f64;
    for (i, mark) in marks_on(drawing).into_iter().enumerate() {
        let x = each * i as f64;
        let word = match mark {
            Mark::Hole => {
                let middle = format!(r#"cx="{:.1}" cy="{:.1}""#, x + 10.0, top + 7.0);
                drawing.put(format_args!(
                    r#"<circle {middle} r="6" fill="{INK}"/><circle {middle} r="2.2" fill="{PAPER}"/>"#
                ));
                "Hole"
            }
            Mark::Void => {
                swatch(&mut drawing.text, x, top, 20.0, format_args!("url(#{prefix}-void)"));
                "Void"
            }
            Mark::Impassable => {
                swatch(&mut drawing.text, x, top, 20.0, format_args!("url(#{prefix}-impassable)"));
                "Impassable"
            }
            Mark::Ice => {
                swatch(&mut drawing.text, x, top, 20.0, format_args!("url(#{prefix}-ice)"));
                "Ice"
            }
        };
        label(&mut drawing.text, [x + 26.0, top + 12.0], r#"font-size="14" text-anchor="start""#, word);
    }
}

fn scale(drawing: &mut Drawing<'_>, heat: &Heat, top: f64, height: f64) {
    const STEPS: usize = 6;
    const STEP: f64 = 64.0;
    let left = drawing.layout.width() - STEPS as f64 * STEP;
    let title = [left - 12.0, top + 12.0];
    label(&mut drawing.text, title, r#"font-size="15" text-anchor="end""#, &escaped(&heat.title));
    for i in 0..STEPS {
        let value = heat.most * i as f64 / (STEPS - 1) as f64;
        let x = left + STEP * i as f64;
        swatch(&mut drawing.text, x, top, STEP, heat.colour_of(value));
        let below = [x + STEP * 0.5, top + height * 0.62];
        label(&mut drawing.text, below, r#"font-size="12""#, &escaped(&heat.written(value)));
    }
}
