//! The page of `upheaval report`: as a browser shows it, and its numbers.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::program::{Done, played, run_in, screenshots};
use testkit::browser::{Browser, Light, Look, Page, at_once};
use upheaval::analysis::Estimate;
use upheaval::analysis::balance::cell::{PowerBalance, YearBalance};
use upheaval::analysis::balance::tally::FairnessMeasure;
use upheaval::analysis::balance::{Balance, BalanceOptions};
use upheaval::ids::{Power, PowerNames};
use upheaval::record::EventKind;
use upheaval::record::reader::{by_game, distances, events, topology};
use upheaval::report::Report;
use upheaval::rules::position::Season;

/// A sweep of two arms.
const STUDY: &str = r#"
name = "study"
variants = ["black-hole"]
games = 105
seed = 5
last_year = 1906
seats.lineup = ["greedy", "greedy", "greedy", "greedy", "random", "random", "random"]

[[sweep]]
parameter = "changes.holes.count"
values = [1, 2]
"#;

fn report(dir: &Path, run: &Path, more: &[&str]) -> Done {
    run_in(dir, &[&["report", run.to_str().unwrap()], more].concat(), b"")
}

/// The table of a figure of the report, row by row.
fn table(report: &Report, id: &str) -> Vec<Vec<String>> {
    report.figures().find(|figure| figure.id == id).unwrap_or_else(|| panic!("no {id}")).table.rows.clone()
}

#[test]
fn ways_between_homes_and_quantiles_are_those_of_the_tables() {
    let (_dir, run) = played(&STUDY.replace("games = 105", "games = 35"));
    let report = Report::of(&run, &BalanceOptions::default()).unwrap();
    let arm = "black-hole.count-2";
    // By year, for all games and for those with a path from Italy to Turkey: the number of games, and the sum of the
    // distances.
    let mut known: BTreeMap<u16, (u32, Vec<f64>)> = BTreeMap::new();
    for part in fs::read_dir(run.join(format!("topology/variant={arm}"))).unwrap() {
        let part = part.unwrap().file_name();
        let table = |name: &str| run.join(format!("{name}/variant={arm}")).join(&part);
        let mut changes: BTreeMap<u32, Vec<(u16, Option<f32>)>> = BTreeMap::new();
        let fields = (distances::TURN, distances::POWER, distances::OTHER, distances::DISTANCE);
        by_game(&*table("distances"), &PowerNames::standard(), fields, |game, rows| {
            let own = rows.iter().filter(|row| (row.1, row.2) == (Power::ITALY, Power::TURKEY));
            changes.insert(game, own.map(|row| (row.0, row.3)).collect());
        })
        .unwrap();
        let fields = (topology::YEAR, topology::SEASON, topology::TURN);
        by_game(&*table("topology"), &PowerNames::standard(), fields, |game, rows| {
            for (year, _, turn) in rows.iter().filter(|(_, season, _)| *season == Season::Winter) {
                let last = changes[&game].iter().rfind(|(since, _)| since <= turn).expect("one at turn 0");
                let (games, distances) = known.entry(*year).or_default();
                *games += 1;
                distances.extend(last.1.map(f64::from));
            }
        })
        .unwrap();
    }
    let rows = table(&report, &format!("homes-{arm}"));
    assert_eq!(rows.len(), known.len());
    assert!(rows.len() >= 6 && rows.iter().all(|row| row.len() == 2 + 21), "{rows:?}");
    // The second last of the pairs in their order.
    let told: Vec<&String> = rows.iter().map(|row| &row[2 + 19]).collect();
    for ((row, told), (year, (games, distances))) in rows.iter().zip(&told).zip(&known) {
        assert_eq!((&row[0], &row[1]), (&year.to_string(), &games.to_string()));
        let mean = distances.iter().sum::<f64>() / distances.len() as f64;
        let value: f64 = told.split(' ').next().unwrap().parse().unwrap();
        assert!((value - mean).abs() < 0.006, "{year}: {told} for {mean}");
        let in_some = told.split(' ').any(|word| word.trim_start_matches('(') == "in");
        assert_eq!(in_some, distances.len() < *games as usize, "{year}: {told}");
    }
    assert!(told.iter().any(|other| *other != told[0]), "it changes: {told:?}");
    let figure = report.figures().find(|figure| figure.id == format!("homes-{arm}")).unwrap();
    assert_eq!(figure.panels.len(), 7);
    let balance = Balance::of(&run, &BalanceOptions::default()).unwrap();
    let cell = balance.cells.iter().find(|cell| cell.arm == arm).unwrap();
    for (row, year) in table(&report, &format!("centres-{arm}")).iter().zip(&cell.years) {
        let of = &year.powers["ITALY"].centres.quantiles.unwrap().p50;
        let bounds = match of.high {
            Some(high) => format!("{} ({} to {high})", of.estimate, of.low.unwrap()),
            None => format!("{} ({} or more)", of.estimate, of.low.unwrap()),
        };
        assert!(row[2 + Power::ITALY.index()].contains(&format!(", {bounds}, ")), "{row:?} has no {bounds}");
    }
    assert_eq!(
        table(&report, &format!("centres-{arm}"))[0][2 + 4],
        "3.00; 3 (3 to 3), 3 (3 to 3), 3 (3 to 3)"
    );
}

