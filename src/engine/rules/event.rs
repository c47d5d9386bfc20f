//! The events of a game, apart from the orders, as they are reported to logs.
//!
//! An [`Event`] is the form that programs use. Its [`Description`] has the same content in the columns of a
//! table row, whatever the kind. The [`EventInfo`] of its kind is all that logs, replays, pictures and
//! figures need in order to treat it like any other.

mod description;
mod kind;

pub use description::{Description, Detail};
pub use kind::{AccountEntry, EventColumn, EventInfo, EventKind, EventSentence, MapChange, Subject};

use super::conduct::Conduct;
use super::map_tables::MapTables;
use super::nature::Draw;
use super::position::{Dislodged, Phase, Position, Unit};
use super::refused::RefusedOrder;
use super::settlement::Settlement;
use upheaval_map::ids::{Location, Power, ProvinceId};
use upheaval_map::topology::{HalfEdgeId, MapEvent};

/// Something that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// Nature drew the province as the season's hole.
    HoleDrawn(ProvinceId),
    /// The province collapsed into a point (rules.md 1.4).
    Collapsed(ProvinceId),
    /// The province became impassable (rules.md 1.5).
    Voided(ProvinceId),
    /// A hole was restored (rules.md 4.8, 4.10).
    Restored(ProvinceId),
    /// The province sank and is now a sea (rules.md 6.3).
    Submerged(ProvinceId),
    /// A formerly impassable province can now be entered (rules.md 6.5).
    Opened(ProvinceId),
    /// The province became a supply centre, of this power if any (rules.md 6.4).
    CentreFounded(ProvinceId, Option<Power>),
    /// Nature drew the province to be split, and the cards say where the new border ends; reported before the
    /// split.
    SplitDrawn(ProvinceId, [HalfEdgeId; 2]),
    /// A province was split into these halves (rules.md 4.11).
    Split([ProvinceId; 2]),
    /// The owner of a split centre also owns its second half.
    CentreDoubled(ProvinceId, Power),
    /// A unit of a split province stays in one half; a new unit of its power appeared in the other.
    UnitDoubled {
        /// The half in which the unit stays.
        stays: ProvinceId,
        /// The half with the new unit.
        new: ProvinceId,
        /// The new unit.
        unit: Unit,
    },
    /// A restored home centre has an owner again (rules.md 4.10).
    CentreReturned(ProvinceId, Power),
    /// A unit vanished with the face that it was in or was ordered into, and will return with it (rules.md
    /// 4.8).
    Swallowed {
        /// The face.
        face: ProvinceId,
        /// The former place of the unit, if it was ordered to move into the face and is not in it.
        entering_from: Option<ProvinceId>,
        /// The unit.
        unit: Unit,
    },
    /// A unit returned with its face.
    UnitReturned(ProvinceId, Unit),
    /// A power changed its exempt centre to its last home centre (rr01, rule 6). A secret.
    ExemptChanged(Power, ProvinceId),
    /// The exemption of an eliminated power lapsed (rr01, rule 8). A secret.
    ExemptLapsed(Power, ProvinceId),
    /// A power had its exempt centre announced (rr01, rule 7).
    ExemptAnnounced(Power, ProvinceId),
    /// A power named its exempt centre. A secret (rules.md 4.5).
    ExemptNamed(Power, ProvinceId),
    /// The exempt centre of a power that did not name one was drawn. A secret.
    ExemptDrawn(Power, ProvinceId),
    /// The first two lost their common border, and the other two touch in its place (rules.md 8.1).
    Separated([ProvinceId; 2], [ProvinceId; 2]),
    /// The two were joined by a border through the third (rules.md 8.1).
    Released([ProvinceId; 2], ProvinceId),
    /// A fleet lost its last coast and is trapped (rules.md 8.8).
    Trapped(ProvinceId, Unit),
    /// An army boarded a fleet of its power (army/fleet rules 1 and 5).
    Embarked {
        /// The former place of the army.
        from: ProvinceId,
        /// The place of the fleet before anything moved.
        fleet: ProvinceId,
        /// Their owner.
        power: Power,
    },
    /// An army landed (army/fleet rule 3).
    Landed {
        /// The place of its fleet before anything moved.
        fleet: ProvinceId,
        /// The place of the army now.
        to: ProvinceId,
        /// Its owner.
        power: Power,
    },
    /// An army became this fleet (ru10 rule 2).
    BecameFleet(ProvinceId, Unit),
    /// An army was aboard for too long and is lost (army/fleet rule 7); the province is that of its fleet.
    LostAtSea(ProvinceId, Power),
    /// A unit was forced out of its province.
    Dislodged(Dislodged),
    /// A dislodged unit retreated.
    Retreated(Dislodged, Location),
    /// A dislodged unit left the board.
    Disbanded(Dislodged),
    /// A unit vanished with its province.
    Destroyed(ProvinceId, Unit),
    /// A fleet's coast has vanished, and the province has no other: the fleet is lost (rules.md 2.4).
    CoastLost(ProvinceId, Unit),
    /// A fleet's coast split or vanished; the fleet is now on this one (rules.md 2.1, 2.3).
    CoastMoved(ProvinceId, Unit),
    /// A centre changed hands.
    Captured {
        /// The centre.
        centre: ProvinceId,
        /// The new owner.
        by: Power,
        /// The former owner.
        from: Option<Power>,
    },
    /// A centre that a power owned vanished.
    CentreLost(ProvinceId, Power),
    /// A power built a unit.
    Built(Power, ProvinceId, Unit),
    /// A power disbanded a unit.
    Removed(Power, ProvinceId, Unit),
    /// A power waived a build.
    Waived(Power),
    /// A power has no units or centres left.
    Eliminated(Power),
    /// An eliminated power has a unit or centre again, and resumes play (rules.md 7).
    Revived(Power),
    /// This number of orders of the power's bot was refused in this phase.
    Refused(Power, u32),
    /// The power's bot had another fault.
    Faulted(Power, Conduct),
    /// A power won.
    Won(Power),
    /// The last year is over, or no power is left: a draw of these powers.
    Drawn(Vec<Power>),
    /// An event of a mechanism from outside of this library.
    Custom(CustomEvent),
}

