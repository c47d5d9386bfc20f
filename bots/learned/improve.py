"""Improves the network by playing: some seats of each game are its own, the others are bots; orders with better results than expected
become more likely (PPO)."""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import upheaval as up
from jax import Array

from network import Inputs, Params, as_numpy, forward
from play import Drawn, draw
from samples import Seat, filled
from train import SEATS, grouped, log_probs

CLIP, ENTROPY, VALUE, LAMBDA = 0.15, 0.0, 1.0, 0.9


def loss(
    params: Params, inputs: Inputs, ask: Array, chosen: Array, worth: Array, gain: Array, old: Array
) -> tuple[Array, Any]:
    """The clipped objective over the choices of each seat, and the error of the values."""
    logits, value = forward(params, inputs)
    logs = log_probs(logits, ask, chosen.shape[1])
    there = chosen >= 0
    own = jnp.take_along_axis(logs, jnp.maximum(chosen, 0), 1)
    # Each choice separately: the combined ratio would be far from one after the smallest step.
    ratio = jnp.exp(jnp.clip(jnp.where(there, own - old, 0.0), -10, 10))
    gains = jnp.where(there, gain[:, None], 0.0)
    count = jnp.maximum(there.sum(), 1)
    better = jnp.minimum(ratio * gains, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * gains).sum() / count
    rows = chosen.shape[0]
    # Only for the asks that are drawn here.
    drawn = jnp.pad(there, ((0, 0), (0, 1)))[jnp.arange(rows)[:, None], ask]
    entropy = -(jnp.exp(logs) * logs * drawn).sum() / count
    off = jnp.square(value - worth).mean()
    return VALUE * off - better - ENTROPY * entropy, (better, off, entropy, (jnp.abs(ratio - 1) * there).sum() / count)


@partial(jax.jit, static_argnums=0, donate_argnums=(1, 2))
def step(optimizer: Any, params: Params, state: Any, *of: Any) -> tuple[Params, Any, Any]:
    """One step."""
    (_, told), gradient = jax.value_and_grad(loss, has_aux=True)(params, *of)
    updates, state = optimizer.update(gradient, state, params)
    return optax.apply_updates(params, updates), state, told


@dataclass
class Table:
    """Games of one variant, with the draws of each seat that have not been evaluated yet."""

    variant: str
    own: list[str]
    others: str
    games: int
    years: int
    seed: int
    open: dict[tuple[int, int], list[Drawn]] = field(default_factory=dict)
    shares: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        first = int(up.Variant(self.variant).first_phase[1:5])
        self.batch = up.Batch(
            self.variant,
            self.games,
            {**{power: up.CALLER for power in self.own}, "*": self.others},
            seed=self.seed,
            last_year=first + self.years - 1,
            threads=1,
            reward="sum-of-squares",
        )
        self.seen = self.batch.reset()

    def play(self, params: Params, steps: int, dice: np.random.Generator, passes: int) -> list[tuple[Seat, float]]:
        """Plays some stages; returns the positions of the games that have ended, each with its advantage."""
        judged: list[tuple[Seat, float]] = []
        for _ in range(steps):
            choices, drawn = draw(params, self.seen, passes, 1.0, dice)
            for one in drawn:
                slot, power = self.seen.seats[one.row, :2]
                self.open.setdefault((int(slot), int(power)), []).append(one)
            self.seen, rewards, *_, info = self.batch.step(choices)
            for ended in info.ended:
                slot = ended["slot"]
                for power in range(len(self.batch.powers)):
                    course = self.open.pop((slot, power), None)
                    if course:
                        judged += self._judge(course, float(rewards[slot, power]) / 100)
        return judged

    def _judge(self, course: list[Drawn], share: float) -> list[tuple[Seat, float]]:
        """Generalised advantages of a seat's positions, without discount: the reward is the share in the end."""
        self.shares.append(share)
        advantage, after = 0.0, share
        judged = []
        for one in reversed(course):
            advantage = after - one.value + LAMBDA * advantage
            after = one.value
            one.seat.worth = one.value + advantage
            if (one.seat.chosen >= 0).any() and len(one.seat.orders) > len(one.seat.chosen):
                judged.append((one.seat, advantage))
        return judged


def improve(params: Params, args: argparse.Namespace) -> Params:
    """Alternates between playing and learning."""
    dice = np.random.default_rng(args.seed)
    optimizer = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(args.rate, eps=1e-5))
    state = optimizer.init(params)
    tables: list[Table] = []
    for number, variant in enumerate(args.variants):
        powers = up.Batch(variant, 1).powers
        own = [powers[at] for at in dice.permutation(len(powers))[: args.own]]
        tables.append(Table(variant, own, args.others, args.games, args.years, args.seed * 1000 + number))
    begun = time.perf_counter()
    iteration = 0
    waiting: list[tuple[Seat, float]] = []
    while time.perf_counter() - begun < 60 * args.minutes:
        iteration += 1
        for table in dice.permutation(np.array(tables, object))[: args.tables]:
            waiting += table.play(params, args.steps, dice, args.passes)
        if len(waiting) < args.least:
            continue
        gains = np.array([gain for _, gain in waiting])
        gains = np.clip((gains - gains.mean()) / (gains.std() + 1e-8), -4, 4)
        for (seat, _), gain in zip(waiting, gains, strict=True):
            seat.weight = float(gain)
        told = []
        for _ in range(args.epochs):
            for group in grouped([seat for seat, _ in waiting], dice, SEATS):
                of = filled(group)
                params, state, some = step(optimizer, params, state, of.inputs, of.ask, of.chosen, of.worth, of.weight, of.old)
                told.append([float(value) for value in some])
        shares = [share for table in tables for share in table.shares[-200:]]
        print(
            f"{iteration:4} {len(waiting):5} positions, share {np.mean(shares):.3f} of the last {len(shares)} seats, "
            f"gain, off, entropy, change {' '.join(f'{value:.3f}' for value in np.mean(told, 0))}, "
            f"{time.perf_counter() - begun:.0f} s",
            flush=True,
        )
        waiting = []
        np.savez(args.out, **as_numpy(params))
    return params


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("start", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--variants", nargs="+", default=up.variants())
    parser.add_argument("--others", default="dumbbot")
    parser.add_argument("--own", type=int, default=2)
    parser.add_argument("--games", type=int, default=16)
    parser.add_argument("--tables", type=int, default=9)
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--least", type=int, default=2048)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--years", type=int, default=8)
    parser.add_argument("--passes", type=int, default=2)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    params = {name: jnp.asarray(values) for name, values in np.load(args.start).items()}
    np.savez(args.out, **as_numpy(improve(params, args)))


if __name__ == "__main__":
    main()
