"""A game as a PettingZoo environment in which all powers act at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike

from pettingzoo import ParallelEnv  # type: ignore[import-untyped]
from upheaval._upheaval import UpheavalError
from upheaval.batch import Batch, Bounds, Memories, kept, whole_numbers

if TYPE_CHECKING:
    from upheaval.typing import VariantLike

Observation = dict[str, Any]

_INT = np.iinfo(np.int32)


def observation_space(batch: Batch, bounds: Bounds) -> spaces.Dict:
    """The observation space of one seat."""
    shapes = batch.new_padded(Bounds(1, 1, 1, 1, 1))

    def table(*shape: int) -> spaces.Box:
        return spaces.Box(int(_INT.min), int(_INT.max), shape, np.int32)

    mask = spaces.Box(0, 1, (bounds.choices,), np.int8)
    return spaces.Dict(
        {
            "game": table(shapes.games.shape[-1]),
            "seat": table(shapes.seats.shape[-1]),
            "nodes": table(bounds.nodes, shapes.nodes.shape[-1]),
            "edges": table(bounds.edges, shapes.edges.shape[-1]),
            "asks": table(bounds.asks, shapes.asks.shape[-1]),
            "orders": table(bounds.orders, shapes.orders.shape[-1]),
            "action_mask": spaces.Tuple([mask] * bounds.asks),
        }
    )


class parallel_env(ParallelEnv):  # type: ignore[misc]
    """One game of a variant; the powers that no bot plays are the agents.

    An action is one choice for each row of `asks`; choices that are masked out, or for asks of other agents, are
    ignored. A step is one stage. An eliminated power stays an agent without asks until the game is over,
    because in some variants powers come back.
    """

    metadata = {"name": "upheaval", "render_modes": ["ansi"], "is_parallelizable": True}

    def __init__(
        self,
        variant: VariantLike = "standard",
        *,
        opponents: Mapping[str, str | Mapping[str, Any]] | None = None,
        seed: int = 0,
        last_year: int | None = None,
        reward: str | None = "sum-of-squares",
        bounds: Bounds | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise UpheavalError(f"there is no render mode `{render_mode}`; there is `ansi`")
        self._bounds = bounds or Bounds()
        self._batch = Batch(
            variant, 1, opponents, seed=seed, last_year=last_year, threads=1, autoreset="disabled", reward=reward
        )
        powers = self._batch.powers
        others = dict(opponents or {})
        star = others.get("*", "caller")
        self.possible_agents = [power for power in powers if others.get(power, star) == "caller"]
        self.agents: list[str] = []
        self.render_mode = render_mode
        self._index = {power: index for index, power in enumerate(powers)}
        self._seats = [(agent, self._index[agent]) for agent in self.possible_agents]
        self._begun = False
        self._memories = Memories(lambda: self._batch.new_padded(self._bounds))
        nobody = np.zeros(self._bounds.choices, np.int8)
        nobody[0] = 1
        nobody.setflags(write=False)
        # The masks of unused asks.
        self._not_asked = (nobody,) * self._bounds.asks
        self._actions = np.full((1, len(powers), self._bounds.asks), -1, np.int32)
        space = observation_space(self._batch, self._bounds)
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {
            agent: spaces.MultiDiscrete([self._bounds.choices] * self._bounds.asks) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.MultiDiscrete:
        return self.action_spaces[agent]

    def _observe(self) -> dict[str, Observation]:
        padded = self._batch.observe_padded(self._bounds, self._memories.take())
        game, seats, nodes, edges = (kept(of[0]) for of in (padded.games, padded.seats, padded.nodes, padded.edges))
        asks, orders, mask = kept(padded.asks[0]), kept(padded.orders[0]), kept(padded.mask[0])
        asked = (asks[:, :, 0] >= 0).sum(axis=1).tolist()
        return {
            agent: {
                "game": game,
                "seat": seats[seat],
                "nodes": nodes,
                "edges": edges,
                "asks": asks[seat],
                "orders": orders[seat],
                "action_mask": (*mask[seat, : asked[seat]], *self._not_asked[asked[seat] :]),
            }
            for agent, seat in self._seats
        }

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begins the game of this seed again; without a seed, the next game, or the first if there was none."""
        if seed is None and self._begun:
            self._batch._raw.reset_slots([0])
        else:
            self._batch._raw.reset(seed)
        self._begun = True
        self.agents = list(self.possible_agents)
        return self._observe(), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, ArrayLike]
    ) -> tuple[
        dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """Takes the actions of the agents; an agent without an action gives no answer."""
        if not self._begun:
            raise UpheavalError("the environment must be reset before its first step")
        self._actions.fill(-1)
        for agent, action in actions.items():
            self._actions[0, self._index[agent]] = whole_numbers(action)
        rewards, terminated, truncated, _ = self._batch.step_padded(self._bounds, self._actions)
        observations = self._observe()
        agents = self.agents
        of_power = rewards[0].tolist()
        over, late = bool(terminated[0]), bool(truncated[0])
        if over or late:
            self.agents = []
        return (
            observations if agents else {},
            {agent: of_power[self._index[agent]] for agent in agents},
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, late),
            {agent: {} for agent in agents},
        )

    def render(self) -> str | None:
        """The phase and the centres of each power, as a line."""
        if self.render_mode != "ansi":
            return None
        seen = self._batch.observe()
        season = ("S", "F", "W")[int(seen.games[0, 2])]
        owners = seen.nodes[:, 4]
        centres = (f"{power} {int((owners == index).sum())}" for power, index in self._index.items())
        return f"{season}{int(seen.games[0, 1])}: {', '.join(centres)}"

    def close(self) -> None:
        """There are no resources to release."""
