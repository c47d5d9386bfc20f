//! Adjudicates a position: the request and the answer are those of `upheaval adjudicate` (docs/adjudicate.md).
//!
//! ```text
//! cargo run -p upheaval-engine --example adjudicate
//! ```
#![allow(clippy::print_stdout)]

use std::error::Error;

use serde_json::json;
use upheaval_engine::adjudicate::AdjudicationService;

fn main() -> Result<(), Box<dyn Error>> {
    // Marseilles has collapsed: Gascony and Piedmont meet at the resulting point.
    let request = json!({
        "id": 1,
        "variant": "black-hole",
        "phase": "F1901M",
        "map_events": ["collapse MAR"],
        "powers": {
            "FRANCE": { "units": ["A GAS", "A BUR"] },
            "ITALY": { "units": ["A PIE", "A TYR"] },
        },
        "orders": {
            "FRANCE": ["A GAS - PIE", "A BUR S A GAS - PIE"],
            "ITALY": ["A PIE H", "A TYR - VEN"],
        },
    });
    let answer = AdjudicationService::new().answer(&request.to_string())?;
    for (power, results) in &answer.results {
        for (order, words) in results {
            println!("{power} {order}: {words}");
        }
    }
    for unit in &answer.dislodged {
        println!("{} {} must retreat: {:?}", unit.power, unit.unit, unit.options);
    }
    Ok(())
}
