"""The examples do what they say."""

import importlib
from pathlib import Path

import pytest


def test_a_policy_learns_to_beat_random(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent.parent / "examples"))
    policy_gradient = importlib.import_module("policy_gradient")
    weights, course = policy_gradient.learn("black-hole", steps=25, games=64, years=4, seed=1)
    assert course[0] < 15 < 18 < course[-1], "seven of a kind hold a seventh each"
    # It has no size of a map anywhere, so that it plays boards that it was not trained on.
    shares = {variant: policy_gradient.evaluate(variant, weights, 64, 3, 2) for variant in ("standard", "seismic-1971")}
    assert min(shares.values()) > 15, shares
