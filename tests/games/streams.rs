//! The root of determinism: the streams of random numbers, pinned. If one of these numbers changes, every game of every
//! seed changes: raise `DERIVATION_VERSION`, if you must. Their consequences are tested with the games: `promises.rs`,
//! `golden.rs`.

use upheaval::rng::{ALGORITHM, DERIVATION_VERSION, Purpose, Stream, Streams};

fn first_three(seed: u64, purpose: Purpose, key: &[u64]) -> [u64; 3] {
    let mut stream = Stream::keyed(seed, purpose, key);
    [stream.next_u64(), stream.next_u64(), stream.next_u64()]
}

#[test]
fn keyed_streams_are_pinned_for_every_purpose() {
    assert_eq!((ALGORITHM, DERIVATION_VERSION), ("pcg64-dxsm", 1));
    assert_eq!(
        first_three(1, Purpose::Nature("holes"), &[0, 7604, 0]),
        [8286696373613226769, 13819039604123266537, 13510526924253538985]
    );
    assert_eq!(
        first_three(1, Purpose::Nature("exemption"), &[0, 7604, 2]),
        [14443203691477495955, 3834501930863931120, 3095570851415989689]
    );
    assert_eq!(
        first_three(1, Purpose::Bot, &[0, 0, 2]),
        [3650361980068051827, 10591844833229277895, 15960033773051155732]
    );
    assert_eq!(
        first_three(u64::MAX, Purpose::Bot, &[]),
        [7040824318356375146, 7857640944193743585, 17892422753645648693]
    );
}

#[test]
fn streams_of_one_key_are_pinned_by_number() {
    let streams = Streams::keyed(1, Purpose::BotStage, &[0, 0, 2]);
    let first = |number| streams.stream(number).next_u64();
    assert_eq!(
        [first(0), first(60832), first(60836), first(u64::MAX)],
        [15706572491483284936, 17435175039804228244, 14459167450495079073, 9147469133990589488]
    );
    assert_eq!(first(0), Stream::keyed(1, Purpose::BotStage, &[0, 0, 2]).next_u64());
}

#[test]
fn numbers_below_a_bound_are_pinned() {
    let mut stream = Stream::keyed(5, Purpose::Bot, &[1]);
    let drawn = [1, 2, 7, 75, 1000, u32::MAX, 3_000_000_000].map(|bound| stream.below(bound));
    assert_eq!(drawn, [0, 1, 2, 56, 89, 48392557, 1763976717]);
}

#[test]
fn shuffles_and_choices_are_pinned() {
    let mut stream = Stream::keyed(6, Purpose::Bot, &[1]);
    let mut items = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    stream.shuffle(&mut items);
    assert_eq!(items, [5, 3, 7, 9, 0, 1, 4, 2, 6, 8]);
    let chosen: Vec<char> =
        (0..5).filter_map(|_| stream.choose(&['a', 'b', 'c', 'd', 'e']).copied()).collect();
    assert_eq!(chosen, ['d', 'b', 'c', 'd', 'e']);
}

#[test]
fn ranks_are_pinned() {
    let rank = |order, item| Stream::ranked(order, item).next_u64();
    assert_eq!(
        [rank(0, 0), rank(1, 0), rank(0, 1), rank(u64::MAX, 77)],
        [0, 12620380960013447203, 12558511261149050059, 11012206650007968443]
    );
}

#[test]
fn below_stays_below_and_reaches_every_value() {
    let mut stream = Stream::keyed(1, Purpose::Bot, &[]);
    let mut seen = [0u32; 7];
    for _ in 0..7_000 {
        seen[stream.below(7) as usize] += 1;
    }
    assert!(seen.iter().all(|&n| (800..1200).contains(&n)), "{seen:?}");
}

#[test]
fn streams_of_different_keys_differ() {
    let first = |purpose, key: &[u64]| Stream::keyed(7, purpose, key).next_u64();
    let all = [
        first(Purpose::Bot, &[0, 1]),
        first(Purpose::Bot, &[1, 0]),
        first(Purpose::Nature("holes"), &[0, 1]),
        first(Purpose::Bot, &[0, 1, 0]),
        Stream::keyed(8, Purpose::Bot, &[0, 1]).next_u64(),
    ];
    for (i, a) in all.iter().enumerate() {
        assert!(!all[i + 1..].contains(a));
    }
}
