//! The result of a search: the settings that cannot be distinguished from the best, with figures from fresh blocks
//! alone.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::balance::sample::holm;
use crate::blocks::mean_of;
use crate::estimate::Estimate;
use crate::tune::file::{SeedStage, Wanted};
use crate::tune::goal::{GoalSums, Metric, series};
use crate::tune::race::ArmStanding;
use crate::tune::search::{TuneSearch, not_dominated};
use crate::tune::statistic::{Mean, squared_interval};
use upheaval_harness::record::BEHAVIOUR_VERSION;
use upheaval_map::rng;

/// The version of the format of `tune.json`.
pub(crate) const FORMAT: u32 = 1;

/// The result of a search; docs/tune.schema.json describes its format.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TuneAnswer {
    /// The version of this format.
    pub format: u32,
    /// The search's name.
    pub name: String,
    /// The hash of everything that determines it.
    pub hash: String,
    /// [`BEHAVIOUR_VERSION`].
    pub behaviour_version: u32,
    /// The generator of all random numbers.
    pub rng: &'static str,
    /// The objective, as the file names it.
    pub objective: String,
    /// The objective, as the file calls it.
    pub bots: Vec<String>,
    /// The probability that the best setting is in the set.
    pub confidence: f64,
    /// The seed of the games that settings were chosen by.
    pub seed: u64,
    /// The seed of the games that measured them.
    pub check_seed: u64,
    /// How many games were played.
    pub games: Games,
    /// Each setting and its status, in the order of the file.
    pub settings: Vec<SettingFacts>,
    /// The setting that looked best in the search; `None` where all are out of bounds.
    pub best: Option<String>,
    /// The settings that cannot be distinguished from the best, ordered by their figures in the search, the best first.
    pub set: Vec<String>,
    /// Figures from fresh blocks.
    pub checked: Vec<Checked>,
    /// The effect of one step from the best setting.
    pub steps: Vec<StepFacts>,
    /// The objective against other measures.
    pub fronts: Vec<Front>,
}

/// How many games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Games {
    /// To choose settings.
    pub search: u64,
    /// To measure them.
    pub check: u64,
    /// The number of games that all blocks of all settings would have taken.
    pub exhaustive: u64,
    /// The most games that the search was allowed.
    pub budget: u64,
}

/// A setting.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SettingFacts {
    /// The id of its arm.
    pub id: String,
    /// Its description in words.
    pub label: String,
    /// Its values.
    pub values: Map<String, Value>,
    /// `left`, `worse` or `outside`.
    pub standing: &'static str,
    /// The round after which it was dropped, from 1.
    pub round: Option<u32>,
    /// The setting that it was worse than, or the measure that is out of its bound.
    pub by: Option<String>,
    /// Blocks that it played in the search, with each bot.
    pub blocks: u32,
}

/// A setting measured on fresh blocks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Checked {
    /// The id of its arm.
    pub id: String,
    /// Its description in words.
    pub label: String,
    /// Is it in the set?
    pub in_set: bool,
    /// The bot with which it was worst in the search: all following figures except `by_bot` are for this bot.
    pub bot: String,
    /// The objective: corrected for chance, and so sometimes negative. `None` where too few blocks have any of the
    /// measure.
    pub objective: Option<Estimate>,
    /// Its square root, where it is positive: for fairness the distance that `upheaval balance` reports.
    pub distance: Option<f64>,
    /// The objective minus that of the best, paired by block; `None` for the best, and where either has no objective.
    pub beyond_best: Option<Estimate>,
    /// The measures; null where no game has one.
    pub measures: Map<String, Value>,
    /// Is it within the bounds by these figures: `yes`, `no`, or `open` where an interval contains a bound?
    pub within: Option<&'static str>,
    /// The objective with each bot.
    pub by_bot: Vec<ByBot>,
}

/// The objective with one bot.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ByBot {
    /// The bot.
    pub bot: String,
    /// The objective.
    pub objective: Option<Estimate>,
}

/// The effect of one step from the best setting.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepFacts {
    /// The parameter.
    pub parameter: String,
    /// Its value in the best setting.
    pub from: Value,
    /// Its value after the step.
    pub to: Value,
    /// The setting after the step.
    pub id: String,
    /// Its objective minus that of the best, paired by block.
    pub difference: Estimate,
    /// The two-sided probability of a difference at least this far from 0 if there were none.
    pub p: f64,
    /// After Holm's correction for all steps.
    pub p_holm: f64,
}

