"""The examples do what they say."""

import importlib
from pathlib import Path

import pytest


def test_a_policy_learns_to_beat_random(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent.parent / "examples"))
    policy_gradient = importlib.import_module("policy_gradient")
    before, after = policy_gradient.learn("black-hole", steps=25, games=64, years=4, seed=1, quiet=True)
    assert before < 15 < 18 < after, "seven of a kind hold a seventh each"
