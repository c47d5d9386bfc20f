//! A board whose provinces are coloured by a statistic of events there.

use std::sync::Arc;

use maud::{Markup, html};

use crate::chart::scale::digits_of;
use crate::chart::{Anchor, Panel, exact, heading, note, px};
use crate::palette::{SEA, STEPS, on_ramp, ramp, step};
use crate::words::number;
use upheaval_engine::rules::variant::Variant;
use upheaval_map::topology::{FaceKind, NamedMap};
use upheaval_picture::{Layout, Point};

/// The value of one province.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cell {
    /// The value that the colour represents.
    pub value: f64,
    /// The value in words.
    pub words: String,
}

/// A board at the start, and its layout.
#[derive(Clone, Debug)]
pub(crate) struct BoardMap {
    variant: Arc<Variant>,
    layout: Layout,
}

const WIDTH: f64 = 700.0;
const TOP: f64 = 40.0;

impl BoardMap {
    /// The board of a variant.
    pub(crate) fn of(variant: Arc<Variant>) -> BoardMap {
        BoardMap { layout: Layout::of(variant.terrain.chart()), variant }
    }

    fn chart(&self) -> &NamedMap {
        self.variant.terrain.chart()
    }

    /// The size of a pixel in units of the layout.
    fn factor(&self) -> f64 {
        WIDTH / self.layout.width()
    }

    /// The board in colours that are shares of `most`.
    pub(crate) fn draw(&self, title: &str, unit: &str, most: f64, cell: impl Fn(&str) -> Cell) -> Panel {
        let height = TOP + self.layout.height() * self.factor() + 2.0;
        let faces = || self.chart().map().faces().filter(|(id, _)| *id != self.layout.beyond());
        let body = html! {
            (heading(title, WIDTH))
            (note(0.0, 29.0, Anchor::Start, unit))
            (key(most))
            @for (id, face) in faces() {
                @let outline = self.outline(&self.layout.outline(id));
                @if matches!(face.kind(), FaceKind::Land | FaceKind::Sea | FaceKind::Ice) {
                    @let told = cell(face.name());
                    @let tone = step(told.value / most);
                    @let fill = if tone == 0 && face.kind() == FaceKind::Sea { SEA } else { ramp(tone) };
                    path.province d=(outline) fill=(fill) stroke="#6b6f76" stroke-width="0.7" stroke-linejoin="round"
                        data-province=(face.name()) data-value=(exact(told.value)) {
                        title { (self.chart().full_name(id).unwrap_or(face.name())) ": " (told.words) }
                    }
                } @else {
                    path d=(outline) fill="#c9c9c6" stroke="#6b6f76" stroke-width="0.7" {}
                }
            }
            @for (id, face) in faces() {
                @if let Some(spot) = self.layout.spot(id) {
                    @let tone = step(cell(face.name()).value / most);
                    @if let Some(plate) = spot.plate {
                        @let (from, corner) = (self.place(spot.middle), self.place(Point::new(plate.low().x, plate.high().y)));
                        @let (to, size) = (self.place(plate.middle), plate.half * (2.0 * self.factor()));
                        @let sea = tone == 0 && face.kind() == FaceKind::Sea;
                        path d=(format!("M{} {}L{} {}", px(from.x), px(from.y), px(to.x), px(to.y))) fill="none" stroke="#6b6f76" stroke-width="0.7" {}
                        rect x=(px(corner.x)) y=(px(corner.y)) width=(px(size.x)) height=(px(size.y)) rx="2"
                            fill=(if sea { SEA } else { ramp(tone) }) stroke="#6b6f76" stroke-width="0.7" {}
                    }
                    @let at = self.place(spot.label);
                    @let size = spot.letters * self.factor();
                    text x=(px(at.x)) y=(px(at.y + size * 0.36)) font-size=(px(size)) text-anchor="middle"
                        fill=(on_ramp(tone)) pointer-events="none" { (face.name()) }
                }
            }
        };
        Panel { label: format!("{title}, {unit}, on the board"), width: WIDTH, height, body }
    }

    /// The position of a point of the layout in the panel: the layout's north is up.
    fn place(&self, point: Point) -> Point {
        Point::new(point.x * self.factor(), TOP + (self.layout.height() - point.y) * self.factor())
    }

    fn outline(&self, cycles: &[Vec<Point>]) -> String {
        let mut path = String::new();
        for cycle in cycles {
            for (i, point) in cycle.iter().enumerate() {
                let at = self.place(*point);
                path += &format!("{}{} {}", if i == 0 { "M" } else { "L" }, px(at.x), px(at.y));
            }
            path.push('Z');
        }
        path
    }
}

/// The colours and their meaning, on the right above the board.
fn key(most: f64) -> Markup {
    let box_width = 18.0;
    let left = WIDTH - box_width * STEPS as f64 - 20.0;
    let marks = [0.0, most / 2.0, most];
    let digits = digits_of(&marks);
    html! {
        g.key {
            @for tone in 0..STEPS {
                rect x=(px(left + box_width * tone as f64)) y="4" width=(px(box_width)) height="10" fill=(ramp(tone))
                    stroke="#8a8f98" stroke-width="0.5" {}
            }
            @for part in [0, 1, 2] {
                @let tone = part * (STEPS - 1) / 2;
                (note(left + box_width * (tone as f64 + 0.5), 27.0, Anchor::Middle, &number(marks[part], digits)))
            }
        }
    }
}
