//! A mechanism as a section of a variant file: how it is read and checked, its keys and their meanings, and
//! the descriptions of its events.

use std::fmt;
use std::ops::Range;

use crate::diagnostic::{Form, Source};
use crate::rules::event::EventInfo;
use crate::rules::game_state::{EventContext, GameState};
use crate::rules::map_tables::MapTables;
use crate::rules::movement::Resolution;
use crate::rules::order::{Ballot, Orders, Poll};
use crate::rules::position::Phase;
use serde::de::DeserializeOwned;
use toml::de::{DeTable, DeValue};
use upheaval_map::ids::{ByPower, Power, Powers, ProvinceId};
use upheaval_map::topology::NamedMap;

/// The representation of a mechanism in a variant file.
///
/// A section is read in two steps. Serde reads its [`Form`](MechanismSection::Form), which for most mechanisms is the
/// parameter type itself. Then [`MechanismSection::check`] finds the faults that serde cannot see: numbers out of
/// range, names that are not on the map, and sections that are required or incompatible. All sections are
/// read before the first is checked.
pub trait MechanismSection: Sized {
    /// The type that serde reads.
    type Form: DeserializeOwned;

    /// The keys, in the order of the file. Each begins with the name of the section.
    const KEYS: &'static [Key];

    /// The events that only this mechanism logs, or that it introduced.
    const EVENTS: &'static [EventInfo] = &[];

    /// Converts the form into the parameters, and reports all faults to the context. A file with a fault is refused,
    /// whatever this returns; `None` means that there is nothing to return.
    fn check(form: Self::Form, context: &Context<'_>, terrain: &MapTables) -> Option<Self>;

    /// Changes the board on which games start, before any part of the file that depends on it is read. Faults are
    /// reported to the context.
    #[allow(unused_variables)]
    fn prepare_map(form: &Self::Form, context: &Context<'_>, chart: &mut NamedMap) {}
}

/// A key of a variant file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    /// Section and key: `holes.per_season`.
    pub name: &'static str,
    /// Its permitted values.
    pub values: PermittedValues,
    /// Its meaning.
    pub meaning: &'static str,
}

impl Key {
    /// A key with this name, these values and this meaning.
    pub const fn new(name: &'static str, values: PermittedValues, meaning: &'static str) -> Key {
        Key { name, values, meaning }
    }

    /// A key that takes one of these words.
    pub(in crate::rules) const fn words(
        name: &'static str,
        words: &'static [&'static str],
        meaning: &'static str,
    ) -> Key {
        Key::new(name, PermittedValues::Words(words), meaning)
    }

    /// A key whose values this text describes.
    pub(in crate::rules) const fn other(
        name: &'static str,
        values: &'static str,
        meaning: &'static str,
    ) -> Key {
        Key::new(name, PermittedValues::Other(values), meaning)
    }
}

/// The permitted values of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PermittedValues {
    /// One of these words.
    Words(&'static [&'static str]),
    /// A number in this range, both ends included.
    Numbers(u8, u8),
    /// Values described by this text.
    Other(&'static str),
}

impl fmt::Display for PermittedValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PermittedValues::Words(words) => f.write_str(&words.join(" | ")),
            PermittedValues::Numbers(first, last) => write!(f, "{first} to {last}"),
            PermittedValues::Other(text) => f.write_str(text),
        }
    }
}

/// A section that is being checked, and its faults.
pub struct Context<'a> {
    /// Receives the faults.
    pub(in crate::rules) form: &'a Form<'a>,
    pub(in crate::rules) source: &'a Source,
    /// The name of the section.
    pub(in crate::rules) section: &'a str,
    pub(in crate::rules) span: Range<usize>,
    /// The mechanisms' sections that the file has.
    pub(in crate::rules) sections: &'a [&'static str],
    /// Is the board the right one? If not, a name that is not on it may be one of the right one.
    pub(in crate::rules) has_board: bool,
}

impl Context<'_> {
    /// Does the file have the section of this other mechanism?
    pub fn has(&self, section: &str) -> bool {
        self.sections.contains(&section)
    }

    /// Reports a fault of the section as a whole.
    pub fn fault(&self, message: impl Into<String>) {
        self.form.fault(self.span.clone(), message);
    }

    /// Reports a fault of the value of one of its keys.
    pub fn fault_at(&self, key: &str, message: impl Into<String>) {
        self.form.fault(self.value(key).unwrap_or(self.span.clone()), message);
    }

    /// Reports a fault at these bytes of the file, for forms that keep the positions of their parts
    /// ([`toml::Spanned`]); nothing can be made of the value.
    pub fn refuse<T>(&self, span: Range<usize>, message: impl Into<String>) -> Option<T> {
        self.form.refuse(span, message)
    }

    /// Reports that a name is not on the board, unless that of the file is unknown because of a fault.
    pub(in crate::rules) fn refuse_name<T>(
        &self,
        span: Range<usize>,
        message: impl Into<String>,
    ) -> Option<T> {
        if self.has_board {
            self.form.fault(span, message);
        }
        None
    }

    /// Has the section an unknown key? It may be one that seems to be missing.
    pub(in crate::rules) fn has_unknown_key(&self) -> bool {
        self.form.has_unknown_key(&self.span)
    }

    /// The position of a key's value. It is needed only for faults, so the file is parsed again only then.
    fn value(&self, key: &str) -> Option<Range<usize>> {
        let file = DeTable::parse(self.source.text()).ok()?;
        let mut at = file.get_ref();
        let mut span = None;
        for part in self.section.split('.').chain(key.split('.')) {
            let (_, value) = at.iter().find(|(name, _)| name.get_ref() == part)?;
            span = Some(value.span());
            if let DeValue::Table(table) = value.get_ref() {
                at = table;
            }
        }
        span
    }
}

