//! Games resumed in the middle, and the results of finished games for the powers.

use std::cmp::Reverse;
use std::fmt;
use std::fmt::Write;
use std::sync::Arc;

use crate::game::{AfterCoasts, EmptyWinters, Ending, Game, Stage};
use crate::rules::answers::FirstOrders;
use crate::rules::event::{Event, Log};
use crate::rules::game_state::{CoastChoice, Exempted, ExemptionChange, GameState, Swallowed};
use crate::rules::position::{Cargo, Dislodged, Phase, PhaseKind, Unit};
use crate::rules::rulebook::ArmyFleets;
use crate::rules::variant::Variant;
use crate::rules::victory;
use crate::rules::victory::Finish;
use upheaval_map::ids::{ByPower, Location, Power, ProvinceId, ProvinceSet, UnitKind};

impl Ending {
    /// The corresponding log entry.
    pub(super) fn event(&self) -> Event {
        match self {
            Ending::Solo(winner) => Event::Won(*winner),
            Ending::Draw(powers) => Event::Drawn(powers.clone()),
        }
    }
}

impl Game {
    /// A game resumed with this world, before this phase.
    pub fn resumed(variant: Arc<Variant>, last_year: u16, mut world: GameState, phase: Phase) -> Game {
        let stage = match phase.kind {
            PhaseKind::Movement => Stage::Movement,
            PhaseKind::Seismic => Stage::Seismic,
            PhaseKind::Retreats => Stage::Retreats,
            PhaseKind::Adjustments => Stage::Adjustments,
        };
        let first_orders = match (variant.opening()..=variant.first_movement()).contains(&phase) {
            true => FirstOrders::Yes,
            false => FirstOrders::No,
        };
        let powers = world.terrain.powers();
        variant.changes.prepare(&mut world);
        let quakes = (stage == Stage::Seismic).then(|| variant.changes.quakes_in(&world)).flatten();
        Game {
            variant,
            last_year,
            world,
            phase,
            stage,
            first_orders,
            after_coasts: AfterCoasts::Seismic,
            eliminated: ByPower::new(powers),
            ending: None,
            empty_winters: EmptyWinters::Passed,
            quakes,
            watch: Default::default(),
        }
    }

    /// The same game, with these powers eliminated earlier, each in its year.
    pub fn with_eliminated(self, eliminated: ByPower<Option<u16>>) -> Game {
        Game { eliminated, ..self }
    }

    /// The same game, waiting for adjustments in every Winter, even without any possible build or required
    /// removal. The course of the game is unaffected; only empty Winters become stages of their own.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use upheaval_engine::game::{Game, Stage};
    /// # use upheaval_engine::prelude::*;
    /// let standard = Arc::new(Variant::find("standard", "".as_ref())?.expect("it ships"));
    /// let mut game = Game::new(standard, 1910).asking_every_winter();
    /// # use upheaval_engine::{game::Referee, rules::{answers::Answers, nature::Seeded}};
    /// # let (mut referee, mut nature) = (Referee::new(), Seeded { seed: 1, block: 0 });
    /// for _ in 0..2 {
    ///     // Every unit holds.
    ///     game.settle(&mut referee, &Answers::none(game.powers()), &mut nature, &mut ());
    /// }
    /// assert_eq!((game.phase().to_string().as_str(), game.stage()), ("W1901A", Stage::Adjustments));
    /// assert!(game.powers().iter().all(|power| !game.has_adjustments(power)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn asking_every_winter(self) -> Game {
        Game { empty_winters: EmptyWinters::Asked, ..self }
    }

    /// Ends the game after the phase that was played last, for a reason that is not on the board. Either its
    /// players agreed on an ending or one conceded, which is logged; or the game was abandoned and has no
    /// ending.
    pub fn stop(&mut self, last: Phase, ending: Option<Ending>, log: &mut dyn Log) {
        (self.phase, self.stage) = (last, Stage::Over);
        if let Some(ending) = ending {
            log.event(last, &self.world.terrain, &ending.event());
            self.ending = Some(ending);
        }
    }

    /// Is the game over because no power was left? Then every power is eliminated, even one with a centre but
    /// no unit after the last Winter of `last-survivor` (rules.md 4.13).
    pub fn is_deserted(&self) -> bool {
        matches!(&self.ending, Some(Ending::Draw(powers)) if powers.is_empty())
    }

    /// The year in which an eliminated power was eliminated; if no power was left, the last year for those
    /// eliminated then.
    pub fn eliminated_in(&self, power: Power) -> Option<u16> {
        self.eliminated[power].or_else(|| self.is_deserted().then_some(self.phase.year))
    }

    /// Each power's place in a game that is over, from 1 ([`crate::rules::victory`]).
    pub fn places(&self) -> ByPower<u8> {
        let position = &self.world.position;
        let shares =
            |power: Power| matches!(&self.ending, Some(Ending::Draw(powers)) if powers.contains(&power));
        victory::places(&ByPower::from_fn(self.powers(), |power| {
            if matches!(self.ending, Some(Ending::Solo(winner)) if winner == power) {
                Finish::Won
            } else if (position.is_out(power) || self.is_deserted()) && !shares(power) {
                Finish::Fell(Reverse(self.eliminated_in(power).unwrap_or(0)))
            } else {
                let centres = position.centres_of(power).len();
                Finish::Stood(Reverse(u16::try_from(centres).unwrap_or(u16::MAX)))
            }
        }))
    }
}

