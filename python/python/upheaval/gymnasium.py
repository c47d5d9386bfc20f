"""Many games as a Gymnasium vector environment in which one power learns among bots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from upheaval._upheaval import UpheavalError
from upheaval.batch import Autoreset, Batch, Bounds, Memories, Padded, kept, StepInfo, whole_numbers

if TYPE_CHECKING:
    from upheaval.typing import VariantLike

Observation = dict[str, NDArray[Any]]

_INT = np.iinfo(np.int32)
_MODES: dict[Autoreset, AutoresetMode] = {
    "same-step": AutoresetMode.SAME_STEP,
    "next-step": AutoresetMode.NEXT_STEP,
    "disabled": AutoresetMode.DISABLED,
}


class vector_env(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """`num_envs` games in which the learner plays `power` and `opponents`, a bot of the engine, plays the others.

    An action is one choice for each row of `asks`; a choice that is masked out means no answer.
    """

    def __init__(
        self,
        variant: VariantLike = "standard",
        num_envs: int = 1,
        *,
        power: str,
        opponents: str | Mapping[str, Any] = "random",
        seed: int = 0,
        last_year: int | None = None,
        threads: int = 0,
        reward: str = "sum-of-squares",
        autoreset: Autoreset = "next-step",
        bounds: Bounds | None = None,
    ) -> None:
        seats = {power: "caller", "*": opponents}
        self._bounds = bounds or Bounds()
        self._batch = Batch(
            variant,
            num_envs,
            seats,
            seed=seed,
            last_year=last_year,
            threads=threads,
            reward=reward,
            autoreset=autoreset,
        )
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": _MODES[autoreset], "render_modes": []}
        self._seat = self._batch.powers.index(power)
        self._autoreset = autoreset
        self._memories = Memories(lambda: self._batch.new_padded(self._bounds))
        self._actions = np.full((num_envs, len(self._batch.powers), self._bounds.asks), -1, np.int32)
        self.single_observation_space = self._space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.single_action_space = spaces.MultiDiscrete([self._bounds.choices] * self._bounds.asks)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def _space(self) -> spaces.Dict:
        bounds, padded = self._bounds, self._batch.new_padded(Bounds(1, 1, 1, 1, 1))

        def table(*shape: int) -> spaces.Box:
            return spaces.Box(int(_INT.min), int(_INT.max), shape, np.int32)

        return spaces.Dict(
            {
                "game": table(padded.games.shape[-1]),
                "seat": table(padded.seats.shape[-1]),
                "nodes": table(bounds.nodes, padded.nodes.shape[-1]),
                "edges": table(bounds.edges, padded.edges.shape[-1]),
                "asks": table(bounds.asks, padded.asks.shape[-1]),
                "orders": table(bounds.orders, padded.orders.shape[-1]),
                "action_mask": spaces.Box(0, 1, (bounds.asks, bounds.choices), np.int8),
            }
        )

    def _observation(self, padded: Padded) -> Observation:
        seat = self._seat
        return {
            "game": kept(padded.games),
            "seat": kept(padded.seats[:, seat]),
            "nodes": kept(padded.nodes),
            "edges": kept(padded.edges),
            "asks": kept(padded.asks[:, seat]),
            "orders": kept(padded.orders[:, seat]),
            "action_mask": kept(padded.mask[:, seat]),
        }

    def _observe(self) -> Observation:
        return self._observation(self._batch.observe_padded(self._bounds, self._memories.take()))

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Restarts the games from number 0 under this seed; with `options={"reset_mask": …}` a new game in each slot
        that is masked."""
        if isinstance(seed, list):
            if any(one is not None for one in seed):
                raise UpheavalError(
                    "the games of a batch have one seed, from which their own seeds are derived; "
                    "give a number, not a list"
                )
            seed = None
        mask = (options or {}).get("reset_mask")
        if mask is not None:
            self._batch._raw.reset_slots(np.flatnonzero(np.asarray(mask)).tolist())
        else:
            self._batch._raw.reset(seed)
        return self._observe(), {}

    def step(
        self, actions: ArrayLike
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Takes one action for each game."""
        self._actions[:, self._seat] = whole_numbers(actions)
        rewards, terminated, truncated, info = self._batch.step_padded(self._bounds, self._actions)
        own = rewards[:, self._seat].copy()
        return self._observe(), own, terminated.copy(), truncated.copy(), self._info(info)

    def _info(self, info: StepInfo) -> dict[str, Any]:
        if not info.ended:
            return {}
        over = np.zeros(self.num_envs, np.bool_)
        games = np.empty(self.num_envs, object)
        for game in info.ended:
            over[game["slot"]] = True
            games[game["slot"]] = game
        infos: dict[str, Any] = {"ended": games, "_ended": over}
        if self._autoreset == "same-step" and info.final is not None:
            final = np.empty(self.num_envs, object)
            last = self._observation(self._batch.final_padded(self._bounds))
            for row, game in enumerate(info.ended):
                final[game["slot"]] = {name: rows[row] for name, rows in last.items()}
            infos["final_obs"] = final
            infos["_final_obs"] = over
        return infos

    def close_extras(self, **kwargs: Any) -> None:
        """There are no resources to release."""
