//! Several separations and releases at once (rules.md 8.4, 8.5), and the order in which they are listed. Single ones are
//! in `cli/tests/sessions/adjudicate_seismic_1971.md` and `map.md`, long random sequences in `quakes_properties.rs`.

use crate::helpers::charts::{after, counts, report, with};
use crate::helpers::small_maps;
use crate::map::quaking::{boundaries, contradict, listed, quakes, shaken};
use upheaval::topology::{SurgeryError, atlas};

const ISLAND: &str = "separate POR SPA connect MAO MAO";
const PENINSULA: [&str; 2] = ["separate POR SPA connect MAO MAO", "connect POR BRE through MAO"];
/// Portugal and North Africa connected, and together an island.
const TWO_IN_MAO: [&str; 5] = [
    "separate WES NAF connect MAO TUN",
    "separate OUT NAF connect MAO TUN",
    "separate NAF TUN connect MAO MAO",
    "separate POR SPA connect MAO MAO",
    "connect NAF POR through MAO",
];

#[test]
fn conceptual_note_every_separation_of_the_standard_board_contradicts_four_others_and_not_itself() {
    let chart = atlas::standard();
    let (map, all) = (chart.map(), chart.map().quakes());
    assert_eq!(all.len(), 225, "no province is an island, so there is nothing to release");
    for &order in &all {
        assert!(!order.contradicts(order, map));
        let against = all.iter().filter(|other| other.contradicts(order, map)).count();
        // Portugal is a digon: the borders with Spain and the sea share both their corners.
        let expected = match order.event(map).to_string().as_str() {
            "separate POR SPA connect MAO MAO" | "separate MAO POR connect SPA SPA" => 3,
            _ => 4,
        };
        assert_eq!(against, expected, "{}", order.event(map));
    }
}

#[test]
fn two_islands_in_one_sea_may_be_released_at_once_and_joined_but_not_in_a_ring() {
    let chart = after(&TWO_IN_MAO[..4]);
    assert_eq!(boundaries(&chart, "MAO").len(), 3);
    let three = quakes(
        &chart,
        &["connect NAO POR through MAO", "connect BRE NAF through MAO", "connect NAF POR through MAO"],
    );
    let map = chart.map();
    for (i, x) in three.iter().enumerate() {
        assert!(three.iter().all(|y| !x.contradicts(*y, map)));
        let two: Vec<_> = (0..3).filter(|j| *j != i).map(|j| three[j]).collect();
        assert_eq!(map.cutting_sets(&two), Vec::<Vec<usize>>::new());
        assert_eq!(counts(&shaken(&chart, &two).expect("two of them can be done"))[3], 1);
    }
    assert_eq!(map.cutting_sets(&three), [[0, 1, 2]]);
    assert_eq!(shaken(&chart, &three).map(|_| ()), Err(SurgeryError::Contradiction));
}

#[test]
fn a_refused_shake_leaves_the_chart_as_it_was() {
    let chart = after(&TWO_IN_MAO[..4]);
    let mut tried = chart.clone();
    let four = quakes(
        &chart,
        &[
            "separate BUL GRE connect SER AEG",
            "connect NAO POR through MAO",
            "connect BRE NAF through MAO",
            "connect NAF POR through MAO",
        ],
    );
    assert!(tried.shake(&four, &mut |_| None).is_err());
    assert_eq!(report(&tried), report(&chart));
    assert_eq!(tried.map().hash(), chart.map().hash());
    assert_eq!(listed(&tried), listed(&chart));
}

#[test]
fn a_ring_of_releases_that_a_separation_breaks_open_is_no_ring() {
    // Portugal and North Africa are connected in the sea. Each is released to a shore of its own, and at the same time
    // they are separated: but the two releases alone cut the sea, so they contradict each other (rules.md 8.4).
    let chart = after(&TWO_IN_MAO);
    assert!(contradict(&chart, "connect IRI POR through MAO", "connect BRE NAF through MAO"));
    // With a third island between them three releases close the ring, and the separation opens it.
    let chart = with(
        chart,
        &[
            "separate TUN WES connect MAO TYS",
            "separate OUT TUN connect MAO ION",
            "separate ION TUN connect MAO TYS",
            "separate TUN TYS connect MAO MAO",
        ],
    );
    assert_eq!(boundaries(&chart, "TUN"), ["MAO"]);
    let ring = ["connect IRI POR through MAO", "connect NAF TUN through MAO", "connect BRE TUN through MAO"];
    assert_eq!(chart.map().cutting_sets(&quakes(&chart, &ring)), [[0, 1, 2]]);
    let open = quakes(&chart, &[ring[0], ring[1], ring[2], "separate NAF POR connect MAO MAO"]);
    assert_eq!(chart.map().cutting_sets(&open), Vec::<Vec<usize>>::new());
    let chart = shaken(&chart, &open).expect("the separation parts what the releases would enclose");
    assert_eq!(counts(&chart)[3], 1);
}

