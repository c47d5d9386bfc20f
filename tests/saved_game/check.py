"""Loads a saved game with the package `diplomacy` (1.1.2), and has it settle every phase: the same units and centres."""

import json
import sys

from diplomacy import Game
from diplomacy.utils.export import from_saved_game_format
from diplomacy.utils.game_phase_data import GamePhaseData


def main(path):
    with open(path, encoding="utf-8") as file:
        saved = json.loads(file.readline())
    game = from_saved_game_format(saved)
    assert game.is_game_done, "the game is over"
    phases = saved["phases"]
    assert len(game.state_history) == len(phases) - 1, "every phase is loaded"
    settled = 0
    for before, after in zip(phases, phases[1:]):
        if after["name"] == "COMPLETED":
            break
        again = Game(map_name="standard", rules=["SOLITAIRE", *saved["rules"]])
        again.set_phase_data(GamePhaseData.from_dict(before))
        again.clear_orders()
        for power, orders in before["orders"].items():
            again.set_orders(power, orders)
        again.process()
        state = again.get_state()
        where = f"{before['name']} -> {after['name']}"
        assert again.get_current_phase() == after["name"], where
        for power in state["units"]:
            for what in ("units", "centers"):
                ours, theirs = sorted(after["state"][what][power]), sorted(state[what][power])
                assert ours == theirs, f"{where}, {what} of {power}: {ours}, theirs {theirs}"
        settled += 1
    print(f"{path}: {settled} phases settled alike")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        main(name)
