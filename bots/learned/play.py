"""Plays the network in batches, and measures its results against bots."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import upheaval as up
from numpy.typing import NDArray

from network import Params, forward
from samples import Seat, filled, seats_of

ROWS = 64
"""Seats that are computed at once."""

scored = jax.jit(forward)


@dataclass
class Drawn:
    """The draws for a seat in one pass."""

    seat: Seat
    """The position, with the draws and their probabilities."""
    row: int
    """The index of the seat in the observation."""
    value: float


def scores_of(params: Params, seats: list[Seat]) -> list[tuple[NDArray[np.float32], float]]:
    """The logits of each seat's orders, and its value; seats of similar size are computed together."""
    found: list[tuple[NDArray[np.float32], float]] = [(np.zeros(0, np.float32), 0.0)] * len(seats)
    order = sorted(range(len(seats)), key=lambda at: (len(seats[at].nodes), len(seats[at].orders)))
    for begin in range(0, len(order), ROWS):
        some = order[begin : begin + ROWS]
        logits, values = scored(params, filled([seats[at] for at in some], ROWS).inputs)
        logits, values = np.asarray(logits), np.asarray(values)
        for row, at in enumerate(some):
            found[at] = (logits[row, : len(seats[at].orders)], float(values[row]))
    return found


def draw(
    params: Params, seen: up.Observation, passes: int, temperature: float, dice: np.random.Generator
) -> tuple[NDArray[np.int32], list[Drawn]]:
    """Draws orders as the bot does: in each pass the most certain part of the open asks; then the network is evaluated again."""
    settled = np.full(len(seen.asks), -1, np.int32)
    begins = np.append(seen.seats[:, 4], len(seen.asks))
    drawn: list[Drawn] = []
    for left in range(passes, 0, -1):
        nothing = np.full(len(seen.asks), -1, np.int32)
        seats = seats_of(seen, nothing, settled)
        waiting = [at for at, seat in enumerate(seats) if (settled[begins[at] : begins[at + 1]] < 0).any()]
        for at, (logits, value) in zip(waiting, scores_of(params, [seats[at] for at in waiting]), strict=True):
            seat = seats[at]
            asks = seat.orders[:, 0]
            firsts = np.searchsorted(asks, np.arange(len(seat.chosen) + 1))
            open_asks = [ask for ask in range(len(seat.chosen)) if settled[begins[at] + ask] < 0]
            logs: dict[int, NDArray[np.float64]] = {}
            for ask in open_asks:
                own = logits[firsts[ask] : firsts[ask + 1]].astype(np.float64)
                logs[ask] = own - own.max() - np.log(np.exp(own - own.max()).sum())
            surest = sorted(open_asks, key=lambda ask: -logs[ask].max())[: -(-len(open_asks) // left)]
            seat.old = np.zeros(len(seat.chosen), np.float32)
            for ask in surest:
                heat = np.exp(logs[ask] / temperature) if temperature > 0 else (logs[ask] == logs[ask].max()).astype(float)
                choice = int(np.searchsorted(np.cumsum(heat), dice.random() * heat.sum(), side="right"))
                choice = min(choice, len(heat) - 1)
                settled[begins[at] + ask] = choice
                seat.chosen[ask], seat.old[ask] = choice, logs[ask][choice]
            drawn.append(Drawn(seat, at, value))
    return settled, drawn


class AtTheStart:
    """The ways of the map as it was at the start, in the place of those of the map as it is: for the ablation. Where a province
    is gone its ways are, and one that is new has none."""

    def __init__(self, seen: up.Observation) -> None:
        first = slice(0, seen.games[1, 7] if len(seen.games) > 1 else None)
        rows = seen.edges[first]
        self._ways = np.column_stack([seen.nodes[rows[:, 0], 0], seen.nodes[rows[:, 1], 0], rows[:, 2:]])

    def see(self, seen: up.Observation) -> up.Observation:
        """The observation with the moves of the starting map."""
        games, edges = seen.games.copy(), []
        ends = np.append(seen.games[1:, 6], len(seen.nodes))
        count = 0
        for slot, (begin, end) in enumerate(zip(seen.games[:, 6], ends, strict=True)):
            rows = np.full(4096, -1, np.int32)
            rows[seen.nodes[begin:end, 0]] = np.arange(begin, end)
            own = self._ways.copy()
            own[:, :2] = rows[own[:, :2]]
            own = own[(own[:, :2] >= 0).all(1)]
            games[slot, 7] = count
            count += len(own)
            edges.append(own)
        return up.Observation(
            games, seen.nodes, np.concatenate(edges).astype(np.int32), seen.seats, seen.asks, seen.orders
        )


def compete(
    params: Params,
    variant: str,
    others: str,
    games: int,
    years: int,
    passes: int,
    temperature: float,
    seed: int,
    at_the_start: bool = False,
) -> NDArray[np.float64]:
    """The share of the squares of each power among bots, game by game: a block has one game for each power."""
    first = int(up.Variant(variant).first_phase[1:5])
    dice = np.random.default_rng(seed)
    powers = up.Batch(variant, 1).powers
    shares = np.zeros((games, len(powers)))
    for at, power in enumerate(powers):
        batch = up.Batch(
            variant,
            games,
            {power: up.CALLER, "*": others},
            seed=seed,
            last_year=first + years - 1,
            threads=1,
            autoreset="disabled",
            reward="sum-of-squares",
        )
        seen = batch.reset()
        start = AtTheStart(seen)
        while len(seen.asks):
            shown = start.see(seen) if at_the_start else seen
            choices, _ = draw(params, shown, passes, temperature, dice)
            seen, rewards, *_, info = batch.step(choices)
            for ended in info.ended:
                shares[ended["slot"], at] = float(rewards[ended["slot"], at]) / 100
    return shares


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--variants", nargs="+", default=up.variants())
    parser.add_argument("--others", default="dumbbot")
    parser.add_argument("--games", type=int, default=9)
    parser.add_argument("--years", type=int, default=10)
    parser.add_argument("--passes", type=int, default=2)
    parser.add_argument("--temperature", type=float, default=0.3)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--at-the-start", action="store_true", help="show it the moves of the map at the start")
    args = parser.parse_args()
    params = {name: jnp.asarray(values) for name, values in np.load(args.weights).items()}
    for variant in args.variants:
        shares = compete(
            params, variant, args.others, args.games, args.years, args.passes, args.temperature, args.seed, args.at_the_start
        )
        blocks = shares.mean(1)
        half = 1.96 * blocks.std(ddof=1) / len(blocks) ** 0.5
        print(f"{variant}: {blocks.mean():.3f} ± {half:.3f} (even: {1 / shares.shape[1]:.3f})", flush=True)


if __name__ == "__main__":
    main()
