//! Orders of an adjustment turn: builds, or removals.

use std::collections::{BTreeMap, BTreeSet};

use super::{OrderNote, Scene};
use crate::board::DaideBoard;
use crate::notation::order_text;
use crate::order::{DaideOrder, DaideUnit, ProvinceToken, UnitClass};
use crate::sentence::Sentence;
use crate::token::words::MIS;
use crate::token::{Centre, TokenNumber, UnitAccess};

/// Builds, including waived ones.
#[derive(Clone, Debug)]
pub(super) struct Builds {
    count: usize,
    /// Every possible build, as text.
    sites: BTreeSet<String>,
    taken: BTreeMap<ProvinceToken, DaideUnit>,
    waived: usize,
}

impl Builds {
    pub(super) fn new(count: usize, sites: &[String]) -> Builds {
        Builds { count, sites: sites.iter().cloned().collect(), taken: BTreeMap::new(), waived: 0 }
    }

    pub(super) fn missing(&self) -> usize {
        self.count.saturating_sub(self.taken.len() + self.waived)
    }

    pub(super) fn take(&mut self, scene: Scene<'_>, order: &DaideOrder) -> Result<(), OrderNote> {
        match order {
            DaideOrder::Waive(power) if *power != scene.power => Err(OrderNote::NotYours),
            DaideOrder::Waive(_) if self.missing() == 0 => Err(OrderNote::NoBuildLeft),
            DaideOrder::Waive(_) => {
                self.waived += 1;
                Ok(())
            }
            DaideOrder::Build(unit) => self.build(scene, *unit),
            DaideOrder::Remove(_) => Err(OrderNote::NoRemovalLeft),
            _ => Err(OrderNote::WrongSeason),
        }
    }

    fn build(&mut self, scene: Scene<'_>, unit: DaideUnit) -> Result<(), OrderNote> {
        if unit.power != scene.power {
            return Err(OrderNote::NotYours);
        }
        // A coast for a province with a single coast is superfluous and harmless.
        let at = unit.place.province;
        let unit = match at.ground().shape {
            UnitAccess::Bicoastal if unit.kind == UnitClass::Fleet => unit,
            _ => DaideUnit { place: at.into(), ..unit },
        };
        let text = order_text(scene.board, &DaideOrder::Build(unit)).ok_or(OrderNote::NoProvince)?;
        if !self.sites.contains(&text) {
            return Err(why_not(scene, unit));
        }
        // Another unit in the same place replaces the first.
        if self.missing() == 0 && !self.taken.contains_key(&at) {
            return Err(OrderNote::NoBuildLeft);
        }
        self.taken.insert(at, unit);
        Ok(())
    }

    pub(super) fn take_back(&mut self, order: Option<&DaideOrder>) -> bool {
        match order {
            None => {
                self.taken.clear();
                self.waived = 0;
                true
            }
            Some(DaideOrder::Build(unit)) => {
                let at = unit.place.province;
                let taken = self.taken.get(&at).is_some_and(|taken| taken.kind == unit.kind);
                taken && self.taken.remove(&at).is_some()
            }
            Some(DaideOrder::Waive(_)) if self.waived > 0 => {
                self.waived -= 1;
                true
            }
            Some(_) => false,
        }
    }

    pub(super) fn write_missing(&self) -> Sentence {
        match self.missing() {
            0 => Sentence::new(MIS),
            // Negative: this number of builds.
            count => {
                let count = -i64::from(TokenNumber::of_count(count).get());
                let number = TokenNumber::new(count).unwrap_or(TokenNumber::of_count(0));
                Sentence::new(MIS).group(|s| s.number(number))
            }
        }
    }

    pub(super) fn texts(&self, board: &DaideBoard) -> Vec<String> {
        let builds = self.taken.values().filter_map(|unit| order_text(board, &DaideOrder::Build(*unit)));
        builds.chain(std::iter::repeat_n("WAIVE".to_owned(), self.waived)).collect()
    }
}

/// Why the unit cannot be built there.
fn why_not(scene: Scene<'_>, unit: DaideUnit) -> OrderNote {
    let at = unit.place.province;
    let ground = at.ground();
    if ground.centre == Centre::No {
        return OrderNote::NoCentre;
    }
    if scene.position.owners.get(&at) != Some(&scene.power) {
        return OrderNote::NotYourCentre;
    }
    if !scene.board.is_home(at, scene.power) {
        return OrderNote::NotHome;
    }
    if scene.position.units.contains_key(&at) { OrderNote::Occupied } else { OrderNote::Coast }
}

/// Removals.
#[derive(Clone, Debug)]
pub(super) struct Removals {
    count: usize,
    taken: BTreeSet<DaideUnit>,
}

impl Removals {
    pub(super) fn new(count: usize) -> Removals {
        Removals { count, taken: BTreeSet::new() }
    }

    pub(super) fn missing(&self) -> usize {
        self.count.saturating_sub(self.taken.len())
    }

    pub(super) fn take(&mut self, scene: Scene<'_>, order: &DaideOrder) -> Result<(), OrderNote> {
        match order {
            DaideOrder::Remove(unit) => {
                let unit = scene.own(*unit)?;
                if self.missing() == 0 && !self.taken.contains(&unit) {
                    return Err(OrderNote::NoRemovalLeft);
                }
                self.taken.insert(unit);
                Ok(())
            }
            DaideOrder::Build(_) | DaideOrder::Waive(_) => Err(OrderNote::NoBuildLeft),
            _ => Err(OrderNote::WrongSeason),
        }
    }

    pub(super) fn take_back(&mut self, order: Option<&DaideOrder>) -> bool {
        match order {
            None => {
                self.taken.clear();
                true
            }
            Some(DaideOrder::Remove(unit)) => {
                let at = |taken: &&DaideUnit| taken.place.province == unit.place.province;
                let taken = self.taken.iter().find(at).copied();
                taken.is_some_and(|taken| self.taken.remove(&taken))
            }
            Some(_) => false,
        }
    }

    pub(super) fn write_missing(&self) -> Sentence {
        match self.missing() {
            0 => Sentence::new(MIS),
            count => Sentence::new(MIS).group(|s| s.number(TokenNumber::of_count(count))),
        }
    }

    pub(super) fn texts(&self, board: &DaideBoard) -> Vec<String> {
        self.taken.iter().filter_map(|unit| order_text(board, &DaideOrder::Remove(*unit))).collect()
    }
}
