//! Orders as people type them: `typed.jsonl` has a line for each, on the first position of `black-hole-i`, with its
//! meaning, or null if it must be refused.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;
use upheaval::adjudicate::AdjudicationService;
use upheaval::ids::{Power, PowerNames};
use upheaval::reading::{Misread, OrderSource, OrderText, Remark, typed};
use upheaval::rng::{Purpose, Stream};
use upheaval::rules::variant::Variant;
use upheaval::session::Session;
use upheaval::topology::NamedMap;

use crate::helpers::shipped::{BLACK_HOLE_I, DELUGE_II, SCHIZO_II, SEISMIC_1971, STANDARD};
use crate::helpers::table::{Lists, Table};

#[derive(Deserialize)]
struct Line {
    power: String,
    typed: String,
    means: Option<String>,
}

fn read_in(table: &Table, power: Power, text: &str) -> Result<String, String> {
    typed(&table.game, power, text).map(|read| read.text).map_err(|misread| misread.to_string())
}

/// The order that counts, if any does.
fn meaning(table: &Table, power: Power, text: &str) -> Result<String, String> {
    let text = read_in(table, power, text)?;
    let read = table.understand(&[OrderText { power, text: &text }], OrderSource::Player).remove(0);
    let decision = read.map_err(|refusal| refusal.to_string())?;
    Ok(table.game.world().text_of(&decision).unwrap())
}

