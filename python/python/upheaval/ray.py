"""Ray as an executor of runs: `upheaval.run(…, executor="ray")`."""

from __future__ import annotations

import os
from collections.abc import Callable
from types import TracebackType
from typing import Any

# Before Ray is imported: no usage data is sent.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import ray  # type: ignore[import-not-found, import-untyped, unused-ignore]  # noqa: E402


RETRIES = 5
"""How often a task is retried whose worker or node is lost: a task that crashes every worker is not retried forever.
"""


class RayFuture:
    """The result of a Ray task."""

    def __init__(self, reference: Any) -> None:
        self._reference = reference

    def result(self) -> Any:
        """Waits for the result and returns it."""
        return ray.get(self._reference)

    def cancel(self) -> None:
        """Cancels the task."""
        ray.cancel(self._reference, force=False)


class RayExecutor:
    """Calls functions on the cluster of this address, or on one that is started here, one for each processor core. A
    task whose worker or node is lost is retried; a task that raises an error is not.

    `options` are those of Ray's tasks, such as `resources`, `memory` or `runtime_env`.
    """

    def __init__(self, address: str | None = None, *, num_cpus: int | None = None, **options: Any) -> None:
        self._ours = not ray.is_initialized()
        if self._ours:
            ray.init(
                # Without an address Ray would join a cluster that it already knows.
                address=address or "local",
                num_cpus=None if address else num_cpus,
                include_dashboard=False if address is None else None,
                log_to_driver=False,
                logging_level="ERROR",
            )
        self._options = {"num_cpus": 1, "max_retries": RETRIES, **options}
        self._functions: dict[Callable[..., Any], Any] = {}

    @property
    def num_workers(self) -> int:
        """The current number of processor cores of the cluster."""
        return max(1, int(ray.cluster_resources().get("CPU", 1)))

    def share(self, value: Any) -> Any:
        """Sends a value to the cluster once, for many tasks."""
        return ray.put(value)

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> RayFuture:
        """Calls a function on the cluster."""
        if fn not in self._functions:
            self._functions[fn] = ray.remote(fn).options(**self._options)
        return RayFuture(self._functions[fn].remote(*args))

    def shutdown(self) -> None:
        """Leaves the cluster, or ends it if it was started here."""
        if self._ours and ray.is_initialized():
            ray.shutdown()

    def __enter__(self) -> RayExecutor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shutdown()
