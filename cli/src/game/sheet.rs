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
use upheaval::rules::position::{Phase, PhaseKind};

use crate::failure::Failure;

/// The largest file of orders that is read, in bytes.
pub(crate) const MOST_BYTES: u64 = 1 << 17;

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
                        Some(power) => faults.extend(sheet.add(power, orders, &place, powers)),
                        None => faults.push(format!(
                            "{place}: this order stands below no power; write the power's name on a line above it, such as \
                             `{}`",
                            powers.iter().next().unwrap_or_default()
                        )),
                    }
                }
            }
        }
        for power in powers.powers() {
            if let (Some(bot), Some(place)) = (game.bot(power), sheet.places.get(&(power, 0))) {
                faults.push(format!("{place}: {} is played by the bot `{bot}`", powers.name(power)));
            }
        }
        if faults.is_empty() { Ok(sheet) } else { Err(Failure::inputs(faults)) }
    }

    /// Adds the orders of a line; returns why a part of it is none.
    fn add(&mut self, power: Power, orders: &str, place: &str, powers: &PowerNames) -> Vec<String> {
        let lines = self.orders.entry(powers.name(power).to_owned()).or_default();
        let mut faults = Vec::new();
        for order in orders.split([',', ';']).map(str::trim) {
            match Line::of(order, powers) {
                Line::Nothing => {}
                Line::Orders(of, order) if of.is_none_or(|of| of == power) && !order.is_empty() => {
                    self.places.insert((power, lines.len()), place.to_owned());
                    lines.push(order.to_owned());
                }
                Line::Phase(_) | Line::Stranger(_) | Line::Orders(..) => {
                    faults.push(format!("{place}: `{order}` stands within a line; begin a new line with it"));
                }
            }
        }
        faults
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

    /// The orders as a file that [`OrderSheet::parse`] reads as the same.
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
        if line.starts_with("//") {
            return Line::Nothing;
        }
        let bare = bare(line);
        if let Some(phase) = phase(&bare) {
            return Line::Phase(phase);
        }
        let named =
            |name: &str| powers.powers().iter().find(|&power| is_called(powers, power, &self::bare(name)));
        // `France (Bob)`
        let heading = bare.split_once('(').map_or(&*bare, |(name, _)| name);
        if let Some(power) = named(heading) {
            return Line::Orders(Some(power), "");
        }
        if bare.is_empty() || line.starts_with('#') {
            return Line::Nothing;
        }
        let order = line.trim_start_matches("[*]").trim_start_matches(['-', '*', '•', '>', ' ']);
        if let Some((name, orders)) = line.split_once(':') {
            match named(name.split_once('(').map_or(name, |(name, _)| name)) {
                Some(power) => return Line::Orders(Some(power), orders.trim_start_matches(['*', '_', ' '])),
                None if orders.trim().is_empty() => return Line::Stranger(name.trim()),
                None => {}
            }
        }
        // `FRANCE A PAR - BUR`
        let (first, rest) = order.split_once(' ').unwrap_or((order, ""));
        let rest = rest.trim_start_matches(['-', ' ']);
        let is_unit = |word: &str| ["a", "f", "army", "fleet"].contains(&&*word.to_lowercase());
        match named(first).filter(|_| rest.split(' ').next().is_some_and(is_unit)) {
            Some(power) => Line::Orders(Some(power), rest),
            None => Line::Orders(None, order),
        }
    }
}

/// The line without what Markdown and BBCode make a heading of.
fn bare(line: &str) -> String {
    let mut text = String::new();
    let mut left = line;
    // Tags of BBCode: `[b]`, `[/color]`.
    while let Some((before, (_, after))) =
        left.split_once('[').and_then(|(before, tag)| Some((before, tag.split_once(']')?)))
    {
        text += before;
        left = after;
    }
    text += left;
    let is_mark = |c: char| "#*_=:-`>".contains(c) || c.is_whitespace();
    text.trim_matches(is_mark).to_owned()
}

fn is_called(powers: &PowerNames, power: Power, name: &str) -> bool {
    let info = powers.info(power);
    info.name.eq_ignore_ascii_case(name) || info.proper_name.to_lowercase() == name.to_lowercase()
}

/// What may follow the season in the words of a phase.
const KINDS: [&str; 9] =
    ["movement", "moves", "orders", "retreats", "builds", "adjustments", "coasts", "seismic", "events"];

/// A phase by its code, or by its words: `S1901M`, `Spring 1901`, `Spring 1901, movement`.
fn phase(line: &str) -> Option<String> {
    let plain = line.replace(',', " ");
    let mut words = plain.split_whitespace();
    let first = words.next()?;
    let is_code = first.to_uppercase().parse::<Phase>().is_ok();
    if !is_code {
        let is_season = ["spring", "fall", "autumn", "winter"].contains(&&*first.to_lowercase());
        let is_year = |year: &str| year.len() == 4 && year.bytes().all(|b| b.is_ascii_digit());
        if !is_season || !words.next().is_some_and(is_year) {
            return None;
        }
    }
    words.all(|word| KINDS.contains(&&*word.to_lowercase())).then(|| line.to_owned())
}

/// Is it the phase that the game waits for, as far as it is given?
fn is_now(phase: &str, game: &HostedGame) -> bool {
    let now = game.game().phase();
    let plain = phase.replace(',', " ").to_lowercase();
    let words: Vec<&str> = plain.split_whitespace().collect();
    let [first, rest @ ..] = &words[..] else { return false };
    if let Ok(phase) = first.to_uppercase().parse::<Phase>() {
        return phase == now;
    }
    let season = if *first == "autumn" { "fall" } else { first };
    let is_of_season =
        season == now.season.name().to_lowercase() && rest.first() == Some(&&*now.year.to_string());
    is_of_season
        && rest.iter().all(|word| match *word {
            "movement" | "moves" => now.kind == PhaseKind::Movement,
            "retreats" => now.kind == PhaseKind::Retreats,
            "builds" | "adjustments" => now.kind == PhaseKind::Adjustments,
            "seismic" | "events" => now.kind == PhaseKind::Seismic,
            _ => true,
        })
}
