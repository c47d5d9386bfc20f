//! Orders of the tables as text.

use upheaval_engine::bot::Trapped;
use upheaval_engine::game::Game;
use upheaval_engine::rules::notation::{
    WrittenList, WrittenOrder, WrittenPlace, WrittenSeismic, WrittenUnit,
};
use upheaval_engine::rules::world::World;
use upheaval_map::ids::{Designation, Location, ProvinceId};

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
    let World { terrain, position, retreats, .. } = game.world();
    let names = terrain.names();
    let fleet = |province| WrittenUnit {
        kind: Designation::Fleet,
        place: WrittenPlace { province, coast: None },
        ordinal: 1,
    };
    let written = match act {
        Act::None => return None,
        Act::Order(order) => WrittenOrder::from_order(position, about?, order)?,
        Act::Land(landing) => WrittenOrder::from_landing(landing),
        Act::Place(to) => {
            let unit = WrittenUnit::standing(position, about?)?;
            let coast = (unit.kind != Designation::Army).then_some(to.coast);
            let places = vec![WrittenPlace { province: to.province, coast }];
            return Some(WrittenList { unit, places }.display(names).to_string());
        }
        Act::Exempt(centre) => WrittenOrder::Exempt { centre },
        Act::Announce => WrittenOrder::Announce,
        Act::Retreat { unit: i, order } => {
            let i = usize::from(i);
            let dislodged = retreats.dislodged[i];
            let at = Location { province: dislodged.at, coast: dislodged.unit.coast };
            let unit = WrittenUnit::new(dislodged.unit.designation(), at);
            WrittenOrder::from_retreat(WrittenUnit { ordinal: retreats.ordinal(i), ..unit }, order)
        }
        Act::Adjust(order) => WrittenOrder::from_adjustment(position, order)?,
        Act::Quake(quake) => {
            let map = terrain.chart().map();
            return Some(WrittenSeismic::from_order(map, &quake.into()).to_string());
        }
        Act::Coast(coast) => WrittenOrder::ChooseCoast { unit: fleet(about?), coast },
        Act::Trapped(Trapped::Stays) => WrittenOrder::Hold { unit: fleet(about?) },
        Act::Trapped(Trapped::Disbands) => WrittenOrder::Disband { unit: fleet(about?) },
    };
    Some(written.display(names).to_string())
}