/// The objective against a measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Front {
    /// The measure.
    pub measure: &'static str,
    /// `low` or `high`.
    pub wanted: &'static str,
    /// The measured settings that no other measured setting beats in both, the best objective first.
    pub settings: Vec<String>,
}

/// The value of a parameter as JSON.
fn value_of(value: Option<&toml::Value>) -> Value {
    value.map_or(Value::Null, |value| json!(value))
}

/// The two-sided p-value.
fn p_of(mean: Option<Mean>) -> f64 {
    mean.map_or(1.0, |mean| (2.0 * mean.p_above(0.0).min(mean.p_below(0.0))).min(1.0))
}

impl TuneAnswer {
    /// The result of a finished search, under this hash.
    pub fn of(search: &TuneSearch, hash: &str) -> TuneAnswer {
        let (tuning, race) = (search.tuning(), search.race());
        let best = race.favourite();
        let id = |arm: usize| search.arms[arm].id.clone();
        let estimate = |arm: usize| search.last_look(arm).map_or(f64::INFINITY, |look| look.worst().1.mean);
        let mut left: Vec<usize> = race.left().collect();
        left.sort_by(|&a, &b| estimate(a).total_cmp(&estimate(b)).then(a.cmp(&b)));
        let each = tuning.games_a_block();
        let check = u64::from(tuning.check_blocks) * search.checked.len() as u64 * each;
        let all = tuning.arms().len() as u64 * each * u64::from(tuning.most);
        let figures = Figures { search, best };
        TuneAnswer {
            format: FORMAT,
            name: tuning.experiment.resolved.name.clone(),
            hash: hash.to_owned(),
            behaviour_version: BEHAVIOUR_VERSION,
            rng: rng::ALGORITHM,
            objective: tuning.objective.name(),
            bots: tuning.players.iter().map(|bot| bot.name.clone()).collect(),
            confidence: tuning.confidence,
            seed: tuning.experiment.resolved.seed,
            check_seed: tuning.check_seed,
            games: Games { search: race.games(), check, exhaustive: all, budget: tuning.budget },
            settings: (0..search.arms.len()).map(|arm| facts(search, arm)).collect(),
            best: best.map(id),
            set: left.iter().map(|&arm| id(arm)).collect(),
            checked: search.checked.iter().map(|&arm| figures.checked(arm, left.contains(&arm))).collect(),
            steps: figures.steps(),
            fronts: tuning.fronts.iter().map(|&(aspect, wanted)| figures.front(aspect, wanted)).collect(),
        }
    }

    /// Everything as JSON.
    pub fn to_json(&self) -> String {
        // A struct of numbers and strings always serialises.
        serde_json::to_string_pretty(self).map(|text| text + "\n").unwrap_or_default()
    }

    /// The figures of the setting with this id.
    pub fn figures_of(&self, id: &str) -> Option<&Checked> {
        self.checked.iter().find(|checked| checked.id == id)
    }
}

fn facts(search: &TuneSearch, arm: usize) -> SettingFacts {
    let own = &search.arms[arm];
    let (standing, round, by) = match search.race().standings[arm] {
        ArmStanding::Left => ("left", None, None),
        ArmStanding::Worse { round, than } => ("worse", Some(round), Some(search.arms[than].id.clone())),
        ArmStanding::Outside { round, bound } => {
            ("outside", Some(round), Some(search.tuning().bounds[bound].of.name().to_owned()))
        }
    };
    SettingFacts {
        id: own.id.clone(),
        label: own.label.clone(),
        values: own.values.iter().map(|(name, value)| (name.clone(), json!(value))).collect(),
        standing,
        round: round.map(|round| round + 1),
        by,
        blocks: search.last_look(arm).map_or(0, |look| look.figures.first().map_or(0, |mean| mean.blocks)),
    }
}

/// The figures from fresh blocks.
struct Figures<'a> {
    search: &'a TuneSearch,
    best: Option<usize>,
}

