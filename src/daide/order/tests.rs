use proptest::prelude::*;

use super::*;
use crate::token::words::NAMED;

fn power() -> impl Strategy<Value = PowerToken> {
    (0_u16..34).prop_map(|number| PowerToken::of(Token::from_code(0x4100 + number)).unwrap())
}

fn province() -> impl Strategy<Value = ProvinceToken> {
    (0_u16..8, 0_u16..256)
        .prop_map(|(category, number)| Token::from_code(((0x50 + category) << 8) + number))
        .prop_map(|token| ProvinceToken::of(token).unwrap())
}

fn place() -> impl Strategy<Value = DaidePlace> {
    (province(), prop::option::of(prop::sample::select(Coast::ALL.to_vec())))
        .prop_map(|(province, coast)| DaidePlace { province, coast: coast.map(|(_, coast)| coast) })
}

fn unit() -> impl Strategy<Value = DaideUnit> {
    let kind = prop_oneof![Just(UnitClass::Army), Just(UnitClass::Fleet)];
    (power(), kind, place()).prop_map(|(power, kind, place)| DaideUnit { power, kind, place })
}

/// Any order that can be written.
pub(crate) fn order() -> impl Strategy<Value = DaideOrder> {
    let act = prop_oneof![
        Just(Act::Hold),
        place().prop_map(Act::Move),
        unit().prop_map(Act::SupportHold),
        (unit(), province()).prop_map(|(other, to)| Act::SupportMove(other, to)),
        (unit(), province()).prop_map(|(army, to)| Act::Convoy(army, to)),
        (place(), prop::collection::vec(province(), 1..6)).prop_map(|(to, seas)| Act::MoveByConvoy(to, seas)),
        place().prop_map(Act::Retreat),
        Just(Act::Disband),
        Just(Act::Build),
        Just(Act::Remove),
    ];
    prop_oneof![
        10 => (unit(), act).prop_map(|(unit, act)| DaideOrder::To(unit, act)),
        1 => power().prop_map(DaideOrder::Waive),
    ]
}

proptest! {
    #[test]
    fn an_order_is_read_as_it_was_written(order in order()) {
        let said = order.write(Sentence::default());
        let mut reader = Reader::new(said.tokens());
        prop_assert_eq!(reader.group(DaideOrder::read), Ok(order));
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
        if let Err(NotUnderstood(at)) = DaideOrder::read(&mut Reader::new(&tokens)) {
            prop_assert!(at <= tokens.len());
        }
    }
}

#[test]
fn coasts_have_the_names_of_both_sides() {
    for (name, coast) in Coast::ALL {
        assert_eq!(coast.name(), name);
        assert_eq!((Coast::named(name), Coast::of(coast.token())), (Some(coast), Some(coast)));
    }
    assert_eq!(Coast::named("NC2"), None);
}

#[test]
fn phases_are_turns() {
    let turn = |phase| DaideTurn::of_phase(phase).map(|turn| (turn.season, turn.year.get()));
    assert_eq!(turn("S1901M"), Some((TurnPart::Spring, 1901)));
    assert_eq!(turn("F1902R"), Some((TurnPart::Autumn, 1902)));
    assert_eq!(turn("W1903A"), Some((TurnPart::Winter, 1903)));
    for none in ["S1901E", "", "S", "é", "SM", "S99999M", "W1901M", "S19x1M"] {
        assert_eq!(turn(none), None, "{none}");
    }
}

#[test]
fn a_turn_is_read_as_it_was_written() {
    for phase in ["S1901M", "S1R", "F8191M", "F0R", "W1901A"] {
        let turn = DaideTurn::of_phase(phase).unwrap();
        let said = turn.write(Sentence::default());
        assert_eq!(Reader::new(said.tokens()).group(DaideTurn::read), Ok(turn));
    }
}

#[test]
fn after_winter_comes_the_next_spring() {
    let next = |phase| DaideTurn::of_phase(phase).unwrap().next();
    for (phase, after) in
        [("S1901M", "F1901M"), ("F1901M", "W1901A"), ("F1901R", "W1901A"), ("W1901A", "S1902M")]
    {
        assert_eq!(next(phase), DaideTurn::of_phase(after), "{phase}");
    }
    assert_eq!(next("W8191A"), None);
}

#[test]
fn owners_change_between_fall_and_winter() {
    let between =
        |a, b| DaideTurn::of_phase(a).unwrap().owners_change_before(DaideTurn::of_phase(b).unwrap());
    assert!(between("F1901M", "W1901A") && between("F1901R", "S1902M"));
    assert!(!between("F1901M", "F1901R") && !between("S1901M", "F1901M") && !between("W1901A", "S1902M"));
}
