"""What the notebooks share: where the runs are, scores, distances, and means with intervals over blocks.

The games of one block meet the same catastrophes, so they are no independent observations; blocks are. Every interval is
therefore made of what the blocks say, however many games each has.
"""

import os
from pathlib import Path

import polars as pl
from scipy import stats

# The powers of the standard board, which all of these runs are played on.
POWERS = ["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"]
COLOURS = dict(zip(POWERS, ["#c0392b", "#1f3a93", "#3fa7d6", "#333333", "#2e8b57", "#8e5ea2", "#d4a017"]))


def run(name: str) -> Path:
    """The folder of the run of this name: in $UPHEAVAL_RUNS, or in results/ of the repository."""
    folder = Path(os.environ.get("UPHEAVAL_RUNS", Path(__file__).parent.parent / "results"))
    found = sorted(folder.glob(f"{name}-*"))
    if len(found) != 1:
        raise SystemExit(f"{folder} should hold one run `{name}`, and holds {len(found)}: see notebooks/README.md")
    return found[0]


def table(folder: Path, name: str) -> pl.LazyFrame:
    """One table of a run; the column `variant` comes from the folders."""
    return pl.scan_parquet(folder / name / "**/*.parquet", hive_partitioning=True)


def scores(folder: Path) -> pl.LazyFrame:
    """A row for each game and power: the table `seats` with the keys of its game, and the draw-size score.

    The score is 1 for a solo, 1/n for a share in a draw of n, else 0.
    """
    games = table(folder, "games").select("variant", "game", "block", "line_up", "rotation", "draw_size")
    drawn = pl.when(pl.col("outcome") == "drew").then(1 / pl.col("draw_size"))
    score = drawn.otherwise((pl.col("outcome") == "won").cast(pl.Float64))
    return table(folder, "seats").join(games, on=["variant", "game"], maintain_order="left").with_columns(score=score)


def distances(folder: Path) -> pl.LazyFrame:
    """A row for each game, Winter and pair of powers: their distance, null where no way is left.

    The table `distances` has a row where the distance of a pair changes, which holds until the next row of that pair.
    """
    game, pair = ["variant", "game"], ["variant", "game", "power", "other"]
    changes = table(folder, "distances")
    winters = table(folder, "topology").filter(pl.col("season") == "W").select(*game, "turn", "year")
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
