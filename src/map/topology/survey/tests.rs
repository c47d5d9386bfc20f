use super::*;
use crate::ids::Power;
use crate::rng::{Purpose, Stream};
use crate::topology::{atlas, derive, test_walk};

/// The measures, computed naively where possible: every distance by a search from one of its ends.
fn plainly(chart: &NamedMap, board: &Board) -> (Metrics, HomeDistances) {
    let (metrics, _) = Metrics::new(chart, board);
    let shores = Shores::of(board);
    let mut movement = Box::new(Movement::<4, 12>::EMPTY);
    movement.read(board, &shores);
    (metrics, HomeDistances::new(&movement.any, &homes(chart)))
}

fn homes(chart: &NamedMap) -> ByPower<ProvinceSet> {
    ByPower::from_fn(chart.powers(), |power| chart.homes(power))
}

#[test]
fn a_survey_that_follows_a_map_finds_what_a_new_one_finds() {
    let mut made = [0; test_walk::KINDS as usize];
    for game in 0..60 {
        let mut dice = Stream::keyed(game, Purpose::Custom("surveys"), &[]);
        let mut chart = atlas::standard();
        let mut survey = Survey::new(&chart, &derive(chart.map()), &homes(&chart));
        // In some games all changes are of one kind, until little is left of the board; other games mix all
        // kinds.
        let only = (game % 3 == 0).then(|| dice.below(7));
        for step in 0..40 {
            for _ in 0..1 + dice.below(3) {
                let kind = only.filter(|_| dice.below(8) > 0).unwrap_or_else(|| dice.below(test_walk::KINDS));
                made[kind as usize] += usize::from(test_walk::change_of_kind(&mut chart, kind, &mut dice));
            }
            let board = derive(chart.map());
            survey.follow(&chart, &board, &homes(&chart));
            let (metrics, distances) = plainly(&chart, &board);
            assert_eq!(**survey.metrics(), metrics, "game {game}, step {step}");
            assert_eq!(**survey.distances(), distances, "game {game}, step {step}");
        }
    }
    assert!(made.iter().all(|&count| count > 20), "{made:?}");
}

#[test]
fn a_survey_follows_a_map_that_outgrows_its_tables_and_another_map() {
    let mut dice = Stream::keyed(7, Purpose::Custom("surveys"), &[]);
    let mut chart = atlas::standard();
    let mut survey = Survey::new(&chart, &derive(chart.map()), &homes(&chart));
    let mut homes_at_most = 0;
    while chart.map().faces().count() < 150 {
        if !test_walk::change_of_kind(&mut chart, 5, &mut dice) {
            continue;
        }
        let board = derive(chart.map());
        survey.follow(&chart, &board, &homes(&chart));
        let (metrics, distances) = plainly(&chart, &board);
        assert_eq!((&**survey.metrics(), &**survey.distances()), (&metrics, &distances));
        homes_at_most = homes_at_most.max(homes(&chart).values().iter().map(ProvinceSet::len).sum());
    }
    assert!(homes_at_most > LANES, "{homes_at_most}");
    assert!(matches!(survey.kept, Kept::Large(_)));
    let chart = atlas::standard();
    let board = derive(chart.map());
    survey.follow(&chart, &board, &homes(&chart));
    let (metrics, distances) = Metrics::new(&chart, &board);
    assert_eq!((&**survey.metrics(), &**survey.distances()), (&metrics, &distances));
}

#[test]
fn what_is_kept_between_maps_passes_on_to_clones_and_outlives_changes_that_nobody_measures() {
    let mut chart = atlas::standard();
    let surveys = Surveys::default();
    let board = derive(chart.map());
    let first = Arc::clone(surveys.get(&chart, &board, &homes(&chart)).distances());
    let mut changed = surveys.clone();
    let find = |chart: &NamedMap, name| chart.map().find(name).expect("a province");
    for name in ["MAR", "BUR", "PAR"] {
        let id = find(&chart, name);
        chart.collapse(id).expect("it is open");
        changed.outdate();
    }
    let board_then = derive(chart.map());
    let then = changed.get(&chart, &board_then, &homes(&chart));
    let (metrics, distances) = plainly(&chart, &board_then);
    assert_eq!((&**then.metrics(), &**then.distances()), (&metrics, &distances));
    let france = Power::FRANCE;
    assert_eq!(homes(&chart)[france].len(), 1);
    // The original of the clone has not changed, and another clone starts from it.
    assert!(Arc::ptr_eq(&first, surveys.get(&chart, &board, &homes(&chart)).distances()));
    let same = surveys.clone();
    let standard = atlas::standard();
    let again = same.get(&standard, &board, &homes(&standard));
    assert!(Arc::ptr_eq(&first, again.distances()), "distances that stay are shared");
}

#[test]
fn steps_over_pieces_that_part_and_join_again() {
    let mut chart = atlas::standard();
    let mut survey = Survey::new(&chart, &derive(chart.map()), &homes(&chart));
    let around = ["NAO", "IRI", "ENG", "NTH", "NWG", "MAO", "WES", "TYS", "ION"];
    for round in 0..2 {
        for name in around {
            let id = chart.map().find(name).expect("a sea");
            let done = if round == 0 { chart.void(id) } else { chart.restore(id) };
            done.expect("it is open, or a hole");
            let board = derive(chart.map());
            survey.follow(&chart, &board, &homes(&chart));
            let (metrics, distances) = plainly(&chart, &board);
            assert_eq!((&**survey.metrics(), &**survey.distances()), (&metrics, &distances), "{name}");
        }
        let islands = survey.metrics().islands;
        assert_eq!(islands > 1, round == 0, "{islands}");
    }
}
