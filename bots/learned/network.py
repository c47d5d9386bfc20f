"""The network of the bot `learned`, in JAX: whole numbers in floats, so that every machine computes the same.

Activations are whole numbers from 0 to 127, where 64 is 1.0; weights are whole numbers from -127 to 127, where 64 is 1.0. No sum
in it reaches 2**24, so that 32-bit floats hold each exactly, in whatever order and with whatever instructions they are added. In
training the rounding lets gradients pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

NODE_FEATURES, SEAT_FEATURES = 36, 20
ORDER_KINDS, COASTS, RANKS = 24 * 11, 6, 6
PLACES = 4
WIDTH, ROUNDS = 48, 3
ONE = 64.0
MOST = 127.0
NEIGHBOURS = 255.0
"""The largest sum of messages from a node's neighbours, which bounds the values."""
POOLED = 32.0
"""The divisor of the sum over all nodes."""
LOGIT = 4.0
"""How many of the last layer's ones are one natural unit of a logit."""

Params = dict[str, Array]


def whole(x: Array) -> Array:
    """Rounding with straight-through gradients."""
    return x + jax.lax.stop_gradient(jnp.floor(x + 0.5) - x)


def weights(x: Array) -> Array:
    """Weights as whole numbers."""
    return whole(jnp.clip(x * ONE, -MOST, MOST))


def biases(x: Array) -> Array:
    """Biases as whole numbers, on the scale of a product."""
    return whole(jnp.clip(x * ONE * ONE, -1e6, 1e6))


def bounded(x: Array, low: float, high: float) -> Array:
    """Clipping that passes a small part of the gradient outside, so that no unit dies."""
    clipped = jnp.clip(x, low, high)
    leaky = clipped + 0.05 * (x - clipped)
    return leaky + jax.lax.stop_gradient(clipped - leaky)


def activation(x: Array) -> Array:
    """Rescales a product to an activation."""
    return bounded(whole(x / ONE), 0.0, MOST)


def init(seed: int) -> Params:
    """Random weights; all orders are equally likely."""
    dice = np.random.default_rng(seed)

    def dense(rows: int, columns: int, gain: float = 1.0) -> Array:
        return jnp.asarray(dice.normal(0, gain * np.sqrt(2 / rows), (rows, columns)), jnp.float32)

    params: Params = {
        "enter": dense(NODE_FEATURES, WIDTH),
        "enter_seat": dense(SEAT_FEATURES, WIDTH, 0.5),
        "enter_bias": jnp.zeros(WIDTH),
        "seat": dense(2 * WIDTH + SEAT_FEATURES, WIDTH),
        "seat_bias": jnp.zeros(WIDTH),
        "places": dense(WIDTH, PLACES * WIDTH, 0.7),
        "order_seat": dense(WIDTH, WIDTH, 0.5),
        "kind": dense(ORDER_KINDS, WIDTH, 4.0),
        "coast": dense(COASTS, WIDTH, 0.2),
        "rank": dense(RANKS, WIDTH, 0.2),
        "order": dense(WIDTH, WIDTH),
        "order_bias": jnp.zeros(WIDTH),
        "score": jnp.zeros((WIDTH, 1)),
        "worth": dense(WIDTH, WIDTH),
        "worth_bias": jnp.zeros(WIDTH),
        "value": jnp.zeros((WIDTH, 1)),
        "value_bias": jnp.zeros(1),
    }
    for at in range(ROUNDS):
        params |= {
            f"keep{at}": dense(WIDTH, WIDTH, 0.5),
            f"army{at}": dense(WIDTH, WIDTH, 0.25),
            f"fleet{at}": dense(WIDTH, WIDTH, 0.25),
            f"bias{at}": jnp.zeros(WIDTH),
        }
    return params


@jax.tree_util.register_dataclass
@dataclass
class Inputs:
    """Seats in padded rows."""

    nodes: Array
    """Seats × nodes × features."""
    army: Array
    """Seats × nodes × nodes: 1 where an army may go from the second to the first."""
    fleet: Array
    seats: Array
    """Seats × features."""
    orders: Array
    """Seats × orders × (kind, coast, rank, four nodes; the number of nodes where none is named)."""


def forward(params: Params, seen: Inputs) -> tuple[Array, Array]:
    """The logit of each order, and the value of each seat, from 0 to 1."""
    rows, nodes, _ = seen.nodes.shape
    entered = seen.nodes @ weights(params["enter"]) + (seen.seats @ weights(params["enter_seat"]))[:, None]
    exists = seen.nodes[..., -1:] / ONE
    found = activation(entered + biases(params["enter_bias"])) * exists
    for at in range(ROUNDS):
        by_land = bounded(seen.army @ found, 0.0, NEIGHBOURS)
        by_sea = bounded(seen.fleet @ found, 0.0, NEIGHBOURS)
        heard = (
            found @ weights(params[f"keep{at}"])
            + by_land @ weights(params[f"army{at}"])
            + by_sea @ weights(params[f"fleet{at}"])
            + biases(params[f"bias{at}"])
        )
        found = bounded(found + bounded(whole(heard / ONE), -MOST, MOST), 0.0, MOST) * exists

    pooled = bounded(whole(found.sum(1) / POOLED), 0.0, MOST)
    most = found.max(1)
    whole_board = jnp.concatenate([pooled, most, seen.seats], 1)
    seat = activation(whole_board @ weights(params["seat"]) + biases(params["seat_bias"]))

    places = (found @ weights(params["places"])).reshape(rows, nodes, PLACES, WIDTH)
    places = jnp.pad(places, ((0, 0), (0, 1), (0, 0), (0, 0)))
    row = jnp.arange(rows)[:, None]
    order = (seat @ weights(params["order_seat"]))[:, None] + biases(params["order_bias"])
    for table, column in (("kind", 0), ("coast", 1), ("rank", 2)):
        order = order + weights(params[table])[seen.orders[..., column]] * ONE
    for place in range(PLACES):
        order = order + places[row, seen.orders[..., 3 + place], place]
    order = activation(order)
    order = activation(order @ weights(params["order"]) + biases(params["order_bias"]))
    logits = (order @ weights(params["score"]))[..., 0] / (ONE * ONE / LOGIT)

    worth = activation(seat @ weights(params["worth"]) + biases(params["worth_bias"]))
    value = (worth @ weights(params["value"]))[:, 0] + biases(params["value_bias"])
    return logits, value / (ONE * ONE)


def as_numpy(params: Params) -> dict[str, Any]:
    """Weights as arrays."""
    return {name: np.asarray(values) for name, values in params.items()}
