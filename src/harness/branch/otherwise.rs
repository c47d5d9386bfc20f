//! The change of a branch, and its text: `collapse BUR`.

use upheaval_engine::bot::BotMaker;
use upheaval_engine::reading::OrderForm;
use upheaval_engine::rules::changes::{Changes, Deed};
use upheaval_engine::rules::notation::WrittenSeismic;
use upheaval_map::ids::{Power, PowerNames};

use crate::sim::amended::{Change, Draw};

/// The change from the moment of the fork on.
#[derive(Clone, Debug)]
pub enum Otherwise {
    /// Nature draws something else, or nothing.
    Draw {
        /// The draw.
        draw: Draw,
        /// The result of the draw.
        change: Change,
    },
    /// In the seismic phase of the season only this quake happens, given as the text of an order, or none.
    Quake(Option<String>),
    /// A power gives other orders in one phase, as texts. In a movement or a retreat phase its other orders stay the
    /// same; in a Winter these are all its builds and removals.
    Orders {
        /// The power.
        power: Power,
        /// The orders.
        orders: Vec<String>,
        /// The form in which they are given.
        form: OrderForm,
    },
    /// Another bot plays a power from then on.
    Seat(Replacement),
}

/// A bot that takes a seat.
#[derive(Clone, Debug)]
pub struct Replacement {
    /// The power.
    pub power: Power,
    /// The bot's name.
    pub name: String,
    /// Makes the bot.
    pub maker: BotMaker,
}

/// What happens to the map in a season: by a draw of nature, or by seismic orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MapEventKind {
    /// Nature draws places for an entry.
    Draw(Draw),
    /// Borders open or close by seismic orders.
    Quake,
}

impl MapEventKind {
    /// All kinds of a variant by their names: the id of the entry, followed by the verb if it has several:
    /// `toggles: restore`.
    pub fn all(changes: &Changes) -> Vec<(String, MapEventKind)> {
        let mut all = Vec::new();
        for entry in changes.entries() {
            match &entry.deed {
                Deed::Quake(_) => all.push((entry.id.clone(), MapEventKind::Quake)),
                Deed::Faces(change) if change.is_drawn() => {
                    let verbs = change.verbs.each();
                    all.extend(verbs.iter().map(|&(verb, _)| {
                        let name = match verbs.len() {
                            1 => entry.id.clone(),
                            _ => format!("{}: {}", entry.id, verb.name()),
                        };
                        (name, MapEventKind::Draw(Draw { entry: entry.id.clone(), verb }))
                    }));
                }
                Deed::Faces(_) | Deed::Mark(_) => {}
            }
        }
        all
    }

    /// The kind with this name, and the name as [`MapEventKind::all`] writes it; without a name, the only one of the
    /// variant.
    ///
    /// # Errors
    /// The variant has none of this name; or, without a name, none or several.
    pub fn named(
        name: Option<&str>,
        changes: &Changes,
    ) -> Result<(String, MapEventKind), InvalidMapEventKind> {
        chosen(name, MapEventKind::all(changes))
    }

    /// One such event, and none, in words: one place is drawn to split, and nothing is drawn.
    pub fn deeds(&self) -> [String; 2] {
        match self {
            MapEventKind::Draw(Draw { entry, verb }) => [
                format!("one place is drawn to {} for `{entry}`", verb.infinitive()),
                format!("nothing is drawn for `{entry}`"),
            ],
            MapEventKind::Quake => ["one quake", "no quake"].map(|quakes| format!("{quakes} happens")),
        }
    }
}

/// The kind with this name and its name; without a name, the only one.
fn chosen(
    name: Option<&str>,
    all: Vec<(String, MapEventKind)>,
) -> Result<(String, MapEventKind), InvalidMapEventKind> {
    let name = name.map(|name| name.split(':').map(str::trim).collect::<Vec<_>>().join(": "));
    let found = match &name {
        Some(name) => all.iter().find(|(known, _)| known == name),
        None => all.first().filter(|_| all.len() == 1),
    };
    found
        .cloned()
        .ok_or_else(|| InvalidMapEventKind { name, known: all.into_iter().map(|(known, _)| known).collect() })
}

/// A name that is not an event of the map in this variant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.text())]
pub struct InvalidMapEventKind {
    /// The name, if there is one.
    pub name: Option<String>,
    /// The names of the events of the variant.
    pub known: Vec<String>,
}

impl InvalidMapEventKind {
    fn text(&self) -> String {
        match (&self.name, &self.known[..]) {
            (_, []) => "nature draws nothing in this variant, and it has no quakes".to_owned(),
            (Some(name), known) => {
                format!("`{name}` does not name an event of the map (known: {})", known.join(", "))
            }
            (None, known) => {
                format!("this variant has several events of the map; name one of {}", known.join(", "))
            }
        }
    }
}

