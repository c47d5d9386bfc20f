//! The examples at the end of each command's `--help`. `cli/tests/examples.rs` runs them.

/// The examples of a command by its name, such as `run` or `map check`: a line of words above each.
pub(crate) fn of(command: &str) -> Option<&'static str> {
    Some(match command {
        "" => {
            "  upheaval run experiments/quickstart.toml
  upheaval balance results/quickstart-0123456789ab
  upheaval replay results/quickstart-0123456789ab black-hole/12 --html game.html"
        }
        "run" => {
            "  # the plan, and its cost
  upheaval run experiments/holes-per-season.toml --dry-run
  # the same experiment with other games
  upheaval run experiments/holes-per-season.toml --seed 7 --games 210 --set last_year=1910
  # half of it, on one of two machines
  upheaval run experiments/holes-per-season.toml --shard 1/2
  # a run again, from its folder alone
  upheaval run results/holes-per-season-0123456789ab"
        }
        "join" => {
            "  upheaval join results/x-0123456789ab.shard-1-of-2 results/x-0123456789ab.shard-2-of-2"
        }
        "import" => {
            "  upheaval import games.jsonl
  upheaval import games.jsonl --variant standard"
        }
        "verify" => {
            "  upheaval verify results/quickstart-0123456789ab
  upheaval verify results/*-* --json"
        }
        "replay" => {
            "  # a game as a page, and as text
  upheaval replay results/quickstart-0123456789ab black-hole/12 --html game.html
  upheaval replay results/quickstart-0123456789ab black-hole/12 --text
  # what if another province had collapsed?
  upheaval replay results/quickstart-0123456789ab black-hole/12 --at F1902 --instead \"collapse BUR\" --futures 200
  # do the games of a run agree with its tables?
  upheaval replay --verify results/quickstart-0123456789ab"
        }
        "tournament" => {
            "  upheaval tournament experiments/tournament.toml
  upheaval tournament experiments/tournament.toml --blocks 20 --score carnage
  # only the games of an entrant that was added to the file
  upheaval tournament experiments/tournament.toml --extend results/tournament-0123456789ab"
        }
        "standings" => "  upheaval standings results/tournament-0123456789ab --score carnage",
        "sprt" => "  upheaval sprt experiments/sprt.toml",
        "ladder" => {
            "  upheaval ladder standard
  upheaval ladder standard --from 4 --to 6"
        }
        "tune" => {
            "  upheaval tune experiments/fair-holes.toml --dry-run
  upheaval tune experiments/fair-holes.toml"
        }
        "balance" => {
            "  upheaval balance results/holes-0123456789ab
  # one variant beside another, for a program
  upheaval balance results/holes-0123456789ab --variant standard --variant black-hole --json
  # how many games would an interval of two points need?
  upheaval balance results/holes-0123456789ab --width 0.02"
        }
        "effect" => "  upheaval effect results/holes-0123456789ab --variant black-hole --json",
        "adjudicate" => {
            "  upheaval adjudicate requests.jsonl
  echo '{\"id\": 1, \"phase\": \"S1901M\", \"powers\": {\"FRANCE\": {\"units\": [\"A PAR\"]}}, \"orders\": {}}' | upheaval adjudicate"
        }
        "compliance" => {
            "  upheaval compliance python3 bots/python/walker_bot.py
  upheaval compliance --variant standard python3 bots/python/random_bot.py
  upheaval compliance --json python3 bots/python/random_bot.py"
        }
        "daide" => "  upheaval daide -- ./old-bot -s{host} -p{port}",
        "map" => {
            "  upheaval map --variant standard --apply \"collapse MAR\"
  upheaval map --apply \"collapse MAR\" --format svg --frames > hole.svg
  upheaval map --list --json"
        }
        "new" => {
            "  upheaval new map mine
  upheaval new variant mine --map mine.toml
  upheaval new experiment mine --variant mine-variant.toml"
        }
        "report" => {
            "  upheaval report results/holes-0123456789ab
  upheaval report results/holes-0123456789ab --svg figures
  # a tournament and the run by which it was extended
  upheaval report results/tournament-0123456789ab results/tournament-ba9876543210"
        }
        "schema" => "  upheaval schema map > map.schema.json",
        "variants" => {
            "  upheaval variants
  upheaval variants show schizo-ii
  upheaval variants show black-hole --format toml > two-voids.toml"
        }
        "bots" => {
            "  upheaval bots
  upheaval bots --json"
        }
        "completions" => "  upheaval completions bash > ~/.local/share/bash-completion/completions/upheaval",
        "man" => {
            "  upheaval man | man -l -
  upheaval man ~/.local/share/man/man1"
        }
        _ => return None,
    })
}
