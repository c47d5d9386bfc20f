"""`python -m upheaval run FILE --on EXECUTOR`: runs and tournaments from a shell, played by an executor."""

from __future__ import annotations

import argparse
import sys

import upheaval as up


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m upheaval", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, amount in (("run", "--games"), ("tournament", "--blocks")):
        command = commands.add_parser(name)
        command.add_argument("file")
        command.add_argument("--on", required=True, metavar="EXECUTOR", help="ray, ray:ADDRESS or processes")
        command.add_argument("--in-flight", type=int)
        command.add_argument("--seed", type=int)
        command.add_argument(amount, type=int, dest="amount")
        command.add_argument("--out")
        command.add_argument("--set", action="append", default=[])
        command.add_argument("--afresh", action="store_true")
    given = parser.parse_args()
    common = {
        "executor": given.on,
        "in_flight": given.in_flight,
        "seed": given.seed,
        "out": given.out,
        "set": given.set,
        "afresh": given.afresh,
        "progress": True,
    }
    try:
        if given.command == "run":
            run = up.run(given.file, games=given.amount, **common)
        else:
            run = up.tournament(given.file, blocks=given.amount, **common)
    except (up.UpheavalError, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nthe run was interrupted: the same command resumes it", file=sys.stderr)
        return 130
    print(f"files: {run.path}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
