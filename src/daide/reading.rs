//! Reads orders from texts of `upheaval`.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::board::DaideBoard;
use crate::notation;
use crate::order::{DaideOrder, DaidePlace, DaideUnit, PowerToken, ProvinceToken, UnitClass};
use crate::position::DaidePosition;
use crate::token::UnitAccess;
use crate::turn::TurnPart;

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
        let unit = notation::unit(self.board, power, &own.join(" "))?;
        Some(match *rest {
            ["H"] => DaideOrder::Hold(unit),
            ["-", to] => self.movement(unit, self.board.place(to)?),
            ["-", to, "VIA"] => self.by_convoy(unit, self.board.place(to)?),
            ["S", kind, at] => DaideOrder::SupportHold(unit, self.standing(kind, at)?),
            ["S", kind, at, "-", to] => {
                DaideOrder::SupportMove(unit, self.standing(kind, at)?, self.board.place(to)?.province)
            }
            ["C", kind, at, "-", to] => {
                DaideOrder::Convoy(unit, self.standing(kind, at)?, self.board.place(to)?.province)
            }
            ["R", to] => DaideOrder::Retreat(unit, self.board.place(to)?),
            // Where units must retreat, none is removed.
            ["D"] if self.position.turn.season == TurnPart::Winter => DaideOrder::Remove(unit),
            ["D"] => DaideOrder::Disband(unit),
            ["B"] => DaideOrder::Build(unit),
            _ => return None,
        })
    }

    fn standing(&self, letter: &str, at: &str) -> Option<DaideUnit> {
        let (kind, place) = (notation::kind(letter)?, self.board.place(at)?);
        self.position.units.get(&place.province).copied().filter(|unit| unit.kind == kind)
    }

    fn movement(&self, unit: DaideUnit, to: DaidePlace) -> DaideOrder {
        match unit.kind {
            UnitClass::Army if !self.board.is_next(UnitClass::Army, unit.place, to) => {
                self.by_convoy(unit, to)
            }
            _ => DaideOrder::Move(unit, to),
        }
    }

    fn by_convoy(&self, unit: DaideUnit, to: DaidePlace) -> DaideOrder {
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
            Some(seas) => DaideOrder::MoveByConvoy(unit, to, seas),
            None => DaideOrder::Move(unit, to),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sentence::Sentence;
    use crate::test_games::new_game;
    use crate::turn::DaideTurn;
    use serde_json::json;

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
