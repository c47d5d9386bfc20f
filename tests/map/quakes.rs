//! Separations and releases one by one: rules.md 8.1 to 8.5 and the cases of Seismic about the map (rules.md 9). Long
//! random sequences are in `quakes_properties.rs`.

use crate::helpers::charts::{after, counts, event, report, with};
use crate::helpers::small_maps;
use crate::map::quaking::{boundaries, contradict, listed, quake, quakes, shaken, try_quake};
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

/// Four faces; AA and BB meet twice, each time between PP and QQ.
const TWICE: &str = "AA land BB PP BB QQ
BB sea AA PP AA QQ
PP land AA BB
QQ land AA BB";

#[test]
fn ruling_9_portugal_is_made_an_island() {
    let chart = after(&[ISLAND]);
    assert_eq!(counts(&chart), [77, 223, 149, 2]);
    assert_eq!(boundaries(&chart, "POR"), ["MAO"]);
    assert_eq!(boundaries(&chart, "SPA"), ["GAS MAO WES LYO MAR"]);
    assert_eq!(boundaries(&chart, "MAO"), ["BRE ENG IRI NAO OUT NAF WES SPA GAS", "POR"]);
    let report = report(&chart);
    assert_eq!(report.faces["POR"].fleet[""], ["MAO"]);
    assert!(report.faces["POR"].army.is_empty());
    assert_eq!(report.faces["SPA"].coasts.len(), 1, "Spain's coasts are one without Portugal");
}

#[test]
fn ruling_9_portugal_is_released_to_brest() {
    let chart = after(&PENINSULA);
    assert_eq!(counts(&chart), [77, 225, 150, 1]);
    assert_eq!(boundaries(&chart, "POR"), ["BRE MAO"]);
    assert_eq!(boundaries(&chart, "BRE"), ["ENG MAO POR MAO GAS PAR PIC"]);
    let report = report(&chart);
    assert_eq!(report.faces["POR"].army, ["BRE"]);
    assert!(report.isthmuses.contains(&["BRE".to_owned(), "POR".to_owned()]));
    assert_eq!(report.faces["BRE"].coasts.len(), 2);
}

#[test]
fn a_released_province_separated_again_is_an_island_again() {
    let [island, again] =
        [after(&[ISLAND]), after(&[PENINSULA[0], PENINSULA[1], "separate BRE POR connect MAO MAO"])];
    assert_eq!(report(&island), report(&again));
    assert_eq!(island.map().hash(), again.map().hash());
}

#[test]
fn ruling_9_the_barents_sea_is_enclosed_and_released_to_tunis() {
    let mut chart = after(&["separate STP BAR connect NWY OUT"]);
    assert_eq!(boundaries(&chart, "BAR"), ["NWG NWY OUT"]);
    assert!(report(&chart).faces["STP"].boundaries[0].windows(2).any(|two| two == ["OUT", "NWY"]));
    chart = with(chart, &["separate NWG BAR connect NWY OUT"]);
    assert_eq!(boundaries(&chart, "BAR"), ["NWY OUT"]);
    chart = with(chart, &["separate NWY BAR connect OUT OUT"]);
    assert_eq!(boundaries(&chart, "BAR"), ["OUT"]);
    assert!(report(&chart).faces["BAR"].fleet[""].is_empty(), "trapped in the outside");
    assert_eq!(counts(&chart), [77, 223, 149, 2]);
    chart = with(chart, &["connect BAR TUN through OUT"]);
    assert_eq!(boundaries(&chart, "BAR"), ["OUT TUN"]);
    assert_eq!(report(&chart).faces["BAR"].fleet[""], ["TUN/NC"], "a lake attached to Tunis");
    assert_eq!(boundaries(&chart, "TUN"), ["BAR OUT ION TYS WES NAF OUT"]);
}

#[test]
fn rule_5_switzerland_and_the_outside_take_part() {
    let chart = after(&["separate BUR MUN connect RUH SWI", "separate OUT TUN connect ION NAF"]);
    assert_eq!(boundaries(&chart, "SWI"), ["BUR MAR PIE TYR MUN RUH"]);
    assert_eq!(boundaries(&chart, "TUN"), ["ION TYS WES NAF"]);
    let coasts: Vec<String> =
        report(&chart).faces["NAF"].coasts.iter().map(|coast| coast.seas.join(" ")).collect();
    assert_eq!(coasts, ["ION", "MAO WES"], "on both sides of Tunis and of the Outside");
}

