//! The descriptions of all events.

use super::event::{AccountEntry, EventColumn, EventInfo, EventKind, MapChange, Subject};

/// The events of the game itself: about units, centres, powers, bots, and the ending.
const OF_THE_GAME: &[EventInfo] = &[
    EventInfo::new(
        EventKind::CoastLost,
        "the `unit` in `province` is lost with its coast: there is no other",
        "{unit} is lost with its coast",
    )
    .counts(AccountEntry::Lost),
    EventInfo::new(
        EventKind::CoastMoved,
        "a fleet's coast split or vanished; `detail` is its place now",
        "{power}'s fleet stands on {detail} now",
    ),
    EventInfo::new(
        EventKind::Destroyed,
        "the map destroyed the `unit` in `province`",
        "{unit} is destroyed with its province",
    )
    .counts(AccountEntry::Lost),
    EventInfo::new(
        EventKind::Embarked,
        "the army of `power` in `province` went aboard the fleet that `detail` names",
        "{unit} goes {detail}",
    )
    .said_in("movement"),
    EventInfo::new(
        EventKind::Landed,
        "an army of `power` landed in `province` out of the fleet that `detail` names",
        "{power}'s army lands in {province} {detail}",
    )
    .said_in("movement"),
    EventInfo::new(
        EventKind::BecameFleet,
        "the army in `province` became a fleet",
        "{power}'s army in {province} becomes a fleet",
    )
    .said_in("movement"),
    EventInfo::new(
        EventKind::LostAtSea,
        "the army aboard the fleet in `province` was lost because it was aboard for longer than allowed",
        "{power}'s army aboard in {province} is lost",
    )
    .counts(AccountEntry::Lost),
    EventInfo::new(
        EventKind::Dislodged,
        "the `unit` in `province` must retreat; `detail`: where the attack came from, null if the face came back",
        "{unit} is dislodged {detail}",
    )
    .counts(AccountEntry::Dislodged)
    .said_in("movement"),
    EventInfo::new(
        EventKind::Retreated,
        "the `unit` retreated from `province` to `detail`",
        "{unit} retreats to {detail}",
    )
    .said_in("retreats"),
    EventInfo::new(
        EventKind::Disbanded,
        "the `unit` dislodged from `province` left the board",
        "{unit} has nowhere to go and disbands",
    )
    .counts(AccountEntry::Lost)
    .said_in("retreats"),
    EventInfo::new(
        EventKind::Captured,
        "`power` took the centre `province` from `other`",
        "{power} takes {province} from {other}",
    )
    .without(EventColumn::Other, "{power} takes {province}"),
    EventInfo::new(
        EventKind::CentreLost,
        "the centre `province` of `power` ceased to exist",
        "{power} loses the centre {province}, which no longer exists",
    ),
    EventInfo::new(
        EventKind::Built,
        "`power` built a `unit` in `province`",
        "{power} builds {letters} {province}",
    )
    .counts(AccountEntry::Built)
    .said_in("adjustments"),
    EventInfo::new(
        EventKind::Removed,
        "`power` removed its `unit` in `province`",
        "{unit} is removed",
    )
    .counts(AccountEntry::Removed)
    .said_in("adjustments"),
    EventInfo::new(
        EventKind::Waived,
        "`power` left a build unused",
        "{power} leaves a build unused",
    )
    .of(Subject::Power)
    .said_in("adjustments"),
    EventInfo::new(
        EventKind::Eliminated,
        "`power` has neither unit nor centre; it may be `revived` later",
        "{power} is eliminated",
    )
    .of(Subject::Power),
    EventInfo::new(
        EventKind::Revived,
        "`power`, eliminated before, has a unit or centre again",
        "{power} is back in the game",
    )
    .of(Subject::Power),
    EventInfo::new(
        EventKind::BotFault,
        "the bot of `power` was at fault; `detail` says how: `timeout`, `crash`, `stall`, `protocol`, or how many of \
         its orders were illegal",
        "{power}'s bot is at fault: {detail}",
    )
    .of(Subject::Power),
    EventInfo::new(EventKind::Won, "`power` won alone", "{power} wins alone").of(Subject::Game),
    EventInfo::new(
        EventKind::Drawn,
        "the game was drawn; `detail` names the powers, empty if nobody was left",
        "a draw of {powers}",
    )
    .without(EventColumn::Detail, "nobody is left")
    .of(Subject::Game),
];

