//! Faults of texts, and values of sound ones.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use upheaval::diagnostic::value::{Entries, Open, Placed, Whole};
use upheaval::diagnostic::{Form, Source};

/// The most faults that are reported of one text.
const MOST_FAULTS: usize = 50;

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct File {
    name: Placed<String>,
    count: Whole<1, 9>,
    size: Option<u8>,
    #[serde(default)]
    list: Vec<Placed<String>>,
    #[serde(default)]
    row: Vec<Row>,
    inner: Option<Inner>,
    #[serde(default)]
    open: Entries<Placed<Open>>,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "only its form matters")]
struct Row {
    kind: Kind,
    on: bool,
    share: Option<f64>,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Inner {
    pair: [Placed<String>; 2],
    #[serde(rename = "*")]
    others: Entries<Placed<Whole<0, 5>>>,
}

#[derive(Deserialize, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Near,
    FarAway,
}

const GOOD: &str = "name = \"x\"\ncount = 3\n";

fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let source = Source::new("f", text);
    let mut form = Form::new(&source, |_| None).map_err(|faults| faults.to_string())?;
    let value = form.read();
    form.finish(value).map_err(|faults| faults.to_string())
}

fn faults(text: &str) -> Vec<String> {
    let faults = read::<File>(text).expect_err("it has faults");
    faults.lines().map(str::to_owned).collect()
}

#[test]
fn a_sound_text_is_a_value_whose_parts_have_their_places() {
    let text = format!(
        "{GOOD}size = 7\nlist = [\"ä\", \"b\"]\nopen.b.c = [1, {{ d = 2.5 }}]\nopen.a = true\n\
         inner = {{ z = 1, pair = [\"p\", \"q\"], y = 0 }}\n[[row]]\nkind = \"far-away\"\non = true\nshare = 1\n"
    );
    let file: File = read(&text).expect("sound");
    assert_eq!((file.name.as_str(), file.count.get(), file.size), ("x", 3, Some(7)));
    assert_eq!(text[file.list[1].span()], *"\"b\"");
    let inner = file.inner.expect("an inner table");
    assert_eq!(inner.pair[1].as_str(), "q");
    let others: Vec<_> = inner.others.iter().map(|(key, value)| (key.as_str(), value.get())).collect();
    assert_eq!(others, [("z", 1), ("y", 0)], "in the order of the text");
    assert_eq!(file.row[0].kind, Kind::FarAway);
    assert_eq!(file.row[0].share, Some(1.0), "a whole number is a number");
    let open: Vec<String> =
        file.open.iter().map(|(key, value)| format!("{} {}", **key, value.value())).collect();
    assert_eq!(open, ["b { c = [1, { d = 2.5 }] }", "a true"]);
}

#[test]
fn all_faults_come_at_once_in_the_order_of_the_text() {
    let text = "nam = \"x\"\r\nsize = 300\r\nlist = [\"ä\", 2, \"c\", true]\r\n\
                inner = { pair = \"p\", z = 6, \"ä\" = \"five\" }\r\n\
                [[row]]\r\nkind = \"neer\"\r\non = 1\r\n[[row]]\r\nkind = \"near\"\r\n[[row]]\r\non = true\r\nkind.x = 1\r\n\
                [open]\r\na = 99999999999999999999\r\n";
    assert_eq!(
        faults(text),
        [
            "f:1:1: unknown key `nam`; did you mean `name`? (known: name, count, size, list, row, inner, open)",
            "f:1:1: `count` is missing",
            "f:2:8: `size` must be a whole number from 0 to 255, not 300",
            "f:3:14: each of `list` must be a text in quotes, not 2",
            "f:3:22: each of `list` must be a text in quotes, not true",
            "f:4:18: `inner.pair` must be a list, not \"p\"",
            "f:4:27: `inner.z` must be a whole number from 0 to 5, not 6",
            "f:4:36: `inner.ä` must be a whole number from 0 to 5, not \"five\"",
            "f:6:8: unknown word `neer` for `row.kind`; did you mean `near`? (known: near, far-away)",
            "f:7:6: `row.on` must be true or false, not 1",
            "f:8:1: `row.on` is missing",
            "f:12:1: unknown word `x` for `row.kind`; known: near, far-away",
            "f:14:5: `open.a` must be a whole number from -9223372036854775808 to 9223372036854775807, \
             not 99999999999999999999",
        ]
    );
}

