//! Games of webDiplomacy, as its programming interface answers `game/status`: the JSON object of a game with all its
//! phases.
//!
//! ```text
//! {"gameID": 5, "variantID": 1, "turn": 12, "phase": "Finished", "gameOver": "Drawn", "phases": [
//!    {"turn": 0, "phase": "Diplomacy", "units": [{"unitType": "Army", "terrID": 47, "countryID": 2, "retreating": "No"}],
//!     "centers": [{"terrID": 47, "countryID": 2}],
//!     "orders": [{"countryID": 2, "terrID": 47, "unitType": "Army", "type": "Move", "toTerrID": 48, "fromTerrID": 0,
//!                 "viaConvoy": "No", "success": "Yes", "dislodged": "No"}]}, …]}
//! ```
//! The winners are in another answer, `game/members`: if its list `members` is put into the object, it is used. Users'
//! names and messages are not read.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::sheet::{Claim, Closing, Moment, Page, ReadFault, Waiting, province, should_be, text, unit_place};
use upheaval_engine::game::Ending;
use upheaval_engine::rules::position::{Phase, PhaseKind, Season};
use upheaval_map::ids::{ByPower, Power, Powers};

/// The number of the variant with the standard board.
pub(super) const CLASSIC: u64 = 1;

/// The powers on that board, by their numbers from 1.
const COUNTRIES: [Power; 7] = [
    Power::ENGLAND,
    Power::FRANCE,
    Power::ITALY,
    Power::GERMANY,
    Power::AUSTRIA,
    Power::TURKEY,
    Power::RUSSIA,
];

/// The territories on that board by their numbers from 1, coasts after all provinces.
const TERRITORIES: [&str; 81] = [
    "CLY", "EDI", "LVP", "YOR", "WAL", "LON", "POR", "SPA", "NAF", "TUN", "NAP", "ROM", "TUS", "PIE", "VEN",
    "APU", "GRE", "ALB", "SER", "BUL", "RUM", "CON", "SMY", "ANK", "ARM", "SYR", "SEV", "UKR", "WAR", "LVN",
    "MOS", "STP", "FIN", "SWE", "NWY", "DEN", "KIE", "BER", "PRU", "SIL", "MUN", "RUH", "HOL", "BEL", "PIC",
    "BRE", "PAR", "BUR", "MAR", "GAS", "BAR", "NWG", "NTH", "SKA", "HEL", "BAL", "BOT", "NAO", "IRI", "ENG",
    "MAO", "WES", "LYO", "TYS", "ION", "ADR", "AEG", "EAS", "BLA", "TYR", "BOH", "VIE", "TRI", "BUD", "GAL",
    "SPA/NC", "SPA/SC", "STP/NC", "STP/SC", "BUL/EC", "BUL/SC",
];

/// The year of the first turn.
const FIRST_YEAR: u64 = 1901;

/// The number of the game's variant.
pub(super) fn variant(game: &Map<String, Value>) -> Result<u64, ReadFault> {
    number(game, "variantID", "the game")
}

/// Makes the phases of a game on the standard board into pages.
///
/// An answer from before July 2022 differs in its end: a game that is over has no phase `Finished`; its last phase
/// lists only the units that had orders in it; and the site has kept the orders of the turn before a draw or a
/// concession a second time, as a turn that nobody played. The phases of two turns are therefore held back.
pub(super) struct Pages {
    /// How many phases there were.
    number: usize,
    claim: Claim,
    /// The phases of the turn before the last, and of the last.
    before: Vec<Held>,
    turn: Vec<Held>,
    finished: Option<Held>,
}

/// A phase that was not made into a page so far.
struct Held {
    at: Moment,
    turn: u64,
    phase: Map<String, Value>,
    reader: Reader,
}

impl Pages {
    /// The pages of this game.
    pub(super) fn new(game: &Map<String, Value>) -> Result<Pages, ReadFault> {
        Ok(Pages { number: 0, claim: claim(game)?, before: Vec::new(), turn: Vec::new(), finished: None })
    }

    /// Takes a phase, and returns the pages of the last turn but two if it begins a turn.
    pub(super) fn next(&mut self, phase: Map<String, Value>) -> Result<Vec<Page>, ReadFault> {
        let of = format!("phase {}", self.number);
        self.number += 1;
        let name = text(&phase, "phase", &of)?;
        // Nothing comes after the phase `Finished`.
        if name == "Pre-game" || self.finished.is_some() {
            return Ok(Vec::new());
        }
        let turn = number(&phase, "turn", &of)?;
        let at = moment(turn, name)?;
        let held = Held { at, turn, reader: Reader { of: format!("turn {turn}, {name}") }, phase };
        if at == Moment::End {
            self.finished = Some(held);
            return Ok(Vec::new());
        }
        let done = match self.turn.last() {
            Some(last) if last.turn != turn => {
                std::mem::replace(&mut self.before, std::mem::take(&mut self.turn))
            }
            _ => Vec::new(),
        };
        self.turn.push(held);
        done.into_iter().map(|held| held.page()).collect()
    }

