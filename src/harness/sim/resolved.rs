//! `experiment.resolved.json`: everything that determines the result of a run, and nothing else. The same type is
//! written and read.
//!
//! ```text
//!  Experiment { resolved, … } ─▶ ResolvedExperiment ── canonical() ─▶ text and hash ═▶ run folder
//!                                        ▲                                                 │
//!                                        └────────────────── read() ───────────────────────┘
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::faults::{FaultRule, USUAL_SHARE};
use super::seating::{LineUp, LineUpSchedule, LineUps, SeatOrder, Seating};
use crate::record::TableFrame;
use upheaval_engine::diagnostic::wording;
use upheaval_engine::game::StopRule;
use upheaval_engine::rules::variant::setting::Setting;
use upheaval_engine::rules::variant::{Files, Variant};
use upheaval_map::ids::{ByPower, PowerNames};

/// The file of a match's run folder with the result.
pub(crate) const ANSWER: &str = "answer.json";

/// An experiment as its run folder keeps it. Threads and output folder are not part of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct ResolvedExperiment {
    /// The version of games.
    pub behaviour_version: u32,
    /// The version of tables.
    pub schema_version: u32,
    /// The random generator.
    pub rng: ResolvedRng,
    /// Its name.
    pub name: String,
    /// The root seed.
    pub seed: u64,
    /// Games of each arm.
    pub games: u32,
    /// The last year that is played.
    pub last_year: u16,
    /// The optional records.
    pub log: RunLog,
    /// When decided games are stopped; left out if they never are.
    #[serde(skip_serializing_if = "StopRule::is_never", default)]
    pub stop: StopRule,
    /// When it stops, if it is a match; left out for other runs.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none", default)]
    pub sequential: Option<Sequential>,
    /// Which bot plays which power.
    pub seats: ResolvedSeats,
    /// The policy for bots at fault.
    pub faults: FaultRule,
    /// The largest share of its games in which a bot may fail without stopping the run. It decides about no game, so it
    /// is not part of the hash.
    #[serde(skip)]
    pub share: f64,
    /// Its bots, in order.
    pub bots: Vec<ResolvedBot>,
    /// Its arms, in order.
    pub variants: Vec<Arm>,
    /// The seats, by indices into the list of bots.
    #[serde(skip, default = "no_seats")]
    pub(super) seating: Seating,
    /// The powers of the arms' boards, from their contents.
    #[serde(skip, default = "PowerNames::standard")]
    pub(super) power_names: PowerNames,
}

/// Everything that determines when a match stops. Its experiment has the maximum number of games; the manifest records
/// after how many it was decided, and `answer.json` has the result. The test is in the crate `upheaval-analysis`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sequential {
    /// How the bots are seated, by its name in match files.
    pub design: String,
    /// The score that they are compared in, by its name.
    pub score: String,
    /// The difference under H0.
    pub baseline: f64,
    /// The difference under H1.
    pub effect: f64,
    /// How often H1 may be accepted where H0 holds.
    pub alpha: f64,
    /// How often H0 may be accepted where H1 holds.
    pub beta: f64,
    /// Games that are played between two tests: whole blocks, and a part of the run.
    pub games_a_look: u32,
}

/// The random generator of an experiment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResolvedRng {
    /// Its name.
    pub algorithm: String,
    /// The version of the derivation of its streams.
    pub derivation_version: u32,
}

/// Additional records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Log"))]
pub struct RunLog {
    /// Each order with its result: by far the largest table.
    #[serde(default)]
    pub orders: bool,
    /// The number of sets of legal orders of each power in each movement phase: the column `choices` of `turns`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub choices: bool,
    /// The map after each phase that has changed it: the table `maps`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub maps: bool,
}

impl RunLog {
    /// Orders, and no other additional records.
    pub const ORDERS: RunLog = RunLog { orders: true, choices: false, maps: false };
}

/// A bot of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedBot {
    /// Its name in tables.
    pub name: String,
    /// Everything that determines how it plays.
    pub content: Value,
}

/// An arm of an experiment: a variant with its parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Arm {
    /// Its name in tables and folders.
    pub id: String,
    /// The year its games start in.
    pub first_year: u16,
    /// The swept variant, if it is an arm of a sweep.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub base: Option<String>,
    /// The parameters that the sweep set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub parameters: Option<Map<String, Value>>,
    /// Everything that determines how it plays.
    pub content: Value,
}

