#!/usr/bin/env python3
"""A bot that draws one of the legal orders for each unit, each equally likely. It plays every variant."""

from __future__ import annotations

from typing import Any

from upheaval_bot import Bot, Game


class RandomBot(Bot):
    name = "random in Python"
    legal = True

    def movement(self, game: Game, request: dict[str, Any]) -> list[str]:
        orders = {unit: game.dice.choice(legal) for unit, legal in request["legal"].items()}
        answer = list(orders.values()) + self.landings(game, request, orders)
        answer += self.lists(game, request.get("retreats", {}))
        if request.get("exempt_choices"):
            answer.append("EXEMPT " + game.dice.choice(request["exempt_choices"]))
        # Rarely, so that there are games with secrets.
        if request.get("may_announce") and game.dice.randrange(16) == 0:
            answer.append("ANNOUNCE")
        answer += [f"{topic} {game.dice.choice(options)}" for topic, options in request.get("polls", {}).items()]
        return answer

    def lists(self, game: Game, places: dict[str, list[str]]) -> list[str]:
        """Where retreats are sent with the orders: some of the places that each unit could go to, in any order."""
        answer: list[str] = []
        for unit, ways in places.items():
            listed = game.dice.sample(ways, game.dice.randrange(len(ways) + 1))
            if listed:
                answer.append(f"{unit} R {' '.join(listed)}")
        return answer

    def landings(self, game: Game, request: dict[str, Any], orders: dict[str, str]) -> list[str]:
        """An army that is aboard a fleet, or boards it now, may land from the sea that its fleet is in or sails to."""
        answer: list[str] = []
        taken: set[str] = set()
        fleets = list(request.get("landings", {}).items())
        game.dice.shuffle(fleets)
        for fleet, landings in fleets:
            sea = fleet.split()[1]
            boarded = any(order.endswith(f" E F {sea}") for order in orders.values())
            if not fleet.startswith("A/F ") and not boarded:
                continue
            words = orders[fleet].split()
            here = words[3] if words[2] == "-" else sea
            ashore = [landing for landing in landings if landing.split()[1] == here]
            # One landing from each sea: of two fleets that are bound for the same one, one will not get there.
            if here not in taken and ashore and game.dice.randrange(2) == 0:
                taken.add(here)
                answer.append(game.dice.choice(ashore))
        return answer

    def retreats(self, game: Game, request: dict[str, Any]) -> list[str]:
        answer = []
        for dislodged in request["dislodged"]:
            # Disbanding is one choice among the others.
            to = game.dice.choice([None, *dislodged["options"]])
            answer.append(f"{dislodged['unit']} D" if to is None else f"{dislodged['unit']} R {to}")
        return answer

    def adjustments(self, game: Game, request: dict[str, Any]) -> list[str]:
        if "removals" in request:
            return self.removals(game, request)
        answer: list[str] = []
        built: set[str] = set()
        sites = list(request["sites"])
        game.dice.shuffle(sites)
        for order in sites:
            province = order.split()[1].split("/")[0]
            if len(answer) < request["builds"] and province not in built:
                built.add(province)
                answer.append(order)
        return answer

    def removals(self, game: Game, request: dict[str, Any]) -> list[str]:
        units = list(request["powers"][game.power]["units"])
        game.dice.shuffle(units)
        answer: list[str] = []
        left = request["removals"]
        for unit in units:
            if left == 0:
                break
            if unit.startswith("A/F ") and left == 1:
                # An army/fleet is two units: only the army goes.
                answer.append(f"A {unit.split()[1]} D")
                left -= 1
            else:
                answer.append(f"{unit} D")
                left -= 2 if unit.startswith("A/F ") else 1
        return answer

    def seismic(self, game: Game, request: dict[str, Any]) -> list[str]:
        quake = game.dice.choice([None, *request["quakes"]])
        return [] if quake is None else [quake]

    def coasts(self, game: Game, request: dict[str, Any]) -> list[str]:
        answer = [f"{fleet['unit']} COAST {game.dice.choice(fleet['options'])}" for fleet in request.get("coasts", [])]
        answer += [f"{fleet} D" for fleet in request.get("trapped", []) if game.dice.randrange(2) == 0]
        return answer


if __name__ == "__main__":
    RandomBot().run()
