//! The library's words for faults of form in JSON and TOML.
//!
//! Serde and the parsers describe what a program met while it read a type: `invalid type: integer`, `unknown variant`,
//! `untagged enum`. An author of a file needs to know what to write instead, in the words of the documentation.
//! Everything that reads JSON or TOML words its faults by [`of_json`], [`of_json_at`] or [`of_toml`].

use std::fmt::Write;

/// The language of a text, whose words for its parts differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Language {
    Json,
    Toml,
}

impl Language {
    /// The word for a value with keys.
    fn table(self) -> &'static str {
        match self {
            Language::Json => "an object",
            Language::Toml => "a table",
        }
    }
}

/// The message of a fault in JSON, without its position.
pub fn of_json(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let message = match text.rsplit_once(" at line ") {
        Some((message, _)) if error.line() > 0 => message,
        _ => text.as_str(),
    };
    reworded(message, Language::Json)
}

/// The message of a fault in JSON, followed by its position if it is known.
pub fn of_json_at(error: &serde_json::Error) -> String {
    let mut text = of_json(error);
    if error.line() > 0 {
        // Writing to a string does not fail.
        let _ = write!(text, " (line {}, column {})", error.line(), error.column());
    }
    text
}

/// The message of a fault in TOML, without its position.
pub fn of_toml(error: &toml::de::Error) -> String {
    reworded(error.message(), Language::Toml)
}

/// What the parser of TOML says of a text that is not TOML.
fn of_toml_syntax(message: &str) -> Option<String> {
    match message.split_once(", expected ")? {
        ("invalid float" | "invalid boolean" | "invalid integer", _) => {
            Some("this is not a value of TOML; a text stands in quotes".to_owned())
        }
        // The message of a type of this library may quote what it met.
        (what, needed) if !what.contains('`') => {
            Some(format!("{}: {needed} is needed here", what.replace("string", "text")))
        }
        _ => None,
    }
}

/// A parser's message in the library's words. A message that a type of this library has written stays as it is.
fn reworded(message: &str, language: Language) -> String {
    of_serde(message, language)
        .or_else(|| of_syntax(message).map(str::to_owned))
        .or_else(|| of_toml_syntax(message).filter(|_| language == Language::Toml))
        .unwrap_or_else(|| message.replace('\n', "; "))
}

/// The messages that serde makes for any language.
fn of_serde(message: &str, language: Language) -> Option<String> {
    if let Some(rest) = message.strip_prefix("missing field `") {
        return Some(format!("`{}` is missing", rest.strip_suffix('`')?));
    }
    if let Some(rest) = message.strip_prefix("duplicate field `") {
        return Some(format!("`{}` is given twice", rest.strip_suffix('`')?));
    }
    if let Some(rest) = message.strip_prefix("unknown field `") {
        return Some(unknown("key", rest));
    }
    if let Some(rest) = message.strip_prefix("unknown variant `") {
        return Some(unknown("value", rest));
    }
    if let Some(rest) =
        message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: "))
    {
        // The value is quoted from the file and may contain anything; what was expected does not.
        let Some((found, expected)) = rest.rsplit_once(", expected ") else {
            return rest.strip_prefix("expected ").map(|wanted| format!("this must be {wanted}"));
        };
        return Some(format!("{} is needed here, not {}", needed(expected, language), met(found, language)));
    }
    if let Some(rest) = message.strip_prefix("invalid length ") {
        let (found, expected) = rest.split_once(", expected ")?;
        let needed = needed(expected, language);
        return Some(match (expected.starts_with("fewer"), needed == language.table()) {
            (true, _) => format!("there are {found} values here, which is too many"),
            (_, true) => format!("{needed} is needed here, not a list"),
            _ => format!("{needed} is needed here, not of {found}"),
        });
    }
    if message.starts_with("data did not match any variant") || message.starts_with("no variant of enum") {
        return Some("this value has none of the forms that are possible here".to_owned());
    }
    None
}

/// An unknown word, with those that are known; `rest` is the message of serde after the quotation mark.
fn unknown(what: &str, rest: &str) -> String {
    let Some((word, expected)) = rest.rsplit_once("`, expected ") else {
        let word = rest.rsplit_once("`, there are no ").map_or(rest, |(word, _)| word);
        return format!("unknown {what} `{word}`; none is possible here");
    };
    format!("unknown {what} `{word}`; {}", suggest(word, expected.split('`').skip(1).step_by(2)))
}

