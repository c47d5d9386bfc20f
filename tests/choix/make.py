"""Writes the strengths that the package choix finds for games drawn here, or compares them with those in the fixture.

    pip install choix==0.4.1
    python3 tests/choix/make.py           # writes tests/choix/fits.json
    python3 tests/choix/make.py --check   # compares

The fixture holds the games too, so that the test in src/analysis/plackett_luce/tests.rs needs no Python. Each game is a list of
[bot, place]; those of one place are tied. A tie in Breslow's way is, in choix's terms, a choice of each of the tied seats from
all that had not finished before: "top-1" data. Games without ties are given to choix as rankings as well.
"""

import json
import random
import sys
from pathlib import Path

import choix

FIXTURE = Path(__file__).with_name("fits.json")


def top1(games):
    for game in games:
        for bot, place in game:
            rest = [other for other, at in game if at >= place]
            rest.remove(bot)
            if rest:
                yield bot, rest


def played(dice, bots, strengths, ties):
    """A game's seats in a finishing order drawn from strengths; neighbours are sometimes tied."""
    seats = [bots[i % len(bots)] for i in range(7)]
    order = []
    while seats:
        pick = dice.choices(range(len(seats)), [strengths[bot] for bot in seats])[0]
        order.append(seats.pop(pick))
    places = [1]
    for i in range(1, 7):
        places.append(places[-1] if dice.random() < ties else i + 1)
    return [[bot, place] for bot, place in zip(order, places)]


def cases():
    dice = random.Random(1959)
    strict = [played(dice, dice.sample(range(9), 7), [1.5**i for i in range(9)], 0) for _ in range(120)]
    yield "strict, seven of nine bots", 9, strict, 0.0
    tied = [played(dice, dice.sample(range(8), 7), [1.3**i for i in range(8)], 0.3) for _ in range(150)]
    yield "with ties", 8, tied, 0.0
    few = [played(dice, [i % 3, (i + 1) % 3, (i + 1) % 3], [1, 2, 5], 0.2) for i in range(90)]
    yield "three bots in several seats, with ties", 3, few, 0.0
    six = []
    for i in range(60):
        one, others = dice.sample(range(4), 2)
        six.append(played(dice, [one] + [others] * 6, [1, 2, 4, 8], 0.2))
    yield "one against six", 4, six, 0.1
    unbeaten = [[[0, 1], *[[bot, place] for bot, place in zip(dice.sample(range(1, 7), 6), range(2, 8))]] for _ in range(20)]
    yield "a bot that never loses", 7, unbeaten, 0.1


def fitted():
    for name, bots, games, prior in cases():
        options = dict(alpha=prior, tol=1e-12, max_iter=1_000_000)
        params = choix.mm_top1(bots, list(top1(games)), **options)
        if all(len({place for _, place in game}) == 7 for game in games):
            rankings = [[bot for bot, _ in game] for game in games]
            again = choix.mm_rankings(bots, rankings, **options)
            assert abs(params - again).max() < 1e-8, name
        yield dict(name=name, bots=bots, prior=prior, games=games, fit=[round(float(x), 9) for x in params - params.mean()])


if __name__ == "__main__":
    made = list(fitted())
    if "--check" in sys.argv:
        there = json.loads(FIXTURE.read_text())
        for new, old in zip(made, there, strict=True):
            assert new["name"] == old["name"] and new["games"] == old["games"], new["name"]
            assert max(abs(a - b) for a, b in zip(new["fit"], old["fit"], strict=True)) < 1e-6, new["name"]
        print(f"choix {choix.__version__ if hasattr(choix, '__version__') else ''}: {len(made)} fits as in the fixture")
    else:
        FIXTURE.write_text("[\n" + ",\n".join(json.dumps(case) for case in made) + "\n]\n")
