"""The example bot with every line of both directions written to a file: recorded.py FILE."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "bots", "python"))
from random_bot import RandomBot  # noqa: E402

# One file for each process.
record = open(f"{sys.argv[1]}.{os.getpid()}", "w")


def lines():
    for line in sys.stdin:
        record.write(line)
        record.flush()
        yield line


class Out:
    def write(self, text):
        record.write(text)
        record.flush()
        sys.stdout.write(text)

    def flush(self):
        sys.stdout.flush()


class Asking(RandomBot):
    history = True
    ready_again = True


Asking().run(lines=lines(), out=Out())
