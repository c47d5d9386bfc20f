//! A layout as SVG.

use std::fmt::Write as _;

use super::geometry::Point;
use super::layout::Layout;
use super::style::Style;
use crate::topology::{Chart, FaceKind, FaceState};

/// The board as one SVG element, without scripts or anything from elsewhere.
pub fn board(layout: &Layout, chart: &Chart, style: &Style) -> String {
    let mut text = String::new();
    let (w, h) = (layout.width(), layout.height());
    let _ = writeln!(
        text,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 {:.1} {:.1}" font-family="sans-serif">"#,
        w + 20.0,
        h + 20.0
    );
    let _ = writeln!(text, "<title>{}</title>", style.title);
    for (id, face) in chart.map().faces().filter(|&(id, _)| id != layout.beyond()) {
        let fill = match (face.state(), face.kind()) {
            (FaceState::Open, FaceKind::Sea) => "#a9cfe6",
            (FaceState::Open, FaceKind::Land) => "#f3e7c9",
            (FaceState::Open, _) => "#b8b3a8",
            _ => "#222",
        };
        let mut d = String::new();
        for cycle in layout.outline(id) {
            for (i, p) in cycle.iter().enumerate() {
                let _ = write!(d, "{}{:.1} {:.1}", if i == 0 { "M" } else { "L" }, p.x, h - p.y);
            }
            d.push('Z');
        }
        let _ = writeln!(
            text,
            r##"<path d="{d}" fill="{fill}" stroke="#555" data-province="{}"><title>{}</title></path>"##,
            face.name(),
            face.name()
        );
        if let Some(spot) = layout.spot(id) {
            let at = |p: Point| (p.x, h - p.y);
            let (x, y) = at(spot.label);
            let _ = writeln!(
                text,
                r#"<text x="{x:.1}" y="{y:.1}" font-size="{:.1}" text-anchor="middle">{}</text>"#,
                spot.letters,
                face.name()
            );
        }
    }
    text.push_str("</svg>\n");
    text
}
