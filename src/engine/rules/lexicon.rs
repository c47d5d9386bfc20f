//! The closed list of kinds of events, with all that logs, replays, pictures and figures need to know about each.

use upheaval_map::topology::MapEvent;

/// The properties of a kind of events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EventInfo {
    /// The kind.
    pub kind: EventKind,
    /// A description in terms of the columns of the table `events`.
    pub meaning: &'static str,
    /// The sentence for readers, with the columns of the event's row in braces: `{province}`, `{power}`, `{other}` and
    /// `{detail}`. `{unit}` is the whole unit, `France's A PAR`; `{letters}` its letters alone; and `{powers}` the
    /// powers that `detail` lists.
    pub sentence: &'static str,
    /// The sentence to use if this column is empty.
    pub without: Option<(EventColumn, &'static str)>,
    /// The subject of the event.
    pub subject: Subject,
    /// Its effect on the map.
    pub change: Option<MapChange>,
    /// Its entry in the account of its power's season.
    pub entry: Option<AccountEntry>,
    /// The stage whose orders already report it with their results.
    pub said_in: Option<&'static str>,
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
    /// The sea becomes land.
    Raise,
    /// The sea becomes ice.
    Freeze,
    /// A canal is dug through the province; `detail` is the [`MapEvent`].
    Dig,
    /// The canal that was dug through the province is filled.
    Fill,
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
    /// The province is no longer a supply centre.
    Ruin,
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
            MapChange::Raise => Some(MapEvent::Raise(name)),
            MapChange::Freeze => Some(MapEvent::Freeze(name)),
            MapChange::Ruin => Some(MapEvent::Ruin(name)),
            MapChange::Open => Some(MapEvent::Open(name)),
            MapChange::Fill => Some(MapEvent::Fill(name)),
            MapChange::Dig
            | MapChange::Split
            | MapChange::Separate
            | MapChange::Connect
            | MapChange::Found => None,
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
    const fn new(kind: EventKind, meaning: &'static str, sentence: &'static str) -> EventInfo {
        EventInfo {
            kind,
            meaning,
            sentence,
            without: None,
            subject: Subject::Province,
            change: None,
            entry: None,
            said_in: None,
        }
    }
}

/// Lists the kinds: the name of each in tables and files, its meaning, its sentence, and what else is particular to it.
macro_rules! kinds {
    ($(
        $kind:ident = $name:literal: $meaning:literal, $sentence:literal $(, $field:ident: $value:expr)*;
    )*) => {
        upheaval_map::named! {
            /// The kinds of events in a game, apart from orders. The order is that of the tables' documentation.
            #[derive(PartialOrd, Ord, Hash)]
            #[allow(missing_docs)] // documented once, in `EventInfo::meaning`
            pub enum EventKind {
                $($kind = $name,)*
            }
        }

        impl EventKind {
            /// The properties of this kind.
            #[inline]
            pub fn info(self) -> &'static EventInfo {
                static INFOS: [EventInfo; EventKind::ALL.len()] = [$(EventInfo {
                    $($field: $value,)*
                    ..EventInfo::new(EventKind::$kind, $meaning, $sentence)
                }),*];
                &INFOS[self as usize]
            }

            /// May only the power of the event know of it (rules.md 4.5)?
            pub fn is_secret(self) -> bool {
                use EventKind::{ExemptChanged, ExemptDrawn, ExemptLapsed, ExemptNamed};
                matches!(self, ExemptNamed | ExemptDrawn | ExemptChanged | ExemptLapsed)
            }
        }
    };
}

