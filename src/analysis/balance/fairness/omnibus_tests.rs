//! Known values, and the level by simulation.

use super::*;

/// Values that vary from block to block by a formula; other programs give the expected result of the test.
fn formula(blocks: i64) -> Vec<Vec<f64>> {
    let value =
        |b: i64, p: i64| ((b * (p + 3) * 7 + p * p * 5 + b * b) % 11) as f64 + 0.3 * (p * (b % 3)) as f64;
    (0..blocks).map(|b| (0..7).map(|p| value(b, p)).collect()).collect()
}

#[test]
fn hotelling_is_as_numpy_and_scipy_have_it() {
    // T² = 120 · ȳ' S⁻¹ ȳ of differences of neighbours, F = T² · 114 / (6 · 119), p = scipy.stats.f.sf(F, 6, 114)
    let test = hotelling(&formula(120)).unwrap();
    let f = test.f.unwrap();
    assert_eq!((test.method, f.numerator, f.denominator), (Method::Hotelling, 6, 114));
    assert!((test.statistic - 230.005_214_6).abs() < 1e-6, "{test:?}");
    assert!((f.value - 36.723_521_66).abs() < 1e-7, "{test:?}");
    assert!((test.p / 1.752_127_4e-24 - 1.0).abs() < 1e-4, "{test:?}");
}

#[test]
fn what_varies_too_little_is_permuted() {
    let method = |blocks: &[Vec<f64>]| test(blocks, 1, 0).unwrap().method;
    assert_eq!(method(&formula(400)), Method::Hotelling);
    assert_eq!(method(&formula(40)), Method::Permutation);
    let mut never = formula(400);
    never.iter_mut().for_each(|block| (block[5], block[6]) = (0.0, 0.0));
    assert_eq!(method(&never), Method::Permutation, "two powers that never win");
    assert_eq!(method(&vec![vec![1.0; 7]; 200]), Method::AllEqual);
    assert_eq!(method(&vec![vec![0.0; 7]; 200]), Method::AllEqual);
    assert_eq!(method(&vec![vec![2.0; 7]; 5]), Method::AllEqual);
    // The same difference in every block is certain, but no p is 0.
    let surely = test(&vec![vec![1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0]; 200], 1, 0).unwrap();
    assert_eq!((surely.method, surely.p), (Method::Permutation, 1.0 / 5000.0));
    // Six powers vary together, and the seventh is always one ahead of them.
    let ahead: Vec<Vec<f64>> =
        (0..400).map(|b| (0..7).map(|p| f64::from(b % 5) + f64::from(u8::from(p == 6))).collect()).collect();
    let ahead = test(&ahead, 1, 0).unwrap();
    assert_eq!((ahead.method, ahead.p), (Method::Permutation, 1.0 / 5000.0));
    assert_eq!(test(&[vec![1.0; 7]], 1, 0), None);
}

#[test]
fn rare_events_are_counted_as_they_are() {
    // Twenty blocks of a thousand, then this many of each of two kinds.
    let rare = |each: &dyn Fn(usize) -> f64, n| -> f64 {
        let blocks: Vec<Vec<f64>> = (0..n).map(|b| vec![each(b); 7]).collect();
        events(&blocks, 3)
    };
    assert!((rare(&|b| f64::from(u8::from(b % 50 == 0)), 1000) - 20.0).abs() < 2.0);
    assert!((rare(&|b| f64::from(u8::from(b % 50 > 0)), 1000) - 20.0).abs() < 2.0);
    assert_eq!(rare(&|b| (b % 2) as f64, 1000), 1000.0);
    assert_eq!(rare(&|_| 3.0, 1000), 0.0);
}

#[test]
fn a_permutation_test_of_two_blocks_can_be_counted_out() {
    // Two blocks in which one power has everything. It is the same power in one of seven permutations.
    let one = |at: usize| -> Vec<f64> { (0..7).map(|p| f64::from(u8::from(p == at))).collect() };
    let same = test(&[one(2), one(2)], 1, 0).unwrap();
    assert_eq!(same.method, Method::Permutation);
    assert!((same.p - 1.0 / 7.0).abs() < 0.02, "{same:?}");
    assert_eq!(test(&[one(2), one(3)], 1, 0).unwrap().p, 1.0);
}

#[test]
fn equal_powers_are_called_unequal_as_often_as_the_level_says() {
    let runs = testkit::amount(48, 200);
    // Blocks of this many games, of which this many in all are won by a power: never independent of each other, and
    // rare in all but the first two.
    let tables = [
        (7, 20, 7, 140, runs / 2, Method::Permutation),
        (7, 800, 7, 5_600, 4 * runs, Method::Hotelling),
        (7, 100, 1, 20, runs / 2, Method::Permutation),
        (7, 100, 7, 20, runs / 2, Method::Permutation),
        (7, 1_000, 1, 20, runs / 4, Method::Permutation),
        (2, 400, 2, 800, runs, Method::Hotelling),
        (3, 30, 3, 90, runs / 2, Method::Permutation),
        (10, 800, 10, 8_000, 2 * runs, Method::Hotelling),
    ];
    for (powers, blocks, games, won, runs, method) in testkit::thinned(tables, 5) {
        let rejected = (0..runs)
            .filter(|&run| {
                let mut dice = Stream::keyed(run, Purpose::Bot, &[blocks, games, won]);
                let block = |_| {
                    let mut solos = vec![0.0; powers];
                    for _ in 0..games {
                        if u64::from(dice.below((blocks * games) as u32)) < won {
                            solos[dice.below(powers as u32) as usize] += 1.0;
                        }
                    }
                    solos
                };
                let values: Vec<_> = (0..blocks).map(block).collect();
                let test = test(&values, run, 0).unwrap();
                assert_eq!(test.method, method, "{powers} powers, {blocks} blocks");
                test.p < 0.05
            })
            .count();
        let share = rejected as f64 / runs as f64;
        // Three standard deviations of this number of runs, and half a point because the values are only approximately
        // normal.
        let room = 3.0 * (0.05 * 0.95 / runs as f64).sqrt() + 0.005;
        assert!((share - 0.05).abs() < room, "{blocks} blocks: {share} of {runs}");
    }
}
