//! Positions before a turn: units, those that must retreat, owners of centres.

use std::collections::BTreeMap;

use crate::board::DaideBoard;
use crate::notation;
use crate::order::{DaidePlace, DaideUnit, PowerToken, ProvinceToken};
use crate::sentence::Sentence;
use crate::token::words::{MRT, NOW, SCO, UNO};
use crate::told::PowerStates;
use crate::turn::{DaideTurn, TurnPart};

/// A position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DaidePosition {
    /// The turn that follows.
    pub turn: DaideTurn,
    /// The units by province.
    pub units: BTreeMap<ProvinceToken, DaideUnit>,
    /// The units that must retreat, and their options.
    pub retreats: BTreeMap<DaideUnit, Vec<DaidePlace>>,
    /// The owners of the centres that have one.
    pub owners: BTreeMap<ProvinceToken, PowerToken>,
}

impl DaidePosition {
    /// The position from the reported state of the powers.
    ///
    /// # Errors
    /// A text does not fit the board; ignoring it would give a different position.
    pub(crate) fn new(
        board: &DaideBoard,
        turn: DaideTurn,
        powers: &PowerStates,
    ) -> Result<DaidePosition, String> {
        let mut position = DaidePosition {
            turn,
            units: BTreeMap::new(),
            retreats: BTreeMap::new(),
            owners: BTreeMap::new(),
        };
        for (name, standing) in powers {
            let power = board.power(name).ok_or_else(|| name.clone())?;
            for text in &standing.units {
                let unit = notation::unit(board, power, text).ok_or_else(|| text.clone())?;
                position.units.insert(unit.place.province, unit);
            }
            for waiting in &standing.retreats {
                let unit = notation::unit(board, power, &waiting.unit).ok_or_else(|| waiting.unit.clone())?;
                let options = waiting.options.iter().map(|to| board.place(to).ok_or_else(|| to.clone()));
                position.retreats.insert(unit, options.collect::<Result<_, _>>()?);
            }
            for code in &standing.centers {
                let centre = board.province(code).ok_or_else(|| code.clone())?;
                position.owners.insert(centre, power);
            }
        }
        Ok(position)
    }

    /// The units of a power, ascending.
    pub(crate) fn units_of(&self, power: PowerToken) -> impl Iterator<Item = DaideUnit> {
        self.units.values().copied().filter(move |unit| unit.power == power)
    }

    /// The number of centres of a power.
    pub(crate) fn centres_of(&self, power: PowerToken) -> usize {
        self.owners.values().filter(|owner| **owner == power).count()
    }

    /// Does the power have something to order by the rules of the language? These also require disbanding
    /// units without an option, and waiving builds without a place.
    pub(crate) fn awaits(&self, power: PowerToken) -> bool {
        match self.turn.season {
            TurnPart::Spring | TurnPart::Fall => self.units_of(power).next().is_some(),
            TurnPart::Summer | TurnPart::Autumn => self.retreats.keys().any(|unit| unit.power == power),
            TurnPart::Winter => self.units_of(power).count() != self.centres_of(power),
        }
    }

    /// The unit of this kind that is in the province, or must retreat from it.
    pub(crate) fn found(&self, wanted: DaideUnit) -> Option<DaideUnit> {
        let fits = |unit: &&DaideUnit| {
            let coast = wanted.place.coast.is_none() || wanted.place.coast == unit.place.coast;
            unit.kind == wanted.kind && unit.place.province == wanted.place.province && coast
        };
        let standing = self.units.get(&wanted.place.province).filter(fits);
        standing.or_else(|| self.retreats.keys().find(fits)).copied()
    }

    /// The message with the places of the units.
    pub(crate) fn now(&self) -> Sentence {
        let mut units: Vec<DaideUnit> = self.units.values().copied().collect();
        units.extend(self.retreats.keys());
        units.sort_unstable();
        units.dedup();
        let mut said = self.turn.write(Sentence::new(NOW));
        for unit in units {
            // Two units of a power may be in a province: the one that arrived, and the one that must retreat.
            let waits = self.retreats.contains_key(&unit);
            if self.units.get(&unit.place.province) == Some(&unit) {
                said = unit.write(said);
            }
            if waits {
                said = said.group(|s| self.write_retreat(unit, s));
            }
        }
        said
    }

    /// Writes a unit that must retreat, with its options, without brackets.
    #[must_use]
    pub(crate) fn write_retreat(&self, unit: DaideUnit, to: Sentence) -> Sentence {
        let options = self.retreats.get(&unit).map(Vec::as_slice).unwrap_or_default();
        unit.write_bare(to).word(MRT).group(|s| options.iter().fold(s, |s, place| place.write(s)))
    }

    /// The message with the owners of the centres.
    pub(crate) fn owners(&self, board: &DaideBoard) -> Sentence {
        let of = |owner: Option<PowerToken>| {
            let centres = board.centres().filter(move |centre| self.owners.get(centre).copied() == owner);
            centres.map(|centre| centre.token()).collect::<Vec<_>>()
        };
        let mut said = Sentence::new(SCO);
        for power in board.powers() {
            let centres = of(Some(power));
            if !centres.is_empty() {
                said = said.group(|s| s.word(power.token()).words(centres));
            }
        }
        let unowned = of(None);
        if unowned.is_empty() { said } else { said.group(|s| s.word(UNO).words(unowned)) }
    }
}
