//! A position from a request to `upheaval adjudicate`, or from an answer of it.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use upheaval::adjudicate::{AdjudicationService, LONGEST_REQUEST};
use upheaval::diagnostic::{one_line, open_file};
use upheaval::game::Game;
use upheaval::game_record::OrderLine;
use upheaval::reading::typed;

use crate::failure::Failure;

/// A position with orders.
pub(super) struct WrittenPosition {
    /// The position: before the orders of a request, and after those of an answer.
    pub game: Game,
    /// The orders; those of a request succeed as far as is known.
    pub orders: Vec<OrderLine>,
    /// A line for each order that cannot be drawn.
    pub notes: Vec<String>,
}

/// What tells an answer from a request.
#[derive(Deserialize)]
struct Written {
    results: Option<BTreeMap<String, BTreeMap<String, Vec<String>>>>,
    next: Option<Value>,
    orders: Option<BTreeMap<String, Vec<String>>>,
}

impl WrittenPosition {
    /// Reads the file, which holds one JSON object.
    ///
    /// # Errors
    /// It is neither a request nor an answer, or its position is not possible.
    pub(super) fn read(path: &Path) -> Result<WrittenPosition, Failure> {
        let name = path.display();
        let at = |error: String| Failure::input(format!("{name}: {}", one_line(&error)));
        let mut text = String::new();
        let file = open_file(path).map_err(|error| at(error.to_string()))?;
        file.take(LONGEST_REQUEST as u64 + 1)
            .read_to_string(&mut text)
            .map_err(|error| at(error.to_string()))?;
        let written: Written = serde_json::from_str(&text).map_err(|error| {
            at(format!(
                "expected a request to `upheaval adjudicate` or an answer of it, one JSON object: {error}"
            ))
        })?;
        let game = |text: &str| AdjudicationService::new().game(text).map_err(|error| at(error.to_string()));
        let Written { results: Some(results), next, .. } = written else {
            let game = game(&text)?;
            let (orders, notes) = asked(&game, written.orders.unwrap_or_default());
            return Ok(WrittenPosition { game, orders, notes });
        };
        let over =
            "the game is over, so the answer has no `next` with the position; name the file of the request";
        let next = next.ok_or_else(|| at(over.to_owned()))?;
        let line = |power: &str, (order, words): (String, Vec<String>)| OrderLine {
            power: power.to_owned(),
            order,
            result: words.join(","),
            reason: None,
        };
        let of_power = |(power, all): (String, BTreeMap<_, _>)| {
            all.into_iter().map(|result| line(&power, result)).collect::<Vec<_>>()
        };
        let orders = results.into_iter().flat_map(of_power).collect();
        Ok(WrittenPosition { game: game(&next.to_string())?, orders, notes: Vec::new() })
    }
}

/// The orders of a request as they are read, and the others.
fn asked(game: &Game, orders: BTreeMap<String, Vec<String>>) -> (Vec<OrderLine>, Vec<String>) {
    let (mut lines, mut notes) = (Vec::new(), Vec::new());
    for (name, texts) in orders {
        let Some(power) = game.power_names().find(&name.to_uppercase()) else {
            notes.push(format!("{name}: not drawn: there is no such power on this board"));
            continue;
        };
        for text in texts {
            match typed(game, power, &text) {
                Ok(typed) => lines.push(OrderLine {
                    power: game.power_names().name(power).to_owned(),
                    order: typed.text,
                    result: "ok".to_owned(),
                    reason: None,
                }),
                Err(misread) => notes.push(format!("{name} {text}: not drawn: {misread}")),
            }
        }
    }
    (lines, notes)
}
