//! The orders that a power can give now.

use std::fmt;

use super::Session;
use crate::ask::{Ask, Exempt, RetreatChoice, Retreats, Trapped};
use crate::game::Game;
use crate::rules::adjustment::{self, Owed};
use crate::rules::decision::Decision;
use crate::rules::legal::{self, ConvoyChains};
use crate::rules::notation::Listed;
use crate::rules::order::{AdjustmentOrder, RetreatOrder};
use crate::rules::retreat;
use crate::rules::world::{CoastChoice, World};
use upheaval_map::ids::{Location, Power, ProvinceId, ProvinceSet};

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
        let chains = self.chains();
        let mut asks = self.game.asks(power);
        // The units come first.
        asks.sort_by_key(|ask| !matches!(ask, Ask::Movement(_)));
        let mut choices: Vec<Choice> = asks.iter().flat_map(|ask| lister.choices(ask, &chains)).collect();
        choices.retain(|choice| !choice.orders.is_empty());
        choices
    }
}

/// Is the power asked for anything that it can choose?
fn awaits(game: &Game, power: Power) -> bool {
    game.asks(power).iter().any(|ask| !matches!(ask, Ask::Seismic(_)) || !game.quakes().is_empty())
}

/// Lists the choices of one power.
struct Lister<'a> {
    game: &'a Game,
    power: Power,
}

impl Lister<'_> {
    /// A choice among decisions; those without a text are not possible.
    fn choice(&self, subject: String, decisions: impl IntoIterator<Item = Decision>) -> Choice {
        let orders = decisions.into_iter().filter_map(|decision| {
            Some(LegalOrder { text: self.game.world().text_of(&decision)?, decision })
        });
        Choice { subject, orders: orders.collect() }
    }

    fn unit(&self, at: ProvinceId) -> String {
        self.game.world().position.unit_named(self.game.terrain().names(), at).to_string()
    }

    /// The choices that answer a question.
    fn choices(&self, ask: &Ask, chains: &ConvoyChains) -> Vec<Choice> {
        let names = self.game.terrain().names();
        let fleet = |at| format!("F {}", names.province(at));
        match ask {
            Ask::Exempt(Exempt { choices }) => {
                vec![self.choice("EXEMPT".to_owned(), choices.iter().map(Decision::Exempt))]
            }
            Ask::Announce(_) => vec![self.choice("ANNOUNCE".to_owned(), [Decision::Announce])],
            Ask::Movement(_) => self.orders(chains),
            Ask::Retreats(Retreats { choices }) => {
                choices.iter().map(|choice| self.retreat(choice)).collect()
            }
            Ask::Coast(CoastChoice { fleet: at, coasts, .. }) => {
                let coasts = coasts.iter().map(|&coast| Decision::Coast { fleet: *at, coast });
                vec![self.choice(fleet(*at), coasts)]
            }
            Ask::Trapped(Trapped { fleet: at }) => {
                let fates = [Decision::KeepTrapped(*at), Decision::DisbandTrapped(*at)];
                vec![self.choice(fleet(*at), fates)]
            }
            Ask::Adjustments(_) => self.adjustments(),
            Ask::Seismic(_) => {
                let quakes = self.game.quakes().iter().map(|&quake| Decision::Seismic(quake.into()));
                vec![self.choice("SEISMIC".to_owned(), quakes)]
            }
        }
    }

    fn orders(&self, chains: &ConvoyChains) -> Vec<Choice> {
        let World { terrain, position, .. } = self.game.world();
        let board = terrain.board();
        let mut choices = Vec::new();
        let mut legal = Vec::new();
        for unit in *position.units_of(self.power) {
            legal.clear();
            legal::legal_orders(board, position, chains, unit, &mut legal);
            let orders = legal.iter().map(|&order| Decision::Order { unit, order });
            choices.push(self.choice(self.unit(unit), orders));
        }
        for fleet in *position.units_of(self.power) & *position.fleets() {
            let landings = legal::landings(board, position, chains, fleet).map(Decision::Landing);
            choices.push(self.choice(format!("A aboard {}", self.unit(fleet)), landings));
        }
        if self.game.variant().listing().is_allowed() {
            // Each place as a list of one place.
            for (at, unit) in
                position.units_of(self.power).iter().filter_map(|at| Some((at, position.unit(at)?)))
            {
                let lists = retreat::ways(board, at, unit.kind, unit.coast)
                    .map(|to| Decision::List(Listed { unit: at, places: vec![to], passed_over: Vec::new() }));
                choices.push(self.choice(format!("{} R", self.unit(at)), lists));
            }
        }
        choices
    }

    fn retreat(&self, choice: &RetreatChoice) -> Choice {
        let RetreatChoice { unit, dislodged, options } = choice;
        let at = Location { province: dislodged.at, coast: dislodged.unit.coast };
        let subject = self.game.terrain().names().unit(at, dislodged.unit.designation()).to_string();
        let orders = options.iter().map(|&to| RetreatOrder::Retreat { to }).chain([RetreatOrder::Disband]);
        self.choice(subject, orders.map(|order| Decision::Retreat { unit: *unit, order }))
    }

    fn adjustments(&self) -> Vec<Choice> {
        let World { terrain, position, .. } = self.game.world();
        match self.game.owed(self.power) {
            Owed::Builds(_) => {
                let choice = |site| {
                    let builds = adjustment::builds(terrain.board(), &ProvinceSet::single(site));
                    let orders = builds.into_iter().chain([AdjustmentOrder::Waive]);
                    self.choice(terrain.names().province(site).to_owned(), orders.map(Decision::Adjustment))
                };
                self.game.build_sites(self.power).into_iter().map(choice).collect()
            }
            Owed::Removals(_) => {
                let choice = |at| {
                    let army = position.laden().contains(at);
                    let army = army.then_some(AdjustmentOrder::RemoveArmy { fleet: at });
                    let orders = [AdjustmentOrder::Remove { at }].into_iter().chain(army);
                    self.choice(self.unit(at), orders.map(Decision::Adjustment))
                };
                position.units_of(self.power).into_iter().map(choice).collect()
            }
        }
    }
}