/// A mark or point of a figure: its series, its year or position, and its value.
type Told = (String, Option<u16>, f64);

/// The marks of the panel with this number in a figure.
fn marks(page: &Page, figure: &str, panel: usize) -> Vec<Told> {
    page.ask(&format!(
        r#"[...document.getElementById({figure:?}).querySelectorAll("svg")[{panel}].querySelectorAll("[data-value][data-series], .point")]
            .map(m => [(m.dataset.series ?? m.parentNode.dataset.series), m.dataset.year ? Number(m.dataset.year) : null, Number(m.dataset.value)])"#
    ))
}

/// Does a figure agree with the estimates?
fn assert_told(told: &[Told], expected: &[(String, Option<u16>, Option<Estimate>)], factor: f64) {
    let expected: Vec<Told> = expected
        .iter()
        .filter_map(|(name, year, of)| Some((name.clone(), *year, of.as_ref()?.estimate * factor)))
        .collect();
    assert_eq!(told.len(), expected.len(), "{told:?}\n{expected:?}");
    assert!(!expected.is_empty());
    for (told, expected) in told.iter().zip(&expected) {
        assert_eq!((&told.0, told.1), (&expected.0, expected.1));
        assert!((told.2 - expected.2).abs() < 1e-5, "{told:?} {expected:?}");
    }
}

/// Texts that extend beyond their drawing, or overlap.
const CROWDED: &str = include_str!("crowded.js");

/// The smallest letters of charts on the screen.
const SMALLEST: &str = r#"Math.min(...[...document.querySelectorAll(".panels:not(.wide) svg")].flatMap(svg => {
    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    return [...svg.querySelectorAll("text")].map(text => parseFloat(text.getAttribute("font-size")) * scale);
}))"#;

