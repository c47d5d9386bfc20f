//! Seismic orders: how strong each is, which contradict each other, and which stand (rules.md 8.3 to 8.5).
//!
//! ```text
//!   orders ──▶ strength: how many powers gave just this one
//!          ──▶ out is what an order of equal or greater strength contradicts
//!          ──▶ of what stands and would cut a face together, the weakest of each smallest set is out
//!          ──▶ the rest is done at once; what its givers say of waterways is put to the vote
//! ```

use std::fmt;

use arrayvec::ArrayVec;
use upheaval_map::ids::{ByPower, MAX_POWERS, Power, ProvinceId};
use upheaval_map::topology::isthmus::{Matter, Question, WaterwayOption};
use upheaval_map::topology::{Chart, PlanarMap, Quake, Surgery};

/// The order of one power for a seismic phase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeismicOrder {
    /// What is to be done to the map.
    pub quake: Quake,
    /// What it is to mean for waterways (AceRunner rule 9); no part of the order's identity (8.3).
    pub wishes: Vec<Wish>,
}

/// What a power wants for a waterway.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wish {
    /// The isthmus that is meant, where the order makes several.
    pub at: Option<[ProvinceId; 2]>,
    /// What is wanted.
    pub option: WaterwayOption,
}

impl From<Quake> for SeismicOrder {
    fn from(quake: Quake) -> Self {
        SeismicOrder { quake, wishes: Vec::new() }
    }
}

/// What became of a power's seismic order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeismicOutcome {
    /// It was done.
    Done,
    /// An order of equal or greater strength contradicts it: that of this power, the first of its givers.
    Contradicted(Power),
    /// Together with others that stood it would have cut a province into pieces.
    WouldCut,
}

impl SeismicOutcome {
    /// The word for it in results (docs/adjudicate.md).
    pub const fn word(&self) -> &'static str {
        match self {
            SeismicOutcome::Done => "ok",
            SeismicOutcome::Contradicted(_) | SeismicOutcome::WouldCut => "bounce",
        }
    }
}

impl fmt::Display for SeismicOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SeismicOutcome::Done => f.write_str("done"),
            SeismicOutcome::Contradicted(power) => {
                write!(f, "contradicted by the order of {power}, which is no weaker")
            }
            SeismicOutcome::WouldCut => {
                f.write_str("together with other orders it would have cut a province into pieces")
            }
        }
    }
}

/// The orders of a seismic phase.
pub type SeismicOrders = ByPower<Option<SeismicOrder>>;

/// How a seismic phase came out.
#[derive(Clone, Debug)]
pub struct Settled {
    /// What became of each power's order.
    pub outcomes: ByPower<Option<SeismicOutcome>>,
    /// What stands, each once, in the order of the texts.
    pub standing: Vec<Quake>,
}

/// Which of these orders, each of which the map allows by itself, stand.
pub fn settle(map: &PlanarMap, orders: &SeismicOrders) -> Settled {
    let ordered: ArrayVec<Quake, MAX_POWERS> =
        orders.iter().filter_map(|(_, order)| Some(order.as_ref()?.quake)).collect();
    let quakes = map.in_order_of_texts(&ordered);
    let place = |quake: Quake| quakes.iter().position(|&other| other == quake);
    // Of each its strength and the first of its givers.
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
                // Of several the power decides, for names of provinces decide nothing.
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
    Settled {
        outcomes: ByPower::from_fn(orders.powers(), |power| outcome_of(orders[power].as_ref()?.quake)),
        standing: stands,
    }
}

/// Does to the chart what stands, all of it at once (rules.md 8.5). Of what the givers of the orders wish for a waterway
/// the most frequent decides; without a single one it is the default (8.3, 8.7).
///
/// # Errors
/// None for what [`settle`] lets stand; then the chart is as it was.
pub fn apply(chart: &mut Chart, orders: &SeismicOrders, standing: &[Quake]) -> Surgery {
    // Where several isthmuses come of one order, a wish must say which it means: they are counted on a copy.
    let mut asked: Vec<Question> = Vec::new();
    if orders.iter().any(|(_, order)| order.as_ref().is_some_and(|order| !order.wishes.is_empty())) {
        chart.clone().shake(standing, &mut |question| {
            asked.push(question.clone());
            None
        })?;
    }
    chart.shake(standing, &mut |question| vote(orders, question, &asked))
}

/// What the givers of the orders behind a question want, where all these are asked; `None` without a plurality.
fn vote(orders: &SeismicOrders, question: &Question, asked: &[Question]) -> Option<WaterwayOption> {
    let mut votes: Vec<(WaterwayOption, usize)> = Vec::new();
    let givers = orders.iter().filter_map(|(_, order)| order.as_ref());
    for order in givers.filter(|order| question.by.contains(&order.quake)) {
        let others = asked.iter().filter(|other| other.by.contains(&order.quake)).map(|other| &other.matter);
        let meant = |wish: &&Wish| {
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

/// Is the wish about this? `all` are the matters that its order has brought about. Without `AT` it must be clear which
/// isthmus it means: the order makes none between two other provinces, and none of those it has to do with takes the
/// option.
fn means<'a>(wish: &Wish, matter: &Matter, mut all: impl Iterator<Item = &'a Matter>) -> bool {
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
