from collections.abc import Callable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any, final, overload

from typing_extensions import CapsuleType

from upheaval.cluster import Job
from upheaval.typing import VariantLike

import numpy as np
from numpy.typing import NDArray


__version__: str

class UpheavalError(ValueError):
    """An input cannot be used: a variant, an order, an experiment, a run folder."""

def variants() -> list[str]:
    """The ids of the shipped variants."""

def bots() -> list[str]:
    """The names of the shipped bots."""

def table_forms() -> dict[str, Any]:
    """The meanings of the columns and codes of the tables: for each table its columns, and the names of codes."""

@final
class Variant:
    """A rule set with its board."""

    def __new__(cls, variant: VariantLike) -> Variant: ...
    @staticmethod
    def from_text(text: str, map: str | None = None, name: str = "text") -> Variant:
        """The variant of a variant file's text; `map` is the text of its map file, if the map is not a shipped one."""
    @staticmethod
    def from_dict(keys: dict[str, Any], map: str | None = None) -> Variant:
        """The variant given by a dict with the keys of a variant file."""
    @property
    def id(self) -> str:
        """Its name in files and tables."""
    @property
    def title(self) -> str:
        """Its title."""
    @property
    def powers(self) -> list[str]:
        """The powers of its board, in order."""
    @property
    def first_phase(self) -> str:
        """Its first phase, such as `S1901M`."""
    @property
    def text(self) -> str:
        """The text of its variant file."""
    @property
    def map_text(self) -> str | None:
        """The text of its map file; None if the map is a shipped one."""
    def to_dict(self) -> dict[str, Any]:
        """The keys of its variant file."""
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class OrderResult:
    """The result of one order."""

    @property
    def power(self) -> str:
        """The power that gave the order."""
    @property
    def order(self) -> str:
        """The order."""
    @property
    def succeeded(self) -> bool:
        """Did it succeed? The unit may nevertheless have been dislodged."""
    @property
    def words(self) -> list[str]:
        """The result words: `ok`, `bounce`, `cut`, `dislodged` …"""
    @property
    def reason(self) -> str | None:
        """Why it failed, if it did."""

@final
class Event:
    """An event."""

    @property
    def phase(self) -> str:
        """The phase of the event."""
    @property
    def kind(self) -> str:
        """The kind of event, as in the table of events."""
    @property
    def province(self) -> str | None:
        """The province, if any."""
    @property
    def power(self) -> str | None:
        """The power that is affected or that acts."""
    @property
    def other(self) -> str | None:
        """The other power involved."""
    @property
    def unit(self) -> str | None:
        """The kind of unit involved."""
    @property
    def detail(self) -> str | None:
        """Everything that does not fit into the other fields."""

@final
class Turn:
    """The results of a stage."""

    @property
    def phase(self) -> str:
        """The phase that was settled."""
    @property
    def stage(self) -> str:
        """The kind of decision that was settled."""
    @property
    def results(self) -> list[OrderResult]:
        """The result of each order."""
    @property
    def map_changes(self) -> list[str]:
        """The changes of the map, in order, in the form that `upheaval map` accepts: `collapse MAR`."""
    @property
    def events(self) -> list[Event]:
        """All events, in order."""

@final
class Province:
    """A province at the time when the board was read."""

    @property
    def name(self) -> str:
        """Its name."""
    @property
    def kind(self) -> str:
        """`land`, `sea`, `ice`, `impassable` or `outside`."""
    @property
    def is_centre(self) -> bool:
        """Is it a supply centre?"""
    @property
    def home(self) -> str | None:
        """The power whose home centre it is."""
    @property
    def owner(self) -> str | None:
        """The power that owns the centre."""
    @property
    def unit(self) -> str | None:
        """The unit in it: `A PAR`."""
    @property
    def unit_power(self) -> str | None:
        """The owner of that unit."""
    @property
    def army(self) -> list[str]:
        """The provinces that an army could move to without a convoy."""
    @property
    def fleet(self) -> dict[str, list[str]]:
        """The moves of a fleet, by the coast that it is on."""
    @property
    def neighbours(self) -> list[str]:
        """All adjacent provinces that an army or fleet could move to."""

