"""Experiments, tournaments and matches, and their evaluation."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import nanoarrow as na  # type: ignore[import-untyped]
import polars as pl
import pytest
import upheaval as up

SMALL: dict[str, Any] = {
    "name": "small",
    "variants": ["standard", "black-hole"],
    "games": 14,
    "seed": 3,
    "last_year": 1903,
    "seats": {"all": "random"},
}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> up.Run:
    return up.run(SMALL, out=tmp_path_factory.mktemp("results"), set=["log.orders=true"])


def test_a_run_is_the_same_from_a_dict_and_from_a_file(small: up.Run, tmp_path: Path) -> None:
    text = (
        'name = "small"\nvariants = ["standard", "black-hole"]\ngames = 14\nseed = 3\nlast_year = 1903\n'
        'seats.all = "random"\n[log]\norders = true\n'
    )
    path = tmp_path / "small.toml"
    path.write_text(text)
    seen: list[tuple[int, int]] = []
    run = up.run(path, out=tmp_path / "out", progress=lambda played, total: seen.append((played, total)))
    assert run.path.name == small.path.name and run.verify() == [] == up.verify(small)
    assert seen[-1] == (28, 28)
    files = [
        {file["path"]: file["blake3"] for file in run.manifest["files"] if file["path"] != "experiment.toml"}
        for run in (run, small)
    ]
    assert files[0] == files[1]


def test_the_manifest_has_the_commit_that_the_package_was_built_from(small: up.Run) -> None:
    clone = os.environ.get("UPHEAVAL_CLONE")
    if clone is None:
        pytest.skip("`check` says from which commit it has built the package")
    # Outside of a clone there is none.
    assert small.manifest["code"]["revision"] == (clone or None)


def test_tables_are_read_by_what_reads_arrow(small: up.Run) -> None:
    games = pl.DataFrame(small.games)
    assert len(games) == 28 and games["variant"].to_list() == ["standard"] * 14 + ["black-hole"] * 14
    written = pl.read_parquet(small.path / "games", hive_partitioning=True).sort("variant", "game")
    assert games.cast({"variant": pl.String}).sort("variant", "game").select(written.columns).equals(written)
    turns = small.table("turns", columns=["variant", "centres"], variants=["black-hole"])
    assert turns.column_names == ["variant", "centres"]
    assert sum(len(batch) for batch in na.ArrayStream(turns)) == len(pl.DataFrame(turns))
    assert pl.DataFrame(small.table("games", columns=["game"])).columns == ["game"]
    assert len(pl.DataFrame(small.orders)) > 1000
    with pytest.raises(up.UpheavalError, match="there is no table `gmes`"):
        small.table("gmes")
    with pytest.raises(up.UpheavalError, match="has no column `centers`; it has game, turn"):
        small.table("turns", columns=["centers"])
    with pytest.raises(up.UpheavalError, match="no variant `deluge-ii`"):
        small.table("turns", variants=["deluge-ii"])


def test_a_batch_is_the_runs_games(small: up.Run) -> None:
    """Plays every seat but one with the run's bots, and that one with the orders of the table."""
    orders = pl.DataFrame(small.table("orders", variants=["standard"])).filter(pl.col("power") == "FRANCE")
    games = pl.DataFrame(small.table("games", columns=["game", "state_hash"], variants=["standard"]))
    hashes = {game: f"{state:016x}" for game, state in games.iter_rows()}
    batch = up.Batch("standard", 14, {"FRANCE": "caller", "*": "random"}, seed=3, last_year=1903, autoreset="disabled")
    given: dict[tuple[int, str], set[str]] = {}
    for game, season, year, phase, order in orders.select("game", "season", "year", "phase", "order").iter_rows():
        given.setdefault((game, f"{season}{year}{phase}"), set()).add(order)
    kinds = {"movement": "M", "retreats": "R", "adjustments": "A"}
    seen = batch.observe()
    while len(seen.asks):
        choices = []
        for ask in seen.asks:
            game, _, stage, *_ = seen.seats[ask[0]]
            _, year, season, *_ = seen.games[game]
            phase = f"{'SFW'[season]}{year}{kinds[up.STAGES[stage]]}"
            wanted = given.get((int(game), phase), set())
            texts = [batch.order_text(row) for row in range(ask[6], ask[7])]
            chosen = [index for index, text in enumerate(texts) if text in wanted]
            choices.append(chosen[0] if chosen else -1)
            wanted.discard(texts[chosen[0]] if chosen else "")
        seen, *_ = batch.step(choices)
    assert batch.state_hashes() == [hashes[game] for game in range(14)]


def test_a_study_is_analysed(small: up.Run, tmp_path: Path) -> None:
    balance = up.balance(small)
    assert [cell["arm"] for cell in balance.cells] == ["standard", "black-hole"]
    assert str(balance) == balance.text and balance.to_dict() is balance.data
    page = up.report(small, tmp_path / "page.html")
    assert page.read_text().startswith("<!DOCTYPE html>")
    replay = up.replay(small, "black-hole/3")
    assert "S1901" in str(replay) and '"upheaval-game"' in replay.json
    with pytest.raises(up.UpheavalError, match="grandeur"):
        up.standings(small, score="grandeur")
    with pytest.raises(up.UpheavalError, match="nowhere"):
        up.balance(tmp_path / "nowhere")
    with pytest.raises(up.UpheavalError, match="margin must be a number above 0"):
        up.balance(tmp_path / "nowhere", margin=0)


