//! Games in the form of the Python package `diplomacy` and of `upheaval replay --saved-game`.
//!
//! ```text
//! {"id": "x", "map": "standard", "phases": [
//!    {"name": "S1901M", "state": {"units": {"FRANCE": ["A PAR"]}, "centers": {…}, "retreats": {…}, "note": ""},
//!     "orders": {"FRANCE": ["A PAR - BUR"]}, "results": {…}, "messages": […]}, …,
//!    {"name": "COMPLETED", "state": {…, "note": "Victory by: FRA"}, …}]}
//! ```
//! Players and their messages are not read.

use serde_json::{Map, Value};

use super::sheet::{Claim, Closing, Moment, Page, ReadFault, Waiting, power, should_be, text, unit};
use upheaval_engine::game::Ending;
use upheaval_engine::rules::gazetteer::Gazetteer;
use upheaval_engine::rules::position::{Phase, PhaseKind};
use upheaval_map::ids::{ByPower, Power, PowerNames};

/// The package's word for a finished game, in place of a phase.
const COMPLETED: &str = "COMPLETED";
/// The package's word for a game that has not begun.
const FORMING: &str = "FORMING";
/// The words before the list of winners in the note of a finished game.
const VICTORY: &str = "Victory by:";

/// The name of the game's board.
pub(super) fn map(game: &Map<String, Value>) -> Result<&str, ReadFault> {
    match game.get("map") {
        None => Ok("standard"),
        Some(map) => map.as_str().ok_or_else(|| should_be("`map`", "the name of a board", map)),
    }
}

/// Makes the phases of a game into pages. The last one is held back, because the next decides whether it was played.
pub(super) struct Pages<'a> {
    names: &'a Gazetteer,
    /// How many phases there were.
    number: usize,
    held: Option<Held>,
    claim: Claim,
}

/// A page, and whether its phase has results.
struct Held {
    page: Page,
    is_settled: bool,
}

impl<'a> Pages<'a> {
    /// The pages of a game with these names.
    pub(super) fn new(names: &'a Gazetteer) -> Pages<'a> {
        Pages { names, number: 0, held: None, claim: Claim::Unfinished }
    }

    /// Takes a phase, and returns the page before it if that was played.
    pub(super) fn next(&mut self, phase: &Map<String, Value>) -> Result<Vec<Page>, ReadFault> {
        let name = text(phase, "name", &format!("phase {} of `phases`", self.number))?;
        self.number += 1;
        if name == FORMING {
            return Ok(Vec::new());
        }
        if self.claim != Claim::Unfinished {
            return Err(ReadFault::unreadable(format!("{name} comes after {COMPLETED}")));
        }
        let at = match name {
            COMPLETED => Moment::End,
            name => Moment::Before(
                name.parse::<Phase>().map_err(|error| ReadFault::unreadable(error.to_string()))?,
            ),
        };
        let reader = Reader { name, names: self.names };
        let (page, note) = reader.page(phase, at)?;
        if at == Moment::End {
            self.claim = ending(note, self.names.powers())?;
        }
        let is_settled = phase.get("results").and_then(Value::as_object).is_some_and(|of| !of.is_empty());
        let before = self.held.replace(Held { page, is_settled });
        Ok(before
            .filter(|held| at != Moment::End || !held.waits())
            .map(|held| held.page)
            .into_iter()
            .collect())
    }

    /// The end of the file. A last phase with results was played, and the position after it is not in the file.
    pub(super) fn close(self) -> Result<Closing, ReadFault> {
        let claim = self.claim;
        let Held { page, is_settled } = self.held.ok_or_else(ReadFault::not_played)?;
        Ok(match page.at != Moment::End && is_settled && !page.has_no_orders() {
            true => Closing { pages: vec![page], position: None, claim },
            false => Closing { pages: Vec::new(), position: Some(page), claim },
        })
    }
}

impl Held {
    /// Is it the phase in which a game was ended by agreement? The file has that phase without orders and results:
    /// nothing was settled in it. Adjustments may be settled without any orders.
    fn waits(&self) -> bool {
        matches!(self.page.at, Moment::Before(Phase { kind: PhaseKind::Movement | PhaseKind::Retreats, .. }))
            && self.page.has_no_orders()
            && !self.is_settled
    }
}

/// How the game ended, according to the note of its last position.
fn ending(note: &str, powers: &PowerNames) -> Result<Claim, ReadFault> {
    let Some(named) = note.strip_prefix(VICTORY) else { return Ok(Claim::Over) };
    let mut victors: Vec<Power> = Vec::new();
    for name in named.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        let mut fits = powers.powers().iter().filter(|&power| powers.name(power).starts_with(name));
        match (fits.next(), fits.next()) {
            (Some(power), None) if !victors.contains(&power) => victors.push(power),
            _ => return Err(ReadFault::unreadable(format!("`{note}` does not name powers of the board"))),
        }
    }
    victors.sort_unstable_by_key(|power| power.index());
    Ok(Claim::Ended(match victors[..] {
        [winner] => Ending::Solo(winner),
        _ => Ending::Draw(victors),
    }))
}