@final
class Board:
    """A board at the time when it was read: a mapping from the names of the existing provinces."""

    def __getitem__(self, name: str, /) -> Province: ...
    def __contains__(self, name: str, /) -> bool: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...
    def keys(self) -> list[str]:
        """The names of the provinces, sorted."""
    def values(self) -> list[Province]:
        """The provinces, sorted by name."""
    def items(self) -> list[tuple[str, Province]]:
        """Names with provinces, sorted."""

@final
class Game:
    """A game: a variant, a seed, the orders given so far."""

    def __new__(
        cls,
        variant: VariantLike | None = None,
        seed: int = 0,
        *,
        last_year: int | None = None,
        number: int = 0,
    ) -> Game: ...
    @property
    def variant(self) -> Variant:
        """The rule set."""
    @property
    def powers(self) -> list[str]:
        """The powers, in order."""
    @property
    def seed(self) -> int:
        """The seed of the random events."""
    @property
    def number(self) -> int:
        """The game's number under the seed."""
    @property
    def phase(self) -> str:
        """The phase that waits for orders, such as `S1901M`, or the last phase of a game that is over."""
    @property
    def year(self) -> int:
        """The year of the phase."""
    @property
    def stage(self) -> str:
        """The kind of decision that is awaited: `movement`, `retreats`, `coasts`, `adjustments`, `seismic`, or
        `over`."""
    @property
    def is_game_done(self) -> bool:
        """Is the game over?"""
    @property
    def outcome(self) -> list[str]:
        """The powers that won or share the draw; an empty list while the game is not over, and for a draw without
        powers."""
    @property
    def winner(self) -> str | None:
        """The power that won alone."""
    @property
    def state_hash(self) -> str:
        """The hash of the state, sixteen hexadecimal digits: the `state_hash` of a run's table of games."""
    @property
    def is_imagined(self) -> bool:
        """Was the game imagined rather than played from its start?"""
    @property
    def centres_to_win(self) -> int:
        """The number of supply centres that would win now."""
    @property
    def board(self) -> Board:
        """The current board, as a mapping from the names of provinces."""
    def get_current_phase(self) -> str:
        """The phase that waits for orders."""
    def awaited(self) -> list[str]:
        """The powers that can give orders now: none before changes at the start of a game."""
    def legal_orders(self, power: str) -> dict[str, list[str]]:
        """Everything that a power can order, by subject: `{'A PAR': ['A PAR H', …], …}`."""
    def get_all_possible_orders(self) -> dict[str, list[str]]:
        """Everything that can be ordered, by location: `{'PAR': ['A PAR H', …], …}`."""
    @overload
    def get_orderable_locations(self, power: str) -> list[str]:
        """The locations at which a power can give orders; for all powers, by power."""
    @overload
    def get_orderable_locations(self, power: None = None) -> dict[str, list[str]]: ...
    def set_orders(
        self, power: str, orders: list[str], *, strict: bool = True, typed: bool = True
    ) -> list[tuple[str, str]]:
        """Replaces all orders of a power for this phase. Orders that cannot be given raise an `UpheavalError` with
        the reason for each; with `strict=False` they are left out and returned with their reasons. Orders are read
        as people type them (`Army Paris to Burgundy`); with `typed=False` only in the notation."""
    @overload
    def get_orders(self, power: str) -> list[str]:
        """The orders that a power has given for this phase; for all powers, by power."""
    @overload
    def get_orders(self, power: None = None) -> dict[str, list[str]]: ...
    def clear_orders(self, power: str | None = None) -> None:
        """Withdraws the orders of a power, or of all powers."""
    @overload
    def get_units(self, power: str) -> list[str]:
        """The units of a power; for all powers, by power. Dislodged units are excluded."""
    @overload
    def get_units(self, power: None = None) -> dict[str, list[str]]: ...
    @overload
    def get_centers(self, power: str) -> list[str]:
        """The supply centres of a power; for all powers, by power."""
    @overload
    def get_centers(self, power: None = None) -> dict[str, list[str]]: ...
    def process(self) -> Turn:
        """Settles the phase with the orders that have been given, and returns the results."""
    def board_text(self) -> str:
        """The board as text: a line for each face, then holes and waterways."""
    def board_dict(self) -> dict[str, Any]:
        """The board in the form of `upheaval map --format json`."""
    def to_svg(self) -> str:
        """The board as a picture: one SVG element."""
    def _repr_svg_(self) -> str: ...
    def clone(self) -> Game:
        """An independent copy of the game. It has the same random events: the same orders lead to the same game."""
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, _memo: Any) -> Game: ...
    def imagine(self, power: str, seed: int) -> Game:
        """The game as a power knows it, for planning: the secrets of others and all random events are guessed under
        this seed."""
    def state(self) -> dict[str, Any] | None:
        """The state of the game as `adjudicate` takes it, without orders: all that the rest of the game depends on,
        including the secrets of the powers and the seed. `None` while it waits for choices of coasts, and when it is
        over."""
    @staticmethod
    def resume(
        state: dict[str, Any] | str, variant: str | PathLike[str] | dict[str, Any] | Variant | None = None
    ) -> Game:
        """A game that goes on from a state: that of another game, or a position for `adjudicate` whose `nature` is a
        seed. Its orders are ignored. `variant` replaces the variant that it names."""
    def to_bytes(self) -> bytes:
        """The game as bytes: its rules, its seed, and all orders."""
    @staticmethod
    def from_bytes(bytes: bytes) -> Game:
        """Restores the game from such bytes by replaying it."""
    def __reduce__(self) -> tuple[Any, ...]: ...
    def to_replay(self, path: str | PathLike[str]) -> None:
        """Writes the game so far into a file that `upheaval replay` reads."""

