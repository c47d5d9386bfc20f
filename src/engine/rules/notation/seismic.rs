//! Seismic orders as text (docs/adjudicate.md): `SEPARATE POR SPA CONNECT MAO MAO #2`, `CONNECT POR BRE
//! THROUGH MAO`, followed by choices about waterways: `STRAIT`, `AT MAR SPA CANAL MAR`.

use std::fmt;

use crate::rules::seismic::{SeismicOrder, WaterwayChoice};
use upheaval_map::ids::ProvinceId;
use upheaval_map::topology::isthmus::WaterwayOption;
use upheaval_map::topology::{MapEvent, PlanarMap, Quake, SurgeryError};

/// A seismic order as written: its words have been understood, but nothing has been checked against a map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenSeismic {
    event: MapEvent,
    wishes: Vec<WrittenWaterwayChoice>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct WrittenWaterwayChoice {
    at: Option<[String; 2]>,
    option: WrittenOption,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum WrittenOption {
    Strait,
    Canal(String),
    Nothing,
    Delete,
    Keep,
    Terminus(String),
}

/// Why a text is not a seismic order on any map.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseSeismicError {
    /// The text is neither a separation nor a release.
    #[error(
        "`{0}` is not a seismic order; it is SEPARATE POR SPA CONNECT MAO MAO or CONNECT POR BRE THROUGH MAO, with `#2` \
         behind it where a place must be picked"
    )]
    NoOrder(String),
    /// A word is not an option.
    #[error(
        "`{0}` is not an option; there are STRAIT, CANAL MAR, NONE, DELETE, KEEP, TERMINUS NTH, and AT MAR SPA before one"
    )]
    NoOption(String),
}

/// Why a seismic order cannot be followed on this map.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SeismicFault {
    /// The order does not fit, or fits several places.
    #[error(transparent)]
    Surgery(#[from] SurgeryError),
    /// A name in an option does not exist on the map.
    #[error("there is no province `{0}` on the map")]
    UnknownProvince(String),
}

impl SeismicFault {
    /// Does the order fit several places without saying which (rules.md 8.2)?
    pub fn is_ambiguous(&self) -> bool {
        matches!(self, SeismicFault::Surgery(SurgeryError::Ambiguous { .. }))
    }
}

const FIRST_WORDS_OF_OPTIONS: [&str; 7] = ["AT", "STRAIT", "CANAL", "NONE", "DELETE", "KEEP", "TERMINUS"];

impl WrittenSeismic {
    /// Is the text meant as a seismic order?
    pub fn is_one(text: &str) -> bool {
        let first = text.split_whitespace().next().unwrap_or("");
        ["SEPARATE", "CONNECT"].iter().any(|word| first.eq_ignore_ascii_case(word))
    }

    /// Reads an order in the notation of docs/adjudicate.md.
    ///
    /// # Errors
    /// The text is not such an order, or the words after it are not options.
    pub fn parse(text: &str) -> Result<Self, ParseSeismicError> {
        let text = text.to_ascii_uppercase();
        let words: Vec<&str> = text.split_whitespace().collect();
        // A province may have the name of an option: the four faces of a separation come first in any case.
        let faces = if words.first() == Some(&"SEPARATE") { 6 } else { 5 };
        let tail = words.iter().skip(faces).position(|word| FIRST_WORDS_OF_OPTIONS.contains(word));
        let end = tail.map_or(words.len(), |at| faces + at);
        let order = words[..end].join(" ");
        let event: MapEvent = order.parse().map_err(|_| ParseSeismicError::NoOrder(order.clone()))?;
        if !matches!(event, MapEvent::Separate { .. } | MapEvent::Connect { .. }) {
            return Err(ParseSeismicError::NoOrder(order));
        }
        let mut wishes = Vec::new();
        let mut rest = &words[end..];
        while !rest.is_empty() {
            let no_option = || ParseSeismicError::NoOption(rest.join(" "));
            let (at, option) = match rest {
                ["AT", x, y, option @ ..] => (Some([(*x).to_owned(), (*y).to_owned()]), option),
                option => (None, option),
            };
            let (option, left) = match option {
                ["STRAIT", left @ ..] => (WrittenOption::Strait, left),
                ["CANAL", name, left @ ..] => (WrittenOption::Canal((*name).to_owned()), left),
                ["NONE", left @ ..] => (WrittenOption::Nothing, left),
                ["DELETE", left @ ..] => (WrittenOption::Delete, left),
                ["KEEP", left @ ..] => (WrittenOption::Keep, left),
                ["TERMINUS", name, left @ ..] => (WrittenOption::Terminus((*name).to_owned()), left),
                _ => return Err(no_option()),
            };
            wishes.push(WrittenWaterwayChoice { at, option });
            rest = left;
        }
        Ok(WrittenSeismic { event, wishes })
    }

