//! Orders of a program that are refused, from outside: in the table `orders`, in a replay, and on the page.

use std::fs;

use crate::program::{desk, manifest, play, run_in, the_run};
use testkit::has_python;

#[test]
fn a_program_s_refused_orders_are_in_the_table_the_replay_and_the_page() {
    if !has_python() {
        return;
    }
    let program = testkit::path("tests/bots/programs/bad.py").display().to_string();
    let dir = desk(&format!(
        "name = \"e\"\nvariants = [\"standard\"]\ngames = 7\nseed = 1\nlast_year = 1901\nlog.orders = true\n[seats]\n\
         lineup = [\"mine\", \"random\", \"random\", \"random\", \"random\", \"random\", \"hold\"]\n\
         [bots.mine]\ncommand = {:?}\n",
        ["python3", &program, "illegal"]
    ));
    let done = play(dir.path(), &["--threads", "1"]);
    assert_eq!(done.code, 0);
    // The closing table says in words what was refused, how often, and why.
    for (order, reason) in
        [("A XYZ - PAR", "`XYZ` is not a province"), ("nonsense", "`NONSENSE` is not a unit")]
    {
        let told =
            format!("mine: illegal 14 times, first in standard/0, AUSTRIA, S1901M: `{order}`: {reason}");
        assert!(done.out.contains(&told), "{told}: {}", done.out);
    }
    let run = the_run(dir.path());
    let files = manifest(&run)["files"].clone();
    fs::remove_dir_all(&run).unwrap();
    assert_eq!(play(dir.path(), &["--threads", "2"]).code, 0);
    assert_eq!(manifest(&run)["files"], files, "the same bytes on any number of threads");

    let run = run.to_str().unwrap();
    let permit = format!("python3 {program} illegal");
    let replay = |arguments: &[&str]| {
        let done =
            run_in(dir.path(), &[&["replay", run], arguments, &["--allow-program", &permit]].concat(), b"");
        assert_eq!(done.code, 0, "{}", done.error);
        done.out
    };
    // Every row of the table is compared with the game played again.
    replay(&["--verify", "--all"]);
    let text = replay(&["0", "--text", "--html", "game.html", "--export", "game.json"]);
    for refused in ["A XYZ - PAR (refused: ", "nonsense (refused: "] {
        assert_eq!(text.matches(&format!(": {refused}")).count(), 2, "in Spring and Fall: {text}");
    }
    let page = fs::read_to_string(dir.path().join("game.html")).unwrap();
    assert!(page.contains("<td class=\"words\">A XYZ - PAR</td><td class=\"words\">refused: "));
    let exported = fs::read_to_string(dir.path().join("game.json")).unwrap();
    assert!(exported.contains("\"order\":\"nonsense\""), "{exported}");
    let again = run_in(dir.path(), &["replay", "game.json", "--text"], b"");
    assert_eq!((again.code, again.out.matches("(refused: ").count()), (0, 4), "{}", again.error);
}
