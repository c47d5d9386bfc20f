//! Values of the caller in the text of a file: where they stand, and the places of faults in a text that has some.

use std::ops::Range;

use upheaval::diagnostic::Source;

use super::fault;

const FILE: &str = "# what\na = 1 # one\nlist = [\n  1,\n  2,\n]\n\n[t]\nb = \"x\"\nin = { c = 1 }\n\n[[s]]\nv = 1\n[[s]]\nv = 2\n";

fn set(settings: &[&str]) -> Result<Source, String> {
    let settings: Vec<String> = settings.iter().map(|s| (*s).to_owned()).collect();
    Source::new("f", FILE).with(&settings).map_err(|fault| fault.to_string())
}

#[test]
fn a_value_stands_where_the_key_stood_or_in_a_line_more() {
    for (setting, from, to) in [
        ("a=70", "a = 1 #", "a = 70 #"),
        ("t.b=random", "b = \"x\"", "b = \"random\""),
        ("t.b=\"two words\"", "b = \"x\"", "b = \"two words\""),
        ("t.in.c=true", "c = 1", "c = true"),
        ("s.1.v=[1, 2]", "v = 2", "v = [1, 2]"),
        ("list.0=9", "  1,", "  9,"),
        ("t.new=1", "in = { c = 1 }\n", "in = { c = 1 }\nnew = 1\n"),
        ("log.orders=true", "]\n\n[t]", "]\nlog = { orders = true }\n\n[t]"),
    ] {
        let source = set(&[setting]).unwrap();
        assert_eq!(source.text(), FILE.replacen(from, to, 1), "{setting}");
        assert_eq!(source.given(), FILE);
    }
}

#[test]
fn numbers_of_all_64_bits_are_set_and_kept() {
    for (file, settings, expected) in [
        (
            // The number that would serve as a stand-in already occurs there.
            "a = 0x000000000000000001\nseed = 1\n",
            ["seed=18446744073709551615", "b=2"],
            "a = 0x000000000000000001\nseed = 18446744073709551615\nb = 2\n",
        ),
        (
            "# all bits\nseed = 0xFFFF_FFFF_FFFF_FFFF # all\n",
            ["a=[1, +9223372036854775808]", "b=9223372036854775807"],
            "# all bits\nseed = 0xFFFF_FFFF_FFFF_FFFF # all\na = [1, +9223372036854775808]\nb = 9223372036854775807\n",
        ),
        (
            "t = { a = 9223372036854775808, b = [9223372036854775809] }\n",
            ["t.a=3", "c=18446744073709551616"],
            "t = { a = 3, b = [9223372036854775809] }\nc = 18446744073709551616\n",
        ),
    ] {
        let settings = settings.map(str::to_owned);
        let source = Source::new("f", file).with(&settings).unwrap();
        assert_eq!(source.text(), expected);
    }
    let source = Source::new("f", "a = 9223372036854775808\nb = 1\n").with(&["a=1".to_owned()]).unwrap();
    assert_eq!(place_of(&source, "b"), "f:2:1");
}

#[test]
fn numbers_of_any_length_are_kept_however_many_they_are() {
    let (long, many) = ("9".repeat(70_000), vec!["18446744073709551615"; 20_000].join(", "));
    let file = format!("a = {long}\nb = [{many}]\n");
    let source = Source::new("f", &file).with(&["c=1".to_owned()]).unwrap();
    assert_eq!(source.text(), format!("{file}c = 1\n"));
}

/// The place of a fault at a span of bytes.
fn place_at(source: &Source, span: Range<usize>) -> String {
    let fault = fault(source, span, "m");
    fault.strip_suffix(": m").expect("a place").to_owned()
}

/// The place of a fault of the first value or key that is written like this.
fn place_of(source: &Source, piece: &str) -> String {
    let start = source.text().find(piece).unwrap_or_else(|| panic!("{piece} in {}", source.text()));
    place_at(source, start..start + 1)
}

#[test]
fn a_fault_in_it_names_the_setting_and_one_elsewhere_the_line_of_the_file() {
    let settings = ["list=[3]", "log.orders=true", "t.new=7", "a=12345", "z.y.x=3", "t.in.d=4", "log.maps=5"];
    let source = set(&settings).unwrap();
    for (piece, expected) in [
        ("[3]", "list=[3]"),
        ("log =", "log.orders=true"),
        ("orders", "log.orders=true"),
        ("true", "log.orders=true"),
        ("maps", "log.maps=5"),
        ("5 }", "log.maps=5"),
        ("new", "t.new=7"),
        ("12345", "a=12345"),
        ("3 }", "z.y.x=3"),
        ("d = 4", "t.in.d=4"),
        ("a = 1", "f:2:1"),
        ("[t]", "f:8:1"),
        ("b = \"x\"", "f:9:1"),
        ("{ c", "f:10:6"),
        ("c = 1", "f:10:8"),
        ("1 , d", "f:10:12"),
        ("v = 2", "f:15:1"),
    ] {
        assert_eq!(place_of(&source, piece), expected, "{piece}");
    }
    let text = source.text().len();
    assert_eq!(place_at(&source, text..text), "f:16:1");
    let twice = set(&["a=5", "a=66"]).unwrap();
    assert_eq!(place_of(&twice, "66"), "a=66");
    assert_eq!(place_of(&twice, "b ="), "f:9:1");
    let first = Source::new("f", "[t]\nb = 1\n").with(&["a=1".to_owned()]).unwrap();
    assert_eq!(place_of(&first, "a ="), "a=1");
    assert_eq!(place_at(&first, 0..0), "f:1:1");
    let argument = first.with_argument("games", "games", 700).unwrap();
    let places = ["games", "700", "a =", "b ="].map(|piece| place_of(&argument, piece));
    assert_eq!(places, ["games", "games", "a=1", "f:2:1"]);
}

#[test]
fn a_file_of_windows_keeps_its_places() {
    let given = "\u{feff}a = 1\r\nlist = [\r\n  1,\r\n]\r\n[t]\r\nb = 2 # two\r\nc = 3\r\n";
    let source = Source::new("f", given);
    let settings = ["new=4", "t.b=55", "t.d=6"].map(str::to_owned);
    let changed = source.with(&settings).unwrap();
    assert_eq!(changed.given(), given);
    for (piece, expected) in [
        ("a =", "f:1:1"),
        ("1", "f:1:5"),
        ("list", "f:2:1"),
        ("1,", "f:3:3"),
        ("new", "new=4"),
        ("[t]", "f:5:1"),
        ("55", "t.b=55"),
        ("c =", "f:7:1"),
        ("d =", "t.d=6"),
    ] {
        assert_eq!(place_of(&changed, piece), expected, "{piece}");
        if expected.starts_with('f') {
            assert_eq!(place_of(&source, piece), expected, "{piece}");
        }
    }
}

#[test]
fn many_settings_are_read_at_once() {
    let file: String = (0..10_000).map(|i| format!("key{i} = {i}\n")).collect();
    let settings: Vec<String> = (0..2_000).map(|i| format!("key{}.x=1", i + 9_000)).collect();
    let start = std::time::Instant::now();
    let faults = Source::new("f", &file).with(&settings).unwrap_err();
    assert_eq!(faults.iter().count(), 1_000, "half of them are below a number");
    let source = Source::new("f", &file).with(&settings[1_000..]).unwrap();
    assert_eq!(place_of(&source, "key10999"), "key10999.x=1");
    assert!(start.elapsed().as_secs() < 20, "it is not quadratic");
}
