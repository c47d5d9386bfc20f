//! Units, orders, and turns (the phases of a year) in the language.

use crate::token::words::{
    AMY, AUT, BLD, CTO, CVY, DSB, ECS, FAL, FLT, HLD, MTO, NCS, NEC, NWC, REM, RTO, SCS, SEC, SPR, SUM, SUP,
    SWC, VIA, WCS, WIN, WVE,
};
use crate::token::{BRA, NotUnderstood, ProvinceCategory, Reader, Sentence, Token, TokenNumber};

/// A power, of some board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct PowerToken(Token);

/// A province, of some board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ProvinceToken(Token);

/// The kinds of units.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum UnitClass {
    /// An army.
    Army,
    /// A fleet.
    Fleet,
}

/// A coast that a province may have, by its bearing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Coast(Token);

/// A province, or a coast of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct DaidePlace {
    /// The province.
    pub province: ProvinceToken,
    /// The coast, if the province has several and it matters.
    pub coast: Option<Coast>,
}

/// A unit in its place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct DaideUnit {
    /// Its owner.
    pub power: PowerToken,
    /// Its kind.
    pub kind: UnitClass,
    /// The place.
    pub place: DaidePlace,
}

/// An order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum DaideOrder {
    /// To a unit.
    To(DaideUnit, Act),
    /// Waive a build.
    Waive(PowerToken),
}

/// What a unit is ordered to do.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Act {
    /// Stay.
    Hold,
    /// Move to a neighbour.
    Move(DaidePlace),
    /// Support a unit that stays.
    SupportHold(DaideUnit),
    /// Support a unit's move; the coast is not named.
    SupportMove(DaideUnit, ProvinceToken),
    /// Convoy an army.
    Convoy(DaideUnit, ProvinceToken),
    /// Move by convoy through these seas; the list is never empty.
    MoveByConvoy(DaidePlace, Vec<ProvinceToken>),
    /// Retreat.
    Retreat(DaidePlace),
    /// Disband instead of retreating.
    Disband,
    /// The unit is built.
    Build,
    /// The unit is removed.
    Remove,
}

impl PowerToken {
    /// The power of this token, if it represents one.
    pub(crate) fn of(token: Token) -> Option<PowerToken> {
        token.is_power().then_some(PowerToken(token))
    }

    /// Its token.
    pub(crate) fn token(self) -> Token {
        self.0
    }
}

impl ProvinceToken {
    /// The province of this token, if it represents one.
    pub(crate) fn of(token: Token) -> Option<ProvinceToken> {
        token.ground().map(|_| ProvinceToken(token))
    }

    /// Its token.
    pub(crate) fn token(self) -> Token {
        self.0
    }

    /// Its category.
    pub(crate) fn ground(self) -> ProvinceCategory {
        self.0.ground().expect("`of` makes provinces only of tokens of this category")
    }
}

impl UnitClass {
    /// The kinds, with their tokens and the letters that represent them in `upheaval`.
    const ALL: [(UnitClass, Token, &str); 2] = [(UnitClass::Army, AMY, "A"), (UnitClass::Fleet, FLT, "F")];

    fn token(self) -> Token {
        UnitClass::ALL[self as usize].1
    }

    fn of(token: Token) -> Option<UnitClass> {
        UnitClass::ALL.into_iter().find(|&(_, other, _)| other == token).map(|(kind, ..)| kind)
    }

    /// The letter that represents it in `upheaval`.
    pub(crate) fn letter(self) -> &'static str {
        UnitClass::ALL[self as usize].2
    }

    /// The kind that a letter represents.
    pub(crate) fn of_letter(letter: &str) -> Option<UnitClass> {
        UnitClass::ALL.into_iter().find(|&(.., other)| other == letter).map(|(kind, ..)| kind)
    }
}

impl Coast {
    /// The coasts by their names in `upheaval`.
    const ALL: [(&str, Coast); 8] = [
        ("NC", Coast(NCS)),
        ("NEC", Coast(NEC)),
        ("EC", Coast(ECS)),
        ("SEC", Coast(SEC)),
        ("SC", Coast(SCS)),
        ("SWC", Coast(SWC)),
        ("WC", Coast(WCS)),
        ("NWC", Coast(NWC)),
    ];

    /// The coast with this name in `upheaval`: `NC`.
    pub(crate) fn named(name: &str) -> Option<Coast> {
        Coast::ALL.iter().find(|(listed, _)| *listed == name).map(|(_, coast)| *coast)
    }

