"""What the notebooks share: where the runs are, scores, distances, and means with intervals over blocks.

The games of one block meet the same catastrophes, so they are not independent observations; blocks are. Every interval
is therefore computed from blocks, for any number of games in each.
"""

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
import upheaval as up
from scipy import stats

# The powers of the standard board, which all of these runs are played on.
POWERS = up.Variant("standard").powers
COLOURS = dict(zip(POWERS, ["#c0392b", "#1f3a93", "#3fa7d6", "#333333", "#2e8b57", "#8e5ea2", "#d4a017"]))

# Tables are printed whole.
pl.Config.set_tbl_rows(20)

# Where runs land: in $UPHEAVAL_RUNS, or in results/ of the repository.
RUNS = Path(os.environ.get("UPHEAVAL_RUNS", Path(__file__).parent.parent / "results"))


def scores(run: up.Run) -> pl.DataFrame:
    """A row for each game and power: the table `seats` with the keys of its game, and the draw-size score.

    The score is 1 for a solo, 1/n for a share in a draw of n, else 0.
    """
    games = pl.DataFrame(run.games).select("variant", "game", "block", "line_up", "rotation", "draw_size")
    drawn = pl.when(pl.col("outcome") == "drew").then(1 / pl.col("draw_size"))
    score = drawn.otherwise((pl.col("outcome") == "won").cast(pl.Float64))
    return pl.DataFrame(run.seats).join(games, on=["variant", "game"], maintain_order="left").with_columns(score=score)


def changes(balance: up.Balance) -> pl.DataFrame:
    """By how much each power's score in each arm is above that in the arm that it is compared with, block by block."""
    scores = {arm["arm"]: of for arm in balance.data["arms"] for of in arm["measures"] if of["measure"] == "score"}
    rows = [
        {"variant": arm, "power": power, **change["difference"], "clear": change["p_holm"] < 0.05}
        for arm, of in scores.items()
        for power, change in of["powers"].items()
    ]
    return pl.DataFrame(rows).with_columns(pl.col("estimate", "low", "high").round(3))


def distances(run: up.Run) -> pl.DataFrame:
    """A row for each game, Winter and pair of powers: their distance, null where no way is left.

    The table `distances` has a row where the distance of a pair changes, which holds until the next row of that pair.
    """
    game, pair = ["variant", "game"], ["variant", "game", "power", "other"]
    changes = pl.DataFrame(run.distances)
    winters = pl.DataFrame(run.topology).filter(pl.col("season") == "W").select(*game, "turn", "year")
    rows = winters.join(changes.select(pair).unique(), on=game)
    # Both are sorted, which polars cannot check within groups.
    return rows.sort("turn").join_asof(changes.sort("turn"), on="turn", by=pair, check_sortedness=False)


def by_block(rows: pl.DataFrame, value: str, group: list[str]) -> pl.DataFrame:
    """For each group the mean of a value over its rows, with the half width of its 95% interval over blocks.

    A mean is a sum over a count, and both differ from block to block (a block in which fewer games go on counts less): the
    interval is that of such a ratio, and where all blocks have equally many rows it is the plain one of the blocks' means.
    """
    blocks = rows.group_by([*group, "block"]).agg(s=pl.col(value).sum(), n=pl.col(value).count())
    means = blocks.group_by(group).agg(
        mean=pl.col("s").sum() / pl.col("n").sum(),
        blocks=pl.len(),
        rest=(pl.col("s") - pl.col("n") * pl.col("s").sum() / pl.col("n").sum()).pow(2).sum().sqrt()
        / pl.col("n").sum(),
    )
    factor = [stats.t.ppf(0.975, b - 1) * (b / (b - 1)) ** 0.5 if b > 1 else float("nan") for b in means["blocks"]]
    half = (means["rest"] * pl.Series(factor)).alias("half")
    return means.with_columns(half).drop("rest").sort(group)


@dataclass
class Sums:
    """The sums of a value and how many rows there are, by block (first axis) and power (second)."""

    sums: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, rows: pl.DataFrame, value: str) -> "Sums":
        """From rows with the columns `block` and `power`."""
        table = rows.group_by("block", "power").agg(s=pl.col(value).cast(pl.Float64).sum(), n=pl.len())
        blocks = table["block"].unique().sort().to_list()
        found = np.zeros((2, len(blocks), len(POWERS)))
        row, column = ({of: at for at, of in enumerate(all)} for all in (blocks, POWERS))
        for block, power, s, n in table.with_columns(pl.col("power").cast(pl.String)).iter_rows():
            found[:, row[block], column[power]] = s, n
        return cls(*found)

    @property
    def means(self) -> np.ndarray:
        """The mean by power."""
        return self.sums.sum(0) / self.counts.sum(0)

    @property
    def chance(self) -> np.ndarray:
        """The sampling variance of the means, from the differences between blocks (that of a ratio, as in `by_block`)."""
        blocks, rest = len(self.sums), self.sums - self.counts * self.means
        return blocks / (blocks - 1) * (rest**2).sum(0) / self.counts.sum(0) ** 2


def ranks_alike(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Spearman's rank correlation, row by row; 0 where all of a row are equal."""
    one, other = (stats.rankdata(of, axis=-1) - (of.shape[-1] + 1) / 2 for of in (one, other))
    size = np.sqrt((one**2).sum(-1) * (other**2).sum(-1))
    return (one * other).sum(-1) / np.where(size > 0, size, 1)


@dataclass
class Found:
    """A figure with its 95% interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.2f} ({self.low:.2f} to {self.high:.2f})"


def against(bots: Sums, known: np.ndarray, unsure: np.ndarray | float = 0.0, resamples: int = 1000) -> tuple[Found, Found]:
    """Error and rank correlation of the bots' means by power beside known ones, with intervals from resamples of blocks.

    The error is the root mean square difference without what chance adds to it: the sampling variance of the bots' means is
    subtracted from the mean square. `unsure` is the standard error of the known means, or a bound of it: the intervals include
    it, and nothing is subtracted for it. The deviations of resampled means are widened as those of a t interval are, because
    resamples of few blocks vary too little.
    """
    dice = np.random.default_rng(7)
    blocks, means, chance = len(bots.sums), bots.means, bots.chance
    picks = dice.integers(0, blocks, (resamples, blocks))
    others = bots.sums[picks].sum(1) / np.maximum(bots.counts[picks].sum(1), 1)
    wider = (blocks / (blocks - 1)) ** 0.5 * stats.t.ppf(0.975, blocks - 1) / stats.norm.ppf(0.975)
    others = means + wider * (others - means)
    others_known = known + unsure * dice.standard_normal((resamples, len(known)))
    # A resample has the chance of the games and its own on top; that of the known means is in it once.
    added = (1 + wider**2 * (blocks - 1) / blocks) * chance.mean() + np.mean(np.square(unsure))

    def errors(square: np.ndarray, chance: float) -> np.ndarray:
        return np.sqrt(np.maximum(square.mean(-1) - chance, 0))

    drawn = errors((others - others_known) ** 2, added), ranks_alike(others, others_known)
    found = errors((means - known) ** 2, chance.mean()), ranks_alike(means, known)
    error, rank = (Found(float(of), *np.percentile(all, [2.5, 97.5])) for of, all in zip(found, drawn))
    return error, rank
