//! The hash of a game's state.

use super::Game;
use crate::ids::{Location, Power, ProvinceId, UnitKind};
use crate::rules::mechanism::Mechanism;
use crate::rules::mechanism::exemption::{Change, Exempted};
use crate::rules::position::{Cargo, Dislodged, Unit};
use crate::rules::rulebook::ArmyFleets;
use crate::rules::world::{CoastChoice, Swallowed};

/// Words, one after the other, as one hash.
struct Words(blake3::Hasher);

impl Words {
    fn push(&mut self, text: &str) {
        self.0.update(text.as_bytes());
        self.0.update(&[0]);
    }
}

impl Game {
    /// A hash of everything that decides how the game goes on: phase, map, units, owners, and what the variant's
    /// mechanisms remember. Equal for equal states, however they came about.
    pub fn hash(&self) -> u64 {
        let mut words = Words(blake3::Hasher::new());
        words.push(&self.phase.to_string());
        words.push(&format!("{:016x}", self.terrain().hash()));
        self.hash_position(&mut words);
        self.hash_memory(&mut words);
        let mut hash = [0; 8];
        hash.copy_from_slice(&words.0.finalize().as_bytes()[..8]);
        u64::from_le_bytes(hash)
    }

    fn hash_position(&self, words: &mut Words) {
        let names = self.terrain().names();
        for (name, id) in names.iter() {
            let unit = self.world.position.unit(id).zip(self.world.position.location(id));
            let owner = self.world.position.owner(id);
            if unit.is_some() || owner.is_some() {
                words.push(name);
                if let Some((unit, at)) = unit {
                    words.push(&format!("{} {}", unit.power, names.unit(at, unit.designation())));
                }
                words.push(owner.map_or("-", Power::name));
            }
        }
    }

    /// What is neither on the board nor in the phase.
    fn hash_memory(&self, words: &mut Words) {
        let names = self.terrain().names();
        let name = |id: ProvinceId| names.province(id);
        let unit_at = |at, unit: Unit| {
            let at = Location { province: at, coast: unit.coast };
            format!("{} {}", unit.power, names.unit(at, unit.designation()))
        };
        for (power, Exempted { centre, announced, change }) in self.world.exemptions.iter() {
            if let Some(centre) = centre {
                words.push(&format!("{power} {}", name(*centre)));
            }
            if let Some(announced) = announced {
                words.push(&format!("{power} announced {}", name(*announced)));
            }
            match change {
                Change::NotYet => {}
                Change::Offered(last) => words.push(&format!("{power} may change to {}", name(*last))),
                Change::Made => words.push(&format!("{power} has changed")),
            }
        }
        for Swallowed { hole, unit, coast } in &self.world.swallowed {
            words.push(&format!("{} {} {} {coast:?}", name(*hole), unit.power, unit.designation()));
        }
        let restores = |mechanism: &Mechanism| matches!(mechanism, Mechanism::Restores(_));
        if self.variant.mechanisms.iter().any(restores) {
            for (name, id) in names.iter() {
                if let Some(owner) = self.world.last_owner[id] {
                    words.push(&format!("{name} was {owner}'s"));
                }
            }
        }
        if self.variant.deluge().is_some() {
            for (name, id) in names.iter() {
                if let Some(last) = self.world.last_occupant[id] {
                    words.push(&format!("{last} was last in {name}"));
                }
            }
        }
        if let ArmyFleets::Yes { max_seasons_aboard: Some(_) } = self.variant.rulebook.army_fleets {
            for (at, unit) in self.world.army_fleets() {
                if let Cargo::Army { seasons } = unit.cargo {
                    words.push(&format!("{} {seasons} seasons aboard", unit_at(at, unit)));
                }
            }
        }
        for &Dislodged { unit, at, attacker, attacker_convoyed } in &self.world.retreats.dislodged {
            let from = attacker.map_or("nowhere", name);
            words.push(&format!("{} driven out from {from} {attacker_convoyed}", unit_at(at, unit)));
        }
        for (i, ways) in &self.world.retreats.ways {
            let places = ways.iter().map(|&to| names.location(to, UnitKind::Fleet).to_string());
            words.push(&format!("{i} has ways to {}", places.collect::<Vec<_>>().join(" ")));
        }
        for CoastChoice { fleet, coasts, .. } in &self.world.coast_choices {
            words.push(&format!("{} chooses among {coasts:?}", name(*fleet)));
        }
        for (fleet, power) in &self.world.trapped {
            words.push(&format!("{power} may disband what is trapped in {}", name(*fleet)));
        }
        for place in self.world.retreats.contested {
            words.push(&format!("{} is contested", name(place)));
        }
        for doomed in self.world.doomed {
            words.push(&format!("{} is doomed", name(doomed)));
        }
    }
}
