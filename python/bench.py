"""How fast games are stepped from Python, compared with other packages on this machine.

Prints a table. Each figure is the best of several rounds, in steps, moves or movement phases per second of wall time.
Packages that are not installed are left out: `pip install './python[pettingzoo]' diplomacy envpool` installs all of them.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import upheaval as up


def best(seconds: float, rounds: int, work: Callable[[], float]) -> float:
    """The highest rate per second over some rounds."""
    rates = []
    for _ in range(rounds):
        begun, done = time.perf_counter(), 0.0
        while time.perf_counter() - begun < seconds:
            done += work()
        rates.append(done / (time.perf_counter() - begun))
    return max(rates)


def batch(variant: str, games: int, threads: int) -> Callable[[], float]:
    """Steps of random choices in all seats, counted in movement phases."""
    batch = up.Batch(variant, games, seed=1, threads=threads, last_year=1910)
    dice = np.random.default_rng(1)
    state = {"seen": batch.reset()}

    def step() -> float:
        seen = state["seen"]
        phases = float((seen.games[:, 3] == up.STAGES.index("movement")).sum())
        choices = (dice.random(len(seen.asks), np.float32) * seen.counts).astype(np.int32)
        np.minimum(choices, seen.counts - 1, out=choices)
        state["seen"], *_ = batch.step(choices)
        return phases

    return step


def pettingzoo() -> Callable[[], float]:
    """Steps without actions."""
    from upheaval.pettingzoo import parallel_env

    env = parallel_env("standard", last_year=1910)
    env.reset(seed=1)

    def step() -> float:
        if not env.agents:
            env.reset()
        env.step({})
        return 1

    return step


def package_diplomacy() -> Callable[[], float]:
    """Movement phases of random legal orders in the package `diplomacy`."""
    from diplomacy import Game

    dice = np.random.default_rng(1)
    state: dict[str, Any] = {"game": Game()}

    def step() -> float:
        game = state["game"]
        if game.is_game_done or int(game.get_current_phase()[1:5] or 9999) > 1910:
            game = state["game"] = Game()
        movement = game.get_current_phase().endswith("M")
        possible = game.get_all_possible_orders()
        for power, locations in game.get_orderable_locations().items():
            game.set_orders(power, [dice.choice(possible[place]) for place in locations if possible[place]])
        game.process()
        return float(movement)

    return step


def envpool(game: str, games: int) -> Callable[[], float]:
    """Moves of random legal choices in a board game of EnvPool: C++ on one thread, one move per game and step."""
    import envpool

    env = envpool.make(game, env_type="gymnasium", num_envs=games, num_threads=1, seed=1)
    dice = np.random.default_rng(1)
    _, info = env.reset()
    state = {"mask": info["legal_action_mask"]}

    def step() -> float:
        mask = state["mask"]
        actions = (dice.random(mask.shape, np.float32) * mask).argmax(1).astype(np.int32)
        *_, info = env.step(actions, np.arange(games, dtype=np.int32))
        state["mask"] = info["legal_action_mask"]
        return float(games)

    return step


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each round")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    cases: dict[str, Callable[[], Callable[[], float]]] = {
        "Batch standard, 256 games, 1 thread (movement phases/s)": lambda: batch("standard", 256, 1),
        "Batch standard, 64 games, 1 thread (movement phases/s)": lambda: batch("standard", 64, 1),
        "Batch standard, 256 games, 2 threads (movement phases/s)": lambda: batch("standard", 256, 2),
        "Batch schizo-ii, 256 games, 1 thread (movement phases/s)": lambda: batch("schizo-ii", 256, 1),
        "PettingZoo standard (steps/s)": pettingzoo,
        "package diplomacy (movement phases/s)": package_diplomacy,
    }
    for game in ("ConnectFour-v1", "Backgammon-v1", "Chess-v1"):
        for games in (64, 256):
            cases[f"EnvPool {game}, {games} games, 1 thread (moves/s)"] = partial(envpool, game, games)
    for name, make in cases.items():
        try:
            work = make()
        except ImportError:
            continue
        print(f"{name:58} {best(given.seconds, given.rounds, work):12,.0f}", flush=True)


if __name__ == "__main__":
    main()
