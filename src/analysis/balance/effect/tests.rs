//! Values worked out by hand.

use super::*;
use crate::balance::years::{GameYear, YearStanding};
use upheaval_harness::record::Text;
use upheaval_map::rng::Stream;

fn arm() -> Arm {
    Arm {
        id: "arm".to_owned(),
        first_year: 1901,
        base: None,
        parameters: None,
        content: serde_json::json!({ "homes": { "FRANCE": ["PAR", "BRE"], "GERMANY": ["MUN"] } }),
    }
}

fn query(kind: EventKind, years: u16, whose: AttributionRule) -> Query {
    Query { power_names: PowerNames::standard(), kinds: vec![kind], whose, years, last_year: 1904, blocks: 4 }
}

fn event(year: u16, season: Season, kind: EventKind, province: &str, power: Option<Power>) -> GameEvent {
    GameEvent { year, season, kind, province: Some(Text::from(province)), power, other: None }
}

/// A game in which France has these centres from year to year and the other powers have none.
fn france(centres: &[u16]) -> YearlyGame {
    let year = |&centres: &u16| {
        let mut year = GameYear { running: true, powers: vec![YearStanding::default(); 7] };
        year.powers[Power::FRANCE.index()] = YearStanding { centres, in_play: centres > 0 };
        year
    };
    YearlyGame { years: centres.iter().map(year).collect(), after: year(&centres[centres.len() - 1]) }
}

fn struck(query: &Query, events: &[GameEvent]) -> Vec<Option<Window>> {
    query.first_events(arm().start(), &query.homes_of(&arm()), events).0.swap_remove(0)
}

/// A game: its block, France's centres from year to year, and when Paris collapses.
type Game<C> = (u32, C, Option<(u16, Season)>);

fn tally<C: AsRef<[u16]>>(query: &Query, games: &[Game<C>]) -> EffectTally {
    let mut tally = [EffectTally::default()];
    for (block, centres, when) in games {
        let events: Vec<GameEvent> =
            when.iter().map(|(year, at)| event(*year, *at, EventKind::Collapsed, "PAR", None)).collect();
        let struck = query.first_events(arm().start(), &query.homes_of(&arm()), &events);
        query.tally(arm().start(), *block, &france(centres.as_ref()), &struck, &mut tally);
    }
    let [tally] = tally;
    tally
}

#[test]
fn the_effect_is_beside_games_in_which_it_did_not_happen() {
    let query = query(EventKind::Collapsed, 1, AttributionRule::Home);
    // The first game is struck in Fall 1902: from the 4 of 1901 to the 5 of 1903. The second and third are never
    // struck: +2 and −3. The fourth is struck in 1904, and its second count is beyond the last year: until then it is
    // like the others, +2.
    let tally = tally(
        &query,
        &[
            (0, [3, 4, 2, 5, 5], Some((1902, Season::Fall))),
            (1, [3, 4, 6, 6, 7], None),
            (2, [3, 4, 4, 1, 1], None),
            (3, [3, 4, 5, 6, 6], Some((1904, Season::Spring))),
        ],
    );
    let effect = tally.effect(EventKind::Collapsed, &query).unwrap();
    let of = effect.powers["FRANCE"];
    assert_eq!((of.struck, of.cut_off, of.without_centre, of.unmatched, of.compared), (2, 1, 0, 0, 1));
    assert_eq!((of.change, of.change_without), (Some(1.0), Some(1.0 / 3.0)));
    let difference = of.effect.unwrap();
    assert!((difference.estimate - 2.0 / 3.0).abs() < 1e-12, "{difference:?}");
    // Influences of the four blocks: 0, −5/9, 10/9, −5/9; variance 4/3 · 150/81; t(0.975; 3) = 3.182446.
    let half = 3.182_446 * (4.0 / 3.0 * 150.0 / 81.0_f64).sqrt();
    let bounds = difference.interval.unwrap();
    assert!(
        (2.0 / 3.0 - bounds.low - half).abs() < 1e-4 && bounds.high >= 2.0 / 3.0 + half,
        "{difference:?}"
    );
    assert_eq!((effect.all.struck, effect.all.compared, effect.all.effect), (2, 1, of.effect));
    assert_eq!(effect.powers["ITALY"].change, None);
}

