//! The changes with an end in the state of a game.

use upheaval_map::ids::ProvinceId;

use super::passing::{Lasting, Passing};
use super::when::Moment;
use crate::rules::game_state::GameState;

impl GameState {
    /// The change with an end of the same property of a place, if there is one.
    pub(super) fn passing_at(&self, face: ProvinceId, property: Lasting, entry: usize) -> Option<usize> {
        self.passing.iter().position(|passing| {
            passing.face == face
                && passing.then.is_of_property(property)
                && (property != Lasting::Unmarked || passing.entry == entry)
        })
    }

    /// Notes that an entry has changed a property of a place, which had this value before. Without an end, the change
    /// replaces both values.
    pub(super) fn note_end(&mut self, face: ProvinceId, entry: usize, before: Lasting, end: Option<Moment>) {
        match (self.passing_at(face, before, entry), end) {
            (Some(i), Some(end)) => self.passing[i] = Passing { entry, end, ..self.passing[i] },
            (Some(i), None) => drop(self.passing.remove(i)),
            (None, Some(end)) => self.passing.push(Passing { face, entry, then: before, end }),
            (None, None) => {}
        }
    }

    /// Removes the changes of an entry that are over at this moment; what is below a hole stays until the hole is gone.
    pub(super) fn take_over(&mut self, entry: usize, now: Moment) -> Vec<Passing> {
        let holes = self.terrain.chart().map().holes();
        let is_over = |passing: &mut Passing| {
            let is_hidden = matches!(passing.then, Lasting::Ground(_)) && holes.contains(passing.face);
            passing.entry == entry && passing.end <= now && !is_hidden
        };
        let mut over: Vec<Passing> = self.passing.extract_if(.., is_over).collect();
        over.sort_by_key(|passing| passing.face);
        over
    }

    /// Removes the change of the ground below a hole that has ended meanwhile.
    pub(super) fn take_hidden(&mut self, face: ProvinceId, now: Moment) -> Option<Passing> {
        let is_hidden = |passing: &Passing| {
            passing.face == face && passing.end <= now && matches!(passing.then, Lasting::Ground(_))
        };
        self.passing.iter().position(is_hidden).map(|i| self.passing.remove(i))
    }
}
