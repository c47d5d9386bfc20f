//! The board of a session as text, JSON and a picture.

use std::collections::BTreeMap;

use super::Session;
use upheaval_map::topology::report::MapReport;

impl Session {
    /// The units on the board by power, sorted; powers without units have no entry. Dislodged units are
    /// excluded.
    ///
    /// ```
    /// # use upheaval_engine::prelude::*;
    /// let game = Session::new("standard", 1)?;
    /// assert_eq!(game.units()["RUSSIA"], ["A MOS", "A WAR", "F SEV", "F STP/SC"]);
    /// # Ok::<(), SessionError>(())
    /// ```
    pub fn units(&self) -> BTreeMap<String, Vec<String>> {
        self.game.world().written_units()
    }

    /// The supply centres by owner, sorted; powers without centres have no entry.
    pub fn centres(&self) -> BTreeMap<String, Vec<String>> {
        self.game.world().written_centres()
    }

    /// The current board: faces, boundaries, coasts, adjacency, holes. `serde_json` writes it in the form of
    /// `upheaval map --format json`.
    pub fn board(&self) -> MapReport {
        let terrain = self.game.terrain();
        MapReport::new(terrain.chart(), terrain.board())
    }

    /// The board as JSON text.
    ///
    /// ```
    /// # use upheaval_engine::prelude::*;
    /// let game = Session::new("standard", 1)?;
    /// assert!(game.board_json().starts_with(r#"{"counts":{"faces":77,"borders":225,"corners":150"#));
    /// # Ok::<(), SessionError>(())
    /// ```
    pub fn board_json(&self) -> String {
        // Names and numbers cannot fail to serialise.
        serde_json::to_string(&self.board()).unwrap_or_default()
    }

    /// The board as text: a line for each face, then holes and waterways.
    pub fn board_text(&self) -> String {
        self.board().to_text()
    }

    /// The board as a picture, one SVG element, with owners and units; units that must retreat are drawn
    /// beside the others. Takes some 50 ms, and more if there are many holes.
    ///
    /// ```
    /// # use upheaval_engine::prelude::*;
    /// let game = Session::new("standard", 1)?;
    /// assert!(game.board_svg().starts_with("<svg "));
    /// # Ok::<(), SessionError>(())
    /// ```
    #[cfg(feature = "picture")]
    pub fn board_svg(&self) -> String {
        use upheaval_map::ids::Location;
        use upheaval_picture::{DrawnUnit, Footing, Layout, Stand, Style, svg};

        let chart = self.game.terrain().chart();
        let position = &self.game.world().position;
        let standing = position.occupied().iter().filter_map(|id| {
            let (unit, at) = (position.unit(id)?, position.location(id)?);
            Some(DrawnUnit { power: unit.power, stand: Stand::firm(unit.designation(), at) })
        });
        let dislodged = self.game.dislodged().dislodged.iter().map(|unit| {
            let at = Location { province: unit.at, coast: unit.unit.coast };
            let stand = Stand { kind: unit.unit.designation(), at, footing: Footing::Dislodged(0) };
            DrawnUnit { power: unit.unit.power, stand }
        });
        let style = Style {
            title: format!("{}, {}", self.variant().title, self.phase()),
            owners: Some(position.owners()),
            units: standing.chain(dislodged).collect(),
            ..Style::default()
        };
        svg::board(&Layout::of(chart), chart, &style)
    }
}
