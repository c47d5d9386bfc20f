//! `upheaval map` from outside (docs/map-command.md).

use crate::program::{run, run_in};
use expect_test::expect_file;
use serde_json::{Value, json};

fn map(events: &[&str]) -> Value {
    let mut arguments = vec!["map", "--variant", "standard", "--format", "json"];
    for event in events {
        arguments.extend(["--apply", event]);
    }
    let done = run(&arguments, b"");
    assert_eq!((done.code, done.error.as_str()), (0, ""), "{events:?}");
    done.json_lines().remove(0)
}

// ---- exact output ----

#[test]
fn the_board_of_the_formats_page_is_printed_to_the_letter() {
    let map = map(&[]);
    let keys: Vec<&String> = map.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["counts", "faces", "isthmuses", "points", "waterways"]);
    assert_eq!(map["counts"].to_string(), r#"{"faces":77,"borders":225,"corners":150,"components":1}"#);
    let burgundy = concat!(
        r#"{"kind":"land","alive":true,"supply_centre":false,"home":null,"#,
        r#""boundaries":[["BEL","PIC","PAR","GAS","MAR","SWI","MUN","RUH"]],"#,
        r#""coasts":[],"army":["BEL","GAS","MAR","MUN","PAR","PIC","RUH"],"fleet":{}}"#
    );
    assert_eq!(map["faces"]["BUR"].to_string(), burgundy);
    let spain = &map["faces"]["SPA"];
    let coasts = json!([{"name": "NC", "seas": ["MAO"]}, {"name": "SC", "seas": ["LYO", "MAO", "WES"]}]);
    assert_eq!(spain["coasts"], coasts);
    assert_eq!(
        spain["fleet"],
        json!({"NC": ["GAS", "MAO", "POR"], "SC": ["LYO", "MAO", "MAR", "POR", "WES"]})
    );
    assert!(map["isthmuses"].as_array().unwrap().contains(&json!(["BUL", "CON"])));
    let kiel = json!({"kind": "canal", "in": ["KIE"], "ends": ["BAL", "HEL"]});
    assert!(map["waterways"].as_array().unwrap().contains(&kiel));
    assert_eq!(map["points"], json!([]));
}

#[test]
fn a_land_face_with_one_coast_and_a_sea_have_their_fleets_under_the_empty_name() {
    let map = map(&[]);
    assert_eq!(map["faces"]["BRE"]["coasts"], json!([{"name": null, "seas": ["ENG", "MAO"]}]));
    assert_eq!(map["faces"]["BRE"]["fleet"], json!({"": ["ENG", "GAS", "MAO", "PIC"]}));
    assert_eq!(map["faces"]["WES"]["fleet"], json!({"": ["LYO", "MAO", "NAF", "SPA/SC", "TUN", "TYS"]}));
    assert_eq!(map["faces"]["PAR"]["home"], "FRANCE");
    let kinds = ["SWI", "OUT", "MAO", "PAR"].map(|face| map["faces"][face]["kind"].as_str().unwrap());
    assert_eq!(kinds, ["impassable", "outside", "sea", "land"]);
}

#[test]
fn exactly_four_isthmuses_on_the_standard_board() {
    assert_eq!(
        map(&[])["isthmuses"],
        json!([["BUL", "CON"], ["DEN", "KIE"], ["DEN", "SWE"], ["POR", "SPA"]])
    );
}

// ---- every kind of event ----

