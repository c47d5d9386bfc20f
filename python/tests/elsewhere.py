"""What tests of runs that are played elsewhere share."""

from typing import Any

import upheaval as up

TOURNAMENT: dict[str, Any] = {
    "name": "who",
    "variants": ["standard", "deluge-ii"],
    "entrants": ["greedy", "random"],
    "format": "one-against-rest",
    "blocks": 2,
    "seed": 1,
    "last_year": 1903,
}


def files(run: up.Run) -> dict[str, bytes]:
    """Every file of a run but the manifest."""
    paths = (path for path in run.path.rglob("*") if path.is_file() and path.name != "manifest.json")
    return {str(path.relative_to(run.path)): path.read_bytes() for path in paths}
