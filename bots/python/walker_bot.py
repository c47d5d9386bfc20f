#!/usr/bin/env python3
"""A bot that walks each unit towards the nearest centre that its power does not own, on the current map.

It knows no legal orders: where armies and fleets can go is in the map, which it receives once, and then its changes.
It takes over adjustments, retreats and everything else from the random bot.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from random_bot import RandomBot
from upheaval_bot import Game


class WalkerBot(RandomBot):
    name = "walker in Python"
    legal = False

    def movement(self, game: Game, request: dict[str, Any]) -> list[str]:
        own = request["powers"][game.power]
        # If two units would go there, the second stays: they would only bounce.
        taken: set[str] = set()
        answer: list[str] = []
        # In random order, like the ways below: nothing depends on names or the order of lists.
        for unit in game.dice.sample(own["units"], len(own["units"])):
            to = self.step(game, unit, set(own["centers"]), set(request.get("doomed", [])), taken)
            taken.add((to or unit.split()[1]).split("/")[0])
            answer.append(f"{unit} H" if to is None else f"{unit} - {to}")
        if request.get("exempt_choices"):
            answer.append("EXEMPT " + game.dice.choice(request["exempt_choices"]))
        if request.get("may_list_retreats"):
            ways = {unit: self.ways(game, unit) for unit in own["units"]}
            answer += self.lists(game, ways)
        return answer

    def ways(self, game: Game, unit: str) -> list[str]:
        """The places that a unit could move to by itself."""
        kind, start = unit.split()
        return self.reach(game, kind, start)

    def step(self, game: Game, unit: str, owned: set[str], doomed: set[str], taken: set[str]) -> str | None:
        """The first step of a shortest path to a centre that is not ours, any of several; None if there is none."""
        kind, start = unit.split()
        queue: deque[tuple[str, str | None]] = deque([(start, None)])
        seen = {start}
        while queue:
            place, first = queue.popleft()
            province = place.split("/")[0]
            face = game.faces[province]
            if first is not None and face["supply_centre"] and province not in owned | doomed:
                return first
            ways = self.reach(game, kind, place)
            for to in game.dice.sample(ways, len(ways)):
                if to in seen or (first is None and to.split("/")[0] in taken | doomed):
                    continue
                seen.add(to)
                queue.append((to, first or to))
        return None

    def reach(self, game: Game, kind: str, place: str) -> list[str]:
        province, _, coast = place.partition("/")
        face = game.faces[province]
        if kind == "A":
            return face["army"]
        ways = face["fleet"].get(coast, [])
        # An army/fleet stays at sea.
        return ways if kind == "F" else [to for to in ways if game.faces[to.split("/")[0]]["kind"] == "sea"]

    def seismic(self, game: Game, request: dict[str, Any]) -> list[str]:
        return []


if __name__ == "__main__":
    WalkerBot().run()
