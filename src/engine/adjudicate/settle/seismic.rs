//! Seismic phases of requests.

use std::sync::Arc;

use super::super::RequestError;
use super::super::answer::{Answer, Results};
use super::{Entry, Setup, Texts, lines, sort_out, write};
use crate::reading::{self, Decision, Read};
use crate::rules::notation::{IllegalOrder, WrittenSeismic};
use crate::settle::{self, Settled, Surroundings};
use upheaval_map::ids::ProvinceSet;
use upheaval_map::topology::report::MapReport;

impl Setup<'_> {
    /// Settles a seismic phase; what comes of the fleets is chosen with the same orders.
    pub(super) fn seismic(&mut self, texts: &Texts) -> Result<Answer, RequestError> {
        let variant = Arc::clone(self.game.variant());
        if !variant.seismic().is_some_and(|rule| rule.after.includes(self.game.phase().season)) {
            return Err(RequestError::NoSeismicPhase { variant: variant.id.clone() });
        }
        let mut results = Results::default();
        let (coasts, others) = sort_out(texts, &mut results);
        let (seismic, disbandments): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|entry| WrittenSeismic::is_one(&entry.text));
        let around = Surroundings { nature: &mut self.nature, log: &mut () };
        let settled = settle::seismic(&mut self.game, &lines(&seismic), around);
        write(&mut results, &seismic, settled);
        let disbanded = self.disband_trapped(&disbandments, &mut results);
        self.choose_coasts(&coasts, disbanded, &mut results);
        let mut answer = self.answer(results, Vec::new(), Vec::new());
        let terrain = &self.game.world().terrain;
        answer.map = Some(MapReport::new(terrain.chart(), terrain.board()));
        Ok(answer)
    }

    /// `F MUN D`: a fleet that is left without a coast is disbanded, where its owner may (rules.md 8.8). One that is to
    /// stay needs no order, and here has none.
    fn disband_trapped(&self, orders: &[Entry], results: &mut Results) -> ProvinceSet {
        let names = self.game.terrain().names();
        let trapped = |power| self.game.trapped_of(power);
        let (disbanded, read) = reading::trapped(names, &trapped, &lines(orders));
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
}