/// What is expected, in words.
fn needed(expected: &str, language: Language) -> String {
    let plain = match expected {
        "a string" | "a borrowed string" | "string" | "str" => "a text in quotes",
        "a boolean" => "`true` or `false`",
        "a character" => "a text of one character",
        "unit" => "`null`",
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" | "u128" => "a whole number from 0 on",
        "i8" => "a whole number from -128 to 127",
        "i16" => "a whole number from -32768 to 32767",
        "i32" => "a whole number from -2147483648 to 2147483647",
        "i64" | "isize" | "i128" => "a whole number",
        "a nonzero u8" => "a whole number from 1 to 255",
        "a nonzero u16" => "a whole number from 1 to 65535",
        "a nonzero u32" => "a whole number from 1 to 4294967295",
        "a nonzero u64" | "a nonzero usize" => "a whole number from 1 on",
        "f32" | "f64" => "a number",
        "a sequence" => "a list",
        "a map" => language.table(),
        "string or map" | "string or table" | "map with a single key" | "variant identifier" => {
            "a word in quotes"
        }
        "field identifier" => "a key",
        "option" => "a value or `null`",
        _ => "",
    };
    if !plain.is_empty() {
        return plain.to_owned();
    }
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| expected.starts_with(prefix));
    let number = expected.split(' ').find(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    if starts(&["an array of ", "a tuple of ", "tuple struct ", "tuple variant "]) {
        return number.map_or("a list".to_owned(), |number| format!("a list of {number} values"));
    }
    if starts(&["struct ", "internally tagged ", "adjacently tagged ", "enum variant "]) {
        return language.table().to_owned();
    }
    if starts(&["enum "]) {
        return "a word in quotes".to_owned();
    }
    if starts(&["newtype ", "unit ", "a nonzero "]) {
        return "a value of another kind".to_owned();
    }
    expected.to_owned()
}

/// The value that was met, in words.
fn met(found: &str, language: Language) -> String {
    const LONGEST: usize = 60;
    let quoted =
        |prefix: &str| found.strip_prefix(prefix)?.split_once('`').map(|(value, _)| value.to_owned());
    let number = || quoted("integer `").or_else(|| quoted("floating point `"));
    if let Some(value) = number() {
        return value;
    }
    if let Some(value) = quoted("boolean `").or_else(|| quoted("character `")) {
        return format!("`{value}`");
    }
    if let Some(text) = found.strip_prefix("string ") {
        return match text.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…\"", &text[..end]),
            None => text.to_owned(),
        };
    }
    match found {
        "null" | "unit value" => "`null`".to_owned(),
        "sequence" => "a list".to_owned(),
        // A date of TOML is read as a table.
        "map" if language == Language::Toml => "a table or a date".to_owned(),
        "map" => language.table().to_owned(),
        "datetime" => "a date".to_owned(),
        "number" => "such a number".to_owned(),
        "byte array" => "bytes".to_owned(),
        _ if ["enum", "variant", "struct", "Option"].iter().any(|word| found.contains(word)) => {
            "a value of another kind".to_owned()
        }
        other => other.to_owned(),
    }
}

/// The messages of the parsers about the language itself.
fn of_syntax(message: &str) -> Option<&'static str> {
    Some(match message {
        "EOF while parsing a list" => "the text ends within a list",
        "EOF while parsing an object" => "the text ends within an object",
        "EOF while parsing a string" => "the text ends within quotes",
        "EOF while parsing a value" => "the text ends where a value is needed",
        "expected `:`" => "`:` is needed here",
        "expected `,` or `]`" => "`,` or `]` is needed here",
        "expected `,` or `}`" => "`,` or `}` is needed here",
        "expected `\"`" => "a text in quotes is needed here",
        "expected ident" => "a value that is neither in quotes nor a number is `true`, `false` or `null`",
        "expected value" => "this is not a value that can stand here",
        "invalid escape" => "JSON does not have this escape; a backslash is written `\\\\`",
        "invalid number" => "this is not a number of JSON",
        "number out of range" | "integer number overflowed" | "floating-point number overflowed" => {
            "this number is too large"
        }
        "invalid unicode code point" => "this is not a character of Unicode",
        "control character (\\u0000-\\u001F) found while parsing a string" => {
            "an end of line or another control character is within quotes; write it as an escape such as `\\n`"
        }
        "key must be a string" => "a key is a text in quotes",
        "invalid value: expected key to be a number in quotes" => "a key is a number in quotes here",
        "lone leading surrogate in hex escape" | "unexpected end of hex escape" => {
            "the escape `\\u` is not complete"
        }
        "trailing comma" => "a comma stands after the last value; remove it",
        "trailing characters" => "more text follows where the value has ended",
        "recursion limit exceeded" => "values are nested too deeply",
        "wanted string or table" => "a word in quotes is needed here",
        "wanted exactly 1 element, found 0 elements" | "wanted exactly 1 element, more than 1 element" => {
            "a table with one key is needed here"
        }
        _ => return None,
    })
}

