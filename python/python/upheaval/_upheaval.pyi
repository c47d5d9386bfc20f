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
    """Something that was given cannot be used: a variant, an order, an experiment, a run folder."""

def variants() -> list[str]:
    """The ids of the variants that ship."""

def bots() -> list[str]:
    """The names of the bots that ship."""

def table_forms() -> dict[str, Any]:
    """What the columns and codes of the tables mean: by table its columns with their meanings, and the names of codes."""

@final
class Variant:
    """A rule set with its board."""

    def __new__(cls, variant: VariantLike) -> Variant: ...
    @staticmethod
    def from_text(text: str, map: str | None = None, name: str = "text") -> Variant:
        """The variant of a variant file's text; `map` is the text of its map file, where the map is none that ships."""
    @staticmethod
    def from_dict(keys: dict[str, Any], map: str | None = None) -> Variant:
        """The variant of a dict with the keys of a variant file."""
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
        """The text of its map file; None where the map ships."""
    def to_dict(self) -> dict[str, Any]:
        """The keys of its variant file."""
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class OrderResult:
    """The result of one order."""

    @property
    def power(self) -> str:
        """Whose order it is."""
    @property
    def order(self) -> str:
        """The order."""
    @property
    def succeeded(self) -> bool:
        """Did it succeed? The unit may have been dislodged all the same."""
    @property
    def words(self) -> list[str]:
        """The words for what came of it: `ok`, `bounce`, `cut`, `dislodged` …"""
    @property
    def reason(self) -> str | None:
        """Why it failed, if it did."""

@final
class Event:
    """Something that happened."""

    @property
    def phase(self) -> str:
        """The phase in which it happened."""
    @property
    def kind(self) -> str:
        """The kind of the event, as in the table of events."""
    @property
    def province(self) -> str | None:
        """Where."""
    @property
    def power(self) -> str | None:
        """To whom, or by whom."""
    @property
    def other(self) -> str | None:
        """The other power in it."""
    @property
    def unit(self) -> str | None:
        """The kind of unit in it."""
    @property
    def detail(self) -> str | None:
        """Text for which the other columns have no place."""

@final
class Turn:
    """The result of a stage."""

    @property
    def phase(self) -> str:
        """The phase that was settled."""
    @property
    def stage(self) -> str:
        """The stage that was settled."""
    @property
    def results(self) -> list[OrderResult]:
        """The result of each order."""
    @property
    def map_changes(self) -> list[str]:
        """The changes of the map, in order, as `upheaval map` takes them: `collapse MAR`."""
    @property
    def events(self) -> list[Event]:
        """Everything that happened, in order."""

@final
class Province:
    """A province as it was when the board was looked at."""

    @property
    def name(self) -> str:
        """Its name."""
    @property
    def kind(self) -> str:
        """`land`, `sea`, `impassable` or `outside`."""
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
        """Whose unit that is."""
    @property
    def army(self) -> list[str]:
        """The provinces that an army could go to, by itself."""
    @property
    def fleet(self) -> dict[str, list[str]]:
        """Where a fleet could go, by the coast that it is on."""
    @property
    def neighbours(self) -> list[str]:
        """All provinces next to it that an army or fleet could go to."""

@final
class Board:
    """A board as it was when it was looked at: a mapping from the names of the provinces that are there."""

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
        """The seed of what chance brings."""
    @property
    def number(self) -> int:
        """The game's number under the seed."""
    @property
    def phase(self) -> str:
        """The phase that is waited for, such as `S1901M`; of a game that is over, its last."""
    @property
    def year(self) -> int:
        """The year of the phase."""
    @property
    def stage(self) -> str:
        """The stage that waits for orders: `movement`, `retreats`, `coasts`, `adjustments`, `seismic`, or `over`."""
    @property
    def is_game_done(self) -> bool:
        """Is the game over?"""
    @property
    def outcome(self) -> list[str]:
        """The powers that won or share the draw; an empty list while the game is played, and of a draw of nobody."""
    @property
    def winner(self) -> str | None:
        """The power that won alone."""
    @property
    def state_hash(self) -> str:
        """The hash of the state, sixteen hexadecimal digits: what a run's table of games has as `state_hash`."""
    @property
    def is_imagined(self) -> bool:
        """Was the game imagined, and not played from its start?"""
    @property
    def centres_to_win(self) -> int:
        """The supply centres that would win now."""
    @property
    def board(self) -> Board:
        """The board as it is now, as a mapping from the names of provinces."""
    def get_current_phase(self) -> str:
        """The phase that is waited for."""
    def awaited(self) -> list[str]:
        """The powers that can order something now."""
    def legal_orders(self, power: str) -> dict[str, list[str]]:
        """Everything that a power can order, by what it is about: `{'A PAR': ['A PAR H', …], …}`."""
    def get_all_possible_orders(self) -> dict[str, list[str]]:
        """Everything that can be ordered, by location: `{'PAR': ['A PAR H', …], …}`."""
    @overload
    def get_orderable_locations(self, power: str) -> list[str]:
        """The locations at which a power can order something; of all powers, by power."""
    @overload
    def get_orderable_locations(self, power: None = None) -> dict[str, list[str]]: ...
    def set_orders(self, power: str, orders: list[str], *, strict: bool = True) -> list[tuple[str, str]]:
        """Gives all of a power's orders for this phase, in place of those that it has given. Orders that cannot be given
        raise an `UpheavalError` that says why of each; with `strict=False` they are left out, and returned with their
        reasons."""
    @overload
    def get_orders(self, power: str) -> list[str]:
        """The orders that a power has given for this phase; of all powers, by power."""
    @overload
    def get_orders(self, power: None = None) -> dict[str, list[str]]: ...
    def clear_orders(self, power: str | None = None) -> None:
        """Takes back the orders of a power, or of all."""
    @overload
    def get_units(self, power: str) -> list[str]:
        """The units of a power; of all powers, by power. Dislodged units are not among them."""
    @overload
    def get_units(self, power: None = None) -> dict[str, list[str]]: ...
    @overload
    def get_centers(self, power: str) -> list[str]:
        """The supply centres of a power; of all powers, by power."""
    @overload
    def get_centers(self, power: None = None) -> dict[str, list[str]]: ...
    def process(self) -> Turn:
        """Settles the phase with the orders that have been given, and returns what came of it."""
    def board_text(self) -> str:
        """The board for people: a line for each face, then holes and waterways."""
    def board_dict(self) -> dict[str, Any]:
        """The board as `upheaval map --format json` has it."""
    def to_svg(self) -> str:
        """The board as a picture: one SVG element."""
    def _repr_svg_(self) -> str: ...
    def clone(self) -> Game:
        """The game again, to go its own way. It meets the same nature: what will happen is what would have happened."""
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, _memo: Any) -> Game: ...
    def imagine(self, power: str, seed: int) -> Game:
        """The game as a power knows it, for planning: the secrets of others and what chance will bring are guessed under
        this seed."""
    def to_bytes(self) -> bytes:
        """The game as bytes: its rules, its seed, and all orders."""
    @staticmethod
    def from_bytes(bytes: bytes) -> Game:
        """The game of such bytes: it is played again."""
    def __reduce__(self) -> tuple[Any, ...]: ...
    def to_replay(self, path: str | PathLike[str]) -> None:
        """Writes the game so far into a file that `upheaval replay` reads."""

