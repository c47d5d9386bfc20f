//! `upheaval replay --html`: the page in a browser, compared with its game.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::program::{run_in, screenshots};
use tempfile::TempDir;
use testkit::browser::{Browser, Light, Look, Page, at_once};
use upheaval::game_record::{GameRecord, OrderLine, StageRecord};
use upheaval::ids::{PowerInfo, PowerNames};
use upheaval::record::EventKind;
use upheaval::rules::variant::Variant;
use upheaval::viewer::beside;

/// The kept game of each variant.
fn kept(variant: &str) -> PathBuf {
    testkit::path(&format!("tests/replays/{variant}.json"))
}

fn read(file: &Path) -> GameRecord {
    GameRecord::parse("game", &fs::read_to_string(file).unwrap()).unwrap()
}

/// The page of a kept game.
fn page_of(file: &Path) -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let done = run_in(dir.path(), &["replay", file.to_str().unwrap(), "--html", "game.html"], b"");
    assert_eq!(done.code, 0, "{}", done.error);
    let page = dir.path().join("game.html");
    (dir, page)
}

/// The position before each stage and at the end.
fn boards(game: &GameRecord) -> Vec<StageRecord> {
    let end = &game.end;
    let last =
        StageRecord { units: end.units.clone(), centres: end.centres.clone(), ..StageRecord::default() };
    game.stages.iter().cloned().chain([last]).collect()
}

/// Units as the log has them: owner, unit and place, and whether it waits for a retreat.
fn units_of(stage: &StageRecord) -> Vec<(String, String, bool)> {
    let standing = stage
        .units
        .iter()
        .flat_map(|(power, units)| units.iter().map(move |unit| (power.clone(), unit.clone(), false)));
    // Only orders distinguish several equal units.
    let name = |unit: &str| unit.split('#').next().unwrap().to_owned();
    let waiting = stage.dislodged.iter().map(|it| (it.power.clone(), name(&it.unit), true));
    let mut units: Vec<_> = standing.chain(waiting).collect();
    units.sort();
    units
}

/// The visible content of a frame.
#[derive(serde::Deserialize)]
struct Seen {
    /// The position according to the page's address.
    hash: String,
    /// Owner, unit, and whether it waits for a retreat.
    units: Vec<(String, String, bool)>,
    /// Units that are drawn outside of their province.
    astray: Vec<String>,
    /// Centres by owner.
    centres: Vec<(String, String)>,
    /// Orders on the board: number, success, description.
    arrows: Vec<(usize, bool, String)>,
    /// Rows of the table of orders: number, success, order, result.
    rows: Vec<(usize, bool, String, String)>,
    /// Outlines that are invisible because they are completely covered.
    unseen: Vec<String>,
    /// Outlines: is the event past, where is it, and its description.
    outlines: Vec<(bool, String, String)>,
}

/// Reads the current frame.
const LOOK: &str = include_str!("look.js");

/// Reads this many frames from the current one on, with a step before each but the first.
fn look_at(page: &Page, frames: usize) -> Vec<Seen> {
    let next = "document.querySelector('[data-step=next]').click()";
    page.ask(&format!("(look => Array.from({{ length: {frames} }}, (_, i) => {{ if (i > 0) {next}; return look(); }}))({LOOK})"))
}

/// Is an order visible on the board?
fn is_drawn(order: &str) -> bool {
    !["WAIVE", "EXEMPT", "ANNOUNCE"].iter().any(|word| order.starts_with(word))
}

