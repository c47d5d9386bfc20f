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

use super::sheet::{Claim, Moment, Page, ReadFault, Reason, Sheet, Waiting, power, should_be, unit};
use upheaval_engine::game::Ending;
use upheaval_engine::rules::gazetteer::Gazetteer;
use upheaval_engine::rules::position::{Phase, PhaseKind};
use upheaval_map::ids::{ByPower, Power, Powers};

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

/// Reads a game of these powers.
pub(super) fn read(game: &Map<String, Value>, powers: Powers, names: &Gazetteer) -> Result<Sheet, ReadFault> {
    let phases = list(game.get("phases"), "`phases`")?;
    let mut pages = Vec::with_capacity(phases.len());
    let mut claim = Claim::Unfinished;
    let mut settled = Vec::with_capacity(phases.len());
    for (number, phase) in phases.iter().enumerate() {
        let Some(phase) = phase.as_object() else {
            return Err(should_be(&format!("phase {number} of `phases`"), "an object", phase));
        };
        let name = text(phase, "name", &format!("phase {number} of `phases`"))?;
        if name == FORMING {
            continue;
        }
        if claim != Claim::Unfinished {
            return Err(ReadFault::unreadable(format!("{name} comes after {COMPLETED}")));
        }
        let at = match name {
            COMPLETED => Moment::End,
            name => Moment::Before(
                name.parse::<Phase>().map_err(|error| ReadFault::unreadable(error.to_string()))?,
            ),
        };
        let reader = Reader { name, powers, names };
        let (page, note) = reader.page(phase, at)?;
        if at == Moment::End {
            claim = ending(note, powers)?;
        }
        settled.push(phase.get("results").and_then(Value::as_object).is_some_and(|of| !of.is_empty()));
        pages.push(page);
    }
    if claim != Claim::Unfinished {
        drop_waiting_phase(&mut pages, &settled);
    }
    match pages.len() {
        0 | 1 => Err(ReadFault::Game(Reason::NotPlayed, "none of its phases was played".to_owned())),
        _ => Ok(Sheet { pages, claim }),
    }
}

/// If a game was ended by agreement, the file has the phase in which this happened without orders and results: nothing
/// was settled in it. Adjustments may be settled without any orders.
fn drop_waiting_phase(pages: &mut Vec<Page>, settled: &[bool]) {
    let Some(last) = pages.len().checked_sub(2) else { return };
    let waits = matches!(
        pages[last].at,
        Moment::Before(Phase { kind: PhaseKind::Movement | PhaseKind::Retreats, .. })
    );
    if waits && pages[last].has_no_orders() && !settled[last] {
        pages.remove(last);
    }
}

/// How the game ended, according to the note of its last position.
fn ending(note: &str, powers: Powers) -> Result<Claim, ReadFault> {
    let Some(named) = note.strip_prefix(VICTORY) else { return Ok(Claim::Over) };
    let mut victors: Vec<Power> = Vec::new();
    for name in named.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        let mut fits = powers.iter().filter(|power| power.name().starts_with(name));
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
    powers: Powers,
    names: &'a Gazetteer,
}

impl Reader<'_> {
    /// The page of a phase, and its note.
    fn page<'a>(&self, phase: &'a Map<String, Value>, at: Moment) -> Result<(Page, &'a str), ReadFault> {
        let mut page = Page::new(at, self.powers);
        let state = match phase.get("state") {
            Some(Value::Object(state)) => state,
            other => return Err(self.should_be("`state`", "an object", other)),
        };
        for (power, units) in self.by_power(state.get("units"), "`state.units`")? {
            let retreats = state.get("retreats").and_then(|retreats| retreats.get(power.name()));
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
        let mut centres = ByPower::new(self.powers);
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
        table.iter().map(|(name, value)| Ok((power(name, self.powers)?, value))).collect()
    }

    fn texts<'a>(&self, value: &'a Value, what: &str, of: Power) -> Result<Vec<&'a str>, ReadFault> {
        let wrong = |found| {
            let what = format!("{what} of {of} in {}", self.name);
            should_be(&what, "a list of texts", found)
        };
        let list = value.as_array().ok_or_else(|| wrong(value))?;
        list.iter().map(|text| text.as_str().ok_or_else(|| wrong(text))).collect()
    }

    fn should_be(&self, what: &str, right: &str, found: Option<&Value>) -> ReadFault {
        should_be(&format!("{what} of {}", self.name), right, found.unwrap_or(&Value::Null))
    }
}

fn list<'a>(value: Option<&'a Value>, what: &str) -> Result<&'a [Value], ReadFault> {
    match value {
        Some(Value::Array(list)) => Ok(list),
        other => Err(should_be(what, "a list", other.unwrap_or(&Value::Null))),
    }
}

fn text<'a>(object: &'a Map<String, Value>, key: &str, of: &str) -> Result<&'a str, ReadFault> {
    match object.get(key) {
        Some(Value::String(text)) => Ok(text),
        other => Err(should_be(&format!("`{key}` of {of}"), "a text", other.unwrap_or(&Value::Null))),
    }
}