/// The events of changes of the map, and of marks.
const OF_CHANGES: &[EventInfo] = &[
    EventInfo::new(
        EventKind::ExemptNamed,
        "`power` named `province` as exempt from holes",
        "{power} names {province} as exempt, in secret",
    ),
    EventInfo::new(
        EventKind::ExemptDrawn,
        "`province` of `power` was drawn as exempt",
        "{province} is drawn as exempt for {power}, in secret",
    ),
    EventInfo::new(
        EventKind::ExemptChanged,
        "`power` changed its exempt centre to `province`",
        "{power} changes its exempt centre to {province}",
    ),
    EventInfo::new(
        EventKind::ExemptLapsed,
        "`province` of `power` is no longer exempt",
        "{province} of {power} is exempt no longer",
    ),
    EventInfo::new(
        EventKind::ExemptAnnounced,
        "`power` had `province` announced as exempt",
        "{power} has {province} announced as exempt",
    ),
    EventInfo::new(
        EventKind::HoleDrawn,
        "nature drew `province` as a hole",
        "the hole of the season is {province}",
    ),
    EventInfo::new(
        EventKind::Collapsed,
        "`province` collapsed: its neighbours closed over it",
        "{province} collapses: its neighbours close over it",
    )
    .changes(MapChange::Collapse),
    EventInfo::new(
        EventKind::Voided,
        "`province` became a void that nothing enters",
        "{province} becomes a void that nothing enters",
    )
    .changes(MapChange::Void),
    EventInfo::new(EventKind::Restored, "`province` came back", "{province} comes back")
        .changes(MapChange::Restore),
    EventInfo::new(
        EventKind::CentreReturned,
        "`power` owns `province` again, which came back",
        "{power} owns {province} again",
    ),
    EventInfo::new(
        EventKind::SplitDrawn,
        "nature drew `province` to split; `detail` says where",
        "the cards say {detail}",
    ),
    EventInfo::new(
        EventKind::Split,
        "a province split into `province` and `detail`",
        "a province splits into {province} and {detail}",
    )
    .changes(MapChange::Split),
    EventInfo::new(
        EventKind::CentreDoubled,
        "`power` owns the new half `province` as a centre",
        "{power} owns the new half {province} too",
    ),
    EventInfo::new(
        EventKind::UnitDoubled,
        "a new `unit` of `power` is in `province`; the old one is in `detail`",
        "{unit} is new, its twin stays in {detail}",
    )
    .counts(AccountEntry::Gained),
    EventInfo::new(
        EventKind::Swallowed,
        "the `unit` vanished with `province`; `detail`: the place from which it was entering, null if it was there",
        "{unit}, entering from {detail}, is gone with the hole",
    )
    .without(EventColumn::Detail, "{unit} is gone with the hole")
    .counts(AccountEntry::Lost),
    EventInfo::new(
        EventKind::UnitReturned,
        "the `unit` of `power` came back with `province`",
        "{unit} comes back",
    )
    .counts(AccountEntry::Gained),
    EventInfo::new(
        EventKind::CentreFounded,
        "`province` became a supply centre, owned by `power` if by anybody",
        "{province} becomes a supply centre of {power}",
    )
    .without(EventColumn::Power, "{province} becomes a supply centre")
    .changes(MapChange::Found),
    EventInfo::new(
        EventKind::Submerged,
        "`province` sank and is now sea",
        "{province} sinks into the sea",
    )
    .changes(MapChange::Submerge),
    EventInfo::new(
        EventKind::Opened,
        "`province`, impassable before, can be entered",
        "{province} can be entered from now on",
    )
    .changes(MapChange::Open),
    EventInfo::new(
        EventKind::Separated,
        "`province` lost a border; `detail` says with which province, and which provinces touch instead",
        "the earth moves: {detail}",
    )
    .changes(MapChange::Separate),
    EventInfo::new(
        EventKind::Connected,
        "`province` got a border; `detail` says with which province, and through which",
        "the earth moves: {detail}",
    )
    .changes(MapChange::Connect),
    EventInfo::new(
        EventKind::Trapped,
        "the fleet in `province` no longer has a coast and may only hold",
        "{unit} is trapped without a coast",
    ),
];

/// All descriptions, by kind. The compiler checks that each kind is described exactly once.
static TABLE: [EventInfo; EventKind::ALL.len()] = table();

const fn table() -> [EventInfo; EventKind::ALL.len()] {
    let mut table: [Option<EventInfo>; EventKind::ALL.len()] = [None; EventKind::ALL.len()];
    enter(&mut table, OF_THE_GAME);
    enter(&mut table, OF_CHANGES);
    let mut full = [OF_THE_GAME[0]; EventKind::ALL.len()];
    let mut kind = 0;
    while kind < full.len() {
        full[kind] = table[kind].expect("a kind of events is described nowhere");
        kind += 1;
    }
    full
}

const fn enter(table: &mut [Option<EventInfo>; EventKind::ALL.len()], infos: &[EventInfo]) {
    let mut i = 0;
    while i < infos.len() {
        let place = infos[i].kind as usize;
        assert!(table[place].is_none(), "a kind of events is described twice");
        table[place] = Some(infos[i]);
        i += 1;
    }
}

impl EventKind {
    /// The properties of this kind.
    #[inline]
    pub fn info(self) -> &'static EventInfo {
        &TABLE[self as usize]
    }

    /// A description in terms of the other columns.
    pub fn meaning(self) -> &'static str {
        self.info().meaning
    }
}
