"""The examples do what they promise."""

import importlib
import types
from pathlib import Path

import numpy as np
import pytest
import upheaval as up


@pytest.fixture(autouse=True)
def examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent.parent / "examples"))


@pytest.fixture
def ppo() -> types.ModuleType:
    pytest.importorskip("torch")
    return importlib.import_module("ppo")


@pytest.fixture
def rllib() -> types.ModuleType:
    pytest.importorskip("torch")
    pytest.importorskip("ray.rllib")
    return importlib.import_module("rllib")


def test_a_policy_learns_to_beat_random() -> None:
    policy_gradient = importlib.import_module("policy_gradient")
    weights, course = policy_gradient.learn("black-hole", steps=25, games=64, years=4, seed=1)
    assert course[0] < 15 < 18 < course[-1], "seven equal bots hold a seventh each"
    # The network does not depend on the size of a map, so it plays boards that it was not trained on.
    shares = {variant: policy_gradient.evaluate(variant, weights, 64, 3, 2) for variant in ("standard", "seismic-1971")}
    assert min(shares.values()) > 15, shares


def test_ppo_learns_to_beat_random_and_plays_other_boards(ppo: types.ModuleType) -> None:
    args = ppo.Args(iterations=10, games=48, years=4, evaluation_games=128)
    network, course = ppo.learn(args)
    assert len(course) == 10
    for variant in ("black-hole", "seismic-1971"):
        own = ppo.evaluate(args, variant, ppo.drawing(network))[:, 1]
        other = ppo.evaluate(args, variant, ppo.random(1))[:, 1]
        assert (own - other).mean() > 1, (variant, own.mean(), other.mean())


@pytest.mark.parametrize("variant", up.variants())
def test_boards_together_are_scored_as_each_alone(ppo: types.ModuleType, variant: str) -> None:
    torch = pytest.importorskip("torch")
    torch.manual_seed(1)
    network = ppo.Network(8, 2)
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter)
    batch = ppo.batch_of(ppo.Args(years=3), variant, 4, seed=1)
    seen, policy, kept = batch.reset(), ppo.random(1), []
    for _ in range(12):
        kept.append(ppo.boards_of(seen))
        seen, *_ = batch.step(policy(seen))
    with torch.no_grad():
        alone = [network(boards) for boards in kept]
        scores, values = network(ppo.Boards.concat(kept))
    assert torch.allclose(values, torch.cat([value for _, value in alone]), atol=1e-4)
    row = 0
    for of, _ in alone:
        assert torch.allclose(scores[row : row + len(of), : of.shape[1]], of, atol=1e-4)
        row += len(of)
    assert row == len(scores)


def test_rllib_trains_on_masked_orders(rllib: types.ModuleType) -> None:
    torch = pytest.importorskip("torch")
    args = rllib.Args(powers="FRANCE,TURKEY", iterations=1, steps=48, envs=2, minibatch=24, years=2, evaluation_games=2)
    try:
        module, course = rllib.learn(args)
    finally:
        pytest.importorskip("ray").shutdown()
    assert 0 < course[0] < 3, "1 is an equal share"
    env = rllib.environment(vars(args))
    seen, _ = env.reset(seed=1)
    dice = np.random.default_rng(1)
    while env.agents:
        actions = rllib.actions_of(module, seen, dice)
        for agent, action in actions.items():
            assert all(mask[choice] for mask, choice in zip(seen[agent]["action_mask"], action, strict=True))
        seen, *_ = env.step(actions)
    assert all(0 <= share <= 100 for share in rllib.evaluate(args, "schizo-ii", module))


def test_the_network_sees_the_same_in_fixed_shapes(rllib: types.ModuleType, ppo: types.ModuleType) -> None:
    torch = pytest.importorskip("torch")
    batch = ppo.batch_of(ppo.Args(years=3), "black-hole", 4, seed=1)
    seen, policy = batch.reset(), ppo.random(1)
    france = batch.powers.index("FRANCE")
    for _ in range(20):
        padded = batch.observe_padded(rllib.BOUNDS)
        of_france = {"nodes": padded.nodes, "edges": padded.edges, "asks": padded.asks[:, france]}
        of_france |= {"orders": padded.orders[:, france]}
        tensors = {name: torch.from_numpy(table) for name, table in of_france.items()}
        tensors["action_mask"] = tuple(torch.from_numpy(padded.mask[:, france]).unbind(1))
        fixed, _ = rllib.boards_of(tensors)
        ragged = ppo.boards_of(seen)
        for name in ("node_seat", "edges", "ask_seat", "order_ask", "order_place", "order_kind", "order_nodes"):
            assert torch.equal(getattr(fixed, name), getattr(ragged, name)), name
        # All except the exempt centre, which the fixed shapes do not have.
        assert torch.equal(fixed.nodes[:, :-1], ragged.nodes[:, :-1])
        seen, *_ = batch.step(policy(seen))
