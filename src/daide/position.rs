//! Positions before a turn (units, units that must retreat, owners of centres), and past turns: their orders, read from
//! texts of `upheaval`, and the results.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::board::{DaideBoard, read_unit};
use crate::order::{
    Act, DaideOrder, DaidePlace, DaideTurn, DaideUnit, PowerToken, ProvinceToken, TurnPart, UnitClass,
};
use crate::request::{PowerStates, SettledStage};
use crate::token::words::{BNC, CUT, DSR, MRT, NOW, NSO, ORD, RET, SCO, SUC, UNO};
use crate::token::{Sentence, Token, UnitAccess};

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
                let unit = read_unit(board, power, text).ok_or_else(|| text.clone())?;
                position.units.insert(unit.place.province, unit);
            }
            for waiting in &standing.retreats {
                let unit = read_unit(board, power, &waiting.unit).ok_or_else(|| waiting.unit.clone())?;
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
        let fits = |unit: &&DaideUnit| unit.fits(wanted);
        let standing = self.units.get(&wanted.place.province).filter(fits);
        standing.or_else(|| self.retreats.keys().find(fits)).copied()
    }

    /// The message with the places of the units.
    pub(crate) fn now(&self) -> Sentence {
        let units: BTreeSet<&DaideUnit> = self.units.values().chain(self.retreats.keys()).collect();
        let mut said = self.turn.write(Sentence::new(NOW));
        for &unit in units {
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

/// Reads the orders of a stage. The notation does not name the seas of an army's route: they are found among
/// the fleets that were ordered to convoy it, or that were there.
pub(crate) struct OrderReader<'a> {
    board: &'a DaideBoard,
    position: &'a DaidePosition,
    /// Seas from which fleets were ordered to convoy an army from one province to another.
    convoys: BTreeMap<(ProvinceToken, ProvinceToken), BTreeSet<ProvinceToken>>,
}

impl<'a> OrderReader<'a> {
    /// A reader for these orders, given in this position.
    pub(crate) fn new<'t>(
        board: &'a DaideBoard,
        position: &'a DaidePosition,
        texts: impl Iterator<Item = &'t str>,
    ) -> OrderReader<'a> {
        let mut reader = OrderReader { board, position, convoys: BTreeMap::new() };
        for text in texts {
            let words: Vec<&str> = text.split_whitespace().collect();
            let province = |code: &str| board.place(code).map(|place| place.province);
            if let [_, sea, "C", _, from, "-", to] = words[..]
                && let (Some(sea), Some(from), Some(to)) = (province(sea), province(from), province(to))
            {
                reader.convoys.entry((from, to)).or_default().insert(sea);
            }
        }
        reader
    }

    /// The order of a power in this text; `None` for a text that is not an order of the language.
    pub(crate) fn read(&self, power: PowerToken, text: &str) -> Option<DaideOrder> {
        let words: Vec<&str> = text.split_whitespace().collect();
        if words == ["WAIVE"] {
            return Some(DaideOrder::Waive(power));
        }
        let (own, rest) = words.split_at_checked(2)?;
        let unit = read_unit(self.board, power, &own.join(" "))?;
        let act = match *rest {
            ["H"] => Act::Hold,
            ["-", to] => self.movement(unit, self.board.place(to)?),
            ["-", to, "VIA"] => self.by_convoy(unit, self.board.place(to)?),
            ["S", kind, at] => Act::SupportHold(self.standing(kind, at)?),
            ["S", kind, at, "-", to] => {
                Act::SupportMove(self.standing(kind, at)?, self.board.place(to)?.province)
            }
            ["C", kind, at, "-", to] => Act::Convoy(self.standing(kind, at)?, self.board.place(to)?.province),
            ["R", to] => Act::Retreat(self.board.place(to)?),
            // Where units must retreat, none is removed.
            ["D"] if self.position.turn.season == TurnPart::Winter => Act::Remove,
            ["D"] => Act::Disband,
            ["B"] => Act::Build,
            _ => return None,
        };
        Some(DaideOrder::To(unit, act))
    }

    fn standing(&self, letter: &str, at: &str) -> Option<DaideUnit> {
        let (kind, place) = (UnitClass::of_letter(letter)?, self.board.place(at)?);
        self.position.units.get(&place.province).copied().filter(|unit| unit.kind == kind)
    }

    fn movement(&self, unit: DaideUnit, to: DaidePlace) -> Act {
        match unit.kind {
            UnitClass::Army if !self.board.is_next(UnitClass::Army, unit.place, to) => {
                self.by_convoy(unit, to)
            }
            _ => Act::Move(to),
        }
    }

    fn by_convoy(&self, unit: DaideUnit, to: DaidePlace) -> Act {
        let ends = (unit.place.province, to.province);
        let ordered = self.convoys.get(&ends);
        let fleets: BTreeSet<ProvinceToken> = self
            .position
            .units
            .values()
            .filter(|unit| unit.kind == UnitClass::Fleet)
            .map(|unit| unit.place.province)
            .collect();
        let found = ordered.and_then(|seas| route(self.board, ends, |sea| seas.contains(&sea)));
        let found = found.or_else(|| route(self.board, ends, |sea| fleets.contains(&sea)));
        // There was no fleet on the way: a route that could have been used.
        match found.or_else(|| route(self.board, ends, |_| true)) {
            Some(seas) => Act::MoveByConvoy(to, seas),
            None => Act::Move(to),
        }
    }
}