#[test]
fn a_browser_shows_what_the_balance_says() {
    let Some(browser) = Browser::start(&screenshots()) else { return };
    let (dir, run) = played(STUDY);
    let done = report(dir.path(), &run, &["--out", "r.html", "--svg", "figures"]);
    assert_eq!(done.code, 0, "{}", done.error);
    let page = browser.open(&dir.path().join("r.html"));
    let folded: Vec<bool> = page.ask("[...document.querySelectorAll('details.folded')].map(d => d.open)");
    assert_eq!(folded, [false, false], "the details of both arms are folded");
    page.make("document.querySelectorAll('details.folded').forEach(d => { d.open = true; })");
    the_page_is_quiet_and_fits(&page);

    // Every figure exists, with a caption and its numbers.
    let expected_figures: Vec<String> = Report::of(&run, &BalanceOptions::default())
        .unwrap()
        .figures()
        .map(|figure| figure.id.clone())
        .collect();
    let shown: Vec<String> = page.ask(
        "[...document.querySelectorAll('figure')].filter(f => f.querySelector('svg') && f.querySelector('figcaption') \
         && f.querySelectorAll('details tbody tr').length > 0).map(f => f.id)",
    );
    assert_eq!(shown, expected_figures);

    pictures_name_their_tables(&page);

    let balance = Balance::of(&run, &BalanceOptions::default()).unwrap();
    let arms = ["black-hole.count-1", "black-hole.count-2"];
    assert_eq!(balance.cells.iter().map(|cell| cell.arm.as_str()).collect::<Vec<_>>(), arms);
    for cell in &balance.cells {
        let questions: [fn(&PowerBalance) -> Option<Estimate>; 4] =
            [|power| power.solos, |power| power.score, |power| power.draws, |power| power.survivals];
        for (panel, of) in questions.into_iter().enumerate() {
            let told = marks(&page, &format!("rates-{}", cell.arm), panel);
            let expected: Vec<_> = cell.powers.iter().map(|(p, o)| (p.clone(), None, of(o))).collect();
            assert_told(&told, &expected, 100.0);
        }
        for (index, power) in cell.powers.keys().enumerate() {
            let told = marks(&page, &format!("centres-{}", cell.arm), index);
            let of = |year: &YearBalance| (power.clone(), Some(year.year), year.powers[power].centres.mean);
            let expected: Vec<_> = cell.years.iter().map(of).collect();
            assert!(expected.len() >= 6, "{expected:?}");
            assert_told(&told, &expected, 1.0);
        }
        captures_are_counted(&page, &run, &cell.arm, cell.games);
        the_map_is_as_the_table_has_it(&page, &run, &cell.arm);
        let p = cell.fairness(FairnessMeasure::Score).omnibus.unwrap().p;
        let said: String = page.ask(&format!(
            r#"[...document.querySelectorAll(".verdict li")].find(li => li.querySelector("strong").textContent === "{}.").textContent"#,
            balance.label(&cell.arm)
        ));
        assert_eq!(said.contains("Not fair."), p < 0.05, "{p}: {said}");
    }
    let of = &balance.arms[0];
    let told =
        marks(&page, &format!("difference-{}-{}", arms[1], arms[0]), FairnessMeasure::Centres as usize);
    let centres = &of.measures[FairnessMeasure::Centres as usize];
    let expected: Vec<_> =
        centres.powers.iter().map(|(p, d)| (p.clone(), None, d.map(|d| d.difference))).collect();
    assert_told(&told, &expected, 1.0);

    // Each file is a complete drawing.
    at_once(&expected_figures, |id| {
        let file = browser.open(&dir.path().join(format!("figures/{id}.svg")));
        let marks: u32 = file.ask("document.querySelectorAll('svg > title ~ g [data-value]').length");
        // The ranking has a mark for each arm, the others at least one for each power.
        let least = if id == "ranking" { arms.len() as u32 } else { 7 };
        assert!(marks >= least || id == "distances", "{id}: {marks} marks");
        assert_eq!((file.complaints(), file.requests()), (vec![], vec![]), "{id}");
    });
}

