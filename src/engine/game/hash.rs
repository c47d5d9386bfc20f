//! The hash of a game's state.

use std::fmt::{self, Write};

use super::Game;
use crate::rules::game_state::{CoastChoice, Exempted, ExemptionChange, Swallowed};
use crate::rules::mechanism::Mechanism;
use crate::rules::position::{Cargo, Dislodged, Unit};
use crate::rules::rulebook::ArmyFleets;
use upheaval_map::ids::{Location, ProvinceId, ProvinceSet, UnitKind};

/// The typical size of a state with 34 units and as many centres, including changes of the map.
const USUAL: usize = 2048;

/// Words concatenated in one text, which is hashed as a whole: passing single words to the hasher costs more
/// than hashing them.
struct Words(String);

impl Words {
    /// Adds a word made of parts. Most words are, and formatting them would take ten times as long.
    fn push(&mut self, parts: &[&str]) {
        parts.iter().for_each(|part| self.0.push_str(part));
        self.0.push('\0');
    }

    fn write(&mut self, word: fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.0.write_fmt(word);
        self.0.push('\0');
    }

    fn hash(&self) -> u64 {
        let mut hash = [0; 8];
        hash.copy_from_slice(&blake3::hash(self.0.as_bytes()).as_bytes()[..8]);
        u64::from_le_bytes(hash)
    }
}

impl Game {
    /// A hash of everything that affects the further course of the game: phase, map, units, owners, and the
    /// memory of the variant's mechanisms. It is equal for equal states, however they were reached.
    pub fn hash(&self) -> u64 {
        let mut words = Words(String::with_capacity(USUAL));
        words.write(format_args!("{}", self.phase));
        words.write(format_args!("{:016x}", self.terrain().hash()));
        self.hash_position(&mut words);
        self.hash_memory(&mut words);
        words.hash()
    }

    fn hash_position(&self, words: &mut Words) {
        let (names, powers) = (self.terrain().names(), self.power_names());
        let position = &self.world.position;
        let owned = self.powers().iter().fold(ProvinceSet::EMPTY, |all, p| all | *position.centres_of(p));
        let anything = owned | *position.occupied();
        for (name, id) in names.iter().filter(|&(_, id)| anything.contains(id)) {
            words.push(&[name]);
            if let Some((unit, at)) = position.unit(id).zip(position.location(id)) {
                let (power, designation) = (powers.name(unit.power), unit.designation());
                let letters = designation.letters();
                match names.coast(at).filter(|_| designation.kind() == UnitKind::Fleet) {
                    Some(coast) => words.push(&[power, " ", letters, " ", name, "/", coast]),
                    None => words.push(&[power, " ", letters, " ", name]),
                }
            }
            words.push(&[position.owner(id).map_or("-", |owner| powers.name(owner))]);
        }
    }

    /// The part of the state that is neither on the board nor in the phase.
    fn hash_memory(&self, words: &mut Words) {
        let (names, powers) = (self.terrain().names(), self.power_names());
        let name = |id: ProvinceId| names.province(id);
        let unit_at = |at, unit: Unit| {
            let at = Location { province: at, coast: unit.coast };
            fmt::from_fn(move |f| {
                write!(f, "{} {}", powers.name(unit.power), names.unit(at, unit.designation()))
            })
        };
        for (power, Exempted { centre, announced, change }) in self.world.exemptions.iter() {
            let power = powers.name(power);
            if let Some(centre) = centre {
                words.write(format_args!("{power} {}", name(*centre)));
            }
            if let Some(announced) = announced {
                words.write(format_args!("{power} announced {}", name(*announced)));
            }
            match change {
                // Without an exempt centre there is nothing to change.
                ExemptionChange::NotYet | ExemptionChange::Lapsed => {}
                ExemptionChange::Offered(last) => {
                    words.write(format_args!("{power} may change to {}", name(*last)))
                }
                ExemptionChange::Made => words.write(format_args!("{power} has changed")),
            }
        }
        for Swallowed { hole, unit, coast } in &self.world.swallowed {
            words.write(format_args!(
                "{} {} {} {coast:?}",
                name(*hole),
                powers.name(unit.power),
                unit.designation()
            ));
        }
        let restores = |mechanism: &Mechanism| matches!(mechanism, Mechanism::Restores(_));
        if self.variant.mechanisms.iter().any(restores) {
            for (name, id) in names.iter() {
                if let Some(owner) = self.world.last_owner[id] {
                    words.write(format_args!("{name} was {}'s", powers.name(owner)));
                }
            }
        }
        if self.variant.deluge().is_some() {
            for (name, id) in names.iter() {
                if let Some(last) = self.world.last_occupant[id] {
                    words.write(format_args!("{} was last in {name}", powers.name(last)));
                }
            }
        }
        if let ArmyFleets::Yes { max_seasons_aboard: Some(_) } = self.variant.rulebook.army_fleets {
            for (at, unit) in self.world.army_fleets() {
                if let Cargo::Army { seasons } = unit.cargo {
                    words.write(format_args!("{} {seasons} seasons aboard", unit_at(at, unit)));
                }
            }
        }
        for &Dislodged { unit, at, attacker, attacker_convoyed } in &self.world.retreats.dislodged {
            let from = attacker.map_or("nowhere", name);
            words.write(format_args!("{} driven out from {from} {attacker_convoyed}", unit_at(at, unit)));
        }
        for (i, ways) in &self.world.retreats.ways {
            let places = ways.iter().map(|&to| names.location(to, UnitKind::Fleet).to_string());
            words.write(format_args!("{i} has ways to {}", places.collect::<Vec<_>>().join(" ")));
        }
        for CoastChoice { fleet, coasts, .. } in &self.world.coast_choices {
            words.write(format_args!("{} chooses among {coasts:?}", name(*fleet)));
        }
        for (fleet, power) in &self.world.trapped {
            words.write(format_args!(
                "{} may disband what is trapped in {}",
                powers.name(*power),
                name(*fleet)
            ));
        }
        for place in self.world.retreats.contested {
            words.write(format_args!("{} is contested", name(place)));
        }
        for doomed in self.world.doomed {
            words.write(format_args!("{} is doomed", name(doomed)));
        }
    }
}