#[test]
fn collapse_is_the_worked_case_of_marseilles() {
    let map = map(&["collapse MAR"]);
    assert_eq!(map["points"], json!([[["BUR", "GAS", "SPA", "LYO", "PIE", "SWI"]]]));
    let marseilles = &map["faces"]["MAR"];
    assert_eq!((&marseilles["kind"], &marseilles["alive"]), (&json!("hole"), &json!(false)));
    assert_eq!(marseilles["fleet"], json!({}));
    let army: Vec<&str> =
        map["faces"]["BUR"]["army"].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect();
    assert_eq!(army, ["BEL", "GAS", "MUN", "PAR", "PIC", "PIE", "RUH", "SPA"]);
    assert_eq!(map["faces"]["BUR"]["coasts"].as_array().unwrap().len(), 1);
    assert_eq!(map["faces"]["GAS"]["coasts"].as_array().unwrap().len(), 2);
    assert_eq!(map["counts"]["faces"], 77, "the underlying map is the same");
}

#[test]
fn void_shuts_and_restore_opens_again() {
    let voided = map(&["void BUR"]);
    assert_eq!(voided["faces"]["BUR"]["kind"], "void");
    assert_eq!(voided["faces"]["PAR"]["army"], json!(["BRE", "GAS", "PIC"]));
    assert_eq!(voided["points"], json!([]));
    for event in ["void BUR", "collapse BUR"] {
        assert_eq!(map(&[event, "restore BUR"]), map(&[]), "{event}");
    }
}

#[test]
fn split_makes_two_halves() {
    let map_of = map(&["split BUR PAR MUN"]);
    assert_eq!(map_of["counts"], json!({"faces": 78, "borders": 228, "corners": 152, "components": 1}));
    assert_eq!(map_of["faces"]["BUR"], Value::Null);
    let [first, second] = ["BUR.1", "BUR.2"].map(|half| map_of["faces"][half]["army"].clone());
    assert_eq!(first, json!(["BUR.2", "GAS", "MAR", "MUN", "PAR"]));
    assert_eq!(second, json!(["BEL", "BUR.1", "MUN", "PAR", "PIC", "RUH"]));
    let again = map(&["split BUR PAR MUN", "split BUR.2 BEL PAR"]);
    assert!(again["faces"]["BUR.2.1"].is_object() && again["faces"]["BUR.2.2"].is_object());
    for pick in ["split SPA MAO#1 MAR", "split SPA MAO#2 MAR"] {
        assert_eq!(map(&[pick])["counts"]["faces"], 78, "{pick}");
    }
    assert_ne!(map(&["split SPA MAO#1 MAR"]), map(&["split SPA MAO#2 MAR"]));
}

#[test]
fn submerge_makes_a_sea() {
    let map = map(&["submerge LON"]);
    assert_eq!(map["faces"]["LON"]["kind"], "sea");
    assert_eq!(map["faces"]["LON"]["supply_centre"], false);
    assert_eq!(map["faces"]["LON"]["fleet"], json!({"": ["ENG", "NTH", "WAL", "YOR"]}));
    assert_eq!(map["faces"]["WAL"]["coasts"], json!([{"name": null, "seas": ["ENG", "IRI", "LON"]}]));
}

#[test]
fn separate_makes_portugal_an_island_and_connect_releases_it() {
    let island = map(&["separate POR SPA connect MAO MAO"]);
    assert_eq!(island["counts"], json!({"faces": 77, "borders": 223, "corners": 149, "components": 2}));
    assert_eq!(island["faces"]["POR"]["boundaries"], json!([["MAO"]]));
    assert_eq!(island["faces"]["MAO"]["boundaries"].as_array().unwrap().len(), 2);
    let released = map(&["separate POR SPA connect MAO MAO", "connect POR BRE through MAO"]);
    assert_eq!(released["counts"], json!({"faces": 77, "borders": 225, "corners": 150, "components": 1}));
    assert_eq!(released["faces"]["POR"]["army"], json!(["BRE"]));
}

#[test]
fn open_lets_switzerland_be_entered() {
    let map = map(&["open SWI"]);
    assert_eq!(map["faces"]["SWI"]["kind"], "land");
    assert_eq!(map["faces"]["SWI"]["army"], json!(["BUR", "MAR", "MUN", "PIE", "TYR"]));
}

