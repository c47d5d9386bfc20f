"""PPO in the manner of CleanRL: one file, PyTorch, and a network over the graph of a map that changes.

One power learns among bots of the engine. The network passes messages along the edges of the current board and gives
each legal order a score from its results at the order's provinces; a softmax over the span of an ask draws one of them. The
network does not depend on the size of a map, so weights learned on one variant play every other.

    pip install './python[examples]'
    python python/examples/ppo.py --variant black-hole --iterations 40
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

import numpy as np
import torch
import upheaval as up
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.distributions import Categorical

COLUMNS = {
    table: {name: at for at, name in enumerate(up.columns(table))}
    for table in ("games", "nodes", "edges", "seats", "asks", "orders")
}
NODE_FEATURES = 20
SEAT_FEATURES = 2 + len(up.STAGES)
MEASURES = ("centres", "score: % of all centres", "% of games in the lead")
PLACES = ("unit", "target", "third", "fourth")


@dataclass
class Args:
    """The settings of the command line."""

    variant: str = "black-hole"
    power: str = "FRANCE"
    opponents: str = "random"
    years: int = 5
    seed: int = 1
    games: int = 64
    """Games that are played in parallel."""
    steps: int = 16
    """Steps of each game in an iteration."""
    iterations: int = 40
    epochs: int = 4
    minibatches: int = 4
    learning_rate: float = 2e-3
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01
    value: float = 0.5
    max_grad_norm: float = 0.5
    width: int = 32
    rounds: int = 2
    """Rounds of messages along the edges: the network sees this many moves away."""
    evaluation_games: int = 512
    threads: int = 1
    """For PyTorch and the batch. The operations are so small that a second thread waits more than it computes."""


@dataclass
class Boards:
    """The input of the network: the boards of some seats, with concatenated rows."""

    nodes: Tensor
    """Features of the nodes, seen by the seat."""
    node_seat: Tensor
    edges: Tensor
    """From, to and kind of each edge."""
    seats: Tensor
    """Features of the seats."""
    ask_seat: Tensor
    order_ask: Tensor
    order_place: Tensor
    """The index of the order within its ask."""
    order_kind: Tensor
    """Kind of order and kind of ask."""
    order_nodes: Tensor
    """The nodes that an order names; -1 where it names none."""

    @staticmethod
    def concat(of: Sequence[Boards]) -> Boards:
        """Several as one."""
        sizes = np.array([(len(boards.nodes), len(boards.seats), len(boards.ask_seat)) for boards in of])
        nodes, seats, asks = (np.cumsum(sizes, 0) - sizes).T.tolist()
        moved = [
            Boards(
                boards.nodes,
                boards.node_seat + seat,
                boards.edges + torch.tensor([node, node, 0]),
                boards.seats,
                boards.ask_seat + seat,
                boards.order_ask + ask,
                boards.order_place,
                boards.order_kind,
                torch.where(boards.order_nodes < 0, -1, boards.order_nodes + node),
            )
            for boards, node, seat, ask in zip(of, nodes, seats, asks, strict=True)
        ]
        return Boards(*(torch.cat([getattr(boards, field.name) for boards in moved]) for field in fields(Boards)))


def node_features(
    nodes: NDArray[np.int32], power: NDArray[np.int32], exempt: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """The content of each node, as the observing power sees it."""
    at = COLUMNS["nodes"]

    def column(name: str) -> NDArray[np.int32]:
        of: NDArray[np.int32] = nodes[:, at[name]]
        return of

    def sides(name: str) -> list[NDArray[np.bool_]]:
        whose = column(name)
        return [whose == power, (whose >= 0) & (whose != power)]

    centre, mine, others = column("centre") == 1, *sides("power")
    features = [
        *(column("terrain") == terrain for terrain in range(3)),
        column("coasts") > 1,
        centre,
        centre & (column("owner") < 0),
        *sides("owner"),
        *sides("home"),
        *(side & (column("unit") == unit) for side in (mine, others) for unit in range(3)),
        *sides("dislodged_power"),
        column("doomed") == 1,
        (column("sinking") == 1) | exempt,
    ]
    return np.stack(features, 1, dtype=np.float32)


def boards_of(seen: up.Observation) -> Boards:
    """The boards of the seats with asks; each game has one."""
    game, seat, ask, order = (COLUMNS[table] for table in ("games", "seats", "asks", "orders"))
    games = seen.games[seen.seats[:, seat["game"]]]
    if len(games) != len(seen.games):
        raise ValueError("each game of the batch must wait for one seat")
    ends = np.append(seen.games[1:, game["nodes"]], len(seen.nodes))
    node_seat = np.repeat(np.arange(len(games)), ends - seen.games[:, game["nodes"]])
    exempt = seen.seats[node_seat, seat["exempt"]] == np.arange(len(seen.nodes))
    # Spans may be shared, as for several builds: an order has a row here for each ask that may choose it.
    order_ask = np.repeat(np.arange(len(seen.asks)), seen.counts)
    order_place = np.arange(len(order_ask)) - np.repeat(np.cumsum(seen.counts) - seen.counts, seen.counts)
    orders = seen.orders[seen.asks[order_ask, ask["begin"]] + order_place]
    stage = np.eye(len(up.STAGES))[seen.seats[:, seat["stage"]]]
    left = games[:, game["last_year"]] - games[:, game["year"]]
    seats = np.column_stack([stage, left / 5, games[:, game["season"]]])
    kinds = np.column_stack([orders[:, order["kind"]], seen.asks[order_ask, ask["kind"]]])
    tables = (
        node_features(seen.nodes, seen.seats[node_seat, seat["power"]], exempt),
        node_seat,
        seen.edges[:, :3].astype(np.int64),
        seats.astype(np.float32),
        seen.asks[:, ask["seat"]].astype(np.int64),
        order_ask,
        order_place,
        kinds.astype(np.int64),
        orders[:, [order[place] for place in PLACES]].astype(np.int64),
    )
    return Boards(*(torch.from_numpy(table) for table in tables))


class Network(nn.Module):
    """Scores of orders and the value of each seat, from messages along the edges."""

    def __init__(self, width: int, rounds: int) -> None:
        super().__init__()
        self.enter = nn.Linear(NODE_FEATURES, width)
        # One message for each of the two kinds of edges: an army moves differently from a fleet.
        self.messages = nn.ModuleList(nn.Linear(width, 2 * width) for _ in range(rounds))
        self.keeps = nn.ModuleList(nn.Linear(width, width) for _ in range(rounds))
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(rounds))
        self.summary = nn.Sequential(nn.Linear(2 * width + SEAT_FEATURES, width), nn.ReLU())
        self.kind = nn.Embedding(len(up.ORDER_KINDS) * len(up.ASK_KINDS), width)
        self.place = nn.Linear(width, len(PLACES) * width, bias=False)
        self.whole = nn.Linear(width, width)
        self.score = nn.Sequential(nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))
        self.worth = nn.Linear(width, 1)
        # All orders are equally likely at first, as for `random`.
        for last in (self.score[-1], self.worth):
            nn.init.zeros_(last.weight)
            nn.init.zeros_(last.bias)

    def forward(self, boards: Boards) -> tuple[Tensor, Tensor]:
        """The scores of the orders of each ask, in rows padded with the smallest number, and the values of the seats."""
        width, nodes = self.enter.out_features, len(boards.nodes)
        source = boards.edges[:, 0] * 2 + boards.edges[:, 2]
        target = boards.edges[:, 1]
        share = torch.ones(nodes).index_add_(0, target, torch.ones(len(target))).reciprocal()[target, None]
        found = torch.relu(self.enter(boards.nodes))
        for message, keep, norm in zip(self.messages, self.keeps, self.norms, strict=True):
            sent = message(found).view(2 * nodes, width)[source] * share
            heard = torch.zeros(nodes, width).index_add_(0, target, sent)
            found = norm(found + torch.relu(keep(found) + heard))

        seats = len(boards.seats)
        of_seat = boards.node_seat[:, None].expand(-1, width)
        mean = torch.zeros(seats, width).scatter_reduce(0, of_seat, found, "mean", include_self=False)
        most = torch.zeros(seats, width).scatter_reduce(0, of_seat, found, "amax", include_self=False)
        whole = self.summary(torch.cat([mean, most, boards.seats], 1))

        # A row of zeros at the end is what -1 selects: no node is named there.
        places = nn.functional.pad(self.place(found), (0, 0, 0, 1)).view(nodes + 1, len(PLACES), width)
        order = self.kind(boards.order_kind[:, 0] * len(up.ASK_KINDS) + boards.order_kind[:, 1])
        order = order + self.whole(whole)[boards.ask_seat[boards.order_ask]]
        for at in range(len(PLACES)):
            order = order + places[boards.order_nodes[:, at], at]
        longest = int(boards.order_place.max()) + 1 if len(boards.order_place) else 1
        scores = torch.full((len(boards.ask_seat), longest), torch.finfo(torch.float32).min)
        scores = scores.index_put((boards.order_ask, boards.order_place), self.score(order)[:, 0])
        return scores, self.worth(whole)[:, 0]


def of_seats(of_asks: Tensor, boards: Boards) -> Tensor:
    """The sums over the asks of each seat."""
    return torch.zeros(len(boards.seats)).index_add_(0, boards.ask_seat, of_asks)


Policy = Callable[[up.Observation], NDArray[np.int32]]


def drawing(network: Network) -> Policy:
    """Draws orders by the network's scores."""

    def choose(seen: up.Observation) -> NDArray[np.int32]:
        with torch.no_grad():
            scores, _ = network(boards_of(seen))
        return np.asarray(Categorical(logits=scores).sample().numpy(), np.int32)

    return choose