/// The hint for an unknown word: the nearest known word if one is near, otherwise all of them.
pub fn suggest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let lower = word.to_lowercase();
    let nearest = known
        .iter()
        .map(|k| (distance(&lower, &k.to_lowercase()), *k))
        .filter(|&(d, k)| d <= 1 + k.chars().count().min(word.chars().count()) / 4)
        .min();
    match nearest {
        Some((_, k)) => format!("did you mean `{k}`? (known: {})", known.join(", ")),
        None if known.is_empty() => "none is known".to_owned(),
        None => format!("known: {}", known.join(", ")),
    }
}

/// The Levenshtein distance; words beyond a reasonable length count as infinitely far.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().take(64).enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &cb) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(ca != cb);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::num::NonZeroU8;

    use serde::Deserialize;
    use serde::de::DeserializeOwned;

    use super::*;

    /// A value of each kind that files have.
    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Form {
        name: Option<String>,
        truth: Option<bool>,
        small: Option<u8>,
        number: Option<u64>,
        signed: Option<i64>,
        share: Option<f64>,
        seasons: Option<NonZeroU8>,
        list: Option<Vec<String>>,
        pair: Option<[f64; 2]>,
        couple: Option<(u8, u8)>,
        table: Option<BTreeMap<String, u8>>,
        word: Option<Word>,
        either: Option<Either>,
        tagged: Option<Tagged>,
        part: Option<Part>,
        letter: Option<char>,
        nothing: Option<Nothing>,
    }

    #[derive(Deserialize, Debug)]
    #[serde(rename_all = "kebab-case")]
    enum Word {
        Collapse,
        Void,
    }

    #[derive(Deserialize, Debug)]
    #[serde(untagged)]
    #[allow(dead_code)]
    enum Either {
        Text(String),
        List(Vec<String>),
    }

    #[derive(Deserialize, Debug)]
    #[serde(tag = "kind")]
    #[allow(dead_code)]
    enum Tagged {
        A { size: u8 },
    }

    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct Part {
        size: u8,
        share: f64,
    }

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    struct Nothing {}

    fn json<T: DeserializeOwned + std::fmt::Debug>(text: &str) -> String {
        of_json(&serde_json::from_str::<T>(text).unwrap_err())
    }

    fn toml<T: DeserializeOwned + std::fmt::Debug>(text: &str) -> String {
        of_toml(&toml::from_str::<T>(text).unwrap_err())
    }

    /// Values of every kind at keys of every kind, whole texts of other kinds, and texts that break off or go wrong at
    /// every place.
    #[test]
    fn no_message_has_a_word_of_a_parser() {
        const KEYS: [&str; 17] = [
            "name", "truth", "small", "number", "signed", "share", "seasons", "list", "pair", "couple",
            "table", "word", "either", "tagged", "part", "letter", "nothing",
        ];
        const VALUES: [&str; 17] = [
            "3",
            "-3",
            "0",
            "300",
            "3.5",
            "1e400",
            "true",
            "\"x\"",
            "\"an `enum`, expected u8\"",
            "[]",
            "[1, 2, 3]",
            "[1]",
            "[[]]",
            "{}",
            "{\"a\": 1, \"b\": {}}",
            "null",
            "99999999999999999999999",
        ];
        let mut messages = Vec::new();
        for (key, value) in KEYS.into_iter().flat_map(|key| VALUES.map(|value| (key, value))) {
            let text = format!("{{\"{key}\": {value}}}");
            messages.extend(
                serde_json::from_str::<Form>(&text).err().map(|error| (text.clone(), of_json(&error))),
            );
            let read = serde_json::from_str(&text).and_then(serde_json::from_value::<Form>);
            messages.extend(read.err().map(|error| (text, of_json_at(&error))));
            let inline = value.replace("\": ", "\" = ");
            let text = format!("{key} = {inline}");
            messages.extend(toml::from_str::<Form>(&text).err().map(|error| (text, of_toml(&error))));
        }
        let whole =
            r#"{"name": "a\u00e9\n", "truth": true, "list": ["x", "y"], "share": -1.5e3, "word": "void"}"#;
        for at in 0..whole.len() {
            let cut = &whole[..at];
            messages.extend(
                serde_json::from_str::<Form>(cut).err().map(|error| (cut.to_owned(), of_json(&error))),
            );
            for with in ["?", ",", "]", "\n", "\"", "\\", ":"] {
                let text = format!("{cut}{with}{}", &whole[at + 1..]);
                messages
                    .extend(serde_json::from_str::<Form>(&text).err().map(|error| (text, of_json(&error))));
            }
        }
        assert!(messages.len() > 900, "{}", messages.len());
        let foreign = [
            "invalid type",
            "invalid value",
            "invalid length",
            "variant",
            "enum",
            "struct",
            "untagged",
            "tuple",
            "sequence",
            "map",
            "EOF",
            "ident",
            "field",
            "integer",
            "floating",
            "boolean",
            "string",
            "u8",
            "u64",
            "i64",
            "f64",
            "usize",
            "nonzero",
            "unit",
            "trailing",
            "expected",
            "parsing",
            "recursion",
            "wanted",
        ];
        // What a value of the text itself has among its words is its own.
        let faults = messages.iter().filter_map(|(text, message)| {
            let own = message.replace("an `enum`, expected u8", "");
            let found = foreign.into_iter().find(|word| own.contains(word))?;
            Some(format!("`{text}` is answered with `{found}`: {message}"))
        });
        let faults: Vec<String> = faults.collect();
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }

    #[test]
    fn each_message_says_what_would_be_right() {
        for (text, message) in [
            (r#"{"name": 3}"#, "a text in quotes is needed here, not 3"),
            (r#"{"name": {}}"#, "a text in quotes is needed here, not an object"),
            (r#"{"truth": "yes"}"#, "`true` or `false` is needed here, not \"yes\""),
            (r#"{"small": 300}"#, "a whole number from 0 to 255 is needed here, not 300"),
            (r#"{"number": -1}"#, "a whole number from 0 on is needed here, not -1"),
            (r#"{"signed": 1.5}"#, "a whole number is needed here, not 1.5"),
            (r#"{"seasons": 0}"#, "a whole number from 1 to 255 is needed here, not 0"),
            (r#"{"share": null, "list": "x"}"#, "a list is needed here, not \"x\""),
            (r#"{"pair": [1]}"#, "a list of 2 values is needed here, not of 1"),
            (r#"{"couple": true}"#, "a list of 2 values is needed here, not `true`"),
            (r#"{"table": [1]}"#, "an object is needed here, not a list"),
            (r#"{"part": [1]}"#, "an object is needed here, not a list"),
            (r#"{"part": {"size": 1}}"#, "`share` is missing"),
            (r#"{"name": "a", "name": "b"}"#, "`name` is given twice"),
            (
                r#"{"nam": "a"}"#,
                "unknown key `nam`; did you mean `name`? (known: name, truth, small, number, signed, \
                                 share, seasons, list, pair, couple, table, word, either, tagged, part, letter, nothing)",
            ),
            (r#"{"nothing": {"x": 1}}"#, "unknown key `x`; none is possible here"),
            (r#"{"word": "voids"}"#, "unknown value `voids`; did you mean `void`? (known: collapse, void)"),
            (r#"{"word": "a`, expected `b"}"#, "unknown value `a`, expected `b`; known: collapse, void"),
            (r#"{"word": 3}"#, "this is not a value that can stand here"),
            (r#"{"either": 3}"#, "this value has none of the forms that are possible here"),
            (r#"{"name": "a",}"#, "a comma stands after the last value; remove it"),
            (r#"{"name": "a"} x"#, "more text follows where the value has ended"),
            (r#"{"name": "a"#, "the text ends within quotes"),
        ] {
            assert_eq!(json::<Form>(text), message, "{text}");
        }
        for (text, message) in [
            ("name = 3", "a text in quotes is needed here, not 3"),
            ("table = []", "a table is needed here, not a list"),
            ("name = 1979-05-27", "a text in quotes is needed here, not a table or a date"),
            ("word = 3", "a word in quotes is needed here"),
            ("word = \"shut\"", "unknown value `shut`; known: collapse, void"),
            ("nam = 3", "unknown key `nam`; did you mean `name`?"),
        ] {
            assert!(toml::<Form>(text).starts_with(message), "{text}: {}", toml::<Form>(text));
        }
        let error = serde_json::from_str::<Form>("{\n \"name\": 3}").unwrap_err();
        assert_eq!(of_json_at(&error), "a text in quotes is needed here, not 3 (line 2, column 10)");
        let error = serde_json::from_value::<Form>(
            serde_json::json!({"name": " at line 3"}).get("name").unwrap().clone(),
        );
        assert_eq!(of_json_at(&error.unwrap_err()), "an object is needed here, not \" at line 3\"");
        let long = format!("{{\"small\": \"{}\"}}", "x".repeat(1000));
        assert!(json::<Form>(&long).len() < 200, "{}", json::<Form>(&long));
    }

    #[test]
    fn the_nearest_word_is_suggested() {
        assert_eq!(suggest("sed", ["seed", "games"]), "did you mean `seed`? (known: seed, games)");
        assert_eq!(suggest("Standart", ["standard"]), "did you mean `standard`? (known: standard)");
        assert_eq!(suggest("zebra", ["seed", "games"]), "known: seed, games");
    }
}
