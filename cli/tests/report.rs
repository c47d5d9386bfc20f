//! `upheaval report` from outside: its output, and the page as a browser shows it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::program::{Done, played, run_in, screenshots};
use serde_json::Value;
use testkit::browser::{Browser, Light, Look, Page, at_once};
use upheaval::analysis::Estimate;
use upheaval::analysis::balance::cell::{PowerBalance, YearBalance};
use upheaval::analysis::balance::tally::FairnessMeasure;
use upheaval::analysis::balance::{Balance, BalanceOptions};
use upheaval::analysis::scoring::Score;
use upheaval::analysis::standings::Standings;
use upheaval::ids::{Power, PowerNames};
use upheaval::record::EventKind;
use upheaval::record::reader::{by_game, distances, events, topology};
use upheaval::report::Report;
use upheaval::rules::position::Season;
use upheaval::sim::stored::StoredRun;

/// A sweep of two arms.
const STUDY: &str = r#"
name = "study"
variants = ["black-hole"]
games = 105
seed = 5
last_year = 1906
seats.lineup = ["greedy", "greedy", "greedy", "greedy", "random", "random", "random"]

[[sweep]]
parameter = "holes.per_season"
values = [1, 2]
"#;

/// Two line-ups that each block plays.
const LINE_UPS: &str = r#"
name = "line-ups"
variants = ["standard"]
games = 56
seed = 5
last_year = 1903
seats.lineups = [["greedy", "greedy", "greedy", "random", "random", "random", "random"], ["hold", "hold", "hold", "hold", "hold", "hold", "greedy"]]
"#;

fn report(dir: &Path, run: &Path, more: &[&str]) -> Done {
    run_in(dir, &[&["report", run.to_str().unwrap()], more].concat(), b"")
}

#[test]
fn the_page_lies_where_a_pattern_of_runs_does_not_match_it_and_is_the_same_each_time() {
    let (dir, run) = played(LINE_UPS);
    let done = report(dir.path(), &run, &[]);
    assert_eq!(done.code, 0, "{}", done.error);
    let page = PathBuf::from(done.out.trim_end().strip_prefix("report: ").unwrap());
    let run_name = run.file_name().unwrap().to_str().unwrap();
    let pages = run.canonicalize().unwrap().with_file_name("pages");
    assert_eq!(page, pages.join(format!("{run_name}.html")));
    // The shell's `results/line-ups-*` still matches only the run folder.
    let names = fs::read_dir(run.parent().unwrap()).unwrap();
    let names: Vec<String> = names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let matched: Vec<&String> = names.iter().filter(|name| name.starts_with("line-ups-")).collect();
    assert_eq!(matched, [run_name]);
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.len() < 2_000_000, "{} bytes", html.len());
    let without_policy = html.replacen("http-equiv", "", 1);
    assert!(
        !html.contains("<script") && !without_policy.contains("http"),
        "no scripts, and nothing from elsewhere"
    );
    let again = report(dir.path(), &run, &["--out", "again.html", "--svg", "figures", "--columns", "2"]);
    assert_eq!(again.code, 0, "{}", again.error);
    assert_eq!(fs::read_to_string(dir.path().join("again.html")).unwrap(), html, "the same bytes");
    let of_library = Report::of(&run, &BalanceOptions::default()).unwrap();
    let mut ids: Vec<String> = of_library.figures().map(|figure| format!("{}.svg", figure.id)).collect();
    ids.sort();
    let mut files: Vec<String> = fs::read_dir(dir.path().join("figures"))
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files, ids, "each figure is a file, and nothing is left over");
    let one = report(dir.path(), &run, &["--out", "one.html", "--line-up", "1"]);
    assert_eq!(one.code, 0, "{}", one.error);
    let one = fs::read_to_string(dir.path().join("one.html")).unwrap();
    assert!(
        one.contains("id=\"centres-standard-lineup-1\"") && !one.contains("id=\"centres-standard-lineup-0\"")
    );
    assert!(report(dir.path(), &run, &["--variant", "nonesuch"]).refusal().contains("nonesuch"));
    assert!(ids.contains(&"difference-standard-lineup-1-standard-lineup-0.svg".to_owned()), "{ids:?}");
}

#[test]
fn what_cannot_be_reported_or_written_is_refused() {
    let (dir, run) = played(LINE_UPS);
    let nowhere = report(dir.path(), &dir.path().join("none"), &[]);
    assert!(nowhere.refusal().contains("is not a run folder"), "{}", nowhere.error);
    let empty = report(dir.path(), dir.path(), &["--out", "x.html"]);
    assert!(empty.refusal().contains("is not a run folder"), "{}", empty.error);
    let within = report(dir.path(), &run, &["--out", run.join("report.html").to_str().unwrap()]);
    assert!(within.refusal().contains("is in the run folder"), "{}", within.error);
    let figures = report(dir.path(), &run, &["--svg", run.join("figures").to_str().unwrap()]);
    assert!(figures.refusal().contains("is in the run folder"), "{}", figures.error);
    let no_folder = report(dir.path(), &run, &["--out", "none/x.html"]);
    assert_eq!((no_folder.code, no_folder.out.as_str()), (1, ""));
    assert!(no_folder.only_error().contains("cannot write `none/x.html`"), "{}", no_folder.error);
}

