//! The change of a branch, and its text: `collapse BUR`.

use upheaval_engine::bot::BotMaker;
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
                Deed::Faces(change) if change.count().is_some() => {
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

    /// The kind with this name; without a name, the only one of the variant.
    ///
    /// # Errors
    /// The variant has none of this name; or, without a name, none or several.
    pub fn named(name: Option<&str>, changes: &Changes) -> Result<MapEventKind, InvalidMapEventKind> {
        let all = MapEventKind::all(changes);
        let found = match name {
            Some(name) => all.iter().find(|(known, _)| known == name),
            None => all.first().filter(|_| all.len() == 1),
        };
        found.map(|(_, kind)| kind.clone()).ok_or_else(|| InvalidMapEventKind {
            name: name.map(str::to_owned),
            known: all.into_iter().map(|(known, _)| known).collect(),
        })
    }

    /// Words that follow *no* and *one*, for no such event or exactly one: `place is drawn to split`.
    pub fn deed(&self) -> String {
        match self {
            MapEventKind::Draw(draw) => format!("place is drawn to {}", draw.verb.infinitive()),
            MapEventKind::Quake => "quake happens".to_owned(),
        }
    }
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
#[error(
    "`{text}` is not a change: write a draw and a province, as in `collapse BUR` ({}), or a seismic order, as in \
     `separate POR SPA connect MAO MAO`",
    match &self.draws[..] {
        [] => "this variant has no draws".to_owned(),
        draws => format!("draws of this variant: {}", draws.join(", ")),
    }
)]
pub struct InvalidOtherwise {
    /// The text.
    pub text: String,
    /// The draws of the variant, without their places: `collapse`, or `holes: collapse` if two entries draw so.
    pub draws: Vec<String>,
}

impl Otherwise {
    /// No event of this kind.
    pub fn without(event: MapEventKind) -> Otherwise {
        match event {
            MapEventKind::Draw(draw) => Otherwise::Draw { draw, change: Change::Without },
            MapEventKind::Quake => Otherwise::Quake(None),
        }
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
                draw.verb.name().eq_ignore_ascii_case(verb) && entry.is_none_or(|entry| entry == draw.entry)
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
        Err(InvalidOtherwise { text: text.to_owned(), draws: draws.iter().map(form).collect() })
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
            Otherwise::Orders { power, orders } => {
                format!("{} orders {}", powers.name(*power), orders.join(", "))
            }
            Otherwise::Seat(Replacement { power, name, .. }) => {
                format!("`{name}` plays {} from then on", powers.name(*power))
            }
        }
    }
}