def test_a_tournament_and_a_match(tmp_path: Path) -> None:
    entries = {
        "name": "cup",
        "variants": ["standard"],
        "entrants": ["greedy", "random"],
        "format": "one-against-rest",
        "blocks": 10,
        "seed": 1,
        "last_year": 1903,
    }
    run = up.tournament(entries, out=tmp_path)
    standings = up.standings(run, score="centre-count")
    (title,) = standings.sections
    assert title.startswith("standard: 140 games") and title in str(standings)
    assert [line.bot for line in standings.sections[title]] == ["greedy", "random"]
    assert standings.superior[title][0][1] > 0.9
    # An entrant is added: only its games are played, here and by an executor, and the standings are of both runs.
    larger = {**entries, "entrants": ["greedy", "random", "hold"]}
    added = up.tournament(larger, extend=run, out=tmp_path)
    assert added.manifest["games"] == 4 * 7 * 10 and run.verify() == added.verify() == []
    both = up.standings(run, added)
    assert list(both.sections) == ["standard: 420 games in 10 blocks"]
    assert {line.bot for line in next(iter(both.sections.values()))} == {"greedy", "random", "hold"}
    cells = up.balance(run, added).cells
    assert [cell["line_up"] for cell in cells] == [0, 1, 2, 3, 4, 5]
    page = up.report(run, tmp_path / "cup.html", extensions=[added]).read_text()
    assert "420 games" in page and added.manifest["experiment_hash"] in page
    with ThreadPoolExecutor(2) as pool:
        there = up.tournament(larger, extend=[run], executor=pool, out=tmp_path / "there")
    parts = [path.relative_to(added.path) for path in added.path.rglob("*.parquet")]
    assert parts and all((there.path / path).read_bytes() == (added.path / path).read_bytes() for path in parts)
    file = tmp_path / "larger.toml"
    toml = "".join(f"{key} = {json.dumps(value)}\n" for key, value in larger.items())
    file.write_text(toml)
    places = [f"--extend={run.path}", f"--out={tmp_path / 'shell'}"]
    words = [sys.executable, "-m", "upheaval", "tournament", str(file), "--on=processes", *places]
    subprocess.run(words, check=True)
    assert (tmp_path / "shell" / added.path.name / "manifest.json").is_file()
    with pytest.raises(up.UpheavalError, match="is not of the tournament of `dict`: seed: 1 → 2"):
        up.tournament({**larger, "seed": 2}, extend=run, out=tmp_path)
    with pytest.raises(up.UpheavalError, match="nothing is new"):
        up.tournament(entries, extend=run, out=tmp_path)
    with pytest.raises(up.UpheavalError, match="which another of the runs has too"):
        up.standings(run, run)
    question = {
        "name": "match",
        "variants": ["standard"],
        "entrants": ["greedy", "random"],
        "score": "centre-count",
        "baseline": 0.0,
        "effect": 1.0,
        "alpha": 0.05,
        "beta": 0.05,
        "max_blocks": 200,
        "seed": 1,
        "last_year": 1903,
    }
    match = up.sprt(question)
    assert match.bots == ("greedy", "random") and match.verdict == "H1" and match.difference > 1


def test_a_position_is_adjudicated() -> None:
    request = {
        "id": 7,
        "phase": "S1901M",
        "powers": {"FRANCE": {"units": ["A PAR"]}, "GERMANY": {"units": ["A MUN"]}},
        "orders": {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]},
    }
    answer = up.adjudicate(request)
    assert answer["id"] == 7 and answer["results"]["FRANCE"]["A PAR - BUR"] == ["bounce"]
    with pytest.raises(up.UpheavalError):
        up.adjudicate({"units": 3})
    with pytest.raises(TypeError):
        up.adjudicate({"units": {1, 2}})


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on Unix")
def test_ctrl_c_stops_a_run_that_is_resumed_later(tmp_path: Path) -> None:
    program = f"""
import upheaval as up
keys = {SMALL!r} | {{"games": 70_000, "variants": ["standard"], "last_year": 1910}}
try:
    up.run(keys, out={str(tmp_path)!r}, progress=lambda played, total: print(played, flush=True))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        while int(process.stdout.readline()) < 2100:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        assert process.stdout.read().endswith("interrupted\n")
    assert process.returncode == 0
    seen: list[int] = []

    def stop(played: int, _: int) -> None:
        seen.append(played)
        raise StopIteration

    with pytest.raises(StopIteration):
        up.run(
            SMALL | {"games": 70_000, "variants": ["standard"], "last_year": 1910},
            out=tmp_path,
            progress=stop,
        )
    assert seen[0] >= 1024, "finished parts are kept"


@pytest.mark.parametrize(
    ("change", "words"),
    [({"games": "many"}, "games"), ({"gmes": 3}, "unknown key `gmes`"), ({"variants": ["standrad"]}, "standrad")],
)
def test_an_experiment_that_cannot_be_played_says_why(change: dict[str, object], words: str) -> None:
    with pytest.raises(up.UpheavalError, match=words):
        up.run(SMALL | change)