/// An event of a mechanism from outside of this library ([`super::mechanism::custom`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CustomEvent {
    /// The name that its mechanism gives it: `drifted`.
    pub name: &'static str,
    /// The kind under which it appears in tables, pictures and figures: the nearest in the closed list of
    /// kinds, so that files can be read without the mechanism.
    pub kind: EventKind,
    /// The province, if any.
    pub province: Option<ProvinceId>,
    /// The power that is affected or that acts.
    pub power: Option<Power>,
    /// The content of the column `detail`, according to the meaning of the kind.
    pub detail: Option<String>,
    /// The draw that it reveals: the province was drawn for this.
    pub reveals: Option<Draw>,
    /// The change of the map, for bots that keep a map of their own.
    pub change: Option<MapEvent>,
}

/// A recipient of a game's events. Every method is optional.
///
/// `terrain` is the ground at that moment: for example, a collapse is reported after the change.
#[allow(unused_variables)]
pub trait Log {
    /// An event happened.
    fn event(&mut self, at: Phase, terrain: &MapTables, event: &Event) {}

    /// The orders of a stage were settled. Where retreats are sent with the orders, they are settled after the movement.
    fn settled(&mut self, settlement: &Settlement<'_>) {}

    /// Orders of a power were refused. The log receives them before the orders of the stage are settled.
    fn refused(&mut self, at: Phase, terrain: &MapTables, power: Power, refused: &[RefusedOrder]) {}

    /// A season has ended with this position. `at` is its last phase.
    fn season(&mut self, at: Phase, terrain: &MapTables, position: &Position) {}
}

/// Ignores all events.
impl Log for () {}

/// Two logs of one game; the first one receives each event first.
pub struct Both<'a> {
    /// The first log.
    pub first: &'a mut dyn Log,
    /// The second log.
    pub second: &'a mut dyn Log,
}

impl Both<'_> {
    fn tell(&mut self, tell: impl Fn(&mut dyn Log)) {
        tell(self.first);
        tell(self.second);
    }
}

impl Log for Both<'_> {
    fn event(&mut self, at: Phase, terrain: &MapTables, event: &Event) {
        self.tell(|log| log.event(at, terrain, event));
    }

    fn settled(&mut self, settlement: &Settlement<'_>) {
        self.tell(|log| log.settled(settlement));
    }

    fn refused(&mut self, at: Phase, terrain: &MapTables, power: Power, refused: &[RefusedOrder]) {
        self.tell(|log| log.refused(at, terrain, power, refused));
    }

    fn season(&mut self, at: Phase, terrain: &MapTables, position: &Position) {
        self.tell(|log| log.season(at, terrain, position));
    }
}
