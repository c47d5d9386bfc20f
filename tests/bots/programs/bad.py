"""Programs that each make one mistake: bad.py WHAT [FOLDER]. Based on the example, which plays correctly."""

import json
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "bots", "python"))
from random_bot import RandomBot  # noqa: E402

what, folder = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None


def first_time(name):
    """True for the first caller among all processes that share the folder."""
    try:
        os.close(os.open(os.path.join(folder, name), os.O_CREAT | os.O_EXCL))
        return True
    except FileExistsError:
        return False


if folder:
    first_time(f"group-{os.getpgrp()}")  # for tests that need to know the group afterwards


class Bad(RandomBot):
    asked = 0

    def movement(self, game, request):
        self.asked += 1
        good = super().movement(game, request)
        match what:
            case "crash":
                raise RuntimeError("boom")
            case "crash-once" if first_time("crashed"):
                sys.exit(3)
            case "die-in-the-middle" if self.asked == 3:
                sys.exit(7)
            case "hang":
                time.sleep(600)
            case "slow" if self.asked % 2 == 0:
                time.sleep(3)
            case "illegal":
                return good[1:] + ["A XYZ - PAR", "nonsense"]
            case "thousands":
                return [""] * 5000
            case "illegal-twice":
                return good + [good[0]]
            case "all-twice":
                # To announce twice is harmless.
                good = [order for order in good if order != "ANNOUNCE"]
                return good + good
            case "illegal-lists":
                # In the first phase: a place out of reach, a unit of another power, a second list, and no place at all.
                lists = ["A PAR R MOS PIC", "A MUN R RUH", "A PAR R BUR", "A MAR R"]
                orders = [order for order in good if " R " not in order]
                return orders + (lists if request["phase"] == "S1901M" else [])
            case "no-newline":
                sys.stdout.write('{"type": "orders"')
                sys.stdout.flush()
                time.sleep(600)
            case "megabytes":
                sys.stdout.write("x" * (64 << 20) + "\n")
                sys.stdout.flush()
            case "many-lines":
                for i in range(200_000):
                    sys.stdout.write(f"thinking {i}\n")
                sys.stdout.flush()
            case "not-json":
                print("A PAR - BUR")
            case "no-list":
                return {"A PAR": "H"}
            case "not-texts":
                return [1, 2]
            case "forks":
                subprocess.Popen(["sleep", "600"], stdin=subprocess.DEVNULL)
                time.sleep(600)
            case "forks-and-dies":
                subprocess.Popen(["sleep", "600"])
                os._exit(1)
            case "noisy":
                sys.stderr.write("y" * (8 << 20))
                sys.stderr.flush()
        return good

    def retreats(self, game, request):
        return super().retreats(game, request) * (2 if what == "all-twice" else 1)

    def adjustments(self, game, request):
        good = super().adjustments(game, request)
        match what:
            case "all-twice":
                return good + good
            case "same-site" if "builds" in request:
                return good[:1] * 2
            case "one-too-many" if "builds" in request:
                # Each is possible, and there is one more than is owed.
                return good + ["WAIVE"] * (request["builds"] - len(good) + 1)
        return good

    def seismic(self, game, request):
        return super().seismic(game, request) * (2 if what == "all-twice" else 1)

    def coasts(self, game, request):
        return super().coasts(game, request) * (2 if what == "all-twice" else 1)


class Out:
    """Standard output with one thing changed."""

    def write(self, text):
        message = json.loads(text)
        if message["type"] == "orders":
            match what:
                case "wrong-game":
                    message["game"] = "another"
                case "wrong-phase":
                    message["phase"] = "S1899M"
                case "wrong-hash":
                    message["topology_hash"] = "0"
                case "no-hash":
                    del message["topology_hash"]
                case "wrong-type":
                    message["type"] = "order"
        sys.stdout.write(json.dumps(message) + "\n")

    def flush(self):
        sys.stdout.flush()


match what:
    case "exits-at-once":
        sys.exit(2)
    case "never-reads":
        time.sleep(600)
    case "reads-hello-only":
        json.loads(sys.stdin.readline())
        print(json.dumps({"type": "id", "game": None, "name": "deaf"}), flush=True)
        time.sleep(600)
    case "nameless":
        print(json.dumps({"type": "id", "game": None}), flush=True)
    case "never-quits":
        class Stubborn:
            def __iter__(self):
                while True:
                    line = sys.stdin.readline()
                    if not line or '"quit"' in line:
                        time.sleep(600)
                    yield line
        Bad().run(lines=Stubborn(), out=Out())
        sys.exit()
    case _:
        pass
Bad().run(out=Out())