/// A text that does not describe a change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a change: {}", self.right())]
pub struct InvalidOtherwise {
    /// The text.
    pub text: String,
    /// The draws of the variant, without their places: `collapse`, or `holes: collapse` if two entries draw so.
    pub draws: Vec<String>,
    /// Does the variant have quakes?
    pub has_quakes: bool,
}

impl InvalidOtherwise {
    fn right(&self) -> String {
        let quake = "write a seismic order, as in `separate POR SPA connect MAO MAO`";
        match (&self.draws[..], self.has_quakes) {
            ([], false) => "nature draws nothing in this variant, and it has no quakes".to_owned(),
            ([], true) => quake.to_owned(),
            (draws @ [first, ..], has_quakes) => {
                let known = draws.join("`, `");
                let or = if has_quakes { format!("; or {quake}") } else { String::new() };
                format!(
                    "write a draw and a province, as in `{first} BUR` (draws of this variant: `{known}`){or}"
                )
            }
        }
    }
}

impl Otherwise {
    /// Nothing is drawn for the entry with this id, whatever its verbs, or it has no quakes; without an id, this is the
    /// only entry of the variant that draws or asks for quakes.
    ///
    /// # Errors
    /// The variant has no such entry; or, without an id, none or several.
    pub fn without(id: Option<&str>, changes: &Changes) -> Result<Otherwise, InvalidMapEventKind> {
        let mut all = MapEventKind::all(changes);
        all.iter_mut().for_each(|(name, _)| name.truncate(name.find(':').unwrap_or(name.len())));
        all.dedup_by(|(one, _), (other, _)| one == other);
        Ok(match chosen(id, all)?.1 {
            MapEventKind::Draw(draw) => Otherwise::Draw { draw, change: Change::Without },
            MapEventKind::Quake => Otherwise::Quake(None),
        })
    }

    /// A draw in place of another, from its text: `collapse BUR`, or `holes: collapse BUR` if several entries of the
    /// variant draw so; or a quake in place of all quakes, from the text of its order.
    ///
    /// # Errors
    /// It does not have this form, or the variant does not have this draw.
    pub fn instead(text: &str, changes: &Changes) -> Result<Otherwise, InvalidOtherwise> {
        if WrittenSeismic::parse(text).is_ok() {
            return Ok(Otherwise::Quake(Some(text.trim().to_uppercase())));
        }
        let draws: Vec<Draw> = MapEventKind::all(changes)
            .into_iter()
            .filter_map(|(_, kind)| if let MapEventKind::Draw(draw) = kind { Some(draw) } else { None })
            .collect();
        let (entry, rest) = match text.split_once(':') {
            Some((entry, rest)) => (Some(entry.trim()), rest),
            None => (None, text),
        };
        if let [verb, province] = rest.split_whitespace().collect::<Vec<_>>()[..] {
            let is_it = |draw: &&Draw| {
                draw.verb.name().eq_ignore_ascii_case(verb)
                    && entry.is_none_or(|entry| entry.eq_ignore_ascii_case(&draw.entry))
            };
            if let [draw] = draws.iter().filter(is_it).collect::<Vec<_>>()[..] {
                let change = Change::Instead(province.to_uppercase());
                return Ok(Otherwise::Draw { draw: draw.clone(), change });
            }
        }
        let is_alike = |draw: &Draw| draws.iter().filter(|other| other.verb == draw.verb).count() > 1;
        let form = |draw: &Draw| match is_alike(draw) {
            true => format!("{}: {}", draw.entry, draw.verb.name()),
            false => draw.verb.name().to_owned(),
        };
        Err(InvalidOtherwise {
            text: text.to_owned(),
            draws: draws.iter().map(form).collect(),
            has_quakes: changes.quakes().is_some(),
        })
    }

    /// The change, in words, in a game of these powers.
    pub fn words(&self, powers: &PowerNames) -> String {
        match self {
            Otherwise::Draw { draw, change: Change::Instead(province) } => {
                format!("{province} is drawn to {}", draw.verb.infinitive())
            }
            Otherwise::Draw { draw, change: Change::Only(province) } => {
                format!("only {province} is drawn to {}", draw.verb.infinitive())
            }
            Otherwise::Draw { draw, change: Change::Without } => {
                format!("nothing is drawn for `{}`", draw.entry)
            }
            Otherwise::Draw { change: Change::Nothing, .. } => "nothing changes".to_owned(),
            Otherwise::Quake(Some(quake)) => format!("{quake} is the only quake"),
            Otherwise::Quake(None) => "no quake happens".to_owned(),
            Otherwise::Orders { power, orders, .. } => {
                format!("{} orders {}", powers.name(*power), orders.join(", "))
            }
            Otherwise::Seat(Replacement { power, name, .. }) => {
                format!("`{name}` plays {} from then on", powers.name(*power))
            }
        }
    }
}
