"""Boards made by dice, each with rules of a variant that ships, so that the network learns from more than one board.

Faces are the cells of points in a rectangle; a wavy field decides which of them are land. None is modelled on a board that ships.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import upheaval as up
from numpy.typing import NDArray
from scipy.spatial import Voronoi

POWERS = ["AMBER", "BRONZE", "CORAL", "DENIM", "EBONY", "FAWN", "GOLD", "HAZEL", "INDIGO", "JADE"]
RULES = [
    *["standard"] * 5,
    "black-hole",
    "black-hole-i",
    "black-hole-ii",
    "schizo-ii",
    "double-reversible",
    "seismic-acerunner",
]
"""The variants whose rules a board may have: those that name no province."""
WIDE = 1.4
"""The ratio of a board's width to its height."""
TRIES = 100

Ways = list[list[int]]
"""The neighbours of each face, counter-clockwise; -1 for the Outside."""


def cells(points: NDArray[np.float64]) -> Ways:
    """The neighbours of the cells of these points within the rectangle."""
    x, y = points.T
    mirrored = [(-x, y), (2 * WIDE - x, y), (x, -y), (x, 2 - y)]
    found = Voronoi(np.concatenate([points, *(np.column_stack(image) for image in mirrored)]))
    count = len(points)
    around: list[list[tuple[float, int]]] = [[] for _ in range(count)]
    for (first, second), corners in zip(found.ridge_points, found.ridge_vertices, strict=True):
        middle = found.vertices[corners].mean(0)
        for own, other in ((first, second), (second, first)):
            if own < count:
                east, north = middle - points[own]
                around[own].append((float(np.arctan2(north, east)), int(other) if other < count else -1))
    ways = []
    for sides in around:
        ring = [other for _, other in sorted(sides)]
        # At a corner of the board a cell meets the Outside on two sides, which are one border.
        ways.append([other for at, other in enumerate(ring) if other >= 0 or ring[at - 1] >= 0])
    return ways


def waters(ring: list[int], sea: NDArray[np.bool_]) -> int:
    """How many stretches of water a face borders on."""
    wet = [other >= 0 and bool(sea[other]) for other in ring]
    return sum(now and not wet[at - 1] for at, now in enumerate(wet))


def near(start: int, ways: Ways, land: NDArray[np.bool_]) -> list[int]:
    """All land provinces, the nearest first, with distances that include water."""
    seen, queue = {start}, [start]
    for face in queue:
        for other in ways[face]:
            if other >= 0 and other not in seen:
                seen.add(other)
                queue.append(other)
    return [face for face in queue if land[face]]


def drawn(dice: np.random.Generator) -> tuple[dict[str, Any], dict[str, list[str]]] | None:
    """A map, and the units of each power at the start; None if the dice leave too little land."""
    powers = POWERS[: dice.integers(3, len(POWERS) + 1)]
    count = int(len(powers) * dice.uniform(8, 15)) + 6
    waves = dice.normal(0, 1, (6, 2)) * 5
    phases, heights = dice.uniform(0, 2 * np.pi, 6), dice.uniform(0.5, 1, 6)

    def field(at: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray((np.cos(at @ waves.T + phases) * heights).sum(1))

    many = dice.random((count * 20, 2)) * [WIDE, 1]
    level = float(np.quantile(field(many), dice.uniform(0.3, 0.5)))
    # Waters are larger than lands.
    many = many[(field(many) > level) | (dice.random(len(many)) < 0.6)]
    points = [many[0]]
    for point in many[1:]:
        if len(points) == count:
            break
        if np.square(np.array(points) - point).sum(1).min() > 0.4 * WIDE / count:
            points.append(point)
    places = np.array(points)
    if len(places) < count:
        return None
    ways, sea = cells(places), field(places) <= level
    land = ~sea
    homes: dict[int, str] = {}
    begin = int(dice.choice(np.flatnonzero(land)))
    begins: list[int] = []
    for _ in powers:
        begins.append(begin)
        away = np.array([np.square(places - places[other]).sum(1) for other in begins]).min(0)
        begin = int(np.argmax(np.where(land, away * dice.uniform(0.6, 1, count), -1)))
    for turn in range(int(dice.integers(3, 5))):
        for power, start in zip(powers, begins, strict=True):
            # Some have a home more than others.
            if turn < 3 or dice.random() < 0.3:
                free = [face for face in near(start, ways, land) if face not in homes][:3]
                if not free:
                    return None
                homes[free[0 if turn == 0 else int(dice.integers(len(free)))]] = power
    free = [int(face) for face in dice.permutation(np.flatnonzero(land)) if int(face) not in homes]
    neutral = set(free[: int(len(powers) * dice.uniform(1.0, 2.5))])
    inland = [face for face in free if face not in neutral and -1 not in ways[face]]
    blocked = set(inland[: int(dice.integers(0, 3))])
    if len(free) < len(neutral) + len(blocked) + len(powers):
        return None

    def code(face: int) -> str:
        return "OUT" if face < 0 else f"X{face}"

    faces = {}
    units: dict[str, list[str]] = {power: [] for power in powers}
    for face, ring in enumerate(ways):
        kind = "sea" if sea[face] else "impassable" if face in blocked else "land"
        faces[code(face)] = {
            "name": f"Face {face}",
            "kind": kind,
            "supply_centre": face in homes or face in neutral,
            "home": homes.get(face),
            "neighbours_ccw": [code(other) for other in ring],
            "centre": [round(float(value) * 1000, 1) for value in places[face]],
        }
        if face in homes:
            # With two coasts, the order would have to name one.
            fleet = waters(ring, sea) == 1 and dice.random() < 0.45
            units[homes[face]].append(f"{'F' if fleet else 'A'} {code(face)}")
    return {"faces": faces}, units


def board(seed: int) -> up.Variant:
    """The board of a seed."""
    for at in range(TRIES):
        dice = np.random.default_rng([seed, at])
        made = drawn(dice)
        if made is None:
            continue
        board, units = made
        keys = up.Variant(str(dice.choice(RULES))).to_dict()
        keys.pop("sources", None)
        sites = str(dice.choice(["home", "any-owned"]))
        name = f"board-{seed}"
        keys |= {"id": name, "title": f"Board {seed}", "summary": "made by dice", "source": "boards.py", "map": f"{name}.json"}
        keys["start"] = {"phase": "S1901M", "units": units}
        if all(entry["id"] != "holes" for entry in keys.get("changes", [])):
            keys["builds"] = {"sites": sites}
        try:
            return up.Variant.from_dict(keys, json.dumps(board))
        except up.UpheavalError:
            # A map can be unsound if a board falls into unusual pieces.
            continue
    raise ValueError(f"no board in {TRIES} tries from the seed {seed}")