@final
class Table:
    """A table of a run, or some of its columns. Each consumer of the stream reads it from the files, one batch at a
    time."""

    def __new__(
        cls, folder: str | PathLike[str], name: str, columns: list[str] | None = None, variants: list[str] = ...
    ) -> Table: ...
    @property
    def name(self) -> str:
        """The name of the table."""
    @property
    def column_names(self) -> list[str]:
        """The names of its columns."""
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> CapsuleType:
        """The rows as an Arrow C stream, for polars, DuckDB, pandas, pyarrow and other consumers."""

def run_job(
    job: Job, *, threads: int | None, afresh: bool, progress: Callable[[int, int], object] | None
) -> Path: ...
def run_sprt(
    entries: str | PathLike[str] | dict[str, Any],
    *,
    bots: dict[str, Any],
    seed: int | None,
    threads: int | None,
    set: list[str],
    progress: Callable[[int, int], object] | None,
) -> dict[str, Any]: ...
def balance_of(
    folder: str | PathLike[str],
    extensions: list[str | PathLike[str]],
    variants: list[str],
    against: str | None,
    margin: float,
    threads: int,
) -> tuple[Any, str]: ...
def standings_of(
    folder: str | PathLike[str], extensions: list[str | PathLike[str]], score: str
) -> tuple[list[dict[str, Any]], str]: ...
def report_of(
    folder: str | PathLike[str], extensions: list[str | PathLike[str]], out: str | PathLike[str]
) -> None: ...
def replay_of(
    folder: str | PathLike[str], game: str, bots: dict[str, Any], allow_programs: list[str]
) -> tuple[str, str]: ...
def verify_run(folder: str | PathLike[str]) -> list[str]: ...
def manifest_of(folder: str | PathLike[str]) -> Any: ...
def adjudicate(request: dict[str, Any]) -> Any:
    """Adjudicates one position, as a line of `upheaval adjudicate` describes it."""

def plan_of(job: Job) -> str: ...
def whole_run(job: Job) -> Path | None: ...
def plan_facts(text: str) -> tuple[str, int, int]: ...
def blake3_of(bytes: bytes) -> str: ...
def dismiss_programs() -> None: ...
def keep_programs(words: list[str]) -> None: ...
@final
class RawGuard:
    @staticmethod
    def asked(arguments: list[str]) -> RawGuard | None: ...
    def run(self) -> int: ...
    def clear(self) -> None: ...

@final
class RawWorker:
    """Plays parts of a plan. Programs use `upheaval.play_part`."""

    def __new__(cls, plan: str, bots: dict[str, Any]) -> RawWorker: ...
    def play(self, part: int, threads: int) -> bytes: ...
    def dismiss(self) -> None: ...
    def faults(self) -> list[tuple[str, str]]: ...

