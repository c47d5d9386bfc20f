//! Seismic phases of requests.

use std::sync::Arc;

use super::super::RequestError;
use super::super::answer::{Answer, Results};
use super::{Entry, Setup, Texts, Witness, sort_out};
use crate::rules::notation::{WrittenOrder, WrittenSeismic};
use crate::rules::seismic::{SeismicOrders, SeismicOutcome};
use upheaval_map::ids::{ByPower, ProvinceSet};
use upheaval_map::topology::report::MapReport;

impl Setup<'_> {
    /// Settles a seismic phase; what comes of the fleets is chosen with the same orders.
    pub(super) fn seismic(&mut self, texts: &Texts) -> Result<Answer, RequestError> {
        let variant = Arc::clone(self.game.variant());
        if !variant.seismic().is_some_and(|rule| rule.after.includes(self.game.phase().season)) {
            return Err(RequestError::NoSeismicPhase { variant: variant.id.clone() });
        }
        let mut results = Results::default();
        let terrain = Arc::clone(&self.game.world().terrain);
        let map = terrain.chart().map();
        let mut orders = SeismicOrders::default();
        let mut understood: ByPower<Option<String>> = ByPower::default();
        let (coasts, others) = sort_out(texts, &mut results);
        let (seismic, disbandments): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|entry| WrittenSeismic::is_one(&entry.order));
        for Entry { power, key, order: text } in seismic {
            let read = match WrittenSeismic::parse(&text) {
                Ok(read) => read,
                Err(error) => {
                    results.write(power, &key, &["illegal"], Some(error.to_string()));
                    continue;
                }
            };
            match read.resolve(map) {
                Ok(_) if self.game.world().position.is_out(power) => {
                    let reason = "a power without units and centres orders nothing".to_owned();
                    results.write(power, &key, &["illegal"], Some(reason));
                }
                Ok(order) if orders[power].is_none() => {
                    orders[power] = Some(order);
                    understood[power] = Some(key);
                }
                Ok(_) => {
                    let reason = "a power has one seismic order; the first counts".to_owned();
                    results.write(power, &key, &["illegal"], Some(reason));
                }
                // RULINGS 8.2: an order that fits several places is void.
                Err(fault) if fault.is_ambiguous() => {
                    results.write(power, &key, &["void"], Some(fault.to_string()));
                }
                Err(fault) => results.write(power, &key, &["illegal"], Some(fault.to_string())),
            }
        }
        let outcomes = self.game.settle_seismic(&orders, &mut self.nature, &mut Witness::default());
        for (power, key) in understood.iter() {
            let (Some(key), Some(outcome)) = (key, outcomes[power]) else { continue };
            let reason = (outcome != SeismicOutcome::Done).then(|| outcome.to_string());
            results.write(power, key, &[outcome.word()], reason);
        }
        let disbanded = self.disband_trapped(&disbandments, &mut results);
        self.choose_coasts_and_disband(&coasts, disbanded, &mut results);
        let mut answer = self.answer(results, Vec::new(), Vec::new());
        let terrain = &self.game.world().terrain;
        answer.map = Some(MapReport::new(terrain.chart(), terrain.board()));
        Ok(answer)
    }

    /// `F MUN D`: a fleet that is left without a coast is disbanded, where its owner may (RULINGS 8.8).
    fn disband_trapped(&self, orders: &[Entry<String>], results: &mut Results) -> ProvinceSet {
        let names = self.game.terrain().names();
        let mut disbanded = ProvinceSet::EMPTY;
        for Entry { power, key, order: text } in orders {
            let (word, reason) = match WrittenOrder::parse(text, names) {
                Err(error) => ("illegal", Some(error.to_string())),
                Ok(WrittenOrder::Disband { unit }) => {
                    let at = unit.place.province;
                    if self.game.trapped_of(*power).contains(at) {
                        disbanded.insert(at);
                        ("ok", None)
                    } else {
                        ("void", Some("no fleet of the power's has just been trapped there".to_owned()))
                    }
                }
                Ok(_) => ("illegal", Some("the order belongs to another phase".to_owned())),
            };
            results.write(*power, key, &[word], reason);
        }
        disbanded
    }
}
