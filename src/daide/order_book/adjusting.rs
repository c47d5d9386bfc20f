//! Orders of an adjustment turn: builds, or removals.

use std::collections::{BTreeMap, BTreeSet};

use super::{Note, Scene};
use crate::board::Board;
use crate::notation::order_text;
use crate::order::{Kind, Order, Province, Unit};
use crate::sentence::Sentence;
use crate::token::words::MIS;
use crate::token::{Centre, Number, Shape};

/// Builds, and those that are waived.
#[derive(Clone, Debug)]
pub(super) struct Builds {
    count: usize,
    /// Every build there is, as text.
    sites: BTreeSet<String>,
    taken: BTreeMap<Province, Unit>,
    waived: usize,
}

impl Builds {
    pub fn new(count: usize, sites: &[String]) -> Builds {
        Builds { count, sites: sites.iter().cloned().collect(), taken: BTreeMap::new(), waived: 0 }
    }

    pub fn missing(&self) -> usize {
        self.count.saturating_sub(self.taken.len() + self.waived)
    }

    pub fn take(&mut self, scene: Scene<'_>, order: &Order) -> Result<(), Note> {
        match order {
            Order::Waive(power) if *power != scene.power => Err(Note::NotYours),
            Order::Waive(_) if self.missing() == 0 => Err(Note::NoBuildLeft),
            Order::Waive(_) => {
                self.waived += 1;
                Ok(())
            }
            Order::Build(unit) => self.build(scene, *unit),
            Order::Remove(_) => Err(Note::NoRemovalLeft),
            _ => Err(Note::WrongSeason),
        }
    }

    fn build(&mut self, scene: Scene<'_>, unit: Unit) -> Result<(), Note> {
        if unit.power != scene.power {
            return Err(Note::NotYours);
        }
        // A coast where there is one alone is one too many, and does no harm.
        let at = unit.place.province;
        let unit = match at.ground().shape {
            Shape::Bicoastal if unit.kind == Kind::Fleet => unit,
            _ => Unit { place: at.into(), ..unit },
        };
        let text = order_text(scene.board, &Order::Build(unit)).ok_or(Note::NoProvince)?;
        if !self.sites.contains(&text) {
            return Err(why_not(scene, unit));
        }
        // Another unit in the same place takes the place of the first.
        if self.missing() == 0 && !self.taken.contains_key(&at) {
            return Err(Note::NoBuildLeft);
        }
        self.taken.insert(at, unit);
        Ok(())
    }

    pub fn take_back(&mut self, order: Option<&Order>) -> bool {
        match order {
            None => {
                self.taken.clear();
                self.waived = 0;
                true
            }
            Some(Order::Build(unit)) => {
                let at = unit.place.province;
                let taken = self.taken.get(&at).is_some_and(|taken| taken.kind == unit.kind);
                taken && self.taken.remove(&at).is_some()
            }
            Some(Order::Waive(_)) if self.waived > 0 => {
                self.waived -= 1;
                true
            }
            Some(_) => false,
        }
    }

    pub fn write_missing(&self) -> Sentence {
        match self.missing() {
            0 => Sentence::new(MIS),
            // Below zero: so many builds.
            count => {
                let count = -i64::from(Number::of_count(count).get());
                let number = Number::new(count).unwrap_or(Number::of_count(0));
                Sentence::new(MIS).group(|s| s.number(number))
            }
        }
    }

    pub fn texts(&self, board: &Board) -> Vec<String> {
        let builds = self.taken.values().filter_map(|unit| order_text(board, &Order::Build(*unit)));
        builds.chain(std::iter::repeat_n("WAIVE".to_owned(), self.waived)).collect()
    }
}

/// Why a unit cannot be built there.
fn why_not(scene: Scene<'_>, unit: Unit) -> Note {
    let at = unit.place.province;
    let ground = at.ground();
    if ground.centre == Centre::No {
        return Note::NoCentre;
    }
    if scene.position.owners.get(&at) != Some(&scene.power) {
        return Note::NotYourCentre;
    }
    if !scene.board.is_home(at, scene.power) {
        return Note::NotHome;
    }
    if scene.position.units.contains_key(&at) { Note::Occupied } else { Note::Coast }
}

/// Removals.
#[derive(Clone, Debug)]
pub(super) struct Removals {
    count: usize,
    taken: BTreeSet<Unit>,
}

impl Removals {
    pub fn new(count: usize) -> Removals {
        Removals { count, taken: BTreeSet::new() }
    }

    pub fn missing(&self) -> usize {
        self.count.saturating_sub(self.taken.len())
    }

    pub fn take(&mut self, scene: Scene<'_>, order: &Order) -> Result<(), Note> {
        match order {
            Order::Remove(unit) => {
                let unit = scene.own(*unit)?;
                if self.missing() == 0 && !self.taken.contains(&unit) {
                    return Err(Note::NoRemovalLeft);
                }
                self.taken.insert(unit);
                Ok(())
            }
            Order::Build(_) | Order::Waive(_) => Err(Note::NoBuildLeft),
            _ => Err(Note::WrongSeason),
        }
    }

    pub fn take_back(&mut self, order: Option<&Order>) -> bool {
        match order {
            None => {
                self.taken.clear();
                true
            }
            Some(Order::Remove(unit)) => {
                let at = |taken: &&Unit| taken.place.province == unit.place.province;
                let taken = self.taken.iter().find(at).copied();
                taken.is_some_and(|taken| self.taken.remove(&taken))
            }
            Some(_) => false,
        }
    }

    pub fn write_missing(&self) -> Sentence {
        match self.missing() {
            0 => Sentence::new(MIS),
            count => Sentence::new(MIS).group(|s| s.number(Number::of_count(count))),
        }
    }

    pub fn texts(&self, board: &Board) -> Vec<String> {
        self.taken.iter().filter_map(|unit| order_text(board, &Order::Remove(*unit))).collect()
    }
}
