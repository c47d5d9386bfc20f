"""PPO of Ray RLlib on the PettingZoo environment, with the network of `ppo.py` and masked orders.

One power learns among bots of the engine, through `ParallelPettingZooEnv` and RLlib's new API stack. If several powers are
given, they share one policy and all learn at once.

    pip install './python[examples]'
    python python/examples/rllib.py --variant black-hole --iterations 25
"""

from __future__ import annotations

import argparse
import logging
import time
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import ray
import torch
import upheaval as up
from numpy.typing import NDArray
from ppo import COLUMNS, PLACES, SEAT_FEATURES, Boards, Network, interval, node_features
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.distribution.torch.torch_distribution import TorchMultiCategorical
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv
from ray.tune.registry import register_env
from torch import Tensor

from upheaval.pettingzoo import parallel_env

LEARNER = "learner"
TABLES = ("nodes", "edges", "asks", "orders")
# Smaller than the package's bounds for all variants and long games, because RLlib copies each observation several
# times.
BOUNDS = up.Bounds(nodes=96, edges=768, asks=24, orders=640, choices=96)


@dataclass
class Args:
    """The settings of the command line."""

    variant: str = "black-hole"
    powers: str = "FRANCE"
    """The powers that learn, separated by commas."""
    opponents: str = "random"
    years: int = 5
    seed: int = 1
    iterations: int = 25
    steps: int = 1024
    """Stages per iteration."""
    envs: int = 8
    epochs: int = 4
    minibatch: int = 256
    learning_rate: float = 2e-3
    entropy: float = 0.01
    width: int = 32
    rounds: int = 2
    evaluation_games: int = 128


def environment(given: dict[str, Any]) -> parallel_env:
    """The PettingZoo environment of a variant in which some powers learn."""
    variant: str = given["variant"]
    last_year = int(up.Variant(variant).first_phase[1:5]) + given["years"] - 1
    return parallel_env(
        variant,
        opponents={**dict.fromkeys(given["powers"].split(","), up.CALLER), "*": given["opponents"]},
        seed=given["seed"],
        last_year=last_year,
        reward="centre-count",
        bounds=BOUNDS,
    )


class ParallelEnv(ParallelPettingZooEnv):
    """The environment in RLlib's form; a reward of 1 is an equal share of the centres."""

    def __init__(self, given: dict[str, Any]) -> None:
        of = environment(given)
        super().__init__(of)
        self._even = 100 / len(up.Variant(given["variant"]).powers)
        self.agents = self.possible_agents = list(of.possible_agents)

    def step(self, action_dict: dict[str, Any]) -> tuple[Any, ...]:
        seen, rewards, terminated, truncated, infos = super().step(action_dict)
        # A game that ends because of its last year has been scored: RLlib must not add the value of its last board.
        over = {agent: end or truncated[agent] for agent, end in terminated.items()}
        shares = {agent: reward / self._even for agent, reward in rewards.items()}
        return seen, shares, over, dict.fromkeys(truncated, False), infos


def boards_of(seen: dict[str, Any]) -> tuple[Boards, NDArray[np.int64]]:
    """The boards of a batch of padded observations, and for each ask its row among all asks, padding included."""
    nodes, edges, asks, orders = (seen[table].numpy() for table in TABLES)
    mask = np.stack([of.numpy() for of in seen["action_mask"]], 1) > 0
    ask, order = COLUMNS["asks"], COLUMNS["orders"]
    there = nodes[:, :, 0] >= 0
    # The number of each node among the existing ones, in the row of its seat; the last is for "none".
    number = np.full((there.shape[0], there.shape[1] + 1), -1)
    number[:, :-1][there] = np.arange(there.sum())
    seat, _ = np.nonzero(there)
    power = asks[:, 0, ask["seat"]]
    edge_seat, edge = np.nonzero(edges[:, :, 0] >= 0)
    ends = edges[edge_seat, edge]
    ask_seat, ask_row = np.nonzero(asks[:, :, ask["seat"]] >= 0)
    order_ask, place = np.nonzero(mask[ask_seat, ask_row])
    own = asks[ask_seat, ask_row][order_ask]
    named = orders[ask_seat[order_ask], own[:, ask["begin"]] + place]
    columns = [order[name] for name in PLACES]
    tables = (
        node_features(nodes[there], power[seat], np.zeros(len(seat), np.bool_)),
        seat,
        np.column_stack([number[edge_seat, ends[:, 0]], number[edge_seat, ends[:, 1]], ends[:, 2]]),
        # Fixed shapes have neither the stage nor the year.
        np.zeros((len(nodes), SEAT_FEATURES), np.float32),
        ask_seat,
        order_ask,
        place,
        np.column_stack([named[:, order["kind"]], own[:, ask["kind"]]]).astype(np.int64),
        number[ask_seat[order_ask], :][np.arange(len(named))[:, None], named[:, columns]],
    )
    return Boards(*(torch.from_numpy(table) for table in tables)), ask_seat * asks.shape[1] + ask_row


