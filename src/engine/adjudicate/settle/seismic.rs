//! Seismic phases of requests.

use super::{Entry, Outcome, Settling, Texts, lines, sort_out, write};
use crate::reading::{self, Decision, Read, Refusal};
use crate::rules::notation::WrittenSeismic;
use crate::settle::{self, Settled};
use upheaval_map::ids::ProvinceSet;
use upheaval_map::topology::report::MapReport;

impl Settling {
    /// Settles a seismic phase; choices about fleets are made by the same orders.
    pub(super) fn seismic(&mut self, texts: &Texts) -> Outcome {
        let (coasts, others) = sort_out(texts, &mut self.results);
        let (seismic, disbandments): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|entry| WrittenSeismic::is_one(&entry.text));
        let (game, around) = self.parts();
        let settled = settle::seismic(game, &lines(&seismic), around);
        write(&mut self.results, &seismic, settled);
        let names = self.position.game.terrain().names();
        let none = &|_| ProvinceSet::EMPTY;
        let (_, read) = reading::trapped(names, none, &lines(&disbandments));
        write(&mut self.results, &disbandments, Settled::of(&read, settle::as_read));
        self.choose_coasts(coasts, disbandments);
        let terrain = self.position.game.terrain();
        Outcome { map: Some(MapReport::new(terrain.chart(), terrain.board())), ..Outcome::default() }
    }

    /// `F MUN D`: a fleet left without a coast is disbanded, if its owner may do so (rules.md 8.8). A fleet that
    /// is to stay needs no order. Returns the fleets that these orders disband, and writes the results of the
    /// orders that do.
    pub(super) fn disband_trapped(&mut self, orders: &[Entry]) -> ProvinceSet {
        let game = &self.position.game;
        let trapped = |power| game.trapped_of(power);
        let (disbanded, mut read) = reading::trapped(game.terrain().names(), &trapped, &lines(orders));
        read.retain(|Read { result, .. }| {
            matches!(result, Ok(Decision::DisbandTrapped(_)) | Err(Refusal::Twice))
        });
        write(&mut self.results, orders, Settled::of(&read, settle::as_read));
        disbanded
    }
}