#[test]
fn events_are_read_in_any_case_and_spacing() {
    assert_eq!(map(&["  Collapse   mar "]), map(&["collapse MAR"]));
}

#[test]
fn people_get_text_by_default() {
    let done = run(&["map", "--apply", "collapse MAR"], b"");
    assert_eq!(done.code, 0);
    assert!(done.out.starts_with("77 faces, 225 borders, 150 corners, 1 component(s)\n"), "{}", done.out);
    assert!(done.out.contains("point: BUR GAS SPA LYO PIE SWI\n"));
    assert_eq!(done.out, run(&["map", "--apply", "collapse MAR", "--format", "text"], b"").out);
    assert_eq!(done.out, run(&["map", "--variant", "black-hole", "--apply", "collapse MAR"], b"").out);
}

// ---- as a picture ----

#[test]
fn a_board_is_drawn() {
    let draw = |events: &[&str], variant: &str| {
        let mut arguments = vec!["map", "--variant", variant, "--format", "svg"];
        events.iter().for_each(|event| arguments.extend(["--apply", event]));
        let done = run(&arguments, b"");
        assert_eq!((done.code, done.error.as_str()), (0, ""), "{events:?}");
        done.out
    };
    let board = draw(&[], "standard");
    assert!(board.starts_with("<svg xmlns=") && board.ends_with("</svg>\n"));
    assert!(board.contains("data-province=\"PAR\"") && board.contains("The board of standard</title>"));
    assert_eq!(board, draw(&[], "standard"), "the same bytes");
    assert_eq!(board, draw(&["collapse MAR", "restore MAR"], "standard"), "what comes back is where it was");
    let events = ["collapse MAR", "split BUR PAR MUN", "separate POR SPA connect MAO MAO", "void SER"];
    let changed = draw(&events, "black-hole");
    for part in ["<title>Hole: MAR</title>", "id=\"board-BUR.2\"", "class=\"province void\""] {
        assert!(changed.contains(part), "{part}");
    }
    assert!(draw(&[], "deluge-ii").contains("id=\"board-ICE\""));
}

/// The command that draws the README's picture, and its path.
const README_PICTURE: ([&str; 6], &str) =
    (["map", "--apply", "collapse MAR", "--format", "svg", "--frames"], "docs/hole.svg");

#[test]
fn the_picture_of_the_readme_is_what_its_command_prints() {
    let (arguments, file) = README_PICTURE;
    let done = run(&arguments, b"");
    assert_eq!((done.code, done.error.as_str()), (0, ""));
    // If it is drawn differently now, look at it before it is written again: docs/picture.md.
    expect_file![testkit::path(file)].assert_eq(&done.out);
    assert!(done.out.len() < 120_000, "{}", done.out.len());
    let command = format!("upheaval map --apply \"collapse MAR\" --format svg --frames > {file}\n");
    assert!(testkit::read("docs/map-command.md").contains(&command));
    assert!(testkit::read("README.md").contains(&format!("]({file})")));
}

#[test]
fn an_event_is_drawn_as_frames() {
    let frames = |events: &[&str]| {
        let mut arguments = vec!["map", "--format", "svg", "--frames"];
        events.iter().for_each(|event| arguments.extend(["--apply", event]));
        let done = run(&arguments, b"");
        assert_eq!((done.code, done.error.as_str()), (0, ""), "{events:?}");
        assert!(done.out.starts_with("<svg xmlns=") && done.out.ends_with("</svg>\n"));
        done.out
    };
    let captions = |svg: &str| -> Vec<String> {
        let after = svg.split("class=\"caption\"").skip(1);
        after.filter_map(|rest| Some(rest.split_once('>')?.1.split_once('<')?.0.to_owned())).collect()
    };
    for (events, between) in [
        (&["collapse MAR"][..], Some("the hole opens")),
        (&["collapse MAR", "restore MAR"], Some("the hole closes")),
        (&["separate VIE TRI connect TYR BUD"], Some("their border is a point")),
        (&["separate POR SPA connect MAO MAO"], Some("their border is a point")),
        (&["void SER"], None),
        (&["void SER", "restore SER"], None),
        (&["submerge LON"], None),
        (&["open SWI"], None),
        (&["split BUR PAR MUN"], None),
    ] {
        let svg = frames(events);
        let expected: Vec<&str> = ["before"].into_iter().chain(between).chain(["after"]).collect();
        assert_eq!(captions(&svg), expected, "{events:?}");
        let title = format!("{}: the board of standard before and after</title>", events[events.len() - 1]);
        assert!(svg.contains(&title), "{events:?}");
    }
    assert_eq!(frames(&["collapse BUR", "collapse MAR"]), frames(&["collapse BUR", "collapse MAR"]));
}

