"""Studies: experiments played into run folders, and their evaluation."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import PathLike, cpu_count
from pathlib import Path
from typing import Any, Literal

from upheaval import _upheaval as _raw
from upheaval.bot import Bots, made
from upheaval.cluster import Executor, Job, Plan, distribute, executor_of, keys_of, pickled, settings
from upheaval.folder import Run

Source = str | PathLike[str] | Mapping[str, Any]
"""The path of a file, or a dict with its keys."""

Progress = bool | Callable[[int, int], object] | None
"""Whether to show the progress of a run, or a function that is called with the games played and the total."""


class _Line:
    """Shows the progress of a run in one line, about once a second; with an executor, the speed of each node."""

    def __init__(self) -> None:
        self._begun = self._shown = time.monotonic()
        self._first: int | None = None
        self._nodes: dict[str, tuple[int, float]] = {}

    def node(self, name: str, games: int, seconds: float) -> None:
        """Records the result of a task."""
        before = self._nodes.get(name, (0, 0.0))
        self._nodes[name] = (before[0] + games, before[1] + seconds)

    def __call__(self, played: int, total: int) -> None:
        now = time.monotonic()
        if self._first is None:
            self._first = played
        if now - self._shown < 1 and played < total:
            return
        self._shown = now
        rate = (played - self._first) / max(now - self._begun, 1e-9)
        end = "\n" if played >= total else ""
        nodes = (f"{name} {games / max(seconds, 1e-9):.0f}" for name, (games, seconds) in sorted(self._nodes.items()))
        of_nodes = f" ({', '.join(nodes)} games/s and core)" if self._nodes else ""
        print(f"\r{played} of {total} games, {rate:.0f} games/s{of_nodes}", end=end, file=sys.stderr, flush=True)


def _progress(progress: Progress) -> Callable[[int, int], object] | None:
    if progress is True:
        return _Line()
    return None if progress is False else progress


def run(
    experiment: Source,
    *,
    bots: Bots | None = None,
    seed: int | None = None,
    games: int | None = None,
    threads: int | None = None,
    executor: Executor | str | None = None,
    in_flight: int | None = None,
    out: str | PathLike[str] | None = None,
    set: Sequence[str] = (),
    afresh: bool = False,
    recover: bool = False,
    progress: Progress = None,
) -> Run:
    """Plays an experiment and returns its run. Seats name the bots of the engine, those of its sections
    `[bots.NAME]`, and custom `bots`. Existing parts are not played again: an interrupted run is resumed, and a
    complete one is returned; `afresh` plays it from its start. A bot that fails in more of its games than
    `faults.share` allows stops it, unless `recover` is true. With an `executor` the games are played elsewhere,
    with one thread per task and at most `in_flight` tasks at once: anything that has `submit`, such as a
    `ProcessPoolExecutor`, or `"ray"`."""
    job = Job(keys_of(experiment), "experiment", made(bots), seed, games, out, settings(set, recover))
    return _played(job, threads, executor, in_flight, afresh, progress)


def tournament(
    entries: Source,
    *,
    bots: Bots | None = None,
    seed: int | None = None,
    blocks: int | None = None,
    threads: int | None = None,
    executor: Executor | str | None = None,
    in_flight: int | None = None,
    out: str | PathLike[str] | None = None,
    set: Sequence[str] = (),
    extend: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
    afresh: bool = False,
    recover: bool = False,
    progress: Progress = None,
) -> Run:
    """Plays a tournament and returns its run; `standings` ranks the bots. `extend` names a finished run of it, or
    several: only the line-ups that none of them has are played, those of entrants that were added, and `standings` takes
    all the runs. For `executor` see `run`."""
    runs = [extend] if isinstance(extend, (str, PathLike)) else list(extend)
    job = Job(keys_of(entries), "tournament", made(bots), seed, blocks, out, settings(set, recover), runs)
    return _played(job, threads, executor, in_flight, afresh, progress)


def _played(
    job: Job,
    threads: int | None,
    executor: Executor | str | None,
    in_flight: int | None,
    afresh: bool,
    progress: Progress,
) -> Run:
    if executor is not None and threads is not None:
        raise _raw.UpheavalError("an `executor` plays with one thread per task: leave `threads` out")
    if not afresh:
        whole = _raw.whole_run(job)
        if whole is not None:
            return Run(whole)
    if executor is None:
        return Run(_raw.run_job(job, threads=threads, afresh=afresh, progress=_progress(progress)))
    with executor_of(executor) as pool:
        driver = _raw.RawDriver.run(job, afresh)
        try:
            distribute(driver, Plan(driver.plan, pickled(job.bots)), pool, in_flight, _progress(progress))
            return Run(driver.finish())
        finally:
            driver.close()


@dataclass(frozen=True, slots=True)
class Match:
    """How a match ended."""

    bots: tuple[str, str]
    """The two bots."""
    verdict: Literal["H0", "H1", "undecided"]
    """`H1`: the first scores more by the effect; `H0`: it does not."""
    difference: float
    """By how much a seat of the first scores more than one of the second, given when the match stopped."""
    interval: tuple[float, float] | None
    """The 95 % interval of the difference, over blocks; None if the blocks do not differ."""
    stronger: str | None
    """The bot that scores more, if the interval shows it."""
    elo: float
    """The lead of the first in rating, in Elo, given when the match stopped."""
    elo_interval: tuple[float, float] | None
    """The 95 % interval of the lead, over blocks; None if the blocks do not differ."""
    warning: str | None
    """A sentence about blocks that are the same games again; None if all blocks differ."""
    evidence: dict[str, float]
    """The evidence for `H1` and for `H0` at the end: logarithms, as docs/tournaments.md says."""
    blocks: int
    """Blocks that were counted."""
    games: int
    """Games of those blocks."""
    warnings: list[str]
    """A sentence for each bot that failed in too many games for the verdict to show how it plays."""


def sprt(
    entries: Source,
    *,
    bots: Bots | None = None,
    seed: int | None = None,
    threads: int | None = None,
    executor: Executor | str | None = None,
    in_flight: int | None = None,
    recover: bool = False,
    progress: Progress = None,
) -> Match:
    """Plays a match of two bots until it is decided. For `executor` see `run`: its parts are counted in order, so the
    verdict is that of a match played here; parts played beyond it are discarded."""
    objects = made(bots)
    if executor is None:
        result = _raw.run_sprt(
            keys_of(entries),
            bots=objects,
            seed=seed,
            threads=threads,
            set=settings((), recover),
            progress=_progress(progress),
        )
    elif threads is not None:
        raise _raw.UpheavalError("an `executor` plays with one thread per task: leave `threads` out")
    else:
        watch = _raw.RawDriver.watch(keys_of(entries), bots=objects, seed=seed, set=settings((), recover))
        with executor_of(executor) as pool:
            distribute(watch, Plan(watch.plan, pickled(objects)), pool, in_flight, _progress(progress))
        result = watch.finish()
    first, second = result.pop("bots")
    return Match((first, second), **result)


@dataclass(frozen=True, slots=True)
class Balance:
    """The balance of a run."""

    data: dict[str, Any]
    """All results, as docs/balance.md describes them."""
    text: str
    """The tables as text."""

    @property
    def cells(self) -> list[dict[str, Any]]:
        """The balance of each arm and line-up."""
        cells: list[dict[str, Any]] = self.data["cells"]
        return cells

    def to_dict(self) -> dict[str, Any]:
        """All results, as docs/balance.md describes them."""
        return self.data

    def __str__(self) -> str:
        return self.text


def balance(
    run: str | PathLike[str],
    *extensions: str | PathLike[str],
    variants: Sequence[str] = (),
    against: str | None = None,
    margin: float = 0.25,
    threads: int = 0,
) -> Balance:
    """The balance of a run: is its variant fair? The bots agree if every power's shares with two line-ups are shown to
    differ by less than `margin`, in parts of an equal share. For `extensions` see `standings`."""
    if not 0 < margin <= 1:
        raise _raw.UpheavalError(f"margin must be a number above 0 and at most 1, not {margin}")
    if not 0 <= threads <= 1024:
        raise _raw.UpheavalError(f"expected from 0 to 1024 threads, found {threads}")
    return Balance(*_raw.balance_of(run, list(extensions), list(variants), against, margin, threads))


Estimate = tuple[float, tuple[float, float] | None]
"""An estimate with its interval, if it is known."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A bot in a table of standings."""

    bot: str
    rating: Estimate
    score: Estimate | None
    solos: int
    games: int
    faults: int


