//! Makes a variant in code: regular Diplomacy, in which two provinces become voids each Fall.
//!
//! ```text
//! cargo run -p upheaval-engine --example variant_in_code
//! ```
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use upheaval_engine::prelude::*;
use upheaval_engine::rules::mechanism::draw::Closure;
use upheaval_engine::rules::mechanism::holes::Foresight;
use upheaval_engine::rules::mechanism::{Faces, Holes, Mechanism, Seasons};

fn main() -> Result<(), Box<dyn Error>> {
    let standard = Variant::find("standard", Path::new(""))?.ok_or("it ships")?;
    let holes = Holes {
        per_season: 2,
        closure: Closure::Void,
        retreats: Foresight::Unforetold,
        seasons: Seasons::Fall,
        faces: Faces::Land,
    };
    let variant = Arc::new(Variant {
        id: "autumn-voids".to_owned(),
        title: "Autumn Voids".to_owned(),
        mechanisms: vec![Mechanism::Holes(holes)],
        ..standard
    });

    let mut game = Session::of(Arc::clone(&variant), 42).ending_in(1903);
    while !game.is_over() {
        let turn = game.advance();
        for change in &turn.map_changes {
            println!("{}: {change}", turn.phase);
        }
    }
    // A variant made in code must be supplied again when its game is restored.
    let again = Session::restore_with(&game.save()?, variant)?;
    println!("restored in the same state: {}", again.game().hash() == game.game().hash());
    Ok(())
}
