"""Runs whose parts are played elsewhere: by processes, by clusters, by anything that has `submit`.

A part is a function of the plan and a number, so it does not matter where, when and how often it is played: the
driver writes the parts in order, and the run folder has the same bytes as after a run on this machine.
"""

from __future__ import annotations

import atexit
import os
import pickle
import socket
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from multiprocessing import get_context
from os import PathLike
from typing import Any, Literal, Protocol

from upheaval._upheaval import RawWorker, UpheavalError, dismiss_programs, plan_facts, plan_of
from upheaval.bot import Bots, made

# The workers of a process are kept until it ends, and with them the programs that wait for a game.
atexit.register(dismiss_programs)

Source = str | PathLike[str] | Mapping[str, Any]
Kind = Literal["experiment", "tournament"]


@dataclass(frozen=True, slots=True)
class Job:
    """The task to be played, as described by the keywords of a run."""

    source: str | PathLike[str] | dict[str, Any]
    """The path of a file, or its keys."""
    kind: Kind | Literal["tune"]
    bots: dict[str, Any]
    seed: int | None = None
    amount: int | None = None
    """Games of an experiment, blocks of a tournament."""
    out: str | PathLike[str] | None = None
    set: list[str] = field(default_factory=list)
    extend: list[str | PathLike[str]] = field(default_factory=list)
    """The runs of a tournament whose line-ups are not played again."""


def settings(set: Sequence[str], recover: bool) -> list[str]:
    """The settings of a run; `recover`: no failure of a bot stops it."""
    return [*set, *(["faults.share=1"] if recover else [])]


def keys_of(source: Source) -> str | PathLike[str] | dict[str, Any]:
    """A path, or the keys of a mapping."""
    return dict(source) if isinstance(source, Mapping) else source


class Future(Protocol):
    """The return value of `submit`, which has a result eventually."""

    def result(self) -> Any: ...


class Executor(Protocol):
    """Anything that calls functions elsewhere, such as `concurrent.futures.ProcessPoolExecutor`."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Future: ...


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that determines the bytes of a run. It can be pickled and sent anywhere; only the same version plays
    it."""

    text: str
    """The plan as JSON."""
    bots: bytes = b""
    """Custom bots, pickled; empty if there are none."""

    @property
    def hash(self) -> str:
        """The hash of the experiment, which is in the name of the run folder."""
        return plan_facts(self.text)[0]

    @property
    def num_parts(self) -> int:
        """The number of its parts."""
        return plan_facts(self.text)[1]

    @property
    def num_games(self) -> int:
        """The total number of its games."""
        return plan_facts(self.text)[2]

    def __repr__(self) -> str:
        hash, parts, games = plan_facts(self.text)
        return f"<upheaval.Plan {hash[:12]}: {games} games in {parts} parts>"


def pickled(bots: Bots | None) -> bytes:
    """Bots as bytes, including classes that are defined in a notebook if `cloudpickle` is installed."""
    if not bots:
        return b""
    try:
        import cloudpickle  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        return pickle.dumps(dict(bots))
    data: bytes = cloudpickle.dumps(dict(bots))
    return data


def plan(
    experiment: Source,
    *,
    kind: Kind = "experiment",
    bots: Bots | None = None,
    seed: int | None = None,
    games: int | None = None,
    set: Sequence[str] = (),
) -> Plan:
    """The plan of an experiment or tournament, a path or a dict. For a tournament `games` gives the blocks."""
    return Plan(plan_of(Job(keys_of(experiment), kind, made(bots), seed, games, None, list(set))), pickled(bots))


@lru_cache(maxsize=4)
def _worker(plan: Plan) -> RawWorker:
    """The worker of a plan, which a process reuses from part to part."""
    return RawWorker(plan.text, made(pickle.loads(plan.bots) if plan.bots else None))


def play_part(plan: Plan, part: int, *, threads: int = 1) -> bytes:
    """Plays a part of a plan, from 0, and returns its bytes: a line of JSON that names its files with their hashes,
    and the concatenated files. Nothing is written to a disk."""
    worker = _worker(plan)
    played = worker.play(part, threads)
    for _, fault in worker.faults():
        warnings.warn(fault, RuntimeWarning, stacklevel=2)
    return played


@dataclass(frozen=True, slots=True)
class _Played:
    """The result of a task."""

    parts: list[bytes]
    node: str
    seconds: float
    faults: list[tuple[str, str]]