/// Compares the board and tables of one frame with the log.
fn assert_shown(seen: &Seen, stage: &StageRecord, name: &str) {
    assert_eq!(seen.units, units_of(stage), "{name}");
    assert!(seen.unseen.is_empty(), "{name}: not to be seen: {:?}", seen.unseen);
    assert!(seen.astray.is_empty(), "{name}: out of their provinces: {:?}", seen.astray);
    let mut centres: Vec<(String, String)> = stage
        .centres
        .iter()
        .flat_map(|(power, all)| all.iter().map(|centre| (power.clone(), centre.clone())))
        .collect();
    centres.sort();
    assert_eq!(seen.centres, centres, "{name}");
    let result = |line: &OrderLine| match (&line.reason, &*line.result) {
        (Some(reason), _) => reason.clone(),
        (None, "void") if line.is_spare() => "not needed".to_owned(),
        (None, "ok") => "succeeds".to_owned(),
        (None, other) => other.to_owned(),
    };
    let lines = || stage.orders.iter().enumerate();
    let rows: Vec<_> =
        lines().map(|(i, line)| (i, line.result == "ok", line.order.clone(), result(line))).collect();
    assert_eq!(seen.rows, rows, "{name}");
    let arrows: Vec<_> = lines()
        .filter(|(_, line)| is_drawn(&line.order) && !line.was_refused() && !line.is_spare())
        .map(|(i, line)| {
            (i, line.result == "ok", format!("{}: {line}", PowerNames::standard().proper(&line.power)))
        })
        .collect();
    let same_order = |number: usize| {
        let others = lines().filter(|(i, line)| *i != number && line.order == stage.orders[number].order);
        others
            .map(|(_, line)| format!("; {}: {line}", PowerNames::standard().proper(&line.power)))
            .collect::<String>()
    };
    let arrows: Vec<_> =
        arrows.into_iter().map(|(i, good, title)| (i, good, title + &same_order(i))).collect();
    assert_eq!(seen.arrows, arrows, "{name}");
}

/// The provinces of a stage's map events are outlined before it and after it; returns their number.
fn assert_outlined(seen: &Seen, game: &GameRecord, number: usize, name: &str) -> usize {
    let mut events = 0;
    let stage = |number: Option<usize>| number.and_then(|number| game.stages.get(number));
    for (past, of) in [(true, stage(number.checked_sub(1))), (false, stage(Some(number)))] {
        for event in of.into_iter().flat_map(|stage| &stage.events) {
            let kinds = [EventKind::Collapsed, EventKind::Voided, EventKind::Submerged, EventKind::Opened];
            if event.kind().is_some_and(|kind| kinds.contains(&kind)) {
                let (province, told) =
                    (event.province.as_deref().unwrap(), event.display(&game.power_names).to_string());
                let is_it = |(when, place, title): &(bool, String, String)| {
                    *when == past && place == province && title.contains(&told)
                };
                assert!(seen.outlines.iter().any(is_it), "{name}: {told}, past: {past}: {:?}", seen.outlines);
                events += 1;
            }
        }
    }
    events
}

#[test]
fn a_game_of_every_variant_is_stepped_through() {
    let Some(browser) = Browser::start(&screenshots()) else { return };
    let mut files: Vec<PathBuf> =
        fs::read_dir(kept("standard").parent().unwrap()).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(Variant::shipped().all(|variant| files.contains(&kept(variant))), "{files:?}");
    at_once(&files, |file| step_through(&browser, file));
}

/// The page of a kept game, frame by frame.
fn step_through(browser: &Browser, file: &Path) {
    let game = read(file);
    let (variant, name) = (&*game.rules.id, file.file_stem().unwrap().to_str().unwrap());
    let (_dir, html) = page_of(file);
    let page = browser.open(&html);
    // Every part of the board responds to the pointer.
    page.size(1280, 1600);
    let (mut mapped, mut quakes) = (0, 0);
    let stages = boards(&game);
    // One step more: nothing comes after the end.
    let frames = look_at(&page, stages.len() + 1);
    assert_eq!(frames[stages.len()].hash, "end", "{variant}");
    for (number, (stage, seen)) in stages.iter().zip(&frames).enumerate() {
        let name = format!("{name}, {} {}", stage.phase, stage.stage);
        match number == game.stages.len() {
            true => assert_eq!(seen.hash, "end", "{name}"),
            false => assert!(seen.hash.starts_with(&stage.phase), "{name}: {}", seen.hash),
        }
        assert_shown(seen, stage, &name);
        mapped += assert_outlined(seen, &game, number, &name);
        quakes += seen.outlines.iter().filter(|(past, _, title)| *past && title.contains("earth")).count();
    }
    page.go_to(&frames[9].hash);
    page.picture(&format!("viewer-{name}-{}", frames[9].hash));
    let is_seismic = variant.starts_with("seismic");
    assert_eq!(mapped > 0, variant != "standard" && !is_seismic, "{variant}: {mapped} events");
    assert_eq!(quakes > 20, is_seismic, "{variant}: {quakes} quakes");
    assert_eq!(page.complaints(), Vec::<String>::new(), "{variant}");
    assert_eq!(page.requests(), Vec::<String>::new(), "{variant}");
}

