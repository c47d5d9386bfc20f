"""A space of rules for third-party optimisers: Optuna, Ax and SMAC. The rest of the package needs none of them.

Each asks for settings in its own way, and receives results of `Space.measure`: Optuna a value for each step, because
its `WilcoxonPruner` compares trials step by step; Ax a mean with its standard error; SMAC a value for each instance. A
step or instance is a group of blocks, the same for all settings, because a squared distance needs several. Their
best setting looks better than it is: measure it again with `check=True`, or give the best few to `upheaval.tune`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from upheaval._upheaval import UpheavalError
from upheaval.tune import Measured, Space, Value

GROUP = 32
"""The default number of blocks of a step or an instance."""


def _plain(values: list[Value]) -> bool:
    return all(isinstance(value, (str, int, float, bool)) for value in values)


def _steps(blocks: int, group: int) -> list[range]:
    if group < 4 or blocks < group:
        raise UpheavalError(f"a group has at least 4 blocks, and there is at least one: not {group} of {blocks}")
    return [range(first, first + group) for first in range(0, blocks - group + 1, group)]


def ask_optuna(trial: Any, space: Space) -> dict[str, Value]:
    """The setting that an Optuna trial asks for: only for the parameters that the variant has."""
    params: dict[str, Value] = {}
    for dimension in space.dimensions:
        if not space.applies(dimension, params):
            continue
        values, step = dimension.values, dimension.step
        if step is not None:
            first, last = values[0], values[-1]
            assert isinstance(first, int) and isinstance(last, int)
            params[dimension.name] = trial.suggest_int(dimension.name, first, last, step=step)
        elif _plain(values):
            params[dimension.name] = trial.suggest_categorical(dimension.name, values)
        else:
            place = trial.suggest_categorical(f"{dimension.name} by place", list(range(len(values))))
            params[dimension.name] = values[place]
    return params


def optuna_objective(space: Space, *, blocks: int, group: int = GROUP) -> Callable[[Any], float]:
    """An objective to minimise with `study.optimize`: step by step a group of blocks, after each of which the
    study's pruner may stop the trial. With `WilcoxonPruner` the mean so far is then its value, as that pruner
    requires. The trial's user attributes have `sem`, `blocks`, `bot`, `measures` and `within`; samplers that respect
    bounds receive them from Optuna 5 on, and through `optuna_constraints` before. A combination that the file leaves
    out is pruned."""
    import optuna

    steps = _steps(blocks, group)

    def objective(trial: Any) -> float:
        params = ask_optuna(trial, space)
        if not space.allowed(params):
            trial.set_user_attr("within", False)
            raise optuna.TrialPruned("the file leaves this combination out")
        end = steps[-1].stop
        for number, step in enumerate(steps):
            trial.report(space.measure(params, blocks=step).mean, number)
            if trial.should_prune():
                end = step.stop
                break
        measured = space.measure(params, blocks=range(0, end))
        trial.set_user_attr("sem", measured.sem)
        trial.set_user_attr("blocks", end)
        trial.set_user_attr("bot", measured.bot)
        trial.set_user_attr("measures", {name: mean for name, (mean, _) in measured.measures.items()})
        trial.set_user_attr("within", measured.within)
        if hasattr(trial, "set_constraint"):
            trial.set_constraint("within", 0.0 if measured.within else 1.0)
        return measured.mean

    return objective


def optuna_constraints(trial: Any) -> tuple[float]:
    """`constraints_func` of samplers before Optuna 5: positive if a measure is out of its bounds."""
    return (0.0 if trial.user_attrs.get("within", True) else 1.0,)


OBJECTIVE = "objective"
"""The name of the objective in Ax."""


def ax_client(space: Space, *, seed: int | None = None) -> Any:
    """An Ax client (`ax.api.client.Client`) that knows the parameters, the objective, and as outcome constraints the
    bounds of the file."""
    from ax.api.client import Client
    from ax.api.configs import ChoiceParameterConfig

    kinds: dict[type, str] = {bool: "bool", int: "int", float: "float", str: "str"}
    parameters = []
    for dimension in space.dimensions:
        if not _plain(dimension.values):
            raise UpheavalError(f"Ax has no parameters with lists as values, such as `{dimension.name}`")
        kind = kinds[type(dimension.values[0])]
        ordered = kind in ("int", "float")
        parameters.append(
            ChoiceParameterConfig(
                name=dimension.name, values=list(dimension.values), parameter_type=kind, is_ordered=ordered
            )
        )
    client = Client(random_seed=seed)
    client.configure_experiment(parameters=parameters)
    constraints = [f"{_metric(name)} <= 0" for name in space.bounded]
    client.configure_optimization(objective=f"-{OBJECTIVE}", outcome_constraints=constraints or None)
    return client


def _metric(name: str) -> str:
    return f"beyond_{name}"


def ax_search(client: Any, space: Space, *, trials: int, blocks: int) -> list[Measured]:
    """Measures as many settings as Ax asks for, one after the other, and reports the mean and the standard error of each,
    and by how much the setting exceeds each bound. A setting that is left out of the space is reported as failed."""
    found: list[Measured] = []
    for _ in range(trials):
        for index, params in client.get_next_trials(max_trials=1).items():
            if not space.allowed(params):
                client.mark_trial_failed(trial_index=index)
                continue
            measured = space.measure(params, blocks=range(0, blocks))
            beyond = {_metric(name): amount for name, amount in measured.beyond.items()}
            told = {OBJECTIVE: (measured.mean, measured.sem), **beyond}
            client.complete_trial(trial_index=index, raw_data=told)
            found.append(measured)
    return found


def smac_space(space: Space, *, seed: int | None = None) -> Any:
    """The space in the form of ConfigSpace, with its conditions and the combinations that are left out."""
    import ConfigSpace as cs

    found = cs.ConfigurationSpace(seed=seed)
    for dimension in space.dimensions:
        values = dimension.values
        if not _plain(values):
            raise UpheavalError(f"SMAC has no parameters with lists as values, such as `{dimension.name}`")
        if len(values) > 1 and all(type(value) in (int, float) for value in values):
            found.add(cs.OrdinalHyperparameter(dimension.name, values))
        else:
            found.add(cs.CategoricalHyperparameter(dimension.name, values))
    for dimension in space.dimensions:
        if dimension.variants and "variant" in found:
            found.add(cs.InCondition(found[dimension.name], found["variant"], list(dimension.variants)))
    for skip in space.skips:
        clauses = [cs.ForbiddenInClause(found[name], values) for name, values in skip]
        found.add(clauses[0] if len(clauses) == 1 else cs.ForbiddenAndConjunction(*clauses))
    return found


OUT_OF_BOUNDS = 1.0
"""The penalty that SMAC sees for a setting outside of a bound: more than any squared distance of shares."""


def smac_target(space: Space, *, group: int = GROUP, out: float = OUT_OF_BOUNDS) -> Callable[..., float]:
    """A target function for SMAC, whose instances are groups of blocks by their numbers. SMAC does not support bounds,
    so `out` is added to a value if a group of blocks exceeds a bound by more than two standard errors."""

    def target(config: Any, instance: str, seed: int = 0) -> float:
        first = int(instance) * group
        measured = space.measure(_values(space, config), blocks=range(first, first + group))
        is_out = any(amount > 2 * error for amount, error in measured.beyond.values())
        return measured.mean + (out if is_out else 0.0)

    return target


def smac_scenario(
    space: Space, folder: str | Path, *, trials: int, blocks: int, group: int = GROUP, seed: int = 0
) -> Any:
    """A scenario for SMAC: `AlgorithmConfigurationFacade(scenario, smac_target(space)).optimize()` is a search,
    whose intensifier compares settings on the same instances. SMAC writes into `folder`."""
    from smac import Scenario

    instances = [str(number) for number in range(len(_steps(blocks, group)))]
    return Scenario(
        smac_space(space, seed=seed),
        deterministic=True,
        n_trials=trials,
        instances=instances,
        instance_features={name: [float(name)] for name in instances},
        output_directory=Path(folder),
        seed=seed,
    )


def _values(space: Space, config: Any) -> dict[str, Value]:
    """A configuration as a setting: ConfigSpace returns NumPy numbers and texts."""
    given = dict(config)
    by_name = {dimension.name: dimension.values for dimension in space.dimensions}
    return {name: next(own for own in by_name[name] if own == value) for name, value in given.items()}


def smac_setting(space: Space, config: Any) -> dict[str, Value]:
    """The setting of a SMAC configuration, such as its incumbent."""
    return space.setting(_values(space, config))
