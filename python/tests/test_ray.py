"""Runs on a Ray cluster have the same bytes as runs that are played here, whatever is killed in the meantime.

`UPHEAVAL_SLOW_TESTS=1` kills more often.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import upheaval as up
from elsewhere import MATCH, TOURNAMENT, files, network_of_ones_own

ray = pytest.importorskip("ray")

from upheaval.ray import RayExecutor  # noqa: E402

SLOW = os.environ.get("UPHEAVAL_SLOW_TESTS") == "1"

RUN: dict[str, Any] = {
    "name": "small",
    "variants": ["black-hole"],
    "games": 2051,
    "seed": 3,
    "last_year": 1904,
    "log": {"orders": True},
    "seats": {"lineup": ["greedy", "random", "hold", "random", "random", "random", "random"]},
    "sweep": [{"parameter": "changes.holes.count", "values": [1, 2]}],
}


@pytest.fixture(scope="module", autouse=True)
def network() -> Iterator[None]:
    with network_of_ones_own():
        yield


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> up.Run:
    return up.run(RUN, out=tmp_path_factory.mktemp("here"))


class Nodes:
    """A cluster of several nodes on this machine."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster  # type: ignore[import-not-found, import-untyped, unused-ignore]

        self.cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
        self.nodes: list[Any] = []

    @property
    def address(self) -> str:
        address: str = self.cluster.address
        return address

    def add(self) -> None:
        self.nodes.append(self.cluster.add_node(num_cpus=1))

    def lose(self) -> None:
        """Kills a node without warning."""
        self.cluster.remove_node(self.nodes.pop(0), allow_graceful=False)

    def workers(self) -> list[int]:
        """The processes that currently run tasks on these nodes."""
        raylets = {info.process.pid for node in self.nodes for info in node.all_processes["raylet"]}
        found = []
        for status in Path("/proc").glob("[0-9]*/stat"):
            try:
                parent = int(status.read_text().rsplit(")", 1)[1].split()[1])
                name = (status.parent / "cmdline").read_bytes()
            except OSError:
                continue
            # Ray's own helpers are its children too, and a node does not outlive them.
            if parent in raylets and name.startswith(b"ray::_task"):
                found.append(int(status.parent.name))
        return found


@pytest.fixture
def nodes() -> Iterator[Nodes]:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    nodes = Nodes()
    yield nodes
    ray.shutdown()
    nodes.cluster.shutdown()


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_a_run_a_sweep_and_a_tournament_have_the_bytes_of_those_played_here(
    nodes: Nodes, here: up.Run, tmp_path: Path, workers: int
) -> None:
    for _ in range(workers):
        nodes.add()
    with RayExecutor(nodes.address) as executor:
        assert executor.num_workers == workers
        assert files(up.run(RUN, executor=executor, out=tmp_path)) == files(here)
        if workers == 2:
            other = up.tournament(TOURNAMENT, out=tmp_path / "here")
            there = up.tournament(TOURNAMENT, executor=executor, out=tmp_path / "there")
            assert files(there) == files(other)


DRIVER = """
import json, sys
import upheaval as up
from upheaval.ray import RayExecutor
address, kind, source, out = json.loads(sys.argv[1])
# Ray prints lines of its own, about tasks that died, to what is `sys.stdout` then.
answers, sys.stdout = sys.stdout, sys.stderr
say = lambda *words: print(*words, file=answers, flush=True)
told = lambda played, total: say(played)
with RayExecutor(address) as executor:
    if kind == "run":
        up.run(source, executor=executor, out=out, progress=told)
    elif kind == "tournament":
        up.tournament(source, executor=executor, out=out, progress=told)
    elif kind == "match":
        say("answer", up.sprt(source, executor=executor, progress=told))
    else:
        say("answer", up.verify(source, again=True, executor=executor, progress=told))
say("whole")
"""


class Killer:
    """Runs a driver in a process of its own, and kills it, the workers and the nodes at random moments."""

    def __init__(self, nodes: Nodes, dice: random.Random, victims: list[str], kills: int) -> None:
        self.nodes, self.dice = nodes, dice
        self.plan = [dice.choice(victims) for _ in range(kills)]
        self.killed: list[str] = []

    def kill(self, driver: "subprocess.Popen[str]") -> None:
        """Kills the next victim."""
        victim = self.plan.pop(0)
        if victim == "driver":
            driver.kill()
        elif victim == "node":
            self.nodes.add()
            self.nodes.lose()
        else:
            for worker in self.nodes.workers()[:1]:
                with suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGKILL)
        self.killed.append(victim)

    def play(self, *job: Any) -> str:
        """Runs a job, and returns the last line but one of its driver."""
        while True:
            with subprocess.Popen(
                [sys.executable, "-c", DRIVER, json.dumps([self.nodes.address, *job])],
                stdout=subprocess.PIPE,
                text=True,
            ) as driver:
                assert driver.stdout is not None
                said = [""]
                for line in driver.stdout:
                    said.append(line.strip())
                    if self.plan and said[-1] != "whole":
                        time.sleep(self.dice.random() / 4)
                        self.kill(driver)
            if said[-1] == "whole":
                return said[-2]
            assert driver.returncode == -signal.SIGKILL, said


ROUNDS = 24 if SLOW else 5


@pytest.mark.parametrize("number", range(ROUNDS))
def test_whatever_is_killed_the_bytes_are_the_same(
    nodes: Nodes, here: up.Run, tmp_path: Path, number: int
) -> None:
    dice = random.Random(number)
    for _ in range((1, 2, 4)[number % 3]):
        nodes.add()
    victims = [["driver"], ["node"], ["worker"]][number % 3] if number < 3 else ["driver", "node", "worker"]
    killer = Killer(nodes, dice, victims, kills=2 + number % 3)
    kind = ("run", "tournament", "match", "verify", "single")[number % 5]
    out = str(tmp_path / "there")
    if kind == "match":
        assert killer.play(kind, MATCH, out) == f"answer {up.sprt(MATCH)}"
    elif kind == "verify":
        assert killer.play(kind, str(here.path), out) == "answer []"
    else:
        source = TOURNAMENT if kind == "tournament" else {**RUN, "sweep": []} if kind == "single" else RUN
        killer.play("run" if kind == "single" else kind, source, out)
        (there,) = (tmp_path / "there").iterdir()
        play = up.tournament if kind == "tournament" else up.run
        expected = here if source is RUN else play(source, out=tmp_path / "here")
        assert files(up.Run(there)) == files(expected)
        assert up.verify(there) == []
    assert killer.killed


def test_a_task_that_fails_is_not_tried_again(nodes: Nodes, tmp_path: Path) -> None:
    nodes.add()
    with RayExecutor(nodes.address) as executor:
        plan = up.plan(RUN)
        broken = up.Plan(plan.text.replace('"schema_version":', '"schema_version":1', 1))
        with pytest.raises(up.UpheavalError, match="both must be the same"):
            executor.submit(up.play_part, broken, 0).result()
