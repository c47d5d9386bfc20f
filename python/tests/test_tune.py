"""Searches over the parameters of variants: whole ones, elsewhere, and settings one at a time for optimisers."""

from __future__ import annotations

import importlib.util
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import upheaval as up
from upheaval.tune import Params

FILE: dict[str, Any] = {
    "name": "holes",
    "variants": ["standard", "black-hole"],
    "seed": 7,
    "last_year": 1902,
    "sweep": [
        {"parameter": "changes.holes.count", "range": {"from": 1, "to": 3}},
        {"parameter": "changes.holes.change", "values": ["collapse", "void"]},
    ],
    "skip": [{"changes": {"holes": {"count": 3, "change": "void"}}}],
    "tune": {
        "objective": "fairness.centres",
        "bots": ["random", "hold"],
        "budget": 800,
        "blocks": {"first": 16, "most": 64},
        "check": {"blocks": 16},
        "within": {"length": [1, 2]},
    },
}
VOID: Params = {"variant": "black-hole", "changes.holes.count": 2, "changes.holes.change": "void"}


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_a_search_gives_a_set_and_the_same_bytes_over_an_executor(tmp_path: Path) -> None:
    here = up.tune(FILE, threads=2, out=tmp_path / "here")
    assert here.best in here.set and str(here).startswith("holes: the least fairness.centres")
    assert here.data["seed"] != here.data["check_seed"]
    with ThreadPoolExecutor(2) as pool:
        there = up.tune(FILE, executor=pool, out=tmp_path / "there")
    assert files(there.path) == files(here.path)
    assert up.tune(FILE, out=tmp_path / "here").data == here.data, "it is not played again"
    with pytest.raises(up.UpheavalError, match="leave `threads` out"):
        up.tune(FILE, executor="processes", threads=1, out=tmp_path)


def test_a_search_that_lost_its_executor_is_resumed_to_the_same_bytes(tmp_path: Path) -> None:
    class Failing:
        left = 3

        def submit(self, fn: Any, /, *args: Any) -> Any:
            self.left -= 1
            if self.left < 0:
                raise RuntimeError("lost")
            return pool.submit(fn, *args)

    whole = up.tune(FILE, out=tmp_path / "whole")
    with ThreadPoolExecutor(1) as pool:
        with pytest.raises(RuntimeError, match="lost"):
            up.tune(FILE, executor=Failing(), in_flight=1, out=tmp_path / "again")
    left = list((tmp_path / "again").iterdir())
    assert [path.suffix for path in left] == [".journal"] and left[0].stat().st_size > 0
    assert files(up.tune(FILE, out=tmp_path / "again").path) == files(whole.path)


def test_a_space_knows_its_settings_without_playing() -> None:
    space = up.space(FILE)
    names = [dimension.name for dimension in space.dimensions]
    assert names == ["variant", "changes.holes.count", "changes.holes.change"]
    assert (space.size, space.dimensions[1].step, space.dimensions[2].step) == (12, 1, None)
    settings = list(space.settings())
    assert len(settings) == 6 and {"variant": "standard"} in settings
    assert not space.allowed({**VOID, "changes.holes.count": 3})
    assert space.setting({**VOID, "variant": "standard"}) == {"variant": "standard"}
    with pytest.raises(up.UpheavalError, match="is not a parameter of this space"):
        space.setting({"holes": 1})
    assert space.bounded == ["length"]
    assert up.space(FILE, set=["tune.within.drama=[0.1, 1]", "tune.within.solos=[0, 1]"]).bounded == [
        "length",
        "solos",
        "drama",
    ]


def test_bounds_count_among_every_bot_and_not_the_worst_alone() -> None:
    """With seven bots that move at random the setting is less fair; with seven that hold, a game is decided in its first
    year, so these exceed a bound."""
    for low in (1.0, 1.25):
        space = up.space(FILE, set=[f"tune.within.decided=[{low}, 2]", "tune.within.drama=[0, 1]"])
        measured = space.measure(VOID, blocks=range(0, 16))
        assert measured.bot == "random" and measured.measures["decided"][0] > 1.25
        assert set(measured.beyond) == {"length", "decided", "drama"} and measured.beyond["drama"][0] <= 0
        assert measured.beyond["decided"][0] == pytest.approx(low - 1.0)
        assert measured.within == (low == 1.0)


