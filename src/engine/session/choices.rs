//! The orders that a power can give now.

use std::fmt;

use super::Session;
use crate::game::{Game, Stage};
use crate::reading::Decision;
use crate::rules::adjustment::{self, Owed};
use crate::rules::legal;
use crate::rules::notation::{Listed, WrittenList, WrittenOrder, WrittenPlace, WrittenSeismic, WrittenUnit};
use crate::rules::order::{AdjustmentOrder, RetreatOrder};
use crate::rules::retreat;
use crate::rules::world::World;
use upheaval_map::ids::{Designation, Location, Power, ProvinceId, ProvinceSet, UnitKind};

/// One decision of a power; usually the action of one of its units.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The subject of the decision: a unit (`A PAR`), a unit's list of retreats (`A PAR R`), a build site
    /// (`PAR`), or a word such as `EXEMPT`.
    pub subject: String,
    /// The legal orders; at least one.
    pub orders: Vec<LegalOrder>,
}

/// A legal order. It can be printed as text and read again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LegalOrder {
    /// Its text.
    pub text: String,
    /// Its meaning.
    pub decision: Decision,
}

impl fmt::Display for LegalOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl AsRef<str> for LegalOrder {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl Session {
    /// The powers that can give orders now.
    pub fn awaited(&self) -> Vec<Power> {
        self.game.powers().iter().filter(|&power| awaits(&self.game, power)).collect()
    }

    /// Everything that a power can order now, choice by choice, in a canonical order. It may order as many of
    /// the builds as it is owed ([`Session::owed`]); any more are refused when the phase is settled. Where
    /// retreats are sent with the orders, a list may combine several of the places that are listed here one
    /// by one: `A PAR R PIC BRE`.
    ///
    /// ```
    /// # use upheaval_engine::prelude::*;
    /// let game = Session::new("standard", 1)?;
    /// let choices = game.legal_orders(Power::TURKEY);
    /// let ankara = &choices[0];
    /// assert_eq!(ankara.subject, "F ANK");
    /// let texts: Vec<String> = ankara.orders.iter().map(ToString::to_string).collect();
    /// assert_eq!(texts[..4], ["F ANK H", "F ANK - ARM", "F ANK - BLA", "F ANK - CON"]);
    /// assert_eq!(texts[4..], ["F ANK S A CON", "F ANK S F SEV - ARM", "F ANK S F SEV - BLA", "F ANK S A SMY - ARM",
    ///     "F ANK S A SMY - CON"]);
    /// # Ok::<(), SessionError>(())
    /// ```
    pub fn legal_orders(&self, power: Power) -> Vec<Choice> {
        let lister = Lister { game: &self.game, power };
        let mut choices = match self.game.stage() {
            Stage::Movement => lister.movement(self),
            Stage::Retreats => lister.retreats(),
            Stage::Coasts => lister.coasts(),
            Stage::Adjustments => lister.adjustments(),
            Stage::Seismic => lister.seismic(),
            Stage::Over => Vec::new(),
        };
        choices.retain(|choice| !choice.orders.is_empty());
        choices
    }
}

fn awaits(game: &Game, power: Power) -> bool {
    let World { position, retreats, .. } = game.world();
    match game.stage() {
        Stage::Movement => {
            let declares = !game.exempt_choices(power).is_empty() || game.can_announce(power);
            !position.units_of(power).is_empty() || declares
        }
        Stage::Retreats => {
            let mut units = retreats.dislodged.iter().enumerate();
            units.any(|(i, unit)| unit.unit.power == power && !game.retreat_options(i).is_empty())
        }
        Stage::Coasts => {
            let chooses = game.coast_choices().iter().any(|choice| choice.power == power);
            chooses || !game.trapped_of(power).is_empty()
        }
        Stage::Adjustments => game.has_adjustments(power),
        Stage::Seismic => !position.is_out(power) && !game.quakes().is_empty(),
        Stage::Over => false,
    }
}

/// Lists the choices of one power.
struct Lister<'a> {
    game: &'a Game,
    power: Power,
}

