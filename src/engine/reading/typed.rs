//! Orders as people type them: `Army Paris to Burgundy`, `f stp(sc)-bot`, `par/bur`.
//!
//! ```text
//!   "A Par → Burg." ─ tokens ─▶ A PAR – BURG ─ readings ─▶ A PAR - BUR ─ choose ─▶ the order in the notation
//! ```
//! All ways in which the words make an order are followed. If several remain, only the units on the board can decide;
//! an order is never guessed from what it would achieve.

use std::cell::Cell;
use std::fmt;

use crate::diagnostic::short;
use crate::game::{Game, Stage};
use crate::rules::gazetteer::Gazetteer;
use crate::rules::notation::{WrittenList, WrittenOrder, WrittenPlace, WrittenSeismic, WrittenUnit};
use crate::rules::order::Route;
use crate::rules::position::Unit;
use upheaval_map::ids::{CoastId, Designation, Power, ProvinceId, UnitKind};

mod words;

pub(super) use words::PlaceNames;
use words::{MOVES, NamedCoast, Spot, Token, Words, capitals, direction, plain};

/// An order in the notation, and what had to be left out of what was typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Typed {
    /// The order in the notation of docs/adjudicate.md.
    pub text: String,
    /// The part that was left out, if any.
    pub remark: Option<Remark>,
}

/// A part of an order that has no meaning and was left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Remark {
    /// A coast for an army, with its province: `BUL`.
    CoastOfArmy(String),
    /// The seas of a convoy, which are not part of an order: `NTH`, `NWG`.
    Route(Vec<String>),
    /// The place of a build that is waived: `LON`.
    WaivedPlace(String),
}

impl Remark {
    /// On an order in the notation that names a coast for an army.
    pub(super) fn on(order: &WrittenOrder, names: &Gazetteer) -> Option<Remark> {
        let (unit, place) = match *order {
            WrittenOrder::Move { unit, to, .. } | WrittenOrder::Retreat { unit, to } => (unit, to),
            WrittenOrder::SupportMove { supported, to, .. } => (supported, to),
            WrittenOrder::Convoy { army, to, .. } => (army, to),
            _ => return None,
        };
        (unit.kind == Designation::Army && place.coast.is_some())
            .then(|| Remark::CoastOfArmy(names.province(place.province).to_owned()))
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::CoastOfArmy(province) => {
                write!(f, "an army has no coast: the coast of {province} is left out")
            }
            Remark::Route(seas) => {
                write!(
                    f,
                    "an order does not choose its route: {} left out, and any convoy counts",
                    seas.join(", ")
                )
            }
            Remark::WaivedPlace(province) => {
                write!(f, "a waived build has no place: {province} is left out")
            }
        }
    }
}

/// Why a typed order could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Misread {
    /// A word that is neither a place on the board nor a word of orders, and the places that may be meant.
    #[error("`{word}` is not a place on the board or a word of orders{}", suggestion(.meant))]
    Unknown {
        /// The word.
        word: String,
        /// The names of places that may be meant.
        meant: Vec<String>,
    },
    /// There are several readings, and the units on the board do not decide between them.
    #[error("it can be read as {}; write one of them", alternatives(.0))]
    Several(Vec<String>),
    /// The power has no such unit: the unit, the power, and its units.
    #[error("{power} has no {unit}; it has {}", .own.join(", "))]
    NoUnit {
        /// The unit that was ordered.
        unit: String,
        /// The power.
        power: String,
        /// The units that it has.
        own: Vec<String>,
    },
    /// The words are known, but make no order.
    #[error("these words make no order; an order is written like `A PAR - BUR`")]
    NoOrder,
    /// The sort of a unit was left out, and there is no unit in this province.
    #[error("there is no unit in {0}")]
    NobodyThere(String),
    /// The power whose unit is named has none there.
    #[error("{power} has no unit in {province}")]
    NotThere {
        /// The power.
        power: String,
        /// The province.
        province: String,
    },
}

fn suggestion(meant: &[String]) -> String {
    match meant {
        [] => String::new(),
        meant => format!("; did you mean {}?", meant.join(" or ")),
    }
}

fn alternatives(readings: &[String]) -> String {
    let quoted: Vec<String> = readings.iter().map(|reading| format!("`{reading}`")).collect();
    quoted.join(" or ")
}

