//! How bots choose seismic orders: they bring valuable provinces into the reach of their own units, cut off
//! units that threaten their centres, and avoid helping others in these ways. Each bot supplies its own
//! valuation.
//!
//! ```text
//!      C  a unit of its own              A ─╳─ B     A its centre, B an enemy next to it
//!   A ─┼─ B                              C ─── D     two unrelated provinces
//!      D  a centre that it wants
//! ```

use upheaval_engine::ask::{Answer, Observation};
use upheaval_engine::bot::Decision;
use upheaval_engine::ids::{ByProvince, ProvinceId, ProvinceSet, UnitKind};
use upheaval_engine::rng::Stream;
use upheaval_engine::topology::{Quake, Touched};

use super::reach;

/// Gives the most useful order, if any is useful. The dice decide between equals.
///
/// Bots differ in `brings`, the worth of bringing a province into the reach of a unit of its own, and in `cuts_off`, the
/// worth of cutting off a foreign unit from this centre of its own.
pub(crate) fn choose(
    seen: &Observation<'_>,
    brings: impl Fn(ProvinceId) -> i64,
    cuts_off: impl Fn(ProvinceId) -> i64,
    dice: &mut Stream,
    answer: &mut Answer<'_>,
) {
    let mut all = ByProvince::filled(ProvinceSet::EMPTY);
    for at in *seen.position.occupied() {
        all[at] = reach(seen, at);
    }
    let land = SeismicRater {
        seen,
        brings,
        cuts_off,
        own: *seen.position.units_of(seen.power),
        own_centres: *seen.position.centres_of(seen.power) & *seen.centres,
        reach: all,
    };
    let mut best: Vec<Quake> = Vec::new();
    let mut most = 0;
    for &quake in seen.quakes() {
        let value = land.balance(seen.touched(quake));
        if value > most {
            (most, best) = (value, Vec::new());
        }
        if value == most && value > 0 {
            best.push(quake);
        }
    }
    if let Some(&quake) = dice.choose(&best) {
        answer.give(&Decision::Seismic(quake.into()));
    }
}

/// The positions and reaches of units, looked up once.
struct SeismicRater<'a, B, C> {
    seen: &'a Observation<'a>,
    brings: B,
    cuts_off: C,
    own: ProvinceSet,
    own_centres: ProvinceSet,
    /// The reach of the unit in each province; empty if there is no unit.
    reach: ByProvince<ProvinceSet>,
}

impl<B: Fn(ProvinceId) -> i64, C: Fn(ProvinceId) -> i64> SeismicRater<'_, B, C> {
    /// The worth of an order, as far as its four faces determine it.
    fn balance(&self, Touched { apart: [a, b], together: [c, d] }: Touched) -> i64 {
        let comes = self.gains(c, d) + self.gains(d, c);
        let goes = if a == b { 0 } else { self.loses(a, b) + self.loses(b, a) };
        comes - goes
    }

    /// The unit in `from` gets a border with `to`.
    fn gains(&self, from: ProvinceId, to: ProvinceId) -> i64 {
        if self.reach[from].contains(to) || !self.can_enter(from, to) {
            return 0;
        }
        self.meaning(from, to)
    }

    /// The unit in `from` loses a border with `to`.
    fn loses(&self, from: ProvinceId, to: ProvinceId) -> i64 {
        if self.reach[from].contains(to) { self.meaning(from, to) } else { 0 }
    }

    /// The worth to this power of the unit in `from` being able to go to `to`.
    fn meaning(&self, from: ProvinceId, to: ProvinceId) -> i64 {
        if self.own.contains(from) {
            (self.brings)(to)
        } else if self.own_centres.contains(to) {
            -(self.cuts_off)(to)
        } else {
            0
        }
    }

    fn can_enter(&self, from: ProvinceId, to: ProvinceId) -> bool {
        let board = self.seen.board;
        match self.seen.position.unit(from).map(|unit| unit.kind) {
            Some(UnitKind::Army) => board.land().contains(to),
            // Along a coast, a new border may or may not have water at its end; to and from the sea it always
            // has.
            Some(UnitKind::Fleet) => {
                !board.ice().contains(to)
                    && board.passable().contains(to)
                    && (board.sea().contains(from) || board.sea().contains(to))
            }
            None => false,
        }
    }
}
