//! Seismic orders: their strengths, which contradict each other, and which succeed (rules.md 8.3 to 8.5).
//!
//! ```text
//!   orders ──▶ strength: the number of powers that gave this order
//!          ──▶ an order fails if one of equal or greater strength contradicts it
//!          ──▶ if remaining orders would together cut a face, the weakest of each smallest such set fail
//!          ──▶ the rest is done at once; their choices about waterways are put to the vote
//! ```

use std::fmt;

use super::gazetteer::Gazetteer;
use arrayvec::ArrayVec;
use upheaval_map::ids::{ByPower, MAX_POWERS, Power, ProvinceId};
use upheaval_map::topology::isthmus::{Matter, WaterwayOption, WaterwayQuestion};
use upheaval_map::topology::{NamedMap, PlanarMap, Quake, Surgery};

/// The order of one power for a seismic phase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeismicOrder {
    /// The change of the map.
    pub quake: Quake,
    /// Its choices about waterways (AceRunner rule 9); these are not part of the order's identity (8.3).
    pub wishes: Vec<WaterwayChoice>,
}

/// A power's choice about a waterway.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WaterwayChoice<P = ProvinceId> {
    /// The isthmus it refers to, if the order makes several.
    pub at: Option<[P; 2]>,
    /// The choice.
    pub option: WaterwayOption<P>,
}

impl<P> WaterwayChoice<P> {
    /// The same choice with other terms for its provinces.
    pub(crate) fn map<Q, E>(&self, term: impl Fn(&P) -> Result<Q, E>) -> Result<WaterwayChoice<Q>, E> {
        use WaterwayOption::{Canal, Delete, Keep, Nothing, Strait, Terminus};
        let at = match &self.at {
            Some([x, y]) => Some([term(x)?, term(y)?]),
            None => None,
        };
        let option = match &self.option {
            Strait => Strait,
            Canal(province) => Canal(term(province)?),
            Nothing => Nothing,
            Delete => Delete,
            Keep => Keep,
            Terminus(sea) => Terminus(term(sea)?),
        };
        Ok(WaterwayChoice { at, option })
    }
}

impl From<Quake> for SeismicOrder {
    fn from(quake: Quake) -> Self {
        SeismicOrder { quake, wishes: Vec::new() }
    }
}

/// The outcome of a power's seismic order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeismicOutcome {
    /// It was done.
    Done,
    /// An order of equal or greater strength contradicts it; the power is the first that gave that order.
    Contradicted(Power),
    /// Together with other remaining orders it would have cut a province into pieces.
    WouldCut,
}

impl SeismicOutcome {
    /// The result word (docs/adjudicate.md).
    pub const fn word(&self) -> &'static str {
        match self {
            SeismicOutcome::Done => "ok",
            SeismicOutcome::Contradicted(_) | SeismicOutcome::WouldCut => "bounce",
        }
    }

    /// The outcome in words.
    pub fn display(self, names: &Gazetteer) -> impl fmt::Display {
        fmt::from_fn(move |f| match self {
            SeismicOutcome::Done => f.write_str("done"),
            SeismicOutcome::Contradicted(power) => {
                write!(f, "contradicted by the order of {}, which is no weaker", names.power(power))
            }
            SeismicOutcome::WouldCut => {
                f.write_str("together with other orders it would have cut a province into pieces")
            }
        })
    }
}

/// The orders of a seismic phase.
pub type SeismicOrders = ByPower<Option<SeismicOrder>>;

/// The results of a seismic phase.
#[derive(Clone, Debug)]
pub struct SettledSeismic {
    /// The outcome of each power's order.
    pub outcomes: ByPower<Option<SeismicOutcome>>,
    /// The successful quakes without duplicates, in the order of their texts.
    pub standing: Vec<Quake>,
}

