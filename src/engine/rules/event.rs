//! What happens in a game, apart from the orders, as it is told to whoever keeps a log.
//!
//! An [`Event`] is what a program looks at. Its [`Description`] is the same in the columns of a row, whatever happened.
//! The [`EventInfo`] of its kind is all that logs, replays, pictures and figures must know to treat it like any other.

mod description;
mod kind;

pub use description::{Description, Detail};
pub use kind::{Column, Entry, EventInfo, EventKind, MapChange, Sentence, Subject};

use super::adjustment::AdjustmentOutcome;
use super::conduct::Conduct;
use super::movement::Resolution;
use super::nature::Draw;
use super::order::{AdjustmentOrder, Orders, RetreatOrder};
use super::position::{Dislodged, Phase, Position, Retreats, Unit};
use super::retreat::RetreatOutcome;
use super::seismic::{SeismicOrders, SeismicOutcome};
use super::terrain::Terrain;
use upheaval_map::ids::{ByPower, Location, Power, ProvinceId};
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
    /// A hole came back (rules.md 4.8, 4.10).
    Restored(ProvinceId),
    /// The province sank and is a sea (rules.md 6.3).
    Submerged(ProvinceId),
    /// A province that was impassable can be entered from now on (rules.md 6.5).
    Opened(ProvinceId),
    /// The province became a supply centre, of this power's if of anybody's (rules.md 6.4).
    CentreFounded(ProvinceId, Option<Power>),
    /// Nature drew the province to be split, and the cards say where the new border ends; told before it is.
    SplitDrawn(ProvinceId, [HalfEdgeId; 2]),
    /// A province was split into these halves (rules.md 4.11).
    Split([ProvinceId; 2]),
    /// The owner of a split centre owns its second half too.
    CentreDoubled(ProvinceId, Power),
    /// A unit of a split province stays in the one half; in the other a new one of its power appeared.
    UnitDoubled {
        /// Where the unit stays.
        stays: ProvinceId,
        /// Where the new one is.
        new: ProvinceId,
        /// The new one.
        unit: Unit,
    },
    /// A home centre that came back is owned again (rules.md 4.10).
    CentreReturned(ProvinceId, Power),
    /// A unit vanished with the face that it stood in or was ordered into, and comes back with it (rules.md 4.8).
    Swallowed {
        /// The face.
        face: ProvinceId,
        /// Where the unit stood, if it was ordered to move there and is not there.
        entering_from: Option<ProvinceId>,
        /// The unit.
        unit: Unit,
    },
    /// A unit came back with its face.
    UnitReturned(ProvinceId, Unit),
    /// A power changed its exempt centre to its last home centre (rr01, rule 6). A secret.
    ExemptChanged(Power, ProvinceId),
    /// The exempt centre of an eliminated power is exempt no longer (rr01, rule 8). A secret.
    ExemptLapsed(Power, ProvinceId),
    /// A power had its exempt centre announced (rr01, rule 7).
    ExemptAnnounced(Power, ProvinceId),
    /// A power named its exempt centre. A secret (rules.md 4.5).
    ExemptNamed(Power, ProvinceId),
    /// The exempt centre of a power that named none was drawn. A secret.
    ExemptDrawn(Power, ProvinceId),
    /// The first two lost a border with each other, and the other two touch in its place (rules.md 8.1).
    Separated([ProvinceId; 2], [ProvinceId; 2]),
    /// The two were joined by a border through the third (rules.md 8.1).
    Released([ProvinceId; 2], ProvinceId),
    /// A fleet was left without a coast and is trapped (rules.md 8.8).
    Trapped(ProvinceId, Unit),
    /// An army went aboard a fleet of its power's (army/fleet rules 1 and 5).
    Embarked {
        /// Where it stood.
        from: ProvinceId,
        /// Where the fleet stood before anything moved.
        fleet: ProvinceId,
        /// Whose they are.
        power: Power,
    },
    /// An army landed (army/fleet rule 3).
    Landed {
        /// Where its fleet stood before anything moved.
        fleet: ProvinceId,
        /// Where it is now.
        to: ProvinceId,
        /// Whose it is.
        power: Power,
    },
    /// An army became this fleet (ru10 rule 2).
    BecameFleet(ProvinceId, Unit),
    /// An army was aboard for too long and is lost (army/fleet rule 7): where its fleet is.
    LostAtSea(ProvinceId, Power),
    /// A unit was forced out of its province.
    Dislodged(Dislodged),
    /// A dislodged unit went elsewhere.
    Retreated(Dislodged, Location),
    /// A dislodged unit left the board.
    Disbanded(Dislodged),
    /// A unit vanished with its province.
    Destroyed(ProvinceId, Unit),
    /// A fleet's coast is gone, and the province has no other: the fleet is lost (rules.md 2.4).
    CoastLost(ProvinceId, Unit),
    /// A fleet's coast split or vanished; it stands on this one now (rules.md 2.1, 2.3).
    CoastMoved(ProvinceId, Unit),
    /// A centre changed hands.
    Captured {
        /// The centre.
        centre: ProvinceId,
        /// Who owns it now.
        by: Power,
        /// Who owned it before.
        from: Option<Power>,
    },
    /// A centre that a power owned ceased to be.
    CentreLost(ProvinceId, Power),
    /// A power raised a unit.
    Built(Power, ProvinceId, Unit),
    /// A power disbanded a unit.
    Removed(Power, ProvinceId, Unit),
    /// A power left a build unused.
    Waived(Power),
    /// A power has neither unit nor centre left.
    Eliminated(Power),
    /// An eliminated power has a unit or centre again, and plays on (rules.md 7).
    Revived(Power),
    /// Orders of the power's bot were refused: so many, in this phase.
    Refused(Power, u32),
    /// The power's bot was at fault otherwise.
    Faulted(Power, Conduct),
    /// A power won.
    Won(Power),
    /// The last year is over, or nobody is left: a draw of these powers.
    Drawn(Vec<Power>),
    /// Something that a mechanism from outside of this library did.
    Custom(CustomEvent),
}

