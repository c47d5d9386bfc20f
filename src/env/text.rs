//! Orders of the tables as text.

use upheaval_engine::bot::Decision;
use upheaval_engine::game::Game;
use upheaval_engine::rules::notation::Listed;
use upheaval_map::ids::ProvinceId;

use crate::act::Act;
use crate::batch::Batch;
use crate::config::ConfigError;

impl Batch {
    /// An order as text, in the form that [`Session::order`](upheaval_engine::session::Session::order) takes;
    /// empty for no answer. `row` is an index into the table of orders.
    ///
    /// # Errors
    /// There is no such row.
    pub fn order_text(&self, row: usize) -> Result<String, ConfigError> {
        let mut left = row;
        for waiting in self.waiting() {
            let acts = &waiting.questions.asks.acts;
            match acts.get(left) {
                Some(&(about, act)) => return Ok(text(&waiting.game, about, act).unwrap_or_default()),
                None => left -= acts.len(),
            }
        }
        Err(ConfigError::Row { row, rows: self.sizes().orders })
    }
}

/// The text of an order; `None` for no answer.
fn text(game: &Game, about: Option<ProvinceId>, act: Act) -> Option<String> {
    let decision = match act {
        Act::Place(to) => Decision::List(Listed { unit: about?, places: vec![to], passed_over: Vec::new() }),
        _ => act.decision(about)?,
    };
    game.world().text_of(&decision)
}