impl Arm {
    /// The year before the first: that of the start position.
    pub fn start(&self) -> u16 {
        self.first_year.saturating_sub(1)
    }

    /// The parameters that the sweep set, in the form of variant files.
    pub fn settings(&self) -> impl Iterator<Item = Setting> {
        self.parameters.iter().flatten().filter_map(|(parameter, value)| {
            // A value of a sweep was a TOML value, so it becomes one again.
            Some(Setting { parameter: parameter.clone(), value: toml::Value::try_from(value).ok()? })
        })
    }

    /// The powers of its board; `None` if the content describes them in another way than this program does.
    fn power_names(&self) -> Option<PowerNames> {
        match self.content.get("powers") {
            None => Some(PowerNames::standard()),
            Some(powers) => PowerNames::deserialize(powers).ok(),
        }
    }

    /// The variant from these files, if it is the one of the experiment.
    ///
    /// # Errors
    /// There are no files, they have a fault, or give another variant; the fault follows a colon.
    pub fn variant(&self, files: Option<&Files>) -> Result<Arc<Variant>, String> {
        let files = files.ok_or_else(|| ": there are none".to_owned())?;
        let variant = files.check(&self.id).map_err(|error| format!(": {error}"))?;
        match variant.content() == self.content {
            true => Ok(Arc::new(Variant { id: self.id.clone(), ..variant })),
            false => Err(String::new()),
        }
    }

    /// The home centres of each power of its board at the start.
    pub fn homes(&self) -> ByPower<Vec<String>> {
        let powers = self.power_names().unwrap_or_else(PowerNames::standard);
        ByPower::from_fn(powers.powers(), |power| {
            let names = self.content["homes"][powers.name(power)].as_array().into_iter().flatten();
            names.filter_map(Value::as_str).map(str::to_owned).collect()
        })
    }
}

/// A bot for each power by its name, in the order of the powers in the first rotation if the seats are not shuffled.
pub type BotNames = Vec<String>;

/// Which bot plays which power, by names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "`seats` is { lineup }, { lineups, each_block }, { fixed_lineups } or a bot for each power"
)]
pub enum ResolvedSeats {
    /// One line-up in all rotations.
    LineUp {
        /// The line-up.
        lineup: BotNames,
        /// Is the order of its seats drawn for each block? Left out if not, as for [`LineUps`](ResolvedSeats::LineUps).
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        shuffle: bool,
    },
    /// Several in all rotations.
    LineUps {
        /// Which of them a block plays.
        each_block: LineUpSchedule,
        /// The line-ups.
        lineups: Vec<BotNames>,
        /// Is the order of the seats drawn for each block?
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        shuffle: bool,
    },
    /// Several in fixed seats, each of which plays a game of every block.
    FixedLineUps {
        /// The line-ups.
        fixed_lineups: Vec<BotNames>,
    },
    /// The same in every game.
    Fixed(BTreeMap<String, String>),
}

impl ResolvedSeats {
    /// The seating of these bots by their names.
    pub(super) fn new(seating: &Seating, bots: &[ResolvedBot], powers: &PowerNames) -> ResolvedSeats {
        let named = |line_up: &[usize]| line_up.iter().map(|&bot| bots[bot].name.clone()).collect();
        match seating {
            Seating::Fixed(seats) => ResolvedSeats::Fixed(
                powers.by_name(seats.iter().map(|(power, &bot)| (power, bots[bot].name.clone()))),
            ),
            Seating::FixedLineUps(list) => ResolvedSeats::FixedLineUps {
                fixed_lineups: list.iter().map(|seats| named(seats.values())).collect(),
            },
            Seating::Rotated(LineUps { list, deal, order }) => {
                let shuffle = *order == SeatOrder::ShuffledByBlock;
                match list.as_slice() {
                    [line_up] => ResolvedSeats::LineUp { lineup: named(line_up), shuffle },
                    all => {
                        let lineups = all.iter().map(|line_up| named(line_up)).collect();
                        ResolvedSeats::LineUps { each_block: *deal, lineups, shuffle }
                    }
                }
            }
        }
    }

    /// In which order the bots of its line-ups sit.
    pub fn order(&self) -> SeatOrder {
        match self {
            ResolvedSeats::LineUp { shuffle: true, .. } | ResolvedSeats::LineUps { shuffle: true, .. } => {
                SeatOrder::ShuffledByBlock
            }
            _ => SeatOrder::Listed,
        }
    }