kinds! {
    HoleDrawn = "hole_drawn":
        "nature drew `province` as a hole",
        "the hole of the season is {province}";
    PlaceDrawn = "place_drawn":
        "nature drew `province` for the entry that `detail` names",
        "{province} is drawn for `{detail}`";
    PlaceChosen = "place_chosen":
        "`province` comes first by the measure or the vote of the entry that `detail` names",
        "{province} comes first for `{detail}`";
    Collapsed = "collapsed":
        "`province` collapsed: its neighbours closed over it",
        "{province} collapses: its neighbours close over it",
        change: Some(MapChange::Collapse);
    Voided = "voided":
        "`province` became a void that nothing enters",
        "{province} becomes a void that nothing enters",
        change: Some(MapChange::Void);
    Restored = "restored":
        "`province` came back",
        "{province} comes back",
        change: Some(MapChange::Restore);
    SplitDrawn = "split_drawn":
        "nature drew `province` to split; `detail` says where",
        "the cards say {detail}";
    Split = "split":
        "a province split into `province` and `detail`",
        "a province splits into {province} and {detail}",
        change: Some(MapChange::Split);
    CentreDoubled = "centre_doubled":
        "`power` owns the new half `province` as a centre",
        "{power} owns the new half {province} too";
    UnitDoubled = "unit_doubled":
        "a new `unit` of `power` is in `province`; the old one is in `detail`",
        "{unit} is new, its twin stays in {detail}",
        entry: Some(AccountEntry::Gained);
    CentreReturned = "centre_returned":
        "`power` owns `province` again, which came back",
        "{power} owns {province} again";
    CentreFounded = "centre_founded":
        "`province` became a supply centre, owned by `power` if by anybody",
        "{province} becomes a supply centre of {power}",
        without: Some((EventColumn::Power, "{province} becomes a supply centre")),
        change: Some(MapChange::Found);
    CentreRuined = "centre_ruined":
        "`province` is no longer a supply centre",
        "{province} is no longer a supply centre",
        change: Some(MapChange::Ruin);
    Marked = "marked":
        "`province` was marked by an entry of the variant",
        "{province} is marked";
    Swallowed = "swallowed":
        "the `unit` vanished with `province`; `detail`: the place from which it was entering, null if it was there",
        "{unit}, entering from {detail}, is gone with the hole",
        without: Some((EventColumn::Detail, "{unit} is gone with the hole")),
        entry: Some(AccountEntry::Lost);
    UnitReturned = "unit_returned":
        "the `unit` of `power` came back with `province`",
        "{unit} comes back",
        entry: Some(AccountEntry::Gained);
    Submerged = "submerged":
        "`province` sank and is now sea",
        "{province} sinks into the sea",
        change: Some(MapChange::Submerge);
    Raised = "raised":
        "`province`, a sea before, is now land",
        "{province} rises from the sea",
        change: Some(MapChange::Raise);
    Frozen = "frozen":
        "`province`, a sea before, is now ice",
        "{province} freezes over",
        change: Some(MapChange::Freeze);
    Thawed = "thawed":
        "`province`, ice before, is sea again",
        "{province} thaws",
        change: Some(MapChange::Restore);
    Dug = "dug":
        "a canal was dug through `province`; `detail` names it and the two seas",
        "a canal joins two seas: {detail}",
        change: Some(MapChange::Dig);
    Filled = "filled":
        "the canal that was dug through `province` was filled",
        "the canal through {province} is filled",
        change: Some(MapChange::Fill);
    Separated = "separated":
        "`province` lost a border; `detail` says with which province, and which provinces touch instead",
        "the earth moves: {detail}",
        change: Some(MapChange::Separate);
    Connected = "connected":
        "`province` got a border; `detail` says with which province, and through which",
        "the earth moves: {detail}",
        change: Some(MapChange::Connect);
    Opened = "opened":
        "`province`, impassable before, can be entered",
        "{province} can be entered from now on",
        change: Some(MapChange::Open);
    Skipped = "skipped":
        "`province` stays as it is: the change that `detail` names does not fit it now",
        "{province} stays as it is: the change `{detail}` does not fit it now";
    ExemptNamed = "exempt_named":
        "`power` named `province` as exempt from holes",
        "{power} names {province} as exempt, in secret";
    ExemptDrawn = "exempt_drawn":
        "`province` of `power` was drawn as exempt",
        "{province} is drawn as exempt for {power}, in secret";
    ExemptChanged = "exempt_changed":
        "`power` changed its exempt centre to `province`",
        "{power} changes its exempt centre to {province}";
    ExemptLapsed = "exempt_lapsed":
        "`province` of `power` is no longer exempt",
        "{province} of {power} is exempt no longer";
    ExemptAnnounced = "exempt_announced":
        "`power` had `province` announced as exempt",
        "{power} has {province} announced as exempt";
    CoastLost = "coast_lost":
        "the `unit` in `province` is lost with its coast: there is no other",
        "{unit} is lost with its coast",
        entry: Some(AccountEntry::Lost);
    CoastMoved = "coast_moved":
        "a fleet's coast split or vanished; `detail` is its place now",
        "{power}'s fleet stands on {detail} now";
    Destroyed = "destroyed":
        "the map destroyed the `unit` in `province`",
        "{unit} is destroyed with its province",
        entry: Some(AccountEntry::Lost);
    Converted = "converted":
        "a unit of `power` in `province` that could not stay became this `unit`",
        "{power}'s unit in {province} becomes {letters} {province}";
    Trapped = "trapped":
        "the fleet in `province` no longer has a coast and may only hold",
        "{unit} is trapped without a coast";
    Embarked = "embarked":
        "the army of `power` in `province` went aboard the fleet that `detail` names",
        "{unit} goes {detail}",
        said_in: Some("movement");
    Landed = "landed":
        "an army of `power` landed in `province` out of the fleet that `detail` names",
        "{power}'s army lands in {province} {detail}",
        said_in: Some("movement");
    BecameFleet = "became_fleet":
        "the army in `province` became a fleet",
        "{power}'s army in {province} becomes a fleet",
        said_in: Some("movement");
    LostAtSea = "lost_at_sea":
        "the army aboard the fleet in `province` was lost because it was aboard for longer than allowed",
        "{power}'s army aboard in {province} is lost",
        entry: Some(AccountEntry::Lost);
    Dislodged = "dislodged":
        "the `unit` in `province` must retreat; `detail`: where the attack came from, null if the map changed",
        "{unit} is dislodged {detail}",
        entry: Some(AccountEntry::Dislodged), said_in: Some("movement");
    Retreated = "retreated":
        "the `unit` retreated from `province` to `detail`",
        "{unit} retreats to {detail}",
        said_in: Some("retreats");
    Disbanded = "disbanded":
        "the `unit` dislodged from `province` left the board",
        "{unit} has nowhere to go and disbands",
        entry: Some(AccountEntry::Lost), said_in: Some("retreats");
    Captured = "captured":
        "`power` took the centre `province` from `other`",
        "{power} takes {province} from {other}",
        without: Some((EventColumn::Other, "{power} takes {province}"));
    CentreLost = "centre_lost":
        "the centre `province` of `power` ceased to exist",
        "{power} loses the centre {province}, which no longer exists";
    Built = "built":
        "`power` built a `unit` in `province`",
        "{power} builds {letters} {province}",
        entry: Some(AccountEntry::Built), said_in: Some("adjustments");
    Removed = "removed":
        "`power` removed its `unit` in `province`",
        "{unit} is removed",
        entry: Some(AccountEntry::Removed), said_in: Some("adjustments");
    Waived = "waived":
        "`power` left a build unused",
        "{power} leaves a build unused",
        subject: Subject::Power, said_in: Some("adjustments");
    Eliminated = "eliminated":
        "`power` has neither unit nor centre; it may be `revived` later",
        "{power} is eliminated",
        subject: Subject::Power;
    Revived = "revived":
        "`power`, eliminated before, has a unit or centre again",
        "{power} is back in the game",
        subject: Subject::Power;
    BotFault = "bot_fault":
        "the bot of `power` was at fault; `detail` says how: `timeout`, `crash`, `stall`, `protocol`, or how many of \
         its orders were illegal",
        "{power}'s bot is at fault: {detail}",
        subject: Subject::Power;
    Won = "won":
        "`power` won alone",
        "{power} wins alone",
        subject: Subject::Game;
    Drawn = "drawn":
        "the game was drawn; `detail` names the powers, empty if nobody was left",
        "a draw of {powers}",
        without: Some((EventColumn::Detail, "nobody is left")), subject: Subject::Game;
}