/// The position of the page.
fn place(page: &Page) -> String {
    page.ask("location.hash.slice(1)")
}

#[test]
fn it_is_steered_by_buttons_keys_links_and_the_chart() {
    let Some(browser) = Browser::start(&screenshots()) else { return };
    let file = kept("seismic-acerunner");
    let game = read(&file);
    let (_dir, html) = page_of(&file);
    let page = browser.open_at(&html, "#F1901R");
    let phase =
        |page: &Page| page.ask::<String>("document.querySelector('.phase:not([hidden]) h2').textContent");
    assert_eq!((place(&page), phase(&page)), ("F1901R".to_owned(), "Fall 1901, retreats".to_owned()));
    assert_eq!(page.ask::<f64>("scrollY"), 0.0, "a link to a phase shows the board");
    for (button, there) in
        [("next", "F1901E"), ("back", "F1901R"), ("first", "S1901M"), ("last", "end"), ("back", "W1904A")]
    {
        page.click(&format!("[data-step={button}]"));
        assert_eq!(place(&page), there, "{button}");
    }
    for (key, there) in [
        ("Home", "S1901M"),
        ("PageDown", "S1902M"),
        ("PageDown", "S1903M"),
        ("PageUp", "S1902M"),
        ("ArrowRight", "S1902E"),
        ("ArrowRight", "S1902E-coasts"),
        ("ArrowLeft", "S1902E"),
        ("End", "end"),
        ("PageUp", "S1903M"),
        ("PageDown", "S1904M"),
        ("PageDown", "end"),
    ] {
        page.press(key);
        assert_eq!(place(&page), there, "{key}");
    }
    page.go_to("S1903M");
    assert_eq!(phase(&page), "Spring 1903, movement");

    // The board can be enlarged within its own frame.
    let width = "document.querySelector('#board [data-province=SWI]').getBoundingClientRect().width";
    let before: f64 = page.ask(width);
    page.click("[data-zoom='1']");
    assert!(page.ask::<f64>(width) > before * 1.3);
    page.click("[data-zoom='-1']");
    assert_eq!(page.ask::<f64>(width), before);

    // The chart has every count, a line at the phase, and leads to the phase that is clicked.
    let told: BTreeMap<String, Vec<f64>> = page.ask(
        r##"Object.fromEntries([...document.querySelectorAll("#centres .series")].map(s => [s.dataset.series, [...s.querySelectorAll(".point")].map(p => Number(p.dataset.value))]))"##,
    );
    let starts =
        game.stages.iter().filter(|stage| stage.phase.ends_with("M") && stage.phase.starts_with('S'));
    let years: Vec<_> = starts.map(|stage| &stage.centres).chain([&game.end.centres]).collect();
    for power in game.power_names.infos() {
        let expected: Vec<f64> =
            years.iter().map(|centres| centres.get(&power.name).map_or(0, Vec::len) as f64).collect();
        assert_eq!(told[&power.proper_name], expected, "{}", power.name);
    }
    let cursor = "Number(document.querySelector('.cursor').getAttribute('x1'))";
    let at: f64 = page.ask(cursor);
    page.make(
        r##"const chart = document.querySelector("#centres svg"), box = chart.getBoundingClientRect();
            chart.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: box.right - 80, clientY: box.top + 50 }))"##,
    );
    assert!(place(&page) == "end" || place(&page).contains("1904"), "{}", place(&page));
    assert!(page.ask::<f64>(cursor) > at);

    // It plays by itself to the end, and stops there.
    page.make("document.activeElement.blur()");
    ["End", "ArrowLeft", "ArrowLeft"].iter().for_each(|key| page.press(key));
    page.make("document.getElementById('speed').value = '0.2'");
    page.press(" ");
    assert_eq!(page.ask::<String>("document.querySelector('[data-step=play]').textContent"), "Pause");
    let mut waited = 0;
    while place(&page) != "end" {
        std::thread::sleep(std::time::Duration::from_millis(100));
        waited += 1;
        assert!(waited < 200, "it stands at {}", place(&page));
    }
    assert_eq!(page.ask::<String>("document.querySelector('[data-step=play]').textContent"), "Play");
    assert_eq!((page.complaints(), page.requests()), (vec![], vec![]));
}

