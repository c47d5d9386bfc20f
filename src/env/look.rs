//! The observable part of one game: the game, and the asks of the caller's seats.

use upheaval_engine::ask::{Handicap, Observation, Public};
use upheaval_engine::game::{Game, Referee, Stage};
use upheaval_map::ids::{Power, ProvinceId};

use crate::ask::{Asks, UnitAsk};

/// A seat with asks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    pub power: Power,
    /// The index of its first ask.
    pub first: u32,
}

/// The asks of seats in the stage that a game waits for.
#[derive(Default)]
pub(crate) struct Questions {
    pub asks: Asks,
    /// The seats with asks, in the order of the powers.
    pub seats: Vec<Asked>,
    /// The exempt centres of the powers that are asked, whether or not they have asks: nobody else knows them.
    exempt: Vec<(Power, ProvinceId)>,
}

impl Questions {
    /// Lists the asks of the seats of these powers, in their order and with their handicaps.
    pub(crate) fn list(
        &mut self,
        game: &Game,
        referee: &mut Referee,
        powers: impl Iterator<Item = (Power, Handicap)>,
    ) {
        self.clear();
        if game.stage() == Stage::Movement {
            referee.prepare(game);
        }
        for (power, handicap) in powers {
            self.add(&Observation::new(game, referee.chains(), power, handicap));
        }
    }

    fn clear(&mut self) {
        self.asks.clear();
        self.seats.clear();
        self.exempt.clear();
    }

    /// Lists the asks of an observer.
    fn add(&mut self, seen: &Observation<'_>) {
        let first = self.asks.list.len() as u32;
        self.asks.list_for(seen);
        self.exempt.extend(seen.exempt.map(|centre| (seen.power, centre)));
        if self.asks.list.len() as u32 > first {
            self.seats.push(Asked { power: seen.power, first });
        }
    }

    /// Lists the asks of one observer.
    pub(crate) fn list_of(&mut self, seen: &Observation<'_>) {
        self.clear();
        self.add(seen);
    }

    /// The exempt centre of a power that is asked.
    pub(crate) fn exempt(&self, power: Power) -> Option<ProvinceId> {
        self.exempt.iter().find(|(of, _)| *of == power).map(|(_, centre)| *centre)
    }

    /// Lists the units of a power, without their orders.
    pub(crate) fn list_units_of(&mut self, seen: &Observation<'_>) {
        self.clear();
        self.asks.list_units_of(**seen, seen.power);
        self.exempt.extend(seen.exempt.map(|centre| (seen.power, centre)));
        self.seats.push(Asked { power: seen.power, first: 0 });
    }

    /// The asks of each seat.
    pub(crate) fn of_seats(&self) -> impl Iterator<Item = (Asked, &[UnitAsk])> {
        let ends = self.seats.iter().skip(1).map(|seat| seat.first).chain([self.asks.list.len() as u32]);
        self.seats
            .iter()
            .zip(ends)
            .map(|(&seat, end)| (seat, &self.asks.list[seat.first as usize..end as usize]))
    }
}

/// A game with its number and its asks.
#[derive(Clone, Copy)]
pub(crate) struct Look<'a> {
    pub number: u32,
    pub game: Public<'a>,
    pub questions: &'a Questions,
}