#[test]
fn ruling_9_bulgaria_and_greece_contradict_each_other() {
    let chart = atlas::standard();
    let (austria, turkey) = ("separate BUL GRE connect SER AEG", "separate BUL AEG connect GRE CON");
    assert!(contradict(&chart, austria, turkey));
    let both = quakes(&chart, &[austria, turkey]);
    assert_eq!(shaken(&chart, &both).map(|_| ()), Err(SurgeryError::Contradiction));
    let (map, first) = (after(&[austria]), event(turkey));
    assert!(first.apply(&mut map.clone()).is_err(), "the second makes no sense after the first");
    assert!(event(austria).apply(&mut after(&[turkey])).is_err());
}

#[test]
fn conceptual_note_exactly_four_quakes_contradict_bul_gre() {
    let chart = atlas::standard();
    let (map, order) = (chart.map(), quake(&chart, "separate BUL GRE connect SER AEG"));
    let against: Vec<String> = map
        .quakes()
        .into_iter()
        .filter(|other| other.contradicts(order, map))
        .map(|other| other.event(map).to_string())
        .collect();
    assert_eq!(
        against,
        [
            "separate AEG BUL connect CON GRE",
            "separate AEG GRE connect BUL ION",
            "separate BUL SER connect GRE RUM",
            "separate GRE SER connect ALB BUL",
        ]
    );
}

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
fn rule_7b_two_releases_of_one_island_contradict_each_other() {
    let chart = after(&[ISLAND]);
    assert!(contradict(&chart, "connect POR NAO through MAO", "connect POR BRE through MAO"));
    assert!(contradict(&chart, "connect IRI POR through MAO", "connect POR BRE through MAO"));
    let both = quakes(&chart, &["connect IRI POR through MAO", "connect POR BRE through MAO"]);
    assert_eq!(shaken(&chart, &both).map(|_| ()), Err(SurgeryError::Contradiction));
}