impl Lister<'_> {
    fn written(&self, written: WrittenOrder, decision: Decision) -> LegalOrder {
        LegalOrder { text: written.display(self.game.terrain().names()).to_string(), decision }
    }

    fn unit(&self, at: ProvinceId) -> String {
        self.game.world().position.unit_named(self.game.terrain().names(), at).to_string()
    }

    fn movement(&self, session: &Session) -> Vec<Choice> {
        let World { terrain, position, .. } = self.game.world();
        let (board, chains) = (terrain.board(), session.chains());
        let mut choices = Vec::new();
        let mut legal = Vec::new();
        for unit in *position.units_of(self.power) {
            legal.clear();
            legal::legal_orders(board, position, &chains, unit, &mut legal);
            let orders = legal.iter().filter_map(|&order| {
                let written = WrittenOrder::from_order(position, unit, order)?;
                Some(self.written(written, Decision::Order { unit, order }))
            });
            choices.push(Choice { subject: self.unit(unit), orders: orders.collect() });
        }
        for fleet in *position.units_of(self.power) & *position.fleets() {
            let orders = legal::landings(board, position, &chains, fleet)
                .map(|landing| self.written(WrittenOrder::from_landing(landing), Decision::Landing(landing)));
            let orders: Vec<LegalOrder> = orders.collect();
            choices.push(Choice { subject: format!("A aboard {}", self.unit(fleet)), orders });
        }
        if self.game.variant().listing().is_allowed() {
            choices.extend(position.units_of(self.power).iter().filter_map(|unit| self.places(unit)));
        }
        let exempt = self.game.exempt_choices(self.power).into_iter();
        let exempt =
            exempt.map(|centre| self.written(WrittenOrder::Exempt { centre }, Decision::Exempt(centre)));
        choices.push(Choice { subject: "EXEMPT".to_owned(), orders: exempt.collect() });
        let announce = self.game.can_announce(self.power).then_some(WrittenOrder::Announce);
        let announce = announce.map(|written| self.written(written, Decision::Announce));
        choices.push(Choice { subject: "ANNOUNCE".to_owned(), orders: announce.into_iter().collect() });
        choices
    }

    /// The places to which a unit may retreat by its list, each as a list of one place.
    fn places(&self, at: ProvinceId) -> Option<Choice> {
        let World { terrain, position, .. } = self.game.world();
        let (unit, written) = (position.unit(at)?, WrittenUnit::standing(position, at)?);
        let orders = retreat::ways(terrain.board(), at, unit.kind, unit.coast).map(|to| {
            let coast = (unit.kind == UnitKind::Fleet).then_some(to.coast);
            let place = WrittenPlace { province: to.province, coast };
            let list = WrittenList { unit: written, places: vec![place] };
            let listed = Listed { unit: at, places: vec![to], passed_over: Vec::new() };
            LegalOrder { text: list.display(terrain.names()).to_string(), decision: Decision::List(listed) }
        });
        Some(Choice { subject: format!("{} R", self.unit(at)), orders: orders.collect() })
    }

    fn retreats(&self) -> Vec<Choice> {
        let waiting = self.game.dislodged();
        let own = waiting.dislodged.iter().enumerate().filter(|(_, unit)| unit.unit.power == self.power);
        own.map(|(i, dislodged)| {
            let at = Location { province: dislodged.at, coast: dislodged.unit.coast };
            let unit = WrittenUnit {
                ordinal: waiting.ordinal(i),
                ..WrittenUnit::new(dislodged.unit.designation(), at)
            };
            let ways = self.game.retreat_options(i);
            let retreats = ways.iter().map(|&to| RetreatOrder::Retreat { to });
            let disband = (!ways.is_empty()).then_some(RetreatOrder::Disband);
            let orders = retreats.chain(disband).map(|order| {
                let decision = Decision::Retreat { unit: i, order };
                self.written(WrittenOrder::from_retreat(unit, order), decision)
            });
            let names = self.game.terrain().names();
            Choice {
                subject: names.unit(at, dislodged.unit.designation()).to_string(),
                orders: orders.collect(),
            }
        })
        .collect()
    }

    fn coasts(&self) -> Vec<Choice> {
        let names = self.game.terrain().names();
        let fleet = |province| WrittenUnit {
            kind: Designation::Fleet,
            place: WrittenPlace { province, coast: None },
            ordinal: 1,
        };
        let subject = |province| format!("F {}", names.province(province));
        let own = self.game.coast_choices().iter().filter(|choice| choice.power == self.power);
        let coasts = own.map(|choice| {
            let orders = choice.coasts.iter().map(|&coast| {
                let written = WrittenOrder::ChooseCoast { unit: fleet(choice.fleet), coast };
                self.written(written, Decision::Coast { fleet: choice.fleet, coast })
            });
            Choice { subject: subject(choice.fleet), orders: orders.collect() }
        });
        let trapped = self.game.trapped_of(self.power).into_iter().map(|at| {
            let unit = fleet(at);
            let keep = self.written(WrittenOrder::Hold { unit }, Decision::KeepTrapped(at));
            let disband = self.written(WrittenOrder::Disband { unit }, Decision::DisbandTrapped(at));
            Choice { subject: subject(at), orders: vec![keep, disband] }
        });
        coasts.chain(trapped).collect()
    }

    fn adjustments(&self) -> Vec<Choice> {
        let World { terrain, position, .. } = self.game.world();
        let order = |order| {
            let written = WrittenOrder::from_adjustment(position, order)?;
            Some(self.written(written, Decision::Adjustment(order)))
        };
        match self.game.owed(self.power) {
            Owed::Builds(0) | Owed::Removals(0) => Vec::new(),
            Owed::Builds(_) => {
                let sites = self.game.build_sites(self.power).into_iter();
                let choice = |site| {
                    let builds = adjustment::builds(terrain.board(), &ProvinceSet::single(site));
                    let orders = builds.into_iter().chain([AdjustmentOrder::Waive]).filter_map(order);
                    Choice { subject: terrain.names().province(site).to_owned(), orders: orders.collect() }
                };
                sites.map(choice).collect()
            }
            Owed::Removals(_) => {
                let units = position.units_of(self.power).into_iter();
                let choice = |at| {
                    let army = position.laden().contains(at);
                    let army = army.then_some(AdjustmentOrder::RemoveArmy { fleet: at });
                    let orders = [AdjustmentOrder::Remove { at }].into_iter().chain(army);
                    Choice { subject: self.unit(at), orders: orders.filter_map(order).collect() }
                };
                units.map(choice).collect()
            }
        }
    }

    fn seismic(&self) -> Vec<Choice> {
        if self.game.world().position.is_out(self.power) {
            return Vec::new();
        }
        let map = self.game.terrain().chart().map();
        let orders = self.game.quakes().iter().map(|&quake| {
            let order = quake.into();
            LegalOrder {
                text: WrittenSeismic::from_order(map, &order).to_string(),
                decision: Decision::Seismic(order),
            }
        });
        vec![Choice { subject: "SEISMIC".to_owned(), orders: orders.collect() }]
    }
}