#[test]
fn frames_without_a_picture_or_an_event_are_refused() {
    for format in ["json", "text"] {
        let done = run(&["map", "--format", format, "--apply", "collapse MAR", "--frames"], b"");
        assert!(done.refusal().contains("--format svg"), "{}", done.error);
    }
    let done = run(&["map", "--format", "svg", "--frames"], b"");
    assert!(done.refusal().contains("--apply"), "{}", done.error);
}

// ---- impossible requests ----

#[test]
fn an_event_that_cannot_be_prints_nothing_but_the_reason() {
    let impossible = [
        "restore MAR",
        "open PAR",
        "open ICE",
        "collapse ZZZ",
        "collapse OUT",
        "void OUT",
        "submerge NTH",
        "split BUR PAR LON",
        "split SPA MAO MAR",
        "split SPA MAO#3 MAR",
        "split SPA MAO#0 MAR",
        "split OUT BAR ARM",
        "separate POR LON connect MAO MAO",
        "separate POR SPA connect MAO LYO",
        "separate POR SPA connect MAO MAO #2",
        "connect POR BRE through MAO",
        "connect POR POR through POR",
        "fly to the moon",
        "",
        "collapse",
        "collapse MAR BUR",
        "separate POR SPA connect MAO MAO #99999999999999999999",
        "collapse \u{130}\u{df}\u{1F30A}",
    ];
    for event in impossible {
        for format in ["json", "text", "svg"] {
            let done = run(&["map", "--format", format, "--apply", event], b"");
            assert!(done.refusal().len() < 400, "{event}: {}", done.error);
        }
    }
    let done = run(&["map", "--apply", "collapse MAR", "--apply", "collapse MAR"], b"");
    assert!(done.refusal().contains("cannot apply `collapse MAR`"), "{}", done.error);
}

#[test]
fn a_board_is_named_by_its_variant_its_own_name_or_a_file() {
    let printed = |words: &[&str]| {
        let done = run(&[&["map"], words].concat(), b"");
        assert_eq!((done.code, done.error.as_str()), (0, ""), "{words:?}");
        done.out
    };
    assert_eq!(printed(&["standard"]), printed(&[]));
    assert_eq!(printed(&["deluge-ii"]), printed(&["--variant", "deluge-ii"]));
    assert_eq!(printed(&["ancient-mediterranean"]), printed(&["--map", "ancient-mediterranean"]));
    assert_ne!(printed(&["ancient-mediterranean"]), printed(&[]));
    let folder = tempfile::tempdir().unwrap();
    for words in [&["new", "map", "mine"][..], &["new", "variant", "mine", "--map", "mine.toml"]] {
        assert_eq!(run_in(folder.path(), words, b"").code, 0);
    }
    let of_file = |words: &[&str]| {
        let done = run_in(folder.path(), &[&["map"], words].concat(), b"");
        assert_eq!((done.code, done.error.as_str()), (0, ""), "{words:?}");
        done.out
    };
    assert_eq!(of_file(&["mine.toml"]), of_file(&["--map", "mine.toml"]));
    assert_eq!(of_file(&["mine-variant.toml"]), of_file(&["mine.toml"]));
    for flag in ["--variant", "--map"] {
        assert!(run(&["map", "standard", flag, "standard"], b"").refusal().contains("cannot be used with"));
    }
    assert!(run(&["map", "nowhere.toml"], b"").refusal().contains("cannot read `nowhere.toml`"));
}