    /// Resolves the order on this map.
    ///
    /// # Errors
    /// The order does not fit the map, or fits several places, or an option names a face that is not on the
    /// map.
    pub fn resolve(&self, map: &PlanarMap) -> Result<SeismicOrder, SeismicFault> {
        let find = |name: &String| map.find(name).ok_or_else(|| SeismicFault::UnknownProvince(name.clone()));
        let quake = Quake::of_event(&self.event, map)?;
        let wish = |wish: &WrittenWaterwayChoice| -> Result<WaterwayChoice, SeismicFault> {
            let at = match &wish.at {
                Some([x, y]) => Some([find(x)?, find(y)?]),
                None => None,
            };
            let option = match &wish.option {
                WrittenOption::Strait => WaterwayOption::Strait,
                WrittenOption::Canal(name) => WaterwayOption::Canal(find(name)?),
                WrittenOption::Nothing => WaterwayOption::Nothing,
                WrittenOption::Delete => WaterwayOption::Delete,
                WrittenOption::Keep => WaterwayOption::Keep,
                WrittenOption::Terminus(name) => WaterwayOption::Terminus(find(name)?),
            };
            Ok(WaterwayChoice { at, option })
        };
        Ok(SeismicOrder { quake, wishes: self.wishes.iter().map(wish).collect::<Result<_, _>>()? })
    }

    /// The order in written form.
    pub fn from_order(map: &PlanarMap, order: &SeismicOrder) -> Self {
        let name = |id: ProvinceId| map.name(id).to_owned();
        let wish = |wish: &WaterwayChoice| WrittenWaterwayChoice {
            at: wish.at.map(|pair| pair.map(name)),
            option: match wish.option {
                WaterwayOption::Strait => WrittenOption::Strait,
                WaterwayOption::Canal(id) => WrittenOption::Canal(name(id)),
                WaterwayOption::Nothing => WrittenOption::Nothing,
                WaterwayOption::Delete => WrittenOption::Delete,
                WaterwayOption::Keep => WrittenOption::Keep,
                WaterwayOption::Terminus(id) => WrittenOption::Terminus(name(id)),
            },
        };
        WrittenSeismic { event: order.quake.event(map), wishes: order.wishes.iter().map(wish).collect() }
    }
}

impl fmt::Display for WrittenSeismic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let event = self.event.to_string().to_ascii_uppercase();
        write!(f, "{event}{}", self.wishes_as(str::to_owned))
    }
}

impl WrittenSeismic {
    /// The order as an event of the map (`map_events`), with its keywords in lower case: `separate GAS SPA
    /// connect MAO MAR canal MAR`.
    pub(crate) fn event_text(&self) -> String {
        format!("{}{}", self.event, self.wishes_as(str::to_ascii_lowercase))
    }

    /// The choices about waterways, with keywords in this case.
    fn wishes_as(&self, letters: fn(&str) -> String) -> impl fmt::Display {
        fmt::from_fn(move |f| {
            for WrittenWaterwayChoice { at, option } in &self.wishes {
                if let Some([x, y]) = at {
                    write!(f, " {} {x} {y}", letters("AT"))?;
                }
                let (word, name) = match option {
                    WrittenOption::Strait => ("STRAIT", None),
                    WrittenOption::Canal(name) => ("CANAL", Some(name)),
                    WrittenOption::Nothing => ("NONE", None),
                    WrittenOption::Delete => ("DELETE", None),
                    WrittenOption::Keep => ("KEEP", None),
                    WrittenOption::Terminus(name) => ("TERMINUS", Some(name)),
                };
                write!(f, " {}", letters(word))?;
                if let Some(name) = name {
                    write!(f, " {name}")?;
                }
            }
            Ok(())
        })
    }
}