#[test]
fn tables_and_lists_in_place_of_each_other_say_how_they_are_written() {
    assert_eq!(
        faults(&format!("{GOOD}inner = 3\n[row]\nkind = \"near\"\n")),
        [
            "f:3:9: `inner` must be a table: `[inner]`, not 3",
            "f:4:1: `row` must be a list; a list of tables is written `[[row]]`, not a table",
        ]
    );
    assert_eq!(faults(&format!("{GOOD}row = [1]\n")), ["f:3:8: each of `row` must be a table, not 1"]);
    assert_eq!(faults(&format!("{GOOD}row = {{}}\n")), ["f:3:7: `row` must be a list: `[…]`, not a table"]);
    assert_eq!(
        faults(&format!("{GOOD}row = [{{ kind = {{ near = 1 }}, on = true }}]\n")),
        ["f:3:26: `row.kind.near` has no value; write the word `\"near\"` in place of the table"]
    );
    assert_eq!(
        faults(&format!("{GOOD}inner = {{ pair = [\"a\", \"b\"], \"*\" = 9 }}\n")),
        ["f:3:36: `inner.*` must be a whole number from 0 to 5, not 9"]
    );
    assert_eq!(
        faults(&format!("{GOOD}inner = {{ pair = [\"a\"] }}\n")),
        ["f:3:18: `inner.pair` must be a list of 2 values, not of 1"]
    );
}

#[test]
fn a_text_that_is_not_toml_has_one_fault() {
    for (text, expected) in [
        ("name = \"x\"\nname = \"y\"\ncount = \"z\"\n", "f:2:1: not valid TOML: duplicate key"),
        ("name = \"x\ncount = 3\n", "f:1:10: not valid TOML: invalid basic string, expected `\"`"),
        ("[inner\ncount = 3\n", "f:1:7: not valid TOML: unclosed table, expected `]`"),
        ("count = 03\n", "f:1:9: not valid TOML: unexpected leading zero"),
    ] {
        assert_eq!(faults(text), [expected]);
    }
}

#[test]
fn keys_may_be_words_and_numbers() {
    #[derive(Deserialize, Debug)]
    #[allow(dead_code, reason = "only its form matters")]
    struct Keyed {
        words: BTreeMap<Kind, u8>,
        years: BTreeMap<u16, u8>,
    }
    let read = |text: &str| read::<Keyed>(text);
    let sound = read("words = { near = 1, far-away = 2 }\nyears = { 1901 = 3 }\n").expect("sound");
    assert_eq!((sound.words[&Kind::FarAway], sound.years[&1901]), (2, 3));
    let faults = read("words = { neer = 1, near = true }\nyears = { soon = 3, 1902 = 400 }\n").unwrap_err();
    assert_eq!(
        faults,
        "f:1:11: unknown key `words.neer`; did you mean `near`? (known: near, far-away)\n\
         f:1:28: `words.near` must be a whole number from 0 to 255, not true\n\
         f:2:11: the key `years.soon` must be a whole number from 0 to 65535\n\
         f:2:28: `years.1902` must be a whole number from 0 to 255, not 400"
    );
}