/// The most lists of retreats that are compared.
const MOST_LISTS: usize = 16;
/// The most places of a typed route.
const LONGEST_ROUTE: usize = 8;

const HOLDS: &[&str] = &["H", "HOLD", "HOLDS", "HOLDING", "STAND", "STANDS", "STAY", "STAYS"];
const SUPPORTS: &[&str] = &["S", "SUPPORT", "SUPPORTS", "SUPPORTING"];
const CONVOYS: &[&str] = &["C", "CONVOY", "CONVOYS", "CONVOYING", "TRANSPORTS"];
const RETREATS: &[&str] = &["R", "RETREAT", "RETREATS"];
const DISBANDS: &[&str] =
    &["D", "DISBAND", "DISBANDS", "REMOVE", "REMOVES", "REMOVED", "DESTROY", "DESTROYS"];
const LANDS: &[&str] = &["D", "DISEMBARK", "DISEMBARKS", "LAND", "LANDS"];
const BUILDS: &[&str] = &["B", "BUILD", "BUILDS"];
const EMBARKS: &[&str] = &["E", "EMBARK", "EMBARKS", "BOARD", "BOARDS"];
const ARMY: &[&str] = &["A", "ARMY"];
const FLEET: &[&str] = &["F", "FLEET"];
const OTHER_WORDS: &[&str] = &[
    "TO", "FROM", "VIA", "BY", "AT", "IN", "OF", "THE", "CONVOY", "LAND", "COAST", "T", "WAIVE", "WAIVES",
    "WAIVED", "EXEMPT", "ANNOUNCE", "SEPARATE", "CONNECT", "THROUGH",
];

/// A way to read the whole text.
struct Reading {
    text: String,
    /// The unit that is ordered.
    unit: Option<WrittenUnit>,
    /// The unit that it supports, convoys or boards.
    other: Option<WrittenUnit>,
    remark: Option<Remark>,
}

/// Reads one order of a power in a game.
pub(super) struct Typist<'a> {
    game: &'a Game,
    names: &'a Gazetteer,
    power: Power,
    words: Words<'a>,
    /// A province in which a unit was expected because the sort was left out.
    nobody: Cell<Option<ProvinceId>>,
    /// A province, and the power that was said to have a unit there but has none.
    stranger: Cell<Option<(ProvinceId, Power)>>,
}

