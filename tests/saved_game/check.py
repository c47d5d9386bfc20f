"""Loads saved games with the package `diplomacy` (1.1.2), and lets it settle every phase: the units and centres must be the same.

Its adjudicator differs from ours in three ways (docs/replays.md). A phase with an order of such a kind may be settled
differently; all others must not be.
"""

import json
import sys
from collections import Counter

from diplomacy import Game
from diplomacy.utils.export import from_saved_game_format
from diplomacy.utils.game_phase_data import GamePhaseData

VIA = "a move by convoy without a convoy"
OWN = "a support against an own unit"
BY_SEA = "a unit dislodged by an army from the sea"


def province(location):
    return location.split("/")[0]


def known(phase):
    """The known differences that the orders of a phase may lead to."""
    owner = {
        province(unit.split()[1]): power
        for power, units in phase["state"]["units"].items()
        for unit in units
        if not unit.startswith("*")
    }
    dislodged = {province(unit.split()[1]) for unit, result in phase["results"].items() if "dislodged" in result}
    found = set()
    for power, orders in phase["orders"].items():
        for order in orders or []:
            words = order.split()
            result = phase["results"].get(" ".join(words[:2]), [])
            if words[-1] == "VIA" and "no convoy" in result:
                found.add(VIA)
            if words[-1] == "VIA" and not result and province(words[3]) in dislodged:
                found.add(BY_SEA)
            if words[2] == "S" and "-" in words and owner.get(province(words[-1])) == power:
                found.add(OWN)
    return found


def settled(rules, before, after):
    """The differences in the package's result of a phase, in words; `None` if there are none."""
    again = Game(map_name="standard", rules=["SOLITAIRE", *rules])
    again.set_phase_data(GamePhaseData.from_dict(before))
    again.clear_orders()
    for power, orders in before["orders"].items():
        again.set_orders(power, orders)
    again.process()
    state = again.get_state()
    for power in state["units"]:
        for what in ("units", "centers"):
            ours, theirs = sorted(after["state"][what][power]), sorted(state[what][power])
            if ours != theirs:
                return f"{what} of {power}: {ours}, theirs {theirs}"
    if again.get_current_phase() != after["name"]:
        return f"theirs is {again.get_current_phase()}"
    return None


def check(path):
    with open(path, encoding="utf-8") as file:
        saved = json.loads(file.readline())
    game = from_saved_game_format(saved)
    assert game.is_game_done, f"{path}: the game is over"
    phases = saved["phases"]
    assert len(game.state_history) == len(phases) - 1, f"{path}: every phase is loaded"
    alike, otherwise = 0, Counter()
    for before, after in zip(phases, phases[1:]):
        if after["name"] == "COMPLETED":
            break
        what = settled(saved["rules"], before, after)
        where = f"{path}, {before['name']} -> {after['name']}"
        reasons = known(before) if before["name"].endswith("M") else set()
        assert what is None or reasons, f"{where}, {what}"
        alike += what is None
        otherwise.update([] if what is None else [" and ".join(sorted(reasons))])
    return alike, otherwise


def main(paths):
    alike, otherwise = 0, Counter()
    for path in paths:
        same, other = check(path)
        alike += same
        otherwise += other
    told = [f"{count} otherwise after {reason}" for reason, count in sorted(otherwise.items())]
    print(", ".join([f"{len(paths)} games: {alike} phases settled equally", *told]))


if __name__ == "__main__":
    main(sys.argv[1:])
