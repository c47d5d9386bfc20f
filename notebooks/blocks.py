"""What the notebooks share: where the runs are, scores, distances, and means with intervals over blocks.

The games of one block meet the same catastrophes, so they are not independent observations; blocks are. Every interval
is therefore computed from blocks, for any number of games in each.
"""

import os
from pathlib import Path

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
