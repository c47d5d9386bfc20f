//! `upheaval map`: prints or draws a board after a list of events (FORMATS 3).

use std::io;
use std::path::Path;

use clap::{Args, ValueEnum};
use upheaval::picture::{Layout, Style, svg};
use upheaval::rules::variant::Variant;
use upheaval::topology::MapEvent;
use upheaval::topology::derive;
use upheaval::topology::report::MapReport;

use crate::failure::{Failure, print};

/// Print a board after a list of events, as text, JSON or a picture: adjacency, coasts, boundaries, points.
#[derive(Args)]
pub struct MapArguments {
    /// The variant whose board it is: an id, or the path of a variant file.
    #[arg(long, value_name = "ID", default_value = "standard")]
    variant: String,
    /// An event, such as `collapse MAR` or `separate POR SPA connect MAO MAO`; may be given many times.
    #[arg(long, value_name = "EVENT")]
    apply: Vec<String>,
    /// How to print it.
    #[arg(long, value_enum, default_value_t = MapFormat::Text)]
    format: MapFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MapFormat {
    /// For programs.
    Json,
    /// For people.
    Text,
    /// A picture: each event moves as little as it can of the drawing before it.
    Svg,
}

/// Does what the arguments say.
pub fn command(arguments: &MapArguments) -> Result<(), Failure> {
    let variant = find_variant(&arguments.variant)?;
    let mut chart = variant.terrain.chart().clone();
    let drawn = arguments.format == MapFormat::Svg;
    let mut layout = drawn.then(|| Layout::of(&chart));
    for text in &arguments.apply {
        let event: MapEvent = text.parse().map_err(Failure::input)?;
        event
            .apply(&mut chart)
            .map_err(|error| Failure::input(format!("cannot apply `{event}`: {error}")))?;
        layout = layout.map(|layout| layout.next(&chart));
    }
    let report = || MapReport::new(&chart, &derive(chart.map()));
    let text = match arguments.format {
        MapFormat::Json => serde_json::to_string(&report()).map_err(Failure::machine)? + "\n",
        MapFormat::Text => report().to_text(),
        MapFormat::Svg => {
            let style = Style { title: format!("The board of {}", variant.id), ..Style::default() };
            layout.map(|layout| svg::board(&layout, &chart, &style)).unwrap_or_default()
        }
    };
    print(&text, io::stdout().lock())
}

/// The variant of this id, or in this file.
pub fn find_variant(name: &str) -> Result<Variant, Failure> {
    let unknown = || {
        let known: Vec<&str> = Variant::shipped().collect();
        Failure::input(format!(
            "there is no variant `{name}`; there are {}; a file is named by its path, such as `./{name}.toml`",
            known.join(", ")
        ))
    };
    Variant::find(name, Path::new("")).map_err(Failure::input)?.ok_or_else(unknown)
}
