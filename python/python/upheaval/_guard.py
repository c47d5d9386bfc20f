"""The guard of an external program: a process that ends the program, and all that it has started, when the run ends.

docs/bot-protocol.md, How a program ends, says what for. A run starts this file as a script, with the path of the
extension as its first argument; it imports nothing but the extension, so that it starts quickly.
"""

from __future__ import annotations

import importlib.util
import os
import signal
import sys
import threading
from importlib.machinery import ExtensionFileLoader
from types import FrameType, ModuleType

INTERRUPTED = 130
"""The exit status of a guard that was asked to end, as in shells."""


def keep(extension: ModuleType) -> None:
    """Has the programs of this process guarded, where the system can do so and the interpreter is known."""
    interpreter, path = sys.executable, extension.__file__
    # An application that embeds Python may name itself as the interpreter.
    if sys.platform == "linux" and path and os.path.basename(interpreter or "").startswith(("python", "pypy")):
        extension.keep_programs([interpreter, "-I", "-S", os.path.abspath(__file__), os.path.abspath(path)])


def main(arguments: list[str]) -> int:
    """Does what the arguments ask for: the path of the extension, then those of a guard."""
    loader = ExtensionFileLoader("_upheaval", arguments[0])
    spec = importlib.util.spec_from_loader("_upheaval", loader)
    if spec is None:
        return 1
    extension = importlib.util.module_from_spec(spec)
    loader.exec_module(extension)
    guard = extension.RawGuard.asked(arguments)
    if guard is None:
        return 2

    def ended(_number: int, _frame: FrameType | None) -> None:
        guard.clear()
        os._exit(INTERRUPTED)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, ended)
    codes: list[int] = []

    def run() -> None:
        try:
            codes.append(guard.run())
        except OSError as error:
            print(f"error: {error}", file=sys.stderr)

    # Python calls handlers on the first thread, between two steps of its own: there it only waits.
    running = threading.Thread(target=run)
    running.start()
    running.join()
    return codes[0] if codes else 1


if __name__ == "__main__":
    os._exit(main(sys.argv[1:]))