impl<'a> Typist<'a> {
    pub(super) fn new(game: &'a Game, called: &'a PlaceNames, power: Power, text: &str) -> Typist<'a> {
        let names = game.terrain().names();
        let mut words = Words::new(names, called, text);
        // `France: A Par - Bur`
        let own = words.word_of(0, &[&names.power(power).to_ascii_uppercase()]);
        words.tokens.drain(..own.unwrap_or(0));
        Typist { game, names, power, words, nobody: Cell::new(None), stranger: Cell::new(None) }
    }

    /// The order in the notation; `None` if the words are known and make no order.
    pub(super) fn read(&self) -> Result<Option<Typed>, Misread> {
        let mut readings = self.readings();
        let mut texts: Vec<String> = Vec::new();
        readings.retain(|reading| {
            let is_new = !texts.contains(&reading.text);
            texts.extend(is_new.then(|| reading.text.clone()));
            is_new
        });
        if readings.is_empty() {
            return self.fault().map_or(Ok(None), Err);
        }
        prefer(&mut readings, |reading| reading.unit.is_none_or(|unit| self.is_own(unit)));
        prefer(&mut readings, |reading| reading.other.is_none_or(|unit| self.is_there(unit)));
        match &readings[..] {
            [only] => match only.unit.filter(|unit| !self.is_own(*unit)) {
                // An army at sea may be aboard after the movement.
                Some(unit) if self.game.stage() == Stage::Movement && !self.is_there(unit) => {
                    Err(self.no_unit(unit))
                }
                _ => Ok(Some(Typed { text: only.text.clone(), remark: only.remark.clone() })),
            },
            several => {
                let mut texts: Vec<String> = several.iter().map(|reading| reading.text.clone()).collect();
                texts.sort();
                Err(Misread::Several(texts))
            }
        }
    }

    // ---- whole orders ----

    fn readings(&self) -> Vec<Reading> {
        let mut found = Vec::new();
        self.without_unit(&mut found);
        // The verb comes first: `Build army Paris`, `Remove F Brest`.
        for (verbs, is_build) in [(BUILDS, true), (DISBANDS, false)] {
            let Some(at) = self.words.word_of(0, verbs) else { continue };
            for (unit, end) in self.units(at, is_build) {
                let order =
                    if is_build { WrittenOrder::Build { unit } } else { WrittenOrder::Disband { unit } };
                self.finish(&mut found, end, order, None, None);
            }
        }
        if let Some(at) = self.words.word_of(0, RETREATS) {
            self.units(at, false).into_iter().for_each(|(unit, at)| self.retreats(&mut found, unit, at));
        }
        if let Some(at) = self.words.word_of(0, MOVES) {
            self.units(at, false).into_iter().for_each(|(unit, at)| self.moves(&mut found, unit, at));
        }
        // The sort of a unit to be built must be known or follow from its province.
        let last = self.words.tokens.len().saturating_sub(1);
        let builds = self.words.word_of(last, BUILDS).is_some();
        for (unit, at) in self.units(0, builds) {
            self.actions(&mut found, unit, at);
        }
        found
    }

    fn finish(
        &self,
        found: &mut Vec<Reading>,
        end: usize,
        order: WrittenOrder,
        other: Option<WrittenUnit>,
        remark: Option<Remark>,
    ) {
        if end == self.words.tokens.len() {
            let text = order.display(self.names).to_string();
            // A unit that is built is not there yet.
            let unit = order.unit().filter(|_| !matches!(order, WrittenOrder::Build { .. }));
            found.push(Reading { text, unit, other, remark });
        }
    }

    /// Orders to no unit: waives, exemptions, votes, seismic orders.
    fn without_unit(&self, found: &mut Vec<Reading>) {
        self.waived(found);
        let mut say = |text: String| found.push(Reading { text, unit: None, other: None, remark: None });
        if self.words.word_of(0, &["ANNOUNCE"]) == Some(self.words.tokens.len()) {
            say("ANNOUNCE".to_owned());
        }
        let topics = self.game.polls(self.power).map(|poll| poll.topic.to_string());
        for topic in topics.chain(["EXEMPT".to_owned()]) {
            let Some(at) = self.words.word_of(0, &[&topic]) else { continue };
            for (spot, end) in self.words.places(at) {
                if end == self.words.tokens.len() && spot.coast == NamedCoast::None {
                    say(format!("{topic} {}", self.names.province(spot.province)));
                }
            }
        }
        for text in self.quakes() {
            say(text);
        }
    }

    /// `waive`, `waive build`, `build waived`, `waive London`.
    fn waived(&self, found: &mut Vec<Reading>) {
        let after_build = self.words.word_of(0, BUILDS).unwrap_or(0);
        let Some(at) = self.words.word_of(after_build, &["WAIVE", "WAIVES", "WAIVED"]) else { return };
        let at = self.words.word_of(at, BUILDS).unwrap_or(at);
        let mut say = |remark| {
            found.push(Reading { text: "WAIVE".to_owned(), unit: None, other: None, remark });
        };
        if at == self.words.tokens.len() {
            say(None);
        }
        for (spot, end) in self.words.places(at) {
            if end == self.words.tokens.len() {
                say(Some(Remark::WaivedPlace(self.names.province(spot.province).to_owned())));
            }
        }
    }

    /// The options of a seismic order from here on, with the codes of places: `TERMINUS MAO`.
    fn options(&self, mut at: usize) -> Option<String> {
        let mut words = Vec::new();
        while let Some(token) = self.words.tokens.get(at) {
            let longest = self.words.places(at).into_iter().max_by_key(|(_, end)| *end);
            match (token, longest) {
                (Token::Word(word), _) if WrittenSeismic::begins_option(word) => words.push(word.clone()),
                (_, Some((spot, end))) => {
                    let code = self.names.province(spot.province);
                    // The number after a name selects one of several stretches.
                    words.push(match self.ordinal(end) {
                        1 => code.to_owned(),
                        number => format!("{code}#{number}"),
                    });
                    at = end;
                    continue;
                }
                // The reader of the notation says what options there are.
                (Token::Word(word), None) => words.push(word.clone()),
                _ => return None,
            }
            at += 1;
        }
        Some(words.join(" "))
    }

    /// `SEPARATE POR SPA CONNECT MAO MAO`, `CONNECT POR BRE THROUGH MAO`.
    fn quakes(&self) -> Vec<String> {
        let pair = |at: usize| -> Vec<([ProvinceId; 2], usize)> {
            let first = self.words.places(at).into_iter();
            let two = first.flat_map(|(a, end)| {
                self.words.places(self.words.arrow(end)).into_iter().map(move |(b, end)| (a, b, end))
            });
            two.map(|(a, b, end)| ([a.province, b.province], end)).collect()
        };
        let code = |id: ProvinceId| self.names.province(id);
        let mut found = Vec::new();
        let mut say = |text: String, end: usize| {
            let rest = plain(&self.words.tokens[end..]);
            let is_number = |rest: &str| rest.starts_with(|letter: char| letter.is_ascii_digit());
            let is_option =
                |rest: &str| WrittenSeismic::begins_option(rest.split(' ').next().unwrap_or(rest));
            match rest.as_deref() {
                Some("") => found.push(text),
                Some(rest) if is_number(rest) => found.push(format!("{text} #{rest}")),
                Some(rest) if is_option(rest) => {
                    found.extend(self.options(end).map(|options| format!("{text} {options}")));
                }
                _ => {}
            }
        };
        if let Some(at) = self.words.word_of(0, &["SEPARATE"]) {
            for ([a, b], end) in pair(at) {
                let Some(at) = self.words.word_of(end, &["CONNECT"]) else { continue };
                for ([c, d], end) in pair(at) {
                    let text = format!("SEPARATE {} {} CONNECT {} {}", code(a), code(b), code(c), code(d));
                    say(text, end);
                }
            }
        }
        if let Some(at) = self.words.word_of(0, &["CONNECT"]) {
            for ([a, b], end) in pair(at) {
                let Some(at) = self.words.word_of(end, &["THROUGH", "VIA"]) else { continue };
                for (through, end) in self.words.places(at) {
                    let text = format!("CONNECT {} {} THROUGH {}", code(a), code(b), code(through.province));
                    say(text, end);
                }
            }
        }
        found
    }

    /// What a unit is ordered to do.
    fn actions(&self, found: &mut Vec<Reading>, unit: WrittenUnit, at: usize) {
        if let Some(end) = self.words.word_of(at, HOLDS) {
            self.finish(found, end, WrittenOrder::Hold { unit }, None, None);
        }
        if let Some(end) = self.words.word_of(at, DISBANDS) {
            self.finish(found, end, WrittenOrder::Disband { unit }, None, None);
        }
        if let Some(end) = self.words.word_of(at, BUILDS) {
            self.finish(found, end, WrittenOrder::Build { unit }, None, None);
        }
        if let Some(at) = self.words.word_of(at, LANDS) {
            // The army that is aboard lands.
            let unit = match unit.kind {
                Designation::ArmyFleet => WrittenUnit { kind: Designation::Army, ..unit },
                _ => unit,
            };
            for (to, end) in self.words.places(self.words.word_of(at, &["IN", "TO"]).unwrap_or(at)) {
                self.finish(found, end, WrittenOrder::Disembark { unit, to: self.ashore(to) }, None, None);
            }
        }
        if let Some(at) = self.words.word_of(at, EMBARKS) {
            for (fleet, end) in self.units(at, false) {
                self.finish(found, end, WrittenOrder::Embark { unit, fleet }, Some(fleet), None);
            }
        }
        if let Some(at) = self.words.word_of(at, &["T"]).and_then(|at| self.words.word_of(at, FLEET)) {
            for (coast, end) in self.words.coasts(unit.place.province, at) {
                let coast = if let NamedCoast::Of(coast) = coast { Some(coast) } else { None };
                self.finish(found, end, WrittenOrder::Transform { unit, coast }, None, None);
            }
        }
        if let Some(at) = self.words.word_of(at, &["COAST"])
            && let Some(Token::Word(word)) = self.words.tokens.get(at)
            && let NamedCoast::Of(coast) = self.words.coast(unit.place.province, word)
        {
            self.finish(found, at + 1, WrittenOrder::ChooseCoast { unit, coast }, None, None);
        }
        if let Some(at) = self.words.word_of(at, RETREATS) {
            self.retreats(found, unit, at);
        }
        if let Some(at) = self.words.word_of(at, SUPPORTS) {
            self.supports(found, unit, at);
        }
        if let Some(at) = self.words.word_of(at, CONVOYS) {
            for (army, end) in self.units(self.words.word_of(at, &["THE"]).unwrap_or(at), false) {
                for (path, end) in self.paths(army, end) {
                    let Some((last, seas)) = path.split_last() else { continue };
                    if let Some((to, remark)) = self.destination(army, *last) {
                        let remark = self.route(seas).or(remark);
                        self.finish(found, end, WrittenOrder::Convoy { unit, army, to }, Some(army), remark);
                    }
                }
            }
            for (to, army, end) in self.to_from(at) {
                let order = WrittenOrder::Convoy { unit, army, to: self.ashore(to) };
                self.finish(found, end, order, Some(army), None);
            }
        }
        self.moves(found, unit, at);
    }

    fn moves(&self, found: &mut Vec<Reading>, unit: WrittenUnit, at: usize) {
        for (path, end) in self.paths(unit, at) {
            self.arrive(found, unit, &path, end);
        }
    }

    /// The places through which a unit can go from here: one, or for an army seas and one.
    fn paths(&self, unit: WrittenUnit, at: usize) -> Vec<(Vec<Spot>, usize)> {
        let mut paths = Vec::new();
        let mut ways: Vec<(Vec<Spot>, usize)> = vec![(Vec::new(), self.words.arrow(at))];
        for _ in 0..LONGEST_ROUTE {
            let mut longer = Vec::new();
            for (path, at) in ways {
                for (spot, end) in self.words.places(at) {
                    let path = [&path[..], &[spot]].concat();
                    let next = self.words.arrow(end);
                    if next > end && self.is_sea(spot) && unit.kind == Designation::Army {
                        longer.push((path.clone(), next));
                    }
                    paths.push((path, end));
                }
            }
            ways = longer;
        }
        paths
    }

    /// The remark that these seas are left out of a route.
    fn route<'s>(&self, seas: impl IntoIterator<Item = &'s Spot>) -> Option<Remark> {
        let seas = seas.into_iter().map(|sea| self.names.province(sea.province).to_owned());
        let seas: Vec<String> = seas.collect();
        (!seas.is_empty()).then_some(Remark::Route(seas))
    }

    /// The end of a move that goes these places.
    fn arrive(&self, found: &mut Vec<Reading>, unit: WrittenUnit, path: &[Spot], end: usize) {
        let Some((&last, seas)) = path.split_last() else { return };
        let Some((to, remark)) = self.destination(unit, last) else { return };
        if self.game.stage() == Stage::Retreats && seas.is_empty() {
            return self.finish(found, end, WrittenOrder::Retreat { unit, to }, None, remark);
        }
        let mut routes = vec![(if seas.is_empty() { Route::Direct } else { Route::Convoy }, Vec::new(), end)];
        if let Some(via) = self.words.word_of(self.words.sign(end, &Token::Open), &["VIA", "BY"]) {
            let close = |at: usize| self.words.sign(at, &Token::Close);
            let convoy = self.words.word_of(via, &["CONVOY", "CONVOYS"]).unwrap_or(via);
            routes.push((Route::Convoy, Vec::new(), close(convoy)));
            routes.extend(
                self.words.word_of(via, &["LAND"]).map(|land| (Route::Direct, Vec::new(), close(land))),
            );
            let through = self.words.places(via).into_iter().filter(|(sea, _)| self.is_sea(*sea));
            routes.extend(through.map(|(sea, end)| (Route::Convoy, vec![sea], close(end))));
        }
        for (route, through, end) in routes {
            let remark = self.route(seas.iter().chain(&through)).or_else(|| remark.clone());
            self.finish(found, end, WrittenOrder::Move { unit, to, route }, None, remark);
        }
    }

    /// A retreat or, among the orders of a movement, a list of them.
    fn retreats(&self, found: &mut Vec<Reading>, unit: WrittenUnit, at: usize) {
        let at = self.words.arrow(at);
        for (spot, end) in self.words.places(at) {
            if let Some((to, remark)) = self.destination(unit, spot) {
                self.finish(found, end, WrittenOrder::Retreat { unit, to }, None, remark);
            }
        }
        for places in self.lists(unit, at) {
            let text = WrittenList { unit, places }.display(self.names).to_string();
            found.push(Reading { text, unit: Some(unit), other: None, remark: None });
        }
    }

    /// The lists of several places that can be read here, up to the end. Of the names that fit, each is the longest.
    fn lists(&self, unit: WrittenUnit, at: usize) -> Vec<Vec<WrittenPlace>> {
        let (mut lists, mut at) = (vec![Vec::new()], at);
        while at < self.words.tokens.len() && lists.len() <= MOST_LISTS {
            let spots = self.words.places(at);
            let Some(end) = spots.iter().map(|(_, end)| *end).max() else { return Vec::new() };
            let longest = spots.into_iter().filter(|(_, next)| *next == end);
            let places: Vec<WrittenPlace> =
                longest.filter_map(|(spot, _)| Some(self.destination(unit, spot)?.0)).collect();
            let longer = |list: &Vec<WrittenPlace>| {
                places.iter().map(|&place| [&list[..], &[place]].concat()).collect::<Vec<_>>()
            };
            lists = lists.iter().flat_map(longer).collect();
            at = end;
        }
        lists.retain(|list| list.len() > 1);
        lists
    }

    fn supports(&self, found: &mut Vec<Reading>, unit: WrittenUnit, at: usize) {
        let held =
            self.words.word_of(at, HOLDS).map(|at| self.words.word_of(at, &["TO", "OF"]).unwrap_or(at));
        for (supported, end) in self.units(held.unwrap_or(at), false) {
            let hold = WrittenOrder::SupportHold { unit, supported };
            self.finish(found, self.words.word_of(end, HOLDS).unwrap_or(end), hold, Some(supported), None);
            for (spot, end) in self.words.places(self.words.arrow(end)) {
                if let Some((to, remark)) = self.destination(supported, spot) {
                    let order = WrittenOrder::SupportMove { unit, supported, to };
                    self.finish(found, end, order, Some(supported), remark);
                }
            }
            if let Some(at) = self.words.word_of(end, LANDS) {
                for (to, end) in self.words.places(at) {
                    let order = WrittenOrder::SupportLanding { unit, supported, to: self.ashore(to) };
                    self.finish(found, end, order, Some(supported), None);
                }
            }
        }
        for (spot, supported, end) in self.to_from(self.words.word_of(at, MOVES).unwrap_or(at)) {
            if let Some((to, remark)) = self.destination(supported, spot) {
                let order = WrittenOrder::SupportMove { unit, supported, to };
                self.finish(found, end, order, Some(supported), remark);
            }
        }
    }

    /// `to Burgundy from Paris`.
    fn to_from(&self, at: usize) -> Vec<(Spot, WrittenUnit, usize)> {
        let Some(at) = self.words.word_of(at, &["TO"]) else { return Vec::new() };
        let to = self.words.places(at).into_iter();
        let from = to.filter_map(|(to, end)| Some((to, self.words.word_of(end, &["FROM"])?)));
        from.flat_map(|(to, at)| self.units(at, false).into_iter().map(move |(unit, end)| (to, unit, end)))
            .collect()
    }

    // ---- units and places ----

    /// The units that can be read here. If the sort is left out, it is that of the unit in the province; of a unit to
    /// be built, each that its province allows.
    fn units(&self, at: usize, is_build: bool) -> Vec<(WrittenUnit, usize)> {
        let at = self.words.word_of(at, &["THE"]).unwrap_or(at);
        let mut found = self.units_of_sort(at, is_build);
        for (power, at) in self.powers(at) {
            let (own, others): (Vec<_>, Vec<_>) = self
                .units_of_sort(at, is_build)
                .into_iter()
                .partition(|(unit, _)| self.has(power, unit.place.province));
            if let ([], [(unit, _), ..]) = (&own[..], &others[..]) {
                self.stranger.set(Some((unit.place.province, power)));
            }
            found.extend(own);
        }
        found
    }

    /// The powers that can be read here, by name or adjective: `Italy's`, `Italian`.
    fn powers(&self, at: usize) -> impl Iterator<Item = (Power, usize)> {
        let word = if let Some(Token::Word(word)) = self.words.tokens.get(at) { word } else { "" };
        let names = self.game.power_names();
        let is_called = move |power: &Power| {
            let info = names.info(*power);
            let called = [&info.name, &info.proper_name, &info.adjective].map(|name| capitals(name));
            word.len() > 2 && called.iter().any(|name| word == name || word.strip_suffix('S') == Some(name))
        };
        names.powers().iter().filter(is_called).map(move |power| (power, at + 1))
    }

    /// Does the power have the unit in this province, or one that was dislodged from it?
    fn has(&self, power: Power, province: ProvinceId) -> bool {
        let waiting = &self.game.dislodged().dislodged;
        self.owner(province) == Some(power)
            || waiting.iter().any(|unit| unit.at == province && unit.unit.power == power)
    }

    fn units_of_sort(&self, at: usize, is_build: bool) -> Vec<(WrittenUnit, usize)> {
        let mut found = Vec::new();
        let mut sorts: Vec<(Option<Designation>, usize)> = vec![(None, at)];
        if let Some(next) = self.words.word_of(at, ARMY) {
            sorts.push((Some(Designation::Army), next));
            if let [Some(Token::Slash), Some(_)] =
                [self.words.tokens.get(next), self.words.tokens.get(next + 1)]
                && let Some(next) = self.words.word_of(next + 1, FLEET)
            {
                sorts.push((Some(Designation::ArmyFleet), next));
            }
        }
        sorts.extend(self.words.word_of(at, FLEET).map(|next| (Some(Designation::Fleet), next)));
        for (sort, at) in sorts {
            let at = self.words.word_of(at, &["AT", "IN"]).unwrap_or(at);
            for (spot, end) in self.words.places(at) {
                let ordinal = self.ordinal(end);
                for kind in self.sorts(sort, spot.province, is_build) {
                    if let Some((mut place, _)) = self.place_of(kind, spot) {
                        place.coast = place.coast.or(self.coast_of_unit(kind, spot.province));
                        found.push((WrittenUnit { kind, place, ordinal }, end));
                    }
                }
            }
        }
        found
    }

    /// The coast of the fleet in this province.
    fn coast_of_unit(&self, kind: Designation, province: ProvinceId) -> Option<CoastId> {
        let unit = self.unit_at(province)?;
        (kind.kind() == UnitKind::Fleet && unit.kind == UnitKind::Fleet).then_some(unit.coast)
    }

    /// The number in `MUN#2`, the last word before this token; otherwise 1.
    fn ordinal(&self, end: usize) -> u8 {
        match self.words.tokens.get(end.wrapping_sub(1)) {
            Some(Token::Word(word)) => word.split_once('#').and_then(|(_, n)| n.parse().ok()).unwrap_or(1),
            _ => 1,
        }
    }

    /// The sorts of unit that can be meant in this province.
    fn sorts(&self, sort: Option<Designation>, province: ProvinceId, is_build: bool) -> Vec<Designation> {
        if let Some(sort) = sort {
            return vec![sort];
        }
        if is_build && self.game.stage() == Stage::Adjustments {
            let has_coast = self.game.terrain().board().coasts(province) > 0;
            return [Designation::Army, Designation::Fleet]
                .into_iter()
                .take(1 + usize::from(has_coast))
                .collect();
        }
        let kind = self.unit_at(province).map(|unit| unit.designation());
        if kind.is_none() {
            self.nobody.set(Some(province));
        }
        kind.into_iter().collect()
    }

    /// The place of a unit of this kind, and what is left out of it; `None` if a fleet cannot be meant.
    fn place_of(&self, kind: Designation, spot: Spot) -> Option<(WrittenPlace, Option<Remark>)> {
        let Spot { province, coast } = spot;
        match (kind.kind(), coast) {
            (_, NamedCoast::None) => Some((WrittenPlace { province, coast: None }, None)),
            (UnitKind::Army, _) => {
                let remark = Remark::CoastOfArmy(self.names.province(province).to_owned());
                Some((WrittenPlace { province, coast: None }, Some(remark)))
            }
            (UnitKind::Fleet, NamedCoast::Of(coast)) => {
                Some((WrittenPlace { province, coast: Some(coast) }, None))
            }
            (UnitKind::Fleet, NamedCoast::Unknown) => None,
        }
    }

    fn destination(&self, unit: WrittenUnit, spot: Spot) -> Option<(WrittenPlace, Option<Remark>)> {
        self.place_of(unit.kind, spot)
    }

    /// The destination of an army.
    fn ashore(&self, spot: Spot) -> WrittenPlace {
        WrittenPlace { province: spot.province, coast: None }
    }

    fn is_sea(&self, spot: Spot) -> bool {
        self.game.terrain().board().sea().contains(spot.province)
    }

    // ---- units on the board ----

    /// The unit in a province: of two, the power's own that must retreat.
    fn unit_at(&self, province: ProvinceId) -> Option<Unit> {
        let mut waiting = self.game.dislodged().dislodged.iter();
        let own = waiting.find(|it| it.at == province && it.unit.power == self.power);
        own.map(|it| it.unit).or_else(|| self.game.world().position.unit(province))
    }

    fn is_own(&self, unit: WrittenUnit) -> bool {
        match self.game.stage() {
            Stage::Retreats => {
                let mut waiting = self.game.dislodged().dislodged.iter();
                waiting.any(|it| {
                    it.at == unit.place.province
                        && it.unit.power == self.power
                        && it.unit.kind == unit.kind.kind()
                })
            }
            _ => self.is_there(unit) && self.owner(unit.place.province) == Some(self.power),
        }
    }

    fn owner(&self, province: ProvinceId) -> Option<Power> {
        self.game.world().position.unit(province).map(|unit| unit.power)
    }

    /// Is there a unit of this kind? An army may be aboard, or board in this phase.
    fn is_there(&self, unit: WrittenUnit) -> bool {
        let at = unit.place.province;
        let standing = self.game.world().position.unit(at);
        let board = self.game.terrain().board();
        standing.is_some_and(|standing| standing.kind == unit.kind.kind())
            || unit.kind == Designation::Army && board.sea().contains(at)
    }

    // ---- faults ----

    fn no_unit(&self, unit: WrittenUnit) -> Misread {
        let units = self.game.world().written_units();
        let power = self.names.power(self.power).to_owned();
        let own = units.get(&power).cloned().unwrap_or_else(|| vec!["no units".to_owned()]);
        Misread::NoUnit { unit: unit.display(self.names).to_string(), power, own }
    }

    /// Why there is no reading: the first word that is not known.
    fn fault(&self) -> Option<Misread> {
        if let Some((province, power)) = self.stranger.get() {
            let (power, province) = (self.names.power(power), self.names.province(province));
            return Some(Misread::NotThere { power: power.to_owned(), province: province.to_owned() });
        }
        let mut at = 0;
        while at < self.words.tokens.len() {
            let is_known = |word: &str| {
                let lists = [
                    HOLDS,
                    MOVES,
                    SUPPORTS,
                    CONVOYS,
                    RETREATS,
                    DISBANDS,
                    LANDS,
                    BUILDS,
                    EMBARKS,
                    ARMY,
                    FLEET,
                    OTHER_WORDS,
                ];
                lists.iter().any(|list| list.contains(&word)) || direction(word).is_some()
            };
            let powers = self.powers(at).map(|(_, end)| end);
            let named = self.words.places(at).into_iter().map(|(_, end)| end).chain(powers).max();
            match (&self.words.tokens[at], named) {
                (_, Some(end)) => at = end,
                (Token::Word(word), None) if !is_known(word) || self.words.beginning(word).len() > 1 => {
                    return Some(self.unknown(word));
                }
                _ => at += 1,
            }
        }
        if self.words.tokens.contains(&Token::Other) {
            return Some(Misread::NoOrder);
        }
        let nobody = self.nobody.get();
        nobody.map(|province| Misread::NobodyThere(self.names.province(province).to_owned()))
    }

    fn unknown(&self, word: &str) -> Misread {
        let full = |id: ProvinceId| {
            let code = self.names.province(id);
            // Halves of a province share its name.
            let name = self.game.terrain().chart().full_name(id).filter(|_| !code.contains('.'));
            name.unwrap_or(code).to_owned()
        };
        let mut meant = self.words.may_be_meant(word);
        meant.retain(|&id| self.game.terrain().board().passable().contains(id));
        Misread::Unknown { word: short(word, 24), meant: meant.into_iter().map(full).collect() }
    }
}

/// Keeps the readings that fit if any does.
fn prefer(readings: &mut Vec<Reading>, fits: impl Fn(&Reading) -> bool) {
    if readings.iter().any(&fits) {
        readings.retain(fits);
    }
}