#[test]
fn ruling_9_portugal_and_north_africa_two_releases_that_would_cut_mao() {
    let chart = after(&TWO_IN_MAO);
    assert_eq!(boundaries(&chart, "POR"), ["MAO NAF"]);
    assert!(contradict(&chart, "connect NAO POR through MAO", "connect BRE NAF through MAO"));
    for alone in ["connect NAO POR through MAO", "connect BRE NAF through MAO"] {
        assert_eq!(counts(&with(chart.clone(), &[alone]))[3], 1);
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
fn rule_7_case_3_portugal_to_ireland_and_to_brest() {
    // The Irish Sea stands where the seed's map has Ireland.
    let chart = after(&[ISLAND]);
    assert!(contradict(&chart, "connect POR IRI through MAO", "connect POR BRE through MAO"));
    assert!(!contradict(&chart, "connect POR IRI through MAO", "connect IRI POR through MAO"));
}

#[test]
fn ruling_8_2_faces_may_be_named_in_either_order() {
    let chart = after(&[ISLAND]);
    for (x, y) in [
        ("separate BUL GRE connect SER AEG", "separate GRE BUL connect AEG SER"),
        ("separate BUL GRE connect AEG SER", "separate GRE BUL connect SER AEG"),
        ("connect POR BRE through MAO", "connect BRE POR through MAO"),
    ] {
        assert_eq!(quake(&chart, x), quake(&chart, y));
    }
    assert_eq!(
        quake(&chart, "separate GRE BUL connect SER AEG").event(chart.map()).to_string(),
        "separate BUL GRE connect AEG SER"
    );
}

#[test]
fn what_does_not_fit_the_map_is_no_quake() {
    let chart = after(&[ISLAND]);
    for text in [
        "separate POR SPA connect MAO MAO",
        "separate BUL GRE connect SER ION",
        "separate PAR MOS connect SER ION",
        "separate MAO POR connect SPA SPA",
        "separate POR POR connect MAO MAO",
        "connect GAS BRE through MAO",
        "connect POR PAR through MAO",
        "connect POR POR through MAO",
        "connect POR BRE through ENG",
        "connect POR XYZ through MAO",
        "separate BUL GRE connect AEG SER #2",
        "separate BUL GRE connect AEG SER #0",
        "connect POR BRE through MAO #2",
        "collapse POR",
    ] {
        assert!(try_quake(&chart, text).is_err(), "{text}");
    }
    assert_eq!(
        quake(&chart, "separate BUL GRE connect AEG SER #1"),
        quake(&chart, "separate BUL GRE connect AEG SER"),
        "the index of the only place may be given"
    );
}

#[test]
fn ruling_8_2_a_release_that_fits_two_places_needs_an_index() {
    // The peninsula at Brest leaves the sea two stretches of Brest; an island may be joined to either.
    let chart = after(&[&PENINSULA[..], &TWO_IN_MAO[..3]].concat());
    assert_eq!(try_quake(&chart, "connect NAF BRE through MAO"), Err(SurgeryError::Ambiguous { count: 2 }));
    // The sea's boundary: BRE ENG … GAS BRE POR, printed from `BRE ENG`.
    assert!(boundaries(&chart, "MAO")[0].starts_with("BRE ENG"), "{:?}", boundaries(&chart, "MAO"));
    let at = |n| {
        let chart = with(chart.clone(), &[&format!("connect BRE NAF through MAO #{n}")]);
        boundaries(&chart, "BRE")[0].clone()
    };
    assert_eq!(at(1), "ENG MAO NAF MAO POR MAO GAS PAR PIC");
    assert_eq!(at(2), "ENG MAO POR MAO NAF MAO GAS PAR PIC");
    assert!(try_quake(&chart, "connect NAF BRE through MAO #3").is_err());
}

#[test]
fn ruling_8_2_a_separation_that_fits_two_places_needs_an_index() {
    let chart = small_maps::chart(TWICE);
    let ambiguous: Vec<String> = listed(&chart).into_iter().filter(|text| text.contains('#')).collect();
    assert_eq!(
        ambiguous,
        ["separate AA BB connect PP QQ #1", "separate AA BB connect PP QQ #2"],
        "{:?}",
        listed(&chart)
    );
    assert_eq!(try_quake(&chart, "separate BB AA connect QQ PP"), Err(SurgeryError::Ambiguous { count: 2 }));
    let [x, y] = [1, 2].map(|n| quake(&chart, &format!("separate BB AA connect QQ PP #{n}")));
    assert_ne!(x, y);
    let [x, y] = [x, y].map(|quake| shaken(&chart, &[quake]).expect("it can be done"));
    assert_eq!(boundaries(&x, "AA"), ["BB QQ PP"], "the first in print stands before PP");
    assert_eq!(boundaries(&y, "AA"), ["BB PP QQ"]);
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
fn a_group_of_provinces_becomes_an_island_in_another_and_is_released_by_any_of_its_own() {
    let chart = after(&TWO_IN_MAO);
    assert_eq!(counts(&chart)[3], 2);
    let releases: Vec<String> =
        listed(&chart).into_iter().filter(|text| text.starts_with("connect")).collect();
    assert_eq!(releases.len(), 2 * 9, "each of the two to each of nine on the sea's shore: {releases:?}");
    for either in ["connect BRE POR through MAO", "connect BRE NAF through MAO"] {
        assert!(releases.contains(&either.to_owned()));
    }
    let chart = with(chart, &["connect IRI POR through MAO"]);
    assert_eq!(boundaries(&chart, "POR"), ["IRI MAO NAF MAO"]);
    assert_eq!(report(&chart).faces["NAF"].army, ["POR"]);
}

#[test]
fn an_island_in_an_island_is_released_through_the_one_it_lies_in() {
    let chart = small_maps::chart(small_maps::NESTED);
    let releases: Vec<String> =
        listed(&chart).into_iter().filter(|text| text.starts_with("connect")).collect();
    assert_eq!(
        releases,
        [
            "connect LAKE SEA through ISLE",
            "connect CORE ISLE through LAKE",
            "connect OUT SEA through RIM",
            "connect EAST ISLE through SEA",
            "connect EAST RIM through SEA",
            "connect ISLE RIM through SEA",
            "connect ISLE WEST through SEA",
            "connect RIM WEST through SEA",
        ]
    );
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