/// The positions of these texts in a page, each of which it has.
fn places(html: &str, texts: &[&str]) -> Vec<usize> {
    texts.iter().map(|text| html.find(text).unwrap_or_else(|| panic!("no {text}"))).collect()
}

#[test]
fn a_page_begins_with_its_answer_and_details_by_arm_are_folded() {
    let (dir, run) = played(LINE_UPS);
    let one = report(dir.path(), &run, &["--out", "one.html", "--line-up", "0"]);
    assert_eq!(one.code, 0, "{}", one.error);
    let html = fs::read_to_string(dir.path().join("one.html")).unwrap();
    let order = places(
        &html,
        &[
            "Is it fair?</h2>",
            "<ul class=\"verdict\"",
            "id=\"rates-",
            "<details class=\"folded\"",
            "id=\"distances\"",
        ],
    );
    assert!(order.is_sorted(), "{order:?}");
    assert!(html.find("id=\"played\"") > html.find("id=\"cell-"), "what was played comes last");
    assert!(
        !html.contains(" style=\"") && !html.contains(" onclick="),
        "neither style attributes nor handlers"
    );

    let (dir, run) = played(STUDY);
    assert_eq!(report(dir.path(), &run, &["--out", "arms.html"]).code, 0);
    let html = fs::read_to_string(dir.path().join("arms.html")).unwrap();
    let order = places(
        &html,
        &["Which arm is fairest?</h2>", "<table", "id=\"ranking\"", "<details class=\"folded\""],
    );
    assert!(order.is_sorted(), "{order:?}");
    assert_eq!(html.matches("<details class=\"folded\"").count(), 2, "one for each arm");
}

/// Bots that hold take nothing, and all games are drawn by all powers.
#[test]
fn a_page_begins_with_the_bots_and_with_what_hides_a_difference() {
    let (dir, run) = played(
        "name = \"drawn\"\nvariants = [\"standard\"]\ngames = 20\nseed = 1\nlast_year = 1903\nseats.all = \"hold\"\n",
    );
    assert_eq!(report(dir.path(), &run, &["--out", "drawn.html"]).code, 0);
    let html = fs::read_to_string(dir.path().join("drawn.html")).unwrap();
    let order = places(
        &html,
        &[
            "Nearly all games ended alike: 100.0% were drawn.",
            "The bots of line-up 0: 7 × hold.",
            "docs/validity.md",
            "<nav",
            "This is not evidence of fairness: 100.0\u{a0}% of the games ended alike (draw).",
        ],
    );
    assert!(order.is_sorted(), "{order:?}");
    assert!(!html.contains("unlikely to exceed"), "{html}");

    let (dir, run) = played(
        "name = \"alone\"\nvariants = [\"standard\"]\ngames = 42\nseed = 1\nlast_year = 1925\n\
         seats.lineup = [\"greedy\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\", \"hold\"]\n",
    );
    assert_eq!(report(dir.path(), &run, &["--out", "alone.html"]).code, 0);
    let html = fs::read_to_string(dir.path().join("alone.html")).unwrap();
    let order = places(&html, &["greedy won ", "of the games with 1 of 7 seats.", "Is it fair?</h2>"]);
    assert!(order.is_sorted(), "{order:?}");
}

/// A tournament of two bots, each alone against the other in all other seats.
const TOURNAMENT: &str = r#"
name = "cup"
variants = ["standard"]
games = 140
seed = 5
last_year = 1904
seats.lineups = [["greedy", "random", "random", "random", "random", "random", "random"], ["random", "greedy", "greedy", "greedy", "greedy", "greedy", "greedy"]]
"#;

