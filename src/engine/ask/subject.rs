//! What a decision is about.

use super::{Ask, Public};
use upheaval_map::ids::{Location, ProvinceId};

/// What a possible decision is about: a power makes one decision, or several, about each subject.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The unit in this province.
    Unit(ProvinceId),
    /// The army aboard the fleet in this province, or ordered to it.
    Aboard(ProvinceId),
    /// The retreats of the unit in this province, if it is dislodged.
    Retreats(ProvinceId),
    /// The unit with this number among all that must retreat.
    Dislodged(usize),
    /// The fleet in this province, which has lost its coast.
    Fleet(ProvinceId),
    /// A site for a build.
    Site(ProvinceId),
    /// The power itself.
    Power,
}

impl Subject {
    /// Its text in a question: `A PAR`, `A PAR R`, `PAR`, `EXEMPT`.
    pub fn text(self, ask: &Ask, seen: Public<'_>) -> String {
        let names = seen.names();
        let unit = |at| seen.position().unit_named(names, at);
        match self {
            Subject::Unit(at) => unit(at).to_string(),
            Subject::Aboard(at) => format!("A aboard {}", unit(at)),
            Subject::Retreats(at) => format!("{} R", unit(at)),
            Subject::Dislodged(i) => {
                let dislodged = seen.dislodged().dislodged[i];
                let at = Location { province: dislodged.at, coast: dislodged.unit.coast };
                names.unit(at, dislodged.unit.designation()).to_string()
            }
            Subject::Fleet(at) => format!("F {}", names.province(at)),
            Subject::Site(at) => names.province(at).to_owned(),
            Subject::Power => ask.topic().to_owned(),
        }
    }
}