/// A shortest route over these seas between two coasts; of several, the first by number.
fn route(
    board: &DaideBoard,
    (from, to): (ProvinceToken, ProvinceToken),
    open: impl Fn(ProvinceToken) -> bool,
) -> Option<Vec<ProvinceToken>> {
    let is_open = |&province: &ProvinceToken| province.ground().shape == UnitAccess::Sea && open(province);
    let mut before: BTreeMap<ProvinceToken, Option<ProvinceToken>> = BTreeMap::new();
    let mut next: VecDeque<ProvinceToken> = VecDeque::new();
    for sea in board.by_water(from).into_iter().filter(is_open) {
        before.insert(sea, None);
        next.push_back(sea);
    }
    while let Some(sea) = next.pop_front() {
        let around = board.by_water(sea);
        if around.contains(&to) {
            let mut way = vec![sea];
            while let Some(Some(earlier)) = way.last().and_then(|sea| before.get(sea)) {
                way.push(*earlier);
            }
            way.reverse();
            return Some(way);
        }
        for other in around.into_iter().filter(is_open) {
            if let Entry::Vacant(entry) = before.entry(other) {
                entry.insert(Some(sea));
                next.push_back(other);
            }
        }
    }
    None
}

/// A past turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PastTurn {
    /// The turn.
    pub turn: DaideTurn,
    /// The results of its orders: a message for each.
    pub results: Vec<Sentence>,
    /// The owners of the centres afterwards.
    pub owners: Sentence,
    /// The position afterwards.
    pub now: Sentence,
}

/// An order of a power, and the words for its result.
type OrderResult = (PowerToken, DaideOrder, Vec<Token>);

/// The results of a settled stage, a message for each order. `own` are the orders of the client: where it
/// named the seas of an army's route, the same seas are reported.
pub(crate) fn results(
    board: &DaideBoard,
    before: &DaidePosition,
    past: &SettledStage,
    (power, own): (PowerToken, &[DaideOrder]),
) -> Vec<Sentence> {
    let texts = past.orders.values().flatten().map(|settled| settled.order.as_str());
    let reader = OrderReader::new(board, before, texts);
    let mut told: Vec<OrderResult> = Vec::new();
    for (name, orders) in &past.orders {
        let Some(of) = board.power(name) else { continue };
        for settled in orders {
            let Some(order) = reader.read(of, &settled.order) else { continue };
            let Some(result) = result(&order, &settled.result) else { continue };
            let order = if of == power { as_given(order, own) } else { order };
            told.push((of, order, result));
        }
    }
    told.extend(waived(board, before, &told));
    // In the order of the powers' tokens.
    told.sort_by_key(|(power, ..)| *power);
    let message = |(_, order, result): &OrderResult| {
        let said = before.turn.write(Sentence::new(ORD));
        order.write(said).group(|s| s.words(result.iter().copied()))
    };
    told.iter().map(message).collect()
}

/// A waived build for each build that a power neither used nor waived: by the language's rules, each of a power's
/// builds has an order, and clients count on that.
fn waived(board: &DaideBoard, before: &DaidePosition, told: &[OrderResult]) -> Vec<OrderResult> {
    if before.turn.season != TurnPart::Winter {
        return Vec::new();
    }
    let of_builds =
        |order: &DaideOrder| matches!(order, DaideOrder::To(_, Act::Build) | DaideOrder::Waive(_));
    let of_power = |power: PowerToken| {
        let builds = before.centres_of(power).saturating_sub(before.units_of(power).count());
        let ordered = told.iter().filter(|(of, order, _)| *of == power && of_builds(order)).count();
        let left = builds.saturating_sub(ordered);
        std::iter::repeat_n((power, DaideOrder::Waive(power), vec![SUC]), left)
    };
    board.powers().flat_map(of_power).collect()
}

/// The order as its power gave it, if it gave that order.
fn as_given(order: DaideOrder, own: &[DaideOrder]) -> DaideOrder {
    let ends = |order: &DaideOrder| match order {
        DaideOrder::To(unit, Act::MoveByConvoy(to, _)) => Some((*unit, to.province)),
        _ => None,
    };
    let same = |given: &&DaideOrder| ends(given).is_some() && ends(given) == ends(&order);
    own.iter().find(same).cloned().unwrap_or(order)
}