def random(seed: int) -> Policy:
    """Draws each legal order with equal probability, like the bot `random`."""
    dice = np.random.default_rng(seed)
    return lambda seen: dice.integers(seen.counts, dtype=np.int32)


def batch_of(args: Args, variant: str, games: int, seed: int) -> up.Batch:
    """Games in which the learner plays one power."""
    last_year = int(up.Variant(variant).first_phase[1:5]) + args.years - 1
    seats = {args.power: up.CALLER, "*": args.opponents}
    return up.Batch(
        variant, games, seats, seed=seed, last_year=last_year, threads=args.threads, reward="centre-count"
    )


def evaluate(args: Args, variant: str, policy: Policy) -> NDArray[np.float64]:
    """The results of the power at the end of each of some fresh games, in the order of `MEASURES`."""
    batch = batch_of(args, variant, args.evaluation_games, args.seed + 1_000_000)
    power = batch.powers.index(args.power)
    results: dict[int, tuple[float, float, float]] = {}
    seen = batch.reset()
    while len(results) < batch.num_games:
        seen, rewards, _, _, info = batch.step(policy(seen))
        for ended in info.ended:
            # A slot continues with the next game; only the games that all slots began with count.
            if ended["number"] < batch.num_games:
                own = ended["centres"][power]
                ahead = all(own > centres for at, centres in enumerate(ended["centres"]) if at != power)
                results[ended["number"]] = (own, float(rewards[ended["slot"], power]), 100.0 * ahead)
    return np.array([results[number] for number in range(batch.num_games)])


