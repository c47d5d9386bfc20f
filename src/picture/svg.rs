//! A layout as SVG: one element without scripts, styles or external references, which is used alone or within a page.
//! Scripts of a page can rely on `data-province` on everything that belongs to a province, `data-power`, `data-order`,
//! and the classes `province`, `unit`, `centre`, `hole`, `coast`, `order`, `event`. Each part that may change on the
//! next board has a line of its own.

use std::fmt::Write as _;

use super::layout::Layout;
use super::palette::{self, Colour, INK, PAPER};
use super::scar::Scar;
use super::spot::Spot;
use super::style::Style;
use crate::geometry::{Area, Point};
use crate::pieces::{Drawing, escaped, place};
use crate::{arrows, pieces};
use upheaval_map::ids::ProvinceId;
use upheaval_map::topology::{Face, FaceKind, FaceState, NamedMap, Waterway, derive};

/// Smaller names of holes are left out.
const LEAST_LETTERS: f64 = 6.5;

/// The margin round the board.
const MARGIN: f64 = 12.0;

/// The class of a face.
fn class_of(face: &Face<'_>) -> &'static str {
    match (face.state(), face.kind()) {
        (_, FaceKind::Point) => "point",
        (FaceState::Collapsed, _) => "hole",
        (FaceState::Void, _) => "void",
        (_, FaceKind::Land) => "land",
        (_, FaceKind::Sea) => "sea",
        (_, FaceKind::Ice) => "ice",
        (_, FaceKind::Impassable | FaceKind::Outside) => "impassable",
    }
}

/// The board as one SVG element.
pub fn board(layout: &Layout, chart: &NamedMap, style: &Style) -> String {
    let board = derive(chart.map());
    Drawing { layout, chart, board: &board, style, text: String::with_capacity(96 * 1024) }.draw()
}

impl Drawing<'_> {
    fn draw(mut self) -> String {
        let (width, height) = (self.layout.width(), self.layout.height());
        let legend = if pieces::has_legend(&self) { pieces::legend_height(&self) } else { 0.0 };
        let (prefix, title) = (escaped(&self.style.prefix), escaped(&self.style.title));
        let (corner, wide, high) = (-MARGIN, width + 2.0 * MARGIN, height + 2.0 * MARGIN + legend);
        self.put(format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" id="{prefix}" class="upheaval-board" role="img" aria-labelledby="{prefix}-title" viewBox="{corner:.1} {corner:.1} {wide:.1} {high:.1}" font-family="Georgia, 'Times New Roman', serif" text-anchor="middle" stroke-linejoin="round" stroke-linecap="round">"#,
        ));
        self.put(format_args!(r#"<title id="{prefix}-title">{title}</title>"#));
        self.patterns(&prefix);
        self.paper(corner, wide, high);
        self.contents();
        if legend > 0.0 {
            pieces::legend(&mut self, height + MARGIN * 1.5, legend);
        }
        self.text.push_str("</svg>\n");
        self.text
    }

    /// Everything on the board.
    pub(super) fn contents(&mut self) {
        self.group("seas", |drawing| drawing.faces(|face| face.kind() == FaceKind::Sea));
        self.shallows();
        self.group("lands", |drawing| drawing.faces(|face| face.kind() != FaceKind::Sea));
        self.borders();
        self.waterways();
        self.scars();
        self.plates();
        arrows::highlights(self);
        self.names();
        self.coasts();
        pieces::centres(self);
        arrows::orders(self);
        pieces::units(self);
    }

    pub(super) fn patterns(&mut self, prefix: &str) {
        let has_ice = !self.chart.map().of_kind(FaceKind::Ice).is_empty();
        let mut hatch = |name: &str, back: Colour, line: Colour, width: f64, apart: f64| {
            self.put(format_args!(
                r#"<pattern id="{prefix}-{name}" width="{apart}" height="{apart}" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="{apart}" height="{apart}" fill="{back}"/><path d="M0 0V{apart}" stroke="{line}" stroke-width="{width}"/></pattern>"#
            ));
        };
        hatch("impassable", palette::ROCK, palette::ROCK.towards(INK, 0.25), 2.0, 7.0);
        hatch("void", palette::VOID, palette::VOID.towards(PAPER, 0.35), 2.5, 8.0);
        if has_ice {
            hatch("ice", palette::ICE, palette::WATER.towards(palette::DEEP, 0.15), 1.4, 6.0);
        }
        let edge = self.layout.face_data(self.layout.beyond());
        self.put(format_args!(r#"<clipPath id="{prefix}-edge"><path d="{edge}"/></clipPath>"#));
    }

    /// The background, and the area beyond the edge of the board.
    fn paper(&mut self, corner: f64, wide: f64, high: f64) {
        let beyond = self.chart.map().face(self.layout.beyond());
        let fill = match beyond.map(|face| face.kind()) {
            Some(FaceKind::Sea) => palette::WATER,
            Some(FaceKind::Land) => palette::LAND,
            Some(FaceKind::Ice) => palette::ICE,
            _ => palette::BEYOND,
        };
        self.put(format_args!(
            r#"<rect class="paper" x="{corner:.1}" y="{corner:.1}" width="{wide:.1}" height="{high:.1}" rx="6" fill="{fill}"/>"#
        ));
    }

    /// The fill of a province.
    fn fill(&self, id: ProvinceId, face: &Face<'_>) -> String {
        let prefix = &self.style.prefix;
        let heat = self.style.heat.as_ref().and_then(|heat| heat.values[id]);
        let ground = match (face.state(), face.kind()) {
            (FaceState::Collapsed, _) => return INK.to_string(),
            (FaceState::Void, _) if heat.is_none() => return format!("url(#{}-void)", escaped(prefix)),
            (_, FaceKind::Impassable | FaceKind::Outside) if heat.is_none() => {
                return format!("url(#{}-impassable)", escaped(prefix));
            }
            (_, FaceKind::Ice) if heat.is_none() => return format!("url(#{}-ice)", escaped(prefix)),
            _ => self.ground(id, face),
        };
        ground.to_string()
    }

    /// The colour of a province without a pattern: its value's, its owner's, or that of land or water.
    fn ground(&self, id: ProvinceId, face: &Face<'_>) -> Colour {
        let heat = self.style.heat.as_ref().and_then(|heat| Some(heat.colour_of(heat.values[id]?)));
        let ground = match face.kind() {
            FaceKind::Sea => palette::WATER,
            FaceKind::Ice => return heat.unwrap_or(palette::ICE),
            _ => palette::LAND,
        };
        let owner = self.owner(id).filter(|_| self.style.heat.is_none());
        let tinted = owner.map(|power| ground.towards(palette::of_power(power), palette::TINT));
        heat.or(tinted).unwrap_or(ground)
    }

    fn faces(&mut self, these: impl Fn(&Face<'_>) -> bool) {
        for (id, face) in self.chart.map().faces().filter(|(_, face)| these(face)) {
            if id == self.layout.beyond() || !self.layout.sees_face(id) {
                continue;
            }
            let kind = class_of(&face);
            let (name, fill) = (escaped(face.name()), self.fill(id, &face));
            let owner = Self::data_power(self.owner(id));
            self.put(format_args!(
                r#"<path id="{}-{name}" class="province {kind}" data-province="{name}"{owner} fill="{fill}" fill-rule="evenodd" d="{}"><title>{}</title></path>"#,
                escaped(&self.style.prefix),
                self.layout.face_data(id),
                escaped(&self.title(id, &face)),
            ));
        }
    }

    /// The description of a province for the pointer.
    fn title(&self, id: ProvinceId, face: &Face<'_>) -> String {
        let mut title = match self.chart.full_name(id) {
            Some(full) if full != face.name() => format!("{full} ({})", face.name()),
            _ => face.name().to_owned(),
        };
        match (face.state(), face.kind()) {
            (_, FaceKind::Point) => title.push_str(", a point where several meet"),
            (FaceState::Collapsed, _) => title.push_str(", a hole"),
            (FaceState::Void, _) => title.push_str(", a void"),
            (FaceState::Open, FaceKind::Ice) => title.push_str(", frozen"),
            (FaceState::Open, _) => {}
        }
        if let Some(info) = self.chart.info(id).filter(|info| info.supply_centre) {
            title.push_str(", a supply centre");
            if let Some(home) = info.home {
                let _ = write!(title, ", home of {}", self.power(home).proper_name);
            }
        }
        if let Some(owner) = self.style.owners.as_ref().and_then(|owners| owners[id]) {
            let _ = write!(title, ", owned by {}", self.power(owner).proper_name);
        }
        if let Some(heat) = &self.style.heat
            && let Some(value) = heat.values[id]
        {
            let _ = write!(title, ": {}", heat.written(value));
        }
        title
    }

    /// Is the face drawn as water?
    fn is_wet(&self, id: ProvinceId) -> bool {
        let face = self.chart.map().face(id);
        face.is_some_and(|face| face.kind() == FaceKind::Sea && face.state() == FaceState::Open)
    }

    fn is_hole(&self, id: ProvinceId) -> bool {
        self.chart.map().face(id).is_some_and(|face| face.state() == FaceState::Collapsed)
    }

    /// Draws all borders whose two faces satisfy this condition.
    fn strokes(&mut self, class: &str, pen: &str, these: impl Fn(&Self, ProvinceId, ProvinceId) -> bool) {
        let attributes = format!(r#"class="{class}" fill="none" {pen} pointer-events="none""#);
        self.group_of(&attributes, |drawing| {
            let map = drawing.chart.map();
            for side in map.borders().map(|border| border.sides()[0]) {
                if these(drawing, map.owner(side), map.across(side)) && drawing.layout.sees_side(side) {
                    drawing.put(format_args!(r#"<path d="{}"/>"#, drawing.layout.border_data(side)));
                }
            }
        });
    }

    /// Is the border on the board, and not within a hole?
    fn is_seen(&self, a: ProvinceId, b: ProvinceId) -> bool {
        let beyond = self.layout.beyond();
        a != beyond && b != beyond && !(self.is_hole(a) && self.is_hole(b))
    }

    /// Lighter water along the coasts.
    fn shallows(&mut self) {
        for (width, part) in [(16.0, 0.22), (9.0, 0.5)] {
            let colour = palette::WATER.towards(palette::SHALLOWS, part);
            let prefix = escaped(&self.style.prefix);
            let pen = format!(r#"stroke="{colour}" stroke-width="{width}" clip-path="url(#{prefix}-edge)""#);
            self.strokes("shallows", &pen, |drawing, a, b| {
                drawing.is_seen(a, b) && drawing.is_wet(a) != drawing.is_wet(b)
            });
        }
    }

    fn borders(&mut self) {
        let pen = |colour: Colour, width: f64, more: &str| {
            format!(r#"stroke="{colour}" stroke-width="{width}"{more}"#)
        };
        self.strokes(
            "border sea",
            &pen(palette::DEEP, 1.1, r#" stroke-dasharray="5 4""#),
            |drawing, a, b| drawing.is_seen(a, b) && drawing.is_wet(a) && drawing.is_wet(b),
        );
        self.strokes("border land", &pen(palette::EARTH, 1.0, ""), |drawing, a, b| {
            drawing.is_seen(a, b) && !drawing.is_wet(a) && !drawing.is_wet(b)
        });
        self.strokes("border coast", &pen(INK, 1.5, ""), |drawing, a, b| {
            drawing.is_seen(a, b) && drawing.is_wet(a) != drawing.is_wet(b)
        });
        self.strokes("border edge", &pen(INK, 1.8, ""), |drawing, a, b| {
            [a, b].contains(&drawing.layout.beyond())
        });
    }

    fn waterways(&mut self) {
        let chart = self.chart;
        let name = |id: ProvinceId| escaped(chart.map().name(id));
        for waterway in chart.map().waterways() {
            match waterway {
                Waterway::Strait { border, .. } if !self.layout.sees_side(border.sides()[0]) => {}
                Waterway::Strait { border, provinces: [a, b] } => {
                    let data = self.layout.border_data(border.sides()[0]);
                    self.water("strait", &format!("Strait between {} and {}", name(*a), name(*b)), &data);
                }
                Waterway::Canal { province, .. } | Waterway::Passage { province, .. } => {
                    for channel in self.layout.channels(chart, waterway) {
                        let [from, over, to] = channel.map(|point| self.layout.pair(point));
                        let data = format!("M{from}Q{over} {to}");
                        self.water("canal", &format!("Canal through {}", name(*province)), &data);
                    }
                }
            }
        }
    }

    fn water(&mut self, class: &str, what: &str, data: &str) {
        for (colour, width) in [(INK, 4.6), (palette::WATER, 3.0)] {
            self.put(format_args!(
                r#"<path class="{class}" d="{data}" fill="none" stroke="{colour}" stroke-width="{width}"><title>{what}</title></path>"#
            ));
        }
    }

    /// A point for each group of collapsed faces.
    fn scars(&mut self) {
        for Scar { faces, at } in self.layout.scars.iter().filter(|scar| self.layout.sees(scar.at)) {
            let names: Vec<String> = faces.iter().map(|&id| escaped(self.chart.map().name(id))).collect();
            let (middle, title) = (place(self.layout, *at, ["cx", "cy"]), names.join(", "));
            self.put(format_args!(
                r#"<g class="hole" data-province="{}"><circle {middle} r="6" fill="{INK}"/><circle {middle} r="2.2" fill="{PAPER}"/><title>Hole: {title}</title></g>"#,
                names.join(" "),
            ));
        }
    }

    /// The plates beside provinces that are too small for their contents, each in the colour of its province, with a
    /// line that leads to it.
    fn plates(&mut self) {
        let plates: Vec<(ProvinceId, Face<'_>, Point, Area)> = {
            let faces = self.chart.map().faces();
            let of = |id| self.layout.spot(id).and_then(|spot| Some((spot.middle, spot.plate?)));
            faces.filter_map(|(id, face)| of(id).map(|(middle, plate)| (id, face, middle, plate))).collect()
        };
        self.group("leaders", |drawing| {
            for (_, face, middle, plate) in &plates {
                let name = escaped(face.name());
                for (colour, width) in [(PAPER, 2.8), (INK, 1.0)] {
                    drawing.put(format_args!(
                        r#"<path class="leader" data-province="{name}" d="M{}L{}" fill="none" stroke="{colour}" stroke-width="{width}" pointer-events="none"/>"#,
                        drawing.layout.pair(*middle), drawing.layout.pair(plate.middle),
                    ));
                }
                drawing.put(format_args!(
                    r#"<circle class="leader" data-province="{name}" {} r="2" fill="{INK}" pointer-events="none"/>"#,
                    place(drawing.layout, *middle, ["cx", "cy"]),
                ));
            }
        });
        self.group("plates", |drawing| {
            for (id, face, _, plate) in &plates {
                let owner = Drawing::data_power(drawing.owner(*id));
                let size = plate.half * 2.0;
                drawing.put(format_args!(
                    r#"<rect class="plate {}" data-province="{}"{owner} {} width="{:.1}" height="{:.1}" rx="3" fill="{}" stroke="{INK}" stroke-width="1"><title>{}</title></rect>"#,
                    class_of(face), escaped(face.name()),
                    place(drawing.layout, Point::new(plate.low().x, plate.high().y), ["x", "y"]), size.x,
                    size.y, drawing.fill(*id, face), escaped(&drawing.title(*id, face)),
                ));
            }
        });
    }

    fn names(&mut self) {
        if !self.style.names {
            return;
        }
        self.group("names", |drawing| {
            for (id, face) in drawing.chart.map().faces() {
                // A face that is still contracting into a hole has room for its name.
                let Some(spot) = drawing.layout.spot(id).filter(|_| !drawing.layout.is_point(id)) else { continue };
                if face.state() == FaceState::Collapsed && spot.letters < LEAST_LETTERS {
                    continue;
                }
                let (slant, colour) = match (face.state(), face.kind()) {
                    (FaceState::Void | FaceState::Collapsed, _) => ("", PAPER),
                    (_, FaceKind::Sea | FaceKind::Ice) => {
                        let colour = palette::DEEP.towards(INK, 0.45);
                        (r#" font-style="italic""#, palette::readable(colour, drawing.ground(id, &face)))
                    }
                    (_, FaceKind::Land) => ("", palette::on(drawing.ground(id, &face))),
                    _ => ("", INK),
                };
                // Names have a halo that separates them from the lines below.
                let halo = if face.is_open_land() || face.is_open_ice() {
                    let behind = palette::on(colour);
                    format!(r#" stroke="{behind}" stroke-width="2.4" stroke-opacity="0.55" paint-order="stroke""#)
                } else {
                    String::new()
                };
                let foot = spot.label - Point::new(0.0, spot.letters * 0.36);
                drawing.put(format_args!(
                    r#"<text data-province="{name}" {} font-size="{:.1}"{slant} fill="{colour}"{halo} pointer-events="none">{name}</text>"#,
                    place(drawing.layout, foot, ["x", "y"]), spot.letters, name = escaped(face.name()),
                ));
            }
        });
    }

    /// The names of coasts, where a province has several.
    fn coasts(&mut self) {
        self.group("coasts", |drawing| {
            for id in drawing.board.land().iter() {
                let Some(face) = drawing.chart.map().face(id) else { continue };
                let colour = palette::readable(palette::EARTH, drawing.ground(id, &face));
                let names = drawing.chart.coast_names(drawing.board, id);
                for (name, at) in names.iter().zip(drawing.board.stations_of(id)) {
                    let Some(coast) = drawing.layout.coast(drawing.board, at) else { continue };
                    if !drawing.layout.sees(coast.label) {
                        continue;
                    }
                    let size = drawing.layout.spot(id).map_or(6.0, Spot::coast_letters);
                    drawing.put(format_args!(
                        r#"<text class="coast" data-province="{}" data-coast="{name}" {} font-size="{size:.1}" font-style="italic" fill="{colour}" pointer-events="none">{name}</text>"#,
                        escaped(face.name()),
                        place(drawing.layout, coast.label - Point::new(0.0, size * 0.36), ["x", "y"]),
                    ));
                }
            }
        });
    }
}
