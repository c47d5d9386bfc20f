//! The editions of the rules, as switches. Section numbers are those of the DATC (Diplomacy Adjudicator Test
//! Cases); wherever editions and engines disagree, there is a switch rather than a hidden special case.
//!
//! In a file a rulebook is either the name of a preset or a table that starts from one:
//!
//! ```toml
//! rulebook = "2023"
//! rulebook = { base = "2023", via_without_route = "walk" }
//! ```

use std::fmt;
use std::num::NonZeroU8;
use std::str::FromStr;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use super::position::Position;
use super::words::words;
use upheaval_map::ids::ProvinceId;

words! {
    /// 4.A.1: an army has several convoy routes and one of them is disrupted.
    SeveralRoutes {
        /// The army gets through while one complete route is intact.
        AnyRoute = "any-route",
        /// The army is stopped as soon as a fleet on one of its routes is dislodged.
        AllRoutes = "all-routes",
    }

    /// 4.A.2: the treatment of convoy paradoxes.
    ParadoxRule {
        /// Every convoy in the core of the paradox counts as disrupted: its army stays, and has no effect where
        /// it was ordered to.
        Szykman = "szykman",
        /// Rule XII.5 of 1971, whether there is a paradox or not: a convoyed army does not cut the support that
        /// the attacked fleet gives to an attack on one of the fleets that convoy it. [`ParadoxRule::Szykman`]
        /// resolves any remaining paradox.
        Xii5 = "xii5",
        /// The rule of 1982, whether there is a paradox or not: a convoyed army does not cut the support that the
        /// attacked fleet gives to an action in a sea with any convoying fleet, be it an attack on that fleet or
        /// its defence. [`ParadoxRule::Szykman`] resolves any remaining paradox.
        Rule1982 = "1982",
        /// All hold: every move in the core of the paradox fails, including the attacks on the convoying fleets,
        /// and every convoy in it is disrupted.
        Dptg = "dptg",
    }

    /// 4.A.3: when an army ordered to a neighbour goes by convoy.
    AdjacentConvoy {
        /// If its order says `VIA`, or if [`Rulebook::own_fleet_implies_via`] implies it.
        Via = "via",
        /// 1971, which has no `VIA`: if a route is ordered and intact, and the unit at the destination moves the
        /// opposite way; otherwise it walks.
        Opposite = "opposite",
    }

    /// 4.A.3: does a convoy order of the army's own power imply `VIA`? Such a convoy counts only if a complete
    /// route for it has been ordered.
    OwnFleetImpliesVia {
        /// It does.
        Yes = "yes",
        /// Only `VIA` counts.
        No = "no",
    }

    /// The fallback of an army that should reach a neighbour by convoy and cannot.
    Fallback {
        /// It stays.
        Stay = "stay",
        /// It goes by land.
        Walk = "walk",
    }

    /// 4.B.4: a support that names the coast of a destination with several coasts.
    SupportCoast {
        /// The coast must be the fleet's if the destination has several (6.B.9); otherwise, and for an army, it
        /// is ignored. A support that names no coast fits any coast (6.B.7).
        Match = "match",
        /// The coast is always ignored.
        Ignore = "ignore",
        /// The coast must always be the unit's, and must be named for a fleet that moves to one of several.
        Strict = "strict",
    }

    /// 4.A.5: retreat to the origin of an attacker that came by convoy.
    ConvoyedStart {
        /// Allowed.
        Allowed = "allowed",
        /// Not allowed, as for any other attacker.
        Forbidden = "forbidden",
    }

    /// 4.A.7: the effect of a dislodged unit's own move on the origin of its attacker.
    BeatenUnit {
        /// No effect if it was beaten in a head-to-head battle; otherwise it still keeps others out.
        HeadToHead = "head-to-head",
        /// No effect in any case.
        Never = "never",
    }

    /// 4.D.8: the centres from which the distance of a unit is measured when civil disorder removes units.
    DisbandDistance {
        /// From the centres its power owns, over any adjacency, whatever the kind of unit.
        Owned = "owned",
        /// From the power's home centres, by the shortest route the unit could take: a fleet by water, an army
        /// by land and, as if convoyed, by sea.
        Home = "home",
    }

    /// Which of several orders to one unit counts (rules.md 5).
    #[derive(Default)]
    RepeatedOrders {
        /// The first one.
        #[default]
        First = "first",
        /// The last one, which corrects those before it.
        Last = "last",
    }

    /// Whether an army on a coast may become a fleet (ru10 rule 2).
    #[allow(missing_docs)]
    #[derive(Default)]
    ArmyBecomesFleet {
        #[default]
        No = "no",
        Yes = "yes",
        /// Only in a centre that a power owns, and only if nobody attacks it (ru02).
        OwnedCentres = "owned-centres",
    }
}

