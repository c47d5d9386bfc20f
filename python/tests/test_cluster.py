"""Runs, tournaments and matches whose parts are played elsewhere have the same bytes as those that are played here."""

import json
import multiprocessing
import pickle
import shutil
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import upheaval as up
from elsewhere import MATCH, SMALL, TOURNAMENT, files
from numpy.typing import ArrayLike, NDArray


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> up.Run:
    return up.run(SMALL, out=tmp_path_factory.mktemp("here"))


@pytest.fixture(scope="module")
def processes() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


def test_a_plan_can_be_sent_and_its_parts_have_the_bytes_of_the_run(here: up.Run) -> None:
    plan = pickle.loads(pickle.dumps(up.plan(SMALL)))
    assert (plan.num_parts, plan.num_games) == (6, 1204) and here.path.name.endswith(plan.hash[:12])
    head, _, rest = up.play_part(plan, 4).partition(b"\n")
    for file in json.loads(head)["files"]:
        own, rest = rest[: file["bytes"]], rest[file["bytes"] :]
        assert own == (here.path / file["path"]).read_bytes()
    assert rest == b""
    with pytest.raises(up.UpheavalError, match="the plan has no part 6"):
        up.play_part(plan, 6)
    with pytest.raises(up.UpheavalError, match="not the plan of a run"):
        up.play_part(up.Plan("{}"), 0)
    other = plan.text.replace('"schema_version":', '"schema_version":1', 1)
    with pytest.raises(up.UpheavalError, match="both must be the same"):
        up.play_part(up.Plan(other), 0)


def test_a_run_on_other_processes_has_the_bytes_of_the_run(
    here: up.Run, processes: Executor, tmp_path: Path
) -> None:
    seen: list[tuple[int, int]] = []
    run = up.run(
        SMALL, executor=processes, out=tmp_path, progress=lambda played, total: seen.append((played, total))
    )
    assert files(run) == files(here) and run.verify() == []
    assert seen[-1] == (1204, 1204) and [played for played, _ in seen] == sorted(played for played, _ in seen)
    next(run.path.rglob("part-00001.parquet")).unlink()
    assert files(up.run(SMALL, executor=processes, out=tmp_path)) == files(here), "a damaged run is played again"
    again = up.run(SMALL, executor=processes, out=tmp_path, afresh=True)
    assert files(again) == files(here)


def test_tournaments_and_matches_go_the_same_way(processes: Executor, tmp_path: Path) -> None:
    here = up.tournament(TOURNAMENT, out=tmp_path / "here")
    there = up.tournament(TOURNAMENT, executor=processes, out=tmp_path / "there")
    assert files(here) == files(there)
    assert up.sprt(MATCH) == up.sprt(MATCH, executor=processes)


class Last(up.Bot):
    def choose(self, seen: up.Observation, uniform: NDArray[np.float64]) -> ArrayLike:
        return seen.counts - 1


def test_a_run_is_verified_by_playing_it_again(here: up.Run, processes: Executor, tmp_path: Path) -> None:
    assert up.verify(here, again=True, executor=processes) == []
    assert up.verify(here, again=True, parts=2) == []
    assert up.verify(tmp_path, again=True), "it is not a run"
    # Valid by itself, but not the result of its games: a table of another seed.
    other = up.run({**SMALL, "seed": 4}, out=tmp_path)
    copy = tmp_path / here.path.name
    shutil.copytree(here.path, copy)
    name = next(file["path"] for file in here.manifest["files"] if file["path"].startswith("turns/"))
    forged = (other.path / name).read_bytes()
    (copy / name).write_bytes(forged)
    manifest = json.loads((copy / "manifest.json").read_text())
    for file in manifest["files"]:
        if file["path"] == name:
            changed = next(one for one in other.manifest["files"] if one["path"] == name)
            file.update({key: changed[key] for key in ("rows", "bytes", "blake3")})
    (copy / "manifest.json").write_text(json.dumps(manifest))
    found = up.verify(copy, again=True)
    assert found and name in found[0]


def test_bots_of_ones_own_are_sent_along(tmp_path: Path) -> None:
    keys = {**SMALL, "seats": {"all": "mine"}, "sweep": []}
    here = up.run(keys, bots={"mine": Last}, out=tmp_path / "here")
    with ThreadPoolExecutor(2) as pool:
        there = up.run(keys, bots={"mine": Last}, executor=pool, out=tmp_path / "there")
    assert files(here) == files(there)


class Failing:
    """Calls functions here and now, and fails from one call on; counts the unfinished calls."""

    num_workers = 2

    def __init__(self, after: int) -> None:
        self.left = after
        self.out = self.most = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> "Failing.Later":
        self.out += 1
        self.most = max(self.most, self.out)
        return Failing.Later(self, fn, args)

    class Later:
        def __init__(self, pool: "Failing", fn: Callable[..., Any], args: tuple[Any, ...]) -> None:
            self.pool, self.fn, self.args = pool, fn, args

        def result(self) -> Any:
            self.pool.out -= 1
            self.pool.left -= 1
            if self.pool.left < 0:
                raise ConnectionError("the node is gone")
            return self.fn(*self.args)


def test_a_driver_that_fails_is_resumed_and_hands_out_no_more_than_it_may(here: up.Run, tmp_path: Path) -> None:
    tries = 0
    while True:
        tries += 1
        pool = Failing(after=2)
        try:
            run = up.run(SMALL, executor=pool, in_flight=2, out=tmp_path)
            break
        except ConnectionError:
            assert pool.most == 2
    assert tries > 2 and files(run) == files(here)


def test_a_run_that_was_begun_here_is_resumed_elsewhere(here: up.Run, tmp_path: Path) -> None:
    def stop(played: int, _: int) -> None:
        if played > 300:
            raise StopIteration

    with pytest.raises(StopIteration):
        up.run({**SMALL, "last_year": 1906}, out=tmp_path, threads=1, progress=stop)
    whole = up.run({**SMALL, "last_year": 1906}, out=tmp_path / "whole")
    with ThreadPoolExecutor(2) as pool:
        run = up.run({**SMALL, "last_year": 1906}, executor=pool, out=tmp_path)
    assert files(run) == files(whole)


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    with pytest.raises(up.UpheavalError, match="leave `threads` out"):
        up.run(SMALL, executor=Failing(9), threads=2, out=tmp_path)
    with pytest.raises(up.UpheavalError, match="there is no executor `slurm`"):
        up.run(SMALL, executor="slurm", out=tmp_path)
    with pytest.raises(up.UpheavalError, match="in_flight must be at least 1"):
        up.run(SMALL, executor=Failing(9), in_flight=0, out=tmp_path)
    busy = Failing(9)
    blocked = threading.Event()

    def refused(fn: Callable[..., Any], /, *args: Any) -> Future[Any]:
        blocked.set()
        with pytest.raises(up.UpheavalError, match="is being played by another"):
            up.run(SMALL, executor=Failing(9), out=tmp_path)
        raise ConnectionError

    busy.submit = refused  # type: ignore[method-assign, assignment]
    with pytest.raises(ConnectionError):
        up.run(SMALL, executor=busy, out=tmp_path)
    assert blocked.is_set()
