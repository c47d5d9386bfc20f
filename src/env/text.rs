//! Orders of the tables as text.

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
            let answers = &waiting.questions.asks.answers;
            match answers.get(left) {
                Some(&answer) => {
                    let decision = waiting.questions.asks.decision(answer);
                    let text = decision.and_then(|decision| waiting.game.world().text_of(&decision));
                    return Ok(text.unwrap_or_default());
                }
                None => left -= answers.len(),
            }
        }
        Err(ConfigError::Row { row, rows: self.sizes().orders })
    }
}
