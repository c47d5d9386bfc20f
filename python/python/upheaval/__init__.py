"""Diplomacy variants whose map changes during play: games, batches for learning, studies."""

from upheaval._cpu import check as _check

_check()

from upheaval import _guard, _upheaval  # noqa: E402
from upheaval._upheaval import (  # noqa: E402  (the processor is checked before the extension is loaded)
    Board,
    Event,
    Game,
    OrderResult,
    Province,
    Table,
    Turn,
    UpheavalError,
    Variant,
    __version__,
    adjudicate,
    bots,
    variants,
)
from upheaval.batch import (  # noqa: E402
    ASK_KINDS,
    CALLER,
    ORDER_KINDS,
    SCORES,
    STAGES,
    Batch,
    Bounds,
    Ended,
    Observation,
    Padded,
    StepInfo,
    columns,
)
from upheaval.bot import Bot  # noqa: E402
from upheaval.cluster import Plan, plan, play_part  # noqa: E402
from upheaval.folder import Run  # noqa: E402
from upheaval.study import (  # noqa: E402
    Balance,
    Match,
    Replay,
    Standings,
    Standing,
    balance,
    replay,
    report,
    run,
    sprt,
    standings,
    tournament,
    verify,
)
from upheaval.tune import Dimension, Measured, Space, Tuned, measure, space, tune  # noqa: E402

_guard.keep(_upheaval)

__all__ = [
    "ASK_KINDS",
    "CALLER",
    "ORDER_KINDS",
    "SCORES",
    "STAGES",
    "Balance",
    "Batch",
    "Board",
    "Bot",
    "Bounds",
    "Dimension",
    "Ended",
    "Event",
    "Game",
    "Match",
    "Measured",
    "Observation",
    "OrderResult",
    "Padded",
    "Plan",
    "Province",
    "Replay",
    "Run",
    "Space",
    "Standing",
    "Standings",
    "StepInfo",
    "Table",
    "Tuned",
    "Turn",
    "UpheavalError",
    "Variant",
    "__version__",
    "adjudicate",
    "balance",
    "bots",
    "columns",
    "measure",
    "plan",
    "play_part",
    "replay",
    "report",
    "run",
    "space",
    "sprt",
    "standings",
    "tournament",
    "tune",
    "variants",
    "verify",
]
