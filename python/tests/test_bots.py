"""Custom bots: classes that play in runs, tournaments and matches, together with those of the engine."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import upheaval as up
from numpy.typing import ArrayLike, NDArray

KINDS = {kind: code for code, kind in enumerate(up.ORDER_KINDS)}


class Dicer(up.Bot):
    """Chooses with equal probability, by its dice."""

    version = 3
    repeats = True

    def __init__(self) -> None:
        self.calls = 0
        self.most_games = 0

    def choose(self, seen: up.Observation, uniform: NDArray[np.float64]) -> ArrayLike:
        self.calls += 1
        self.most_games = max(self.most_games, len(seen.games))
        assert uniform.shape == (len(seen.asks),) and seen.orders.shape[1] == len(up.columns("orders"))
        return (uniform * seen.counts).astype(np.int32)



def experiment(**other: Any) -> dict[str, Any]:
    """Fourteen games of each variant, in which all seats are `mine`."""
    return {
        "name": "own",
        "variants": ["standard", "black-hole"],
        "games": 14,
        "seed": 3,
        "last_year": 1903,
        "seats": {"all": "mine"},
        **other,
    }


def hashes(run: up.Run) -> dict[str, str]:
    return {file["path"]: file["blake3"] for file in run.manifest["files"]}


def test_a_bot_plays_a_run_for_many_games_at_once_and_the_same_on_any_threads(tmp_path: Path) -> None:
    bot = Dicer()
    run = up.run(experiment(), bots={"mine": bot}, out=tmp_path / "1", threads=1)
    assert bot.most_games == 14 and run.verify() == []
    other = up.run(experiment(), bots={"mine": Dicer}, out=tmp_path / "2", threads=2)
    assert hashes(run) == hashes(other)
    assert set(pl.DataFrame(run.seats)["bot"]) == {"mine"}
    assert pl.DataFrame(run.seats)["fault"].unique().to_list() == ["ok"]


def test_what_plays_in_a_batch_plays_the_same_in_a_run(tmp_path: Path) -> None:
    class First(up.Bot):
        def choose(self, seen: up.Observation, uniform: NDArray[np.float64]) -> ArrayLike:
            return seen.counts - 1

    run = up.run(experiment(variants=["black-hole"]), bots={"mine": First()}, out=tmp_path)
    batch = up.Batch("black-hole", 14, seed=3, last_year=1903, autoreset="disabled")
    seen = batch.observe()
    while len(seen.asks):
        seen, *_ = batch.step(seen.counts - 1)
    states = pl.DataFrame(run.games).sort("game")["state_hash"]
    assert [f"{state:016x}" for state in states] == batch.state_hashes()


def test_games_of_ones_own_bot_are_played_again_and_need_it(tmp_path: Path) -> None:
    run = up.run(experiment(), bots={"mine": Dicer()}, out=tmp_path)
    assert "Spring 1901" in up.replay(run, "standard/3", bots={"mine": Dicer()}).text
    with pytest.raises(up.UpheavalError, match="there is no bot `mine` here; it played as .*test_bots.Dicer"):
        up.replay(run, "standard/3")

    class Other(Dicer):
        version = 4

    with pytest.raises(up.UpheavalError, match="it was .*, but is "):
        up.replay(run, "standard/3", bots={"mine": Other})


class Fickle(up.Bot):
    """Chooses with equal probability, by dice of its own."""

    def choose(self, seen: up.Observation, uniform: NDArray[np.float64]) -> ArrayLike:
        return (np.random.default_rng().random(len(seen.asks)) * seen.counts).astype(np.int32)


def test_games_of_a_bot_that_does_not_repeat_are_shown_from_the_record_without_it(tmp_path: Path) -> None:
    run = up.run(experiment(), bots={"mine": Fickle()}, out=tmp_path)
    assert (run.manifest["repeatable"], run.manifest["recorded"]) == (False, ["mine"])
    for game in ("standard/3", "black-hole/5"):
        assert "Spring 1901" in up.replay(run, game).text
    declared = up.run(experiment(), bots={"mine": Dicer()}, out=tmp_path)
    assert declared.manifest["repeatable"] and "recorded" not in declared.manifest


def test_tournaments_and_matches_take_bots(tmp_path: Path) -> None:
    entries = {
        "name": "who",
        "variants": ["standard"],
        "entrants": ["mine", "hold"],
        "format": "one-against-rest",
        "blocks": 1,
        "seed": 1,
        "last_year": 1903,
    }
    run = up.tournament(entries, bots={"mine": Dicer}, out=tmp_path)
    bots = {line.bot for section in up.standings(run).sections.values() for line in section}
    assert bots == {"mine", "hold"}
    match = {
        "name": "match",
        "variants": ["standard"],
        "entrants": ["mine", "hold"],
        "effect": 0.05,
        "max_blocks": 20,
        "seed": 1,
        "last_year": 1903,
    }
    assert up.sprt(match, bots={"mine": Dicer}).bots == ("mine", "hold")


class Fragile(Dicer):
    def choose(self, seen: up.Observation, uniform: NDArray[np.float64]) -> ArrayLike:
        if 1 in seen.games[:, 0]:
            raise RuntimeError("not game 1")
        if 2 in seen.games[:, 0]:
            return np.zeros(3, np.int32)
        if 4 in seen.games[:, 0]:
            return np.full(len(seen.asks), 0.5)
        if 5 in seen.games[:, 0]:
            raise SystemExit
        return super().choose(seen, uniform)


def test_a_fault_in_one_game_leaves_the_others_alone(tmp_path: Path) -> None:
    one = experiment(variants=["standard"])
    sound = up.run(one, bots={"mine": Dicer()}, out=tmp_path / "1")
    with pytest.raises(up.UpheavalError, match="the bot `mine` failed in .* games (?s:.*)not game 1(?s:.*)recover=True"):
        up.run(one, bots={"mine": Fragile()}, out=tmp_path / "2")
    with pytest.warns(RuntimeWarning, match="the bot `mine` was at fault(?s:.*)not game 1(?s:.*)test_bots.py"):
        run = up.run(one, bots={"mine": Fragile()}, out=tmp_path / "2", recover=True)
    seats = pl.DataFrame(run.seats)
    faults = {game: set(seats.filter(pl.col("game") == game)["fault"]) for game in range(14)}
    assert faults == {game: {1: {"crash"}, 2: {"protocol"}, 4: {"crash"}, 5: {"crash"}}.get(game, {"ok"}) for game in range(14)}
    states = [dict(pl.DataFrame(run.games)["game", "state_hash"].iter_rows()) for run in (sound, run)]
    assert all(states[0][game] == states[1][game] for game in (0, 3, 6, 13))


def test_bots_that_are_none_are_refused() -> None:
    with pytest.raises(up.UpheavalError, match="`mine` is a int and not an `upheaval.Bot`"):
        up.run(experiment(), bots={"mine": 7})  # type: ignore[dict-item]
    with pytest.raises(up.UpheavalError, match="there is already a bot `greedy`"):
        up.run(experiment(), bots={"greedy": Dicer()})
    with pytest.raises(up.UpheavalError, match="`a b` is not a valid name for a bot"):
        up.run(experiment(), bots={"a b": Dicer()})
    with pytest.raises(up.UpheavalError, match="unknown bot `mine`"):
        up.run(experiment())


def test_a_seat_of_a_batch_can_be_a_bot_with_settings() -> None:
    seats: dict[str, Any] = {"FRANCE": "caller", "*": {"kind": "search", "rollouts": 1}}
    batch = up.Batch("standard", 1, seats, last_year=1901)
    assert len(batch.observe().seats) == 1
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"kind": "search", "rolouts": 1}, "rollouts"),
        ({"kind": "serch"}, "search"),
        ({}, "command"),
    ]
    for seat, match in wrong:
        with pytest.raises(up.UpheavalError, match=match):
            up.Batch("standard", 1, {"*": seat, "FRANCE": "caller"})
