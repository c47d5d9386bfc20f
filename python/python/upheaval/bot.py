"""Custom bots: classes that play in runs, tournaments and matches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from upheaval._upheaval import UpheavalError
from upheaval.batch import Observation, whole_numbers


class Bot(ABC):
    """A custom bot: it chooses from the tables of a `Batch`, for the seats of many games at once.

    `run`, `tournament`, `sprt` and `replay` take bots by name as `bots={"mine": Mine()}`. If `choose` raises, it
    is called again for each game alone; if that raises too, the bot is at fault in that game and holds to its
    end.
    """

    version: int | str = 1
    """A part of an experiment's hash, as the name of the class is: change it when the bot plays differently."""

    repeats: bool = False
    """Does it always answer alike from the same seed? Unless a class says so, a run records the orders of all powers, is
    marked as not repeatable, and shows its games from the record."""

    @abstractmethod
    def choose(self, seen: Observation, uniform: NDArray[np.float64]) -> ArrayLike:
        """One choice for each row of `seen.asks`, as `Batch.step` takes them.

        `uniform` has a number from 0 up to 1 for each ask, drawn from the dice of its seat. A bot that uses no other
        dice, and decides about a game by the rows of that game, plays the same game again from the same seed.
        """


Bots = Mapping[str, Bot | type[Bot]]
"""Custom bots by the names used for seats; a class is called without arguments."""


def _choose(bot: Bot, uniform: NDArray[np.float64], *tables: NDArray[np.int32]) -> NDArray[np.int32]:
    choices = whole_numbers(bot.choose(Observation(*tables), uniform))
    if choices.ndim != 1:
        raise UpheavalError(f"choices must be one for each ask, in an array of one dimension, not of {choices.ndim}")
    return choices


def made(bots: Bots | None) -> dict[str, Bot]:
    """The bots, each an object with a method `choose`."""
    objects = {name: bot() if isinstance(bot, type) else bot for name, bot in (bots or {}).items()}
    for name, bot in objects.items():
        if not callable(getattr(bot, "choose", None)) or not hasattr(bot, "version") or not hasattr(bot, "repeats"):
            raise UpheavalError(f"`{name}` is a {type(bot).__name__} and not an `upheaval.Bot`")
    return objects
