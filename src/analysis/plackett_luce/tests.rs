use serde_json::Value;

use super::*;

/// A game: the bots in its seats with their places.
type Game = Vec<(usize, u8)>;

fn counted(sets: &mut Sets, games: &[Game]) -> RankingCounts {
    sets.count(games.iter().cloned())
}

/// The output of tests/choix/make.py.
fn fixture() -> Vec<Value> {
    serde_json::from_str(include_str!("../../../tests/choix/fits.json")).unwrap()
}

fn games(case: &Value) -> Vec<Game> {
    serde_json::from_value(case["games"].clone()).unwrap()
}

#[test]
fn strengths_are_those_that_choix_finds() {
    let cases = fixture();
    assert_eq!(cases.len(), 5);
    for case in &cases {
        let bots = case["bots"].as_u64().unwrap() as usize;
        let mut sets = Sets::new(bots);
        let choices = counted(&mut sets, &games(case));
        let fit = sets.fit([&choices], case["prior"].as_f64().unwrap(), None).expect("it settles");
        let expected: Vec<f64> = serde_json::from_value(case["fit"].clone()).unwrap();
        for (found, expected) in fit.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-4, "{}: {fit:?} and not {expected:?}", case["name"]);
        }
    }
}

#[test]
fn games_in_parts_are_the_games_together_from_wherever_it_starts() {
    let case = &fixture()[2];
    let games = games(case);
    let mut sets = Sets::new(3);
    let whole = counted(&mut sets, &games);
    let parts: Vec<RankingCounts> = games.chunks(7).map(|games| counted(&mut sets, games)).collect();
    let fit = sets.fit([&whole], PRIOR, None).unwrap();
    assert_eq!(fit, sets.fit(&parts, PRIOR, None).unwrap());
    let elsewhere = sets.fit([&whole], PRIOR, Some(&[3.0, -1.0, -2.0])).unwrap();
    assert!(fit.iter().zip(elsewhere).all(|(a, b)| (a - b).abs() < 1e-6));
}

#[test]
fn nothing_known_is_equal_strength_and_without_a_prior_nothing_settles_for_the_unbeaten() {
    let mut sets = Sets::new(2);
    assert_eq!(sets.fit([], PRIOR, None).unwrap(), [0.0, 0.0]);
    let wins: Game = [vec![(0, 1)], vec![(1, 2); 6]].concat();
    let choices = counted(&mut sets, &vec![wins; 9]);
    assert_eq!(sets.fit([&choices], 0.0, None), None);
    let fit = sets.fit([&choices], PRIOR, None).unwrap();
    assert!(fit[0] > 2.0 && fit[0] < 20.0, "{fit:?}");
}
