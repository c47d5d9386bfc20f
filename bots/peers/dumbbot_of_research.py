#!/usr/bin/env python3
"""Lets another DumbBot play here: the one of github.com/diplomacy/research, by Philip Paquette, under the MIT licence.

It is David Norman's bot in Python, written for the package `diplomacy` and independently of `dumbbot`. This file
translates between the bot protocol and that package. Neither the bot nor the package is part of this repository. To get
both:

    git clone https://github.com/diplomacy/research target/peer/research
    git -C target/peer/research checkout 304d33cf90b99eb721d3debd65ac3d4bb27b1e48
    python3 -m venv target/peer/venv
    target/peer/venv/bin/pip install diplomacy==1.1.2

To try it and to play the match of docs/bots.md:

    peer="target/peer/venv/bin/python3 bots/peers/dumbbot_of_research.py \\
        target/peer/research/diplomacy_research/players/rulesets/dumbbot_ruleset.py"
    upheaval compliance --variant standard $peer
    upheaval run experiments/dumbbot-against-its-peer.toml

The argument is the file with the bot. It knows the standard board alone, which never changes. It needs about a second
of processor time for each seat of a game to 1910.

In two points it is weaker than its idea. `--mended` as a second argument mends both:

- A centre that nobody owns is worth nothing to it. Mended, it is worth as much as one of a power of the least size.
- Its retreats do not ask where a unit may retreat to. One that is not open is refused, there as here, and the unit is
  disbanded. Mended, the unit goes to the open place that is worth most by the bot's own numbers.
"""

from __future__ import annotations

import importlib.util
import random
import sys
import types
from pathlib import Path
from typing import Any

from diplomacy import Game as Table

sys.path.append(str(Path(__file__).resolve().parents[1] / "python"))
from upheaval_bot import Bot, Game


def load(path: str) -> types.ModuleType:
    """The module in that file, without the rest of its repository.

    The one name that it imports from there makes a `diplomacy.Game` of a protocol buffer. Here the game is made
    otherwise, so that an empty stand-in suffices, and neither TensorFlow nor gRPC is needed.
    """
    for name in ("diplomacy_research", "diplomacy_research.models", "diplomacy_research.models.state_space"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["diplomacy_research.models.state_space"].build_game_from_state_proto = None
    spec = importlib.util.spec_from_file_location("dumbbot_ruleset", path)
    if spec is None or spec.loader is None or not Path(path).is_file():
        sys.exit(f"{path} is not a Python file: give the path of dumbbot_ruleset.py in the other repository")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class PeerBot(Bot):
    name = "DumbBot of diplomacy/research"

    def __init__(self, path: str, mended: bool) -> None:
        self.peer = load(path)
        self.mended = mended
        if mended:
            self.name += ", mended"
            value_unowned_centres(self.peer)
        self.table = Table(map_name="standard")
        self.playing: Game | None = None

    def movement(self, game: Game, request: dict[str, Any]) -> list[str]:
        return self.ask(game, request)[0]

    def retreats(self, game: Game, request: dict[str, Any]) -> list[str]:
        orders, worth = self.ask(game, request)
        return retreats_to_open_places(orders, worth, request["dislodged"]) if self.mended else orders

    def adjustments(self, game: Game, request: dict[str, Any]) -> list[str]:
        return self.ask(game, request)[0]

    def ask(self, game: Game, request: dict[str, Any]) -> tuple[list[str], dict[str, float]]:
        """The orders that it gives in this position, and the worth of each place for each kind of unit.

        Orders are written here as the package writes them.
        """
        if self.playing is not game:
            # It draws from the module `random`: an instance in its place makes games repeat.
            self.playing, self.peer.random = game, random.Random(game.dice.getrandbits(53))
        table = self.table
        table.set_current_phase(request["phase"])
        table.clear_units()
        table.clear_centers()
        for power, holdings in request["powers"].items():
            table.set_units(power, holdings["units"])
            table.set_centers(power, holdings["centers"])
        # The package marks a dislodged unit by a star. Those of others are left out: they occupy nothing.
        table.set_units(game.power, ["*" + dislodged["unit"] for dislodged in request.get("dislodged", [])])
        if table.error:
            sys.exit(f"{request['phase']}: the package refuses the position: {table.error}")
        worth, factors = self.peer.get_board_factors(table, game.power)
        return self.peer.decode_orders(table, game.power, worth, factors), worth


def value_unowned_centres(peer: types.ModuleType) -> None:
    """Has the module rate centres that nobody owns as those of a power without centres, which is the least size."""
    rated = peer.calculate_attack_defense

    def calculate_attack_defense(table: Table, power: str) -> tuple[dict[str, float], dict[str, float]]:
        attack, defence = rated(table, power)
        owned = {centre for each in table.powers.values() for centre in each.centers}
        for centre in table.map.scs:
            if centre not in owned:
                attack[centre] = peer.SIZE_CONSTANT
        return attack, defence

    peer.calculate_attack_defense = calculate_attack_defense


def retreats_to_open_places(
    orders: list[str], worth: dict[str, float], dislodged: list[dict[str, Any]]
) -> list[str]:
    """The same retreats, but where one is not open the best that is, if there is one that no other unit takes."""
    options = {entry["unit"]: entry["options"] for entry in dislodged}
    chosen: dict[str, str] = {}
    for order in orders:
        unit, _, to = order.partition(" R ")
        if to in options.get(unit, []):
            chosen[unit] = to
    for unit, places in options.items():
        taken = {to.split("/")[0] for to in chosen.values()}
        free = [to for to in places if to.split("/")[0] not in taken]
        if unit not in chosen and free:
            chosen[unit] = max(free, key=lambda to: worth[f"{unit[0]} {to}"])
    return [f"{unit} R {chosen[unit]}" if unit in chosen else f"{unit} D" for unit in options]


if __name__ == "__main__":
    match sys.argv[1:]:
        case [path]:
            PeerBot(path, mended=False).run()
        case [path, "--mended"]:
            PeerBot(path, mended=True).run()
        case _:
            sys.exit("expected are the path of dumbbot_ruleset.py and, if wanted, `--mended`")