#[test]
fn two_structs_share_the_keys_of_a_text() {
    #[derive(Deserialize)]
    struct First {
        a: u8,
    }
    #[derive(Deserialize)]
    struct Second {
        b: Option<Placed<u8>>,
        c: u8,
    }
    let read = |text: &str| {
        let source = Source::new("f", text);
        let mut form = Form::new(&source, |path| Some(format!("write `{path} = 1`"))).expect("TOML");
        let both = form.read_both::<First, Second>();
        form.finish(both).map_err(|faults| faults.to_string())
    };
    let (first, second) = read("a = 1\nb = 2\nc = 3\n").unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!((first.a, second.b.map(Placed::into_inner), second.c), (1, Some(2), 3));
    assert_eq!(
        read("b = 1000\nother.y = 1\n").err().as_deref(),
        Some(
            "f:1:1: `a` is missing; write `a = 1`\nf:1:1: `c` is missing; write `c = 1`\n\
             f:1:5: `b` must be a whole number from 0 to 255, not 1000\n\
             f:2:1: unknown key `other`; known: a, b, c"
        )
    );
}

#[test]
fn a_value_without_a_replacement_is_left_out_with_its_table() {
    #[derive(Deserialize)]
    #[serde(try_from = "String")]
    struct Code;
    impl TryFrom<String> for Code {
        type Error = String;
        fn try_from(text: String) -> Result<Code, String> {
            if text == "code" { Ok(Code) } else { Err(format!("`{text}` is not a code")) }
        }
    }
    #[derive(Deserialize)]
    #[allow(dead_code, reason = "only its form matters")]
    struct Coded {
        code: Code,
    }
    #[derive(Deserialize)]
    #[allow(dead_code, reason = "only its form matters")]
    struct Outer {
        coded: Option<Coded>,
        count: u8,
    }
    assert!(read::<Outer>("coded.code = \"code\"\ncount = 1\n").is_ok());
    assert_eq!(
        read::<Outer>("coded.code = \"cod\"\ncount = \"x\"\n").err().as_deref(),
        Some(
            "f:1:14: `coded.code`: `cod` is not a code\nf:2:9: `count` must be a whole number from 0 to 255, not \"x\""
        )
    );
    assert_eq!(
        read::<Coded>("code = \"cod\"\n").err().as_deref(),
        Some("f:1:8: `code`: `cod` is not a code"),
        "if nothing can be replaced, nothing is read"
    );
    assert_eq!(read::<Coded>("").err().as_deref(), Some("f:1:1: `code` is missing"));
    assert_eq!(
        read::<Outer>("count = \"x\"\n[coded]\n").err().as_deref(),
        Some(
            "f:1:9: `count` must be a whole number from 0 to 255, not \"x\"\nf:2:1: `coded.code` is missing"
        )
    );
}

#[test]
fn a_text_full_of_faults_is_refused_after_fifty_or_fewer_if_it_is_long() {
    let of = |keys: usize| faults(&(0..keys).map(|i| format!("key{i} = 1\n")).collect::<String>());
    // Of a text of 100,000 values two million are read: it is read again for each fault.
    for (keys, most) in [(1_000, MOST_FAULTS), (100_000, 19)] {
        let faults = of(keys);
        assert_eq!(faults.len(), most + 1);
        assert!(faults[most].ends_with("there may be more faults; correct these first"));
    }
    let source = Source::new("f", GOOD);
    let form = Form::new(&source, |_| None).expect("TOML");
    (0..1_000).for_each(|i| form.fault(0..1, format!("fault {i}")));
    let Err(error) = form.finish::<()>(None) else { panic!("it has faults") };
    assert_eq!(error.iter().count(), MOST_FAULTS + 1, "faults of content are limited too");
    let form = Form::new(&source, |_| None).expect("TOML");
    form.fault(0..1, "one of its own");
    form.add_of_file(0..1, &error);
    let error = form.finish::<()>(None).expect_err("faults").to_string();
    assert_eq!(error.lines().count(), MOST_FAULTS + 1, "and so are those of a file that it names");
    assert!(error.ends_with("there may be more faults; correct these first"));
}
