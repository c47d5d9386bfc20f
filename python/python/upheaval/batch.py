"""Many games at once: seats played by bots of the engine or by the caller."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from sys import getrefcount
from typing import TYPE_CHECKING, Any, Literal, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from upheaval._upheaval import RawBatch, UpheavalError, table_forms

if TYPE_CHECKING:
    from upheaval.typing import VariantLike

CALLER = "caller"
"""Represents the caller among the names of bots."""

_FORMS = table_forms()
_TABLES = ("games", "nodes", "edges", "seats", "asks", "orders")

ORDER_KINDS: tuple[str, ...] = tuple(_FORMS["order_kinds"])
"""The names of the codes in the first column of `orders`."""
ASK_KINDS: tuple[str, ...] = tuple(_FORMS["ask_kinds"])
"""The names of the codes in the column `kind` of `asks`."""
STAGES: tuple[str, ...] = tuple(_FORMS["stages"])
"""The names of the codes in the columns `stage`."""
SCORES: tuple[str, ...] = tuple(_FORMS["scores"])
"""The scoring systems that can be a reward."""

Table = Literal["games", "nodes", "edges", "seats", "asks", "orders"]
Autoreset = Literal["same-step", "next-step", "disabled"]


def columns(table: Table) -> dict[str, str]:
    """The columns of a table, in order, each with its meaning."""
    return dict(_FORMS[table])


class Ended(TypedDict):
    """A game that ended in the last step."""

    slot: int
    number: int
    end: str
    winner: str | None
    truncated: bool
    phase: str
    state_hash: str
    centres: list[int]
    places: list[int]


@dataclass(slots=True)
class Observation:
    """The tables of a batch; `columns` gives their meanings. They are views of memory that the next step overwrites:
    keep the result of `copy` instead."""

    games: NDArray[np.int32]
    nodes: NDArray[np.int32]
    edges: NDArray[np.int32]
    seats: NDArray[np.int32]
    asks: NDArray[np.int32]
    orders: NDArray[np.int32]

    @property
    def counts(self) -> NDArray[np.int32]:
        """The number of choices of each ask."""
        counts: NDArray[np.int32] = self.asks[:, 7] - self.asks[:, 6]
        return counts

    def copy(self) -> Observation:
        """A copy in separate memory."""
        return Observation(*(getattr(self, table).copy() for table in _TABLES))


@dataclass(slots=True)
class StepInfo:
    """Additional information about a step."""

    ended: list[Ended] = field(default_factory=list)
    """The games that ended in the step."""
    final: Observation | None = None
    """With `same-step`: the final boards of those games, in the same order."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The numbers of rows of fixed shapes. Rows that do not fit are left out: an ask that is left out is answered by
    the rules, an order that is left out cannot be chosen, and the edges of a node that is left out are left out too."""

    nodes: int = _FORMS["bounds"][0]
    edges: int = _FORMS["bounds"][1]
    asks: int = _FORMS["bounds"][2]
    orders: int = _FORMS["bounds"][3]
    choices: int = _FORMS["bounds"][4]

    def __post_init__(self) -> None:
        for rows in self.as_list():
            if not 1 <= rows <= 2**20:
                raise UpheavalError(f"bounds are from 1 to 1048576, not {rows}")

    def as_list(self) -> list[int]:
        return [self.nodes, self.edges, self.asks, self.orders, self.choices]


@dataclass(slots=True)
class Padded:
    """The tables in fixed shapes; unused rows contain -1. Nodes are numbered within the game, seats are the
    powers, and orders are numbered within the seat."""

    games: NDArray[np.int32]
    """Games × the columns of `games` up to `last_year`."""
    seats: NDArray[np.int32]
    """Games × powers × 2: the power, and the node of its exempt centre, which only the power knows."""
    nodes: NDArray[np.int32]
    edges: NDArray[np.int32]
    asks: NDArray[np.int32]
    orders: NDArray[np.int32]
    mask: NDArray[np.int8]

    def _holders(self) -> tuple[int, ...]:
        """The number of references to each array, including views."""
        return (
            getrefcount(self.games),
            getrefcount(self.seats),
            getrefcount(self.nodes),
            getrefcount(self.edges),
            getrefcount(self.asks),
            getrefcount(self.orders),
            getrefcount(self.mask),
        )


def kept(array: NDArray[Any]) -> NDArray[Any]:
    """A view that can be kept and read, but not written: writes would reappear when the memory is reused."""
    view = array.view()
    view.flags.writeable = False
    return view


class Memories:
    """Memory for observations in fixed shapes that the caller may keep: memory without references is reused, so no
    step has to copy."""

    KEPT = 8

    def __init__(self, make: Callable[[], Padded]) -> None:
        self._make = make
        self._kept: deque[Padded] = deque(maxlen=self.KEPT)
        self._alone = make()._holders()

    def take(self) -> Padded:
        """Memory without views that are still in use."""
        for memory in self._kept:
            if memory._holders() == self._alone:
                return memory
        memory = self._make()
        self._kept.append(memory)
        return memory


def whole_numbers(choices: ArrayLike) -> NDArray[np.int32]:
    """Choices as 32-bit integers. A number that does not fit is not a choice of any ask, and remains invalid."""
    given = np.asarray(choices)
    if given.size and given.dtype.kind not in "iu":
        raise UpheavalError(f"choices are whole numbers, not {given.dtype}")
    if given.dtype != np.int32 and given.size:
        given = np.clip(given, -2 if given.dtype.kind == "i" else 0, min(2**31 - 1, np.iinfo(given.dtype).max))
    return np.ascontiguousarray(given, np.int32)


class _Memory:
    """Tables that grow as needed, and views of the rows in use."""

    def __init__(self) -> None:
        self._tables = {table: np.empty((0, len(_FORMS[table])), np.int32) for table in _TABLES}

    def rows(self, sizes: Sequence[int]) -> list[NDArray[np.int32]]:
        rows = []
        for table, size in zip(_TABLES, sizes, strict=True):
            memory = self._tables[table]
            if len(memory) < size:
                memory = np.empty((size + size // 4, memory.shape[1]), np.int32)
                self._tables[table] = memory
            rows.append(memory[:size])
        return rows


class Batch:
    """Many games at once.

    `seats` names the player of each power: a bot of the engine (`upheaval.bots()`), or `"caller"`; `"*"` is for those
    that are not named, and without it they are the caller's. A dict is a bot with settings, or a program, with the
    keys of a section `[bots.NAME]`: `{"kind": "search", "rollouts": 40}`. Game *i* is that of a run with the same
    seed and number. A step is one stage of every game that waits for the caller.
    """

    def __init__(
        self,
        variant: VariantLike = "standard",
        num_games: int = 1,
        seats: Mapping[str, str | Mapping[str, Any]] | None = None,
        *,
        seed: int = 0,
        last_year: int | None = None,
        threads: int = 0,
        autoreset: Autoreset = "same-step",
        reward: str | None = "sum-of-squares",
    ) -> None:
        named: dict[str, str | dict[str, Any]] | None = None
        if seats is not None:
            named = {power: seat if isinstance(seat, str) else dict(seat) for power, seat in seats.items()}
        self._raw = RawBatch(variant, num_games, named, seed, last_year, threads, autoreset, reward)
        self.num_games = num_games
        self.powers: tuple[str, ...] = tuple(self._raw.powers)
        # Step and observe write into the same memory, one after the other.
        self._lock = threading.RLock()
        self._memory = _Memory()
        self._final_memory = _Memory()
        self._rewards = np.zeros((num_games, len(self.powers)), np.float32)
        self._terminated = np.zeros(num_games, np.bool_)
        self._truncated = np.zeros(num_games, np.bool_)

    @property
    def last_year(self) -> int:
        """The year after which a game ends as a draw."""
        return self._raw.last_year()

    @property
    def num_asks(self) -> int:
        """The number of choices that the next step takes."""
        return self._raw.sizes()[4]

    def observe(self) -> Observation:
        """The current observation."""
        with self._lock:
            rows = self._memory.rows(self._raw.sizes())
            self._raw.fill(False, *rows)
            return Observation(*rows)

    def reset(self, seed: int | None = None) -> Observation:
        """Restarts the games from number 0, under another seed if one is given."""
        with self._lock:
            self._raw.reset(seed)
            return self.observe()

    def reset_slots(self, slots: Sequence[int]) -> Observation:
        """Begins a new game in each of these slots."""
        with self._lock:
            self._raw.reset_slots(list(slots))
            return self.observe()

    def step(
        self, choices: ArrayLike
    ) -> tuple[Observation, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], StepInfo]:
        """Takes one choice for each row of `asks`: a number from 0 to `end - begin - 1`, or -1 for no answer.

        Returns the observation, the rewards (games × powers), which games have terminated and which were truncated,
        and additional information. The next step overwrites the arrays.
        """
        with self._lock:
            self._raw.step(whole_numbers(choices))
            return (self.observe(), *self._outcomes())

    def advise(self, bot: str | dict[str, Any]) -> NDArray[np.int32]:
        """The choice that a bot would make for each row of `asks`, in the form that `step` takes, for imitation or
        comparison; -1 if it would not answer. The games are unchanged. The bot is given by name, or by a dict with
        its `kind` and settings. It knows nothing of earlier stages: `feud` draws its rivals again each time."""
        with self._lock:
            return self._raw.advise(bot)

    def _outcomes(self) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], StepInfo]:
        self._raw.outcomes(self._rewards, self._terminated, self._truncated)
        info = StepInfo()
        if self._terminated.any() or self._truncated.any():
            info.ended = self._raw.ended()
            rows = self._final_memory.rows(self._raw.final_sizes())
            if len(rows[0]):
                self._raw.fill(True, *rows)
                info.final = Observation(*rows)
        return self._rewards, self._terminated, self._truncated, info

    def order_text(self, row: int) -> str:
        """An order of the table `orders` as text; empty for no answer."""
        return self._raw.order_text(row)

    def state_hashes(self) -> list[str]:
        """The hashes of the games' states, as in the tables of runs."""
        return [f"{state:016x}" for state in self._raw.hashes()]

    def bounds_needed(self) -> Bounds:
        """The smallest bounds into which the current observation fits."""
        return Bounds(*(max(1, rows) for rows in self._raw.bounds_needed()))

    def new_padded(self, bounds: Bounds, games: int | None = None) -> Padded:
        """Memory for fixed shapes, of all games or of this number."""
        games, powers = self.num_games if games is None else games, len(self.powers)
        width = {table: len(_FORMS[table]) for table in _TABLES}
        mask = np.zeros((games, powers, bounds.asks, bounds.choices), np.int8)
        mask[..., 0] = 1
        of_game, of_seat = _FORMS["padded"]
        return Padded(
            np.full((games, of_game), -1, np.int32),
            np.full((games, powers, of_seat), -1, np.int32),
            np.full((games, bounds.nodes, width["nodes"]), -1, np.int32),
            np.full((games, bounds.edges, width["edges"]), -1, np.int32),
            np.full((games, powers, bounds.asks, width["asks"]), -1, np.int32),
            np.full((games, powers, bounds.orders, width["orders"]), -1, np.int32),
            mask,
        )

    def observe_padded(self, bounds: Bounds, into: Padded | None = None) -> Padded:
        """The current observation in fixed shapes: in new memory, or in that of an earlier call or of `new_padded`."""
        into = self.new_padded(bounds) if into is None else into
        with self._lock:
            self._fill_padded(False, bounds, into)
        return into

    def final_padded(self, bounds: Bounds) -> Padded:
        """With `same-step`: the final boards of the games that ended in the last step, in fixed shapes."""
        with self._lock:
            into = self.new_padded(bounds, self._raw.final_sizes()[0])
            self._fill_padded(True, bounds, into)
        return into

    def _fill_padded(self, last: bool, bounds: Bounds, into: Padded) -> None:
        arrays = (into.games, into.seats, into.nodes, into.edges, into.asks, into.orders, into.mask)
        self._raw.fill_padded(last, bounds.as_list(), *arrays)

    def step_padded(
        self, bounds: Bounds, choices: ArrayLike
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], StepInfo]:
        """Takes choices in a fixed shape: games × powers × asks. Choices for unused asks are ignored."""
        with self._lock:
            self._raw.step_padded(bounds.as_list(), whole_numbers(choices).reshape(-1))
            return self._outcomes()
