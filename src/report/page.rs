//! The page: a single file, readable without scripts and without a network.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use crate::chart::{Figure, FigureTable};
use crate::palette;
use crate::words::written;
use upheaval_map::ids::PowerNames;

/// A section of a report.
pub(crate) struct PageSection {
    /// Its name in links.
    pub id: String,
    /// Its heading.
    pub title: String,
    /// The text before its figures.
    pub text: Markup,
    /// Its figures.
    pub figures: Vec<Figure>,
    /// Is it open when the page is loaded?
    pub folded: bool,
}

impl PageSection {
    /// An open section.
    pub(crate) fn open(id: &str, title: &str, text: Markup, figures: Vec<Figure>) -> PageSection {
        PageSection { id: id.to_owned(), title: title.to_owned(), text, figures, folded: false }
    }
}

/// The contents of a page.
pub(crate) struct Page {
    /// Its title.
    pub title: String,
    /// A line below the title.
    pub lede: String,
    /// What must be read first, line by line.
    pub first: Vec<String>,
    /// The powers it is about.
    pub powers: PowerNames,
    /// The sections.
    pub sections: Vec<PageSection>,
    /// The last lines.
    pub closing: Markup,
}

impl Page {
    /// The page as HTML.
    pub(crate) fn html(&self) -> String {
        let mut number = 0;
        let body = html! {
            body {
                header {
                    h1 { (self.title) }
                    p.lede { (self.lede) }
                    @for line in &self.first { p { (line) } }
                    nav aria-label="Sections" { ul {
                        @for section in &self.sections { li { a href=(format!("#{}", section.id)) { (section.title) } } }
                    } }
                }
                main {
                    @for section in &self.sections {
                        section id=(section.id) aria-labelledby=(format!("{}-title", section.id)) {
                            @let heading = html! { h2 id=(format!("{}-title", section.id)) { (section.title) } };
                            @let content = html! {
                                (section.text)
                                @for figure in &section.figures { (numbered(figure, { number += 1; number })) }
                            };
                            @if section.folded { details.folded { summary { (heading) } (content) } } @else { (heading) (content) }
                        }
                    }
                }
                footer { (self.closing) }
            }
        };
        document(&self.title, &style_sheet(&self.powers), None, &body)
    }
}

/// A self-contained page with minimal rights: only its own style sheet applies, and only its own script runs, if it has
/// one.
pub(crate) fn document(title: &str, style: &str, script: Option<&str>, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en-GB" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                (policy(style, script))
                // Without an icon a browser would request one from the network.
                link rel="icon" href="data:,";
                title { (title) }
                style { (PreEscaped(style)) }
            }
            (body)
        }
    };
    written(page) + "\n"
}

/// The style rules of pages and figures for these powers, on light screens, dark screens and paper.
pub(crate) fn style_sheet(powers: &PowerNames) -> String {
    include_str!("style.css").replace("/*inks*/", &palette::dark_rules(powers))
}

/// A figure with its number, caption, panels and table.
fn numbered(figure: &Figure, number: usize) -> Markup {
    let wide = figure.panels.first().is_some_and(|panel| panel.width > crate::chart::WIDTH);
    let name = format!("Figure {number}. {}", figure.title);
    let (numbers, summary) = (format!("{}-table", figure.id), format!("{}-summary", figure.id));
    let panels = html! { @for panel in &figure.panels { (panel.svg([&numbers, &summary])) } };
    html! {
        figure id=(figure.id) aria-labelledby=(format!("{}-caption", figure.id)) {
            figcaption id=(format!("{}-caption", figure.id)) { b { "Figure " (number) ". " (figure.title) "." } " " (unbroken(&figure.caption)) }
            @if !figure.panels.is_empty() {
                @if wide {
                    div.panels.wide tabindex="0" role="group" aria-label=(name) { (panels) }
                } @else {
                    div.panels { (panels) }
                }
            }
            details id=(numbers) open[figure.panels.is_empty()] { summary id=(summary) { "Figure " (number) " as a table" } (table(&figure.table, &name)) }
        }
    }
}

/// Joins numbers to their percent signs with non-breaking spaces.
fn unbroken(text: &str) -> String {
    text.replace(" %", "\u{a0}%")
}

/// A table with a caption, which scrolls by itself if it does not fit.
pub(crate) fn table(table: &FigureTable, name: &str) -> Markup {
    let class = |column: usize| words(table, column).then_some("words");
    html! {
        div.scroll tabindex="0" role="group" aria-label=(format!("{name}, table")) { table {
            caption { (name) }
            thead { tr { @for (i, name) in table.head.iter().enumerate() { th scope="col" class=[class(i)] { (name) } } } }
            tbody {
                @for row in &table.rows { tr {
                    @for (i, word) in row.iter().enumerate() {
                        @if i == 0 { th scope="row" { (word) } } @else { td class=[class(i)] { (word) } }
                    }
                } }
            }
        } }
    }
}

/// Does a column contain words rather than numbers?
fn words(table: &FigureTable, column: usize) -> bool {
    let letter =
        |row: &Vec<String>| row.get(column).is_some_and(|word| word.starts_with(char::is_alphabetic));
    table.rows.iter().any(letter)
}

// The rights of a page: its content security policy. It allows only the style sheet and the script of the page itself,
// each identified by its hash; anything that gets into a page through a name is neither run nor fetched.

/// The element of a page's head with the policy. It precedes the style sheet and the script, because it only applies to
/// what follows it.
pub(crate) fn policy(style: &str, script: Option<&str>) -> Markup {
    let scripts = script.map(|script| format!("; script-src {}", source(script))).unwrap_or_default();
    let said = format!(
        "default-src 'none'; style-src {}{scripts}; img-src data:; base-uri 'none'; form-action 'none'",
        source(style)
    );
    html! { meta http-equiv="Content-Security-Policy" content=(said); }
}

/// A text as a policy refers to it.
fn source(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod policy_tests {
    use super::*;

    #[test]
    fn a_policy_names_what_it_allows_by_hashes() {
        // `printf 'alert(1)' | openssl dgst -sha256 -binary | base64`
        let script = "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='";
        let style = source("p{}");
        for (script, allowed) in [(None, String::new()), (Some("alert(1)"), format!("; script-src {script}"))]
        {
            let rules = "img-src data:; base-uri 'none'; form-action 'none'";
            let expected = format!("default-src 'none'; style-src {style}{allowed}; {rules}");
            let expected = html! { meta http-equiv="Content-Security-Policy" content=(expected); };
            assert_eq!(policy("p{}", script).into_string(), expected.into_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_text_and_never_markup() {
        let hostile = "<script>alert(\"1\")</script>&'";
        let text = || hostile.to_owned();
        let figure = Figure {
            id: "x".to_owned(),
            title: text(),
            caption: text(),
            panels: Vec::new(),
            table: FigureTable { head: vec![text()], rows: vec![vec![text(), text()]] },
        };
        let file = figure.file(3);
        let section = PageSection {
            id: "s".to_owned(),
            title: text(),
            text: html! { (hostile) },
            figures: vec![figure],
            folded: true,
        };
        let page = Page {
            title: text(),
            lede: text(),
            first: vec![text()],
            powers: PowerNames::standard(),
            sections: vec![section],
            closing: html! {},
        }
        .html();
        let counts = |text: &str| ["<script", "&lt;script&gt;"].map(|part| text.matches(part).count());
        let [[scripts, escaped], in_file] = [&page, &file].map(|text| counts(text));
        assert!(scripts == 0 && escaped >= 9, "{page}");
        assert!(in_file[0] == 0 && in_file[1] > 0, "{file}");
    }
}
