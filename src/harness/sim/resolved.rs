//! `experiment.resolved.json`: everything that determines the result of a run, and nothing else. The same type is
//! written and read.
//!
//! ```text
//!  Experiment { resolved, … } ─▶ ResolvedExperiment ── canonical() ─▶ text and hash ═▶ run folder
//!                                        ▲                                                 │
//!                                        └────────────────── read() ───────────────────────┘
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::experiment::{
    ChoiceCounting, Deal, LineUp, LineUps, Logging, MapLog, SeatOrder, Seating, Swept, Terms, VariantEntry,
};
use super::faults::FaultRule;
use super::sequential::Sequential;
use crate::record::{BEHAVIOUR_VERSION, SCHEMA_VERSION, TableFrame};
use upheaval_engine::diagnostic::wording;
use upheaval_engine::game::StopRule;
use upheaval_engine::rules::variant::setting::Setting;
use upheaval_engine::rules::variant::{Files, Variant};
use upheaval_map::ids::{ByPower, PowerNames, Powers};
use upheaval_map::rng;

/// An experiment as its run folder keeps it. Threads and output folder are not part of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    pub log: ResolvedLog,
    /// When decided games are stopped; left out if they never are.
    #[serde(skip_serializing_if = "StopRule::is_never")]
    pub stop: StopRule,
    /// When it stops, if it is a match; left out for other runs.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub sequential: Option<Sequential>,
    /// Which bot plays which power.
    pub seats: ResolvedSeats,
    /// The policy for bots at fault.
    pub faults: FaultRule,
    /// Its bots, in order.
    pub bots: Vec<ResolvedBot>,
    /// Its arms, in order.
    pub variants: Vec<Arm>,
    /// The seats, by indices into the list of bots.
    #[serde(skip)]
    seating: Seating,
    /// The powers of the arms' boards, from their contents.
    #[serde(skip)]
    power_names: PowerNames,
}

/// The random generator of an experiment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResolvedRng {
    /// Its name.
    pub algorithm: String,
    /// The version of the derivation of its streams.
    pub derivation_version: u32,
}

/// The records of an experiment in addition to the tables that every run has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResolvedLog {
    /// Is each order recorded?
    pub orders: bool,
    /// Are the choices of each power counted? Left out if not, as in versions before this option.
    #[serde(default, skip_serializing_if = "is_false")]
    pub choices: bool,
    /// The map after each phase that changes it? Left out where not.
    #[serde(default, skip_serializing_if = "is_false")]
    pub maps: bool,
}

impl ResolvedLog {
    /// Is each order recorded?
    pub(crate) const fn logging(self) -> Logging {
        if self.orders { Logging::WithOrders } else { Logging::WithoutOrders }
    }

    /// Are choices counted?
    pub(crate) const fn choices(self) -> ChoiceCounting {
        if self.choices { ChoiceCounting::Counted } else { ChoiceCounting::NotCounted }
    }

    /// How often the map is recorded.
    pub(crate) const fn maps(self) -> MapLog {
        if self.maps { MapLog::EachPhase } else { MapLog::EachSeason }
    }
}