#[test]
fn only_games_with_as_many_centres_in_the_same_year_are_alike() {
    let query = query(EventKind::Collapsed, 1, AttributionRule::Home);
    let alone =
        tally(&query, &[(0, [3, 4, 2, 5, 5], Some((1902, Season::Fall))), (1, [3, 5, 6, 6, 4], None)]);
    let of = alone.effect(EventKind::Collapsed, &query).unwrap().all;
    assert_eq!((of.struck, of.unmatched, of.compared, of.effect), (1, 1, 0, None));
}

#[test]
fn a_power_without_a_centre_has_none_to_lose() {
    let query = query(EventKind::Collapsed, 1, AttributionRule::Home);
    let of = tally(&query, &[(0, [3, 0, 0, 1, 1], Some((1902, Season::Fall)))]).estimate(&Power::STANDARD);
    assert_eq!((of.struck, of.without_centre, of.compared), (1, 1, 0));
}

#[test]
fn a_winters_event_comes_after_the_count_of_its_year() {
    let query = query(EventKind::Submerged, 2, AttributionRule::Home);
    let window = |year, when| struck(&query, &[event(year, when, EventKind::Submerged, "PAR", None)])[2];
    assert_eq!(window(1902, Season::Winter), Some(Window { before: 2, after: 4 }));
    assert_eq!(window(1902, Season::Fall), Some(Window { before: 1, after: 4 }));
    assert_eq!(window(1901, Season::Spring), Some(Window { before: 0, after: 3 }));
}

#[test]
fn each_power_is_struck_once_by_its_first() {
    let query = query(EventKind::Collapsed, 2, AttributionRule::Home);
    let first = struck(
        &query,
        &[
            event(1901, Season::Fall, EventKind::Collapsed, "BUR", None),
            event(1902, Season::Spring, EventKind::Voided, "MUN", None),
            event(1902, Season::Fall, EventKind::Collapsed, "BRE", None),
            event(1903, Season::Spring, EventKind::Collapsed, "PAR", None),
        ],
    );
    let expected = [None, None, Some(Window { before: 1, after: 4 }), None, None, None, None];
    assert_eq!(first, expected);
}

#[test]
fn a_half_is_of_the_home_that_was_split() {
    let query = query(EventKind::Split, 2, AttributionRule::Home);
    let first = struck(&query, &[event(1902, Season::Fall, EventKind::Split, "PAR.2.1", None)]);
    assert!(first[Power::FRANCE.index()].is_some());
}

#[test]
fn an_owner_is_who_owned_it_last_before() {
    let query = query(EventKind::Collapsed, 2, AttributionRule::Owner);
    let (germany, italy) = (Some(Power::GERMANY), Some(Power::ITALY));
    let first = struck(
        &query,
        &[
            event(1901, Season::Fall, EventKind::Captured, "PAR", germany),
            // The loss of a centre is recorded before the loss of its province.
            event(1902, Season::Spring, EventKind::CentreLost, "PAR", germany),
            event(1902, Season::Spring, EventKind::Collapsed, "PAR", None),
            event(1903, Season::Fall, EventKind::Captured, "BEL", italy),
            event(1903, Season::Fall, EventKind::CentreLost, "BEL", italy),
            // No power owns it any more when it collapses.
            event(1904, Season::Spring, EventKind::Collapsed, "BEL", None),
        ],
    );
    let struck: Vec<Power> =
        Power::STANDARD.into_iter().filter(|power| first[power.index()].is_some()).collect();
    assert_eq!(struck, [Power::GERMANY]);
}

