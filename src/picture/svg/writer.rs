//! An SVG in the making: its text, its sources, and how texts and positions are written in it.

use std::fmt::Write as _;

use crate::geometry::Point;
use crate::layout::Layout;
use crate::style::Style;
use upheaval_map::ids::{Power, PowerInfo, ProvinceId};
use upheaval_map::letters::is_acted_on;
use upheaval_map::topology::{Board, NamedMap};

/// The text of an SVG in the making.
pub(crate) struct Drawing<'a> {
    pub layout: &'a Layout,
    pub chart: &'a NamedMap,
    pub board: &'a Board,
    pub style: &'a Style,
    pub text: String,
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
    pub(crate) fn group(&mut self, class: &str, draw: impl FnOnce(&mut Self)) {
        self.group_of(&format!(r#"class="{class}""#), draw);
    }

    /// A group with these attributes, unless there is nothing in it.
    pub(super) fn group_of(&mut self, attributes: &str, draw: impl FnOnce(&mut Self)) {
        let begun = self.text.len();
        let _ = writeln!(self.text, "<g {attributes}>");
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