    /// The seating of these powers, by indices into a list of bots; `None` if one is not in the list, or a power has
    /// none.
    pub(crate) fn seating(&self, bots: &[ResolvedBot], power_names: &PowerNames) -> Option<Seating> {
        let powers = power_names.powers();
        let place = |name: &String| bots.iter().position(|bot| bot.name == *name);
        let line_up = |names: &BotNames| -> Option<LineUp> {
            names.iter().map(place).collect::<Option<LineUp>>().filter(|bots| bots.len() == powers.len())
        };
        match self {
            ResolvedSeats::LineUp { lineup, .. } => {
                let (list, deal, order) = (vec![line_up(lineup)?], LineUpSchedule::EveryBlock, self.order());
                Some(Seating::Rotated(LineUps { list, deal, order }))
            }
            ResolvedSeats::LineUps { each_block, lineups, .. } => {
                let list: Vec<LineUp> = lineups.iter().map(line_up).collect::<Option<_>>()?;
                let (deal, order) = (*each_block, self.order());
                (!list.is_empty()).then_some(Seating::Rotated(LineUps { list, deal, order }))
            }
            ResolvedSeats::FixedLineUps { fixed_lineups } => {
                let fixed = |line_up: LineUp| ByPower::from_fn(powers, |power| line_up[power.index()]);
                let list: Vec<_> =
                    fixed_lineups.iter().map(|names| line_up(names).map(fixed)).collect::<Option<_>>()?;
                (!list.is_empty()).then_some(Seating::FixedLineUps(list))
            }
            ResolvedSeats::Fixed(names) => {
                let mut seats = ByPower::new(powers);
                for power in powers {
                    seats[power] = place(names.get(power_names.name(power))?)?;
                }
                Some(Seating::Fixed(seats))
            }
        }
    }
}

/// The canonical form of an experiment as text, with its hash: it is computed once and passed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// JSON: keys sorted, two spaces for each level, a newline at the end.
    pub text: String,
    /// BLAKE3 of the text, in hexadecimal digits.
    pub hash: String,
}

impl Canonical {
    /// A text that is already in canonical form, such as that of a run folder.
    pub(crate) fn of_text(text: String) -> Canonical {
        Canonical { hash: blake3::hash(text.as_bytes()).to_hex().to_string(), text }
    }
}

impl ResolvedExperiment {
    /// Gives its bots other seats, as indices into their list.
    pub fn seat(&mut self, seating: Seating) {
        self.seats = ResolvedSeats::new(&seating, &self.bots, &self.power_names);
        self.seating = seating;
    }

    /// Its canonical form.
    pub fn canonical(&self) -> Canonical {
        // A struct of numbers, texts and JSON values always serialises; an empty text would be refused when read.
        let mut value = serde_json::to_value(self).unwrap_or_default();
        value.sort_all_objects();
        Canonical::of_text(format!("{value:#}\n"))
    }

    /// Reads the text of a canonical form.
    ///
    /// # Errors
    /// It is not a canonical form; the error says what is wrong, and where.
    pub fn read(text: &str) -> Result<ResolvedExperiment, String> {
        serde_json::from_str(text).map_err(|error| wording::of_json_at(&error))
    }

    /// Which bot plays which power, by indices into the list of bots.
    pub fn seating(&self) -> &Seating {
        &self.seating
    }

    /// The powers of its boards.
    pub fn power_names(&self) -> &PowerNames {
        &self.power_names
    }

    /// The context of the tables of an arm, in addition to the schema.
    pub(crate) fn frame(&self, arm: usize) -> TableFrame {
        TableFrame::of_arm(
            self.power_names.clone(),
            self.variants.iter().map(|arm| arm.parameters.as_ref()),
            arm,
        )
    }
}

/// The seats of an experiment that is being read.
fn no_seats() -> Seating {
    Seating::FixedLineUps(Vec::new())
}