def test_blocks_of_a_setting_are_measured_once_and_paired_with_those_of_another() -> None:
    space = up.space(FILE)
    few = space.measure(VOID, blocks=range(0, 8))
    more = up.measure(space, VOID, blocks=range(0, 16))
    assert len(few.per_block) == 8 and len(more.per_block) == 16
    assert more.mean == pytest.approx(sum(more.per_block) / 16)
    assert set(more.by_bot) == {"random", "hold"} and more.mean == max(mean for mean, _ in more.by_bot.values())
    assert more.measures["length"][0] == 2 and more.within
    assert space.measure(VOID, blocks=range(0, 8)) == few
    fresh = space.measure(VOID, blocks=range(0, 16), check=True)
    assert fresh.per_block != more.per_block
    standard = space.measure({"variant": "standard"}, blocks=range(0, 16))
    assert standard.params == {"variant": "standard"}
    for blocks in (range(0, 3), range(0, 16, 2), range(-4, 4)):
        with pytest.raises(up.UpheavalError):
            space.measure(VOID, blocks=blocks)
    with pytest.raises(up.UpheavalError, match="leaves no arm"):
        space.measure({**VOID, "changes.holes.count": 3}, blocks=range(0, 8))


def test_the_answer_has_the_figures_that_a_setting_has_by_itself(tmp_path: Path) -> None:
    tuned, space = up.tune(FILE, out=tmp_path), up.space(FILE)
    values = {of["id"]: of["values"] for of in tuned.data["settings"]}
    for checked in tuned.data["checked"]:
        measured = space.measure(values[checked["id"]], blocks=range(0, 16), check=True)
        for of in checked["by_bot"]:
            assert of["objective"]["estimate"] == pytest.approx(measured.by_bot[of["bot"]][0], abs=1e-12)


def needs(package: str) -> pytest.MarkDecorator:
    missing = importlib.util.find_spec(package) is None
    return pytest.mark.skipif(missing, reason=f"{package} is not installed")


@needs("optuna")
def test_optuna_searches_a_space_and_prunes_by_steps_of_blocks() -> None:
    import optuna

    from upheaval.tuners import optuna_objective

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    space = up.space(FILE)
    sampler = optuna.samplers.TPESampler(seed=1)
    study = optuna.create_study(sampler=sampler, pruner=optuna.pruners.WilcoxonPruner(p_threshold=0.2))
    study.optimize(optuna_objective(space, blocks=48, group=8), n_trials=8)
    done = study.get_trials(states=(optuna.trial.TrialState.COMPLETE,))
    assert done and len(study.trials) == 8
    for trial in done:
        blocks = trial.user_attrs["blocks"]
        assert blocks % 8 == 0 and trial.user_attrs["within"]
        measured = space.measure({**trial.params}, blocks=range(0, blocks))
        assert (trial.value, trial.user_attrs["sem"]) == (measured.mean, measured.sem)
        assert list(trial.intermediate_values) == list(range(blocks // 8))
        assert ("changes.holes.change" in trial.params) == (trial.params["variant"] == "black-hole")


@needs("ax")
def test_ax_is_told_means_with_their_standard_errors() -> None:
    from upheaval.tuners import ax_client, ax_search

    space = up.space(FILE)
    client = ax_client(space, seed=1)
    found = ax_search(client, space, trials=3, blocks=8)
    assert found and all(space.allowed(measured.params) for measured in found)
    told = client.summarize()
    assert sorted(told["objective"].dropna()) == pytest.approx(sorted(measured.mean for measured in found))
    beyond = [measured.beyond["length"][0] for measured in found]
    assert sorted(told["beyond_length"].dropna()) == pytest.approx(sorted(beyond)), "an outcome constraint"


@needs("smac")
def test_smac_compares_settings_on_the_same_blocks(tmp_path: Path) -> None:
    from smac import AlgorithmConfigurationFacade

    from upheaval.tuners import smac_scenario, smac_setting, smac_target

    space = up.space(FILE)
    scenario = smac_scenario(space, tmp_path, trials=8, blocks=32, group=8)
    facade = AlgorithmConfigurationFacade(scenario, smac_target(space, group=8), logging_level=40)
    best = smac_setting(space, facade.optimize())
    assert best in list(space.settings())
    keys = list(facade.runhistory)
    assert keys and {key.instance for key in keys} <= {"0", "1", "2", "3"}


def test_what_is_out_of_bounds_is_worse_for_smac_than_any_distance() -> None:
    from upheaval.tuners import OUT_OF_BOUNDS, smac_target

    inside, outside = (up.space(FILE, set=[f"tune.within.length={length}"]) for length in ("[1, 2]", "[3, 9]"))
    told = [smac_target(space, group=8)(VOID, "1") for space in (inside, outside)]
    assert told[0] == inside.measure(VOID, blocks=range(8, 16)).mean
    assert told[1] == pytest.approx(told[0] + OUT_OF_BOUNDS)