#[test]
fn an_unknown_variant_or_format_is_refused() {
    assert!(run(&["map", "--variant", "nonesuch"], b"").refusal().contains("black-hole"));
    let done = run(&["map", "--format", "papyrus"], b"");
    assert!(done.refusal().contains("papyrus"), "{}", done.error);
    for arguments in [&["map", "--nonsense"][..], &["fly"], &["run"], &["map", "extra"]] {
        assert!(run(arguments, b"").refusal().len() < 300, "{arguments:?}");
    }
}

#[test]
fn help_is_no_error() {
    for arguments in [&["--help"][..], &["run", "--help"], &["--version"]] {
        let done = run(arguments, b"");
        assert_eq!((done.code, done.error.as_str()), (0, ""), "{arguments:?}");
        assert!(!done.out.is_empty());
    }
    let done = run(&[], b"");
    assert_eq!(done.code, 2);
    assert!(done.error.contains("Usage: upheaval [OPTIONS] <COMMAND>"), "{}", done.error);
}

#[test]
fn variants_and_bots_are_listed_one_a_line() {
    for (command, names) in
        [("variants", &["standard", "black-hole"][..]), ("bots", &["greedy", "hold", "random"])]
    {
        let done = run(&[command], b"");
        assert_eq!((done.code, done.error.as_str()), (0, ""));
        let listed: Vec<&str> =
            done.out.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
        assert!(names.iter().all(|name| listed.contains(name)), "{command}: {listed:?}");
        assert!(
            done.out.lines().all(|line| line.split_whitespace().count() > 3),
            "each is explained: {}",
            done.out
        );
    }
}

// ---- import ----

/// A ring of three coasts round a sea.
const RING: &str = "RED AA\nBLUE BB\nWATER SS ABUTS AA BB CC\nCOAST AA ABUTS BB CC SS\nCOAST BB ABUTS AA CC SS\nCOAST CC ABUTS AA BB SS\n";

#[test]
fn an_imported_board_is_printed_or_written_and_can_be_shown() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("ring.map"), RING).unwrap();
    let printed = run_in(dir.path(), &["map", "import", "ring.map"], b"");
    assert_eq!(printed.code, 0, "{}", printed.error);
    assert!(printed.error.contains("in doubt"), "{}", printed.error);
    let written = run_in(dir.path(), &["map", "import", "ring.map", "--out", "ring.json"], b"");
    assert_eq!((written.code, written.out.as_str()), (0, ""));
    assert_eq!(std::fs::read_to_string(dir.path().join("ring.json")).unwrap(), printed.out);
    let shown = run_in(dir.path(), &["map", "--map", "ring.json", "--format", "json"], b"");
    assert_eq!(shown.json_lines()[0]["faces"]["AA"]["army"], json!(["BB", "CC"]));
}

#[test]
fn hints_decide_what_is_in_doubt() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("ring.map"), RING).unwrap();
    std::fs::write(dir.path().join("hints.toml"), "[around]\nSS = [\"AA\", \"BB\", \"CC\"]\n").unwrap();
    let done = run_in(dir.path(), &["map", "import", "ring.map", "--hints", "hints.toml"], b"");
    assert_eq!(done.code, 0, "{}", done.error);
    assert!(!done.error.contains("in doubt"), "{}", done.error);
    let map: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(map["faces"]["SS"]["neighbours_ccw"], json!(["AA", "BB", "CC"]));
}