#[test]
fn orders_as_people_type_them_are_read_or_refused() {
    let table = Table::new_game(BLACK_HOLE_I.variant(), 1950);
    let names = PowerNames::standard();
    let mut wrong = Vec::new();
    for line in testkit::read("tests/rules/typed.jsonl").lines() {
        let Line { power, typed, means } = serde_json::from_str(line).unwrap();
        let power_id = names.find(&power).unwrap();
        let read = read_in(&table, power_id, &typed);
        let is_right = match &means {
            Some(_) => read.as_ref().ok() == means.as_ref(),
            None => meaning(&table, power_id, &typed).is_err(),
        };
        if !is_right {
            wrong.push(format!("{power} {typed}: {read:?}, not {means:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_cannot_be_read_is_refused_with_what_may_be_meant() {
    let table = Table::new_game(STANDARD.variant(), 1950);
    let refused = |power, text| read_in(&table, power, text).unwrap_err();
    let unknown = refused(Power::FRANCE, "A Par - Burgndy");
    assert!(unknown.ends_with("did you mean Burgundy?"), "{unknown}");
    let gulf = refused(Power::FRANCE, "F Bre - Gulf");
    assert!(gulf.ends_with("did you mean Gulf of Bothnia or Gulf of Lyons?"), "{gulf}");
    let run_together = refused(Power::RUSSIA, "A mos-stpete");
    assert!(run_together.ends_with("did you mean St. Petersburg?"), "{run_together}");
    let two = refused(Power::RUSSIA, "A War - LIV");
    assert_eq!(two, "it can be read as `A WAR - LVN` or `A WAR - LVP`; write one of them");
    for text in ["A Par with Mar", "F Bre - Sea"] {
        let unknown = refused(Power::FRANCE, text);
        assert!(!unknown.contains("did you mean"), "{text}: {unknown}");
    }
    assert_eq!(
        refused(Power::FRANCE, "F Brest - Eng Channel"),
        "these words make no order; an order is written like `A PAR - BUR`"
    );
    let nobody = refused(Power::FRANCE, "A Gascony - Spain");
    assert_eq!(nobody, "FRANCE has no A GAS; it has A MAR, A PAR, F BRE");
    let no_sort = refused(Power::FRANCE, "Gascony - Spain");
    assert_eq!(no_sort, "there is no unit in GAS");
    let stranger = refused(Power::FRANCE, "A Mar S Italian A Mun - Bur");
    assert_eq!(stranger, "ITALY has no unit in MUN");
}

#[test]
fn what_has_no_meaning_is_left_out_with_a_remark() {
    let table = Table::new_game(STANDARD.variant(), 1950);
    let remark = |power, text| typed(&table.game, power, text).unwrap().remark;
    let coast = Some(Remark::CoastOfArmy("BUL".to_owned()));
    assert_eq!(remark(Power::TURKEY, "A Con - Bulgaria (ec)"), coast);
    assert_eq!(remark(Power::TURKEY, "A CON - BUL/EC"), coast, "in the notation too");
    assert_eq!(remark(Power::FRANCE, "A Par-Eng-Bel"), Some(Remark::Route(vec!["ENG".to_owned()])));
    assert_eq!(remark(Power::FRANCE, "A Par-Bur"), None);
    let way = Some(Remark::Route(vec!["ENG".to_owned()]));
    assert_eq!(remark(Power::ENGLAND, "F Lon C A Lvp - Eng - Bre"), way);
}

#[test]
fn nothing_is_guessed() {
    let units: &Lists<'_> = &[
        (Power::RUSSIA, &["F BLA", "A CON", "F BAL", "A WAR"]),
        (Power::GERMANY, &["F DEN"]),
        (Power::ENGLAND, &["A LVN"]),
    ];
    let table = STANDARD.set("S1902M", &[], units, &[]);
    let read = |text| read_in(&table, Power::RUSSIA, text);
    // The S of a support is not that of a sea.
    assert_eq!(read("F Baltic S Den").as_deref(), Ok("F BAL S F DEN"));
    assert!(read("F Black S Rum").is_err(), "nobody is in Rumania");
    // Signs that are not arrows to the right.
    for text in ["A Con ← Bul", "A Con <- Bul", "A Con ↔ Bul", "A Con ≠ Bul", "A Con = Bul", "A Con/S Bul"]
    {
        assert!(meaning(&table, Power::RUSSIA, text).is_err(), "{text}: {:?}", read(text));
    }
    // Nor may a list of retreats be.
    let lists = SCHIZO_II.set("S1902M", &[], units, &[]);
    assert!(read_in(&lists, Power::RUSSIA, "A War R Liv Ukr").is_err());
    assert_eq!(read_in(&lists, Power::RUSSIA, "A War R Livonia, Ukr").as_deref(), Ok("A WAR R LVN UKR"));
    // A unit that is built is not there yet, so that the units on the board do not decide.
    let winter = STANDARD.set("W1901A", &[], units, &[(Power::ENGLAND, &["LON", "EDI", "LVP"])]);
    let two = typed(&winter.game, Power::ENGLAND, "Build A Liv").unwrap_err();
    assert_eq!(two, Misread::Several(vec!["A LVN B".to_owned(), "A LVP B".to_owned()]));
    // A fleet takes no route.
    assert!(meaning(&table, Power::RUSSIA, "F Bal - Bot - Fin").is_err());
}

#[test]
fn a_unit_that_only_one_reading_has_decides() {
    let units: &Lists<'_> = &[(Power::RUSSIA, &["A LVN"]), (Power::ENGLAND, &["F LVP"])];
    let table = STANDARD.set("S1902M", &[], units, &[]);
    for (power, text, means) in [
        (Power::RUSSIA, "A Liv - Mos", "A LVN - MOS"),
        (Power::RUSSIA, "Liv - Mos", "A LVN - MOS"),
        (Power::ENGLAND, "Liv H", "F LVP H"),
        (Power::ENGLAND, "F Liv S A Liv", "F LVP S A LVN"),
    ] {
        assert_eq!(read_in(&table, power, text).as_deref(), Ok(means), "{text}");
    }
}

#[test]
fn retreats_and_adjustments_are_read_as_platforms_write_them() {
    let units: &Lists<'_> = &[(Power::FRANCE, &["A BUR"]), (Power::GERMANY, &["A MUN", "A RUH"])];
    let mut table = STANDARD.set("F1901M", &[], units, &[(Power::FRANCE, &["PAR", "BRE", "MAR"])]);
    table.move_all(&["A MUN - BUR", "A RUH S A MUN - BUR"]);
    assert_eq!(table.phase(), "F1901R");
    for text in ["A Bur - Par", "Burgundy → Paris", "A Bur R Paris", "A Bur retreats to Paris", "A BUR R PAR"]
    {
        assert_eq!(read_in(&table, Power::FRANCE, text).as_deref(), Ok("A BUR R PAR"), "{text}");
    }
    for text in ["A Bur disbands", "Disband A Bur", "Destroy army Burgundy", "Bur D"] {
        assert_eq!(read_in(&table, Power::FRANCE, text).as_deref(), Ok("A BUR D"), "{text}");
    }
    table.retreat(&["A BUR R PAR"]);
    assert_eq!(table.phase(), "W1901A");
    for (text, means) in [
        ("Build A Marseilles", "A MAR B"),
        ("build fleet brest", "F BRE B"),
        ("A Mar B", "A MAR B"),
        ("B F Bre", "F BRE B"),
        ("Build F StP (nc)", "F STP/NC B"),
        ("build paris", "A PAR B"),
        ("Waive", "WAIVE"),
        ("waive build", "WAIVE"),
        ("Build waived", "WAIVE"),
        ("waive build Marseilles", "WAIVE"),
        ("Remove A Ruhr", "A RUH D"),
    ] {
        assert_eq!(read_in(&table, Power::FRANCE, text).as_deref(), Ok(means), "{text}");
    }
    let waived = typed(&table.game, Power::FRANCE, "Waive Brest").unwrap().remark;
    assert_eq!(waived, Some(Remark::WaivedPlace("BRE".to_owned())));
    let two = typed(&table.game, Power::FRANCE, "build brest").unwrap_err();
    assert_eq!(two, Misread::Several(vec!["A BRE B".to_owned(), "F BRE B".to_owned()]));
}

#[test]
fn the_orders_of_variants_are_read_too() {
    let sea = Table::new_game(DELUGE_II.variant(), 1950);
    let lists = Table::new_game(SCHIZO_II.variant(), 1950);
    assert_eq!(
        read_in(&lists, Power::FRANCE, "A Paris retreats to Picardy, Brest").as_deref(),
        Ok("A PAR R PIC BRE")
    );
    assert_eq!(
        read_in(&sea, Power::ENGLAND, "Army Liverpool boards Fleet Edinburgh").as_deref(),
        Ok("A LVP E F EDI")
    );
    let mut quakes = Table::new_game(SEISMIC_1971.variant(), 1950);
    quakes.move_all(&[]);
    while quakes.phase() != "W1901E" && quakes.phase() != "S1901E" {
        quakes.move_all(&[]);
    }
    for text in
        ["Separate Portugal - Spain, connect Mid-Atlantic Ocean - MAO", "separate por/spa connect mid/mid"]
    {
        let read = read_in(&quakes, Power::FRANCE, text);
        assert_eq!(read.as_deref(), Ok("SEPARATE POR SPA CONNECT MAO MAO"), "{text}");
    }
    let options = "separate por spa connect mao mao at Kiel Denmark canal Kiel terminus Mid-Atlantic none";
    let read = read_in(&quakes, Power::FRANCE, options);
    assert_eq!(
        read.as_deref(),
        Ok("SEPARATE POR SPA CONNECT MAO MAO AT KIE DEN CANAL KIE TERMINUS MAO NONE")
    );
    let read = read_in(&quakes, Power::FRANCE, "Connect Portugal and Brest through Mid Atlantic");
    assert!(read.is_err(), "`and` is not a word of orders: {read:?}");
    let read = read_in(&quakes, Power::FRANCE, "connect Portugal Brest through Mid Atlantic");
    assert_eq!(read.as_deref(), Ok("CONNECT POR BRE THROUGH MAO"));
}

/// An order with its codes replaced by full names, its sorts of unit spelled out, and other arrows.
fn spelled_out(order: &str, chart: &NamedMap, dice: &mut Stream) -> String {
    let words: Vec<String> = order
        .split(' ')
        .map(|word| {
            let (code, coast) = word.split_once('/').unwrap_or((word, ""));
            let full = chart.map().find(code).and_then(|id| chart.full_name(id));
            // Halves of a province share its full name.
            let full = full.filter(|_| !code.contains('.'));
            let coast = match (coast, dice.below(3)) {
                ("", _) => String::new(),
                (coast, 0) => format!("({})", coast.to_lowercase()),
                (coast, 1) => format!("/{coast}"),
                (coast, _) => format!(" {coast}"),
            };
            match (word, full) {
                ("-", _) => ["-", "→", "to", "->", "–"][dice.below(5) as usize].to_owned(),
                ("A/F", _) => "A/F".to_owned(),
                ("A", _) => ["A", "Army", "a"][dice.below(3) as usize].to_owned(),
                ("F", _) => ["F", "Fleet", "f"][dice.below(3) as usize].to_owned(),
                (_, Some(full)) if dice.below(2) == 0 => format!("{full}{coast}"),
                (word, _) => word.to_owned(),
            }
        })
        .collect();
    words.join(" ")
}

#[test]
fn every_legal_order_is_read_as_itself_when_it_is_spelled_out() {
    let (mut spelled, mut read) = (0, 0);
    for id in Variant::shipped() {
        let mut dice = Stream::keyed(3, Purpose::Bot, &[50]);
        let mut game = Session::of(Arc::new(Variant::find(id, "".as_ref()).unwrap().unwrap()), 3);
        for _ in 0..12 {
            if game.is_over() {
                break;
            }
            let chart = game.game().terrain().chart().clone();
            for power in game.game().powers() {
                let choices = game.legal_orders(power);
                for choice in &choices {
                    let order = &dice.choose(&choice.orders).unwrap().text;
                    let text = spelled_out(order, &chart, &mut dice);
                    spelled += usize::from(text != *order);
                    let mut typing = game.clone();
                    let meant = game.order_in_notation(power, order);
                    assert_eq!(typing.order(power, &text), meant, "{id}: {text} for {order}");
                    read += usize::from(meant.is_ok());
                }
            }
            game.advance();
        }
    }
    assert!(spelled > 2000 && read > 2000, "{spelled} spelled out, {read} read");
}

#[test]
fn nonsense_is_refused_in_no_time() {
    let table = Table::new_game(STANDARD.variant(), 1950);
    for text in ["", "-", "((((", "A", "A PAR - ", "to to to to", "🙂", "A PAR - A PAR - A PAR", "#2", "1."]
    {
        let read = typed(&table.game, Power::FRANCE, text);
        assert!(read.as_ref().is_ok_and(|read| read.text == text) || read.is_err(), "{text}: {read:?}");
    }
    let long = "A PAR R ".to_owned() + &"NORTH S ".repeat(10_000);
    assert_eq!(typed(&table.game, Power::FRANCE, &long).unwrap_err(), Misread::NoOrder);
}

/// rules.md 5: `repeated_orders`.
#[test]
fn rulebook_repeated_orders_the_first_or_the_last_order_to_a_unit_counts() {
    let units_after = |rule: &str| {
        let request = format!(
            r#"{{"id": 1, "phase": "S1901M", "rulebook": {{"repeated_orders": "{rule}"}},
            "powers": {{"FRANCE": {{"units": ["A PAR", "F BRE"]}}}},
            "orders": {{"FRANCE": ["A PAR - BUR", "F BRE - MAO", "A PAR - PIC", "Paris to Moscow"]}}}}"#
        );
        let answer = AdjudicationService::new().answer(&request).unwrap();
        let words = |order: &str| answer.results["FRANCE"][order].clone();
        (answer.units_after["FRANCE"].clone(), [words("A PAR - BUR"), words("A PAR - PIC")])
    };
    let (units, words) = units_after("first");
    assert_eq!(units, ["A BUR", "F MAO"]);
    assert_eq!(words, [json!(["ok"]), json!(["illegal"])]);
    // Moscow cannot be reached, so the order before that one counts.
    let (units, words) = units_after("last");
    assert_eq!(units, ["A PIC", "F MAO"]);
    assert_eq!(words, [json!(["illegal"]), json!(["ok"])]);
}
