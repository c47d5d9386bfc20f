//! The board coloured by the effect on a power of an event in each province.

use std::sync::Arc;

use crate::chart::scale::rounded;
use crate::chart::{BoardMap, Cell, Figure, FigureTable};
use upheaval_analysis::causal::PlaceEffect;
use upheaval_engine::rules::variant::Variant;
use upheaval_map::ids::Power;

/// The board of a variant at its start as SVG, coloured by how many centres a power loses if the event strikes the
/// province; gains are given only in the text of a province.
pub fn effect_board(variant: Arc<Variant>, effects: &[PlaceEffect], power: Power) -> String {
    let info = variant.terrain.power_names().info(power).clone();
    let of = |province: &str| {
        effects.iter().find(|effect| effect.province == province).map(|effect| effect.powers[&info.name])
    };
    let [_, most] = rounded(effects.iter().map(|effect| -effect.powers[&info.name].estimate).chain([0.0]), 4);
    let title = format!("What it costs {}", info.proper_name);
    let panel =
        BoardMap::of(variant).draw(&title, "centres, where it happens to the province", most, |province| {
            let Some(effect) = of(province) else {
                return Cell { value: 0.0, words: "it never happens here".to_owned() };
            };
            let bounds =
                effect.interval.map_or(String::new(), |i| format!(" ({:+.2} to {:+.2})", i.low, i.high));
            Cell {
                value: (-effect.estimate).max(0.0),
                words: format!("{:+.2}{bounds} centres", effect.estimate),
            }
        });
    let table = FigureTable { head: Vec::new(), rows: Vec::new() };
    let (id, caption) = ("effect".to_owned(), String::new());
    Figure { id, title, caption, panels: vec![panel], table }.file(1)
}