#[test]
fn what_cannot_be_imported_is_one_line_and_nothing_is_written() {
    let dir = tempfile::tempdir().unwrap();
    // Seven provinces, each adjacent to the six others.
    let codes = ["AA", "BB", "CC", "DD", "EE", "FF", "GG"];
    let listed = codes.map(|code| {
        let others: Vec<&str> = codes.into_iter().filter(|&other| other != code).collect();
        format!("LAND {code} ABUTS {}\n", others.join(" "))
    });
    let complete = format!("RED AA\nBLUE BB\n{}", listed.concat());
    let cases = [
        ("k7.map", complete.as_str(), "not planar"),
        (
            "cut.geojson",
            "{\"type\": \"FeatureCollection\", \"features\": [",
            "cut.geojson:1: EOF while parsing a list",
        ),
        ("what.txt", "hello\n", "--format"),
    ];
    for (name, text, expected) in cases {
        std::fs::write(dir.path().join(name), text).unwrap();
        let done = run_in(dir.path(), &["map", "import", name, "--out", "out.json"], b"");
        assert!(done.refusal().contains(expected), "{}", done.error);
        assert!(!dir.path().join("out.json").exists());
    }
    let done = run_in(dir.path(), &["map", "import", "nowhere.map"], b"");
    assert!(done.refusal().contains("nowhere.map"), "{}", done.error);
    let done = run_in(dir.path(), &["map", "--map", "nowhere.json"], b"");
    assert!(done.refusal().contains("nowhere.json"), "{}", done.error);
}

#[test]
fn a_file_that_is_used_is_a_regular_file_of_the_same_folder() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("maps")).unwrap();
    let maps = dir.path().join("maps");
    std::fs::write(dir.path().join("secret.map"), "PASSWORD hunter2\n").unwrap();
    std::fs::write(maps.join("ring.map"), RING).unwrap();
    let told = |use_line: &str| {
        std::fs::write(maps.join("x.map"), use_line).unwrap();
        let done = run_in(&maps, &["map", "import", "x.map"], b"");
        assert!(!done.error.contains("hunter2") && !done.error.contains("PASSWORD"), "{}", done.error);
        done
    };
    assert_eq!(told("USE ring").code, 0);
    for name in ["../secret.map", "..", "/etc/hostname", "./../secret.map", "sub/x.map"] {
        assert!(told(&format!("USE {name}")).refusal().contains("x.map:1: cannot use"), "{name}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink("../secret.map", maps.join("out.map")).unwrap();
        symlink("ring.map", maps.join("in.map")).unwrap();
        symlink("/dev/zero", maps.join("zero.map")).unwrap();
        for name in ["out", "in", "zero"] {
            let done = told(&format!("USE {name}"));
            assert!(
                done.refusal().contains("it is a symbolic link; only a regular file can be used"),
                "{name}"
            );
        }
        let fifo = maps.join("pipe.map");
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        assert!(told("USE pipe").refusal().contains("it is a named pipe; only a regular file can be used"));
        let direct = run_in(&maps, &["map", "import", "pipe.map"], b"");
        assert!(
            direct.refusal().contains("it is a named pipe; a regular file is needed"),
            "{}",
            direct.error
        );
        let device = run_in(&maps, &["map", "import", "/dev/zero"], b"");
        assert!(device.refusal().contains("it is a device"), "{}", device.error);
        let hints = run_in(&maps, &["map", "import", "ring.map", "--hints", "pipe.map"], b"");
        assert!(hints.refusal().contains("it is a named pipe"), "{}", hints.error);
        std::fs::File::create(maps.join("large.map")).unwrap().set_len(1 << 40).unwrap();
        assert!(told("USE large").refusal().contains("it has more than 67108864 bytes"));
    }
    std::fs::write(maps.join("latin.map"), b"Caf\xe9 = AA\nUSE ring").unwrap();
    let done = run_in(&maps, &["map", "import", "latin.map"], b"");
    assert!(done.code == 0 && done.out.contains("Caf\u{e9}"), "{}", done.error);
}