#[test]
fn it_can_be_read_without_seeing_the_board_and_on_a_phone() {
    let Some(browser) = Browser::start(&screenshots()) else { return };
    let (_dir, html) = page_of(&kept("black-hole"));
    let page = browser.open_at(&html, "#F1902M");
    for (name, width, light) in [
        ("viewer", 1280, Light::Day),
        ("viewer-phone", 360, Light::Day),
        ("viewer-dark", 1280, Light::Night),
        ("viewer-print", 794, Light::Paper),
    ] {
        page.look(Look { width, light });
        page.picture(name);
        let [inner, all]: [u32; 2] =
            page.ask("[document.documentElement.clientWidth, document.documentElement.scrollWidth]");
        assert!(all <= inner, "{name}: the page is {all} wide in a window of {inner}");
        let shown: f64 = page.ask("document.querySelector('#board svg').getBoundingClientRect().width");
        assert!(shown > f64::from(inner) * 0.5, "{name}: the board is {shown} wide");
    }
    page.look(Look { width: 360, light: Light::Day });
    let small: Vec<String> = page.ask(
        "[...document.querySelectorAll('button, select, input')].filter(b => b.getBoundingClientRect().height < 43).map(b => b.textContent)",
    );
    assert_eq!(small, Vec::<String>::new(), "too small for a thumb");
    // Tables have captions, rows and columns have headers, controls have names.
    let nameless: u32 = page.ask(
        "[...document.querySelectorAll('table')].filter(t => !t.caption || !t.tHead || [...t.tBodies[0].rows].some(r => r.cells[0].scope !== 'row')).length \
         + [...document.querySelectorAll('button')].filter(b => !(b.textContent.trim() || b.ariaLabel)).length \
         + [...document.querySelectorAll('select, input')].filter(b => !(b.labels.length || b.ariaLabel)).length",
    );
    assert_eq!(nameless, 0);
    let twice: Vec<String> = page.ask(
        "(ids => ids.filter((id, i) => ids.indexOf(id) !== i))([...document.querySelectorAll('[id]')].map(e => e.id))",
    );
    assert_eq!(twice, Vec::<String>::new(), "ids that stand twice");
    let told: String = page.ask("document.querySelector('[role=status]').textContent");
    assert!(told.starts_with("Fall 1902, movement. 27 orders, 12 of which fail."), "{told}");
    let lost = browser.open_at(&html, "#F1999M");
    let told: String = lost.ask("document.querySelector('[role=status]').textContent");
    assert!(told.starts_with("There is no phase F1999M in this game. Spring 1901"), "{told}");
    // Clicking an arrow shows its reason, and marks it in the table.
    page.make(
        r##"document.querySelector("#board .order.failure path").dispatchEvent(new MouseEvent("click", { bubbles: true }))"##,
    );
    let told: String = page.ask("document.querySelector('[role=status]').textContent");
    let reason: String =
        page.ask("document.querySelector('tr.pointed').cells[1].textContent + ' (' + document.querySelector('tr.pointed').cells[2].textContent + ')'");
    assert!(told.ends_with(&reason), "{told} | {reason}");
    assert_eq!((page.complaints(), page.requests()), (vec![], vec![]));
}