/// Whether armies board fleets and stay there as army/fleets (ru10 rule 8). If they do, an ordinary convoy
/// crosses only one sea, by one fleet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize)]
pub enum ArmyFleets {
    /// They do not.
    No,
    /// They do.
    Yes {
        /// The largest number of movement phases that an army may end aboard; it is lost at the end of the
        /// next one (army/fleet rule 7). `None` means no limit.
        max_seasons_aboard: Option<NonZeroU8>,
    },
}

impl ArmyFleets {
    /// Does the rulebook have army/fleets?
    pub const fn allowed(self) -> bool {
        matches!(self, ArmyFleets::Yes { .. })
    }
}

/// Lists the switches of an edition once: for the rulebook, for its table in files, and for the rulebooks that differ
/// from another in one of them.
macro_rules! switches {
    ($($(#[$meaning:meta])* $switch:ident: $Kind:ty,)*) => {
        /// A rulebook: one value for each switch. The last two depend on the variant rather than the edition; a
        /// rulebook in a file or a request does not have them, and they come from the variant's section `[units]`.
        ///
        /// ```
        /// use upheaval_engine::rules::rulebook::Rulebook;
        /// let rulebook: Rulebook = "1971".parse()?;
        /// assert_ne!(rulebook, "2023".parse()?);
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize)]
        pub struct Rulebook {
            $($(#[$meaning])* pub $switch: $Kind,)*
            /// Which of several orders to one unit counts? No edition says it, so it is not among their switches.
            #[serde(skip_serializing_if = "is_first")]
            pub repeated_orders: RepeatedOrders,
            /// Do armies go aboard fleets?
            #[serde(skip_serializing_if = "is_without")]
            pub army_fleets: ArmyFleets,
            /// May armies become fleets?
            #[serde(skip_serializing_if = "is_never")]
            pub army_becomes_fleet: ArmyBecomesFleet,
        }

        /// The table form: switches that are left out have the base's values.
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        struct Table {
            /// `2023` or `1971`, which determines all switches that are left out.
            base: Option<String>,
            $($switch: Option<$Kind>,)*
            repeated_orders: Option<RepeatedOrders>,
        }

        impl Table {
            fn resolve(self) -> Result<Rulebook, UnknownRulebook> {
                let base = self.base.as_deref().map_or(Ok(Rulebook::default()), str::parse)?;
                let repeated_orders = self.repeated_orders.unwrap_or(base.repeated_orders);
                Ok(Rulebook { $($switch: self.$switch.unwrap_or(base.$switch),)* repeated_orders, ..base })
            }
        }

        impl Rulebook {
            /// The rulebooks with each value of each switch.
            fn with_each_value(self) -> Vec<Vec<(RuleSwitch, Rulebook)>> {
                vec![$(<$Kind>::ALL.map(|value| {
                    let name = stringify!($switch).to_owned();
                    let switch = RuleSwitch { name, value: value.name().to_owned() };
                    (switch, Rulebook { $switch: value, ..self })
                }).to_vec()),*]
            }
        }
    };
}

switches! {
    /// 4.A.1.
    several_routes: SeveralRoutes,
    /// 4.A.2.
    paradox: ParadoxRule,
    /// 4.A.3.
    adjacent_convoy: AdjacentConvoy,
    /// 4.A.3; ignored with [`AdjacentConvoy::Opposite`].
    own_fleet_implies_via: OwnFleetImpliesVia,
    /// The fallback for `VIA` to a neighbour with no route ordered (6.G.8).
    via_without_route: Fallback,
    /// The fallback for a disrupted route to a neighbour (6.G.20).
    via_disrupted: Fallback,
    /// 4.B.4.
    support_coast: SupportCoast,
    /// 4.A.5.
    convoyed_start: ConvoyedStart,
    /// 4.A.7.
    beaten_unit: BeatenUnit,
    /// 4.D.8.
    disband_distance: DisbandDistance,
}

fn is_first(rule: &RepeatedOrders) -> bool {
    *rule == RepeatedOrders::First
}

fn is_without(army_fleets: &ArmyFleets) -> bool {
    !army_fleets.allowed()
}

fn is_never(rule: &ArmyBecomesFleet) -> bool {
    *rule == ArmyBecomesFleet::No
}

impl ArmyBecomesFleet {
    /// May an army in this province become a fleet, if it has a coast?
    pub(crate) fn allowed(self, position: &Position, at: ProvinceId) -> bool {
        match self {
            ArmyBecomesFleet::No => false,
            ArmyBecomesFleet::Yes => true,
            ArmyBecomesFleet::OwnedCentres => position.owner(at).is_some(),
        }
    }
}

impl Rulebook {
    /// The 2023 rulebook as DATC 3.x prefers it: the default.
    pub const R2023: Rulebook = Rulebook {
        several_routes: SeveralRoutes::AnyRoute,
        paradox: ParadoxRule::Szykman,
        adjacent_convoy: AdjacentConvoy::Via,
        own_fleet_implies_via: OwnFleetImpliesVia::Yes,
        via_without_route: Fallback::Stay,
        via_disrupted: Fallback::Stay,
        support_coast: SupportCoast::Match,
        convoyed_start: ConvoyedStart::Allowed,
        beaten_unit: BeatenUnit::HeadToHead,
        disband_distance: DisbandDistance::Owned,
        repeated_orders: RepeatedOrders::First,
        army_fleets: ArmyFleets::No,
        army_becomes_fleet: ArmyBecomesFleet::No,
    };

    /// The 1971 rulebook.
    pub const R1971: Rulebook = Rulebook {
        several_routes: SeveralRoutes::AllRoutes,
        paradox: ParadoxRule::Xii5,
        adjacent_convoy: AdjacentConvoy::Opposite,
        convoyed_start: ConvoyedStart::Forbidden,
        beaten_unit: BeatenUnit::Never,
        disband_distance: DisbandDistance::Home,
        ..Rulebook::R2023
    };

    /// Can armies board fleets or become fleets, unlike in regular Diplomacy?
    pub(crate) fn has_amphibious_armies(&self) -> bool {
        self.army_fleets.allowed() || self.army_becomes_fleet != ArmyBecomesFleet::No
    }

    /// The same edition with the unit rules of another rulebook.
    pub const fn with_units_of(self, other: &Rulebook) -> Rulebook {
        Rulebook { army_fleets: other.army_fleets, army_becomes_fleet: other.army_becomes_fleet, ..self }
    }
}

/// A switch of a rulebook, and one of its values.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RuleSwitch {
    /// The switch's key in a file.
    pub name: String,
    /// The value's name in a file.
    pub value: String,
}

/// As a file has it: `disband_distance = "home"`.
impl fmt::Display for RuleSwitch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = \"{}\"", self.name, self.value)
    }
}