/// An event of a mechanism from outside of this library ([`super::mechanism::custom`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CustomEvent {
    /// What its mechanism calls it: `drifted`.
    pub name: &'static str,
    /// The kind as which it stands in tables, pictures and figures. Their words are a closed list, so that files can be
    /// read without the mechanism: of what is in the list this comes nearest.
    pub kind: EventKind,
    /// Where.
    pub province: Option<ProvinceId>,
    /// To whom, or by whom.
    pub power: Option<Power>,
    /// What the kind's meaning says of the column `detail`.
    pub detail: Option<String>,
    /// The draw that it makes known: the province was drawn for this.
    pub reveals: Option<Draw>,
    /// What it did to the map, for bots that keep a map of their own.
    pub change: Option<MapEvent>,
}

impl Event {
    /// Is it about a bot rather than the game?
    pub const fn is_of_bot(&self) -> bool {
        matches!(self, Event::Refused(..) | Event::Faulted(..))
    }
}

/// Whoever wants to know what happens in a game. Every method may be left out.
///
/// `terrain` is the ground as it is at that moment: events of a collapse are told after it.
#[allow(unused_variables)]
pub trait Log {
    /// Something happened.
    fn event(&mut self, at: Phase, terrain: &Terrain, event: &Event) {}

    /// Orders were settled. `position` is the one they were given in.
    fn movement(
        &mut self,
        at: Phase,
        terrain: &Terrain,
        position: &Position,
        orders: &Orders,
        resolution: &Resolution,
    ) {
    }

    /// Retreats were settled; the orders and outcomes stand in the order of the dislodged units.
    fn retreats(
        &mut self,
        at: Phase,
        terrain: &Terrain,
        retreats: &Retreats,
        orders: &[Option<RetreatOrder>],
        outcomes: &[RetreatOutcome],
    ) {
    }

    /// A power's adjustments were settled. `position` is the one they were given in.
    fn adjustments(
        &mut self,
        at: Phase,
        terrain: &Terrain,
        position: &Position,
        power: Power,
        orders: &[AdjustmentOrder],
        outcomes: &[AdjustmentOutcome],
    ) {
    }

    /// Seismic orders were settled; `terrain` is the ground they were given on.
    fn seismic(
        &mut self,
        at: Phase,
        terrain: &Terrain,
        orders: &SeismicOrders,
        outcomes: &ByPower<Option<SeismicOutcome>>,
    ) {
    }

    /// A season is over: this is what it left. `at` is its last phase.
    fn season(&mut self, at: Phase, terrain: &Terrain, position: &Position) {}
}

/// Nobody wants to know.
impl Log for () {}

/// Two listeners to one game; the first is told first.
pub struct Both<'a> {
    /// The one.
    pub first: &'a mut dyn Log,
    /// The other.
    pub second: &'a mut dyn Log,
}

impl Both<'_> {
    fn tell(&mut self, tell: impl Fn(&mut dyn Log)) {
        tell(self.first);
        tell(self.second);
    }
}

impl Log for Both<'_> {
    fn event(&mut self, at: Phase, terrain: &Terrain, event: &Event) {
        self.tell(|log| log.event(at, terrain, event));
    }

    fn movement(
        &mut self,
        at: Phase,
        terrain: &Terrain,
        position: &Position,
        orders: &Orders,
        resolution: &Resolution,
    ) {
        self.tell(|log| log.movement(at, terrain, position, orders, resolution));
    }

    fn retreats(
        &mut self,
        at: Phase,
        terrain: &Terrain,
        retreats: &Retreats,
        orders: &[Option<RetreatOrder>],
        outcomes: &[RetreatOutcome],
    ) {
        self.tell(|log| log.retreats(at, terrain, retreats, orders, outcomes));
    }

    fn adjustments(
        &mut self,
        at: Phase,
        terrain: &Terrain,
        position: &Position,
        power: Power,
        orders: &[AdjustmentOrder],
        outcomes: &[AdjustmentOutcome],
    ) {
        self.tell(|log| log.adjustments(at, terrain, position, power, orders, outcomes));
    }

    fn seismic(
        &mut self,
        at: Phase,
        terrain: &Terrain,
        orders: &SeismicOrders,
        outcomes: &ByPower<Option<SeismicOutcome>>,
    ) {
        self.tell(|log| log.seismic(at, terrain, orders, outcomes));
    }

    fn season(&mut self, at: Phase, terrain: &Terrain, position: &Position) {
        self.tell(|log| log.season(at, terrain, position));
    }
}
