//! The words of tables and reports: kinds of events with their sentences, and the conduct of bots.

use upheaval::event::EventKind;
use upheaval::rules::conduct::Conduct;

#[test]
fn each_kind_is_in_its_place_under_a_name_of_its_own() {
    for kind in EventKind::ALL {
        assert_eq!(kind.info().kind, kind);
        let alike = EventKind::ALL.into_iter().filter(|other| other.name() == kind.name());
        assert_eq!(alike.count(), 1, "{kind:?}");
    }
}

#[test]
fn sentences_stand_for_columns_alone() {
    for kind in EventKind::ALL {
        let info = kind.info();
        for text in [info.sentence].into_iter().chain(info.without.map(|(_, text)| text)) {
            for (i, part) in text.split('{').enumerate().skip(1) {
                let word = part.split_once('}').map(|(word, _)| word);
                let known = ["province", "power", "other", "detail", "unit", "letters", "powers"];
                assert!(word.is_some_and(|word| known.contains(&word)), "{kind:?}, part {i}: {text}");
            }
        }
    }
}

#[test]
fn the_gravest_counts_and_of_equals_the_first() {
    let all = |faults: &[Conduct]| faults.iter().fold(Conduct::Ok, |worst, &next| worst.or_graver(next));
    assert_eq!(all(&[Conduct::Illegal, Conduct::Timeout, Conduct::Illegal]), Conduct::Timeout);
    assert_eq!(all(&[Conduct::Timeout, Conduct::Crash, Conduct::Stall]), Conduct::Crash);
    assert_eq!(all(&[]), Conduct::Ok);
}