/// The language's result words for those of `upheaval`; `None` for an order that did not count.
fn result(order: &DaideOrder, words: &[String]) -> Option<Vec<Token>> {
    let mut result = Vec::new();
    for word in words {
        result.push(match (word.as_str(), order) {
            ("ok", _) => SUC,
            ("bounce", _) => BNC,
            // Two units that retreat to the same place are both lost.
            ("overlap", _) => BNC,
            ("cut", _) => CUT,
            ("disrupted", _) => DSR,
            // A convoy or support that matches no order of the other unit.
            ("no convoy" | "void", DaideOrder::To(_, Act::Move(_))) => BNC,
            ("no convoy" | "void", _) => NSO,
            ("dislodged", _) => RET,
            // A unit that had to retreat and has no order is disbanded.
            ("disband", _) => SUC,
            // It did not count: another order replaced it, and is reported instead.
            _ => return None,
        });
    }
    Some(if result.is_empty() { vec![SUC] } else { result })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::board::tests::new_game;
    use crate::order::DaideTurn;
    use crate::token::Sentence;

    /// The order of England in a position with these units of its own, together with these orders.
    fn read(units: &[&str], orders: &[&str], order: &str) -> Option<String> {
        let board = DaideBoard::new(&new_game("standard", "ENGLAND")).unwrap();
        let powers = json!({ "ENGLAND": { "units": units, "centers": [] } });
        let powers = serde_json::from_value(powers).unwrap();
        let position = DaidePosition::new(&board, DaideTurn::of_phase("S1901M").unwrap(), &powers).unwrap();
        let reader = OrderReader::new(&board, &position, orders.iter().copied());
        let order = reader.read(board.power("ENGLAND").unwrap(), order)?;
        let said = order.write_bare(Sentence::default());
        Some(board.lexicon().display(said.tokens()).to_string())
    }

    #[test]
    fn an_army_goes_over_the_fleets_that_were_ordered_to_take_it() {
        let units = ["A LON", "F ENG", "F MAO", "F WES", "F NTH", "F NWG"];
        let through = |orders: &[&str], to: &str| {
            let read = read(&units, orders, &format!("A LON - {to}")).unwrap();
            read.strip_prefix("(ENG AMY LON) ").unwrap().to_owned()
        };
        let convoy = ["F ENG C A LON - TUN", "F MAO C A LON - TUN", "F WES C A LON - TUN"];
        assert_eq!(through(&convoy, "TUN"), "CTO TUN VIA (ECH MAO WES)");
        // Without a convoy order, over the fleets that are there; and without fleets, over the sea.
        assert_eq!(through(&[], "TUN"), "CTO TUN VIA (ECH MAO WES)");
        assert_eq!(through(&["F NWG C A LON - NWY", "F NTH C A LON - NWY"], "NWY"), "CTO NWY VIA (NTH)");
        assert_eq!(through(&[], "SYR"), "CTO SYR VIA (ECH MAO WES TYS ION EAS)");
        assert_eq!(through(&[], "YOR"), "MTO YOR");
        assert_eq!(through(&[], "YOR VIA"), "CTO YOR VIA (NTH)");
        assert_eq!(through(&[], "MOS"), "MTO MOS", "no sea leads there");
    }

    #[test]
    fn orders_are_read_from_their_texts() {
        let units = ["A LON", "F ENG", "F SPA/SC"];
        let cases = [
            ("A LON H", Some("(ENG AMY LON) HLD")),
            ("F SPA/SC - MAO", Some("(ENG FLT (SPA SCS)) MTO MAO")),
            ("F ENG S F SPA/SC - MAO", Some("(ENG FLT ECH) SUP (ENG FLT (SPA SCS)) MTO MAO")),
            ("F ENG S A LON", Some("(ENG FLT ECH) SUP (ENG AMY LON)")),
            ("F ENG C A LON - BRE", Some("(ENG FLT ECH) CVY (ENG AMY LON) CTO BRE")),
            ("A MUN#2 R BER", Some("(ENG AMY MUN) RTO BER")),
            ("A MUN D", Some("(ENG AMY MUN) DSB")),
            ("F STP/NC B", Some("(ENG FLT (STP NCS)) BLD")),
            ("WAIVE", Some("ENG WVE")),
            ("F ENG S A PAR", None),
            ("A XYZ H", None),
            ("A/F ENG H", None),
            ("A LON E F ENG", None),
            ("", None),
            ("H", None),
        ];
        for (text, expected) in cases {
            assert_eq!(read(&units, &[], text).as_deref(), expected, "{text}");
        }
    }
}
