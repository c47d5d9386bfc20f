//! `upheaval ladder` from outside.

use crate::program::{Done, run};

fn ladder(arguments: &[&str]) -> Done {
    run(&[&["ladder"], arguments].concat(), b"")
}

/// A ladder that takes hardly any time.
const SMALL: [&str; 9] = ["standard", "--from", "2", "--to", "3", "--blocks", "2", "--years", "3"];

#[test]
fn a_ladder_has_a_line_for_each_rung_and_ends_with_what_it_says_of_skill() {
    let done = ladder(&SMALL);
    assert_eq!(done.code, 0, "{}", done.error);
    // Two blocks are too few: each rung says so below its line.
    let (warnings, lines): (Vec<&str>, Vec<&str>) =
        done.out.lines().partition(|line| line.starts_with("  warning: "));
    assert_eq!(warnings.len(), 2, "{}", done.out);
    assert!(warnings.iter().all(|line| line.contains("too few blocks (2)")), "{}", done.out);
    let heading = "search on standard: one seat with twice the `rollouts` of the 6 others, 2 blocks of 7 games a rung, to 1903";
    assert!(lines[0].starts_with(heading), "{}", done.out);
    for (line, [budget, against]) in lines[2..4].iter().zip([["4", "2"], ["8", "4"]]) {
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[..3], [budget, against, "14"], "{}", done.out);
        // 0.165 (0.000 to 0.383)
        assert_eq!((words[5], words[7]), ("to", "0.143"), "{}", done.out);
        let [share, low, high] =
            [3, 4, 6].map(|at| words[at].trim_matches(['(', ')']).parse::<f64>().unwrap());
        assert!(0.0 <= low && low <= share && share <= high && high <= 1.0, "{}", done.out);
    }
    let verdicts = [
        "skill matters in standard: ",
        "a larger budget loses in standard: ",
        "no rung is decided: ",
        "whether skill",
    ];
    assert!(verdicts.iter().any(|verdict| lines[5].starts_with(verdict)), "{}", done.out);
    assert!(lines[6].starts_with("over the whole ladder: "), "{}", done.out);
}

#[test]
fn what_a_ladder_prints_does_not_depend_on_threads_and_times_are_not_in_it() {
    let [one, two] = ["1", "2"].map(|threads| ladder(&[&SMALL[..], &["--threads", threads]].concat()));
    assert_eq!(one.out, two.out);
    assert!(
        one.error.contains("8 over 4: 14 games in ") && one.error.contains(" games a second"),
        "{}",
        one.error
    );
    assert!(!one.out.contains("second"), "{}", one.out);
    let other = ladder(&[&SMALL[..], &["--seed", "2"]].concat());
    assert_ne!(other.out.lines().nth(2), one.out.lines().nth(2));
}

#[test]
fn another_bot_climbs_by_its_first_setting_or_the_one_that_is_named() {
    let learned = ladder(&[
        "standard", "--bot", "learned", "--from", "1", "--to", "1", "--blocks", "1", "--years", "1",
    ]);
    assert!(
        learned.out.starts_with("learned on standard: one seat with twice the `passes`"),
        "{}",
        learned.error
    );
    let candidates =
        ladder(&[&SMALL[..], &["--budget", "candidates", "--blocks", "1", "--years", "1"]].concat());
    assert_ne!(candidates.code, 0, "a flag that is given twice is a slip: {}", candidates.out);
    let candidates = ladder(&[
        "standard",
        "--budget",
        "candidates",
        "--from",
        "1",
        "--to",
        "1",
        "--blocks",
        "1",
        "--years",
        "1",
    ]);
    assert!(candidates.out.contains("twice the `candidates`"), "{}", candidates.error);
}

#[test]
fn a_ladder_that_cannot_be_climbed_is_refused_with_what_would_be_right() {
    let refused = |arguments: &[&str]| ladder(arguments).refusal().to_owned();
    assert!(refused(&["standart"]).contains("there is no variant `standart`"));
    assert!(refused(&["standard", "--from", "5", "--to", "4"]).contains("found 5 to 4"));
    assert!(refused(&["standard", "--to", "31"]).contains("1..=30"));
    assert!(
        refused(&["standard", "--bot", "serch"]).contains("there is no bot `serch`; did you mean `search`?")
    );
    assert!(
        refused(&["standard", "--bot", "dumbbot"])
            .contains("expected a bot with a setting for the budget, but `dumbbot` has no settings")
    );
    assert!(refused(&["standard", "--budget", "rolouts"]).contains("did you mean `rollouts`?"));
    assert!(
        refused(&["standard", "--bot", "learned", "--to", "9"])
            .contains("`passes` must be a whole number from 1 to 8")
    );
    assert!(refused(&["standard", "--blocks", "0"]).contains("blocks of 7 games, found 0"));
    assert!(refused(&["standard", "--years", "0"]).contains("1 to 8099 years, found 0"));
}