impl From<(Logging, Terms)> for ResolvedLog {
    fn from((logging, terms): (Logging, Terms)) -> ResolvedLog {
        ResolvedLog {
            orders: logging == Logging::WithOrders,
            choices: terms.choices == ChoiceCounting::Counted,
            maps: terms.maps == MapLog::EachPhase,
        }
    }
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
        #[serde(default, skip_serializing_if = "is_false")]
        shuffle: bool,
    },
    /// Several in all rotations.
    LineUps {
        /// Which of them a block plays.
        each_block: Deal,
        /// The line-ups.
        lineups: Vec<BotNames>,
        /// Is the order of the seats drawn for each block?
        #[serde(default, skip_serializing_if = "is_false")]
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
    fn new(seating: &Seating, bots: &[ResolvedBot], powers: &PowerNames) -> ResolvedSeats {
        let named = |line_up: &LineUp| line_up.iter().map(|&bot| bots[bot].name.clone()).collect();
        match seating {
            Seating::Fixed(seats) => ResolvedSeats::Fixed(
                powers.by_name(seats.iter().map(|(power, &bot)| (power, bots[bot].name.clone()))),
            ),
            Seating::FixedLineUps(list) => ResolvedSeats::FixedLineUps {
                fixed_lineups: list
                    .iter()
                    .map(|seats| seats.values().iter().map(|&bot| bots[bot].name.clone()).collect())
                    .collect(),
            },
            Seating::Rotated(LineUps { list, deal, order }) => {
                let shuffle = *order == SeatOrder::ShuffledByBlock;
                match list.as_slice() {
                    [line_up] => ResolvedSeats::LineUp { lineup: named(line_up), shuffle },
                    all => {
                        let lineups = all.iter().map(named).collect();
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
                let (list, deal, order) = (vec![line_up(lineup)?], Deal::EveryBlock, self.order());
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
    /// The experiment with these arms, bots and games, by this program: without optional records, rules about decided
    /// games or a question, and with the default policy for bots at fault. Seats are indices into the list of bots.
    pub(crate) fn new(
        name: String,
        (power_names, variants): (PowerNames, Vec<Arm>),
        bots: Vec<ResolvedBot>,
        seating: Seating,
        games: u32,
        seed: u64,
        last_year: u16,
    ) -> ResolvedExperiment {
        ResolvedExperiment {
            behaviour_version: BEHAVIOUR_VERSION,
            schema_version: SCHEMA_VERSION,
            rng: ResolvedRng {
                algorithm: rng::ALGORITHM.to_owned(),
                derivation_version: rng::DERIVATION_VERSION,
            },
            name,
            seed,
            games,
            last_year,
            log: (Logging::WithoutOrders, Terms::default()).into(),
            stop: StopRule::default(),
            sequential: None,
            seats: ResolvedSeats::new(&seating, &bots, &power_names),
            faults: FaultRule::default(),
            bots,
            variants,
            seating,
            power_names,
        }
    }

    /// Gives its bots other seats, as indices into their list.
    pub fn seat(&mut self, seating: Seating) {
        self.seats = ResolvedSeats::new(&seating, &self.bots, &self.power_names);
        self.seating = seating;
    }

    /// Its canonical form.
    pub fn canonical(&self) -> Canonical {
        // A struct of numbers, texts and JSON values always serialises; an empty text would be refused when read.
        let value = serde_json::to_value(self).unwrap_or_default();
        Canonical::of_text(format!("{:#}\n", sorted(&value)))
    }

    /// Reads the text of a canonical form.
    ///
    /// # Errors
    /// It is not a canonical form; the error says what it lacks, as in ``has no sound `seats` ``.
    pub fn read(text: &str) -> Result<ResolvedExperiment, String> {
        let value: Value = serde_json::from_str(text)
            .map_err(|error| format!("is not JSON: {}", wording::of_json_at(&error)))?;
        ResolvedExperiment::of(&value)
    }

    fn of(value: &Value) -> Result<ResolvedExperiment, String> {
        fn part<'a, T: Deserialize<'a>>(value: &'a Value, key: &str) -> Result<T, String> {
            T::deserialize(&value[key]).map_err(|_| lacks(key))
        }
        let (bots, seats): (Vec<ResolvedBot>, ResolvedSeats) = (part(value, "bots")?, part(value, "seats")?);
        let variants: Vec<Arm> = part(value, "variants")?;
        let power_names = variants.first().and_then(Arm::power_names).ok_or_else(|| lacks("variants"))?;
        if variants.iter().any(|arm| arm.power_names().as_ref() != Some(&power_names)) {
            return Err(lacks("variants"));
        }
        Ok(ResolvedExperiment {
            log: part(value, "log")?,
            stop: match value.get("stop") {
                None => StopRule::default(),
                Some(_) => part(value, "stop")?,
            },
            sequential: match value.get("match") {
                None => None,
                Some(_) => Some(part(value, "match")?),
            },
            name: part(value, "name")?,
            seed: part(value, "seed")?,
            games: part(value, "games")?,
            last_year: part(value, "last_year")?,
            behaviour_version: part(value, "behaviour_version")?,
            schema_version: part(value, "schema_version")?,
            rng: part(value, "rng")?,
            faults: part(value, "faults")?,
            seating: seats.seating(&bots, &power_names).ok_or_else(|| lacks("seats"))?,
            power_names,
            variants,
            bots,
            seats,
        })
    }

    /// Are choices counted, and when are decided games stopped?
    pub(crate) fn terms(&self) -> Terms {
        Terms { choices: self.log.choices(), maps: self.log.maps(), stop: self.stop }
    }

    /// Which bot plays which power, by indices into the list of bots.
    pub fn seating(&self) -> &Seating {
        &self.seating
    }

    /// The powers of its boards.
    pub(crate) fn powers(&self) -> Powers {
        self.power_names.powers()
    }

    /// Their names.
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

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde asks for it
fn is_false(truth: &bool) -> bool {
    !truth
}

fn lacks(key: &str) -> String {
    format!("has no sound `{key}`")
}

impl<'de> Deserialize<'de> for ResolvedExperiment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ResolvedExperiment, D::Error> {
        ResolvedExperiment::of(&Value::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl From<VariantEntry> for Arm {
    fn from(entry: VariantEntry) -> Arm {
        Arm {
            id: entry.id().to_owned(),
            first_year: entry.first_year(),
            parameters: entry.swept.as_ref().map(Swept::to_json),
            base: entry.swept.map(|swept| swept.base),
            content: entry.content,
        }
    }
}

/// The same value with the keys of every object in order.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let keys: BTreeMap<&String, &Value> = map.iter().collect();
            Value::Object(keys.into_iter().map(|(key, value)| (key.clone(), sorted(value))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        other => other.clone(),
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
        assert!(ResolvedExperiment::read("{").unwrap_err().starts_with("is not JSON"));
        for (piece, by, what) in [
            ("\"games\"", "\"gams\"", "games"),
            ("\"lineup\"", "\"x\"", "seats"),
            ("\"id\"", "\"i\"", "variants"),
            ("\"policy\": \"hold\"", "\"policy\": \"held\"", "faults"),
        ] {
            assert!(text.contains(piece), "{piece}");
            assert_eq!(
                ResolvedExperiment::read(&text.replace(piece, by)).unwrap_err(),
                format!("has no sound `{what}`")
            );
        }
    }
}