    /// Its name in `upheaval`.
    pub(crate) fn name(self) -> &'static str {
        Coast::ALL.iter().find(|(_, coast)| *coast == self).map_or("", |(name, _)| name)
    }

    /// Its token.
    pub(crate) fn token(self) -> Token {
        self.0
    }

    fn of(token: Token) -> Option<Coast> {
        Coast::ALL.iter().map(|(_, coast)| *coast).find(|coast| coast.0 == token)
    }
}

impl From<ProvinceToken> for DaidePlace {
    fn from(province: ProvinceToken) -> DaidePlace {
        DaidePlace { province, coast: None }
    }
}

impl DaidePlace {
    /// Is it this place? A wanted place without a coast means any coast.
    pub(crate) fn fits(self, wanted: DaidePlace) -> bool {
        self.province == wanted.province && (wanted.coast.is_none() || self.coast == wanted.coast)
    }

    /// Reads `PAR` or `(STP SCS)`.
    ///
    /// # Errors
    /// There is no place at this position.
    pub(crate) fn read(from: &mut Reader<'_>) -> Result<DaidePlace, NotUnderstood> {
        if from.peek() != Some(BRA) {
            return from.as_one(ProvinceToken::of).map(DaidePlace::from);
        }
        from.group(|within| {
            let province = within.as_one(ProvinceToken::of)?;
            Ok(DaidePlace { province, coast: Some(within.as_one(Coast::of)?) })
        })
    }

    /// Writes it.
    #[must_use]
    pub(crate) fn write(self, to: Sentence) -> Sentence {
        match self.coast {
            None => to.word(self.province.0),
            Some(coast) => to.group(|within| within.word(self.province.0).word(coast.token())),
        }
    }
}

impl DaideUnit {
    /// Is it a unit of this kind in this place, of whatever power?
    pub(crate) fn fits(self, wanted: DaideUnit) -> bool {
        self.kind == wanted.kind && self.place.fits(wanted.place)
    }

    /// Reads a unit without its brackets: `ENG FLT LON`.
    ///
    /// # Errors
    /// There is no unit at this position.
    pub(crate) fn read(from: &mut Reader<'_>) -> Result<DaideUnit, NotUnderstood> {
        let (power, kind) = (from.as_one(PowerToken::of)?, from.as_one(UnitClass::of)?);
        Ok(DaideUnit { power, kind, place: DaidePlace::read(from)? })
    }

    /// Writes it without brackets.
    #[must_use]
    pub(crate) fn write_bare(self, to: Sentence) -> Sentence {
        self.place.write(to.word(self.power.0).word(self.kind.token()))
    }

    /// Writes it in brackets.
    #[must_use]
    pub(crate) fn write(self, to: Sentence) -> Sentence {
        to.group(|within| self.write_bare(within))
    }
}

impl DaideOrder {
    /// Reads an order without its brackets: `(ENG FLT LON) MTO NTH`.
    ///
    /// # Errors
    /// There is no order at this position.
    pub(crate) fn read(from: &mut Reader<'_>) -> Result<DaideOrder, NotUnderstood> {
        if from.peek() != Some(BRA) {
            let power = from.as_one(PowerToken::of)?;
            from.expect(WVE)?;
            return Ok(DaideOrder::Waive(power));
        }
        let unit = from.group(DaideUnit::read)?;
        let mistake = from.fault();
        let act = match from.take()? {
            HLD => Act::Hold,
            MTO => Act::Move(DaidePlace::read(from)?),
            SUP => {
                let other = from.group(DaideUnit::read)?;
                match from.passes(MTO) {
                    true => Act::SupportMove(other, from.as_one(ProvinceToken::of)?),
                    false => Act::SupportHold(other),
                }
            }
            CVY => {
                let army = from.group(DaideUnit::read)?;
                from.expect(CTO)?;
                Act::Convoy(army, from.as_one(ProvinceToken::of)?)
            }
            CTO => {
                let to = DaidePlace::read(from)?;
                from.expect(VIA)?;
                let seas = from.group(|within| {
                    let mut seas = vec![within.as_one(ProvinceToken::of)?];
                    while let Ok(sea) = within.as_one(ProvinceToken::of) {
                        seas.push(sea);
                    }
                    Ok(seas)
                })?;
                Act::MoveByConvoy(to, seas)
            }
            RTO => Act::Retreat(DaidePlace::read(from)?),
            DSB => Act::Disband,
            BLD => Act::Build,
            REM => Act::Remove,
            _ => return Err(mistake),
        };
        Ok(DaideOrder::To(unit, act))
    }