// The hash of a game's state.

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
    /// memory of the variant's changes. It is equal for equal states, however they were reached.
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
        let owned: ProvinceSet = self.powers().iter().map(|power| *position.centres_of(power)).collect();
        let anything = owned | *position.occupied();
        for (name, id) in names.iter().filter(|&(_, id)| anything.contains(id)) {
            words.push(&[name]);
            if let Some((unit, at)) = position.unit(id).zip(position.location(id)) {
                let (power, designation) = (powers.name(unit.power), unit.designation());
                let letters = designation.name();
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
        for (entry, held) in self.variant.changes.entries().iter().zip(&self.world.held) {
            for (name, _) in names.iter().filter(|(_, id)| held.contains(*id)) {
                words.write(format_args!("{} holds {name}", entry.id));
            }
        }
        let vanished = |words: &mut Words, Swallowed { hole, unit, coast }: &Swallowed| {
            let (power, kind) = (powers.name(unit.power), unit.designation());
            words.write(format_args!("{} {power} {kind} {coast:?}", name(*hole)));
        };
        self.world.swallowed.iter().for_each(|gone| vanished(words, gone));
        for leaving in &self.world.leaving {
            words.push(&["leaving"]);
            vanished(words, leaving);
        }
        for (entry, last) in self.variant.changes.entries().iter().zip(&self.world.last_changed) {
            for (name, _) in names.iter().filter(|(_, id)| last.contains(*id)) {
                words.write(format_args!("{} changed {name} last", entry.id));
            }
        }
        for (seasons, occupied) in self.world.occupied_lately.iter().enumerate() {
            for (name, _) in names.iter().filter(|(_, id)| occupied.contains(*id)) {
                words.write(format_args!("{name} was occupied {seasons} seasons ago"));
            }
            words.write(format_args!("{seasons} seasons"));
        }
        let mut passing: Vec<String> = self
            .world
            .passing
            .iter()
            .map(|passing| {
                let id = &self.variant.changes.entries()[passing.entry].id;
                let (date, point) = passing.end;
                format!("{} of {id} is {:?} at {date} {}", name(passing.face), passing.then, point.name())
            })
            .collect();
        let coming =
            self.world.coming.iter().filter(|coming| self.variant.changes.lists_coming(coming.entry));
        passing.extend(coming.map(|coming| {
            let id = &self.variant.changes.entries()[coming.entry].id;
            let (date, point) = coming.at;
            format!("{id} is coming to {} at {date} {}", name(coming.face), point.name())
        }));
        passing.sort_unstable();
        passing.iter().for_each(|passing| words.push(&[passing]));
        // A change of a mark depends on the owners of holes that have just opened, and on no earlier ones.
        if self.variant.changes.give_back_to_last_owners() {
            for (name, id) in names.iter() {
                if let Some(owner) = self.world.last_owner[id] {
                    words.write(format_args!("{name} was {}'s", powers.name(owner)));
                }
            }
        }
        if self.variant.changes.needs_last_occupants() {
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
