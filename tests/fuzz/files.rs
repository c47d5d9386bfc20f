//! Files that people write: experiments, tournaments, matches, searches, variants, maps, and the notation of orders and
//! events.

use std::path::Path;
use std::sync::LazyLock;

use super::{Input, corpus, inputs, mutate, scramble, word};
use crate::helpers::engine::registry;
use serde_json::Value;
use upheaval::analysis::duel::Duel;
use upheaval::analysis::tune::CheckedSearch;
use upheaval::bot::{BotMaker, BotSetting};
use upheaval::diagnostic::Source;
use upheaval::rules::notation::WrittenOrder;
use upheaval::rules::variant::Variant;
use upheaval::rules::variant::setting::Setting;
use upheaval::sim::tournament::{self, TournamentOverrides};
use upheaval::sim::{
    BotEntry, BotOrigin, BotSection, Catalogue, Experiment, LookupError, Overrides, Registry, VariantEntry,
};
use upheaval::topology::{MapEvent, atlas};

/// One of these texts with random changes: of bytes, or of whole lines and words of others.
pub(super) fn changed(texts: &[String], input: &mut Input) -> String {
    let dice = &mut input.dice;
    let text = dice.choose(texts).expect("some text");
    if dice.below(2) == 0 {
        let mut bytes = text.as_bytes().to_vec();
        scramble(&mut bytes, dice);
        return String::from_utf8_lossy(&bytes).into_owned();
    }
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..1 + dice.below(4) {
        let at = dice.below(lines.len() as u32 + 1) as usize;
        let other = dice.choose(texts).expect("some text");
        let theirs: Vec<&str> = other.lines().collect();
        match dice.below(4) {
            0 if at < lines.len() => drop(lines.remove(at)),
            1 => lines.insert(at, dice.choose(&theirs).copied().unwrap_or_default().to_owned()),
            2 if at < lines.len() => lines[at] = dice.choose(&theirs).copied().unwrap_or_default().to_owned(),
            _ if at < lines.len() => {
                let key = lines[at].split('=').next().unwrap_or_default().to_owned();
                const VALUES: &str = "0|-1|1.5|65535|4294967295|9223372036854775807|nan|true|[]|{}|\"\"|\"FRANCE\"|[[]]|\
                    [\"standard\", \"standard\"]";
                let values: Vec<&str> = VALUES.split('|').collect();
                lines[at] = format!("{key}= {}", dice.choose(&values).expect("there are some"));
            }
            _ => {}
        }
    }
    lines.join("\n")
}

/// An error is a line for each fault, which begins with the place.
fn is_of_a_line(message: &str) {
    assert!(!message.is_empty() && message.lines().all(|line| line.starts_with("f.toml")), "{message:?}");
}

/// Tries files of a kind; `read` returns the fault of one. Both valid and faulty inputs must occur.
fn try_files(
    target: &'static str,
    texts: &[String],
    count: u64,
    read: impl Fn(&Source) -> Result<(), String>,
) {
    let (mut sound, mut faulty) = (0, 0);
    let inputs = inputs(target, count);
    let are_many = inputs.are_many();
    for mut input in inputs {
        // First the unchanged corpus.
        let text = match texts.get(input.number as usize) {
            Some(text) => text.clone(),
            None => changed(texts, &mut input),
        };
        match read(&Source::new("f.toml", text)) {
            Ok(()) => sound += 1,
            Err(message) => {
                is_of_a_line(&message);
                faulty += 1;
            }
        }
    }
    assert!(sound > 0 && faulty > 0 || !are_many, "{target}: {sound} sound, {faulty} faulty");
}

#[test]
fn experiment_files_of_any_text_are_read_or_refused_with_a_place() {
    try_files("experiments", &corpus("experiments", &[("experiments", ".toml")]), 1_000, |source| {
        let experiment = Experiment::check(source, Path::new("nowhere"), &Overrides::default(), &Anything);
        let experiment = experiment.map_err(|error| error.to_string())?;
        assert_eq!(experiment.resolved.canonical().hash.len(), 64);
        Ok(())
    });
}

/// Reads files of experiments, tournaments, matches and searches: each kind is also given those of the others.
fn try_experiments(target: &'static str, read: impl Fn(&Source, &Path, &Registry) -> Result<(), String>) {
    let (registry, base) = (registry(), testkit::path("experiments"));
    let texts = corpus("tournaments", &[("experiments", ".toml")]);
    try_files(target, &texts, 300, |source| read(source, &base, &registry));
}

#[test]
fn tournament_files_of_any_text_are_read_or_refused_with_a_place() {
    try_experiments("tournaments", |source, base, registry| {
        let read = tournament::check(source, base, &TournamentOverrides::default(), registry);
        read.map(drop).map_err(|error| error.to_string())
    });
}

#[test]
fn match_files_of_any_text_are_read_or_refused_with_a_place() {
    try_experiments("matches", |source, base, registry| {
        let read = Duel::check(source, base, &TournamentOverrides::default(), registry);
        read.map(drop).map_err(|error| error.to_string())
    });
}