#[test]
fn it_fits_a_small_screen_is_filtered_by_power_and_zoomed_by_the_wheel() {
    let Some(browser) = Browser::start(&screenshots()) else { return };
    let (_dir, html) = page_of(&kept("black-hole"));
    let page = browser.open_at(&html, "#F1902M");
    page.size(1366, 768);
    let bottom = |what: &str| -> f64 {
        page.ask(&format!("document.querySelector({what:?}).getBoundingClientRect().bottom"))
    };
    let [title, told, board, steer] = ["h1", "#told", "#board svg", ".steer"].map(bottom);
    assert!(
        title < told && told < board && board < steer && steer <= 768.0,
        "{title} {told} {board} {steer}"
    );
    let is_whole = "(b => b.scrollHeight <= b.clientHeight && b.scrollWidth <= b.clientWidth)(document.getElementById('board'))";
    assert!(page.ask::<bool>(is_whole), "the board is whole");

    // One power's orders, on the board and in the table.
    let shown = r##"(() => {
        const seen = selector => [...document.querySelectorAll(selector)].filter(e => getComputedStyle(e).display !== "none").map(e => e.dataset.power);
        return [[...new Set(seen("#board .order"))], [...new Set(seen(".phase:not([hidden]) tr[data-power]"))]];
    })()"##;
    let [all, _] = page.ask::<[Vec<String>; 2]>(shown);
    assert!(all.len() > 3, "{all:?}");
    page.make("const power = document.getElementById('power'); power.value = 'FRANCE'; power.dispatchEvent(new Event('change'))");
    let france = || ["FRANCE".to_owned()].to_vec();
    assert_eq!(page.ask::<[Vec<String>; 2]>(shown), [france(), france()]);
    page.make("document.getElementById('power').value = ''; document.getElementById('power').dispatchEvent(new Event('change'))");
    assert_eq!(page.ask::<[Vec<String>; 2]>(shown)[0], all);

    // The wheel zooms the board at the pointer, and so do two fingers.
    let middle = "(box => [box.left + box.width / 2, box.top + box.height / 2])(document.querySelector('#board [data-province=MUN]').getBoundingClientRect())";
    let width = "document.querySelector('#board [data-province=MUN]').getBoundingClientRect().width";
    let (small, before): (f64, [f64; 2]) = (page.ask(width), page.ask(middle));
    let [x, y] = before;
    page.make(&format!(
        "document.getElementById('board').dispatchEvent(new WheelEvent('wheel', {{ deltaY: -400, clientX: {x}, clientY: {y}, cancelable: true }}))"
    ));
    let [there_x, there_y]: [f64; 2] = page.ask(middle);
    assert!(page.ask::<f64>(width) > small * 1.8, "larger");
    assert!((there_x - x).abs() < 3.0 && (there_y - y).abs() < 3.0, "{there_x} {there_y} for {x} {y}");
    page.make(
        "const touch = (name, id, x) => document.getElementById('board').dispatchEvent(new PointerEvent(name, { pointerId: id, pointerType: 'touch', clientX: x, clientY: 300 })); \
         touch('pointerdown', 1, 300); touch('pointerdown', 2, 500); touch('pointermove', 2, 350); touch('pointerup', 1, 300); touch('pointerup', 2, 350)",
    );
    assert!((page.ask::<f64>(width) - small).abs() < 0.5, "as it was");
    assert_eq!((page.complaints(), page.requests()), (vec![], vec![]));

    // In dark mode the board is dark.
    page.look(Look { width: 1366, light: Light::Night });
    let sea: String = page.ask("getComputedStyle(document.querySelector('#board .province.sea')).fill");
    assert_eq!(sea, "rgb(28, 51, 70)");
}

#[test]
fn what_a_game_is_called_is_text_on_its_page() {
    let mut game = read(&kept("standard"));
    let hostile = "<script>alert(1)</script>";
    game.game.experiment = hostile.to_owned();
    game.game.bots.insert("AUSTRIA".to_owned(), "</script><img src=x onerror=alert(1)>".to_owned());
    game.digest = game.digest_of_rest();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("hostile.json");
    fs::write(&file, game.to_json()).unwrap();
    let (_page, html) = page_of(&file);
    let text = fs::read_to_string(&html).unwrap();
    let times = |part: &str| text.matches(part).count();
    assert!(times("&lt;script&gt;alert(1)") > 0 && times("<script") == 2 && times("<img") == 0);
}

/// The page of two kept games side by side, as that of a game without and with a change.
fn pair_of(variants: [&str; 2]) -> (TempDir, PathBuf) {
    let [left, right] = variants.map(|variant| read(&kept(variant)));
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("pair.html");
    fs::write(&page, beside(&left, &right, 0, "the rules are others", &[]).unwrap()).unwrap();
    (dir, page)
}

