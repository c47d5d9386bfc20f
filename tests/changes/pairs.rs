//! Each verb after each verb, in the same season and in the next, on small boards and the standard one: a game of two
//! entries of which the second acts on and around what the first has changed, beside the slow reference.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use testkit::{thinned, tries_all};
use upheaval::diagnostic::Source;
use upheaval::rules::changes::Verb;
use upheaval::rules::variant::Variant;
use upheaval::topology::{FaceKind, NamedMap};

use super::games::{of_other_powers, watch};
use super::{draw, file_with};

/// The verbs on faces.
fn verbs() -> impl Iterator<Item = Verb> {
    Verb::ALL.into_iter().filter(|verb| *verb != Verb::Quake)
}

/// The season of the second entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Second {
    /// That of the first.
    Same,
    /// The next.
    Next,
}

/// A board with its rules, to which entries are added.
struct Ground {
    rules: String,
    chart: NamedMap,
}

impl Ground {
    fn variant(&self, entries: &str, folder: &Path) -> Arc<Variant> {
        let source = Source::new("mine.toml", format!("{}\n{entries}", self.rules));
        let variant = Variant::check(&source, folder).unwrap_or_else(|error| panic!("{error}\n{entries}"));
        Arc::new(variant)
    }

    /// The faces on which a verb acts, as the keys of an entry. If there are many, the set is of those that the first
    /// entry has changed, and of those beside them.
    fn of(&self, verb: Verb, first: Option<Verb>, freezes: bool) -> String {
        let near = |word: &str| match first {
            Some(_) => format!("of = \"{word} & (first | last(first) | near(first | last(first)))\"\n"),
            None => format!("of = \"{word}\"\n"),
        };
        match verb {
            Verb::Collapse | Verb::Void => near("provinces"),
            Verb::Restore if first == Some(Verb::Dig) => "of = \"first\"\n".to_owned(),
            Verb::Restore if freezes => "of = \"ice | holed\"\n".to_owned(),
            Verb::Restore => "of = \"holed\"\n".to_owned(),
            Verb::Submerge => near("land"),
            Verb::Raise | Verb::Freeze => near("sea"),
            Verb::Open => "of = \"impassable\"\n".to_owned(),
            Verb::Split => near("(land | sea)"),
            Verb::Found => near("(land - centres)"),
            Verb::Ruin => near("centres"),
            Verb::Mark => near("all"),
            Verb::Dig => {
                let all = draw::shores(&self.chart);
                let names: Vec<&str> = all.iter().map(|(land, _)| land.as_str()).collect();
                let ends: Vec<String> = all.iter().map(|(land, seas)| format!("{land} = {seas:?}")).collect();
                format!("of = \"{}\"\nends = {{ {} }}\n", names.join(" | "), ends.join(", "))
            }
            Verb::Quake => unreachable!("it acts on borders"),
        }
    }

    /// Three holes from the start, then the two entries.
    fn entries(&self, [one, other]: [Verb; 2], second: Second, lasts: &str) -> String {
        let freezes = one == Verb::Freeze || other == Verb::Freeze;
        let mut text = "[[changes]]\nid = \"before\"\nof = \"land | sea\"\ncount = 2\nchange = \"void\"\nat = \"start\"\n"
            .to_owned();
        let mut entry = |id: &str, verb: Verb, of: String, season: &str| {
            let ends = !(matches!(verb, Verb::Split | Verb::Open) || verb == Verb::Restore && freezes);
            let lasts = if id == "first" && ends { lasts } else { "" };
            let _ = write!(
                text,
                "[[changes]]\nid = \"{id}\"\n{of}change = \"{}\"\ncount = 3\nseasons = \"{season}\"\nuntil = 1901\n{lasts}",
                verb.name()
            );
        };
        entry("first", one, self.of(one, None, freezes), "spring");
        let season = if second == Second::Same { "spring" } else { "fall" };
        entry("second", other, self.of(other, Some(one), freezes), season);
        text
    }
}

/// The boards of three, five, ten and seven powers.
fn grounds(folder: &Path) -> Vec<Ground> {
    let others = of_other_powers(folder).into_iter().map(|rules| rules.to_string());
    let standard = file_with("");
    let ground = |rules: String| {
        let source = Source::new("mine.toml", rules.as_str());
        let chart =
            Variant::check(&source, folder).unwrap_or_else(|error| panic!("{error}")).terrain.chart().clone();
        Ground { rules, chart }
    };
    others.chain([standard]).map(ground).collect()
}

#[test]
fn each_verb_after_each_verb_does_what_the_definitions_say() {
    let folder = tempfile::tempdir().expect("a folder");
    let grounds = grounds(folder.path());
    // How often the verbs of each pair acted.
    let mut acted: BTreeMap<[&str; 2], [usize; 2]> = BTreeMap::new();
    let mut number = 0;
    for (board, ground) in grounds.iter().enumerate() {
        let has = |kind: FaceKind| ground.chart.map().faces().any(|(_, face)| face.kind() == kind);
        for pair in verbs().flat_map(|one| verbs().map(move |other| [one, other])) {
            if pair.contains(&Verb::Open) && !has(FaceKind::Impassable)
                || pair.contains(&Verb::Dig) && draw::shores(&ground.chart).is_empty()
            {
                continue;
            }
            let tried = [
                (Second::Same, ""),
                (Second::Next, ""),
                (Second::Same, "lasts = \"1 season\"\n"),
                (Second::Next, "lasts = \"1 season\"\n"),
            ];
            // Without slow tests each pair is tried in one of the four ways on each board.
            for (second, lasts) in thinned(tried.into_iter().cycle().skip(number % 4).take(4), 4) {
                let text = ground.entries(pair, second, lasts);
                println!("{board}, {number}:\n{text}");
                let seen = watch(&ground.variant(&text, folder.path()), number as u64, 1902);
                let counts = acted.entry(pair.map(Verb::name)).or_default();
                let times = pair.map(|verb| seen.get(verb.name()).copied().unwrap_or(0));
                // Of one verb twice, the second acts if more places change than the first has.
                let other = if pair[0] == pair[1] { times[1].saturating_sub(3) } else { times[1] };
                *counts = [counts[0] + times[0], counts[1] + other];
            }
            number += 1;
        }
    }
    let idle: BTreeSet<[&str; 2]> =
        acted.iter().filter(|(_, times)| times.contains(&0)).map(|(pair, _)| *pair).collect();
    // These boards have a few impassable faces, which the first entry opens.
    let expected: BTreeSet<[&str; 2]> = [["open", "open"]].into();
    assert!(!tries_all() || idle == expected, "{idle:?}");
    assert_eq!(acted.len(), 144, "{idle:?}");
}