    /// The end of the file.
    pub(super) fn close(self) -> Result<Closing, ReadFault> {
        let Pages { claim, before, mut turn, finished, .. } = self;
        if claim != Claim::Unfinished && finished.is_none() && repeats(&before, &turn)? {
            turn.clear();
        }
        let mut held = before.into_iter().chain(turn).peekable();
        let mut pages: Vec<Page> = Vec::new();
        let mut last: Option<Held> = None;
        while let Some(next) = held.next() {
            let is_last = held.peek().is_none() && finished.is_none() && next.has_orders()?;
            let units = match (&last, pages.last()) {
                // The units that had no orders in it are known from the phase before.
                (Some(last), Some(page)) if is_last && !next.is_movement() => Some(last.units_after(page)?),
                _ => None,
            };
            pages.push(next.reader.page(&next.phase, next.at, units)?);
            last = Some(next);
        }
        let position = match (finished, last, pages.last()) {
            (Some(finished), last, _) => {
                let mut page = finished.page()?;
                // Units dislodged last are still among the units there, and the centres are those of the year before.
                let lost = last.map(|last| last.reader.dislodged(&last.phase)).transpose()?;
                for (power, lost) in lost.iter().flat_map(ByPower::iter) {
                    page.units[power].retain(|unit| !lost.contains(unit));
                }
                page.centres = None;
                Some(page)
            }
            (None, Some(last), Some(page)) if last.has_orders()? => {
                let units = last.units_after(page)?;
                Some(Page { units, ..Page::new(Moment::End, Powers::STANDARD) })
            }
            // The game waits for its last phase, or it was ended before the phase was played.
            _ => pages.pop(),
        };
        match position {
            Some(position) => Ok(Closing { pages, position: Some(position), claim }),
            None => Err(ReadFault::not_played()),
        }
    }
}

impl Held {
    fn page(&self) -> Result<Page, ReadFault> {
        self.reader.page(&self.phase, self.at, None)
    }

    fn is_movement(&self) -> bool {
        matches!(self.at, Moment::Before(Phase { kind: PhaseKind::Movement, .. }))
    }

    fn orders(&self) -> Result<Vec<&Map<String, Value>>, ReadFault> {
        objects(&self.phase, "orders", &self.reader.of)
    }

    fn has_orders(&self) -> Result<bool, ReadFault> {
        Ok(!self.orders()?.is_empty())
    }

    /// The units after the phase, by the success that the file gives each order; without those that were dislodged.
    fn units_after(&self, page: &Page) -> Result<ByPower<Vec<String>>, ReadFault> {
        let (reader, mut units) = (&self.reader, page.units.clone());
        let mut arrived: Vec<(Power, String)> = Vec::new();
        for entry in self.orders()? {
            let Some(power) = country(entry, &reader.of)? else { continue };
            // A waive has no place.
            if text(entry, "success", &reader.of)? != "Yes" || text(entry, "type", &reader.of)? == "Wait" {
                continue;
            }
            let from = reader.place(entry, "terrID")?;
            match text(entry, "type", &reader.of)? {
                kind @ ("Move" | "Retreat") => {
                    if kind == "Move" {
                        units[power].retain(|unit| unit_place(unit) != province(from));
                    }
                    arrived.push((
                        power,
                        unit_text(text(entry, "unitType", &reader.of)?, reader.place(entry, "toTerrID")?),
                    ));
                }
                "Build Army" => arrived.push((power, unit_text("Army", from))),
                "Build Fleet" => arrived.push((power, unit_text("Fleet", from))),
                "Destroy" => units[power].retain(|unit| unit_place(unit) != province(from)),
                _ => {}
            }
        }
        for (_, of_power) in units.iter_mut() {
            of_power.retain(|unit| arrived.iter().all(|(_, other)| unit_place(other) != unit_place(unit)));
        }
        for (power, unit) in arrived {
            units[power].push(unit);
        }
        Ok(units)
    }
}

/// Has the last turn the same phases with the same orders as the turn before?
fn repeats(before: &[Held], turn: &[Held]) -> Result<bool, ReadFault> {
    let orders = |held: &Held| -> Result<(PhaseKind, BTreeSet<String>), ReadFault> {
        let kind = match held.at {
            Moment::Before(phase) => phase.kind,
            Moment::End => PhaseKind::Movement,
        };
        let without_turn = |order: &Map<String, Value>| {
            let mut order = order.clone();
            order.remove("turn");
            order.sort_keys();
            Value::Object(order).to_string()
        };
        Ok((kind, held.orders()?.into_iter().map(without_turn).collect()))
    };
    let all = |held: &[Held]| held.iter().map(orders).collect::<Result<Vec<_>, _>>();
    Ok(!turn.is_empty() && all(before)? == all(turn)?)
}

