//! Seismic orders: how strong each is, which contradict each other, and which stand (rules.md 8.3 to 8.5).
//!
//! ```text
//!   orders ──▶ strength: how many powers gave just this one
//!          ──▶ out is what an order of equal or greater strength contradicts
//!          ──▶ of what stands and would cut a face together, the weakest of each smallest set is out
//!          ──▶ the rest is done at once; what its givers say of waterways is put to the vote
//! ```

use std::fmt;

use upheaval_map::ids::{ByPower, Power, ProvinceId};
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
    let mut quakes: Vec<Quake> = orders.iter().filter_map(|(_, order)| Some(order.as_ref()?.quake)).collect();
    quakes.sort_by(|x, y| x.cmp_as_text(*y, map));
    quakes.dedup();
    let givers = |quake: Quake| {
        orders.iter().filter(move |(_, order)| order.as_ref().is_some_and(|order| order.quake == quake))
    };
    let strength: Vec<usize> = quakes.iter().map(|&quake| givers(quake).count()).collect();
    let mut outcomes: Vec<SeismicOutcome> = (0..quakes.len())
        .map(|i| {
            let no_weaker = |&j: &usize| strength[j] >= strength[i] && quakes[i].contradicts(quakes[j], map);
            let all = (0..quakes.len()).filter(no_weaker).filter_map(|j| givers(quakes[j]).next());
            // Of several the power decides, for names of provinces decide nothing.
            let by = all.map(|(power, _)| power).min();
            by.map_or(SeismicOutcome::Done, SeismicOutcome::Contradicted)
        })
        .collect();
    let standing: Vec<usize> = (0..quakes.len()).filter(|&i| outcomes[i] == SeismicOutcome::Done).collect();
    let stands: Vec<Quake> = standing.iter().map(|&i| quakes[i]).collect();
    for set in map.cutting_sets(&stands) {
        let weakest = set.iter().map(|&i| strength[standing[i]]).min();
        for &i in set.iter().filter(|&&i| Some(strength[standing[i]]) == weakest) {
            outcomes[standing[i]] = SeismicOutcome::WouldCut;
        }
    }
    let outcome_of = |order: &Option<SeismicOrder>| {
        let i = quakes.iter().position(|&quake| Some(quake) == order.as_ref().map(|order| order.quake))?;
        Some(outcomes[i])
    };
    let done =
        |(&quake, outcome): (&Quake, &SeismicOutcome)| (*outcome == SeismicOutcome::Done).then_some(quake);
    Settled {
        outcomes: ByPower::from_fn(orders.powers(), |power| outcome_of(&orders[power])),
        standing: quakes.iter().zip(&outcomes).filter_map(done).collect(),
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