#[test]
fn a_separation_contradicts_the_releases_at_its_own_border_and_no_others() {
    let chart = after(&[ISLAND]);
    let release = "connect POR BRE through MAO";
    assert!(contradict(&chart, "separate BRE MAO connect ENG GAS", release));
    assert!(!contradict(&chart, "separate ENG MAO connect BRE IRI", release));
    assert!(!contradict(&chart, "separate GAS MAO connect BRE SPA", release));
    let both = quakes(&chart, &["separate GAS MAO connect BRE SPA", release]);
    let chart = shaken(&chart, &both).expect("they can be done together");
    assert_eq!(boundaries(&chart, "BRE"), ["ENG MAO POR MAO SPA GAS PAR PIC"]);
}

#[test]
fn the_canonical_order_does_not_tell_how_the_map_came_about() {
    let same = [
        (vec!["separate BUL GRE connect SER AEG", ISLAND], vec![ISLAND, "separate BUL GRE connect SER AEG"]),
        // Back and forth again.
        (vec!["separate BUL GRE connect SER AEG", "separate AEG SER connect BUL GRE"], vec![]),
        (
            PENINSULA.to_vec(),
            vec![ISLAND, "connect POR IRI through MAO", "separate POR IRI connect MAO MAO", PENINSULA[1]],
        ),
        (
            vec![TWO_IN_MAO[0], TWO_IN_MAO[1], TWO_IN_MAO[2], TWO_IN_MAO[3]],
            vec![TWO_IN_MAO[3], TWO_IN_MAO[0], TWO_IN_MAO[1], TWO_IN_MAO[2]],
        ),
        (
            vec![ISLAND, "connect POR BRE through MAO", "separate ENG MAO connect BRE IRI"],
            vec!["separate ENG MAO connect BRE IRI", ISLAND, "connect POR BRE through MAO"],
        ),
    ];
    for (one, other) in same {
        let [x, y] = [after(&one), after(&other)];
        assert_eq!(x.map().hash(), y.map().hash(), "{one:?}");
        assert_eq!(listed(&x), listed(&y), "{one:?}");
    }
}

#[test]
fn the_canonical_order_goes_by_kind_and_then_by_name() {
    let all = listed(&after(&[ISLAND]));
    assert_eq!(&all[..2], ["separate ADR ALB connect ION TRI", "separate ADR APU connect ION VEN"]);
    let releases: Vec<&String> = all.iter().skip_while(|text| text.starts_with("separate")).collect();
    assert_eq!(
        releases,
        [
            "connect BRE POR through MAO",
            "connect ENG POR through MAO",
            "connect GAS POR through MAO",
            "connect IRI POR through MAO",
            "connect NAF POR through MAO",
            "connect NAO POR through MAO",
            "connect OUT POR through MAO",
            "connect POR SPA through MAO",
            "connect POR WES through MAO",
        ]
    );
    assert_eq!(all.len() - releases.len(), 222, "223 borders, of which that round Portugal has no ends");
}

#[test]
fn two_releases_may_share_a_stretch_from_both_its_sides() {
    // The island reaches the rim across the sea, and the sea reaches the lake across the island, both across one shore.
    let chart = small_maps::chart(small_maps::NESTED);
    let both = ["connect ISLE RIM through SEA", "connect LAKE SEA through ISLE"];
    assert!(!contradict(&chart, both[0], both[1]));
    let mut reversed = quakes(&chart, &both);
    let one = shaken(&chart, &reversed).expect("both can be done");
    reversed.reverse();
    let other = shaken(&chart, &reversed).expect("both can be done");
    assert_eq!(one.map().hash(), other.map().hash());
    assert_eq!(boundaries(&one, "LAKE"), ["CORE", "ISLE SEA"]);
}
