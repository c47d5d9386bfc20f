//! The messages of parsers of JSON and TOML without their positions, which errors give by themselves, and with the
//! nearest of the known words.

/// The message of a fault in JSON, without its position.
pub fn of_json(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    with_nearest(text.strip_suffix(&place).unwrap_or(&text))
}

/// The message of a fault in JSON, followed by its position if it is known.
pub fn of_json_at(error: &serde_json::Error) -> String {
    match error.line() {
        0 => of_json(error),
        line => format!("{} (line {line}, column {})", of_json(error), error.column()),
    }
}

/// The message of a fault in TOML, without its position.
pub fn of_toml(error: &toml::de::Error) -> String {
    with_nearest(error.message().trim_end_matches(", expected nothing"))
}

/// The message on one line. Of an unknown word, which serde quotes before those that are known, the nearest is added.
fn with_nearest(message: &str) -> String {
    /// The longest message: it may quote a value of any length.
    const LONGEST: usize = 1000;
    let mut line: String = message.chars().take(LONGEST).map(|c| if c == '\n' { ' ' } else { c }).collect();
    let mut quoted = message.split('`').skip(1).step_by(2);
    if let Some(word) = quoted.next().filter(|_| message.starts_with("unknown "))
        && let Some(known) = nearest(word, quoted)
    {
        line += &format!("; did you mean `{known}`?");
    }
    line
}

/// The hint for an unknown word: the nearest known word if one is near, and all of them.
pub fn suggest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().filter(|known| !known.is_empty()).collect();
    match nearest(word, known.iter().copied()) {
        Some(nearest) => format!("did you mean `{nearest}`? (known: {})", known.join(", ")),
        None if known.is_empty() => "none is known".to_owned(),
        None => format!("known: {}", known.join(", ")),
    }
}

/// The known word that differs from a word in at most a quarter of its letters and one more.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let count = |text: &str| text.chars().count();
    let near = known.filter(|known| count(known).abs_diff(count(word)) <= 1 + count(known) / 4);
    let differs = |known: &str| strsim::levenshtein(&word.to_lowercase(), &known.to_lowercase());
    let near = near.map(|known| (differs(known), known));
    near.filter(|(d, known)| *d <= 1 + count(known).min(count(word)) / 4).min().map(|(_, known)| known)
}
