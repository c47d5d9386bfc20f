//! The end of a year: the builds that there are, the condition of victory, the places of the powers. Cases are in
//! `cli/tests/sessions/adjudicate_winter.md`.

use std::cmp::Reverse;

use upheaval::ids::{ByPower, Power, Powers, ProvinceId, ProvinceSet};
use upheaval::rules::adjustment::builds;
use upheaval::rules::position::{Position, Season, Unit};
use upheaval::rules::victory::{Finish, VictoryRule, majority, places, survivors, winner};

use super::standard::Standard;

#[test]
fn builds_are_listed_coast_by_coast() {
    let standard = Standard::load();
    let sites = ["STP", "MOS"].map(|code| standard.id(code)).into_iter().collect();
    assert_eq!(builds(&standard.board, &sites).len(), 4);
}

#[test]
fn more_than_half() {
    assert_eq!((majority(34), majority(33), majority(32), majority(0)), (18, 17, 17, 1));
}

#[test]
fn the_last_one_standing() {
    let mut position = Position::new(Powers::STANDARD);
    position.set_owner(ProvinceId(0), Some(Power::FRANCE));
    for (province, power) in [(3, Power::TURKEY), (4, Power::ITALY)] {
        position.place(ProvinceId(province), Unit::army(power));
    }
    assert_eq!(survivors(&position).collect::<Vec<_>>(), [Power::ITALY, Power::TURKEY]);
    let centres = ProvinceSet::single(ProvinceId(0));
    let won = winner(VictoryRule::LastSurvivor, &position, &centres, Season::Fall);
    assert_eq!(won, None, "not before the last Winter");
}

#[test]
fn powers_that_are_alike_share_the_first_of_their_places() {
    let (stood, fell) = (|n| Finish::Stood(Reverse(n)), |year| Finish::Fell(Reverse(year)));
    let of = |finishes: [Finish; 7]| {
        places(&ByPower::from_fn(Powers::STANDARD, |power| finishes[power.index()])).values().to_vec()
    };
    assert_eq!(
        of([stood(9), stood(4), fell(1904), stood(9), stood(12), fell(1907), fell(1904)]),
        [2, 4, 6, 2, 1, 5, 6]
    );
    assert_eq!(
        of([Finish::Forfeited, Finish::Won, stood(6), fell(1), fell(1), stood(0), fell(2)]),
        [7, 1, 2, 5, 5, 3, 4]
    );
}
