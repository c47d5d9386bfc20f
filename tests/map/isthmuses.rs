//! Straits and canals as borders move: AceRunner rule 9, with the defaults of rules.md 8.7. Each example of
//! the seed is followed step by step.

use crate::helpers::charts::{event, report};
use crate::map::quaking::quakes;
use upheaval::topology::isthmus::{Matter, WaterwayOption, WaterwayQuestion};
use upheaval::topology::{NamedMap, Quake, WaterwayRule, atlas};

use Say::{Canal, Delete, Keep, Nothing, Strait, Terminus};

/// An option as the player writes it.
#[derive(Clone, Copy)]
enum Say {
    Strait,
    Canal(&'static str),
    Nothing,
    Delete,
    Keep,
    Terminus(&'static str),
}

/// A game's map, together with the questions asked.
struct Table {
    chart: NamedMap,
    asked: Vec<String>,
}

impl Table {
    fn new() -> Table {
        let mut chart = atlas::standard();
        chart.set_waterway_rule(WaterwayRule::Isthmuses);
        Table { chart, asked: Vec::new() }
    }

    /// The quakes of one season; each question in turn gets the next of the answers, `None` is the default.
    fn season(&mut self, texts: &[&str], answers: &[Option<Say>]) {
        let before = self.chart.clone();
        let all: Vec<Quake> = quakes(&before, texts);
        let (mut asked, mut answers) = (Vec::new(), answers.iter().copied());
        let map = before.map();
        let find = |name: &str| map.find(name).expect("a province");
        self.chart
            .shake(&all, &mut |question: &WaterwayQuestion| {
                asked.push(in_words(&before, question));
                answers.next().flatten().map(|say| match say {
                    Strait => WaterwayOption::Strait,
                    Canal(name) => WaterwayOption::Canal(find(name)),
                    Nothing => WaterwayOption::Nothing,
                    Delete => WaterwayOption::Delete,
                    Keep => WaterwayOption::Keep,
                    Terminus(name) => WaterwayOption::Terminus(find(name)),
                })
            })
            .unwrap_or_else(|e| panic!("{texts:?}: {e}"));
        assert_eq!(self.chart.map().faults(), Vec::<String>::new());
        self.asked = asked;
    }

    fn after(seasons: &[&str]) -> Table {
        let mut table = Table::new();
        for text in seasons {
            table.season(&[text], &[]);
        }
        table
    }

    /// `strait DEN SWE: BAL SKA`, sorted.
    fn waterways(&self) -> Vec<String> {
        let ways = report(&self.chart).waterways;
        ways.iter().map(|w| format!("{} {}: {}", w.kind, w.within.join(" "), w.ends.join(" "))).collect()
    }

    /// The seas of each coast, `BAL BOT | SKA`.
    fn coasts(&self, province: &str) -> String {
        let mut coasts: Vec<String> =
            report(&self.chart).faces[province].coasts.iter().map(|coast| coast.seas.join(" ")).collect();
        coasts.sort();
        coasts.join(" | ")
    }

    /// The places that a fleet can reach from each coast, without the coasts of destinations.
    fn fleet(&self, province: &str) -> String {
        let mut lists: Vec<String> = report(&self.chart).faces[province]
            .fleet
            .values()
            .map(|to| to.iter().map(|at| at.split('/').next().unwrap_or("")).collect::<Vec<_>>().join(" "))
            .collect();
        lists.sort();
        lists.join(" | ")
    }
}

/// `new ALB GRE by separate …; …`
fn in_words(before: &NamedMap, question: &WaterwayQuestion) -> String {
    let map = before.map();
    let names = |pair: [upheaval::ids::ProvinceId; 2]| {
        let mut names = pair.map(|id| map.name(id));
        names.sort_unstable();
        names.join(" ")
    };
    let all = |set: upheaval::ids::ProvinceSet| {
        let mut names: Vec<&str> = set.iter().map(|id| map.name(id)).collect();
        names.sort_unstable();
        names.join(" ")
    };
    let matter = match question.matter {
        Matter::NewIsthmus { between } => format!("new {}", names(between)),
        Matter::StraitCut { between, through } => format!("cut {} {}", names(between), all(through)),
        Matter::CanalMoved { through, to } => format!("moved {} {}", map.name(through), all(to)),
        Matter::CanalForked { through, to } => format!("forked {} {}", map.name(through), names(to)),
    };
    let mut by: Vec<String> = question.by.iter().map(|quake| quake.event(map).to_string()).collect();
    by.sort();
    format!("{matter} by {}", by.join("; "))
}

const KIEL: &str = "canal KIE: BAL HEL";
const CONSTANTINOPLE: &str = "canal CON: AEG BLA";
const SOUND: &str = "strait DEN SWE: BAL SKA";

#[test]
fn the_four_isthmuses_of_the_standard_board_and_its_waterways() {
    let table = Table::new();
    let map = table.chart.map();
    let isthmuses: Vec<String> =
        map.isthmuses().iter().map(|pair| pair.map(|id| map.name(id)).join(" ")).collect();
    assert_eq!(isthmuses, ["BUL CON", "DEN KIE", "DEN SWE", "POR SPA"]);
    assert_eq!(table.waterways(), [CONSTANTINOPLE, KIEL, SOUND]);
    assert_eq!(table.fleet("DEN"), "BAL HEL KIE NTH SKA SWE");
    assert_eq!(table.fleet("KIE"), "BAL BER DEN HEL HOL");
    assert_eq!(table.fleet("SWE"), "BAL BOT DEN FIN NWY SKA");
}

// ---- (b) straits ----

#[test]
fn rule_9b_1_a_strait_goes_when_its_provinces_are_separated() {
    let table = Table::after(&["separate DEN SWE connect SKA BAL"]);
    assert_eq!(table.waterways(), [CONSTANTINOPLE, KIEL]);
    assert_eq!(table.asked, [""; 0]);
    assert_eq!(table.coasts("DEN"), "BAL HEL NTH SKA", "SKA and BAL lie side by side now");
    assert_eq!(table.coasts("SWE"), "BAL BOT SKA");
    assert_eq!(table.fleet("DEN"), "BAL HEL KIE NTH SKA");
    assert_eq!(table.fleet("SWE"), "BAL BOT FIN NWY SKA");
}

#[test]
fn rule_9b_1_a_strait_does_not_come_back_by_itself() {
    let mut table = Table::after(&["separate DEN SWE connect SKA BAL"]);
    table.season(&["separate BAL SKA connect DEN SWE"], &[None]);
    assert_eq!(table.asked, ["new DEN SWE by separate BAL SKA connect DEN SWE"]);
    assert_eq!(table.waterways(), [CONSTANTINOPLE, KIEL, SOUND], "two seas pinched off: a strait by default");
}

#[test]
fn rule_9b_2_a_strait_stays_when_a_land_and_a_sea_connect_at_its_end() {
    let table = Table::after(&["separate SWE BAL connect DEN BOT"]);
    assert_eq!(table.asked, [""; 0]);
    assert_eq!(table.waterways(), [CONSTANTINOPLE, KIEL, "strait DEN SWE: BOT SKA"]);
    assert_eq!(table.coasts("DEN"), "BAL BOT HEL NTH SKA");
    assert_eq!(table.coasts("SWE"), "BOT SKA");
    assert_eq!(table.fleet("SWE"), "BOT DEN FIN NWY SKA");
}

#[test]
fn rule_9b_3_a_strait_goes_by_default_when_two_lands_connect_at_its_end() {
    for answer in [None, Some(Delete), Some(Canal("DEN")), Some(Canal("KIE")), Some(Keep), Some(Strait)] {
        let mut table = Table::new();
        table.season(&["separate BAL DEN connect KIE SWE"], &[answer]);
        assert_eq!(table.asked, ["cut DEN SWE SWE by separate BAL DEN connect KIE SWE"]);
        assert_eq!(table.waterways(), [CONSTANTINOPLE, KIEL]);
        assert_eq!(table.coasts("SWE"), "BAL BOT | SKA");
        assert_eq!(table.coasts("DEN"), "HEL NTH SKA");
        assert_eq!(table.coasts("KIE"), "BAL HEL");
        assert_eq!(table.fleet("SWE"), "BAL BOT FIN KIE | DEN NWY SKA");
        assert_eq!(table.fleet("DEN"), "HEL KIE NTH SKA SWE");
        assert_eq!(table.fleet("KIE"), "BAL BER DEN HEL HOL SWE");
    }
}

#[test]
fn rule_9b_3_or_becomes_a_canal_through_the_land_that_connects() {
    let mut table = Table::new();
    table.season(&["separate BAL DEN connect KIE SWE"], &[Some(Canal("SWE"))]);
    assert_eq!(table.waterways(), [CONSTANTINOPLE, KIEL, "canal SWE: BAL SKA"]);
    assert_eq!(table.coasts("SWE"), "BAL BOT SKA");
    assert_eq!(table.fleet("SWE"), "BAL BOT DEN FIN KIE NWY SKA");
    // A canal is never turned into a strait again, nor does the isthmus that comes back make it one.
    table.season(&["separate KIE SWE connect BAL DEN"], &[None]);
    let by = "separate KIE SWE connect BAL DEN";
    assert_eq!(table.asked, [format!("new DEN KIE by {by}"), format!("new DEN SWE by {by}")]);
    assert_eq!(table.waterways(), [CONSTANTINOPLE, KIEL, "canal SWE: BAL SKA"]);
}

#[test]
fn rule_9b_3_at_the_other_end_and_through_the_other_province() {
    // SKA/SWE separates, Denmark and Norway connect: the strait may go through Denmark.
    let mut table = Table::new();
    table.season(&["separate SKA SWE connect DEN NWY"], &[Some(Canal("DEN"))]);
    assert_eq!(table.asked, ["cut DEN SWE DEN by separate SKA SWE connect DEN NWY"]);
    assert_eq!(table.waterways(), [CONSTANTINOPLE, "canal DEN: BAL SKA", KIEL]);
    assert_eq!(table.coasts("DEN"), "BAL HEL NTH SKA");
    assert_eq!(table.coasts("SWE"), "BAL BOT");
}

#[test]
fn rule_9b_3_with_one_sea_at_both_ends_of_the_strait() {
    // North Africa, connected with Portugal, is an island at Brest; the sea lies at both ends of the strait.
    let mut table = Table::after(&[
        "separate WES NAF connect MAO TUN",
        "separate OUT NAF connect MAO TUN",
        "separate NAF TUN connect MAO MAO",
        "separate POR SPA connect MAO MAO",
    ]);
    table.season(&["connect NAF POR through MAO"], &[Some(Nothing)]);
    table.season(&["connect BRE NAF through MAO"], &[Some(Strait)]);
    assert!(table.waterways().contains(&"strait BRE NAF: MAO MAO".to_owned()));
    assert_eq!(table.coasts("NAF"), "MAO");
    for (answer, canal, coasts) in [(Some(Canal("NAF")), true, "MAO"), (None, false, "MAO | MAO")] {
        let mut table = Table { chart: table.chart.clone(), asked: Vec::new() };
        table.season(&["separate BRE MAO connect GAS NAF"], &[answer]);
        assert_eq!(table.asked, ["cut BRE NAF NAF by separate BRE MAO connect GAS NAF"]);
        assert_eq!(table.waterways().contains(&"canal NAF: MAO MAO".to_owned()), canal);
        assert_eq!(table.coasts("NAF"), coasts);
    }
}

#[test]
fn rule_9b_note_a_strait_never_extends_beyond_one_border() {
    // Kiel moves between the Sound and the Baltic: the strait does not continue along Kiel's border.
    let table = Table::after(&["separate SWE BAL connect DEN BOT", "separate DEN BOT connect BAL SWE"]);
    assert_eq!(table.waterways(), [CONSTANTINOPLE, KIEL, SOUND], "it follows its own border only");
    let table = Table::after(&["separate BAL DEN connect KIE SWE", "separate KIE SWE connect BAL DEN"]);
    assert_eq!(table.waterways(), [CONSTANTINOPLE, KIEL], "once gone it does not return");
}

#[test]
fn rule_9b_2_and_3_at_both_ends_at_once() {
    let mut table = Table::new();
    table.season(&["separate BAL DEN connect KIE SWE", "separate SKA SWE connect DEN NWY"], &[]);
    assert_eq!(table.waterways(), [CONSTANTINOPLE, KIEL]);
    let mut table = Table::new();
    table.season(&["separate SWE BAL connect DEN BOT", "separate SKA DEN connect NTH SWE"], &[]);
    assert_eq!(table.asked, [""; 0]);
    assert_eq!(table.waterways(), [CONSTANTINOPLE, KIEL, "strait DEN SWE: BOT NTH"]);
}

// ---- (b) canals ----

#[test]
fn rule_9b_4_a_canal_goes_when_its_ends_come_to_lie_side_by_side() {
    let table = Table::after(&["separate KIE DEN connect HEL BAL"]);
    assert_eq!(table.asked, [""; 0]);
    assert_eq!(table.waterways(), [CONSTANTINOPLE, SOUND]);
    assert_eq!(table.coasts("KIE"), "BAL HEL");
    assert_eq!(table.fleet("KIE"), "BAL BER HEL HOL");
    assert_eq!(table.fleet("DEN"), "BAL HEL NTH SKA SWE");
}

#[test]
fn rule_9b_5_a_canal_goes_when_two_lands_connect_at_its_end() {
    let table = Table::after(&["separate KIE HEL connect DEN HOL"]);
    assert_eq!(table.asked, [""; 0]);
    assert_eq!(table.waterways(), [CONSTANTINOPLE, SOUND], "it does not go on through another province");
    assert_eq!(table.coasts("KIE"), "BAL");
    assert_eq!(table.coasts("DEN"), "BAL HEL NTH SKA");
    assert_eq!(table.fleet("KIE"), "BAL BER DEN");
    assert_eq!(table.fleet("DEN"), "BAL HEL HOL KIE NTH SKA SWE");
}

#[test]
fn rule_9b_6_a_canal_is_kept_or_deleted_when_a_land_and_a_sea_connect_at_its_end() {
    for (answer, kept) in
        [(None, true), (Some(Keep), true), (Some(Terminus("NTH")), true), (Some(Delete), false)]
    {
        let mut table = Table::after(&["separate HEL HOL connect KIE NTH"]);
        assert_eq!(table.waterways(), [CONSTANTINOPLE, KIEL, SOUND]);
        assert_eq!(table.coasts("KIE"), "BAL HEL NTH");
        table.season(&["separate HEL KIE connect DEN NTH"], &[answer]);
        assert_eq!(table.asked, ["moved KIE NTH by separate HEL KIE connect DEN NTH"]);
        if kept {
            assert_eq!(table.waterways(), [CONSTANTINOPLE, "canal KIE: BAL NTH", SOUND]);
            assert_eq!(table.coasts("KIE"), "BAL NTH");
            assert_eq!(table.fleet("KIE"), "BAL BER DEN HOL NTH");
        } else {
            assert_eq!(table.waterways(), [CONSTANTINOPLE, SOUND]);
            assert_eq!(table.coasts("KIE"), "BAL | NTH");
            assert_eq!(table.fleet("KIE"), "BAL BER DEN | DEN HOL NTH");
        }
        assert_eq!(table.coasts("DEN"), "BAL HEL NTH SKA");
    }
}

fn before_the_fork() -> Table {
    let mut table = Table::new();
    table.season(&["separate DEN NTH connect HEL SKA", "separate HEL HOL connect KIE NTH"], &[]);
    assert_eq!(table.coasts("KIE"), "BAL HEL NTH");
    assert_eq!(table.coasts("DEN"), "BAL HEL SKA");
    table.season(&["separate DEN HEL connect KIE SKA"], &[]);
    assert_eq!(table.asked, [""; 0]);
    assert_eq!(table.waterways(), [CONSTANTINOPLE, KIEL, SOUND]);
    assert_eq!(table.coasts("KIE"), "BAL HEL NTH SKA");
    assert_eq!(table.coasts("DEN"), "BAL SKA");
    table
}

#[test]
fn rule_9b_7_a_canal_moves_to_one_of_two_seas_that_connect_at_its_end() {
    for (answer, end) in [
        (None, "NTH"),
        (Some(Terminus("NTH")), "NTH"),
        (Some(Terminus("SKA")), "SKA"),
        (Some(Delete), "NTH"),
        (Some(Terminus("BAL")), "NTH"),
    ] {
        let mut table = before_the_fork();
        table.season(&["separate HEL KIE connect NTH SKA"], &[answer]);
        assert_eq!(table.asked, ["forked KIE NTH SKA by separate HEL KIE connect NTH SKA"]);
        assert_eq!(table.waterways(), [CONSTANTINOPLE, &format!("canal KIE: BAL {end}"), SOUND]);
        assert_eq!(table.coasts("KIE"), "BAL NTH SKA", "immediate movements do not depend on the choice");
        assert_eq!(table.fleet("KIE"), "BAL BER DEN HOL NTH SKA");
    }
}

#[test]
fn rule_9b_7_note_the_choice_may_matter_later() {
    for (terminus, asked) in [("NTH", 1), ("SKA", 0)] {
        let mut table = before_the_fork();
        table.season(&["separate HEL KIE connect NTH SKA"], &[Some(Terminus(terminus))]);
        table.season(&["separate KIE NTH connect HOL SKA"], &[Some(Delete)]);
        assert_eq!(table.asked.len(), asked, "{terminus}");
        let gone = table.coasts("KIE") == "BAL | SKA";
        assert_eq!(gone, asked == 1, "{}", table.coasts("KIE"));
    }
}

#[test]
fn rule_9b_4_a_canal_of_rule_a_goes_the_same_way() {
    let mut table = Table::new();
    table.season(&["separate ADR ION connect ALB APU"], &[Some(Canal("ALB"))]);
    table.season(&["separate APU ION connect ALB NAP"], &[]);
    assert!(table.waterways().contains(&"canal ALB: ADR ION".to_owned()), "two lands lie between its ends");
    table.season(&["separate ALB NAP connect APU ION"], &[]);
    assert!(table.waterways().contains(&"canal ALB: ADR ION".to_owned()));
    table.season(&["separate ALB APU connect ADR ION"], &[]);
    assert_eq!(table.waterways(), [CONSTANTINOPLE, KIEL, SOUND]);
}

#[test]
fn rule_9b_4_and_6_a_canal_that_would_move_beside_its_other_end_goes() {
    // The Ionian Sea moves between the two ends of the canal, and there is water all along from one to the other.
    let table = Table::after(&[
        "separate AEG BUL connect CON GRE",
        "separate AEG GRE connect CON ION",
        "separate CON GRE connect BUL ION",
        "separate BUL CON connect BLA ION",
    ]);
    assert_eq!(table.waterways(), [CONSTANTINOPLE, KIEL, SOUND], "its ends are not side by side");
    let mut table = Table { chart: table.chart, asked: Vec::new() };
    table.season(&["separate AEG CON connect ION SMY"], &[Some(Keep)]);
    assert_eq!(table.waterways(), [KIEL, SOUND]);
    assert_eq!(table.coasts("CON"), "BLA ION");
}

#[test]
fn rule_9b_a_sea_that_closes_round_the_lost_end_takes_the_canal_over() {
    let mut table = Table::after(&["separate HEL HOL connect KIE NTH", "separate DEN HEL connect KIE NTH"]);
    table.season(&["separate HEL KIE connect NTH NTH"], &[]);
    assert_eq!(table.asked, [""; 0], "there is nothing to choose");
    assert_eq!(table.waterways(), [CONSTANTINOPLE, "canal KIE: BAL NTH", SOUND]);
    assert_eq!(table.coasts("KIE"), "BAL NTH");
}

#[test]
fn rule_9b_a_strait_to_a_province_that_is_closed_in_by_the_other_goes() {
    for answer in [None, Some(Canal("BRE"))] {
        let mut table = Table::after(&["separate POR SPA connect MAO MAO"]);
        table.season(&["connect POR BRE through MAO"], &[Some(Strait)]);
        assert!(table.waterways().contains(&"strait BRE POR: MAO MAO".to_owned()));
        table.season(&["separate MAO POR connect BRE BRE"], &[answer]);
        assert_eq!(table.waterways(), [CONSTANTINOPLE, KIEL, SOUND]);
        assert_eq!(table.coasts("POR"), "");
        assert_eq!(table.coasts("BRE"), "ENG MAO");
    }
}

// ---- (a) ----

#[test]
fn rule_9a_the_four_options_where_two_lands_meet_between_two_seas() {
    for (answer, way, alb, apu) in [
        (Some(Strait), "strait ALB APU: ADR ION", "ADR ION", "ADR ION"),
        (Some(Canal("ALB")), "canal ALB: ADR ION", "ADR ION", "ADR | ION"),
        (Some(Canal("APU")), "canal APU: ADR ION", "ADR | ION", "ADR ION"),
        (Some(Nothing), "", "ADR | ION", "ADR | ION"),
        (None, "strait ALB APU: ADR ION", "ADR ION", "ADR ION"),
        (Some(Canal("GRE")), "strait ALB APU: ADR ION", "ADR ION", "ADR ION"),
        (Some(Delete), "strait ALB APU: ADR ION", "ADR ION", "ADR ION"),
    ] {
        let mut table = Table::new();
        table.season(&["separate ADR ION connect ALB APU"], &[answer]);
        assert_eq!(table.asked, ["new ALB APU by separate ADR ION connect ALB APU"]);
        let ways: Vec<String> = table
            .waterways()
            .into_iter()
            .filter(|w| ![CONSTANTINOPLE, KIEL, SOUND].contains(&&**w))
            .collect();
        assert_eq!(ways.join(", "), way);
        assert_eq!((table.coasts("ALB").as_str(), table.coasts("APU").as_str()), (alb, apu));
    }
}

#[test]
fn rule_9a_default_b_a_strait_where_two_seas_are_pinched_off() {
    for (order, way) in [
        ("separate BAL BOT connect LVN SWE", "strait LVN SWE: BAL BOT"),
        ("separate ENG NTH connect BEL LON", "strait BEL LON: ENG NTH"),
    ] {
        assert!(Table::after(&[order]).waterways().contains(&way.to_owned()));
    }
}

#[test]
fn rule_9a_default_a_nothing_where_the_two_shared_a_border() {
    let mut table = Table::after(&["separate GAS SPA connect MAO MAR"]);
    assert_eq!(table.asked, ["new MAR SPA by separate GAS SPA connect MAO MAR"]);
    assert_eq!(table.waterways(), [CONSTANTINOPLE, KIEL, SOUND]);
    assert_eq!(table.coasts("MAR"), "LYO | MAO");
    table = Table::new();
    table.season(&["separate GAS SPA connect MAO MAR"], &[Some(Strait)]);
    assert_eq!(table.coasts("MAR"), "LYO MAO");
    assert_eq!(table.coasts("SPA"), "LYO MAO WES");
    table = Table::new();
    table.season(&["separate GAS SPA connect MAO MAR"], &[Some(Canal("MAR"))]);
    assert_eq!(table.coasts("MAR"), "LYO MAO");
    assert_eq!(table.coasts("SPA"), "LYO MAO WES | MAO");
}

#[test]
fn rule_9a_an_isthmus_by_two_orders_together_is_asked_of_both() {
    for (orders, between, coasts) in [
        (
            ["separate ALB GRE connect ION SER", "separate BUL GRE connect AEG SER"],
            "GRE SER",
            ("SER", "AEG | ION"),
        ),
        (
            ["separate APU VEN connect ADR ROM", "separate ROM TUS connect TYS VEN"],
            "ROM VEN",
            ("ROM", "ADR | TYS"),
        ),
    ] {
        for alone in orders {
            assert_eq!(Table::after(&[alone]).asked, [""; 0], "{alone}");
        }
        let mut table = Table::new();
        table.season(&orders, &[]);
        assert_eq!(table.asked, [format!("new {between} by {}; {}", orders[0], orders[1])]);
        assert_eq!(table.waterways(), [CONSTANTINOPLE, KIEL, SOUND], "they shared a border");
        assert_eq!(table.coasts(coasts.0), coasts.1);
        // One after the other; the later order is responsible.
        let table = Table::after(&orders);
        assert_eq!(table.asked, [format!("new {between} by {}", orders[1])]);
    }
}

#[test]
fn rule_9a_who_only_brings_another_sea_is_not_asked() {
    let mut table = Table::new();
    table.season(&["separate GAS SPA connect MAO MAR", "separate LYO SPA connect MAR WES"], &[Some(Strait)]);
    assert_eq!(table.asked, ["new MAR SPA by separate GAS SPA connect MAO MAR"]);
    assert!(table.waterways().contains(&"strait MAR SPA: MAO WES".to_owned()));
}

#[test]
fn rule_9a_one_order_may_make_several_isthmuses() {
    let mut table = Table::after(&["separate ALB GRE connect ION SER", "separate BUL RUM connect BLA SER"]);
    table.season(&["separate BUL GRE connect AEG SER"], &[Some(Canal("BUL")), Some(Strait)]);
    let by = "separate BUL GRE connect AEG SER";
    assert_eq!(table.asked, [format!("new BUL SER by {by}"), format!("new GRE SER by {by}")]);
    let ways = table.waterways();
    assert!(ways.contains(&"canal BUL: AEG BLA".to_owned()), "{ways:?}");
    assert!(ways.contains(&"strait GRE SER: AEG ION".to_owned()), "{ways:?}");
    assert_eq!(table.coasts("SER"), "AEG ION | BLA");
}

#[test]
fn rule_9a_an_isthmus_that_was_there_before_is_not_asked_about() {
    // Bulgaria and Constantinople stay an isthmus with another sea at its end.
    let table = Table::after(&["separate AEG CON connect BUL SMY"]);
    assert_eq!(table.asked, [""; 0]);
    let table = Table::after(&["separate HEL HOL connect KIE NTH", "separate HEL KIE connect DEN NTH"]);
    assert_eq!(table.asked, ["moved KIE NTH by separate HEL KIE connect DEN NTH"], "nothing of DEN and KIE");
}

// ---- releases ----

#[test]
fn rule_9a_a_release_makes_an_isthmus() {
    for (answer, bre) in [(None, "ENG MAO | MAO"), (Some(Strait), "ENG MAO"), (Some(Canal("BRE")), "ENG MAO")]
    {
        let mut table = Table::after(&["separate POR SPA connect MAO MAO"]);
        table.season(&["connect BRE POR through MAO"], &[answer]);
        assert_eq!(table.asked, ["new BRE POR by connect BRE POR through MAO"]);
        assert_eq!(table.coasts("BRE"), bre);
        assert_eq!(table.coasts("POR"), "MAO");
    }
    // Through Portugal a canal would join a shore with itself.
    let mut table = Table::after(&["separate POR SPA connect MAO MAO"]);
    table.season(&["connect BRE POR through MAO"], &[Some(Canal("POR"))]);
    assert_eq!(table.waterways(), [CONSTANTINOPLE, KIEL, SOUND]);
    assert_eq!(table.coasts("BRE"), "ENG MAO | MAO");
}

#[test]
fn rule_9a_a_release_together_with_the_separation_of_an_islands_border_is_asked_about() {
    // The border of the separation is removed, and its number is free for the border of the release.
    let mut table = Table::after(&[
        "separate WES NAF connect MAO TUN",
        "separate OUT NAF connect MAO TUN",
        "separate POR SPA connect MAO MAO",
    ]);
    table.season(&["separate NAF TUN connect MAO MAO", "connect BRE POR through MAO"], &[]);
    assert_eq!(table.asked, ["new BRE POR by connect BRE POR through MAO"]);
}

#[test]
fn a_canal_stays_at_both_pieces_of_a_stretch_that_a_release_cuts() {
    let mut table = Table::new();
    table.season(&["separate GAS SPA connect MAO MAR"], &[Some(Canal("MAR"))]);
    table.season(&["separate POR SPA connect MAO MAO"], &[]);
    table.season(&["connect MAR POR through MAO"], &[Some(Nothing)]);
    let own: Vec<String> = table.waterways().into_iter().filter(|way| way.contains("MAR")).collect();
    assert_eq!(own, ["canal MAR: LYO MAO"], "it is one canal, and printed once");
    assert_eq!(table.coasts("MAR"), "LYO MAO");
    // When its ends meet, the whole canal is removed.
    table.season(&["separate MAR SPA connect LYO MAO"], &[]);
    assert_eq!(table.waterways(), [CONSTANTINOPLE, KIEL, SOUND]);
    assert_eq!(table.coasts("MAR"), "LYO MAO | MAO");
}

#[test]
fn a_strait_stays_when_a_release_cuts_a_stretch_beside_it() {
    let mut table = Table::new();
    table.season(&["separate GAS SPA connect MAO MAR"], &[Some(Strait)]);
    table.season(&["separate POR SPA connect MAO MAO"], &[]);
    table.season(&["connect POR SPA through MAO"], &[Some(Nothing)]);
    assert!(table.waterways().contains(&"strait MAR SPA: LYO MAO".to_owned()));
    assert_eq!(table.coasts("MAR"), "LYO MAO");
}

#[test]
fn an_order_that_cannot_be_done_changes_no_waterway() {
    let mut table = Table::new();
    let both =
        quakes(&table.chart, &["separate DEN SWE connect BAL SKA", "separate BAL DEN connect KIE SWE"]);
    let (before, hash) = (table.waterways(), table.chart.map().hash());
    assert!(table.chart.shake(&both, &mut |_| None).is_err());
    assert_eq!((table.waterways(), table.chart.map().hash()), (before, hash));
}

#[test]
fn map_events_take_the_defaults() {
    let mut chart = atlas::standard();
    chart.set_waterway_rule(WaterwayRule::Isthmuses);
    event("separate ADR ION connect ALB APU").apply(&mut chart).expect("it fits");
    let table = Table { chart, asked: Vec::new() };
    assert!(table.waterways().contains(&"strait ALB APU: ADR ION".to_owned()));
}
