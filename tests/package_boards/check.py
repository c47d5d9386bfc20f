"""Imports every board that the package `diplomacy` (1.1.2) ships, and compares the moves of every army and fleet.

Usage: check.py UPHEAVAL, the binary. Province by province and coast by coast, the differences must be exactly those that DIFFERENCES
lists with their reasons. A board in REFUSED must be refused with one line.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import diplomacy
from diplomacy.engine.map import Map

HINTS = Path(__file__).resolve().parents[2] / "docs" / "maps" / "hints"

REFUSED = {
    "pure": "not planar",
    "known_world_901": "269 provinces; a map holds up to 256 faces",
}

RIVER = "a river or canal leads from one province into the other, and no sea lies at their border"
ISLE = "a fleet crosses where no army does, and no sea lies at the border"
SEA_ROUND = "BLA-MED crosses CON-RUM and ANG-CON; at the point where they cross, CON and BLA meet"


def both_ways(mover, pairs, reason, kind="missing"):
    found = {}
    for pair in pairs.split():
        a, b = pair.split("-")
        found[(kind, mover, a, b)] = found[(kind, mover, b, a)] = reason
    return found


ANCMED = {
    **both_ways("F", "ALE-MEM BAY-MEM BAY-THB MEM-THB", RIVER),
    **both_ways("F", "BAL-SAG BAL-TAR SAG-TAR", ISLE),
}
DIFFERENCES = {
    "ancmed": ANCMED,
    "ancmed_age_of_empires": ANCMED,
    "colonial": both_ways("F", "BLA-CON", SEA_ROUND, "extra"),
    "empire": both_ways(
        "F",
        "ARK-DSO ARK-LOU ARK-MIS ARK-TEN BEA-GAS BEA-MON BEA-NYS BEA-ONT BEA-QUE CHI-KEN CHI-MIS DSO-TEN "
        "KEN-MIS KEN-TEN MIS-TEN MON-ONT MON-QUE NYC-NYS",
        RIVER,
    ),
    "modern": both_ways("F", "ROS-VOL", RIVER),
}


def theirs(name):
    """The package's moves: armies and fleets, from and to."""
    board = Map(name, use_cache=False)
    places = sorted({place.upper() for place in board.locs})
    return {
        (mover, a, b) for mover in "AF" for a in places for b in places if board.abuts(mover, a, "-", b)
    }


def ours(report):
    """The moves of a board as `upheaval map --format json` has them."""
    moves = set()
    for code, face in report["faces"].items():
        moves |= {("A", code, to) for to in face["army"]}
        for coast, reached in face["fleet"].items():
            moves |= {("F", f"{code}/{coast}" if coast else code, to) for to in reached}
    return moves


def check(upheaval, name, folder):
    """The faults of a board, line by line."""
    hints = HINTS / f"{name.split('_')[0]}.toml"
    source = Path(diplomacy.__file__).parent / "maps" / f"{name}.map"
    out = Path(folder) / f"{name}.json"
    command = [upheaval, "map", "import", str(source), "--out", str(out)]
    command += ["--hints", str(hints)] if hints.exists() else []
    done = subprocess.run(command, capture_output=True, text=True)
    if name in REFUSED:
        lines = done.stderr.splitlines()
        fits = done.returncode == 2 and len(lines) == 1 and REFUSED[name] in lines[0] and not out.exists()
        return [] if fits else [f"{name}: is not refused as expected: {done.returncode}, {lines}"]
    if done.returncode != 0:
        return [f"{name}: {done.stderr.strip()}"]
    shown = subprocess.run(
        [upheaval, "map", "--map", str(out), "--format", "json"], capture_output=True, text=True, check=True
    )
    mine, package = ours(json.loads(shown.stdout)), theirs(name)
    found = {("missing", *move) for move in package - mine} | {("extra", *move) for move in mine - package}
    known = set(DIFFERENCES.get(name, {}))
    wrong = [f"{name}: {kind} {mover} {a} - {b}, which is not listed" for kind, mover, a, b in sorted(found - known)]
    wrong += [f"{name}: {kind} {mover} {a} - {b} is listed and not found" for kind, mover, a, b in sorted(known - found)]
    if not wrong:
        print(f"{name}: {len(package)} moves, {len(found)} differ as listed")
    return wrong


def main():
    (upheaval,) = sys.argv[1:]
    names = sorted(path.stem for path in (Path(diplomacy.__file__).parent / "maps").glob("*.map"))
    with tempfile.TemporaryDirectory() as folder:
        wrong = [line for name in names for line in check(upheaval, name, folder)]
    print("\n".join(wrong))
    sys.exit(bool(wrong))


main()
