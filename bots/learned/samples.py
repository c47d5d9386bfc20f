"""Positions with the orders given in them, in the form that the network reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import upheaval as up
from numpy.typing import NDArray
from upheaval._upheaval import encode

from network import COASTS, NODE_FEATURES, PLACES, SEAT_FEATURES, Inputs

NODES = (48, 80, 96, 128, 192, 256)
"""Numbers of nodes to which boards are padded: the network is compiled once for each."""
ORDERS = (64, 192, 384, 768, 1536, 3072, 6144, 12288, 24576, 49152)
ASKS = (8, 24, 64, 160, 512, 2048)


@dataclass
class Seat:
    """One seat's position."""

    nodes: NDArray[np.uint8]
    edges: NDArray[np.uint16]
    seat: NDArray[np.uint8]
    orders: NDArray[np.int16]
    """As produced by the encoder, but with asks numbered within the seat."""
    chosen: NDArray[np.int16]
    """For each ask the number of the chosen order; -1 if nothing can be learned from it."""
    weight: float = 1.0
    worth: float = 0.0
    """The final result of the power, from 0 to 1."""
    old: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))
    """The logarithm of the probability that each choice had."""


def seats_of(seen: up.Observation, chosen: NDArray[np.int32], committed: NDArray[np.int32]) -> list[Seat]:
    """The seats of an observation. Committed asks are not learned from."""
    begins, nodes, edges, seats, orders = encode(
        seen.games, seen.nodes, seen.edges, seen.seats, seen.asks, seen.orders, committed
    )
    asks = np.append(seen.seats[:, 4], len(seen.asks))
    wanted = np.where(committed >= 0, -1, chosen).astype(np.int16)
    found = []
    for at in range(len(seats)):
        (n0, e0, o0), (n1, e1, o1) = begins[at], begins[at + 1]
        own = orders[o0:o1].copy()
        own[:, 0] -= asks[at].astype(np.int16)
        found.append(
            Seat(nodes[n0:n1].copy(), edges[e0:e1].copy(), seats[at].copy(), own, wanted[asks[at] : asks[at + 1]].copy())
        )
    return found


def least(sizes: tuple[int, ...], needed: int) -> int:
    """The smallest of these sizes that is enough."""
    return next(size for size in sizes if size >= needed)


@dataclass
class Filled:
    """Seats in padded rows, with the choices."""

    inputs: Inputs
    ask: NDArray[np.int32]
    """The ask in its row that an order belongs to; the number of asks if there is none."""
    chosen: NDArray[np.int32]
    """For each ask the index of the chosen order in the row; -1 if there is none."""
    worth: NDArray[np.float32]
    weight: NDArray[np.float32]
    old: NDArray[np.float32]


def filled(seats: list[Seat], rows: int | None = None) -> Filled:
    """Seats as arrays."""
    count = len(seats) if rows is None else rows
    nodes = least(NODES, max(len(seat.nodes) for seat in seats))
    orders = least(ORDERS, max(max(len(seat.orders) for seat in seats), 1))
    asks = least(ASKS, max(max(len(seat.chosen) for seat in seats), 1))
    x = np.zeros((count, nodes, NODE_FEATURES), np.float32)
    ways = np.zeros((2, count, nodes, nodes), np.float32)
    board = np.zeros((count, SEAT_FEATURES), np.float32)
    rows_of_orders = np.zeros((count, orders, 3 + PLACES), np.int32)
    rows_of_orders[..., 3:] = nodes
    ask = np.full((count, orders), asks, np.int32)
    chosen = np.full((count, asks), -1, np.int32)
    old = np.zeros((count, asks), np.float32)
    worth, weight = np.zeros(count, np.float32), np.zeros(count, np.float32)
    for at, seat in enumerate(seats):
        x[at, : len(seat.nodes)] = seat.nodes
        ways[seat.edges[:, 2], at, seat.edges[:, 1], seat.edges[:, 0]] = 1
        board[at] = seat.seat
        own = seat.orders.astype(np.int32)
        ask[at, : len(own)] = own[:, 0]
        rows_of_orders[at, : len(own), :3] = own[:, 1:4]
        rows_of_orders[at, : len(own), 3:] = np.where(own[:, 4:] < 0, nodes, own[:, 4:])
        first = np.searchsorted(own[:, 0], np.arange(len(seat.chosen)))
        chosen[at, : len(first)] = np.where(seat.chosen < 0, -1, first + seat.chosen)
        worth[at], weight[at] = seat.worth, seat.weight
        old[at, : len(seat.old)] = seat.old
    assert rows_of_orders[..., 1].max() < COASTS
    return Filled(Inputs(x, ways[0], ways[1], board, rows_of_orders), ask, chosen, worth, weight, old)  # type: ignore[arg-type]


def partly(chosen: NDArray[np.int32], seat_of_ask: NDArray[np.int32], dice: Any, none: float) -> NDArray[np.int32]:
    """Marks some choices of each seat as settled: none for a part of the seats, a random part for the others."""
    seats = int(seat_of_ask.max()) + 1 if len(seat_of_ask) else 0
    share = np.where(dice.random(seats) < none, 0.0, dice.random(seats))
    return np.where(dice.random(len(chosen)) < share[seat_of_ask], chosen, -1).astype(np.int32)
