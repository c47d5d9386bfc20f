"""Run folders on disk."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from upheaval._upheaval import Table, manifest_of, verify_run


class Run:
    """A run folder. Its tables speak the Arrow C stream: `polars.DataFrame(run.games)`."""

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)
        self.manifest: dict[str, Any] = manifest_of(self.path)

    def table(self, name: str, columns: Sequence[str] | None = None, variants: Sequence[str] = ()) -> Table:
        """A table, or some columns of it; of all arms, or of these. The column `variant` names the arm of a row."""
        chosen = None if columns is None else list(columns)
        return Table(self.path, name, chosen, list(variants))

    @property
    def games(self) -> Table:
        """One row for each game."""
        return self.table("games")

    @property
    def seats(self) -> Table:
        """One row for each power of each game."""
        return self.table("seats")

    @property
    def turns(self) -> Table:
        """One row for each power and season."""
        return self.table("turns")

    @property
    def topology(self) -> Table:
        """One row for each season: measures of the map."""
        return self.table("topology")

    @property
    def distances(self) -> Table:
        """Distances between home centres, where they changed."""
        return self.table("distances")

    @property
    def events(self) -> Table:
        """One row for each event."""
        return self.table("events")

    @property
    def orders(self) -> Table:
        """One row for each order, if they were recorded."""
        return self.table("orders")

    def verify(self) -> list[str]:
        """The faults of the folder; empty if it is complete and undamaged."""
        return verify_run(self.path)

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r})"

    def __fspath__(self) -> str:
        return str(self.path)