#[test]
fn many_blocks_are_put_into_batches_in_order() {
    let query = Query { blocks: 1000, ..query(EventKind::Collapsed, 1, AttributionRule::Home) };
    let batches: Vec<u32> = (0..1000).map(|block| query.batch(block)).collect();
    assert!(batches.is_sorted() && batches[0] == 0 && batches[999] == 127, "{batches:?}");
    let few = Query { blocks: 3, ..query };
    assert_eq!([0, 1, 2].map(|block| few.batch(block)), [0, 1, 2]);
}

#[test]
fn merging_is_adding() {
    let query = query(EventKind::Collapsed, 1, AttributionRule::Home);
    let games = [
        (0, [3, 4, 2, 5, 5], Some((1902, Season::Fall))),
        (1, [3, 4, 6, 6, 7], None),
        (1, [3, 4, 4, 1, 1], None),
        (2, [3, 4, 5, 6, 6], Some((1902, Season::Spring))),
    ];
    let mut front = tally(&query, &games[..2]);
    front.merge(tally(&query, &games[2..]));
    assert_eq!(
        front.effect(EventKind::Collapsed, &query),
        tally(&query, &games).effect(EventKind::Collapsed, &query)
    );
}

/// The effect in games of which the true effect is −1: each block has a change common to all its games, and powers with
/// five centres are struck more often.
pub(crate) fn simulated(dice: &mut Stream, blocks: u32) -> Option<Estimate> {
    let query = Query { blocks, ..query(EventKind::Collapsed, 1, AttributionRule::Home) };
    let mut games = Vec::new();
    for block in 0..blocks {
        let shared = dice.below(3) as u16;
        for _ in 0..3 {
            let before = 4 + dice.below(2) as u16;
            let hit = dice.below(10) < if before == 5 { 6 } else { 3 };
            let after = before + shared + dice.below(4) as u16 - u16::from(hit);
            games.push((block, [3, before, before, after, after], hit.then_some((1902, Season::Fall))));
        }
    }
    tally(&query, &games).estimate(&[Power::FRANCE]).effect
}

#[test]
fn a_game_that_is_over_costs_the_years_that_were_played_and_counts_as_if_it_had_gone_on() {
    let games = [
        (0, vec![3, 4, 4, 4, 4, 6, 6], Some((1905, Season::Fall))),
        (1, vec![3, 4], None),
        (2, vec![3, 4, 4, 4, 4], Some((1904, Season::Fall))),
        (3, vec![3, 4, 6], None),
        (4, vec![3, 4, 4], None),
        (5, vec![3, 3, 4, 4, 4, 4], Some((1906, Season::Fall))),
    ];
    let short = Query { last_year: 1930, blocks: 6, ..query(EventKind::Collapsed, 2, AttributionRule::Home) };
    // The same game, continued without a change to the last year.
    let long = games.clone().map(|(block, mut centres, when)| {
        centres.resize(30, *centres.last().unwrap());
        (block, centres, when)
    });
    let (brief, whole) = (tally(&short, &games), tally(&short, &long));
    let effect = |tally: &EffectTally| tally.effect(EventKind::Collapsed, &short).unwrap();
    assert_eq!(effect(&brief), effect(&whole));
    let of = effect(&brief).powers["FRANCE"];
    assert!(of.compared == 3 && of.effect.is_some_and(|effect| effect.interval.is_some()), "{of:?}");
    // The last year may be any.
    let kept = |last_year: u16| {
        let tally = tally(&Query { last_year, ..short.clone() }, &games);
        tally.batches.values().map(|batch| batch.pairs.len() + batch.over.len()).sum::<usize>()
    };
    assert_eq!(kept(9999), kept(1930));
    assert!(whole.batches.values().map(|batch| batch.pairs.len()).sum::<usize>() > 2 * kept(9999));
}