@final
class Table:
    """A table of a run, or some columns of it: read again by each who asks for its stream, a batch at a time."""

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
        """The rows as an Arrow C stream, for polars, DuckDB, pandas, pyarrow and others."""

def run_job(
    job: Job, *, threads: int | None, afresh: bool, progress: Callable[[int, int], object] | None
) -> Path: ...
def run_sprt(
    entries: str | PathLike[str] | dict[str, Any],
    *,
    bots: dict[str, Any],
    seed: int | None,
    threads: int | None,
    progress: Callable[[int, int], object] | None,
) -> dict[str, Any]: ...
def balance_of(
    folder: str | PathLike[str], variants: list[str], against: str | None, threads: int
) -> tuple[Any, str]: ...
def standings_of(folder: str | PathLike[str], score: str) -> tuple[list[dict[str, Any]], str]: ...
def report_of(folder: str | PathLike[str], out: str | PathLike[str]) -> None: ...
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
def manifest_path(number: int) -> str: ...
def files_of_manifest(manifest: bytes, read: Callable[[str], bytes]) -> list[tuple[str, int, str]]: ...
def blake3_of(bytes: bytes) -> str: ...

@final
class RawWorker:
    """Plays parts of a plan. `upheaval.play_part` is what programs use."""

    def __new__(cls, plan: str, bots: dict[str, Any]) -> RawWorker: ...
    def play(self, part: int, threads: int) -> bytes: ...
    def faults(self) -> list[tuple[str, str]]: ...

def whole_search(job: Job) -> Path | None: ...
def run_search(
    job: Job, *, threads: int | None, afresh: bool, progress: Callable[[int, int], object] | None
) -> Path: ...
def answer_of(folder: str | PathLike[str]) -> tuple[Any, str]: ...
@final
class RawSearch:
    """A search whose tasks are played elsewhere. `upheaval.tune(…, executor=…)` is what programs use."""

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
    """The settings of a search file, one at a time. `upheaval.space` is what programs use."""

    def __new__(cls, job: Job, threads: int | None) -> RawSpace: ...
    def facts(self) -> Any: ...
    def measure(self, params: dict[str, Any], first: int, end: int, check: bool) -> dict[str, Any]: ...

@final
class RawDriver:
    """Takes the parts of a plan, which are played elsewhere. `upheaval.run(…, executor=…)` is what programs use."""

    @staticmethod
    def run(job: Job, afresh: bool) -> RawDriver: ...
    @staticmethod
    def watch(
        source: str | PathLike[str] | dict[str, Any], *, bots: dict[str, Any], seed: int | None
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
class RawLedger:
    """Keeps the record of a run whose files lie in a store. `upheaval.run_into` is what programs use."""

    def __new__(cls, job: Job, chunks_a_manifest: int | None) -> RawLedger: ...
    @property
    def folder(self) -> str: ...
    @property
    def plan(self) -> str: ...
    @property
    def size(self) -> tuple[int, int]: ...
    @property
    def taken(self) -> tuple[int, int]: ...
    def resume(self, manifest: bytes, lengths: Callable[[list[str]], list[int | None]]) -> bool: ...
    def accept(self, head: bytes) -> tuple[int, bool]: ...
    def full(self) -> list[tuple[str, bytes]]: ...
    def open(self) -> tuple[str, bytes] | None: ...
    def finish(self) -> list[tuple[str, bytes]]: ...

@final
class RawBatch:
    """A batch, behind a lock: a Python object may be used by several threads. `upheaval.Batch` is what programs use."""

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
