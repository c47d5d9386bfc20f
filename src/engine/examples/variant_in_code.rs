//! Makes a variant from a text: regular Diplomacy, in which two provinces become voids each Fall.
//!
//! ```text
//! cargo run -p upheaval-engine --example variant_in_code
//! ```
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use upheaval_engine::prelude::*;

/// The changes of the map (docs/changes.md).
const CHANGES: &str = r#"
[[changes]]
id = "voids"
seasons = "fall"
of = "land"
count = 2
change = "void"
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let standard = Variant::shipped_text("standard").ok_or("it ships")?;
    let (head, sources) = standard.split_once("[sources]").ok_or("it names its sources")?;
    let text =
        format!("{head}{CHANGES}\n[sources]{sources}").replace("id = \"standard\"", "id = \"autumn-voids\"");
    let variant = Arc::new(Variant::check(&Source::new("autumn-voids.toml", text), Path::new(""))?);

    let mut game = Session::of(Arc::clone(&variant), 42).ending_in(1903);
    while !game.is_over() {
        let turn = game.advance();
        for change in &turn.map_changes {
            println!("{}: {change}", turn.phase);
        }
    }
    let again = Session::restore(&game.save()?)?;
    println!("restored in the same state: {}", again.game().hash() == game.game().hash());
    Ok(())
}
