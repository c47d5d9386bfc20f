//! The mechanisms of variants, each in a file of its own: its parameters ([`MechanismSection`]), its actions and their
//! times ([`Act`], which has a drawing of the season), and the descriptions of its events.
//!
//! To add a mechanism, add its file and its line in the list below. A mechanism outside of this library needs
//! no line ([`custom`]).

pub mod custom;
pub mod deluge;
pub mod draw;
pub mod exemption;
pub mod holes;
pub mod restores;
pub mod section;
pub mod seismic;
pub mod splits;
pub mod toggles;

use serde::Serialize;

pub use crate::rules::mechanism::section::{
    Act, Context, Declarations, FirstOrders, Key, MechanismSection, Movement, PermittedValues,
};
pub use custom::{Custom, MechanismRegistry};
pub use deluge::Deluge;
pub use draw::{Closure, Faces, Seasons};
pub use exemption::Exemption;
pub use holes::Holes;
pub use restores::Restores;
pub use seismic::Seismic;
pub use splits::Splits;
pub use toggles::Toggles;

/// Passes the list of mechanisms to a macro: the name of the section, and the type of the parameters. The
/// order is that of the file, and the order in which they act at the same point of a season (rr07 rule 2).
macro_rules! each_mechanism {
    ($then:ident) => {
        $then! {
            /// Each power may have one home centre spared.
            exemption: Exemption,
            /// Provinces fall into black holes.
            holes: Holes,
            /// Black holes are restored.
            restores: Restores,
            /// Provinces split in two.
            splits: Splits,
            /// Open faces become black holes, and holes are restored.
            toggles: Toggles,
            /// Provinces sink, become centres, and open.
            deluge: Deluge,
            /// Powers order the borders to move, in a phase of its own.
            seismic: Seismic,
        }
    };
}
pub(in crate::rules) use each_mechanism;

macro_rules! mechanism {
    ($($(#[$meaning:meta])* $section:ident: $Mechanism:ident,)*) => {
        /// One mechanism of a variant with its parameters.
        #[derive(Clone, PartialEq, Eq, Debug, Serialize)]
        #[serde(tag = "kind", rename_all = "kebab-case")]
        pub enum Mechanism {
            $($(#[$meaning])* $Mechanism($Mechanism),)*
            /// A mechanism from outside of this library.
            #[serde(untagged)]
            Custom(Custom),
        }

        impl Mechanism {
            /// Its actions at the points of a season.
            pub(crate) fn act(&self) -> &dyn Act {
                match self {
                    $(Mechanism::$Mechanism(mechanism) => mechanism,)*
                    Mechanism::Custom(custom) => custom.act(),
                }
            }

            /// Its keys in a variant file.
            pub(crate) fn keys(&self) -> &'static [Key] {
                match self {
                    $(Mechanism::$Mechanism(_) => $Mechanism::KEYS,)*
                    Mechanism::Custom(custom) => custom.keys(),
                }
            }
        }

        /// The keys of all mechanisms of this library, section by section.
        pub(in crate::rules) const KEYS: &[&[Key]] = &[$($Mechanism::KEYS),*];

        /// The events of all mechanisms of this library, section by section.
        pub(in crate::rules) const EVENTS: &[&[crate::rules::event::EventInfo]] = &[$($Mechanism::EVENTS),*];
    };
}
each_mechanism!(mechanism);