impl Rulebook {
    /// Every rulebook that differs from this one in a single switch of the edition, with that switch: the switches in
    /// the order of their section of docs/rules.md, from the last one on, because judges differ most about civil
    /// disorder and `VIA`.
    ///
    /// ```
    /// use upheaval_engine::rules::rulebook::Rulebook;
    /// let (switch, rulebook) = Rulebook::R2023.with_one_switch().remove(0);
    /// assert_eq!(switch.to_string(), "disband_distance = \"home\"");
    /// assert_eq!(rulebook.disband_distance, Rulebook::R1971.disband_distance);
    /// ```
    pub fn with_one_switch(self) -> Vec<(RuleSwitch, Rulebook)> {
        let all = self.with_each_value().into_iter().rev().flatten();
        all.filter(|(_, rulebook)| *rulebook != self).collect()
    }
}

impl Default for Rulebook {
    fn default() -> Self {
        Rulebook::R2023
    }
}

/// An unknown name of a preset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a rulebook; there are \"2023\" and \"1971\"")]
pub struct UnknownRulebook(pub String);

impl FromStr for Rulebook {
    type Err = UnknownRulebook;
    fn from_str(s: &str) -> Result<Self, UnknownRulebook> {
        match s {
            "2023" => Ok(Rulebook::R2023),
            "1971" => Ok(Rulebook::R1971),
            _ => Err(UnknownRulebook(s.to_owned())),
        }
    }
}

impl<'de> Deserialize<'de> for Rulebook {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = Rulebook;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"2023\", \"1971\" or a table of switches such as { base = \"2023\", paradox = \"1982\" }")
            }

            /// In place of a value that is at fault.
            fn visit_unit<E>(self) -> Result<Rulebook, E> {
                Ok(Rulebook::default())
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<Rulebook, E> {
                name.parse().map_err(E::custom)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Rulebook, A::Error> {
                let table = Table::deserialize(MapAccessDeserializer::new(map))?;
                table.resolve().map_err(de::Error::custom)
            }
        }

        deserializer.deserialize_any(Either)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Rulebook {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Rulebook".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "The rules of movement and retreat: an edition, or a table of switches with an edition as base.",
            "anyOf": [{ "enum": ["2023", "1971"] }, generator.subschema_for::<Table>()],
        })
    }
}