/// Determines which of these orders succeed; the map must allow each on its own.
pub fn settle(map: &PlanarMap, orders: &SeismicOrders) -> SettledSeismic {
    let ordered: ArrayVec<Quake, MAX_POWERS> =
        orders.iter().filter_map(|(_, order)| Some(order.as_ref()?.quake)).collect();
    let quakes = map.in_order_of_texts(&ordered);
    let place = |quake: Quake| quakes.iter().position(|&other| other == quake);
    // The strength of each quake, and the first power that ordered it.
    let mut strength = [0; MAX_POWERS];
    let mut giver = [None; MAX_POWERS];
    for (power, order) in orders.iter() {
        if let Some(i) = order.as_ref().and_then(|order| place(order.quake)) {
            strength[i] += 1;
            giver[i] = giver[i].or(Some(power));
        }
    }
    let mut outcomes = [SeismicOutcome::Done; MAX_POWERS];
    for pair in map.contradictions(&quakes) {
        for [i, j] in [pair, [pair[1], pair[0]]] {
            if strength[j] >= strength[i]
                && let Some(power) = giver[j]
            {
                // Among several, the order of powers decides, because names of provinces must not.
                outcomes[i] = match outcomes[i] {
                    SeismicOutcome::Contradicted(other) => SeismicOutcome::Contradicted(other.min(power)),
                    _ => SeismicOutcome::Contradicted(power),
                };
            }
        }
    }
    let standing: ArrayVec<usize, MAX_POWERS> =
        (0..quakes.len()).filter(|&i| outcomes[i] == SeismicOutcome::Done).collect();
    let mut stands: Vec<Quake> = standing.iter().map(|&i| quakes[i]).collect();
    for set in map.cutting_sets(&stands) {
        let weakest = set.iter().map(|&i| strength[standing[i]]).min();
        for &i in set.iter().filter(|&&i| Some(strength[standing[i]]) == weakest) {
            outcomes[standing[i]] = SeismicOutcome::WouldCut;
        }
    }
    let outcome_of = |quake: Quake| place(quake).map(|i| outcomes[i]);
    stands.retain(|&quake| outcome_of(quake) == Some(SeismicOutcome::Done));
    SettledSeismic {
        outcomes: ByPower::from_fn(orders.powers(), |power| outcome_of(orders[power].as_ref()?.quake)),
        standing: stands,
    }
}

/// Does all successful quakes to the chart at once (rules.md 8.5). The most frequent choice about a waterway
/// wins; without a plurality the default applies (8.3, 8.7).
///
/// # Errors
/// None for the quakes that [`settle`] accepts; on an error the chart is unchanged.
pub fn apply(chart: &mut NamedMap, orders: &SeismicOrders, standing: &[Quake]) -> Surgery {
    // If one order makes several isthmuses, a choice must say which it means; they are counted on a copy.
    let mut asked: Vec<WaterwayQuestion> = Vec::new();
    if orders.iter().any(|(_, order)| order.as_ref().is_some_and(|order| !order.wishes.is_empty())) {
        chart.clone().shake(standing, &mut |question| {
            asked.push(question.clone());
            None
        })?;
    }
    chart.shake(standing, &mut |question| vote(orders, question, &asked))
}

/// The choice of the powers behind a question, given all questions; `None` without a plurality.
fn vote(
    orders: &SeismicOrders,
    question: &WaterwayQuestion,
    asked: &[WaterwayQuestion],
) -> Option<WaterwayOption> {
    let mut votes: Vec<(WaterwayOption, usize)> = Vec::new();
    let givers = orders.iter().filter_map(|(_, order)| order.as_ref());
    for order in givers.filter(|order| question.by.contains(&order.quake)) {
        let others = asked.iter().filter(|other| other.by.contains(&order.quake)).map(|other| &other.matter);
        let meant = |wish: &&WaterwayChoice| {
            question.matter.takes(wish.option) && means(wish, &question.matter, others.clone())
        };
        let Some(wish) = order.wishes.iter().find(meant) else { continue };
        match votes.iter_mut().find(|(option, _)| *option == wish.option) {
            Some((_, count)) => *count += 1,
            None => votes.push((wish.option, 1)),
        }
    }
    let most = votes.iter().map(|&(_, count)| count).max()?;
    let mut first = votes.iter().filter(|&&(_, count)| count == most);
    match (first.next(), first.next()) {
        (Some(&(option, _)), None) => Some(option),
        _ => None,
    }
}

/// Does the choice refer to this matter? `all` are the matters that its order has caused. Without `AT` the
/// isthmus must be unambiguous: the order makes no isthmus between two other provinces, and no other matter
/// of the order accepts the option.
fn means<'a>(wish: &WaterwayChoice, matter: &Matter, mut all: impl Iterator<Item = &'a Matter>) -> bool {
    let is_same = |[x, y]: [ProvinceId; 2], other: [ProvinceId; 2]| other == [x, y] || other == [y, x];
    let is_made = |matter: &Matter| matches!(matter, Matter::NewIsthmus { .. });
    match (wish.at, matter.isthmus()) {
        (Some(at), Some(between)) => is_same(at, between),
        (Some(_), None) => false,
        (None, None) => true,
        (None, Some(between)) => !all.any(|other| {
            let elsewhere = other.isthmus().is_some_and(|pair| !is_same(pair, between));
            elsewhere && (is_made(matter) && is_made(other) || other.takes(wish.option))
        }),
    }
}
