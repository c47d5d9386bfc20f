//! Variant files: the shipped ones load, and faults are told with file, line and what would be right.

use std::path::Path;

use upheaval::diagnostic::Source;
use upheaval::ids::Power;
use upheaval::rules::variant::Variant;

#[test]
fn shipped_variants_load() {
    for id in Variant::shipped() {
        let variant = Variant::find(id, Path::new("")).expect("sound").expect("shipped");
        assert_eq!(variant.id, id);
        assert_eq!(variant.position.occupied().len(), 22);
        assert_eq!(variant.position.centres_of(Power::Russia).len(), 4);
    }
}

fn fault(change: impl Fn(&str) -> String) -> String {
    let text = include_str!("../variants/black-hole.toml");
    let changed = change(text);
    assert_ne!(changed, text);
    let source = Source::new("my.toml", changed);
    Variant::check(&source, Path::new("")).expect_err("a fault").to_string()
}

#[test]
fn faults_are_told_with_their_line() {
    let replace = |from: &'static str, to: &'static str| fault(move |text| text.replacen(from, to, 1));
    let cases = [
        (replace("summary", "sumary"), "my.toml:4:1: unknown field `sumary`"),
        (replace("closure = \"collapse\"\n", ""), "`closure` is missing here; add it as in"),
        (replace("\"collapse\"\n", "\"shut\"\n"), "unknown variant `shut`, expected `collapse` or `void`"),
        (replace("per_season = 1", "per_season = 0"), "`per_season` must be from 1 to 10, not 0"),
        (replace("\"S1901M\"", "\"S1901R\""), "a game starts with a movement phase"),
        (replace("\"F STP/SC\"", "\"F STP\""), "`F STP`: say on which coast, STP/NC or STP/SC"),
        (replace("\"A BUD\"", "\"A BAL\""), "`A BAL`: an army cannot stand at sea"),
        (replace("\"A BUD\"", "\"A VIE\""), "`A VIE`: a unit stands there already"),
        (replace("\"A BUD\"", "\"A BUQ\""), "`BUQ` is no province on the board"),
        (replace("rulebook = \"2023\"", "rulebook = \"1999\""), "`1999` is no rulebook"),
        (replace("map = \"standard\"", "map = \"standart\""), "there is no map `standart`"),
        (replace("id = \"black-hole\"", "id = \"Black Hole\""), "`id` is small letters, digits and `-` only"),
        (fault(|text| text.split("[holes]").next().unwrap_or_default().to_owned()), "there is no [holes]"),
    ];
    for (message, expected) in cases {
        assert!(message.starts_with("my.toml:") && message.contains(expected), "{message} / {expected}");
        assert!(!message.contains('\n'), "{message}");
    }
}
