"""Trains the network of the bot `learned`: first by imitating a teacher, then by playing."""

from __future__ import annotations

import argparse
import pickle
import time
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import Array

from network import Inputs, Params, as_numpy, forward, init
from samples import Filled, Seat, filled

SEATS = 64
"""Seats in a step."""


def log_probs(logits: Array, ask: Array, asks: int) -> Array:
    """The logarithm of each order's probability within its ask."""
    rows = logits.shape[0]
    segment = (jnp.arange(rows)[:, None] * (asks + 1) + ask).reshape(-1)
    flat, count = logits.reshape(-1), rows * (asks + 1)
    most = jax.ops.segment_max(flat, segment, count)
    above = flat - jax.lax.stop_gradient(most)[segment]
    total = jnp.log(jax.ops.segment_sum(jnp.exp(above), segment, count))
    return (above - total[segment]).reshape(logits.shape)


def imitation(params: Params, inputs: Inputs, ask: Array, chosen: Array, worth: Array, weight: Array) -> tuple[Array, Any]:
    """The negative log-likelihood of the choices, and the error of the values."""
    logits, value = forward(params, inputs)
    logs = log_probs(logits, ask, chosen.shape[1])
    there = (chosen >= 0) * weight[:, None]
    own = jnp.take_along_axis(logs, jnp.maximum(chosen, 0), 1)
    count = jnp.maximum(there.sum(), 1)
    miss = -(own * there).sum() / count
    # Is the chosen order the likeliest of its ask?
    rows = logits.shape[0]
    segment = (jnp.arange(rows)[:, None] * (chosen.shape[1] + 1) + ask).reshape(-1)
    most = jax.ops.segment_max(logs.reshape(-1), segment, rows * (chosen.shape[1] + 1)).reshape(rows, -1)[:, :-1]
    right = ((own >= most - 1e-6) * there).sum() / count
    off = (jnp.square(value - worth) * weight).sum() / jnp.maximum(weight.sum(), 1)
    return miss + off, (miss, right, off)


@partial(jax.jit, static_argnums=0, donate_argnums=(1, 2))
def step(optimizer: Any, params: Params, state: Any, *of: Any) -> tuple[Params, Any, Any]:
    """One step of imitation."""
    (_, told), gradient = jax.value_and_grad(imitation, has_aux=True)(params, *of)
    updates, state = optimizer.update(gradient, state, params)
    return optax.apply_updates(params, updates), state, told


def arguments(of: Filled) -> tuple[Any, ...]:
    """The inputs of the losses."""
    return of.inputs, of.ask, of.chosen, of.worth, of.weight


def grouped(seats: list[Seat], dice: np.random.Generator, size: int) -> list[list[Seat]]:
    """Seats in groups of similar size, in random order."""
    order = dice.permutation(len(seats))
    # Boards with similar sizes and numbers of orders are grouped, so that there is little padding.
    window = size * 64
    groups = []
    for begin in range(0, len(order), window):
        some = sorted(order[begin : begin + window], key=lambda at: (len(seats[at].orders), len(seats[at].nodes)))
        groups += [[seats[at] for at in some[first : first + size]] for first in range(0, len(some), size)]
    return [groups[at] for at in dice.permutation(len(groups)) if len(groups[at]) == size]


def clone(params: Params, seats: list[Seat], epochs: int, rate: float, seed: int, minutes: float) -> Params:
    """Learns to imitate the play of the seats."""
    dice = np.random.default_rng(seed)
    held = dice.permutation(len(seats))
    test, train = [seats[at] for at in held[: len(seats) // 20]], [seats[at] for at in held[len(seats) // 20 :]]
    steps = epochs * (len(train) // SEATS)
    optimizer = optax.chain(
        optax.clip_by_global_norm(1.0),
        optax.adamw(optax.warmup_cosine_decay_schedule(0, rate, 100, max(steps, 200), rate / 20), weight_decay=1e-4),
    )
    state = optimizer.init(params)
    begun = time.perf_counter()
    for epoch in range(epochs):
        told = []
        for group in grouped(train, dice, SEATS):
            params, state, some = step(optimizer, params, state, *arguments(filled(group)))
            told.append(some)
            if len(told) % 200 == 0:
                print("   ", len(told), *(f"{float(np.mean([t[i] for t in told[-200:]])):.3f}" for i in range(3)),
                      f"{time.perf_counter() - begun:.0f} s", flush=True)
        print(f"{epoch}: learnt {' '.join(f'{float(np.mean([t[i] for t in told])):.3f}' for i in range(3))}, held back "
              f"{judge(params, test, dice)}, {time.perf_counter() - begun:.0f} s", flush=True)
        if time.perf_counter() - begun > 60 * minutes:
            break
    return params


judged = jax.jit(imitation)


def judge(params: Params, seats: list[Seat], dice: np.random.Generator) -> str:
    """The same for held-out seats."""
    told = [judged(params, *arguments(filled(group)))[1] for group in grouped(seats, dice, SEATS)]
    return " ".join(f"{float(np.mean([t[i] for t in told])):.3f}" for i in range(3))


def read(folder: Path) -> list[Seat]:
    """All positions of a folder."""
    return [seat for path in sorted(folder.glob("*.pickle")) for seat in pickle.loads(path.read_bytes())]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("games"))
    parser.add_argument("--start", type=Path)
    parser.add_argument("--out", type=Path, default=Path("cloned.npz"))
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    params = init(args.seed)
    if args.start:
        params = {name: jnp.asarray(values) for name, values in np.load(args.start).items()}
    params = clone(params, read(args.data), args.epochs, args.rate, args.seed, args.minutes)
    np.savez(args.out, **as_numpy(params))


if __name__ == "__main__":
    main()
