//! `docs/performance.md`: the parts between markers are written from here if `UPDATE_EXPECT` is set.

use std::fs;

/// The page.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/performance.md");

/// Writes the text between `<!-- begin: part -->` and `<!-- end: part -->`, if that is asked for.
pub fn put(part: &str, text: &str) {
    if std::env::var_os("UPDATE_EXPECT").is_none() {
        return;
    }
    let page = fs::read_to_string(PAGE).expect("the page can be read");
    let (begin, end) = (format!("<!-- begin: {part} -->\n"), format!("<!-- end: {part} -->"));
    let between = || {
        let (before, rest) = page.split_once(&begin)?;
        let (_, after) = rest.split_once(&end)?;
        Some(format!("{before}{begin}\n{text}\n{end}{after}"))
    };
    let page = between().unwrap_or_else(|| panic!("docs/performance.md has no markers for `{part}`"));
    fs::write(PAGE, page).expect("the page can be written");
    println!("docs/performance.md: `{part}` is written");
}
