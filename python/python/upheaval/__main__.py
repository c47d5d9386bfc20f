"""`python -m upheaval run FILE --on EXECUTOR`: runs, tournaments and searches from a shell, played by an executor."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import BrokenExecutor

import upheaval as up

FAILED = 3
"""The exit status for failures that the user did not cause; Python's own is 1."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m upheaval", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, amount in (("run", "--games"), ("tournament", "--blocks"), ("tune", "--budget")):
        command = commands.add_parser(name)
        command.add_argument("file")
        command.add_argument("--on", required=True, metavar="EXECUTOR", help="ray, ray:ADDRESS or processes")
        command.add_argument("--in-flight", type=int)
        command.add_argument("--seed", type=int)
        command.add_argument(amount, type=int, dest="amount")
        command.add_argument("--out")
        command.add_argument("--set", action="append", default=[])
        command.add_argument("--afresh", action="store_true")
        command.add_argument("--recover", action="store_true")
        if name == "tournament":
            command.add_argument("--extend", action="append", default=[])
    given = parser.parse_args()
    common = {
        "executor": given.on,
        "in_flight": given.in_flight,
        "seed": given.seed,
        "set": given.set,
        "afresh": given.afresh,
        "recover": given.recover,
        "progress": True,
    }
    try:
        if given.command == "tune":
            budget = [] if given.amount is None else [f"tune.budget={given.amount}"]
            common["set"] = [*given.set, *budget]
            place = str(up.tune(given.file, out=given.out, **{**common, "progress": None}).path)
        elif given.command == "run":
            place = str(up.run(given.file, games=given.amount, out=given.out, **common).path)
        else:
            place = str(up.tournament(given.file, blocks=given.amount, out=given.out, extend=given.extend, **common).path)
    except BrokenExecutor as error:
        print(f"error: a worker was lost: {error}\nthe same command resumes the run", file=sys.stderr)
        return FAILED
    except (up.UpheavalError, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("\nthe run was interrupted: the same command resumes it", file=sys.stderr)
        return 130
    print(f"files: {place}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
