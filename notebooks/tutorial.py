"""The figure of docs/tutorial.md: is Black Hole fairer with two holes a season?

    python notebooks/tutorial.py RUN FIGURE      FIGURE ends in .pdf, .svg or .png

Every interval is over blocks, and the arms are compared block by block, as in `upheaval balance`.
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import polars as pl
import upheaval as up

from blocks import by_block, scores


GAME = ["block", "line_up", "rotation"]
UNDATED = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}


def paired(rows: pl.DataFrame, arm: str, baseline: str) -> pl.DataFrame:
    """By how much a power's score in an arm is above its score in the same game of the baseline."""
    one, other = (rows.filter(pl.col("variant") == name).select(*GAME, "power", "score") for name in (arm, baseline))
    pairs = one.join(other, on=[*GAME, "power"], suffix="_baseline")
    return pairs.with_columns(more=pl.col("score") - pl.col("score_baseline"))


def main(folder: Path, figure: Path) -> None:
    rows = scores(up.Run(folder))
    baseline, arm = sorted(rows["variant"].unique())
    means = by_block(rows, "score", ["variant", "power"])
    changes = by_block(paired(rows, arm, baseline), "more", ["power"])
    powers = changes["power"].to_list()
    for power, more, half in changes.select("power", "mean", "half").iter_rows():
        print(f"{power:8} {more:+.3f} ({more - half:+.3f} to {more + half:+.3f})")

    # Text stays text, and nothing in the file depends on the time or on chance.
    plt.rcParams.update({"svg.fonttype": "none", "pdf.fonttype": 42, "svg.hashsalt": "upheaval", "font.size": 9})
    drawing, (left, right) = plt.subplots(1, 2, figsize=(7, 3), sharey=True, layout="constrained")
    places = range(len(powers))
    for shift, marker, name in [(-0.12, "o", baseline), (0.12, "s", arm)]:
        own = means.filter(pl.col("variant") == name)
        beside = [place + shift for place in places]
        left.errorbar(own["mean"], beside, xerr=own["half"], fmt=marker, ms=4, capsize=2, label=name)
    left.axvline(1 / len(powers), color="grey", ls="--", lw=0.8)
    left.set(xlabel=f"mean draw-size score (dashed: 1/{len(powers)})", yticks=places)
    left.set_yticklabels([power.title() for power in powers])
    left.invert_yaxis()
    left.legend(fontsize=7)
    right.errorbar(changes["mean"], places, xerr=changes["half"], fmt="D", ms=4, capsize=2, color="black")
    right.axvline(0, color="grey", ls="--", lw=0.8)
    right.set(xlabel="two holes less one, paired by block")
    right.locator_params(axis="x", nbins=5)
    drawing.savefig(figure, dpi=200, metadata=UNDATED.get(figure.suffix))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