#[test]
fn the_report_of_a_tournament_is_of_ratings_scores_and_pairs() {
    let (dir, run) = played(TOURNAMENT);
    let done = report(dir.path(), &run, &["--out", "cup.html"]);
    assert_eq!(done.code, 0, "{}", done.error);
    let html = fs::read_to_string(dir.path().join("cup.html")).unwrap();
    let order = places(
        &html,
        &["Standings of cup", "Which bot is stronger?</h2>", "greedy is rated highest", "id=\"ratings-all\""],
    );
    assert!(order.is_sorted(), "{order:?}");
    assert!(!html.contains("Is it fair?") && !html.contains("Not fair."), "it is not about fairness");
    let of_library = Report::of(&run, &BalanceOptions::default()).unwrap();
    let ids: Vec<&str> = of_library.figures().map(|figure| &*figure.id).collect();
    assert_eq!(ids, ["ratings-all", "superior-all", "alone-all"]);
    // The numbers are those of the standings.
    let stored = StoredRun::open(&run).unwrap().whole().unwrap();
    let (standings, _) = Standings::of(&stored, Score::DrawSize).unwrap();
    let section = &standings.sections()[0];
    let bots: Vec<String> = section.lines.iter().map(|line| line.bot.clone()).collect();
    let rows = table(&of_library, "ratings-all");
    assert_eq!(rows.iter().map(|row| row[0].clone()).collect::<Vec<_>>(), bots);
    for (row, line) in rows.iter().zip(&section.lines) {
        let rating: f64 = row[1].split(' ').next().unwrap().replace('−', "-").parse().unwrap();
        assert!((rating - line.rating.estimate).abs() <= 0.5, "{row:?} {line:?}");
        assert_eq!(row[4], line.games.to_string());
    }
    let alone = table(&of_library, "alone-all");
    assert_eq!((alone[0][1].as_str(), alone[1][2].as_str()), ("–", "–"), "nobody is its own opponent");
    let expected = section.alone[0][1].unwrap().estimate;
    let told: f64 = alone[0][2].split(' ').next().unwrap().parse().unwrap();
    assert!((told - expected).abs() <= 0.0005, "{alone:?} {expected}");
}

#[test]
fn with_few_blocks_the_report_of_a_tournament_warns_and_has_no_likelihoods() {
    let (dir, run) = played(&TOURNAMENT.replace("games = 140", "games = 98"));
    assert_eq!(report(dir.path(), &run, &["--out", "cup.html"]).code, 0);
    let html = fs::read_to_string(dir.path().join("cup.html")).unwrap();
    let warning = "Warning: 7 blocks are too few to tell which bot is stronger.";
    assert!(html.contains(warning) && html.contains("is stronger than random is not known"), "{html}");
    assert!(
        !html.contains(": likelihood ") && !html.contains("100.0"),
        "a few blocks that agree are not certainty"
    );
    let of_library = Report::of(&run, &BalanceOptions::default()).unwrap();
    let ids: Vec<&str> = of_library.figures().map(|figure| &*figure.id).collect();
    assert_eq!(ids, ["ratings-all", "alone-all"]);
    // What is chosen must be there, though the page is of all of it.
    let refused = report(dir.path(), &run, &["--variant", "standart"]);
    assert!(refused.refusal().contains("this run has no variant `standart`"), "{}", refused.error);
}

/// The figure of captures of an arm.
fn captures<'a>(html: &'a str, arm: &str) -> &'a str {
    let from = html.find(&format!("<figure id=\"captured-{arm}\"")).expect("there are captures");
    html[from..].split("</figure>").next().unwrap()
}

#[test]
fn a_map_of_ones_own_has_its_boards_from_the_run_folder_alone() {
    let own = tempfile::tempdir().unwrap();
    let [variant, map] = ["variants/standard.toml", "maps/standard.json"].map(testkit::read);
    let variant = variant
        .replace("id = \"standard\"", "id = \"own\"")
        .replace("map = \"standard\"", "map = \"board.json\"");
    let variant = variant.replace("title = \"Diplomacy\"", "title = \"Diplomacy on the Sea of Isles\"");
    fs::write(own.path().join("own.toml"), variant).unwrap();
    fs::write(own.path().join("board.json"), map.replace("\"IRI\"", "\"ISL\"")).unwrap();
    let file = own.path().join("own.toml");
    let (dir, run) = played(&format!(
        "name = \"own\"\nvariants = [\"standard\", {file:?}]\ngames = 7\nseed = 5\nlast_year = 1903\nseats.all = \"greedy\"\n"
    ));
    // The played variant is in the run folder; its files may be removed.
    drop(own);
    assert_eq!(report(dir.path(), &run, &["--out", "r.html"]).code, 0);
    let html = fs::read_to_string(dir.path().join("r.html")).unwrap();
    for (arm, sea, other) in [("own", "ISL", "IRI"), ("standard", "IRI", "ISL")] {
        let figure = captures(&html, arm);
        assert_eq!(figure.matches("data-province=").count(), 75, "{arm}: every land and sea");
        assert!(figure.contains(&format!("data-province=\"{sea}\"")), "{arm}");
        assert!(!figure.contains(&format!("data-province=\"{other}\"")), "{arm}");
    }
    assert!(html.contains("Diplomacy on the Sea of Isles"), "its title");

    // Without the rules no board can be drawn, and the page says so; a board that ships is nevertheless known.
    let manifest = run.join("manifest.json");
    let mut listed: Value = serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
    listed["rules"]["own"]["map"] =
        listed["rules"]["own"]["map"].as_str().unwrap().replace("ISL", "IRX").into();
    listed["rules"].as_object_mut().unwrap().remove("standard");
    fs::write(&manifest, listed.to_string()).unwrap();
    assert_eq!(report(dir.path(), &run, &["--out", "r.html", "--trust"]).code, 0);
    let html = fs::read_to_string(dir.path().join("r.html")).unwrap();
    let figure = captures(&html, "own");
    assert!(
        !figure.contains("<svg") && figure.contains("does not contain the rules"),
        "another map: {figure}"
    );
    assert_eq!(captures(&html, "standard").matches("data-province=").count(), 75);
}