impl Serialize for ResolvedExperiment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ResolvedExperiment::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for ResolvedExperiment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ResolvedExperiment, D::Error> {
        let mut read = ResolvedExperiment::deserialize(deserializer)?;
        let mut boards = read.variants.iter().map(Arm::power_names);
        let first =
            boards.next().flatten().ok_or_else(|| D::Error::custom("`variants` has no arm with powers"))?;
        if boards.any(|other| other.as_ref() != Some(&first)) {
            return Err(D::Error::custom("the arms in `variants` have different powers"));
        }
        let seating = read.seats.seating(&read.bots, &first);
        read.seating =
            seating.ok_or_else(|| D::Error::custom("`seats` does not give each power a bot of `bots`"))?;
        (read.power_names, read.share) = (first, USUAL_SHARE);
        Ok(read)
    }
}

/// The longest value that is shown, in characters.
const LONGEST: usize = 60;

/// The most differences that are listed; the rest is only counted.
const MOST: usize = 8;

/// Every difference between two texts of `experiment.resolved.json`, in the order of their keys. `None` if one of them
/// is not such a text.
fn differences(old: &str, new: &str) -> Option<Vec<String>> {
    let (old, new): (Value, Value) = (serde_json::from_str(old).ok()?, serde_json::from_str(new).ok()?);
    let mut found = Vec::new();
    compare("", &old, &new, &mut found);
    Some(found)
}

/// The differences between two texts of `experiment.resolved.json` on one line, as in `games: 700 → 1400`; if there are
/// many, only the first of them.
pub(crate) fn difference(old: &str, new: &str) -> String {
    let Some(all) = differences(old, new) else {
        return "it was left by another version of this program".to_owned();
    };
    let rest = all.len().saturating_sub(MOST);
    let mut told = all.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join("; ");
    if rest > 0 {
        told.push_str(&format!("; and {rest} more"));
    }
    told
}

fn compare(path: &str, old: &Value, new: &Value, found: &mut Vec<String>) {
    match (old, new) {
        _ if old == new => {}
        (Value::Object(a), Value::Object(b)) => {
            let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
            keys.into_iter().for_each(|key| pair(&below(key), a.get(key), b.get(key), found));
        }
        (Value::Array(a), Value::Array(b)) => match (named(a), named(b)) {
            (Some(left), Some(right)) => {
                let names: BTreeSet<&str> = left.keys().chain(right.keys()).map(String::as_str).collect();
                let before = found.len();
                for name in names {
                    pair(&format!("{path}[{name}]"), left.get(name), right.get(name), found);
                }
                if found.len() == before {
                    let order =
                        |items: &Map<String, Value>| items.keys().cloned().collect::<Vec<_>>().join(", ");
                    found.push(format!("{path}: in the order {} → {}", order(&left), order(&right)));
                }
            }
            _ if a.len() == b.len() && a.iter().chain(b).any(|item| item.is_array() || item.is_object()) => {
                let pairs = a.iter().zip(b).enumerate();
                pairs.for_each(|(i, (a, b))| compare(&format!("{path}[{i}]"), a, b, found));
            }
            _ => found.push(format!("{path}: {} → {}", shown(old), shown(new))),
        },
        _ => found.push(format!("{path}: {} → {}", shown(old), shown(new))),
    }
}

fn pair(path: &str, old: Option<&Value>, new: Option<&Value>, found: &mut Vec<String>) {
    match (old, new) {
        (Some(old), Some(new)) => compare(path, old, new, found),
        (Some(old), None) => found.push(format!("{path}: {} → nothing", shown(old))),
        (None, Some(new)) => found.push(format!("{path}: nothing → {}", shown(new))),
        (None, None) => {}
    }
}

/// The items of a list by their names, if each has a name of its own.
fn named(items: &[Value]) -> Option<Map<String, Value>> {
    let mut by_name = Map::new();
    for item in items {
        let name = ["id", "name", "kind", "dice"].iter().find_map(|key| item.get(key)?.as_str())?;
        if by_name.insert(name.to_owned(), item.clone()).is_some() {
            return None;
        }
    }
    Some(by_name)
}

