"""Runs on a cluster of Ray's have the bytes of runs that are played here, whatever is killed meanwhile.

`UPHEAVAL_SLOW_TESTS=1` kills more often.
"""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import upheaval as up
from elsewhere import TOURNAMENT, files

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
    "sweep": [{"parameter": "holes.per_season", "values": [1, 2]}],
}


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
        """A node is gone from one moment to the next."""
        self.cluster.remove_node(self.nodes.pop(0), allow_graceful=False)

    def workers(self) -> list[int]:
        """The processes in which tasks of these nodes are run now."""
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


def test_a_node_may_be_lost(nodes: Nodes, here: up.Run, tmp_path: Path) -> None:
    nodes.add()
    nodes.add()
    lost: list[int] = []

    def progress(played: int, _: int) -> None:
        if played >= 512 * (len(lost) + 1) and len(lost) < (4 if SLOW else 1):
            lost.append(played)
            nodes.add()
            nodes.lose()

    with RayExecutor(nodes.address) as executor:
        run = up.run(RUN, executor=executor, out=tmp_path, progress=progress)
    assert lost and files(run) == files(here)


def test_workers_may_be_killed(nodes: Nodes, here: up.Run, tmp_path: Path) -> None:
    nodes.add()
    nodes.add()
    killed: list[int] = []
    over = threading.Event()

    def kill() -> None:
        while not over.wait(0.3) and len(killed) < (5 if SLOW else 2):
            for worker in nodes.workers()[:1]:
                os.kill(worker, signal.SIGKILL)
                killed.append(worker)

    with RayExecutor(nodes.address) as executor:
        killer = threading.Thread(target=kill)
        killer.start()
        try:
            run = up.run(RUN, executor=executor, out=tmp_path)
        finally:
            over.set()
            killer.join()
    assert killed and files(run) == files(here)


def test_the_driver_may_be_killed(nodes: Nodes, here: up.Run, tmp_path: Path) -> None:
    nodes.add()
    program = f"""
import upheaval as up
from upheaval.ray import RayExecutor
with RayExecutor({nodes.address!r}) as executor:
    up.run({RUN!r}, executor=executor, out={str(tmp_path)!r}, progress=lambda played, total: print(played, flush=True))
print("whole", flush=True)
"""
    dice = random.Random(7)
    kills = 0
    while True:
        with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            lines = iter(process.stdout)
            said = next(lines, "")
            for _ in range(dice.randrange(3)):
                said = next(lines, said)
            if kills < (5 if SLOW else 2) and "whole" not in said:
                time.sleep(dice.random() / 4)
                process.kill()
                kills += 1
                continue
            for said in lines:
                pass
            assert "whole" in said
            break
    (run,) = tmp_path.glob("small-*")
    assert kills and files(up.Run(run)) == files(here)


def test_a_task_that_fails_is_not_tried_again(nodes: Nodes, tmp_path: Path) -> None:
    nodes.add()
    with RayExecutor(nodes.address) as executor:
        plan = up.plan(RUN)
        broken = up.Plan(plan.text.replace('"schema_version":', '"schema_version":1', 1))
        with pytest.raises(up.UpheavalError, match="both must be the same"):
            executor.submit(up.play_part, broken, 0).result()
