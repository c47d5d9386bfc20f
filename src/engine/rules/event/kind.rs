//! The closed list of kinds of events, with all that logs, replays, pictures and figures need to know about
//! each.
//!
//! A kind is described once, by an [`EventInfo`] in the file of the mechanism that reports it, or in
//! `src/engine/rules/lexicon.rs`, which combines all of them into one table.

use crate::rules::nature::Draw;
use upheaval_map::topology::MapEvent;

/// Lists the kinds once, for both the type and the array of all kinds.
macro_rules! kinds {
    ($($kind:ident,)*) => {
        /// The kinds of events in a game, apart from orders. The order is that of the tables' documentation.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[allow(missing_docs)] // documented once, in `EventInfo::meaning`
        pub enum EventKind {
            $($kind,)*
        }

        impl EventKind {
            /// All kinds, in the order of the documentation.
            pub const ALL: [EventKind; [$(stringify!($kind)),*].len()] = [$(EventKind::$kind,)*];
        }
    };
}

kinds! {
    HoleDrawn,
    Collapsed,
    Voided,
    Restored,
    SplitDrawn,
    Split,
    CentreDoubled,
    UnitDoubled,
    CentreReturned,
    CentreFounded,
    Swallowed,
    UnitReturned,
    Submerged,
    Separated,
    Connected,
    Opened,
    ExemptNamed,
    ExemptDrawn,
    ExemptChanged,
    ExemptLapsed,
    ExemptAnnounced,
    CoastLost,
    CoastMoved,
    Destroyed,
    Trapped,
    Embarked,
    Landed,
    BecameFleet,
    LostAtSea,
    Dislodged,
    Retreated,
    Disbanded,
    Captured,
    CentreLost,
    Built,
    Removed,
    Waived,
    Eliminated,
    Revived,
    BotFault,
    Won,
    Drawn,
}

/// The properties of a kind of events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EventInfo {
    /// The kind.
    pub kind: EventKind,
    /// The name in tables and files: `hole_drawn`.
    pub name: &'static str,
    /// A description in terms of the columns of the table `events`.
    pub meaning: &'static str,
    /// The sentence for readers.
    pub sentence: EventSentence,
    /// The subject of the event.
    pub subject: Subject,
    /// Its effect on the map.
    pub change: Option<MapChange>,
    /// The draws of nature that it reveals: its province is one of those that were drawn.
    pub reveals: &'static [Draw],
    /// Its entry in the account of its power's season.
    pub entry: Option<AccountEntry>,
    /// The stage whose orders already report it with their results.
    pub said_in: Option<&'static str>,
}

/// A sentence about an event, with the columns of its row in braces: `{province}`, `{power}`, `{other}` and
/// `{detail}`. `{unit}` is the whole unit, `France's A PAR`; `{letters}` its letters alone; and `{powers}`
/// the powers that `detail` lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EventSentence {
    /// The sentence.
    pub text: &'static str,
    /// The sentence to use if this column is empty.
    pub without: Option<(EventColumn, &'static str)>,
}

/// A column that may be empty in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventColumn {
    /// The power that is affected or that acts.
    Power,
    /// The other power involved.
    Other,
    /// Everything that does not fit into the other columns.
    Detail,
}

/// The subject of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A province, or a unit or centre in one.
    Province,
    /// A power or its bot.
    Power,
    /// The game.
    Game,
}

/// The effect of an event on the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MapChange {
    /// The province collapses into a point.
    Collapse,
    /// The province becomes impassable.
    Void,
    /// A hole is restored.
    Restore,
    /// The province becomes a sea.
    Submerge,
    /// The province can be entered.
    Open,
    /// The province is divided into `province` and `detail`.
    Split,
    /// The province loses a border; `detail` is the [`MapEvent`].
    Separate,
    /// The province gets a border; `detail` is the [`MapEvent`].
    Connect,
    /// The province becomes a supply centre.
    Found,
}

impl MapChange {
    /// The change of the province with this name, for changes that involve only a province.
    pub(crate) fn of(self, province: &str) -> Option<MapEvent> {
        let name = province.to_owned();
        match self {
            MapChange::Collapse => Some(MapEvent::Collapse(name)),
            MapChange::Void => Some(MapEvent::Void(name)),
            MapChange::Restore => Some(MapEvent::Restore(name)),
            MapChange::Submerge => Some(MapEvent::Submerge(name)),
            MapChange::Open => Some(MapEvent::Open(name)),
            MapChange::Split | MapChange::Separate | MapChange::Connect | MapChange::Found => None,
        }
    }
}

/// An entry in the account of a power's season: the fate of the event's units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccountEntry {
    /// Raised.
    Built,
    /// Removed by an order, or in the absence of one.
    Removed,
    /// Dislodged.
    Dislodged,
    /// Lost without an order of their power.
    Lost,
    /// Gained without being built.
    Gained,
}

impl EventInfo {
    /// A kind of events with a province as subject and no other effects that are counted.
    pub(crate) const fn new(
        kind: EventKind,
        name: &'static str,
        meaning: &'static str,
        sentence: &'static str,
    ) -> EventInfo {
        EventInfo {
            kind,
            name,
            meaning,
            sentence: EventSentence { text: sentence, without: None },
            subject: Subject::Province,
            change: None,
            reveals: &[],
            entry: None,
            said_in: None,
        }
    }

    /// The same, with another sentence if a column is empty.
    pub(crate) const fn without(mut self, column: EventColumn, sentence: &'static str) -> EventInfo {
        self.sentence.without = Some((column, sentence));
        self
    }

    /// The same, with this effect on the map.
    pub(crate) const fn changes(mut self, change: MapChange) -> EventInfo {
        self.change = Some(change);
        self
    }

    /// The same, revealing these draws.
    pub(crate) const fn reveals(mut self, draws: &'static [Draw]) -> EventInfo {
        self.reveals = draws;
        self
    }

    /// The same, with this entry in the account.
    pub(crate) const fn counts(mut self, entry: AccountEntry) -> EventInfo {
        self.entry = Some(entry);
        self
    }

    /// The same, with this subject.
    pub(crate) const fn of(mut self, subject: Subject) -> EventInfo {
        self.subject = subject;
        self
    }

    /// The same, already reported by the orders of this stage.
    pub(crate) const fn said_in(mut self, stage: &'static str) -> EventInfo {
        self.said_in = Some(stage);
        self
    }
}