/// A short form of a value.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Object(entries) if entries.len() > 3 => format!("{{{} keys}}", entries.len()),
        other => other.to_string(),
    };
    match text.chars().count() {
        n if n <= LONGEST => text,
        _ => text.chars().take(LONGEST).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::mock;
    use crate::sim::schedule::Schedule;

    #[test]
    fn an_experiment_comes_back_with_the_same_games_and_the_same_hash() {
        for seats in ["fixed", "rotated", "shuffled", "orders"] {
            let experiment = mock::experiment(seats, 700);
            let canonical = experiment.resolved.canonical();
            let resolved = ResolvedExperiment::read(&canonical.text).unwrap();
            assert_eq!(resolved, experiment.resolved, "{seats}");
            assert_eq!(resolved.canonical(), canonical, "{seats}");
            let (schedule, size) = (experiment.schedule(), experiment.games_a_part());
            let again = Schedule::new(&resolved, size, None);
            assert!(schedule.chunks().eq(again.chunks()), "{seats}");
            for game in [0, 1, 6, 7, 699] {
                assert_eq!(schedule.game(1, game), again.game(1, game), "{seats}");
            }
        }
    }

    /// A canonical form that this program wrote once, with its hash.
    const KEPT: (&str, &str) = (
        include_str!("resolved/kept.json"),
        "6d1f4b68f849a94f2109b97a842825c39fac4f8d9be45b84fc45932fc80ab62a",
    );

    /// A run folder's hash is part of its name, of every table and of every replay: it must never change.
    #[test]
    fn a_kept_canonical_form_is_read_and_written_to_the_byte() {
        let (kept, hash) = KEPT;
        let canonical = ResolvedExperiment::read(kept).unwrap().canonical();
        assert_eq!((canonical.text.as_str(), canonical.hash.as_str()), (kept, hash));
    }

    #[test]
    fn what_is_lacking_is_named() {
        let text = mock::experiment("rotated", 7).resolved.canonical().text;
        assert_eq!(
            ResolvedExperiment::read("{").unwrap_err(),
            "EOF while parsing an object (line 1, column 1)"
        );
        for (piece, by, what) in [
            ("\"games\"", "\"gams\"", "missing field `games`"),
            ("\"lineup\"", "\"x\"", "`seats` is { lineup }"),
            ("\"id\"", "\"i\"", "missing field `id`"),
            ("\"policy\": \"hold\"", "\"policy\": \"held\"", "unknown variant `held`"),
        ] {
            assert!(text.contains(piece), "{piece}");
            let error = ResolvedExperiment::read(&text.replace(piece, by)).unwrap_err();
            assert!(error.starts_with(what), "{error}");
        }
    }

    fn told(old: &Value, new: &Value) -> Vec<String> {
        differences(&old.to_string(), &new.to_string()).unwrap()
    }

    #[test]
    fn differences_are_told_path_by_path() {
        let old = serde_json::json!({
            "games": 700,
            "seed": 1,
            "seats": { "lineup": ["a", "b"] },
            "variants": [
                { "id": "x", "content": { "changes": [{ "id": "holes", "count": 1 }], "units": [["A"], ["B"]] } },
                { "id": "y", "content": 1 },
            ],
        });
        let mut new = old.clone();
        new["games"] = 1400.into();
        new["seats"]["lineup"][1] = "c".into();
        new["variants"][0]["content"]["changes"][0]["count"] = 2.into();
        new["variants"][0]["content"]["units"][1] = serde_json::json!(["C"]);
        new["variants"][1]["id"] = "z".into();
        new["log"] = true.into();
        let expected = [
            "games: 700 → 1400",
            "log: nothing → true",
            "seats.lineup: [\"a\",\"b\"] → [\"a\",\"c\"]",
            "variants[x].content.changes[holes].count: 1 → 2",
            "variants[x].content.units[1]: [\"B\"] → [\"C\"]",
            "variants[y]: {\"id\":\"y\",\"content\":1} → nothing",
            "variants[z]: nothing → {\"id\":\"z\",\"content\":1}",
        ];
        assert_eq!(told(&old, &new), expected);
        assert!(told(&old, &old).is_empty());
        let mut turned = old.clone();
        turned["variants"].as_array_mut().unwrap().reverse();
        assert_eq!(told(&old, &turned), ["variants: in the order x, y → y, x"]);
    }

    #[test]
    fn a_line_is_not_endless() {
        let many = |from: u32| {
            let entries: Map<String, Value> =
                (0..30).map(|i| (format!("k{i:02}"), (i + from).into())).collect();
            Value::Object(entries).to_string()
        };
        let line = difference(&many(0), &many(1));
        assert!(line.starts_with("k00: 0 → 1; k01") && line.ends_with("; and 22 more"), "{line}");
        let long = "x".repeat(500);
        let told = told(&Value::from(long), &Value::from("y"));
        assert!(told[0].chars().count() < 80, "{told:?}");
        assert_eq!(difference("", "{}"), "it was left by another version of this program");
    }
}