impl Figures<'_> {
    fn blocks(&self, arm: usize, bot: usize) -> &[GoalSums] {
        self.search.blocks(SeedStage::Check, arm, bot)
    }

    /// The contributions of the blocks to the objective.
    fn parts(&self, arm: usize, bot: usize) -> Vec<f64> {
        let tuning = self.search.tuning();
        series(tuning.objective, tuning.powers(), self.blocks(arm, bot)).pseudo_values().unwrap_or_default()
    }

    fn objective(&self, arm: usize, bot: usize) -> Option<Estimate> {
        squared_interval(&self.parts(arm, bot))
    }

    /// By how much a setting exceeds the best, by block, each with the bot that is its worst.
    fn beyond_best(&self, arm: usize) -> Option<Vec<f64>> {
        let best = self.best.filter(|&best| best != arm)?;
        let parts = |arm: usize| self.parts(arm, self.search.worst_bot(arm));
        Some(parts(arm).into_iter().zip(parts(best)).map(|(own, best)| own - best).collect())
    }

    /// The mean of a measure; `None` where no game has it.
    fn measure(&self, arm: usize, bot: usize, aspect: Metric) -> Option<Estimate> {
        mean_of(aspect.parts(self.search.tuning().powers(), self.blocks(arm, bot)))
    }

    fn checked(&self, arm: usize, in_set: bool) -> Checked {
        let (tuning, own, bot) = (self.search.tuning(), &self.search.arms[arm], self.search.worst_bot(arm));
        let name = |bot: usize| tuning.name_of(bot).to_owned();
        let objective = self.objective(arm, bot);
        let measures = Metric::ALL
            .into_iter()
            .map(|aspect| (aspect.name().to_owned(), json!(self.measure(arm, bot, aspect))));
        let by_bot =
            (0..tuning.bots()).map(|bot| ByBot { bot: name(bot), objective: self.objective(arm, bot) });
        Checked {
            id: own.id.clone(),
            label: own.label.clone(),
            in_set,
            bot: name(bot),
            objective,
            distance: objective.filter(|of| of.estimate > 0.0).map(|of| of.estimate.sqrt()),
            beyond_best: self.beyond_best(arm).and_then(mean_of),
            measures: measures.collect(),
            within: (!tuning.bounds.is_empty()).then(|| self.within(arm)),
            by_bot: by_bot.collect(),
        }
    }

    fn within(&self, arm: usize) -> &'static str {
        let tuning = self.search.tuning();
        let mut answer = "yes";
        for bot in 0..tuning.bots() {
            for (bound, limits) in tuning.bounds.iter().zip(tuning.limits()) {
                match self.measure(arm, bot, bound.of).map(|mean| limits.holds(mean)) {
                    Some(Some(true)) => {}
                    Some(Some(false)) => return "no",
                    Some(None) | None => answer = "open",
                }
            }
        }
        answer
    }

    fn steps(&self) -> Vec<StepFacts> {
        let Some(best) = self.best else { return Vec::new() };
        let arms = &self.search.arms;
        let of = |(arm, parameter): (usize, String)| {
            let values = self.beyond_best(arm)?;
            let p = p_of(Mean::of(&values));
            Some(StepFacts {
                from: value_of(arms[best].value(&parameter)),
                to: value_of(arms[arm].value(&parameter)),
                id: arms[arm].id.clone(),
                difference: mean_of(values)?,
                parameter,
                p,
                p_holm: p,
            })
        };
        let mut steps: Vec<StepFacts> = self.search.steps().into_iter().filter_map(of).collect();
        let corrected = holm(&steps.iter().map(|step| step.p).collect::<Vec<_>>());
        steps.iter_mut().zip(corrected).for_each(|(step, p)| step.p_holm = p);
        steps
    }

    fn front(&self, aspect: Metric, wanted: Wanted) -> Front {
        let point = |&arm: &usize| {
            let bot = self.search.worst_bot(arm);
            let measure = self.measure(arm, bot, aspect)?.estimate;
            let measure = if wanted == Wanted::Low { measure } else { -measure };
            Some((arm, self.objective(arm, bot)?.estimate, measure))
        };
        let inside =
            |arm: &&usize| !matches!(self.search.race().standings[**arm], ArmStanding::Outside { .. });
        let points: Vec<_> = self.search.checked.iter().filter(inside).filter_map(point).collect();
        let front = not_dominated(&points);
        let id = |arm: usize| self.search.arms[arm].id.clone();
        Front { measure: aspect.name(), wanted: wanted.name(), settings: front.into_iter().map(id).collect() }
    }
}