/// Reads a phase; the name is for messages.
struct Reader<'a> {
    name: &'a str,
    names: &'a Gazetteer,
}

impl Reader<'_> {
    /// The page of a phase, and its note.
    fn page<'a>(&self, phase: &'a Map<String, Value>, at: Moment) -> Result<(Page, &'a str), ReadFault> {
        let mut page = Page::new(at, self.names.powers().powers());
        let state = match phase.get("state") {
            Some(Value::Object(state)) => state,
            other => return Err(self.should_be("`state`", "an object", other)),
        };
        for (power, units) in self.by_power(state.get("units"), "`state.units`")? {
            let retreats = state.get("retreats").and_then(|retreats| retreats.get(self.names.power(power)));
            for text in self.texts(units, "`state.units`", power)? {
                match text.strip_prefix('*') {
                    None => page.units[power].push(unit(text, self.names)?),
                    Some(text) => {
                        let options = retreats.and_then(|of| of.get(text)).map(|options| {
                            self.texts(options, "`state.retreats`", power)
                                .map(|places| places.into_iter().map(str::to_owned).collect())
                        });
                        let unit = unit(text, self.names)?;
                        page.dislodged[power].push(Waiting { unit, options: options.transpose()? });
                    }
                }
            }
        }
        let mut centres = ByPower::new(self.names.powers().powers());
        for (power, owned) in self.by_power(state.get("centers"), "`state.centers`")? {
            centres[power] =
                self.texts(owned, "`state.centers`", power)?.into_iter().map(str::to_owned).collect();
        }
        page.centres = Some(centres);
        if let Some(orders @ Value::Object(_)) = phase.get("orders") {
            for (power, orders) in self.by_power(Some(orders), "`orders`")? {
                if !orders.is_null() {
                    let texts = self.texts(orders, "`orders`", power)?;
                    page.orders[power] = texts.into_iter().map(str::to_owned).collect();
                }
            }
        }
        Ok((page, state.get("note").and_then(Value::as_str).unwrap_or_default()))
    }

    fn by_power<'a>(
        &self,
        value: Option<&'a Value>,
        what: &str,
    ) -> Result<Vec<(Power, &'a Value)>, ReadFault> {
        let Some(Value::Object(table)) = value else {
            return Err(self.should_be(what, "an object with powers as keys", value));
        };
        table.iter().map(|(name, value)| Ok((power(name, self.names.powers())?, value))).collect()
    }

    fn texts<'a>(&self, value: &'a Value, what: &str, of: Power) -> Result<Vec<&'a str>, ReadFault> {
        let wrong = |found| {
            let what = format!("{what} of {} in {}", self.names.power(of), self.name);
            should_be(&what, "a list of texts", found)
        };
        let list = value.as_array().ok_or_else(|| wrong(value))?;
        list.iter().map(|text| text.as_str().ok_or_else(|| wrong(text))).collect()
    }

    fn should_be(&self, what: &str, right: &str, found: Option<&Value>) -> ReadFault {
        should_be(&format!("{what} of {}", self.name), right, found.unwrap_or(&Value::Null))
    }
}
