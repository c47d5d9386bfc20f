"""The small half of a bot: speaks the protocol of docs/bot-protocol.md, standard library only, Python 3.11 or later.

Make a class of Bot, give it the methods that it wants to answer itself, and call its run():

    class Mine(Bot):
        name = "mine"
        def movement(self, game, request):
            return ["A PAR - BUR"]

    Mine().run()

Whatever a method does not answer is left to the game: units hold, dislodged units go where the variant sends them,
nothing is built, and missing removals are made by the rules of civil disorder.

Where a movement request says `may_list_retreats`, no request asks for retreats: `movement` gives lists of places with
its orders, `A PAR R PIC BRE`.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any, TextIO


class Game:
    """A game that is being played: who we are, the rules, and the map as it is now."""

    def __init__(self, message: dict[str, Any]) -> None:
        self.name: str = message["game"]
        self.power: str = message["power"]
        self.variant: str = message["variant"]
        self.rules: dict[str, Any] = message["rules"]
        self.last_year: int = message["last_year"]
        self.map: dict[str, Any] = message["map"]
        # All chance comes from the seed, so that the same run gives the same games.
        self.dice = random.Random(message["seed"])

    @property
    def faces(self) -> dict[str, Any]:
        return self.map["faces"]

    def change(self, changes: dict[str, Any]) -> None:
        """Brings the map up to date: tables of faces one by one, short lists whole."""
        for face in changes["gone"]:
            del self.faces[face]
        self.faces.update(changes["faces"])
        for key in ("counts", "isthmuses", "points", "waterways"):
            if key in changes:
                self.map[key] = changes[key]


class Bot:
    """Answers requests until the runner ends it."""

    name = "nameless"
    # With True, each request lists the legal orders.
    legal = False
    # With True, each request has `history`: the stages settled since the last, with their results.
    history = False
    # With True, `ready` is called for each game with its map before the first request.
    ready_again = False

    def ready(self, game: Game) -> None:
        pass

    def movement(self, game: Game, request: dict[str, Any]) -> list[str]:
        return []

    def retreats(self, game: Game, request: dict[str, Any]) -> list[str]:
        return []

    def adjustments(self, game: Game, request: dict[str, Any]) -> list[str]:
        return []

    def seismic(self, game: Game, request: dict[str, Any]) -> list[str]:
        return []

    def coasts(self, game: Game, request: dict[str, Any]) -> list[str]:
        return []

    def refused(self, game: Game, orders: list[dict[str, str]]) -> None:
        """Our orders that did not count, told with the next request: each with its phase, its text and the reason."""
        for refused in orders:
            print(f"{refused['phase']}: {refused['order']}: {refused['reason']}", file=sys.stderr)

    def result(self, game: Game, message: dict[str, Any]) -> None:
        pass

    def run(self, lines: TextIO = sys.stdin, out: TextIO = sys.stdout) -> None:
        game: Game | None = None

        def say(message: dict[str, Any]) -> None:
            # One line for each message, and nothing else on standard output: what is to be read by people goes to
            # standard error.
            out.write(json.dumps(message) + "\n")
            out.flush()

        for line in lines:
            message = json.loads(line)
            match message["type"]:
                case "hello":
                    flags = {"legal": self.legal, "history": self.history, "ready_again": self.ready_again}
                    say({"type": "id", "game": message["game"], "protocol": 1, "name": self.name, **flags})
                case "isready":
                    if game is not None and game.name == message["game"]:
                        self.ready(game)
                    say({"type": "readyok", "game": message["game"]})
                case "newgame":
                    game = Game(message)
                case "orders?" if game is not None:
                    if "changes" in message:
                        game.change(message["changes"])
                    self.refused(game, message.get("refused", []))
                    orders = getattr(self, message["asks"])(game, message)
                    echo = {key: message[key] for key in ("game", "phase", "topology_hash")}
                    say({"type": "orders", **echo, "orders": orders})
                case "result" if game is not None:
                    self.refused(game, message.get("refused", []))
                    self.result(game, message)
                    game = None
                case "quit":
                    return
                # Unknown types are skipped.