// The actions of a mechanism and their times: the points of the season at which it may act.
//
// ```text
//  orders ──▶ movement ──▶ before_retreats ──▶ retreats ──▶ owners (Fall) ──▶ after_retreats ──▶ season_changed
//    │                      holes: foretell                                    exemption: lapse    exemption: offer
//  after_orders             toggles: toggle                                    holes: open
//    exemption: declared                                                       restores: restore
//                                                                              splits: split
//                                                                               deluge: note_occupants
//  before_adjustments ──▶ adjustments ──▶ after_adjustments
//   deluge: note_occupants                 deluge: rise
// ```
//
// `seismic` does not act at any of these points but has a phase of its own at the end of a season or year
// (`src/engine/game/stages.rs`).

/// The points of the season. A mechanism implements those at which it acts.
#[allow(unused_variables)]
pub trait Act {
    /// The question of the mechanism to a power that is not eliminated, in the movement phase that the game waits for.
    /// The answers are among the [declarations](Declarations::ballots) of that phase, and are listed with its orders. A
    /// power has at most [`MOST_POLLS`](crate::rules::order::MOST_POLLS).
    fn poll(&self, world: &GameState, at: Phase, power: Power) -> Option<Poll> {
        None
    }

    /// After the orders of a movement phase have been given.
    fn after_orders(
        &self,
        world: &mut GameState,
        scene: &mut EventContext<'_>,
        declared: &Declarations,
        first: FirstOrders,
    ) {
    }

    /// After the movement of a season is settled, before the retreats.
    fn before_retreats(&self, world: &mut GameState, scene: &mut EventContext<'_>, movement: Movement<'_>) {}

    /// After the retreats of a season are settled and, in Fall, the owners are recorded (rules.md 3.1).
    fn after_retreats(&self, world: &mut GameState, scene: &mut EventContext<'_>) {}

    /// Before the adjustments of a Winter are settled.
    fn before_adjustments(&self, world: &mut GameState) {}

    /// After the adjustments of a Winter are settled.
    fn after_adjustments(&self, world: &mut GameState, scene: &mut EventContext<'_>) {}

    /// After all changes of the map in the season.
    fn season_changed(&self, world: &mut GameState) {}
}

/// A settled movement, before any retreats.
#[derive(Clone, Copy)]
pub struct Movement<'a> {
    /// The orders, all legal.
    pub orders: &'a Orders,
    /// Their results.
    pub resolution: &'a Resolution,
}

/// The declarations of the powers with their orders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declarations {
    /// The centre that each power names as exempt (`EXEMPT PAR`); it counts if `Exemption::choices` contains
    /// it.
    pub exempt: ByPower<Option<ProvinceId>>,
    /// The powers that want their choice announced (`ANNOUNCE`).
    pub announce: ByPower<Announced>,
    /// The answers to polls.
    pub ballots: Vec<(Power, Ballot)>,
}

impl Declarations {
    /// No power declares anything.
    pub fn none(powers: Powers) -> Declarations {
        Declarations { exempt: ByPower::new(powers), announce: ByPower::new(powers), ballots: Vec::new() }
    }

    /// A power's answer to the poll with this topic.
    pub fn ballot(&self, power: Power, topic: &str) -> Option<&Ballot> {
        let mut own = self.ballots.iter().filter(|(of, _)| *of == power).map(|(_, ballot)| ballot);
        own.find(|ballot| *ballot.topic == *topic)
    }

    /// Takes it back.
    pub(crate) fn withdraw_ballot(&mut self, power: Power, topic: &str) {
        self.ballots.retain(|(of, ballot)| *of != power || *ballot.topic != *topic);
    }
}

/// Does a power want its choice announced?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Announced {
    /// It keeps its choice secret.
    #[default]
    No,
    /// It wants its choice to be public.
    Yes,
}

/// Whether the current orders are the first of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstOrders {
    /// They are: for powers that named no centre, the variant's default now applies.
    Yes,
    /// They are not.
    No,
}