/// A unit as text.
fn unit_text(kind: &str, place: &str) -> String {
    if kind == "Army" { format!("A {}", province(place)) } else { format!("F {place}") }
}

/// Which phase it is.
fn moment(turn: u64, phase: &str) -> Result<Moment, ReadFault> {
    let fault = || ReadFault::unreadable(format!("there is no phase `{phase}` in turn {turn}"));
    let season = if turn.is_multiple_of(2) { Season::Spring } else { Season::Fall };
    let (season, kind) = match phase {
        "Finished" => return Ok(Moment::End),
        "Diplomacy" => (season, PhaseKind::Movement),
        "Retreats" => (season, PhaseKind::Retreats),
        "Builds" => (Season::Winter, PhaseKind::Adjustments),
        _ => return Err(fault()),
    };
    let year = u16::try_from((turn / 2).saturating_add(FIRST_YEAR)).ok().filter(|year| *year <= 9999);
    Ok(Moment::Before(Phase { year: year.ok_or_else(fault)?, season, kind }))
}

/// How the game ended.
fn claim(game: &Map<String, Value>) -> Result<Claim, ReadFault> {
    let of = |wanted: &str| -> Result<Vec<Power>, ReadFault> {
        let mut found = Vec::new();
        if game.contains_key("members") {
            for member in objects(game, "members", "the game")? {
                if text(member, "status", "a member")? == wanted {
                    found.extend(country(member, "a member")?);
                }
            }
        }
        if found.is_empty() && game.get("status").and_then(Value::as_str) == Some(wanted) && wanted == "Won" {
            found.extend(country(game, "the game")?);
        }
        found.sort_unstable_by_key(|power| power.index());
        found.dedup();
        Ok(found)
    };
    Ok(match text(game, "gameOver", "the game")? {
        "No" => Claim::Unfinished,
        "Won" => match of("Won")?[..] {
            [winner] => Claim::Ended(Ending::Solo(winner)),
            _ => Claim::Won,
        },
        "Drawn" => match of("Drawn")? {
            none if none.is_empty() => Claim::Over,
            shared => Claim::Ended(Ending::Draw(shared)),
        },
        other => {
            return Err(ReadFault::Form(format!(
                "`gameOver` is `{other}`; it must be `No`, `Won` or `Drawn`"
            )));
        }
    })
}

/// Reads a phase; the name is for messages.
struct Reader {
    of: String,
}

impl Reader {
    /// The page of a phase. The units that are given replace those of the phase that need not retreat.
    fn page(
        &self,
        phase: &Map<String, Value>,
        at: Moment,
        units: Option<ByPower<Vec<String>>>,
    ) -> Result<Page, ReadFault> {
        let mut page = Page::new(at, Powers::STANDARD);
        for entry in objects(phase, "units", &self.of)? {
            let Some(power) = country(entry, &self.of)? else { continue };
            if text(entry, "retreating", &self.of)? == "Yes" {
                page.dislodged[power].push(Waiting { unit: self.unit(entry)?, options: None });
            } else if units.is_none() {
                page.units[power].push(self.unit(entry)?);
            }
        }
        if let Some(units) = units {
            page.units = units;
        }
        let mut centres: ByPower<Vec<String>> = ByPower::new(Powers::STANDARD);
        for entry in objects(phase, "centers", &self.of)? {
            // All territories are listed with their owners, including coasts.
            let (owner, place) = (country(entry, &self.of)?, self.place(entry, "terrID")?);
            if let (Some(owner), false) = (owner, place.contains('/')) {
                centres[owner].push(place.to_owned());
            }
        }
        page.centres = Some(centres);
        for entry in objects(phase, "orders", &self.of)? {
            let Some(power) = country(entry, &self.of)? else { continue };
            let order = self.order(entry, &page)?;
            page.orders[power].push(order);
        }
        Ok(page)
    }

    /// The units that were dislodged in a movement phase.
    fn dislodged(&self, phase: &Map<String, Value>) -> Result<ByPower<Vec<String>>, ReadFault> {
        let mut dislodged: ByPower<Vec<String>> = ByPower::new(Powers::STANDARD);
        for entry in objects(phase, "orders", &self.of)? {
            if entry.get("dislodged").and_then(Value::as_str) == Some("Yes")
                && let Some(power) = country(entry, &self.of)?
            {
                dislodged[power].push(self.unit(entry)?);
            }
        }
        Ok(dislodged)
    }

