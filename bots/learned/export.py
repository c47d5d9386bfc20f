"""Writes the network as an ONNX file for the bot in Rust: the graph of `network.forward` with whole numbers."""

from __future__ import annotations

import argparse
from pathlib import Path

import jax.numpy as jnp
import numpy as np
import onnx
import upheaval as up
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from upheaval._upheaval import blake3_of

from network import LOGIT, MOST, NEIGHBOURS, NODE_FEATURES, ONE, PLACES, POOLED, ROUNDS, SEAT_FEATURES, WIDTH, forward
from samples import filled, seats_of

Weights = dict[str, NDArray[np.float32]]


class Graph:
    """Builds the nodes of a graph in sequence."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def constant(self, name: str, values: object, kind: type = np.float32) -> str:
        """A constant, created once."""
        self.constants.setdefault(name, numpy_helper.from_array(np.asarray(values, kind), name))
        return name

    def add(self, kind: str, *inputs: str, to: str | None = None, **attributes: object) -> str:
        """Adds a node; returns the name of its output."""
        name = to or f"{kind.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def clip(self, of: str, low: float, high: float) -> str:
        return self.add("Clip", of, self.constant(f"at{low:g}", low), self.constant(f"at{high:g}", high))

    def rounded(self, of: str, by: float) -> str:
        """Division by a power of two with exact rounding."""
        scaled = self.add("Mul", of, self.constant(f"by{by:g}", 1 / by))
        return self.add("Floor", self.add("Add", scaled, self.constant("half", 0.5)))

    def activation(self, of: str) -> str:
        return self.clip(self.rounded(of, ONE), 0.0, MOST)

    def sum(self, first: str, *others: str) -> str:
        for other in others:
            first = self.add("Add", first, other)
        return first


def whole(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Weights as whole numbers, as `network.weights`."""
    return np.floor(np.clip(values * ONE, -MOST, MOST) + 0.5)


def graph_of(params: Weights) -> onnx.ModelProto:
    """The network."""
    graph = Graph()

    def times(of: str, name: str) -> str:
        return graph.add("MatMul", of, graph.constant(name, whole(params[name])))

    def bias(name: str) -> str:
        return graph.constant(name, np.floor(np.clip(params[name] * ONE * ONE, -1e6, 1e6) + 0.5))

    axis1 = graph.constant("axis1", [1], np.int64)
    entered = graph.sum(
        times("nodes", "enter"), graph.add("Unsqueeze", times("seats", "enter_seat"), axis1), bias("enter_bias")
    )
    last = graph.constant("last", [NODE_FEATURES - 1], np.int64)
    flag = graph.add("Gather", "nodes", last, axis=2)
    exists = graph.add("Mul", flag, graph.constant(f"by{ONE:g}", 1 / ONE))
    found = graph.add("Mul", graph.activation(entered), exists)
    for at in range(ROUNDS):
        by_land = graph.clip(graph.add("MatMul", "army", found), 0.0, NEIGHBOURS)
        by_sea = graph.clip(graph.add("MatMul", "fleet", found), 0.0, NEIGHBOURS)
        heard = graph.sum(
            times(found, f"keep{at}"), times(by_land, f"army{at}"), times(by_sea, f"fleet{at}"), bias(f"bias{at}")
        )
        new = graph.clip(graph.rounded(heard, ONE), -MOST, MOST)
        found = graph.add("Mul", graph.clip(graph.add("Add", found, new), 0.0, MOST), exists)

    total = graph.add("ReduceSum", found, axis1, keepdims=0)
    pooled = graph.clip(graph.rounded(total, POOLED), 0.0, MOST)
    most = graph.add("ReduceMax", found, axis1, keepdims=0)
    board = graph.add("Concat", pooled, most, "seats", axis=1)
    seat = graph.activation(graph.sum(times(board, "seat"), bias("seat_bias")))

    places = times(found, "places")
    flat = graph.add("Reshape", places, graph.constant("flat", [-1, WIDTH], np.int64))
    table = graph.add("Concat", flat, graph.constant("nowhere", np.zeros((1, WIDTH))), axis=0)
    order = graph.sum(graph.add("Unsqueeze", times(seat, "order_seat"), axis1), bias("order_bias"))
    for name in ("kind", "coast", "rank"):
        rows = graph.constant(name, whole(params[name]) * ONE)
        order = graph.add("Add", order, graph.add("Gather", rows, name + "s", axis=0))
    for place in range(PLACES):
        order = graph.add("Add", order, graph.add("Gather", table, f"place{place}", axis=0))
    order = graph.activation(order)
    order = graph.activation(graph.sum(times(order, "order"), bias("order_bias")))
    axis2 = graph.constant("axis2", [2], np.int64)
    graph.add("Squeeze", times(order, "score"), axis2, to="scores")

    worth = graph.activation(graph.sum(times(seat, "worth"), bias("worth_bias")))
    graph.add("Squeeze", graph.sum(times(worth, "value"), bias("value_bias")), axis1, to="values")

    def tensor(name: str, kind: int, *shape: str | int) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, kind, shape)

    real, number = TensorProto.FLOAT, TensorProto.INT32
    inputs = [
        tensor("nodes", real, "rows", "nodes", NODE_FEATURES),
        tensor("army", real, "rows", "nodes", "nodes"),
        tensor("fleet", real, "rows", "nodes", "nodes"),
        tensor("seats", real, "rows", SEAT_FEATURES),
        *(tensor(name, number, "rows", "orders") for name in ("kinds", "coasts", "ranks")),
        *(tensor(f"place{place}", number, "rows", "orders") for place in range(PLACES)),
    ]
    outputs = [tensor("scores", real, "rows", "orders"), tensor("values", real, "rows")]
    made = helper.make_graph(graph.nodes, "learned", inputs, outputs, list(graph.constants.values()))
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 18)], producer_name="upheaval")
    model.ir_version = 9
    onnx.checker.check_model(model)
    return model


def fixture(params: Weights) -> str:
    """The hash of the scores of the first orders on `standard`, which the bot's test in Rust compares."""
    batch = up.Batch("standard", 1, seed=0)
    seen = batch.reset()
    nothing = np.full(len(seen.asks), -1, np.int32)
    text = ""
    for seat in seats_of(seen, nothing, nothing):
        logits, value = forward({name: jnp.asarray(values) for name, values in params.items()}, filled([seat]).inputs)
        scores = np.asarray(logits)[0, : len(seat.orders)] * (ONE * ONE / LOGIT)
        text += f"{int(np.asarray(value)[0] * ONE * ONE)} {[int(score) for score in scores]}\n"
    return blake3_of(text.encode())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    params = {name: np.asarray(values, np.float32) for name, values in np.load(args.weights).items()}
    args.out.write_bytes(graph_of(params).SerializeToString())
    args.out.with_name("scores.blake3").write_text(fixture(params) + "\n")


if __name__ == "__main__":
    main()