/// The table of a figure of the report, row by row.
fn table(report: &Report, id: &str) -> Vec<Vec<String>> {
    report.figures().find(|figure| figure.id == id).unwrap_or_else(|| panic!("no {id}")).table.rows.clone()
}

#[test]
fn ways_between_homes_and_quantiles_are_those_of_the_tables() {
    let (_dir, run) = played(STUDY);
    let report = Report::of(&run, &BalanceOptions::default()).unwrap();
    let arm = "black-hole.per_season-2";
    // By year, for all games and for those with a path from Italy to Turkey: the number of games, and the sum of the
    // distances.
    let mut known: BTreeMap<u16, (u32, Vec<f64>)> = BTreeMap::new();
    for part in fs::read_dir(run.join(format!("topology/variant={arm}"))).unwrap() {
        let part = part.unwrap().file_name();
        let table = |name: &str| run.join(format!("{name}/variant={arm}")).join(&part);
        let mut changes: BTreeMap<u32, Vec<(u16, Option<f32>)>> = BTreeMap::new();
        let fields = (distances::TURN, distances::POWER, distances::OTHER, distances::DISTANCE);
        by_game(&table("distances"), &PowerNames::standard(), fields, |game, rows| {
            let own = rows.iter().filter(|row| (row.1, row.2) == (Power::ITALY, Power::TURKEY));
            changes.insert(game, own.map(|row| (row.0, row.3)).collect());
        })
        .unwrap();
        let fields = (topology::YEAR, topology::SEASON, topology::TURN);
        by_game(&table("topology"), &PowerNames::standard(), fields, |game, rows| {
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
        assert_eq!(told.contains("in "), distances.len() < *games as usize, "{year}: {told}");
    }
    assert!(told.iter().any(|other| *other != told[0]), "it changes: {told:?}");
    let figure = report.figures().find(|figure| figure.id == format!("homes-{arm}")).unwrap();
    assert_eq!(figure.panels.len(), 7);
    let (_dir, still) = played(LINE_UPS);
    let still = Report::of(&still, &BalanceOptions::default()).unwrap();
    assert!(
        still.figures().all(|figure| !figure.id.starts_with("homes-")),
        "where nothing changes there is none"
    );

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
const CROWDED: &str = r#"[...document.querySelectorAll("svg")].flatMap(svg => {
    const view = svg.viewBox.baseVal;
    const boxes = [...svg.querySelectorAll("text")].map(text => [text.textContent, text.getBBox()]);
    const out = boxes.filter(([, b]) => b.x < -1 || b.y < -1 || b.x + b.width > view.width + 1 || b.y + b.height > view.height + 1)
        .map(([name]) => `${svg.getAttribute("aria-label")}: ${name} sticks out`);
    const on = boxes.flatMap(([name, a], i) => boxes.slice(i + 1).filter(([, b]) =>
        Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) > 1.5 &&
        Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) > 3.5)
        .map(([other]) => `${svg.getAttribute("aria-label")}: ${name} lies on ${other}`));
    return [...out, ...on];
})"#;

/// The smallest letters of charts on the screen.
const SMALLEST: &str = r#"Math.min(...[...document.querySelectorAll(".panels:not(.wide) svg")].flatMap(svg => {
    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    return [...svg.querySelectorAll("text")].map(text => parseFloat(text.getAttribute("font-size")) * scale);
}))"#;

#[test]
fn a_browser_shows_what_the_balance_says() {
    let (dir, run) = played(STUDY);
    let done = report(dir.path(), &run, &["--out", "r.html", "--svg", "figures"]);
    assert!(done.code == 0 && done.out.starts_with("report: r.html\nfigures: figures ("), "{}", done.error);
    let Some(browser) = Browser::start(&screenshots()) else { return };
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
    let arms = ["black-hole.per_season-1", "black-hole.per_season-2"];
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
            &part.unwrap().path(),
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
        by_game(&part.unwrap().path(), &PowerNames::standard(), fields, |_, rows| {
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
