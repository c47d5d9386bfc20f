//! Units and orders in the language.

use crate::sentence::{NotUnderstood, Reader, Sentence};
use crate::token::words::{
    AMY, BLD, CTO, CVY, DSB, ECS, FLT, HLD, MTO, NCS, NEC, NWC, REM, RTO, SCS, SEC, SUP, SWC, VIA, WCS, WVE,
};
use crate::token::{BRA, Category, Ground, Token};

/// A power, of some board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Power(Token);

/// A province, of some board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Province(Token);

/// The kinds of units.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// An army.
    Army,
    /// A fleet.
    Fleet,
}

/// The coasts that a province may have, by their bearing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Coast {
    North,
    NorthEast,
    East,
    SouthEast,
    South,
    SouthWest,
    West,
    NorthWest,
}

/// A province, or a coast of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The province.
    pub province: Province,
    /// The coast, where the province has several and it matters.
    pub coast: Option<Coast>,
}

/// A unit where it stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Unit {
    /// Its owner.
    pub power: Power,
    /// Its kind.
    pub kind: Kind,
    /// Where it is.
    pub place: Place,
}

/// An order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Order {
    /// Stay.
    Hold(Unit),
    /// Go to a neighbour.
    Move(Unit, Place),
    /// Support a unit that stays.
    SupportHold(Unit, Unit),
    /// Support a unit's move; no coast is named.
    SupportMove(Unit, Unit, Province),
    /// Convoy an army.
    Convoy(Unit, Unit, Province),
    /// Go by convoy, through these seas; never none.
    MoveByConvoy(Unit, Place, Vec<Province>),
    /// Retreat.
    Retreat(Unit, Place),
    /// Disband instead of retreating.
    Disband(Unit),
    /// Build this unit.
    Build(Unit),
    /// Remove this unit.
    Remove(Unit),
    /// Leave a build unused.
    Waive(Power),
}

impl Power {
    /// The power of this token, if it is one's.
    pub fn of(token: Token) -> Option<Power> {
        (token.category() == Category::Power).then_some(Power(token))
    }

    /// Its token.
    pub fn token(self) -> Token {
        self.0
    }
}

impl Province {
    /// The province of this token, if it is one's.
    pub fn of(token: Token) -> Option<Province> {
        matches!(token.category(), Category::Province(_)).then_some(Province(token))
    }

    /// Its token.
    pub fn token(self) -> Token {
        self.0
    }

    /// Its ground, as its category says.
    pub fn ground(self) -> Ground {
        match self.0.category() {
            Category::Province(ground) => ground,
            _ => unreachable!("a province is made of nothing else"),
        }
    }
}

impl Kind {
    /// Its token.
    pub const fn token(self) -> Token {
        match self {
            Kind::Army => AMY,
            Kind::Fleet => FLT,
        }
    }

    fn of(token: Token) -> Option<Kind> {
        [Kind::Army, Kind::Fleet].into_iter().find(|kind| kind.token() == token)
    }
}

impl Coast {
    const ALL: [(Coast, &str, Token); 8] = [
        (Coast::North, "NC", NCS),
        (Coast::NorthEast, "NEC", NEC),
        (Coast::East, "EC", ECS),
        (Coast::SouthEast, "SEC", SEC),
        (Coast::South, "SC", SCS),
        (Coast::SouthWest, "SWC", SWC),
        (Coast::West, "WC", WCS),
        (Coast::NorthWest, "NWC", NWC),
    ];

    /// The coast that `upheaval` calls by this: `NC`.
    pub fn named(name: &str) -> Option<Coast> {
        Coast::ALL.iter().find(|(_, listed, _)| *listed == name).map(|(coast, ..)| *coast)
    }

    /// Its name in `upheaval`.
    pub fn name(self) -> &'static str {
        Coast::ALL.iter().find(|(coast, ..)| *coast == self).map_or("", |(_, name, _)| name)
    }

    /// Its token.
    pub fn token(self) -> Token {
        Coast::ALL.iter().find(|(coast, ..)| *coast == self).map_or(NCS, |(.., token)| *token)
    }

    fn of(token: Token) -> Option<Coast> {
        Coast::ALL.iter().find(|(.., listed)| *listed == token).map(|(coast, ..)| *coast)
    }
}

