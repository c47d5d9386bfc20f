//! A program in JavaScript; programs in Python are in `sessions/programs.md` and the pages beside it.

use expect_test::expect;

use crate::program::run;

#[test]
fn the_example_in_javascript_complies() {
    if !testkit::has_node() {
        return;
    }
    let bot = testkit::path("bots/node/random_bot.mjs").display().to_string();
    let done = run(&["compliance", "node", &bot], b"");
    // Every kind of decision was asked for.
    expect![[r"
        ok     hello
        ok     isready
        ok     quit
        ok     another game with the same process (4 movement)
        ok     standard as AUSTRIA (22 movement, 1 builds, 2 removals)
        ok     black-hole as ENGLAND (22 movement, 1 builds)
        ok     black-hole-i as FRANCE (22 movement, 1 retreats, 4 builds)
        ok     black-hole-ii as GERMANY (22 movement, 1 retreats, 4 builds, 1 removals)
        ok     double-reversible as ITALY (22 movement, 1 builds)
        ok     schizo-ii as RUSSIA (22 movement, 4 builds)
        ok     deluge-ii as TURKEY (16 movement, 1 builds, 3 removals)
        ok     seismic-1971 as AUSTRIA (22 movement, 2 retreats, 6 builds, 22 seismic)
        ok     seismic-acerunner as ENGLAND (22 movement, 1 builds, 1 removals, 22 seismic)
        ok     schizo-ii as FRANCE (22 movement, 2 builds, 1 removals)
        ok     seismic-1971 as GERMANY (22 movement, 4 builds, 22 seismic, 1 coasts)
        all checks passed
    "]]
    .assert_eq(&done.out);
    assert_eq!(done.code, 0, "{}", done.error);
}
