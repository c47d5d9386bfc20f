//! Collapses a province, prints the effect on its neighbours, and draws the board.
//!
//! ```text
//! cargo run -p upheaval-engine --example collapse -- MAR board.svg
//! ```
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::{env, fs};

use upheaval_engine::topology::report::MapReport;
use upheaval_engine::topology::{MapEvent, atlas, derive};
use upheaval_picture::{Layout, Style, svg};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let province = arguments.next().unwrap_or_else(|| "MAR".to_owned());
    let before = atlas::standard();
    let mut chart = before.clone();
    format!("collapse {province}").parse::<MapEvent>()?.apply(&mut chart)?;

    let report = MapReport::new(&chart, &derive(chart.map()));
    for point in &report.points {
        println!("the point, and what meets there: {point:?}");
    }
    let layout = Layout::of(&before).next(&chart);
    let title = format!("{province} has collapsed");
    let picture = svg::board(&layout, &chart, &Style { title, ..Style::default() });
    match arguments.next() {
        Some(path) => fs::write(path, picture)?,
        None => println!("{} bytes of SVG; name a file to keep it", picture.len()),
    }
    Ok(())
}
