//! Words of closed lists: seasons, kinds of events. A column of them stores the index of each word, never its letters.

use super::rows::{EventKind, GameEnd, SeatOutcome};
use upheaval_engine::rules::conduct::Conduct;
use upheaval_engine::rules::position::{PhaseKind, Season};
use upheaval_map::ids::Designation;

/// A type whose values are the words of a closed list.
pub(super) trait Word: Copy + 'static {
    /// All of them, in the order of [`Word::place`].
    const ALL: &'static [Self];
    /// The word as files have it.
    fn text(self) -> &'static str;
    /// Its index in the list.
    fn place(self) -> u8;
}

macro_rules! words {
    ($($kind:ty: $all:expr, $text:expr;)*) => {
        $(impl Word for $kind {
            const ALL: &'static [Self] = &$all;
            fn text(self) -> &'static str {
                $text(self)
            }
            fn place(self) -> u8 {
                self as u8
            }
        })*

        #[test]
        fn every_word_stands_in_its_place() {
            $(for (place, word) in <$kind as Word>::ALL.iter().enumerate() {
                assert_eq!(usize::from(word.place()), place, "{word:?}");
            })*
        }
    };
}

words! {
    Season: [Season::Spring, Season::Fall, Season::Winter], season;
    PhaseKind:
        [PhaseKind::Movement, PhaseKind::Retreats, PhaseKind::Adjustments, PhaseKind::Seismic], phase;
    Designation: [Designation::Army, Designation::Fleet, Designation::ArmyFleet], Designation::letters;
    EventKind: EventKind::ALL, EventKind::name;
    GameEnd: GameEnd::ALL, GameEnd::name;
    SeatOutcome:
        [
            SeatOutcome::Won,
            SeatOutcome::Drew,
            SeatOutcome::Survived,
            SeatOutcome::Eliminated,
            SeatOutcome::Forfeited,
        ],
        SeatOutcome::name;
    Conduct: Conduct::ALL, Conduct::name;
}

const fn season(season: Season) -> &'static str {
    match season {
        Season::Spring => "S",
        Season::Fall => "F",
        Season::Winter => "W",
    }
}

const fn phase(kind: PhaseKind) -> &'static str {
    match kind {
        PhaseKind::Movement => "M",
        PhaseKind::Retreats => "R",
        PhaseKind::Adjustments => "A",
        PhaseKind::Seismic => "E",
    }
}