def interval(values: NDArray[np.float64]) -> str:
    """Mean and 95 % interval."""
    return f"{values.mean():5.2f} ± {1.96 * values.std(ddof=1) / len(values) ** 0.5:4.2f}"


def learn(args: Args, tell: bool = False) -> tuple[Network, list[float]]:
    """Learns; returns the network, and the mean share of the centres in the games that ended in each iteration."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    dice = np.random.default_rng(args.seed)
    network = Network(args.width, args.rounds)
    optimizer = torch.optim.Adam(network.parameters(), lr=args.learning_rate, eps=1e-5)
    batch = batch_of(args, args.variant, args.games, args.seed)
    power = batch.powers.index(args.power)
    # A reward of 1 is an equal share.
    even = 100 / len(batch.powers)
    seen = batch.reset()
    shape = (args.steps, args.games)
    log_probs, values, rewards, ends = (torch.zeros(shape) for _ in range(4))
    course: list[float] = []
    begun = time.perf_counter()
    for iteration in range(1, args.iterations + 1):
        optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - (iteration - 1) / args.iterations)
        kept: list[Boards] = []
        chosen: list[Tensor] = []
        shares: list[float] = []
        for step in range(args.steps):
            boards = boards_of(seen)
            with torch.no_grad():
                scores, values[step] = network(boards)
            policy = Categorical(logits=scores)
            choices = policy.sample()
            log_probs[step] = of_seats(policy.log_prob(choices), boards)
            kept.append(boards)
            chosen.append(choices)
            seen, reward, terminated, truncated, info = batch.step(choices.numpy())
            rewards[step] = torch.from_numpy(reward[:, power] / even)
            ends[step] = torch.from_numpy((terminated | truncated).astype(np.float32))
            shares += [float(reward[ended["slot"], power]) for ended in info.ended]

        # Generalised advantages, without discount, because the reward is the score at the end. A game that ends because
        # of its last year has been scored like any other, so nothing is bootstrapped there.
        with torch.no_grad():
            _, value = network(boards_of(seen))
        advantages = torch.zeros(shape)
        advantage = torch.zeros(args.games)
        for step in reversed(range(args.steps)):
            goes_on = 1 - ends[step]
            advantage = rewards[step] + goes_on * value - values[step] + goes_on * args.gae_lambda * advantage
            advantages[step], value = advantage, values[step]
        returns = advantages + values
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)

        for _ in range(args.epochs):
            for steps in np.array_split(dice.permutation(args.steps), args.minibatches):
                boards = Boards.concat([kept[step] for step in steps])
                scores, value = network(boards)
                policy = Categorical(logits=scores)
                log_prob = of_seats(policy.log_prob(torch.cat([chosen[step] for step in steps])), boards)
                ratio = (log_prob - log_probs[steps].flatten()).exp()
                of = advantages[steps].flatten()
                gain = torch.min(ratio * of, ratio.clamp(1 - args.clip, 1 + args.clip) * of).mean()
                miss = (value - returns[steps].flatten()).pow(2).mean() / 2
                loss = args.value * miss - gain - args.entropy * of_seats(policy.entropy(), boards).mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(network.parameters(), args.max_grad_norm)
                optimizer.step()

        course.append(float(np.mean(shares)) if shares else float("nan"))
        if tell:
            seconds = time.perf_counter() - begun
            print(f"{iteration:4}  {len(shares):4} games  {course[-1]:6.2f} % of the centres  {seconds:6.1f} s", flush=True)
    return network, course


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for field in fields(Args):
        flag = "--" + field.name.replace("_", "-")
        parser.add_argument(flag, type=type(field.default), default=field.default)
    args = Args(**vars(parser.parse_args()))
    network, _ = learn(args, tell=True)
    print(f"\n{args.evaluation_games} fresh games of {args.years} years, {args.power} among `{args.opponents}`, at the end:")
    for variant in dict.fromkeys([args.variant, "standard", "schizo-ii"]):
        own = evaluate(args, variant, drawing(network))
        other = evaluate(args, variant, random(args.seed))
        for at, what in enumerate(MEASURES):
            # Games with the same number have the same nature: they are compared one by one.
            more = interval(own[:, at] - other[:, at])
            print(f"{variant:11} {what:23} {interval(own[:, at])}, `random` {interval(other[:, at])}, more by {more}")


if __name__ == "__main__":
    main()
