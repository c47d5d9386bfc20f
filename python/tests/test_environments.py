"""The environments for PettingZoo and Gymnasium fulfil their contracts."""

import warnings
from typing import Any

import numpy as np
import pytest
import upheaval as up
from gymnasium.vector import AutoresetMode
from pettingzoo.test import parallel_api_test, parallel_seed_test  # type: ignore[import-untyped]
from upheaval.gymnasium import vector_env
from upheaval.pettingzoo import parallel_env


@pytest.mark.parametrize("variant", up.variants())
def test_the_parallel_environment_keeps_its_contract(variant: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(parallel_env(variant, last_year=1903), num_cycles=60)


@pytest.mark.parametrize("variant", up.variants())
def test_the_same_seed_is_the_same_game(variant: str) -> None:
    parallel_seed_test(lambda: parallel_env(variant, last_year=1902), num_cycles=12)


def test_opponents_are_no_agents() -> None:
    env = parallel_env("standard", opponents={"*": "random", "FRANCE": "caller", "ITALY": "caller"}, last_year=1901)
    observations, _ = env.reset(seed=1)
    assert env.agents == ["FRANCE", "ITALY"] and set(observations) == {"FRANCE", "ITALY"}
    while env.agents:
        actions = {agent: env.action_space(agent).sample(observations[agent]["action_mask"]) for agent in env.agents}
        observations, rewards, terminated, truncated, _ = env.step(actions)
    assert all(truncated.values()) and not any(terminated.values())
    assert sum(rewards.values()) < 100


def test_an_environment_says_how_it_is_used() -> None:
    env = parallel_env("standard", render_mode="ansi")
    with pytest.raises(up.UpheavalError, match="must be reset"):
        env.step({})
    with pytest.raises(up.UpheavalError, match="no render mode"):
        parallel_env("standard", render_mode="human")
    first, _ = env.reset(seed=1)
    line = env.render()
    assert line is not None and line.startswith("S1901: AUSTRIA 3")
    assert set(first) == set(env.agents)
    names = list(up.columns("games"))[: len(first["ITALY"]["game"])]
    assert dict(zip(names, first["ITALY"]["game"].tolist(), strict=True)) == {
        "number": 0,
        "year": 1901,
        "season": 0,
        "stage": up.STAGES.index("movement"),
        "centres_to_win": 18,
        "last_year": 1911,
    }
    assert [first[agent]["seat"].tolist() for agent in env.agents] == [[power, -1] for power in range(7)]


def test_observations_are_the_callers_to_keep() -> None:
    env = parallel_env("black-hole", last_year=1910)
    observations, _ = env.reset(seed=1)
    kept: list[tuple[Any, Any]] = []
    row = observations["FRANCE"]["action_mask"][0]
    before = row.copy()
    del observations
    while env.agents:
        observations, *_ = env.step({})
        if env.agents:
            kept.append((observations["ITALY"]["nodes"], observations["ITALY"]["nodes"].copy()))
    assert len(kept) > 8, "more than there are memories for"
    assert (row == before).all() and all((now == then).all() for now, then in kept)
    assert len({nodes.__array_interface__["data"][0] for nodes, _ in kept}) == len(kept)


def test_memory_that_nobody_holds_is_used_again() -> None:
    env = parallel_env("standard", last_year=1903)
    env.reset(seed=1)
    places = set()
    while env.agents:
        observations, *_ = env.step({})
        if env.agents:
            places.add(observations["ITALY"]["nodes"].__array_interface__["data"][0])
    assert len(places) <= 2


def test_the_vector_environment_hands_out_what_can_be_kept() -> None:
    env = vector_env("standard", 2, power="FRANCE", last_year=1903)
    first, _ = env.reset(seed=1)
    before = {name: array.copy() for name, array in first.items()}
    for _ in range(5):
        env.step(np.zeros(env.action_space.shape or (), np.int64))
    assert all((first[name] == before[name]).all() for name in first)
    with pytest.raises(up.UpheavalError, match="one seed"):
        env.reset(seed=[1, 2])
    env.reset(seed=[None, None])
    with pytest.raises(ValueError, match="read-only"):
        first["orders"][0, 0, 0] = 7


@pytest.mark.parametrize("autoreset", ["same-step", "next-step", "disabled"])
def test_the_vector_environment_resets_as_it_says(autoreset: str) -> None:
    env = vector_env("black-hole", 3, power="FRANCE", last_year=1901, autoreset=autoreset)  # type: ignore[arg-type]
    assert env.metadata["autoreset_mode"] == AutoresetMode[autoreset.replace("-", "_").upper()]
    seen, _ = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    games = 0
    for _ in range(40):
        masks = seen["action_mask"]
        actions = np.array([env.single_action_space.sample(tuple(mask)) for mask in masks])
        seen, rewards, terminated, truncated, infos = env.step(actions)
        over = terminated | truncated
        assert env.observation_space.contains(seen) and rewards.shape == (3,)
        games += int(over.sum())
        if over.any():
            assert (infos["_ended"] == over).all()
        if over.any() and autoreset == "same-step":
            final = infos["final_obs"][np.flatnonzero(over)[0]]
            assert env.single_observation_space.contains(final)
    assert games == 3 if autoreset == "disabled" else games > 3
    if autoreset == "disabled":
        seen, _ = env.reset(options={"reset_mask": np.array([True, False, False])})
        assert (seen["asks"][:, 0, 0] >= 0).tolist() == [True, False, False]
    env.close()