@dataclass(frozen=True, slots=True)
class Standings:
    """The standings of a tournament or run: the bots from the strongest to the weakest, for each variant and for all."""

    sections: dict[str, list[Standing]]
    superior: dict[str, list[list[float]]]
    """How likely each bot is stronger than each other; empty below 8 blocks."""
    text: str

    def __str__(self) -> str:
        return self.text


def standings(
    run: str | PathLike[str], *extensions: str | PathLike[str], score: str = "draw-size"
) -> Standings:
    """Which bot is stronger, and how certain that is. `extensions` are the runs by which a tournament was extended: the
    standings are of all games."""
    sections, text = _raw.standings_of(run, list(extensions), score)
    lines = {section["title"]: [Standing(**line) for line in section["lines"]] for section in sections}
    return Standings(lines, {section["title"]: section["superior"] for section in sections}, text)


def report(
    run: str | PathLike[str], out: str | PathLike[str], *, extensions: Sequence[str | PathLike[str]] = ()
) -> Path:
    """Writes the page of a run, and returns its path. For `extensions` see `standings`."""
    _raw.report_of(run, list(extensions), out)
    return Path(out)


@dataclass(frozen=True, slots=True)
class Replay:
    """A game of a run, played again and checked."""

    json: str
    """The game as a file that `upheaval replay` reads."""
    text: str
    """The game as text."""

    def __str__(self) -> str:
        return self.text


def replay(
    run: str | PathLike[str], game: str, *, bots: Bots | None = None, allow_programs: Sequence[str] = ()
) -> Replay:
    """Plays a game of a run again, such as `black-hole/12`, and compares it with the stored rows. Custom bots that
    played in it must be given as for the run. Programs that the run names are started only if their
    command lines are among `allow_programs`."""
    return Replay(*_raw.replay_of(run, game, made(bots), list(allow_programs)))


def verify(
    run: str | PathLike[str],
    *,
    again: bool = False,
    parts: int | None = None,
    bots: Bots | None = None,
    executor: Executor | str | None = None,
    in_flight: int | None = None,
    progress: Progress = None,
) -> list[str]:
    """The faults of a run folder; empty if it is complete and undamaged. With `again` it is also played again, or
    this number of its parts, evenly spread, and files with other bytes are listed. For `executor` see `run`;
    without one it is played on all cores."""
    faults = _raw.verify_run(run)
    if faults or not again:
        return faults
    driver = _raw.RawDriver.check(run, parts)
    with ThreadPoolExecutor(cpu_count()) if executor is None else executor_of(executor) as pool:
        distribute(driver, Plan(driver.plan, pickled(made(bots))), pool, in_flight, _progress(progress))
    otherwise: list[str] = driver.finish()
    return otherwise