/// The owners of the centres in a list by power.
fn owners(centres: &BTreeMap<String, Vec<String>>) -> BTreeMap<&str, &str> {
    centres
        .iter()
        .flat_map(|(power, all)| all.iter().map(move |centre| (centre.as_str(), power.as_str())))
        .collect()
}

#[test]
fn two_games_beside_each_other_are_one_page_whose_steps_are_the_phases_of_both() {
    let (_dir, html) = pair_of(["black-hole", "black-hole-i"]);
    let text = fs::read_to_string(&html).unwrap();
    let games = ["black-hole", "black-hole-i"].map(|variant| read(&kept(variant)));
    for stage in games.iter().flat_map(|game| &game.stages) {
        assert!(
            text.contains(&format!("<section class=\"phase\" id=\"{}\"", stage.phase)),
            "{}",
            stage.phase
        );
    }
    assert_eq!(text.matches("<script").count(), 2);
    if testkit::runs_slow("the same page again") {
        let (_again, other) = pair_of(["black-hole", "black-hole-i"]);
        assert!(fs::read_to_string(other).unwrap() == text, "the same games are the same page");
    }
}

#[test]
fn two_games_fit_a_small_screen_are_steered_together_and_their_differences_are_marked() {
    let Some(browser) = Browser::start(&screenshots()) else { return };
    let variants = ["black-hole", "black-hole-i"];
    let (_dir, html) = pair_of(variants);
    let games = variants.map(|variant| read(&kept(variant)));
    let page = browser.open_at(&html, "#F1903M");
    page.size(1366, 768);
    let seen = r##"(() => {
        const box = selector => document.querySelector(selector).getBoundingClientRect();
        const [left, right] = ["#left-board svg", "#right-board svg"].map(box);
        return [left.right <= right.left + 1, Math.abs(left.top - right.top) < 1, left.bottom <= box("#counts").top,
            box("#counts").bottom <= box(".steer").top, box(".steer").bottom <= 768, left.height > 350,
            document.documentElement.scrollWidth <= 1366];
    })()"##;
    assert_eq!(page.ask::<Vec<bool>>(seen), [true; 7], "side by side, in sight with centres and controls");

    // One set of controls leads both from phase to phase; what is marked is what differs in the games.
    let marked = r##"["left", "right"].map(side => [...document.querySelectorAll(`#${side}-board .centre.differs`)].map(c => c.dataset.province).sort())"##;
    let mut differed = 0;
    for phase in games[0].stages.iter().map(|stage| &stage.phase) {
        let Some(stages) = games
            .iter()
            .map(|game| game.stages.iter().find(|stage| stage.phase == *phase))
            .collect::<Option<Vec<_>>>()
        else {
            continue;
        };
        page.go_to(phase);
        let [left, right] = [0, 1].map(|side: usize| owners(&stages[side].centres));
        let on_both = |centre: &str| {
            page.ask::<bool>(&format!(
                "['left', 'right'].every(side => document.querySelector(`#${{side}}-board .centre[data-province='{centre}']`))"
            ))
        };
        let mut expected: Vec<&str> = left.keys().chain(right.keys()).copied().collect();
        expected.sort_unstable();
        expected.dedup();
        expected.retain(|centre| left.get(centre) != right.get(centre) && on_both(centre));
        assert_eq!(page.ask::<[Vec<String>; 2]>(marked), [expected.clone(), expected.clone()], "{phase}");
        differed += expected.len();
        let counts: String = page.ask("document.getElementById('counts').textContent");
        for PowerInfo { name: power, proper_name: name, .. } in PowerNames::standard().infos() {
            let [left, right] = [0, 1].map(|side: usize| stages[side].centres.get(power).map_or(0, Vec::len));
            assert!(counts.contains(&format!("{name} {left} · {right}")), "{phase}: {counts}");
        }
    }
    assert!(differed > 5, "{differed}");
    page.go_to("F1903M");
    page.make("document.querySelector('[data-step=next]').click()");
    assert_ne!(place(&page), "F1903M");
    page.make("document.querySelector('[data-step=last]').click()");
    assert_eq!(place(&page), "end");
    page.picture("viewer-pair");
    assert_eq!((page.complaints(), page.requests()), (vec![], vec![]));
}