def whole_search(job: Job) -> Path | None: ...
def run_search(
    job: Job, *, threads: int | None, afresh: bool, progress: Callable[[int, int], object] | None
) -> Path: ...
def answer_of(folder: str | PathLike[str]) -> tuple[Any, str]: ...
@final
class RawSearch:
    """A search whose tasks are played elsewhere. Programs use `upheaval.tune(…, executor=…)`."""

    def __new__(cls, job: Job, afresh: bool) -> RawSearch: ...
    @property
    def plan(self) -> str: ...
    @property
    def games(self) -> tuple[int, int]: ...
    def wanted(self) -> list[tuple[str, int]]: ...
    def accept(self, line: str) -> None: ...
    def finish(self) -> Path: ...
    def close(self) -> None: ...

@final
class RawSearcher:
    """Plays tasks of a search."""

    def __new__(cls, plan: str, bots: dict[str, Any]) -> RawSearcher: ...
    def play(self, task: str, threads: int) -> str: ...

@final
class RawSpace:
    """The settings of a search file, one at a time. Programs use `upheaval.space`."""

    def __new__(cls, job: Job, threads: int | None) -> RawSpace: ...
    def facts(self) -> Any: ...
    def measure(self, params: dict[str, Any], first: int, end: int, check: bool) -> dict[str, Any]: ...

@final
class RawDriver:
    """Accepts the parts of a plan, which are played elsewhere. Programs use `upheaval.run(…, executor=…)`."""

    @staticmethod
    def run(job: Job, afresh: bool) -> RawDriver: ...
    @staticmethod
    def watch(
        source: str | PathLike[str] | dict[str, Any],
        *,
        bots: dict[str, Any],
        seed: int | None,
        set: list[str],
    ) -> RawDriver: ...
    @staticmethod
    def check(folder: str | PathLike[str], chunks: int | None) -> RawDriver: ...
    @property
    def plan(self) -> str: ...
    @property
    def size(self) -> tuple[int, int]: ...
    @property
    def taken(self) -> tuple[int, int]: ...
    def accept(self, part: bytes) -> tuple[int, bool]: ...
    def finish(self) -> Any: ...
    def close(self) -> None: ...

def encode(
    games: NDArray[np.int32],
    nodes: NDArray[np.int32],
    edges: NDArray[np.int32],
    seats: NDArray[np.int32],
    asks: NDArray[np.int32],
    orders: NDArray[np.int32],
    committed: NDArray[np.int32],
) -> tuple[NDArray[np.uint32], NDArray[np.uint8], NDArray[np.uint16], NDArray[np.uint8], NDArray[np.int16]]: ...

@final
class RawBatch:
    """A batch behind a lock, because several threads may use a Python object. Programs use `upheaval.Batch`."""

    def __new__(
        cls,
        variant: VariantLike,
        num_games: int,
        seats: dict[str, str | dict[str, Any]] | None,
        seed: int,
        last_year: int | None,
        threads: int,
        autoreset: str,
        reward: str | None,
    ) -> RawBatch: ...
    @property
    def powers(self) -> list[str]: ...
    def last_year(self) -> int: ...
    def reset(self, seed: int | None) -> None: ...
    def reset_slots(self, slots: list[int]) -> None: ...
    def step(self, choices: NDArray[np.int32]) -> None: ...
    def advise(self, bot: str | dict[str, Any]) -> NDArray[np.int32]: ...
    def sizes(self) -> list[int]: ...
    def final_sizes(self) -> list[int]: ...
    def fill(
        self,
        last: bool,
        games: NDArray[np.int32],
        nodes: NDArray[np.int32],
        edges: NDArray[np.int32],
        seats: NDArray[np.int32],
        asks: NDArray[np.int32],
        orders: NDArray[np.int32],
    ) -> None: ...
    def outcomes(
        self, rewards: NDArray[np.float32], terminated: NDArray[np.bool_], truncated: NDArray[np.bool_]
    ) -> None: ...
    def ended(self) -> list[Any]: ...
    def hashes(self) -> list[int]: ...
    def order_text(self, row: int) -> str: ...
    def fill_padded(
        self,
        last: bool,
        bounds: list[int],
        of_games: NDArray[np.int32],
        of_seats: NDArray[np.int32],
        nodes: NDArray[np.int32],
        edges: NDArray[np.int32],
        asks: NDArray[np.int32],
        orders: NDArray[np.int32],
        mask: NDArray[np.int8],
    ) -> None: ...
    def bounds_needed(self) -> list[int]: ...
    def step_padded(self, bounds: list[int], choices: NDArray[np.int32]) -> None: ...