#[test]
fn search_files_of_any_text_are_read_or_refused_with_a_place() {
    try_experiments("searches", |source, base, registry| {
        let read = CheckedSearch::check(source, base, &Overrides::default(), registry);
        read.map(drop).map_err(|error| error.to_string())
    });
}

#[test]
fn variant_files_of_any_text_are_read_or_refused_with_a_place() {
    let texts = corpus("variants", &[("variants", ".toml"), ("experiments", "early.toml")]);
    try_files("variants", &texts, 600, |source| {
        let variant = Variant::check(source, Path::new("nowhere")).map_err(|error| error.to_string())?;
        assert!(variant.content().is_object());
        Ok(())
    });
}

#[test]
fn maps_of_any_text_are_read_or_refused_and_those_that_are_read_are_sound() {
    let texts = corpus("maps", &[("maps", ".json")]);
    let values: Vec<Value> = texts.iter().filter_map(|text| serde_json::from_str(text).ok()).collect();
    let (mut sound, mut faulty) = (0, 0);
    let inputs = inputs("maps", 300);
    let are_many = inputs.are_many();
    for mut input in inputs {
        let text = match input.number {
            n if (n as usize) < texts.len() => texts[n as usize].clone(),
            n if n % 2 == 0 => changed(&texts, &mut input),
            _ => {
                let mut map = input.dice.choose(&values).expect("a map").clone();
                for _ in 0..1 + input.dice.below(3) {
                    mutate(&mut map, &mut input.dice);
                }
                map.to_string()
            }
        };
        match atlas::parse("f.json", &text) {
            Ok(chart) => {
                sound += 1;
                assert_eq!(chart.map().faults(), Vec::<String>::new(), "{text}");
            }
            Err(error) => {
                faulty += 1;
                assert!(error.to_string().starts_with("f.json"), "{error}");
            }
        }
    }
    assert!(sound > 0 && faulty > 0 || !are_many, "{sound} sound, {faulty} faulty");
}

#[test]
fn events_and_orders_of_any_text_are_read_or_refused() {
    let variant = Variant::find("standard", Path::new("")).unwrap().unwrap();
    for mut input in inputs("notation", 30_000) {
        let mut bytes = word(&mut input.dice).as_bytes().to_vec();
        scramble(&mut bytes, &mut input.dice);
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(order) = WrittenOrder::parse(&text, variant.terrain.names()) {
            let printed = order.display(variant.terrain.names()).to_string();
            assert!(!printed.is_empty());
        }
        if let Ok(event) = text.parse::<MapEvent>() {
            assert_eq!(event.to_string().parse::<MapEvent>().as_ref(), Ok(&event), "{text}");
            let mut chart = variant.terrain.chart().clone();
            match event.apply(&mut chart) {
                Ok(()) => assert_eq!(chart.map().faults(), Vec::<String>::new(), "{text}"),
                Err(_) => assert_eq!(chart.map().hash(), variant.terrain.hash(), "{text}"),
            }
        }
    }
}

/// Has a variant and a bot for nearly every name, and plays nothing.
struct Anything;

impl Catalogue for Anything {
    fn variants(&self) -> Vec<String> {
        Variant::shipped().map(str::to_owned).collect()
    }

    fn variant(&self, name: &str, _: &Path) -> Result<VariantEntry, LookupError> {
        static STANDARD: LazyLock<Variant> =
            LazyLock::new(|| Variant::find("standard", Path::new("")).unwrap().unwrap());
        match name.len() {
            0..=5 => Err(LookupError::Unknown),
            40.. => Err(LookupError::Unusable("it is odd".to_owned())),
            _ => Ok(VariantEntry::new(Variant { id: name.to_owned(), ..STANDARD.clone() })),
        }
    }

    fn bots(&self) -> Vec<String> {
        vec!["greedy".to_owned()]
    }

    fn bot(&self, name: &str, _: &Path) -> Result<BotEntry, LookupError> {
        let (origin, pace) = (BotOrigin::Shipped, upheaval::bot::Pace::Quick);
        let maker = BotMaker::new(|| panic!("nothing is played"));
        Ok(BotEntry { name: name.to_owned(), origin, content: Value::Null, pace, maker })
    }

    fn has_parameter(&self, _: &str, _: &Path, _: &str) -> bool {
        false
    }

    fn variant_with(&self, _: &str, _: &Path, _: &str, _: &[Setting]) -> Result<VariantEntry, LookupError> {
        Err(LookupError::Unusable("variants have no parameters here".to_owned()))
    }

    fn settings(&self, kind: &str) -> Result<&'static [BotSetting], String> {
        Err(format!("there is no kind `{kind}`"))
    }

    fn described(&self, _: &BotSection, _: &Path) -> Result<BotEntry, LookupError> {
        Err(LookupError::Unusable("bots cannot be described here".to_owned()))
    }
}