def _task(plan: Plan, first: int, count: int, is_among_the_last: bool) -> _Played:
    """Plays parts. Where little is left to be played, the programs that wait for a game are ended with the task: nobody
    calls this process again at the end of the run."""
    begun = time.perf_counter()
    worker = _worker(plan)
    played = [worker.play(part, 1) for part in range(first, first + count)]
    if is_among_the_last:
        worker.dismiss()
    return _Played(played, socket.gethostname(), time.perf_counter() - begun, worker.faults())


SECONDS_A_TASK = 1.0
"""The approximate duration of a task: shorter tasks cost more to distribute, longer ones more to repeat."""
SECONDS_A_TASK_AND_WORKER = 0.004
"""The same for each worker where there are hundreds, so that the driver has the time to hand out tasks for all of
them."""
SECONDS_BETWEEN_COUNTS = 10.0
"""How often an executor is asked for its workers, whose number changes on some clusters."""


def workers_of(executor: object) -> int:
    """How many tasks an executor works on at once, if it is known."""
    for name in ("num_workers", "_max_workers"):
        workers = getattr(executor, name, None)
        if isinstance(workers, int) and workers > 0:
            return workers
    return os.cpu_count() or 1


class Driver(Protocol):
    """Accepts the parts of a plan in order."""

    @property
    def size(self) -> tuple[int, int]:
        """The number of parts, and the total number of games."""

    @property
    def taken(self) -> tuple[int, int]:
        """The number of accepted parts, and of their games."""

    def accept(self, part: bytes, /) -> tuple[int, bool]:
        """Accepts the next part; returns the number of its games, and whether no further part is needed."""


def distribute(
    driver: Driver,
    plan: Plan,
    executor: Executor,
    in_flight: int | None,
    progress: Callable[[int, int], object] | None,
) -> None:
    """Has the parts that the driver lacks played by an executor, and passes them on in order. At most
    `in_flight` tasks run at once, so memory does not grow."""
    if in_flight is not None and in_flight < 1:
        raise UpheavalError(f"in_flight must be at least 1, not {in_flight}")
    parts, games = driver.size
    share = getattr(executor, "share", None)
    shared = plan if share is None else share(plan)
    (next_part, played), count = driver.taken, 1
    workers, counted = workers_of(executor), time.monotonic()
    waiting: deque[tuple[int, Future]] = deque()
    note = getattr(progress, "node", None)
    faults: dict[str, str] = {}
    try:
        while waiting or next_part < parts:
            if time.monotonic() - counted > SECONDS_BETWEEN_COUNTS:
                workers, counted = workers_of(executor), time.monotonic()
            while next_part < parts and len(waiting) < (in_flight or 3 * workers):
                # Towards the end tasks become shorter, so that the last one does not delay the others.
                size = max(1, min(count, (parts - next_part) // (2 * workers)))
                is_among_the_last = parts - next_part - size < 2 * workers
                task = executor.submit(_task, shared, next_part, size, is_among_the_last)
                waiting.append((size, task))
                next_part += size
            size, future = waiting.popleft()
            done: _Played = future.result()
            for bot, fault in done.faults:
                faults.setdefault(bot, f"on {done.node}: {fault}")
            seconds = max(SECONDS_A_TASK, workers * SECONDS_A_TASK_AND_WORKER)
            count = max(1, min(2 * size, round(size * seconds / max(done.seconds, 1e-6))))
            before = played
            for part in done.parts:
                new, enough = driver.accept(part)
                played += new
                if enough:
                    return
            if note is not None:
                note(done.node, played - before, done.seconds)
            if progress is not None:
                progress(played, games)
    finally:
        for _, future in waiting:
            cancel = getattr(future, "cancel", None)
            if cancel is not None:
                with suppress(Exception):
                    cancel()
        for fault in faults.values():
            warnings.warn(fault, RuntimeWarning, stacklevel=3)


@contextmanager
def executor_of(executor: Executor | str) -> Iterator[Executor]:
    """The executor: an object; or a name, `"ray"` for a cluster that is started here, `"ray:ADDRESS"`
    for a running one, which is left when the work is done, `"processes"` for processes of this machine."""
    if not isinstance(executor, str):
        yield executor
        return
    if executor == "processes":
        with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
            yield pool
        return
    word, _, address = executor.partition(":")
    if word != "ray":
        raise UpheavalError(f"there is no executor `{executor}`; there are `ray`, `ray:ADDRESS` and `processes`")
    from upheaval.ray import RayExecutor

    with RayExecutor(address or None) as ray:
        yield ray
