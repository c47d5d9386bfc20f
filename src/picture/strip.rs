//! Boards side by side as one SVG: a change of the map, frame by frame.

use std::fmt::Write as _;

use super::layout::Layout;
use super::palette::{BEYOND, INK};
use super::style::Style;
use super::view::View;
use crate::pieces::{Drawing, escaped};
use upheaval_map::topology::{MapEvent, NamedMap, derive};

/// The width of a frame.
const FRAME: f64 = 280.0;
/// The gap between frames.
const GAP: f64 = 20.0;
/// The margin round them.
const MARGIN: f64 = 10.0;
/// The height of the caption below a frame.
const CAPTION: f64 = 30.0;

/// A board of a strip.
#[derive(Clone, Copy)]
pub struct Frame<'a> {
    /// Its layout.
    pub layout: &'a Layout,
    /// Its chart.
    pub chart: &'a NamedMap,
    /// Its caption.
    pub caption: &'a str,
}

/// The effect of an event on a board: the board before, half-way if possible ([`Layout::halfway`]), and after; only the
/// changed part, with a margin.
pub fn of_event(
    before: (&Layout, &NamedMap),
    after: (&Layout, &NamedMap),
    event: &MapEvent,
    style: &Style,
) -> String {
    let halfway = Layout::halfway(before, after, event);
    let mut frames = vec![Frame { layout: before.0, chart: before.1, caption: "before" }];
    if let Some((layout, chart)) = &halfway {
        let caption = match event {
            MapEvent::Collapse(_) => "the hole opens",
            MapEvent::Restore(_) => "the hole closes",
            _ => "their border is a point",
        };
        frames.push(Frame { layout, chart, caption });
    }
    frames.push(Frame { layout: after.0, chart: after.1, caption: "after" });
    of_frames(&frames, View::of_change(before, after), style)
}

/// Frames side by side, each cropped to this part. Ids within them begin with the style's prefix and the number of the
/// frame.
pub fn of_frames(frames: &[Frame<'_>], view: View, style: &Style) -> String {
    let size = view.size();
    let high = FRAME * size.y / size.x;
    let wide = frames.len() as f64 * (FRAME + GAP) - GAP;
    let (prefix, title) = (escaped(&style.prefix), escaped(&style.title));
    let mut text = String::with_capacity(96 * 1024);
    let (width, height) = (wide + 2.0 * MARGIN, high + CAPTION + 2.0 * MARGIN);
    let _ = writeln!(
        text,
        r#"<svg xmlns="http://www.w3.org/2000/svg" id="{prefix}" class="upheaval-strip" role="img" aria-labelledby="{prefix}-title" viewBox="0 0 {width:.1} {height:.1}" font-family="Georgia, 'Times New Roman', serif" text-anchor="middle" stroke-linejoin="round" stroke-linecap="round">"#
    );
    let _ = writeln!(text, r#"<title id="{prefix}-title">{title}</title>"#);
    let _ = writeln!(
        text,
        r#"<rect class="paper" width="{width:.1}" height="{height:.1}" rx="6" fill="{BEYOND}"/>"#
    );
    for (number, frame) in frames.iter().enumerate() {
        let x = MARGIN + number as f64 * (FRAME + GAP);
        let layout = frame.layout.within(view, frame.chart);
        let style = Style { prefix: format!("{}-{}", style.prefix, number + 1), ..style.clone() };
        let corner = layout.pair(super::Point::new(view.low.x, view.high.y));
        let _ = writeln!(
            text,
            r#"<svg id="{}" class="upheaval-board" x="{x:.1}" y="{MARGIN:.1}" width="{FRAME:.1}" height="{high:.1}" viewBox="{corner} {:.1} {:.1}">"#,
            escaped(&style.prefix),
            size.x,
            size.y,
        );
        let board = derive(frame.chart.map());
        let mut drawing = Drawing { layout: &layout, chart: frame.chart, board: &board, style: &style, text };
        drawing.patterns(&escaped(&style.prefix));
        drawing.contents();
        text = drawing.text;
        let _ = writeln!(
            text,
            r#"</svg><rect x="{x:.1}" y="{MARGIN:.1}" width="{FRAME:.1}" height="{high:.1}" fill="none" stroke="{INK}" stroke-width="1.4"/><text class="caption" x="{:.1}" y="{:.1}" font-size="16" font-style="italic" fill="{INK}">{}</text>"#,
            x + FRAME * 0.5,
            MARGIN + high + 22.0,
            escaped(frame.caption),
        );
    }
    text.push_str("</svg>\n");
    text
}
