//! Invariants of every game of every variant with every bot, after every phase; and every game can be played again from
//! its record to the same state. `UPHEAVAL_SLOW_TESTS=1` plays ten games of each pairing instead of one, and longer
//! ones.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::games::watch::{Fixture, MUTE, watch_all};
use crate::helpers::shipped::variant;
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::variant::Variant;

/// The year in which games end: those of one bot early if slow tests are not run.
fn last_year(few: u16) -> u16 {
    if testkit::tries_all() { 1914 } else { few }
}

fn every_bot(variant: &Arc<Variant>, games: u64) -> Vec<Fixture> {
    let fixture = |name, seed| Fixture {
        variant: Arc::clone(variant),
        line_up: [name; 7],
        seed,
        last_year: last_year(1902),
    };
    let names = upheaval_bots::KINDS.map(|kind| kind.name);
    // One game of seven search bots takes as long as dozens of others.
    let count = move |name| if name == "search" { games.div_ceil(10) } else { games };
    names.into_iter().flat_map(|name| (0..count(name)).map(move |seed| fixture(name, seed))).collect()
}

/// Games of randomly drawn bots, including the one that leaves decisions open.
fn mixtures(variant: &Arc<Variant>, games: u64) -> Vec<Fixture> {
    let mut names: Vec<&'static str> = upheaval_bots::KINDS.map(|kind| kind.name).to_vec();
    names.retain(|name| *name != "search");
    names.push(MUTE);
    let fixture = |seed| {
        let mut dice = Stream::keyed(seed, Purpose::Bot, &[99]);
        let line_up = [(); 7].map(|()| names[dice.below(names.len() as u32) as usize]);
        Fixture { variant: Arc::clone(variant), line_up, seed: 1_000 + seed, last_year: last_year(1906) }
    };
    (0..games).map(fixture).collect()
}

/// The kinds of events in games of a variant, and no others occur; those too rare to be relied on are in brackets.
fn expected(id: &str) -> BTreeSet<&'static str> {
    let common = "built captured dislodged disbanded removed retreated eliminated won drawn";
    let holes = "hole_drawn centre_lost coast_lost destroyed";
    let exempt = "exempt_named exempt_drawn";
    let changing = "exempt_changed exempt_lapsed exempt_announced";
    let words: &[&str] = match id {
        "standard" => &[common],
        // Where neighbours meet across a hole, a fleet's coast seldom moves without vanishing.
        "black-hole" => &[common, holes, exempt, "collapsed (coast_moved) (coast_chosen)"],
        "black-hole-i" => &[common, holes, exempt, changing, "voided coast_moved coast_chosen"],
        "black-hole-ii" => &[common, holes, exempt, changing, "collapsed (coast_moved) (coast_chosen)"],
        "double-reversible" => &[
            common,
            "hole_drawn centre_lost coast_lost coast_moved coast_chosen collapsed restored revived",
            "swallowed swallowed_on_its_way unit_returned crowded_out",
        ],
        "schizo-ii" => &[
            common,
            holes,
            "exempt_named voided restored revived centre_returned coast_moved coast_chosen",
            "split_drawn split centre_doubled unit_doubled",
        ],
        "deluge-ii" => &[
            common,
            "submerged opened centre_founded centre_lost destroyed (revived) embarked landed became_fleet",
        ],
        "seismic-1971" => &[common, "separated connected coast_moved coast_chosen trapped (revived)"],
        "seismic-acerunner" => &[common, "separated connected coast_moved coast_chosen trapped (revived)"],
        "black-hole-2012" => &[common, holes, "collapsed (coast_moved) (coast_chosen)"],
        "double-reversible-2014" => &[
            common,
            "hole_drawn centre_lost coast_lost coast_moved coast_chosen collapsed restored revived",
            "swallowed unit_returned centre_returned crowded_out",
        ],
        "schizo" => &[
            common,
            holes,
            "voided restored revived centre_returned coast_moved coast_chosen",
            "split_drawn split centre_doubled unit_doubled",
        ],
        "deluge" => &[
            common,
            "submerged opened centre_founded centre_lost converted embarked landed became_fleet (revived) (destroyed)",
        ],
        "sahara" => &[
            common,
            "raised opened centre_founded centre_ruined voided converted (coast_moved) (coast_chosen) (revived)",
            "(centre_lost) destroyed",
        ],
        "impassable" => &[
            "built captured dislodged disbanded removed retreated eliminated (won) drawn",
            holes,
            "place_drawn voided centre_ruined (coast_moved) (coast_chosen) (revived)",
        ],
        other => panic!("say what happens in {other}"),
    };
    words.iter().flat_map(|words| words.split(' ')).collect()
}

#[test]
fn every_bot_and_mixture_in_every_variant() {
    let games = testkit::amount(1, 10);
    let all_happens =
        testkit::runs_slow("nine of ten games of each bot, and that everything happens in them");
    for id in Variant::shipped() {
        let variant = variant(id);
        let mut fixtures = every_bot(&variant, games);
        fixtures.append(&mut mixtures(&variant, testkit::amount(1, 30)));
        let clock = std::time::Instant::now();
        let kinds = watch_all(&fixtures);
        println!("{id}: {} games in {:?}", fixtures.len(), clock.elapsed());
        let expected = expected(id);
        let missing: Vec<_> =
            expected.iter().filter(|kind| !kind.starts_with('(') && !kinds.contains(*kind)).collect();
        let known: BTreeSet<&str> = expected.iter().map(|kind| kind.trim_matches(['(', ')'])).collect();
        let new: Vec<_> = kinds.difference(&known).collect();
        assert!(
            (missing.is_empty() || !all_happens) && new.is_empty(),
            "{id}: {missing:?} never happened, {new:?} did"
        );
    }
}
