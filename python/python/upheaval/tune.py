"""Finds fair settings of rules: searches over the parameters of variants.

`tune` plays every setting of a space of a few hundred and drops the worse ones. `space` is for larger ones: it lists
the settings and measures those that an optimiser asks for.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from os import PathLike
from pathlib import Path
from typing import Any

from upheaval import _upheaval as _raw
from upheaval.bot import Bots, made
from upheaval.cluster import Executor, Job, Plan, executor_of, keys_of, pickled, settings, workers_of

Source = str | PathLike[str] | Mapping[str, Any]
"""The path of a file, or a dict with its keys."""

Value = str | int | float | bool | list[Any]
"""A value of a parameter."""

Params = Mapping[str, Value]
"""A setting: a value for each parameter. Values that do not apply to its variant are ignored."""

VARIANT = "variant"
"""The name of the variant among the parameters, if there are several variants."""


@dataclass(frozen=True, slots=True)
class Tuned:
    """The result of a search."""

    path: Path
    """The folder of the answer, with the tables `rounds.parquet` and `blocks.parquet`."""
    data: dict[str, Any]
    """All results, as docs/tune.schema.json describes them."""
    text: str
    """The answer as text."""

    @property
    def best(self) -> str | None:
        """The setting that looked best in the search; None if all are out of bounds."""
        best: str | None = self.data["best"]
        return best

    @property
    def set(self) -> list[str]:
        """The settings that cannot be distinguished from the best, by the id of their arm."""
        settings: list[str] = self.data["set"]
        return settings

    def __str__(self) -> str:
        return self.text


def tune(
    file: Source,
    *,
    bots: Bots | None = None,
    seed: int | None = None,
    threads: int | None = None,
    executor: Executor | str | None = None,
    in_flight: int | None = None,
    out: str | PathLike[str] | None = None,
    set: Sequence[str] = (),
    afresh: bool = False,
    recover: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> Tuned:
    """Searches the parameters of variants for the fairest settings, and returns the answer: `upheaval tune`. Finished
    parts of the search are not played again; `afresh` plays it from its start. For `executor` and `recover` see `run`: the tasks
    are counted in their order, so the answer has the same bytes as a search on this machine. `progress` is called with
    the games of the rounds that are over, and the most."""
    job = Job(keys_of(file), "tune", made(bots), seed, None, out, settings(set, recover))
    if executor is not None and threads is not None:
        raise _raw.UpheavalError("an `executor` plays with one thread per task: leave `threads` out")
    folder = None if afresh else _raw.whole_search(job)
    if folder is None and executor is None:
        folder = _raw.run_search(job, threads=threads, afresh=afresh, progress=progress)
    elif folder is None and executor is not None:
        search = _raw.RawSearch(job, afresh)
        try:
            with executor_of(executor) as pool:
                _distribute(search, Plan(search.plan, pickled(job.bots)), pool, in_flight, progress)
            folder = search.finish()
        finally:
            search.close()
    assert folder is not None
    return Tuned(Path(folder), *_raw.answer_of(folder))


@lru_cache(maxsize=2)
def _searcher(plan: Plan) -> _raw.RawSearcher:
    """The worker of a search, which a process reuses from task to task."""
    import pickle

    return _raw.RawSearcher(plan.text, made(pickle.loads(plan.bots) if plan.bots else None))


def _play(plan: Plan, tasks: list[str]) -> list[str]:
    searcher = _searcher(plan)
    return [searcher.play(task, 1) for task in tasks]


GAMES_A_CALL = 512
"""About how many games are played by one call of an executor."""


def _distribute(
    search: _raw.RawSearch,
    plan: Plan,
    executor: Executor,
    in_flight: int | None,
    progress: Callable[[int, int], object] | None,
) -> None:
    """Has the tasks of a search played by an executor, round by round, and passes them on in order."""
    if in_flight is not None and in_flight < 1:
        raise _raw.UpheavalError(f"in_flight must be at least 1, not {in_flight}")
    share = getattr(executor, "share", None)
    shared = plan if share is None else share(plan)
    waiting: deque[Any] = deque()
    try:
        while wanted := search.wanted():
            most = in_flight or 3 * workers_of(executor)
            calls, games = deque[list[str]](), 0
            for task, own in wanted:
                if not calls or games >= GAMES_A_CALL:
                    calls.append([])
                    games = 0
                calls[-1].append(task)
                games += own
            while calls or waiting:
                while calls and len(waiting) < most:
                    waiting.append(executor.submit(_play, shared, calls.popleft()))
                for line in waiting.popleft().result():
                    search.accept(line)
            if progress is not None:
                progress(*search.games)
    finally:
        for future in waiting:
            cancel = getattr(future, "cancel", None)
            if cancel is not None:
                with suppress(Exception):
                    cancel()


@dataclass(frozen=True, slots=True)
class Measured:
    """The estimates of a setting from blocks."""

    params: dict[str, Value]
    """The setting."""
    blocks: range
    """The blocks."""
    mean: float
    """The unbiased objective: it can be slightly negative if the true value is zero."""
    sem: float
    """Its standard error."""
    per_block: list[float]
    """The contribution of each block: their mean is the objective. Two settings on the same blocks are paired."""
    bot: str
    """The bot with which the setting is worst in these blocks; the other fields refer to it."""
    by_bot: dict[str, tuple[float, float]]
    """The objective with each bot, with its standard error."""
    measures: dict[str, tuple[float, float]]
    """Every measure, such as `length`, with its standard error; NaN if no game has it."""
    beyond: dict[str, tuple[float, float]]
    """By how much each measure that has bounds in the file exceeds them, with its standard error, with the bot where
    this is largest: 0 or less is within."""
    within: bool
    """Are the measures within the bounds of the file, with every bot?"""


@dataclass(frozen=True, slots=True)
class Dimension:
    """A parameter of a space."""

    name: str
    """Its key, or `variant`."""
    values: list[Value]
    """Its values, in the order of the file."""
    variants: tuple[str, ...]
    """The variants that have it; None if all do."""

    @property
    def step(self) -> int | None:
        """The difference between values, if they are evenly spaced whole numbers."""
        numbers = [value for value in self.values if type(value) is int]
        steps = {b - a for a, b in zip(numbers, numbers[1:])}
        is_even = len(numbers) == len(self.values) > 2 and len(steps) == 1 and min(steps) > 0
        return steps.pop() if is_even else None


class Space:
    """The settings of a search file, measured one at a time: no block of a setting is played twice."""

    def __init__(self, raw: _raw.RawSpace) -> None:
        self._raw = raw
        facts = raw.facts()
        self._variants: list[str] = facts["variants"]
        self.skips: list[list[tuple[str, list[Value]]]] = [
            [(name, values) for name, values in skip] for skip in facts["skips"]
        ]
        """The combinations that are left out: for each parameter in one the values concerned."""
        self.bounded: list[str] = facts["bounded"]
        """The measures that have bounds."""
        several = len(self._variants) > 1
        variant = [Dimension(VARIANT, list(self._variants), ())] if several else []
        self.dimensions: list[Dimension] = variant + [
            Dimension(of["parameter"], of["values"], tuple(of["variants"])) for of in facts["dimensions"]
        ]
        """The parameters, in the order of the file; before them `variant`, if there are several."""

    @property
    def size(self) -> int:
        """The maximum number of combinations, including those that are left out."""
        return math.prod(len(dimension.values) for dimension in self.dimensions)

    def applies(self, dimension: Dimension, params: Params) -> bool:
        """Does the variant of these values have this parameter?"""
        variant = params.get(VARIANT, self._variants[0])
        return not dimension.variants or variant in dimension.variants

    def setting(self, params: Params) -> dict[str, Value]:
        """These values without those that do not apply to their variant: values of the same setting become equal."""
        known = {dimension.name for dimension in self.dimensions}
        if strange := sorted(params.keys() - known):
            raise _raw.UpheavalError(
                f"`{strange[0]}` is not a parameter of this space; there are {', '.join(sorted(known))}"
            )
        applying = (dimension.name for dimension in self.dimensions if self.applies(dimension, params))
        return {name: params[name] for name in applying if name in params}

    def allowed(self, params: Params) -> bool:
        """Is it outside of the combinations that the file leaves out?"""
        own = self.setting(params)
        return not any(all(name in own and own[name] in values for name, values in skip) for skip in self.skips)

    def settings(self) -> Iterator[dict[str, Value]]:
        """Every setting, each once, in the order of the file."""
        seen: list[dict[str, Value]] = []
        for values in product(*(dimension.values for dimension in self.dimensions)):
            params = dict(zip((dimension.name for dimension in self.dimensions), values))
            own = self.setting(params)
            # Two are the same only if a variant lacks the parameters in which they differ.
            is_new = len(own) == len(params) or own not in seen
            if self.allowed(params) and is_new:
                if len(own) < len(params):
                    seen.append(own)
                yield own

    def measure(self, params: Params, *, blocks: range, check: bool = False) -> Measured:
        """The estimates of a setting from these blocks: at least four consecutive ones. All settings have the same blocks.
        With `check` they have the seed that is reserved for figures: settings must not be chosen by them."""
        if blocks.step != 1 or blocks.start < 0:
            raise _raw.UpheavalError(f"blocks are a range from 0 or more in steps of 1, not {blocks}")
        own = self.setting(params)
        facts = self._raw.measure(own, blocks.start, blocks.stop, check)
        parts: list[float] = facts["parts"]
        mean, sem = facts["by_bot"][facts["bot"]]
        beyond: dict[str, tuple[float, float]] = facts["beyond"]
        within = all(amount <= 0 for amount, _ in beyond.values())
        return Measured(
            own, blocks, mean, sem, parts, facts["bot"], facts["by_bot"], facts["measures"], beyond, within
        )


def space(
    file: Source,
    *,
    bots: Bots | None = None,
    seed: int | None = None,
    threads: int | None = None,
    set: Sequence[str] = (),
) -> Space:
    """The space of a search file, of any size, for optimisers: `upheaval.tuners` has them for Optuna, Ax and SMAC."""
    return Space(_raw.RawSpace(Job(keys_of(file), "tune", made(bots), seed, None, None, list(set)), threads))


def measure(space: Space, params: Params, *, blocks: range, check: bool = False) -> Measured:
    """`space.measure`, as a function."""
    return space.measure(params, blocks=blocks, check=check)