impl From<Province> for Place {
    fn from(province: Province) -> Place {
        Place { province, coast: None }
    }
}

impl Place {
    /// Reads `PAR` or `(STP SCS)`.
    ///
    /// # Errors
    /// There is no place.
    pub fn read(from: &mut Reader<'_>) -> Result<Place, NotUnderstood> {
        if from.peek() != Some(BRA) {
            return from.as_one(Province::of).map(Place::from);
        }
        from.group(|within| {
            let province = within.as_one(Province::of)?;
            Ok(Place { province, coast: Some(within.as_one(Coast::of)?) })
        })
    }

    /// Writes it.
    #[must_use]
    pub fn write(self, to: Sentence) -> Sentence {
        match self.coast {
            None => to.word(self.province.0),
            Some(coast) => to.group(|within| within.word(self.province.0).word(coast.token())),
        }
    }
}

impl Unit {
    /// Reads a unit without its brackets: `ENG FLT LON`.
    ///
    /// # Errors
    /// There is no unit.
    pub fn read(from: &mut Reader<'_>) -> Result<Unit, NotUnderstood> {
        let (power, kind) = (from.as_one(Power::of)?, from.as_one(Kind::of)?);
        Ok(Unit { power, kind, place: Place::read(from)? })
    }

    /// Writes it without brackets.
    #[must_use]
    pub fn write_bare(self, to: Sentence) -> Sentence {
        self.place.write(to.word(self.power.0).word(self.kind.token()))
    }

    /// Writes it in brackets.
    #[must_use]
    pub fn write(self, to: Sentence) -> Sentence {
        to.group(|within| self.write_bare(within))
    }
}

impl Order {
    /// Reads an order without its brackets: `(ENG FLT LON) MTO NTH`.
    ///
    /// # Errors
    /// There is no order.
    pub fn read(from: &mut Reader<'_>) -> Result<Order, NotUnderstood> {
        if from.peek() != Some(BRA) {
            let power = from.as_one(Power::of)?;
            from.expect(WVE)?;
            return Ok(Order::Waive(power));
        }
        let unit = from.group(Unit::read)?;
        let mistake = from.fault();
        Ok(match from.take()? {
            HLD => Order::Hold(unit),
            MTO => Order::Move(unit, Place::read(from)?),
            SUP => {
                let other = from.group(Unit::read)?;
                match from.passes(MTO) {
                    true => Order::SupportMove(unit, other, from.as_one(Province::of)?),
                    false => Order::SupportHold(unit, other),
                }
            }
            CVY => {
                let army = from.group(Unit::read)?;
                from.expect(CTO)?;
                Order::Convoy(unit, army, from.as_one(Province::of)?)
            }
            CTO => {
                let to = Place::read(from)?;
                from.expect(VIA)?;
                let seas = from.group(|within| {
                    let mut seas = vec![within.as_one(Province::of)?];
                    while let Ok(sea) = within.as_one(Province::of) {
                        seas.push(sea);
                    }
                    Ok(seas)
                })?;
                Order::MoveByConvoy(unit, to, seas)
            }
            RTO => Order::Retreat(unit, Place::read(from)?),
            DSB => Order::Disband(unit),
            BLD => Order::Build(unit),
            REM => Order::Remove(unit),
            _ => return Err(mistake),
        })
    }

    /// Writes it without brackets.
    #[must_use]
    pub fn write_bare(&self, to: Sentence) -> Sentence {
        match self {
            Order::Hold(unit) => unit.write(to).word(HLD),
            Order::Move(unit, place) => place.write(unit.write(to).word(MTO)),
            Order::SupportHold(unit, other) => other.write(unit.write(to).word(SUP)),
            Order::SupportMove(unit, other, into) => {
                other.write(unit.write(to).word(SUP)).word(MTO).word(into.0)
            }
            Order::Convoy(unit, army, into) => army.write(unit.write(to).word(CVY)).word(CTO).word(into.0),
            Order::MoveByConvoy(unit, place, seas) => place
                .write(unit.write(to).word(CTO))
                .word(VIA)
                .group(|within| within.words(seas.iter().map(|sea| sea.0))),
            Order::Retreat(unit, place) => place.write(unit.write(to).word(RTO)),
            Order::Disband(unit) => unit.write(to).word(DSB),
            Order::Build(unit) => unit.write(to).word(BLD),
            Order::Remove(unit) => unit.write(to).word(REM),
            Order::Waive(power) => to.word(power.0).word(WVE),
        }
    }