class GraphModule(TorchRLModule, ValueFunctionAPI):
    """Logits of all choices of all asks, the smallest number where the mask forbids them, and the value of the seat."""

    def setup(self) -> None:
        self.network = Network(self.model_config["width"], self.model_config["rounds"])
        # One draw for each ask.
        choices = self.action_space.nvec.tolist()
        self.action_dist_cls = TorchMultiCategorical.get_partial_dist_cls(input_lens=choices)

    def _scores(self, seen: dict[str, Any]) -> tuple[Tensor, Tensor]:
        boards, rows = boards_of(seen)
        scores, values = self.network(boards)
        mask = torch.stack(list(seen["action_mask"]), 1)
        seats, asks, choices = mask.shape
        least = torch.finfo(torch.float32).min
        # An unused ask has one choice, the first.
        logits = torch.where(mask > 0, 0.0, least).view(seats * asks, choices)
        wide = torch.nn.functional.pad(scores, (0, choices - scores.shape[1]), value=least)
        return logits.index_copy(0, torch.from_numpy(rows), wide).view(seats, asks * choices), values

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return {Columns.ACTION_DIST_INPUTS: self._scores(batch[Columns.OBS])[0]}

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        logits, values = self._scores(batch[Columns.OBS])
        return {Columns.ACTION_DIST_INPUTS: logits, Columns.EMBEDDINGS: values}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Tensor:
        return self._scores(batch[Columns.OBS])[1] if embeddings is None else embeddings


def config_of(args: Args) -> PPOConfig:
    """RLlib's configuration."""
    register_env("upheaval", ParallelEnv)
    model = {"width": args.width, "rounds": args.rounds}
    return (
        PPOConfig()
        .environment("upheaval", env_config=vars(args), disable_env_checking=True)
        # RLlib seeds each of its copies of the environment once, and continues with the next games of that seed. With
        # "complete_episodes" it would begin each batch with the same seeds again, and train on the same few games.
        .env_runners(num_env_runners=0, num_envs_per_env_runner=args.envs, batch_mode="truncate_episodes")
        .multi_agent(policies={LEARNER}, policy_mapping_fn=lambda agent, episode, **_: LEARNER)
        .rl_module(
            rl_module_spec=MultiRLModuleSpec(
                rl_module_specs={LEARNER: RLModuleSpec(module_class=GraphModule, model_config=model)}
            )
        )
        .training(
            train_batch_size_per_learner=args.steps,
            minibatch_size=args.minibatch,
            num_epochs=args.epochs,
            lr=args.learning_rate,
            gamma=1.0,
            lambda_=0.95,
            clip_param=0.2,
            entropy_coeff=args.entropy,
            vf_loss_coeff=0.5,
            use_kl_loss=False,
            grad_clip=0.5,
        )
        .debugging(seed=args.seed, log_level="ERROR")
    )


def actions_of(module: Any, seen: dict[str, Any], dice: np.random.Generator) -> dict[str, NDArray[np.int64]]:
    """An action of each agent, drawn by the module; without one, drawn like the orders of `random`."""
    actions = {}
    for agent, of in seen.items():
        mask = np.stack(of["action_mask"])
        logits = np.where(mask > 0, 0.0, -np.inf)
        if module is not None:
            batch = {name: torch.from_numpy(of[name][None]) for name in TABLES}
            batch["action_mask"] = tuple(torch.from_numpy(mask[:, None]))
            with torch.no_grad():
                out = module.forward_inference({Columns.OBS: batch})[Columns.ACTION_DIST_INPUTS]
            logits = out.view(mask.shape).numpy()
        # The largest of the logits with Gumbel noise is a draw by their softmax.
        actions[agent] = np.argmax(logits + dice.gumbel(size=mask.shape), 1)
    return actions


def evaluate(args: Args, variant: str, module: Any) -> NDArray[np.float64]:
    """The mean share of the centres of the powers that learn, in percent, in each of some fresh games."""
    env = environment({**vars(args), "variant": variant, "seed": args.seed + 1_000_000})
    dice = np.random.default_rng(args.seed)
    shares = []
    for _ in range(args.evaluation_games):
        seen, _ = env.reset()
        rewards: dict[str, float] = {}
        while env.agents:
            seen, rewards, *_ = env.step(actions_of(module, seen, dice))
        shares.append(float(np.mean(list(rewards.values()))))
    return np.array(shares)


def learn(args: Args, tell: bool = False) -> tuple[Any, list[float]]:
    """Learns; returns the module, and the mean return in each iteration, where 1 is an equal share of the centres."""
    torch.set_num_threads(1)
    ray.init(num_cpus=2, include_dashboard=False, object_store_memory=200 * 2**20, logging_level=logging.ERROR)
    algorithm = config_of(args).build_algo()
    course: list[float] = []
    begun = time.perf_counter()
    for iteration in range(1, args.iterations + 1):
        of = algorithm.train()["env_runners"]
        course.append(float(of["module_episode_returns_mean"][LEARNER]))
        if tell:
            seconds = time.perf_counter() - begun
            share = course[-1] * 100 / len(up.Variant(args.variant).powers)
            print(f"{iteration:4}  {share:6.2f} % of the centres  {seconds:6.1f} s", flush=True)
    return algorithm.get_module(LEARNER), course


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for field in fields(Args):
        parser.add_argument("--" + field.name.replace("_", "-"), type=type(field.default), default=field.default)
    args = Args(**vars(parser.parse_args()))
    module, _ = learn(args, tell=True)
    print(f"\n{args.evaluation_games} fresh games of {args.years} years, {args.powers} among `{args.opponents}`, at the end:")
    for variant in dict.fromkeys([args.variant, "standard", "seismic-1971"]):
        own, other = evaluate(args, variant, module), evaluate(args, variant, None)
        more = interval(own - other)
        print(f"{variant:18} policy {interval(own)} % of the centres, `random` {interval(other)}, difference {more}")


if __name__ == "__main__":
    main()
