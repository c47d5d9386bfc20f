"""Plays games in which a teacher has a seat, and stores the positions with the teacher's orders."""

from __future__ import annotations

import argparse
import pickle
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import upheaval as up
from numpy.typing import NDArray

from boards import board
from samples import Seat, partly, seats_of


Player = Callable[[up.Batch, up.Observation, np.random.Generator], NDArray[np.int32]]
"""The bot whose orders are followed."""


def player_of(follow: str) -> Player:
    """A bot, or the network of a file of weights."""
    if not follow.endswith(".npz"):
        return lambda batch, seen, dice: batch.advise(follow)
    # The compiler of the network is not needed for bots.
    import jax.numpy as jnp

    from play import draw

    params = {name: jnp.asarray(values) for name, values in np.load(follow).items()}
    return lambda batch, seen, dice: draw(params, seen, 2, 0.3, dice)[0]


def play(
    variant: up.Variant, teacher: str | dict[str, object], follow: Player | None, others: str, games: int, years: int, seed: int
) -> list[Seat]:
    """Each power once among `others`, for some games. The teacher's orders are kept, those of `follow` are followed, if it is
    given: then positions are met to which that player comes (DAgger). In one stage of eight orders are drawn by lot."""
    dice = np.random.default_rng(seed)
    first = int(variant.first_phase[1:5])
    powers = variant.powers
    kept: list[Seat] = []
    for turn, power in enumerate(powers):
        batch = up.Batch(
            variant,
            games,
            {power: up.CALLER, "*": others},
            seed=seed * 100 + turn,
            last_year=first + years - 1,
            threads=1,
            autoreset="disabled",
            reward="sum-of-squares",
        )
        own: list[list[Seat]] = [[] for _ in range(games)]
        seen = batch.reset()
        while len(seen.asks):
            chosen = batch.advise(teacher)
            committed = partly(chosen, seen.asks[:, 0], dice, 0.5)
            # A seat with a single possible order teaches nothing.
            for seat, slot in zip(seats_of(seen, chosen, committed), seen.seats[:, 0], strict=True):
                if len(seat.orders) > len(seat.chosen):
                    own[slot].append(seat)
            strays = dice.random(len(seen.seats)) < 0.125
            wanted = follow(batch, seen, dice) if follow else chosen
            followed = np.where(strays[seen.asks[:, 0]], batch.advise("random"), wanted)
            seen, rewards, *_, info = batch.step(followed)
            for ended in info.ended:
                slot = ended["slot"]
                for seat in own[slot]:
                    seat.worth = float(rewards[slot, turn]) / 100
        kept += [seat for seats in own for seat in seats]
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("games"))
    parser.add_argument("--variants", nargs="+", default=up.variants())
    parser.add_argument("--boards", type=int, help="the number of random boards, used instead of the shipped variants")
    parser.add_argument("--teacher", default="search")
    parser.add_argument("--follow", help="the bot, or the file of weights, whose orders are followed; by default the teacher's")
    parser.add_argument("--rollouts", type=int, default=96)
    parser.add_argument("--asides", type=int, default=24)
    parser.add_argument("--others", default="dumbbot")
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--years", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    teacher = {"kind": "search", "rollouts": args.rollouts, "asides": args.asides} if args.teacher == "search" else args.teacher
    follow = player_of(args.follow) if args.follow else None
    made = (board(1000 * args.seed + at) for at in range(args.boards or 0))
    for variant in made if args.boards else map(up.Variant, args.variants):
        begun = time.perf_counter()
        kept = play(variant, teacher, follow, args.others, args.games, args.years, args.seed)
        path = args.out / f"{variant.id}-{args.teacher}-{args.seed}.pickle"
        path.write_bytes(pickle.dumps(kept))
        print(f"{variant.id}: {len(kept)} positions, {time.perf_counter() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    main()