/// Each picture refers to the numbers of its figure, and every table and scrolling region has a name.
fn pictures_name_their_tables(page: &Page) {
    let lost: Vec<String> = page.ask(
        r#"[...document.querySelectorAll("figure svg")].filter(svg => {
            const named = id => svg.closest("figure").contains(document.getElementById(svg.getAttribute(id)));
            return !(named("aria-details") && named("aria-describedby")
                && document.getElementById(svg.getAttribute("aria-details")).querySelector("tbody tr"));
        }).map(svg => svg.getAttribute("aria-label"))"#,
    );
    assert_eq!(lost, Vec::<String>::new());
    let names: Vec<String> =
        page.ask(r#"[...document.querySelectorAll("table")].map(table => table.caption?.textContent ?? "")"#);
    let mut different = names.clone();
    different.sort();
    different.dedup();
    assert!(
        names.len() > 10 && different.len() == names.len() && !names.contains(&String::new()),
        "{names:?}"
    );
    let regions: Vec<String> =
        page.ask(r#"[...document.querySelectorAll("[role=group]")].map(region => region.ariaLabel)"#);
    assert!(regions.iter().all(|region| names.iter().any(|name| region.starts_with(name))), "{regions:?}");
    // There are no half counts.
    let half: Vec<String> = page.ask(
        r#"[...document.querySelectorAll("figure[id^=map-] .note, figure[id^=centres-] .note")].map(t => t.textContent).filter(t => /^\d*\.\d+$/.test(t))"#,
    );
    assert_eq!(half, Vec::<String>::new());
    // Colours mean the same on the boards of both arms.
    let keys: Vec<Vec<String>> = page.ask(
        r#"[...document.querySelectorAll("figure[id^=collapsed-]")].map(f => [...f.querySelectorAll(".key text")].map(t => t.textContent))"#,
    );
    assert!(keys.len() == 2 && keys[0] == keys[1] && keys[0].len() == 3, "{keys:?}");
    let [_, middle, most] = [0, 1, 2].map(|i| keys[0][i].parse::<f64>().unwrap());
    assert!(middle * 2.0 == most && most > 0.0, "{keys:?}");
    let shades: Vec<(String, f64)> = page.ask(
        r#"[...document.querySelectorAll("figure[id^=collapsed-] .province")].map(p => [p.getAttribute("fill"), Number(p.dataset.value)])"#,
    );
    assert!(shades.iter().all(|(_, value)| *value <= most), "{most}");
    let full = shades.iter().map(|(_, value)| *value).fold(0.0, f64::max);
    assert!(full > most * 0.5, "{full} of {most}");
}

/// The board of captures agrees with the events.
fn captures_are_counted(page: &Page, run: &Path, arm: &str, games: u64) {
    let mut counts: BTreeMap<String, f64> = BTreeMap::new();
    for part in fs::read_dir(run.join(format!("events/variant={arm}"))).unwrap() {
        by_game(
            &*part.unwrap().path(),
            &PowerNames::standard(),
            (events::KIND, events::PROVINCE),
            |_, rows| {
                for (_, province) in rows.iter().filter(|(kind, _)| *kind == EventKind::Captured) {
                    *counts.entry(province.as_deref().unwrap().to_owned()).or_default() += 1.0 / games as f64;
                }
            },
        )
        .unwrap();
    }
    let told: BTreeMap<String, f64> = page.ask(&format!(
        r#"Object.fromEntries([...document.getElementById("captured-{arm}").querySelectorAll(".province")].map(p => [p.dataset.province, Number(p.dataset.value)]))"#
    ));
    assert_eq!(told.len(), 75, "every land and sea of the standard board");
    for (province, value) in &told {
        let expected = counts.get(province).copied().unwrap_or(0.0);
        assert!((value - expected).abs() < 1e-5, "{province}: {value} {expected}");
    }
    assert!(counts.keys().all(|province| told.contains_key(province)), "{counts:?}");
}

/// The lines of the map are means of the table `topology` over Winters.
fn the_map_is_as_the_table_has_it(page: &Page, run: &Path, arm: &str) {
    let mut land: BTreeMap<u16, Vec<f64>> = BTreeMap::new();
    for part in fs::read_dir(run.join(format!("topology/variant={arm}"))).unwrap() {
        let fields = (topology::YEAR, topology::SEASON, topology::LAND);
        by_game(&*part.unwrap().path(), &PowerNames::standard(), fields, |_, rows| {
            for (year, _, value) in rows.iter().filter(|(_, season, _)| *season == Season::Winter) {
                land.entry(*year).or_default().push(f64::from(*value));
            }
        })
        .unwrap();
    }
    let expected: Vec<(u16, f64)> =
        land.iter().map(|(year, all)| (*year, all.iter().sum::<f64>() / all.len() as f64)).collect();
    let told: Vec<(u16, f64)> = page.ask(&format!(
        r#"[...document.getElementById("map-{arm}").querySelectorAll("[data-series=Land] .point")].map(p => [Number(p.dataset.year), Number(p.dataset.value)])"#
    ));
    assert_eq!(told.len(), expected.len(), "{told:?} {expected:?}");
    assert!(expected.len() >= 6);
    for (told, expected) in told.iter().zip(&expected) {
        assert!(told.0 == expected.0 && (told.1 - expected.1).abs() < 1e-5, "{told:?} {expected:?}");
    }
}

/// Nothing is requested from the network, there are no errors, and nothing is cut off or overlaps, at any size.
fn the_page_is_quiet_and_fits(page: &Page) {
    for (name, width, light) in [
        ("report", 1280, Light::Day),
        ("report-phone", 360, Light::Day),
        ("report-dark", 1280, Light::Night),
        ("report-print", 794, Light::Paper),
    ] {
        page.look(Look { width, light });
        page.picture(name);
        let [inner, all]: [u32; 2] =
            page.ask("[document.documentElement.clientWidth, document.documentElement.scrollWidth]");
        assert!(all <= inner, "{name}: the page is {all} wide in a window of {inner}");
        assert_eq!(page.ask::<Vec<String>>(CROWDED), Vec::<String>::new(), "{name}");
        let smallest: f64 = page.ask(SMALLEST);
        assert!(smallest >= if light == Light::Paper { 6.0 } else { 9.0 }, "{name}: letters of {smallest}");
        let [paper, ink]: [String; 2] = page.ask(
            "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('svg .heading')).fill]",
        );
        let dark = light == Light::Night;
        assert_eq!(paper == "rgb(22, 24, 28)", dark, "{name}: {paper}");
        assert_eq!(ink == "rgb(232, 232, 232)", dark, "{name}: {ink}");
    }
    assert_eq!(page.complaints(), Vec::<String>::new());
    assert_eq!(page.requests(), Vec::<String>::new());
}
