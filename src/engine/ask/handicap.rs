//! Handicaps: kinds of orders that a bot is denied. The difference in strength from the same bot without the
//! handicap is the value of that option of the rules.
//!
//! ```text
//!   Handicapped ─ handicap() ─▶ play ─▶ Observation::handicap ─▶ the bot plans by it, its answer refuses by it
//!        └─ everything else ─▶ the bot itself
//! ```

use crate::rules::order::{Order, Route};

/// What a bot can be denied.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Faculty {
    /// Moving armies by convoy, and convoying any army. Carrying an army aboard a fleet is not a convoy.
    Convoys,
    /// Supporting a unit in staying, moving or landing.
    Supports,
    /// Giving seismic orders.
    Seismic,
    /// Naming an exempt centre, changing it, and announcing it. The variant may draw one for the power.
    Exemptions,
}

impl Faculty {
    /// All faculties, in the order in which handicaps list them.
    pub const ALL: [Faculty; 4] =
        [Faculty::Convoys, Faculty::Supports, Faculty::Seismic, Faculty::Exemptions];

    /// The word in experiment files.
    pub const fn name(self) -> &'static str {
        match self {
            Faculty::Convoys => "convoys",
            Faculty::Supports => "supports",
            Faculty::Seismic => "seismic",
            Faculty::Exemptions => "exemptions",
        }
    }

    /// The faculty with this name.
    pub fn named(word: &str) -> Option<Faculty> {
        Faculty::ALL.into_iter().find(|faculty| faculty.name() == word)
    }

    /// The faculty that an order of the movement phase requires; `None` for orders that are never denied.
    #[inline]
    pub const fn needed_by(order: Order) -> Option<Faculty> {
        match order {
            Order::Convoy { .. } | Order::Move { route: Route::Convoy, .. } => Some(Faculty::Convoys),
            Order::SupportHold { .. } | Order::SupportMove { .. } | Order::SupportLanding { .. } => {
                Some(Faculty::Supports)
            }
            Order::Hold
            | Order::Move { route: Route::Direct, .. }
            | Order::Transform { .. }
            | Order::Embark { .. } => None,
        }
    }
}

/// The faculties that a bot is denied.
///
/// ```
/// use upheaval_engine::ask::{Faculty, Handicap};
///
/// let handicap: Handicap = [Faculty::Supports, Faculty::Convoys].into_iter().collect();
/// assert!(handicap.denies(Faculty::Supports) && !handicap.denies(Faculty::Seismic));
/// assert_eq!(handicap.iter().map(Faculty::name).collect::<Vec<_>>(), ["convoys", "supports"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Handicap(u8);

impl Handicap {
    /// The handicap that denies nothing.
    pub const NONE: Handicap = Handicap(0);

    /// Is nothing denied?
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Is this denied?
    #[inline]
    pub const fn denies(self, faculty: Faculty) -> bool {
        self.0 & 1 << faculty as u8 != 0
    }

    /// May this order of the movement phase be given?
    #[inline]
    pub fn allows(self, order: Order) -> bool {
        self.is_none() || Faculty::needed_by(order).is_none_or(|needed| !self.denies(needed))
    }

    /// The union of both handicaps.
    pub(crate) const fn and(self, other: Handicap) -> Handicap {
        Handicap(self.0 | other.0)
    }

    /// The denied faculties, in the order of [`Faculty::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Faculty> {
        Faculty::ALL.into_iter().filter(move |faculty| self.denies(*faculty))
    }
}

impl FromIterator<Faculty> for Handicap {
    fn from_iter<I: IntoIterator<Item = Faculty>>(denied: I) -> Self {
        denied.into_iter().fold(Handicap::NONE, |all, faculty| Handicap(all.0 | 1 << faculty as u8))
    }
}
