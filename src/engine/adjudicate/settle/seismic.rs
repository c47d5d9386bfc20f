//! Seismic phases of requests.

use super::super::answer::Results;
use super::{Entry, Outcome, Settling, Texts, lines, sort_out, write};
use crate::game::Game;
use crate::reading::{self, Decision, Read};
use crate::rules::notation::{IllegalOrder, WrittenSeismic};
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
        let disbanded = disband_trapped(&self.position.game, &disbandments, &mut self.results);
        self.choose_coasts(coasts, disbanded);
        let terrain = self.position.game.terrain();
        Outcome { map: Some(MapReport::new(terrain.chart(), terrain.board())), ..Outcome::default() }
    }
}

/// `F MUN D`: a fleet left without a coast is disbanded, if its owner may do so (rules.md 8.8). A fleet that
/// is to stay needs no order, and an order to keep it counts as one of another phase.
fn disband_trapped(game: &Game, orders: &[Entry], results: &mut Results) -> ProvinceSet {
    let names = game.terrain().names();
    let (disbanded, read) = reading::trapped(names, &|power| game.trapped_of(power), &lines(orders));
    let strictly = |Read { line, result }: Read| Read {
        line,
        result: match result {
            Ok(Decision::KeepTrapped(_)) => Err(IllegalOrder::OtherPhase.into()),
            other => other,
        },
    };
    let read: Vec<Read> = read.into_iter().map(strictly).collect();
    write(results, orders, Settled::of(&read, settle::as_read));
    disbanded
}
