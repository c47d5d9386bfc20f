"""Programs that use their surroundings: guest.py WHAT PLACE. Based on the example, which plays correctly."""

import json
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "bots", "python"))
from random_bot import RandomBot  # noqa: E402

what, place = sys.argv[1], sys.argv[2]

if what == "look":
    with open("left-behind", "w") as left:
        left.write("x")
    seen = {"env": dict(os.environ), "folder": os.getcwd(), "files": os.listdir("."), "arguments": sys.argv[1:]}
    with open(place, "w") as told:
        json.dump(seen, told)

# A child that leaves the group, and whose parent has exited.
DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        with open(sys.argv[1] + ".new", "w") as told:
            told.write(f"{os.getpid()} {sys.argv[2]} {os.getcwd()}")
        os.rename(sys.argv[1] + ".new", sys.argv[1])
        time.sleep(600)
    os._exit(0)
os.wait()
"""


class Guest(RandomBot):
    kept = None

    def movement(self, game, request):
        match what:
            case "memory":
                self.kept = self.kept or bytearray(200 << 20)
                for at in range(0, len(self.kept), 4096):
                    self.kept[at] = 1
                time.sleep(30)
            case "processes":
                self.kept = self.kept or [subprocess.Popen(["sleep", "600"]) for _ in range(12)]
                time.sleep(30)
            case "time":
                until = time.process_time() + 30
                while time.process_time() < until:
                    pass
            case "file":
                with open("long", "wb") as long:
                    long.write(bytes(3 << 20))
            case "escape" if self.kept is None:
                nothing = subprocess.DEVNULL
                command = [sys.executable, "-c", DAEMON, place, str(os.getpid())]
                subprocess.run(command, stdin=nothing, stdout=nothing, stderr=nothing, check=True)
                self.kept = True
            case "escape-and-hang":
                command = [sys.executable, "-c", DAEMON, place, str(os.getpid())]
                subprocess.run(command, stdin=subprocess.DEVNULL, check=True)
                time.sleep(600)
            case "touch" | "add":
                for name in os.listdir(place):
                    if name.startswith(".upheaval-partial-") and not name.endswith(".journal"):
                        file = {"touch": "experiment.toml", "add": "games.txt"}[what]
                        with open(os.path.join(place, name, file), "a") as touched:
                            touched.write("# mine\n")
        return super().movement(game, request)


Guest().run()