    /// Writes it in brackets.
    #[must_use]
    pub fn write(&self, to: Sentence) -> Sentence {
        to.group(|within| self.write_bare(within))
    }

    /// The unit that it is given to; none to a build that is waived.
    pub fn unit(&self) -> Option<Unit> {
        match *self {
            Order::Hold(unit)
            | Order::Move(unit, _)
            | Order::SupportHold(unit, _)
            | Order::SupportMove(unit, ..)
            | Order::Convoy(unit, ..)
            | Order::MoveByConvoy(unit, ..)
            | Order::Retreat(unit, _)
            | Order::Disband(unit)
            | Order::Build(unit)
            | Order::Remove(unit) => Some(unit),
            Order::Waive(_) => None,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::token::words::NAMED;
    use proptest::prelude::*;

    fn power() -> impl Strategy<Value = Power> {
        (0_u16..34).prop_map(|number| Power::of(Token::from_code(0x4100 + number)).unwrap())
    }

    fn province() -> impl Strategy<Value = Province> {
        (0_u16..8, 0_u16..256)
            .prop_map(|(category, number)| Token::from_code(((0x50 + category) << 8) + number))
            .prop_map(|token| Province::of(token).unwrap())
    }

    fn place() -> impl Strategy<Value = Place> {
        (province(), prop::option::of(prop::sample::select(Coast::ALL.to_vec())))
            .prop_map(|(province, coast)| Place { province, coast: coast.map(|(coast, ..)| coast) })
    }

    fn unit() -> impl Strategy<Value = Unit> {
        let kind = prop_oneof![Just(Kind::Army), Just(Kind::Fleet)];
        (power(), kind, place()).prop_map(|(power, kind, place)| Unit { power, kind, place })
    }

    /// Any order that can be written.
    pub(crate) fn order() -> impl Strategy<Value = Order> {
        prop_oneof![
            unit().prop_map(Order::Hold),
            (unit(), place()).prop_map(|(unit, to)| Order::Move(unit, to)),
            (unit(), unit()).prop_map(|(unit, other)| Order::SupportHold(unit, other)),
            (unit(), unit(), province()).prop_map(|(unit, other, to)| Order::SupportMove(unit, other, to)),
            (unit(), unit(), province()).prop_map(|(unit, army, to)| Order::Convoy(unit, army, to)),
            (unit(), place(), prop::collection::vec(province(), 1..6))
                .prop_map(|(unit, to, seas)| Order::MoveByConvoy(unit, to, seas)),
            (unit(), place()).prop_map(|(unit, to)| Order::Retreat(unit, to)),
            unit().prop_map(Order::Disband),
            unit().prop_map(Order::Build),
            unit().prop_map(Order::Remove),
            power().prop_map(Order::Waive),
        ]
    }

    proptest! {
        #[test]
        fn an_order_is_read_as_it_was_written(order in order()) {
            let said = order.write(Sentence::default());
            let mut reader = Reader::new(said.tokens());
            prop_assert_eq!(reader.group(Order::read), Ok(order));
            prop_assert_eq!(reader.end(), Ok(()));
        }

        #[test]
        fn any_tokens_are_an_order_or_none(
            words in prop::collection::vec(prop::sample::select(NAMED.to_vec()), 0..12),
            brackets in prop::collection::vec((0_usize..12, any::<bool>()), 0..6),
        ) {
            let mut tokens: Vec<Token> = words.into_iter().map(|(_, token)| token).collect();
            for (at, opens) in brackets {
                let bracket = if opens { BRA } else { crate::token::KET };
                tokens.insert(at.min(tokens.len()), bracket);
            }
            if let Err(NotUnderstood(at)) = Order::read(&mut Reader::new(&tokens)) {
                prop_assert!(at <= tokens.len());
            }
        }
    }

    #[test]
    fn coasts_have_the_names_of_both_sides() {
        for (coast, name, token) in Coast::ALL {
            assert_eq!((coast.name(), coast.token()), (name, token));
            assert_eq!((Coast::named(name), Coast::of(token)), (Some(coast), Some(coast)));
        }
        assert_eq!(Coast::named("NC2"), None);
    }
}
