//! A file of orders: a heading for each power, or its name before an order.
//!
//! ```text
//! Spring 1901            optional: the phase that the orders are for
//! FRANCE
//! A PAR - BUR
//! GERMANY: A MUN - RUH, F KIE - DEN
//! ```

use std::collections::BTreeMap;

use upheaval::diagnostic::suggest;
use upheaval::game_record::{HostedGame, Orders, heading_of};
use upheaval::ids::{Power, PowerNames};

use crate::failure::Failure;

/// The largest file of orders that is read, in bytes.
pub(crate) const MOST_BYTES: u64 = 1 << 20;

/// The orders of some powers, and where each was found.
#[derive(Default)]
pub(crate) struct OrderSheet {
    /// The orders.
    pub orders: Orders,
    /// `orders.txt:3`, of each order of a power.
    places: BTreeMap<(Power, usize), String>,
}

impl OrderSheet {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// Every line that stands below no power, or is for another phase.
    pub(crate) fn parse(file: &str, text: &str, game: &HostedGame) -> Result<OrderSheet, Failure> {
        let powers = game.power_names();
        let (mut sheet, mut faults, mut current) = (OrderSheet::default(), Vec::new(), None);
        for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let place = format!("{file}:{}", number + 1);
            match Line::of(line, powers) {
                Line::Nothing => {}
                Line::Phase(phase) if is_now(&phase, game) => {}
                Line::Phase(phase) => faults.push(format!(
                    "{place}: these orders are for {phase}, but the game waits for {} ({})",
                    game.game().phase(),
                    heading_of(game.game()),
                )),
                Line::Stranger(name) => {
                    let known = suggest(name, powers.iter());
                    faults.push(format!("{place}: there is no power `{name}` on this board; {known}"));
                }
                Line::Orders(power, orders) => {
                    current = power.or(current);
                    match current {
                        Some(power) => sheet.add(powers.name(power), power, orders, &place),
                        None => faults.push(format!(
                            "{place}: this order stands below no power; write `{}` on a line above it",
                            powers.iter().next().unwrap_or_default()
                        )),
                    }
                }
            }
        }
        if faults.is_empty() { Ok(sheet) } else { Err(Failure::inputs(faults)) }
    }

    fn add(&mut self, name: &str, power: Power, orders: &str, place: &str) {
        let lines = self.orders.entry(name.to_owned()).or_default();
        for order in orders.split([',', ';']).map(str::trim).filter(|order| !order.is_empty()) {
            self.places.insert((power, lines.len()), place.to_owned());
            lines.push(order.to_owned());
        }
    }

    /// These orders, in place of earlier ones of the same powers.
    pub(crate) fn replaced_by(mut self, later: OrderSheet, powers: &PowerNames) -> OrderSheet {
        self.places.retain(|(power, _), _| !later.orders.contains_key(powers.name(*power)));
        self.places.extend(later.places);
        self.orders.extend(later.orders);
        self
    }

    /// Where the order of this number of a power was found.
    pub(crate) fn place(&self, power: Power, number: usize) -> Option<&str> {
        self.places.get(&(power, number)).map(String::as_str)
    }

    /// The orders as a file that [`OrderSheet::parse`] reads.
    pub(crate) fn to_text(orders: &Orders, heading: &str) -> String {
        let mut text = format!("{heading}\n");
        for (power, lines) in orders {
            text +=
                &format!("\n{power}\n{}", lines.iter().map(|line| format!("{line}\n")).collect::<String>());
        }
        text
    }
}

/// A line of a file of orders.
enum Line<'a> {
    /// It is empty or a comment.
    Nothing,
    /// The phase that the orders are for.
    Phase(String),
    /// Orders, which may follow the name of their power.
    Orders(Option<Power>, &'a str),
    /// A heading that names no power.
    Stranger(&'a str),
}

impl<'a> Line<'a> {
    fn of(line: &'a str, powers: &PowerNames) -> Line<'a> {
        let line = line.trim();
        let bare = bare(line);
        if let Some(phase) = phase(bare) {
            return Line::Phase(phase);
        }
        let named = |name: &str| powers.powers().iter().find(|&power| is_called(powers, power, name));
        if let Some(power) = named(bare) {
            return Line::Orders(Some(power), "");
        }
        if bare.is_empty() || line.starts_with('#') || line.starts_with("//") {
            return Line::Nothing;
        }
        let is_bullet = |c: char| matches!(c, '-' | '*' | '•');
        let order = line.trim_start_matches(is_bullet).trim_start();
        match line.split_once(':') {
            Some((name, orders)) => match named(self::bare(name)) {
                Some(power) => Line::Orders(Some(power), orders.trim_start_matches(['*', '_', ' '])),
                None if orders.trim().is_empty() => Line::Stranger(name.trim()),
                None => Line::Orders(None, order),
            },
            None => Line::Orders(None, order),
        }
    }
}

/// The line without what Markdown and BBCode make a heading of.
fn bare(line: &str) -> &str {
    let line = line.strip_prefix("[b]").unwrap_or(line);
    let line = line.strip_suffix("[/b]").unwrap_or(line);
    line.trim_matches(|c: char| matches!(c, '#' | '*' | '_' | '=' | ':' | '-') || c.is_whitespace())
}

fn is_called(powers: &PowerNames, power: Power, name: &str) -> bool {
    let info = powers.info(power);
    info.name.eq_ignore_ascii_case(name) || info.proper_name.to_lowercase() == name.to_lowercase()
}

/// A phase by its code, or by its words: `S1901M`, `Spring 1901`, `Spring 1901, movement`.
fn phase(line: &str) -> Option<String> {
    let mut words = line.split_whitespace();
    let first = words.next()?;
    if first.to_uppercase().parse::<upheaval::prelude::Phase>().is_ok() {
        return Some(line.to_owned());
    }
    let is_season = ["spring", "fall", "autumn", "winter"].contains(&&*first.to_lowercase());
    let year = words.next()?.trim_end_matches(',');
    (is_season && year.len() == 4 && year.bytes().all(|b| b.is_ascii_digit())).then(|| line.to_owned())
}

/// Is it the phase that the game waits for, as far as it is given?
fn is_now(phase: &str, game: &HostedGame) -> bool {
    let letters = |text: &str| text.to_lowercase().replace(',', "").replace("autumn", "fall");
    let (code, heading) = (letters(&game.game().phase().to_string()), letters(&heading_of(game.game())));
    let phase = letters(phase);
    [code, heading].iter().any(|now| now.starts_with(&phase) || phase.starts_with(&format!("{now} ")))
        || phase == format!("{} {}", letters(&game.game().phase().to_string()), game.game().stage().name())
}