    /// An order as text. A supported or convoyed unit is named by its place.
    fn order(&self, entry: &Map<String, Value>, page: &Page) -> Result<String, ReadFault> {
        let to = || self.place(entry, "toTerrID");
        let named = |key| self.place(entry, key).map(|place| standing(page, place));
        Ok(match text(entry, "type", &self.of)? {
            "Hold" => format!("{} H", self.unit(entry)?),
            "Move" => {
                let unit = self.unit(entry)?;
                let army = unit.starts_with('A');
                let to = if army { province(to()?) } else { to()? };
                let by_convoy = army && entry.get("viaConvoy").and_then(Value::as_str) == Some("Yes");
                format!("{unit} - {to}{}", if by_convoy { " VIA" } else { "" })
            }
            "Support hold" => format!("{} S {}", self.unit(entry)?, named("toTerrID")?),
            "Support move" => {
                format!("{} S {} - {}", self.unit(entry)?, named("fromTerrID")?, province(to()?))
            }
            "Convoy" => format!("{} C {} - {}", self.unit(entry)?, named("fromTerrID")?, province(to()?)),
            "Retreat" => {
                let unit = self.unit(entry)?;
                let to = if unit.starts_with('A') { province(to()?) } else { to()? };
                format!("{unit} R {to}")
            }
            "Disband" => format!("{} D", self.unit(entry)?),
            // Adjustments record only the place.
            "Destroy" => format!("{} D", standing(page, self.place(entry, "terrID")?)),
            "Build Army" => format!("A {} B", province(self.place(entry, "terrID")?)),
            "Build Fleet" => format!("F {} B", self.place(entry, "terrID")?),
            "Wait" => "WAIVE".to_owned(),
            other => {
                return Err(ReadFault::unreadable(format!("`{other}` is not a type of order: {}", self.of)));
            }
        })
    }

    /// The unit of an entry.
    fn unit(&self, entry: &Map<String, Value>) -> Result<String, ReadFault> {
        let place = self.place(entry, "terrID")?;
        match text(entry, "unitType", &self.of)? {
            kind @ ("Army" | "Fleet") => Ok(unit_text(kind, place)),
            other => {
                let what = format!("`unitType` in {} is `{other}`; it must be `Army` or `Fleet`", self.of);
                Err(ReadFault::Form(what))
            }
        }
    }

    fn place(&self, entry: &Map<String, Value>, key: &str) -> Result<&'static str, ReadFault> {
        let id = number(entry, key, &self.of)?;
        let place = usize::try_from(id).ok().and_then(|id| TERRITORIES.get(id.checked_sub(1)?));
        place.copied().ok_or_else(|| {
            let last = TERRITORIES.len();
            ReadFault::unreadable(format!("`{key}` in {} is {id}; territories are 1 to {last}", self.of))
        })
    }
}

/// The unit that stands in a province, with its coast; an army where there is none, which the rules then refuse it.
fn standing(page: &Page, place: &str) -> String {
    let mut units = page.units.iter().flat_map(|(_, units)| units);
    let here = |unit: &&String| unit_place(unit) == province(place);
    units.find(here).cloned().unwrap_or_else(|| format!("A {}", province(place)))
}

/// The power of an entry; `None` for a territory without an owner.
fn country(entry: &Map<String, Value>, of: &str) -> Result<Option<Power>, ReadFault> {
    let id = number(entry, "countryID", of)?;
    match usize::try_from(id).ok().and_then(|id| id.checked_sub(1)) {
        None if id == 0 => Ok(None),
        place => match place.and_then(|place| COUNTRIES.get(place)) {
            Some(power) => Ok(Some(*power)),
            None => Err(ReadFault::unreadable(format!("`countryID` in {of} is {id}; countries are 1 to 7"))),
        },
    }
}

/// A number, which may be given as a text.
fn number(entry: &Map<String, Value>, key: &str, of: &str) -> Result<u64, ReadFault> {
    let found = entry.get(key).unwrap_or(&Value::Null);
    let number = match found {
        Value::String(text) => text.parse().ok(),
        other => other.as_u64(),
    };
    number.ok_or_else(|| should_be(&format!("`{key}` of {of}"), "a whole number", found))
}

fn objects<'a>(
    entry: &'a Map<String, Value>,
    key: &str,
    of: &str,
) -> Result<Vec<&'a Map<String, Value>>, ReadFault> {
    let what = format!("`{key}` of {of}");
    let list = match entry.get(key) {
        Some(Value::Array(list)) => list,
        other => return Err(should_be(&what, "a list", other.unwrap_or(&Value::Null))),
    };
    let object =
        |value: &'a Value| value.as_object().ok_or_else(|| should_be(&what, "a list of objects", value));
    list.iter().map(object).collect()
}

#[cfg(test)]
mod tests;
