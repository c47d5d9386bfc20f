//! What can happen, as a closed list of kinds, and all that logs, replays, pictures and figures must know of each.
//!
//! A kind is described once, by an [`EventInfo`] in the file of the mechanism that tells it, or in
//! `src/engine/rules/lexicon.rs`, which puts the table of all of them together.

use crate::rules::nature::Draw;
use upheaval_map::topology::MapEvent;

/// Lists the kinds once, for the type and for the array of all of them.
macro_rules! kinds {
    ($($kind:ident,)*) => {
        /// What can happen in a game, apart from orders. The order is that of the tables' documentation.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        #[allow(missing_docs)] // said once, in `EventInfo::meaning`
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

/// What there is to know of a kind of events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EventInfo {
    /// The kind.
    pub kind: EventKind,
    /// The word for it in tables and files: `hole_drawn`.
    pub name: &'static str,
    /// What happened, in terms of the columns of the table `events`.
    pub meaning: &'static str,
    /// How people read it.
    pub sentence: Sentence,
    /// What it happens to.
    pub subject: Subject,
    /// What it does to the map.
    pub change: Option<MapChange>,
    /// The draws of nature that it makes known: its province is one of those that were drawn.
    pub reveals: &'static [Draw],
    /// What it is in the account of its power's season.
    pub entry: Option<Entry>,
    /// The stage whose orders say it already, with their results.
    pub said_in: Option<&'static str>,
}

/// A sentence about an event, with the columns of its row in braces: `{province}`, `{power}`, `{other}` and `{detail}`;
/// `{unit}` is the whole unit, `France's A PAR`, `{letters}` its letters alone, and `{powers}` the powers that `detail`
/// lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sentence {
    /// The sentence.
    pub text: &'static str,
    /// What is said where this column is empty.
    pub without: Option<(Column, &'static str)>,
}

/// A column that a row may leave empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Column {
    /// To whom it happened, or by whom.
    Power,
    /// The other power in it.
    Other,
    /// What the other columns have no place for.
    Detail,
}

/// What an event happens to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A province, or a unit or centre in one.
    Province,
    /// A power or its bot.
    Power,
    /// The game.
    Game,
}

/// What an event does to the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MapChange {
    /// The province collapses into a point.
    Collapse,
    /// The province becomes impassable.
    Void,
    /// A hole comes back.
    Restore,
    /// The province becomes a sea.
    Submerge,
    /// The province can be entered.
    Open,
    /// The province becomes two, `province` and `detail`.
    Split,
    /// The province loses a border; `detail` is the [`MapEvent`].
    Separate,
    /// The province gets a border; `detail` is the [`MapEvent`].
    Connect,
    /// The province becomes a supply centre.
    Found,
}

impl MapChange {
    /// The change of the province with this name, where the province is all there is to say.
    pub fn of(self, province: &str) -> Option<MapEvent> {
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

/// A line in the account of a power's season: what becomes of the units of the event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// Raised.
    Built,
    /// Taken off by an order, or for want of one.
    Removed,
    /// Forced out.
    Dislodged,
    /// Gone without an order of their power.
    Lost,
    /// Got without being built.
    Gained,
}

impl EventInfo {
    /// A kind of events that happen to a province and do nothing else that anybody counts.
    pub const fn new(
        kind: EventKind,
        name: &'static str,
        meaning: &'static str,
        sentence: &'static str,
    ) -> EventInfo {
        EventInfo {
            kind,
            name,
            meaning,
            sentence: Sentence { text: sentence, without: None },
            subject: Subject::Province,
            change: None,
            reveals: &[],
            entry: None,
            said_in: None,
        }
    }

    /// With another sentence where a column is empty.
    pub const fn without(mut self, column: Column, sentence: &'static str) -> EventInfo {
        self.sentence.without = Some((column, sentence));
        self
    }

    /// Which does this to the map.
    pub const fn changes(mut self, change: MapChange) -> EventInfo {
        self.change = Some(change);
        self
    }

    /// Which makes these draws known.
    pub const fn reveals(mut self, draws: &'static [Draw]) -> EventInfo {
        self.reveals = draws;
        self
    }

    /// Which counts as this.
    pub const fn counts(mut self, entry: Entry) -> EventInfo {
        self.entry = Some(entry);
        self
    }

    /// Which happens to this.
    pub const fn of(mut self, subject: Subject) -> EventInfo {
        self.subject = subject;
        self
    }

    /// Which the orders of this stage say already.
    pub const fn said_in(mut self, stage: &'static str) -> EventInfo {
        self.said_in = Some(stage);
        self
    }
}