    /// Writes it without brackets.
    #[must_use]
    pub(crate) fn write_bare(&self, to: Sentence) -> Sentence {
        let (to, act) = match self {
            DaideOrder::To(unit, act) => (unit.write(to), act),
            DaideOrder::Waive(power) => return to.word(power.0).word(WVE),
        };
        match act {
            Act::Hold => to.word(HLD),
            Act::Move(place) => place.write(to.word(MTO)),
            Act::SupportHold(other) => other.write(to.word(SUP)),
            Act::SupportMove(other, into) => other.write(to.word(SUP)).word(MTO).word(into.0),
            Act::Convoy(army, into) => army.write(to.word(CVY)).word(CTO).word(into.0),
            Act::MoveByConvoy(place, seas) => {
                let to = place.write(to.word(CTO)).word(VIA);
                to.group(|within| within.words(seas.iter().map(|sea| sea.0)))
            }
            Act::Retreat(place) => place.write(to.word(RTO)),
            Act::Disband => to.word(DSB),
            Act::Build => to.word(BLD),
            Act::Remove => to.word(REM),
        }
    }

    /// Writes it in brackets.
    #[must_use]
    pub(crate) fn write(&self, to: Sentence) -> Sentence {
        to.group(|within| self.write_bare(within))
    }
}

/// A turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct DaideTurn {
    /// The year.
    pub year: TokenNumber,
    /// The part of it.
    pub season: TurnPart,
}

/// The parts of a year.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum TurnPart {
    /// Spring's movement.
    Spring,
    /// Spring's retreats.
    Summer,
    /// Fall's movement.
    Fall,
    /// Fall's retreats.
    Autumn,
    /// Adjustments.
    Winter,
}

impl TurnPart {
    const ALL: [(TurnPart, Token); 5] = [
        (TurnPart::Spring, SPR),
        (TurnPart::Summer, SUM),
        (TurnPart::Fall, FAL),
        (TurnPart::Autumn, AUT),
        (TurnPart::Winter, WIN),
    ];

    fn token(self) -> Token {
        TurnPart::ALL.iter().find(|(season, _)| *season == self).map_or(SPR, |(_, token)| *token)
    }

    /// Do units move in it?
    pub(crate) fn is_movement(self) -> bool {
        matches!(self, TurnPart::Spring | TurnPart::Fall)
    }
}

impl DaideTurn {
    /// The turn of a phase in the notation of `upheaval`: `S1901M`. Phases other than movement, retreats and
    /// adjustments do not correspond to turns.
    pub(crate) fn of_phase(phase: &str) -> Option<DaideTurn> {
        let (season, rest) = phase.split_at_checked(1)?;
        let (year, kind) = rest.split_at_checked(rest.len().checked_sub(1)?)?;
        let season = match (season, kind) {
            ("S", "M") => TurnPart::Spring,
            ("S", "R") => TurnPart::Summer,
            ("F", "M") => TurnPart::Fall,
            ("F", "R") => TurnPart::Autumn,
            ("W", "A") => TurnPart::Winter,
            _ => return None,
        };
        Some(DaideTurn { year: TokenNumber::new(year.parse().ok()?)?, season })
    }

    /// Reads a turn without brackets: `SPR 1901`.
    ///
    /// # Errors
    /// There is no turn at this position.
    pub(crate) fn read(from: &mut Reader<'_>) -> Result<DaideTurn, NotUnderstood> {
        let is = |token| TurnPart::ALL.iter().find(|(_, word)| *word == token).map(|(season, _)| *season);
        let season = from.as_one(is)?;
        Ok(DaideTurn { season, year: from.as_one(Token::number)? })
    }

    /// Writes the turn in brackets.
    #[must_use]
    pub(crate) fn write(self, to: Sentence) -> Sentence {
        to.group(|within| within.word(self.season.token()).number(self.year))
    }

    /// The next turn in which every power may have something to order, which excludes retreats. `None` after
    /// the last year that has a number.
    pub(crate) fn next(self) -> Option<DaideTurn> {
        let season = match self.season {
            TurnPart::Spring | TurnPart::Summer => TurnPart::Fall,
            TurnPart::Fall | TurnPart::Autumn => TurnPart::Winter,
            TurnPart::Winter => {
                let year = TokenNumber::new(i64::from(self.year.get()) + 1)?;
                return Some(DaideTurn { year, season: TurnPart::Spring });
            }
        };
        Some(DaideTurn { season, ..self })
    }

    /// Do centres change owners between this turn and a later one? They do after Fall's retreats.
    pub(crate) fn owners_change_before(self, later: DaideTurn) -> bool {
        let winter = DaideTurn { year: self.year, season: TurnPart::Winter };
        self < winter && winter <= later
    }
}

#[cfg(test)]
pub(crate) mod tests;
