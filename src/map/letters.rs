//! Letters that are shown, and those that something acts on: names are made of the former alone.

/// Would a terminal or a page act on the character in place of showing it? These are the control characters, the marks
/// and overrides of the direction of writing, the separators of lines and paragraphs, and the mark of the order of
/// bytes.
///
/// ```
/// use upheaval_map::letters::is_acted_on;
/// assert!("\u{1b}\n\u{9b}\u{202e}".chars().all(is_acted_on));
/// assert!(!"Côte d’Azur → 東".chars().any(is_acted_on));
/// ```
pub fn is_acted_on(c: char) -> bool {
    let is_direction =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || is_direction || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

/// Why a text cannot be a name that is shown, if it cannot.
pub fn fault(name: &str) -> Option<String> {
    let found = name.chars().find(|&c| is_acted_on(c))?;
    let code = u32::from(found);
    Some(format!(
        "it contains the control character U+{code:04X}; a name consists of visible characters on one line"
    ))
}

/// The most entries of a list that are written into one line.
const MOST: usize = 10;

/// A list within a sentence: its first entries, and how many there are besides.
///
/// ```
/// use upheaval_map::letters::listed;
/// let faults: Vec<String> = (1..=47).map(|n| format!("fault {n}")).collect();
/// assert_eq!(listed(&faults[..2]), "fault 1; fault 2");
/// assert!(listed(&faults).ends_with("; fault 10; and 37 more"));
/// ```
pub fn listed(entries: &[String]) -> String {
    let shown = entries.len().min(MOST);
    let mut list = entries[..shown].join("; ");
    if entries.len() > shown {
        list += &format!("; and {} more", entries.len() - shown);
    }
    list
}
